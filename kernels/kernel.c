/* SPDX-License-Identifier: MIT */
/*
 * One kernel. Compiled once per kernel (kernels/CMakeLists.txt), with DUNLIN_KERNEL its name and DUNLIN_WIDE the path of its
 * target. The only symbol that leaves the object is dun_kernel_<name>.
 */
#include "kernels/contract/kernel.h"
#include "kernels/motion/group_terms.h"
#include "kernels/motion/hash.h"
#include "kernels/motion/integrate.h"
#include "kernels/motion/number.h"
#include "kernels/motion/measure.h"
#include "kernels/motion/respond.h"
#include "kernels/motion/touch.h"
#include "kernels/neighbours/box.h"
#include "kernels/neighbours/interact.h"
#include "kernels/neighbours/min_id.h"

#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)

extern const dun_kernel JOIN(dun_kernel_, DUNLIN_KERNEL);
extern dun_behave_fn *const JOIN(dun_behave_, DUNLIN_KERNEL)[DUN_BEHAVE_COUNT]; /* behave.c */
extern dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[6];              /* select.c */

const dun_kernel JOIN(dun_kernel_, DUNLIN_KERNEL) = {
    .name = TEXT(DUNLIN_KERNEL),
    .lanes = DUNLIN_LANES,
    .interact = interact_choose,
    .select = JOIN(dun_select_, DUNLIN_KERNEL),
    .nearest = JOIN(dun_select_, DUNLIN_KERNEL) + 2,
    .sight = JOIN(dun_select_, DUNLIN_KERNEL) + 4,
    .min_id = find_min_ids,
    .min_max = find_ends,
    .candidates = find_candidates,
    .respond = respond_all,
    .behave = JOIN(dun_behave_, DUNLIN_KERNEL),
    .integrate = integrate_all,
    .number = number_cells,
    .bound = bound_all,
    .touch = touch_all,
    .motion = motion_sums,
    .circle = circle_sums,
    .distances = distances_of,
    .nearest_of = nearest_to,
    .parts = parts_of,
    .group_terms = group_terms_of,
    .hash = hash_sum,
};
