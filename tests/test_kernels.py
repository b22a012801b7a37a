"""Kernels: values, algebra, geometry, accuracy in floating point, and certificates of validity."""

import tracemalloc
from fractions import Fraction
from itertools import combinations, product
from math import exp, prod, sqrt, tanh

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import discrete, features, kernel_methods, kernels, margins, perceptron
from lectures_lib.kernels import (
    Function,
    Gaussian,
    Laplace,
    Linear,
    Polynomial,
    psd_certificate,
    refute,
)
from tests.strategies import integer_points, seeds

STANDARD = {
    "linear": Linear(),
    "polynomial": Polynomial(3),
    "without the one": Polynomial(2, one=False),
    "gaussian": Gaussian(0.8),
    "laplace": Laplace(0.8),
    "sum": Gaussian(1.3) + 0.5 * Linear(),
    "product": Laplace(1.3) * Polynomial(2),
}
standard = pytest.mark.parametrize("kernel", STANDARD.values(), ids=STANDARD)
#: For tests that are repeated for every kernel or rule.
fewer = settings(max_examples=15)


def points(seed, n=7, d=3, scale=1.0):
    return scale * np.random.default_rng(seed).normal(size=(n, d))


def dot(x, z):
    return sum(float(a) * float(b) for a, b in zip(x, z))


def table(f, X, Z):
    """Return f(x, z) for all pairs by two plain loops."""
    return np.array([[f(x, z) for z in Z] for x in X])


def exact_squared_distances(X, Z):
    """Return norm(x - z)^2 from exact differences: fractions, rounded once at the end."""
    rows = [[[Fraction(v) for v in x] for x in A.tolist()] for A in (X, Z)]
    return np.array(
        [[float(sum((a - b) ** 2 for a, b in zip(x, z))) for z in rows[1]] for x in rows[0]]
    )


def tensor(phi, psi):
    """Return all products of an entry of phi(x) and one of psi(x), row by row."""
    return np.einsum("ij,ik->ijk", phi, psi).reshape(len(phi), -1)


def close(K, expected, *, rtol=1e-11):
    np.testing.assert_allclose(
        K, expected, rtol=rtol, atol=rtol * max(np.abs(expected).max(), 1e-300)
    )


# KE-4: the kernels of the lectures, against plain loops

NAIVE = {
    "linear": (Linear(), dot),
    "polynomial": (Polynomial(3), lambda x, z: (1 + dot(x, z)) ** 3),
    "without the one": (Polynomial(4, one=False), lambda x, z: dot(x, z) ** 4),
    "gaussian": (Gaussian(0.7), lambda x, z: exp(-dot(x - z, x - z) / (2 * 0.7**2))),
    "laplace": (Laplace(0.7), lambda x, z: exp(-sqrt(dot(x - z, x - z)) / (2 * 0.7**2))),
    "two powers": (Linear() + Linear() ** 2, lambda x, z: dot(x, z) + dot(x, z) ** 2),
    "three powers": (
        Linear() + Linear() ** 2 + Linear() ** 3,
        lambda x, z: dot(x, z) + dot(x, z) ** 2 + dot(x, z) ** 3,
    ),
}


@pytest.mark.parametrize("name", NAIVE)
@fewer
@given(seed=seeds, d=st.integers(1, 5))
def test_a_gram_block_equals_plain_loops(name, seed, d):
    kernel, f = NAIVE[name]
    X, Z = points(seed, n=5, d=d), points(seed + 1, n=3, d=d)
    close(kernel(X, Z), table(f, X, Z))
    close(kernel(X), table(f, X, X))
    close(kernel.diagonal(X), np.array([f(x, x) for x in X]))


@given(seeds, st.sampled_from([0.3, 1.0, 2.5]))
def test_sigma_alpha_and_beta_name_one_kernel(seed, width):
    X = points(seed)
    d2 = table(lambda x, z: dot(x - z, x - z), X, X)
    close(Gaussian.from_alpha(width)(X), np.exp(-width * d2))
    close(Gaussian.from_beta(width)(X), np.exp(-width * d2))
    close(Gaussian.from_alpha(1 / (2 * width**2))(X), Gaussian(width)(X))
    assert Gaussian.from_alpha(width) == Gaussian.from_beta(width)


def test_the_gaussian_printed_in_L4_is_the_laplace_kernel_of_L1():
    X, sigma = points(0), 1.7
    printed = table(lambda x, z: exp(-np.linalg.norm(x - z) / (2 * sigma**2)), X, X)
    close(Laplace(sigma)(X), printed)
    assert np.abs(Gaussian(sigma)(X) - printed).max() > 0.05


def test_the_famous_wrong_kernels_differ_from_ours():
    X, Z, sigma = points(1, n=5, d=3), points(2, n=4, d=3), 0.7
    d2 = table(lambda x, z: dot(x - z, x - z), X, Z)
    gaussian, cubic = Gaussian(sigma)(X, Z), Polynomial(3)(X, Z)
    wrong_gaussians = {
        "distance not squared": np.exp(-np.sqrt(d2) / (2 * sigma**2)),
        "sigma not squared": np.exp(-d2 / (2 * sigma)),
        "factor 2 missing": np.exp(-d2 / sigma**2),
        "minus missing": np.exp(d2 / (2 * sigma**2)),
    }
    wrong_cubics = {
        "the 1 missing": (X @ Z.T) ** 3,
        "the 1 outside": (X @ Z.T) ** 3 + 1,
        "element-wise powers": X**3 @ (Z**3).T,
        "of x + z": table(lambda x, z: dot(x + z, x + z), X, Z),
    }
    assert not any(np.allclose(K, gaussian, rtol=1e-2) for K in wrong_gaussians.values())
    assert not any(np.allclose(K, cubic, rtol=1e-2) for K in wrong_cubics.values())
    assert Linear()(X).shape != (X.T @ X).shape


