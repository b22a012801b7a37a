"""What one call of a student's function may cost: lines, processor time, memory, questions.

The browser has neither threads nor signals, so the limits are counted: Python tells `sys.settrace`
of every line of the student's own code, and of every call that it makes. What happens inside one
call of C is not seen. But long and endless iterators are replaced by ones that count what is asked
of them, so `sum(range(10**12))` ends; on Linux one call may ask for so much memory and no more; and
where there are signals, a timer ends what looks at them (`2**10**9`, a regular expression). What is
left, as the eigenvalues of a large matrix, nobody can stop but who restarts the kernel: a thread
says so after a while. Where somebody else traces already (a debugger), no line is counted.
"""

import ast
import builtins
import dis
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

LINES, SECONDS, MEGABYTES, QUESTIONS = 2_000_000, 10.0, 500, 1000
PATIENCE = 20.0  # seconds on the wall, before somebody who waits is told why
EVERY = 50  # lines between two looks at the clock and at the sizes, after the first EVERY**2
BITS = 2**22  # of a whole number: the product of two such takes less than a second
#: the megabytes of addresses that one call of C may ask for; each thread that starts takes some
ROOM = 2 * MEGABYTES + 128 * (os.cpu_count() or 1)
ENGINE = str(Path(__file__).with_name("tries.py"))  # whose calls are limited
#: code below these folders is the library's, numpy's or Python's own
INSTALLED = tuple(
    str(Path(file).resolve().parents[up])
    for file, up in ((__file__, 1), (np.__file__, 1), (ast.__file__, 0))
)


class TooMuch(BaseException):
    """The call costs more than is allowed; no `except Exception` of a student's stops it.

    A bare `except:` does, and Python stops tracing when a tracer raises. So whoever drops the
    exception starts the tracing `again`: the next line outside that `try` ends the call.
    """

    def __init__(self, reason: str, again: Callable[[], None] | None = None):
        super().__init__(reason)
        self.again = again

    def __del__(self) -> None:
        if self.again is not None:
            self.again()


def full() -> TooMuch:
    """Return what is said where the memory is full."""
    return TooMuch(f"it holds more than {MEGABYTES} MB: does something grow without end?")


class Oracle:
    """A function handed to a student's function, which counts what it is asked."""

    def __init__(self, answers: Callable[..., Any], name: str):
        self.answers, self.__name__, self.asked = answers, name, 0

    def __call__(self, *question: Any) -> Any:
        """Return the answer; stop after QUESTIONS questions."""
        self.asked += 1
        if self.asked >= QUESTIONS:
            self.asked = 0
            raise TooMuch(f"it asked {QUESTIONS:,} questions: when does it stop?")
        return self.answers(*question)

    def __deepcopy__(self, memo: dict) -> "Oracle":
        """Return the oracle itself, so that the check sees what was asked."""
        return self


@contextmanager
def limited(function: object = None) -> Iterator[None]:
    """Stop the block with TooMuch when it takes too many lines, too much time or memory."""
    count, own = _Count(), sys.gettrace() is None
    with _room(), _replaced(getattr(function, "__globals__", {})), _watched(count):
        if own:
            sys.settrace(count.call)
        try:
            yield
        finally:
            count.over = True
            if own:
                sys.settrace(None)


class _Count:
    """The lines of one call."""

    def __init__(self) -> None:
        self.lines, self.start, self.most = 0, time.process_time(), _peak() + MEGABYTES
        self.over = False

    def call(self, frame: FrameType, event: str, _: Any) -> Callable | None:
        """Count a call; follow its lines only where they are a student's."""
        self._one(frame)
        if not _is_a_students(frame.f_code.co_filename):
            return None
        frame.f_trace_opcodes = _stands_still(frame.f_code)
        return self.line

    def line(self, frame: FrameType, event: str, _: Any) -> Callable:
        """Count a line."""
        self._one(frame)
        return self.line

    def again(self) -> None:
        """Count on in the calls that are still open, after one of them dropped a TooMuch."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self.over and frame.f_code.co_filename != ENGINE:
            if _is_a_students(frame.f_code.co_filename):
                frame.f_trace = self.line
            frame = frame.f_back
        if not self.over:
            sys.settrace(self.call)

    def _one(self, frame: FrameType) -> None:
        self.lines += 1
        if self.lines > LINES:
            raise TooMuch(f"it has taken {LINES:,} steps: when does it stop?", self.again)
        if self.lines % EVERY and self.lines > EVERY**2:
            return
        if time.process_time() - self.start > SECONDS:
            self.ring()
        values = list(frame.f_locals.values())
        if any(_bits(value) > BITS for value in values):
            digits = f"{int(BITS * np.log10(2)):,}"
            said = f"a number has more than {digits} digits: does something grow without end?"
            raise TooMuch(said, self.again)
        if sum(map(_size, values)) / 2**20 > MEGABYTES or _peak() > self.most:
            raise TooMuch(str(full()), self.again)

    def ring(self, *_: Any) -> None:
        """End the call, because its time is over; a signal may come too late."""
        if not self.over:
            raise TooMuch(f"it has worked for {SECONDS:g} seconds: when does it stop?", self.again)


@contextmanager
def _watched(count: _Count) -> Iterator[None]:
    """End after SECONDS what looks at signals; after PATIENCE tell who waits for what does not."""
    said = f"(This takes more than {PATIENCE:g} seconds. One long call of numpy cannot be stopped "
    said += "from here: wait, or restart the kernel, Kernel > Restart Kernel.)"
    teller, armed = threading.Timer(PATIENCE, print, [said]), False
    teller.daemon = True
    with suppress(RuntimeError):  # no threads in the browser
        teller.start()
    with suppress(AttributeError, ValueError):  # no such signal, or not the main thread
        before = signal.signal(signal.SIGVTALRM, count.ring)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, 1.0)
        armed = True
    try:
        yield
    finally:
        teller.cancel()
        if armed:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before or signal.SIG_DFL)


def _bits(value: Any) -> int:
    if type(value) is Fraction:
        return max(value.numerator.bit_length(), value.denominator.bit_length())
    return value.bit_length() if type(value) is int else 0


def _size(value: Any) -> int:
    """Return the bytes of a value that can grow; objects of a student's own are not asked."""
    if type(value) is np.ndarray:
        return value.nbytes
    return sys.getsizeof(value) if type(value) in (str, bytes, list, tuple, dict, set, int) else 0


