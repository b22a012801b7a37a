"""Tests of `lectures_lib.selection`."""
