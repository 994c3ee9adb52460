/* SPDX-License-Identifier: MIT */
/* Steady frames allocate nothing. A world holds as many bytes as it reports, and gives all of them back in the end. */
#include "engine/world/world.h"
#include "tests/lib/allocations.h"
#include "tests/lib/worlds.h"
#include "engine/world/memory.h"

enum { AGENTS = 700 };

/* Through points, and through the species' first agents. */
static void add_paths(dunlin_world *world) {
    enum { POINTS = 100 };
    static float x[POINTS];
    static uint32_t ids[POINTS];
    dunlin_path_def points = dunlin_path_def_default(world), agents = points;
    points.count = agents.count = POINTS;
    for (uint32_t i = 0; i < POINTS; i++) x[i] = (float)(ids[i] = i);
    for (int a = 0; a < 3; a++) points.points[a] = x;
    agents.agents = ids;
    dunlin_behaviour_def follow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    follow.follow.path = world_add_path(world, &points);
    world_add_behaviour(world, &follow);
    follow.follow.path = world_add_path(world, &agents);
    world_add_behaviour(world, &follow);
}

/* A field that is filled again in every step, and a species that follows it. */
static void add_flow(dunlin_world *world, int species) {
    dunlin_field_def def = dunlin_field_def_default(world);
    dunlin_behaviour_def flow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    dunlin_field_source noise = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    for (int axis = 0; axis < 3; axis++) def.cells[axis] = 6;
    flow.flow.field = world_add_field(world, &def);
    noise.noise.rate = 0.25f;
    ACCEPT(dunlin_world_fill_field(world, flow.flow.field, &noise, &refusal));
    flow.species = species;
    world_add_behaviour(world, &flow);
}

/* Enough for a few levels of boxes; the hawks cannot pass them. */
static void add_obstacles(dunlin_world *world) {
    enum { OBSTACLES = 300 };
    dunlin_obstacle_def obstacles[OBSTACLES];
    for (int i = 0; i < OBSTACLES; i++)
        obstacles[i] = (dunlin_obstacle_def){
            .shape = DUNLIN_OBSTACLE_BALL, .a = {(float)(i % 20) * 5, (float)(i / 20) * 5, 50}, .radius = 1};
    dunlin_behaviour_def avoid = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_AVOID);
    world_obstruct(world, obstacles, OBSTACLES);
    world_add_behaviour(world, &avoid);
}

/* Each agent dies and has a child at its place. */
static void be_reborn(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        float at[3] = {0}, velocity[3] = {0};
        for (int a = 0; a < 3 && tile->position[a]; a++) {
            at[a] = tile->position[a][i];
            velocity[a] = tile->velocity[a][i];
        }
        tile->dies[i] = 1;
        dunlin_tile_spawn(tile, i, tile->species, at, velocity, NULL, NULL);
    }
}

static void add_rebirth(dunlin_world *world, int species) {
    world_call_back(world, species, be_reborn, NULL);
}

/* The hawks pursue the nearest agent and keep their view clear. The others flee from the mean position of the hawks. */
static void add_looks(dunlin_world *world, int hawks) {
    dunlin_behaviour_def look = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PURSUE);
    look.species = hawks;
    look.target.kind = DUNLIN_TARGET_NEAREST;
    look.radius = 40;
    world_add_behaviour(world, &look);
    look.kind = DUNLIN_BEHAVIOUR_SIDESTEP;
    world_add_behaviour(world, &look);
    look = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLEE);
    look.target.kind = DUNLIN_TARGET_CENTRE;
    look.target.species = hawks;
    look.radius = 10;
    world_add_behaviour(world, &look);
}

/* Two species that observe each other, in a world of many kinds. The agents of one are replaced in every step. */
static dunlin_world *busy_world(const dunlin_world_def *def) {
    dunlin_world *world = world_of(def, 6, AGENTS);
    dunlin_species_def hawks = dunlin_species_def_default();
    hawks.name = "hawks";
    hawks.obstacles_block = true;
    dunlin_interaction_def chase = world_interaction(world_add_species(world, &hawks), 0);
    chase.rules[DUNLIN_RULE_COHESION].radius = 15;
    world_add_interaction(world, &chase);
    world_scatter(world, chase.observer, 20);
    add_paths(world);
    add_flow(world, chase.observer);
    add_rebirth(world, chase.observer);
    add_obstacles(world);
    add_looks(world, chase.observer);
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.eater = chase.observer;
    meal.food = 0;
    meal.radius = 1e-6f; /* eaters look for food, and find none: the number of agents stays */
    world_add_meal(world, &meal);
    return world;
}

