"""The command judges a model from files, and opens nothing that runs code unless it is told to."""

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from lectures_lib import certify as room
from lectures_lib import datasets, plots
from lectures_lib.certify import command


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A good model, a bad one, and their data."""
    folder = tmp_path_factory.mktemp("models")
    X, y = datasets.noisy(80, 3, rng=0)
    lines = [
        "a,b,c,kind",
        *(",".join([*map(repr, map(float, x)), f"{int(t)}"]) for x, t in zip(X, y)),
    ]
    (folder / "data.csv").write_text("\n".join(lines))
    joblib.dump(SVC(tol=1e-6).fit(X, y.astype(int)), folder / "good.joblib")
    bad = LogisticRegression(tol=1e-8).fit(X, y.astype(int))
    bad.coef_ = 2 * bad.coef_
    joblib.dump(bad, folder / "bad.joblib")
    return folder


def judged(files, name, *more):
    return command.main([str(files / name), str(files / "data.csv"), "--target", "kind", *more])


def test_a_model_is_judged_and_the_exit_status_is_its_verdict(files, capsys):
    assert judged(files, "good.joblib", "--i-trust-this-file") == 0
    assert "proved: the objective is within 0.001" in capsys.readouterr().out
    assert judged(files, "bad.joblib", "--i-trust-this-file") == 1
    assert "refuted: another answer costs" in capsys.readouterr().out


def test_a_file_that_runs_code_is_not_opened_unasked(files, capsys, monkeypatch):
    monkeypatch.setattr(joblib, "load", lambda path: pytest.fail("it was opened"))
    assert judged(files, "good.joblib") == 2
    assert "runs code as it is loaded" in capsys.readouterr().err


def test_what_cannot_be_read_is_told(files, capsys):
    given = [str(files / "good.joblib"), str(files / "data.csv"), "--i-trust-this-file"]
    assert command.main([*given, "--target", "nothing"]) == 2
    assert "has no column 'nothing': it has a, b, c, kind" in capsys.readouterr().err
    (files / "m.skops").write_text("")
    assert judged(files, "m.skops") == 2


def test_a_file_of_skops_needs_no_trust_unless_it_holds_strangers(files, capsys):
    skops = pytest.importorskip("skops.io")
    model = joblib.load(files / "good.joblib")
    skops.dump(model, files / "good.skops")
    assert judged(files, "good.skops") == 0
    assert "proved: the objective is within 0.001" in capsys.readouterr().out
    model.class_weight_ = Stranger()
    skops.dump(model, files / "odd.skops")
    assert judged(files, "odd.skops") == 2
    assert "odd.skops is not opened" in capsys.readouterr().err


class Stranger:
    """A type that skops does not know."""


def test_the_figure_of_judgements_says_what_it_shows():
    X, y = datasets.noisy(80, 3, rng=0)
    bad = room.svm(np.ones(3), 0.0, X, y, 1.0)
    good = room.svm(bad.better["w"], bad.better["b"], X, y, 1.0)
    ax = plots.excess({"bad": bad, "good": good}, warned=["good"])
    words = plots.words(ax.get_figure())
    assert "bad is refuted: at least" in words and "good is proved: at most" in words
    assert "and its library had warned" in words and "the tolerance, 0.001" in words
    assert [bar.get_facecolor()[3] for bar in ax.patches] == [1.0, 0.0]
