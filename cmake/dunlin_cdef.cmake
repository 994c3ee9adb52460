# SPDX-License-Identifier: MIT
# dunlin.cdef: all declarations of dunlin.h without comments, macros and includes, for hosts that read C declarations, such as LuaJIT's ffi.
# Constants are enumerators in it. What C's own headers declare, those hosts know already.

set(cdef_folder "${PROJECT_BINARY_DIR}/cdef")
foreach(header stdbool stddef stdint)
    file(WRITE "${cdef_folder}/${header}.h" "")
endforeach()
file(GLOB cdef_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/engine/include/dunlin/*.h")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cdef_headers})
execute_process(
    COMMAND "${CMAKE_C_COMPILER}" -E -P -nostdinc "-I${cdef_folder}" -DDUNLIN_STATIC "-I${PROJECT_SOURCE_DIR}/engine/include"
        "${PROJECT_SOURCE_DIR}/engine/include/dunlin/cluster.h"
    OUTPUT_VARIABLE cdef_declarations COMMAND_ERROR_IS_FATAL ANY)
set(cdef_constants "")
foreach(header IN LISTS cdef_headers)
    file(STRINGS "${header}" lines REGEX "^#define DUNLIN_[A-Z0-9_]+ +[(]?-?[0-9]")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#define ([A-Z0-9_]+) +[(]?(-?[0-9]+u?)[)]? *(/[*].*)?$" "    \\1 = \\2,\n" constant "${line}")
        if(constant STREQUAL line)
            message(FATAL_ERROR "dunlin.cdef can have whole decimal constants only, not ${line}")
        endif()
        string(APPEND cdef_constants "${constant}")
    endforeach()
endforeach()
file(WRITE "${PROJECT_BINARY_DIR}/dunlin.cdef" "enum {\n${cdef_constants}};\n${cdef_declarations}")
install(FILES "${PROJECT_BINARY_DIR}/dunlin.cdef" DESTINATION "${CMAKE_INSTALL_DATADIR}/dunlin")
