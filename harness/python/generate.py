# SPDX-License-Identifier: MIT
"""generate.py INCLUDE_FOLDER ... OUTPUT_FOLDER: writes _cdef.h, the declarations of the public headers for cffi, and _generated.py, the Python
classes of their enumerations and structs, with types and words. What the headers gain, Python has with the next build."""
from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path
from typing import Iterator

from pycparser import c_ast, c_parser

HEADERS = ["common.h", "world.h", "behaviours.h", "scenery.h", "life.h", "survey.h", "query.h", "state.h", "cluster.h", "scenario.h"]
PRELUDE = "typedef _Bool bool; typedef unsigned char uint8_t; typedef unsigned uint32_t; typedef unsigned long uint64_t; typedef unsigned long size_t;\n"
PLAIN = {"int": "int", "uint32_t": "int", "uint64_t": "int", "size_t": "int", "float": "float", "double": "float", "bool": "bool"}

#: Fields that hold the number of a thing, and the thing's kind.
NUMBERS = {
    "species": "species", "observer": "species", "observed": "species", "eater": "species", "food": "species", "body": "species",
    "body_of": "species", "field": "field", "path": "path", "behaviour": "behaviour", "attribute": "attribute", "source": "attribute",
    "vital": "attribute", "energy": "attribute", "worth": "attribute",
}
#: Fields that Python sets itself, or has no use for.
HIDDEN = {"cookie", "run", "run_context", "allocator", "user", "callback", "custom"}
#: The kinds of things that a world holds.
THINGS = ["species", "interaction", "behaviour", "attribute", "meal", "path", "field", "trace", "obstacle"]
#: How a world's method adds a thing: its first arguments with their defaults, those that are no fields, and fields in another form.
ADDED: dict[str, tuple[list[tuple[str, str]], list[str], dict[str, str]]] = {
    "species": ([("name", ' = "agents"')], ["agents: int = 0"], {}),
    "interaction": ([("observer", ""), ("observed", " | None = None")], [],
                    {"rules": ", ".join(f"{rule}: Rule | float | None = None" for rule in ("separation", "alignment", "cohesion"))}),
    "behaviour": ([("species", ""), ("kind", "")], [], {"custom": "callback: Callable[[Tile], None] | Any = None"}),
    "attribute": ([("species", ""), ("name", "")], [], {}),
    "meal": ([("eater", ""), ("food", "")], [], {}),
    "path": ([("points", " = None")], [], {"count": ""}),
    "field": ([], [], {}),
    "trace": ([("field", "")], [], {}),
    "obstacle": ([("shape", "")], [], {}),
}
RESULTS = ["metrics", "stats", "density", "displacements", "clock", "kernel_info", "state_info", "scenario_number", "look"]


# ---- reading ---------------------------------------------------------------------------------------------------------------

def without_comments(text: str) -> str:
    """The text with every comment as blanks, on as many lines."""
    return re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.S)


def declarations(text: str) -> str:
    """What cffi and pycparser read: no preprocessor, and numbers for the constants that size arrays."""
    bare = without_comments(text)
    bare = re.sub(r'extern "C" \{|#ifdef __cplusplus\s*\n\}\s*\n#endif', lambda match: "\n" * match[0].count("\n"), bare)
    sizes = dict(constants(text), DUNLIN_RULE_COUNT=3)
    bare = re.sub(r"^#(?:.*\\\n)*.*$", lambda match: "\n" * match[0].count("\n"), bare, flags=re.M)
    bare = re.sub(r"\[(DUNLIN_\w+)\]", lambda match: f"[{sizes[match[1]]}]", bare)
    return bare.replace("DUNLIN_API ", "           ")


def constants(text: str) -> Iterator[tuple[str, str]]:
    for name, number in re.findall(r"^#define (DUNLIN_[A-Z_]+) +\(?(?:UINT64_C\()?(-?\d+)u?\)*(?: .*)?$", text, re.M):
        yield name, number


