"""Tests of `lectures_lib.conventions`."""
