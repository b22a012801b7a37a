"""What a lesson promises its reader, beyond honest outputs: its time, its folds, its figures.

A notebook has a core that a student finishes in the time its frame states, a part *Further*, and a
*Take-away*. `problems` says in words what a notebook does not keep; `count` measures its time.
Nothing here runs a notebook: the outputs are those that are stored.
"""

import base64
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image

#: words and lines of code per minute
WORDS, LINES = 150, 6
#: words that a formula counts for, inside a sentence and on a line of its own (15 seconds)
FORMULA, DISPLAY = 2, 38
#: minutes for each: to think of an answer before it is opened, to move an exhibit or a slider
PREDICTION, QUESTION, EXHIBIT, SLIDER, FIGURE = 2, 0.5, 3, 1, 1
#: minutes for an exercise: four and one per line to write, within these limits
SHORT_EXERCISE, LONG_EXERCISE = 5, 8
LONGEST_CORE = 60
LONGEST_LINE = 88
LONGEST_CODE = 100  # a line of the library, where its source is shown
LONGEST_DRAWING = 12
FEWEST_EXERCISES = 3
DARK = 200  # of 255: ink is below; paper is white, the lines of the grid are 221
PREDICT = "**Predict, then run.**"
RECALL_TITLE = "**Recall.**"
EXHIBIT_TYPE = "application/vnd.lectures.exhibit+json"
FOLD = re.compile(r"<details><summary>(.*?)</summary>(.*?)</details>", re.S)
HELP = re.compile(r"Hint|Solution")
CODE = re.compile(r"```python\n(.*?)```", re.S)
ELSEWHERE = re.compile(
    r"^(?=(?:#+ |\*\*|<details><summary>)(?:Further reading|What an instructor))", re.M
)
IMPORT = re.compile(r"^(?:import|from) [^(\n]*(?:\([^)]*\))?\n?", re.M)
#: words over which readers stumbled
STUMBLES = re.compile(
    r"\b(heaps?|dear|dearer|asks back|in earnest|nobody|stated before|so many)\b", re.I
)
#: a section, and the words that speak to its reader
SECTION = re.compile(r"^## (\d+)\. .*?(?=^## |\Z)", re.M | re.S)
READER = re.compile(r"\b(you|your|yours|yourself)\b", re.I)
COLOUR = re.compile(r"""["'](tab:\w+|C\d|red|blue|green|orange|purple|cyan|magenta|yellow)["']""")
TIME = re.compile(r"\*\*Time:\*\* (\d+) minutes for the core")
HEADING = re.compile(r"^(?=## )", re.M)
#: a row of the table in which the part Further names its sections and their minutes
ROW = re.compile(r"^\| (\d+\. .*?) \| (\d+) \|$", re.M)


# --- the time ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Count:
    """What there is to read and to do, and the minutes that it takes."""

    words: int
    folded: int
    lines: int
    predictions: int
    questions: int
    exhibits: int
    sliders: int
    figures: int
    exercises: tuple[int, ...]

    @property
    def minutes(self) -> float:
        """Return the minutes at the course's reading speed."""
        reading = (self.words + self.folded) / WORDS + self.lines / LINES
        thinking = PREDICTION * self.predictions + QUESTION * self.questions
        moving = EXHIBIT * self.exhibits + SLIDER * self.sliders + FIGURE * self.figures
        return reading + thinking + moving + sum(self.exercises)

    @property
    def stated(self) -> int:
        """Return the minutes that a frame states: rounded up to a multiple of 5."""
        return 5 * math.ceil(self.minutes / 5)


def count(cells: list[dict]) -> Count:
    """Return what there is to read and to do in these cells."""
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    texts = [source(cell) for cell in cells if cell["cell_type"] == "markdown"]
    return Count(
        words=sum(map(visible_words, texts)) + sum(table_words(cell) for cell in code),
        folded=sum(map(folded_words, texts)),
        lines=sum(open_lines(cell) + len(printed_source(cell)) for cell in code),
        predictions=sum(PREDICT.lower() in text.lower() for text in texts),
        questions=sum(
            text.startswith("**Quiz") + 3 * text.startswith(RECALL_TITLE) for text in texts
        ),
        exhibits=sum(EXHIBIT_TYPE in data for cell in code for data in bundles(cell)),
        sliders=sum(is_instead_of_a_slider(data) for cell in code for data in bundles(cell)),
        figures=sum(len(pictures(cell)) for cell in code),
        exercises=tuple(exercise_minutes(text) for text in texts if text.startswith("**Exercise")),
    )


