"""Each assumption dropped: exact numbers on which the theorem is then false.

For every theorem: an example in which all assumptions hold (so that they do not contradict each
other), and for every assumption a trial that breaks it alone, and the conclusion with it. Where
there is none, `SPARE` says why: the proof uses the assumption, the theorem could do without.
"""

from collections.abc import Mapping
from fractions import Fraction

from .._result import BadArgument
from . import bounds, kernels, svm
from .breaking import Trial, TrialOutcome, replay
from .polynomials import Number
from .statements import Theorem

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def steps(*rows: Mapping, times: int = 1) -> tuple[Mapping, ...]:
    """Return the rows, the whole list several times."""
    return rows * times


def along(*signed: tuple) -> tuple[Mapping, ...]:
    """Return one step per signed example z."""
    return tuple({"z": z} for z in signed)


def changed(trial: Trial, **fixed: Number | tuple) -> Trial:
    """Return a trial with other fixed numbers."""
    return Trial({**trial.fixed, **fixed}, trial.steps, trial.start)


# --- mistake bounds ---

ON_A_LINE = {"u": (1,), "R": 1, "gamma": 1, "B": 1}
ONE = Trial(ON_A_LINE, along((1,)))
TURNING = along((1,), (-1,), (1,), (-1,), (1,), (-1,), (1,), (-1,), (1,))

MISTAKE_BOUND = {
    "unit": changed(ONE, u=(2,), gamma=2, B=QUARTER),
    "positive": Trial({"u": (1,), "R": 0, "gamma": 0, "B": 0}, along((0,))),
    "ratio": changed(ONE, B=0),
    "margin": Trial(ON_A_LINE, along((1,), (-1,))),
    "mistake": Trial(ON_A_LINE, along((1,), (1,))),
    "radius": Trial({**ON_A_LINE, "u": (1, 0)}, along((1, 3), (1, -3))),
    "start": Trial(ON_A_LINE, along((1,), (1,), (1,), (1,)), {"w": (-3,)}),
}

ANGLE = {"n": 1, "r": 1, "c": 1}
ONE_ANGLE = changed(ONE, **ANGLE)

COSINE = {
    "unit": changed(ONE_ANGLE, u=(2,), gamma=2, B=QUARTER, c=2),
    "positive": Trial({**ON_A_LINE, **ANGLE, "gamma": -1, "r": 3}, TURNING),
    "ratio": changed(ONE_ANGLE, B=0),
    "size": changed(ONE_ANGLE, R=-1),
    "margin": Trial({**ON_A_LINE, **ANGLE, "r": 3}, TURNING),
    "mistake": Trial({**ON_A_LINE, "n": 4, "r": 2, "c": 1}, along((1,), (1,), (1,), (1,))),
    "radius": Trial(
        {"u": (1, 0), "R": 1, "gamma": 3, "B": Fraction(1, 9), "n": 5, "r": 1, "c": Fraction(3, 5)},
        along((3, 4)),
    ),
    "root": changed(ONE_ANGLE, r=5),
    "length": changed(ONE_ANGLE, n=HALF, c=2),
    "long": changed(ONE_ANGLE, n=-1, c=-1),
    "cosine": changed(ONE_ANGLE, c=2),
    "start": Trial(
        {**ON_A_LINE, "n": 1, "r": 2, "c": 1}, MISTAKE_BOUND["start"].steps, {"w": (-3,)}
    ),
}

NO_SLACK = {"z": (1,), "xi": 0}
HINGE = {
    "slack": Trial({"u": (0,), "R": 1}, steps(NO_SLACK)),
    "mistake": Trial({"u": (1,), "R": 1}, steps(NO_SLACK, times=2)),
    "radius": Trial({"u": (1, 0), "R": 1}, steps({"z": (1, 3), "xi": 0}, {"z": (1, -3), "xi": 0})),
    "start": Trial({"u": (1,), "R": 1}, steps(NO_SLACK, times=4), {"T": 0, "L": 0, "w": (-3,)}),
}
ONE_HINGE = Trial({"u": (1,), "R": 1}, steps(NO_SLACK, {"z": (-1,), "xi": 2}))

AVERAGE = {
    "radius": Trial({"R": 1}, steps({"m": 0, "q": 2})),
    "start": Trial({"R": 1}, (), {"n": 0, "E": 5}),
}

# --- support vector machines: one row per example ---


def examples(alpha: tuple, xi: tuple, y: tuple, z: tuple) -> tuple[Mapping, ...]:
    """Return one step per example."""
    return tuple({"alpha": a, "xi": s, "y": t, "z": v} for a, s, t, v in zip(alpha, xi, y, z))


