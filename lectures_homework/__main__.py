"""The command line: ``python -m lectures_homework make | grade | selftest``."""

import argparse
import math
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

NEEDS = "Grading needs the package {}, which is not installed: make homework installs it"

try:
    from .instructor import (
        batch,
        by_hand,
        giving_back,
        late,
        masters,
        report,
        roster,
        rubric,
        similar,
        submissions,
    )
    from .language.checks import Assignment
    from .sandbox.bubblewrap import SandboxError
except ModuleNotFoundError as missing:
    sys.exit(NEEDS.format(missing.name))

#: Said where the package is installed without the folder of the course.
NO_HOMEWORK = """\
There is no homework here: the masters with their solutions are in notebooks/homework of the course,
not in the installed package. Run this in the folder of the course, or name them: --masters DIR"""

#: Where what is handed out is written.
BUILD = Path("build/homework")
TRUST = "--no-sandbox-i-trust-every-submission"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 0 if all went well, 1 if something is wrong, 2 on a bad call."""
    options = parser().parse_args(arguments)
    try:
        return options.run(options)
    except ModuleNotFoundError as missing:
        print(NEEDS.format(missing.name), file=sys.stderr)
        return 2
    except (SandboxError, ValueError, RuntimeError, OSError) as error:
        message = "\n".join(map(submissions.shown, str(error).splitlines()))
        print(f"{type(error).__name__}: {message}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser(prog="python -m lectures_homework", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="command")
    _add_make(commands.add_parser("make", help="write what students get"))
    _add_course(commands.add_parser("course", help="write the course without what is solved"))
    _add_autograder(commands.add_parser("autograder", help="write the archive for Gradescope"))
    _add_grade(commands.add_parser("grade", help="grade a folder of submissions"))
    _add_mark(commands.add_parser("mark", help="give the points by hand on a local page"))
    _add_book(commands.add_parser("gradebook", help="one table over all homeworks"))
    _add_selftest(commands.add_parser("selftest", help="prove the grader by planted answers"))
    return top


def _add_make(command: argparse.ArgumentParser) -> None:
    _add_masters(command)
    command.add_argument("homework", nargs="*", help="hw1 hw2 ...; all if none is named")
    command.add_argument("--out", type=Path, default=BUILD, help=f"where to write ({BUILD})")
    command.add_argument(
        "--student-seed", type=_seed, default=0, help="a number that chooses the student's data"
    )
    command.add_argument(
        "--students", type=Path, help="a csv with a column student: one bundle each"
    )
    command.add_argument("--nbgrader", action="store_true", help="write nbgrader's source as well")
    command.set_defaults(run=make)


def _add_course(command: argparse.ArgumentParser) -> None:
    _add_masters(command)
    command.add_argument("homework", nargs="*", help="hw1 hw2 ...; all if none is named")
    command.add_argument("--out", type=Path, default=BUILD)
    command.add_argument("--folder", type=Path, help="a folder to write to, instead of course.zip")
    command.set_defaults(run=course)


def _add_autograder(command: argparse.ArgumentParser) -> None:
    _add_masters(command)
    command.add_argument("homework", help="hw1, hw2, ...")
    command.add_argument("--secret", default="", help="any words: they choose the hidden inputs")
    command.add_argument("--out", type=Path, default=BUILD)
    command.set_defaults(run=autograder)


def _seed(text: str) -> int:
    seed = int(text)
    if not 0 <= seed < 2**32:
        raise argparse.ArgumentTypeError(f"{seed} is not between 0 and 2**32 - 1")
    return seed


def _add_grade(command: argparse.ArgumentParser) -> None:
    _add_common(command)
    command.add_argument("homework", help="hw1, hw2, ...")
    command.add_argument("submissions", type=Path, help="the folder with the submissions")
    command.add_argument("--out", type=Path, help="where to write (default: grades/hw1)")
    command.add_argument("--by-hand", type=Path, help="by_hand.csv with the points filled in")
    command.add_argument("--students", type=Path, help="the csv that `make --students` was given")
    command.add_argument(
        "--mark", action="store_true", help="then open the page for the points by hand"
    )
    command.add_argument("--due", help="the deadline: 2026-11-20, or '2026-11-20 18:00'")
    command.add_argument(
        "--late", type=float, default=0.0, help="points that each begun day after --due costs"
    )
    command.add_argument("--scheduler", help="the address of a Dask scheduler")
    command.set_defaults(run=grade)


def _add_mark(command: argparse.ArgumentParser) -> None:
    _add_masters(command)
    command.add_argument("homework", help="hw1, hw2, ...")
    command.add_argument("--out", type=Path, help="where its grades are (default: grades/hw1)")
    command.add_argument("--names", action="store_true", help="show who it is")
    command.set_defaults(run=mark)


def _add_book(command: argparse.ArgumentParser) -> None:
    _add_masters(command)
    command.add_argument("--grades", type=Path, default=Path("grades"), help="default: grades")
    command.add_argument("--out", type=Path, default=Path("grades/gradebook.csv"))
    command.add_argument("--weights", nargs="*", default=[], help="hw1=1 hw2=2 ...; 1 if not named")
    command.set_defaults(run=book)


def _add_selftest(command: argparse.ArgumentParser) -> None:
    _add_common(command)
    command.add_argument("homework", nargs="*", help="hw1 hw2 ...; all if none is named")
    command.set_defaults(run=test)


def _add_masters(command: argparse.ArgumentParser) -> None:
    command.add_argument("--masters", type=Path, default=masters.FOLDER, help=argparse.SUPPRESS)


def _add_common(command: argparse.ArgumentParser) -> None:
    _add_masters(command)
    command.add_argument("--secret", default="", help="any words: they choose the hidden inputs")
    command.add_argument("--workers", type=int, help="how many at a time (default: all cores)")
    command.add_argument(TRUST, dest="trust", action="store_true", help="run without a sandbox")


def make(options: argparse.Namespace) -> int:
    """Write a bundle for each homework, and for each student if there is a list."""
    from .instructor import export  # slow to import: grading does without

    for name in _named(options):
        everyone: list[str | None] = [*roster.read(options.students)] or [None]
        for student in everyone:
            place = options.out if student is None else options.out / batch.safe_name(student)
            seed = options.student_seed if student is None else masters.seed_of(student)
            print(export.bundle(name, place, seed=seed, folder=options.masters))
        if options.nbgrader:
            print(export.nbgrader(name, options.out / "nbgrader", folder=options.masters))
    return 0


def course(options: argparse.Namespace) -> int:
    """Write the course for students, as an archive or to a folder."""
    from .instructor import handout  # slow to import

    make = handout.archive if options.folder is None else handout.write
    place = options.folder or options.out
    print(make(place, _named(options), folder=options.masters))
    return 0


def autograder(options: argparse.Namespace) -> int:
    """Write what Gradescope takes as its autograder."""
    from .instructor import gradescope

    name, out = options.homework, options.out
    print(gradescope.archive(name, out, secret=options.secret, folder=options.masters))
    return 0


def _named(options: argparse.Namespace) -> list[str]:
    """Return the homeworks that were named, or all; where there are none, say so."""
    names = options.homework or masters.names(options.masters)
    if not names:
        raise ValueError(NO_HOMEWORK)
    return names


def grade(options: argparse.Namespace) -> int:
    """Grade a folder and write grades, feedback and summary."""
    masters.find(options.homework, options.masters)  # says which there are
    if options.by_hand and not options.by_hand.is_file():
        raise ValueError(f"There is no file {options.by_hand}.")
    out = options.out or Path("grades") / options.homework
    seeds = {student: masters.seed_of(student) for student in roster.read(options.students)}
    results = batch.grade_folder(
        options.homework,
        options.submissions,
        out,
        workers=options.workers,
        scheduler=options.scheduler,
        seeds=seeds,
        due=_due(options),
        secret=options.secret,
        trust=options.trust,
        home=str(options.masters),
    )
    changes = by_hand.read_overrides(out / by_hand.OVERRIDES)
    old, results = by_hand.outdated(results, changes), by_hand.overridden(results, changes)
    homework = masters.load(options.homework, options.masters)
    students = [result.submission.student for result in results]
    marks, steps = None, {}
    if options.by_hand:
        by_hand.write_by_hand(homework, results, out / "by_hand.csv")  # new answers stand in it
        marks = by_hand.read_by_hand(homework, options.by_hand, students, results)
        steps = rubric.earned(homework.name, options.by_hand, out, options.masters)
    report.write(homework, results, out, marks, steps)
    giving_back.write(results, out)
    lines = [
        *report.last_lines(homework, results, out, marks),
        *old,
        *submissions.compared(seeds, students),
    ]
    given = masters.student(masters.find(homework.name, options.masters).read())
    lines += similar.lines(similar.pairs(results, given))
    if passed_over := submissions.skipped(options.submissions):
        lines.append(f"not read, links and hidden files: {', '.join(passed_over)}")
    for line in lines:
        print(submissions.shown(line))
    return _mark(homework, out, options.masters) if options.mark else 0


def _due(options: argparse.Namespace) -> late.Due | None:
    """Return the deadline that was named; points off need one."""
    if not 0 <= options.late < math.inf or (options.late and not options.due):
        raise ValueError("--late takes points of 0 or more for each begun day after --due.")
    return late.Due.read(options.due, options.late) if options.due else None


def mark(options: argparse.Namespace) -> int:
    """Open the page on which the points by hand are given."""
    homework = masters.load(options.homework, options.masters)
    out = options.out or Path("grades") / options.homework
    return _mark(homework, out, options.masters, names=options.names)


def _mark(homework: Assignment, out: Path, home: Path, *, names: bool = False) -> int:
    from .instructor import marking, serving

    server = serving.Server(marking.Sheet(homework, out, home, names))
    print(f"Open {server.address}\nEvery change is saved in {out}. Ctrl-C ends it.", flush=True)
    try:
        webbrowser.open(server.address)
        server.serve_forever()
    except KeyboardInterrupt:
        print(f"\nThen grade again with --by-hand {out / 'by_hand.csv'}.")
    finally:
        server.server_close()
    return 0


def book(options: argparse.Namespace) -> int:
    """Write one table over all homeworks."""
    from .instructor import gradebook

    weights = gradebook.weights(options.weights, masters.names(options.masters))
    for line in gradebook.write(options.grades, options.out, weights, options.masters):
        print(line)
    return 0


def test(options: argparse.Namespace) -> int:
    """Print the kill matrix; 1 if an answer was judged wrongly."""
    from .instructor import selftest

    rows = []
    for name in _named(options):
        found = selftest.kill_matrix(
            name,
            folder=options.masters,
            workers=options.workers,
            secret=options.secret,
            trust=options.trust,
        )
        rows += found
        print(*selftest.table(found), sep="\n", flush=True)
    return int(any(row.fault for row in rows))


if __name__ == "__main__":
    sys.exit(main())
