/* SPDX-License-Identifier: MIT */
#include "engine/world/memory.h"

#include <stdint.h>
#include <string.h>

/* ---- arrays ----------------------------------------------------------------------------------------------------------- */

size_t dun_array_bytes(size_t words) {
    const size_t bytes = (words + DUN_PADDING) * sizeof(float);
    return (bytes + DUN_CACHE_LINE - 1) / DUN_CACHE_LINE * DUN_CACHE_LINE;
}

void *dun_array(dun_heap *heap, size_t words) {
    if (words > SIZE_MAX / sizeof(float) - 2 * DUN_PADDING - DUN_CACHE_LINE) return NULL;
    void *array = dun_allocate_aligned(heap, DUN_CACHE_LINE, dun_array_bytes(words));
    if (array) memset(array, 0, dun_array_bytes(words));
    return array;
}

void *dun_carve(dun_carver *carver, size_t words) {
    uint32_t *at = carver->block ? carver->block + carver->used : NULL;
    carver->used += words;
    return at;
}

/* What comes varies a little from step to step. */
bool dun_array_reserve(dun_heap *heap, void *array, size_t *room, uint64_t count, size_t element) {
    return count <= *room || dun_array_fit(heap, array, room, count + count / 4, element);
}

/* ---- columns ---------------------------------------------------------------------------------------------------------- */

/*
 * The system gives long arrays as whole pages. If every column began at the same place of a page, all words of an agent would
 * share a few lines of the first cache, and loads from an agent's old slot would wait for stores to another agent's new slot,
 * whose addresses end alike. So each column begins at another cache line, behind the head of its block. Steps of 27 lines
 * around the page leave nearly even gaps, however many columns there are.
 */
enum { PAGE = 4096, STEP = 27 * DUN_CACHE_LINE };

size_t dun_column_bytes(uint32_t room) {
    return (dun_array_bytes(room) + PAGE + PAGE - 1) / PAGE * PAGE;
}

static void *column_untouched(dun_heap *heap, int column, int buffer, uint32_t room) {
    char *block = dun_allocate_behind(heap, PAGE, dun_column_bytes(room));
    return block ? block + (size_t)(2 * column + buffer) * STEP % PAGE : NULL;
}

void dun_column_free(void *column) {
    if (column) dun_free((char *)column - (uintptr_t)column % PAGE + DUN_BLOCK_HEAD);
}

enum { ID, POSITION, VELOCITY = POSITION + 3, ATTRIBUTE = VELOCITY + 3 }; /* numbers of columns */

float *dun_attribute_allocate(dun_heap *heap, int attribute, int buffer, uint32_t room) {
    float *column = column_untouched(heap, ATTRIBUTE + attribute, buffer, room);
    if (column) memset(column, 0, dun_array_bytes(room));
    return column;
}

static void shift_column(void *place, ptrdiff_t by) {
    dun_word *column;
    memcpy(&column, place, sizeof column);
    if (!column) return;
    column += by;
    memcpy(place, &column, sizeof column);
}

void dun_agents_shift(dun_agents *agents, uint32_t shift) {
    const ptrdiff_t by = (ptrdiff_t)shift - (ptrdiff_t)agents->shift;
    if (by == 0) return;
    for (int a = 0; a < 3; a++) {
        shift_column(&agents->position[a], by);
        shift_column(&agents->velocity[a], by);
    }
    shift_column(&agents->id, by);
    for (int i = 0; i < DUNLIN_MAX_ATTRIBUTES; i++) shift_column(&agents->attribute[i], by);
    agents->shift = shift;
}

void dun_species_keep(dun_species *species, uint32_t begin, uint32_t count) {
    dun_agents *agents = &species->buffer[species->current];
    dun_agents_shift(agents, agents->shift + begin);
    species->count = count;
}

void dun_species_unshift(dunlin_world *world, dun_species *species) {
    dun_agents *agents = &species->buffer[species->current];
    dun_word *from[DUN_MAX_COLUMNS], *to[DUN_MAX_COLUMNS];
    if (agents->shift == 0) return;
    const int columns = dun_agents_columns(agents, world->def.dimensions, species->attribute_count, from);
    dun_agents_shift(agents, 0);
    dun_agents_columns(agents, world->def.dimensions, species->attribute_count, to);
    for (int c = 0; c < columns; c++) memmove(to[c], from[c], species->count * sizeof *to[c]);
    world->generation++;
}

void dun_agents_free(dun_agents *agents) {
    dun_agents_shift(agents, 0);
    for (int a = 0; a < 3; a++) {
        dun_column_free(agents->position[a]);
        dun_column_free(agents->velocity[a]);
    }
    dun_column_free(agents->id);
    for (int i = 0; i < DUNLIN_MAX_ATTRIBUTES; i++) dun_column_free(agents->attribute[i]);
    *agents = (dun_agents){0};
}

