#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [FAULT ...]: puts each fault of this folder into a copy of the sources, builds what its tests need, and expects these tests
# to fail. FAULT.patch says in its first line what is broken, then
#     Leg: a preset of CMakePresets.json, `page` or `files`; `release` is what make test runs, the others are parts of make test-all
#     Fails: the tests that must fail, as ctest, tests/files/run.sh or --only of tests/page/run.mjs name them
# Before the first fault of a leg, all these tests must pass. A patch that no longer applies, or does not build, is an error.
# run.sh --check only says which patches do not apply.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$here/../.." && pwd)
if [[ ${1:-} == --check ]]; then
    cd "$sources"
    command -v git >/dev/null || { echo "skipped: there is no git"; exit 77; }
    verdict=0
    for patch in tests/faults/*.patch; do git apply --check "$patch" || verdict=1; done
    exit $verdict
fi
folder=$sources/build/faults
tree=$folder/tree
log=$folder/log.txt
mkdir -p "$tree"
: >"$log"

names=("$@")
if [[ ${#names[@]} == 0 ]]; then
    for patch in "$here"/*.patch; do names+=("$(basename "$patch" .patch)"); done
fi
for name in "${names[@]}"; do
    [[ -e $here/$name.patch ]] || { echo "$name: there is no tests/faults/$name.patch" >&2; exit 1; }
done

field() { sed -n "s/^$1: //p" "$here/$2.patch"; }

# ---- the copy -------------------------------------------------------------------------------------------------------------------

list_sources() { (cd "$sources" && git ls-files --cached --others --exclude-standard | while IFS= read -r file; do [[ ! -f $file ]] || echo "$file"; done); }

sums_in() { (cd "$1" && xargs -d '\n' sha1sum <"$folder/sources.txt" 2>/dev/null | sort) || true; }

# A file that is there already keeps its time unless it differs, so that only what has changed is built.
copy_sources() {
    list_sources | sort >"$folder/sources.txt"
    (cd "$tree" && find . -path ./build -prune -o -name node_modules -prune -o -type f -printf '%P\n' | sort |
        comm -23 - "$folder/sources.txt" | xargs -r -d '\n' rm)
    comm -13 <(sums_in "$tree") <(sums_in "$sources") | cut -c 43- | (cd "$sources" && xargs -r -d '\n' cp --parents -t "$tree")
    if [[ -e $folder/put_in ]]; then take_out; fi
}

put_in() {
    cp "$here/$1.patch" "$folder/put_in" # for the next time, should this one be interrupted
    patch -d "$tree" -p1 -F3 --batch --forward --no-backup-if-mismatch -r - <"$here/$1.patch" >>"$log" 2>&1
}

take_out() {
    (cd "$sources" && sed -n 's/^+++ b\///p' "$folder/put_in" | xargs -r -d '\n' cp --parents -t "$tree")
    rm "$folder/put_in"
}

# ---- a leg ----------------------------------------------------------------------------------------------------------------------

build_of() { if [[ $1 == release || $1 == page || $1 == files ]]; then echo "$tree/build"; else echo "$tree/build/$1"; fi; }

configure() {
    case $1 in
        aarch64) "$tree/cmake/make_aarch64_sysroot.sh" "$tree/build/aarch64-sysroot" ;;
        wasm*) "$tree/cmake/make_wasm_sysroot.sh" "$tree/build/wasm-sysroot" ;;
    esac
    local preset=$1
    if [[ $1 == page || $1 == files ]]; then preset=release; fi
    (cd "$tree" && cmake --preset "$preset" -DDUNLIN_BUILD_TESTS=ON -DDUNLIN_BUILD_BENCHMARKS=OFF)
}

# What ctest runs as NAME, NAME_comma and NAME_on_MACHINE is test_NAME; what has no such target is a script, of what is installed.
build() {
    local leg=$1 test targets=()
    shift
    for test in "$@"; do
        test=${test%%_on_*}
        test=test_${test%_comma}
        if [[ $leg == page || $leg == files ]]; then
            targets+=(dunlin)
        elif ninja -C "$(build_of "$leg")" -t query "$test" >/dev/null 2>&1; then
            targets+=("$test")
        else
            targets+=(dunlin_product)
        fi
    done
    ninja -C "$(build_of "$leg")" "${targets[@]}" && { [[ $leg != page ]] || "$tree/harness/page/make.sh" page; }
}

passes() {
    case $1 in
        page) node "$tree/tests/page/run.mjs" "$tree/build/page" "$tree/build/dunlin" --only="$2" ;;
        files) "$tree/tests/files/run.sh" "$tree/build/dunlin" "$2" ;;
        *) ctest --test-dir "$(build_of "$1")" -R "^$2\$" --no-tests=error --output-on-failure ;;
    esac
}

# The tests of a fault, one a line: the page's are sentences.
tests_of() { if [[ $(field Leg "$1") == page ]]; then field Fails "$1"; else field Fails "$1" | tr ' ' '\n'; fi; }

begin_leg() {
    local leg=$1 name test tests=()
    for name in "${names[@]}"; do
        if [[ $(field Leg "$name") == "$leg" ]]; then mapfile -t -O "${#tests[@]}" tests < <(tests_of "$name"); fi
    done
    [[ ${#tests[@]} -gt 0 ]] || return 0
    echo "== $leg, after $SECONDS s"
    mapfile -t tests < <(printf '%s\n' "${tests[@]}" | sort -u)
    { configure "$leg" && build "$leg" "${tests[@]}"; } >>"$log" 2>&1 || { echo "$leg does not build: see $log"; exit 1; }
    for test in "${tests[@]}"; do
        passes "$leg" "$test" >>"$log" 2>&1 || { echo "$leg: '$test' fails without a fault: see $log"; exit 1; }
    done
}

# ---- a fault --------------------------------------------------------------------------------------------------------------------

found=0 lost=0 wrong=0

try() {
    local name=$1 leg=$2 begun=$SECONDS test verdict=found tests
    mapfile -t tests < <(tests_of "$name")
    echo "== $name" >>"$log"
    if ! put_in "$name"; then
        verdict="DOES NOT APPLY"
    elif ! build "$leg" "${tests[@]}" >>"$log" 2>&1; then
        verdict="DOES NOT BUILD"
    else
        for test in "${tests[@]}"; do
            if passes "$leg" "$test" >>"$log" 2>&1; then verdict="NOT found"; fi
        done
    fi
    take_out
    case $verdict in
        found) found=$((found + 1)) ;;
        NOT*) lost=$((lost + 1)) ;;
        *) wrong=$((wrong + 1)) ;;
    esac
    printf '%-18s %-10s %-40s %-14s %4d s\n' "$name" "$leg" "$(field Fails "$name")" "$verdict" $((SECONDS - begun))
}

copy_sources
for leg in release clang asan-ubsan tsan aarch64 wasm wasm-threads page files; do
    begin_leg "$leg"
    for name in "${names[@]}"; do
        if [[ $(field Leg "$name") == "$leg" ]]; then try "$name" "$leg"; fi
    done
done
echo "${#names[@]} faults: $found found, $lost not found, $wrong that do not apply or build, in $SECONDS s"
[[ $found == "${#names[@]}" ]]
