"""Tests of `lectures_lib.qp`."""
