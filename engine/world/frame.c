/* SPDX-License-Identifier: MIT */
#include "engine/world/frame.h"

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

dunlin_slot dun_frame_find(const dun_frame *f, uint32_t id) {
    for (int s = 0; s < f->world->species_count; s++) {
        const uint32_t count = f->world->species[s]->count, index = find_id(f->snapshot[s]->id, count, id);
        if (index < count) return (dunlin_slot){s, index};
    }
    return (dunlin_slot){.species = -1};
}
