"""What draws the inputs of a homework's visible checks."""

from collections.abc import Callable

from ..language.checks import Assignment


class Draws:
    """What draws more inputs for the visible checks of a homework."""

    def __init__(self) -> None:
        self._found: list[tuple[str, str, Callable]] = []

    def __call__(self, question: str, name: str) -> Callable[[Callable], Callable]:
        """Note the decorated function for a check, as `Assignment.again` takes it."""

        def note(draw: Callable) -> Callable:
            self._found.append((question, name, draw))
            return draw

        return note

    def add(self, homework: Assignment) -> None:
        """Register the second half of every visible check."""
        for question, name, draw in self._found:
            homework.again(question, name)(draw)
