"""Exhibits on losses, margins, votes and kernels; `exhibits` says how they are stored and shown."""

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels, losses, margins, perceptron, svm
from .._arguments import BadArgument, explained
from ..conventions import add_constant, check_choice, check_count, check_number, check_points
from . import exhibits


@explained
def hulls(X: ArrayLike, y: ArrayLike) -> None:
    """Show two hulls with their nearest points, and both sides of the proof of the margin.

    Drag a point, and the nearest points and the street follow. Drag a diamond, an average of its
    class, or turn the arrow: then a gap opens between what a line has and what no line can pass.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels, both present, at most 30 of them

    Examples
    --------
    >>> widgets.hulls([[0.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [-1, 1, 1])
    Two hulls of 3 points to drag: the largest margin is 1.000. Run this cell in Jupyter to ...
    """
    X, y = exhibits.in_the_plane(X, y, both=True)
    if len(X) > 30:
        raise BadArgument(f"X has {len(X)} points; to drag them by hand give at most 30.")
    found = margins.max_margin(X, y, offset=True)
    words = f"the largest margin is {found.gamma:.3f}" if found.separable else "no line separates"
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "view": exhibits.view(X)}
    exhibits.show("hulls", start, f"Two hulls of {len(y)} points to drag: {words}.")


@explained
def voting(X: ArrayLike, y: ArrayLike, *, epochs: int = 1) -> None:
    """Show points whose labels one flips, and how far last, voted and averaged give way.

    The perceptron runs with an offset, a feature that is always 1. A tap or Enter flips the label
    of a point, a drag or the arrow keys move it; bars tell how much of the picture changed.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels, at most 60 of them, in the order of the run
    epochs : passes at first, from 1 to 10

    Examples
    --------
    >>> widgets.voting(*datasets.lecture_example())
    6 labels to flip; the last of 4 hypotheses, their vote and their average follow. Run this ...
    """
    X, y = exhibits.in_the_plane(X, y)
    if len(X) > 60 or not 1 <= check_count(epochs, "epochs") <= 10:
        raise BadArgument("Labels to flip need at most 60 points and from 1 to 10 epochs.")
    run = perceptron.voted_perceptron(add_constant(X), y, epochs=epochs)
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "passes": int(epochs)}
    words = f"the last of {len(run.mistakes)} hypotheses, their vote and their average follow."
    start |= {"view": exhibits.view(X)}
    exhibits.show("voting", start, f"{len(y)} labels to flip; {words}")


@explained
def descent(X: ArrayLike, y: ArrayLike, loss: str = "hinge", *, step_size: float = 0.25) -> None:
    """Show a ball on the loss surface J(w), with the step size under the hand.

    Drag the ball, drag the tip of its arrow, or use the slider; then step, or let it roll. Beside
    the map stand J along the arrow and J after each step.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels
    loss : "perceptron", "hinge" or "logistic", at first
    step_size : the length of a step, in slopes, from 0.01 to 10

    Examples
    --------
    >>> widgets.descent(*datasets.lecture_example())
    A ball on the mean hinge loss of 6 examples; J = 1.000 at w = 0. Run this cell in Jupyter ...
    """
    X, y = exhibits.in_the_plane(X, y)
    known = {"perceptron": losses.perceptron_loss(), "hinge": losses.hinge(1.0)}
    known["logistic"] = losses.logistic()
    check_choice(loss, known, "loss")
    if not 0.01 <= check_number(step_size, "step_size") <= 10:
        raise BadArgument(f"step_size is {step_size}; give one from 0.01 to 10.")
    low = losses.batch_descent(X, y, known["hinge"], steps=200, step_size=0.1).w  # to be seen
    view = exhibits.view(np.stack([low, 0 * low]), 1.2)
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "loss": loss}
    start |= {"size": float(step_size), "view": view}
    J = losses.mean_loss(np.zeros(2), X, y, known[loss])
    words = f"A ball on the mean {loss} loss of {len(y)} examples; J = {J:.3f} at w = 0."
    exhibits.show("descent", start, words)


@explained
def gaussian(X: ArrayLike, y: ArrayLike, C: float = 1.0, sigma: float = 1.0) -> None:
    """Show the Gaussian machine on points of one's own: C and sigma are one dot to drag.

    Tap a point to change its class, or the plane to add one; Delete takes a point away. Below the
    street and the support vectors stands how many are wrong when each is left out in turn.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels, both present, at most 40 of them
    C : the price of slack, from 0.1 to 1000
    sigma : the width of the kernel, from 0.05 to 10

    Examples
    --------
    >>> widgets.gaussian(*datasets.xor(), C=10.0, sigma=0.5)
    4 points of your own and a dot for C and sigma: 4 support vectors. Run this cell in Jupyter ...
    """
    X, y = exhibits.in_the_plane(X, y, both=True)
    if len(X) > 40:
        raise BadArgument(f"X has {len(X)} points; to drag them by hand give at most 40.")
    if not (0.1 <= C <= 1000 and 0.0501 <= sigma <= 10):
        raise BadArgument("The dot needs a C from 0.1 to 1000 and a sigma above 0.05, up to 10.")
    held = len(svm.train(X, y, C, kernels.Gaussian(sigma)).support)
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "view": exhibits.view(X, 0.6)}
    words = f"{len(y)} points of your own and a dot for C and sigma: {held} support vectors."
    exhibits.show("gaussian", start | {"C": float(C), "sigma": float(sigma)}, words)


@explained
def gram(X: ArrayLike, function: int = 3) -> None:
    """Show points and a function of two points: eigenvalues as bars, and the vector that refutes.

    Eight functions are to be chosen from, three kernels and five that are none. Drag the points
    until an eigenvalue of the Gram matrix falls below 0: its vector stands at the points.

    Parameters
    ----------
    X : (n, 2) points, from 2 to 8 of them
    function : which one at first: 0 Gaussian, 1 linear, 2 polynomial, 3 exp(-d^4), 4 "closer than
        1", 5 tanh, 6 minus the squared distance, 7 the longer norm

    Examples
    --------
    >>> widgets.gram([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    3 points and a function of two points: eigenvalues and the vector that refutes. Run this ...
    """
    X = check_points(X)
    if X.shape[1] != 2 or not 2 <= len(X) <= 8:
        raise BadArgument(f"X has the shape {X.shape}; give 2 to 8 points of the plane.")
    if check_count(function, "function", least=0) > 7:
        raise BadArgument(f"function is {function}; there are eight, numbered from 0 to 7.")
    start = {"points": X.tolist(), "function": int(function), "view": exhibits.view(X, 1.0)}
    words = "eigenvalues and the vector that refutes."
    exhibits.show("gram", start, f"{len(X)} points and a function of two points: {words}")
