/* SPDX-License-Identifier: MIT */
/*
 * One kernel's interactions that do not count everyone within a radius. Compiled once an instruction set, beside kernel.c and
 * with the same names; the only symbol that leaves the object is dunlin_select_<name>, to which dunlin_kernel_<name> points.
 */
#include "closest.h"
#include "select.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

extern dunlin_interact_fn *const JOIN(dunlin_select_, DUNLIN_KERNEL)[4];

dunlin_interact_fn *const JOIN(dunlin_select_, DUNLIN_KERNEL)[4] = {select_2, select_3, closest_2, closest_3};
