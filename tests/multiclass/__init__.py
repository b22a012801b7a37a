"""Tests of `lectures_lib.multiclass`."""
