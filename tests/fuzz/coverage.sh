#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# coverage.sh: replays every fuzzer's corpus, and what `make fuzz` has found, in build/coverage, and says what no input reaches:
# files.txt there has the share of each file's lines, missed.txt each function that is never called, lines.txt each line's count.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=build/coverage

export OMP_WAIT_POLICY=passive
objects=()
for program in "$folder"/tests/fuzz/replay_*; do
    target=${program##*/replay_}
    inputs=("$folder"/tests/fuzz/corpus/"$target")
    if [[ -d build/fuzz/found/$target ]]; then inputs+=(build/fuzz/found/"$target"); fi
    echo "$target: $(LLVM_PROFILE_FILE=$folder/$target.profraw "$program" "${inputs[@]}")"
    objects+=(-object "$program")
done
llvm-profdata merge -o "$folder"/all.profdata "$folder"/*.profraw
coverage() { llvm-cov "$1" "${objects[@]:1}" -instr-profile="$folder"/all.profdata "${@:2}"; }

# The modules that inputs are for, by their path from the top.
coverage export -format=lcov | sed "s|^SF:$PWD/|SF:|; s|^SF:$folder/../../|SF:|" | awk '
    /^SF:/ { file = substr($0, 4); wanted = file ~ /^(engine|spatial|kernels)\/|^harness\/(scenario|yaml)[^\/]*$/ }
    wanted' >"$folder"/lcov.info
coverage show >"$folder"/lines.txt
awk -F: '
    /^SF:/ { file = $2 }
    /^LF:/ { lines = $2; all += $2 }
    /^LH:/ { reached += $2; printf "%6.2f %%  %5d of %5d lines  %s\n", 100 * $2 / (lines ? lines : 1), $2, lines, file }
    END { printf "%6.2f %%  %5d of %5d lines  in all\n", 100 * reached / all, reached, all }' "$folder"/lcov.info |
    sort -n >"$folder"/files.txt
# FNDA:count,source:name. A function of a kernel is there once a kernel: one that any of them has called is called.
awk '
    /^SF:/ { file = substr($0, 4) }
    /^FNDA:/ {
        split(substr($0, 6), parts, ",")
        name = parts[2]
        sub(/.*:/, "", name)
        calls[file ": " name] += parts[1]
    }
    END { for (key in calls) if (!calls[key]) print key }' "$folder"/lcov.info | sort >"$folder"/missed.txt
cat "$folder"/files.txt
echo "Never called: $(wc -l <"$folder"/missed.txt) functions, in $folder/missed.txt"
