/* SPDX-License-Identifier: MIT */
#include "kernels/contract/kernel.h"

enum { SEPARATION, ALIGNMENT, COHESION, RULES };

static bool is_on(const dun_rule_selection *rule) {
    return rule->r2 >= 0.0f;
}

/* Whether b counts every neighbour that a counts. */
static bool inside(const dun_rule_selection *a, const dun_rule_selection *b) {
    return a->r2 <= b->r2 && a->min_r2 >= b->min_r2 && a->view >= b->view && (a->kin == b->kin || b->kin == DUN_KIN_ALL);
}

dun_selection dun_selection_of(const dun_rule_selection rule[3], uint32_t nearest, uint32_t max_neighbours,
                               bool ignore_coincident) {
    const dun_rule_selection *first = &rule[is_on(&rule[ALIGNMENT])  ? ALIGNMENT
                                            : is_on(&rule[COHESION]) ? COHESION
                                                                     : SEPARATION];
    dun_selection made = {.same = true, .nearest = nearest, .max_neighbours = max_neighbours};
    made.plain = first->min_r2 == 0.0f && !(ignore_coincident && first->view > DUN_ALL_AROUND);
    for (int r = 0; r < RULES; r++) {
        made.rule[r] = rule[r];
        if (!is_on(&rule[r])) made.rule[r].view = first->view;
        if (!is_on(&rule[r])) continue;
        made.same = made.same && inside(&rule[r], first) && (r == SEPARATION || inside(first, &rule[r]));
        made.plain = made.plain && rule[r].min_r2 == 0.0f && rule[r].view == first->view && rule[r].kin == DUN_KIN_ALL;
    }
    made.plain = made.plain && made.same;
    return made;
}
