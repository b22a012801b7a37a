"""The statements of a notebook: read cell by cell, so that what is broken costs only itself.

Like `values`, this file imports no other of ours: the sandboxed child has a copy.
"""

import __future__

import ast
import re
from types import CodeType

LAZY = __future__.annotations.compiler_flag  # a type that nobody imported costs no answer
FLAGS = LAZY | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as in a notebook
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign)
MAGIC = re.compile(r"^(\s*)(?:[%!?].*|[\w.]+\?+\s*|[\w, ]+=\s*[%!].*)$")
TIMED = re.compile(r"^(\s*)%time\s+(?=\w)")
KEEPS_CELL = re.compile(r"%%(time|timeit|capture|prun)\b")
STARTS = re.compile(r"^(?!else\b|elif\b|except\b|finally\b)[A-Za-z_@]")


def parsed(cell: str) -> tuple[list[ast.stmt], list[tuple[int, str]]]:
    """Return the statements of a cell and the lines that could not be read, with the reason."""
    first = cell.lstrip().split("\n", 1)[0]
    if first.startswith("%%") and not KEEPS_CELL.match(first):
        return [], []
    found = read(cell)
    return (found, []) if found is not None else in_blocks(cell)


def read(text: str) -> list[ast.stmt] | None:
    """Return the statements of a text, as it is or without the lines for IPython; None if lost."""
    plain = (MAGIC.sub(r"\1pass", TIMED.sub(r"\1", line)) for line in text.split("\n"))
    for attempt in (text, "\n".join(plain)):
        try:
            return [part for one in ast.parse(attempt).body for part in alone(one)]
        except Exception:  # SyntaxError, ValueError (a zero byte), RecursionError, MemoryError
            continue
    return None


def alone(statement: ast.stmt) -> list[ast.stmt]:
    """Take `import pandas, numpy` apart: a package that is absent costs only itself."""
    if not isinstance(statement, ast.Import):
        return [statement]
    return [ast.copy_location(ast.Import([name]), statement) for name in statement.names]


def why(text: str) -> tuple[int, str]:
    """Return the line at which Python gives up on a text, from 0, and its words; (0, "") if none.

    Lines for IPython are left out.
    """
    plain = (MAGIC.sub(r"\1pass", TIMED.sub(r"\1", line)) for line in text.split("\n"))
    try:
        ast.parse("\n".join(plain))
    except SyntaxError as error:
        return max(0, (error.lineno or 1) - 1), error.msg
    except Exception as error:
        return 0, type(error).__name__
    return 0, ""


def in_blocks(text: str) -> tuple[list[ast.stmt], list[tuple[int, str]]]:
    """Parse a broken cell piece by piece, so that one bad line does not cost the rest."""
    blocks: list[tuple[int, list[str]]] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        after_decorator = bool(blocks) and lines[number - 1].startswith("@")
        if not blocks or (STARTS.match(line) and not after_decorator):
            blocks.append((number, []))
        blocks[-1][1].append(line)
    statements, lost = [], []
    for start, block in blocks:
        found = read("\n" * start + "\n".join(block))
        statements += found or []
        if found is None:
            line, words = why("\n".join(block))
            lost.append((start + 1 + min(line, len(block) - 1), words))
    return statements, lost


def is_stub(statement: ast.stmt, names: dict, quizzes: list[str]) -> bool:
    """True for a stub that would replace an answer: a copied cell left behind."""
    if isinstance(statement, ast.FunctionDef) and callable(names.get(statement.name)):
        *docstring, last = statement.body
        empty = len(docstring) < 2 and all(isinstance(line, ast.Expr) for line in docstring)
        return empty and isinstance(last, ast.Raise) and "NotImplementedError" in ast.dump(last)
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
        set_now = [t.id for t in statement.targets if isinstance(t, ast.Name)]
        return statement.value.value == "" and any(n in quizzes and names.get(n) for n in set_now)
    return False


def compiled(statement: ast.stmt, cell: int) -> CodeType:
    """Return the code of one statement of a cell."""
    module = ast.Module([statement], [])
    return compile(module, f"<cell {cell}>", "exec", FLAGS, dont_inherit=True)


def place_of(error: BaseException) -> tuple[int, int]:
    """Return the last cell and line that an error went through; (0, 0) if there is none."""
    place, step = (0, 0), error.__traceback__
    while step is not None:
        found = re.fullmatch(r"<cell (\d+)>", step.tb_frame.f_code.co_filename)
        place = (int(found[1]), step.tb_lineno) if found else place
        step = step.tb_next
    return place


def run(code: CodeType, names: dict) -> None:
    """Run it; where it awaits something, to the end of that."""
    waiting = eval(code, names)
    if waiting is not None:
        import asyncio

        asyncio.run(waiting)


class Hush:
    """Which failures need no word: those that follow from the library not being here.

    The cells around the answers draw with the library. Where they run for grading it is absent,
    and so is every name that would have come from it.
    """

    def __init__(self):
        self.absent: set[str] = set()

    def __call__(self, error: BaseException, statement: ast.stmt) -> bool:
        """True if the error is of that kind; then the names it leaves undefined are too."""
        library = isinstance(error, ImportError) and str(error.name).startswith("lectures_")
        if not library and not (isinstance(error, NameError) and error.name in self.absent):
            return False
        for node in ast.walk(statement):
            if isinstance(node, ast.alias):
                self.absent.add(node.asname or node.name.split(".")[0])
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.absent.add(node.id)
        return True
