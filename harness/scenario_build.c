/* SPDX-License-Identifier: MIT */
#include "scenario_builder.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_AGENTS = 1000 }; /* of a species whose scenario does not say */

/* ---- the world -------------------------------------------------------------------------------------------------------- */

static dunlin_result set_world(const builder *build, const scenario_world *file, dunlin_world_def *def) {
    SET(def->dimensions, file->dimensions);
    SET(def->boundary, file->boundary);
    SET(def->margin, file->margin);
    SET(def->keep_overshoot, file->keep_overshoot);
    SET(def->boundary_first, file->boundary_first);
    SET(def->integrator, file->integrator);
    SET(def->time_step, file->time_step);
    SET(def->forces_are_increments, file->forces_are_increments);
    return builder_set_vector(build, "world", "size", def->size, file->size, file->size_count, (unsigned)def->dimensions);
}

static dunlin_world_def new_world(const builder *build) {
    const scenario_options *options = build->options;
    dunlin_world_def def = dunlin_world_def_default();
    SET(def.seed, build->script->file->seed);
    SET(def.seed, options->seed);
    def.threads = options->threads;
    if (options->kernel != NULL) def.kernel = options->kernel;
    if (options->index != NULL) def.index = options->index;
    return def;
}

dunlin_result builder_put_world(builder *build) {
    dunlin_world_def def = build->world != NULL ? dunlin_world_get_def(build->world) : new_world(build);
    if (build->script->file->world != NULL) {
        dunlin_result result = set_world(build, build->script->file->world, &def);
        if (result != DUNLIN_OK) return result;
    }
    dunlin_result result = build->world != NULL ? dunlin_world_set_def(build->world, &def, build->error)
                                                : dunlin_world_create(&def, &build->world, build->error);
    /* Kernels, like the threads and the index, come from the command line: the file has no place for them. */
    if (result == DUNLIN_ERROR_VALUE && strncmp(build->error->message, "world.threads", 13) != 0) {
        return yaml_tree_locate(build->script->tree, "world", "world", build->error);
    }
    return result;
}

/* ---- species ---------------------------------------------------------------------------------------------------------- */

dunlin_result builder_put_species(const builder *build, unsigned position) {
    const scenario_species *file = &build->script->file->species[position];
    dunlin_species_def def = dunlin_species_def_default();
    if (file->name != NULL) def.name = file->name;
    SET(def.min_speed, file->min_speed);
    SET(def.max_speed, file->max_speed);
    SET(def.max_force, file->max_force);
    SET(def.drag, file->drag);
    SET(def.obstacles_block, file->obstacles_block);
    SET(def.body_radius, file->body_radius);
    dunlin_result result = (int)position < dunlin_world_species_count(build->world)
                               ? dunlin_world_set_species(build->world, (int)position, &def, build->error)
                               : dunlin_world_add_species(build->world, &def, NULL, build->error);
    if (result == DUNLIN_OK) return result;
    char place[PLACE_LENGTH];
    snprintf(place, sizeof place, "species[%u]", position);
    return yaml_tree_locate(build->script->tree, place, "species", build->error);
}

/* ---- interactions ----------------------------------------------------------------------------------------------------- */

/* What an int does not hold is refused by the engine as it would be. */
static int clamped(uint32_t count) {
    return count < INT_MAX ? (int)count : INT_MAX;
}

/* The engine ignores the limit of a response that has none; in a file, `response: direct` was forgotten. */
static dunlin_result set_rule(const builder *build, const char *place, const char *name, dunlin_rule *rule,
                              const scenario_rule *file) {
    if (file == NULL) return DUNLIN_OK;
    SET(rule->radius, file->radius);
    SET(rule->weight, file->weight);
    SET(rule->response, file->response);
    SET(rule->limit, file->limit);
    SET(rule->falloff, file->falloff);
    SET(rule->min_radius, file->min_radius);
    if (file->view != NULL) rule->view = builder_radians(*file->view);
    if (file->limit == NULL || rule->response == DUNLIN_DIRECT) return DUNLIN_OK;
    char inner[PLACE_LENGTH];
    snprintf(inner, sizeof inner, "%.100s.%s.limit", place, name);
    return yaml_tree_fail(build->script->tree, inner, DUNLIN_ERROR_FILE, build->error,
                          "it is %g; allowed: only with response: direct", (double)*file->limit);
}

