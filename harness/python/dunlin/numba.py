# SPDX-License-Identifier: MIT
"""Behaviours of the caller's own, compiled by numba: they run in the engine's threads, without the GIL, at the engine's speed.

@tile makes a behaviour of a function over a tile of agents, @pair one of a function over two neighbours:

    @dunlin.numba.tile
    def swirl(tile):
        x, y = tile.position
        for i in range(tile.count):
            tile.force[0][i] -= 0.001 * (y[i] - 50)
            tile.force[1][i] += 0.001 * (x[i] - 50)

    @dunlin.numba.pair
    def push(pair):
        return -pair.offset[0] / pair.squared, -pair.offset[1] / pair.squared

    birds.add_behaviour("custom", callback=swirl)
    birds.add_behaviour("pairs", callback=push, pairs={"observed": birds, "radius": 2})

Numbers are binary32, but numba computes with binary64 where a Python number takes part, as in 0.001 * x: np.float32(0.001) * x is
faster. What a function writes for an agent may depend on this agent, its neighbours and the step only; then the bits are the same on
every kernel and thread count. Such a function cannot fail: division by 0 gives infinity or NaN, nothing checks indices, and of what
it raises numba prints a line and leaves out the rest of the tile or packet. Functions are compiled when they are added, and again
before the next step when attributes have come, gone or changed their names.
"""
from __future__ import annotations

import ctypes
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import numba  # type: ignore[import]
    from numba.core import cgutils  # type: ignore[import]
    from numba.extending import intrinsic  # type: ignore[import]
except ImportError as error:
    raise ImportError("dunlin.numba needs numba: install python3-numba, or numba with pip") from error

from ._dunlin import ffi, lib
from .callbacks import Law

_numbers = {"float": "f4", "double": "f8", "int": "i4", "uint32_t": "u4", "uint64_t": "u8"}
_compile = numba.njit(error_model="numpy")


# ---- memory of the engine's ------------------------------------------------------------------------------------------------

def _format(kind: Any) -> Any:
    if kind.kind == "array":
        return _format(kind.item), (kind.length,)
    return "u8" if kind.kind == "pointer" else _numbers[kind.cname]


def _record(name: str) -> Any:
    """numba's type of a pointer to a struct of the headers, in which pointers are whole numbers."""
    fields = ffi.typeof(name).fields
    return numba.types.CPointer(numba.from_dtype(np.dtype({
        "names": [field for field, _ in fields], "formats": [_format(one.type) for _, one in fields],
        "offsets": [one.offset for _, one in fields], "itemsize": ffi.sizeof(name)})))


@intrinsic  # type: ignore[misc]
def _pointer(typing: Any, address: Any) -> Any:
    return numba.types.voidptr(address), lambda context, builder, signature, given: builder.inttoptr(given[0], cgutils.voidptr_t)


@numba.njit(inline="always")  # type: ignore[misc]
def _floats(address: Any, count: Any) -> Any:
    return numba.carray(_pointer(address), count, np.float32)


@numba.njit(inline="always")  # type: ignore[misc]
def _ids(address: Any, count: Any) -> Any:
    return numba.carray(_pointer(address), count, np.uint32)


@numba.njit(inline="always")  # type: ignore[misc]
def _flags(address: Any, count: Any) -> Any:
    return numba.carray(_pointer(address), count, np.uint8)


_ranges_type = np.dtype([(name, _format(one.type)) for name, one in ffi.typeof("dunlin_range").fields])


@numba.njit(inline="always")  # type: ignore[misc]
def _ranges(address: Any, count: Any) -> Any:
    return numba.carray(_pointer(address), count, _ranges_type)


# ---- what functions call ---------------------------------------------------------------------------------------------------

