# SPDX-License-Identifier: MIT
"""A frame in ParaView: pvpython paraview_view.py FILE STEP PICTURE.png. In 3D colours are velocities along z; in 2D, species."""

import os
import sys

from paraview import simple

path, step, picture = sys.argv[1:]
path = os.path.abspath(path)
reader = simple.XDMFReader(FileNames=[path]) if path.endswith(".xmf") else simple.VTKHDFReader(FileName=[path])
view = simple.CreateRenderView(ViewSize=[900, 560], Background=[1, 1, 1], OrientationAxesVisibility=0)
view.UseColorPaletteForBackground = 0
reader.UpdatePipelineInformation()
view.ViewTime = min(reader.TimestepValues, key=lambda value: abs(value - float(step)))
reader.UpdatePipeline(view.ViewTime)
bounds = reader.GetDataInformation().GetBounds()
shown = simple.Show(reader, view)
if bounds[5] > bounds[4]:
    shown.PointSize = 2
    simple.ColorBy(shown, ("POINTS", "velocity", "Z"))
    simple.GetColorTransferFunction("velocity").ApplyPreset("Cool to Warm (Extended)", True)
    shown.RescaleTransferFunctionToDataRange(False)
    simple.Show(simple.Outline(Input=reader), view).AmbientColor = shown.DiffuseColor = [0.4, 0.4, 0.4]
    simple.ResetCamera(view)
    view.GetActiveCamera().Elevation(-65)
    view.GetActiveCamera().Azimuth(25)
    simple.ResetCamera(view)
    view.GetActiveCamera().Zoom(1.35)
else:
    shown.PointSize = 3
    shown.ColorArrayName = [None, ""]
    shown.AmbientColor = shown.DiffuseColor = [0.35, 0.5, 0.7]
    hawks = simple.Show(simple.Threshold(Input=reader, Scalars=["POINTS", "species"], LowerThreshold=1, UpperThreshold=1), view)
    hawks.PointSize = 10
    hawks.ColorArrayName = [None, ""]
    hawks.AmbientColor = hawks.DiffuseColor = [0.8, 0.1, 0.2]
    simple.ResetCamera(view)
    view.GetActiveCamera().Zoom(1.55)
simple.SaveScreenshot(picture, view)
