# SPDX-License-Identifier: MIT
"""The blocks of the guide, of the package's README and of help(dunlin) run, in their order."""
import re
import runpy
import textwrap

import dunlin
from conftest import root


def run_guide(folder, monkeypatch, kinds, page="docs/python.md", least=4):
    monkeypatch.chdir(folder)
    text, names = (root / page).read_text(), {}
    blocks = re.findall(rf"^```({kinds})\n(.*?)^```$", text, re.S | re.M)
    assert len(blocks) >= least
    for kind, block in blocks:
        exec(compile(block, f"{page}: {block.splitlines()[0]}", "exec"), names)


def test_the_guide_runs(tmp_path, monkeypatch):
    run_guide(tmp_path, monkeypatch, "python")


def test_what_a_package_says_of_itself_runs(tmp_path, monkeypatch):
    run_guide(tmp_path, monkeypatch, "python", "harness/python/README.md", 2)
    program = "".join(re.findall(r"^    .*\n|^\n", dunlin.__doc__, re.M))
    exec(compile(textwrap.dedent(program), "help(dunlin)", "exec"), {})


def test_hello_is_the_flock_of_c(capsys):
    runpy.run_path(str(root / "docs/examples/python/hello.py"))
    assert capsys.readouterr().out == "state hash: 09e7f4fa15ccb4b9\n"  # as in docs/hello.md
