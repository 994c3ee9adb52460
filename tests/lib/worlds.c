/* SPDX-License-Identifier: MIT */
#include "tests/lib/worlds.h"
#include "tests/lib/effort.h"
#include "tests/lib/plain.h"

#include <string.h>

TEST_THREAD_LOCAL dunlin_error refusal;
void (*give_memory_back)(void);

/* ---- calls ------------------------------------------------------------------------------------------------------------- */

void accept_at(dunlin_result result, const char *call, const char *file, int line) {
    if (result == DUNLIN_OK) return;
    print_error("%s\n    was refused: %s\n", call, refusal.message);
    _fail(file, line);
}

static void fail_at(const char *call, const char *problem, const char *word, const char *file, int line) {
    print_error("%s\n    %s %s\n    the message: %s\n", call, problem, word, refusal.message);
    _fail(file, line);
}

void refuse_at(dunlin_result result, dunlin_result code, const char *const words[], const char *call, const char *file,
               int line) {
    if (result == DUNLIN_OK) fail_at(call, "was not refused", "", file, line);
    if (result != code || refusal.code != code) fail_at(call, "was refused with another code", "", file, line);
    for (int i = 0; words[i]; i++)
        if (!*words[i] || !strstr(refusal.message, words[i])) fail_at(call, "was refused without saying", words[i], file, line);
    if (plain_fault(refusal.message)) fail_at(call, "was refused with", plain_fault(refusal.message), file, line);
    memset(&refusal, 0, sizeof refusal);
}

/* ---- variants ---------------------------------------------------------------------------------------------------------- */

const char *const world_indexes[WORLD_INDEXES] = {"grid", "tree", "brute"};

static int kernels_here(void) {
    int count = 0;
    for (int i = 0; i < dunlin_kernel_count(); i++) count += dunlin_kernel_at(i).runs_here;
    return count;
}

int world_variant_count(void) {
    return TEST_NIGHTLY ? kernels_here() * WORLD_INDEXES : WORLD_INDEXES + kernels_here() - 1;
}

world_variant world_variant_at(int position) {
    int kernel = 0, left = position / WORLD_INDEXES;
    if (!TEST_NIGHTLY && left > 0) left = position - (WORLD_INDEXES - 1);
    for (; left > 0 || !dunlin_kernel_at(kernel).runs_here; kernel++) left -= dunlin_kernel_at(kernel).runs_here;
    return (world_variant){dunlin_kernel_at(kernel).name, world_indexes[position % WORLD_INDEXES]};
}

dunlin_world_def world_def_for(dunlin_world_def def, world_variant variant) {
    def.kernel = variant.kernel;
    def.index = variant.index;
    return def;
}

dunlin_world_def world_def_with(world_parts parts) {
    dunlin_world_def def = dunlin_world_def_default();
    if (parts.dimensions) def.dimensions = parts.dimensions;
    if (parts.threads) def.threads = parts.threads;
    if (parts.boundary) def.boundary = parts.boundary;
    if (parts.seed) def.seed = parts.seed;
    if (parts.time_step > 0) def.time_step = parts.time_step;
    if (parts.margin > 0) def.margin = parts.margin;
    if (parts.index) def.index = parts.index;
    if (parts.kernel) def.kernel = parts.kernel;
    return def;
}

/* ---- worlds ------------------------------------------------------------------------------------------------------------ */

static void destroy(void *world) {
    dunlin_world_destroy(world);
}

dunlin_world *world_create(const dunlin_world_def *def) {
    const dunlin_world_def defaults = dunlin_world_def_default();
    dunlin_world *world = NULL;
    ACCEPT(dunlin_world_create(def ? def : &defaults, &world, &refusal));
    end_after_test(world, destroy);
    return world;
}

void world_destroy(dunlin_world *world) {
    forget(world);
    dunlin_world_destroy(world);
}

uint64_t world_end(dunlin_world *world) {
    const uint64_t hash = dunlin_world_state_hash(world);
    world_destroy(world);
    return hash;
}

