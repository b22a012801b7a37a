"""Bring notebooks into normal form without running them: ``python -m tools.nbnormal notebook ...``.

What an editor adds to a notebook's metadata is taken out again; sources and outputs stay. Exits
with 1 if a notebook was changed, as a pre-commit hook must.
"""

import sys
from pathlib import Path

from tools.nbrules import dumps, normalise, read


def main(names: list[str]) -> int:
    """Rewrite what is not in normal form; return 1 if anything was."""
    rewritten = 0
    for path in map(Path, names):
        before, after = path.read_text(encoding="utf-8"), dumps(normalise(read(path)))
        if before != after:
            path.write_text(after, encoding="utf-8")
            print(f"{path} is now in normal form: add it again.")
            rewritten += 1
    return 1 if rewritten else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
