# SPDX-License-Identifier: MIT
"""Runs that go on from frames end with the same state as the unbroken run, on any kernel and number of threads."""

import os
import re
import subprocess

import common

DUNLIN = os.environ["DUNLIN"]


def fly(scenario, steps, *options):
    done = subprocess.run([DUNLIN, "run", scenario, "--quiet", "--hash", "--steps", str(steps), *options], check=True,
                          capture_output=True, text=True)
    return re.search("state hash: ([0-9a-f]+)", done.stdout).group(1)


def test(scenario, *options):
    path = f"init_{scenario}.h5"
    whole = fly(scenario, 40, "--trajectory", path, "--every", "8", *options)
    for step in (0, 8, 24, 40):
        for how in (["--threads", "1"], ["--kernel", "scalar", "--threads", "3"]):
            common.same(fly(scenario, 40 - step, "--init", f"{path}@{step}", *how), whole, f"hash from step {step}")


for each in ("ecosystem", "emitter", "firework", "predators", "variety", "breathing", "gusts", "pursue_evade", "wander", "vicsek"):
    common.test("init from frames: " + each, test, each)
common.test("init from frames: starlings", test, "starlings", "--agents", "2000")
