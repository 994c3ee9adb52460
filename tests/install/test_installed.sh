#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_installed.sh SOURCES BUILD SCRATCH: installs the build, moves the installed tree away, and builds the foreign project
# against it by find_package and by pkg-config, with the shared and with the static library. All five must run the same flock. So
# must the guides' example, built both ways.
set -euo pipefail
sources=$1 build=$2 scratch=$3
foreign=$sources/tests/install/foreign
example=$sources/docs/examples/embed.c

fail() { echo "$*" >&2; exit 1; }

# What `make install` builds before it installs.
if [[ -f $build/build.ninja ]]; then
    needed=$(ninja -C "$build" -t commands dunlin_product)
    for file in 'libdunlin\.so' 'libdunlin\.a' 'dunlin_program\.dir'; do
        grep -q "$file" <<<"$needed" || fail "make install would not build $file"
    done
    [[ ! -d $build/man ]] || grep -q 'dunlin-run\.1' <<<"$needed" || fail "make install would not build the manual pages"
fi

rm -rf "$scratch"
mkdir -p "$scratch"
# make uninstall removes what was installed last: that is not what this test installs.
manifest=$build/install_manifest.txt
for library in $(find "$build" "$build/engine" "$build/harness/scenario" -maxdepth 1 -name 'libdunlin*.so' 2>/dev/null); do
    ! readelf --dynamic --wide "$library" | grep -F "[$build" || fail "$library has the build's path, so what is installed has its length"
done
if [[ -e $manifest ]]; then
    cp "$manifest" "$scratch/manifest"
    trap 'cp "$scratch/manifest" "$manifest"' EXIT
else
    trap 'rm -f "$manifest"' EXIT