/*
 * In builds in which steps take ten times as long every fifth kind is enough: it covers all dimensions, boundaries and numbers
 * of threads.
 */
enum { ON = TEST_SLOW ? 5 : 1, KINDS = (48 + ON - 1) / ON };

static dunlin_world_def kind(int k) {
    const int number = k * ON;
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + number % 2,
                                                        .index = world_indexes[number / 2 % WORLD_INDEXES],
                                                        .threads = number / 6 % 2 ? 3 : 1,
                                                        .boundary = (dunlin_boundary)(number / 12 % 4)});
    def.boundary_first = def.boundary == DUNLIN_BOUNDARY_REFLECT;
    return def;
}

/* ---- the counter itself ------------------------------------------------------------------------------------------------ */

TEST(the_counter_counts) {
    const dunlin_world_def def = dunlin_world_def_default();
    allocations_watch();
    dunlin_world *world = busy_world(&def);
    const uint64_t created = allocations_asked();
    world_run(world, 1);
    assert_true(created >= 20 && allocations_asked() > created);
    assert_int_equal(allocations_failed(), 0);
    const uint64_t freed = allocations_freed();
    world_destroy(world);
    assert_true(allocations_freed() >= freed + 20);
    allocations_ignore();
}

/* ---- what is there for a time -------------------------------------------------------------------------------------------- */

/* Adds one of each that owns memory, replaces what it owns, and removes all. */
static void come_and_go(dunlin_world *world) {
    static const float x[40];
    const int species = world_add_named(world, "guests");
    dunlin_attribute_def weight = world_attribute(species, "weight", DUNLIN_ROLE_VALUE);
    dunlin_field_def grid = dunlin_field_def_default(world);
    dunlin_path_def line = dunlin_path_def_default(world);
    dunlin_trace_def scent = dunlin_trace_def_default();
    const dunlin_obstacle_def ball = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    line.count = 20;
    for (int a = 0; a < 3; a++) line.points[a] = x;
    const int attribute = world_add_attribute(world, &weight), path = world_add_path(world, &line);
    const int field = world_add_field(world, &grid);
    scent.field = field;
    const int trace = world_add_trace(world, &scent), obstacle = world_add_obstacle(world, &ball);
    world_scatter(world, species, 50);
    world_run(world, 1);
    grid.cells[0] = 7;
    line.count = 40;
    ACCEPT(dunlin_world_set_field(world, field, &grid, &refusal));
    ACCEPT(dunlin_world_set_path(world, path, &line, &refusal));
    ACCEPT(dunlin_world_remove_trace(world, trace, &refusal));
    ACCEPT(dunlin_world_remove_field(world, field, &refusal));
    ACCEPT(dunlin_world_remove_path(world, path, &refusal));
    ACCEPT(dunlin_world_remove_obstacle(world, obstacle, &refusal));
    ACCEPT(dunlin_world_remove_attribute(world, species, attribute, &refusal));
    ACCEPT(dunlin_world_remove_species(world, species, &refusal));
    world_run(world, 1);
}

/* At its end a world frees all that it has, so nothing but its size shows what is never freed before. */
TEST(what_comes_and_goes_leaves_no_memory) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of(&def, 5.0f, AGENTS);
    for (int i = 0; i < 2; i++) come_and_go(world); /* lists keep their room */
    const size_t bytes = dunlin_world_bytes(world);
    for (int i = 0; i < 3; i++) come_and_go(world);
    assert_int_equal(dunlin_world_bytes(world), bytes);
    world_destroy(world);
}

/* ---- frames ------------------------------------------------------------------------------------------------------------ */

static void assert_quiet(const char *when, const dunlin_world_def *def) {
    allocations_ignore();
    if (allocations_asked() == 0 && allocations_freed() == 0) return;
    fail_msg("%s: %u allocations, %u frees (%dD, %s, %d threads, boundary %d)", when, (unsigned)allocations_asked(),
             (unsigned)allocations_freed(), def->dimensions, def->index, def->threads, (int)def->boundary);
}

TEST_EACH(steady_frames_allocate_nothing, number, 0, KINDS) {
    const dunlin_world_def def = kind(number);
    dunlin_world *world = busy_world(&def);
    world_run(world, 1);
    allocations_watch();
    world_run(world, 6);
    assert_quiet("steps 2 to 7", &def);
}

