"""Tests of `lectures_lib.margins`."""