def core_and_further(notebook: dict) -> tuple[list[dict], list[dict]]:
    """Return the cells of the core (with the take-away) and those of the part Further.

    What to read elsewhere and what an instructor may ask is no part of the core either.
    """
    parts: tuple[list[dict], list[dict]] = ([], [])
    here = 0
    for cell in notebook["cells"]:
        text = source(cell) if cell["cell_type"] == "markdown" else ""
        if re.match(r"## Further *(\n|$)", text):
            here = 1
        elif re.match(r"## Take-away", text):
            here = 0
        first, *elsewhere = ELSEWHERE.split(text, maxsplit=1)
        parts[here].append({**cell, "source": first} if elsewhere else cell)
        parts[1].extend({**cell, "source": rest} for rest in elsewhere)
    return parts


def further_sections(notebook: dict) -> dict[str, list[dict]]:
    """Return the cells of each section of the part Further, by its heading."""
    found: dict[str, list[dict]] = {}
    for cell in notebook["cells"]:
        texts = HEADING.split(prose(cell)) if cell["cell_type"] == "markdown" else [""]
        for text in texts:
            if text.startswith("## "):
                heading = text[3:].splitlines()[0].strip()
                if heading == "Further" or (found and heading[0].isdigit()):
                    found[heading] = []
                elif found:
                    return found
            if found:
                found[heading].append({**cell, "source": text} if prose(cell) else cell)
    return found


def visible_words(text: str) -> int:
    """Count the words of a text that are seen with its folds closed."""
    return words_of(FOLD.sub(" ", text))


def folded_words(text: str) -> int:
    """Count the words in the folds that a reader opens: answers, not hints and solutions.

    What somebody stuck in an exercise opens is part of the time that the exercise has.
    """
    return sum(words_of(inside) for name, inside in FOLD.findall(text) if not HELP.match(name))


def words_of(text: str) -> int:
    """Count words; a formula counts as said above, and for nothing where a link leads."""
    text = re.sub(r"\$\$.*?\$\$", " formula" * DISPLAY + " ", text, flags=re.S)
    text = re.sub(r"\$[^$]+\$", " formula" * FORMULA + " ", text)
    text = re.sub(r"\]\([^)]*\)|<[^>]*>", " ", text)
    return sum(any(sign.isalnum() for sign in word) for word in text.split())


def open_lines(cell: dict) -> int:
    """Count the lines of code that a reader sees: none in a fold, and all imports as one."""
    if folded(cell, "source_hidden"):
        return 0
    text, imports = IMPORT.subn("", source(cell))
    return len(non_blank(text)) + bool(imports)


def printed_source(cell: dict) -> list[str]:
    """Return the lines of the library that a cell prints."""
    return [
        line for text in shown(cell) for block in CODE.findall(text) for line in non_blank(block)
    ]


def code_lines(text: str) -> list[str]:
    """Return the lines of Python that stand in a text."""
    return [line for block in CODE.findall(text) for line in non_blank(block)]


def questions(text: str) -> int:
    """Count the questions that a text asks with folded answers: a quiz has one, a recall three."""
    return text.startswith("**Quiz") + 3 * text.startswith(RECALL_TITLE)


def table_words(cell: dict) -> int:
    """Count the words of what a cell shows as text, such as the table of a theorem."""
    return sum(words_of(CODE.sub(" ", text)) for text in shown(cell))


def exercise_minutes(text: str) -> int:
    """Return the minutes for an exercise: four, and one for each line that is to be written."""
    given = ("def ", '"""', "import ", "from ")  # stands in the stub, or is no work
    lines = [line for line in code_lines(text) if not line.strip().startswith(given)]
    return min(max(4 + len(lines), SHORT_EXERCISE), LONG_EXERCISE)


# --- what a lesson does not keep -----------------------------------------------------------------


