"""Draw the pictures of the README: ``python -m tools.readme_figure`` writes them to book/static."""

import io

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from lectures_lib import bounds, datasets, perceptron, plots, svm
from tools.environment import ROOT

PROOF = ROOT / "book" / "static" / "mistake_bound.png"
STREET = ROOT / "book" / "static" / "street.gif"
FRAMES = 24


def draw() -> Figure:
    """Return a run of the perceptron beside the proof of its mistake bound."""
    problem = datasets.separable(60, 2, gamma=0.2, rng=6)
    run = perceptron.perceptron(problem.X, problem.y)
    bound = bounds.mistake_bound(run, problem.X, problem.y)
    fig = plots.figure(1, 2, size=(4.6, 4.0))
    left, right = fig.axes
    plots.points(problem.X, problem.y, left, origin=True)
    plots.separator(problem.u, ax=left, gamma=problem.gamma, arrow=False, label="largest margin")
    plots.separator(
        run.w, ax=left, colour=plots.PURPLE, style="--", arrow=False, label="perceptron"
    )
    left.legend(loc="upper center", bbox_to_anchor=(0.5, 1.22), ncols=2, frameon=False)
    plots.proof(bound, right)
    right.set_title(f"{bound.mistakes} mistakes; proved: at most {float(bound.bound):.0f}")
    return fig


def street(k: int) -> Figure:
    """Return frame k of the street of notebook 00: one point goes round, the street follows."""
    X = np.array([[-2, 1], [-1.2, -0.6], [-2, -1.4], [-0.6, 1.4]])
    X = np.vstack([X, [[1, 0.2], [2, 1.2], [1.6, -1.2], [0.8, -1.6]]])
    y, angle = np.repeat([-1, 1], 4), 2 * np.pi * k / FRAMES
    X[4] += 0.75 * np.array([np.cos(angle) - 1, np.sin(angle)])
    machine = svm.hard_margin(X, y)
    w = np.asarray(machine.w)
    half = 1 / float(np.linalg.norm(w))
    fig = plots.figure(size=(3.7, 3.7))
    ax = plots.points(X, y, fig.axes[0], mark=machine.support)
    ax.set(xlim=(-2.4, 2.4), ylim=(-2.4, 2.4))
    plots.separator(w, machine.b, ax, gamma=half, arrow=False)
    verdict = "proved" if machine.certificate.within(1e-8) else "NOT proved"
    ax.set_title(f"widest street {2 * half:.2f}: {verdict}")
    return fig


def moving() -> bytes:
    """Return all frames of the street as one GIF."""
    frames = [Image.open(io.BytesIO(plots.png(street(k)))).convert("RGB") for k in range(FRAMES)]
    frames = [
        frame.resize((360, 360)).quantize(128, method=Image.Quantize.FASTOCTREE) for frame in frames
    ]
    file = io.BytesIO()
    frames[0].save(file, "gif", save_all=True, append_images=frames[1:], duration=110, loop=0)
    return file.getvalue()


if __name__ == "__main__":
    PROOF.write_bytes(plots.png(draw()))
    STREET.write_bytes(moving())
