# SPDX-License-Identifier: MIT
"""Pictures and animations, which the program's own code draws."""
from __future__ import annotations

import math
import os
import struct
import sys
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _streams
from ._base import FileError, InvalidValue, Unsupported, check, within

if TYPE_CHECKING:
    from fractions import Fraction

    from ._base import Array
    from .show import Page


def _library() -> Any:
    try:
        from . import _picture
    except ImportError as error:
        raise ImportError(f"pictures need cairo, which Debian's package libcairo2 has: {error}") from None
    return _picture


# ---- pictures --------------------------------------------------------------------------------------------------------------

class Picture:
    """A picture. Notebooks show it."""

    def __init__(self, drawn: Array) -> None:
        self._drawn = drawn  # (height, width) uint32, 0x..RRGGBB
        self._png = b""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, pixels."""
        return self._drawn.shape[1], self._drawn.shape[0]

    @property
    def pixels(self) -> Array:
        """Red, green and blue, 0 .. 255: (height, width, 3) uint8, a copy."""
        return self._drawn.view(np.uint8).reshape(*self._drawn.shape, 4)[:, :, 2::-1].copy()

    def png(self) -> bytes:
        """The picture as a PNG file: the bytes that `dunlin run --picture` writes."""
        ffi, lib = _library().ffi, _library().lib
        if not self._png:
            memory, length, error = ffi.new("char **"), ffi.new("size_t *"), ffi.new("dunlin_error *")
            result = lib.picture_png(ffi.cast("uint32_t *", self._drawn.ctypes.data), self.size, memory, length, error)
            png = bytes(ffi.buffer(memory[0], length[0])) if memory[0] else b""
            lib.free(memory[0])
            check(result, error)
            self._png = png
        return self._png

    _repr_png_ = png

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file."""
        if Path(path).suffix.lower() != ".png":
            raise InvalidValue(f"{os.fspath(path)!r} must end in .png")
        _streams.store(self.png(), path)

    def __repr__(self) -> str:
        return "<Picture: {} x {} pixels>".format(*self.size)


