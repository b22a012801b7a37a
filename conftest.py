"""Settings for every test run: the notebook guards, hypothesis, and figures without a window."""

import os

from hypothesis import settings

pytest_plugins = ["tools.nbguard"]

os.environ.setdefault("MPLBACKEND", "agg")

settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")
