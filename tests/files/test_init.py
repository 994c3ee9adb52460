# SPDX-License-Identifier: MIT
"""Runs that go on from frames end with the same state as the unbroken run, on any kernel and number of threads."""

import os
import re
import subprocess

import common

DUNLIN = os.environ["DUNLIN"]


def simulate(scenario, steps, *options):
    done = subprocess.run([DUNLIN, "run", scenario, "--quiet", "--hash", "--steps", str(steps), *options], check=True,
                          capture_output=True, text=True)
    return re.search("state hash: ([0-9a-f]+)", done.stdout).group(1)


def test(scenario, *options):
    path = f"init_{scenario}.h5"
    whole = simulate(scenario, 40, "--trajectory", path, "--every", "8", *options)
    ways = (["--threads", "1"], ["--kernel", "scalar", "--threads", "3"])
    for turn, step in enumerate((0, 8, 24, 40)):
        for how in ways if os.environ.get("DUNLIN_NIGHTLY") else [ways[turn % 2]]:
            common.same(simulate(scenario, 40 - step, "--init", f"{path}@{step}", *how), whole, f"hash from step {step}")


def refuse(path, step, word, scenario="ecosystem"):
    done = subprocess.run([DUNLIN, "run", scenario, "--quiet", "--steps", "1", "--init", f"{path}@{step}"], check=False,
                          capture_output=True, text=True)
    if done.returncode != 1 or word not in done.stderr:
        raise AssertionError(f"exit status {done.returncode}, and '{word}' is not said by: {done.stderr}")


def test_what_is_missing():
    for options, word in ((["--fields", "species,slot,energy"], "velocities were left out"),
                          (["--fields", "velocity,species,energy"], "order in which agents are stored was left out"),
                          (["--fields", "velocity,species,slot"], "some species or attributes were left out"),
                          (["--species", "foxes"], "some species or attributes were left out"),
                          (["--precision", "12"], "rounded to 12 bits")):
        simulate("ecosystem", 4, "--trajectory", "less.h5", "--every", "2", *options)
        refuse("less.h5", 2, word)
    refuse("less.h5", 3, "the nearest frames are of steps 2 and 4")


def test_damage():
    import h5py

    simulate("ecosystem", 4, "--trajectory", "damaged.h5", "--every", "2")
    with h5py.File("damaged.h5", "r+", libver="latest") as file:
        file["coordinates"][1, 5, 0] += 0.001
    refuse("damaged.h5", 2, "do not have the hash that was recorded")


common.test("init from a frame that lacks something", test_what_is_missing)
common.test("init from a frame that is damaged", test_damage)
for each in ("ecosystem", "emitter", "firework", "predators", "variety", "breathing", "gusts", "pursue_evade", "wander", "vicsek", "schools_split", "hysteresis"):
    common.test("init from frames: " + each, test, each)
common.test("init from frames: trails", test, "trails", "--agents", "500")
common.test("init from frames: starlings", test, "starlings", "--agents", "2000")
