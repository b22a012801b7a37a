"""Kernels on strings, sets and graphs: phi counts parts, and K never lists them all (L1, L4).

An example need not be a vector. These kernels take lists of strings, of sets or of graphs, and
are otherwise like all others: the algebra, the certificates and the kernel perceptron apply.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import index
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from ._jit import jit
from .conventions import check_count, check_number, check_positive
from .kernels.algebra import Kernel
from .kernels.rounding import FUNCTION

#: 2^n is a float up to this n.
LARGEST_EXPONENT = 1023
#: A sum of walks whose ratio is this close to 1 counts as one that does not converge.
CONVERGENCE = 1e-9


class Counted(Kernel):
    """A kernel whose phi(x) counts the parts of x: most counts are 0, and only others are kept."""

    proved = True

    def counts(self, X: Iterable) -> list[Counter]:
        """Return phi(x) for each example, as {part: count}."""
        raise NotImplementedError

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        Phi = _matrix(self.counts([*X, *Z]))
        return (Phi[: len(X)] @ Phi[len(X) :].T).toarray()

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([float(sum(c * c for c in x.values())) for x in self.counts(X)])

    def bound(self, X: np.ndarray) -> float | None:
        """Return 0 where no sum reaches 2^53: whole numbers are added without rounding."""
        return 0.0 if self.diagonal(X).max() < 2.0**53 else None


def _matrix(counts: list[Counter]) -> csr_array:
    """Return the counts as rows of a sparse matrix, with a column for each part that occurs."""
    column = {part: j for j, part in enumerate(dict.fromkeys(chain(*counts)))}
    values = np.array([c for x in counts for c in x.values()], dtype=float)
    columns = np.array([column[part] for x in counts for part in x], dtype=int)
    rows = np.repeat(np.arange(len(counts)), [len(x) for x in counts])
    return csr_array((values, (rows, columns)), shape=(len(counts), max(1, len(column))))


# --- strings -------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Spectrum(Counted):
    """Shared substrings of length p: phi_u(s) is how often u occurs in s, for each u of length p.

    A string has at most |s| - p + 1 of the |alphabet|^p features (Leslie, Eskin, Noble 2002).

    Parameters
    ----------
    p : how long the substrings are

    Examples
    --------
    >>> discrete.Spectrum(2)(["abab", "ba"])
    array([[5., 1.],
           [1., 1.]])
    """

    p: int

    def __post_init__(self) -> None:
        check_count(self.p, "p")

    def check(self, X: Any) -> np.ndarray:
        return _checked(X, str, str, "string")

    def counts(self, X: Iterable[str]) -> list[Counter]:
        return [Counter(s[i : i + self.p] for i in range(len(s) - self.p + 1)) for s in X]

    def __repr__(self) -> str:
        return f"spectrum_{self.p}(x, z)"


@dataclass(frozen=True, repr=False)
class GapWeighted(Kernel):
    """Shared subsequences of length p: phi_u(s) is the sum of decay^span over u's places in s.

    The span runs from the first to the last letter, so each gap costs; decay = 1 counts places.
    Dynamic programming takes p |s| |t| steps for |alphabet|^p features (Lodhi et al. 2002).

    Parameters
    ----------
    p : how long the subsequences are
    decay : what each step costs, above 0 and at most 1

    Examples
    --------
    >>> discrete.GapWeighted(2, 0.5)(["cat", "cart"])
    array([[0.140625  , 0.1015625 ],
           [0.1015625 , 0.22265625]])
    """

    proved = True

    p: int
    decay: float

    def __post_init__(self) -> None:
        check_count(self.p, "p")
        check_number(check_positive(self.decay, "decay"), "decay", 0, 1)

    def check(self, X: Any) -> np.ndarray:
        return _checked(X, str, str, "string")

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        S = [_letters(s) for s in X]
        return _pairwise(self._k, S, S if X is Z else [_letters(t) for t in Z])

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([self._k(s, s) for s in map(_letters, X)])

    def _k(self, s: np.ndarray, t: np.ndarray) -> float:
        return _gap_weighted(s, t, self.p, float(self.decay))

    def __repr__(self) -> str:
        return f"gaps_{self.p}(x, z; {self.decay:g})"


def _letters(s: str) -> np.ndarray:
    return np.array([ord(letter) for letter in s], dtype=np.int64)


@jit
def _gap_weighted(s, t, p, decay):
    """Return the sum, over pairs of places of a shared subsequence, of decay^(span + span)."""
    ends = np.zeros((len(s), len(t)))  # [i, j]: the pairs that end at s_i and t_j
    for i in range(len(s)):
        for j in range(len(t)):
            if s[i] == t[j]:
                ends[i, j] = decay * decay
    for _ in range(p - 1):
        ends = one_letter_more(s, t, ends, decay)
    total = 0.0
    for pairs in ends.ravel():
        total += pairs
    return total


@jit
def one_letter_more(s, t, ends, decay):
    """Return `ends` for subsequences one letter longer; every step to the right costs decay.

    Parameters
    ----------
    s, t : two strings
    ends : (|s|, |t|) the sum over shared subsequences of some length that end at s_i and t_j
    decay : what each step costs

    Examples
    --------
    >>> discrete.one_letter_more("ab", "ab", 0.25 * np.eye(2), 0.5)
    array([[0.    , 0.    ],
           [0.    , 0.0625]])
    """
    longer = np.zeros(ends.shape)
    # reach[i, j]: the pairs inside s[:i], t[:j], paid up
    reach = np.zeros((len(s) + 1, len(t) + 1))
    for i in range(len(s)):
        row = 0.0  # the pairs that end at s_i, inside t[:j + 1]
        for j in range(len(t)):
            if s[i] == t[j]:
                longer[i, j] = decay * decay * reach[i, j]
            row = decay * row + ends[i, j]
            reach[i + 1, j + 1] = decay * reach[i, j + 1] + row
    return longer


# --- sets ----------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Intersection(Counted):
    """|A ∩ B|: phi_e(A) is 1 if e is in A, for each possible element e.

    Examples
    --------
    >>> discrete.Intersection()([{"a", "b"}, {"b", "c"}])
    array([[2., 1.],
           [1., 2.]])
    """

    def check(self, X: Any) -> np.ndarray:
        return _checked(X, (set, frozenset), frozenset, "set")

    def counts(self, X: Iterable[set]) -> list[Counter]:
        return [Counter(dict.fromkeys(A, 1)) for A in X]

    def __repr__(self) -> str:
        return "|x ∩ z|"


@dataclass(frozen=True, repr=False)
class CommonSubsets(Kernel):
    """2^|A ∩ B|: phi_S(A) is 1 if S is a subset of A, for each set S of possible elements.

    A set of n elements has 2^n features that are not 0 (Shawe-Taylor, Cristianini 2004).

    Examples
    --------
    >>> discrete.CommonSubsets()([{"a", "b"}, {"b", "c"}])
    array([[4., 2.],
           [2., 4.]])
    """

    proved = True

    def check(self, X: Any) -> np.ndarray:
        X = Intersection().check(X)
        if max(map(len, X)) > LARGEST_EXPONENT:
            raise ValueError(f"A set has over {LARGEST_EXPONENT} elements: 2^|A| is infinite here.")
        return X

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.exp2(Intersection().gram(X, Z))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.exp2(Intersection().diagonal(X))

    def bound(self, X: np.ndarray) -> float | None:
        """Return the error of a power of 2."""
        return FUNCTION

    def __repr__(self) -> str:
        return "2^|x ∩ z|"


# --- graphs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Graph:
    """An undirected graph: vertices 0, ..., n - 1 with their labels, and edges between two.

    Parameters
    ----------
    labels : one per vertex
    edges : pairs of vertices

    Examples
    --------
    >>> discrete.Graph("CCO", [(0, 1), (1, 2)])
    Graph(labels=('C', 'C', 'O'), edges=frozenset({(0, 1), (1, 2)}))
    """

    labels: tuple[Hashable, ...]  #: of each vertex; ``"CCO"`` is short for ("C", "C", "O")
    edges: frozenset[tuple[int, int]]  #: pairs u < v; given in any order

    def __post_init__(self) -> None:
        listed = isinstance(self.labels, Iterable) and isinstance(self.edges, Iterable)
        labels = tuple(self.labels) if listed else ()
        if not labels or not all(isinstance(label, Hashable) for label in labels):
            raise ValueError(f"labels must name one or more vertices, not {self.labels!r}.")
        edges = frozenset(_edge(pair, len(labels)) for pair in self.edges)
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "edges", edges)

    @cached_property
    def adjacency(self) -> np.ndarray:
        """The matrix A with A[u, v] = 1 where u and v are joined."""
        A = np.zeros((len(self.labels), len(self.labels)))
        for u, v in self.edges:
            A[u, v] = A[v, u] = 1.0
        return A

    def renumbered(self, order: Sequence[int]) -> "Graph":
        """Return the same graph with vertex ``order[i]`` now called i."""
        if sorted(order) != list(range(len(self.labels))):
            raise ValueError(f"order must be a permutation of 0, ..., {len(self.labels) - 1}.")
        new = {int(old): i for i, old in enumerate(order)}
        edges = [(new[u], new[v]) for u, v in self.edges]
        return Graph(tuple(self.labels[old] for old in order), frozenset(edges))


def _edge(pair: Sequence[int], n: int) -> tuple[int, int]:
    try:
        u, v = sorted(index(end) for end in pair)
    except (TypeError, ValueError):
        raise ValueError(f"An edge is a pair of vertices like (0, 1), not {pair!r}.") from None
    if u == v or u < 0 or v >= n:
        raise ValueError(f"Edge {pair!r} must join two different vertices of 0, ..., {n - 1}.")
    return u, v


@dataclass(frozen=True, repr=False)
class WeisfeilerLehman(Counted):
    """Shared subtrees: phi counts, round by round, the vertices of each refined label.

    A round replaces a vertex's label by the pair of it and the sorted labels of its neighbours:
    after h rounds it names the tree of walks of length h from there (Shervashidze et al. 2011).

    Parameters
    ----------
    rounds : how often labels are refined

    Examples
    --------
    >>> graph = discrete.Graph("CCO", [(0, 1), (1, 2)])
    >>> discrete.WeisfeilerLehman(1)([graph])
    array([[8.]])
    """

    rounds: int

    def __post_init__(self) -> None:
        check_count(self.rounds, "rounds", 0)

    def check(self, X: Any) -> np.ndarray:
        return _checked(X, Graph, lambda graph: graph, "Graph")

    def counts(self, X: Iterable[Graph]) -> list[Counter]:
        """Return phi(x) for each graph; the labels' short names hold within one call."""
        X = list(X)
        names: dict[tuple, int] = {}
        labels = [[_name(("label", label), names) for label in graph.labels] for graph in X]
        counts = [Counter(own) for own in labels]
        for _ in range(self.rounds):
            labels = [_refined(graph, own, names) for graph, own in zip(X, labels)]
            for count, own in zip(counts, labels):
                count.update(own)
        return counts

    def __repr__(self) -> str:
        return f"WL_{self.rounds}(x, z)"


