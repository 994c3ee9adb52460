# SPDX-License-Identifier: MIT
"""Behaviours of the caller's own: Python functions, or compiled ones by their address."""
from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import unknown
from ._dunlin import ffi, lib

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._base import Array
    from .world import World


class Tile:
    """Some agents of a species, as they are at the beginning of a step, and what a function may change of them.

    position, velocity : (agents, dimensions) float32, copies
    id : (agents,) uint32, a copy
    force : (agents, dimensions) float32, at first 0: what is written here is added to the agents' forces
    dies : (agents,) bool, at first False: True lets an agent die at the end of the step
    step : the steps taken before this one

    tile["energy"] is a copy of an attribute, and tile["energy"] = values sets what it is after the step. How agents are divided
    into tiles depends on threads and kernel: for the same bits everywhere, what is written for an agent may depend on this agent
    and on the step only.
    """

    def __init__(self, c: Any, names: list[str]) -> None:
        self._c, self._names = c, names
        self._written: dict[str, Array] = {}
        self._dimensions = 2 if c.position[2] == ffi.NULL else 3
        self.step = int(c.step)

    def __len__(self) -> int:
        return int(self._c.count)

    def _column(self, pointer: Any, kind: type = np.float32) -> Array:
        return np.frombuffer(ffi.buffer(pointer, len(self) * np.dtype(kind).itemsize), kind)

    def _matrix(self, pointers: Any) -> Array:
        return np.stack([self._column(pointers[a]) for a in range(self._dimensions)], axis=-1)

    @property
    def position(self) -> Array:
        """World units: (agents, dimensions) float32, a copy."""
        return self._matrix(self._c.position)

    @property
    def velocity(self) -> Array:
        """World units per time unit: (agents, dimensions) float32, a copy."""
        return self._matrix(self._c.velocity)

    @property
    def id(self) -> Array:
        """The agents' ids: (agents,) uint32, a copy."""
        return self._column(self._c.id, np.uint32).copy()

    @property
    def force(self) -> Array:
        """What is added to the agents' forces, velocity per time unit: (agents, dimensions) float32."""
        return self._written.setdefault("force", np.zeros((len(self), self._dimensions), np.float32))

    @force.setter
    def force(self, rows: npt.ArrayLike) -> None:
        self.force[...] = rows

    @property
    def dies(self) -> Array:
        """Which agents die at the end of the step: (agents,) bool."""
        return self._written.setdefault("dies", np.zeros(len(self), bool))

    @dies.setter
    def dies(self, values: npt.ArrayLike) -> None:
        self.dies[...] = values

    def _number(self, attribute: str) -> int:
        if attribute not in self._names:
            raise KeyError(unknown("the attribute", attribute, self._names))
        return self._names.index(attribute)

    def __getitem__(self, attribute: str) -> Array:
        return self._column(self._c.attribute[self._number(attribute)]).copy()

    def __setitem__(self, attribute: str, values: npt.ArrayLike) -> None:
        self._column(self._c.next_attribute[self._number(attribute)])[...] = values

    def _finish(self) -> None:
        """Hands over what was written."""
        if (force := self._written.get("force")) is not None:
            for a in range(self._dimensions):
                self._column(self._c.force[a])[...] += force[:, a]
        if (dies := self._written.get("dies")) is not None:
            self._column(self._c.dies, np.uint8)[...] |= dies


class Callback:
    """A Python function of a world's behaviour, and what it has raised."""

    def __init__(self, world: World, function: Callable[[Tile], None]) -> None:
        self.world, self.function = weakref.ref(world), function
        self.handle = ffi.new_handle(self)

    def names(self, c: Any) -> list[str]:
        """The names of the attributes of a tile's species."""
        world = self.world()._c  # type: ignore[union-attr]
        return [ffi.string(lib.dunlin_world_get_attribute(world, c.species, i).name).decode()
                for i in range(lib.dunlin_world_attribute_count(world, c.species))]

    def call(self, c: Any) -> None:
        tile = Tile(c, self.names(c))
        try:
            self.function(tile)
            tile._finish()
        finally:
            tile._c = None  # the engine's memory, which is not the function's any more

    def fail(self, error: BaseException) -> None:
        if (world := self.world()) is not None:
            world._raised = world._raised or error
            lib.dunlin_world_fail(world._c, f"{type(error).__name__}: {error}".encode())


@ffi.def_extern()  # type: ignore[misc]
def dunlin_python_tile(user: Any, tile: Any) -> None:
    callback = ffi.from_handle(user)
    try:
        callback.call(tile)
    except BaseException as error:  # KeyboardInterrupt, too: it ends the step
        callback.fail(error)


def connect(definition: Any, field: str, function: Any) -> None:
    """Sets a callback of a definition to a compiled function: a C function pointer, or what has one as its `address`."""
    kind = ffi.typeof("dunlin_tile_fn *") if field == "custom" else ffi.typeof("dunlin_packet_fn *")
    target = definition if field == "custom" else definition.pairs
    pointer = function if isinstance(function, ffi.CData) else getattr(function, "address", function)
    if not isinstance(pointer, (int, ffi.CData)) or isinstance(pointer, bool) or not pointer:
        raise TypeError(f"a callback is a function, a C function pointer, or what has one as its address, not {function!r}")
    setattr(target, "custom" if field == "custom" else "callback", ffi.cast(kind, pointer))
