/* SPDX-License-Identifier: MIT */
/* The agents of a scenario: those that are there from the start, and those that are born in flight. */
#include "harness/scenario/build.h"

#include <inttypes.h>
#include <math.h>

/* ---- from the start --------------------------------------------------------------------------------------------------- */

/*
 * Divides `total` in proportion to weights that are given one after another. Cutting the running sum, instead of rounding each
 * part, makes the parts add up to the total.
 */
typedef struct sharing {
    double total;
    double all_weights;
    double weights_so_far;
    double given;
} sharing;

static uint32_t next_share(sharing *share, double weight) {
    share->weights_so_far += weight;
    const double cut = floor(share->total * (share->weights_so_far / share->all_weights) + 0.5);
    const double part = cut - share->given;
    share->given = cut;
    return (uint32_t)part;
}

/* A ball's radius is one number; unless the file gives it, it is the largest that fits into the world. */
static dunlin_result check_extent(dunlin_flight *flight, const slot *start, dunlin_scatter_def *def) {
    const unsigned axes = dun_axes(flight), wanted = def->region == DUNLIN_REGION_BALL ? 1 : axes;
    for (unsigned a = 1; a < axes && wanted == 1; a++) def->extent[0] = fminf(def->extent[0], def->extent[a]);
    if (!start || !has(flight, start, "extent")) return DUNLIN_OK;
    const slot *extent = dun_tree_at(&flight->file, start, "extent");
    if (extent->count != wanted)
        return FAIL(flight, extent, "the list has %u numbers; allowed here: %u", extent->count, wanted);
    for (unsigned a = 0; a < wanted; a++) def->extent[a] = (float)dun_tree_inside(&flight->file, extent, a)->number;
    return DUNLIN_OK;
}

/* `start` is NULL for the whole world; `blamed` is the entry that messages are about. */
static dunlin_result scatter(dunlin_flight *flight, int species, const slot *start, const slot *blamed, uint32_t count) {
    const dunlin_species_def kind = dunlin_world_get_species(flight->world, species);
    const bool moves = start && has(flight, start, "velocity");
    dunlin_scatter_def def = dunlin_scatter_def_default(flight->world);
    def.count = count;
    def.min_speed = moves ? 0.0f : kind.min_speed;
    def.max_speed = moves ? 0.0f : kind.max_speed;
    if (start) dun_tree_bind(&flight->file, start, &def);
    dunlin_result result = check_extent(flight, start, &def);
    if (result != DUNLIN_OK) return result;
    return dun_located(flight, blamed, "scatter", dunlin_world_scatter(flight->world, species, &def, flight->error));
}

static dunlin_result place_species(dunlin_flight *flight, const slot *entry, uint32_t count) {
    const int species = (int)dun_position(flight, entry);
    const slot *starts = dun_tree_at(&flight->file, entry, "start");
    if (starts->count == 0) return scatter(flight, species, NULL, entry, count);
    dunlin_result result = dunlin_world_reserve(flight->world, species, count, flight->error);
    sharing share = {.total = count};
    for (uint32_t i = 0; i < starts->count; i++)
        share.all_weights += number_of(flight, dun_tree_inside(&flight->file, starts, i), "share");
    if (result == DUNLIN_OK && !(share.all_weights > 0.0))
        return FAIL(flight, starts, "every share is 0; allowed: more than 0 in total");
    for (uint32_t i = 0; result == DUNLIN_OK && i < starts->count; i++) {
        const slot *start = dun_tree_inside(&flight->file, starts, i);
        result = scatter(flight, species, start, start, next_share(&share, number_of(flight, start, "share")));
    }
    return result;
}

static dunlin_result check_most(dunlin_flight *flight, double agents, const char *when) {
    if (agents <= (double)flight->files.max_agents) return DUNLIN_OK;
    return FAIL_FIELD(flight, flight->file.slots, "species", "there are %.0f agents %s; the caller allows %" PRIu32, agents,
                      when, flight->files.max_agents);
}

static double agents_of(const dunlin_flight *flight, uint32_t species) {
    return (double)dun_tree_whole(&flight->file, dun_tree_entry(&flight->file, "species", species), "agents");
}

