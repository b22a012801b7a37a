"""Theorems that carry their own proof: right ones are proved, wrong ones refused by name."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from lectures_lib import theorems
from lectures_lib.theorems import Cases, Combination, Induction, Lemma, Theorem
from tools.environment import ROOT

ALL = list(theorems.CATALOGUE.values())
BOUND, HINGE = theorems.MISTAKE_BOUND, theorems.HINGE_BOUND
by_name = pytest.mark.parametrize("theorem", ALL, ids=lambda t: t.name)


@by_name
def test_every_theorem_is_proved_and_needs_all_that_it_assumes(theorem):
    proof = theorems.check(theorem)
    assert (proof.verdict, proof.holds, proof.reason, proof.unneeded) == ("proved", True, "", ())


@by_name
def test_the_assumptions_of_a_theorem_do_not_contradict_each_other(theorem):
    if "square root of" in theorem.where or not theorem.assumptions:
        return  # no fraction is the square root of 2 or 3
    found = theorems.replay(theorem, theorems.EXAMPLES[theorem.name])
    assert (found.broken, found.failed, found.negative) == ((), (), "")
    assert bool(theorem.step) == bool(theorems.EXAMPLES[theorem.name].steps)


def droppable():
    """Yield every theorem with every assumption, the start included."""
    for theorem in ALL:
        for name in [*theorem.assumptions, *(["start"] if theorem.step else [])]:
            if name not in theorems.SPARE.get(theorem.name, {}):
                yield pytest.param(theorem, name, id=f"{theorem.name}: {name}")


@pytest.mark.parametrize(("theorem", "name"), list(droppable()))
def test_without_any_one_assumption_the_theorem_is_false_on_exact_numbers(theorem, name):
    found = theorems.break_it(theorem, name)
    assert found.needs(name)
    assert found.verdict == "refuted"
    assert name == "start" or f"the term {name}," in found.negative or not theorem.step


def test_the_term_that_turned_negative_is_named_with_its_value():
    assert "line 'sum_of_growth', step 1: the term radius, R² − ‖z‖², is -9" in str(
        theorems.break_it(BOUND, "radius")
    )
    assert "line 'sum_of_progress', step 1: the term sum_of_progress" in str(
        theorems.break_it(BOUND, "start")
    )


def test_an_assumption_that_only_the_proof_needs_is_called_spare():
    with pytest.raises(ValueError, match="without squaring"):
        theorems.break_it(HINGE, "sign")
    other = theorems.HINGE_BOUND_WITHOUT_SQUARING
    assert other.conclusion == HINGE.conclusion and "sign" not in other.assumptions
    with pytest.raises(ValueError, match="radius"):
        theorems.break_it(BOUND, "nonsense")


def test_an_unneeded_assumption_is_reported():
    more = replace(BOUND, numbers=BOUND.numbers + " d", always=(*BOUND.always, "finite: d > 0"))
    proof = theorems.check(more)
    assert proof.holds and proof.unneeded == ("finite",)
    assert "not needed: finite" in str(proof)


def test_kernel_structured_and_shattered_forms_have_the_same_certificate():
    for same in (theorems.KERNEL_BOUND, theorems.STRUCTURED_BOUND, theorems.SHATTERED):
        assert (same.proof, same.assumptions.keys()) == (BOUND.proof, BOUND.assumptions.keys())


def test_a_run_of_the_lecture_is_an_instance_of_the_theorem():
    signed = [(1, -2), (1, 1), (1, 2)]  # L1's worked example: mistakes 1, 3, 5
    fixed = {"u": (1, 0), "gamma": 1, "R": Fraction(9, 4), "B": Fraction(81, 16)}
    found = theorems.replay(BOUND, theorems.Trial(fixed, tuple({"z": z} for z in signed)))
    assert (found.broken, found.failed, found.negative) == ((), (), "")


def test_every_theorem_stands_in_its_row_of_the_claims():
    rows = (ROOT / "CLAIMS.md").read_text(encoding="utf-8").splitlines()
    names = {name for name in theorems.__all__ if isinstance(getattr(theorems, name), Theorem)}
    for name in names:
        claim = getattr(theorems, name).claim
        assert (
            any(f"`theorems.{name}`" in row and f"| {claim} |" in row for row in rows) or not claim
        )


# --- wrong proofs ---


def with_line(theorem: Theorem, line, conclusion=None) -> Theorem:
    """Put a line in the place of the one with its name, or at the end; forget what follows."""
    names = [step.goal.split(":")[0] for step in theorem.proof]
    at = names.index(line.goal.split(":")[0]) if line.goal.split(":")[0] in names else len(names)
    return replace(
        theorem, proof=(*theorem.proof[:at], line), conclusion=conclusion or (line.goal,)
    )


SQUARES = "squares: (T - L)^2 <= T*R^2*u.u"
BOTH = "sum_of_progress*(sum_of_progress + 2*some*positive)"
SOME = "k*ratio + sum_of_growth + schwarz + "

WRONG = {
    "a negative coefficient": (
        with_line(BOUND, Induction("lie: w.w >= k*R^2", "lie - 2*mistake - radius")),
        "the coefficient −2 of mistake is negative",
    ),
    "a negative square": (
        with_line(HINGE, Combination("lie: 0 >= L^2", "-sq(L)")),
        "the coefficient −1 of L² is negative",
    ),
    "an odd power": (
        with_line(HINGE, Combination("lie: (w.u)^3 >= 0", "(w.u)^3")),
        "the factor (w·u)³ has no known sign",
    ),
    "a missing assumption: the mistake (Pythagoras)": (
        with_line(BOUND, Induction("sum_of_growth: w.w <= k*R^2", "sum_of_growth + radius")),
        "left over: −2 w·z",
    ),
    "half of the mistake": (
        with_line(
            BOUND, Induction("sum_of_growth: w.w <= k*R^2", "sum_of_growth + mistake + radius")
        ),
        "left over: −w·z",
    ),
    "a missing assumption: u has length 1": (
        with_line(BOUND, Combination("schwarz: (w.u)^2 <= w.w", "norm(w - w.u*u)")),
        "left over",
    ),
    "a product of unsigned things": (
        with_line(
            BOUND,
            Cases(
                "bound: k <= B",
                (
                    ("some: k > 0", SOME + "sum_of_progress*(w.u + k*gamma)", "some*positive^2"),
                    ("none: k <= 0", "ratio + R^2 + none*positive^2", "positive^2"),
                ),
            ),
        ),
        "the factor w·u + k γ of sum of progress has no known sign",
    ),
    "divided by what may be 0": (
        with_line(
            BOUND,
            Combination(
                "square: k*gamma^2 <= R^2",
                f"sum_of_growth + schwarz + {BOTH.replace('some', 'k')}",
                "k",
            ),
        ),
        "has no known sign",
    ),
    "divided by a count that may be 0": (
        with_line(HINGE, Combination("bound: T <= R^2*u.u + 2*L", "multiplied", "count")),
        "divided by T, which may be 0",
    ),
    "divided by a square that may be 0": (
        with_line(HINGE, Combination("lie: 1 >= 0", "R^2", "R^2")),
        "divided by R², which may be 0",
    ),
    "squared although T < L is possible (L3)": (
        with_line(
            replace(HINGE, proof=HINGE.proof[:5]),
            Combination(
                SQUARES,
                "u.u*sum_of_growth + schwarz + sum_of_progress*(sum_of_progress + 2*(T - L))",
            ),
        ),
        "the factor 2 T − 2 L of sum of progress has no known sign",
    ),
    "the margin counted k times at once": (
        with_line(BOUND, Combination("sum_of_progress: w.u >= k*gamma", "k*margin")),
        "left over",
    ),
    "growth proved with the margin": (
        with_line(
            BOUND, Induction("sum_of_growth: w.w <= k*R^2", "sum_of_growth + 2*margin + radius")
        ),
        "left over",
    ),
    "a bound with R/gamma instead of its square": (
        with_line(
            BOUND, Combination("lie: k*gamma <= R", "sum_of_growth + schwarz + sum_of_progress^2")
        ),
        "left over",
    ),
    "a start anywhere": (
        replace(BOUND, vectors="w z u v", start={"k": "0", "w": "v"}),
        "at the start: the two sides differ; left over: v·u",
    ),
    "an equation where an inequality was shown": (
        with_line(
            BOUND, Induction("sum_of_growth: w.w = k*R^2", "sum_of_growth - 2*mistake - radius")
        ),
        "the coefficient −2 of mistake is negative",
    ),
    "an equation from a square": (
        with_line(BOUND, Combination("lie: w.w - 2*w.u + 1 = 0", "norm(w - u) - unit")),
        "an equation needs a sum of multiples of equations",
    ),
    "more than was shown: less instead of at most": (
        with_line(
            BOUND,
            Cases(
                "bound: k < B",
                (
                    ("some: k > 0", SOME + BOTH, "some*positive^2"),
                    ("none: k <= 0", "ratio + R^2 + none*positive^2", "positive^2"),
                ),
            ),
        ),
        "the sum may be 0, and more than 0 is claimed",
    ),
    "the conclusion as its own reason": (
        with_line(BOUND, Combination("bound: k <= B", "bound")),
        "'bound' is neither a fact nor a letter",
    ),
    "cases that leave one out": (
        with_line(
            BOUND,
            Cases(
                "bound: k <= B",
                (
                    ("some: k > 0", SOME + BOTH, "some*positive^2"),
                    ("none: k < 0", "ratio + R^2 + none*positive^2", "positive^2"),
                ),
            ),
        ),
        "two cases are needed",
    ),
    "a case under the name of an assumption": (
        with_line(
            BOUND,
            Cases(
                "bound: k <= B",
                (("margin: k > 0", "margin", "1"), ("none: k <= 0", "none", "1")),
            ),
        ),
        "the name 'margin' is taken",
    ),
    "something assumed of w for ever": (
        replace(BOUND, always=(*BOUND.always, "small: w.w <= R^2")),
        "mentions what changes",
    ),
    "the last mistake's margin used at the end": (
        with_line(BOUND, Combination("lie: gamma <= R", "margin + radius")),
        "left over",
    ),
    "a step's fact as the conclusion": (
        replace(BOUND, conclusion=("small: z.z <= R^2",)),
        "no line shows it",
    ),
    "an induction over what comes new": (
        with_line(BOUND, Induction("small: z.z <= R^2", "radius", "radius")),
        "cannot speak of what comes new",
    ),
    "the end used inside an induction": (
        with_line(theorems.KKT, Induction("terms: A = C*X + w.v + b*S", "balance")),
        "'balance' is neither",
    ),
    "a line under the name of an assumption": (
        with_line(BOUND, Combination("radius: z.z <= 2*R^2", "radius + R^2")),
        "the name 'radius' is taken",
    ),
    "a line under the name of a letter": (
        with_line(BOUND, Combination("R: R^2 >= 0", "R^2")),
        "the name 'R' is taken",
    ),
    "a lemma that says something else": (
        with_line(
            HINGE, Lemma("schwarz: (w.u)^2 <= w.w", theorems.CAUCHY_SCHWARZ, {"v": "w", "u": "u"})
        ),
        "says something else",
    ),
    "a lemma whose assumptions are forgotten": (
        with_line(HINGE, Lemma("lie: T <= R", theorems.UPDATE_GAIN, {})),
        "has assumptions of its own",
    ),
    "another theorem's conclusion": (
        replace(BOUND, conclusion=("lie: 2*k <= B",)),
        "'lie' is claimed, but no line shows it",
    ),
    "weak duality without the balance": (
        with_line(
            theorems.WEAK_DUALITY,
            Combination("duality: A - v.v/2 <= w.w/2 + C*X", "terms + norm(w - v)/2"),
        ),
        "left over: −b S",
    ),
    "weak duality without the upper bound": (
        with_line(
            theorems.WEAK_DUALITY,
            Induction("terms: A <= C*X + w.v + b*S", "terms + C*slack + lower*margin"),
        ),
        "left over: −α ξ",
    ),
    "a kernel of the wrong sign": (
        with_line(theorems.SUM_RULE, Combination("valid: c1^2*K11 >= 0", "c1^2*K11")),
        "has no known sign",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_proof_is_refused_and_told_why(name):
    theorem, reason = WRONG[name]
    proof = theorems.check(theorem)
    assert (proof.verdict, proof.holds) == ("refuted", False)
    assert reason in proof.reason
    assert proof.reason in str(proof)


def test_what_holds_during_a_step_and_what_holds_at_the_end_do_not_meet():
    mixed = with_line(theorems.WEAK_DUALITY, Combination("lie: alpha*S = 0", "alpha*balance"))
    assert "do not meet" in theorems.check(mixed).reason
    outside = with_line(BOUND, Combination("small: 0 <= R^2 - z.z + k^2", "radius + k^2"))
    assert "no line shows it" in theorems.check(outside).reason


def changes(theorem: Theorem):
    """Yield the theorem with one fact of one sum counted twice."""
    for i, line in enumerate(theorem.proof):
        if not isinstance(line, Combination | Induction):
            continue
        facts = {*theorem.assumptions, *(step.goal.split(":")[0] for step in theorem.proof)}
        for word in re.finditer(r"\w+", line.by):
            if word[0] in facts:
                by = f"{line.by[: word.start()]}(2*{word[0]}){line.by[word.end() :]}"
                proof = (*theorem.proof[:i], replace(line, by=by), *theorem.proof[i + 1 :])
                yield replace(theorem, proof=proof)


@by_name
def test_counting_any_fact_twice_in_any_sum_is_refused(theorem):
    assert [bad.proof for bad in changes(theorem) if theorems.check(bad).holds] == []
