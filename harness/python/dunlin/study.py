# SPDX-License-Identifier: MIT
"""Studies: a scenario or a function, run many times with other settings and seeds.

Each run is a process of its own with one thread: Python's lock, which threads of small worlds would wait for, does not matter then. The processes
are forked, so what they run need not be pickled, only what they return.
"""
from __future__ import annotations

import contextlib
import itertools
import math
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import InvalidValue, unknown, within
from ._record import metrics_names, record
from .convert import needed
from .scenario import Scenario, Source
from .simulation import Simulation

if TYPE_CHECKING:
    from ._base import Array

Row = Mapping[str, Any]
Measure = str | Sequence[str] | Callable[["Array"], Row]


@dataclass(frozen=True)
class _Run:
    """A run of a study: what its columns show of it, and what is set for it."""
    shown: dict[str, Any]
    values: dict[str, Any]
    seed: int


def _points(vary: Mapping[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What columns show, and what is set, in every combination."""
    for name, values in vary.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise TypeError(f"vary[{name!r}] is {values!r}: give a list of values")
    axes = [[({name: shown}, dict(own)) for shown, own in values.items()] if isinstance(values, Mapping)
            else [({name: one}, {name: one}) for one in values] for name, values in vary.items()]
    return [({k: v for shown, _ in point for k, v in shown.items()}, {k: v for _, own in point for k, v in own.items()})
            for point in itertools.product(*axes)]


@contextlib.contextmanager
def _named(shown: Mapping[str, Any]) -> Iterator[None]:
    """Adds to an exception of which run it is."""
    try:
        yield
    except Exception as error:
        error.add_note("in the run with " + ", ".join(f"{name}={value!r}" for name, value in shown.items()))
        raise


# ---- what is run -----------------------------------------------------------------------------------------------------------

def _calls(function: Callable[..., Row]) -> Callable[[_Run], list[Row]]:
    def call(run: _Run) -> list[Row]:
        row = function(seed=run.seed, **run.values)
        if not isinstance(row, Mapping):
            raise TypeError(f"the function returns {row!r}: it returns numbers by the names of their columns, a dict")
        return [row]

    return call


def _measure(measure: Measure | None) -> Callable[[Array], Row]:
    """What makes the numbers of a row from the measured rows of a run."""
    if callable(measure):
        return measure
    names = metrics_names if measure is None else [measure] if isinstance(measure, str) else measure
    for name in names:
        if name not in metrics_names:
            raise InvalidValue(unknown("metric", name, metrics_names))
    return lambda rows: {name: _mean(rows[name]) for name in names}


def _mean(values: Array) -> float:
    """The mean of the values that there are."""
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else np.nan


@dataclass(frozen=True)
class _Study:
    """A scenario that is run, and what is measured of it."""
    scenario: Source
    set: Mapping[str, Any]
    steps: int | None
    measure: Callable[[Array], Row]
    last: float
    start: int | None
    every: int

    def __post_init__(self) -> None:
        if self.steps is not None:
            within("steps", self.steps, 0)
        within("every", self.every, 1)
        if not 0 < self.last <= 1:
            raise InvalidValue(f"last is {self.last}; allowed: above 0, up to 1")

    def window(self, steps: int) -> Callable[[int], bool]:
        """The steps that count: those of a study file's window."""
        if self.start is not None:
            within("start", self.start, 0, steps)
        share = max(math.floor(self.last * steps + 0.5), 1)
        begin = max(0, steps - share + 1) if self.start is None else self.start
        return lambda step: begin <= step <= steps and (step % self.every == 0 or step in (begin, steps))

    def check(self, values: Mapping[str, Any]) -> None:
        """Raises what is wrong whatever the seed is."""
        scenario = Scenario(self.scenario, set={**self.set, **values})
        scenario.check()
        self.window(scenario.steps if self.steps is None else self.steps)

    def run(self, run: _Run) -> list[Row]:
        with Simulation(self.scenario, set={**self.set, **run.values}, seed=run.seed, threads=1) as simulation:
            steps = simulation.steps if self.steps is None else self.steps
            rows = record(simulation, steps, self.window(steps))
            return [{"species": name, **self.measure(rows[rows["species"] == name])} for name in simulation.species]


# ---- who runs it -----------------------------------------------------------------------------------------------------------

def _run(work: Callable[[_Run], list[Row]], run: _Run) -> list[Row]:
    with _named({**run.shown, "seed": run.seed}):
        return work(run)


def _serve(work: Callable[[_Run], list[Row]], runs: Sequence[_Run], pipe: Any) -> None:
    """A process of the crew: runs what numbers come, until its parent ends it. Ctrl-C is the parent's."""
    import multiprocessing.connection
    import pickle
    import traceback

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    while parent is not None and pipe in multiprocessing.connection.wait([pipe, parent.sentinel]):
        try:
            pipe.send(_run(work, runs[pipe.recv()]))
        except (Exception, SystemExit) as error:
            where = "".join(traceback.format_exception(error))
            error.add_note(where)
            try:
                pickle.loads(pickle.dumps(error))
            except Exception:
                error = RuntimeError(where)
            pipe.send(error)


def _crew(work: Callable[[_Run], list[Row]], runs: Sequence[_Run], jobs: int) -> Generator[tuple[int, list[Row]], None, None]:
    """The numbers and results of runs, as these end."""
    import multiprocessing.connection  # which takes as long to import as the package

    if jobs == 1:
        yield from ((number, _run(work, run)) for number, run in enumerate(runs))
        return
    waiting, fork, crew = iter(range(len(runs))), multiprocessing.get_context("fork"), []
    busy: dict[Any, int] = {}
    try:
        for number in itertools.islice(waiting, jobs):
            pipe: Any
            pipe, theirs = fork.Pipe()
            process = fork.Process(target=_serve, args=(work, runs, theirs), daemon=True)
            process.start()
            crew.append(process)
            theirs.close()
            pipe.send(number)
            busy[pipe] = number
        while busy:
            for pipe in list[Any](multiprocessing.connection.wait(list(busy))):
                number = busy.pop(pipe)
                yield number, _receive(pipe, runs[number])
                for number in itertools.islice(waiting, 1):
                    pipe.send(number)
                    busy[pipe] = number
    finally:
        for process in crew:
            process.terminate()
            process.join()


def _receive(pipe: Any, run: _Run) -> list[Row]:
    try:
        result = pipe.recv()
    except (EOFError, OSError):
        with _named({**run.shown, "seed": run.seed}):
            raise RuntimeError("a process of the sweep has ended: was there enough memory?") from None
    if isinstance(result, BaseException):
        raise result
    return result  # type: ignore[no-any-return]


# ---- the sweep -------------------------------------------------------------------------------------------------------------

def sweep(scenario: Source | Callable[..., Row], vary: Mapping[str, Iterable[Any] | Mapping[Any, Mapping[str, Any]]], *,
          seeds: int | Iterable[int] = 1, set: Mapping[str, Any] | None = None, steps: int | None = None, measure: Measure | None = None,
          last: float = 0.5, start: int | None = None, every: int = 1, jobs: int | None = None, progress: bool | None = None) -> Any:
    """Runs a scenario with every combination of values and every seed, and returns a pandas.DataFrame with a row per run and species.

    scenario : as for Simulation; or a function, see below
    vary : what varies, in columns of these names: values by a path, such as {"species.dunlins.max_speed": [1, 2]}, or settings that change
        together, by what the column shows, such as {"agents": {100: {"species.dunlins.agents": 100, "world.size": [50, 50]}, …}}
    seeds : how many, from 1 on, or the seeds themselves
    set : what all runs set, as for Simulation
    steps : of each run; None: as many as the scenario asks for
    measure : names of metrics, of which each run has the means; or a function that gets the measured rows of a run and species, as
        World.record() returns them, and returns numbers by the names of their columns; None: the means of all metrics
    last : the share of a run that counts, from its end, above 0, up to 1; at least the last state counts
    start : instead of `last`: the first step with a state that counts; 0: the start
    every : measure only steps that are a multiple of this, and the first and last one that count
    jobs : runs at the same time, each on one thread; None: as many as there are cores; 1: in this process, for debuggers
    progress : show how many runs have ended on stderr; None: if it is a terminal

    A mean is over the states in which a metric has a value; NaN: it has none. The settings are checked before the first run. A run that
    fails raises its exception, with a note that names its values and seed. This exception, and the KeyboardInterrupt of Ctrl-C, have the
    rows of the runs that ended before as `partial`.

    With a function, `vary` and `seeds` are all that counts: function(seed=1, **values) is called for every run, with the values by the
    names of their columns or, where they change together, by the names of their settings, and returns the numbers of a row.
    """
    pandas = needed("pandas")

    if jobs is not None:
        within("jobs", jobs, 1)
    points = _points(vary)
    if isinstance(seeds, (int, np.integer)):
        within("seeds", int(seeds), 1)
        seeds = range(1, int(seeds) + 1)
    every_seed = list(seeds)
    runs = [_Run(shown, values, seed) for shown, values in points for seed in every_seed]
    if callable(scenario):
        if any(value is not None for value in (set, steps, measure, start)) or (last, every) != (0.5, 1):
            raise TypeError("set, steps, measure, last, start and every are for scenarios: a function runs as it likes")
        work = _calls(scenario)
    else:
        study = _Study(scenario, set or {}, steps, _measure(measure), last, start, every)
        for shown, values in points:
            with _named(shown):
                study.check(values)
        work = study.run
    results: dict[int, list[Row]] = {}

    def table() -> Any:
        return pandas.DataFrame([{**runs[i].shown, "seed": runs[i].seed, **row} for i in sorted(results) for row in results[i]])

    shows = sys.stderr.isatty() if progress is None else progress
    try:
        with contextlib.closing(_crew(work, runs, jobs or len(os.sched_getaffinity(0)))) as ended:
            for number, rows in ended:
                results[number] = rows
                if shows:
                    print(f"\r{len(results)} of {len(runs)} runs", end="", file=sys.stderr, flush=True)
    except BaseException as error:
        setattr(error, "partial", table())
        raise
    finally:
        if shows:
            print(file=sys.stderr)
    return table()
