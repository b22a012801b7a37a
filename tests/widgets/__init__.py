"""Tests of `lectures_lib.widgets`."""
