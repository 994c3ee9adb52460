# SPDX-License-Identifier: MIT
"""Runs with checkpoints, killed at random moments: each goes on to the same hash, metrics and trajectory."""

import os
import random
import re
import shutil
import subprocess
import time

DUNLIN = os.environ["DUNLIN"]
HERE = os.path.dirname(os.path.abspath(__file__))
KILLS = 100 if os.environ.get("DUNLIN_NIGHTLY") else 10

# Births, deaths, meals, attributes, schedules, fields that vary, moving targets, wander and models.
SCENARIOS = [[HERE + "/everything.yaml", "--steps", "150"],
             ["ecosystem", "--agents", "800", "--steps", "150"],
             ["gusts", "--agents", "300", "--steps", "200"],
             ["couzin", "--steps", "40"],
             ["variety", "--agents", "200", "--steps", "150"]]


def command(scenario, every):
    return ["run", *scenario, "--threads", "1", "--hash", "--quiet", "--metrics", "m.csv", "--trajectory", "t.h5", "--every", "3",
            "--checkpoint", "f.ckpt", "--checkpoint-every", every]


def left(printed):
    """What the run has left: its hash, its metrics, its trajectory as a table, and what that holds of each frame."""
    hash_printed = re.search("state hash: [0-9a-f]{16}", printed)[0]
    subprocess.run([DUNLIN, "export", "t.h5", "--quiet", "--to", "csv", "--output", "t.csv"], check=True)
    frames = None
    if shutil.which("h5dump"):
        frames = subprocess.run(["h5dump", "-m", "%.17g", "-g", "/observables", "-g", "/parameters/frames", "t.h5"], check=True,
                                capture_output=True).stdout
    with open("m.csv", "rb") as metrics, open("t.csv", "rb") as trajectory:
        return hash_printed, metrics.read(), trajectory.read(), frames


def start_anew():
    os.chdir("..")
    shutil.rmtree("kills", ignore_errors=True)
    os.mkdir("kills")
    os.chdir("kills")


def run_whole(scenario):
    start_anew()
    begin = time.monotonic()
    run = subprocess.run([DUNLIN, *command(scenario, "3")], check=True, capture_output=True, text=True)
    seconds = time.monotonic() - begin
    return seconds, left(run.stdout)


def kill(arguments, seconds):
    """Whether it was killed; if not, what it has printed."""
    child = subprocess.Popen([DUNLIN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        printed, problem = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return True, None
    if child.returncode != 0:
        raise AssertionError(problem)
    return False, printed


def run_killed(scenario, seconds):
    start_anew()
    killed = 0
    arguments = command(scenario, random.choice(["1", "3", "20", "0.01s"]))
    while True:
        # Later each time: on a machine that has become busy, the runs would never end.
        again, printed = kill(arguments, seconds * (1 + 0.1 * killed) * random.random() * 1.4)
        if not again:
            return killed, left(printed)
        killed += 1
        if os.path.exists("f.ckpt"):
            arguments = ["resume", "f.ckpt", "--kernel", random.choice(["auto", "scalar", "simd128"]),
                         "--threads", random.choice("123")]


def main():
    seed = int(time.time())
    print("seed", seed)
    random.seed(seed)
    os.makedirs("kills", exist_ok=True)
    os.chdir("kills")
    for scenario in SCENARIOS:
        name = os.path.basename(scenario[0])
        seconds, whole = run_whole(scenario)
        kills = 0
        while kills < KILLS / len(SCENARIOS):
            killed, ended = run_killed(scenario, seconds)
            kills += killed
            for what, have, want in zip(("hash", "metrics", "trajectory", "frames"), ended, whole):
                if have != want:
                    print(f"failed kills: {name} has another {what} after {killed} kills")
                    return
        print(f"ok kills of {name}: {kills}")


main()
