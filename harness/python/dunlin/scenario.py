# SPDX-License-Identifier: MIT
"""Scenarios: what they say, and what they are made of."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _generated as made
from ._base import FileError, check, not_none, text_of, unknown
from ._dunlin import ffi, lib

if TYPE_CHECKING:
    from ._base import Array

#: A scenario, or where it is: the name of a shipped one, the path of a file, text with more than one line, or what such a text would say.
Source = Union["Scenario", str, "os.PathLike[str]", Mapping[str, Any]]

_shipped = Path(__file__).parent / "shipped"


@dataclass(frozen=True)
class Finding:
    """A mistake in a scenario, or a warning about an entry that nothing uses.

    is_mistake : True: the scenario cannot run; False: a warning
    line : from 1; 0: it has none
    message : one line, which begins with the file's name and the line
    """
    is_mistake: bool
    line: int
    message: str


@ffi.def_extern()  # type: ignore[misc]
def dunlin_python_report(user: Any, finding: Any) -> None:
    ffi.from_handle(user).append(Finding(finding.is_mistake, finding.line, ffi.string(finding.message).decode("utf-8", "replace")))


class Scenario:
    """A scenario that has been read and checked.

    source : the name of a shipped scenario, see scenarios(); or the path of a file; or text with more than one line; or what such a text
        would say, as a dict; or a Scenario, of which this is a copy
    set : values by their paths, such as {"world.boundary": "open"}
    folder : the folder of the files that it names; None: that of its path, for a text the present one
    allow_outside : whether these files may lie outside the folder
    max_agents, max_cells : what a scenario of others may ask for: agents at the start, and cells of all fields; None: no limit

    Its numbers can be read by their paths: scenario["species.starlings.max_speed"] is a ScenarioNumber, with range and unit; any value can
    be set: scenario["world.boundary"] = "open".
    """

    def __init__(self, source: Source, *, set: Mapping[str, object] | None = None, folder: str | os.PathLike[str] | None = None,
                 allow_outside: bool = False, max_agents: int | None = None, max_cells: int | None = None) -> None:
        given = not_none(folder=folder, allow_outside=allow_outside or None, max_agents=max_agents, max_cells=max_cells)
        self._options: dict[str, Any] = {**source._options, "name": source.path, **given} if isinstance(source, Scenario) else given
        self._own(_open(source, self._options))
        if set:
            self.set(set)

    def _own(self, c: Any) -> None:
        self._c, self._error = c, ffi.new("dunlin_error *")

    def __repr__(self) -> str:
        return f"<Scenario {self.name!r}: {self.description or self.path}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _copy, (self.text(), {**self._options, "name": self.path})

    def set(self, values: Mapping[str, object]) -> None:
        """Sets values of any kind by their paths, for simulations that are made from now on. They may need each other."""
        texts = [(ffi.new("char[]", path.encode()), ffi.new("char[]", _written(value).encode())) for path, value in values.items()]
        check(lib.dunlin_scenario_set(self._c, ffi.new("dunlin_scenario_setting[]", texts), len(texts), self._error), self._error)

    def __setitem__(self, path: str, value: object) -> None:
        self.set({path: value})

    def __getitem__(self, path: str) -> made.ScenarioNumber:
        number = ffi.new("dunlin_scenario_number *")
        check(lib.dunlin_scenario_find_number(self._c, path.encode(), number, self._error), self._error)
        return made.ScenarioNumber(number)

    @property
    def numbers(self) -> dict[str, made.ScenarioNumber]:
        """All numbers by their paths, whether the file gives them or not, with their ranges, units and words."""
        every = (made.ScenarioNumber(lib.dunlin_scenario_number_at(self._c, i)) for i in range(lib.dunlin_scenario_number_count(self._c)))
        return {number.path: number for number in every}

    def check(self) -> None:
        """Builds the world without agents, and raises the first mistake that shows only then. findings() has all of them."""
        check(lib.dunlin_scenario_check(self._c, self._error), self._error)

    def resolve(self, *, seed: int | None = None, agents: int | None = None) -> None:
        """Sets a seed, and a number of agents of all species, which is divided in proportion to the scenario's."""
        definition, keep = simulation_definition(seed=seed, agents=agents)
        check(lib.dunlin_scenario_resolve(self._c, definition, self._error), self._error)

    def text(self) -> str:
        """The scenario as a file, with what has been set, all defaults, and units in comments."""
        return text_of(lib.dunlin_scenario_write, self._c)

    @property
    def name(self) -> str:
        """The name that the file gives; else the file's, without its ending."""
        return _string(lib.dunlin_scenario_name(self._c))

    @property
    def description(self) -> str:
        """What there is to see; "": the file does not say."""
        return _string(lib.dunlin_scenario_description(self._c))

    @property
    def path(self) -> str:
        """The path of the file; "scenario" for a text."""
        return _string(lib.dunlin_scenario_path(self._c))

    @property
    def files(self) -> list[str]:
        """The names of the files that the scenario reads, as they stand there."""
        names: list[str] = []
        while (name := lib.dunlin_scenario_file_at(self._c, len(names))) != ffi.NULL:
            names.append(_string(name))
        return names

    @property
    def steps(self) -> int:
        """The number of steps that the scenario asks for."""
        return int(lib.dunlin_scenario_steps(self._c))

    @property
    def y_is_down(self) -> bool:
        """Whether pictures have y downwards. Positions are the same either way."""
        return bool(lib.dunlin_scenario_y_is_down(self._c))

    def look(self, species: int) -> made.Look:
        """How agents of a species, which counts from 0 in the order of the file, are drawn."""
        return made.Look(lib.dunlin_scenario_look(self._c, species))


