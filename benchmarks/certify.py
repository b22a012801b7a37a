"""How far scikit-learn's fits are from their best, and what judging them costs.

Usage: ``python -m benchmarks.certify`` prints the table; ``--write`` stores it as book/certify.md;
``--seeds 2`` is a quick look. Each seed leaves out another fifth of the examples. One thread for
both sides: a second one that waits is processor time, too.
"""

import argparse
import os

os.environ |= {"LECTURES_LIB_CORES": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import json
import platform
import statistics
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy
import sklearn
from sklearn import datasets as sets
from sklearn.linear_model import (
    ElasticNet,
    Lasso,
    LogisticRegression,
    Ridge,
    SGDClassifier,
    SGDRegressor,
)
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR, NuSVC

from lectures_lib import certify, datasets
from lectures_lib.certify.readers import READERS

TOL = 1e-3
PAGE = Path(__file__).parents[1] / "book" / "certify.md"
STORED = Path(__file__).with_suffix(".json")
CLASSIFIERS = {
    "SVC()": lambda s: SVC(),
    "SVC(kernel='linear')": lambda s: SVC(kernel="linear"),
    "SVC(kernel='poly')": lambda s: SVC(kernel="poly"),
    "NuSVC(nu=0.1)": lambda s: NuSVC(nu=0.1),
    "LinearSVC()": lambda s: LinearSVC(random_state=s),
    "LinearSVC(loss='hinge')": lambda s: LinearSVC(loss="hinge", random_state=s),
    "LinearSVC(dual=True)": lambda s: LinearSVC(dual=True, random_state=s),
    "LogisticRegression()": lambda s: LogisticRegression(),
    "LogisticRegression(newton-cholesky)": lambda s: LogisticRegression(solver="newton-cholesky"),
    "LogisticRegression(saga)": lambda s: LogisticRegression(solver="saga", random_state=s),
    "SGDClassifier()": lambda s: SGDClassifier(random_state=s),
}
REGRESSIONS = {
    "SVR()": lambda s: SVR(),
    "LinearSVR()": lambda s: LinearSVR(random_state=s),
    "Ridge()": lambda s: Ridge(),
    "Ridge(solver='lsqr')": lambda s: Ridge(solver="lsqr"),
    "Ridge(solver='sag')": lambda s: Ridge(solver="sag", random_state=s),
    "Lasso()": lambda s: Lasso(),
    "ElasticNet()": lambda s: ElasticNet(),
    "SGDRegressor()": lambda s: SGDRegressor(random_state=s),
}
#: These stop far from the best by design, so that a solve takes many times as long as the fit.
ASIDE = ("SGDClassifier()", "SGDRegressor()", "LinearSVR()")


def data() -> Iterator[tuple[str, bool, np.ndarray, np.ndarray, dict]]:
    """Yield name, whether it is well scaled, examples, targets, and the settings to try."""
    digits, which = sets.load_digits(return_X_y=True)
    some = np.isin(which, (3, 8))
    given = {
        "cancer": sets.load_breast_cancer(return_X_y=True),
        "wine": sets.load_wine(return_X_y=True),
        "digits 3/8": (digits[some], which[some]),
    }
    for name, (X, y) in given.items():
        yield f"{name}, raw", False, X, y, CLASSIFIERS
        yield f"{name}, scaled", True, StandardScaler().fit_transform(X), y, CLASSIFIERS
    yield "made, scaled", True, *datasets.noisy(400, 20, rng=0), CLASSIFIERS
    X, y = sets.load_diabetes(return_X_y=True, scaled=False)
    yield "diabetes, raw", False, X, y, REGRESSIONS
    yield "diabetes, scaled", True, StandardScaler().fit_transform(X), y, REGRESSIONS


def one(make, X: np.ndarray, y: np.ndarray, seed: int) -> dict:
    """Fit one model and judge it: verdict, excess, warning, and times in fits."""
    keep = np.sort(np.random.default_rng(seed).permutation(len(y))[: len(y) * 4 // 5])
    X, y, model = X[keep], y[keep], make(seed)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = time.process_time()
        model.fit(X, y)
        fit = time.process_time() - start
    start = time.process_time()
    free = certify.certify(model, X, y, tol=TOL, solve=False)
    step = time.process_time() - start
    start = time.process_time()
    judged = free if free.holds else certify.certify(model, X, y, tol=TOL)
    whole = step if free.holds else time.process_time() - start
    told = {"verdict": judged.verdict, "free": free.holds, "excess": judged.excess}
    return told | {"gap": judged.gap, "warned": bool(caught), "t1": step / fit, "t": whole / fit}


def measure(seeds: int) -> list[dict]:
    """Return one record for each fit."""
    rows = []
    certify.certify(SVC().fit([[0.0], [1.0]], [0, 1]), [[0.0], [1.0]], [0, 1])  # compiles
    for name, scaled, X, y, settings in data():
        for setting, make in settings.items():
            for seed in range(seeds):
                told = {"data": name, "scaled": scaled, "setting": setting, "seed": seed}
                rows.append(told | one(make, X, y, seed))
            done = [row for row in rows if row["data"] == name and row["setting"] == setting]
            bad = sum(row["verdict"] == "refuted" for row in done)
            print(f"{name:<18} {setting:<36} {bad:>3} of {len(done)} refuted", flush=True)
    return rows


def table(rows: list[dict]) -> list[str]:
    """Return the table by setting."""
    lines = [
        "| setting | fits | proved | refuted | undecided | refuted, scaled data "
        "| of these above 1 % | worst excess "
        "| silent | warned, proved | free step, in fits | all, in fits |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for setting in [*CLASSIFIERS, *REGRESSIONS]:
        some = [row for row in rows if row["setting"] == setting]
        bad = [row for row in some if row["verdict"] == "refuted"]
        count = [sum(r["verdict"] == v for r in some) for v in ("proved", "refuted", "undecided")]
        wide = [row["scaled"] for row in some]
        clear = sum(row["scaled"] and row["excess"] > 0.01 for row in bad)
        silent = sum(not row["warned"] for row in bad)
        cried = sum(row["warned"] and row["verdict"] == "proved" for row in some)
        worst = max(row["excess"] for row in some)
        times = [statistics.median(row[k] for row in some) for k in ("t1", "t")]
        lines.append(
            f"| `{setting}` | {len(some)} | {count[0]} | {count[1]} | {count[2]} "
            f"| {sum(r['scaled'] for r in bad)} of {sum(wide)} | {clear} | {worst:.1g} "
            f"| {silent} | {cried} "
            f"| {times[0]:.2f} | {times[1]:.2f} |"
        )
    return lines


def at_size() -> list[dict]:
    """Return what judging costs where a fit takes its time."""
    X, y = datasets.noisy(20_000, 50, rng=0)
    targets, rows = X @ np.ones(50) + y, []
    for name, make, some, goal in [
        ("LinearSVC(), n = 20000", LinearSVC, slice(None), y),
        ("LinearSVC(loss='hinge'), n = 20000", lambda: LinearSVC(loss="hinge"), slice(None), y),
        ("LogisticRegression(), n = 20000", LogisticRegression, slice(None), y),
        ("Ridge(), n = 20000", Ridge, slice(None), targets),
        ("SVC(), n = 4000", SVC, slice(4000), y),
        ("SVR(), n = 2000", SVR, slice(2000), targets),
    ]:
        best = [one(lambda _, make=make: make(), X[some], goal[some], s) for s in range(3)]
        told = {key: statistics.median(row[key] for row in best) for key in ("t1", "t")}
        rows.append(told | {"name": name, "verdict": best[0]["verdict"]})
        print(f"{name:<36} {told['t1']:.2f} {told['t']:.2f}", flush=True)
    return rows


def page(stored: dict) -> str:
    """Return the page of the site, from what is stored."""
    rows = stored["rows"]
    bad = [row for row in rows if row["verdict"] == "refuted"]
    proved = [row for row in rows if row["verdict"] == "proved"]
    usual = [row for row in rows if row["setting"] not in ASIDE]
    t1, t = (statistics.median(row[k] for row in usual) for k in ("t1", "t"))
    told = {
        "fits": len(rows),
        "sets": len({row["data"] for row in rows}),
        "settings": len({row["setting"] for row in rows}),
        "seeds": stored["seeds"],
        "tol": f"{TOL:g}",
        "proved": len(proved),
        "free": sum(row["free"] for row in rows),
        "bad": len(bad),
        "open": len(rows) - len(proved) - len(bad),
        "silent": sum(not row["warned"] for row in bad),
        "warned": sum(row["warned"] for row in rows),
        "cried": sum(row["warned"] for row in proved),
        "bad_scaled": sum(row["scaled"] for row in bad),
        "scaled": sum(row["scaled"] for row in rows),
        "bad_raw": sum(not row["scaled"] for row in bad),
        "raw": sum(not row["scaled"] for row in rows),
        "t1": f"{t1:.2f}",
        "t": f"{t:.2f}",
        "models": ", ".join(f"`{name}`" for name in READERS if name[0].isupper()),
        "table": "\n".join(table(rows)),
        "sizes": "\n".join(
            f"| `{r['name']}` | {r['verdict']} | {r['t1']:.2f} | {r['t']:.2f} |"
            for r in stored["sizes"]
        ),
        "versions": ", ".join(f"{k} {v}" for k, v in stored["versions"].items()),
    }
    return WORDS.format(**told)


WORDS = """# How far from the best are fitted models?

`certify.certify(model, X, y)` compares a fitted model with a bound that no answer is below. If it
refutes the model, it hands over a better answer. Here it judged {fits} fits of scikit-learn:
{sets} data sets, {settings} settings, {seeds} seeds, each of which leaves out another fifth of the
examples. A fit is *proved* if its objective is at most {tol} above the least, relative.

- {proved} are proved ({free} of them without another solve), {bad} are refuted by a better answer,
  {open} stay undecided.
- Of the {bad} that are refuted, {silent} gave no warning. Of the {warned} that warned, {cried} are
  proved all the same.
- On scaled data {bad_scaled} of {scaled} are refuted, on raw data {bad_raw} of {raw}.

{table}

*Worst excess*: the model's objective is above that of another answer by this share. *Silent*:
refuted, and it gave no warning. *Warned, proved*: it warned, and is near the best. Each library
promises something of its own: LIBSVM's `tol` of 0.001 is a violation of the conditions of
optimality and not a share of the objective, so an excess a little above 0.001 breaks no promise.

What this does not say: how well a model predicts. Notebook 21 measures what such an excess is worth
in accuracy: little. SGD promises no optimum. The data were chosen to have a raw and a scaled form.
`LinearSVC(loss='hinge')`, `LinearSVC(dual=True)`, `NuSVC`, `SVC` with another kernel than rbf,
`newton-cholesky`, `saga`, `lsqr` and `sag` are not defaults.

## Which models it judges

{models}: those of scikit-learn, or of a library whose classes are named alike, with dense or sparse
examples, weights of examples and classes, several classes (each pair, or each class against the
rest) and several outputs. A pipeline is judged by its last step, a search by its best model. Models
of LIBLINEAR's and LIBSVM's own packages are read, too; `certify.svm` and `certify.kernel_svm` take
the arrays of any solver, one's own included.

Refused, each in a sentence: other classes; models that were not trained on these data (linear ones
keep nothing that would tell); the sigmoid, which is no kernel; logistic regression without a
penalty, or of several classes with an l1 penalty; Ridge without a penalty; Crammer and Singer's
machine; a penalty of all outputs together; losses of `SGDClassifier` beyond hinge, squared hinge
and logistic. A perceptron has no objective: it is proved if it separates its examples, refuted by a
separator. For clusters only a weak bound is known, so most stay undecided unless another start
refutes them.

## What judging costs

Times in fits: processor time of the judge, divided by that of the fit (medians, on a busy machine).
The fits above take a few milliseconds: there the free step takes {t1} of a fit and all of it {t},
SGD and LinearSVR, which stop far from the best, aside. Where a fit takes longer:

| model | verdict | free step | all |
|---|---|--:|--:|
{sizes}

Made by `python -m benchmarks.certify --write` with {versions}.
"""


def short(row: dict) -> dict:
    """Return a record with three digits of each number."""
    return {k: float(f"{v:.3g}") if isinstance(v, float) else v for k, v in row.items()}


def main() -> None:
    """Measure, or write the page again from what is stored."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="store table and page")
    parser.add_argument("--page", action="store_true", help="write the page from what is stored")
    given = parser.parse_args()
    if given.page:
        PAGE.write_text(page(json.loads(STORED.read_text())), encoding="utf-8")
        return
    versions = {"Python": platform.python_version(), "numpy": np.__version__}
    versions |= {"scipy": scipy.__version__, "scikit-learn": sklearn.__version__}
    stored = {"seeds": given.seeds, "versions": versions, "rows": measure(given.seeds)}
    stored["sizes"] = at_size()
    print(page(stored))
    if given.write:
        lines = ",\n".join(json.dumps(short(row)) for row in stored["rows"])
        told = json.dumps({k: v for k, v in stored.items() if k != "rows"})
        STORED.write_text(f'{told[:-1]}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        PAGE.write_text(page(stored), encoding="utf-8")


if __name__ == "__main__":
    main()
