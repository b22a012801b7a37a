"""Figures compared pixel by pixel, and whether that is fair with the versions installed.

On another processor a curve lies elsewhere by the last bit, and now and then that tips how a pixel
on its edge is shaded. So a pixel may differ as far as a shift of an eighth of a pixel in each
direction explains: by 3/8 of the contrast around it, in each channel, and by 8 of 255 for the
rounding. Not one pixel may differ by more. ``tests/notebooks/test_nbfigures.py`` measures what
passes so.
"""

import base64
import io
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from packaging.markers import Marker
from PIL import Image, UnidentifiedImageError
from scipy.ndimage import maximum_filter, minimum_filter

from tools.environment import ROOT

RASTER = ("image/png", "image/jpeg")
SAME_SHADE = 8  # of 255, in any channel
OF_CONTRAST = 3 / 8
DRAWING_PACKAGES = ("matplotlib", "numpy", "pillow", "contourpy", "kiwisolver")


def pinned_versions(constraints: Path = ROOT / "constraints.txt") -> dict[str, str]:
    """Return name -> version of the constraints file, as its markers choose here."""
    lines = constraints.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"([\w.-]+)==([\w.]+)(?:; *(.+))?$", line) for line in lines)
    pins = (pin for pin in found if pin and (not pin[3] or Marker(pin[3]).evaluate()))
    return {pin[1].lower().replace("_", "-"): pin[2] for pin in pins}


@cache
def version_differences() -> list[str]:
    """Return, in words, which installed packages may draw otherwise than the pinned ones."""
    pins = pinned_versions()
    found = [
        f"{name} is {installed(name)}, pinned is {pins.get(name)}"
        for name in DRAWING_PACKAGES
        if installed(name) != pins.get(name)
    ]
    return found or freetype_differences()


def installed(name: str) -> str | None:
    """Return the installed version of a package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def freetype_differences() -> list[str]:
    """Say whether matplotlib draws letters with another FreeType than its own."""
    from matplotlib import ft2font

    if ft2font.__freetype_build_type__ == "local":
        return []
    return [f"matplotlib uses the system's FreeType {ft2font.__freetype_version__}"]


def pixels(encoded: str) -> np.ndarray:
    """Decode a picture to an array of shape (height, width, 4)."""
    picture = Image.open(io.BytesIO(base64.b64decode(encoded)))
    return np.asarray(picture.convert("RGBA"), dtype=np.int16)


def figure_difference(stored: str, drawn: str, picture: Path) -> str | None:
    """Compare two encoded pictures; on a difference write a picture of it and say so in words."""
    try:
        expected = pixels(stored)
    except (UnidentifiedImageError, ValueError):
        return "the stored figure is not a picture"
    got = pixels(drawn)
    if expected.shape == got.shape:
        differing = int(unexplained(expected, got).sum())
        if not differing:
            return None
        said = f"{differing:,} of {got[..., 0].size:,} pixels differ"
    else:
        said = f"the stored figure is {size(expected)} pixels large, the drawn one {size(got)}"
    write_side_by_side(expected, got, picture)
    return said


def unexplained(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    """Say of each pixel whether it differs by more than a shift of an eighth of a pixel makes."""
    difference = np.abs(expected - got)
    if difference.max() <= SAME_SHADE:
        return np.zeros(difference.shape[:2], dtype=bool)
    edge = np.minimum(contrast(expected), contrast(got))  # an edge that only one of them has: none
    return (difference > SAME_SHADE + OF_CONTRAST * edge).any(axis=2)


def contrast(array: np.ndarray) -> np.ndarray:
    """Return how far the brightest and the darkest of the 3 x 3 around a pixel are apart."""
    around = (3, 3, 1)
    return maximum_filter(array, around) - minimum_filter(array, around)


def size(array: np.ndarray) -> str:
    """Return width x height in words."""
    return f"{array.shape[1]} x {array.shape[0]}"


def write_side_by_side(expected: np.ndarray, got: np.ndarray, picture: Path) -> None:
    """Write expected | got | difference (black where equal) as one picture."""
    height, width = np.maximum(expected.shape[:2], got.shape[:2])
    padded = [pad(array, height, width) for array in (expected, got)]
    difference = np.abs(padded[0] - padded[1])
    difference[..., 3] = 255
    row = np.concatenate([*padded, difference], axis=1).astype(np.uint8)
    picture.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(row).save(picture)


def pad(array: np.ndarray, height: int, width: int) -> np.ndarray:
    """Extend a picture with white to the given size."""
    rows, columns = height - array.shape[0], width - array.shape[1]
    return np.pad(array, ((0, rows), (0, columns), (0, 0)), constant_values=255)
