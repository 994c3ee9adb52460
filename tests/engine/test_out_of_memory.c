/* SPDX-License-Identifier: MIT */
/*
 * Memory runs out at every allocation: the call fails with DUNLIN_ERROR_MEMORY and leaves the world as it was, and works as
 * usual once there is memory again.
 */
#include "tests/lib/allocations.h"
#include "tests/lib/golden_worlds.h"

enum { FEW = 200, MANY = 1500 };
static const char state_path[] = "out_of_memory.csv";
static const char *const indexes[] = {"grid", "tree", "brute", "auto"};
enum { INDEXES = 4 };

/* ---- worlds ------------------------------------------------------------------------------------------------------------ */

static dunlin_world *two_species(const char *index) {
    const dunlin_world_def def = world_def_with((world_parts){.index = index, .threads = 2});
    dunlin_world *world = world_without_agents(&def, 8);
    world_add_named(world, "hawks");
    world_add_value(world, 1, "hunger", DUNLIN_ROLE_VALUE, 1);
    return world;
}

static dunlin_result scatter(dunlin_world *world, int species, uint32_t agents, dunlin_error *error) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = agents;
    return dunlin_world_scatter(world, species, &def, error);
}

static dunlin_world *born(const char *index) {
    dunlin_world *world = two_species(index);
    ACCEPT(scatter(world, 0, FEW, &refusal));
    ACCEPT(scatter(world, 1, 7, &refusal));
    return world;
}

static dunlin_world *running(const char *index) {
    dunlin_world *world = born(index);
    world_run(world, 2);
    return world;
}

static dunlin_world *grown(const char *index) {
    dunlin_world *world = running(index);
    ACCEPT(scatter(world, 0, MANY, &refusal));
    return world;
}

/* In the way of all agents. */
static dunlin_result add_obstacle(dunlin_world *world, dunlin_error *error) {
    dunlin_obstacle_def box = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BOX);
    for (int a = 0; a < 2; a++) {
        box.a[a] = 20;
        box.b[a] = 80;
    }
    return dunlin_world_add_obstacle(world, &box, NULL, error);
}

static dunlin_world *obstructed(const char *index) {
    dunlin_world *world = running(index);
    world_add_default(world, DUNLIN_BEHAVIOUR_AVOID);
    ACCEPT(add_obstacle(world, &refusal));
    return world;
}

static void be_shown(void *user, const dunlin_packet *group) {
    (void)user, (void)group;
}

static dunlin_world *shown(const char *index) {
    dunlin_world *world = running(index);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    def.pairs.callback = be_shown;
    world_add_behaviour(world, &def);
    return world;
}

/* All of it narrower, so that there are more cells and runs, and in a larger world. */
static dunlin_world *changed(const char *index) {
    dunlin_world *world = running(index);
    dunlin_world_def def = dunlin_world_get_def(world);
    for (int a = 0; a < 3; a++) def.size[a] *= 5;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    dunlin_interaction_def rules = world_flocking_rules(2);
    rules.observed = 1;
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    return world;
}

/* Here `auto` takes the tree, if there is memory for it. */
static dunlin_world *far_apart(const char *index) {
    const dunlin_world_def def = world_def_with((world_parts){.index = index, .threads = 2});
    return world_far_apart(def, 3, 2048);
}

static const float places[] = {1, 2}, rest[] = {0, 0};

/* More children than a step has room for, also after a refused call. */
static void have_children(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const float at[] = {tile->position[0][i], tile->position[1][i]};
        for (int child = 0; child < 4; child++) dunlin_tile_spawn(tile, i, child % 2, at, rest, NULL, NULL);
        tile->dies[i] = tile->id[i] % 3 == 0;
    }
}

static dunlin_result breed(dunlin_world *world, dunlin_error *error) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    def.custom = have_children;
    return dunlin_world_add_behaviour(world, &def, NULL, error);
}

static dunlin_world *breeding(const char *index) {
    dunlin_world *world = born(index);
    ACCEPT(breed(world, &refusal));
    return world;
}

/* There is room for all but the children. */
static dunlin_world *bred(const char *index) {
    dunlin_world *world = running(index);
    ACCEPT(breed(world, &refusal));
    dunlin_metrics metrics; /* which prepares the world for frames */
    ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
    return world;
}

