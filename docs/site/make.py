#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make.py BUILD: writes BUILD/site, all that Dunlin shows to the world as one folder for any static host. It takes the program, the page
and the npm package from BUILD.

The guides stay where they are read on a git host. This lays them out for Sphinx in BUILD/site-sources, their links pointed at the site's
pages, beside pages that are made here: of the headers, the Python package, each scenario, and each source file that a guide points at.
"""
import hashlib
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

root = Path(__file__).resolve().parents[2]
here = root / "docs/site"
build = Path(sys.argv[1]).resolve()
sources, work, site = build / "site-sources", build / "site-work", build / "site"

# Pages of the site by the files that they come from. What is not here and is pointed at becomes a page of its source.
PAGES = {"README.md": "overview.md", "docs/README.md": "guides.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
         "SECURITY.md": "security.md", "harness/page/npm/README.md": "npm.md", "tests/reports.md": "reports.md"}
PAGES |= {f"docs/{path.name}": path.name for path in sorted((root / "docs").glob("*.md")) if path.name != "README.md"}


def headers() -> dict[str, str]:
    """Pages of the public headers: dunlin.h, its parts in its order, the others, and C++."""
    main = "engine/include/dunlin/dunlin.h"
    parts = re.findall(r"^#include <dunlin/(\w+\.h)>", (root / main).read_text(), re.M)
    found = [str(path.relative_to(root)) for folder in ("engine", "harness/scenario") for path in sorted((root / folder / "include/dunlin").glob("*.h*"))]

    def place(file: str) -> tuple[bool, bool, int]:
        name = Path(file).name
        return file.endswith(".hpp"), file != main, parts.index(name) if name in parts else len(parts)
    return {file: f"c/{Path(file).name.replace('.hpp', '_cpp').removesuffix('.h')}.rst" for file in sorted(found, key=place)}


HEADERS = headers()
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".sh": "bash", ".lua": "lua", ".yaml": "yaml", ".cmake": "cmake", ".cff": "yaml"}
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")

written: set[Path] = set()


def write(name: str, text: str) -> None:
    """Leaves a file that has this text already as it is: Sphinx reads only what has changed."""
    path = sources / name
    written.add(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


# ---- the guides ------------------------------------------------------------------------------------------------------------


def page_of(target: str) -> str:
    """The site's page of a file in the repository."""
    if page := PAGES.get(target) or HEADERS.get(target):
        return page
    if target.startswith("docs/images/") and Path(target).suffix in {".png", ".svg", ".webp"}:
        return target.removeprefix("docs/")
    page = f"source/{target}.md"
    if sources / page not in written:
        write_source(target, page)
    return page


def title_of(file: str, anchor: str) -> str:
    """The title of a guide, or that of a part of it."""
    titles = re.findall(r"^#+ (.*)", (root / file).read_text(), re.M)
    return next((title for title in titles if anchor == "#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")), titles[0])


def linked(text: str, file: str, page: str) -> str:
    """The text of a file in the repository, with the links that it has as a page of the site."""
    def point(match: re.Match[str]) -> str:
        target = os.path.normpath(os.path.join(os.path.dirname(file), match[0]))
        return os.path.relpath(page_of(target), os.path.dirname(page) or ".")

    def entitle(match: re.Match[str]) -> str:
        return f"[{title_of(os.path.normpath(os.path.join(os.path.dirname(file), match[1] or file)), match[2] or '')}]({match[1]}{match[2] or ''})"
    text = re.sub(r"\[[\w/.]+\.md\]\(([\w/.]+\.md)(#[\w-]+)?\)", entitle, text)
    return LINK.sub(point, text)


def write_source(target: str, page: str) -> None:
    """A file as it is, or what a folder has."""
    written.add(sources / page)
    title = f"---\norphan: true\nnosearch: true\n---\n\n# `{target}`\n\n"
    if (root / target).is_dir():
        files = subprocess.run(["git", "ls-files", target], cwd=root, capture_output=True, text=True, check=True).stdout.split()
        lines = [f"- `{file}`" if "corpus/" in file else f"- [{file}]({file})" for file in files]
        write(page, linked(title + "\n".join(lines) + "\n", ".", page))
    else:
        language = LANGUAGES.get(Path(target).suffix, "text")
        write(page, f"{title}```{{literalinclude}} {os.path.relpath(root / target, (sources / page).parent)}\n:language: {language}\n```\n")


