"""Kernels: values, algebra, geometry, accuracy in floating point, and certificates of validity."""

from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import discrete, features, kernels
from lectures_lib.kernels import (
    Function,
    Gaussian,
    Laplace,
    Linear,
    Polynomial,
    psd_certificate,
    refute,
)
from tests.strategies import seeds

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
