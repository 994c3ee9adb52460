/* SPDX-License-Identifier: MIT */
/* Checkpoints that ranks write and read side by side: the bytes are those of a plain world, any other number of ranks continues
 * from them, and what is damaged is refused on all ranks. */
#include <stdlib.h>
#include <string.h>

#include <dunlin/cluster.h>
#include <dunlin/scenario.h>

#include "engine/base/sections.h"
#include "engine/cluster/cluster.h"
#include "engine/state/checkpoint.h"
#include "tests/lib/effort.h"
#include "tests/lib/files.h"
#include "tests/lib/local.h"
#include "tests/lib/random_scenario.h"
#include "tests/lib/ranks.h"

enum { BEFORE = 4, AFTER = 3 /* steps */, MOST_AGENTS = 8000 };
#define MOST_PAIRS UINT64_C(2000000)

/* A simulation, its checkpoint after some steps, and its hash after some more. */
typedef struct course {
    dunlin_scenario *scenario;
    unsigned char *plain, *parts; /* [bytes] */
    size_t bytes;
    uint64_t hash, seed;
} course;

static bool step_often(dunlin_simulation *simulation, int steps) {
    bool works = true;
    for (int step = 0; step < steps && works; step++) {
        const dunlin_stats stats = dunlin_world_stats(dunlin_simulation_world(simulation));
        works = dunlin_simulation_step(simulation, &refusal) == DUNLIN_OK && stats.agents < MOST_AGENTS &&
                stats.pairs_tested < MOST_PAIRS;
    }
    return works;
}

/* false: such a simulation cannot be run, or would take long. */
static bool run_alone(course *c) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_simulation *simulation;
    def.threads = 1;
    if (dunlin_simulation_create(c->scenario, &def, &simulation, &refusal)) return false;
    bool works = step_often(simulation, BEFORE);
    if (works) {
        c->bytes = dunlin_simulation_saved_bytes(simulation);
        c->plain = malloc(c->bytes);
        c->parts = calloc(1, c->bytes);
        assert_true(c->plain && c->parts);
        ACCEPT(dunlin_simulation_save_memory(simulation, c->plain, c->bytes, &refusal));
        works = step_often(simulation, AFTER);
        c->hash = dunlin_world_state_hash(dunlin_simulation_world(simulation));
    }
    dunlin_simulation_destroy(simulation);
    return works;
}

static bool put(void *context, const void *bytes, size_t count, uint64_t at) {
    const course *c = context;
    ASSERT_ON_RANK(at <= c->bytes && count <= c->bytes - at);
    memcpy(c->parts + at, bytes, count);
    return true;
}

static bool take(void *context, void *bytes, size_t count, uint64_t at) {
    const course *c = context;
    if (at > c->bytes || count > c->bytes - at) return false;
    memcpy(bytes, c->parts + at, count);
    return true;
}

static dunlin_simulation_def def_on(const dunlin_transport *t) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.threads = 1;
    def.transport = t;
    return def;
}

static void write_side_by_side(void *context, const dunlin_transport *t) {
    course *c = context;
    const dunlin_simulation_def def = def_on(t);
    dunlin_simulation *simulation;
    ACCEPT(dunlin_simulation_create(c->scenario, &def, &simulation, &refusal));
    dun_cut_at_random(dunlin_simulation_world(simulation), c->seed);
    for (int step = 0; step < BEFORE; step++) ACCEPT(dunlin_simulation_step(simulation, &refusal));
    ACCEPT(dunlin_simulation_save_parts(simulation, put, c, &refusal));
    dunlin_simulation_destroy(simulation);
}

