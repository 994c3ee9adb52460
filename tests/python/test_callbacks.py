# SPDX-License-Identifier: MIT
"""Behaviours that are Python functions."""
import copy
import gc
import pickle
import threading
import weakref

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


# ---- births ----------------------------------------------------------------------------------------------------------------

def test_children_are_born_after_the_step_with_what_a_function_gives_them():
    world, birds = make(1)
    world.add_species("eggs", 0).add_attribute("size", value=3)
    before = birds.position

    def breed(tile):
        parents = np.flatnonzero(tile.id % 1000 == 0)
        tile.spawn(parents, tile.position[parents], -tile.velocity[parents], energy=[2] * len(parents))
        tile.spawn(np.flatnonzero(tile.id == 7).repeat(2), [1, 2], species="eggs")

    birds.add_behaviour("custom", callback=breed)
    world.step()
    eggs = world.species["eggs"]
    assert len(birds) == 3003 and len(eggs) == 2
    children = birds.position[3000:]
    assert sorted(children.tolist()) == sorted(before[::1000].tolist()) and (birds["energy"][3000:] == 2).all()
    assert (eggs.position == [1, 2]).all() and (eggs.velocity == 0).all() and (eggs["size"] == 3).all()


def test_births_have_the_same_bits_on_every_kernel_and_thread_count():
    def live(tile):
        chance = tile.draw(1)[:, 0]
        parents = np.flatnonzero(chance < 0.1).repeat(2)
        child = np.arange(len(parents)) % 2
        tile.spawn(parents, tile.position[parents], tile.velocity[parents], **tile.inherit(parents, child) | {"age": 0})
        tile.dies = chance > 0.8

    hashes = set()
    for kernel in [one.name for one in dunlin.kernels() if one.runs_here]:
        for threads in (1, 3):
            world, birds = make(threads, kernel)
            birds.add_attribute("age")
            birds.add_attribute("strength", value=1, mutation=0.1)
            birds.add_behaviour("custom", callback=live)
            world.step(6)
            hashes.add(world.hash())
    assert len(hashes) == 1
    strengths = birds["strength"][birds.id >= 3000]
    assert len(np.unique(strengths)) == len(strengths) > 100 and abs(strengths.mean() - 1) < 0.1 and (birds["age"][birds.id >= 3000] == 0).all()


@pytest.mark.parametrize("error, misuse", [
    (IndexError, lambda tile: tile.spawn([0, len(tile)], tile.position[:2], energy=1)),
    (IndexError, lambda tile: tile.spawn(-1, [1, 1])),
    (IndexError, lambda tile: tile.inherit([len(tile)])),
    (TypeError, lambda tile: tile.spawn([0.5], [[1, 1]])),
    (TypeError, lambda tile: tile.spawn(tile.id == 1, tile.position)),
    (dunlin.InvalidValue, lambda tile: tile.spawn([[0]], [[1, 1]])),
    (dunlin.InvalidValue, lambda tile: tile.spawn([0, 1], [[1, 1]] * 3)),
    (dunlin.InvalidValue, lambda tile: tile.spawn([0], [[1, 1, 1]])),
    (dunlin.InvalidValue, lambda tile: tile.spawn([0, 1], tile.position[:2], [np.nan, 0])),
    (dunlin.InvalidValue, lambda tile: tile.spawn(0, [np.inf, 0])),
    (dunlin.InvalidValue, lambda tile: tile.spawn(0, [1, 1], energy=np.nan)),
    (dunlin.InvalidValue, lambda tile: tile.spawn(0, [1, 1], energy=[1, 2])),
    (dunlin.InvalidValue, lambda tile: tile.spawn(0, [1, 1], species=5)),
    (dunlin.InvalidValue, lambda tile: tile.inherit([0, 0], [0, 1, 2])),
    (dunlin.InvalidValue, lambda tile: tile.inherit([0], 1 << 20)),
    (KeyError, lambda tile: tile.spawn(0, [1, 1], speed=1)),
    (KeyError, lambda tile: tile.spawn(0, [1, 1], species="egs")),
])
def test_wrong_births_fail_the_step(error, misuse):
    world, birds = make(2)
    birds.add_behaviour("custom", callback=misuse)
    before = world.hash()
    with pytest.raises(error):
        world.step()
    assert world.hash() == before and len(birds) == 3000


def test_a_birth_needs_all_attributes_or_none():
    world, birds = make(1)
    birds.add_attribute("age")
    birds.add_behaviour("custom", callback=lambda tile: tile.spawn(0, [1, 1], energy=1))
    with pytest.raises(dunlin.InvalidValue, match="age is missing"):
        world.step()


