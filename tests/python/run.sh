#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh PYTHON PROGRAM [--nightly]: tests of the package that PYTHON has, a line each, and their sum at the end: those beside other packages, and
# those of what an installed package may lack, without those that are marked as nightly. The rest does not depend on how it was installed, and
# `make test` runs it; --nightly: all, with more rounds.
set -euo pipefail
cd "$(dirname "$0")/../.."
export DUNLIN_PROGRAM=$2 PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
chosen=(-m "not nightly" tests/python/others tests/python/test_package.py)
if [[ ${3:-} == --nightly ]]; then
    export DUNLIN_ROUNDS=50
    chosen=(tests/python)
fi
status=0
"$1" -m pytest -v -p no:cacheprovider --durations=10 "${chosen[@]}" | awk '
    $2 == "PASSED" { ok++; print "ok " $1; next }
    $2 == "SKIPPED" { print "skipped " $1; next }
    $2 == "FAILED" || $2 == "ERROR" { failed++; print "failed " $1; next }
    { print; fflush() }
    END { print ok + 0 " ok, " failed + 0 " failed" }' || status=$?
if ((status > 1)); then echo "failed pytest, with status $status"; fi
