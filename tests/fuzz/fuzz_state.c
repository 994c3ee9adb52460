/* SPDX-License-Identifier: MIT */
/*
 * A state file. The first byte chooses the world that reads it. A refused file leaves the world as it was. A file that is read
 * is written, read again, and gives the same state.
 */
#include "engine/state/state.h"
#include "tests/fuzz/checks.h"
#include "engine/world/world.h"

#include <stdio.h>
#include <stdlib.h>

static void add_species(dunlin_world *world, const char *name, const char *attribute) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = name;
    int species;
    if (dunlin_world_add_species(world, &def, &species, NULL) != DUNLIN_OK) check_fail("species ", name);
    if (!attribute) return;
    dunlin_attribute_def own = dunlin_attribute_def_default();
    own.species = species;
    own.name = attribute;
    if (dunlin_world_add_attribute(world, &own, NULL, NULL) != DUNLIN_OK) check_fail("attribute ", attribute);
}

static void add_target(dunlin_world *world) {
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = 1;
    if (dunlin_world_add_behaviour(world, &seek, NULL, NULL) != DUNLIN_OK) check_fail("a target", "");
}

/* Eight kinds; half of them have agents already. */
static dunlin_world *make_world(unsigned kind) {
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 1;
    def.dimensions = kind & 1 ? 3 : 2;
    def.boundary = kind & 2 ? DUNLIN_BOUNDARY_OPEN : DUNLIN_BOUNDARY_PERIODIC;
    dunlin_world *world;
    if (dunlin_world_create(&def, &world, NULL) != DUNLIN_OK) check_fail("a world", "");
    add_species(world, "agents", kind & 2 ? "energy" : NULL);
    if (kind & 2) add_species(world, "b", "age");
    if (kind & 1) add_target(world);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = kind & 4 ? 3 : 0;
    if (dunlin_world_scatter(world, 0, &scatter, NULL) != DUNLIN_OK) check_fail("agents", "");
    return world;
}

/* An equal, empty world continues from the saved state, with the same bits. */
static void go_on_elsewhere(dunlin_world *world, unsigned kind) {
    dunlin_error error = {0};
    dunlin_world *again = make_world(kind & ~4u);
    if (dunlin_world_save(world, check_scratch_file(0), &error) != DUNLIN_OK)
        check_fail("what was read cannot be saved: ", error.message);
    if (dunlin_world_load(again, check_scratch_file(0), &error) != DUNLIN_OK)
        check_fail("what was saved is refused: ", error.message);
    remove(check_scratch_file(0));
    if (dunlin_world_state_hash(again) != dunlin_world_state_hash(world)) check_fail("read again it is another state", "");
    const dunlin_result result = dunlin_world_step(world, &error);
    check_answer(result, &error, "dunlin_world_step");
    if (dunlin_world_step(again, NULL) != result) check_fail("a step has another end", "");
    if (dunlin_world_state_hash(again) != dunlin_world_state_hash(world)) check_fail("a step leads to another state", "");
    dunlin_world_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const unsigned kind = data[0] & 7;
    dunlin_world *world = make_world(kind);
    const uint64_t before = dunlin_world_state_hash(world);
    dunlin_error error = {0};
    const dunlin_result result = dun_state_read(world, "fuzz.csv", (const char *)data + 1, size - 1, &error);
    check_answer(result, &error, "dun_state_read");
    if (result != DUNLIN_OK && dunlin_world_state_hash(world) != before)
        check_fail("a file that was refused has changed the state", "");
    /* Twice, because numbers have all their digits only after a step. */
    for (int i = 0; i < 2 && result == DUNLIN_OK; i++) {
        check_agents(world);
        go_on_elsewhere(world, kind);
    }
    check_agents(world);
    dunlin_world_destroy(world);
    return 0;
}
