#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_dist.sh SOURCES BUILD SCRATCH: make dist leaves the same bytes twice, with all files of the commit; a build of them outside git
# has the version and the commit.
set -euo pipefail
export LC_ALL=C
sources=$1 scratch=$3

fail() { echo "$*" >&2; exit 1; }

git -C "$sources" rev-parse --verify --quiet HEAD >/dev/null && [[ -e $sources/.git ]] || { echo "skipped: the sources are no clone"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
"$sources/cmake/make_dist.sh" first
sleep 1 # gzip would write another second
(umask 077; GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=tar.umask GIT_CONFIG_VALUE_0=0077 TZ=Asia/Tokyo "$sources/cmake/make_dist.sh" second)
cmp first/*.tar.gz second/*.tar.gz || fail "make dist leaves other bytes when it runs again"

tar -xzf first/*.tar.gz
unpacked=$(echo dunlin-*)
diff <(cd "$unpacked" && find . -type f | sort) <(git -C "$sources" ls-tree -r --name-only HEAD | sed 's|^|./|' | sort) ||
    fail "the tarball (<) has not the files of the commit (>)"
"$CMAKE" -S "$unpacked" -B built -DDUNLIN_BUILD_TESTS=OFF -DDUNLIN_BUILD_BENCHMARKS=OFF -DDUNLIN_MPI=OFF >/dev/null
"$CMAKE" --build built --target dunlin_commit >/dev/null
commit=$(git -C "$sources" rev-parse HEAD)
grep -qx "#define DUNLIN_COMMIT \"${commit:0:7}\"" built/harness/report/dunlin_commit.h || fail "the build does not know the commit: $(<built/harness/report/dunlin_commit.h)"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' built/CMakeCache.txt)
[[ $unpacked == "dunlin-$version" ]] || fail "$unpacked has version $version"
