"""Run the referee: `python -m tools.referee --cases N --seed S [--only name] [--case K]`."""

import argparse
import signal
import sys
import time
import traceback
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from tools.referee import draw
from tools.referee.ledger import COLUMNS, FORBIDDEN, Ledger
from tools.referee.subjects import SUBJECTS

#: Cases that one process does at a time.
BLOCK = 50
#: A case that takes longer has no answer: it counts as a crash. (Seconds of the processor, so that
#: a run that is halted or waits for others breaks no limit; a case takes 0.02.)
PATIENCE = 300.0
#: The share of right answers at unit scale that may stay unproved.
UNPROVED = 0.01
#: Failures that are printed for each subject and kind.
SHOWN = 5
#: A run that is kept.
PAGE = """# A run of the referee

{cases:,} cases, seed {seed}: {forbidden} of them forbidden (false proofs, false refutations, wrong
answers called converged, crashes); of the right answers at unit scale {share} % unproved. Honest
failures are answers that are not good enough and say so: slow methods on hostile data. Written by

    python -m tools.referee --cases {asked} --seed {seed} --store tools/referee/RUN.md

{table}
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the cases, print the table and what reproduces each failure; 1 if anything failed."""
    options = parsed(arguments)
    start = time.perf_counter()
    if options.case is not None:
        ledgers = {options.only: block(options.seed, options.only, [options.case])}
    else:
        ledgers = run(options.cases, options.seed, options.only, options.processes)
    good = report(ledgers, options.seed, options.honest)
    cases = sum(ledger.counts["cases"] for ledger in ledgers.values())
    forbidden = sum(ledger.forbidden for ledger in ledgers.values())
    if options.store:
        options.store.write_text(page(ledgers, options.cases, options.seed), encoding="utf-8")
    print(
        f"referee: {cases} cases, seed {options.seed}, {forbidden} forbidden, "
        f"{unproved_words(ledgers)}: {'passed' if good else 'FAILED'} "
        f"in {time.perf_counter() - start:.0f} s"
    )
    return 0 if good else 1


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options, or say what is wrong with them."""
    parser = argparse.ArgumentParser(prog="python -m tools.referee", description=__doc__)
    parser.add_argument("--cases", type=int, default=3000, help="how many cases, over all subjects")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=list(SUBJECTS), help="one subject alone")
    parser.add_argument("--case", type=int, help="replay one case of the subject named by --only")
    parser.add_argument("--honest", action="store_true", help="show honest failures, too")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--store", type=Path, help="write seed, cases and table to this page, too")
    options = parser.parse_args(arguments)
    if options.case is not None and options.only is None:
        parser.error("--case needs --only: the number of a case counts within its subject.")
    return options


def shares(cases: int, only: str | None) -> dict[str, int]:
    """Return how many cases each subject gets: in proportion, and at least one."""
    if only:
        return {only: cases}
    total = sum(share for share, _ in SUBJECTS.values())
    return {name: max(1, round(cases * share / total)) for name, (share, _) in SUBJECTS.items()}


def run(cases: int, seed: int, only: str | None, processes: int) -> dict[str, Ledger]:
    """Return the ledger of each subject."""
    jobs = [
        (name, range(first, min(first + BLOCK, number)))
        for name, number in shares(cases, only).items()
        for first in range(0, number, BLOCK)
    ]
    ledgers = {name: Ledger(name) for name, _ in jobs}
    with ProcessPoolExecutor(processes) as pool:
        for found in pool.map(block, repeat(seed), *zip(*jobs)):
            ledgers[found.subject] += found
    return ledgers


def block(seed: int, name: str, numbers) -> Ledger:
    """Do these cases of one subject."""
    ledger = Ledger(name)
    signal.signal(signal.SIGPROF, _too_long)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for ledger.case in numbers:
            play(seed, ledger)
    return ledger


def play(seed: int, ledger: Ledger) -> None:
    """Do one case."""
    ledger.counts["cases"] += 1
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        SUBJECTS[ledger.subject][1](draw.generator(seed, ledger.subject, ledger.case), ledger)
    except Exception as error:  # a fault of the referee is a failure, too
        ledger.fail("crashes", f"the referee itself: {error!r}\n{traceback.format_exc()}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_long(*_signal) -> None:
    raise TimeoutError(f"no answer in {PATIENCE:g} s of the processor")


def report(ledgers: dict[str, Ledger], seed: int, honest: bool = False) -> bool:
    """Print the failures and the table; return whether all is well."""
    shown = (*FORBIDDEN, "of these unproved", *(["honest failures"] if honest else []))
    for ledger in ledgers.values():
        for column in shown:
            show([f for f in ledger.failures if f[1] == column], column, ledger.subject, seed)
    print(table(ledgers))
    return not any(ledger.forbidden for ledger in ledgers.values()) and rate(ledgers) <= UNPROVED


def show(failures: list, column: str, subject: str, seed: int) -> None:
    """Print the first failures of one kind, each with the command that replays it."""
    for case, _, words in failures[:SHOWN]:
        print(f'{column}: --seed {seed} --only "{subject}" --case {case}\n    {words}')
    if len(failures) > SHOWN:
        print(f"    ... and {len(failures) - SHOWN} more of {subject}: {column}")


def rate(ledgers: dict[str, Ledger]) -> float:
    """Return the share of right answers at unit scale that stay unproved."""
    right, unproved = (sum(l.counts[c] for l in ledgers.values()) for c in COLUMNS[-2:])
    return unproved / right if right else 0.0


def unproved_words(ledgers: dict[str, Ledger]) -> str:
    """Return the share of right answers at unit scale that stay unproved, in words."""
    return f"{100 * rate(ledgers):.2f} % of right answers at unit scale unproved"


def page(ledgers: dict[str, Ledger], asked: int, seed: int) -> str:
    """Return a run as a page of Markdown, to be kept; shares are rounded, so `asked` differs."""
    rows = [("subject", *COLUMNS), ("---", *["--:"] * len(COLUMNS))]
    rows += [(l.subject, *(f"{l.counts[c]:,}" for c in COLUMNS)) for l in with_sums(ledgers)]
    cases = sum(ledger.counts["cases"] for ledger in ledgers.values())
    forbidden = sum(ledger.forbidden for ledger in ledgers.values())
    lines = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    share = f"{100 * rate(ledgers):.2f}"
    fields = {"asked": asked, "seed": seed, "forbidden": forbidden, "share": share, "table": lines}
    return PAGE.format(cases=cases, **fields)


def with_sums(ledgers: dict[str, Ledger]) -> list[Ledger]:
    """Return all ledgers, and one of the sums."""
    total = Ledger("all")
    for ledger in ledgers.values():
        total += ledger
    return [*ledgers.values(), total]


def table(ledgers: dict[str, Ledger]) -> str:
    """Return one line per subject, and the sums."""
    words = [column.split() for column in COLUMNS]
    depth = max(len(w) for w in words)
    heads = [[""] * (depth - len(w)) + w for w in words]
    lines = [f"{'':<22}" + "".join(f"{cell:>12}" for cell in row) for row in zip(*heads)]
    for ledger in with_sums(ledgers):
        cells = [ledger.counts[column] for column in COLUMNS]
        lines.append(f"{ledger.subject:<22}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
