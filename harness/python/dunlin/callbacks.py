# SPDX-License-Identifier: MIT
"""Behaviours of the caller's own: Python functions, or compiled ones by their address."""
from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _generated as made
from ._base import InvalidValue, address, check, numbers, read_only, unknown, vectors, within
from ._dunlin import ffi, lib

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._base import Array
    from .things import Species
    from .world import World


def draw(seed: int, id: npt.ArrayLike, step: int, stream: int = 0) -> Array:
    """Four random numbers for each id, evenly from [0, 1): (agents, 4) float32, the bits of C's dunlin_draw().

    They depend on the seed, the id, the step and `stream`, 0 .. 2^24 - 1, alone, so that agents draw the same whatever the
    threads and the machine. The engine itself uses none of them, also where the seed is the world's.
    """
    keep = list[Any]()
    ids = np.atleast_1d(np.asarray(id))
    if ids.ndim != 1:
        raise InvalidValue(f"id has the shape (agents,), not {ids.shape}")
    within("stream", stream, 0, (1 << 24) - 1)
    drawn = np.empty((len(ids), 4), np.float32)
    lib.dunlin_python_draw(seed, len(ids), address(ids, ffi.typeof("uint32_t *"), keep), step, stream, address(drawn, ffi.typeof("float *"), keep))
    return drawn