fi
# A prefix, or a DESTDIR, may have spaces in it. The build's folder may be another user's: nothing but the manifest is written there.
gone="$scratch/gone away"
touch "$scratch/before"
for stage in "" "$scratch/a stage"; do
    DESTDIR=$stage "$CMAKE" --install "$build" --prefix "$gone" >/dev/null
    written=$(find "$build" -maxdepth 1 -type f -newer "$scratch/before" ! -path "$manifest")
    [[ -z $written ]] || fail "to install writes into the build's folder: $written"
    pc=$(find "$stage$gone" -name dunlin.pc)
    grep -qx "prefix=$gone" "$pc" || fail "$pc has another prefix than $gone: $(cat "$pc")"
    cflags=$(PKG_CONFIG_PATH=${pc%/*} pkg-config --cflags dunlin)
    eval "list=($cflags)"
    [[ ${#list[@]} == 1 && ${list[0]} == "-I$gone/include" ]] || fail "pkg-config, a prefix with a space: $cflags"
    [[ $build == "$sources/build" ]] || continue
    make --silent -C "$sources" uninstall DESTDIR="$stage" || fail "make uninstall fails"
    left=$(find "$stage$gone" ! -type d -o -name dunlin)
    [[ -z $left ]] || fail "make uninstall leaves $left"
done
"$CMAKE" --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
prefix=$scratch/moved
library=$(find "$prefix" -name libdunlin.so -printf '%h')

for file in include/dunlin/dunlin.h include/dunlin/dunlin.hpp share/doc/dunlin/LICENSE; do
    [[ -f $prefix/$file ]] || fail "$file was not installed"
done
leaks=$(grep -rl -e "$scratch" -e "$sources" --exclude='*.pc' "$prefix" || true)
[[ -z $leaks ]] || fail "these installed files know a path of this machine: $leaks"

if [[ -x $build/dunlin ]]; then
    [[ -f $prefix/share/dunlin/scenarios/default.yaml ]] || fail "the scenarios were not installed"
    [[ ! -d $build/man ]] || cmp -s "$build/man/dunlin-run.1" "$prefix/share/man/man1/dunlin-run.1" || fail "no manual pages were installed"
    for file in bash-completion/completions/dunlin zsh/site-functions/_dunlin fish/vendor_completions.d/dunlin.fish; do
        [[ ! -d $build/completions || -s $prefix/share/$file ]] || fail "share/$file was not installed"
    done
    "$prefix/bin/dunlin" kernels >/dev/null || fail "the installed program does not run"
    "$prefix/bin/dunlin" sweep vicsek_transition --quick --no-plots --quiet --output "$scratch/sweep" || fail "no studies were installed"
fi

export PKG_CONFIG_PATH=$library/pkgconfig
for name in dunlin dunlin-scenario dunlin-mpi; do
    [[ -f $library/pkgconfig/$name.pc ]] || continue
    [[ $(pkg-config --cflags-only-I $name) == *"-I$scratch/first/include"* ]] || fail "pkg-config $name has no clean path: $(pkg-config --cflags $name)"
done
pkg-config() { command pkg-config --define-variable=prefix="$prefix" "$@"; } # the tree was moved
version=$(pkg-config --modversion dunlin)
run() {
    local line
    line=$("${@:2}") || fail "$1: does not run"
    echo "$1: $line"
    [[ ${expected:=$line} == "$line" ]] || fail "$1: not the same flock"
    [[ $line == "$version "* ]] || fail "$1: not version $version"
}

with_mpi=OFF
if [[ -f $library/pkgconfig/dunlin-mpi.pc ]]; then with_mpi=ON; fi
"$CMAKE" -S "$foreign" -B "$scratch/foreign" -DCMAKE_PREFIX_PATH="$prefix" -DDUNLIN_VERSION="$version" \
    -DDUNLIN_EXAMPLE="$example" -DDUNLIN_HUNT="${example%/*}/hunt" -DDUNLIN_WITH_MPI=$with_mpi >/dev/null
built=$("$CMAKE" --build "$scratch/foreign") || fail "the foreign project does not build: $built"
run "find_package, shared" "$scratch/foreign/with_dunlin"
run "find_package, static" "$scratch/foreign/with_dunlin_static"
run "find_package, C++" "$scratch/foreign/with_cplusplus"
for executor in auto pthreads; do
    for plugin in "$scratch"/foreign/libplugin_*; do
        "$scratch/foreign/plugin_host" "$plugin" $executor || fail "$plugin, $executor: the host does not outlive it"
    done
done

# The scenario reader, of a build that has it.
if [[ -x $build/dunlin ]]; then
    read_by=$("$scratch/foreign/scenario") || fail "scenario, shared: does not run"
    echo "scenario: $read_by"
    for program in scenario_static scenario_cplusplus; do
        [[ $("$scratch/foreign/$program") == "$read_by" ]] || fail "$program: not the same flock"
    done
    "$CC" -std=c17 "$foreign/scenario.c" -o "$scratch/pkg_scenario" $(pkg-config --cflags --libs dunlin-scenario)
    [[ $(LD_LIBRARY_PATH="$library" "$scratch/pkg_scenario") == "$read_by" ]] || fail "pkg-config, scenario: not the same flock"
fi

# The component for MPI, of a build that has it: on any number of ranks the same flock.
if [[ $with_mpi == ON ]]; then
    mpi=openmpi
    if ldd "$scratch/foreign/ranks" | grep -q libmpich; then mpi=mpich; fi
    launch() { "$sources/tests/mpi/launch.sh" $mpi "$@"; }
    run_alone=$(launch 1 "$scratch/foreign/ranks") || fail "ranks: does not run alone"
    echo "ranks: $run_alone"
    [[ $(launch 3 "$scratch/foreign/ranks") == "$run_alone" ]] || fail "ranks, three: not the same flock"
    [[ $(launch 2 "$scratch/foreign/ranks_cplusplus") == "$run_alone" ]] || fail "ranks, C++, static: not the same flock"
    compile_ranks() {
        OMPI_CC=$CC MPICH_CC=$CC $(command -v mpicc.$mpi || echo mpicc) -std=c17 "$foreign/ranks.c" -o "$scratch/pkg_ranks" \
            $(pkg-config "$@" --cflags --libs dunlin-mpi)
    }
    compile_ranks || fail "pkg-config, ranks: does not build"
    [[ $(LD_LIBRARY_PATH="$library" launch 2 "$scratch/pkg_ranks") == "$run_alone" ]] || fail "pkg-config, ranks: not the same flock"
    ! ldd "$library/libdunlin.so" | grep -q libmp || fail "the library depends on MPI"
    [[ ! -x $prefix/bin/dunlin ]] || ! ldd "$prefix/bin/dunlin" | grep -q 'libmpi\b\|libmpich' || fail "the program depends on MPI"
fi

compile() { "$CC" -std=c17 "$1" -o "$2" $(pkg-config "${@:3}" --cflags --libs dunlin); }
compile "$foreign/main.c" "$scratch/pkg_shared" || fail "pkg-config, shared: does not build"
run "pkg-config, shared" env LD_LIBRARY_PATH="$library" "$scratch/pkg_shared"
compile "$example" "$scratch/pkg_example" || fail "pkg-config, example: does not build"
# Every guide's program, also where there is no MPI: these flags do not lead to it.
for file in "${example%/*}"/*.c; do
    "$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror "$file" -o "$scratch/pkg_any" $(pkg-config --cflags --libs dunlin) -lm || fail "$file: does not build"
done
run=$("$scratch/foreign/example_dunlin") || fail "find_package, example: does not run"
echo "example: $run"
[[ $(LD_LIBRARY_PATH="$library" "$scratch/pkg_example") == "$run" ]] || fail "pkg-config, example: not the same flock"
run=$("$scratch/foreign/hunt_c") || fail "find_package, hunt.c: does not run"
[[ $("$scratch/foreign/hunt_cpp") == "$run" ]] || fail "find_package, hunt.cpp: not the same hunt"

# Hosts that read declarations have those of the headers, all of them and nothing else.
cdef=$prefix/share/dunlin/dunlin.cdef
! grep -n '#\|/\*\|//\|__attribute__' "$cdef" || fail "dunlin.cdef has more than declarations"
while read -r name; do
    grep -qw "$name" "$cdef" || fail "dunlin.cdef lacks $name"
done < <(nm -D --defined-only --without-symbol-versions "$library/libdunlin.so" | awk '$3 ~ /^dunlin_/ { print $3 }')
"$sources/tests/install/test_hosts.sh" "$sources" "$prefix" "$library" "$scratch/hosts"
# A linker takes the shared library where it finds both.
rm "$library"/libdunlin*.so*
if [[ $with_mpi == ON ]]; then
    compile_ranks --static || fail "pkg-config, ranks, static: does not build"
    [[ $(launch 2 "$scratch/pkg_ranks") == "$run_alone" ]] || fail "pkg-config, ranks, static: not the same flock"
fi
if [[ -x $build/dunlin ]]; then
    "$CC" -std=c17 "$foreign/scenario.c" -o "$scratch/pkg_scenario" $(pkg-config --static --cflags --libs dunlin-scenario)
    [[ $("$scratch/pkg_scenario") == "$read_by" ]] || fail "pkg-config, scenario, static: not the same flock"
fi
"$CC" -std=c17 -shared -fPIC "$foreign/plugin.c" -o "$scratch/pkg_plugin.so" $(pkg-config --static --cflags --libs dunlin) ||
    fail "pkg-config, plugin, static: does not build"
"$scratch/foreign/plugin_host" "$scratch/pkg_plugin.so" auto || fail "pkg-config, plugin, static: the host does not outlive it"
compile "$foreign/main.c" "$scratch/pkg_static" --static || fail "pkg-config, static: does not build"
run "pkg-config, static" "$scratch/pkg_static"