PAIR = (1, -1), ((1,), (1,))  # x = 1 with label +, x = -1 with label -: twice z = 1
AT_0 = (1, -1), ((0,), (0,))
ONE_AT_0 = (1,), ((0,),)
SOLVED = Trial({"C": 1, "b": 0, "w": (1,)}, examples((HALF, HALF), (0, 0), *PAIR))

WEAK_DUALITY = {
    "lower": Trial(
        {"C": 2, "b": 0, "w": (1,)},
        examples((2, 1, -1), (0, 0, 0), (1, -1, 1), ((1,), (1,), (3,))),
    ),
    "upper": Trial({"C": 0, "b": 0, "w": (0,)}, examples((HALF, HALF), (1, 1), *PAIR)),
    "slack": Trial({"C": 1, "b": 0, "w": (2,)}, examples((HALF, HALF), (-1, -1), *PAIR)),
    "margin": Trial({"C": 1, "b": 0, "w": (0,)}, examples((HALF, HALF), (0, 0), *PAIR)),
    "balance": Trial({"C": 1, "b": 1, "w": (0,)}, examples((1,), (0,), *ONE_AT_0)),
    "start": Trial({"C": 1, "b": 0, "w": (0,)}, (), {"X": -10, "A": 0, "S": 0, "v": (0,)}),
}

KKT = {
    "bounded": Trial({"C": 1, "b": 0, "w": (0,)}, examples((0,), (1,), *ONE_AT_0)),
    "tight": Trial({"C": 1, "b": 0, "w": (0,)}, examples((1, 1), (0, 0), *AT_0)),
    "balance": Trial({"C": 1, "b": 1, "w": (0,)}, examples((1,), (0,), *ONE_AT_0)),
    "weights": Trial({"C": 1, "b": 0, "w": (1,)}),
    "start": Trial({"C": 1, "b": 0, "w": (0,)}, (), {"X": 1, "A": 0, "S": 0, "v": (0,)}),
}

TWO = Trial({"C": 1, "D": 2, "X": 1, "Y": 0, "v": (1,), "w": (0,)})
TWO_CONVENTIONS = {"twice": changed(TWO, D=0), "best": changed(TWO, X=0)}

LINE = {"t": 1, "A": 0, "s": 2, "eta": 1, "y1": 1, "y2": -1, "v": (0,), "x1": (1,), "x2": (0,)}
SMO_PARABOLA = {"slope": Trial({**LINE, "s": 0}), "curvature": Trial({**LINE, "eta": 0})}

TOP = Trial({"t": 1, "q": 0, "s": 0, "eta": 1, "a": 0, "d": 0, "l": -1, "h": 1})
SMO_STEP = {
    "curved": changed(TOP, eta=-1),
    "low": changed(TOP, eta=0, s=-1, d=1, l=0, t=-1),
    "high": changed(TOP, eta=0, s=1, a=1, h=0),
    "up": changed(TOP, eta=0, s=-1, a=-1, h=0, t=-1),
    "down": changed(TOP, eta=0, s=1, d=-1, l=0),
    "slope": changed(TOP, eta=0, s=1),
    "at_h": changed(TOP, eta=0, s=1, a=1),
    "at_l": changed(TOP, eta=0, s=-1, d=1, t=-1),
}


def support(alpha: tuple, y: tuple, z: tuple) -> tuple[Mapping, ...]:
    """Return one step per support vector."""
    return tuple({"alpha": a, "y": t, "z": v} for a, t, v in zip(alpha, y, z))


BOTH = (1, -1)
MACHINE = Trial({"u": (1,), "c": 0, "w": (2,), "b": 0}, support((HALF, HALF), *PAIR))
SUPPORT_VECTORS = {
    "lower": Trial(
        {"u": (0, 1), "c": 0, "w": (HALF, HALF), "b": 0},
        support(
            (3 * QUARTER, 3 * QUARTER, -QUARTER, -QUARTER), BOTH * 2, ((1, 1),) * 2 + ((3, 1),) * 2
        ),
    ),
    "margin": changed(MACHINE, w=(0,)),
    "tight": Trial({"u": (2,), "c": 0, "w": (1,), "b": 0}, support((1, 1), *PAIR)),
    "balance": Trial({"u": (1,), "c": 0, "w": (0,), "b": 1}, support((1,), (1,), ((1,),))),
    "sum_w": Trial(
        {"u": (1, 0), "c": 0, "w": (0, Fraction(1, 5)), "b": 0},
        support((HALF, HALF), BOTH, ((1, 5), (1, 5))),
    ),
    "sum_u": Trial(
        {"u": (1, 1), "c": 0, "w": (1, 0), "b": 0}, support((HALF, HALF), BOTH, ((1, 0), (1, 0)))
    ),
    "start": Trial({"u": (1,), "c": 0, "w": (0,), "b": 0}, (), {"A": 0, "S": 0, "v": (1,)}),
}

