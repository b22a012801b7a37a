"""Tests of `lectures_lib.perceptron`."""
