#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_aarch64_sysroot.sh FOLDER: puts into FOLDER what the cross-built tests need beyond the cross compiler: cmocka for arm64,
# and SIMDe and xxHash, which are headers only. Done once.
set -euo pipefail

sysroot=$1
packages=(libcmocka0 libcmocka-dev)
[[ -e $sysroot/complete && -e $sysroot/usr/include/xxhash.h ]] && exit 0

fail() {
    echo "The aarch64 tests need ${packages[*]} for arm64 from Debian's archive: $1" >&2
    exit 1
}
. "$(dirname "$0")/debian_archive.sh"

echo "Fetching ${packages[*]} for arm64"
rm -rf "$sysroot"
mkdir -p "$sysroot/usr/include"
sysroot=$(cd "$sysroot" && pwd)
open_archive "$sysroot/apt" deb arm64
(cd "$sysroot/apt" && archive_apt_get download "${packages[@]}") || fail "apt-get download did not work"
for package in "$sysroot"/apt/*.deb; do dpkg-deb --extract "$package" "$sysroot"; done
rm -r "$sysroot/apt"

link_headers "$sysroot/usr/include"
touch "$sysroot/complete"
