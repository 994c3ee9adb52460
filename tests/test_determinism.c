/* SPDX-License-Identifier: MIT */
/*
 * One state, bit for bit: for every strict kernel, every number of threads, in every build on every machine, and across save
 * and load. Each scene has golden hashes below. They change only with a reason in CHANGELOG.md.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/effort.h"
#include "tests/worlds.h"

typedef struct golden {
    uint64_t grid;
    uint64_t tree;  /* differs: it stores agents, and so adds their sums, in another order, … */
    uint64_t brute; /* … which leaves them where they are */
} golden;

/* In the order of `scenes`; 0: too many agents to compare all pairs. DUNLIN_PRINT_GOLDEN=1 makes the test print these rows. */
static const golden goldens[] = {
    {0xbe741fb1135383ce, 0xb61958243c0914d0, 0xfaef89408b65e4d9}, /* flock */
    {0x4be187c5bef518fd, 0x5b7c0063a332cac8, 0x8c27ab6e20c948a7}, /* swarm */
    {0x3f288ab97e29828d, 0xd610bd8602a218b9, 0xefd7833d46d9f790}, /* teleport */
    {0x7883d8e4f8ea537d, 0x5b80caa5b8d265ef, 0xcf2ed0ea4d8698a8}, /* hunt */
    {0x106c0448b1e07470, 0x35a5977d80dd6832, 0x70192a8d35a36609}, /* clumps */
    {0xf3864876144139d7, 0x936b88c9442e090d, 0x4948f5cc5ba76999}, /* sketch */
    {0xd42e42eff301774f, 0xc06308b97fda1182, 0x3a54f33199be180d}, /* aquarium */
    {0x9a4cf8598b1ec3a0, 0x0e4600f2c9ab6948, 0x6e11ae83b64bc5c2}, /* strait */
    {0x4e90fc211d4bcc91, 0xe4b605f64c1d6ce2, 0xa2a9018cb5fc14c8}, /* brood */
    {0xdc735fc93e31a55a, 0xb17770800fa2fc8e, 0xd2c440db38d5dfd0}, /* colony */
    {0xdecbd02d54529834, 0xec9b20db566f729a, 0x0000000000000000}, /* multitude */
};

/* ---- scenes ------------------------------------------------------------------------------------------------------------ */

typedef struct scene {
    const char *name;
    void (*define)(dunlin_world_def *def);
    void (*furnish)(dunlin_world *world);  /* species and interactions */
    void (*populate)(dunlin_world *world); /* numbers of agents that leave the last group and tile incomplete */
    void (*grow)(dunlin_world *world);     /* after half of the steps; NULL: nobody is born */
    int steps;
    bool no_brute;
} scene;

static void set_size(dunlin_world_def *def, int dimensions, float x, float y, float z) {
    def->dimensions = dimensions;
    def->size[0] = x;
    def->size[1] = y;
    def->size[2] = z;
}

static dunlin_rule steer(float radius, float weight) {
    dunlin_rule rule = dunlin_interaction_def_default().rules[0];
    rule.radius = radius;
    rule.weight = weight;
    return rule;
}

static dunlin_rule direct(float radius, float weight, float limit) {
    dunlin_rule rule = steer(radius, weight);
    rule.response = DUNLIN_DIRECT;
    rule.limit = limit;
    return rule;
}

static dunlin_rule fading(dunlin_rule rule, dunlin_falloff falloff) {
    rule.falloff = falloff;
    return rule;
}

static int add_species(dunlin_world *world, const char *name, float min_speed, float max_speed) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = name;
    def.min_speed = min_speed;
    def.max_speed = max_speed;
    int species;
    ACCEPT(dunlin_world_add_species(world, &def, &species, &refusal));
    return species;
}

static dunlin_interaction_def between(int observer, int observed) {
    dunlin_interaction_def def = dunlin_interaction_def_default();
    def.observer = observer;
    def.observed = observed;
    return def;
}

static void add(dunlin_world *world, const dunlin_interaction_def *def) {
    ACCEPT(dunlin_world_add_interaction(world, def, &refusal));
}

