"""What hostile code leaves behind, and what it can tell: nothing."""

import json
import os
from pathlib import Path

import pytest

from tests.homework.test_hostile import DAEMON, beside_an_honest_one, inside
from tests.homework.test_hostile import canary as canary

from .conftest import (
    DOUBLE,
    FULL,
    HONEST,
    IMPORTS,
    QUICK,
    QUIZ,
    REST,
    book,
    instead,
)

# --- what it leaves behind -----------------------------------------------------------------------


def processes_with(marker: str) -> list[str]:
    """Return the processes of this machine whose command line has a text in it."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [str(place)] if marker.encode() in place.read_bytes() else []
        except OSError:
            continue
    return found


def test_no_process_survives(box):
    marker = f"survivor-{os.urandom(8).hex()}"
    attack = inside(DAEMON.replace("{marker}", marker), "pass")
    report = beside_an_honest_one(book(*attack.cells))
    assert report.points == FULL
    assert processes_with(marker) == []


def test_deleting_everything_deletes_nothing(box, canary):
    folder, digest = canary
    before, host = digest(), Path("/tmp", f"grading-test-{os.urandom(8).hex()}")
    host.write_text("still here")
    attack = f"import shutil, os\nfor place in ({str(folder)!r}, '/tmp', '/'):\n"
    attack += "    shutil.rmtree(place, ignore_errors=True)\n"
    try:
        report = beside_an_honest_one(book(IMPORTS, attack, *HONEST[1:]))
        assert report.points == FULL
        assert digest() == before and host.read_text() == "still here"
    finally:
        host.unlink()


def test_a_full_disk_is_its_own(box):
    marker = os.urandom(8).hex()
    fill = f"try:\n    for k in range(99):\n        f = open(f'/tmp/{marker}{{k}}', 'wb')\n"
    fill += "        for _ in range(7): f.write(bytes(1 << 20))\n        f.flush()\n"
    fill += "except OSError as error:\n    full = error.errno\n"
    shown = "def double(x):\n    return [full, sum(map(os.path.getsize, glob.glob('/tmp/{}*')))]"
    shown = shown.format(marker)
    report = beside_an_honest_one(book(*instead(DOUBLE, f"import glob, os\n{fill}{shown}")))
    errno, size = json.loads(report.verdicts[0].got)
    assert errno == 28 and size <= 4 * QUICK.files
    assert not list(Path("/tmp").glob(f"{marker}*"))


def test_a_file_has_a_largest_size(box):
    attack = "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    attack += "open('/tmp/too-large', 'wb').write(bytes(9 << 20))"
    report = beside_an_honest_one(book(IMPORTS, attack, *HONEST[1:]))
    assert report.points == FULL and "OSError" in report.notes[0]


# --- what it can tell ----------------------------------------------------------------------------

WAYS_OUT = {
    "message": "raise ValueError(str(list(map(int, x))))",
    "class name": "raise type('E' + '_'.join(str(int(v)) for v in x), (Exception,), {})()",
    "reply": "return str(list(map(int, x)))",
    "type of the reply": "return type('T' + '_'.join(str(int(v)) for v in x), (), {})()",
    "missing": "raise NotImplementedError(str(list(map(int, x))))",
    "file for later": "open('/tmp/seen', 'a').write(str(x))\nreturn open('/tmp/seen').read()",
    "file for a restart": "open('/tmp/seen', 'a').write(str(x))\nos.kill(os.getppid(), 11)",
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_hidden_inputs_do_not_come_out(box, way):
    body = "".join(f"    {line}\n" for line in WAYS_OUT[way].splitlines())
    again = "if os.path.exists('/tmp/seen'): raise ValueError(open('/tmp/seen').read())"
    cells = [IMPORTS, f"import os\n{again}", f"def double(x):\n{body}"]
    cells += [f"def total(x):\n{body}", QUIZ]
    assert beside_an_honest_one(book(*cells)).points == 1


def test_markup_and_invisible_characters_stay_text(box):
    name, text = "<script>alert(1)</script>", "\u202eevil\u2066\x07\x1b[31m\n\n<b>x</b>"
    body = f"raise type({name!r}, (Exception,), {{}})({text!r} * 9)"
    report = beside_an_honest_one(book(IMPORTS, body, *inside(body, "").cells))
    assert report.points == REST
    assert "\u202e" not in report.verdicts[0].claim and "\n" not in report.notes[0]
    assert all(len(note) < 400 for note in report.notes)


def test_names_may_be_unicode(box):
    cells = instead(DOUBLE, "def dоuble(x):\n    return 2 * x")  # a Cyrillic о
    report = beside_an_honest_one(book(*cells))
    assert [v.status for v in report.verdicts[:2]] == ["missing", "missing"]


def test_a_notebook_of_50_megabytes_is_refused_in_a_sentence(box):
    report = beside_an_honest_one(book(*HONEST, "x = 1 #" + "x" * 50_000_000))
    assert report.points == 0
    assert "longer than 20 MB" in report.notes[0]
