"""Hulls, votes, balls, kernels and folds compute what the library computes."""

import numpy as np
import pytest

from lectures_lib import (
    conventions,
    features,
    kernels,
    losses,
    margins,
    perceptron,
    qp,
    svm,
)
from tests.browsing import browser as browser  # the fixture
from tests.widgets.test_exhibits import computed as computed
from tests.widgets.test_exhibits import needs_node, small_sets, soft_sets

# --- two hulls -----------------------------------------------------------------------------------


def hard_cases(count: int, seed: int) -> list:
    """Return both classes in the plane: apart, mixed, in piles, in rows, far from the origin."""
    rng, found = np.random.default_rng(seed), []
    for k, (X, y, _) in enumerate(soft_sets(count, seed)):
        X = X + y[:, None] * rng.uniform(0, 0.9, 2)
        shape = k % 5
        X = np.round(X * 2) / 2 if shape == 1 else X  # piles, and classes that touch
        X = X * [1.0, 0.0] if shape == 2 else X  # all in a row
        X = X + 100.0 if shape == 3 else X
        found.append((X, y))
    return found


@needs_node
def test_the_nearest_points_of_two_hulls_prove_the_librarys_margin(computed):
    sets = hard_cases(400, seed=31)
    lists = [(X.tolist(), y.tolist()) for X, y in sets]
    found, known = computed("hulls", "best", lists), 0
    lows = computed("hulls", "below", [(*c, f["angle"] or 0) for c, f in zip(lists, found)])
    highs = computed("hulls", "above", [(*c, f["weights"]) for c, f in zip(lists, found)])
    for (X, y), mine, low, high in zip(sets, found, lows, highs):
        there = margins.max_margin(X, y, offset=True)
        weights, close = np.array(mine["weights"]), 1e-6 * (1 + np.abs(X).max())
        assert weights.min() >= 0
        assert [weights[y == s].sum() for s in (1, -1)] == pytest.approx([1, 1])
        assert high["half"] == pytest.approx(there.gamma, abs=close)
        assert (mine["angle"] is not None) == there.separable
        if there.separable:
            assert low["margin"] == pytest.approx(there.gamma, abs=close)
            margin = np.min(y * (X @ low["w"] + low["b"]))
            assert margin == pytest.approx(low["margin"], abs=close)
            known += 1
    assert 100 < known < 350


@needs_node
def test_every_line_is_below_and_every_average_above_the_largest_margin(computed):
    rng, sets = np.random.default_rng(32), hard_cases(300, seed=33)
    asked = []
    for X, y in sets:
        side = int(rng.choice([1, -1]))
        place = X.mean(axis=0) + rng.normal(size=2) * rng.choice([0.1, 1, 10])
        asked.append((X.tolist(), np.flatnonzero(y == side).tolist(), place.tolist()))
    averages = computed("hulls", "average", asked)
    angles = rng.uniform(-np.pi, np.pi, len(sets)).tolist()
    lows = computed(
        "hulls", "below", [(X.tolist(), y.tolist(), a) for (X, y), a in zip(sets, angles)]
    )
    for (X, y), (_, members, place), mine, low in zip(sets, asked, averages, lows):
        weights, got = np.array(mine["weights"]), np.array(mine["place"])
        assert weights.min() >= 0 and weights.sum() == pytest.approx(1)
        assert set(np.flatnonzero(weights)) <= set(members)
        close = 1e-7 * (1 + np.abs(X).max() ** 2)
        assert got == pytest.approx(weights @ X, abs=close)
        away = np.array(place) - got  # the nearest: no member lies further that way
        assert np.max((X[members] - got) @ away) <= close
        gamma = margins.max_margin(X, y, offset=True).gamma
        other = np.where(y == -y[members[0]], 1 / np.sum(y == -y[members[0]]), 0)
        assert low["margin"] <= gamma + close
        assert np.linalg.norm(got - other @ X) / 2 >= gamma - close


