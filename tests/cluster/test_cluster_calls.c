/* SPDX-License-Identifier: MIT */
/* What parts refuse, and that all ranks refuse it alike; what a rank sees; what a step's messages need. */
#include "engine/cluster/cluster.h"
#include "tests/lib/local.h"
#include "tests/lib/ranks.h"

enum { RANKS = 3, AGENTS = 900 };

static dunlin_world *part_of(const dunlin_world_def *def, const dunlin_transport *t) {
    dunlin_world *world;
    const dunlin_interaction_def rules = world_flocking_rules(5);
    ACCEPT(dunlin_world_create_part(def, t, &world, &refusal));
    world_add_species(world, NULL);
    world_add_interaction(world, &rules);
    world_scatter(world, 0, AGENTS);
    return world;
}

static uint64_t sum(const dunlin_transport *t, uint64_t number) {
    t->all_reduce(t->context, &number, 1);
    return number;
}

/* ---- making ----------------------------------------------------------------------------------------------------------- */

TEST(wrong_transports_are_refused) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_transport t = dunlin_transport_default();
    dunlin_world *world;
    REFUSE(dunlin_world_create_part(&def, NULL, &world, &refusal), DUNLIN_ERROR_VALUE, "transport is NULL");
    t.ranks = 2;
    REFUSE(dunlin_world_create_part(&def, &t, &world, &refusal), DUNLIN_ERROR_VALUE, "transport has a function that is NULL");
    t = dunlin_transport_default();
    t.rank = 1;
    REFUSE(dunlin_world_create_part(&def, &t, &world, &refusal), DUNLIN_ERROR_VALUE, "transport.rank is 1");
    t.rank = t.ranks = 0;
    REFUSE(dunlin_world_create_part(&def, &t, &world, &refusal), DUNLIN_ERROR_VALUE, "transport.ranks is 0", "65536");
    t.cookie = 0;
    REFUSE(dunlin_world_create_part(&def, &t, &world, &refusal), DUNLIN_ERROR_VALUE, "dunlin_transport");
}

TEST(one_rank_has_a_plain_world) {
    const dunlin_transport t = dunlin_transport_default();
    const dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_OPEN, .index = "tree"});
    dunlin_world *world = part_of(&def, &t), *plain = world_of(&def, 5, AGENTS);
    world_run(world, 3);
    world_run(plain, 3);
    ACCEPT(dunlin_world_gather(world, &refusal));
    ACCEPT(dunlin_world_share(world, &refusal));
    assert_true(dunlin_world_state_hash(world) == dunlin_world_state_hash(plain));
    const dunlin_traffic none = {0}, traffic = dunlin_world_traffic(world);
    assert_memory_equal(&traffic, &none, sizeof none);
    world_destroy(world);
}

static void refuse_worlds(void *context, const dunlin_transport *t) {
    (void)context;
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    for (int i = 1; i < WORLD_INDEXES; i++) {
        def.index = world_indexes[i];
        REFUSE(dunlin_world_create_part(&def, t, &world, &refusal), DUNLIN_ERROR_VALUE, "world.index is", def.index, "'grid'");
        ASSERT_ON_RANK(!world);
    }
    def.index = "auto";
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    REFUSE(dunlin_world_create_part(&def, t, &world, &refusal), DUNLIN_ERROR_VALUE, "world.boundary is open", "edges");
    def = dunlin_world_def_default();
    def.kernel = "abacus";
    REFUSE(dunlin_world_create_part(&def, t, &world, &refusal), DUNLIN_ERROR_UNSUPPORTED, "abacus");
    REFUSE(dunlin_world_create_part(NULL, t, &world, &refusal), DUNLIN_ERROR_VALUE, "def is NULL");
}

/* A world that one rank alone cannot make is refused on all. */
static void refuse_on_one_rank(void *context, const dunlin_transport *t) {
    (void)context;
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    if (t->rank == 1) def.time_step = -1;
    REFUSE(dunlin_world_create_part(&def, t, &world, &refusal), DUNLIN_ERROR_VALUE, "time_step is -1");
    ASSERT_ON_RANK(!world);
}

