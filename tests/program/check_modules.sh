#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_modules.sh SOURCES [OBJECT ...]: the arrows between modules point one way. A module is a folder. Its files include, and its
# objects call, only what the table allows; and the arrows that there are form no circle. Within a module, the calls from object to
# object form none either. Without objects only includes count.
set -euo pipefail
export LC_ALL=C
cd "$1"
shift

# The architecture: each module and the modules that it may use. "kernels" stands for all modules of kernels/.
table='
spatial:
kernels/contract:    spatial
kernels/wide:        kernels/contract
kernels/neighbours:  kernels/contract kernels/wide
kernels/motion:      kernels/contract kernels/wide
kernels/behaviours:  kernels/contract kernels/wide
kernels:             kernels spatial

engine/include:
engine/base:         engine/include kernels spatial
engine/world:        engine/base engine/include kernels spatial
engine/survey:       engine/world engine/base engine/include kernels spatial
engine/groups:       engine/survey engine/world engine/base engine/include kernels spatial
engine/scenery:      engine/world engine/base engine/include kernels spatial
engine/behaviours:   engine/scenery engine/groups engine/world engine/base engine/include kernels spatial
engine/prepare:      engine/behaviours engine/scenery engine/groups engine/world engine/base engine/include kernels spatial
engine/cluster:      engine/prepare engine/behaviours engine/scenery engine/world engine/base engine/include kernels spatial
engine/frame:        engine/cluster engine/prepare engine/behaviours engine/scenery engine/groups engine/world engine/base engine/include kernels spatial
engine/query:        engine/frame engine/prepare engine/world engine/base engine/include kernels spatial
engine/state:        engine/frame engine/cluster engine/prepare engine/behaviours engine/scenery engine/world engine/base engine/include kernels spatial
engine:              engine kernels spatial

harness/report:      engine/include engine/base
harness/models:      engine/include
harness/scenario/include: engine/include
harness/scenario:    engine/include engine/base harness/scenario/include harness/models harness/report
harness/picture:     engine/include harness/scenario/include
harness/film:        engine/include harness/report harness/picture
harness/watch:       engine/include harness/report harness/command
harness/trajectory:  engine/include engine/base harness/report
harness/export:      engine/include harness/report harness/trajectory
harness/command:     engine/include harness/report harness/scenario/include harness/scenario
harness/measure:     engine/include harness/report harness/command harness/scenario/include kernels
harness/bench:       engine/include harness/report harness/command harness/measure harness/roofline
harness/scale:       engine/include harness/report harness/command harness/measure
harness/sweep:       engine/include harness/report harness/command harness/trajectory harness/scenario/include harness/scenario
harness/roofline:    engine/include harness/report harness/command harness/measure kernels
harness/microbench:  engine/include harness/report harness/measure kernels
harness/page/engine: engine/include harness/report harness/picture harness/scenario/include
harness/python:      engine/include harness/scenario/include
harness/program:     engine/include engine/base harness/report harness/command harness/picture harness/film harness/watch harness/trajectory harness/export harness/scenario/include harness/scenario harness/sweep
'

# Arrows that there still are and that should go. Take a line out when its arrow is gone.
exceptions='
'

# "FROM TO FILE" of every include of one of our own files.
include_arrows() {
    grep --recursive --no-messages --exclude-dir=node_modules --include='*.[ch]' --include='*.cc' --extended-regexp --only-matching \
        '^ *# *include +("[^"]+"|<dunlin/[^>]+>)' engine kernels spatial harness |
        sed -E 's|:.*<dunlin/scenario.*|:harness/scenario/include/scenario.h|; s|:.*<dunlin/.*|:engine/include/dunlin.h|; s|:[^"]*"(.*)"|:\1|' |
        awk -F: 'function module(path) { sub("/[^/]*$", "", path); sub("^engine/include/.*", "engine/include", path)
                     sub("^harness/scenario/include/.*", "harness/scenario/include", path); return path }
                 $2 ~ "/" { print module($1), module($2), $1 " includes " $2 }'
}

