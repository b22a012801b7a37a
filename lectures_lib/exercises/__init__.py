"""Self-checks for the exercises in the notebooks: they test what an answer must satisfy.

A check never compares with a stored answer: it tries the function on inputs and asks whether the
property of the lecture holds. The verdict names the property, the input and what came back.

How a new exercise is written. Put a check into a module of this package and name it in the
module's dictionary `CHECKS`; it is found by itself. A check is a generator: it calls the answer
with the inputs by name (the student's function gets copies, by position), reads the shape that it
expects, and yields whether a property holds and the property in words::

    def margin(answer: Answer) -> Iterator[Try]:
        '''04: margin(w, x, y) returns the signed distance of x from the plane w.x = 0.'''
        for w, x, y in cases():
            value = answer(w=w, x=x, y=y).number()
            slips = {"divide by norm(w)": distance(w, x) * norm(w)}
            yield near(abs(value), distance(w, x), "it must be the distance of x,", slips)


    CHECKS = {"margin": margin}

The words follow "your answer is ..., but": a sentence without its full stop. `near` adds the two
numbers and the slip that the answer reveals: begin with a case on which no two slips agree. Read
with `.number()`, `.whole(0, n)`, `.yes()`, `.vector(n)`, `.array(m, n)`, `.table()` (any number of
rows of one length), `.fractions()`, `.wholes(1, n, "numbers")`, `.words("a word")`, or
`.parts("alpha", "b")` for `return alpha, b` (`reading.py`; a test forbids to touch the raw value
elsewhere); `.changed` names the inputs that were changed in place. Take inputs of few decimals, so
that the message can be pasted back. Where the inputs are better said otherwise, hand over
`given="K = X @ X.T for X = ..."`. A third entry of a try is the call it is about, if not the last
one. A function without inputs (a counterexample, a certificate) is called `answer()`. A function
that you hand over is an `Oracle`, which counts its questions. All else is done here: a body that is
still `...`, a forgotten return, a wrong shape, an exception with its line, a loop without end. Do
not catch anything in a check.

In the notebook: a Markdown cell that begins `**Exercise.**` with hints and the solution folded, and
a code cell with the stub (body `...`) and `exercises.check("margin", margin)`. In a file
tests/exercises/test_exercises_<nn>.py: `RIGHT`, name -> right answers in unusual forms, and
`WRONG`, a list of (name, wrong answer, words of the reason); test_planted_answers.py there finds
and tries them all.
"""

from .._moved import exercises as __getattr__  # noqa: F401
from .judging import EXERCISES, ExerciseVerdict, check, judge, last, progress, question
from .reading import text
from .tries import Answer, Try

__all__ = [
    "EXERCISES",
    "Answer",
    "ExerciseVerdict",
    "Try",
    "check",
    "judge",
    "last",
    "progress",
    "question",
    "text",
]
