"""Inputs for every compiled loop of the library, by name."""

import numpy as np

from lectures_lib.fast import descent_loops


def data(rng):
    n, d = rng.integers(1, 12), rng.integers(1, 12)
    X = rng.normal(size=(n, d)) if rng.random() < 0.5 else rng.integers(-3, 4, size=(n, d)) / 10
    return X, rng.choice([-1.0, 1.0], size=n), rng.permutation(n), rng.choice([-1.0, 0.0, 1.0])


def dot_input(rng):
    d = rng.integers(1, 40)
    return rng.normal(size=d), rng.normal(size=d)


def pass_input(rng):
    X, y, order, tie_label = data(rng)
    return X, y, order, tie_label, rng.integers(-2, 3, size=X.shape[1]) / 10


def whole_score_input(rng):
    """Return whole numbers, whose sums have the same bits in any order."""
    w, x = rng.integers(-9, 10, size=(2, rng.integers(1, 40))).astype(float)
    return w, np.vstack([x, x, x]), int(rng.integers(3))


def score_input(rng):
    w, x = dot_input(rng)
    return w, np.vstack([x, w, x]), int(rng.integers(3))


def update_input(rng):
    w, X, i = score_input(rng)
    return w, float(rng.normal()), X, i


def doubt_input(rng):
    return float(rng.choice([0.0, 1e299, 1e300, np.inf, rng.uniform()])), int(rng.integers(1, 99))


def fetch_input(rng):
    return rng.normal(size=(3, 20)), int(rng.integers(3))


def fast_pass_input(rng):
    *arguments, total = averaged_input(rng)
    largest = float(np.abs(arguments[0]).max())
    return *arguments, largest, total if rng.integers(2) else None


def sparse_rows(X):
    """Return the three arrays of the sparse rows of X."""
    counts = np.count_nonzero(X, axis=1)
    return X[X != 0], np.nonzero(X)[1], np.concatenate([[0], np.cumsum(counts)])


def sparse_score_input(rng):
    X, *_, w = pass_input(rng)
    data, places, start = sparse_rows(X)
    return w, data, places, int(start[-2]), int(start[-1])


def sparse_pass_input(rng):
    X, *rest = pass_input(rng)
    return *sparse_rows(X), *rest


def voted_input(rng):
    return *pass_input(rng), int(rng.integers(0, 9)), int(rng.integers(0, 2))


def averaged_input(rng):
    arguments = pass_input(rng)
    return *arguments, rng.normal(size=arguments[-1].size)


def rows_input(rng):
    """Examples as the loops of `linear` take them: dense, or the three arrays of sparse ones (two,
    if their entries are all 1); and the constant feature. X is returned with it."""
    X, y, order, _ = data(rng)
    order = order.astype(np.uint32)
    X[0] = 0.0 if rng.random() < 0.2 else X[0]
    none = np.empty(0), np.empty(0, np.uint32), np.empty(0, np.uint32)
    constant = float(rng.choice([0.0, 1.5]))
    column = np.full((len(X), 1), constant)
    if rng.random() < 0.5:
        return np.hstack([X, column]), (X, *none, constant), y, order
    ones = rng.random() < 0.3
    X = (X > 0.0).astype(float) if ones else X * (rng.random(X.shape) < 0.5)
    start = np.append(0, np.cumsum((X != 0).sum(axis=1))).astype(np.uint32)
    places = np.nonzero(X)[1].astype(np.uint32)
    rows = None, None if ones else X[X != 0], places, start, constant
    return np.hstack([X, column]), rows, y, order


def dual_input(rng):
    X, rows, y, order = rows_input(rng)
    squared, C = bool(rng.random() < 0.5), rng.uniform(0, 2, size=y.size)
    high, D = (np.full(y.size, np.inf), 0.5 / C) if squared else (C, np.zeros(y.size))
    alpha = rng.choice([0.0, 0.5, 1.0], size=y.size) * C
    box = descent_loops.DualBox(y, C, high, D, (X * X).sum(axis=1) + D, squared)
    dense, *entries = rows
    return dense, descent_loops.SparseRows(*entries), box, (alpha * y) @ X, alpha, order


def dual_pass_input(rng):
    bounds = (np.inf, -np.inf) if rng.random() < 0.5 else (0.1, -0.1)
    arguments = dual_input(rng)
    return *arguments, int(rng.integers(1, arguments[-1].size + 1)), *bounds


def descend_input(rng):
    seed, shrink = int(rng.integers(0, 99)), float(rng.choice([0.0, 0.6, 1.0]))
    patience = float(rng.choice([1.0, np.inf]))
    most, done, bound = int(rng.integers(1, 9)), int(rng.integers(0, 9)), rng.choice([0.1, np.inf])
    memory = float(rng.uniform(0.9, 1)), float(bound), -float(bound), done
    goal = descent_loops.Goal(shrink, 1e-3, patience, most)
    return *dual_input(rng), seed, 0.0, goal, memory


