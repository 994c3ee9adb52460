# SPDX-License-Identifier: MIT
"""A world as artists of matplotlib, for papers."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _generated as made
from ._base import InvalidValue, unknown
from ._dunlin import ffi, lib

if TYPE_CHECKING:
    from ._base import Array
    from .things import Obstacle, Species
    from .world import World

_turn = np.linspace(0, 2 * np.pi, 25)[:-1]
_circle = np.stack([np.cos(_turn), np.sin(_turn)], axis=-1)
_grey, _behind = "0.6", 0.5  # the colour of what is no agent, and its zorder


def draw(world: World, ax: Any, colour: str, size: float | None, scenery: bool) -> dict[str, Any]:
    """As World.artists()."""
    kinds = [name for species in world.species.values() for name in species._attribute_names()]
    if colour not in ("species", "heading", "speed", *kinds):
        raise InvalidValue(unknown("colour", colour, ["species", "heading", "speed", *kinds]))
    ax, artists = _axes(world, ax), {}
    if scenery and world._dimensions == 2:
        for name, add in (("traces", _add_traces), ("fields", _add_fields), ("walls", _add_walls), ("obstacles", _add_obstacles), ("paths", _add_paths)):
            if added := add(world, ax):
                artists[name] = added
    for name, species in world.species.items():
        if len(species) > 0:
            artists[name] = _add_agents(species, ax, colour, size)
    return artists


def _axes(world: World, ax: Any) -> Any:
    """Axes with the limits of the world; those of an open one follow from what is drawn."""
    try:
        import matplotlib.pyplot  # type: ignore[import]
    except ImportError:
        raise ImportError("artists need matplotlib, which Debian's package python3-matplotlib has") from None
    flat = world._dimensions == 2
    if ax is None:
        ax = matplotlib.pyplot.figure().add_subplot(projection=None if flat else "3d")
    if (ax.name == "3d") == flat:
        raise InvalidValue(f"this world has {world._dimensions} dimensions: its axes are made with projection={None if flat else '3d'!r}")
    ax.set_aspect("equal")
    for axis, name in enumerate("xyz"[:world._dimensions]):
        if lib.dunlin_world_boundary(world._open(), axis) != made.Boundary.OPEN:
            getattr(ax, f"set_{name}lim")(0, world.size[axis])
    if flat and world._scenario and lib.dunlin_scenario_y_is_down(world._scenario) and not ax.yaxis_inverted():
        ax.invert_yaxis()
    return ax


# ---- agents ----------------------------------------------------------------------------------------------------------------

def _values(species: Species, colour: str) -> Any:
    """The numbers that colours show; None: there are none."""
    if colour == "heading":
        return np.arctan2(species.velocity[:, 1], species.velocity[:, 0])
    if colour == "speed":
        return np.linalg.norm(species.velocity, axis=1)
    return species[colour] if colour in species._attribute_names() else None


def _headings() -> Any:
    """Colours of directions, all as light as each other: a circle in OKLCH, as in the program's pictures."""
    from matplotlib.colors import ListedColormap  # type: ignore[import]

    hue = np.linspace(0, 2 * np.pi, 256, endpoint=False)
    lightness, a, b = 0.62, 0.12 * np.cos(hue), 0.12 * np.sin(hue)
    l, m, s = ((lightness + x * a + y * b) ** 3 for x, y in ((0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728), (-0.0894841775, -1.2914855480)))
    linear = np.stack([4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                       -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s], axis=-1).clip(0, 1)
    return ListedColormap(np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055), "headings")


def _style(species: Species, colour: str) -> tuple[Any, dict[str, Any]]:
    """What colours show, and what the artist is made with."""
    values = _values(species, colour)
    if values is None:
        return None, {"label": species.name, "color": f"C{species.number}" if colour == "species" else _grey}
    return values, {"label": species.name, "cmap": _headings() if colour == "heading" else None}


def _look(species: Species) -> Any:
    """The look that a scenario gives the species; by default it is a dart, or a dot where it stands."""
    world = species.world
    look = lib.dunlin_scenario_look(world._scenario, species.number) if world._scenario else ffi.new("dunlin_look *", {"size_by": -1})[0]
    if look.scale == 0:
        look.shape, look.typical = (lib.DUNLIN_SHAPE_DOT if species.max_speed == 0 else lib.DUNLIN_SHAPE_DART), 1
    return look


def _lengths(species: Species, look: Any) -> Any:
    """World units: those of the scenario, or about the distance between agents, as far as it can be seen."""
    names = species._attribute_names()
    sizes = species[names[look.size_by]] if 0 <= look.size_by < len(names) else np.ones(len(species), np.float32)
    if look.size > 0:
        return look.size * sizes
    sides = np.ptp(np.concatenate([one.position for one in species.world.species.values()]), axis=0)
    longest = float(sides.max()) or 1.0
    apart = math.sqrt(float(np.prod(np.maximum(sides, 0.1 * longest))) / len(species))
    return float(np.clip(0.7 * apart, 0.008 * longest, 0.03 * longest)) * sizes / look.typical


