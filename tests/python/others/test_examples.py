# SPDX-License-Identifier: MIT
"""The examples of docs/examples/python run, as scripts and as notebooks, print what they found, and draw something."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from matplotlib.image import imread

folder = Path(__file__).resolve().parents[3] / "docs" / "examples" / "python"
scripts = {script.stem: script for script in sorted(folder.glob("*.py")) if "\n# %%" in script.read_text()}
environment = dict(os.environ, MPLBACKEND="Agg", PYDEVD_DISABLE_FILE_VALIDATION="1")


def vicsek(runs, critical, order):
    assert runs == 132 and 3.9 < critical < 4.5 and 0.1 < order < 0.4


def predator_prey(least_rabbits, most_rabbits, least_foxes, most_foxes, lag):
    assert 0 < 2 * least_rabbits < most_rabbits and 0 < 3 * least_foxes < most_foxes and 150 <= lag <= 390


def evacuation(*numbers):
    widths, empty, columns = np.reshape(numbers, (-1, 3)).T
    assert len(widths) == 6 and (np.diff(widths) > 0).all() and (np.diff(empty) < 0).all() and (np.diff(columns) < 0).all()


def fit(alignment, its_error, separation, error, wanted, wanted_distance, seeds, polarization, distance):
    assert 2.5 < alignment < 3.5 and 1.2 < separation < 2.6 and 0 < its_error < 0.3 and 0 < error < 0.6
    assert seeds == 16 and abs(polarization - wanted) < 0.15 and abs(distance - wanted_distance) < 0.08


def tracks(frames, before, fright, after, nearest, farthest):
    assert frames == 48 and before > 0.85 > 0.75 > fright and after > 0.85 and nearest < 1.3 < 1.7 < farthest


def learn(flocks, start, at_first, learned):
    assert flocks == 64 and start == 30 and at_first < 8 and learned > 18


checks = {check.__name__: check for check in (vicsek, predator_prey, evacuation, fit, tracks, learn)}


arguments = {"compare": [1000, 10_000]}  # agents


def copied(tmp_path):
    return shutil.copytree(folder, tmp_path / "examples")


def run(script, *arguments):
    done = subprocess.run([sys.executable, script.name, *map(str, arguments)], cwd=script.parent, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.nightly if name in ("compare", "fit", "vicsek") else ()) for name in scripts])
def test_script(name, tmp_path):
    script = copied(tmp_path) / f"{name}.py"
    said = run(script, *arguments.get(name, []))
    assert said.strip()
    if name == "flock":
        assert "state hash: 918a82770c3cdfb7" in said  # that of `make run`
    if name in checks:
        checks[name](*[float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", said)])
    picture = imread(script.with_suffix(".png"))
    assert picture.shape[1] > 600 and picture[..., :3].std() > 0.05


def test_all_examples_are_checked():
    assert {*checks, "flock"} <= scripts.keys()


@pytest.mark.parametrize("name", scripts)
def test_script_begins_with_words_and_ends_with_a_result(name):
    text = scripts[name].read_text()
    assert text.startswith("# SPDX-License-Identifier: MIT\n# %% [markdown]\n# # ")
    assert re.search(r"print\(|savefig\(", text.split("# %%")[-1])


def test_tracks_are_those_that_are_shipped(tmp_path):
    script = copied(tmp_path) / "make_tracks.py"
    (script.parent / "tracks.csv").unlink()
    run(script)
    assert (script.parent / "tracks.csv").read_text() == (folder / "tracks.csv").read_text()


def test_notebooks_hold_the_scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    from to_notebook import notebook_of

    for name, script in scripts.items():
        book = notebook_of(script)
        nbformat.validate(book)
        code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
        lines = [line for line in script.read_text().splitlines() if line and not line.startswith("#")]
        assert [line for line in code.splitlines() if line and not line.startswith("#")] == lines, name


@pytest.mark.nightly
def test_notebooks_run(tmp_path):
    run(folder / "to_notebook.py", tmp_path, "flock.py", "tracks.py")
    for name in ("flock", "tracks"):
        book = nbformat.read(tmp_path / f"{name}.ipynb", 4)
        outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
        assert any("image/png" in output.get("data", {}) for output in outputs)
        assert "polarization" in outputs[-1].text and not any(output.output_type == "error" for output in outputs)
