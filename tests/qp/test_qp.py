"""Convex quadratic programs: two engines, one answer, and a certificate from the data alone."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse
from scipy.optimize import linprog

from lectures_lib import qp
from tests.strategies import seeds

ENGINES = ("own", "cvxopt")
engines = pytest.mark.parametrize("engine", ENGINES)


def random_program(seed, *, rank=None, integers=False):
    """Return P, q and the constraints of a program with a feasible point and a least value."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 9)), int(rng.integers(0, 6))
    p = int(rng.integers(0, min(n, 3)))

    def entries(*shape):
        return rng.integers(-3, 4, size=shape).astype(float) if integers else rng.normal(size=shape)

    M = entries(int(rng.integers(0, n + 1)) if rank is None else min(rank, n), n)
    inside = rng.integers(-2, 3, size=n).astype(float)
    G, A = entries(m, n), entries(p, n)
    return {
        "P": M.T @ M,
        "q": entries(n),
        "G": G,
        "h": G @ inside + rng.choice([0.5, 2.0], size=m),
        "A": A,
        "b": A @ inside,
        "lower": inside - rng.choice([0.5, 1.0, 4.0], size=n),  # bounded: there is a least value
        "upper": inside + rng.choice([0.5, 1.0, 4.0], size=n),
    }


def one_sided(program, seed):
    """Drop some bounds, and make q such that the objective stays bounded below."""
    rng = np.random.default_rng(seed)
    n = len(program["q"])
    lower = np.where(rng.random(n) < 0.5, program["lower"], -np.inf)
    upper = np.where(rng.random(n) < 0.5, program["upper"], np.inf)
    q = program["P"] @ rng.normal(size=n)
    return {**program, "q": q, "lower": lower, "upper": upper}


def solve(program, engine, **options):
    parts = {k: v for k, v in program.items() if k not in ("P", "q")}
    return qp.solve(program["P"], program["q"], engine=engine, **parts, **options)


def value(program, x):
    return 0.5 * x @ (program["P"] @ x) + program["q"] @ x


def assert_optimal(program, answer, *, rtol=1e-6):
    """Check every optimality condition, written out for dense data."""
    P, q, G, h, A, b = (np.asarray(program[k], dtype=float) for k in ("P", "q", "G", "h", "A", "b"))
    lower, upper, x = program["lower"], program["upper"], answer.x
    unit = 1.0 + max(np.abs(v).max(initial=0) for v in (x, h, b))
    assert (G @ x - h).max(initial=0) <= rtol * unit
    assert np.abs(A @ x - b).max(initial=0) <= rtol * unit
    assert (lower - x).max() <= rtol * unit
    assert (x - upper).max() <= rtol * unit
    for multiplier in (answer.z, answer.z_lower, answer.z_upper):
        assert (multiplier >= 0).all()
    slope = P @ x + q + G.T @ answer.z + A.T @ answer.v - answer.z_lower + answer.z_upper
    prices = (P @ x, q, G.T @ answer.z, A.T @ answer.v, answer.z_lower, answer.z_upper)
    price = 1.0 + max(np.abs(v).max(initial=0) for v in prices)
    assert np.abs(slope).max() <= rtol * price
    finite_low, finite_up = np.isfinite(lower), np.isfinite(upper)
    assert (answer.z_lower[~finite_low] == 0).all()
    assert (answer.z_upper[~finite_up] == 0).all()
    rooms = [
        (answer.z, h - G @ x),
        (answer.z_lower[finite_low], (x - lower)[finite_low]),
        (answer.z_upper[finite_up], (upper - x)[finite_up]),
    ]
    for multiplier, room in rooms:
        assert np.abs(multiplier * room).max(initial=0) <= rtol * unit * price
    assert answer.primal == pytest.approx(value(program, x), rel=1e-9, abs=1e-12)
    assert answer.reached_tol


# Two engines, the same answers


@settings(max_examples=40)
@given(seeds)
def test_both_engines_satisfy_every_condition_and_agree_on_the_objective(seed):
    program = random_program(seed)
    answers = [solve(program, engine) for engine in ENGINES]
    for answer in answers:
        assert_optimal(program, answer)
    assert answers[0].primal == pytest.approx(answers[1].primal, rel=1e-6, abs=1e-6)


@settings(max_examples=20)
@given(seeds)
def test_bounds_may_be_one_sided_or_missing(seed):
    program = one_sided(random_program(seed), seed)
    answers = [solve(program, engine) for engine in ENGINES]
    for answer in answers:
        assert_optimal(program, answer)
    assert answers[0].primal == pytest.approx(answers[1].primal, rel=1e-6, abs=1e-6)


