# SPDX-License-Identifier: MIT
"""Metrics of steps, as tables."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ._base import whole, within
from ._dunlin import ffi, lib

if TYPE_CHECKING:
    from ._base import Array
    from .world import World


def _columns() -> Iterator[tuple[str, type]]:
    """The metrics with their types, and of vectors each component."""
    for name, field in ffi.typeof("dunlin_metrics").fields:
        kind = field.type.item if field.type.kind == "array" else field.type
        for axis in ("_x", "_y", "_z") if field.type.kind == "array" else ("",):
            yield name + axis, {"uint64_t": np.uint64, "double": np.float64}[kind.cname]


_metrics = np.dtype(list(_columns()))
#: The columns of a table, but for those that say of what a row is.
metrics_names: tuple[str, ...] = _metrics.names or ()


class _Rows:
    """What is measured of a world, a row per measured step and species. A step measures the state that it begins with in passing."""

    def __init__(self, world: World, states: int) -> None:
        self.world, self.names, self.count = world, list(world.species), 0
        self.c = ffi.new("dunlin_metrics[]", max(1, states * len(self.names)))
        self.clock = np.empty(states, [("step", np.uint64), ("time", np.float64)])

    def ask(self) -> None:
        self.world._ask("measure_in_step")
        clock = lib.dunlin_world_get_clock(self.world._open())
        self.clock[self.count] = clock.step, clock.time

    def fetch(self) -> None:
        for s in range(len(self.names)):
            self.world._ask("measured", s, ffi.addressof(self.c, self.count * len(self.names) + s))
        self.count += 1

    def table(self) -> Array:
        rows, species = self.count * len(self.names), np.array(self.names, dtype=np.str_)
        measured = np.frombuffer(ffi.buffer(self.c), _metrics)[:rows]
        table = np.empty(rows, [("step", np.uint64), ("time", np.float64), ("species", species.dtype), *((name, _metrics[name]) for name in metrics_names)])
        for name in ("step", "time"):
            table[name] = np.repeat(self.clock[name][:self.count], len(self.names))
        table["species"] = np.tile(species, self.count)
        for name in metrics_names:
            table[name] = measured[name]
        return table


def record(world: World, steps: int, is_due: Callable[[int], bool]) -> Array:
    """Takes steps and measures the states for which is_due(steps taken by the world) is true, the first and last one included."""
    first = int(world.stats.step)
    whole("steps", steps)
    asked = False
    rows = _Rows(world, sum(map(is_due, range(first, first + steps + 1))))
    try:
        for step in range(first, first + steps + 1):
            asked = is_due(step)
            if asked:
                rows.ask()
            if step < first + steps:
                world.step()
            if asked:
                rows.fetch()
    except BaseException as error:
        if asked and rows.count < len(rows.clock) and int(world.stats.step) > step:  # Ctrl-C, after the step that measured
            rows.fetch()
        setattr(error, "partial", rows.table())
        raise
    return rows.table()


def multiples(count: int) -> Callable[[int], bool]:
    """The steps that are a multiple of a number."""
    within("every", count, 1)
    return lambda step: step % count == 0
