"""A fork inherits checks that its host accepts, and whose steps name what is there.

GitHub and GitLab cannot be asked here: their files are held against the schemas that
check-jsonschema carries, and each step against this project.
"""

import re
import subprocess
import sys

import pytest
import yaml

from tests.project.test_project import pyproject
from tools import pins, run_all
from tools.environment import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
GITLAB = ROOT / ".gitlab-ci.yml"
SCHEMAS = [(path, "vendor.github-workflows") for path in WORKFLOWS]
SCHEMAS += [(GITLAB, "vendor.gitlab-ci")]


def steps() -> list[str]:
    """Return every command that a host runs."""
    found = []
    for path in WORKFLOWS:
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
        found += [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    jobs = yaml.safe_load(GITLAB.read_text(encoding="utf-8")).values()
    found += [line for job in jobs if isinstance(job, dict) for line in job.get("script", ())]
    return found


def validated(path, schema: str) -> subprocess.CompletedProcess:
    """Hold a file against the schema of its host."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("path", "schema"), SCHEMAS, ids=lambda value: getattr(value, "name", value)
)
def test_the_host_accepts_the_file(path, schema):
    done = validated(path, schema)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_file_that_a_host_would_refuse_is_refused_here(tmp_path):
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("on: push\njobs: {a: {runs-on: ubuntu-latest, stepps: []}}\n")
    assert validated(wrong, "vendor.github-workflows").returncode != 0


def test_every_python_we_claim_is_in_the_matrices():
    claimed = pins.ALL.split()
    github = yaml.safe_load((ROOT / ".github/workflows/notebooks.yml").read_text(encoding="utf-8"))
    matrix = github["jobs"]["everywhere"]["strategy"]["matrix"]
    assert matrix["python"] == claimed
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    gitlab = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))
    assert gitlab["library"]["parallel"]["matrix"] == [{"PYTHON": claimed}]


def test_every_step_names_what_is_there():
    extras = set(pyproject()["optional-dependencies"])
    asked = steps()
    assert len(asked) > 12
    for line in asked:
        for module in re.findall(r"python -m ([\w.]+)", line):
            ours = ROOT / (module.replace(".", "/") + ".py")
            assert module in {"pytest", "ruff", "mypy"} or ours.is_file(), line
        if found := re.search(r"tools\.install (.+)$", line):
            assert set(found[1].split()) <= extras, line
        for path in re.findall(r"(?<![\w./])(?:tests|notebooks)(?:/\w+)*", line):
            assert (ROOT / path).is_dir(), line


def test_the_notebooks_are_run_as_make_test_runs_them():
    ours = " ".join(run_all.NOTEBOOKS[-6:])
    assert ours == "-n 2 --dist loadfile --nbval notebooks"
    assert sum(ours in line for line in steps()) == 4


def test_a_host_that_forbids_the_sandbox_says_so():
    assert any("apparmor_restrict_unprivileged_userns=0" in line for line in steps())
    gitlab = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))
    assert gitlab["grading"]["variables"] == {"LECTURES_LIB_NO_SANDBOX": "1"}
    assert "allow no bubblewrap" in GITLAB.read_text(encoding="utf-8")


# --- stages by name ------------------------------------------------------------------------------


def test_a_stage_is_named_by_its_beginning():
    names = [stage.name for stage in run_all.named(["notebooks"], run_all.STAGES)]
    assert names == ["notebooks"]
    both = run_all.named(["library", "style"], run_all.STAGES)
    assert [stage.name for stage in both] == ["style", "library"]
    assert run_all.named([], run_all.STAGES) == run_all.STAGES


def test_a_stage_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(SystemExit, match=r'no stage "notebook_". There are "style", "format"'):
        run_all.named(["notebook_"], run_all.STAGES)