def _add_agents(species: Species, ax: Any, colour: str, size: float | None) -> Any:
    from matplotlib.collections import PolyCollection  # type: ignore[import]

    values, style = _style(species, colour)
    if species.world._dimensions == 3:
        return ax.scatter(*species.position.T, s=4, c=values, **style)
    look, heading = _look(species), _values(species, "heading")
    outline = lib.dunlin_shape_outline(look.shape)
    corners = np.array([list(corner) for corner in outline.corners[0:outline.count]]) if outline.count else outline.radius * _circle
    scaled = corners * (_lengths(species, look) if size is None else np.full(len(species), size))[:, None, None]
    cos, sin = np.cos(heading)[:, None], np.sin(heading)[:, None]
    turned = np.stack([cos * scaled[..., 0] - sin * scaled[..., 1], sin * scaled[..., 0] + cos * scaled[..., 1]], axis=-1)
    agents = PolyCollection(species.position[:, None] + turned, array=values, linewidths=0, **style)
    if colour == "heading":
        agents.set_clim(-np.pi, np.pi)
    ax.add_collection(agents)
    ax.autoscale_view()
    return agents


# ---- scenery ---------------------------------------------------------------------------------------------------------------

def _add_traces(world: World, ax: Any) -> list[Any]:
    """Black from the 98th percentile on, so that a few peaks do not hide the rest."""
    images = []
    for trace in world.traces:
        field, values = trace.field, trace.values
        images.append(ax.imshow(values, extent=[field.min[0], field.max[0], field.min[1], field.max[1]], origin="lower", cmap="Greys", vmin=0,
                                vmax=np.percentile(values, 98) or None, interpolation="nearest", zorder=0))
    return images


def _add_fields(world: World, ax: Any) -> list[Any]:
    """At most 30 arrows along an axis."""
    traced, arrows = [trace.field for trace in world.traces], []
    for field in world.fields:
        if field in traced or not (vectors := field.vectors).any():
            continue
        x, y = (np.linspace(low, high, 2 * cells + 1)[1::2] for low, high, cells in zip(field.min, field.max, vectors.shape[1::-1]))
        every = math.ceil(max(len(x), len(y)) / 30)
        part = vectors[every // 2::every, every // 2::every]
        arrows.append(ax.quiver(x[every // 2::every], y[every // 2::every], part[..., 0], part[..., 1], angles="xy", pivot="mid", color=_grey, width=0.002, zorder=_behind))
    return arrows


def _add_walls(world: World, ax: Any) -> Any:
    """The lines at which agents begin to turn."""
    from matplotlib.collections import LineCollection

    lines = []
    for contain in (one.contain for one in world.behaviours if one.kind is made.BehaviourKind.CONTAIN):
        low, high = ([edge[a] + sign * max(contain.margin[a], 0) for a in range(2)] for edge, sign in ((contain.min, 1), (contain.max, -1)))
        if contain.margin[0] >= 0:
            lines += [[(x, low[1]), (x, high[1])] for x in (low[0], high[0])]
        if contain.margin[1] >= 0:
            lines += [[(low[0], y), (high[0], y)] for y in (low[1], high[1])]
    return ax.add_collection(LineCollection(lines, colors=_grey, linestyles="dashed", linewidths=0.8, zorder=_behind)) if lines else None


def _shape_of(obstacle: Obstacle) -> Array:
    """Its outline; a ball is a capsule of no length."""
    a, b = np.array(obstacle.a[:2]), np.array(obstacle.b[:2])
    if obstacle.shape is made.ObstacleShape.BOX:
        return np.array([a, (b[0], a[1]), b, (a[0], b[1])])
    b = a if obstacle.shape is made.ObstacleShape.BALL else b
    turn = math.atan2(b[1] - a[1], b[0] - a[0]) + np.linspace(-np.pi / 2, np.pi / 2, 24)
    half = obstacle.radius * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    return np.concatenate([b + half, a - half])


def _add_obstacles(world: World, ax: Any) -> Any:
    from matplotlib.collections import PolyCollection

    shapes = [_shape_of(obstacle) for obstacle in world.obstacles]
    return ax.add_collection(PolyCollection(shapes, facecolors=_grey, zorder=_behind)) if shapes else None


def _add_paths(world: World, ax: Any) -> Any:
    from matplotlib.collections import LineCollection

    lines = [np.concatenate([path.points, path.points[:1]]) if path.closed else path.points for path in world.paths]
    return ax.add_collection(LineCollection(lines, colors=_grey, linewidths=0.8, zorder=_behind)) if lines else None
