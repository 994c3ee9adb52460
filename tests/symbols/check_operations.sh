#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_operations.sh SOURCES COLUMN OBJDUMP OBJECT: no wide operation is emulated where the target has it. OBJECT is operations.c, compiled as a
# kernel; what its functions consist of must be what that column of operations.txt says. Every operation is in it.
set -euo pipefail
export LC_ALL=C
sources=$1 column=$2 objdump=$3 object=$4
here=$sources/tests/symbols

difference=$(diff <(sed -n 's/^WIDE_INLINE [a-z0-9_]* \([a-z0-9_]*\)(.*;.*/\1/p' "$sources/kernels/wide/operations.h" | sort --unique) \
    <(sed -n 's/^\(wide_[a-z0-9_]*\) .*/\1/p' "$here/operations.txt" | sort) || true)
[[ -z $difference ]] || { echo "not the same in operations.h (<) and in operations.txt (>):"; echo "$difference"; exit 1; } >&2

"$objdump" --disassemble --no-show-raw-insn "$object" | awk -v wanted="$column" '
    function is_free(text) {
        return text ~ /^(ret|endbr64|vzeroupper|nop|data16|xchg|cs |kmov|local[.]|end|[a-z0-9]+[.]const)/ ||
            text ~ /^v?mov([a-ln-z0-9][a-z0-9]*)? %[a-z0-9]+,%[a-z0-9]+$/ || text ~ /^f?mov [a-z0-9.]+,[a-z][a-z0-9.]*$/
    }
    function fail(why) { print name ": " why ":" instructions; failed = 1 }
    function close_function(parts, most, pattern) {
        if (!(name in expected)) return
        most = split(expected[name], parts, ":") == 2 ? parts[1] : 1
        pattern = parts[most == 1 && parts[2] == "" ? 1 : 2]
        checked[name] = 1
        if (pattern == "-") most = 0
        else if (instructions !~ "\n +(" pattern ")( |\n|$)") fail("not " pattern)
        if (count > most) fail(count " instructions, which may be " most)
    }
    FNR == NR && /^#  / { for (i = 2; i <= NF; i++) if ($i == wanted) at = i; next }
    FNR == NR && /^wide_/ { if (!at) { print "there is no column " wanted; failed = 1; exit } expected[$1] = $at; next }
    FNR == NR { next }
    / <of_wide_.*>:$/ { close_function(); name = $2; gsub(/^<of_|>:$/, "", name); count = 0; instructions = ""; next }
    /^ +[0-9a-f]+:/ {
        sub(/^ +[0-9a-f]+:[ \t]+/, ""); sub(/ *#.*| *\/\/.*/, ""); gsub(/, */, ","); gsub(/[ \t]+/, " "); sub(/ $/, "")
        if (is_free($0)) next
        count++
        instructions = instructions "\n    " $0
    }
    END {
        close_function()
        for (name in expected) if (!(name in checked)) { instructions = ""; fail("not in the object") }
        exit failed
    }' "$here/operations.txt" - >&2