def shuffle_input(rng):
    order = rng.permutation(9)
    return order, int(rng.integers(1, 10)), int(rng.integers(1, 2**31 - 1))


def sparse_row_input(rng):
    places = rng.permutation(12)[: rng.integers(0, 12)].astype(np.uint32)
    data = rng.normal(size=places.size)
    return rng.normal(size=12), None if rng.random() < 0.3 else data, places


def sparse_dot_input(rng):
    w, data, places = sparse_row_input(rng)
    first, last = sorted(int(end) for end in rng.integers(0, places.size + 1, size=2))
    return w, data, places, first, last


def add_input(rng):
    w, x = dot_input(rng)
    return w, float(rng.normal()), x


def sparse_add_input(rng):
    w, *row = sparse_dot_input(rng)
    return w, float(rng.normal()), *row


def starts(rng, size):
    return np.append([0, 0], np.sort(rng.integers(0, size + 1, size=4))).astype(np.uint32)


def norms2_input(rng):
    _, data, places = sparse_row_input(rng)
    return data, starts(rng, places.size)


def squares_input(rng):
    _, data, places = sparse_row_input(rng)
    start = starts(rng, places.size)
    s = rng.permutation(5)[: rng.integers(0, 6)]
    return data, places, start, s, rng.uniform(size=s.size), np.zeros((13, 13))


def along_input(rng):
    n = int(rng.integers(1, 20))
    high = np.full(n, np.inf) if rng.random() < 0.5 else rng.uniform(0, 2, size=n)
    r, q, pull = rng.normal(size=(3, n))
    return float(rng.normal()), r, q, pull, rng.uniform(0.1, 2, size=n), high, np.empty(n)


def strings_input(rng):
    s, t = (rng.integers(0, 3, size=rng.integers(1, 9)) for _ in range(2))
    return s, t, int(rng.integers(1, 4)), float(rng.uniform(0.1, 1))


def one_letter_input(rng):
    s, t, _, decay = strings_input(rng)
    return s, t, rng.uniform(size=(s.size, t.size)), decay


def gram_input(rng):
    """A Gram matrix, labels, C, a feasible beta and its box."""
    X, y, _, _ = data(rng)
    K = X @ X.T
    C = float(rng.choice([0.1, 1.0, 10.0, np.inf]))
    low, high = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)
    some = np.ones(y.size, bool) if np.isinf(C) else rng.random(y.size) < 0.5
    beta = np.where(some, rng.uniform(size=y.size), 1.0) * y * min(C, 1.0)
    return K, y, C, low, high, beta


def box_input(rng):
    """A Gram matrix, low, high, a beta between them and F."""
    K, y, _, low, high, beta = gram_input(rng)
    return K, low, high, beta, y - K @ beta


def extremes_input(rng):
    _, low, high, beta, F = box_input(rng)
    return F, beta, low, high


def move_input(rng):
    K, *box, F = box_input(rng)
    i, j = rng.integers(0, F.size, size=2)
    return K, *box, F, int(i), int(j)


def pairs_input(rng):
    return *box_input(rng), 1e-3, int(rng.integers(0, 40))


def quick_input(rng):
    """Return a problem of the quick loop: without a tube, or with one."""
    return *pairs_input(rng), float(rng.choice([0.0, 0.1]))


def gap_input(rng):
    """Return beta, F, labels, prices and an offset."""
    n = int(rng.integers(1, 9))
    y, C = rng.choice([-1.0, 1.0], size=n), rng.integers(1, 4, size=n).astype(float)
    return y * C * rng.random(n), rng.normal(size=n), y, C, float(rng.normal())


def multipliers_input(rng):
    """Return K with labels, prices, the violation asked for, the gap, and the limits."""
    K, *_ = gram_input(rng)
    y, C = rng.choice([-1.0, 1.0], size=len(K)), rng.integers(1, 4, size=len(K)).astype(float)
    return np.ascontiguousarray(K), y, C, 0.1, float(rng.choice([1e-3, 0.5])), 1e-3, 4, 40


def edges_input(rng):
    low, high = sorted(rng.integers(-3, 4, size=2).tolist())
    return (
        float(rng.integers(low, high + 1)),
        float(low),
        float(high),
        float(rng.choice([0.0, 0.1])),
    )


def float_input(rng):
    values = [-np.inf, -2.0, -1e-300, -0.0, 0.0, 1e-300, 1.0, np.inf]
    return (float(rng.choice(values)),)


def pattern_input(rng):
    return (int(rng.integers(-(2**62), 2**62)),)


def first_input(rng):
    values = rng.choice([-np.inf, -2.0, 0.0, 1e-300, 2.0], size=rng.integers(1, 40))
    return values, values.max()


