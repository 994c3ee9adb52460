#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_dist.sh FOLDER: leaves the last commit's files as FOLDER/dunlin-VERSION.tar.gz. Of one commit it has the same bytes whenever and
# wherever it is made. In it cmake/commit.txt has the commit, which a build without git reports: dunlin_write_commit.cmake.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

fail() { echo "$*" >&2; exit 1; }

[[ -e .git ]] || fail "make dist needs a clone: this is no repository of git's"
numbers=$(git show HEAD:engine/include/dunlin/common.h | sed -nE 's/^#define DUNLIN_VERSION_(MAJOR|MINOR|PATCH) +//p')
name=dunlin-${numbers//$'\n'/.}
[[ -z $(git status --porcelain --untracked-files=no) ]] || echo "changes that are not committed are left out"
trap 'rm -f "$folder/$name.tar.gz.part"' EXIT
# Neither a user's settings nor gzip's clock show in it.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$folder/$name.tar.gz.part"
mv "$folder/$name.tar.gz.part" "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
