"""Tests of `lectures_lib.linear`."""
