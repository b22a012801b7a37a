"""Tests of `lectures_lib.losses`."""
