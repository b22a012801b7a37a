"""The rows of the table: the data, ours, the peers, and what is compared besides time."""

import importlib.util
import warnings
from collections.abc import Callable

import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.linear_model import Perceptron
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC, LinearSVC

from benchmarks.runner import Case, Row, Side
from lectures_lib import estimators, fast, kernels, perceptron, selection, svm
from lectures_lib.fast.problems import quick_problem

warnings.simplefilter("ignore")  # a peer that stops at its limit says so; its objective shows it
TOL = 1e-3


def has(module: str) -> bool:
    """Say whether a peer is installed (extra `bench`)."""
    return importlib.util.find_spec(module) is not None


def directed(n: int, d: int, noise: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Return Gaussian examples whose labels follow a direction, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    score = X @ rng.normal(size=d)
    return X, np.where(score + noise * rng.normal(size=n) > 0, 1.0, -1.0)


def blobs(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two Gaussians that overlap."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(n, d))
    X[:, :4] += 0.75 * y[:, None]
    return X, y


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Return 8 x 8 images of digits, even against odd."""
    X, digit = load_digits(return_X_y=True)
    return X / 16, np.where(digit % 2 == 0, 1.0, -1.0)


# --- perceptrons ---------------------------------------------------------------------------------


def accuracy(w: np.ndarray, X: np.ndarray, y: np.ndarray, b: float = 0.0) -> float:
    """Return the share of examples on their side."""
    return float(np.mean(np.sign(X @ w + b) == y))


def ten_passes() -> Case:
    """Ten passes in random order over 200,000 x 50."""
    X, y = directed(200_000, 50)
    theirs = Perceptron(max_iter=10, tol=None, fit_intercept=False, random_state=0)
    return Case(
        Side(
            lambda: fast.perceptron(X, y, max_epochs=10, rng=0),
            lambda run: accuracy(run.w, X, y),
        ),
        {"scikit-learn Perceptron": Side(lambda: theirs.fit(X, y), lambda p: p.score(X, y))},
        "accuracy",
    )


def averaged() -> Case:
    """The averaged perceptron beside our plain one, ten passes each."""
    X, y = directed(200_000, 50)
    plain = Side(
        lambda: fast.perceptron(X, y, max_epochs=10, rng=0),
        lambda run: accuracy(run.w, X, y),
    )
    ours = Side(
        lambda: perceptron.averaged_perceptron(X, y, epochs=10, rng=0),
        lambda run: accuracy(run.w, X, y),
    )
    return Case(ours, {"our plain perceptron": plain}, "accuracy")


def default_perceptron(n: int, d: int) -> Callable[[], Case]:
    """Both estimators with their defaults."""

    def case() -> Case:
        X, y = directed(n, d)
        ours, theirs = estimators.Perceptron(), Perceptron()
        return Case(
            Side(lambda: ours.fit(X, y), lambda p: p.score(X, y)),
            {"scikit-learn Perceptron": Side(lambda: theirs.fit(X, y), lambda p: p.score(X, y))},
            "accuracy",
        )

    return case


# --- kernels -------------------------------------------------------------------------------------


def gram() -> Case:
    """The Gaussian Gram matrix of 10,000 x 50."""
    X = np.random.default_rng(0).normal(size=(10_000, 50))
    kernel = kernels.Gaussian(5.0)
    return Case(
        Side(lambda: kernel.gram(X, X), lambda K: K.mean()),
        {"rbf_kernel": Side(lambda: rbf_kernel(X, gamma=0.02), lambda K: K.mean())},
        "mean entry",
    )


def dual_value(kernel: kernels.Kernel, X: np.ndarray, svc: SVC) -> float:
    """Return sum alpha - half norm(w)^2 of a trained SVC, in tiles."""
    beta, s = np.asarray(svc.dual_coef_)[0], svc.support_
    return float(np.abs(beta).sum() - 0.5 * beta @ kernels.product(kernel, X[s], X[s], beta))


def gaussian_svm(data: Callable[[], tuple], sigma: float, C: float) -> Callable[[], Case]:
    """A Gaussian SVM through the estimators, kernel and proof included."""

    def case() -> Case:
        X, y = data()
        kernel, form = kernels.Gaussian(sigma), {"C": C, "gamma": 0.5 / sigma**2, "tol": TOL}
        ours, svc = estimators.SVM(C, sigma=sigma, tol=TOL), SVC(**form, cache_size=2000)
        peers = {"SVC, 2 GB": Side(lambda: svc.fit(X, y), lambda s: dual_value(kernel, X, s))}
        if has("sklearnex"):
            from sklearnex.svm import SVC as Intel

            intel = Intel(**form, cache_size=2000)
            peers["intelex SVC"] = Side(lambda: intel.fit(X, y), lambda s: dual_value(kernel, X, s))
        mine = Side(lambda: ours.fit(X, y), lambda e: e.machine_.certificate.dual)
        return Case(mine, peers, "dual objective (higher is better)")

    return case


def grid(data: Callable[[], tuple], centre: float) -> Callable[[], Case]:
    """Six C, six widths, five folds."""

    def case() -> Case:
        X, y = data()
        Cs = np.geomspace(0.1, 100, 6)
        sigmas = centre * np.geomspace(0.25, 4, 6)
        searched = GridSearchCV(
            SVC(tol=TOL, cache_size=500),
            {"C": Cs, "gamma": 0.5 / sigmas**2},
            cv=StratifiedKFold(5, shuffle=True, random_state=0),
            n_jobs=2,
            refit=False,
        )
        options = {"k": 5, "tol": TOL, "progress": False}
        ours = [kernels.Gaussian(s) for s in sigmas]
        return Case(
            Side(
                lambda: selection.grid(X, y, Cs, ours, **options),
                lambda g: 1 - g.errors.mean(axis=-1).min(),
            ),
            {"GridSearchCV(SVC), n_jobs = 2": Side(
                lambda: searched.fit(X, y), lambda s: s.best_score_
            )},
            "best accuracy",
        )  # fmt: skip

    return case


# --- linear --------------------------------------------------------------------------------------


def hinge_objective(w: np.ndarray, b: float, X, y: np.ndarray, C: float) -> float:
    """Return half norm(w, b)^2 + C sum of slacks."""
    slack = np.maximum(0.0, 1.0 - y * (X @ w + b))
    return float(0.5 * (w @ w + b * b) + C * slack.sum())


def linear_svm(data: Callable[[], tuple], C: float) -> Callable[[], Case]:
    """The linear hinge at the same objective within 1e-3, the offset penalised by all."""

    def case() -> Case:
        X, y = data()

        def of_sklearn(s) -> float:
            return hinge_objective(np.ravel(s.coef_), float(np.ravel(s.intercept_)[0]), X, y, C)

        found = fast.linear(X, y, C, constant=1.0, tol=TOL)
        goal = found.primal * (1 + TOL)
        svc = _loosest(lambda tol: LinearSVC(C=C, loss="hinge", tol=tol, max_iter=20_000,
                                             random_state=0), of_sklearn, goal, X, y)  # fmt: skip
        peers = {"LinearSVC": Side(lambda: svc.fit(X, y), of_sklearn)}
        if has("snapml") and not sparse.issparse(X):
            from snapml import SupportVectorMachine

            snap = _loosest(lambda tol: SupportVectorMachine(
                loss="hinge", regularizer=1 / C, tol=tol, max_iter=20_000, n_jobs=2,
                fit_intercept=True, random_state=0), of_sklearn, goal, X, y)  # fmt: skip
            peers["snapml"] = Side(lambda: snap.fit(X, y), of_sklearn)
        if has("liblinear"):
            peers["liblinear"] = _liblinear(X, y, C, goal)
        mine = Side(lambda: fast.linear(X, y, C, constant=1.0, tol=TOL), lambda run: run.primal)
        return Case(mine, peers, "objective (lower is better)")

    return case


def _liblinear(X, y: np.ndarray, C: float, goal: float) -> Side:
    """Return liblinear itself, on data in its own form; that form takes no part of its time."""
    from liblinear.liblinearutil import problem, train

    told = problem(y, X)

    def value(model) -> float:
        w, b = model.get_decfun()
        return hinge_objective(np.array(w), float(b), X, y, C)

    for tol in 10.0 ** -np.arange(0, 9.1, 0.5):
        options = f"-s 3 -c {C} -B 1 -e {tol:g} -q"
        if value(train(told, options)) <= goal:
            break
    return Side(lambda: train(told, options), value)


def _loosest(make: Callable, value: Callable, goal: float, X, y):
    """Return the peer with the loosest tolerance that reaches the objective, or the tightest."""
    for tol in 10.0 ** -np.arange(0, 9.1, 0.5):
        peer = make(float(tol))
        if value(peer.fit(X, y)) <= goal:
            break
    return peer


def one_hot(n: int, questions: int = 14, answers: int = 9) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return answers to questions, one column for each possible answer: sparse, few features."""
    rng = np.random.default_rng(0)
    chosen = rng.integers(answers, size=(n, questions)) + answers * np.arange(questions)
    weights = rng.normal(size=answers * questions)
    score = weights[chosen].sum(axis=1) + rng.normal(size=n)
    start = questions * np.arange(n + 1)
    table = (np.ones(n * questions), chosen.ravel(), start)
    X = sparse.csr_matrix(table, shape=(n, answers * questions))
    return X, np.where(score > np.median(score), 1.0, -1.0)


# --- programs, structures, large -----------------------------------------------------------------


def dual_program() -> Case:
    """The dual as a quadratic program by cvxopt, n = 2,000."""
    import cvxopt

    X, y = blobs(2_000, 10)
    kernel, C, n = kernels.Gaussian(3.0), 1.0, 2_000

    def stacked() -> float:
        Q = np.outer(y, y) * kernel(X)
        G, h = np.vstack([-np.eye(n), np.eye(n)]), np.concatenate([np.zeros(n), np.full(n, C)])
        told = (Q, -np.ones(n), G, h, y[None, :], np.zeros(1))
        options = {"show_progress": False}
        answer = cvxopt.solvers.qp(*map(cvxopt.matrix, told), options=options)
        return -float(answer["primal objective"])

    mine = Side(lambda: svm.dual(X, y, C, kernel, engine="cvxopt"), lambda m: m.certificate.dual)
    peer = {"cvxopt with stacked identities": Side(stacked, float)}
    return Case(mine, peer, "dual objective")


def letters() -> Case:
    """The averaged structured perceptron on handwritten words, fold 1, tested on the others."""
    from benchmarks import letters as words

    ((train, test),) = words.fold_one()
    step = next(s for s in words.STEPS if s.name == "chain, pixels")
    table = step.features()

    def right(said) -> float:
        truth = np.concatenate([words.LETTERS.y[i] for i in test])
        return float(np.mean(said[0] == truth))

    if words.pycrfsuite is None:
        raise SystemExit("python-crfsuite is not installed: the extra bench has it")
    return Case(
        Side(lambda: words.tagged(step, table, train, test), right, lambda said: said[1]),
        {"python-crfsuite ap": Side(
            lambda: words.crfsuite(train, test), right, lambda said: said[1]
        )},
        "letters right",
    )  # fmt: skip


def proof(n: int) -> Callable[[], Case]:
    """The judge (ours) beside the training that it judges (the peer)."""

    def case() -> Case:
        X, y = blobs(n, 20)
        kernel = kernels.Gaussian(3.0)
        machine = fast.svm(X, y, 1.0, kernel, tol=TOL)
        problem = quick_problem(X, y, 1.0, kernel, tol=TOL, in_tiles=True)
        judge = Side(
            lambda: problem.certificate(machine.alpha, machine.b),
            lambda c: c.relative_gap,
        )

        told = {"tol": TOL, "gap": 0.9 * TOL, "single": True}  # as `fast.svm` asks
        train = Side(lambda: fast.smo(kernel, X, y, 1.0, **told), lambda r: r.violation)
        return Case(judge, {"its training": train}, "gap; violation")

    return case


def rows() -> list[Row]:
    """Return all rows."""
    five, ten = (lambda: blobs(5_000, 20)), (lambda: blobs(10_000, 50))
    wanted = {"SVC, 2 GB": 2.0, "intelex SVC": 1.2}
    svms = [
        Row(f"svm-{name}-C{C}", f"Gaussian SVM, {size}, C = {C}", wanted,
            gaussian_svm(data, sigma, C), repeats, full)
        for name, size, data, sigma, repeats in (
            ("digits", "1,797 x 64", digits, 2.0, 9),
            ("5000", "5,000 x 20", five, 3.0, 5),
            ("10000", "10,000 x 50", ten, 5.0, 3),
        )
        for C, full in ((1, False), (100, False))
    ]  # fmt: skip
    level = {"scikit-learn Perceptron": 1.0}
    kept = {"LinearSVC": 1.0, "snapml": 1.0, "liblinear": 1.0}
    some, few = (lambda: one_hot(3_000)), (lambda: one_hot(10_000))
    return [
        Row("gram", "Gaussian Gram, 10,000 x 50", {"rbf_kernel": 2.0}, gram),
        Row("perceptron", "perceptron, 10 passes, 200,000 x 50",
            {"scikit-learn Perceptron": 1.5}, ten_passes),
        Row("averaged", "averaged perceptron, the same", {"our plain perceptron": 1 / 1.3},
            averaged),
        Row("perceptron-20000", "Perceptron, defaults, 20,000 x 50", level,
            default_perceptron(20_000, 50), 15),
        Row("perceptron-5000", "Perceptron, defaults, 5,000 x 20", level,
            default_perceptron(5_000, 20), 25),
        *svms,
        Row("grid", "6 x 6 grid, 5 folds, 1,000 x 20", {"GridSearchCV(SVC), n_jobs = 2": 5.0},
            grid(lambda: blobs(1_000, 20), 3.0), 7),
        Row("grid-digits", "the same, digits", {"GridSearchCV(SVC), n_jobs = 2": 5.0},
            grid(digits, 2.0), 7),
        Row("linear-100000", "linear hinge, 100,000 x 20, C = 1", kept,
            linear_svm(lambda: directed(100_000, 20), 1.0), 3),
        Row("linear-20000", "linear hinge, 20,000 x 50, C = 1", kept,
            linear_svm(lambda: directed(20_000, 50), 1.0), 5),
        Row("sparse-3000", "linear hinge, one-hot 3,000 x 126, C = 1", kept, linear_svm(some, 1.0)),
        Row("sparse-10000", "the same, 10,000 x 126", kept, linear_svm(few, 1.0)),
        Row("qp", "dual QP, n = 2,000, cvxopt", {"cvxopt with stacked identities": 5.0},
            dual_program, 3),
        Row("letters", "averaged structured perceptron, letters, training alone",
            {"python-crfsuite ap": 2.5}, letters, 3),
        Row("proof-2000", "the judge of a Gaussian SVM, n = 2,000", {"its training": 1 / 0.3},
            proof(2_000)),
        Row("proof-10000", "the judge of a Gaussian SVM, n = 10,000", {"its training": 1 / 0.3},
            proof(10_000), 3),
    ]  # fmt: skip
