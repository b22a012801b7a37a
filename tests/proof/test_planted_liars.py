"""The thirteen kinds of false proof that a stranger found are caught when they are planted."""

import re
from dataclasses import replace

import numpy as np
import pytest

from lectures_lib import (
    _result,
    conventions,
    svm,
)
from lectures_lib._result import with_fields
from lectures_lib.certify import other_models as model_judge
from lectures_lib.kernels import Kernel, Polynomial
from lectures_lib.proof import kmeans as cluster_judge
from lectures_lib.proof import psd
from lectures_lib.proof import regression as tube_judge
from lectures_lib.proof import ridge as ridge_judge
from lectures_lib.proof.duality import Certificate
from lectures_lib.proof.rounding import Enclosure
from lectures_lib.svm import machine as svm_machine
from tests.proof.test_referee import played
from tools.fuzz.specimens import speakers, specimens
from tools.referee import draw
from tools.referee.ledger import Ledger
from tools.referee.subjects import (
    SUBJECTS,
    machines,
    regressions,
)

# --- the thirteen kinds of false proof that a stranger found -----------------------------------


def test_a_ridge_judge_that_allows_what_far_targets_cost_is_caught(monkeypatch):
    """FP1: RTOL (t't + RTOL y'y), where y are Unix seconds, proves half of the answer."""
    honest = ridge_judge._tolerance

    def generous(y, b, s):
        return honest(y, b, s) + 1e-9 * 1e-9 * float(y @ y) * np.max(s)

    monkeypatch.setattr(ridge_judge, "_tolerance", generous)
    monkeypatch.setattr(regressions, "targets", far_targets)
    assert played("ridge certificate", 60).counts["false proofs"] > 0


def test_a_tube_judge_that_allows_what_far_targets_cost_is_caught(monkeypatch):
    """FP2: an allowance of 8 u C sum abs(y) makes offsets right that are off by a third."""
    honest = tube_judge.judge_tube

    def generous(found, y, C, epsilon, beta, b, **told):
        judged = honest(found, y, C, epsilon, beta, b, **told)
        more = 1e-9 * float(np.sum(C * np.abs(y)))
        return with_fields(judged, tolerance=judged.tolerance + more)

    monkeypatch.setattr(tube_judge, "judge_tube", generous)
    monkeypatch.setattr(regressions, "targets", far_targets)
    assert played("svr certificate", 60).counts["false proofs"] > 0


