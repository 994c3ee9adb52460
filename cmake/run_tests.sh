#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_tests.sh [--nightly] PRESET ...: configures, builds and tests each preset, continues after a failed test, and ends with what passed,
# failed and was skipped, and how long the longest tests took. The preset `page` is the page and the npm package, against build/dunlin.
# --nightly: everything, with all its rounds (DUNLIN_NIGHTLY).
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=OFF
if [[ ${1:-} == --nightly ]]; then
    nightly=ON
    shift
fi

# A user's newer compiler may warn of what we have never seen; CI's may not.
configure() {
    local options=(-DDUNLIN_BUILD_TESTS=ON -DDUNLIN_NIGHTLY=$nightly)
    if [[ $1 == release ]]; then options+=(-DDUNLIN_WERROR="${CI:+ON}" -DDUNLIN_BUILD_BENCHMARKS=$nightly); fi
    cmake --preset "$1" "${options[@]}" >"$2"
}

# A cmocka program is counted by its cases, any other test as one.
count_cases() {
    awk -v preset="$1" '
        function close_test() {
            if (!test) return
            if (!cases) { if (ok) passed++ }
            if (!ok && !bad) { failed++; print preset ": " test ": failed" >"/dev/stderr" }
            test = ""
        }
        /^[0-9]+\/[0-9]+ Test: / { close_test(); test = $3; cases = bad = ok = 0 }
        /^\[==========\] Running/ { running = 1 }
        /^\[==========\].* run\.$/ { running = 0 }
        running && /^\[ RUN      \]/ { cases++; where = "" }
        running && /^\[       OK \]/ { passed++ }
        running && /^\[   LINE   \]/ { where = " at " $5 }
        running && /^\[  SKIPPED \]/ { skipped++; print preset ": " test ": " $4 ": skipped" >"/dev/stderr" }
        running && /^\[  FAILED/ { failed++; bad = 1; print preset ": " test ": " $NF ": failed" where >"/dev/stderr" }
        /^Test Pass(ed\.| Reason:)$/ { ok = 1 }
        END { close_test(); print passed + 0, failed + 0, skipped + 0 }' "$2"
}

# The ten longest tests of a log of ctest.
list_longest() {
    awk '/^[0-9]+\/[0-9]+ Test: / { test = $3 } /^Test time = / { printf "%.1f %s\n", $4, test }' "$1" | sort -rn |
        awk 'NR <= 10 { printf("%s%s %s s", (NR > 1 ? ", " : "    longest: "), $2, $1) } END { print "" }'
}

# What the cross-built tests need beyond their compiler: make_PRESET_sysroot.sh gets it.
sysroot_of() {
    case $1 in
        aarch64) echo aarch64 ;;
        wasm*) echo wasm ;;
    esac
}

# Prints what the tests of the page print: a line per test, and one if all are skipped, which CI does not expect.
run_page() {
    local all=()
    if [[ $nightly == ON ]]; then all=(--nightly); fi
    node tests/page/run_node.mjs build/page build/npm build/dunlin "${all[@]}" || true
    node tests/page/run.mjs build/page build/dunlin "${all[@]}" || true
}

test_page() {
    local started=$SECONDS log=build/page-tests.log passed failed skipped built
    if ! { harness/page/make.sh page && harness/page/make.sh npm; }; then
        if [[ -n ${CI:-} ]]; then exit 1; fi
        summary+="page: LEFT OUT, see above"$'\n'
        return
    fi
    built=$SECONDS
    run_page 2>&1 | tee "$log"
    passed=$(grep -c '^ok ' "$log") || true
    failed=$(grep -c '^failed ' "$log") || true
    skipped=$(grep -c '^skipped' "$log") || true
    # Each of the two ends with its sum, or else it broke off.
    if [[ $(grep -cE '^(skipped|[0-9]+ ok, [0-9]+ failed)' "$log") != 2 || (-n ${CI:-} && $skipped != 0) ]]; then
        failed=$((failed + 1))
    fi
    grep -E '^(failed|missed) ' "$log" >>"$notes" || true
    count_in page "$passed" "$failed" "$skipped" $((built - started)) $((SECONDS - built))
}

total=(0 0 0)
summary=""
notes=$(mktemp) # what failed or was skipped, to be said last, where it is seen
trap 'rm -f "$notes"' EXIT
count_in() {
    local part=$1 passed=$2 failed=$3 skipped=$4 built=$5 tested=$6
    total=($((total[0] + passed)) $((total[1] + failed)) $((total[2] + skipped)))
    summary+="$part: $passed passed, $failed failed, $skipped skipped;"
    summary+=" built in $built s, tested in $tested s"$'\n'
}

part=0
for preset in "$@"; do
    part=$((part + 1))
    echo "== $preset, part $part of $#, after $SECONDS s"
    if [[ $preset == page ]]; then
        test_page
        continue
    fi
    sysroot=$(sysroot_of "$preset")
    if [[ -n $sysroot ]] && ! "cmake/make_${sysroot}_sysroot.sh" "build/$sysroot-sysroot"; then
        if [[ -n ${CI:-} ]]; then exit 1; fi
        summary+="$preset: LEFT OUT, see above"$'\n'
        continue
    fi
    folder=build/$preset
    if [[ $preset == release ]]; then folder=build; fi
    log=$folder/Testing/Temporary/LastTest.log
    rm -f "$log"

    started=$SECONDS
    mkdir -p "$folder"
    configure "$preset" "$folder/configure.log" || { cat "$folder/configure.log"; exit 1; }
    cmake --build "$folder"
    built=$SECONDS
    verdict=0
    ctest --preset "$preset" -j "$(nproc)" || verdict=$?
    if ! [[ -e $log ]]; then
        echo "$preset: no test ran" >&2
        exit 1
    fi
    read -r passed failed skipped < <(count_cases "$preset" "$log" 2>>"$notes")
    # ctest has the last word: for it, no test at all is a failure too.
    if [[ $verdict != 0 && $failed == 0 ]]; then failed=1; fi
    count_in "$preset" "$passed" "$failed" "$skipped" $((built - started)) $((SECONDS - built))
    summary+=$(list_longest "$log")$'\n'
done

echo
cat "$notes"
echo "${summary}Tests: ${total[0]} passed, ${total[1]} failed, ${total[2]} skipped"
[[ ${total[1]} == 0 ]]
