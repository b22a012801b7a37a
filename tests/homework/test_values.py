"""Plain values travel as text and come back the same; nothing else travels."""

import json
import math
from collections import OrderedDict, namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lectures_homework.sandbox.inside import values

numbers = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text()
plain = st.recursive(
    numbers,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)
dtypes = hnp.boolean_dtypes() | hnp.integer_dtypes() | hnp.floating_dtypes(sizes=(16, 32, 64))
arrays = hnp.arrays(dtypes, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))


def same(one, other):
    """Equal in type and value; nan equals nan."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    return one == other or (one != one and other != other)


@settings(max_examples=60)
@given(plain)
def test_plain_values_come_back_the_same(value):
    assert same(values.copy(value), value)


@settings(max_examples=60)
@given(arrays)
def test_arrays_come_back_with_their_shape_type_and_bits(array):
    back = values.copy(array)
    assert back.shape == array.shape and back.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(back, array)
    assert back.flags.writeable and not np.shares_memory(back, array)


@pytest.mark.parametrize(
    "scalar", [np.float32(0.1), np.int8(-3), np.bool_(True), np.float64(np.nan), np.uint64(2**63)]
)
def test_numpy_scalars_stay_numpy_scalars(scalar):
    back = values.copy(scalar)
    assert type(back) is type(scalar)
    np.testing.assert_equal(back, scalar)


def test_transposed_and_sliced_arrays_are_read_in_their_own_order():
    array = np.arange(12.0).reshape(3, 4).T[::2]
    np.testing.assert_array_equal(values.copy(array), array)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.1 + 0.2])
def test_every_float_comes_back_exactly(number):
    assert repr(values.copy(number)) == repr(number)


def test_text_is_one_line_of_ascii():
    text = values.encode({"ü\n": ["\u2028", "x\r\n"]})
    assert text.isascii() and len(text.splitlines()) == 1


class Sneaky(float):
    """Equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


@pytest.mark.parametrize(
    "value, name",
    [
        (Sneaky(1.0), "Sneaky"),
        ([1, {"a": Sneaky(1.0)}], "Sneaky"),
        (np.array([1.0, 2.0]).view(type("Mine", (np.ndarray,), {})), "Mine"),
        (np.ma.masked_array([1.0]), "MaskedArray"),
        (type("Own", (np.float64,), {})(2.0), "Own"),
        (OrderedDict(a=1), "OrderedDict"),
        ({1: 2}, "int"),
        ({1, 2}, "set"),
        (1j, "complex"),
        (b"x", "bytes"),
        (len, "builtin_function_or_method"),
        (np.array([None]), "object"),
        (np.array(["a"]), "U1"),
        (np.array([1j]), "complex128"),
        (np.datetime64("2020-01-01"), "datetime64"),
        (np.zeros(2, dtype=[("a", float)]), "('a', '<f8')"),
    ],
)
def test_anything_else_is_refused_by_name(value, name):
    with pytest.raises(ValueError) as refusal:
        values.encode(value)
    assert name in str(refusal.value)


def _in_itself():
    value = []
    value.append(value)
    return value


def _wide():
    value = []
    for _ in range(15):
        value = [value] * 10
    return value


@pytest.mark.parametrize(
    "value",
    [
        _in_itself(),
        _wide(),
        [0] * (values.MAX_ITEMS + 1),
        "x" * (values.MAX_TEXT + 1),
        np.zeros(values.MAX_TEXT),
        2**2000,
        "\ud800",
    ],
    ids=["in itself", "wide", "many", "long", "large array", "large integer", "half a character"],
)
def test_what_is_too_large_or_too_deep_is_refused(value):
    with pytest.raises(ValueError):
        values.encode(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[" * 100_000,
        "[" * 25 + "]" * 25,
        "{}",
        '{"tuple": 3}',
        '{"tuple": [], "dict": {}}',
        '{"pickle": "gASVAAAA"}',
        '{"float": "1"}',
        '{"float": ["nan"]}',
        '{"array": 3}',
        '{"array": ["O", "", [0]]}',
        '{"array": ["<f8", "", [-1]]}',
        '{"array": ["<f8", "", [true]]}',
        '{"array": ["<f8", "AAAA", [1]]}',
        '{"array": ["<f8", "?", [0]]}',
        '{"array": ["<f8", "", [0, 1000000000]]}',
        '{"array": ["<f8", "", [' + "0," * 40 + "0]]}",
        '{"scalar": ["<U1", "AAAA"]}',
        '{"scalar": [[], ""]}',
        '"\\ud800"',
        '{"dict": {"\\ud800": 1}}',
        "1" * 5000,
        "9" * 4_000_001,
    ],
)
def test_a_text_that_no_value_has_is_refused(text):
    with pytest.raises(ValueError):
        values.decode(text)


@given(st.recursive(
    numbers | st.sampled_from(["array", "tuple", "<f8", "AAAA"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["array", "scalar", "tuple", "dict", "float"]), inner),
    max_leaves=12,
))  # fmt: skip
def test_any_json_gives_a_plain_value_or_a_value_error(tree):
    try:
        value = values.decode(json.dumps(tree))
    except ValueError:
        return
    assert same(values.copy(value), value) or isinstance(value, np.ndarray | np.generic | list)
    values.encode(value)


def test_a_byte_of_two_is_no_third_boolean():
    both = values.decode('{"array": ["|b1", "AgA=", [2]]}')
    assert both.tolist() == [True, False] and both.view(np.uint8).tolist() == [1, 0]


def test_a_named_tuple_is_read_as_the_tuple_it_is():
    run = namedtuple("Run", "w b")([1.5, 2.0], 0.25)
    assert values.copy(run) == ([1.5, 2.0], 0.25)
    assert type(values.copy(run)) is tuple


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (range(3), [0, 1, 2]),
        ((x / 2 for x in range(3)), [0.0, 0.5, 1.0]),
        (map(float, "12"), [1.0, 2.0]),
        ({"a": 1.5}.values(), [1.5]),
        (Fraction(1, 4), 0.25),
        ([Fraction(1, 4), Decimal("0.5")], [0.25, 0.5]),
        (np.array([1 + 0j, 2.5]), [1.0, 2.5]),
        (np.asmatrix([[1.0, 2.0]]), [[1.0, 2.0]]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_writes_itself_out_as_plain_values_does(value, want):
    back = values.copy(value)
    assert np.asarray(back).tolist() == want


def test_what_never_ends_is_refused():
    with pytest.raises(ValueError, match="elements"):
        values.encode(1.0 for _ in iter(int, 1))
