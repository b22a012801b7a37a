"""A theorem written out: what is assumed, each line with what it uses, the verdict."""

from collections.abc import Iterator

from .checker import check
from .notation import Hand, latex, text
from .statements import Cases, Combination, Fact, Induction, Lemma, Line, Theorem


def as_text(theorem: Theorem) -> str:
    """Return statement, proof and verdict as plain text."""
    rows = [theorem.name + (f" ({theorem.source})" if theorem.source else ""), theorem.says]
    rows += [f"Here {theorem.where}"] if theorem.where else []
    rows += [
        "",
        *(f"  {when + ':':<17}{name:<15}{fact}" for when, name, fact in given(theorem, text)),
    ]
    rows += [""]
    for name, fact, reasons in lines(theorem, text):
        rows += [f"  {name:<15}{fact}", *(f"  {'':<15}  {reason}" for reason in reasons)]
    return "\n".join([*rows, "", check(theorem).sentence])


def as_markdown(theorem: Theorem) -> str:
    """Return the same for a notebook, as mathematics."""
    source = f" ({theorem.source})" if theorem.source else ""
    rows = [f"**{theorem.name[0].upper() + theorem.name[1:]}**{source}. {theorem.says}", ""]
    rows += [f"Here {theorem.where}", ""] if theorem.where else []
    rows += ["| | name | assumed |", "|---|---|---|"]
    rows += [f"| {when} | {name} | ${fact}$ |" for when, name, fact in given(theorem, latex)]
    rows += ["", "| line | says | because |", "|---|---|---|"]
    for name, fact, reasons in lines(theorem, latex):
        because = "<br>".join(reasons)
        rows.append(f"| {name} | ${fact}$ | {because} |")
    return "\n".join([*rows, "", f"*{check(theorem).sentence}.*"])


def given(theorem: Theorem, hand: Hand) -> Iterator[tuple[str, str, str]]:
    """Yield when, name and statement of every assumption."""
    when = "at each step" if theorem.step else "assumed"
    groups = (("assumed", theorem.always), (when, theorem.each), ("at the end", theorem.end))
    for when, texts in groups:
        for fact in map(theorem.fact, texts):
            yield (
                when,
                hand.called(fact.name) if not hand.latex else _plain(fact.name),
                hand.fact(fact),
            )
    if theorem.step:
        yield "start", "", hand.state(theorem.starting)
        arrow = r"\to" if hand.latex else "→"
        yield "each step", "", hand.state(theorem.stepping, arrow)


def lines(theorem: Theorem, hand: Hand) -> Iterator[tuple[str, str, list[str]]]:
    """Yield name, statement and reasons of every line of the proof."""
    facts = dict(theorem.assumptions)
    for line in theorem.proof:
        goal = theorem.fact(line.goal)
        yield _plain(goal.name), hand.fact(goal), list(reasons(theorem, line, goal, facts, hand))
        facts[goal.name] = goal


def reasons(theorem: Theorem, line: Line, goal: Fact, facts: dict, hand: Hand) -> Iterator[str]:
    """Yield the sentences that prove a line."""
    match line:
        case Combination():
            yield identity(theorem, goal, line.by, line.over, facts, hand)
        case Cases():
            for assumption, by, over in line.cases:
                case = theorem.fact(assumption)
                name = f"case {_math(hand, hand.fact(case))} ({_plain(case.name)}): "
                yield name + identity(theorem, goal, by, over, {**facts, case.name: case}, hand)
        case Induction():
            first, after = goal.at(theorem.starting), goal.at(theorem.stepping)
            yield "start: " + identity(theorem, first, line.first, "1", facts, hand)
            before = {**facts, goal.name: goal}
            yield "step: " + identity(theorem, after, line.by, "1", before, hand)
        case Lemma():
            yield f"by the theorem: {line.theorem.name}"


def identity(theorem: Theorem, goal: Fact, by: str, over: str, facts: dict, hand: Hand) -> str:
    """Write goal * over = sum of what is not negative, and what is divided by."""
    total, divisor = (theorem.certificate(text, facts) for text in (by, over))
    p, left = goal.p * divisor.value(facts), hand.polynomial(goal.p)
    if over == "1":
        return _math(hand, f"{hand.polynomial(p)} = {hand.certificate(total)}")
    by_what = hand.polynomial(divisor.value(facts))
    left = f"({left})" if len(goal.p.terms) > 1 else left
    by_what = f"({by_what})" if len(divisor.value(facts).terms) > 1 else by_what
    times = hand.dot if not hand.latex else r"\,"
    equation = _math(hand, f"{by_what}{times}{left} = {hand.certificate(total)}")
    return f"{equation}, and {_math(hand, f'{by_what} > 0')}"


def _math(hand: Hand, words: str) -> str:
    return f"${words}$" if hand.latex else words


def _plain(name: str) -> str:
    return name.replace("_", " ")
