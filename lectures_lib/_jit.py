"""Compile a loop with numba where numba is installed; else run the same text uncompiled."""

import os
import sys
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import numpy as np

try:
    if os.environ.get("LECTURES_LIB_JIT") == "0":
        raise ImportError("switched off by LECTURES_LIB_JIT=0")
    import numba
except ImportError:
    numba = None  # type: ignore[assignment]  # a module, or None where it is not installed

COMPILED = numba is not None
if COMPILED:
    from numba.core import event

    class _Telling(event.Listener):
        """Says in a terminal, once, that a loop of the library is being compiled."""

        has_spoken = False

        def on_start(self, happened: event.Event) -> None:
            loop = getattr((happened.data or {}).get("dispatcher"), "py_func", None)
            ours = str(getattr(loop, "__module__", None)).startswith("lectures_lib.")
            if ours and not self.has_spoken and sys.stderr is not None and sys.stderr.isatty():
                self.has_spoken = True
                print("lectures_lib compiles its loops once, some seconds ...", file=sys.stderr)

        def on_end(self, happened: event.Event) -> None:
            """Stay silent: the answer says that it is done."""

    event.register("numba:compile", _Telling())


def _unasked(table: np.ndarray, row: int, column: int) -> None:
    """Do nothing: only compiled loops can ask the memory ahead of time."""


prefetch: Any = _unasked
if COMPILED:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(typing, table, row, column):
        """Ask the memory for an entry of a table; no value depends on it."""

        def instruction(context, builder, signature, arguments):
            kind, byte, word = signature.args[0], ir.IntType(8).as_pointer(), ir.IntType(32)
            array = context.make_array(kind)(context, builder, arguments[0])
            entry = cgutils.get_item_pointer(context, builder, kind, array, arguments[1:])
            form = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], form)
            to_read, keep, data = word(0), word(3), word(1)
            builder.call(ask, [builder.bitcast(entry, byte), to_read, keep, data])
            return context.get_dummy_value()

        return types.void(table, row, column), instruction

    prefetch.__wrapped__ = _unasked
#: The whole-array form of each loop that has one, by the name of the loop.
BY_ARRAYS: dict[str, Callable] = {}


def jit(loop: Callable) -> Callable:
    """Return `loop` compiled (and cached on disk), or `loop` itself without numba.

    The loop may call only loops of its own file: numba's cache does not see other files change.
    """
    return _compiled(loop) if COMPILED else loop


def in_any_order(loop: Callable) -> Callable:
    """Return `jit(loop)` whose sums may be added in any order: fast, with other last bits."""
    return _compiled(loop, fastmath={"reassoc", "contract"}) if COMPILED else loop


def fused(arrays: Callable) -> Callable:
    """Return a decorator that compiles a loop in which a product and a sum may be rounded at once.

    So its last bits differ from one processor to the next. Without numba `arrays` runs in its
    place, with other last bits as well.
    """

    def either(loop: Callable) -> Callable:
        if COMPILED:
            return _compiled(loop, fastmath={"contract"})
        return update_wrapper(arrays, loop)

    return either


def _compiled(loop: Callable, **options) -> Callable:
    options |= {"nogil": True, "error_model": "numpy"}  # a check of each divisor is no vector code
    try:
        return numba.njit(cache=True, **options)(loop)
    except RuntimeError:  # no folder to cache in: a container without a home, read-only packages
        return numba.njit(**options)(loop)


def jit_or(arrays: Callable) -> Callable:
    """Return a decorator that compiles a loop; without numba `arrays` runs in its place.

    `arrays` gives the same bits from whole arrays. What a reader is shown is the loop.
    """

    def either(loop: Callable) -> Callable:
        BY_ARRAYS[f"{loop.__module__}.{loop.__name__}"] = arrays
        return jit(loop) if COMPILED else update_wrapper(arrays, loop)

    return either


def plain(loop: Callable) -> Callable:
    """Return the uncompiled text of `loop`, as it is written out."""
    return getattr(loop, "py_func", getattr(loop, "__wrapped__", loop))
