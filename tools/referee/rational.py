"""Linear systems and convex quadratic programs in whole numbers and fractions.

A float is a whole number over a power of two, so nothing is rounded on the way in, and nothing
is rounded here.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

Vector = list[Fraction]
Matrix = list[Vector]

ZERO = Fraction(0)
#: Larger than every fraction.
INFINITE = float("inf")
#: The active set method ends by itself; this guards against a Q that is not what it should be.
MOST_STEPS = 1000


def exact(values) -> list:
    """Return nested lists of floats or whole numbers as fractions."""
    values = values.tolist() if hasattr(values, "tolist") else values
    if isinstance(values, list):
        return [exact(v) for v in values]
    return Fraction(values)


def words(value, digits: int = 3) -> str:
    """Return a fraction as a number with few digits, however large it is."""
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "beyond all floats"


def dot(x: Sequence, y: Sequence):
    """Return x.y."""
    return sum((a * b for a, b in zip(x, y)), ZERO)


def integers(rows: Matrix) -> tuple[list[list[int]], int]:
    """Return whole numbers and the unit by which they are the rows times that unit."""
    unit = lcm(*(Fraction(v).denominator for row in rows for v in row))
    return [[int(v * unit) for v in row] for row in rows], unit


def solve(A: Matrix, rhs: Vector) -> Vector | None:
    """Return the solution of a square system by Bareiss's elimination; None if it is singular."""
    M, _ = integers([[*row, r] for row, r in zip(A, rhs)])
    n, before = len(M), 1
    for c in range(n):
        pivot = next((r for r in range(c, n) if M[r][c]), None)
        if pivot is None:
            return None
        M[c], M[pivot] = M[pivot], M[c]
        head, lead = M[c], M[c][c]
        for r in range(c + 1, n):
            row, f = M[r], M[r][c]
            M[r] = [0] * (c + 1) + [
                (lead * row[k] - f * head[k]) // before for k in range(c + 1, n + 1)
            ]
        before = lead
    return _back(M)


def _back(M: list[list[int]]) -> Vector:
    n = len(M)
    x = [ZERO] * n
    for r in reversed(range(n)):
        x[r] = (M[r][n] - dot(M[r][r + 1 : n], x[r + 1 :])) / M[r][r]
    return x


def point_or_ray(A: Matrix, rhs: Vector) -> tuple[bool, Vector]:
    """Return (True, a solution) of a symmetric system, or (False, z) with A z = 0, z.rhs != 0."""
    n = len(A)
    rows = [[*A[i], rhs[i], *(Fraction(i == j) for j in range(n))] for i in range(n)]
    pivots: list[int] = []
    for c in range(n):
        r = len(pivots)
        found = next((k for k in range(r, n) if rows[k][c]), None)
        if found is None:
            continue
        rows[r], rows[found] = rows[found], rows[r]
        rows[r] = [v / rows[r][c] for v in rows[r]]
        for k in range(n):
            if k != r and rows[k][c]:
                rows[k] = [a - rows[k][c] * b for a, b in zip(rows[k], rows[r])]
        pivots.append(c)
    for row in rows[len(pivots) :]:
        if row[n]:
            return False, row[n + 1 :]
    x = [ZERO] * n
    for r, c in enumerate(pivots):
        x[c] = rows[r][n]
    return True, x


class Unbounded(Exception):
    """The program has no least value: it falls along a ray for ever."""


