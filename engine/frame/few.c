/* SPDX-License-Identifier: MIT */
/*
 * A few agents, seen by many: hawks among starlings. Most groups of starlings see no hawk, but asking the index about each
 * group costs more than all other work for it. So the index is asked about a longer stretch of observers. The few agents near
 * the stretch are copied, in their order, and the stretch's groups take the copies as their candidates.
 */
#include <string.h>

#include "engine/frame/stages.h"
#include "engine/world/walk.h"

enum {
    MANY = 16,    /* times as many observers as observed agents */
    STRETCH = 256 /* agents: a longer stretch has more of the few near it */
};

/* The observed agents near a stretch, copied to the scratch. */
typedef struct few {
    uint32_t count;
    bool folds;
} few;

bool dun_observed_are_few(const dunlin_world *world, const dun_look *look) {
    return world->species[look->observer]->count / MANY > world->species[look->observed]->count;
}

/* ---- copying ---------------------------------------------------------------------------------------------------------- */

static dun_box box_of(const dun_kernel *kernel, const dun_walk *walk) {
    const dun_group group = walk->query.group;
    dun_box box = {0};
    for (int a = 0; a < walk->dimensions; a++) kernel->min_max(walk->query.position[a] + group.first, group.count, box.of[a]);
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

/* One loop over all runs: the end of a loop is mispredicted more often than not. */
static void copy_few(const dun_summing *s, const dun_box *box, int dimensions, const int32_t *slots, few *found) {
    const dun_interact *job = &s->job;
    const dun_agents *to = &s->scratch->few;
    bool across = false;
    for (uint32_t i = 0; i < found->count; i++) {
        const int32_t j = slots[i];
        for (int a = 0; a < dimensions; a++) {
            to->position[a][i] = job->position[a][j];
            to->velocity[a][i] = job->velocity[a][j];
        }
        to->id[i] = job->id[j];
        across = across || (found->folds && is_across(job, box, dimensions, j));
    }
    found->folds = across;
}

/* Finds all observed agents that the walk's group may see; false: there may be too many. */
static bool find_few(const dun_summing *s, const dun_walk *walk, few *found) {
    const dun_box box = box_of(s->kernel, walk);
    int32_t slots[DUN_TILE + DUN_PADDING];
    dun_walk around = *walk;
    around.query.group = (dun_group){0, 2};
    around.query.box = true;
    for (int a = 0; a < walk->dimensions; a++) around.query.position[a] = box.of[a];
    const dun_run *runs = s->scratch->runs;
    const uint32_t run_count = dun_walk_runs(&around, s->scratch->runs);
    if (dun_candidates(runs, run_count) > DUN_TILE) return false;
    *found = (few){0};
    for (uint32_t r = 0; r < run_count; r++) {
        found->count += s->kernel->candidates(&s->job, walk->dimensions, &box, runs[r], slots + found->count);
        found->folds = found->folds || runs[r].folds;
    }
    copy_few(s, &box, walk->dimensions, slots, found);
    return true;
}

/* ---- summing ---------------------------------------------------------------------------------------------------------- */

static void see_none(const dun_sums *sums, int dimensions, uint32_t at, uint32_t count) {
    const size_t bytes = count * sizeof(float);
    for (int a = 0; a < dimensions; a++) {
        memset(sums->push[a] + at, 0, bytes);
        memset(sums->velocity[a] + at, 0, bytes);
        memset(sums->offset[a] + at, 0, bytes);
    }
    memset(sums->seen + at, 0, bytes);
    memset(sums->aligned + at, 0, bytes);
    memset(sums->cohered + at, 0, bytes);
}

static dun_interact among_few(const dun_summing *s) {
    dun_interact among = s->job;
    for (int a = 0; a < 3; a++) {
        among.position[a] = s->scratch->few.position[a];
        among.velocity[a] = s->scratch->few.velocity[a];
    }
    among.id = s->scratch->few.id;
    return among;
}

/* A walk through the groups of a walk's group. */
static dun_walk walk_within(const dun_walk *outer, uint32_t max_agents) {
    dun_walk walk = *outer;
    walk.query.group.count = 0;
    walk.max_agents = max_agents;
    walk.end = outer->query.group.first + outer->query.group.count;
    return walk;
}

static void sum_among(const dun_summing *s, const few *found, dun_walk *walk) {
    const dun_run run = {0, found->count, found->folds};
    const dun_interact among = among_few(s);
    while (dun_walk_on(walk)) dun_sum_group(s, &among, walk, &run, found->count > 0);
}

static void sum_stretch(const dun_summing *s, const dun_walk *stretch) {
    const dun_group group = stretch->query.group;
    const bool searches = stretch->radius < s->interaction->look.radius;
    const bool any_length = s->interaction->interact == s->kernel->nearest[stretch->dimensions - 2] && !searches;
    few found;
    dun_walk walk = walk_within(stretch, any_length ? group.count : s->kernel->lanes);
    if (!find_few(s, stretch, &found)) {
        walk.max_agents = s->kernel->lanes;
        dun_sum_groups(s, &walk);
    } else if (found.count == 0 && !searches) {
        see_none(&s->scratch->sums, walk.dimensions, group.first - s->begin, group.count);
    } else {
        sum_among(s, &found, &walk);
    }
}

void dun_sum_few(const dun_summing *s, dun_walk *walk) {
    walk->apart = false;
    walk->max_agents = STRETCH;
    while (dun_walk_on(walk)) sum_stretch(s, walk);
}
