"""One command writes a version wherever it stands."""

import re
import shutil
import tomllib

import pytest

from tools import release
from tools.environment import ROOT


@pytest.fixture
def course(tmp_path):
    """Copy the files in which the version stands."""
    for name in release.PLACES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    news = text.replace("## [Unreleased]\n", "## [Unreleased]\n\n- Something new.\n", 1)
    (tmp_path / "CHANGELOG.md").write_text(news, encoding="utf-8")
    return tmp_path


def test_a_version_is_written_everywhere_and_what_is_new_becomes_its_own(course):
    assert release.main(["9.1.0"], course) == 0
    project = tomllib.loads((course / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == "9.1.0"
    assert '__version__ = "9.1.0"' in (course / "lectures_lib/__init__.py").read_text()
    cited = (course / "CITATION.cff").read_text(encoding="utf-8")
    date = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", cited, re.MULTILINE)[1]
    assert "\nversion: 9.1.0\n" in cited
    changes = (course / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [Unreleased]\n\n## [9.1.0] - {date}\n\n- Something new.\n" in changes
    assert release.main(["9.1.0"], course) == 1


@pytest.mark.parametrize(
    ("number", "said"),
    [("0.0.1", "0.0.1 is not after"), ("next", "'next' is no version")],
)
def test_a_number_that_cannot_be_next_is_refused(course, capsys, number, said):
    before = [(course / name).read_bytes() for name in release.PLACES]
    assert release.main([number], course) == 1
    assert capsys.readouterr().out.startswith(said)
    assert before == [(course / name).read_bytes() for name in release.PLACES]
