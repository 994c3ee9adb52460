/* SPDX-License-Identifier: MIT */
/*
 * A world with an allocator of the caller's: all of its memory comes from there, alone and in parts, and all of it goes back.
 * Holds keep what a world frees.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/lib/local.h"
#include "tests/lib/allocations.h"
#include "tests/lib/golden_worlds.h"
#include "tests/lib/ranks.h"

enum { RANKS = 3, ROOM = 4096 };
static const char state_path[] = "allocator.csv";

/* ---- an allocator that checks ------------------------------------------------------------------------------------------ */

typedef struct given {
    char *memory;
    size_t bytes, alignment;
} given;

typedef struct pool {
    given live[ROOM];
    size_t count, bytes;
    uint64_t asked, freed;
    uint64_t left; /* so many more calls succeed */
    _Atomic bool called;
} pool;

static void enter(pool *p) {
    ASSERT_ON_RANK(!atomic_exchange(&p->called, true));
}

static void leave(pool *p) {
    atomic_store(&p->called, false);
}

/* What it gives is full of numbers that are none. */
static void *take(void *user, size_t bytes, size_t alignment) {
    pool *p = user;
    enter(p);
    ASSERT_ON_RANK(bytes > 0 && alignment > 0 && alignment <= 4096 && (alignment & (alignment - 1)) == 0);
    ASSERT_ON_RANK(p->count < ROOM);
    const bool allowed = p->left > 0;
    p->left -= allowed;
    void *memory = allowed ? aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : NULL;
    if (memory) {
        memset(memory, 0xff, bytes);
        p->live[p->count++] = (given){memory, bytes, alignment};
        p->bytes += bytes;
        p->asked++;
    }
    leave(p);
    return memory;
}

static void give_back(void *user, void *memory, size_t bytes, size_t alignment) {
    pool *p = user;
    size_t i = 0;
    enter(p);
    while (i < p->count && p->live[i].memory != memory) i++;
    ASSERT_ON_RANK(i < p->count && p->live[i].bytes == bytes && p->live[i].alignment == alignment);
    p->live[i] = p->live[--p->count];
    p->bytes -= bytes;
    p->freed++;
    memset(memory, 0xff, bytes);
    free(memory);
    leave(p);
}

static pool *pool_new(dunlin_allocator *allocator) {
    pool *p = calloc(1, sizeof *p);
    p->left = UINT64_MAX;
    *allocator = (dunlin_allocator){take, give_back, p};
    return p;
}

static bool is_live(const pool *p, const void *memory) {
    bool found = false;
    for (size_t i = 0; i < p->count; i++)
        found =
            found || ((const char *)memory >= p->live[i].memory && (const char *)memory < p->live[i].memory + p->live[i].bytes);
    return found;
}

/* ---- where memory comes from ------------------------------------------------------------------------------------------- */

static dunlin_world *furnish(const golden_world *golden, const dunlin_allocator *allocator, const char *executor,
                             const dunlin_transport *transport) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    golden->define(&def);
    def.allocator = allocator;
    def.executor = executor;
    def.threads = strcmp(executor, "serial") == 0 ? 1 : 2;
    ACCEPT(dunlin_world_create_part(&def, transport, &world, &refusal));
    golden->furnish(world);
    return world;
}

static void simulate(const golden_world *golden, dunlin_world *world, bool is_whole) {
    golden_populate(golden, world);
    ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    world_run(world, 2);
    if (golden->grow && is_whole) golden->grow(world);
    world_run(world, 2);
}

/* All that a plain world can do besides. */
static void live_on(dunlin_world *world, dunlin_world *second) {
    static char saved[1 << 20];
    dunlin_metrics metrics;
    ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    ACCEPT(dunlin_world_load(second, state_path, &refusal));
    const uint32_t id = dunlin_world_view(world, 0).id[0];
    assert_int_equal(dunlin_world_find_agent(second, id).species, 0);
    ACCEPT(dunlin_world_save_memory(world, saved, sizeof saved, &refusal));
    if (dunlin_world_trace_count(world) > 0) /* files do not hold their numbers */
        ACCEPT(dunlin_world_restore_memory(second, saved, sizeof saved, &refusal));
    ACCEPT(dunlin_world_despawn(world, &id, 1, &refusal));
    world_run(world, 1);
    ACCEPT(dunlin_world_restore_memory(world, saved, sizeof saved, &refusal));
    world_run_alike(world, second, 1);
    remove(state_path);
}