#define ADD(kind, defaults)                                                                                                    \
    int world_add_##kind(dunlin_world *world, const dunlin_##kind##_def *def) {                                                \
        const dunlin_##kind##_def standard = defaults;                                                                         \
        int number = -1;                                                                                                       \
        ACCEPT(dunlin_world_add_##kind(world, def ? def : &standard, &number, &refusal));                                      \
        return number;                                                                                                         \
    }
ADD(species, dunlin_species_def_default())
ADD(interaction, dunlin_interaction_def_default())
ADD(behaviour, dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK))
ADD(attribute, dunlin_attribute_def_default())
ADD(field, dunlin_field_def_default(world))
ADD(path, dunlin_path_def_default(world))
ADD(obstacle, dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL))
ADD(meal, dunlin_meal_def_default())
ADD(trace, dunlin_trace_def_default())
#undef ADD

int world_add_named(dunlin_world *world, const char *species) {
    return world_add_fliers(world, species, dunlin_species_def_default().max_speed);
}

int world_add_default(dunlin_world *world, dunlin_behaviour_kind kind) {
    const dunlin_behaviour_def def = dunlin_behaviour_def_default(world, kind);
    return world_add_behaviour(world, &def);
}

int world_add_fliers(dunlin_world *world, const char *species, float max_speed) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = species;
    def.max_speed = max_speed;
    return world_add_species(world, &def);
}

int world_call_back(dunlin_world *world, int species, dunlin_tile_fn *custom, void *user) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    def.species = species;
    def.custom = custom;
    def.user = user;
    return world_add_behaviour(world, &def);
}

dunlin_metrics world_measure(dunlin_world *world, int species) {
    dunlin_metrics metrics;
    ACCEPT(dunlin_world_measure(world, species, &metrics, &refusal));
    return metrics;
}

dunlin_attribute_def world_attribute(int species, const char *name, dunlin_role role) {
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.species = species;
    def.name = name;
    def.role = role;
    return def;
}

int world_add_value(dunlin_world *world, int species, const char *name, dunlin_role role, float value) {
    dunlin_attribute_def def = world_attribute(species, name, role);
    def.value = value;
    return world_add_attribute(world, &def);
}

int world_add_drawn(dunlin_world *world, int species, const char *name, dunlin_role role, float min, float max) {
    dunlin_attribute_def def = world_attribute(species, name, role);
    def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    def.min_value = min;
    def.max_value = max;
    return world_add_attribute(world, &def);
}

int world_add_scale(dunlin_world *world, int species, dunlin_role role, float min, float max) {
    dunlin_attribute_def def = world_attribute(species, "scale", role);
    def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    def.min_value = min;
    def.max_value = def.max_scale = max;
    return world_add_attribute(world, &def);
}

dunlin_interaction_def world_interaction(int observer, int observed) {
    dunlin_interaction_def def = dunlin_interaction_def_default();
    def.observer = observer;
    def.observed = observed;
    return def;
}

void world_scatter(dunlin_world *world, int species, uint32_t count) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = count;
    ACCEPT(dunlin_world_scatter(world, species, &def, &refusal));
}

dunlin_interaction_def world_flocking_rules(float radius) {
    dunlin_interaction_def def = dunlin_interaction_def_default();
    def.rules[DUNLIN_RULE_SEPARATION].radius = 0.5f * radius;
    def.rules[DUNLIN_RULE_ALIGNMENT].radius = radius;
    def.rules[DUNLIN_RULE_COHESION].radius = radius;
    return def;
}

dunlin_interaction_def world_flocking_between(int observer, int observed, float radius) {
    dunlin_interaction_def def = world_flocking_rules(radius);
    def.observer = observer;
    def.observed = observed;
    return def;
}

int world_add_flocking(dunlin_world *world, int observer, int observed, float radius) {
    const dunlin_interaction_def def = world_flocking_between(observer, observed, radius);
    return world_add_interaction(world, &def);
}

