"""The mistake bounds of L1, L2 and L3 as theorems: plain, cosine, hinge, kernel, structured.

In all of them z = y x is the signed example, so that a mistake is w.z <= 0 and an update w + z.
"""

from dataclasses import replace

from .statements import Cases, Combination, Induction, Lemma, Theorem

CAUCHY_SCHWARZ = Theorem(
    name="Cauchy-Schwarz",
    says="The square of an inner product is at most the product of the squared norms.",
    vectors="v u",
    conclusion=("schwarz: (v.u)^2 <= v.v*u.u",),
    proof=(
        Cases(
            "schwarz: (v.u)^2 <= v.v*u.u",
            (
                ("long: u.u > 0", "norm(u.u*v - v.u*u)", "long"),
                ("zero: u.u <= 0", "norm((v.v + 1)*u - v.u*v) + zero", "v.v + 2"),
            ),
        ),
    ),
)


def _lagrange(d: int) -> Theorem:
    """Return Lagrange's identity in d dimensions: Cauchy-Schwarz with its difference shown."""
    a, b = ([f"{letter}{i + 1}" for i in range(d)] for letter in "ab")
    pairs = [(i, j) for i in range(d) for j in range(i + 1, d)]
    sides = [" + ".join(f"{s}*{t}" for s, t in zip(*two)) for two in ((a, a), (b, b), (a, b))]
    goal = "lagrange: ({2})^2 <= ({0})*({1})".format(*sides)
    squares = " + ".join(f"sq({a[i]}*{b[j]} - {a[j]}*{b[i]})" for i, j in pairs)
    return Theorem(
        name=f"Lagrange's identity in {d} dimensions",
        says="Cauchy-Schwarz in coordinates; what is lost is a sum of squares.",
        numbers=" ".join(a + b),
        conclusion=(goal,),
        proof=(Combination(goal, squares),),
    )


PROGRESS = Induction("sum_of_progress: w.u >= k*gamma", "sum_of_progress + margin")
GROWTH = Induction("sum_of_growth: w.w <= k*R^2", "sum_of_growth + 2*mistake + radius")

MISTAKE_BOUND = Theorem(
    name="the mistake bound",
    says="On data with margin gamma in a ball of radius R around the origin, the perceptron makes "
    "at most (R/gamma)^2 mistakes.",
    where="z = y x is the mistaken example with its sign, w the weights before the update, k the "
    "mistakes so far, B = (R/gamma)^2.",
    claim="MB-1",
    source="L1, L2",
    numbers="k R gamma B",
    vectors="w z u",
    always=("unit: u.u = 1", "positive: gamma > 0", "ratio: B*gamma^2 = R^2"),
    each=("margin: z.u >= gamma", "mistake: w.z <= 0", "radius: z.z <= R^2"),
    start={"k": "0", "w": "0"},
    step={"k": "k + 1", "w": "w + z"},
    fresh="z",
    conclusion=("bound: k <= B",),
    proof=(
        PROGRESS,
        GROWTH,
        Combination("schwarz: (w.u)^2 <= w.w", "norm(w - w.u*u) - (w.u)^2*unit"),
        Cases(
            "bound: k <= B",
            (
                (
                    "some: k > 0",
                    "k*ratio + sum_of_growth + schwarz"
                    " + sum_of_progress*(sum_of_progress + 2*some*positive)",
                    "some*positive^2",
                ),
                ("none: k <= 0", "ratio + R^2 + none*positive^2", "positive^2"),
            ),
        ),
    ),
)

COSINE = replace(
    MISTAKE_BOUND,
    name="the mistake bound, cosine form",
    says="After k mistakes the cosine c of w and u lies between sqrt(k) gamma / R and 1; so k is "
    "at most (R/gamma)^2.",
    where="z = y x is the mistaken example with its sign, n = norm(w), r = sqrt(k), c = w.u / "
    "norm(w), B = (R/gamma)^2.",
    claim="MB-2",
    source="L2",
    numbers="k R gamma B n r c",
    always=(*MISTAKE_BOUND.always, "size: R >= 0"),
    end=(
        "root: r^2 = k",
        "some: r > 0",
        "length: n^2 = w.w",
        "long: n > 0",
        "cosine: c*n = w.u",
    ),
    conclusion=("floor: r*gamma <= c*R", "ceiling: c <= 1", "bound: k <= B"),
    proof=(
        PROGRESS,
        GROWTH,
        Combination("reach: n <= r*R", "sum_of_growth + R^2*root - length", "some*size + long"),
        Combination(
            "floor: r*gamma <= c*R",
            "R*cosine + R*sum_of_progress + r*gamma*reach - gamma*R*root",
            "long",
        ),
        Combination(
            "ceiling: c <= 1", "norm(w - n*u) + length - n^2*unit - 2*n*cosine", "2*long^2"
        ),
        Combination("angle: r*gamma <= R", "floor + size*ceiling"),
        Combination(
            "bound: k <= B",
            "ratio + angle*(angle + 2*some*positive) + gamma^2*root",
            "positive^2",
        ),
    ),
)

HINGE_GOAL = "bound: T <= R^2*u.u + 2*L"

