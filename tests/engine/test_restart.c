/* SPDX-License-Identifier: MIT */
/*
 * A saved simulation goes on with the same bits in a fresh world with the same definitions: all that the next step reads is in
 * the state, or follows from it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/effort.h"
#include "tests/lib/stream.h"
#include "tests/lib/worlds.h"

static const char path[] = "restart.csv";

enum { PREY, HAWKS, GRASS, BODIES, SPECIES };
enum { AGENTS = 250, BREAK = 20, STEPS = 45 };

/* ---- callbacks: births, deaths, attributes ----------------------------------------------------------------------------- */

static void live(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        float draw[4];
        dunlin_draw(5, tile->id[i], tile->step, 1, draw);
        tile->next_attribute[0][i] = tile->next_attribute[0][i] * 0.99f;
        tile->force[0][i] += 0.01f * (draw[0] - 0.5f);
        const float position[] = {50 + 40 * draw[1], 50 + 40 * draw[2], 50}, velocity[] = {draw[3], 0.1f, 0};
        if (draw[0] < 0.02f) tile->dies[i] = 1;
        if (draw[1] < 0.02f) dunlin_tile_spawn(tile, i, draw[2] < 0.5f ? PREY : GRASS, position, velocity, NULL, NULL);
    }
}

static void lean(void *user, const dunlin_packet *packet) {
    (void)user;
    for (uint32_t i = 0; i < packet->count; i++) packet->force[1][i] += 0.001f * (float)(packet->id[packet->first + i] % 3);
}

/* ---- the world --------------------------------------------------------------------------------------------------------- */

/* A world's definitions, with behaviours of every kind. They are the present ones: simulations change them here. */
typedef struct recipe {
    dunlin_world_def world;
    dunlin_species_def species[SPECIES];
    dunlin_interaction_def rules[3];
    dunlin_meal_def meals[2];
    dunlin_behaviour_def behaviours[2 * DUNLIN_BEHAVIOUR_COUNT];
    int behaviour_count;
    float noise_rate;
    float points[3][3];
} recipe;

static dunlin_behaviour_def *behave(recipe *r, const dunlin_world *world, dunlin_behaviour_kind kind) {
    dunlin_behaviour_def *def = &r->behaviours[r->behaviour_count++];
    *def = dunlin_behaviour_def_default(world, kind);
    return def;
}

/* Without an initial position of their own, targets would start at the position in the definition. */
static void aim_at_places(recipe *r, const dunlin_world *world) {
    for (int kind = DUNLIN_BEHAVIOUR_SEEK; kind <= DUNLIN_BEHAVIOUR_EVADE; kind++) {
        dunlin_behaviour_def *def = behave(r, world, (dunlin_behaviour_kind)kind);
        def->weight = 0.3f;
        def->species = kind % 2;
        for (int a = 0; a < 3; a++) {
            def->target.position[a] = 13.0f * (float)(kind + a + 1);
            def->target.velocity[a] = 0.7f - 0.3f * (float)a;
        }
    }
}

static void aim_at_others(recipe *r, const dunlin_world *world) {
    dunlin_behaviour_def *def = behave(r, world, DUNLIN_BEHAVIOUR_PURSUE);
    def->species = HAWKS;
    def->target.kind = DUNLIN_TARGET_NEAREST;
    def->target.species = PREY;
    def->radius = 20;
    def = behave(r, world, DUNLIN_BEHAVIOUR_FLEE);
    def->target.kind = DUNLIN_TARGET_CENTRE;
    def->target.species = HAWKS;
    def->radius = 15;
    def = behave(r, world, DUNLIN_BEHAVIOUR_SEEK);
    def->target.kind = DUNLIN_TARGET_AGENT;
    def->target.agent = AGENTS + 3;
}