class Tile:
    """Some agents of a species, as they are at the beginning of a step, and what a function may change of them.

    position, velocity : (agents, dimensions) float32, copies
    id : (agents,) uint32, a copy
    force : (agents, dimensions) float32, at first 0: what is written here is added to the agents' forces
    dies : (agents,) bool, at first False: True lets an agent die at the end of the step
    step : the steps taken before this one

    tile["energy"] is a copy of an attribute, and tile["energy"] = values sets what it is after the step; spawn() lets agents be
    born. How agents are divided into tiles depends on threads and kernel: for the same bits everywhere, what is written for an
    agent may depend on this agent and on the step only. draw() has random numbers that do.
    """

    __slots__ = ("_c", "_world", "_names", "_written", "_dimensions", "step")  # no other, such as a misspelt one

    def __init__(self, c: Any, world: World, names: list[str]) -> None:
        self._c, self._world, self._names = c, world, names
        self._written: dict[str, Array] = {}
        self._dimensions = 2 if c.position[2] == ffi.NULL else 3
        self.step = int(c.step)

    def __len__(self) -> int:
        return int(self._c.count)

    def _column(self, pointer: Any, kind: type = np.float32) -> Array:
        return np.frombuffer(ffi.buffer(pointer, len(self) * np.dtype(kind).itemsize), kind)

    def _matrix(self, pointers: Any) -> Array:
        return read_only(np.stack([self._column(pointers[a]) for a in range(self._dimensions)], axis=-1))

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
        return read_only(self._column(self._c.id, np.uint32).copy())

    @property
    def force(self) -> Array:
        """What is added to the agents' forces, velocity per time unit: (agents, dimensions) float32."""
        return self._written.setdefault("force", np.zeros((len(self), self._dimensions), np.float32))

    @force.setter
    def force(self, rows: npt.ArrayLike) -> None:
        self.force[...] = vectors("force", rows, len(self), self._dimensions)

    @property
    def dies(self) -> Array:
        """Which agents die at the end of the step: (agents,) bool."""
        return self._written.setdefault("dies", np.zeros(len(self), bool))

    @dies.setter
    def dies(self, values: npt.ArrayLike) -> None:
        self.dies[...] = values

    def _number(self, attribute: str) -> int:
        if attribute not in self._names:
            raise KeyError(unknown("attribute", attribute, self._names))
        return self._names.index(attribute)

    def __getitem__(self, attribute: str) -> Array:
        return read_only(self._column(self._c.attribute[self._number(attribute)]).copy())

    def __setitem__(self, attribute: str, values: npt.ArrayLike) -> None:
        self._column(self._c.next_attribute[self._number(attribute)])[...] = values

    def draw(self, stream: int = 0) -> Array:
        """As dunlin.draw(), for the tile's agents in this step, with the world's seed: (agents, 4) float32."""
        return draw(self._world.seed, self.id, self.step, stream)

    def _parents(self, parent: npt.ArrayLike) -> Array:
        rows = np.atleast_1d(np.asarray(parent))
        if rows.ndim != 1:
            raise InvalidValue(f"parent has the shape (children,), not {rows.shape}")
        if rows.size > 0 and rows.dtype.kind not in "iu":
            raise TypeError(f"parent holds places of agents in the tile, which are whole numbers, not {rows.dtype}")
        wrong = rows[(rows < 0) | (rows >= len(self))]
        if wrong.size > 0:
            raise IndexError(f"parent is {wrong[0]}: the tile has {len(self)} agents, numbered from 0")
        return numbers(rows, np.uint32)

    def _values(self, species: int, count: int, attributes: dict[str, npt.ArrayLike]) -> Array:
        """The children's attributes: (children, 8) float32."""
        names = attribute_names(self._world, species)
        for name in attributes:
            if name not in names:
                raise KeyError(unknown("attribute", name, names))
        if missing := [name for name in names if name not in attributes]:
            raise InvalidValue(f"{missing[0]} is missing: a child gets all attributes, or none, which are drawn then; inherit() has the parent's")
        values = np.zeros((count, made.MAX_ATTRIBUTES), np.float32)
        for name, own in attributes.items():
            values[:, names.index(name)] = vectors(name, np.reshape(own, (-1, 1)), count, 1)[:, 0]
        return values

    def spawn(self, parent: npt.ArrayLike, position: npt.ArrayLike, velocity: npt.ArrayLike = 0, species: Species | str | int | None = None,
              **attributes: npt.ArrayLike) -> None:
        """Lets children be born at the end of the step, one for each parent, also if the parent dies in it.

        parent : (children,) places of agents in the tile, 0 .. len(tile) - 1; one may have several children
        position : (children, dimensions) world units, where the children are after the step
        velocity : likewise, world units per time unit
        species : the children's; None: the tile's
        attributes : (children,) all of the species' by their names; none: they are drawn, as for other new agents

        Raises IndexError for a parent that is not in the tile, and InvalidValue for what no agent may have, such as NaN: children
        before the wrong one are born if this exception ends within the function.
        """
        parents, keep, error = self._parents(parent), list[Any](), ffi.new("dunlin_error *")
        count, kind, number = len(parents), ffi.typeof("float *"), self._c.species if species is None else self._world._number("species", species)
        places = np.zeros((2, count, 3), np.float32)
        places[0, :, :self._dimensions] = vectors("position", position, count, self._dimensions)
        places[1, :, :self._dimensions] = vectors("velocity", velocity, count, self._dimensions)
        values = address(self._values(number, count, attributes), kind, keep) if attributes else ffi.NULL
        check(lib.dunlin_python_spawn(self._c, count, address(parents, ffi.typeof("uint32_t *"), keep), number,
                                      *(address(rows, kind, keep) for rows in places), values, error), error)

    def inherit(self, parent: npt.ArrayLike, child: npt.ArrayLike = 0) -> dict[str, Array]:
        """The parents' attributes with their mutations, for spawn(): tile.spawn(parent, position, **tile.inherit(parent)).

        parent : (children,) as in spawn()
        child : 0 .. 2^20 - 1, which distinguishes children that a parent has in one step
        """
        parents, keep = self._parents(parent), list[Any]()
        children = numbers(child, np.uint32)
        if (children >= 1 << 20).any() or children.ndim > 1 or children.size not in (1, len(parents)):
            raise InvalidValue(f"child has the shape ({len(parents)},) and numbers from 0 to 2^20 - 1")
        values = np.zeros((len(parents), made.MAX_ATTRIBUTES), np.float32)
        pointers = [address(rows, ffi.typeof("uint32_t *"), keep) for rows in (parents, np.broadcast_to(children, len(parents)))]
        lib.dunlin_python_inherit(self._c, len(parents), *pointers, address(values, ffi.typeof("float *"), keep))
        return {name: values[:, i].copy() for i, name in enumerate(self._names)}

    def _finish(self) -> None:
        """Hands over what was written."""
        if (force := self._written.get("force")) is not None:
            if not np.isfinite(force).all():
                raise InvalidValue(f"the force of a tile's function is not finite: {force[~np.isfinite(force).all(axis=1)][0]}")
            for a in range(self._dimensions):
                self._column(self._c.force[a])[...] += force[:, a]
        if (dies := self._written.get("dies")) is not None:
            self._column(self._c.dies, np.uint8)[...] |= dies


def attribute_names(world: World, species: int) -> list[str]:
    return [ffi.string(lib.dunlin_world_get_attribute(world._c, species, i).name).decode()
            for i in range(lib.dunlin_world_attribute_count(world._c, species))]


