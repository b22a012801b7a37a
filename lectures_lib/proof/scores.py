"""What a machine says of its own training examples, with bounds for the rounding errors.

A machine is beta_j = alpha_j y_j and an offset: w = sum beta_j phi(x_j). A judge needs the scores
w.phi(x_i), norm(w)^2, and how far both can be off.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from .rounding import (
    SAFE,
    TINY,
    UNIT,
    Enclosure,
    enclosed_dot,
    enclosed_product,
    enclosed_sum,
    fractions,
    growth,
    one_float,
)

#: An offset that is known so well is not looked at in fractions.
NEGLIGIBLE = 2.0**-40

#: Some rows of a matrix: called, it yields tiles of them, each with the columns that it covers.
Part = Callable[[], Iterable[tuple[slice, np.ndarray]]]


@dataclass(frozen=True, eq=False)
class Scores:
    """w.phi(x_i) and norm(w)^2 with their errors; seen from a centre, if there is one.

    The dual objective is that of a balanced alpha, for which the origin does not matter: it is
    computed as if the centre were 0. The primal one is that of the machine itself; where its
    weights are given and not made of alpha, they have scores of their own.
    """

    value: np.ndarray  #: (n,) sum beta_j (x_j - c).(x_i - c)
    error: np.ndarray  #: (n,) how far each can be off
    norm2: Enclosure  #: norm(sum beta_j (x_j - c))^2
    size: np.ndarray  #: (n,) not below norm(phi(x_i) - c)
    lifted: np.ndarray  #: (n,) w.(x_i - c) of the machine; `value` unless its w was given
    lifted_error: np.ndarray
    lifted_norm2: Enclosure  #: norm(w)^2 of the machine


def of_gram(
    parts: Sequence[Part],
    diagonal: np.ndarray,
    beta: np.ndarray,
    *,
    relative: float = 0.0,
    ridge: float = 0.0,
    valid: bool = False,
    each: Callable = map,
) -> Scores:
    """Return the scores K beta, from parts of rows K[rows, s] with s where beta is not 0.

    A part, called, yields its tiles (columns, block). All columns may be given if `valid`: to add 0
    times a number rounds nothing. `each` applies a function to the parts: `map`, or several cores.
    The true kernel matrix may differ from the one given by `relative` sqrt(K_ii K_jj) in each
    entry, and by `ridge` K_ii on the diagonal. If it is a Gram matrix for certain (`valid`), there
    is no need to look at abs(K): by Cauchy-Schwarz a true entry is at most the root of two true
    diagonal ones, so that a given one is at most (1 + 2 relative) sqrt(K_ii K_jj).
    """
    v = beta[np.flatnonzero(beta)]
    if beta.dtype == object:
        value, error = _products_of(parts, v)
        norm2 = enclosed_dot(beta, value)
        return Scores(value, error, norm2, np.ones(len(beta)), value, error, norm2)
    size = np.sqrt(np.maximum(diagonal, 0.0)) * SAFE + TINY
    reach = float(size @ np.abs(beta))
    if valid:
        value = np.concatenate(list(each(partial(_product, v=v, beta=beta), parts)))
        most = growth(len(v) + 1) * (1.0 + 2.0 * relative) * reach
        error = (most + TINY) * size + len(v) * TINY  # what underflows is below `TINY`
    else:
        value, error = _products_of(parts, v)
    error = SAFE * (error + relative * size * reach + ridge * size**2 * np.abs(beta))
    norm2 = enclosed_dot(beta, value, 0.0, error)
    return Scores(value, error, norm2, size, value, error, norm2)


def one_block(K: np.ndarray) -> list[Part]:
    """Return a matrix at hand as the one part that it is."""
    return [partial(list, [(slice(None), K)])]


def _product(part: Part, v: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return K v of one part: its tiles one after the other, n products and n sums in all.

    v are the entries of beta that are not 0; a part that has all columns is multiplied by beta.
    """
    found = ((K, v[columns]) for columns, K in part())
    return np.sum([K @ (some if K.shape[1] == len(some) else beta) for K, some in found], axis=0)


