"""The referee finds every planted liar, and takes the truth for what it is."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from lectures_lib import (
    complexity,
    kernel_methods,
    margins,
    partitions,
    structured,
    svm,
    theorems,
)
from lectures_lib._result import Result
from lectures_lib.complexity import ball, shattering, sign_averages
from lectures_lib.kernels import Gaussian, Linear, Polynomial
from lectures_lib.proof import collins, risk
from lectures_lib.theorems.checker import check_lines
from tools.referee import __main__ as referee
from tools.referee import api, draw, rational, truth
from tools.referee.ledger import COLUMNS, FORBIDDEN, Ledger
from tools.referee.rational import Program, Unbounded, exact
from tools.referee.subjects import (
    SUBJECTS,
    changed,
    machines,
    mistake_bounds,
    mixed_runs,
    own_fields,
    svm_certificate,
)


def played(subject, cases, seed=0):
    """Return the ledger of some cases of a subject."""
    return referee.block(seed, subject, range(cases))


class Liar:
    """A certificate that says the same of everything."""

    tol = 1e-4

    def __init__(self, verdict: str = "proved") -> None:
        self.verdict, self.holds = verdict, verdict == "proved"

    def within(self, tol: float) -> bool:
        """Return what it always says."""
        return self.holds


# --- exact arithmetic ------------------------------------------------------------------------


def test_elimination_solves_what_floating_point_cannot():
    tiny = Fraction(1, 2**60)
    A = [[Fraction(1), Fraction(1)], [Fraction(1), 1 + tiny]]
    assert rational.solve(A, [Fraction(2), 2 + tiny]) == [1, 1]
    assert rational.solve(exact([[1.0, 2.0], [2.0, 4.0]]), exact([1.0, 2.0])) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_program_ends_where_no_direction_goes_down(seed):
    """The conditions of Karush, Kuhn and Tucker, checked without the solver's own code."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    X = rng.integers(-3, 4, size=(n, 2)).astype(float)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    problem = truth.posed(Linear(), X, y, float(rng.choice([0.01, 1.0, 50.0])))
    alpha = problem.solution()
    g = problem.program.gradient(alpha)
    C = problem.costs[0]
    up = [-s * v for s, v, a in zip(problem.y, g, alpha) if (a < C if s > 0 else a > 0)]
    down = [-s * v for s, v, a in zip(problem.y, g, alpha) if (a > 0 if s > 0 else a < C)]
    assert rational.dot(alpha, problem.y) == 0
    assert problem.in_box(alpha)
    assert max(up) <= min(down)


@pytest.mark.parametrize("guess", [[0.0] * 4, [1.0] * 4, [0.3, 0.0, 0.3, 0.0], [np.nan] * 4])
def test_a_wrong_guess_does_no_harm(guess):
    X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    problem = truth.posed(Linear(), X, y, 1.0)
    assert problem.best(guess) == problem.best() == Fraction(1, 2)


def test_a_program_without_end_is_told_from_one_with_an_end():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, -1.0, 1.0])
    assert truth.posed(Linear(), X, y, np.inf).best() is None
    assert truth.posed(Polynomial(2), X, y, np.inf).best() is not None
    with pytest.raises(Unbounded):
        Program(exact([[0.0]]), exact([-1.0]), [None]).minimise(exact([0.0]))


def test_the_gaussian_is_known_to_more_digits_than_doubles_have():
    value = truth.entry(Gaussian(1.0), exact([0.0]), exact([1.0]))
    assert abs(float(value) - np.exp(-0.5)) < 1e-16
    with truth.mpmath.workdps(100):
        digits = truth.mpmath.mpf(value.numerator) / value.denominator
        assert abs(truth.mpmath.log(digits) + 0.5) < 1e-90


def test_an_exponential_that_underflows_even_here_keeps_its_sign():
    """K(x, z) = e^-6840 is above 0: a label -1 that meets it is a mistake, not a tie."""
    kernel = Gaussian(0.0547503)
    row = truth.gram(kernel, exact([[-1.0, 3.0], [3.0, -2.0]]), truth.SIGN_BITS)[0]
    assert row == [1, 0]
    for beta, sign in (([0, 1], 1), ([0, -1], -1), ([1, -1], 1), ([0, 0], 0)):
        assert mistake_bounds.score(kernel, row, beta) == sign
    assert mistake_bounds.score(kernel, [Fraction(0)] * 2, [1, -1]) is None