class Callback:
    """A Python function that is called for each tile, and what it has raised."""

    def __init__(self, world: World, function: Callable[[Tile], None]) -> None:
        self.world, self.function = weakref.ref(world), function
        self.user = ffi.new_handle(self)
        self.names: list[str] = []

    def connect(self, world: World, definition: Any) -> None:
        definition.custom, definition.user = lib.dunlin_python_tile, self.user

    def look(self, world: World, number: int, definition: Any) -> None:
        self.names = attribute_names(world, definition.species)

    def call(self, c: Any) -> None:
        tile = Tile(c, self.world(), self.names)  # type: ignore[arg-type]
        try:
            if self.function(tile) is not None:
                raise TypeError("a function of a tile returns nothing: what it writes to tile.force counts")
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


class Forces:
    """A Python function that gives the forces of a whole species before each step, for Species.steer() and World.restore().

    While the step runs, C adds them to the agents by their ids.
    """

    def __init__(self, function: Callable[[Species], npt.ArrayLike | None]) -> None:
        self.function = function
        self.user = ffi.new("dunlin_python_forces *")
        self.keep: tuple[Any, ...] = ()

    def connect(self, world: World, definition: Any) -> None:
        definition.custom, definition.user = ffi.addressof(lib, "dunlin_python_add_forces"), self.user

    def __reduce__(self) -> tuple[Any, ...]:
        return Forces, (self.function,)

    def compute(self, species: Species) -> None:
        forces, ids = self.function(species), species.id
        rows = vectors("the force of a steer() function", 0 if forces is None else forces, len(ids), species.world._dimensions)
        if not np.isfinite(rows).all():
            raise InvalidValue(f"the force of a steer() function is not finite: {rows[~np.isfinite(rows).all(axis=1)][0]}")
        columns = np.ascontiguousarray(rows.T)
        with species.world._alone():  # no other thread's step reads the earlier forces now
            self.keep = ids, columns
            self.user.count, self.user.id = len(ids), ffi.cast("uint32_t *", ids.ctypes.data)
            self.user.force = [ffi.cast("float *", column.ctypes.data) for column in columns]


class Law:
    """A function that dunlin.numba compiles for a kind of behaviour, once for each list of the species' attributes."""
    kind = ""

    def compile(self, dimensions: int, *names: list[str]) -> Any:
        """A C function, which has an address; names: the attributes of the species, and for pairs those of the observed one."""
        raise NotImplementedError


class Compiled:
    """A behaviour of a Law. It is compiled again when attributes have come, gone or changed their names."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self.user = ffi.new("dunlin_python_own *")
        self.names: Any = None
        self.pointer: Any = None

    def update(self, world: World, definition: Any) -> bool:
        """Sets what the function gets; true: it was compiled again, as attributes have changed."""
        species = [definition.species] + ([definition.pairs.observed] if self.law.kind == "pairs" else [])
        names = [attribute_names(world, one) for one in species]
        self.user.seed, self.user.radius = world.seed, definition.pairs.radius
        if names == self.names:
            return False
        self.pointer = self.law.compile(world._dimensions, *names)  # which raises what is wrong with the function
        self.names = names
        return True

    def connect(self, world: World, definition: Any) -> None:
        self.update(world, definition)
        definition.user = self.user
        point(definition, self.law.kind, self.pointer.address)

    def look(self, world: World, number: int, definition: Any) -> None:
        if self.update(world, definition):
            c = ffi.new("dunlin_behaviour_def *", definition)
            point(c, self.law.kind, self.pointer.address)
            check(lib.dunlin_world_set_behaviour(world._c, number, c, world._error), world._error)


def _own(world: World) -> Iterator[tuple[int, Any, Any]]:
    """The behaviours that call functions of ours: their numbers, definitions, and what calls the function."""
    for number in range(lib.dunlin_world_behaviour_count(world._c)):
        definition = lib.dunlin_world_get_behaviour(world._c, number)
        own = world._callbacks.get(int(ffi.cast("uintptr_t", definition.user)))
        if own is not None:
            yield number, definition, own


def retain(world: World, user: Any, own: Any) -> None:
    """Keeps what a behaviour calls as long as the behaviour is there; a bare C function as long as the world."""
    used = {int(ffi.cast("uintptr_t", definition.user)) for _, definition, _ in _own(world)}
    world._callbacks = {at: one for at, one in world._callbacks.items() if at in used or not isinstance(one, (Callback, Forces, Compiled))}
    world._callbacks[int(ffi.cast("uintptr_t", user)) or id(own)] = own


def steer(world: World) -> None:
    """Before a step: the forces of whole species. The functions find the world as the step will."""
    with world._alone():
        world._open()
        world._refuse_in_view()
        found = [(own, world._list("species")[definition.species]) for _, definition, own in _own(world) if isinstance(own, Forces)]
    world._alone.views += 1
    try:
        for own, species in found:
            own.compute(species)
    finally:
        world._alone.views -= 1


def look(world: World) -> None:
    """At the beginning of a step, in which no other thread can change the world: what functions get of its definitions."""
    for number, definition, own in _own(world):
        if not isinstance(own, Forces):
            own.look(world, number, definition)


def connect(world: World, definition: Any, function: Any) -> Any:
    """Sets the callback of a definition; returns what must outlive it, and is its `user` where it is one of ours."""
    kind, own = made.BehaviourKind.of(definition.kind).name.lower(), function
    if kind not in ("custom", "pairs"):
        raise TypeError(f"the kind {kind!r} has no callback")
    if isinstance(function, Law):
        if function.kind != kind:
            raise TypeError(f"{function!r} is for the kind {function.kind!r}, not {kind!r}")
        own = Compiled(function)
    elif isinstance(function, Forces):
        own = Forces(function.function)  # of this behaviour alone
    elif kind == "custom" and callable(function) and not hasattr(function, "address"):
        own = Callback(world, function)
    if isinstance(own, (Callback, Forces, Compiled)):
        own.connect(world, definition)
    else:
        point(definition, kind, function)
    return own


# ---- behaviours of a definition ---------------------------------------------------------------------------------------------

def functions_of(world: World) -> list[dict[str, Any]]:
    """What restore() needs to call the functions of a world's behaviours again."""
    found = []
    for number in _called(world) if world._callbacks else []:
        definition = lib.dunlin_world_get_behaviour(world._c, number)
        own = world._callbacks.get(int(ffi.cast("uintptr_t", definition.user)))
        if own is None or world._simulation:
            raise TypeError(f"behaviour {number} calls a function which no copy can: remove it first")
        function = own.function if isinstance(own, Callback) else own.law if isinstance(own, Compiled) else own
        found.append({"callback": function, "vital": definition.vital})
    return found


