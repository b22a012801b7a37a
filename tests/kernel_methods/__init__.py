"""Tests of `lectures_lib.kernel_methods`."""
