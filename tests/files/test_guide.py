# SPDX-License-Identifier: MIT
"""The blocks of Python in docs/files.md run, with a trajectory in the place of run.h5."""
import os
import re
import shutil
from pathlib import Path

guide = Path(__file__).resolve().parents[2] / "docs/files.md"
blocks = re.findall(r"^```python\n(.*?)^```$", guide.read_text(), re.S | re.M)
here = Path("guide")
here.mkdir()
shutil.copy("ecosystem.h5", here / "run.h5")
os.chdir(here)
for number, block in enumerate(blocks, 1):
    try:
        exec(compile(block, f"docs/files.md, block {number}", "exec"), {})
        print(f"ok block {number} of docs/files.md")
    except ImportError as error:
        print(f"skipped block {number} of docs/files.md: {error.name}")
    except Exception as error:
        print(f"failed block {number} of docs/files.md: {error!r}")
