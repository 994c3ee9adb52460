/* SPDX-License-Identifier: MIT */
/* What ranks send in a step, as numbers: collective calls, messages and bytes. A transport counts them by itself. */
#include "engine/cluster/cluster.h"
#include "tests/lib/effort.h"
#include "tests/lib/local.h"
#include "tests/lib/ranks.h"

enum { RANKS = 3, AGENTS = 900, STEPS = 12, PLAIN = 3, WITH_LIFE = 4 };

/* ---- a transport that counts ------------------------------------------------------------------------------------------- */

typedef struct counter {
    dunlin_transport of;
    uint64_t collectives, messages, bytes;
    uint64_t hash; /* of the messages' bytes */
} counter;

static void all_to_all(void *context, const uint64_t *out, uint64_t *in, uint32_t count) {
    counter *c = context;
    c->collectives++;
    c->of.all_to_all(c->of.context, out, in, count);
}

static void exchange(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes) {
    counter *c = context;
    uint64_t all = 0;
    for (uint32_t r = 0; r < c->of.ranks; r++) {
        c->messages += out_bytes[r] > 0;
        all += out_bytes[r];
    }
    c->bytes += all;
    for (uint64_t i = 0; i < all / sizeof(uint32_t); i++)
        c->hash = (c->hash ^ ((const uint32_t *)out)[i]) * UINT64_C(1099511628211);
    c->of.exchange(c->of.context, out, out_bytes, in, in_bytes);
}

static void all_reduce(void *context, uint64_t *numbers, uint32_t count) {
    counter *c = context;
    c->collectives++;
    c->of.all_reduce(c->of.context, numbers, count);
}

static void exclusive_scan(void *context, uint64_t *numbers, uint32_t count) {
    counter *c = context;
    c->collectives++;
    c->of.exclusive_scan(c->of.context, numbers, count);
}

static void broadcast(void *context, uint32_t root, void *bytes, uint64_t count) {
    counter *c = context;
    c->collectives++;
    c->of.broadcast(c->of.context, root, bytes, count);
}

static dunlin_transport counted(counter *c, const dunlin_transport *of) {
    *c = (counter){.of = *of};
    dunlin_transport t = *of;
    t.context = c;
    t.all_to_all = all_to_all;
    t.exchange = exchange;
    t.all_reduce = all_reduce;
    t.exclusive_scan = exclusive_scan;
    t.broadcast = broadcast;
    return t;
}

/* ---- worlds ------------------------------------------------------------------------------------------------------------ */

/* Cuts at random places need no sums, so that those of every 32nd step do not disturb. */
static dunlin_world *part_on(const dunlin_transport *t) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    ACCEPT(dunlin_world_create_part(&def, t, &world, &refusal));
    dun_cut_at_random(world, 5);
    world_add_fliers(world, "flock", 1);
    world_add_flocking(world, 0, 0, 4);
    world_add_value(world, 0, "energy", DUNLIN_ROLE_VALUE, 1);
    world_scatter(world, 0, AGENTS);
    return world;
}

/* In every other step. */
static void bear(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count && tile->step % 2 == 0; i++) {
        const float at[] = {tile->position[0][i], tile->position[1][i]}, still[] = {0, 0};
        if (tile->id[i] % 50 == 0) dunlin_tile_spawn(tile, i, 0, at, still, NULL, NULL);
    }
}

/* Hawks eat the flock, and gain by it; they see it from `seen` on, or only as far as they eat. */
static void add_hawks(dunlin_world *world, float seen) {
    const int hawks = world_add_fliers(world, "hawks", 2);
    world_add_value(world, hawks, "energy", DUNLIN_ROLE_VALUE, 1);
    world_scatter(world, hawks, 40);
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.eater = hawks;
    meal.food = 0;
    meal.radius = 1.5f;
    meal.energy = 0;
    meal.gain = 0.25f;
    world_add_meal(world, &meal);
    if (seen > 0) world_add_flocking(world, hawks, 0, seen);
}

