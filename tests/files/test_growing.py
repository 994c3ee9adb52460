# SPDX-License-Identifier: MIT
"""A trajectory that grows while others read it, and one whose run was killed."""

import os
import signal
import subprocess
import time

import common

DUNLIN = os.environ["DUNLIN"]


def start(path, steps):
    arguments = ["run", "predators", "--quiet", "--agents", "20000", "--steps", str(steps), "--every", "2"]
    return subprocess.Popen([DUNLIN, *arguments, "--trajectory", path])


def count_frames(path):
    """As another program sees the file that somebody else writes."""
    import h5py

    try:
        with h5py.File(path, "r", libver="latest", swmr=True) as file:
            steps = file["step"]
            steps.refresh()
            frames = len(steps)
            for name in ("position", "id"):
                values = file[f"particles/agents/{name}/value"]
                values.refresh()
                if values.shape[0] < frames:
                    raise AssertionError(f"{values.shape[0]} frames of {name} where there are {frames} steps")
            return frames
    except OSError:
        return 0


def export(path, *options):
    done = subprocess.run([DUNLIN, "export", path, "--quiet", "--to", "lammps", "--output", "-", *options], check=False,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    lines = done.stdout.split("\n")
    return [int(lines[i + 1]) for i, line in enumerate(lines) if line == "ITEM: TIMESTEP"]


def test_while_it_grows():
    run = start("growing.h5", 100000)
    seen = []
    try:
        while run.poll() is None and len(seen) < 5:
            frames = count_frames("growing.h5")
            if frames > 2 and frames not in seen:
                seen.append(frames)
                steps = export("growing.h5", "--steps", "2:4")
                common.same(steps, [2, 4], "steps that are exported from a file that grows")
            time.sleep(0.05)
    finally:
        run.kill()
        run.wait()
    common.same(seen, sorted(set(seen)), "numbers of frames")
    common.same(len(seen), 5, "times that the file had grown")


def test_after_kill():
    for attempt in range(5):
        path = f"killed_{attempt}.h5"
        run = start(path, 100000)
        while count_frames(path) < 3 and run.poll() is None:
            time.sleep(0.01)
        common.same(run.poll(), None, "exit status before kill -9")
        time.sleep(0.013 * attempt)
        run.send_signal(signal.SIGKILL)
        run.wait()
        frames = count_frames(path)
        common.same(frames >= 3, True, "frames after kill -9")
        common.same(len(export(path)), frames, "frames that are exported after kill -9")


common.test("trajectory that grows: h5py, dunlin export", test_while_it_grows)
common.test("trajectory after kill -9: h5py, dunlin export", test_after_kill)
