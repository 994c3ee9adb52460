/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/rows.h"
#include "harness/trajectory/layout.h"

#include <zlib.h>

#include <stdlib.h>
#include <string.h>

/* ---- order ------------------------------------------------------------------------------------------------------------ */

static bool grow(row_order *order, size_t room) {
    if (room <= order->room) return true;
    free(order->rows);
    order->rows = malloc(room * sizeof *order->rows);
    order->room = order->rows ? room : 0;
    return order->rows;
}

/* Each row goes to the place of its id, and then they move together. */
static void order_by_table(uint32_t *table, size_t room, const uint32_t *ids, uint32_t count) {
    size_t filled = 0;
    memset(table, 0xff, room * sizeof *table);
    for (uint32_t i = 0; i < count; i++) table[ids[i]] = i;
    for (size_t id = 0; id < room; id++)
        if (table[id] != UINT32_MAX) table[filled++] = table[id];
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool order_by_sorting(uint32_t *rows, const uint32_t *ids, uint32_t count) {
    uint64_t *keys = malloc(count * sizeof *keys);
    if (!keys) return false;
    for (uint32_t i = 0; i < count; i++) keys[i] = (uint64_t)ids[i] << 32 | i;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < count; i++) rows[i] = (uint32_t)keys[i];
    free(keys);
    return true;
}

/* After many deaths most ids are of nobody, and a table of all would be mostly empty. */
bool order_rows(row_order *order, const frame *f, const selection *s) {
    const uint32_t count = frame_rows(f, s), *ids = frame_column(f, s, COLUMN_ID);
    uint32_t max = 0;
    for (uint32_t i = 0; i < count; i++) max = ids[i] > max ? ids[i] : max;
    const bool is_dense = max / 8 <= count;
    if (count == 0) return true;
    if (!grow(order, is_dense ? (size_t)max + 1 : count)) return false;
    if (!is_dense) return order_by_sorting(order->rows, ids, count);
    order_by_table(order->rows, (size_t)max + 1, ids, count);
    return true;
}

/* ---- chunks ----------------------------------------------------------------------------------------------------------- */

static int species_of(const frame *f, const selection *s, uint32_t row) {
    int species = 0;
    while (row >= f->first[species + 1] && species < s->species_count) species++;
    return species;
}

static void take_species(int8_t *chunk, const frame *f, const selection *s, const uint32_t *rows, size_t count) {
    for (size_t i = 0; i < count; i++) chunk[i] = (int8_t)species_of(f, s, rows[i]);
}

static void take_slots(uint32_t *chunk, const frame *f, const selection *s, const uint32_t *rows, size_t count) {
    for (size_t i = 0; i < count; i++) chunk[i] = rows[i] - f->first[species_of(f, s, rows[i])];
}

static uint32_t bits_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* To the nearest number with so many bits of mantissa, of two the even one. */
static void round_bits(uint32_t *bits, size_t count, int precision) {
    const uint32_t fill = bits_of(TRAJECTORY_FILL);
    const int dropped = 23 - precision;
    const uint32_t half = 1u << (dropped - 1);
    for (size_t i = 0; i < count; i++)
        if (bits[i] != fill) bits[i] = (bits[i] + half - 1 + (bits[i] >> dropped & 1)) >> dropped << dropped;
}

static void take_column(uint32_t *chunk, const chunk_source *from, const uint32_t *column, const uint32_t *rows, size_t count) {
    for (size_t i = 0; i < count; i++) chunk[i] = column[rows[i]];
    if (from->is_number && from->precision) round_bits(chunk, count, from->precision);
}

void fill_chunk(void *chunk, const chunk_source *from, const frame *f, const selection *s, const uint32_t *rows, size_t count,
                size_t room) {
    const uint32_t fill = from->is_number ? bits_of(TRAJECTORY_FILL) : UINT32_MAX;
    uint32_t *words = chunk;
    if (from->source == SOURCE_SPECIES) {
        take_species(chunk, f, s, rows, count);
        memset((int8_t *)chunk + count, -1, room - count);
        return;
    }
    if (from->source == SOURCE_SLOT)
        take_slots(words, f, s, rows, count);
    else if (from->column < 0)
        memset(words, 0, count * sizeof *words);
    else
        take_column(words, from, frame_column(f, s, from->column), rows, count);
    for (size_t i = count; i < room; i++) words[i] = fill;
}

/* ---- filters ---------------------------------------------------------------------------------------------------------- */

size_t packed_room(size_t bytes) {
    return compressBound(bytes);
}

size_t pack_chunk(const void *chunk, size_t bytes, size_t value_bytes, int level, void *shuffled, void *packed) {
    const unsigned char *from = chunk;
    unsigned char *to = shuffled;
    const size_t count = bytes / value_bytes;
    for (size_t b = 0; b < value_bytes; b++)
        for (size_t i = 0; i < count; i++) *to++ = from[i * value_bytes + b];
    uLongf length = packed_room(bytes);
    return compress2(packed, &length, shuffled, bytes, level) == Z_OK && length < bytes ? length : 0;
}
