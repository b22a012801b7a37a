"""Tests of the library, of the notebooks and of the project itself."""
