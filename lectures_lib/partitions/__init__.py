"""Learning from examples that lie in parts: on disk, or on the workers of a Dask cluster.

The perceptron by iterative parameter mixing, with its own mistake bound; the linear support vector
machine by dual ascent in blocks, with its duality gap over all parts. A `client` changes who does
the work, and not a bit of the answer.
"""

from .blocks import BlockMachine, block_ascent, block_certificate, block_pass
from .mixing import MixingRun, mixing_bound, parameter_mixing, parameter_mixing_by_hand
from .parts import FilePart, Part, save, split
from .workers import Scales

__all__ = [
    "BlockMachine",
    "FilePart",
    "MixingRun",
    "Part",
    "Scales",
    "block_ascent",
    "block_certificate",
    "block_pass",
    "mixing_bound",
    "parameter_mixing",
    "parameter_mixing_by_hand",
    "save",
    "split",
]