def first_to_grow_input(rng):
    F, _ = first_input(rng)
    up = -rng.choice([0.0, np.inf], size=F.size)
    return F, up, (F + up).max()


def gains_input(rng):
    K, _, _, _, F, *_ = pairs_input(rng)
    i, down = int(rng.integers(F.size)), rng.choice([0.0, np.inf], size=F.size)
    return K, np.diag(K).copy(), i, float(F[i]), F, down, np.empty(F.size)


def quick_shift_input(rng):
    K, _, _, _, F, *_ = pairs_input(rng)
    i, j = (int(place) for place in rng.integers(F.size, size=2))
    up, down = -rng.choice([0.0, np.inf], size=F.size), rng.choice([0.0, np.inf], size=F.size)
    return K, F, i, j, float(rng.normal()), up, down


def quick_move_input(rng):
    K, low, high, beta, *_ = pairs_input(rng)
    i, j = (int(place) for place in rng.integers(beta.size, size=2))
    return K, np.diag(K).copy(), low, high, beta, i, j, float(abs(rng.normal()))


def partner_input(rng):
    K, low, _, beta, F = box_input(rng)
    return K, F, beta, low, int(rng.integers(0, F.size))


def asked_input(rng):
    K, y, C, _, _, beta = gram_input(rng)
    return K, y, C, beta * y, y - K @ beta


def take_step_input(rng):
    arguments = asked_input(rng)
    i, j = rng.integers(0, arguments[1].size, size=2)
    return *arguments, int(i), int(j)


def offset_input(rng):
    return asked_input(rng)[1:]


def examine_input(rng):
    K, y, C, alpha, F = asked_input(rng)
    return K, y, C, 1e-3, alpha, F, float(rng.normal()), int(rng.integers(0, y.size))


def platt_input(rng):
    K, y, C, _, _, _ = gram_input(rng)
    return K, y, C, 1e-3, int(rng.integers(0, 40)), np.zeros(y.size), y.copy()


def single_input(rng):
    """A sub-problem of the fast SMO in single precision."""
    K, y, _, low, high, beta = gram_input(rng)
    up, down = np.where(beta < high, 0.0, -np.inf), np.where(beta > low, 0.0, np.inf)
    columns = (K.diagonal(), y - K @ beta, up, down, rng.uniform(size=y.size))
    return K.astype(np.float32), np.array(columns, dtype=np.float32), (low, high, beta)


def single_pattern_input(rng):
    return (np.float32(rng.choice([0.0, -np.inf, rng.normal()])),)


def single_value_input(rng):
    return (np.int32(rng.integers(-(2**30), 2**30)),)


def single_curvature_input(rng):
    return tuple(rng.choice([0.0, 1.0, 2.0, rng.normal()], size=3).astype(np.float32))


def single_first_input(rng):
    v = rng.integers(0, 4, size=rng.integers(1, 9)).astype(np.float32)
    return v, np.arange(v.size, dtype=np.int32), rng.choice([v.max(), np.float32(9.0)])


def single_grow_input(rng):
    _, (_, F, up, _, _), _ = single_input(rng)
    return F, up, np.arange(F.size, dtype=np.int32), (F + up).max()


def single_gains_input(rng):
    K, (diagonal, F, _, down, gains), _ = single_input(rng)
    i = int(rng.integers(len(K)))
    return K[i], diagonal, i, F, down, gains


def single_shift_input(rng):
    K, (_, F, up, down, _), _ = single_input(rng)
    i, j = rng.integers(len(K), size=2)
    return F, np.float32(rng.normal()), K[i], K[j], up, down


def single_run_input(rng):
    K, (diagonal, F, *_), box = single_input(rng)
    return K, diagonal, *box, F, 1e-3, int(rng.integers(0, 40))


def kept_rows_input(rng):
    kept, places = rng.normal(size=(4, 9)), rng.permutation(4)[: rng.integers(1, 5)]
    return kept, places, rng.normal(size=places.size), rng.normal(size=9), 2, 8


def take_input(rng):
    kind, rows = rng.choice([np.float32, np.float64]), rng.integers(2, 5)
    tile, to = rng.normal(size=(rows, 5)).astype(kind), rng.permutation(4)[:rows]
    to[rng.random(rows) < 0.4] = -1
    return tile, rng.normal(size=rows), to, rng.normal(size=(4, 9)).astype(kind), 3, np.zeros(9)


def gather_input(rng):
    A = rng.permutation(9)[:5]
    return rng.normal(size=(3, 9)), rng.permutation(3), A, np.zeros((5, 8)), 1, 3


def slack_input(rng):
    X, y, _, _, w = pass_input(rng)
    return X, y, w


