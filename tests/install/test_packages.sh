#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_packages.sh SOURCES BUILD SCRATCH: builds Debian's packages, in which lintian finds neither errors nor warnings, and installs, uses and
# removes them in a fresh Debian: use_packages.sh.
set -euo pipefail
sources=$1 scratch=$3

fail() { echo "$*" >&2; exit 1; }
skip() { echo "skipped: $*"; exit 77; }

[[ -e $sources/.git ]] || skip "the sources are no clone"
for tool in dpkg-buildpackage dh lintian mmdebstrap; do
    command -v $tool >/dev/null || skip "there is no $tool"
done
# shellcheck disable=SC1091
source "$sources/cmake/debian_archive.sh"
. /etc/os-release
[[ $VERSION_CODENAME == bookworm ]] || skip "packages are built on Debian 12 for Debian 12"
archive=$(find_archive)
[[ -n $archive ]] || skip "no apt source of this system leads to Debian"

mkdir -p "$scratch"
"$sources/cmake/make_deb.sh" "$scratch/deb" >"$scratch/build.log" 2>&1 || fail "the packages do not build: $(tail -40 "$scratch/build.log")"
found=$(lintian --allow-root --fail-on error,warning "$scratch"/deb/*.changes) || fail "lintian finds
$found"

# What a user has before it: a compiler and the tools that are tried.
cp "$sources"/docs/examples/embed.c "$sources"/tests/install/{use_packages,list_dangling}.sh "$scratch/deb"
hash=$(sed -n 's/^state hash: //p' "$sources/README.md")
status=0
mmdebstrap --quiet --variant=apt --include=gcc,libc6-dev,cmake,make,pkg-config,man-db --format=null \
    --customize-hook="copy-in '$scratch/deb' /" --customize-hook="chroot \"\$1\" bash /deb/use_packages.sh $hash" \
    bookworm - "$archive" >"$scratch/chroot.log" 2>&1 || status=$?
if ((status)) && ! grep -q '^use_packages: ' "$scratch/chroot.log"; then
    tail -5 "$scratch/chroot.log"
    skip "no fresh Debian could be made here"
fi
grep '^use_packages: ' "$scratch/chroot.log"
((status == 0)) || fail "in a fresh Debian: $(tail -40 "$scratch/chroot.log")"
rm -rf "$scratch/deb"
