# SPDX-License-Identifier: MIT
"""Studies in Python against those of `dunlin sweep`."""
import csv
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import dunlin

sizes = {n: {"species.particles.agents": n, "world.size": [(n / 4) ** 0.5] * 2} for n in (40, 100)}
noise = "models[0].vicsek.whole_noise"

study = f"""
scenario: vicsek
steps: 60
parameters:
  - path: {noise}
    name: noise
    values: [30, 200]
  - name: agents
    cases:
      - {{name: "40", set: [species.particles.agents=40, "world.size={sizes[40]['world.size']}"]}}
      - {{name: "100", set: [species.particles.agents=100, "world.size={sizes[100]['world.size']}"]}}
seeds: 3
measure:
  - {{metric: polarization, window: {{last: 0.4, every: 7}}}}
  - {{metric: mean_nearest, window: {{last: 0.4, every: 7}}}}
"""


def test_a_sweep_is_the_programs(tmp_path):
    (tmp_path / "small.yaml").write_text(study)
    subprocess.run([os.environ["DUNLIN_PROGRAM"], "sweep", tmp_path / "small.yaml", "--jobs=1", "--output", tmp_path / "small"],
                   check=True, capture_output=True, cwd=tmp_path)
    with open(tmp_path / "small/runs.csv", newline="") as file:
        wanted = list(csv.DictReader(file))
    runs = dunlin.sweep("vicsek", {"noise": {x: {noise: x} for x in (30, 200)}, "agents": sizes}, seeds=3, steps=60,
                        measure=["polarization", "mean_nearest"], last=0.4, every=7, jobs=2)
    assert list(runs.columns) == ["noise", "agents", "seed", "species", "polarization", "mean_nearest"] and len(runs) == len(wanted) == 12
    for row, want in zip(runs.itertuples(), wanted):
        assert (row.noise, row.agents, row.seed) == (int(want["noise"]), int(want["agents"]), int(want["seed"]))
        assert row.polarization == pytest.approx(float(want["particles.polarization"]), rel=1e-8)
        assert row.mean_nearest == pytest.approx(float(want["particles.mean_nearest"]), rel=1e-8)