@numba.njit(inline="always")  # type: ignore[misc]
def offset(start: Any, end: Any, size: Any) -> Any:
    """end - start along an axis, in a world that is periodic after `size` to the nearest image, with the bits that interactions have.
    np.float32(np.inf) as size: the axis does not repeat."""
    far = end - start
    half = np.float32(0.5) * size
    back = size if half < far else np.float32(0)
    ahead = size if far < -half else np.float32(0)
    return far - back + ahead


def _c_function(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)(int(ffi.cast("uintptr_t", ffi.addressof(lib, name))))


_draw = _c_function("dunlin_draw", None, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_void_p)
_sine = _c_function("dunlin_sine_of_turns", ctypes.c_float, ctypes.c_double)


@numba.njit  # type: ignore[misc]
def draw(seed: Any, id: Any, step: Any, stream: Any) -> Any:
    """Four random numbers from [0, 1), as an array: see dunlin.draw(). tile.seed, tile.id[i] and tile.step, or those of a pair, fit."""
    numbers = np.empty(4, np.float32)
    _draw(seed, id, step, stream, numbers.ctypes)
    return numbers


@numba.njit  # type: ignore[misc]
def sine_of_turns(turns: Any) -> Any:
    """sin(2·pi·turns) with the same bits on every machine, which numpy's does not promise."""
    return _sine(turns)


# ---- decorators ------------------------------------------------------------------------------------------------------------

def _each(dimensions: int, text: str) -> str:
    """A tuple of what the text is for each axis."""
    return "(" + "".join(text.format(a=a) + ", " for a in range(dimensions)) + ")"


class _Law(Law):
    """What the decorators make of a function. `function` is numba's, which other functions of numba may call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__qualname__ = function.__qualname__
        self.function = _compile(function)
        self._made: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<dunlin.numba.{type(self).__name__.lower()} {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__qualname__

    def compile(self, dimensions: int, *names: list[str]) -> Any:
        key = dimensions, *(tuple(one) for one in names)
        if key not in self._made:
            text, types = self.write(dimensions, *names)
            scope = {"law": self.function, "numba": numba, "np": np, "offset": offset, "floats": _floats, "ids": _ids, "flags": _flags,
                     "ranges_of": _ranges, **{name: namedtuple(name, fields, rename=True) for name, fields in types.items()}}
            exec(compile(text, f"<dunlin.numba for {self.__name__}>", "exec"), scope)
            kind = "dunlin_tile" if self.kind == "custom" else "dunlin_packet"
            signature = numba.types.void(_record("dunlin_python_own"), _record(kind))
            self._made[key] = numba.cfunc(signature, error_model="numpy")(scope["call"])
        return self._made[key]

    def write(self, dimensions: int, *names: list[str]) -> tuple[str, dict[str, list[str]]]:
        raise NotImplementedError


class tile(_Law):
    """A decorator: a function over a tile of agents, for birds.add_behaviour("custom", callback=function).

    The function gets one argument, with these fields (a is an axis, 0 .. dimensions - 1, and i an agent, 0 .. tile.count - 1):

    count, species, step, seed : numbers: of agents, of the species, of steps before this one; the world's seed
    position[a][i], velocity[a][i], id[i], attribute.energy[i] : to read
    force[a][i] : to add to, velocity per time unit
    next_attribute.energy[i] : to write, what an attribute is after the step
    dies[i] : 1 lets the agent die at the end of the step
    """
    kind = "custom"

    def write(self, dimensions: int, *names: list[str]) -> tuple[str, dict[str, list[str]]]:
        own, = names
        columns = {name: _each(dimensions, f"floats(t.{name}[{{a}}], n)") for name in ("position", "velocity", "force")}
        columns |= {name: f"Attributes({', '.join(f'floats(t.{name}[{i}], n)' for i in range(len(own)))})" for name in ("attribute", "next_attribute")}
        columns |= {"id": "ids(t.id, n)", "dies": "flags(t.dies, n)", "count": "n", "species": "t.species", "step": "t.step",
                    "seed": "numba.carray(user, 1)[0].seed"}
        text = f"""
