"""Large programs, boxes, and what each engine does where the other cannot."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from lectures_lib import qp
from tests.qp.test_qp import ENGINES, engines, solve
from tests.strategies import seeds


def chain(n):
    """A sparse P: neighbours should be alike."""
    return sparse.diags(
        [np.full(n, 2.0), np.full(n - 1, -1.0), np.full(n - 1, -1.0)], offsets=[0, 1, -1]
    )


@pytest.fixture
def no_identity(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a dense identity is built")

    for name in ("eye", "identity"):
        monkeypatch.setattr(np, name, refuse)


def test_a_large_sparse_program_with_bounds_needs_little_memory(no_identity):
    n = 3000
    tracemalloc.start()
    answer = qp.solve(chain(n), -np.ones(n) / n, lower=0.0, upper=10.0, engine="cvxopt")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert answer.reached_tol
    assert peak < n * n  # a dense identity takes 8 n^2 bytes


def test_our_own_engine_builds_no_identity_either(no_identity):
    n = 60
    own = qp.solve(chain(n), -np.ones(n) / n, lower=0.0, upper=10.0, engine="own")
    other = qp.solve(chain(n), -np.ones(n) / n, lower=0.0, upper=10.0, engine="cvxopt")
    assert own.primal == pytest.approx(other.primal, rel=1e-7)


# A box and its own KKT solver


def complete(P, q, **parts):
    """Return the program with every part present."""
    names = ("G", "h", "A", "b", "lower", "upper")
    return qp.program._complete(P, q, *(parts.get(name) for name in names))


def box(seed, equations, n=7):
    """Return a program with bounds and equations only: some bounds on one side, P of low rank."""
    rng = np.random.default_rng(seed)
    M, A, inside = rng.normal(size=(3, n)), rng.normal(size=(equations, n)), rng.normal(size=n)
    side = rng.integers(0, 3, size=n)
    lower = np.where(side == 0, -np.inf, inside - rng.uniform(0.1, 2, size=n))
    upper = np.where(side == 1, np.inf, inside + rng.uniform(0.1, 2, size=n))
    q = M.T @ rng.normal(size=3) + np.where(side == 0, -1, 1) * rng.uniform(size=n)
    return complete(M.T @ M, q, A=A, b=A @ inside, lower=lower, upper=upper)


@pytest.mark.parametrize("equations", [0, 1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_a_step_of_the_box_solves_the_whole_newton_system(seed, equations):
    program, rng = box(seed, equations), np.random.default_rng(seed)
    K, cvx = qp.engines.Inequalities(program), qp.engines.cvxopt.matrix
    G, m = np.array([K.times(e) for e in np.eye(7)]).T, len(K.k)
    W = rng.uniform(0.1, 10, size=m)
    system = np.block([
        [program.P, program.A.T, G.T],
        [program.A, np.zeros((equations, equations + m))],
        [G, np.zeros((m, equations)), -np.diag(W**2)],
    ])  # fmt: skip
    right = rng.normal(size=7 + equations + m)
    expected = np.linalg.solve(system, right)
    parts = [cvx(part) for part in np.split(right, [7, 7 + equations])]
    steps = qp.engines.box_steps(cvx(program.P), program.A, K)
    steps({"d": cvx(W)})(*parts)
    u, v, z = (np.array(part).ravel() for part in parts)
    found = np.concatenate([u, v, z / W])  # cvxopt wants W z
    # both solve to rounding, times the condition of this system (some 1e4)
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


METHODS = ("by_box", "by_sparse_rows")


def answers(program):
    """Return what each way to ask cvxopt finds."""
    return [qp.program._solve(program, getattr(qp.engines, name), 1e-7) for name in METHODS]


def assert_one_answer(program):
    """All reach 1e-7 of the sum of their terms: two objectives differ by twice that, at most."""
    found = answers(program)
    for answer in found:
        assert answer.reached_tol
        assert answer.primal == pytest.approx(found[-1].primal, abs=2e-7 * worth(program, answer))


def worth(program, answer):
    """Return the sizes of all terms of both objectives, added up."""
    x, low, up = np.abs(answer.x), program.lower, program.upper
    bounds = answer.z_lower @ np.where(np.isfinite(low), np.abs(low), 0)
    bounds += answer.z_upper @ np.where(np.isfinite(up), np.abs(up), 0)
    curved = 0.5 * answer.x @ program.P @ answer.x
    return curved + np.abs(program.q) @ x + bounds + np.abs(answer.v) @ np.abs(program.b)


@pytest.mark.parametrize("equations", [0, 1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_a_box_has_the_answer_of_the_slides_stacked_identities(seed, equations):
    assert_one_answer(box(seed, equations))


def dual(X, C, offset, width=None):
    """Return the dual of a support vector machine, Gaussian of that width or linear."""
    y = np.where(np.arange(len(X)) % 2 == 0, 1.0, -1.0)
    square = ((X[:, None] - X) ** 2).sum(axis=-1)
    K = X @ X.T if width is None else np.exp(-0.5 * square / width**2)
    equation = {"A": y[None], "b": np.zeros(1)} if offset else {}
    upper = np.full(len(X), C)
    return complete(np.outer(y, y) * K, -np.ones(len(X)), lower=0.0, upper=upper, **equation)


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize(("size", "C"), [(1.0, 1.0), (1e-3, 1e6), (1e3, 1e-6), (1.0, 1e-8)])
def test_hostile_units_do_not_part_the_box_from_the_slide(size, C, offset):
    X = size * np.random.default_rng(4).normal(size=(30, 3))
    assert_one_answer(dual(X, C, offset))


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("width", [0.1, 3.0, 300.0])
def test_an_ill_conditioned_P_does_not_part_the_box_from_the_slide(width, offset):
    X = np.random.default_rng(5).normal(size=(30, 3))
    X[15:] = X[:15]  # each example twice: P has rank 15 at most; at 300 its condition is 1e16
    assert_one_answer(dual(X, 10.0, offset, width))


def test_only_what_is_a_box_is_solved_as_one():
    P, q = np.eye(2), np.ones(2)
    assert qp.engines.is_box(complete(P, q, lower=0.0, upper=np.inf))
    assert not qp.engines.is_box(complete(P, q, lower=[0.0, -np.inf], upper=np.inf))
    assert not qp.engines.is_box(complete(sparse.csr_matrix(P), q, lower=0.0, upper=1.0))
    assert not qp.engines.is_box(complete(P, q, G=P, h=q, lower=0.0, upper=1.0))


def test_a_diagonal_is_raised_as_little_as_rounding_needs_and_never_far():
    cvx = qp.engines.cvxopt.matrix
    L = cvx(0.0, (2, 2))
    qp.engines._cholesky(cvx(np.array([[1.0, 1.0 + 1e-15], [1.0 + 1e-15, 1.0]])), np.zeros(2), L)
    assert L[1, 0] == pytest.approx(1.0, abs=1e-7)  # raised by 1e-14 at most
    with pytest.raises(ArithmeticError, match="nor near"):
        qp.engines._cholesky(cvx(np.array([[1.0, 1.1], [1.1, 1.0]])), np.zeros(2), L)


# Bad input and a missing engine


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"P": np.eye(3)}, "meets 2 unknowns"),
        ({"P": np.ones((1, 2))}, "shapes do not fit"),
        ({"G": [[1.0, 1.0]]}, "shapes do not fit"),
        ({"h": [1.0]}, "shapes do not fit"),
        ({"A": [[1.0, 1.0]], "b": [1.0, 2.0]}, "shapes do not fit"),
        ({"G": [1.0, 1.0], "h": [1.0]}, "meets 2 unknowns"),
        ({"lower": 1.0, "upper": 1.0}, "fix equal ones by A"),
        ({"lower": 2.0, "upper": 1.0}, "below its upper"),
        ({"lower": np.nan}, "below its upper"),
        ({"engine": "magic"}, "'own' or 'cvxopt'"),
        ({"P": -np.eye(2)}, "positive semi-definite"),
        ({"P": [[0.0, 1.0], [1.0, 0.0]]}, "positive semi-definite"),
        ({"P": sparse.csr_matrix([[0.0, 1.0], [1.0, 0.0]])}, "positive semi-definite"),
        ({"P": sparse.csr_matrix([[1.0, 2.0], [2.0, 1.0]])}, "positive semi-definite"),
        ({"P": sparse.csr_matrix([[1.0, 0.0], [0.0, -1.0]])}, "positive semi-definite"),
        ({"P": [[1.0, 1.0], [0.0, 1.0]]}, "symmetric"),
        ({"q": [np.nan, 0.0]}, "Only bounds may be infinite"),
        ({"G": [[np.inf, 1.0]], "h": [1.0]}, "Only bounds may be infinite"),
        ({"G": [[1.0, 1.0]], "h": [np.inf]}, "leave such rows"),
        ({"P": np.zeros((0, 0)), "q": []}, "no unknown"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_advice(change, advice):
    problem = {"P": np.eye(2), "q": [1.0, 1.0], "engine": None} | change
    with pytest.raises(ValueError, match=advice):
        solve({k: v for k, v in problem.items() if k != "engine"}, problem["engine"])


@engines
def test_a_saddle_point_is_not_sold_as_a_minimum(engine):
    with pytest.raises(ValueError, match="not convex"):
        qp.solve(-np.eye(2), [0.0, 0.0], lower=-1.0, upper=1.0, engine=engine)  # 0 is stationary


def test_a_gram_matrix_that_rounding_made_indefinite_is_accepted():
    X = np.random.default_rng(0).normal(size=(40, 2)) * 1e3
    K = X @ X.T
    assert np.linalg.eigvalsh(K)[0] < 0
    for engine in ENGINES:
        assert qp.solve(K, -np.ones(40), lower=0.0, upper=1.0, engine=engine).reached_tol


def test_where_cvxopt_is_missing_our_own_engine_answers_and_cvxopt_is_refused(monkeypatch):
    monkeypatch.setattr(qp.program, "cvxopt", None)
    monkeypatch.setattr(qp.program, "ENGINE", "own")
    assert qp.solve([[1.0]], [-1.0], upper=0.5).x[0] == pytest.approx(0.5, rel=1e-7)
    with pytest.raises(ValueError, match="where installed"):
        qp.solve([[1.0]], [-1.0], engine="cvxopt")


def test_what_cvxopt_cannot_do_our_own_engine_does(monkeypatch):
    def fail(*args, **kwargs):
        raise ArithmeticError("singular")

    monkeypatch.setattr(qp.program.cvxopt.solvers, "qp", fail)
    assert qp.solve([[1.0]], [-1.0], upper=0.5, engine="cvxopt").reached_tol


def test_where_cvxopt_returns_nonsense_our_own_engine_answers(monkeypatch):
    wrong = {"x": [7.0], "z": [0.0], "y": []}
    monkeypatch.setattr(qp.program.cvxopt.solvers, "qp", lambda *args, **kwargs: wrong)
    answer = qp.solve([[1.0]], [-1.0], upper=0.5, engine="cvxopt")
    assert answer.reached_tol
    assert answer.x[0] == pytest.approx(0.5, rel=1e-7)


@settings(max_examples=20)
@given(seeds)
def test_rows_that_repeat_others_are_left_out_and_get_no_price(seed):
    rng = np.random.default_rng(seed)
    A = rng.integers(-3, 4, size=(3, 5)).astype(float)
    A = np.vstack([A, A[0] - 2 * A[1], np.zeros(5)])
    rows = qp.program._independent(A)
    assert len(rows) == np.linalg.matrix_rank(A) == np.linalg.matrix_rank(A[rows])
    answer = qp.solve(np.eye(5), np.ones(5), A=A, b=A @ np.arange(5.0), engine="own")
    assert answer.reached_tol
    assert (answer.v[np.setdiff1d(np.arange(5), rows)] == 0).all()


@engines
@pytest.mark.parametrize("seed", range(8))
def test_with_nothing_to_minimise_a_feasible_point_is_found(engine, seed):
    rng = np.random.default_rng(seed)
    A, inside = rng.normal(size=(3, 4)), rng.normal(size=4)
    lower = np.array([inside[0] - 1e-3, -np.inf, -np.inf, inside[3] - 1.0])
    answer = qp.solve(np.zeros((4, 4)), np.zeros(4), A=A, b=A @ inside, lower=lower, engine=engine)
    assert answer.reached_tol
    np.testing.assert_allclose(A @ answer.x, A @ inside, atol=1e-6)
    assert (answer.x >= lower - 1e-6).all()


# Slacks are eliminated


@settings(max_examples=20)
@given(seeds)
def test_an_unknown_that_meets_others_in_one_row_only_is_not_factored(seed):
    rng = np.random.default_rng(seed)
    rows, k = rng.normal(size=(9, 3)), int(rng.integers(1, 9))
    own_rows = rng.permutation(9)[:k]
    G = np.zeros((9, 3 + k))
    G[:, :3], G[own_rows, 3 + np.arange(k)] = rows, rng.choice([-2.0, -1.0, 0.5], size=k)
    P = np.diag(np.concatenate([np.ones(3), rng.choice([0.0, 1.5], size=k)]))
    bounds = {"lower": -3.0, "upper": 4.0}
    q, h = rng.normal(size=3 + k), np.abs(rng.normal(size=9))
    own, other = (qp.solve(P, q, G=G, h=h, engine=engine, **bounds) for engine in ENGINES)
    assert own.order == 3
    assert own.reached_tol
    assert own.primal == pytest.approx(other.primal, rel=1e-6, abs=1e-7)


def test_where_slacks_share_a_row_or_bend_together_they_stay():
    h = np.ones(2)
    shared = [[1.0, 1.0, -1.0, -1.0], [1.0, 2.0, 0.0, 0.0]]
    P = np.diag([1.0, 1.0, 1.0, 1.0])
    assert qp.solve(P, -np.ones(4), G=shared, h=h, engine="own").order == 3
    P[2, 3] = P[3, 2] = 0.5
    assert qp.solve(P, -np.ones(4), G=shared, h=h, engine="own").order == 4
    free = qp.solve(np.eye(3), -np.ones(3), G=np.eye(3), h=np.full(3, 0.5), engine="own")
    assert free.order == 1
    np.testing.assert_allclose(free.x, 0.5, atol=1e-7)


@engines
def test_an_answer_says_in_words_whether_it_converged(engine):
    good = qp.solve([[1.0]], [-1.0], upper=0.5, engine=engine)
    assert good.message.startswith("reached its tolerance; infeasibility")
    bad = qp.solve([[1.0]], [-1.0], G=[[1.0], [-1.0]], h=[-1.0, -1.0], engine=engine)
    assert bad.message.startswith("stopped early: scale the data")
