#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_calls.sh PROGRAM HEADER ...: the foreign program links every function that the public headers declare.
set -euo pipefail
program=$1
shift
declared=$(cat "$@" | grep -vE '^ *(/?\*|#)' | tr '\n' ' ' | grep -oE 'DUNLIN_API [^;]*;' | sed -E 's/^DUNLIN_API [^(]*\b(dunlin_[a-z0-9_]+)\(.*/\1/')
count=$(wc -l <<<"$declared")
((count > 80)) || { echo "only $count functions were found in $*" >&2; exit 1; }
status=0
for function in $declared; do
    grep -q "F($function)" "$program" || { echo "$program does not link $function()" >&2; status=1; }
done
exit $status
