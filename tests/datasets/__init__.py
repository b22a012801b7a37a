"""Tests of `lectures_lib.datasets`."""
