"""Homework: assign it, check it in the notebook, grade it safely.

A student's notebook says ``from lectures_lib.homework.hw1 import check, data, finish, quiz``. An
instructor says ``python -m lectures_lib.grading`` and reads what it can do. The rooms, by who runs
them; none imports what stands below it, but that the student's copies values as the sandbox does:

- ``sandbox.inside``: the files inside the sandbox, beside student code; they import nothing of ours
- ``language``: what a homework is written in
- ``student``: what runs in the student's notebook
- ``sandbox``: what keeps the sandbox from outside and talks to it
- ``instructor``: what the instructor runs; it alone knows solutions, hidden checks and grades
"""
