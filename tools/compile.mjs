// Import the course in Pyodide and write what its Python made of each module: node compile.mjs FOLDER OUT PACKAGE...
import path from "node:path";
import { pathToFileURL } from "node:url";

const PROGRAM = `
import importlib._bootstrap_external as loading
import pkgutil, sys, zipfile
from contextlib import suppress
import IPython, anywidget, ipywidgets, pyodide_kernel.kernel
import lectures_homework, lectures_lib

for package in (lectures_lib, lectures_homework):
    for room in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not room.name.endswith("__main__"):
            with suppress(ModuleNotFoundError):  # the grader needs what the browser does not have
                __import__(room.name)
with zipfile.ZipFile(OUT, "w") as made:
    for spec in [module.__spec__ for module in sys.modules.values() if getattr(module, "__spec__", None)]:
        for place in ("/lib/python314.zip/", "/lib/python3.14/site-packages/"):
            if str(spec.origin).startswith(place) and spec.origin.endswith(".py"):
                code = compile(spec.loader.get_source(spec.name), spec.origin, "exec", dont_inherit=True)
                data = loading._code_to_hash_pyc(code, bytes(8), False)  # never held against a source
                made.writestr(spec.origin.removeprefix(place), bytes(data))
`;

const [folder, out, ...names] = process.argv.slice(2).map((text, k) => (k < 2 ? path.resolve(text) : text));
try {
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
  const python = await loadPyodide({ indexURL: folder, lockFileURL: path.join(folder, "pyodide-lock.json") });
  await python.loadPackage(names, { messageCallback: () => {} });
  python.mountNodeFS("/out", path.dirname(out));
  python.globals.set("OUT", `/out/${path.basename(out)}`);
  python.runPython(PROGRAM);
} catch (error) {
  console.error(String(error.message).slice(-2000));
  process.exit(1);
}
