/* SPDX-License-Identifier: MIT */
/* Each kind of callback fails, on each executor, alone and on ranks: the call fails with its message, and nothing has changed.
 */
#include <stdatomic.h>

#include "tests/lib/local.h"
#include "tests/lib/ranks.h"

enum { AGENTS = 3000, MANY = 20000 /* so that each region is shared */, RANKS = 3, BYTES = 1 << 20 };

/* ---- a world and its callbacks ----------------------------------------------------------------------------------------- */

typedef enum callback_kind { NONE, TILE, GROUP, EVERY_TILE, REGION, WRITE, READ } callback_kind;

typedef struct host {
    dunlin_world *world;
    callback_kind fails;
    uint32_t agent;   /* TILE, GROUP: the call that has this agent fails */
    int region;       /* REGION: the one that fails, … */
    int regions;      /* … of those since the host was set to fail */
    const char *from; /* READ */
    const char *message;
} host;

static void fail_at(const host *h, const char *what, uint32_t agent) {
    char message[80];
    snprintf(message, sizeof message, "the %s of agent %u cannot continue", what, agent);
    dunlin_world_fail(h->world, message);
}

static void act(void *user, const dunlin_tile *tile) {
    const host *h = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const float at[] = {tile->position[0][i], tile->position[1][i]}, rest[] = {0.0f, 0.0f};
        tile->force[0][i] += 0.01f * (float)(tile->id[i] % 7);
        tile->dies[i] = tile->id[i] % 31 == tile->step % 31;
        if (tile->id[i] % 29 == tile->step % 29) dunlin_tile_spawn(tile, i, 0, at, rest, NULL, NULL);
        if (h->fails == EVERY_TILE || (h->fails == TILE && tile->id[i] == h->agent)) fail_at(h, "tile", tile->id[i]);
    }
}

static void pull(void *user, const dunlin_packet *packet) {
    const host *h = user;
    for (uint32_t k = 0; k < packet->count; k++) {
        packet->force[1][k] += 0.01f * (float)packet->range_count;
        if (h->fails == GROUP && packet->id[packet->first + k] == h->agent) fail_at(h, "group", h->agent);
    }
}

static void run(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    host *h = context;
    for (uint32_t w = 0; w < workers; w++) work(job, w);
    if (h->fails == REGION && h->regions++ == h->region) dunlin_world_fail(h->world, "a region of the executor's");
}

static bool take(void *context, const void *bytes, size_t count) {
    const host *h = context;
    (void)bytes, (void)count;
    if (h->fails == WRITE) dunlin_world_fail(h->world, "the disk is full");
    return h->fails != WRITE;
}

/* It gives what it has all the same. */
static bool give(void *context, void *bytes, size_t count) {
    host *h = context;
    memcpy(bytes, h->from, count);
    h->from += count;
    if (h->fails == READ) dunlin_world_fail(h->world, "the line is dead");
    return true;
}

typedef struct way {
    const char *executor;
    int threads;
} way;
static const way crews[] = {{"serial", 1}, {"pthreads", 3}, {"custom", 2}};
enum { CREWS = sizeof crews / sizeof *crews };

static void make(host *h, const way *crew, const dunlin_transport *transport, uint32_t agents) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = crew->executor;
    def.threads = crew->threads;
    if (strcmp(crew->executor, "custom") == 0) def.run = run;
    def.run_context = h;
    *h = (host){.agent = 1234};
    ACCEPT(dunlin_world_create_part(&def, transport, &h->world, &refusal));
    world_add_named(h->world, "agents");
    world_add_flocking(h->world, 0, 0, 3);
    dunlin_behaviour_def behaviour = dunlin_behaviour_def_default(h->world, DUNLIN_BEHAVIOUR_PAIRS);
    behaviour.user = h;
    behaviour.pairs.callback = pull;
    behaviour.pairs.radius = 2.0f;
    world_add_behaviour(h->world, &behaviour);
    behaviour = dunlin_behaviour_def_default(h->world, DUNLIN_BEHAVIOUR_CUSTOM);
    behaviour.user = h;
    behaviour.custom = act;
    world_add_behaviour(h->world, &behaviour);
    world_scatter(h->world, 0, agents);
    world_run(h->world, 1);
}

/* ---- in a step --------------------------------------------------------------------------------------------------------- */

/* The step that fails has left the world as its twin is, also for the steps that follow. */
static void expect_failure(host *h, dunlin_world *twin, const char *message) {
    const uint64_t hash = dunlin_world_state_hash(h->world);
    REFUSE(dunlin_world_step(h->world, &refusal), DUNLIN_ERROR_CALLBACK, message);
    h->fails = NONE;
    ASSERT_ON_RANK(dunlin_world_state_hash(h->world) == hash && hash == dunlin_world_state_hash(twin));
    ASSERT_ON_RANK(dunlin_world_stats(h->world).step == dunlin_world_stats(twin).step);
    for (int step = 0; step < 2; step++) {
        world_run(h->world, 1);
        world_run(twin, 1);
        ASSERT_ON_RANK(dunlin_world_state_hash(h->world) == dunlin_world_state_hash(twin));
    }
}