/* With ids between those that are taken. */
static dunlin_world *gapped(const char *index) {
    dunlin_world *world = grown(index);
    const dunlin_batch far = {.cookie = WORLD_COOKIE,
                              .count = 1,
                              .position = {places, places},
                              .velocity = {rest, rest},
                              .ids = (const uint32_t[]){100000}};
    ACCEPT(dunlin_world_spawn(world, 0, &far, NULL, &refusal));
    return world;
}

/* ---- what may fail ----------------------------------------------------------------------------------------------------- */

static dunlin_result add_species(dunlin_world *world, dunlin_error *error) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = "third";
    return dunlin_world_add_species(world, &def, NULL, error);
}

static dunlin_result add_interaction(dunlin_world *world, dunlin_error *error) {
    dunlin_interaction_def def = world_flocking_rules(20);
    def.observer = 1;
    return dunlin_world_add_interaction(world, &def, NULL, error);
}

static dunlin_result follow_path(dunlin_world *world, dunlin_error *error) {
    static const float x[] = {10, 90}, y[] = {50, 60};
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = 2;
    def.points[0] = x;
    def.points[1] = y;
    dunlin_behaviour_def follow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    dunlin_result result = DUNLIN_OK;
    if (dunlin_world_path_count(world) == 0) result = dunlin_world_add_path(world, &def, NULL, error);
    return result ? result : dunlin_world_add_behaviour(world, &follow, NULL, error);
}

static dunlin_result add_attribute(dunlin_world *world, dunlin_error *error) {
    dunlin_attribute_def speed = dunlin_attribute_def_default();
    speed.name = "speed";
    speed.role = DUNLIN_ROLE_MAX_SPEED;
    return dunlin_world_add_attribute(world, &speed, NULL, error);
}

static dunlin_result add_meal(dunlin_world *world, dunlin_error *error) {
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.eater = 1;
    meal.food = 0;
    meal.energy = 0;
    return dunlin_world_add_meal(world, &meal, NULL, error);
}

/* Before their first step. */
static dunlin_world *hungry(const char *index) {
    dunlin_world *world = running(index);
    ACCEPT(add_meal(world, &refusal));
    return world;
}

static dunlin_result add_field(dunlin_world *world, dunlin_error *error) {
    const dunlin_field_def def = dunlin_field_def_default(world);
    return dunlin_world_add_field(world, &def, NULL, error);
}

/* With a path that is followed, and a field. */
static dunlin_world *placed(const char *index) {
    dunlin_world *world = running(index);
    ACCEPT(follow_path(world, &refusal));
    ACCEPT(add_field(world, &refusal));
    return world;
}

static dunlin_result set_path(dunlin_world *world, dunlin_error *error) {
    dunlin_path_def def = dunlin_world_get_path(world, 0);
    def.closed = true;
    return dunlin_world_set_path(world, 0, &def, error);
}

static dunlin_result set_field(dunlin_world *world, dunlin_error *error) {
    dunlin_field_def def = dunlin_world_get_field(world, 0);
    def.cells[1] = 7;
    return dunlin_world_set_field(world, 0, &def, error);
}

/* It looks ids up, in a table if there is memory for one. */
static dunlin_result write_by_id(dunlin_world *world, dunlin_error *error) {
    dunlin_write write = dunlin_write_default();
    write.count = 2;
    write.ids = (const uint32_t[]){3, 201};
    write.velocity[0] = write.velocity[1] = rest;
    return dunlin_world_write(world, &write, error);
}

static dunlin_result change_all(dunlin_world *world, dunlin_error *error) {
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = 0.5f;
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.name = "dunlins";
    const dunlin_interaction_def rules = world_flocking_rules(2);
    dunlin_result result = dunlin_world_set_def(world, &def, error);
    if (!result) result = dunlin_world_set_species(world, 0, &species, error);
    if (!result) result = dunlin_world_set_interaction(world, 0, &rules, error);
    while (!result && dunlin_world_obstacle_count(world)) result = dunlin_world_remove_obstacle(world, 0, error);
    return result;
}

static dunlin_result spawn(dunlin_world *world, dunlin_error *error) {
    static float x[MANY], v[MANY];
    static uint32_t ids[MANY];
    for (uint32_t i = 0; i < MANY; i++) ids[i] = 3 * MANY - 2 * i;
    const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = MANY, .position = {x, x}, .velocity = {v, v}, .ids = ids};
    return dunlin_world_spawn(world, 0, &batch, NULL, error);
}

