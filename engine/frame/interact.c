/* SPDX-License-Identifier: MIT */
/* Interact: for each agent of a tile, sums over those whom it sees. */
#include <string.h>

#include "engine/frame/walk.h"

dun_interact dun_interact_between(const dunlin_world *world, const dun_agents *observer, const dun_agents *observed) {
    dun_interact job = {.own = observer == observed, .id = observed->id};
    for (int a = 0; a < world->def.dimensions; a++) {
        job.observer[a] = observer->position[a];
        job.observer_velocity[a] = observer->velocity[a];
        job.position[a] = observed->position[a];
        job.velocity[a] = observed->velocity[a];
        job.size[a] = world->def.size[a];
    }
    return job;
}

static dun_interact interact_of(const dunlin_world *world, const dun_agents *const snapshot[],
                                const dun_interaction *interaction) {
    const dunlin_interaction_def *def = &interaction->def;
    dun_interact job = dun_interact_between(world, snapshot[def->observer], snapshot[def->observed]);
    job.shape = interaction->shape;
    job.ignore_coincident = def->ignore_coincident;
    if (interaction->scales)
        job.radius_scale =
            dun_attribute_column(world->species[def->observer], snapshot[def->observer], DUNLIN_ROLE_RADIUS_SCALE);
    job.selection = &interaction->selection;
    job.widest_r2 = dun_squared_radius(interaction->first_radius);
    job.separation_r2 = dun_squared_radius(def->rules[DUNLIN_RULE_SEPARATION].radius);
    job.alignment_r2 = dun_squared_radius(def->rules[DUNLIN_RULE_ALIGNMENT].radius);
    job.cohesion_r2 = dun_squared_radius(def->rules[DUNLIN_RULE_COHESION].radius);
    if (def->rules[DUNLIN_RULE_SEPARATION].radius > 0.0f)
        job.inverse_separation_radius = 1.0f / def->rules[DUNLIN_RULE_SEPARATION].radius;
    return job;
}

static dun_walk walk_of(const dunlin_world *world, const dun_agents *const snapshot[], const dun_interaction *interaction,
                        uint32_t begin, uint32_t end) {
    const dunlin_interaction_def *def = &interaction->def;
    return dun_walk_through(world, world->species[def->observer]->index, world->species[def->observed]->index,
                            (const float *const *)snapshot[def->observer]->position, interaction->first_radius, begin, end);
}

static uint64_t candidates(const dun_run *runs, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < count; r++) sum += runs[r].end - runs[r].begin;
    return sum;
}

uint64_t dun_interact_candidates(const dunlin_world *world, const dun_agents *const snapshot[],
                                 const dun_interaction *interaction, uint32_t agent, dun_scratch *scratch) {
    dun_walk walk = walk_of(world, snapshot, interaction, agent, agent + 1);
    walk.query.group.count = 1;
    return candidates(scratch->runs, dun_walk_runs(&walk, scratch->runs));
}

static inline void interact_group(const dun_interaction *interaction, const dun_interact *job, const dun_walk *walk,
                                  const dun_run *runs, uint32_t run_count, uint32_t at, dun_scratch *scratch) {
    interaction->interact(job, walk->query.group, runs, run_count, &scratch->sums, at);
    scratch->pairs_tested += walk->most * candidates(runs, run_count);
    scratch->groups++;
}

static bool all_see(const dun_sums *sums, uint32_t at, uint32_t count) {
    bool all = true;
    for (uint32_t i = at; i < at + count; i++) all = all && sums->seen[i] > 0;
    return all;
}

/* Whoever looks for the nearest has found it, or looks further and further. */
static __attribute__((noinline)) void search_on(const dun_interaction *interaction, const dun_interact *job,
                                                const dun_walk *walk, uint32_t at, dun_scratch *scratch) {
    dun_interact wider = *job;
    dun_walk here = *walk;
    while (here.radius < interaction->widest_radius && !all_see(&scratch->sums, at, here.query.group.count)) {
        dun_walk_look(&here, lower(2.0f * here.radius, interaction->widest_radius));
        if (here.query.reach.everywhere) here.radius = interaction->widest_radius;
        wider.widest_r2 = dun_squared_radius(here.radius);
        const uint32_t runs = dun_walk_runs(&here, scratch->runs);
        interact_group(interaction, &wider, &here, scratch->runs, runs, at, scratch);
    }
}

static inline void search_further(const dun_interaction *interaction, const dun_interact *job, const dun_walk *walk,
                                  uint32_t at, dun_scratch *scratch) {
    if (interaction->first_radius < interaction->widest_radius) search_on(interaction, job, walk, at, scratch);
}

/* ---- a few, seen by many ---------------------------------------------------------------------------------------------- */

/*
 * A few hawks among many starlings: most groups see none, but to ask the index about each costs more than all else that is done
 * for it. So it is asked about a longer stretch, the few who are near that are copied, and its groups go through the copies.
 */
enum {
    MANY = 16,    /* times the few */
    STRETCH = 256 /* agents: longer ones have more of the few near them */
};

/* Whoever may be near a stretch, copied. */
typedef struct few {
    uint32_t count;
    bool folds;
} few;

static bool are_few(const dunlin_world *world, const dun_interaction *interaction) {
    const dun_species *observer = world->species[interaction->def.observer];
    const dun_species *observed = world->species[interaction->def.observed];
    return observer->count / MANY > observed->count;
}

static dun_corners corners_of(const dun_kernel *kernel, const dun_walk *walk) {
    const dun_group group = walk->query.group;
    dun_corners corners;
    for (int a = 0; a < walk->dimensions; a++) kernel->span(walk->query.position[a] + group.first, group.count, corners.of[a]);
    return corners;
}

