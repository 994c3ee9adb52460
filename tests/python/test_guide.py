# SPDX-License-Identifier: MIT
"""The guide's programs run, one after another."""
import re
from pathlib import Path

guide = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_guide_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", guide.read_text(), re.S)
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, str(guide), "exec"), names)
