#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_wasm_sysroot.sh FOLDER: puts into FOLDER what the WebAssembly build compiles beside our own sources: libyaml, libpng, zlib and cmocka, as
# Debian's sources, in FOLDER/src, and SIMDe and xxHash, which are headers only. Done once.
set -euo pipefail

sysroot=$1
packages=(libyaml libpng1.6 zlib cmocka)
[[ -e $sysroot/complete && -e $sysroot/usr/include/xxhash.h ]] && exit 0

fail() {
    echo "The WebAssembly build needs the sources of ${packages[*]} from Debian's archive: $1" >&2
    exit 1
}
. "$(dirname "$0")/debian_archive.sh"

echo "Fetching the sources of ${packages[*]}"
rm -rf "$sysroot"
mkdir -p "$sysroot/usr/include" "$sysroot/src"
sysroot=$(cd "$sysroot" && pwd)
open_archive "$sysroot/apt" deb-src "$(dpkg --print-architecture)"
(cd "$sysroot/apt" && archive_apt_get source --download-only "${packages[@]}") || fail "apt-get source did not work"
for package in "${packages[@]}"; do
    mkdir "$sysroot/src/$package"
    tar --extract --strip-components=1 --directory "$sysroot/src/$package" --file "$sysroot/apt/$package"_*.orig.tar.*[z2]
done
rm -r "$sysroot/apt"

link_headers "$sysroot/usr/include"
touch "$sysroot/complete"
