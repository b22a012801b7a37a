"""The kernel perceptron in both forms: the perceptron on phi, without ever writing phi."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import bounds, conventions, datasets, features, kernels, margins, perceptron
from lectures_lib.kernels import Gaussian, Kernel, Laplace, Linear, Polynomial
from tests.strategies import TIES, integer_examples, passes, seeds, textbook, ties

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
        ({"tie": "never"}, "mistake, positive, negative"),
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
