/* SPDX-License-Identifier: MIT */
/*
 * Portions of the flock's order, whatever agents each rank has: for files, in which agents stand in that order. A message is a
 * list of pieces: the place in the receiver's portion of its first agent, how many agents it has, and their columns.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum { PIECE_HEAD = 2 /* words */ };

typedef struct division {
    const dunlin_world *world;
    const dunlin_transport *t;
    dun_species *species;
    dun_columns from; /* this rank's agents */
    uint64_t agents, block;
    uint64_t *place;                                   /* [keys] of this rank's first agent with each */
    uint64_t *out_bytes, *in_bytes, *out_cursor, *all; /* [ranks] each; `all` is the memory of all four */
    uint32_t *out, *in;
    dun_portion *portion;
} division;

void dun_portion_find(const dunlin_world *world, uint64_t agents, uint32_t block, dun_portion *portion) {
    uint64_t end;
    dun_own_share(world, agents / block + (agents % block != 0), &portion->begin, &end);
    portion->begin *= block;
    end = end * block < agents ? end * block : agents;
    portion->count = end > portion->begin ? end - portion->begin : 0;
}

/* ---- this rank's pieces ------------------------------------------------------------------------------------------------ */

/* `slot`: the first of `count` agents that go to a rank, where the first one's place in its portion is `place`. */
typedef void piece_fn(division *s, uint32_t rank, uint32_t slot, uint32_t count, uint64_t place);

static void for_pieces(division *s, piece_fn *work) {
    const uint64_t blocks = s->agents / s->block + (s->agents % s->block != 0);
    for (uint32_t k = 0; k < dun_segment_count(s->species); k++) {
        const uint32_t end = dun_segment_begin(s->species, k + 1);
        uint64_t place = s->place[dun_segment_key(s->species, k)];
        for (uint32_t slot = dun_segment_begin(s->species, k), count; slot < end; slot += count, place += count) {
            uint64_t last;
            const uint32_t rank = dun_rank_of_place(s->t, place / s->block, blocks, &last);
            const uint64_t left = last * s->block - place;
            count = left < end - slot ? (uint32_t)left : end - slot;
            work(s, rank, slot, count, place - blocks * rank / s->t->ranks * s->block);
        }
    }
}

static uint64_t words_in(const division *s, uint32_t count) {
    return PIECE_HEAD + (uint64_t)s->from.columns * count;
}

static void count_piece(division *s, uint32_t rank, uint32_t slot, uint32_t count, uint64_t place) {
    (void)slot;
    (void)place;
    if (rank != s->t->rank) s->out_bytes[rank] += words_in(s, count) * sizeof(uint32_t);
}

/* Into this rank's portion. */
static void put_piece(const division *s, const dun_word *const *from, uint32_t count, uint64_t place) {
    for (int c = 0; c < s->from.columns; c++)
        memcpy(s->portion->words + (uint64_t)c * s->portion->count + place, from[c], count * sizeof *from[c]);
}

static void write_piece(division *s, uint32_t rank, uint32_t slot, uint32_t count, uint64_t place) {
    const dun_word *from[DUN_MAX_COLUMNS];
    for (int c = 0; c < s->from.columns; c++) from[c] = s->from.from[c] + slot;
    if (rank == s->t->rank) {
        put_piece(s, from, count, place);
        return;
    }
    uint32_t *to = s->out + s->out_cursor[rank];
    *to++ = (uint32_t)place;
    *to++ = count;
    for (int c = 0; c < s->from.columns; c++, to += count) memcpy(to, from[c], count * sizeof *to);
    s->out_cursor[rank] += words_in(s, count);
}

static void read_pieces(const division *s, uint64_t words) {
    const dun_word *from[DUN_MAX_COLUMNS];
    for (uint64_t at = 0; at < words;) {
        const uint32_t place = s->in[at], count = s->in[at + 1];
        at += PIECE_HEAD;
        for (int c = 0; c < s->from.columns; c++, at += count) from[c] = s->in + at;
        put_piece(s, from, count, place);
    }
}

/* ---- the exchange ------------------------------------------------------------------------------------------------------- */

static bool reserve_counts(division *s) {
    const size_t ranks = s->t->ranks, keys = (size_t)s->species->segments.last_key + 1;
    s->all = dun_allocate_zeros(s->world->heap, 3 * ranks + 2 * keys, sizeof *s->all);
    s->out_bytes = s->all;
    s->in_bytes = s->all + ranks;
    s->out_cursor = s->all + 2 * ranks;
    s->place = s->all + 3 * ranks;
    return s->all;
}

static dun_word *allocate_words(const division *s, uint64_t words) {
    return dun_allocate(s->world->heap, (size_t)(words + 1) * sizeof(dun_word));
}

