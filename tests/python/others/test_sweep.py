# SPDX-License-Identifier: MIT
"""Studies in Python against those of `dunlin sweep`."""
import contextlib
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
steps: 61
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
  - {{metric: polarization, window: {{last: 0.5, every: 7}}}}
  - {{metric: mean_nearest, window: {{last: 0.5, every: 7}}}}
"""


def test_a_sweep_is_the_programs(tmp_path):
    (tmp_path / "small.yaml").write_text(study)
    subprocess.run([os.environ["DUNLIN_PROGRAM"], "sweep", tmp_path / "small.yaml", "--jobs=1", "--output", tmp_path / "small"],
                   check=True, capture_output=True, cwd=tmp_path)
    with open(tmp_path / "small/runs.csv", newline="") as file:
        wanted = list(csv.DictReader(file))
    runs = dunlin.sweep("vicsek", {"noise": {x: {noise: x} for x in (30, 200)}, "agents": sizes}, seeds=iter([1, 2, 3]), steps=61,
                        measure=["polarization", "mean_nearest"], every=7, jobs=2)
    assert list(runs.columns) == ["noise", "agents", "seed", "species", "polarization", "mean_nearest"] and len(runs) == len(wanted) == 12
    for row, want in zip(runs.itertuples(), wanted):
        assert (row.noise, row.agents, row.seed) == (int(want["noise"]), int(want["agents"]), int(want["seed"]))
        assert row.polarization == pytest.approx(float(want["particles.polarization"]), rel=1e-8)
        assert row.mean_nearest == pytest.approx(float(want["particles.mean_nearest"]), rel=1e-8)


def test_moments_of_a_function_and_species_of_their_own_rows():
    runs = dunlin.sweep("predators", {"species.hawks.max_speed": np.array([0.3, 0.9])}, set={"species.starlings.agents": 50}, steps=4, start=0, jobs=2,
                        measure=lambda rows: {"n": len(rows), "m4": (rows["polarization"] ** 4).mean()})
    assert runs["species"].tolist() == ["starlings", "hawks"] * 2 and (runs["n"] == 5).all() and runs["seed"].tolist() == [1] * 4
    rows = dunlin.Simulation("predators", set={"species.starlings.agents": 50, "species.hawks.max_speed": 0.9}, seed=1).record(4)
    assert runs["m4"].iloc[2] == (rows["polarization"][rows["species"] == "starlings"] ** 4).mean()
    everything = dunlin.sweep("vicsek", {}, set={"species.particles.agents": 10}, steps=1, jobs=1)
    assert "angular_momentum_z" in everything and len(everything) == 1


def drift(seed, speed, agents):
    world = dunlin.World(size=(10, 10), seed=seed, threads=1)
    birds = world.add_species(agents=agents, min_speed=speed, max_speed=speed)
    world.step(2)
    return {"speed_of_all": birds.measure().mean_speed, "first": birds.position[0, 0]}


def test_a_function_is_run_with_every_value():
    runs = dunlin.sweep(drift, {"speed": [0.25, 0.5], "flock": {"small": {"agents": 3}, "large": {"agents": 9}}}, seeds=[7, 5], jobs=3)
    assert list(runs.columns) == ["speed", "flock", "seed", "speed_of_all", "first"] and len(runs) == 8
    assert runs["speed_of_all"].tolist() == pytest.approx([0.25] * 4 + [0.5] * 4) and runs["seed"].tolist() == [7, 5] * 4
    assert runs["first"].iloc[3] == drift(5, 0.25, 9)["first"] and runs["first"].nunique() == 4
    with pytest.raises(TypeError, match="steps"):
        dunlin.sweep(drift, {}, steps=3)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_fails_is_named(jobs):
    def fails(seed, x):
        if x == 3:
            raise LookupError("no such thing")
        return {"y": 2 * x}

    with pytest.raises(LookupError, match="no such thing") as raised:
        dunlin.sweep(fails, {"x": [1, 2, 3]}, jobs=jobs)
    assert "in the run with x=3, seed=1" in raised.value.__notes__ and raised.value.partial["y"].tolist() == [2, 4][:len(raised.value.partial)]
    assert jobs == 1 or "in fails" in raised.value.__notes__[1]


class Picky(Exception):
    """One that is not made from what it says."""

    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


def test_an_exception_that_cannot_be_sent_is_written():
    def fails(seed):
        raise Picky("this", "that")

    with pytest.raises(RuntimeError, match="(?s)Picky: this and that.*in the run with seed=1"):
        dunlin.sweep(fails, {}, jobs=2)


def test_mistakes_are_found_before_the_first_run():
    with pytest.raises(dunlin.Error, match="allowed: 0 .. 1e.09") as raised:
        dunlin.sweep("vicsek", {"species.particles.max_speed": [1, -1]})
    assert raised.value.__notes__ == ["in the run with species.particles.max_speed=-1"]
    with pytest.raises(ValueError, match="did you mean 'polarization'"):
        dunlin.sweep("vicsek", {}, measure=["polarisation"])
    for wrong in ({"last": 0}, {"last": 1.5}, {"every": 0}, {"start": 5, "steps": 4}, {"start": 1501}, {"jobs": 0}, {"steps": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            dunlin.sweep("vicsek", {}, **wrong)


def test_a_process_that_ends_is_an_error():
    with pytest.raises(RuntimeError, match="has ended") as raised:
        dunlin.sweep(lambda seed: os._exit(3), {}, seeds=2, jobs=2)
    assert raised.value.__notes__[0].startswith("in the run with seed=")


def test_ctrl_c_ends_all_processes(tmp_path):
    program = ("import dunlin, os, time\n"
               "def run(seed):\n"
               "    if seed > 1: os.write(1, b'waits\\n'); time.sleep(60)\n"
               "    return {'y': seed}\n"
               "try: dunlin.sweep(run, {}, seeds=3, jobs=3, progress=True)\n"
               "except KeyboardInterrupt as stop: print('stopped', stop.partial['y'].tolist())\n")
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            assert [process.stdout.readline() for _ in range(2)] == [b"waits\n"] * 2
            assert process.stderr.read(len("\r1 of 3 runs")) == b"\r1 of 3 runs"
            began = time.monotonic()
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            said, complaints = process.communicate(timeout=120)
            assert said == b"stopped [1]\n" and complaints == b"\n" and time.monotonic() - began < 45 and process.returncode == 0
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
