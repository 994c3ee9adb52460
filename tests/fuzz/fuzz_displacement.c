/* SPDX-License-Identifier: MIT */
/*
 * Displacements, as a run's checkpoint has them. The first byte chooses the world that they are restored for, and whether
 * checksums are made right first, so that what comes after them is reached. What is restored gives the same bytes again, which
 * are restored to the same: both follow the world, and measure the same bits.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/sections.h"
#include "tests/fuzz/checks.h"

static dunlin_displacements measure(dunlin_displacement *d, const dunlin_world *world) {
    dunlin_error error = {0};
    dunlin_displacements measured;
    memset(&measured, 0, sizeof measured);
    check_accept(dunlin_displacement_follow(d, world, &error), &error, "what was restored cannot follow: ");
    check_accept(dunlin_displacement_measure(d, world, 0, &measured, &error), &error, "it cannot be measured: ");
    return measured;
}

/* It takes as many bytes as it was restored from, `size` at most. */
static void go_on(dunlin_displacement *d, dunlin_world *world, const uint8_t *bytes, size_t size) {
    dunlin_error error = {0};
    char *saved = malloc(size);
    if (!saved) check_fail("memory", "");
    dun_memory to = {.to = saved, .left = size};
    check_accept(dunlin_displacement_save_to(d, dun_memory_write, &to, &error), &error, "what was restored cannot be saved: ");
    if (memcmp(saved, bytes, size - to.left) != 0) check_fail("it is saved with other bytes", "");
    dunlin_displacement *again;
    dun_memory from = {.from = saved, .left = size - to.left};
    check_accept(dunlin_displacement_restore_from(world, &again, dun_memory_read, &from, &error), &error,
                 "what was saved is refused: ");
    check_accept(dunlin_world_step(world, &error), &error, "a step: ");
    const dunlin_displacements left = measure(d, world), right = measure(again, world);
    if (memcmp(&left, &right, sizeof left) != 0) check_fail("restored again it measures something else", "");
    dunlin_displacement_destroy(again);
    free(saved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    dunlin_world *world = check_make_world(data[0] & 1);
    uint8_t *bytes = check_copy(data + 1, size - 1);
    if (data[0] & 2) check_seal_all(bytes, size - 1);
    dunlin_error error = {0};
    dunlin_displacement *d;
    dun_memory from = {.from = (const char *)bytes, .left = size - 1};
    const dunlin_result result = dunlin_displacement_restore_from(world, &d, dun_memory_read, &from, &error);
    check_answer(result, &error, "dunlin_displacement_restore_from");
    if ((result == DUNLIN_OK) != (d != NULL)) check_fail("a refusal leaves something, or a success nothing", "");
    if (d) go_on(d, world, bytes, size - 1);
    dunlin_displacement_destroy(d);
    free(bytes);
    dunlin_world_destroy(world);
    return 0;
}
