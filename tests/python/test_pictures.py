# SPDX-License-Identifier: MIT
"""Pictures: the program's, byte by byte; of worlds without a scenario; and one after another."""
import itertools
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib

import numpy as np
import pytest

import dunlin
from conftest import scenarios

SEES_DEEPER = {"azimuth": 70, "elevation": -15, "distance": 3, "shading": 0.3}
CAMERA = ["--camera-azimuth=70", "--camera-elevation=-15", "--camera-distance=3", "--depth-shading=0.3"]


@pytest.mark.parametrize(("name", "options", "given"), [
    ("predators", [], {}), ("trails", ["--no-legend"], {"legend": False}), ("noc_5_06_path", [], {}), ("fish_of_fish", [], {}), ("variety", [], {}),
    ("starlings", ["--colour=speed", "--colour-range=0,20", *CAMERA], {"colour": "speed", "colour_range": (0, 20), **SEES_DEEPER})])
def test_pictures_are_the_programs(tmp_path, name, options, given):
    scenario, picture = scenarios / f"{name}.yaml", tmp_path / "program.png"
    subprocess.run([os.environ["DUNLIN_PROGRAM"], "run", scenario, "--steps=3", "--agents=500", f"--picture={picture}", "--picture-size=300x200", *options],
                   check=True, capture_output=True)
    simulation = dunlin.Simulation(scenario, agents=500)
    simulation.step(3)
    assert simulation.plot(size=(300, 200), **given).png() == picture.read_bytes()


