"""Theorems about the support vector machine: duality, KKT, C, the step of SMO, leave-one-out.

z = y x is the signed example, so that y (w.x + b) is w.z + b y. Sums over the examples grow by one
example per step: X the slacks, A the multipliers, S the balance sum alpha y, v = sum alpha z.
"""

from .statements import Combination, Induction, Theorem

SUMS = {"X": "X + xi", "A": "A + alpha", "S": "S + alpha*y", "v": "v + alpha*z"}
ZEROS = dict.fromkeys(SUMS, "0")
LETTERS = (
    "the examples come one by one: X is the sum of xi, A of alpha, S of alpha y, v of alpha z, "
    "where z = y x"
)

WEAK_DUALITY = Theorem(
    name="weak duality of the soft margin",
    says="No feasible alpha has a dual value above the primal value of any w, b with its slacks.",
    where=f"{LETTERS}.",
    claim="SV-9",
    source="L4; beyond the lectures",
    numbers="X A S C b alpha xi y",
    vectors="w v z",
    each=(
        "lower: alpha >= 0",
        "upper: alpha <= C",
        "slack: xi >= 0",
        "margin: w.z + b*y >= 1 - xi",
    ),
    end=("balance: S = 0",),
    start=ZEROS,
    step=SUMS,
    fresh="alpha xi y z",
    conclusion=("duality: A - v.v/2 <= w.w/2 + C*X",),
    proof=(
        Induction("terms: A <= C*X + w.v + b*S", "terms + upper*slack + lower*margin"),
        Combination("duality: A - v.v/2 <= w.w/2 + C*X", "terms + norm(w - v)/2 - b*balance"),
    ),
)

KKT = Theorem(
    name="KKT means gap 0",
    says="If every product of the KKT conditions is 0, alpha is balanced and w is the sum of "
    "alpha y x, then primal and dual value are equal: both are optimal.",
    where=f"{LETTERS}.",
    claim="SV-9",
    source="L4; beyond the lectures",
    numbers="X A S C b alpha xi y",
    vectors="w v z",
    each=("bounded: (C - alpha)*xi = 0", "tight: alpha*(w.z + b*y - 1 + xi) = 0"),
    end=("balance: S = 0", "weights: norm(w - v) = 0"),
    start=ZEROS,
    step=SUMS,
    fresh="alpha xi y z",
    conclusion=("gap: A - v.v/2 = w.w/2 + C*X",),
    proof=(
        Induction("terms: A = C*X + w.v + b*S", "terms - bounded - tight"),
        Combination("gap: A - v.v/2 = w.w/2 + C*X", "terms + b*balance - weights/2"),
    ),
)

TWO_CONVENTIONS = Theorem(
    name="the two conventions of C",
    says="What minimises norm(w)^2 / 2 + C sum xi minimises norm(w)^2 + D sum xi with D = 2 C.",
    where="v with the slacks Y is the minimiser, w with the slacks X anything else.",
    claim="SV-4",
    source="L1, L3, L4, L5",
    numbers="C D X Y",
    vectors="w v",
    always=("twice: D = 2*C", "best: v.v/2 + C*Y <= w.w/2 + C*X"),
    conclusion=("same: v.v + D*Y <= w.w + D*X",),
    proof=(Combination("same: v.v + D*Y <= w.w + D*X", "2*best + (X - Y)*twice"),),
)

PARABOLA = "A + t*(y1 - y2) - norm(v + t*(x1 - x2))/2"

SMO_PARABOLA = Theorem(
    name="along a pair the dual is a parabola",
    says="Moving alpha1 by t y1 and alpha2 by -t y2 keeps the balance and changes the dual value "
    "by s t - eta t^2 / 2.",
    where="s = F1 - F2 with F = y - v.x is the slope, eta = norm(x1 - x2)^2 = K11 + K22 - 2 K12 "
    "the curvature; y1^2 = y2^2 = 1 makes the sum of alpha grow by t (y1 - y2).",
    claim="SV-12",
    source="L4",
    numbers="t A s eta y1 y2",
    vectors="v x1 x2",
    always=("slope: s = y1 - v.x1 - y2 + v.x2", "curvature: eta = norm(x1 - x2)"),
    conclusion=(f"parabola: {PARABOLA} = A - v.v/2 + s*t - eta*t^2/2",),
    proof=(
        Combination(
            f"parabola: {PARABOLA} = A - v.v/2 + s*t - eta*t^2/2", "t^2/2*curvature - t*slope"
        ),
    ),
)

SMO_GOAL = "best: s*t - eta*t^2/2 <= s*q - eta*q^2/2"

SMO_STEP = Theorem(
    name="the SMO step is the best point of its segment",
    says="The top of the parabola, cut at the ends of the segment, is at least as high as any t "
    "in it.",
    where="the segment goes from l to h, q is where the step goes. The slope left there, s - eta "
    "q, is a - d: a > 0 only at the end h, d > 0 only at the end l.",
    claim="SV-12",
    source="L4",
    numbers="t q s eta a d l h",
    always=(
        "curved: eta >= 0",
        "low: t >= l",
        "high: t <= h",
        "up: a >= 0",
        "down: d >= 0",
        "slope: s - eta*q = a - d",
        "at_h: a*(h - q) = 0",
        "at_l: d*(q - l) = 0",
    ),
    conclusion=(SMO_GOAL,),
    proof=(
        Combination(
            SMO_GOAL,
            "up*high + down*low + curved/2*sq(q - t) + (q - t)*slope - at_h - at_l",
        ),
    ),
)

