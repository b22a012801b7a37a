"""Tests of `lectures_lib.features`."""
