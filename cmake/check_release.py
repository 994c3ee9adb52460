#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_release.py [--development | --renew] [LIBRARY ...]: whether these sources may be released, a line per check.

The version stands in common.h alone, and what else shows it is made of it or agrees; a struct that has changed since the last version with
another binary interface has another cookie; and each shared LIBRARY, which needs debug information, has kept the interface of
cmake/abi/NAME.xml, which abidw has made. --development is for every day: the changelog need not have a date, nor the tree be clean.
--renew makes cmake/abi anew from the libraries and the headers: once for each SONAME, when its first version is released.
"""
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ABI = ROOT / "cmake/abi"
# Headers with structs, and the files with the cookies of these.
COOKIES = {"engine/include/dunlin": ["engine/base/check.h"],
           "harness/scenario/include/dunlin": ["harness/scenario/scenario.c", "harness/scenario/simulation.c"]}
failures = 0


def report(subject, problem, detail=""):
    """Prints a line; a problem that is not empty fails the check."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok':8}{subject:24}{problem or detail}")


def read(path):
    return (ROOT / path).read_text()


def find(path, pattern, wanted):
    """Checks that the first match of a pattern in a file is what is wanted."""
    found = re.search(pattern, read(path), re.M)
    report(Path(path).name, "" if found and found[1] == wanted else f"has {found[1] if found else 'no version'}, not {wanted}", wanted)


# ---- versions ---------------------------------------------------------------------------------------------------------------


def check_versions(is_development):
    numbers = re.findall(r"#define DUNLIN_VERSION_\w+ +(\d+)", read("engine/include/dunlin/common.h"))
    version, soversion = ".".join(numbers), numbers[0] if numbers[0] != "0" else ".".join(numbers[:2])
    report("common.h", "" if len(numbers) == 3 else "has no version of three numbers", version)
    # What is made of the header has no number of its own.
    find("CMakeLists.txt", r"^project\(dunlin VERSION (\S+)", "${dunlin_version}")
    find("harness/page/npm/package.json", r'"version": (".*?"),', '""')
    find("harness/python/pyproject.toml", r'^(dynamic = \["version"\])', 'dynamic = ["version"]')
    find("CITATION.cff", r"^version: (\S+)", version)
    first = re.search(r"^## (\S+) – (\S+)", read("CHANGELOG.md"), re.M)
    dated = re.fullmatch(r"\d{4}-\d\d-\d\d", first[2]) or is_development
    problem = "" if first[1] == version and dated else f"begins with {first[1]} – {first[2]}, not with {version} and the day of the release"
    report("CHANGELOG.md", problem, f"{first[1]} – {first[2]}")
    # Debian's packages are named after the SONAME.
    names = set(re.findall(r"^Package: (lib\w+(?:-mpi)?\d\S*)", read("cmake/debian/control"), re.M))
    files = {path.name.removesuffix(".symbols") for path in (ROOT / "cmake/debian").glob("*.symbols")}
    wanted = {f"libdunlin{soversion}", f"libdunlin-mpi{soversion}"}
    report("cmake/debian", "" if names == files == wanted else f"has {sorted(names | files)}, not {sorted(wanted)}", " ".join(sorted(wanted)))
    return soversion


def check_tree():
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    commit = subprocess.run(["git", "describe", "--always"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    report("git", f"has changes that are not committed:\n{changed}" if changed else "", commit.strip())


# ---- cookies ----------------------------------------------------------------------------------------------------------------


def cookies():
    """For each folder of headers: the cookies, and a sum of all structs, which changes with any field."""
    lines = []
    for headers, sources in COOKIES.items():
        values = " ".join(value for source in sources for value in re.findall(r"COOKIE = (0x\w+)", read(source)))
        text = "".join(path.read_text() for path in sorted((ROOT / headers).glob("*.h")))
        text = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S))
        structs = sorted(re.findall(r"typedef (?:struct|union) \w+ \{.*?\} \w+;", text))
        lines.append(f"{headers} {hashlib.sha256(''.join(structs).encode()).hexdigest()[:16]} {values}")
    return lines


def check_cookies():
    for now, then in zip(cookies(), (ABI / "cookies").read_text().splitlines(), strict=True):
        (headers, structs, *values), (_, old_structs, *old_values) = now.split(), then.split()
        same = set(values) & set(old_values)
        problem = f"of {' '.join(same)} have changed: another cookie, please, in {' or '.join(COOKIES[headers])}" if structs != old_structs and same else ""
        report("structs", problem, f"{headers}: {'as before' if structs == old_structs else 'changed'}, with {' '.join(values)}")


# ---- the binary interface ---------------------------------------------------------------------------------------------------


def describe(library, to):
    """What callers can see, without the paths and lines of this build."""
    headers = [option for folder in COOKIES for option in ("--headers-dir", ROOT / folder)]
    subprocess.run(["abidw", *headers, "--drop-private-types", "--drop-undefined-syms", "--suppressions", ABI / "allowed.ini",
                    "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--type-id-style", "hash", "--out-file", to, library], check=True)


def check_abi(library, soversion):
    """Within a SONAME nothing may change, and functions may come; in another one all may."""
    name = Path(library).name.split(".")[0]
    before = ABI / f"{name}.xml"
    if f"soname='{name}.so.{soversion}'" not in before.read_text():
        report(name, f"{before.relative_to(ROOT)} is of another SONAME: when this one's first version is released, --renew makes it")
        return
    with tempfile.TemporaryDirectory() as folder:
        now = Path(folder, f"{name}.xml")
        describe(library, now)
        compared = subprocess.run(["abidiff", "--suppressions", ABI / "allowed.ini", before, now], capture_output=True, text=True)
        functions = set(re.findall(r"<elf-symbol name='(\w+)'[^>]*type='func-type'", now.read_text()))
    # Of abidiff's status 1 and 2 are errors, 4 is a change, and 8 one that breaks programs.
    removed_or_changed = [int(number) for number in re.findall(r"(\d+) Removed|(\d+) Changed", compared.stdout) for number in number if number]
    broken = compared.returncode & ~4 or any(removed_or_changed)
    report(name, f"has another interface:\n{compared.stdout}{compared.stderr}" if broken else "",
           f"{len(functions)} functions, {'as before' if compared.returncode == 0 else 'some of them new'}")
    symbols = ROOT / f"cmake/debian/libdunlin{soversion}.symbols"
    unknown = functions - set(re.findall(r"^ (\w+)@", symbols.read_text(), re.M))
    report(symbols.name, f"lacks {' '.join(sorted(unknown))}" if unknown else "", f"has those of {name}")


def renew(libraries):
    for library in libraries:
        describe(library, ABI / f"{Path(library).name.split('.')[0]}.xml")
    (ABI / "cookies").write_text("\n".join(cookies()) + "\n")


def main(arguments):
    is_development = "--development" in arguments
    libraries = [argument for argument in arguments if not argument.startswith("--")]
    if "--renew" in arguments:
        renew(libraries)
    soversion = check_versions(is_development)
    if not is_development:
        check_tree()
    check_cookies()
    for library in libraries:
        check_abi(library, soversion)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