def problems(notebook: dict, number: int) -> list[str]:
    """Return what the notebook with this number does not keep; nothing if it keeps all."""
    found = [*time_problems(notebook), *further_problems(notebook)]
    found += prediction_problems(notebook["cells"])
    posed = sum(source(cell).count("exercises.check(") for cell in code_cells(notebook))
    if number and posed < FEWEST_EXERCISES:
        found.append(f"it poses {posed} exercises; at least {FEWEST_EXERCISES} are asked for")
    if number:
        found += recall_problems(notebook["cells"])
    for cell in code_cells(notebook):
        found += [f"Cell {cell.get('id')}: {text}" for text in cell_problems(cell)]
    for cell in notebook["cells"]:
        words = STUMBLES.findall(source(cell)) if cell["cell_type"] == "markdown" else []
        found += [f"Cell {cell.get('id')}: {word!r} is not plain English here" for word in words]
    return [*found, *address_problems(notebook["cells"])]


def address_problems(cells: list[dict]) -> Iterator[str]:
    """Yield the sections that never speak to their reader."""
    text = "\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")
    for section in SECTION.finditer(text):
        if not READER.search(section[0]):
            yield f"section {section[1]} never says *you*"


def time_problems(notebook: dict) -> Iterator[str]:
    """Yield what is wrong with the stated time: absent, not the computed one, or too long."""
    core = count(core_and_further(notebook)[0])
    texts = [source(cell) for cell in notebook["cells"][:4] if cell["cell_type"] == "markdown"]
    stated = TIME.search("\n".join(texts))
    if not stated:
        yield f"its frame does not say `**Time:** {core.stated} minutes for the core`"
    elif int(stated[1]) != core.stated:
        yield f"its frame says {stated[1]} minutes for the core; counted are {core.minutes:.1f}"
    if core.stated > LONGEST_CORE:
        yield f"its core takes {core.minutes:.1f} minutes, more than {LONGEST_CORE}"


def further_problems(notebook: dict) -> Iterator[str]:
    """Yield if a part Further states other minutes for its sections than those counted."""
    sections = further_sections(notebook)
    opening = "".join(source(cell) for cell in sections.pop("Further", []))
    stated = {name: int(minutes) for name, minutes in ROW.findall(opening)}
    counted = {name: count(cells).stated for name, cells in sections.items()}
    if stated and stated != counted:
        rows = "\n".join(f"| {name} | {minutes} |" for name, minutes in counted.items())
        yield f"its part Further states other minutes than those counted:\n{rows}"


def recall_problems(cells: list[dict]) -> Iterator[str]:
    """Yield if a notebook does not open with three questions and, folded, their answers."""
    texts = [source(cell) for cell in cells[:4] if source(cell).startswith(RECALL_TITLE)]
    if not texts:
        yield f"it does not open with three questions, in a cell that begins with {RECALL_TITLE}"
    for text in texts:
        answers = "".join(inside for _, inside in FOLD.findall(text))
        for name, part in (("questions", FOLD.sub("", text)), ("answers", answers)):
            numbers = re.findall(r"^(\d)\. ", part, re.M)
            if numbers != ["1", "2", "3"]:
                yield f"its {RECALL_TITLE} has {len(numbers)} {name}, numbered; three are asked for"


def prediction_problems(cells: list[dict]) -> Iterator[str]:
    """Yield prompts to predict whose answer stands open, and outputs hidden without a prompt.

    Every cell below the prompt shows what is to be predicted, until the next text.
    """
    asked = near = False  # the cell before asks to predict; there was no text since the prompt
    for before, cell in pairwise([None, *cells, None]):
        asked = before is not None and PREDICT.lower() in prose(before).lower()
        if cell is None or cell["cell_type"] != "code":
            near = False
            if asked and before is not None:
                yield f"Cell {before.get('id')}: no code follows its prompt to predict"
            continue
        near = asked or near
        if asked and not cell["outputs"]:
            yield f"Cell {cell.get('id')}: nothing is to be predicted here, it has no output"
        elif near and cell["outputs"] and not hides(cell, "outputs_hidden", "hide-output"):
            yield f"Cell {cell.get('id')}: the output that is to be predicted is not hidden"
        elif not near and folded(cell, "outputs_hidden"):
            yield f"Cell {cell.get('id')}: its output is hidden, but nothing is to be predicted"


