/* SPDX-License-Identifier: MIT */
/* Agents: spawned in batches or scattered, seen without copies, found by id. */
#include <float.h>

#include "engine/world/world.h"
#include "tests/lib/worlds.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"

/* ---- batches ----------------------------------------------------------------------------------------------------------- */

enum { BATCH = 4 };

/* Four agents; tests change what they need. */
typedef struct nest {
    float column[6][BATCH];
    uint32_t ids[BATCH];
    dunlin_batch batch;
} nest;

static void nest_fill(nest *n) {
    *n = (nest){.column = {{1, 2, 3, 4}, {10, 20, 30, 40}, {5, 6, 7, 8}, {.1f, .2f, .3f, .4f}, {-1, -2, -3, -4}}};
    n->batch.cookie = WORLD_COOKIE;
    n->batch.count = BATCH;
    for (int a = 0; a < 3; a++) {
        n->batch.position[a] = n->column[a];
        n->batch.velocity[a] = n->column[3 + a];
    }
}

static void nest_ids(nest *n, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t ids[] = {a, b, c, d};
    memcpy(n->ids, ids, sizeof ids);
    n->batch.ids = n->ids;
}

/* Species `count`, named a, b, …; no interaction. */
static dunlin_world *aviary(const dunlin_world_def *def, int count) {
    static const char *const names[] = {"a", "b", "c"};
    dunlin_world *world = world_create(def);
    for (int s = 0; s < count; s++) world_add_named(world, names[s]);
    return world;
}

static dunlin_world *default_aviary(void) {
    const dunlin_world_def def = dunlin_world_def_default();
    return aviary(&def, 2);
}

TEST(ids_ascend_through_batches_and_species) {
    dunlin_world *world = default_aviary();
    nest n;
    nest_fill(&n);
    uint32_t first = 99;
    for (uint32_t i = 0; i < 5; i++) {
        ACCEPT(dunlin_world_spawn(world, (int)(i % 2), &n.batch, &first, &refusal));
        assert_int_equal(first, i * BATCH);
    }
    n.batch.count = 0;
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, &first, &refusal));
    assert_int_equal(first, UINT32_MAX);
    const dunlin_view a = dunlin_world_view(world, 0), b = dunlin_world_view(world, 1);
    assert_true(a.count == 12 && b.count == 8 && dunlin_world_agent_count(world) == 20);
    for (uint32_t i = 0; i < 12; i++) assert_int_equal(a.id[i], i / 4 * 8 + i % 4);
    for (uint32_t i = 0; i < 8; i++) assert_int_equal(b.id[i], 4 + i / 4 * 8 + i % 4);
}

TEST(given_ids_are_kept_and_counted_on_from) {
    dunlin_world *world = default_aviary();
    nest n;
    nest_fill(&n);
    nest_ids(&n, 70, 3, 1000, 0);
    uint32_t first;
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, &first, &refusal));
    assert_int_equal(first, 70);
    assert_memory_equal(dunlin_world_view(world, 0).id, n.ids, sizeof n.ids);
    nest_ids(&n, 1, 2, 999, 4); /* below the largest, but free */
    ACCEPT(dunlin_world_spawn(world, 1, &n.batch, &first, &refusal));
    n.batch.ids = NULL;
    ACCEPT(dunlin_world_spawn(world, 1, &n.batch, &first, &refusal));
    assert_int_equal(first, 1001);
}