WIDTH = Trial({"u": (1,), "c": 0, "gamma": 1}, support((HALF, HALF), *PAIR))
SUM_OF_ALPHA = {
    "width": changed(WIDTH, gamma=2),
    "tight": Trial({"u": (2,), "c": 0, "gamma": HALF}, support((1, 1), *PAIR)),
    "balance": Trial({"u": (1,), "c": 1, "gamma": 1}, support((HALF,), (-1,), ((2,),))),
    "sum_u": Trial({"u": (1,), "c": 0, "gamma": 1}),
    "start": Trial(WIDTH.fixed, WIDTH.steps, {"A": 5, "S": 0, "v": (0,)}),
}

ERRS = Trial({"K": 1, "t": 1, "m": 0, "D": 0, "F": HALF, "alpha": 1})
LEFT_OUT = {
    "add": changed(ERRS, F=0, alpha=0),
    "drop": changed(ERRS, alpha=0),
    "wrong": changed(ERRS, m=1, F=0, alpha=0),
    "inverse": changed(ERRS, t=0, F=0, alpha=0),
    "positive": changed(ERRS, K=-1, t=-1, F=0, alpha=0),
    "lower": changed(ERRS, alpha=-1),
}

LOO = {"R": 1, "gamma": 1}
ONE_LOO = Trial(LOO, steps({"alpha": 1, "e": 1, "K": 1}))
LEAVE_ONE_OUT = {
    "share": Trial({"R": 0, "gamma": 1}, steps({"alpha": 1, "e": 1, "K": 0})),
    "lower": Trial(
        {"R": 0, "gamma": 1},
        steps({"alpha": -1, "e": 1, "K": -5}, {"alpha": 2, "e": 0, "K": 0}),
    ),
    "radius": Trial(LOO, steps({"alpha": HALF, "e": 1, "K": 2}, times=2)),
    "total": changed(ONE_LOO, gamma=2),
    "start": Trial(LOO, ONE_LOO.steps, {"m": 5, "A": 0}),
}

# --- losses and kernels ---

HINGE_ABOVE = {
    "sign": Trial({"t": 5, "xi": -1, "e": 0}),
    "slope": Trial({"t": 0, "xi": 0, "e": 1}),
    "loss": Trial({"t": 0, "xi": 1, "e": 2}),
    "wrong": Trial({"t": 1, "xi": 0, "e": 1}),
}
ONES = Trial({"x1": 1, "x2": 1, "z1": 1, "z2": 1, "r": 1})
MAP = {"root": ONES}


def zeros(theorem: Theorem, **values: Number) -> Trial:
    """Return 0 for every letter but these."""
    return Trial({**dict.fromkeys(theorem.numbers.split(), 0), **values})


SUM_RULE = {
    "first": zeros(kernels.SUM_RULE, c1=1, K11=-1),
    "second": zeros(kernels.SUM_RULE, c1=1, H11=-1, s=1),
    "multiple": zeros(kernels.SUM_RULE, c1=1, H11=1, s=-1),
}
SCALING_RULE = {"kernel": zeros(kernels.SCALING_RULE, c1=1, f1=1, K11=-1)}
PRODUCT_OF_MINORS = {
    "top": zeros(kernels.PRODUCT_OF_MINORS, a=-1, A=1),
    "bottom": zeros(kernels.PRODUCT_OF_MINORS, d=-1, D=1),
    "minor": zeros(kernels.PRODUCT_OF_MINORS, b=1, A=1, B=1, D=1),
    "Top": zeros(kernels.PRODUCT_OF_MINORS, a=1, A=-1),
    "Bottom": zeros(kernels.PRODUCT_OF_MINORS, d=1, D=-1),
    "Minor": zeros(kernels.PRODUCT_OF_MINORS, B=1, a=1, b=1, d=1),
}

