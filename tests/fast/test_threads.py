"""Several cores for one result: every part once, errors reach the caller."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from lectures_lib.fast import threads


@pytest.fixture(params=["1", "2", "5"])
def number(request, monkeypatch):
    monkeypatch.setenv("LECTURES_LIB_CORES", request.param)
    return int(request.param)


def test_every_part_is_worked_once_and_answers_keep_their_order(number):
    seen = []
    found = threads.for_each(lambda part: seen.append(part) or part * part, range(50))
    assert found == [i * i for i in range(50)] and sorted(seen) == list(range(50))


def test_an_error_of_any_part_reaches_the_caller(number):
    def work(part):
        if part == 7:
            raise ValueError("part 7")

    with pytest.raises(ValueError, match="part 7"):
        threads.for_each(work, range(20))


def test_parts_may_share_out_parts_of_their_own(number):
    inner = lambda part: sum(threads.for_each(lambda i: i * part, range(10)))  # noqa: E731
    assert threads.for_each(inner, range(8)) == [45 * part for part in range(8)]


def test_no_part_is_lost_where_no_thread_can_be_started(monkeypatch):
    def refused(self, work, *arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setenv("LECTURES_LIB_CORES", "2")
    monkeypatch.setattr(ThreadPoolExecutor, "submit", refused)
    assert threads.for_each(lambda part: -part, range(5)) == [0, -1, -2, -3, -4]


def test_products_have_one_thread_until_the_last_context_that_asks_for_it_ends():
    def busy():
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    with threadpool_limits(2, user_api="blas"):
        before = busy()
        first, second = threads.one_thread(), threads.one_thread()
        first.__enter__()
        second.__enter__()
        assert busy() == {1}
        first.__exit__(None, None, None)  # contexts of several threads end in any order
        assert busy() == {1}
        second.__exit__(None, None, None)
        assert busy() == before
        with pytest.raises(ValueError, match="inside"), threads.one_thread():
            raise ValueError("inside")
        assert busy() == before


COPIED = """
import os, threading, time
from lectures_lib.fast import threads

def who(part):
    time.sleep(0.05)
    return threading.get_ident()

assert len(set(threads.for_each(who, range(20)))) == 2
time.sleep(0.2)  # now the helper waits for work
child = os.fork()
if child == 0:
    os._exit(len(set(threads.for_each(who, range(20)))) != 2)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_copy_of_the_process_has_helpers_of_its_own():
    command = [sys.executable, "-W", "ignore", "-c", COPIED]
    environment = os.environ | {"LECTURES_LIB_CORES": "2"}
    subprocess.run(command, env=environment, check=True)
