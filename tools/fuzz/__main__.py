"""``python -m tools.fuzz [--only svm.] [--quick]``: print every obscure outcome, and the counts."""

import argparse
from collections import Counter

import matplotlib

from .calls import calls
from .outcome import cases, tried


def main() -> int:
    """Try all mutants of all calls; return 1 if any outcome was obscure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="functions whose name begins like this")
    only = parser.parse_args().only
    matplotlib.use("agg")
    counted = Counter()
    for call in (c for c in calls() if c.name.startswith(only)):
        for argument, name, wrong in cases(call):
            outcome = tried(call, argument, wrong)
            counted[outcome.kind] += 1
            if outcome.kind == "obscure":
                print(f"{call.name}({argument} = {name}): {outcome.text[:200]}", flush=True)
    print(", ".join(f"{n} {kind}" for kind, n in sorted(counted.items())))
    return 1 if counted["obscure"] else 0


raise SystemExit(main())