def call(user, tile):
    t = numba.carray(tile, 1)[0]
    n = t.count
    law(Tile({", ".join(columns.values())}))
"""
        return text, {"Tile": list(columns), "Attributes": own}


class pair(_Law):
    """A decorator: a function over two neighbours, for birds.add_behaviour("pairs", callback=function, pairs={"observed": …, "radius": …}).

    The function is called for each agent with each other agent of the observed species within the radius, the agent's neighbour. It
    gets one argument, with these fields (a is an axis), and returns the force on the agent, a tuple of a number for each axis, velocity
    per time unit. Forces are added neighbour by neighbour, in the engine's order.

    offset[a] : from the agent to the neighbour, in a periodic world to the nearest image
    squared : the square of its length; 0: both are at one place
    position[a], velocity[a], id, attribute.energy : the agent's
    observed_position[a], observed_velocity[a], observed_id, observed_attribute.energy : the neighbour's
    step, seed : steps before this one; the world's seed
    """
    kind = "pairs"

    def write(self, dimensions: int, *names: list[str]) -> tuple[str, dict[str, list[str]]]:
        fields = {"offset": _each(dimensions, "d{a}"), "squared": "squared", "step": "step", "seed": "seed"}
        for who, at, own, kind in (("", "i", names[0], "Attributes"), ("observed_", "j", names[1], "Observed")):
            fields |= {f"{who}{what}": _each(dimensions, f"{who}{what}{{a}}[{at}]") for what in ("position", "velocity")}
            fields[f"{who}id"] = f"{who}id[{at}]"
            fields[f"{who}attribute"] = f"{kind}({', '.join(f'{who}attribute{k}[{at}]' for k in range(len(own)))})"
        axes = range(dimensions)
        arrays = [(f"{who}{what}", a) for who in ("", "observed_") for what in ("position", "velocity") for a in axes]
        arrays += [(f"{who}attribute", k) for who, own in (("", names[0]), ("observed_", names[1])) for k in range(len(own))]
        text = [
            "def call(user, packet):",
            "    p, own = numba.carray(packet, 1)[0], numba.carray(user, 1)[0]",
            "    step, seed, within = p.step, own.seed, own.radius * own.radius",
            "    every = 1 << 32  # the length of the columns, which nothing tests",
            "    id, observed_id, ranges = ids(p.id, every), ids(p.observed_id, every), ranges_of(p.ranges, p.range_count)",
            *(f"    {name}{k} = floats(p.{name}[{k}], every)" for name, k in arrays),
            *(f"    force{a} = floats(p.force[{a}], p.count)" for a in axes),
            "    for k in range(p.count):",
            "        i = p.first + k",
            f"        {' = '.join(f'sum{a}' for a in axes)} = np.float32(0)",
            "        for r in range(p.range_count):",
            "            begin, end, folds = ranges[r].begin, ranges[r].end, ranges[r].folds",
        ]
        for folds in (True, False):
            far = "offset(position{a}[i], observed_position{a}[j], size{a})" if folds else "observed_position{a}[j] - position{a}[i]"
            text += [
                "            if folds:" if folds else "            else:",
                *(f"                size{a} = p.size[{a}] if folds >> {a} & 1 else np.float32(np.inf)" for a in axes if folds),
                "                for j in range(begin, end):",
                *(f"                    d{a} = {far.format(a=a)}" for a in axes),
                f"                    squared = {' + '.join(f'd{a} * d{a}' for a in axes)}",
                "                    if squared <= within and (j != i or p.species != p.observed):",
                f"                        force = law(Pair({', '.join(fields.values())}))",
                *(f"                        sum{a} += np.float32(force[{a}])" for a in axes),
            ]
        text += [f"        force{a}[k] += sum{a}" for a in axes]
        return "\n".join(text), {"Pair": list(fields), "Attributes": names[0], "Observed": names[1]}