TEST(no_id_is_given_twice) {
    dunlin_world *world = default_aviary();
    nest n;
    nest_fill(&n);
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    const uint64_t hash = dunlin_world_state_hash(world);
    nest_ids(&n, 50, 51, 50, 52);
    REFUSE(dunlin_world_spawn(world, 1, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "id 50", "twice");
    nest_ids(&n, 50, 51, 2, 52);
    REFUSE(dunlin_world_spawn(world, 1, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "id 2", "already");
    REFUSE(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "id 2", "already");
    nest_ids(&n, 50, 51, UINT32_MAX, 52);
    REFUSE(dunlin_world_spawn(world, 1, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "id 4294967295", "below");
    assert_true(dunlin_world_state_hash(world) == hash && dunlin_world_agent_count(world) == BATCH);
    nest_ids(&n, 50, 51, UINT32_MAX - 1, 52);
    ACCEPT(dunlin_world_spawn(world, 1, &n.batch, NULL, &refusal)); /* the maximum id */
    n.batch.ids = NULL;
    REFUSE(dunlin_world_spawn(world, 1, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "4 more agents", "0 ids are left");
    assert_int_equal(dunlin_world_spawn(world, 1, &n.batch, NULL, NULL), DUNLIN_ERROR_VALUE);
}

static void refuse_agent(nest *n, int column, int agent, float value, dunlin_boundary boundary, const char *what) {
    const dunlin_world_def def = world_def_with((world_parts){.boundary = boundary, .dimensions = 3});
    dunlin_world *world = aviary(&def, 1);
    char who[16] = "agent 0:";
    who[6] = (char)('0' + agent);
    n->column[column][agent] = value;
    REFUSE(dunlin_world_spawn(world, 0, &n->batch, NULL, &refusal), DUNLIN_ERROR_VALUE, who, what);
    assert_int_equal(dunlin_world_agent_count(world), 0);
    world_destroy(world);
}

TEST_EACH(impossible_agents_are_refused_and_named, column, 0, 6) {
    static const char *const names[] = {"position x is", "position y is", "position z is",
                                        "velocity x is", "velocity y is", "velocity z is"};
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1e-6f, 100.1f, 3e9f, -3e9f, 1.01e38f, -FLT_MAX};
    for (int i = 0; i < 9; i++) {
        for (int boundary = DUNLIN_BOUNDARY_PERIODIC; boundary <= (int)DUNLIN_BOUNDARY_OPEN; boundary++) {
            const bool inside = column >= 3 ? fabsf(bad[i]) < 2e9f : boundary == DUNLIN_BOUNDARY_OPEN && fabsf(bad[i]) <= 1e38f;
            if (inside) continue;
            nest n;
            nest_fill(&n);
            refuse_agent(&n, column, i % BATCH, bad[i], (dunlin_boundary)boundary, names[column]);
        }
    }
}

TEST(messages_state_the_range) {
    const dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_TELEPORT, .margin = 2.5f});
    dunlin_world *world = aviary(&def, 1);
    nest n;
    nest_fill(&n);
    n.column[0][3] = -2.75f;
    REFUSE(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "agent 3", "-2.75",
           "from -2.5 to 102.5");
    n.column[0][3] = -2.5f; /* on the margin's edge */
    n.column[1][2] = 102.5f;
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    n.column[4][1] = NAN;
    REFUSE(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "agent 1", "nan", "-2e+09 to 2e+09");
    n.column[4][1] = 2e9f;
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
}

TEST(where_the_boundary_comes_first_agents_may_be_outside) {
    dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_REFLECT});
    def.boundary_first = true;
    dunlin_world *world = aviary(&def, 1);
    nest n;
    nest_fill(&n);
    n.column[0][0] = -5;
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    n.column[0][0] = NAN;
    REFUSE(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "agent 0", "nan", "finite");
}

TEST(batches_without_arrays) {
    dunlin_world *world = default_aviary();
    nest n;
    nest_fill(&n);
    n.batch.position[1] = NULL;
    REFUSE(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "batch.position[1] is NULL");
    nest_fill(&n);
    n.batch.velocity[0] = NULL;
    REFUSE(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "batch.velocity[0] is NULL");
    nest_fill(&n);
    n.batch.position[2] = n.batch.velocity[2] = NULL; /* never read in 2D */
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    assert_int_equal(dunlin_world_spawn(world, 0, NULL, NULL, NULL), DUNLIN_ERROR_VALUE);
}

/* ---- views ------------------------------------------------------------------------------------------------------------- */

TEST_EACH(views_point_into_the_storage, dimensions, 2, 4) {
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    dunlin_world *world = aviary(&def, 1);
    nest n;
    nest_fill(&n);
    ACCEPT(dunlin_world_reserve(world, 0, 3 * BATCH, &refusal));
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    const dunlin_view before = dunlin_world_view(world, 0);
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_ptr_equal(view.id, before.id); /* the arrays have grown where they were, and were not copied */
    assert_int_equal(view.count, 2 * BATCH);
    for (int a = 0; a < 3; a++) {
        assert_ptr_equal(view.position[a], before.position[a]);
        if (a == dimensions) {
            assert_null(view.position[a]);
            assert_null(view.velocity[a]);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            assert_memory_equal(view.position[a] + i * BATCH, n.column[a], sizeof n.column[a]);
            assert_memory_equal(view.velocity[a] + i * BATCH, n.column[3 + a], sizeof n.column[a]);
        }
    }
}