# The same of every symbol that one object uses and another defines.
symbol_arrows() {
    nm --print-file-name --extern-only --format=posix "$@" |
        awk 'function module(path) {
                 sub(":$", "", path); gsub("/[.]/", "/", path)
                 if (!match(path, "[a-z]+/CMakeFiles/[^/]*[.]dir/")) return "?"
                 top = substr(path, RSTART); sub("/.*", "", top)
                 rest = substr(path, RSTART + RLENGTH)
                 if (!sub("/[^/]*$", "", rest)) return top
                 return top == "engine" ? top "/" rest : top
             }
             $3 == "U" { used[$1 " " $2]; next }
             NF >= 3 && $2 ~ "^dun" { defines[$2] = module($1) }
             END {
                 for (use in used) {
                     split(use, part, " ")
                     if (part[2] in defines) {
                         file = part[1]; sub(":$", "", file); sub(".*[.]dir/([.]/)?", "", file)
                         print module(part[1]), defines[part[2]], file " uses " part[2]
                     }
                 }
             }'
}

# "FROM TO" of every call from one object of engine/ or harness/ to another one of its module.
file_arrows() {
    nm --print-file-name --extern-only --format=posix "$@" |
        awk '
            !match($0, "(engine|harness)/([a-z]+/)?CMakeFiles/") { next }
            { $0 = substr($0, RSTART); sub("CMakeFiles/[^/]*[.]dir/([.]/)?", ""); sub(":$", "", $1) }
            $3 == "U" { used[$1 " " $2]; next }
            $3 ~ "[TDBR]" { defines[$2] = $1 }
            function module(file) { sub("/[^/]*$", "", file); return file }
            END {
                for (use in used) {
                    split(use, part, " ")
                    from = part[1]; to = defines[part[2]]
                    if (part[2] in defines && from != to && module(from) == module(to)) print from, to
                }
            }'
}

# Prints what is wrong with arrows; nothing if all is well.
complaints() {
    sort -u | awk -v table="$table" -v exceptions="$exceptions" '
        function allowed(from, to,   n, list, i) {
            n = split(may[from], list, " ")
            for (i = 1; i <= n; i++) if (to == list[i] || index(to, list[i] "/") == 1) return 1
            return 0
        }
        function visit(module, way,   n, list, i) { # depth first
            if (state[module] == "done") return
            if (state[module] == "open") { print "a circle:" substr(way, index(way, " " module " ")) module; exit }
            state[module] = "open"
            n = split(uses[module], list, " ")
            for (i = 1; i <= n; i++) visit(list[i], way " " module " ")
            state[module] = "done"
        }
        BEGIN {
            n = split(table, line, "\n")
            for (i = 1; i <= n; i++) if (split(line[i], part, ":") == 2) { may[part[1]] = part[2]; known[part[1]] }
            n = split(exceptions, line, "\n")
            for (i = 1; i <= n; i++) if (line[i] != "") excepted[line[i]] = 1
        }
        $1 == $2 { next }
        !($1 in known) { print "the table has no module " $1 ": " substr($0, index($0, $3)); next }
        ($1 " " $2) in excepted { found[$1 " " $2]; next }
        !allowed($1, $2) { print $1 " must not use " $2 ": " substr($0, index($0, $3)) }
        !(($1 " " $2) in seen) { seen[$1 " " $2]; uses[$1] = uses[$1] " " $2; modules[$1] }
        END {
            for (arrow in excepted) if (!(arrow in found)) print "no such arrow is left, so take it out of the exceptions: " arrow
            for (module in modules) visit(module, "")
        }'
}

others=() # objects of harness/, of which only calls from file to file are looked at
for object in "$@"; do [[ $object != */harness/* ]] || others+=("$object"); done
if ((${#others[@]})); then set -- "${@:1:$#-${#others[@]}}"; fi
arrows=$(include_arrows)
if (($#)); then arrows+=$'\n'$(symbol_arrows "$@"); fi
(($(wc -l <<<"$arrows") > 300)) || { echo "only $(wc -l <<<"$arrows") arrows were found" >&2; exit 1; }
wrong=$(complaints <<<"$arrows")
[[ -z $wrong ]] || { echo "$wrong" >&2; exit 1; }
if (($#)); then
    calls=$(file_arrows "$@" "${others[@]}")
    (($(wc -l <<<"$calls") > 50)) || { echo "only $(wc -l <<<"$calls") calls within modules were found" >&2; exit 1; }
    tsort <<<"$calls" 2>&1 >/dev/null | sed 's/^tsort: -:/a circle of files:/' >&2
    tsort <<<"$calls" >/dev/null 2>&1
fi
