"""Learning in parts: what mixing promises, what the gap over all parts proves, and planted lies."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from lectures_lib import datasets, partitions, perceptron

U = np.array([2.0, -1.0, 1.0])


def whole_numbers(seed, n=60):
    """Return examples of whole numbers that U separates with y U.x >= 2."""
    X = np.random.default_rng(seed).integers(-5, 6, (n, 3)).astype(float)
    X = X[np.abs(X @ U) >= 2]
    return X, np.where(X @ U > 0, 1.0, -1.0)


def parts_of(seed, S=3):
    return partitions.split(*whole_numbers(seed), S)


# --- parts ---------------------------------------------------------------------------------------


def test_parts_hold_every_example_once_in_order():
    X, y = whole_numbers(0)
    parts = partitions.split(X, y, 7)
    assert np.array_equal(np.concatenate([p.X for p in parts]), X)
    assert np.array_equal(np.concatenate([p.y for p in parts]), y)


def test_files_are_the_same_parts(tmp_path):
    parts = parts_of(0)
    files = partitions.save(parts, tmp_path)
    assert [p.shape for p in files] == [p.shape for p in parts]
    for part, file in zip(parts, files):
        assert all(np.array_equal(a, b) for a, b in zip(part.load(), file.load()))


def test_parts_that_do_not_fit_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="cannot be cut into 5 parts"):
        partitions.split([[1.0], [2.0]], [1, -1], 5)
    with pytest.raises(ValueError, match="same number"):
        partitions.parameter_mixing([([[1.0]], [1]), ([[1.0, 2.0]], [1])])
    with pytest.raises(ValueError, match="parts is empty"):
        partitions.block_ascent([])
    with pytest.raises(ValueError, match=r"distributed\.Client"):
        partitions.parameter_mixing([([[1.0]], [1])], client="tcp")


# --- parameter mixing ----------------------------------------------------------------------------


def test_one_part_is_the_perceptron_itself():
    X, y = whole_numbers(1)
    alone, run = perceptron.perceptron(X, y), partitions.parameter_mixing([(X, y)])
    assert np.array_equal(run.w, alone.w) and run.converged
    assert np.array_equal(np.concatenate([e[0] for e in run.mistakes]), alone.mistakes)
    assert run.mixed == len(alone.mistakes)


@pytest.mark.parametrize("votes", ["mistakes", "equal"])
@pytest.mark.parametrize("seed", range(4))
def test_the_mixed_mistakes_never_exceed_R_over_gamma_squared_in_fractions(seed, votes):
    X, y = whole_numbers(seed)
    parts = partitions.split(X, y, 3)
    run = partitions.parameter_mixing_by_hand(parts, votes=votes)
    assert run.converged and all(sum(mu) == 1 for mu in run.shares)
    K = sum(mu * k for mus, ks in zip(run.shares, run.counts.tolist()) for mu, k in zip(mus, ks))
    edges, u2 = (y * (X @ U)).min(), U @ U  # whole numbers: floats are exact
    assert K == run.mixed <= Fraction(int((X * X).sum(axis=1).max() * u2), int(edges) ** 2)
    proof = partitions.mixing_bound(run, parts, U)
    assert proof.verdict == "proved" and proof.exact and proof.mixed == K
    assert proof.bound == pytest.approx((X * X).sum(axis=1).max() * u2 / edges**2)


def test_what_the_last_weights_say_is_right_on_every_part():
    X, y = whole_numbers(2)
    run = partitions.parameter_mixing(partitions.split(X, y, 4))
    assert run.converged and (y * (X @ run.w) > 0).all()
    assert np.array_equal(run.predict(X), y)


@pytest.mark.parametrize("votes", ["mistakes", "equal"])
def test_floats_walk_as_fractions_do_up_to_rounding(votes):
    parts = parts_of(3)
    run = partitions.parameter_mixing(parts, votes=votes, max_epochs=2)
    hand = partitions.parameter_mixing_by_hand(parts, votes=votes, max_epochs=2)
    assert np.array_equal(run.counts, hand.counts) and np.array_equal(run.votes, hand.votes)
    assert np.allclose(run.weights, hand.weights.astype(float), rtol=1e-12)


def test_the_bound_of_a_rounded_run_is_proved_with_its_rounding():
    problem = datasets.separable(300, 5, gamma=0.05)
    parts = partitions.split(problem.X, problem.y, 7)
    run = partitions.parameter_mixing(parts)
    proof = partitions.mixing_bound(run, parts, problem.u)
    assert run.converged and proof.verdict == "proved" and not proof.exact
    assert partitions.mixing_bound(run, parts, problem.u, exact=True).verdict == "proved"
    assert partitions.mixing_bound(run, parts).verdict == "proved"  # by its own w


def test_without_mixing_weights_a_plain_average_at_the_end_may_separate_nothing():
    # McDonald, Hall and Mann (2010), Theorem 1: why the mixing is repeated. Each part separates
    # its own examples, and the average of both answers misjudges one.
    parts = [([[0, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 0, 1, 0, 0]], [-1, 1, 1]),
             ([[1, 0, 0, 0, 1], [0, 0, 0, 1, 1]], [-1, 1])]  # fmt: skip
    once = partitions.parameter_mixing(parts, votes="equal", max_epochs=1)
    assert not once.converged
    assert partitions.parameter_mixing(parts, votes="equal").converged


def lies():
    """Yield a name, what was forged, and a line that must fail."""
    honest = partitions.parameter_mixing_by_hand(parts_of(0))
    first, *rest = honest.mistakes
    right = next(i for i in range(len(parts_of(0)[0].y)) if i not in first[0])
    fewer = (first[0][:-1], *first[1:])
    more = (np.append(first[0], right), *first[1:])
    moved = honest.weights.copy()
    moved[1] = moved[1] + Fraction(1, 10**9)
    votes = honest.votes.copy()
    votes[0, 0] += 1
    negative = honest.votes.copy()
    negative[0] = [-1, *(honest.votes[0, 1:] + 1)]
    nobody = honest.votes.copy()
    nobody[0] = 0
    started = honest.weights.copy()
    started[0] = started[0] + 1
    yield "a mistake is kept silent", {"mistakes": (fewer, *rest)}, "mixing"
    yield "a mistake is invented", {"mistakes": (more, *rest)}, "mixing"
    yield "the weights were moved", {"weights": moved}, "mixing"
    yield "other votes were counted", {"votes": votes}, "mixing"
    yield "a vote below 0", {"votes": negative}, "votes"
    yield "nobody votes", {"votes": nobody}, "shares"
    yield "another start", {"weights": started}, "start"
    yield "another end", {"w": honest.w + 1}, "end"


@pytest.mark.parametrize("name, forged, line", list(lies()))
def test_a_lie_about_a_mixed_run_is_refuted(name, forged, line):
    run = replace(partitions.parameter_mixing_by_hand(parts_of(0)), **forged)
    proof = partitions.mixing_bound(run, parts_of(0), U)
    assert proof.verdict == "refuted" and line in proof.failed, name
    assert "fails" in str(proof)


def test_a_lie_about_a_rounded_run_is_refuted_and_its_rounding_is_not():
    parts = parts_of(0)
    run = partitions.parameter_mixing(parts)
    for size, verdict in ((1e-9, "refuted"), (0.0, "proved")):
        weights = run.weights * (1 + size)
        forged = replace(run, weights=weights, w=weights[-1])
        assert partitions.mixing_bound(forged, parts, U).verdict == verdict


def test_an_invented_mistake_is_none_even_if_the_weights_agree():
    parts = [([[1.0, 0.0], [2.0, 0.0]], [1, 1])]
    honest = partitions.parameter_mixing(parts)
    weights = np.array([[0.0, 0.0], [3.0, 0.0]])  # the second example was right by then
    forged = replace(honest, weights=weights, w=weights[-1], mistakes=((np.array([0, 1]),),),
                     votes=np.array([[1]]))  # fmt: skip
    assert partitions.mixing_bound(forged, parts, [1.0, 0.0]).failed == (
        "mistake",
        "growth",
        "sum of growth",
    )


def corrupted(run, kind, rng):
    """Return the run with one thing changed at random, by much or by little; kind 0 is honest."""
    e, i = rng.integers(run.epochs), rng.integers(run.votes.shape[1])
    if kind == 1:
        weights = run.weights.copy()
        weights[rng.integers(len(weights))] *= 1 + 10.0 ** -rng.integers(3, 17)
        return replace(run, weights=weights, w=weights[-1])
    if kind == 2:
        votes = run.votes.copy()
        votes[e, i] += 1
        return replace(run, votes=votes)
    if kind > 2:
        mistakes = [list(epoch) for epoch in run.mistakes]
        old = mistakes[e][i]
        mistakes[e][i] = old[:-1] if kind == 3 else np.append(old, 0).astype(int)
        return replace(run, mistakes=tuple(map(tuple, mistakes)))
    return run


@pytest.mark.parametrize("kind", range(5))
def test_floats_never_contradict_fractions(kind, monkeypatch):
    monkeypatch.setattr(
        "lectures_lib.partitions.mixing.EXACT_OPERATIONS", 0
    )  # floats stay with their verdict
    for seed in range(8):
        rng = np.random.default_rng([kind, seed])
        X = rng.normal(size=(rng.integers(6, 14), 2)) * 10.0 ** rng.integers(-8, 8)
        u = rng.normal(size=2)
        parts = partitions.split(X, np.where(X @ u > 0, 1.0, -1.0), int(rng.integers(1, 4)))
        run = corrupted(partitions.parameter_mixing(parts, max_epochs=4), kind, rng)
        rough, exact = (partitions.mixing_bound(run, parts, u, exact=e) for e in (False, True))
        for a, b in zip(rough.lines, exact.lines, strict=True):
            assert {a.verdict, b.verdict} != {"proved", "refuted"}, (seed, a.name)
        assert kind or exact.verdict == "proved"


def test_a_vector_that_separates_nothing_proves_nothing():
    parts = parts_of(0)
    run = partitions.parameter_mixing(parts)
    assert "positive" in partitions.mixing_bound(run, parts, [-1.0, 0.0, 0.0]).failed
    with pytest.raises(ValueError, match="give u"):
        partitions.mixing_bound(replace(run, converged=False), parts)
