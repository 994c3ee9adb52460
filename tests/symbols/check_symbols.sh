#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_symbols.sh shared LIBRARY SONAME HEADER ... | static LIBRARY | kernel NAME OBJECT ... | no_avx OBJECT ...
set -euo pipefail
export LC_ALL=C

fail() {
    echo "$1:" >&2
    sed 's/^/    /' >&2
    exit 1
}

# "TYPE NAME" of every symbol that a linker would see from outside, but for the version of all (A).
defined() { nm --extern-only --defined-only --without-symbol-versions --format=posix "$@" | awk 'NF >= 2 && $2 != "A" { print $2, $1 }'; }

# Exactly what the headers declare, all of it functions, under the right SONAME.
check_shared() {
    local library=$1 soname=$2 difference
    shift 2
    difference=$(diff <(sed -n 's/^DUNLIN_API .*\b\(dunlin_[a-z0-9_]*\)(.*/T \1/p' "$@" | sort) \
        <(defined --dynamic "$library" | sort) | grep '^[<>]' || true)
    [[ -z $difference ]] || fail "not the same in the headers (<) and among the exported symbols (>)" <<<"$difference"
    difference=$(nm --dynamic --extern-only --defined-only "$library" | awk -v version="DUNLIN_${soname##*.so.}" \
        '$2 == "T" && $3 !~ "@@" version "$"')
    [[ -z $difference ]] || fail "symbols without the version of $soname" <<<"$difference"
    readelf --dynamic "$library" | grep "SONAME.*\[$soname\]" >/dev/null || fail "the SONAME is not $soname" </dev/null
}

# DW.ref: of the compiler's, where code is unwound.
check_static() {
    local others
    others=$(defined "$1" | grep -vE ' (dunlin_|dun_|DW\.ref\.)' || true)
    [[ -z $others ]] || fail "external symbols that begin neither with dunlin_ nor with dun_" <<<"$others"
}

# A function that two kernels define alike, weak or COMDAT, would be linked from one of them: perhaps with its instructions.
check_no_comdat() {
    local groups
    groups=$(readelf --section-groups --wide "$@" | grep COMDAT || true)
    [[ -z $groups ]] || fail "COMDAT groups" <<<"$groups"
}

check_kernel() {
    local name=$1 symbols
    shift
    symbols=$(defined "$@" | sort -k 2)
    [[ $symbols =~ ^[DR]\ dun_behave_$name$'\n'[DR]\ dun_kernel_$name$'\n'[DR]\ dun_select_$name$ ]] ||
        fail "kernel $name should define nothing but dun_behave_$name, dun_kernel_$name and dun_select_$name" <<<"$symbols"
    check_no_comdat "$@"
    # What a kernel may not use. The fused additions of avx2 and of NEON are exact (kernels/wide/avx2.h), and no bit depends on those of
    # AVX-512 (kernels/neighbours/interact.h). -ffp-contract=off keeps the compiler from adding others, as the other kernels show.
    local inexact exact='^$'
    if [[ $name != scalar ]]; then exact='\b(vfmadd[0-9]+ps .*%[yz]mm|fmla\s+v)'; fi
    inexact=$(objdump --disassemble --no-show-raw-insn "$@" |
        grep -E '\bv?(fn?m(add|sub)|rcp|rsqrt|fmla|fmls|frecp|frsqrt)' | grep -vE "$exact" || true)
    [[ -z $inexact ]] || fail "a kernel with fused operations or estimates" <<<"$inexact"
}

# Neither wide registers nor the VEX and EVEX forms of narrow ones (vaddps).
check_no_avx() {
    local leaks
    leaks=$(objdump --disassemble --no-show-raw-insn "$@" | grep -E '%[yz]mm|:\s+v[a-z]' | grep -vE ':\s+ver[rw]\b' || true)
    [[ -z $leaks ]] || fail "AVX in code that every processor runs" < <(head -n 20 <<<"$leaks")
}

"check_$1" "${@:2}"
