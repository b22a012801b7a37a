"""The exercises of 20: right answers in other forms, and wrong ones with the reason named."""

from fractions import Fraction

import numpy as np

from lectures_lib import partitions


def mixed_count(votes, counts):
    return (votes * counts).sum(axis=1) @ (1 / votes.sum(axis=1))


def mixed_count_in_fractions(votes, counts):
    total = Fraction(0)
    for row, ks in zip(votes.tolist(), counts.tolist()):
        total += sum(Fraction(v * k, sum(row)) for v, k in zip(row, ks))
    return total


def lost(mu, W):
    return mu @ (W**2).sum(axis=1) - (mu @ W) @ (mu @ W)


def lost_by_distances(mu, W):
    return np.float32(0) + sum(m * np.linalg.norm(w - mu @ W) ** 2 for m, w in zip(mu, W))


def gap(parts, C, alpha, w):
    made = sum((a * y) @ X for (X, y), a in zip(parts, alpha))
    slack = sum(np.maximum(0, 1 - y * (X @ w)).sum() for X, y in parts)
    return w @ w / 2 + C * slack - sum(a.sum() for a in alpha) + made @ made / 2


def gap_by_the_judge(parts, C, alpha, w):
    return np.array(partitions.block_certificate(parts, C, alpha, w).gap)


def gap_part_by_part(parts, C, alpha, w):
    """Add up the gaps of the parts: but norms of sums are no sums of norms."""
    total = w @ w / 2
    for (X, y), a in zip(parts, alpha):
        made = (a * y) @ X
        total += C * np.maximum(0, 1 - y * (X @ w)).sum() - a.sum() + made @ made / 2
    return total


def gap_believing_w(parts, C, alpha, w):
    slack = sum(np.maximum(0, 1 - y * (X @ w)).sum() for X, y in parts)
    return w @ w + C * slack - sum(a.sum() for a in alpha)


def gap_with_negative_slack(parts, C, alpha, w):
    made = sum((a * y) @ X for (X, y), a in zip(parts, alpha))
    slack = sum((1 - y * (X @ w)).sum() for X, y in parts)
    return w @ w / 2 + C * slack - sum(a.sum() for a in alpha) + made @ made / 2


RIGHT = {
    "mixed count": [mixed_count, mixed_count_in_fractions],
    "lost": [lost, lost_by_distances],
    "gap of parts": [gap, gap_by_the_judge],
}

WRONG = [
    ("mixed count", lambda votes, counts: counts.sum(), "the shares are missing"),
    (
        "mixed count",
        lambda votes, counts: counts.mean(axis=1).sum(),
        "take the shares of the votes",
    ),
    (
        "mixed count",
        lambda votes, counts: (votes * counts).sum() / votes.sum(),
        "the shares of each epoch by itself",
    ),
    ("mixed count", lambda votes, counts: votes * counts, "one number is expected"),
    ("lost", lambda mu, W: -lost(mu, W), "the wrong way round"),
    ("lost", lambda mu, W: W.var(axis=0).sum(), "take the shares mu, not equal ones"),
    (
        "lost",
        lambda mu, W: mu @ (W**2).sum(axis=1) - (W.mean(axis=0) ** 2).sum(),
        "the mix is sum mu w, not the mean",
    ),
    ("lost", lambda mu, W: mu @ np.linalg.norm(W, axis=1) - np.linalg.norm(mu @ W), "distance"),
    ("gap of parts", gap_part_by_part, "over all examples"),
    ("gap of parts", gap_believing_w, "over all examples"),
    ("gap of parts", gap_with_negative_slack, "over all examples"),
    ("gap of parts", lambda parts, C, alpha, w: gap(parts, 1.0, alpha, w), "over all examples"),
    ("gap of parts", lambda parts, C, alpha, w: -gap(parts, C, alpha, w), "the wrong way round"),
]
