/* SPDX-License-Identifier: MIT */
/*
 * One kernel. Compiled once an instruction set (kernels/CMakeLists.txt), with DUNLIN_KERNEL its name and DUNLIN_LANES its
 * width; the only symbol that leaves the object is dun_kernel_<name>.
 */
#include "kernels/motion/integrate.h"
#include "kernels/neighbours/lowest.h"
#include "kernels/neighbours/nearby.h"
#include "kernels/neighbours/span.h"
#include "kernels/motion/touch.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)     TEXT_(a)

extern const dun_kernel JOIN(dun_kernel_, DUNLIN_KERNEL);
extern dun_behave_fn *const JOIN(dun_behave_, DUNLIN_KERNEL)[DUN_BEHAVE_COUNT]; /* behave.c */
extern dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[4];              /* select.c */

const dun_kernel JOIN(dun_kernel_, DUNLIN_KERNEL) = {
    .name = TEXT(DUNLIN_KERNEL),
    .lanes = DUNLIN_LANES,
    .interact = interact_choose,
    .select = JOIN(dun_select_, DUNLIN_KERNEL),
    .closest = JOIN(dun_select_, DUNLIN_KERNEL) + 2,
    .lowest = lowest,
    .span = span,
    .nearby = nearby,
    .respond = respond,
    .behave = JOIN(dun_behave_, DUNLIN_KERNEL),
    .integrate = integrate,
    .bound = bound,
    .touch = touch,
};
