#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_optimised.sh SOURCES BUILD SCRATCH: in a project that brings Dunlin in with add_subdirectory, all kernels are compiled with -O3, whatever
# its build type, unless it asks for its own. Nothing else is, and nothing is built here.
set -euo pipefail
sources=$1 scratch=$3

fail() { echo "$*" >&2; exit 1; }

# check TYPE KERNELS OTHERS [OPTION ...]: the last -O of every kernel and of every other source.
check() {
    local type=$1 kernels=$2 others=$3 folder=$scratch/${1:-none}-${2#-} said="with -O3" bad
    shift 3
    [[ $kernels == -O3 ]] || said="as the build type '$type' says"
    "$CMAKE" -S "$sources/tests/install/foreign" -B "$folder" -DDUNLIN_SOURCE_DIR="$sources" -DCMAKE_BUILD_TYPE="$type" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$folder.log"
    grep -q "kernels are .*$said" "$folder.log" || fail "build type '$type': no line says that kernels are compiled $said"
    bad=$(sed -n 's/^ *"command": //p' "$folder/compile_commands.json" | grep -E ' -c [^ ]*/(kernels|engine|spatial)/' |
        awk -v kernels="$kernels" -v others="$others" '
            { is_kernel = /-DDUNLIN_KERNEL=/; level = "none"; for (i = 1; i <= NF; i++) if ($i ~ /^-O/) level = $i }
            { count[is_kernel]++; if (level != (is_kernel ? kernels : others)) print level ": " $NF }
            END { if (count[1] < 6 || count[0] < 50) print count[1] + 0 " kernels and " count[0] + 0 " other sources" }')
    [[ -z $bad ]] || fail "build type '$type': wanted $kernels and elsewhere $others:"$'\n'"$bad"
}

rm -rf "$scratch"
mkdir -p "$scratch"
check "" -O3 none
check Debug -O3 none
check MinSizeRel -O3 -Os
check RelWithDebInfo -O3 -O2
check "" none none -DDUNLIN_OPTIMISE_KERNELS=OFF
