# SPDX-License-Identifier: MIT
"""Artists of matplotlib: where agents and scenery are, in world units."""
import matplotlib
import numpy as np
import pytest

import dunlin
from conftest import scenarios

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture
def ax():
    yield plt.figure().add_subplot()
    plt.close("all")


def outlines(artist):
    return np.array([path.vertices for path in artist.get_paths()])


def test_agents_are_darts_along_their_headings(flock, ax):
    world, birds, _ = flock
    artists = world.artists(ax, size=2)
    assert list(artists) == ["dunlins", "peregrines"] and artists["dunlins"] in ax.collections
    assert ax.get_xlim() == (0, 40) and ax.get_ylim() == (0, 30) and ax.get_aspect() == 1
    darts = outlines(artists["dunlins"])
    heading = birds.velocity / np.linalg.norm(birds.velocity, axis=1)[:, None]
    assert np.allclose(darts[:, 0], birds.position + 2 * 0.58 * heading, atol=1e-4)  # the nose
    assert [one.get_label() for one in artists.values()] == ["dunlins", "peregrines"]


def test_colours_show_numbers(flock, ax):
    world, birds, hawks = flock
    birds.add_attribute("energy", value=1)
    birds["energy"] = np.arange(200)
    artists = world.artists(ax, colour="energy")
    assert (artists["dunlins"].get_array() == np.arange(200)).all() and artists["peregrines"].get_array() is None
    ax.figure.colorbar(artists["dunlins"])
    heading = world.artists(ax, colour="heading")["peregrines"]
    assert np.allclose(heading.get_array(), np.arctan2(hawks.velocity[:, 1], hawks.velocity[:, 0])) and heading.get_clim() == (-np.pi, np.pi)
    assert np.allclose(world.artists(ax, colour="speed")["dunlins"].get_array(), np.hypot(*birds.velocity.T))
    with pytest.raises(ValueError, match="did you mean 'energy'"):
        world.artists(ax, colour="enregy")


def test_scenery_is_drawn_in_its_place(ax):
    world = dunlin.World(size=(40, 30))
    world.add_obstacle("ball", a=(10, 10), radius=4)
    world.add_obstacle("box", a=(20, 5), b=(30, 9))
    world.add_obstacle("capsule", a=(10, 20), b=(30, 20), radius=2)
    path = world.add_path(points=[(1, 1), (9, 5)], closed=True)
    species = world.add_species("x", 5)
    species.add_behaviour("contain", contain={"margin": [3, -1]})
    field = world.add_field(cells=[64, 8])
    field.fill("constant", vector=(1, 0))
    traced = world.add_field(cells=[4, 3])
    world.add_trace(traced, species=species).values = np.arange(12).reshape(3, 4)
    artists = world.artists(ax)
    assert list(artists) == ["traces", "fields", "walls", "obstacles", "paths", "x"]
    extents = [path.get_extents().extents for path in artists["obstacles"].get_paths()]
    assert np.allclose(extents, [(6, 6, 14, 14), (20, 5, 30, 9), (8, 18, 32, 22)], atol=0.05)
    assert len(artists["paths"].get_paths()[0].vertices) == len(path.points) + 1
    assert {tuple(line.vertices[:, 0]) for line in artists["walls"].get_paths()} == {(3, 3), (37, 37)}
    assert (artists["traces"][0].get_array() == np.arange(12).reshape(3, 4)).all() and artists["traces"][0].get_extent() == [0, 40, 0, 30]
    arrows, = artists["fields"]
    assert arrows.N < 100 and (arrows.U == 1).all() and (arrows.V == 0).all() and 0 < arrows.X.min() < arrows.X.max() < 40
    assert list(world.artists(scenery=False)) == ["x"]


def test_a_scenario_says_how_it_is_seen(ax):
    simulation = dunlin.Simulation(scenarios / "noc_5_06_path.yaml")
    species, = simulation.artists(ax, scenery=False).values()
    assert ax.yaxis_inverted() and ax.get_xlim() != (0, 1)
    lengths = np.ptp(outlines(species), axis=1).max(axis=1)
    assert (lengths > 1).all()


def test_in_space_agents_are_points(ax):
    world = dunlin.World(size=(10, 20, 30))
    fish = world.add_species("fish", 50, max_speed=1)
    artists = world.artists(colour="speed")
    assert np.allclose(np.sort(artists["fish"]._offsets3d[0]), np.sort(fish.position[:, 0])) and plt.gca().get_zlim() == (0, 30)
    with pytest.raises(ValueError, match="projection='3d'"):
        world.artists(ax)


@pytest.mark.parametrize("name", ["obstacles", "river", "trails", "variety", "breathing", "fish_of_fish"])
def test_shipped_scenarios_become_artists(name, ax, tmp_path):
    simulation = dunlin.Simulation(scenarios / f"{name}.yaml", agents=300)
    simulation.step(5)
    assert set(simulation.species) <= set(simulation.artists(ax))
    ax.figure.savefig(tmp_path / "a.pdf")
