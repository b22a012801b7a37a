"""How rich are large-margin separators, and what does that say about new examples? (L1, L4)

Counting labellings, shattering and Radon points, margin shattering and the smallest ball, the
sample-size experiment, and online-to-batch conversion. Each verdict comes with a proof that anyone
can measure.
"""

from .ball import SmallestBall, VapnikBound, hold, smallest_ball, vapnik_bound
from .labellings import Halves, growth, halves, hidden, most_mistakes, sauer, shattered_subsets
from .sample_sizes import (
    BatchGuarantee,
    SampleSize,
    directions,
    online_to_batch,
    padded,
    sample_size,
    spread,
    unseen_error,
)
from .shattering import Radon, Shattering, radon, shatters, simplex
from .sign_averages import SignAverage, opposing_labels, random_signs

__all__ = [
    "BatchGuarantee",
    "Halves",
    "Radon",
    "SampleSize",
    "Shattering",
    "SignAverage",
    "SmallestBall",
    "VapnikBound",
    "directions",
    "growth",
    "halves",
    "hidden",
    "hold",
    "most_mistakes",
    "online_to_batch",
    "opposing_labels",
    "padded",
    "radon",
    "random_signs",
    "sample_size",
    "sauer",
    "shattered_subsets",
    "shatters",
    "simplex",
    "smallest_ball",
    "spread",
    "unseen_error",
    "vapnik_bound",
]