static void read_side_by_side(void *context, const dunlin_transport *t) {
    course *c = context;
    const dunlin_simulation_def def = def_on(t);
    dunlin_simulation *simulation;
    ACCEPT(dunlin_simulation_open_parts(&def, take, c, NULL, &simulation, &refusal));
    dun_cut_at_random(dunlin_simulation_world(simulation), c->seed + 1);
    for (int step = 0; step < AFTER; step++) ACCEPT(dunlin_simulation_step(simulation, &refusal));
    ASSERT_ON_RANK(dunlin_world_state_hash(dunlin_simulation_world(simulation)) == c->hash);
    dunlin_simulation_destroy(simulation);
}

static void write_and_read(course *c) {
    static const uint32_t ranks[] = {1, 2, 3, 5};
    for (int r = 0; r < 4; r++) {
        memset(c->parts, 0, c->bytes);
        dun_local_run(ranks[r], write_side_by_side, c);
        assert_memory_equal(c->parts, c->plain, c->bytes);
        dun_local_run(ranks[(r + 1 + (int)(c->seed % 2)) % 4], read_side_by_side, c);
    }
}

static bool try_scenario(const char *text, uint64_t seed) {
    course c = {.seed = seed};
    ACCEPT(dunlin_scenario_open_text(text, strlen(text), NULL, &c.scenario, &refusal));
    const bool works = run_alone(&c);
    if (works) write_and_read(&c);
    dunlin_scenario_close(c.scenario);
    free(c.plain);
    free(c.parts);
    return works;
}

/* Species, attributes, groups, births, deaths, traces, in two and three dimensions. */
TEST(random_simulations_leave_the_bytes_of_plain_ones) {
    enum { SIMULATIONS = TEST_NIGHTLY ? 300 : TEST_SLOW ? 6 : 25 };
    int done = 0;
    for (uint64_t number = 0; done < SIMULATIONS; number++) {
        char *text = random_scenario(77, number, true);
        assert_non_null(text);
        done += try_scenario(text, number);
        free(text);
    }
}

/* ---- many blocks ------------------------------------------------------------------------------------------------------ */

enum { BLOCK = DUN_CHECKPOINT_BLOCK, MANY = 2 * BLOCK + 177, FEW = 5, RANKS = 3 };

/* A flock of three blocks, a few agents, and a species without any. */
static dunlin_world *make_flock(const dunlin_transport *t) {
    dunlin_world_def def = dunlin_world_def_default();
    const dunlin_interaction_def rules = world_flocking_rules(1);
    dunlin_world *world;
    def.size[0] = def.size[1] = 400;
    def.threads = 1;
    def.executor = "serial";
    ACCEPT(dunlin_world_create_part(&def, t, &world, &refusal));
    world_add_species(world, NULL);
    world_add_named(world, "few");
    world_add_named(world, "none");
    world_add_value(world, 0, "energy", DUNLIN_ROLE_VALUE, 1);
    world_add_interaction(world, &rules);
    return world;
}

/* Some of them after a step, so that they are a segment of their own. */
static void run_flock(dunlin_world *world) {
    world_scatter(world, 0, MANY);
    world_run(world, 2);
    world_scatter(world, 1, FEW);
    world_scatter(world, 0, BLOCK);
}

typedef struct flock {
    unsigned char *bytes, *parts; /* [count] */
    size_t count;
    uint64_t hash;
    int failing; /* the rank that cannot write, or reads other bytes; -1: none */
} flock;

static flock save_flock(void) {
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_world *world = make_flock(&alone);
    run_flock(world);
    flock f = {.count = dunlin_world_saved_bytes(world), .failing = -1};
    f.bytes = malloc(f.count);
    f.parts = calloc(1, f.count);
    assert_true(f.bytes && f.parts);
    ACCEPT(dunlin_world_save_memory(world, f.bytes, f.count, &refusal));
    world_run(world, 2);
    f.hash = dunlin_world_state_hash(world);
    world_destroy(world);
    return f;
}

static void free_flock(flock *f) {
    free(f->bytes);
    free(f->parts);
}

/* One rank's way to the bytes. */
typedef struct way {
    flock *f;
    const unsigned char *from;
    bool fails;
} way;