static void fail_each(const way *crew, const dunlin_transport *transport) {
    static const callback_kind kinds[] = {TILE, GROUP, EVERY_TILE};
    static const char *const messages[] = {"the tile of agent 1234 cannot continue", "the group of agent 1234 cannot continue",
                                           "the tile of agent "};
    host h, twin;
    make(&h, crew, transport, AGENTS);
    make(&twin, &crews[0], transport, AGENTS);
    for (int k = 0; k < 3; k++) {
        h.fails = kinds[k];
        expect_failure(&h, twin.world, messages[k]);
    }
    world_destroy(h.world);
    world_destroy(twin.world);
}

TEST(steps_fail_alone) {
    const dunlin_transport alone = dunlin_transport_default();
    for (int c = 0; c < CREWS; c++) fail_each(&crews[c], &alone);
}

/* Only one rank has the agent. */
static void fail_on_rank(void *context, const dunlin_transport *transport) {
    fail_each(context, transport);
}

TEST_EACH(all_ranks_fail_alike, c, 0, CREWS) {
    way crew = crews[c];
    dun_local_run(RANKS, fail_on_rank, &crew);
}

/* A region after the new state has become the state is too late, and makes the next step fail. */
TEST(executors_fail_in_each_region) {
    const dunlin_transport alone = dunlin_transport_default();
    int in_time = 0, late = 0;
    for (bool more = true; more;) {
        host h, twin;
        make(&h, &crews[2], &alone, MANY);
        make(&twin, &crews[0], &alone, MANY);
        h.fails = REGION;
        h.region = in_time + late;
        const dunlin_result result = dunlin_world_step(h.world, &refusal);
        more = h.regions > h.region;
        h.fails = NONE;
        in_time += result == DUNLIN_ERROR_CALLBACK;
        late += more && !result;
        if (!result) world_run(twin.world, 1);
        assert_true(dunlin_world_state_hash(h.world) == dunlin_world_state_hash(twin.world));
        if (!result && more) REFUSE(dunlin_world_step(h.world, &refusal), DUNLIN_ERROR_CALLBACK, "a region of the executor's");
        world_run_alike(h.world, twin.world, 1);
        world_destroy(h.world);
        world_destroy(twin.world);
    }
    print_message("%d regions in time, %d late\n", in_time, late);
    assert_true(in_time >= 3 && late >= 1);
}

/* ---- elsewhere --------------------------------------------------------------------------------------------------------- */

TEST(functions_of_bytes_fail) {
    const dunlin_transport alone = dunlin_transport_default();
    char *saved = malloc(BYTES);
    host h, twin;
    make(&h, &crews[0], &alone, AGENTS);
    make(&twin, &crews[0], &alone, AGENTS);
    ACCEPT(dunlin_world_save_memory(h.world, saved, BYTES, &refusal));
    world_run(h.world, 1);
    const uint64_t hash = dunlin_world_state_hash(h.world);
    h.fails = WRITE;
    REFUSE(dunlin_world_save_to(h.world, take, &h, &refusal), DUNLIN_ERROR_CALLBACK, "the disk is full");
    REFUSE(dunlin_world_save_definitions_to(h.world, take, &h, &refusal), DUNLIN_ERROR_CALLBACK, "the disk is full");
    h.fails = READ;
    h.from = saved;
    REFUSE(dunlin_world_restore_from(h.world, give, &h, &refusal), DUNLIN_ERROR_CALLBACK, "the line is dead");
    assert_true(dunlin_world_state_hash(h.world) == hash);
    h.fails = NONE;
    world_run(twin.world, 2);
    world_run(h.world, 1);
    assert_true(dunlin_world_state_hash(h.world) == dunlin_world_state_hash(twin.world));
    world_destroy(h.world);
    world_destroy(twin.world);
    free(saved);
}

static void say(void *user, const dunlin_tile *tile) {
    const host *h = user;
    (void)tile;
    if (h->fails) dunlin_world_fail(h->world, h->message);
}

TEST(messages_are_any) {
    char long_one[1000];
    host h = {.world = world_of(NULL, 3, 10)};
    dunlin_behaviour_def behaviour = dunlin_behaviour_def_default(h.world, DUNLIN_BEHAVIOUR_CUSTOM);
    behaviour.user = &h;
    behaviour.custom = say;
    world_add_behaviour(h.world, &behaviour);
    dunlin_world_fail(h.world, "while no function runs");
    world_run(h.world, 1);
    h.fails = TILE;
    REFUSE(dunlin_world_step(h.world, &refusal), DUNLIN_ERROR_CALLBACK, "a callback has failed");
    h.message = "100 %s of \x1b[31m it";
    REFUSE(dunlin_world_step(h.world, &refusal), DUNLIN_ERROR_CALLBACK, "100 %s of \\x1b[31m it");
    memset(long_one, 'e', sizeof long_one - 1);
    long_one[sizeof long_one - 1] = '\0';
    h.message = long_one;
    dunlin_error error;
    assert_int_equal(dunlin_world_step(h.world, &error), DUNLIN_ERROR_CALLBACK);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(dunlin_world_step(h.world, NULL), DUNLIN_ERROR_CALLBACK);
    world_destroy(h.world);
}
