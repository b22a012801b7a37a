"""Tests of `lectures_lib.svm`."""