static uint64_t run_alone(const golden_world *golden, const char *executor, bool has_pool) {
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_allocator allocator;
    pool *p = pool_new(&allocator);
    const dunlin_allocator *own = has_pool ? &allocator : NULL;
    allocations_watch();
    dunlin_world *world = furnish(golden, own, executor, &alone), *second = furnish(golden, own, executor, &alone);
    simulate(golden, world, true);
    live_on(world, second);
    const uint64_t hash = dunlin_world_state_hash(world);
    world_destroy(second);
    if (has_pool) assert_int_equal(dunlin_world_bytes(world), p->bytes);
    world_destroy(world);
    allocations_ignore();
    assert_true(has_pool ? p->asked > 50 : p->asked == 0);
    if (has_pool) assert_int_equal(allocations_asked(), p->asked);
    if (has_pool) assert_int_equal(allocations_freed(), p->freed);
    assert_int_equal(p->count, 0);
    free(p);
    return hash;
}

TEST_EACH(all_memory_comes_from_the_allocator, n, 0, GOLDEN_WORLDS) {
    static const char *const executors[] = {"serial", "pthreads", "auto"};
    if (golden_worlds[n].no_brute && TEST_SLOW) return;
    const uint64_t want = run_alone(&golden_worlds[n], "serial", false);
    assert_true(run_alone(&golden_worlds[n], executors[n % 3], true) == want);
}

static const golden_world *golden_on_ranks;
static _Atomic uint64_t asked_on_ranks;

static void run_on_rank(void *context, const dunlin_transport *transport) {
    pool *p = (pool *)context + transport->rank;
    const dunlin_allocator allocator = {take, give_back, p};
    dunlin_world *world = furnish(golden_on_ranks, &allocator, "pthreads", transport);
    simulate(golden_on_ranks, world, false);
    dunlin_world_state_hash(world);
    ACCEPT(dunlin_world_gather(world, &refusal));
    ACCEPT(dunlin_world_share(world, &refusal));
    world_run(world, 1);
    ASSERT_ON_RANK(dunlin_world_bytes(world) == p->bytes);
    world_destroy(world);
    ASSERT_ON_RANK(p->count == 0 && p->asked == p->freed);
    atomic_fetch_add(&asked_on_ranks, p->asked);
}

/* dun_local_run() asks the C library once. */
TEST(so_it_does_in_parts) {
    for (int n = 0; n < GOLDEN_WORLDS; n += TEST_SLOW ? 3 : 1) {
        golden_on_ranks = &golden_worlds[n];
        if (golden_refused_on_ranks(golden_on_ranks)) continue;
        pool *pools = calloc(RANKS, sizeof *pools);
        for (int r = 0; r < RANKS; r++) pools[r].left = UINT64_MAX;
        atomic_store(&asked_on_ranks, 0);
        allocations_watch();
        dun_local_run(RANKS, run_on_rank, pools);
        allocations_ignore();
        assert_int_equal(allocations_asked(), atomic_load(&asked_on_ranks) + 1);
        free(pools);
    }
}

TEST(an_allocator_without_memory) {
    dunlin_allocator allocator;
    pool *p = pool_new(&allocator);
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    def.allocator = &allocator;
    dunlin_result result = DUNLIN_ERROR_MEMORY;
    uint64_t calls = 0;
    for (; result == DUNLIN_ERROR_MEMORY; calls++) {
        p->left = calls;
        result = dunlin_world_create(&def, &world, &refusal);
        if (result) assert_true(!world && p->count == 0);
    }
    assert_int_equal(result, DUNLIN_OK);
    assert_true(calls > 3);
    p->left = 0;
    const dunlin_species_def species = dunlin_species_def_default();
    REFUSE(dunlin_world_add_species(world, &species, NULL, &refusal), DUNLIN_ERROR_MEMORY, "no memory for a species");
    p->left = UINT64_MAX;
    ACCEPT(dunlin_world_add_species(world, &species, NULL, &refusal));
    world_destroy(world);
    assert_int_equal(p->count, 0);
    free(p);
}

