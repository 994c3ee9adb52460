# SPDX-License-Identifier: MIT
"""The live page in headless Chromium: a simulation that Python hands over has Python's hash after the same steps. `make page` comes before it."""
import json
import subprocess
from pathlib import Path

import pytest

import dunlin
from conftest import scenarios

here = Path(__file__).resolve().parent


@pytest.mark.parametrize(("name", "path"), [("predators", "species.starlings.max_speed"), ("ecosystem", None), ("starlings", None)])
def test_the_page_continues_bit_for_bit(tmp_path, name, path):
    simulation = dunlin.Simulation(scenarios / f"{name}.yaml", agents=500, seed=7)
    simulation.step(20)
    if path is not None:
        simulation[path] = 0.9
    begun, page = simulation.hash(), simulation.show(page=here.parents[2] / "build/page")
    said = subprocess.run(["node", here / "page_state.mjs", tmp_path / "page.png"], input=page._repr_html_(), capture_output=True, text=True, timeout=600)
    assert said.returncode == 0, said.stderr
    shown = json.loads(said.stdout)
    steps = shown["reached"]["step"] - 20
    simulation.step(steps)
    assert steps > 5 and shown["messages"] == ""
    assert shown == {"messages": "", "reached": {"step": 20 + steps, "hash": simulation.hash(), "name": f"{name}.yaml"},
                     "restarted": {"step": 20, "hash": begun, "name": f"{name}.yaml"}}