/* Far more cells are occupied than before, and other runs are listed; there is room for all. */
TEST_EACH(frames_of_a_flock_that_spreads_allocate_nothing, number, 0, KINDS) {
    const dunlin_world_def def = kind(number);
    dunlin_world *world = world_without_agents(&def, 3);
    dunlin_scatter_def at_one_point = dunlin_scatter_def_default(world);
    at_one_point.count = 500;
    at_one_point.max_speed = 20;
    for (int a = 0; a < 3; a++) at_one_point.extent[a] = 0;
    ACCEPT(dunlin_world_scatter(world, 0, &at_one_point, &refusal));
    world_run(world, 1);
    allocations_watch();
    world_run(world, 40);
    assert_quiet("steps 2 to 41", &def);
}

/* Flocks that auto finds with the tree disperse, until the grid does better. */
TEST_EACH(frames_that_change_the_index_allocate_nothing, number, 0, 4) {
    const uint32_t agents = 2048;
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + number % 2, .threads = 1 + number});
    dunlin_world *world = world_far_apart(def, 3, agents);
    dunlin_species_def fast = dunlin_world_get_species(world, 0);
    fast.min_speed = fast.max_speed = 20;
    ACCEPT(dunlin_world_set_species(world, 0, &fast, &refusal));
    world_run(world, 1);
    assert_int_equal(dunlin_world_stats(world).cells, agents / 8); /* the tree's */
    allocations_watch();
    world_run(world, 40);
    assert_quiet("steps 2 to 41", &def);
    assert_true(dunlin_world_stats(world).cells > agents);
}

TEST(setting_a_path_allocates_nothing) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = busy_world(&def);
    static float x[100];
    world_run(world, 1);
    allocations_watch();
    ACCEPT(dunlin_world_move_path(world, 0, (const float *const[]){x, x, x}, &refusal));
    world_run(world, 1);
    assert_quiet("setting a path", &def);
}

/* A change to radii that need more cells, and to species that were not observed. The step after it may allocate. */
static void change(dunlin_world *world, int round) {
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = 0.9f - 0.1f * (float)round;
    dunlin_species_def species = dunlin_world_get_species(world, 1);
    species.max_speed = 2;
    dunlin_interaction_def rules = dunlin_world_get_interaction(world, 0);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) rules.rules[r].radius *= round % 2 ? 5 : 0.2f;
    rules.nearest = round;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    ACCEPT(dunlin_world_set_species(world, 1, &species, &refusal));
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    world_clear(world);
}

TEST_EACH(frames_are_steady_again_after_a_change, number, 0, KINDS) {
    const dunlin_world_def def = kind(number);
    dunlin_world *world = busy_world(&def);
    world_run(world, 1);
    for (int round = 0; round < 4; round++) {
        allocations_watch();
        change(world, round);
        allocations_ignore();
        assert_int_equal(allocations_asked(), 0);
        world_run(world, 1);
        allocations_watch();
        world_run(world, 5);
        assert_quiet("steps after a change", &def);
    }
}

TEST_EACH(spawning_into_reserved_room_allocates_nothing, number, 0, KINDS) {
    const float x[] = {1, 2, 3}, aside[] = {1.5f, 2.5f, 3.5f}, v[] = {0.1f, 0.2f, 0.3f};
    const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = 3, .position = {x, x, x}, .velocity = {v, v, v}};
    const dunlin_batch hawks = {
        .cookie = WORLD_COOKIE, .count = 3, .position = {aside, x, x}, .velocity = {v, v, v}}; /* eaters of the agents */
    const dunlin_world_def def = kind(number);
    dunlin_world *world = busy_world(&def);
    ACCEPT(dunlin_world_reserve(world, 0, AGENTS + 300, &refusal));
    ACCEPT(dunlin_world_reserve(world, 1, 200, &refusal));
    world_run(world, 1);
    allocations_watch();
    for (int i = 0; i < 20; i++) {
        for (int n = 0; n < 5; n++) ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
        ACCEPT(dunlin_world_spawn(world, 1, &hawks, NULL, &refusal));
        world_run(world, 1);
    }
    assert_quiet("spawning into reserved room", &def);
    assert_int_equal(dunlin_world_view(world, 0).count, AGENTS + 300);
}

