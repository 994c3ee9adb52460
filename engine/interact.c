/* SPDX-License-Identifier: MIT */
/* Interact: for each agent of a tile, sums over those whom it sees. */
#include "walk.h"

dunlin_interact dunlin_interact_between(const dunlin_world *world, const dunlin_agents *observer,
                                        const dunlin_agents *observed) {
    dunlin_interact job = {.own = observer == observed, .id = observed->id};
    for (int a = 0; a < world->def.dimensions; a++) {
        job.observer[a] = observer->position[a];
        job.observer_velocity[a] = observer->velocity[a];
        job.position[a] = observed->position[a];
        job.velocity[a] = observed->velocity[a];
        job.size[a] = world->def.size[a];
    }
    return job;
}

static dunlin_interact interact_of(const dunlin_world *world, const dunlin_agents *const snapshot[],
                                   const dunlin_interaction *interaction) {
    const dunlin_interaction_def *def = &interaction->def;
    dunlin_interact job = dunlin_interact_between(world, snapshot[def->observer], snapshot[def->observed]);
    job.shape = interaction->shape;
    job.ignore_coincident = def->ignore_coincident;
    if (interaction->scales)
        job.radius_scale =
            dunlin_attribute_column(world->species[def->observer], snapshot[def->observer], DUNLIN_RADIUS_SCALE);
    job.selection = &interaction->selection;
    job.widest_r2 = dunlin_squared_radius(interaction->first_radius);
    job.separation_r2 = dunlin_squared_radius(def->rules[DUNLIN_SEPARATION].radius);
    job.alignment_r2 = dunlin_squared_radius(def->rules[DUNLIN_ALIGNMENT].radius);
    job.cohesion_r2 = dunlin_squared_radius(def->rules[DUNLIN_COHESION].radius);
    if (def->rules[DUNLIN_SEPARATION].radius > 0.0f)
        job.inverse_separation_radius = 1.0f / def->rules[DUNLIN_SEPARATION].radius;
    return job;
}

static dunlin_walk walk_of(const dunlin_world *world, const dunlin_agents *const snapshot[],
                           const dunlin_interaction *interaction, uint32_t begin, uint32_t end) {
    const dunlin_interaction_def *def = &interaction->def;
    return dunlin_walk_through(world, world->species[def->observer]->index, world->species[def->observed]->index,
                               (const float *const *)snapshot[def->observer]->position, interaction->first_radius, begin, end);
}

static uint64_t candidates(const dunlin_run *runs, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < count; r++) sum += runs[r].end - runs[r].begin;
    return sum;
}

uint64_t dunlin_interact_candidates(const dunlin_world *world, const dunlin_agents *const snapshot[],
                                    const dunlin_interaction *interaction, uint32_t agent, dunlin_scratch *scratch) {
    dunlin_walk walk = walk_of(world, snapshot, interaction, agent, agent + 1);
    walk.query.group.count = 1;
    return candidates(scratch->runs, dunlin_walk_runs(&walk, scratch->runs));
}

static inline void interact_group(const dunlin_interaction *interaction, const dunlin_interact *job, const dunlin_walk *walk,
                                  const dunlin_run *runs, uint32_t run_count, uint32_t at, dunlin_scratch *scratch) {
    interaction->interact(job, walk->query.group, runs, run_count, &scratch->sums, at);
    scratch->pairs_tested += walk->most * candidates(runs, run_count);
    scratch->groups++;
}

static bool all_see(const dunlin_sums *sums, uint32_t at, uint32_t count) {
    bool all = true;
    for (uint32_t i = at; i < at + count; i++) all = all && sums->seen[i] > 0;
    return all;
}

/* Whoever looks for the nearest has found it, or looks further and further. */
static __attribute__((noinline)) void search_on(const dunlin_interaction *interaction, const dunlin_interact *job,
                                                const dunlin_walk *walk, uint32_t at, dunlin_scratch *scratch) {
    dunlin_interact wider = *job;
    dunlin_walk here = *walk;
    while (here.radius < interaction->widest_radius && !all_see(&scratch->sums, at, here.query.group.count)) {
        dunlin_walk_look(&here, lower(2.0f * here.radius, interaction->widest_radius));
        if (here.query.reach.everywhere) here.radius = interaction->widest_radius;
        wider.widest_r2 = dunlin_squared_radius(here.radius);
        const uint32_t runs = dunlin_walk_runs(&here, scratch->runs);
        interact_group(interaction, &wider, &here, scratch->runs, runs, at, scratch);
    }
}

