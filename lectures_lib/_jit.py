"""Compile a loop with numba where numba is installed; else run the same text uncompiled."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np

try:
    if os.environ.get("LECTURES_LIB_JIT") == "0":
        raise ImportError("switched off by LECTURES_LIB_JIT=0")
    import numba
except ImportError:
    numba = None  # type: ignore[assignment]  # a module, or None where it is not installed

COMPILED = numba is not None


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


def jit(loop: Callable) -> Callable:
    """Return `loop` compiled (and cached on disk), or `loop` itself without numba.

    The loop may call only loops of its own file: numba's cache does not see other files change.
    """
    return _compiled(loop) if COMPILED else loop


def in_any_order(loop: Callable) -> Callable:
    """Return `jit(loop)` whose sums may be added in any order: fast, with other last bits."""
    return _compiled(loop, fastmath={"reassoc", "contract"}) if COMPILED else loop


def fused(loop: Callable) -> Callable:
    """Return `jit(loop)` in which a product and a sum may be rounded at once: other last bits."""
    return _compiled(loop, fastmath={"contract"}) if COMPILED else loop


def _compiled(loop: Callable, **options) -> Callable:
    options |= {"nogil": True, "error_model": "numpy"}  # a check of each divisor is no vector code
    try:
        return numba.njit(cache=True, **options)(loop)
    except RuntimeError:  # no folder to cache in: a container without a home, read-only packages
        return numba.njit(**options)(loop)


def plain(loop: Callable) -> Callable:
    """Return the uncompiled text of `loop`, as it is written out."""
    return getattr(loop, "py_func", getattr(loop, "__wrapped__", loop))