/* Whether anyone between the corners has a shorter way to j over the world's edge: only there offsets have to be folded. */
static bool is_across(const dun_interact *job, const dun_corners *corners, int dimensions, int32_t j) {
    for (int a = 0; a < dimensions; a++) {
        const float x = job->position[a][j], half = 0.5f * job->size[a];
        if (x - corners->of[a][0] > half || x - corners->of[a][1] < -half) return true;
    }
    return false;
}

/* One loop, which ends once: its end is mispredicted more often than not. */
static void copy_few(const dun_interact *job, const dun_corners *corners, int dimensions, const int32_t *slots, bool folds,
                     const dun_agents *to, few *found) {
    bool across = false;
    for (uint32_t i = 0; i < found->count; i++) {
        const int32_t j = slots[i];
        for (int a = 0; a < dimensions; a++) {
            to->position[a][i] = job->position[a][j];
            to->velocity[a][i] = job->velocity[a][j];
        }
        to->id[i] = job->id[j];
        across = across || (folds && is_across(job, corners, dimensions, j));
    }
    found->folds = across;
}

static dun_interact among_few(const dun_interact *job, const dun_agents *few_copied) {
    dun_interact among = *job;
    for (int a = 0; a < 3; a++) {
        among.position[a] = few_copied->position[a];
        among.velocity[a] = few_copied->velocity[a];
    }
    among.id = few_copied->id;
    return among;
}

/* Whoever may be near the walk's group; false: they may be too many. */
static bool find_few(const dun_kernel *kernel, const dun_interact *job, const dun_walk *walk, dun_scratch *scratch,
                     few *found) {
    const dun_corners corners = corners_of(kernel, walk);
    int32_t slots[DUN_TILE + DUN_PADDING];
    dun_walk box = *walk;
    box.query.group = (dun_group){0, 2};
    box.query.box = true;
    for (int a = 0; a < walk->dimensions; a++) box.query.position[a] = corners.of[a];
    const uint32_t runs = dun_walk_runs(&box, scratch->runs);
    if (candidates(scratch->runs, runs) > DUN_TILE) return false;
    bool folds = false;
    found->count = 0;
    for (uint32_t r = 0; r < runs; r++) {
        found->count += kernel->nearby(job, walk->dimensions, &corners, scratch->runs[r], slots + found->count);
        folds = folds || scratch->runs[r].folds;
    }
    copy_few(job, &corners, walk->dimensions, slots, folds, &scratch->few, found);
    return true;
}

static void see_nobody(const dun_sums *sums, int dimensions, uint32_t at, uint32_t count) {
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

/* Through the groups of a walk's group. */
static dun_walk walk_within(const dun_walk *outer, uint32_t most) {
    dun_walk walk = *outer;
    walk.query.group.count = 0;
    walk.most = most;
    walk.end = outer->query.group.first + outer->query.group.count;
    return walk;
}

/* Group by group through the walk; `begin`: whose sums are the first. */
static void interact_groups(const dun_interaction *interaction, const dun_interact *job, dun_walk *walk, uint32_t begin,
                            dun_scratch *scratch) {
    while (dun_walk_on(walk)) {
        const uint32_t at = walk->query.group.first - begin;
        const uint32_t runs = dun_walk_runs(walk, scratch->runs);
        interact_group(interaction, job, walk, scratch->runs, runs, at, scratch);
        search_further(interaction, job, walk, at, scratch);
    }
}

static void interact_few(const dun_interaction *interaction, const dun_interact *job, const few *found, dun_walk *walk,
                         uint32_t begin, dun_scratch *scratch) {
    const dun_run run = {0, found->count, found->folds};
    const dun_interact among = among_few(job, &scratch->few);
    while (dun_walk_on(walk)) {
        const uint32_t at = walk->query.group.first - begin;
        interact_group(interaction, &among, walk, &run, found->count > 0, at, scratch);
        search_further(interaction, job, walk, at, scratch);
    }
}

static void interact_stretch(const dun_interaction *interaction, const dun_interact *job, const dun_walk *stretch,
                             const dun_kernel *kernel, uint32_t begin, dun_scratch *scratch) {
    few found;
    dun_walk walk = walk_within(stretch, kernel->lanes);
    const bool searches = interaction->first_radius < interaction->widest_radius;
    if (!find_few(kernel, job, stretch, scratch, &found)) {
        interact_groups(interaction, job, &walk, begin, scratch);
    } else if (found.count == 0 && !searches) {
        see_nobody(&scratch->sums, walk.dimensions, stretch->query.group.first - begin, stretch->query.group.count);
    } else {
        if (!searches && interaction->interact == kernel->closest[walk.dimensions - 2]) walk.most = stretch->query.group.count;
        interact_few(interaction, job, &found, &walk, begin, scratch);
    }
}

/* ---- a tile ----------------------------------------------------------------------------------------------------------- */

/* A group's surplus lanes are overwritten by the next group, or fall into the padding. */
void dun_interact_tile(const dunlin_world *world, const dun_agents *const snapshot[], const dun_interaction *interaction,
                       uint32_t begin, uint32_t end, dun_scratch *scratch) {
    const dun_interact job = interact_of(world, snapshot, interaction);
    dun_walk walk = walk_of(world, snapshot, interaction, begin, end);
    if (are_few(world, interaction)) {
        walk.apart = false;
        walk.most = STRETCH;
        while (dun_walk_on(&walk)) interact_stretch(interaction, &job, &walk, world->kernel, begin, scratch);
    } else {
        interact_groups(interaction, &job, &walk, begin, scratch);
    }
    for (uint32_t i = 0; i < end - begin; i++) scratch->pairs_useful += (uint64_t)scratch->sums.seen[i];
}
