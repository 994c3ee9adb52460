# SPDX-License-Identifier: MIT
"""The trajectory as H5MD, read by MDAnalysis, which knows one number of atoms for all frames."""

import numpy as np
import common


def test(flight):
    import h5py
    import MDAnalysis

    with h5py.File(flight.path, "r") as file:
        atoms = file["particles/agents/position/value"].shape[1]
    universe = MDAnalysis.Universe.empty(atoms, trajectory=True, velocities=True)
    universe.load_new(flight.path, format="H5MD")
    common.same(len(universe.trajectory), len(flight.states), "frames")
    for frame, state in zip(universe.trajectory, flight.states):
        common.same(frame.data["step"], state.step, "step")
        common.same(frame.positions[: state.count], state.position, "positions")
        common.same(frame.velocities[: state.count], state.velocity, "velocities")


for each in common.flights("ecosystem", "firework", "starlings", "one"):
    common.test("trajectory by MDAnalysis: " + each.name, test, each)
