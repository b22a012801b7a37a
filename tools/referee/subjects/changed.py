"""Results after `replace`, from constructors, after writes in place: nothing may stay proved.

What is written to is a result or a copy of it; a flag may be set before, and a base asked for.
Here the truth needs no arithmetic: whatever was changed, nobody has judged it.
"""

import copy
import pickle
from dataclasses import fields, replace

import numpy as np

from lectures_lib.proof.verdict import SelfJudged
from tools.fuzz.specimens import arrays, speakers, specimens
from tools.referee import api
from tools.referee.ledger import Ledger
from tools.referee.subjects.own_fields import CHANGES

#: What only a proof allows somebody to say.
SAID = ("holds", "converged", "proved", "stable", "valid")

#: Who has one of these carries a proof, and so does not get it from a constructor.
CARRY = {"certificate", "lines", "proved", "verdict"}


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Change one field of one result in one way, or write into one of its arrays."""
    name = str(rng.choice(sorted(specimens().keys() & speakers().keys())))
    result = specimens()[name][int(rng.integers(len(specimens()[name])))]
    if isinstance(result, SelfJudged) or not hasattr(result, "changed"):
        return
    if rng.random() < 0.3:
        written(rng, ledger, name, result)
        return
    known = [f.name for f in fields(result) if not f.name.startswith("_")]
    field, how = str(rng.choice(known)), str(rng.choice(sorted(CHANGES)))
    by_hand = bool(rng.random() < 0.3) and bool(CARRY & set(known))
    what = f"{name}.{field} {how}{' by the constructor' if by_hand else ''}"
    make = api.built if by_hand else replace
    try:
        changed = make(result, **{field: CHANGES[how](rng, getattr(result, field))})
    except TypeError as refusal:
        fine = by_hand or "no field of it can be changed" in str(refusal)
        ledger.counts["undecided" if fine else "crashes"] += 1
        if not fine:
            ledger.fail("crashes", f"{what}: {refusal}")
        return
    said = [word for word in SAID if np.any(getattr(changed, word, False))]
    proved = bool(said) or getattr(changed, "verdict", "") == "proved"
    ledger.verdict(f"{what} says {said}", "proved" if proved else "undecided", right=False)


def written(rng: np.random.Generator, ledger: Ledger, name: str, result) -> None:
    """Write into every array of a result or of a copy, in every way: numpy must refuse."""
    result = COPIES[int(rng.integers(len(COPIES)))](result)
    for array in (a for a in arrays(result) if a.size):
        for how, write in WRITES.items():
            try:
                write(array)
            except (ValueError, TypeError, NotImplementedError):  # a buffer of objects shows none
                continue
            ledger.fail("false proofs", f"{name}: an array can be written to, {how}")
            return
    ledger.counts["undecided"] += 1


def _unlocked(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = True
    return array


def _put(array) -> None:
    array[(0,) * array.ndim] = array[(0,) * array.ndim]


COPIES = (lambda result: result, copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r)))
WRITES = {
    "as it is": _put,
    "after a flag": lambda array: _put(_unlocked(array)),
    "through a view": lambda array: _put(_unlocked(array.view())),
    "through its base": lambda array: _put(array.base),
    "in place": lambda array: np.add(array, array, out=array),
}
