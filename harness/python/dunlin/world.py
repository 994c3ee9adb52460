# SPDX-License-Identifier: MIT
"""Worlds."""
from __future__ import annotations

import atexit
import functools
import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from . import _generated as made
from . import _streams
from ._base import InvalidValue, Stale, Thing, address, check, given_of, not_none, text_of, unknown, whole
from ._dunlin import ffi, lib
from .callbacks import connect, functions_of, look, reconnect, retain, steer
from ._record import multiples, record
from .pictures import Shown
from .query import Found, find
from .survey import Components, Correlation, Displacement, Surveyor
from .things import Attribute, Behaviour, Field, Handles, Hold, Interaction, Meal, Obstacle, Path, Species, Trace, as_rule, classes, path_fields, row

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._base import Array

_aims = {made.BehaviourKind[name] for name in ("SEEK", "FLEE", "ARRIVE", "PURSUE", "EVADE", "ATTRACT")}
_kinds = ["species", "interaction", "behaviour", "meal", "path", "field", "trace", "obstacle"]


def _nothing() -> None:
    return None


def _alive(handles: Handles, count: int, make: Callable[[], Any]) -> list[Any]:
    """The handles, of which those that no program holds are made anew."""
    things = []
    handles += [_nothing] * (count - len(handles))
    for number, handle in enumerate(handles):
        thing = handle()
        if thing is None:
            thing = make()
            thing._at = number
            handles[number] = weakref.ref(thing)
        things.append(thing)
    return things


class _Alone:
    """A world that is in use. `with alone():` refuses other threads, which may come while the first one is in the library, and callbacks.

    The block is that of the lock itself: Ctrl-C never comes between taking and leaving it. Two threads that ask at the same time may both get
    it, one after the other.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.views = 0  # that are open
        self.shown: Callable[[], Hold | None] = _nothing  # what arrays of views keep
        _alive_worlds.add(self)

    def __call__(self) -> threading.Lock:
        if self._lock.locked() or (_ending and _ending[0] != threading.get_ident()):
            raise RuntimeError("another thread, or a callback, uses this world at the moment")
        return self._lock

    def end(self) -> None:
        """Waits until no thread is in the library."""
        if self._lock.acquire(timeout=60):
            self._lock.release()


_alive_worlds: weakref.WeakSet[_Alone] = weakref.WeakSet()
_ending: list[int] = []  # the thread that ends Python, which may still use worlds


@atexit.register
def _end() -> None:
    """Python ends threads where they wait for it, which must not be within a step of the engine's threads: it lets none in any more."""
    _ending.append(threading.get_ident())
    for alone in list(_alive_worlds):
        alone.end()


# A child process has no thread that could leave a world.
os.register_at_fork(after_in_child=lambda: _alive_worlds.clear())


# ---- the world -------------------------------------------------------------------------------------------------------------

