"""Results cannot change: read-only arrays, and no proof for a changed copy. By introspection."""

import copy
import io
import pickle
from dataclasses import fields, replace

import joblib
import numpy as np
import pytest

from lectures_lib import (
    datasets,
    fast,
    kernel_methods,
    kernels,
    linear,
    margins,
    metrics,
    partitions,
    structured,
    svm,
)
from lectures_lib._result import (
    CARRIED,
    UNJUDGED,
    FrozenDict,
    NotJudged,
    Result,
    frozen,
    with_fields,
)
from lectures_lib.kernels import Kernel
from lectures_lib.proof.verdict import SelfJudged
from tools.fuzz import calls as fuzzed
from tools.fuzz.specimens import arrays, records, returned, speakers, specimens

#: A replay of a theorem on numbers never holds; a student's proof is answered in `exercises`.
OTHERS = {"TrialOutcome", "ProofAnswer"}
RESULTS = {name: kind for name, kind in speakers().items() if not issubclass(kind, Kernel)}


def positive(result) -> list[str]:
    """Return what a result says for itself that only a proof allows."""
    said = []
    for name in ("holds", "converged", "shattered", "stable", "valid"):
        if name != "shattered" and bool(np.all(getattr(result, name, False))):
            said.append(name)
    if getattr(result, "verdict", "") == "proved":
        said.append("verdict")
    return said


def other_value(value):
    """Return a value that is clearly another one, of the same type."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, float)):
        return type(value)(value + 7)
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        return value + 7
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        return ~value
    return None


def test_every_class_that_says_something_of_itself_is_a_result_and_has_a_specimen():
    missing = {name for name, kind in RESULTS.items() if not issubclass(kind, Result)}
    assert missing - estimator_names() == set()
    assert RESULTS.keys() - specimens().keys() - estimator_names() - OTHERS == bases()


def bases() -> set[str]:
    """Return the classes that only others are made of."""
    return {"Proof", "SelfJudged", "InLines"} & RESULTS.keys()


def estimator_names() -> set[str]:
    """Return scikit-learn's shells: what they say is what their machines say."""
    return {name for name, kind in RESULTS.items() if hasattr(kind, "get_params")}


def pickled(result):
    """Return what comes back from a file."""
    return pickle.loads(pickle.dumps(result))


def stored(result):
    """Return what joblib reads from a file that it wrote."""
    file = io.BytesIO()
    joblib.dump(result, file)
    file.seek(0)
    return joblib.load(file)


CHECKED = sorted(RESULTS.keys() - estimator_names() - OTHERS - bases())


@pytest.mark.parametrize("name", CHECKED)
def test_no_array_of_a_result_can_be_written_to(name):
    for result in specimens()[name]:
        for array in arrays(result):
            assert not array.flags.writeable
            if array.size:
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("copied", [lambda result: result, copy.deepcopy, pickled])
def test_no_flag_makes_an_array_of_a_result_writable_again(name, copied):
    for result in specimens()[name]:
        for array in arrays(copied(result)):
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.flags.writeable = True
            while isinstance(array, np.ndarray):  # nor has a base another one to write through
                assert not array.flags.writeable
                array = array.base


def test_what_a_machine_says_cannot_be_changed_through_its_flags():
    machine = trained()
    for array in (machine.alpha, machine.X, machine.y, machine.alpha[1:], machine.alpha.view()):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
    with pytest.raises(TypeError, match="read-only"):
        machine.alpha.base[0] = 1.0
    assert machine.alpha.dtype is np.dtype(float) and machine.alpha.copy().flags.writeable


def test_an_array_that_has_no_buffer_is_read_only_all_the_same():
    dates = frozen(np.array(["2026-11-18"], "datetime64[D]"))
    assert dates.dtype.kind == "M" and not dates.flags.writeable


def test_no_call_locks_its_arguments_or_keeps_them_by_reference():
    results = [(call, result) for call, result in returned() if isinstance(result, Result)]
    for call, result in results:
        kept = [array for array in arrays(result) if array.dtype != object]
        given = [v for v in call.right.values() if not isinstance(v, Result)]
        theirs = [array for array in arrays(given) if array.flags.writeable]
        assert not any(np.shares_memory(a, b) for a in theirs for b in kept), call.name
    assert len(results) > 60
    assert all(a.flags.writeable for a in arrays(list(vars(fuzzed).values())))


