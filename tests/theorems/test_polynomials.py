"""Polynomials, the writing of proofs, answers, and the same statements in Coq."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import theorems
from lectures_lib.theorems.polynomials import SymbolicPolynomial, parse, value
from tests.theorems.test_theorems import BOUND, HINGE, by_name
from tools.environment import ROOT

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
    assert p - p == 0 and p + 1 != p and isinstance(p, SymbolicPolynomial)


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
        ("a(b + 1)", "Write each product with *, as in a*(b + 1)"),
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


@by_name
def test_a_check_says_what_was_proved(theorem):
    said = str(theorems.check(theorem)).splitlines()
    assert said[0].startswith(f"{theorem.name}: proved")
    assert [line.strip() for line in said[1:]] == list(theorem.conclusion)


@pytest.mark.parametrize("number", ["1e-400", "1.00000000000000000001", "0.1000000000000000055511"])
def test_a_number_with_more_digits_than_are_kept_is_refused(number):
    """As floats 1e-400 is 0, and "1e-400 = 0" was proved."""
    goal = f"lie: {number} = {float(number)!r}"
    lie = theorems.Theorem("digits", "", (goal,), (theorems.Combination(goal, "0"),))
    assert "more digits than are kept" in theorems.check(lie).reason
    whole = theorems.Theorem(
        "digits",
        "",
        ("sum: 0.1 + 2.50 = 2.6",),
        (theorems.Combination("sum: 0.1 + 2.50 = 2.6", "0"),),
    )
    assert theorems.check(whole).holds


def test_what_a_theorem_concludes_cannot_change_after_its_check():
    told = ["sum: 1 >= 0"]
    proof = (theorems.Combination("sum: 1 >= 0", "1"),)
    found = theorems.check(theorems.Theorem("list", "", told, proof))
    told[0] = "lie: 0 >= 1"
    assert found.holds and "0 >= 1" not in str(found)
    for name in ("conclusion", "proof", "always", "each", "end"):
        once = {"conclusion": ("sum: 1 >= 0",), "proof": proof} | {name: iter(())}
        assert theorems.check(theorems.Theorem("once", "", **once)).reason == f"{name} is no tuple"
