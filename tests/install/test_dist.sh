#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_dist.sh SOURCES BUILD SCRATCH [whole]: make dist leaves the same bytes twice, with all files of the commit, and those of make
# amalgamation; a build of them outside git has the version and the commit. `whole`: it has the bytes of BUILD's libraries and program.
set -euo pipefail
export LC_ALL=C
sources=$1 build=$2 scratch=$3 whole=${4:-}

fail() { echo "$*" >&2; exit 1; }

git -C "$sources" rev-parse --verify --quiet HEAD >/dev/null && [[ -e $sources/.git ]] || { echo "skipped: the sources are no clone"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
"$sources/cmake/make_dist.sh" first
sleep 1 # gzip would write another second
(umask 077; GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=tar.umask GIT_CONFIG_VALUE_0=0077 TZ=Asia/Tokyo "$sources/cmake/make_dist.sh" second)
diff -r first second || fail "make dist leaves other bytes when it runs again"

for tarball in first/*; do tar -xzf "$tarball"; done
one=$(echo dunlin-amalgamation-*) unpacked=$(echo dunlin-[0-9]*)
[[ $(echo *) == "$unpacked $one first second" && $one == "dunlin-amalgamation-${unpacked#dunlin-}" ]] || fail "make dist leaves something else: $(echo *)"
diff <(cd "$unpacked" && find . -type f | sort) <(git -C "$sources" ls-tree -r --name-only HEAD | sed 's|^|./|' | sort) ||
    fail "the tarball (<) has not the files of the commit (>)"
"$CMAKE" -S "$unpacked" -B built -DDUNLIN_BUILD_TESTS=OFF -DDUNLIN_BUILD_BENCHMARKS=OFF -DDUNLIN_MPI=OFF >/dev/null
"$CMAKE" --build built --target dunlin_commit >/dev/null
commit=$(git -C "$sources" rev-parse HEAD)
grep -qx "#define DUNLIN_COMMIT \"${commit:0:7}\"" built/harness/report/dunlin_commit.h || fail "the build does not know the commit: $(<built/harness/report/dunlin_commit.h)"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' built/CMakeCache.txt)
[[ $unpacked == "dunlin-$version" ]] || fail "$unpacked has version $version"
"$unpacked/cmake/amalgamate.py" amalgamated
diff -r amalgamated "$one" || fail "the tarball of one file (>) has not what make amalgamation leaves (<)"

# The same bytes of sources in another folder, built in another one.
[[ -n $whole ]] || exit 0
[[ -z $(git -C "$sources" status --porcelain --untracked-files=no) ]] || { echo "skipped: a build of the clone is not one of the commit"; exit 77; }
"$CMAKE" --build built --target dunlin_product >built.log || fail "the tarball does not build: $(tail -20 built.log)"
for file in engine/libdunlin.so engine/libdunlin.a harness/scenario/libdunlin-scenario.a dunlin; do
    cmp "$build/$file" "built/$file" || fail "$file has other bytes where it is built in another folder"
done
built/dunlin run "$unpacked/harness/scenarios/default.yaml" --quiet --hash