TEST(worlds_without_parts_are_refused) {
    dun_local_run(RANKS, refuse_worlds, NULL);
    dun_local_run(RANKS, refuse_on_one_rank, NULL);
}

/* ---- what needs the whole flock --------------------------------------------------------------------------------------- */

static bool write_nothing(void *context, const void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
    return true;
}

static bool read_nothing(void *context, void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
    return false;
}

#define WHOLE(call, what) REFUSE(call, DUNLIN_ERROR_VALUE, what, "needs the whole flock", "3 ranks", "dunlin_world_gather()")

static void refuse_surveys(dunlin_world *world) {
    dunlin_survey *survey;
    dunlin_components groups;
    dunlin_density density;
    dunlin_correlation correlation;
    dunlin_displacement *displacement = (void *)&survey; /* any */
    const dunlin_correlation_def def = dunlin_correlation_def_default(world);
    dunlin_found found = dunlin_found_default();
    const dunlin_ball ball = {.radius = 1};
    WHOLE(dunlin_world_find_in_balls(world, 0, &ball, 1, &found, &refusal), "a query");
    ACCEPT(dunlin_survey_create(&survey, &refusal));
    WHOLE(dunlin_survey_components(survey, world, 0, 5, &groups, &refusal), "a survey");
    WHOLE(dunlin_survey_density(survey, world, 0, 5, &density, &refusal), "a survey");
    WHOLE(dunlin_survey_correlation(survey, world, &def, &correlation, &refusal), "a survey");
    WHOLE(dunlin_displacement_create(world, &displacement, &refusal), "a displacement");
    ASSERT_ON_RANK(!displacement);
    dunlin_survey_destroy(survey);
}

static void refuse_what_needs_all(void *context, const dunlin_transport *t) {
    (void)context;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = part_of(&def, t);
    const uint64_t hash = dunlin_world_state_hash(world);
    dunlin_metrics metrics;
    static _Thread_local char bytes[1 << 16]; /* enough for the whole flock */
    const float x = 1;
    const dunlin_write write = {.cookie = WORLD_COOKIE, .count = 1, .slots = (uint32_t[]){0}, .position = {&x, &x}};
    world_add_value(world, 0, "age", DUNLIN_ROLE_VALUE, 1);
    ACCEPT(dunlin_world_remove_attribute(world, 0, 0, &refusal));
    WHOLE(dunlin_world_save(world, "part.csv", &refusal), "saving");
    WHOLE(dunlin_world_save_to(world, write_nothing, NULL, &refusal), "saving");
    WHOLE(dunlin_world_save_memory(world, bytes, sizeof bytes, &refusal), "saving");
    WHOLE(dunlin_world_load(world, "part.csv", &refusal), "loading");
    WHOLE(dunlin_world_restore_from(world, read_nothing, NULL, &refusal), "restoring");
    WHOLE(dunlin_world_measure(world, 0, &metrics, &refusal), "measuring");
    WHOLE(dunlin_world_write(world, &write, &refusal), "dunlin_world_write()");
    refuse_surveys(world);
    REFUSE(dunlin_world_share(world, &refusal), DUNLIN_ERROR_VALUE, "has not been gathered");
    ASSERT_ON_RANK(dunlin_world_state_hash(world) == hash);
    world_destroy(world);
}

