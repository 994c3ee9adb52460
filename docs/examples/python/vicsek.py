# SPDX-License-Identifier: MIT
# %% [markdown]
# # Vicsek's transition
# Noise ends the order of Vicsek's particles: `dunlin.sweep` runs flocks of three sizes over the noise on all cores, and finite-size
# scaling finds the noise at which that happens. The sizes are small, so that it takes half a minute; `--long` takes larger ones, and some minutes.

# %%
import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas

import dunlin

long = "--long" in sys.argv
sizes, seeds, steps = ((64, 256, 1024), 6, 8000) if long else ((25, 100, 400), 4, 4000)
noises = np.linspace(3, 5.5, 11)  # η, radians: a heading is turned by up to η / 2
density, speed = 4, 0.5  # per unit of area, where 1 is the radius; per step


# %% [markdown]
# Of each run the moments of the order parameter m, the polarization, are kept, over its steps but for the first fifth.

# %%
def moments(rows: np.ndarray) -> dict[str, float]:
    m = rows["polarization"].astype(float)
    return {"m": m.mean(), "m2": (m**2).mean(), "m4": (m**4).mean()}


def side(agents: int) -> float:
    return (agents / density) ** 0.5


runs = dunlin.sweep(
    "vicsek",
    {"noise": {noise: {"models[0].vicsek.whole_noise": np.degrees(noise)} for noise in noises},
     "agents": {agents: {"species.particles.agents": agents, "world.size": [side(agents)] * 2} for agents in sizes}},
    set={"species.particles.min_speed": speed, "species.particles.max_speed": speed},
    seeds=seeds, steps=steps, last=0.8, every=5, measure=moments)

# %% [markdown]
# Moments are averaged over seeds before they are combined: into the susceptibility χ = N (⟨m²⟩ - ⟨m⟩²), which peaks at the transition, and
# Binder's cumulant U = 1 - ⟨m⁴⟩ / 3⟨m²⟩², which is 2/3 in order and 1/3 in disorder. Curves of U of different sizes cross near the
# critical noise, since there the flock looks alike at every size. So small, the transition looks continuous. Much larger flocks form
# bands, and then it is a jump: G. Grégoire and H. Chaté, Phys. Rev. Lett. 92, 025702 (2004).

# %%
mean = runs.groupby(["agents", "noise"])[["m", "m2", "m4"]].mean().reset_index()
mean["chi"] = mean["agents"] * (mean["m2"] - mean["m"] ** 2)
mean["U"] = 1 - mean["m4"] / (3 * mean["m2"] ** 2)
order, chi, binder = (mean.pivot(index="noise", columns="agents", values=name) for name in ("m", "chi", "U"))


def crossing(larger: pandas.Series, smaller: pandas.Series) -> float:
    """The noise at which the larger flock's cumulant falls below the smaller one's, between two points of the sweep."""
    over = (larger - smaller).to_numpy()
    at = over.argmin()
    while over[at] < 0 and at > 0:
        at -= 1
    return noises[at] + (noises[at + 1] - noises[at]) * over[at] / (over[at] - over[at + 1])


critical = crossing(binder[sizes[2]], binder[sizes[1]])

# %%
figure, axes = plt.subplots(1, 3, figsize=(7.4, 2.4))
for panel, table, label in zip(axes, (order, chi, binder), ("order parameter m", "susceptibility χ", "Binder's cumulant U")):
    for agents in sizes:
        panel.plot(table[agents], marker="o", label=f"{agents} agents")
    panel.axvline(critical, color="0.6", linestyle="--", linewidth=0.8)
    panel.set(xlabel="noise η (radians)", ylabel=label)
axes[0].set(ylim=(0, 0.8))
axes[0].legend()
axes[2].set(ylim=(0.25, 0.7), title=f"crossing at η = {critical:.2f}")
figure.savefig("vicsek.png")

# %%
print(f"{len(runs)} runs; the largest two flocks' cumulants cross at η = {critical:.2f}, where m = {np.interp(critical, noises, order[sizes[2]]):.2f}")
