"""How wrong answers are called: rightly, not at all, or by a wrong name.

All planted answers and a hundred new ones (`new_mistakes`) are judged by the checks of their
question, under as many secrets as asked for; solutions and right variants by all checks of their
homework.

Usage: ``python -m tools.grading.naming [--secrets 20] [hw1 ...]``
"""

import argparse
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from lectures_homework.instructor import batch, masters
from lectures_homework.instructor.diagnosis import Tried, named
from lectures_homework.instructor.following import followed
from lectures_homework.instructor.grade import judged
from lectures_homework.language.checks import Verdict
from lectures_homework.student.client import LocalCall
from tools.grading.new_mistakes import MISTAKES


class Patient(LocalCall):
    """Limits by processor time alone: on a busy machine the clock proves nothing."""

    asleep, left = 1000, 1e5


RIGHTLY, NOT, WRONGLY, KEPT = "named rightly", "not named", "named wrongly", "NOT CAUGHT"


def solved(homework: str) -> dict:
    """Return the names that the solutions of a homework define."""
    names = {"SEED": 0}
    for text in masters.solutions(homework).values():
        exec(text, names)
    return names


def verdicts(homework: str, question: str, source: str, secret: str) -> list[Verdict]:
    """Return the verdicts on a changed solution."""
    known, answers = batch.loaded(homework, str(masters.FOLDER), question)

    def call(*texts: str) -> LocalCall:
        names = solved(homework)
        for text in ("import numpy as np\n" + source, *texts):
            exec(text, names)
        return Patient(names)

    def again(_: object, texts: Mapping[str, str]) -> Callable[[Tried], Tried]:
        other = call(*texts.values())
        return lambda one: judged([one.check], other, secret)[0]

    tried = judged(known.checks, call(), secret)
    return named(followed(known, tried, masters.solutions(homework), again), answers)


def called(found: Iterable[Verdict], right: Iterable[str]) -> str:
    """Return how the feedback calls an answer whose right names are known."""
    lost = [verdict for verdict in found if not verdict.passed]
    given = {verdict.misconception for verdict in lost} - {""}
    if not lost:
        return KEPT
    if given - set(right):
        return WRONGLY
    return RIGHTLY if given else NOT


def wrong_answers(homework: str) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield kind, question, source and right names of the planted and the new wrong answers."""
    for answer in masters.load_answers(homework).planted:
        if answer.caught_by and not answer.endless:
            yield "planted", answer.question, answer.source, (answer.phrase,)
    for mistake in MISTAKES:
        if mistake.homework == homework:
            yield "new", mistake.question, mistake.source, mistake.called


def measured(homework: str, secret: str) -> tuple[Counter, list[str]]:
    """Return how often wrong answers of each kind are called how, and what must be looked at."""
    count: Counter = Counter()
    odd: list[str] = []
    for kind, question, source, right in wrong_answers(homework):
        found = verdicts(homework, question, source, secret)
        how = called(found, right)
        count[kind, how] += 1
        if how in (WRONGLY, KEPT) or (kind == "planted" and how == NOT):
            given = sorted({v.misconception for v in found} - {""})
            odd.append(f"{homework} {question} {how}: {given} for {right}\n{source}")
    for answer in masters.load_answers(homework).planted:
        if not answer.caught_by:
            lost = [
                v for v in verdicts(homework, answer.only, answer.source, secret) if not v.passed
            ]
            count["right", "lost points" if lost else "full marks"] += 1
            odd += [f"{homework} {answer.phrase}: {v.question} {v.check} {v.claim}" for v in lost]
    lost = [v for v in verdicts(homework, "", "", secret) if not v.passed]
    count["solution", "lost points" if lost else "full marks"] += 1
    odd += [f"{homework} solution: {v.question} {v.check} {v.claim}" for v in lost]
    return count, odd


def main() -> None:
    """Print the counts of all homeworks and secrets, and every odd one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("homework", nargs="*", default=[])
    parser.add_argument("--secrets", type=int, default=1)
    options = parser.parse_args()
    total: Counter = Counter()
    for number in range(options.secrets):
        for homework in options.homework or masters.names():
            count, odd = measured(homework, f"words {number}")
            total += count
            for line in odd:
                print(f"[words {number}] {line}", flush=True)
        print(f"after {number + 1} secrets:", flush=True)
        for (kind, how), many in sorted(total.items()):
            share = many / sum(n for (k, _), n in total.items() if k == kind)
            print(f"  {kind:9} {how:14} {many:6} {share:7.2%}", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
