"""Tests of `lectures_lib.kernels`."""
