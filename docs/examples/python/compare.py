# SPDX-License-Identifier: MIT
# %% [markdown]
# # The same flock in NumPy, in numba and in Dunlin
# Separation, alignment and cohesion by Reynolds' steering in a periodic plane, with the same law in all three, one thread each. Every
# state is checked: after a step all agents are where the others' are. `python compare.py 1000 10000` takes other numbers of agents.

# %%
import inspect
import sys
import time

import matplotlib.pyplot as plt
import numba
import numpy as np

import dunlin
import dunlin.numba

counts = [int(count) for count in sys.argv[1:] if count.isdigit()] or [1_000, 10_000, 100_000, 1_000_000]
near, close, cohesion_weight, max_speed, max_force = 8.0, 4.0, 0.7, 1.0, 0.03
area = np.pi * near**2 / 20  # of the plane for each agent, so that an agent sees 20 others where the flock is even


# %% [markdown]
# NumPy: agents are sorted by cells as wide as the radius. Arrays of candidate pairs are made for one of the nine neighbour cells at a
# time, and summed by `bincount()`.

# %%
def numpy_step(x, v, ids, size):
    cells = int(size / near)
    column, row = np.minimum(x * (cells / size), cells - 1).astype(int).T
    order = np.argsort(row * cells + column, kind="stable")
    x, v, ids, column, row = x[order], v[order], ids[order], column[order], row[order]
    start = np.searchsorted(row * cells + column, np.arange(cells * cells + 1))
    sums = np.zeros((6, len(x)))
    for cell in [(row + up) % cells * cells + (column + right) % cells for up in (-1, 0, 1) for right in (-1, 0, 1)]:
        count = start[cell + 1] - start[cell]
        i = np.repeat(np.arange(len(x)), count)
        j = np.arange(len(i)) + np.repeat(start[cell] - np.cumsum(count) + count, count)
        offset = x[j] - x[i]
        offset -= size * np.round(offset / size)
        squared = (offset**2).sum(axis=1)
        seen = (squared <= near**2) & (i != j)
        i, j, offset, squared = i[seen], j[seen], offset[seen], squared[seen]
        apart = np.where((squared <= close**2)[:, None], -offset / squared[:, None], 0)
        for total, term in zip(sums, [*apart.T, *v[j].T, *offset.T]):
            total += np.bincount(i, term, len(x))
    force = np.zeros_like(v)
    for rule, weight in zip(sums.reshape(3, 2, -1), (1, 1, cohesion_weight)):
        length = np.hypot(*rule)
        steer = (rule * (max_speed / np.where(length > 0, length, 1)) - v.T) * (length > 0)
        force += (steer * (weight * np.minimum(1, max_force / np.maximum(np.hypot(*steer), 1e-19)))).T
    v = v + force
    v *= np.minimum(1, max_speed / np.maximum(np.hypot(*v.T), 1e-19))[:, None]
    return (x + v) % np.float32(size), v, ids


# %% [markdown]
# numba: the same cells by a counting sort. The cells around an agent are one stretch of agents in each of three rows, so no offset needs
# to be folded but at the edges of the world. The inner loop has no branch, sums in any order (`fastmath`), does not test for zero
# (`error_model`) nor for negative indices (`uint64`): only so it uses the processor's vectors, which triples its speed.

# %%
@numba.njit(fastmath=True, error_model="numpy")
def numba_steer(x, y, vx, vy, weight):
    length = np.sqrt(x * x + y * y)
    if length == 0:
        return np.float32(0), np.float32(0)
    x, y = x * (np.float32(max_speed) / length) - vx, y * (np.float32(max_speed) / length) - vy
    length = np.sqrt(x * x + y * y)
    if length > np.float32(max_force):
        weight *= np.float32(max_force) / length
    return x * weight, y * weight


@numba.njit(fastmath=True, error_model="numpy")
def numba_sum(px, py, ux, uy, begin, end, x, y):
    near2, close2, tiny, one = np.float32(near**2), np.float32(close**2), np.float32(1e-30), np.float32(1)
    ax = ay = bx = by = cx = cy = np.float32(0)
    for j in range(begin, end):
        dx, dy = px[j] - x, py[j] - y
        squared = dx * dx + dy * dy
        seen = one if squared <= near2 else np.float32(0)
        push = one / max(squared, tiny) if squared <= close2 else np.float32(0)
        ax, ay = ax - push * dx, ay - push * dy
        bx, by = bx + seen * ux[j], by + seen * uy[j]
        cx, cy = cx + seen * dx, cy + seen * dy
    return ax, ay, bx, by, cx, cy