static void scatter(dunlin_world *world, int species, uint32_t count) {
    dunlin_scatter_def def = dunlin_world_scatter_def_default(world);
    def.count = count;
    ACCEPT(dunlin_world_scatter(world, species, &def, &refusal));
}

static void scatter_ball(dunlin_world *world, int species, uint32_t count, float x, float y, float radius) {
    dunlin_scatter_def def = dunlin_world_scatter_def_default(world);
    def.region = DUNLIN_BALL;
    def.count = count;
    def.centre[0] = x;
    def.centre[1] = y;
    def.extent[0] = radius;
    ACCEPT(dunlin_world_scatter(world, species, &def, &refusal));
}

/* A flock on a torus, the radii nested as most flocks have them. */

static void define_flock(dunlin_world_def *def) {
    set_size(def, 2, 80, 50, 0);
    def->time_step = 0.5f;
}

static void furnish_flock(dunlin_world *world) {
    add_species(world, "dunlins", 0.3f, 1.2f);
    dunlin_interaction_def flock = between(0, 0);
    flock.rules[DUNLIN_SEPARATION] = steer(1.5f, 1.6f);
    flock.rules[DUNLIN_ALIGNMENT] = steer(4, 1);
    flock.rules[DUNLIN_COHESION] = steer(4, 0.9f);
    add(world, &flock);
}

static void populate_flock(dunlin_world *world) {
    scatter(world, 0, 1203);
}

/* Three radii in 3D, none of them another's. */

static void define_swarm(dunlin_world_def *def) {
    set_size(def, 3, 40, 30, 36);
    def->seed = 2;
}

static void furnish_swarm(dunlin_world *world) {
    add_species(world, "starlings", 0, 1);
    dunlin_interaction_def flock = between(0, 0);
    flock.rules[DUNLIN_SEPARATION] = steer(3, 1);
    flock.rules[DUNLIN_ALIGNMENT] = direct(5, 0.3f, 0.2f);
    flock.rules[DUNLIN_COHESION] = steer(7, 1);
    add(world, &flock);
}

static void populate_swarm(dunlin_world *world) {
    scatter(world, 0, 901);
}

/* Out on one side, in on the other, unseen across. */

static void define_teleport(dunlin_world_def *def) {
    set_size(def, 2, 60, 60, 0);
    def->boundary = DUNLIN_TELEPORT;
    def->margin = 2.5f;
}

static void furnish_teleport(dunlin_world *world) {
    add_species(world, "knots", 0.8f, 2);
    dunlin_interaction_def flock = between(0, 0);
    flock.rules[DUNLIN_SEPARATION] = fading(steer(3, 1.2f), DUNLIN_CONSTANT);
    flock.rules[DUNLIN_ALIGNMENT] = steer(3, 1);
    flock.rules[DUNLIN_COHESION] = steer(5, 0.5f);
    add(world, &flock);
}

static void populate_teleport(dunlin_world *world) {
    scatter(world, 0, 1107);
}

/* Prey flees hawks, a negative cohesion; hawks chase prey; nobody minds the drifters. */

static void define_hunt(dunlin_world_def *def) {
    set_size(def, 2, 80, 50, 0);
    def->boundary = DUNLIN_REFLECT;
    def->seed = 4;
}

static void furnish_hunt(dunlin_world *world) {
    const int prey = add_species(world, "prey", 0.2f, 1), hawks = add_species(world, "hawks", 0.5f, 1.5f);
    add_species(world, "drifters", 0, 3);
    dunlin_interaction_def flock = between(prey, prey), flee = between(prey, hawks), chase = between(hawks, prey);
    flock.rules[DUNLIN_SEPARATION] = direct(2, 0.05f, 0.5f);
    flock.rules[DUNLIN_ALIGNMENT] = direct(4, 0.1f, 0.25f);
    flock.rules[DUNLIN_COHESION] = direct(4, 0.01f, 0.1f);
    flock.order[0] = DUNLIN_COHESION;
    flock.order[2] = DUNLIN_SEPARATION;
    flee.rules[DUNLIN_COHESION] = direct(9, -0.2f, 0.8f);
    chase.rules[DUNLIN_COHESION] = steer(14, 1);
    chase.rules[DUNLIN_ALIGNMENT] = direct(14, 0.5f, 1);
    add(world, &flee);
    add(world, &flock);
    add(world, &chase);
}

