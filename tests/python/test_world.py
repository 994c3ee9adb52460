# SPDX-License-Identifier: MIT
"""Worlds, species and their arrays."""
import copy
import gc
import pickle
import signal
import threading

import numpy as np
import pytest

import dunlin
from conftest import scenarios


def test_arrays_have_a_row_per_agent_by_ids(flock):
    world, birds, _ = flock
    world.step(5)
    with birds.view() as view:
        order = np.argsort(view.id)
        assert (birds.id == view.id[order]).all()
        assert (birds.position == np.column_stack([view.x, view.y])[order]).all()
        assert (birds.velocity == np.column_stack([view.vx, view.vy])[order]).all()
    assert birds.position.dtype == np.float32 and birds.position.shape == (200, 2)
    with pytest.raises(ValueError):
        birds.position[0] = 0


def test_what_is_written_is_read(flock):
    world, birds, _ = flock
    world.step(3)
    wanted = np.random.default_rng(1).uniform(0, 30, (200, 2)).astype(np.float32)
    birds.position = wanted
    birds.velocity = 0.1 * wanted
    assert (birds.position == wanted).all()
    assert (birds.velocity == (0.1 * wanted).astype(np.float32)).all()
    birds.add_attribute("energy", value=3)
    assert (birds["energy"] == 3).all()
    birds["energy"] = np.arange(200)
    world.step()
    assert (birds["energy"] == np.arange(200)).all()


def test_writing_what_was_read_changes_no_bit(flock):
    world, birds, hawks = flock
    world.step(4)
    world.despawn(birds.id[10:20])
    before = world.hash()
    for species in (birds, hawks):
        species.position = species.position
        species.velocity = species.velocity
    assert world.hash() == before


def test_agents_come_and_go(flock):
    world, birds, _ = flock
    birds.add_attribute("energy", value=1)
    first = birds.spawn([[5, 5], [6, 5]], energy=2)
    assert len(birds) == 202 and birds.id[-2:].tolist() == [first, first + 1] and birds["energy"][-1] == 2
    world.despawn(birds.id[birds["energy"] == 2])
    assert len(birds) == 200
    with pytest.raises(ValueError):
        world.despawn([first])


def test_a_handle_stays_right_when_others_are_removed(flock):
    world, birds, hawks = flock
    kinds = ["force", "contain", "wander", "drag"]
    behaviours = [birds.add_behaviour(kind) for kind in kinds]
    behaviours[0].remove()
    behaviours[2].remove()
    assert [one.kind.name.lower() for one in world.behaviours] == ["contain", "drag"]
    assert behaviours[3].kind is dunlin.BehaviourKind.DRAG and behaviours[3].number == 1
    with pytest.raises(dunlin.Stale):
        behaviours[0].weight
    with pytest.raises(ValueError, match="interaction 0 uses it"):
        birds.remove()
    for thing in [*world.behaviours, *world.interactions]:
        thing.remove()
    birds.remove()
    assert hawks.number == 0 and hawks.name == "peregrines" and len(world.interactions) == 0


def test_a_field_of_a_definition_is_read_and_set(flock):
    world, birds, hawks = flock
    birds.max_speed = 0.75
    assert birds.max_speed == 0.75
    world.interactions[0].cohesion = dunlin.Rule(weight=-1)
    assert world.interactions[0].cohesion.weight == -1 and world.interactions[0].cohesion.radius == 3
    assert world.interactions[1].observer is hawks and world.interactions[1].observed is birds
    home = hawks.add_behaviour("seek", target=(5, 6))
    assert home.target.kind == dunlin.TargetKind.POINT and home.target.position[:2] == (5, 6)
    home.remove()
    chase = hawks.add_behaviour("pursue", target={"kind": "nearest", "species": "dunlins"}, radius=10, pursuit=dunlin.Pursuit(time=3))
    assert chase.pursuit.time == 3 and chase.target.kind is dunlin.TargetKind.NEAREST
    world.time_step = 0.5
    assert world.time_step == 0.5 and world.boundary is dunlin.Boundary.PERIODIC


