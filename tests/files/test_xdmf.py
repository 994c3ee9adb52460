# SPDX-License-Identifier: MIT
"""The trajectory by its sidecar, read by ParaView's reader of XDMF."""

import os

from paraview import servermanager, simple
from vtkmodules.numpy_interface import dataset_adapter
import common
import numpy as np


def points_of(reader, time):
    reader.UpdatePipeline(time)
    got = servermanager.Fetch(reader)
    while got.IsA("vtkMultiBlockDataSet"):
        got = got.GetBlock(0)
    return dataset_adapter.WrapDataObject(got)


def test(simulation):
    reader = simple.XDMFReader(FileNames=[os.path.abspath(simulation.name + ".xmf")])
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    common.same(len(times), len(simulation.states), "frames")
    for time, state in zip(times, simulation.states):
        got = points_of(reader, time)
        common.same(got.GetNumberOfPoints(), state.count, "agents")
        if state.count == 0:
            continue
        common.same(np.asarray(got.Points, dtype=np.float32), state.position, "positions")
        common.same(np.asarray(got.PointData["velocity"], dtype=np.float32), state.velocity, "velocities")
        if simulation.is_periodic:
            common.same(np.asarray(got.PointData["image"]).astype(np.int32), state.image, "images")
        common.same(np.asarray(got.PointData["id"]).astype(np.int64).astype(np.uint32), state.id, "ids")


for each in common.simulations("reef", "ecosystem", "firework", "starlings", "one"):
    common.test("trajectory by ParaView: " + each.name, test, each)
