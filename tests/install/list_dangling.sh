#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# list_dangling.sh FOLDER: prints each link of a page in README.md and docs/ of FOLDER that leads nowhere, or out of FOLDER and not below
# /usr/include.
set -euo pipefail
cd "$1"
here=$(pwd -P)
for page in README.md $(find docs -name '*.md'); do
    for target in $(sed '/^ *```/,/^ *```/d' "$page" | grep -oP '\]\(\K[^)\s#]+'); do
        if [[ $target == *://* ]]; then continue; fi
        path=$(cd "$(dirname "$page")" && realpath -m -- "$target")
        [[ -e $path && ($path == "$here"/* || $path == /usr/include/dunlin/*) ]] || echo "$page: $target"
    done
done