def test_agents_begin_at_speeds_of_their_species_as_in_scenarios():
    world = dunlin.World(size=(320, 200), seed=1, threads=1)
    birds = world.add_species("dunlins", 500, min_speed=0.25, max_speed=0.5)
    speeds = np.hypot(*birds.velocity.T)
    assert speeds.min() >= 0.2499 and speeds.max() <= 0.5001 and np.ptp(speeds) > 0.2
    birds.scatter(1, max_speed=0)
    assert np.array_equal(birds.velocity[-1], [0, 0])
    text = "world: {size: [320, 200]}\nspecies: [{name: dunlins, agents: 500, min_speed: 0.25, max_speed: 0.5}]\n"
    world.despawn(birds.id[-1:])
    assert np.array_equal(dunlin.Simulation(text, seed=1).species["dunlins"].velocity, birds.velocity)


def test_what_would_be_lost_silently_is_refused(flock):
    world, birds, hawks = flock
    with pytest.raises(AttributeError, match="is a copy: assign another one .* dunlin.Rule.weight=2"):
        world.interactions[0].alignment.weight = 2
    with pytest.raises(AttributeError, match=r"^unknown field 'maxspeed' of Species; did you mean 'max_speed'\?$"):
        birds.maxspeed = 2
    with pytest.raises(AttributeError, match="did you mean 'time_step'"):
        world.timestep = 2
    world.history = []  # its own
    with pytest.raises(TypeError, match=r"^unknown field 'maxspeed' of Species; did you mean 'max_speed'\?$"):
        world.add_species("more", maxspeed=2)
    with pytest.raises(TypeError, match="did you mean 'radius'"):
        dunlin.Rule(radios=2)
    with pytest.raises(ValueError, match="steps is -1"):
        world.step(-1)
    for target in (7, hawks, "hawks"):
        with pytest.raises(TypeError, match="target: a dunlin.Target is wanted, or a dict of its fields, not "):
            birds.add_behaviour("seek", target=target)
    for use in (world.despawn, np.asarray, list):
        with pytest.raises(TypeError, match="'dunlins': 200 agents> has arrays by their names"):
            use(birds)
    with pytest.raises(TypeError, match="^unknown field 'xyz' of World; allowed: (?!.*cookie)"):
        dunlin.World(xyz=3)


def test_text_of_handles(flock):
    world, birds, hawks = flock
    second = world.interactions[1]
    assert repr(world.interactions) == "(<Interaction 0>, <Interaction 1>)" and repr(birds) == "<Species 'dunlins': 200 agents>"
    second.remove()
    assert repr(second) == "<Interaction: removed>"


def test_mistakes_name_what_is_wrong(flock):
    world, birds, _ = flock
    with pytest.raises(ValueError, match="max_speed"):
        birds.max_speed = -1
    with pytest.raises(ValueError, match="did you mean 'periodic'"):
        dunlin.World(size=(1, 1), boundary="perodic")
    with pytest.raises(TypeError, match="did you mean 'boundary'"):
        dunlin.World(size=(1, 1), boundry="open")
    with pytest.raises(NotImplementedError, match="scalar"):
        dunlin.World(kernel="none")
    with pytest.raises(KeyError, match="energy"):
        birds["enrgy"] if birds.add_attribute("energy") else None
    with pytest.raises(OSError):
        dunlin.Simulation("no_such_file.yaml")
    assert all(error.__module__ == "dunlin" for error in [dunlin.Error, *dunlin.Error.__subclasses__()])


def test_a_view_is_of_one_moment(flock):
    world, birds, _ = flock
    with birds.view() as view:
        x = view.x
        before = x.copy()
        with pytest.raises(BufferError):
            world.step()
        with pytest.raises(ValueError):
            x[0] = 1
        with pytest.raises(ValueError):
            x.flags.writeable = True
        assert (x == before).all()
    world.step()
    with pytest.raises(dunlin.Stale):
        view.y
    world.close()
    gc.collect()
    assert (x == before).all()  # freed memory would end the process, or the sanitizer's patience
    with pytest.raises(dunlin.Stale):
        birds.position


