/* SPDX-License-Identifier: MIT */
/*
 * Agents die and are born, between frames and by callbacks: which agents are there afterwards, in which order, and with which
 * ids.
 */
#include "tests/lib/support.h"
#include "tests/lib/worlds.h"

static const float nowhere[3] = {0};

/* Species that are not observed, so that agents keep the order of their births. Names a, b, …; all at rest. */
static dunlin_world *still_world(const dunlin_world_def *def, int species) {
    static const char *const names[] = {"a", "b", "c"};
    dunlin_world *world = world_create(def);
    for (int s = 0; s < species; s++) {
        world_add_named(world, names[s]);
    }
    return world;
}

static dunlin_world *default_world(int species) {
    const dunlin_world_def def = dunlin_world_def_default();
    return still_world(&def, species);
}

static void rest(dunlin_world *world, int species, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) world_spawn(world, species, (const float[3]){(float)(i % 100), 1, 1}, nowhere);
}

static void assert_ids(const dunlin_world *world, int species, uint32_t count, const uint32_t ids[]) {
    const dunlin_view view = dunlin_world_view(world, species);
    assert_int_equal(view.count, count);
    test_same_bits(view.id, ids, count, "ids");
}
#define IDS(world, species, ...)                                                                                               \
    assert_ids((world), (species), sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

static void assert_same_arrays(const dunlin_world *got, const dunlin_world *want) {
    assert_true(dunlin_world_state_hash(got) == dunlin_world_state_hash(want));
    for (int s = 0; s < dunlin_world_species_count(want); s++) {
        const dunlin_view a = dunlin_world_view(got, s), b = dunlin_world_view(want, s);
        assert_int_equal(a.count, b.count);
        test_same_bits(a.id, b.id, a.count, "ids");
        for (int axis = 0; axis < dunlin_world_get_def(want).dimensions; axis++) {
            test_same_bits(a.position[axis], b.position[axis], a.count, "positions");
            test_same_bits(a.velocity[axis], b.velocity[axis], a.count, "velocities");
        }
    }
}

/* ---- between frames --------------------------------------------------------------------------------------------------- */

TEST(survivors_stay_in_their_order) {
    dunlin_world *world = default_world(2);
    rest(world, 0, 6);
    rest(world, 1, 4);
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){8, 0, 3, 5, 2}, 5, &refusal));
    IDS(world, 0, 1, 4);
    IDS(world, 1, 6, 7, 9);
    assert_true(dunlin_world_view(world, 0).position[0][1] == 4 && dunlin_world_view(world, 1).position[0][2] == 3);
    assert_int_equal(dunlin_world_find_agent(world, 3).species, -1);
    assert_int_equal(dunlin_world_find_agent(world, 9).index, 2);
    assert_int_equal(dunlin_world_agent_count(world), 5);
    world_run(world, 1);
    assert_int_equal(dunlin_world_stats(world).agents, 5);
    assert_int_equal(dunlin_world_stats(world).deaths, 0); /* not of the step */
}

TEST(unknown_and_repeated_ids_are_errors) {
    dunlin_world *world = default_world(2);
    rest(world, 0, 3);
    rest(world, 1, 3);
    const uint64_t hash = dunlin_world_state_hash(world);
    REFUSE(dunlin_world_despawn(world, (const uint32_t[]){1, 4, 6}, 3, &refusal), DUNLIN_ERROR_VALUE, "ids[2] is 6", "no such");
    REFUSE(dunlin_world_despawn(world, (const uint32_t[]){1, 4, 1}, 3, &refusal), DUNLIN_ERROR_VALUE, "ids[2] is 1", "twice");
    assert_int_equal(dunlin_world_despawn(world, NULL, 1, NULL), DUNLIN_ERROR_VALUE);
    ACCEPT(dunlin_world_despawn(world, NULL, 0, &refusal));
    assert_true(dunlin_world_state_hash(world) == hash);
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){4, 1}, 2, &refusal)); /* no flag is left over */
    IDS(world, 0, 0, 2);
    IDS(world, 1, 3, 5);
    REFUSE(dunlin_world_despawn(world, (const uint32_t[]){4}, 1, &refusal), DUNLIN_ERROR_VALUE, "ids[0] is 4", "no such");
}

