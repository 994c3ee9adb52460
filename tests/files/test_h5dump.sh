#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The trajectory, read by HDF5's own tools.
set -euo pipefail

# Where there is nothing to see, h5dump says so too.
check() {
    local simulation=$1 frame=$2 state=$3 rows
    rows=$(grep -c '^[0-9]' "$state")
    h5dump --noindex --width=1 --dataset=/particles/agents/id/value --start="$frame,0" --count="1,$rows" "$simulation.h5" |
        sed -n 's/^ *\([0-9][0-9]*\),\{0,1\}$/\1/p' >"$simulation.ids"
    if ! diff -q "$simulation.ids" <(grep '^[0-9]' "$state" | cut -d, -f1 | sort -n) >/dev/null; then
        echo "failed trajectory by h5dump: $simulation: other ids in frame $frame"
        return
    fi
    echo "ok trajectory by h5dump: $simulation"
}

if ! command -v h5dump >/dev/null; then
    echo "skipped trajectory by h5dump: h5dump"
    exit 0
fi
check reef 12 reef/state-60.csv
check ecosystem 12 ecosystem/state.csv
check starlings 4 starlings/state-28.csv
