"""Machines that are judged together get the certificates that each gets alone."""

import numpy as np
import pytest

from lectures_lib import svm
from lectures_lib.kernels import Gaussian
from lectures_lib.proof import together
from lectures_lib.proof.scores import one_block
from lectures_lib.proof.svm import Terms, certificate_of_blocks

TOL = 1e-3


def answers(seed, parts, n=60):
    """Return examples, K and for each part the labels, costs, alpha and b of a proved machine."""
    rng = np.random.default_rng(seed)
    X, kernel = rng.normal(size=(n, 2)), Gaussian(0.8)
    found = []
    for rows in parts:
        y = np.where(X[rows, 0] + 0.5 * rng.normal(size=len(rows)) > 0, 1.0, -1.0)
        y[:2] = 1.0, -1.0
        C = np.where(rng.random(len(rows)) < 0.5, 1.0, 3.0)
        machine = svm.train(X[rows], y, C, kernel, tol=TOL / 2)
        found.append([y, C, machine.alpha.copy(), machine.b])
    return X, kernel, found


def judged(X, kernel, parts, found):
    y, C, alpha = (np.concatenate([one[j] for one in found]) for j in range(3))
    b = np.array([one[3] for one in found])
    options = {"diagonal": kernel.diagonal(X), "relative": kernel.rounding(X), "tol": TOL}
    return together.certificates(kernel(X), parts, y, C, alpha, b, **options)


def judged_alone(X, kernel, rows, y, C, alpha, b):
    Z = X[rows]
    options = {"relative": kernel.rounding(X), "terms": Terms(tol=TOL)}
    return certificate_of_blocks(
        one_block(kernel(Z)), kernel.diagonal(Z), y, C, alpha, b, **options
    )


PARTS = {
    "all": [np.arange(60)] * 3,
    "pairs": [np.r_[0:20, 20:45], np.r_[0:20, 45:60], np.r_[20:45, 45:60]],
    "scattered": [np.arange(0, 60, 2), np.arange(60)[::-1], np.r_[5:50]],
}


def right(one):
    """Leave an answer as it is."""


def shorter(one):
    one[2] *= 0.9


def negative(one):
    one[2][np.argmin(one[2])] -= 1e-9


def too_large(one):
    one[2][np.argmax(one[2] - one[1])] += 1e-3


def moved(one):
    one[3] += 0.5


def one_sided(one):
    one[2][one[0] > 0] = 0.0


def nothing(one):
    one[2][:] = 0.0


def unbalanced(one):
    one[2][np.argmax(one[0] * one[2])] *= 1 - 1e-9


def no_number(one):
    one[2][3] = np.nan


def no_offset(one):
    one[3] = np.inf


@pytest.mark.parametrize("way", PARTS)
@pytest.mark.parametrize(
    "change",
    [
        *(right, shorter, negative, too_large, moved, one_sided, nothing),
        *(unbalanced, no_number, no_offset),
    ],
)
def test_machines_judged_together_get_the_certificate_that_each_gets_alone(way, change):
    X, kernel, found = answers(0, PARTS[way])
    change(found[1])
    for rows, one, proof in zip(PARTS[way], found, judged(X, kernel, PARTS[way], found)):
        alone = judged_alone(X, kernel, rows, *one)
        assert proof.verdict == alone.verdict and proof.wrong == alone.wrong
        for name in ("primal", "dual", "box", "balance", "largest", "on_margin", "at_bound"):
            a, b = getattr(proof, name), getattr(alone, name)
            assert a == pytest.approx(b, rel=1e-9, abs=1e-9, nan_ok=True), name
        for ours, its in ((proof.above, alone.above), (proof.below, alone.below)):
            assert ours.error == pytest.approx(its.error, rel=0.1, abs=1e-15, nan_ok=True)
        assert proof.off == pytest.approx(alone.off, rel=0.1, nan_ok=True)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("change", [right, unbalanced, shorter])
def test_both_sides_enclose_what_fractions_say(seed, change):
    parts = [np.r_[0:10, 20:28], np.r_[0:10, 10:20], np.r_[10:20, 20:28]]
    X, kernel, found = answers(seed, parts, n=28)
    for one in found:
        change(one)
    K = kernel(X)
    y, C, alpha = (np.concatenate([one[j] for one in found]) for j in range(3))
    proofs = together.certificates(
        *(K, parts, y, C, alpha, np.array([one[3] for one in found])),
        **{"diagonal": K.diagonal(), "relative": 0.0, "tol": TOL},
    )
    for rows, one, proof in zip(parts, found, proofs):
        exact = svm.certificate(K[np.ix_(rows, rows)], *one, exact=True)
        assert proof.above.low <= exact.above.value <= proof.above.high
        assert proof.below.low <= exact.below.value <= proof.below.high


def test_equal_sums_of_both_classes_are_not_taken_for_a_balance_without_rounding():
    """Their difference is computed as 0; what rounding may have hidden still costs something."""
    X, kernel = np.array([[0.0], [0.1], [3.0], [3.1]]), Gaussian(1.0)
    y, alpha = np.array([1.0, 1.0, -1.0, -1.0]), np.array([0.1, 0.3, 0.3, 0.1])
    found = [[y, np.ones(4), alpha, 0.0]]
    proof = judged(X, kernel, [np.arange(4)], found)[0]
    alone = judged_alone(X, kernel, np.arange(4), *found[0])
    assert proof.balance == alone.balance == 0.0
    assert proof.below.error == pytest.approx(alone.below.error, rel=0.1)


def test_numbers_beyond_floats_prove_nothing():
    X, kernel, found = answers(1, PARTS["pairs"])
    found[0][2] = found[0][2] * 1e307
    found[0][1] = found[0][1] * 1e307
    found[1][3] = 1e300
    proofs = judged(X, kernel, PARTS["pairs"], found)
    assert [proof.holds for proof in proofs] == [False, False, True]