TEST(allocators_are_checked_and_kept) {
    dunlin_allocator allocator, other;
    pool *p = pool_new(&allocator), *q = pool_new(&other);
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    def.allocator = &(dunlin_allocator){take, NULL, p};
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.allocator has a function that is NULL");
    def.allocator = &(dunlin_allocator){NULL, give_back, p};
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.allocator has a function that is NULL");
    def.allocator = &allocator;
    ACCEPT(dunlin_world_create(&def, &world, &refusal));
    const dunlin_allocator before = allocator;
    allocator = other; /* it was copied */
    def = dunlin_world_get_def(world);
    assert_memory_equal(def.allocator, &before, sizeof before);
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def.allocator = NULL;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def.allocator = &other;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.allocator has changed");
    world_destroy(world);
    assert_true(p->asked > 0 && p->count == 0 && q->asked == 0);
    free(p);
    free(q);
}

/* ---- holds ------------------------------------------------------------------------------------------------------------- */

enum { MAX_HELD = 64 }; /* agents */

/* A hold, and what there was when it was made. */
typedef struct held {
    dunlin_hold *hold;
    const void *array[16];
    int arrays;
} held;

static void note(held *h, const void *array) {
    if (array) h->array[h->arrays++] = array;
}

static void hold_all(dunlin_world *world, held *h) {
    *h = (held){0};
    ACCEPT(dunlin_world_hold(world, &h->hold, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    for (int a = 0; a < 2; a++) note(h, view.position[a]);
    for (int a = 0; a < 2; a++) note(h, view.velocity[a]);
    note(h, view.id);
    note(h, view.attribute[0]);
    note(h, dunlin_world_get_species(world, 0).name);
    if (dunlin_world_field_count(world)) note(h, dunlin_world_field_view(world, 0).vectors[0]);
    if (dunlin_world_path_count(world)) note(h, dunlin_world_get_path(world, 0).points[0]);
}

static void expect_readable(const pool *p, const held *holds, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < holds[i].arrays; k++) assert_true(is_live(p, holds[i].array[k]));
}

static void add_or_remove(dunlin_world *world) {
    static const float points[] = {1, 2};
    const dunlin_field_def field = dunlin_field_def_default(world);
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = 2;
    path.points[0] = path.points[1] = points;
    if (dunlin_world_field_count(world)) {
        ACCEPT(dunlin_world_remove_field(world, 0, &refusal));
        ACCEPT(dunlin_world_remove_path(world, 0, &refusal));
    } else {
        world_add_field(world, &field);
        world_add_path(world, &path);
    }
}

static void change(dunlin_world *world, test_random *random) {
    dunlin_attribute_def value = dunlin_attribute_def_default();
    value.name = "value";
    switch (test_below(random, 4)) {
    case 0:
        world_scatter(world, 0, 1 + test_below(random, 300));
        break;
    case 1:
        add_or_remove(world);
        break;
    case 2:
        if (dunlin_world_attribute_count(world, 0))
            ACCEPT(dunlin_world_remove_attribute(world, 0, 0, &refusal));
        else
            world_add_attribute(world, &value);
        break;
    default:
        world_run(world, 1);
    }
}

/* Copies of what a view shows, and whether it still shows that. */
static void copy_view(const dunlin_world *world, dunlin_view *view, float copies[5][MAX_HELD]) {
    *view = dunlin_world_view(world, 0);
    assert_true(view->count <= MAX_HELD);
    const void *arrays[5] = {view->position[0], view->position[1], view->velocity[0], view->velocity[1], view->id};
    for (int i = 0; i < 5; i++) memcpy(copies[i], arrays[i], view->count * sizeof(float));
}

static void expect_copied(const dunlin_view *view, float copies[5][MAX_HELD]) {
    const void *arrays[5] = {view->position[0], view->position[1], view->velocity[0], view->velocity[1], view->id};
    for (int i = 0; i < 5; i++) assert_memory_equal(copies[i], arrays[i], view->count * sizeof(float));
}

/* Whatever happens then, and with the bits of a world without. */
TEST_EACH(what_is_held_keeps_its_numbers_once_arrays_are_replaced, round, 0, TEST_ROUNDS(20)) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of(&def, 3, 50), *plain = world_of(&def, 3, 50);
    test_random random = {100 + (uint64_t)round}, again = random;
    world_run(world, (int)test_below(&random, 3));
    world_run(plain, (int)test_below(&again, 3));
    dunlin_hold *hold;
    dunlin_view view;
    float copies[5][MAX_HELD];
    ACCEPT(dunlin_world_hold(world, &hold, &refusal));
    copy_view(world, &view, copies);
    ACCEPT(dunlin_world_replace_arrays(world, &refusal));
    assert_true(dunlin_world_generation(world) != view.generation);
    for (int step = 0; step < 10; step++) {
        change(world, &random);
        change(plain, &again);
        expect_copied(&view, copies);
    }
    assert_int_equal(dunlin_world_state_hash(world), dunlin_world_state_hash(plain));
    world_destroy(world);
    expect_copied(&view, copies);
    world_destroy(plain);
    dunlin_hold_release(hold);
}

