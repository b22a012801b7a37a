"""Tests of `lectures_lib.theorems`."""
