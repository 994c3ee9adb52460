# SPDX-License-Identifier: MIT
"""The trajectory as H5MD, read by h5py."""

import numpy as np
import common

FILL = np.float32(9.969209968386869e36)


def test(flight):
    import h5py

    with h5py.File(flight.path, "r") as file:
        agents, frames = file["particles/agents"], file["parameters/frames"]
        names = np.array([name.decode() for name in file["parameters"].attrs["species"]], dtype=object)
        common.same(file["h5md"].attrs["version"], [1, 1], "version of H5MD")
        common.same(file["step"][:], [s.step for s in flight.states], "steps")
        for t, state in enumerate(flight.states):
            n = state.count
            common.same(frames["rows/value"][t], n, "agents")
            common.same(agents["id/value"][t, :n].view(np.uint32), state.id, "ids")
            common.same(names[agents["species/value"][t, :n]], state.species, "species")
            common.same(agents["position/value"][t, :n], state.position, "positions")
            common.same(agents["velocity/value"][t, :n], state.velocity, "velocities")
            for name, values in state.attribute.items():
                got = agents[name]["value"][t, :n]
                common.same(np.where(got == FILL, np.float32("nan"), got), values, name)
            for name in ("position", "velocity"):
                common.same(np.all(agents[name]["value"][t, n:] == FILL), True, "fill behind the rows")
            common.same(np.all(agents["id/value"][t, n:] == -1), True, "fill behind the ids")
        for name in ("position", "velocity", "id", "species"):
            common.same(agents[name]["step"][:], file["step"][:], "steps of " + name)
            common.same(agents[name]["time"][:], file["time"][:], "times of " + name)


def test_groups():
    """What --groups writes of each group that has agents is what the trajectory has of it."""
    import csv

    import h5py

    with open("schools/groups.csv") as table, h5py.File("schools.h5", "r") as file:
        rows = list(csv.DictReader(table))
        steps, names = list(file["step"][:]), [name.decode() for name in file["parameters"].attrs["species"]]
        sums = {name: file[f"observables/groups_{names.index(name)}"] for name in {row["species"] for row in rows}}
        for row in rows:
            at = steps.index(int(row["step"])), int(row["group"])
            of = sums[row["species"]]
            common.same(of["agents/value"][at], int(row["agents"]), "agents of a group")
            common.same(of["leader/value"][at], int(row["leader"]), "leader of a group")
            common.same(of["spread/value"][at], np.float32(row["spread"]), "spread of a group")
            common.same(of["polarization/value"][at], np.float32(row["polarization"]), "polarization of a group")
            common.same(of["centre/value"][at], np.float32([row["x"], row["y"], 0]), "centre of a group")
            common.same(of["velocity/value"][at], np.float32([row["vx"], row["vy"], 0]), "velocity of a group")
        agents = sum(np.sum(of["agents/value"][:]) for of in sums.values())
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


for each in common.flights():
    common.test("trajectory by h5py: " + each.name, test, each)
common.test("trajectory by h5py: groups", test_groups)
common.test("trajectory by h5py: traces", test_traces)