@numba.njit(fastmath=True, error_model="numpy")
def numba_step(x, v, ids, size):
    cells, count, one = int(size / near), len(ids), np.float32(1)
    size, scale = np.float32(size), np.float32(cells / size)
    cell, start = np.empty(count, np.int32), np.zeros(cells * cells + 1, np.uint64)
    for i in range(count):
        cell[i] = min(int(x[i, 1] * scale), cells - 1) * cells + min(int(x[i, 0] * scale), cells - 1)
        start[cell[i] + 1] += np.uint64(1)
    start = np.cumsum(start)
    place = start[:-1].copy()
    px, py, ux, uy, who = (np.empty(count, np.float32), np.empty(count, np.float32), np.empty(count, np.float32),
                           np.empty(count, np.float32), np.empty(count, np.uint32))
    for i in range(count):
        k = place[cell[i]]
        place[cell[i]] += np.uint64(1)
        px[k], py[k], ux[k], uy[k], who[k] = x[i, 0], x[i, 1], v[i, 0], v[i, 1], ids[i]
    x, v = np.empty((count, 2), np.float32), np.empty((count, 2), np.float32)
    for row in range(cells):
        for column in range(cells):
            for i in range(start[row * cells + column], start[row * cells + column + 1]):
                ax = ay = cx = cy = np.float32(0)
                bx, by = -ux[i], -uy[i]  # as the agent meets itself, too
                for up in range(-1, 2):
                    for part in range(-1, 2):  # of the row that lies beyond the left edge, in the world, beyond the right edge
                        begin, end = max(column - 1, cells * part), min(column + 2, cells * (part + 1))
                        if begin >= end:
                            continue
                        first = (row + up) % cells * cells - cells * part
                        rx = px[i] - size * np.float32(part)
                        ry = py[i] - size * np.float32((row + up) // cells)
                        more = numba_sum(px, py, ux, uy, start[first + begin], start[first + end], rx, ry)
                        ax, ay, bx, by, cx, cy = ax + more[0], ay + more[1], bx + more[2], by + more[3], cx + more[4], cy + more[5]
                fx, fy = ux[i], uy[i]
                for sx, sy, weight in ((ax, ay, one), (bx, by, one), (cx, cy, np.float32(cohesion_weight))):
                    steer = numba_steer(sx, sy, ux[i], uy[i], weight)
                    fx, fy = fx + steer[0], fy + steer[1]
                speed = np.sqrt(fx * fx + fy * fy)
                if speed > np.float32(max_speed):
                    fx, fy = fx * (np.float32(max_speed) / speed), fy * (np.float32(max_speed) / speed)
                v[i] = fx, fy
                x[i] = (px[i] + fx) % size, (py[i] + fy) % size
    return x, v, who


# %% [markdown]
# Dunlin: what the law is, without how it is done.

# %%
def dunlin_flock(agents, size, threads=1):
    world = dunlin.World(size=(size, size), boundary="periodic", seed=1, threads=threads)
    birds = world.add_species("birds", agents, max_speed=max_speed, max_force=max_force)
    world.add_interaction(birds, separation=close, alignment=near, cohesion=dunlin.Rule(radius=near, weight=cohesion_weight))
    return world, birds


# %% [markdown]
# All three begin with one flock that has flown for a hundred steps. They take turns, so that what else the machine does meets all of
# them; the median counts.

# %%
def check(state, birds, size):
    """Binary32 rounds differently where sums have another order, and may put a neighbour at the very edge inside or outside."""
    order = np.argsort(state[2])
    apart = np.abs(state[0][order] - birds.position)
    agree = (np.abs(state[1][order] - birds.velocity) < 1e-5) & (np.minimum(apart, size - apart) < 1e-5 + 1e-6 * size)
    assert agree.all(axis=1).mean() > 0.9999, f"{1 - agree.all(axis=1).mean():.2%} of the agents differ"


def measure(agents):
    """Agent-updates per second of the processor's time, in millions, by program."""
    size = float(np.sqrt(agents * area))
    world, birds = dunlin_flock(agents, size)
    world.step(100)
    neighbours = birds.measure().mean_neighbours
    programs = {"NumPy": numpy_step, "numba": numba_step} if agents <= 100_000 else {"numba": numba_step}
    states = {name: (birds.position.copy(), birds.velocity.copy(), birds.id.copy()) for name in programs}
    numba_step(*states["numba"], size)  # compiles
    seconds = {name: [] for name in [*programs, "Dunlin"]}
    for turn in range(6):
        for name, taken in seconds.items():
            steps = max(1, 100_000 // agents) if turn > 0 and name != "NumPy" else 1
            began = time.process_time()
            for _ in range(steps):
                if name in programs:
                    states[name] = programs[name](*states[name], size)
                else:
                    world.step()
            taken.append((time.process_time() - began) / steps)
        if turn == 0:
            for state in states.values():
                check(state, birds, size)
    return neighbours, {name: agents / np.median(taken[1:]) / 1e6 for name, taken in seconds.items()}


results = [measure(agents) for agents in counts]
neighbours, speeds = zip(*results)


# %%
def lines(*functions):
    """How many lines of code they have."""
    return sum(bool(line.strip()) and not line.strip().startswith("#") for one in functions for line in inspect.getsource(one).splitlines())


code = {"NumPy": lines(numpy_step), "numba": lines(numba_steer, numba_sum, numba_step), "Dunlin": lines(dunlin_flock)}
print("| | lines | " + " | ".join(f"{agents:,} agents".replace(",", " ") for agents in counts) + " |\n|---|--:|" + "--:|" * len(counts))
print("| neighbours of an agent | | " + " | ".join(f"{seen:.0f}" for seen in neighbours) + " |")
for name in code:
    print(f"| {name} | {code[name]} | " + " | ".join(f"{speed[name]:.2f}" if name in speed else "–" for speed in speeds) + " |")

# %%
figure, axes = plt.subplots(figsize=(4.6, 2.7))
for name, colour, marker in (("Dunlin", "C0", "o"), ("numba", "C1", "s"), ("NumPy", "C2", "^")):
    known = [(agents, speed[name]) for agents, speed in zip(counts, speeds) if name in speed]
    axes.plot(*zip(*known), color=colour, marker=marker)
    axes.annotate(f"{name}: {code[name]} lines", known[-1], (7, 0), textcoords="offset points", va="center", color=colour, bbox={"color": "white", "pad": 1})
axes.set(xscale="log", yscale="log", xlabel="agents", ylabel="million agent-updates per second")
axes.set_xlim(right=counts[-1] * 12)
axes.set_yticks(ticks := [0.03, 0.1, 0.3, 1, 3, 10], [f"{tick:g}" for tick in ticks])
axes.minorticks_off()
axes.set_title(f"the same flock, one thread, {min(neighbours):.0f} to {max(neighbours):.0f} neighbours per agent")
axes.grid(axis="y", linewidth=0.4, color="0.85")
figure.savefig("compare.png")

# %% [markdown]
# What a behaviour of one's own adds to a step: a swirl by numba and by NumPy, tile by tile or for all agents at once, and a push between
# neighbours by numba.

# %%
weak, middle = np.float32(1e-4), np.float32(500)


@dunlin.numba.tile
def swirl(tile):
    x, y = tile.position
    for i in range(tile.count):
        tile.force[0][i] -= weak * (y[i] - middle)
        tile.force[1][i] += weak * (x[i] - middle)


@dunlin.numba.pair
def push(pair):
    share = np.float32(0.01) * (pair.squared / np.float32(near**2) - np.float32(1))
    return share * pair.offset[0], share * pair.offset[1]


def swirl_tile(tile):
    tile.force = weak * (tile.position[:, ::-1] - middle) * np.float32([-1, 1])


def swirl_species(birds):
    return weak * (birds.position[:, ::-1] - middle) * np.float32([-1, 1])


ways = {
    "none": lambda birds: None,
    "`@dunlin.numba.tile`": lambda birds: birds.add_behaviour("custom", callback=swirl),
    "NumPy, by `steer()`": lambda birds: birds.steer(swirl_species),
    "NumPy, tile by tile": lambda birds: birds.add_behaviour("custom", callback=swirl_tile),
    "`@dunlin.numba.pair`": lambda birds: birds.add_behaviour("pairs", callback=push, pairs={"observed": birds, "radius": near}),
}
def milliseconds(threads, clock):
    """Of a step, by behaviour: of the processor's time, or of the wall's."""
    flocks, taken = {name: dunlin_flock(100_000, 1000, threads) for name in ways}, {name: [] for name in ways}
    for name, add in ways.items():
        add(flocks[name][1])
    for turn in range(11):
        for name, (world, _) in flocks.items():
            began = clock()
            world.step()
            taken[name].append(1000 * (clock() - began))
    assert len({flocks[name][0].hash() for name in list(ways)[1:4]}) == 1
    return {name: np.median(times[2:]) for name, times in taken.items()}


one, two = milliseconds(1, time.process_time), milliseconds(2, time.perf_counter)
print("| behaviour | one thread, processor's time | two threads, time |\n|---|--:|--:|")
for name in ways:
    print(f"| {name} | {one[name]:.1f} | {two[name]:.1f} |")