def test_numbers_are_drawn_as_c_does():
    from dunlin._dunlin import ffi, lib

    drawn, one = dunlin.draw(1 << 40, [3, 1, 4_000_000_000], 7, 5), ffi.new("float[4]")
    for row, agent in zip(drawn, [3, 1, 4_000_000_000]):
        lib.dunlin_draw(1 << 40, agent, 7, 5, one)
        assert list(row) == list(one)
    many = dunlin.draw(1, np.arange(10000), 0)
    assert many.shape == (10000, 4) and (many >= 0).all() and (many < 1).all() and abs(many.mean() - 0.5) < 0.01
    for wrong in ([-1], [[1]], [0.5], ["a"]):
        with pytest.raises((ValueError, TypeError)):
            dunlin.draw(1, wrong, 0)


# ---- forces of a whole species ---------------------------------------------------------------------------------------------

def test_forces_of_a_step_are_those_of_the_engine():
    hashes = []
    for own in (False, True):
        world, birds = make(2)
        birds.steer(lambda birds: np.broadcast_to([0, -0.01], (len(birds), 2))) if own else birds.add_behaviour("force", force=[0, -0.01])
        world.step(5)
        world.despawn(birds.id[1::7])
        birds.spawn([[1, 1], [2, 2]])
        world.step(5)
        hashes.append(world.hash())
    assert hashes[0] == hashes[1]


def test_each_agent_gets_its_own_force():
    world, birds = make(1)
    world.despawn(birds.id[1::7])
    world.interactions[0].remove()
    birds.velocity = [[0, 0]]
    birds.steer(lambda birds: np.stack([birds.id * 1e-5, birds.id * -2e-5], axis=-1))
    world.step(2)
    np.testing.assert_allclose(birds.velocity, np.stack([birds.id * 2e-5, birds.id * -4e-5], axis=-1), atol=1e-8)


def test_threads_do_not_share_a_step():
    world, birds = make(2)
    birds.steer(lambda birds: 0.01 * np.sin(birds.position))
    said = []

    def run():
        for _ in range(100):
            try:
                world.step()
            except (RuntimeError, BufferError):
                said.append(False)
            else:
                said.append(True)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.stats.step == sum(said) > 0 and np.isfinite(birds.position).all()


def live_and_steer(kernel, threads, make_world=make):
    """Agents that are born and die while a function steers them; ids have gaps."""
    world, birds = make_world(threads, kernel)
    seen = []

    def steer(birds):
        seen.append(len(birds))
        return 0.01 * np.sin(birds.position) + 0.001 * birds["energy"][:, None] - 0.01 * birds.velocity + 0.001 * dunlin.draw(1, birds.id, len(seen))[:, :2]

    birds.steer(steer)
    for i in range(4):
        world.step(2)
        birds.spawn(birds.position[:30 + i] * 0.99, energy=7)
        world.despawn(birds.id[i::97])
    return world, seen


def test_forces_of_a_step_have_the_same_bits_on_every_kernel_and_thread_count():
    results = [live_and_steer(kernel, threads) for kernel in [one.name for one in dunlin.kernels() if one.runs_here] for threads in (1, 3)]
    assert len({world.hash() for world, _ in results}) == 1
    assert results[0][1][:4] == [3000, 3000, 2998, 2998]


def test_a_simulation_steers_too():
    text = "world: {size: [60, 60]}\nspecies: [{name: birds, agents: 300, max_speed: 0.5}]\ninteractions: [{observer: birds, alignment: {radius: 2}}]\n"
    hashes = []
    for own in (False, True):
        simulation = dunlin.Simulation(text)
        birds = simulation.species["birds"]
        birds.steer(lambda birds: np.broadcast_to([0.01, 0], birds.position.shape)) if own else birds.add_behaviour("force", force=[0.01, 0])
        simulation.step(5)
        hashes.append(simulation.hash())
    assert hashes[0] == hashes[1]


def test_a_function_that_steers_sees_the_step_as_others_do_and_what_it_raises_ends_it():
    world, birds = make(1)
    hawks = world.add_species("hawks", 3)
    said, broken = [], [False]

    def steer(birds):
        if broken[0]:
            raise ZeroDivisionError("on purpose")
        assert hawks.position.shape == (3, 2)
        for change in (world.step, lambda: birds.spawn([[1, 1]]), lambda: setattr(birds, "position", birds.position), birds.remove):
            with pytest.raises((BufferError, RecursionError)) as caught:
                change()
            said.append(caught.type)

    behaviour = birds.steer(steer)
    assert isinstance(behaviour, dunlin.Behaviour) and behaviour.species is birds
    world.step()
    assert len(said) >= 4 and world.stats.step == 1 and len(birds) == 3000
    broken[0], now = True, world.hash()
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        world.step(3)
    assert world.hash() == now
    behaviour.remove()
    world.step()


