# SPDX-License-Identifier: MIT
# %% [markdown]
# # A behaviour of one's own
# Five colours attract or repel each other, as a table says, and not mutually: one may chase what flees from it. Chains, cells and
# creatures come of it, a game that is known as *particle life*. No rule of Dunlin's is like this, so it is written here, and numba
# compiles it: the engine finds the neighbours, and calls the function from its threads.

# %%
import matplotlib.pyplot as plt
import numpy as np

import dunlin
import dunlin.numba

colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"]
radius, core = np.float32(8), np.float32(0.3)  # world units; the share of the radius within which all repel each other
taste = np.random.default_rng(7).uniform(-1, 1, (5, 5)).astype(np.float32)  # of the row's colour for the column's


# %% [markdown]
# A function over pairs gets an agent and one neighbour, and returns the force on the agent. Numbers are `np.float32`, as the engine's
# are: with a plain 0.3 numba would compute in binary64, which is slower.

# %%
@dunlin.numba.pair
def taste_neighbour(pair):
    distance = np.sqrt(pair.squared)
    if distance == 0:
        return np.float32(0), np.float32(0)
    share = distance / radius
    if share < core:
        pull = np.float32(4) * (share / core - np.float32(1))
    else:
        likes = taste[int(pair.attribute.colour), int(pair.observed_attribute.colour)]
        pull = likes * (np.float32(1) - abs(np.float32(2) * share - np.float32(1) - core) / (np.float32(1) - core))
    pull *= np.float32(0.04) / distance
    return pull * pair.offset[0], pull * pair.offset[1]


# %% [markdown]
# A function over a tile has columns of agents, and may change their attributes, too. This one pushes each agent at random. `draw()` gives
# numbers that follow from seed, id and step, so the state has the same bits whatever the threads and the processor.

# %%
@dunlin.numba.tile
def tremble(tile):
    for i in range(tile.count):
        chance = dunlin.numba.draw(tile.seed, tile.id[i], tile.step, 0)
        for axis in range(2):
            tile.force[axis][i] += np.float32(0.02) * (chance[axis] - np.float32(0.5))


# %%
world = dunlin.World(size=(180, 120), boundary="periodic", seed=3)
agents = world.add_species("agents", 3_700, max_speed=2, drag=0.15)
agents.add_attribute("colour", distribution="in_turn", min_value=0, max_value=4)
agents.add_behaviour("pairs", callback=taste_neighbour, pairs={"observed": agents, "radius": radius})
agents.add_behaviour("custom", callback=tremble)
world.step(400)

# %%
figure, (plane, table) = plt.subplots(1, 2, figsize=(7, 3.1), width_ratios=(5, 1.3))
for colour, shade in enumerate(colours):
    plane.scatter(*agents.position[agents["colour"] == colour].T, s=3.5, color=shade, linewidths=0)
    table.scatter([colour, -0.95], [-0.95, colour], s=28, color=shade, clip_on=False)
plane.set(xlim=(0, 180), ylim=(0, 120), aspect="equal", xticks=[], yticks=[], title="after 400 steps")
plane.spines[:].set_visible(True)
likes = table.imshow(taste, cmap="RdBu", vmin=-1, vmax=1)
table.set(xlim=(-0.5, 4.5), ylim=(4.5, -0.5), xticks=[], yticks=[])
table.set_title("how the row's colour likes\nthe column's", pad=16)
table.spines[:].set_visible(False)
figure.colorbar(likes, ax=table, orientation="horizontal", ticks=(-1, 0, 1), pad=0.05).outline.set_visible(False)
figure.savefig("own_behaviour.png")

# %%
print(f"3700 agents, 400 steps; state hash: {world.hash()}")
