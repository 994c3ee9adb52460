# SPDX-License-Identifier: MIT
"""The trajectory as H5MD, read by MDAnalysis, which knows one number of atoms for all frames: an atom is a row, and
frame.data["id"] tells which agent it is."""

import numpy as np
import common


def load(simulation):
    import h5py
    import MDAnalysis

    with h5py.File(simulation.path, "r") as file:
        atoms = file["particles/agents/position/value"].shape[1]
    universe = MDAnalysis.Universe.empty(atoms, trajectory=True, velocities=True)
    universe.load_new(simulation.path, format="H5MD")
    return universe.trajectory


def test(simulation):
    names, frames = {}, load(simulation)
    common.same(len(frames), len(simulation.states), "frames")
    for frame, state in zip(frames, simulation.states):
        common.same(frame.data["step"], state.step, "step")
        if simulation.is_periodic:
            common.same(frame.dimensions, np.float32(simulation.box + (90, 90, 90)), "box")
            common.same(frame.data["image"][: state.count], state.image, "images")
        else:
            common.same(frame.dimensions is None, True, "no box")
        ids = frame.data["id"]
        common.same(ids[: state.count].view(np.uint32), state.id, "ids")
        common.same(np.all(ids[state.count :] == -1), True, "rows without agents")
        for number, name in zip(frame.data["species"], state.species):
            common.same(names.setdefault(number, name), name, "species")
        common.same(frame.positions[: state.count], state.position, "positions")
        common.same(frame.velocities[: state.count], state.velocity, "velocities")


def count_pairs(places, box, radius):
    """Pairs of agents within a radius, on the torus, as numpy finds them."""
    ways = np.float64(places)[:, None] - np.float64(places)[None]
    ways -= box * np.rint(ways / box)
    return (np.count_nonzero(np.sum(ways * ways, axis=2) <= radius * radius) - len(places)) // 2


def test_neighbours(simulation, radius):
    """With the box that is in the file all methods find the same neighbours, also across edges, and in 2D."""
    from MDAnalysis.lib.distances import self_capped_distance

    frame, state = load(simulation)[-1], simulation.states[-1]
    places = frame.positions[: state.count]
    want = count_pairs(places, np.float64(simulation.box), radius)
    for method in ("bruteforce", "nsgrid", "pkdtree"):
        pairs = self_capped_distance(places, radius, box=frame.dimensions, method=method, return_distances=False)
        common.same(len(pairs), want, f"pairs by {method}")


def test_groups():
    import h5py

    simulation = common.Simulation("schools")
    with h5py.File(simulation.path, "r") as file:
        for t, frame in enumerate(load(simulation)):
            for name in ("agents", "leader", "centre", "velocity", "spread", "polarization"):
                key = "groups_0_" + name
                common.same(frame.data[key], file[f"observables/{key}/value"][t], key)


for each in common.simulations("reef", "ecosystem", "firework", "starlings", "one", "schools", "trails"):
    common.test("trajectory by MDAnalysis: " + each.name, test, each)
for each, within in zip(common.simulations("reef", "ecosystem"), (1.5, 6.0)):
    common.test("neighbours by MDAnalysis: " + each.name, test_neighbours, each, within)
common.test("groups by MDAnalysis", test_groups)
