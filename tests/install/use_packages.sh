#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# use_packages.sh HASH: in a fresh Debian, beside the packages: installs all, uses them, and removes them. HASH is the default scenario's.
set -euo pipefail
hash=$1
cd "$(dirname "$0")"
export DEBIAN_FRONTEND=noninteractive

fail() { echo "use_packages: $*" >&2; exit 1; }
pass() { echo "use_packages: $*"; }

find_ours() { find / -xdev \( -path /proc -o -path /sys -o -path /deb -o -path /var/lib/apt -o -path /var/log -o -path /var/cache -o -path /tmp \) -prune -o -name '*dunlin*' -print; }
[[ -z $(find_ours) ]] || fail "this system has Dunlin already"
mapfile -t files < <(find . -name '*.deb' ! -name '*-dbgsym_*')
apt-get -qq install --yes --no-install-recommends "${files[@]}" >/dev/null || fail "the packages cannot be installed"
mapfile -t packages < <(dpkg-query --show --showformat '${Package}\n' '*dunlin*')
[[ ${#packages[@]} == 8 ]] || fail "installed are ${packages[*]}"
pass "installed ${packages[*]}"

cd /tmp
[[ $(dunlin run default --quiet --hash) == "state hash: $hash" ]] || fail "dunlin run default has another hash"
man dunlin-run | grep -q -- --picture || fail "there is no manual page dunlin-run"
pass "the program runs, with $hash"
ranks=$(OMPI_MCA_plm_rsh_agent=sh mpirun --allow-run-as-root --oversubscribe -n 2 dunlin-mpi run default --quiet --hash --threads 1) || fail "dunlin-mpi does not run"
[[ $ranks == "state hash: $hash" ]] || fail "dunlin-mpi has another hash: $ranks"
pass "dunlin-mpi runs on two ranks"

# shellcheck disable=SC2046
gcc /deb/embed.c -o shared $(pkg-config --cflags --libs dunlin) || fail "pkg-config: does not build"
expected=$(./shared)
# shellcheck disable=SC2046
gcc /deb/embed.c -o static -static-libgcc -Wl,-Bstatic $(pkg-config --cflags --libs dunlin) -Wl,-Bdynamic -lgomp -lm || fail "static: does not build"
[[ $(./static) == "$expected" ]] || fail "the static library has another flock"
! ldd static | grep -q libdunlin || fail "the static library was not linked"
mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(dunlin CONFIG REQUIRED COMPONENTS mpi)
add_executable(user /deb/embed.c)
target_link_libraries(user PRIVATE dunlin::dunlin dunlin::scenario)
END
cmake -S project -B built >/dev/null && cmake --build built >/dev/null || fail "find_package: does not build"
[[ $(built/user) == "$expected" ]] || fail "find_package: another flock"
pass "pkg-config, the static library and find_package: $expected"

python=$(python3 -c 'import dunlin; s = dunlin.Simulation("default"); s.step(s.steps); s.plot("flock.png"); print(s.hash())') || fail "Python does not run"
[[ $python == "$hash" && -s flock.png ]] || fail "Python has another hash, $python, or no picture"
pass "Python has it, too"
guides=$(man dunlin | grep -o '/usr/share/doc/[a-z/]*') || fail "man dunlin does not say where the guides are"
[[ -s $guides/hello.md && -s $guides/examples/hunt.c ]] || fail "there are no guides in $guides"
dangling=$(bash /deb/list_dangling.sh "$guides/..")
[[ -z $dangling ]] || fail "in guides, these links lead nowhere: $dangling"
pass "guides are in $guides, and their links lead somewhere"
man dunlin-mpi | grep -q mpirun || fail "man dunlin-mpi does not say how it is started"
for name in dunlin dunlin-mpi; do
    [[ -s /usr/share/bash-completion/completions/$name && -s /usr/share/fish/vendor_completions.d/$name.fish ]] || fail "$name: no completions"
done
[[ -s /usr/share/zsh/vendor-completions/_dunlin ]] || fail "there are no completions for zsh"

apt-get -qq purge --yes "${packages[@]}" >/dev/null || fail "the packages cannot be removed"
left=$(find_ours)
[[ -z $left ]] || fail "removing leaves $left"
pass "removed"
