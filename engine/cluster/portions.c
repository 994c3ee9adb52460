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
    uint64_t *out_words, *in_words, *out_cursor, *all; /* [ranks] each; `all` is the memory of all four */
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

static void count_piece(division *s, uint32_t rank, uint32_t slot, uint32_t count, uint64_t place) {
    (void)slot;
    (void)place;
    if (rank != s->t->rank) s->out_words[rank] += PIECE_HEAD + (uint64_t)s->from.columns * count;
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
    s->out_cursor[rank] += PIECE_HEAD + (uint64_t)s->from.columns * count;
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
    s->out_words = s->all;
    s->in_words = s->all + ranks;
    s->out_cursor = s->all + 2 * ranks;
    s->place = s->all + 3 * ranks;
    return s->all;
}

/* Where each rank's message begins; returns the words of all. */
static uint64_t add_up(const uint64_t *words, uint32_t ranks, uint64_t *cursor) {
    uint64_t all = 0;
    for (uint32_t r = 0; r < ranks; all += words[r++])
        if (cursor) cursor[r] = all;
    return all;
}

static dun_word *allocate_words(const division *s, uint64_t words) {
    return dun_allocate(s->world->heap, (size_t)(words + 1) * sizeof(dun_word));
}

static void send_portions(division *s, uint64_t words_in) {
    const uint32_t ranks = s->t->ranks;
    for_pieces(s, write_piece);
    for (uint32_t r = 0; r < ranks; r++) {
        s->out_words[r] *= sizeof(uint32_t);
        s->in_words[r] *= sizeof(uint32_t);
    }
    s->t->exchange(s->t->context, s->out, s->out_words, s->in, s->in_words);
    read_pieces(s, words_in);
}

static dunlin_result divide(division *s, dunlin_error *error) {
    const uint32_t ranks = s->t->ranks;
    dun_find_places_of(s->world, s->species, s->place);
    for_pieces(s, count_piece);
    s->t->all_to_all(s->t->context, s->out_words, s->in_words, 1);
    const uint64_t words_in = add_up(s->in_words, ranks, NULL);
    s->out = allocate_words(s, add_up(s->out_words, ranks, s->out_cursor));
    s->in = allocate_words(s, words_in);
    s->portion->words = allocate_words(s, (uint64_t)s->from.columns * s->portion->count);
    const bool whole = s->out && s->in && s->portion->words;
    const dunlin_result result =
        dun_agree(s->world, whole ? DUNLIN_OK : dun_fail_memory(error, "a portion of the flock"), error);
    if (!result) send_portions(s, words_in);
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
    uint64_t *out_words, *in_words, *cursor; /* [ranks] each */
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
                n->out_words[rank]++;
        }
}

/* What this rank keeps is moved from `out` behind what comes, since messages go to others only. */
static void exchange_numbers(numbers *n, uint32_t *in, uint64_t arrivals) {
    const uint32_t ranks = n->t->ranks, own = n->t->rank;
    const uint64_t kept = n->out_words[own], all = add_up(n->out_words, ranks, n->cursor), begin = n->cursor[own];
    for_numbers(n);
    memcpy(in + arrivals, n->out + begin, (size_t)(kept * sizeof *in));
    memmove(n->out + begin, n->out + begin + kept, (size_t)((all - begin - kept) * sizeof *in));
    n->out_words[own] = n->in_words[own] = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        n->out_words[r] *= sizeof *in;
        n->in_words[r] *= sizeof *in;
    }
    n->t->exchange(n->t->context, n->out, n->out_words, in, n->in_words);
}

static dunlin_result divide_numbers(numbers *n, const dunlin_world *world, uint32_t **divided, uint64_t *count,
                                    dunlin_error *error) {
    for_numbers(n);
    n->t->all_to_all(n->t->context, n->out_words, n->in_words, 1);
    *count = add_up(n->in_words, n->t->ranks, NULL);
    n->out = dun_allocate(world->heap, (size_t)(add_up(n->out_words, n->t->ranks, NULL) + 1) * sizeof *n->out);
    *divided = dun_allocate(world->heap, (size_t)(*count + 1) * sizeof **divided);
    dunlin_result result = n->out && *divided ? DUNLIN_OK : dun_fail_memory(error, "the ids of a flock");
    result = dun_agree(world, result, error);
    if (!result) exchange_numbers(n, *divided, *count - n->in_words[n->t->rank]);
    dun_free(n->out);
    return result;
}

dunlin_result dun_numbers_divide(const dunlin_world *world, const uint32_t *const *lists, const uint32_t *counts,
                                 int list_count, uint64_t whole, uint32_t **divided, uint64_t *count, dunlin_error *error) {
    numbers n = {.t = world->transport, .lists = lists, .counts = counts, .list_count = list_count, .whole = whole};
    const size_t ranks = n.t->ranks;
    uint64_t *words = dun_allocate_zeros(world->heap, 3 * ranks, sizeof *words);
    *divided = NULL;
    n.out_words = words;
    n.in_words = words + ranks;
    n.cursor = words + 2 * ranks;
    dunlin_result result = dun_agree(world, words ? DUNLIN_OK : dun_fail_memory(error, "the ids of a flock"), error);
    if (!result) result = divide_numbers(&n, world, divided, count, error);
    dun_free(words);
    return result;
}
