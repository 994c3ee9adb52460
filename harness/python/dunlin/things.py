# SPDX-License-Identifier: MIT
"""What a world holds: handles of species, with their arrays, and of all else."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _generated as made
from . import convert
from ._base import InvalidValue, Stale, Thing, address, check, not_none, numbers, read_only, unknown, vectors
from ._dunlin import ffi, lib
from .callbacks import Forces
from .survey import GroupSums, sum_groups

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._base import Array
    from .world import World

_axes = "xyz"

#: Weak references to the handles of a kind, by their numbers, so that a world goes as soon as its last user does.
Handles = list[Callable[[], Any]]


# ---- arrays of the engine --------------------------------------------------------------------------------------------------

_uintptr = ffi.typeof("uintptr_t")


class _Memory:
    """Memory of the engine's as NumPy takes it, which lasts as long as `keep` does."""
    __slots__ = ("__array_interface__", "keep")
    __array_interface__: dict[str, Any]
    keep: Any


def _shown(pointer: Any, shape: tuple[int, ...], kind: str = "<f4", keep: Any = None, writes: bool = False) -> Array:
    """An array over memory of the engine's: no copy. Without `writes` nobody can make it writable."""
    memory = _Memory()
    memory.keep = keep
    memory.__array_interface__ = {"shape": shape, "typestr": kind, "data": (int(ffi.cast(_uintptr, pointer)), not writes), "version": 3}
    return np.asarray(memory)


class Hold:
    """Keeps the arrays that a world has now. It lasts as long as an array of a view does, so its world knows whether there is one."""
    __slots__ = ("_c", "__weakref__")

    def __init__(self, world: World) -> None:
        check(lib.dunlin_world_hold(world._c, world._held, world._error), world._error)
        self._c = ffi.gc(world._held[0], lib.dunlin_hold_release)


class View:
    """The engine's own arrays of a species, read-only, in storage order; nothing is copied.

    x, y, z and vx, vy, vz are positions and velocities in world units, id holds each agent's id, and every attribute has its name;
    each has the shape (agents,). Use it in a `with` block, in which the world stays as it is. The view is of one moment: once the
    world has stepped, or agents have come or gone, using it raises Stale. An array that was taken from it and is still kept then shows
    the old numbers: the world has made copies of all its arrays, which takes time.
    """
    __slots__ = ("_species", "_world", "_view", "_generation", "_kept")

    def __init__(self, species: Species) -> None:
        self._species, self._world = species, world = species, species.world
        with world._alone():
            self._view = lib.dunlin_world_view(world._open(), species.number)
            self._generation = self._view.generation

    def __enter__(self) -> View:
        self._kept: Hold | None = self._world._alone.shown() or self._world._hold()
        self._world._alone.views += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._world._alone.views -= 1
        self._kept = None

    def __len__(self) -> int:
        return int(self._view.count)

    x, y, vx, vy, id = (property(itemgetter(name)) for name in ("x", "y", "vx", "vy", "id"))  # faster than __getattr__()

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, name: str) -> Array:
        view, world = self._view, self._world
        hold = world._alone.shown() or world._hold()
        if self._generation != lib.dunlin_world_generation(world._open()):  # after that: another thread may have come before
            raise Stale("the view is of an earlier state of its world: make another one")
        if name == "id":
            return _shown(view.id, (view.count,), "<u4", hold)
        if name in world._columns:
            what, axis = world._columns[name]
            pointer = getattr(view, what)[axis]
        else:
            pointer = view.attribute[self._species._attribute_number(name, ["id", *world._columns])]
            if pointer == ffi.NULL:
                raise Stale("the attribute came after the view: make another one")
        return _shown(pointer, (view.count,), "<f4", hold)


# ---- what a world holds ----------------------------------------------------------------------------------------------------

