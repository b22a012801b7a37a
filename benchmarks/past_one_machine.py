"""Learning from data that do not fit into memory: time, largest memory, and what is sent.

    python -m benchmarks.past_one_machine --gigabytes 20 --folder some/disk --workers 2

Parts of generated examples are written to disk, one after the other (they stay there for the next
run; ``--remove`` deletes them). Then the perceptron is mixed and its bound proved, and the linear
machine trained by blocks and its gap proved, on a local cluster of separate processes or, with
``--workers 0``, in this one. The largest memory is that of each process, as the system counts it.
"""

import argparse
import contextlib
import pickle
import resource
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

from lectures_lib import partitions

MB = 1e6


def main() -> None:
    """Write, learn, prove and tell."""
    told = arguments()
    folder = Path(told.folder or tempfile.mkdtemp(prefix="parts-"))
    rows = int(told.part * MB / 8 / told.features)
    count = max(1, round(told.gigabytes * 1000 / told.part))
    print(f"{count} parts of {rows} x {told.features} floats, {count * told.part / 1000:.2f} GB")
    start = time.perf_counter()
    parts = [written(folder, i, rows, told.features) for i in range(count)]
    print(f"{'on disk':28}{time.perf_counter() - start:9.1f} s")
    with cluster(told.workers) as client:
        print(f"{'largest memory at the start':28}{memory(client)}")
        measured(parts, client, told)
    if told.remove or not told.folder:
        shutil.rmtree(folder)


def arguments() -> argparse.Namespace:
    """Return what was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=0.5, help="all examples together")
    parser.add_argument("--part", type=float, default=50.0, help="megabytes of one part")
    parser.add_argument("--features", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=3, help="of mixing, at most")
    parser.add_argument("--rounds", type=int, default=5, help="of ascent by blocks, at most")
    parser.add_argument("--workers", type=int, default=2, help="0: this process alone")
    parser.add_argument("--folder", help="where the parts are; default a temporary folder")
    parser.add_argument("--remove", action="store_true", help="delete the folder at the end")
    return parser.parse_args()


def direction(d: int) -> np.ndarray:
    """Return the unit vector that separates all parts."""
    u = np.random.default_rng(20).normal(size=d)
    return u / np.linalg.norm(u)


def written(folder: Path, i: int, rows: int, d: int) -> partitions.FilePart:
    """Return part i, made of its own seed: margin 0.5 along the direction; written if missing."""
    part = partitions.FilePart(*(str(folder / f"{letter}-{i:05d}.npy") for letter in "Xy"))
    if not (Path(part.X).exists() and Path(part.y).exists() and part.shape == (rows, d)):
        rng, u = np.random.default_rng([20, i]), direction(d)
        X = rng.normal(size=(rows, d))
        y = np.where(X @ u > 0, 1.0, -1.0)
        X += 0.5 * y[:, None] * u
        partitions.save([(X, y)], folder / f"{i}")
        for letter, name in zip("Xy", (part.X, part.y)):
            (folder / f"{i}" / f"{letter}-00000.npy").replace(name)
        (folder / f"{i}").rmdir()
    return part


@contextlib.contextmanager
def cluster(workers: int):
    """Give a client of a local cluster, or None."""
    if not workers:
        yield None
        return
    import distributed

    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options, processes=True, host="127.0.0.1") as local,
        distributed.Client(local) as client,
    ):
        yield client


def largest() -> float:
    """Return the largest memory this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MB


def memory(client) -> str:
    """Return the largest memory of this process and of each worker."""
    there = sorted(client.run(largest).values()) if client else []
    return f"{largest():9.0f} MB here" + "".join(f", {mb:.0f} MB there" for mb in there)


def measured(parts, client, told) -> None:
    """Learn and prove, and print a line for each."""
    u, size = direction(told.features), len(parts) * told.part

    def timed(name, work, reads):
        start = time.perf_counter()
        found = work()
        taken = time.perf_counter() - start
        print(f"{name:28}{taken:9.1f} s, {reads(found) * size / taken:8.0f} MB/s", flush=True)
        return found

    run = timed(
        "parameter mixing",
        lambda: partitions.parameter_mixing(parts, max_epochs=told.epochs, client=client),
        lambda run: run.epochs,
    )
    proof = timed(
        "its mistake bound", lambda: partitions.mixing_bound(run, parts, u, client=client),
        lambda _: 2,
    )  # fmt: skip
    print(f"{'largest memory so far':28}{memory(client)}")
    print(
        f"  {run.epochs} epochs, mistakes {run.counts.sum(axis=1).tolist()}; {proof.verdict}: ",
        end="",
    )
    print(f"K = {float(proof.mixed):.1f} <= {proof.bound:.1f}")
    with tempfile.TemporaryDirectory(dir=Path(parts[0].X).parent) as rounds:
        machine = timed(
            "ascent by blocks, and proof",
            lambda: partitions.block_ascent(
                parts, 1e-3, tol=0.05, max_iterations=told.rounds, client=client, folder=rounds
            ),
            lambda machine: machine.iterations + 1,
        )
    gap = machine.certificate
    print(f"  {machine.iterations} rounds, relative gap {gap.relative_gap:.3g}: {gap.verdict}")
    sent = len(pickle.dumps(run.w)) * 2 * len(parts)
    print(f"sent per epoch or round: {sent / MB:.3f} MB of weights, for {size:.0f} MB of examples")
    print(f"{'largest memory':28}{memory(client)}")


if __name__ == "__main__":
    main()
