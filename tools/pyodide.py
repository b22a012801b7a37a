"""The browser's Python from a file of your own: ``PYODIDE=file or folder make book``.

The package that carries Pyodide is fetched by name and is the default (`tools.lite`). Whoever can
fetch Pyodide's own release may name it instead: the archive pyodide-X.tar.bz2 of its "full"
distribution, or the folder it unpacks to. Every file is held to Pyodide's lock either way.
"""

import json
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

LOCK = "pyodide-lock.json"
#: The release that JupyterLite's kernel is made for.
VERSION = "314.0.4"

Read = Callable[[str], bytes]


def chosen() -> Read | None:
    """Return what reads a file of the Pyodide that the variable PYODIDE names; None without it."""
    named = os.environ.get("PYODIDE", "")
    if not named:
        return None
    place = Path(named).expanduser()
    read = _reader(place)
    version = json.loads(read(LOCK))["info"]["version"]
    if version != VERSION:
        raise SystemExit(f"{place.name} is Pyodide {version}: JupyterLite here needs {VERSION}.")
    return read


def _reader(place: Path) -> Read:
    if place.is_dir():
        return _of_folder(place)
    if place.is_file() and tarfile.is_tarfile(place):
        with tarfile.open(place) as archive:
            content = {m.name: archive.extractfile(m) for m in archive.getmembers() if m.isfile()}
            return _of_names({name: file.read() for name, file in content.items() if file}, place)
    if place.is_file() and zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            return _of_names({name: archive.read(name) for name in archive.namelist()}, place)
    raise SystemExit(f"PYODIDE={place}: that is no folder and no archive of Pyodide.")


def _of_folder(place: Path) -> Read:
    locks = sorted(place.rglob(LOCK))
    if not locks:
        raise SystemExit(f"PYODIDE={place}: there is no {LOCK} in it. Name the unpacked release.")
    return lambda name: _found(name, lambda: (locks[0].parent / name).read_bytes(), place)


def _of_names(content: dict[str, bytes], place: Path) -> Read:
    locks = sorted(name for name in content if name.rpartition("/")[2] == LOCK)
    if not locks:
        raise SystemExit(f"PYODIDE={place}: there is no {LOCK} in it. Name the full release.")
    inside = locks[0].removesuffix(LOCK)
    return lambda name: _found(name, lambda: content[inside + name], place)


def _found(name: str, read: Callable[[], bytes], place: Path) -> bytes:
    try:
        return read()
    except (OSError, KeyError):
        raise SystemExit(f"{place} has no {name}: name Pyodide's full release.") from None