static void populate_hunt(dunlin_world *world) {
    scatter(world, 0, 1013);
    scatter(world, 1, 21);
    scatter(world, 2, 35);
}

/* Clumps far apart, and one around the origin, where cells change sign. */

static void define_clumps(dunlin_world_def *def) {
    set_size(def, 2, 100, 100, 0);
    def->boundary = DUNLIN_OPEN;
    def->seed = 5;
}

static void furnish_clumps(dunlin_world *world) {
    add_species(world, "clumps", 0, 2);
    const dunlin_interaction_def flock = world_flocking_rules(3);
    add(world, &flock);
}

static void populate_clumps(dunlin_world *world) {
    scatter_ball(world, 0, 417, 0, 0, 12);
    scatter_ball(world, 0, 203, 5000, -70000, 8);
    scatter_ball(world, 0, 301, -1e6f, 3e5f, 10);
    scatter_ball(world, 0, 90, 5040, -70000, 6);
}

/* As sketches do it: rule by rule, forces added as they are, positions before velocities, around by a whole size. */

static void define_sketch(dunlin_world_def *def) {
    set_size(def, 2, 64, 36, 0);
    def->boundary = DUNLIN_TELEPORT;
    def->keep_overshoot = true;
    def->integrator = DUNLIN_EXPLICIT;
    def->forces_are_increments = true;
    def->time_step = 0.75f;
    def->seed = 6;
}

static void furnish_sketch(dunlin_world *world) {
    add_species(world, "boids", 0.1f, 2);
    dunlin_interaction_def flock = between(0, 0);
    flock.rules[DUNLIN_SEPARATION] = fading(direct(2, 0.05f, 1), DUNLIN_LINEAR);
    flock.rules[DUNLIN_ALIGNMENT] = direct(4, 0.125f, 1);
    flock.rules[DUNLIN_COHESION] = direct(6, 0.01f, 1);
    flock.order[0] = DUNLIN_COHESION;
    flock.order[1] = DUNLIN_SEPARATION;
    flock.order[2] = DUNLIN_ALIGNMENT;
    flock.in_turn = true;
    flock.ignore_coincident = true;
    add(world, &flock);
}

static void populate_sketch(dunlin_world *world) {
    scatter(world, 0, 999);
    scatter_ball(world, 0, 6, 20, 20, 0); /* all at one point */
}

/* Walls in 3D that act before anyone looks: states between steps lie outside. */

static void define_aquarium(dunlin_world_def *def) {
    set_size(def, 3, 30, 20, 16);
    def->boundary = DUNLIN_REFLECT;
    def->boundary_first = true;
    def->seed = 7;
}

static void furnish_aquarium(dunlin_world *world) {
    dunlin_species_def fish = dunlin_species_def_default();
    fish.max_force = 0.3f;
    fish.drag = 0.01f;
    ACCEPT(dunlin_world_add_species(world, &fish, NULL, &refusal));
    dunlin_interaction_def flock = between(0, 0);
    flock.rules[DUNLIN_SEPARATION] = fading(steer(2.5f, 1), DUNLIN_LINEAR);
    flock.rules[DUNLIN_ALIGNMENT] = steer(2.5f, 1);
    flock.rules[DUNLIN_COHESION] = steer(2.5f, -0.5f);
    add(world, &flock);
}

static void populate_aquarium(dunlin_world *world) {
    scatter(world, 0, 1201);
}

/* Less than three cells wide, so that runs meet themselves at the seam. */

static void define_strait(dunlin_world_def *def) {
    set_size(def, 3, 60, 13, 6);
    def->seed = 8;
}

static void furnish_strait(dunlin_world *world) {
    add_species(world, "terns", 0, 1);
    dunlin_interaction_def flock = between(0, 0);
    flock.rules[DUNLIN_SEPARATION] = fading(steer(4, 1.5f), DUNLIN_CONSTANT);
    flock.rules[DUNLIN_COHESION] = steer(5, 1);
    add(world, &flock);
}

