#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_counts.sh SOURCES: how cmake/run_tests.sh counts the tests of a log, and which place it names for each failure.
set -euo pipefail
eval "$(sed -n '/^count_cases() {/,/^}/p' "$1/cmake/run_tests.sh")"

log=$(mktemp)
trap 'rm -f "$log"*' EXIT
cat >"$log" <<'LOG'
1/4 Testing: cases
1/4 Test: cases
[==========] Running 5 test(s).
[ RUN      ] good
[       OK ] good
[ RUN      ] wrong
[  ERROR   ] --- 1 != 2
[   LINE   ] --- tests/a.c:10: error: Failure!
[  FAILED  ] wrong
[ RUN      ] without_a_place
[  ERROR   ] --- Test failed with exception: Segmentation fault(11)
[  FAILED  ] without_a_place
[ RUN      ] wrong_again
[   LINE   ] --- tests/b.c:20: error: Failure!
[  FAILED  ] wrong_again
[ RUN      ] left_out
[  SKIPPED ] left_out
[==========] 5 test(s) run.
[  PASSED  ] 1 test(s).
[  FAILED  ] 3 test(s), listed below:
[  FAILED  ] wrong
[  FAILED  ] without_a_place
[  FAILED  ] wrong_again
Test Failed.
2/4 Test: script
Test Passed.
3/4 Test: broken_script
Test Failed.
4/4 Test: crashed
[==========] Running 2 test(s).
[ RUN      ] before
[       OK ] before
[ RUN      ] never_ended
Test Failed.
LOG
cat >"$log.wanted" <<'WANTED'
p: cases: wrong: failed at tests/a.c:10:
p: cases: without_a_place: failed
p: cases: wrong_again: failed at tests/b.c:20:
p: cases: left_out: skipped
p: broken_script: failed
p: crashed: failed
3 5 1
WANTED
count_cases p "$log" >"$log.got" 2>&1
diff "$log.wanted" "$log.got"