class World(made.Adders, made.WorldFields, Shown):
    """A world. Its keyword arguments are the fields of the definition, which can be read as attributes, and set between steps."""

    def _create(self, given: dict[str, Any]) -> None:
        definition, keep = ffi.new("dunlin_world_def *", lib.dunlin_world_def_default()), list[Any]()
        fields = given_of(given)
        if not np.isscalar(fields.get("size", 0)):
            fields.setdefault("dimensions", len(fields["size"]))
        self._put(definition, fields, None, keep)
        world = ffi.new("dunlin_world **")
        error = ffi.new("dunlin_error *")
        check(lib.dunlin_world_create(definition, world, error), error)
        self._own(ffi.gc(world[0], lib.dunlin_world_destroy))

    _scenario = _simulation = ffi.NULL  # the library's

    def _own(self, c: Any) -> None:
        self._c, self._error, self._held = c, ffi.new("dunlin_error *"), ffi.new("dunlin_hold **")
        self._things: dict[str, Handles] = {kind: [] for kind in _kinds}
        self._callbacks: dict[int, Any] = {}  # what behaviours call, which must outlive them, by their `user`
        self._raised: BaseException | None = None  # by a callback of the step
        self._surveyor: Surveyor | None = None
        self._alone = _Alone()
        self._dimensions = int(lib.dunlin_world_get_def(c).dimensions)
        self._columns = {name + axis: (what, a) for name, what in (("", "position"), ("v", "velocity")) for a, axis in enumerate("xyz"[:self._dimensions])}

    def __repr__(self) -> str:
        try:
            return f"<World: {self._dimensions}D, {len(self)} agents, step {self.stats.step}>"
        except (Stale, RuntimeError) as error:
            return f"<World: {error}>"

    def __len__(self) -> int:
        """The number of agents of all species."""
        with self._alone():
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
        """Calls a function of the world that changes it and can fail."""
        self._change(getattr(lib, f"dunlin_world_{name}"), self._c, *arguments)

    def _ask(self, name: str, *arguments: Any) -> None:
        """Calls a function of the world that leaves all agents as they are."""
        with self._alone():
            self._check(getattr(lib, f"dunlin_world_{name}")(self._open(), *arguments, self._error))

    def _change(self, function: Any, *arguments: Any) -> None:
        with self._alone():
            self._change_now(function, *arguments)

    def _change_now(self, function: Any, *arguments: Any) -> None:
        """The same within the lock. A step finds little of Python in a cold cache, so this does what it must."""
        alone = self._alone
        if self._c is None or alone.views > 0 or alone.shown is not _nothing or self._callbacks:
            self._make_ready(function)
        result = function(*arguments, self._error)
        if result != 0 or self._raised is not None:
            self._check(result)

    def _refuse_in_view(self) -> None:
        if self._alone.views > 0:
            raise BufferError("a view is open, or a steer() function runs: the world cannot change meanwhile")

    def _make_ready(self, function: Any) -> None:
        self._open()
        self._refuse_in_view()
        if self._alone.shown() is not None:
            self._check(lib.dunlin_world_replace_arrays(self._c, self._error))
        self._alone.shown = _nothing
        if function is lib.dunlin_python_step:
            look(self)

    def _check(self, result: int) -> None:
        """Raises what a call has returned, or what a callback has raised in it."""
        if (raised := self._raised) is not None:
            self._raised = None
            if result != lib.DUNLIN_OK:
                raise raised
        check(result, self._error)

    def _hold(self) -> Hold:
        """What keeps the world's present arrays."""
        with self._alone():
            hold = Hold(self)
            self._alone.shown = weakref.ref(hold)
            return hold

    def close(self) -> None:
        """Frees the world now. Arrays of views stay readable."""
        with self._alone():
            self._refuse_in_view()
            c, self._c = self._c, None
            if c is not None:
                self._free(c)

    def _free(self, c: Any) -> None:
        ffi.release(c)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- definitions --

    _kind = "def"  # dunlin_world_get_def() and dunlin_world_set_def()

    def _place(self) -> tuple[int, ...]:
        return ()

    def remove(self) -> None:
        """Closes the world."""
        self.close()

    # -- things --

    def _list(self, kind: str) -> list[Any]:
        """The handles of a kind, by their numbers; also of what a scenario has added."""
        return _alive(self._things[kind], getattr(lib, f"dunlin_world_{kind}_count")(self._open()), lambda: classes[kind](self))

    def _attributes(self, species: Species) -> list[Attribute]:
        count = lib.dunlin_world_attribute_count(self._open(), species.number)
        return _alive(species._handles, count, lambda: Attribute(self, species))

    def _forget(self, thing: Thing) -> None:
        """Those behind a thing that was removed have other numbers now."""
        handles = thing._owner._handles if isinstance(thing, Attribute) else self._things[thing._kind]
        del handles[thing._at]
        for handle in handles[thing._at:]:
            if (behind := handle()) is not None:
                behind._at -= 1
        thing._at = -1

    def _number(self, kind: str, value: Any, species: int = -1) -> int:
        """The number that a definition holds: of a handle, a name, or the number itself; species: of an attribute."""
        if isinstance(value, Thing):
            if value.world is not self:
                raise InvalidValue(f"{value!r} belongs to another world")
            return value.number
        if isinstance(value, str) and kind == "species":
            named = self.species
            if value not in named:
                raise KeyError(unknown("species", value, named))
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
        given = given_of(given)
        return getattr(self, f"_add_{kind}", self._add_thing)(classes[kind], given)

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
        rules = [as_rule(given.pop(rule, None)) for rule in ("separation", "alignment", "cohesion")]
        given.setdefault("observed", given["observer"])
        return self._add_thing(kind, {**given, "rules": rules})  # type: ignore[no-any-return]

    def _add_behaviour(self, kind: type[Thing], given: dict[str, Any]) -> Behaviour:
        which, function = made.BehaviourKind.of(given.pop("kind")), given.pop("callback", None)
        if which in _aims and "target" not in given:
            raise TypeError(f"{which.name.lower()} has no target: give one, such as target=(5, 5) or dunlin.nearest(species)")
        definition, keep = ffi.new("dunlin_behaviour_def *", lib.dunlin_behaviour_def_default(self._open(), which)), list[Any]()
        kind._put(definition, given, self, keep)
        own = None if function is None else connect(self, definition, function)
        behaviour: Behaviour = self._add_thing(kind, {}, definition[0])
        if own is not None:
            retain(self, definition.user, own)
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
        return self._add_thing(kind, path_fields(given, self._dimensions), lib.dunlin_path_def_default(self._open()))  # type: ignore[no-any-return]

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
        left = whole("steps", steps)
        while left > 0:
            at_once = min(left, 2**31)
            if self._callbacks:
                steer(self)
                at_once = 1
            taken = ffi.new("uint32_t *", at_once)
            self._change(lib.dunlin_python_step, self._c, self._simulation, taken)
            left -= taken[0]

    @property
    def stats(self) -> made.Stats:
        """What the last step did."""
        return made.Stats(lib.dunlin_world_stats(self._open()))

    def measure_in_step(self) -> None:
        """Makes the next step measure all species, in the state that it begins with; see measured()."""
        self._ask("measure_in_step")

    def measured(self) -> dict[str, made.Metrics]:
        """What the last measuring step measured, by the species' names."""
        results = {}
        for name, one in self.species.items():
            metrics = ffi.new("dunlin_metrics *")
            self._ask("measured", one.number, metrics)
            results[name] = made.Metrics(metrics)
        return results

    def record(self, steps: int, *, every: int = 1) -> Array:
        """Takes steps, and returns what measure() has of each state, the present one included, as a structured array.

        It has a row per species and state of which the number of steps is a multiple of `every`, with step, time, species, and all
        metrics, as a file of `dunlin run --metrics`. Ctrl-C and exceptions of a step have the rows so far as `partial`.
        """
        return record(self, steps, multiples(every))

    @property
    def _survey(self) -> Surveyor:
        self._surveyor = self._surveyor or Surveyor(self)
        return self._surveyor

    def components(self, radius: float, species: Species | str | None = None) -> Components:
        """Connected components of agents within `radius`, world units, of each other; None: of all species together."""
        return self._survey.components(self, species, radius)

    def density(self, box_size: float, species: Species | str | None = None) -> made.Density:
        """Agents counted in boxes of about that side, world units."""
        return self._survey.density(self, species, box_size)

    def correlation(self, species: Species | str | None = None, *, max_radius: float | None = None, bins: int | None = None,
                    samples: int | None = None) -> Correlation:
        """Correlations of velocity fluctuations up to max_radius, world units, of about `samples` agents; None: the defaults."""
        return self._survey.correlation(self, species, not_none(max_radius=max_radius, bins=bins, samples=samples))

    def within(self, centre: Any, radius: Any, species: Species | str | None = None) -> Found:
        """The agents within `radius`, world units, of each centre, (dimensions,) or (questions, dimensions).

        Of this and the methods below: species None is all of them together; numbers may be one for all questions.
        """
        return find(self, species, "find_in_balls", "ball", {"centre": centre, "radius": radius})

    def inside(self, min: Any, max: Any, species: Species | str | None = None) -> Found:
        """The agents in boxes along the axes. Distances are those to the middle of the box."""
        return find(self, species, "find_in_boxes", "box", {"min": min, "max": max})

    def in_view(self, tip: Any, direction: Any, length: Any, half_angle: Any, species: Species | str | None = None) -> Found:
        """The agents in cones, up to `length` from the tip and `half_angle`, radians, from the direction."""
        fields = {"tip": tip, "direction": direction, "length": length, "half_angle": half_angle}
        return find(self, species, "find_in_cones", "cone", fields)

    def nearest(self, centre: Any, count: Any = 1, species: Species | str | None = None, *, radius: Any = np.inf) -> Found:
        """The `count` agents nearest to each centre, by ascending distance; fewer where there are not so many within `radius`."""
        return find(self, species, "find_nearest", "nearest", {"centre": centre, "radius": radius, "count": count})

    def on_ray(self, start: Any, direction: Any, length: Any, radius: Any, species: Species | str | None = None) -> Found:
        """The first agent that each ray hits, if it hits any; agents are discs or balls of that radius, world units."""
        fields = {"start": start, "direction": direction, "length": length, "radius": radius}
        return find(self, species, "find_on_rays", "ray", fields)

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
        with self._alone():
            return int(lib.dunlin_world_fingerprint(self._open()))

    @property
    def memory(self) -> int:
        """The bytes of memory that the world has."""
        with self._alone():
            return int(lib.dunlin_world_bytes(self._open()))

    def offset(self, start: Sequence[float], end: Sequence[float]) -> Array:
        """The offset between two places, in a periodic world to the nearest image: (dimensions,) float32."""
        offset = ffi.new("float[3]")
        lib.dunlin_world_offset(self._open(), *(ffi.new("float[3]", list(place)) for place in (start, end)), offset)
        return np.array(list(offset)[:self._dimensions], np.float32)

    def hash(self) -> str:
        """The state's hash, 16 hexadecimal digits: equal for equal bits, whatever the kernel, threads and machine."""
        with self._alone():
            return f"{lib.dunlin_world_state_hash(self._open()):016x}"

    def despawn(self, ids: npt.ArrayLike) -> None:
        """Removes the agents with these ids, of any species."""
        wanted, keep = row("ids", ids), list[Any]()
        self._call("despawn", address(wanted, ffi.typeof("uint32_t *"), keep), len(wanted))

    def checkpoint(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The world as bytes, from which restore() continues bit for bit, also elsewhere; with a path they are written to a file, too.

        Functions that behaviours call are not in it: see restore().
        """
        stream = _streams.Stream()
        for part in ("save_definitions_to", "save_to"):
            self._ask(part, _streams.write, stream.handle)
        return _streams.store(bytes(stream.written), path)

    @classmethod
    def restore(cls, source: str | os.PathLike[str] | bytes | bytearray | memoryview, *, threads: int = 0, kernel: str = "auto",
                callbacks: Sequence[Any] = ()) -> Self:
        """A world from the bytes of checkpoint(), or from their file, on this machine's threads and kernels.

        callbacks : the functions that behaviours call, in the order of the behaviours: each as its `callback`, or a dict with `callback`
            and `vital`, or for steer() dunlin.Forces(function). Copies and pickles of a world have them themselves.
        """
        definition, keep, made_world = ffi.new("dunlin_world_def *", lib.dunlin_world_def_default()), list[Any](), ffi.new("dunlin_world **")
        cls._put(definition, {"threads": threads, "kernel": kernel}, None, keep)
        stream, error = _streams.load(source), ffi.new("dunlin_error *")
        check(lib.dunlin_world_create_from(definition, _streams.read, lib.dunlin_python_connect, stream.handle, made_world, error), error)
        world = cls.__new__(cls)
        world._own(ffi.gc(made_world[0], lib.dunlin_world_destroy))
        reconnect(world, callbacks)
        world._call("restore_from", _streams.read, stream.handle)
        return world

    def __copy__(self) -> Self:
        restore, arguments = self.__reduce__()[:2]
        return restore(*arguments)  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        callbacks = {"callbacks": functions} if (functions := functions_of(self)) else {}
        return functools.partial(type(self).restore, **callbacks), (self.checkpoint(),)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a state file: agents as a CSV table."""
        self._ask("save", os.fsencode(path))

    def preamble(self) -> str:
        """The first lines of a state file, which say what a table of agents does not: seed, step, time, next id."""
        with self._alone():
            return text_of(lib.dunlin_world_preamble, self._open())

    def load(self, path: str | os.PathLike[str]) -> None:
        """Replaces all agents by those of a state file."""
        self._call("load", os.fsencode(path))


def read_state_info(path: str | os.PathLike[str]) -> made.StateInfo:
    """The preamble of a state file: seed, step, time, agents."""
    info, error = ffi.new("dunlin_state_info *"), ffi.new("dunlin_error *")
    check(lib.dunlin_state_read_info(os.fsencode(path), info, error), error)
    return made.StateInfo(info)


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
