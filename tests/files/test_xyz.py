# SPDX-License-Identifier: MIT
"""Extended XYZ, read by ASE."""

import numpy as np
import common


def test(flight):
    import ase.io

    path = flight.export("xyz", flight.name + ".xyz")
    frames = ase.io.read(path, ":", format="extxyz")
    common.same([f.info["Step"] for f in frames], [s.step for s in flight.states], "steps")
    for frame, state in zip(frames, flight.states):
        common.same(len(frame), state.count, "agents")
        if state.count == 0:
            continue
        common.same(frame.arrays["id"], state.id, "ids")
        common.same(frame.cell.lengths(), np.float64(flight.box), "box")
        common.same(list(frame.pbc), [flight.is_periodic] * state.dimensions + [False] * (3 - state.dimensions), "periodic axes")
        if flight.is_periodic:
            common.same(frame.arrays["image"], state.image, "images")
        common.same(frame.arrays["type"].astype(object), state.species, "species")
        common.same(frame.positions.astype(np.float32), state.position, "positions")
        common.same(frame.arrays["velo"].astype(np.float32), state.velocity, "velocities")
        for name, values in state.attribute.items():
            common.same(frame.arrays[name].astype(np.float32), values, name)


for each in common.flights():
    common.test("xyz by ASE: " + each.name, test, each)
