#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_guides.sh SOURCES SCRATCH: the guides as Debian's package has them have no link that leads out of it, but to headers that are installed.
set -euo pipefail
sources=$1 scratch=$2

fail() { echo "$*" >&2; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"
while read -r entry; do cp -r "$sources/$entry" "$scratch"; done <"$sources/cmake/debian/dunlin-doc.docs"
rm -r "$scratch/docs/site"
(($(bash "$sources/tests/install/list_dangling.sh" "$scratch" | wc -l) > 20)) || fail "nothing is to be settled"
/usr/bin/env python3 "$sources/cmake/debian/settle_guides.py" "$scratch"
while IFS=: read -r page target; do
    header=${target# /usr/include/}
    [[ -e $sources/engine/include/$header || -e $sources/harness/scenario/include/$header ]] || fail "$page:$target leads nowhere"
done < <(bash "$sources/tests/install/list_dangling.sh" "$scratch")
