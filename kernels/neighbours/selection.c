/* SPDX-License-Identifier: MIT */
#include "kernels/contract/kernel.h"

enum { SEPARATION, ALIGNMENT, COHESION, RULES };

static bool is_on(const dun_sight *sight) {
    return sight->r2 >= 0.0f;
}

/* Whether whoever is in `a` is in `b` too. */
static bool inside(const dun_sight *a, const dun_sight *b) {
    return a->r2 <= b->r2 && a->min_r2 >= b->min_r2 && a->view >= b->view;
}

dun_selection dun_selection_of(const dun_sight rule[3], uint32_t nearest, uint32_t most, bool ignore_coincident) {
    const dun_sight *widest = &rule[is_on(&rule[ALIGNMENT]) ? ALIGNMENT : is_on(&rule[COHESION]) ? COHESION : SEPARATION];
    dun_selection made = {.same = true, .nearest = nearest, .most = most};
    made.plain = widest->min_r2 == 0.0f && !most && !(ignore_coincident && widest->view > DUN_ALL_AROUND);
    for (int r = 0; r < RULES; r++) {
        made.rule[r] = rule[r];
        if (!is_on(&rule[r])) made.rule[r].view = widest->view;
        if (!is_on(&rule[r])) continue;
        made.same = made.same && inside(&rule[r], widest) && (r == SEPARATION || inside(widest, &rule[r]));
        made.plain = made.plain && rule[r].min_r2 == 0.0f && rule[r].view == widest->view;
    }
    made.plain = made.plain && made.same;
    return made;
}
