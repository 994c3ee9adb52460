#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_tests.sh PRESET ...: configures, builds and tests each preset, goes on after a failed test, and ends with what passed,
# failed and was skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

# A user's newer compiler may warn of what we have never seen; CI's may not.
configure() {
    local werror=()
    if [[ $1 == release ]]; then werror=(-DDUNLIN_WERROR="${CI:+ON}"); fi
    cmake --preset "$1" -DDUNLIN_BUILD_TESTS=ON -DDUNLIN_BUILD_BENCHMARKS=ON "${werror[@]}"
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
        running && /^\[ RUN      \]/ { cases++ }
        running && /^\[       OK \]/ { passed++ }
        running && /^\[  SKIPPED \]/ { skipped++; print preset ": " test ": " $4 ": skipped" >"/dev/stderr" }
        running && /^\[  FAILED/ { failed++; bad = 1; print preset ": " test ": " $NF ": failed" >"/dev/stderr" }
        /^Test Pass(ed\.| Reason:)$/ { ok = 1 }
        END { close_test(); print passed + 0, failed + 0, skipped + 0 }' "$2"
}

# What the cross-built tests need beyond their compiler: make_PRESET_sysroot.sh gets it.
sysroot_of() {
    case $1 in
        aarch64) echo aarch64 ;;
        wasm*) echo wasm ;;
    esac
}

total=(0 0 0)
summary=""
for preset in "$@"; do
    echo "== $preset"
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
    configure "$preset"
    cmake --build "$folder"
    built=$SECONDS
    verdict=0
    ctest --preset "$preset" -j "$(nproc)" || verdict=$?
    if ! [[ -e $log ]]; then
        echo "$preset: no test ran" >&2
        exit 1
    fi
    read -r passed failed skipped < <(count_cases "$preset" "$log")
    # ctest has the last word: for it, no test at all is a failure too.
    if [[ $verdict != 0 && $failed == 0 ]]; then failed=1; fi
    total=($((total[0] + passed)) $((total[1] + failed)) $((total[2] + skipped)))
    summary+="$preset: $passed passed, $failed failed, $skipped skipped;"
    summary+=" built in $((built - started)) s, tested in $((SECONDS - built)) s"$'\n'
done

echo
echo "${summary}Tests: ${total[0]} passed, ${total[1]} failed, ${total[2]} skipped"
[[ ${total[1]} == 0 ]]