# --- flip a label --------------------------------------------------------------------------------


@needs_node
def test_hypotheses_counts_average_and_votes_are_the_librarys(computed):
    rng, sets = np.random.default_rng(34), small_sets(300, seed=35)  # piles, rows, one class, too
    passes = rng.integers(1, 5, len(sets)).tolist()
    asked = [(X.tolist(), y.tolist(), k) for (X, y), k in zip(sets, passes)]
    runs = computed("voting", "votedRun", asked)
    places = rng.integers(-12, 13, (len(sets), 2)) / 4
    sums = computed("voting", "votes", [(r, p) for r, p in zip(runs, places.tolist())])
    means = computed("voting", "averaged", [(r,) for r in runs])
    for (X, y), epochs, mine, place, total, mean in zip(sets, passes, runs, places, sums, means):
        there = perceptron.voted_perceptron(conventions.add_constant(X), y, epochs=epochs)
        assert mine["weights"] == there.weights.tolist()  # quarters: sums are exact
        assert mine["counts"] == there.counts.tolist()
        assert mean == pytest.approx(there.w_average.tolist(), abs=1e-12)
        said = perceptron.vote(there, conventions.add_constant(place[None]))
        assert (total >= 0) == (said[0] > 0)


@needs_node
def test_the_border_of_the_vote_is_where_the_librarys_vote_changes(computed):
    sets, view = small_sets(150, seed=36), [-2, 2, -2, 2]
    runs = computed("voting", "votedRun", [(X.tolist(), y.tolist(), 2) for X, y in sets])
    borders = computed("voting", "border", [(run, view) for run in runs])
    bent, rng = 0, np.random.default_rng(37)
    for (X, y), pieces in zip(sets, borders):
        run = perceptron.voted_perceptron(conventions.add_constant(X), y, epochs=2)

        def vote(P, run=run):
            return perceptron.vote(run, conventions.add_constant(P))

        for a, b in np.array(pieces):
            across = np.array([b[1] - a[1], a[0] - b[0]]) / np.linalg.norm(b - a)
            one, other = vote((a + b) / 2 + 1e-5 * np.array([across, -across]))
            assert one != other or np.linalg.norm(b - a) < 1e-4
        bent += (
            len(
                {
                    tuple(np.round((b - a) / np.linalg.norm(b - a), 6))
                    for a, b in map(np.array, pieces)
                }
            )
            > 1
        )
        # a segment between two places of different answers crosses the border
        ends = rng.uniform(-2, 2, (20, 2, 2))
        for (p, q), differ in zip(ends, vote(ends[:, 0]) != vote(ends[:, 1])):
            if differ:
                assert any(crosses(p, q, a, b) for a, b in np.array(pieces))
    assert bent > 50


def crosses(p, q, a, b) -> bool:
    """Say whether two segments cross, up to rounding at their ends."""
    A = np.column_stack([q - p, a - b])
    if abs(np.linalg.det(A)) < 1e-12:
        return False
    s, t = np.linalg.solve(A, a - p)
    return -1e-6 < s < 1 + 1e-6 and -1e-6 < t < 1 + 1e-6


# --- a ball on the loss surface ------------------------------------------------------------------

LOSSES = {
    "perceptron": losses.perceptron_loss(),
    "hinge": losses.hinge(1.0),
    "logistic": losses.logistic(),
}


@needs_node
@pytest.mark.parametrize("loss", LOSSES)
def test_height_and_slope_of_the_surface_are_the_librarys(computed, loss):
    rng, sets = np.random.default_rng(38), small_sets(300, seed=39)  # kinks, piles, one class
    places = rng.integers(-8, 9, (len(sets), 2)) / 4 * rng.choice([0, 1, 1000], (len(sets), 1))
    asked = [(X.tolist(), y.tolist(), loss, w.tolist()) for (X, y), w in zip(sets, places)]
    for (X, y), w, mine in zip(sets, places, computed("descent", "surface", asked)):
        there = losses.mean_loss(w, X, y, LOSSES[loss])
        assert mine["J"] == pytest.approx(there, abs=1e-12, rel=1e-12)
        slope = losses.mean_subgradient(w, X, y, LOSSES[loss]).tolist()
        assert mine["g"] == pytest.approx(slope, abs=1e-12)


