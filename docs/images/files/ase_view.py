# SPDX-License-Identifier: MIT
"""A frame of extended XYZ, drawn by ASE on white."""

import sys

import ase.io
import numpy as np
from PIL import Image

frame = ase.io.read("hunt.xyz", 60, format="extxyz")
hawks = frame.arrays["type"] == "hawks"
colours = np.where(hawks[:, None], (0.8, 0.1, 0.2), (0.45, 0.6, 0.85))
frame.pbc = False
frame.set_cell([1, 1, 1])
ase.io.write(sys.argv[1], frame, format="png", radii=np.where(hawks, 2.2, 0.8), colors=colours, scale=10, show_unit_cell=0)
drawn = Image.open(sys.argv[1]).convert("RGBA")
drawn = Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn).convert("RGB")
drawn.resize((900, 900 * drawn.height // drawn.width), Image.LANCZOS).save(sys.argv[1])
