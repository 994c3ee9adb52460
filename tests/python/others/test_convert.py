# SPDX-License-Identifier: MIT
"""Agents and trajectories in pandas, xarray and awkward."""
import os
import re
import subprocess
import sys
import types

import numpy as np
import pytest
import xarray

import dunlin
from conftest import scenarios


@pytest.fixture(scope="module")
def hunt(tmp_path_factory):
    """A trajectory with births and deaths, and the same run in Python: its frames by their steps, as {name: (id, position, velocity, energy)}."""
    path = tmp_path_factory.mktemp("hunt") / "run.h5"
    subprocess.run([os.environ["DUNLIN_PROGRAM"], "run", "ecosystem", "--quiet", "--steps=60", "--agents=900", "--trajectory", path, "--every=20"],
                   check=True, capture_output=True)
    simulation, frames = dunlin.Simulation("ecosystem", agents=900), {}
    for step in (0, 20, 40, 60):
        simulation.step(step - simulation.stats.step)
        frames[step] = {name: one.to_xarray() for name, one in simulation.species.items()}
    return path, frames


def test_a_trajectory_has_every_agent_that_lived(hunt):
    path, frames = hunt
    died = 0
    with dunlin.open_trajectory(path) as data:
        assert data.position.dims == ("frame", "id", "axis") and data.step.values.tolist() == list(frames) and data.axis.values.tolist() == ["x", "y"]
        assert data.attrs["scenario"] == "ecosystem" and (data["size"] == frames[0]["foxes"].attrs["size"]).all()
        for f, by_species in enumerate(frames.values()):
            for name, want in by_species.items():
                got = data.isel(frame=f).sel(id=data.species == name)
                lives = ~np.isnan(got.position[:, 0].values)
                there = got.isel(id=lives)
                assert (there.id.values == want.id.values).all() and float(there.time) == want.attrs["time"]
                for field in want.data_vars:
                    np.testing.assert_array_equal(there[field].values, want[field].values)
                for field in set(data.data_vars) - set(want.data_vars) - {"image", "size"}:
                    assert there[field].isnull().all()
                gone = got.isel(id=~lives)
                assert gone.velocity.isnull().all() and gone.image.isnull().all()
                died += len(gone.id)
        counts = data.position.isel(axis=0).notnull().sum("id").values
        born = len(data.id) - counts[0]
        assert died > 10 and born > 10 and counts.tolist() == [sum(len(one.id) for one in each.values()) for each in frames.values()]


def test_parts_of_a_trajectory_are_those_of_the_whole(hunt):
    with dunlin.open_trajectory(hunt[0]) as data:
        whole = data.position.load().copy().values
    with dunlin.open_trajectory(hunt[0]) as data:
        some = data.id.values[[3, 1, 800]]
        np.testing.assert_array_equal(data.position.sel(id=some).isel(frame=slice(None, None, -2), axis=1), whole[::-2][:, [3, 1, 800], 1])
        np.testing.assert_array_equal(data.position.isel(frame=2, id=5), whole[2, 5])
        np.testing.assert_array_equal(data.position.isel(frame=[1, 0], id=[7, 8, 9], axis=[0]), whole[[1, 0]][:, 7:10, :1])
        assert data.position.isel(frame=slice(0, 0)).shape == (0, *whole.shape[1:])
        np.testing.assert_array_equal(data.swap_dims(frame="step").position.sel(step=40), whole[2])
    with pytest.raises(ValueError, match="is closed"):
        data.position.load()
    data = dunlin.open_trajectory(hunt[0])
    assert data.mean("id").position.shape == (4, 2) and data.to_dataframe().shape[0] == whole.size


def test_the_guide_reads_it(hunt, tmp_path, monkeypatch):
    """Its block that begins with a file."""
    block = re.search(r"```py\n(.*?)```", (scenarios.parents[1] / "docs/python.md").read_text(), re.S)[1]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.h5").symlink_to(hunt[0])
    names = {}
    exec(block + "    alive, last, way, raw = alive.load(), last.load(), way.load(), run.position.load()\n", {"dunlin": dunlin}, names)
    frames = list(hunt[1].values())
    assert names["alive"].values.tolist() == [len(one["foxes"].id) for one in frames] and len(names["last"].id) == sum(len(one.id) for one in frames[-1].values())
    straight = names["way"].diff("frame")
    assert np.nanmax(np.abs(straight)) < 21 < np.nanmax(np.abs(names["raw"].diff("frame")))  # 20 steps at a speed below 1


def test_what_is_no_trajectory_is_refused(tmp_path):
    (tmp_path / "some.h5").write_text("no")
    for name in ("some.h5", "none.h5"):
        with pytest.raises(dunlin.FileError, match=f"{name} is no trajectory"):
            dunlin.open_trajectory(tmp_path / name)


def test_agents_are_a_dataset(flock, tmp_path):
    world, birds, _ = flock
    birds.add_attribute("energy", value=2)
    world.step(3)
    data = birds.to_xarray()
    assert data.position.dims == data.velocity.dims == ("id", "axis") and data.energy.dims == ("id",) and set(data.coords) == {"id", "axis"}
    assert (data.position.values == birds.position).all() and (data.velocity.sel(axis="y").values == birds.velocity[:, 1]).all()
    assert (data.sel(id=birds.id[7]).energy == 2).all() and data.attrs["step"] == 3 and data.attrs["boundary"] == "periodic"
    data.to_netcdf(tmp_path / "birds.nc")
    again = xarray.open_dataset(tmp_path / "birds.nc")
    assert again.equals(data) and again.attrs["seed"] == 3 and again.attrs["size"].tolist() == [40, 30]


def test_agents_are_records(flock, monkeypatch):
    """Of awkward, which Debian does not have, a function that does what its zip() does with columns."""
    monkeypatch.setitem(sys.modules, "awkward", types.SimpleNamespace(zip=lambda columns: np.rec.fromarrays(list(columns.values()), names=list(columns))))
    _, birds, _ = flock
    records = birds.to_awkward()
    assert records.dtype.names == ("id", "x", "y", "vx", "vy") and (records.x == birds.position[:, 0]).all() and (records.id == birds.id).all()


def test_a_module_that_is_missing_is_named(flock, monkeypatch):
    for name, use in (("awkward", flock[1].to_awkward), ("xarray", flock[1].to_xarray), ("pandas", flock[1].to_pandas)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ImportError, match=f"the package {name}"):
            use()
