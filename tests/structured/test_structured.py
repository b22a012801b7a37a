"""The structured perceptron: the slide's loop, its relatives, the compiled one, its bound."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from lectures_lib import _jit, fast, perceptron
from lectures_lib import structured as st
from lectures_lib.conventions import orders
from lectures_lib.fast import sequences
from lectures_lib.proof.band import exactly


def chain_data(seed=0, *, n=12, S=3, d=4, order=1, whole=True, noise=0.0):
    """Return a chain problem and sequences tagged by weights that are known."""
    rng = np.random.default_rng(seed)
    problem = st.Chain(S, d, order=order)
    truth = rng.integers(-3, 4, size=problem.size).astype(float)
    shapes = [(int(rng.integers(1, 5)), d) for _ in range(n)]
    draw = (lambda s: rng.integers(0, 3, size=s)) if whole else (lambda s: rng.normal(size=s))
    X = [np.asarray(draw(s), float) for s in shapes]
    Y = [problem.argmax(truth, x) for x in X]
    for i in np.flatnonzero(rng.random(n) < noise):
        Y[i] = tuple(rng.integers(S, size=len(Y[i])).tolist())
    return problem, X, Y


# --- the contract --------------------------------------------------------------------------------


def test_named_and_numbered_features_are_the_same_features():
    index = st.Index(["see Det Noun", "see Noun"])
    v = index.vector({"see Noun": 2.0, "never seen": 1.0})
    assert v.tolist() == [0.0, 2.0] and index.named(v) == {"see Noun": 2.0}


def test_the_score_is_the_sum_of_weights_times_features():
    problem, X, Y = chain_data()
    theta = np.arange(problem.size, dtype=float)
    named = problem.index.named(problem.f(X[0], Y[0]))
    weights = dict(zip(problem.index.names, theta))
    expected = sum(weights[name] * value for name, value in named.items())
    assert problem.score(theta, X[0], Y[0]) == expected


@pytest.mark.parametrize("order", [1, 2])
def test_a_chain_counts_its_letters_pairs_and_triples(order):
    problem = st.Chain(("N", "V"), ("dog", "bark"), order=order)
    f = problem.index.named(problem.f([[1, 0], [0, 1], [0, 2]], (0, 1, 1)))
    first = {("dog", "N"): 1, ("bark", "V"): 3, ("after", "N", "V"): 1, ("after", "V", "V"): 1}
    assert f == first | ({("after", "N", "V", "V"): 1} if order == 2 else {})


def test_dictionaries_and_ends_become_rows():
    x = st.from_dictionaries([{"dog": 1}, {"bark": 2, "new": 1}], ["bark", "dog"])
    assert x.tolist() == [[0, 1], [2, 0]]
    wide = np.array([[0, 1, 1, 1, 0], [2, 0, 1, 0, 1.0]])  # and 1, "first", "last"
    rows, other = fast.rows_of([x, x], ends=True), fast.rows_of([wide, wide])
    for name in ("values", "places", "start", "bounds"):
        assert getattr(rows, name).tolist() == getattr(other, name).tolist()


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("price", [0, 2])
def test_the_argmax_of_a_chain_equals_enumeration_with_and_without_costs(order, price):
    for seed in range(20):
        problem, X, Y = chain_data(seed, order=order, noise=0.5, n=4)
        theta = np.random.default_rng(seed).integers(-1, 2, size=problem.size).astype(float)
        for weights in (theta, theta.astype(int).astype(object)):
            for x, y in zip(X, Y):
                costs = {"gold": y, "price": price}
                expected = st.enumerate_argmax(problem, weights, x, **costs)
                assert problem.argmax(weights, x, **costs) == expected


def test_the_runner_up_is_the_best_of_the_others():
    for problem, X, Y in (chain_data(), chain_data(order=2)):
        theta = np.random.default_rng(1).normal(size=problem.size)
        for x, y in zip(X, Y):
            others = [other for other in problem.outputs(x) if other != y]
            best = max(others, key=lambda other: problem.score(theta, x, other))
            assert problem.runner_up(theta, x, y) == best


# --- the learners --------------------------------------------------------------------------------


def multiclass_perceptron(X, y, k, epochs):
    """The textbook's: one weight vector per class; the lowest class wins a tie."""
    W = np.zeros((k, X.shape[1]))
    for _ in range(epochs):
        for x, right in zip(X, y):
            said = int(np.argmax(W @ x))
            if said != right:
                W[right] += x
                W[said] -= x
    return W


