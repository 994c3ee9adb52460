#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_length.sh HEADER ...: the public headers are short enough to read: they have at most 90 words of comments per function, all
# together. A rule that holds for a part stands once, at its top.
set -euo pipefail
export LC_ALL=C
limit=90
functions=$(cat "$@" | grep -cE '^DUNLIN_API ')
((functions > 150)) || { echo "only $functions functions were found" >&2; exit 1; }
words=$(awk '
    function count(text,   n, word, i) {
        n = split(text, word, /[ \t]+/)
        for (i = 1; i <= n; i++) words += word[i] ~ /[A-Za-z0-9]/
    }
    {
        for (line = $0; line != "" ; ) {
            at = index(line, inside ? "*/" : "/*")
            if (inside) count(at ? substr(line, 1, at - 1) : line)
            if (!at) break
            inside = !inside
            line = substr(line, at + 2)
        }
    }
    END { print words }' "$@")
echo "$words words of comments, $functions functions: $((words / functions)) words per function"
((words <= limit * functions)) || { echo "at most $limit are allowed" >&2; exit 1; }