class Species(made.SpeciesFields, made.SpeciesAdders):
    """Agents of one kind. Arrays have a row per agent, by ascending ids, and are copies."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._handles: Handles = []  # of its attributes
        self._ordered: tuple[int, Any] = (-1, None)

    def __len__(self) -> int:
        with self.world._alone():
            return int(self._now().count)

    def __repr__(self) -> str:
        try:
            return f"<Species {self.name!r}: {len(self)} agents>"
        except (Stale, RuntimeError) as error:
            return f"<Species: {error}>"

    def view(self) -> View:
        """The engine's own arrays, for a `with` block in which the world stays as it is."""
        return View(self)

    def _now(self) -> Any:
        return lib.dunlin_world_view(self.world._open(), self.number)

    def _attribute_names(self) -> list[str]:
        world, number = self.world._open(), self.number
        return [ffi.string(lib.dunlin_world_get_attribute(world, number, i).name).decode()
                for i in range(lib.dunlin_world_attribute_count(world, number))]

    def _attribute_number(self, name: str, others: Sequence[str] = ()) -> int:
        if not isinstance(name, str):  # NumPy, too, takes what has a length and items for a sequence
            raise TypeError(f"{self!r} has arrays by their names, such as 'energy', not by {name!r}")
        number = lib.dunlin_world_find_attribute(self.world._open(), self.number, name.encode())
        if number < 0:
            raise KeyError(unknown("array", name, [*others, *self._attribute_names()], repr(self.name)) + "; add_attribute() adds one")
        return int(number)

    def _order(self, view: Any) -> npt.NDArray[np.intp]:
        """The agents' slots by ascending ids."""
        if self._ordered[0] != view.generation:
            self._ordered = int(view.generation), _order_of(np.frombuffer(ffi.buffer(view.id, 4 * view.count), np.uint32))
        return self._ordered[1]  # type: ignore[no-any-return]

    def _rows(self, pointers: Sequence[Any]) -> Array:
        view = self._now()
        order = self._order(view)
        columns = np.empty((len(pointers), view.count), np.float32)
        for column, pointer in zip(columns, pointers):
            np.take(np.frombuffer(ffi.buffer(pointer, 4 * view.count), np.float32), order, out=column, mode="clip")
        return read_only(columns.T)

    @property
    def id(self) -> Array:
        """The agents' ids, ascending: (agents,) uint32."""
        with self.world._alone():
            view = self._now()
            return read_only(np.frombuffer(ffi.buffer(view.id, 4 * view.count), np.uint32)[self._order(view)])

    @property
    def position(self) -> Array:
        """World units: (agents, dimensions) float32. Assign an array of that shape to move all agents."""
        with self.world._alone():
            return self._rows(self._now().position[0:self.world._dimensions])

    @position.setter
    def position(self, rows: npt.ArrayLike) -> None:
        self._write("position", rows)

    @property
    def velocity(self) -> Array:
        """World units per time unit: (agents, dimensions) float32. Assign an array of that shape to set it."""
        with self.world._alone():
            return self._rows(self._now().velocity[0:self.world._dimensions])

    @velocity.setter
    def velocity(self, rows: npt.ArrayLike) -> None:
        self._write("velocity", rows)

    def _write(self, what: str, rows: npt.ArrayLike) -> None:
        keep = list[Any]()
        with self.world._alone():
            order = self._order(self._now())
            stored = np.empty((len(order), self.world._dimensions), np.float32)
            stored[order] = vectors(what, rows, len(order), self.world._dimensions)
            write = ffi.new("dunlin_write *", lib.dunlin_write_default())
            write.count, write.species = len(stored), self.number
            for i, row in enumerate(stored.T):
                getattr(write, what)[i] = address(row, ffi.typeof("float *"), keep)
            self.world._change_now(lib.dunlin_world_write, self.world._c, write)

    def __getitem__(self, attribute: str) -> Array:
        """An attribute of all agents: (agents,) float32."""
        number = self._attribute_number(attribute)
        with self.world._alone():
            return self._rows([self._now().attribute[number]])[:, 0]

    def __setitem__(self, attribute: str, values: npt.ArrayLike) -> None:
        wanted, keep = numbers(values), list[Any]()
        with self.world._alone():
            order = self._order(self._now())
            stored = np.empty(len(order), np.float32)
            stored[order] = wanted
            self.world._change_now(lib.dunlin_world_set_attribute_values, self.world._c, self.number, self._attribute_number(attribute),
                                   address(stored, ffi.typeof("float *"), keep))

    @property
    def behaviours(self) -> list[Behaviour]:
        """The behaviours of its agents, by their numbers."""
        return [one for one in self.world.behaviours if one._read().species == self.number]

    @property
    def attributes(self) -> list[Attribute]:
        """The attributes, by their numbers."""
        return self.world._attributes(self)

    def _add(self, kind: str, given: dict[str, Any]) -> Any:
        return self.world._add(kind, {**given, "species": self})

    def steer(self, function: Callable[[Species], npt.ArrayLike | None]) -> Behaviour:
        """Calls function(species) before each step for forces of all agents, which count in that same step.

        The function finds the world as the step will, reads this species' arrays, and others', and returns the forces, velocity per
        time unit: (agents, dimensions), a row per agent, by ascending ids, or one vector for all, or None. It cannot change the world.
        Agents that are born within the step get no force in it. What the function raises comes out of step(), and the step is not
        taken. The behaviour that is returned ends this by its remove().

        World.add_behaviour() with a callback calls a function for a part of the agents at a time, in which agents can also die,
        be born and change their attributes; functions of dunlin.numba are as fast as the engine's own.
        """
        return self.world.add_behaviour(self, "custom", callback=Forces(function))

    def scatter(self, agents: int, **fields: Any) -> None:
        """Adds agents at random places; the fields are those of dunlin_scatter_def: region, centre, extent, min_speed, max_speed, velocity.

        Without speeds or velocity they move in random directions at speeds from the species' min_speed to its max_speed, as in scenarios.
        """
        if not fields.keys() & {"min_speed", "max_speed", "velocity"}:
            fields.update(min_speed=self.min_speed, max_speed=self.max_speed)
        scatter = ffi.new("dunlin_scatter_def *", lib.dunlin_scatter_def_default(self.world._open()))
        made.Scatter._put(scatter, {"count": agents, **fields}, self.world, [])
        self.world._call("scatter", self.number, scatter)

    def spawn(self, position: npt.ArrayLike, velocity: npt.ArrayLike = 0, *, ids: npt.ArrayLike | None = None, **attributes: npt.ArrayLike) -> int:
        """Adds agents at positions (agents, dimensions), with attributes by their names; returns the first one's id."""
        rows = matrix("position", position, self.world._dimensions)
        moves = vectors("velocity", velocity, *rows.shape)
        batch, keep, first = ffi.new("dunlin_batch *", lib.dunlin_batch_default()), list[Any](), ffi.new("uint32_t *")
        batch.count = len(rows)
        for what, values in (("position", rows), ("velocity", moves)):
            for i, row in enumerate(values.T):
                getattr(batch, what)[i] = address(row, ffi.typeof("float *"), keep)
        for name, own in attributes.items():
            row = np.broadcast_to(numbers(own), len(rows))
            batch.attribute[self._attribute_number(name)] = address(row, ffi.typeof("float *"), keep)
        if ids is not None:
            batch.ids = address(np.broadcast_to(np.asarray(ids), len(rows)), ffi.typeof("uint32_t *"), keep)
        self.world._call("spawn", self.number, batch, first)
        return int(first[0])

    def reserve(self, agents: int) -> None:
        """Makes room for so many agents in total, so that spawning up to this number allocates nothing."""
        self.world._call("reserve", self.number, agents)

    def sum_groups(self) -> GroupSums:
        """Centres, velocities and more of the species' groups."""
        return sum_groups(self)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the columns x, y, z, vx, vy, vz and each attribute, by ids."""
        return convert.to_pandas(self)

    def to_xarray(self) -> Any:
        """An xarray.Dataset with position and velocity (id, axis) and each attribute (id); attrs say of which world and moment."""
        return convert.to_xarray(self)

    def to_awkward(self) -> Any:
        """An awkward.Array of records with id, x, y, z, vx, vy, vz and each attribute, by ids."""
        return convert.to_awkward(self)

    def measure(self) -> made.Metrics:
        """Polarization, speed and more of the present state."""
        metrics = ffi.new("dunlin_metrics *")
        self.world._ask("measure", self.number, metrics)
        return made.Metrics(metrics)


def _order_of(ids: npt.NDArray[np.uint32]) -> npt.NDArray[np.intp]:
    """Slots by ascending ids. Where no id is missing, by one pass; else by a sort."""
    if len(ids) == 0:
        return np.empty(0, np.intp)
    least = ids.min()
    if int(ids.max()) - int(least) + 1 != len(ids):
        return np.argsort(ids)
    order = np.empty(len(ids), np.intp)
    order[ids - least] = np.arange(len(ids))
    return order


def matrix(what: str, rows: npt.ArrayLike, dimensions: int) -> npt.NDArray[np.float32]:
    """The rows as an array of vectors."""
    values = numbers(rows)
    if values.ndim != 2 or values.shape[1] != dimensions:
        raise InvalidValue(f"{what} has the shape (agents, {dimensions}), not {values.shape}")
    return values


def row(what: str, values: npt.ArrayLike) -> npt.NDArray[np.uint32]:
    """The ids as an array; one may stand alone."""
    ids = np.atleast_1d(numbers(values, np.uint32))
    if ids.ndim != 1:
        raise InvalidValue(f"{what} has the shape (agents,), not {ids.shape}")
    return ids


class _RuleOf:
    """One of an interaction's three rules."""

    def __init__(self, at: int, words: str) -> None:
        self.at, self.__doc__ = at, words

    def __get__(self, interaction: Interaction | None, owner: type) -> Any:
        return self if interaction is None else interaction._rule(self.at)

    def __set__(self, interaction: Interaction, rule: made.Rule | float) -> None:
        interaction._set_rule(self.at, rule)