def cell_problems(cell: dict) -> Iterator[str]:
    """Yield what is wrong with one code cell and its stored outputs."""
    lines = source(cell).splitlines()
    if folded(cell, "source_hidden") or "hide-input" in tags(cell):
        if not hides(cell, "source_hidden", "hide-input"):
            yield "a folded source needs both, jupyter.source_hidden and the tag hide-input"
        if not re.match(r"# \w+.* \w+", lines[0]):
            yield "a folded source begins with its title, such as `# Figure: two streets`"
    elif "plots.show(" in source(cell):
        yield "it draws, and its source is not folded"
    for colour in COLOUR.findall(source(cell)):
        yield f"it names the colour {colour}: take one of the course's palette, plots.BLUE ..."
    if "plots.show(" in source(cell) and len(lines) > LONGEST_DRAWING:
        yield f"it draws in {len(lines)} lines; {LONGEST_DRAWING} are allowed"
    if re.search(r"(?<=\w)\._[a-zA-Z]|\bimport _", source(cell)):
        yield "it uses a private name"
    for line in wide_lines(cell):
        yield f"its output has a line of {len(line)} characters: {line[:40]!r} ..."
    for picture in pictures(cell):
        yield from border_problems(picture)


def wide_lines(cell: dict) -> Iterator[str]:
    """Yield the lines of printed text, and of code shown, that are too long for a page."""
    for output in cell["outputs"]:
        data = output.get("data", {})
        text = joined(output.get("text", ""))
        if not {"image/png", "text/markdown"} & data.keys() and not is_instead_of_a_widget(data):
            text += joined(data.get("text/plain", ""))
        code = "".join(re.findall(r"```.*?```", joined(data.get("text/markdown", "")), re.S))
        yield from (line for line in text.splitlines() if len(line) > LONGEST_LINE)
        yield from (line for line in code.splitlines() if len(line) > LONGEST_CODE)


def is_instead_of_a_widget(data: dict) -> bool:
    """Say whether a text only takes the place of a widget that is not stored."""
    return "Run this cell in Jupyter to move" in joined(data.get("text/plain", ""))


def is_instead_of_a_slider(data: dict) -> bool:
    """Say whether a text takes the place of a slider."""
    return is_instead_of_a_widget(data) and EXHIBIT_TYPE not in data


def border_problems(encoded: str) -> Iterator[str]:
    """Yield if dark ink touches the border of a picture: something is cut off there."""
    picture = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGBA")
    paper = Image.new("RGBA", picture.size, "white")
    grey = np.asarray(Image.alpha_composite(paper, picture).convert("L"))
    sides = {"top": grey[0], "bottom": grey[-1], "left": grey[:, 0], "right": grey[:, -1]}
    for side, pixels in sides.items():
        if (pixels < DARK).any():
            yield f"a figure is cut off at the {side}: {(pixels < DARK).sum()} dark pixels"


# --- reading a cell ------------------------------------------------------------------------------


def source(cell: dict) -> str:
    """Return the text of a cell."""
    return joined(cell["source"])


def prose(cell: dict) -> str:
    """Return the text of a cell; a cell of code has none."""
    return source(cell) if cell["cell_type"] == "markdown" else ""


def joined(text: str | list[str]) -> str:
    """Return a text that may be stored as a list of lines."""
    return "".join(text)


def code_cells(notebook: dict) -> list[dict]:
    """Return the code cells in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def non_blank(text: str) -> list[str]:
    """Return the lines that are not empty."""
    return [line for line in text.splitlines() if line.strip()]


def tags(cell: dict) -> list[str]:
    """Return the tags of a cell."""
    return cell["metadata"].get("tags", [])


def folded(cell: dict, fold: str) -> bool:
    """Say whether JupyterLab folds the source or the outputs of a cell away."""
    return bool(cell["metadata"].get("jupyter", {}).get(fold))


def hides(cell: dict, fold: str, tag: str) -> bool:
    """Say whether a cell is folded in JupyterLab and, by its tag, on a web page."""
    return folded(cell, fold) and tag in tags(cell)


def bundles(cell: dict) -> list[dict]:
    """Return what the stored outputs of a cell hold, by type."""
    return [output.get("data", {}) for output in cell["outputs"]]


def shown(cell: dict) -> list[str]:
    """Return the texts that a cell displays."""
    return [joined(data["text/markdown"]) for data in bundles(cell) if "text/markdown" in data]


def pictures(cell: dict) -> list[str]:
    """Return the stored figures of a cell, encoded."""
    return [joined(data["image/png"]) for data in bundles(cell) if "image/png" in data]
