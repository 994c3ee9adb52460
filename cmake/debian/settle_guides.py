#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""settle_guides.py FOLDER: README.md and docs/ in FOLDER get the links that hold where a package has installed them. A header is below
/usr/include; what is not installed is named and not linked."""
import re
import sys
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
CODE = re.compile(r"(^ *```.*?^ *```$)", re.M | re.S)
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def settle(page):
    def replace(link):
        text, target, _ = link.groups()
        path = (page.parent / target).resolve()
        header = re.search(r"/include/(dunlin/\w+\.hp*)$", target)
        if "://" in target or path.exists() and path.is_relative_to(folder):
            return link[0]
        return f"[{text}](/usr/include/{header[1]})" if header else text

    parts = CODE.split(page.read_text())
    page.write_text("".join(part if CODE.match(part) else LINK.sub(replace, part) for part in parts))


for page in [folder / "README.md", *folder.glob("docs/**/*.md")]:
    settle(page)