@pytest.mark.parametrize("name", CHECKED)
def test_a_changed_copy_says_nothing_that_only_a_proof_allows(name):
    for result in specimens()[name]:
        for f in fields(result):
            value = other_value(getattr(result, f.name))
            if f.name.startswith("_") or value is None:
                continue
            try:
                changed = replace(result, **{f.name: value})
            except TypeError as refusal:
                assert "no field of it can be changed" in str(refusal)
                continue
            if not isinstance(result, SelfJudged):
                assert positive(changed) == [], (name, f.name)


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled, stored])
def test_a_whole_copy_keeps_its_proof_and_stays_read_only(name, copied):
    for result in specimens()[name]:
        again = copied(result)
        assert positive(again) == positive(result) and str(again) == str(result)
        assert not isinstance(again, Result) or again.changed == result.changed
        assert not any(array.flags.writeable for array in arrays(again))


@pytest.mark.parametrize("name", sorted(RESULTS.keys() - estimator_names() - OTHERS))
def test_the_constructor_proves_nothing_whoevers_certificate_it_is_handed(name):
    """`SVMachine(..., alpha=0, b=99.0, certificate=machine.certificate)` is a claim, no proof."""
    for result in specimens().get(name, ()):
        known = {f.name: getattr(result, f.name) for f in fields(result) if f.name[0] != "_"}
        if not known.keys() & set(CARRIED):
            continue
        made = type(result)(**known)
        assert made.changed and positive(made) == [] and not np.any(getattr(made, "proved", False))
        assert positive(with_fields(result)) == positive(result)


def trained() -> svm.SVMachine:
    return svm.train(*datasets.xor(), 10.0, kernels.Gaussian(1.0))


def test_the_readmes_lie_is_caught_for_a_machine():
    machine = trained()
    assert machine.converged
    lie = replace(machine, alpha=0 * machine.alpha, b=99.0)
    assert not lie.converged and not lie.certificate.holds
    assert lie.message == lie.certificate.reason == str(lie.certificate) == UNJUDGED
    assert "undecided" in repr(lie)
    assert not replace(machine, certificate=machine.certificate).converged


def test_a_machine_for_which_none_exists_says_nothing_once_it_is_changed():
    X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    machine = svm.hard_margin(X, y)
    assert machine.converged and not machine.separable
    assert not replace(machine, y=-machine.y).converged


def test_who_asks_an_unjudged_copy_for_a_number_is_told_what_to_do():
    lie = replace(trained(), b=99.0)
    with pytest.raises(AttributeError, match=r"no 'primal': not judged"):
        lie.certificate.primal  # noqa: B018
    assert isinstance(pickle.loads(pickle.dumps(lie)).certificate, NotJudged)


def test_a_solver_may_keep_the_proof_where_it_knows_that_it_holds():
    machine = with_fields(trained(), iterations=7)
    assert machine.iterations == 7 and machine.converged and not machine.changed


def test_dictionaries_and_lists_of_results_are_frozen_too():
    safe = frozen({"a": [1.0, np.zeros(2)]})
    assert isinstance(safe, FrozenDict) and safe["a"][0] == 1.0
    assert not safe["a"][1].flags.writeable
    for change in (
        lambda d: d.update(a=1),
        lambda d: d.pop("a"),
        lambda d: d.__setitem__("a", 1),
        lambda d: d.__delitem__("a"),
    ):
        with pytest.raises(TypeError, match="cannot change"):
            change(safe)
    again = pickle.loads(pickle.dumps(safe))
    assert isinstance(again, FrozenDict) and list(again) == ["a"]


def test_a_view_is_locked_without_its_base():
    base = np.zeros(3)
    view = frozen(base[1:])
    assert not view.flags.writeable and base.flags.writeable


# --- rejudge: a changed copy is proved or refuted ---------------------------------------------

X, y = np.array([[0.0, 1.0], [2.0, 0.5], [3.0, 2.0], [0.5, 3.0], [1.0, 0.0]]), [-1, 1, 1, -1, -1]
T = np.array([1.0, 2.0, 4.0, 1.5, 2.5])
SCORES = [0.1, 0.9, 0.4, 0.5, 0.3]
GAUSSIAN = kernels.Gaussian(1.0)
MANY = np.random.default_rng(3).normal(
    size=(240, 3)
)  # beyond LANCZOS: few components are sought alone
STRUCTURED = structured.greedy_example()
PARTS = partitions.split(*datasets.noisy(60), 3)

