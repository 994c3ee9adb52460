# SPDX-License-Identifier: MIT
"""Behaviours that are Python functions."""
import numpy as np
import pytest

import dunlin


def make(threads=1, kernel="scalar"):
    world = dunlin.World(size=(60, 60), seed=2, threads=threads, kernel=kernel)
    birds = world.add_species("birds", 3000, max_speed=0.5)
    birds.add_attribute("energy", value=5)
    world.add_interaction(birds, alignment=2)
    return world, birds


def test_a_function_pushes_agents_as_the_engines_own_force_does():
    hashes = []
    for own in (False, True):
        world, birds = make()
        if own:
            birds.add_behaviour("custom", callback=lambda tile: tile.force.__setitem__((slice(None), 1), -0.01))
        else:
            birds.add_behaviour("force", force=[0, -0.01])
        world.step(10)
        hashes.append(world.hash())
    assert hashes[0] == hashes[1]


def test_a_function_has_the_same_bits_on_every_kernel_and_thread_count():
    def live(tile):
        tile.force = 0.01 * np.sin(tile.position)
        tile["energy"] = tile["energy"] - 0.5
        tile.dies = (tile["energy"] < 3) & (tile.id % 2 == 0)

    hashes = set()
    for kernel in [one.name for one in dunlin.kernels() if one.runs_here]:
        for threads in (1, 3):
            world, birds = make(threads, kernel)
            birds.add_behaviour("custom", callback=live)
            world.step(8)
            assert len(birds) == 1500 and (birds["energy"] == 1).all()
            hashes.add(world.hash())
    assert len(hashes) == 1


def test_what_a_function_raises_fails_the_step_and_leaves_the_world_whole():
    world, birds = make(3)
    broken = [True]

    def fail(tile):
        if broken[0]:
            raise ZeroDivisionError("on purpose")

    birds.add_behaviour("custom", callback=fail)
    before = world.hash()
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        world.step()
    assert world.hash() == before
    broken[0] = False
    world.step()
    assert world.stats.step == 1


def test_a_function_cannot_change_the_world_it_is_called_by():
    world, birds = make(1)
    said = []

    def misuse(tile):
        for what in (world.step, lambda: birds.spawn([[1, 1]]), world.close, lambda: birds.remove()):
            try:
                what()
            except Exception as error:
                said.append(error)
        kept.append(tile)

    kept = []
    birds.add_behaviour("custom", callback=misuse)
    try:
        world.step()
    except Exception as error:
        said.append(error)
    assert len(said) >= 4
    for tile in kept:
        with pytest.raises(Exception):
            tile.position
    assert np.isfinite(birds.position).all()