@pytest.mark.parametrize("make", [Gaussian, Laplace, Gaussian.from_alpha, Gaussian.from_beta])
@pytest.mark.parametrize("bad", [0, -1.0, np.inf, np.nan, "1", None, [1.0]])
def test_a_width_is_a_positive_number(make, bad):
    with pytest.raises(ValueError, match=r"must be a (finite )?number > 0"):
        make(bad)


@pytest.mark.parametrize("degree", [0, -1, 2.0, True, "2"])
def test_a_degree_is_a_whole_number_of_at_least_one(degree):
    with pytest.raises(ValueError, match="degree must be a whole number >= 1"):
        Polynomial(degree)


@pytest.mark.parametrize("sigma", [np.float32(0.3), np.int8(100), np.int64(100_000), 3])
def test_a_width_of_any_number_type_is_taken_at_its_value(sigma):
    X, s = points(3), float(sigma)
    close(Gaussian(sigma)(X), Gaussian(s)(X), rtol=1e-15)
    close(Laplace(sigma)(X), Laplace(s)(X), rtol=1e-15)


def test_equal_kernels_are_equal_and_others_are_not():
    assert Gaussian(2.0) == Gaussian(2) != Gaussian(3.0)
    assert Linear() + Polynomial(2) == Linear() + Polynomial(2) != Polynomial(2) + Linear()
    assert Gaussian(2.0) != Laplace(2.0)


# KE-5: composition, each rule by its feature map


def first(X):
    return X  # phi of x.z


def second(X):
    return features.polynomial_map(X, 2)  # phi of (1 + x.z)^2


def wave(X):
    return np.cos(X[:, 0]) - 0.3


COMPOSITIONS = {
    "a sum is one phi after the other": (
        Linear() + Polynomial(2),
        lambda X: np.hstack([first(X), second(X)]),
    ),
    "a product is all products of entries": (
        Linear() * Polynomial(2),
        lambda X: tensor(first(X), second(X)),
    ),
    "a multiple is phi times the root": (2.5 * Polynomial(2), lambda X: sqrt(2.5) * second(X)),
    "a multiple from the right": (Polynomial(2) * 2.5, lambda X: sqrt(2.5) * second(X)),
    "zero times a kernel is the zero feature": (0 * Linear(), lambda X: 0 * first(X)),
    "a power is a product of copies": (
        Polynomial(2) ** 3,
        lambda X: tensor(tensor(second(X), second(X)), second(X)),
    ),
    "the first power is the kernel": (Polynomial(2) ** 1, second),
    "f(x) K f(z) scales phi(x)": (
        Polynomial(2).scaled_by(wave),
        lambda X: wave(X)[:, None] * second(X),
    ),
    "normalising scales phi to length one": (
        Polynomial(2).normalised(),
        lambda X: second(X) / np.linalg.norm(second(X), axis=1, keepdims=True),
    ),
    "rules nest": (
        (0.5 * Linear() + Polynomial(2)).scaled_by(wave) * Linear(),
        lambda X: tensor(wave(X)[:, None] * np.hstack([sqrt(0.5) * first(X), second(X)]), first(X)),
    ),
}


@pytest.mark.parametrize("rule", COMPOSITIONS)
@fewer
@given(seed=seeds, d=st.integers(1, 3))
def test_a_composition_has_the_inner_products_of_its_features(rule, seed, d):
    kernel, phi = COMPOSITIONS[rule]
    X, Z = points(seed, n=5, d=d), points(seed + 1, n=4, d=d)
    close(kernel(X, Z), phi(X) @ phi(Z).T, rtol=1e-10)
    close(kernel(X), phi(X) @ phi(X).T, rtol=1e-10)
    close(kernel.diagonal(X), (phi(X) ** 2).sum(axis=1), rtol=1e-10)


leaves = st.one_of(
    st.just(Linear()),
    st.builds(Polynomial, st.integers(1, 3), st.booleans()),
    st.builds(Gaussian, st.sampled_from([0.5, 1.3, 4.0])),
    st.builds(Laplace, st.sampled_from([0.5, 1.3, 4.0])),
)
composed = st.recursive(
    leaves,
    lambda part: st.one_of(
        st.builds(lambda a, b: a + b, part, part),
        st.builds(lambda a, b: a * b, part, part),
        st.builds(lambda c, a: c * a, st.sampled_from([0.25, 2, 1e-3]), part),
        st.builds(lambda a, p: a**p, part, st.integers(1, 2)),
        st.builds(lambda a: a.scaled_by(wave, "wave"), part),
    ),
    max_leaves=4,
)


@given(composed, seeds)
def test_whatever_is_composed_of_kernels_stays_positive_semi_definite(kernel, seed):
    K = kernel(points(seed, n=12, d=2))
    certificate = psd_certificate(K)
    assert certificate.valid, f"{kernel}: {certificate.reason}"


def read(formula, x, z):
    """Evaluate a printed formula at two points, as a reader of mathematics would."""
    python = (
        formula.replace("‖x - z‖²", "norm**2")
        .replace("‖x - z‖", "norm")
        .replace("x·z", "dot")
        .replace("·", "*")
        .replace("²", "**2")
        .replace("^", "**")
    )
    names = {"norm": sqrt(dot(x - z, x - z)), "dot": dot(x, z), "exp": exp, "x": x, "z": z}
    return eval(python, {"wave": lambda x: float(wave(x[None, :])[0])}, names)


@given(composed, seeds)
def test_the_repr_is_the_formula_and_evaluates_to_the_kernel(kernel, seed):
    X = points(seed, n=3, d=2)
    values = table(lambda x, z: read(repr(kernel), x, z), X, X)
    close(kernel(X), values, rtol=1e-9)


