# SPDX-License-Identifier: MIT
"""Measurements against NumPy's own."""
import numpy as np
import pytest

import dunlin


@pytest.fixture
def world():
    world = dunlin.World(size=(50, 50), seed=4, threads=1)
    birds = world.add_species("birds", 300, max_speed=0.5)
    world.add_species("others", 40)
    world.add_interaction(birds, alignment=4)
    world.step(10)
    return world


def distances(world, places):
    offsets = np.abs(places[:, None] - places[None])
    return np.hypot(*np.moveaxis(np.minimum(offsets, 50 - offsets), -1, 0))


def test_components_are_those_of_a_graph(world):
    birds = world.species["birds"]
    birds.scatter(1)
    assert world.components(3, "birds").count == world.components(3, birds).count
    found = world.components(2.5, birds)
    near = distances(world, birds.position.astype(float)) <= 2.5
    labels = np.arange(len(birds))
    for _ in range(len(birds)):
        least = np.where(near, labels[None], len(birds)).min(axis=1)
        if (least == labels).all():
            break
        labels = least
    assert (found.labels["birds"] == birds.id[labels]).all() and list(found.labels) == ["birds"]
    sizes = np.sort(np.unique(labels, return_counts=True)[1])[::-1]
    assert (found.sizes == sizes).all() and found.largest == sizes[0] and found.agents == 301
    assert set(world.components(2.5).labels) == {"birds", "others"}


def test_density_counts_agents_in_boxes(world):
    density = world.density(10)
    everywhere = np.concatenate([one.position for one in world.species.values()])
    counts = np.histogram2d(*everywhere.T, bins=5, range=[[0, 50]] * 2)[0]
    assert density.boxes == 25 and density.mean_count == counts.mean()
    assert density.count_variance == pytest.approx(counts.var(ddof=1))
    exponent = dunlin.fluctuation_exponent([world.density(size) for size in (5, 10, 25)])
    assert np.isfinite(exponent)


def test_polarization_is_the_mean_headings_length(world):
    birds = world.species["birds"]
    headings = birds.velocity / np.linalg.norm(birds.velocity, axis=1, keepdims=True)
    assert birds.measure().polarization == pytest.approx(np.linalg.norm(headings.mean(axis=0)), abs=1e-6)
    now = birds.measure()
    world.measure_in_step()
    world.step()
    assert world.measured()["birds"].asdict() == now.asdict()


def test_correlation_begins_with_one_agent_s_own(world):
    found = world.correlation(world.species["birds"], max_radius=20, bins=10)
    assert found.correlation.shape == (10,) and found.bin_width == 2 and found.pairs == found.bin_pairs.sum() > 0
    with pytest.raises(ValueError, match="bins"):
        world.correlation(bins=0)


def test_a_displacement_is_how_far_agents_moved():
    world = dunlin.World(size=(10, 10), threads=1)
    birds = world.add_species("birds", max_speed=1)
    birds.spawn([[1, 1], [9, 9]], [[0.5, 0], [0.5, 0]])
    moved = world.displacement()
    for _ in range(6):
        world.step()
        moved.follow()
    found = moved.measure(birds)
    assert found.agents == 2 and found.mean_squared == pytest.approx(9) and found.mean[0] == pytest.approx(3) and found.time == 6


def test_groups_are_summed():
    world = dunlin.World(size=(100, 100), threads=1)
    birds = world.add_species("birds", groups=3)
    birds.add_attribute("herd", role="group", distribution="in_turn", min_value=0, max_value=1)
    birds.spawn([[10, 10], [50, 50], [20, 10], [60, 70]], [[1, 0], [0, 1], [1, 0], [0, -1]])
    sums = birds.sum_groups()
    assert sums.agents.tolist() == [2, 2, 0] and sums.polarization[:2].tolist() == pytest.approx([1, 0])
    assert np.allclose(sums.centre[:2], [[15, 10], [55, 60]], atol=1e-3) and np.isnan(sums.centre[2]).all()


