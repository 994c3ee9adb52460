#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_kernel_headers.sh SOURCES COMPILER: every header of kernels/ includes what it uses. It compiles alone, on the scalar target.
# The list of operations and the targets need each other, so of these only the scalar target is compiled.
set -euo pipefail
cd "$1"
mapfile -t headers < <(find kernels -name '*.h' ! -path 'kernels/wide/operations.h' ! -path 'kernels/wide/avx*.h' ! -path 'kernels/wide/*128.h')
((${#headers[@]} > 20)) || { echo "only ${#headers[@]} headers were found" >&2; exit 1; }
for header in "${headers[@]}"; do
    "$2" -std=c17 -D_GNU_SOURCE -I. '-DDUNLIN_WIDE="kernels/wide/scalar.h"' -Wall -Wno-unused-function -Wno-unused-const-variable \
        -Werror -fsyntax-only -include "$header" -include "$header" tests/headers/empty.c || { echo "$header does not compile alone" >&2; exit 1; }
done
