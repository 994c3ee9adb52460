# SPDX-License-Identifier: MIT
"""Behaviours that numba compiles."""
import copy
import pickle
import subprocess
import sys

import numba
import numpy as np
import pytest

import dunlin
import dunlin.numba
from dunlin._dunlin import ffi, lib

f32 = np.float32


@dunlin.numba.tile
def fall(tile):
    for i in range(tile.count):
        tile.force[1][i] -= f32(0.01)


@dunlin.numba.tile
def live(tile):
    for i in range(tile.count):
        chance = dunlin.numba.draw(tile.seed, tile.id[i], tile.step, 3)
        tile.force[0][i] += f32(0.1) * (chance[0] - f32(0.5))
        tile.next_attribute.energy[i] = tile.attribute.energy[i] - f32(0.5) * chance[1]
        if tile.next_attribute.energy[i] < 4:
            tile.dies[i] = 1


@dunlin.numba.pair
def apart(pair):
    falloff = f32(1) / max(pair.squared, f32(2**-126))
    return -(pair.offset[0] * falloff), -(pair.offset[1] * falloff)


@dunlin.numba.pair
def apart_in_space(pair):
    falloff = f32(1) / max(pair.squared, f32(2**-126))
    return -(pair.offset[0] * falloff), -(pair.offset[1] * falloff), -(pair.offset[2] * falloff)


@dunlin.numba.pair
def follow(pair):
    share = pair.observed_attribute.strength / (1 + pair.squared)
    return share * (pair.observed_velocity[0] - pair.velocity[0]), share * (pair.observed_velocity[1] - pair.velocity[1])


def make(size=(60, 60), threads=1, kernel="scalar", agents=3000, **fields):
    world = dunlin.World(size=size, seed=2, threads=threads, kernel=kernel, **fields)
    birds = world.add_species("birds", agents, max_speed=0.5)
    birds.add_attribute("energy", value=5)
    birds.add_attribute("strength", distribution="even", min_value=0.5, max_value=1)
    birds.velocity = np.random.default_rng(1).uniform(-0.3, 0.3, birds.position.shape)
    return world, birds


def everywhere():
    return [(kernel.name, threads) for kernel in dunlin.kernels() if kernel.runs_here for threads in (1, 3)]


@pytest.mark.parametrize("size", [(60, 60), (20, 20, 20)])
def test_a_compiled_force_has_the_engines_bits(size):
    world, birds = make(size)
    birds.add_behaviour("force", force=[0, -0.01, 0])
    world.step(5)
    for kernel, threads in everywhere():
        own, birds = make(size, threads, kernel)
        birds.add_behaviour("custom", callback=fall)
        own.step(5)
        assert own.hash() == world.hash()


@pytest.mark.parametrize("size, law, radius", [((60, 60), apart, 2), ((7, 5), apart, 2), ((20, 20, 20), apart_in_space, 2)])
@pytest.mark.parametrize("boundary", ["periodic", "open"])
def test_a_compiled_separation_has_the_engines_bits(size, law, radius, boundary):
    agents = 3000 if size[0] > 10 else 50
    world, birds = make(size, agents=agents, boundary=boundary)
    world.add_interaction(birds, separation=dunlin.Rule(radius=radius, response="direct", weight=1))
    world.step(5)
    for kernel, threads in everywhere():
        own, birds = make(size, threads, kernel, agents, boundary=boundary)
        birds.add_behaviour("pairs", callback=law, pairs={"observed": birds, "radius": radius})
        own.step(5)
        assert own.hash() == world.hash()


def brute_force(world, birds, others, radius):
    """What follow() does, all pairs in binary64."""
    size = np.array(world.size[:2])
    offset = others.position[None].astype(float) - birds.position[:, None]
    offset -= size * np.round(offset / size)
    squared = (offset ** 2).sum(-1)
    near = (squared <= radius ** 2) & (birds.id[:, None] != others.id[None])
    share = np.where(near, others["strength"] / (1 + squared), 0)
    return (share[..., None] * (others.velocity[None].astype(float) - birds.velocity[:, None])).sum(1)


@pytest.mark.parametrize("who", ["itself", "another"])
def test_a_compiled_pair_agrees_with_numpy(who):
    world, birds = make(agents=700)
    birds.max_speed = 100
    if who == "itself":
        others = birds
    else:
        others = world.add_species("others", 300)
        others.add_attribute("strength", distribution="even", min_value=2, max_value=3)
        others.velocity = np.random.default_rng(3).uniform(-1, 1, (300, 2))
    birds.add_behaviour("pairs", callback=follow, pairs={"observed": others, "radius": 4})
    before, force = birds.velocity, brute_force(world, birds, others, 4)
    world.step()
    assert np.abs(force).max() > 0.1
    np.testing.assert_allclose(birds.velocity, before + force, atol=1e-5)
    world.behaviours[0].pairs = {"radius": 1}
    before, force = birds.velocity, brute_force(world, birds, others, 1)
    world.step()
    np.testing.assert_allclose(birds.velocity, before + force, atol=1e-5)


@dunlin.numba.pair
def count(pair):
    return f32(0.001), 0.0


