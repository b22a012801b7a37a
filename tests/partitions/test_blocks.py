"""Dual ascent by blocks: the gap over all parts proves, and planted lies are refused."""

import weakref
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from lectures_lib import datasets, linear, partitions
from lectures_lib._result import with_fields
from lectures_lib.partitions import blocks
from lectures_lib.proof.partitions import judge_parts
from lectures_lib.proof.rounding import no_mistake
from tests.partitions.test_partitions import U, parts_of, whole_numbers

# --- dual ascent by blocks -----------------------------------------------------------------------


@pytest.mark.parametrize("S, together", [(1, None), (3, None), (8, None), (8, 1), (8, 3), (8, 8)])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_the_machine_of_parts_is_that_of_all_examples(S, together, C):
    X, y = datasets.noisy(120, 3)
    machine = partitions.block_ascent(partitions.split(X, y, S), C, epochs=2, together=together)
    best = linear.dual_coordinate_descent(X, y, C, tol=1e-9).certificate
    assert machine.converged
    assert float(best.lower) <= machine.certificate.primal <= float(best.upper) * (1 + 1e-3)
    assert machine.certificate.lower <= best.upper


def parts_that(are, S=6):
    """Return parts that agree in everything, or in nothing, or somewhat."""
    X, y = datasets.noisy(20 * S, S)
    if are == "alike":
        return [(X[:20], y[:20])] * S
    if are == "apart":
        return [(X[20 * i : 20 * i + 20] * np.eye(S)[i], y[20 * i : 20 * i + 20]) for i in range(S)]
    return partitions.split(X, y, S)


@pytest.mark.parametrize("are", ["alike", "apart", "mixed"])
@pytest.mark.parametrize("together", [1, 2, 4, 6])
def test_the_dual_never_falls_from_round_to_round(are, together):
    given = {"parts": parts_that(are), "C": 1.0, "tol": 1e-9, "together": together}
    duals = [partitions.block_ascent(**given, max_iterations=k).certificate.dual
             for k in (1, 2, 3, 5, 8)]  # fmt: skip
    rounding = 1e-12 * duals[-1]
    assert (np.diff(duals) >= -rounding).all() and duals[0] > 0


@pytest.mark.parametrize("are, sigma", [("alike", 6.0), ("apart", 1.0)])
def test_parts_that_agree_need_all_of_sigma_and_parts_that_do_not_need_none(are, sigma):
    known = partitions.parts.check_parts(parts_that(are))
    told = [blocks.climb(part, np.zeros(20), 1.0, 6.0, np.zeros(6), 1)[2] for part in known]
    assert blocks._needed_sigma(told) == pytest.approx(sigma, rel=1e-12)


def test_no_group_needs_more_of_sigma_than_it_has_parts():
    rng = np.random.default_rng(0)
    for size in range(1, 9):
        steps = rng.normal(size=(size, 3)) + rng.normal(size=3)
        told = [blocks.Message(dw, 0.0, 0.0, 0.0, 1.0) for dw in steps]
        assert 0 <= blocks._needed_sigma(told) <= size * (1 + 1e-12)


@pytest.mark.parametrize("parts, together, sizes", [
    (1, None, [1]), (4, None, [2, 2]), (9, None, [5, 4]), (400, None, [8] * 50),
    (9, 8, [5, 4]), (3, 1, [1, 1, 1]), (3, 100, [3]),
])  # fmt: skip
def test_groups_hold_every_part_once_and_are_of_one_size_up_to_one(parts, together, sizes):
    groups = blocks._groups(parts, together)
    assert [len(group) for group in groups] == sizes
    assert [i for group in groups for i in group] == list(range(parts))


@pytest.mark.parametrize("seed", range(3))
def test_sixteen_times_as_many_parts_need_no_more_than_twice_the_rounds(seed):
    X, y = datasets.noisy(640, 5, rng=seed)
    few, many = (partitions.block_ascent(partitions.split(X, y, S)) for S in (4, 64))
    assert few.converged and many.converged and many.iterations <= 2 * few.iterations


