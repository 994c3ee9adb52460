# SPDX-License-Identifier: MIT
"""Worlds, and what they hold."""
from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from . import _generated as made
from . import _streams
from ._base import InvalidValue, Stale, Thing, address, check, numbers, unknown
from ._dunlin import ffi, lib
from .callbacks import Callback, connect
from .survey import Components, Correlation, Displacement, GroupSums, Surveyor, sum_groups

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._base import Array

_axes = "xyz"
_kinds = ["species", "interaction", "behaviour", "meal", "path", "field", "trace", "obstacle"]


# ---- arrays of the engine --------------------------------------------------------------------------------------------------

class _Memory:
    """Memory of the engine's as NumPy takes it, which lasts as long as `keep` does."""
    __slots__ = ("__array_interface__", "keep")
    __array_interface__: dict[str, Any]
    keep: Any


def _shown(pointer: Any, shape: tuple[int, ...], kind: str, keep: Any, writes: bool = False) -> Array:
    """An array over memory of the engine's: no copy."""
    memory = _Memory()
    memory.keep = keep
    memory.__array_interface__ = {"shape": shape, "typestr": kind, "data": (int(ffi.cast("uintptr_t", pointer)), not writes), "version": 3}
    return np.asarray(memory)


class View:
    """The engine's own arrays of a species, read-only, in storage order; nothing is copied.

    x, y, z and vx, vy, vz are positions and velocities in world units, id holds each agent's id, and every attribute has its name;
    each has the shape (agents,). Use it in a `with` block, in which the world stays as it is. The view is of one moment: once the
    world has stepped or its agents have changed, using it raises Stale. An array that was taken from it stays safe to read, but its
    numbers mean nothing then: copy what you keep.
    """
    __slots__ = ("_species", "_world", "_view", "_hold")

    def __init__(self, species: Species) -> None:
        world = species.world
        with world._alone:
            self._species, self._world = species, world
            self._view = lib.dunlin_world_view(world._open(), species.number)
            held = ffi.new("dunlin_hold **")
            check(lib.dunlin_world_hold(world._c, held, world._error), world._error)
            self._hold = ffi.gc(held[0], lib.dunlin_hold_release)

    def __enter__(self) -> View:
        self._world._viewed += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._world._viewed -= 1

    def __len__(self) -> int:
        return int(self._view.count)

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, name: str) -> Array:
        view = self._view
        if view.generation != lib.dunlin_world_generation(self._world._open()):
            raise Stale("the view is of an earlier state of its world: make another one")
        axes = _axes[:self._world._dimensions]
        if name in axes:
            pointer = view.position[axes.index(name)]
        elif name[0] == "v" and name[1:] in axes and len(name) == 2:
            pointer = view.velocity[axes.index(name[1])]
        elif name == "id":
            return _shown(view.id, (view.count,), "<u4", self._hold)
        else:
            pointer = view.attribute[self._species._attribute_number(name, ["id", *axes, *(f"v{axis}" for axis in axes)])]
        return _shown(pointer, (view.count,), "<f4", self._hold)


# ---- what a world holds ----------------------------------------------------------------------------------------------------

