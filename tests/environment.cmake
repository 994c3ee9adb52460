# SPDX-License-Identifier: MIT
# What every test finds in its environment. ctest reads this before it starts the first one.

# More threads than cores is what many tests are about: idle ones must not spin.
set(ENV{OMP_WAIT_POLICY} passive)

# Many tests kill programs. A program with LLVM's OpenMP then leaves a file in /dev/shm, named after its process id. If it was killed
# before it had filled that file, every later process with the same id ends with "found unknown library already initialized".
set(ENV{KMP_DUPLICATE_LIB_OK} TRUE)

set(ENV{ASAN_OPTIONS} detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1)
set(ENV{UBSAN_OPTIONS} print_stacktrace=1)
# Not the memory of OpenMP's own library; Archer reports what that orders.
set(ENV{TSAN_OPTIONS} ignore_noninstrumented_modules=1)