@pytest.mark.parametrize(
    ("kernel", "formula"),
    [
        (Linear(), "x·z"),
        (Polynomial(3), "(1 + x·z)^3"),
        (Polynomial(3, one=False), "(x·z)^3"),
        (Gaussian(0.5), "exp(-‖x - z‖²/(2·0.5²))"),
        (Laplace(0.5), "exp(-‖x - z‖/(2·0.5²))"),
        (Linear() + Linear() ** 2, "x·z + (x·z)^2"),
        (2 * (Linear() + Polynomial(2)), "2·(x·z + (1 + x·z)^2)"),
        ((Linear() + Polynomial(2)) * Laplace(1), "(x·z + (1 + x·z)^2)·exp(-‖x - z‖/(2·1²))"),
        ((Linear() + Polynomial(2)) ** 2, "(x·z + (1 + x·z)^2)^2"),
        (Linear().scaled_by(wave), "f(x)·x·z·f(z)"),
        ((Linear() + Polynomial(2)).scaled_by(wave, "g"), "g(x)·(x·z + (1 + x·z)^2)·g(z)"),
        (Function(lambda x, z: 1.0, "1") + Linear(), "1 + x·z"),
    ],
)
def test_the_formula_reads_as_one_would_write_it(kernel, formula):
    assert repr(kernel) == formula


@pytest.mark.parametrize("c", [-1, -1e-300, np.nan, np.inf, "2", None, [2.0], 1j])
def test_a_factor_below_zero_or_no_number_is_refused(c):
    with pytest.raises(ValueError, match=r"c must be a (finite )?number >= 0"):
        Linear() * c
    with pytest.raises(ValueError, match=r"c must be a (finite )?number >= 0"):
        kernels.Multiple(c, Linear())


@pytest.mark.parametrize(
    ("things", "f", "K"),
    [
        (["ab", "b"], lambda s, t: float(len(set(s) & set(t))), [[2, 1], [1, 1]]),
        (np.array(["ab", "b"]), lambda s, t: float(len(s) * len(t)), [[4, 2], [2, 1]]),
        ([{1, 2}, {2}], lambda s, t: float(len(s & t)), [[2, 1], [1, 1]]),
        ([Fraction(1, 2), Fraction(3)], lambda s, t: float(s * t), None),
        ([["1", "2"]], lambda s, t: 1.0, None),
        ([], lambda s, t: 1.0, None),
    ],
)
def test_a_function_takes_strings_and_sets_and_refuses_rows_that_are_no_numbers(things, f, K):
    if K is None:
        with pytest.raises(ValueError, match="X"):
            Function(f)(things)
    else:
        assert np.array_equal(Function(f)(things), K)
        assert np.array_equal(np.diag(K), Function(f).diagonal(Function(f).check(things)))


def test_a_function_of_graphs_adds_to_a_kernel_of_graphs_what_that_does_not_see():
    ring = [(i, (i + 1) % 6) for i in range(6)]
    pairs = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    both = [discrete.Graph("C" * 6, edges) for edges in (pairs, ring)]
    blind = discrete.WeisfeilerLehman(3)
    seen = Function(lambda g, h: np.trace(g.adjacency @ g.adjacency @ g.adjacency)
                    * np.trace(h.adjacency @ h.adjacency @ h.adjacency) / 36)  # fmt: skip
    assert np.ptp(blind(both)) == 0
    assert np.array_equal((blind + seen)(both) - blind(both), [[4, 0], [0, 0]])


def test_minus_a_kernel_is_no_kernel():
    minus = Function(lambda x, z: -dot(x, z))
    assert not psd_certificate(minus([[1.0, 2.0]])).valid
    with pytest.raises(ValueError, match="c must be a number >= 0, not -1"):
        -1 * Linear()


@pytest.mark.parametrize("p", [0, -1, 0.5, 2.0, True, "2", None])
def test_a_power_is_a_whole_number_of_at_least_one(p):
    with pytest.raises(ValueError, match="p must be a whole number >= 1"):
        Linear() ** p


@pytest.mark.parametrize("other", [1, 0.5, None, "x·z", np.ones((2, 2)), dot])
def test_only_a_kernel_is_added_to_a_kernel(other):
    with pytest.raises(ValueError, match=r"wrap functions: Function\(f\)"):
        Linear() + other


def test_the_half_power_of_a_kernel_need_not_be_one():
    root = Function(lambda x, z: sqrt(abs(dot(x, z))), "abs(x·z)^0.5")
    assert refute(root) is not None


@pytest.mark.parametrize("c", [2, 2.0, np.float64(2), np.int64(2)])
def test_numbers_of_any_type_multiply_from_both_sides(c):
    X = points(0)
    close((c * Linear())(X), 2 * X @ X.T)
    close((Linear() * c)(X), 2 * X @ X.T)


# KE-7: certificates of validity


def quadratic_form(K, v):
    """Return v'Kv in fractions: no rounding."""
    n = len(v)
    v = [Fraction(a) for a in v.tolist()]
    return sum(v[i] * Fraction(float(K[i, j])) * v[j] for i, j in product(range(n), repeat=2))