TEST(an_id_is_never_given_again) {
    dunlin_world *world = default_world(1);
    rest(world, 0, 3);
    uint32_t id = 10;
    const dunlin_batch one = {
        .cookie = WORLD_COOKIE, .count = 1, .position = {nowhere, nowhere}, .velocity = {nowhere, nowhere}, .ids = &id};
    ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    id = 7; /* no agent has died yet */
    ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){10, 1}, 2, &refusal));
    for (id = 1; id <= 10; id += 3) /* 1 and 10 have died, 4 never existed, 7 is alive */
        REFUSE(dunlin_world_spawn(world, 0, &one, NULL, &refusal), DUNLIN_ERROR_VALUE, "id ", id == 7 ? "already" : "died");
    assert_int_equal(world_spawn(world, 0, nowhere, nowhere), 11);
    id = 20;
    ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    id = 15; /* since the last death */
    ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    IDS(world, 0, 0, 2, 7, 11, 20, 15);
}

/* A species that seeks an agent, and one that follows a path through it, run on as if they were alone. */
TEST(dead_targets_are_ignored) {
    dunlin_world *world = default_world(3);
    static const float at[3] = {50, 50, 0}, east[3] = {0.5f, 0, 0};
    const uint32_t target = world_spawn(world, 2, (const float[3]){60, 70, 0}, nowhere),
                   other = world_spawn(world, 2, at, nowhere);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target = (dunlin_target){.kind = DUNLIN_TARGET_AGENT, .agent = target};
    world_add_behaviour(world, &seek);
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = 2;
    path.agents = (const uint32_t[]){other, target};
    dunlin_behaviour_def follow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    follow.species = 1;
    follow.follow.radius = 0;
    ACCEPT(dunlin_world_add_path(world, &path, &follow.follow.path, &refusal));
    world_add_behaviour(world, &follow);
    for (int s = 0; s < 2; s++) world_spawn(world, s, (const float[3]){20, 30, 0}, east);
    world_run(world, 1);
    float turned[2];
    for (int s = 0; s < 2; s++) {
        turned[s] = dunlin_world_view(world, s).velocity[1][0];
        assert_true(turned[s] > 0);
    }
    ACCEPT(dunlin_world_despawn(world, &target, 1, &refusal));
    world_run(world, 3);
    for (int s = 0; s < 2; s++) assert_true(dunlin_world_view(world, s).velocity[1][0] == turned[s]);
}