def test_fields_traces_and_paths_are_arrays():
    world = dunlin.World(size=(40, 20), threads=1)
    birds = world.add_species("birds", 50)
    wind = world.add_field(cells=[4, 2])
    wind.vectors = np.arange(16).reshape(2, 4, 2)
    assert (wind.vectors == np.arange(16).reshape(2, 4, 2)).all()
    wind.fill("constant", vector=[2, 3])
    assert (wind.vectors == [2, 3]).all()
    wind.fill("gradient", values=np.tile(np.arange(4), (2, 1)))
    assert (wind.vectors[..., 1] == 0).all() and wind.vectors[0, 1, 0] == 1
    scent = world.add_trace(world.add_field(cells=[8, 4]), species=birds, deposit=1)
    scent.values = 0.5
    world.step()
    assert scent.values.shape == (4, 8) and scent.values.sum() == pytest.approx(50 + 16)
    path = world.add_path([[1, 1], [5, 5], [9, 1]], closed=True)
    assert path.count == 3 and path.closed and (path.points == [[1, 1], [5, 5], [9, 1]]).all()
    path.points = path.points + 1
    assert path.points[0].tolist() == [2, 2]
    path.points = [[1, 2], [3, 4]]
    assert path.count == 2 and path.agents is None and path.closed
    path.agents = [7, 7, 1, 0]
    assert path.count == 4 and path.agents.tolist() == [7, 7, 1, 0]
    path.points = [[1, 2], [3, 4], [5, 6]]
    assert path.count == 3 and path.agents is None
    for wrong in ({"count": 3}, {"points": [[1, 2, 3]]}, {"points": "ab"}, {"agents": [[1], [2]]}, {"points": [[1, 2], [3, 4]], "agents": [1, 2, 3]}):
        with pytest.raises((TypeError, ValueError)):
            path.change(**wrong)
    for wrong in ([[1, 2]], [[]], np.zeros((2, 0))):  # of which len() is not the number of ids
        with pytest.raises(ValueError, match="shape"):
            world.despawn(wrong)
    rock = world.add_obstacle("ball", a=[10, 10], radius=2)
    assert rock.shape is dunlin.ObstacleShape.BALL and rock.a[:2] == (10, 10)
    rock.remove()
    assert world.obstacles == ()


def test_a_table_of_agents(world):
    pandas = pytest.importorskip("pandas")
    birds = world.species["birds"]
    birds.add_attribute("energy", value=2)
    table = birds.to_pandas()
    assert isinstance(table, pandas.DataFrame) and list(table.columns) == ["x", "y", "vx", "vy", "energy"]
    assert (table.index == birds.id).all() and (table[["x", "y"]].to_numpy() == birds.position).all()


def test_clock_and_memory(world):
    assert world.clock.step == 10
    world.clock = {"step": 100, "time": 7}
    assert world.clock.step == 100 and world.stats.time == 7
    assert world.memory > 1000 and world.fingerprint == world.fingerprint
    assert world.offset([1, 1], [49, 1]).tolist() == [-2, 0]


def test_queries_are_those_of_plain_loops():
    rng = np.random.default_rng(4)
    world = dunlin.World(size=(50, 70), threads=2)
    birds = world.add_species("birds")
    birds.spawn(rng.uniform(0, 49.9, (300, 2)))
    world.add_interaction(birds, cohesion=dunlin.Rule(radius=3))
    world.step()
    before, points = world.hash(), rng.uniform(-20, 90, (40, 2))
    offsets = birds.position[None] - (points % [50, 70])[:, None]
    offsets -= np.round(offsets / [50, 70]) * [50, 70]
    distances = np.hypot(*np.moveaxis(offsets, -1, 0))
    ids = birds.id
    found = world.within(points, 9, birds)
    for question in range(40):
        near = ids[distances[question] <= 9]
        assert sorted(found.of(question)) == sorted(near) and found.counts[question] == len(near)
    with birds.view() as view:
        assert (view.id[found.rows] == found.ids).all()
    nearest = world.nearest(points, 4)
    assert np.allclose(nearest.distances.reshape(40, 4), np.sort(distances)[:, :4], atol=1e-4)
    assert (nearest.ids.reshape(40, 4) == ids[np.argsort(distances)[:, :4]]).all()
    assert len(world.inside([0, 0], [50, 70]).ids) == 300  # more than there is room for at first
    assert len(world.in_view([10, 10], [1, 0], 100, np.pi).ids) == 300
    assert world.on_ray([0, 35], [1, 0], 50, 2).counts == 1
    with pytest.raises(ValueError, match="centre has the shape"):
        world.within([1, 2, 3], 4)
    with pytest.raises(ValueError, match=r"balls\[0\].radius is -1"):
        world.within([1, 2], -1)
    none = world.within(points[:0], 9)
    assert len(none.ids) == 0 and len(none.counts) == 0 and none.begins.tolist() == [0]
    for count in (-1, 2.5, 2**32, [1, -1]):
        with pytest.raises(ValueError, match="count is"):
            world.nearest([1, 2], count)
    with pytest.raises(ValueError, match="must have 3"):
        world.within(points[:3], [1, 2])
    assert world.hash() == before
