"""What an honest notebook looks like: its normal form, and what may be wrong with a stored one.

Shared by ``tools.nbguard`` (which checks) and ``tools.nbexecute`` (which rewrites). Nothing here
runs a notebook.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbval.plugin import find_comment_markers, find_metadata_tags

from tools.environment import ROOT

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
FOLDS = ("outputs_hidden", "source_hidden")
ALLOW_LIST = "allowed_ignores.toml"
SHORTEST_ALT = 30
LARGEST_OUTPUT = 1_000_000
LARGEST_NOTEBOOK = 3_000_000

LOCAL_PLACES = {
    "a local path": re.compile(
        r"(?<![\w.])/(?:home|root|tmp|Users|work|mnt|private|var|usr|opt)/\w"
        r"|\b[A-Za-z]:\\(?:Users|Windows|Program Files|ProgramData|Temp)\b"
        r"|site-packages|\.venv\b"
    ),
    "a local address": re.compile(r"\blocalhost\b|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"),
    "a memory address": re.compile(r"\bat 0x[0-9a-fA-F]{4,}"),
}


# --- reading and writing -------------------------------------------------------------------------


def read(path: Path) -> NotebookNode:
    """Read a notebook exactly as it is stored: nothing is repaired, nothing validated."""
    return nbformat.v4.reads_json(path.read_text(encoding="utf-8"))


def dumps(notebook: NotebookNode) -> str:
    """Return the one text a notebook is stored as: sorted keys, indent 1, a final newline."""
    return nbformat.v4.writes_json(notebook).rstrip("\n") + "\n"


# --- the normal form -----------------------------------------------------------------------------


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Return a copy in normal form: no volatile metadata, canonical outputs, every cell named."""
    result = deepcopy(notebook)
    result.nbformat, result.nbformat_minor = 4, 5
    result.metadata = nbformat.from_dict(METADATA)
    result.cells = [cell for cell in result.cells if cell.source.strip()]
    for cell in result.cells:
        cell.metadata = normal_cell_metadata(cell.metadata)
        if cell.cell_type == "code":
            cell.outputs = canonical(cell.outputs)
    name_cells(result.cells)
    return result


def normal_cell_metadata(metadata: dict) -> NotebookNode:
    """Keep the tags and what is folded away, source or outputs; the rest is not the lesson's."""
    kept = {}
    if metadata.get("tags"):
        kept["tags"] = metadata["tags"]
    folds = {key: True for key in FOLDS if metadata.get("jupyter", {}).get(key)}
    if folds:
        kept["jupyter"] = folds
    return nbformat.from_dict(kept)


