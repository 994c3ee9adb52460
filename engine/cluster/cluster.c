/* SPDX-License-Identifier: MIT */
/* A world as a part: made and asked. */
#include "engine/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

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
