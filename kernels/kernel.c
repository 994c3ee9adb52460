/* SPDX-License-Identifier: MIT */
/*
 * One kernel. Compiled once per kernel (kernels/CMakeLists.txt), with DUNLIN_KERNEL its name and DUNLIN_WIDE the path of its
 * target. The only symbols that leave the object are dun_kernel_<name> and, if there is one (DUNLIN_HAS_FAST), that of its fast
 * twin, dun_fast_kernel_<name>.
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
extern dun_interact_fn *const JOIN(dun_select_, DUNLIN_KERNEL)[4];              /* select.c */
extern dun_interact_fn *JOIN(dun_fast_, DUNLIN_KERNEL)(const dun_shape *shape); /* fast.c */

#define KERNEL(its_name, is_fast, its_interact)                                                                                \
    {                                                                                                                          \
        .name = its_name, .lanes = DUNLIN_LANES, .fast = is_fast, .interact = its_interact,                                    \
        .select = JOIN(dun_select_, DUNLIN_KERNEL), .nearest = JOIN(dun_select_, DUNLIN_KERNEL) + 2, .min_id = min_id,         \
        .min_max = min_max, .candidates = candidates, .respond = respond, .behave = JOIN(dun_behave_, DUNLIN_KERNEL),          \
        .integrate = integrate, .number = number_cells, .bound = bound, .touch = touch, .motion = motion_sums,                 \
        .circle = circle_sums, .distances = distances_of, .nearest_of = nearest_of, .parts = parts_of,                         \
        .group_terms = group_terms, .hash = hash_sum                                                                           \
    }

const dun_kernel JOIN(dun_kernel_, DUNLIN_KERNEL) = KERNEL(TEXT(DUNLIN_KERNEL), false, interact_choose);

#ifdef DUNLIN_HAS_FAST
extern const dun_kernel JOIN(dun_fast_kernel_, DUNLIN_KERNEL);
const dun_kernel JOIN(dun_fast_kernel_, DUNLIN_KERNEL) = KERNEL(TEXT(DUNLIN_KERNEL) "-fast", true,
                                                                JOIN(dun_fast_, DUNLIN_KERNEL));
#endif
