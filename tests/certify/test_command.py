"""The command judges a model from files, and opens nothing that runs code unless it is told to."""

import gzip

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

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
    assert "has no column 'nothing': it has 'a', 'b', 'c', 'kind'." in capsys.readouterr().err
    (files / "m.skops").write_text("")
    assert judged(files, "m.skops") == 2


def rewritten(files, change):
    """Return the path of a changed copy of the table."""
    path = files / "changed.csv"
    path.write_bytes(change((files / "data.csv").read_text()).encode())
    return str(path)


HARMLESS = {
    "a mark of the encoding": lambda text: "\ufeff" + text,
    "empty lines": lambda text: text.replace("\n", "\n\n") + "\n\n",
    "ends of lines": lambda text: text.replace("\n", "\r\n"),
    "quotes": lambda text: text.replace("kind", '"kind"'),
    "the target first": lambda text: "\n".join(
        ",".join([line.split(",")[-1], *line.split(",")[:-1]]) for line in text.split("\n")
    ),
    "both of these": lambda text: HARMLESS["a mark of the encoding"](
        HARMLESS["the target first"](text)
    ),
}


@pytest.mark.parametrize("change", HARMLESS)
def test_a_table_that_is_written_otherwise_is_the_same_table(files, change, capsys):
    given = [str(files / "good.joblib"), rewritten(files, HARMLESS[change]), "--target", "kind"]
    assert command.main([*given, "--i-trust-this-file"]) == 0, capsys.readouterr().err


ODD = {
    "is empty": lambda text: "",
    "has no rows": lambda text: text.split("\n")[0],
    "line 3 has 3 entries": lambda text: "\n".join(
        line if k != 2 else line.rsplit(",", 1)[0] for k, line in enumerate(text.split("\n"))
    ),
    "line 2 has 5 entries": lambda text: text.replace("\n", "\n7,", 1),
    "two columns named 'a'": lambda text: text.replace("a,b", "a,a"),
    "column 'a' is not of numbers": lambda text: text.replace("\n", "\nx", 1),
    "Entries are separated by commas": lambda text: text.replace(",", ";"),
    "X has 4. changed.csv has, but for --target: '', 'a', 'b', 'c'": lambda text: "\n".join(
        f"{k or ''},{line}" for k, line in enumerate(text.strip().split("\n"))
    ),
    "X contains NaN": lambda text: "\n".join(
        line if k != 2 else "," + line.split(",", 1)[1] for k, line in enumerate(text.split("\n"))
    ),
    "not a table of plain text": lambda text: text + '"' + "x" * 200_000 + '"',
}


@pytest.mark.parametrize("words", ODD)
def test_a_table_that_is_none_is_refused_in_a_sentence(files, words, capsys):
    given = [str(files / "good.joblib"), rewritten(files, ODD[words]), "--target", "kind"]
    assert command.main([*given, "--i-trust-this-file"]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-16", "gzip", "parquet"])
def test_a_table_in_another_encoding_is_refused_in_a_sentence(files, encoding, capsys):
    text = (files / "data.csv").read_text()
    content = {"gzip": gzip.compress(text.encode()), "parquet": b"PAR1\x15\xff\x00PAR1"}
    path = files / "data.other"
    path.write_bytes(content.get(encoding) or text.encode(encoding))
    given = [str(files / "good.joblib"), str(path), "--target", "kind", "--i-trust-this-file"]
    assert command.main(given) == 2
    assert "data.other is not a table of plain text" in capsys.readouterr().err


@pytest.mark.parametrize("model", [{"a": 1}, LinearSVC, LinearSVC()])
def test_what_is_no_fitted_model_is_named_whatever_the_labels_are(files, model, capsys):
    joblib.dump(model, files / "none.joblib")
    text = (files / "data.csv").read_text()
    (files / "words.csv").write_text(text.replace(",1\n", ",yes\n").replace(",-1\n", ",no\n"))
    given = [str(files / "none.joblib"), str(files / "words.csv"), "--target", "kind"]
    assert command.main([*given, "--i-trust-this-file"]) == 2
    told = capsys.readouterr().err
    assert "known are SVC" in told or "is a class" in told or "not fitted" in told


def test_a_file_that_holds_no_model_is_refused_in_a_sentence(files, capsys):
    for content in (b"", b"nonsense", b"\x80\x04cno_such_package\nThing\n."):
        (files / "odd.joblib").write_bytes(content)
        assert judged(files, "odd.joblib", "--i-trust-this-file") == 2
        assert "odd.joblib cannot be read" in capsys.readouterr().err


def test_columns_in_another_order_than_the_models_are_refused(files, capsys):
    model = joblib.load(files / "good.joblib")
    model.feature_names_in_ = np.array(["c", "b", "a"], dtype=object)
    joblib.dump(model, files / "named.joblib")
    assert judged(files, "named.joblib", "--i-trust-this-file") == 2
    assert "other columns than those of X: 'c', not 'a'" in capsys.readouterr().err


def test_labels_are_read_as_the_model_knows_them(files, capsys):
    X, y = datasets.noisy(80, 3, rng=0)
    for labels in (np.where(y > 0, "1", "-1"), y > 0):
        joblib.dump(SVC(tol=1e-6).fit(X, labels), files / "words.joblib")
        lines = ["a,b,c,kind"]
        lines += [",".join([*map(repr, x), str(v)]) for x, v in zip(X.tolist(), labels)]
        (files / "words.csv").write_text("\n".join(lines))
        given = [str(files / "words.joblib"), str(files / "words.csv"), "--target", "kind"]
        assert command.main([*given, "--i-trust-this-file"]) == 0, capsys.readouterr().err


def test_a_whole_target_beyond_the_integers_is_a_number(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,1e300\n2,3\n")
    assert command.read_table(tmp_path / "t.csv", "y")[1].tolist() == [1e300, 3.0]


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
