/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/frame.h"
#include "harness/trajectory/layout.h"

#include <zlib.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool page_block_grow(page_block *block, size_t bytes) {
    const size_t page = (size_t)1 << 21;
    if (bytes <= block->bytes) return true;
    free(block->memory);
    bytes = (bytes + bytes / 8 + page - 1) / page * page;
    block->memory = aligned_alloc(page, bytes);
    block->bytes = block->memory ? bytes : 0;
    if (block->memory) madvise(block->memory, bytes, MADV_HUGEPAGE); /* or it is slower */
    return block->memory;
}

enum { PIECE_ROWS = 8192 }; /* that one thread copies at once */

static void find_agents(storage *in, const selection *s, const dunlin_world *world) {
    *in = (storage){0};
    for (int k = 0; k < s->species_count; k++) {
        if (s->is_wanted[k]) in->views[k] = dunlin_world_view(world, k);
        in->first[k + 1] = in->first[k] + in->views[k].count;
    }
}

/* ---- copies of the world's arrays ------------------------------------------------------------------------------------- */

static void *copy_array(uint32_t **to, const void *from, uint32_t count) {
    uint32_t *copy = memcpy(*to, from, count * sizeof *copy);
    *to += count;
    return copy;
}

static void copy_view(dunlin_view *view, const selection *s, int species, uint32_t **to) {
    view->id = copy_array(to, view->id, view->count);
    for (int a = 0; a < s->dimensions; a++) view->position[a] = copy_array(to, view->position[a], view->count);
    for (int a = 0; a < s->dimensions && s->has_velocity; a++)
        view->velocity[a] = copy_array(to, view->velocity[a], view->count);
    for (int c = s->first_attribute; c < s->column_count; c++) {
        const int number = s->columns[c].number[species];
        if (number >= 0) view->attribute[number] = copy_array(to, view->attribute[number], view->count);
    }
}

static bool copy_agents(frame *f, const selection *s) {
    const size_t agents = f->agents.first[s->species_count];
    if (!page_block_grow(&f->copies, agents * (size_t)s->column_count * sizeof(uint32_t))) return false;
    uint32_t *to = f->copies.memory;
    for (int k = 0; k < s->species_count; k++)
        if (f->agents.views[k].count > 0) copy_view(&f->agents.views[k], s, k, &to);
    return true;
}

bool take_agents(frame *f, frame_maker *maker, const dunlin_world *world) {
    const selection *s = maker->selected;
    find_agents(&f->agents, s, world);
    if (!maker->is_later) return copy_rows(f, maker, world);
    f->state_hash = s->is_whole ? 0 : dunlin_world_state_hash(world);
    return copy_agents(f, s);
}

/* ---- order ------------------------------------------------------------------------------------------------------------ */

static uint32_t find_max_id(const storage *in, int species_count, int threads) {
    uint32_t max = 0;
    for (int k = 0; k < species_count; k++) {
        const uint32_t *ids = in->views[k].id, count = in->views[k].count;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : max)
        for (uint32_t i = 0; i < count; i++) max = ids[i] > max ? ids[i] : max;
    }
    return max;
}

/* The places of many ids move together. */
static void close_gaps(uint32_t *table, uint32_t *ids, size_t room) {
    size_t filled = 0;
    for (size_t id = 0; id < room; id++) {
        if (table[id] == UINT32_MAX) continue;
        table[filled] = table[id];
        ids[filled++] = (uint32_t)id;
    }
}

/* Each place goes where its id belongs. */
static bool order_by_table(frame_maker *maker, const storage *in, size_t room, uint32_t count) {
    maker->has_all_ids = room == count;
    if (!page_block_grow(&maker->places, room * sizeof(uint32_t)) || !page_block_grow(&maker->ids, count * sizeof(uint32_t)))
        return false;
    uint32_t *table = maker->places.memory;
    if (!maker->has_all_ids) memset(table, 0xff, room * sizeof *table);
    for (int k = 0; k < maker->selected->species_count; k++) {
        const uint32_t *ids = in->views[k].id, agents = in->views[k].count, first = in->first[k];
#pragma omp parallel for schedule(static) num_threads(maker->threads)
        for (uint32_t i = 0; i < agents; i++) table[ids[i]] = first + i;
    }
    if (!maker->has_all_ids) close_gaps(table, maker->ids.memory, room);
    return true;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool order_by_sorting(frame_maker *maker, const storage *in, uint32_t count) {
    if (!page_block_grow(&maker->places, count * sizeof(uint32_t)) || !page_block_grow(&maker->ids, count * sizeof(uint32_t)))
        return false;
    uint32_t *places = maker->places.memory, *ids = maker->ids.memory;
    uint64_t *keys = malloc(count * sizeof *keys), *key = keys;
    if (!keys) return false;
    for (int k = 0; k < maker->selected->species_count; k++)
        for (uint32_t i = 0; i < in->views[k].count; i++) *key++ = (uint64_t)in->views[k].id[i] << 32 | (in->first[k] + i);
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (uint32_t)keys[i];
        ids[i] = (uint32_t)(keys[i] >> 32);
    }
    free(keys);
    maker->has_all_ids = false;
    return true;
}

