# SPDX-License-Identifier: MIT
"""Builds the libraries with CMake, without OpenMP, and the modules that hold them: pip install --no-build-isolation ."""
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cffi import FFI
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

here = Path(__file__).resolve().parent
root = here.parent.parent
#: A build of the whole project, or one of the package's own.
built = Path(os.environ.get("DUNLIN_BUILT", root / "build/python/engine"))
#: A distribution's package is linked with its libpng and libyaml, and it strips all modules itself. A wheel has its own ones.
of_system = "DUNLIN_SYSTEM_LIBRARIES" in os.environ
png_and_yaml = ["-lpng", "-lyaml"] if of_system else [str(built / "libpng_for_python.a"), "-l:libyaml.a", "-l:libz.a", "-s"]
includes = [root / "engine/include", root / "harness/scenario/include"]
sys.path.insert(0, str(here))
import generate  # noqa: E402

headers = generate.Headers(includes)
(here / "dunlin" / "_generated.py").write_text(generate.Writer(headers).everything())


def version() -> str:
    """The one of the headers."""
    return ".".join(re.findall(r"#define DUNLIN_VERSION_\w+ +(\d+)", (includes[0] / "dunlin/common.h").read_text()))


SOURCE = """
#include <dunlin/scenario.h>
#include <dunlin/survey.h>
#include <dunlin/query.h>
#include <stdio.h>

/* Debian's libpng.a is not compiled for shared objects, and one symbol of the C library stands in its way: see link_png(). */
__attribute__((visibility("hidden"))) FILE *dunlin_stderr;
__attribute__((constructor)) static void find_stderr(void) { dunlin_stderr = stderr; }
""" + (here / "loops.c").read_text()


def loops() -> str:
    """The declarations of what loops.h and loops.c define."""
    text = generate.without_comments("".join((here / name).read_text() for name in ("loops.h", "loops.c")))
    structs = re.findall(r"^typedef struct.*?^}.*?;$", text, re.M | re.S)
    return "\n".join([*structs, *(f"{head};" for head in re.findall(r"^static (\w+ dunlin_python_\w+\([^{]*\))", text, re.M))])


def module() -> FFI:
    ffi = FFI()
    ffi.cdef(headers.cdef)
    ffi.cdef("""extern "Python" bool dunlin_python_write(void *context, const void *bytes, size_t count);
                extern "Python" bool dunlin_python_read(void *context, void *bytes, size_t count);
                extern "Python" void dunlin_python_tile(void *user, const dunlin_tile *tile);
                extern "Python" void dunlin_python_report(void *user, const dunlin_scenario_finding *finding);
                extern "Python" void dunlin_python_connect(void *context, int behaviour, dunlin_behaviour_def *def);""")
    ffi.cdef(loops())
    libraries = [built / "engine/CMakeFiles/dunlin_parallel_pthreads.dir/base/parallel.c.o", built / "harness/scenario/libdunlin-scenario.a", built / "engine/libdunlin.a"]
    ffi.set_source("dunlin._dunlin", SOURCE, py_limited_api=True, include_dirs=[str(folder) for folder in [*includes, here]],
                   define_macros=[("DUNLIN_STATIC", None)], extra_objects=[str(library) for library in libraries],
                   extra_link_args=[*png_and_yaml, "-lm", "-lpthread", "-static-libgcc", "-Wl,-soname,_dunlin.abi3.so",
                                    f"-Wl,--version-script={here / 'exported.map'}", "-Wl,-Bsymbolic", "-Wl,-z,now"])
    return ffi


PICTURE_SOURCE = """
#include "harness/picture/picture.h"
#include "loops.h"
#include <stdlib.h>

/* A PNG in memory, which free() frees. */
static dunlin_result picture_png(uint32_t *pixels, picture_size size, char **bytes, size_t *length, dunlin_error *error) {
    FILE *file = open_memstream(bytes, length);
    if (!file) return DUNLIN_ERROR_MEMORY;
    const dunlin_result result = picture_write_png(pixels, size, file, error);
    fclose(file);
    return result;
}
"""


