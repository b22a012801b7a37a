"""Tests of `lectures_lib.online`."""
