"""What a public function says of an argument that is not what its signature promises.

A function refuses in its own words what it has thought of (`BadArgument`). What it has not thought
of ends in an error deep inside numpy or numba. Then `explained` compares the arguments with their
annotations, and names the first that breaks its promise. If all keep theirs, the error passes
untouched, and so does what went through somebody else's function: a solver, a kernel, a loss.
"""

import collections.abc as abc
import inspect
import sys
import types
import typing
from collections.abc import Callable
from functools import wraps
from itertools import islice
from traceback import walk_tb
from typing import Any, ParamSpec, TypeVar, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike

from ._result import BadArgument as BadArgument

P = ParamSpec("P")
T = TypeVar("T")
#: Of a list this many items are compared with the annotation: more would take too long.
FIRST_ITEMS = 1000
#: Whose errors may come of a wrong argument: the library's, Python's, and of what we compute with.
NOT_OTHERS = {"lectures_lib", *"numpy scipy numba llvmlite cvxopt sklearn matplotlib".split()}
NOT_OTHERS |= {*"tqdm ipywidgets traitlets IPython threadpoolctl".split(), *sys.stdlib_module_names}


@typing.overload
def explained(function: Callable[P, T], /) -> Callable[P, T]: ...
@typing.overload
def explained(**shapes: str) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def explained(function: Any = None, /, **shapes: str) -> Any:
    """Let a function name the argument that is not what its signature promises.

    `shapes` are promises, too: after ``@explained(X="n d", y="n")`` X and y must hold numbers, and
    have as many rows as each other. "..." is any shape.
    """
    if function is None:
        return lambda function: explained(function, **shapes)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            frames = walk_tb(error.__traceback__)
            modules = {str(f.f_globals.get("__name__", "")).partition(".")[0] for f, _ in frames}
            untouched = isinstance(error, BadArgument) or modules - NOT_OTHERS
            if untouched or not (wrong := broken_promise(function, args, kwargs, shapes)):
                raise
            if not hasattr(args[0] if args else None, "get_params"):
                name = function.__qualname__.removesuffix(".__init__")
                raise ValueError(f"{name}: {wrong}") from error
            kind = TypeError if isinstance(error, TypeError) else ValueError  # as scikit-learn asks
            raise kind(f"{type(args[0]).__name__}: {wrong} ({error})") from error

    return call


def broken_promise(function: Callable, args: tuple, kwargs: dict, shapes: dict[str, str]) -> str:
    """Return a sentence about the first argument that breaks its promise; "" if none does."""
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # an argument is missing, or one too many: Python says so itself
        return ""
    promised = typing.get_type_hints(function)
    if hasattr(args[0] if args else None, "get_params"):  # an estimator's parameters come first
        given = args[0].get_params(deep=False) | given
        promised |= typing.get_type_hints(type(args[0]).__init__)
    for name, value in given.items():
        if name in promised and not keeps(value, promised[name]):
            shown = repr(value)
            shown = shown if len(shown) <= 60 and "\n" not in shown else f"a {type(value).__name__}"
            return f"{name} must be {' or '.join(_in_words(promised[name]))}, not {shown}."
    sizes = {axis: int(axis) for axis in " ".join(shapes.values()).split() if axis.isdigit()}
    for name in (name for name in shapes if given.get(name) is not None):
        axes, array = shapes[name].split(), np.asarray(given[name])
        if array.dtype.kind not in "biuf":
            return f"{name} must hold numbers, not {array.dtype}."
        fits = len(axes) == array.ndim and all(
            sizes.setdefault(axis, n) == n for axis, n in zip(axes, array.shape)
        )
        if axes != ["..."] and not fits:
            known = "".join(f", {axis} = {sizes[axis]}" for axis in axes if axis in sizes)
            return f"{name} has shape {array.shape}; it needs ({', '.join(axes)}){known}."
    return ""