def test_with_several_classes_it_is_the_multiclass_perceptron():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-3, 4, size=(30, 3)).astype(float), rng.integers(4, size=30).tolist()
    problem = st.Classes(range(4), 3)
    run = st.structured_perceptron(problem, X, y, max_epochs=7)
    assert run.theta.reshape(4, 3).tolist() == multiclass_perceptron(X, y, 4, 7).tolist()


def test_with_two_classes_and_half_steps_it_is_the_perceptron():
    rng = np.random.default_rng(1)
    X, y = rng.integers(-3, 4, size=(30, 3)).astype(float), rng.choice([-1.0, 1.0], size=30)
    problem = st.Classes((-1.0, 1.0), 3)
    run = st.structured_perceptron(problem, X, y.tolist(), step=0.5, max_epochs=7)
    theirs = perceptron.perceptron(X, y, max_epochs=7, tie="negative")  # a tie is the lower class
    minus, plus = run.theta.reshape(2, 3)
    assert (plus - minus).tolist() == theirs.w.tolist()
    assert [mistake.i for mistake in run.mistakes] == theirs.mistakes.tolist()


@pytest.mark.parametrize("step", [1.0, 0.25, 3.0])
def test_the_update_raises_the_difference_by_the_step_times_a_squared_norm(step):
    problem, X, Y = chain_data(noise=0.5)
    run = st.structured_perceptron(problem, X, Y, step=step, max_epochs=3)
    theta = np.zeros(problem.size)
    assert run.mistakes
    for mistake in run.mistakes:
        x, y = X[mistake.i], Y[mistake.i]
        before, after, rise = st.update_gain(problem, theta, x, y, mistake.y_star, step)
        assert before <= 0 and after == before + rise and rise >= 0
        theta += step * (problem.f(x, y) - problem.f(x, mistake.y_star))
    assert theta.tolist() == run.theta.tolist()


def test_the_step_size_only_scales_the_weights():
    problem, X, Y = chain_data()
    one, other = (st.structured_perceptron(problem, X, Y, step=step) for step in (1.0, 0.5))
    assert (one.theta / 2).tolist() == other.theta.tolist() and one.converged


def test_parses_are_learnt_by_the_same_loop():
    grammar = st.Grammar("S -> A S | S A | A A\nA -> 'a'")
    parses = st.Parses(grammar)
    words = [("a",) * n for n in (3, 4, 5)]
    trees = [next(iter(grammar.trees(x))) for x in words]
    assert st.structured_perceptron(parses, words, trees).converged


def test_the_average_is_that_of_theta_after_each_example():
    problem, X, Y = chain_data(noise=0.3)
    run = st.averaged_structured_perceptron(problem, X, Y, epochs=4, rng=3, price=1.0)
    passes, found = orders(len(X), None, 3), iter(run.mistakes)
    theta, total = np.zeros(problem.size), np.zeros(problem.size)
    for _ in range(4):
        for i in next(passes):
            x, y = X[i], Y[i]
            if problem.argmax(theta, x, gold=y, price=1.0) != y:
                mistake = next(found)
                assert mistake.i == i
                theta = theta + problem.f(x, y) - problem.f(x, mistake.y_star)
            total += theta
    assert run.theta.tolist() == (total / (4 * len(X))).tolist()  # whole numbers: exact
    assert run.theta_last.tolist() == theta.tolist() and next(found, None) is None


def test_a_price_makes_the_right_output_win_by_a_margin_that_grows_with_the_loss():
    problem, X, Y = chain_data(3)
    run = st.structured_perceptron(problem, X, Y, price=2.0, max_epochs=1000)
    assert run.converged
    for x, y in zip(X, Y):
        right = problem.score(run.theta, x, y)
        for other in problem.outputs(x):
            assert right - problem.score(run.theta, x, other) >= 2 * problem.loss(y, other)


