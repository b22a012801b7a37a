"""How a call can fail, and what a student is told of it."""

#: Seconds of processor time for all calls of one check: here; where it is graded, twice as many.
SECONDS = 10.0
#: The hints where an answer takes too long, or too much memory.
TIME = (
    f"This is about time. All calls of one check together may take {SECONDS:g} seconds of "
    f"processor time with check(), and {2 * SECONDS:g} when the homework is graded. Does "
    "a loop never end? Is something computed again in each round that could be kept?"
)
MEMORY = "This is about memory. Is an array much larger than the data, or does a list never end?"


class Broken(Exception):
    """A property that an answer breaks."""


class Malformed(Broken):
    """An answer of another form than asked: what it says cannot be judged yet."""


class Crashed(Exception):
    """The student's function stopped with an error: `kind` is its class, the text its message.

    `line` is the line of the student's own code at which it stopped, if that is known.
    """

    def __init__(self, kind: str, text: str = "", line: str = ""):
        super().__init__(text)
        self.kind, self.line = kind, line

    @property
    def sentence(self) -> str:
        """What happened, in one sentence."""
        said = f"your function stopped with {self.kind}" + (f": {self}" if str(self) else "")
        return f"{said}, in the line `{self.line}`" if self.line else said


class TimedOut(Exception):
    """The student's function did not return in time."""

    hint = TIME


class Exhausted(TimedOut):
    """The student's function used up its memory."""

    hint = MEMORY


class Missing(Exception):
    """There is no function of that name, or it is not written yet."""


#: Errors that say something about Python, and nothing yet about mathematics.
SLIPS = {
    "NameError": "A name in this line has no value. Is it misspelt, or defined further down?",
    "TypeError": "Something in this line is not of the kind it must be. What does each name hold, "
    "and with how many arguments is each function called?",
    "AttributeError": "What stands before the dot has no such part. What kind of thing is it?",
    "ImportError": "The grader has Python, numpy, scipy and matplotlib, and nothing else.",
    "SyntaxError": "Python cannot read this line. Are all brackets and quotes closed?",
}
SLIPS |= {"UnboundLocalError": SLIPS["NameError"], "ModuleNotFoundError": SLIPS["ImportError"]}
SLIPS |= {"IndentationError": SLIPS["SyntaxError"]}
