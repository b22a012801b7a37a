"""Tests of `lectures_lib.partitions`."""