def test_arrays_that_are_kept_show_the_old_numbers(flock):
    world, birds, _ = flock
    birds.add_attribute("energy", value=1)
    plain = copy.copy(world)
    kept = []
    for _ in range(6):
        view = birds.view()
        arrays = [view.x, view.y, view.vx, view.vy, view.id, view.energy]
        generation = birds.measure() and view.y  # measuring leaves it as it is
        assert (generation == arrays[1]).all()
        kept.append((arrays, [array.copy() for array in arrays]))
        for one in (world, plain):
            one.species["dunlins"].spawn([[3, 4]])
            one.species["dunlins"].position = one.species["dunlins"].position[::-1]
            one.step()
            one.species["dunlins"]["energy"] = np.arange(len(one.species["dunlins"]))
            one.despawn(one.species["dunlins"].id[:2])
    assert world.hash() == plain.hash()
    for arrays, copies in kept:
        for array, was in zip(arrays, copies):
            assert (array == was).all()


def test_a_view_of_which_no_array_is_kept_copies_nothing(flock):
    world, birds, _ = flock
    world.step()
    places = set()
    for _ in range(6):
        with birds.view() as view:
            places.add(view.x.__array_interface__["data"][0])
        world.step()
    assert len(places) <= 2  # buffers


def test_what_two_threads_do_at_once_is_done_or_refused():
    """No look of another thread disturbs steps, or is answered with what is not there."""
    world = dunlin.World(size=(200, 200), seed=1, threads=1)
    birds = world.add_species("birds", 3000, max_speed=1)
    birds.add_attribute("energy", value=1)
    world.add_interaction(birds, separation=2, cohesion=4)
    plain, failed, looks, done = copy.copy(world), [], set(), threading.Event()

    def run():
        try:
            world.step(60)
        except Exception as error:
            failed.append(error)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        for look in (lambda: len(world), lambda: len(birds), lambda: world.memory > 0, lambda: len(birds.id), lambda: birds.measure().agents,
                     lambda: birds.__setitem__("energy", 1) or len(birds["energy"]), lambda: world.step(0) or 3000, lambda: world.hash() and 3000):
            try:
                looks.add(look())
            except RuntimeError:
                pass
    thread.join()
    plain.step(60)
    assert not failed and looks <= {3000, True} and world.hash() == plain.hash() and world.stats.step == 60


def test_ctrl_c_leaves_no_world_locked():
    world = dunlin.World(size=(50, 50), threads=1)
    birds = world.add_species("birds", 3, max_speed=1)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for i in range(400):
            with pytest.raises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 2e-5 + 1e-6 * (i % 80))
                while True:
                    world.step()
                    birds.velocity
            world.step()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_handles_are_of_their_world(flock):
    world, birds, hawks = flock
    assert copy.copy(birds) is birds and copy.deepcopy([hawks])[0] is hawks
    with pytest.raises(TypeError, match="without it"):
        pickle.dumps(birds)
    assert birds.behaviours == [] and birds.add_behaviour("wander") in birds.behaviours and hawks.behaviours == []
    assert "closed" in repr(birds) + repr(world) if world.close() is None else False


def test_ids_are_not_a_mask(flock):
    world, birds, _ = flock
    for mask in (birds.position[:, 0] > 20, np.array([True, False])):
        with pytest.raises(TypeError, match="mask"):
            world.despawn(mask)
    with pytest.raises(TypeError, match="seek has no target"):
        birds.add_behaviour("seek")
    with pytest.raises(ValueError, match="2 dimensions"):
        birds.add_behaviour("seek", target=(1, 2, 3))
    with pytest.raises(ValueError, match=r"position has the shape \(200, 2\)"):
        birds.position = np.zeros((3, 2))
    with pytest.raises(TypeError, match="steps is a whole number"):
        world.step(2.5)
    with birds.view():
        for change in (world.close, world.step, lambda: setattr(birds, "velocity", 0)):
            with pytest.raises((BufferError, ValueError)):
                change()


