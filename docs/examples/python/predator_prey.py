# SPDX-License-Identifier: MIT
# %% [markdown]
# # Predator and prey
# Foxes eat rabbits, divide when they have eaten enough, and starve; rabbits breed until the land is full. Their numbers rise and
# fall in cycles, foxes after rabbits, as a phase portrait shows.

# %%
import matplotlib.pyplot as plt
import numpy as np

import dunlin

# %%
seed, steps, every = 1, 3200, 4  # births are decided every 4 steps
capacity, breeding, hunger = 8000, 0.01, 0.01  # rabbits; per rabbit and step; energy per fox and step

world = dunlin.World(size=(200, 200), seed=seed)
rabbits = world.add_species("rabbits", 1500, max_speed=0.5)
foxes = world.add_species("foxes", 150, min_speed=0.2, max_speed=0.8)
foxes.add_attribute("energy", distribution="even", min_value=0.5, max_value=1)
rabbits.add_behaviour("wander")
foxes.add_behaviour("wander", weight=0.5)
foxes.add_behaviour("pursue", target=dunlin.nearest(rabbits), radius=3)
world.add_meal(foxes, rabbits, radius=1, energy="energy", gain=0.1)


# %% [markdown]
# The engine moves the animals and decides who eats whom. What happens between steps is NumPy: arrays have a row per agent, by
# ascending ids, and are written back by assigning them.

# %%
def live(random: np.random.Generator) -> tuple[int, int, int]:
    """Births of rabbits, and births and deaths of foxes."""
    litter = random.random(len(rabbits)) < every * breeding * (1 - len(rabbits) / capacity)
    rabbits.spawn(rabbits.position[litter], -rabbits.velocity[litter])

    energy = foxes["energy"] - every * hunger
    mothers = energy >= 2
    energy[mothers] /= 2
    foxes["energy"] = energy
    starved = foxes.id[energy <= 0]
    foxes.spawn(foxes.position[mothers], -foxes.velocity[mothers], energy=energy[mothers])
    world.despawn(starved)
    return litter.sum(), mothers.sum(), len(starved)


random, numbers, events = np.random.default_rng(seed), [], []
for _ in range(0, steps, every):
    before = len(rabbits)
    world.step(every)
    events.append((before - len(rabbits), *live(random)))  # meals, births of rabbits, births and deaths of foxes
    numbers.append((len(rabbits), len(foxes)))

# %%
time = np.arange(every, steps + 1, every)
(prey, predators), counts = np.transpose(numbers), np.transpose(events)
window = np.full(25, 1 / 25 / every)  # a mean over 100 steps

figure, (course, rates, portrait) = plt.subplots(1, 3, figsize=(7.4, 2.6))
course.plot(time, prey, label="rabbits")
course.plot(time, 10 * predators, label="foxes × 10")
course.set(xlabel="time", ylabel="animals")
for count, factor, label in zip(counts, (1, 1, 10, 10), ("rabbits eaten", "rabbits born", "foxes born × 10", "foxes starved × 10")):
    rates.plot(time[12:-12], factor * np.convolve(count, window, "valid"), label=label)
rates.set(xlabel="time", ylabel="events per step")
for axes in (course, rates):
    axes.set(xlim=(0, steps), ylim=(0, None))
    axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncols=2, columnspacing=1, handlelength=1.2)
dots = portrait.scatter(prey, predators, c=time, s=2)
portrait.set(xlabel="rabbits", ylabel="foxes", xlim=(0, None), ylim=(0, None))
figure.colorbar(dots, ax=portrait, label="time", aspect=30).outline.set_visible(False)
figure.savefig("predator_prey.png")

# %%
late = slice(len(time) // 4, None)
shift = np.arange(0, 400, every)
lag = max(shift, key=lambda s: np.corrcoef(prey[late][: len(prey[late]) - s // every], predators[late][s // every:])[0, 1])
print(f"rabbits {prey[late].min()} to {prey[late].max()}, foxes {predators[late].min()} to {predators[late].max()}; foxes follow by {lag} steps")
