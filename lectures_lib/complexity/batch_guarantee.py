"""From a count of mistakes to a guarantee on new examples (L1)."""

from dataclasses import dataclass

import numpy as np

from .._arguments import BadArgument, explained
from ..conventions import check_count


@dataclass(frozen=True)
class BatchGuarantee:
    """What a mistake bound says about examples drawn from a fixed distribution."""

    mistakes: int  #: M, in one pass
    examples: int  #: T
    delta: float  #: the chance that the statement fails
    expected: float  #: bound on the expected error of a hypothesis drawn at random: M / T
    confident: float  #: bound on the mean error of the hypotheses, with probability 1 - delta


@explained
def online_to_batch(mistakes: int, examples: int, delta: float = 0.05) -> BatchGuarantee:
    """Turn a count of mistakes in one pass into a guarantee on new examples (L1).

    The examples are drawn independently. Hypothesis w_t, made before example t is seen, errs on
    it with exactly its error rate; so the mean error of w_1, ..., w_T is at most M / T in
    expectation, and at most M / T + sqrt(2 ln(1 / delta) / T) with probability 1 - delta
    (Azuma; Cesa-Bianchi, Conconi and Gentile 2004).

    Parameters
    ----------
    mistakes, examples : M and T
    delta : the chance that the statement may fail

    Examples
    --------
    >>> complexity.online_to_batch(20, 1000).expected
    0.02
    """
    T, M = check_count(examples, "examples"), check_count(mistakes, "mistakes", 0)
    if M > T:
        raise BadArgument(f"{M} mistakes on {T} examples: count one pass only.")
    if not 0 < delta < 1:
        raise BadArgument(f"delta is a probability strictly between 0 and 1, not {delta}.")
    slack = float(np.sqrt(2 * np.log(1 / delta) / T))
    return BatchGuarantee(M, T, delta, M / T, min(1.0, M / T + slack))
