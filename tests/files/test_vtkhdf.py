# SPDX-License-Identifier: MIT
"""VTKHDF, read by ParaView: a list of files with times, one after another."""

import os

from paraview import servermanager, simple
from vtkmodules.numpy_interface import dataset_adapter
import common


def test(simulation):
    folder = simulation.export("vtkhdf", simulation.name + "_vtkhdf")
    reader = simple.VTKHDFReader(FileName=[os.path.abspath(folder + "/frames.vtkhdf.series")])
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    common.same(len(times), len(simulation.states), "frames")
    for time, state in zip(times, simulation.states):
        reader.UpdatePipeline(time)
        got = dataset_adapter.WrapDataObject(servermanager.Fetch(reader))
        common.same(got.FieldData["step"][0], state.step, "step")
        common.same(got.FieldData["time"][0], time, "time")
        common.same(got.GetNumberOfPoints(), state.count, "agents")
        if state.count == 0:
            continue
        common.same(got.PointData["id"], state.id, "ids")
        common.same(got.Points, state.position, "positions")
        common.same(got.PointData["velocity"], state.velocity, "velocities")
        if simulation.is_periodic:
            common.same(got.PointData["image"], state.image, "images")
        for name, values in state.attribute.items():
            common.same(got.PointData[name], values, name)


for each in common.simulations():
    common.test("vtkhdf by ParaView: " + each.name, test, each)
