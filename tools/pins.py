"""What the package index says of every pin: for which Pythons, and for which machines a wheel.

``python -m tools.pins`` asks it anew, by name and through pip (a quarter of a minute), and writes
the answer to ``tools/pins.json``; run it after a change of constraints.txt.
``tests/project/test_pins.py`` holds the pins against that file without a network, and a few of them
against the index where there is one. Names as arguments: what the index says of these is printed,
and nothing written.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from typing import Any

from packaging import tags
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from tools.environment import ROOT

ANSWERS = ROOT / "tools" / "pins.json"
#: The Pythons that we claim; of each the oldest micro version must do.
PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
#: The oldest systems that we claim, named as wheels name them -> what markers see there.
SYSTEMS = {
    "manylinux_2_28_x86_64": {"sys_platform": "linux", "platform_machine": "x86_64"},
    "manylinux_2_28_aarch64": {"sys_platform": "linux", "platform_machine": "aarch64"},
    "macosx_12_0_arm64": {"sys_platform": "darwin", "platform_machine": "arm64"},
    "macosx_12_0_x86_64": {"sys_platform": "darwin", "platform_machine": "x86_64"},
    "win_amd64": {"sys_platform": "win32", "platform_machine": "AMD64"},
}
NAMES = {"linux": ("Linux", "posix"), "darwin": ("Darwin", "posix"), "win32": ("Windows", "nt")}

ALL = " ".join(f"3.{minor}" for _, minor in PYTHONS)

File = tuple[str, str]  # name, Requires-Python


def main(names: list[str]) -> int:
    """Ask the index for every pin and write what it says; of some alone, print it."""
    asked = [pin for pin in pins() if pin.name in names or not names]
    said = {str(pin): answer(pin, files) for pin, files in ask(asked)}
    if names:
        print(json.dumps(said))
        return 0
    if missing := [pin for pin, one in said.items() if one is None]:
        print(f"The index did not answer for {', '.join(missing)}. Is there a network?")
        return 1
    lines = [f"{json.dumps(pin)}: {json.dumps(said[pin])}" for pin in sorted(said)]
    ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(said)} pins: {ANSWERS.relative_to(ROOT)}")
    return 0


@cache
def pins() -> tuple[Requirement, ...]:
    """Return every line of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return tuple(Requirement(line) for line in lines if line and not line.startswith("#"))


def version(pin: Requirement) -> str:
    """Return the version that a pin names."""
    return next(iter(pin.specifier)).version


# --- the index -----------------------------------------------------------------------------------


def ask(wanted: Iterable[Requirement]) -> Iterator[tuple[Requirement, list[File]]]:
    """Yield each pin with the files of its project; pip knows where the index is, and its proxy."""
    from pip._internal.commands import create_command
    from pip._internal.index.collector import LinkCollector, parse_links

    command: Any = create_command("index")
    options, _ = command.parse_args(["versions", "any"])
    options.extra_index_urls, options.find_links = [], []  # what is at hand here says little
    collector: Any = LinkCollector.create(command._build_session(options), options=options)

    def files(pin: Requirement) -> tuple[Requirement, list[File]]:
        found: list[File] = []
        asked = collector.collect_sources(pin.name, candidates_from_page=lambda link: [link])
        for source in filter(None, asked.index_urls):
            for page in map(collector.fetch_response, source.page_candidates()):
                links = parse_links(page) if page else ()
                found += [(link.filename, link.requires_python or "") for link in links]
        return pin, found

    with ThreadPoolExecutor(8) as threads:
        yield from threads.map(files, wanted)


def answer(pin: Requirement, files: list[File]) -> dict[str, Any] | None:
    """Return what these files say of a pin: Requires-Python, and the Pythons with a wheel."""
    mine = [(wheel_tags(name), python) for name, python in files if is_of(name, pin)]
    if not mine:
        return None
    python = next((text for _, text in mine if text), "")
    wheels = frozenset[tags.Tag]().union(*(found for found, _ in mine))
    there = {
        system: " ".join(f"3.{v[1]}" for v in PYTHONS if not wheels.isdisjoint(accepted(system, v)))
        for system in SYSTEMS
    }
    everywhere = set(there.values()) == {ALL}
    return {"python": python, "wheels": "everywhere" if everywhere else there}


