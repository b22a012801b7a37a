"""Theorems that carry their own proof: right ones are proved, wrong ones refused by name."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import theorems
from lectures_lib.theorems import Cases, Combination, Induction, Lemma, Theorem
from lectures_lib.theorems.polynomials import Polynomial, parse, value
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


# --- polynomials, writing, answers ---

small = st.integers(-3, 3)
texts = st.recursive(
    st.sampled_from(["a", "b", "2", "w.u", "w.w", "norm(w - u)"]),
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
        lambda t: "({}{}{})".format(*t)
    ),
    max_leaves=8,
)


@given(text=texts, a=small, b=small, w=st.tuples(small, small), u=st.tuples(small, small))
def test_a_polynomial_has_the_value_of_its_text(text, a, b, w, u):
    p = parse(text, "ab", "wu")
    plain = text.replace("norm(w - u)", "wu2").replace("w.u", "wu").replace("w.w", "ww")
    products = {"wu": w[0] * u[0] + w[1] * u[1], "ww": w[0] ** 2 + w[1] ** 2}
    products["wu2"] = (w[0] - u[0]) ** 2 + (w[1] - u[1]) ** 2
    assert value(p, {"a": a, "b": b, "w": w, "u": u}) == eval(plain, {"a": a, "b": b} | products)
    assert p - p == 0 and p + 1 != p and isinstance(p, Polynomial)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a +", "is no expression"),
        ("c", "'c' is not known here"),
        ("a/b", "below a fraction line"),
        ("a/0", "below a fraction line"),
        ("w*u", "multiplied by a dot"),
        ("a + w", "number and a vector"),
        ("a.b", "needs vectors"),
        ("a^b", "small whole number"),
        ("a^99", "small whole number"),
        ("__import__('os')", "no part of a polynomial"),
        ("[a for a in w]", "no part of a polynomial"),
        ("1e999*a", "no part of a polynomial"),
    ],
)
def test_bad_input_is_told_what_to_write(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse(text, "ab", "wu")


@by_name
def test_the_printed_proof_names_every_line_and_everything_it_uses(theorem):
    text, markdown = str(theorem), theorem._repr_markdown_()
    for written in (text, markdown):
        assert "proved, every line" in written and theorem.says in written
        for fact in [*theorem.assumptions, *(line.goal.split(":")[0] for line in theorem.proof)]:
            assert fact.replace("_", " ") in written
    assert markdown.count("$") % 2 == 0
    assert all(line.count("{") == line.count("}") for line in markdown.splitlines())


@by_name
def test_a_greek_letter_does_not_run_into_the_next_one(theorem):
    commands = set(re.findall(r"\\([A-Za-z]+)", theorem._repr_markdown_()))
    known = "alpha beta gamma delta eta xi phi psi lVert rVert cdot tfrac text ge le ne to quad sum"
    assert commands <= set(known.split())


def test_the_mistake_bound_is_written_as_in_the_lecture():
    text = str(BOUND)
    assert "k R² + R² − ‖w‖² − 2 w·z − ‖z‖² = sum of growth + 2 mistake + radius" in text
    assert "‖w‖² − (w·u)² = ‖w − (w·u) u‖² − (w·u)²·unit" in text
    latex = BOUND._repr_markdown_()
    assert r"\text{sum of growth} + 2\,\text{mistake} + \text{radius}" in latex


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("sum_of_growth + 2*mistake + radius", ""),
        ("radius + sum_of_growth + mistake*2", ""),
        ("sum_of_growth + mistake + mistake + radius", ""),
        ("sum_of_growth + 3*mistake - mistake + radius", ""),
        ("sum_of_growth - 2*w.z + (R^2 - z.z)", ""),
        ("sum_of_growth + mistake + radius", "left over: −w·z"),
        ("sum_of_growth + radius", "left over: −2 w·z"),
        ("2*mistake + radius", "left over: k R² − ‖w‖²"),
        ("(k + 1)*R^2 - norm(w + z)", "the coefficient −1 of ‖w + z‖² is negative"),
        ("(k + 1)*R^2 - w.w - 2*w.z - z.z", "has no known sign"),
        ("sum_of_growth + 2*mistake + radios", "'radios' is neither"),
        ("bound", "'bound' is neither"),
        ("sum_of_growth + 2*mistake +", "is no expression"),
        (7, "must be a text"),
    ],
)
def test_an_answer_is_judged_with_what_is_left_over(answer, reason):
    found = theorems.judge_answer(BOUND, "sum_of_growth", answer)
    assert found.holds == (not reason) and reason in found.reason
    assert str(found) == ("proved" if found.holds else f"not proved: {found.reason}")


def test_an_answer_may_bring_its_own_divisor():
    goal = theorems.HINGE_BOUND_WITHOUT_SQUARING
    twice = "2*norm(R^2*u - w) + 4*R^2*sum_of_progress + 2*sum_of_growth"
    assert theorems.judge_answer(goal, "bound", twice, over="2*size^2").holds
    assert "left over" in theorems.judge_answer(goal, "bound", twice).reason
    zero = theorems.judge_answer(goal, "bound", "0", over="size - size")
    assert "may be 0" in zero.reason


def test_a_question_about_no_line_is_answered_with_the_lines():
    with pytest.raises(ValueError, match="growth"):
        theorems.judge_answer(BOUND, "grow", "growth")
    with pytest.raises(ValueError, match="no single sum"):
        theorems.judge_answer(BOUND, "bound", "growth")


def test_no_package_is_needed():
    code = (
        "import sys; before = {m.split('.')[0] for m in sys.modules};"
        "from lectures_lib import theorems;"
        "assert all(theorems.check(t).holds for t in theorems.CATALOGUE.values());"
        "print(*{m.split('.')[0] for m in sys.modules} - before - set(sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["lectures_lib"]


# --- the same statements in Coq ---

COQ = sorted((ROOT / "proofs").glob("*.v"))


def words(text: str) -> str:
    """Return the text with single spaces."""
    return re.sub(r"\s+", " ", text)


def test_the_statements_in_coq_are_those_of_the_catalogue_word_for_word():
    comments = words(" ".join(path.read_text(encoding="utf-8") for path in COQ))
    same = (theorems.CAUCHY_SCHWARZ, BOUND, HINGE, theorems.WEAK_DUALITY, theorems.KKT)
    assert [t.name for t in same if words(t.says) not in comments] == []


def test_the_statement_in_notebook_05_is_the_one_that_coq_proves():
    cells = json.loads((ROOT / "notebooks/05_mistake_bound.ipynb").read_text("utf-8"))["cells"]
    stated = re.findall(r"```coq\n(.*?)```", "".join("".join(c["source"]) for c in cells), re.S)
    assert len(stated) == 1
    assert stated[0] in (ROOT / "proofs/perceptron.v").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", COQ, ids=lambda path: path.stem)
def test_a_coq_file_is_short_admits_nothing_and_prints_its_assumptions(path):
    text = path.read_text(encoding="utf-8")
    code = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
    assert len(text.splitlines()) < 200
    assert (
        re.findall(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Hypothesis|Abort)\b", code) == []
    )
    proved = re.findall(r"^Theorem (\w+)", code, flags=re.MULTILINE)
    assert proved and proved == re.findall(r"^Print Assumptions (\w+)\.", code, flags=re.MULTILINE)


def test_a_theorem_without_a_conclusion_is_refused():
    empty = replace(BOUND, conclusion=(), says="every number is positive")
    assert (
        theorems.check(empty).verdict == "refuted"
        and "nothing is claimed" in theorems.check(empty).reason
    )


def test_facts_that_are_kept_cannot_be_changed():
    fact = BOUND.fact("lie: 0 >= 1")
    for change in (lambda: fact.right.terms.clear(), lambda: fact.right.terms.update({(): 0})):
        with pytest.raises(TypeError, match="cannot change"):
            change()
    with pytest.raises(AttributeError):
        fact.right.terms = {}
    assert not theorems.check(replace(BOUND, conclusion=("lie: 0 >= 1",))).holds
    with pytest.raises(TypeError, match="cannot change"):
        BOUND.start["k"] = "1"


@pytest.mark.parametrize(
    "lie", [{"start": {"k": "0", "w": "1"}}, {"start": {"k": "w", "w": "0"}}, {"proof": (None,)},
            {"conclusion": (3,)}, {"conclusion": "bound: k <= B"}, {"always": (None,)}]
)  # fmt: skip
def test_a_malformed_theorem_is_refuted_in_a_sentence(lie):
    judged = theorems.check(replace(BOUND, **lie))
    assert judged.verdict == "refuted" and judged.reason


def test_a_changed_verdict_is_none():
    proved = theorems.check(BOUND)
    lie = replace(proved, theorem=replace(BOUND, conclusion=("lie: 0 >= 1",)))
    assert proved.holds and lie.verdict == "undecided" and "not judged" in str(lie)
