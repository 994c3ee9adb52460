/* SPDX-License-Identifier: MIT */
/* The exchange: agents go to the ranks that see them. */
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/cluster/exchange.h"
#include "engine/prepare/prepare.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

static bool reserve_places(dunlin_world *world) {
    bool whole = true;
    for (int s = 0; s < world->species_count && whole; s++) {
        dun_spread *spread = &world->cluster->spread[s];
        const uint64_t segments = dun_segment_count(world->species[s]);
        const uint64_t keys = (uint64_t)world->species[s]->segments.last_key + 1;
        if (!spread->leaves) continue;
        whole = dun_array_reserve(world->heap, &spread->place, &spread->place_room, 2 * keys, sizeof *spread->place) &&
                dun_array_reserve(world->heap, &spread->staying, &spread->staying_room, segments, sizeof *spread->staying);
    }
    const uint64_t counts = (uint64_t)world->transport->ranks * (uint64_t)world->species_count;
    struct dun_cluster *cluster = world->cluster;
    return whole &&
           dun_array_reserve(world->heap, &cluster->out_agents, &cluster->out_agents_room, counts,
                             sizeof *cluster->out_agents) &&
           dun_array_reserve(world->heap, &cluster->in_agents, &cluster->in_agents_room, counts, sizeof *cluster->in_agents);
}

/* Gives all ranks the whole counts. */
static dunlin_result agree_on_counts(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    uint64_t numbers[DUNLIN_MAX_SPECIES + 1] = {result != DUNLIN_OK};
    for (int s = 0; s < world->species_count; s++) numbers[s + 1] = world->species[s]->count;
    dun_all_reduce(world, numbers, (uint32_t)world->species_count + 1);
    result = dun_agree_on_failure(world, numbers[0], result, error);
    if (!result) dun_counts_set(world, numbers + 1);
    return result;
}

/* Whether ranks must agree before they know what to send: they do not know how many agents there are, or a collective call
 * follows, or there may be no memory for the sizes. The same on all ranks. */
static bool asks_first(const dunlin_world *world, bool gathers) {
    bool leaves = false;
    for (int s = 0; s < world->species_count; s++) leaves = leaves || world->cluster->spread[s].leaves;
    return gathers || leaves || !world->counted || dun_cut_is_due(world);
}

/* Gives the indexes this step's cells, and finds the numbers of those that agents are in. */
static void number_agents(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (!species->indexed) continue;
        const dun_space space = dun_species_space(world, s, species->count);
        dun_columns columns = dun_species_columns(world, species);
        columns.numbered = species->numbered == world->generation && !world->def.boundary_first;
        dun_grid_shape(species->index, &space, species->count);
        world->cluster->spread[s].keys = dun_grid_numbers(species->index, &columns, species->numbered_from, &world->executor);
    }
}

/* Exchanges sizes. A rank that has failed sends nothing. */
static dunlin_result exchange_sizes(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    if (result) dun_message_clear(world);
    if (world->species_count > 0)
        t->all_to_all(t->context, cluster->out_agents, cluster->in_agents, (uint32_t)world->species_count);
    dun_message_sizes(world, cluster->in_agents, cluster->in_bytes);
    const uint64_t words = dun_message_cursors(cluster->in_bytes, sizeof(uint32_t), t->ranks, cluster->in_cursor);
    if (!result && !dun_array_reserve(world->heap, &cluster->in, &cluster->in_room, words, sizeof *cluster->in))
        result = dun_fail_memory(error, "agents from other ranks");
    return result;
}

static dunlin_result write_messages(dunlin_world *world, bool gathers, dunlin_error *error) {
    if (!gathers) {
        number_agents(world);
        dun_cut_again(world);
    }
    if (!(gathers || dun_routes_find(world)) || !dun_find_hits(world, gathers) || !dun_write_messages(world))
        return dun_fail_memory(error, "an exchange");
    return DUNLIN_OK;
}

