/* SPDX-License-Identifier: MIT */
/* Interactions of the caller's own: each group and its runs, as the kernels get them, in public clothes. */
#include "engine/frame/walk.h"

static dunlin_group_view view_of(const dunlin_world *world, const dun_agents *const snapshot[], const dunlin_behaviour_def *def,
                                 const dun_scratch *scratch) {
    const dun_agents *own = snapshot[def->species], *observed = snapshot[def->pairs.observed];
    dunlin_group_view view = {.species = def->species,
                              .observed = def->pairs.observed,
                              .id = own->id,
                              .observed_id = observed->id,
                              .runs = scratch->views,
                              .step = world->stats.step};
    for (int i = 0; i < DUNLIN_MAX_ATTRIBUTES; i++) {
        view.attribute[i] = own->attribute[i];
        view.observed_attribute[i] = observed->attribute[i];
    }
    for (int a = 0; a < world->def.dimensions; a++) {
        view.position[a] = own->position[a];
        view.velocity[a] = own->velocity[a];
        view.observed_position[a] = observed->position[a];
        view.observed_velocity[a] = observed->velocity[a];
        view.size[a] = world->def.size[a];
    }
    return view;
}

/* Returns how many candidates they hold. */
static uint64_t show_runs(const dun_run *runs, uint32_t count, dunlin_run_view *views) {
    uint64_t candidates = 0;
    for (uint32_t r = 0; r < count; r++) {
        views[r] = (dunlin_run_view){.begin = runs[r].begin, .end = runs[r].end, .folds = runs[r].folds};
        candidates += runs[r].end - runs[r].begin;
    }
    return candidates;
}

void dun_pairs_act(const dunlin_world *world, const dun_agents *const snapshot[], const dunlin_behaviour_def *def,
                   uint32_t begin, uint32_t end, dun_scratch *scratch) {
    const dun_index *own = world->species[def->species]->index, *observed = world->species[def->pairs.observed]->index;
    dunlin_group_view view = view_of(world, snapshot, def, scratch);
    dun_walk walk = dun_walk_through(world, own, observed, view.position, def->pairs.radius, begin, end);
    while (dun_walk_on(&walk)) {
        view.first = walk.query.group.first;
        view.count = walk.query.group.count;
        view.run_count = dun_walk_runs(&walk, scratch->runs);
        for (int a = 0; a < world->def.dimensions; a++) view.force[a] = scratch->force[a] + (view.first - begin);
        scratch->pairs_tested += view.count * show_runs(scratch->runs, view.run_count, scratch->views);
        scratch->groups++;
        def->pairs.callback(def->user, &view);
    }
}