SUPPORT_VECTORS = Theorem(
    name="only support vectors matter",
    says="A hard margin that is the sum of alpha y x over its support vectors is the shortest w "
    "that keeps *these* examples right, and the only one: leaving out another example changes "
    "nothing, and leave-one-out errs only on support vectors.",
    where="u, c is the machine and w, b any other; one support vector per step: A is the sum of "
    "alpha, S of alpha y, v of alpha z, where z = y x. At the end v is u; so their products with "
    "w and u agree.",
    claim="SV-8",
    source="L4",
    numbers="A S b c alpha y",
    vectors="w u v z",
    each=(
        "lower: alpha >= 0",
        "margin: w.z + b*y >= 1",
        "tight: alpha*(u.z + c*y - 1) = 0",
    ),
    end=("balance: S = 0", "sum_w: v.w = w.u", "sum_u: v.u = u.u"),
    start={"A": "0", "S": "0", "v": "0"},
    step={"A": "A + alpha", "S": "S + alpha*y", "v": "v + alpha*z"},
    fresh="alpha y z",
    conclusion=("unique: norm(w - u) <= w.w - u.u", "least: u.u <= w.w"),
    proof=(
        Induction("others: A <= w.v + b*S", "others + lower*margin"),
        Induction("machine: A = u.v + c*S", "machine - tight"),
        Combination(
            "unique: norm(w - u) <= w.w - u.u",
            "2*others + 2*machine - 2*sum_w + 2*sum_u + 2*(c - b)*balance",
        ),
        Combination("least: u.u <= w.w", "unique + norm(w - u)"),
    ),
)

SUM_OF_ALPHA = Theorem(
    name="the multipliers add up to 1/gamma^2",
    says="In the hard margin the sum of alpha is norm(w)^2, which is 1/gamma^2.",
    where="u, c is the machine, gamma = 1 / norm(u); A, S, v as before, and at the end v is u.",
    claim="SV-2",
    source="beyond the lectures",
    numbers="A S c alpha y gamma",
    vectors="u v z",
    always=("width: gamma^2*u.u = 1",),
    each=("tight: alpha*(u.z + c*y - 1) = 0",),
    end=("balance: S = 0", "sum_u: v.u = u.u"),
    start={"A": "0", "S": "0", "v": "0"},
    step={"A": "A + alpha", "S": "S + alpha*y", "v": "v + alpha*z"},
    fresh="alpha y z",
    conclusion=("total: A*gamma^2 = 1",),
    proof=(
        Induction("machine: A = u.v + c*S", "machine - tight"),
        Combination(
            "total: A*gamma^2 = 1", "gamma^2*machine + gamma^2*sum_u + c*gamma^2*balance + width"
        ),
    ),
)

LEFT_OUT = Theorem(
    name="an example that errs when left out has alpha K >= 1",
    says="Without offset: if the hard margin trained without an example errs on it, then its "
    "alpha in the full machine is at least 1 / K(x, x).",
    where="F and D are the best dual values with and without the example, alpha its multiplier, K "
    "= K(x, x), m = y f(x) of the machine without it. *add*: F is the best, so it beats that "
    "machine with t = 1/K put on the example. *drop*: D is the best without it, so it beats the "
    "full machine with alpha taken away. That the best values exist is assumed: the data are "
    "separable.",
    claim="SV-8",
    source="beyond the lectures",
    numbers="F D t alpha K m",
    always=(
        "add: D + t*(1 - m) - K*t^2/2 <= F",
        "drop: F - K*alpha^2/2 <= D",
        "wrong: m <= 0",
        "inverse: t*K = 1",
        "positive: K > 0",
        "lower: alpha >= 0",
    ),
    conclusion=("share: alpha*K >= 1",),
    proof=(
        Combination(
            "squares: alpha^2*K^2 >= 1",
            "2*K*add + 2*K*drop + 2*wrong - (t*K - 1 + 2*m)*inverse",
        ),
        Combination("share: alpha*K >= 1", "squares", "lower*positive + 1"),
    ),
)

LEAVE_ONE_OUT = Theorem(
    name="leave-one-out of the hard margin",
    says="Without offset, at most (R/gamma)^2 examples err when they are left out.",
    where="e is 1 if the example errs when left out and 0 if not, K = K(x, x); m counts the "
    "errors and A adds up alpha. *share* is the theorem before this one, *total* the one before "
    "that.",
    claim="SV-8",
    source="beyond the lectures",
    numbers="m A R gamma alpha e K",
    each=("share: e <= alpha*K", "lower: alpha >= 0", "radius: K <= R^2"),
    end=("total: A*gamma^2 = 1",),
    start={"m": "0", "A": "0"},
    step={"m": "m + e", "A": "A + alpha"},
    fresh="alpha e K",
    conclusion=("errors: m*gamma^2 <= R^2",),
    proof=(
        Induction("count: m <= R^2*A", "count + share + lower*radius"),
        Combination("errors: m*gamma^2 <= R^2", "gamma^2*count - R^2*total"),
    ),
)

THEOREMS = (
    WEAK_DUALITY,
    KKT,
    TWO_CONVENTIONS,
    SMO_PARABOLA,
    SMO_STEP,
    SUPPORT_VECTORS,
    SUM_OF_ALPHA,
    LEFT_OUT,
    LEAVE_ONE_OUT,
)
