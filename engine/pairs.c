/* SPDX-License-Identifier: MIT */
/* Interactions of the caller's own: each group and its runs, as the kernels get them, in public clothes. */
#include <assert.h>

#include "walk.h"

/* A public run is a run. */
static_assert(sizeof(dunlin_run_view) == sizeof(dunlin_run) && offsetof(dunlin_run_view, begin) == offsetof(dunlin_run, begin) &&
                  offsetof(dunlin_run_view, end) == offsetof(dunlin_run, end) &&
                  offsetof(dunlin_run_view, folds) == offsetof(dunlin_run, folds),
              "dunlin_run_view is what dunlin_run is");

static dunlin_group_view view_of(const dunlin_world *world, const dunlin_agents *const snapshot[], const dunlin_behaviour_def *def,
                                 const dunlin_scratch *scratch) {
    const dunlin_agents *own = snapshot[def->species], *observed = snapshot[def->pairs.observed];
    dunlin_group_view view = {.species = def->species,
                              .observed = def->pairs.observed,
                              .id = own->id,
                              .observed_id = observed->id,
                              .runs = (const dunlin_run_view *)scratch->runs,
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

void dunlin_pairs_act(const dunlin_world *world, const dunlin_agents *const snapshot[], const dunlin_behaviour_def *def,
                      uint32_t begin, uint32_t end, dunlin_scratch *scratch) {
    const dunlin_index *own = world->species[def->species]->index, *observed = world->species[def->pairs.observed]->index;
    dunlin_group_view view = view_of(world, snapshot, def, scratch);
    dunlin_walk walk =
        dunlin_walk_through(world, own, observed, view.position, def->pairs.radius, begin, end);
    while (dunlin_walk_on(&walk)) {
        view.first = walk.query.group.first;
        view.count = walk.query.group.count;
        view.run_count = dunlin_walk_runs(&walk, scratch->runs);
        for (int a = 0; a < world->def.dimensions; a++) view.force[a] = scratch->force[a] + (view.first - begin);
        def->pairs.callback(def->user, &view);
        scratch->groups++;
        for (uint32_t r = 0; r < view.run_count; r++)
            scratch->pairs_tested += (uint64_t)view.count * (scratch->runs[r].end - scratch->runs[r].begin);
    }
}
