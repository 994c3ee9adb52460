# SPDX-License-Identifier: MIT
"""Scenarios: shipped ones, texts, dicts; what they say; and what is measured of their steps."""
import copy
import csv
import os
import pickle
import subprocess

import numpy as np
import pytest

import dunlin
from conftest import scenarios


def test_record_is_what_the_program_writes(tmp_path):
    run = [os.environ["DUNLIN_PROGRAM"], "run", "ecosystem", "--quiet", "--steps=31", "--agents=900", "--metrics", tmp_path / "metrics.csv", "--metrics-every=5"]
    subprocess.run(run, check=True, capture_output=True)
    with open(tmp_path / "metrics.csv", newline="") as file:
        wanted = list(csv.DictReader(file))
    rows = dunlin.Simulation("ecosystem", agents=900).record(31, every=5)
    assert len(rows) == len(wanted) == 7 * len(set(rows["species"]))
    for row, want in zip(rows, wanted):
        for name, text in want.items():
            assert row[name] == text if name == "species" else np.isnan(row[name]) if text == "" else float(f"{row[name]:.9g}") == float(text), name
    assert set(rows.dtype.names) == {"time", *wanted[0]}


def test_record_is_cut_short_by_an_exception(flock):
    world, birds, _ = flock
    world.step(2)

    def stop(tile):
        if tile.step == 4:
            raise KeyboardInterrupt

    birds.add_behaviour("custom", callback=stop)
    with pytest.raises(KeyboardInterrupt) as raised:
        world.record(10)
    rows = raised.value.partial
    assert rows["step"].tolist() == [2, 2, 3, 3] and rows["species"].tolist() == ["dunlins", "peregrines"] * 2
    assert world.clock.step == 4 and rows["time"].tolist() == [2, 2, 3, 3]
    with pytest.raises(ValueError, match="every"):
        world.record(10, every=0)


def test_shipped_scenarios_have_names():
    assert dunlin.scenarios() == sorted(path.stem for path in scenarios.glob("*.yaml"))
    assert dunlin.Simulation("starlings", agents=50).hash() == dunlin.Simulation(scenarios / "starlings.yaml", agents=50).hash()
    with pytest.raises(OSError, match="did you mean 'starlings'"):
        dunlin.Simulation("starling")


def test_a_scenario_says_what_it_has(tmp_path):
    scenario = dunlin.Scenario("vicsek", set={"species.particles.agents": 40})
    assert scenario.name == "vicsek" and scenario.description.startswith("Vicsek's particles") and scenario.steps == 1500 and scenario.files == []
    number = scenario["species.particles.agents"]
    assert number.value == 40 and number.path == "species[0].agents" and number.whole and number.given and not number.live and number.min == 0
    assert scenario.numbers["models[0].vicsek.radius"].unit == "world units" and scenario.path.endswith("vicsek.yaml") and not scenario.y_is_down
    scenario["world.size"] = np.array([20, 20])
    (tmp_path / "own.yaml").write_text(scenario.text())
    for again in (dunlin.Scenario(tmp_path / "own.yaml"), copy.copy(scenario), pickle.loads(pickle.dumps(scenario)), dunlin.Scenario(scenario)):
        assert again["world.size[0]"].value == 20 and again["species[0].agents"].value == 40
        assert dunlin.Simulation(again).hash() == dunlin.Simulation(scenario).hash()
    changed = dunlin.Simulation(scenario, set={"species.particles.agents": 41})
    assert len(changed) == 41 and scenario["species.particles.agents"].value == 40
    scenario.resolve(seed=7, agents=10)
    assert scenario["seed"].value == 7 and scenario["species[0].agents"].value == 10
    look = dunlin.Scenario("ecosystem").look(1)
    assert look.shape in dunlin.Shape and dunlin.outline(look.shape) is not None and dunlin.outline("circle") == 0.5
    assert dunlin.outline("triangle").shape == (3, 2) and "species" in dunlin.schema()["properties"]