def test_psd_is_decided_exactly():
    assert rational.is_psd(exact([[1.0, 1.0], [1.0, 1.0]]))
    assert not rational.is_psd(exact([[1.0, 1.0], [1.0, 1.0 - 2.0**-53]]))
    assert not rational.is_psd(exact([[0.0, 1.0], [1.0, 5.0]]))


# --- it takes the truth ----------------------------------------------------------------------


def test_the_best_machine_is_right_and_proves_itself():
    X, y = np.array([[0.0, 1.0], [2.0, 0.0], [3.0, 2.0]]), np.array([-1.0, 1.0, 1.0])
    problem = truth.posed(Linear(), X, y, 10.0)
    alpha = problem.solution()
    b = problem.program.prices(alpha)[0]
    answer = truth.kernel_answer(problem.K, [a * s for a, s in zip(alpha, problem.y)], b)
    assert problem.primal(answer) == problem.dual(alpha) == problem.best()
    assert truth.tight(problem, answer, alpha, 0.0)


def test_a_case_is_the_same_whoever_plays_it():
    once, again = played("svm solvers", 6), played("svm solvers", 6)
    alone = referee.block(0, "svm solvers", [5])
    assert once.counts == again.counts
    assert [f for f in once.failures if f[0] == 5] == alone.failures


def test_the_limit_of_a_case_counts_the_time_of_the_processor_alone(monkeypatch):
    """A run that is halted for minutes is no crash; a case without end is one."""
    monkeypatch.setattr(referee, "PATIENCE", 0.2)
    monkeypatch.setitem(SUBJECTS, "svr", (1, lambda rng, ledger: time.sleep(0.5)))
    assert played("svr", 1).forbidden == 0
    monkeypatch.setitem(SUBJECTS, "svr", (1, without_end))
    caught = played("svr", 1)
    assert caught.counts["crashes"] == 1 and "no answer in 0.2 s" in caught.failures[0][2]


def without_end(rng, ledger):
    """Go on for ever."""
    while True:
        pass


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_subject_can_be_played_and_is_never_at_fault_itself(subject):
    ledger = played(subject, 4)
    assert ledger.counts["cases"] == 4
    assert not [f for f in ledger.failures if "the referee itself" in f[2]]


# --- it finds the liars ----------------------------------------------------------------------


def test_a_judge_that_always_says_proved_is_caught(monkeypatch):
    monkeypatch.setattr(api, "svm_certificate", lambda *a, **o: api.Judged("proved", o["tol"]))
    ledger = played("svm certificate", 60)
    assert ledger.counts["false proofs"] > 20


def test_a_judge_that_always_says_refuted_is_caught(monkeypatch):
    monkeypatch.setattr(api, "svm_certificate", lambda *a, **o: api.Judged("refuted", o["tol"]))
    ledger = played("svm certificate", 60)
    assert ledger.counts["false refutations"] > 0
    assert ledger.counts["false proofs"] == 0


@pytest.mark.parametrize("subject", ["mixing", "blocks"])
def test_judges_over_parts_that_say_the_same_of_everything_are_caught(subject, monkeypatch):
    monkeypatch.setattr(api, "verdict", lambda certificate: "proved")
    assert played(subject, 40).counts["false proofs"] > 10
    monkeypatch.setattr(api, "verdict", lambda certificate: "refuted")
    caught = played(subject, 40).counts
    assert caught["false refutations"] > 5 and caught["false proofs"] == 0


def test_mixed_weights_that_no_rounding_explains_are_caught():
    parts, u = [(np.array([[2.0, 1.0]]), [1.0]), (np.array([[1.0, 3.0]]), [1.0])], exact([1.0, 1.0])
    parts = [(X, np.array(y)) for X, y in parts]
    run = partitions.parameter_mixing(parts)
    moved = replace(run, weights=run.weights * (1 + 1e-8), w=run.w * (1 + 1e-8))
    assert mixed_runs.truth_of_run(run, parts, u) == (True, True)
    assert mixed_runs.truth_of_run(moved, parts, u) == (False, False)


