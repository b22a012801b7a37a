"""The kernel perceptron in both forms: the perceptron on phi, without ever writing phi."""

from dataclasses import dataclass, field
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import datasets, features, kernels, margins, perceptron
from lectures_lib.kernels import Gaussian, Kernel, Laplace, Linear, Polynomial
from tests.strategies import integer_examples, passes, seeds, textbook, ties

FORMS = {
    "counts": perceptron.kernel_perceptron,
    "list": perceptron.kernel_perceptron_list,
    "counts, word for word": perceptron.kernel_perceptron_counts,
}
forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
#: Kernels whose phi can be written out.
EXPLICIT = {
    "linear": (Linear(), lambda X: X),
    "quadratic": (Polynomial(2), lambda X: features.polynomial_map(X, 2)),
    "cubic": (Polynomial(3, one=False), lambda X: features.polynomial_map(X, 3, one=False)),
    "sum": (
        Linear() + 0.5 * Polynomial(2),
        lambda X: np.hstack([X, np.sqrt(0.5) * features.polynomial_map(X, 2)]),
    ),
}
explicit = pytest.mark.parametrize("name", EXPLICIT)
#: For tests that are repeated for every kernel or form.
fewer = settings(max_examples=15)
visits = st.one_of(st.just({}), seeds.map(lambda s: {"rng": s}), st.just({"order": "reversed"}))
XOR = datasets.xor()


def visited(n, how):
    return {"order": np.arange(n)[::-1]} if how.get("order") == "reversed" else how


def generic(seed, n=12, d=2):
    """Points in general position with any labels: no score is 0 but the first."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n)


def whole_kernel(x, z, degree, one):
    """(one + x.z)^degree in whole numbers of Python: exact."""
    return (one + sum(int(a) * int(b) for a, b in zip(x, z))) ** degree


def textbook_kernel(X, y, k, orders, tie="mistake"):
    """Return the mistakes of L5's algorithm, in plain Python: alpha_t += 1 on a mistake."""
    at_zero = {"mistake": 0, "positive": 1, "negative": -1}[tie]
    alpha, mistakes = [0] * len(X), []
    for t in np.concatenate(orders).tolist():
        f = sum(a * int(y[i]) * k(X[i], X[t]) for i, a in enumerate(alpha) if a)
        if (at_zero if f == 0 else np.copysign(1, f)) != y[t]:
            alpha[t] += 1
            mistakes.append(t)
    return mistakes


# KP-1: both forms are the algorithm


@forms
@given(
    examples=integer_examples(),
    degree=st.integers(1, 3),
    one=st.booleans(),
    tie=ties,
    how=visits,
    epochs=st.integers(1, 4),
)
def test_both_forms_are_the_pseudo_code_step_for_step(
    form, examples, degree, one, tie, how, epochs
):
    X, y = examples
    how = visited(len(X), how)
    run = form(X, y, Polynomial(degree, one), max_epochs=epochs, tie=tie, **how)
    k = lambda x, z: whole_kernel(x, z, degree, one)  # noqa: E731
    mistakes = textbook_kernel(X, y, k, passes(len(X), run.epochs, **how), tie)
    assert run.mistakes.tolist() == mistakes
    assert run.alpha.tolist() == [mistakes.count(i) for i in range(len(X))]
    assert run.epoch_mistakes.sum() == len(mistakes)
    assert run.converged == (run.epoch_mistakes[-1] == 0)
    assert run.converged or run.epochs == epochs
    assert (run.epoch_mistakes[:-1] > 0).all()


@given(
    seeds,
    ties,
    visits,
    st.sampled_from([Gaussian(0.6), Laplace(0.8), Polynomial(3), Gaussian(1.0) * Linear()]),
)
def test_the_list_of_mistakes_and_the_counts_are_one_algorithm(seed, tie, how, kernel):
    X, y = generic(seed)
    options = {"max_epochs": 8, "tie": tie, **visited(len(X), how)}
    counts, *others = (form(X, y, kernel, **options) for form in FORMS.values())
    for other in others:
        for part in ("mistakes", "alpha", "coefficients", "epoch_mistakes", "X"):
            assert getattr(counts, part).tolist() == getattr(other, part).tolist()
        assert counts.converged == other.converged


