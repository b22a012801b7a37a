"""Where the course is, and archives of it: the same content gives the same file."""

import zipfile
from pathlib import Path

#: The folder of the course, and texts that archives carry.
ROOT = Path(__file__).resolve().parents[2]
TEXTS = Path(__file__).resolve().parent / "templates"


def add(made: zipfile.ZipFile, name: str, content: str | bytes, mode: int = 0o644) -> None:
    """Add a file with a fixed date."""
    entry = zipfile.ZipInfo(name, date_time=(2000, 1, 1, 0, 0, 0))
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, mode << 16
    made.writestr(entry, content)