def test_later_passes_look_at_those_that_the_pass_before_has_moved():
    X, y = datasets.noisy(50, 3)
    v, alpha, norms2 = np.zeros(3), np.zeros(50), (X * X).sum(axis=1)
    order = np.arange(50)
    while order.size:
        before = alpha.copy()
        seen = order.copy()
        order = partitions.block_pass(X, y, 1.0, 2.0, v, alpha, norms2, order)
        assert np.array_equal(np.flatnonzero(alpha != before), order)
        assert set(order) <= set(seen)
    assert v == pytest.approx(2.0 * (alpha * y) @ X, rel=1e-9)


def test_the_gap_of_a_round_is_that_of_the_judge_where_all_parts_are_one_group():
    X, y = datasets.noisy(90, 4)
    given = {"parts": partitions.split(X, y, 3), "C": 2.0, "tol": 1e-9, "together": 3}
    gaps = partitions.block_ascent(**given, max_iterations=5).gaps
    assert len(gaps) == 6 and gaps[0] == 2.0 * 90
    for k in range(1, 6):
        seen = partitions.block_ascent(**given, max_iterations=k).certificate
        assert gaps[k] == pytest.approx(seen.primal - seen.dual, rel=1e-9)


def test_rounds_stop_when_the_judge_says_so_and_he_is_asked_rarely(monkeypatch):
    said = []

    def judge(*given):
        said.append(judge_parts(*given))
        return said[-1]

    monkeypatch.setattr(blocks, "judge_parts", judge)
    for S, together in ((1, 1), (8, 1), (8, 8), (32, None)):
        X, y = datasets.noisy(960, 20)
        machine = partitions.block_ascent(partitions.split(X, y, S), together=together)
        *before, last = said
        assert machine.converged and last is machine.certificate and len(before) <= 3
        assert all(one.verdict == "refuted" for one in before)
        said.clear()


def test_the_gap_over_parts_is_that_of_the_judge_of_the_whole():
    from lectures_lib.proof.svm import certificate_of_weights

    X, y = datasets.noisy(90, 4)
    parts = partitions.split(X, y, 4)
    machine = partitions.block_ascent(parts, 2.0, max_iterations=5, tol=1e-9)
    alpha = np.concatenate(machine.alpha)
    whole = certificate_of_weights(X, y, 2.0, alpha, machine.w, 0.0, tol=1e-9)
    ours = machine.certificate
    assert not machine.converged and ours.verdict == whole.verdict == "refuted"
    for name in ("primal", "dual", "on_margin", "at_bound"):
        assert getattr(ours, name) == pytest.approx(getattr(whole, name), rel=1e-12)
    assert ours.lower <= whole.dual <= whole.primal <= ours.upper


@pytest.mark.parametrize("seed", range(3))
def test_both_sides_enclose_the_exact_values(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(12, 3)) * 10.0 ** rng.integers(-6, 6), rng.choice([-1.0, 1.0], 12)
    alpha, w = rng.uniform(0, 1.5, 12), rng.normal(size=3)
    parts, cut = partitions.split(X, y, 3), np.array_split(alpha, 3)
    seen = partitions.block_certificate(parts, 1.5, cut, w)
    F = [[Fraction(v) for v in row] for row in X.tolist()]
    z = [[int(s) * v for v in row] for s, row in zip(y, F)]
    v, a = [Fraction(c) for c in w.tolist()], [Fraction(c) for c in alpha.tolist()]
    slack = sum(max(Fraction(0), 1 - sum(p * q for p, q in zip(v, row))) for row in z)
    primal = sum(p * p for p in v) / 2 + Fraction(1.5) * slack
    made = [sum(c * row[j] for c, row in zip(a, z)) for j in range(3)]
    dual = sum(a) - sum(p * p for p in made) / 2
    assert seen.above.low <= primal <= seen.above.high
    assert seen.below.low <= dual <= seen.below.high


