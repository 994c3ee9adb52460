# SPDX-License-Identifier: MIT
"""Every shipped scenario has the program's bits."""
import pytest

import dunlin
from conftest import kernels, scenarios

shipped = sorted(scenarios.glob("*.yaml"))
few = 400  # agents; a scenario with fewer has its own


@pytest.mark.parametrize("path", shipped, ids=lambda path: path.stem)
def test_a_shipped_scenario_has_the_programs_hash(path, native):
    steps = 20
    with dunlin.Simulation(path) as whole:
        agents = min(len(whole), few)
    wanted = native(path, steps, f"--agents={agents}", "--threads=1")
    for kernel in kernels:
        with dunlin.Simulation(path, agents=agents, threads=1, kernel=kernel) as simulation:
            simulation.step(steps)
            assert simulation.hash() == wanted, kernel


def test_kernels_and_threads_have_one_hash():
    assert "scalar" in kernels and len(kernels) > 1
    hashes = set()
    for kernel in kernels:
        for threads in (1, 3):
            with dunlin.Simulation(scenarios / "predators.yaml", agents=500, kernel=kernel, threads=threads) as simulation:
                simulation.step(30)
                assert simulation.stats.kernel == kernel
                hashes.add(simulation.hash())
    assert len(hashes) == 1
