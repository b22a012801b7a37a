"""Tests of the library as a whole: docstrings, modules, walks, compiled loops, wrong arguments."""
