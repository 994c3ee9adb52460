# SPDX-License-Identifier: MIT
# OpenMP::OpenMP_C to build with, and dunlin_openmp_runtime: what whoever links the installed static library says to get the
# runtime. Not FindOpenMP, which would force its language on them, nor this machine's path to the runtime.

find_package(OpenMP REQUIRED COMPONENTS C)

set(dunlin_openmp_runtime ${OpenMP_C_LIB_NAMES})
list(TRANSFORM dunlin_openmp_runtime PREPEND "-l")
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # Which lies where only clang knows, and only when told so.
    set(dunlin_openmp_runtime ${OpenMP_C_FLAGS})
endif()
