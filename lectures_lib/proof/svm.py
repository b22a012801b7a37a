"""The judge of support vector machines: from a Gram matrix, features, weights, blocks or fractions.

Each function finds the scores of an answer with their rounding errors (`scores`); what they prove,
`duality` says. Where rounding leaves a small case open, it is judged again in fractions.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import BadArgument, explained
from ..conventions import as_array, as_float, as_floats, check_choice, check_cost, check_labels
from . import scores as scored
from .duality import Certificate, Terms, judge, judge_exactly, no_answer
from .gram import EXACT_ENTRIES, TESTED, exact_scores, gram_in_fractions, not_a_gram_matrix

LOSSES = ("hinge", "squared_hinge")
#: The terms of a machine with a free offset and the hinge loss.
DEFAULT = Terms()


@explained
def certificate(
    K: ArrayLike,
    y: ArrayLike,
    C: float,
    alpha: ArrayLike,
    b: float,
    *,
    offset: bool = True,
    loss: str = "hinge",
    tol: float = 1e-4,
    exact: bool = False,
    shown: np.ndarray | None = None,
) -> Certificate:
    """Judge an answer from the problem's data and (alpha, b) alone.

    With C = inf slack is not allowed: w and b are scaled until the nearest example has y f = 1,
    and the primal value is that of the scaled w (inf if some example is on the wrong side).
    K is taken as it is. That it is positive semi-definite, up to rounding, is tested for up to
    `TESTED` examples; for more it is assumed, and the certificate says so. `exact` computes in
    fractions (if K is a Gram matrix only up to eta, of K + eta diag(K), which is one); where
    rounding leaves a small case open, that is done without being asked.

    Parameters
    ----------
    K, y : (n, n) the Gram matrix and (n,) the labels
    C : the price of slack, one or one per example
    alpha, b : the answer
    offset : b was free; without, alpha need not balance
    loss : "hinge" or "squared_hinge"
    tol : the relative gap that counts as optimal
    exact : compute in fractions
    shown : (n,) a machine's rounded decisions at the examples: the judge says how far they are off

    Examples
    --------
    >>> svm.certificate([[1.0, -1.0], [-1.0, 1.0]], [1, -1], 1.0, [0.5, 0.5], 0.0).holds
    True
    """
    K, y, alpha, b = _checked(K, y, alpha, b, offset)
    check_choice(loss, LOSSES, "loss")
    cost = np.full(len(y), check_cost(C, len(y), spare=True))
    wrong, relative, ridge = not_a_gram_matrix(K)
    terms = Terms(offset, loss, tol, wrong, shown=shown)
    if not (np.isfinite(alpha).all() and np.isfinite(b)):
        return no_answer(loss, tol)
    if wrong:
        relative = ridge = 0.0
    elif len(K) > TESTED:
        terms = replace(terms, assumes="K is positive semi-definite (not tested)")
    if not exact:
        s, beta = np.flatnonzero(alpha), alpha * y
        part = scored.one_block(K if len(s) == len(K) else K[:, s])
        with np.errstate(invalid="ignore"):  # an infinite ridge: nothing is known, nothing decided
            found = scored.of_gram(part, K.diagonal(), beta, relative=relative, ridge=ridge)
            judged = judge(found, y, cost, alpha, b, terms)
        if judged.verdict != "undecided" or K.size > EXACT_ENTRIES:
            return judged
    Q, lifted = gram_in_fractions(K, ridge)
    if lifted and ridge == np.inf:
        terms = replace(terms, wrong="K is not positive semi-definite")
    decision = judge_exactly(lambda beta: exact_scores(Q, beta), y, cost, alpha, b, terms)
    return decision if exact or not lifted or decision.holds else judged


def certificate_of_features(
    X: np.ndarray,
    y: np.ndarray,
    C: float | ArrayLike,
    alpha: np.ndarray,
    b: float,
    *,
    centre: np.ndarray | None = None,
    w: np.ndarray | None = None,
    origin: float | None = None,
    terms: Terms = DEFAULT,
) -> Certificate:
    """Judge a linear machine f(x) = w.(x - centre) + b for the features given.

    Default w: sum alpha y (x - centre). No Gram matrix is rounded: differences x - centre are exact
    up to their own last digit. `origin` is the float that is shown as the offset from the origin,
    b - w.centre: the judge says what f loses by it.
    """
    cost, alpha = np.full(len(y), C, float), as_floats(alpha, "alpha")
    if not (np.isfinite(alpha).all() and np.isfinite(b) and (w is None or np.isfinite(w).all())):
        return no_answer(terms.loss, terms.tol)

    def score(beta):
        return scored.of_features(X, beta, centre, w)

    small = X.size <= EXACT_ENTRIES and not sparse.issparse(X)
    if centre is not None and origin is not None and np.isfinite(origin):
        given = X, alpha * y, centre, w, float(b), origin
        terms = replace(terms, lost=scored.offset_lost(*given, exact=small))
    judged = judge(score(alpha * y), y, cost, alpha, float(b), terms)
    if judged.verdict != "undecided" or not small:
        return judged
    return judge_exactly(score, y, cost, alpha, float(b), terms)


def certificate_of_weights(
    X: np.ndarray,
    y: np.ndarray,
    C: float | ArrayLike,
    alpha: np.ndarray,
    w: np.ndarray,
    b: float,
    *,
    constant: float = 0.0,
    loss: str = "hinge",
    tol: float = 1e-4,
    shown: np.ndarray | None = None,
) -> Certificate:
    """Judge weights w and b, with an alpha that bounds all others from below; no free offset.

    b is `constant` times the weight of a constant feature, penalised like the others; 0: none.
    X may be sparse. C is one number, or one per example.
    """
    cost, alpha = np.full(len(y), C, float), as_floats(alpha, "alpha")
    terms = Terms(False, loss, tol, shown=shown)
    if not (np.isfinite(w).all() and np.isfinite(alpha).all() and np.isfinite(b)):
        return no_answer(loss, tol)

    def score(beta):
        return scored.of_weights(X, beta, w, b, constant)

    judged = judge(score(alpha * y), y, cost, alpha, 0.0, terms)
    if judged.verdict != "undecided" or sparse.issparse(X) or X.size > EXACT_ENTRIES:
        return judged
    return judge_exactly(score, y, cost, alpha, 0.0, terms)


def certificate_of_blocks(
    parts: Sequence[scored.Part],
    diagonal: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray,
    alpha: np.ndarray,
    b: float,
    *,
    relative: float | None = None,
    each: Callable = map,
    exact: Callable[[], np.ndarray | None] = lambda: None,
    terms: Terms = DEFAULT,
) -> Certificate:
    """Judge a machine from parts of rows of K, of the columns where alpha is not 0.

    The true K is a Gram matrix and may differ by `relative` sqrt(K_ii K_jj) in each entry: the
    claim is about it, and blocks may hold all columns. Default: the claim is about the numbers
    given, of which nothing is known. `each` applies a function to the parts: `map`, or several
    cores. `exact` returns the K of a valid kernel in fractions, for small cases left open, or None.
    """
    cost, alpha = np.full(len(y), C, float), as_floats(alpha, "alpha")
    if not (np.isfinite(alpha).all() and np.isfinite(b)):
        return no_answer(terms.loss, terms.tol)
    sure = relative is not None
    found = scored.of_gram(
        parts, diagonal, alpha * y, relative=relative or 0.0, valid=sure, each=each
    )
    judged = judge(found, y, cost, alpha, float(b), terms)
    if judged.verdict != "undecided" or len(y) ** 2 > EXACT_ENTRIES or (K := exact()) is None:
        return judged
    try:
        terms = replace(terms, assumes="")
        return judge_exactly(lambda beta: exact_scores(K, beta), y, cost, alpha, float(b), terms)
    except OverflowError:  # a value beyond all floats: it cannot be shown
        return judged


def _checked(K, y, alpha, b, offset: bool):
    """Return what a judge is given, or say what is wrong with it."""
    K = as_array(K, "K")
    if K.dtype.kind not in "biuf" or K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise BadArgument(f"K is {K.dtype} of shape {K.shape}; a Gram matrix is square and real.")
    K = as_floats(K, "K")
    if not np.isfinite(K).all():
        raise BadArgument("K contains NaN or infinity: check the data and the kernel.")
    y = check_labels(y, len(K), both=offset)
    alpha = as_array(alpha, "alpha")
    if alpha.dtype.kind not in "biuf" or alpha.shape != y.shape:
        raise BadArgument(f"alpha must hold {len(y)} numbers, one per example.")
    return K, y, as_floats(alpha, "alpha"), as_float(b, "b")