static dunlin_result set_rules(const builder *build, const char *place, dunlin_rule rules[DUNLIN_RULE_COUNT],
                               const scenario_interaction *file) {
    dunlin_result result = set_rule(build, place, "separation", &rules[DUNLIN_SEPARATION], file->separation);
    if (result == DUNLIN_OK) result = set_rule(build, place, "alignment", &rules[DUNLIN_ALIGNMENT], file->alignment);
    if (result == DUNLIN_OK) result = set_rule(build, place, "cohesion", &rules[DUNLIN_COHESION], file->cohesion);
    return result;
}

/* The engine would check this too, but it knows the rules by number. */
static dunlin_result set_order(const builder *build, const char *place, const scenario_interaction *file,
                               dunlin_rule_kind order[DUNLIN_RULE_COUNT]) {
    if (file->order == NULL) return DUNLIN_OK;
    bool named[DUNLIN_RULE_COUNT] = {false};
    for (int i = 0; i < DUNLIN_RULE_COUNT; ++i) named[file->order[i]] = true;
    for (int i = 0; i < DUNLIN_RULE_COUNT; ++i) {
        if (named[i]) continue;
        char inner[PLACE_LENGTH];
        snprintf(inner, sizeof inner, "%.100s.order", place);
        return yaml_tree_fail(build->script->tree, inner, DUNLIN_ERROR_FILE, build->error,
                              "it leaves out a rule; allowed: separation, alignment, cohesion, each once, in any order");
    }
    memcpy(order, file->order, DUNLIN_RULE_COUNT * sizeof *order);
    return DUNLIN_OK;
}

dunlin_result builder_put_interaction(const builder *build, unsigned position) {
    const scenario_interaction *file = &build->script->file->interactions[position];
    char place[PLACE_LENGTH];
    snprintf(place, sizeof place, "interactions[%u]", position);
    dunlin_interaction_def def = dunlin_interaction_def_default();
    int only_species = dunlin_world_species_count(build->world) == 1 ? 0 : -1;
    dunlin_result result = builder_set_species(build, place, "observer", file->observer, only_species, &def.observer);
    if (result != DUNLIN_OK) return result;
    result = builder_set_species(build, place, "observed", file->observed, def.observer, &def.observed);
    if (result != DUNLIN_OK) return result;
    SET(def.ignore_coincident, file->ignore_coincident);
    SET(def.in_turn, file->in_turn);
    if (file->nearest != NULL) def.nearest = clamped(*file->nearest);
    if (file->max_neighbours != NULL) def.max_neighbours = clamped(*file->max_neighbours);
    result = set_order(build, place, file, def.order);
    if (result == DUNLIN_OK) result = set_rules(build, place, def.rules, file);
    if (result != DUNLIN_OK) return result;
    result = (int)position < dunlin_world_interaction_count(build->world)
                 ? dunlin_world_set_interaction(build->world, (int)position, &def, build->error)
                 : dunlin_world_add_interaction(build->world, &def, build->error);
    return result == DUNLIN_OK ? result : yaml_tree_locate(build->script->tree, place, "interaction", build->error);
}

/* ---- agents ----------------------------------------------------------------------------------------------------------- */

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

static double start_weight(const scenario_start *start) {
    return start->share != NULL ? (double)*start->share : 1.0;
}

static dunlin_result scatter(const builder *build, int species, const scenario_start *start, const char *place,
                             uint32_t count) {
    dunlin_species_def kind = dunlin_world_species_def(build->world, species);
    unsigned axes = (unsigned)dunlin_world_get_def(build->world).dimensions;
    dunlin_scatter_def def = dunlin_world_scatter_def_default(build->world);
    def.count = count;
    def.min_speed = kind.min_speed;
    def.max_speed = kind.max_speed;
    SET(def.region, start->region);
    SET(def.min_speed, start->min_speed);
    SET(def.max_speed, start->max_speed);
    dunlin_result result = builder_set_vector(build, place, "centre", def.centre, start->centre, start->centre_count, axes);
    if (result != DUNLIN_OK) return result;
    unsigned extents = def.region == DUNLIN_BALL ? 1 : axes;
    /* The largest ball that fits, unless the file says another. */
    for (unsigned a = 1; a < axes && def.region == DUNLIN_BALL; ++a) def.extent[0] = fminf(def.extent[0], def.extent[a]);
    result = builder_set_vector(build, place, "extent", def.extent, start->extent, start->extent_count, extents);
    if (result != DUNLIN_OK) return result;
    result = dunlin_world_scatter(build->world, species, &def, build->error);
    return result == DUNLIN_OK ? result : yaml_tree_locate(build->script->tree, place, "scatter", build->error);
}

