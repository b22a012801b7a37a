"""The web site is laid out from what is stored: every claim finds its section, and back."""

import json
import re
import runpy

import nbformat
import pytest

from tools import book, home, nbrules, progress, ratios
from tools.environment import ROOT

CLAIMS = (ROOT / "CLAIMS.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Lay the site out once."""
    folder = tmp_path_factory.mktemp("book") / "source"
    book.lay_out(folder)
    return folder


def headings(notebook) -> set[str]:
    """Return the headings of a notebook."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return {line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")}


def test_every_claim_leads_to_a_section_and_the_section_back(source):
    sections = book.claims_of_sections(CLAIMS)
    count = 0
    for name, claims in sections.items():
        notebook = nbrules.read(source / "notebooks" / name)
        text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert set(claims) <= headings(notebook), name
        for ids in claims.values():
            count += len(ids)
            assert all(f"../CLAIMS.html#{i.lower()}" in text for i in ids), (name, ids)
    assert count >= len(re.findall(book.CLAIM, CLAIMS))


def test_every_row_of_the_claims_has_an_address_and_links_with_a_heading(source):
    page = (source / "CLAIMS.md").read_text(encoding="utf-8")
    ids = book.CLAIM.findall(CLAIMS)
    assert ids and all(f"\n({i.lower()})=\n**{i}.** " in page for i in ids)
    assert not re.search(r"\]\(notebooks/[^)#]+\.ipynb\)", page)


def test_the_homework_on_the_site_is_the_students(source):
    pages = sorted((source / "homework").glob("*.ipynb"))
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert len(pages) >= 6 and "BEGIN SOLUTION" not in text and "answers.py" not in text


def test_every_figure_has_its_words_where_the_page_looks_for_them(source):
    for path in (source / "notebooks").glob("*.ipynb"):
        for cell in nbrules.read(path).cells:
            for output in cell.get("outputs", ()):
                if "image/png" in output.get("data", {}):
                    assert len(cell.metadata["mystnb"]["image"]["alt"]) >= nbrules.SHORTEST_ALT


def test_a_link_to_what_the_site_does_not_have_becomes_words(tmp_path):
    page = tmp_path / "page.md"
    (tmp_path / "there.md").write_text("# There\n")
    page.write_text("[a](there.md) [b](tests/nowhere.py) [c](https://example.org) [d](#here)\n")
    kept = "[a](there.md) b [c](https://example.org) [d](#here)\n"
    assert book.on_the_site(page, tmp_path) == kept


def test_claims_stand_under_their_heading_and_nowhere_else():
    told = book.with_claims("## 1. One\n\ntext\n\n## 2. Two\n", {"2. Two": ["PE-1"]})
    assert told.index("Two") < told.index("PE-1") and told.count("claims-here") == 1


def test_a_lecture_keeps_its_outputs_as_they_are_stored():
    path = next((ROOT / "notebooks").glob("02*.ipynb"))
    stored, shown = nbrules.read(path), book.lecture(nbrules.read(path), {})
    same = [(a.get("outputs"), b.get("outputs")) for a, b in zip(stored.cells, shown.cells)]
    assert all(a == b for a, b in same) and isinstance(shown, nbformat.NotebookNode)


def test_the_first_page_has_street_and_lie_and_both_ways_in(source):
    page = (source / "index.md").read_text(encoding="utf-8")
    assert page.count('class="exhibit-here"') == 2 and '"tour": {"point": 4' in page
    assert 'href="notebooks/00_start_here.html"' in page and 'href="run.html"' in page
    assert "<!--" not in page.split("```{toctree}")[0].replace("<!-- end table -->", "")


def test_the_gallery_leads_to_every_exhibit_of_the_lectures(source):
    page = (source / "index.md").read_text(encoding="utf-8")
    kept = list(home.places())
    different = {(place.notebook, place.kept["kind"]) for place in kept}
    assert page.count('class="exhibit-card"') == len(different) >= 9
    assert {place.kept["kind"] for place in kept} == set(home.IDEAS)
    assert "| [20 Past one machine](notebooks/20_past_one_machine.ipynb) |" in page


def test_the_picture_of_the_benchmarks_says_what_the_table_says(source):
    table = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    rows = ratios.read(table)
    assert len(rows) > 15 and all(row.ratio > 0 for row in rows)
    ahead = sum(row.ratio >= 1 for row in rows)
    page = (source / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    assert f"![Our time is the shorter one in {ahead} of {len(rows)} comparisons" in page
    assert (source / "benchmarks" / "ratios.png").read_bytes().startswith(b"\x89PNG")


def test_bars_goals_and_the_line_at_one_are_drawn_where_the_numbers_are():
    rows = [ratios.Ratio("a", "p", 3.0, 2.0), ratios.Ratio("b", "q", 0.5, None)]
    ax = ratios.draw(rows).axes[0]
    ends = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]
    assert ends == [(1.0, 3.0), (1.0, 0.5)]
    assert [line.get_xdata()[0] for line in ax.lines] == [2.0, 1.0]
    assert ratios.finding(rows) == (
        "Our time is the shorter one in 1 of 2 comparisons; 1 of 1 goals are reached"
    )


def test_code_in_a_docstring_reaches_the_page_as_it_is_written():
    plain_words = runpy.run_path(str(ROOT / "book" / "conf.py"))["plain_words"]
    lines = ["``k1 * k2``, `w_ * x`, a * b, |z| and w_"]
    plain_words(None, "", "", None, None, lines)
    assert lines == [r"``k1 * k2``, ``w_ * x``, a \* b, \|z\| and w\_"]


def test_a_formula_in_a_preview_is_written_in_letters():
    in_letters = runpy.run_path(str(ROOT / "book" / "conf.py"))["in_letters"]
    assert in_letters(r"w \leftarrow w + y\,\alpha_i \cdot x") == "w ← w + yα_i · x"
    assert in_letters(r"(R/\gamma)^2 \le 26^{9}") == "(R/γ)^2 ≤ 26^9"


def test_a_parameter_that_takes_two_lines_stays_one_entry():
    nodes = pytest.importorskip("docutils.nodes", reason="extra: docs")
    core = pytest.importorskip("docutils.core", reason="extra: docs")
    plain_words = runpy.run_path(str(ROOT / "book" / "conf.py"))["plain_words"]
    lines = ["Parameters", "----------", "n : how many", "tol : stop at a gap", "    of so much"]
    plain_words(None, "", "", None, None, lines)
    document = core.publish_doctree("\n".join(lines))
    assert [one.astext() for one in document.findall(nodes.list_item)] == [
        "n: how many",
        "tol: stop at a gap\nof so much",
    ]
    assert not list(document.findall(nodes.definition))


def test_the_list_of_functions_shows_code_as_code():
    listed = book.functions_of("perceptron")
    assert "`epochs`" in listed and re.search(r"(?<!`)``epochs``(?!`)", listed)
    assert "\\`" not in listed


def test_functions_come_before_classes_and_what_is_between_them_stays():
    nodes = pytest.importorskip("docutils.nodes", reason="extra: docs")
    addnodes = pytest.importorskip("sphinx.addnodes", reason="extra: docs")
    functions_first = runpy.run_path(str(ROOT / "book" / "conf.py"))["functions_first"]

    def told(kind: str, name: str, *inside) -> list:
        body = addnodes.desc_content("", *inside)
        one = addnodes.desc("", body, objtype=kind, domain="py", names=[name])
        return [addnodes.index(entries=[name]), one]

    room = nodes.section("", nodes.title("", "a room"), *told("class", "A", *told("method", "m")))
    room.extend([nodes.rubric("", "between"), *told("function", "f"), *told("data", "D")])
    room.extend(told("function", "g"))
    document = nodes.document(None, None)
    document += room
    functions_first(None, document)
    shown = [one for one in room if one.tagname != "index"]
    names = [one["names"][0] if one.tagname == "desc" else one.astext() for one in shown]
    assert names == ["a room", "f", "between", "g", "A", "D"]
    anchors = [one["entries"][0] for one in room if one.tagname == "index"]
    assert anchors == ["f", "g", "A", "D"]  # each goes with its description


def test_the_fold_over_code_is_not_called_by_its_result():
    named = runpy.run_path(str(ROOT / "book" / "conf.py"))["named"]
    fold = '<details class="hide {}">\n<summary aria-label="x">\n'
    fold += '<p class="collapsed title">Run it: see</p>'
    body = fold.format("above-input") + fold.format("below-input")
    context = {"body": body}
    named(None, "", "", context, None)
    assert context["body"] == body.replace("Run it: see", "Show the code", 1)


def test_every_page_knows_quizzes_and_exercises_of_the_whole_course(source):
    text = (source / "static" / "course-data.js").read_text(encoding="utf-8")
    lines = dict(line.removeprefix("window.").split(" = ", 1) for line in text.splitlines())
    course = json.loads(lines["lecturesCourse"].rstrip(";"))
    assert course["notebooks/02_perceptron"]["quizzes"] == ["2.1", "2.2", "2.3"]
    assert course["notebooks/02_perceptron"]["exercises"] == ["update", "sum", "never"]
    assert list(course) == sorted(course) and len(course) >= 21


def test_words_and_symbols_that_explain_themselves_stand_in_the_notation():
    found = list(progress.terms())
    words = {one["word"] for one in found if "word" in one}
    assert {"margin", "support vector", "slack", "certificate"} <= words
    assert not words & set(progress.EVERYDAY)
    formulas = {one["formula"]: one["means"] for one in found if "formula" in one}
    assert set(formulas) == set(progress.SYMBOLS) and "distance" in formulas[r"\gamma"]


@pytest.mark.parametrize(
    ("name", "notebook", "sense"),
    [
        ("u", 9, "spectrum kernel"),
        ("b", 9, "has 3"),
        (r"\alpha", 9, "wide"),
        ("u", 18, "vary most"),
        (r"\sigma", 20, "How large must the charge be"),
        ("gap", 12, "as wide as the gap"),
        ("gap", 16, "gap between forecast"),
        ("gap", 17, "gap tolerant"),
        ("mistake", 14, "That is no mistake"),
    ],
)
def test_where_a_word_or_symbol_has_another_sense_it_explains_nothing(name, notebook, sense):
    path = next((ROOT / "notebooks").glob(f"{notebook:02d}_*.ipynb"))
    assert sense.lower() in path.read_text(encoding="utf-8").lower()  # it still has it
    (one,) = [one for one in progress.terms() if name in (one.get("word"), one.get("formula"))]
    assert notebook in one["notIn"] and one["from"] <= notebook
