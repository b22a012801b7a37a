"""How a student is shown a value: as text of bounded length."""

from typing import Any

import numpy as np

#: Arrays with more axes are not written out: shortened, they would still be long.
MOST_AXES = 4


def brief(value: Any, most: int = 400) -> str:
    """Return a value as text of bounded length, arrays with four digits."""
    if isinstance(value, np.ndarray) and value.ndim > MOST_AXES:
        text = f"an array of shape {value.shape}"
    elif isinstance(value, np.ndarray):
        text = np.array2string(value, precision=4, separator=", ", threshold=60)
        text = " ".join(text.split())
    elif isinstance(value, float):
        text = f"{value:.6g}"
    elif isinstance(value, np.generic):
        text = repr(value.item())
    elif isinstance(value, list | tuple):
        inner = ", ".join(brief(v, most) for v in value[:most])
        text = f"[{inner}]" if isinstance(value, list) else f"({inner})"
    else:
        text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."