dunlin_result dun_place_agents(dunlin_flight *flight) {
    const uint32_t species_count = dun_tree_length(&flight->file, "species");
    sharing share = {0};
    for (uint32_t i = 0; i < species_count; i++) share.all_weights += agents_of(flight, i);
    share.total = flight->def.agents ? *flight->def.agents : share.all_weights;
    if (share.all_weights <= 0.0 && share.total > 0.0)
        return FAIL_FIELD(flight, flight->file.slots, "species",
                          "no species has agents here, so %.0f agents cannot be divided among them", share.total);
    dunlin_result result = check_most(flight, share.total, "at the start");
    for (uint32_t i = 0; i < species_count && share.total > 0.0 && result == DUNLIN_OK; i++)
        result = place_species(flight, dun_tree_entry(&flight->file, "species", i), next_share(&share, agents_of(flight, i)));
    return result;
}

/* ---- growth ----------------------------------------------------------------------------------------------------------- */

static growth growth_of(const dunlin_flight *flight, const slot *entry) {
    growth def = {.max_agents = UINT32_MAX, .end = UINT64_MAX};
    dun_tree_bind(&flight->file, entry, &def);
    return def;
}

/* Where the file does not say, agents are born where the first of their species start. */
static dunlin_result give_birth(dunlin_flight *flight, const slot *species, const slot *entry, uint32_t count) {
    const slot *own = dun_tree_at(&flight->file, entry, "start"), *starts = dun_tree_at(&flight->file, species, "start");
    const slot *start = own->line > 0 ? own : starts->count > 0 ? dun_tree_inside(&flight->file, starts, 0) : NULL;
    return scatter(flight, (int)dun_position(flight, species), start, own->line > 0 ? own : entry, count);
}

static dunlin_result check_growth(dunlin_flight *flight, const slot *species, const slot *entry) {
    const growth def = growth_of(flight, entry);
    if (def.end <= def.begin) return FAIL_FIELD(flight, entry, "end", "it is not after begin; allowed: a later step");
    return give_birth(flight, species, entry, 0);
}

/* From the step alone, so that a state that is read back continues as it would have. */
static uint32_t count_due(const growth *def, uint64_t step, uint32_t there) {
    if (step < def->begin || step >= def->end || there >= def->max_agents) return 0;
    const double steps = (double)(step - def->begin);
    const double due = floor(def->per_step * (steps + 1.0)) - floor(def->per_step * steps);
    return (uint32_t)fmin(due, (double)(def->max_agents - there));
}

static dunlin_result grow(dunlin_flight *flight, const slot *species, const slot *entry) {
    const growth def = growth_of(flight, entry);
    const uint32_t there = dunlin_world_view(flight->world, (int)dun_position(flight, species)).count;
    const uint32_t count = count_due(&def, dunlin_world_stats(flight->world).step, there);
    return count > 0 ? give_birth(flight, species, entry, count) : DUNLIN_OK;
}

static dunlin_result each_growth(dunlin_flight *flight,
                                 dunlin_result (*act)(dunlin_flight *, const slot *species, const slot *entry)) {
    dunlin_result result = DUNLIN_OK;
    for (uint32_t s = 0; s < dun_tree_length(&flight->file, "species"); s++) {
        const slot *species = dun_tree_entry(&flight->file, "species", s);
        const slot *list = dun_tree_at(&flight->file, species, "growth");
        for (uint32_t i = 0; i < list->count && result == DUNLIN_OK; i++)
            result = act(flight, species, dun_tree_inside(&flight->file, list, i));
    }
    return result;
}

static double count_births(const dunlin_flight *flight) {
    double births = 0.0;
    for (uint32_t s = 0; s < dun_tree_length(&flight->file, "species"); s++) {
        const slot *list = dun_tree_at(&flight->file, dun_tree_entry(&flight->file, "species", s), "growth");
        for (uint32_t i = 0; i < list->count; i++)
            births += ceil(number_of(flight, dun_tree_inside(&flight->file, list, i), "per_step"));
    }
    return births;
}

dunlin_result dun_check_growth(dunlin_flight *flight) {
    dunlin_result result = each_growth(flight, check_growth);
    return result == DUNLIN_OK ? check_most(flight, count_births(flight), "born in a step") : result;
}

dunlin_result dun_grow(dunlin_flight *flight) {
    return each_growth(flight, grow);
}
