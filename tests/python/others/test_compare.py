# SPDX-License-Identifier: MIT
"""The flock in NumPy, numba and Dunlin, which the guide compares."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

script = Path(__file__).resolve().parents[3] / "docs" / "examples" / "python" / "compare.py"


@pytest.mark.nightly
def test_three_programs_agree_and_say_how_fast_they_are(tmp_path):
    """The script compares the states itself, after a step."""
    said = subprocess.run([sys.executable, script, "1000", "3000"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    rows = dict(re.findall(r"^\| (\w+) \| (\d+ \| [\d.]+ \| [\d.]+) \|$", said, re.M))
    assert list(rows) == ["NumPy", "numba", "Dunlin"]
    speed = {name: float(row.split(" | ")[-1]) for name, row in rows.items()}
    assert speed["NumPy"] < speed["numba"] < speed["Dunlin"]
    assert (tmp_path / "compare.png").read_bytes()[:4] == b"\x89PNG"
