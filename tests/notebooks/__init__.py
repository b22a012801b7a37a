"""Tests of what every notebook promises, and of the guards that hold it."""
