/* SPDX-License-Identifier: MIT */
/*
 * What default functions give is accepted as it stands, or lacks only what identifies something: then the message says "set",
 * and names the field. Each function that ends in _default is in the table; the list of public functions finds one that is not.
 */

#include <dunlin/scenario.h>

#include "tests/lib/public_calls.h"
#include "tests/lib/worlds.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* A world with one species, and no more. */
static dunlin_world *plain_world(int dimensions) {
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    def.threads = 1;
    dunlin_world *world = world_create(&def);
    world_add_named(world, "agents");
    return world;
}

/* A use of a default. `kind`: which one, where there are several. */
typedef dunlin_result use(dunlin_world *world, int kind);

static dunlin_result use_world(dunlin_world *world, int kind) {
    (void)world, (void)kind;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *made = NULL;
    const dunlin_result result = dunlin_world_create(&def, &made, &refusal);
    world_destroy(made);
    return result;
}

static dunlin_result use_species(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_species_def def = dunlin_species_def_default();
    return dunlin_world_set_species(world, 0, &def, &refusal);
}

static dunlin_result use_batch(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_batch batch = dunlin_batch_default();
    return dunlin_world_spawn(world, 0, &batch, NULL, &refusal);
}

static dunlin_result use_scatter(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_scatter_def def = dunlin_scatter_def_default(world);
    return dunlin_world_scatter(world, 0, &def, &refusal);
}

static dunlin_result use_write(dunlin_world *world, int kind) {
    if (kind) world_scatter(world, 0, 5);
    const dunlin_write write = dunlin_write_default();
    return dunlin_world_write(world, &write, &refusal);
}

static dunlin_result use_interaction(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_interaction_def def = dunlin_interaction_def_default();
    return dunlin_world_add_interaction(world, &def, NULL, &refusal);
}

static dunlin_result use_attribute(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_attribute_def def = dunlin_attribute_def_default();
    return dunlin_world_add_attribute(world, &def, NULL, &refusal);
}

static dunlin_result use_path(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_path_def def = dunlin_path_def_default(world);
    return dunlin_world_add_path(world, &def, NULL, &refusal);
}

static dunlin_result use_field(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_field_def def = dunlin_field_def_default(world);
    return dunlin_world_add_field(world, &def, NULL, &refusal);
}

static dunlin_result use_source(dunlin_world *world, int kind) {
    const dunlin_field_def field = dunlin_field_def_default(world);
    world_add_field(world, &field);
    const dunlin_field_source source = dunlin_field_source_default(world, (dunlin_field_kind)kind);
    return dunlin_world_fill_field(world, 0, &source, &refusal);
}

static dunlin_result use_trace(dunlin_world *world, int kind) {
    const dunlin_field_def field = dunlin_field_def_default(world);
    if (kind) world_add_field(world, &field);
    const dunlin_trace_def def = dunlin_trace_def_default();
    return dunlin_world_add_trace(world, &def, NULL, &refusal);
}

static dunlin_result use_obstacle(dunlin_world *world, int kind) {
    const dunlin_obstacle_def def = dunlin_obstacle_def_default((dunlin_obstacle_shape)kind);
    return dunlin_world_add_obstacle(world, &def, NULL, &refusal);
}

static dunlin_result use_behaviour(dunlin_world *world, int kind) {
    const dunlin_behaviour_def def = dunlin_behaviour_def_default(world, (dunlin_behaviour_kind)kind);
    return dunlin_world_add_behaviour(world, &def, NULL, &refusal);
}

static dunlin_result use_meal(dunlin_world *world, int kind) {
    if (kind) world_add_named(world, "food");
    const dunlin_meal_def def = dunlin_meal_def_default();
    return dunlin_world_add_meal(world, &def, NULL, &refusal);
}

static dunlin_result use_correlation(dunlin_world *world, int kind) {
    (void)kind;
    const dunlin_correlation_def def = dunlin_correlation_def_default(world);
    dunlin_correlation correlation;
    dunlin_survey *survey = NULL;
    ACCEPT(dunlin_survey_create(&survey, &refusal));
    const dunlin_result result = dunlin_survey_correlation(survey, world, &def, &correlation, &refusal);
    dunlin_survey_destroy(survey);
    return result;
}

static dunlin_result use_found(dunlin_world *world, int kind) {
    (void)kind;
    dunlin_found found = dunlin_found_default();
    return dunlin_world_find_in_balls(world, DUNLIN_ALL_SPECIES, &(dunlin_ball){{1, 1, 0}, 1}, 1, &found, &refusal);
}

static dunlin_result use_transport(dunlin_world *world, int kind) {
    (void)world, (void)kind;
    const dunlin_world_def def = dunlin_world_def_default();
    const dunlin_transport transport = dunlin_transport_default();
    dunlin_world *made = NULL;
    const dunlin_result result = dunlin_world_create_part(&def, &transport, &made, &refusal);
    world_destroy(made);
    return result;
}

static dunlin_scenario *open_scenario(void) {
    static const char text[] = "species:\n  - {name: agents, agents: 3}\n";
    const dunlin_scenario_def def = dunlin_scenario_def_default();
    dunlin_scenario *scenario = NULL;
    ACCEPT(dunlin_scenario_open_text(text, sizeof text - 1, &def, &scenario, &refusal));
    return scenario;
}

static dunlin_result use_scenario(dunlin_world *world, int kind) {
    (void)world, (void)kind;
    dunlin_scenario_close(open_scenario());
    return DUNLIN_OK;
}

