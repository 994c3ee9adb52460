#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_ccall.py DUNLIN.CDEF FILE.jl: the structs and the ccalls of a Julia program are those of dunlin.cdef, field by field and argument by
argument. dunlin_world_def is WorldDef there, an enum Cint, and a pointer to what has no struct Ptr{Cvoid}."""
import re
import sys

BASIC = {"int": "Cint", "float": "Cfloat", "double": "Cdouble", "char": "Cchar", "bool": "Bool", "void": "Cvoid", "size_t": "Csize_t",
         "uint8_t": "UInt8", "uint32_t": "UInt32", "uint64_t": "UInt64"}
cdef, program = (open(path).read() for path in sys.argv[1:3])
cdef = re.sub(r"\bconst\b", "", cdef)
program = re.sub(r"#.*", "", program)
structs = dict(re.findall(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", cdef, re.S))
enums = set(re.findall(r"\} (\w+);", cdef)) - set(structs)

constants = {}
for block in re.findall(r"enum \w*\s*\{(.*?)\}", cdef, re.S):
    value = -1
    for name, given in re.findall(r"(\w+)(?: = (-?\d+)u?)?,?\s", block + "\n"):
        value = int(given) if given else value + 1
        constants[name] = value


def julia(name):
    """The name of a type in the program."""
    if name in BASIC:
        return BASIC[name]
    return "Cint" if name in enums else "".join(word.capitalize() for word in name.removeprefix("dunlin_").split("_"))


def allowed(declaration):
    """What may stand for a C declaration `type *name[size]`: a list of Julia's types."""
    base, stars, sizes = re.fullmatch(r"\s*(\w+)\s*((?:\*\s*)*)\w*\s*((?:\[\w+\])?)\s*", declaration).groups()
    stars = stars.count("*")
    known = base in BASIC or base in structs or base in enums
    types = [julia(base) if known else "Cvoid"]
    for level in range(stars):
        pointers = [f"Ptr{{{one}}}" for one in types] + (["Ptr{Cvoid}"] if level == 0 else [])
        types = pointers + [f"Ref{{{one}}}" for one in types]
    if sizes:
        size = sizes[1:-1]
        types = [f"NTuple{{{constants.get(size, size)},{one}}}" for one in types]
    return types


def fail(message):
    sys.exit(f"{sys.argv[2]}: {message}")


def check(what, given, wanted):
    if re.sub(r"\s", "", given) not in wanted:
        fail(f"{what} is {given}, and in dunlin.cdef {' or '.join(dict.fromkeys(wanted))}")


def split(text):
    """Parts of a text between commas that are not in brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


own = dict(re.findall(r"^struct (\w+)\n(.*?)^end", program, re.S | re.M))
for name, body in structs.items():
    if julia(name) not in own:
        continue
    fields = re.findall(r"(\w+)::(\S+)", own.pop(julia(name)))
    declared = [line.strip() for line in body.split(";") if line.strip()]
    names = [re.search(r"(\w+)\s*(\[\w+\])?$", line)[1] for line in declared]
    if [field for field, _ in fields] != names:
        fail(f"{julia(name)} has other fields than {name}: {', '.join(names)}")
    for (field, given), line in zip(fields, declared):
        check(f"{julia(name)}.{field}", given, [one for one in allowed(line) if "Ref{" not in one])
if own:
    fail(f"dunlin.cdef has no {', '.join(own)}")

functions = {name: (result, split(arguments)) for result, name, arguments in
             re.findall(r"^ (\S+\s*\**)\s*(dunlin_\w+)\(([^;]*)\);", cdef, re.M)}
calls = re.findall(r"ccall\(\(:(\w+), dunlin\), ([^,()]+), \(([^()]*)\)", program)
if len(calls) != program.count("ccall(") or len(calls) < 5:
    fail(f"only {len(calls)} of its calls can be read")
for name, result, types in calls:
    if name not in functions:
        fail(f"there is no {name}()")
    wanted, arguments = functions[name][0], [one for one in functions[name][1] if one != "void"]
    check(f"{name}()", result, allowed(wanted.replace("*", " * ") + " x" if "*" not in wanted else wanted))
    if len(split(types)) != len(arguments):
        fail(f"{name}() has {len(split(types))} arguments, and in dunlin.cdef {len(arguments)}")
    for given, argument in zip(split(types), arguments):
        check(f"{name}({argument})", given, allowed(argument))
    values = split(re.search(rf":{name}, dunlin\), [^,()]+, \([^()]*\)((?:[^()]|\([^()]*\))*)\)", program)[1].lstrip(","))
    if len(values) != len(arguments):
        fail(f"{name}() gets {len(values)} values for {len(arguments)} arguments")
print(f"Julia: {len(calls)} calls are those of dunlin.cdef; not run")
