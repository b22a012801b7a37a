"""Tests of `lectures_lib.certify`."""