/* ---- each step --------------------------------------------------------------------------------------------------------- */

typedef struct life {
    bool bears, eats, idles;
    float seen;
} life;

/* A species without cells, of which none are born. */
static void add_idle(dunlin_world *world) {
    world_scatter(world, world_add_fliers(world, "idle", 1), 50);
}

static uint64_t step_calls(counter *c, dunlin_world *world) {
    const uint64_t before = c->collectives;
    ACCEPT(dunlin_world_step(world, &refusal));
    const uint64_t calls = c->collectives - before;
    ASSERT_ON_RANK(dunlin_world_traffic(world).collectives == calls);
    return calls;
}

static void count_steps(void *context, const dunlin_transport *transport) {
    const life *l = context;
    counter c;
    const dunlin_transport t = counted(&c, transport);
    dunlin_world *world = part_on(&t);
    uint64_t births = 0, deaths = 0;
    if (l->bears) world_call_back(world, 0, bear, NULL);
    if (l->eats) add_hawks(world, l->seen);
    if (l->idles) add_idle(world);
    world_run(world, 1);
    for (int step = 1; step < STEPS; step++) {
        const uint64_t calls = step_calls(&c, world);
        const dunlin_stats stats = dunlin_world_stats(world);
        if (calls != (stats.births > 0 || l->eats ? WITH_LIFE : PLAIN))
            fail_msg("step %d with %llu births makes %llu collective calls", step, (unsigned long long)stats.births,
                     (unsigned long long)calls);
        births += stats.births;
        deaths += stats.deaths;
    }
    ASSERT_ON_RANK((births > 0) == l->bears && (deaths > 0) == l->eats);
    world_destroy(world);
}

TEST(a_step_makes_few_collective_calls) {
    life lives[] = {{0},
                    {.bears = true},
                    {.eats = true},
                    {.eats = true, .seen = 9},
                    {.bears = true, .eats = true},
                    {.bears = true, .idles = true}};
    for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) dun_local_run(RANKS, count_steps, &lives[i]);
}

/* A definition that no step accepts, before ranks have memory for any message; then one that all accept. */
static void fail_first(void *context, const dunlin_transport *transport) {
    (void)context;
    counter c;
    const dunlin_transport t = counted(&c, transport);
    dunlin_world *world = part_on(&t);
    add_hawks(world, 9);
    const uint64_t hash = dunlin_world_state_hash(world);
    dunlin_interaction_def rules = dunlin_world_get_interaction(world, 0);
    const dunlin_kin before = rules.rules[DUNLIN_RULE_COHESION].kin;
    rules.rules[DUNLIN_RULE_COHESION].kin = DUNLIN_KIN_SAME_GROUP;
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    for (int i = 0; i < 2; i++) {
        REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "interaction 0 has a rule with kin");
        ASSERT_ON_RANK(dunlin_world_state_hash(world) == hash);
    }
    rules.rules[DUNLIN_RULE_COHESION].kin = before;
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    world_run(world, 1);
    ASSERT_ON_RANK(step_calls(&c, world) == WITH_LIFE);
    world_destroy(world);
}

TEST(a_first_step_may_fail) {
    dun_local_run(RANKS, fail_first, NULL);
}

/* ---- what callers change ----------------------------------------------------------------------------------------------- */

static void change_rule(dunlin_world *world) {
    dunlin_interaction_def rules = dunlin_world_get_interaction(world, 0);
    rules.rules[DUNLIN_RULE_COHESION].radius *= 0.9f;
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
}

static void spawn(dunlin_world *world) {
    const float at[] = {50, 50, 0}, still[3] = {0};
    world_spawn(world, 0, at, still);
}

static void scatter(dunlin_world *world) {
    world_scatter(world, 0, 10);
}

static void despawn(dunlin_world *world) {
    const uint32_t id = 7;
    ACCEPT(dunlin_world_despawn(world, &id, 1, &refusal));
}

static void gather(dunlin_world *world) {
    ACCEPT(dunlin_world_gather(world, &refusal));
    ACCEPT(dunlin_world_share(world, &refusal));
}

