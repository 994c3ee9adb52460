# SPDX-License-Identifier: MIT
"""The guide's blocks run, also those that need other packages."""
from test_guide import run_guide


def test_the_whole_guide_runs(tmp_path, monkeypatch):
    run_guide(tmp_path, monkeypatch, "python|python extra")