static void step_only_when_spread(void *context, const dunlin_transport *t) {
    (void)context;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = part_of(&def, t);
    dunlin_metrics metrics;
    world_run(world, 2);
    const uint64_t hash = dunlin_world_state_hash(world);
    ACCEPT(dunlin_world_gather(world, &refusal));
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "the flock is gathered", "dunlin_world_share()");
    REFUSE(dunlin_world_gather(world, &refusal), DUNLIN_ERROR_VALUE, "the flock is gathered");
    ASSERT_ON_RANK(dunlin_world_agent_count(world) == (t->rank == 0 ? AGENTS : 0));
    if (t->rank == 0) ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
    ACCEPT(dunlin_world_share(world, &refusal));
    ASSERT_ON_RANK(dunlin_world_state_hash(world) == hash);
    REFUSE(dunlin_world_measured(world, 0, &metrics, &refusal), DUNLIN_ERROR_VALUE, "nothing was measured");
    world_run(world, 2);
    world_destroy(world);
}

/* No agent sees these, so no step sorts them. */
static void spread_unseen(void *context, const dunlin_transport *t) {
    (void)context;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = part_of(&def, t);
    ACCEPT(dunlin_world_remove_interaction(world, 0, &refusal));
    world_run(world, 2);
    const uint64_t hash = dunlin_world_state_hash(world);
    ACCEPT(dunlin_world_gather(world, &refusal));
    ACCEPT(dunlin_world_share(world, &refusal));
    assert_true(dunlin_world_state_hash(world) == hash);
    world_run(world, 1);
    assert_int_equal(dunlin_world_agent_count(world), AGENTS / RANKS);
    world_destroy(world);
}

TEST(a_gathered_flock_is_spread_again) {
    dun_local_run(RANKS, spread_unseen, NULL);
}

/* What rank 0 alone asks for does not change what all ranks do in the next step. */
/* Asked when rank 0 has all: the next step, on all ranks, does not take over what was sorted. */
static void ask_gathered(void *context, const dunlin_transport *t) {
    uint64_t *hashes = context;
    const dunlin_world_def def = dunlin_world_def_default();
    for (int asks = 0; asks < 2; asks++) {
        dunlin_world *world = part_of(&def, t);
        world_run(world, 2);
        ACCEPT(dunlin_world_gather(world, &refusal));
        if (t->rank == 0 && asks) {
            dunlin_found found = dunlin_found_default();
            ACCEPT(dunlin_world_find_in_balls(world, 0, &(dunlin_ball){.radius = 1e9f}, 1, &found, &refusal));
            assert_int_equal(found.count, dunlin_world_view(world, 0).count);
            assert_true(found.count > 0);
        }
        ACCEPT(dunlin_world_share(world, &refusal));
        world_run(world, 2);
        const uint64_t hash = dunlin_world_state_hash(world);
        if (t->rank == 0) hashes[asks] = hash;
        world_destroy(world);
    }
}

TEST(rank_0_asks_a_gathered_flock) {
    uint64_t hashes[2] = {0, 1};
    dun_local_run(RANKS, ask_gathered, hashes);
    assert_true(hashes[0] == hashes[1]);
}

static void measure_gathered(void *context, const dunlin_transport *t) {
    (void)context;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = part_of(&def, t);
    dunlin_metrics before, after;
    ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    ACCEPT(dunlin_world_gather(world, &refusal));
    if (t->rank == 0) ACCEPT(dunlin_world_measured(world, 0, &before, &refusal));
    ACCEPT(dunlin_world_share(world, &refusal));
    world_run(world, 1);
    ACCEPT(dunlin_world_measured(world, 0, &after, &refusal));
    if (t->rank == 0) assert_memory_equal(&before, &after, sizeof before);
    world_destroy(world);
}

TEST(rank_0_measures_a_gathered_flock) {
    dun_local_run(RANKS, measure_gathered, NULL);
}

/* A part's agents begin anywhere in their memory after a step, and another attribute moves them back. */
static void watch_views(void *context, const dunlin_transport *t) {
    (void)context;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = part_of(&def, t);
    world_run(world, 2);
    const dunlin_view before = dunlin_world_view(world, 0);
    world_add_value(world, 0, "age", DUNLIN_ROLE_VALUE, 1);
    const dunlin_view after = dunlin_world_view(world, 0);
    assert_true(sum(t, before.id != after.id) > 0);
    assert_true(before.id == after.id || before.generation != after.generation);
    world_destroy(world);
}