static void refuse(dunlin_world *world) {
    const uint32_t id = 987654;
    REFUSE(dunlin_world_despawn(world, &id, 1, &refusal), DUNLIN_ERROR_VALUE, "987654");
}

static void add_species(dunlin_world *world) {
    world_add_fliers(world, "more", 1);
}

/* More collective calls in the step after the change. All ranks know what they have added and removed; where definitions
 * change, one of them may have no memory for what follows. */
static const struct {
    void (*change)(dunlin_world *world);
    uint64_t more;
} changes[] = {{change_rule, 1}, {spawn, 0}, {scatter, 0}, {despawn, 0}, {gather, 1}, {refuse, 0}, {add_species, 1}};

static void count_after_changes(void *context, const dunlin_transport *transport) {
    (void)context;
    counter c;
    const dunlin_transport t = counted(&c, transport);
    dunlin_world *world = part_on(&t);
    world_run(world, 2);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        changes[i].change(world);
        const uint64_t first = step_calls(&c, world), second = step_calls(&c, world);
        if (first != PLAIN + changes[i].more || second != PLAIN)
            fail_msg("after change %zu steps make %llu and %llu collective calls", i, (unsigned long long)first,
                     (unsigned long long)second);
    }
    world_destroy(world);
}

TEST(only_what_is_not_known_is_counted_again) {
    dun_local_run(RANKS, count_after_changes, NULL);
}

/* Ranks compare their work every 32 steps, and cut again if they must. */
static void count_looks(void *context, const dunlin_transport *transport) {
    enum { LOOK = 32 };
    (void)context;
    counter c;
    const dunlin_transport t = counted(&c, transport);
    dunlin_world *world = part_on(&t);
    dun_cut_at_random(world, 0);
    ASSERT_ON_RANK(step_calls(&c, world) > PLAIN);
    for (int step = 1; step < 3 * LOOK; step++) {
        const uint64_t calls = step_calls(&c, world);
        ASSERT_ON_RANK(step % LOOK == 0 ? calls > PLAIN : calls == PLAIN);
    }
    world_destroy(world);
}

TEST(ranks_look_at_the_balance_every_32_steps) {
    dun_local_run(RANKS, count_looks, NULL);
}

/* ---- messages ---------------------------------------------------------------------------------------------------------- */

static void count_messages(void *context, const dunlin_transport *transport) {
    (void)context;
    counter c;
    const dunlin_transport t = counted(&c, transport);
    dunlin_world *world = part_on(&t);
    for (int step = 0; step < STEPS; step++) {
        c.messages = c.bytes = 0;
        world_run(world, 1);
        uint64_t all[] = {c.messages, c.bytes};
        transport->all_reduce(transport->context, all, 2);
        const dunlin_traffic traffic = dunlin_world_traffic(world);
        ASSERT_ON_RANK(traffic.messages == all[0] && traffic.bytes == all[1] && (step == 0 || all[1] > 0));
        /* an agent has four numbers, an id and an attribute, and a message begins with its piece's key and number of agents */
        ASSERT_ON_RANK(traffic.bytes == 24 * (traffic.halo + traffic.migrants) + 8 * traffic.messages || step == 0);
    }
    world_destroy(world);
}

TEST(messages_and_bytes_are_counted) {
    dun_local_run(RANKS, count_messages, NULL);
}

/* A flock in 3D: ranks have several pieces. Each has several tasks' hits. */
static dunlin_world *cube_on(const dunlin_transport *t, int threads) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    def.dimensions = 3;
    for (int a = 0; a < 3; a++) def.size[a] = 40;
    def.threads = threads;
    ACCEPT(dunlin_world_create_part(&def, t, &world, &refusal));
    dun_cut_at_random(world, 3);
    world_add_fliers(world, "flock", 1);
    world_add_fliers(world, "others", 2);
    world_add_flocking(world, 0, 0, 4);
    world_add_flocking(world, 1, 0, 3);
    world_add_flocking(world, 0, 1, 2);
    world_scatter(world, 0, 20000);
    world_scatter(world, 1, 16000);
    return world;
}

