# SPDX-License-Identifier: MIT
# dunlin_add_kernel(NAME [WIDE target] [FLAGS ...]): compiles the kernels' sources once more, as kernel NAME over the operations of
# kernels/wide/<target>.h (NAME.h where none is given), with flags of its own, and adds it to the registry. Each kernel is an object
# library of its own, so that no instruction of one kernel leaks into another or into the rest.

# Without optimisation a frame takes some twenty times as long, and no optimisation is what a project without a build type asks for.
if(DUNLIN_OPTIMISE_KERNELS)
    message(STATUS "Dunlin: kernels are compiled with -O3 (DUNLIN_OPTIMISE_KERNELS is on)")
else()
    message(STATUS "Dunlin: kernels are optimised as the build type '${CMAKE_BUILD_TYPE}' says (DUNLIN_OPTIMISE_KERNELS is off)")
endif()

# Undefined behaviour is found in the scalar kernel: the others have its source, and would take half as long again to compile. The project
# around this one may ask for sanitizers in any of its flags.
add_library(dunlin_kernel_sanitizers INTERFACE)
if(NOT PROJECT_IS_TOP_LEVEL OR (DUNLIN_SANITIZE STREQUAL "address" AND NOT DUNLIN_NIGHTLY))
    target_compile_options(dunlin_kernel_sanitizers INTERFACE -fno-sanitize=undefined)
endif()

# The object library of a kernel that may or may not be registered.
function(dunlin_add_kernel_objects name wide)
    add_library(dunlin_kernel_${name} OBJECT
        "${PROJECT_SOURCE_DIR}/kernels/kernel.c"
        "${PROJECT_SOURCE_DIR}/kernels/behaviours/behave.c"
        "${PROJECT_SOURCE_DIR}/kernels/neighbours/select.c")
    if(DUNLIN_OPTIMISE_KERNELS)
        target_compile_options(dunlin_kernel_${name} PRIVATE -O3) # comes after what the build type says
    endif()
    target_link_libraries(dunlin_kernel_${name} PRIVATE dunlin_options $<$<NOT:$<STREQUAL:${wide},scalar>>:dunlin_kernel_sanitizers>)
    target_include_directories(dunlin_kernel_${name} SYSTEM PRIVATE "${SIMDE_INCLUDE_DIR}")
    target_compile_definitions(dunlin_kernel_${name} PRIVATE DUNLIN_KERNEL=${name} DUNLIN_WIDE="kernels/wide/${wide}.h")
endfunction()

function(add_kernel_flags target wide)
    target_compile_options(${target} PRIVATE ${ARGN})
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND wide STREQUAL "avx512" AND (DUNLIN_SANITIZE STREQUAL "address" OR NOT PROJECT_IS_TOP_LEVEL))
        # gcc aligns the stack on which it finds uses after return to 32 bytes, so 64-byte vectors on it are a fault (GCC bug
        # 110027, in gcc 12.2). Everything else is still checked in these frames, and the narrower kernels have the same source.
        target_compile_options(${target} PRIVATE --param=asan-use-after-return=0)
    endif()
endfunction()

function(dunlin_add_kernel name)
    cmake_parse_arguments(PARSE_ARGV 1 kernel "" "WIDE" "FLAGS")
    if(NOT kernel_WIDE)
        set(kernel_WIDE ${name})
    endif()
    dunlin_add_kernel_objects(${name} ${kernel_WIDE})
    add_kernel_flags(dunlin_kernel_${name} ${kernel_WIDE} ${kernel_FLAGS})
    string(TOUPPER ${name} upper)
    target_compile_definitions(dunlin_kernels PRIVATE DUNLIN_HAS_${upper})
    set_property(GLOBAL APPEND PROPERTY dunlin_kernel_names ${name})
    set_property(GLOBAL APPEND PROPERTY dunlin_kernel_objects $<TARGET_OBJECTS:dunlin_kernel_${name}>)
endfunction()
