/* SPDX-License-Identifier: MIT */
/* A kernel that counts its operations: the kernel's own source over counted operations. It gives the same bits, slowly. */
#include DUNLIN_WIDE

#include "harness/roofline/count_operations.h"

/* Only the bench's rules and what the tests count by hand, because each shape takes long to compile. */
#define INTERACT_SHAPES(X, d) X(d, 1, 1, 1, 0, 0) X(d, 0, 0, 1, 0, 0) X(d, 1, 0, 1, 0, 0)

#include "kernels/kernel.c"

/* Behaviours and selections are not counted. */
dun_behave_fn *const JOIN(dun_behave_, DUNLIN_KERNEL)[DUN_BEHAVE_COUNT] = {NULL};
dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[6] = {NULL};
