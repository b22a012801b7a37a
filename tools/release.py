"""Make a version: ``python -m tools.release 0.3.0`` writes it wherever it stands.

What CHANGELOG.md has under Unreleased becomes the version's, with today's date; pyproject.toml,
``lectures_lib.__version__`` and CITATION.cff get the number. Committing and tagging are yours:
``git commit -am "Version 0.3.0" && git tag v0.3.0``.
"""

import datetime
import re
import sys
from pathlib import Path

from packaging.version import InvalidVersion, Version

from tools.environment import ROOT

#: Where the number stands -> what is replaced by what; {} is the number, {date} the day.
PLACES = {
    "pyproject.toml": [(r'^version = ".*"$', 'version = "{}"')],
    "lectures_lib/__init__.py": [(r'^__version__ = ".*"$', '__version__ = "{}"')],
    "CITATION.cff": [
        (r"^version: .*$", "version: {}"),
        (r"^date-released: .*$", "date-released: {date}"),
    ],
    "CHANGELOG.md": [(r"^## \[Unreleased\]\n", "## [Unreleased]\n\n## [{}] - {date}\n")],
}


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Write a version everywhere."""
    if len(arguments) != 1:
        print("Usage: python -m tools.release 0.3.0")
        return 2
    if problem := why_not(arguments[0], root):
        print(problem)
        return 1
    date = datetime.date.today().isoformat()
    for name, changes in PLACES.items():
        path = root / name
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            made = new.format(arguments[0], date=date)
            text, count = re.subn(old, made, text, flags=re.MULTILINE)
            if count != 1:
                raise SystemExit(f"{name} has {count} lines like {old}: one is expected.")
        path.write_text(text, encoding="utf-8")
    print(f'{arguments[0]} is written. git commit -am "Version {arguments[0]}", then git tag.')
    return 0


def why_not(number: str, root: Path) -> str:
    """Say why a number cannot be the next version; nothing if it can."""
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    news, *rest = changes.partition("## [Unreleased]")[2].split("\n## [")
    last = rest[0].partition("]")[0] if rest else "0"
    try:
        if Version(number) <= Version(last):
            return f"{number} is not after {last}, the last version."
    except InvalidVersion:
        return f"{number!r} is no version: three numbers, like 0.3.0."
    return "" if "\n- " in news else "CHANGELOG.md has nothing new under Unreleased."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