def determinant(A):
    """Return the determinant of a matrix of fractions by elimination."""
    A, sign = [list(row) for row in A], 1
    for k in range(len(A)):
        pivot = next((i for i in range(k, len(A)) if A[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            A[k], A[pivot], sign = A[pivot], A[k], -sign
        for i in range(k + 1, len(A)):
            ratio = A[i][k] / A[k][k]
            A[i] = [a - ratio * b for a, b in zip(A[i], A[k])]
    return sign * prod((A[k][k] for k in range(len(A))), start=Fraction(1))


def all_principal_minors_are_nonnegative(K):
    """Sylvester's criterion for semi-definiteness, exactly."""
    n, K = len(K), [[Fraction(v) for v in row] for row in K.tolist()]
    subsets = (s for k in range(1, n + 1) for s in combinations(range(n), k))
    return all(determinant([[K[i][j] for j in s] for i in s]) >= 0 for s in subsets)


@st.composite
def symmetric_integers(draw):
    n = draw(st.integers(1, 4))
    A = np.array(draw(st.lists(st.integers(-3, 3), min_size=n * n, max_size=n * n)), float)
    A = A.reshape(n, n)
    K = np.triu(A) + np.triu(A, 1).T
    return K + draw(st.sampled_from([0.0, 3.0, 6.0])) * np.eye(n)


@given(st.one_of(symmetric_integers(), integer_points(max_n=4).map(lambda X: X @ X.T)))
def test_the_verdict_is_that_of_all_principal_minors_in_fractions(K):
    certificate = psd_certificate(K)
    assert certificate.symmetric
    assert certificate.valid == all_principal_minors_are_nonnegative(K)
    assert (certificate.v is None) == certificate.valid


@given(symmetric_integers())
def test_the_vector_of_a_refusal_really_refutes(K):
    certificate = psd_certificate(K)
    if not certificate.valid:
        form = quadratic_form(K, certificate.v)
        assert form < 0  # in fractions
        assert float(form) == pytest.approx(certificate.value, rel=1e-9)
        assert np.linalg.norm(certificate.v) == pytest.approx(1, rel=1e-12)
        assert certificate.least == pytest.approx(certificate.value, rel=1e-9)
        assert "v'Kv" in certificate.reason


@given(seeds, st.integers(1, 3), st.integers(5, 30), st.sampled_from([1e-12, 1.0, 1e12]))
def test_a_gram_matrix_of_low_rank_is_accepted_despite_rounding(seed, d, n, scale):
    X = points(seed, n=n, d=d)
    certificate = psd_certificate(scale * (X @ X.T))
    assert certificate.valid
    assert certificate.v is None
    assert abs(certificate.least) <= certificate.tolerance
    assert "none below rounding" in certificate.reason


@given(seeds, st.sampled_from([-1e-3, -1e-6, -1e-8, 0.0, 1e-6]), st.sampled_from([1e-9, 1, 1e9]))
def test_the_verdict_does_not_depend_on_the_scale(seed, least, scale):
    Q = np.linalg.qr(points(seed, n=6, d=6))[0]
    K = (Q * np.array([least, 0, 0.2, 0.5, 0.7, 1.0])) @ Q.T
    certificate = psd_certificate(scale * (K + K.T) / 2)
    assert certificate.valid == (least >= 0)
    assert certificate.least == pytest.approx(scale * min(least, 0), abs=1e-14 * scale)


def test_not_symmetric_is_its_own_answer():
    certificate = psd_certificate([[1.0, 10.0], [0.0, 1.0]])
    assert not certificate.valid
    assert not certificate.symmetric
    assert certificate.v is None
    assert certificate.value == 10
    assert "not symmetric" in certificate.reason
    assert psd_certificate([[1.0, -2.0], [2.0, 1.0]]).symmetric is False  # though v'Kv = v'v > 0


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_symmetry_is_judged_up_to_rounding_and_relative_to_the_entries(scale):
    rounded, wrong = (scale * np.array([[2.0, 1 + e], [1.0, 2.0]]) for e in (1e-15, 1e-5))
    assert psd_certificate(rounded).valid
    assert not psd_certificate(wrong).symmetric


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (1, 4)])
def test_a_gram_matrix_is_square(shape):
    with pytest.raises(
        ValueError, match=f"shape .{shape[0]}, {shape[1]}.; a Gram matrix is square"
    ):
        psd_certificate(np.ones(shape))


@pytest.mark.parametrize("bad", [[[np.nan]], [[np.inf]], [1.0, 2.0], [["a"]], np.zeros((0, 0))])
def test_what_is_no_matrix_of_numbers_is_refused(bad):
    with pytest.raises(ValueError, match="K "):
        psd_certificate(bad)


def test_the_zero_matrix_is_a_gram_matrix():
    assert psd_certificate(np.zeros((3, 3))).valid


def test_no_negative_eigenvalue_at_all_rejects_valid_gram_matrices():
    grams = [X @ X.T for X in (points(seed, n=12, d=2) for seed in range(20))]
    assert not all((np.linalg.eigvalsh(K) >= 0).all() for K in grams)  # the wrong test
    assert all(psd_certificate(K).valid for K in grams)


PAIR = np.array([[1.0, 2.0], [2.0, 1.0]])
NOT_PSD = {
    "its determinant is positive": (
        np.kron(np.eye(2), PAIR),
        lambda K: np.linalg.det(K) >= 0,
    ),
    "its diagonal is positive": (PAIR, lambda K: (np.diag(K) >= 0).all()),
    "its entries are positive": (PAIR, lambda K: (K >= 0).all()),
    "its leading minors are not negative": (
        np.diag([0.0, -1.0]),
        lambda K: all(np.linalg.det(K[:k, :k]) >= 0 for k in (1, 2)),
    ),
    "its trace is positive": (PAIR, lambda K: np.trace(K) >= 0),
    "its eigenvalues are positive, but it is not symmetric": (
        np.array([[1.0, 10.0], [0.0, 1.0]]),
        lambda K: (np.linalg.eigvals(K) >= 0).all(),
    ),
}


@pytest.mark.parametrize("why", NOT_PSD)
def test_a_wrong_test_accepts_what_the_certificate_refuses(why):
    K, wrong_test = NOT_PSD[why]
    assert wrong_test(K)
    assert not psd_certificate(K).valid


def test_one_gram_matrix_proves_nothing_about_all():
    k = Function(lambda x, z: tanh(dot(x, z)), "tanh(x·z)")
    assert psd_certificate(k(np.eye(2))).valid  # here nothing is wrong ...
    assert refute(k) is not None  # ... elsewhere it is


def squared(x, z):
    return dot(x - z, x - z)


NO_KERNELS = {
    "tanh": lambda x, z: tanh(dot(x, z)),
    "tanh, shifted down": lambda x, z: tanh(dot(x, z) - 1),
    "tanh, shifted up": lambda x, z: tanh(0.5 * dot(x, z) + 1),
    "sigmoid": lambda x, z: 1 / (1 + exp(-dot(x, z))),
    "sigmoid, shifted": lambda x, z: 1 / (1 + exp(2 - 0.5 * dot(x, z))),
    "minus the squared distance": lambda x, z: -squared(x, z),
    "the squared distance": squared,
    "the larger squared norm": lambda x, z: max(dot(x, x), dot(z, z)),
    "the larger first coordinate": lambda x, z: max(x[0], z[0]),
    "the larger of two kernels": lambda x, z: max(dot(x, z), exp(-squared(x, z) / 2)),
    "the positive part of a kernel": lambda x, z: max(dot(x, z), 0.0),
    "the indicator of a ball": lambda x, z: float(squared(x, z) <= 1),
    "a bump that ends": lambda x, z: max(0.0, 1 - squared(x, z)),
    "a Gaussian without the minus": lambda x, z: exp(squared(x, z) / 200),
    "a Gaussian of the fourth power": lambda x, z: exp(-(squared(x, z) ** 2)),
    "minus a kernel": lambda x, z: -dot(x, z),
    "a difference of kernels": lambda x, z: dot(x, z) ** 2 - dot(x, z),
    "the squared norm of the sum": lambda x, z: dot(x + z, x + z),
}


@pytest.mark.parametrize("name", NO_KERNELS)
def test_a_function_that_is_no_kernel_is_refuted_by_points_and_a_vector(name):
    f = NO_KERNELS[name]
    found = refute(Function(f, name))
    assert found is not None
    K, v = table(f, found.X, found.X), found.certificate.v
    assert (K == K.T).all()
    assert quadratic_form(K, v) < 0  # in fractions
    assert found.tries >= 1


def test_an_asymmetric_function_is_refuted_as_such():
    found = refute(Function(lambda x, z: 2 + tanh(x[0])))
    assert found is not None
    assert not found.certificate.symmetric


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_indicator_of_a_ball_fails_on_a_chain_of_three_points(d):
    X = np.zeros((3, d))
    X[:, 0] = 0.0, 0.8, 1.6  # neighbours touch, the ends do not
    certificate = psd_certificate(Function(NO_KERNELS["the indicator of a ball"])(X))
    assert certificate.value == pytest.approx(1 - sqrt(2), rel=1e-12)


KERNELS = {
    **STANDARD,
    "a hat on the line": Function(lambda x, z: max(0.0, 1 - abs(x[0] - z[0]))),
    "the smaller of two numbers": Function(lambda x, z: min(abs(x[0]), abs(z[0]))),
    "the cosine": Linear().normalised(),
    "equality": Function(lambda x, z: float((x == z).all())),
    "the exponential": Function(lambda x, z: exp(0.01 * dot(x, z))),
}


@pytest.mark.parametrize("name", KERNELS)
def test_no_point_set_refutes_a_kernel(name):
    assert refute(KERNELS[name], tries=6) is None


def test_the_search_depends_on_the_seed_alone_and_can_be_narrowed():
    k = Function(NO_KERNELS["tanh"])
    first, again = (refute(k, rng=5) for _ in range(2))
    assert first.X.tolist() == again.X.tolist()
    assert refute(k, sizes=(1,)) is None  # one point at a time, nothing is found
    assert refute(k, d=4).X.shape[1] == 4
    for options in ({"d": 0}, {"tries": 0}):
        with pytest.raises(ValueError, match="whole number >= 1"):
            refute(k, **options)


# KE-8: any distinct points, any labels


@st.composite
def distinct_points(draw):
    X = np.unique(draw(integer_points(min_n=2, max_n=9)), axis=0)
    rng = np.random.default_rng(draw(seeds))
    return rng.permutation(X) + rng.uniform(-0.1, 0.1, size=X.shape)  # no two at equal distances


@given(distinct_points(), seeds)
def test_any_distinct_points_with_any_labels_are_separable_with_the_gaussian(X, seed):
    K = Gaussian(0.5)(X)
    assert psd_certificate(K).least > 0.1  # positive definite, and clearly so
    y = np.random.default_rng(seed).choice([-1.0, 1.0], size=len(X))
    assert margins.max_margin(kernels.embed(K), y).separable
    run = perceptron.kernel_perceptron(X, y, Gaussian(0.5))
    assert run.converged
    assert (y * run.decision(X) > 0).all()


@pytest.mark.parametrize("sigma", [0.2, 0.6, 1.0])
def test_every_labelling_of_five_points_on_a_line_is_separable(sigma):
    X = np.array([[0.0], [1.0], [2.0], [3.5], [4.1]])
    Phi = kernels.embed(Gaussian(sigma)(X))
    for y in product([-1.0, 1.0], repeat=5):
        best = margins.max_margin(Phi, y)
        assert best.separable
        assert margins.set_margin(best.w, Phi, y) > 0


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_a_high_enough_dimension_separates_and_one_less_does_not(n):
    X = np.linspace(-1, 1, n)[:, None]
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)  # by turns: n - 1 changes of sign
    for degree in (n - 2, n - 1):
        Phi = kernels.embed(Polynomial(degree)(X))
        assert Phi.shape[1] == degree + 1
        assert margins.max_margin(Phi, y).separable == (degree == n - 1)