class Species(made.SpeciesFields):
    """Agents of one kind. Arrays have a row per agent, by ascending ids, and are copies."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._handles: _Handles = []  # of its attributes
        self._ordered: tuple[int, Any] = (-1, None)

    def __len__(self) -> int:
        return int(lib.dunlin_world_view(self.world._open(), self.number).count)

    def __repr__(self) -> str:
        return f"<Species {self.name!r}: {len(self)} agents>"

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
        number = lib.dunlin_world_find_attribute(self.world._open(), self.number, name.encode())
        if number < 0:
            raise KeyError(unknown(f"the array of {self.name!r}", name, [*others, *self._attribute_names()]))
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
        return _fixed(columns.T)

    @property
    def id(self) -> Array:
        """The agents' ids, ascending: (agents,) uint32."""
        with self.world._alone:
            view = self._now()
            return _fixed(np.frombuffer(ffi.buffer(view.id, 4 * view.count), np.uint32)[self._order(view)])

    @property
    def position(self) -> Array:
        """World units: (agents, dimensions) float32. Assign an array of that shape to move all agents."""
        with self.world._alone:
            return self._rows(self._now().position[0:self.world.dimensions])

    @position.setter
    def position(self, rows: npt.ArrayLike) -> None:
        self._write("position", rows)

    @property
    def velocity(self) -> Array:
        """World units per time unit: (agents, dimensions) float32. Assign an array of that shape to set it."""
        with self.world._alone:
            return self._rows(self._now().velocity[0:self.world.dimensions])

    @velocity.setter
    def velocity(self, rows: npt.ArrayLike) -> None:
        self._write("velocity", rows)

    def _write(self, what: str, rows: npt.ArrayLike) -> None:
        order = self._order(self._now())
        values = np.broadcast_to(_matrix(what, rows, self.world.dimensions), (len(order), self.world.dimensions))
        stored = np.empty_like(values)
        stored[order] = values
        write, keep = ffi.new("dunlin_write *", lib.dunlin_write_default()), list[Any]()
        write.count, write.species = len(stored), self.number
        for i, row in enumerate(stored.T):
            getattr(write, what)[i] = address(row, ffi.typeof("float *"), keep)
        self.world._call("write", write)

    def __getitem__(self, attribute: str) -> Array:
        """An attribute of all agents: (agents,) float32."""
        with self.world._alone:
            return self._rows([self._now().attribute[self._attribute_number(attribute)]])[:, 0]

    def __setitem__(self, attribute: str, values: npt.ArrayLike) -> None:
        number, order, keep = self._attribute_number(attribute), self._order(self._now()), list[Any]()
        stored = np.empty(len(order), np.float32)
        stored[order] = numbers(values)
        self.world._call("set_attribute_values", self.number, number, address(stored, ffi.typeof("float *"), keep))

    @property
    def attributes(self) -> list[Attribute]:
        """The attributes, by their numbers."""
        return self.world._attributes(self)

    def add_attribute(self, name: str, **fields: Any) -> Attribute:
        """As World.add_attribute(), for this species."""
        return self.world.add_attribute(self, name, **fields)

    def add_behaviour(self, kind: made.BehaviourKind | str, **fields: Any) -> Behaviour:
        """As World.add_behaviour(), for this species."""
        return self.world.add_behaviour(self, kind, **fields)

    def scatter(self, agents: int, **fields: Any) -> None:
        """Adds agents at random places; the fields are those of dunlin_scatter_def: region, centre, extent, min_speed, max_speed."""
        scatter = ffi.new("dunlin_scatter_def *", lib.dunlin_scatter_def_default(self.world._open()))
        made.Scatter._put(scatter, {"count": agents, **fields}, self.world, [])
        self.world._call("scatter", self.number, scatter)

    def spawn(self, position: npt.ArrayLike, velocity: npt.ArrayLike = 0, *, ids: npt.ArrayLike | None = None, **attributes: npt.ArrayLike) -> int:
        """Adds agents at positions (agents, dimensions), with attributes by their names; returns the first one's id."""
        rows = _matrix("position", position, self.world.dimensions)
        moves = np.broadcast_to(numbers(velocity), rows.shape)
        batch, keep, first = ffi.new("dunlin_batch *", lib.dunlin_batch_default()), list[Any](), ffi.new("uint32_t *")
        batch.count = len(rows)
        for what, matrix in (("position", rows), ("velocity", moves)):
            for i, row in enumerate(matrix.T):
                getattr(batch, what)[i] = address(row, ffi.typeof("float *"), keep)
        for name, values in attributes.items():
            row = np.broadcast_to(numbers(values), len(rows))
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
        import pandas  # type: ignore[import]

        axes = _axes[:self.world._dimensions]
        columns = dict(zip([*axes, *(f"v{axis}" for axis in axes)], [*self.position.T, *self.velocity.T]))
        return pandas.DataFrame(columns | {name: self[name] for name in self._attribute_names()}, index=pandas.Index(self.id, name="id"))

    def measure(self) -> made.Metrics:
        """Polarization, speed and more of the present state."""
        metrics = ffi.new("dunlin_metrics *")
        self.world._call("measure", self.number, metrics)
        return made.Metrics(metrics)


