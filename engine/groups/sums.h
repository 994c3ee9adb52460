/* SPDX-License-Identifier: MIT */
/* A pass over the agents of a species, which sums over groups. For the files of this module. */
#ifndef DUNLIN_ENGINE_GROUP_SUMS_H
#define DUNLIN_ENGINE_GROUP_SUMS_H

#include "engine/groups/groups.h"

typedef struct dun_group_pass {
    const dunlin_world *world;
    const dun_species *species;
    const dun_agents *state;
    const float *rank; /* NULL: all are equal */
    struct dun_group_table *table;
    dun_grouped agents;
} dun_group_pass;

static inline bool dun_pass_periodic(const dun_group_pass *p) {
    return dun_is_periodic(&p->world->def);
}

/* In a part, collective: which agents lead in the whole flock, and its extents; where the leaders are, and in a periodic world
 * the points; the sums. */
void dun_groups_share_leaders(const dun_group_pass *p, dun_group_extents *e);
void dun_groups_share_places(const dun_group_pass *p);
void dun_groups_share_sums(const dun_group_pass *p);

#endif