#: theorem -> assumption -> the trial that proves it needed
COUNTEREXAMPLES: dict[str, Mapping[str, Trial]] = {
    theorem.name: trials
    for theorem, trials in (
        (bounds.MISTAKE_BOUND, MISTAKE_BOUND),
        (bounds.KERNEL_BOUND, MISTAKE_BOUND),
        (bounds.STRUCTURED_BOUND, MISTAKE_BOUND),
        (bounds.SHATTERED, MISTAKE_BOUND),
        (bounds.COSINE, COSINE),
        (bounds.HINGE_BOUND, HINGE),
        (bounds.HINGE_BOUND_WITHOUT_SQUARING, HINGE),
        (bounds.STRUCTURED_HINGE_BOUND, HINGE),
        (bounds.AVERAGE_OVER_SIGNS, AVERAGE),
        (bounds.UPDATE_GAIN, {"label": Trial({"y": 2, "w": (0,), "x": (1,)})}),
        (svm.WEAK_DUALITY, WEAK_DUALITY),
        (svm.KKT, KKT),
        (svm.TWO_CONVENTIONS, TWO_CONVENTIONS),
        (svm.SMO_PARABOLA, SMO_PARABOLA),
        (svm.SMO_STEP, SMO_STEP),
        (svm.SUPPORT_VECTORS, SUPPORT_VECTORS),
        (svm.SUM_OF_ALPHA, SUM_OF_ALPHA),
        (svm.LEFT_OUT, LEFT_OUT),
        (svm.LEAVE_ONE_OUT, LEAVE_ONE_OUT),
        (kernels.HINGE_ABOVE, HINGE_ABOVE),
        (kernels.SQUARE_MAP, MAP),
        (kernels.SQUARE_MAP_WITH_CONSTANT, MAP),
        (kernels.CUBE_MAP, MAP),
        (kernels.SUM_RULE, SUM_RULE),
        (kernels.SCALING_RULE, SCALING_RULE),
        (kernels.PRODUCT_OF_MINORS, PRODUCT_OF_MINORS),
    )
}

#: theorem -> assumption -> why no trial breaks the conclusion: only this proof needs it
SPARE: dict[str, Mapping[str, str]] = {
    bounds.COSINE.name: {"some": "with r = -sqrt(k) the floor is only lower"},
    bounds.HINGE_BOUND.name: {"sign": "the proof without squaring does without it"},
    bounds.HINGE_BOUND_WITHOUT_SQUARING.name: {"size": "R = 0 makes z = 0, so xi >= 1 and T <= L"},
    bounds.STRUCTURED_HINGE_BOUND.name: {"size": "R = 0 makes z = 0, so xi >= 1 and T <= L"},
}

#: theorem -> numbers on which all its assumptions hold, at least one step included
EXAMPLES: dict[str, Trial] = {
    bounds.MISTAKE_BOUND.name: ONE,
    bounds.KERNEL_BOUND.name: ONE,
    bounds.STRUCTURED_BOUND.name: ONE,
    bounds.SHATTERED.name: ONE,
    bounds.COSINE.name: ONE_ANGLE,
    bounds.HINGE_BOUND.name: ONE_HINGE,
    bounds.HINGE_BOUND_WITHOUT_SQUARING.name: ONE_HINGE,
    bounds.STRUCTURED_HINGE_BOUND.name: ONE_HINGE,
    bounds.AVERAGE_OVER_SIGNS.name: Trial({"R": 1}, steps({"m": 3, "q": 1}, times=2)),
    bounds.UPDATE_GAIN.name: Trial({"y": -1, "w": (2, 1), "x": (1, 3)}),
    svm.WEAK_DUALITY.name: SOLVED,
    svm.KKT.name: SOLVED,
    svm.TWO_CONVENTIONS.name: TWO,
    svm.SMO_PARABOLA.name: Trial(LINE),
    svm.SMO_STEP.name: TOP,
    svm.SUPPORT_VECTORS.name: MACHINE,
    svm.SUM_OF_ALPHA.name: WIDTH,
    svm.LEFT_OUT.name: ERRS,
    svm.LEAVE_ONE_OUT.name: ONE_LOO,
    kernels.HINGE_ABOVE.name: Trial({"t": -1, "xi": 2, "e": 1}),
    kernels.SUM_RULE.name: zeros(kernels.SUM_RULE, c1=1, K11=1, H11=1, s=1),
    kernels.SCALING_RULE.name: zeros(kernels.SCALING_RULE, c1=1, f1=2, K11=1),
    kernels.PRODUCT_OF_MINORS.name: zeros(kernels.PRODUCT_OF_MINORS, a=1, b=1, d=1, A=2, B=1, D=1),
}


def break_it(theorem: Theorem, assumption: str) -> TrialOutcome:
    """Drop one assumption: replay the stored numbers on which the theorem is then false.

    Parameters
    ----------
    theorem : one of the theorems
    assumption : the name of what it assumes

    Examples
    --------
    >>> theorems.break_it(theorems.MISTAKE_BOUND, "radius").holds
    False
    """
    trials = COUNTEREXAMPLES.get(theorem.name, {})
    if assumption not in trials:
        spare = SPARE.get(theorem.name, {}).get(assumption)
        known = f"there are {sorted(trials)}"
        raise BadArgument(f"No numbers break {assumption!r}: {spare or known}.")
    return replay(theorem, trials[assumption])


CATALOGUE = {t.name: t for module in (bounds, kernels, svm) for t in module.THEOREMS}