@needs_node
@pytest.mark.parametrize("loss", LOSSES)
def test_the_ball_goes_the_librarys_way(computed, loss):
    rng = np.random.default_rng(40)
    sets = [(rng.integers(-8, 9, (8, 2)) / 4, rng.choice([-1.0, 1.0], 8)) for _ in range(60)]
    sizes = (2.0 ** rng.integers(-5, 2, 60)).tolist()  # powers of 2 and 8 points: sums are exact
    asked = [(X.tolist(), y.tolist(), loss, [0, 0], s, 12) for (X, y), s in zip(sets, sizes)]
    for (X, y), size, mine in zip(sets, sizes, computed("descent", "walk", asked)):
        there = losses.batch_descent(X, y, LOSSES[loss], steps=12, step_size=size)
        assert np.allclose(mine, there.weights, rtol=1e-9, atol=1e-12)


# --- C and sigma ---------------------------------------------------------------------------------


def gaussian_cases(count: int, seed: int) -> list:
    """Return both classes in the plane with C and sigma from end to end, piles and rows, too."""
    rng, found = np.random.default_rng(seed), []
    for k, (X, y) in enumerate(hard_cases(count, seed)):
        X = np.repeat(X, 2, axis=0) if k % 7 == 0 else X  # each point twice, once with each label
        y = np.tile([1.0, -1.0], len(y)) if k % 7 == 0 else y
        C, sigma = (float(10 ** rng.uniform(*ends)) for ends in ((-1, 3), (-1.3, 1)))
        found.append((X, y, C, sigma))
    return found


@needs_node
def test_the_gaussian_machine_of_the_browser_is_the_librarys_and_its_gap_closes(computed):
    sets = gaussian_cases(250, seed=41)
    asked = [(X.tolist(), y.tolist(), C, sigma) for X, y, C, sigma in sets]
    made = computed("gaussian", "train", asked)
    places = np.random.default_rng(42).normal(size=(len(sets), 2)).tolist()
    scores = computed(
        "gaussian",
        "score",
        [(X, y, sigma, m, p) for (X, y, _, sigma), m, p in zip(asked, made, places)],
    )
    for (X, y, C, sigma), mine, place, score in zip(sets, made, places, scores):
        alpha = np.array(mine["alpha"])
        assert alpha.min() >= 0 and alpha.max() <= C and abs(alpha @ y) < 1e-9 * C * len(y)
        there = svm.certificate(kernels.Gaussian(sigma)(X), y, C, alpha, mine["b"])
        scale = 1 + there.primal
        assert mine["primal"] == pytest.approx(there.primal, abs=1e-9 * scale * len(y))
        assert mine["gap"] <= 1e-6 * scale  # so it is the best, whoever finds it
        best = svm.train(X, y, C, kernels.Gaussian(sigma))
        assert abs(mine["primal"] - best.certificate.primal) <= 2e-3 * scale
        f = kernels.Gaussian(sigma)([place], X) @ (alpha * y) + mine["b"]
        assert score == pytest.approx(f[0], abs=1e-9 * (1 + C * len(y)))
        assert mine["rings"] == np.flatnonzero(alpha > 1e-9 * C).tolist()


