"""Numbers of other types: whatever a judge accepts, it must have kept every digit of."""

import numpy as np

from tools.referee.exactness import ARGUMENTS, CALLS, FLOATS_BESIDE, SAME, spoilt
from tools.referee.ledger import Ledger

KINDS = ("whole", FLOATS_BESIDE, "objects", *(() if SAME else ("long double",)))


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Hand a judge an argument that no float is: it must be refused, in our words."""
    name, argument = ARGUMENTS[int(rng.integers(len(ARGUMENTS)))]
    kind = str(rng.choice(KINDS))
    function, given = CALLS[name]
    what = f"{name}, {argument} of {kind}"
    arguments = given | {argument: spoilt(given[argument], kind)}
    found = ledger.call(what, function, **arguments, legal=False)
    if found is not None:
        ledger.fail("false proofs", f"{what}: accepted")
