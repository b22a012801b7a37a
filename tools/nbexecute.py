"""Re-execute notebooks in fresh kernels and store them in normal form.

Usage: ``python -m tools.nbexecute [notebook ...]``; without arguments all of ``notebooks/``.
A notebook that fails is left as it was.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager

from tools.environment import CELL_TIMEOUT, PATIENCE, ROOT, kernel_environment
from tools.nbrules import dumps, normalise, problems, read

AT_ONCE = 2


def main(arguments: list[str] | None = None) -> int:
    """Re-execute the given notebooks; return 0 if all ran and can be trusted."""
    parser = argparse.ArgumentParser(prog="python -m tools.nbexecute", description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of notebooks/")
    paths = parser.parse_args(arguments).notebooks or all_notebooks()
    if not paths:
        print("There are no notebooks in notebooks/.")
        return 1
    return asyncio.run(refresh_all(paths))


def all_notebooks() -> list[Path]:
    """Return every notebook of the course, without the copies Jupyter keeps of edited ones."""
    found = (ROOT / "notebooks").rglob("*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


async def refresh_all(paths: list[Path]) -> int:
    """Refresh notebooks, a few at once; return 1 if any failed."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(path: Path) -> bool:
        async with gate:
            return await refresh(path)

    good = await asyncio.gather(*map(one, paths))
    print(f"{sum(good)} of {len(good)} notebooks executed without a problem.")
    return 0 if all(good) else 1


async def refresh(path: Path) -> bool:
    """Execute one notebook, store it if every cell ran, and print one line about it."""
    start = time.perf_counter()
    try:
        notebook = normalise(read(path))
        await execute(notebook, path.parent)
    except Exception as error:  # whatever it is, the other notebooks still get their turn
        print(f"FAILED  {path.name} (left as it was): {type(error).__name__}\n{error}", flush=True)
        return False
    replace(path, dumps(normalise(notebook)))
    found = problems(path)
    state = "PROBLEM" if found else "ok"
    lines = [f"{state:7} {path.name} {time.perf_counter() - start:.1f} s", *found]
    print("\n        ".join(lines), flush=True)
    return not found


async def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run all cells in one fresh kernel of this very Python, started in the given folder."""
    manager = AsyncKernelManager(
        kernel_name=CURRENT_ENV_KERNEL_NAME, kernel_spec_manager=NbvalKernelspecManager()
    )
    client = NotebookClient(
        notebook,
        km=manager,
        timeout=CELL_TIMEOUT,
        startup_timeout=PATIENCE,
        iopub_timeout=PATIENCE,  # after 4 seconds nbclient would store what it has
        raise_on_iopub_timeout=True,
    )
    await client.async_execute(
        cleanup_kc=True,
        cwd=str(folder),
        env=kernel_environment(),
        stderr=subprocess.DEVNULL,  # the kernel's own log, not the outputs of cells
    )


def replace(path: Path, text: str) -> None:
    """Write a file in one step: a reader sees the old text or the new one, never a part."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


if __name__ == "__main__":
    sys.exit(main())
