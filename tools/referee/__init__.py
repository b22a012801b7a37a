"""The referee: hostile data, exact arithmetic, and a count of every lie.

`python -m tools.referee --cases N --seed S [--only name] [--case K]` draws data sets of every bad
kind, runs the library's solvers and certificates on them, hands the certificates corrupted
answers, and decides in fractions who was right. Nothing here uses the library's mathematics.

    rational    linear systems and convex quadratic programs, solved exactly
    truth       the exact objectives and the best values of every problem of the library
    draw        the data of a case, from (seed, subject, number) alone
    api         how the library is asked: the names of its fields
    ledger      what is counted
    subjects    one function per family: draw, run, judge
"""