dunlin_world *world_without_agents(const dunlin_world_def *def, float radius) {
    dunlin_world *world = world_create(def);
    world_add_species(world, NULL);
    world_add_flocking(world, 0, 0, radius);
    return world;
}

dunlin_world *world_of(const dunlin_world_def *def, float radius, uint32_t agents) {
    dunlin_world *world = world_without_agents(def, radius);
    world_scatter(world, 0, agents);
    return world;
}

dunlin_world *world_far_apart(dunlin_world_def def, float radius, uint32_t agents) {
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    dunlin_world *world = world_without_agents(&def, radius);
    ACCEPT(dunlin_world_reserve(world, 0, agents, &refusal));
    for (int flock = 0; flock < WORLD_FLOCKS; flock++) {
        dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
        scatter.count = agents / WORLD_FLOCKS;
        for (int a = 0; a < 3; a++) scatter.centre[a] = (float)flock * 128 * radius, scatter.extent[a] = radius;
        ACCEPT(dunlin_world_scatter(world, 0, &scatter, &refusal));
    }
    return world;
}

uint32_t world_spawn(dunlin_world *world, int species, const float position[3], const float velocity[3]) {
    const dunlin_batch batch = {.cookie = WORLD_COOKIE,
                                .count = 1,
                                .position = {position, position + 1, position + 2},
                                .velocity = {velocity, velocity + 1, velocity + 2}};
    uint32_t id = UINT32_MAX;
    ACCEPT(dunlin_world_spawn(world, species, &batch, &id, &refusal));
    return id;
}

void world_obstruct(dunlin_world *world, const dunlin_obstacle_def *obstacles, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        dunlin_obstacle_def def = obstacles[i];
        def.cookie = WORLD_COOKIE;
        world_add_obstacle(world, &def);
    }
}

void world_clear(dunlin_world *world) {
    for (int i = dunlin_world_obstacle_count(world); i > 0; i--) ACCEPT(dunlin_world_remove_obstacle(world, i - 1, &refusal));
}

void world_run(dunlin_world *world, int steps) {
    for (int i = 0; i < steps; i++) ACCEPT(dunlin_world_step(world, &refusal));
}

void world_run_alike(dunlin_world *a, dunlin_world *b, int steps) {
    world_run(a, steps);
    world_run(b, steps);
    assert_true(dunlin_world_state_hash(a) == dunlin_world_state_hash(b));
}

static uint64_t state_after(dunlin_world_def def, world_make_fn *make, const void *context, int steps) {
    dunlin_world *world = make(def, context);
    world_run(world, steps);
    return world_end(world);
}

void world_expect_one_state(dunlin_world_def def, world_make_fn *make, const void *context, int steps) {
    static const int threads[] = TEST_THREADS(1, 2, 3);
    uint64_t want[WORLD_INDEXES] = {0};
    for (int v = 0; v < world_variant_count(); v++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            const world_variant variant = world_variant_at(v);
            def.threads = threads[t];
            const uint64_t hash = state_after(world_def_for(def, variant), make, context, steps);
            if (t == 0 && v < WORLD_INDEXES) want[v] = hash;
            if (hash != want[v % WORLD_INDEXES])
                fail_msg("%dD, kernel %s, index %s, %d threads: another state", def.dimensions, variant.kernel, variant.index,
                         threads[t]);
        }
}

bool world_repeats(const dunlin_world_def *def, int axis) {
    const dunlin_boundary own = def->axis_boundary[axis];
    return (own == DUNLIN_BOUNDARY_SAME ? def->boundary : own) == DUNLIN_BOUNDARY_PERIODIC;
}

float world_distance2(const dunlin_world_def *def, const dunlin_view *view, uint32_t i, uint32_t j) {
    float d2 = 0;
    for (int a = 0; a < def->dimensions; a++) {
        float d = view->position[a][j] - view->position[a][i];
        const float size = def->size[a];
        if (world_repeats(def, a)) d = d > 0.5f * size ? d - size : d < -0.5f * size ? d + size : d;
        d2 = a == 0 ? d * d : d2 + d * d;
    }
    return d2;
}
