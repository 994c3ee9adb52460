/* SPDX-License-Identifier: MIT */
/* A world as a part: made and asked. */
#include "engine/cluster/cluster.h"

#include <string.h>

#include "engine/base/check.h"

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

bool dun_cluster_create(dunlin_world *world, const dunlin_transport *transport) {
    struct dun_cluster *cluster = dun_allocate_zeros(world->heap, 1, sizeof *cluster);
    world->cluster = cluster;
    if (!cluster) return false;
    cluster->transport = *transport;
    cluster->traffic.imbalance = 1.0;
    world->transport = &cluster->transport;
    const size_t ranks = transport->ranks;
    cluster->out_bytes = dun_allocate_zeros(world->heap, ranks, sizeof *cluster->out_bytes);
    cluster->in_bytes = dun_allocate_zeros(world->heap, ranks, sizeof *cluster->in_bytes);
    cluster->out_cursor = dun_allocate_zeros(world->heap, ranks, sizeof *cluster->out_cursor);
    cluster->in_cursor = dun_allocate_zeros(world->heap, ranks, sizeof *cluster->in_cursor);
    cluster->in_body = dun_allocate_zeros(world->heap, ranks, sizeof *cluster->in_body);
    return cluster->out_bytes && cluster->in_bytes && cluster->out_cursor && cluster->in_cursor && cluster->in_body &&
           dun_cut_create(world->heap, cluster);
}

static void spread_free(dun_spread *spread) {
    dun_free(spread->cells);
    dun_free(spread->row_first);
    dun_free(spread->row_rank);
    dun_free(spread->row_stamp);
    dun_free(spread->place);
    dun_free(spread->staying);
}

void dun_cluster_free(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    if (!cluster) return;
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) spread_free(&cluster->spread[s]);
    dun_cut_free(cluster);
    dun_free(cluster->hits);
    dun_free(cluster->seen);
    dun_free(cluster->out);
    dun_free(cluster->in);
    dun_free(cluster->out_bytes);
    dun_free(cluster->in_bytes);
    dun_free(cluster->out_cursor);
    dun_free(cluster->in_cursor);
    dun_free(cluster->in_body);
    dun_free(cluster->out_agents);
    dun_free(cluster->in_agents);
    dun_free(cluster->named);
    dun_free(cluster->gains);
    dun_free(cluster->gains_out);
    dun_free(cluster->gains_in);
    dun_free(cluster);
}

/* ---- asking ------------------------------------------------------------------------------------------------------------ */

dunlin_transport dunlin_transport_default(void) {
    return (dunlin_transport){.cookie = DUN_COOKIE, .ranks = 1};
}

dunlin_traffic dunlin_world_traffic(const dunlin_world *world) {
    return world->cluster ? world->cluster->traffic : (dunlin_traffic){0};
}
