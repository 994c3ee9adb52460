# SPDX-License-Identifier: MIT
"""Turns the examples into notebooks with their outputs: to_notebook.py FOLDER [SCRIPT ...]; without scripts all of them."""
import os
import re
import shutil
import sys
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

here = Path(__file__).resolve().parent


def notebook_of(script: Path) -> nbformat.NotebookNode:
    """The script's cells, which begin with lines `# %%`."""
    book = nbformat.v4.new_notebook()
    for kind, text in re.findall(r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", script.read_text(), re.M | re.S):
        if kind:
            book.cells.append(nbformat.v4.new_markdown_cell(re.sub(r"^# ?", "", text, flags=re.M).strip()))
        else:
            book.cells.append(nbformat.v4.new_code_cell(text.strip()))
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return book


def main(folder: str, *names: str) -> None:
    os.environ.pop("MPLBACKEND", None)  # figures belong into the notebook
    Path(folder).mkdir(parents=True, exist_ok=True)
    for beside in ("matplotlibrc", "tracks.csv"):
        shutil.copy(here / beside, folder)
    for script in [here / name for name in names] or [one for one in sorted(here.glob("*.py")) if "\n# %%" in one.read_text()]:
        book = notebook_of(script)
        this_python = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))  # no other one that Jupyter knows
        NotebookClient(book, km=this_python, resources={"metadata": {"path": folder}}, timeout=600).execute(cleanup_kc=True)
        nbformat.write(book, Path(folder, script.stem + ".ipynb"))
        print(Path(folder, script.stem + ".ipynb"))


if __name__ == "__main__":
    main(*sys.argv[1:])
