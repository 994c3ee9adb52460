# SPDX-License-Identifier: MIT
# PkgConfig::yaml, PkgConfig::png and PkgConfig::cmocka for WebAssembly, for which Debian has no libraries: compiled from its sources.

# Where Debian keeps acorn, which emcc needs to link.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs --")
set(sources "${dunlin_wasm_sysroot}/src")
set(dunlin_wasm_config "${PROJECT_BINARY_DIR}/config")

function(dunlin_add_wasm_library name folder)
    cmake_parse_arguments(PARSE_ARGV 2 library "" "" "SOURCES;INCLUDES;PRIVATE_INCLUDES;DEFINITIONS")
    list(TRANSFORM library_SOURCES PREPEND "${sources}/${folder}/")
    list(TRANSFORM library_INCLUDES PREPEND "${sources}/${folder}/")
    add_library(dunlin_wasm_${name} STATIC EXCLUDE_FROM_ALL ${library_SOURCES})
    target_include_directories(dunlin_wasm_${name} SYSTEM PUBLIC ${library_INCLUDES} PRIVATE ${library_PRIVATE_INCLUDES})
    target_compile_definitions(dunlin_wasm_${name} PRIVATE ${library_DEFINITIONS})
    target_compile_options(dunlin_wasm_${name} PRIVATE -w ${dunlin_small}) # read files only: small is better than quick
    add_library(PkgConfig::${name} ALIAS dunlin_wasm_${name})
endfunction()

dunlin_add_wasm_library(yaml libyaml INCLUDES include
    SOURCES src/api.c src/loader.c src/parser.c src/reader.c src/scanner.c
    DEFINITIONS YAML_DECLARE_STATIC YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5")
dunlin_add_wasm_library(z zlib INCLUDES .
    SOURCES adler32.c crc32.c inffast.c inflate.c inftrees.c zutil.c)
# Nothing writes pictures, and what is read of one are its pixels.
file(READ "${sources}/libpng1.6/scripts/pnglibconf.h.prebuilt" pnglibconf)
foreach(unused WRITE SAVE READ_TEXT READ_COMPRESSED_TEXT tEXt zTXt iTXt hIST oFFs pCAL pHYs sCAL sPLT tIME eXIf SEQUENTIAL SIMPLIFIED QUANTIZE)
    string(REGEX REPLACE "#define PNG_[A-Z_]*${unused}[A-Za-z_]*SUPPORTED" "" pnglibconf "${pnglibconf}")
endforeach()
file(CONFIGURE OUTPUT "${dunlin_wasm_config}/pnglibconf.h" CONTENT "${pnglibconf}" @ONLY)
dunlin_add_wasm_library(png libpng1.6 INCLUDES .
    SOURCES png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c pngtrans.c
    DEFINITIONS PNG_ARM_NEON_OPT=0 PNG_INTEL_SSE_OPT=0)
target_include_directories(dunlin_wasm_png SYSTEM PUBLIC "${dunlin_wasm_config}")
target_link_libraries(dunlin_wasm_png PUBLIC PkgConfig::z)
# Its tests fail by setjmp and longjmp. Emscripten's headers have uintptr_t, which cmocka otherwise defines.
dunlin_add_wasm_library(cmocka cmocka INCLUDES include SOURCES src/cmocka.c
    DEFINITIONS HAVE_STDLIB_H HAVE_STRING_H HAVE_SETJMP_H HAVE_INTTYPES_H HAVE_STDINT_H HAVE_TIME_H HAVE_SIGNAL_H HAVE_STRUCT_TIMESPEC
        HAVE_CLOCK_GETTIME_REALTIME)
target_compile_definitions(dunlin_wasm_cmocka PUBLIC _UINTPTR_T_DEFINED)
