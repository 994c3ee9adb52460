#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_blocks.py SOURCES PROGRAM LIBRARY COMPILER ...: runs the YAML, the C and the session that the guides show and no other test runs, and
knows for each other block of code which test runs it: a page with a new kind of block needs one, or a line here."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

sources, program, library, compiler = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), sys.argv[4:]

# Who runs the other blocks, by page and kind; any page: "*".
RUN_BY = {
    ("*", "sh"): "tests/program/check_commands.sh",
    ("README.md", "c"): "tests/program/check_readme.sh",
    ("README.md", "text"): "tests/program/check_commands.sh",
    ("README.md", "cmake"): "tests/install/foreign/CMakeLists.txt",
    ("cluster.md", "cmake"): "tests/install/foreign/CMakeLists.txt",
    ("cluster.md", "c"): "tests/mpi/guide.c.in",
    ("cluster.md", "sh"): "tests/mpi/test_guide.sh",
    ("hello.md", "c"): "tests/program/check_readme.sh",
    ("embedding.md", "cpp"): "tests/program/check_readme.sh",
    ("hello.md", "text"): "tests/CMakeLists.txt",
    ("program.md", "text"): "tests/program/check_commands.sh",
    ("python.md", "python"): "tests/python/test_guide.py",
    ("python.md", "python extra"): "tests/python/others/test_guide_extra.py",
    ("python.md", "py"): "tests/python/others/test_convert.py",
    ("files.md", "python"): "tests/files/test_guide.py",
    ("page.md", "html"): "tests/page/embed.mjs",
    ("page.md", "js"): "tests/page/share.mjs",
    ("page.md", "text"): "tests/page/run_site.mjs",
    ("CONTRIBUTING.md", "text"): "tests/program/check_readme.sh",
}
# No test can run these, each for a reason.
NOT_RUN = {("architecture.md", "text"): "a drawing of what may use what; the test `modules` holds the rules"}
RUN_HERE = {("scenarios.md", "yaml"), ("groups.md", "yaml"), ("experiments.md", "yaml"), ("behaviours.md", "c"), ("scaling.md", "c"), ("files.md", "text")}

# What the guides' lines of C find around them.
AROUND = """
#include <dunlin/dunlin.h>
#include <stdio.h>
static int my_job_system;
static bool is_old(const dunlin_tile *tile, uint32_t i) { return tile->position[0][i] > 90; }
static bool divides(const dunlin_tile *tile, uint32_t i) { return tile->position[1][i] > 99; }
static float place[2], still[2];
static const float *place_of(const dunlin_tile *tile, uint32_t i) { place[0] = tile->position[0][i]; return place; }
static const float *velocity_of(const dunlin_tile *tile, uint32_t i) { (void)tile, (void)i; return still; }
"""
BEGIN = """
static int block_%d(void) {
    const int ants = 0, rabbits = 0, field = 0;
    dunlin_error error;
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    if (dunlin_world_create(&def, &world, &error)) return 1;
    const dunlin_species_def species = dunlin_species_def_default();
    dunlin_field_def winds = dunlin_field_def_default(world);
    winds.cells[0] = winds.cells[1] = 10;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 100;
    if (dunlin_world_add_species(world, &species, NULL, &error) || dunlin_world_add_field(world, &winds, NULL, &error) ||
        dunlin_world_scatter(world, 0, &everywhere, &error)) return puts(error.message), 1;
    (void)ants, (void)rabbits, (void)field;
    {
"""
END = """
    }
    if (dunlin_world_step(world, &error)) return puts(error.message), 1;
    dunlin_world_destroy(world);
    return 0;
}
"""


def fail(words: str) -> None:
    sys.exit(words)


def run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout


def merged(one: dict, other: dict) -> dict:
    return {key: one.get(key, []) + other.get(key, []) if isinstance(other.get(key, one.get(key)), list) else other.get(key, one.get(key))
            for key in [*one, *(key for key in other if key not in one)]}


