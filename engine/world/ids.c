/* SPDX-License-Identifier: MIT */
#include "engine/world/ids.h"

#include "engine/base/check.h"
#include "engine/world/agents.h"
#include "engine/world/frame.h"
#include "engine/world/use.h"

/* ---- free ids --------------------------------------------------------------------------------------------------------- */

dunlin_result dun_ids_check(const dunlin_world *world, uint64_t count, dunlin_error *error) {
    if (count <= UINT32_MAX - world->next_id) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%llu more agents: only %u ids are left, and no id is used twice",
                    (unsigned long long)count, UINT32_MAX - world->next_id);
}

const char *dun_id_taken(dunlin_world *world, uint32_t id) {
    if (id < world->next_id && dun_ids_find(world, id).species >= 0) return "another agent has it already";
    return id < world->spent_ids ? "it must be above all ids that existed when an agent last died" : NULL;
}

void dun_ids_spend(dunlin_world *world, uint32_t next_id) {
    if (next_id > world->next_id) world->next_id = next_id;
    if (next_id > world->spent_ids) world->spent_ids = next_id;
}

/* ---- finding ---------------------------------------------------------------------------------------------------------- */

static const uint32_t *ids_of(const dunlin_world *world, int species) {
    const dun_species *s = world->species[species];
    return s->buffer[s->current].id;
}

/* At most half full. For all possible ids it is 2^33: room has more bits than an id. */
uint64_t dun_ids_room(uint64_t agents) {
    uint64_t room = 16;
    while (room < 2 * agents) room *= 2;
    return room;
}

/* Fibonacci hashing: ids mostly count up, and this spreads them. */
uint64_t dun_ids_place(uint32_t id, uint64_t room) {
    return ((uint64_t)id * 0x9e3779b97f4a7c15u) >> 30 & (room - 1);
}

static bool ids_build(dunlin_world *world) {
    dun_id_table *ids = &world->ids;
    if (!dun_array_fit(world->heap, &ids->slots, &ids->room, dun_ids_room(dun_agent_count(world)), sizeof *ids->slots))
        return false;
    for (uint64_t i = 0; i < ids->room; i++) ids->slots[i].species = -1;
    for (int s = 0; s < world->species_count; s++) {
        const uint32_t *id = ids_of(world, s);
        for (uint32_t i = 0; i < world->species[s]->count; i++) {
            uint64_t place = dun_ids_place(id[i], ids->room);
            while (ids->slots[place].species >= 0) place = (place + 1) & (ids->room - 1);
            ids->slots[place] = (dunlin_slot){s, i};
        }
    }
    ids->valid = true;
    return true;
}

bool dun_ids_prepare(dunlin_world *world) {
    return world->ids.valid || ids_build(world);
}

/* Searches whole blocks, which compilers turn into comparisons of several ids at once. */
static uint32_t find_id(const uint32_t *ids, uint32_t count, uint32_t id) {
    enum { BLOCK = 64 };
    for (uint32_t block = 0; block < count; block += BLOCK) {
        const uint32_t end = min_u32(block + BLOCK, count);
        bool found = false;
        for (uint32_t i = block; i < end; i++) found |= ids[i] == id;
        if (!found) continue;
        while (ids[block] != id) block++;
        return block;
    }
    return count;
}

dunlin_slot dun_ids_search(const dunlin_world *world, uint32_t id) {
    for (int s = 0; s < world->species_count; s++) {
        const uint32_t count = world->species[s]->count, index = find_id(ids_of(world, s), count, id);
        if (index < count) return (dunlin_slot){s, index};
    }
    return (dunlin_slot){.species = -1};
}

dunlin_slot dun_ids_find(dunlin_world *world, uint32_t id) {
    if (!dun_ids_prepare(world)) return dun_ids_search(world, id);
    const dun_id_table *ids = &world->ids;
    for (uint64_t place = dun_ids_place(id, ids->room);; place = (place + 1) & (ids->room - 1)) {
        const dunlin_slot slot = ids->slots[place];
        if (slot.species < 0) return (dunlin_slot){-1, 0};
        if (ids_of(world, slot.species)[slot.index] == id) return slot;
    }
}

dunlin_slot dunlin_world_find_agent(dunlin_world *world, uint32_t id) {
    return dun_may_look(world, __func__) ? dun_ids_find(world, id) : (dunlin_slot){.species = -1};
}

/* ---- in a frame -------------------------------------------------------------------------------------------------------- */

dunlin_slot dun_frame_find(const dun_frame *f, uint32_t id) {
    for (int s = 0; s < f->world->species_count; s++) {
        const uint32_t count = f->world->species[s]->count, index = find_id(f->snapshot[s]->id, count, id);
        if (index < count) return (dunlin_slot){s, index};
    }
    return (dunlin_slot){.species = -1};
}
