/* SPDX-License-Identifier: MIT */
/* Metrics of a flock in parts: the bits of one world, by a few kilobytes of messages, whatever agents see. */

#include "engine/cluster/cluster.h"
#include "tests/lib/local.h"
#include "tests/lib/ranks.h"

enum {
    MOST_RANKS = 7,
    STEPS = 3,
    SPECIES = 6,
    AGENTS = 20000,
    FEW = 1250,                            /* agents of all species but the flock */
    MOST_BYTES = SPECIES * 4096 + 40 * FEW /* that a rank gives to a measurement: totals, and 40 for each agent of the small
                                              species that asks others; gathering takes 40 for each agent of the flock */
};

enum { FLOCK, HAWKS, DRIFTERS, PICKY, LONELY, FAR };

/* ---- worlds in which the nearest agent is found in different ways ------------------------------------------------------ */

/*
 * A flock, with stragglers; hawks that see the flock alone; drifters that see nothing and are not sorted; a species that
 * selects its neighbours; one that has a radius far below the distances between agents; and two agents far from each other.
 */
static void furnish(dunlin_world *world) {
    static const char *const names[SPECIES] = {"flock", "hawks", "drifters", "picky", "lonely", "far"};
    static const uint32_t agents[SPECIES] = {AGENTS, 9, 400, 500, 300, 0};
    for (int s = 0; s < SPECIES; s++) world_add_fliers(world, names[s], 1.0f + (float)s);
    dunlin_interaction_def rules[] = {
        world_flocking_between(FLOCK, FLOCK, dunlin_world_get_def(world).dimensions == 3 ? 1.9f : 1.7f),
        world_flocking_between(HAWKS, FLOCK, 20), world_flocking_between(PICKY, PICKY, 6),
        world_flocking_between(LONELY, LONELY, 1e-3f), world_flocking_between(FAR, FAR, 2)};
    rules[2].nearest = 3;
    for (int i = 0; i < 5; i++) world_add_interaction(world, &rules[i]);
    for (int s = 0; s < SPECIES; s++) world_scatter(world, s, agents[s]);
    const dunlin_world_def def = dunlin_world_get_def(world);
    for (int i = 0; i < 2; i++) {
        const float share = i ? 0.95f : 0.05f;
        world_spawn(world, FAR, (const float[3]){share * def.size[0], share * def.size[1], share * def.size[2]},
                    (const float[3]){1, 0, 0});
    }
}

typedef struct measured_world {
    dunlin_world_def def;
    dunlin_metrics metrics[STEPS][SPECIES];
} measured_world;

static void step_measuring(dunlin_world *world, dunlin_metrics metrics[SPECIES]) {
    ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    world_run(world, 1);
    for (int s = 0; s < SPECIES; s++) ACCEPT(dunlin_world_measured(world, s, &metrics[s], &refusal));
}

/* In one world, before each step. */
static measured_world measure_alone(const dunlin_world_def *def) {
    static measured_world m;
    memset(&m, 0, sizeof m);
    m.def = *def;
    dunlin_world *world = world_create(def);
    furnish(world);
    for (int step = 0; step < STEPS; step++) {
        for (int s = 0; s < SPECIES; s++) ACCEPT(dunlin_world_measure(world, s, &m.metrics[step][s], &refusal));
        world_run(world, 1);
    }
    world_destroy(world);
    return m;
}

/* ---- a transport that counts ------------------------------------------------------------------------------------------- */

typedef struct counted {
    const dunlin_transport *of;
    uint64_t bytes; /* that this rank has given to others, if each gets its own */
} counted;

static void count_all_to_all(void *context, const uint64_t *out, uint64_t *in, uint32_t count) {
    counted *c = context;
    c->bytes += (uint64_t)count * c->of->ranks * sizeof *out;
    c->of->all_to_all(c->of->context, out, in, count);
}

static void count_exchange(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes) {
    counted *c = context;
    for (uint32_t r = 0; r < c->of->ranks; r++) c->bytes += out_bytes[r];
    c->of->exchange(c->of->context, out, out_bytes, in, in_bytes);
}