class Interaction(made.InteractionFields):
    """One species observes another, or itself."""

    def _rule(self, at: int) -> made.Rule:
        return self._get(self._read(), "rules")[at]  # type: ignore[no-any-return]

    def _set_rule(self, at: int, rule: made.Rule | float) -> None:
        rules: list[Any] = [None] * 3
        rules[at] = as_rule(rule)
        self.change(rules=rules)

    separation = _RuleOf(0, "The rule away from neighbours: a dunlin.Rule, or its radius.")
    alignment = _RuleOf(1, "The rule with the neighbours' velocities: a dunlin.Rule, or its radius.")
    cohesion = _RuleOf(2, "The rule towards the neighbours: a dunlin.Rule, or its radius.")


def as_rule(rule: Any) -> Any:
    return made.Rule(radius=rule) if isinstance(rule, (int, float)) else rule


class Behaviour(made.BehaviourFields):
    """What agents of a species do besides interactions."""


class Attribute(made.AttributeFields):
    """A number that each agent of a species has."""

    def __init__(self, world: World, owner: Species) -> None:
        super().__init__(world)
        self._owner = owner

    def _place(self) -> tuple[int, ...]:
        return (self._owner.number, self.number)


class Meal(made.MealFields):
    """One species eats another."""


def path_fields(given: Mapping[str, Any], dimensions: int) -> dict[str, Any]:
    """The fields with as many points, or agents, as there are."""
    if "count" in given:
        raise TypeError("count is the number of points or agents, which are given instead")
    if "points" in given and "agents" in given:
        raise TypeError("a path has points or agents, not both")
    if "points" in given:
        rows = matrix("points", given["points"], dimensions)
        return {**given, "points": rows.T, "agents": ffi.NULL, "count": len(rows)}
    if "agents" in given:
        ids = row("agents", given["agents"])
        return {**given, "agents": ids, "count": len(ids)}
    return dict(given)


