/* SPDX-License-Identifier: MIT */
/*
 * One kernel's interactions that do not count everyone within a radius. Compiled once an instruction set, beside kernel.c and
 * with the same names; the only symbol that leaves the object is dun_select_<name>, to which dun_kernel_<name> points.
 */
#include "kernels/neighbours/closest.h"
#include "kernels/neighbours/select.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

extern dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[4];

dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[4] = {select_2, select_3, closest_2, closest_3};
