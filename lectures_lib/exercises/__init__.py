"""Self-checks for the exercises in the notebooks: they test what an answer must satisfy.

A check never compares with a stored answer: it tries the function on inputs and asks whether the
property of the lecture holds. The verdict names the property, the input and what came back.
"""

from .judging import EXERCISES, Verdict, check, judge, question

__all__ = ["EXERCISES", "Verdict", "check", "judge", "question"]
