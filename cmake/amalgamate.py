#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""amalgamate.py FOLDER: makes FOLDER/dunlin.c and FOLDER/dunlin.h, the library in one file and one header, and copies dunlin.hpp.

dunlin.c is cmake/amalgamation.c.in with the files of spatial, kernels and engine in it. It compiles only if names at file scope are unique.
What is compiled once per kernel comes last; $CC, or cc, preprocesses it to list the names that get a kernel's suffix. xxhash.h, where that
compiler finds it, becomes a part.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = "engine/include/"
PUBLIC_HEADERS = [f"{PUBLIC}dunlin/dunlin.h", f"{PUBLIC}dunlin/cluster.h"]  # with what they include; mpi.h belongs to libdunlin-mpi
OPENMP_FILE = "engine/base/parallel_openmp.c"
MPI_FILE = "engine/cluster/mpi.c"
KERNELS = ["scalar", "simd128", "avx2", "avx512vl", "avx512"]
KERNEL_FILES = ["kernels/kernel.c", "kernels/behaviours/behave.c", "kernels/neighbours/select.c"]
SCALAR_FILE = "engine/base/trig.c"  # the engine's one file over wide operations: those of the scalar kernel
SYSTEM_IN_TEMPLATE = ("simde/", "arm_neon.h", "wasm_simd128.h", "xxhash.h")  # or not in the file at all
INCLUDE = re.compile(r'^#include (?:"(.+)"|<(.+)>|DUNLIN_WIDE)\n', re.M)


def read(path):
    """A file without its licence's line and its include guard."""
    text = (ROOT / path).read_text().removeprefix("/* SPDX-License-Identifier: MIT */\n")
    return re.sub(r"^#ifndef (DUNLIN_\w*H)\n#define \1\n(.*)^#endif\n", r"\2", text, flags=re.M | re.S)


def expand(path, seen, system=None):
    """A file with our own headers where each is first needed. `system` collects the other ones; without it they stay in their places."""

    def replace(include):
        own, other = include.groups()
        if other and other.startswith("dunlin/"):
            own = PUBLIC + other
        if own:
            return "" if own in seen else mark(own) + expand(own, seen, system)
        if not other:
            return expand_wide(seen, system)
        if system is None or other == "omp.h":
            return include[0]
        if not other.startswith(SYSTEM_IN_TEMPLATE):
            system.add(other)
        return ""

    seen.add(path)
    return INCLUDE.sub(replace, read(path))


def mark(path):
    """Where a public header begins: comments name it."""
    return f"/* ==== {path.removeprefix(PUBLIC)} ==== */\n" if path.startswith(PUBLIC) else ""


def expand_wide(seen, system):
    """The operations of every target. A kernel keeps its own."""
    if "wide" in seen:
        return ""
    seen.add("wide")
    parts = [f"#elif defined(DUNLIN_KERNEL_{name.upper()})\n{expand(f'kernels/wide/{name}.h', set(seen), system)}" for name in KERNELS]
    return "#if 0\n" + "".join(parts) + "#endif\n"


def without_macros(text, defining):
    """The text, and then the end of the macros that are defined in `defining`."""
    return text + "".join(f"#undef {name}\n" for name in sorted(set(re.findall(r"^#define (\w+)", defining, re.M))))


def expand_file(path, seen, system):
    return f"\n/* ==== {path} ==== */\n" + without_macros(expand(path, seen, system), read(path))


def expand_engine(seen, system):
    paths = [str(path.relative_to(ROOT)) for folder in ("spatial", "kernels", "engine") for path in sorted((ROOT / folder).rglob("*.c"))]
    left_out = {*KERNEL_FILES, SCALAR_FILE, MPI_FILE, OPENMP_FILE}
    text = "".join(expand_file(path, seen, system) for path in paths if path not in left_out)
    return text + f"\n#ifdef _OPENMP\n{expand_file(OPENMP_FILE, seen, system)}#endif\n"


def expand_kernels(seen, system):
    text = "".join(f"\n/* ==== {path} ==== */\n{expand(path, seen, system)}" for path in KERNEL_FILES)
    text += f"\n#ifdef DUNLIN_KERNEL_SCALAR\n{expand_file(SCALAR_FILE, seen, system)}#endif\n"
    # x86 without SIMDe. Clang does not define a target's macros within a file.
    text = re.sub(r"simde(_?_mm|__m)|SIMDE(_CMP)", lambda name: name[1] or name[2], text)
    text = re.sub(r"defined\((__AVX512VL__|SIMDE_X86_AVX512F_NATIVE)\)", "1", text)
    return without_macros(text, text + "#define DUNLIN_KERNEL\n" + "".join(f"#define DUNLIN_KERNEL_{name.upper()}\n" for name in KERNELS))


