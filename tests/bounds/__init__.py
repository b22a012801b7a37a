"""Tests of `lectures_lib.bounds`."""
