/* SPDX-License-Identifier: MIT */
/* Writing: agents' positions and velocities, the clock, and the number that shows whether a view is still valid. */
#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/species.h"
#include "engine/world/ids.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

dunlin_write dunlin_write_default(void) {
    return (dunlin_write){.cookie = DUN_COOKIE};
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

/* Either every axis has numbers or none has. */
static dunlin_result check_axes(const dunlin_world *world, const float *const axes[3], const char *field, dunlin_error *error) {
    for (int a = 1; a < world->def.dimensions; a++)
        if (!axes[a] != !axes[0])
            return dun_fail(error, DUNLIN_ERROR_VALUE, "write.%s[%d] is %sNULL, and write.%s[0] is %s", field, a,
                            axes[a] ? "not " : "", field, axes[0] ? "not" : "NULL");
    return DUNLIN_OK;
}

static dunlin_result check_written_ids(dunlin_world *world, const dunlin_write *write, dunlin_error *error) {
    for (uint32_t i = 0; i < write->count; i++)
        if (dun_ids_find(world, write->ids[i]).species < 0)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "write.ids[%u] is %u: the world has no such agent", i, write->ids[i]);
    return DUNLIN_OK;
}

static dunlin_result check_slots(const dunlin_world *world, const dunlin_write *write, dunlin_error *error) {
    const dunlin_result result = dun_list_check(world, DUN_LIST_SPECIES, write->species, "write.species", error);
    if (result) return result;
    const uint32_t agents = world->species[write->species]->count;
    if (!write->slots && write->count != agents)
        return dun_fail(error, DUNLIN_ERROR_VALUE,
                        "write.count is %u: set it to %u, all agents of the species, or set write.ids or write.slots",
                        write->count, agents);
    for (uint32_t i = 0; write->slots && i < write->count; i++)
        if (write->slots[i] >= agents)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "write.slots[%u] is %u: the species has %u agents, numbered from 0", i,
                            write->slots[i], agents);
    return DUNLIN_OK;
}

static dunlin_result check_write(dunlin_world *world, const dunlin_write *write, dunlin_error *error) {
    if (!write) return dun_fail(error, DUNLIN_ERROR_VALUE, "write is NULL: make one with dunlin_write_default()");
    dunlin_result result = dun_check_cookie(write->cookie, "dunlin_write", error);
    if (!result) result = dun_check_whole(world, "dunlin_world_write()", error);
    if (!result && write->ids && write->slots)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "write.ids and write.slots are both given: one of them must be NULL");
    if (!result) result = check_axes(world, write->position, "position", error);
    if (!result) result = check_axes(world, write->velocity, "velocity", error);
    if (!result) result = write->ids ? check_written_ids(world, write, error) : check_slots(world, write, error);
    if (result) return result;
    dunlin_batch batch = {.count = write->count};
    memcpy(batch.position, write->position, sizeof batch.position);
    memcpy(batch.velocity, write->velocity, sizeof batch.velocity);
    return dun_batch_check_numbers(world, &batch, error);
}

/* ---- agents ----------------------------------------------------------------------------------------------------------- */

static void write_one(const dunlin_world *world, dunlin_slot slot, const dunlin_write *write, uint32_t i) {
    dun_species *species = world->species[slot.species];
    if (write->position[0]) species->numbered = 0;
    const dun_agents *agents = &species->buffer[species->current];
    for (int a = 0; a < world->def.dimensions; a++) {
        if (write->position[a]) agents->position[a][slot.index] = dun_world_place(&world->def, a, write->position[a][i]);
        if (write->velocity[a]) agents->velocity[a][slot.index] = write->velocity[a][i];
    }
}

dunlin_result dunlin_world_write(dunlin_world *world, const dunlin_write *write, dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = check_write(world, write, error);
    if (result) return result;
    for (uint32_t i = 0; i < write->count; i++) {
        const dunlin_slot slot = {write->species, write->slots ? write->slots[i] : i};
        write_one(world, write->ids ? dun_ids_find(world, write->ids[i]) : slot, write, i);
    }
    dun_groups_forget(world);
    return DUNLIN_OK;
}

uint64_t dunlin_world_generation(const dunlin_world *world) {
    return world->generation;
}

/* ---- the clock -------------------------------------------------------------------------------------------------------- */

dunlin_clock dunlin_world_get_clock(const dunlin_world *world) {
    return (dunlin_clock){world->stats.step, world->stats.time, world->next_id};
}

static dunlin_result check_next_id(const dunlin_world *world, uint32_t next_id, dunlin_error *error) {
    for (int s = 0; s < world->species_count; s++) {
        const dunlin_view view = dun_view(world, s);
        for (uint32_t i = 0; i < view.count; i++)
            if (view.id[i] >= next_id)
                return dun_fail(error, DUNLIN_ERROR_VALUE, "clock.next_id is %u: it must be above %u, which an agent has",
                                next_id, view.id[i]);
    }
    return DUNLIN_OK;
}

dunlin_result dunlin_world_set_clock(dunlin_world *world, const dunlin_clock *clock, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!clock)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "clock is NULL: change the one that dunlin_world_get_clock() returns");
    if (clock->step > DUN_MAX_STEPS)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "clock.step is %llu: it must be at most 2^53",
                        (unsigned long long)clock->step);
    if (!(clock->time >= 0.0 && clock->time <= DUN_MAX_TIME))
        return dun_fail(error, DUNLIN_ERROR_VALUE, "clock.time is %g: it must be from 0 to %g", clock->time, DUN_MAX_TIME);
    const dunlin_result result = dun_agree(world, check_next_id(world, clock->next_id, error), error);
    if (result) return result;
    if (clock->next_id != world->next_id) world->spent_ids = clock->next_id;
    world->next_id = clock->next_id;
    world->stats.step = clock->step;
    world->stats.time = clock->time + 0.0; /* not -0 */
    world->uneven = clock->time != (double)clock->step * (double)world->def.time_step;
    return DUNLIN_OK;
}
