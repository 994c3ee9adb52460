#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# draw.sh OBJECT ...: which of the engine's modules use symbols of which, as a graph for Graphviz's dot. A file that is in no module
# is one of its own. Arrows that belong to a circle are red.
#     docs/images/modules/draw.sh $(find build/engine -name '*.o') | dot -Tsvg >docs/images/modules/modules.svg
set -euo pipefail
export LC_ALL=C

nm --print-file-name --extern-only --format=posix "$@" | awk '
    {
        file = $1
        sub(/.*dunlin_engine\.dir\//, "", file)
        sub(/\.c\.o.*/, "", file)
        module = file
        if (sub(/\/.*/, "", module) && !(file in known)) {
            sub(/.*\//, "", file)
            files[module] = files[module] "<br align=\"left\"/>" file
        }
        known[$1] = known[module "/" file] = modules[module] = 1
    }
    $3 ~ /^[TDRBC]$/ { home[$2] = module }
    $3 == "U" { uses[module, $2] = 1 }
    function reaches(from, to,    i, n, next_modules) {
        if (from == to) return 1
        if (from in seen) return 0
        seen[from] = 1
        n = split(arrows_of[from], next_modules, " ")
        for (i = 1; i <= n; i++) if (reaches(next_modules[i], to)) return 1
        return 0
    }
    END {
        for (use in uses) {
            split(use, part, SUBSEP)
            to = home[part[2]]
            if (to == "" || to == part[1] || (part[1], to) in arrow) continue
            arrow[part[1], to] = 1
            arrows_of[part[1]] = arrows_of[part[1]] " " to
        }
        print "digraph modules {\ngraph [rankdir=LR, nodesep=0.15, ranksep=0.6, bgcolor=white]"
        print "node [shape=box, style=\"rounded,filled\", fillcolor=\"#f2f4f6\", color=\"#9999aa\", fontname=Helvetica, fontsize=11, height=0.24]"
        print "edge [color=\"#a0a6ae\", arrowsize=0.6]"
        for (module in modules)
            print "\"" module "\"" (module in files ? " [label=<<b>" module "</b>" files[module] "<br align=\"left\"/>>]" : "")
        for (a in arrow) {
            split(a, part, SUBSEP)
            delete seen
            print "\"" part[1] "\" -> \"" part[2] "\"" (reaches(part[2], part[1]) ? " [color=\"#c0392b\", penwidth=1.6]" : "")
        }
        print "}"
    }'
