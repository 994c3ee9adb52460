# SPDX-License-Identifier: MIT
# dunlin_add_test(NAME SOURCES ... [LIBRARIES ...] [LABELS ...] [MACHINES ...] [TIMEOUT seconds] [COMMA]): one cmocka program, one subject. It is
# linked with the static library, in which every function of ours can be reached, and with LIBRARIES; headers are found by their path
# from the top ("kernels/contract/kernel.h"). It runs in an empty folder of its own and knows
#     DUNLIN_TEST_FOLDER    that folder
#     DUNLIN_TESTS_DIR      tests/ in the source tree
#     DUNLIN_SCENARIOS_DIR  harness/scenarios/ in the source tree
#     DUNLIN_PROGRAM        the dunlin program, where the harness is built
#     DUNLIN_PRETENDING_PROGRAM  the same on a machine that tests/lib/pretend.h pretends
# Labels: `portable` for what can run cross-built, under emulation or as WebAssembly in node; `bits` for what always does, since the
# state's bits depend on it. `threads` for what WebAssembly with threads and the thread sanitizer repeat. `nightly` for what only
# make test-nightly runs, and `unsanitized` for what sanitizers only see there: its subject has a shorter test. `scenario` for what needs the
# scenario library, and `program` for what needs the program, which are left out where that isn't built. `slow` for what `ctest -LE slow`
# should leave out. `timing` for what depends on the machine's speed: it runs alone, and `ctest -LE timing` leaves it out, on a busy machine
# for instance. With COMMA a plain build runs the test a second time, as NAME_comma with the label `comma`, in a locale with a decimal comma,
# which localedef makes first.

# MACHINES: for a test that asks the machine: it runs again as NAME_on_MACHINE on each of these pretended ones (tests/lib/pretend.h).
set(dunlin_other_processors zen4 avx512 avx2 sse41)
set(dunlin_other_numbers one two many quota)

# Whether this build has what the labels ask for.
function(dunlin_can_test result labels)
    set(can TRUE)
    if(NOT DUNLIN_NIGHTLY)
        set(wanted ${DUNLIN_TEST_LABELS})
        list(REMOVE_ITEM wanted ${labels})
        if("nightly" IN_LIST labels OR (DUNLIN_SANITIZE AND "unsanitized" IN_LIST labels)
                OR (DUNLIN_TEST_LABELS AND wanted STREQUAL DUNLIN_TEST_LABELS))
            set(can FALSE)
        endif()
    endif()
    if((CMAKE_CROSSCOMPILING AND NOT "portable" IN_LIST labels)
            OR (EMSCRIPTEN AND CMAKE_C_FLAGS MATCHES -pthread AND NOT "threads" IN_LIST labels)
            OR (DUNLIN_SANITIZE STREQUAL "thread" AND labels MATCHES "program|scenario" AND NOT "threads" IN_LIST labels)
            OR (NOT TARGET dunlin_program AND "program" IN_LIST labels)
            OR (NOT TARGET dunlin_scenario_static AND "scenario" IN_LIST labels))
        set(can FALSE)
    endif()
    set(${result} ${can} PARENT_SCOPE)
endfunction()

# tests/lib/effort.h
set(dunlin_effort $<$<OR:$<BOOL:${CMAKE_CROSSCOMPILING}>,$<BOOL:${DUNLIN_SANITIZE}>,$<CONFIG:Debug>>:DUNLIN_TESTS_SLOW>
    $<$<BOOL:${DUNLIN_NIGHTLY}>:DUNLIN_TESTS_NIGHTLY>)