# --- the compiled loop ---------------------------------------------------------------------------


def same(fast, slow):
    """The runs are equal to the last bit, mistakes included."""
    assert fast.theta.tobytes() == slow.theta.tobytes()
    assert fast.theta_last.tobytes() == slow.theta_last.tobytes()
    assert [(m.i, m.y_star) for m in fast.mistakes] == [(m.i, m.y_star) for m in slow.mistakes]
    assert fast.epoch_mistakes.tolist() == slow.epoch_mistakes.tolist()
    assert fast.converged == slow.converged and fast.epochs == slow.epochs


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("price", [0.0, 0.7])
def test_the_compiled_loop_equals_the_slides_to_the_last_bit(order, whole, price):
    for seed in range(6):
        problem, X, Y = chain_data(seed, order=order, whole=whole, noise=0.2)
        options = {"price": price, "step": 0.3, "rng": seed}
        slow = st.averaged_structured_perceptron(problem, X, Y, epochs=5, **options)
        same(fast.chain_perceptron(problem, X, Y, epochs=5, **options), slow)
        plain = st.structured_perceptron(problem, X, Y, max_epochs=5, **options)
        same(fast.chain_perceptron(problem, X, Y, averaged=False, epochs=5, **options), plain)
        expected = [problem.argmax(slow.theta, x) for x in X]
        assert [tuple(y.tolist()) for y in fast.tag(problem, slow.theta, X)] == expected


def test_sparse_sequences_give_the_bits_of_dense_ones():
    problem, X, Y = chain_data(1, whole=False)
    dense = fast.chain_perceptron(problem, X, Y)
    same(fast.chain_perceptron(problem, [sparse.csr_array(x) for x in X], Y), dense)
    E = fast.letter_scores(problem, dense.theta, fast.rows_of(X))
    for x, e in zip(X, E):
        assert e.tobytes() == problem.scores(dense.theta, x)[0].tobytes()


@pytest.mark.skipif(not _jit.COMPILED, reason="numba is missing or switched off")
@pytest.mark.parametrize("order", [1, 2])
def test_without_numba_the_fast_chain_perceptron_is_its_plain_twin(order, monkeypatch):
    problem, X, Y = chain_data(2, order=order, whole=False, noise=0.2)
    for averaged in (True, False):
        options = {"price": 0.3, "step": 0.7, "averaged": averaged, "rng": 3}
        monkeypatch.setattr(sequences, "COMPILED", True)
        run = fast.chain_perceptron(problem, X, Y, **options)
        quick = (
            fast.tag(problem, run.theta, X),
            fast.letter_scores(problem, run.theta, fast.rows_of(X)),
        )
        monkeypatch.setattr(sequences, "COMPILED", False)
        same(fast.chain_perceptron(problem, X, Y, **options), run)
        plain = (
            fast.tag(problem, run.theta, X),
            fast.letter_scores(problem, run.theta, fast.rows_of(X)),
        )
        for a, b in zip(quick, plain):
            assert all(np.array_equal(one, other) for one, other in zip(a, b))


# --- the bound -----------------------------------------------------------------------------------


def separated(seed):
    """Return separable data, a run that ended, and weights with a margin."""
    problem, X, Y = chain_data(seed)
    run = st.structured_perceptron(problem, X, Y, max_epochs=1000)
    u = st.structured_perceptron(problem, X, Y, price=1.0, max_epochs=1000)
    assert run.converged and u.converged
    return problem, X, Y, run, u.theta


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("step", [1.0, 0.5])
def test_mistakes_never_exceed_R_over_gamma_squared_line_by_line(seed, step):
    problem, X, Y, _, u = separated(seed)
    run = st.structured_perceptron(problem, X, Y, step=step, max_epochs=1000)
    bound = st.collins_bound(problem, X, Y, run, u)
    assert bound.verdict == "proved" and bound.holds and bound.failed == ()
    assert bound.mistakes == len(run.mistakes) <= bound.bound and bound.gap >= 0
    assert bound.R <= st.radius(problem, X, Y)


