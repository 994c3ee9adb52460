# SPDX-License-Identifier: MIT
# %% [markdown]
# # Leaving a hall
# Two hundred people leave a hall through one door, with or without columns in their way; the time to empty the hall is measured
# against the width of the door. People keep apart by a rule, not by contact, so this shows how to ask, and is no prediction for a crowd.

# %%
import matplotlib.pyplot as plt
import numpy as np

import dunlin

# %% [markdown]
# A hall of 16 by 16 metres. Obstacles block people, who walk at 1.3 metres per second towards a place beyond the door, and steer
# aside from columns ahead. A time step is a tenth of a second.

# %%
columns = [(12, 4.5, 1), (12, 11.5, 1), (13.5, 8, 0.7)]


def build(width: float, columns: list[tuple[float, float, float]], seed: int) -> tuple[dunlin.World, dunlin.Species]:
    world = dunlin.World(size=(24, 16), boundary="open", time_step=0.1, seed=seed, threads=1)
    people = world.add_species("people", max_speed=1.3, max_force=5, obstacles_block=True, clearance=0.2)
    people.scatter(200, centre=(6, 8), extent=(5.5, 7.5), max_speed=0.5)
    world.add_interaction(people, separation=1)
    people.add_behaviour("seek", target={"position": (17.5, 8)})
    people.add_behaviour("avoid", avoid={"look_ahead": 2, "agent_radius": 0.3}, weight=2)
    lower, upper = 8 - width / 2, 8 + width / 2  # the edges of the door
    for box in ((-0.5, -0.5, 16, 0), (-0.5, 16, 16, 16.5), (-0.5, -0.5, 0, 16.5), (16, -0.5, 16.5, lower), (16, upper, 16.5, 16.5)):
        world.add_obstacle("box", a=box[:2], b=box[2:])
    for x, y, radius in columns:
        world.add_obstacle("ball", a=(x, y), radius=radius)
    return world, people


def inside(width: float, columns: list[tuple[float, float, float]], seed: int) -> list[int]:
    """The people in the hall after each step, until it is empty."""
    world, people = build(width, columns, seed)
    left = [len(people)]
    while left[-1] > 0 and len(left) < 6000:
        world.step()
        world.despawn(people.id[people.position[:, 0] > 17])
        left.append(len(people))
    return left


# %%
widths, seeds = (1.2, 1.6, 2, 3, 4, 6), range(1, 6)
courses = {(width, bool(some)): [inside(width, some, seed) for seed in seeds] for width in widths for some in ([], columns)}
times = {case: np.array([len(course) / 10 for course in runs]) for case, runs in courses.items()}

# %%
figure, (hall, course, result) = plt.subplots(1, 3, figsize=(7.4, 2.5), width_ratios=(1.1, 1, 1))
world, people = build(2, columns, seed=1)
world.step(120)
world.artists(hall, size=0.6)
hall.set(xlim=(-0.6, 20), ylim=(-0.6, 16.6), title="after 12 s, door of 2 m")
hall.axis("off")
for width in (1.2, 2, 6):
    left = courses[width, True][0]
    course.plot(np.arange(len(left)) / 10, left, label=f"door of {width:g} m")
course.set(xlabel="time (s)", ylabel="people inside", xlim=(0, None), ylim=(0, 200), title="with columns")
course.legend()
for some, label in ((False, "empty hall"), (True, "with columns")):
    mean, deviation = np.transpose([(times[width, some].mean(), times[width, some].std(ddof=1)) for width in widths])
    result.errorbar(widths, mean, deviation, marker="o", capsize=2, label=label)
result.set(xlabel="width of the door (m)", ylabel="time to empty the hall (s)", ylim=(0, None), title=f"mean and deviation of {len(seeds)} runs")
result.legend()
figure.savefig("evacuation.png")

# %%
for width in widths:
    print(f"door of {width:g} m: {times[width, False].mean():.0f} s, with columns {times[width, True].mean():.0f} s")
