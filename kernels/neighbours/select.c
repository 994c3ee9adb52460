/* SPDX-License-Identifier: MIT */
/*
 * One kernel's loops over selections, for the nearest neighbour and among obstacles, compiled like kernel.c. The only symbol
 * that leaves the object is dun_select_<name>, to which dun_kernel_<name> points.
 */
#include "kernels/neighbours/nearest.h"
#include "kernels/neighbours/select.h"

extern dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[6];

dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[6] = {select_2, select_3, nearest_2, nearest_3, sight_2, sight_3};
