"""The course in the browser: JupyterLite with library, data, notebooks and a Python of its own.

`build` makes a folder of files that any web server serves; nothing in it asks another host. The
Python is Pyodide. Its compiled packages are carried inside one package of the index (`CARRIER`,
held to a checksum, each file to Pyodide's own lock; `tools.pyodide` names another source); all
others are the wheels that constraints.txt pins. They are fetched by name, once, to build/browser;
none of them is part of the repository.
"""

import email
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from lectures_homework.instructor import masters
from tools import compiled, install, nbrules, pyodide
from tools.environment import ROOT

CACHE = ROOT / "build" / "browser"
#: Where on the site.
FOLDER = "lite"
#: The package that carries Pyodide, where in it, and what the file must be.
CARRIER = "open-webui==0.12.4"
INSIDE = "open_webui/frontend/pyodide/"
SHA256 = "02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = pyodide.LOCK
PIP = ("-q", "--disable-pip-version-check")
#: What the kernel of JupyterLite needs and what the course adds to it: pure Python, pinned.
PURE = ("ipython", "asttokens", "executing", "jedi", "parso", "matplotlib-inline", "pygments")
PURE += ("prompt-toolkit", "wcwidth", "pure-eval", "stack-data", "traitlets", "comm")
PURE += ("ipython-pygments-lexers", "ipywidgets", "jupyterlab-widgets", "anywidget", "psygnal")
PURE += ("tqdm", "typing-extensions")
#: Loaded when a notebook is opened, with all that they need.
AT_START = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
AT_START += ("lectures-lib",)
#: Where markers of requirements are evaluated.
THERE = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix"}
THERE |= {"python_version": "3.14", "python_full_version": "3.14.0", "extra": ""}
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension")
EXTENSIONS += ("anywidget",)
APPS = ("lab", "notebooks", "tree")
#: What a first visit loads, in MB: told on the button, held by a test.
MEGABYTES = 63
#: The waiting room, and the worker that keeps what was loaded.
ROOM = ROOT / "book" / "lite"
WORKER = "service-worker.js"
#: Where a page of JupyterLite begins to work.
BEGINS = "await import("
#: How Pyodide links every library of a package when it is unpacked, and how only those that others
#: need: a module's own library is linked when it is imported, which saves a third of the start.
EAGER = "async loadDynlibsFromPackage(e,r){for(let n of r)await this.loadDynlib(n)}"
LAZY = EAGER.replace("await", 'if(n.includes(".libs/"))await')
#: Asked for by the lock, imported by nothing here.
UNUSED = ("pytz",)
#: Parts of wheels that no cell uses, many small files: tests, sample data, sources, stubs of types.
LEFT_OUT = re.compile(
    r"/tests?/|^[^/]+\.data/data/share/|jedi/third_party/(django-stubs|typeshed/stubs)/"
    r"|mpl-data/(sample_data|fonts/afm|fonts/pdfcorefonts)/|\.(pyx|pxd|tp|h|hpp|build)$"
    r"|^(numpy|scipy|matplotlib|mpl_toolkits|sklearn|PIL)/.*\.pyi$"
)


def address(name: str) -> str:
    """Return where on the site a notebook runs."""
    return f"{FOLDER}/notebooks/index.html?path={name}"


def build(out: Path) -> None:
    """Write the browser's course to a folder."""
    lite = CACHE / "lite"
    shutil.rmtree(lite, ignore_errors=True)  # with what was built before: else it is not looked at
    write_runtime(lite / "static" / "pyodide")
    compiled.compile_modules(lite / "static" / "pyodide", AT_START, CACHE)
    write_contents(lite / "files")
    write_settings(lite)
    run_jupyterlite(lite, out)
    dress(out)
    check_settings(out)


# --- what is fetched -----------------------------------------------------------------------------