class Program:
    """Minimise half x'Qx + c.x over 0 <= x <= upper and a.x constant; Q is PSD.

    `upper` holds fractions, or None for no bound; `a` holds +1 and -1, or is None: no equation.
    The active set method: go to the least point of the face, drop what blocks the way, and free
    one variable that wants to leave its bound. Each step goes down, so no face comes twice.
    """

    def __init__(self, Q: Matrix, c: Vector, upper: list, a: Vector | None = None) -> None:
        self.Q, self.c, self.upper, self.a = Q, c, upper, a
        self._whole, self._unit = integers(Q)

    def minimise(self, start: Vector, guess: list | None = None) -> Vector:
        """Return a minimiser. `start` is feasible; `guess` has a bound for each variable, or None
        for one that is free: it saves work if it is right, and does no harm if it is wrong.
        """
        x = self._guessed(start, guess) or list(start)
        free = self._inside(x)
        for _ in range(MOST_STEPS):
            g = self.gradient(x)
            if self._is_least(g, free):
                more = self._violators(x, g, free)
                if not more:
                    return x
                free = sorted({*free, *more})
            x = self._step(x, g, free)
            free = self._inside(x)
        raise ArithmeticError("The active set method did not end: is Q positive semi-definite?")

    def prices(self, x: Vector) -> tuple[Fraction | None, Fraction | None]:
        """Return the interval of the equation's multiplier at a minimiser; None: no end."""
        p = self._prices(self.gradient(x))
        up = [p[i] for i in range(len(x)) if self._may(x, i, 1)]
        down = [p[i] for i in range(len(x)) if self._may(x, i, -1)]
        return max(up, default=None), min(down, default=None)

    def value(self, x: Vector) -> Fraction:
        """Return half x'Qx + c.x."""
        return sum((v * (g + c) for v, g, c in zip(x, self.gradient(x), self.c)), ZERO) / 2

    def gradient(self, x: Vector) -> Vector:
        """Return Q x + c."""
        some = [j for j, v in enumerate(x) if v]
        if not some:
            return list(self.c)
        unit = lcm(*(x[j].denominator for j in some))
        whole = [int(x[j] * unit) for j in some]
        return [
            Fraction(sum(row[j] * v for j, v in zip(some, whole)), unit * self._unit) + c
            for row, c in zip(self._whole, self.c)
        ]

    def _guessed(self, start: Vector, guess: list | None) -> Vector | None:
        """Return the least point of the face that is guessed, if it is feasible."""
        if guess is None:
            return None
        free = [i for i, v in enumerate(guess) if v is None]
        x = [ZERO if v is None else v for v in guess]
        system, right = self._system(free, self.gradient(x))
        if self.a:
            right[-1] = dot(self.a, start) - dot(self.a, x)
        if not system:
            return None
        found = solve(system, right)
        if found is None:
            return None
        for i, v in zip(free, found):
            x[i] = v
        inside = all(v >= 0 and (u is None or v <= u) for v, u in zip(x, self.upper))
        return x if inside else None

    def _inside(self, x: Vector) -> list[int]:
        return [i for i, (v, u) in enumerate(zip(x, self.upper)) if v > 0 and (u is None or v < u)]

    def _prices(self, g: Vector) -> Vector:
        """Return how much the value falls if x_i moves along a_i; equal on a least face."""
        return [-v * s for v, s in zip(g, self.a)] if self.a else [-v for v in g]

    def _is_least(self, g: Vector, free: list[int]) -> bool:
        prices = [self._prices(g)[i] for i in free]
        return not prices or all(p == (prices[0] if self.a else 0) for p in prices)

    def _violators(self, x: Vector, g: Vector, free: list[int]) -> list[int]:
        """Return a variable that wants to leave its bound, or a pair; none if x is best."""
        prices = self._prices(g)
        up = [i for i in range(len(x)) if self._may(x, i, 1)]
        down = [i for i in range(len(x)) if self._may(x, i, -1)]
        i = max(up, key=prices.__getitem__, default=None)
        j = min(down, key=prices.__getitem__, default=None)
        if self.a is None:
            gains = [(prices[i], i)] if i is not None and prices[i] > 0 else []
            gains += [(-prices[j], j)] if j is not None and prices[j] < 0 else []
            return [max(gains)[1]] if gains else []
        if i is None or j is None or prices[i] <= prices[j]:
            return []
        if not free:
            return [i, j]
        level = prices[free[0]]
        return [i if prices[i] - level >= level - prices[j] else j]

    def _may(self, x: Vector, i: int, way: int) -> bool:
        """Return whether x_i has room along a_i (way 1) or against it (way -1)."""
        way = way * (self.a[i] if self.a else 1)
        return (self.upper[i] is None or x[i] < self.upper[i]) if way > 0 else x[i] > 0

    def _system(self, free: list[int], g: Vector) -> tuple[Matrix, Vector]:
        rows = [[self.Q[i][j] for j in free] for i in free]
        right = [-g[i] for i in free]
        if self.a:
            rows = [[*row, self.a[i]] for row, i in zip(rows, free)]
            rows.append([*(self.a[i] for i in free), ZERO])
            right.append(ZERO)
        return rows, right

    def _step(self, x: Vector, g: Vector, free: list[int]) -> Vector:
        """Go to the least point of the face, or as far as the box lets us."""
        system, right = self._system(free, g)
        found = solve(system, right)
        whole = True
        if found is None:
            whole, found = point_or_ray(system, right)
        p = dict(zip(free, found))
        if not whole and sum(p[i] * g[i] for i in free) > 0:
            p = {i: -v for i, v in p.items()}
        room = min((self._room(x[i], v, self.upper[i]) for i, v in p.items() if v), default=None)
        if room is None:
            if not whole:
                raise Unbounded
            room = Fraction(1)
        if room == INFINITE and not whole:
            raise Unbounded
        t = min(room, Fraction(1)) if whole else room
        return [v + t * p[i] if i in p else v for i, v in enumerate(x)]

    @staticmethod
    def _room(v: Fraction, p: Fraction, upper: Fraction | None):
        if p < 0:
            return v / -p
        return INFINITE if upper is None else (upper - v) / p


def is_psd(K: Matrix) -> bool:
    """Return whether a symmetric matrix is positive semi-definite, by exact elimination."""
    M, n = [list(row) for row in K], len(K)
    for c in range(n):
        if M[c][c] < 0 or (M[c][c] == 0 and any(M[c][c:])):
            return False
        if M[c][c] == 0:
            continue
        for r in range(c + 1, n):
            f = M[r][c] / M[c][c]
            if f:
                M[r] = [a - f * b for a, b in zip(M[r], M[c])]
    return True
