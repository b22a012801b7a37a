"""Plain values as JSON text and back: what checks ask with, and what answers come back as.

Plain are None, bool, int, float, str, lists, tuples, dicts with str keys, numpy arrays of booleans,
integers or floats, and numpy scalars. What writes itself out as one of these does so: a range, a
generator, a Fraction, a matrix, complex numbers without an imaginary part. Everything else, a
subclass too, is refused by name: nothing that is read can run code. This file imports no other of
ours: the sandboxed child has a copy.
"""

import base64
import json
import math
from collections import deque
from itertools import islice
from types import GeneratorType
from typing import Any

import numpy as np

#: The longest text, the deepest nesting, the most elements outside arrays, the longest integer.
MAX_TEXT, MAX_DEPTH, MAX_ITEMS, MAX_BITS = 4_000_000, 20, 200_000, 1000
#: The arrays that travel: little-endian, C order.
DTYPES = {"|b1", *(f"|{kind}1" for kind in "iu")}
DTYPES |= {f"<{kind}{size}" for kind in "iu" for size in (2, 4, 8)} | {"<f2", "<f4", "<f8"}
#: What yields its entries one by one; and numbers that are no floats.
LISTED = {range, map, zip, filter, reversed, enumerate, deque, GeneratorType}
LISTED |= {type({}.keys()), type({}.values()), type(reversed([]))}
EXACT = {("fractions", "Fraction"), ("decimal", "Decimal")}
_ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def encode(value: Any) -> str:
    """Return `value` as one line of ASCII text; ValueError says what is not plain about it."""
    text = json.dumps(pack(value), allow_nan=False)
    if len(text) > MAX_TEXT:
        raise ValueError(f"a value of {len(text)} characters is too large (at most {MAX_TEXT})")
    return text