#: An honest result, what `rejudge` needs, and lies about its answer; of each kind of result.
CLAIMS = {
    "SVMachine": [
        (svm.train(X, y, 2.0), {}, [{"alpha": np.zeros(5), "b": 99.0}, {"b": 0.3}]),
        (svm.train(X + 1e6, y, 2.0), {}, [{"b": 0.3}, {"y": np.array([1.0, 1, -1, 1, -1])}]),
        (svm.train(X, y, 2.0, GAUSSIAN, loss="squared_hinge"), {}, [{"b": 1.0}, {"C": 9.0}]),
        (svm.dual(X, y, 2.0, GAUSSIAN, offset=False), {"offset": False}, [{"b": 1.0}]),
        (svm.hard_margin(X, y), {}, [{"b": 9.0}, {"alpha": np.ones(5)}]),
    ],
    "SVRMachine": [
        (kernel_methods.support_vector_regression(X, T, 2.0), {}, [{"b": 9.0}, {"C": 1e-3}]),
        (
            kernel_methods.support_vector_regression(X, T + 1e9, 2.0, 0.1, GAUSSIAN),
            {},
            [{"b": 1.0}],
        ),
    ],
    "RidgeFit": [
        (kernel_methods.kernel_ridge(X, T, GAUSSIAN, 0.5), {"y": T}, [{"alpha": T}]),
        (
            kernel_methods.kernel_ridge(X + 100, T + 1e9, kernels.Linear(), 0.5, offset=True),
            {"y": T + 1e9, "offset": True},
            [{"b": 1.0}, {"penalty": 5.0}, {"alpha": T}],
        ),
        (
            kernel_methods.weighted_kernel_ridge(X, T, SCORES, GAUSSIAN, 0.5, offset=True),
            {"y": T, "offset": True, "weights": SCORES},
            [{"b": 1.0}],
        ),
    ],
    "PCAFit": [
        (kernel_methods.kernel_pca(x, GAUSSIAN, 2), {}, [{"values": np.ones(2)}]) for x in (X, MANY)
    ],
    "KMeansFit": [
        (
            kernel_methods.kernel_kmeans(X, kernels.Linear(), 2),
            {},
            [{"labels": np.array([0, 1, 0, 1, 0])}, {"objectives": np.array([9.0])}, {"k": 3}],
        )
    ],
    "LinearMachine": [
        (
            linear.dual_coordinate_descent(X, y, 2.0, constant=1.0),
            {"X": X, "y": y, "C": 2.0, "constant": 1.0},
            [{"w": np.zeros(2)}, {"b": 9.0}, {"alpha": np.full(5, -1.0)}],
        )
    ],
    "BlockMachine": [
        (partitions.block_ascent(PARTS), {"parts": PARTS}, [{"w": np.zeros(2)}, {"C": 9.0}])
    ],
    "MaxMargin": [
        (margins.max_margin(X, y, offset=True), {"X": X, "y": y, "offset": True}, [{"b": 9.0}]),
        (margins.max_margin(X, y, exact=True), {"X": X, "y": y}, [{"w": np.ones(2)}]),
    ],
    "StructuralSVM": [
        (
            structured.structural_svm(*STRUCTURED),
            dict(zip(("problem", "X", "Y"), STRUCTURED)),
            [{"theta": np.full(STRUCTURED[0].size, 9.0)}, {"C": 1e-3}],
        )
    ],
    "ROC": [(metrics.roc(y, SCORES), {"y": y, "scores": SCORES}, [{"area": 0.1}])],
    "PRCurve": [
        (metrics.pr_curve(y, SCORES), {"y": y, "scores": SCORES}, [{"average_precision": 0.1}])
    ],
}
#: Who has no `rejudge`, and why.
WITHOUT_REJUDGE = {
    "a certificate: it cannot be changed; its judge is called again": {
        "AreaCertificate", "Certificate", "Judgement", "KMeansCertificate", "MarginProof",
        "MistakeBound", "MixingBound", "PCACertificate", "PSDCertificate", "PSDLevel",
        "PrecisionCertificate", "ProofCheck", "ProofLine", "RidgeCertificate", "SVRCertificate",
        "StructuralCertificate", "StructuredBound",
    },
    "it holds its data, and its verdict is found whenever it is asked for": {
        "Radon", "Shattering", "SignAverage", "SmallestBall",
    },
    "a run of an online learner: `bounds` judges it as it is, changed or not": {
        "AveragedRun", "KernelRun", "MixingRun", "PerceptronRun", "RunWithHistory", "StructuredRun",
        "VotedRun",
    },
    "it is made of machines, each of which can be judged anew": {"OneVsOne", "OneVsRest", "Grid"},
}  # fmt: skip


