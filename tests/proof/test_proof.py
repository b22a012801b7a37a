"""Numbers that know their rounding errors, beside fractions; the face of every certificate."""

import importlib
import inspect
import pkgutil
from fractions import Fraction
from functools import cached_property

import numpy as np
import pytest
from scipy import sparse

import lectures_lib
from lectures_lib import complexity
from lectures_lib._result import NotJudged
from lectures_lib.proof import Enclosure, Proof
from lectures_lib.proof.rounding import (
    SAFE,
    TINY,
    UNIT,
    cut_sum,
    enclosed_dot,
    enclosed_product,
    enclosed_sum,
    growth,
    norm_above,
)
from lectures_lib.proof.scores import of_gram, one_block
from lectures_lib.proof.verdict import decided, worst


def wild(rng, shape):
    """Return numbers of very different sizes."""
    return rng.normal(size=shape) * 10.0 ** rng.integers(-12, 12, size=shape)


def fractions(values):
    return np.array([Fraction(v) for v in np.ravel(values)], dtype=object).reshape(np.shape(values))


@pytest.mark.parametrize("seed", range(100))
def test_an_enclosure_holds_the_sum_and_the_dot_product_of_fractions(seed):
    rng = np.random.default_rng(seed)
    x, y = wild(rng, rng.integers(1, 60)), None
    y = wild(rng, len(x))
    for found, exact in (
        (enclosed_sum(x), fractions(x).sum()),
        (enclosed_dot(x, y), fractions(x) @ fractions(y)),
    ):
        assert found.low <= exact <= found.high


