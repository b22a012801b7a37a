"""Margins: of an example, of a set for a given w, of a set (L1's three definitions).

The third, the largest margin any separator has, is the distance from the origin to the convex
hull of the points y x; with an offset, half the distance between the hulls of the two classes.
So one algorithm (Wolfe 1976: the point of least norm in a polytope) gives both answers: where
the distance is positive, the separator; where it is 0, the weights that prove there is none.
"""

from .largest import MaxMargin, least_norm_point, margin, max_margin, set_margin

__all__ = ["MaxMargin", "least_norm_point", "margin", "max_margin", "set_margin"]
