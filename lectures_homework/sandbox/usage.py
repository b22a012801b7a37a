"""What a sandbox uses, counted from outside: whoever is inside cannot change the count.

Linux tells it in /proc. Where that cannot be read, nothing is counted here, and the limits that
the child sets itself remain.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: So many files in /tmp are more than any homework needs; each costs memory of the kernel.
MOST_FILES = 5000
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Usage:
    """What all processes below one have used: of those that have ended, the time stays."""

    seconds: float = 0.0  #: of the processor
    memory: int = 0  #: bytes of their own; what several share since a fork counts once
    files: int = 0  #: in /tmp


def usage(top: int) -> Usage:
    """Return what the processes below `top` have used; nothing where that cannot be told."""
    try:
        inside = list(_below(top))
        seconds = sum(map(_seconds, inside))
        own = [_own_memory(process) for process in inside]
        base = own[0] if own else 0
        memory = base + sum(max(0, one - base) for one in own)
        return Usage(seconds, memory, _files(inside[0]) if inside else 0)
    except (OSError, ValueError, IndexError):
        return Usage()


def _below(process: int) -> Iterator[int]:
    """Yield the processes below one, parents first."""
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        children = [int(child) for child in file.read().split()]
    yield from children
    for child in children:
        try:
            yield from _below(child)
        except OSError:  # it has ended
            continue


def _seconds(process: int) -> float:
    """Return the processor time of a process and of its children that have ended."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            facts = file.read().rpartition(b")")[2].split()
        return sum(map(int, facts[11:15])) / TICKS
    except (OSError, ValueError):
        return 0.0


def _own_memory(process: int) -> int:
    """Return the bytes that a process holds and no file stands behind."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            _, resident, shared, *_ = map(int, file.read().split())
        return (resident - shared) * PAGE
    except (OSError, ValueError):
        return 0


def _files(process: int) -> int:
    """Return how many files the /tmp of a process holds; 0 if that cannot be told."""
    try:
        place = os.statvfs(Path("/proc", str(process), "root", "tmp"))
    except OSError:
        return 0
    return max(0, place.f_files - place.f_ffree)