def _not_none(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _fixed(rows: Array) -> Array:
    """A copy that a program does not take for the world's own."""
    rows.flags.writeable = False
    return rows


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


def _matrix(what: str, rows: npt.ArrayLike, dimensions: int) -> npt.NDArray[np.float32]:
    matrix = numbers(rows)
    if matrix.ndim != 2 or matrix.shape[1] != dimensions:
        raise InvalidValue(f"{what} has the shape (agents, {dimensions}), not {matrix.shape}")
    return matrix


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
        rules[at] = _as_rule(rule)
        self.change(rules=rules)

    separation = _RuleOf(0, "The rule away from neighbours: a dunlin.Rule, or its radius.")
    alignment = _RuleOf(1, "The rule with the neighbours' velocities: a dunlin.Rule, or its radius.")
    cohesion = _RuleOf(2, "The rule towards the neighbours: a dunlin.Rule, or its radius.")


def _as_rule(rule: Any) -> Any:
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


class Path(made.PathFields):
    """A polyline that agents follow."""

    @property
    def places(self) -> Array:
        """World units: (points, dimensions) float32, a copy. Assign an array of that shape to move the points."""
        with self.world._alone:
            path = self._read()
            return np.stack([np.frombuffer(ffi.buffer(path.points[a], 4 * path.count), np.float32) for a in range(self.world._dimensions)], axis=-1)

    @places.setter
    def places(self, rows: npt.ArrayLike) -> None:
        keep, kind = list[Any](), ffi.typeof("float *")
        wanted = np.broadcast_to(_matrix("places", rows, self.world._dimensions), (self.count, self.world._dimensions))
        pointers = [address(row, kind, keep) for row in wanted.T]
        self.world._call("move_path", self.number, ffi.new("float *[3]", pointers + [ffi.NULL] * (3 - len(pointers))))


class Field(made.FieldFields):
    """A grid of vectors."""

    @property
    def vectors(self) -> Array:
        """A copy of the vectors: ([cells z,] cells y, cells x, dimensions) float32. Assign an array of that shape to write them."""
        with self.world._alone:
            return np.stack(self._components(), axis=-1)

    @vectors.setter
    def vectors(self, vectors: npt.ArrayLike) -> None:
        with self.world._alone:
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
        given = _not_none(weight=weight, seed=seed, vector=vector, centre=centre, axis=axis, noise=noise, values=grid)
        made.FieldSource._put(source, given, self.world, keep)
        self.world._call("fill_field", self.number, source)

    def _components(self) -> list[Array]:
        view = lib.dunlin_world_field_view(self.world._open(), self.number)
        cells = tuple(view.cells[0:self.world.dimensions])[::-1]
        return [_shown(view.vectors[i], cells, "<f4", None, writes=True) for i in range(len(cells))]


class Trace(made.TraceFields):
    """A number in each cell of a field, which agents raise."""

    @property
    def values(self) -> Array:
        """A copy of the numbers: ([cells z,] cells y, cells x) float32. Assign an array of that shape to write them."""
        with self.world._alone:
            return self._cells().copy()

    @values.setter
    def values(self, values: npt.ArrayLike) -> None:
        with self.world._alone:
            self._cells()[...] = numbers(values)

    def _cells(self) -> Array:
        view = lib.dunlin_world_trace_view(self.world._open(), self.number)
        return _shown(view.values, tuple(view.cells[0:self.world._dimensions])[::-1], "<f4", None, writes=True)


class Obstacle(made.ObstacleFields):
    """A ball, box or capsule that agents avoid, or that blocks them."""


_classes: dict[str, type[Thing]] = {"species": Species, "interaction": Interaction, "behaviour": Behaviour, "meal": Meal, "path": Path,
                                    "field": Field, "trace": Trace, "obstacle": Obstacle, "attribute": Attribute}


#: Weak references to the handles of a kind, by their numbers, so that a world goes as soon as its last user does.
_Handles = list[Callable[[], Any]]


def _alive(handles: _Handles, count: int, make: Callable[[], Any]) -> list[Any]:
    """The handles, of which those that no program holds are made anew."""
    things = []
    handles += [lambda: None] * (count - len(handles))
    for number, handle in enumerate(handles):
        thing = handle()
        if thing is None:
            thing = make()
            handles[number] = weakref.ref(thing)
        things.append(thing)
    return things


class _Alone:
    """A world that is in use: other threads, which may come while the first one is in the library, are refused, and so are callbacks."""

    def __init__(self, world: World) -> None:
        self._lock, self._world = threading.Lock(), weakref.ref(world)
        _alive_worlds.add(self)

    def end(self) -> None:
        """Waits until no thread is in the library, and lets none in any more."""
        self._lock.acquire(timeout=60)

    def __enter__(self) -> World:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread, or a callback, uses this world at the moment")
        return self._world()  # type: ignore[return-value]

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_alive_worlds: weakref.WeakSet[_Alone] = weakref.WeakSet()


@atexit.register
def _end() -> None:
    """Python ends threads where they wait for it, which must not be within a step of the engine's threads."""
    for alone in list(_alive_worlds):
        alone.end()


# ---- the world -------------------------------------------------------------------------------------------------------------

class World(made.WorldFields, made.Adders):
    """A world. Its keyword arguments are the fields of the definition, which can be read as attributes, and set between steps."""

    def __init__(self, size: float | Sequence[float] | None = None, **fields: Any) -> None:
        definition, keep = ffi.new("dunlin_world_def *", lib.dunlin_world_def_default()), list[Any]()
        if size is not None:
            fields["size"] = size
            if not np.isscalar(size):
                fields.setdefault("dimensions", len(size))  # type: ignore[arg-type]
        self._put(definition, {name: value for name, value in fields.items() if value is not None}, None, keep)
        world = ffi.new("dunlin_world **")
        error = ffi.new("dunlin_error *")
        check(lib.dunlin_world_create(definition, world, error), error)
        self._own(ffi.gc(world[0], lib.dunlin_world_destroy))

    def _own(self, c: Any) -> None:
        self._c, self._error = c, ffi.new("dunlin_error *")
        self._things: dict[str, _Handles] = {kind: [] for kind in _kinds}
        self._callbacks: list[Any] = []  # what behaviours call, which must outlive them
        self._raised: BaseException | None = None  # by a callback of the step
        self._viewed = 0
        self._surveyor: Surveyor | None = None
        self._alone = _Alone(self)
        self._dimensions = int(lib.dunlin_world_get_def(c).dimensions)

    def __repr__(self) -> str:
        return f"<World: {self._dimensions}D, {len(self)} agents, step {self.stats.step}>"

    def __len__(self) -> int:
        """The number of agents of all species."""
        return int(lib.dunlin_world_agent_count(self._open()))

    @property
    def world(self) -> World:  # type: ignore[override]
        return self

    # -- calls --

    def _open(self) -> Any:
        if self._c is None:
            raise Stale("the world is closed")
        return self._c

    def _call(self, name: str, *arguments: Any) -> None:
        """Calls a function that changes the world and can fail."""
        with self._alone as world:
            if self._viewed > 0:
                raise BufferError("a view is open: the world cannot change within its `with` block")
            self._check(getattr(lib, f"dunlin_world_{name}")(world._open(), *arguments, self._error))

    def _check(self, result: int) -> None:
        """Raises what a call has returned, or what a callback has raised in it."""
        raised, self._raised = self._raised, None
        if raised is not None and result != lib.DUNLIN_OK:
            raise raised
        check(result, self._error)

    def close(self) -> None:
        """Frees the world now. Arrays of views stay readable."""
        with self._alone:
            c, self._c = self._c, None
            if c is not None:
                self._free(c)

    def _free(self, c: Any) -> None:
        ffi.release(c)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- definitions --

    def _read(self) -> Any:
        return lib.dunlin_world_get_def(self._open())

    def _place(self) -> tuple[int, ...]:
        return ()

    def change(self, **fields: Any) -> None:
        """Sets several fields of the definition at once, between steps."""
        definition, keep = ffi.new("dunlin_world_def *", self._read()), list[Any]()
        self._put(definition, fields, None, keep)
        self._call("set_def", definition)

    def remove(self) -> None:
        """Closes the world."""
        self.close()

    # -- things --

    def _list(self, kind: str) -> list[Any]:
        """The handles of a kind, by their numbers; also of what a scenario has added."""
        return _alive(self._things[kind], getattr(lib, f"dunlin_world_{kind}_count")(self._open()), lambda: _classes[kind](self))

    def _attributes(self, species: Species) -> list[Attribute]:
        count = lib.dunlin_world_attribute_count(self._open(), species.number)
        return _alive(species._handles, count, lambda: Attribute(self, species))

    def _handles_of(self, thing: Thing) -> _Handles:
        return thing._owner._handles if isinstance(thing, Attribute) else self._things[thing._kind]

    def _number_of(self, thing: Thing) -> int:
        for number, handle in enumerate(self._handles_of(thing)):
            if handle() is thing:
                return number
        raise Stale(f"this {thing._kind} was removed")

    def _forget(self, thing: Thing) -> None:
        handles = self._handles_of(thing)
        handles[:] = [handle for handle in handles if handle() is not thing]

    def _number(self, kind: str, value: Any, species: int = -1) -> int:
        """The number that a definition holds: of a handle, a name, or the number itself; species: of an attribute."""
        if isinstance(value, Thing):
            if value.world is not self:
                raise InvalidValue(f"{value!r} belongs to another world")
            return value.number
        if isinstance(value, str) and kind == "species":
            named = self.species
            if value not in named:
                raise KeyError(unknown("the species", value, named))
            return named[value].number
        if isinstance(value, str) and kind == "attribute":
            owner: Species = self._list("species")[species]
            return owner._attribute_number(value)
        return -1 if value is None else int(value)

    def _thing(self, kind: str, number: int, species: int = -1) -> Any:
        """The handle of what a definition names; None: nothing."""
        things = self._list("species" if kind == "attribute" else kind)
        if kind == "attribute":
            things = self._attributes(things[species]) if 0 <= species < len(things) else []
        return things[number] if 0 <= number < len(things) else None

    def _add(self, kind: str, given: dict[str, Any]) -> Any:
        given = {name: value for name, value in given.items() if value is not None and name not in ("self", "__class__")}
        return getattr(self, f"_add_{kind}", self._add_thing)(_classes[kind], given)

    def _add_thing(self, kind: type[Thing], given: dict[str, Any], definition: Any = None) -> Any:
        name, keep, number = f"dunlin_{kind._kind}_def", list[Any](), ffi.new("int *")
        if definition is None:
            default = getattr(lib, f"{name}_default")
            definition = default(self._open()) if len(ffi.typeof(default).args) == 1 else default()
        c = ffi.new(f"{name} *", definition)
        kind._put(c, given, self, keep)
        self._call(f"add_{kind._kind}", c, number)
        return self._list(kind._kind)[number[0]]

    def _add_species(self, kind: type[Thing], given: dict[str, Any]) -> Species:
        agents = given.pop("agents", 0)
        species: Species = self._add_thing(kind, given)
        if agents:
            species.scatter(agents)
        return species

    def _add_interaction(self, kind: type[Thing], given: dict[str, Any]) -> Interaction:
        rules = [_as_rule(given.pop(rule, None)) for rule in ("separation", "alignment", "cohesion")]
        given.setdefault("observed", given["observer"])
        return self._add_thing(kind, {**given, "rules": rules})  # type: ignore[no-any-return]

    def _add_behaviour(self, kind: type[Thing], given: dict[str, Any]) -> Behaviour:
        which, function = made.BehaviourKind.of(given.pop("kind")), given.pop("callback", None)
        definition = lib.dunlin_behaviour_def_default(self._open(), which)
        callback = None
        if callable(function) and not hasattr(function, "address") and which is made.BehaviourKind.CUSTOM:
            callback = Callback(self, function)
            definition.custom, definition.user = lib.dunlin_python_tile, callback.handle
        elif function is not None:
            connect(definition, which.name.lower(), function)
        behaviour: Behaviour = self._add_thing(kind, given, definition)
        self._callbacks.append(callback or function)
        return behaviour

    def _add_attribute(self, kind: type[Thing], given: dict[str, Any]) -> Attribute:
        definition, keep, number = ffi.new("dunlin_attribute_def *", lib.dunlin_attribute_def_default()), list[Any](), ffi.new("int *")
        definition.species = self._number("species", given.pop("species"))
        kind._put(definition, given, self, keep)
        self._call("add_attribute", definition, number)
        owner: Species = self._list("species")[definition.species]
        attribute: Attribute = self._attributes(owner)[number[0]]
        return attribute

    def _add_path(self, kind: type[Thing], given: dict[str, Any]) -> Path:
        if "points" in given:
            rows = _matrix("points", given["points"], self._dimensions)
            given.update(points=rows.T, count=len(rows))
        elif "agents" in given:
            given["count"] = len(given["agents"])
        return self._add_thing(kind, given, lib.dunlin_path_def_default(self._open()))  # type: ignore[no-any-return]

    def _add_obstacle(self, kind: type[Thing], given: dict[str, Any]) -> Obstacle:
        return self._add_thing(kind, given, lib.dunlin_obstacle_def_default(made.ObstacleShape.of(given["shape"])))  # type: ignore[no-any-return]

    @property
    def species(self) -> Mapping[str, Species]:
        """The species by their names, in the order of their numbers."""
        return {one.name: one for one in self._list("species")}

    @property
    def interactions(self) -> tuple[Interaction, ...]:
        """The interactions, by their numbers."""
        return tuple(self._list("interaction"))

    @property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """The behaviours, by their numbers."""
        return tuple(self._list("behaviour"))

    @property
    def meals(self) -> tuple[Meal, ...]:
        """The meals, by their numbers."""
        return tuple(self._list("meal"))

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths, by their numbers."""
        return tuple(self._list("path"))

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, by their numbers."""
        return tuple(self._list("field"))

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The traces, by their numbers."""
        return tuple(self._list("trace"))

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """The obstacles, by their numbers."""
        return tuple(self._list("obstacle"))


    # -- time --

    def step(self, steps: int = 1) -> None:
        """Takes time steps. Other Python threads run meanwhile. Ctrl-C stops after a step and leaves the world whole."""
        for _ in range(steps):
            self._call("step")

    @property
    def stats(self) -> made.Stats:
        """What the last step did."""
        return made.Stats(lib.dunlin_world_stats(self._open()))

    def measure_in_step(self) -> None:
        """Makes the next step measure all species, in the state that it begins with; see measured()."""
        self._call("measure_in_step")

    def measured(self) -> dict[str, made.Metrics]:
        """What the last measuring step measured, by the species' names."""
        results = {}
        for name, one in self.species.items():
            metrics = ffi.new("dunlin_metrics *")
            self._call("measured", one.number, metrics)
            results[name] = made.Metrics(metrics)
        return results

    @property
    def _survey(self) -> Surveyor:
        self._surveyor = self._surveyor or Surveyor(self)
        return self._surveyor

    def components(self, radius: float, species: Species | None = None) -> Components:
        """Connected components of agents within `radius`, world units, of each other; None: of all species together."""
        return self._survey.components(self, species, radius)

    def density(self, box_size: float, species: Species | None = None) -> made.Density:
        """Agents counted in boxes of about that side, world units."""
        return self._survey.density(self, species, box_size)

    def correlation(self, species: Species | None = None, *, max_radius: float | None = None, bins: int | None = None,
                    samples: int | None = None) -> Correlation:
        """Correlations of velocity fluctuations up to max_radius, world units, of about `samples` agents; None: the defaults."""
        return self._survey.correlation(self, species, _not_none(max_radius=max_radius, bins=bins, samples=samples))

    def displacement(self) -> Displacement:
        """What follows how far agents move from now on."""
        return Displacement(self)

    def make_bodies(self) -> None:
        """Creates the bodies now that the next step would create."""
        self._call("make_bodies")

    @property
    def clock(self) -> made.Clock:
        """Steps and time so far, and the next agent's id."""
        return made.Clock(lib.dunlin_world_get_clock(self._open()))

    @clock.setter
    def clock(self, clock: made.Clock | Mapping[str, Any]) -> None:
        fields = clock if isinstance(clock, Mapping) else clock.asdict()
        self._call("set_clock", ffi.new("dunlin_clock *", {**self.clock.asdict(), **fields}))

    @property
    def fingerprint(self) -> int:
        """A fingerprint of all definitions."""
        with self._alone:
            return int(lib.dunlin_world_fingerprint(self._open()))

    @property
    def memory(self) -> int:
        """The bytes of memory that the world has."""
        return int(lib.dunlin_world_bytes(self._open()))

    def offset(self, start: Sequence[float], end: Sequence[float]) -> Array:
        """The offset between two places, in a periodic world to the nearest image: (dimensions,) float32."""
        offset = ffi.new("float[3]")
        lib.dunlin_world_offset(self._open(), *(ffi.new("float[3]", list(place)) for place in (start, end)), offset)
        return np.array(list(offset)[:self._dimensions], np.float32)

    def hash(self) -> str:
        """The state's hash, 16 hexadecimal digits: equal for equal bits, whatever the kernel, threads and machine."""
        return f"{lib.dunlin_world_state_hash(self._open()):016x}"

    def despawn(self, ids: npt.ArrayLike) -> None:
        """Removes the agents with these ids, of any species."""
        keep = list[Any]()
        wanted = np.atleast_1d(np.asarray(ids))
        self._call("despawn", address(wanted, ffi.typeof("uint32_t *"), keep), len(wanted))

    def checkpoint(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The world as bytes, from which restore() continues bit for bit, also elsewhere; with a path they are written to a file, too.

        Behaviours that are callbacks cannot be restored.
        """
        stream = _streams.Stream()
        for part in ("save_definitions_to", "save_to"):
            self._call(part, _streams.write, stream.handle)
        return _streams.store(bytes(stream.written), path)

    @classmethod
    def restore(cls, source: str | os.PathLike[str] | bytes | bytearray | memoryview, *, threads: int = 0, kernel: str = "auto") -> Self:
        """A world from the bytes of checkpoint(), or from their file, on this machine's threads and kernels."""
        definition, keep, made_world = ffi.new("dunlin_world_def *", lib.dunlin_world_def_default()), list[Any](), ffi.new("dunlin_world **")
        cls._put(definition, {"threads": threads, "kernel": kernel}, None, keep)
        stream, error = _streams.load(source), ffi.new("dunlin_error *")
        check(lib.dunlin_world_create_from(definition, _streams.read, ffi.NULL, stream.handle, made_world, error), error)
        world = cls.__new__(cls)
        world._own(ffi.gc(made_world[0], lib.dunlin_world_destroy))
        world._call("restore_from", _streams.read, stream.handle)
        return world

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).restore, (self.checkpoint(),)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a state file: agents as a CSV table."""
        self._call("save", os.fsencode(path))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Replaces all agents by those of a state file."""
        self._call("load", os.fsencode(path))


def fluctuation_exponent(densities: Sequence[made.Density]) -> float:
    """The exponent a of ΔN ∝ ⟨N⟩^a over densities with boxes of several sizes: 1/2 for independent agents, more for giant fluctuations."""
    array = ffi.new("dunlin_density[]", len(densities))
    for one, density in zip(array, densities):
        for name, value in density.asdict().items():
            setattr(one, name, value)
    return float(lib.dunlin_fluctuation_exponent(array, len(densities)))


def kernels() -> list[made.KernelInfo]:
    """The variants of the inner loops, from slow to fast, including those that cannot run on this machine."""
    return [made.KernelInfo(lib.dunlin_kernel_at(i)) for i in range(lib.dunlin_kernel_count())]
