# SPDX-License-Identifier: MIT
"""Speeds in a hunt, by gsd and matplotlib."""

import sys

import gsd.hoomd
import matplotlib.pyplot as plt
import numpy as np

with gsd.hoomd.open("hunt.gsd", "rb") as frames:
    steps = [frame.configuration.step for frame in frames]
    speeds = np.array([np.linalg.norm(frame.particles.velocity, axis=1) for frame in frames])
    types, kinds = frames[0].particles.types, frames[0].particles.typeid
figure, axes = plt.subplots(figsize=(7.5, 3.6), dpi=120)
for kind, name in enumerate(types):
    of_kind = speeds[:, kinds == kind]
    axes.plot(steps, of_kind.mean(axis=1), label=name)
    axes.fill_between(steps, np.quantile(of_kind, 0.1, axis=1), np.quantile(of_kind, 0.9, axis=1), alpha=0.25)
axes.set(title="gsd: speeds, mean and the middle 80 %", xlabel="step", ylabel="speed")
axes.legend()
figure.tight_layout()
figure.savefig(sys.argv[1])
