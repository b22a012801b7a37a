"""The environment in which tests and notebooks run: the same everywhere, so outputs can agree."""

import importlib.util
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: Seconds to wait for what takes a moment on a quiet machine: a kernel that starts, its messages.
PATIENCE = 120

#: Seconds that one cell may take: some take ten alone, and a minute or two on a busy machine.
CELL_TIMEOUT = 600

FIXED = {
    "OPENBLAS_NUM_THREADS": "1",  # sums in another order differ in the last digit
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "PYTHONHASHSEED": "0",  # sets print in the same order
}


def fixed_environment() -> dict[str, str]:
    """Return this process's environment with everything fixed that could change a result."""
    return {**os.environ, **FIXED}


def kernel_environment() -> dict[str, str]:
    """Return the environment of a notebook kernel: inline figures in matplotlib's own style."""
    environment = fixed_environment() | {"MATPLOTLIBRC": str(default_matplotlibrc())}
    environment.pop("MPLBACKEND", None)  # ipykernel then chooses the inline backend
    return environment


def default_matplotlibrc() -> Path:
    """Return the style file shipped with matplotlib, so that a personal one changes no figure."""
    spec = importlib.util.find_spec("matplotlib")
    if spec is None or spec.origin is None:
        raise ImportError("matplotlib is not installed: run make test once.")
    return Path(spec.origin).parent / "mpl-data" / "matplotlibrc"
