"""Tests of `lectures_lib.complexity`."""
