/* SPDX-License-Identifier: MIT */
/* The agents of a scenario: those who are there from the start, and those who are born as the others fly. */
#include "harness/scenario/builder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { DEFAULT_AGENTS = 1000 }; /* of a species whose scenario does not say */

/* ---- from the start --------------------------------------------------------------------------------------------------- */

/*
 * Shares `total` out in proportion to weights that are given one after another. Cutting the running sum, instead of rounding
 * each part, makes the parts add up to the total.
 */
typedef struct sharing {
    double total;
    double all_weights;
    double weights_so_far;
    double given;
} sharing;

static uint32_t next_share(sharing *share, double weight) {
    share->weights_so_far += weight;
    double cut = floor(share->total * (share->weights_so_far / share->all_weights) + 0.5);
    double part = cut - share->given;
    share->given = cut;
    return (uint32_t)part;
}

static const scenario_start everywhere = {0};

static double start_weight(const scenario_start *start) {
    return start->share ? (double)*start->share : 1.0;
}

static dunlin_result scatter(const builder *build, int species, const scenario_start *start, const char *place,
                             uint32_t count) {
    dunlin_species_def kind = dunlin_world_get_species(build->world, species);
    unsigned axes = (unsigned)dunlin_world_get_def(build->world).dimensions;
    dunlin_scatter_def def = dunlin_scatter_def_default(build->world);
    def.count = count;
    def.min_speed = start->velocity ? 0.0f : kind.min_speed;
    def.max_speed = start->velocity ? 0.0f : kind.max_speed;
    SET(def.region, start->region);
    SET(def.min_speed, start->min_speed);
    SET(def.max_speed, start->max_speed);
    dunlin_result result =
        builder_set_vector(build, place, "velocity", def.velocity, start->velocity, start->velocity_count, axes);
    if (result == DUNLIN_OK)
        result = builder_set_vector(build, place, "centre", def.centre, start->centre, start->centre_count, axes);
    if (result != DUNLIN_OK) return result;
    unsigned extents = def.region == DUNLIN_REGION_BALL ? 1 : axes;
    /* The largest ball that fits, unless the file says another. */
    for (unsigned a = 1; a < axes && def.region == DUNLIN_REGION_BALL; a++) def.extent[0] = fminf(def.extent[0], def.extent[a]);
    result = builder_set_vector(build, place, "extent", def.extent, start->extent, start->extent_count, extents);
    if (result != DUNLIN_OK) return result;
    result = dunlin_world_scatter(build->world, species, &def, build->error);
    return result == DUNLIN_OK ? result : yaml_tree_locate(build->script->tree, place, "scatter", build->error);
}

static dunlin_result sum_start_weights(const builder *build, unsigned species, double *sum) {
    const scenario_species *file = &build->script->file->species[species];
    char place[PLACE_LENGTH];
    for (unsigned i = 0; i < file->start_count; i++) {
        double weight = start_weight(&file->start[i]);
        if (weight < 0.0) {
            snprintf(place, sizeof place, "species[%u].start[%u].share", species, i);
            return yaml_tree_fail(build->script->tree, place, DUNLIN_ERROR_FILE, build->error,
                                  "it is %g; allowed: >= 0, and more than 0 in all", weight);
        }
        *sum += weight;
    }
    if (!(*sum > 0.0)) {
        snprintf(place, sizeof place, "species[%u].start", species);
        return yaml_tree_fail(build->script->tree, place, DUNLIN_ERROR_FILE, build->error,
                              "every share is 0; allowed: more than 0 in all");
    }
    return DUNLIN_OK;
}

static dunlin_result place_species(const builder *build, unsigned species, uint32_t count) {
    const scenario_file *file = build->script->file;
    char place[PLACE_LENGTH];
    snprintf(place, sizeof place, "species[%u]", species);
    if (file->species_count == 0 || file->species[species].start_count == 0) {
        return scatter(build, (int)species, &everywhere, place, count);
    }
    dunlin_result result = dunlin_world_reserve(build->world, (int)species, count, build->error);
    if (result != DUNLIN_OK) return result;
    sharing share = {.total = count};
    result = sum_start_weights(build, species, &share.all_weights);
    for (unsigned i = 0; result == DUNLIN_OK && i < file->species[species].start_count; i++) {
        const scenario_start *start = &file->species[species].start[i];
        snprintf(place, sizeof place, "species[%u].start[%u]", species, i);
        result = scatter(build, (int)species, start, place, next_share(&share, start_weight(start)));
    }
    return result;
}

static uint32_t file_agents(const scenario_file *file, unsigned species) {
    bool says = file->species_count > 0 && file->species[species].agents;
    return says ? *file->species[species].agents : DEFAULT_AGENTS;
}

static bool exceeds(const builder *build, double agents) {
    const uint32_t *most = build->options->max_agents;
    return most && agents > (double)*most;
}