HINGE_BOUND = Theorem(
    name="the mistake bound with hinge loss",
    says="On any data, for any u of any length, the perceptron makes at most R^2 norm(u)^2 + 2 L "
    "mistakes, where L is the sum of the slacks over the mistakes, repeats included.",
    where="z = y x is the mistaken example with its sign, xi >= max(0, 1 - u.z) its slack, T the "
    "mistakes so far and L the sum of their slacks.",
    claim="MB-5",
    source="L3, Theorem 3",
    numbers="T L R xi",
    vectors="w z u",
    each=(
        "slack: xi >= 1 - z.u",
        "sign: xi >= 0",
        "mistake: w.z <= 0",
        "radius: z.z <= R^2",
    ),
    start={"T": "0", "L": "0", "w": "0"},
    step={"T": "T + 1", "L": "L + xi", "w": "w + z"},
    fresh="z xi",
    conclusion=(HINGE_GOAL,),
    proof=(
        Induction("sum_of_progress: w.u >= T - L", "sum_of_progress + slack"),
        Induction("sum_of_growth: w.w <= T*R^2", "sum_of_growth + 2*mistake + radius"),
        Induction("losses: L >= 0", "losses + sign"),
        Induction("count: T >= 0", "count + 1"),
        Lemma("schwarz: (w.u)^2 <= w.w*u.u", CAUCHY_SCHWARZ, {"v": "w", "u": "u"}),
        Cases(
            "multiplied: T*T <= T*(R^2*u.u + 2*L)",
            (
                (
                    "enough: T >= L",
                    "u.u*sum_of_growth + schwarz"
                    " + sum_of_progress*(sum_of_progress + 2*enough) + sq(L)",
                    "1",
                ),
                ("short: T < L", "count*R^2*u.u + count*losses + count*short", "1"),
            ),
        ),
        Cases(
            HINGE_GOAL,
            (
                ("some: T > 0", "multiplied", "some"),
                ("none: T <= 0", "R^2*u.u + 2*losses + none", "1"),
            ),
        ),
    ),
)

HINGE_BOUND_WITHOUT_SQUARING = replace(
    HINGE_BOUND,
    name="the mistake bound with hinge loss, without squaring",
    where=HINGE_BOUND.where + " No case is needed, and slacks may even be negative.",
    always=("size: R > 0",),
    each=tuple(fact for fact in HINGE_BOUND.each if not fact.startswith("sign")),
    proof=(
        *HINGE_BOUND.proof[:2],
        Combination(
            HINGE_GOAL, "norm(R^2*u - w) + 2*R^2*sum_of_progress + sum_of_growth", "size^2"
        ),
    ),
)

KERNEL_BOUND = replace(
    MISTAKE_BOUND,
    name="the mistake bound of the kernel perceptron",
    says="With R^2 >= K(x, x) and a margin gamma in phi-space, the kernel perceptron makes at "
    "most (R/gamma)^2 mistakes: the same certificate, because only inner products occur.",
    where="z = y phi(x), every inner product is a sum of values of K, B = (R/gamma)^2.",
    claim="KP-3",
    source="L1",
)

STRUCTURED_BOUND = replace(
    MISTAKE_BOUND,
    name="the mistake bound of the structured perceptron",
    says="If some u of length 1 scores every right structure by at least gamma more than every "
    "wrong one, and the features of a wrong structure are never farther than R from those of the "
    "right one, the structured perceptron makes at most (R/gamma)^2 mistakes (Collins 2002): the "
    "same certificate.",
    where="w is L2's theta (step 1) and z = f(x, y) - f(x, y*), the features of the right "
    "structure minus those of the predicted one, so that a mistake is w.z <= 0; B = (R/gamma)^2.",
    claim="ST-4",
    source="L2",
)

STRUCTURED_HINGE_BOUND = replace(
    HINGE_BOUND_WITHOUT_SQUARING,
    name="the mistake bound of the structured perceptron with hinge loss",
    where="z = f(x, y) - f(x, y*) as above, xi >= 1 - u.z its slack.",
    claim="",
    source="beyond the lectures",
)

SHATTERED = replace(
    MISTAKE_BOUND,
    name="at most (R/gamma)^2 points are shattered at margin gamma",
    says="Label the points one by one so that y w.x <= 0, w being the sum so far. If every "
    "labelling has a separator of margin gamma, then so has this one: the same certificate bounds "
    "k.",
    where="z = y x with the label chosen so that w.z <= 0, w the sum of the points labelled so "
    "far, u the separator of this labelling, B = (R/gamma)^2.",
    claim="CX-2",
    source="L1",
)

AVERAGE_OVER_SIGNS = Theorem(
    name="the average over all signs",
    says="Over all labellings of n points in a ball of radius R, the average of the squared norm "
    "of the sum of y x is at most n R^2.",
    where="E is the average for the points so far, q = norm(x)^2 for the next one, and m the "
    "average of its inner product with the sum; half of the labellings add x, half subtract it.",
    claim="CX-2",
    source="L1",
    numbers="n R E m q",
    each=("radius: q <= R^2",),
    start={"n": "0", "E": "0"},
    step={"n": "n + 1", "E": "(E + 2*m + q)/2 + (E - 2*m + q)/2"},
    fresh="m q",
    conclusion=("average: E <= n*R^2",),
    proof=(Induction("average: E <= n*R^2", "average + radius"),),
)

UPDATE_GAIN = Theorem(
    name="what one update does",
    says="An update raises y w.x by exactly the squared norm of x.",
    claim="PE-4",
    source="L2",
    numbers="y",
    vectors="w x",
    always=("label: y^2 = 1",),
    conclusion=("gain: y*((w + y*x) @ x) = y*w.x + x.x",),
    proof=(Combination("gain: y*((w + y*x) @ x) = y*w.x + x.x", "x.x*label"),),
)

THEOREMS = (
    CAUCHY_SCHWARZ,
    _lagrange(2),
    _lagrange(3),
    UPDATE_GAIN,
    MISTAKE_BOUND,
    COSINE,
    HINGE_BOUND,
    HINGE_BOUND_WITHOUT_SQUARING,
    KERNEL_BOUND,
    STRUCTURED_BOUND,
    STRUCTURED_HINGE_BOUND,
    SHATTERED,
    AVERAGE_OVER_SIGNS,
)