/* Ids that might be taken: it has to look them up, in a table if there is memory for one. */
static dunlin_result spawn_between_ids(dunlin_world *world, dunlin_error *error) {
    const dunlin_batch batch = {.cookie = WORLD_COOKIE,
                                .count = 2,
                                .position = {places, places},
                                .velocity = {rest, rest},
                                .ids = (const uint32_t[]){9000, 90000}};
    return dunlin_world_spawn(world, 1, &batch, NULL, error);
}

static dunlin_result scatter_many(dunlin_world *world, dunlin_error *error) {
    return scatter(world, 1, MANY, error);
}

static dunlin_result reserve(dunlin_world *world, dunlin_error *error) {
    return dunlin_world_reserve(world, 0, MANY, error);
}

static dunlin_result measure(dunlin_world *world, dunlin_error *error) {
    dunlin_metrics metrics;
    return dunlin_world_measure(world, 0, &metrics, error);
}

static dunlin_result survey(dunlin_world *world, dunlin_error *error) {
    dunlin_survey *made;
    dunlin_components groups;
    dunlin_density density;
    dunlin_correlation correlation;
    dunlin_correlation_def def = dunlin_correlation_def_default(world);
    def.species = DUNLIN_ALL_SPECIES;
    dunlin_result result = dunlin_survey_create(&made, error);
    if (!result) result = dunlin_survey_density(made, world, 0, 7, &density, error);
    if (!result) result = dunlin_survey_components(made, world, DUNLIN_ALL_SPECIES, 3, &groups, error);
    if (!result) result = dunlin_survey_correlation(made, world, &def, &correlation, error);
    dunlin_survey_destroy(made);
    return result;
}

/* With answers from both workers. */
static dunlin_result ask(dunlin_world *world, dunlin_error *error) {
    enum { QUESTIONS = 600 };
    static dunlin_nearest points[QUESTIONS];
    static uint32_t ids[QUESTIONS * 3];
    static dunlin_slot slots[QUESTIONS * 3];
    dunlin_found found = dunlin_found_default();
    found.room = QUESTIONS * 3;
    found.ids = ids;
    found.slots = slots;
    for (int q = 0; q < QUESTIONS; q++) points[q] = (dunlin_nearest){.centre = {1, 2, 3}, .radius = INFINITY, .count = 3};
    const dunlin_result result = dunlin_world_find_nearest(world, DUNLIN_ALL_SPECIES, points, QUESTIONS, &found, error);
    for (uint64_t i = 0; i < found.count && !result; i++)
        assert_int_equal(dunlin_world_view(world, slots[i].species).id[slots[i].index], ids[i]);
    return result;
}

static dunlin_result despawn(dunlin_world *world, dunlin_error *error) {
    return dunlin_world_despawn(world, (const uint32_t[]){3, 201, 5}, 3, error);
}

static dunlin_result load(dunlin_world *world, dunlin_error *error) {
    return dunlin_world_load(world, state_path, error);
}

typedef struct deed {
    const char *name;
    dunlin_world *(*before)(const char *index);
    dunlin_result (*act)(dunlin_world *world, dunlin_error *error);
    int least; /* minimum number of allocations, with a grid */
} deed;

