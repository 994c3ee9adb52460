#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compare_indices.sh PROGRAM FOLDER [AGENTS ...]: times frames with the grid, the tree and auto, for flocks of these sizes that are
# spread in four ways. Leaves indices.csv and one plot for 2D and one for 3D in FOLDER, and prints a table. With '-' as PROGRAM it
# measures nothing, and takes the indices.csv that is there.
set -euo pipefail
program=$1 folder=$2
shift 2
[[ $# -gt 0 ]] || set -- 10000 100000 1000000
distributions="uniform clumped scattered line"

mkdir -p "$folder"
rows=$folder/indices.csv
measure() {
    rm -f "$rows"
    for dimensions in 2 3; do
        for distribution in $distributions; do
            for agents in "$@"; do
                for index in grid tree auto; do
                    echo "${dimensions}D $distribution, $agents agents, $index" >&2
                    "$program" bench frame --dimensions "$dimensions" --distribution "$distribution" --agents "$agents" \
                        --index "$index" --steps 3 --repeat 5 --csv "$rows" >/dev/null
                done
            done
        done
    done
}
[[ $program == - ]] || measure "$@"

# Quoted fields contain commas: count columns from the end.
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) print i - NF - 1 }' "$rows"; }
index=$(column index) dimensions=$(column dimensions) agents=$(column agents)
distribution=$(column distribution) speed=$(column agent_updates_per_second_max)

# Nanoseconds per agent of one index, by number of agents, from the fastest repeat: other work disturbed it the least.
times() {
    awk -F, -v i="$index" -v d="$dimensions" -v a="$agents" -v s="$distribution" -v f="$speed" -v want="$1 $2 $3" '
        function at(n) { return $(NF + 1 + n) }
        at(d) " " at(s) " " at(i) == want { printf "%d %.0f\n", at(a), 1e9 / at(f) }' "$rows"
}

{
    echo "| | agents | grid | tree | auto |"
    echo "|---|---|---|---|---|"
    for flat in 2 3; do
        for spread in $distributions; do
            paste -d' ' <(times $flat $spread grid) <(times $flat $spread tree) <(times $flat $spread auto) |
                while read -r count grid _ tree _ auto; do echo "| ${flat}D $spread | $count | $grid | $tree | $auto |"; done
        done
    done
}

for flat in 2 3; do
    {
        echo "set terminal svg noenhanced size 830,520 dynamic background '#ffffff' font 'sans-serif,13'"
        echo "set output '$folder/indices_${flat}d.svg'"
        echo "set label 1 'Time of a frame in ${flat}D, one thread' at screen 0.02,0.965 font ',17'; set multiplot layout 2,2 margins 0.11,0.95,0.13,0.85 spacing 0.14,0.24"
        echo "set logscale xy; set border 3; set tics nomirror; set key noautotitle"
        echo "set grid ytics linetype 1 linecolor rgb '#dddddd'; set xlabel 'agents'; set ylabel 'ns per agent'; set yrange [10:]; set format '%g'"
        # One key for the four plots, above them, where it hides no point.
        echo "set key at screen 0.99,0.98 horizontal maxrows 1 Left reverse samplen 2"
        for spread in $distributions; do
            echo "set title '$spread' offset 0,-0.7"
            echo "\$grid << EOD"; times $flat $spread grid; echo "EOD"
            echo "\$tree << EOD"; times $flat $spread tree; echo "EOD"
            echo "\$auto << EOD"; times $flat $spread auto; echo "EOD"
            echo "plot \$grid with linespoints lw 2 pt 7 ps 0.6 lc rgb '#0072b2' title 'grid'," \
                "\$tree with linespoints lw 2 pt 5 ps 0.6 lc rgb '#d55e00' title 'tree'," \
                "\$auto with points pt 6 ps 1.4 lw 2 lc rgb '#444444' title 'auto'"
            echo "unset key; unset label"
        done
        echo "unset multiplot"
    } | gnuplot
done
