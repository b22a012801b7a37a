"""A pytest plugin over nbval: one execution of a notebook, and what nbval alone does not see.

nbval runs every code cell and compares its texts. This plugin puts its own collector and cells
in the place of nbval's (their subclasses) and adds:

- one more test per notebook, ``stored outputs``: ``tools.nbrules.problems`` finds none;
- per cell: number, kind and order of the outputs, their metadata (alt text), every figure pixel
  by pixel; a cell that was never executed fails;
- a kernel that dies fails within seconds;
- one more test of a notebook with sliders, ``sliders once more``: after the last cell each of them
  still draws what it drew when it was made.

It leans on the internals of nbval, which is therefore pinned exactly.
"""

import re
import shutil
import subprocess
import time
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from nbformat import NotebookNode
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, RunningKernel, start_new_kernel
from nbval.plugin import IPyNbCell, IPyNbFile

from tools import nbfigures, nbrules
from tools.environment import CELL_TIMEOUT, PATIENCE, kernel_environment
from tools.nbrecorder import Recorder

DEFAULT_OF_NBVAL = 2000
SHORT_START_OF_NBVAL = 60
POLL_SECONDS = 0.5
DIFFERENCES = ".figure-diffs"
SLIDER = re.compile(r"\bwidgets\.slide\(")
SLIDERS_CHANGED = """
from lectures_lib.widgets import changed_sliders
print(*changed_sliders(), sep="\\n")
"""


# --- pytest hooks --------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Use the running Python as the kernel; give it more time to start than nbval, cells less."""
    option = config.option
    if not option.nbval_kernel_name:
        option.nbval_current_env = True
    if option.nbval_cell_timeout == DEFAULT_OF_NBVAL:
        option.nbval_cell_timeout = CELL_TIMEOUT
    if option.nbval_kernel_startup_timeout == SHORT_START_OF_NBVAL:
        option.nbval_kernel_startup_timeout = PATIENCE
    if option.nbval and not hasattr(config, "workerinput"):
        shutil.rmtree(config.rootpath / DIFFERENCES, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[None, list, list]:
    """Collect a guarded notebook wherever nbval would collect a notebook."""
    collectors = yield
    if parent.config.option.nbval and file_path.name == nbrules.ALLOW_LIST:
        return [*collectors, AllowList.from_parent(parent, path=file_path)]
    return [
        GuardedNotebook.from_parent(parent, path=file_path) if isinstance(c, IPyNbFile) else c
        for c in collectors
    ]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in plain words when figures were not compared."""
    if not terminalreporter.config.option.nbval:
        return
    differences = nbfigures.version_differences()
    if differences:
        terminalreporter.section("figures were not compared")
        terminalreporter.line("They can only be compared when drawn by the pinned versions:")
        terminalreporter.line("; ".join(differences) + ".")
        terminalreporter.line("Everything else was compared. `make test` uses the pinned versions.")


# --- what is stored ------------------------------------------------------------------------------


class Dishonest(Exception):
    """Something stored cannot be true."""


class StoredCheck(pytest.Item):
    """One test of what a file says, without running anything."""

    def __init__(self, *, check, **kwargs):
        super().__init__(**kwargs)
        self.check = check

    def runtest(self) -> None:
        """Fail with the list of all problems."""
        found = list(self.check(self.path))
        if found:
            raise Dishonest("\n".join(found))

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: Any = None) -> Any:
        """Show the problems, not the traceback."""
        if isinstance(excinfo.value, Dishonest):
            return f"{self.path.name}:\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple:
        """Name the test as pytest's reports do."""
        return self.path, None, self.name


class AllowList(pytest.File):
    """The allow-list of outputs that are not compared."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the one test that no entry is incomplete or stale."""
        yield StoredCheck.from_parent(self, name="entries", check=nbrules.allow_list_problems)


# --- what a run says -----------------------------------------------------------------------------


class KernelDied(Exception):
    """The process behind the notebook has ended."""


class WatchedKernel(RunningKernel):
    """A kernel whose death is noticed while waiting for its messages."""

    starting = True

    def __init__(self, kernel_name: str, cwd: str, startup_timeout: float):
        self.km, self.kc = start_new_kernel(
            startup_timeout=startup_timeout,
            kernel_name=kernel_name,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env=kernel_environment(),
            extra_arguments=["--HistoryManager.hist_file=:memory:"],  # nbclient says the same
        )
        self._ensure_iopub_up()
        self.starting = False

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """Wait for a message in short slices, looking at the kernel's pulse between them."""
        if stream == "shell" and self.starting:  # nbval waits 10 seconds
            timeout = PATIENCE
        deadline = float("inf") if timeout is None else time.monotonic() + timeout
        while True:
            try:
                remaining = max(0.0, deadline - time.monotonic())
                return super().get_message(stream, timeout=min(POLL_SECONDS, remaining))
            except Empty:
                if not self.is_alive():
                    raise KernelDied from None
                if time.monotonic() >= deadline:
                    raise

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        """Execute a cell as front ends do: counted, so that a final semicolon silences it."""
        return self.kc.execute(
            cell_input, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
        )

    def stop(self) -> None:
        """Stop the kernel, dead or alive; stopping twice does no harm."""
        if hasattr(self, "km"):
            super().stop()


class GuardedNotebook(IPyNbFile):
    """A notebook whose cells are compared in full."""

    def setup(self) -> None:
        """Start a fresh kernel in the notebook's folder."""
        option = self.config.option
        name = CURRENT_ENV_KERNEL_NAME if option.nbval_current_env else option.nbval_kernel_name
        startup = option.nbval_kernel_startup_timeout
        self.kernel = WatchedKernel(name, str(self.path.parent), startup)
        self.recorder = Recorder()
        self.setup_sanitize_files()

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the test of what is stored, then nbval's cells under guard."""
        yield StoredCheck.from_parent(self, name="stored outputs", check=nbrules.problems)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "stored outputs" reports missing ids and the like
            cells = list(super().collect())
        for item in cells:
            yield GuardedCell.from_parent(
                self,
                name=f"{item.name} ({item.cell.get('id')})",
                cell_num=item.cell_num,
                cell=item.cell,
                options=item.options,
            )
        if any(SLIDER.search(item.cell.source) for item in cells):
            yield SlidersAgain.from_parent(self, name="sliders once more")

    def printed(self, code: str) -> str:
        """Return what code prints in the notebook's kernel, after everything that ran there."""
        asked, text = self.kernel.execute_cell_input(code, allow_stdin=False), ""
        while True:
            message = self.kernel.get_message("iopub", timeout=CELL_TIMEOUT)
            if message["parent_header"].get("msg_id") != asked:
                continue
            content = message["content"]
            text += content.get("text", "") + "\n".join(content.get("traceback", []))
            if content.get("execution_state") == "idle":
                return text

    def get_kernel_message(self, timeout: float | None = None, stream: str = "iopub") -> dict:
        """Pass a message on to nbval and remember the output it carries."""
        message = super().get_kernel_message(timeout, stream)
        self.recorder.feed(message)
        return message

    def teardown(self) -> None:
        """Stop the kernel."""
        if self.kernel is not None:
            self.kernel.stop()


class SlidersAgain(pytest.Item):
    """After the last cell every slider draws once more what it drew when it was made."""

    def runtest(self) -> None:
        """Fail with the sliders that a later cell has changed or broken."""
        notebook: Any = self.parent
        found = notebook.printed(SLIDERS_CHANGED)
        if found.strip():
            raise Dishonest(found.strip())

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: Any = None) -> Any:
        """Show which sliders, not the traceback."""
        if isinstance(excinfo.value, Dishonest):
            return f"{self.path.name}:\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple:
        """Name the test as pytest's reports do."""
        return self.path, None, self.name