class Path(made.PathFields):
    """A polyline that agents follow."""

    def change(self, **fields: Any) -> None:
        super().change(**path_fields(fields, self.world._dimensions))

    @property  # type: ignore[override]
    def points(self) -> Array:
        """World units: (points, dimensions) float32, a copy. Assign an array of as many to move the points, or of another number of them."""
        with self.world._alone():
            path = self._read()
            return np.stack([np.frombuffer(ffi.buffer(path.points[a], 4 * path.count), np.float32) for a in range(self.world._dimensions)], axis=-1)

    @points.setter
    def points(self, rows: npt.ArrayLike) -> None:
        wanted, keep = matrix("points", rows, self.world._dimensions), list[Any]()
        if len(wanted) != self.count:
            return self.change(points=wanted)
        pointers = [address(axis, ffi.typeof("float *"), keep) for axis in wanted.T]
        self.world._call("move_path", self.number, ffi.new("float *[3]", pointers + [ffi.NULL] * (3 - len(pointers))))

    @property  # type: ignore[override]
    def agents(self) -> Array | None:
        """The ids of the agents that it goes through: (points,) uint32, a copy. None: it has points of its own."""
        with self.world._alone():
            path = self._read()
            return None if path.agents == ffi.NULL else np.frombuffer(ffi.buffer(path.agents, 4 * path.count), np.uint32).copy()

    @agents.setter
    def agents(self, ids: npt.ArrayLike) -> None:
        self.change(agents=ids)


