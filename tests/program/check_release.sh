#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_release.sh SOURCES SCRATCH [LIBRARY ...]: the version, the cookies and, of libraries with debug information, the binary interface hold
# together; cmake/check_release.py finds whatever does not.
set -euo pipefail
sources=$1 scratch=$2 libraries=("${@:3}")

fail() { echo "$*" >&2; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"/harness/{page,python}
cd "$sources"
cp -r --parents CITATION.cff CHANGELOG.md CMakeLists.txt cmake engine/include engine/base harness/scenario harness/page/npm harness/python/pyproject.toml "$scratch"
cd "$scratch"
cmake/check_release.py --development "${libraries[@]}" || fail "the sources do not agree with themselves"

# refuse SUBJECT EDIT FILE: an edit, after which the check of the subject fails, and no other.
refuse() {
    local found
    cp "$3" kept
    sed -i "$2" "$3"
    ! cmp -s "$3" kept || fail "nothing to change in $3: $2"
    ! found=$(cmake/check_release.py --development "${libraries[@]}") || fail "$3: $2 is not noticed"
    mv kept "$3"
    [[ $(grep '^FAILED' <<<"$found") == "FAILED  $1 "* && $(grep -c '^FAILED' <<<"$found") == 1 ]] || fail "$3: $2: $found"
}
refuse CMakeLists.txt 's/VERSION ${dunlin_version}/VERSION 1.2.3/' CMakeLists.txt
refuse package.json 's/"version": ""/"version": "1.2.3"/' harness/page/npm/package.json
refuse pyproject.toml 's/^dynamic = .*/version = "1.2.3"/' harness/python/pyproject.toml
refuse CITATION.cff 's/^version: .*/version: 1.2.3/' CITATION.cff
refuse CHANGELOG.md '0,/^## /s/^## [0-9.]*/## 1.2.3/' CHANGELOG.md
refuse cmake/debian 's/^Package: libdunlin[0-9.]*$/Package: libdunlin77/' cmake/debian/control
refuse structs '0,/^    float /s/^    float /    double /' engine/include/dunlin/world.h
refuse structs 's/^    int cookie; /    long cookie; /' harness/scenario/include/dunlin/scenario.h

# A struct that has changed with its cookie is as good as new.
sed -i '0,/^    float /s/^    float /    double /' engine/include/dunlin/world.h
sed -i 's/COOKIE = 0x[0-9a-f]*/COOKIE = 0x1/' engine/base/check.h
cmake/check_release.py --development >/dev/null || fail "a struct with another cookie is refused"

((${#libraries[@]})) || exit 0
refuse libdunlin "s/name='dunlin_world_step'/name='dunlin_world_stride'/" cmake/abi/libdunlin.xml                             # a function is gone
refuse libdunlin "/class-decl name='dunlin_ball'/s/size-in-bits='[0-9]*'/size-in-bits='64'/" cmake/abi/libdunlin.xml          # a struct
refuse libdunlin "/name='DUNLIN_ERROR_CALLBACK'/s/value='[0-9]*'/value='77'/" cmake/abi/libdunlin.xml                         # an enumerator
refuse libdunlin "s/soname='libdunlin.so.[0-9.]*'/soname='libdunlin.so.0.7'/" cmake/abi/libdunlin.xml
symbols=$(basename cmake/debian/libdunlin[0-9]*.symbols)
refuse "$symbols" '/^ dunlin_world_step@/d' "cmake/debian/$symbols"
# What is new, and what only the library sees, is allowed.
sed -i "/elf-symbol name='dunlin_world_step'/d; /class-decl name='dunlin_world'/s/size-in-bits='[0-9]*'/size-in-bits='64'/" cmake/abi/libdunlin.xml
sed -i "/name='DUNLIN_BEHAVIOUR_COUNT'/s/value='[0-9]*'/value='7'/" cmake/abi/libdunlin.xml
found=$(cmake/check_release.py --development "${libraries[@]}") && [[ $found == *"some of them new"* ]] || fail "a new function is refused: $found"