enum { CUBE_RANKS = 4, CUBE_STEPS = 4 };

typedef struct letters {
    int threads;
    uint64_t hash[CUBE_RANKS][CUBE_STEPS], bytes[CUBE_RANKS];
} letters;

static void hash_messages(void *context, const dunlin_transport *transport) {
    letters *of = context;
    counter c;
    const dunlin_transport t = counted(&c, transport);
    dunlin_world *world = cube_on(&t, of->threads);
    for (int step = 0; step < CUBE_STEPS; step++) {
        if (step == 2) world_scatter(world, 0, 6000); /* segments, besides pieces */
        world_run(world, 1);
        of->hash[t.rank][step] = c.hash;
    }
    of->bytes[t.rank] = c.bytes;
    world_destroy(world);
}

TEST(messages_do_not_depend_on_threads) {
    letters one = {.threads = 1};
    dun_local_run(CUBE_RANKS, hash_messages, &one);
    for (int r = 0; r < CUBE_RANKS; r++) assert_true(one.bytes[r] > 100000);
    for (int threads = 2; threads <= 5; threads += TEST_SLOW ? 3 : 1) {
        letters several = {.threads = threads};
        dun_local_run(CUBE_RANKS, hash_messages, &several);
        assert_memory_equal(one.bytes, several.bytes, sizeof one.bytes);
        assert_memory_equal(one.hash, several.hash, sizeof one.hash);
    }
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

/* Each rank has random agents before its first step, so most of them leave it; few of these are food that it still sees. */
static void reserve_gains(void *context, const dunlin_transport *t) {
    enum { CROWD = 20000 };
    (void)context;
    dunlin_world *world = part_on(t);
    add_hawks(world, 3);
    const int crowd = world_add_fliers(world, "crowd", 1);
    world_add_flocking(world, crowd, crowd, 0.5f);
    world_scatter(world, crowd, CROWD);
    world_run(world, 1);
    ASSERT_ON_RANK(world->cluster->gain_in_room < 2 * AGENTS);
    world_destroy(world);
}

TEST(gains_take_memory_for_food_only) {
    dun_local_run(RANKS, reserve_gains, NULL);
}

/* ---- the caller's sums ------------------------------------------------------------------------------------------------- */

static void bring(void *context, uint64_t numbers[DUNLIN_STEP_SUMS]) {
    const uint32_t *rank = context;
    ASSERT_ON_RANK(numbers[0] == 0 && numbers[DUNLIN_STEP_SUMS - 1] == 0);
    numbers[0] = 1;
    numbers[DUNLIN_STEP_SUMS - 1] = *rank;
}

static void sum_in_steps(void *context, const dunlin_transport *transport) {
    (void)context;
    counter c;
    const dunlin_transport t = counted(&c, transport);
    uint32_t rank = t.rank;
    dunlin_world *world = part_on(&t);
    world_run(world, 1);
    ASSERT_ON_RANK(dunlin_world_traffic(world).sums[0] == 0);
    if (rank > 0) ACCEPT(dunlin_world_sum_in_step(world, bring, &rank, &refusal));
    ASSERT_ON_RANK(step_calls(&c, world) == PLAIN);
    const dunlin_traffic traffic = dunlin_world_traffic(world);
    ASSERT_ON_RANK(traffic.sums[0] == RANKS - 1 && traffic.sums[DUNLIN_STEP_SUMS - 1] == RANKS * (RANKS - 1) / 2);
    ACCEPT(dunlin_world_sum_in_step(world, NULL, NULL, &refusal));
    ASSERT_ON_RANK(step_calls(&c, world) == PLAIN && dunlin_world_traffic(world).sums[0] == 0);
    world_destroy(world);
}

TEST(callers_sum_in_steps) {
    dun_local_run(RANKS, sum_in_steps, NULL);
}
