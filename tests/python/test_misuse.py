# SPDX-License-Identifier: MIT
"""Whatever a program does, there is an exception and no crash."""
import copy
import gc
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import dunlin
from conftest import rounds

junk = [None, -1, 2**40, float("nan"), float("inf"), "", "birds", b"x", [], [[]], [[1, 2, 3]], [[np.nan, 1]], np.zeros((3, 2)), np.zeros(3, complex),
        np.arange(5), {"kind": "nearest"}, object(), [[1e30, 0]], True, ("a", 1), 3, 60, [[0, 1]],
        [[1, 1], [5, 1], [9, 9]], [2, 1, 0], np.zeros((2, 0)), np.ones((4, 4, 2))]


def actions(pick, world, kept):
    """What a careless program may do next."""
    things = [*world.species.values(), *world.interactions, *world.behaviours, *world.fields, *world.paths, *world.obstacles, *world.traces, *world.meals]
    thing = pick(things or [world])
    names = [name for name in dir(type(thing)) if not name.startswith("_")]
    species = pick(list(world.species.values()) or [world])

    def look():
        with species.view() as view:
            kept.append((view, view.x))
            pick([world.step, lambda: species.spawn([[1, 1]]), world.close, lambda: view[pick(["y", "z", "id", "none", "vx"])]])()

    def use_old():
        view, array = pick(kept)
        array.sum()
        view.y.sum()

    return [
        world.step, look, use_old, gc.collect, lambda: thing.remove(), lambda: setattr(thing, pick(names), pick(junk)), lambda: getattr(thing, pick(names)),
        lambda: species.spawn(pick(junk), pick(junk)), lambda: species.spawn([[1, 1], [2, 2]], energy=pick(junk)),
        lambda: world.despawn(pick(junk)), lambda: world.despawn(species.id[:3]), lambda: setattr(species, "position", pick(junk)),
        lambda: setattr(species, "velocity", species.velocity[::-1]), lambda: species.__setitem__("energy", pick(junk)), lambda: species[pick(["energy", "x", ""])],
        lambda: species.add_behaviour(pick(["seek", "wander", "custom", "pairs", "none", 99]), callback=pick([None, len, lambda tile: 1 / 0, 7.5])),
        lambda: species.add_behaviour("flee", target=pick(junk), radius=pick(junk)), lambda: world.add_interaction(pick(junk), cohesion=pick(junk)),
        lambda: world.add_field(cells=pick(junk)), lambda: world.add_path(pick(junk), agents=pick([None, *junk])),
        lambda: world.add_field(cells=[3, 3]).fill(pick(["gradient", "noise", "constant", 99]), values=pick(junk)),
        lambda: setattr(pick(things), pick(["points", "agents", "vectors", "values"]), pick(junk)), lambda: world.add_obstacle(pick(["ball", "box", 9]), a=pick(junk)),
        lambda: world.add_trace(pick([0, 5, None])), lambda: world.add_meal(0, pick(junk)), lambda: world.add_species(pick(["a", "", 3]), pick([5, -1, 2**33])),
        lambda: kept.append((copy.copy(world), species.position)), lambda: pickle.loads(pickle.dumps(world)[:pick([40, 400, 10**6])]),
        lambda: dunlin.World.restore(pick([b"", b"DUNLIN", b"\0" * 100])), lambda: world.components(pick([2, -1, float("nan")])),
        lambda: species.add_behaviour("custom", callback=lambda tile: careless(pick, tile)), lambda: species.steer(lambda species: pick(junk)),
        lambda: species.steer(pick([None, 7, lambda species: world.step(), lambda species: species.remove(), lambda species: species.velocity[:2]])),
        lambda: world.record(pick([2, 0, -1, None]), every=pick([1, 0, "a"])), lambda: dunlin.draw(pick(junk), pick(junk), pick(junk), pick(junk)),
        lambda: world.plot(size=pick([(8, 8), 0, -3, 1e9, None, *junk]), colour=pick(["speed", "none", "energy", 5])), lambda: world.animate(pick([1, -1, junk]), size=16),
        lambda: dunlin.Scenario(pick(junk)), lambda: dunlin.Simulation("starlings", set={pick(["world.size", "x", ""]): pick(junk)}, agents=pick([5, -1, 2**40])),
        lambda: pickle.loads(pickle.dumps(world.displacement())).measure(pick([species, None, 3])), lambda: species.to_pandas(),
        lambda: world.density(pick([0, 3, 1e-9])), lambda: species.sum_groups(), lambda: world.change(**{pick(["size", "boundary", "threads", "x"]): pick(junk)}),
    ]