@pytest.mark.parametrize(
    "forge, reason",
    [
        (lambda a, w: ([a[0] - 0.5, *a[1:]], w), "outside its box"),
        (lambda a, w: ([a[0] + 2.0, *a[1:]], w), "outside its box"),
        (lambda a, w: ([0 * part for part in a], w), "gap"),
        (lambda a, w: (a, -w), "gap"),
        (lambda a, w: ([a[0] * np.nan, *a[1:]], w), "not a finite number"),
    ],
)
def test_a_lie_about_a_machine_of_parts_is_refuted(forge, reason):
    X, y = datasets.noisy(60, 3)
    parts = partitions.split(X, y, 3)
    machine = partitions.block_ascent(parts)
    assert partitions.block_certificate(parts, 1.0, machine.alpha, machine.w).holds
    alpha, w = forge(machine.alpha, machine.w)
    judged = partitions.block_certificate(parts, 1.0, alpha, w)
    assert judged.verdict == "refuted" and reason in judged.reason


def test_files_give_the_same_answers_to_the_bit(tmp_path):
    X, y = whole_numbers(5)
    parts = partitions.split(X, y, 4)
    files = partitions.save(parts, tmp_path)
    a, b = partitions.parameter_mixing(parts), partitions.parameter_mixing(files)
    assert np.array_equal(a.weights, b.weights) and np.array_equal(a.votes, b.votes)
    assert partitions.mixing_bound(b, files).holds
    a, b = partitions.block_ascent(parts), partitions.block_ascent(files)
    assert np.array_equal(a.w, b.w) and np.array_equal(a.gaps, b.gaps)


def at_an_odd_address(values):
    """Return a copy that begins four bytes after a multiple of eight."""
    room = np.empty(values.nbytes + 16, np.uint8)
    first = (4 - room.ctypes.data) % 8
    there = room[first : first + values.nbytes].view(values.dtype).reshape(values.shape)
    there[...] = values
    return there


def test_where_a_message_lies_in_memory_changes_no_bit():
    numbers = np.random.default_rng(0).uniform(size=20_000)
    sent = *datasets.noisy(20_000, 5), numbers, np.linspace(-1, 1, 5)
    sent = [np.asarray(values, dtype=float) for values in sent]
    odd = [at_an_odd_address(values) for values in sent]
    assert not any(values.flags.aligned for values in odd)
    found = []
    for X, y, alpha, w in (sent, odd):
        part = partitions.Part(X, y)
        sums = blocks._sums(part, 1.0, alpha, w, False)
        told = blocks.climb(part, alpha, 1.0, 2.0, w, 3)[2]
        numbers = [sums.alpha.value, sums.slack.value, sums.on_margin, sums.at_bound]
        numbers += [told.gain, told.alpha, told.gap, told.reach]
        found.append(np.concatenate([sums.made, sums.made_error, told.dw, numbers]))
    assert np.array_equal(*found)


class Watched(partitions.FilePart):
    """A part in files that refuses to be read while another one is in memory."""

    alive: ClassVar[list[weakref.ref]] = []

    def load(self):
        X, y = super().load()
        assert all(seen() is None for seen in self.alive), "two parts are in memory"
        self.alive[:] = [weakref.ref(X)]
        return X, y


def test_no_two_parts_in_files_are_ever_in_memory(tmp_path):
    files = [Watched(file.X, file.y) for file in partitions.save(parts_of(6, S=4), tmp_path)]
    run = partitions.parameter_mixing(files)
    assert partitions.mixing_bound(run, files, U).holds
    assert partitions.block_ascent(files).converged
    kept = files[0].load()  # so the watch is awake: with one part held, the next is refused
    with pytest.raises(AssertionError, match="two parts"):
        files[1].load()
    assert len(kept) == 2


class Mortal(partitions.FilePart):
    """A part in files whose reader dies after so many readings."""

    left: ClassVar[list[int]] = [0]

    def load(self):
        if self.left[0] == 0:
            raise KeyboardInterrupt
        self.left[0] -= 1
        return super().load()


