#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_aarch64_sysroot.sh FOLDER: puts into FOLDER what the cross-built tests need beyond the cross compiler: cmocka for arm64,
# and SIMDe, which is headers only. Debian's archive is asked with apt lists of our own, so that the system's foreign architectures
# stay as they are; the archive's signature is checked as ever. Done once.
set -euo pipefail

sysroot=$1
packages=(libcmocka0 libcmocka-dev)
[[ -e $sysroot/complete ]] && exit 0

fail() {
    echo "The aarch64 tests need ${packages[*]} for arm64 from Debian's archive: $1" >&2
    exit 1
}

debian_main() {
    apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk -v codename="${VERSION_CODENAME:-}" '$1 == "Debian" && $2 == "main" && $3 == codename && !found++ { print $4 }'
}

command -v apt-get >/dev/null || fail "this system has no apt-get"
. /etc/os-release
archive=$(debian_main)
if [[ -z $archive && $(id -u) == 0 ]]; then
    apt-get -qq update </dev/null || true
    archive=$(debian_main)
fi
[[ -n $archive ]] || fail "no apt source of this system leads there (apt-get update may help)"

echo "Fetching ${packages[*]} for arm64"
rm -rf "$sysroot"
mkdir -p "$sysroot"/{apt/lists/partial,apt/cache/archives/partial,usr/include}
sysroot=$(cd "$sysroot" && pwd)
# The release's main component alone: neither updates nor third-party sources have anything to say about cmocka.
echo "deb [arch=arm64] $archive $VERSION_CODENAME main" >"$sysroot/apt/sources.list"
arm64_apt_get() {
    # Its usual download user could not write into a folder of the caller's.
    apt-get -qq -o Acquire::Retries=3 -o Acquire::Languages=none -o APT::Sandbox::User= \
        -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
        -o Dir::Etc::SourceList="$sysroot/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$sysroot/apt/lists" -o Dir::Cache="$sysroot/apt/cache" "$@" </dev/null
}
arm64_apt_get update || fail "apt-get update did not work"
(cd "$sysroot/apt" && arm64_apt_get download "${packages[@]}") || fail "apt-get download did not work"
for package in "$sysroot"/apt/*.deb; do dpkg-deb --extract "$package" "$sysroot"; done
rm -r "$sysroot/apt"

simde=$(echo '#include <simde/simde-arch.h>' | cc -E - | sed -n 's|^# 1 "\(.*/simde\)/simde-arch.h".*|\1|p')
[[ -n $simde ]] || fail "SIMDe's headers are not installed"
ln -s "$(readlink -f "$simde")" "$sysroot/usr/include/simde"
touch "$sysroot/complete"