/* Enough agents for threads to share the columns. All values of an agent stay together. */
TEST_EACH(many_deaths_on_many_threads, threads, 1, 9) {
    enum { AGENTS = 40000 };
    static float x[AGENTS], y[AGENTS], z[AGENTS];
    static uint32_t ids[AGENTS];
    uint32_t dead = 0;
    for (uint32_t i = 0; i < AGENTS; i++) {
        x[i] = (float)i / AGENTS;
        y[i] = (float)(i % 97);
        z[i] = (float)(i % 31);
        if (i % 3 == 0 || i / 1000 % 7 == 2) ids[dead++] = i;
    }
    const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = AGENTS, .position = {x, y, z}, .velocity = {z, x, y}};
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = 3, .threads = threads});
    dunlin_world *world = still_world(&def, 1);
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    ACCEPT(dunlin_world_despawn(world, ids, dead, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_int_equal(view.count, AGENTS - dead);
    for (uint32_t i = 0; i < view.count; i++) {
        const uint32_t id = view.id[i];
        assert_true((i == 0 || id > view.id[i - 1]) && id % 3 != 0 && id / 1000 % 7 != 2);
        for (int a = 0; a < 3; a++)
            assert_true(view.position[a][i] == batch.position[a][id] && view.velocity[a][i] == batch.velocity[a][id]);
    }
}

/* ---- one callback ----------------------------------------------------------------------------------------------------- */

static void everyone_dies(void *user, const dunlin_tile *tile) {
    (void)user;
    memset(tile->dies, 1, tile->count);
}

TEST_EACH(all_agents_may_die, v, 0, world_variant_count()) {
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_of(&def, 5, 1300);
    world_call_back(world, 0, everyone_dies, NULL);
    world_run(world, 1);
    assert_int_equal(dunlin_world_agent_count(world), 0);
    const dunlin_stats stats = dunlin_world_stats(world);
    assert_true(stats.agents == 1300 && stats.deaths == 1300 && stats.births == 0);
    world_run(world, 2);
    assert_true(dunlin_world_stats(world).agents == 0 && dunlin_world_stats(world).deaths == 0);
    assert_int_equal(world_spawn(world, 0, nowhere, nowhere), 1300);
    world_run(world, 1);
    assert_int_equal(dunlin_world_agent_count(world), 0);
}

static const float cradle[3] = {12, 34, 56}, crawl[3] = {7, -8, 9}; /* faster than the maximum speed of their species */

static void divide(void *user, const dunlin_tile *tile) {
    const int species = *(const int *)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        tile->force[0][i] += 0.01f;
        tile->dies[i] = tile->id[i] % 2 == 0;
        if (tile->id[i] < 4) dunlin_tile_spawn(tile, i, species, cradle, crawl, NULL, NULL);
    }
}

/* An agent that dies has children like any other. Children do not move in the step of their birth. */
TEST_EACH(children_are_born_where_the_callback_puts_them, dimensions, 2, 4) {
    for (int species = 0; species < 2; species++) {
        const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
        dunlin_world *world = still_world(&def, 2);
        world_call_back(world, 0, divide, &species);
        rest(world, 0, 6);
        rest(world, 1, 1);
        world_run(world, 1);
        if (species == 0)
            IDS(world, 0, 1, 3, 5, 7, 8, 9, 10);
        else
            IDS(world, 0, 1, 3, 5);
        if (species == 0)
            IDS(world, 1, 6);
        else
            IDS(world, 1, 6, 7, 8, 9, 10);
        const dunlin_view view = dunlin_world_view(world, species);
        for (uint32_t i = view.count - 4; i < view.count; i++)
            for (int a = 0; a < dimensions; a++)
                assert_true(view.position[a][i] == cradle[a] && view.velocity[a][i] == crawl[a]);
        assert_true(dunlin_world_view(world, 0).velocity[0][0] > 0); /* the survivors have moved */
        const dunlin_stats stats = dunlin_world_stats(world);
        assert_true(stats.agents == 7 && stats.births == 4 && stats.deaths == 3);
        world_destroy(world);
    }
}

/* Survivors keep their values, as a callback has rewritten them; newborn agents draw their own. */
static void rewrite(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        if (tile->next_attribute[0]) tile->next_attribute[0][i] = (float)tile->id[i];
        tile->dies[i] = tile->id[i] % 2 == 0;
        if (tile->id[i] == 3) dunlin_tile_spawn(tile, i, 0, cradle, crawl, NULL, NULL);
    }
}

TEST(attributes_stay_with_their_agents) {
    dunlin_world *world = default_world(1);
    world_add_value(world, 0, "age", DUNLIN_ROLE_VALUE, 0.5f);
    world_add_drawn(world, 0, "mass", DUNLIN_ROLE_MASS, 1, 2);
    rest(world, 0, 8);
    float masses[8];
    memcpy(masses, dunlin_world_view(world, 0).attribute[1], sizeof masses);
    world_call_back(world, 0, rewrite, NULL);
    world_run(world, 1);
    IDS(world, 0, 1, 3, 5, 7, 8);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(view.attribute[0][i] == (float)view.id[i] && view.attribute[1][i] == masses[view.id[i]]);
    assert_true(view.attribute[0][4] == 0.5f && view.attribute[1][4] >= 1 && view.attribute[1][4] <= 2);
}

