# SPDX-License-Identifier: MIT
"""Writes tracks.csv, which tracks.py reads: 80 simulated fish in a tank, as a camera and a tracker might report them. They are no real fish.

They are startled at the 20th frame. Positions have an error of 0.05 cm, and one in fifty is missing.
"""
import numpy as np

import dunlin

random = np.random.default_rng(1)
world = dunlin.World(size=(60, 40), boundary="reflect", time_step=0.04, seed=6, threads=1)  # centimetres, seconds
fish = world.add_species("fish", min_speed=4, max_speed=12, max_force=40)
fish.scatter(80, centre=(30, 20), extent=(12, 10))
world.add_interaction(fish, separation=dunlin.Rule(radius=1.5, weight=1.5), alignment=5, cohesion=dunlin.Rule(radius=9, weight=0.5))
fish.add_behaviour("contain", contain={"margin": 6}, weight=2)
fish.add_behaviour("wander", weight=0.6)
fright = fish.add_behaviour("flee", target=dunlin.nearest(fish), radius=6, weight=0)
world.step(200)
with open("tracks.csv", "w") as file:
    file.write("frame,id,x,y\n")
    for frame in range(50):
        fright.weight = 4 if 20 <= frame < 24 else 0
        seen = fish.position + random.normal(scale=0.05, size=(80, 2))
        for number, (x, y) in zip(fish.id, seen):
            if random.random() > 0.02:
                file.write(f"{frame},{number},{x:.2f},{y:.2f}\n")
        world.step(4)
