"""On a cluster of separate processes: the same answers to the bit, also when a worker is killed."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from lectures_lib import datasets, estimators, kernels, partitions, selection

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    """Two workers, each a process of its own, on this machine only."""
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        distributed.LocalCluster(
            **options, dashboard_address="127.0.0.1:0", host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster) as one,
    ):
        yield one


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return separable examples as four parts on disk."""
    problem = datasets.separable(240, 4, gamma=0.02)
    parts = partitions.split(problem.X, problem.y, 4)
    return partitions.save(parts, tmp_path_factory.mktemp("parts"))


def in_memory(files):
    return [file.load() for file in files]


def assert_same_run(a, b):
    assert np.array_equal(a.weights, b.weights) and np.array_equal(a.votes, b.votes)
    pairs = [(m, n) for e, f in zip(a.mistakes, b.mistakes) for m, n in zip(e, f)]
    assert all(np.array_equal(m, n) for m, n in pairs) and a.epochs == b.epochs


def test_the_workers_are_other_processes(client):
    pids = client.run(os.getpid)
    assert len(set(pids.values()) - {os.getpid()}) == 2
    assert all("127.0.0.1" in address for address in pids)


def test_mixing_and_its_proof_are_the_same_to_the_bit(client, files):
    here = partitions.parameter_mixing(files)
    there = partitions.parameter_mixing(in_memory(files), client=client)
    assert_same_run(here, there)
    proofs = [partitions.mixing_bound(here, files, client=c) for c in (None, client)]
    assert [p.verdict for p in proofs] == ["proved", "proved"]
    assert str(proofs[0]) == str(proofs[1])


@pytest.mark.parametrize("together", [1, 2, 3, 4])
def test_ascent_by_blocks_is_the_same_to_the_bit(client, files, together):
    told = {"tol": 0.002, "together": together}
    here = partitions.block_ascent(files, **told)
    there = partitions.block_ascent(in_memory(files), **told, client=client)
    assert here.certificate == there.certificate
    assert here.converged and there.converged and here.iterations > 3
    assert np.array_equal(here.w, there.w) and np.array_equal(here.gaps, there.gaps)
    kept = client.gather(list(there.alpha))
    assert all(np.array_equal(a, b) for a, b in zip(here.alpha, kept))


def test_rounds_kept_in_a_folder_go_on_with_or_without_a_cluster(client, files, tmp_path):
    here = partitions.block_ascent(files, tol=0.02)
    partitions.block_ascent(files, max_iterations=2, client=client, folder=tmp_path)
    there = partitions.block_ascent(files, tol=0.02, folder=tmp_path)
    assert there.converged and np.array_equal(here.gaps, there.gaps)
    assert all(np.array_equal(a, b) for a, b in zip(here.alpha, there.alpha))


def test_a_grid_is_the_same_to_the_bit(client):
    X, y = datasets.noisy(40)
    tried = ([0.1, 1.0], [kernels.Linear(), kernels.Gaussian(1.0)])
    here, there = (
        selection.grid(X, y, *tried, k=3, progress=False, client=c) for c in (None, client)
    )
    for name in ("wrong", "train_wrong", "gaps", "proved"):
        assert np.array_equal(getattr(here, name), getattr(there, name)), name


def test_grid_search_of_scikit_learn_is_the_same_with_joblibs_dask(client):
    import joblib

    X, y = datasets.noisy(40)
    search = GridSearchCV(estimators.SVM(kernels.Gaussian(1.0)), {"C": [0.1, 1.0, 10.0]}, cv=3)
    here = search.fit(X, y).cv_results_["mean_test_score"]
    alone = search.best_estimator_.decision_function(X)
    with joblib.parallel_config(backend="dask"):
        there = search.fit(X, y).cv_results_["mean_test_score"]
    assert np.array_equal(here, there)
    assert np.array_equal(alone, search.best_estimator_.decision_function(X))


class Slow(partitions.FilePart):
    """A part on a slow disk: there is time to kill its reader."""

    def load(self):
        time.sleep(0.04)
        return super().load()


def test_a_worker_killed_half_way_changes_nothing(client, files):
    slow = [Slow(file.X, file.y) for file in files]
    victim = next(iter(client.run(os.getpid).values()))
    with ThreadPoolExecutor(2) as both:
        mixing = both.submit(partitions.parameter_mixing, slow, client=client)
        ascent = both.submit(partitions.block_ascent, slow, tol=1e-4, client=client)
        time.sleep(0.4)
        os.kill(victim, signal.SIGKILL)
        assert not mixing.done() and not ascent.done(), "it was over before the kill"
    assert victim not in client.run(os.getpid).values()
    assert_same_run(mixing.result(), partitions.parameter_mixing(files))
    here, there = partitions.block_ascent(files, tol=1e-4), ascent.result()
    assert there.converged
    assert np.array_equal(here.w, there.w) and np.array_equal(here.gaps, there.gaps)
    kept = client.gather(list(there.alpha))
    assert all(np.array_equal(a, b) for a, b in zip(here.alpha, kept))
