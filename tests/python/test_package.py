# SPDX-License-Identifier: MIT
"""The package as others install it: nothing foreign inside, every function of the headers in reach, types that mypy believes."""
import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dunlin
from dunlin._dunlin import ffi, lib

root = Path(__file__).resolve().parents[2]
package = Path(dunlin.__file__).parent
sys.path.insert(0, str(root / "harness/python"))
import generate  # noqa: E402

headers = generate.Headers([root / "engine/include", root / "harness/scenario/include"])


def test_the_module_needs_the_c_library_alone():
    module = next(package.glob("_dunlin*.so"))
    said = subprocess.run(["readelf", "--dynamic", module], check=True, capture_output=True, text=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*?)\.so", said))
    assert needed <= {"libc", "libm", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"}, needed


def test_every_definition_of_the_headers_has_a_class():
    for name, kind in headers.structs.items():
        if name.endswith("_def") and name.removeprefix("dunlin_").removesuffix("_def") in [*generate.THINGS, "world"]:
            cls = getattr(dunlin, generate.camel(name))
            for field in kind.decls:
                assert hasattr(cls, field.name) or field.name in generate.HIDDEN, f"{name}.{field.name}"


def test_every_enumerator_has_its_value():
    for name, kind in headers.enums.items():
        if name == "dunlin_result":
            continue
        members = list(getattr(dunlin, generate.camel(name)))
        declared = [one.name for one in kind.values.enumerators if not one.name.endswith("_COUNT")]
        assert len(members) == len(declared)
        for member, own in zip(members, declared):
            assert own.endswith(member.name) and member == getattr(lib, own)


def test_structs_have_the_headers_sizes():
    for name in headers.structs:
        assert ffi.sizeof(name) > 0 and [field for field, _ in ffi.typeof(name).fields] == [one.name for one in headers.structs[name].decls]


def test_every_public_method_says_what_it_does():
    for cls in (dunlin.World, dunlin.Species, dunlin.Simulation, dunlin.Tile, dunlin.View):
        for name, value in vars(cls).items():
            if not name.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                assert getattr(cls, name).__doc__ or name in ("step", "world", "change", "remove"), f"{cls.__name__}.{name}"


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_types_are_strict(tmp_path):
    (tmp_path / "user.py").write_text(
        "import dunlin\n"
        "world = dunlin.World(size=(10, 10))\n"
        'birds: dunlin.Species = world.add_species("birds", 10, max_speed=1)\n'
        "speed: float = birds.max_speed\n"
        "birds.max_speed = 2\n"
        "world.add_interaction(birds, alignment=dunlin.Rule(radius=1, response='unit'))\n"
        "print(birds.position.mean(), birds.measure().polarization, speed)\n")
    for what, where in ((["-p", "dunlin"], package.parent), (["user.py"], tmp_path)):
        said = subprocess.run(["mypy", "--strict", f"--cache-dir={tmp_path}/cache", *what], cwd=where, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "MYPYPATH": str(package.parent)})
        assert said.returncode == 0, said.stdout + said.stderr
