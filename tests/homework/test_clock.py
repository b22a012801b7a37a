"""Time limits: they ring in time, once, in their own thread, and not after the block."""

import os
import sys
import threading
import time

import numpy as np
import pytest

from lectures_homework.student import browser, clock
from lectures_homework.student.clock import Overtime, time_limit


def spin(seconds, clock=time.monotonic):
    end = clock() + seconds
    while clock() < end:
        pass


def test_a_block_that_does_not_end_is_stopped():
    with pytest.raises(Overtime), time_limit(0.1):
        while True:
            pass


def test_a_block_that_ends_is_left_in_peace():
    ended = 0
    for _ in range(1000):
        with time_limit(1.0, time.process_time):
            ended += 1
    spin(1.2, time.process_time)
    assert ended == 1000


def test_the_inner_limit_rings_inside_the_outer_one():
    with time_limit(30):
        with pytest.raises(Overtime), time_limit(0.1):
            spin(30)
        spin(0.05)


def test_the_outer_limit_ends_the_inner_block():
    with pytest.raises(Overtime), time_limit(0.1), time_limit(30):
        spin(30)


def test_every_thread_has_its_own_limit():
    ended = {}

    def run(name, seconds, work):
        try:
            with time_limit(seconds):
                spin(work)
            ended[name] = "by itself"
        except Overtime:
            ended[name] = "stopped"

    threads = [threading.Thread(target=run, args=a) for a in (("a", 0.1, 30), ("b", 60, 0.5))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ended == {"a": "stopped", "b": "by itself"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no copies of a process here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_copied_process_keeps_its_limits():
    with time_limit(30):
        pass  # the watching thread runs
    child = os.fork()
    if child == 0:
        try:
            with time_limit(0.1):
                spin(30)
        except Overtime:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


# --- as in the browser ---------------------------------------------------------------------------


@pytest.fixture
def no_threads(monkeypatch):
    before = sys.gettrace()
    monkeypatch.setattr(threading.Thread, "start", lambda _: pytest.fail("no threads here"))
    monkeypatch.setattr(browser, "inside", lambda: True)
    monkeypatch.setattr(clock, "_watch", clock._Steps())
    yield
    assert sys.gettrace() is before


@pytest.mark.usefixtures("no_threads")
def test_without_threads_a_block_that_does_not_end_is_stopped():
    for _ in range(2):
        with pytest.raises(Overtime), time_limit(0.1):
            spin(30)
        with time_limit(5):
            spin(0.01)


@pytest.mark.usefixtures("no_threads")
def test_without_threads_the_first_of_two_limits_rings():
    with pytest.raises(Overtime), time_limit(0.1), time_limit(30):
        spin(30)
    with time_limit(30):
        with pytest.raises(Overtime), time_limit(0.1):
            spin(30)
        spin(0.05)


def nan_where_there_is_no_root(A):
    try:
        return CHOLESKY(A)
    except np.linalg.LinAlgError:
        return np.full(np.shape(A), np.nan)


CHOLESKY = np.linalg.cholesky


@pytest.mark.usefixtures("no_threads")
def test_in_the_browser_a_matrix_without_a_root_is_an_error_while_an_answer_runs(monkeypatch):
    monkeypatch.setattr(np.linalg, "cholesky", nan_where_there_is_no_root)
    with browser.errors_of_the_grader():
        assert np.linalg.cholesky(4.0 * np.eye(2)).tolist() == [[2, 0], [0, 2]]
        with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
            np.linalg.cholesky(-np.eye(2))
        assert np.isnan(np.linalg.cholesky(np.full((2, 2), np.nan))).any()
    assert np.linalg.cholesky is nan_where_there_is_no_root


def test_elsewhere_numpy_is_left_alone():
    with browser.errors_of_the_grader():
        assert np.linalg.cholesky is CHOLESKY


def test_processor_time_is_not_used_up_by_waiting():
    with time_limit(0.2, time.process_time):
        time.sleep(0.5)
    with pytest.raises(Overtime), time_limit(0.2, time.process_time):
        time.sleep(0.3)
        spin(30)
