"""Exhibits: what the scripts compute is what the library says; they follow hand and keys.

The scripts run in node where it is installed, and in a chromium in the tests marked `browser`.
"""

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
    margins,
    metrics,
    perceptron,
    svm,
    widgets,
)
from lectures_lib.widgets import exhibits
from tests.browsing import browser as browser  # the fixture
from tests.browsing import missing
from tools import book, nbrules
from tools.environment import ROOT

KINDS = sorted(p.stem for p in exhibits.FOLDER.glob("*.js") if p.stem not in exhibits.SHARED)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
WHY_NOT = missing()
PHONE, DESK = {"width": 390, "height": 844}, {"width": 900, "height": 800}
CROWD = (
    np.array([[-2, 1], [-1.2, -0.6], [-2, -1.4], [0.4, 0.9], [1, 0.2], [2, 1.2], [1.6, -1.2]]),
    np.array([-1, -1, -1, -1, 1, 1, 1]),
)
APART = CROWD[0][[0, 1, 2, 4, 5, 6]], CROWD[1][[0, 1, 2, 4, 5, 6]]
VOTERS = datasets.noisy(24, 2, gamma=0.1, flips=0.1, rng=8)
VOTERS = np.round(VOTERS[0], 2), VOTERS[1]
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