@pytest.mark.parametrize("who", ["itself", "another"])
def test_an_agent_does_not_meet_itself(who):
    world, birds = make(agents=700)
    others = birds if who == "itself" else world.add_species("others", 700)
    birds.max_speed, before = 100, birds.velocity
    birds.add_behaviour("pairs", callback=count, pairs={"observed": others, "radius": 4})
    offset = others.position[None].astype(float) - birds.position[:, None]
    offset -= 60 * np.round(offset / 60)
    seen = ((offset ** 2).sum(-1) <= 16).sum(1) - (who == "itself")
    world.step()
    np.testing.assert_allclose((birds.velocity - before) / 0.001, np.stack([seen, 0 * seen], axis=-1), atol=0.01)


def test_lives_have_the_same_bits_on_every_kernel_and_thread_count():
    hashes = set()
    for kernel, threads in everywhere():
        world, birds = make(threads=threads, kernel=kernel)
        birds.add_behaviour("custom", callback=live)
        birds.add_behaviour("pairs", callback=follow, pairs={"observed": birds, "radius": 2})
        world.step(5)
        hashes.add(world.hash())
    assert len(hashes) == 1 and 0 < len(birds) < 3000 and 4 <= birds["energy"].min() < birds["energy"].max() < 5


def test_copies_call_the_same_functions():
    world, birds = make()
    birds.add_behaviour("custom", callback=live)
    birds.add_behaviour("pairs", callback=follow, pairs={"observed": birds, "radius": 2})
    world.step()
    copies = [copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
    world.step(2)
    for one in copies:
        one.step(2)
        assert one.hash() == world.hash()


def test_attributes_may_move():
    """A function finds its attributes by their names, also when others have gone, and says so when its own has."""
    world, birds = make(agents=10)
    extra = world.add_attribute(birds, "age", value=100)

    @dunlin.numba.tile
    def grow(tile):
        for i in range(tile.count):
            tile.next_attribute.age[i] = tile.attribute.age[i] + 1

    birds.add_behaviour("custom", callback=grow)
    world.step()
    birds.attributes[0].remove()
    world.step()
    assert (birds["age"] == 102).all() and (birds["strength"] <= 1).all()
    extra.remove()
    now = world.hash()
    with pytest.raises(numba.TypingError, match="age"):
        world.step()
    assert world.hash() == now
    birds.add_attribute("age", value=7)
    world.step()
    assert (birds["age"] == 8).all()


def test_what_cannot_be_compiled_is_not_added():
    world, birds = make(agents=10)

    @dunlin.numba.tile
    def wrong(tile):
        tile.there_is_no_such_field[0] = 1

    with pytest.raises(numba.TypingError, match="there_is_no_such_field"):
        birds.add_behaviour("custom", callback=wrong)
    for kind, law in (("pairs", fall), ("custom", apart), ("seek", fall)):
        with pytest.raises(TypeError):
            birds.add_behaviour(kind, callback=law)
    assert not world.behaviours
    world.step()


def test_a_cfunc_of_numba_is_called_as_it_is():
    record = numba.from_dtype(np.dtype({"names": ["count"], "formats": ["u4"], "offsets": [ffi.offsetof("dunlin_tile", "count")], "itemsize": ffi.sizeof("dunlin_tile")}))
    called = np.zeros(1, np.int64)
    place = called.ctypes.data

    @numba.cfunc(numba.types.void(numba.types.voidptr, numba.types.CPointer(record)))
    def count(user, tile):
        numba.carray(dunlin.numba._pointer(place), 1, np.int64)[0] += numba.carray(tile, 1)[0].count

    world, birds = make(agents=500)
    birds.add_behaviour("custom", callback=count)
    world.step(2)
    assert called[0] == 1000
    with pytest.raises(TypeError, match="no copy can"):
        copy.copy(world)


def test_helpers_have_cs_numbers():
    @numba.njit
    def drawn(seed, id, step, stream):
        return dunlin.numba.draw(seed, id, step, stream)

    @numba.njit
    def sine(turns):
        return dunlin.numba.sine_of_turns(turns)

    @numba.njit
    def way(start, end, size):
        return dunlin.numba.offset(start, end, size)

    assert (drawn(1 << 40, 4_000_000_000, 7, 5) == dunlin.draw(1 << 40, 4_000_000_000, 7, 5)[0]).all()
    assert sine(0.25) == 1 and sine(1 / 3) == lib.dunlin_sine_of_turns(1 / 3)
    world, random = dunlin.World(size=(7, 5)), np.random.default_rng(1)
    for start, end in random.uniform(0, 5, (200, 2, 2)).astype(f32):
        for axis, size in enumerate((7, 5)):
            assert way(start[axis], end[axis], f32(size)) == world.offset(start, end)[axis]
    assert way(f32(1), f32(100), f32(np.inf)) == 99


def test_numba_is_imported_with_dunlin_numba_only():
    subprocess.run([sys.executable, "-c", "import sys, dunlin; assert 'numba' not in sys.modules"], check=True)
    hidden = "import sys; sys.modules['numba'] = None\nimport dunlin\nimport dunlin.numba"
    said = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True).stderr
    assert "ImportError: dunlin.numba needs numba: install" in said
