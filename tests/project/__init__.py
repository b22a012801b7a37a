"""Tests of the project itself: dependencies, layers, set-up, releases, continuous integration."""
