"""What is shipped works alone: data inside, nothing of the solutions, no clone needed."""

import email
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tools import pins
from tools.environment import ROOT

BUILD = """
import sys
from setuptools import build_meta
folder = sys.argv[1]  # which the builder overwrites
build_meta.build_wheel(folder)
build_meta.build_sdist(folder)
"""
NUMBERS = """
from lectures_lib import datasets, perceptron
print(datasets.digits()[0].shape, datasets.iris()[0].shape, len(datasets.letters().fold))
print(datasets.DATA.parent.name)
X, y = datasets.lecture_example()
print(len(perceptron.perceptron(X, y).mistakes))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Build wheel and sdist from a copy of what git knows; return their folder."""
    tree, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    listing = ["git", "ls-files", "-z", "-co", "--exclude-standard"]
    known = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, known.stdout.decode().split("\0")):
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, target)
    subprocess.run([sys.executable, "-c", BUILD, out], cwd=tree, check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory) -> Path:
    """Unpack the wheel as an installer would; return the folder."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(next(built.glob("*.whl"))).extractall(folder)
    return folder


def run_alone(program: str, site: Path, **environment: str) -> str:
    """Run a program far from the clone, with the unpacked wheel in front; return what it prints."""
    told = {"PATH": "", "PYTHONPATH": str(site), "HOME": str(site), **environment}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=site.parent, env=told, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_loads_its_data_where_no_clone_is(installed):
    assert run_alone(NUMBERS, installed, LECTURES_LIB_JIT="0").splitlines() == [
        "(1797, 64) (150, 4) 6877",
        "lectures_lib",
        "3",
    ]


def test_a_place_where_nothing_can_be_cached_still_computes(installed, tmp_path):
    site = tmp_path / "site"
    shutil.copytree(installed, site, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [site / "lectures_lib", *(p for p in site.rglob("*") if p.is_dir())]:
        (folder / "__pycache__").write_text("a file where numba wants a folder")
    printed = run_alone(NUMBERS, site, HOME="/dev/null/nowhere", PYTHONDONTWRITEBYTECODE="1")
    assert printed.splitlines()[-1] == "3"


@pytest.mark.parametrize(
    "package, command", [("jinja2", "--help"), ("nbformat", "make")], ids=["help", "make"]
)
def test_grading_without_its_extras_says_what_to_install(installed, tmp_path, package, command):
    text = f"raise ModuleNotFoundError('none', name={package!r})"
    (tmp_path / f"{package}.py").write_text(text)
    told = {"PATH": "", "PYTHONPATH": f"{tmp_path}:{installed}", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "lectures_homework", command, *(["hw1"] * (command == "make"))],
        cwd=tmp_path, env=told, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert f"Grading needs the package {package}" in done.stderr


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_nothing_of_the_solutions_is_shipped(built, kind):
    [path] = built.glob(kind)
    names = zipfile.ZipFile(path).namelist() if kind == "*.whl" else tarfile.open(path).getnames()
    assert any(name.endswith("data/digits.csv") for name in names)
    secret = ("answers.py", "hidden.py", ".ipynb", "/tests/", "/tools/")
    ours = [name for name in names if any(word in name for word in secret)]
    # these read answers; the homework's own are in folders of notebooks/
    readers = ("theorems/answers.py", "lectures_homework/language/answers.py")
    assert [name for name in ours if not name.endswith(readers)] == []


def test_the_sdist_has_what_its_readme_shows(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "README.md",
        "book/static/mistake_bound.png",
        "CHANGELOG.md",
        "LICENSE",
        "setup.py",
    } <= names


CALLER = """
from lectures_lib import datasets, svm
X, y = datasets.lecture_example()
machine = svm.train(X, y, C=1.0)
reveal_type(machine)
machine.no_such_field
"""


def test_a_caller_of_the_installed_wheel_has_its_types(built, tmp_path):
    venv.create(tmp_path / "venv")
    [site] = tmp_path.glob("venv/[Ll]ib/**/site-packages")
    zipfile.ZipFile(next(built.glob("*.whl"))).extractall(site)
    (tmp_path / "caller.py").write_text(CALLER)
    python = next(p for p in tmp_path.glob("venv/*/python*") if p.is_file())
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file=",
            "--python-executable",
            python,
            "caller.py",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "py.typed" not in done.stdout, done.stdout
    assert 'Revealed type is "lectures_lib.svm.' in done.stdout, done.stdout
    assert 'has no attribute "no_such_field"' in done.stdout


def test_the_metadata_say_what_an_index_shows(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        [name] = [n for n in wheel.namelist() if n.endswith(".dist-info/METADATA")]
        facts = email.message_from_bytes(wheel.read(name))
        names = wheel.namelist()
    assert {"lectures_lib/py.typed", "lectures_homework/py.typed"} <= set(names)
    claimed = [c for c in facts.get_all("Classifier") if re.fullmatch(r".* :: 3\.\d+", c)]
    assert [c.rpartition(" ")[2] for c in claimed] == pins.ALL.split()
    assert facts["Keywords"] and facts["Description-Content-Type"] == "text/markdown"
    text = facts.get_payload()
    assert [t for t in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in t] == []
