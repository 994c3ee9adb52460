# SPDX-License-Identifier: MIT
"""What a notebook gets to show, by the kernel of Jupyter."""
import nbclient
import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager


def test_a_notebook_shows_pictures_animations_and_the_page(tmp_path):
    (tmp_path / "page.js").touch()
    cells = ["import dunlin\nworld = dunlin.World(size=(20, 10))\n_ = world.add_species('boids', 30)\nworld.plot(size=100)",
             "world.animate(2, size=60)", "dunlin.Simulation('species:\\n  - {agents: 5}\\n').show(page='.')"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    this_python = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))  # and no other one that Jupyter knows
    nbclient.NotebookClient(notebook, km=this_python, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute(cleanup_kc=True)
    picture, animation, page = (cell.outputs[0].data for cell in notebook.cells)
    assert picture["image/png"].startswith("iVBORw0KGgo")
    assert animation["text/html"].startswith(("<video", "<img"))
    assert page["text/html"].startswith('<iframe src="http://127.0.0.1:')
