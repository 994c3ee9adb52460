/* SPDX-License-Identifier: MIT */
/*
 * A few agents, seen by many: hawks among starlings. Most packets of starlings see no hawk, but asking the index about each
 * packet costs more than all other work for it. So the index is asked about a longer stretch of observers. The few agents near
 * the stretch are copied, in their order, and the stretch's packets take the copies as their candidates.
 */
#include <string.h>

#include "engine/frame/stages.h"

enum { MANY_TIMES = 16 /* times as many observers as observed agents */ };

bool dun_observed_are_few(const dunlin_world *world, const dun_look *look) {
    return world->species[look->observer]->count / MANY_TIMES > world->species[look->observed]->count;
}

static dun_box box_of_walk(const dun_kernel *kernel, const dun_walk *walk) {
    const dun_packet packet = walk->query.packet;
    dun_box box = {0};
    for (int a = 0; a < walk->dimensions; a++) kernel->min_max(walk->query.position[a] + packet.first, packet.count, box.of[a]);
    return box;
}

/* Whether some point of the box has a shorter way to agent j across the world's edge. Only then do offsets fold. */
static bool is_across(const dun_interact *job, const dun_box *box, int dimensions, int32_t j) {
    for (int a = 0; a < dimensions; a++) {
        const float x = job->position[a][j], half = 0.5f * job->size[a];
        if (x - box->of[a][0] > half || x - box->of[a][1] < -half) return true;
    }
    return false;
}

/* One loop over all ranges: the end of a loop is mispredicted more often than not. */
static void copy_few(const dun_summing *s, const dun_box *box, int dimensions, const int32_t *slots, dun_range *copies) {
    const dun_interact *job = &s->job;
    const dun_agents *to = &s->scratch->few;
    bool across = false;
    for (uint32_t i = 0; i < copies->end; i++) {
        const int32_t j = slots[i];
        for (int a = 0; a < dimensions; a++) {
            to->position[a][i] = job->position[a][j];
            to->velocity[a][i] = job->velocity[a][j];
        }
        to->id[i] = job->id[j];
        if (job->group) to->attribute[0][i] = job->group[j];
        across = across || (copies->folds && is_across(job, box, dimensions, j));
    }
    if (!across) copies->folds = 0;
}

bool dun_few_find(const dun_summing *s, const dun_walk *stretch, dun_range *copies) {
    const dun_box box = box_of_walk(s->kernel, stretch);
    int32_t slots[DUN_TILE + DUN_PADDING];
    dun_walk around = *stretch;
    around.query.packet = (dun_packet){0, 2};
    around.query.box = true;
    for (int a = 0; a < around.dimensions; a++) around.query.position[a] = box.of[a];
    const dun_range *ranges = s->scratch->ranges;
    const uint32_t range_count = dun_walk_ranges(&around, s->scratch->ranges);
    if (dun_candidates(ranges, range_count) > DUN_TILE) return false;
    *copies = (dun_range){.folds = range_count ? ranges->folds : 0};
    copies->end = s->kernel->candidates(&s->job, around.dimensions, &box, ranges, range_count, slots);
    copy_few(s, &box, around.dimensions, slots, copies);
    return true;
}