def picture_module(core: FFI) -> FFI:
    """The module that draws. It needs cairo, and has the functions and types of the other one."""
    ffi, camera, picture = FFI(), *((root / "harness/picture" / name).read_text() for name in ("camera.h", "picture.h"))
    sizes_and_views = re.search(r"typedef struct picture_size.*?} picture_viewpoint;", camera, re.S)
    ffi.include(core)
    ffi.cdef(re.sub(r"^#.*$", "", f"{sizes_and_views[0]}{picture}", flags=re.M))
    ffi.cdef("""dunlin_result picture_png(uint32_t *pixels, picture_size size, char **bytes, size_t *length, dunlin_error *error);
                picture_viewpoint picture_viewpoint_default(void);
                void free(void *memory);""")
    ffi.set_source("dunlin._picture", PICTURE_SOURCE, py_limited_api=True, include_dirs=[str(folder) for folder in [*includes, root, here]],
                   define_macros=[("DUNLIN_STATIC", None)], extra_objects=[str(built / "harness/picture/libdunlin_picture_serial.a")],
                   extra_link_args=["-lcairo", "-lm", "-static-libgcc", "-Wl,--exclude-libs,ALL", "-Wl,-rpath,$ORIGIN", *([] if of_system else ["-s"])])
    return ffi


def link_png() -> None:
    """Makes a libpng.a that a shared object can hold: it finds the C library's stderr through the module's own variable."""
    found = subprocess.run(["cc", "-print-file-name=libpng16.a"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["objcopy", "--redefine-sym", "stderr=dunlin_stderr", found, built / "libpng_for_python.a"], check=True)


def write_licences(folder: Path) -> None:
    """Dunlin's licence, and those of what a wheel holds, as Debian's packages have them."""
    texts = [("Dunlin", root / "LICENSE")]
    texts += [(name, Path("/usr/share/doc", name, "copyright")) for name in ("libsimde-dev", "libxxhash-dev", "libyaml-dev", "libpng-dev", "zlib1g-dev")]
    (folder / "LICENCES.txt").write_text("\n".join(f"==== {name} ====\n\n{path.read_text()}" for name, path in texts if path.exists()))


class BuildWithEngine(build_ext):
    def run(self) -> None:
        if "DUNLIN_BUILT" not in os.environ:
            self.build_engine()
        if not of_system:
            link_png()
        super().run()
        if not of_system:
            write_licences(Path(self.build_lib, "dunlin"))
        if (root / "build/page").exists():
            shutil.copytree(root / "build/page", Path(self.build_lib, "dunlin/page"), ignore=shutil.ignore_patterns("*.br"), dirs_exist_ok=True)

    def build_extension(self, extension: Extension) -> None:
        if extension.name == "dunlin._picture":
            extension.extra_objects.append(self.get_ext_fullpath("dunlin._dunlin"))
        super().build_extension(extension)

    def build_engine(self) -> None:
        subprocess.run(["cmake", "-S", root, "-B", built, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON",
                        "-DDUNLIN_OPENMP=OFF", "-DDUNLIN_BUILD_TESTS=OFF", "-DDUNLIN_BUILD_PROGRAM=OFF", "-DDUNLIN_BUILD_PICTURES=ON", "--log-level=WARNING"], check=True)
        subprocess.run(["cmake", "--build", built, "--target", "dunlin_scenario_static", "dunlin_static", "dunlin_parallel_pthreads", "dunlin_picture_serial"], check=True)


class OnePerMachine(bdist_wheel):
    """One wheel for all versions of Python from 3.11 on."""

    def get_tag(self) -> tuple[str, str, str]:
        return "cp311", "abi3", f"manylinux_{os.confstr('CS_GNU_LIBC_VERSION').split()[1].replace('.', '_')}_{platform.machine()}"


os.chdir(here)
core = module()
setup(version=version(), packages=["dunlin", "dunlin.shipped"], package_dir={"dunlin.shipped": "../scenarios"}, include_package_data=False,
      package_data={"dunlin": ["py.typed", "*.pyi"], "dunlin.shipped": ["*.yaml"]},
      ext_modules=[ffi.distutils_extension(str(built / "python")) for ffi in (core, picture_module(core))],
      cmdclass={"build_ext": BuildWithEngine, "bdist_wheel": OnePerMachine})