def test_of_two_threads_in_one_world_one_is_refused(flock):
    world, birds, _ = flock
    birds.scatter(5000)
    refused, done = [], []

    def use(what):
        for _ in range(100000):
            if refused:
                return
            try:
                what()
                done.append(what)
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=use, args=(what,)) for what in (world.step, lambda: birds.position)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused and "another thread" in refused[0]
    world.step()
    assert np.isfinite(birds.position).all()


def test_two_worlds_in_two_threads_have_the_bits_of_one():
    def run(out):
        world = dunlin.World(size=(50, 50), seed=9, threads=2)
        world.add_interaction(world.add_species("birds", 3000), separation=1, alignment=2, cohesion=2)
        world.step(20)
        out.append(world.hash())

    hashes = []
    threads = [threading.Thread(target=run, args=(hashes,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run(hashes)
    assert len(hashes) == 3 and len(set(hashes)) == 1


def test_a_scenario_is_set_and_measured():
    text = "world: {size: [30, 30]}\nspecies:\n  - {name: birds, agents: 50}\n"
    with dunlin.Simulation(text, set={"world.boundary": "open", "species.birds.max_speed": 2}, seed=5) as simulation:
        assert simulation.boundary is dunlin.Boundary.OPEN and simulation.species["birds"].max_speed == 2 and simulation.seed == 5
        simulation["species.birds.max_speed"] = 1.5
        simulation.step(2)
        assert simulation.species["birds"].max_speed == 1.5
        assert simulation.metrics()["birds"].agents == 50
    with pytest.raises(dunlin.Stale):
        simulation.step()


def test_a_copy_continues_bit_for_bit(flock, tmp_path):
    world, birds, _ = flock
    birds.add_attribute("energy", distribution="even", max_value=2)
    birds.add_behaviour("wander")
    world.step(7)
    world.checkpoint(tmp_path / "world")
    copies = [dunlin.World.restore(tmp_path / "world"), pickle.loads(pickle.dumps(world)), copy.copy(world), copy.deepcopy(world)]
    world.step(5)
    for one in copies:
        one.step(5)
        assert one.hash() == world.hash()
        assert (one.species["dunlins"]["energy"] == birds["energy"]).all()
    with pytest.raises(OSError):
        dunlin.World.restore(world.checkpoint()[:-9])
    with pytest.raises(OSError):
        dunlin.World.restore(tmp_path / "none")


def test_a_simulation_continues_bit_for_bit(tmp_path):
    simulation = dunlin.Simulation(scenarios / "emitter.yaml", threads=1)
    simulation.step(30)
    copied = pickle.loads(pickle.dumps(simulation))
    simulation.step(30)
    copied.step(30)
    assert copied.hash() == simulation.hash() and copied.steps == simulation.steps and type(copied) is dunlin.Simulation


def test_an_attribute_is_named_wherever_a_definition_wants_one(flock):
    world, birds, hawks = flock
    fear = birds.add_attribute("fear", value=0)
    food = hawks.add_attribute("energy", value=1)
    adapt = birds.add_behaviour("adapt", adapt=dunlin.Adapt(attribute="fear", signal="sees", observed=hawks), radius=5)
    assert adapt.adapt.attribute is fear and adapt.adapt.observed is hawks
    meal = world.add_meal("peregrines", "dunlins", radius=0.5, energy="energy", worth=fear)
    assert meal.energy is food and meal.worth is fear and meal.eater is hawks
    with pytest.raises(KeyError, match="did you mean 'fear'"):
        birds.add_behaviour("adapt", adapt={"attribute": "faer"})
    with pytest.raises(KeyError):
        world.add_meal("gulls", birds)
