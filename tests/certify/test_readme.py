"""What README shows of `certify` is what it prints."""

import re
import warnings

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lectures_lib import certify
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