def fetch(*what: str) -> None:
    """Fetch packages by name to the cache; say what is missing where that fails."""
    command = [sys.executable, "-m", "pip", "download", *PIP]
    command += ["--no-deps", "--dest", str(CACHE / "wheels"), "--only-binary=:all:"]
    command += ["--platform", "any", "--python-version", "3.14", "--implementation", "py"]
    command += ["--abi", "none", "--ignore-requires-python", *what]  # read, never installed here
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(
            f"The course in the browser needs these packages, and pip cannot fetch them: "
            f"{', '.join(what)}\n{done.stderr[-2000:]}"
        )


def carrier() -> Path:
    """Return the file that carries Pyodide, fetched once, held to its checksum."""
    name, _, version = CARRIER.partition("==")
    path = CACHE / "wheels" / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    if not path.is_file():
        print(f"Fetching the browser's Python, once: {CARRIER}, 106 MB.", flush=True)
        fetch(CARRIER)
    if sha256(path) != SHA256:
        raise SystemExit(f"{path.name} is not the file it should be: delete it, and try again.")
    return path


def carried() -> pyodide.Read:
    """Return what reads a file of Pyodide out of the package that carries it."""
    archive = zipfile.ZipFile(carrier())
    return lambda name: archive.read(INSIDE + name)


def pure_wheels() -> list[Path]:
    """Return the wheels of `PURE` in the versions of constraints.txt, fetched once."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)$", text, re.MULTILINE))
    wanted = {name: f"{name.replace('-', '_')}-{pins[name]}-*.whl" for name in PURE}
    folder = CACHE / "wheels"
    missing = [name for name, files in wanted.items() if not any(folder.glob(files))]
    if missing:
        fetch(*(f"{name}=={pins[name]}" for name in missing))
    return [next(folder.glob(files)) for files in wanted.values()]


def own_wheel() -> Path:
    """Build the wheel of the library, from a copy: what was built before is not in it."""
    copy, out = CACHE / "source", CACHE / "own"
    for folder in (copy, out):
        shutil.rmtree(folder, ignore_errors=True)
    skipped = shutil.ignore_patterns("__pycache__")
    for name in ("lectures_lib", "lectures_homework", "data", "lab"):
        shutil.copytree(ROOT / name, copy / name, ignore=skipped)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    out.mkdir(parents=True)
    program = "import sys; from setuptools import build_meta as b; b.build_wheel(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", program, out], cwd=copy, capture_output=True)
    if done.returncode:
        raise SystemExit(f"The wheel of the library cannot be built:\n{done.stderr.decode()}")
    return next(out.glob("*.whl"))


def sha256(path: Path) -> str:
    """Return the checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- the browser's Python ------------------------------------------------------------------------


def write_runtime(folder: Path) -> None:
    """Write Pyodide, the packages that the course needs, and the lock that names them."""
    folder.mkdir(parents=True)
    read = pyodide.chosen() or carried()
    for name in CORE:
        (folder / name).write_bytes(read(name))
    script = folder / "pyodide.asm.mjs"
    script.write_text(linked_late(script.read_text(encoding="utf-8")), encoding="utf-8")
    lock = json.loads(read(LOCK))
    own = [entry_of(path) for path in (*pure_wheels(), *kernel_wheels(), own_wheel())]
    entries = lock["packages"] | {entry["name"]: entry for entry in own}
    wheels = {entry["name"]: entry.pop("path").read_bytes() for entry in own}
    lock["packages"] = {name: entries[name] for name in closure(entries)}
    for name, entry in lock["packages"].items():
        wheel = wheels.get(name) or read(entry["file_name"])
        if hashlib.sha256(wheel).hexdigest() != entry["sha256"]:
            raise SystemExit(f"{entry['file_name']} is not the file that the lock names.")
        entry["sha256"] = repack(wheel, folder / entry["file_name"])
    (folder / LOCK).write_text(json.dumps(lock), encoding="utf-8")


def linked_late(script: str) -> str:
    """Return Pyodide's script such that a library is linked when its module is imported.

    >>> linked_late(f"before;{EAGER};after").count(LAZY)
    1
    """
    if script.count(EAGER) != 1:
        raise SystemExit("This Pyodide links libraries in another way: look at tools.lite.EAGER.")
    return script.replace(EAGER, LAZY)