def check_yaml(page: str, blocks: list[tuple[str, str]], folder: Path) -> None:
    """Each is a whole scenario or study, but for those that a guide adds to the one above."""
    before: dict = {}
    for words, block in blocks:
        entries = yaml.safe_load(block)
        if "added to those above" in words:
            entries = merged(before, entries)
        before = entries
        file = folder / "block.yaml"
        file.write_text(yaml.safe_dump(entries, sort_keys=False))
        run(program, "check", file)
        if "scenario" not in entries:  # a study names one
            run(program, "run", file, "--steps", 2, "--quiet")


def check_c(blocks: list[str], folder: Path) -> None:
    """All compile and run: each a function of its own, or the lines of one."""
    text, count = AROUND, 0
    for block in blocks:
        if re.match(r"static .*\{\n", block):
            text += block
            continue
        lines = block.splitlines()
        outside = [line for line in lines if line.startswith("static ")]
        body = "\n".join(line for line in lines if line not in outside)
        text += "\n".join(outside) + BEGIN % count + body + END
        count += 1
    if "static void run(" in text:
        text += "static void run(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {\n    (void)context;\n    for (uint32_t i = 0; i < workers; i++) work(job, i);\n}\n"
    text += "int main(void) {\n    (void)live;\n    return " + " || ".join(f"block_{i}()" for i in range(count)) + ";\n}\n"
    (folder / "blocks.c").write_text(text)
    run(*compiler, "-Wall", "-Werror", "-Wno-unused-but-set-variable", "-I", sources / "engine/include", folder / "blocks.c", library, f"-Wl,-rpath,{library.parent}", "-lm", "-pthread", "-o", folder / "blocks")
    run(folder / "blocks")


def check_session(blocks: list[str], folder: Path) -> None:
    """A run continues from a trajectory and, as the guide says, ends with the hash of the run that left it."""
    for block in blocks:
        commands = [line.removeprefix("$ dunlin ").split() for line in block.splitlines()]
        first, *others = [subprocess.run([program, *command, "--quiet", "--hash"], cwd=folder, capture_output=True, text=True) for command in commands]
        if first.returncode != 0 or not first.stdout or any(other.stdout != first.stdout for other in others):
            fail(f"files.md shows {block}, and that gives {[first, *others]}")


def check_cmake(blocks: list[str]) -> None:
    """A project that the tests build with an installed Dunlin and as a subproject has these components and targets, too."""
    built = (sources / "tests/install/foreign/CMakeLists.txt").read_text()
    for name in {name for block in blocks for name in re.findall(r"(?<=dunlin::)\w+|COMPONENTS \w+", block)}:
        if not re.search(rf"\b{name}\b", built):
            fail(f"the guides name {name} for CMake, which no test builds")


def main() -> None:
    pages = [sources / "README.md", sources / "CONTRIBUTING.md", *sorted((sources / "docs").glob("*.md"))]
    fragments, cmake, seen = [], [], set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for page in pages:
            text = page.read_text()
            found = [(text[: block.start()].rstrip().rpartition("\n\n")[2], block[1], block[2])
                     for block in re.finditer(r"^```(\w[^\n]*)\n(.*?)^```$", text, re.S | re.M)]
            for _, kind, _ in found:
                key = (page.name, kind)
                seen |= {key, ("*", kind)}
                if key not in {*NOT_RUN, *RUN_HERE, *RUN_BY} and ("*", kind) not in RUN_BY:
                    fail(f"{page} shows {kind} that no test runs")
            if (page.name, "yaml") in RUN_HERE:
                check_yaml(page.name, [(words, block) for words, kind, block in found if kind == "yaml"], folder)
            if (page.name, "c") in RUN_HERE:
                fragments += [block for _, kind, block in found if kind == "c"]
            if (page.name, "text") in RUN_HERE:
                check_session([block for _, kind, block in found if kind == "text"], folder)
            cmake += [block for _, kind, block in found if kind == "cmake"]
        check_cmake(cmake)
        check_c(fragments, folder)
    for key in {*RUN_BY, *NOT_RUN, *RUN_HERE} - seen:
        fail(f"no page has {key}")
    for test in RUN_BY.values():
        if not (sources / test).exists():
            fail(f"{test} does not exist")


main()