static bool put_flock(void *context, const void *bytes, size_t count, uint64_t at) {
    const way *w = context;
    ASSERT_ON_RANK(at <= w->f->count && count <= w->f->count - at);
    memcpy(w->f->parts + at, bytes, count);
    return !w->fails;
}

static bool take_flock(void *context, void *bytes, size_t count, uint64_t at) {
    const way *w = context;
    if (at > w->f->count || count > w->f->count - at) return false;
    memcpy(bytes, w->from + at, count);
    return true;
}

static void write_flock(void *context, const dunlin_transport *t) {
    way own = {.f = context};
    dunlin_world *world = make_flock(t);
    run_flock(world);
    ACCEPT(dunlin_world_save_parts(world, put_flock, &own, &refusal));
    world_run(world, 2);
    ASSERT_ON_RANK(dunlin_world_state_hash(world) == own.f->hash);
    world_destroy(world);
}

static void read_flock(void *context, const dunlin_transport *t) {
    way own = {.f = context, .from = ((flock *)context)->parts};
    dunlin_world *world = make_flock(t);
    ACCEPT(dunlin_world_restore_parts(world, take_flock, &own, &refusal));
    world_run(world, 2);
    ASSERT_ON_RANK(dunlin_world_state_hash(world) == own.f->hash);
    world_destroy(world);
}

TEST(flocks_of_many_blocks_go_from_ranks_to_ranks) {
    static const uint32_t ranks[] = {1, 2, 3, 5, 7};
    flock f = save_flock();
    for (int r = 0; r < 5; r++) {
        memset(f.parts, 0, f.count);
        dun_local_run(ranks[r], write_flock, &f);
        assert_memory_equal(f.parts, f.bytes, f.count);
        dun_local_run(ranks[(r + 2) % 5], read_flock, &f);
    }
    free_flock(&f);
}

/* ---- what is refused -------------------------------------------------------------------------------------------------- */

static bool is_in(const char *what) {
    return strstr(refusal.message, what);
}

/* All bytes of the head and of what follows it, some of the agents', and all of the last sections. */
static size_t next_place(size_t at, size_t count) {
    const bool is_inside = at > 360 && at + 80 < count;
    return at + (is_inside ? count / 41 : 1);
}

/* Flips bytes all over the checkpoint. Every rank refuses it, and keeps what it has. */
static void refuse_flipped(void *context, const dunlin_transport *t) {
    flock *f = context;
    way own = {.f = f, .from = f->parts};
    dunlin_world *world = make_flock(t);
    world_scatter(world, 0, 100);
    const uint64_t before = dunlin_world_state_hash(world);
    for (size_t at = 0; at < f->count; at = next_place(at, f->count)) {
        uint64_t ready = 1;
        if (t->rank == 0) f->parts[at] ^= (unsigned char)(1u << at % 8);
        t->all_reduce(t->context, &ready, 1);
        const dunlin_result result = dunlin_world_restore_parts(world, take_flock, &own, &refusal);
        if (result != DUNLIN_ERROR_FILE || !is_in("the checkpoint")) fail_msg("byte %zu is flipped, and not refused", at);
        ASSERT_ON_RANK(dunlin_world_state_hash(world) == before);
        if (t->rank == 0) f->parts[at] ^= (unsigned char)(1u << at % 8);
        t->all_reduce(t->context, &ready, 1);
    }
    ACCEPT(dunlin_world_restore_parts(world, take_flock, &own, &refusal));
    world_destroy(world);
}

TEST(a_byte_that_is_flipped_anywhere_is_refused_by_all) {
    flock f = save_flock();
    memcpy(f.parts, f.bytes, f.count);
    dun_local_run(RANKS, refuse_flipped, &f);
    free_flock(&f);
}

