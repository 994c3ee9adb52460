# SPDX-License-Identifier: MIT
"""The last hundred steps of a hunt by MDAnalysis and matplotlib, with the hawks' ways."""

import sys

import h5py
import matplotlib.pyplot as plt
import MDAnalysis

with h5py.File("hunt.h5") as file:
    atoms = file["particles/agents/position/value"].shape[1]
    species = file["particles/agents/species/value"][0]
flock = MDAnalysis.Universe.empty(atoms, trajectory=True, velocities=True)
flock.load_new("hunt.h5", format="H5MD")
figure, axes = plt.subplots(figsize=(7.5, 4.9), dpi=120)
for number, frame in enumerate(flock.trajectory[-11:]):
    hawks, starlings = frame.positions[species == 1], frame.positions[species == 0]
    axes.plot(hawks[:, 0], hawks[:, 1], "o", color="crimson", markersize=1 + 0.4 * number, alpha=0.2 + 0.08 * number)
    if number == 10:
        axes.quiver(starlings[:, 0], starlings[:, 1], *frame.velocities[species == 0, :2].T, color="steelblue", width=0.0012,
                    headwidth=2, scale=60)
        axes.set_title(f"MDAnalysis: {len(species)} agents at step {frame.data['step']}")
axes.set(aspect="equal", xlabel="x", ylabel="y", xlim=(0, 320), ylim=(0, 200))
figure.tight_layout()
figure.savefig(sys.argv[1])
