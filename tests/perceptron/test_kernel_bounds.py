"""Mistake bounds in the space of phi, measured through K; ties and refusals."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import bounds, conventions, kernels, margins, perceptron
from lectures_lib.kernels import Gaussian, Laplace, Linear, Polynomial
from tests.perceptron.test_kernel_perceptron import (
    EXPLICIT,
    XOR,
    explicit,
    fewer,
    forms,
    generic,
    visited,
    visits,
)
from tests.strategies import TIES, integer_examples, seeds


@explicit
@fewer
@given(seed=seeds)
def test_R_and_gamma_measured_through_K_are_those_of_phi(name, seed):
    kernel, phi = EXPLICIT[name]
    X, y = generic(seed, n=5)
    best = margins.max_margin(phi(X), y)
    run = perceptron.kernel_perceptron(X, y, kernel, max_epochs=50)
    if best.separable and best.gamma > 1e-3 * np.linalg.norm(phi(X), axis=1).max():
        bound = bounds.kernel_mistake_bound(run, X, y)
        in_phi = bounds.mistake_bound(perceptron.perceptron(phi(X), y, max_epochs=50), phi(X), y)
        assert bound.R == pytest.approx(np.linalg.norm(phi(X), axis=1).max(), rel=1e-8)
        assert pytest.approx(kernels.norms(kernel, X).max(), rel=1e-8) == bound.R
        assert bound.gamma == pytest.approx(best.gamma, rel=1e-5)
        assert bound.bound == pytest.approx(in_phi.bound, rel=1e-4)
        assert bound.mistakes == in_phi.mistakes == len(run.mistakes)
        assert bound.holds, str(bound)


@forms
@fewer
@given(seed=seeds, sigma=st.sampled_from([0.2, 0.5]), how=visits)
def test_mistakes_never_exceed_R_over_gamma_squared_in_phi_space(form, seed, sigma, how):
    rng = np.random.default_rng(seed)
    X = rng.permutation(list(product(range(3), repeat=2)))[:7] + 0.1 * rng.normal(size=(7, 2))
    y = rng.choice([-1.0, 1.0], size=7)
    run = form(X, y, Gaussian(sigma), **visited(7, how))
    bound = bounds.kernel_mistake_bound(run, X, y)
    assert run.converged
    assert bound.holds, str(bound)
    assert bound.R == pytest.approx(1, rel=1e-9)  # K(x, x) = 1
    assert len(run.mistakes) == bound.mistakes <= bound.bound


@given(integer_examples(both=True), st.integers(1, 3), st.booleans())
def test_the_proof_holds_where_scores_are_exactly_zero(examples, degree, one):
    X, y = examples
    kernel = Polynomial(degree, one)
    run = perceptron.kernel_perceptron(X, y, kernel, max_epochs=60)
    if margins.max_margin(kernels.embed(kernel(X)), y, known_to=1e-7).separable:
        bound = bounds.kernel_mistake_bound(run, X, y)
        assert bound.holds, str(bound)


def test_a_mistake_at_a_score_of_exactly_zero_is_not_held_against_the_proof():
    X, y = [[-2.0], [-2.0], [-2.0], [2.0], [3.0], [1.0]], [-1, -1, -1, -1, 1, -1]
    run = perceptron.kernel_perceptron(X, y, Polynomial(2))
    bound = bounds.kernel_mistake_bound(run, X, y)
    assert bound.holds, str(bound)  # replayed on an embedding, the 0 comes out as rounding
    assert bound.line("mistake").least == "0"


def test_orthogonal_points_attain_the_bound_under_a_kernel_too():
    X, y = 10.0 * np.eye(6), np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    run = perceptron.kernel_perceptron(X, y, Gaussian(0.5))  # far apart: phi is orthogonal
    bound = bounds.kernel_mistake_bound(run, X, y)
    assert bound.mistakes == 6
    assert bound.bound == pytest.approx(6, rel=1e-6)


@pytest.mark.parametrize("lie", ["an example that was no mistake", "a mistake repeated"])
def test_a_run_that_lies_about_its_mistakes_is_caught(lie):
    X, y = XOR
    run = perceptron.kernel_perceptron(X, y, Gaussian(1.0))
    extra = [run.mistakes[-1]] * 3 if lie == "a mistake repeated" else [0, 0]
    claimed = np.concatenate([run.mistakes, extra])
    lying = replace(run, mistakes=claimed, alpha=np.bincount(claimed, minlength=4))
    assert bounds.kernel_mistake_bound(run, X, y).holds
    assert "mistake" in bounds.kernel_mistake_bound(lying, X, y).failed


NOT_SEPARABLE = {
    "xor with the linear kernel": (*XOR, Linear()),
    "xor with an offset": (*XOR, Polynomial(1)),
    "a point with both labels": ([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]], [1, -1, 1], Gaussian(1.0)),
    "phi = 0": ([[0.0, 0.0], [1.0, 2.0]], [1, -1], 0 * Linear()),
    "one phi is 0": ([[0.0, 0.0], [1.0, 2.0]], [1, -1], Linear()),
}


@pytest.mark.parametrize("name", NOT_SEPARABLE)
def test_where_phi_has_no_separator_the_bound_says_so(name):
    X, y, kernel = NOT_SEPARABLE[name]
    run = perceptron.kernel_perceptron(X, y, kernel, max_epochs=20)
    assert not run.converged
    with pytest.raises(ValueError, match="No separator through the origin exists"):
        bounds.kernel_mistake_bound(run, X, y)


def test_without_a_kernel_there_is_no_bound():
    wrong = kernels.Function(lambda x, z: -float((x - z) @ (x - z)))
    X, y = [[0.0], [1.0], [3.0]], [1, -1, 1]
    run = perceptron.kernel_perceptron(X, y, wrong, max_epochs=5)
    with pytest.raises(ValueError, match="not a Gram matrix"):
        bounds.kernel_mistake_bound(run, X, y)


# Ties, input and edges


@forms
def test_the_three_tie_rules_are_three_algorithms(form):
    X, y = np.array([[-2.0, 1.0], [0.0, 1.0], [-1.0, -2.0], [1.0, -2.0]]), [1, 1, -1, -1]
    found = {tie: form(X, y, Linear(), tie=tie).mistakes.tolist() for tie in TIES}
    assert found == {"mistake": [0, 2], "positive": [2], "negative": [0]}


@forms
def test_a_run_without_mistakes_keeps_nothing_and_decides_zero(form):
    run = form([[1.0, 2.0]], [1], Gaussian(1.0), tie="positive")
    assert run.mistakes.size == 0
    assert run.X.shape == (0, 2)
    assert run.converged
    assert run.decision([[3.0, 4.0], [0.0, 1.0]]).tolist() == [0.0, 0.0]
    assert run.predict([[3.0, 4.0]]).tolist() == [1.0]
    assert run.predict([[3.0, 4.0]], tie="negative").tolist() == [-1.0]


@forms
@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"order": [0, 0, 1, 2]}, r"permutation of 0, \.\.\., 3"),
        ({"order": range(4), "rng": 0}, "not both"),
        ({"tie": "never"}, "'mistake', 'positive', 'negative'"),
        ({"max_epochs": 0}, "max_epochs must be a whole number >= 1"),
    ],
)
def test_a_wrong_option_is_refused_with_advice(form, options, advice):
    with pytest.raises(ValueError, match=advice):
        form(*XOR, Gaussian(1.0), **options)


@forms
@pytest.mark.parametrize(
    ("y", "advice"), [([0, 1, 1, 0], "2 \\* y - 1"), ([1, -1], "y has shape"), (list("abcd"), "y ")]
)
def test_wrong_labels_are_refused_with_advice(form, y, advice):
    with pytest.raises(ValueError, match=advice):
        form(XOR[0], y, Gaussian(1.0))


@forms
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0), Laplace(1.0)])
def test_a_decision_on_points_with_other_features_is_refused(form, kernel):
    run = form([[1.0, 2.0, 3.0], [-1.0, 2.0, 0.0]], [1, -1], kernel, max_epochs=3)
    for d in (1, 2, 4):
        with pytest.raises(ValueError, match=f"X has {d} features and Z 3"):
            run.decision(np.ones((2, d)))


@forms
def test_lists_and_whole_numbers_are_taken_and_nothing_is_modified(form):
    X, y = np.array([[1, 2], [-3, 0], [2, 2], [0, -1]]), np.array([1, -1, -1, 1])
    before = X.copy(), y.copy()
    expected = form(X.astype(float), y.astype(float), Polynomial(2)).mistakes.tolist()
    for A, labels in ((X, y), (X.tolist(), y.tolist()), (X.astype(np.float32), y)):
        run = form(A, labels, Polynomial(2))
        assert run.mistakes.tolist() == expected
        run.decision(A)
    assert (X == before[0]).all()
    assert (y == before[1]).all()


@forms
def test_a_run_does_not_change_with_the_data_it_was_made_from(form):
    X, y = XOR[0].copy(), XOR[1].copy()
    run = form(X, y, Gaussian(1.0))
    decided = run.decision(XOR[0])
    X[:], y[:] = 7.0, 1.0
    assert run.decision(XOR[0]).tolist() == decided.tolist()


@forms
def test_a_seed_gives_the_same_run_twice(form):
    X, y = generic(5, n=20)
    first, again, other = (form(X, y, Gaussian(0.7), rng=rng) for rng in (3, 3, 4))
    assert first.mistakes.tolist() == again.mistakes.tolist() != other.mistakes.tolist()


@forms
def test_the_decision_in_tiles_is_that_in_one_piece(form):
    X, y = generic(6, n=25)
    run = form(X, y, Gaussian(0.7), max_epochs=3)
    whole = conventions.sign(Gaussian(0.7)(X, run.X) @ run.coefficients)
    assert run.predict(X).tolist() == whole.tolist()
    tiles = kernels.product(run.kernel, X, run.X, run.coefficients, memory=64)
    np.testing.assert_allclose(tiles, run.decision(X), rtol=1e-10, atol=1e-12)


# The bound's verdict, beside fractions of K


def lines_of_K(run, K, y, c):
    """Return the names of Novikoff's lines that are false for the numbers in K, in fractions."""
    K = [[Fraction(v) for v in row] for row in K.tolist()]
    c, y = [Fraction(v) for v in c.tolist()], [int(v) for v in y]
    n, wrong = len(y), set()
    Kc = [sum(a * b for a, b in zip(row, c)) for row in K]
    u2, edge = sum(a * b for a, b in zip(c, Kc)), [a * b for a, b in zip(y, Kc)]
    g, R2 = min(edge), max(K[i][i] for i in range(n))
    f, norm2, dot = [Fraction(0)] * n, Fraction(0), Fraction(0)
    for k, i in enumerate(run.mistakes.tolist(), start=1):
        score = y[i] * f[i]
        wrong |= {"mistake"} if score > 0 else set()
        wrong |= {"growth"} if 2 * score + K[i][i] > R2 else set()
        norm2, dot = norm2 + 2 * score + K[i][i], dot + edge[i]
        wrong |= {"sum of growth"} if norm2 > k * R2 else set()
        wrong |= {"Cauchy-Schwarz"} if dot**2 > norm2 * u2 else set()
        wrong |= {"conclusion"} if k * g**2 > R2 * u2 else set()
        f = [a + y[i] * b for a, b in zip(f, K[i])]
    return wrong


