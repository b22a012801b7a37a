"""A right call of every public function: what the mutants spoil one argument of."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from sklearn.linear_model import Ridge

from lectures_lib import (
    bounds,
    branches,
    certify,
    complexity,
    conventions,
    datasets,
    discrete,
    estimators,
    exercises,
    fast,
    features,
    kernel_methods,
    kernels,
    linear,
    losses,
    margins,
    metrics,
    multiclass,
    online,
    partitions,
    perceptron,
    plots,
    proof,
    qp,
    selection,
    smo,
    svm,
    theorems,
    widgets,
)
from lectures_lib import structured as st

#: Loops as they stand on a slide. They are compiled, and take what the function that calls them
#: has checked: a check in every step would hide the step.
LOOPS = {
    "conventions.dot",
    "discrete.one_letter_more",
    "fast.lloyd",
    "kernel_methods.lloyd",
    "kernel_methods.plus_plus",
    "kernel_methods.to_means",
    "linear.descent_pass",
    "linear.pegasos_steps",
    "margins.least_norm_point",
    "partitions.block_pass",
    "perceptron.averaged_pass",
    "perceptron.one_pass",
    "perceptron.voted_pass",
    "smo.examine",
    "smo.partner",
    "smo.platt_loop",
    "smo.take_step",
}
#: These take no argument that could be wrong.
WITHOUT = {
    "exercises.last",
    "exercises.progress",
    "datasets.lecture_example",
    "datasets.letters",
    "datasets.offset_example",
    "datasets.xor",
    "losses.logistic",
    "losses.perceptron_loss",
    "structured.greedy_example",
}


@dataclass(frozen=True)
class Call:
    """One right call: keyword arguments, and `fixed` ones that are not spoilt."""

    name: str
    function: Callable
    right: dict[str, object]
    fixed: dict[str, object] = field(default_factory=dict)


_RNG = np.random.default_rng(20261117)
Y = np.array([1.0, -1.0] * 6)
X = _RNG.normal(size=(12, 2)) + 1.5 * Y[:, None]
SEPARABLE = np.round(X, 3) + 3.0 * Y[:, None]
NEW = _RNG.normal(size=(5, 2))
GAUSS = kernels.Gaussian(1.0)
K = GAUSS.gram(X, X)
TARGETS = X @ np.array([1.0, -2.0]) + 0.1 * np.sin(np.arange(12))
CLASSES = np.array([0, 1, 2] * 4)
SCORES = np.linspace(-1, 2, 12) + 0.3 * Y
CHANCES = np.linspace(0.05, 0.95, 12)
LABELLINGS = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [-1, -1, 1, 1], [-1, 1, -1, 1]])
E, P = np.arange(6.0).reshape(3, 2), np.array([[1.0, 0.0], [0.5, -1.0]])
V, BACK = st.forward(E, P)
CHAIN = st.Chain(2, 3)
CHAIN_X = [np.eye(3)[:2], np.eye(3), np.ones((2, 3))]
CHAIN_Y = [(0, 1), (1, 0, 1), (1, 1)]
GRAMMAR = st.Grammar("S -> N V\nN -> 'dogs' | 'cats'\nV -> 'bark' | 'run'")
TREE = ("S", ("N", "dogs"), ("V", "bark"))


@cache
def run():
    """Return a run of the perceptron on data that a line through 0 separates."""
    return perceptron.perceptron(SEPARABLE, Y)


@cache
def kernel_run():
    """Return the same with a kernel."""
    return perceptron.kernel_perceptron(X, Y, GAUSS)


@cache
def structured_run():
    """Return a run on three short sequences."""
    return st.structured_perceptron(CHAIN, CHAIN_X, CHAIN_Y)


@cache
def curve():
    """Return a ROC curve."""
    return metrics.roc(Y, SCORES)


@cache
def calls() -> tuple[Call, ...]:
    """Return all calls, in the order of the rooms."""
    groups = (_grounds, _engines, _learners, _structures, _results, _in_parts, _shells, _pictures)
    groups += (_judged_models,)
    return tuple(call for group in groups for call in group())


def call(function: Callable, /, *, fixed: dict | None = None, name: str = "", **right) -> Call:
    """Return a call under the name by which a notebook calls it."""
    room = function.__module__.split(".")[1] if not name else ""
    return Call(name or f"{room}.{function.__name__}", function, right, fixed or {})


def _grounds():
    c, f, k, m = conventions, features, kernels, metrics
    yield call(c.check_points, X=X)
    yield call(c.check_vector, v=X[0], fixed={"size": 2})
    yield call(c.check_labels, y=Y, fixed={"n": 12})
    yield call(c.check_examples, X=X, y=Y)
    yield call(c.check_targets, y=TARGETS, fixed={"n": 12})
    yield call(c.check_count, value=3, fixed={"name": "n"})
    yield call(c.check_positive, value=0.5, fixed={"name": "sigma"})
    yield call(c.sign, f=SCORES, tie="mistake")
    yield call(c.is_mistake, f=SCORES, y=Y, tie="mistake")
    yield call(c.add_constant, X=X)
    yield call(c.orders, n=12, order=np.arange(12))
    yield call(c.orders, n=12, rng=0)
    yield call(datasets.separable, n=8, d=2, gamma=0.1, R=1.0, rng=0)
    yield call(datasets.noisy, n=8, d=2, gamma=0.1, flips=0.1, rng=0)
    yield call(datasets.orthogonal, m=4, R=1.0)
    yield call(datasets.branch_trace, n=9, rule="and", history=3, rng=0)
    yield call(datasets.digits, positive=3, negative=8, groups=True)
    yield call(datasets.sheets, digit=datasets.digits()[1])
    yield call(datasets.iris, positive="setosa", negative="virginica")
    for mapping in (f.square_map_3, f.square_map_4, f.second_order_map):
        yield call(mapping, X=X)
    yield call(f.polynomial_map, X=X, degree=2, one=True)
    yield call(f.count_monomials, n=3, d=2)
    yield call(f.count_up_to, d=3, p=2)
    yield call(f.gaussian_map, X=X, sigma=1.0, degree=3)
    yield call(f.random_fourier, X=X, sigma=1.0, D=6, rng=0)
    yield call(f.region_map, X=X)
    yield call(k.Gaussian, sigma=1.0, name="kernels.Gaussian")
    yield call(k.Laplace, sigma=1.0, name="kernels.Laplace")
    yield call(k.Polynomial, degree=2, one=True, name="kernels.Polynomial")
    yield call(k.Constant, c=1.0, name="kernels.Constant")
    yield call(GAUSS.__call__, X=X, Z=NEW, name="kernels.Gaussian()")
    yield call(k.Polynomial(2).__call__, X=X, Z=NEW, name="kernels.Polynomial()")
    yield call(k.blocks, kernel=GAUSS, X=X, Z=NEW, memory=1e6)
    yield call(k.centre_of, kernel=k.Linear(), X=X)
    yield call(k.centred, K=K)
    yield call(k.check_kernel, kernel=GAUSS)
    yield call(k.checked_gram, kernel=GAUSS, X=X)
    yield call(k.distances, kernel=GAUSS, X=X, Z=NEW)
    yield call(k.embed, K=K)
    yield call(k.norms, kernel=GAUSS, X=X)
    yield call(k.product, kernel=GAUSS, X=X, Z=NEW, coefficients=NEW[:, 0])
    yield call(k.psd_certificate, K=K, tol=1e-9)
    yield call(k.refute, kernel=GAUSS, d=2, tries=3, rng=0)
    yield call(k.rounding_at, kernel=k.Linear(), X=X, centre=X[0])
    yield call(k.squared_distances, X=X, Z=NEW)
    yield call(losses.hinge, h=1.0)
    yield call(losses.zero_one, t=SCORES)
    for mean in (losses.mean_loss, losses.mean_subgradient):
        yield call(mean, w=X[0], X=X, y=Y, loss=losses.hinge())
    yield call(losses.batch_descent, X=X, y=Y, loss=losses.hinge(), steps=3, step_size=0.1)
    yield call(losses.online_descent, X=X, y=Y, loss=losses.hinge(), epochs=2, step_size=0.1)
    yield call(margins.margin, w=X[0], x=X[1], y=1.0, b=0.0)
    yield call(margins.set_margin, w=X[0], X=X, y=Y, b=0.0)
    yield call(margins.max_margin, X=SEPARABLE, y=Y, offset=True, known_to=0.0)
    yield call(m.area_certificate, y=Y, scores=SCORES, area=curve().area)
    for measure in (m.average_precision, m.pr_curve, m.roc, m.sweep):
        yield call(measure, y=Y, scores=SCORES, positive=1)
    yield call(m.bayes_threshold, fp=1.0, fn=2.0)
    yield call(_bootstrap, name="metrics.bootstrap", statistic=np.mean, array=SCORES, rounds=20)
    yield call(m.calibration, y=Y, p=CHANCES, bins=4)
    yield call(m.clopper_pearson, successes=3, n=9, level=0.9)
    yield call(m.wilson, successes=3, n=9, level=0.9)
    yield call(m.confusion, y=Y, predicted=-Y, positive=1, zero_division=0.0)
    yield call(m.confusion_matrix, y=CLASSES, predicted=CLASSES[::-1].copy(), zero_division=0.0)
    yield call(m.cost_curve, curve=curve(), weights=np.array([0.2, 0.5]))
    yield call(m.costs, curve=curve(), fp=1.0, fn=2.0, share=0.5)
    yield call(m.coverage, interval=m.wilson, n=9, p=0.3, level=0.9)
    yield call(m.four_questions, share=0.2, zero_division=0.0)
    yield call(m.least_coverage, interval=m.wilson, n=9, level=0.9)
    yield call(m.mcnemar, y=Y, first=Y, second=-Y, groups=Y)
    yield call(m.precision_certificate, y=Y, scores=SCORES, average=m.average_precision(Y, SCORES))


def _bootstrap(statistic, array, **options):
    return metrics.bootstrap(statistic, array, **options)


def _engines():
    yield call(linear.C_from_penalty, penalty=0.1, n=12)
    yield call(linear.penalty_from_C, C=0.1, n=12)
    options = {"X": X, "y": Y, "C": 1.0, "constant": 1.0, "tol": 1e-3}
    for train in (linear.dual_coordinate_descent, fast.linear):
        yield call(train, **options, loss="hinge", max_epochs=20, rng=0)
    yield call(linear.pegasos, X=X, y=Y, penalty=0.1, steps=20, constant=1.0, rng=0)
    yield call(linear.pose, X=X, y=Y, C=1.0, loss="hinge", constant=1.0)
    box = {"lower": 0.0, "upper": 1.0}
    yield call(
        qp.solve, P=np.eye(2), q=-np.ones(2), A=np.ones((1, 2)), b=np.ones(1), tol=1e-6, **box
    )
    yield call(qp.solve, P=np.eye(2), q=-np.ones(2), G=np.eye(2), h=np.ones(2), engine="own")
    yield call(fast.kernel, k=GAUSS)
    yield call(fast.regression, X=X, y=TARGETS, kernel=GAUSS, C=1.0, epsilon=0.1)
    yield call(fast.smo, kernel=GAUSS, X=X, y=Y, C=1.0, tol=1e-3, memory=1e6, max_iterations=99)
    for solve in (smo.most_violating, smo.platt, smo.second_order):
        yield call(solve, K=K, y=Y, C=1.0, tol=1e-3, max_iterations=99)
    yield call(proof.psd_level, K=K)
    yield call(proof.exact_level, K=np.eye(3), eta=0.0)


def _learners():
    p, o = perceptron, online
    seen = {"X": X, "y": Y, "tie": "mistake", "rng": 0}
    yield call(p.perceptron, **seen, max_epochs=5, start=X[0])
    yield call(fast.perceptron, **seen, max_epochs=5, start=X[0], patience=2)
    yield call(fast.averaged_perceptron, **seen, epochs=2, start=X[0])
    yield call(p.averaged_perceptron, **seen, epochs=2)
    yield call(p.voted_perceptron, **seen, epochs=2, new_count=1)
    yield call(
        p.early_stopping, X=X, y=Y, X_held=X[:4], y_held=Y[:4], max_epochs=4, patience=2, rng=0
    )
    for train in (p.kernel_perceptron, p.kernel_perceptron_counts, p.kernel_perceptron_list):
        yield call(train, **seen, kernel=GAUSS, max_epochs=5)
    yield call(p.find_cycle, run=p.perceptron(datasets.xor()[0], datasets.xor()[1], max_epochs=9))
    yield call(p.layer, X=X, W=np.ones((2, 3)), tie="mistake")
    yield call(p.predict, w=X[0], X=X, tie="mistake")
    yield call(p.vote, run=p.voted_perceptron(X, Y), X=NEW, tie="mistake")
    yield call(o.play, learner=o.PerceptronLearner(2), adversary=o.FixedSequence(X, Y), rounds=5)
    yield call(o.PerceptronLearner, d=2, tie="positive")
    yield call(o.ConstantLearner, label=1.0)
    yield call(o.FixedSequence, X=X, y=Y)
    yield call(o.OrthogonalAdversary, R=1.0, gamma=0.4)
    options = {"X": X, "y": Y, "C": 1.0, "loss": "hinge", "tol": 1e-3}
    for train in (svm.train, fast.svm, svm.dual):
        yield call(train, **options, kernel=GAUSS)
    yield call(svm.primal, **options, offset=True, engine="own")
    yield call(svm.hard_margin, X=SEPARABLE, y=Y, offset=True)
    yield call(svm.pose, **options, kernel=GAUSS, offset=True)
    yield call(svm.with_known_margin, X=SEPARABLE, y=Y, gamma=0.1)
    yield call(svm.fewest_mistakes, X=X, y=Y, max_examples=20)
    alpha = svm.train(X, Y, 1.0, GAUSS).alpha
    yield call(svm.certificate, K=K, y=Y, C=1.0, alpha=alpha, b=0.1, loss="hinge", tol=1e-3)
    yield call(svm.best_offset, F=SCORES, y=Y, loss="hinge")
    yield call(svm.offset_interval, scores=SCORES, y=Y, C=1.0, alpha=alpha, loss="hinge")
    yield call(svm.dual_program, K=K, y=Y, C=1.0, offset=True)
    yield call(svm.general_primal_program, X=X, y=Y, C=1.0, loss="hinge", offset=True)
    yield call(svm.primal_program, X=X, y=Y, C=1.0)
    yield call(svm.largest_alpha, C=1.0, loss="hinge")
    yield call(svm.add_ridge, K=K, C=1.0)
    yield call(svm.train(X, Y, 1.0, GAUSS).predict, X=NEW, name="svm.SVMachine.predict")
    yield call(discrete.Spectrum, p=2)
    yield call(discrete.GapWeighted, p=2, decay=0.5)
    yield call(discrete.WeisfeilerLehman, rounds=2)
    yield call(discrete.RandomWalk, decay=0.1)
    yield call(discrete.Graph, labels=("a", "b"), edges=frozenset({(0, 1)}))
    yield call(discrete.Spectrum(2).__call__, X=["ab"], Z=["abc"], name="discrete.Spectrum()")
    sets = [{1, 2}, {2, 3}]
    yield call(discrete.Intersection().__call__, X=sets, Z=sets, name="discrete.Intersection()")
    graphs = [discrete.Graph(("a", "b"), frozenset({(0, 1)}))]
    yield call(
        discrete.WeisfeilerLehman(1).__call__,
        X=graphs,
        Z=graphs,
        name="discrete.WeisfeilerLehman()",
    )


def _structures():
    seen = {"problem": CHAIN, "X": CHAIN_X, "Y": CHAIN_Y}
    plain = {**seen, "step": 1.0, "price": 0.0, "rng": 0}
    yield call(st.structured_perceptron, **plain, max_epochs=4)
    yield call(st.averaged_structured_perceptron, **plain, epochs=2)
    yield call(fast.chain_perceptron, **plain, epochs=2, averaged=True)
    yield call(st.beam_perceptron, **seen, width=2, update="early", max_epochs=3, rng=0)
    yield call(st.structural_svm, **seen, C=1.0, tol=1e-2, max_epochs=9, rng=0)
    answer = st.structural_svm(CHAIN, CHAIN_X, CHAIN_Y)
    yield call(st.certify, **seen, C=1.0, theta=answer.theta, alpha=answer.alpha)
    theta = structured_run().theta
    yield call(st.collins_bound, **seen, run=structured_run(), u=theta)
    yield call(st.collins_hinge_bound, **seen, run=structured_run(), u=theta)
    yield call(st.radius, **seen)
    yield call(fast.tag, problem=CHAIN, theta=theta, X=CHAIN_X)
    yield call(fast.letter_scores, problem=CHAIN, theta=theta, rows=fast.rows_of(CHAIN_X))
    yield call(fast.rows_of, X=CHAIN_X, d=3)
    yield call(st.enumerate_argmax, problem=CHAIN, theta=theta, x=CHAIN_X[0])
    yield call(
        st.update_gain, problem=CHAIN, theta=theta, x=CHAIN_X[0], y=(0, 1), y_star=(1, 1), step=1.0
    )
    scored = {"E": E, "P": P}
    yield call(st.beam_search, **scored, width=2)
    yield call(st.best_word, **scored, words=st.WordList([(0, 1, 0), (1, 1, 1)]))
    yield call(st.chain_score, **scored, y=(0, 1, 1))
    yield call(st.enumerate_taggings, **scored)
    yield call(st.forward, **scored)
    yield call(st.soft_forward, **scored)
    yield call(st.marginals, **scored)
    yield call(st.follow, V=V, back=BACK)
    yield call(st.viterbi, **scored, forbidden=[(0, 1)])
    yield call(st.viterbi_k_best, **scored, k=2)
    yield call(st.from_dictionaries, sequence=[{"a": 1.0}], features=["a", "b"])
    yield call(st.WordList, words=[(0, 1), (1, 1)])
    yield call(st.Chain, tags=2, features=3)
    yield call(st.Classes, classes=(0, 1, 2), d=2)
    yield call(st.Grammar, text="S -> N V\nN -> 'dogs'\nV -> 'bark'", start="S")
    yield call(st.cky, grammar=GRAMMAR, words=["dogs", "bark"], worth=lambda r, i, j, k: 1.0)
    for of_tree in (st.bracketed, st.labelled_spans, st.leaves):
        yield call(of_tree, tree=TREE)
    yield call(st.uses, tree=TREE, i=0)


def _results():
    b, c, km = bounds, complexity, kernel_methods
    seen = {"run": run(), "X": SEPARABLE, "y": Y}
    u = margins.max_margin(SEPARABLE, Y, offset=False).w
    yield call(b.mistake_bound, **seen, u=u)
    yield call(b.hinge_mistake_bound, **seen, u=u)
    yield call(b.seven_lines, **seen, u=u)
    yield call(b.kernel_mistake_bound, run=kernel_run(), X=X, y=Y)
    tape = branches.Tape()
    yield call(branches.insertion_sort, values=[3.0, 1.0, 2.0], tape=tape)
    yield call(branches.binary_search, values=[1.0, 2.0, 3.0], x=2.0, tape=tape)
    yield call(branches.find_all, text="abab", pattern="ab", tape=tape)
    recorded = branches.Tape()
    branches.insertion_sort([3.0, 1.0, 2.0], recorded)
    yield call(branches.rounds, tape=recorded, h=2)
    for game in (branches.games, branches.mistakes):
        yield call(game, tape=recorded, h=2, make=online.PerceptronLearner)
    for learner in (branches.TwoBitCounter, branches.HistoryTable):
        yield call(learner, d=2)
    yield call(branches.HardwarePerceptron, d=2, threshold=3.0)
    yield call(c.directions, gamma=0.3, d=5)
    yield call(c.growth, n=5, d=2, offset=True)
    yield call(c.halves, labellings=LABELLINGS, y=LABELLINGS[0])
    yield call(c.hidden, n=6, m=2)
    yield call(c.hold, Z=X[:4])
    yield call(c.most_mistakes, n=50, h=3, delta=0.1)
    yield call(c.online_to_batch, mistakes=5, examples=50, delta=0.1)
    yield call(c.opposing_labels, X=X[:4])
    yield call(c.padded, X=X, y=Y, extra=2, sd=0.5, n=4, repeats=1, rng=0)
    yield call(c.radon, X=NEW, offset=True)
    yield call(c.random_signs, X=X[:4])
    few = {"gammas": (0.4,), "dimensions": (2,), "sizes": (5,)}
    yield call(c.sample_size, **few, learner="perceptron", repeats=1, tests=9, rng=0)
    yield call(c.sauer, n=6, h=2)
    yield call(c.shattered_subsets, labellings=LABELLINGS)
    yield call(c.shatters, X=X[:3], offset=True, gamma=0.0)
    yield call(c.simplex, d=3, offset=True)
    yield call(c.smallest_ball, X=X)
    yield call(c.spread, n=6, d=5, gamma=0.3, rng=0)
    yield call(c.unseen_error, gamma=0.3, d=5, n=6)
    yield call(c.vapnik_bound, X=X, rho=0.5, dimension=2)
    yield call(km.kernel_kmeans, X=X, kernel=GAUSS, k=2, restarts=2, rng=0, max_iterations=9)
    yield call(km.kernel_pca, X=X, kernel=GAUSS, components=2)
    yield call(km.kernel_ridge, X=X, y=TARGETS, kernel=GAUSS, penalty=0.1, offset=True)
    prices = np.linspace(0.5, 1.5, 12)
    yield call(km.weighted_kernel_ridge, X=X, y=TARGETS, weights=prices, kernel=GAUSS, penalty=0.1)
    yield call(km.support_vector_regression, X=X, y=TARGETS, kernel=GAUSS, C=1.0, epsilon=0.1)
    clusters = km.kernel_kmeans(X, GAUSS, 2)
    yield call(km.kmeans_certificate, K=K, labels=clusters.labels, objectives=clusters.objectives)
    values, vectors = np.linalg.eigh(kernels.centred(K))
    yield call(km.pca_certificate, K=kernels.centred(K), values=values[-2:], V=vectors[:, -2:])
    weights = np.linalg.solve(K + 0.1 * np.eye(12), TARGETS)
    yield call(km.ridge_certificate, K=K, y=TARGETS, penalty=0.1, alpha=weights, b=0.0)
    options = {"K": K, "y": TARGETS, "C": 1.0, "epsilon": 0.1}
    yield call(km.svr_certificate, **options, beta=np.zeros(12), b=0.0)
    yield call(km.svr_qp, **options)
    yield call(km.svr_smo, **options, tol=1e-3, max_iterations=99)
    yield call(km.tube_offset, r=TARGETS, epsilon=0.1)
    train = fast.linear
    yield call(multiclass.one_vs_rest, X=X, y=CLASSES, train=train)
    yield call(multiclass.one_vs_one, X=X, y=CLASSES, train=train, ties="lowest")
    yield call(multiclass.signed, positive=CLASSES > 0)
    seen = {"X": X, "y": Y, "k": 2, "rng": 0, "loss": "hinge", "tol": 1e-2}
    yield call(selection.cross_validate, **seen, C=1.0, kernel=GAUSS)
    for search in (selection.grid, selection.validation_curve):
        yield call(search, **seen, Cs=[1.0, 2.0], kernels=[GAUSS])
    yield call(selection.learning_curve, **seen, sizes=[4], C=1.0, kernel=GAUSS)
    yield call(selection.regularisation_path, X=X, y=Y, Cs=[0.5, 1.0], kernel=GAUSS, tol=1e-2)
    yield call(selection.folds, n=12, k=3, y=Y, rng=0)


def _shells():
    for name in estimators.__all__:
        shell = getattr(estimators, name)
        if name == "SequenceLabeller":
            made = {"epochs": 2, "order": 1, "price": 0.0, "random_state": 0}
            yield call(_fitted(shell), name=f"estimators.{name}", X=CHAIN_X, y=CHAIN_Y, **made)
            continue
        target = TARGETS if name in ("KernelRidge", "SupportVectorRegression") else Y
        right = {k: v for k, v in shell().get_params().items() if v is not None}
        yield call(_fitted(shell), name=f"estimators.{name}", X=X, y=target, **right)


def _judged_models():
    model = Ridge().fit(X, TARGETS)
    options = {"X": X, "y": TARGETS, "tol": 1e-3, "sample_weight": np.ones(12), "solve": True}
    yield call(certify.certify, model=model, **options)
    del options["solve"]
    yield call(certify.check, model=model, **options)
    w, options = np.zeros(X.shape[1]), {"epsilon": 0.1, "tol": 1e-3, "solve": True}
    yield call(certify.svm, w=w, b=0.0, X=X, y=Y, C=1.0, loss="hinge", offset="free", **options)
    answer = {"alpha": np.zeros(12), "b": 0.0, "K": K, "y": Y, "C": 1.0, "loss": "hinge"}
    yield call(certify.kernel_svm, **answer, **options)


def _in_parts():
    p, parts = partitions, [(SEPARABLE[:6], Y[:6]), (SEPARABLE[6:], Y[6:])]
    mixed = p.parameter_mixing(parts)
    yield call(p.split, X=X, y=Y, parts=3)
    yield call(p.save, parts=parts, fixed={"folder": tempfile.mkdtemp()})
    yield call(p.parameter_mixing, parts=parts, votes="equal", max_epochs=9, client=None)
    yield call(p.parameter_mixing_by_hand, parts=parts, votes="mistakes", max_epochs=5)
    yield call(p.mixing_bound, run=mixed, parts=parts, u=mixed.w)
    options = {"epochs": 2, "together": 2, "tol": 0.01, "max_iterations": 9}
    yield call(p.block_ascent, parts=parts, C=1.0, **options)
    alpha = p.block_ascent(parts).alpha
    yield call(p.block_certificate, parts=parts, C=1.0, alpha=alpha, w=mixed.w, tol=0.1)


def _fitted(shell):
    def fit(X, y, **parameters):
        return shell(**parameters).fit(X, y)

    return fit


def _pictures():
    pl, w = plots, widgets
    yield call(pl.addition, old=X[0], added=X[1])
    bound = bounds.mistake_bound(run(), SEPARABLE, Y)
    yield call(pl.cap, bound=bound, k=1)
    yield call(pl.proof, bound=bound)
    yield call(pl.curves, x=SCORES, ys={"a": SCORES}, xlabel="x", ylabel="y")
    judged = {"mine": certify.svm(np.zeros(2), 0.0, X, Y, 1.0)}
    yield call(pl.excess, judgements=judged, warned=["mine"])
    yield call(pl.figure, rows=1, columns=2, size=(2.0, 2.0))
    yield call(pl.handwriting, words=[np.eye(2, 128)], truth=["on"], readings={"one": ["on"]})
    yield call(pl.hulls, X=X, y=Y, answer=margins.max_margin(X, Y))
    yield call(pl.images, X=np.ones((2, 64)), titles=["a", "b"])
    yield call(pl.number, value=0.5, digits=3)
    yield call(pl.pair_weights, P=P, tags=["a", "b"])
    yield call(pl.points, X=X, y=Y, mark=[1])
    yield call(pl.regions, predict=lambda G: G[:, 0], grid=SCORES, ax=None)
    yield call(pl.separator, w=X[0], b=0.1, gamma=0.2)
    yield call(pl.step, run=run(), X=SEPARABLE, y=Y, k=1)
    yield call(pl.strip, run=run(), X=SEPARABLE, y=Y, most=2)
    yield call(pl.surface, J=K, w1=SCORES, w2=SCORES, path=NEW)
    yield call(pl.survival, run=perceptron.voted_perceptron(X, Y))
    yield call(pl.tree, parse=TREE)
    yield call(pl.trellis, E=E, P=P, tags=["a", "b"], inputs=["x", "y", "z"], upto=2)
    drawn = plots.figure()
    plots.say(drawn.axes[0], "An empty panel, drawn to be shown once.")
    yield call(pl.png, fig=drawn)
    yield call(pl.words, fig=drawn)
    yield call(pl.show, what=drawn)
    yield call(w.source, function=perceptron.perceptron)
    yield call(w.street, X=X, y=Y, C=1.0)
    yield call(w.addition, X=X, y=Y)
    yield call(w.duality, X=X, y=Y, C=1.0)
    yield call(w.fold, X=X, y=Y)
    yield call(w.hulls, X=X, y=Y)
    yield call(w.race, X=SEPARABLE, y=Y)
    yield call(w.shatter, X=X[:4], y=Y[:4])
    yield call(w.steps, X=X, y=Y, C=1.0)
    yield call(w.descent, X=X, y=Y, loss="hinge", step_size=0.5)
    yield call(w.gaussian, X=X, y=Y, C=1.0, sigma=1.0)
    yield call(w.gram, X=X[:4], function=3)
    yield call(w.voting, X=X, y=Y, epochs=1)
    yield call(w.threshold, y=Y, scores=SCORES, fp=1, fn=2)
    t = theorems
    yield call(t.check, theorem=t.MISTAKE_BOUND)
    yield call(exercises.question, exercise="above")
