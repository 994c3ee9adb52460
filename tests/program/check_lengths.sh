#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_lengths.sh SOURCES: no function is longer than its module's limit, in lines from its name to the last brace. With
# clang-format's style a function begins at column 0 and ends with a brace there.
set -euo pipefail
export LC_ALL=C
cd "$1"

# Modules, and how many lines a function there may have.
limits='
engine  30
kernels 30
spatial 30
harness 40
'

# Functions that are longer, as "module function". Shorten them, and take them out.
exceptions='
'

find engine kernels spatial harness -name node_modules -prune -o -name '*.[ch]' -print | sort | xargs awk -v limits="$limits" -v exceptions="$exceptions" '
    BEGIN {
        n = split(limits, line, "\n")
        for (i = 1; i <= n; i++) if (split(line[i], part, " ") == 2) limit[part[1]] = part[2]
        n = split(exceptions, line, "\n")
        for (i = 1; i <= n; i++) if (line[i] != "") excepted[line[i]]
    }
    FNR == 1 { state = ""; module = FILENAME; sub("/.*", "", module) }
    { sub(" */[*].*[*]/$", "") }
    state == "" && /^[A-Za-z_][^;={]*[(]/ && !/^(typedef|struct|enum|union) [^(]*[{]/ && !/\\$/ {
        state = "head"
        first = FNR
        name = $0
        while (match(name, "(WIDE_[A-Z]*|__attribute__)[(]+[^()]*[)]+ *")) name = substr(name, 1, RSTART - 1) substr(name, RSTART + RLENGTH)
        sub("[(].*", "", name)
        sub(".*[ *]", "", name)
    }
    state == "head" && (/;$/ || /[{].*}$/) { state = "" }
    state == "head" && /[{]$/ { state = "body" }
    state == "body" && /^}$/ {
        state = ""
        functions++
        length_ = FNR - first + 1
        if (length_ <= limit[module]) next
        if ((module " " name) in excepted) { found[module " " name]; next }
        print FILENAME ":" first ": " name "() has " length_ " lines: " limit[module] " are the limit"
        wrong = 1
    }
    END {
        for (one in excepted) if (!(one in found)) { print "no such function is too long, so take it out of the exceptions: " one; wrong = 1 }
        if (functions < 3500) { print "only " functions " functions were found"; wrong = 1 }
        print functions " functions" > "/dev/stderr"
        exit wrong
    }' >&2