@forms
@fewer
@given(seed=seeds)
def test_only_mistaken_examples_are_kept_each_once_with_its_count(form, seed):
    X, y = generic(seed, n=15)
    run = form(X, y, Gaussian(0.8), max_epochs=6)
    kept = np.unique(run.mistakes)
    assert run.X.tolist() == X[kept].tolist()
    assert run.coefficients.tolist() == (run.alpha * y)[kept].tolist()
    assert np.abs(run.coefficients).sum() == run.alpha.sum() == len(run.mistakes)


@forms
def test_on_well_separated_clusters_few_examples_are_kept(form):
    rng = np.random.default_rng(0)
    y = np.repeat([1.0, -1.0], 50)
    X = rng.normal(size=(100, 2)) * 0.3 + np.where(y > 0, 1.5, -1.5)[:, None]
    run = form(X, y, Gaussian(1.0))
    assert run.converged
    assert len(run.X) < 10


# KP-2: the perceptron in phi-space


@forms
@explicit
@fewer
@given(seed=seeds, tie=ties, how=visits)
def test_the_run_is_that_of_the_perceptron_on_phi(form, name, seed, tie, how):
    kernel, phi = EXPLICIT[name]
    X, y = generic(seed)
    options = {"max_epochs": 8, "tie": tie, **visited(len(X), how)}
    run, plain = form(X, y, kernel, **options), perceptron.perceptron(phi(X), y, **options)
    assert run.mistakes.tolist() == plain.mistakes.tolist()
    assert run.alpha.tolist() == plain.alpha.tolist()
    assert run.epoch_mistakes.tolist() == plain.epoch_mistakes.tolist()
    assert (run.epochs, run.converged) == (plain.epochs, plain.converged)
    np.testing.assert_allclose((run.alpha * y) @ phi(X), plain.w, rtol=1e-9, atol=1e-9)


@forms
@explicit
@fewer
@given(seed=seeds)
def test_the_decision_is_w_dot_phi_and_the_prediction_its_sign(form, name, seed):
    kernel, phi = EXPLICIT[name]
    (X, y), (new, _) = generic(seed), generic(seed + 1, n=9)
    run, w = form(X, y, kernel, max_epochs=5), perceptron.perceptron(phi(X), y, max_epochs=5).w
    scale = np.abs(phi(new)).max() * np.abs(w).max()
    np.testing.assert_allclose(run.decision(new), phi(new) @ w, rtol=1e-9, atol=1e-9 * scale)
    assert run.predict(new).tolist() == perceptron.predict(w, phi(new)).tolist()


@forms
@fewer
@given(seed=seeds, sigma=st.sampled_from([0.8, 1.1]))
def test_where_phi_has_no_end_the_run_is_that_on_what_the_examples_see(form, seed, sigma):
    X, y = generic(seed, n=10)
    X = 1.5 * np.tanh(X)  # so near that no entry of K is lost in the embedding's rounding
    run = form(X, y, Gaussian(sigma), max_epochs=8)
    seen = perceptron.perceptron(kernels.embed(Gaussian(sigma)(X)), y, max_epochs=8)
    assert run.mistakes.tolist() == seen.mistakes.tolist()


@forms
@fewer
@given(examples=integer_examples(), tie=ties, how=visits)
def test_with_the_linear_kernel_it_is_the_perceptron(form, examples, tie, how):
    X, y = examples
    how = visited(len(X), how)
    run = form(X, y, Linear(), max_epochs=4, tie=tie, **how)
    book = textbook(X, y, passes(len(X), run.epochs, **how), tie)
    assert run.mistakes.tolist() == book.mistakes
    assert (run.coefficients @ run.X).tolist() == book.after_each[-1].tolist()


@forms
def test_xor_is_learned_with_the_square_and_not_with_the_line(form):
    X, y = XOR
    for kernel in (Polynomial(2), Polynomial(2, one=False), Gaussian(1.0)):
        run = form(X, y, kernel)
        assert run.converged
        assert run.predict(X).tolist() == y.tolist()
    assert not form(X, y, Linear(), max_epochs=100).converged
    assert not form(X, y, Polynomial(1), max_epochs=100).converged


@forms
def test_a_disc_in_a_ring_is_learned_with_the_gaussian(form):
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    X, y = np.vstack([0.5 * circle, 2 * circle]), np.repeat([1.0, -1.0], 24)
    run = form(X, y, Gaussian(0.8))
    assert run.converged
    between = angle + angle[1] / 2
    new = np.column_stack([np.cos(between), np.sin(between)])
    assert (run.predict(0.5 * new) == 1).all()
    assert (run.predict(2 * new) == -1).all()
    assert not margins.max_margin(X, y, offset=True).separable


