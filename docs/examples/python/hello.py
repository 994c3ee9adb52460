# SPDX-License-Identifier: MIT
"""The flock of ../hello.c, from Python."""
import dunlin

world = dunlin.World(size=(100, 100))
world.add_species("starlings", 2000)
world.add_interaction("starlings", separation=1,
                      alignment=3, cohesion=3)
world.step(300)
print(f"state hash: {world.hash()}")