def test_mixed_fractions_are_not_rounded_so_the_least_drift_is_a_lie():
    parts = [(np.array([[2.0, 1.0]]), np.ones(1)), (np.array([[1.0, 3.0]]), np.ones(1))]
    u, run = exact([1.0, 1.0]), partitions.parameter_mixing_by_hand(parts)
    tiny = Fraction(1, 10**30)
    moved = replace(run, weights=run.weights * (1 + tiny), w=run.w * (1 + tiny))
    assert mixed_runs.truth_of_run(run, parts, u) == (True, True)
    assert mixed_runs.truth_of_run(moved, parts, u) == (False, False)
    assert partitions.mixing_bound(moved, parts, np.ones(2)).verdict == "refuted"


def test_a_judge_that_never_decides_is_caught_by_the_count_at_unit_scale(monkeypatch):
    monkeypatch.setattr(api, "verdict", lambda certificate: "undecided")
    ledgers = {"svm solvers": played("svm solvers", 40)}
    assert referee.rate(ledgers) == 1.0


def test_a_judge_that_ignores_rounding_is_caught():
    """Judged by a rounded Gram matrix: the scores of points at 1e8 have no digit left."""

    def careless(machine, X, y, C):
        K, beta = X @ X.T, machine.alpha * y
        f = K @ beta + machine.b
        primal = 0.5 * beta @ K @ beta + C * np.maximum(0.0, 1.0 - y * f).sum()
        gap = primal - (machine.alpha.sum() - 0.5 * beta @ K @ beta)
        return abs(gap) <= 1e-4 * primal

    caught = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(8, 2)) + 10.0 ** rng.uniform(6, 8)
        data = draw.Examples(X, draw.labels(rng, X), "shifted", False)
        machine = svm.train(X, data.y, 1.0)
        best = svm.offset_interval(X @ X.T @ (machine.alpha * data.y), data.y, 1.0, machine.alpha)
        plain = api.forged(machine, b=float(np.mean(best)), **api.uncentred(machine))
        said = Liar("proved" if careless(plain, X, data.y, 1.0) else "undecided")
        ledger = Ledger("careless")
        machines.judge(ledger, "careless", api.forged(plain, certificate=said), Linear(), data, 1.0)
        caught += ledger.counts["false proofs"]
    assert caught > 0


def test_a_solver_with_a_slightly_wrong_b_that_calls_itself_converged_is_caught():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 2))
    data = draw.Examples(X, draw.labels(rng, X), "normal", True)
    machine = svm.train(X, data.y, 10.0)
    honest, wrong = Ledger("honest"), Ledger("wrong")
    machines.judge(honest, "honest", machine, Linear(), data, 10.0)
    moved = api.with_offset(machine, machine.b + 0.01)
    moved = api.with_certificate(moved, Liar())
    machines.judge(wrong, "moved", moved, Linear(), data, 10.0)
    assert honest.forbidden == 0
    assert wrong.counts["false proofs"] == 1
    assert wrong.counts["wrong converged"] == 1


def test_an_alpha_outside_its_box_is_never_right():
    K, y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0])
    alpha = np.array([1.0, 1.0])
    inside = svm_certificate.truth_of(K, y, Fraction(1), alpha, 0.0, 1e-4, True, "hinge")
    above = svm_certificate.truth_of(K, y, Fraction(1), alpha * 1.00001, 0.0, 1e-4, True, "hinge")
    assert inside == (True, True)
    assert above == (False, False)


def test_a_margin_that_misses_a_separator_is_caught(monkeypatch):
    none = margins.max_margin([[1.0], [-1.0]], [1.0, 1.0])
    monkeypatch.setattr(margins, "max_margin", lambda *a, **o: none)
    monkeypatch.setattr(api, "margin_verdict", lambda best: "proved")
    assert played("max_margin", 30).counts["false proofs"] > 5


