"""Small changes to a solution, one at a time: what a check that is awake must see.

Planted answers are the mistakes we thought of. These are the ones nobody thought of: a solution is
changed at one place, an operator, a comparison, a number, the order of two values, a condition, a
statement left out. Homework (`tools/grading/mutants.py`) and exercises
(`tools/exercise_mutants.py`) use the same changes.
"""

import ast
import copy
from collections.abc import Callable, Iterator

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


def changed(tree: ast.Module, within: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (the line before and after, the whole text) for every change within a function."""
    seen = {ast.unparse(tree)}
    for statement in [node for node in ast.walk(within) if isinstance(node, ast.stmt)]:
        if statement is within and isinstance(statement, ast.FunctionDef):
            continue
        before = _line(statement)
        for node in _own(statement):
            for change in _changes(node, statement):
                undo = change()
                source, after = ast.unparse(tree), _line(statement)
                undo()
                if source not in seen:
                    seen.add(source)
                    yield f"{before}  ->  {after}", source


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
