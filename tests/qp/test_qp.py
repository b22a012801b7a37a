"""Convex quadratic programs: two engines, one answer, and a certificate from the data alone."""

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