def test_gamma_is_the_least_margin_over_all_wrong_outputs():
    problem, X, Y, run, u = separated(0)
    least = min(
        problem.score(u, x, y) - problem.score(u, x, other)
        for x, y in zip(X, Y)
        for other in problem.outputs(x)
        if other != y
    )
    bound = st.collins_bound(problem, X, Y, run, u)
    # a division and a root: two roundings
    assert bound.gamma == pytest.approx(least / np.linalg.norm(u), rel=1e-15)


def test_too_large_a_gamma_or_too_small_a_radius_is_refuted_at_its_line():
    problem, X, Y, run, u = separated(0)
    honest = st.collins_bound(problem, X, Y, run, u)
    false = st.collins_bound(problem, X, Y, run, u, gamma=1e9)
    assert false.verdict == "refuted" and "wrong outputs" in false.failed
    false = st.collins_bound(problem, X, Y, run, u, R=honest.R / 2)
    assert false.verdict == "refuted" and "radius" in false.failed
    assert "fails at mistake" in str(false) and str(honest).endswith(": proved")


def test_a_price_may_break_the_mistake_line():
    problem, X, Y, _, u = separated(0)
    run = st.structured_perceptron(problem, X, Y, price=5.0, max_epochs=1000)
    assert st.collins_bound(problem, X, Y, run, u).line("mistake").verdict == "refuted"


def test_weights_that_separate_nothing_are_no_proof():
    problem, X, Y, run, _ = separated(0)
    bound = st.collins_bound(problem, X, Y, run, -run.theta)
    assert not bound.holds and "positive" in bound.failed and bound.bound == np.inf


def test_a_run_that_lies_about_its_weights_or_its_mistakes_is_refuted():
    problem, X, Y, run, u = separated(0)
    wrong = replace(run, theta_last=run.theta_last + 1)
    assert st.collins_bound(problem, X, Y, wrong, u).failed == ("update",)
    twice = replace(run, mistakes=run.mistakes * 9, theta_last=9 * run.theta_last)
    assert "mistake" in st.collins_bound(problem, X, Y, twice, u).failed


@pytest.mark.parametrize("seed", range(5))
def test_the_version_for_data_that_nothing_separates_holds_for_every_vector(seed):
    problem, X, Y = chain_data(seed, noise=0.6)
    run = st.structured_perceptron(problem, X, Y, max_epochs=20)
    rng = np.random.default_rng(seed)
    for u in (np.zeros(problem.size), 0.1 * run.theta, rng.normal(size=problem.size)):
        bound = st.collins_hinge_bound(problem, X, Y, run, u)
        assert bound.verdict == "proved" and len(run.mistakes) <= bound.bound


def test_where_the_run_rounds_a_false_mistake_of_a_last_bit_is_undecided_not_refuted():
    problem = st.Classes((0, 1), 1)
    X, Y = np.array([[0.1], [0.3]]), [1, 1]
    mistakes = tuple(st.Mistake(i, 0) for i in (0, 1))
    theta = 0.1 * np.array([-0.1, 0.1]) + 0.1 * np.array([-0.3, 0.3])
    run = st.StructuredRun(theta, theta, mistakes, 1, np.array([2]), False, 0.1)
    bound = st.collins_bound(problem, X, Y, run, [-1.0, 1.0])
    assert bound.line("mistake").verdict == "refuted"  # not by rounding: 0.06 is no last bit
    line = bound.line("mistake")
    off = np.array([Fraction(1, 10**20)], object)
    blurred = type(line)(line.name, "", off, 0 * off, exactly(-off), np.array([1e-18]))
    assert blurred.verdict == "undecided" and not blurred.holds


@pytest.mark.parametrize("seed", range(3))
def test_the_bound_is_proved_on_real_features_too(seed):
    problem, X, Y = chain_data(seed, whole=False)
    run = st.structured_perceptron(problem, X, Y, step=0.1, max_epochs=300)
    bound = st.collins_hinge_bound(problem, X, Y, run, 0.1 * run.theta)
    assert bound.verdict == "proved"


