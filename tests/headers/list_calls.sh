#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# list_calls.sh HEADER ...: C code that can call every function that these headers declare, and a table of them, public_calls[].
# tests/lib/public_calls.c defines the arguments: TYPE_p(name) for a pointer argument, TYPE(name) for another one.
set -euo pipefail
export LC_ALL=C
cat "$@" | grep -vE '^ *(/?\*|#)' | sed 's|/\*.*\*/||' | tr '\n' ' ' | grep -oE 'DUNLIN_API [^;]*;' | tr -s ' ' |
    awk '
    function trim(s) { gsub(/^ +| +$/, "", s); return s }
    # "const float *const points[3]" -> argument_float_pp(points)
    function argument(parameter,   type, name, stars) {
        sub(/\[[^]]*\]$/, " *", parameter)                # an array is a pointer
        stars = gsub(/\*/, " ", parameter)
        gsub(/(^| )const /, " ", parameter)
        parameter = trim(parameter)
        name = parameter; sub(/.* /, "", name)
        type = parameter; sub(/ +[a-z_0-9]+$/, "", type); type = trim(type)
        return stars "|" name "|" "argument_" type (stars ? "_" substr("pppp", 1, stars) : "") "(" name ")"
    }
    {
        sub(/^DUNLIN_API /, ""); sub(/\);$/, "")
        head = $0; sub(/\(.*/, "", head)
        list = $0; sub(/^[^(]*\(/, "", list)
        function_name = head; sub(/.*[ *]/, "", function_name)
        fails = head ~ /^dunlin_result /
        count = list == "void" ? 0 : split(list, parameter, /, */)
        names = pointers = ""; world = 0; arguments = ""
        for (i = 1; i <= count; i++) {
            split(argument(parameter[i]), part, "|")
            if (part[2] == "world" && part[1] == 1) world = parameter[i] ~ /const/ ? 1 : 2
            value = part[1] ? "(c->null & " 2 ^ (i - 1) "u) ? NULL : " part[3] : part[3]
            if (part[2] == "error") value = "(c->null & " 2 ^ (i - 1) "u) ? NULL : &c->error"
            arguments = arguments (i > 1 ? ", " : "") value
            names = names "\"" part[2] "\", "
            pointers = pointers (part[1] ? "true, " : "false, ")
        }
        taken = head ~ /^void / ? "" : "(void)"
        if (head ~ /^(double|float) /) taken = "c->number = (double)"
        if (head ~ /^uint64_t /) taken = "c->whole = "
        printf "static void call_%s(public_call *c) {\n    %s%s(%s);\n}\n", function_name,
            fails ? "c->result = " : "(void)c;\n    " taken, function_name, arguments
        row[NR] = sprintf("    {\"%s\", call_%s, %s, %d, %d, {%s}, {%s}},", function_name, function_name, fails ? "true" : "false",
            world, count, count ? names : "NULL", count ? pointers : "false")
    }
    END {
        if (NR < 150) { print "only " NR " functions were found" > "/dev/stderr"; exit 1 }
        print "const public_function public_functions[] = {"
        for (i = 1; i <= NR; i++) print row[i]
        print "};\nconst int public_function_count = " NR ";"
    }'
