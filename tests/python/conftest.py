# SPDX-License-Identifier: MIT
"""What the tests of the Python package share. DUNLIN_PROGRAM is the program that they compare it with; DUNLIN_ROUNDS is how long those take
that could take forever."""
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

import dunlin

root = Path(__file__).resolve().parents[2]
scenarios = root / "harness" / "scenarios"
rounds = int(os.environ.get("DUNLIN_ROUNDS", 1))
kernels = [kernel.name for kernel in dunlin.kernels() if kernel.runs_here]


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: what tests/python/run.sh leaves out, but for make test-nightly")


# What a shell starts in the background ignores Ctrl-C, and so would what tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def native():
    """The state's hash that the program reaches: native(scenario, steps, *options)."""
    program = os.environ["DUNLIN_PROGRAM"]

    def run(scenario, steps, *options):
        said = subprocess.run([program, "run", str(scenario), f"--steps={steps}", *options], check=True, capture_output=True, text=True).stdout
        return re.search(r"state hash: (\w+)", said)[1]

    return run


@pytest.fixture
def flock():
    """Two species in a small world."""
    world = dunlin.World(size=(40, 30), seed=3, threads=1, kernel="scalar")
    birds = world.add_species("dunlins", 200, min_speed=0.2, max_speed=0.5)
    hawks = world.add_species("peregrines", 3, max_speed=0.7)
    world.add_interaction(birds, separation=1.5, alignment=3, cohesion=dunlin.Rule(radius=3, weight=0.7))
    world.add_interaction(hawks, birds, cohesion=8)
    return world, birds, hawks