def _refined(graph: Graph, labels: list[int], names: dict) -> list[int]:
    around = [sorted(labels[u] for u in np.flatnonzero(row)) for row in graph.adjacency]
    return [_name((own, *others), names) for own, others in zip(labels, around)]


def _name(thing: tuple, names: dict) -> int:
    return names.setdefault(thing, len(names))


@dataclass(frozen=True, repr=False)
class RandomWalk(Kernel):
    """Shared walks: phi_l(G) is sqrt(decay^k) times the walks with labels l = (l_0, ..., l_k).

    A pair of such walks is one walk in the product graph, whose vertices are the pairs of equal
    label; sum_k decay^k 1'A^k 1 = 1'(I - decay A)^-1 1 there (Gärtner, Flach, Wrobel 2003).

    Parameters
    ----------
    decay : what each step costs

    Examples
    --------
    >>> graph = discrete.Graph("CCO", [(0, 1), (1, 2)])
    >>> discrete.RandomWalk(0.1)([graph]).round(4)
    array([[5.6916]])
    """

    proved = True

    decay: float

    def __post_init__(self) -> None:
        check_positive(self.decay, "decay")

    def check(self, X: Any) -> np.ndarray:
        return _checked(X, Graph, lambda graph: graph, "Graph")

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return _pairwise(self._k, X, Z)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([self._k(graph, graph) for graph in X])

    def _k(self, G: Graph, H: Graph) -> float:
        A = _product_graph(G, H)
        if len(A) == 0:
            return 0.0
        radius = np.linalg.eigvalsh(A)[-1]
        if self.decay * radius >= 1 - CONVERGENCE:
            raise ValueError(f"The walks do not converge: decay must be below {1 / radius:.4g}.")
        return float(np.linalg.solve(np.eye(len(A)) - self.decay * A, np.ones(len(A))).sum())

    def __repr__(self) -> str:
        return f"walks(x, z; {self.decay:g})"


