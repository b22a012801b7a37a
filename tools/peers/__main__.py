"""Run scikit-learn's own tests on our estimators; ``--store`` keeps the list of those that pass.

Usage: ``python -m tools.peers [--store]``. Exits with 1 where a test of that list fails.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tools.environment import ROOT

FILES = {
    "test_svm": "sklearn.svm.tests.test_svm",
    "test_sparse": "sklearn.svm.tests.test_sparse",
    "test_bounds": "sklearn.svm.tests.test_bounds",
    "test_perceptron": "sklearn.linear_model.tests.test_perceptron",
    "test_kernel_ridge": "sklearn.tests.test_kernel_ridge",
    "test_kernel_pca": "sklearn.decomposition.tests.test_kernel_pca",
}
KINDS = ("not ours", "passed", "not offered", "failed")
PASSED = Path(__file__).with_name("passed.txt")


def run() -> dict[str, dict]:
    """Return the record of each test: see `plugin`."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.json"
        options = ["-q", "-p", "tools.peers.plugin", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", folder, *options]
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = os.environ | {"PEERS_RECORD": str(record), "PYTHONPATH": path}
        done = subprocess.run(
            [*command, "--pyargs", *FILES.values()],
            env=environment, cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if not record.exists():
            raise RuntimeError(f"scikit-learn's tests did not run:\n{done.stdout}\n{done.stderr}")
        return json.loads(record.read_text())


def kind(test: dict) -> str:
    """Return how a test counts."""
    if test["asked"]:
        return "not offered"
    if not test["called"] or test["outcome"] == "skipped":
        return "not ours"
    return test["outcome"]


def table(record: dict[str, dict]) -> str:
    """Return the counts as Markdown: one row per file, and their sum."""
    counts = {file: Counter() for file in FILES}
    for name, test in record.items():
        counts[name.split("::")[0]][kind(test)] += 1
    counts["all"] = sum(counts.values(), Counter())
    rows = [["file", "tests", *KINDS], ["---"] * (2 + len(KINDS))]
    rows += [[file, c.total(), *(c[k] for k in KINDS)] for file, c in counts.items()]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def passed(record: dict[str, dict]) -> list[str]:
    """Return the names of the tests that call ours and pass."""
    return sorted(name for name, test in record.items() if kind(test) == "passed")


def main() -> None:
    record = run()
    print(table(record), "\n")
    for name, test in record.items():
        if kind(test) == "failed":
            print(f"failed: {name}\n    {test['why'].splitlines()[0]}")
    asked = Counter(test["asked"][0] for test in record.values() if test["asked"])
    print("\nasked for first, and not offered:")
    for what, times in asked.most_common():
        print(f"{times:5} {what}")
    if "--store" in sys.argv[1:]:
        PASSED.write_text("\n".join(passed(record)) + "\n")
    lost = sorted(set(PASSED.read_text().splitlines()) - set(passed(record)))
    if lost:
        sys.exit("\nThese passed before:\n" + "\n".join(lost))


if __name__ == "__main__":
    main()
