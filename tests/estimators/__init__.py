"""Tests of `lectures_lib.estimators`."""
