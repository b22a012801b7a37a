"""What README shows of `certify` is what it prints."""

import re
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression, MultiTaskLasso, Ridge, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from lectures_lib import certify
from lectures_lib.certify.readers import READERS
from tools.environment import ROOT

NUMBER = re.compile(r"\d+\.\d+")


def shown() -> tuple[str, str]:
    """Return the program and the answer that README shows."""
    part = (ROOT / "README.md").read_text(encoding="utf-8").split("## Judge your own model")[1]
    program, answer = re.findall(r"```(?:python)?\n(.*?)```", part, re.DOTALL)[:2]
    return program, answer


def test_readmes_model_gets_the_answer_that_readme_shows(capsys):
    program, answer = shown()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # "the fit gave no warning"
        exec(program, {})
    printed = capsys.readouterr().out
    assert NUMBER.sub("#", printed) == NUMBER.sub("#", answer)
    numbers = [float(one) for one in NUMBER.findall(printed)]
    # LIBSVM's last digits are the processor's
    assert numbers == pytest.approx([float(one) for one in NUMBER.findall(answer)], rel=0.05)


def test_readmes_model_with_scaled_features_is_proved():
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), SVC(kernel="linear")).fit(X, y)
    assert certify.certify(model, X, y).verdict == "proved"


def test_the_page_names_every_model_that_is_read():
    page = (ROOT / "book" / "certify.md").read_text(encoding="utf-8")
    for name in READERS:
        assert f"`{name}`" in page or not name[0].isupper(), name


REFUSED = [
    SVC(kernel="sigmoid"),
    LogisticRegression(C=np.inf),
    LogisticRegression(l1_ratio=1.0, solver="saga"),
    LinearSVC(multi_class="crammer_singer"),
    SGDClassifier(loss="modified_huber"),
    Ridge(alpha=0.0),
    MultiTaskLasso(),
]


@pytest.mark.parametrize("model", REFUSED, ids=str)
def test_what_the_page_says_is_refused_is_refused_in_a_sentence(model):
    X, y = load_iris(return_X_y=True)
    y = np.column_stack([y, y]) if isinstance(model, MultiTaskLasso) else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    with pytest.raises(ValueError, match=r"is not judged: .{10,}\.$"):
        certify.certify(model, X, y)
