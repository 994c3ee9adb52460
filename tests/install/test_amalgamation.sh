#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_amalgamation.sh SOURCES SCRATCH [LIBRARY [GOLDEN_OBJECT ...]]: makes dunlin.c and dunlin.h. gcc and clang take them without a warning,
# which means that no two files of the engine, spatial and kernels have a name of their own in common; the header is C and C++; and
# arithmetic that is not exact is refused. With a LIBRARY each compiler makes programs in C and C++ of dunlin.c, which must have the version
# and run the flock of the library. The objects of the golden worlds' test are linked with it, too, and must pass, also where a compiler
# may fuse operations.
set -euo pipefail
sources=$1 scratch=$2
foreign=$sources/tests/install/foreign

fail() { echo "$*" >&2; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
amalgamate() { /usr/bin/env python3 "$sources/cmake/amalgamate.py" "$@"; }
for wrong in "" "one two" --help; do
    ! refusal=$(amalgamate $wrong 2>&1) && [[ $refusal == "usage: "*FOLDER ]] || fail "amalgamate.py $wrong: $refusal"
done
! refusal=$(CC="${CC:-cc} -nostdinc" amalgamate one 2>&1) && [[ ${refusal##*$'\n'} == amalgamate.py:*xxhash.h ]] || fail "without xxhash.h: $refusal"
! refusal=$(amalgamate /dev/null/one 2>&1) && [[ $refusal == "amalgamate.py: "*/dev/null* ]] || fail "where no folder can be: $refusal"
amalgamate one || fail "there is no amalgamation"
mkdir -p include
ln -s ../one include/dunlin # for programs that include <dunlin/dunlin.h>
! grep -nE '^#include ("(engine|kernels|spatial)|<dunlin)/' one/* || fail "dunlin.c or dunlin.h includes other files of ours"
! grep -nE '\b(engine|docs|harness|kernels|spatial|tests)/' one/dunlin.h || fail "dunlin.h names files that are not there"
for name in $(grep -v '^#include' one/dunlin.h | grep -oE '\b[a-z_]+\.hp{0,2}\b' | sort -u); do
    [[ $name =~ ^(dunlin|mpi)\.h$ ]] || grep -q "^/. ==== dunlin/$name ====" one/dunlin.h || fail "dunlin.h names $name, which is none of its parts"
done

compilers=()
for compiler in gcc clang; do
    if command -v $compiler >/dev/null; then compilers+=($compiler); fi
done
((${#compilers[@]})) || { echo "skipped: there is neither gcc nor clang"; exit 77; }
for compiler in "${compilers[@]}"; do
    strict=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only)
    openmp=()
    if echo | "$compiler" -fopenmp -include omp.h -fsyntax-only -xc - 2>/dev/null; then openmp=(-fopenmp); fi
    "$compiler" "${strict[@]}" "${openmp[@]}" one/dunlin.c || fail "$compiler warns of dunlin.c: a name at file scope may be another file's, too"
    for standard in c11 c++17; do
        "$compiler" "${strict[@]}" -Wshadow -Wconversion -std=$standard -x${standard%[0-9][0-9]} one/dunlin.h || fail "$compiler -std=$standard warns of dunlin.h"
    done
    "$compiler" "${strict[@]}" -std=c++17 -include one/dunlin.hpp -xc++ /dev/null || fail "$compiler warns of dunlin.hpp"
    options=(-ffast-math -Ofast -ffinite-math-only)
    if [[ $(uname -m) == x86_64 && $compiler == gcc ]]; then options+=(-mfpmath=387); fi
    for option in "${options[@]}"; do
        ! refusal=$("$compiler" $option -E one/dunlin.c 2>&1 >/dev/null) || fail "$compiler $option: dunlin.c compiles"
        grep -q 'exact arithmetic' <<<"$refusal" || fail "$compiler $option: not the refusal"
    done
done
[[ $# -gt 2 ]] || exit 0

library=$3 golden=("${@:4}") expected=""
run() {
    local line
    line=$("./$1") || fail "$1 does not run"
    echo "$1: $line"
    [[ ${expected:=$line} == "$line" ]] || fail "$1: not the library's version and flock: $expected"
}
"${CC:-cc}" -I"$sources/engine/include" "$foreign/main.c" "$library" -fopenmp -lm -o with_library
run with_library
grep -qx " \* Dunlin ${expected% *} in one file.*" <(head -4 one/dunlin.c) || fail "dunlin.c says that it is another version than ${expected% *}"

# build COMPILER OPTION ...: everything with dunlin.c compiled that way.
build() {
    local compiler=$1 name=$*
    name=${name//[ =]/_}
    "$@" -c one/dunlin.c -o "$name.o" || fail "$*: dunlin.c does not compile"
    "$compiler" -Iinclude "$foreign/main.c" "$name.o" -lm -pthread -o "${name}_c"
    "$compiler" -xc++ -Iinclude "$foreign/main.cpp" -xnone "$name.o" -lm -pthread -lstdc++ -o "${name}_cplusplus"
    run "${name}_c"
    run "${name}_cplusplus"
    local visible
    visible=$(readelf -sW "$name.o" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }')
    grep -q '^dunlin_' <<<"$visible" || fail "$*: no name is visible"
    ! grep -v '^dunlin_' <<<"$visible" || fail "$*: names that are not the header's are visible outside of a shared library"
    ((${#golden[@]})) || return 0
    "$compiler" "${golden[@]}" "$name.o" -lcmocka -lm -pthread -o "${name}_golden"
    "./${name}_golden" || fail "$*: the golden worlds have other states"
}
for compiler in "${compilers[@]}"; do build "$compiler" -O2; done
# With fused operations everywhere a compiler would contract what the pragmas forbid.
if ((${#golden[@]})) && grep -qw fma /proc/cpuinfo; then
    for compiler in "${compilers[@]}"; do build "$compiler" -O3 -march=haswell; done
fi