@standard
def test_a_point_with_both_labels_is_separable_by_no_kernel(kernel):
    X = np.array([[0.3, 1.2], [0.3, 1.2], [-1.0, 0.4]])
    y = np.array([1.0, -1.0, 1.0])
    Phi = kernels.embed(kernel(X))
    best = margins.max_margin(Phi, y)
    assert not best.separable
    assert best.weights.sum() == pytest.approx(1, rel=1e-12)
    assert (best.weights >= 0).all()
    combination = (best.weights * y) @ Phi  # 0: so no w has y w.phi > 0 on all of them
    assert np.linalg.norm(combination) <= 1e-9 * np.linalg.norm(Phi)
    assert not perceptron.kernel_perceptron(X, y, kernel, max_epochs=50).converged


# Geometry in phi-space, through K alone


def phi(X):
    return features.polynomial_map(X, 3)


@given(seeds, st.integers(1, 3))
def test_norms_and_distances_are_those_of_phi(seed, d):
    X, Z = points(seed, n=6, d=d), points(seed + 1, n=4, d=d)
    k = Polynomial(3)
    close(kernels.norms(k, X), np.linalg.norm(phi(X), axis=1))
    between = np.linalg.norm(phi(X)[:, None] - phi(Z)[None], axis=2)
    close(kernels.distances(k, X, Z), between, rtol=1e-7)  # a root of rounding


