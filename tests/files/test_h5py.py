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


for each in common.flights():
    common.test("trajectory by h5py: " + each.name, test, each)
