# SPDX-License-Identifier: MIT
# cmake -DSOURCES=folder -DHEADER=file -P dunlin_write_commit.cmake: writes a header that defines DUNLIN_COMMIT, and touches it only
# when that has changed. "ed67577", "ed67577-dirty" where tracked files have changes; outside git the commit of which git has made the
# archive, or "unknown".

set(commit "unknown")
# git archive writes the commit into this file.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/commit.txt" archived LIMIT_COUNT 1)
if(archived MATCHES "^[0-9a-f]+$")
    string(SUBSTRING "${archived}" 0 7 commit)
endif()
find_program(GIT git)
if(GIT)
    # Sources inside another repository have no commit of their own.
    execute_process(COMMAND "${GIT}" rev-parse --show-toplevel WORKING_DIRECTORY "${SOURCES}"
        OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(REAL_PATH "${SOURCES}" sources)
    if(top)
        file(REAL_PATH "${top}" top)
    endif()
    if(top STREQUAL sources)
        execute_process(COMMAND "${GIT}" describe --always --dirty --exclude=* --abbrev=7 WORKING_DIRECTORY "${SOURCES}"
            OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(described)
            set(commit "${described}")
        endif()
    endif()
endif()

set(content "/* Written by every build. */\n#define DUNLIN_COMMIT \"${commit}\"\n")
set(present "")
if(EXISTS "${HEADER}")
    file(READ "${HEADER}" present)
endif()
if(NOT present STREQUAL content)
    file(WRITE "${HEADER}" "${content}")
endif()