static void populate_strait(dunlin_world *world) {
    scatter(world, 0, 517);
}

/* Agents are born between frames: to the end of the storage, whatever their ids. */

static void define_brood(dunlin_world_def *def) {
    set_size(def, 2, 50, 50, 0);
    def->seed = 9;
}

static void furnish_brood(dunlin_world *world) {
    for (int s = 0; s < 2; s++) {
        add_species(world, s == 0 ? "parents" : "young", 0, 1);
        dunlin_interaction_def flock = world_flocking_rules(4);
        flock.observer = flock.observed = s;
        add(world, &flock);
    }
    dunlin_interaction_def follow = between(1, 0);
    follow.rules[DUNLIN_COHESION] = steer(8, 1);
    add(world, &follow);
}

static void populate_brood(dunlin_world *world) {
    scatter(world, 0, 511);
    scatter(world, 1, 2);
}

static void grow_brood(dunlin_world *world) {
    enum { BORN = 37 };
    float x[BORN], y[BORN], v[BORN];
    uint32_t ids[BORN];
    uint64_t random = 9;
    for (uint32_t i = 0; i < BORN; i++) {
        x[i] = (float)(50 * world_random(&random));
        y[i] = (float)(50 * world_random(&random));
        v[i] = (float)(world_random(&random) - 0.5);
        ids[i] = 5000 - 11 * i;
    }
    const dunlin_batch batch = {.count = BORN, .position = {x, y}, .velocity = {v, v}, .ids = ids};
    for (int s = 0; s < 2; s++) {
        const uint32_t before = dunlin_world_view(world, s).count;
        ACCEPT(dunlin_world_spawn(world, s, &batch, NULL, &refusal));
        assert_memory_equal(dunlin_world_view(world, s).id + before, ids, sizeof ids);
        for (int i = 0; i < BORN; i++) ids[i] += 1; /* the other species' */
    }
    scatter(world, 1, 50);
}

/* Agents die, and are born of others, in the same and in another species. */

static void define_colony(dunlin_world_def *def) {
    set_size(def, 2, 60, 40, 0);
    def->seed = 11;
}

static void die_or_divide(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const uint64_t fate = tile->id[i] * 31u + tile->step * 17u;
        const float place[] = {tile->position[0][i], tile->position[1][i]};
        const float back[] = {-tile->velocity[0][i], -tile->velocity[1][i]};
        tile->dies[i] = fate % 23 == 0;
        if (fate % 19 == 0) dunlin_tile_spawn(tile, i, tile->species, place, back, NULL, NULL);
        if (fate % 41 == 0) dunlin_tile_spawn(tile, i, 1 - tile->species, place, back, NULL, NULL);
    }
}

static void furnish_colony(dunlin_world *world) {
    furnish_brood(world);
    for (int s = 0; s < 2; s++) {
        dunlin_behaviour_def life = dunlin_world_behaviour_def_default(world, DUNLIN_CUSTOM);
        life.species = s;
        life.custom = die_or_divide;
        ACCEPT(dunlin_world_add_behaviour(world, &life, NULL, &refusal));
    }
}

static void populate_colony(dunlin_world *world) {
    scatter(world, 0, 911);
    scatter(world, 1, 702);
}

/* Between frames, too. */
static void grow_colony(dunlin_world *world) {
    uint32_t ids[20];
    memcpy(ids, dunlin_world_view(world, 0).id + 100, sizeof ids);
    ACCEPT(dunlin_world_despawn(world, ids, 20, &refusal));
    scatter(world, 1, 30);
}

/* Enough agents that the sort goes by chunks and buckets, and that every thread has tiles to take. */

static void define_multitude(dunlin_world_def *def) {
    set_size(def, 2, 500, 500, 0);
    def->seed = 10;
}

static void furnish_multitude(dunlin_world *world) {
    add_species(world, "dunlins", 0.5f, 1);
    const dunlin_interaction_def flock = world_flocking_rules(2);
    add(world, &flock);
}