/* One rank reads `f.parts`: the same flock but for one number, with checksums that fit. */
static void read_others(void *context, const dunlin_transport *t) {
    flock *f = context;
    way own = {.f = f, .from = (int)t->rank == f->failing ? f->parts : f->bytes};
    dunlin_world *world = make_flock(t);
    REFUSE(dunlin_world_restore_parts(world, take_flock, &own, &refusal), DUNLIN_ERROR_FILE, "different files");
    world_destroy(world);
}

static void change_velocity(dunlin_world *world, uint32_t slot) {
    static const float x[] = {0.0625f}, y[] = {0};
    dunlin_write write = dunlin_write_default();
    write.count = 1;
    write.slots = &slot;
    write.velocity[0] = x;
    write.velocity[1] = y;
    ACCEPT(dunlin_world_write(world, &write, &refusal));
}

TEST(ranks_that_read_different_files_are_refused) {
    flock f = save_flock();
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_world *world = make_flock(&alone);
    for (int failing = 0; failing < RANKS; failing++) {
        const uint32_t slots[RANKS] = {1, BLOCK + 1, 2 * BLOCK + 1};
        ACCEPT(dunlin_world_restore_memory(world, f.bytes, f.count, &refusal));
        change_velocity(world, slots[failing]);
        ACCEPT(dunlin_world_save_memory(world, f.parts, f.count, &refusal));
        f.failing = failing;
        dun_local_run(RANKS, read_others, &f);
    }
    world_destroy(world);
    free_flock(&f);
}

/* A sink that fails on one rank fails on all, and the flock is as it was. */
static void fail_to_write(void *context, const dunlin_transport *t) {
    flock *f = context;
    way own = {.f = f, .fails = (int)t->rank == f->failing};
    dunlin_world *world = make_flock(t);
    run_flock(world);
    REFUSE(dunlin_world_save_parts(world, put_flock, &own, &refusal), DUNLIN_ERROR_FILE, "write() returned false");
    world_run(world, 2);
    ASSERT_ON_RANK(dunlin_world_state_hash(world) == f->hash);
    world_destroy(world);
}

TEST(a_sink_that_fails_on_one_rank_fails_on_all) {
    flock f = save_flock();
    for (f.failing = 0; f.failing < RANKS; f.failing++) dun_local_run(RANKS, fail_to_write, &f);
    free_flock(&f);
}

/* Makes all checksums and the sum right again. */
static void seal(unsigned char *bytes, size_t count) {
    uint64_t sum = 0;
    dun_section section;
    for (size_t at = sizeof(dun_opening); at < count; at += sizeof section + section.bytes) {
        memcpy(&section, bytes + at, sizeof section);
        if (at + sizeof section + sizeof sum == count) memcpy(bytes + at + sizeof section, &sum, sizeof sum);
        section.checksum = dun_checksum(bytes + at + sizeof section, section.bytes);
        section.own_checksum = dun_section_checksum(&section);
        sum += section.own_checksum;
        memcpy(bytes + at, &section, sizeof section);
    }
}

/* Where the id of the first agent of a block of the first species is. */
static size_t id_at(const unsigned char *bytes, int block) {
    size_t at = sizeof(dun_opening);
    dun_section section;
    for (int before = -1; before < block; before++) {
        memcpy(&section, bytes + at, sizeof section);
        at += sizeof section + section.bytes;
    }
    return at + sizeof section + 4 * (size_t)BLOCK * sizeof(uint32_t);
}

static void refuse_twins(void *context, const dunlin_transport *t) {
    way own = {.f = context, .from = ((flock *)context)->parts};
    dunlin_world *world = make_flock(t);
    REFUSE(dunlin_world_restore_parts(world, take_flock, &own, &refusal), DUNLIN_ERROR_FILE, "two agents with id ");
    world_destroy(world);
}

/* In blocks that different ranks read, and in one. */
TEST_EACH(two_agents_with_one_id_are_refused, block, 0, 3) {
    flock f = save_flock();
    memcpy(f.parts, f.bytes, f.count);
    memcpy(f.parts + id_at(f.parts, block) + 4, f.parts + id_at(f.parts, 0), 4);
    seal(f.parts, f.count);
    for (uint32_t ranks = 1; ranks <= RANKS; ranks++) dun_local_run(ranks, refuse_twins, &f);
    free_flock(&f);
}

