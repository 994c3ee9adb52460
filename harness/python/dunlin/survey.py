# SPDX-License-Identifier: MIT
"""Measurements of flocks as a whole: components, density, correlations, displacements, sums over groups."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _generated as made
from . import _streams
from ._base import check
from ._dunlin import ffi, lib

if TYPE_CHECKING:
    from ._base import Array
    from .things import Species
    from .world import World


def _copy(pointer: Any, count: int, kind: str) -> Array:
    return np.frombuffer(ffi.buffer(pointer, count * np.dtype(kind).itemsize), kind).copy()


@dataclass(frozen=True)
class Components:
    """Connected components: agents within a radius of each other are in one.

    agents, count, largest : agents of all components, components, agents of the largest one
    mean_size : agents per component
    typical_size : the size of an agent's component, averaged over agents (Jarman 1974)
    sizes : (count,) agents of each component, the largest first
    labels : by the species' names: (agents,) by ascending ids, each agent's component, which is the least id in it
    """
    agents: int
    count: int
    largest: int
    mean_size: float
    typical_size: float
    sizes: Array
    labels: dict[str, Array]


@dataclass(frozen=True)
class Correlation:
    """How far velocities are correlated beyond their common motion.

    length : world units: where the correlation first falls to 0; NaN: it does not, or there are no fluctuations
    fluctuation : world units per time unit: the root of the mean squared fluctuation
    samples, pairs : agents that were drawn, and pairs of which at least one was
    bin_width : world units
    correlation : (bins,) for distances from k·bin_width on; NaN: no pairs
    bin_pairs : (bins,) pairs of agents
    """
    length: float
    fluctuation: float
    samples: int
    pairs: int
    bin_width: float
    correlation: Array
    bin_pairs: Array


@dataclass(frozen=True)
class GroupSums:
    """Sums over the groups of a species, each (groups,) or (groups, dimensions); NaN where a group has no agents.

    agents : agents of each group
    leader : the leader's id; the greatest uint32: there are no agents
    centre, velocity : world units, and world units per time unit: means
    spread : world units: the root of the mean squared distance from the centre
    polarization : 0 .. 1
    """
    agents: Array
    leader: Array
    centre: Array
    velocity: Array
    spread: Array
    polarization: Array


class Surveyor:
    """A survey of the library's, which keeps its memory."""

    def __init__(self, world: World) -> None:
        survey = ffi.new("dunlin_survey **")
        check(lib.dunlin_survey_create(survey, world._error), world._error)
        self._c = ffi.gc(survey[0], lib.dunlin_survey_destroy)

    def _ask(self, name: str, world: World, *arguments: Any) -> None:
        """Within the world's lock, in which the results are also copied."""
        check(getattr(lib, f"dunlin_survey_{name}")(self._c, world._open(), *arguments, world._error), world._error)

    def components(self, world: World, species: Species | str | None, radius: float) -> Components:
        c, labels = ffi.new("dunlin_components *"), {}
        with world._alone():
            self._ask("components", world, _number(world, species), radius, c)
            for one in world.species.values():
                if c.labels[one.number] != ffi.NULL:
                    view = one._now()
                    labels[one.name] = _copy(c.labels[one.number], view.count, "u4")[one._order(view)]
            return Components(c.agents, c.count, c.largest, c.mean_size, c.typical_size, _copy(c.sizes, c.count, "u4"), labels)

    def density(self, world: World, species: Species | str | None, box_size: float) -> made.Density:
        c = ffi.new("dunlin_density *")
        with world._alone():
            self._ask("density", world, _number(world, species), box_size, c)
        return made.Density(c)

    def correlation(self, world: World, species: Species | str | None, given: dict[str, Any]) -> Correlation:
        definition, c = ffi.new("dunlin_correlation_def *", lib.dunlin_correlation_def_default(world._open())), ffi.new("dunlin_correlation *")
        definition.species = _number(world, species)
        for name, value in given.items():
            if value is not None:
                setattr(definition, name, value)
        with world._alone():
            self._ask("correlation", world, definition, c)
            return Correlation(c.length, c.fluctuation, c.samples, c.pairs, c.bin_width,
                               _copy(c.correlation, c.bins, "f8"), _copy(c.bin_pairs, c.bins, "u8"))


def _number(world: World, species: Species | str | None) -> int:
    return world._number("species", species)


def sum_groups(species: Species) -> GroupSums:
    world, sums = species.world, ffi.new("dunlin_group_sums *")
    with world._alone():
        check(lib.dunlin_world_sum_groups(world._open(), species.number, sums, world._error), world._error)
        count, axes = sums.count, range(world._dimensions)
        return GroupSums(_copy(sums.agents, count, "u4"), _copy(sums.leader, count, "u4"),
                         np.stack([_copy(sums.centre[a], count, "f4") for a in axes], axis=-1),
                         np.stack([_copy(sums.velocity[a], count, "f4") for a in axes], axis=-1),
                         _copy(sums.spread, count, "f4"), _copy(sums.polarization, count, "f4"))


class Displacement:
    """How far agents have moved since it was made. Call follow() before an agent can have moved by half the world's size."""

    def __init__(self, world: World) -> None:
        c = ffi.new("dunlin_displacement **")
        with world._alone():
            check(lib.dunlin_displacement_create(world._open(), c, world._error), world._error)
        self._own(world, c[0])

    def _own(self, world: World, c: Any) -> None:
        self._world, self._c = world, ffi.gc(c, lib.dunlin_displacement_destroy)

    def save(self) -> bytes:
        """What restore() takes, beside a checkpoint of the world. Pickling does so, too, with the world."""
        stream = _streams.Stream()
        with self._world._alone():
            check(lib.dunlin_displacement_save_to(self._c, _streams.write, stream.handle, self._world._error), self._world._error)
        return bytes(stream.written)

    @classmethod
    def restore(cls, world: World, saved: bytes) -> Displacement:
        """Continues to follow the agents of a world that continues its run."""
        stream, c, displacement = _streams.Stream(saved), ffi.new("dunlin_displacement **"), cls.__new__(cls)
        with world._alone():
            check(lib.dunlin_displacement_restore_from(world._open(), c, _streams.read, stream.handle, world._error), world._error)
        displacement._own(world, c[0])
        return displacement

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).restore, (self._world, self.save())

    def follow(self) -> None:
        """Follows all agents to their present places."""
        with self._world._alone():
            check(lib.dunlin_displacement_follow(self._c, self._world._open(), self._world._error), self._world._error)

    def measure(self, species: Species | str | None = None) -> made.Displacements:
        """Displacements up to the places of the last follow(); None: of all species together."""
        measured = ffi.new("dunlin_displacements *")
        with self._world._alone():
            check(lib.dunlin_displacement_measure(self._c, self._world._open(), _number(self._world, species), measured, self._world._error), self._world._error)
        return made.Displacements(measured)