@settings(max_examples=20)
@given(seeds)
def test_a_strictly_convex_program_has_one_answer(seed):
    program = random_program(seed)
    program["P"] = program["P"] + np.eye(len(program["q"]))
    own, other = (solve(program, engine) for engine in ENGINES)
    np.testing.assert_allclose(own.x, other.x, atol=1e-5)


@engines
@settings(max_examples=15)
@given(seeds)
def test_whole_numbers_duplicated_rows_and_repeated_equalities_are_no_obstacle(engine, seed):
    program = random_program(seed, integers=True)
    twice = {k: np.concatenate([v, v, v[:1]]) for k, v in program.items() if k in "GhAb"}
    plain, doubled = solve(program, engine), solve({**program, **twice}, engine)
    assert_optimal({**program, **twice}, doubled)
    assert doubled.primal == pytest.approx(plain.primal, rel=1e-6, abs=1e-6)


@engines
def test_integers_and_lists_are_taken_as_they_are(engine):
    answer = qp.solve(
        [[2, 0], [0, 2]], [-2, -5], G=[[1, 2]], h=[3], A=[[1, -1]], b=[0], lower=0, engine=engine
    )
    np.testing.assert_allclose(answer.x, [1.0, 1.0], atol=1e-7)  # x = y <= 1; free: 7 / 4


@engines
@settings(max_examples=15)
@given(seeds)
def test_without_curvature_it_is_a_linear_program(engine, seed):
    program = random_program(seed, rank=0)
    answer = solve(program, engine)
    assert_optimal(program, answer)
    lp = linprog(
        program["q"],
        A_ub=program["G"] if len(program["h"]) else None,
        b_ub=program["h"] if len(program["h"]) else None,
        A_eq=program["A"] if len(program["b"]) else None,
        b_eq=program["b"] if len(program["b"]) else None,
        bounds=np.column_stack([program["lower"], program["upper"]]),
    )
    assert answer.primal == pytest.approx(lp.fun, rel=1e-6, abs=1e-6)


@engines
@settings(max_examples=15)
@given(seeds)
def test_sparse_and_dense_data_give_the_same_answer(engine, seed):
    program = random_program(seed)
    thin = {k: sparse.csr_matrix(program[k]) for k in ("P", "G", "A")}
    dense, answer = solve(program, engine), solve({**program, **thin}, engine)
    assert_optimal(program, answer)
    assert answer.primal == pytest.approx(dense.primal, rel=1e-7, abs=1e-7)


@engines
@settings(max_examples=15)
@given(seeds)
def test_bounds_are_what_rows_of_G_would_say(engine, seed):
    program = random_program(seed)
    n = len(program["q"])
    rows = {
        "G": np.vstack([program["G"], -np.eye(n), np.eye(n)]),
        "h": np.concatenate([program["h"], -program["lower"], program["upper"]]),
        "lower": np.full(n, -np.inf),
        "upper": np.full(n, np.inf),
    }
    apart, together = solve(program, engine), solve({**program, **rows}, engine)
    assert together.primal == pytest.approx(apart.primal, rel=1e-6, abs=1e-6)
    m = len(program["h"])
    prices = np.concatenate([apart.z, apart.z_lower, apart.z_upper])
    dual = program["P"] @ apart.x + program["q"] + rows["G"].T @ prices
    np.testing.assert_allclose(dual + program["A"].T @ apart.v, 0, atol=1e-5)
    assert len(together.z) == m + 2 * n


@engines
@pytest.mark.parametrize("size", [1e-6, 1e-3, 1e3, 1e6])
@pytest.mark.parametrize("price", [1e-6, 1.0, 1e6])
def test_the_units_of_x_and_of_the_objective_do_not_matter(engine, size, price):
    for seed in range(3):
        program = random_program(seed)
        scaled = {k: size * program[k] for k in ("h", "b", "lower", "upper")}
        scaled |= {"P": price * program["P"], "q": price * size * program["q"]}
        plain, answer = solve(program, engine), solve({**program, **scaled}, engine)
        assert answer.reached_tol
        unit = price * size**2
        assert answer.primal / unit == pytest.approx(plain.primal, rel=1e-6, abs=1e-6)


@engines
def test_columns_of_very_different_size_are_solved(engine):
    scales = np.array([1e-3, 1.0, 1e3])
    rng = np.random.default_rng(3)
    M, plain = rng.normal(size=(3, 3)), rng.normal(size=3)
    answer = qp.solve(
        scales[:, None] * (M.T @ M) * scales, scales * plain, lower=-1 / scales, engine=engine
    )
    other = qp.solve(M.T @ M, plain, lower=-1.0, engine=engine)
    np.testing.assert_allclose(scales * answer.x, other.x, atol=1e-4)


@engines
def test_without_constraints_it_is_a_linear_system(engine):
    P, q = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -4.0])
    np.testing.assert_allclose(qp.solve(P, q, engine=engine).x, np.linalg.solve(P, -q), atol=1e-8)


