"""Theorems about losses and kernels: the hinge above the 0/1 loss, maps, closure rules.

A kernel is valid if sum c_i c_j K_ij >= 0 for all points and all c. The closure rules are stated
for three points, where every sum can be written out.
"""

from .statements import Combination, Theorem

HINGE_ABOVE = Theorem(
    name="the hinge lies above the 0/1 loss",
    says="The hinge xi = max(0, 1 - t) is at least the 0/1 loss e of the score t.",
    where="e is 0 or 1, and 1 only if t <= 0.",
    claim="LO-1",
    source="L2, L3, L4",
    numbers="t xi e",
    always=("sign: xi >= 0", "slope: xi >= 1 - t", "loss: e*e = e", "wrong: e*t <= 0"),
    conclusion=("above: e <= xi",),
    proof=(
        Combination("low: e >= 0", "sq(e) - loss"),
        Combination("high: e <= 1", "sq(1 - e) - loss"),
        Combination("above: e <= xi", "low*slope + high*sign + wrong"),
    ),
)


def _map(name: str, says: str, kernel: str, features: str, root: int, by: str) -> Theorem:
    goal = f"map: {kernel} = {features}"
    return Theorem(
        name=name,
        says=says,
        where=f"r is the square root of {root}.",
        claim="KE-2",
        source="L1, L3, L4, L5",
        numbers="x1 x2 z1 z2 r",
        always=(f"root: r^2 = {root}",),
        conclusion=(goal,),
        proof=(Combination(goal, by),),
    )


SQUARE_MAP = _map(
    "(x.z)^2 is an inner product",
    "In the plane (x.z)^2 = phi(x).phi(z) with phi(x) = (x1^2, sqrt(2) x1 x2, x2^2).",
    "(x1*z1 + x2*z2)^2",
    "x1^2*z1^2 + r*x1*x2*(r*z1*z2) + x2^2*z2^2",
    2,
    "-x1*x2*z1*z2*root",
)

SQUARE_MAP_WITH_CONSTANT = _map(
    "(1 + x.z)^2 is an inner product",
    "In the plane (1 + x.z)^2 = phi(x).phi(z) with phi(x) = (1, sqrt(2) x1, sqrt(2) x2, x1^2, "
    "sqrt(2) x1 x2, x2^2).",
    "(1 + x1*z1 + x2*z2)^2",
    "1 + r*x1*(r*z1) + r*x2*(r*z2) + x1^2*z1^2 + r*x1*x2*(r*z1*z2) + x2^2*z2^2",
    2,
    "-(x1*z1 + x2*z2 + x1*x2*z1*z2)*root",
)

CUBE_MAP = _map(
    "(x.z)^3 is an inner product",
    "In the plane (x.z)^3 = phi(x).phi(z) with phi(x) = (x1^3, sqrt(3) x1^2 x2, sqrt(3) x1 x2^2, "
    "x2^3).",
    "(x1*z1 + x2*z2)^3",
    "x1^3*z1^3 + r*x1^2*x2*(r*z1^2*z2) + r*x1*x2^2*(r*z1*z2^2) + x2^3*z2^3",
    3,
    "-(x1^2*x2*z1^2*z2 + x1*x2^2*z1*z2^2)*root",
)

POINTS = (1, 2, 3)


def form(entry: str, weight: str = "c{i}*c{j}") -> str:
    """Return sum_ij weight * entry over three points, written out; {i} <= {j} in an entry."""
    pairs = [(min(i, j), max(i, j), i, j) for i in POINTS for j in POINTS]
    terms = (f"{weight}*{entry}".format(i=i, j=j, a=a, b=b) for a, b, i, j in pairs)
    return " + ".join(terms)


def _letters(*patterns: str) -> str:
    pairs = [(a, b) for a in POINTS for b in POINTS if a <= b]
    return " ".join(dict.fromkeys(p.format(i=a, a=a, b=b) for p in patterns for a, b in pairs))


SUM_RULE = Theorem(
    name="a sum of kernels is a kernel",
    says="If K and H are valid and s >= 0, then so is K + s H (three points).",
    claim="KE-5",
    source="L5",
    numbers="s " + _letters("c{i}", "K{a}{b}", "H{a}{b}"),
    always=(
        f"first: {form('K{a}{b}')} >= 0",
        f"second: {form('H{a}{b}')} >= 0",
        "multiple: s >= 0",
    ),
    conclusion=(f"valid: {form('(K{a}{b} + s*H{a}{b})')} >= 0",),
    proof=(Combination(f"valid: {form('(K{a}{b} + s*H{a}{b})')} >= 0", "first + multiple*second"),),
)

SCALING_RULE = Theorem(
    name="f(x) K(x, z) f(z) is a kernel",
    says="If K is valid then so is f K f: its form at c is the form of K at f c (three points).",
    claim="KE-5",
    source="L5",
    numbers=_letters("c{i}", "f{i}", "K{a}{b}"),
    always=(f"kernel: {form('K{a}{b}', '(f{i}*c{i})*(f{j}*c{j})')} >= 0",),
    conclusion=(f"valid: {form('(f{i}*K{a}{b}*f{j})')} >= 0",),
    proof=(Combination(f"valid: {form('(f{i}*K{a}{b}*f{j})')} >= 0", "kernel"),),
)

PRODUCT = form("(f{i}*f{j} + g{i}*g{j})*(p{i}*p{j} + q{i}*q{j})")

PRODUCT_RULE = Theorem(
    name="a product of kernels is a kernel",
    says="K with features f, g times H with features p, q: the form of the product is a sum of "
    "squares, one per pair of features (three points, two features each).",
    claim="KE-5",
    source="L5",
    numbers=_letters("c{i}", "f{i}", "g{i}", "p{i}", "q{i}"),
    conclusion=(f"valid: {PRODUCT} >= 0",),
    proof=(
        Combination(
            f"valid: {PRODUCT} >= 0",
            " + ".join(
                "sq(" + " + ".join(f"c{i}*{f}{i}*{p}{i}" for i in POINTS) + ")"
                for f in "fg"
                for p in "pq"
            ),
        ),
    ),
)

PRODUCT_OF_MINORS = Theorem(
    name="entry by entry, the product of two Gram matrices",
    says="Two symmetric 2 x 2 matrices without negative minors: their entrywise product has none "
    "either.",
    claim="KE-5",
    source="L5",
    numbers="a b d A B D",
    always=(
        "top: a >= 0",
        "bottom: d >= 0",
        "minor: b^2 <= a*d",
        "Top: A >= 0",
        "Bottom: D >= 0",
        "Minor: B^2 <= A*D",
    ),
    conclusion=("first: a*A >= 0", "last: d*D >= 0", "both: (b*B)^2 <= a*A*d*D"),
    proof=(
        Combination("first: a*A >= 0", "top*Top"),
        Combination("last: d*D >= 0", "bottom*Bottom"),
        Combination("both: (b*B)^2 <= a*A*d*D", "minor*Top*Bottom + b^2*Minor"),
    ),
)

THEOREMS = (
    HINGE_ABOVE,
    SQUARE_MAP,
    SQUARE_MAP_WITH_CONSTANT,
    CUBE_MAP,
    SUM_RULE,
    SCALING_RULE,
    PRODUCT_RULE,
    PRODUCT_OF_MINORS,
)