/* One call for each mistake that the engine refuses. No agent is born, and the step is otherwise normal. */
static void refuse_children(void *user, const dunlin_tile *tile) {
    const float nan_x[3] = {NAN, 1, 1}, outside[3] = {1, 100.5f, 1}, fast[3] = {0, 3e9f, 0}, endless[3] = {0, -INFINITY, 0};
    dunlin_error *error = user;
    int at = 0;
    dunlin_tile_spawn(tile, 0, 0, nan_x, nowhere, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, 0, outside, nowhere, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, 0, nowhere, nan_x, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, 0, nowhere, fast, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, 0, nowhere, endless, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, 1, nowhere, nowhere, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, -1, nowhere, nowhere, NULL, &error[at++]);
    dunlin_tile_spawn(tile, tile->count, 0, nowhere, nowhere, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, 0, NULL, nowhere, NULL, &error[at++]);
    dunlin_tile_spawn(tile, 0, 0, nowhere, NULL, NULL, &error[at++]);
    assert_int_equal(dunlin_tile_spawn(tile, 0, 0, nan_x, nowhere, NULL, NULL), DUNLIN_ERROR_VALUE);
}

TEST(invalid_children_are_not_born) {
    static const char *const says[] = {"position x is",      "position y is 100.5", "velocity x is", "velocity y is 3e+09",
                                       "velocity y is -inf", "species is 1",        "species is -1", "parent is 5",
                                       "position is NULL",   "velocity is NULL"};
    enum { SAYS = sizeof says / sizeof *says };
    static dunlin_error error[SAYS];
    dunlin_world *world = default_world(1);
    world_call_back(world, 0, refuse_children, error);
    rest(world, 0, 5);
    world_run(world, 1);
    for (int i = 0; i < SAYS; i++) {
        assert_int_equal(error[i].code, DUNLIN_ERROR_VALUE);
        if (!strstr(error[i].message, says[i])) fail_msg("'%s' does not say '%s'", error[i].message, says[i]);
    }
    IDS(world, 0, 0, 1, 2, 3, 4);
    assert_int_equal(dunlin_world_stats(world).births, 0);
}

/* ---- several callbacks ------------------------------------------------------------------------------------------------ */

static void condemn(void *user, const dunlin_tile *tile) {
    bool *clear = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        *clear = *clear && tile->dies[i] == 0;
        tile->dies[i] = 1;
    }
}

static void pardon(void *user, const dunlin_tile *tile) {
    bool *condemned = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        *condemned = *condemned && tile->dies[i] == 1;
        tile->dies[i] = tile->id[i] % 100 == tile->step;
    }
}

TEST(several_callbacks_may_kill_one_agent) {
    const dunlin_world_def def = world_def_with((world_parts){.threads = 1});
    dunlin_world *world = still_world(&def, 1);
    bool clear = true, condemned = true;
    world_call_back(world, 0, condemn, &clear);
    world_call_back(world, 0, pardon, &condemned);
    rest(world, 0, 1500);
    for (uint64_t step = 0; step < 3; step++) {
        world_run(world, 1);
        assert_int_equal(dunlin_world_stats(world).deaths, 15);
        assert_true(clear && condemned);
    }
}

/* The flags of a species must exist before its first callback. */
TEST(a_behaviour_may_become_a_callback) {
    dunlin_world *world = default_world(1);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
    world_add_behaviour(world, &def);
    rest(world, 0, 3000);
    world_run(world, 1);
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    def.custom = everyone_dies;
    ACCEPT(dunlin_world_set_behaviour(world, 0, &def, &refusal));
    world_run(world, 1);
    assert_int_equal(dunlin_world_agent_count(world), 0);
}

/* ---- a model of who lies where ---------------------------------------------------------------------------------------- */

enum { MODEL_ROOM = 20000 };

typedef struct model {
    uint32_t next_id;
    uint32_t count[2], id[2][MODEL_ROOM];
} model;

static uint64_t fate_of(uint32_t id, uint64_t step) {
    test_random random = {.state = ((uint64_t)id << 32) + step};
    return test_bits(&random);
}