def canonical(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return outputs without widget views, with consecutive pieces of one stream joined."""
    result: list[NotebookNode] = []
    for output in deepcopy(outputs):
        if "data" in output:
            was_a_view = output.data.pop(WIDGET_VIEW, None) is not None
            if was_a_view and not output.data:
                continue
        if result and continues(result[-1], output):
            result[-1].text += output.text
        else:
            result.append(output)
    return result


def continues(previous: NotebookNode, output: NotebookNode) -> bool:
    """Say whether an output is the next piece of the stream before it."""
    both = previous.output_type == output.output_type == "stream"
    return both and previous.name == output.name


def name_cells(cells: list[NotebookNode]) -> None:
    """Keep the first use of every cell id; name the other cells after their first words."""
    repeated, taken = [], set()
    for cell in cells:
        if cell.get("id") and cell["id"] not in taken:
            taken.add(cell["id"])
        else:
            repeated.append(cell)
    for cell in repeated:
        cell["id"] = free_name(first_words(cell.source), taken)
        taken.add(cell["id"])


def first_words(source: str) -> str:
    """Return a short readable name made of the first line of a cell."""
    words = re.findall(r"[a-z0-9]+", source.strip().splitlines()[0].lower())
    return "-".join(words)[:32].strip("-") or "cell"


def free_name(name: str, taken: set[str]) -> str:
    """Return the name, numbered if it is already taken."""
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    return candidate


# --- outputs that are not compared ---------------------------------------------------------------


def ignoring_markers(cell: NotebookNode) -> list[str]:
    """Return what switches off a comparison of nbval in this cell: tags and comments alike."""
    options = [*find_metadata_tags(cell.metadata), *find_comment_markers(cell.source)]
    return sorted({name for name, value in options if (name, value) != ("check", True)})


def find_allow_list(notebook: Path) -> Path | None:
    """Return the allow-list that governs a notebook: the nearest one at or above its folder."""
    candidates = (folder / ALLOW_LIST for folder in notebook.resolve().parents)
    return next((path for path in candidates if path.is_file()), None)


def read_allow_list(path: Path) -> list[dict[str, str]]:
    """Return the entries of an allow-list: notebook, cell and reason."""
    return tomllib.loads(path.read_text(encoding="utf-8")).get("ignore", [])


def allowed_cells(notebook: Path) -> set[str]:
    """Return the ids of the cells of one notebook whose outputs need not be compared."""
    path = find_allow_list(notebook)
    if path is None:
        return set()
    name = notebook.resolve().relative_to(path.parent).as_posix()
    return {entry["cell"] for entry in read_allow_list(path) if entry["notebook"] == name}


def allow_list_problems(path: Path) -> Iterator[str]:
    """Yield what is wrong with an allow-list itself; each notebook checks the entries it has."""
    for number, entry in enumerate(read_allow_list(path), start=1):
        missing = {"notebook", "cell", "reason"} - {k for k, v in entry.items() if v.strip()}
        if missing:
            yield f"entry {number} has no {', '.join(sorted(missing))}"
        elif not (path.parent / entry["notebook"]).is_file():
            yield f"entry {number} is stale: there is no notebook {entry['notebook']}"


# --- what is wrong with a stored notebook --------------------------------------------------------


def problems(path: Path) -> list[str]:
    """Return every reason, in words, why a stored notebook cannot be trusted; none if it can."""
    notebook, allowed = read(path), allowed_cells(path)
    found = [
        *file_problems(path, notebook),
        *metadata_problems(notebook),
        *cell_id_problems(notebook.cells),
        *allowance_problems(notebook.cells, allowed),
        *order_problems(code_cells(notebook)),
    ]
    for cell in notebook.cells:
        found += [f"{describe(notebook, cell)}: {text}" for text in cell_problems(cell, allowed)]
    if not found and dumps(normalise(notebook)) != path.read_text(encoding="utf-8"):
        found.append("the file is not in normal form: run `make notebooks`")
    return found


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the code cells in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def describe(notebook: NotebookNode, cell: NotebookNode) -> str:
    """Name a cell as nbval does (code cells counted from 0), with its id."""
    cells = code_cells(notebook)
    number = next((i for i, other in enumerate(cells) if other is cell), None)
    kind = "Markdown cell" if number is None else f"Cell {number}"
    return f"{kind} ({cell.get('id', 'no id')})"


def file_problems(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """Yield problems of the file as a whole."""
    if path.stat().st_size > LARGEST_NOTEBOOK:
        yield f"the notebook is larger than {LARGEST_NOTEBOOK:,} bytes"
    if (notebook.get("nbformat"), notebook.get("nbformat_minor")) != (4, 5):
        yield "the notebook format is not 4.5"
    else:
        try:
            nbformat.validate(deepcopy(notebook))
        except nbformat.ValidationError as error:
            yield f"the notebook is not valid: {error.message}"


def metadata_problems(notebook: NotebookNode) -> Iterator[str]:
    """Yield every deviation of the notebook's metadata from the normal form."""
    for key, value in METADATA.items():
        if notebook.metadata.get(key) != value:
            yield f"metadata: {key} is not {json.dumps(value)}"
    for key in sorted(notebook.metadata.keys() - METADATA.keys()):
        name = "widget state" if key == "widgets" else key
        yield f"metadata: {name} is stored and should not be"


def cell_id_problems(cells: list[NotebookNode]) -> Iterator[str]:
    """Yield cells without an id and ids used twice."""
    counts = Counter(cell.get("id") for cell in cells)
    if None in counts:
        yield f"{counts.pop(None)} cells have no id"
    yield from (f"the cell id {name} is used {n} times" for name, n in counts.items() if n > 1)


def allowance_problems(cells: list[NotebookNode], allowed: set[str]) -> Iterator[str]:
    """Yield entries of the allow-list that no cell makes use of."""
    using = {cell.get("id") for cell in cells if ignoring_markers(cell)}
    for name in sorted(allowed - using):
        yield f"{ALLOW_LIST} is stale: no cell {name} has an ignored output"


def order_problems(cells: list[NotebookNode]) -> Iterator[str]:
    """Yield cells that one fresh kernel, running top to bottom, would have counted otherwise."""
    for number, cell in enumerate(cells):
        if cell.get("execution_count") != number + 1:
            count = cell.get("execution_count")
            state = "was never executed" if count is None else f"has execution count {count}"
            expected = f"a fresh kernel counts {number + 1} here"
            yield f"Cell {number} ({cell.get('id', 'no id')}): {state}; {expected}"


def cell_problems(cell: NotebookNode, allowed: set[str]) -> Iterator[str]:
    """Yield the problems of one cell."""
    extra = sorted(flat_keys(cell.metadata) - flat_keys(normal_cell_metadata(cell.metadata)))
    if extra:
        yield f"cell metadata is stored and should not be: {', '.join(extra)}"
    if not cell.source.strip():
        yield "the cell is empty"
    if cell.cell_type == "markdown" and re.search(r"!\[\s*\]\(|<img(?![^>]*\balt=)", cell.source):
        yield "a picture has no alt text"
    if cell.cell_type == "code":
        markers = ignoring_markers(cell)
        if markers and cell.get("id") not in allowed:
            yield f"its output is not compared ({', '.join(markers)}) without leave in {ALLOW_LIST}"
        may_raise = "check_exception" in markers and cell.get("id") in allowed
        for output in cell.outputs:
            yield from output_problems(output, may_raise)
            if output.get("execution_count", cell.execution_count) != cell.execution_count:
                yield "a result does not have the number of its cell"


def flat_keys(metadata: dict) -> set[str]:
    """Return the keys of cell metadata, those inside ``jupyter`` with a dot."""
    inner = {f"jupyter.{key}" for key in metadata.get("jupyter", {})}
    return (metadata.keys() - {"jupyter"}) | inner


def output_problems(output: NotebookNode, may_raise: bool) -> Iterator[str]:
    """Yield the problems of one stored output."""
    if output.output_type == "stream" and output.name == "stderr":
        yield f"stderr is stored: {first_line(output.text)}"
    if output.output_type == "error" and not may_raise:
        yield f"an error is stored: {output.ename}: {first_line(output.evalue)}"
    if len(json.dumps(output)) > LARGEST_OUTPUT:
        yield f"an output is larger than {LARGEST_OUTPUT:,} bytes"
    for mime in (mime for mime in output.get("data", {}) if mime.startswith("image/")):
        yield from alt_problems(output.metadata.get(mime, {}).get("alt", ""))
    for text in output_texts(output):
        yield from text_problems(text)


def first_line(text: str) -> str:
    """Return the first line of a text, shortened for a message."""
    return (text.strip().splitlines() or [""])[0][:100]


def alt_problems(alt: str) -> Iterator[str]:
    """Yield why a figure's description is none."""
    if not alt:
        yield "a figure has no alt text"
    elif len(alt.strip()) < SHORTEST_ALT or " " not in alt.strip():
        yield f"a figure's alt text is shorter than a sentence: {alt!r}"


def output_texts(output: NotebookNode) -> Iterator[str]:
    """Yield every text of an output that a reader could see."""
    yield from (output[key] for key in ("text", "ename", "evalue") if key in output)
    yield from output.get("traceback", [])
    for mime, content in output.get("data", {}).items():
        if not mime.startswith("image/") or mime == "image/svg+xml":
            yield content if isinstance(content, str) else json.dumps(content)


def text_problems(text: str) -> Iterator[str]:
    """Yield what a text says about the machine it was made on, and pictures without alt text."""
    for name, pattern in LOCAL_PLACES.items():
        match = pattern.search(text)
        if match:
            yield f"an output holds {name}: {excerpt(text, match)}"
    if any(str(place) in text for place in (ROOT, Path.home()) if len(place.parts) > 2):
        yield "an output holds a path of this machine"
    if re.search(r"<img(?![^>]*\balt=)", text):
        yield "a picture in HTML has no alt text"


def excerpt(text: str, match: re.Match) -> str:
    """Return the match with a few characters around it, on one line."""
    return repr(text[max(0, match.start() - 20) : match.end() + 20])