function(dunlin_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 test "COMMA" "TIMEOUT" "SOURCES;LIBRARIES;LABELS;MACHINES")
    dunlin_can_test(can "${test_LABELS}")
    if(NOT can)
        return()
    endif()
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 600) # a hang is what this is for: slow machines and emulation must pass
    endif()

    if(test_COMMA)
        list(APPEND test_SOURCES "${PROJECT_SOURCE_DIR}/tests/lib/comma.c")
    endif()
    add_executable(test_${name} ${test_SOURCES})
    target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_include_directories(test_${name} SYSTEM PRIVATE "${XXHASH_INCLUDE_DIR}") # of engine/base/sections.h
    target_link_libraries(test_${name} PRIVATE ${test_LIBRARIES} dunlin_test_pretend dunlin_test_worlds dunlin_static dunlin_options
        $<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_C> PkgConfig::cmocka m)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/scratch/${name}")
    file(MAKE_DIRECTORY "${folder}")
    # What a test itself computes is little: fully optimised, the tests take as long to compile as the library.
    target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_compile_definitions(test_${name} PRIVATE DUNLIN_TEST_FOLDER="${folder}" DUNLIN_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests"
        DUNLIN_SCENARIOS_DIR="${PROJECT_SOURCE_DIR}/harness/scenarios"
        ${dunlin_effort})
    if(TARGET dunlin_program)
        target_compile_definitions(test_${name} PRIVATE DUNLIN_PROGRAM="$<TARGET_FILE:dunlin_program>"
            DUNLIN_PRETENDING_PROGRAM="$<TARGET_FILE:dunlin_pretending>")
        add_dependencies(test_${name} dunlin_program dunlin_pretending)
    endif()

    add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY "${folder}")
    set_tests_properties(${name} PROPERTIES LABELS "${test_LABELS}" TIMEOUT ${test_TIMEOUT})
    if(name IN_LIST dunlin_longest_tests)
        set_tests_properties(${name} PROPERTIES COST 1)
    endif()
    if("timing" IN_LIST test_LABELS)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
    endif()
    if(test_MACHINES AND NOT CMAKE_CROSSCOMPILING AND NOT DUNLIN_SANITIZE)
        foreach(machine IN LISTS test_MACHINES)
            add_test(NAME ${name}_on_${machine} COMMAND test_${name} WORKING_DIRECTORY "${folder}")
            set_tests_properties(${name}_on_${machine} PROPERTIES LABELS machines TIMEOUT ${test_TIMEOUT}
                RESOURCE_LOCK "folder of ${name}" ENVIRONMENT DUNLIN_TEST_MACHINE=${machine})
        endforeach()
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK "folder of ${name}")
    endif()
    if(test_COMMA AND NOT CMAKE_CROSSCOMPILING AND NOT DUNLIN_SANITIZE)
        dunlin_add_comma_test(${name} "${folder}")
    endif()
endfunction()

# The test's folder serves for both, one after the other.
function(dunlin_add_comma_test name folder)
    set(locales "${PROJECT_BINARY_DIR}/tests/locales")
    get_property(is_made GLOBAL PROPERTY dunlin_comma_locale)
    if(NOT is_made)
        set_property(GLOBAL PROPERTY dunlin_comma_locale TRUE)
        file(MAKE_DIRECTORY "${locales}")
        add_test(NAME comma_locale COMMAND sh -c
            "test -e comma/LC_NUMERIC && exit; command -v localedef >localedef.txt || exit 77; localedef -i de_DE -f UTF-8 ./comma"
            WORKING_DIRECTORY "${locales}")
        set_tests_properties(comma_locale PROPERTIES FIXTURES_SETUP comma_locale SKIP_RETURN_CODE 77 LABELS comma)
    endif()
    add_test(NAME ${name}_comma COMMAND test_${name} WORKING_DIRECTORY "${folder}")
    set_tests_properties(${name}_comma PROPERTIES LABELS comma TIMEOUT 600 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED comma_locale
        ENVIRONMENT "LOCPATH=${locales};DUNLIN_TEST_LOCALE=comma")
    set_tests_properties(${name} ${name}_comma PROPERTIES RESOURCE_LOCK "folder of ${name}")
endfunction()