class Field(made.FieldFields):
    """A grid of vectors."""

    @property
    def vectors(self) -> Array:
        """A copy of the vectors: ([cells z,] cells y, cells x, dimensions) float32. Assign an array of that shape to write them."""
        with self.world._alone():
            return np.stack(self._components(), axis=-1)

    @vectors.setter
    def vectors(self, vectors: npt.ArrayLike) -> None:
        with self.world._alone():
            self.world._refuse_in_view()
            components = self._components()
            values = np.broadcast_to(numbers(vectors), (*components[0].shape, len(components)))
            for i, component in enumerate(components):
                component[...] = values[..., i]

    def fill(self, kind: made.FieldKind | str, *, weight: float | None = None, seed: int | None = None, vector: Sequence[float] | None = None,
             centre: Sequence[float] | None = None, axis: Sequence[float] | None = None,
             noise: made.FieldNoise | Mapping[str, Any] | None = None, values: npt.ArrayLike | None = None) -> None:
        """Fills the field; FieldSource says what the fields mean. values: ([cells z,] cells y, cells x), for the kind "gradient"."""
        source, keep = ffi.new("dunlin_field_source *", lib.dunlin_field_source_default(self.world._open(), made.FieldKind.of(kind))), list[Any]()
        cells = tuple(self.cells[:self.world._dimensions])[::-1]
        grid = None if values is None else np.broadcast_to(numbers(values), cells)
        given = not_none(weight=weight, seed=seed, vector=vector, centre=centre, axis=axis, noise=noise, values=grid)
        made.FieldSource._put(source, given, self.world, keep)
        self.world._call("fill_field", self.number, source)

    def _components(self) -> list[Array]:
        view = lib.dunlin_world_field_view(self.world._open(), self.number)
        cells = tuple(view.cells[0:self.world._dimensions])[::-1]
        return [_shown(view.vectors[i], cells, writes=True) for i in range(len(cells))]


class Trace(made.TraceFields):
    """A number in each cell of a field, which agents raise."""

    @property
    def values(self) -> Array:
        """A copy of the numbers: ([cells z,] cells y, cells x) float32. Assign an array of that shape to write them."""
        with self.world._alone():
            return self._cells().copy()

    @values.setter
    def values(self, values: npt.ArrayLike) -> None:
        with self.world._alone():
            self.world._refuse_in_view()
            self._cells()[...] = numbers(values)

    def _cells(self) -> Array:
        view = lib.dunlin_world_trace_view(self.world._open(), self.number)
        return _shown(view.values, tuple(view.cells[0:self.world._dimensions])[::-1], writes=True)


class Obstacle(made.ObstacleFields):
    """A ball, box or capsule that agents avoid, or that blocks them."""


def nearest(species: Species | str) -> made.Target:
    """The nearest agent of a species, as the target of a behaviour."""
    return made.Target(kind="nearest", species=species)


classes: dict[str, type[Thing]] = {"species": Species, "interaction": Interaction, "behaviour": Behaviour, "meal": Meal, "path": Path,
                                    "field": Field, "trace": Trace, "obstacle": Obstacle, "attribute": Attribute}
