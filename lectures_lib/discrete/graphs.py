"""Graphs and their kernels: shared subtrees and shared walks; `discrete` exports them."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import numpy as np

from .._arguments import BadArgument
from ..conventions import check_count, check_positive
from ..kernels import Kernel
from .counted import Counted, checked, pairwise

#: A sum of walks whose ratio is this close to 1 counts as one that does not converge.
CONVERGENCE = 1e-9


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
            raise BadArgument(f"labels must name one or more vertices, not {self.labels!r}.")
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


def _edge(pair: Sequence[int], n: int) -> tuple[int, int]:
    try:
        u, v = sorted(index(end) for end in pair)
    except (TypeError, ValueError):
        raise BadArgument(f"An edge is a pair of vertices like (0, 1), not {pair!r}.") from None
    if u == v or u < 0 or v >= n:
        raise BadArgument(f"Edge {pair!r} must join two different vertices of 0, ..., {n - 1}.")
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
        object.__setattr__(self, "rounds", check_count(self.rounds, "rounds", 0))

    def check(self, X: Any) -> np.ndarray:
        return checked(X, Graph, lambda graph: graph, "Graph")

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
        object.__setattr__(self, "decay", check_positive(self.decay, "decay"))

    def check(self, X: Any) -> np.ndarray:
        return checked(X, Graph, lambda graph: graph, "Graph")

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return pairwise(self._k, X, Z)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([self._k(graph, graph) for graph in X])

    def _k(self, G: Graph, H: Graph) -> float:
        A = _product_graph(G, H)
        if len(A) == 0:
            return 0.0
        radius = np.linalg.eigvalsh(A)[-1]
        if self.decay * radius >= 1 - CONVERGENCE:
            raise BadArgument(f"The walks do not converge: decay must be below {1 / radius:.4g}.")
        return float(np.linalg.solve(np.eye(len(A)) - self.decay * A, np.ones(len(A))).sum())

    def __repr__(self) -> str:
        return f"walks(x, z; {self.decay:g})"


def _product_graph(G: Graph, H: Graph) -> np.ndarray:
    """Return the adjacency matrix of pairs of equal label, joined where both ends are joined."""
    same = np.array([[a == b for b in H.labels] for a in G.labels])
    u, v = np.nonzero(same)
    return G.adjacency[np.ix_(u, u)] * H.adjacency[np.ix_(v, v)]