def cancelling(rng, n):
    """Return numbers whose sum is far below them: each comes with nearly its opposite."""
    half = wild(rng, n // 2)
    return rng.permutation(np.concatenate([half, -half * (1 + 1e-15 * rng.normal(size=n // 2))]))


@pytest.mark.parametrize("n", [1, 2, 3, 64, 1023, 1024, 3000])
@pytest.mark.parametrize("scale", [1.0, 2.0**-1060, 2.0**900])
def test_a_sum_cut_in_two_is_off_by_hardly_more_than_one_rounding(n, scale):
    rng = np.random.default_rng(n)
    for x in (wild(rng, n), cancelling(rng, max(n, 2)), rng.normal(size=n)):
        x = x * scale
        found = cut_sum(x)
        value, error = found.value, found.error
        assert abs(Fraction(value) - fractions(x).sum()) <= Fraction(error)
        rest = 2.0 * len(x) ** 3 * UNIT**2 * np.abs(x).max()  # g_n n u s, with s <= 4 n max abs(x)
        assert error <= SAFE * (UNIT * abs(value) + 3 * rest) + TINY


def test_a_sum_of_nothing_but_zeros_has_no_error_in_whatever_units():
    assert cut_sum(np.zeros(5)) == cut_sum(np.zeros(0)) == Enclosure(0.0, TINY)


def test_sums_of_single_precision_are_judged_in_double_precision():
    x = np.random.default_rng(0).normal(size=200).astype(np.float32)
    exact = fractions(x.astype(float))
    for found, true in (
        (enclosed_sum(x), exact.sum()),
        (enclosed_dot(x, x), exact @ exact),
        (Enclosure(*(part[0] for part in enclosed_product(x[None], x))), exact @ exact),
    ):
        assert found.low <= true <= found.high and found.error <= 1e-11


def test_a_sum_carries_the_error_of_each_of_its_numbers():
    values = np.arange(6.0).reshape(2, 3)
    assert enclosed_sum(values, 0.5).error == pytest.approx(3.0, rel=1e-5)
    assert enclosed_sum(values, np.array([1.0, 0.0, 2.0])).error == pytest.approx(6.0, rel=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_scores_of_a_valid_kernel_are_within_the_bound_of_cauchy_and_schwarz(seed):
    rng = np.random.default_rng(seed)
    Z = rng.integers(-9, 10, size=(40, 3)) * 10.0 ** rng.integers(-2, 3, size=(40, 1))
    scale = 2.0 ** rng.integers(-1000, 300) if seed % 2 else 1.0
    K, beta = np.round(Z @ Z.T, 6), wild(rng, 40) * (rng.random(40) < 0.5) * scale
    some = K[:, beta != 0]
    cut = slice(0, 7), slice(7, some.shape[1])
    tiled = [
        lambda rows=rows: [(c, some[rows, c]) for c in cut] for rows in (slice(25), slice(25, 40))
    ]
    parts = [*one_block(some[:25]), *one_block(some[25:])]
    true = fractions(K) @ fractions(beta)
    told = {"relative": 1e-6, "valid": True}  # K was rounded to 6 digits
    bare = [(parts, {}), (tiled, {})]
    for given, more in (*bare, (parts, told), (tiled, told), (one_block(K), told)):
        found = of_gram(given, K.diagonal(), beta, **more)
        off = [abs(Fraction(v) - t) for v, t in zip(found.value, true)]
        assert all(o <= Fraction(e) for o, e in zip(off, found.error))
        assert found.norm2.low <= fractions(beta) @ true <= found.norm2.high


@pytest.mark.parametrize("seed", range(30))
def test_a_product_with_a_matrix_errs_by_no_more_than_its_bound(seed):
    rng = np.random.default_rng(seed)
    A, v = wild(rng, (6, 20)), wild(rng, 20)
    for norm in (np.inf, norm_above(A)):
        value, error = enclosed_product(A, v, norm=norm)
        true = fractions(A) @ fractions(v)
        assert all(abs(Fraction(a) - t) <= Fraction(e) for a, t, e in zip(value, true, error))
    off = np.abs(v) * 1e-3
    for norm in (np.inf, norm_above(A)):
        error = enclosed_product(A, v, off, norm)[1]
        far = fractions(A) @ (fractions(v) + fractions(off))
        assert all(abs(Fraction(a) - t) <= Fraction(e) for a, t, e in zip(value, far, error))


@pytest.mark.parametrize(("rows", "columns"), [(6, 40_000), (40_000, 6)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_large_matrix_has_the_same_bound_in_pieces(rows, columns, order):
    rng = np.random.default_rng(0)
    A, v = np.asarray(rng.normal(size=(rows, columns)), order=order), rng.normal(size=columns)
    error = enclosed_product(A, v)[1]
    np.testing.assert_allclose(error, growth(columns + 1) * np.abs(A) @ np.abs(v), rtol=1e-5)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "bsr", "lil", "dok"])
@pytest.mark.parametrize("signs", [False, True])
def test_a_product_with_a_sparse_matrix_has_a_bound_in_every_form(form, signs):
    rng = np.random.default_rng(3)
    A, v = wild(rng, (6, 20)) * (rng.random((6, 20)) < 0.4), wild(rng, 20)
    A = A if signs else np.abs(A)
    value, error = enclosed_product(sparse.csr_array(A).asformat(form), v)
    true = fractions(A) @ fractions(v)
    assert all(abs(Fraction(a) - t) <= Fraction(e) for a, t, e in zip(value, true, error))
    np.testing.assert_allclose(error, enclosed_product(A, v)[1], rtol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_the_bound_of_a_product_does_not_underflow_before_the_product_does(seed):
    rng = np.random.default_rng(seed)
    A, v = np.ldexp(rng.normal(size=(6, 3)), 50), np.ldexp(rng.normal(size=3), -1065)
    for norm in (np.inf, norm_above(A)):
        value, error = enclosed_product(A, v, norm=norm)
        true = fractions(A) @ fractions(v)
        assert all(abs(Fraction(a) - t) <= Fraction(e) for a, t, e in zip(value, true, error))


@pytest.mark.parametrize("power", [-1060, -530, -270, 0, 500])
def test_the_norm_of_a_matrix_is_not_below_the_true_one(power):
    A = np.ldexp(np.random.default_rng(0).normal(size=(5, 7)), power)
    for given in (A, sparse.csr_array(A)):
        assert Fraction(norm_above(given)) ** 2 >= sum(Fraction(v) ** 2 for v in A.ravel().tolist())
    assert norm_above(np.full(3, 1e200)) == np.inf


def test_errors_of_the_factors_are_carried_along():
    x, y = np.array([3.0, -2.0]), np.array([1.0, 5.0])
    found = enclosed_dot(x, y, x_errors=np.array([0.5, 0.0]), y_errors=0.25)
    for dx in (-0.5, 0.5):
        for dy in (-0.25, 0.25):
            assert found.low <= (x + np.array([dx, 0.0])) @ (y + dy) <= found.high


@pytest.mark.parametrize("seed", range(30))
def test_sums_differences_and_products_of_enclosures_hold_the_true_result(seed):
    rng = np.random.default_rng(seed)
    a, b = (Enclosure(float(v), abs(float(v)) * 1e-9) for v in wild(rng, 2))
    for x in (a.low, a.value, a.high):
        for y in (b.low, b.value, b.high):
            x, y = Fraction(x), Fraction(y)
            for found, true in ((a + b, x + y), (a - b, x - y), (a * b, x * y)):
                assert found.low <= true <= found.high


def test_fractions_have_no_rounding_errors():
    third = np.array([Fraction(1, 3)] * 3, dtype=object)
    assert enclosed_sum(third) == Enclosure(Fraction(1))
    assert enclosed_dot(third, third).value == Fraction(1, 3)
    value, error = enclosed_product(np.array([third, third]), third)
    assert list(value) == [Fraction(1, 3)] * 2 and not any(error)


def test_a_fraction_that_is_exact_is_its_own_bound_and_no_float_near_it():
    third = Enclosure(Fraction(1, 3))
    assert third.low == third.high == Fraction(1, 3)
    assert decided(third, Enclosure(Fraction(1, 3) - Fraction(1, 10**30))) == "refuted"
    assert decided(third, third) == "proved"


def test_a_comparison_is_proved_refuted_or_left_open():
    one, near, two = Enclosure(1.0, 0.1), Enclosure(1.05, 0.1), Enclosure(2.0, 0.1)
    assert decided(one, two) == "proved"
    assert decided(two, one) == "refuted"
    assert decided(one, near) == decided(near, one) == "undecided"
    assert decided(Enclosure(1.0), Enclosure(1.0)) == "proved"


def test_nothing_is_proved_about_nan():
    nan = Enclosure(float("nan"))
    assert decided(nan, Enclosure(1.0)) == decided(Enclosure(1.0), nan) == "undecided"
    assert decided(Enclosure(1.0), Enclosure(1.0, float("nan"))) == "undecided"


def test_a_sum_near_the_largest_float_is_known():
    assert enclosed_sum(np.array([1e300, 1e306, -1e306])).value == 1e300


def test_nothing_is_known_about_a_sum_beyond_all_floats():
    for values in ([np.inf, -np.inf], [1e308, 1e308, -1e308], [np.nan, 1.0], [np.inf, 1.0]):
        beyond = enclosed_sum(np.array(values))
        assert decided(beyond, Enclosure(1.0)) == decided(Enclosure(1.0), beyond) == "undecided"


def test_a_claim_of_several_parts_is_as_good_as_its_worst():
    assert worst(["proved", "proved"]) == worst([]) == "proved"
    assert worst(["proved", "undecided"]) == "undecided"
    assert worst(["undecided", "refuted"]) == "refuted"


def test_only_proved_holds():
    class Claim(Proof):
        def __init__(self, said):
            self.said = said

        @property
        def verdict(self):
            return self.said

    held = [Claim(said).holds for said in ("proved", "refuted", "undecided")]
    assert held == [True, False, False]


def certificates():
    """Return every class of the library that has `holds`; theorems need no numpy: their own."""
    found = set()
    for module in pkgutil.walk_packages(
        lectures_lib.__path__, "lectures_lib.", onerror=lambda name: None
    ):
        if module.name.split(".")[1] not in {"theorems", *lectures_lib._MOVED}:
            members = vars(importlib.import_module(module.name)).values()
            found |= {c for c in members if inspect.isclass(c) and hasattr(c, "holds")}
    found.discard(NotJudged)  # it stands where there is no certificate
    return sorted(found, key=lambda c: c.__qualname__)


@pytest.mark.parametrize("kind", certificates())
def test_every_certificate_has_the_same_face(kind):
    assert issubclass(kind, Proof)
    assert kind.holds is Proof.holds  # nobody defines it anew
    assert isinstance(inspect.getattr_static(kind, "verdict"), property | cached_property)
    assert kind.__str__ is not object.__str__  # printing it gives the table


def test_what_has_no_table_of_its_own_prints_its_numbers_gap_and_verdict():
    points = [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [1.0, 3.0]]
    ball = complexity.smallest_ball(points)
    rows = dict(line.rsplit(maxsplit=1) for line in str(ball).splitlines())
    assert float(rows["radius"]) == pytest.approx(ball.radius, rel=1e-5)
    assert {"lower", "gap"} <= rows.keys() and "weights" not in rows
    assert rows["verdict"] == ball.verdict == "proved"
    for told in (complexity.shatters(points[:3]), complexity.radon(points),
                 complexity.random_signs(points)):  # fmt: skip
        assert str(told).splitlines()[-1].split() == ["verdict", told.verdict]
