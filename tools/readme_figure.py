"""Draw the figure of the README: ``python -m tools.readme_figure`` writes README.png."""

from matplotlib.figure import Figure

from lectures_lib import bounds, datasets, perceptron, plots
from tools.environment import ROOT


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


if __name__ == "__main__":
    (ROOT / "README.png").write_bytes(plots.png(draw()))