static dunlin_result sum_start_weights(const builder *build, unsigned species, double *sum) {
    const scenario_species *file = &build->script->file->species[species];
    char place[PLACE_LENGTH];
    for (unsigned i = 0; i < file->start_count; ++i) {
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
        const scenario_start everywhere = {0};
        return scatter(build, (int)species, &everywhere, place, count);
    }
    dunlin_result result = dunlin_world_reserve(build->world, (int)species, count, build->error);
    if (result != DUNLIN_OK) return result;
    sharing share = {.total = count};
    result = sum_start_weights(build, species, &share.all_weights);
    for (unsigned i = 0; result == DUNLIN_OK && i < file->species[species].start_count; ++i) {
        const scenario_start *start = &file->species[species].start[i];
        snprintf(place, sizeof place, "species[%u].start[%u]", species, i);
        result = scatter(build, (int)species, start, place, next_share(&share, start_weight(start)));
    }
    return result;
}

static uint32_t file_agents(const scenario_file *file, unsigned species) {
    bool says = file->species_count > 0 && file->species[species].agents != NULL;
    return says ? *file->species[species].agents : DEFAULT_AGENTS;
}

static dunlin_result place_agents(const builder *build) {
    const scenario_file *file = build->script->file;
    unsigned species_count = (unsigned)dunlin_world_species_count(build->world);
    sharing share = {0};
    for (unsigned i = 0; i < species_count; ++i) share.all_weights += file_agents(file, i);
    share.total = build->options->agents != NULL ? *build->options->agents : share.all_weights;
    if (share.all_weights <= 0.0 && share.total > 0.0) {
        return yaml_tree_fail(build->script->tree, "species", DUNLIN_ERROR_FILE, build->error,
                              "no species has agents here, so there is no proportion in which to share out %.0f", share.total);
    }
    if (share.total <= 0.0) return DUNLIN_OK;
    for (unsigned i = 0; i < species_count; ++i) {
        dunlin_result result = place_species(build, i, next_share(&share, file_agents(file, i)));
        if (result != DUNLIN_OK) return result;
    }
    return DUNLIN_OK;
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

scenario_options scenario_options_default(void) {
    return (scenario_options){0};
}

static dunlin_result put_all(const builder *build, unsigned count, dunlin_result (*put)(const builder *, unsigned)) {
    dunlin_result result = DUNLIN_OK;
    for (unsigned i = 0; i < count && result == DUNLIN_OK; ++i) result = put(build, i);
    return result;
}

/* A file that names no species has one. */
static dunlin_result put_species(const builder *build) {
    const dunlin_species_def def = dunlin_species_def_default();
    const scenario_file *file = build->script->file;
    if (file->species_count == 0) return dunlin_world_add_species(build->world, &def, NULL, build->error);
    return put_all(build, file->species_count, builder_put_species);
}

/* All but its agents, as it is before the first step. Behaviours refer to the rest. */
static dunlin_result make_world(builder *build) {
    const scenario_file *file = build->script->file;
    dunlin_result result = builder_put_world(build);
    if (result == DUNLIN_OK) result = put_species(build);
    if (result == DUNLIN_OK) result = put_all(build, file->interactions_count, builder_put_interaction);
    if (result == DUNLIN_OK) result = put_all(build, file->fields_count, builder_put_field);
    if (result == DUNLIN_OK) result = builder_add_paths(build);
    if (result == DUNLIN_OK) result = builder_add_obstacles(build);
    if (result == DUNLIN_OK) result = put_all(build, file->behaviours_count, builder_put_behaviour);
    return result == DUNLIN_OK ? builder_apply_schedules(build) : result;
}

dunlin_result scenario_build(const scenario *script, const scenario_options *options, dunlin_world **world,
                             dunlin_error *error) {
    const scenario_options no_options = scenario_options_default();
    dunlin_error unwanted;
    builder build = {
        .script = script,
        .options = options != NULL ? options : &no_options,
        .error = error != NULL ? error : &unwanted,
    };
    const char *init = build.options->init;
    *world = NULL;
    dunlin_result result = make_world(&build);
    if (result == DUNLIN_OK) result = init != NULL ? dunlin_world_load(build.world, init, build.error) : place_agents(&build);
    if (result == DUNLIN_OK && init != NULL) result = builder_apply_schedules(&build);
    if (result != DUNLIN_OK) {
        dunlin_world_destroy(build.world);
        return result;
    }
    *world = build.world;
    return DUNLIN_OK;
}

dunlin_result scenario_step(const scenario *script, dunlin_world *world, dunlin_error *error) {
    dunlin_error unwanted;
    builder build = {.script = script, .world = world, .error = error != NULL ? error : &unwanted};
    dunlin_result result = builder_apply_schedules(&build);
    return result == DUNLIN_OK ? dunlin_world_step(world, build.error) : result;
}
