/* SPDX-License-Identifier: MIT */
/* Removing agents: those that callbacks, meals and the caller have flagged. */
#include "engine/world/bury.h"

#include <string.h>

#include "engine/base/check.h"
#include "engine/world/agree.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

enum { MIN_SHARED = 16384 /* agents; fewer are not worth waking a worker */ };

bool dun_life_reserve(dun_heap *heap, dun_species *species, uint32_t agents) {
    return dun_array_fit(heap, &species->dies, &species->dies_room, agents, sizeof *species->dies);
}

typedef struct burial {
    const uint8_t *dies;
    uint32_t agents, tasks;
    int columns;
    dun_word *column[DUN_MAX_COLUMNS];
} burial;

static void close_gaps(dun_word *column, const uint8_t *dies, uint32_t count) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        column[left] = column[i];
        left += dies[i] == 0;
    }
}

static void bury_columns(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const burial *job = context;
    for (int c = (int)task; c < job->columns; c += (int)job->tasks) close_gaps(job->column[c], job->dies, job->agents);
}

void dun_bury(dunlin_world *world, dun_species *species, uint32_t deaths) {
    if (deaths == 0) return;
    dun_segments_bury(species, species->dies);
    burial job = {.dies = species->dies, .agents = species->count};
    job.columns =
        dun_agents_columns(&species->buffer[species->current], world->def.dimensions, species->attribute_count, job.column);
    job.tasks = species->count < MIN_SHARED ? 1 : (uint32_t)job.columns;
    world->executor.run(&world->executor, job.tasks, bury_columns, &job);
    species->count -= deaths;
    dun_ids_spend(world, world->next_id);
    world->ids.valid = false;
    world->generation++;
}

/* ---- despawning ------------------------------------------------------------------------------------------------------- */

static bool clear_flags(dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        if (!dun_life_reserve(world->heap, species, species->count)) return false;
        if (species->count) memset(species->dies, 0, species->count);
    }
    return true;
}

static dunlin_result fail_unknown(const uint32_t *ids, uint32_t i, dunlin_error *error) {
    return dun_fail(error, DUNLIN_ERROR_VALUE, "ids[%u] is %u: the world has no such agent", i, ids[i]);
}

/* All ranks together have flagged as many agents as there are ids, unless some id has no agent. `all`: those of all ranks. */
static dunlin_result check_all_found(dunlin_world *world, const uint32_t *ids, uint32_t count, uint64_t all[],
                                     dunlin_error *error) {
    uint64_t found = 0;
    if (!world->transport) return DUNLIN_OK;
    dun_all_reduce(world, all, (uint64_t)world->species_count);
    for (int s = 0; s < world->species_count; s++) found += all[s];
    for (uint32_t i = 0; i < count && found < count; i++) {
        uint64_t there = dun_ids_find(world, ids[i]).species >= 0;
        dun_all_reduce(world, &there, 1);
        if (!there) return fail_unknown(ids, i, error);
    }
    return DUNLIN_OK;
}

static dunlin_result flag(dunlin_world *world, const uint32_t *ids, uint32_t count, uint32_t deaths[], dunlin_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const dunlin_slot slot = dun_ids_find(world, ids[i]);
        if (slot.species < 0 && world->transport) continue; /* another rank may have it */
        if (slot.species < 0) return fail_unknown(ids, i, error);
        uint8_t *dies = &world->species[slot.species]->dies[slot.index];
        if (*dies) return dun_fail(error, DUNLIN_ERROR_VALUE, "ids[%u] is %u: the list has it twice", i, ids[i]);
        *dies = 1;
        deaths[slot.species]++;
    }
    return DUNLIN_OK;
}

dunlin_result dunlin_world_despawn(dunlin_world *world, const uint32_t *ids, uint32_t count, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (count == 0) return DUNLIN_OK;
    if (!ids) return dun_fail(error, DUNLIN_ERROR_VALUE, "ids is NULL: it must point at %u ids", count);
    dunlin_result result = DUNLIN_OK;
    if (!dun_ids_prepare(world) || !clear_flags(world)) result = dun_fail_memory(error, "agents to despawn");
    uint32_t deaths[DUNLIN_MAX_SPECIES] = {0};
    if (!result) result = flag(world, ids, count, deaths, error);
    result = dun_agree(world, result, error);
    uint64_t all[DUNLIN_MAX_SPECIES];
    for (int s = 0; s < world->species_count; s++) all[s] = deaths[s];
    if (!result) result = check_all_found(world, ids, count, all, error);
    for (int s = 0; s < world->species_count && !result; s++) {
        dun_bury(world, world->species[s], deaths[s]);
        dun_count_add(world, s, -(int64_t)all[s]);
    }
    if (!result) dun_ids_spend(world, world->next_id);
    return result;
}