static void populate_multitude(dunlin_world *world) {
    scatter(world, 0, 40000);
    scatter_ball(world, 0, 10007, 100, 100, 60); /* so that tiles are not alike */
}

static const scene scenes[] = {
    {"flock", define_flock, furnish_flock, populate_flock, NULL, 8, false},
    {"swarm", define_swarm, furnish_swarm, populate_swarm, NULL, 5, false},
    {"teleport", define_teleport, furnish_teleport, populate_teleport, NULL, 10, false},
    {"hunt", define_hunt, furnish_hunt, populate_hunt, NULL, 10, false},
    {"clumps", define_clumps, furnish_clumps, populate_clumps, NULL, 10, false},
    {"sketch", define_sketch, furnish_sketch, populate_sketch, NULL, 6, false},
    {"aquarium", define_aquarium, furnish_aquarium, populate_aquarium, NULL, 8, false},
    {"strait", define_strait, furnish_strait, populate_strait, NULL, 6, false},
    {"brood", define_brood, furnish_brood, populate_brood, grow_brood, 10, false},
    {"colony", define_colony, furnish_colony, populate_colony, grow_colony, 10, false},
    {"multitude", define_multitude, furnish_multitude, populate_multitude, NULL, 2, true},
};
enum { SCENES = sizeof scenes / sizeof *scenes, BRUTE_STEPS = 2 };
_Static_assert(SCENES == sizeof goldens / sizeof *goldens, "every scene has golden hashes");

/* ---- flying them ------------------------------------------------------------------------------------------------------- */

static bool is_brute(world_variant variant) {
    return strcmp(variant.index, "brute") == 0;
}

static int steps_of(const scene *s, world_variant variant) {
    return is_brute(variant) ? BRUTE_STEPS : s->steps;
}

static uint64_t golden_of(int number, world_variant variant) {
    if (strcmp(variant.index, "tree") == 0) return goldens[number].tree;
    return is_brute(variant) ? goldens[number].brute : goldens[number].grid;
}

static dunlin_world *empty_world(const scene *s, world_variant variant, int threads) {
    dunlin_world_def def = dunlin_world_def_default();
    s->define(&def);
    def.threads = threads;
    def = world_def_for(def, variant);
    dunlin_world *world = world_create(&def);
    s->furnish(world);
    return world;
}

/* The first half of the steps, and the agents that are born then. */
static dunlin_world *half_flown(const scene *s, world_variant variant, int threads) {
    dunlin_world *world = empty_world(s, variant, threads);
    s->populate(world);
    world_fly(world, steps_of(s, variant) / 2);
    if (s->grow) s->grow(world);
    return world;
}

static void fly_on(const scene *s, world_variant variant, dunlin_world *world) {
    world_fly(world, steps_of(s, variant) - steps_of(s, variant) / 2);
}

static dunlin_world *flown(const scene *s, world_variant variant, int threads) {
    dunlin_world *world = half_flown(s, variant, threads);
    fly_on(s, variant, world);
    return world;
}

/* FNV-1a over the ids slot by slot: of the storage order, which the state's hash leaves out. */
static uint64_t order_hash(const dunlin_world *world) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count; i++) hash = (hash ^ view.id[i]) * 0x100000001b3u;
    }
    return hash;
}

static void assert_golden(int number, world_variant variant, int threads, uint64_t hash) {
    const uint64_t want = golden_of(number, variant);
    if (hash != want)
        fail_msg("%s, %s, %s, %d threads: %016" PRIx64 " instead of %016" PRIx64, scenes[number].name, variant.index,
                 variant.kernel, threads, hash, want);
}

/* ---- one state --------------------------------------------------------------------------------------------------------- */

/* Twice where threads build the index together, and a build is quick; brute force only has its tiles to share. */
static int runs_of(const scene *s, world_variant variant, int thread_counts) {
    if (is_brute(variant)) return s->no_brute ? 0 : thread_counts;
    return TEST_SLOW ? thread_counts : 2 * thread_counts;
}

