"""Tests of `lectures_lib.smo`."""
