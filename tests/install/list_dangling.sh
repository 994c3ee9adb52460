#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# list_dangling.sh FOLDER: prints each link of a page in README.md and docs/ of FOLDER that leads nowhere, or out of FOLDER and not below
# /usr/include.
set -euo pipefail
cd "$1"
here=$(pwd -P)
pages=() targets=() paths=()
for page in README.md $(find docs -name '*.md'); do
    for target in $(sed '/^ *```/,/^ *```/d' "$page" | grep -oP '\]\(\K[^)\s#]+'); do
        if [[ $target == *://* ]]; then continue; fi
        pages+=("$page") targets+=("$target")
        if [[ $target == /* ]]; then paths+=("$target"); else paths+=("$here/$page/../$target"); fi
    done
done
mapfile -t paths < <(realpath -m -- "${paths[@]}")
for i in "${!paths[@]}"; do
    path=${paths[i]}
    [[ -e $path && ($path == "$here"/* || $path == /usr/include/dunlin/*) ]] || echo "${pages[i]}: ${targets[i]}"
done