class GuardedCell(IPyNbCell):
    """A code cell: nbval runs it and compares its texts, then the rest is compared."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.output_timeout = PATIENCE  # nbval waits 5 seconds for outputs
        self.stored = nbrules.canonical(self.cell.outputs)  # nbval changes them while running

    def runtest(self) -> None:
        """Run the cell as nbval does; a cell that was never executed or kills the kernel fails."""
        self.parent.recorder.start_cell()
        try:
            super().runtest()
        except KernelDied:
            self.parent.timed_out = True  # nbval expects the remaining cells to fail
            self.raise_cell_error("The kernel died while this cell ran")
        if self.cell.execution_count is None:
            self.raise_cell_error("The cell was never executed: it has no execution count")

    def compare_outputs(self, test, ref, skip_compare=None) -> bool:
        """Compare texts (nbval), then structure, metadata and figures (here)."""
        drawn = nbrules.canonical(self.parent.recorder.outputs)
        if not super().compare_outputs(drawn, self.stored, skip_compare):
            return False
        self.comparison_traceback += list(self.differences(drawn))
        return not self.comparison_traceback

    def differences(self, drawn: list[NotebookNode]) -> Iterator[str]:
        """Yield in words what differs between the outputs stored and those of this run."""
        expected, got = ([shape(output) for output in side] for side in (self.stored, drawn))
        if expected != got:
            yield f"Kind, number or order of the outputs differ: stored {expected}, now {got}"
            return
        compare_figures = not nbfigures.version_differences()
        for number, (old, new) in enumerate(zip(self.stored, drawn, strict=True)):
            if old.get("metadata", {}) != new.get("metadata", {}):
                before, after = dict(old.metadata), dict(new.metadata)
                yield f"Metadata (alt text) of output {number} differs: {before}, now {after}"
            if compare_figures:
                yield from self.figure_differences(number, old, new)

    def figure_differences(self, number: int, old: NotebookNode, new: NotebookNode) -> Iterator:
        """Yield which pictures of one output differ and where to look at the difference."""
        for mime in (mime for mime in nbfigures.RASTER if mime in old.get("data", {})):
            name = f"{self.path.stem}-cell{self.cell_num}-output{number}.png"
            picture = self.config.rootpath / DIFFERENCES / name
            said = nbfigures.figure_difference(old.data[mime], new.data[mime], picture)
            if said:
                where = picture.relative_to(self.config.rootpath)
                yield f"The figure in output {number} differs: {said}; see {where}"
                yield "(expected | got | difference, side by side)"


def shape(output: NotebookNode) -> tuple:
    """Return what kind of output this is: its type with the stream's name or the mime types."""
    return output.output_type, output.get("name") or sorted(output.get("data", {}))