int dun_agents_columns(const dun_agents *agents, int dimensions, int attributes, dun_word *columns[DUN_MAX_COLUMNS]) {
    int count = 0;
    for (int a = 0; a < dimensions; a++) columns[count++] = (dun_word *)agents->position[a];
    for (int a = 0; a < dimensions; a++) columns[count++] = (dun_word *)agents->velocity[a];
    columns[count++] = agents->id;
    for (int i = 0; i < attributes; i++) columns[count++] = (dun_word *)agents->attribute[i];
    return count;
}

dun_columns dun_species_columns(const dunlin_world *world, const dun_species *species) {
    dun_word *words[DUN_MAX_COLUMNS];
    dun_columns columns = {.agents = species->count};
    columns.columns =
        dun_agents_columns(&species->buffer[species->current], world->def.dimensions, species->attribute_count, words);
    for (int c = 0; c < columns.columns; c++) columns.from[c] = words[c];
    return columns;
}

static bool agents_allocate(dun_heap *heap, dun_agents *agents, int buffer, int dimensions, int attributes, uint32_t room) {
    *agents = (dun_agents){.id = column_untouched(heap, ID, buffer, room)};
    bool whole = agents->id;
    for (int a = 0; a < dimensions; a++) {
        agents->position[a] = column_untouched(heap, POSITION + a, buffer, room);
        agents->velocity[a] = column_untouched(heap, VELOCITY + a, buffer, room);
        whole = whole && agents->position[a] && agents->velocity[a];
    }
    for (int i = 0; i < attributes; i++) {
        agents->attribute[i] = column_untouched(heap, ATTRIBUTE + i, buffer, room);
        whole = whole && agents->attribute[i];
    }
    if (!whole) dun_agents_free(agents);
    return whole;
}

/* ---- first touch ------------------------------------------------------------------------------------------------------ */

/* A system with several memories places a page near the core that first writes to it. Here that core will work on it, too. */
typedef struct touch_job {
    const dun_species *species;
    dun_agents *grown; /* [2] */
    int dimensions;
    uint32_t room, parts;
} touch_job;

enum { MIN_PART = 65536 }; /* agents; fewer are not worth waking a worker */

static void touch(void *to, const void *from, uint32_t count, uint32_t begin, uint32_t end) {
    const uint32_t copied = count < begin ? begin : min_u32(count, end);
    if (copied > begin) memcpy((uint32_t *)to + begin, (const uint32_t *)from + begin, (copied - begin) * sizeof(uint32_t));
    memset((uint32_t *)to + copied, 0, (end - copied) * sizeof(uint32_t));
}

static void touch_part(void *context, uint32_t part, uint32_t worker) {
    (void)worker;
    const touch_job *job = context;
    const uint32_t begin = (uint32_t)((uint64_t)job->room * part / job->parts);
    uint32_t end = (uint32_t)((uint64_t)job->room * (part + 1) / job->parts);
    if (part + 1 == job->parts) end += DUN_PADDING;
    for (int b = 0; b < 2; b++) {
        const dun_agents *from = &job->species->buffer[b], *to = &job->grown[b];
        dun_word *from_columns[DUN_MAX_COLUMNS], *to_columns[DUN_MAX_COLUMNS];
        dun_agents_columns(from, job->dimensions, job->species->attribute_count, from_columns);
        const int columns = dun_agents_columns(to, job->dimensions, job->species->attribute_count, to_columns);
        for (int c = 0; c < columns; c++) touch(to_columns[c], from_columns[c], job->species->count, begin, end);
    }
}

/*
 * No array of a species, including those of its index and its flags, takes more than 32 bytes per agent. Twice that leaves room
 * for rounding. So no size overflows 32-bit addresses, and longer addresses fit any number of agents.
 */
bool dun_room_fits(uint64_t room, uint64_t last) {
    enum { BYTES_PER_AGENT = 64 };
    return room <= last / BYTES_PER_AGENT;
}

bool dun_species_grow(const dunlin_world *world, dun_species *species, uint32_t room) {
    dun_agents grown[2];
    if (!dun_room_fits(room, SIZE_MAX)) return false;
    if (!agents_allocate(world->heap, &grown[0], 0, world->def.dimensions, species->attribute_count, room)) return false;
    if (!agents_allocate(world->heap, &grown[1], 1, world->def.dimensions, species->attribute_count, room)) {
        dun_agents_free(&grown[0]);
        return false;
    }
    touch_job job = {species, grown, world->def.dimensions, room, min_u32(room / MIN_PART + 1, world->executor.workers)};
    world->executor.run(&world->executor, job.parts, touch_part, &job);
    for (int b = 0; b < 2; b++) {
        dun_agents_free(&species->buffer[b]);
        species->buffer[b] = grown[b];
    }
    species->room = room;
    return true;
}