@pytest.mark.parametrize("seed", range(40))
def test_no_line_about_K_is_proved_that_fractions_refute(seed):
    rng = np.random.default_rng(seed)
    X, kernel = rng.integers(-3, 4, size=(7, 2)) / 2, (Gaussian(0.7), Polynomial(3))[seed % 2]
    y = rng.choice([-1.0, 1.0], size=7)
    run = perceptron.kernel_perceptron(X, y, kernel, max_epochs=30)
    if seed % 3 == 0:  # a mistake invented
        claimed = np.append(run.mistakes, rng.integers(7))
        counts = np.bincount(claimed, minlength=7)
        kept = np.flatnonzero(counts)
        told = {"alpha": counts, "X": X[kept], "coefficients": counts[kept] * y[kept]}
        run = replace(run, mistakes=claimed, **told)
    try:
        proof = bounds.kernel_mistake_bound(run, X, y)
    except ValueError:  # no separator in phi-space
        return
    wrong = lines_of_K(run, kernel(X), y, proof.u)
    assert not {line.name for line in proof.lines if line.holds} & wrong
    assert set(proof.failed) <= wrong
    assert proof.holds == (not wrong)


def test_counts_that_do_not_fit_the_mistakes_are_refuted():
    X, y = XOR
    run = perceptron.kernel_perceptron(X, y, Gaussian(1.0))
    for told in ({"alpha": run.alpha + 1}, {"coefficients": -run.coefficients}):
        assert bounds.kernel_mistake_bound(replace(run, **told), X, y).failed == ("update",)


