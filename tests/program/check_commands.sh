#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_commands.sh SOURCES PROGRAM: README and the guides name only commands, options and scenarios that the program has; what they
# show of it in a moment works; and what `make run` prints is what docs/program.md shows, but for what depends on the machine.
set -euo pipefail
sources=$1 program=$2
pages=("$sources"/README.md "$sources"/docs/*.md)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMP_PROC_BIND=false # otherwise threads of tests that run at the same time would share one core

fail() { echo "$*" >&2; exit 1; }

# ---- what the program has ----------------------------------------------------------------------------------------------------------

declare -A help
help[dunlin]=$("$program" --help)
help[bench]=$("$program" bench --help)
listed() { sed -n "/^$1/,/^\$/s/^  \([a-z]*\)  .*/\1/p"; }
for command in $(listed Commands <<<"${help[dunlin]}"); do help[$command]=$("$program" "$command" --help); done
for what in $(listed Measures <<<"${help[bench]}"); do help[bench $what]=$("$program" bench "$what" --help); done
scenarios=$("$program" scenarios | awk '{ print $1 }')

takes() { grep -qE -- "$2([= ]|\$)" <<<"${help[$1]}"; } # COMMAND OPTION

# ---- what the pages say -----------------------------------------------------------------------------------------------------

# "PAGE: COMMAND LINE", wherever one stands in code: after build/dunlin, in a line that is indented, or `between backticks`.
said() {
    grep -oHE '(build/|`|^    )dunlin( [^`]*)?' "${pages[@]}" | grep -vE 'dunlin docs/' | sed -E 's/:(build\/|`|    )dunlin ?/: /; s/ +#.*//'
    for command in "${!help[@]}"; do sed -n '/^Examples:/,/^$/s/^  dunlin /the help of '"$command"': /p' <<<"${help[$command]}"; done
}

check_command() { # PAGE WORD ...
    local page=$1 command=$2 option
    shift 2
    [[ -v help[$command] ]] || fail "$page says 'dunlin $command', which is no command"
    if [[ $command == bench && ${1:-} != -* && -n ${1:-} ]]; then
        command="bench $1"
        [[ -v help[$command] ]] || fail "$page says 'dunlin $command', which is no command"
        shift
    fi
    if [[ $command == run && -n ${1:-} ]]; then
        [[ $1 == NAME || $1 == *.yaml ]] || grep -qx -- "$1" <<<"$scenarios" || fail "$page runs $1, which is no scenario"
    fi
    for option in "$@"; do
        [[ $option != --* ]] || takes "$command" "${option%%=*}" || fail "$page says 'dunlin $command $option', which it does not take"
    done
}

# Runs commands that take a moment with few steps and agents, each once. Later options win.
declare -A tried
try_command() { # PAGE COMMAND LINE
    local page=$1 line=$2 few
    [[ ! -v tried[$line] ]] || return 0
    case $line in
    *NAME* | *avx*) return ;; # a placeholder; what may not run here
    *--help | kernels | scenarios | "show "* | "plot predators"*) few= ;;
    "run "*) few="--steps 2" ;;
    "bench frame"* | "bench behaviours"*) few="--agents 500 --steps 1 --repeat 1 --threads 1" ;;
    *) return ;;
    esac
    eval "'$program' $line $few" >out.txt 2>err.txt || fail "$page says 'dunlin $line', and that fails: $(<err.txt)"
    tried[$line]=1
}

mkdir results
awk '/^```$/ { exit } on; $0 == "```yaml" { on = 1 }' "$sources/docs/scenarios.md" >first.yaml
checked=0
while IFS= read -r line; do
    page=$(basename "${line%%: *}") line=${line#*: }
    [[ -n $line ]] || continue
    # shellcheck disable=SC2086
    check_command "$page" $line
    try_command "$page" "$line"
    checked=$((checked + 1))
done < <(said)
((checked > 40 && ${#tried[@]} > 12)) || fail "only $checked commands were found, and ${#tried[@]} tried"

# Options that stand alone, but for those of Google Benchmark and of mpirun.
while read -r option; do
    grep -qE -- "$option([= ]|\$)" <<<"${help[*]}" || fail "the pages name $option, which no command takes"
done < <(grep -ohE '`--[a-z][a-z-]*' "${pages[@]}" | tr -d '`' | sort -u | grep -vE '^--(benchmark|mca|only)$')

# ---- what is printed --------------------------------------------------------------------------------------------------------

block=$(awk '/^`make run`/ { here = 1 } /^```$/ && on { exit } on; here && $0 == "```text" { on = 1 }' "$sources/docs/program.md")
"$program" run "$sources/harness/scenarios/default.yaml" --picture flock.png --metrics flock.csv >out.txt 2>err.txt

# Numbers, units of quantity and time, the choices of this machine, the widths of columns, and the speed with files, which is only
# printed where it differs much.
masked() {
    sed -E 's/^(  (kernel|threads)  +).*/\1K/; s/[0-9]([0-9. ]*[0-9])?/N/g; s/N (thousand|million|billion)/N/g; s/N (ms|s|min)\b/N T/g; s/, N with metrics and files//; s/ +/ /g'
}
diff <(masked <<<"$block") <(masked <out.txt) || fail "docs/program.md (<) shows something else than a run prints (>)"
hash=$(grep '^state hash: ' out.txt)
for page in README.md docs/program.md; do
    grep -qx "$hash" "$sources/$page" || fail "$page does not show the $hash"
done