/* It costs no more than the batch: nothing that depends on all agents is repeated. */
TEST(a_stream_of_small_batches_leaves_the_world_prepared) {
    const float x[] = {1, 2, 3}, v[] = {0.1f, 0.2f, 0.3f};
    const uint32_t ids[] = {5000, 5001, 5002};
    dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = 3, .position = {x, x, x}, .velocity = {v, v, v}};
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = busy_world(&def);
    ACCEPT(dunlin_world_reserve(world, 0, AGENTS + 300, &refusal));
    world_run(world, 1);
    dunlin_world_find_agent(world, 0);
    allocations_watch();
    for (int i = 0; i < 90; i++) {
        ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
        assert_true(world->prepared);
    }
    assert_quiet("small batches", &def);
    batch.ids = ids; /* in particular, no table is built: the batch's ids are sorted, and nothing else */
    world->ids.valid = false;
    allocations_watch();
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    allocations_ignore();
    assert_true(world->prepared && !world->ids.valid && allocations_asked() == 1 && allocations_freed() == 1);
}

/* The flags and the table are kept. */
TEST_EACH(despawning_again_allocates_nothing, number, 0, KINDS) {
    const dunlin_world_def def = kind(number);
    dunlin_world *world = busy_world(&def);
    world_run(world, 1);
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){5}, 1, &refusal));
    allocations_watch();
    for (uint32_t id = 10; id < 13; id++) {
        ACCEPT(dunlin_world_despawn(world, &id, 1, &refusal));
        world_run(world, 1);
    }
    assert_quiet("despawning", &def);
    assert_int_equal(dunlin_world_view(world, 0).count, AGENTS - 4);
}

TEST(reading_agents_allocates_nothing) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = busy_world(&def);
    world_run(world, 1);
    dunlin_world_find_agent(world, 0); /* allocates the table */
    allocations_watch();
    for (uint32_t i = 0; i < 10; i++) {
        world_run(world, 1);
        assert_int_equal(dunlin_world_find_agent(world, i).species, 0);
        dunlin_world_view(world, 0);
        dunlin_world_field_view(world, 0);
        dunlin_world_state_hash(world);
        dunlin_world_stats(world);
        dunlin_world_bytes(world);
    }
    assert_quiet("looking", &def);
}

/* A measurement frees all that it allocates. */
TEST(measuring_holds_nothing) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = busy_world(&def);
    dunlin_metrics metrics;
    ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
    const size_t held = allocations_held();
    for (int i = 0; i < 5; i++) ACCEPT(dunlin_world_measure(world, i % 2, &metrics, &refusal));
    assert_int_equal(allocations_held(), held);
}

/* All kinds of survey, of one species or of all. */
static void look_over(dunlin_survey *survey, dunlin_world *world, int species) {
    dunlin_components groups;
    dunlin_density density;
    dunlin_correlation correlation;
    dunlin_correlation_def def = dunlin_correlation_def_default(world);
    def.species = species;
    ACCEPT(dunlin_survey_components(survey, world, species, 3, &groups, &refusal));
    ACCEPT(dunlin_survey_density(survey, world, species, 7, &density, &refusal));
    ACCEPT(dunlin_survey_correlation(survey, world, &def, &correlation, &refusal));
}

TEST_EACH(surveys_of_a_steady_simulation_allocate_nothing, number, 0, KINDS) {
    const dunlin_world_def def = kind(number);
    dunlin_world *world = busy_world(&def);
    const size_t held = allocations_held();
    dunlin_survey *survey;
    ACCEPT(dunlin_survey_create(&survey, &refusal));
    world_run(world, 1);
    for (int species = DUNLIN_ALL_SPECIES; species < 2; species++) look_over(survey, world, species);
    const size_t said = dunlin_world_bytes(world);
    allocations_watch();
    for (int species = DUNLIN_ALL_SPECIES; species < 2; species++) look_over(survey, world, species);
    assert_quiet("surveys", &def);
    assert_true(dunlin_world_bytes(world) == said);
    dunlin_survey_destroy(survey);
    assert_true(allocations_held() < held + said);
}

/* Of all agents, with and without slots. */
static void ask(dunlin_world *world) {
    enum { QUESTIONS = 600 };
    static dunlin_ball balls[QUESTIONS];
    static uint32_t ids[QUESTIONS];
    static dunlin_slot slots[QUESTIONS];
    dunlin_found found = dunlin_found_default();
    found.room = QUESTIONS;
    found.ids = ids;
    for (int q = 0; q < QUESTIONS; q++) balls[q].radius = 3;
    for (int i = 0; i < 2; i++, found.slots = slots)
        ACCEPT(dunlin_world_find_in_balls(world, DUNLIN_ALL_SPECIES, balls, QUESTIONS, &found, &refusal));
}

