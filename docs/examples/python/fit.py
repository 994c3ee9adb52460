# SPDX-License-Identifier: MIT
# %% [markdown]
# # Fitting a flock
# Two radii of a flock, those of alignment and of separation, are fitted with SciPy so that the flock has a wanted polarization and a
# wanted distance between neighbours. The fit is repeated with other seeds, since their spread is the error of the fitted radii.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import dunlin

target = np.array([0.7, 1.4])  # polarization; world units to the nearest neighbour


# %%
def measure(alignment: float, separation: float, seed: int) -> tuple[float, float]:
    """Polarization, and mean distance to the nearest neighbour, of fifty agents that also wander."""
    world = dunlin.World(size=(18, 18), seed=seed, threads=1)
    birds = world.add_species("dunlins", 50, min_speed=0.3, max_speed=0.6)
    world.add_interaction(birds, alignment=alignment, separation=separation)
    birds.add_behaviour("wander")
    world.step(200)
    measured = []
    for _ in range(30):
        world.step(10)
        now = birds.measure()
        measured.append((now.polarization, now.mean_nearest))
    return tuple(np.mean(measured, axis=0))


def mean(alignment: float, separation: float, seeds: range) -> np.ndarray:
    return np.mean([measure(alignment, separation, seed) for seed in seeds], axis=0)


# %% [markdown]
# A seed makes a run repeat exactly, but the smallest change of a radius makes it another run: the curve of one seed is rough at every
# scale, so derivatives mean nothing. Means over seeds are smoother, and a simplex that begins large finds its way.

# %%
radii, few = np.linspace(1, 5, 21), range(1, 9)
curves = np.array([[measure(radius, 2, seed)[0] for radius in radii] for seed in few])


def miss(radii: np.ndarray, seeds: range) -> float:
    """How far the flock is from the target: the sum of squared relative errors."""
    return np.sum((mean(*np.clip(radii, 0.1, 10), seeds) / target - 1) ** 2)


start = np.array([[2.5, 2.5], [4, 2.5], [2.5, 1.5]])
fits = [minimize(miss, start[0], args=(range(first, first + 8),), method="Nelder-Mead",
                 options={"initial_simplex": start, "xatol": 0.05, "fatol": 1e-4, "maxfev": 40}) for first in (11, 21, 31, 41)]
found = np.array([fit.x for fit in fits])
centre, error = found.mean(axis=0), found.std(axis=0, ddof=1)

# %% [markdown]
# The fits form a line: where alignment reaches further, less separation gives nearly the same flock, so these two targets fix the
# radii together better than each alone. Runs with seeds that no fit has seen check the result.

# %%
fresh = mean(*centre, range(101, 117))
figure, (curve, plane) = plt.subplots(1, 2, figsize=(6, 2.6))
curve.plot(radii, curves.T, color="0.75", linewidth=0.7, label=["one seed", *["_"] * 7])
curve.plot(radii, curves.mean(axis=0), label="mean of eight seeds")
curve.axhline(target[0], color="C1", linestyle="--", linewidth=0.8, label="target")
curve.set(xlabel="radius of alignment", ylabel="polarization", ylim=(0, 1), title="separation within 2")
curve.legend()
plane.plot(*found.T, "o", label="fits, eight seeds each")
plane.errorbar(*centre, yerr=error[1], xerr=error[0], color="C1", marker="s", capsize=2, label="their mean and deviation")
plane.set(xlabel="radius of alignment", ylabel="radius of separation", xlim=(2, 4), ylim=(1, 3))
plane.legend()
figure.savefig("fit.png")

# %%
print(f"alignment within {centre[0]:.2f} ± {error[0]:.2f}, separation within {centre[1]:.2f} ± {error[1]:.2f}")
print(f"wanted: polarization {target[0]:.3f}, distance {target[1]:.3f}; 16 fresh seeds: {fresh[0]:.3f}, {fresh[1]:.3f}")