def _product_graph(G: Graph, H: Graph) -> np.ndarray:
    """Return the adjacency matrix of pairs of equal label, joined where both ends are joined."""
    same = np.array([[a == b for b in H.labels] for a in G.labels])
    u, v = np.nonzero(same)
    return G.adjacency[np.ix_(u, u)] * H.adjacency[np.ix_(v, v)]


# --- shared --------------------------------------------------------------------------------------


def _pairwise(k: Callable, X: Any, Z: Any) -> np.ndarray:
    """Return k(x, z) for all pairs; where X is Z, each pair once: symmetric to the last bit."""
    if X is not Z:
        return np.array([[k(x, z) for z in Z] for x in X])
    K = np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        for j, z in enumerate(X[: i + 1]):
            K[i, j] = K[j, i] = k(x, z)
    return K


def _checked(X: Sequence, kind: type | tuple[type, ...], make: Callable, name: str) -> np.ndarray:
    """Return the examples as an array of objects, which slices and indexes like rows."""
    if isinstance(X, kind) or not isinstance(X, (list, tuple, np.ndarray)):
        raise ValueError(f"X must be a list of {name}s, not {type(X).__name__}: [x] for one.")
    if len(X) == 0:
        raise ValueError(f"X is empty; it needs one {name} or more.")
    for i, x in enumerate(X):
        if not isinstance(x, kind):
            raise ValueError(f"X[{i}] is a {type(x).__name__}; this kernel takes {name}s.")
    return np.fromiter(map(make, X), dtype=object, count=len(X))