def is_of(name: str, pin: Requirement) -> bool:
    """Say whether a file is a wheel or the source of this version."""
    try:
        project, number, *_ = parse_wheel_filename(name)
    except InvalidWheelFilename:
        project, _, rest = re.sub(r"\.(tar\.gz|zip)$", "", name).rpartition("-")
        same = canonicalize_name(project) == canonicalize_name(pin.name)
        return same and rest == version(pin)
    same = project == canonicalize_name(pin.name)
    return same and pin.specifier.contains(number, prereleases=True)


def wheel_tags(name: str) -> frozenset[tags.Tag]:
    """Return what a wheel is for; nothing for a source."""
    return parse_wheel_filename(name)[3] if name.endswith(".whl") else frozenset()


@cache
def accepted(system: str, python: tuple[int, int]) -> frozenset[tags.Tag]:
    """Return what this Python installs on this system."""
    platforms = list(older(system))
    compiled = tags.cpython_tags(python, platforms=platforms)
    pure = tags.compatible_tags(python, f"cp3{python[1]}", platforms)
    return frozenset([*compiled, *pure])


def older(system: str) -> Iterator[str]:
    """Yield the names of this system and of all older ones, whose wheels it takes."""
    if system.startswith("manylinux"):
        machine = system.removeprefix("manylinux_2_28_")
        yield from (f"manylinux_2_{minor}_{machine}" for minor in range(28, 4, -1))
        yield from (f"manylinux{year}_{machine}" for year in (2014, 2010, 1))
        yield f"linux_{machine}"
    elif found := re.match(r"macosx_(\d+)_0_(\w+)", system):
        yield from tags.mac_platforms((int(found[1]), 0), found[2])
    else:
        yield system


# --- who needs what ------------------------------------------------------------------------------


def surroundings(system: str, python: tuple[int, int]) -> dict[str, str]:
    """Return what markers see on a system."""
    markers = SYSTEMS[system]
    long, short = NAMES[markers["sys_platform"]]
    number = f"3.{python[1]}"
    names = {"platform_system": long, "os_name": short, "platform_python_implementation": "CPython"}
    names |= {"python_version": number, "python_full_version": f"{number}.0", "extra": ""}
    return {**markers, **names, "implementation_name": "cpython", "platform_release": "0"}


def wanted(
    roots: Iterable[Requirement], system: str, python: tuple[int, int]
) -> dict[str, list[str]]:
    """Return every package that these need on a system -> the ranges asked for.

    What a package needs is read where it is installed here; of one that only another system
    installs its name is known, and no more.
    """
    there = surroundings(system, python)
    found: dict[str, list[str]] = {}
    asked = [(one, "") for one in roots]
    seen: set[tuple[str, str]] = set()
    while asked:
        one, extra = asked.pop()
        if one.marker and not one.marker.evaluate({**there, "extra": extra}):
            continue
        name = canonicalize_name(one.name)
        found.setdefault(name, []).append(str(one.specifier))
        for more in {"", *one.extras}:
            if (name, more) not in seen:
                seen.add((name, more))
                asked += [(Requirement(line), more) for line in needs(name)]
    return found


def needs(name: str) -> list[str]:
    """Return what an installed package says it needs."""
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def pin_there(name: str, system: str, python: tuple[int, int]) -> Requirement | None:
    """Return the pin of a package on a system."""
    there = surroundings(system, python)
    same = (pin for pin in pins() if canonicalize_name(pin.name) == name)
    return next((pin for pin in same if not pin.marker or pin.marker.evaluate(there)), None)


def admits(python: str, micro: str) -> bool:
    """Say whether a Requires-Python admits a version of Python."""
    return SpecifierSet(python).contains(micro)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
