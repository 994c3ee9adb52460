# SPDX-License-Identifier: MIT
# Toolchain: WebAssembly by Debian's Emscripten, with what cmake/make_wasm_sysroot.sh has put together. Programs run in node, so
# that ctest works as usual.

set(EMSCRIPTEN_ROOT_PATH /usr/share/emscripten)
include("${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake")

# To compile, emcc calls clang with options of its own. It is a script that takes half a second to begin, longer than clang takes for most of our
# files: so it is asked once for that call, and only links. Where its answer is not understood, it compiles.
if(NOT DEFINED dunlin_wasm_compile)
    file(WRITE "${CMAKE_BINARY_DIR}/empty.c" "")
    execute_process(COMMAND "${CMAKE_C_COMPILER}" -v -c "${CMAKE_BINARY_DIR}/empty.c" -o /dev/null ERROR_VARIABLE said OUTPUT_QUIET)
    string(REGEX MATCH "\"([^\"\n]*clang[^\"\n]*)\" ([^\n]*) -v -c " said "${said}")
    if(said)
        set(said "${CMAKE_MATCH_1} ${CMAKE_MATCH_2}")
    endif()
    set(dunlin_wasm_compile "${said}" CACHE INTERNAL "How emcc compiles")
endif()
if(dunlin_wasm_compile)
    set(CMAKE_C_COMPILE_OBJECT "${dunlin_wasm_compile} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
endif()
set(dunlin_small -Oz -fno-inline-functions) # which emcc adds to -Oz
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES dunlin_wasm_compile)

set(dunlin_wasm_sysroot "${CMAKE_CURRENT_LIST_DIR}/../build/wasm-sysroot")
cmake_path(NORMAL_PATH dunlin_wasm_sysroot)
# Not the folder that it is a link to: the system's other headers are not WebAssembly's.
set(SIMDE_INCLUDE_DIR "${dunlin_wasm_sysroot}/usr/include" CACHE PATH "")
set(XXHASH_INCLUDE_DIR "${dunlin_wasm_sysroot}/usr/include" CACHE PATH "")
