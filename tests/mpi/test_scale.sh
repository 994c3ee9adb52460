#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_scale.sh LAUNCH MPI PROGRAM PLAIN: dunlin-mpi scale has the rows that it should have on 1, 2 and 3 ranks, and every flock ends in
# the state in which the plain program leaves it.
set -euo pipefail
launch=$1 mpi=$2 program=$3 plain=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

complain() {
    echo "$*" >&2
    exit 1
}
scale() { # RANKS OPTION ...
    "$launch" "$mpi" "$1" "$program" scale --agents 1500 --agents-per-rank 500 --steps 2 --repeat 2 "${@:2}"
}
columns() { # FILE NAME ...: these columns of a CSV file
    awk -F, -v names="${*:2}" '{
        while (match($0, /"[^"]*"/)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
        if (NR == 1) { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
        for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n"
    }' "$1"
}

declare -A hash # of the plain program's flocks, by dimensions and agents
for agents in 500 1000 1500; do
    "$plain" scale --quiet --sweep strong --agents $agents --steps 2 --repeat 1 --threads 1 --no-plots --output plain$agents
    while read -r dimensions state; do hash[$dimensions $agents]=$state; done < <(columns plain$agents/strong.csv dimensions hash)
done
((${#hash[@]} == 6)) || complain "the plain program has run ${#hash[@]} flocks, not 6"

check_rows() { # FOLDER SWEEP "RANKS THREADS AGENTS" ...: these rows, in 2D and in 3D
    local dimensions row wanted=""
    for dimensions in 2 3; do
        for row in "${@:3}"; do wanted+="$row $dimensions ${hash[$dimensions ${row##* }]}"$'\n'; done
    done
    diff <(printf %s "$wanted") <(columns "$1/$2.csv" ranks threads agents dimensions hash) >&2 || complain "$1 ranks: wrong rows of $2"
    columns "$1/$2.csv" ranks messages_per_step bytes_per_step halo_agents ms_exchange |
        awk '{ for (i = 2; i <= NF; i++) if (($1 > 1) != ($i > 0)) exit 1 }' || complain "$1 ranks: wrong traffic in $2"
}

for ranks in 1 2 3; do
    ((ranks == 3)) && plots=() || plots=(--no-plots) # they take most of the time
    scale $ranks --sweep strong,weak,split --threads 1 "${plots[@]}" --output $ranks --json $ranks.json >$ranks.txt
    strong=() weak=() split=("1 $ranks 1500")
    for row in $(seq $ranks); do strong+=("$row 1 1500") weak+=("$row 1 $((500 * row))"); done
    ((ranks == 1)) || split+=("$ranks 1 1500")
    check_rows $ranks strong "${strong[@]}"
    check_rows $ranks weak "${weak[@]}"
    check_rows $ranks split "${split[@]}"
    (($(grep -c '"exchange_share"' $ranks.json) == 4 * ranks + 2 * ${#split[@]})) || complain "$ranks.json has other rows"
    ((ranks == 1 || $(grep -c 'All rows ended in the same state, bit for bit' $ranks/report.md) == 4)) ||
        complain "$ranks/report.md does not say that the states are the same"
    grep -q "ranks *$ranks of 1 thread, $ranks of them on this machine" $ranks.txt || complain "$ranks.txt does not count ranks"
done

if command -v gnuplot >/dev/null; then
    for plot in strong_speedup strong_efficiency weak_efficiency split; do
        grep -q "$plot.svg" 3/report.md && [[ -s 3/plots/$plot.svg && -s 3/plots/$plot.png ]] || complain "there is no plot $plot"
    done
fi

# What proves nothing but correctness says so.
grep -q Warning 1/report.md && complain "one thread is too many"
scale 2 --sweep strong --dimensions 2 --threads "$(nproc --all)" --no-plots --output crowded >crowded.txt
grep -q 'Warning.*more threads than cores' crowded.txt && grep -q 'Warning.*more threads than cores' crowded/report.md ||
    complain "$(nproc --all) threads on each of 2 ranks are no matter of warning"

# Mistakes end all ranks, with one message of rank 0.
check_mistake() { # STATUS WORDS OPTION ...
    local status=0
    scale 2 "${@:3}" >mistake.txt 2>&1 || status=$?
    [[ $status == "$1" ]] || complain "${*:3} ends with status $status, not $1"
    (($(grep -c -- "$2" mistake.txt) == 1)) || { cat mistake.txt >&2 && complain "${*:3}: not one message that says $2"; }
}
check_mistake 2 "--sweep is 'density'; allowed: strong, weak, split" --sweep density
check_mistake 1 "2 is not empty" --output 2
check_mistake 1 "agents is 4: at least" --agents 4 --output few
