"""Tests of `lectures_lib.plots`."""