def assert_one_machine(a, b):
    """Compare to the bit."""
    assert np.array_equal(a.w, b.w) and np.array_equal(a.gaps, b.gaps)
    assert all(np.array_equal(*pair) for pair in zip(a.alpha, b.alpha, strict=True))
    assert a.certificate.verdict == b.certificate.verdict


@pytest.mark.parametrize("life", [1, 2, 3, 4, 7, 11])
@pytest.mark.parametrize("together", [1, 2, 3])
def test_ascent_that_was_killed_goes_on_from_its_folder_to_the_same_bits(tmp_path, life, together):
    files = partitions.save(parts_of(6), tmp_path / "parts")
    told = {"tol": 1e-5, "max_iterations": 6, "together": together}
    mortal = [Mortal(file.X, file.y) for file in files]
    whole = partitions.block_ascent(files, **told)
    rounds, deaths = tmp_path / "rounds", 0
    while True:
        Mortal.left[0] = life + 2 * deaths  # 3 parts: a round needs 3 readings, the proof too
        try:
            machine = partitions.block_ascent(mortal, **told, folder=rounds)
        except KeyboardInterrupt:
            deaths += 1
        else:
            break
    assert deaths > 0
    assert_one_machine(machine, whole)
    assert len(list(rounds.glob("*-*.npy"))) == len(files)  # those of the last round alone


def test_more_rounds_in_a_folder_are_the_rounds_of_one_call(tmp_path):
    parts, told = parts_of(7), {"tol": 1e-9, "epochs": 2}
    partitions.block_ascent(parts, **told, max_iterations=3, folder=tmp_path)
    more = partitions.block_ascent(parts, **told, max_iterations=5, folder=tmp_path)
    assert_one_machine(more, partitions.block_ascent(parts, **told, max_iterations=5))
    assert more.iterations == 5


def test_a_finished_run_is_read_from_its_folder_and_proved_again(tmp_path):
    X, y = datasets.noisy(60, 3)
    parts = partitions.split(X, y, 3)
    first, again = (partitions.block_ascent(parts, folder=tmp_path) for _ in range(2))
    assert again.converged
    assert_one_machine(first, again)


@pytest.mark.parametrize(
    "change", [{"C": 2.0}, {"epochs": 2}, {"together": 3}, {"parts": parts_of(7, S=4)}]
)
def test_a_folder_of_another_problem_is_refused(tmp_path, change):
    given = {"parts": parts_of(7), "C": 1.0, "epochs": 1, "max_iterations": 2}
    partitions.block_ascent(**given, folder=tmp_path)
    with pytest.raises(ValueError, match="other parts, C or options"):
        partitions.block_ascent(**(given | change), folder=tmp_path)


def test_a_message_weighs_the_same_where_whole_numbers_have_four_bytes():
    message = np.arange(3, dtype=np.int32), np.ones(2), 1
    for kind in (np.int32, np.int64):
        scales = partitions.Scales()
        kept = scales.submit(lambda *given: given, message[0].astype(kind), *message[1:])
        scales.gather([kept])
        assert scales.out == scales.back == 8 * 6


# --- what the referee found ----------------------------------------------------------------------


def test_a_part_without_mistakes_is_judged_in_fractions_too():
    X = np.array([[-8.067046992250012e-10, 2.5837465696913635, 0.027958511278142296],
                  [8.067046992250012e-10, 0.46646394829570814, 0.517522633507522]])  # fmt: skip
    parts = partitions.split(X, [-1, 1], 2)
    run = partitions.parameter_mixing(parts, votes="equal")
    u = [4.4177471409e-09, -0.411961936, 2.30360049]
    proof = partitions.mixing_bound(run, parts, u, exact=True)
    assert (run.counts == 0).any()
    along = [Fraction(v) for v in u]
    edges = [
        s * sum(Fraction(a) * b for a, b in zip(x, along)) for x, s in zip(X.tolist(), (-1, 1))
    ]
    K = Fraction(0)
    for n, (end, counts) in enumerate(zip(run.weights[1:].tolist(), run.counts.tolist())):
        K += Fraction(sum(counts), 2)
        reached = sum(Fraction(a) * b for a, b in zip(end, along))
        assert proof.line("sum of progress").room.value[n] == reached - K * min(edges)


