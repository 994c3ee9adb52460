# SPDX-License-Identifier: MIT
"""The trajectory as H5MD, read by h5py."""

import os
import subprocess

import numpy as np
import common

FILL, NO_IMAGE = np.float32(9.969209968386869e36), -2147483647


def test(simulation):
    import h5py

    with h5py.File(simulation.path, "r") as file:
        agents, frames = file["particles/agents"], file["parameters/frames"]
        names = np.array([name.decode() for name in file["parameters"].attrs["species"]], dtype=object)
        common.same(file["h5md"].attrs["version"], [1, 1], "version of H5MD")
        common.same(file["step"][:], [s.step for s in simulation.states], "steps")
        for t, state in enumerate(simulation.states):
            n = state.count
            common.same(frames["rows/value"][t], n, "agents")
            common.same(agents["id/value"][t, :n].view(np.uint32), state.id, "ids")
            common.same(names[agents["species/value"][t, :n]], state.species, "species")
            common.same(agents["position/value"][t, :n], state.position, "positions")
            common.same(agents["velocity/value"][t, :n], state.velocity, "velocities")
            if simulation.is_periodic:
                common.same(agents["image/value"][t, :n], state.image, "images")
                common.same(np.all(agents["image/value"][t, n:] == NO_IMAGE), True, "fill behind the images")
                common.same(agents["box/edges/value"][t], np.diag(np.float64(simulation.box)), "vectors of the box")
            for name, values in state.attribute.items():
                got = agents[name]["value"][t, :n]
                common.same(np.where(got == FILL, np.float32("nan"), got), values, name)
            for name in ("position", "velocity"):
                common.same(np.all(agents[name]["value"][t, n:] == FILL), True, "fill behind the rows")
            common.same(np.all(agents["id/value"][t, n:] == -1), True, "fill behind the ids")
        periods = [b"periodic" if simulation.is_periodic and a < simulation.states[0].dimensions else b"none" for a in range(3)]
        common.same(list(agents["box"].attrs["boundary"]), periods, "boundary")
        common.same("edges" in agents["box"], simulation.is_periodic, "edges, which only periodic worlds have")
        for name in ("position", "velocity", "id", "species"):
            common.same(agents[name]["step"][:], file["step"][:], "steps of " + name)
            common.same(agents[name]["time"][:], file["time"][:], "times of " + name)


def test_ways():
    """Positions and images tell the ways that the engine itself has followed, in every step: agents move around the world."""
    import h5py

    subprocess.run([os.environ["DUNLIN"], "run", os.path.dirname(__file__) + "/reef.yaml", "--quiet", "--steps", "200",
                    "--every", "5", "--measure", "displacement", "--trajectory", "ways.h5"], check=True)
    with h5py.File("ways.h5", "r") as file:
        rows, box = file["parameters/frames/rows/value"][:], file["cell_lengths"][0]
        places = [{agent: file["coordinates"][t, i] + box * file["image"][t, i] for i, agent in enumerate(file["id"][t, :n])}
                  for t, n in enumerate(rows)]
        for t, now in enumerate(places):
            kinds = dict(zip(file["id"][t], file["type"][t]))
            for species in (0, 1):
                ways = [now[agent] - place for agent, place in places[0].items() if agent in now and kinds[agent] == species]
                squares = np.mean(np.sum(np.square(ways), axis=1)) if ways else np.nan
                want = file["observables/mean_squared_displacement/value"][t, species]
                common.same(bool(np.isclose(squares, want, rtol=1e-5, equal_nan=True)), True, f"{squares} is {want}")
        common.same(np.max(np.abs(file["image"][-1, : rows[-1]])) > 3, True, "agents that have moved around the world")


def test_groups():
    """What --groups writes of each group that has agents is what the trajectory has of it."""
    import csv

    import h5py

    with open("schools/groups.csv") as table, h5py.File("schools.h5", "r") as file:
        rows = list(csv.DictReader(table))
        steps, names = list(file["step"][:]), [name.decode() for name in file["parameters"].attrs["species"]]
        def of(species, what):
            return file[f"observables/groups_{names.index(species)}_{what}/value"]

        for row in rows:
            at = steps.index(int(row["step"])), int(row["group"])
            species = row["species"]
            common.same(of(species, "agents")[at], int(row["agents"]), "agents of a group")
            common.same(of(species, "leader")[at], int(row["leader"]), "leader of a group")
            common.same(of(species, "spread")[at], np.float32(row["spread"]), "spread of a group")
            common.same(of(species, "polarization")[at], np.float32(row["polarization"]), "polarization of a group")
            common.same(of(species, "centre")[at], np.float32([row["x"], row["y"], 0]), "centre of a group")
            common.same(of(species, "velocity")[at], np.float32([row["vx"], row["vy"], 0]), "velocity of a group")
        agents = sum(np.sum(of(species, "agents")[:]) for species in {row["species"] for row in rows})
        common.same(agents, sum(int(row["agents"]) for row in rows), "agents of all groups")


def test_traces():
    """The scent is where the ants have been, and a step's deposits and losses add up."""
    import h5py

    with h5py.File("trails.h5", "r") as file:
        scent, agents = file["observables/trace_0/value"], file["particles/agents"]
        common.same(scent.shape, (4, 1, 300, 450), "size of a trace")
        common.same(np.any(scent[0]), False, "scent at first")
        total = 0.0
        for step in range(30):
            total = 0.95 * (total + 500)
        common.same(abs(np.sum(scent[3], dtype=np.float64) / total - 1) < 1e-5, True, "scent that is left")
        x, y = agents["position/value"][2, :500, 0], agents["position/value"][2, :500, 1]
        common.same(np.all(scent[3][0, np.int64(y), np.int64(x)] > 0), True, "scent where ants were")


for each in common.simulations():
    common.test("trajectory by h5py: " + each.name, test, each)
common.test("trajectory by h5py: ways", test_ways)
common.test("trajectory by h5py: groups", test_groups)
common.test("trajectory by h5py: traces", test_traces)