static dunlin_result divide(division *s, dunlin_error *error) {
    const dunlin_transport *t = s->t;
    dun_find_places_of(s->world, s->species, s->place);
    for_pieces(s, count_piece);
    t->all_to_all(t->context, s->out_bytes, s->in_bytes, 1);
    const uint64_t arrivals = dun_message_cursors(s->in_bytes, sizeof(dun_word), t->ranks, NULL);
    s->in = allocate_words(s, arrivals);
    s->out = allocate_words(s, dun_message_cursors(s->out_bytes, sizeof(dun_word), t->ranks, s->out_cursor));
    s->portion->words = allocate_words(s, (uint64_t)s->from.columns * s->portion->count);
    const bool whole = s->out && s->in && s->portion->words;
    const dunlin_result result =
        dun_agree(s->world, whole ? DUNLIN_OK : dun_fail_memory(error, "a portion of the flock"), error);
    if (!result) {
        for_pieces(s, write_piece);
        t->exchange(t->context, s->out, s->out_bytes, s->in, s->in_bytes);
        read_pieces(s, arrivals);
    }
    for (int c = 0; c < s->from.columns && !result; c++)
        s->portion->column[c] = s->portion->words + (uint64_t)c * s->portion->count;
    dun_free(s->out);
    dun_free(s->in);
    return result;
}

dunlin_result dun_portion_take(const dunlin_world *world, int species, uint64_t agents, uint32_t block, dun_portion *portion,
                               dunlin_error *error) {
    const dun_columns from = dun_species_columns(world, world->species[species]);
    *portion = (dun_portion){.columns = from.columns};
    dun_portion_find(world, agents, block, portion);
    memcpy(portion->column, from.from, sizeof portion->column);
    if (!world->transport) return DUNLIN_OK;
    division s = {.world = world, .t = world->transport, .species = world->species[species], .from = from, .portion = portion};
    s.agents = agents;
    s.block = block;
    dunlin_result result = reserve_counts(&s) ? DUNLIN_OK : dun_fail_memory(error, "a portion of the flock");
    result = dun_agree(world, result, error);
    if (!result) result = divide(&s, error);
    dun_free(s.all);
    if (result) dun_portion_free(portion);
    return result;
}

void dun_portion_free(dun_portion *portion) {
    dun_free(portion->words);
    portion->words = NULL;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

typedef struct numbers {
    const dunlin_transport *t;
    const uint32_t *const *lists;
    const uint32_t *counts;
    int list_count;
    uint64_t whole;
    uint64_t *out_bytes, *in_bytes, *cursor; /* [ranks] each */
    uint32_t *out;                           /* NULL: they are counted */
} numbers;

static void for_numbers(numbers *n) {
    uint64_t end;
    for (int l = 0; l < n->list_count; l++)
        for (uint32_t i = 0; i < n->counts[l]; i++) {
            const uint32_t rank = dun_rank_of_place(n->t, n->lists[l][i], n->whole, &end);
            if (n->out)
                n->out[n->cursor[rank]++] = n->lists[l][i];
            else
                n->out_bytes[rank] += sizeof(uint32_t);
        }
}

/* What this rank keeps is moved from `out` behind what comes, since messages go to others only. */
static void exchange_numbers(numbers *n, uint32_t *in, uint64_t count) {
    const uint32_t own = n->t->rank;
    const size_t kept = (size_t)(n->out_bytes[own] / sizeof *in);
    for_numbers(n);
    uint32_t *behind = n->out + n->cursor[own], *end = n->out + n->cursor[n->t->ranks - 1];
    memcpy(in + count - kept, behind - kept, kept * sizeof *in);
    memmove(behind - kept, behind, (size_t)(end - behind) * sizeof *in);
    n->out_bytes[own] = n->in_bytes[own] = 0;
    n->t->exchange(n->t->context, n->out, n->out_bytes, in, n->in_bytes);
}

static dunlin_result divide_numbers(numbers *n, const dunlin_world *world, uint32_t **divided, uint64_t *count,
                                    dunlin_error *error) {
    const size_t size = sizeof(uint32_t);
    for_numbers(n);
    n->t->all_to_all(n->t->context, n->out_bytes, n->in_bytes, 1);
    *count = dun_message_cursors(n->in_bytes, size, n->t->ranks, NULL);
    const uint64_t all = dun_message_cursors(n->out_bytes, size, n->t->ranks, n->cursor);
    n->out = dun_allocate(world->heap, (size_t)(all + 1) * size);
    *divided = dun_allocate(world->heap, (size_t)(*count + 1) * size);
    dunlin_result result = n->out && *divided ? DUNLIN_OK : dun_fail_memory(error, "the ids of a flock");
    result = dun_agree(world, result, error);
    if (!result) exchange_numbers(n, *divided, *count);
    dun_free(n->out);
    return result;
}

dunlin_result dun_numbers_divide(const dunlin_world *world, const uint32_t *const *lists, const uint32_t *counts,
                                 int list_count, uint64_t whole, uint32_t **divided, uint64_t *count, dunlin_error *error) {
    numbers n = {.t = world->transport, .lists = lists, .counts = counts, .list_count = list_count, .whole = whole};
    const size_t ranks = n.t->ranks;
    uint64_t *all = dun_allocate_zeros(world->heap, 3 * ranks, sizeof *all);
    *divided = NULL;
    n.out_bytes = all;
    n.in_bytes = all + ranks;
    n.cursor = all + 2 * ranks;
    dunlin_result result = dun_agree(world, all ? DUNLIN_OK : dun_fail_memory(error, "the ids of a flock"), error);
    if (!result) result = divide_numbers(&n, world, divided, count, error);
    dun_free(all);
    return result;
}
