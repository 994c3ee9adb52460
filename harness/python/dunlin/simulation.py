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
from .callbacks import functions_of
from .scenario import Scenario, Source, simulation_definition
from .world import World


class Simulation(World):
    """A world that is built from a scenario, with its schedules, births and models.

    scenario : a Scenario, or its source, as for Scenario: the name of a shipped one, a path, a text, a dict
    set : values by their paths, such as {"world.boundary": "open"}
    seed, agents, threads, kernel, index : instead of what the scenario says
    init : path of a state file with the agents, instead of the scenario's; reseed : keep the seed if the file has another one
    """

    def __init__(self, scenario: Source, *, set: Mapping[str, object] | None = None, seed: int | None = None, agents: int | None = None,
                 threads: int = 0, kernel: str | None = None, index: str | None = None, init: str | os.PathLike[str] | None = None,
                 reseed: bool = False) -> None:
        own = scenario if isinstance(scenario, Scenario) and not set else Scenario(scenario, set=set)
        definition, _keep = simulation_definition(seed=seed, agents=agents, threads=threads, kernel=kernel, index=index, init=init, reseed=reseed)
        simulation, error = ffi.new("dunlin_simulation **"), ffi.new("dunlin_error *")
        check(lib.dunlin_simulation_create(own._c, definition, simulation, error), error)
        self._run(own, simulation[0])

    def _run(self, scenario: Scenario, simulation: Any) -> None:
        self.scenario, self._scenario, self._simulation = scenario, scenario._c, ffi.gc(simulation, lib.dunlin_simulation_destroy)
        self._own(lib.dunlin_simulation_world(self._simulation))

    def checkpoint(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """As World.checkpoint(), with the scenario; `dunlin resume` continues such a file, too. Not with functions as behaviours."""
        functions_of(self)  # raises, if there are any
        stream = _streams.Stream()
        with self._alone():
            self._open()
            self._check(lib.dunlin_simulation_save_to(self._simulation, _streams.write, stream.handle, self._error))
        return _streams.store(bytes(stream.written), path)

    @classmethod
    def restore(cls, source: str | os.PathLike[str] | bytes | bytearray | memoryview, *, threads: int = 0, kernel: str = "auto") -> Self:  # type: ignore[override]
        """A simulation from the bytes of checkpoint(), or from their file; also from a file of `dunlin run --checkpoint`."""
        definition, _keep = simulation_definition(threads=threads, kernel=kernel)
        scenario, simulation = ffi.new("dunlin_scenario **"), ffi.new("dunlin_simulation **")
        stream, error = _streams.load(source), ffi.new("dunlin_error *")
        check(lib.dunlin_simulation_open_from(definition, _streams.read, stream.handle, scenario, simulation, error), error)
        self, own = cls.__new__(cls), Scenario.__new__(Scenario)
        own._options = {}
        own._own(ffi.gc(scenario[0], lib.dunlin_scenario_close))
        self._run(own, simulation[0])
        return self

    def _free(self, c: Any) -> None:
        ffi.release(self._simulation)

    def __setitem__(self, path: str, value: float) -> None:
        """Sets a live number by its path, such as "species.starlings.max_speed", from the next step on."""
        self._change(lib.dunlin_simulation_set_number, self._simulation, path.encode(), value)

    def __getitem__(self, path: str) -> made.ScenarioNumber:
        """A number of the scenario, with its range and unit: not what has been set since."""
        return self.scenario[path]

    @property
    def steps(self) -> int:
        """The number of steps that the scenario asks for."""
        return self.scenario.steps

    def metrics(self) -> dict[str, made.Metrics]:
        """What is measured of each species, by its name."""
        return {name: one.measure() for name, one in self.species.items()}