/* Storage order is the order of agents in memory; newborn agents go to its end. */
TEST(newborn_agents_go_to_the_end) {
    dunlin_world *world = world_of(NULL, 4, 300);
    world_run(world, 2);
    uint32_t ids[300];
    memcpy(ids, dunlin_world_view(world, 0).id, sizeof ids);
    nest n;
    nest_fill(&n);
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_memory_equal(view.id, ids, sizeof ids);
    for (uint32_t i = 0; i < BATCH; i++) assert_int_equal(view.id[300 + i], 300 + i);
}

TEST(measuring_leaves_views_as_they_are) {
    dunlin_world *world = world_of(NULL, 4, 300);
    world_run(world, 2);
    const uint64_t hash = dunlin_world_state_hash(world);
    const dunlin_view before = dunlin_world_view(world, 0);
    const float x = before.position[0][17];
    world_measure(world, 0);
    const dunlin_view after = dunlin_world_view(world, 0);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(before.position[0][17] == x && dunlin_world_state_hash(world) == hash);
}

TEST(reserving_makes_room) {
    dunlin_world *world = default_aviary();
    nest n;
    nest_fill(&n);
    ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    const uint64_t hash = dunlin_world_state_hash(world);
    ACCEPT(dunlin_world_reserve(world, 0, 1000, &refusal));
    ACCEPT(dunlin_world_reserve(world, 0, 10, &refusal)); /* never takes room away */
    ACCEPT(dunlin_world_reserve(world, 0, 0, &refusal));
    assert_true(dunlin_world_state_hash(world) == hash);
    const uint32_t *ids = dunlin_world_view(world, 0).id;
    for (int i = 1; i < 1000 / BATCH; i++) ACCEPT(dunlin_world_spawn(world, 0, &n.batch, NULL, &refusal));
    assert_ptr_equal(dunlin_world_view(world, 0).id, ids);
    REFUSE(dunlin_world_reserve(world, 0, UINT32_MAX, &refusal), DUNLIN_ERROR_VALUE, "more agents", "at most");
}

/* ---- finding ----------------------------------------------------------------------------------------------------------- */

static void check_all_found(dunlin_world *world) {
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count; i++) {
            const dunlin_slot slot = dunlin_world_find_agent(world, view.id[i]);
            assert_int_equal(slot.species, s);
            assert_int_equal(slot.index, i);
        }
    }
}

TEST_EACH(every_agent_is_found_wherever_it_goes, v, 0, world_variant_count()) {
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_of(&def, 5, 700);
    world_add_named(world, "others");
    nest n;
    nest_fill(&n);
    nest_ids(&n, 4000000000u, 1u << 31, 65536, 1000);
    check_all_found(world);
    ACCEPT(dunlin_world_spawn(world, 1, &n.batch, NULL, &refusal));
    for (int i = 0; i < 4; i++) {
        check_all_found(world);
        world_run(world, 3);
    }
    assert_int_equal(dunlin_world_find_agent(world, 700).species, -1);
    assert_int_equal(dunlin_world_find_agent(world, 1u << 30).species, -1);
}

/* An agent keeps its id: its motion depends on its state, not on its slot. */
TEST_EACH(ids_stay_with_their_agents, v, 0, world_variant_count()) {
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_of(&def, 5, 900);
    float x[900], y[900];
    for (int step = 0; step < 3; step++) {
        dunlin_view view = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < view.count; i++) {
            x[view.id[i]] = view.position[0][i];
            y[view.id[i]] = view.position[1][i];
        }
        world_run(world, 1);
        view = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < view.count; i++) {
            const float dx = remainderf(view.position[0][i] - x[view.id[i]], 100);
            const float dy = remainderf(view.position[1][i] - y[view.id[i]], 100);
            assert_float_equal((double)hypotf(dx - view.velocity[0][i], dy - view.velocity[1][i]), 0, 1e-4);
        }
    }
}

/* ---- scattering -------------------------------------------------------------------------------------------------------- */

