"""What a public function says of an argument that is not what its signature promises.

A function checks what matters to it, in its own words. What it did not think of ends in an error
deep inside numpy or numba; then `door` compares the arguments with the annotations and says in
one sentence which of them is wrong and what belongs there. A call that works costs nothing more.
"""

import collections.abc as abc
import dis
import inspect
import sys
import types
from collections.abc import Callable
from functools import wraps
from itertools import islice
from traceback import walk_tb
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike

P = ParamSpec("P")
T = TypeVar("T")

#: How to write what a class stands for.
HOW = {
    "Axes": "plots.figure().axes[0]",
    "Chain": "structured.Chain(tags, features)",
    "Figure": "plots.figure()",
    "Generator": "np.random.default_rng(0)",
    "Grammar": 'structured.Grammar("S -> NP VP ...")',
    "Kernel": "kernels.Gaussian(1.0)",
    "KernelRun": "perceptron.kernel_perceptron(X, y, kernel)",
    "Loss": "losses.hinge()",
    "MaxMargin": "margins.max_margin(X, y)",
    "MistakeBound": "bounds.mistake_bound(run, X, y)",
    "PerceptronRun": "perceptron.perceptron(X, y)",
    "ROC": "metrics.roc(y, scores)",
    "SequenceRows": "fast.rows_of(X)",
    "StructuredRun": "structured.structured_perceptron(problem, X, Y)",
    "Tape": "branches.Tape()",
    "VotedRun": "perceptron.voted_perceptron(X, y)",
    "WordList": "structured.WordList(words)",
}
#: Look at this many of the first items of a list.
FIRST = 1000
#: Whose errors may come of a wrong argument: ours, Python's and those of what we compute with.
KNOWN = {"lectures_lib", "numpy", "scipy", "numba", "llvmlite", "cvxopt", "sklearn", "matplotlib"}
KNOWN |= {"tqdm", "ipywidgets", "traitlets", "IPython", "threadpoolctl", *sys.stdlib_module_names}


