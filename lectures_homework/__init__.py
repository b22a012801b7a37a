"""Homework: assign it, check it in the notebook, grade it safely.

``hw1`` to ``hw7`` are the homeworks as students have them: questions, data, visible checks and
quizzes. Solutions, hidden checks and planted answers are in ``notebooks/homework``, which is not
installed.

A student's notebook says ``from lectures_homework.hw1 import check, data, finish, quiz``. An
instructor says ``python -m lectures_homework`` and reads what it can do. The rooms, by who runs
them; none imports what stands below it, but that the student's copies values as the sandbox does:

- ``sandbox.inside``: the files inside the sandbox, beside student code; they import nothing of ours
- ``language``: what a homework is written in
- ``student``: what runs in the student's notebook
- ``sandbox``: what keeps the sandbox from outside and talks to it
- ``instructor``: what the instructor runs; it alone knows solutions, hidden checks and grades
"""