def keeps(value: Any, hint: Any) -> bool:
    """Return whether a value is what an annotation promises."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if len(alternatives := _alternatives(hint)) > 1:
        return any(keeps(value, one) for one in alternatives)
    if kind := KINDS.get(hint) or KINDS.get(origin):
        return kind[1](value)
    if origin is typing.Literal:
        return isinstance(value, (str, int)) and value in inner
    if inner and issubclass(origin, abc.Mapping):
        pairs = value.items() if isinstance(value, abc.Mapping) else [(None, ...)]
        return all(keeps(k, inner[0]) and keeps(v, inner[1]) for k, v in pairs)
    if inner and issubclass(origin, abc.Iterable):
        needed = "__getitem__" if issubclass(origin, abc.Sequence) else "__iter__"
        one = isinstance(value, (str, abc.Mapping, np.generic)) or hasattr(value, "toarray")
        if one or not hasattr(value, needed) or not hasattr(value, "__len__"):
            return not one and hasattr(value, needed)  # an iterator is read only once
        if origin is tuple and inner[-1] is not ...:
            return len(value) == len(inner) and all(map(keeps, value, inner))
        return all(keeps(item, inner[0]) for item in islice(value, FIRST_ITEMS))
    if getattr(origin, "_is_protocol", False):
        methods = (name for name in vars(origin) if not name.startswith("_"))
        return not isinstance(value, type) and all(hasattr(value, name) for name in methods)
    return not isinstance(origin, type) or isinstance(value, origin)


def _alternatives(hint: Any) -> list[Any]:
    """Return the alternatives of a union, with those of ArrayLike, before Python 3.12, as one."""
    inner, arrays = get_args(hint), get_args(ArrayLike)
    if hint is ArrayLike or get_origin(hint) not in (typing.Union, types.UnionType):
        return [hint]
    known = arrays if set(arrays) <= set(inner) else ()
    return [*([ArrayLike] if known else []), *(one for one in inner if one not in known)]


def _in_words(hint: Any) -> list[str]:
    """Return the alternatives of an annotation in words, or as they are written."""
    found = []
    for one in _alternatives(hint):
        kind = KINDS.get(one) or KINDS.get(get_origin(one))
        listed = "one of " + ", ".join(map(repr, get_args(one)))
        written = listed if get_origin(one) is typing.Literal else inspect.formatannotation(one)
        found.append(kind[0] if kind else written.rpartition(".")[2])
    return list(dict.fromkeys(found))


def _is_array(value: Any) -> bool:
    if value is None or isinstance(value, (str, abc.Mapping, abc.Set, np.ma.MaskedArray)):
        return False
    try:
        raw = np.asarray(value)
    except ValueError:  # rows of different lengths
        return False
    finite = raw.dtype.kind != "f" or bool(np.isfinite(raw).all())
    return raw.dtype.kind in "biufSU" and finite and raw.size > 0


def _is_number(value: Any) -> bool:
    real = isinstance(value, (int, float, np.integer, np.floating)) or hasattr(value, "numerator")
    return real and not isinstance(value, (bool, np.bool_)) and value == value


def _is_whole(value: Any) -> bool:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole and abs(value) < 2**63


#: What the types of annotations are called, and who keeps their promise.
KINDS: dict[object, tuple[str, Callable[[Any], bool]]] = {
    Any: ("anything", lambda v: True),
    object: ("anything", lambda v: True),
    bool: ("True or False", lambda v: isinstance(v, (bool, np.bool_, int)) and v in (True, False)),
    float: ("a number", _is_number),
    int: ("a whole number", _is_whole),
    str: ("a text", lambda v: isinstance(v, str)),
    type(None): ("None", lambda v: v is None),
    np.ndarray: ("a numpy array", lambda v: isinstance(v, np.ndarray) and _is_array(v)),
    ArrayLike: ("an array of finite numbers, all rows of one length", _is_array),
    abc.Callable: ("a function", callable),
}