/* Holds of random ages, of which the last ones outlive the world. */
TEST_EACH(what_is_held_stays_readable, round, 0, TEST_ROUNDS(40)) {
    enum { HOLDS = 5 };
    static test_random random = {77};
    dunlin_allocator allocator;
    pool *p = pool_new(&allocator);
    dunlin_world_def def = dunlin_world_def_default();
    def.allocator = &allocator;
    dunlin_world *world = world_of(&def, 3, 50);
    held holds[HOLDS];
    int count = 0;
    for (int step = 0; step < 60; step++) {
        if (count < HOLDS && test_below(&random, 3) == 0) hold_all(world, &holds[count++]);
        change(world, &random);
        expect_readable(p, holds, count);
        if (count == 0 || test_below(&random, 3)) continue;
        const uint32_t which = test_below(&random, (uint32_t)count);
        dunlin_hold_release(holds[which].hold);
        holds[which] = holds[--count];
        expect_readable(p, holds, count);
    }
    assert_int_equal(dunlin_world_bytes(world), p->bytes);
    world_destroy(world);
    expect_readable(p, holds, count);
    while (count > 0) dunlin_hold_release(holds[--count].hold);
    assert_int_equal(p->count, 0);
    free(p);
}

/* The last numbers of what the world has replaced, and no more memory than that. */
TEST(a_view_that_is_held_keeps_its_numbers) {
    dunlin_allocator allocator;
    pool *p = pool_new(&allocator);
    dunlin_world_def def = dunlin_world_def_default();
    def.allocator = &allocator;
    dunlin_world *world = world_of(&def, 3, 100);
    dunlin_hold *hold = NULL;
    ACCEPT(dunlin_world_hold(world, &hold, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    float x[100];
    memcpy(x, view.position[0], sizeof x);
    world_scatter(world, 0, 10000);
    assert_ptr_not_equal(dunlin_world_view(world, 0).position[0], view.position[0]);
    world_run(world, 3);
    assert_memory_equal(x, view.position[0], sizeof x);
    world_destroy(world);
    assert_memory_equal(x, view.position[0], sizeof x);
    dunlin_hold_release(hold);
    assert_int_equal(p->count, 0);
    free(p);
    dunlin_hold_release(NULL);
}

/* As a garbage collector does, while the world steps and grows. */
static void *release_later(void *hold) {
    dunlin_hold_release(hold);
    return NULL;
}

TEST(other_threads_release_holds) {
    enum { THREADS = 20 };
    dunlin_allocator allocator;
    pool *p = pool_new(&allocator);
    dunlin_world_def def = dunlin_world_def_default();
    def.allocator = &allocator;
    dunlin_world *world = world_of(&def, 3, 100);
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        dunlin_hold *hold = NULL;
        ACCEPT(dunlin_world_hold(world, &hold, &refusal));
        assert_int_equal(pthread_create(&threads[t], NULL, release_later, hold), 0);
        world_scatter(world, 0, 500);
        world_run(world, 1);
    }
    world_destroy(world);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    assert_int_equal(p->count, 0);
    free(p);
}
