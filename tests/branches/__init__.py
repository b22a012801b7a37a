"""Tests of `lectures_lib.branches`."""