static inline void search_further(const dunlin_interaction *interaction, const dunlin_interact *job, const dunlin_walk *walk,
                                  uint32_t at, dunlin_scratch *scratch) {
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

static bool are_few(const dunlin_world *world, const dunlin_interaction *interaction) {
    const dunlin_species *observer = world->species[interaction->def.observer];
    const dunlin_species *observed = world->species[interaction->def.observed];
    return observer->count / MANY > observed->count;
}

typedef struct box {
    float corner[3][2]; /* low and high on each axis */
} box;

/* How far x is from all between the corners, at least; folded like an offset from any number there. */
static float away_from(float x, const float corner[2], bool folds, float side) {
    const float least = x - corner[1], most = x - corner[0], here = higher(least, -most);
    if (!folds) return higher(here, 0.0f);
    const float back = higher(least - side, side - most), ahead = higher(least + side, -most - side);
    return higher(lower(here, lower(back, ahead)), 0.0f);
}

/* Rounding is monotone: nobody in the box computes a shorter way. */
static bool is_near(const dunlin_interact *job, const box *around, int dimensions, bool folds, uint32_t j) {
    float d2 = 0.0f;
    for (int a = 0; a < dimensions; a++) {
        const float away = away_from(job->position[a][j], around->corner[a], folds, job->size[a]);
        d2 += away * away;
        if (d2 > job->widest_r2) return false;
    }
    return true;
}

/* Copies those who are near; the run of all copies, in their order. */
static dunlin_run copy_near(const dunlin_interact *job, const box *around, int dimensions, uint32_t runs,
                            dunlin_scratch *scratch) {
    dunlin_run copied = {0};
    for (uint32_t r = 0; r < runs; r++) {
        for (uint32_t j = scratch->runs[r].begin; j < scratch->runs[r].end; j++) {
            if (!is_near(job, around, dimensions, scratch->runs[r].folds, j)) continue;
            for (int a = 0; a < dimensions; a++) {
                scratch->few.position[a][copied.end] = job->position[a][j];
                scratch->few.velocity[a][copied.end] = job->velocity[a][j];
            }
            scratch->few.id[copied.end++] = job->id[j];
            copied.folds = copied.folds || scratch->runs[r].folds;
        }
    }
    return copied;
}

/* Whoever may be near the walk's group, as one run; false: they may be too many. */
static bool find_few(const dunlin_kernel *kernel, const dunlin_interact *job, const dunlin_walk *walk, dunlin_scratch *scratch,
                     dunlin_run *found) {
    const dunlin_group group = walk->query.group;
    dunlin_walk corners = *walk;
    corners.query.group = (dunlin_group){0, 2};
    corners.query.box = true;
    box around = {0};
    for (int a = 0; a < walk->dimensions; a++) {
        kernel->span(walk->query.position[a] + group.first, group.count, around.corner[a]);
        corners.query.position[a] = around.corner[a];
    }
    const uint32_t runs = dunlin_walk_runs(&corners, scratch->runs);
    if (candidates(scratch->runs, runs) > DUNLIN_TILE) return false;
    *found = copy_near(job, &around, walk->dimensions, runs, scratch);
    return true;
}

static dunlin_interact among_few(const dunlin_interact *job, const dunlin_scratch *scratch) {
    dunlin_interact among = *job;
    for (int a = 0; a < 3; a++) {
        among.position[a] = scratch->few.position[a];
        among.velocity[a] = scratch->few.velocity[a];
    }
    among.id = scratch->few.id;
    return among;
}
/* Group by group through the walk's stretch. */
static void interact_stretch(const dunlin_interaction *interaction, const dunlin_interact *job, const dunlin_walk *stretch,
                             const dunlin_kernel *kernel, uint32_t at, dunlin_scratch *scratch) {
    dunlin_run run;
    const bool few = find_few(kernel, job, stretch, scratch, &run);
    const dunlin_interact among = few ? among_few(job, scratch) : *job;
    const dunlin_group all = stretch->query.group;
    dunlin_walk walk = *stretch;
    walk.query.group.count = 0;
    walk.most = kernel->lanes;
    walk.end = all.first + all.count;
    while (dunlin_walk_on(&walk)) {
        const uint32_t here = at + walk.query.group.first - all.first;
        const uint32_t runs = few ? run.end > 0 : dunlin_walk_runs(&walk, scratch->runs);
        interact_group(interaction, &among, &walk, few ? &run : scratch->runs, runs, here, scratch);
        search_further(interaction, job, &walk, here, scratch);
    }
}

/* ---- a tile ----------------------------------------------------------------------------------------------------------- */

/* A group's surplus lanes are overwritten by the next group, or fall into the padding. */
void dunlin_interact_tile(const dunlin_world *world, const dunlin_agents *const snapshot[],
                          const dunlin_interaction *interaction, uint32_t begin, uint32_t end, dunlin_scratch *scratch) {
    const dunlin_interact job = interact_of(world, snapshot, interaction);
    dunlin_walk walk = walk_of(world, snapshot, interaction, begin, end);
    const bool few = are_few(world, interaction);
    if (few) walk.apart = false;
    if (few) walk.most = STRETCH;
    while (dunlin_walk_on(&walk)) {
        const uint32_t at = walk.query.group.first - begin;
        if (few) {
            interact_stretch(interaction, &job, &walk, world->kernel, at, scratch);
            continue;
        }
        const uint32_t runs = dunlin_walk_runs(&walk, scratch->runs);
        interact_group(interaction, &job, &walk, scratch->runs, runs, at, scratch);
        search_further(interaction, &job, &walk, at, scratch);
    }
    for (uint32_t i = 0; i < end - begin; i++) scratch->pairs_useful += (uint64_t)scratch->sums.seen[i];
}