# ---- the names of kernels' own --------------------------------------------------------------------------------------------------


def compiler():
    return os.environ.get("CC", "cc").split() or ["cc"]


def preprocess(text, *options):
    command = [*compiler(), "-E", *options, "-xc", "-"]
    return subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout


def preprocess_kernel(text, kernel, machine):
    return preprocess(text, "-P", f"-DDUNLIN_KERNEL={kernel}", f"-DDUNLIN_KERNEL_{kernel.upper()}", machine)


def list_declarations(text):
    """The pieces of preprocessed text that end with a semicolon or a function's body. Of all that is in braces only enumerators stay."""
    depth, piece = 0, ""
    for token in re.findall(r"[{};]|[^{};]+", re.sub(r"__attribute__\(\(.*?\)\)", "", text)):
        depth -= token == "}"
        if depth == 0 or re.match(r"\s*(typedef )?enum\b", piece):
            piece += token
        depth += token == "{"
        if depth == 0 and (token == ";" or token == "}" and re.search(r"\)\s*\{\}$", piece)):
            yield piece.strip()
            piece = ""


def names_of(text):
    names = set()
    for piece in list_declarations(text):
        names.update(re.findall(r"\b(?:struct|union|enum) (\w+) \{", piece))
        if re.match(r"(typedef )?enum\b", piece):
            names.update(re.findall(r"[{,]\s*(\w+)", piece))
        of_type = re.search(r"(\w+)(\([^()]*\))?;$", piece) if piece.startswith("typedef") else None
        of_value = re.search(r"(\w+)\s*[([=;]", piece)
        names.add((of_type or of_value or [None, "enum"])[1])
    return sorted(name for name in names if not name.startswith("dun") and name != "enum")


def read_xxhash():
    try:
        return Path(re.search(r"\S*/xxhash\.h", preprocess("#include <xxhash.h>", "-M"))[0]).read_text()
    except (subprocess.CalledProcessError, FileNotFoundError):
        sys.exit(f"amalgamate.py: {compiler()[0]} does not run, or does not find xxhash.h")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: amalgamate.py FOLDER")
    folder, seen, system = Path(sys.argv[1]), set(), set()
    xxhash = read_xxhash()
    header = "".join(mark(path) + expand(path, seen) for path in PUBLIC_HEADERS)
    engine = expand_engine(seen, system)
    kernels = expand_kernels(seen, system)
    targets = [(kernel, machine) for kernel in KERNELS for machine in ("-U__aarch64__", "-D__aarch64__")]
    names = {name for target in targets for name in names_of(preprocess_kernel(kernels, *target))}
    parts = {
        "VERSION": ".".join(re.findall(r"#define DUNLIN_VERSION_\w+ (\d+)", header)),
        "SYSTEM": "".join(f"#include <{name}>\n" for name in sorted(system)),
        "XXHASH": xxhash,
        "LICENSE": re.sub(r"^", " * ", (ROOT / "LICENSE").read_text().strip(), flags=re.M).replace(" * \n", " *\n"),
        "ENGINE": engine,
        "NAMES": "".join(f"#define {name} DUNLIN_JOIN({name}, DUNLIN_KERNEL)\n" for name in sorted(names)),
        "KERNELS": kernels,
    }
    folder.mkdir(parents=True, exist_ok=True)
    template = (ROOT / "cmake/amalgamation.c.in").read_text()
    (folder / "dunlin.c").write_text(re.sub(r"@(\w+)@", lambda name: parts[name[1]], template))
    (folder / "dunlin.hpp").write_text((ROOT / PUBLIC / "dunlin/dunlin.hpp").read_text())
    (folder / "dunlin.h").write_text(f"""/* SPDX-License-Identifier: MIT */
/* Dunlin {parts["VERSION"]} in one header. Headers that its comments name are its parts, as "==== dunlin/world.h ====", but dunlin/mpi.h, which is
 * the library's. */
#ifndef DUNLIN_H
#define DUNLIN_H

{header}
#endif
""")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"amalgamate.py: {error}")
