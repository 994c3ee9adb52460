# SPDX-License-Identifier: MIT
# What every target of ours is compiled with, as the interface target dunlin_options.

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
    endif()
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
# Both libraries are made of the same objects, so the static one is position-independent too and may end up in a plug-in.
if(NOT EMSCRIPTEN) # where it costs speed, and where there are no shared libraries
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

add_library(dunlin_options INTERFACE)
target_compile_features(dunlin_options INTERFACE c_std_17)
target_compile_options(dunlin_options INTERFACE
    # The numeric contract: every operation is rounded once. Never -ffast-math, never -march=native.
    -ffp-contract=off -fno-fast-math
    # sqrt() need not set errno: lets sqrtss stand alone without changing a bit.
    -fno-math-errno
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Wshadow -Wstrict-prototypes
        -Wmissing-prototypes>
    $<$<BOOL:${DUNLIN_WERROR}>:-Werror>
    # No release build's binary knows where its sources were. Debuggers find a debug build's.
    $<IF:$<CONFIG:Debug>,-fmacro-prefix-map,-ffile-prefix-map>=${PROJECT_SOURCE_DIR}/=)
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${CMAKE_BINARY_DIR}" NORMALIZE is_built_in_sources)
if(NOT is_built_in_sources) # its folder is in debug information, too
    target_compile_options(dunlin_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${CMAKE_BINARY_DIR}=.>)
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
    target_compile_options(dunlin_options INTERFACE -w) # whatever warnings, or errors, the project around this one asks for
endif()
if(EMSCRIPTEN)
    # The kernel simd128 needs vector instructions anyway, and every engine that has these has the other ones, too.
    add_compile_options(-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext)
endif()
# A callback in C++ may be left by an exception, though it must not: then the libraries' functions put back the host's
# floating-point mode all the same, and the world knows what has happened.
set(dunlin_unwinds -fexceptions)
if(EMSCRIPTEN) # where it costs speed, and exceptions end the program
    set(dunlin_unwinds "")
endif()
# Headers of ours are included by their path from the top, so that each include names its module.
target_include_directories(dunlin_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(dunlin_options INTERFACE _GNU_SOURCE)
if(DUNLIN_SANITIZE STREQUAL "address")
    # What null and object-size would find, address finds too; in the kernels they cost more than the compilation.
    set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,object-size)
elseif(DUNLIN_SANITIZE STREQUAL "thread")
    set(sanitizers -fsanitize=thread)
elseif(DUNLIN_SANITIZE)
    message(FATAL_ERROR "DUNLIN_SANITIZE is '${DUNLIN_SANITIZE}': it must be address, thread or empty")
endif()
if(DUNLIN_SANITIZE)
    target_compile_options(dunlin_options INTERFACE ${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(dunlin_options INTERFACE ${sanitizers})
endif()
if(DUNLIN_FUZZ)
    # Whatever a fuzzer calls reports the branches that it took; the fuzzer's own main is linked to tests/fuzz's targets alone.
    target_compile_options(dunlin_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(DUNLIN_COVERAGE)
    target_compile_options(dunlin_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(dunlin_options INTERFACE -fprofile-instr-generate)
endif()
