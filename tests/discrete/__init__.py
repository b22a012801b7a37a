"""Tests of `lectures_lib.discrete`."""
