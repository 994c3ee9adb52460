#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_subproject.sh SOURCES BUILD SCRATCH: the foreign project brings Dunlin in with add_subdirectory, and installs a library that links
# it. Barely optimised: kernels that are not optimised at all, all inlined functions, take twice as long to build.
set -euo pipefail
sources=$1 scratch=$3

rm -rf "$scratch"
"$CMAKE" -S "$sources/tests/install/foreign" -B "$scratch" -DDUNLIN_SOURCE_DIR="$sources" -DCMAKE_C_FLAGS=-O1 \
    -DDUNLIN_OPTIMISE_KERNELS=OFF >/dev/null
"$CMAKE" --build "$scratch" >/dev/null

shared=$("$scratch/with_dunlin")
static=$("$scratch/with_dunlin_static")
echo "shared: $shared, static: $static"
[[ $shared == "$static" ]]
for plugin in "$scratch"/libplugin_*; do "$scratch/plugin_host" "$plugin" auto; done

fail() { echo "$*" >&2; exit 1; }

# The foreign project installs a library that links Dunlin. Dunlin is laid down only if it is asked for.
"$CMAKE" --install "$scratch" --prefix "$scratch/alone" >/dev/null
installed=$(cd "$scratch/alone" && find . -type f)
[[ $installed == *libherd_dunlin.a* && $installed != *libdunlin* && $installed != *dunlin.h* ]] ||
    fail "DUNLIN_INSTALL is off, and this was installed: $installed"
"$CMAKE" -DDUNLIN_INSTALL=ON "$scratch" >/dev/null
"$CMAKE" --install "$scratch" --prefix "$scratch/whole" >/dev/null
"$CMAKE" -S "$sources/tests/install/foreign/herder" -B "$scratch/herder" -DCMAKE_PREFIX_PATH="$scratch/whole" >/dev/null
"$CMAKE" --build "$scratch/herder" >/dev/null
for program in herder_dunlin herder_dunlin_static; do
    version=$("$scratch/herder/$program") || fail "$program does not run"
    [[ $shared == "$version "* ]] || fail "$program: version $version"
done