@engines
def test_with_equalities_alone_the_multipliers_solve_the_same_linear_system(engine):
    P, q, A, b = np.diag([2.0, 3.0, 0.0]), np.array([1.0, 1.0, 0.0]), np.ones((1, 3)), [2.0]
    answer = qp.solve(P, q, A=A, b=b, engine=engine)
    system = np.block([[P, A.T], [A, np.zeros((1, 1))]])
    expected = np.linalg.solve(system, np.append(-q, b))
    np.testing.assert_allclose(np.append(answer.x, answer.v), expected, atol=1e-7)


@settings(max_examples=20)
@given(seeds)
def test_no_feasible_point_is_below_the_dual_value(seed):
    program, rng = random_program(seed), np.random.default_rng(seed)
    answer = solve(program, "own")
    others = [solve({**program, "q": rng.normal(size=len(answer.x))}, "own").x for _ in range(3)]
    for x in [*others, np.mean(others, axis=0)]:  # feasible, and so is their mean
        assert value(program, x) >= answer.dual - 1e-6 * (1 + abs(answer.dual))


def test_the_data_are_not_modified():
    program = random_program(5)
    before = {k: v.copy() for k, v in program.items()}
    for engine in ENGINES:
        solve(program, engine)
    for name, kept in before.items():
        np.testing.assert_array_equal(program[name], kept)


# The certificate


def certified(program, x, z, v):
    """Return the certificate of any point and multipliers, z in the order G, lower, upper."""
    parts = {k: program[k] for k in ("G", "h", "A", "b", "lower", "upper")}
    complete = qp.program._complete(program["P"], program["q"], *parts.values())
    return qp.program._certified(complete, x, z, v, 1e-7)


def multipliers(answer):
    return np.concatenate([answer.z, answer.z_lower, answer.z_upper])


@settings(max_examples=20)
@given(seeds)
def test_the_certificate_accepts_the_answer_and_rejects_it_once_perturbed(seed):
    program, rng = random_program(seed), np.random.default_rng(seed)
    answer = solve(program, "cvxopt")
    x, z, v = answer.x, multipliers(answer), answer.v
    assert certified(program, x, z, v).reached_tol
    step = rng.choice([-1e-2, 1e-2], size=len(x))
    moved = certified(program, x + step, z, v)
    worse = value(program, x + step) - answer.primal
    assert not moved.reached_tol or abs(worse) <= 1e-5
    assert not certified(program, x, z + 1e-2 * rng.uniform(0.5, 1, size=len(z)), v).reached_tol
    if len(v) and np.abs(program["A"]).max() > 0.1:
        assert not certified(program, x, z, v + 0.1).reached_tol


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_the_certificate_rejects_wrong_answers_in_any_unit(unit):
    program = {
        "P": np.eye(2) / unit,
        "q": -np.ones(2),
        "G": None,
        "h": None,
        "A": None,
        "b": None,
        "lower": 0.0,
        "upper": 0.3 * unit,
    }
    right = np.array([0.3, 0.3]) * unit
    prices = np.array([0.0, 0.0, 0.7, 0.7])
    assert certified(program, right, prices, np.zeros(0)).reached_tol
    for wrong in ([0.2, 0.3], [0.3, 0.31], [0.0, 0.0], [1.0, 1.0]):
        judged = certified(program, np.array(wrong) * unit, prices, np.zeros(0))
        assert not judged.reached_tol
    assert not certified(program, right, 0 * prices, np.zeros(0)).reached_tol
    assert not certified(program, right, prices[::-1], np.zeros(0)).reached_tol


def test_negative_multipliers_count_as_none():
    program = random_program(2)
    answer = solve(program, "own")
    judged = certified(program, answer.x, -1.0 - multipliers(answer), answer.v)
    assert (multipliers(judged) == 0).all()
    assert not judged.reached_tol


@engines
@pytest.mark.parametrize(
    "problem",
    [
        {"P": [[1.0]], "q": [0.0], "G": [[1.0], [-1.0]], "h": [0.0, -1.0]},
        {"P": [[1.0]], "q": [0.0], "A": [[1.0], [1.0]], "b": [0.0, 1.0]},
        {"P": [[1.0]], "q": [0.0], "A": [[1.0]], "b": [5.0], "lower": 0.0, "upper": 1.0},
        {"P": [[0.0]], "q": [1.0]},
        {"P": [[0.0]], "q": [1.0], "upper": 3.0},
        {"P": [[1.0, 0.0], [0.0, 0.0]], "q": [0.0, -1.0], "lower": 0.0},
    ],
)
def test_a_program_without_a_solution_is_an_answer_that_did_not_converge(engine, problem):
    assert not solve(problem, engine).reached_tol


# No dense identity


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


METHODS = ("by_box", "by_sparse_rows", "by_stacked_rows")


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
