#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_hosts.sh SOURCES PREFIX LIBRARY SCRATCH: other hosts run the flock of docs/examples/hello.c with an installed library, LIBRARY/libdunlin.so,
# and a window shows one. What is not on this machine is skipped.
set -euo pipefail
sources=$1 prefix=$2 library=$3 scratch=$4
examples=$sources/docs/examples
cdef=$prefix/share/dunlin/dunlin.cdef
export LD_LIBRARY_PATH=$library PKG_CONFIG_PATH=$library/pkgconfig

fail() { echo "$*" >&2; exit 1; }
pkg-config() { command pkg-config --define-variable=prefix="$prefix" "$@"; } # the tree was moved
# has HOST PROGRAM ...
has() {
    local program
    for program in "${@:2}"; do
        command -v "$program" >/dev/null || { echo "$1: skipped, there is no $program"; return 1; }
    done
}

mkdir -p "$scratch"
cd "$scratch"
"${CC:-cc}" "$examples/hello.c" -o hello $(pkg-config --cflags --libs dunlin)
hash=$(./hello)
# same HOST COMMAND ...
same() {
    local line
    line=$("${@:2}") || fail "$1: does not run"
    [[ $line == "$hash" ]] || fail "$1: not the same flock: $line"
    echo "$1: $line"
}

if has LuaJIT luajit; then same LuaJIT luajit "$examples/luajit/hello.lua" "$cdef" "$library/libdunlin.so"; fi

"$sources/tests/install/check_ccall.py" "$cdef" "$examples/julia/hello.jl" || fail "Julia: not the declarations of dunlin.cdef"

"$sources/tests/install/check_layout.py" "$cdef" "$examples/csharp/Hello.cs" || fail "C#: not the structs of dunlin.cdef"
if has "C#" mcs mono; then
    mcs -unsafe -out:Hello.exe "$examples/csharp/Hello.cs" || fail "C#: does not compile"
    same "C#" mono Hello.exe
fi

if has R Rscript; then
    cp "$examples"/r/flock.* .
    PKG_CPPFLAGS=$(pkg-config --cflags dunlin) PKG_LIBS=$(pkg-config --libs dunlin) R CMD SHLIB flock.c >/dev/null || fail "R: does not compile"
    same R Rscript flock.R
    ! message=$(Rscript -e 'dyn.load("flock.so"); .Call("run_flock", -1L, 0L)' 2>&1) || fail "R: an error is none"
    [[ $message == *"holds"*"at most"* ]] || fail "R: not the library's message: $message"
fi

# A picture of the window's last frame: a flock in many colours on a dark ground.
if has SDL2 sdl2-config; then
    "${CXX:-c++}" -std=c++17 "$examples/window.cpp" -o window $(pkg-config --cflags --libs dunlin) $(sdl2-config --cflags --libs)
    SDL_VIDEODRIVER=dummy ./window 30 picture.bmp || fail "SDL2: does not run"
    python3 - <<'PY' || fail "SDL2: not a picture of a flock"
import collections, struct
data = open("picture.bmp", "rb").read()
begin, width, height, bits = struct.unpack_from("<I4xiixxH", data, 10)
size = bits // 8
pixels = collections.Counter(data[i:i + 3] for i in range(begin, begin + size * width * height, size))
(ground, unlit), = pixels.most_common(1)
print(f"SDL2: {width} x {height}, {len(pixels)} colours, {100 - 100 * unlit // (width * height)} % drawn")
assert (ground[::-1].hex(), width, height) == ("0e121e", 1280, 800)
assert 0.3 < unlit / (width * height) < 0.97 and len(pixels) > 1000
PY
fi