@pytest.mark.parametrize("step", [np.nextafter(1024.0, 2048.0), np.nextafter(1.0, 2.0)])
@pytest.mark.parametrize("seed", range(5))
def test_a_step_a_bit_beside_a_power_of_two_rounds_and_an_honest_run_is_not_refuted(step, seed):
    problem, X, Y = chain_data(seed, noise=0.5)
    run = st.structured_perceptron(problem, X, Y, step=step, max_epochs=3)
    assert len(run.mistakes) > 3
    assert st.collins_hinge_bound(problem, X, Y, run, run.theta / step).verdict == "proved"


# --- inexact search ------------------------------------------------------------------------------


def test_the_smallest_example_never_ends_with_a_beam_of_one_and_the_mistake_line_breaks():
    problem, X, Y = st.greedy_example()
    exact = st.structured_perceptron(problem, X, Y)
    assert exact.converged and len(exact.mistakes) == 1
    greedy = st.beam_perceptron(problem, X, Y, 1, update="standard", max_epochs=50)
    assert not greedy.converged and len(greedy.mistakes) == 50
    u = st.structured_perceptron(problem, X, Y, price=1.0).theta
    assert st.collins_bound(problem, X, Y, exact, u).holds
    bound = st.collins_bound(problem, X, Y, greedy, u)
    assert bound.verdict == "refuted"
    assert {"mistake", "growth", "conclusion"} <= set(bound.failed)
    first = bound.line("mistake").first_failure
    assert first is not None and first <= bound.line("growth").first_failure
    proved = {"positive", "wrong outputs", "update", "radius", "progress", "Cauchy-Schwarz"}
    assert proved.isdisjoint(bound.failed)


def trapped_words(n, update):
    """Return the words of n letters a or b, with tags, on which a beam of 1 does not end."""
    problem, found = st.greedy_example()[0], []
    for word, y in product(product("ab", repeat=n), product((0, 1), repeat=n)):
        x = np.array([[c == "a", c == "b"] for c in word], float)
        exact = st.structured_perceptron(problem, [x], [y])
        run = st.beam_perceptron(problem, [x], [y], 1, update=update, max_epochs=200)
        if exact.converged and not run.converged:
            found.append(("".join(word), y))
    return found


def test_no_smaller_word_traps_a_beam_of_one():
    assert trapped_words(1, "standard") == trapped_words(2, "standard") == []


def test_of_the_traps_of_three_letters_early_update_cures_the_example_alone():
    standard = trapped_words(3, "standard")
    for update in ("early", "max-violation"):
        cured = set(standard) - set(trapped_words(3, update))
        assert cured == {("aab", (1, 0, 1)), ("bba", (1, 0, 1))}
    assert ("aaa", (0, 0, 1)) in standard


def test_the_endless_run_never_touches_what_misleads_it():
    """From the third update on the letter a and what follows tag 0 keep their weights."""
    problem, X, Y = st.greedy_example()
    run = st.beam_perceptron(problem, X, Y, 1, update="standard", max_epochs=200)
    kept = [problem.index.numbers[name] for name in (("a", 0), ("a", 1))]
    kept += [problem.index.numbers["after", 0, s] for s in (0, 1)]
    steps = [problem.f(X[0], Y[0]) - problem.f(X[0], m.y_star) for m in run.mistakes]
    assert {m.y_star for m in run.mistakes[2:]} == {(0, 1, 0), (0, 1, 1)}
    assert not np.array(steps[2:])[:, kept].any()
    assert np.sum(steps[:2], axis=0)[kept].tolist() == [0, 0, -2, 2]


@pytest.mark.parametrize("update", ["early", "max-violation"])
def test_comparing_beginnings_cures_it_and_its_bound_is_proved(update):
    problem, X, Y = st.greedy_example()
    run = st.beam_perceptron(problem, X, Y, 1, update=update)
    assert run.converged and len(run.mistakes) == 4
    weights = {("a", 1): 1, ("b", 1): 1, ("after", 0, 1): 1, ("after", 1, 0): 3}
    bound = st.collins_bound(problem, X, Y, run, problem.index.vector(weights))
    assert bound.verdict == "proved"


@pytest.mark.parametrize("update", ["early", "max-violation"])
def test_every_update_on_a_beginning_is_justified(update):
    for seed in range(10):
        problem, X, Y = chain_data(seed, noise=0.3)
        run = st.beam_perceptron(problem, X, Y, 2, update=update, max_epochs=5)
        bound = st.collins_hinge_bound(problem, X, Y, run, np.zeros(problem.size))
        assert bound.line("mistake").holds


