/* SPDX-License-Identifier: MIT */
/* Checkpoints: what is saved is restored bit for bit, and what is damaged or does not fit is refused. test_restart.c has
 * simulations that continue. */
#include "engine/state/checkpoint.h"
#include "tests/lib/worlds.h"

typedef struct saved {
    size_t count;
    unsigned char *bytes;
} saved;

static saved save(const dunlin_world *world) {
    saved s = {.count = dunlin_world_saved_bytes(world)};
    s.bytes = malloc(s.count);
    assert_non_null(s.bytes);
    ACCEPT(dunlin_world_save_memory(world, s.bytes, s.count, &refusal));
    return s;
}

static dunlin_world *flock(uint32_t agents, int threads, const char *kernel) {
    const dunlin_world_def def = world_def_with((world_parts){.threads = threads, .kernel = kernel});
    return world_of(&def, 5, agents);
}

static dunlin_world *run(uint32_t agents, int steps) {
    dunlin_world *world = flock(agents, 1, "auto");
    world_run(world, steps);
    return world;
}

/* ---- there and back ---------------------------------------------------------------------------------------------------- */

TEST(a_world_goes_back_to_its_checkpoint) {
    dunlin_world *world = run(700, 10);
    const uint64_t before = dunlin_world_state_hash(world), generation = dunlin_world_generation(world);
    const saved s = save(world);
    world_run(world, 10);
    const uint64_t after = dunlin_world_state_hash(world);
    const uint32_t id = 3;
    ACCEPT(dunlin_world_despawn(world, &id, 1, &refusal));
    for (int round = 0; round < 2; round++) {
        ACCEPT(dunlin_world_restore_memory(world, s.bytes, s.count, &refusal));
        assert_true(dunlin_world_state_hash(world) == before && dunlin_world_stats(world).step == 10);
        assert_true(dunlin_world_generation(world) != generation);
        assert_int_equal(dunlin_world_find_agent(world, 3).species, 0);
        world_run(world, 10);
        assert_true(dunlin_world_state_hash(world) == after);
    }
    free(s.bytes);
}

TEST(a_checkpoint_has_the_same_bytes_again) {
    dunlin_world *world = run(300, 7), *other = flock(0, 3, "scalar");
    const saved s = save(world);
    ACCEPT(dunlin_world_restore_memory(other, s.bytes, s.count, &refusal));
    const saved again = save(other);
    assert_int_equal(s.count, again.count);
    assert_memory_equal(s.bytes, again.bytes, s.count);
    world_run_alike(world, other, 9);
    free(s.bytes);
    free(again.bytes);
}

TEST(an_empty_world_is_a_checkpoint_too) {
    dunlin_world *empty = flock(0, 1, "auto"), *world = run(40, 3);
    const saved s = save(empty);
    ACCEPT(dunlin_world_restore_memory(world, s.bytes, s.count, &refusal));
    assert_int_equal(dunlin_world_agent_count(world), 0);
    assert_int_equal(dunlin_world_stats(world).step, 0);
    free(s.bytes);
}

/* ---- what is refused --------------------------------------------------------------------------------------------------- */

/* Refuses the bytes and leaves the world as it was. */
static void refuse(dunlin_world *world, saved s, const char *words) {
    const uint64_t before = dunlin_world_state_hash(world), step = dunlin_world_stats(world).step;
    REFUSE(dunlin_world_restore_memory(world, s.bytes, s.count, &refusal), DUNLIN_ERROR_FILE, "checkpoint", words);
    assert_true(dunlin_world_state_hash(world) == before && dunlin_world_stats(world).step == step);
}

TEST(any_flipped_bit_is_refused) {
    dunlin_world *world = run(9, 3);
    const saved s = save(world);
    for (size_t byte = 0; byte < s.count; byte++)
        for (int bit = 0; bit < 8; bit++) {
            s.bytes[byte] ^= (unsigned char)(1 << bit);
            refuse(world, s, "the checkpoint");
            s.bytes[byte] ^= (unsigned char)(1 << bit);
        }
    free(s.bytes);
}

