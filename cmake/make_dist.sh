#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_dist.sh FOLDER [--sources]: leaves the last commit's files as FOLDER/dunlin-VERSION.tar.gz, and the library of them in one file as
# FOLDER/dunlin-amalgamation-VERSION.tar.gz, so that it can be used without the tools that make it; --sources: not that. Of one commit both have
# the same bytes whenever and wherever they are made, the latter with the same xxhash.h. In the sources cmake/commit.txt has the commit,
# which a build without git reports: dunlin_write_commit.cmake.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

fail() { echo "$*" >&2; exit 1; }

[[ -e .git ]] || fail "make dist needs a clone: this is no repository of git's"
numbers=$(git show HEAD:engine/include/dunlin/common.h | sed -nE 's/^#define DUNLIN_VERSION_(MAJOR|MINOR|PATCH) +//p')
version=${numbers//$'\n'/.}
[[ -z $(git status --porcelain --untracked-files=no) ]] || echo "changes that are not committed are left out"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$folder"/dunlin-*.part' EXIT
# leave NAME: the archive on standard input becomes FOLDER/NAME.tar.gz, without gzip's clock.
leave() {
    gzip -9n >"$folder/$1.tar.gz.part"
    mv "$folder/$1.tar.gz.part" "$folder/$1.tar.gz"
    echo "$folder/$1.tar.gz"
}

# No user's settings show in it.
git -c tar.umask=0022 archive --format=tar --prefix="dunlin-$version/" HEAD | leave "dunlin-$version"
[[ ${2:-} != --sources ]] || exit 0
tar -xzf "$folder/dunlin-$version.tar.gz" -C "$scratch"
name=dunlin-amalgamation-$version
"$scratch/dunlin-$version/cmake/amalgamate.py" "$scratch/$name"
tar -c -C "$scratch" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$(git log -1 --format=%ct)" "$name" |
    leave "$name"
