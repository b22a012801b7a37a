"""Print how long notebooks take: ``python -m tools.reading_time notebooks/05*.ipynb``.

The count is that of ``tools.lessons``: 150 visible words and 6 open lines of code per minute,
5 minutes per exercise, 1 per figure. With --problems: also what each does not keep yet.
"""

import argparse
import json
from pathlib import Path

from tools import lessons


def main(arguments: list[str] | None = None) -> None:
    """Print a line for the core of each notebook, for its part Further, and the time to state."""
    parser = argparse.ArgumentParser(prog="python -m tools.reading_time", description=__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--problems", action="store_true", help="say what is not kept yet")
    options = parser.parse_args(arguments)
    print(f"{'':30}{'words':>7}{'lines':>7}{'exercises':>11}{'figures':>9}{'minutes':>9}")
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
    numbers = f"{count.words:7}{count.lines:7}{count.exercises:11}{count.figures:9}"
    return f"{name:30}{numbers}{count.minutes:9.1f}"


if __name__ == "__main__":
    main()
