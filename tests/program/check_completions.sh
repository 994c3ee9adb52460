#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_completions.sh PROGRAM FOLDER: bash completes each command, each option that --help lists and no other, values, scenarios and
# files, also of dunlin-mpi. So do fish and zsh, where they are.
set -euo pipefail
program=$1 folder=$2 tests=$(cd "$(dirname "$0")" && pwd)

fail() { echo "$*" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PATH=$(dirname "$program"):$PATH
cd "$scratch"
touch own.yaml table.csv
listed() { sed -n "/^$1/,/^\$/s/^  \([a-z]*\)  .*/\1/p"; }
# shellcheck disable=SC2086
options() { "$program" $1 --help | grep -oE '^  --[a-z-]+'; }

# ---- each shell: complete_SHELL WORD ... prints what the last word may become ----------------------------------------------------------

# shellcheck disable=SC1091
source "$folder/dunlin.bash"
complete_bash() { # with --option=word as readline has it, in three words
    local word
    [[ $(complete -p "$called") == "complete -F _dunlin $called" ]] || fail "bash does not complete $called"
    COMP_WORDS=("$called")
    for word in "$@"; do
        if [[ $word == --*=* ]]; then COMP_WORDS+=("${word%%=*}" =) word=${word#*=}; fi
        [[ -n $word ]] || continue
        COMP_WORDS+=("$word")
    done
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _dunlin "$called" "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
    ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
}
shells=(bash)
if command -v fish >/dev/null; then
    # It offers values with their option.
    complete_fish() {
        HOME=$scratch fish --no-config -c "set fish_complete_path '$folder' \$fish_complete_path; complete -C '$called $*'" | cut -f 1 |
            if [[ ${*: -1} == *=* ]]; then sed 's/^--[a-z-]*=//'; else cat; fi
    }
    shells+=(fish)
fi
if command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty' 2>/dev/null; then
    coproc zsh -f "$tests/complete.zsh" "$folder" 2>&1
    exec {to_zsh}>&"${COPROC[1]}" {from_zsh}<&"${COPROC[0]}"
    complete_zsh() {
        local line
        echo "$called $*" >&"$to_zsh"
        while read -r -t 60 -u "$from_zsh" line && [[ -n $line ]]; do echo "$line"; done
    }
    shells+=(zsh)
fi

# ---- what must be offered --------------------------------------------------------------------------------------------------------

# In any order. bash ends options that take a value with =.
expect() { # SHELL OFFERED WORD ...
    local got wanted
    got=$("complete_$1" "${@:3}" | sed 's/=$//' | sort -u)
    wanted=$(tr -s ' ' '\n' <<<"$2" | sed '/^$/d' | sort -u)
    [[ $got == "$wanted" ]] || fail "$1 completes '$called ${*:3}' with ${got//$'\n'/ }, not with ${wanted//$'\n'/ }"
}

commands=$("$program" --help | listed Commands)
measures=$("$program" bench --help | listed Measures)
for shell in "${shells[@]}"; do
    called=dunlin-mpi
    expect "$shell" "run resume" r
    expect "$shell" grid run --quiet --index g
    called=dunlin
    expect "$shell" "run resume" r
    expect "$shell" "run resume" help r
    expect "$shell" frame bench fr
    expect "$shell" "--help --version" --
    while read -r command; do
        # shellcheck disable=SC2086
        expect "$shell" "$(options "$command")" $command --
    done < <(sed '/^help$/d' <<<"$commands"; sed 's/^/bench /' <<<"$measures")
    expect "$shell" "auto grid tree brute" run --index=
    expect "$shell" grid run --quiet --index g
    expect "$shell" "flocked" bench frame --distribution=f
    expect "$shell" "$("$program" kernels | awk 'NR > 1 { print $1 }')" run --kernel=
    expect "$shell" "$("$program" scenarios | awk '$1 ~ /^vic/ { print $1 }')" run vic
    expect "$shell" own.yaml run ow
    expect "$shell" own.yaml check ow
    expect "$shell" table.csv plot ta
    expect "$shell" table.csv run --metrics=ta
    expect "$shell" "" kernels ow
    expect "$shell" "" run --steps=
done