TABLE = re.compile(r"^<!-- table (\S+) -->\n(.*?)^<!-- end -->", re.S | re.M)


def with_anchors(text: str) -> str:
    """Each field of the schema's tables is a place to link to: #species-max_speed."""
    def mark(table: re.Match[str]) -> str:
        return re.sub(r"^\| (`(\w+)`)", rf'| <a class="field" id="{table[1]}-\2" href="#{table[1]}-\2">\1</a>', table[0], flags=re.M)
    return TABLE.sub(mark, text)


def with_downloads(text: str) -> str:
    """How to install, before which stands what the site itself has."""
    version = ".".join(re.findall(r"#define DUNLIN_VERSION_\w+ +(\d+)", (root / "engine/include/dunlin/common.h").read_text()))
    sources = [f"dunlin-{version}.tar.gz"] if (root / ".git").exists() else []
    rows = [(what, ", ".join(f'<a href="{folder}/{name}">{name}</a>' for name in names))
            for what, folder, names in [("all of the below: the sources", "download", sources),
                                        ("C and C++: the library as [one file](embedding.md#one-file-one-header)", "download", ["dunlin.c", "dunlin.h", "dunlin.hpp"]),
                                        ("JavaScript: [the package](../harness/page/npm/README.md) for `npm install`", "npm", [path.name for path in (build / "npm").glob("*.tgz")])] if names]
    title, rest = text.split("\n", 1)
    return "\n".join([title, "", "| for | download |", "|---|---|", *(f"| {what} | {links} |" for what, links in rows), rest])


def write_guides() -> None:
    for file, page in PAGES.items():
        text = with_anchors((root / file).read_text())
        text = with_downloads(text) if page == "install.md" else text
        write(page, linked(text if page != "gallery.md" else gallery(text), file, page))
    for file in here.glob("*.md"):
        write(file.name, file.read_text().replace("HEADERS", "\n".join(page.removesuffix(".rst") for page in HEADERS.values())))


# ---- the gallery -----------------------------------------------------------------------------------------------------------

CELL = re.compile(r'<td .*?\n<b><code>(?P<name>\w+)</code></b>(?: · <a href="(?P<film>[^"]*)">film</a>)?<br>(?P<what>.*?)</td>')


def card(match: re.Match[str]) -> str:
    """A film, or a picture for readers who want no motion and where there is none. It opens in the page; the name leads to the file."""
    name, film, what = match["name"], match["film"], match["what"]
    picture = f"images/gallery/{name}.png"
    still = f'<source media="(prefers-reduced-motion: reduce)" srcset="{picture}">' if film else ""
    write_scenario(name, what)
    return (f'<figure><a href="page/?scenario={name}" title="Run it"><picture>{still}<img src="{film or picture}" alt="{name}" loading="lazy"></picture></a>'
            f'<figcaption><a href="gallery/{name}.html"><code>{name}</code></a>{what}</figcaption></figure>')


def gallery(text: str) -> str:
    """The tables of thumbnails as cards."""
    text = re.sub(r"Click a picture to see it in full size\.", "Click a picture to run it in the page, or a name for its file.", text)
    rows = re.sub(r"</?t(able|r)>\n", "", CELL.sub(card, text))
    return re.sub(r"(<figure>.*</figure>\n)+", lambda match: f'<div class="cards">\n{match[0]}</div>\n', rows)


def write_scenario(name: str, what: str) -> None:
    file = os.path.relpath(root / f"harness/scenarios/{name}.yaml", sources / "gallery")
    write(f"gallery/{name}.md", f"""---
orphan: true
hide-toc: true
---

# {name}

{html.unescape(what)}

<p class="buttons"><a href="../page/?scenario={name}">Run it in the page</a></p>

![{name}](../images/gallery/{name}.png)

```sh
dunlin run {name}
```

The file, of which [every field](../scenarios.md) has its unit, range and default:

```{{literalinclude}} {file}
:language: yaml
```
""")


# ---- the headers -----------------------------------------------------------------------------------------------------------