def test_a_gaussian_score_that_rounding_may_have_turned_is_not_called_converged():
    """Neighbours at 1e-6 of sigma: the score of the last one, -1e-22, is lost in rounding."""
    X, y = np.array([[2e-6], [-3e-6], [1e-6]]), np.array([1.0, -1.0, -1.0])
    run = perceptron.kernel_perceptron(X, y, Gaussian(1.0), max_epochs=20)
    wide = perceptron.kernel_perceptron(1e6 * X, y, Gaussian(1.0), max_epochs=20)
    assert run.epoch_mistakes[-1] == wide.epoch_mistakes[-1] == 0
    assert wide.converged
    assert not run.converged


def test_rounded_scores_of_a_rational_kernel_are_replayed_in_fractions():
    """Two scores of 1e-17 that floats call 0, and one that they turn: decided exactly."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        X = rng.integers(-3, 4, size=(5, 3)) / 10
        y = rng.choice([-1.0, 1.0], size=5)
        for tie in ("mistake", "positive", "negative"):
            run = perceptron.kernel_perceptron(X, y, Polynomial(2), tie=tie, max_epochs=20)
            K, beta = Polynomial(2).exact(X), [int(a * v) for a, v in zip(run.alpha, y)]
            scores = [sum(k * b for k, b in zip(row, beta)) for row in K.tolist()]
            signs = np.array([(s > 0) - (s < 0) for s in scores], dtype=float)
            assert not run.converged or not conventions.is_mistake(signs, y, tie).any()


def test_a_kernel_that_knows_no_bound_is_taken_at_its_word():
    run = perceptron.kernel_perceptron(
        [[1.0], [-1.0]], [1, -1], kernels.Function(lambda x, z: float(x @ z))
    )
    assert run.converged