def test_a_crash_is_counted_and_a_refusal_of_bad_input_is_not():
    def stops(error):
        raise error

    ledger = Ledger("any")
    ledger.call("legal", stops, ValueError("P must be positive semi-definite"))
    ledger.call("legal", stops, ZeroDivisionError())
    ledger.call("refusal", stops, ValueError("K contains NaN"), legal=False)
    ledger.call("not a sentence", stops, IndexError(), legal=False)
    ledger.call("honest", stops, ValueError("lost in rounding: centre the data first"))
    assert ledger.counts["crashes"] == 3
    assert ledger.counts["undecided"] == 1


def test_a_fault_of_the_referee_is_a_failure_too(monkeypatch):
    monkeypatch.setitem(SUBJECTS, "broken", (1, lambda rng, ledger: 1 / 0))
    ledger = played("broken", 1)
    assert ledger.counts["crashes"] == 1
    assert "the referee itself" in ledger.failures[0][2]


def test_a_ridge_regression_whose_alpha_was_changed_is_caught(monkeypatch):
    honest = kernel_methods.kernel_ridge

    def wrong(*args, **options):
        model = honest(*args, **options)
        return api.forged(model, alpha=model.alpha * 1.01)

    monkeypatch.setattr(kernel_methods, "kernel_ridge", wrong)
    assert played("ridge", 60).counts["false proofs"] > 5


def test_a_weighted_ridge_regression_that_forgets_its_weights_is_caught(monkeypatch):
    def careless(X, y, weights, *given, **options):
        return kernel_methods.kernel_ridge(X, y, *given, **options)

    monkeypatch.setattr(kernel_methods, "weighted_kernel_ridge", careless)
    assert played("ridge", 60).counts["false proofs"] > 2


# --- what it prints --------------------------------------------------------------------------


@pytest.mark.parametrize("column", FORBIDDEN)
def test_one_forbidden_count_fails_the_run(column, monkeypatch, capsys):
    guilty = (1, lambda rng, ledger: ledger.fail(column, "what happened"))
    monkeypatch.setitem(SUBJECTS, "guilty", guilty)
    assert referee.main(["--seed", "7", "--only", "guilty", "--case", "3"]) == 1
    said = capsys.readouterr().out
    assert '--seed 7 --only "guilty" --case 3' in said
    assert "what happened" in said
    assert "FAILED" in said.splitlines()[-1]


def test_one_unproved_answer_of_a_hundred_is_allowed_and_two_are_not():
    ledger = Ledger("some")
    for number in range(100):
        ledger.ordinary("a machine", proved=number > 0)
    assert referee.rate({"some": ledger}) <= referee.UNPROVED
    ledger.ordinary("another", proved=False)
    assert referee.rate({"some": ledger}) > referee.UNPROVED


def test_the_table_has_a_line_per_subject_and_the_sums():
    lines = referee.table({"a": Ledger("a"), "b": Ledger("b")}).splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["a", "b", "all"]
    assert len(lines[-1].split()) == 1 + len(COLUMNS)


def test_a_stored_run_is_a_page_with_the_seed_the_cases_and_the_counts(tmp_path, capsys):
    kept = tmp_path / "RUN.md"
    few = ["--only", "radon", "--cases", "2", "--seed", "7", "--processes", "1"]
    referee.main([*few, "--store", str(kept)])
    text = kept.read_text(encoding="utf-8")
    assert "2 cases, seed 7: 0 of them forbidden" in text and "--cases 2 --seed 7" in text
    counts = [line.strip("| ").split(" | ") for line in text.splitlines() if line[:1] == "|"]
    assert counts[0] == ["subject", *COLUMNS]
    assert [row[:2] for row in counts[2:]] == [["radon", "2"], ["all", "2"]]
    assert "radon" in capsys.readouterr().out


def test_every_subject_gets_its_share():
    shares = referee.shares(3000, None)
    assert set(shares) == set(SUBJECTS)
    assert min(shares.values()) >= 1
    assert abs(sum(shares.values()) - 3000) < len(SUBJECTS)


def test_a_case_without_its_subject_is_refused(capsys):
    with pytest.raises(SystemExit):
        referee.parsed(["--case", "3"])
    assert "--only" in capsys.readouterr().err