/* After many deaths most ids have no agent, and a table of all would be mostly empty. */
static bool order_rows(frame_maker *maker, const storage *in, uint32_t count) {
    const uint32_t max = find_max_id(in, maker->selected->species_count, maker->threads);
    if (count == 0) return true;
    return max / 8 <= count ? order_by_table(maker, in, (size_t)max + 1, count) : order_by_sorting(maker, in, count);
}

/* ---- columns ---------------------------------------------------------------------------------------------------------- */

/* Rows that one thread copies at once. */
typedef struct piece {
    const frame_maker *maker;
    const storage *in;
    const frame *f;
    size_t first, count; /* that have an agent */
} piece;

static uint32_t *words_of(const piece *p, int column) {
    return (uint32_t *)frame_column(p->f, column) + p->first;
}

static int8_t *species_of(const piece *p) {
    return (int8_t *)frame_column(p->f, p->maker->selected->species_column) + p->first;
}

static void take_species(const piece *p) {
    const uint32_t *places = (const uint32_t *)p->maker->places.memory + p->first;
    int8_t *species = species_of(p);
    memset(species, 0, p->count);
    for (int k = 1; k < p->maker->selected->species_count; k++)
        for (size_t i = 0; i < p->count; i++) species[i] = (int8_t)(species[i] + (places[i] >= p->in->first[k]));
}

static void take_slots(const piece *p) {
    const uint32_t *places = (const uint32_t *)p->maker->places.memory + p->first;
    const int8_t *species = species_of(p);
    uint32_t *slots = words_of(p, p->maker->selected->slot_column);
    for (size_t i = 0; i < p->count; i++) slots[i] = places[i] - p->in->first[species[i]];
}

static void take_ids(const piece *p) {
    uint32_t *ids = words_of(p, COLUMN_ID);
    if (p->maker->has_all_ids)
        for (size_t i = 0; i < p->count; i++) ids[i] = (uint32_t)(p->first + i);
    else
        memcpy(ids, (const uint32_t *)p->maker->ids.memory + p->first, p->count * sizeof *ids);
}

static uint32_t bits_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

void round_bits(uint32_t *bits, size_t count, int precision) {
    const uint32_t fill = bits_of(TRAJECTORY_FILL);
    const int dropped = 23 - precision;
    const uint32_t half = 1u << (dropped - 1);
    for (size_t i = 0; i < count; i++)
        if (bits[i] != fill) bits[i] = (bits[i] + half - 1 + (bits[i] >> dropped & 1)) >> dropped << dropped;
}

/* NULL: the species lacks the attribute. */
static const float *column_of(const selection *s, int c, int species, const dunlin_view *view) {
    const int a = c - COLUMN_POSITION;
    if (c >= s->first_attribute)
        return s->columns[c].number[species] < 0 ? NULL : view->attribute[s->columns[c].number[species]];
    return a < s->dimensions ? view->position[a] : view->velocity[a - s->dimensions];
}

/* The only species that has agents; -1: there are several. */
static int only_species(const storage *in, int species_count) {
    for (int k = 0; k < species_count; k++)
        if (in->views[k].count == in->first[species_count]) return k;
    return -1;
}

/* Agents lie anywhere in memory, so they are prefetched some rows ahead. */
enum { AHEAD = 64 };

static void take_from_one(const float *of, const uint32_t *slots, size_t count, float *numbers) {
    const size_t end = count > AHEAD ? count - AHEAD : 0;
    for (size_t i = 0; i < end; i++) {
        __builtin_prefetch(of + slots[i + AHEAD]);
        numbers[i] = of[slots[i]];
    }
    for (size_t i = end; i < count; i++) numbers[i] = of[slots[i]];
}

