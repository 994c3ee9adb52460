/* SPDX-License-Identifier: MIT */
/*
 * The sums over neighbours of a fast kernel: interact.h once more, with fused multiply-adds and with estimates of inverses.
 * They see the same neighbours as a strict kernel, since distances are computed alike, and their sums are as near to the exact
 * ones as those of a strict kernel are; but the last bits are their own.
 */
#include "kernels/neighbours/interact.h"

extern dun_interact_fn *JOIN(dun_fast_, DUNLIN_KERNEL)(const dun_shape *shape);

dun_interact_fn *JOIN(dun_fast_, DUNLIN_KERNEL)(const dun_shape *shape) {
    return interact_choose(shape);
}
