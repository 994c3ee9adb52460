#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_layout.py DUNLIN.CDEF FILE.cs: the structs of a C# program have the numbers of dunlin.cdef's, in their order. A program that only
passes on what the library has filled in runs with others, too, until a field is set. dunlin_world_def is WorldDef there, and a struct or an
array within it may stand there as its fields."""
import re
import sys
from itertools import zip_longest

C = {"int": "int", "float": "float", "char": "sbyte", "bool": "byte", "uint32_t": "uint", "uint64_t": "ulong"}
cdef, program = (open(path).read() for path in sys.argv[1:3])
cdef = re.sub(r"\bconst\b", "", cdef)
program = re.sub(r"//.*", "", program)
constants = {}
for block in re.findall(r"enum \w*\s*\{(.*?)\}", cdef, re.S):
    value = -1
    for name, given in re.findall(r"(\w+)(?: = (-?\d+)u?)?,?\s", block + "\n"):
        value = constants[name] = int(given) if given else value + 1
structs = dict(re.findall(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", cdef, re.S))
enums = set(re.findall(r"\} (\w+);", cdef)) - set(structs)
own = dict(re.findall(r"^(?:unsafe )?struct (\w+) \{\n(.*?)^\}", program, re.S | re.M))


def numbers_of_c(struct):
    for line in structs[struct].split(";"):
        field = re.fullmatch(r"\s*(\w+)\s*(\**)\s*(\w+)\s*(?:\[(\w+)\])?\s*", line)
        if not field:
            continue
        base, stars, _, size = field.groups()
        one = ["IntPtr"] if stars else list(numbers_of_c(base)) if base in structs else ["int" if base in enums else C[base]]
        yield from one * int(constants.get(size, size or 1))


def numbers_of_own(struct):
    for base, names in re.findall(r"public (?:fixed )?(\w+) ([^;]+);", own[struct]):
        for name in names.split(","):
            one = list(numbers_of_own(base)) if base in own else [base]
            yield from one * int((re.search(r"\[(\d+)\]", name) or [0, 1])[1])


known = {"".join(word.capitalize() for word in name.removeprefix("dunlin_").split("_")): name for name in structs}
for name in own:
    if name not in known:
        sys.exit(f"dunlin.cdef has no {name}")
    pairs = zip_longest(numbers_of_own(name), numbers_of_c(known[name]), fillvalue="nothing")
    for place, (found, wanted) in enumerate(pairs):
        if found != wanted:
            sys.exit(f"{sys.argv[2]}: {name} has {found} as its number {place}, and in dunlin.cdef {wanted}")