def repack(wheel: bytes, made: Path) -> str:
    """Write a wheel without what nothing here uses: it is unpacked sooner. Return its checksum."""
    old = zipfile.ZipFile(io.BytesIO(wheel))
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            if not LEFT_OUT.search(item.filename):
                new.writestr(zipfile.ZipInfo(item.filename), old.read(item), zipfile.ZIP_DEFLATED)
    return sha256(made)


def kernel_wheels() -> Iterator[Path]:
    """Yield the small wheels that come with JupyterLite's kernel."""
    folder = labextensions() / "@jupyterlite/pyodide-kernel-extension/static/pypi"
    for name in ("piplite-*", "ipykernel-*", "pyodide_kernel-*", "widgetsnbextension-4*"):
        yield next(folder.glob(f"{name}.whl"))


def entry_of(path: Path) -> dict:
    """Return what the lock says of a wheel, and where the wheel is."""
    with zipfile.ZipFile(path) as wheel:
        files = wheel.namelist()
        metadata = next(name for name in files if name.endswith(".dist-info/METADATA"))
        about = email.message_from_bytes(wheel.read(metadata))
    names = {name.split("/")[0].removesuffix(".py") for name in files}
    return {
        "name": canonicalize_name(about["Name"]),
        "version": about["Version"],
        "file_name": path.name,
        "install_dir": "site",
        "sha256": sha256(path),
        "package_type": "package",
        "imports": sorted(name for name in names if name.isidentifier()),
        "depends": sorted(needed(about.get_all("Requires-Dist", ()))),
        "unvendored_tests": False,
        "path": path,
    }


def needed(requirements: Iterable[str]) -> Iterator[str]:
    """Yield the names of the packages that are required in the browser."""
    for text in requirements:
        one = Requirement(text)
        name = canonicalize_name(one.name)
        there: dict[str, Any] = {**default_environment(), **THERE}
        here = one.marker is None or one.marker.evaluate(there)
        if here:
            yield name


def closure(entries: dict[str, dict]) -> list[str]:
    """Return the packages of the start with all that they need, in the order of the lock."""
    found, asked = set(), [*AT_START]
    while asked:
        name = asked.pop()
        if name not in found:
            found.add(name)
            entries[name]["depends"] = [n for n in entries[name]["depends"] if n not in UNUSED]
            asked += entries[name]["depends"]
    return [name for name in entries if name in found]


# --- what the reader finds -----------------------------------------------------------------------


def write_contents(folder: Path) -> None:
    """Write the notebooks to be run: without outputs, homework as students get it."""
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        write(folder / "notebooks" / path.name, without_outputs(nbrules.read(path)))
    for name in masters.names():
        made = masters.student(masters.find(name).read(), 0)
        write(folder / "homework" / f"{name}.ipynb", without_outputs(made))
    for name in ("NOTATION.md", "CLAIMS.md"):
        shutil.copy(ROOT / name, folder / name)


def without_outputs(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a notebook as it is before it is run."""
    for cell in nbrules.code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    return notebook


def write(path: Path, notebook: nbformat.NotebookNode) -> None:
    """Store a notebook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbrules.dumps(notebook), encoding="utf-8")


# --- JupyterLite ---------------------------------------------------------------------------------


def write_settings(lite: Path) -> None:
    """Write how JupyterLite starts: the packages of the course, and nothing from elsewhere."""
    options = {
        "packages": list(AT_START),
        "lockFileURL": f"./static/pyodide/{LOCK}",
        "env": {"PYTHONHASHSEED": "0"},  # sets print in the same order
    }
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": options}
    settings = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "The course in your browser",
            "exposeAppInBrowser": True,
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }
    (lite / "jupyter-lite.json").write_text(json.dumps(settings, indent=1), encoding="utf-8")
    saving = {"autosaveInterval": 10}  # seconds: what was typed is there after a reload
    overrides = {"@jupyterlab/docmanager-extension:plugin": saving}
    (lite / "overrides.json").write_text(json.dumps(overrides, indent=1), encoding="utf-8")