@needs_node
def test_each_point_left_out_in_turn_is_judged_by_the_machine_of_the_others(computed):
    sets = gaussian_cases(40, seed=43)
    asked = [(X.tolist(), y.tolist(), C, sigma) for X, y, C, sigma in sets]
    told = 0
    for (X, y, C, sigma), mine in zip(sets, computed("gaussian", "leftOut", asked)):
        wrong, doubtful = 0, 0
        for i in range(len(y)):
            rest = np.arange(len(y)) != i
            if len(set(y[rest])) < 2:
                wrong += 1
                continue
            other = svm.train(X[rest], y[rest], C, kernels.Gaussian(sigma), tol=1e-8)
            edge = float(y[i] * other.decision(X[i : i + 1])[0])
            wrong, doubtful = wrong + (edge < -1e-3), doubtful + (abs(edge) <= 1e-3)
        assert wrong <= mine <= wrong + doubtful
        told += doubtful == 0
    assert told > 20


# --- is it a kernel? -----------------------------------------------------------------------------

#: The functions of the exhibit, in its order, written again.
MAYBE_KERNELS = [
    kernels.Gaussian(1.0),
    kernels.Linear(),
    kernels.Polynomial(2),
    kernels.Function(lambda x, z: np.exp(-(np.linalg.norm(x - z) ** 4)), "quartic"),
    kernels.Function(lambda x, z: float(np.hypot(*(x - z)) <= 1), "near"),
    kernels.Function(lambda x, z: np.tanh(x @ z), "tanh"),
    kernels.Function(lambda x, z: -np.sum((x - z) ** 2), "minus"),
    kernels.Function(lambda x, z: max(np.linalg.norm(x), np.linalg.norm(z)), "max"),
]


@needs_node
@pytest.mark.parametrize("which", range(len(MAYBE_KERNELS)))
def test_eigenvalues_and_verdict_are_the_librarys(computed, which):
    rng, sets = np.random.default_rng(44), [np.ones((4, 2)), np.zeros((3, 2))]  # two piles
    for n in rng.integers(2, 9, 120):
        X = rng.normal(size=(n, 2)) * rng.choice([0.3, 1, 5])
        sets.append(X * [1, 0] if rng.uniform() < 0.2 else X)  # some in a row
    refuted = 0
    for X, mine in zip(sets, computed("gram", "judge", [(X.tolist(), which) for X in sets])):
        K = np.array([[MAYBE_KERNELS[which](x[None], z[None])[0, 0] for z in X] for x in X])
        scale = max(np.abs(K).max(), 1e-300)
        assert np.allclose(mine["K"], K, rtol=1e-12, atol=1e-12 * scale)
        there, V = np.linalg.eigh(K), np.array(mine["vectors"])
        assert np.allclose(mine["values"], there[0], atol=1e-10 * scale * len(X))
        assert np.allclose(V @ V.T, np.eye(len(X)), atol=1e-10)
        assert mine["least"] == pytest.approx(V[0] @ K @ V[0], abs=1e-10 * scale * len(X))
        if abs(there[0][0]) > 1e-8 * scale:  # beyond rounding both must say the same
            assert mine["refuted"] == (not kernels.psd_certificate(K).valid)
        refuted += mine["refuted"]
    assert (refuted == 0) if which < 3 else (refuted > 20)


# --- the fold ------------------------------------------------------------------------------------


@needs_node
def test_a_cut_through_the_tip_is_a_point_a_line_or_a_pair_of_lines(computed):
    asked = [{"height": 0, "slope": s, "direction": d} for s in (0, 0.5, 1, 1.5, 2) for d in (0, 1)]
    found = computed("fold", "rays", [(cut,) for cut in asked])
    named = computed("fold", "shadow", [(cut,) for cut in asked])
    kinds = {0: "one point", 1: "one line", 2: "a pair of lines"}
    assert named == [kinds[len(angles)] for angles in found]
    for cut, angles in zip(asked, found):
        assert len(angles) == (cut["slope"] >= 1) + (cut["slope"] > 1)
        on = [([1.3 * np.cos(t), 1.3 * np.sin(t)], cut) for t in angles]
        assert np.allclose(computed("fold", "below", on), 0, atol=1e-12)