/* The copy has no byte to spare, so that a sanitizer sees a read behind its end. */
TEST(any_cut_is_refused) {
    dunlin_world *world = run(9, 3);
    const saved s = save(world);
    for (size_t count = 0; count < s.count; count++) {
        const saved cut = {count, malloc(count + !count)};
        assert_non_null(cut.bytes);
        memcpy(cut.bytes, s.bytes, count);
        refuse(world, cut, "cut short");
        free(cut.bytes);
    }
    free(s.bytes);
}

/* Offsets of the first species' section: behind the opening, the head's section and the head. */
enum { OPENING = 8, SECTION = 32, HEAD = 56, SPECIES = 72, SPECIES_SECTION = OPENING + SECTION + HEAD + SPECIES };
enum { NEXT_ID = OPENING + SECTION + 36, COLUMNS = SPECIES_SECTION + SECTION, SUM_SECTION = SECTION + 8 /* from the end */ };

static void put_checksum(unsigned char *bytes, const void *from, size_t count) {
    const uint64_t sum = dun_checksum(from, count);
    memcpy(bytes, &sum, sizeof sum);
}

static void seal_section(unsigned char *section, size_t count) {
    put_checksum(section + 16, section + SECTION, count);
    put_checksum(section + 24, section, 24);
}

/* Makes the checksums of a checkpoint of one species with one block right, and its sum, unless that is forged. */
static void seal(saved s, bool is_sum_forged) {
    uint64_t own[2], sum;
    unsigned char *const at_sum = s.bytes + s.count - SUM_SECTION;
    seal_section(s.bytes + OPENING, HEAD + SPECIES);
    seal_section(s.bytes + SPECIES_SECTION, s.count - COLUMNS - SUM_SECTION);
    memcpy(&own[0], s.bytes + OPENING + 24, 8);
    memcpy(&own[1], s.bytes + SPECIES_SECTION + 24, 8);
    sum = own[0] + own[1];
    if (!is_sum_forged) memcpy(at_sum + SECTION, &sum, 8);
    seal_section(at_sum, 8);
}

static void refuse_forged(size_t offset, const void *value, size_t size, const char *words) {
    dunlin_world *world = run(9, 3);
    const saved s = save(world);
    memcpy(s.bytes + offset, value, size);
    seal(s, offset == s.count - 8);
    refuse(world, s, words);
    free(s.bytes);
    world_destroy(world);
}

TEST(forged_numbers_are_refused) {
    enum { AGENTS = 9, COLUMN = 4 * AGENTS }; /* x, y, vx, vy, id */
    const float not_a_number = NAN, outside = 101, fast = 3e9f;
    const uint32_t twice = 1, large = 1000, many = UINT32_MAX;
    const uint64_t long_ago = UINT64_MAX;
    const double never = -1;
    refuse_forged(COLUMNS, &not_a_number, 4, "damaged: agent 0: position x");
    refuse_forged(COLUMNS + COLUMN + 4, &outside, 4, "damaged: agent 1: position y");
    refuse_forged(COLUMNS + 2 * COLUMN, &fast, 4, "damaged: agent 0: velocity x");
    refuse_forged(COLUMNS + 4 * COLUMN, &large, 4, "id 1000, which is not below the next id");
    refuse_forged(COLUMNS + 4 * COLUMN, &twice, 4, "two agents with id 1");
    refuse_forged(NEXT_ID, &twice, 4, "which is not below the next id");
    refuse_forged(OPENING + SECTION + 16, &long_ago, 8, "a step, time or id that no world has");
    refuse_forged(OPENING + SECTION + 24, &never, 8, "a step, time or id that no world has");
    refuse_forged(OPENING + SECTION + 48, &many, 4, "damaged in section 0");
    refuse_forged(OPENING + SECTION + 52, &many, 4, "damaged in section 0");
    refuse_forged(OPENING + SECTION + HEAD + 64, &many, 4, "cut short in section 1");
    refuse_forged(COLUMNS + 5 * COLUMN + SECTION, &long_ago, 8, "its sections come from different files");
    refuse_forged(6, &(uint16_t){7}, 2, "of another version than this library reads");
    refuse_forged(0, "Dunlin", 6, "begins as something else");
}

/* ---- definitions ------------------------------------------------------------------------------------------------------- */

typedef void change_fn(dunlin_world *world);

