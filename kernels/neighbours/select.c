/* SPDX-License-Identifier: MIT */
/*
 * One kernel's loops over selections and for the nearest neighbour, compiled like kernel.c. The only symbol that leaves the
 * object is dun_select_<name>, to which dun_kernel_<name> points.
 */
#include "kernels/neighbours/nearest.h"
#include "kernels/neighbours/select.h"

extern dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[4];

dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[4] = {select_2, select_3, nearest_2, nearest_3};
