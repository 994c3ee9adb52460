#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_deb.sh FOLDER: leaves Debian's source and binary packages of the last commit in FOLDER. They are built of what make dist leaves,
# with cmake/debian as debian/. DEBFULLNAME and DEBEMAIL name the maintainer, as for Debian's own tools.
set -euo pipefail
sources=$(cd "$(dirname "$0")/.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"

"$sources/cmake/make_dist.sh" . --sources
tarball=$(echo dunlin-*.tar.gz)
name=${tarball%.tar.gz}
tar -xzf "$tarball"
mv "$tarball" "${name/-/_}.orig.tar.gz"
cd "$name"
cp -r cmake/debian debian

if [[ -n ${DEBEMAIL:-} ]]; then
    sed -i "s|^Maintainer: .*|Maintainer: ${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>|" debian/control
fi
# Debian's own package of a version is newer than ours. The date of the commit makes equal bytes of equal sources.
cat >debian/changelog <<END
dunlin (${name#dunlin-}-1~local) UNRELEASED; urgency=medium

  * Local package of $(git -C "$sources" rev-parse --short=7 HEAD): see CHANGELOG.md.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(git -C "$sources" log -1 --format=%aD)
END
sed '1,4d; s/^$/./; s/^/ /' LICENSE >>debian/copyright

dpkg-buildpackage --no-sign
cd ..
rm -rf "$name"
ls -- *.deb