def members(xml: Path, header: str) -> list[tuple[int, str, str, bool]]:
    """What a header declares: its line, kind and name, and whether it has words of its own."""
    listed, found = [f"{Path(header).stem}_8{Path(header).suffix[1:]}"], []
    while listed:
        compound = ElementTree.parse(xml / f"{listed.pop(0)}.xml").find("compounddef")
        space = f"{compound.findtext('compoundname')}::" if compound.get("kind") == "namespace" else ""
        listed += [inner.get("refid") for inner in compound.iter("innernamespace")]
        for inner in compound.iter("innerclass"):
            one = ElementTree.parse(xml / f"{inner.get('refid')}.xml").find("compounddef")
            found.append((int(one.find("location").get("line")), one.get("kind"), inner.text, True))
        for one in compound.iter("memberdef"):
            words = "".join("".join(one.find(kind).itertext()) for kind in ("briefdescription", "detaileddescription"))
            found.append((int(one.find("location").get("line")), one.get("kind"), space + one.findtext("name"), words.strip() != ""))
    return found


def entries(xml: Path, header: str) -> dict[int, tuple[str, str]]:
    """What a header explains, each with its kind, by lines. What guards a header has no words."""
    found = members(xml, header)
    own = {name for _, kind, name, _ in found if kind in ("struct", "class", "enum")}
    return {line: (kind, name) for line, kind, name, has_words in found if has_words and not (kind == "typedef" and name in own)}


def list_names(found: dict[int, tuple[str, str]], domain: str) -> list[str]:
    """What there is, as links, a paragraph for each part."""
    roles = {"function": "func", "define": "macro", "typedef": "type"}
    paragraphs: list[list[str]] = [[]]
    for _, (kind, own) in sorted(found.items()):
        if kind == "part":
            paragraphs.append([f"**{own[0].upper()}{own[1:]}**"])
        else:
            paragraphs[-1].append(f":{domain}:{roles.get(kind, kind)}:`{own}`")
    return [f"   {' · '.join(paragraph)}\n" for paragraph in paragraphs if paragraph]


def write_header(header: str, page: str, xml: Path) -> None:
    """A header's entries in its own order, under the headings of its parts. A comment names its text, so that Sphinx reads what has changed."""
    name = Path(header).name
    domain = "cpp" if name.endswith(".hpp") else "c"
    found = entries(xml, header)
    for number, text in enumerate((root / header).read_text().splitlines(), 1):
        if part := re.fullmatch(r"/\* -+ (.*?) -+ \*/", text):
            found[number] = ("part", part[1])
    stamp = hashlib.sha256((root / header).read_bytes() + Path(__file__).read_bytes()).hexdigest()
    text = [f".. {stamp}\n", f"{name}\n{'=' * len(name)}\n", f".. highlight:: {domain}\n", f".. doxygenfile:: {name}\n   :sections: briefdescription detaileddescription\n"]
    if found:
        text += [".. container:: names\n", *list_names(found, domain)]
    for _, (kind, own) in sorted(found.items()):
        if kind == "part":
            text.append(f"{own[0].upper()}{own[1:]}\n{'-' * len(own)}\n")
        else:
            options = "   :members:\n" + ("   :undoc-members:\n" if domain == "cpp" else "")
            text.append(f".. doxygen{kind}:: {own}\n" + (options if kind in ("struct", "class") else ""))
    write(page, "\n".join(text))


def write_headers() -> None:
    settings = (f'OUTPUT_DIRECTORY = "{work}"\nGENERATE_HTML = NO\nGENERATE_XML = YES\nXML_PROGRAMLISTING = NO\nFILE_PATTERNS = *.h *.hpp\n'
                "EXCLUDE_SYMBOLS = dunlin::detail\nWARN_IF_UNDOCUMENTED = NO\nJAVADOC_AUTOBRIEF = NO\n") # members of C++ that are named as in C have no words
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=(root / "docs/Doxyfile").read_text() + settings, text=True, cwd=root, check=True)
    for header, page in HEADERS.items():
        write_header(header, page, work / "xml")


# ---- the Python package ----------------------------------------------------------------------------------------------------


def named_by_modules(package: Path) -> dict[str, list[str]]:
    """What the package offers, under the words with which its modules begin."""
    names: dict[str, list[str]] = {title: [] for title in ("Worlds", "What a world holds", "Parts of definitions", "Kinds")}
    for module, name in re.findall(r"^from \.(\w+) import \w+ as ([A-Za-z]\w*)$", (package / "__init__.py").read_text(), re.M):
        words = re.search(r'^"""(.*?)[.:,]', (package / f"{module}.py").read_text(), re.M)[1]
        names.setdefault("Errors" if module == "_base" else words, []).append(name)
    for name, base in re.findall(r"^class ([A-Z]\w+)\((Enumeration|Part|Result)\):", (package / "_generated.py").read_text(), re.M):
        names.setdefault({"Part": "Parts of definitions", "Enumeration": "Kinds", "Result": "Results"}[base], []).append(name)
    names["Errors"] = names.pop("Errors")
    return names


