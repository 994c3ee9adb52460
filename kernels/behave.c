/* SPDX-License-Identifier: MIT */
/*
 * One kernel's behaviours. Compiled once an instruction set, beside kernel.c and with the same names; the only symbol that
 * leaves the object is dunlin_behave_<name>, to which dunlin_kernel_<name> points.
 */
#include "avoid.h"
#include "contain.h"
#include "flow.h"
#include "path.h"
#include "target.h"
#include "view.h"
#include "wander.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

extern dunlin_behave_fn *const JOIN(dunlin_behave_, DUNLIN_KERNEL)[DUNLIN_BEHAVE_COUNT];

dunlin_behave_fn *const JOIN(dunlin_behave_, DUNLIN_KERNEL)[DUNLIN_BEHAVE_COUNT] = {
    [DUNLIN_BEHAVE_TARGET] = target,
    [DUNLIN_BEHAVE_WANDER] = wander,
    [DUNLIN_BEHAVE_CONTAIN] = contain,
    [DUNLIN_BEHAVE_PATH] = path,
    [DUNLIN_BEHAVE_AVOID] = avoid,
    [DUNLIN_BEHAVE_VIEW] = view,
    [DUNLIN_BEHAVE_FORCE] = constant_force,
    [DUNLIN_BEHAVE_DRAG] = drag,
    [DUNLIN_BEHAVE_FLOW] = flow,
    [DUNLIN_BEHAVE_WIND] = wind,
};
