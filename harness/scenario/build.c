/* SPDX-License-Identifier: MIT */
#include "harness/scenario/builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    if (options->kernel) def.kernel = options->kernel;
    if (options->index) def.index = options->index;
    return def;
}

dunlin_result builder_put_world(builder *build) {
    dunlin_world_def def = build->world ? dunlin_world_get_def(build->world) : new_world(build);
    if (build->script->file->world) {
        dunlin_result result = set_world(build, build->script->file->world, &def);
        if (result != DUNLIN_OK) return result;
    }
    dunlin_result result = build->world ? dunlin_world_set_def(build->world, &def, build->error)
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
    if (file->name) def.name = file->name;
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

/* The engine ignores the limit of a response that has none; in a file, `response: direct` was forgotten. */
static dunlin_result set_rule(const builder *build, const char *place, const char *name, dunlin_rule *rule,
                              const scenario_rule *file) {
    if (!file) return DUNLIN_OK;
    SET(rule->radius, file->radius);
    SET(rule->weight, file->weight);
    SET(rule->response, file->response);
    SET(rule->limit, file->limit);
    SET(rule->falloff, file->falloff);
    SET(rule->min_radius, file->min_radius);
    if (file->view) rule->view = builder_radians(*file->view);
    if (!file->limit || rule->response == DUNLIN_RESPONSE_DIRECT) return DUNLIN_OK;
    char inner[PLACE_LENGTH];
    snprintf(inner, sizeof inner, "%.100s.%s.limit", place, name);
    return yaml_tree_fail(build->script->tree, inner, DUNLIN_ERROR_FILE, build->error,
                          "it is %g; allowed: only with response: direct", (double)*file->limit);
}

static dunlin_result set_rules(const builder *build, const char *place, dunlin_rule rules[DUNLIN_RULE_COUNT],
                               const scenario_interaction *file) {
    dunlin_result result = set_rule(build, place, "separation", &rules[DUNLIN_RULE_SEPARATION], file->separation);
    if (result == DUNLIN_OK) result = set_rule(build, place, "alignment", &rules[DUNLIN_RULE_ALIGNMENT], file->alignment);
    if (result == DUNLIN_OK) result = set_rule(build, place, "cohesion", &rules[DUNLIN_RULE_COHESION], file->cohesion);
    return result;
}

/* The engine would check this too, but it knows the rules by number. */
static dunlin_result set_order(const builder *build, const char *place, const scenario_interaction *file,
                               dunlin_rule_kind order[DUNLIN_RULE_COUNT]) {
    if (!file->order) return DUNLIN_OK;
    bool named[DUNLIN_RULE_COUNT] = {false};
    for (int i = 0; i < DUNLIN_RULE_COUNT; i++) named[file->order[i]] = true;
    for (int i = 0; i < DUNLIN_RULE_COUNT; i++) {
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
    if (file->nearest) def.nearest = builder_int(*file->nearest);
    if (file->max_neighbours) def.max_neighbours = builder_int(*file->max_neighbours);
    result = set_order(build, place, file, def.order);
    if (result == DUNLIN_OK) result = set_rules(build, place, def.rules, file);
    if (result != DUNLIN_OK) return result;
    result = (int)position < dunlin_world_interaction_count(build->world)
                 ? dunlin_world_set_interaction(build->world, (int)position, &def, build->error)
                 : dunlin_world_add_interaction(build->world, &def, NULL, build->error);
    return result == DUNLIN_OK ? result : yaml_tree_locate(build->script->tree, place, "interaction", build->error);
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

scenario_options scenario_options_default(void) {
    return (scenario_options){0};
}

static dunlin_result put_all(const builder *build, unsigned count, dunlin_result (*put)(const builder *, unsigned)) {
    dunlin_result result = DUNLIN_OK;
    for (unsigned i = 0; i < count && result == DUNLIN_OK; i++) result = put(build, i);
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
    if (result == DUNLIN_OK) result = builder_add_attributes(build);
    if (result == DUNLIN_OK) result = put_all(build, file->lives_count, builder_put_life);
    if (result == DUNLIN_OK) result = put_all(build, file->models_count, builder_put_model);
    if (result == DUNLIN_OK) result = put_all(build, file->meals_count, builder_put_meal);
    return result == DUNLIN_OK ? builder_apply_schedules(build) : result;
}

/* What the engine says of it names no options. */
static dunlin_result fail_seed(const builder *build, uint64_t theirs, uint64_t own) {
    build->error->code = DUNLIN_ERROR_FILE;
    snprintf(build->error->message, sizeof build->error->message,
             "%.160s: seed is %" PRIu64 ", this flight's is %" PRIu64 "; go on with --seed %" PRIu64 ", or with --reseed",
             build->options->init, theirs, own, theirs);
    return build->error->code;
}

static dunlin_result fail_reseed(const builder *build) {
    const dunlin_error first = *build->error;
    snprintf(build->error->message, sizeof build->error->message,
             "%.230s (with --reseed it must be a file, which can be read twice)", first.message);
    return first.code;
}

/* A pipe cannot be read twice. */
static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool read_info(const char *path, dunlin_state_info *info) {
    return dunlin_state_read_info(path, info, NULL) == DUNLIN_OK && info->has_preamble;
}

/* A state only loads into a world of its seed: to go on with another one, the world has that for as long as it loads. */
static dunlin_result load_state(const builder *build) {
    const char *init = build->options->init;
    dunlin_result result = dunlin_world_load(build->world, init, build->error);
    const dunlin_world_def own = dunlin_world_get_def(build->world);
    dunlin_world_def theirs = own;
    dunlin_state_info info;
    if (result != DUNLIN_OK && build->options->reseed && !is_file(init)) return fail_reseed(build);
    if (result == DUNLIN_OK || !is_file(init) || !read_info(init, &info) || info.seed == own.seed) return result;
    if (!build->options->reseed) return fail_seed(build, info.seed, own.seed);
    theirs.seed = info.seed;
    result = dunlin_world_set_def(build->world, &theirs, build->error);
    if (result == DUNLIN_OK) result = dunlin_world_load(build->world, init, build->error);
    return result == DUNLIN_OK ? dunlin_world_set_def(build->world, &own, build->error) : result;
}

dunlin_result scenario_build(const scenario *script, const scenario_options *options, dunlin_world **world,
                             dunlin_error *error) {
    const scenario_options no_options = scenario_options_default();
    dunlin_error unwanted;
    builder build = {
        .script = script,
        .options = options ? options : &no_options,
        .error = error ? error : &unwanted,
    };
    const char *init = build.options->init;
    *world = NULL;
    dunlin_result result = make_world(&build);
    if (result == DUNLIN_OK) result = init ? load_state(&build) : builder_place_agents(&build);
    if (result == DUNLIN_OK) result = builder_check_growth(&build);
    if (result == DUNLIN_OK && init) result = builder_apply_schedules(&build);
    if (result != DUNLIN_OK) {
        dunlin_world_destroy(build.world);
        return result;
    }
    builder_warn(&build);
    *world = build.world;
    return DUNLIN_OK;
}

dunlin_result scenario_step(const scenario *script, dunlin_world *world, dunlin_error *error) {
    const scenario_options no_options = scenario_options_default();
    dunlin_error unwanted;
    builder build = {
        .script = script,
        .options = &no_options,
        .world = world,
        .error = error ? error : &unwanted,
    };
    dunlin_result result = builder_apply_schedules(&build);
    /* Another world of this scenario may have stepped in between, and the time step may have changed. */
    if (result == DUNLIN_OK) result = put_all(&build, script->file->lives_count, builder_put_life);
    if (result == DUNLIN_OK) result = put_all(&build, script->file->models_count, builder_put_model);
    if (result == DUNLIN_OK) result = builder_grow(&build);
    return result == DUNLIN_OK ? dunlin_world_step(world, build.error) : result;
}