static dunlin_result use_simulation(dunlin_world *world, int kind) {
    (void)world, (void)kind;
    const dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_scenario *scenario = open_scenario();
    dunlin_simulation *simulation = NULL;
    const dunlin_result result = dunlin_simulation_create(scenario, &def, &simulation, &refusal);
    dunlin_simulation_destroy(simulation);
    dunlin_scenario_close(scenario);
    return result;
}

/* A default function, and what it lacks: pairs of a kind and the field that must be set. */
typedef struct subject {
    const char *function;
    use *use;
    int kinds;
    struct {
        int kind;
        const char *field;
    } lacks[8];
} subject;

static const subject subjects[] = {{"dunlin_world_def_default", use_world, 1, {{0, NULL}}},
                                   {"dunlin_species_def_default", use_species, 1, {{0, NULL}}},
                                   {"dunlin_batch_default", use_batch, 1, {{0, NULL}}},
                                   {"dunlin_scatter_def_default", use_scatter, 1, {{0, NULL}}},
                                   {"dunlin_write_default", use_write, 2, {{1, "write.count"}}},
                                   {"dunlin_interaction_def_default", use_interaction, 1, {{0, "radius"}}},
                                   {"dunlin_attribute_def_default", use_attribute, 1, {{0, "attribute.name"}}},
                                   {"dunlin_path_def_default", use_path, 1, {{0, "path.points"}}},
                                   {"dunlin_field_def_default", use_field, 1, {{0, NULL}}},
                                   {"dunlin_field_source_default",
                                    use_source,
                                    DUNLIN_FIELD_COUNT,
                                    {{DUNLIN_FIELD_GRADIENT, "source.values"}, {DUNLIN_FIELD_VECTORS, "source.vectors"}}},
                                   {"dunlin_trace_def_default", use_trace, 2, {{0, "trace.field"}}},
                                   {"dunlin_obstacle_def_default", use_obstacle, DUNLIN_OBSTACLE_CAPSULE + 1, {{0, NULL}}},
                                   {"dunlin_behaviour_def_default",
                                    use_behaviour,
                                    DUNLIN_BEHAVIOUR_COUNT,
                                    {{DUNLIN_BEHAVIOUR_FOLLOW_PATH, "behaviour.follow.path"},
                                     {DUNLIN_BEHAVIOUR_FLOW, "behaviour.flow.field"},
                                     {DUNLIN_BEHAVIOUR_WIND, "behaviour.flow.field"},
                                     {DUNLIN_BEHAVIOUR_CUSTOM, "behaviour.custom"},
                                     {DUNLIN_BEHAVIOUR_PAIRS, "behaviour.pairs.callback"},
                                     {DUNLIN_BEHAVIOUR_BODY, "behaviour.body"}}},
                                   {"dunlin_meal_def_default", use_meal, 2, {{0, "meal.food"}}},
                                   {"dunlin_correlation_def_default", use_correlation, 1, {{0, NULL}}},
                                   {"dunlin_found_default", use_found, 1, {{0, NULL}}},
                                   {"dunlin_transport_default", use_transport, 1, {{0, NULL}}},
                                   {"dunlin_scenario_def_default", use_scenario, 1, {{0, NULL}}},
                                   {"dunlin_simulation_def_default", use_simulation, 1, {{0, NULL}}}};

static const char *lacking(const subject *s, int kind) {
    for (size_t i = 0; i < LENGTH(s->lacks); i++)
        if (s->lacks[i].field && s->lacks[i].kind == kind) return s->lacks[i].field;
    return NULL;
}

static void check(const subject *s, int kind, int dimensions) {
    dunlin_world *world = plain_world(dimensions);
    const char *lacks = lacking(s, kind);
    const dunlin_result result = s->use(world, kind);
    if (result && !lacks) fail_msg("%s(), kind %d, is refused: %s", s->function, kind, refusal.message);
    if (!result && lacks) fail_msg("%s(), kind %d, is accepted without %s", s->function, kind, lacks);
    if (lacks && (!strstr(refusal.message, "set ") || !strstr(refusal.message, lacks)))
        fail_msg("the message does not say to set %s: %s", lacks, refusal.message);
    world_destroy(world);
}

TEST(test_defaults_are_accepted_or_say_what_to_set) {
    for (size_t i = 0; i < LENGTH(subjects); i++)
        for (int kind = 0; kind < subjects[i].kinds; kind++)
            for (int dimensions = 2; dimensions <= 3; dimensions++) check(&subjects[i], kind, dimensions);
}

TEST(test_all_default_functions_are_tested) {
    size_t found = 0;
    for (int f = 0; f < public_function_count; f++) {
        const char *name = public_functions[f].name, *end = strstr(name, "_default");
        if (!end || strcmp(end, "_default") != 0) continue;
        found++;
        bool is_tested = false;
        for (size_t i = 0; i < LENGTH(subjects); i++) is_tested |= strcmp(subjects[i].function, name) == 0;
        if (!is_tested) fail_msg("%s() is not tested", name);
    }
    assert_int_equal(found, LENGTH(subjects));
}

TEST(test_boids_have_three_rules) {
    const dunlin_interaction_def def = dunlin_interaction_boids(8);
    const float radii[DUNLIN_RULE_COUNT] = {4, 8, 8};
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        assert_true(def.rules[r].radius == radii[r]);
        assert_true(def.rules[r].weight == 1 && def.rules[r].response == DUNLIN_RESPONSE_STEER);
    }
    dunlin_world *world = plain_world(2);
    ACCEPT(dunlin_world_add_interaction(world, &def, NULL, &refusal));
    const dunlin_interaction_def none = dunlin_interaction_boids(0);
    REFUSE(dunlin_world_set_interaction(world, 0, &none, &refusal), DUNLIN_ERROR_VALUE, "set at least one radius");
    world_destroy(world);
}