@pytest.mark.parametrize("force", [[1, 2, 3], np.zeros((2999, 2)), np.nan, [0, np.inf], [0, 1e39]])
def test_forces_that_are_none_end_the_step(force):
    world, birds = make(1)
    birds.steer(lambda birds: force)
    now = world.hash()
    with pytest.raises(dunlin.InvalidValue, match="the force of a steer"):
        world.step()
    assert world.hash() == now


def test_a_world_that_is_steered_goes_with_its_last_user():
    world, birds = make(1)
    birds.steer(lambda birds: 0 * birds.position)
    birds.add_behaviour("custom", callback=lambda tile: None)
    world.step()
    gone = weakref.ref(world)
    gc.disable()
    try:
        del world, birds
        assert gone() is None
    finally:
        gc.enable()


def test_functions_go_with_their_behaviours():
    world, birds = make(1)
    for add in (birds.steer, lambda function: birds.add_behaviour("custom", callback=function)):
        functions = [lambda agents: None for _ in range(3)]
        gone = [weakref.ref(function) for function in functions]
        while functions:
            behaviour = add(functions.pop())
            world.step()
            behaviour.remove()
        add(len).remove()
        gc.collect()
        assert [one() for one in gone] == [None] * 3


def test_only_callbacks_have_a_callback():
    world, birds = make(1)
    for kind, function in (("wander", len), ("pairs", len), ("custom", 0), ("custom", "f"), ("pairs", True)):
        with pytest.raises(TypeError, match="callback"):
            birds.add_behaviour(kind, callback=function)
    with pytest.raises(TypeError, match="'wander' has no callback"):
        birds.add_behaviour("wander", callback=1 << 20)
    assert not world.behaviours


def test_mistakes_in_a_function_of_a_tile_are_said():
    world, birds = make(1)

    def misspell(tile):
        tile.forces = [0, 1]

    def move(tile):
        tile.position[:] += 1

    def burst(tile):
        tile.force = np.full((len(tile), 2), np.nan)

    def bend(tile):
        tile.force = np.zeros((3, 2))

    before = world.hash()
    for function, wanted, match in ((misspell, AttributeError, "forces"), (move, ValueError, "read-only"), (burst, ValueError, "not finite"),
                                    (bend, ValueError, "force has the shape"), (lambda tile: tile.position, TypeError, "returns nothing")):
        own = birds.add_behaviour("custom", callback=function)
        with pytest.raises(wanted, match=match):
            world.step()
        own.remove()
    assert world.hash() == before
    birds.steer(lambda species: species.world.step())
    with pytest.raises(BufferError, match="steer"):
        world.step()


# ---- copies ----------------------------------------------------------------------------------------------------------------

def test_functions_of_whole_species_belong_to_one_behaviour():
    world, birds = make(1)
    others = world.add_species("others", 7, max_speed=1)
    same = dunlin.Forces(lambda species: np.full((len(species), 2), 0.1))
    for species in (birds, others):
        species.velocity = 0
        world.add_behaviour(species, "custom", callback=same)
    twin = copy.copy(world)
    for one in (world, twin):
        one.step()
        assert all((species.velocity != 0).any() for species in one.species.values())
    hashes = [world.hash(), twin.hash()]
    assert len(set(hashes)) == 1


def test_a_restored_function_stays_of_its_kind():
    world, birds = make(1)
    birds.add_behaviour("custom", callback=starve)
    again = copy.copy(world)
    with pytest.raises(ValueError, match="callback"):
        again.behaviours[0].change(kind="pairs", pairs={"observed": 0, "radius": 5})


def starve(tile):
    tile["energy"] = tile["energy"] - 1


def rise(birds):
    return [0, 0.01]


def test_copies_call_the_same_functions():
    world, birds = make(1)
    birds.steer(rise)
    birds.add_behaviour("seek", target={"position": [30, 30]})
    birds.add_behaviour("custom", callback=starve, vital="energy")
    world.step(2)
    file = world.checkpoint()
    copies = [copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world)),
              dunlin.World.restore(file, callbacks=[dunlin.Forces(rise), {"callback": starve, "vital": "energy"}])]
    world.step(2)
    for one in copies:
        one.step(2)
        assert one.hash() == world.hash() and len(one) == 3000
    copies[0].step()
    assert len(copies[0]) == 0 and len(world) == 3000
    for wrong in ([], [starve], [rise] * 3):
        with pytest.raises(dunlin.InvalidValue, match="behaviours that call one"):
            dunlin.World.restore(file, callbacks=wrong)
    birds.steer(lambda birds: None)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(world)