def weighted_input(rng):
    X, y, _, _ = data(rng)
    return X, y * rng.choice([0.0, 0.3, 1.0], size=y.size)


def block_pass_input(rng):
    X, y, w = slack_input(rng)
    sigma, alpha, order = (
        float(rng.integers(1, 5)),
        rng.uniform(size=y.size),
        rng.permutation(y.size),
    )
    return X, y, 1.0, sigma, w, alpha, (X * X).sum(axis=1), order


def part_gap_input(rng):
    X, y, w = slack_input(rng)
    return X, y, 1.0, w, rng.uniform(size=y.size), np.empty(y.size)


def descent_pass_input(rng):
    X, y, order, _ = data(rng)
    n, d = X.shape
    return X, y, np.full(n, 0.7), np.full(n, 0.1), np.zeros(d), np.zeros(n), order


def pegasos_input(rng):
    X, y, _, _ = data(rng)
    return X, y, 0.3, rng.integers(len(y), size=20)


def assign_input(rng):
    n, k = rng.integers(4, 12), rng.integers(1, 4)
    S, norms = rng.normal(size=(k, n)), rng.choice([0.0, 1.0, 9.0], size=k)
    return S, rng.integers(1, 4, size=k) / 1.0, norms, rng.uniform(size=n), np.zeros(n, dtype=int)


def shift_input(rng):
    n, k = rng.integers(1, 12), 3
    before, labels = rng.integers(-1, k, size=n), rng.integers(k, size=n)
    return rng.normal(size=(n, 2)), before, labels, np.zeros((k, 2)), np.zeros(k)


INPUTS = {
    "fast.clusters._assign": assign_input,
    "fast.clusters._shift": shift_input,
    "discrete.strings._gap_weighted": strings_input,
    "discrete.strings.one_letter_more": one_letter_input,
    "perceptron.linear.dot": dot_input,
    "perceptron.linear.one_pass": pass_input,
    "perceptron.linear.voted_pass": voted_input,
    "perceptron.linear.averaged_pass": averaged_input,
    "fast.passes._rough": whole_score_input,
    "fast.passes._score": score_input,
    "fast.passes._update": update_input,
    "fast.passes._doubt": doubt_input,
    "fast.passes._fetch": fetch_input,
    "fast.passes.fast_pass": fast_pass_input,
    "fast.perceptrons._score": sparse_score_input,
    "fast.perceptrons.sparse_pass": sparse_pass_input,
    "fast.descent_loops._dot": dot_input,
    "linear.passes.descent_pass": descent_pass_input,
    "linear.passes.pegasos_steps": pegasos_input,
    "fast.descent_loops._add": add_input,
    "fast.descent_loops._sparse_dot": sparse_dot_input,
    "fast.descent_loops._sparse_add": sparse_add_input,
    "fast.descent_loops._sparse_norms2": norms2_input,
    "fast.descent_loops._sparse_squares": squares_input,
    "fast.descent_loops._shuffle": shuffle_input,
    "fast.descent_loops._dual_pass": dual_pass_input,
    "fast.descent_loops._descend": descend_input,
    "fast.proximal._along": along_input,
    "partitions.loops.block_pass": block_pass_input,
    "partitions.loops._part_gap": part_gap_input,
    "partitions.loops._weighted_sum": weighted_input,
    "fast.row_cache._add": kept_rows_input,
    "fast.row_cache._take": take_input,
    "fast.row_cache._gather": gather_input,
    "fast.loop32._pattern": single_pattern_input,
    "fast.loop32._value": single_value_input,
    "fast.loop32._curvature": single_curvature_input,
    "fast.loop32._first": single_first_input,
    "fast.loop32._first_to_grow": single_grow_input,
    "fast.loop32._gains": single_gains_input,
    "fast.loop32._shift": single_shift_input,
    "fast.loop32.single_second_order": single_run_input,
    "smo.extremes": extremes_input,
    "smo._curvature": lambda rng: tuple(rng.normal(size=3)),
    "smo._move": move_input,
    "smo.first_order_loop": pairs_input,
    "smo.partner": partner_input,
    "smo.second_order_loop": pairs_input,
    "fast.loop64._pattern": float_input,
    "fast.loop64._value": pattern_input,
    "fast.loop64._first": first_input,
    "fast.loop64._first_to_grow": first_to_grow_input,
    "fast.loop64._gains": gains_input,
    "fast.loop64._shift": quick_shift_input,
    "fast.loop64._move": quick_move_input,
    "fast.loop64._edges": edges_input,
    "fast.loop64.quick_second_order": quick_input,
    "fast.loop64._relative_gap": gap_input,
    "fast.loop64.quick_multipliers": multipliers_input,
    "smo.take_step": take_step_input,
    "smo._offset": offset_input,
    "smo.examine": examine_input,
    "smo.platt_loop": platt_input,
}
