"""The homeworks as students have them: questions, data, visible checks, quizzes.

Solutions, hidden checks and planted answers are in ``notebooks/homework``, which is not installed.
"""
