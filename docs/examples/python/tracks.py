# SPDX-License-Identifier: MIT
# %% [markdown]
# # Measuring tracks
# Positions from a table, such as a tracker writes for a film of fish, are measured frame by frame: polarization, distance to the nearest
# neighbour, and correlation length. `tracks.csv` is simulated by `make_tracks.py`, with errors and gaps; put your own in its place.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas

import dunlin

interval = 0.16  # seconds between frames
tracks = pandas.read_csv("tracks.csv")  # frame, id, x, y; centimetres

# %% [markdown]
# Velocities are differences to the frames before and after; where one of these is missing, a fish is left out of a frame.

# %%
rows = tracks.sort_values(["id", "frame"])
fish = rows.groupby("id")
for axis in "xy":
    rows["v" + axis] = (fish[axis].shift(-1) - fish[axis].shift(1)) / (2 * interval)
rows = rows[(fish["frame"].shift(-1) - fish["frame"].shift(1)) == 2]


# %%
def measure(now: pandas.DataFrame) -> dict[str, float]:
    """What Dunlin measures of the fish of one frame. Nothing moves: the world is never stepped."""
    with dunlin.World(size=(60, 40), boundary="open", threads=1) as world:
        school = world.add_species("fish", max_speed=100)
        school.spawn(now[["x", "y"]], now[["vx", "vy"]], ids=now["id"])
        metrics = school.measure()
        correlation = world.correlation(school, max_radius=30, bins=15)
        return {"fish": metrics.agents, "polarization": metrics.polarization, "speed": metrics.mean_speed, "nearest": metrics.mean_nearest,
                "correlation length": correlation.length, "groups": world.components(6, school).count}


measured = pandas.DataFrame({frame * interval: measure(now) for frame, now in rows.groupby("frame")}).T

# %% [markdown]
# The same polarization in plain NumPy, to check that the table was read as meant.

# %%
headings = rows[["vx", "vy"]].div(np.hypot(rows["vx"], rows["vy"]), axis=0)
check = np.hypot(*headings.groupby(rows["frame"]).mean().to_numpy().T)
assert np.allclose(check, measured["polarization"], atol=1e-5)

# %%
figure = plt.figure(figsize=(7, 3))
grid = figure.add_gridspec(3, 2, width_ratios=(1.2, 1))
tank = figure.add_subplot(grid[:, 0])
for _, track in tracks.groupby("id"):
    tank.plot(track["x"], track["y"], color="0.8", linewidth=0.4)
for frame, colour in ((16, "C0"), (24, "C1")):
    now = rows[rows["frame"] == frame]
    tank.quiver(now["x"], now["y"], now["vx"], now["vy"], color=colour, angles="xy", scale=200, width=0.006, label=f"at {frame * interval:.1f} s")
tank.set(xlabel="x (cm)", ylabel="y (cm)", xlim=(0, 60), ylim=(0, 40), aspect="equal")
tank.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
for row, (name, label) in enumerate({"polarization": "polarization", "nearest": "nearest\nfish (cm)", "correlation length": "correlation\nlength (cm)"}.items()):
    course = figure.add_subplot(grid[row, 1])
    course.plot(measured[name])
    course.set(ylabel=label, ylim=(0, None), xlim=(0, 8))
    course.axvspan(20 * interval, 24 * interval, color="C1", alpha=0.2, linewidth=0)
    course.tick_params(labelbottom=row == 2)
course.set_xlabel("time (s); shaded: the fish are startled")
figure.align_ylabels()
figure.savefig("tracks.png")

# %%
frights = measured.loc[20 * interval : 26 * interval]
before, after = measured.loc[: 19 * interval], measured.loc[35 * interval :]
print(f"{len(measured)} frames; polarization {before['polarization'].mean():.2f} before the fright, down to {frights['polarization'].min():.2f} in it, "
      f"{after['polarization'].mean():.2f} after it; nearest fish {before['nearest'].mean():.2f} cm, up to {frights['nearest'].max():.2f} cm")