TEST(views_tell_that_agents_have_moved) {
    dun_local_run(RANKS, watch_views, NULL);
}

TEST(what_needs_the_whole_flock_is_refused) {
    dun_local_run(RANKS, refuse_what_needs_all, NULL);
    dun_local_run(RANKS, step_only_when_spread, NULL);
}

/* ---- all ranks alike -------------------------------------------------------------------------------------------------- */

/* Each mistake is about an agent that one rank has. */
static void fail_alike(void *context, const dunlin_transport *t) {
    (void)context;
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = part_of(&def, t);
    const float place[] = {50}, still[] = {0};
    const uint32_t unknown[] = {3, 12345, 7}, twice[] = {3, 7, 3};
    world_run(world, 2);
    const uint64_t hash = dunlin_world_state_hash(world);
    def = dunlin_world_get_def(world);
    def.size[1] = 99.5f;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "agent");
    def.size[1] = 100;
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.boundary is open");
    REFUSE(dunlin_world_despawn(world, unknown, 3, &refusal), DUNLIN_ERROR_VALUE, "ids[1] is 12345");
    REFUSE(dunlin_world_despawn(world, twice, 3, &refusal), DUNLIN_ERROR_VALUE, "ids[2] is 3");
    for (uint32_t id = 0; id < AGENTS; id += 100) {
        const dunlin_batch batch = {
            .cookie = WORLD_COOKIE, .count = 1, .position = {place, place}, .velocity = {still, still}, .ids = &id};
        REFUSE(dunlin_world_spawn(world, 0, &batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "id", "another agent has it already");
        const uint64_t found = dunlin_world_find_agent(world, id).species == 0;
        ASSERT_ON_RANK(sum(t, found) == 1);
    }
    ASSERT_ON_RANK(dunlin_world_state_hash(world) == hash);
    ASSERT_ON_RANK(sum(t, dunlin_world_agent_count(world)) == AGENTS);
    world_run(world, 2);
    world_destroy(world);
}

TEST(all_ranks_fail_alike) {
    dun_local_run(RANKS, fail_alike, NULL);
}

/* ---- messages --------------------------------------------------------------------------------------------------------- */

/* An even flock in four slabs: each rank needs the agents within the radius on both sides, and gets whole rows. */
static void count_halo(void *context, const dunlin_transport *t) {
    (void)context;
    enum { MANY = 40000 };
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    const dunlin_interaction_def rules = world_flocking_rules(2);
    ACCEPT(dunlin_world_create_part(&def, t, &world, &refusal));
    world_add_species(world, NULL);
    world_add_interaction(world, &rules);
    world_scatter(world, 0, MANY);
    world_run(world, 4);
    const dunlin_traffic traffic = dunlin_world_traffic(world);
    const double needed = MANY * (double)t->ranks * 2 * 2 / 100;
    if (t->rank == 0) print_message("halo %.3f of what the radius needs\n", (double)traffic.halo / needed);
    ASSERT_ON_RANK((double)traffic.halo > 0.9 * needed && (double)traffic.halo < 2.1 * needed);
    ASSERT_ON_RANK(traffic.messages >= 2 * t->ranks && traffic.messages <= (uint64_t)t->ranks * (t->ranks - 1));
    ASSERT_ON_RANK(traffic.bytes >= 20 * traffic.halo && traffic.bytes <= 24 * traffic.halo + 8 * traffic.messages);
    ASSERT_ON_RANK(traffic.cuts >= 1 && traffic.imbalance >= 1 && traffic.ms_exchange > 0);
    ASSERT_ON_RANK(sum(t, traffic.halo) == t->ranks * traffic.halo);
    world_destroy(world);
}

TEST(messages_carry_what_the_radius_needs) {
    dun_local_run(4, count_halo, NULL);
}
