#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_words.sh SOURCES [PATH ...]: no guide, comment or message has a word that has misled readers, and each name in the glossary exists.
# Without paths it looks at all of them. Of C and TypeScript it reads comments and strings, of shell and CMake comments, of
# Markdown all but links' targets. CHANGELOG.md is not read: it names what there was.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$1"
shift

# What is wrong, as a word of an extended regular expression, and what to write instead. Case does not matter. `docs` in front: only in Markdown.
table='
fly|flies|flew|flown|flying                          | run, simulate; an agent moves
flight|flights                                       | run, simulation
tell|tells|telling|told                              | say, report, show; all-to-all
anew                                                 | again
mend|mends|mended|mending                            | fix
rooms                                                | modules
docs room                                            | module; space, memory
nobody|somebody|everybody|whom|whoever               | no agent, an agent that
docs whose                                           | with, of which, that has
(agents?|ranks?|threads?|lanes?|neighbours?|observers?|species|those|one|ones) who | that
docs who                                             | which, that
(is|are|was|were) he|he (is|has|was|sees|does)       | it
(come|comes|came|put|puts|lie|lies|go|goes|placed|stands?) behind | after
behind (all|those) (others|agents|that)              | after
go on|goes on|went on|going on                       | continue
(nothing|something) else is said                     | by default, otherwise
groups? of (up to )?([0-9]+|a few|several) (lanes|agents of a row)|lanes of (a|the) group|(a|the|each|one) group.s (lanes|runs|candidates) | packet
runs of (a|the|each) (group|packet)|(a|the) run of slots|list(s|ing)? (the )?runs  | ranges
half.view|body.radius                                | half_angle, clearance
'

# Where a word stands for something else: PATH: WORD
allowed='
README.md: fly            the first lines
docs/gallery.md: fly|flies|room|behind    scenarios tell stories
docs/glossary.md: .*      lists what not to write
CONTRIBUTING.md: room|rooms|who    the word that the code uses; contributors are people
tests/page/package.mjs: nobody    a file of the test
harness/page/src/control_model.ts: whom    a heading of the page
tests/program/check_words.sh: .*
'

default=(docs README.md CONTRIBUTING.md SECURITY.md engine kernels spatial harness tests cmake .ci)
(($# > 0)) || set -- "${default[@]}"
mapfile -t files < <(find "$@" \( -name node_modules -o -name images \) -prune -o -type f \
    \( -name '*.md' -o -name '*.[ch]' -o -name '*.hpp' -o -name '*.cc' -o -name '*.cpp' -o -name '*.ts' -o -name '*.mjs' -o -name '*.sh' -o -name 'CMakeLists.txt' -o -name '*.cmake' \) -print | sort)
((${#files[@]} > 0)) || { echo "there are no files to read in $*" >&2; exit 1; }

# Prints "FILE:LINE:TEXT" of what people read.
texts() {
    awk '
        # The comments and strings of one line of C; `inside` is true in a comment that goes over lines.
        function of_c(line,    out, at, end) {
            out = ""
            while (line != "") {
                if (inside) {
                    end = index(line, "*/")
                    out = out " " (end ? substr(line, 1, end - 1) : line)
                    if (!end) return out
                    inside = 0
                    line = substr(line, end + 2)
                } else if (match(line, /"([^"\\]|\\.)*"|\/\*|\/\/.*/)) {
                    at = substr(line, RSTART, RLENGTH)
                    line = substr(line, RSTART + RLENGTH)
                    if (at == "/*") inside = 1
                    else if (prefix_is_include) ; else out = out " " at
                } else {
                    return out
                }
            }
            return out
        }
        FNR == 1 { inside = 0; kind = FILENAME ~ /\.(c|h|hpp|cc|cpp|ts|mjs)$/ ? "c" : FILENAME ~ /\.md$/ ? "md" : "sh" }
        { text = $0 }
        kind == "c" { prefix_is_include = /^ *# *include/; text = of_c($0) }
        kind == "sh" { if (!sub(/(^|.* )#/, "", text)) text = "" }
        kind == "md" { gsub(/\]\([^)]*\)|`[^`]*\/[^`]*`|<[^>]*>/, "]", text) }
        text ~ /[A-Za-z]/ { print FILENAME ":" FNR ":" text }' "$@"
}
all=$(texts "${files[@]}")
guides=$(grep -E '^[^:]*\.md:' <<<"$all" || true)

wrong=0
while IFS= read -r row; do
    [[ -n $row ]] || continue
    pattern=$(sed -E 's/ +\| [^|]*$//' <<<"$row") instead=$(sed -E 's/.* \| //' <<<"$row")
    where=$all
    [[ $pattern != docs\ * ]] || { where=$guides pattern=${pattern#docs }; }
    while IFS= read -r found; do
        [[ -n $found ]] || continue
        word=$(grep -oiwE -m 1 -- "$pattern" <<<"${found#*:*:}" | head -n 1 | tr A-Z a-z)
        allows=$(awk -F ': ' -v file="${found%%:*}" '$1 == file { sub(/ .*/, "", $2); print $2 }' <<<"$allowed")
        [[ -n $allows ]] && grep -qxE -- "$allows" <<<"$word" && continue
        echo "${found%%:*}:$(cut -d: -f2 <<<"$found"): '$word': write: $instead" >&2
        wrong=$((wrong + 1))
    done < <(grep -iE -- "^[^:]*:[0-9]*:.*([^[:alnum:]_-]|^)($pattern)([^[:alnum:]_-]|\$)" <<<"$where" || true)
done <<<"$table"

# Names in the glossary's column "in code".
while read -r name; do
    grep -rqwF --include='*.[ch]' --include=CMakeLists.txt -- "${name#dunlin run}" engine kernels spatial harness || {
        echo "docs/glossary.md names $name, which is nowhere in the code" >&2
        wrong=$((wrong + 1))
    }
done < <(awk -F' \\| ' '/^\| \*\*/ { print $3 }' docs/glossary.md | grep -oE '`[^`]+`' | tr -d '`' | sort -u)

((wrong == 0)) || { echo "$wrong words to replace; docs/glossary.md has the words that we use" >&2; exit 1; }