class Series:
    """Pictures of one world, one after the other. In each the scales move by the share `follow` of what they lack."""

    def __init__(self, world: Any, given: Mapping[str, Any], follow: float = 1.0) -> None:
        self._world, self._follow, library = world, follow, _library()
        self._ffi, self._lib, self._error = library.ffi, library.lib, library.ffi.new("dunlin_error *")
        self._look = look = self._ffi.new("picture_look *")
        look.scenario = world._scenario
        look.has_no_legend = not given["legend"]
        look.trail = int(within("trail", given.get("trail", 0), 0, 1000))
        self._set_colours(given["colour"], given["colour_range"])
        self._set_camera(given)
        sides = [within("size", side, 1, 4096) for side in np.atleast_1d(given["size"])]
        self._begin([*sides, 0][:2])

    def _set_colours(self, colour: str | None, colour_range: tuple[float, float] | None) -> None:
        look = self._look
        if colour is not None:
            self._colour = self._ffi.new("char[]", colour.encode())
            look.colour = self._colour
        if colour_range is not None:
            if not colour_range[0] < colour_range[1]:
                raise InvalidValue(f"colour_range is {colour_range}; the first number must be less than the second")
            look.has_range, look.range = True, colour_range

    def _set_camera(self, given: Mapping[str, Any]) -> None:
        look, degree = self._look, math.pi / 180
        look.viewpoint = self._lib.picture_viewpoint_default()
        for name, unit, low, high in (("azimuth", degree, -360, 360), ("elevation", degree, -90, 90), ("distance", 1, 0.6, 1000), ("shading", 1, 0, 1)):
            if given[name] is not None:
                setattr(look.viewpoint, name, unit * within(name, given[name], low, high))
                look.has_camera = True
        if given.get("orbit"):
            look.viewpoint.orbits = look.has_camera = True

    def _begin(self, size: Sequence[float]) -> None:
        self._look.size = [int(side) for side in size]
        series = self._ffi.new("picture_series **")
        with self._world._alone():
            c = self._world._open()
            check(self._lib.picture_check(c, self._look, self._error), self._error)
            check(self._lib.picture_series_begin(c, self._look, self._follow, series, self._error), self._error)
        self._series = self._ffi.gc(series[0], self._lib.picture_series_end)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, pixels: the same in all pictures."""
        size = self._lib.picture_series_size(self._series)
        return size.width, size.height

    def make_even(self) -> None:
        """Makes the sides even, as most formats of films need them."""
        if any(side % 2 for side in self.size):
            self._begin([(side + 1) // 2 * 2 for side in self.size])

    def draw(self, turn: float = 0.0) -> Picture:
        """The world as it is now; a camera that orbits has made the share `turn` of its round."""
        drawn = np.empty(self.size[::-1], np.uint32)
        pixels = self._ffi.cast("uint32_t *", drawn.ctypes.data)
        with self._world._alone():
            check(self._lib.picture_series_draw(self._series, self._world._open(), turn, pixels, self._error), self._error)
        return Picture(drawn)


# ---- animations ------------------------------------------------------------------------------------------------------------

#: What ffmpeg writes, and how.
_films = {".mp4": ["-pix_fmt", "yuv420p", "-preset", "superfast", "-crf", "22", "-movflags", "+faststart"],
          ".webm": ["-pix_fmt", "yuv420p", "-crf", "30", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "7", "-row-mt", "1"],
          ".webp": ["-quality", "82", "-loop", "0"], ".gif": ["-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-loop", "0"]}


class Animation:
    """Pictures that follow each other. Notebooks play it, again and again."""

    def __init__(self, frames: list[bytes], fps: float) -> None:
        self.frames, self.fps = frames, fps  # each a PNG file

    def png(self) -> bytes:
        """The animation as an animated PNG file."""
        from fractions import Fraction  # imported here, as other modules below, so that `import dunlin` stays quick

        return b"".join(_animated(self.frames, Fraction(self.fps).limit_denominator(100)))

    def _repr_html_(self) -> str:
        """A video with controls where ffmpeg is installed; else an animated image, which is larger."""
        import base64
        import shutil
        import tempfile

        if shutil.which("ffmpeg") is None:
            return f'<img src="data:image/png;base64,{base64.b64encode(self.png()).decode()}">'
        with tempfile.TemporaryDirectory() as folder:
            self.save(path := Path(folder, "film.mp4"))
            film = base64.b64encode(path.read_bytes()).decode()
        return f'<video controls autoplay loop muted src="data:video/mp4;base64,{film}"></video>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an animated .png, or a film that ffmpeg makes: .mp4, .webm, .webp or .gif."""
        ending = Path(path).suffix.lower()
        if ending == ".png":
            _streams.store(self.png(), path)
        elif ending in _films:
            _encode(self, Path(path), _films[ending])
        else:
            raise InvalidValue(f"{os.fspath(path)!r} must end in .png, {', '.join(_films)}")

    def __len__(self) -> int:
        return len(self.frames)

    def __repr__(self) -> str:
        return f"<Animation: {len(self)} frames, {self.fps:g} per second>"


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        yield kind, png[at + 8:at + 8 + length]
        at += 12 + length


def _animated(frames: list[bytes], fps: Fraction) -> Iterator[bytes]:
    """The pieces of an animated PNG file, of PNG files of one size."""
    head = dict(_chunks(frames[0]))[b"IHDR"]
    yield frames[0][:8] + _chunk(b"IHDR", head) + _chunk(b"acTL", struct.pack(">II", len(frames), 0))
    number = 0
    for i, frame in enumerate(frames):
        yield _chunk(b"fcTL", struct.pack(">I8sIIHHBB", number, head[:8], 0, 0, fps.denominator, fps.numerator, 0, 0))
        number += 1
        for content in (content for kind, content in _chunks(frame) if kind == b"IDAT"):
            yield _chunk(b"IDAT", content) if i == 0 else _chunk(b"fdAT", struct.pack(">I", number) + content)
            number += i > 0
    yield _chunk(b"IEND", b"")


def _encode(animation: Animation, path: Path, options: list[str]) -> None:
    """Has ffmpeg make a film, which appears once it is whole."""
    import subprocess

    part = path.with_name(f"{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "image2pipe", "-c:v", "png", "-framerate", str(animation.fps), "-i", "-", *options, f"file:{part}"],
                       input=b"".join(animation.frames), check=True, capture_output=True)
        os.replace(part, path)
    except FileNotFoundError:
        raise FileError("films are made by ffmpeg, which is not installed; an animated .png needs nothing") from None
    except subprocess.CalledProcessError as error:
        raise FileError(f"ffmpeg: {error.stderr.decode(errors='replace').strip()}") from None
    finally:
        part.unlink(missing_ok=True)


