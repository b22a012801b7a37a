"""A hundred wrong answers that nobody planted: small slips and odd ideas, as changes to solutions.

Each has its own words, and the names that would be right for it: mostly none, because nothing
planted is the same mistake. `tools.grading.naming` counts how the grader calls them.
"""

from dataclasses import dataclass

from lectures_homework.instructor import masters


@dataclass(frozen=True)
class Mistake:
    """A solution with something changed; `called` are the planted names that are right for it."""

    homework: str
    function: str
    words: str
    changes: tuple[tuple[str, str], ...]
    called: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The question that asks for the function."""
        asked = masters.load(self.homework).functions
        return next(q for q, functions in asked.items() if self.function in functions)

    @property
    def source(self) -> str:
        """The changed solution."""
        text = masters.solutions(self.homework)[self.function]
        for old, new in self.changes:
            if text.count(old) != 1:
                raise ValueError(f"{self.homework} {self.function}: {old!r} is not there once")
            text = text.replace(old, new)
        return text


#: The planted names that are right: these mistakes were planted after all, in other words.
CALLED = {
    ("hw7", "the place after, not the one before"): "the pairs are turned round: G[r, s] is for s "
    "after r",
    ("hw1", "minus for the negative ones"): "multiplies with the label once more: it is inside "
    "each fact",
    ("hw2", "half of the mixed term, turned round"): "forgets the 2 of the mixed term",
    ("hw4", "the balance with the other sign, in front"): "adds b times the balance instead of "
    "taking it away",
    ("hw6", "shares instead of counts"): "gives shares of all examples instead of counts",
    (
        "hw6",
        "specificity instead of FPR",
    ): "FPR is the share of negatives that are left alone",
    (
        "hw6",
        "d + 1 points",
    ): "gives separators through the origin d + 1 points, as if they had an offset",
    ("hw6", "the absolute dependence"): "the signs of a are lost",
    ("hw1", "subtracts b"): "subtracts the offset",
    ("hw1", "the step is normalised"): "the step is divided by the length of x",
    (
        "hw1",
        "any score below 1 is a mistake",
    ): "updates also where a right example is near the line",
    ("hw1", "counts passes, not mistakes"): "counts passes instead of mistakes",
    ("hw1", "the test has no offset"): "the offset moves but is not used in the test for a mistake",
    (
        "hw1",
        "returns the counts as they are",
    ): "counts the mistakes from the start, not between the two visits",
    ("hw2", "b is divided by nothing"): "divides w by its length but not b",
    ("hw2", "divides by the sum of absolute weights"): "divides by the sum of the entries of w",
    ("hw2", "never below 0"): "stops at 0: a set with mistakes gets the margin 0",
    ("hw2", "the mean norm for R"): "the mean length instead of the largest",
    ("hw2", "a is not shrunk"): "the weights do not add up to 1",
    ("hw3", "the factor 2 is squared, too"): "the 2 is squared together with sigma",
    (
        "hw3",
        "divides by the number of features",
    ): "takes the mean over the features instead of the sum",
    ("hw3", "absolute value"): "drops the sign of 1 + x·z",
    ("hw3", "adds a label instead of 1"): "the label is applied twice: in alpha and in the sum",
    ("hw3", "goes backwards"): "goes through the examples backwards",
    ("hw3", "divides by the sum of alpha"): "divides by the number of mistakes",
    ("hw3", "starts at 2"): "never tries degree 1",
    ("hw4", "the largest slack"): "takes the largest slack instead of the sum",
    ("hw4", "the norm is not squared"): "the norm is not squared",
    ("hw4", "the balance is 1"): "the equation is Σ α y = 1",
    ("hw4", "xi without b"): "the slacks leave b out",
    ("hw4", "the mean slack"): "the slacks are averaged",
    ("hw4", "the violations are added"): "adds the violations up instead of taking the largest",
    (
        "hw5",
        "alpha is not in F",
    ): "the labels are missing in the scores: K alpha instead of K (alpha y)",
}
MISTAKES: list[Mistake] = []


def add(homework: str, function: str, words: str, *changes: str) -> None:
    """Register a mistake; changes are old, new, old, new, ..."""
    pairs = tuple(zip(changes[::2], changes[1::2]))
    called = (CALLED[homework, words],) if (homework, words) in CALLED else ()
    MISTAKES.append(Mistake(homework, function, words, pairs, called))


# --- hw1 -----------------------------------------------------------------------------------------
add("hw1", "predict", "subtracts b", "X @ w + b", "X @ w - b")
add("hw1", "predict", "compares with b's half", "+ b >= 0", "+ b >= b / 2")
add("hw1", "predict", "the scores are rounded first", "X @ w + b >= 0", "np.round(X @ w + b) >= 0")
add("hw1", "update", "b moves by half a label", "b + y", "b + y / 2")
add("hw1", "update", "the step is normalised", "y * x,", "y * x / np.linalg.norm(x),")
add("hw1", "update", "any score below 1 is a mistake", "<= 0:", "<= 1:")
add("hw1", "update", "w takes two steps", "w + y * x,", "w + 2 * y * x,")
add("hw1", "perceptron", "counts passes, not mistakes", "mistakes += 1", "mistakes = before + 1")
add("hw1", "perceptron", "w starts at 1", "np.zeros(X.shape[1])", "np.ones(X.shape[1])")
add("hw1", "perceptron", "the first example is left out", "zip(X, y)", "zip(X[1:], y[1:])")
add("hw1", "perceptron", "stops after a pass with one mistake", "== before:", "<= before + 1:")
add("hw1", "perceptron", "b moves by 2 y", "b + y_i", "b + 2 * y_i")
add(
    "hw1",
    "averaged",
    "the start counts as a round",
    "T = passes * len(X)",
    "T = 1 + passes * len(X)",
)
add(
    "hw1",
    "averaged",
    "every second pass is summed",
    "+ w, total_b + b",
    "+ w * (_ % 2), total_b + b",
)
add("hw1", "averaged", "the test has no offset", "(w @ x_i + b)", "(w @ x_i)")
add("hw1", "certify", "returns the counts as they are", "counts - seen[(*w, b)]", "counts")
add("hw1", "certify", "returns (b, w)", "np.append(w, b)", "np.append(b, w)")
add("hw1", "certify", "half of the passes", "range(max_passes)", "range(max_passes // 40)")
# --- hw2 -----------------------------------------------------------------------------------------
add(
    "hw2",
    "margins",
    "divides by the sum of absolute weights",
    "np.linalg.norm(w)",
    "np.abs(w).sum()",
)
add(
    "hw2",
    "margins",
    "b is divided by nothing",
    "(X @ w + b) / np.linalg.norm(w)",
    "(X @ w / np.linalg.norm(w) + b)",
)
add("hw2", "margins", "the root of the norm", "np.linalg.norm(w)", "np.sqrt(np.linalg.norm(w))")
add(
    "hw2",
    "set_margin",
    "the second smallest",
    "np.min(y * (X @ w + b))",
    "np.sort(y * (X @ w + b))[1]",
)
add(
    "hw2",
    "set_margin",
    "never below 0",
    "return np.min",
    "return max(0.0, 1.0) * np.min",
    "np.linalg.norm(w)",
    "np.linalg.norm(w) * (np.min(y * (X @ w + b)) > 0)",
)
add("hw2", "bound", "the mean norm for R", "axis=1).max()", "axis=1).mean()")
add(
    "hw2",
    "bound",
    "rounds the bound down",
    "return (R / gamma) ** 2",
    "return np.floor((R / gamma) ** 2)",
)
add("hw2", "bound", "adds 1 to the bound", "(R / gamma) ** 2", "(R / gamma) ** 2 + 1")
add(
    "hw2",
    "replay",
    "the last state is missing",
    "W @ u /",
    "W[:-1] @ u /",
    "np.sum(W**2",
    "np.sum(W[:-1]**2",
)
add(
    "hw2",
    "replay",
    "norm2 is the sum of absolute values squared",
    "np.sum(W**2, axis=1)",
    "np.sum(np.abs(W), axis=1) ** 2",
)
add("hw2", "audit", "looks at every second entry", "> 0:", "> 0 and k % 2 == 0:")
add("hw2", "audit", "asks for a margin of a tenth", "> 0:", "> 0.1:")
add("hw2", "certificate", "stops after ten steps", "range(steps)", "range(min(steps, 10))")
add("hw2", "certificate", "a is not shrunk", "(1 - t) * a", "a * 1.0")
add("hw2", "hinge_bound", "slack squared", "xi[mistakes].sum()", "(xi[mistakes] ** 2).sum()")
add("hw2", "hinge_bound", "a margin of 2", "1 - y", "2 - y")
add(
    "hw2",
    "hinge_bound",
    "R of the mistakes only, and mean slack",
    "xi[mistakes].sum()",
    "xi[mistakes].mean()",
)
# --- hw3 -----------------------------------------------------------------------------------------
add(
    "hw3",
    "gaussian",
    "the largest difference instead of the sum",
    "np.sum(differences**2",
    "np.max(differences**2",
)
add("hw3", "gaussian", "the factor 2 is squared, too", "(2 * sigma**2)", "(2 * sigma) ** 2")
add("hw3", "gaussian", "divides by the number of features", "axis=2)", "axis=2) / X.shape[1]")
add("hw3", "polynomial", "2 instead of 1", "(1 + X", "(2 + X")
add("hw3", "polynomial", "half of the inner product", "X @ Z.T", "X @ Z.T / 2")
add("hw3", "polynomial", "absolute value", "(1 + X @ Z.T)", "np.abs(1 + X @ Z.T)")
add("hw3", "phi", "no constant feature", "columns = [np.ones(n)]", "columns = []")
add("hw3", "phi", "squares twice as large", "X[:, i] ** 2]", "2 * X[:, i] ** 2]")
add("hw3", "psd", "the tolerance is a hundredth", "-1e-9", "-1e-2")
add("hw3", "psd", "looks at the second eigenvalue", "values[0] >=", "values[1] >=")
add("hw3", "kernel_perceptron", "adds a label instead of 1", "alpha[t] += 1", "alpha[t] += y[t]")
add("hw3", "kernel_perceptron", "goes backwards", "range(len(y)):", "reversed(range(len(y))):")
add(
    "hw3",
    "kernel_perceptron",
    "at most two counts",
    "alpha[t] += 1",
    "alpha[t] = min(2, alpha[t] + 1)",
)
add("hw3", "kernel_perceptron", "a score below 0.1 is a mistake", "<= 0:", "<= 0.1:")
add("hw3", "scores", "divides by the sum of alpha", "(alpha * y)", "(alpha * y) / alpha.sum()")
add("hw3", "scores", "sigma is doubled", "sigma)", "2 * sigma)")
add(
    "hw3", "smallest_degree", "goes on to the next degree", "return p, alpha", "return p + 1, alpha"
)
add("hw3", "smallest_degree", "starts at 2", "range(1, 7)", "range(2, 7)")
# --- hw4 -----------------------------------------------------------------------------------------
add("hw4", "objective", "C is squared", "C * xi.sum()", "C**2 * xi.sum()")
add("hw4", "objective", "the largest slack", "xi.sum()", "xi.max()")
add("hw4", "objective", "the norm is not squared", "0.5 * w @ w", "0.5 * np.linalg.norm(w)")
add(
    "hw4",
    "gradient",
    "the slope of the squared hinge",
    "w - C * y[slack] @ X[slack]",
    "w - C * (y * np.maximum(0, 1 - y * (X @ w + b))) @ X",
)
add(
    "hw4",
    "gradient",
    "b has a regulariser of half",
    "-C * y[slack].sum()",
    "b / 2 - C * y[slack].sum()",
)
add("hw4", "dual_qp", "upper bound C / 2", "np.full(n, C)", "np.full(n, C / 2)")
add("hw4", "dual_qp", "the balance is 1", "np.zeros(1)", "np.ones(1)")
add("hw4", "dual_qp", "K squared", "* K *", "* K**2 *")
add("hw4", "weights", "alpha squared", "(alpha * y)", "(alpha**2 * y)")
add(
    "hw4",
    "weights",
    "the largest multiplier counts double",
    "(alpha * y)",
    "(alpha * (1 + (alpha == alpha.max())) * y)",
)
add("hw4", "offset", "the largest F of the free", "F[free].mean()", "F[free].max() + 0.1")
add("hw4", "offset", "only positive free examples", "F[free].mean()", "F[free & (y > 0)].sum()")
add("hw4", "offset", "low alone, and less", "(low + high) / 2", "low - 1")
add("hw4", "certificate", "xi without b", "(K @ beta + b)", "(K @ beta)")
add("hw4", "certificate", "the mean slack", "C * xi.sum()", "C * xi.mean()")
add(
    "hw4",
    "certificate",
    "the violations are added",
    "max(0.0, -alpha.min(), alpha.max() - C, abs(beta.sum()))",
    "max(0.0, -alpha.min()) + max(0.0, alpha.max() - C) + abs(beta.sum())",
)
add(
    "hw4",
    "train",
    "ten times the cost",
    "[(0, C)]",
    "[(0, 10 * C)]",
    "np.clip(answer.x, 0, C)",
    "answer.x",
)
add("hw4", "train", "five iterations", '"maxiter": 500', '"maxiter": 5')
# --- hw5 -----------------------------------------------------------------------------------------
add("hw5", "segment", "the lower end may be negative", "max(0.0, a2 - a1)", "a2 - a1")
add("hw5", "segment", "C where 2 C belongs", "min(C, a1 + a2)", "min(C, a1)")
add("hw5", "step", "eta is halved", "/ eta", "/ eta / 2")
add("hw5", "step", "the other moves by half", "* (alpha[j] - new[j])", "* (alpha[j] - new[j]) / 2")
add(
    "hw5",
    "worst_pair",
    "the absolute violation",
    "float(F[i] - F[j])",
    "abs(float(F[i] - F[j])) + 1",
)
add("hw5", "worst_pair", "alpha is not in F", "y - K @ (alpha * y)", "y - K @ alpha")
add("hw5", "smo", "stops at ten times tol", "<= tol", "<= 300 * tol")
add("hw5", "smo", "b is F_i", "float(F[i] + F[j]) / 2", "float(F[i]) + 0.5")
add(
    "hw5",
    "standardise",
    "divides by twice the deviation",
    "train.std(axis=0)",
    "2 * train.std(axis=0)",
)
add(
    "hw5",
    "standardise",
    "the median instead of the mean",
    "train.mean(axis=0)",
    "np.median(train, axis=0)",
)
add("hw5", "folds", "one fold too many", "range(k)", "range(k + 1)")
add(
    "hw5",
    "folds",
    "the classes one after the other, in blocks",
    "dealt[fold::k]",
    "np.array_split(dealt, k)[fold]",
)
add("hw5", "choose", "the share of the largest fold", "sizes.sum()", "sizes.max()")
add("hw5", "choose", "the second best", "total == total.min()", "total == np.sort(total)[1]")
add("hw5", "cross_validate", "counts right answers of +1 only", "!= y[test])", "> y[test])")
add("hw5", "cross_validate", "C times ten", "y[rest], C, 1e-5", "y[rest], 10 * C, 1e-5")
# --- hw6 -----------------------------------------------------------------------------------------
add("hw6", "confusion", "shares instead of counts", "np.sum(", "np.mean(")
add("hw6", "rates", "accuracy minus error", "ratio(TP + TN, N)", "ratio(TP + TN - FP - FN, N)")
add(
    "hw6",
    "rates",
    "F2 instead of F1",
    "ratio(2 * TP, 2 * TP + FP + FN)",
    "ratio(5 * TP, 5 * TP + FP + 4 * FN)",
)
add(
    "hw6",
    "rates",
    "specificity instead of FPR",
    "ratio(FP, FP + TN)",
    "ratio(TN, FP + TN)",
)
add("hw6", "roc", "strictly above the threshold", "scores >= t for", "scores > t for")
add("hw6", "roc", "rounds the scores", "np.unique(scores)", "np.unique(np.round(scores))")
add("hw6", "auc", "a tie counts a quarter", "0.5 * (ahead", "0.25 * (ahead")
add(
    "hw6",
    "auc",
    "twice the area minus 1",
    "return float(np.mean((ahead > 0) + 0.5 * (ahead == 0)))",
    "return float(np.mean(np.sign(ahead)))",
)
add("hw6", "average_precision", "the median", "float(np.mean([", "float(np.median([")
add(
    "hw6",
    "average_precision",
    "the precision squared",
    "y[scores >= t] == 1)",
    "y[scores >= t] == 1) ** 2",
)
add("hw6", "averages", "the smallest F1", "F1.mean()", "F1.min()")
add(
    "hw6",
    "averages",
    "macro precision of all but the first class",
    "precision.mean()",
    "precision[1:].mean()",
)
add(
    "hw6",
    "capacity",
    "rounds both to the nearest",
    "np.floor(ratio)",
    "np.round(ratio)",
    "np.ceil(ratio)",
    "np.round(ratio)",
)
add("hw6", "capacity", "d + 1 points", "np.floor(ratio)), d)", "np.floor(ratio)), d + 1)")
add("hw6", "shatter", "one labelling is missing", "np.arange(2**n)", "np.arange(1, 2**n)")
add(
    "hw6",
    "shatter",
    "the absolute dependence",
    "np.linalg.svd(Z.T)[2][-1]",
    "np.abs(np.linalg.svd(Z.T)[2][-1])",
)


# --- proofs as answers ---------------------------------------------------------------------------

SUMMAND = 'f"{int(lam[i])}*right{i + 1}"'
add("hw1", "refute", "minus for the negative ones", SUMMAND, 'f"{int(y[i] * lam[i])}*right{i + 1}"')
add("hw1", "refute", "one more of each", "int(lam[i])", "int(lam[i]) + 1")
add("hw1", "refute", "the names of q4", "right{i + 1}", "lam{i + 1}")
add("hw1", "refute", "the squares of the counts", "int(lam[i])", "int(lam[i]) ** 2")
GROWN = 'f"sum_of_growth + {2 * eta}*close + {eta**2}*radius"'
add(
    "hw2",
    "growth",
    "half of the mixed term, turned round",
    GROWN,
    'f"{eta}*(close + {eta}*radius) + sum_of_growth"',
)
add(
    "hw2",
    "growth",
    "β as well",
    GROWN,
    'f"sum_of_growth + {2 * eta}*close + {eta**2}*radius + {beta}"',
)
add(
    "hw2",
    "growth",
    "R instead of the fact",
    GROWN,
    'f"sum_of_growth + {2 * eta}*close + {eta**2}*R^2"',
)
add("hw2", "progress", "twice the margin", "{eta}*margin", "{2 * eta}*margin")
ENDED = '" + weights - b*balance"'
add("hw4", "gap", "the balance with the other sign, in front", ENDED, '" + b*balance + weights"')
add("hw4", "gap", "the balance times C", ENDED, '" + weights - C*balance"')
add("hw4", "gap", "a bound for each slack", "upper{i}*slack{i}", "upper{i}*upper{i}")
add("hw4", "weak", "a quarter of the square", "))/2", "))/4")
add("hw4", "weak", "the square of w alone", "norm(w - ({v}))/2", "norm(w)/2")


# --- hw7 -----------------------------------------------------------------------------------------

add(
    "hw7",
    "features",
    "the place after, not the one before",
    "G[y[t - 1], y[t]]",
    "G[y[t], y[t - 1]]",
)
add(
    "hw7",
    "features",
    "pairs two apart",
    "if t > 0:\n            G[y[t - 1], y[t]]",
    "if t > 1:\n            G[y[t - 2], y[t]]",
)
add("hw7", "features", "squares the features", "+= x[t]", "+= x[t] ** 2")
add("hw7", "score", "takes the pairs away", "+ np.sum(B * G)", "- np.sum(B * G)")
add("hw7", "score", "the mean of the pairs", "np.sum(B * G)", "np.mean(B * G)")
add("hw7", "viterbi", "P with the other sign", "V[:, None] + P", "V[:, None] - P")
add("hw7", "viterbi", "adds P twice", "V[:, None] + P", "V[:, None] + 2 * P")
add(
    "hw7",
    "viterbi",
    "leaves the last place out of the choice",
    "y = [int(V.argmax())]",
    "y = [int(ways.max(axis=0).argmax())] if back else [int(V.argmax())]",
)
add("hw7", "viterbi", "the first of the marks is lost", "reversed(back)", "[back[-1]] * len(back)")
add("hw7", "update", "adds both", "epsilon * (F - F_star)", "epsilon * (F + F_star)")
add("hw7", "update", "half of the pairs", "epsilon * (G - G_star)", "epsilon * (G - G_star) / 2")
add(
    "hw7",
    "train",
    "divides by one round too many",
    "T = passes * len(X)",
    "T = passes * len(X) + 1",
)
add(
    "hw7",
    "train",
    "a mistake only if all tags are wrong",
    "if viterbi(x @ A, B) != list(y):",
    "if all(np.array(viterbi(x @ A, B)) != y):",
)
add("hw7", "train", "steps of two", "x, y, 1.0", "x, y, 2.0")
add(
    "hw7",
    "read_words",
    "reads with the letters' weights turned round",
    "viterbi(x @ A, B) for",
    "viterbi(x @ A, B.T) for",
)
