#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_subproject.sh SOURCES BUILD SCRATCH: the foreign project brings Dunlin in with add_subdirectory. Barely optimised: kernels
# that are not optimised at all, all inlined functions, take twice as long to build.
set -euo pipefail
sources=$1 scratch=$3

rm -rf "$scratch"
"$CMAKE" -S "$sources/tests/install/foreign" -B "$scratch" -DDUNLIN_SOURCE_DIR="$sources" -DCMAKE_C_FLAGS=-O1 >/dev/null
"$CMAKE" --build "$scratch" >/dev/null

shared=$("$scratch/with_dunlin")
static=$("$scratch/with_dunlin_static")
echo "shared: $shared, static: $static"
[[ $shared == "$static" ]]
for plugin in "$scratch"/libplugin_*; do "$scratch/plugin_host" "$plugin" auto; done