class _Progress:
    """A line that says how far long work is, in a terminal or a notebook."""

    def __init__(self, total: int) -> None:
        self._total, self._next, self._is_shown = total, time.monotonic() + 2, False
        self._is_seen = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)

    def note(self, done: int) -> None:
        now, ends = time.monotonic(), done == self._total and self._is_shown
        if self._is_seen and (now >= self._next or ends):
            self._next, self._is_shown = now + 0.5, True
            print(f"\rframe {done} of {self._total}", end="\n" if ends else "", file=sys.stderr, flush=True)


# ---- what a world shows ----------------------------------------------------------------------------------------------------

class Shown:
    """A world's methods for the eye."""

    def plot(self, path: str | os.PathLike[str] | None = None, *, size: int | tuple[int, int] = 800, colour: str | None = None,
             colour_range: tuple[float, float] | None = None, legend: bool = True, azimuth: float | None = None,
             elevation: float | None = None, distance: float | None = None, shading: float | None = None) -> Picture:
        """Draws the world as it is now; with a path it is saved as a PNG file, too. It is the picture of `dunlin run --picture`.

        size : pixels, 1 .. 4096: the longer side, or (width, height)
        colour : what colours mean: "heading", "species", "speed" or an attribute; None: what the scenario says, or what suits the world
        colour_range : the attribute's numbers that have the first and the last colour; None: its minimum and its maximum
        legend : whether the picture says what its colours mean
        azimuth, elevation : degrees, in 3D: from which side the camera looks, and from which height
        distance : 0.6 .. 1000, in 3D: the camera's, from the middle, in diagonals of the world
        shading : 0 .. 1, in 3D: how much of its colour the farthest agent loses
        """
        picture = Series(self, locals()).draw()
        if path is not None:
            picture.save(path)
        return picture

    def animate(self, steps: int, *, every: int = 1, fps: float = 30, size: int | tuple[int, int] = 640, trail: int = 0, orbit: bool = False,
                colour: str | None = None, colour_range: tuple[float, float] | None = None, legend: bool = True, azimuth: float | None = None,
                elevation: float | None = None, distance: float | None = None, shading: float | None = None) -> Animation:
        """Takes steps and draws the world before the first one and after each `every`th one. Ctrl-C stops after a step.

        fps : frames per second, 1 .. 240
        trail : frames that a trail behind each agent reaches back, 0 .. 1000
        orbit : whether the camera goes round the world once, in 3D

        The other arguments are those of plot().
        """
        for name, value, low, high in (("steps", steps, 0, 10**12), ("every", every, 1, 10**12), ("fps", fps, 1, 240)):
            within(name, value, low, high)
        world: Any = self
        series, count = Series(self, locals(), 1 - 0.5 ** (1 / fps)), 1 + steps // every
        series.make_even()
        progress, frames = _Progress(count), []
        for i in range(count):
            if i > 0:
                world.step(every)
            frames.append(series.draw(i / count).png())
            progress.note(i + 1)
        return Animation(frames, fps)

    def artists(self, ax: Any = None, *, colour: str = "species", size: float | None = None, scenery: bool = True) -> dict[str, Any]:
        """Draws the world with matplotlib, in world units, and returns the artists: of each species by its name, and of "obstacles", "paths",
        "walls", "fields" and "traces", where there are some. In 3D agents are points, and there is no scenery.

        ax : axes, which get the world's limits; None: those of a new figure. In 3D made with projection="3d"
        colour : "species", "heading", "speed" or an attribute: then an artist is what Figure.colorbar() wants
        size : world units: the length of an agent; None: what the scenario says, or what can be seen
        scenery : whether there is more than agents
        """
        from . import artists

        world: Any = self
        return artists.draw(world, ax, colour, size, scenery)

    def show(self, *, height: int = 600, page: str | os.PathLike[str] | None = None) -> Page:
        """The live page, in which a copy of a Simulation continues from here: bit for bit, until it is changed there. This one stays as it is.

        height : pixels: the frame's, in a notebook
        page : a folder with the page, as `make page` builds it; None: the one in the package

        The browser must run on this machine. Worlds without a scenario have no page.
        """
        world: Any = self
        if not world._scenario:
            raise Unsupported("the live page runs scenarios: show() is for a dunlin.Simulation; plot() and animate() are for any world")
        from .show import Page

        return Page(world.checkpoint(), page, height)
