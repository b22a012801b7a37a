"""Convex quadratic programs: arrays in, arrays out, with the multipliers that prove the answer.

    minimise  half x'Px + q'x   subject to  Gx <= h,  Ax = b,  lower <= x <= upper

cvxopt is the engine where it is installed; elsewhere (the browser) a primal-dual interior-point
method of our own with the same signature. Bounds are kept apart from G, and G may be sparse: no
engine ever sees a dense identity block. The certificate is computed from data and answer alone.
"""

from .program import ENGINE, Solution, solve

__all__ = ["ENGINE", "Solution", "solve"]
