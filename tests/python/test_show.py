# SPDX-License-Identifier: MIT
"""The live page's server: the page's files, and checkpoints."""
import re
import urllib.error
import urllib.request

import pytest

import dunlin
from conftest import scenarios


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "page.js").write_text("// the page")
    (tmp_path / "dunlin.wasm").write_bytes(b"\0asm")
    return tmp_path


def test_a_frame_finds_page_and_checkpoint(folder):
    simulation = dunlin.Simulation(scenarios / "predators.yaml", agents=50)
    simulation.step(2)
    page = simulation.show(page=folder, height=432)
    address = re.search(r'<iframe src="(.*?)".* height="432"', page._repr_html_())[1]
    home, checkpoint = address.split("?checkpoint=")
    simulation.step()
    with urllib.request.urlopen(home + checkpoint) as answer:
        again = dunlin.Simulation.restore(answer.read())
    assert again.clock.step == 2
    again.step()
    assert again.hash() == simulation.hash()
    with urllib.request.urlopen(home + "dunlin.wasm") as answer:
        assert answer.read() == b"\0asm" and answer.headers["Content-Type"] == "application/wasm"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin" and answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(home + "checkpoint/another")


def test_the_last_checkpoints_are_kept(folder):
    simulation = dunlin.Simulation(scenarios / "predators.yaml", agents=5)
    pages = [simulation.show(page=folder) for _ in range(17)]
    assert len({page.address for page in pages}) == 17
    urllib.request.urlopen(pages[1].address.replace("?checkpoint=", "")).close()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(pages[0].address.replace("?checkpoint=", ""))


def test_what_cannot_be_shown_is_an_error(flock, tmp_path):
    with pytest.raises(NotImplementedError, match="Simulation"):
        flock[0].show()
    with pytest.raises(OSError, match="make page"):
        dunlin.Simulation(scenarios / "predators.yaml", agents=5).show(page=tmp_path)
