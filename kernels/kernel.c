/* SPDX-License-Identifier: MIT */
/*
 * One kernel. Compiled once an instruction set (kernels/CMakeLists.txt), with DUNLIN_KERNEL its name and DUNLIN_LANES its width;
 * the only symbol that leaves the object is dunlin_kernel_<name>.
 */
#include "integrate.h"
#include "lowest.h"
#include "nearby.h"
#include "span.h"
#include "touch.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

extern const dunlin_kernel JOIN(dunlin_kernel_, DUNLIN_KERNEL);
extern dunlin_behave_fn *const JOIN(dunlin_behave_, DUNLIN_KERNEL)[DUNLIN_BEHAVE_COUNT]; /* behave.c */
extern dunlin_interact_fn *const JOIN(dunlin_select_, DUNLIN_KERNEL)[4];                   /* select.c */

const dunlin_kernel JOIN(dunlin_kernel_, DUNLIN_KERNEL) = {
    .name = TEXT(DUNLIN_KERNEL),
    .lanes = DUNLIN_LANES,
    .strict = true,
    .interact = interact_choose,
    .select = JOIN(dunlin_select_, DUNLIN_KERNEL),
    .closest = JOIN(dunlin_select_, DUNLIN_KERNEL) + 2,
    .nearest = nearest_choose,
    .lowest = lowest,
    .span = span,
    .nearby = nearby,
    .respond = respond,
    .behave = JOIN(dunlin_behave_, DUNLIN_KERNEL),
    .integrate = integrate,
    .bound = bound,
    .touch = touch,
};
