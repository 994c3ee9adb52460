# SPDX-License-Identifier: MIT
"""Sphinx's settings. make.py calls it, and lays out its sources."""
import os
import re
import sys
from pathlib import Path
from unittest.mock import MagicMock

from docutils import nodes
from pygments.lexers.javascript import JavascriptLexer
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

work = Path(os.environ["DUNLIN_SITE_WORK"])
header = Path(__file__).resolve().parents[2] / "engine/include/dunlin/common.h"
sys.path.insert(0, str(work / "python"))
for engine in ("_dunlin", "_picture"):
    sys.modules[f"dunlin.{engine}"] = MagicMock()

project = "Dunlin"
copyright = "The Dunlin authors, MIT licence"
release = version = ".".join(re.findall(r"#define DUNLIN_VERSION_\w+ +(\d+)", header.read_text()))
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 4
breathe_projects = {"dunlin": str(work / "xml")}
breathe_default_project = "dunlin"
breathe_domain_by_extension = {"h": "c"}
autodoc_mock_imports = ["matplotlib", "numba"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"

html_theme = "furo"
html_title = f"Dunlin {release}"
html_static_path = ["static"]
html_logo = html_favicon = "static/dunlin.svg"
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00695c", "color-brand-content": "#00695c", "color-background-primary": "#fdfcf9",
                            "color-background-secondary": "#f6f4ee", "color-code-background": "#f6f4ee"},
    # Debian's furo has lost its own dark colours.
    "dark_css_variables": {"color-foreground-primary": "#e4e6e5", "color-foreground-secondary": "#a9b0b3", "color-foreground-muted": "#8b9397",
                           "color-foreground-border": "#666", "color-background-hover": "#20262a", "color-background-hover--transparent": "#20262a00",
                           "color-background-border": "#30373b", "color-background-item": "#444", "color-problematic": "#ee8a8a",
                           "color-highlight-on-target": "#23312e", "color-admonition-background": "#1a1f23", "color-inline-code-background": "#1e2428",
                           "color-brand-primary": "#5cc9b5", "color-brand-content": "#5cc9b5", "color-background-primary": "#14181b",
                           "color-background-secondary": "#1a1f23", "color-code-background": "#1e2428"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"
html_copy_source = False
html_domain_indices = False
html_show_sphinx = False
html_permalinks_icon = "#"


# ---- docstrings ------------------------------------------------------------------------------------------------------------


def mark_up(words: str) -> str:
    """A line of our docstrings, which are plain text but for `code` and *words*, as reStructuredText."""
    parts = re.split(r"(`[^`]+`|(?<!\w)\*\w+\*(?!\w))", words)
    parts[::2] = [re.sub(r"[*|`\\]|(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
    parts[1::2] = [f"`{part}`" if part[0] == "`" else part for part in parts[1::2]]
    for at in range(2, len(parts), 2):
        parts[at] = re.sub(r"^(?=\w)", r"\\ ", parts[at])  # a word may follow `code` at once
    return "".join(parts)


def mark_up_entry(entry: re.Match[str], is_made: bool) -> list[str]:
    """`name : words`, of which the words are a type if generate.py made the docstring."""
    indent, name, words = entry["indent"], entry["name"], mark_up(entry["words"])
    return [f"{indent}``{name}`` : {words}"] if is_made else [f"{indent}``{name}``", f"{indent}    {words}"]


ENTRY = re.compile(r"(?P<indent> *)(?P<name>[a-z][\w.\[\]]*(?:, (?:[a-z][\w.\[\]]*|…))*) : (?P<words>.*)")
CONSTANT = re.compile(r"( *)([A-Z]\w* = \S+)")


def read_docstring(app, what, name, thing, options, lines):
    is_made = getattr(thing, "__module__", "") == "dunlin._generated"
    marked, in_code = [], False
    for at, line in enumerate(lines):
        in_code = in_code and (line == "" or line.startswith("    "))
        if in_code:
            marked.append(line)
        elif entry := ENTRY.fullmatch(line):
            marked += mark_up_entry(entry, is_made)
        else:
            marked.append(CONSTANT.sub(r"\1``\2``", line) if CONSTANT.fullmatch(line) else mark_up(line))
        if not in_code and line.endswith(":") and lines[at + 1:at + 2] == [""] and lines[at + 2].startswith("    "):
            marked[-1] += ":"
            in_code = True
    lines[:] = marked


# ---- names ------------------------------------------------------------------------------------------------------------


def refer(transform, place, *content, **more):
    """A link from the page that is transformed to another page and, unless it is empty, an anchor there."""
    page, anchor = place
    address = transform.app.builder.get_relative_uri(transform.env.docname, page) + (f"#{anchor}" if anchor else "")
    return nodes.reference("", "", *content, refuri=address, internal=True, **more)


class LinkNames(SphinxPostTransform):
    """What stands in code font and is a name of the interfaces leads to it, and so does a header's name in the comments of another."""
    default_priority = 400
    #: How docs/python.md calls things of these classes.
    examples = {"world": "World", "birds": "Species", "tile": "Tile"}

    def names(self):
        """Pages and anchors by names."""
        if not hasattr(self.env, "dunlin_names"):
            found = {name: (page, anchor) for language in ("c", "py") for name, _, _, page, anchor, _ in self.env.get_domain(language).get_objects()}
            found |= {title.astext(): (page, "") for page, title in self.env.titles.items() if page.startswith("c/")}
            found.pop("dunlin", None)  # the program, more often than the Python package
            self.env.dunlin_names = found
        return self.env.dunlin_names

    def place(self, text):
        name = text.removesuffix("()")
        if self.env.docname.startswith("python"):
            first, _, rest = name.partition(".")
            name = f"dunlin.{self.examples.get(first, first)}.{rest}" if rest and first != "dunlin" else name
        return self.names().get(name)

    def is_linked(self, node):
        while node is not None and not isinstance(node, (nodes.reference, nodes.title)):
            node = node.parent
        return node is not None

    def link(self, name, content):
        """The content, as a link if it names something on another page."""
        place = self.place(name)
        return content if place is None or place[0] == self.env.docname else refer(self, place, content)

    def run(self, **_):
        for literal in list(self.document.findall(nodes.literal)):
            if not self.is_linked(literal):
                literal.replace_self(self.link(literal.astext(), literal.deepcopy()))
        if self.env.docname.startswith("c/"):
            for text in [text for text in self.document.findall(nodes.Text) if isinstance(text.parent, nodes.paragraph)]:
                parts = re.split(r"(\b\w+\.hp*\b)", text)
                text.parent.replace(text, [self.link(part, nodes.Text(part)) for part in parts if part])


class LinkFields(SphinxPostTransform):
    """A field of a definition leads to the field of scenarios that sets it: dunlin_species_def.max_speed, in Python Species.max_speed, to that
    of `species`."""
    default_priority = 401

    def fields(self):
        if not hasattr(self.env, "dunlin_fields"):
            self.env.dunlin_fields = re.findall(r'class="field" id="([\w-]+)-(\w+)"', Path(self.env.doc2path("scenarios")).read_text())
        return self.env.dunlin_fields

    def run(self, **_):
        for signature in list(self.document.findall(addnodes.desc_signature)):
            name = re.fullmatch(r"(?:c\.dunlin_|dunlin\.)(\w+?)(?:_def)?\.(\w+)", signature["ids"][0] if signature["ids"] else "")
            owner = name[1].lower() if name else ""
            tables = {owner, f"{owner}s", f"{owner}s-common", f"behaviours-{owner}", owner.removeprefix("field_")}
            for table, field in self.fields():
                if name and table in tables and field == name[2]:
                    signature += refer(self, ("scenarios", f"{table}-{field}"), nodes.Text("in scenarios"), classes=["elsewhere"])
                    break


def setup(app):
    app.connect("autodoc-process-docstring", read_docstring)
    app.add_post_transform(LinkNames)
    app.add_post_transform(LinkFields)
    app.add_lexer("jsx", JavascriptLexer)
