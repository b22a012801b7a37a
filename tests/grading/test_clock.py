"""Time limits: they ring in time, once, in their own thread, and not after the block."""

import os
import threading
import time

import pytest

from lectures_lib.grading.clock import Overtime, time_limit


def spin(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_a_block_that_does_not_end_is_stopped():
    start = time.monotonic()
    with pytest.raises(Overtime), time_limit(0.1):
        spin(30)
    assert time.monotonic() - start < 10


def test_a_block_that_ends_is_left_in_peace():
    for _ in range(1000):
        with time_limit(0.2):
            pass
    spin(0.4)


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

    def run(name, seconds):
        try:
            with time_limit(seconds):
                spin(1.0)
            ended[name] = "by itself"
        except Overtime:
            ended[name] = "stopped"

    threads = [threading.Thread(target=run, args=a) for a in (("a", 0.1), ("b", 30.0))]
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


def test_where_no_thread_can_start_there_is_no_limit(monkeypatch):
    from lectures_lib.grading import clock

    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(clock, "_watch", clock._Watch())
    for _ in range(2):
        with time_limit(0.01):
            spin(0.05)
