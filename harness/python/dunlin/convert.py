# SPDX-License-Identifier: MIT
"""Agents and trajectories as tables of other packages, which are imported only when they are wanted."""
from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import FileError

if TYPE_CHECKING:
    from ._base import Array
    from .things import Species

_axes = "xyz"
_fill = np.float32(9.9692099683868690e36)  # of numbers that a row of a trajectory does not have
_no_image = -2147483647


def needed(name: str) -> Any:
    """A module that the package can do without."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs the package {name}: install it with pip, or as python3-{name} on Debian", name=name) from error


# ---- agents ----------------------------------------------------------------------------------------------------------------

def _columns(species: Species) -> dict[str, Array]:
    columns = dict(zip(species.world._columns, [*species.position.T, *species.velocity.T]))
    return columns | {name: species[name] for name in species._attribute_names()}


def to_pandas(species: Species) -> Any:
    pandas = needed("pandas")
    return pandas.DataFrame(_columns(species), index=pandas.Index(species.id, name="id"))


def to_xarray(species: Species) -> Any:
    world, vectors = species.world, {"position": species.position, "velocity": species.velocity}
    attributes = {name: ("id", species[name]) for name in species._attribute_names()}
    clock = world.clock
    return needed("xarray").Dataset(
        {name: (("id", "axis"), rows) for name, rows in vectors.items()} | attributes,
        coords={"id": species.id, "axis": list(_axes[:world.dimensions])},
        attrs={"species": species.name, "step": clock.step, "time": clock.time, "size": list(world.size[:world.dimensions]),
               "boundary": world.boundary.name.lower(), "time_step": world.time_step, "seed": np.uint64(world.seed)})


def to_awkward(species: Species) -> Any:
    return needed("awkward").zip({"id": species.id, **_columns(species)})


# ---- trajectories ----------------------------------------------------------------------------------------------------------

class _Trajectory:
    """A file of `dunlin run --trajectory`, whose rows are found by their agents' ids."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            self.file = needed("h5py").File(path, "r", swmr=True)
            self.step = self.file["step"][:]
            self.facts = {name: _plain(value) for name, value in self.file["parameters"].attrs.items()}
            self.agents = self.file["particles/agents"]
            self.rows = self.file["parameters/frames/rows/value"][:len(self.step)]
        except (OSError, KeyError) as error:
            raise FileError(f"{os.fspath(path)} is no trajectory of dunlin run: {error}") from None
        self.dimensions = int(self.facts["dimensions"])
        self.id, self.species = self._find_agents()

    def ids(self, frame: int) -> Array:
        return self.agents["id/value"][frame, :self.rows[frame]].view(np.uint32)  # type: ignore[no-any-return]

    def _find_agents(self) -> tuple[Array, Array]:
        """All ids, ascending, and the number of each one's species; -1: the file does not have it."""
        known, kinds, before = np.empty(0, np.uint32), np.empty(0, np.int8), None
        for frame in range(len(self.step)):
            ids = self.ids(frame)
            if before is not None and np.array_equal(ids, before):
                continue
            own = self.agents["species/value"][frame, :len(ids)] if "species" in self.agents else np.full(len(ids), -1, np.int8)
            known, first = np.unique(np.concatenate([known, ids]), return_index=True)
            kinds, before = np.concatenate([kinds, own])[first], ids
        return known, kinds

    def fields(self) -> Iterator[tuple[str, Any]]:
        """What each row has, by its name."""
        for name, group in self.agents.items():
            if name not in ("box", "id", "species", "slot"):
                yield _plain(group.attrs.get("name", name)), group["value"]

    def read(self, values: Any, frame: int) -> Array:
        """The numbers of a frame, a row per agent of the whole trajectory; NaN: it has none."""
        if not self.file:
            raise ValueError("the trajectory is closed: load what is needed before")
        found = values[frame, :self.rows[frame]]
        width = (self.dimensions,) if found.ndim > 1 else ()
        kind, fill = (np.float32, _fill) if found.dtype.kind == "f" else (np.float64, _no_image)
        rows = np.full((len(self.id), *width), np.nan, kind)
        there = np.where(found == fill, np.nan, found)
        at = slice(None) if len(found) == len(self.id) else np.searchsorted(self.id, self.ids(frame))
        rows[at] = there[:, :self.dimensions] if width else there
        return rows


def _plain(value: Any) -> Any:
    """An attribute of a file as Python has it."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value.decode() if isinstance(value, bytes) else value


def _lazy(trajectory: _Trajectory, values: Any) -> Any:
    """A variable that reads the frames that are wanted."""
    indexing = needed("xarray.core.indexing")
    width = (trajectory.dimensions,) if values.ndim > 2 else ()

    class Frames(needed("xarray.backends").BackendArray):  # type: ignore[misc]
        shape = (len(trajectory.step), len(trajectory.id), *width)
        dtype = np.dtype(np.float32 if values.dtype.kind == "f" else np.float64)

        def __getitem__(self, key: Any) -> Any:
            return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self.read)

        def read(self, key: tuple[Any, ...]) -> Array:
            frames = np.arange(self.shape[0])[key[0]]
            read = [self.part(int(frame), key[1:]) for frame in np.atleast_1d(frames)]
            return np.stack(read) if frames.ndim and read else read[0] if read else np.empty((0, *self.shape[1:]), self.dtype)

        def part(self, frame: int, key: tuple[Any, ...]) -> Array:
            rows = trajectory.read(values, frame)
            wanted: Array = rows[:, key[1]][key[0]] if width else rows[key[0]]
            return wanted

    return needed("xarray").Variable(("frame", "id", "axis")[:len(Frames.shape)], indexing.LazilyIndexedArray(Frames()))


def open_trajectory(path: str | os.PathLike[str]) -> Any:
    """A file of `dunlin run --trajectory` as an xarray.Dataset, with a row per agent that ever lived in it.

    position : (frame, id, axis) world units
    velocity : (frame, id, axis) world units per time unit
    image : (frame, id, axis) how often the agent has crossed the edges of periodic axes
    energy, … : (frame, id) each attribute, by its name
    size : (frame, axis) world units: the world's size

    Coordinates are step (frame), time (frame), id (id), species (id), axis; attrs are facts of the run. The file has what the options of
    the run have chosen. Before its birth and after its death an agent's numbers are NaN. Frames are read when they are used, so
    data.position.isel(frame=-1) reads one frame only; data.load() reads all. A file that still grows shows the frames that it had when
    it was opened. Close the file with data.close(), or use data in a `with` block.
    """
    xarray, trajectory = needed("xarray"), _Trajectory(path)
    names = np.array([*trajectory.facts["species"], ""], dtype=np.str_)
    frames = len(trajectory.step)
    data = xarray.Dataset(
        {name: _lazy(trajectory, values) for name, values in trajectory.fields()}
        | {"size": (("frame", "axis"), trajectory.file["cell_lengths"][:frames, :trajectory.dimensions])},
        coords={"step": ("frame", trajectory.step), "time": ("frame", trajectory.file["time"][:frames]), "id": trajectory.id,
                "species": ("id", names[trajectory.species]), "axis": list(_axes[:trajectory.dimensions])}, attrs=trajectory.facts)
    data.set_close(trajectory.file.close)
    return data