def decode(text: str) -> Any:
    """Return the value that `text` stands for; ValueError whenever `encode` cannot have made it."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"a value of {len(text)} characters is too large (at most {MAX_TEXT})")
    try:
        return unpack(json.loads(text))
    except RecursionError:
        raise ValueError(f"a value nested deeper than {MAX_DEPTH} levels") from None


def copy(value: Any) -> Any:
    """Return the value as it arrives on the other side: no memory in common, no clever types."""
    return decode(encode(value))


def pack(value: Any) -> Any:
    """Return `value` in the form that JSON can hold."""
    return _pack(value, MAX_DEPTH, [MAX_ITEMS])


def unpack(packed: Any) -> Any:
    """Return the value of a parsed text."""
    return _unpack(packed, MAX_DEPTH, [MAX_ITEMS])


def _pack(value: Any, depth: int, left: list[int]) -> Any:
    _spend(depth, left)
    if isinstance(value, tuple):  # a named one too: its names are dropped
        value = tuple(tuple.__iter__(value))
    value = _written_out(value, left)
    kind: Any = type(value)
    if kind in (list, tuple, dict):
        return _pack_many(value, depth - 1, left)
    if isinstance(value, np.ndarray) and kind is np.ndarray:
        return {"array": [*_bytes(value), list(value.shape)]}
    if kind is np.str_:
        return str(value)
    if isinstance(value, np.generic) and value.dtype.type is kind:
        return {"scalar": list(_bytes(np.asarray(value)))}
    return _pack_one(value)


def _written_out(value: Any, left: list[int]) -> Any:
    """Return a list for what yields its entries one by one, and a float for what is one."""
    kind = type(value)
    if kind in LISTED:
        return list(islice(value, left[0] + 1))
    if kind is np.matrix:
        return np.asarray(value)
    exact = (kind.__module__, kind.__name__) in EXACT
    return float(value) if exact else value


def _pack_many(value: Any, depth: int, left: list[int]) -> Any:
    if len(value) > left[0]:
        raise ValueError(f"more than {MAX_ITEMS} elements outside arrays")
    if type(value) is dict:
        for key in value:
            if type(key) is not str:
                raise ValueError(f"a dict with a key of type {_name(key)}; keys must be str")
        return {"dict": {key: _pack(inner, depth, left) for key, inner in value.items()}}
    inner = [_pack(element, depth, left) for element in value]
    return inner if type(value) is list else {"tuple": inner}


def _pack_one(value: Any) -> Any:
    kind = type(value)
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if kind is int and value.bit_length() > MAX_BITS:
        raise ValueError(f"an integer of more than {MAX_BITS} bits")
    if kind is str and len(value) > MAX_TEXT:
        raise ValueError(f"a text of {len(value)} characters is too large (at most {MAX_TEXT})")
    if kind is str:
        value.encode("utf-8")  # half a character is a ValueError
    if value is None or kind in (bool, int, str):
        return value
    raise ValueError(f"a value of type {_name(value)} is not plain (number, text, list, array)")


def _bytes(array: np.ndarray) -> tuple[str, str]:
    if array.dtype.kind == "c" and not array.imag.any():
        array = array.real
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    dtype = array.dtype.newbyteorder("<")
    if dtype.str not in DTYPES:
        raise ValueError(f"an array of {array.dtype} is not plain (booleans, integers, floats)")
    if array.nbytes > MAX_TEXT:
        raise ValueError(f"an array of {array.nbytes} bytes is too large (at most {MAX_TEXT})")
    data = np.ascontiguousarray(array, dtype=dtype).tobytes()
    return dtype.str, base64.b64encode(data).decode("ascii")


def _unpack(packed: Any, depth: int, left: list[int]) -> Any:
    _spend(depth, left)
    if isinstance(packed, list):
        return [_unpack(element, depth - 1, left) for element in packed]
    if not isinstance(packed, dict):
        return packed if isinstance(packed, float) else _pack_one(packed)  # the same rules
    if len(packed) != 1:
        raise ValueError("no value has this form")
    ((form, inner),) = packed.items()
    if form == "tuple" and isinstance(inner, list):
        return tuple(_unpack(element, depth - 1, left) for element in inner)
    if form == "dict" and isinstance(inner, dict):
        return {_pack_one(k): _unpack(v, depth - 1, left) for k, v in inner.items()}
    return _unpack_number(form, inner)


def _unpack_number(form: str, inner: Any) -> Any:
    if form == "float" and isinstance(inner, str) and inner in _ODD:
        return _ODD[inner]
    if form == "scalar" and isinstance(inner, list) and len(inner) == 2:
        return _array(inner[0], inner[1], [])[()]
    if form == "array" and isinstance(inner, list) and len(inner) == 3:
        return _array(*inner)
    raise ValueError("no value has this form")


def _array(dtype: Any, data: Any, shape: Any) -> np.ndarray:
    if not (isinstance(dtype, str) and dtype in DTYPES and isinstance(data, str)):
        raise ValueError("no array has this type")
    if not (isinstance(shape, list) and all(type(n) is int and n >= 0 for n in shape)):
        raise ValueError("no array has this shape")
    kind, raw = np.dtype(dtype), base64.b64decode(data, validate=True)
    room = math.prod(max(n, 1) for n in shape) * kind.itemsize
    if len(shape) > MAX_DEPTH or room > MAX_TEXT or math.prod(shape) * kind.itemsize != len(raw):
        raise ValueError("an array whose shape and data differ")
    if dtype == "|b1":
        raw = bytes(map(bool, raw))  # a byte of 2 is no boolean
    return np.frombuffer(raw, dtype=kind).reshape(shape).astype(kind.newbyteorder("="))


def _spend(depth: int, left: list[int]) -> None:
    left[0] -= 1
    if depth < 0:
        raise ValueError(f"a value nested deeper than {MAX_DEPTH} levels")
    if left[0] < 0:
        raise ValueError(f"more than {MAX_ITEMS} elements outside arrays")


def _name(value: Any) -> str:
    return type(value).__name__
