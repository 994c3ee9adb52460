#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_parts.sh HEADER ...: dunlin.h includes every part, and the parts include each other in no circle.
set -euo pipefail
export LC_ALL=C
(($# > 5)) || { echo "only $# headers were found" >&2; exit 1; }
arrows=""
for header in "$@"; do
    part=$(basename "$header")
    arrows+=$(sed -nE "s|^#include <dunlin/(.*)>|$part \\1|p" "$header")$'\n'
    if [[ $part != dunlin.h ]]; then
        grep -q "^#include <dunlin/$part>" "$(dirname "$header")/dunlin.h" || { echo "dunlin.h does not include $part" >&2; exit 1; }
    fi
done
tsort <<<"$arrows" >/dev/null