def door(function: Callable[P, T]) -> Callable[P, T]:
    """Let a public function say which argument is not what its signature promises."""

    @wraps(function)
    def entered(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if _is_ours(error) or _is_of_others(error):
                raise
            sentence = _wrong_parameter(args, error) or wrong(function, args, kwargs, error)
            if not sentence:
                raise
            told = f"{_name(function, args)}: {sentence}"
            theirs = isinstance(error, TypeError) and _where(error).startswith("sklearn.")
            # scikit-learn's contract asks for numpy's own words where objects are no numbers
            refusal: Exception = TypeError(f"{told} ({error})") if theirs else ValueError(told)
            vars(refusal)["by_door"] = True  # an outer door may know better
            raise refusal from error

    return entered


def _name(function: Callable, args: tuple) -> str:
    """Return what a reader calls the function: of a class or an estimator its name."""
    if function.__name__ == "__init__" or (args and hasattr(args[0], "get_params")):
        return type(args[0]).__name__
    return function.__name__


def _wrong_parameter(args: tuple, error: Exception) -> str:
    """Return the sentence about a parameter of an estimator, which scikit-learn wants unchecked."""
    if not args or not hasattr(args[0], "get_params"):
        return ""
    made: Any = type(args[0]).__init__
    return wrong(made, args[:1], args[0].get_params(deep=False), error)


def _is_ours(error: Exception) -> bool:
    """Return whether a `raise` of this library, or of scikit-learn's checks, chose the words."""
    if not isinstance(error, (ValueError, TypeError)) or getattr(error, "by_door", False):
        return False
    last = _innermost(error)
    if last is None or not _where(error).startswith(("lectures_lib.", "sklearn.")):
        return False
    return last.tb_frame.f_code.co_code[last.tb_lasti] == dis.opmap["RAISE_VARARGS"]


def _is_of_others(error: Exception) -> bool:
    """Return whether an error came through somebody else's function: a solver, kernel or loss.

    It is theirs to explain: the arguments may be what they should be.
    """
    frames = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    return any(str(name).partition(".")[0] not in KNOWN for name in frames)


def _innermost(error: Exception) -> types.TracebackType | None:
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last


def _where(error: Exception) -> str:
    """Return the module in which an error arose."""
    last = _innermost(error)
    return "" if last is None else str(last.tb_frame.f_globals.get("__name__", ""))


def wrong(function: Callable, args: tuple, kwargs: dict[str, object], error: Exception) -> str:
    """Return a sentence about the first argument that breaks its promise; "" if none does.

    Texts where numbers may be meant, and numbers whose squares overflow, are named only where
    nothing else is; and shapes where the error is of the kind that shapes make.
    """
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # an argument is missing, or one too many: Python says so itself
        return ""
    hints = get_type_hints(function)
    known = {name: value for name, value in given.items() if name in hints}
    if (rest := _rest(function)) in known:  # *arrays: each has the promise
        several = known.pop(rest)
        known |= {f"{rest}[{i}]": value for i, value in enumerate(several)}
        hints |= {f"{rest}[{i}]": hints[rest] for i in range(len(several))}
    for name, value in known.items():
        if not keeps(value, hints[name]):
            return f"{name} must be {described(hints[name])}, not {_shown(value)}."
    for name, value in known.items():
        if _is_text(value):
            return f"{name} holds texts, {_shown(value)}, where numbers are needed."
        if _is_number(value) and not abs(value) < 1e150:
            return f"{name} = {value!r} is too large: its square overflows. Choose other units."
    shapes = [f"{n} {_shape(v)}" for n, v in known.items() if _is_array_hint(hints[n])]
    if shapes and isinstance(error, (ValueError, IndexError, TypeError)):
        told = f"help({function.__name__}) tells what is needed"
        return f"the shapes do not fit together: {', '.join(shapes)}; {told}."
    return ""


def _rest(function: Callable) -> str:
    """Return the name of ``*arguments``, if there are any."""
    parameters = inspect.signature(function).parameters.values()
    return next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")


def _shape(value: Any) -> str:
    try:
        return str(np.shape(value))
    except ValueError:
        return "of rows of different lengths"


def _is_array_hint(hint: Any) -> bool:
    if hint is ArrayLike or hint is np.ndarray:
        return True
    inner = get_args(hint)
    if not inner or get_origin(hint) in (abc.Callable, Literal):
        return False
    return any(map(_is_array_hint, options(inner)))


def keeps(value: Any, hint: Any) -> bool:
    """Return whether a value is what an annotation promises."""
    if hint is ArrayLike:
        return _is_array(value)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        seed = np.random.Generator in inner and isinstance(value, int)
        return any(keeps(value, one) for one in options(inner)) and not (seed and value < 0)
    if origin is Literal:
        return isinstance(value, (str, int)) and value in inner
    if hint is None or hint is type(None):
        return value is None
    if hint in _PLAIN:
        return _PLAIN[hint](value)
    if origin is not None:
        return _keeps_generic(value, origin, inner)
    if not isinstance(hint, type) or hint is object:
        return True
    if getattr(hint, "_is_protocol", False):
        methods = (name for name in vars(hint) if not name.startswith("_"))
        return not isinstance(value, type) and all(hasattr(value, name) for name in methods)
    return isinstance(value, hint)


def options(inner: tuple) -> list[Any]:
    """Return the alternatives of a union, with those of ArrayLike, itself a union, as one.

    From Python 3.12 on ArrayLike has a name of its own, and stands in the union as one already.
    """
    arrays = get_args(ArrayLike)
    if not arrays or not set(arrays) <= set(inner):
        return list(inner)
    return [ArrayLike, *(one for one in inner if one not in arrays)]


def _keeps_generic(value: object, origin: Any, inner: tuple) -> bool:
    if origin is abc.Callable:
        return callable(value)
    if origin is np.ndarray:
        return _is_array(value) and isinstance(value, np.ndarray)
    if isinstance(origin, type) and issubclass(origin, abc.Mapping):
        return isinstance(value, abc.Mapping) and all(
            keeps(k, inner[0]) and keeps(v, inner[1]) for k, v in islice(value.items(), FIRST)
        )
    single = isinstance(value, (str, abc.Mapping, np.generic)) or hasattr(value, "toarray")
    if single or not isinstance(value, abc.Iterable):
        return False
    if issubclass(origin, abc.Sequence) and not hasattr(value, "__getitem__"):
        return False
    if origin is tuple and inner[-1:] != (...,):
        return len(list(value)) == len(inner) and all(map(keeps, value, inner))
    counted = hasattr(value, "__len__")  # an iterator is read only once
    return not counted or all(keeps(item, inner[0]) for item in islice(value, FIRST))


def _is_number(value: Any) -> bool:
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value.item()
    real = isinstance(value, (int, float, np.integer, np.floating)) or hasattr(value, "numerator")
    return real and not isinstance(value, (bool, np.bool_)) and value == value


def _is_whole(value: Any) -> bool:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole and abs(value) < 2**63


def _is_truth(value: object) -> bool:
    return isinstance(value, (bool, np.bool_, int)) and value in (True, False)


def _is_array(value: object) -> bool:
    if value is None or isinstance(value, (str, abc.Mapping, abc.Set, np.ma.MaskedArray)):
        return False
    try:
        raw = np.asarray(value)
    except ValueError:  # rows of different lengths
        return False
    finite = raw.dtype.kind not in "f" or bool(np.isfinite(raw).all())
    return raw.dtype.kind in "biufSU" and finite and raw.size > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "SU"


_PLAIN: dict[object, Callable[[object], bool]] = {
    Any: lambda value: True,
    bool: _is_truth,
    float: _is_number,
    int: _is_whole,
    str: lambda value: isinstance(value, str),
    abc.Callable: callable,
    abc.Hashable: lambda value: isinstance(value, abc.Hashable),
    np.ndarray: lambda value: isinstance(value, np.ndarray) and _is_array(value),
}
_WORDS = {
    bool: "True or False",
    float: "a number",
    int: "a whole number",
    str: "a text",
    type(None): "None",
    None: "None",
    np.ndarray: "a numpy array of finite numbers",
    ArrayLike: "an array of finite numbers, all rows of one length",
    abc.Callable: "a function",
    abc.Hashable: "something hashable, such as a number, a text or a tuple",
}


def described(hint: Any) -> str:
    """Return an annotation in words."""
    for known, words in _WORDS.items():
        if hint is known:
            return words
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(described(one) for one in options(inner)))
    if origin is Literal:
        return "one of " + ", ".join(map(repr, inner))
    if origin in _WORDS:
        return _WORDS[origin]
    if origin is not None:
        return _described_generic(origin, inner)
    name = getattr(hint, "__name__", str(hint))
    return f"a {name}" + (f", such as {HOW[name]}" if name in HOW else "")


def _described_generic(origin: Any, inner: tuple) -> str:
    if issubclass(origin, abc.Mapping):
        return "a dictionary"
    if origin is tuple and inner[-1:] != (...,):
        return f"a tuple of {', '.join(map(described, inner))}"
    return f"a list, each entry {described(inner[0])}" if inner else "a list"


def _shown(value: object) -> str:
    """Return a value in brief."""
    if isinstance(value, type):
        return f"the class {value.__name__} itself"
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of {value.dtype} with shape {value.shape}"
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"a {type(value).__name__}"