static void count_all_reduce(void *context, uint64_t *numbers, uint32_t count) {
    counted *c = context;
    c->bytes += (uint64_t)count * sizeof *numbers;
    c->of->all_reduce(c->of->context, numbers, count);
}

static void count_scan(void *context, uint64_t *numbers, uint32_t count) {
    counted *c = context;
    c->bytes += (uint64_t)count * sizeof *numbers;
    c->of->exclusive_scan(c->of->context, numbers, count);
}

static void count_broadcast(void *context, uint32_t root, void *bytes, uint64_t count) {
    counted *c = context;
    c->bytes += count;
    c->of->broadcast(c->of->context, root, bytes, count);
}

static dunlin_transport counting(counted *c) {
    dunlin_transport t = *c->of;
    t.context = c;
    t.all_to_all = count_all_to_all;
    t.exchange = count_exchange;
    t.all_reduce = count_all_reduce;
    t.exclusive_scan = count_scan;
    t.broadcast = count_broadcast;
    return t;
}

/* ---- in parts ---------------------------------------------------------------------------------------------------------- */

static dunlin_world *make_part(const dunlin_world_def *def, const dunlin_transport *t) {
    dunlin_world *world = NULL;
    ACCEPT(dunlin_world_create_part(def, t, &world, &refusal));
    furnish(world);
    return world;
}

/* Beside it another part steps without measuring, so that the difference is what measuring sends. */
static void measure_part(void *context, const dunlin_transport *t) {
    const measured_world *want = context;
    counted with = {.of = t}, without = {.of = t};
    const dunlin_transport one = counting(&with), other = counting(&without);
    dunlin_world *world = make_part(&want->def, &one), *plain = make_part(&want->def, &other);
    for (int step = 0; step < STEPS; step++) {
        dunlin_metrics got[SPECIES];
        with.bytes = without.bytes = 0;
        step_measuring(world, got);
        world_run(plain, 1);
        for (int s = 0; s < SPECIES; s++)
            if (memcmp(&got[s], &want->metrics[step][s], sizeof *got) != 0)
                fail_msg("%u ranks: other metrics of species %d in step %d: neighbours %a, %a; nearest %a, %a", t->ranks, s,
                         step, got[s].mean_neighbours, want->metrics[step][s].mean_neighbours, got[s].mean_nearest,
                         want->metrics[step][s].mean_nearest);
        if (want->def.boundary_first) continue;
        if (with.bytes > without.bytes + MOST_BYTES)
            fail_msg("%u ranks: measuring sends %llu bytes", t->ranks, (unsigned long long)(with.bytes - without.bytes));
    }
    ASSERT_ON_RANK(dunlin_world_state_hash(world) == dunlin_world_state_hash(plain));
    world_destroy(world);
    world_destroy(plain);
}

static dunlin_world_def def_of(int dimensions, dunlin_boundary boundary) {
    dunlin_world_def def =
        world_def_with((world_parts){.dimensions = dimensions, .boundary = boundary, .index = "grid", .threads = 2});
    for (int a = 0; a < 3; a++) def.size[a] = dimensions == 3 ? 30 : 100;
    return def;
}

static void measure_in_parts(const dunlin_world_def *def) {
    measured_world want = measure_alone(def);
    for (uint32_t ranks = 1; ranks <= MOST_RANKS; ranks++) dun_local_run(ranks, measure_part, &want);
}

TEST_EACH(parts_measure_the_same_bits_by_few_bytes, dimensions, 2, 4) {
    const dunlin_world_def periodic = def_of(dimensions, DUNLIN_BOUNDARY_PERIODIC);
    const dunlin_world_def reflecting = def_of(dimensions, DUNLIN_BOUNDARY_REFLECT);
    measure_in_parts(&periodic);
    measure_in_parts(&reflecting);
}

/* What is measured is the state before the boundary: the flock is gathered for that. */
TEST(a_boundary_that_comes_first_is_measured_on_one_rank) {
    dunlin_world_def def = def_of(2, DUNLIN_BOUNDARY_REFLECT);
    def.boundary_first = true;
    measure_in_parts(&def);
}
