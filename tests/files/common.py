# SPDX-License-Identifier: MIT
"""What the tests of files share: the simulations with the states of their frames, and how a test reports."""

import glob
import os
import subprocess
import traceback

import numpy as np


class State:
    """A frame as the engine wrote it, by ascending id."""

    def __init__(self, path):
        with open(path) as file:
            lines = file.read().splitlines()
        head = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
        names, *rows = [line.split(",") for line in lines if not line.startswith("# ")]
        column = {name: [row[i] for row in rows] for i, name in enumerate(names)}
        ids = np.array(column["id"], dtype=np.uint32)
        order = np.argsort(ids)
        axes = [axis for axis in "xyz" if axis in column]

        def numbers(name):
            return np.array([v or "nan" for v in column[name]], dtype=np.float64).astype(np.float32)[order]

        def vectors(prefix):
            values = np.zeros((len(ids), 3), dtype=np.float32)
            for a, axis in enumerate(axes):
                values[:, a] = numbers(prefix + axis)
            return values

        self.step = int(head["step"])
        self.time = float(head["time"]) if "time" in head else None
        self.dimensions = len(axes)
        self.count = len(ids)
        self.id = ids[order]
        self.species = np.array(column["species"], dtype=object)[order]
        self.position = vectors("")
        self.velocity = vectors("v")
        attributes = [name for name in names if name not in ("id", "species", *"xyz", "vx", "vy", "vz")]
        self.attribute = {name: numbers(name) for name in attributes}
        self.image = None


# The worlds' sizes, and whether they are periodic. In 2D the third is as long as the longer of the others.
WORLDS = {"schools": ((160, 160, 160), True), "trails": ((450, 300, 450), True), "reef": ((12, 10, 14), True), "ecosystem": ((200, 200, 200), True), "firework": ((120, 100, 120), False),
          "starlings": ((260, 260, 130), True), "one": ((320, 200, 320), True), "none": ((320, 200, 320), True)}


def add_images(states, every, box):
    """Counts how often agents have crossed edges since their first frame: from one state to the next each runs the shorter way."""
    before, first = {}, {}
    for state in states:
        state.image = np.zeros((state.count, 3), dtype=np.int32)
        for i, agent in enumerate(state.id):
            if agent in before:
                place, image = before[agent]
                state.image[i] = image - np.rint((np.float64(state.position[i]) - place) / box).astype(np.int32)
        before = {agent: (np.float64(state.position[i]), state.image[i]) for i, agent in enumerate(state.id)}
        if state.step % every == 0:
            state.image = np.array([image - first.setdefault(agent, image) for agent, (_, image) in before.items()]).reshape(-1, 3)


class Simulation:
    def __init__(self, name):
        self.name = name
        self.path = name + ".h5"
        states = [State(path) for path in glob.glob(name + "/state-*.csv")]
        states = sorted(states, key=lambda state: state.step)
        self.box, self.is_periodic = WORLDS.get(name, (None, False))
        every = 5 if name == "reef" else 1
        if self.is_periodic:
            add_images(states, every, self.box)
        self.states = [state for state in states if state.step % every == 0]

    def export(self, form, output, *options):
        subprocess.run([os.environ["DUNLIN"], "export", self.path, "--quiet", "--to", form, "--output", output, *options],
                       check=True)
        return output


def simulations(*names):
    return [Simulation(name) for name in names or ("reef", "ecosystem", "firework", "starlings", "one", "none")]


def same(got, want, what):
    """The same numbers, bit for bit, where NaN equals NaN."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        raise AssertionError(f"{what}: {got.shape} numbers, not {want.shape}")
    if got.dtype.kind == "f":
        got = got.astype(want.dtype)
        differs = ~((got == want) | (np.isnan(got) & np.isnan(want)))
    else:
        differs = got != want
    if np.any(differs) and np.ndim(differs) == 0:
        raise AssertionError(f"{what}: {got!s}, not {want!s}")
    if np.any(differs):
        at = tuple(int(i[0]) for i in np.nonzero(differs))
        raise AssertionError(f"{what}{list(at)}: {got[at]!r}, not {want[at]!r}")


def test(name, call, *arguments):
    """Runs a test and prints its line."""
    try:
        call(*arguments)
        print("ok", name, flush=True)
    except ImportError as error:
        print(f"skipped {name}: {error}", flush=True)
    except Exception as error:  # pylint: disable=broad-except
        traceback.print_exc()
        why = " ".join(str(error).split()) or type(error).__name__
        print(f"failed {name}: {why}"[:300], flush=True)
