"""Tests of `lectures_lib.metrics`."""