static void use_while_gathered(void *context, const dunlin_transport *t) {
    way own = {.f = context, .from = ((flock *)context)->bytes};
    dunlin_world *world = make_flock(t);
    world_scatter(world, 0, 100);
    REFUSE(dunlin_world_save_parts(world, NULL, &own, &refusal), DUNLIN_ERROR_VALUE, "write is NULL");
    REFUSE(dunlin_world_restore_parts(world, NULL, &own, &refusal), DUNLIN_ERROR_VALUE, "read is NULL");
    ACCEPT(dunlin_world_gather(world, &refusal));
    REFUSE(dunlin_world_save_parts(world, put_flock, &own, &refusal), DUNLIN_ERROR_VALUE, "the flock is gathered");
    REFUSE(dunlin_world_restore_parts(world, take_flock, &own, &refusal), DUNLIN_ERROR_VALUE, "the flock is gathered");
    ACCEPT(dunlin_world_share(world, &refusal));
    world_destroy(world);
}

TEST(parts_of_a_flock_that_is_gathered_are_refused) {
    flock f = save_flock();
    dun_local_run(RANKS, use_while_gathered, &f);
    free_flock(&f);
}

/* ---- version 1 -------------------------------------------------------------------------------------------------------- */

static bool append(void *context, const void *bytes, size_t count) {
    course *c = context;
    memcpy(c->parts + c->bytes, bytes, count);
    c->bytes += count;
    return true;
}

/* version_1.ckpt: six steps of everything.yaml with 24 agents per species, by the program before there were blocks. Its first
 * section, the scenario's path, says where that is here: a fresh simulation reads the files beside it. */
static course read_version_1(void) {
    enum { ROOM = 1 << 16 };
    static const char path[] = DUNLIN_TESTS_DIR "/files/everything.yaml";
    static unsigned char bytes[ROOM];
    course c = {.parts = malloc(2 * ROOM)};
    dun_section first;
    FILE *file = fopen(DUNLIN_TESTS_DIR "/files/version_1.ckpt", "rb");
    assert_true(c.parts && file);
    const size_t count = fread(bytes, 1, ROOM, file);
    fclose(file);
    memcpy(&first, bytes + sizeof(dun_opening), sizeof first);
    const size_t rest = sizeof(dun_opening) + sizeof first + (size_t)first.bytes;
    assert_true(rest < count && count < ROOM && sizeof path < ROOM);
    append(&c, bytes, sizeof(dun_opening));
    dun_section_write(append, &c, 0, path, strlen(path));
    append(&c, bytes + rest, count - rest);
    return c;
}

TEST(checkpoints_of_version_1_are_read) {
    enum { SAVED = 6 };
    const dunlin_simulation_def def = def_on(NULL);
    course c = read_version_1();
    dunlin_simulation *simulation, *fresh;
    ACCEPT(dunlin_simulation_open_memory(&def, c.parts, c.bytes, &c.scenario, &simulation, &refusal));
    assert_int_equal(dunlin_world_stats(dunlin_simulation_world(simulation)).step, SAVED);
    dunlin_simulation_destroy(simulation);
    ACCEPT(dunlin_simulation_create(c.scenario, &def, &fresh, &refusal));
    for (int step = 0; step < SAVED + AFTER; step++) ACCEPT(dunlin_simulation_step(fresh, &refusal));
    c.hash = dunlin_world_state_hash(dunlin_simulation_world(fresh));
    dunlin_simulation_destroy(fresh);
    for (uint32_t ranks = 1; ranks <= RANKS; ranks++) dun_local_run(ranks, read_side_by_side, &c);
    dunlin_scenario_close(c.scenario);
    free(c.parts);
}
