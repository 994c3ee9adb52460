#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_messages.sh SOURCES: no message prints an enumerator as a number. The enumerations and the fields that have their types are those
# of the public headers. An argument of a message may name such a field or an enumerator only to choose between words. And
# tests/lib/plain.h, which looks at the messages themselves, knows all these fields.
set -euo pipefail
export LC_ALL=C
cd "$1"
header=$(mktemp)
trap 'rm -f "$header"' EXIT
cat engine/include/dunlin/*.h >"$header"

enumerators=$(awk '/^typedef enum/ { inside = 1; next } /^}/ { inside = 0 } inside && match($0, /DUNLIN_[A-Z_]+/) {
    print substr($0, RSTART, RLENGTH) }' "$header" | grep -v '^DUNLIN_ERROR_\|^DUNLIN_OK$')
types=$(sed -nE 's/^typedef enum (dunlin_[a-z_]+) .*/\1/p' "$header" | grep -v '^dunlin_result$')
fields=$(grep -E "^ +($(paste -sd'|' <<<"$types")) [a-z_]+(\[[^]]*\])?;" "$header" | sed -E 's/^ +dunlin_[a-z_]+ ([a-z_]+).*/\1/' | sort -u)
(($(wc -w <<<"$types") >= 15 && $(wc -w <<<"$fields") >= 15 && $(wc -w <<<"$enumerators") >= 80)) || { echo "the header has only $types, $fields" >&2; exit 1; }

for field in $fields; do
    grep -q "\"$field\"" tests/lib/plain.h || { echo "tests/lib/plain.h does not know the enumerator $field" >&2; exit 1; }
done

# Each call that makes a message, in one line: its strings as "", and its arguments without what turns an enumerator into a word.
calls() {
    awk '
        { line = $0; sub(/^[ \t]+/, "", line); sub(/ *\/\*.*\*\/ *$/, "", line) }
        statement == "" && line !~ /(dun_fail|dun_fail_at|bench_fail|FAIL|FAIL_FIELD|FAIL_AT|WARN|study_fail|message_print|message_write|option_reject)\(/ { next }
        statement == "" { begin = FNR }
        { statement = statement " " line }
        line ~ /;$|[{}\\]$/ { print FILENAME ":" begin ":" statement; statement = "" }
        FNR == 1 && NR > 1 { statement = "" }' "$@"
}
mapfile -t sources < <(find engine harness -name node_modules -prune -o -name '*.c' -print | sort)
all=$(calls "${sources[@]}" | grep -v ':#define')
(($(wc -l <<<"$all") > 400)) || { echo "only $(wc -l <<<"$all") messages were found" >&2; exit 1; }

# "open (3)"
wrong=$(grep -E '[a-z] \([0-9]+\)[^"]*"' <<<"$all" | grep -vE 'dun_check_(vector|axis)' || true)
stripped=$(sed -E 's/"([^"\\]|\\.)*"/""/g; s/words\[[^]]*(\[[^]]*\][^]]*)?\]//g; s/dun_choice_name\([^()]*(\([^()]*\)[^()]*)*\)//g
                   s/types\[[^]]*\]->name//g; s/[^,(]*[=!]= *DUNLIN_[A-Z_]+[^?,]*\?//g; s/if \(.*\) return /return /' <<<"$all")
# Texts that are called like an enumerator.
stripped=$(sed -E 's/bench->distribution//g' <<<"$stripped")
any=$(paste -sd'|' <<<"$fields")
wrong+=$(grep -E "\"\".*, *(\((int|unsigned)\) *)?([a-z_]+(->|\.))+($any)(\[[a-z0-9]+\])? *[,)]|\"\".*, *\((int|unsigned)\) *($any) *[,)]" <<<"$stripped" || true)
wrong+=$(grep -E "\"\".*, *(\((int|unsigned)\) *)?($(paste -sd'|' <<<"$enumerators")) *[,)]" <<<"$stripped" || true)
[[ -z $wrong ]] || { echo "an enumerator is printed as a number:" >&2; echo "$wrong" >&2; exit 1; }