static void every_kernel_and_number_of_threads_gives_the_golden_state(void **state) {
    (void)state;
    static const int threads[] = TEST_THREADS(1, 2, 3, 5, 8);
    enum { THREADS = sizeof threads / sizeof *threads };
    for (int number = 0; number < SCENES; number++) {
        uint64_t order[WORLD_INDEXES] = {0};
        for (int v = 0; v < world_variant_count(); v++) {
            const world_variant variant = world_variant_at(v);
            for (int run = 0; run < runs_of(&scenes[number], variant, THREADS); run++) {
                dunlin_world *world = flown(&scenes[number], variant, threads[run % THREADS]);
                assert_golden(number, variant, threads[run % THREADS], dunlin_world_state_hash(world));
                uint64_t *const first = &order[v % WORLD_INDEXES];
                if (*first == 0) *first = order_hash(world);
                assert_true(order_hash(world) == *first);
                dunlin_world_destroy(world);
            }
        }
    }
}

/* Saved by one kernel and number of threads, continued by another. */
static void a_break_changes_nothing(int number, const char *index) {
    const scene *s = &scenes[number];
    const world_variant before = {"auto", index}, after = {"scalar", index};
    dunlin_world *unbroken = half_flown(s, before, 3), *loaded = empty_world(s, after, 1);
    ACCEPT(dunlin_world_save(unbroken, "break.csv", &refusal));
    ACCEPT(dunlin_world_load(loaded, "break.csv", &refusal));
    assert_true(dunlin_world_state_hash(loaded) == dunlin_world_state_hash(unbroken));
    assert_true(order_hash(loaded) == order_hash(unbroken));
    fly_on(s, before, unbroken);
    fly_on(s, after, loaded);
    assert_golden(number, before, 3, dunlin_world_state_hash(unbroken));
    assert_golden(number, after, 1, dunlin_world_state_hash(loaded));
    assert_true(order_hash(loaded) == order_hash(unbroken));
    dunlin_world_destroy(unbroken);
    dunlin_world_destroy(loaded);
}

static void saved_and_loaded_worlds_fly_on_as_if_nothing_had_been(void **state) {
    (void)state;
    for (int number = 0; number < SCENES; number++) {
        for (int i = 0; i < WORLD_INDEXES; i++) {
            const world_variant variant = {"auto", world_indexes[i]};
            if (runs_of(&scenes[number], variant, 1) > 0) a_break_changes_nothing(number, variant.index);
        }
    }
}

/* Or the hashes would hold no matter what. And whatever the lanes, some have nobody. */
static void in_every_scene_agents_see_each_other(void **state) {
    (void)state;
    for (int number = 0; number < SCENES; number++) {
        const world_variant variant = {"auto", "grid"};
        dunlin_world *world = flown(&scenes[number], variant, 2);
        const dunlin_stats stats = dunlin_world_stats(world);
        assert_true(stats.pairs_useful > 2 * stats.agents);
        for (int s = 0; s < dunlin_world_species_count(world); s++) assert_true(dunlin_world_view(world, s).count % 16 != 0);
        dunlin_world_destroy(world);
    }
}

/* ---- golden hashes ----------------------------------------------------------------------------------------------------- */

static uint64_t scalar_hash(const scene *s, const char *index) {
    const world_variant variant = {"scalar", index};
    if (s->no_brute && is_brute(variant)) return 0;
    dunlin_world *world = flown(s, variant, 1);
    const uint64_t hash = dunlin_world_state_hash(world);
    dunlin_world_destroy(world);
    return hash;
}

static void print_goldens(void) {
    for (int i = 0; i < SCENES; i++)
        printf("    {0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "}, /* %s */\n", scalar_hash(&scenes[i], "grid"),
               scalar_hash(&scenes[i], "tree"), scalar_hash(&scenes[i], "brute"), scenes[i].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_and_number_of_threads_gives_the_golden_state),
        cmocka_unit_test(saved_and_loaded_worlds_fly_on_as_if_nothing_had_been),
        cmocka_unit_test(in_every_scene_agents_see_each_other),
    };
    if (getenv("DUNLIN_PRINT_GOLDEN")) {
        print_goldens();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
