#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_format.sh SOURCES CLANG_FORMAT: clang-format leaves every file as it is. One version, 14: another formats otherwise.
set -euo pipefail
cd "$1"
[[ $("$2" --version) == *"version 14."* ]] || { echo "$2 is not version 14" >&2; exit 77; }
mapfile -t files < <(find engine kernels spatial harness tests docs -name node_modules -prune -o \
    '(' -name '*.[ch]' -o -name '*.hpp' -o -name '*.cc' -o -name '*.cpp' ')' -print)
((${#files[@]} > 300)) || { echo "only ${#files[@]} files were found" >&2; exit 1; }
"$2" --dry-run -Werror "${files[@]}"
