"""Time the library beside others: ``python -m benchmarks [row ...]``, all rows by default.

``--list`` names the rows, ``--write`` puts the table into benchmarks/RESULTS.md, ``--growth`` draws
time and memory against n, ``--repeats 9`` measures more often.
"""

import argparse
import contextlib
import io
import re
from dataclasses import replace
from pathlib import Path

from benchmarks import growth, machine
from benchmarks.rows import rows
from benchmarks.runner import HEAD, as_json, as_markdown, in_a_process, measure

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> None:
    """Measure the rows that were asked for, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="rows, or beginnings of their names")
    parser.add_argument("--list", action="store_true", help="name the rows and stop")
    parser.add_argument("--write", action="store_true", help="store the table in RESULTS.md")
    parser.add_argument("--growth", action="store_true", help="also draw time and memory against n")
    parser.add_argument("--repeats", type=int, help="turns of each row")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    told = parser.parse_args()
    chosen = [row for row in rows() if not told.names or row.name.startswith(tuple(told.names))]
    if told.repeats:
        chosen = [replace(row, repeats=told.repeats) for row in chosen]
    if told.list:
        print("\n".join(f"{row.name:<18} {row.work}" for row in chosen))
    elif told.json:
        with contextlib.redirect_stdout(io.StringIO()):
            lines = [line for row in chosen if row.name in told.names for line in measure(row)]
        print(as_json(lines))
    else:
        report(chosen, told.write, told.growth)


def report(chosen: list, write: bool, with_growth: bool) -> None:
    """Print the table row by row; store it, and the figure, where that is asked for."""
    print(machine.described(), HEAD, sep="\n\n", flush=True)
    table = []
    for row in chosen:
        for line in in_a_process(row):
            table.append(as_markdown(line))
            print(table[-1], flush=True)
    roof = machine.roofline()
    print(roof)
    if write:
        store("table", f"{machine.described()}\n\n{HEAD}\n" + "\n".join(table))
        store("roofline", roof)
    if with_growth:
        slopes = growth.measured()
        print(slopes)
        if write:
            store("growth", slopes)


def store(part: str, text: str, page: Path = RESULTS) -> None:
    """Replace one part of a page, between its two marks."""
    pattern = f"(<!-- {part} -->\n).*(<!-- end {part} -->)"
    old = page.read_text(encoding="utf-8")
    new = re.sub(pattern, lambda m: f"{m[1]}{text}\n{m[2]}", old, flags=re.DOTALL)
    page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
