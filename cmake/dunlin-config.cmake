# SPDX-License-Identifier: MIT
# find_package(dunlin CONFIG [COMPONENTS mpi]). Only the component needs something else to be found.
include("${CMAKE_CURRENT_LIST_DIR}/dunlin-targets.cmake")

foreach(component IN LISTS dunlin_FIND_COMPONENTS)
    set(dunlin_${component}_FOUND FALSE)
    if(component STREQUAL "mpi" AND EXISTS "${CMAKE_CURRENT_LIST_DIR}/dunlin-mpi-targets.cmake")
        include(CMakeFindDependencyMacro)
        find_dependency(MPI COMPONENTS C)
        include("${CMAKE_CURRENT_LIST_DIR}/dunlin-mpi-targets.cmake")
        set(dunlin_mpi_FOUND TRUE)
    endif()
    if(dunlin_FIND_REQUIRED_${component} AND NOT dunlin_${component}_FOUND)
        set(dunlin_FOUND FALSE)
        set(dunlin_NOT_FOUND_MESSAGE "Dunlin was installed without its component ${component}")
    endif()
endforeach()
