/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint. The first byte chooses the world that restores it, and whether checksums and fingerprint are made right first,
 * so that what lies behind them is reached. A refused checkpoint leaves the world as it was. One that is restored gives the
 * same bytes again, and an equal world goes on from these with the same bits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/state/checkpoint.h"
#include "tests/fuzz/checks.h"

_Noreturn static void fail(const char *what, const char *message) {
    fprintf(stderr, "CHECK: %s%s\n", what, message);
    abort();
}

static void accept(dunlin_result result, const dunlin_error *error, const char *what) {
    if (result != DUNLIN_OK) fail(what, error->message);
}

/* Four kinds. */
static dunlin_world *make_world(unsigned kind) {
    dunlin_error error = {0};
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 1;
    def.dimensions = kind & 1 ? 3 : 2;
    dunlin_world *world = NULL;
    accept(dunlin_world_create(&def, &world, &error), &error, "a world: ");
    const dunlin_species_def species = dunlin_species_def_default();
    accept(dunlin_world_add_species(world, &species, NULL, &error), &error, "a species: ");
    dunlin_attribute_def attribute = dunlin_attribute_def_default();
    attribute.name = "energy";
    if (kind & 2) accept(dunlin_world_add_attribute(world, &attribute, NULL, &error), &error, "an attribute: ");
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = 1;
    if (kind & 2) accept(dunlin_world_add_behaviour(world, &seek, NULL, &error), &error, "a target: ");
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = 3;
    accept(dunlin_world_scatter(world, 0, &scatter, &error), &error, "agents: ");
    return world;
}

/* Makes the checksums right, and the fingerprint and seed the world's. */
static void seal(const dunlin_world *world, uint8_t *bytes, size_t size) {
    size_t at = sizeof(dun_opening);
    for (uint64_t number = 0; at + sizeof(dun_section) <= size; number++) {
        dun_section section;
        uint8_t *payload = bytes + at + sizeof section;
        memcpy(&section, bytes + at, sizeof section);
        const size_t left = size - at - sizeof section, count = section.bytes < left ? (size_t)section.bytes : left;
        if (number == 0 && count >= sizeof(dun_checkpoint_head)) {
            const uint64_t own[] = {dunlin_world_fingerprint(world), world->def.seed};
            memcpy(payload, own, sizeof own);
        }
        section.number = number;
        section.checksum = dun_checksum(payload, count);
        section.own_checksum = dun_section_checksum(&section);
        memcpy(bytes + at, &section, sizeof section);
        at += sizeof section + count;
    }
}

static void go_on_elsewhere(dunlin_world *world, unsigned kind) {
    dunlin_error error = {0};
    dunlin_world *again = make_world(kind);
    const size_t size = dunlin_world_saved_bytes(world);
    uint8_t *bytes = malloc(size);
    if (!bytes) fail("memory", "");
    accept(dunlin_world_save_memory(world, bytes, size, &error), &error, "what was restored cannot be saved: ");
    accept(dunlin_world_restore_memory(again, bytes, size, &error), &error, "what was saved is refused: ");
    if (dunlin_world_state_hash(again) != dunlin_world_state_hash(world)) fail("restored again it is another state", "");
    const dunlin_result result = dunlin_world_step(world, &error);
    check_answer(result, &error, "dunlin_world_step");
    if (dunlin_world_step(again, NULL) != result) fail("a step has another end", "");
    if (dunlin_world_state_hash(again) != dunlin_world_state_hash(world)) fail("a step leads to another state", "");
    free(bytes);
    dunlin_world_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const unsigned kind = data[0] & 3;
    dunlin_world *world = make_world(kind);
    const uint64_t before = dunlin_world_state_hash(world);
    uint8_t *bytes = malloc(size); /* of its own, so that a sanitizer sees each byte read beyond it */
    if (!bytes) fail("memory", "");
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 4) seal(world, bytes, size - 1);
    dunlin_error error = {0};
    const dunlin_result result = dunlin_world_restore_memory(world, bytes, size - 1, &error);
    check_answer(result, &error, "dunlin_world_restore_memory");
    if (result != DUNLIN_OK && dunlin_world_state_hash(world) != before)
        fail("a checkpoint that was refused has changed the state", "");
    check_agents(world);
    if (result == DUNLIN_OK) go_on_elsewhere(world, kind);
    check_agents(world);
    free(bytes);
    dunlin_world_destroy(world);
    return 0;
}
