# SPDX-License-Identifier: MIT
"""Agents by where they are: in balls, boxes and cones, the nearest of points, the first on rays."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import check
from ._dunlin import ffi, lib
from .survey import _number

if TYPE_CHECKING:
    from ._base import Array
    from .things import Species
    from .world import World


@dataclass(frozen=True)
class Found:
    """What questions have found. The hits of question q are elements begins[q] to begins[q + 1] of the other arrays.

    ids : the agents' ids
    species : the numbers of their species
    rows : where they are in the arrays of their species' views, which are in the order of storage
    distances : world units
    begins : (questions + 1,)
    """
    ids: Array
    species: Array
    rows: Array
    distances: Array
    begins: Array

    @property
    def counts(self) -> Array:
        """(questions,) hits of each question."""
        return np.diff(self.begins)

    def of(self, question: int) -> Array:
        """The ids that one question has found."""
        return self.ids[self.begins[question]:self.begins[question + 1]]


def _columns(dimensions: int, fields: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Each field as (questions, 3) or (questions,), and how many questions there are."""
    vectors = ("centre", "min", "max", "tip", "direction", "start")
    columns = {}
    for name, value in fields.items():
        array = np.asarray(value, None if name == "count" else "f8")
        if name == "count" and (array.dtype.kind not in "iu" or (array < 0).any() or (array >= 2**32).any()):
            raise ValueError(f"count is {value}: it must be of whole numbers from 0 to 4294967295")
        if name in vectors and (array.ndim == 0 or array.shape[-1] != dimensions):
            raise ValueError(f"{name} has the shape {array.shape}: it must be ({dimensions},) or (questions, {dimensions})")
        columns[name] = np.atleast_2d(array) if name in vectors else np.atleast_1d(array)
    count = max({len(column) for column in columns.values()} - {1}, default=1)
    for name, column in columns.items():
        if len(column) not in (1, count):
            raise ValueError(f"{name} has {len(column)} elements: it must have {count}, or one for all")
    return count, columns


def find(world: World, species: Species | str | None, function: str, kind: str, fields: dict[str, Any]) -> Found:
    """Asks twice if the first answer does not fit. A field of one element counts for all questions."""
    count, columns = _columns(world._dimensions, fields)
    questions = ffi.new(f"dunlin_{kind}[]", max(count, 1))
    struct = np.frombuffer(ffi.buffer(questions), [(name, "f4", 3) if one.type.kind == "array" else (name, "u4" if name == "count" else "f4")
                                                   for name, one in ffi.typeof(f"dunlin_{kind}").fields])[:count]
    for name, column in columns.items():
        field = struct["from" if name == "start" else name]
        if column.ndim == 2:
            field[:, :column.shape[1]] = column
        else:
            field[:] = column
    room = 32 * count
    begins = np.zeros(count + 1, "u8")
    while True:
        ids, slots, distances = np.empty(room, "u4"), np.empty((room, 2), "i4"), np.empty(room, "f4")
        found = ffi.new("dunlin_found *", lib.dunlin_found_default())
        found.room, found.ids, found.begins = room, ffi.from_buffer("uint32_t[]", ids), ffi.from_buffer("uint64_t[]", begins)
        found.slots, found.distances = ffi.from_buffer("dunlin_slot[]", slots), ffi.from_buffer("float[]", distances)
        with world._alone():
            check(getattr(lib, f"dunlin_world_{function}")(world._open(), _number(world, species), questions, count, found, world._error),
                  world._error)
        if found.count <= room:
            break
        room = found.count
    n = found.count
    return Found(ids[:n], slots[:n, 0], slots[:n, 1].view("u4"), distances[:n], begins.astype("i8"))
