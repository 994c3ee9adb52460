/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_USEFUL_H
#define DUNLIN_HARNESS_USEFUL_H

#include <dunlin/dunlin.h>

/* Whether dunlin_stats.pairs_useful counts all useful pairs: which pairs the callbacks of PAIRS use, only they know. */
static inline bool useful_counted(const dunlin_world *world) {
    bool all = true;
    for (int b = 0; b < dunlin_world_behaviour_count(world); b++)
        all = all && dunlin_world_get_behaviour(world, b).kind != DUNLIN_BEHAVIOUR_PAIRS;
    return all;
}

#endif
