# SPDX-License-Identifier: MIT
"""The trajectory as AMBER's NetCDF-4, read by netCDF4."""

import numpy as np
import common


def test(simulation):
    import netCDF4

    with netCDF4.Dataset(simulation.path) as file:
        common.same(file.Conventions, "AMBER", "conventions")
        common.same(len(file.dimensions["frame"]), len(simulation.states), "frames")
        common.same(len(file.dimensions["spatial"]), 3, "components")
        box = file.variables["cell_lengths"][:]
        for t, state in enumerate(simulation.states):
            n = state.count
            common.same(np.ma.count(file.variables["coordinates"][t]), 3 * n, "numbers that are no fill")
            common.same(np.ma.getdata(file.variables["coordinates"][t, :n]), state.position, "positions")
            common.same(np.ma.getdata(file.variables["velocities"][t, :n]), state.velocity, "velocities")
            common.same(np.ma.getdata(file.variables["id"][t, :n]).view(np.uint32), state.id, "ids")
            kinds = np.ma.getdata(file.variables["type"][t, :n])
            for kind in set(kinds):
                common.same(len(set(state.species[kinds == kind])), 1, "species of a type")
            for name, values in state.attribute.items():
                common.same(np.ma.filled(file.variables[name][t, :n].astype(np.float32), np.nan), values, name)
            common.same(np.ma.getdata(box[t]), np.float64(simulation.box), "box")
            if simulation.is_periodic:
                common.same(np.ma.count(file.variables["image"][t]), 3 * n, "images that are no fill")
                common.same(np.ma.getdata(file.variables["image"][t, :n]), state.image, "images")
            else:
                common.same("image" in file.variables, False, "images in a world without periods")


for each in common.simulations():
    common.test("trajectory by netCDF4: " + each.name, test, each)