TEST_EACH(questions_beside_a_steady_simulation_allocate_nothing, number, 0, KINDS) {
    const dunlin_world_def def = kind(number);
    dunlin_world *world = busy_world(&def);
    world_run(world, 1);
    ask(world);
    world_run(world, 1);
    allocations_watch();
    for (int i = 0; i < 5; i++) {
        ask(world);
        world_run(world, 1);
    }
    assert_quiet("questions", &def);
}

/* ---- where columns begin ------------------------------------------------------------------------------------------------ */

/*
 * Two columns that begin in the same line of a page would conflict, so the line depends on the column's number and buffer
 * (memory.c).
 */
TEST_EACH(columns_begin_in_lines_of_their_own, dimensions, 2, 4) {
    enum { PAGE = 4096, LINES = PAGE / DUN_CACHE_LINE };
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    dunlin_world *world = world_of(&def, 6, AGENTS);
    world_add_value(world, 0, "early", DUNLIN_ROLE_VALUE, 1); /* is allocated again with the others */
    ACCEPT(dunlin_world_reserve(world, 0, 100000, &refusal));
    world_add_value(world, 0, "late", DUNLIN_ROLE_VALUE, 1); /* on its own */
    world_run(world, 3);
    bool taken[LINES] = {false};
    for (int b = 0; b < 2; b++) {
        dun_word *columns[DUN_MAX_COLUMNS];
        const int count = dun_agents_columns(&world->species[0]->buffer[b], dimensions, 2, columns);
        assert_int_equal(count, 2 * dimensions + 3);
        for (int c = 0; c < count; c++) {
            const size_t line = (uintptr_t)columns[c] % PAGE / DUN_CACHE_LINE;
            assert_int_equal((uintptr_t)columns[c] % DUN_CACHE_LINE, 0);
            if (taken[line]) fail_msg("%dD: column %d of buffer %d begins in line %zu, too", dimensions, c, b, line);
            taken[line] = true;
        }
    }
}

/* ---- what a world holds ------------------------------------------------------------------------------------------------ */

static void compare_bytes(const dunlin_world *world, size_t before, const char *when) {
    const double says = (double)dunlin_world_bytes(world), holds = (double)(allocations_held() - before);
    if (says > holds || holds > says * 1.01 + 4096) fail_msg("%s the world says %g bytes and holds %g", when, says, holds);
}

static void let_regroup(dunlin_world *world) {
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.groups = 4;
    species.regroup = (dunlin_regroup){.every = 1, .radius = 1.0f, .min_agents = 1};
    ACCEPT(dunlin_world_set_species(world, 0, &species, &refusal));
    world_add_value(world, 0, "group", DUNLIN_ROLE_GROUP, 0.0f);
}

/* A list that grows is one block, and what malloc() gives beyond what it is asked for counts as held. */
enum { MALLOC_GIVES_MORE = 32 };

TEST_EACH(a_world_reports_what_it_holds, number, 0, KINDS) {
    const size_t before = allocations_held();
    const dunlin_world_def def = kind(number);
    dunlin_world *world = busy_world(&def);
    compare_bytes(world, before, "before a step");
    world_run(world, 3);
    compare_bytes(world, before, "after steps");
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){7}, 1, &refusal));
    compare_bytes(world, before, "after a death");
    dunlin_world_find_agent(world, 0);
    world_measure(world, 0);
    ACCEPT(dunlin_world_reserve(world, 1, 5000, &refusal));
    world_run(world, 1);
    let_regroup(world);
    world_run(world, 2);
    compare_bytes(world, before, "at last");
    const size_t kept = allocations_held(), said = dunlin_world_bytes(world);
    for (int i = 0; i < 40; i++) world_add_default(world, DUNLIN_BEHAVIOUR_DRAG);
    for (int i = dunlin_world_behaviour_count(world); i > 0; i--) ACCEPT(dunlin_world_remove_behaviour(world, i - 1, &refusal));
    const double more = (double)(allocations_held() - kept), said_more = (double)(dunlin_world_bytes(world) - said);
    assert_true(more > 16 * MALLOC_GIVES_MORE && fabs(more - said_more) <= MALLOC_GIVES_MORE);
    world_destroy(world);
    assert_int_equal(allocations_held(), before);
}