def _called(world: World) -> list[int]:
    kinds = [lib.dunlin_world_get_behaviour(world._c, number).kind for number in range(lib.dunlin_world_behaviour_count(world._c))]
    return [number for number, kind in enumerate(kinds) if kind in (made.BehaviourKind.CUSTOM, made.BehaviourKind.PAIRS)]


@ffi.def_extern()  # type: ignore[misc]
def dunlin_python_connect(context: Any, behaviour: int, definition: Any) -> None:
    """Until reconnect() sets them, behaviours call nothing: no step is taken meanwhile."""
    if definition.kind == made.BehaviourKind.CUSTOM:
        definition.custom = lib.dunlin_python_tile
    else:
        definition.pairs.callback = ffi.cast("dunlin_packet_fn *", lib.dunlin_python_tile)


def reconnect(world: World, callbacks: Sequence[Any]) -> None:
    """Sets the functions of a restored world's behaviours."""
    numbers_of = _called(world)
    if len(numbers_of) != len(callbacks):
        raise InvalidValue(f"callbacks has {len(callbacks)} functions, and the world has {len(numbers_of)} behaviours that call one")
    for number, given in zip(numbers_of, callbacks):
        fields = dict(given) if isinstance(given, Mapping) else {"callback": given}
        c = ffi.new("dunlin_behaviour_def *", lib.dunlin_world_get_behaviour(world._c, number))
        own = connect(world, c, fields.pop("callback"))
        made.BehaviourFields._put(c, fields, world, [])
        world._call("set_behaviour", number, c)
        retain(world, c.user, own)


def point(definition: Any, field: str, function: Any) -> None:
    """Sets the callback of a definition to a compiled function: a C function pointer, or what has one as its `address`."""
    kind = ffi.typeof("dunlin_tile_fn *") if field == "custom" else ffi.typeof("dunlin_packet_fn *")
    target = definition if field == "custom" else definition.pairs
    pointer = function if isinstance(function, ffi.CData) else getattr(function, "address", function)
    if not isinstance(pointer, (int, ffi.CData)) or isinstance(pointer, bool) or not pointer:
        what = "a function, " if field == "custom" else ""
        raise TypeError(f"a callback of the kind {field!r} is {what}a C function pointer, or what has one as its address, not {function!r}")
    setattr(target, "custom" if field == "custom" else "callback", ffi.cast(kind, pointer))
