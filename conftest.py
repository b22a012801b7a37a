"""Settings for every test run: the notebook guards, hypothesis, and figures without a window.

The notebooks need no hypothesis: ``pytest --nbval notebooks/`` works where it is not installed.
"""

import importlib.util
import os

pytest_plugins = ["tools.nbguard"]

os.environ.setdefault("MPLBACKEND", "agg")

if importlib.util.find_spec("hypothesis"):
    from hypothesis import settings

    settings.register_profile("course", deadline=None, derandomize=True)
    settings.load_profile("course")
