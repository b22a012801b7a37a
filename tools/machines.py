"""This processor made to calculate as others do, so that a result that depends on it shows.

The last digits of a sum depend on the processor: OpenBLAS picks its kernels by it, numpy, numba
and the C library their instructions. Each can be told to work as an older processor does:

    python -m tools.machines              library, uncompiled, and notebooks as on the oldest
    python -m tools.machines all          every machine that can be imitated here, with a summary
    python -m tools.machines Prescott     one of them

A machine changes the environment of a process alone; nothing in the library knows of it.
"""

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from tools.environment import ROOT

#: OpenBLAS kernels from old to new; the last needs AVX-512. A core type whose instructions are
#: missing ends the process, so each is tried before it is used.
CORE_TYPES = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX")
OLDEST = CORE_TYPES[0]
#: What stands for every machine on the command line.
ALL = "all"
#: A little work for every BLAS that the course uses: numpy's, scipy's and cvxopt's own.
TRIAL = """
import cvxopt.lapack, numpy, scipy.linalg
A = numpy.random.default_rng(0).normal(size=(64, 64))
A = A @ A.T + numpy.eye(64)
scipy.linalg.cho_factor(A), cvxopt.lapack.posv(cvxopt.matrix(A), cvxopt.matrix(A[:, :1]))
numpy.linalg.eigh(A), scipy.linalg.svd(A), A @ A[0]
"""


@dataclass(frozen=True)
class Machine:
    """A processor to imitate: its name and what the environment says of it."""

    name: str
    environment: dict[str, str] = field(hash=False)


def why_not() -> str | None:
    """Return why no machine can be imitated here, or None if some can."""
    if platform.machine().lower() in ("x86_64", "amd64"):
        return None
    return f"the processor is {platform.machine()}; only x86-64 has others to imitate"


def machines() -> Iterator[Machine]:
    """Yield every machine that this processor can imitate."""
    if why_not():
        return
    for core in CORE_TYPES:
        if can_run(core):
            yield Machine(core, {"OPENBLAS_CORETYPE": core})
    yield Machine("numpy baseline", numpy_baseline())
    yield Machine("numba baseline", NUMBA_BASELINE)
    yield Machine("libm baseline", LIBM_BASELINE)
    yield oldest()


def oldest() -> Machine:
    """Return the machine least like a new one: the oldest kernels, everything at its baseline."""
    blas = {"OPENBLAS_CORETYPE": OLDEST}
    return Machine("oldest", blas | numpy_baseline() | NUMBA_BASELINE | LIBM_BASELINE)


#: And a cache of its own, so that no code compiled for one processor runs as on another.
NUMBA_BASELINE = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_CACHE_DIR": str(ROOT / "build" / "numba-baseline"),
}
#: exp, log, sin and pow of the C library (glibc alone listens) without FMA: another last digit.
LIBM_BASELINE = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"}


@cache
def can_run(core: str) -> bool:
    """Say whether this processor has the instructions of a core type, by trying them."""
    environment = os.environ | {"OPENBLAS_CORETYPE": core}
    program = [sys.executable, "-c", TRIAL]
    return subprocess.run(program, env=environment, capture_output=True).returncode == 0


def numpy_baseline() -> dict[str, str]:
    """Return the setting that leaves numpy the instructions that every x86-64 of its wheels has."""
    from numpy._core._multiarray_umath import (  # type: ignore[import-not-found]
        __cpu_dispatch__,
        __cpu_features__,
    )

    extra = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(extra)}


def main(arguments: list[str] | None = None) -> int:
    """Run library and notebooks in other ways; return 0 if they agree with what is stored."""
    from tools import run_all  # which knows the stages, and imports this module

    parser = argparse.ArgumentParser(prog="python -m tools.machines", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="machine", help="all, or names of machines")
    names = parser.parse_args(arguments).names
    if why := why_not():
        print(f"No other processor is imitated: {why}.")
    if why and names:
        return 0
    if not names:
        return run_all.main(run_all.repeated())
    known = {machine.name: machine for machine in machines()}
    if unknown := set(names) - {*known, ALL}:
        print(f"This processor cannot imitate {sorted(unknown)}; it can: {', '.join(known)}.")
        return 2
    chosen = known if ALL in names else names
    return run_all.main([stage for name in chosen for stage in run_all.imitated(known[name])])


if __name__ == "__main__":
    sys.exit(main())
