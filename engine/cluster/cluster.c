/* SPDX-License-Identifier: MIT */
/* A world as a part: made and asked. */
#include "engine/cluster/cluster.h"

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
    uint64_t *numbers = dun_allocate_zeros(world->heap, 6 * ranks, sizeof *numbers);
    if (!numbers || !dun_cut_create(world->heap, cluster)) return false;
    cluster->out_bytes = numbers;
    cluster->in_bytes = numbers + ranks;
    cluster->out_cursor = numbers + 2 * ranks;
    cluster->in_cursor = numbers + 3 * ranks;
    cluster->in_body = numbers + 4 * ranks;
    cluster->last_piece = numbers + 5 * ranks;
    return true;
}

/* ---- asking ------------------------------------------------------------------------------------------------------------ */

dunlin_transport dunlin_transport_default(void) {
    return (dunlin_transport){.cookie = DUN_COOKIE, .ranks = 1};
}

dunlin_traffic dunlin_world_traffic(const dunlin_world *world) {
    return world->cluster ? world->cluster->traffic : (dunlin_traffic){0};
}