def carriers() -> dict[str, type]:
    """Return all results that carry a certificate."""
    kinds = [kind for kind in records() if issubclass(kind, Result)]
    return {k.__name__: k for k in kinds if "certificate" in {f.name for f in fields(k)}}


def test_every_result_can_be_judged_anew_or_says_why_not():
    reasons = set().union(*WITHOUT_REJUDGE.values())
    assert carriers().keys() == CLAIMS.keys()
    assert all(callable(getattr(kind, "rejudge", None)) for kind in carriers().values())
    assert set(CHECKED) - CLAIMS.keys() == reasons
    assert not any(hasattr(RESULTS[name], "rejudge") for name in reasons)


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_rejudge_refutes_a_lie_and_proves_the_truth_again(name):
    for honest, data, lies in CLAIMS[name]:
        assert type(honest).__name__ == name and honest.certificate.holds
        for change in lies:
            lie = replace(honest, **change)
            assert lie.certificate.verdict == "undecided"
            judged = lie.rejudge(**data).certificate
            expected = ("refuted", "undecided") if name == "StructuralSVM" else ("refuted",)
            assert judged.verdict in expected, (change, str(judged))
            truth = {field: getattr(honest, field) for field in change}
            again = replace(lie, **truth).rejudge(**data)
            assert again.certificate.holds and not again.changed
            given = {f.name: getattr(lie, f.name) for f in fields(lie) if f.name[0] != "_"}
            built = type(lie)(**given | truth | {"certificate": honest.certificate})
            assert not built.certificate.holds and built.rejudge(**data).certificate.holds
            assert str(again.certificate) == str(honest.certificate)
            for f in fields(honest):
                assert same(getattr(again, f.name), getattr(honest, f.name)), f.name


def same(one, other) -> bool:
    """Return whether two fields are equal but for rounding, or of one kind if no numbers."""
    if isinstance(one, (np.ndarray, float, tuple)) and not isinstance(one, str):
        try:
            return np.allclose(np.asarray(one, float), np.asarray(other, float), rtol=1e-12)
        except (TypeError, ValueError):
            return type(one) is type(other)
    return type(one) is type(other)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("SVMachine", "b_interval", (-9.0, 9.0)),
        ("SVMachine", "b_centred", 9.0),
        ("SVMachine", "centre", np.zeros(2)),
        ("SVRMachine", "b_interval", (-9.0, 9.0)),
        ("SVRMachine", "b_centred", 9.0),
        ("PCAFit", "explained", np.ones(2)),
        ("PCAFit", "K", np.eye(5)),
        ("KMeansFit", "square_norms", np.ones(2)),
        ("LinearMachine", "xi", np.ones(5)),
        ("LinearMachine", "primal", -1.0),
        ("MaxMargin", "gamma", 99.0),
        ("MaxMargin", "dual", 0.0),
        ("ROC", "TP", np.zeros(6)),
        ("PRCurve", "precision", np.ones(5)),
    ],
)
def test_rejudge_finds_anew_what_follows_from_the_answer(name, field, value):
    honest, data, _ = CLAIMS[name][0]
    again = replace(honest, **{field: value}).rejudge(**data)
    assert again.certificate.holds
    found = getattr(again, field)
    if field in ("centre", "b_centred"):  # f is then counted from the origin
        assert found is None and np.allclose(again.predict(X), honest.predict(X))
    else:
        assert same(found, getattr(honest, field))


def test_a_proof_that_no_separator_exists_is_judged_anew_too():
    for kernel in (kernels.Linear(), GAUSSIAN):
        none = svm.dual([[0.0], [1.0], [0.0]], [1, -1, -1], np.inf, kernel)
        lie = replace(none, y=np.array([1.0, -1.0, 1.0]), X=np.array([[0.0], [1.0], [2.0]]))
        assert none.converged and not lie.converged
        assert replace(none, order=1).rejudge().converged
        assert lie.rejudge().converged is False


def test_many_examples_are_judged_anew_without_their_whole_gram_matrix():
    Z, labels = datasets.noisy(1500)
    machine = fast.svm(Z, labels, 1.0, kernels.Gaussian(0.5))
    again = replace(machine, iterations=0).rejudge(tol=1e-3)
    assert again.certificate.holds
    assert not replace(machine, b=9.0).rejudge().converged