def far_targets(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Return times in milliseconds."""
    return 1.7e12 + rng.normal(size=len(X))


def test_a_judge_of_clusters_that_an_outlier_makes_generous_is_caught(monkeypatch):
    """FP3: a point's gain is compared with the objective of all."""
    honest = cluster_judge._beyond

    def generous(to_means, off, own, exact):
        room = float(to_means[np.arange(len(own)), own].sum())
        low, high = honest(to_means, off, own, exact)
        return (low, high) if high > room else (-np.inf, -np.inf)

    monkeypatch.setattr(cluster_judge, "_beyond", generous)
    assert played("kmeans", 80).counts["false proofs"] > 0


def test_a_machine_whose_alpha_does_not_balance_exactly_is_caught(monkeypatch):
    """FP4: far out, alpha and b by the formula beside them are another machine."""
    monkeypatch.setattr(svm_machine, "balanced_exactly", lambda alpha, y: alpha)
    assert played("alpha and b", 80).counts["false proofs"] > 0


def test_a_judge_that_says_nothing_of_what_b_loses_far_out_is_caught(monkeypatch):
    """By alpha and the one float b, 17 of 499 machines exceeded their tolerance."""
    assert played("alpha and b", 80).forbidden == 0
    monkeypatch.setattr(Certificate, "_b_in_words", "")
    assert played("alpha and b", 80).counts["false proofs"] > 0


@pytest.mark.parametrize("judge", [tube_judge, ridge_judge])
def test_a_judge_of_regressions_that_says_nothing_of_what_b_loses_is_caught(judge, monkeypatch):
    monkeypatch.setattr(judge, "b_in_words", lambda lost: "")
    assert played("alpha and b", 120).counts["false proofs"] > 0


@pytest.mark.parametrize("kind", ["a digit is lost", "floats stand by", "objects are exact"])
def test_a_judge_that_rounds_what_it_is_given_is_caught(kind, monkeypatch):
    """FP5, FP6, FP13: long doubles, whole numbers above 2^53, arrays of float objects."""
    if kind == "a digit is lost":
        monkeypatch.setattr(conventions, "would_round", lambda raw: False)
    elif kind == "floats stand by":
        monkeypatch.setattr(conventions, "was_rounded", lambda values, raw: False)
    else:
        believes = lambda *arrays: any(np.asarray(a).dtype == object for a in arrays)  # noqa: E731
        monkeypatch.setattr(cluster_judge, "is_exact", believes)
        monkeypatch.setattr(ridge_judge, "is_exact", believes)
    assert played("types", 200).counts["false proofs"] > 0


def test_results_whose_arrays_a_flag_unlocks_are_caught(monkeypatch):
    """ST: `machine.alpha.flags.writeable = True`, and the proof of another machine is shown."""
    specimens()  # they are kept, and made before the lie
    frozen = _result.frozen
    lie = lambda v: locked_by_a_flag(v) if isinstance(v, np.ndarray) else frozen(v)  # noqa: E731
    monkeypatch.setattr(_result, "frozen", lie)
    assert played("changed results", 60).counts["false proofs"] > 0


def test_a_constructor_that_believes_the_certificate_it_is_handed_is_caught(monkeypatch):
    """`SVMachine(..., alpha=0, b=99.0, certificate=machine.certificate)` was proved."""
    specimens()
    monkeypatch.setattr(_result, "CARRIED", ())
    assert played("changed results", 60).counts["false proofs"] > 0


def locked_by_a_flag(array: np.ndarray) -> np.ndarray:
    """Return the array read-only, as anybody can undo."""
    array.setflags(write=False)
    return array


def test_a_kernel_that_does_not_look_at_its_parameters_is_caught(monkeypatch):
    """FP10: Polynomial(1, one=-1) is x.z - 1."""
    monkeypatch.setattr(Polynomial, "__post_init__", lambda self: None)
    assert played("kernel parameters", 400).counts["false proofs"] > 0


def test_a_sentence_that_promises_more_than_was_decided_is_caught(monkeypatch):
    """The tolerance is read from the text: a judge cannot keep another one for itself."""
    honest = Certificate.reason.fget
    lies = lambda self: honest(self).replace("within 0.0001", "within 1e-12")  # noqa: E731
    monkeypatch.setattr(Certificate, "reason", property(lies))
    assert played("svm solvers", 60).counts["false proofs"] > 0


def test_a_judge_that_says_nothing_of_rounded_decisions_is_caught(monkeypatch):
    X, y = np.array([[-2.3e-10], [4.7e-10]]), np.array([-1.0, 1.0])
    data, kernel = draw.Examples(X, y, "tiny", False), Polynomial(1)
    machine, honest, silent = svm.train(X, y, 2.7e18, kernel), Ledger("a"), Ledger("b")
    machines.judge(honest, "honest", machine, kernel, data, 2.7e18)
    monkeypatch.setattr(Certificate, "_rounding_in_words", "")
    machines.judge(silent, "silent", machine, kernel, data, 2.7e18)
    assert honest.forbidden == 0 and silent.counts["false proofs"] == 2


def test_a_judge_that_is_silent_about_signs_that_it_did_not_prove_is_caught(monkeypatch):
    """Here f is b at both examples; "off by up to 2e-05" does not say that signs are wrong."""
    X, y, kernel = np.full((2, 1), 121621.89572777), np.array([1.0, -1.0]), Polynomial(1)
    monkeypatch.setattr(svm.SVMachine, "decision", lambda self, X: np.full(len(X), 1e-17))
    machine = replace(svm.train(X, y, 0.66, kernel), b=-2e-6).rejudge()
    data, honest, silent = draw.Examples(X, y, "far", False), Ledger("a"), Ledger("b")
    said = machine.certificate
    assert said.holds and said.flips < said.doubts == 2
    machines.judge(honest, "honest", machine, kernel, data, 0.66)
    lie = with_fields(machine, certificate=with_fields(said, doubts=said.flips))
    machines.judge(silent, "silent", lie, kernel, data, 0.66)
    assert honest.forbidden == 0 and silent.counts["false proofs"] == 1


def test_a_judge_that_tells_of_a_wrong_sign_where_there_is_none_is_caught():
    X, y = np.array([[-2.3e-10], [4.7e-10]]), np.array([-1.0, 1.0])
    data, kernel, ledger = draw.Examples(X, y, "tiny", False), Polynomial(1), Ledger("a")
    machine = svm.train(X, y, 2.7e18, kernel)
    told = with_fields(machine.certificate, flips=2, doubts=2)
    lie = with_fields(machine, certificate=told)
    machines.judge(ledger, "lie", lie, kernel, data, 2.7e18)
    assert ledger.counts["false proofs"] == 1


def test_a_rejudge_that_believes_is_caught(monkeypatch):
    monkeypatch.setattr(svm.SVMachine, "rejudge", lambda self, **_: believed(self))
    assert played("svm solvers", 80).counts["false proofs"] > 0


def believed(machine):
    """Return the machine as it is, with the proof of another."""
    alpha = svm.train([[1.0], [-1.0]], [1, -1]).certificate
    return with_fields(machine, certificate=alpha)


def test_a_level_that_is_printed_too_low_is_caught(monkeypatch):
    honest = psd.PSDCertificate.__str__
    digits = lambda self: re.sub(r"K \+ \S+ diag", "K + 0.0 diag", honest(self))  # noqa: E731
    monkeypatch.setattr(psd.PSDCertificate, "__str__", digits)
    assert played("psd", 200).counts["false proofs"] > 0


def careless_softmax(X, codes, C, P, l2, *, offset):
    """Return the bound as floats have it: 1 - p loses what is below 1e-16, and no rounding counts.

    That was 11 % above the best where all but 1e-16 goes to the right class.
    """
    P = P / P.sum(axis=1, keepdims=True)
    V = (C[:, None] * (np.eye(P.shape[1])[codes] - P)).T @ X
    entropy = -(C[:, None] * P * np.log(np.maximum(P, 1e-300))).sum()
    return Enclosure(float(entropy - (V * V).sum() / (2 * l2)))


def test_a_softmax_bound_that_counts_no_rounding_is_caught(monkeypatch):
    monkeypatch.setattr(model_judge, "softmax_below", careless_softmax)
    assert played("several logistic", 40).counts["false proofs"] > 0


#: The subjects that restate what a class says; a subject of the same name has its fields changed.
SPOKEN_OF = {
    "AreaCertificate": "metrics", "PrecisionCertificate": "metrics",
    "AveragedRun": "perceptron", "PerceptronRun": "perceptron", "VotedRun": "perceptron",
    "RunWithHistory": "perceptron",
    "KernelRun": "kernel mistake bound", "MistakeBound": "mistake bound",
    "ProofLine": "mistake bound", "MixingRun": "mixing", "MixingBound": "mixing",
    "BlockMachine": "blocks", "Certificate": "svm certificate",
    "SVMachine": "svm solvers", "LinearMachine": "linear", "SVRMachine": "svr",
    "SVRCertificate": "svr certificate", "RidgeFit": "ridge", "RidgeCertificate":
    "ridge certificate", "PCACertificate": "pca certificate", "KMeansFit": "kmeans",
    "KMeansCertificate": "kmeans", "PSDCertificate": "psd", "PSDLevel": "psd",
    "MaxMargin": "max_margin", "MarginProof": "max_margin", "Shattering": "shatters",
    "Radon": "radon", "SmallestBall": "smallest ball", "SignAverage": "random signs",
    "OneVsRest": "several classes", "OneVsOne": "several classes", "Grid": "path",
    "StructuredBound": "structured bound",
    "StructuredRun": "structured bound", "StructuralSVM": "structural svm",
    "StructuralCertificate": "structural svm", "ProofCheck": "theorems",
    "ProofAnswer": "theorems", "TrialOutcome": "theorems", "Judgement": "models",
}  # fmt: skip


def test_whoever_says_something_of_itself_has_a_subject():
    bases = {"Proof", "SelfJudged", "InLines"}
    said = {
        name
        for name, kind in speakers().items()
        if not issubclass(kind, Kernel) and not hasattr(kind, "get_params")
    }
    assert said - bases == SPOKEN_OF.keys()
    assert set(SPOKEN_OF.values()) <= SUBJECTS.keys()
