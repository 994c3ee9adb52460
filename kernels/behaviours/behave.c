/* SPDX-License-Identifier: MIT */
/*
 * One kernel's behaviours, compiled like kernel.c. The only symbol that leaves the object is dun_behave_<name>, to which
 * dun_kernel_<name> points.
 */
#include "kernels/behaviours/avoid.h"
#include "kernels/behaviours/contain.h"
#include "kernels/behaviours/flow.h"
#include "kernels/behaviours/path.h"
#include "kernels/behaviours/target.h"
#include "kernels/behaviours/wander.h"

extern dun_behave_fn *const JOIN(dun_behave_, DUNLIN_KERNEL)[DUN_BEHAVE_COUNT];

dun_behave_fn *const JOIN(dun_behave_, DUNLIN_KERNEL)[DUN_BEHAVE_COUNT] = {
    [DUN_BEHAVE_TARGET] = behave_target, [DUN_BEHAVE_WANDER] = behave_wander, [DUN_BEHAVE_CONTAIN] = behave_contain,
    [DUN_BEHAVE_PATH] = behave_path,     [DUN_BEHAVE_AVOID] = behave_avoid,   [DUN_BEHAVE_SIDESTEP] = behave_sidestep,
    [DUN_BEHAVE_FORCE] = behave_force,   [DUN_BEHAVE_DRAG] = behave_drag,     [DUN_BEHAVE_FLOW] = behave_flow,
    [DUN_BEHAVE_WIND] = behave_wind,     [DUN_BEHAVE_GIVEN] = behave_given,   [DUN_BEHAVE_ATTRACT] = behave_attract,
};
