#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh PROGRAM [--nightly] [TEST ...]: files that the program writes, opened by other people's readers. Each test is a file test_NAME.py or
# test_NAME.sh here, which runs in build/files with the simulations of runs.sh, and prints "ok NAME", "failed NAME: why" or
# "skipped NAME: what is missing" for each thing that it tests. Ends with what failed and with their sum; in CI a skipped test is a
# failure. --nightly: with all rounds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
shift
export DUNLIN_NIGHTLY=
if [[ ${1:-} == --nightly ]]; then
    DUNLIN_NIGHTLY=1
    shift
fi
tests=("$@")
if [[ ${#tests[@]} == 0 ]]; then
    for test in "$here"/test_*; do tests+=("$(basename "$test" | sed 's/^test_//; s/[.].*//')"); done
fi

folder=$here/../../build/files
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export DUNLIN=$program PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 OMP_WAIT_POLICY=passive

# Debian's packages for Python belong to Debian's Python, which need not be the first.
python=python3
if [[ -x /usr/bin/python3 ]]; then python=/usr/bin/python3; fi

run_test() {
    local file=$here/test_$1
    if [[ -e $file.sh ]]; then
        "$file.sh"
    elif ! grep -q '^from paraview' "$file.py"; then
        "$python" -W ignore "$file.py"
    elif command -v pvpython >/dev/null; then
        pvpython --force-offscreen-rendering "$file.py"
    else
        echo "skipped $1: pvpython"
    fi
}

log=$PWD/tests.log
"$here"/runs.sh
for test in "${tests[@]}"; do
    # Each prints at least a line, or else it broke off.
    run_test "$test" >"$test.log" 2>"$test.err" || echo "failed $test: exit status $?" >>"$test.log"
    if ! grep -qE '^(ok|failed|skipped) ' "$test.log"; then echo "failed $test: it says nothing" >>"$test.log"; fi
    grep -E '^(ok|failed|skipped) ' "$test.log" | tee -a "$log"
done

# Once more, with the last that it said, where it is seen.
for test in "${tests[@]}"; do
    if grep -q '^failed ' "$test.log"; then sed -n 's/^failed /    failed /p' "$test.log" && tail -n 20 "$test.err"; fi
done
passed=$(grep -c '^ok ' "$log") || true
failed=$(grep -c '^failed ' "$log") || true
skipped=$(grep -c '^skipped ' "$log") || true
echo "$passed ok, $failed failed, $skipped skipped, in $SECONDS s"
if [[ -n ${CI:-} && $skipped != 0 ]]; then exit 1; fi
[[ $failed == 0 ]]
