# SPDX-License-Identifier: MIT
# Threads::Threads, and OpenMP::OpenMP_C if it is there, to build with; and dunlin_thread_libraries: what a program that links the
# installed static library says to get their runtimes. Not FindOpenMP or FindThreads, which would force their languages on them,
# nor this machine's path to a runtime.

find_package(Threads REQUIRED)
if(DUNLIN_OPENMP)
    find_package(OpenMP COMPONENTS C)
endif()
if(DUNLIN_OPENMP AND NOT OpenMP_C_FOUND)
    message(STATUS "OpenMP was not found: worlds use pthreads by default")
    set(DUNLIN_OPENMP OFF)
endif()

set(dunlin_executor_targets Threads::Threads)
set(dunlin_thread_libraries ${CMAKE_THREAD_LIBS_INIT})
if(DUNLIN_OPENMP)
    list(PREPEND dunlin_executor_targets OpenMP::OpenMP_C)
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
        # Only clang knows where its runtime is, and only with this option.
        set(dunlin_thread_libraries ${OpenMP_C_FLAGS})
    else()
        set(dunlin_thread_libraries ${OpenMP_C_LIB_NAMES})
        list(TRANSFORM dunlin_thread_libraries PREPEND "-l")
    endif()
endif()

# OpenMP's threads outlive the last world, and wait in code that dlclose() would take away. So whatever has the engine in it stays
# loaded: the shared library, or a plugin that is linked with the static one.
set(dunlin_stays_loaded "")
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    set(dunlin_stays_loaded -Wl,-z,nodelete)
endif()
