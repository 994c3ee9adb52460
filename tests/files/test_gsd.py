# SPDX-License-Identifier: MIT
"""GSD, read by HOOMD's gsd for Python."""

import numpy as np
import common


def test(simulation):
    import gsd.hoomd

    with gsd.hoomd.open(simulation.export("gsd", simulation.name + ".gsd"), "rb") as frames:
        common.same([f.configuration.step for f in frames], [s.step for s in simulation.states], "steps")
        for frame, state in zip(frames, simulation.states):
            box = np.array(frame.configuration.box[:3])
            common.same(frame.configuration.dimensions, state.dimensions, "dimensions")
            common.same(frame.particles.N, state.count, "agents")
            common.same(frame.log["particles/id"], state.id, "ids")
            common.same(frame.log["particles/position"].reshape(-1, 3), state.position, "positions")
            common.same(frame.particles.position, state.position - box / np.float32(2), "positions around the origin")
            want = simulation.box[: state.dimensions] + (0,) * (3 - state.dimensions)
            common.same(box, np.float32(want), "box")
            common.same(frame.particles.image, state.image if simulation.is_periodic else 0 * state.position.astype(int), "images")
            common.same(frame.particles.velocity, state.velocity, "velocities")
            common.same(np.array(frame.particles.types, dtype=object)[frame.particles.typeid], state.species, "species")
            for name, values in state.attribute.items():
                common.same(frame.log["particles/" + name], values, name)


for each in common.simulations():
    common.test("gsd by gsd: " + each.name, test, each)
