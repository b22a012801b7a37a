"""A job that gets its worker killed; in a file of its own, because every worker imports it."""

import os
import signal

from lectures_homework.instructor.batch import Job, Report


def kills_the_worker(job: Job) -> Report:
    """Stand for a submission that makes the system kill the process that grades it."""
    if job.content == b"killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return Report(job.homework, (), (job.student,))