@standard
def test_a_point_is_at_distance_zero_from_itself(kernel):
    X = points(4)
    D = kernels.distances(kernel, X, X)
    assert np.isfinite(D).all()
    assert np.diag(D).max() <= 1e-7 * kernels.norms(kernel, X).max()


def test_for_the_linear_kernel_the_geometry_is_that_of_the_points():
    X, Z = points(5), points(6, n=2)
    close(kernels.norms(Linear(), X), np.linalg.norm(X, axis=1))
    close(
        kernels.distances(Linear(), X, Z), np.linalg.norm(X[:, None] - Z[None], axis=2), rtol=1e-7
    )


def test_all_points_have_norm_one_under_the_gaussian_and_distances_below_root_two():
    X = points(7, scale=100)
    assert kernels.norms(Gaussian(0.5), X).tolist() == [1.0] * len(X)
    assert kernels.distances(Gaussian(0.5), X, X).max() <= sqrt(2)


@given(seeds)
def test_the_normalised_kernel_is_the_cosine_in_phi_space(seed):
    X, Z = points(seed), points(seed + 1, n=4)
    k = Polynomial(3).normalised()
    unit, unit_z = (phi(A) / np.linalg.norm(phi(A), axis=1, keepdims=True) for A in (X, Z))
    close(k(X, Z), unit @ unit_z.T)
    close(k.diagonal(X), np.ones(len(X)))
    assert np.abs(k(X)).max() <= 1 + 1e-12


def test_where_phi_is_zero_the_cosine_is_zero_and_no_nan():
    k = Linear().normalised()
    assert k([[0.0, 0.0], [3.0, 0.0], [0.0, 2.0]]).tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert k.diagonal(np.array([[0.0, 0.0]])).tolist() == [0.0]


