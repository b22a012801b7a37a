"""Print how long notebooks take: ``python -m tools.reading_time notebooks/05*.ipynb``.

It counts what a student does, as `tools.lessons` says: 150 words per minute, formulas and folds
that are to be opened included; 6 lines of code per minute, in cells and in printed sources;
2 minutes per prediction, 1/2 per quiz or recall question, 3 per exhibit, 1 per slider and figure,
5 to 8 per exercise. With --problems: also what each notebook does not keep yet.
"""

import argparse
import json
from pathlib import Path

from tools import lessons

#: a column and what it shows of a count
COLUMNS = {
    "words": "words",
    "folds": "folded",
    "lines": "lines",
    "predict": "predictions",
    "quiz": "questions",
    "exhib": "exhibits",
    "slide": "sliders",
    "figures": "figures",
}


def main(arguments: list[str] | None = None) -> None:
    """Print a line for the core of each notebook, for its part Further, and the time to state."""
    parser = argparse.ArgumentParser(prog="python -m tools.reading_time", description=__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--problems", action="store_true", help="say what is not kept yet")
    options = parser.parse_args(arguments)
    print(" " * 28 + "".join(f"{name:>8}" for name in COLUMNS) + " exercises  minutes")
    for path in options.notebooks:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        core, further = map(lessons.count, lessons.core_and_further(notebook))
        print(row(path.stem, core) + f"   state {core.stated}")
        print(row("  Further", further))
        if options.problems:
            found = lessons.problems(notebook, int(path.name[:2]))
            print("".join(f"    {text}\n" for text in found), end="")


def row(name: str, count: lessons.Count) -> str:
    """Return one line of the table."""
    numbers = "".join(f"{getattr(count, field):8}" for field in COLUMNS.values())
    return f"{name:28}{numbers}{sum(count.exercises):10}{count.minutes:9.1f}"


if __name__ == "__main__":
    main()
