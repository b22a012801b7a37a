"""Tests of `lectures_lib.proof`."""
