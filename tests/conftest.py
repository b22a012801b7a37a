"""Fixtures shared by the tests of the library."""

import IPython.display
import pytest

#: Its fixture runs notebooks for half a minute. Last in line it would be shared out between two
#: workers, and made by both; first in line, one worker makes it while the other has enough to do.
FIRST = "test_nbguard.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests with the longest fixture first; all others keep their order."""
    items.sort(key=lambda item: FIRST not in item.nodeid)


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