def run_jupyterlite(lite: Path, out: Path) -> None:
    """Have JupyterLite write its pages."""
    extensions = [labextensions() / name for name in EXTENSIONS]
    ours = shutil.copytree(ROOT / "lab" / "lectures-lab", lite / "lectures-lab", dirs_exist_ok=True)
    install.copy_exhibits(ours)
    config = {
        "LiteBuildConfig": {
            "lite_dir": str(lite),
            "output_dir": str(out),
            "contents": [str(lite / "files")],
            "apps": list(APPS),
            "ignore_sys_prefix": ["federated_extensions"],
            "federated_extensions": [*map(str, extensions), str(ours)],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
        }
    }
    path = lite / "jupyter_lite_config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--config", str(path)]
    done = subprocess.run(command, cwd=lite, capture_output=True, text=True, env=dict(os.environ))
    if done.returncode:
        raise SystemExit(f"JupyterLite could not be built:\n{(done.stdout + done.stderr)[-4000:]}")


def dress(out: Path) -> None:
    """Give the pages the course's icon, a language to read aloud, and the waiting room."""
    shutil.copy(ROOT / "book" / "static" / "favicon.svg", out)
    for page in (out / app / "index.html" for app in APPS):
        text = page.read_text(encoding="utf-8").replace("<html>", '<html lang="en">', 1)
        text = text.replace("<head>", '<head>\n<link rel="icon" href="../favicon.svg">', 1)
        page.write_text(text, encoding="utf-8")
    furnish(out)


def furnish(out: Path) -> None:
    """Put the waiting room into the page of a notebook, and its worker before JupyterLite's."""
    page = out / "notebooks" / "index.html"
    text = page.read_text(encoding="utf-8")
    if text.count(BEGINS) != 1:
        raise SystemExit("JupyterLite's page begins in another way: look at tools.lite.BEGINS.")
    text = text.replace(BEGINS, f"await window.lecturesControlled;\n        {BEGINS}")
    text = text.replace("<head>", '<head>\n<script src="../room.js"></script>', 1)
    room = (ROOM / "room.html").read_text(encoding="utf-8").replace("@MB@", str(MEGABYTES))
    text = re.sub(r"(<body[^>]*>)", lambda found: found[1] + "\n" + room, text, count=1)
    page.write_text(text, encoding="utf-8")
    shutil.copy(ROOM / "room.js", out)
    (out / "load.json").write_text(json.dumps(wanted(out)), encoding="utf-8")
    (out / WORKER).rename(out / f"jupyterlite-{WORKER}")
    worker = (ROOM / WORKER).read_text(encoding="utf-8")
    (out / WORKER).write_text(worker.replace("@BUILD@", digest(out)), encoding="utf-8")


def wanted(out: Path) -> dict:
    """Return what Python loads, file by file with its bytes, and JupyterLite's version."""
    folder = out / "static" / "pyodide"
    lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    names = [*CORE, *(entry["file_name"] for entry in lock["packages"].values())]
    files = {f"static/pyodide/{name}": (folder / name).stat().st_size for name in names}
    config = json.loads((out / "jupyter-lite.json").read_text(encoding="utf-8"))
    return {"files": files, "jupyterlite": config["jupyter-config-data"]["appVersion"]}


def digest(out: Path) -> str:
    """Return a name for what was built: the same files have the same one."""
    made = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        made.update(path.relative_to(out).as_posix().encode() + path.read_bytes())
    return made.hexdigest()[:16]


def check_settings(out: Path) -> None:
    """Make sure that the browser's Python is the one beside the pages, not one of another host."""
    text = (out / "jupyter-lite.json").read_text(encoding="utf-8")
    plugins = json.loads(text)["jupyter-config-data"]["litePluginSettings"]
    url = plugins["@jupyterlite/pyodide-kernel-extension:kernel"].get("pyodideUrl", "")
    if not (url.startswith("./") and (out / url).is_file()):
        raise SystemExit(f"JupyterLite would load its Python from {url or 'another host'}.")


def labextensions() -> Path:
    """Return where this Python keeps extensions of JupyterLab."""
    return Path(sys.prefix) / "share" / "jupyter" / "labextensions"


if __name__ == "__main__":
    build(ROOT / "build" / "book" / "html" / FOLDER)