# --- fields, changed results, structures, theorems -------------------------------------------


def test_a_judge_of_shattering_that_does_not_count_the_rows_is_caught(monkeypatch):
    monkeypatch.setattr(shattering.Shattering, "_is_complete", True)
    lie = replace(complexity.shatters([[0.0], [1.0], [2.0]]), labellings=np.ones((8, 3)))
    assert not own_fields.right(own_fields.shattering_claims, lie)
    assert played("fields", 150).forbidden > 0


@pytest.mark.parametrize(
    ("where", "name", "said"),
    [
        (shattering, "judge_radon", "proved"),
        (shattering, "judge_labelling", "proved"),
        (sign_averages, "judge_signs", "proved"),
        (ball, "judge_ball", "proved"),
        (ball, "judge_ball", "undecided"),
    ],
)
def test_a_judge_of_fields_that_says_the_same_of_everything_is_caught(
    where, name, said, monkeypatch
):
    monkeypatch.setattr(where, name, lambda *_args, **_options: said)
    found = played("fields", 250)
    assert (found.counts["false proofs"] > 0) == (said == "proved")


def test_a_radius_that_nobody_looks_at_is_caught(monkeypatch):
    monkeypatch.setattr(sign_averages.SignAverage, "_judged_ball", "proved")
    lie = replace(complexity.random_signs([[0.0], [1.0], [3.0]], offset=True), R=99.0)
    assert lie.verdict == "proved" and not own_fields.right(own_fields.signs_claims, lie)


def test_results_that_keep_their_proof_after_a_change_are_caught(monkeypatch):
    monkeypatch.setattr(Result, "_lose_proof", lambda self: None)
    assert played("changed results", 80).counts["false proofs"] > 10


def test_results_that_can_be_written_to_are_caught(monkeypatch):
    writable = svm.train([[1.0], [-1.0]], [1, -1])
    vars(writable)["alpha"] = np.ones(4)[:2]  # a view: copies lock their own
    monkeypatch.setattr(changed, "specimens", lambda: {"SVMachine": [writable]})
    assert played("changed results", 80).counts["false proofs"] > 0


def test_a_structural_judge_that_takes_nested_outputs_is_caught(monkeypatch):
    flat = lambda self, y: y  # noqa: E731
    monkeypatch.setattr(structured.Chain, "canonical", flat)
    features = structured.Chain.f
    ravelled = lambda self, x, y: features(self, x, tuple(np.ravel(y).tolist()))  # noqa: E731
    monkeypatch.setattr(structured.Chain, "f", ravelled)
    assert played("structural svm", 80).counts["false proofs"] > 0


def test_a_hinge_bound_that_counts_right_outputs_is_caught(monkeypatch):
    monkeypatch.setattr(collins, "_differs", lambda *_: 1)
    assert played("structured bound", 10).counts["false proofs"] > 5


def test_a_checker_that_takes_an_empty_conclusion_is_caught(monkeypatch):
    monkeypatch.setattr(theorems, "check", check_lines)
    assert played("theorems", 40).counts["false proofs"] > 3


def test_a_bound_for_models_that_is_too_high_is_caught(monkeypatch):
    true = risk.linear_below
    monkeypatch.setattr(risk, "linear_below", lambda *given: true(*given) * 1.02)
    assert played("models", 40).counts["false proofs"] > 3


def test_a_cost_of_models_that_is_too_low_is_caught(monkeypatch):
    true = risk.cost
    monkeypatch.setattr(risk, "cost", lambda *given: true(*given) * 0.9)
    assert played("models", 40).forbidden > 3


def test_a_gram_matrix_beyond_floats_may_be_refused_and_no_other(monkeypatch):
    """Case 896 has cubes of an outlier near 1e18; the others of the block are ordinary."""
    assert referee.block(20261118, "kmeans", [896]).forbidden == 0

    def refused(*_args, **_options):
        raise ValueError("K has entries above 1e+150, whose squares overflow: rescale.")

    monkeypatch.setattr(kernel_methods, "kernel_kmeans", refused)
    assert referee.block(20261118, "kmeans", range(895, 898)).counts["crashes"] == 2
