"""Homework: assign it, check it in the notebook, grade it safely.

A student's notebook says ``from lectures_lib.grading.hw1 import check, data, finish, quiz``. An
instructor says ``python -m lectures_lib.grading`` and reads what it can do.
"""
