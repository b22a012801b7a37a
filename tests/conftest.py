"""Fixtures shared by the tests of the library."""

import IPython.display
import pytest


@pytest.fixture
def capture_display(monkeypatch):
    """Collect what is displayed, as the data and metadata that a notebook would store."""
    shown = []

    def display(thing, *, metadata=None, raw=False):
        if raw:
            shown.append({"data": thing, "metadata": metadata or {}})
        else:
            kind = "text/html" if hasattr(thing, "_repr_html_") else "text/markdown"
            shown.append({"data": {kind: thing.data}, "metadata": {}})

    monkeypatch.setattr(IPython.display, "display", display)
    return shown
