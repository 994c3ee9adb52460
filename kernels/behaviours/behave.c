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
    [DUN_BEHAVE_TARGET] = target,
    [DUN_BEHAVE_WANDER] = wander,
    [DUN_BEHAVE_CONTAIN] = contain,
    [DUN_BEHAVE_PATH] = path,
    [DUN_BEHAVE_AVOID] = avoid,
    [DUN_BEHAVE_SIDESTEP] = sidestep,
    [DUN_BEHAVE_FORCE] = constant_force,
    [DUN_BEHAVE_DRAG] = drag,
    [DUN_BEHAVE_FLOW] = flow,
    [DUN_BEHAVE_WIND] = wind,
    [DUN_BEHAVE_GIVEN] = given_force,
    [DUN_BEHAVE_ATTRACT] = attract,
};