static bool fate_dies(uint64_t fate) {
    return fate % 29 == 0;
}

/* How many children, and of which species, callback number `call` of a species asks for. */
static uint32_t fate_bears(uint64_t fate, int call, int *species) {
    *species = (int)(fate >> 40 & 1);
    if (call == 0) return fate % 61 == 1 ? 2 : 0;
    return fate % 500 == 2 ? 1 : 0;
}

static void bear(const dunlin_tile *tile, uint32_t i, int call) {
    const float at[3] = {tile->position[0][i], tile->position[1][i], tile->position[2] ? tile->position[2][i] : 0};
    const float toward[3] = {0.25f, (float)call, 0.5f};
    int species;
    const uint32_t children = fate_bears(fate_of(tile->id[i], tile->step), call, &species);
    for (uint32_t c = 0; c < children; c++) dunlin_tile_spawn(tile, i, species, at, toward, NULL, NULL);
}

/* In descending order: children come in the order of their parents, not of the calls. */
static void first_call(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = tile->count; i-- > 0;) bear(tile, i, 0);
}

static void second_call(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        tile->dies[i] = fate_dies(fate_of(tile->id[i], tile->step));
        bear(tile, i, 1);
    }
}

static void model_bear(model *m, model *born, int parents, uint32_t slot, uint64_t step) {
    for (int call = 0; call < 2; call++) {
        int species;
        const uint32_t children = fate_bears(fate_of(m->id[parents][slot], step), call, &species);
        for (uint32_t c = 0; c < children; c++) born->id[species][born->count[species]++] = born->next_id++;
    }
}

static void model_step(model *m, uint64_t step) {
    static model born;
    born.next_id = m->next_id;
    born.count[0] = born.count[1] = 0;
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < m->count[s]; i++) model_bear(m, &born, s, i, step);
    for (int s = 0; s < 2; s++) {
        uint32_t left = 0;
        for (uint32_t i = 0; i < m->count[s]; i++)
            if (!fate_dies(fate_of(m->id[s][i], step))) m->id[s][left++] = m->id[s][i];
        for (uint32_t b = 0; b < born.count[s]; b++) m->id[s][left++] = born.id[s][b];
        m->count[s] = left;
        assert_true(left < MODEL_ROOM / 2);
    }
    m->next_id = born.next_id;
}

static void add_callbacks(dunlin_world *world) {
    for (int s = 0; s < 2; s++) {
        world_call_back(world, s, first_call, NULL);
        world_call_back(world, s, second_call, NULL);
    }
}

/* Also checks that no id is ever given twice: the model's ids only ascend. */
TEST(a_thousand_steps_of_births_and_deaths_equal_a_model) {
    static model m;
    m = (model){.next_id = 2400, .count = {1500, 900}};
    const dunlin_world_def def = world_def_with((world_parts){.threads = 3});
    dunlin_world *world = still_world(&def, 2);
    add_callbacks(world);
    for (int s = 0; s < 2; s++) {
        rest(world, s, m.count[s]);
        memcpy(m.id[s], dunlin_world_view(world, s).id, m.count[s] * sizeof *m.id[s]);
    }
    uint64_t births = 0, deaths = 0;
    for (uint64_t step = 0; step < 1000; step++) {
        world_run(world, 1);
        model_step(&m, step);
        for (int s = 0; s < 2; s++) assert_ids(world, s, m.count[s], m.id[s]);
        births += dunlin_world_stats(world).births;
        deaths += dunlin_world_stats(world).deaths;
    }
    assert_true(births > 10000 && births == m.next_id - 2400);
    assert_int_equal(dunlin_world_agent_count(world), 2400 + births - deaths);
}

/* ---- one state -------------------------------------------------------------------------------------------------------- */

/* Two flocks that observe each other, with births and deaths. */
static dunlin_world *flocks(const dunlin_world_def *def, float radius) {
    dunlin_world *world = still_world(def, 2);
    for (int s = 0; s < 2; s++) {
        world_add_flocking(world, s, s, radius);
    }
    dunlin_interaction_def chase = world_flocking_rules(radius);
    chase.observed = 1;
    world_add_interaction(world, &chase);
    add_callbacks(world);
    return world;
}