def test_a_beam_that_loses_nothing_gives_the_run_of_exact_search():
    problem, X, Y = chain_data(2)
    wide = st.beam_perceptron(problem, X, Y, 81, update="standard")
    exact = st.structured_perceptron(problem, X, Y)
    assert wide.theta.tolist() == exact.theta.tolist()
    assert [m.i for m in wide.mistakes] == [m.i for m in exact.mistakes]


# --- bad input -----------------------------------------------------------------------------------

P, X0, Y0 = chain_data()


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: st.structured_perceptron(P, X0, Y0[:-1]), "one output per input"),
        (lambda: st.structured_perceptron(P, X0, Y0, step=0.0), "step must be a number > 0"),
        (lambda: fast.chain_perceptron(P, X0, Y0, step=-1.0), "step must be a number > 0"),
        (lambda: st.structured_perceptron(P, X0, Y0, step="much"), "step must be a number > 0"),
        (lambda: st.structured_perceptron(P, X0, Y0, price=np.nan), "price must be a number >= 0"),
        (
            lambda: st.averaged_structured_perceptron(P, X0, Y0, price=-1.0),
            "price must be a number",
        ),
        (
            lambda: fast.chain_perceptron(P, X0, Y0, price=np.inf),
            "price must be a finite number >= 0",
        ),
        (lambda: st.structured_perceptron(P, X0, [list(y) for y in Y0]), "Output 0 is a list"),
        (lambda: st.structural_svm(P, X0, [np.array(y) for y in Y0]), "Output 0 is a ndarray"),
        (lambda: st.beam_perceptron(P, X0, Y0[1:], 1), "one output per input"),
        (lambda: fast.chain_perceptron(P, [*X0[:-1], X0[-1][:0]], Y0), "is empty"),
        (lambda: fast.chain_perceptron(P, [*X0[:-1], X0[-1][:, 1:]], Y0), "has shape"),
        (lambda: fast.chain_perceptron(P, [x * np.nan for x in X0], Y0), "NaN"),
        (lambda: fast.chain_perceptron(P, X0, [(*Y0[0], 0), *Y0[1:]]), "positions and"),
        (lambda: fast.chain_perceptron(P, X0, [[9] * len(y) for y in Y0]), "from 0 to 2"),
        (lambda: fast.chain_perceptron(P, [], []), "no sequences"),
        (lambda: fast.tag(P, np.zeros(3), X0), "theta has shape"),
        (lambda: st.beam_perceptron(P, X0, Y0, 1, update="late"), "update must be"),
        (lambda: st.Chain(2, 2, order=3), "order is 1"),
        (lambda: st.collins_bound(P, X0, Y0, RUN, RUN.theta, gamma=np.nan), "gamma must be"),
        (lambda: P.f(X0[0], (9,) * len(X0[0])), "tags from 0 to 2"),
        (lambda: P.argmax(np.zeros(P.size), [[1.0]]), "x has shape"),
        (lambda: st.Classes("ab", 2).f([1.0, 2.0], "c"), "not one of the classes"),
        (
            lambda: st.collins_bound(
                P, X0[:1], Y0[:1], replace(RUN, mistakes=(st.Mistake(9, Y0[0]),)), RUN.theta
            ),
            "does not fit",
        ),
    ],
)
def test_impossible_wishes_are_refused_with_advice(call, advice):
    with pytest.raises(ValueError, match=advice):
        call()


RUN = st.structured_perceptron(P, X0, Y0, max_epochs=3)


def test_right_outputs_are_no_mistakes_of_the_hinge_bound():
    problem, X, Y = st.greedy_example()
    run = st.structured_perceptron(problem, X, Y)
    padded = replace(run, mistakes=run.mistakes + 50 * (st.Mistake(0, Y[0]),))
    bound = st.collins_hinge_bound(problem, X, Y, padded, 0 * run.theta)
    assert bound.failed == ("wrong outputs",) and bound.verdict == "refuted"
    assert st.collins_hinge_bound(problem, X, Y, run, 0 * run.theta).holds
