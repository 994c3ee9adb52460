/* SPDX-License-Identifier: MIT */
/*
 * One state, bit for bit: for every kernel, every number of threads, in every build on every machine, and across save
 * and load. Each golden world has hashes below. They change only with a reason in CHANGELOG.md.
 */
#include <inttypes.h>

#include "engine/world/world.h"
#include "tests/lib/executors.h"
#include "tests/lib/golden_worlds.h"
#include "tests/lib/stream.h"

typedef struct golden {
    uint64_t grid;
    uint64_t tree;  /* differs: it stores agents, and so adds their sums, in another order */
    uint64_t brute; /* … which leaves them where they are */
} golden;

/* In the order of `golden_worlds`; 0: too many agents to compare all pairs. DUNLIN_PRINT_GOLDEN=1 makes the test print these
 * rows. */
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
    {0x85d161eab36a51ce, 0x48919ba37ee18d8d, 0xadf90e2f6e9b23d4}, /* elders */
    {0x0867fa7bc57274e6, 0x928dfa76fc0acb49, 0x8406cac65f590542}, /* packs */
    {0x59dab020edd6a169, 0x96ac2c1b59d05082, 0x237c342e70dfe448}, /* creatures */
    {0x7a8326c0f76182ad, 0x4d26c7239a89e8b3, 0x5d1542e620926f6f}, /* orbits */
    {0x569471c2f7b5a300, 0x0fc3d0830998ad8e, 0x61a81d1f56479948}, /* reserve */
    {0x86f0f559503eb2bf, 0x9800c09dbf08ee0b, 0x08a1b07790d095e5}, /* reserve in space */
};

_Static_assert(GOLDEN_WORLDS == sizeof goldens / sizeof *goldens, "every golden world has hashes");
enum { BRUTE_STEPS = 2 };

/* ---- running them ------------------------------------------------------------------------------------------------------- */

static bool is_brute(world_variant variant) {
    return strcmp(variant.index, "brute") == 0;
}

static int steps_of(const golden_world *s, world_variant variant) {
    return is_brute(variant) ? BRUTE_STEPS : s->steps;
}

static uint64_t golden_of(int number, world_variant variant) {
    if (strcmp(variant.index, "tree") == 0) return goldens[number].tree;
    return is_brute(variant) ? goldens[number].brute : goldens[number].grid;
}

typedef struct crew {
    int threads;
    const char *executor;
    dunlin_run_fn *run;
} crew;

static crew crew_of(int threads) {
    return (crew){threads, "auto", NULL};
}

static dunlin_world *empty_world(const golden_world *s, world_variant variant, crew by) {
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = by.threads;
    def.executor = by.executor;
    def.run = by.run;
    return golden_make(s, world_def_for(def, variant));
}

/* The first half of the steps, and the agents that are born then. */
static dunlin_world *half_run(const golden_world *s, world_variant variant, crew by) {
    dunlin_world *world = empty_world(s, variant, by);
    golden_populate(s, world);
    world_run(world, steps_of(s, variant) / 2);
    if (s->grow) s->grow(world);
    return world;
}

static void run_on(const golden_world *s, world_variant variant, dunlin_world *world) {
    world_run(world, steps_of(s, variant) - steps_of(s, variant) / 2);
}

static dunlin_world *after_run(const golden_world *s, world_variant variant, crew by) {
    dunlin_world *world = half_run(s, variant, by);
    run_on(s, variant, world);
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

static void assert_golden(int number, world_variant variant, crew by, uint64_t hash) {
    const uint64_t want = golden_of(number, variant);
    if (hash != want)
        fail_msg("%s, %s, %s, %s, %d threads: %016" PRIx64 " instead of %016" PRIx64, golden_worlds[number].name, variant.index,
                 variant.kernel, by.executor, by.threads, hash, want);
}

/* ---- one state --------------------------------------------------------------------------------------------------------- */

/* Twice where threads build the index together and the build is fast. Brute force only shares its tiles. */
static int runs_of(const golden_world *s, world_variant variant, int thread_counts) {
    if (is_brute(variant)) return s->no_brute ? 0 : thread_counts;
    return TEST_NIGHTLY ? 2 * thread_counts : thread_counts;
}

TEST_EACH(every_kernel_and_number_of_threads_gives_the_golden_state, number, 0, GOLDEN_WORLDS) {
    static const int threads[] = TEST_THREADS(1, 2, 3, 5, 8);
    enum { THREADS = sizeof threads / sizeof *threads };
    uint64_t order[WORLD_INDEXES] = {0};
    for (int v = 0; v < world_variant_count(); v++) {
        const world_variant variant = world_variant_at(v);
        for (int run = 0; run < runs_of(&golden_worlds[number], variant, THREADS); run++) {
            const crew by = crew_of(threads[run % THREADS]);
            dunlin_world *world = after_run(&golden_worlds[number], variant, by);
            assert_golden(number, variant, by, dunlin_world_state_hash(world));
            uint64_t *const first = &order[v % WORLD_INDEXES];
            if (*first == 0) *first = order_hash(world);
            assert_true(order_hash(world) == *first);
            world_destroy(world);
        }
    }
}

/* Worlds that choose their kernel let tiles of one frame have different ones. */
TEST_EACH(tiles_of_any_kernels_give_the_golden_state, number, 0, GOLDEN_WORLDS) {
    for (uint64_t seed = 1; seed <= TEST_EFFORT(1, 2, 4); seed++) {
        const world_variant variant = {"auto", world_indexes[seed % 2]};
        const crew by = crew_of(seed > 2 ? 3 : 1);
        dunlin_world *world = empty_world(&golden_worlds[number], variant, by);
        world->choice.shuffled = seed;
        golden_populate(&golden_worlds[number], world);
        world_run(world, steps_of(&golden_worlds[number], variant) / 2);
        if (golden_worlds[number].grow) golden_worlds[number].grow(world);
        run_on(&golden_worlds[number], variant, world);
        assert_golden(number, variant, by, dunlin_world_state_hash(world));
        world_destroy(world);
    }
}

/* Whether the library has this executor; it always has the others. */
static bool is_there(crew by) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    def.executor = by.executor;
    if (strcmp(by.executor, "openmp") != 0) return true;
    if (dunlin_world_create(&def, &world, NULL)) print_message("left out: openmp, which this library does not have\n");
    world_destroy(world);
    return world;
}

