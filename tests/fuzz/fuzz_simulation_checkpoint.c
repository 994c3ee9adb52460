/* SPDX-License-Identifier: MIT */
/*
 * A simulation's checkpoint. If the first byte is odd, checksums and fingerprint are made right first, so that what comes after
 * them is reached: the scenario, the definitions, the state. A simulation that is opened is saved and opened again, and both
 * take the same steps. The work is bounded: large fields are refused, and simulations with many births do not run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dunlin/scenario.h>

#include "engine/base/sections.h"
#include "tests/fuzz/checks.h"

enum { STEPS = 2, MAX_AGENTS = 2000, MAX_CELLS = 20000, MAX_BORN = 50 };

/* The linker puts this function before the library's (--wrap). */
dunlin_result __real_dunlin_world_add_field(dunlin_world *world, const dunlin_field_def *def, int *field, dunlin_error *error);
dunlin_result __wrap_dunlin_world_add_field(dunlin_world *world, const dunlin_field_def *def, int *field, dunlin_error *error);

dunlin_result __wrap_dunlin_world_add_field(dunlin_world *world, const dunlin_field_def *def, int *field, dunlin_error *error) {
    double cells = 1;
    for (int a = 0; a < 3; a++) cells *= def->cells[a] > 0 ? def->cells[a] : 1;
    if (cells <= MAX_CELLS) return __real_dunlin_world_add_field(world, def, field, error);
    if (error) *error = (dunlin_error){DUNLIN_ERROR_VALUE, "field.cells are too many for a fuzzer"};
    return DUNLIN_ERROR_VALUE;
}

/* ---- checksums --------------------------------------------------------------------------------------------------------- */

/* The simulation has two sections, the definitions one, and the state, whose head begins with the fingerprint, the rest. */
static void seal_all(uint8_t *bytes, size_t size) {
    uint64_t fingerprint = 0;
    size_t at = check_seal(bytes, size, sizeof(dun_opening), 0, NULL);
    at = check_seal(bytes, size, at, 1, NULL);
    at = check_seal(bytes, size, at + sizeof(dun_opening), 0, &fingerprint);
    at += sizeof(dun_opening);
    if (at + sizeof(dun_section) + sizeof fingerprint <= size)
        memcpy(bytes + at + sizeof(dun_section), &fingerprint, sizeof fingerprint);
    check_seal_state(bytes, size, at);
}

/* ---- simulations -----------------------------------------------------------------------------------------------------------
 */

static bool takes_long(const dunlin_scenario *scenario, dunlin_simulation *simulation) {
    bool takes = dunlin_world_agent_count(dunlin_simulation_world(simulation)) > MAX_AGENTS;
    for (uint32_t i = 0; i < dunlin_scenario_number_count(scenario) && !takes; i++) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(scenario, i);
        takes = strstr(number.path, ".per_step") && number.value > MAX_BORN;
    }
    return takes;
}

static dunlin_simulation *open_again(const dunlin_simulation_def *def, const dunlin_simulation *simulation) {
    dunlin_error error = {0};
    dunlin_simulation *again = NULL;
    const size_t size = dunlin_simulation_saved_bytes(simulation);
    uint8_t *bytes = malloc(size);
    if (!bytes || size == 0) check_fail("memory", "");
    if (dunlin_simulation_save_memory(simulation, bytes, size, &error) != DUNLIN_OK)
        check_fail("it cannot be saved: ", error.message);
    if (dunlin_simulation_open_memory(def, bytes, size, NULL, &again, &error) != DUNLIN_OK)
        check_fail("what was saved is refused: ", error.message);
    free(bytes);
    return again;
}

static void simulate(const dunlin_simulation_def *def, dunlin_simulation *simulation) {
    dunlin_simulation *again = open_again(def, simulation);
    dunlin_world *left = dunlin_simulation_world(simulation), *right = dunlin_simulation_world(again);
    for (int step = 0; step < STEPS && dunlin_world_agent_count(left) <= MAX_AGENTS; step++) {
        dunlin_error error = {0};
        const dunlin_result result = dunlin_simulation_step(simulation, &error);
        check_answer(result, &error, "dunlin_simulation_step");
        if (dunlin_simulation_step(again, NULL) != result) check_fail("a step has another end", "");
        if (dunlin_world_state_hash(left) != dunlin_world_state_hash(right)) check_fail("a step leads to another state", "");
        if (result != DUNLIN_OK) break;
        check_agents(left);
    }
    dunlin_simulation_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    dunlin_error error = {0};
    if (size == 0) return 0;
    uint8_t *bytes = check_copy(data + 1, size - 1);
    if (data[0] & 1) seal_all(bytes, size - 1);
    def.threads = 1;
    const dunlin_result result = dunlin_simulation_open_memory(&def, bytes, size - 1, &scenario, &simulation, &error);
    check_answer(result, &error, "dunlin_simulation_open_memory");
    free(bytes);
    if (result == DUNLIN_OK && !takes_long(scenario, simulation)) simulate(&def, simulation);
    dunlin_simulation_destroy(simulation);
    dunlin_scenario_close(scenario);
    return 0;
}
