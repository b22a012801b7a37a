"""Tests of `lectures_lib.fast`."""
