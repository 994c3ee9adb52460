# SPDX-License-Identifier: MIT
# %% [markdown]
# # Learning to herd
# Sixty-four dogs learn to drive their flocks of sheep to a pen: observations out, forces in, all in one world and one step. The policy
# is improved by the cross-entropy method, and then judged by flocks that it has not seen.

# %%
import matplotlib.pyplot as plt
import numpy as np

import dunlin

flocks, sheep_each, apart, steps = 64, 16, 200, 240


# %% [markdown]
# The flocks are too far apart to see each other. `reset()` and `step()` are those of a vectorised environment: an observation and a
# reward per flock. `steer()` hands the forces to the dogs, in the same step.

# %%
class Herding:
    def __init__(self) -> None:
        self.world = dunlin.World(size=(100, 100), boundary="open")
        self.sheep = self.world.add_species("sheep", max_speed=0.5, drag=0.1)
        self.dogs = self.world.add_species("dogs", max_speed=0.9)
        self.world.add_interaction(self.sheep, separation=2, cohesion=dunlin.Rule(radius=20, weight=0.3))
        self.sheep.add_behaviour("flee", target=dunlin.nearest(self.dogs), radius=12, weight=2)
        self.dogs.steer(lambda dogs: self.force)
        self.pens = apart * np.stack(np.divmod(np.arange(flocks), 8), axis=-1)

    def reset(self, random: np.random.Generator) -> np.ndarray:
        """Flocks in all directions from their pens, and the dogs at the pens."""
        self.world.despawn(np.concatenate([self.sheep.id, self.dogs.id]))
        angle = random.uniform(0, 2 * np.pi, flocks)
        centre = self.pens + 30 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        self.sheep.spawn((centre[:, None] + random.normal(scale=4, size=(flocks, sheep_each, 2))).reshape(-1, 2))
        self.dogs.spawn(self.pens)
        return self.observe()

    def step(self, force: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Takes forces, (flocks, 2); returns observations, (flocks, 4, 2), and rewards, (flocks,): by how much sheep came nearer."""
        self.force, before = force, self.distance()
        self.world.step()
        return self.observe(), before - self.distance()

    def distance(self) -> np.ndarray:
        return np.linalg.norm(self.sheep.position.reshape(flocks, sheep_each, 2) - self.pens[:, None], axis=-1).mean(axis=1)

    def observe(self) -> np.ndarray:
        """Of each dog: the way to its flock, the way round it, the way from the pen to the flock, and its velocity."""
        centre = self.sheep.position.reshape(flocks, sheep_each, 2).mean(axis=1)
        there, out = (centre - self.dogs.position) / 20, (centre - self.pens) / 20
        side = np.sign(there[:, 0] * out[:, 1] - there[:, 1] * out[:, 0])[:, None]
        around = side * there[:, ::-1] * (1, -1) / np.linalg.norm(there, axis=1, keepdims=True).clip(0.1)
        return np.stack([there, around, out, self.dogs.velocity], axis=1)


def score(policies: np.ndarray, random: np.random.Generator, trace: list | None = None) -> np.ndarray:
    """The sum of rewards of each flock. A policy weighs the four observations; the force is limited to 0.2."""
    seen, total = herding.reset(random), np.zeros(flocks)
    for _ in range(steps):
        force = (policies[:, :, None] * seen).sum(axis=1)
        seen, reward = herding.step(0.2 * force / np.linalg.norm(force, axis=1, keepdims=True).clip(1))
        total += reward
        if trace is not None:
            trace.append((herding.sheep.position[:sheep_each], herding.dogs.position[0]))
    return total


# %% [markdown]
# The cross-entropy method: draw a policy per dog, keep the best eight, and draw the next ones around these.

# %%
herding, random = Herding(), np.random.default_rng(1)
mean, deviation, scores = np.zeros(4), np.full(4, 2.0), []
for generation in range(16):
    policies = random.normal(mean, deviation, (flocks, 4))
    scores.append(score(policies, random))
    best = policies[np.argsort(scores[-1])[-8:]]
    mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.1

trace = []
final = score(np.tile(mean, (flocks, 1)), np.random.default_rng(1000), trace)

# %% [markdown]
# The dog that has learned runs round the flock, and then from side to side after it.

# %%
figure, (course, field) = plt.subplots(1, 2, figsize=(7, 2.6))
low, middle, high = np.percentile(scores, [10, 50, 90], axis=1)
course.fill_between(range(1, len(scores) + 1), low, high, alpha=0.2, linewidth=0, label="10 % to 90 % of dogs")
course.plot(range(1, len(scores) + 1), middle, label="median")
course.axhline(final.mean(), color="C1", linestyle="--", linewidth=0.8, label="result, new flocks")
course.set(xlabel="generation", ylabel="distance won", xlim=(1, 16), xticks=range(1, 17, 3))
course.legend()
for step, shade in ((1, 0.75), (80, 0.5), (160, 0.25), (steps, 0)):
    field.scatter(*trace[step - 1][0].T, s=6, color=str(shade), linewidths=0, label=f"sheep, step {step}")
field.plot(*np.transpose([dog for _, dog in trace]), color="C1", linewidth=0.8, label="way of the dog")
field.plot(0, 0, "x", color="C0", markersize=6, label="pen")
field.set(xlabel="x", ylabel="y", aspect="equal", title="one of the new flocks")
field.legend(loc="center left", bbox_to_anchor=(1, 0.5))
figure.savefig("learn.png")

# %%
print(f"64 flocks begin 30 from their pens; random dogs brought them nearer by {scores[0].mean():.1f} on average, learned ones by {final.mean():.1f}")