static void behave_in_every_way(recipe *r, const dunlin_world *world) {
    aim_at_places(r, world);
    aim_at_others(r, world);
    for (int kind = DUNLIN_BEHAVIOUR_WANDER; kind < DUNLIN_BEHAVIOUR_COUNT; kind++) {
        dunlin_behaviour_def *def = behave(r, world, (dunlin_behaviour_kind)kind);
        def->weight = 0.2f;
        def->radius = 12;
        def->sidestep.observed = PREY;
        def->force[1] = 0.01f;
        def->linear_drag = 0.001f;
        def->contain.margin[0] = 5;
        def->pairs = (dunlin_pairs){.observed = PREY, .radius = 3, .callback = lean};
        def->custom = live;
        def->body = BODIES;
    }
    dunlin_behaviour_def *along_agents = behave(r, world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    along_agents->follow.path = 1;
    along_agents->species = HAWKS;
}

static recipe first_recipe(dunlin_world_def def) {
    recipe r = {.world = def, .noise_rate = 0.3f, .points = {{10, 50, 90}, {20, 80, 20}, {50, 40, 60}}};
    static const char *const names[] = {"prey", "hawks", "grass", "bodies"};
    for (int s = 0; s < SPECIES; s++) {
        r.species[s] = dunlin_species_def_default();
        r.species[s].name = names[s];
    }
    r.species[PREY].groups = 5;
    r.species[PREY].regroup = (dunlin_regroup){.every = 6, .radius = 8, .min_agents = 3};
    r.species[BODIES].body_of = PREY;
    for (int s = 0; s < 3; s++) {
        r.rules[s] = world_flocking_rules(6);
        r.rules[s].observer = s == GRASS ? HAWKS : s;
        r.rules[s].observed = s == GRASS ? PREY : s;
    }
    r.rules[HAWKS].nearest = 5;
    r.rules[GRASS].max_neighbours = 4; /* those that are first in storage order */
    r.species[HAWKS].obstacles_block = true;
    r.meals[0] = r.meals[1] = dunlin_meal_def_default();
    r.meals[0].eater = HAWKS;
    r.meals[0].food = PREY;
    r.meals[1].eater = PREY;
    r.meals[1].food = GRASS;
    r.meals[1].energy = 0;
    dunlin_world *world = world_create(&def);
    behave_in_every_way(&r, world);
    dunlin_world_destroy(world);
    return r;
}

static void fill_field(dunlin_world *world, const recipe *r) {
    dunlin_field_source noise = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    noise.noise.rate = r->noise_rate;
    noise.weight = 0.05f;
    noise.seed = 4;
    ACCEPT(dunlin_world_fill_field(world, 0, &noise, &refusal));
}

static void add_paths(dunlin_world *world, const recipe *r) {
    static const uint32_t ids[] = {AGENTS, AGENTS + 1, AGENTS + 2};
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = 3;
    for (int a = 0; a < r->world.dimensions; a++) def.points[a] = r->points[a];
    world_add_path(world, &def);
    def = dunlin_path_def_default(world);
    def.count = 3;
    def.agents = ids;
    world_add_path(world, &def);
}

static void add_attributes(dunlin_world *world) {
    static const dunlin_role roles[] = {DUNLIN_ROLE_VALUE, DUNLIN_ROLE_MASS, DUNLIN_ROLE_RADIUS_SCALE};
    static const char *const names[] = {"energy", "mass", "sight"};
    for (int i = 0; i < 3; i++) {
        dunlin_attribute_def def = world_attribute(0, names[i], roles[i]);
        def.distribution = DUNLIN_DISTRIBUTION_EVEN;
        def.min_value = 0.7f;
        world_add_attribute(world, &def);
    }
    dunlin_attribute_def def = world_attribute(0, "group", DUNLIN_ROLE_GROUP);
    def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    def.max_value = 4;
    world_add_attribute(world, &def);
    def.species = BODIES;
    def.name = "body";
    def.role = DUNLIN_ROLE_BODY;
    world_add_attribute(world, &def);
}

static dunlin_world *make(const recipe *r) {
    static const dunlin_obstacle_def ball = {0, DUNLIN_OBSTACLE_BALL, {60, 60, 50}, {0}, 7};
    dunlin_world *world = world_create(&r->world);
    dunlin_field_def field = dunlin_field_def_default(world);
    for (int s = 0; s < SPECIES; s++) world_add_species(world, &r->species[s]);
    for (int i = 0; i < 3; i++) world_add_interaction(world, &r->rules[i]);
    for (int a = 0; a < r->world.dimensions; a++) {
        field.cells[a] = 8;
        field.max[a] = 100; /* also if the world has become larger: this position was set */
    }
    world_add_field(world, &field);
    fill_field(world, r);
    add_paths(world, r);
    world_obstruct(world, &ball, 1);
    for (int b = 0; b < r->behaviour_count; b++) world_add_behaviour(world, &r->behaviours[b]);
    add_attributes(world);
    for (int m = 0; m < 2; m++) world_add_meal(world, &r->meals[m]);
    return world;
}

static void populate(dunlin_world *world) {
    static const uint32_t counts[SPECIES] = {AGENTS, 10, 60};
    for (int s = 0; s < SPECIES; s++) world_scatter(world, s, counts[s]);
}

/* ---- changes during a run -------------------------------------------------------------------------------------------------
 */

static void set_behaviour(recipe *r, dunlin_world *world, int number) {
    dunlin_behaviour_def def = r->behaviours[number];
    memcpy(def.target.position, dunlin_world_get_behaviour(world, number).target.position, sizeof def.target.position);
    ACCEPT(dunlin_world_set_behaviour(world, number, &def, &refusal));
}

static void add_target(recipe *r, dunlin_world *world) {
    dunlin_behaviour_def *def = behave(r, world, DUNLIN_BEHAVIOUR_SEEK);
    for (int a = 0; a < 3; a++) def->target.velocity[a] = 1.0f / 3;
    def->target.position[0] = 20;
    world_add_behaviour(world, def);
}

/* Changes by a schedule, before the step of that number. */
static void change(recipe *r, dunlin_world *world, int step) {
    const bool larger = step == 11, faster = step == 5 || step == 13;
    if (step == 3) add_target(r, world);
    if (faster) r->world.time_step *= 0.7f;
    if (larger)
        for (int a = 0; a < 3; a++) r->world.size[a] = 130; /* targets begin anew from where they are */
    if (larger || faster) ACCEPT(dunlin_world_set_def(world, &r->world, &refusal));
    if (step == 6) {
        r->noise_rate = 0.1f;
        fill_field(world, r);
    }
    if (step == 7) {
        r->behaviours[1].target.velocity[0] = -0.9f; /* it begins anew */
        set_behaviour(r, world, 1);
    }
    r->behaviours[2].weight = 0.01f * (float)step; /* it goes on */
    set_behaviour(r, world, 2);
    if (step == 12) {
        r->meals[0].radius = 2;
        ACCEPT(dunlin_world_set_meal(world, 0, &r->meals[0], &refusal));
        r->species[PREY].max_speed = 1.3f;
        ACCEPT(dunlin_world_set_species(world, PREY, &r->species[PREY], &refusal));
        r->rules[HAWKS].nearest = 3;
        ACCEPT(dunlin_world_set_interaction(world, HAWKS, &r->rules[HAWKS], &refusal));
        r->points[0][1] = 70;
        ACCEPT(dunlin_world_move_path(world, 0, (const float *const[]){r->points[0], r->points[1], r->points[2]}, &refusal));
    }
}

/* ---- simulations -----------------------------------------------------------------------------------------------------------
 */

static void assert_same(dunlin_world *a, dunlin_world *b, int step) {
    if (dunlin_world_state_hash(a) != dunlin_world_state_hash(b)) fail_msg("another state after step %d", step);
    assert_true(dunlin_world_stats(a).time == dunlin_world_stats(b).time);
    assert_int_equal(dunlin_world_stats(a).step, dunlin_world_stats(b).step);
    for (int n = 0; n < dunlin_world_behaviour_count(a); n++) {
        const dunlin_behaviour_def left = dunlin_world_get_behaviour(a, n), right = dunlin_world_get_behaviour(b, n);
        assert_memory_equal(left.target.position, right.target.position, sizeof left.target.position);
    }
}

/* The simulation must have all of this to show anything. */
static void assert_rich(const dunlin_world *world, uint64_t births, uint64_t deaths) {
    assert_true(births > 20 && deaths > 20);
    for (int s = 0; s < SPECIES; s++) assert_true(dunlin_world_view(world, s).count > 0);
}

static void run_on(recipe *r, dunlin_world *a, dunlin_world *b, int first, int last) {
    for (int step = first; step < last; step++) {
        recipe twin = *r;
        if (b) change(&twin, b, step);
        change(r, a, step);
        world_run(a, 1);
        if (b) world_run(b, 1);
        if (b) assert_same(a, b, step);
    }
}

/* How a simulation gets into another world. */
typedef dunlin_world *carry_fn(const dunlin_world *from, const recipe *r);

static void load(dunlin_world *to, const dunlin_world *from) {
    ACCEPT(dunlin_world_save(from, path, &refusal));
    ACCEPT(dunlin_world_load(to, path, &refusal));
    remove(path);
}

static dunlin_world *carry_by_file(const dunlin_world *from, const recipe *r) {
    dunlin_world *to = make(r);
    load(to, from);
    return to;
}

static dunlin_world *carry_by_checkpoint(const dunlin_world *from, const recipe *r) {
    dunlin_world *to = make(r);
    const size_t count = dunlin_world_saved_bytes(from);
    char *bytes = malloc(count);
    assert_non_null(bytes);
    ACCEPT(dunlin_world_save_memory(from, bytes, count, &refusal));
    ACCEPT(dunlin_world_restore_memory(to, bytes, count, &refusal));
    free(bytes);
    return to;
}

static void connect(void *context, int behaviour, dunlin_behaviour_def *def) {
    (void)context;
    (void)behaviour;
    def->custom = live;
    def->pairs.callback = lean;
}

static dunlin_world *carry_with_definitions(const dunlin_world *from, const recipe *r) {
    (void)r;
    dunlin_world *to = NULL;
    stream s = {.bytes = NULL};
    ACCEPT(dunlin_world_save_definitions_to(from, stream_put, &s, &refusal));
    ACCEPT(dunlin_world_save_to(from, stream_put, &s, &refusal));
    ACCEPT(dunlin_world_create_from(NULL, stream_take, connect, &s, &to, &refusal));
    ACCEPT(dunlin_world_restore_from(to, stream_take, &s, &refusal));
    free(s.bytes);
    return to;
}

static carry_fn *const ways[] = {carry_by_file, carry_by_checkpoint, carry_with_definitions};
enum { WAYS = 3 };

static void restart(dunlin_world_def def, int stop, carry_fn *carry) {
    recipe r = first_recipe(def);
    dunlin_world *run = make(&r);
    populate(run);
    uint64_t births = 0, deaths = 0;
    for (int step = 0; step < stop; step++) {
        run_on(&r, run, NULL, step, step + 1);
        births += dunlin_world_stats(run).births;
        deaths += dunlin_world_stats(run).deaths;
    }
    if (stop == BREAK) assert_rich(run, births, deaths);
    dunlin_world *loaded = carry(run, &r);
    assert_same(run, loaded, stop);
    run_on(&r, run, loaded, stop, STEPS);
    dunlin_world_destroy(run);
    dunlin_world_destroy(loaded);
}

static void a_rich_world_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int boundary = DUNLIN_BOUNDARY_PERIODIC; boundary <= DUNLIN_BOUNDARY_OPEN; boundary++) {
            dunlin_world_def def = dunlin_world_def_default();
            def.dimensions = dimensions;
            def.boundary = (dunlin_boundary)boundary;
            def.threads = 2;
            for (int w = 0; w < WAYS; w++) restart(def, BREAK, ways[w]);
        }
    }
}

