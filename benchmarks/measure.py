"""Timing without fuss: the compiled loop of a run alone, interleaved with its peer, medians."""

import statistics
import time

import numpy as np

import bielle as bl
from bielle.analysis.assembly import assemble
from bielle.model import compile_mechanism

__all__ = ["interleave", "loop_seconds", "prepared", "show"]


def prepared(mechanism, solver, duration):
    """A run ready to be advanced, with two samples only: what is timed is stepping."""
    model, state = compile_mechanism(mechanism)
    state = assemble(mechanism, model, state).state
    run = solver.start(model, state)
    run.sample_at(np.array([0.0, duration]))
    return run


def loop_seconds(mechanism, solver, duration):
    """Seconds in the compiled loop for ``duration``, the run, and its number of steps."""
    run = prepared(mechanism, solver, duration)
    started = time.perf_counter()
    while not run.done and run.code == 0:
        run.advance(10**9)
    return time.perf_counter() - started, run


def interleave(*functions, repeats=5, typical=statistics.median):
    """Typical seconds of each function, called in turn so that a slow moment of the machine hits all."""
    seconds = [[] for _ in functions]
    for function in functions:  # caches, compilation
        function()
    for _ in range(repeats):
        for times, function in zip(seconds, functions):
            times.append(function())
    return [typical(s) for s in seconds]


def show(title, header, rows):
    """A table on the terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for name in header:
        table.add_column(name, justify="right" if name != header[0] else "left")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    Console(width=150).print(table)


DEFAULT = bl.Central()