def _products_of(parts: Sequence[Part], v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    tiles = [[K for _, K in part()] for part in parts]
    found = [enclosed_product(K[0] if len(K) == 1 else np.hstack(K), v) for K in tiles]
    value, error = (np.concatenate(column) for column in zip(*found))
    return value, error


def of_features(
    X: np.ndarray,
    beta: np.ndarray,
    centre: np.ndarray | None = None,
    given: np.ndarray | None = None,
) -> Scores:
    """Return the scores of w = sum beta (x - c), from the features; sparse ones have no centre.

    In truth w = sum beta x is the same, for beta adds up to 0. Rounding never grants that: far out
    sum beta x would take up what is left of the sum, times c. `given` are the machine's weights,
    where they are not those of beta.
    x - c is rounded relative to itself, however far away the data lie: that is why it is centred.
    """
    if beta.dtype == object:
        return _exactly(X, beta, centre, given)
    Z = X if centre is None else X - centre
    own = 0.0 if centre is None else 2 * UNIT  # what rounding did to an entry of Z, relative
    w, w_error = enclosed_product(Z.T, beta)
    w_error = w_error + own * (abs(Z).T @ np.abs(beta))
    value, error = _products(Z, w, w_error, own)
    norm2 = enclosed_dot(w, w, w_error, w_error)
    size = np.sqrt(_squares(Z)) * (1 + growth(X.shape[1] + 4)) * SAFE + TINY
    if given is None:
        return Scores(value, error, norm2, size, value, error, norm2)
    lifted, lifted_error = _products(Z, given, 0.0, own)
    return Scores(value, error, norm2, size, lifted, lifted_error, enclosed_dot(given, given))


def offset_lost(
    X: Any, beta: Any, centre: Any, given: Any, b: float, origin: float, *, exact: bool
) -> float:
    """Return how far `origin` may be from b - w.centre, the offset of the same f from the origin.

    `given` is w, where it is not sum beta (x - centre); `exact` decides in fractions what is not
    negligible.
    """
    w, w_error = (given, 0.0) if given is not None else enclosed_product((X - centre).T, beta)
    if given is None:
        w_error = w_error + 2 * UNIT * (abs(X - centre).T @ np.abs(beta))
    left = enclosed_dot(w, centre, w_error) - b + origin
    most = max(abs(float(left.low)), abs(float(left.high)))
    if not exact or most <= NEGLIGIBLE:
        return most if np.isfinite(most) else np.inf
    c = fractions(centre)
    w = fractions(beta) @ (fractions(X) - c[None, :]) if given is None else fractions(given)
    off = abs(w @ c - Fraction(b) + Fraction(origin))
    return float(np.nextafter(one_float(off), np.inf)) if off else 0.0


def of_weights(X: np.ndarray, beta: np.ndarray, w: np.ndarray, b: Any, constant: Any) -> Scores:
    """Return the scores w.x + b of given weights, and norm(sum beta x)^2 with a constant feature.

    norm(w)^2 counts the weight b / constant of that feature; without it b is 0.
    """
    exact = beta.dtype == object
    X, w = (fractions(X), fractions(w)) if exact else (X, w)
    if exact:
        b, constant = Fraction(b), Fraction(constant)
    lifted, error = enclosed_product(X, w)
    lifted = lifted + b
    if not exact:
        error = np.asarray(SAFE * (error + UNIT * np.abs(lifted)))
    share = b / constant if constant else b
    own = Enclosure(share) if exact else Enclosure(share, _ulp(share))
    made, made_error = enclosed_product(X.T, beta)
    pull = enclosed_sum(beta) * constant
    norm2 = enclosed_dot(made, made, made_error, made_error) + pull * pull
    none, whole = 0 * error, enclosed_dot(w, w) + own * own
    return Scores(0 * lifted, none, norm2, np.ones(len(beta)), lifted, error, whole)


def _ulp(value: Any) -> Any:
    return 2 * UNIT * abs(value) + TINY


def _products(Z, w, w_error, own: float) -> tuple[np.ndarray, np.ndarray]:
    """Return Z w, the entries of Z being off by `own`, relative."""
    value, error = enclosed_product(Z, w, w_error)
    return value, SAFE * (error + own * (abs(Z) @ (np.abs(w) + w_error)))


def _squares(Z) -> np.ndarray:
    if sparse.issparse(Z):
        return np.asarray(Z.multiply(Z).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", Z, Z)


def _exactly(X: np.ndarray, beta: np.ndarray, centre, given) -> Scores:
    """Return the scores in fractions."""
    X = fractions(X)
    Z = X if centre is None else X - fractions(centre)[None, :]
    none = np.array([Fraction(0)] * len(beta), dtype=object)
    w = beta @ Z
    value, norm2 = Z @ w, Enclosure(w @ w)
    own = w if given is None else fractions(given)
    return Scores(value, none, norm2, np.ones(len(beta)), Z @ own, none, Enclosure(own @ own))
