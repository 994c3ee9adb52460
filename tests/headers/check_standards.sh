#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_standards.sh SOURCES [LIBRARY]: gcc and clang take the test of dunlin.hpp as C++23 without a warning. Without exceptions the header
# says what is missing. With a LIBRARY also as C++17 and 20, and as C++20 the test runs.
set -euo pipefail
cd "$1"
include=engine/include library=${2:-}

fail() { echo "$*" >&2; exit 1; }

strict=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wold-style-cast -Wcast-qual
    -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2 -Werror "-I$include")
program=$(mktemp)
trap 'rm -f "$program"' EXIT
compilers=0
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    compilers=$((compilers + 1))
    for standard in c++2b ${library:+c++17 c++20}; do
        $compiler -std=$standard "${strict[@]}" -fsyntax-only -include dunlin/dunlin.hpp tests/headers/test_hpp.cpp ||
            fail "$compiler -std=$standard: not without a warning"
    done
    ! refusal=$($compiler -std=c++17 "-I$include" -fno-exceptions -fsyntax-only -xc++ "$include/dunlin/dunlin.hpp" 2>&1) ||
        fail "$compiler: compiles without exceptions"
    [[ $refusal == *"needs exceptions"* ]] || fail "$compiler: another error without exceptions: $refusal"
    [[ -n $library ]] || continue
    $compiler -std=c++20 "-I$include" tests/headers/test_hpp.cpp "$library" "-Wl,-rpath,${library%/*}" -pthread -o "$program"
    "$program" || fail "$compiler -std=c++20: fails"
done
((compilers)) || { echo "skipped: there is neither g++ nor clang++"; exit 77; }
