"""Open the course: ``python start.py`` makes .venv, installs what it needs, starts JupyterLab.

Works wherever Python does; ``make lab`` calls it. ``python start.py install`` installs what checks
and grades the course, too, and opens nothing; ``python start.py here`` opens it in the Python that
runs this, as with conda. This file is text that every Python can read, so that
an old one says what is wrong.
"""

import os
import sys

OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".venv", "bin", "python")

if not (3, 11) <= sys.version_info[:2] <= (3, 14):
    if os.path.exists(OURS) and os.path.abspath(sys.executable) != OURS:
        os.execv(OURS, [OURS, os.path.abspath(__file__)] + sys.argv[1:])  # noqa: RUF005
    sys.exit(
        "The course needs Python 3.11 to 3.14, but this is Python {}.{}. Name another one: "
        "make lab PYTHON=python3.12, python3.12 start.py, or on Windows py -3.12 start.py".format(
            *sys.version_info
        )
    )

if __name__ == "__main__":
    from tools.venv import main

    sys.exit(main(sys.argv[1:]))
