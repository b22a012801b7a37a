"""Small changes to the solutions: a grader that is awake sees every one that matters.

Planted answers are the mistakes we thought of. These are the ones nobody thought of: each solution
is changed at one place, an operator, a number, a condition, a statement left out. A change that
keeps full marks is either as right as the solution (`A.equal` in answers.py says why) or a hole
in the checks.

Usage: ``python -m tests.homework.mutants [hw1 ...]`` lists those that keep full marks.
"""

import ast
import contextlib
import copy
import io
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from lectures_homework.instructor import masters
from lectures_homework.language.checks import Assignment, judge
from lectures_homework.student.client import LocalCall
from lectures_homework.student.clock import time_limit

#: Seconds for one call of a changed solution.
PATIENCE = 2.0
OPERATORS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),  # not Div: dividing by a label is multiplying with it
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.FloorDiv: (ast.Mult,),
}
WORDS = {"min": "max", "minimum": "maximum", "argmin": "argmax", "any": "all", "zeros": "ones"}
WORDS |= {"mean": "sum", "cumsum": "array", "T": "real"}
WORDS |= {other: word for word, other in WORDS.items() if other not in ("array", "real")}


@dataclass(frozen=True)
class Mutant:
    """A solution with one change; `name` shows the line before and after."""

    question: str
    name: str
    source: str


def mutants(homework: str) -> Iterator[Mutant]:
    """Yield every changed solution of a homework, one change each."""
    asked = {name: q for q, names in masters.load(homework).functions.items() for name in names}
    for source in solutions(homework):
        tree = ast.parse(source)
        for function in tree.body:
            if isinstance(function, ast.FunctionDef) and function.name in asked:
                yield from _of(tree, function, asked[function.name])


def solutions(homework: str) -> list[str]:
    """Return the text of the solution cells."""
    cells = masters.find(homework).read().cells
    return [cell.source for cell in cells if "solution" in masters.tags(cell)]


def _of(tree: ast.Module, function: ast.FunctionDef, question: str) -> Iterator[Mutant]:
    seen = {ast.unparse(tree)}
    for statement in [node for node in ast.walk(function) if isinstance(node, ast.stmt)][1:]:
        before = _line(statement)
        for node in _own(statement):
            for change in _changes(node, statement):
                undo = change()
                source, after = ast.unparse(tree), _line(statement)
                undo()
                if source not in seen:
                    seen.add(source)
                    name = f"{question} {function.name}: {before}  ->  {after}"
                    yield Mutant(question, name, source)


def _line(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the statement and the parts of it that belong to no inner statement."""
    yield statement
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt):
            yield from (node for node in ast.walk(child) if not isinstance(node, ast.stmt))


Change = Callable[[], Callable[[], None]]


def _changes(node: ast.AST, statement: ast.stmt) -> Iterator[Change]:
    """Yield functions that change the tree at a node and return what changes it back."""
    for place in ("op", "ops"):
        ops = getattr(node, place, None)
        for i, op in enumerate(ops if isinstance(ops, list) else [ops]):
            for other in OPERATORS.get(type(op), ()):
                new = [*ops[:i], other(), *ops[i + 1 :]] if isinstance(ops, list) else other()
                yield _set(node, place, new)
    if isinstance(node, ast.UnaryOp):
        yield _become(node, node.operand)
    if isinstance(node, ast.Constant) and not isinstance(node.value, str):
        for value in _other_values(node.value):
            yield _set(node, "value", value)
    if isinstance(node, ast.Attribute) and node.attr in WORDS:
        yield _set(node, "attr", WORDS[node.attr])
    if isinstance(node, ast.Name) and node.id in WORDS:
        yield _set(node, "id", WORDS[node.id])
    if isinstance(node, ast.Tuple | ast.Call):
        place = "elts" if isinstance(node, ast.Tuple) else "args"
        many = getattr(node, place)
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if len(many) == 2 and not stored and not _either_way(node):
            yield _set(node, place, many[::-1])
    if isinstance(node, ast.If | ast.While):
        yield _set(node, "test", ast.Constant(isinstance(node, ast.If)))
        yield _set(node, "test", ast.Constant(False))
    if isinstance(node, ast.Break):
        yield _become(node, ast.Pass())
    if node is statement and isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.If):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield _become(node, ast.Pass())


def _either_way(node: ast.AST) -> bool:
    """True for a call whose two arguments may change places."""
    word = getattr(getattr(node, "func", None), "attr", getattr(getattr(node, "func", 0), "id", ""))
    return word in ("min", "max", "minimum", "maximum")


def _other_values(value: object) -> list:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, *([0] if value else [])]
    return []


def _set(node: ast.AST, name: str, new: object) -> Change:
    def change() -> Callable[[], None]:
        old = getattr(node, name)
        setattr(node, name, new)
        return lambda: setattr(node, name, old)

    return change


def _become(node: ast.AST, other: ast.AST) -> Change:
    """Turn a node into another one, in place."""

    def change() -> Callable[[], None]:
        old, kind = dict(node.__dict__), type(node)
        node.__class__, node.__dict__ = type(other), copy.copy(other.__dict__)

        def undo() -> None:
            node.__class__, node.__dict__ = kind, old

        return undo

    return change


# --- who keeps full marks ------------------------------------------------------------------------


def survivors(homework: str) -> list[str]:
    """Return the names of the changed solutions that keep full marks on their question."""
    known, cells = masters.load(homework), solutions(homework)
    rest = [cell.source for cell in masters.find(homework).read().cells if _imports(cell)]
    kept = []
    for mutant in mutants(homework):
        changed = [mutant.source if _same_names(mutant.source, cell) else cell for cell in cells]
        if _full_marks(known, mutant.question, [*rest, *changed]):
            kept.append(mutant.name)
    return kept


def _imports(cell: dict) -> bool:
    return cell.cell_type == "code" and "import " in cell.source


def _same_names(one: str, other: str) -> bool:
    return _defined(one) == _defined(other)


def _defined(source: str) -> list[str]:
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]


def _full_marks(homework: Assignment, question: str, cells: list[str]) -> bool:
    names = {"SEED": 0}
    try:
        with time_limit(10 * PATIENCE), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for cell in cells:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(cell, names)
            call = LocalCall(names, PATIENCE)
            checks = (check for check in homework.checks if check.question == question)
            return all(judge(check, call).passed for check in checks)
    except Exception:
        return False


if __name__ == "__main__":
    for homework in sys.argv[1:] or masters.names():
        count, kept = sum(1 for _ in mutants(homework)), survivors(homework)
        print(f"{homework}: {count} changes, {len(kept)} keep full marks", *kept, sep="\n  ")
