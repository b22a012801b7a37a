"""The course on paper: contents name the pages, links stay inside, and no browser is a sentence."""

import pytest

pypdf = pytest.importorskip("pypdf", reason="extra: browser")
annotations = pytest.importorskip("pypdf.annotations", reason="extra: browser")
pdf = pytest.importorskip("tools.pdf", reason="extra: browser", exc_type=ImportError)


def part(name: str, first: int) -> "pdf.Part":
    """Return a part of two pages."""
    return pdf.Part(f"notebooks/{name}.html", f"The {name}", "Lectures", 2, first)


def write(path, pages: int, *links: str) -> None:
    """Write a file of empty pages, its first with links."""
    made = pypdf.PdfWriter()
    for _ in range(pages):
        made.add_blank_page(200, 200)
    for link in links:
        made.add_annotation(0, annotations.Link(rect=(0, 0, 9, 9), url=link))
    made.write(path)


def test_a_link_to_a_part_leads_to_its_first_page_and_others_to_the_web_or_nowhere(
    tmp_path, monkeypatch
):
    here = "http://127.0.0.1:1"
    write(tmp_path / "front.pdf", 1, f"{pdf.COURSE}/notebooks/two.html")
    write(tmp_path / "0.pdf", 2, f"{here}/notebooks/two.html#b", f"{here}/lite/x", "https://a.b/")
    write(tmp_path / "1.pdf", 2)
    monkeypatch.setattr(pdf, "OUT", tmp_path / "book.pdf")
    pdf.bind(1, [part("one", 2), part("two", 4)], tmp_path, here)
    made = pypdf.PdfReader(tmp_path / "book.pdf")
    assert len(made.pages) == 5
    links = [one.get_object() for one in made.pages[1]["/Annots"]]
    assert [made.get_page_number(links[0]["/Dest"][0].get_object()), "/A" in links[1]] == [3, False]
    assert links[2]["/A"]["/URI"] == "https://a.b/"
    assert made.pages[0]["/Annots"][0].get_object()["/Dest"][0].get_object() == made.pages[3]
    assert [one.title for one in made.outline[2]] == ["The one", "The two"]


def test_the_contents_name_every_part_with_its_page():
    text = pdf.contents([part("one", 7), part("two", 9)])
    assert "The one</a></td><td class=n>7<" in text and "The two</a></td><td class=n>9<" in text


def test_without_a_browser_there_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    assert pdf.main() == 2
    assert capsys.readouterr().out.strip() == pdf.NEEDS
