/* SPDX-License-Identifier: MIT */
/* A world as a part: made, asked, gathered and shared. */
#include "engine/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/scenery/scenery.h"
#include "engine/world/agree.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

bool dun_cluster_reserve(void *place, size_t *room, uint64_t count, size_t element) {
    if (count <= *room) return true;
    const uint64_t wanted = count + count / 4; /* what comes varies a little from step to step */
    if (!dun_array_grow(place, wanted, element)) return false;
    *room = (size_t)wanted;
    return true;
}

bool dun_cluster_create(dunlin_world *world, const dunlin_transport *transport) {
    struct dun_cluster *cluster = calloc(1, sizeof *cluster);
    world->cluster = cluster;
    if (!cluster) return false;
    cluster->transport = *transport;
    cluster->traffic.imbalance = 1.0;
    world->transport = &cluster->transport;
    const size_t ranks = transport->ranks;
    cluster->out_bytes = calloc(ranks, sizeof *cluster->out_bytes);
    cluster->in_bytes = calloc(ranks, sizeof *cluster->in_bytes);
    cluster->out_cursor = calloc(ranks, sizeof *cluster->out_cursor);
    cluster->in_cursor = calloc(ranks, sizeof *cluster->in_cursor);
    cluster->in_body = calloc(ranks, sizeof *cluster->in_body);
    return cluster->out_bytes && cluster->in_bytes && cluster->out_cursor && cluster->in_cursor && cluster->in_body &&
           dun_cut_create(cluster);
}

static void spread_free(dun_spread *spread) {
    free(spread->cells);
    free(spread->row_first);
    free(spread->row_rank);
    free(spread->row_stamp);
    free(spread->place);
    free(spread->staying);
}

void dun_cluster_free(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    if (!cluster) return;
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) spread_free(&cluster->spread[s]);
    dun_cut_free(cluster);
    free(cluster->hits);
    free(cluster->seen);
    free(cluster->out);
    free(cluster->in);
    free(cluster->out_bytes);
    free(cluster->in_bytes);
    free(cluster->out_cursor);
    free(cluster->in_cursor);
    free(cluster->in_body);
    free(cluster->out_agents);
    free(cluster->in_agents);
    free(cluster->named);
    free(cluster->gains);
    free(cluster->gains_out);
    free(cluster->gains_in);
    free(cluster);
}

static size_t spread_bytes(const dun_spread *spread) {
    return spread->cells_room * sizeof *spread->cells + spread->row_room * sizeof *spread->row_first +
           spread->row_rank_room * sizeof *spread->row_rank + spread->row_stamp_room * sizeof *spread->row_stamp +
           spread->place_room * sizeof *spread->place + spread->staying_room * sizeof *spread->staying;
}

size_t dun_cluster_bytes(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    if (!cluster) return 0;
    size_t bytes = sizeof *cluster + dun_cut_bytes(cluster) + cluster->hit_room * sizeof *cluster->hits + cluster->seen_room +
                   (cluster->out_room + cluster->in_room) * sizeof *cluster->out +
                   (cluster->out_agents_room + cluster->in_agents_room) * sizeof *cluster->in_agents +
                   cluster->transport.ranks * (5 * sizeof *cluster->in_body) + cluster->named_room * sizeof *cluster->named +
                   (cluster->gain_room + cluster->gain_out_room + cluster->gain_in_room) * sizeof *cluster->gains;
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) bytes += spread_bytes(&cluster->spread[s]);
    return bytes;
}

/* ---- asking ------------------------------------------------------------------------------------------------------------ */

dunlin_transport dunlin_transport_default(void) {
    return (dunlin_transport){.cookie = DUN_COOKIE, .ranks = 1};
}

dunlin_traffic dunlin_world_traffic(const dunlin_world *world) {
    return world->cluster ? world->cluster->traffic : (dunlin_traffic){0};
}

/* ---- what definitions name --------------------------------------------------------------------------------------------- */

static bool names_agent(const dun_behaviour *behaviour) {
    return behaviour->def.target.kind == DUNLIN_TARGET_AGENT;
}

static bool names_any(const dunlin_world *world, uint64_t *count) {
    bool any = false;
    *count = (uint64_t)world->behaviour_count;
    for (int b = 0; b < world->behaviour_count; b++) any = any || names_agent(&world->behaviours[b]);
    for (int p = 0; p < world->path_count; p++) {
        if (!world->paths[p].agents) continue;
        any = true;
        *count += world->paths[p].count;
    }
    return any;
}