static dunlin_result reserve(dunlin_world *world, dunlin_error *error) {
    const struct dun_cluster *cluster = world->cluster;
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; s < world->species_count && !result; s++) {
        const dun_spread *spread = &cluster->spread[s];
        const dun_species *species = world->species[s];
        const uint64_t count = spread->moves ? dun_count_staying(spread, species) + dun_arrivals(world, s) : 0;
        if (count > DUNLIN_MAX_AGENTS)
            result = dun_fail(error, DUNLIN_ERROR_MEMORY, "species '%s': a rank would hold %llu agents, and holds %u at most",
                              species->name, (unsigned long long)count, (unsigned)DUNLIN_MAX_AGENTS);
        else
            result = dun_species_make_room(world, s, count, false, error);
    }
    return result;
}

/* Whether all ranks have room; and what they send. */
static dunlin_result agree_on_room(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    struct dun_cluster *cluster = world->cluster;
    uint64_t numbers[5] = {result != DUNLIN_OK, 0, 0, cluster->hit_count - cluster->leaving, cluster->leaving};
    for (uint32_t r = 0; r < cluster->transport.ranks; r++) {
        numbers[1] += cluster->out_bytes[r];
        numbers[2] += cluster->out_bytes[r] > 0;
    }
    dun_all_reduce(world, numbers, 5);
    cluster->traffic.bytes = numbers[1];
    cluster->traffic.messages = numbers[2];
    cluster->traffic.halo = numbers[3];
    cluster->traffic.migrants = numbers[4];
    return dun_agree_on_failure(world, numbers[0], result, error);
}

static void send(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    const uint64_t begin = dun_now_ns();
    t->exchange(t->context, cluster->out, cluster->out_bytes, cluster->in, cluster->in_bytes);
    cluster->traffic.ms_exchange += 1e-6 * (double)(dun_now_ns() - begin);
    dun_merge(world);
}

static dunlin_result make_room(dunlin_world *world, bool gathers, dunlin_error *error) {
    const dunlin_result result = reserve(world, error);
    if (result) return result;
    if (!dun_merge_reserve(world) || !(gathers || dun_gains_reserve(world)))
        return dun_fail_memory(error, "agents from other ranks");
    return gathers ? DUNLIN_OK : dun_world_prepare(world, error);
}

/* All that can fail. Nothing of the world changes but whole counts, capacities and memory. */
static dunlin_result prepare(dunlin_world *world, dunlin_result result, bool gathers, dunlin_error *error) {
    dun_choose_movers(world, gathers);
    if (!result && !(reserve_places(world) && dun_named_reserve(world))) result = dun_fail_memory(error, "an exchange");
    if (asks_first(world, gathers)) {
        result = agree_on_counts(world, result, error);
        if (result) return result;
        if (!gathers) dun_find_places(world);
    }
    if (!result) result = write_messages(world, gathers, error);
    result = exchange_sizes(world, result, error);
    if (!result) result = make_room(world, gathers, error);
    return agree_on_room(world, result, error);
}

void dun_exchange(dun_frame *f) {
    const uint64_t begun = dun_now_ns();
    if (!f->world->transport) return;
    f->world->cluster->gain_count = 0;
    f->status = prepare(f->world, f->status, false, f->error);
    f->world->cluster->traffic.ms_exchange = 1e-6 * (double)(dun_now_ns() - begun);
    if (f->status) return;
    f->named = dun_named_find(f->world);
    send(f->world);
    f->ns_waited += dun_now_ns() - begun;
}

/* On rank 0, of messages that are still on their way. */
static dunlin_result check_gathered(const dunlin_world *world, dunlin_error *error) {
    const struct dun_cluster *cluster = world->cluster;
    for (int s = 0; s < world->species_count && cluster->transport.rank == 0; s++) {
        const dun_species *species = world->species[s];
        const uint64_t count = dun_count_staying(&cluster->spread[s], species) + dun_arrivals(world, s);
        if (count != species->whole_count)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "species '%s': rank 0 received %llu agents instead of %llu",
                            species->name, (unsigned long long)count, (unsigned long long)species->whole_count);
    }
    return DUNLIN_OK;
}

dunlin_result dun_exchange_gather(dunlin_world *world, dunlin_error *error) {
    dunlin_result result = prepare(world, DUNLIN_OK, true, error);
    if (!result) result = dun_agree(world, check_gathered(world, error), error);
    if (result) return result;
    send(world);
    /* Rank 0 may load another flock, whose cells follow from its own number. */
    for (int s = 0; s < world->species_count; s++) world->species[s]->whole_count = 0;
    world->prepared = false;
    return DUNLIN_OK;
}
