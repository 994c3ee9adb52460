#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_manuals.sh PROGRAM FOLDER: each command has a manual page in the folder, where the build puts them, and groff and mandoc find
# nothing wrong with it. It has all that --help lists, and --help wraps its lines at the terminal's width without losing a word.
set -euo pipefail
program=$1 folder=$2

fail() { echo "$*" >&2; exit 1; }

listed() { sed -n "/^$1/,/^\$/s/^  \([a-z]*\)  .*/\1/p"; }
options() { grep -oE '^  --[a-z-]+' | tr -d ' ' | sort; }

mapfile -t commands < <("$program" --help | listed Commands | grep -v '^help$')
mapfile -t measures < <("$program" bench --help | listed Measures)
commands=("" "${commands[@]}" "${measures[@]/#/bench }")
((${#commands[@]} >= 14)) || fail "only ${#commands[@]} commands were found"

for command in "${commands[@]}"; do
    page=$folder/dunlin${command:+-${command// /-}}.1
    [[ -s $page ]] || fail "there is no $page"
    # shellcheck disable=SC2086
    cmp -s <(grep -v '^\.TH' "$page") <("$program" man $command | grep -v '^\.TH') || fail "$page is not what the program prints"
    wrong=$(groff -man -Tutf8 -ww -z "$page" 2>&1; mandoc -Tlint -Wwarning "$page" 2>&1 || true)
    [[ -z $wrong ]] || fail "$wrong"
    # shellcheck disable=SC2086
    help=$("$program" $command --help)
    in_help=$(options <<<"$help")
    in_page=$(sed -nE 's/^\\fB(\\-\\-[a-z\\-]+)\\fR.*/\1/p' "$page" | tr -d '\\' | sort)
    [[ $in_help == "$in_page" ]] || fail "dunlin $command: --help (<) and the manual page (>) differ:
$(diff <(echo "$in_help") <(echo "$in_page"))"
    for width in 60 100; do
        # shellcheck disable=SC2086
        other=$(COLUMNS=$width "$program" $command --help)
        [[ $(tr -s ' \n' ' ' <<<"$other") == "$(tr -s ' \n' ' ' <<<"$help")" ]] || fail "dunlin $command --help differs in $width columns"
        long=$(sed '/^Examples:/,$d; /^dunlin/d' <<<"$other" | awk -v width="$width" 'length($0) > width')
        [[ -z $long ]] || fail "dunlin $command --help is wider than $width columns: $long"
    done
done

for word in 'SH NAME' 'SH SYNOPSIS' 'SS Pictures' 'SH EXAMPLES' 'SH "EXIT STATUS"' 'SH "SEE ALSO"'; do
    grep -q "^\.$word" "$folder/dunlin-run.1" || fail "dunlin-run.1 has no .$word"
done
# The page that is also that of dunlin-mpi.
for word in 'SH "ON A CLUSTER"' 'SH FILES' mpirun '/usr/share/doc/dunlin/docs'; do
    grep -q "$word" "$folder/dunlin.1" || fail "dunlin.1 has no $word"
done
for page in "$folder"/dunlin-*.1; do
    name=$(basename "$page" .1)
    [[ $name == dunlin-bench-* ]] || grep -q "^.fB${name//-/\\\\-}.fR(1)" "$folder/dunlin.1" || fail "dunlin.1 does not name $name"
done