@given(seeds, st.integers(1, 3))
def test_centring_gives_inner_products_from_the_mean_of_the_training_data(seed, d):
    X, Z = points(seed, n=6, d=d), points(seed + 1, n=4, d=d)
    mean = phi(X).mean(axis=0)
    k = Polynomial(3)
    here, new = kernels.centred(k(X)), kernels.centred(k(Z, X), k(X))
    scale = np.abs(k(X)).max()
    np.testing.assert_allclose(
        here, (phi(X) - mean) @ (phi(X) - mean).T, rtol=0, atol=1e-11 * scale
    )
    scale = max(scale, np.abs(k(Z, X)).max())
    np.testing.assert_allclose(new, (phi(Z) - mean) @ (phi(X) - mean).T, rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(here.sum(axis=0), 0, atol=1e-10 * scale)


def test_new_points_centred_by_their_own_mean_would_be_wrong():
    X, Z, k = points(1, n=4), points(2, n=4), Polynomial(2)
    right, wrong = kernels.centred(k(Z, X), k(X)), kernels.centred(k(Z, X))
    assert not np.allclose(right, wrong, rtol=1e-3)


@given(composed, seeds, st.integers(1, 10))
def test_the_embedding_has_the_inner_products_it_was_made_from(kernel, seed, n):
    K = kernel(points(seed, n=n, d=2))
    E = kernels.embed(K)
    assert len(E) == n
    assert 1 <= E.shape[1] <= n
    close(E @ E.T, K, rtol=n * 1.1e-10)  # what counts as rounding is left out


def test_the_embedding_has_no_more_columns_than_the_rank():
    assert kernels.embed(Linear()(points(0, n=9, d=3))).shape == (9, 3)
    assert kernels.embed(Polynomial(2)(points(0, n=20, d=2))).shape == (20, 6)
    assert kernels.embed(np.zeros((3, 3))).tolist() == [[0.0]] * 3


def test_the_embedding_refuses_what_is_no_gram_matrix_and_says_why():
    with pytest.raises(ValueError, match="not a Gram matrix: v'Kv = -1 < 0"):
        kernels.embed(PAIR)
    with pytest.raises(ValueError, match="not symmetric"):
        kernels.embed([[1.0, 10.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="square"):
        kernels.embed(np.ones((2, 3)))


# Accuracy: duplicates, far points, tiny and huge scales


def hard_points(rng, shape, scale, spread):
    X = scale * rng.normal(size=(5, 2))
    if shape == "offset":
        X += 1e8
    elif shape == "two clusters":
        X[::2] += [1e8, -1e8]
    elif shape == "all magnitudes":
        X = X / scale * 10.0 ** rng.integers(-8, 9, size=(5, 1))
    elif shape == "a far point":
        X[-1] *= spread
    return np.vstack([X, X[[0, 2]]])  # with duplicates


hard = st.builds(
    hard_points,
    seeds.map(np.random.default_rng),
    st.sampled_from(["plain", "offset", "two clusters", "all magnitudes", "a far point"]),
    st.integers(-8, 8).map(lambda e: 10.0**e),
    st.sampled_from([10.0, 300.0, 1e5, 1e12]),
)
widths = st.one_of(st.integers(-8, 8).map(lambda e: 10.0**e), st.sampled_from([0.3, 7.0]))


@given(hard, widths)
def test_hard_points_give_a_clean_gaussian_gram_matrix(X, sigma):
    d2 = exact_squared_distances(X, X)
    for kernel, exact in (
        (Gaussian(sigma), np.exp(-d2 / (2 * sigma**2))),
        (Laplace(sigma), np.exp(-np.sqrt(d2) / (2 * sigma**2))),
    ):
        K = kernel(X)
        assert np.isfinite(K).all()
        assert K.min() >= 0
        assert K.max() <= 1
        assert (K == K.T).all()
        assert np.diag(K).tolist() == [1.0] * len(X)
        np.testing.assert_allclose(K, exact, rtol=0, atol=1e-9)


@given(hard, hard, widths)
def test_hard_points_give_a_clean_gaussian_block(X, Z, sigma):
    Z = np.vstack([Z[:3], X[:2]])  # some of them the same
    d2 = exact_squared_distances(X, Z)
    for kernel, exact in (
        (Gaussian(sigma), np.exp(-d2 / (2 * sigma**2))),
        (Laplace(sigma), np.exp(-np.sqrt(d2) / (2 * sigma**2))),
    ):
        K = kernel(X, Z)
        assert K.min() >= 0
        assert K.max() <= 1
        np.testing.assert_allclose(K, exact, rtol=0, atol=1e-9)


def test_a_far_point_does_not_blur_the_near_ones():
    X = np.array([[1e-8], [2e-8], [1e8]])  # a common centre would be rounded away
    assert Gaussian(1e-8)(X)[0, 1] == pytest.approx(exp(-0.5), rel=1e-9)


def test_duplicates_have_laplace_similarity_one():
    X = points(0, n=50, scale=100)
    K = Laplace(1.0)(np.vstack([X, X]))
    assert np.diag(K[:50, 50:]).tolist() == [1.0] * 50  # the root of a rounding error would show


@pytest.mark.parametrize("size", [1e50, 1e100, 1e150])
def test_points_as_far_as_numbers_are_taken_give_no_nan(size):
    X = [[size, 0.0], [-size, 0.0], [0.0, 0.0], [size, 0.0]]
    expected = [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]
    assert Gaussian(1.0)(X).tolist() == Laplace(1.0)(X).tolist() == expected


@given(seeds, st.integers(1, 60), st.integers(1, 6))
def test_gram_matrices_are_symmetric_to_the_bit(seed, n, d):
    X = points(seed, n=n, d=d)
    for kernel in (Linear(), Polynomial(3), Gaussian(0.9), Laplace(0.9), Gaussian(2) * Linear()):
        K = kernel(X)
        assert (K == K.T).all()


@given(hard)
def test_squared_distances_are_never_negative_and_zero_on_the_diagonal(X):
    D = kernels.squared_distances(X, X)
    assert D.min() >= 0
    assert np.diag(D).tolist() == [0.0] * len(X)
    np.testing.assert_allclose(D, exact_squared_distances(X, X), rtol=1e-9, atol=1e-9)


# Blocks: the same numbers within a memory budget

budgets = st.one_of(st.integers(1, 600), st.sampled_from([8, 64, 10_000, 10**9]))


@standard
@fewer
@given(seed=seeds, n=st.integers(1, 12), m=st.integers(1, 9), memory=budgets)
def test_blocks_are_the_rows_of_the_full_matrix_for_any_budget(kernel, seed, n, m, memory):
    X, Z = points(seed, n=n, d=2), points(seed + 1, n=m, d=2)
    full, covered = kernel(X, Z), []
    for rows, K in kernels.blocks(kernel, X, Z, memory=memory):
        assert K.nbytes <= max(memory, 8 * m)  # one row is the least there is
        close(K, full[rows], rtol=1e-10)
        covered += range(n)[rows]
    assert covered == list(range(n))


@standard
@fewer
@given(seed=seeds, memory=budgets)
def test_the_product_in_tiles_is_the_product_of_the_full_matrix(kernel, seed, memory):
    X, Z = points(seed, n=9, d=2), points(seed + 1, n=5, d=2)
    one, several = points(seed + 2, n=5, d=1)[:, 0], points(seed + 3, n=5, d=3)
    scale = np.abs(kernel(X, Z)).max()
    for c in (one, several):
        got = kernels.product(kernel, X, Z, c, memory=memory)
        np.testing.assert_allclose(got, kernel(X, Z) @ c, rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0), Laplace(1.0)])
def test_the_product_never_holds_the_full_matrix(kernel):
    X = points(0, n=2000, d=2)
    full = 8 * len(X) ** 2
    tracemalloc.start()
    kernels.product(kernel, X, X, np.ones(len(X)), memory=full // 40)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < full / 5  # a block, what it is made from, and the one before


# Input


@standard
@pytest.mark.parametrize(("d", "e"), [(3, 2), (1, 3), (3, 1)])
def test_blocks_of_points_with_different_feature_counts_are_refused(kernel, d, e):
    X, Z = points(0, d=d), points(1, n=4, d=e)
    for call in (
        lambda: kernel(X, Z),
        lambda: list(kernels.blocks(kernel, X, Z)),
        lambda: kernels.product(kernel, X, Z, np.ones(4)),
        lambda: kernels.distances(kernel, X, Z),
    ):
        with pytest.raises(ValueError, match=f"X has {d} features and Z {e}"):
            call()


@standard
@pytest.mark.parametrize("bad", [[1.0, 2.0], [[np.nan, 1.0]], [["a", "b"]], np.zeros((0, 2))])
def test_what_is_no_table_of_numbers_is_refused_with_advice(kernel, bad):
    for call in (
        lambda: kernel(bad),
        lambda: kernel([[1.0, 2.0]], bad),
        lambda: kernels.norms(kernel, bad),
        lambda: list(kernels.blocks(kernel, bad, [[1.0, 2.0]])),
    ):
        with pytest.raises(ValueError, match="X "):
            call()


@standard
def test_lists_whole_numbers_and_float32_are_taken_and_nothing_is_modified(kernel):
    X, Z = np.array([[1, 2], [-3, 0], [2, 2]]), np.array([[0, 1], [2, 2]])
    before = X.copy(), Z.copy()
    expected = kernel(X.astype(float), Z.astype(float)).tolist()
    for given_X, given_Z in (
        (X, Z),
        (X.tolist(), Z.tolist()),
        (X.astype(np.float32), Z.astype(np.int8)),
        (np.asfortranarray(X.astype(float)), Z[::-1][::-1]),
    ):
        assert kernel(given_X, given_Z).tolist() == expected
    assert (X == before[0]).all()
    assert (Z == before[1]).all()


@standard
def test_a_call_leaves_floats_alone_and_returns_a_new_array(kernel):
    X = points(8)
    before = X.copy()
    first, second = kernel(X), kernel(X)
    kernels.norms(kernel, X)
    kernels.distances(kernel, X, X)
    list(kernels.blocks(kernel, X, X, memory=100))
    assert (X == before).all()
    assert not np.shares_memory(first, X)
    assert not np.shares_memory(first, second)
    assert first.tolist() == second.tolist()


def test_certificates_and_centring_do_not_modify_their_matrix():
    K = Gaussian(1.0)(points(9))
    before = K.copy()
    psd_certificate(K)
    kernels.centred(K)
    kernels.embed(K)
    assert (K == before).all()


# What is no kernel object, and what a kernel must not return

DOORS = {
    "product": lambda k: kernels.product(k, [[1.0]], [[1.0]], [1.0]),
    "norms": lambda k: kernels.norms(k, [[1.0]]),
    "distances": lambda k: kernels.distances(k, [[1.0]], [[1.0]]),
    "centred_gram": lambda k: kernels.centred_gram(k, [[1.0]]),
    "kernel_perceptron": lambda k: perceptron.kernel_perceptron([[1.0], [2.0]], [1, -1], k),
    "kernel_perceptron_list": lambda k: perceptron.kernel_perceptron_list(
        [[1.0], [2.0]], [1, -1], k
    ),
    "kernel_ridge": lambda k: kernel_methods.kernel_ridge([[1.0], [2.0]], [1.0, 2.0], k, 1.0),
    "kernel_pca": lambda k: kernel_methods.kernel_pca([[1.0], [2.0]], k),
    "kernel_kmeans": lambda k: kernel_methods.kernel_kmeans([[1.0], [2.0]], k, 1),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("kernel", "advice"),
    [
        ("gaussian", r"write kernels\.Gaussian\(1\.0\)"),
        ("RBF", r"write kernels\.Gaussian\(1\.0\)"),
        ("sigmoid", r"write kernels\.Linear\(\), kernels\.Gaussian"),
        (Gaussian, r"an instance of it, kernels\.Gaussian\(\.\.\.\)"),
        (dot, r"kernels\.Function\(f\)"),
        (None, "kernel must be a kernel object, not None"),
    ],
)
def test_what_is_no_kernel_object_is_refused_with_what_to_write(door, kernel, advice):
    with pytest.raises(ValueError, match=advice):
        DOORS[door](kernel)


@pytest.mark.parametrize("door", [name for name in DOORS if name != "centred_gram"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_kernel_that_returns_no_number_is_named(door, value):
    with pytest.raises(ValueError, match="broken gives NaN or infinity"):
        DOORS[door](Function(lambda x, z: value, "broken"))


def test_a_difference_of_kernels_is_refused_with_a_sentence():
    for difference in (lambda: Linear() - Linear(), lambda: Linear() - 1, lambda: 1 - Linear()):
        with pytest.raises(ValueError, match="difference of kernels need not be a kernel"):
            difference()


def test_a_negative_square_is_no_norm():
    with pytest.raises(ValueError, match=r"K\(x, x\) = -1 < 0 for an x: minus is no kernel"):
        kernels.norms(Function(lambda x, z: -1.0, "minus"), [[1.0]])


def test_a_factor_is_one_number_per_row():
    with pytest.raises(ValueError, match=r"g returned shape \(2, 1\) for 2 rows"):
        Linear().scaled_by(lambda X: X[:, :1], "g")([[1.0], [2.0]])


def test_distances_with_the_linear_kernel_do_not_mind_where_the_data_are():
    X = np.round(points(3), 1)
    near, far = (kernels.distances(Linear(), Z, Z) for Z in (X, X + 1e8))
    np.testing.assert_allclose(far, near, atol=1e-6)


@pytest.mark.parametrize(
    ("X", "Z", "message"),
    [
        ([1.0], [[1.0]], "one row per example"),
        ([[1.0]], [[np.nan]], "Z contains NaN"),
        ([[1.0]], [[1.0, 2.0]], "X has 1 features and Z 2"),
    ],
)
def test_squared_distances_check_their_points(X, Z, message):
    with pytest.raises(ValueError, match=message):
        kernels.squared_distances(X, Z)