static dunlin_world *populated(const dunlin_world_def *def, float radius, uint32_t agents) {
    dunlin_world *world = flocks(def, radius);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    for (int s = 0; s < 2; s++) {
        scatter.count = s == 0 ? agents : agents / 3;
        ACCEPT(dunlin_world_scatter(world, s, &scatter, &refusal));
    }
    return world;
}

static dunlin_world_def varied(int dimensions, world_variant variant, int threads) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    def.dimensions = dimensions;
    def.threads = threads;
    return def;
}

static dunlin_world *lived(world_variant variant, int dimensions, int threads, uint32_t agents) {
    const dunlin_world_def def = varied(dimensions, variant, threads);
    dunlin_world *world = populated(&def, dimensions == 2 ? 3.0f : 8.0f, agents);
    world_run(world, 6);
    const dunlin_stats stats = dunlin_world_stats(world);
    assert_true(stats.births > agents / 100 && stats.deaths > agents / 100);
    return world;
}

/*
 * Enough agents for threads to share the columns, and to take tiles from each other. Births and deaths do not depend on the
 * index: in a slow build one is enough.
 */
TEST_EACH(births_and_deaths_of_many_do_not_depend_on_threads, i, 0, (TEST_SLOW ? 1 : 2)) {
    static const char *const indexes[] = {"grid", "tree"};
    static const int threads[] = TEST_THREADS(2, 5, 8);
    const uint32_t agents = TEST_SLOW ? 20000 : 50000;
    const world_variant variant = {"auto", indexes[i]};
    dunlin_world *want = lived(variant, 2, 1, agents);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        dunlin_world *got = lived(variant, 2, threads[t], agents);
        assert_same_arrays(got, want);
        world_destroy(got);
    }
}

/* ---- steps that fail -------------------------------------------------------------------------------------------------- */

static void bear_two(void *user, const dunlin_tile *tile) {
    (void)user;
    if (tile->step < 3) return;
    for (int c = 0; c < 2; c++) dunlin_tile_spawn(tile, 0, 0, cradle, nowhere, NULL, NULL);
}

/* The world is as it was, except that the boundary may have been applied, and it continues once the callback is replaced. */
TEST_EACH(without_ids_left_the_step_fails, v, 0, 2 * world_variant_count()) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v / 2));
    def.boundary_first = v % 2;
    if (def.boundary_first) def.boundary = DUNLIN_BOUNDARY_REFLECT;
    dunlin_world *world = world_of(&def, 10, 300);
    const int behaviour = world_call_back(world, 0, bear_two, NULL);
    const uint32_t last = UINT32_MAX - 2; /* one is left */
    const dunlin_batch one = {
        .cookie = WORLD_COOKIE, .count = 1, .position = {nowhere, nowhere}, .velocity = {nowhere, nowhere}, .ids = &last};
    ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    world_run(world, 3);
    const uint64_t hash = dunlin_world_state_hash(world);
    for (int again = 0; again < 2; again++)
        REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "2 more agents", "1 ids are left");
    assert_true(def.boundary_first || dunlin_world_state_hash(world) == hash);
    assert_int_equal(dunlin_world_agent_count(world), 301);
    assert_int_equal(dunlin_world_stats(world).step, 3);
    const dunlin_slot slot = dunlin_world_find_agent(world, 123);
    assert_int_equal(dunlin_world_view(world, 0).id[slot.index], 123);
    const dunlin_behaviour_def calm = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
    ACCEPT(dunlin_world_set_behaviour(world, behaviour, &calm, &refusal));
    world_run(world, 1);
    dunlin_world *same = world_of(&def, 10, 300);
    ACCEPT(dunlin_world_spawn(same, 0, &one, NULL, &refusal));
    world_run(same, 4);
    assert_same_arrays(world, same);
}
