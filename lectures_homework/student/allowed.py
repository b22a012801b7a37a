"""What a submission may import: known to the sandbox, and told to the student in time."""

import dis
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

#: What may be imported besides the standard library, and what that needs in turn.
PACKAGES = ("numpy", "scipy", "matplotlib", "mpl_toolkits", "pylab", "PIL", "dateutil", "six")
PACKAGES += ("kiwisolver", "contourpy", "cycler", "pyparsing", "fontTools", "packaging")
PACKAGES += ("charset_normalizer",)
#: What every notebook has of its own.
NOTEBOOK = ("lectures_homework", "__main__", "IPython", "ipykernel", "pyodide_kernel", "builtins")
#: Of our library: what a homework may import, by older names too. Figures are left out where it
#: is graded.
OURS = ("lectures_lib.homework", "lectures_lib.grading", "lectures_lib.plots")


def foreign(names: Mapping[str, Any]) -> list[str]:
    """Return the packages that a notebook uses and the grader does not have."""
    used = {module for name, value in names.items() for module in _modules(name, value)}
    return sorted({_package(module) for module in used if not _known(module)})


def _modules(name: str, value: Any) -> Iterator[str]:
    """Yield the modules behind a name of the notebook."""
    if name.startswith("_"):
        return
    if isinstance(value, ModuleType):
        yield value.__name__
    elif isinstance(value, type | FunctionType):
        yield str(value.__module__)
        if isinstance(value, FunctionType) and value.__module__ == "__main__":
            yield from _imported(value.__code__)


def _imported(code: CodeType) -> Iterator[str]:
    """Yield what a function imports when it is called."""
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _imported(inner)


def _known(module: str) -> bool:
    top = module.split(".")[0]
    ours = ".".join(module.split(".")[:2]) in OURS
    return ours or top in (*PACKAGES, *NOTEBOOK) or top in sys.stdlib_module_names


def _package(module: str) -> str:
    """Return what the student calls it: of our library the module, of others the package."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "lectures_lib" else parts[0]