def test_a_run_by_hand_on_decimals_is_judged():
    X, _ = datasets.noisy(12, 2)
    parts = partitions.split(X, np.where(X @ [1.0, 2.0] > 0, 1, -1), 3)
    run = partitions.parameter_mixing_by_hand(parts, max_epochs=4)
    assert partitions.mixing_bound(run, parts, [1.0, 2.0]).verdict == "proved"


@pytest.mark.parametrize("bound", [1.00001, 3.00004, 12.34564, 5.0, np.inf])
def test_the_bound_as_it_is_printed_is_not_below_the_bound(bound):
    parts = partitions.split(*whole_numbers(0), 2)
    proof = partitions.mixing_bound(partitions.parameter_mixing(parts), parts, U)
    printed = str(with_fields(proof, bound=bound)).split("<= ")[1].split(":")[0]
    assert bound <= float(printed) <= bound + 1e-4


@pytest.mark.parametrize("S", [2, 3, 4, 5])
def test_votes_too_many_to_be_added_as_machine_numbers_are_shares_all_the_same(S):
    parts = partitions.split(*whole_numbers(0), S)
    run = partitions.parameter_mixing(parts, votes="equal")
    loud = replace(run, votes=np.full_like(run.votes, 2**62))
    assert partitions.mixing_bound(loud, parts, U).verdict == "proved"
    assert all(sum(mu) == 1 for mu in loud.shares)


def test_a_score_beyond_all_floats_tells_no_sign_by_itself():
    X = np.array([[2.0**600, 2.0**600], [2.0**600, -(2.0**599)]])  # infinity less infinity: NaN
    with np.errstate(all="ignore"):
        w = np.array([2.0**600, -(2.0**600)])  # the signs are 0 and +1
        assert no_mistake(X, np.array([1.0, 1.0]), w, tie_label=1.0)
        assert not no_mistake(X, np.array([1.0, 1.0]), w)
        assert not no_mistake(X, np.array([1.0, -1.0]), w, tie_label=1.0)


def test_parts_made_by_hand_are_checked_like_all_others():
    wrong = {"labels": ([[1.0]], [2.0]), "NaN": ([[np.nan]], [1.0]), "rows": ([[1.0]], [1.0, 1.0])}
    for X, y in wrong.values():
        part = partitions.Part(np.array(X), np.array(y))
        with pytest.raises(ValueError):
            partitions.block_certificate([part], 1.0, [[0.5]], [1.0])
        with pytest.raises(ValueError):
            partitions.parameter_mixing([part])


def test_a_run_that_is_none_is_refused_in_a_sentence():
    parts = parts_of(0)
    run = partitions.parameter_mixing(parts)
    nothing = replace(
        run, weights=run.weights[:1], mistakes=(), votes=run.votes[:0], w=run.weights[0]
    )
    floats = replace(run, weights=run.weights.astype(object))
    for wrong, u in ((nothing, U), (floats, U), (with_fields(run, w=run.w * np.nan), None)):
        with pytest.raises(ValueError, match="does not fit"):
            partitions.mixing_bound(wrong, parts, u)


def test_fractions_decide_what_rounding_leaves_open_over_parts():
    X, y = np.array([[1e8, 1.0], [1e8, -1.0], [-1e8, 3.0]]), np.array([1.0, 1.0, -1.0])
    parts, w = [(X[:2], y[:2]), (X[2:], y[2:])], np.array([1e-8, 0.0])
    alpha = [[2.5e-17, 2.5e-17], [5e-17]]
    exact = partitions.block_certificate(parts, 1.0, alpha, w, exact=True)
    assert isinstance(exact.above.value, Fraction) and isinstance(exact.below.value, Fraction)
    for tol in (1e-15, 1e-17):  # far below what floats can tell
        rough, sharp = (partitions.block_certificate(parts, 1.0, alpha, w, tol=tol, exact=e)
                        for e in (False, True))  # fmt: skip
        assert rough.verdict == sharp.verdict != "undecided"
