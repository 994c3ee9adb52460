/* SPDX-License-Identifier: MIT */
/*
 * Calls every function of the library once, as a program of another project would, and prints the library's version and the
 * state's hash. It is C and C++ alike: main.cpp includes it.
 */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

#define FILE_NAME "dunlin_foreign.state"

/* Each part takes these two. TRY returns from a part that fails. */
static dunlin_world *world;
static dunlin_error error;
static int failures;

#define TRY(call)                                                                                                              \
    do {                                                                                                                       \
        if ((call) != DUNLIN_OK) {                                                                                             \
            fprintf(stderr, "%s: %s\n", #call, error.message);                                                                 \
            failures++;                                                                                                        \
        }                                                                                                                      \
    } while (0)

#define EXPECT(condition)                                                                                                      \
    do {                                                                                                                       \
        if (!(condition)) {                                                                                                    \
            fprintf(stderr, "not so: %s\n", #condition);                                                                       \
            failures++;                                                                                                        \
        }                                                                                                                      \
    } while (0)

/* ---- callbacks and an executor ---------------------------------------------------------------------------------------- */

static void work_in_order(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    (void)context;
    for (uint32_t worker = 0; worker < workers; worker++) work(job, worker);
}

/* Every agent ages; the first has a child in the first step, and dies in the second. */
static void live(void *user, const dunlin_tile *tile) {
    (void)user;
    float numbers[4];
    for (uint32_t i = 0; i < tile->count; i++) {
        tile->next_attribute[0][i] += 1.0f;
        dunlin_draw(1, tile->id[i], tile->step, 0, numbers);
        tile->force[0][i] += 0.01f * (numbers[0] - 0.5f) + 0.001f * dunlin_sine_of_turns(0.1 * (double)tile->step);
        if (tile->id[i] != 0) continue;
        const float position[2] = {50.0f, 50.0f}, velocity[2] = {0.0f, dunlin_noise_over_time(1, 2, (double)tile->step)};
        float inherited[DUNLIN_MAX_ATTRIBUTES];
        dunlin_tile_inherit(tile, i, 0, inherited);
        EXPECT(inherited[0] == tile->attribute[0][i]);
        if (tile->step == 0) dunlin_tile_spawn(tile, i, tile->species, position, velocity, NULL, NULL);
        if (tile->step == 1) tile->dies[i] = 1;
    }
}

/* Agents with neighbours get slower: a pair callback writes an attribute. */
static void slow_down(void *user, const dunlin_packet *packet) {
    (void)user;
    for (uint32_t k = 0; k < packet->count; k++) packet->next_attribute[1][k] *= packet->range_count > 0 ? 0.99f : 1.0f;
}

/* ---- parts of a world ------------------------------------------------------------------------------------------------- */

static void add_species_and_agents(void) {
    dunlin_species_def starlings = dunlin_species_def_default();
    TRY(dunlin_world_add_species(world, &starlings, NULL, &error));
    starlings.name = "hawks";
    int hawks = -1;
    TRY(dunlin_world_add_species(world, &starlings, &hawks, &error));
    EXPECT(dunlin_world_species_count(world) == 2 && dunlin_world_find_species(world, "hawks") == hawks);
    starlings = dunlin_world_get_species(world, hawks);
    starlings.max_speed = 1.5f;
    TRY(dunlin_world_set_species(world, hawks, &starlings, &error));

    TRY(dunlin_world_reserve(world, 0, 600, &error));
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 500;
    TRY(dunlin_world_scatter(world, 0, &everywhere, &error));
    const float x = 20.0f, v = 0.5f;
    dunlin_batch batch = dunlin_batch_default();
    batch.count = 1;
    for (int a = 0; a < 2; a++) {
        batch.position[a] = &x;
        batch.velocity[a] = &v;
    }
    uint32_t id = 0;
    TRY(dunlin_world_spawn(world, hawks, &batch, &id, &error));
    EXPECT(dunlin_world_find_agent(world, id).species == hawks && dunlin_world_agent_count(world) == 501);
}

static void add_interactions(void) {
    dunlin_interaction_def flock = dunlin_interaction_boids(5.0f);
    flock.rules[DUNLIN_RULE_SEPARATION].radius = 2.0f;
    flock.rules[DUNLIN_RULE_SEPARATION].weight = 1.5f;
    flock.rules[DUNLIN_RULE_COHESION] = dunlin_interaction_def_default().rules[DUNLIN_RULE_COHESION]; /* off */
    int number = -1;
    TRY(dunlin_world_add_interaction(world, &flock, &number, &error));
    flock = dunlin_world_get_interaction(world, number);
    flock.rules[DUNLIN_RULE_COHESION].radius = 5.0f;
    TRY(dunlin_world_set_interaction(world, number, &flock, &error));
    flock.observer = 1;
    TRY(dunlin_world_add_interaction(world, &flock, &number, &error));
    TRY(dunlin_world_remove_interaction(world, number, &error));
    EXPECT(dunlin_world_interaction_count(world) == 1);
}

static void add_attributes(void) {
    static const char *const names[] = {"age", "speed", "spare"};
    for (int i = 0; i < 3; i++) {
        dunlin_attribute_def def = dunlin_attribute_def_default();
        def.name = names[i];
        def.role = i == 1 ? DUNLIN_ROLE_MAX_SPEED : DUNLIN_ROLE_VALUE;
        TRY(dunlin_world_add_attribute(world, &def, NULL, &error));
    }
    dunlin_attribute_def def = dunlin_world_get_attribute(world, 0, 2);
    def.name = "other";
    TRY(dunlin_world_set_attribute(world, 0, 2, &def, &error));
    EXPECT(dunlin_world_find_attribute(world, 0, "other") == 2);
    TRY(dunlin_world_remove_attribute(world, 0, 2, &error));
    EXPECT(dunlin_world_attribute_count(world, 0) == 2);
    static float ages[500];
    TRY(dunlin_world_set_attribute_values(world, 0, 0, ages, &error));
}

static void add_traces(void) {
    dunlin_field_def field = dunlin_field_def_default(world);
    dunlin_trace_def trace = dunlin_trace_def_default();
    for (int i = 0; i < 2; i++) {
        TRY(dunlin_world_add_field(world, &field, &trace.field, &error));
        TRY(dunlin_world_add_trace(world, &trace, NULL, &error));
    }
    trace = dunlin_world_get_trace(world, 0);
    trace.diffusion = 0.1f;
    TRY(dunlin_world_set_trace(world, 0, &trace, &error));
    TRY(dunlin_world_remove_trace(world, 1, &error));
    EXPECT(dunlin_world_trace_count(world) == 1);
    dunlin_world_trace_view(world, 0).values[0] = 1.0f;
}

static void add_scenery(void) {
    const float x[] = {10.0f, 90.0f}, y[] = {30.0f, 60.0f};
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = 2;
    path.points[0] = x;
    path.points[1] = y;
    for (int i = 0; i < 2; i++) TRY(dunlin_world_add_path(world, &path, NULL, &error));
    path = dunlin_world_get_path(world, 0);
    path.closed = true;
    TRY(dunlin_world_set_path(world, 0, &path, &error));
    const float *const points[3] = {y, x, NULL};
    TRY(dunlin_world_move_path(world, 0, points, &error));
    TRY(dunlin_world_remove_path(world, 1, &error));
    EXPECT(dunlin_world_path_count(world) == 1);

    dunlin_field_def field = dunlin_field_def_default(world);
    for (int i = 0; i < 2; i++) TRY(dunlin_world_add_field(world, &field, NULL, &error));
    field = dunlin_world_get_field(world, 0);
    field.lookup = DUNLIN_LOOKUP_LINEAR;
    TRY(dunlin_world_set_field(world, 0, &field, &error));
    const dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    TRY(dunlin_world_fill_field(world, 0, &source, &error));
    dunlin_world_field_view(world, 0).vectors[0][0] = 0.5f;
    TRY(dunlin_world_remove_field(world, 1, &error));
    EXPECT(dunlin_world_field_count(world) == 1);
    add_traces();

    dunlin_obstacle_def obstacle = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_CAPSULE);
    for (int i = 0; i < 2; i++) TRY(dunlin_world_add_obstacle(world, &obstacle, NULL, &error));
    obstacle = dunlin_world_get_obstacle(world, 1);
    obstacle.a[0] = 40.0f;
    TRY(dunlin_world_set_obstacle(world, 0, &obstacle, &error));
    TRY(dunlin_world_remove_obstacle(world, 1, &error));
    EXPECT(dunlin_world_obstacle_count(world) == 1 && dunlin_world_obstacle_view(world).obstacles[0].a[0] == 40.0f);
}

static void add_behaviours_and_meals(void) {
    static const dunlin_behaviour_kind kinds[] = {DUNLIN_BEHAVIOUR_FOLLOW_PATH, DUNLIN_BEHAVIOUR_FLOW,
                                                  DUNLIN_BEHAVIOUR_AVOID,       DUNLIN_BEHAVIOUR_CUSTOM,
                                                  DUNLIN_BEHAVIOUR_PAIRS,       DUNLIN_BEHAVIOUR_WANDER};
    for (int i = 0; i < 6; i++) {
        dunlin_behaviour_def def = dunlin_behaviour_def_default(world, kinds[i]);
        def.custom = live;
        def.pairs.callback = slow_down;
        TRY(dunlin_world_add_behaviour(world, &def, NULL, &error));
    }
    dunlin_behaviour_def def = dunlin_world_get_behaviour(world, 0);
    def.weight = 0.5f;
    TRY(dunlin_world_set_behaviour(world, 0, &def, &error));
    TRY(dunlin_world_remove_behaviour(world, 5, &error));
    EXPECT(dunlin_world_behaviour_count(world) == 5);

    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.eater = 1;
    meal.food = 0;
    for (int i = 0; i < 2; i++) TRY(dunlin_world_add_meal(world, &meal, NULL, &error));
    meal = dunlin_world_get_meal(world, 0);
    meal.radius = 0.5f;
    TRY(dunlin_world_set_meal(world, 0, &meal, &error));
    TRY(dunlin_world_remove_meal(world, 1, &error));
    EXPECT(dunlin_world_meal_count(world) == 1);
}

/* ---- a simulation ---------------------------------------------------------------------------------------------------------
 */

static void look_over(void) {
    dunlin_survey *survey;
    dunlin_components groups;
    dunlin_density densities[2];
    dunlin_correlation correlation;
    const dunlin_correlation_def def = dunlin_correlation_def_default(world);
    TRY(dunlin_survey_create(&survey, &error));
    TRY(dunlin_survey_components(survey, world, DUNLIN_ALL_SPECIES, 5.0f, &groups, &error));
    EXPECT(groups.agents == dunlin_world_agent_count(world) && groups.sizes[0] == groups.largest);
    for (int i = 0; i < 2; i++) TRY(dunlin_survey_density(survey, world, 0, 10.0 * (i + 1), &densities[i], &error));
    EXPECT(dunlin_fluctuation_exponent(densities, 2) < 10.0);
    TRY(dunlin_survey_correlation(survey, world, &def, &correlation, &error));
    EXPECT(correlation.bins == def.bins && correlation.pairs > 0);
    dunlin_survey_destroy(survey);
}

static void simulate(void) {
    for (int step = 0; step < 10; step++) TRY(dunlin_world_step(world, &error));
    EXPECT(dunlin_world_stats(world).step == 10 && dunlin_world_bytes(world) > 0);
    dunlin_metrics metrics;
    TRY(dunlin_world_measure(world, 0, &metrics, &error));
    TRY(dunlin_world_measure_in_step(world, &error));
    TRY(dunlin_world_measured(world, 0, &metrics, &error));

    look_over();

    const dunlin_view view = dunlin_world_view(world, 0);
    const float x = 3.0f;
    const uint32_t slot = 7, id = view.id[9];
    dunlin_write write = dunlin_write_default();
    write.count = 1;
    write.slots = &slot;
    write.position[0] = write.position[1] = &x;
    TRY(dunlin_world_write(world, &write, &error));
    EXPECT(view.position[0][7] == 3.0f && view.generation == dunlin_world_generation(world));
    TRY(dunlin_world_despawn(world, &id, 1, &error));
    EXPECT(view.generation != dunlin_world_generation(world));

    dunlin_clock clock = dunlin_world_get_clock(world);
    clock.step += 100;
    clock.time += 100.0;
    TRY(dunlin_world_set_clock(world, &clock, &error));
    const float left[2] = {1.0f, 5.0f}, right[2] = {99.0f, 5.0f};
    float offset[3];
    dunlin_world_offset(world, left, right, offset); /* across the edge of a periodic world of 100 by 100 */
    EXPECT(offset[0] == -2.0f && offset[1] == 0.0f && offset[2] == 0.0f);
    dunlin_world_fail(world, "no function is running, so this does nothing");
    EXPECT(dunlin_world_boundary(world, 0) == DUNLIN_BOUNDARY_PERIODIC);
    dunlin_hold *hold = NULL;
    TRY(dunlin_world_hold(world, &hold, &error));
    dunlin_hold_release(hold);
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = 0.5f;
    TRY(dunlin_world_set_def(world, &def, &error));
    TRY(dunlin_world_step(world, &error));
}

/* There and back, piece by piece and at once. */
static void save_and_restore(dunlin_world *other) {
    const uint64_t hash = dunlin_world_state_hash(other), fingerprint = dunlin_world_fingerprint(other);
    TRY(dunlin_world_save_to(other, put, NULL, &error));
    EXPECT(saved == dunlin_world_saved_bytes(other));
    TRY(dunlin_world_step(other, &error));
    TRY(dunlin_world_restore_from(other, take, NULL, &error));
    EXPECT(dunlin_world_state_hash(other) == hash);
    TRY(dunlin_world_save_memory(other, checkpoint, sizeof checkpoint, &error));
    TRY(dunlin_world_restore_memory(other, checkpoint, saved, &error));
    EXPECT(dunlin_world_state_hash(other) == hash && dunlin_world_fingerprint(other) == fingerprint);
}

static void connect_callback(void *context, int behaviour, dunlin_behaviour_def *def) {
    (void)context;
    const dunlin_behaviour_def own = dunlin_world_get_behaviour(world, behaviour);
    def->custom = own.custom;
    def->pairs.callback = own.pairs.callback;
    def->user = own.user;
}

/* A world from its file alone. */
static void save_with_definitions(void) {
    dunlin_world *other = NULL;
    saved = restored = 0;
    TRY(dunlin_world_save_definitions_to(world, put, NULL, &error));
    TRY(dunlin_world_save_to(world, put, NULL, &error));
    TRY(dunlin_world_create_from(NULL, take, connect_callback, NULL, &other, &error));
    if (!other) return;
    TRY(dunlin_world_restore_from(other, take, NULL, &error));
    EXPECT(dunlin_world_state_hash(other) == dunlin_world_state_hash(world));
    dunlin_world_destroy(other);
}

/* Where agents have come since a start. */
static void follow(void) {
    dunlin_displacement *displacement, *again;
    dunlin_displacements measured;
    saved = restored = 0;
    TRY(dunlin_displacement_create(world, &displacement, &error));
    TRY(dunlin_displacement_save_to(displacement, put, NULL, &error));
    TRY(dunlin_displacement_restore_from(world, &again, take, NULL, &error));
    TRY(dunlin_displacement_follow(again, world, &error));
    TRY(dunlin_displacement_measure(again, world, DUNLIN_ALL_SPECIES, &measured, &error));
    EXPECT(measured.agents == dunlin_world_agent_count(world) && measured.mean_squared == 0.0);
    dunlin_displacement_destroy(displacement);
    dunlin_displacement_destroy(again);
}

/* Another world, with another kernel and the program's own executor, continues from the state. */
static void save_and_load(void) {
    TRY(dunlin_world_save(world, FILE_NAME, &error));
    EXPECT(dunlin_world_preamble(world, NULL, 0) > 0);
    dunlin_state_info info;
    TRY(dunlin_state_read_info(FILE_NAME, &info, &error));
    EXPECT(info.step == 111 && info.agents == dunlin_world_agent_count(world));
    dunlin_world *const first = world;
    dunlin_world_def def = dunlin_world_def_default();
    def.kernel = dunlin_kernel_at(dunlin_kernel_find("scalar")).name;
    def.threads = 2;
    def.run = work_in_order;
    EXPECT(dunlin_kernel_count() > 0);
    TRY(dunlin_world_create(&def, &world, &error));
    dunlin_species_def species = dunlin_world_get_species(first, 0);
    for (int s = 0; s < 2; s++) {
        species = dunlin_world_get_species(first, s);
        TRY(dunlin_world_add_species(world, &species, NULL, &error));
    }
    for (int i = 0; i < 2; i++) {
        const dunlin_attribute_def attribute = dunlin_world_get_attribute(first, 0, i);
        TRY(dunlin_world_add_attribute(world, &attribute, NULL, &error));
    }
    TRY(dunlin_world_load(world, FILE_NAME, &error));
    const dunlin_view views[] = {dunlin_world_view(world, 0), dunlin_world_view(world, 1)};
    EXPECT(dunlin_world_state_hash(world) == dunlin_world_state_hash(first));
    EXPECT(dunlin_world_state_hash(world) == dunlin_agents_hash(2, views, 2));
    save_and_restore(world);
    TRY(dunlin_world_step(world, &error));
    TRY(dunlin_world_remove_species(world, 1, &error));
    dunlin_world_destroy(world);
    world = first;
    remove(FILE_NAME);
}

static void sum_groups(void) {
    dunlin_group_sums sums;
    EXPECT(dunlin_world_sum_groups(world, 0, &sums, &error) == DUNLIN_ERROR_VALUE && sums.count == 0); /* it has none */
    TRY(dunlin_world_make_bodies(world, &error));
}

int main(void) {
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 2;
    TRY(dunlin_world_create(&def, &world, &error));
    if (!world) return 1;
    add_species_and_agents();
    add_interactions();
    add_attributes();
    add_scenery();
    add_behaviours_and_meals();
    simulate();
    save_and_load();
    save_with_definitions();
    follow();
    sum_groups();
    printf("%s %016" PRIx64 "\n", dunlin_version(), dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return failures > 0;
}
