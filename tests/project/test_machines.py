"""Other processors are imitated for what they are, and apart; where none can be, that is said."""

import platform
import re
import signal
import subprocess
import sys

import pytest

from tools import machines, run_all
from tools.environment import FIXED, ROOT, fixed_environment

HERE = pytest.mark.skipif(machines.why_not() is not None, reason=str(machines.why_not()))

#: What a process calculates with: BLAS kernels, numpy's instructions, numba's processor.
FACTS = """
import numpy, scipy.linalg, threadpoolctl
from numba.core.registry import cpu_target
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
print(*{pool["architecture"] for pool in pools})
print(*[name for name in __cpu_dispatch__ if __cpu_features__[name]])
print(*cpu_target.target_context.codegen().magic_tuple()[1:])
"""

#: The bytes of a product, of numpy's exp and of the C library's exp. (Numba's loops agree in every
#: bit, with wide instructions or narrow: unless asked, it fuses no product with a sum.)
BITS = """
import hashlib, math, numpy as np
rng = np.random.default_rng(0)
A, x = rng.normal(size=(200, 200)), rng.normal(size=100_000)
for found in (A @ A.T, np.exp(x), [math.exp(v) for v in x]):
    print(hashlib.sha256(np.asarray(found).tobytes()).hexdigest())
"""


def printed(code: str, **environment: str) -> list[str]:
    """Return the lines that a program prints in the given environment."""
    program = [sys.executable, "-c", code]
    env = fixed_environment() | environment
    done = subprocess.run(program, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@HERE
def test_the_oldest_machine_has_the_oldest_kernels_and_no_extra_instructions():
    kernels, extra, numba = printed(FACTS, **machines.oldest().environment)
    assert kernels in (machines.OLDEST, "Katmai")  # OpenBLAS calls these kernels by either name
    assert (extra, numba.strip()) == ("", "generic")


@HERE
def test_an_imitated_machine_differs_in_the_last_bits():
    here, there = printed(BITS), printed(BITS, **machines.oldest().environment)
    same = [name for name, a, b in zip(("BLAS", "numpy", "libm"), here, there) if a == b]
    assert same == ([] if platform.libc_ver()[0] == "glibc" else ["libm"])


@HERE
def test_each_machine_has_its_own_name_and_environment():
    found = list(machines.machines())
    assert {"Prescott", "numpy baseline", "numba baseline", "oldest"} <= {m.name for m in found}
    assert len({m.name for m in found}) == len({str(m.environment) for m in found}) == len(found)


def test_code_compiled_for_one_processor_is_never_read_by_another():
    for machine in machines.machines():
        compiles = "NUMBA_CPU_NAME" in machine.environment
        assert ("NUMBA_CACHE_DIR" in machine.environment) == compiles
    assert str(ROOT / "build") in machines.NUMBA_BASELINE["NUMBA_CACHE_DIR"]


def test_a_core_type_without_its_instructions_is_left_out(monkeypatch):
    lacking = f"import os; os.kill(os.getpid(), {int(signal.SIGILL)})"
    monkeypatch.setattr(machines, "TRIAL", lacking)
    assert not machines.can_run.__wrapped__("SkylakeX")


def started(monkeypatch) -> list[str]:
    """Collect the names of the stages that would run, in place of running them."""
    names = []

    def run(stage):
        names.append(stage.name)
        return run_all.Outcome(0, 0.0, "")

    monkeypatch.setattr(run_all, "run", run)
    monkeypatch.setattr(machines, "can_run", lambda core: core == machines.OLDEST)
    return names


@HERE
def test_library_and_notebooks_run_once_more_uncompiled_and_as_on_the_oldest(monkeypatch):
    names = started(monkeypatch)
    assert machines.main([]) == 0
    assert names == ["library, uncompiled, oldest", "notebooks, oldest"]
    uncompiled, notebooks = run_all.repeated()
    assert uncompiled.environment == {"LECTURES_LIB_JIT": "0"} | machines.oldest().environment
    assert notebooks.environment == {"LECTURES_LIB_JIT": "1"} | machines.oldest().environment


def test_what_imitates_nothing_runs_uncompiled_at_least_and_says_why(monkeypatch, capsys):
    names = started(monkeypatch)
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    assert list(machines.machines()) == []
    assert machines.main([]) == 0
    assert names == ["library, uncompiled"]
    assert "No other processor is imitated: the processor is arm64" in capsys.readouterr().out
    assert machines.main(["all"]) == 0
    assert names == ["library, uncompiled"]


@HERE
def test_all_machines_run_library_and_notebooks_each(monkeypatch):
    names = started(monkeypatch)
    assert machines.main(["all"]) == 0
    known = [machine.name for machine in machines.machines()]
    assert names == [f"{what}, {name}" for name in known for what in ("library", "notebooks")]


def test_ci_runs_what_make_test_leaves_to_other_machines():
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("make test")][:2] == [
        "make test",
        "make test-machines",
    ]


def test_nothing_is_set_for_all_stages_that_hides_a_difference_between_processors():
    names = {*FIXED, *(name for stage in run_all.STAGES for name in stage.environment)}
    assert "OPENBLAS_NUM_THREADS" in names
    assert not [name for name in names if re.search("CORETYPE|CPU|GLIBC|INSTRUCTIONS", name)]


def test_an_unknown_machine_is_answered_with_those_that_there_are(capsys, monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(machines, "can_run", lambda core: core == "Haswell")
    assert machines.main(["PDP-11"]) == 2
    assert "cannot imitate ['PDP-11']; it can: Haswell, numpy" in capsys.readouterr().out