static void change_world(dunlin_world *world) {
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = 0.5f;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
}

static void change_species(dunlin_world *world) {
    dunlin_species_def def = dunlin_world_get_species(world, 0);
    def.obstacles_block = true;
    ACCEPT(dunlin_world_set_species(world, 0, &def, &refusal));
}

static void change_interaction(dunlin_world *world) {
    dunlin_interaction_def def = dunlin_world_get_interaction(world, 0);
    def.rules[DUNLIN_RULE_COHESION].weight = nextafterf(def.rules[DUNLIN_RULE_COHESION].weight, 2);
    ACCEPT(dunlin_world_set_interaction(world, 0, &def, &refusal));
}

static void add_behaviour(dunlin_world *world) {
    world_add_default(world, DUNLIN_BEHAVIOUR_WANDER);
}

static void add_path(dunlin_world *world) {
    static const float x[] = {1, 2}, y[] = {3, 4};
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = 2;
    def.points[0] = x;
    def.points[1] = y;
    world_add_path(world, &def);
}

static void add_field(dunlin_world *world) {
    world_add_field(world, NULL);
}

static void add_obstacle(dunlin_world *world) {
    static const dunlin_obstacle_def ball = {0, DUNLIN_OBSTACLE_BALL, {60, 60, 50}, {0}, 7};
    world_obstruct(world, &ball, 1);
}

TEST(an_other_definition_is_refused) {
    static change_fn *const changes[] = {change_world, change_species, change_interaction, add_behaviour,
                                         add_path,     add_field,      add_obstacle};
    dunlin_world *world = run(20, 2);
    const saved s = save(world);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        dunlin_world *other = run(30, 1);
        const uint64_t before = dunlin_world_fingerprint(other);
        assert_true(before == dunlin_world_fingerprint(world));
        changes[i](other);
        if (dunlin_world_fingerprint(other) == before) fail_msg("change %zu does not show", i);
        refuse(other, s, "other definitions");
        world_destroy(other);
    }
    free(s.bytes);
}

TEST(the_message_names_what_differs) {
    dunlin_world *world = run(20, 2);
    const saved s = save(world);
    const dunlin_world_def def = world_def_with((world_parts){.seed = 77});
    dunlin_world *other = world_of(&def, 5, 3);
    refuse(other, s, "the seed 1, and the world has 77");
    dunlin_species_def gulls = dunlin_species_def_default();
    gulls.name = "gulls";
    ACCEPT(dunlin_world_set_species(other, 0, &gulls, &refusal));
    refuse(other, s, "'agents' where the world has 'gulls'");
    ACCEPT(dunlin_world_set_species(
        other, 0, &(dunlin_species_def){WORLD_COOKIE, .name = "agents", .max_speed = 1, .body_of = -1}, &refusal));
    world_add_value(other, 0, "energy", DUNLIN_ROLE_VALUE, 1);
    refuse(other, s, "0 attributes of 'agents', and the world has 1");
    world_add_named(other, "terns");
    refuse(other, s, "1 species in 2D, and the world has 2 in 2D");
    free(s.bytes);
}

/* ---- sinks and sources ------------------------------------------------------------------------------------------------- */

typedef struct tap {
    size_t calls, passed;
} tap;

static bool take(void *context, const void *bytes, size_t count) {
    (void)bytes;
    (void)count;
    tap *t = context;
    return t->calls++ < t->passed;
}

TEST(a_sink_may_refuse_at_any_piece) {
    dunlin_world *world = run(20, 2);
    tap all = {.passed = SIZE_MAX};
    ACCEPT(dunlin_world_save_to(world, take, &all, &refusal));
    for (size_t passed = 0; passed < all.calls; passed++) {
        tap t = {.passed = passed};
        REFUSE(dunlin_world_save_to(world, take, &t, &refusal), DUNLIN_ERROR_FILE, "write() returned false");
        assert_int_equal(t.calls, passed + 1);
    }
}

TEST(room_for_all_bytes_is_needed) {
    dunlin_world *world = run(20, 2);
    char bytes[8];
    REFUSE(dunlin_world_save_memory(world, bytes, sizeof bytes, &refusal), DUNLIN_ERROR_VALUE,
           "count is 8: the checkpoint has");
}