class Words:
    """The comments of the headers, by the lines of what they are about."""

    def __init__(self, text: str) -> None:
        self.before: dict[int, str] = {}
        self.beside: dict[int, str] = {}
        for match in re.finditer(r"/\*\*(<?)(.*?)\*/", text, re.S):
            first = text.count("\n", 0, match.start()) + 1
            words = re.sub(r"\s*\n\s*\*? ?", "\n", match[2]).strip()
            if match[1]:
                self.beside[first] = words
            else:
                self.before[first + match[0].count("\n") + 1] = words

    def of(self, node: c_ast.Node) -> str:
        line = node.coord.line
        return self.beside.get(line) or self.before.get(line) or ""


def in_python(words: str) -> str:
    """The words with Python's names: dunlin_world_step() is World.step()."""
    words = re.sub(r"dunlin_world_(\w+)\(\)", r"World.\1()", words)
    words = re.sub(r"\bdunlin_(\w+?)(?:_def)?\b(?!\()", lambda match: camel(match[1]), words)
    words = re.sub(r"\bDUNLIN_([A-Z]+)_(\w+)", r"\2", words)
    return words.replace("\\", "\\\\").replace("NULL", "None")


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.removeprefix("dunlin_").removesuffix("_def").split("_"))


def base(node: c_ast.Node) -> str:
    """The name of the type at the end of arrays and pointers."""
    while not isinstance(node, (c_ast.TypeDecl, c_ast.FuncDecl)):
        node = node.type
    return node.type.names[0] if isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType) else "?"


class Headers:
    """The enumerations, structs and functions of the headers, in their order."""

    def __init__(self, folders: list[Path]) -> None:
        paths = [next(folder / "dunlin" / name for folder in folders if (folder / "dunlin" / name).exists()) for name in HEADERS]
        text = "\n".join(path.read_text() for path in paths)
        self.cdef = declarations(text)
        self.words = Words("\n" + text)
        self.constants = dict(constants(text))
        self.enums: dict[str, c_ast.Enum] = {}
        self.structs: dict[str, c_ast.Struct] = {}
        self.functions: dict[str, c_ast.Decl] = {}
        for node in c_parser.CParser().parse(PRELUDE + self.cdef).ext:
            kind = node.type.type if isinstance(node.type, c_ast.TypeDecl) else node.type
            if isinstance(kind, c_ast.Enum):
                self.enums[node.name] = kind
            elif isinstance(kind, c_ast.Struct) and kind.decls:
                self.structs[node.name] = kind
            elif isinstance(kind, c_ast.FuncDecl) and isinstance(node, c_ast.Decl):
                self.functions[node.name] = node


# ---- writing ---------------------------------------------------------------------------------------------------------------

