#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_readme.sh SOURCES: the README shows the embedding example as it is compiled, every file it and the guides point at exists, and
# the gallery shows every scenario.
set -euo pipefail
cd "$1"

fail() { echo "$*" >&2; exit 1; }

code_of() { awk -v language="$2" '/^```$/ { on = 0 } on; $0 == "```" language { on = 1 }' "$1"; }

diff <(code_of README.md c) docs/examples/embed.c || fail "README.md shows another docs/examples/embed.c"

for page in README.md docs/*.md; do
    while read -r target; do
        [[ -e $(dirname "$page")/$target ]] || fail "$page points at $target, which does not exist"
    done < <(grep -oE '\]\([^)#:]+' "$page" | cut -c 3-)
    while read -r test; do
        compgen -G "$test" >/dev/null || fail "$page names $test, which does not exist"
    done < <(grep -oE '`tests/[A-Za-z0-9_*./-]+`' "$page" | tr -d '`')
done

for scenario in harness/scenarios/*.yaml; do
    name=$(basename "$scenario" .yaml)
    grep -q "(images/gallery/$name.png)" docs/gallery.md || fail "docs/gallery.md does not show $name: make gallery"
done