def rows_of(png):
    """The pixels of a PNG file, decoded here."""
    size, at, data = struct.unpack_from(">II", png, 16), 8, b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        data += png[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    rows, before = [], np.zeros(3 * size[0], np.uint8)
    for row in np.frombuffer(zlib.decompress(data), np.uint8).reshape(size[1], -1):
        filter_, line = row[0], row[1:].astype(int)
        for i in range(len(line)):
            left, up, corner = (int(line[i - 3]) if i > 2 else 0), int(before[i]), (int(before[i - 3]) if i > 2 else 0)
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, up, (left + up) // 2, near)[filter_]) % 256
        before = line.astype(np.uint8)
        rows.append(before.reshape(-1, 3))
    return np.array(rows)


def test_pixels_are_those_of_the_png(flock, tmp_path):
    picture = flock[0].plot(tmp_path / "a.png", size=(60, 50))
    assert picture.size == (60, 50) and picture.pixels.shape == (50, 60, 3) and picture.pixels.dtype == np.uint8
    assert (rows_of(picture.png()) == picture.pixels).all()
    assert (tmp_path / "a.png").read_bytes() == picture.png() == picture._repr_png_()
    assert len(np.unique(picture.pixels.reshape(-1, 3), axis=0)) > 100


def test_a_world_looks_like_its_scenario():
    """Headings of the flock, outlines of the few hawks, dots of what stands."""
    simulation = dunlin.Simulation("""
world: {size: [40, 30], boundary: periodic}
species:
  - {name: dunlins, agents: 200, min_speed: 0.2, max_speed: 0.5}
  - {name: peregrines, agents: 3, max_speed: 0.7, attributes: [{name: size, value: 2}]}
  - {name: posts, agents: 9, max_speed: 0}
interactions:
  - {observer: dunlins, observed: dunlins, alignment: {radius: 3}}
""")
    world = dunlin.World(size=(40, 30))
    for name, one in simulation.species.items():
        world.add_species(name, max_speed=one.max_speed)
    world.species["peregrines"].add_attribute("size", value=2)
    world.add_interaction("dunlins", alignment=3)
    for name, one in simulation.species.items():
        world.species[name].spawn(one.position, one.velocity)
    assert world.plot(size=300).png() == simulation.plot(size=300).png()
    for one in (simulation, world):
        one.add_species("others").spawn([[10, 10], [20, 20]], [[1, 0], [0, 1]])  # of which the scenario does not know
    assert world.plot(size=300).png() == simulation.plot(size=300).png()


def test_what_is_left_of_a_look_is_drawn():
    simulation = dunlin.Simulation("""
species:
  - {name: boids, agents: 20, attributes: [{name: energy, value: 1}, {name: bulk, value: 2}], look: {colour: energy, size_by: bulk}}
""")
    whole = simulation.plot(size=100)
    for attribute in simulation.species["boids"].attributes:
        attribute.remove()
    assert simulation.plot(size=100).png() != whole.png()


@pytest.mark.parametrize(("given", "said"), [
    ({"size": 0}, "size is 0"), ({"size": (10, 5000)}, "size is 5000"), ({"colour": "enregy"}, "heading, species, speed"),
    ({"colour": "heading", "colour_range": (0, 1)}, "range of colours"), ({"colour": "speed", "colour_range": (1, 1)}, "less than"),
    ({"azimuth": 10}, "three dimensions"), ({"shading": float("nan")}, "shading is nan"), ({"path": "a.jpg"}, "end in .png")])
def test_mistakes_are_errors(flock, given, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        flock[0].plot(**given)


@pytest.mark.parametrize(("given", "said"), [({"every": 0}, "every is 0"), ({"fps": 241}, "fps is 241"), ({"trail": 1001}, "trail is 1001"),
                                              ({"orbit": True}, "three dimensions")])
def test_mistakes_in_animations_are_errors(flock, given, said):
    with pytest.raises(ValueError, match=said):
        flock[0].animate(3, **given)
    assert flock[0].clock.step == 0


def test_closed_worlds_and_callbacks_are_refused(flock):
    world, birds, _ = flock
    birds.add_behaviour("custom", callback=lambda tile: world.plot(size=50))
    with pytest.raises(RuntimeError, match="another thread, or a callback"):
        world.step()
    with birds.view():
        world.plot(size=50)
    world.close()
    with pytest.raises(dunlin.Stale):
        world.plot()


def chunks(png):
    at = 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        content = png[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(kind + content)
        yield kind, content
        at += 12 + length


def test_an_animation_has_the_worlds_frames(flock, tmp_path):
    world = flock[0]
    animation = world.animate(7, every=2, fps=12.5, size=(60, 45))
    assert world.clock.step == 6 and len(animation) == 4
    animation.save(tmp_path / "a.png")
    parts = list(chunks((tmp_path / "a.png").read_bytes()))
    assert [kind for kind, _ in parts if kind in (b"IHDR", b"acTL", b"IEND")] == [b"IHDR", b"acTL", b"IEND"]
    assert dict(parts)[b"acTL"] == struct.pack(">II", 4, 0)
    frames = [content for kind, content in parts if kind == b"fcTL"]
    assert [struct.unpack_from(">IIHH", frame, 4)[:2] + struct.unpack_from(">HH", frame, 20) for frame in frames] == [(60, 46, 2, 25)] * 4
    numbers = [struct.unpack_from(">I", content)[0] for kind, content in parts if kind in (b"fcTL", b"fdAT")]
    assert numbers == list(range(len(numbers)))
    first = b"".join(content for kind, content in parts if kind == b"IDAT")
    assert zlib.decompress(first) == zlib.decompress(b"".join(content for kind, content in chunks(animation.frames[0]) if kind == b"IDAT"))
    with pytest.raises(ValueError, match=".mp4"):
        animation.save(tmp_path / "a.txt")


def test_an_animation_can_be_stopped(flock):
    """By Ctrl-C: the world is as after some steps."""
    world, copy = flock[0], dunlin.World.restore(flock[0].checkpoint())
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        world.animate(100_000, size=60)
    copy.step(world.clock.step)
    assert world.clock.step > 0 and copy.hash() == world.hash()
    world.step()


def test_long_work_says_how_far_it_is(flock, monkeypatch, capsys):
    now = itertools.count()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    flock[0].animate(4, size=20)
    assert capsys.readouterr().err == "\rframe 2 of 5\rframe 3 of 5\rframe 4 of 5\rframe 5 of 5\n"


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_ffmpeg_makes_films(flock, tmp_path, monkeypatch):
    animation = flock[0].animate(3, size=60)
    monkeypatch.chdir(tmp_path)
    for name in ("-a.mp4", "-a.webm", "-a.webp", "-a.gif"):
        animation.save(name)
        assert (tmp_path / name).stat().st_size > 500
    assert len(list(tmp_path.iterdir())) == 4
    assert animation._repr_html_().startswith("<video")


def test_without_ffmpeg_an_animation_is_an_image(flock, tmp_path, monkeypatch):
    animation = flock[0].animate(1, size=60)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert animation._repr_html_().startswith('<img src="data:image/png;base64,')
    with pytest.raises(OSError, match="ffmpeg"):
        animation.save(tmp_path / "a.gif")


def test_cairo_is_loaded_for_pictures_only(monkeypatch, flock):
    program = "import dunlin, sys; dunlin.World(size=(9, 9)).step(); print('libcairo' in open('/proc/self/maps').read(), 'dunlin._picture' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split() == ["False", "False"]
    monkeypatch.setitem(sys.modules, "dunlin._picture", None)
    monkeypatch.delattr(dunlin, "_picture", raising=False)
    with pytest.raises(ImportError, match="libcairo2"):
        flock[0].plot()