bool dun_named_reserve(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    uint64_t count;
    if (!names_any(world, &count)) return true;
    return dun_cluster_reserve(&cluster->named, &cluster->named_room, count, sizeof *cluster->named);
}

static uint64_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Searching costs a pass over the agents, and a table of all of them about twenty. */
static dun_named find_named(dunlin_world *world, uint32_t id, bool by_table) {
    const dunlin_slot at = by_table ? dun_ids_find(world, id) : dun_ids_search(world, id);
    dun_named named = {.there = at.species >= 0};
    if (!named.there) return named;
    const dun_species *species = world->species[at.species];
    for (int a = 0; a < world->def.dimensions; a++) {
        named.place[a] = bits_of(species->buffer[species->current].position[a][at.index]);
        named.velocity[a] = bits_of(species->buffer[species->current].velocity[a][at.index]);
    }
    return named;
}

/* Each agent is on one rank before the exchange. */
const dun_named *dun_named_find(dunlin_world *world) {
    enum { MANY = 20, AT_ONCE = 1 << 20 };
    dun_named *named = world->cluster->named;
    uint64_t count, filled = 0;
    if (!names_any(world, &count)) return NULL;
    const bool by_table = count > MANY;
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        named[filled++] = names_agent(behaviour) ? find_named(world, behaviour->def.target.agent, by_table) : (dun_named){0};
    }
    for (int p = 0; p < world->path_count; p++)
        for (uint32_t i = 0; world->paths[p].agents && i < world->paths[p].count; i++)
            named[filled++] = find_named(world, world->paths[p].agents[i], by_table);
    for (uint64_t first = 0; first < count; first += AT_ONCE) {
        const uint64_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        dun_sum(world, &named[first].there, (uint32_t)(some * (sizeof *named / sizeof named->there)));
    }
    return named;
}

/* ---- the whole flock on rank 0 ----------------------------------------------------------------------------------------- */

static dunlin_result check_part(const dunlin_world *world, bool gathered, dunlin_error *error) {
    if (!world->cluster || world->cluster->gathered == gathered) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE,
                    gathered ? "the flock has not been gathered: call dunlin_world_gather() first"
                             : "the flock is gathered: call dunlin_world_share() first");
}

dunlin_result dun_gather(dunlin_world *world, dunlin_error *error) {
    dunlin_result result = check_part(world, false, error);
    if (!result && world->cluster) result = dun_exchange_gather(world, error);
    if (result || !world->cluster) return result;
    world->cluster->gathered = true;
    world->transport = NULL;
    return DUNLIN_OK;
}

dunlin_result dunlin_world_gather(dunlin_world *world, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return dun_gather(world, error);
}

/* What rank 0 may have changed. */
typedef struct changed {
    uint64_t step;
    double time;
    uint32_t next_id, spent_ids;
    bool uneven;
} changed;

/* Loading a state sets where moving targets are. */
static void share_targets(dunlin_world *world) {
    const dunlin_transport *t = world->transport;
    for (int b = 0; b < world->behaviour_count; b++) {
        dun_behaviour *behaviour = &world->behaviours[b];
        t->broadcast(t->context, 0, behaviour->def.target.position, sizeof behaviour->def.target.position);
        t->broadcast(t->context, 0, &behaviour->since, sizeof behaviour->since);
    }
}

/* Restoring a checkpoint sets the numbers of traces. */
static void share_traces(dunlin_world *world) {
    const dunlin_transport *t = world->transport;
    for (int i = 0; i < world->trace_count; i++) {
        const dun_field *field = &world->fields[world->traces[i].field];
        t->broadcast(t->context, 0, field->values, dun_field_cells(field) * sizeof *field->values);
    }
}

dunlin_result dun_ungather(dunlin_world *world, dunlin_error *error) {
    const dunlin_result result = check_part(world, true, error);
    if (result || !world->cluster) return result;
    const dunlin_transport *t = &world->cluster->transport;
    changed now = {world->stats.step, world->stats.time, world->next_id, world->spent_ids, world->uneven};
    world->cluster->gathered = false;
    world->cluster->on_first = true;
    world->transport = t;
    t->broadcast(t->context, 0, &now, sizeof now);
    world->stats.step = now.step;
    world->stats.time = now.time;
    world->next_id = now.next_id;
    world->spent_ids = now.spent_ids;
    world->uneven = now.uneven;
    share_targets(world);
    share_traces(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_share(dunlin_world *world, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return dun_ungather(world, error);
}
