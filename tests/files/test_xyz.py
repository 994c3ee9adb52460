# SPDX-License-Identifier: MIT
"""Extended XYZ, read by ASE."""

import numpy as np
import common


def test(simulation):
    import ase.io

    path = simulation.export("xyz", simulation.name + ".xyz")
    frames = ase.io.read(path, ":", format="extxyz")
    common.same([f.info["Step"] for f in frames], [s.step for s in simulation.states], "steps")
    for frame, state in zip(frames, simulation.states):
        common.same(len(frame), state.count, "agents")
        if state.count == 0:
            continue
        common.same(frame.arrays["id"], state.id, "ids")
        common.same(frame.cell.lengths(), np.float64(simulation.box), "box")
        common.same(list(frame.pbc), [simulation.is_periodic] * state.dimensions + [False] * (3 - state.dimensions), "periodic axes")
        if simulation.is_periodic:
            common.same(frame.arrays["image"], state.image, "images")
        common.same(frame.arrays["type"].astype(object), state.species, "species")
        common.same(frame.positions.astype(np.float32), state.position, "positions")
        common.same(frame.arrays["velo"].astype(np.float32), state.velocity, "velocities")
        for name, values in state.attribute.items():
            common.same(frame.arrays[name].astype(np.float32), values, name)


for each in common.simulations():
    common.test("xyz by ASE: " + each.name, test, each)
