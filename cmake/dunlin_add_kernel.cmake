# SPDX-License-Identifier: MIT
# dunlin_add_kernel(NAME LANES n [FLAGS ...]): compiles kernels/kernel.c, behave.c and select.c once more, as kernel NAME with its own
# flags, and tells the registry. One object library each, so that no instruction of one kernel leaks into another or into the rest.

function(dunlin_add_kernel name)
    cmake_parse_arguments(PARSE_ARGV 1 kernel "" "LANES" "FLAGS")
    add_library(dunlin_kernel_${name} OBJECT
        "${PROJECT_SOURCE_DIR}/kernels/kernel.c"
        "${PROJECT_SOURCE_DIR}/kernels/behaviours/behave.c"
        "${PROJECT_SOURCE_DIR}/kernels/neighbours/select.c")
    target_link_libraries(dunlin_kernel_${name} PRIVATE dunlin_options)
    target_include_directories(dunlin_kernel_${name} SYSTEM PRIVATE "${SIMDE_INCLUDE_DIR}")
    if(DUNLIN_SANITIZE STREQUAL "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND kernel_LANES GREATER 8)
        # gcc's stack for finding uses after return is aligned to 32 bytes, and 64-byte vectors on it are a fault (GCC bug 110027, in
        # gcc 12.2). Everything else about these frames is still checked, and so are the narrower kernels, of the same source.
        list(APPEND kernel_FLAGS --param=asan-use-after-return=0)
    endif()
    target_compile_options(dunlin_kernel_${name} PRIVATE ${kernel_FLAGS})
    target_compile_definitions(dunlin_kernel_${name} PRIVATE DUNLIN_KERNEL=${name} DUNLIN_LANES=${kernel_LANES})
    string(TOUPPER ${name} upper)
    target_compile_definitions(dunlin_kernels PRIVATE DUNLIN_HAS_${upper})
    set_property(GLOBAL APPEND PROPERTY dunlin_kernel_names ${name})
    set_property(GLOBAL APPEND PROPERTY dunlin_kernel_objects $<TARGET_OBJECTS:dunlin_kernel_${name}>)
endfunction()
