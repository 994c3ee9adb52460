#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_subproject.sh SOURCES SCRATCH [CONFIGURATION ...]: the foreign project brings Dunlin in with add_subdirectory, configured in the ways
# of the table below, or in those that are named: the ten in which people use it, and a quick one, whose kernels are barely optimised (not at
# all takes twice as long). Its warnings are errors, and more of them than ours. Programs that are linked with the shared and with the static
# library must run the flock of docs/hello.md. Configurations of one build type that follow each other share a folder, so that what they
# compile with the same flags is compiled once.
set -euo pipefail
sources=$1 scratch=$2
shift 2
foreign=$sources/tests/install/foreign
expected="state hash: 09e7f4fa15ccb4b9"

fail() { echo "$*" >&2; exit 1; }

strict="-Wall;-Wextra;-Wpedantic;-pedantic-errors;-Werror;-Wcast-qual;-Wcast-align;-Wswitch-default;-Wswitch-enum;-Wundef;-Wconversion"
strict+=";-Wsign-conversion;-Wshadow;-Wfloat-equal;-Wredundant-decls"
inexact="-march=native -ffast-math"
sanitized="-fsanitize=address,undefined -fno-sanitize-recover=all"

# NAME | languages | build type | other options
table() {
    cat <<END
c           | C     | Release        | -DCMAKE_C_STANDARD=11 -DCMAKE_C_FLAGS=$inexact
static      | C;CXX | RelWithDebInfo | -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=OFF
shared      | C;CXX | MinSizeRel     | -DBUILD_SHARED_LIBS=ON -DCMAKE_C_VISIBILITY_PRESET=hidden
lto         | C;CXX | Release        | -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
sanitizers  | C;CXX | RelWithDebInfo | -DCMAKE_C_FLAGS=$sanitized -DCMAKE_CXX_FLAGS=$sanitized
debug       | C;CXX | Debug          |
none        | C;CXX |                |
cplusplus   | CXX   | Release        | -DCMAKE_CXX_STANDARD=11 -DCMAKE_CXX_FLAGS=-Wold-style-cast -Wuseless-cast
parts       | C;CXX | Release        | -DFOREIGN_PARTS=ON
export      | C;CXX | Release        |
quick       | C;CXX |                | -DCMAKE_C_FLAGS=-O1 -DDUNLIN_OPTIMISE_KERNELS=OFF
END
}

# What a project exports that links Dunlin, another finds. Dunlin is installed only if it is asked for.
check_export() {
    local folder=$1 installed library
    "$CMAKE" --install "$folder" --prefix "$folder/alone" >/dev/null
    installed=$(cd "$folder/alone" && find . -type f)
    [[ $installed == *libherd_dunlin_STATIC.a* && $installed != *libdunlin* && $installed != *dunlin.h* ]] ||
        fail "DUNLIN_INSTALL is off, and this was installed: $installed"
    "$CMAKE" -DDUNLIN_INSTALL=ON "$folder" >/dev/null
    "$CMAKE" --install "$folder" --prefix "$folder/whole" >/dev/null
    "$CMAKE" -S "$foreign/herder" -B "$folder/herder" -DCMAKE_PREFIX_PATH="$folder/whole" >/dev/null
    "$CMAKE" --build "$folder/herder" >/dev/null
    for library in dunlin dunlin_static; do
        for type in STATIC SHARED; do
            [[ $("$folder/herder/herder_${library}_$type") == "${version:?}" ]] || fail "herder_${library}_$type does not run"
        done
    done
}

check() {
    local name=$1 folder=$scratch/$2 program started=$SECONDS version line flocks=() targets=()
    [[ $name != static ]] || folder=$outside/$name
    shift 2
    "$CMAKE" --fresh -S "$foreign" -B "$folder" -DDUNLIN_SOURCE_DIR="$sources" -DDUNLIN_EXAMPLE="$sources/docs/examples/hello.c" \
        -DFOREIGN_OPTIONS="$strict" "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; fail "$name: not configured"; }
    # Two configurations have all that the project makes.
    [[ $name == export || $name == quick ]] || targets=(--target example_dunlin example_dunlin_static)
    "$CMAKE" --build "$folder" --parallel 2 "${targets[@]}" >"$folder.log" 2>&1 || { grep -A9 FAILED "$folder.log"; fail "$name: not built"; }
    for program in example_dunlin example_dunlin_static; do
        line=$("$folder/$program") || fail "$name: $program does not run"
        [[ $line == "$expected" ]] || fail "$name: $program: $line"
    done
    # The other programs of the project.
    for program in with_dunlin with_dunlin_static with_cplusplus; do
        [[ ! -x $folder/$program ]] || flocks+=("$("$folder/$program")")
    done
    for line in "${flocks[@]}"; do [[ $line == "${flocks[0]}" ]] || fail "$name: ${flocks[*]}"; done
    version=${flocks[0]:-}
    version=${version%% *}
    for program in "$folder"/libplugin_*; do
        [[ ! -e $program ]] || "$folder/plugin_host" "$program" auto >/dev/null || fail "$name: $program"
    done
    if [[ $name == static ]]; then
        ! grep -rl -e "$sources" -e "$outside" "$folder"/dunlin/engine/libdunlin* || fail "$name: these know paths of this machine"
    fi
    [[ $name != export && $name != quick ]] || check_export "$folder"
    echo "$name: $((SECONDS - started)) s"
}

rm -rf "$scratch"
mkdir -p "$scratch"
outside=$(mktemp -d) # of the sources
trap 'rm -rf "$outside"' EXIT
wanted=" $* "
count=0
while IFS='|' read -r name languages type options; do
    read -r name <<<"$name"
    [[ $wanted == "  " || $wanted == *" $name "* ]] || continue
    read -r languages <<<"$languages"
    read -r type <<<"$type"
    # An option may have spaces in it.
    mapfile -t list < <(sed 's/^ *//; s/ -D/\n-D/g; s/ *$//' <<<"$options" | grep .)
    check "$name" "${type:-none}" -DFOREIGN_LANGUAGES="$languages" -DCMAKE_BUILD_TYPE="$type" "${list[@]}"
    count=$((count + 1))
done < <(table)
((count)) || fail "the table has none of:$wanted"
