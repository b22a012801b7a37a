"""A library small enough to lie about: the notebooks of ``test_nbguard.py`` import it."""

import base64
import io

import numpy as np
from IPython.display import display
from PIL import Image

HEIGHT, BAR = 40, 20


def mean(values):
    """Return the mean."""
    return sum(values) / len(values)


def show(values):
    """Show the values as dark bars, described in words."""
    rows = np.arange(HEIGHT, 0, -1)[:, np.newaxis]
    heights = np.repeat(np.asarray(values) * HEIGHT / max(values), BAR)
    picture = Image.fromarray(np.where(rows <= heights, 60, 255).astype(np.uint8))
    file = io.BytesIO()
    picture.save(file, format="png")
    alt = f"A row of {len(values)} bars, the tallest of height {max(values)}."
    data = {"image/png": base64.b64encode(file.getvalue()).decode(), "text/plain": alt}
    display(data, metadata={"image/png": {"alt": alt}}, raw=True)
