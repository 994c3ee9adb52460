# SPDX-License-Identifier: MIT
"""The long table, read by pandas."""

import numpy as np
import common


def test(simulation):
    import pandas

    table = pandas.read_csv(simulation.export("csv", simulation.name + ".csv"), dtype={"species": str})
    common.same(sorted(set(table.step)), [s.step for s in simulation.states if s.count], "steps")
    for state in simulation.states:
        rows = table[table.step == state.step]
        common.same(rows.id.to_numpy(np.uint32), state.id, f"ids at step {state.step}")
        common.same(rows.species.to_numpy(object), state.species, "species")
        for axis in range(state.dimensions):
            common.same(rows["xyz"[axis]].to_numpy(np.float32), state.position[:, axis], "positions")
            common.same(rows["v" + "xyz"[axis]].to_numpy(np.float32), state.velocity[:, axis], "velocities")
        for axis in range(state.dimensions if simulation.is_periodic else 0):
            common.same(rows["i" + "xyz"[axis]].to_numpy(np.int32), state.image[:, axis], "images")
        for name, values in state.attribute.items():
            common.same(rows[name].to_numpy(np.float32), values, name)


for each in common.simulations():
    common.test("csv by pandas: " + each.name, test, each)
