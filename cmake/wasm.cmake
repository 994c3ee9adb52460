# SPDX-License-Identifier: MIT
# Toolchain: WebAssembly by Debian's Emscripten, with what cmake/make_wasm_sysroot.sh has put together. Programs run in node, so
# that ctest works as usual.

set(EMSCRIPTEN_ROOT_PATH /usr/share/emscripten)
include("${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake")

set(dunlin_wasm_sysroot "${CMAKE_CURRENT_LIST_DIR}/../build/wasm-sysroot")
cmake_path(NORMAL_PATH dunlin_wasm_sysroot)
# Not the folder that it is a link to: the system's other headers are not WebAssembly's.
set(SIMDE_INCLUDE_DIR "${dunlin_wasm_sysroot}/usr/include" CACHE PATH "")
set(XXHASH_INCLUDE_DIR "${dunlin_wasm_sysroot}/usr/include" CACHE PATH "")
