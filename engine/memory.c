/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "world.h"

void *dunlin_array(size_t words) {
    const size_t bytes = (words + DUNLIN_PADDING) * sizeof(float);
    const size_t rounded = (bytes + DUNLIN_CACHE_LINE - 1) / DUNLIN_CACHE_LINE * DUNLIN_CACHE_LINE;
    void *array = aligned_alloc(DUNLIN_CACHE_LINE, rounded);
    if (array) memset(array, 0, rounded);
    return array;
}

void dunlin_agents_free(dunlin_agents *agents) {
    for (int a = 0; a < 3; a++) {
        free(agents->position[a]);
        free(agents->velocity[a]);
    }
    free(agents->id);
    *agents = (dunlin_agents){0};
}

static bool agents_allocate(dunlin_agents *agents, int dimensions, uint32_t room) {
    *agents = (dunlin_agents){.id = dunlin_array(room)};
    bool whole = agents->id != NULL;
    for (int a = 0; a < dimensions; a++) {
        agents->position[a] = dunlin_array(room);
        agents->velocity[a] = dunlin_array(room);
        whole = whole && agents->position[a] && agents->velocity[a];
    }
    if (!whole) dunlin_agents_free(agents);
    return whole;
}

static void agents_copy(dunlin_agents *to, const dunlin_agents *from, int dimensions, uint32_t count) {
    if (count == 0) return;
    memcpy(to->id, from->id, count * sizeof *to->id);
    for (int a = 0; a < dimensions; a++) {
        memcpy(to->position[a], from->position[a], count * sizeof(float));
        memcpy(to->velocity[a], from->velocity[a], count * sizeof(float));
    }
}

bool dunlin_species_grow(dunlin_species *species, int dimensions, uint32_t room) {
    dunlin_agents grown[2];
    if (!agents_allocate(&grown[0], dimensions, room)) return false;
    if (!agents_allocate(&grown[1], dimensions, room)) {
        dunlin_agents_free(&grown[0]);
        return false;
    }
    agents_copy(&grown[species->current], &species->buffer[species->current], dimensions, species->count);
    for (int b = 0; b < 2; b++) {
        dunlin_agents_free(&species->buffer[b]);
        species->buffer[b] = grown[b];
    }
    species->room = room;
    return true;
}
