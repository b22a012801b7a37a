"""Models of another form: softmax, clusters, components of a kernel, perceptrons.

Each case has what `cases.judgement` asks for.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .. import margins
from ..kernels import Kernel
from ..proof import pca_certificate
from ..proof.judgement import Judgement
from ..proof.rounding import Enclosure, enclosed_product, ulp
from ..proof.softmax import softmax_above, softmax_below
from ..proof.spectrum import centres_above, centres_below
from ..proof.verdict import shortest
from . import solvers
from .cases import OF_GAMMA
from .kinks import solved
from .reading import (
    SCALE,
    Data,
    class_prices,
    dense,
    kept,
    learned,
    machines,
    price_of,
    seen,
    weights_of,
)
from .trained import refuse_other_clusters, refuse_other_fit

#: Newton's method for several classes takes a square matrix of at most this many weights.
WEIGHTS = 2_000
#: Clusters are sought again from this many starts.
STARTS = 10
#: Each class has its share but for this: the judge evens out what is left.
ROUGHLY = 1e-6
#: What the formula says of weights.
WEIGHTED = ", each times its weight"
#: Centres are stable if Lloyd's steps from them gain at most this share of what they cost.
SETTLED = 1e-9


@dataclass(frozen=True, eq=False)
class SoftmaxCase:
    """Weights (k, d) and offsets (k,) of a logistic regression of k classes."""

    title: str
    X: Any
    codes: np.ndarray
    C: np.ndarray
    l2: float
    W: np.ndarray
    b: np.ndarray
    offset: bool
    advice: str = SCALE
    assumes: str = ""

    @property
    def formula(self) -> str:
        """What is minimised."""
        half = "" if self.l2 == 1 else f"{shortest(self.l2)} "
        return f"half {half}norm(W)^2 + {price_of(self.C)} sum (log sum_k exp(f_k) - f_y)"

    @property
    def wrong(self) -> str:
        """What is wrong with the model, whatever it costs."""
        none = "the problem has no offset, and the model has one"
        return none if self.b.any() and not self.offset else ""

    def above(self) -> Enclosure:
        """Return what the model costs."""
        return softmax_above(self.X, self.codes, self.C, self.W, self.b, self.l2)

    def below(self, P: np.ndarray) -> Enclosure:
        """Return what rows of probabilities prove."""
        return softmax_below(self.X, self.codes, self.C, P, self.l2, offset=self.offset)

    def guess(self) -> np.ndarray:
        """Return the model's own probabilities."""
        return self._probabilities(self.W, self.b)

    def _probabilities(self, W: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the probabilities of an answer, offsets moved until each class has its share."""
        f = self.X @ W.T + b
        wanted = np.bincount(self.codes, self.C, minlength=len(W))
        for _ in range(50 if self.offset else 1):
            P = np.exp(f - f.max(axis=1, keepdims=True))
            P /= P.sum(axis=1, keepdims=True)
            got = self.C @ P
            if np.abs(got - wanted).max() <= ROUGHLY * wanted.min():
                break
            bend = np.diag(got) - (P.T * self.C) @ P + wanted.mean()  # one for all changes nothing
            f = f + np.clip(solved(bend, wanted - got), -1.0, 1.0)
        return P

    def other(self, tol: float) -> tuple[Enclosure, np.ndarray, dict[str, Any]] | None:
        """Return another answer by Newton's method."""
        if self.W.size > WEIGHTS or np.prod(self.X.shape) > solvers.DENSE:
            return None
        given = dense(self.X), self.codes, self.C, self.l2
        W, b = solvers.softmax(*given, len(self.W), offset=self.offset)
        cost = softmax_above(self.X, self.codes, self.C, W, b, self.l2)
        return cost, self._probabilities(W, b), {"w": W, "b": b}


def softmax(model: Any, data: Data, C: float) -> list[SoftmaxCase]:
    """Return the case of a logistic regression of several classes."""
    codes, prices = np.searchsorted(model.classes_, data.y), C * class_prices(model, data)
    X, codes, prices = kept(data.X, codes, prices, where=prices > 0)
    W, b = weights_of(model, data, len(model.classes_))
    free = bool(model.fit_intercept)
    return [SoftmaxCase(type(model).__name__, X, codes, prices, 1.0, W, b, free)]


@dataclass(frozen=True, eq=False)
class SeparatorCase:
    """A perceptron: it minimises nothing, but it may separate its examples."""

    title: str
    X: Any
    y: np.ndarray
    w: np.ndarray
    b: float
    offset: bool
    formula: str = "the number of examples with y f <= 0"
    how: str = "another answer by the largest margin"
    without: str = "no separator was found; fewer mistakes than these may be possible"
    advice: str = "A perceptron has no objective: on data that no plane separates it never settles."
    assumes: str = ""
    wrong: str = ""

    def above(self) -> Enclosure:
        """Return how many examples are not on their side."""
        product, error = enclosed_product(self.X, self.w)
        t = self.y * (product + self.b)
        off = 2 * (error + ulp(t))
        least, most = int((t <= -off).sum()), int((t <= off).sum())
        return Enclosure((least + most) / 2, (most - least) / 2)

    def below(self, _: Any) -> Enclosure:
        """Return 0, which no number of mistakes is below."""
        return Enclosure(0.0)

    def guess(self) -> str:
        """Return what needs no guess."""
        return ""

    def other(self, tol: float) -> tuple[Enclosure, Any, dict[str, Any]] | None:
        """Return a separator, if there is one."""
        found = margins.max_margin(dense(self.X), self.y, offset=self.offset)
        if found.w is None or not found.separable:
            return None
        b = float(found.b) if self.offset else 0.0
        twin = SeparatorCase(self.title, self.X, self.y, found.w, b, self.offset)
        return twin.above(), "", {"w": found.w, "b": b}


def perceptron(model: Any, data: Data) -> list[SeparatorCase]:
    """Perceptron: one machine for each class against the rest."""
    free = bool(model.fit_intercept)
    return [
        SeparatorCase(name, data.X, label, w, b, free)
        for name, label, w, b in machines(model, data)
    ]


@dataclass(frozen=True, eq=False)
class ClusterCase:
    """k centres, the floor that k - 1 eigenvalues give, and other starts."""

    title: str
    X: np.ndarray
    centres: np.ndarray
    weights: np.ndarray
    formula: str = "the sum of squared distances to the nearest centre"
    advice: str = (
        "The floor is weak, and nobody knows how to prove clusters best when it is not met; more "
        "starts (n_init) may help where another answer is shown."
    )
    assumes: str = ""
    wrong: str = ""

    @cached_property
    def how(self) -> str:
        """Where bound and other answer come from, and whether Lloyd's steps gain anything."""
        gain = float(self.above().low) - float(self._cost(self._own).high)
        stable = "stable" if gain <= SETTLED * float(self.above().high) else "not stable"
        return (
            f"its centres are {stable} under Lloyd's steps; floor by eigenvalues; other answer by "
            f"such steps from its centres and {STARTS} others"
        )

    @cached_property
    def _own(self) -> np.ndarray:
        """The model's centres after Lloyd's steps."""
        return self._settled(self.centres)

    def above(self) -> Enclosure:
        """Return what the centres cost."""
        return self._cost(self.centres)

    def _cost(self, centres: np.ndarray) -> Enclosure:
        return centres_above(self.X, centres, self.weights)

    def below(self, _: Any) -> Enclosure:
        """Return the floor."""
        return centres_below(self.X, len(self.centres), self.weights)

    def guess(self) -> str:
        """Return what needs no guess."""
        return ""

    def other(self, tol: float) -> tuple[Enclosure, Any, dict[str, Any]]:
        """Return the best of some other runs, the model's own centres among the starts."""
        rng, k = np.random.default_rng(0), len(self.centres)
        n = len(self.X)
        starts = [self.X[rng.choice(n, k, replace=n < k)] for _ in range(STARTS)]
        runs = [self._own, *map(self._settled, starts)]
        costs = [self._cost(run) for run in runs]
        best = int(np.argmin([float(cost.high) for cost in costs]))
        return costs[best], "", {"centres": runs[best]}

    def _settled(self, centres: np.ndarray) -> np.ndarray:
        """Return the centres after Lloyd's steps."""
        for _ in range(300):
            D = np.stack([((self.X - c) ** 2).sum(axis=1) for c in centres])
            own = D.argmin(axis=0)
            mine = [np.where(own == k, self.weights, 0.0) for k in range(len(centres))]
            some = [s @ self.X / s.sum() if s.any() else c for s, c in zip(mine, centres)]
            if np.array_equal(new := np.array(some), centres):
                break
            centres = new
        return centres


def kmeans(model: Any, data: Data) -> list[ClusterCase]:
    """KMeans: its centres."""
    refuse_other_clusters(model, data)
    X, weights = kept(dense(data.X), data.weights, where=data.weights > 0)
    case = ClusterCase(type(model).__name__, X, learned(model, "cluster_centers_"), weights)
    return [replace(case, formula=case.formula + WEIGHTED) if np.ptp(weights) else case]


@dataclass(frozen=True, eq=False)
class ComponentCase:
    """Principal components of a kernel: the eigenpairs are judged by `proof.pca_certificate`."""

    title: str
    X: np.ndarray
    kernel: Kernel | None
    values: np.ndarray
    V: np.ndarray
    formula: str = ""

    @cached_property
    def own(self) -> Any:
        """The certificate."""
        K = self.X if self.kernel is None else self.kernel(self.X)
        known = None if self.kernel is None else self.kernel.rounding(self.X)
        known = None if known is None else known + OF_GAMMA
        return pca_certificate(K, self.values, self.V, rounding=known)

    def judged(self, tol: float) -> Judgement:
        """Return the judgement; its tolerance is that of the certificate."""
        how = "the eigenpairs of the centred K are judged, and their tolerance is their own"
        return Judgement(self.title, "", tol, own=self.own, how=how)


def components(model: Any, data: Data) -> list[ComponentCase]:
    """KernelPCA."""
    refuse_other_fit(model, data)
    X, kernel = seen(model, data.X)
    V, values = learned(model, "eigenvectors_"), learned(model, "eigenvalues_")
    return [ComponentCase(type(model).__name__, X, kernel, values, V)]
