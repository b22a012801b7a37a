"""Tests of `lectures_lib.structured`."""