static const deed deeds[] = {
    {"add a species", running, add_species, 2},
    {"add an interaction", running, add_interaction, 1},
    {"follow a path", running, follow_path, 3},
    {"add a meal", running, add_meal, 1},
    {"a step after a meal was added", hungry, dunlin_world_step, 2},
    {"add an attribute", running, add_attribute, 2},
    {"add a field", running, add_field, 3},
    {"replace a path", placed, set_path, 1},
    {"replace a field", placed, set_field, 2},
    {"write by id", running, write_by_id, 1},
    {"add an obstacle", running, add_obstacle, 1},
    {"a step after obstacles were added", obstructed, dunlin_world_step, 2},
    {"a step after pairs were to be shown", shown, dunlin_world_step, 2},
    {"a step after a change", changed, dunlin_world_step, 1},
    {"change all", running, change_all, 0},
    {"spawn", running, spawn, 11},
    {"spawn between ids", gapped, spawn_between_ids, 12},
    {"scatter", running, scatter_many, 11},
    {"reserve", running, reserve, 10},
    {"the first step of all", two_species, dunlin_world_step, 30},
    {"the first step", born, dunlin_world_step, 10},
    {"a step after many were born", grown, dunlin_world_step, 4},
    {"the first step, with births", breeding, dunlin_world_step, 40},
    {"a step with births", bred, dunlin_world_step, 22},
    {"the first step far apart", far_apart, dunlin_world_step, 5},
    {"despawn", running, despawn, 3},
    {"the first measurement", born, measure, 10},
    {"a measurement", running, measure, 1},
    {"a survey", running, survey, 30},
    {"a survey far apart", far_apart, survey, 30},
    {"the first questions", born, ask, 14},
    {"questions", running, ask, 4},
    {"load", two_species, load, 20},
};
enum { DEEDS = sizeof deeds / sizeof *deeds };

/* ---- failing at every place -------------------------------------------------------------------------------------------- */

/* A world in the end, whether or not memory ran out on the way. */
typedef struct outcome {
    uint64_t hash;
    size_t bytes;
} outcome;

static outcome outcome_of(const dunlin_world *world) {
    return (outcome){dunlin_world_state_hash(world), dunlin_world_bytes(world)};
}

static outcome outcome_when_all_is_well(const deed *d, const char *index) {
    dunlin_world *world = d->before(index);
    ACCEPT(d->act(world, &refusal));
    world_run(world, 1);
    const outcome made = outcome_of(world);
    world_destroy(world);
    return made;
}

/* A list of births is as long as the most that one thread had to list. */
static bool may_keep_more(const deed *d) {
    return strstr(d->name, "births");
}

/* Fails allocation `number`, and with `onwards` all later ones. false: there are fewer allocations. */
static bool fail_at(const deed *d, const char *index, uint64_t number, bool onwards, outcome usual) {
    const size_t held = allocations_held();
    dunlin_world *world = d->before(index);
    const uint64_t hash = dunlin_world_state_hash(world), agents = dunlin_world_agent_count(world);
    const int species = dunlin_world_species_count(world);
    allocations_fail(number, onwards);
    const dunlin_result result = d->act(world, &refusal);
    allocations_ignore();
    const bool failed = allocations_failed() > 0;
    if (failed && result != DUNLIN_OK) {
        if (result != DUNLIN_ERROR_MEMORY || refusal.code != DUNLIN_ERROR_MEMORY || !strstr(refusal.message, "no memory for"))
            fail_msg("%s, allocation %d: '%s'", d->name, (int)number, refusal.message);
        assert_true(dunlin_world_state_hash(world) == hash && dunlin_world_agent_count(world) == agents);
        assert_int_equal(dunlin_world_species_count(world), species);
        ACCEPT(d->act(world, &refusal));
    }
    /* If the call worked without the memory, or was repeated, the result is the usual one. */
    world_run(world, 1);
    const outcome made = outcome_of(world);
    if (made.hash != usual.hash) fail_msg("%s, allocation %d: another state", d->name, (int)number);
    if (made.bytes > usual.bytes && !may_keep_more(d))
        fail_msg("%s, allocation %d: the world has %zu bytes, not %zu", d->name, (int)number, made.bytes, usual.bytes);
    world_destroy(world);
    if (allocations_held() != held) fail_msg("%s, allocation %d: memory is never freed", d->name, (int)number);
    return failed;
}

static void write_state(void) {
    dunlin_world *world = grown("grid");
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    world_destroy(world);
}

TEST(memory_runs_out_at_every_place) {
    write_state();
    for (int i = 0; i < INDEXES; i++) {
        for (int n = 0; n < DEEDS; n++) {
            if (!TEST_NIGHTLY && i > 0 && n % (INDEXES - 1) != i - 1) continue; /* each with a grid and with one other index */
            const outcome usual = outcome_when_all_is_well(&deeds[n], indexes[i]);
            int count = 0;
            while (fail_at(&deeds[n], indexes[i], (uint64_t)count, false, usual)) count++;
            for (int p = 0; p < count; p++) assert_true(fail_at(&deeds[n], indexes[i], (uint64_t)p, true, usual));
            if (i == 0) print_message("%-28s %d allocations failed, one by one and all from there on\n", deeds[n].name, count);
            if (i == 0) assert_true(count >= deeds[n].least);
        }
    }
    remove(state_path);
}