@forms
def test_in_a_space_of_over_a_billion_features_a_run_is_a_matter_of_dot_products(form):
    assert features.count_monomials(100, 6) > 10**9
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 100)), rng.choice([-1.0, 1.0], size=20)
    run = form(X, y, Polynomial(6, one=False))
    assert run.converged
    assert (y * run.decision(X) > 0).all()


# The cost: columns of K, never K


@dataclass(frozen=True)
class Counting(Kernel):
    """A kernel that writes down the shape of every block it is asked for."""

    kernel: Kernel
    asked: list = field(default_factory=list)

    def gram(self, X, Z):
        self.asked.append((len(X), len(Z)))
        return self.kernel.gram(X, Z)

    def diagonal(self, X):
        return self.kernel.diagonal(X)

    @property
    def entries(self):
        return sum(n * m for n, m in self.asked)


@given(seeds, st.integers(2, 25), visits)
def test_counting_needs_one_column_of_K_a_mistake_and_never_the_matrix(seed, n, how):
    X, y = generic(seed, n=n)
    kernel = Counting(Gaussian(0.7))
    run = perceptron.kernel_perceptron(X, y, kernel, max_epochs=10, **visited(n, how))
    kept = len(run.coefficients)
    assert kernel.asked[: len(run.mistakes)] == [(n, 1)] * len(run.mistakes)
    assert set(kernel.asked[len(run.mistakes) :]) <= {(1, 1), (n, kept)}  # to prove the last pass
    assert kernel.entries <= (len(run.mistakes) + kept) * n + 1


@given(seeds, st.integers(2, 15))
def test_the_list_compares_each_example_with_the_mistakes_so_far(seed, n):
    X, y = generic(seed, n=n)
    kernel = Counting(Gaussian(0.7))
    run = perceptron.kernel_perceptron_list(X, y, kernel, max_epochs=5)
    proof = [(1, 1), (n, len(run.coefficients))] if run.epoch_mistakes[-1] == 0 else []
    asked = kernel.asked[: len(kernel.asked) - len(proof)]
    assert all(m == 1 and k <= len(run.mistakes) for k, m in asked)
    assert kernel.asked[len(asked) :] == proof
    assert sum(k * m for k, m in asked) <= len(run.mistakes) * n * run.epochs


def test_a_prediction_needs_the_kept_examples_only():
    X, y = generic(0, n=30)
    kernel = Counting(Gaussian(0.7))
    run = perceptron.kernel_perceptron(X, y, kernel, max_epochs=1)
    kernel.asked.clear()
    run.decision(X[:7])
    assert {m for _, m in kernel.asked} <= {1, len(run.X)}
    assert kernel.entries <= 7 * len(run.X) + 1  # and one to see that the features agree


# Wrong kernel perceptrons


def wrong_decisions(X, y, new, k, *, fault):
    """Train and decide as those do who make this mistake; None is the right algorithm."""
    n, alpha = len(X), np.zeros(len(X))
    K = k(X)
    for _, t in product(range(30), range(n)):
        terms = alpha * K[:, t] if fault == "y missing" else alpha * y * K[:, t]
        f = (terms * y).sum() if fault == "y twice" else terms.sum()
        if y[t] * f <= 0:
            alpha[t] = 1 if fault == "alpha = 1" else alpha[t] + 1
    if fault == "K(test, test)":
        return (alpha * y)[: len(new)] @ k(new)
    return (alpha if fault in ("y missing", "y twice") else alpha * y) @ k(X, new)


FAULTS = ["alpha = 1", "y missing", "y twice", "K(test, test)"]


@forms
def test_the_famous_wrong_kernel_perceptrons_decide_differently(form):
    rng = np.random.default_rng(0)
    X, new, k = rng.normal(size=(14, 2)), rng.normal(size=(9, 2)), Gaussian(0.9)
    y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
    run = form(X, y, k, max_epochs=30)
    right = wrong_decisions(X, y, new, k, fault=None)
    assert run.alpha.max() > 1  # so that += 1 matters
    np.testing.assert_allclose(run.decision(new), right, rtol=1e-9, atol=1e-12)
    for fault in FAULTS:
        wrong = wrong_decisions(X, y, new, k, fault=fault)
        assert not np.allclose(wrong, right, rtol=1e-2), fault
        assert (np.sign(wrong) != np.sign(right)).any(), fault  # and labels differ


# KP-3: the bound, with R and gamma through K alone
