#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh SECONDS [TARGET ...]: runs each fuzzer of build/fuzz for so long, two at a time, from the corpus of the repository and what
# earlier runs have found (build/fuzz/found/TARGET). Ends with a line per target, and for each finding with the command that
# repeats it; then not with 0.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=$1
shift
targets=("$@")
if [[ ${#targets[@]} == 0 ]]; then
    for program in build/fuzz/tests/fuzz/fuzz_*; do targets+=("${program##*/fuzz_}"); done
fi

# More threads than cores must not spin. What asks for more memory than there is gets none.
export OMP_WAIT_POLICY=passive ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1

# Seconds left to a target are seconds for inputs: those of the corpus are read before.
fuzz() {
    local found=build/fuzz/found/$1 findings=build/fuzz/findings/$1 options=(-max_len=4096)
    # A program of calls is worth little before it has many; libFuzzer would begin with a few bytes.
    if [[ $1 == api ]]; then options=(-max_len=600 -len_control=0); fi
    if [[ -e tests/fuzz/$1.dict ]]; then options+=("-dict=tests/fuzz/$1.dict"); fi
    mkdir -p "$found" "$findings"
    build/fuzz/tests/fuzz/fuzz_"$1" "${options[@]}" -max_total_time="$seconds" -timeout=60 -report_slow_units=60 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="$findings/" "$found" build/fuzz/tests/fuzz/corpus/"$1" >build/fuzz/"$1".log 2>&1
}

report() {
    local runs
    runs=$(awk '/^stat::number_of_executed_units:/ { print $2 }' build/fuzz/"$1".log)
    printf '%-10s %10s executions  %s\n' "$1" "${runs:-?}" "$2"
}

failed=0
running=()
wait_for() {
    local verdict=0
    wait "${running[0]#*:}" || verdict=$?
    if [[ $verdict == 0 ]]; then
        report "${running[0]%%:*}" "nothing found"
    else
        failed=1
        report "${running[0]%%:*}" "FAULT: see build/fuzz/${running[0]%%:*}.log"
    fi
    running=("${running[@]:1}")
}

# What an earlier run found is replayed: what no longer fails has been fixed, and goes.
still_found() {
    local finding
    for finding in build/fuzz/findings/"$1"/*; do
        if [[ -e $finding ]] && "build/fuzz/tests/fuzz/replay_$1" "$finding" >/dev/null 2>&1; then rm -f "$finding"; fi
        if [[ -e $finding ]]; then failed=1; fi
    done
}

for target in "${targets[@]}"; do
    still_found "$target"
    if [[ ${#running[@]} == 2 ]]; then wait_for; fi
    fuzz "$target" &
    running+=("$target:$!")
done
while [[ ${#running[@]} -gt 0 ]]; do wait_for; done

for target in "${targets[@]}"; do
    for finding in build/fuzz/findings/"$target"/*; do
        if [[ -e $finding ]]; then echo "  build/fuzz/tests/fuzz/replay_$target $finding"; fi
    done
done
exit $failed
