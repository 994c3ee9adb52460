# SPDX-License-Identifier: MIT
# What `cmake --install` lays down. Only pkg-config's files know the prefix: else the tree may be moved.

include(CMakePackageConfigHelpers)

# A project around this one may install a library that links Dunlin. CMake then asks in which exported set Dunlin's targets are. So
# they are in one also without DUNLIN_INSTALL; but then only `cmake --install --component dunlin` lays them down.
set(if_asked "")
if(NOT DUNLIN_INSTALL)
    set(if_asked COMPONENT dunlin EXCLUDE_FROM_ALL)
endif()
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dunlin")
function(dunlin_export set)
    install(TARGETS ${ARGN} EXPORT dunlin_${set} ${if_asked})
    string(REPLACE "_" "-" name "${set}")
    install(EXPORT dunlin_${set} FILE dunlin-${name}.cmake NAMESPACE dunlin:: DESTINATION "${package_dir}" ${if_asked})
endfunction()
set(exported dunlin dunlin_static)
if(DUNLIN_BUILD_HARNESS)
    list(APPEND exported dunlin_scenario dunlin_scenario_static)
endif()
dunlin_export(targets ${exported})
if(TARGET dunlin_mpi)
    dunlin_export(mpi_targets dunlin_mpi dunlin_mpi_static)
endif()
if(NOT DUNLIN_INSTALL)
    return()
endif()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/engine/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
if(NOT TARGET dunlin_mpi)
    # Its functions are in the component.
    install(CODE "file(REMOVE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/dunlin/mpi.h\")")
endif()
include(dunlin_cdef)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(DUNLIN_BUILD_HARNESS)
    if(TARGET dunlin_program)
        install(TARGETS dunlin_program)
    endif()
    if(TARGET dunlin_manuals)
        install(DIRECTORY "${PROJECT_BINARY_DIR}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" FILES_MATCHING PATTERN "*.1")
        # Where the shells look, below the prefixes /usr and /usr/local.
        set(completions "${PROJECT_BINARY_DIR}/completions")
        set(programs dunlin)
        if(TARGET dunlin-mpi)
            list(APPEND programs dunlin-mpi)
            install(FILES "${PROJECT_BINARY_DIR}/man/dunlin.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" RENAME dunlin-mpi.1)
        endif()
        foreach(program IN LISTS programs)
            install(FILES "${completions}/dunlin.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ${program})
            install(FILES "${completions}/${program}.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
        endforeach()
        install(FILES "${completions}/_dunlin" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions") # for both
    endif()
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/harness/scenario/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/harness/scenarios/" DESTINATION "${CMAKE_INSTALL_DATADIR}/dunlin/scenarios"
        FILES_MATCHING PATTERN "*.yaml")
endif()

# find_package(dunlin CONFIG).
# Until 1.0 a minor version may break what callers rely on.
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/dunlin-config-version.cmake" COMPATIBILITY ${compatibility})
install(FILES "${PROJECT_BINARY_DIR}/dunlin-config-version.cmake" DESTINATION "${package_dir}")
install(FILES "${CMAKE_CURRENT_LIST_DIR}/dunlin-config.cmake" DESTINATION "${package_dir}")

# pkg-config NAME. The prefix is known once it is installed; of a tree that was moved, --define-variable=prefix=… says it. Written where it is
# installed, since the build's folder may be another user's than who installs.
list(JOIN dunlin_thread_libraries " " pc_private_libs)
string(PREPEND pc_private_libs "${dunlin_stays_loaded} ")
set(pc_folders "prefix=@CMAKE_INSTALL_PREFIX@")
foreach(folder LIBDIR INCLUDEDIR)
    set(path "\${prefix}")
    cmake_path(APPEND path "${CMAKE_INSTALL_${folder}}") # which it is alone if it is absolute
    string(TOLOWER ${folder} name)
    string(APPEND pc_folders "\n${name}=${path}")
endforeach()
function(dunlin_install_pc name)
    set(pc "${PROJECT_BINARY_DIR}/${name}.pc.in")
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${name}.pc.in" "${pc}" @ONLY)
    install(CODE "
        set(pc \"${CMAKE_INSTALL_LIBDIR}/pkgconfig/${name}.pc\")
        cmake_path(ABSOLUTE_PATH pc BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
        message(STATUS \"Installing: \$ENV{DESTDIR}\${pc}\")
        configure_file(\"${pc}\" \"\$ENV{DESTDIR}\${pc}\" @ONLY)
        list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${pc}\")")
endfunction()
dunlin_install_pc(dunlin)
if(DUNLIN_BUILD_HARNESS)
    dunlin_install_pc(dunlin-scenario)
endif()

# The component `mpi`: find_package(dunlin COMPONENTS mpi), and pkg-config dunlin-mpi. It needs CMake's package of MPI.
if(TARGET dunlin_mpi)
    if(TARGET dunlin-mpi)
        install(TARGETS dunlin-mpi)
    endif()
    dunlin_install_pc(dunlin-mpi)
endif()
