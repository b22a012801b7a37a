"""Noise of the rasteriser passes, every planted lie fails, and how far they are apart.

The measure is `share`: the largest difference of a pixel, beyond rounding, as a share of the
contrast around it. A shift of an eighth of a pixel makes 0.18 along one axis and 0.33 along both.
Of the lies here the smallest, a curve bent by one pixel, makes 0.73, a point moved by its own
width more than 100. The limit is 3/8: a curve moved by less than a third of a pixel is not seen.
"""

import base64
import io
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from lectures_lib import plots
from tools import machines, nbfigures
from tools.environment import ROOT, fixed_environment

DPI, FINE = 100, 8
WIDTH = 3.5 * DPI / 72  # of a marker, in pixels: small, as the notebooks draw them
PANEL = 1.5  # inches wide and high
UNIT = DPI * PANEL / 6  # pixels per unit of a panel


def draw(
    *,
    point=0.0,
    curve=0.0,
    level=0.0,
    size=3.5,
    colour=plots.BLUE,
    style="-",
    label="0.17",
    title="",
) -> plt.Figure:
    """Draw points, curves, contour lines and letters, each as the argument of its name says."""
    fig = plt.figure(figsize=(4, 2), dpi=DPI)
    left, right = (fig.add_axes((x / 4, 0.25 / 2, PANEL / 4, PANEL / 2)) for x in (0.4, 2.3))
    rng = np.random.default_rng(0)
    P, g, t = rng.normal(size=(30, 2)), np.linspace(-3, 3, 60), np.linspace(0, 6, 200)
    P[3, 0] += point / UNIT
    left.plot(*P.T, "o", ms=size, color=plots.RED, mec="white", mew=0.4)
    bowl = np.add.outer(g**2, g) + level
    left.contour(g, g, bowl, [0, 1, 2], colors="black", linestyles=[":", "-", "--"], linewidths=1)
    left.set(xlim=(-3, 3), ylim=(-3, 3))
    bent = np.sin(t) + curve / UNIT * np.exp(-8 * (t - 3) ** 2)
    right.plot(t, bent, color=colour, ls=style, lw=1.2, label=f"error {label}")
    right.plot(t, np.cos(t), color=plots.ORANGE, ls="--", lw=1)
    right.set(xlim=(0, 6), ylim=(-3, 3), title=title or "C = 10")
    right.legend(loc="lower left")
    return fig


def raster(fig: plt.Figure, scale: int = 1) -> np.ndarray:
    """Return the pixels of a figure, `scale` times as many in each direction."""
    file = io.BytesIO()
    fig.savefig(file, dpi=DPI * scale, format="png")
    plt.close(fig)
    return np.asarray(Image.open(file).convert("RGBA"), dtype=np.int16)


def reduced(fine: np.ndarray, down: int = 0, right: int = 0) -> np.ndarray:
    """Return the picture that a fine one is, moved by some of its pixels, in ordinary pixels."""
    moved = np.roll(fine, (down, right), axis=(0, 1))
    rows = sum(moved[i::FINE] for i in range(FINE))
    blocks = sum(rows[:, j::FINE] for j in range(FINE))
    return (blocks + FINE**2 // 2) // FINE**2


def encoded(array: np.ndarray) -> str:
    """Return a picture as a notebook stores it."""
    file = io.BytesIO()
    Image.fromarray(array.astype(np.uint8)).save(file, format="png")
    return base64.b64encode(file.getvalue()).decode()


def share(expected: np.ndarray, got: np.ndarray) -> float:
    """Return the largest difference beyond rounding, as a share of the contrast around it."""
    beyond = np.maximum(0, np.abs(expected - got) - nbfigures.SAME_SHADE)
    edge = np.minimum(nbfigures.contrast(expected), nbfigures.contrast(got))
    return float((beyond / np.maximum(edge, 1)).max())


@pytest.fixture(scope="module")
def honest() -> np.ndarray:
    return raster(draw())


@pytest.fixture(scope="module")
def fine() -> np.ndarray:
    return raster(draw(), FINE)


@pytest.mark.parametrize(("down", "right"), [(0, 1), (1, 0), (1, 1), (1, -1)])
def test_an_eighth_of_a_pixel_passes(fine, tmp_path, down, right):
    still, moved = reduced(fine), reduced(fine, down, right)
    assert (np.abs(still - moved) > nbfigures.SAME_SHADE).any(axis=2).sum() > 1000  # it does differ
    assert share(still, moved) <= (0.36 if down and right else 0.2)
    assert nbfigures.figure_difference(encoded(still), encoded(moved), tmp_path / "d.png") is None
    assert not (tmp_path / "d.png").exists()


@pytest.mark.parametrize(("down", "right"), [(4, 0), (0, 4)])
def test_half_a_pixel_does_not_pass(fine, down, right):
    assert nbfigures.unexplained(reduced(fine), reduced(fine, down, right)).sum() > 1000


#: lie -> at least so large a share of the contrast
LIES = {
    "a point moved by a marker's width": ({"point": WIDTH}, 2),
    "a point moved by half of it": ({"point": WIDTH / 2}, 2),
    "a point moved by one pixel": ({"point": 1.0}, 1),
    "a curve bent by three pixels": ({"curve": 3.0}, 2),
    "a curve bent by one pixel": ({"curve": 1.0}, 0.7),
    "another level": ({"level": 0.05}, 2),
    "larger points": ({"size": 4.5}, 1),
    "a colour": ({"colour": plots.GREEN}, 0.8),
    "another colour": ({"colour": plots.RED}, 2),
    "a dashed line": ({"style": "--"}, 2),
    "a digit": ({"label": "0.16"}, 2),
    "a comma for a point": ({"label": "0,17"}, 0.9),
    "a sign": ({"label": "-0.17"}, 2),
    "a title": ({"title": "C = 1.0"}, 2),
    "a letter of the title": ({"title": "c = 10"}, 2),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_planted_lie_fails(honest, tmp_path, lie):
    told, least = LIES[lie]
    tampered = raster(draw(**told))
    assert share(honest, tampered) >= least > nbfigures.OF_CONTRAST
    said = nbfigures.figure_difference(encoded(honest), encoded(tampered), tmp_path / "d.png")
    assert said and "pixels differ" in said
    assert (tmp_path / "d.png").exists()


def test_one_wrong_pixel_on_plain_ground_fails(honest):
    tampered = honest.copy()
    tampered[0, 0, 0] -= nbfigures.SAME_SHADE + 1
    assert nbfigures.unexplained(honest, tampered).sum() == 1


@pytest.mark.skipif(machines.why_not() is not None, reason=str(machines.why_not()))
def test_the_same_figure_drawn_as_on_another_processor_passes(honest, tmp_path):
    code = "import sys, numpy; from tests.notebooks.test_nbfigures import draw, raster;"
    code += "numpy.save(sys.argv[1], raster(draw()))"
    environment = fixed_environment() | machines.oldest().environment | {"MPLBACKEND": "agg"}
    path = tmp_path / "there.npy"
    subprocess.run([sys.executable, "-c", code, path], cwd=ROOT, env=environment, check=True)
    assert not nbfigures.unexplained(honest, np.load(path)).any()