/* ---- whole worlds ------------------------------------------------------------------------------------------------------ */

static dunlin_world *empty_world(const golden_world *s, const char *index) {
    return golden_make(s, world_def_with((world_parts){.index = index, .threads = 2}));
}

/* A world's whole life, up to a restart. Returns its hash in the end. */
static uint64_t live_through(const golden_world *s, const char *index) {
    dunlin_metrics metrics;
    dunlin_world *world = empty_world(s, index), *loaded = empty_world(s, index);
    golden_populate(s, world);
    world_run(world, 2);
    if (s->grow) s->grow(world);
    world_run(world, 1);
    ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    ACCEPT(dunlin_world_load(loaded, state_path, &refusal));
    assert_int_equal(dunlin_world_find_agent(loaded, dunlin_world_view(world, 0).id[0]).species, 0);
    world_run(loaded, 1);
    const uint64_t hash = dunlin_world_state_hash(loaded);
    world_destroy(world);
    world_destroy(loaded);
    return hash;
}

/*
 * The same, but allocation `number` fails, or with `onwards` all allocations until a call gives up. Then there is memory
 * again, and that call is repeated. false: there are fewer allocations.
 */
static bool survives(const golden_world *s, const char *index, uint64_t number, bool onwards, uint64_t want) {
    allocations_fail(number, onwards);
    give_memory_back = allocations_ignore;
    const uint64_t hash = live_through(s, index);
    give_memory_back = NULL;
    allocations_ignore();
    if (hash != want) fail_msg("%s, %s, allocation %d: another state", s->name, index, (int)number);
    return allocations_failed() > 0;
}

/*
 * With a grid each allocation fails, alone and onwards. With the other indexes every third one does, since the deeds above
 * cover them all. Where not all combinations are tried, it is every fifth one with a grid, and in slow builds every 29th.
 */
TEST(scenes_survive_that_memory_runs_out) {
    for (int n = 0; n < GOLDEN_WORLDS; n++) {
        if (golden_worlds[n].no_brute || (golden_worlds[n].rich && !TEST_NIGHTLY))
            continue; /* too long for hundreds of times */
        for (int i = 0; i < (TEST_NIGHTLY ? INDEXES : 1); i++) {
            const uint64_t want = live_through(&golden_worlds[n], indexes[i]);
            const uint64_t stride = TEST_EFFORT(29, 5, i == 0 ? 1 : 3);
            uint64_t count = 0;
            while (survives(&golden_worlds[n], indexes[i], count, false, want)) count += stride;
            for (uint64_t p = 0; p < count && i == 0; p += stride)
                assert_true(survives(&golden_worlds[n], indexes[i], p, true, want));
            if (i == 0) print_message("%-28s %d allocations failed\n", golden_worlds[n].name, (int)count);
            assert_true(count >= 50);
        }
    }
    remove(state_path);
}

TEST(creating_a_world_without_memory) {
    dunlin_world *world = NULL;
    uint64_t number = 0;
    const size_t held = allocations_held();
    for (;; number++) {
        allocations_fail(number, false);
        const dunlin_world_def def = dunlin_world_def_default();
        const dunlin_result result = dunlin_world_create(&def, &world, &refusal);
        allocations_ignore();
        if (result == DUNLIN_OK) break;
        assert_int_equal(result, DUNLIN_ERROR_MEMORY);
        assert_null(world);
        assert_int_equal(allocations_held(), held);
    }
    assert_true(number >= 2);
    world_destroy(world);
}

/* Without a table the answer is searched for. */
TEST(agents_are_found_without_memory) {
    dunlin_world *world = running("grid");
    allocations_fail(0, true);
    const dunlin_slot slot = dunlin_world_find_agent(world, 77), nobody = dunlin_world_find_agent(world, 7777);
    allocations_ignore();
    assert_true(allocations_failed() > 0);
    assert_int_equal(slot.species, 0);
    assert_int_equal(dunlin_world_view(world, 0).id[slot.index], 77);
    assert_int_equal(nobody.species, -1);
    assert_int_equal(dunlin_world_find_agent(world, 77).index, slot.index);
}
