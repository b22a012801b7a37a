"""Who does the work: this process, one part after the other, or the workers of a Dask cluster.

Every task is a function of what it is handed, and answers are taken in the order of the parts. So
the answer is the same to the bit, whoever computed which part and however often: a task whose
worker was lost is computed again by another.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from .._arguments import BadArgument
from .parts import FilePart, Part


class Here:
    """This process."""

    def hold(self, parts: Sequence[Part | FilePart]) -> list[Any]:
        """Return what stands for the parts in `submit`."""
        return list(parts)

    def submit(self, work: Callable, *given: Any) -> Any:
        """Compute work(*given) now."""
        return work(*given)

    def gather(self, tasks: Sequence[Any]) -> list[Any]:
        """Return the results in order."""
        return list(tasks)


class Cluster:
    """The workers of a Dask cluster, asked through its client."""

    def __init__(self, client: Any):
        for method in ("submit", "gather"):
            if not callable(getattr(client, method, None)):
                raise BadArgument(f"client must be a distributed.Client, not {client!r}.")
        self.client = client

    def hold(self, parts: Sequence[Part | FilePart]) -> list[Any]:
        """Send each part in memory once; files are read where they are needed.

        A task, not `scatter`: what was scattered is gone with its worker, a task is done again.
        """
        return [p if isinstance(p, FilePart) else self.submit(_same, p) for p in parts]

    def submit(self, work: Callable, *given: Any) -> Any:
        """Let a worker compute work(*given), and return its future."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            return self.client.submit(work, *given, pure=False)

    def gather(self, tasks: Sequence[Any]) -> list[Any]:
        """Wait for the results and return them in order."""
        return self.client.gather(list(tasks))


@dataclass(frozen=True)
class Kept:
    """A result that stays with its worker until it is asked for."""

    value: Any


class Scales:
    """A client that works in this process and weighs what would travel to and from workers.

    Every number counts eight bytes, on every machine; what is kept with a worker does not travel.

    Examples
    --------
    >>> X, y = datasets.noisy(100)
    >>> client = partitions.Scales()
    >>> machine = partitions.block_ascent(partitions.split(X, y, 2), client=client)
    >>> client.out > X.nbytes > client.back / machine.iterations
    True
    """

    def __init__(self) -> None:
        self.out = 0  #: bytes sent to workers
        self.back = 0  #: bytes that came back

    def submit(self, work: Callable, *given: Any, pure: bool = True) -> Kept:
        """Weigh what is handed over, and compute."""
        self.out += sum(weight(one) for one in given)
        return Kept(work(*(one.value if isinstance(one, Kept) else one for one in given)))

    def gather(self, tasks: Sequence[Kept]) -> list[Any]:
        """Weigh what comes back, and return it."""
        found = [task.value for task in tasks]
        self.back += sum(map(weight, found))
        return found


def weight(thing: Any) -> int:
    """Return the bytes of the numbers in a message, eight for each."""
    if isinstance(thing, np.ndarray):
        return 8 * thing.size
    if isinstance(thing, int | float):
        return 8
    if isinstance(thing, list | tuple):
        return sum(map(weight, thing))
    if is_dataclass(thing) and not isinstance(thing, Kept):
        return sum(weight(getattr(thing, field.name)) for field in fields(thing))
    return 0


def workers_of(client: Any | None) -> Here | Cluster:
    """Return who does the work."""
    return Here() if client is None else Cluster(client)


def _same(part: Part) -> Part:
    return part
