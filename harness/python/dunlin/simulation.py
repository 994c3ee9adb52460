# SPDX-License-Identifier: MIT
"""Scenarios, and the worlds that are built from them."""
from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

from . import _generated as made
from . import _streams
from ._base import check
from ._dunlin import ffi, lib
from .world import World


def _written(value: object) -> bytes:
    """A value as it stands in a scenario file."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, Mapping):
        return b"{" + b", ".join(str(key).encode() + b": " + _written(one) for key, one in value.items()) + b"}"
    if isinstance(value, (list, tuple)):
        return b"[" + b", ".join(_written(one) for one in value) + b"]"
    return str(value).encode()


class Simulation(World):
    """A world that is built from a scenario, with its schedules, births and models.

    scenario : path of a file, or text with more than one line
    set : values by their paths, such as {"world.boundary": "open"}
    seed, agents, threads, kernel, index : instead of what the scenario says
    """

    def __init__(self, scenario: str | os.PathLike[str], *, set: Mapping[str, object] | None = None, seed: int | None = None,
                 agents: int | None = None, threads: int = 0, kernel: str | None = None, index: str | None = None) -> None:
        error = ffi.new("dunlin_error *")
        self._scenario = _open(scenario, error)
        if set:
            texts = [(ffi.new("char[]", path.encode()), ffi.new("char[]", _written(value))) for path, value in set.items()]
            check(lib.dunlin_scenario_set(self._scenario, ffi.new("dunlin_scenario_setting[]", texts), len(texts), error), error)
        definition = ffi.new("dunlin_simulation_def *", lib.dunlin_simulation_def_default())
        keep = [ffi.new("uint64_t *", seed or 0), ffi.new("uint32_t *", agents or 0)]
        if seed is not None:
            definition.seed = keep[0]
        if agents is not None:
            definition.agents = keep[1]
        definition.threads = threads
        for name, value in (("kernel", kernel), ("index", index)):
            if value is not None:
                keep.append(ffi.new("char[]", value.encode()))
                setattr(definition, name, keep[-1])
        simulation = ffi.new("dunlin_simulation **")
        check(lib.dunlin_simulation_create(self._scenario, definition, simulation, error), error)
        self._simulation = ffi.gc(simulation[0], lib.dunlin_simulation_destroy)
        self._own(lib.dunlin_simulation_world(self._simulation))

    def checkpoint(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """As World.checkpoint(), with the scenario; `dunlin resume` continues such a file, too."""
        stream = _streams.Stream()
        self._call_simulation("save_to", _streams.write, stream.handle)
        return _streams.store(bytes(stream.written), path)

    @classmethod
    def restore(cls, source: str | os.PathLike[str] | bytes | bytearray | memoryview, *, threads: int = 0, kernel: str = "auto") -> Self:
        """A simulation from the bytes of checkpoint(), or from their file; also from a file of `dunlin run --checkpoint`."""
        definition, text = ffi.new("dunlin_simulation_def *", lib.dunlin_simulation_def_default()), ffi.new("char[]", kernel.encode())
        definition.threads, definition.kernel = threads, text
        scenario, simulation = ffi.new("dunlin_scenario **"), ffi.new("dunlin_simulation **")
        stream, error = _streams.load(source), ffi.new("dunlin_error *")
        check(lib.dunlin_simulation_open_from(definition, _streams.read, stream.handle, scenario, simulation, error), error)
        self = cls.__new__(cls)
        self._scenario = ffi.gc(scenario[0], lib.dunlin_scenario_close)
        self._simulation = ffi.gc(simulation[0], lib.dunlin_simulation_destroy)
        self._own(lib.dunlin_simulation_world(self._simulation))
        return self

    def _free(self, c: Any) -> None:
        ffi.release(self._simulation)

    def step(self, steps: int = 1) -> None:
        for _ in range(steps):
            self._call_simulation("step")

    def _call_simulation(self, name: str, *arguments: Any) -> None:
        self._change(f"dunlin_simulation_{name}", self._simulation, *arguments)

    def __setitem__(self, path: str, value: float) -> None:
        """Sets a live number by its path, such as "species.starlings.max_speed", from the next step on."""
        self._call_simulation("set_number", path.encode(), value)

    def __getitem__(self, path: str) -> made.ScenarioNumber:
        """A number of the scenario, with its range and unit, as it was when the simulation was made."""
        number = ffi.new("dunlin_scenario_number *")
        check(lib.dunlin_scenario_find_number(self._scenario, path.encode(), number, self._error), self._error)
        return made.ScenarioNumber(number)

    @property
    def steps(self) -> int:
        """The number of steps that the scenario asks for."""
        return int(lib.dunlin_scenario_steps(self._scenario))

    def metrics(self) -> dict[str, made.Metrics]:
        """What is measured of each species, by its name."""
        return {name: one.measure() for name, one in self.species.items()}


def _open(scenario: str | os.PathLike[str], error: Any) -> Any:
    opened, text = ffi.new("dunlin_scenario **"), os.fspath(scenario)
    if "\n" in text:
        bytes_ = text.encode()
        check(lib.dunlin_scenario_open_text(bytes_, len(bytes_), ffi.NULL, opened, error), error)
    else:
        check(lib.dunlin_scenario_open(os.fsencode(text), ffi.NULL, opened, error), error)
    return ffi.gc(opened[0], lib.dunlin_scenario_close)