TEST(every_executor_gives_the_golden_state) {
    static const crew crews[] = {{0, "openmp", NULL},
                                 {0, "pthreads", NULL},
                                 {0, "serial", NULL},
                                 {0, "custom", run_on_scrambled_threads},
                                 {0, "auto", run_few_backwards}};
    static const int threads[] = TEST_THREADS(2, 3, 8);
    enum { CREWS = sizeof crews / sizeof *crews, THREADS = sizeof threads / sizeof *threads };
    for (size_t c = 0; c < CREWS; c++) {
        if (!is_there(crews[c])) continue;
        for (size_t run = 0; run < GOLDEN_WORLDS * THREADS * (TEST_NIGHTLY ? 2 : 1); run++) {
            const size_t number = run % GOLDEN_WORLDS, turn = run / GOLDEN_WORLDS;
            if (TEST_SLOW && !TEST_NIGHTLY && number % CREWS != c) continue; /* each world with one of them */
            const world_variant variant = {"auto", world_indexes[(number + c + turn / THREADS) % 2]};
            crew by = crews[c];
            by.threads = threads[turn % THREADS];
            dunlin_world *world = after_run(&golden_worlds[number], variant, by);
            assert_golden((int)number, variant, by, dunlin_world_state_hash(world));
            world_destroy(world);
        }
    }
}

/* By a file, unless there are traces, whose numbers files do not hold. */
static void carry(const dunlin_world *from, dunlin_world *to) {
    stream s = {.bytes = NULL};
    if (dunlin_world_trace_count(from) == 0) {
        ACCEPT(dunlin_world_save(from, "break.csv", &refusal));
        ACCEPT(dunlin_world_load(to, "break.csv", &refusal));
        return;
    }
    ACCEPT(dunlin_world_save_to(from, stream_put, &s, &refusal));
    ACCEPT(dunlin_world_restore_from(to, stream_take, &s, &refusal));
    free(s.bytes);
}

/* Saved by one kernel and number of threads, continued by another. */
static void a_break_changes_nothing(int number, const char *index) {
    const golden_world *s = &golden_worlds[number];
    const world_variant before = {"auto", index}, after = {"scalar", index};
    dunlin_world *unbroken = half_run(s, before, crew_of(3)), *loaded = empty_world(s, after, crew_of(1));
    carry(unbroken, loaded);
    assert_true(dunlin_world_state_hash(loaded) == dunlin_world_state_hash(unbroken));
    assert_true(order_hash(loaded) == order_hash(unbroken));
    run_on(s, before, unbroken);
    run_on(s, after, loaded);
    assert_golden(number, before, crew_of(3), dunlin_world_state_hash(unbroken));
    assert_golden(number, after, crew_of(1), dunlin_world_state_hash(loaded));
    assert_true(order_hash(loaded) == order_hash(unbroken));
    world_destroy(unbroken);
    world_destroy(loaded);
}

TEST_EACH(saved_and_loaded_worlds_run_on_with_the_same_bits, number, 0, GOLDEN_WORLDS) {
    for (int i = 0; i < WORLD_INDEXES; i++) {
        const world_variant variant = {"auto", world_indexes[i]};
        if (TEST_SLOW && i != number % WORLD_INDEXES) continue;
        if (runs_of(&golden_worlds[number], variant, 1) > 0) a_break_changes_nothing(number, variant.index);
    }
}

/* Otherwise the hashes would hold without any interaction. Whatever the lanes, some agents have no neighbour. */
TEST_EACH(in_every_scene_agents_see_each_other, number, 0, GOLDEN_WORLDS) {
    const world_variant variant = {"auto", "grid"};
    dunlin_world *world = after_run(&golden_worlds[number], variant, crew_of(2));
    const dunlin_stats stats = dunlin_world_stats(world);
    assert_true(stats.pairs_useful > 2 * stats.agents);
    for (int s = 0; s < dunlin_world_species_count(world); s++) assert_true(dunlin_world_view(world, s).count % 16 != 0);
}

/* ---- golden hashes ----------------------------------------------------------------------------------------------------- */

static uint64_t scalar_hash(const golden_world *s, const char *index) {
    const world_variant variant = {"scalar", index};
    if (s->no_brute && is_brute(variant)) return 0;
    dunlin_world *world = after_run(s, variant, crew_of(1));
    return world_end(world);
}

static void print_goldens(void) {
    for (int i = 0; i < GOLDEN_WORLDS; i++)
        printf("    {0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "}, /* %s */\n", scalar_hash(&golden_worlds[i], "grid"),
               scalar_hash(&golden_worlds[i], "tree"), scalar_hash(&golden_worlds[i], "brute"), golden_worlds[i].name);
}

int main(void) {
    if (getenv("DUNLIN_PRINT_GOLDEN")) {
        print_goldens();
        return 0;
    }
    return run_all_tests();
}
