/* SPDX-License-Identifier: MIT */
/* Pairs: forces between agents by the caller's own function, a packet and its ranges at a time. */
#include "engine/behaviours/type.h"
#include "engine/world/walk.h"

static dunlin_result check_pairs(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    (void)world;
    return def->pairs.callback ? DUNLIN_OK
                               : dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.pairs.callback is NULL: set it to a function");
}

static dun_interaction look_pairs(const dunlin_world *world, const dunlin_behaviour_def *def) {
    (void)world;
    return (dun_interaction){.look = {.observer = def->species, .observed = def->pairs.observed, .radius = def->pairs.radius}};
}

static dunlin_packet packet_view(const dun_frame *f, const dunlin_behaviour_def *def, const dun_scratch *scratch) {
    const dunlin_world *world = f->world;
    const dun_agents *own = f->snapshot[def->species], *observed = f->snapshot[def->pairs.observed];
    dunlin_packet view = {.species = def->species,
                          .observed = def->pairs.observed,
                          .id = own->id,
                          .observed_id = observed->id,
                          .ranges = scratch->views,
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
static uint64_t show_ranges(const dun_range *ranges, uint32_t count, dunlin_range *views) {
    uint64_t candidates = 0;
    for (uint32_t r = 0; r < count; r++) {
        views[r] = (dunlin_range){.begin = ranges[r].begin, .end = ranges[r].end, .folds = ranges[r].folds};
        candidates += ranges[r].end - ranges[r].begin;
    }
    return candidates;
}

static void call_pairs(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour) {
    dun_scratch *scratch = tile->scratch;
    const dunlin_behaviour_def *def = &behaviour->def;
    dunlin_packet view = packet_view(f, def, scratch);
    dun_walk walk = dun_look_walk(f, &behaviour->look, tile->begin, tile->end);
    while (dun_walk_on(&walk)) {
        view.first = walk.query.packet.first;
        view.count = walk.query.packet.count;
        view.range_count = dun_walk_ranges(&walk, scratch->ranges);
        for (int a = 0; a < f->world->def.dimensions; a++) view.force[a] = scratch->force[a] + (view.first - tile->begin);
        for (int i = 0; i < f->world->species[tile->species]->attribute_count; i++)
            view.next_attribute[i] = f->next[tile->species]->attribute[i] + view.first;
        scratch->pairs_tested += view.count * show_ranges(scratch->ranges, view.range_count, scratch->views);
        scratch->groups++;
        def->pairs.callback(def->user, &view);
    }
}

const dun_behaviour_type dun_pairs_behaviour = {
    .name = "pairs",
    .numbers = {DUN_NUMBER(pairs.radius, 1.0f, (double)1e-9f, 1e9, false, "world units")},
    .reference = {DUN_REFERENCE(pairs.observed, DUN_LIST_SPECIES)},
    .shows_ranges = true,
    .check = check_pairs,
    .look = look_pairs,
    .call = call_pairs};