def test_a_dict_is_a_scenario():
    simulation = dunlin.Simulation({
        "world": {"size": np.array([40.0, 30.0]), "boundary": "reflect"},
        "seed": 3,
        "species": [{"name": "plain: birds", "agents": np.uint32(30), "max_speed": 1, "look": {"shape": "fish"},
                     "attributes": [{"name": "energy", "value": 1e-7}]}],
        "schedules": [{"parameter": "species[0].max_speed", "linear": {"from": 1, "to": 0.25, "end": 10}}],
    })
    simulation.step(12)
    birds = simulation.species["plain: birds"]
    assert simulation.boundary is dunlin.Boundary.REFLECT and np.allclose(birds["energy"], 1e-7) and birds.max_speed == 0.25
    with pytest.raises(TypeError, match="cannot have"):
        dunlin.Simulation({"world": {"size": {1, 2}}})


def test_findings_are_all_mistakes_and_warnings():
    found = dunlin.findings("world: {size: [10, 10]}\nspecies:\n  - {name: a, max_speed: -1}\n  - {name: b, max_speed: -2}\n")
    assert [(one.is_mistake, one.line) for one in found] == [(True, 3), (True, 4)] and "max_speed" in found[0].message
    idle = "world: {size: [10, 10]}\nspecies:\n  - {name: a, agents: 1}\nfields:\n  - {name: wind, constant: {vector: [1, 0]}}\n"
    found = dunlin.findings(idle)
    assert [one.is_mistake for one in found] == [False] and dunlin.findings("vicsek") == []
    with pytest.raises(dunlin.Error):
        dunlin.findings("world: [\n")
    few = dunlin.Scenario("starlings", max_agents=10)
    for scenario in (few, copy.copy(few), dunlin.Scenario(few)):
        with pytest.raises(dunlin.Error, match="agents"):
            dunlin.Simulation(scenario)


def test_files_are_found_in_a_folder(tmp_path, monkeypatch):
    scenario = {"world": {"size": [10, 10]}, "species": [{"name": "a"}], "fields": [{"cells": [2, 1], "csv": {"file": "wind.csv"}}]}
    (tmp_path / "wind.csv").write_text("vx,vy\n1,2\n3,4\n")
    opened = dunlin.Scenario(scenario, folder=tmp_path)
    assert opened.files == ["wind.csv"]
    (tmp_path / "own.yaml").write_text(opened.text())
    monkeypatch.chdir(tmp_path)
    named = dunlin.Scenario("own.yaml")
    monkeypatch.chdir(scenarios)
    for one in (opened, copy.copy(opened), dunlin.Scenario(opened), copy.copy(named)):
        assert dunlin.Simulation(one).fields[0].vectors.tolist() == [[[1, 2], [3, 4]]]
    with pytest.raises(OSError, match="wind.csv"):
        dunlin.Simulation(scenario)


def test_a_state_file_says_what_it_is(flock, tmp_path):
    world, birds, _ = flock
    world.step(5)
    world.save(tmp_path / "state.csv")
    info = dunlin.read_state_info(tmp_path / "state.csv")
    assert info.has_preamble and info.step == 5 and info.seed == 3 and info.agents == 203
    assert (tmp_path / "state.csv").read_text().startswith(world.preamble()) and "# step 5\n" in world.preamble()
    with pytest.raises(OSError, match="none.csv"):
        dunlin.read_state_info(tmp_path / "none.csv")


def test_a_simulation_begins_with_a_state_file(tmp_path):
    first = dunlin.Simulation("predators", agents=60, seed=9)
    first.step(4)
    first.save(tmp_path / "state.csv")
    again = dunlin.Simulation("predators", seed=9, init=tmp_path / "state.csv")
    assert again.hash() == first.hash() and again.clock.step == 4
    with pytest.raises(dunlin.Error, match="seed is 9"):
        dunlin.Simulation("predators", seed=8, init=tmp_path / "state.csv")
    assert dunlin.Simulation("predators", seed=8, init=tmp_path / "state.csv", reseed=True).seed == 8


def test_displacements_are_saved(flock):
    world, birds, _ = flock
    moved = world.displacement()
    world.step(3)
    moved.follow()
    again_world, again = pickle.loads(pickle.dumps((world, moved)))
    for one, follows in ((world, moved), (again_world, again), (world, dunlin.Displacement.restore(world, moved.save()))):
        one.step(1) if follows is not moved or one.clock.step == 3 else None
        follows.follow()
        assert follows.measure().time == one.clock.time
    assert again.measure(again_world.species["dunlins"]).agents == 200
    with pytest.raises(dunlin.Error):
        dunlin.Displacement.restore(world, b"none")