# --- SMO by hand ---------------------------------------------------------------------------------


@needs_node
def test_a_step_goes_where_a_quadratic_program_in_two_unknowns_goes(computed):
    rng, asked = np.random.default_rng(12), []
    for X, y, C in soft_sets(150, seed=13):
        alpha = C * rng.uniform(0, 1, len(y)) * (rng.uniform(size=len(y)) < 0.7)
        pair = rng.choice(len(y), 2, replace=False)
        asked.append((X.tolist(), y.tolist(), C, alpha.tolist(), *pair.tolist()))
    moved = 0
    for (X, y, C, alpha, *pair), mine in zip(asked, computed("steps", "along", asked)):
        X, y, alpha, after = np.array(X), np.array(y), np.array(alpha), np.array(mine["after"])
        Q, rest = (y[:, None] * X) @ (y[:, None] * X).T, np.delete(np.arange(len(y)), pair)
        q = Q[np.ix_(pair, rest)] @ alpha[rest] - 1
        keep = {"A": y[None, pair], "b": [y[pair] @ alpha[pair]]}
        two = qp.solve(Q[np.ix_(pair, pair)], q, lower=0.0, upper=C, **keep)
        there = alpha.copy()
        there[pair] = two.x
        here, got, theirs = (a.sum() - a @ Q @ a / 2 for a in (alpha, after, there))
        assert got == pytest.approx(theirs, abs=1e-6 * (1 + C * len(y)))
        assert np.array_equal(after[rest], alpha[rest])
        t, i = mine["t"], pair[0]
        gain = t * mine["slope"] - mine["bend"] * t**2 / 2
        assert got - here == pytest.approx(gain, abs=1e-9 * (1 + C * len(y)))
        assert mine["least"] - 1e-12 <= t <= mine["most"] + 1e-12
        moved += abs(after[i] - alpha[i]) > 1e-6
    assert 75 < moved <= 150


# --- the fold ------------------------------------------------------------------------------------


@needs_node
def test_the_cone_has_the_inner_products_of_the_lectures_map(computed):
    X = np.random.default_rng(14).normal(size=(300, 2))
    lifted = np.array(computed("fold", "wind", [(x, 1) for x in X.tolist()]))
    phi = features.square_map_3(X)
    assert np.allclose(lifted @ lifted.T, phi @ phi.T)
    assert np.allclose(
        computed("fold", "wind", [(x, 0) for x in X.tolist()]), np.c_[X, 0 * X[:, :1]]
    )


@needs_node
def test_the_shadow_is_where_the_plane_meets_the_cone(computed):
    rng, asked, cuts = np.random.default_rng(15), [], []
    for height, slope, direction in rng.uniform((0.1, 0, -3), (1.5, 2, 3), (300, 3)):
        cut = {"height": height, "slope": slope, "direction": direction}
        cuts.append(cut)
        asked.append((float(rng.uniform(-np.pi, np.pi)), cut))
    radii, met = computed("fold", "radius", asked), 0
    places = [(r or 9.0) * np.array([np.cos(a), np.sin(a)]) for r, (a, _) in zip(radii, asked)]
    gaps = computed("fold", "below", [(x.tolist(), cut) for x, cut in zip(places, cuts)])
    for r, x, gap, cut in zip(radii, places, gaps, cuts):
        phi = features.square_map_3(x[None])[0]
        z1, z2, z3 = (phi[0] - phi[1]) / 2**0.5, phi[2], (phi[0] + phi[1]) / 2**0.5
        tilt = z1 * np.cos(cut["direction"]) + z2 * np.sin(cut["direction"])
        assert gap == pytest.approx(cut["height"] + cut["slope"] * tilt - z3, abs=1e-9 * (1 + z3))
        assert abs(gap) < 1e-9 * (1 + z3) if r else gap > 0  # JSON has no infinity: null
        met += bool(r)
    assert 150 < met < 300
