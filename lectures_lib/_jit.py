"""Compile a loop with numba where numba is installed; else run the same text uncompiled."""

import os
from collections.abc import Callable

try:
    if os.environ.get("LECTURES_LIB_JIT") == "0":
        raise ImportError("switched off by LECTURES_LIB_JIT=0")
    import numba
except ImportError:
    numba = None

COMPILED = numba is not None


def jit(loop: Callable) -> Callable:
    """Return `loop` compiled (and cached on disk), or `loop` itself without numba.

    The loop may call only loops of its own file: numba's cache does not see other files change.
    """
    if not COMPILED:
        return loop
    try:
        return numba.njit(cache=True, nogil=True)(loop)
    except RuntimeError:  # no folder to cache in: a container without a home, read-only packages
        return numba.njit(nogil=True)(loop)


def plain(loop: Callable) -> Callable:
    """Return the uncompiled text of `loop`: what runs where numba is missing."""
    return getattr(loop, "py_func", loop)
