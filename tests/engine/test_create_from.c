/* SPDX-License-Identifier: MIT */
/* Worlds that are created from saved definitions; test_restart.c has some that continue. */
#include "engine/state/definitions.h"
#include "engine/base/sections.h"
#include "tests/lib/golden_worlds.h"
#include "tests/lib/stream.h"
#include "tests/lib/worlds.h"

/* A source whose callbacks are those of another world. */
typedef struct source {
    stream stream; /* first: stream_put() and stream_take() get the source */
    const dunlin_world *callbacks;
    int connected;
} source;

static void connect(void *context, int behaviour, dunlin_behaviour_def *def) {
    source *s = context;
    const dunlin_behaviour_def own = dunlin_world_get_behaviour(s->callbacks, behaviour);
    assert_true(own.kind == def->kind && own.species == def->species);
    def->custom = own.custom;
    def->vital = own.vital;
    def->pairs.callback = own.pairs.callback;
    def->user = own.user;
    def->weight = 77; /* ignored */
    s->connected++;
}

static source save(const dunlin_world *world) {
    source s = {.callbacks = world};
    ACCEPT(dunlin_world_save_definitions_to(world, stream_put, &s, &refusal));
    return s;
}

static dunlin_world *furnished(void) {
    dunlin_world *world = world_without_agents(NULL, 5);
    dunlin_field_def field = dunlin_field_def_default(world);
    field.cells[0] = field.cells[1] = 3;
    world_add_field(world, &field);
    const dunlin_field_source swirl = dunlin_field_source_default(world, DUNLIN_FIELD_SWIRL);
    ACCEPT(dunlin_world_fill_field(world, 0, &swirl, &refusal));
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = 2;
    path.agents = (const uint32_t[]){3, 5};
    path.closed = true;
    world_add_path(world, &path);
    world_add_default(world, DUNLIN_BEHAVIOUR_SEEK);
    return world;
}

/* ---- there and back ---------------------------------------------------------------------------------------------------- */

/* A species becomes bodies of one that comes after it. */
TEST(bodies_may_come_before_their_cells) {
    dunlin_world *world = world_create(NULL), *other = NULL;
    const char *const names[] = {"giants", "bodies", "cells"};
    for (int s = 0; s < 3; s++) {
        dunlin_species_def species = dunlin_species_def_default();
        species.name = names[s];
        species.groups = s > 0 ? 4 : 0;
        world_add_species(world, &species);
    }
    for (int s = 0; s < 2; s++) {
        dunlin_species_def species = dunlin_world_get_species(world, s);
        species.body_of = s + 1;
        ACCEPT(dunlin_world_set_species(world, s, &species, &refusal));
    }
    source s = save(world);
    ACCEPT(dunlin_world_create_from(NULL, stream_take, connect, &s, &other, &refusal));
    assert_true(dunlin_world_fingerprint(other) == dunlin_world_fingerprint(world));
    assert_int_equal(dunlin_world_get_species(other, 0).body_of, 1);
    assert_int_equal(dunlin_world_get_species(other, 1).body_of, 2);
    free(s.stream.bytes);
    world_destroy(other);
}

TEST(every_golden_world_needs_only_its_file) {
    int connected = 0;
    for (int i = 0; i < GOLDEN_WORLDS; i++) {
        dunlin_world *world = golden_make(&golden_worlds[i], dunlin_world_def_default()), *other = NULL;
        golden_populate(&golden_worlds[i], world);
        world_run(world, 5);
        source s = save(world);
        ACCEPT(dunlin_world_save_to(world, stream_put, &s, &refusal));
        dunlin_world_def how = world_def_with((world_parts){.kernel = "scalar", .threads = 2});
        how.time_step = 0.125f; /* not read */
        ACCEPT(dunlin_world_create_from(&how, stream_take, connect, &s, &other, &refusal));
        assert_true(dunlin_world_fingerprint(other) == dunlin_world_fingerprint(world));
        assert_string_equal(dunlin_world_get_def(other).kernel, "scalar");
        assert_int_equal(dunlin_world_get_def(other).threads, 2);
        ACCEPT(dunlin_world_restore_from(other, stream_take, &s, &refusal));
        world_run(world, 5);
        world_run(other, 5);
        if (dunlin_world_state_hash(world) != dunlin_world_state_hash(other)) fail_msg("%s", golden_worlds[i].name);
        connected += s.connected;
        free(s.stream.bytes);
        world_destroy(world);
        world_destroy(other);
    }
    assert_true(connected > 0);
}

/* Also one that is longer than the pieces in which a file is read. */
TEST(fields_keep_their_vectors) {
    for (int cells = 3; cells <= 300; cells *= 10) {
        dunlin_world *world = furnished(), *other = NULL;
        dunlin_field_def def = dunlin_world_get_field(world, 0);
        def.cells[0] = def.cells[1] = cells;
        ACCEPT(dunlin_world_set_field(world, 0, &def, &refusal));
        const dunlin_field_source random = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
        ACCEPT(dunlin_world_fill_field(world, 0, &random, &refusal));
        source s = save(world);
        ACCEPT(dunlin_world_create_from(NULL, stream_take, NULL, &s, &other, &refusal));
        const dunlin_field_view left = dunlin_world_field_view(world, 0), right = dunlin_world_field_view(other, 0);
        const size_t bytes = (size_t)(cells * cells) * sizeof(float);
        assert_true(left.vectors[1][2] != 0);
        for (int a = 0; a < 2; a++) assert_memory_equal(left.vectors[a], right.vectors[a], bytes);
        free(s.stream.bytes);
        world_destroy(world);
        world_destroy(other);
    }
}

