# SPDX-License-Identifier: MIT
# %% [markdown]
# # A flock
# Twenty thousand dunlins flock among a dozen peregrines: the flock of `make run`, written in Python, with a picture and its
# polarization over time. It ends with the same state hash as the program, because states have the same bits everywhere.

# %%
import matplotlib.pyplot as plt
import numpy as np

import dunlin

# %%
world = dunlin.World(size=(320, 200), boundary="periodic", seed=1)
birds = world.add_species("dunlins", 20_000, min_speed=0.25, max_speed=0.5, max_force=0.03)
hawks = world.add_species("peregrines", 12, min_speed=0.35, max_speed=0.7, max_force=0.02)

# %% [markdown]
# An interaction says what a species does about another one, or about itself. A rule has a radius, or a radius and a weight.

# %%
world.add_interaction(birds, separation=dunlin.Rule(radius=1.6, weight=1.8), alignment=4, cohesion=dunlin.Rule(radius=4, weight=0.35))
world.add_interaction(birds, hawks, separation=dunlin.Rule(radius=16, weight=4))
world.add_interaction(hawks, birds, cohesion=24)
world.add_interaction(hawks, separation=dunlin.Rule(radius=40, weight=1.5))

# %% [markdown]
# The polarization is the length of the mean heading: 1 if all move in one direction, near 0 if they move in all directions.

# %%
times, polarization = [], []
for _ in range(60):
    world.step(10)
    times.append(world.stats.time)
    polarization.append(birds.measure().polarization)

# %%
figure, (sky, course) = plt.subplots(2, figsize=(5, 4.3), height_ratios=(3.6, 1))
drawn = world.artists(sky, colour="heading")
drawn["peregrines"].set(array=None, facecolor="black")
sky.set(xticks=[], yticks=[], title="dunlins by their heading, and peregrines (black)")
sky.spines[:].set_visible(True)
quarters = np.linspace(-np.pi, np.pi, 5)
key = figure.colorbar(drawn["dunlins"], ax=sky, ticks=quarters, aspect=26, pad=0.02, shrink=0.85)
key.set_ticklabels([f"{angle:.0f}°" for angle in np.degrees(quarters)])
key.outline.set_visible(False)
course.plot(times, polarization)
course.set(xlabel="time", ylabel="polarization", xlim=(0, times[-1]), ylim=(0, 0.5))
figure.savefig("flock.png")

# %%
print(f"polarization {polarization[-1]:.3f} at time {times[-1]:.0f}; state hash: {world.hash()}")