def _open(source: Source, options: dict[str, Any], report: Any = ffi.NULL) -> Any:
    """A scenario of the library's, from now on with the folder in `options`; report: the handle of a list for findings."""
    opened, error, text = ffi.new("dunlin_scenario **"), ffi.new("dunlin_error *"), _source_text(source)
    is_path = "\n" not in text
    path = _find(text) if is_path else ""
    if is_path:
        options.setdefault("folder", os.path.dirname(os.path.abspath(path)))
    definition, _keep = _definition(options)
    if report != ffi.NULL:
        definition.report, definition.report_user = lib.dunlin_python_report, report
    if is_path:
        check(lib.dunlin_scenario_open(os.fsencode(path), definition, opened, error), error)
    else:
        check(lib.dunlin_scenario_open_text(text.encode(), len(text.encode()), definition, opened, error), error)
    return ffi.gc(opened[0], lib.dunlin_scenario_close)


def _source_text(source: Source) -> str:
    """A text with a line's end, or a path or name."""
    if isinstance(source, Scenario):
        return source.text()
    return _written(source) + "\n" if isinstance(source, Mapping) else os.fspath(source)


def _definition(options: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    """A dunlin_scenario_def, and what keeps alive what it points to."""
    definition, keep = ffi.new("dunlin_scenario_def *", lib.dunlin_scenario_def_default()), list[Any]()
    for name, value in options.items():
        if name in ("name", "folder"):
            _text(definition, keep, **{name: value})
        else:
            setattr(definition, name, value)
    return definition, keep


def _copy(text: str, options: dict[str, Any]) -> Scenario:
    scenario = Scenario.__new__(Scenario)
    scenario._options = options
    scenario._own(_open(text, options))
    return scenario


def _text(definition: Any, keep: list[Any], **texts: str | os.PathLike[str] | None) -> None:
    """Sets texts of a definition, which `keep` keeps alive; None: the default stays."""
    for name, value in texts.items():
        if value is not None:
            keep.append(ffi.new("char[]", os.fsencode(value)))
            setattr(definition, name, keep[-1])


def _string(c: Any) -> str:
    return os.fsdecode(ffi.string(c))


def _written(value: object) -> str:
    """A value as it stands in a scenario file, which may be JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    """NumPy's arrays and numbers as lists and numbers."""
    if not hasattr(value, "tolist"):
        raise TypeError(f"a scenario cannot have {value!r}")
    return value.tolist()


def _find(name: str) -> str:
    """The path of a file, or of the shipped scenario of that name."""
    if os.path.exists(name) or os.path.dirname(name):
        return name
    if name.removesuffix(".yaml") not in scenarios():
        raise FileError(f"there is no such file, and {unknown('shipped scenario', name, scenarios())}")
    return str(_shipped / f"{name.removesuffix('.yaml')}.yaml")


def scenarios() -> list[str]:
    """The names of the shipped scenarios, which Scenario and Simulation take."""
    return sorted(path.stem for path in _shipped.glob("*.yaml"))


def findings(source: Source) -> list[Finding]:
    """All mistakes and warnings of a scenario, in the order in which they are found, as from `dunlin check`. Mistakes in the syntax raise."""
    found: list[Finding] = []
    handle = ffi.new_handle(found)
    try:
        _open(source, dict(source._options) if isinstance(source, Scenario) else {}, handle)
    except Exception:
        if not any(finding.is_mistake for finding in found):
            raise
    return found


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of scenario files."""
    return json.loads(text_of(lib.dunlin_scenario_schema))  # type: ignore[no-any-return]


def outline(shape: made.Shape | str) -> Array | float:
    """What an agent of length 1 that moves along x looks like: the corners (corners, 2) of a polygon, or the radius of a disc."""
    c = lib.dunlin_shape_outline(made.Shape.of(shape))
    return float(c.radius) if c.radius > 0 else np.array([list(corner) for corner in c.corners[0:c.count]], np.float32)


def simulation_definition(*, seed: int | None = None, agents: int | None = None, threads: int = 0, reseed: bool = False,
                          **texts: str | os.PathLike[str] | None) -> tuple[Any, list[Any]]:
    """A dunlin_simulation_def, and what keeps alive what it points to."""
    definition, keep = ffi.new("dunlin_simulation_def *", lib.dunlin_simulation_def_default()), list[Any]()
    definition.threads, definition.reseed = threads, reseed
    for name, kind, value in (("seed", "uint64_t *", seed), ("agents", "uint32_t *", agents)):
        if value is not None:
            keep.append(ffi.new(kind, value))
            setattr(definition, name, keep[-1])
    _text(definition, keep, **texts)
    return definition, keep
