"""Parses as a problem of the contract: a context-free grammar, its trees, and CKY (L2).

Rules are "S -> NP VP" (two symbols) or "N -> 'dog'" (a word): Chomsky's normal form. A tree is a
nested tuple, (A, left, right) or (A, word). f counts the rules that a tree uses, and, with
`context`, what else is said of each use. Trees of one span come in the order of their rule, then of
the place where they are divided, then of the left tree, then of the right one; the first best wins.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from .._arguments import BadArgument, explained
from .contract import Index, Output, Problem

Tree = tuple  #: (A, left, right) or (A, word)
#: Says more about the use of rule number r on words i to j, divided at k (k = j for a word).
Context = Callable[[Sequence[str], "Rule", int, int, int], Sequence[Hashable]]


@dataclass(frozen=True)
class Rule:
    """A -> B C, or A -> 'word' (then `right` is None)."""

    head: str
    left: str
    right: str | None = None

    def __str__(self) -> str:
        """Return the rule as it is written."""
        return (
            f"{self.head} -> {self.left} {self.right}"
            if self.right
            else f"{self.head} -> '{self.left}'"
        )


class Grammar:
    """A context-free grammar in Chomsky's normal form, from lines like "S -> NP VP | 'go'".

    Parameters
    ----------
    text : the rules, a line each
    start : the start symbol; default the head of the first rule

    Examples
    --------
    >>> grammar = structured.Grammar("S -> S S | 'go'")
    >>> list(grammar.trees(("go", "go")))
    [('S', ('S', 'go'), ('S', 'go'))]
    """

    @explained
    def __init__(self, text: str, start: str | None = None) -> None:
        lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
        rules = tuple(rule for line in lines for rule in _rules(line))
        self.rules = tuple(dict.fromkeys(rules))
        if not self.rules:
            raise BadArgument('A grammar needs rules, such as "S -> NP VP".')
        self.start = self.rules[0].head if start is None else start
        self.binary = [(r, rule) for r, rule in enumerate(self.rules) if rule.right]
        self.lexical = [(r, rule) for r, rule in enumerate(self.rules) if not rule.right]

    def trees(self, words: Sequence[str]) -> Iterator[Tree]:
        """Yield every parse of the sentence."""
        return self._trees(words, self.start, 0, len(words))

    def _trees(self, words: Sequence[str], A: str | None, i: int, j: int) -> Iterator[Tree]:
        if j - i == 1:
            yield from ((A, words[i]) for _, r in self.lexical if (r.head, r.left) == (A, words[i]))
        for _, rule in self.binary:
            if rule.head == A:
                for k in range(i + 1, j):
                    left = self._trees(words, rule.left, i, k)
                    for pair in product(left, self._trees(words, rule.right, k, j)):
                        yield (A, *pair)


class Parses(Problem):
    """Parses under a grammar; the input x is a tuple of words, the output a tree.

    Parameters
    ----------
    grammar : which trees there are
    sentences : where the names that `context` gives are collected
    context : more names for a rule at a place of a sentence

    Examples
    --------
    >>> problem = structured.Parses(structured.Grammar("S -> S S | 'go'"))
    >>> problem.f(("go", "go"), ("S", ("S", "go"), ("S", "go")))
    array([1., 2.])
    """

    @explained
    def __init__(
        self,
        grammar: Grammar,
        sentences: Sequence[Sequence[str]] = (),
        context: Context | None = None,
    ) -> None:
        self.grammar, self.context = grammar, context
        named: dict[Hashable, None] = dict.fromkeys(map(str, grammar.rules))
        if context is not None:
            for x in sentences:
                named.update(dict.fromkeys(self._possible(x, context)))
        self.index = Index(named)

    def f(self, x: Sequence[str], y: Tree) -> np.ndarray:
        """Return how often each rule is used, and each name that `context` gives."""
        used = uses(y)
        if leaves(y) != tuple(x) or y[0] != self.grammar.start:
            raise BadArgument(
                "The tree does not have the words of the sentence and the start symbol."
            )
        if not {rule for rule, *_ in used} <= set(self.grammar.rules):
            raise BadArgument("The tree uses a rule that the grammar does not have.")
        f = np.zeros(self.size)
        for rule, i, k, j in used:
            for number in self._numbers(x, rule, i, k, j):
                f[number] += 1
        return f

    def argmax(
        self, theta: np.ndarray, x: Sequence[str], *, gold: Tree | None = None, price: float = 1
    ) -> Tree:
        """Return the best parse by the algorithm of Cocke, Kasami and Younger."""
        spans = set() if gold is None else labelled_spans(gold)

        def worth(rule: Rule, i: int, k: int, j: int) -> float:
            cost = price if gold is not None and (rule.head, i, j) not in spans else 0
            return sum(theta[n] for n in self._numbers(x, rule, i, k, j)) + cost

        return cky(self.grammar, x, worth)[0]

    def loss(self, y: Tree, y_star: Tree) -> int:
        """Return how many labelled spans of y_star are not in y; both have 2 n - 1 of them."""
        return len(labelled_spans(y_star) - labelled_spans(y))

    def outputs(self, x: Sequence[str]) -> Iterator[Output]:
        """Yield all parses."""
        return self.grammar.trees(x)

    def _numbers(self, x: Sequence[str], rule: Rule, i: int, k: int, j: int) -> list[int]:
        names = [str(rule)] + (list(self.context(x, rule, i, k, j)) if self.context else [])
        return [self.index.numbers[name] for name in names if name in self.index.numbers]

    def _possible(self, x: Sequence[str], context: Context) -> Iterator[Hashable]:
        for i, j in combinations(range(len(x) + 1), 2):
            for _, rule in self.grammar.lexical:
                if j - i == 1 and rule.left == x[i]:
                    yield from context(x, rule, i, j, j)
            for (_, rule), k in product(self.grammar.binary, range(i + 1, j)):
                yield from context(x, rule, i, k, j)


@explained
def cky(
    grammar: Grammar, words: Sequence[str], worth: Callable[[Rule, int, int, int], float]
) -> tuple[Tree, float]:
    """Return the best parse and its score: n^3 times the number of rules (L2).

    worth(rule, i, k, j) is what it adds to use the rule on words i to j, divided at k.
    """
    n = len(words)
    best: dict[tuple[int, int], dict[str | None, tuple[float, Tree]]] = {}
    for i in range(n):
        cell = best[i, i + 1] = {}
        for _, rule in grammar.lexical:
            if rule.left == words[i]:
                _keep(cell, rule.head, worth(rule, i, i + 1, i + 1), (rule.head, words[i]))
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            j = i + width
            cell = best[i, j] = {}
            for _, rule in grammar.binary:
                for k in range(i + 1, j):
                    left, right = best[i, k].get(rule.left), best[k, j].get(rule.right)
                    if left and right:
                        score = worth(rule, i, k, j) + left[0] + right[0]
                        _keep(cell, rule.head, score, (rule.head, left[1], right[1]))
    if n == 0 or grammar.start not in best[0, n]:
        raise BadArgument(f"The grammar has no parse of {' '.join(words)!r}.")
    score, tree = best[0, n][grammar.start]
    return tree, score


@explained
def leaves(tree: Tree) -> tuple[str, ...]:
    """Return the words of a tree.

    Parameters
    ----------
    tree : nested tuples

    Examples
    --------
    >>> structured.leaves(("S", ("NP", "dogs"), ("VP", "bark")))
    ('dogs', 'bark')
    """
    return (tree[1],) if len(tree) == 2 else leaves(tree[1]) + leaves(tree[2])


@explained
def uses(tree: Tree, i: int = 0) -> list[tuple[Rule, int, int, int]]:
    """Return the rules that a tree uses, each with its place (i, k, j).

    Parameters
    ----------
    tree : nested tuples
    i : the place of its first word

    Examples
    --------
    >>> [str(rule) for rule, *_ in structured.uses(("S", ("NP", "dogs"), ("VP", "bark")))]
    ['S -> NP VP', "NP -> 'dogs'", "VP -> 'bark'"]
    """
    if len(tree) == 2:
        return [(Rule(tree[0], tree[1]), i, i + 1, i + 1)]
    k = i + len(leaves(tree[1]))
    j = k + len(leaves(tree[2]))
    here = (Rule(tree[0], tree[1][0], tree[2][0]), i, k, j)
    return [here, *uses(tree[1], i), *uses(tree[2], k)]


@explained
def labelled_spans(tree: Tree) -> set[tuple[str, int, int]]:
    """Return (symbol, i, j) for every node of a tree."""
    return {(rule.head, i, j) for rule, i, _, j in uses(tree)}


@explained
def bracketed(tree: Tree) -> str:
    """Return the tree as text with brackets: (S (NP dogs) (VP bark)).

    Parameters
    ----------
    tree : nested tuples

    Examples
    --------
    >>> structured.bracketed(("S", ("NP", "dogs"), ("VP", "bark")))
    '(S (NP dogs) (VP bark))'
    """
    inner = tree[1] if len(tree) == 2 else " ".join(map(bracketed, tree[1:]))
    return f"({tree[0]} {inner})"


def _keep(cell: dict, head: str, score: float, tree: Tree) -> None:
    if head not in cell or score > cell[head][0]:
        cell[head] = (score, tree)


def _rules(line: str) -> list[Rule]:
    head, arrow, right = (part.strip() for part in line.partition("->"))
    options = [option.split() for option in right.split("|")]
    if not (arrow and head) or not all(_is_normal(option) for option in options):
        raise BadArgument(f'{line!r} is no rule: write "A -> B C" or "A -> \'word\'".')
    return [Rule(head, *(symbol.strip("'") for symbol in option)) for option in options]


def _is_normal(option: list[str]) -> bool:
    quoted = [
        symbol.startswith("'") and symbol.endswith("'") and len(symbol) > 2 for symbol in option
    ]
    return quoted == [True] or quoted == [False, False]
