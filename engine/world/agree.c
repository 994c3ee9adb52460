/* SPDX-License-Identifier: MIT */
#include "engine/world/agree.h"

#include <string.h>

#include "engine/base/check.h"
#include "engine/world/memory.h"

void dun_all_reduce(const dunlin_world *world, uint64_t *numbers, uint64_t count) {
    enum { AT_ONCE = 1 << 20 };
    const dunlin_transport *t = world->transport;
    for (uint64_t first = 0; first < count && t; first += AT_ONCE)
        t->all_reduce(t->context, numbers + first, count - first < AT_ONCE ? (uint32_t)(count - first) : AT_ONCE);
}

/* Rank r finds the maxima of the numbers from r·share on. */
static uint32_t share_of_rank(uint32_t ranks, uint32_t count) {
    return count / ranks + (count % ranks != 0);
}

size_t dun_max_spare(uint32_t ranks, uint32_t count) {
    return 2 * (size_t)ranks * share_of_rank(ranks, count);
}

void dun_max(const dunlin_world *world, uint64_t *numbers, uint32_t count, uint64_t *spare) {
    const dunlin_transport *t = world->transport;
    if (!t) return;
    const uint32_t share = share_of_rank(t->ranks, count);
    const size_t all = (size_t)t->ranks * share, own = (size_t)t->rank * share;
    uint64_t *out = spare, *in = spare + all;
    memcpy(out, numbers, count * sizeof *out);
    memset(out + count, 0, (all - count) * sizeof *out);
    t->all_to_all(t->context, out, in, share);
    memset(numbers, 0, count * sizeof *numbers);
    for (size_t i = own; i < own + share && i < count; i++)
        for (uint32_t r = 0; r < t->ranks; r++) numbers[i] = max_u64(numbers[i], in[(size_t)r * share + i - own]);
    dun_all_reduce(world, numbers, count); /* all others' are 0 */
}

/* Which rank is the lowest is asked only now, since it takes a number of every rank. */
static uint32_t lowest_failed(const dunlin_transport *t, bool failed) {
    uint32_t lowest = 0;
    for (uint32_t begin = 0; begin < t->ranks; begin += 64) {
        uint64_t flags[64] = {0};
        if (failed && t->rank >= begin && t->rank < begin + 64) flags[t->rank - begin] = 1;
        t->all_reduce(t->context, flags, 64);
        while (lowest < begin + 64 && !flags[lowest - begin]) lowest++;
        if (lowest < begin + 64) break;
    }
    return lowest;
}

static dunlin_result tell_failure(const dunlin_transport *t, dunlin_result result, dunlin_error *error) {
    dunlin_error common = {.code = result};
    if (result && error) common = *error;
    common.code = result;
    t->broadcast(t->context, lowest_failed(t, result != DUNLIN_OK), &common, sizeof common);
    if (error) *error = common;
    return common.code;
}

dunlin_result dun_agree_on_failure(const dunlin_world *world, uint64_t failed, dunlin_result result, dunlin_error *error) {
    return failed ? tell_failure(world->transport, result, error) : DUNLIN_OK;
}

dunlin_result dunlin_agree(const dunlin_transport *transport, dunlin_result result, dunlin_error *error) {
    uint64_t failed = result != DUNLIN_OK;
    if (!transport) return dun_fail(error, DUNLIN_ERROR_VALUE, "transport is NULL: make one with dunlin_transport_default()");
    if (transport->ranks == 1) return result;
    transport->all_reduce(transport->context, &failed, 1);
    return failed ? tell_failure(transport, result, error) : DUNLIN_OK;
}

dunlin_result dun_agree(const dunlin_world *world, dunlin_result result, dunlin_error *error) {
    return world->transport ? dunlin_agree(world->transport, result, error) : result;
}

static void set_species_count(dunlin_world *world, int species, uint64_t count) {
    if (world->species[species]->whole_count != count) world->prepared = false; /* there are other cells */
    world->species[species]->whole_count = count;
}

void dun_counts_set(dunlin_world *world, const uint64_t counts[]) {
    for (int s = 0; s < world->species_count; s++) set_species_count(world, s, counts[s]);
    world->counted = true;
}

void dun_count_add(dunlin_world *world, int species, int64_t more) {
    if (world->transport && world->counted)
        set_species_count(world, species, world->species[species]->whole_count + (uint64_t)more);
}

dunlin_result dun_check_whole(const dunlin_world *world, const char *what, dunlin_error *error) {
    if (!world->transport) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE,
                    "%s needs the whole flock, which %u ranks share: call it on rank 0, after "
                    "dunlin_world_gather()",
                    what, world->transport->ranks);
}

/* ---- segments --------------------------------------------------------------------------------------------------------- */

bool dun_segments_reserve(const dunlin_world *world, int species, uint32_t more) {
    dun_segments *segments = &world->species[species]->segments;
    const uint64_t count = (uint64_t)segments->count + more;
    return !world->transport || dun_array_reserve(world->heap, &segments->list, &segments->room, count, sizeof *segments->list);
}

void dun_segment_add(const dunlin_world *world, int species, uint32_t key, uint32_t begin) {
    dun_segments *segments = &world->species[species]->segments;
    segments->list[segments->count++] = (dun_segment){begin, key};
}

void dun_segments_close(const dunlin_world *world, int species, uint32_t last_key) {
    world->species[species]->segments.last_key = last_key;
}

void dun_segment_open(const dunlin_world *world, int species) {
    dun_segments *segments = &world->species[species]->segments;
    if (world->transport) dun_segment_add(world, species, ++segments->last_key, world->species[species]->count);
}

void dun_segments_bury(dun_species *species, const uint8_t *dies) {
    uint32_t left = 0, slot = 0;
    for (uint32_t k = 0; k < species->segments.count; k++) {
        for (; slot < species->segments.list[k].begin; slot++) left += dies[slot] == 0;
        species->segments.list[k].begin = left;
    }
}

void dun_own_share(const dunlin_world *world, uint64_t count, uint64_t *begin, uint64_t *end) {
    const uint64_t ranks = world->transport ? world->transport->ranks : 1, rank = world->transport ? world->transport->rank : 0;
    *begin = count / ranks * rank + count % ranks * rank / ranks;
    *end = count / ranks * (rank + 1) + count % ranks * (rank + 1) / ranks;
}
