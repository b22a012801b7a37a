"""The structural support vector machine: its gap is proved, and false certificates are refused."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize

from lectures_lib import structured as st
from tests.structured.test_structured import chain_data


def solved(seed=0, C=0.5, tol=1e-2, **options):
    problem, X, Y = chain_data(seed, noise=0.3, n=8)
    return (problem, X, Y), st.structural_svm(problem, X, Y, C, tol=tol, **options)


def primal(data, C, theta):
    """The objective by listing all outputs, in floating point."""
    problem, X, Y = data
    slack = sum(
        max(
            problem.loss(y, other) - problem.score(theta, x, y) + problem.score(theta, x, other)
            for other in problem.outputs(x)
        )
        for x, y in zip(X, Y)
    )
    return 0.5 * theta @ theta + C * slack


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_the_gap_is_proved_and_both_values_are_those_of_the_definition(seed, C):
    data, machine = solved(seed, C)
    certificate = machine.certificate
    assert machine.converged and certificate.verdict == "proved" and certificate.holds
    assert isinstance(certificate.gap, Fraction) and 0 <= certificate.gap
    # a float sum of a few hundred terms against the exact one
    assert float(certificate.primal) == pytest.approx(primal(data, C, machine.theta), rel=1e-12)
    for noise in np.random.default_rng(seed).normal(size=(3, machine.theta.size)):
        assert primal(data, C, machine.theta + 0.1 * noise) >= float(certificate.dual)


@pytest.mark.parametrize("order", [1, 2])
def test_the_judge_is_exact_on_real_features_and_triples_too(order):
    data = problem, X, Y = chain_data(1, noise=0.3, n=4, order=order, whole=False)
    machine = st.structural_svm(problem, X, Y, 0.3, tol=1e-2)
    assert machine.converged
    # a float sum of a few hundred terms against the exact one
    value = primal(data, 0.3, machine.theta)
    assert float(machine.certificate.primal) == pytest.approx(value, rel=1e-12)


def test_an_optimiser_that_knows_nothing_of_this_finds_no_lower_value():
    rng, problem = np.random.default_rng(0), st.Classes("ab", 2)
    data = problem, rng.normal(size=(8, 2)), rng.choice(list("ab"), size=8).tolist()
    machine = st.structural_svm(*data, 0.5, tol=1e-3)
    found = minimize(lambda theta: primal(data, 0.5, theta), machine.theta, method="Nelder-Mead")
    assert machine.converged
    assert float(machine.certificate.dual) <= found.fun <= float(machine.certificate.primal)


@pytest.mark.parametrize("problem", [st.Classes("abc", 2), None])
def test_classes_and_parses_get_their_proof_by_the_same_lines(problem):
    rng = np.random.default_rng(0)
    if problem is None:
        grammar = st.Grammar("S -> A S | S A | A A\nA -> 'a'")
        problem, X = st.Parses(grammar), [("a",) * n for n in (3, 4)]
        Y = [list(grammar.trees(x))[1] for x in X]
    else:
        X, Y = rng.normal(size=(20, 2)), rng.choice(list("abc"), size=20).tolist()
    assert st.structural_svm(problem, X, Y, 0.3).converged


class Rounded(st.Classes):
    """Several classes whose best one is found in floating point."""

    exact = False


def test_inference_in_floating_point_leaves_the_verdict_undecided():
    problem = Rounded("abc", 2)
    X = np.random.default_rng(0).integers(-2, 3, size=(6, 2))
    Y = [problem.argmax(np.arange(6.0), x) for x in X]
    machine = st.structural_svm(problem, X, Y, 1.0, max_epochs=5)
    assert machine.certificate.verdict == "undecided" and not machine.converged
    assert machine.certificate.gap == np.inf and "floating point" in str(machine.certificate)


def test_an_alpha_that_is_not_feasible_is_refuted():
    data, machine = solved()
    i = next(i for i, one in enumerate(machine.alpha) if one)
    y = next(iter(machine.alpha[i]))
    for value, word in ((-1e-300, "negative"), (0.6, "more than C"), (np.nan, "not finite")):
        alpha = list(machine.alpha)
        alpha[i] = alpha[i] | {y: value}
        certificate = st.certify(*data, machine.C, machine.theta, alpha)
        assert certificate.verdict == "refuted" and not certificate.holds
        assert word in certificate.reason


def test_alphas_that_exceed_C_by_a_last_bit_are_refuted():
    data, machine = solved(C=0.3)
    outputs = [y for y in data[0].outputs(data[1][1]) if y != data[2][1]][:3]
    alpha = [{} for _ in data[1]]
    alpha[1] = dict.fromkeys(outputs, 0.1)
    if len(outputs) == 3:  # the float 0.1 three times is more than the float 0.3
        assert st.certify(*data, 0.3, machine.theta, alpha).verdict == "refuted"
    assert len(outputs) == 3


def test_weights_that_are_not_the_best_are_not_proved():
    data, machine = solved()
    certificate = st.certify(*data, machine.C, 1.5 * machine.theta, machine.alpha, tol=1e-2)
    assert certificate.verdict == "undecided" and certificate.gap > machine.certificate.gap
    early = st.structural_svm(*data, 0.5, tol=1e-2, max_epochs=1)
    assert not early.converged and early.certificate.verdict == "undecided"


def test_the_tolerance_is_compared_exactly():
    data, machine = solved()
    share = machine.certificate.gap / machine.certificate.primal
    above, below = np.nextafter(float(share), 1), np.nextafter(float(share), 0)
    judged = [
        st.certify(*data, machine.C, machine.theta, machine.alpha, tol=float(tol)).holds
        for tol in (above, below)
    ]
    assert judged == [True, False]


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"C": 0.0}, "C must be"),
        ({"C": np.inf}, "C must be"),
        ({"tol": np.nan}, "tol"),
        ({"alpha": []}, "not one each"),
        ({"theta": [1.0]}, "theta has shape"),
    ],
)
def test_the_judge_checks_what_it_is_given(change, advice):
    (problem, X, Y), machine = solved()
    given = {"C": 0.5, "theta": machine.theta, "alpha": machine.alpha, "tol": 1e-2} | change
    with pytest.raises(ValueError, match=advice):
        st.certify(problem, X, Y, **given)


def test_multipliers_of_trees_outside_the_grammar_are_refused():
    grammar = st.Grammar("S -> A A\nA -> 'a'")
    problem, X = st.Parses(grammar), [("a", "a")]
    Y = [next(iter(grammar.trees(X[0])))]
    for tree in (("S", ("A", "a"), ("B", "a")), ("A", ("A", "a"), ("A", "a"))):
        with pytest.raises(ValueError, match="The tree"):
            st.certify(problem, X, Y, 1.0, np.zeros(problem.size), [{tree: 0.5}])


def test_an_output_in_another_form_proves_nothing():
    problem = st.Chain(2, 2)
    X, Y = [np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])], [(1, 0, 1)]
    assert st.structural_svm(problem, X, Y, 1.0, tol=1e-6).converged
    for lie in (((1,), (0,), (1,)), ((1,), 0, 1), (1.0, 0.0, 1.0), "101"):
        judged = st.certify(problem, X, Y, 1.0, np.zeros(problem.size), [{lie: 1.0}])
        assert judged.verdict == "refuted" and "no output" in judged.fault
    with pytest.raises(ValueError, match="no tagging"):
        st.certify(problem, X, [((1,), (0,), (1,))], 1.0, np.zeros(problem.size), [{}])


def test_multipliers_that_no_float_holds_are_refused():
    problem = st.Classes("ab", 1)
    for lie in (Fraction(1, 3), 2**60 + 1, np.longdouble(1) / 3, "1"):
        judged = st.certify(problem, [[1.0]], ["a"], 2.0**70, [0.0, 0.0], [{"b": lie}])
        assert judged.verdict == "refuted" and "no float" in judged.fault


def test_f_and_loss_agree_about_what_an_output_is():
    problem = st.Chain(2, 2)
    for wrong in (((1,), (0,)), (1, 0, 1), [[1], [0]], (1.0, 0.0)):
        with pytest.raises(ValueError):
            problem.loss((1, 0), wrong)
    assert problem.loss([1, 0], np.array([0, 0])) == 1
