#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh PYTHON PROGRAM [--nightly]: all tests of the package that PYTHON has, also those beside NumPy, a line each, and their sum at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."
export DUNLIN_PROGRAM=$2 DUNLIN_ROUNDS=3 PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
if [[ ${3:-} == --nightly ]]; then DUNLIN_ROUNDS=50; fi
status=0
"$1" -m pytest -v -p no:cacheprovider --durations=10 tests/python | awk '
    $2 == "PASSED" { ok++; print "ok " $1; next }
    $2 == "SKIPPED" { print "skipped " $1; next }
    $2 == "FAILED" || $2 == "ERROR" { failed++; print "failed " $1; next }
    { print; fflush() }
    END { print ok + 0 " ok, " failed + 0 " failed" }' || status=$?
if ((status > 1)); then echo "failed pytest, with status $status"; fi