TEST(the_checksum_is_the_fingerprint) {
    dunlin_world *world = furnished();
    source s = save(world);
    dun_section section;
    memcpy(&section, s.stream.bytes + sizeof(dun_opening), sizeof section);
    assert_true(section.checksum == dunlin_world_fingerprint(world));
    assert_int_equal(section.bytes, s.stream.count - sizeof(dun_opening) - sizeof section);
    free(s.stream.bytes);
}

/* ---- what is refused --------------------------------------------------------------------------------------------------- */

static void refuse(source *s, const char *words) {
    dunlin_world *world = (dunlin_world *)s;
    s->stream.at = 0;
    REFUSE(dunlin_world_create_from(NULL, stream_take, NULL, s, &world, &refusal), DUNLIN_ERROR_FILE, "definitions", words);
    assert_null(world);
}

TEST(any_flipped_bit_is_refused) {
    dunlin_world *world = furnished();
    source s = save(world);
    for (size_t bit = 0; bit < 8 * s.stream.count; bit++) {
        s.stream.bytes[bit / 8] ^= (char)(1 << bit % 8);
        refuse(&s, "the definitions");
        s.stream.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(s.stream.bytes);
}

TEST(any_cut_is_refused) {
    dunlin_world *world = furnished();
    source s = save(world);
    while (s.stream.count > 0) {
        s.stream.count--;
        refuse(&s, "cut short");
    }
    free(s.stream.bytes);
}

/* Any number of the definitions, with right checksums: what is read is refused, or is a world with these definitions. */
TEST(forged_numbers_make_a_world_or_none) {
    static const uint32_t numbers[] = {0, 1, 2, 17, 0x7fffffff, 0xffffffff, 0x7fc00000, 0xbf800000};
    enum { HEAD = sizeof(dun_opening) + sizeof(dun_section), NUMBERS = sizeof numbers / sizeof *numbers };
    dunlin_world *world = furnished();
    source s = save(world);
    int taken = 0, refused = 0, lame = 0;
    for (size_t at = HEAD; at + 4 <= s.stream.count; at += 4) {
        char before[4];
        memcpy(before, s.stream.bytes + at, 4);
        for (int n = 0; n < NUMBERS; n++) {
            const size_t count = s.stream.count - HEAD;
            memcpy(s.stream.bytes + at, &numbers[n], 4);
            dun_section section = {.bytes = count, .checksum = dun_checksum(s.stream.bytes + HEAD, count)};
            section.own_checksum = dun_section_checksum(&section);
            memcpy(s.stream.bytes + sizeof(dun_opening), &section, sizeof section);
            dunlin_world *made = NULL;
            s.stream.at = 0;
            if (dunlin_world_create_from(NULL, stream_take, NULL, &s, &made, &refusal) == DUNLIN_OK) {
                taken++;
                assert_true(dunlin_world_fingerprint(made) == section.checksum);
                /* what only a step can check, such as groups that a rule needs */
                const dunlin_result stepped = dunlin_world_step(made, &refusal);
                assert_true(stepped == DUNLIN_OK || (stepped == DUNLIN_ERROR_VALUE && strlen(refusal.message) > 10));
                lame += stepped != DUNLIN_OK;
            } else {
                assert_true(strlen(refusal.message) > 10);
                refused++;
            }
            world_destroy(made);
        }
        memcpy(s.stream.bytes + at, before, 4);
    }
    assert_true(taken > 50 && refused > 50 && lame < taken / 4);
    free(s.stream.bytes);
}

TEST(a_callback_must_be_connected) {
    dunlin_world *world = furnished(), *made = world;
    dunlin_behaviour_def custom = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    custom.custom = (dunlin_tile_fn *)1; /* never called */
    world_add_behaviour(world, &custom);
    source s = save(world);
    REFUSE(dunlin_world_create_from(NULL, stream_take, NULL, &s, &made, &refusal), DUNLIN_ERROR_VALUE, "behaviour 1",
           "connect must set it");
    assert_null(made);
    free(s.stream.bytes);
}

TEST(a_sink_may_refuse_at_any_piece) {
    dunlin_world *world = furnished();
    stream all = {.bytes = NULL};
    ACCEPT(dunlin_world_save_definitions_to(world, stream_put, &all, &refusal));
    for (size_t piece = 1; piece <= all.pieces; piece++) {
        stream s = {.refuses = piece};
        REFUSE(dunlin_world_save_definitions_to(world, stream_put, &s, &refusal), DUNLIN_ERROR_FILE, "write() returned false");
        assert_int_equal(s.pieces, piece);
        free(s.bytes);
    }
    free(all.bytes);
}

TEST(an_unknown_kernel_is_named) {
    dunlin_world *made;
    source s = save(furnished());
    const dunlin_world_def how = world_def_with((world_parts){.kernel = "abacus"});
    REFUSE(dunlin_world_create_from(&how, stream_take, NULL, &s, &made, &refusal), DUNLIN_ERROR_UNSUPPORTED, "abacus");
    free(s.stream.bytes);
}
