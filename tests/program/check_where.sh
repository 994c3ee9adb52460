#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_where.sh SOURCES PROGRAM: in the table of docs/scenarios.md that says where an example or exercise is, every row has a scenario,
# and every scenario, field, option and control that it names exists. Every shipped sketch of the book has a row.
set -euo pipefail
cd "$1"
program=$2

fail() { echo "docs/scenarios.md: $*" >&2; exit 1; }

scenarios=$("$program" scenarios | cut -d ' ' -f 1)
schema=$("$program" schema)
options=$("$program" run --help)
coded() { grep -oE '`[^`]+`' <<<"$1" | tr -d '`' || true; }

check_fields() { # ROW FIELDS: names and values of the schema, options of dunlin run
    local word
    for word in $(coded "$2"); do
        word=${word%:}
        if [[ $word == --* ]]; then
            grep -qE -- "$word([=, ]|$)" <<<"$options" || fail "'$1' names $word, which dunlin run does not take"
        else
            [[ $word =~ ^-?[0-9.]+$ ]] || grep -q "\"$word\"" <<<"$schema" || fail "'$1' names $word, which no scenario has"
        fi
    done
}

rows=0 named=
while IFS='|' read -r _ where first what scenario fields controls _; do
    row="$where/$first/$what"
    found=$(coded "$scenario")
    [[ -n $found ]] || fail "'$row' has no scenario"
    for name in $found; do
        grep -qx -- "$name" <<<"$scenarios" || fail "'$row' names $name, which is not shipped"
    done
    check_fields "$row" "$fields"
    found_controls=$(grep -oE '\*[^*]+\*' <<<"$controls" | tr -d '*')
    [[ -n $found_controls ]] || fail "'$row' has no control of the page"
    while read -r control; do
        grep -rqF -- "\"$control\"" harness/page/src || fail "'$row' names the control $control, which the page does not have"
    done <<<"$found_controls"
    named+=" $found "
    rows=$((rows + 1))
done < <(sed -n '/^### Where an example/,/^### /p' docs/scenarios.md | grep '^|' | sed 1,2d)
((rows > 40)) || fail "only $rows rows were found"
for name in $(grep -E '^(noc_|cc124|doherty)' <<<"$scenarios"); do
    grep -qwF -- "$name" <<<"$named" || fail "no row of the table names $name"
done

# Every number of the two chapters has a row.
table=$(sed -n '/^### Where an example/,/^### /p' docs/scenarios.md | grep '^|')
column() { cut -d '|' -f "$1" <<<"$table" | sed 's/([^)]*)//g'; }
has() { grep -qE -- "$2(\$|[^0-9])" <<<"$(column "$1")" || fail "no row has $2"; } # COLUMN NUMBER
for i in {1..14}; do has 2 "(^|,) 5\.$i"; done
for i in {1..21}; do has 2 "ex\. 5\.$i"; has 3 "ex\. 6\.$i"; done
for i in {1..10}; do has 3 "^ 6\.$i"; done