/* In addition to the random speed and direction of each agent. */
TEST(scattered_agents_may_share_a_velocity) {
    dunlin_world *with = default_aviary(), *without = default_aviary();
    dunlin_scatter_def scatter = dunlin_scatter_def_default(with);
    scatter.count = 200;
    ACCEPT(dunlin_world_scatter(without, 0, &scatter, &refusal));
    scatter.velocity[0] = 3;
    scatter.velocity[1] = -4;
    ACCEPT(dunlin_world_scatter(with, 0, &scatter, &refusal));
    const dunlin_view a = dunlin_world_view(with, 0), b = dunlin_world_view(without, 0);
    for (uint32_t i = 0; i < 200; i++) {
        assert_true(a.position[0][i] == b.position[0][i] && a.position[1][i] == b.position[1][i]);
        assert_true(a.velocity[0][i] == b.velocity[0][i] + 3 && a.velocity[1][i] == b.velocity[1][i] - 4);
    }
    scatter.velocity[1] = 2e9f;
    REFUSE(dunlin_world_scatter(with, 0, &scatter, &refusal), DUNLIN_ERROR_VALUE, "scatter.velocity[1] is 2e+09", "1e+09");
}

/* ---- how many ---------------------------------------------------------------------------------------------------------- */

static const uint64_t billion = 1u << 30; /* this many words have one byte more than 32 bits can count */

TEST(sizes_at_the_maximum_number_of_agents) {
    static const uint64_t agents[] = {billion - 16, billion - 1, billion, billion + 1, 2 * billion, DUNLIN_MAX_AGENTS};
    for (size_t i = 0; i < sizeof agents / sizeof *agents && sizeof(size_t) == 8; i++) {
        const uint64_t bytes = (agents[i] + DUN_PADDING) * sizeof(float), array = dun_array_bytes(agents[i]);
        const uint64_t column = dun_column_bytes((uint32_t)agents[i]);
        assert_true(array >= bytes && array < bytes + 64 && array % 64 == 0);
        assert_true(column >= array + 4096 && column < array + 2 * 4096 && column % 4096 == 0);
        assert_true(dun_room_fits(agents[i], UINT64_MAX));
        assert_false(dun_room_fits(agents[i], UINT32_MAX)); /* where size_t has 32 bits */
    }
    assert_true(dun_room_fits(billion / 16 - 1, UINT32_MAX));
    assert_false(dun_room_fits(billion / 16, UINT32_MAX));
}

TEST(an_array_longer_than_memory_is_refused) {
    uint32_t *array = NULL;
    assert_true(dun_array_grow(NULL, &array, 3, sizeof *array));
    const uint32_t *before = array;
    assert_false(dun_array_grow(NULL, &array, UINT64_MAX / 4 + 2, sizeof *array)); /* bytes that wrap around to few */
    assert_false(dun_array_grow(NULL, &array, SIZE_MAX, sizeof *array));
    assert_ptr_equal(array, before);
    assert_null(dun_array(NULL, SIZE_MAX / sizeof(float)));
    dun_free(array);
}

TEST(the_table_at_the_maximum_number_of_ids) {
    assert_true(dun_ids_room(0) == 16 && dun_ids_room(8) == 16 && dun_ids_room(9) == 32);
    assert_true(dun_ids_room(billion) == 2 * billion && dun_ids_room(billion + 1) == 4 * billion);
    assert_true(dun_ids_room(2 * billion + 1) == 8 * billion && dun_ids_room(UINT32_MAX) == 8 * billion);
    for (uint64_t room = 16; room <= 8 * billion; room *= 2) {
        uint32_t eighth[8] = {0};
        for (uint32_t id = 0; id < 80000; id++) {
            const uint64_t place = dun_ids_place(id, room);
            assert_true(place < room);
            eighth[place / (room / 8)]++;
        }
        for (int e = 0; e < 8; e++) assert_in_range(eighth[e], 9000, 11000);
    }
}

TEST(messages_agree_on_the_maximum_number_of_agents) {
    dunlin_world *world = world_without_agents(NULL, 8);
    char most[64], line[4096], limits[128];
    snprintf(most, sizeof most, "holds %u at most", DUNLIN_MAX_AGENTS);
    REFUSE(dunlin_world_reserve(world, 0, DUNLIN_MAX_AGENTS + 1, &refusal), DUNLIN_ERROR_VALUE, most);
    world_destroy(world);
    snprintf(limits, sizeof limits, "| 0 .. %u, %u in total |", DUNLIN_MAX_AGENTS, UINT32_MAX);
    FILE *guide = fopen(DUNLIN_TESTS_DIR "/../docs/scenarios.md", "r");
    assert_non_null(guide);
    bool said = false;
    while (fgets(line, sizeof line, guide)) said = said || (strncmp(line, "| `agents` |", 12) == 0 && strstr(line, limits));
    fclose(guide);
    assert_true(said);
}
