#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_tests.sh [--nightly] PART ...: configures, builds and tests each preset, continues after a failed test, and ends with what passed,
# failed and was skipped, and how long the longest tests took. Four parts are no presets: `page` is the page and the npm package, `site` the
# site with them, `files` other projects' readers of files, all with build/dunlin, `python` the Python package with all that it works with.
# page+files tests these two side by side: neither keeps all cores busy. The browser's tests bear no more beside them.
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

# What these print is a line for each test, and their sum at the end, or else they broke off; one line if all are skipped.
all=()
if [[ $nightly == ON ]]; then all=(--nightly); fi
run_browser() { node tests/page/run.mjs build/page build/dunlin "${all[@]}"; }
run_firefox() {
    if ! command -v xvfb-run >/dev/null; then echo "skipped: Firefox needs xvfb-run"; return; fi
    xvfb-run --auto-servernum node tests/page/run.mjs build/page build/dunlin --firefox "${all[@]}"
}
run_node() { node tests/page/run_node.mjs build/page build/npm build/dunlin "${all[@]}"; }
run_site() {
    if ! /usr/bin/python3 -c "import breathe, furo, myst_parser" 2>/dev/null; then echo "skipped: the site needs Sphinx and its packages (make site)"; return; fi
    docs/site/make.py build && node tests/page/run_site.mjs build/site
}
run_files() { tests/files/run.sh build/dunlin "${all[@]}"; }
run_python() {
    if ! [[ -e build/page/index.html ]]; then harness/page/make.sh page; fi
    if [[ $nightly == OFF ]]; then # with what make test has built, instead of one more build
        cmake --build build --target dunlin_parallel_pthreads dunlin_picture_serial
        export DUNLIN_BUILT=$PWD/build
    fi
    make --no-print-directory python && tests/python/run.sh "$PWD/build/python/venv/bin/python" "$PWD/build/dunlin" "${all[@]}"
}

# into_log NAME: runs run_NAME. The log shows its status.
into_log() { "run_$1" 2>&1 | tee "build/$1-tests.log" || true; }

# test_scripts PART: the page, the files, both, or the Python package. CI expects that none is skipped.
test_scripts() {
    local started=$SECONDS runs=() run logs passed failed skipped built
    if [[ $1 == *page* ]]; then
        if harness/page/make.sh page && harness/page/make.sh npm; then
            runs=(browser firefox node)
        else
            if [[ -n ${CI:-} ]]; then exit 1; fi
            summary+="page: LEFT OUT, see above"$'\n'
        fi
    fi
    for run in site files python; do
        if [[ $1 == *$run* ]]; then runs+=("$run"); fi
    done
    if ((${#runs[@]} == 0)); then return; fi
    logs=("${runs[@]/%/-tests.log}")
    logs=("${logs[@]/#/build/}")
    built=$SECONDS
    into_log "${runs[0]}" &
    for run in "${runs[@]:1}"; do into_log "$run"; done
    wait
    passed=$(cat "${logs[@]}" | grep -c '^ok ') || true
    failed=$(cat "${logs[@]}" | grep -c '^failed ') || true
    skipped=$(cat "${logs[@]}" | grep -c '^skipped') || true
    if [[ $(grep -lE '^(skipped: |[0-9]+ ok, [0-9]+ failed)' "${logs[@]}" | wc -l) != "${#runs[@]}" || (-n ${CI:-} && $skipped != 0) ]]; then
        failed=$((failed + 1))
    fi
    grep -hE '^(failed|missed) ' "${logs[@]}" >>"$notes" || true
    count_in "$1" "$passed" "$failed" "$skipped" $((built - started)) $((SECONDS - built))
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
    if [[ $preset =~ ^(page|files|python) ]]; then
        test_scripts "$preset"
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
    # One more than there are cores: some tests mostly wait.
    ctest --preset "$preset" -j $(($(nproc) + 1)) || verdict=$?
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