static dunlin_result fail_most(const builder *build, const char *place, double agents, const char *when) {
    return yaml_tree_fail(build->script->tree, place, DUNLIN_ERROR_FILE, build->error,
                          "there are %.0f agents %s; the caller allows %" PRIu32, agents, when, *build->options->max_agents);
}

dunlin_result builder_place_agents(const builder *build) {
    const scenario_file *file = build->script->file;
    unsigned species_count = (unsigned)dunlin_world_species_count(build->world);
    sharing share = {0};
    for (unsigned i = 0; i < species_count; i++) share.all_weights += file_agents(file, i);
    share.total = build->options->agents ? *build->options->agents : share.all_weights;
    if (share.all_weights <= 0.0 && share.total > 0.0) {
        return yaml_tree_fail(build->script->tree, "species", DUNLIN_ERROR_FILE, build->error,
                              "no species has agents here, so there is no proportion in which to share out %.0f", share.total);
    }
    if (share.total <= 0.0) return DUNLIN_OK;
    if (exceeds(build, share.total)) return fail_most(build, "species", share.total, "at the start");
    for (unsigned i = 0; i < species_count; i++) {
        dunlin_result result = place_species(build, i, next_share(&share, file_agents(file, i)));
        if (result != DUNLIN_OK) return result;
    }
    return DUNLIN_OK;
}

/* ---- growth ----------------------------------------------------------------------------------------------------------- */

static const double most_per_step = 1e6;

/* Those of whom the file does not say where start as the first of their species. */
static dunlin_result bear(const builder *build, unsigned species, unsigned position, uint32_t count) {
    const scenario_species *file = &build->script->file->species[species];
    const scenario_start *start = file->growth[position].start;
    char place[PLACE_LENGTH];
    snprintf(place, sizeof place, "species[%u].growth[%u]%s", species, position, start ? ".start" : "");
    if (!start) start = file->start_count > 0 ? &file->start[0] : &everywhere;
    return scatter(build, (int)species, start, place, count);
}

static dunlin_result check_growth(const builder *build, unsigned species, unsigned position) {
    const scenario_growth *file = &build->script->file->species[species].growth[position];
    char place[PLACE_LENGTH];
    if (!(file->per_step >= 0.0 && file->per_step <= most_per_step)) {
        snprintf(place, sizeof place, "species[%u].growth[%u].per_step", species, position);
        return yaml_tree_fail(build->script->tree, place, DUNLIN_ERROR_FILE, build->error, "it is %g; allowed: 0 .. %g",
                              file->per_step, most_per_step);
    }
    if (file->end && *file->end <= file->begin) {
        snprintf(place, sizeof place, "species[%u].growth[%u].end", species, position);
        return yaml_tree_fail(build->script->tree, place, DUNLIN_ERROR_FILE, build->error,
                              "it is not after begin; allowed: a later step");
    }
    return bear(build, species, position, 0);
}

/* From the step alone, so that a state that is read back goes on as it would have. */
static uint32_t count_due(const scenario_growth *file, uint64_t step, uint32_t there) {
    const uint32_t most = file->most ? *file->most : UINT32_MAX;
    if (step < file->begin || (file->end && step >= *file->end) || there >= most) return 0;
    double steps = (double)(step - file->begin);
    double due = floor(file->per_step * (steps + 1.0)) - floor(file->per_step * steps);
    return (uint32_t)fmin(due, (double)(most - there));
}

static dunlin_result grow(const builder *build, unsigned species, unsigned position) {
    const scenario_growth *file = &build->script->file->species[species].growth[position];
    uint32_t there = dunlin_world_view(build->world, (int)species).count;
    uint32_t count = count_due(file, dunlin_world_stats(build->world).step, there);
    return count > 0 ? bear(build, species, position, count) : DUNLIN_OK;
}

static dunlin_result each_growth(const builder *build, dunlin_result (*act)(const builder *, unsigned, unsigned)) {
    const scenario_file *file = build->script->file;
    dunlin_result result = DUNLIN_OK;
    for (unsigned s = 0; s < file->species_count; s++) {
        for (unsigned i = 0; i < file->species[s].growth_count && result == DUNLIN_OK; i++) result = act(build, s, i);
    }
    return result;
}

dunlin_result builder_check_growth(const builder *build) {
    const scenario_file *file = build->script->file;
    double in_all = 0.0;
    dunlin_result result = each_growth(build, check_growth);
    for (unsigned s = 0; s < file->species_count; s++) {
        for (unsigned i = 0; i < file->species[s].growth_count; i++) in_all += ceil(file->species[s].growth[i].per_step);
    }
    return result == DUNLIN_OK && exceeds(build, in_all) ? fail_most(build, "species", in_all, "born in a step") : result;
}

dunlin_result builder_grow(const builder *build) {
    return each_growth(build, grow);
}