def _peak() -> float:
    """Return the most megabytes that this process has held; 0 where nobody says."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:  # Windows has no such module, the browser's is empty
        return 0.0
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return getrusage(RUSAGE_SELF).ru_maxrss / unit


@contextmanager
def _room() -> Iterator[None]:
    """Let one call of C ask for so much memory, and end in a MemoryError; on Linux alone."""
    back = _limit_memory()
    try:
        yield
    finally:
        back()


def _limit_memory() -> Callable[[], None]:
    """Limit what this process may ask for, where that is possible; return what undoes it."""
    try:
        from resource import RLIMIT_AS, getpagesize, getrlimit, setrlimit

        held = int(Path("/proc/self/statm").read_text().split()[0]) * getpagesize()
        before, hardest = getrlimit(RLIMIT_AS)
        most = held + ROOM * 2**20
        setrlimit(RLIMIT_AS, (most if before < 0 else min(most, before), hardest))
    except (ImportError, OSError, ValueError):
        return lambda: None
    return lambda: setrlimit(RLIMIT_AS, (before, hardest))


@contextmanager
def _replaced(student: dict[str, Any]) -> Iterator[None]:
    """Replace, here and where a student imported them, what is endless, waits or asks."""
    new: dict[int, Any] = {id(make): partial(_counted, make) for make in ENDLESS}
    new[id(time.sleep)] = partial(_brief, threading.get_ident())
    new[id(builtins.input)] = _nobody
    places = [vars(itertools), vars(builtins), vars(time), student]
    old = [(space, n, v) for space in places for n, v in list(space.items()) if id(v) in new]
    for space, name, value in old:
        space[name] = new[id(value)]
    own = student.setdefault("range", _Range)
    try:
        yield
    finally:
        for space, name, value in old:
            if space.get(name) is new[id(value)]:
                space[name] = value
        if own is _Range:
            student.pop("range")


ENDLESS = (itertools.count, itertools.cycle, itertools.repeat, itertools.product)
ENDLESS += (itertools.permutations, itertools.combinations, itertools.combinations_with_replacement)
_sleep = time.sleep


def _counted(make: Callable, *args: Any, **named: Any) -> Iterator:
    """Yield what an iterator does: a call that Python tells of for each value."""
    for value in make(*args, **named):  # noqa: UP028 - with `yield from` nobody is told
        yield value


class _Range:
    """The `range` of a student's function: a long one counts what is asked of it."""

    numbers: range

    def __new__(cls, *args: Any) -> Any:
        numbers, counted = range(*args), super().__new__(cls)
        counted.numbers = numbers
        return counted if abs(numbers.stop - numbers.start) > LINES else numbers

    def __iter__(self) -> Iterator:
        return _counted(iter, self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, place: Any) -> Any:
        return self.numbers[place]

    def __contains__(self, value: object) -> bool:
        return value in self.numbers


def _brief(owner: int, seconds: float) -> None:
    """Sleep, but not long; threads of others sleep as they like."""
    if seconds > 1 and threading.get_ident() == owner:
        raise TooMuch("it sleeps: nothing here is worth waiting for")
    _sleep(seconds)


def _nobody(*_: Any) -> str:
    raise TooMuch("it asks for `input()`: nobody types here, the inputs come as arguments")


@cache
def _stands_still(code: CodeType) -> bool:
    """Say whether a loop of a student's is one jump to itself, of which no line is told."""
    steps = list(dis.get_instructions(code))
    return any(
        all(other.opname == "NOP" for other in steps if s.argval <= other.offset < s.offset)
        for s in steps
        if s.opname.startswith("JUMP_BACKWARD")
    )


@cache
def _is_a_students(file: str) -> bool:
    """Say whether code is a student's: of a cell, or of a file outside library and Python."""
    return not file.startswith(("<frozen", "<__array", *INSTALLED))
