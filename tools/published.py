"""The exercises as the notebooks pose them, and the solutions that they print."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "notebooks"
CHECK = re.compile(r'exercises\.check\("([\w ]+)", (\w+)\)')


@dataclass(frozen=True)
class Solution:
    """A published solution: the exercise, the name that is checked, the text, what it may use."""

    notebook: str
    exercise: str
    name: str
    source: str
    imports: str

    def answer(self, source: str | None = None) -> Any:
        """Return what the solution, or a changed text of it, hands to the check."""
        namespace = dict(_imported(self.imports))
        exec(compile(source or self.source, f"<solution of {self.exercise}>", "exec"), namespace)
        return namespace[self.name]

    def converted(self, convert: Callable[[Any], Any]) -> Callable:
        """Return the solution as a function whose result is handed over in another form."""
        answer = self.answer()
        return lambda *args: convert(answer(*args))


@cache
def _imported(text: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    return namespace


@cache
def solutions() -> tuple[Solution, ...]:
    """Return the published solution of every exercise, in the order of the notebooks."""
    return tuple(s for path in sorted(FOLDER.glob("[0-9][0-9]_*.ipynb")) for s in _of(path))


def _of(path: Path) -> Iterator[Solution]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = [("".join(cell["source"]), cell["cell_type"]) for cell in cells]
    code = "\n".join(text for text, kind in texts if kind == "code")
    used = [n for n in ast.parse(code).body if isinstance(n, ast.Import | ast.ImportFrom)]
    imports = "\n".join(map(ast.unparse, used))
    task = ""
    for text, kind in texts:
        if kind == "markdown" and text.startswith("**Exercise"):
            task = text
        if kind == "code" and (found := CHECK.search(text)):
            (source,) = re.findall(r"```python\n(.*?)```", task, re.S)
            name, function = found.groups()
            yield Solution(path.stem, name, function, source, imports)