static void take_from_each(const float *const of[], const int8_t *species, const uint32_t *slots, size_t count,
                           float *numbers) {
    for (size_t i = 0; i < count; i++) {
        const size_t next = i + AHEAD < count ? i + AHEAD : i;
        if (of[species[next]]) __builtin_prefetch(of[species[next]] + slots[next]);
        numbers[i] = of[species[i]] ? of[species[i]][slots[i]] : TRAJECTORY_FILL;
    }
}

static void take_numbers(const piece *p, int column) {
    const selection *s = p->maker->selected;
    const uint32_t *slots = words_of(p, s->slot_column);
    const int only = only_species(p->in, s->species_count);
    const float *of[DUNLIN_MAX_SPECIES];
    float *numbers = (float *)(void *)words_of(p, column);
    for (int k = 0; k < s->species_count; k++) of[k] = column_of(s, column, k, &p->in->views[k]);
    if (only >= 0 && of[only])
        take_from_one(of[only], slots, p->count, numbers);
    else
        take_from_each(of, species_of(p), slots, p->count, numbers);
    if (p->maker->precision) round_bits(words_of(p, column), p->count, p->maker->precision);
}

static void fill_rest(const piece *p, size_t end) {
    const selection *s = p->maker->selected;
    memset(species_of(p) + p->count, -1, end - p->count);
    for (int c = 0; c < s->species_column; c++) {
        const uint32_t of_whole = c >= s->image_column ? (uint32_t)TRAJECTORY_NO_IMAGE : UINT32_MAX;
        const uint32_t fill = c == COLUMN_ID || c >= s->slot_column ? of_whole : bits_of(TRAJECTORY_FILL);
        for (size_t i = p->count; i < end; i++) words_of(p, c)[i] = fill;
    }
}

static void copy_piece(const frame_maker *maker, const storage *in, const frame *f, size_t first) {
    const size_t left = f->rows > first ? f->rows - first : 0, room = f->room - first;
    const piece p = {maker, in, f, first, left < PIECE_ROWS ? left : PIECE_ROWS};
    take_species(&p);
    take_slots(&p);
    take_ids(&p);
    for (int c = COLUMN_POSITION; c < maker->selected->column_count; c++) take_numbers(&p, c);
    fill_rest(&p, room < PIECE_ROWS ? room : PIECE_ROWS);
}

bool copy_rows(frame *f, frame_maker *maker, const dunlin_world *world) {
    const selection *s = maker->selected;
    f->rows = f->agents.first[s->species_count];
    f->room = (f->rows + maker->chunk_rows - 1) / maker->chunk_rows * maker->chunk_rows;
    const size_t words = (size_t)s->species_column * f->room;
    if (!page_block_grow(&f->columns, words * sizeof(uint32_t) + f->room * sizeof(int8_t))) return false;
    if (!order_rows(maker, &f->agents, f->rows)) return false;
    const int pieces = (int)((f->room + PIECE_ROWS - 1) / PIECE_ROWS);
#pragma omp parallel for schedule(dynamic) num_threads(maker->threads)
    for (int i = 0; i <= pieces; i++) {
        if (i > 0)
            copy_piece(maker, &f->agents, f, (size_t)(i - 1) * PIECE_ROWS);
        else if (world)
            f->state_hash = dunlin_world_state_hash(world);
    }
    return true;
}

/* ---- filters ---------------------------------------------------------------------------------------------------------- */

size_t packed_room(size_t bytes) {
    return compressBound(bytes);
}

/* A constant `value_bytes` makes the loops vector ones. */
static inline void shuffle(const unsigned char *from, size_t count, size_t value_bytes, unsigned char *to) {
    for (size_t b = 0; b < value_bytes; b++)
        for (size_t i = 0; i < count; i++) to[b * count + i] = from[i * value_bytes + b];
}

size_t pack_chunk(const void *chunk, size_t bytes, size_t value_bytes, int level, void *shuffled, void *packed) {
    if (value_bytes == sizeof(uint32_t))
        shuffle(chunk, bytes / value_bytes, sizeof(uint32_t), shuffled);
    else
        shuffle(chunk, bytes / value_bytes, value_bytes, shuffled);
    if (level == RUNS) return pack_runs(shuffled, bytes, packed);
    uLongf length = packed_room(bytes);
    return compress2(packed, &length, shuffled, bytes, level) == Z_OK && length < bytes ? length : 0;
}