def careless(pick, tile):
    """A function of a tile that does what it may not."""
    pick([lambda: tile.spawn(pick(junk), pick(junk)), lambda: tile.spawn([0], [[1, 1]], species=pick([0, 7, "birds", None])), lambda: tile.inherit(pick(junk), pick(junk)),
          lambda: setattr(tile, pick(["force", "dies", "position"]), pick(junk)), lambda: tile.__setitem__("energy", pick(junk)), lambda: tile.draw(pick([0, -1, 2**30, "a"])),
          lambda: tile.force.__setitem__(0, np.nan)])()


def misuse(seeds):
    for seed in seeds:
        chance = random.Random(seed)
        world = dunlin.World(size=(20, 20), seed=seed, threads=chance.choice([1, 2]), kernel="scalar")
        birds = world.add_species("birds", 20)
        birds.add_attribute("energy")
        world.add_interaction(birds, alignment=2)
        kept = [(world, np.zeros(1))]
        for _ in range(25):
            try:
                chance.choice(actions(chance.choice, world, kept))()
            except SystemError:
                raise  # Python's own name for a crash that did not happen
            except Exception:
                pass


@pytest.mark.parametrize("part", range(4))
def test_misuse_raises_and_never_crashes(part):
    code = f"import test_misuse; test_misuse.misuse(range({100 * rounds * part}, {100 * rounds * (part + 1)}))"
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], cwd=os.path.dirname(__file__), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_worlds_leak_nothing():
    def one():
        world = dunlin.World(size=(20, 20), threads=1, kernel="scalar")
        birds = world.add_species("birds", 10)
        birds.add_behaviour("custom", callback=lambda tile: None)
        world.add_interaction(birds, alignment=2)
        world.step()
        with birds.view() as view:
            view.x.sum()

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    for _ in range(300):
        one()
    before = resident()
    for _ in range(2000 * rounds):
        one()
    assert resident() - before < 2e6


def hash_after(steps, seed=1):
    world = dunlin.World(size=(20, 20), seed=seed, threads=2)
    world.add_interaction(world.add_species("birds", 100), alignment=2)
    world.step(steps)
    return world.hash()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_have_the_same_bits(method):
    world = dunlin.World(size=(20, 20), threads=2)
    world.add_species("birds", 10)
    world.step()  # its threads are there when the process forks
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:  # unlike a Pool it says that a process has crashed
        assert set(pool.map(hash_after, [20, 20, 20])) == {hash_after(20)}
    world.step()


def test_a_process_may_end_with_worlds_that_step():
    code = """
import dunlin, threading
world = dunlin.World(size=(100, 100), threads=2)
world.add_interaction(world.add_species("birds", 5000), alignment=3)
world.species["birds"].add_behaviour("custom", callback=lambda tile: None)
threading.Thread(target=lambda: world.step(10**9), daemon=True).start()
world2 = dunlin.World(size=(10, 10), threads=2); world2.add_species("a", 5); world2.step()
"""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_ctrl_c_stops_after_a_step():
    code = """
import dunlin, os, signal, threading
world = dunlin.World(size=(100, 100), threads=1)
world.add_interaction(world.add_species("birds", 5000), alignment=3)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    world.step(10**9)
except KeyboardInterrupt:
    steps = world.stats.step
    world.step()
    print(world.stats.step - steps, steps > 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "1 True\n", done.stderr
