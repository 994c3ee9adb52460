# SPDX-License-Identifier: MIT
# The component for MPI: dunlin_mpi, a library for the implementation that CMake finds. The tests also try MPICH beside Open MPI.
# With sanitizers MPI's own leaks would be ours, and there are none for other processors.
set(DUNLIN_MPI AUTO CACHE STRING "Build dunlin-mpi: ON, OFF, or AUTO: if there is MPI")
if(NOT DUNLIN_MPI OR EMSCRIPTEN OR (DUNLIN_MPI STREQUAL "AUTO" AND (DUNLIN_SANITIZE OR DUNLIN_FUZZ OR CMAKE_CROSSCOMPILING)))
    return()
endif()
set(MPI_CXX_SKIP_MPICXX ON)
if(DUNLIN_MPI STREQUAL "AUTO")
    find_package(MPI QUIET COMPONENTS C)
else()
    find_package(MPI REQUIRED COMPONENTS C)
endif()
if(NOT MPI_C_FOUND)
    return()
endif()

function(dunlin_add_mpi_library name mpi)
    add_library(${name} STATIC "${PROJECT_SOURCE_DIR}/engine/cluster/mpi.c")
    target_include_directories(${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/engine/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:dunlin_options> PUBLIC ${mpi})
endfunction()
dunlin_add_mpi_library(dunlin_mpi MPI::MPI_C)
add_library(dunlin::dunlin_mpi ALIAS dunlin_mpi)
set_target_properties(dunlin_mpi PROPERTIES OUTPUT_NAME dunlin-mpi)
