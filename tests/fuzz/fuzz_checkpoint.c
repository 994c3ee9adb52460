/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint. The first byte chooses the world that restores it, and whether checksums and fingerprint are made right first,
 * so that what comes after them is reached. A refused checkpoint leaves the world as it was. One that is restored gives the
 * same bytes again, and an equal world continues from these with the same bits.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/state/checkpoint.h"
#include "tests/fuzz/checks.h"

/* Makes the checksums right, and the fingerprint and seed the world's. */
static void seal(const dunlin_world *world, uint8_t *bytes, size_t size) {
    const uint64_t own[] = {dunlin_world_fingerprint(world), world->def.seed};
    const size_t head = sizeof(dun_opening) + sizeof(dun_section);
    if (size >= head + sizeof(dun_checkpoint_head)) memcpy(bytes + head, own, sizeof own);
    check_seal_state(bytes, size, sizeof(dun_opening));
}

static void go_on_elsewhere(dunlin_world *world, unsigned kind) {
    dunlin_error error = {0};
    dunlin_world *again = check_make_world(kind);
    const size_t size = dunlin_world_saved_bytes(world);
    uint8_t *bytes = malloc(size);
    if (!bytes) check_fail("memory", "");
    check_accept(dunlin_world_save_memory(world, bytes, size, &error), &error, "what was restored cannot be saved: ");
    check_accept(dunlin_world_restore_memory(again, bytes, size, &error), &error, "what was saved is refused: ");
    if (dunlin_world_state_hash(again) != dunlin_world_state_hash(world)) check_fail("restored again it is another state", "");
    const dunlin_result result = dunlin_world_step(world, &error);
    check_answer(result, &error, "dunlin_world_step");
    if (dunlin_world_step(again, NULL) != result) check_fail("a step has another end", "");
    if (dunlin_world_state_hash(again) != dunlin_world_state_hash(world)) check_fail("a step leads to another state", "");
    free(bytes);
    dunlin_world_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const unsigned kind = data[0] & 3;
    dunlin_world *world = check_make_world(kind);
    const uint64_t before = dunlin_world_state_hash(world);
    uint8_t *bytes = check_copy(data + 1, size - 1);
    if (data[0] & 4) seal(world, bytes, size - 1);
    dunlin_error error = {0};
    const dunlin_result result = dunlin_world_restore_memory(world, bytes, size - 1, &error);
    check_answer(result, &error, "dunlin_world_restore_memory");
    if (result != DUNLIN_OK && dunlin_world_state_hash(world) != before)
        check_fail("a checkpoint that was refused has changed the state", "");
    check_agents(world);
    if (result == DUNLIN_OK) go_on_elsewhere(world, kind);
    check_agents(world);
    free(bytes);
    dunlin_world_destroy(world);
    return 0;
}
