"""Tests of `lectures_lib.exercises`."""
