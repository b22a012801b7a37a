"""Exhibits: what the scripts compute is what the library says; they follow hand and keys.

The scripts run in node where it is installed, and in a chromium in the tests marked `browser`.
"""

import functools
import json
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from lectures_lib import (
    bounds,
    complexity,
    datasets,
    features,
    margins,
    metrics,
    perceptron,
    qp,
    svm,
    widgets,
)
from lectures_lib.widgets import exhibits
from tests.browsing import PATIENCE, missing
from tests.browsing import browser as browser  # the fixture
from tools import book, nbrules
from tools.environment import ROOT

KINDS = sorted(p.stem for p in exhibits.FOLDER.glob("*.js") if p.stem not in exhibits.SHARED)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
WHY_NOT = missing()
PHONE, DESK = {"width": 390, "height": 800}, {"width": 900, "height": 800}
CROWD = (
    np.array([[-2, 1], [-1.2, -0.6], [-2, -1.4], [0.4, 0.9], [1, 0.2], [2, 1.2], [1.6, -1.2]]),
    np.array([-1, -1, -1, -1, 1, 1, 1]),
)
SCORES = (np.repeat([1.0, -1.0], [6, 30]), np.append(np.arange(6.0) - 2, np.arange(30) / 4 - 7))


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    """Return a function that gives many cases to a function of a script, in node."""
    folder = tmp_path_factory.mktemp("exhibits")

    def compute(kind: str, name: str, cases: list) -> list:
        (folder / f"{kind}.mjs").write_text(exhibits.script(kind), encoding="utf-8")
        runner = folder / "run.mjs"
        runner.write_text(
            f'import {{ {name} }} from "./{kind}.mjs"; import fs from "fs";\n'
            'const cases = JSON.parse(fs.readFileSync(0, "utf8"));\n'
            f"console.log(JSON.stringify(cases.map((c) => {name}(...c))));\n"
        )
        done = subprocess.run(
            ["node", runner], input=json.dumps(cases), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return compute


@pytest.mark.parametrize("kind", KINDS)
def test_a_script_asks_nothing_of_the_network_and_imports_nothing(kind):
    text = exhibits.script(kind)
    assert set(re.findall(r"https?://[^\"'`]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(import|fetch|XMLHttpRequest|eval)\b", text)
    assert text.count("export default { mount") == 1


def test_the_words_and_the_start_of_an_exhibit_are_kept_and_make_a_page(capture_display):
    widgets.addition(*datasets.lecture_example())
    (shown,) = capture_display
    kept = shown["data"][exhibits.MIME]
    assert json.loads(json.dumps(kept)) == kept
    assert shown["data"]["text/plain"] == kept["words"]
    made = exhibits.page(**kept)
    assert "export" not in re.sub(r"/\*.*?\*/", "", made) and kept["words"] in made


def test_a_start_cannot_end_its_script():
    made = exhibits.page("addition", {"name": "</script><b>"}, "<words>")
    assert made.count("</script>") == 1 and "&lt;words&gt;" in made


def test_the_site_gets_the_working_piece_and_the_notebook_keeps_the_start():
    path = next((ROOT / "notebooks").glob("02*.ipynb"))
    stored, shown = nbrules.read(path), book.with_exhibits(nbrules.read(path))
    kept = [
        o.data[exhibits.MIME]
        for c in stored.cells
        for o in c.get("outputs", ())
        if exhibits.MIME in o.get("data", {})
    ]
    put = [
        o.data
        for c in shown.cells
        for o in c.get("outputs", ())
        if "exhibit-here" in o.get("data", {}).get("text/html", "")
    ]
    assert len(kept) == len(put) >= 1


# --- the perceptron as vector addition -----------------------------------------------------------


def small_sets(count: int, seed: int = 0) -> list:
    """Return small sets of points on a grid of quarters, where sums are exact, and labels."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, count)
    return [(rng.integers(-8, 9, (n, 2)) / 4, rng.choice([-1.0, 1.0], n)) for n in sizes]


@needs_node
def test_the_run_is_the_librarys_on_hundreds_of_sets(computed):
    sets = small_sets(400)
    found = computed("addition", "perceptron", [(X.tolist(), y.tolist(), 50) for X, y in sets])
    ended = 0
    for (X, y), mine in zip(sets, found):
        run = perceptron.perceptron(X, y, max_epochs=50)
        assert [m["i"] for m in mine["mistakes"]] == run.mistakes.tolist()
        assert mine["weights"] == run.weights.tolist()
        assert mine["converged"] == run.converged
        ended += run.converged
    assert 100 < ended < 350  # both kinds are here


@needs_node
def test_that_no_line_separates_is_said_exactly_when_the_library_proves_it(computed):
    sets = small_sets(400, seed=1)
    found = computed("addition", "separable", [(X.tolist(), y.tolist()) for X, y in sets])
    known = [margins.max_margin(X, y).separable for X, y in sets]
    assert found == known and 100 < sum(known) < 350


def test_points_to_drag_lie_in_the_plane():
    with pytest.raises(ValueError, match="X has 3 features; points to drag need 2"):
        widgets.addition(np.zeros((2, 3)), [1, -1])


# --- the proof as a race -------------------------------------------------------------------------


@needs_node
def test_the_separator_of_largest_margin_is_the_librarys(computed):
    sets = [(X, y) for X, y in small_sets(400, seed=3) if margins.max_margin(X, y).separable]
    found = computed("race", "widest", [(X.tolist(), y.tolist()) for X, y in sets])
    for (X, y), mine in zip(sets, found):
        best = margins.max_margin(X, y)
        assert mine["gamma"] == pytest.approx(best.gamma, abs=1e-6)  # the solver's tolerance
        assert mine["u"] == pytest.approx(best.w.tolist(), abs=1e-4)  # flat near its maximum
    assert len(sets) > 100


@needs_node
def test_a_lie_is_caught_by_the_lines_that_catch_it_in_the_library(computed):
    rng, asked, known = np.random.default_rng(4), [], []
    for X, y in small_sets(1000, seed=5):
        run = perceptron.perceptron(X, y, max_epochs=50)
        if not run.converged or len(y) < 3:
            continue
        false = run.mistakes.copy()
        false[rng.integers(len(false))] = rng.integers(len(y))
        u = margins.max_margin(X, y).w
        judged = bounds.mistake_bound(replace(run, mistakes=false), X, y, u, exact=True)
        known.append([name for name in judged.failed if name != "positive"])
        lists = (X.tolist(), y.tolist(), false.tolist(), run.weights.tolist(), u.tolist())
        asked.append(lists)
    assert computed("race", "failed", asked) == known
    assert len(known) > 200 and sum(map(bool, known)) > 100 and [] in known


# --- the threshold -------------------------------------------------------------------------------


def scored(count: int) -> list:
    """Return labels and scores with many ties, both classes present."""
    rng = np.random.default_rng(2)
    found = []
    for n in rng.integers(2, 40, count):
        y = np.append(rng.choice([-1.0, 1.0], n), [1.0, -1.0])
        found.append((y, np.round(rng.normal(size=n + 2) + y / 2, int(rng.integers(0, 4)))))
    return found


@needs_node
def test_counts_areas_and_costs_are_the_librarys_on_hundreds_of_scores(computed):
    sets = scored(400)
    asked = [(f[y > 0].tolist(), f[y < 0].tolist(), float(f[0]), 1, 3) for y, f in sets]
    for (y, f), mine in zip(sets, computed("threshold", "report", asked)):
        curve = metrics.roc(y, f)
        assert (mine["FP"], mine["TP"]) == (curve.FP.tolist(), curve.TP.tolist())
        assert curve.thresholds[mine["k"]] == f[0]
        assert mine["area"] == pytest.approx(curve.area, abs=1e-12)  # rounding of one quotient
        average = metrics.average_precision(y, f)
        assert mine["average"] == pytest.approx(average, abs=1e-12)  # of 40 terms below 1
        cost = metrics.costs(curve, fp=1, fn=3)
        assert mine["values"] == pytest.approx(cost.costs.tolist(), abs=1e-12)
        assert mine["best"] == cost.best


@needs_node
def test_between_two_scores_a_threshold_says_the_same_as_the_higher_one(computed):
    asked = [([0.9, 0.3], [0.5, 0.1], t, 1, 1) for t in (2.0, 0.9, 0.7, 0.5, 0.2, 0.1, -5.0)]
    found = [answer["k"] for answer in computed("threshold", "report", asked)]
    assert found == [0, 1, 1, 2, 3, 4, 4]


# --- shattering ----------------------------------------------------------------------------------


def few_points(count: int, seed: int) -> list[np.ndarray]:
    """Return 2 to 5 points, many of them in a row, on each other or inside a triangle."""
    rng = np.random.default_rng(seed)
    return [rng.integers(-3, 4, (n, 2)) / 2 for n in rng.integers(2, 6, count)]


@needs_node
def test_the_labellings_with_a_line_are_those_of_the_library(computed):
    sets = few_points(120, seed=6)  # up to 32 labellings each
    found = computed("shatter", "realised", [(X.tolist(),) for X in sets])
    shattered = 0
    for X, mine in zip(sets, found):
        there = complexity.shatters(X)
        ours = {tuple(y): bool(it) for y, it in zip(there.labellings.tolist(), there.realised)}
        theirs = dict(zip(product((-1, 1), repeat=len(X)), mine))
        assert theirs == ours
        shattered += all(mine)
    assert 10 < shattered < 110


@needs_node
def test_a_labelling_has_the_widest_street_or_a_mixture_that_forbids_it(computed):
    rng = np.random.default_rng(7)
    sets = [(X, rng.permutation(np.arange(len(X)) % 2 * 2 - 1)) for X in few_points(400, seed=8)]
    asked = [(X.tolist(), y.tolist()) for X, y in sets]
    lines, mixtures = (computed("shatter", name, asked) for name in ("line", "mixture"))
    forbidden = 0
    for (X, y), line, mixture in zip(sets, lines, mixtures):
        best = margins.max_margin(X, y, offset=True)
        assert (mixture is None) == best.separable
        if best.separable:
            assert line["gamma"] == pytest.approx(best.gamma, abs=1e-6)  # the solver's tolerance
            assert np.min(y * (X @ line["w"] + line["b"])) == pytest.approx(line["gamma"])
            continue
        weights = np.array(mixture["weights"])
        assert weights.min() >= 0 and np.allclose([weights[y > 0].sum(), weights[y < 0].sum()], 1)
        for side in (1, -1):
            assert np.allclose(weights[y == side] @ X[y == side], mixture["point"])
        forbidden += 1
    assert 50 < forbidden < 350


def test_more_points_than_can_be_labelled_by_hand_are_refused():
    with pytest.raises(ValueError, match="give 2 to 5"):
        widgets.shatter(np.eye(6)[:, :2], [1, -1, 1, -1, 1, -1])


# --- primal and dual -----------------------------------------------------------------------------


def soft_sets(count: int, seed: int) -> list:
    """Return small sets in the plane with both classes, and a C for each."""
    rng, found = np.random.default_rng(seed), []
    for n in rng.integers(3, 13, count):
        y = np.append(rng.choice([-1.0, 1.0], n - 2), [1.0, -1.0])
        X = rng.normal(size=(n, 2)) + y[:, None] * rng.uniform(0, 1)
        found.append((X, y, float(10 ** rng.uniform(-1, 1))))
    return found


@needs_node
def test_smo_in_the_browser_finds_the_librarys_machine_and_closes_the_gap(computed):
    sets = soft_sets(300, seed=9)
    asked = [(X.tolist(), y.tolist(), C) for X, y, C in sets]
    alphas = computed("duality", "smo", asked)
    made = computed("duality", "machine", [(*c, a) for c, a in zip(asked, alphas)])
    for (X, y, C), alpha, mine in zip(sets, alphas, made):
        alpha = np.array(alpha)
        assert alpha.min() >= 0 and alpha.max() <= C and abs(alpha @ y) < 1e-9 * C * len(y)
        assert mine["gap"] <= 1e-8 * (1 + mine["primal"])  # violation 1e-10 times sum of alpha
        there = svm.train(X, y, C)
        scale = 1 + there.certificate.primal
        assert abs(mine["primal"] - there.certificate.primal) <= there.certificate.tol * scale
        assert mine["w"] == pytest.approx(there.w.tolist(), abs=0.02)  # root of twice that gap


@needs_node
def test_a_bar_put_by_hand_moves_the_others_as_little_as_possible(computed):
    rng, sets = np.random.default_rng(10), soft_sets(200, seed=11)
    alphas = [[0.0] * len(y) for _, y, _ in sets]
    for _ in range(3):  # from where the last hand left them
        picks = [(int(rng.integers(len(y))), float(rng.uniform(0, 1.2 * C))) for _, y, C in sets]
        asked = [(y.tolist(), C, a, *p) for (_, y, C), a, p in zip(sets, alphas, picks)]
        moved = computed("duality", "giveWay", asked)
        for (_, y, C), (i, value), old, new in zip(sets, picks, alphas, np.array(moved, object)):
            new, rest = np.array(new, float), np.arange(len(y)) != i
            assert new.min() >= 0 and new.max() <= C and abs(new @ y) < 1e-9 * C * len(y)
            assert np.isclose(new[i], min(value, C, C * np.sum(y != y[i])))
            shift = (y * (new - old))[rest & (new > 0) & (new < C)]  # one shift for all free ones
            assert np.ptp(shift) < 1e-9 * C if shift.size else True
        alphas = moved
    made = computed(
        "duality", "machine", [(X.tolist(), y.tolist(), C, a) for (X, y, C), a in zip(sets, alphas)]
    )
    for (X, y, C), alpha, mine in zip(sets, alphas, made):
        there = svm.certificate(X @ X.T, y, C, alpha, mine["b"])
        close = {"abs": 1e-9 * (1 + C * len(y)), "rel": 1e-9}  # sums of n products
        assert mine["dual"] == pytest.approx(there.dual, **close)
        assert mine["primal"] == pytest.approx(there.primal, **close)
        best = svm.train(X, y, C).certificate
        assert mine["dual"] <= best.primal + 1e-9 * (1 + best.primal)  # weak duality
        assert mine["primal"] >= best.dual - 1e-9 * (1 + best.primal)


# --- the street ----------------------------------------------------------------------------------


@needs_node
def test_the_soft_street_is_the_librarys_on_hundreds_of_sets(computed):
    sets = soft_sets(300, seed=16)
    asked = [(X.tolist(), y.tolist(), C) for X, y, C in sets]
    for (X, y, C), mine in zip(sets, computed("street", "train", asked)):
        there = svm.train(X, y, C)
        assert mine["gap"] <= 1e-8 * (1 + mine["primal"])  # so it is the best, whatever comes next
        assert mine["w"] == pytest.approx(there.w.tolist(), abs=0.02)  # root of twice its gap
        total = np.maximum(0, 1 - y * (X @ mine["w"] + mine["b"])).sum()
        assert sum(mine["xi"]) == pytest.approx(total, abs=1e-9 * len(y) * (1 + C))
        late = np.flatnonzero(y * (X @ mine["w"] + mine["b"]) < 1 - 1e-6)
        assert set(late) <= set(mine["rings"])  # slack makes a support vector


@needs_node
def test_the_hard_street_is_the_librarys_or_its_absence_is_proved(computed):
    rng, sets = np.random.default_rng(17), []
    for X, y, _ in soft_sets(300, seed=18):
        sets.append((X + y[:, None] * rng.uniform(0, 0.6, 2), y))
    found = computed("street", "train", [(X.tolist(), y.tolist(), None) for X, y in sets])
    none = 0
    for (X, y), mine in zip(sets, found):
        there = svm.hard_margin(X, y)
        assert ("cross" in mine) == (not there.separable)
        if there.separable:
            close = 1e-5 * np.linalg.norm(there.w)  # the solver's tolerance, 1e-8, and its root
            assert mine["w"] == pytest.approx(there.w.tolist(), abs=close)
            edge = y * (X @ mine["w"] + mine["b"])
            assert edge.min() == pytest.approx(1) and np.allclose(edge[mine["rings"]], 1)
            assert set(there.support) <= set(mine["rings"])
            weights, places = np.array(mine["weights"]), np.array(mine["places"])
            assert weights.min() >= 0 and set(np.flatnonzero(weights)) <= set(mine["rings"])
            for side, place in zip((1, -1), places):  # no street is wider than these are apart
                assert weights[y == side].sum() == pytest.approx(1)
                assert np.allclose(weights[y == side] @ X[y == side], place)
            width = 2 / np.linalg.norm(mine["w"])
            assert np.linalg.norm(places[0] - places[1]) == pytest.approx(width, rel=1e-5)
            continue
        weights, none = np.array(mine["weights"]), none + 1
        assert weights.min() >= 0 and mine["rings"] == np.flatnonzero(weights > 1e-9).tolist()
        for side in (1, -1):
            assert weights[y == side].sum() == pytest.approx(1)
            assert np.allclose(weights[y == side] @ X[y == side], mine["cross"])
    assert 50 < none < 250


@needs_node
def test_a_hull_has_the_corners_that_scipy_finds(computed):
    sets = [rng.normal(size=(n, 2)) for rng in [np.random.default_rng(19)] for n in [4, 7, 12] * 70]
    for X, mine in zip(sets, computed("street", "hull", [(X.tolist(),) for X in sets])):
        assert sorted(mine) == sorted(X[ConvexHull(X).vertices].tolist())
    flat = computed("street", "hull", [([[0, 0], [2, 2], [1, 1]],), ([[1, 2]],)])
    assert [sorted(corners) for corners in flat] == [[[0, 0], [2, 2]], [[1, 2]]]


@needs_node
def test_the_proof_in_words_names_the_points_and_their_weights(computed):
    street = {"weights": [0.25, 0.75, 1, 0], "places": [[0, 0.5], [3, 0.5]]}
    meeting = {"weights": [0.5, 0.5, 1, 0], "cross": [0, -1]}
    wide, none, soft = computed(
        "street", "proof", [(f, [1, 1, -1, -1]) for f in (street, meeting, {"w": [1, 0]})]
    )
    assert wide.startswith("Proof: 0.25 of 1 + 0.75 of 2 (disc side) and point 3 (square side)")
    assert "are 3.000 apart" in wide and soft == ""
    assert "0.50 of 1 + 0.50 of 2 and point 3 are the same place, (0, −1)." in none


@needs_node
@pytest.mark.parametrize("C", [0.5, 1.0, np.inf])
def test_the_stored_words_are_those_of_the_script(computed, capture_display, C):
    X, y = CROWD if np.isfinite(C) else (CROWD[0][[0, 1, 2, 4, 5, 6]], CROWD[1][[0, 1, 2, 4, 5, 6]])
    widgets.street(X, y, C)
    kept = capture_display[0]["data"][exhibits.MIME]
    (found,) = computed("street", "train", [[kept["start"][k] for k in ("points", "labels", "C")]])
    (told,) = computed("street", "words", [(found, len(y))])
    assert f" {told} Run" in kept["words"].replace("||w||", "‖w‖")


def test_more_points_than_can_be_dragged_are_refused():
    with pytest.raises(ValueError, match="at most 60"):
        widgets.street(np.arange(122.0).reshape(61, 2), np.arange(61) % 2 * 2 - 1)


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


# --- by hand and by keys -------------------------------------------------------------------------


@pytest.fixture
def opened(browser):
    """Return a function that opens an exhibit on a page by itself; errors fail the test."""
    troubles, contexts = [], []

    def open_page(kind: str, start: dict, size=DESK, theme: str = "light"):
        context = browser.new_context(viewport=size, has_touch=size == PHONE)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        body = f"<title>{kind}</title><main>{exhibits.page(kind, start, 'words')}</main>"
        page.set_content(f'<!doctype html><html lang="en" data-theme="{theme}">{body}</html>')
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def in_a_browser(test):
    """Mark a test that needs a browser."""
    return pytest.mark.browser(pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)(test))


def drag(page, node, right: float, down: float) -> None:
    """Drag a node by the mouse."""
    at = node.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=5)
    page.mouse.up()


def said(page) -> str:
    """Return what an exhibit says."""
    return page.locator("[role=status]").first.text_content()


def numbers(text: str) -> list[float]:
    """Return the numbers of a text."""
    return [float(v.replace("−", "-")) for v in re.findall(r"[−-]?\d+\.?\d*", text)]


@pytest.fixture(scope="module")
def start():
    """Return a start of each exhibit, as its function makes it."""
    found = {}
    X, y = datasets.lecture_example()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exhibits, "show", lambda kind, start, words: found.update({kind: start}))
        widgets.addition(X, y)
        widgets.duality(*CROWD, C=1.0)
        widgets.fold(X / 2, y)
        widgets.race(X, y)
        widgets.shatter(*datasets.xor())
        widgets.steps(*CROWD, C=1.0)
        widgets.street(*CROWD, C=1.0)
        widgets.threshold(*SCORES, names=("not 8", "8"), fn=4)
    assert sorted(found) == KINDS
    return found


@in_a_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_exhibit_fits_a_phone_and_has_no_barrier(opened, start, kind, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="extra: browser")
    page = opened(kind, start[kind], PHONE, theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    rules = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
    found = axe.Axe().run(page, options=rules).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert [(v["id"], n["failureSummary"]) for v in serious for n in v["nodes"]] == []


@in_a_browser
def test_a_point_dragged_or_moved_by_keys_runs_the_librarys_perceptron(opened, start):
    page = opened("addition", start["addition"])
    labels = start["addition"]["labels"]
    before = said(page)
    drag(page, page.locator("g[role=button]").nth(2), -20, -60)
    page.locator("g[role=button]").nth(3).focus()
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("ArrowRight")
    names = page.locator("g[role=button]").evaluate_all("all => all.map(n => n.ariaLabel)")
    places = np.array([numbers(name.split(" at ")[1])[:2] for name in names])
    run = perceptron.perceptron(places, labels)  # places as spoken: two decimals
    told = said(page)
    assert told != before and run.converged
    count, passes = numbers(re.search(r"\d+ mistakes in \d+ passes", told)[0])
    assert (count, passes) == (len(run.mistakes), run.epochs)
    w = numbers(told.split("any: w =")[1])
    assert np.allclose(w, run.w, atol=0.01 * count + 0.01)
    assert page.locator("ol.list li").count() == count


@in_a_browser
def test_the_class_of_a_point_changes_by_enter_and_the_steps_by_list_and_button(opened, start):
    page = opened("addition", start["addition"])
    page.get_by_role("button", name="3. example 5").click()
    assert said(page).startswith("Mistake 3")
    page.get_by_role("button", name="Back").click()
    assert said(page).startswith("Mistake 2")
    page.locator("g[role=button]").nth(1).focus()  # (1, 0) faces (-1, 0) once both are negative
    page.keyboard.press("Enter")
    assert "No line through the origin separates" in said(page)
    page.get_by_role("button", name="Reset").click()
    assert "w = (3, 1) separates" in said(page)


@in_a_browser
def test_the_threshold_follows_hand_and_keys_and_counts_as_the_library(opened, start):
    page = opened("threshold", start["threshold"])
    y, f = SCORES
    line = page.get_by_role("slider", name="threshold")
    drag(page, line, -90, 0)
    told = {line.get_attribute("aria-valuetext")}
    line.focus()
    for key in ("ArrowRight", "Shift+ArrowLeft", "Home", "ArrowUp", "End"):
        page.keyboard.press(key)
        t = float(line.get_attribute("aria-valuenow"))
        c = metrics.confusion(y, np.where(f >= t, 1, -1))
        cells = page.locator("td").all_text_contents()
        assert cells == [f"TN {c.TN}", f"FN {c.FN}", f"FP {c.FP}", f"TP {c.TP}"]
        assert numbers(said(page))[1:3] == pytest.approx([c.TPR, c.FPR], abs=6e-4)
        told.add(said(page))
    assert len(told) == 6
    page.get_by_role("button", name="Cheapest threshold").click()
    best = metrics.costs(metrics.roc(y, f), fp=1, fn=4)
    assert float(line.get_attribute("aria-valuenow")) == pytest.approx(best.threshold, abs=6e-4)
    assert f"Mean cost {best.cost:.3f}; the lowest is {best.cost:.3f}" in said(page)


@in_a_browser
def test_the_proof_lights_up_and_a_lie_goes_red(opened, start):
    page = opened("race", start["race"])
    X, y = datasets.lecture_example()
    run = perceptron.perceptron(X, y)
    page.get_by_label("mistake", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next").click()
    sides = bounds.seven_lines(run, X, y, [1.0, 0.0])
    for row in page.locator("tr").all():
        name, *cells = row.locator("b, td").all_text_contents()
        if name in sides:
            expected = [sides[name][0][2], sides[name][1][2]]
            assert numbers(" ".join(cells[:2])) == pytest.approx(expected)
        assert "false" not in (row.get_attribute("class") or "")
    assert "3 mistakes, and 5 are allowed" in said(page)
    page.get_by_role("combobox").select_option("5")  # the lie of notebook 00
    assert "caught by: update, mistake, growth." in said(page)
    assert page.locator("tr.false b").all_text_contents() == ["update", "mistake", "growth"]
    page.get_by_role("button", name="Tell the truth").click()
    assert page.locator("tr.false").count() == 0


@in_a_browser
def test_points_are_shattered_by_hand_and_by_keys(opened, start):
    page = opened("shatter", start["shatter"])
    assert "14 of 16 labellings have a line. No line: 0.50 of point" in said(page)
    assert "are the same place, (0, 0)" in said(page)
    drag(page, page.locator("g[role=button]").first, 20, -30)
    page.locator("g[role=button]").nth(2).focus()
    page.keyboard.press("Shift+ArrowLeft")
    names = page.locator("g[role=button]").evaluate_all("all => all.map(n => n.ariaLabel)")
    places = np.array([numbers(name.split(" at ")[1])[:2] for name in names])
    assert f"{complexity.shatters(places).count} of 16" in said(page)
    page.keyboard.press("Enter")  # three against one: the corner has a line
    assert "the line of the widest street" in said(page)
    page.get_by_role("button", name="Remove a point").click()
    assert "8 of 8 labellings have a line. Lines shatter these points." in said(page)
    page.get_by_role("button", name="− − −").click()
    assert "push the line far away" in said(page)


@in_a_browser
def test_points_and_bars_are_dragged_and_the_gap_is_the_librarys(opened, start):
    page = opened("duality", start["duality"])
    X, y = CROWD
    best = svm.train(X, y, 1.0).certificate.primal
    assert "The gap is closed" in said(page)
    assert numbers(said(page))[:3] == pytest.approx([best, best, 0], abs=2e-3)
    bar = page.get_by_role("slider", name="alpha 2")
    drag(page, bar, 0, -60)
    bar.focus()
    page.keyboard.press("Shift+ArrowUp")
    handles = page.get_by_role("slider", name=re.compile("^alpha"))
    alpha = handles.evaluate_all("all => all.map(n => Number(n.ariaValueNow))")
    there = svm.certificate(X @ X.T, y, 1.0, alpha, numbers(said(page))[5])
    primal, dual, gap = numbers(said(page))[:3]
    assert (primal, dual) == pytest.approx((there.primal, there.dual), abs=0.05)  # spoken digits
    assert gap > 0.05 and abs(np.dot(alpha, y)) < 0.004
    page.get_by_role("button", name="Close the gap").click()
    assert "The gap is closed" in said(page)
    before = said(page)
    drag(page, page.locator("g[role=button]").nth(4), 20, 10)
    assert "The gap is closed" in said(page) and said(page) != before
    page.get_by_role("button", name="All α = 0").click()
    assert "dual value 0.000" in said(page)
    page.get_by_role("button", name="One step").click()
    assert numbers(said(page))[1] > 0


@in_a_browser
def test_pairs_are_chosen_by_hand_and_keys_until_the_dual_is_the_librarys(opened, start):
    page = opened("steps", start["steps"])
    page.locator("g[role=button]").nth(6).click()
    page.locator("g[role=button]").nth(1).focus()
    page.keyboard.press("Enter")
    assert "Pair 1 and 6." in said(page)
    dual = numbers(said(page))[1]
    page.get_by_role("button", name="Take the step").click()
    assert numbers(said(page))[1] > dual == 0
    page.get_by_role("button", name="Undo").click()
    assert numbers(said(page))[:2] == [0, 0]
    page.get_by_label("second").select_option("2")
    assert "Pair 1 and 2. This pair cannot move" in said(page)  # like labels, both 0
    worst = page.get_by_role("button", name="Worst pair")
    for _ in range(60):
        if worst.is_disabled():
            break
        worst.click()
        page.get_by_role("button", name="Take the step").click()
    assert "the gap is closed" in said(page)
    best = svm.train(*CROWD, 1.0).certificate
    assert numbers(said(page))[1] == pytest.approx(best.dual, abs=2e-3)


@in_a_browser
def test_the_fold_is_turned_by_hand_and_cut_by_keys(opened, start):
    page = opened("fold", start["fold"])
    X, y = (np.array(start["fold"][name]) for name in ("points", "labels"))
    turn = page.get_by_label("turn", exact=True)
    before, shown = turn.input_value(), page.locator("svg").first.inner_html()
    drag(page, page.locator("svg").first, 60, 30)
    assert turn.input_value() != before and page.locator("svg").first.inner_html() != shown
    height = page.get_by_label("height of the cut")
    height.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    r2 = 2**0.5 * float(height.input_value())
    wrong = np.sum(y * (r2 - (X**2).sum(axis=1)) <= 0)
    assert f"a circle of radius {r2**0.5:.2f}; {wrong} of 6 points" in said(page)
    page.get_by_label("slope of the cut").fill("1.5")
    assert "a hyperbola" in said(page)


def told_places(page) -> np.ndarray:
    """Return where the points are, as they are spoken: two decimals."""
    names = page.locator("g[role=button]").evaluate_all("all => all.map(n => n.ariaLabel)")
    return np.array([numbers(name.split(" at ")[1])[:2] for name in names])


@in_a_browser
def test_the_street_follows_mouse_and_keys_as_the_library_trains(opened, start):
    page = opened("street", start["street"])
    point = page.locator("g[role=button]")
    for act in (lambda: drag(page, point.nth(4), -40, 20), lambda: point.nth(1).press("ArrowUp")):
        before = said(page)
        act()
        machine = svm.train(told_places(page), CROWD[1], 1.0)
        _, width, count, of, slack = numbers(said(page))  # the first is the 2 of 2/norm
        assert width == pytest.approx(2 / np.linalg.norm(machine.w), rel=0.03)  # spoken places
        assert slack == pytest.approx(
            np.maximum(0, 1 - machine.y * machine.decision(machine.X)).sum(), abs=0.05
        )
        assert said(page) != before and of == 7 and count == len(machine.support)
    page.locator("input[type=range]").fill("2")
    assert numbers(said(page))[1] < width  # a higher price, a narrower street
    page.get_by_role("button", name="Reset").click()


@in_a_browser
def test_a_street_without_a_price_is_the_hard_margins(opened, start):
    given = {name: value for name, value in start["street"].items() if name != "C"}
    page = opened("street", given)  # None comes as undefined from a kernel in the browser
    hard = svm.hard_margin(given["points"], given["labels"])
    words = "No line separates" if not hard.separable else f"{2 / np.linalg.norm(hard.w):.3f}"
    assert words in page.locator(".exhibit").inner_text()


@in_a_browser
def test_where_no_line_separates_a_cross_marks_a_place_in_both_hulls(opened, start):
    apart = [0, 1, 2, 4, 5, 6]
    hard = {**start["street"], "C": None, "points": CROWD[0][apart].tolist()}
    page = opened("street", hard | {"labels": CROWD[1][apart].tolist()})
    assert said(page).startswith("Street width") and page.locator("path").count() == 0
    point = page.locator("g[role=button]").nth(3)
    for _ in range(11):
        point.press("Shift+ArrowLeft")
    place = told_places(page)[3]
    meeting = f"their hulls meet at ({place[0]:g}, {place[1]:g}).".replace("-", "−")
    assert said(page) == f"No line separates these points: {meeting}"
    assert page.locator("polygon").count() == 2
    point.press("Enter")  # now it is one of the others
    assert said(page).startswith("Street width")


@in_a_browser
def test_a_street_that_moves_by_itself_stops_when_asked_touched_or_unwanted(browser, start):
    from playwright.sync_api import expect

    moving = start["street"] | {"tour": {"point": 4, "radius": 0.5}}
    for motion in ("no-preference", "reduce"):
        context = browser.new_context(reduced_motion=motion)
        page = context.new_page()
        page.set_content(exhibits.page("street", moving, "words"))
        point = page.locator("g[role=button]").nth(4)
        place = point.get_attribute("aria-label")
        if motion == "reduce":
            page.wait_for_timeout(300)
            assert point.get_attribute("aria-label") == place
        else:
            expect(point).not_to_have_attribute("aria-label", place, timeout=PATIENCE)
            words = said(page)
            page.wait_for_timeout(200)
            assert said(page) == words  # nothing is spoken on and on
            page.get_by_role("button", name="Stop").click()
            place = point.get_attribute("aria-label")
            page.wait_for_timeout(200)
            assert point.get_attribute("aria-label") == place and "Street width" in said(page)
        context.close()


#: What of each exhibit is dragged by a finger, and how far. SMO's pairs are chosen by a tap.
FINGERS = {
    "addition": ("g[role=button]", 30, -30),
    "duality": ("g[role=slider]", 0, -40),
    "fold": ("svg", 60, -40),
    "race": ("input[type=range]", 60, 0),
    "shatter": ("g[role=button]", 40, -30),
    "steps": ("g[role=button] >> nth=2", 0, 0),
    "street": ("g[role=button]", 40, -30),
    "threshold": ("[role=slider]", -60, -30),
}
SHOWN = """() => document.querySelector("svg").innerHTML
  + document.querySelector("[role=status]").textContent"""


@in_a_browser
@pytest.mark.parametrize("kind", KINDS)
def test_an_exhibit_follows_a_finger_and_the_page_stays_where_it_is(opened, start, kind):
    page = opened(kind, start[kind], PHONE)
    page.add_style_tag(content="main { padding-bottom: 2000px; }")  # there is somewhere to scroll
    what, right, down = FINGERS[kind]
    page.locator(what).first.scroll_into_view_if_needed()
    at, top = page.locator(what).first.bounding_box(), page.evaluate("scrollY")
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    before = page.evaluate(SHOWN)
    touch = page.context.new_cdp_session(page)
    for k in range(6):
        finger = {"x": x + right * k / 5, "y": y + down * k / 5}
        kind_of = "touchMove" if k else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind_of, "touchPoints": [finger]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)
    assert page.evaluate("scrollY") == top


# --- at once -------------------------------------------------------------------------------------

#: Milliseconds between two frames at 60 in a second.
FRAME = 1000 / 60


def in_the_course() -> list:
    """Return the exhibits of all notebooks, as they start there."""
    kept = [
        pytest.param(output.data[exhibits.MIME], id=path.stem)
        for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
        for cell in nbrules.code_cells(nbrules.read(path))
        for output in cell.outputs
        if exhibits.MIME in output.get("data", {})
    ]
    assert {one.values[0]["kind"] for one in kept} == set(KINDS)
    return kept


@in_a_browser
@pytest.mark.parametrize("kept", in_the_course())
def test_a_move_of_the_hand_is_drawn_within_a_frame(opened, kept):
    page, moves = opened(kept["kind"], kept["start"]), 60
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})  # of the processor, not a clock

    def spent() -> float:
        told = meter.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in told if one["name"] == "TaskDuration")

    for move, at in enumerate(hand(page, kept["kind"], moves + 10)):
        if move == 10:  # the first ones are read and translated by the browser
            before, seen = spent(), {page.evaluate(SHOWN)}
        at()
        if move % 20 == 19:
            seen.add(page.evaluate(SHOWN))
    assert 1000 * (spent() - before) / moves < FRAME
    assert len(seen) > 2


def hand(page, kind: str, moves: int):
    """Yield moves of a hand that holds a part of an exhibit, or chooses one after another."""
    if kind == "steps":  # nothing in it is dragged
        nodes = page.locator("g[role=button]")
        yield from (functools.partial(nodes.nth(k % 7).press, "Enter") for k in range(moves))
        return
    node = page.locator(FINGERS[kind][0]).first
    node.scroll_into_view_if_needed()
    at = node.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(moves):
        yield functools.partial(page.mouse.move, x + 60 * np.sin(k / 8), y + 40 * np.sin(k / 5))
    page.mouse.up()
