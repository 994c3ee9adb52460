# SPDX-License-Identifier: MIT
# dunlin_version_library(TARGET): gives a shared library its SONAME, and its symbols a version of that name, so that two versions of it
# in one process do not mix. Until 1.0 a minor version may break the binary interface, so it is part of both.
set(dunlin_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(dunlin_soversion 0.${PROJECT_VERSION_MINOR})
endif()
set(dunlin_symbol_map "${PROJECT_BINARY_DIR}/symbols.map")
file(CONFIGURE OUTPUT "${dunlin_symbol_map}" CONTENT "DUNLIN_@dunlin_soversion@ { global: dunlin_*; local: *; };\n" @ONLY)

function(dunlin_version_library target)
    # An install writes over the path by which the build finds other libraries, but its length would stay.
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${dunlin_soversion} BUILD_RPATH_USE_ORIGIN ON)
    if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
        target_link_options(${target} PRIVATE "-Wl,--version-script=${dunlin_symbol_map}")
        set_target_properties(${target} PROPERTIES LINK_DEPENDS "${dunlin_symbol_map}")
    endif()
endfunction()
