/* SPDX-License-Identifier: MIT */
/*
 * DUNLIN_LANES numbers at once: the operations of one target, over which the kernels are written once. DUNLIN_WIDE is the path
 * of the target's file; targets are the only files that know intrinsics. operations.h lists and explains the operations.
 */
#ifndef DUNLIN_KERNELS_WIDE_H
#define DUNLIN_KERNELS_WIDE_H

#include DUNLIN_WIDE

WIDE_INLINE wide wide_zero(void) { return wide_set(0.0f); }

#endif