class Writer:
    def __init__(self, headers: Headers) -> None:
        self.headers = headers
        self.lines: list[str] = []

    def write(self, text: str = "") -> None:
        self.lines.append(text)

    def wrap(self, text: str) -> None:
        """A long line, at its blanks, but not before what is returned."""
        whole = text.replace(" -> ", "\u00a0->\u00a0")
        self.write(textwrap.fill(whole, 150, subsequent_indent=" " * 12, break_long_words=False, break_on_hyphens=False).replace("\u00a0", " "))

    def document(self, words: str, terms: list[tuple[str, str]], indent: int = 4) -> None:
        """A docstring: paragraphs, and the words of fields or members."""
        paragraphs = [textwrap.fill(" ".join(part.split()), 110 - indent) for part in re.split(r"\n\s*\n", in_python(words))]
        listed = [f"{term}\n" + textwrap.fill(" ".join(in_python(said).split()), 106 - indent, initial_indent="    ", subsequent_indent="    ") for term, said in terms]
        text = "\n\n".join([*paragraphs, "\n".join(listed)] if listed else paragraphs)
        self.write(textwrap.indent(f'"""{text}"""', " " * indent, lambda line: line.strip() != ""))

    def hint(self, field: c_ast.Decl, reads: bool) -> str:
        """The type of a field, as it is read, or as it may be given."""
        name, kind = base(field.type), field.type
        pointer = isinstance(kind, c_ast.PtrDecl) or (isinstance(kind, c_ast.ArrayDecl) and isinstance(kind.type, c_ast.PtrDecl))
        if pointer or name == "char":
            return "str" if name == "char" else "Array | None" if reads else "ArrayLike | None"
        if field.name in NUMBERS and name == "int":
            return "Any" if reads else "Thing | str | int"
        one = PLAIN.get(name) or (camel(name) + ("" if reads else " | str" if name in self.headers.enums else " | Mapping[str, Any]"))
        if not reads and name in self.headers.structs and any(own.name == "position" for own in self.headers.structs[name].decls):
            one += " | Sequence[float]"
        if isinstance(kind, c_ast.ArrayDecl):
            return f"tuple[{one}, ...]" if reads else f"Sequence[{one} | None]" if name in self.headers.structs else f"Sequence[{one}]"
        return one

    def enum(self, name: str) -> None:
        enum = self.headers.enums[name]
        members = [one.name for one in enum.values.enumerators]
        prefix = members[0]
        while not (prefix.endswith("_") and all(one.startswith(prefix) for one in members)):
            prefix = prefix[:-1]
        values, value = {}, -1
        for one in enum.values.enumerators:
            value = int(one.value.value) if one.value is not None else value + 1
            if not one.name.endswith("_COUNT"):
                values[one.name.removeprefix(prefix)] = (value, self.headers.words.of(one))
        self.write(f"class {camel(name)}(Enumeration):")
        self.document(self.headers.words.of(enum), [(f"{member} = {value}", words) for member, (value, words) in values.items()])
        for member, (value, _) in values.items():
            self.write(f"    {member} = {value}")
        self.write()

    def fields(self, name: str) -> list[c_ast.Decl]:
        return [field for field in self.headers.structs[name].decls if field.name not in HIDDEN]

    def head(self, name: str, own: str, base_class: str, reads: bool) -> list[c_ast.Decl]:
        """The beginning of a class, and what its fields are made of."""
        fields = self.fields(name)
        terms = [(f"{field.name} : {self.hint(field, reads)}", self.headers.words.of(field)) for field in fields]
        self.write(f"class {own}({base_class}):")
        self.document(self.headers.words.of(self.headers.structs[name]), [] if base_class == "Thing" else terms)
        self.write(f"    _ctype = {name!r}")
        enums = {field.name: base(field.type) for field in fields if base(field.type) in self.headers.enums}
        parts = {field.name: base(field.type) for field in fields if base(field.type) in self.headers.structs and not isinstance(field.type, c_ast.PtrDecl)}
        for table, kinds in (("enums", enums), ("parts", parts)):
            self.write(f"    _{table} = {{" + ", ".join(f"{field!r}: {camel(kind)}" for field, kind in kinds.items()) + "}")
        numbers = {field.name: NUMBERS[field.name] for field in fields if field.name in NUMBERS and base(field.type) == "int"}
        self.write(f"    _numbers = {numbers!r}")
        return fields

    def part(self, name: str) -> None:
        """A struct that is a value: of what is left out, the library's default counts."""
        fields = self.head(name, camel(name), "Part", False)
        for field in fields:
            self.write(f"    {field.name}: {self.hint(field, True)}")
        self.wrap(f"    def __init__(self, *, {self.signature(fields)}, **others: Never) -> None:")
        self.write("        super().__init__(locals())\n")

    def result(self, name: str) -> None:
        for field in self.head(name, camel(name), "Result", True):
            self.write(f"    {field.name}: {self.hint(field, True)}")
        self.write()

    def thing(self, kind: str) -> None:
        """What a world holds: its fields are read and set as attributes of the handle."""
        for field in self.head(f"dunlin_{kind}_def", f"{camel(kind)}Fields", "Thing", True):
            words = in_python(self.headers.words.of(field)).replace('"', "'")
            self.write(f"    {field.name}: Value[{self.hint(field, True)}, {self.hint(field, False)}] = Value(\n        \"{' '.join(words.split())}\")")
        self.write(f"    _kind = {kind!r}\n")

    def signature(self, fields: list[c_ast.Decl]) -> str:
        return ", ".join(f"{field.name}: {self.hint(field, False).removesuffix(' | None')} | None = None" for field in fields)

    def starter(self) -> None:
        """How a world is made: size first."""
        rest = [field for field in self.fields("dunlin_world_def") if field.name != "size"]
        self.write("    def _create(self, given: dict[str, Any]) -> None: ...\n")
        self.wrap(f"    def __init__(self, size: float | Sequence[float] | None = None, *, {self.signature(rest)}, **others: Never) -> None:")
        self.document("A world without agents. size : world units along each axis, of which there are as many as numbers, or one number for all; World has the "
                      "other fields, which can be read as attributes, and set between steps.", [], 8)
        self.write("        self._create(locals())\n")

    def adder(self, kind: str, owner: str = "") -> None:
        """The method of a world, or of its owner, that adds a thing: what identifies it comes first."""
        first, before, after = ADDED[kind]
        fields = {field.name: field for field in self.fields(f"dunlin_{kind}_def")}
        leading = [f"{name}: {self.hint(fields[name], False)}" + default for name, default in first if name != owner]
        rest = [field for name, field in fields.items() if name not in [one for one, _ in first] and name not in after]
        self.wrap(f"    def add_{kind}({', '.join(['self', *leading, *before, '*', *filter(None, after.values()), self.signature(rest), '**others: Never'])}) -> {camel(kind)}:")
        words = self.headers.words.of(self.headers.functions[f"dunlin_world_add_{kind}"]).replace("without agents", "with so many agents at random places")
        self.document(words + f" {camel(kind)} says what the fields mean.", [], 8)
        self.write(f"        made: {camel(kind)} = self._add({kind!r}, locals())")
        self.write("        return made\n")

    def everything(self) -> str:
        headers = self.headers
        self.write("# Made by generate.py from the public headers.")
        self.write("from __future__ import annotations\n\nfrom collections.abc import Callable, Mapping, Sequence\nfrom typing import TYPE_CHECKING, Any, Never\n")
        self.write("from ._base import Enumeration, Part, Result, Thing, Value\n")
        parts = self.in_order(self.part_names() | {"dunlin_scatter_def", "dunlin_field_source"})
        public = [*(camel(name) for name in [*headers.enums, *parts, *RESULTS] if name != "dunlin_result"), *(name.removeprefix("DUNLIN_") for name in headers.constants)]
        self.wrap(f"__all__ = [{', '.join(map(repr, public))}]")
        self.write(f"if TYPE_CHECKING:\n    from numpy.typing import ArrayLike\n\n    from ._base import Array\n    from .callbacks import Tile\n    from .things import {', '.join(camel(kind) for kind in THINGS)}\n")
        for name in headers.enums:
            if name != "dunlin_result":
                self.enum(name)
        for name in parts:
            self.part(name)
        for name in RESULTS:
            self.result(f"dunlin_{name}")
        for kind in ["world", *THINGS]:
            self.thing(kind)
        for owner, kinds in (("", THINGS), ("species", ["attribute", "behaviour"])):
            self.write(f"class {camel(owner)}Adders:\n    def _add(self, kind: str, given: dict[str, Any]) -> Any: ...\n")
            if owner == "":
                self.starter()
            for kind in kinds:
                self.adder(kind, owner)
        for name, number in headers.constants.items():
            self.write(f"{name.removeprefix('DUNLIN_')} = {number}")
        return "\n".join(self.lines) + "\n"

    def part_names(self) -> set[str]:
        """The structs within definitions."""
        wanted = [f"dunlin_{kind}_def" for kind in THINGS] + ["dunlin_world_def", "dunlin_field_source"]
        found: set[str] = set()
        while wanted:
            for field in self.fields(wanted.pop()):
                name = base(field.type)
                if name in self.headers.structs and name not in found and not isinstance(field.type, c_ast.PtrDecl):
                    found.add(name)
                    wanted.append(name)
        return found

    def in_order(self, names: set[str]) -> list[str]:
        return [name for name in self.headers.structs if name in names]


if __name__ == "__main__":
    *folders, output = (Path(argument) for argument in sys.argv[1:])
    headers = Headers(folders)
    (output / "_cdef.h").write_text(headers.cdef)
    (output / "_generated.py").write_text(Writer(headers).everything())
