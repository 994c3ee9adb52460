# SPDX-License-Identifier: MIT
"""The package as others install it: nothing foreign inside, every function of the headers in reach, types that mypy believes."""
import importlib.metadata
import importlib.util
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
spec = importlib.util.spec_from_file_location("generate", root / "harness/python/generate.py")
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)
headers = generate.Headers([root / "engine/include", root / "harness/scenario/include"])


@pytest.mark.parametrize(("module", "more"), [("_dunlin", set()), ("_picture", {"_dunlin.abi3", "libcairo"})])
def test_modules_need_the_c_library_and_cairo_for_pictures(module, more):
    said = subprocess.run(["readelf", "--dynamic", package / f"{module}.abi3.so"], check=True, capture_output=True, text=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*?)\.so", said))
    assert more <= needed <= {"libc", "libm", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"} | more, needed


def test_the_package_has_its_licences():
    text = (package / "LICENCES.txt").read_text()
    assert all(f"==== {name} ====" in text for name in ("Dunlin", "libyaml-dev", "libpng-dev", "zlib1g-dev"))


def test_an_installed_package_says_what_it_is():
    try:
        said = importlib.metadata.metadata("dunlin")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("it is not installed by pip")
    assert "dunlin.World(" in said.get_payload() and said["Summary"] and said["Author"]


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


#: Functions that Python has no use for, or another way to.
not_used = {
    "the handle's own": ["kernel_find", "world_find_species", "interaction_boids", "world_obstacle_view"],
    "read from arrays": ["world_find_agent", "agents_hash"],
    "streams instead": ["world_saved_bytes", "world_save_memory", "world_restore_memory", "simulation_saved_bytes", "simulation_save_memory",
                        "simulation_open_memory"],
    "for callbacks that are compiled": ["noise_over_time"],
    "for several processes": ["transport_default", "world_create_part", "world_create_part_from", "agree", "world_traffic", "world_gather", "world_share", "world_sum_in_step",
                              "world_save_parts", "world_restore_parts", "simulation_save_parts", "simulation_open_parts"],
    "any value by Scenario.set()": ["scenario_set_number"],
    "read from the path": ["scenario_stem"],
    "enumerations have names": ["shape_name", "colour_name"],
    "for this project's own pages": ["scenario_reference"],
}


def test_every_function_is_used_or_said_not_to_be():
    sources = "\n".join(path.read_text() for path in package.glob("*.py") if path.name != "_generated.py")
    things = {f"world_{verb}_{kind}" for kind in [*generate.THINGS, "def"] for verb in ("add", "get", "set", "remove")}
    things |= {f"world_{kind}_count" for kind in generate.THINGS} | {f"{kind}_def_default" for kind in generate.THINGS}
    called = things | set(re.findall(r"lib\.dunlin_(\w+)", sources))
    for of in ("world", "simulation", "survey"):
        called |= {f"{of}_{name}" for name in re.findall(r'_(?:call|ask)\(\n?\s*"(\w+)"', sources)}
    called |= {"world_save_definitions_to", "world_save_to"}
    called |= {f"world_{name}" for name in re.findall(r'find\(self, species, "(\w+)"', sources)}
    called |= set(re.findall(r"\bdunlin_(?!python)(\w+)\(", (root / "harness/python/loops.c").read_text()))
    called |= set(re.findall(r'_c_function\("dunlin_(\w+)"', sources))
    left = {name.removeprefix("dunlin_") for name in headers.functions} - called
    assert left == {name for names in not_used.values() for name in names}


def test_structs_have_the_headers_sizes():
    for name in headers.structs:
        assert ffi.sizeof(name) > 0 and [field for field, _ in ffi.typeof(name).fields] == [one.name for one in headers.structs[name].decls]


def test_every_public_method_says_what_it_does():
    for cls in (dunlin.World, dunlin.Species, dunlin.Simulation, dunlin.Scenario, dunlin.Displacement, dunlin.Tile, dunlin.View):
        for name, value in vars(cls).items():
            if not name.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                assert getattr(cls, name).__doc__ or name in ("step", "world", "change", "remove"), f"{cls.__name__}.{name}"


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_types_are_strict(tmp_path):
    (tmp_path / "user.py").write_text(
        "import dunlin\n"
        "world = dunlin.World(size=(10, 10))\n"
        'birds: dunlin.Species = world.add_species("birds", 10, max_speed=1)\n'
        "speed: float = birds.max_speed\n"
        "birds.max_speed = 2\n"
        "world.add_interaction(birds, alignment=dunlin.Rule(radius=1, response='unit'))\n"
        "print(birds.position.mean(), birds.measure().polarization, speed)\n"
        "sizes = {n: {'species[0].agents': n, 'world.size': [n, n]} for n in (1, 2)}\n"
        "runs = dunlin.sweep('vicsek', {'agents': sizes, 'seed': [1]}, measure=lambda rows: {'m': rows['polarization'].max()})\n"
        "scenario: dunlin.Scenario = dunlin.Scenario({'world': {'size': [1, 2]}}, set={'seed': 2})\n"
        "with dunlin.Simulation(scenario) as simulation:\n"
        "    print(simulation.steps, world.record(3)['step'], scenario['world.size[0]'].value)\n")
    (tmp_path / "wrong.py").write_text("import dunlin\ndunlin.World(sise=(10, 10))\ndunlin.Rule(radius='near')\n")
    for what, where, mistakes in ((["-p", "dunlin"], package.parent, 0), (["user.py"], tmp_path, 0), (["wrong.py"], tmp_path, 2)):
        said = subprocess.run(["mypy", "--strict", f"--cache-dir={tmp_path}/cache", *what], cwd=where, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "MYPYPATH": str(package.parent)})
        assert said.stdout.count("error:") == mistakes, said.stdout + said.stderr


def test_sub_interpreters_are_refused():
    """In a process of its own: not even in the first interpreter that imports it, after which the main one can still."""
    program = ("import sys\n"
               "try: import _xxsubinterpreters as interpreters\n"
               "except ImportError: sys.exit(77)\n"
               "other = interpreters.create()\n"
               "try: interpreters.run_string(other, 'import dunlin')\n"
               "except interpreters.RunFailedError as error: print(error)\n"
               "import dunlin\n"
               "print(dunlin.World(size=(10, 10)))\n"
               "try: interpreters.run_string(other, 'import dunlin')\n"
               "except interpreters.RunFailedError as error: print(error)\n"
               "interpreters.destroy(other)\n")
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    if said.returncode == 77:
        pytest.skip("this Python has no _xxsubinterpreters")
    assert said.returncode == 0 and said.stderr == ""
    first, world, second = said.stdout.splitlines()
    assert first == second and "ImportError" in first and "sub-interpreter" in first and world == "<World: 2D, 0 agents, step 0>"