def write_python() -> None:
    """The package is imported without its engine, so that nothing need be compiled for its page."""
    package = work / "python/dunlin"
    shutil.copytree(root / "harness/python/dunlin", package, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    includes = [str(root / header) for header in ("engine/include", "harness/scenario/include")]
    subprocess.run([sys.executable, root / "harness/python/generate.py", *includes, package], check=True)
    text = ["Reference\n=========\n", "All of this is in ``dunlin``, but for the last two parts. :doc:`The guide <python>` says how to use it.\n", ".. py:module:: dunlin\n"]
    for title, names in named_by_modules(package).items():
        text.append(f"{title}\n{'-' * len(title)}\n")
        for name in names:
            kind = "exception" if title == "Errors" else "class" if name[0].isupper() else "function"
            text.append(f".. auto{kind}:: {name}\n" + ("   :members:\n   :inherited-members: object, int\n" if kind == "class" and title != "Kinds" else ""))
    for module in ("numba", "artists"):
        title = f"dunlin.{module}"
        text.append(f"{title}\n{'-' * len(title)}\n\n.. automodule:: {title}\n   :members:\n")
    write("python_api.rst", "\n".join(text))


# ---- the site --------------------------------------------------------------------------------------------------------------


def lay_out() -> None:
    write_guides()
    write_headers()
    write_python()
    for old in sources.rglob("*"):
        if old.is_file() and old not in written and old.relative_to(sources).parts[0] not in ("images", "examples"):
            old.unlink()
    for beside in ("images", "examples"):
        if not (sources / beside).is_symlink():
            (sources / beside).symlink_to(root / "docs" / beside)


def remove_old_pages() -> None:
    """Pages of an earlier build that have no source any more."""
    for page in site.rglob("*.html"):
        name = page.relative_to(site).with_suffix("")
        if name.parts[0] != "page" and str(name) not in ("genindex", "search") and not any((sources / f"{name}{end}").exists() for end in (".md", ".rst")):
            page.unlink()


def complete_theme() -> None:
    """Debian's furo takes a style from a folder of its web server, and its script is a module that no page loads as one."""
    style, script = site / "_static/styles/furo.css", site / "_static/scripts/furo.js"
    outside = re.compile(r"@import url\(/javascript/normalize\.css/normalize\.css\);")
    if outside.search(style.read_text()):
        style.write_text(outside.sub(lambda _: Path("/usr/share/javascript/normalize.css/normalize.min.css").read_text(), style.read_text()))
    begin = 'import Gumshoe from "./gumshoe-patched.js";'
    if script.read_text().startswith(begin):
        script.write_text(script.with_name("gumshoe-patched.js").read_text() + script.read_text().removeprefix(begin))


def add_others() -> None:
    """What is no page of Sphinx's: the page, what can be downloaded, the schemas for editors, and the gallery's pictures."""
    shutil.copytree(build / "page", site / "page", dirs_exist_ok=True)
    (site / "npm").mkdir(exist_ok=True)
    for package in (build / "npm").glob("*.tgz"):
        shutil.copy(package, site / "npm")
    subprocess.run([root / "cmake/amalgamate.py", site / "download"], check=True)
    if (root / ".git").exists():
        subprocess.run([root / "cmake/make_dist.sh", site / "download", "--sources"], check=True)
    for name, option in (("scenario", []), ("study", ["--study"])):
        (site / f"{name}.schema.json").write_bytes(subprocess.run([build / "dunlin", "schema", *option], check=True, capture_output=True).stdout)
    shutil.copytree(root / "docs/images/gallery", site / "images/gallery", dirs_exist_ok=True)
    shutil.copy(root / "docs/images/film.webp", site / "images")


def main() -> None:
    lay_out()
    os.environ["DUNLIN_SITE_WORK"] = str(work)
    # Python's own, since Sphinx's command may be of another Python.
    subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "auto", "-c", here, "-d", work / "doctrees", sources, site], check=True)
    remove_old_pages()
    complete_theme()
    add_others()
    print(f"{site} has the site")


main()
