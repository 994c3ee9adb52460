#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_readme.sh SOURCES: the README and the first guide show examples as they are compiled, and the README the libraries that the
# program needs; CONTRIBUTING.md shows what `make test` ends with; every file and every target of make that it and the guides name exists; and the
# gallery shows every scenario.
set -euo pipefail
cd "$1"

fail() { echo "$*" >&2; exit 1; }

code_of() { awk -v language="$2" '/^```$/ { on = 0 } on; $0 == "```" language { on = 1 }' "$1"; }

diff <(code_of README.md c) docs/examples/embed.c || fail "README.md shows another docs/examples/embed.c"

# Each block of C of the first guide stands in one of its two programs, and it shows what they print.
programs=$(cat docs/examples/hello.c docs/examples/hunt.c)$'\n'
blocks=0
while IFS= read -r -d '' block; do
    blocks=$((blocks + 1))
    [[ $programs == *"$block"* ]] || fail "docs/hello.md shows C that its programs do not have: $block"
done < <(awk '/^```c$/ { on = 1; next } /^```$/ && on { printf "%c", 0; on = 0 } on' docs/hello.md)
((blocks > 5)) || fail "docs/hello.md shows only $blocks blocks of C"

programs=$(cat docs/examples/*.cpp)$'\n'
while IFS= read -r -d '' block; do
    [[ $programs == *"$block"* ]] || fail "docs/embedding.md shows C++ that no example has: $block"
done < <(awk '/^```cpp$/ { on = 1; next } /^```$/ && on { printf "%c", 0; on = 0 } on' docs/embedding.md)

for page in README.md docs/*.md; do
    while read -r target; do
        [[ -e $(dirname "$page")/$target ]] || fail "$page points at $target, which does not exist"
    done < <(awk '/^```/ { on = !on } !on' "$page" | grep -oE '\]\([^)#:]+' | cut -c 3-)
    while read -r test; do
        compgen -G "$test" >/dev/null || fail "$page names $test, which does not exist"
    done < <(grep -oE '`tests/[A-Za-z0-9_*./-]+`' "$page" | tr -d '`')
done

for scenario in harness/scenarios/*.yaml; do
    name=$(basename "$scenario" .yaml)
    [[ -e docs/images/gallery/$name.png ]] && grep -q "src=\"images/gallery/$name.png\"" docs/gallery.md || fail "docs/gallery.md does not show $name: make gallery"
done

# Targets of make, as commands or `in code`. `make help` lists all there are.
helped=$(make --no-print-directory help | grep -oE '^make [a-z-]+|, test-[a-z0-9-]+' | sed -E 's/^(make|,) //')
has_rule() { grep -qE "^([a-z -]+ )?$1( [a-z0-9 -]+)?:( |\$)" Makefile; }
named=0
while IFS=: read -r page target; do
    named=$((named + 1))
    grep -qx -- "$target" <<<"$helped" || fail "$page says 'make $target', which make help does not list"
done < <(grep -oE '(^|^    |`|; )make [a-z][a-z0-9-]*' README.md docs/*.md | sed -E 's/:.*make /:/')
((named > 20)) || fail "only $named targets of make were found"
for target in $helped; do has_rule "$target" || fail "make help lists $target, for which there is no rule"; done
for target in $(sed -nE '/^\.PHONY:/,/[^\\]$/p' Makefile | sed 's/^\.PHONY://; s/\\$//'); do
    [[ $target == help ]] || grep -qx -- "$target" <<<"$helped" || fail "make help does not list $target"
done

# What `make test` ends with: a line for its build, the longest tests, and the sum, as run_tests.sh writes them.
ending=$(sed -E 's/^ *(summary\+=|echo )"//; s/"(\$.*)?$//; s/\$\(\([^)]*\)\)|\$\{[^}]*\}|\$[a-z0-9]+/…/g' cmake/run_tests.sh | tr -d '\n')
ending+=$(grep -o '    longest: ' cmake/run_tests.sh)…
shown=$(code_of CONTRIBUTING.md text | sed -nE 's/^([A-Za-z0-9-]+): … .*/\1/p' | paste -sd ' ')
[[ $shown == "release Tests" ]] || fail "make test ends with lines of 'release Tests', CONTRIBUTING.md shows '$shown'"
while read -r line; do
    [[ $ending == *"$line"* ]] || fail "CONTRIBUTING.md shows '$line', which make test does not end with"
done < <(code_of CONTRIBUTING.md text | sed -E 's/^[a-z0-9-]+: /…: /' | sort -u)

# The libraries that CMake looks for, for the program.
needs=$(sed -n '/Only the program needs/,/\.$/p' README.md)
while read -r library; do
    grep -qE "\b(lib)?$library\b" <<<"$needs" || fail "README.md does not say that the program needs $library"
done < <(sed -nE 's/^ *pkg_check_modules\(([a-z]+) .*/\1/p' harness/*CMakeLists.txt harness/*/CMakeLists.txt)