/* Right before and after each change, too. */
static void a_simulation_can_be_saved_after_any_step(void **state) {
    (void)state;
    for (int stop = 0; stop < BREAK; stop += TEST_SLOW ? 3 : 1)
        for (int w = 0; w < WAYS; w++) restart(dunlin_world_def_default(), stop, ways[w]);
}

/* For each index, since each stores agents in another order. */
static void a_simulation_goes_on_with_every_index(void **state) {
    (void)state;
    for (int i = 0; i < WORLD_INDEXES; i++) {
        dunlin_world_def def = dunlin_world_def_default();
        def.index = world_indexes[i];
        for (int w = 0; w < WAYS; w++) restart(def, BREAK, ways[w]);
    }
}

/* Its initial position and the time of that position are saved. */
static void a_target_that_was_added_late_goes_on(void **state) {
    (void)state;
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *run = world_of(&def, 5, 50);
    world_run(run, 37);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(run, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = 0.7f;
    world_add_behaviour(run, &seek);
    world_run(run, 5);
    dunlin_world *loaded = world_without_agents(&def, 5);
    world_add_behaviour(loaded, &seek);
    load(loaded, run);
    for (int step = 42; step < 60; step++) {
        assert_same(run, loaded, step);
        world_run(run, 1);
        world_run(loaded, 1);
    }
    dunlin_world_destroy(run);
    dunlin_world_destroy(loaded);
}

/* In an open world a target may leave the range that a definition has. */
static void a_target_that_is_far_away_goes_on(void **state) {
    (void)state;
    dunlin_world_def def = dunlin_world_def_default();
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    dunlin_world *run = world_of(&def, 5, 50), *loaded = world_without_agents(&def, 5);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(run, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = -1e9f;
    world_add_behaviour(run, &seek);
    world_add_behaviour(loaded, &seek);
    for (int step = 0; step < 4; step++) {
        world_run(run, 1);
        def.size[0] += 1; /* from there anew */
        ACCEPT(dunlin_world_set_def(run, &def, &refusal));
    }
    ACCEPT(dunlin_world_set_def(loaded, &def, &refusal));
    load(loaded, run);
    assert_true(dunlin_world_get_behaviour(loaded, 0).target.position[0] == -4e9f);
    assert_same(run, loaded, 4);
    dunlin_world_destroy(run);
    dunlin_world_destroy(loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rich_world_goes_on_bit_for_bit),      cmocka_unit_test(a_simulation_can_be_saved_after_any_step),
        cmocka_unit_test(a_simulation_goes_on_with_every_index), cmocka_unit_test(a_target_that_was_added_late_goes_on),
        cmocka_unit_test(a_target_that_is_far_away_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
