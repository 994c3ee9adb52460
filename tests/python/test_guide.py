# SPDX-License-Identifier: MIT
"""The guide's blocks run, in their order."""
import re
import runpy

from conftest import root


def run_guide(folder, monkeypatch, kinds):
    monkeypatch.chdir(folder)
    text, names = (root / "docs/python.md").read_text(), {}
    blocks = re.findall(rf"^```({kinds})\n(.*?)^```$", text, re.S | re.M)
    assert len(blocks) > 3
    for kind, block in blocks:
        exec(compile(block, f"docs/python.md: {block.splitlines()[0]}", "exec"), names)


def test_the_guide_runs(tmp_path, monkeypatch):
    run_guide(tmp_path, monkeypatch, "python")


def test_hello_is_the_flock_of_c(capsys):
    runpy.run_path(str(root / "docs/examples/python/hello.py"))
    assert capsys.readouterr().out == "state hash: 09e7f4fa15ccb4b9\n"  # as in docs/hello.md
