"""What a public function says of an argument that is not what its signature promises.

A function refuses in its own words what it has thought of (`BadArgument`). What it has not thought
of ends in an error deep inside numpy or numba. Then `explained` compares the arguments with their
annotations, and names the first that breaks its promise. If all keep theirs, the error passes
untouched, and so does what went through somebody else's function: a solver, a kernel, a loss. A
call that works costs nothing more.
"""

import collections.abc as abc
import inspect
import sys
import types
from collections.abc import Callable
from functools import wraps
from itertools import islice
from traceback import walk_tb
from typing import (
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

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


@overload
def explained(function: Callable[P, T], /) -> Callable[P, T]: ...
@overload
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
            own = isinstance(error, BadArgument) or _is_of_others(error)
            if own or not (sentence := broken_promise(function, args, kwargs, shapes)):
                raise
            if not hasattr(args[0] if args else None, "get_params"):
                name = function.__qualname__.removesuffix(".__init__")
                raise ValueError(f"{name}: {sentence}") from error
            kind = TypeError if isinstance(error, TypeError) else ValueError  # as scikit-learn asks
            raise kind(f"{type(args[0]).__name__}: {sentence} ({error})") from error

    return call


def _is_of_others(error: Exception) -> bool:
    """Return whether an error came through somebody else's function: a solver, kernel or loss."""
    modules = (frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__))
    return any(str(module).partition(".")[0] not in NOT_OTHERS for module in modules)


def broken_promise(function: Callable, args: tuple, kwargs: dict, shapes: dict[str, str]) -> str:
    """Return a sentence about the first argument that breaks its promise; "" if none does."""
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # an argument is missing, or one too many: Python says so itself
        return ""
    promised = get_type_hints(function)
    if hasattr(args[0] if args else None, "get_params"):  # an estimator's parameters come first
        given = args[0].get_params(deep=False) | given
        promised |= get_type_hints(type(args[0]).__init__)
    for name, value in given.items():
        if name in promised and not keeps(value, promised[name]):
            shown = repr(value)
            shown = shown if len(shown) <= 60 and "\n" not in shown else f"a {type(value).__name__}"
            return f"{name} must be {described(promised[name])}, not {shown}."
    sizes = {axis: int(axis) for axis in " ".join(shapes.values()).split() if axis.isdigit()}
    for name in (name for name in shapes if given.get(name) is not None):
        axes, array = shapes[name].split(), np.asarray(given[name])
        if array.dtype.kind not in "biuf":
            return f"{name} must hold numbers, not {array.dtype}."
        fits = len(axes) == array.ndim and all(
            sizes.setdefault(axis, n) == n for axis, n in zip(axes, array.shape, strict=True)
        )
        if axes != ["..."] and not fits:
            known = "".join(f", {axis} = {sizes[axis]}" for axis in axes if axis in sizes)
            return f"{name} has shape {array.shape}; it needs ({', '.join(axes)}){known}."
    return ""


def keeps(value: Any, hint: Any) -> bool:
    """Return whether a value is what an annotation promises."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if hint is ArrayLike or origin is np.ndarray:
        return _is_array(value) and (hint is ArrayLike or isinstance(value, np.ndarray))
    if origin in (Union, types.UnionType):
        return any(keeps(value, one) for one in options(inner))
    if origin is Literal:
        return isinstance(value, (str, int)) and value in inner
    if origin in _PLAIN:
        return _PLAIN[origin](value)
    if inner and issubclass(origin, abc.Iterable):
        return _keeps_each(value, origin, inner)
    if getattr(origin, "_is_protocol", False):
        methods = (name for name in vars(origin) if not name.startswith("_"))
        return not isinstance(value, type) and all(hasattr(value, name) for name in methods)
    return not isinstance(origin, type) or isinstance(value, origin)


def _keeps_each(value: Any, origin: type, inner: tuple) -> bool:
    """Return whether a list, tuple or dictionary and its first items are what is promised."""
    if issubclass(origin, abc.Mapping):
        pairs = islice(value.items(), FIRST_ITEMS) if isinstance(value, abc.Mapping) else ()
        return isinstance(value, abc.Mapping) and all(
            keeps(k, inner[0]) and keeps(v, inner[1]) for k, v in pairs
        )
    other = isinstance(value, (str, abc.Mapping, np.generic)) or hasattr(value, "toarray")
    if other or not isinstance(value, abc.Iterable):
        return False
    if issubclass(origin, abc.Sequence) and not hasattr(value, "__getitem__"):
        return False
    if origin is tuple and inner[-1] is not ...:
        return len(list(value)) == len(inner) and all(map(keeps, value, inner))
    once = not hasattr(value, "__len__")  # an iterator is read only once
    return once or all(keeps(item, inner[0]) for item in islice(value, FIRST_ITEMS))


def options(inner: tuple) -> list[Any]:
    """Return the alternatives of a union, with those of ArrayLike, before Python 3.12, as one."""
    arrays = get_args(ArrayLike)
    if not arrays or not set(arrays) <= set(inner):
        return list(inner)
    return [ArrayLike, *(one for one in inner if one not in arrays)]


def _is_array(value: object) -> bool:
    if value is None or isinstance(value, (str, abc.Mapping, abc.Set, np.ma.MaskedArray)):
        return False
    try:
        raw = np.asarray(value)
    except ValueError:  # rows of different lengths
        return False
    finite = raw.dtype.kind not in "f" or bool(np.isfinite(raw).all())
    return raw.dtype.kind in "biufSU" and finite and raw.size > 0


def _is_number(value: Any) -> bool:
    real = isinstance(value, (int, float, np.integer, np.floating)) or hasattr(value, "numerator")
    return real and not isinstance(value, (bool, np.bool_)) and value == value


def _is_whole(value: Any) -> bool:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole and abs(value) < 2**63


_PLAIN: dict[object, Callable[[Any], bool]] = {
    Any: lambda value: True,
    object: lambda value: True,
    None: lambda value: value is None,
    bool: lambda value: isinstance(value, (bool, np.bool_, int)) and value in (True, False),
    float: _is_number,
    int: _is_whole,
    abc.Callable: callable,
}
_WORDS = {
    bool: "True or False",
    float: "a number",
    int: "a whole number",
    str: "a text",
    type(None): "None",
    np.ndarray: "a numpy array of finite numbers",
    ArrayLike: "an array of finite numbers, all rows of one length",
    abc.Callable: "a function",
}


def described(hint: Any) -> str:
    """Return an annotation in words, or as it is written."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in (Union, types.UnionType) and hint is not ArrayLike:
        return " or ".join(dict.fromkeys(described(one) for one in options(inner)))
    if origin is Literal:
        return "one of " + ", ".join(map(repr, inner))
    if words := _WORDS.get(hint) or _WORDS.get(origin):
        return words
    if inner and issubclass(origin, abc.Mapping):
        return "a dictionary"
    if inner and origin is tuple and inner[-1] is not ...:
        return f"a tuple of {', '.join(map(described, inner))}"
    return f"a list, each entry {described(inner[0])}" if inner else f"a {hint.__name__}"
