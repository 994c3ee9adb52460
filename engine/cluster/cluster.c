/* SPDX-License-Identifier: MIT */
/* A world as a part: made and asked. */
#include "engine/cluster/cluster.h"

#include "engine/base/check.h"
#include "engine/world/use.h"

/* ---- counting ---------------------------------------------------------------------------------------------------------- */

static void all_to_all(void *context, const uint64_t *out, uint64_t *in, uint32_t count) {
    struct dun_cluster *cluster = context;
    cluster->collectives++;
    cluster->callers.all_to_all(cluster->callers.context, out, in, count);
}

static void exchange(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes) {
    const struct dun_cluster *cluster = context;
    cluster->callers.exchange(cluster->callers.context, out, out_bytes, in, in_bytes);
}

static void all_reduce(void *context, uint64_t *numbers, uint32_t count) {
    struct dun_cluster *cluster = context;
    cluster->collectives++;
    cluster->callers.all_reduce(cluster->callers.context, numbers, count);
}

static void exclusive_scan(void *context, uint64_t *numbers, uint32_t count) {
    struct dun_cluster *cluster = context;
    cluster->collectives++;
    cluster->callers.exclusive_scan(cluster->callers.context, numbers, count);
}

static void broadcast(void *context, uint32_t root, void *bytes, uint64_t count) {
    struct dun_cluster *cluster = context;
    cluster->collectives++;
    cluster->callers.broadcast(cluster->callers.context, root, bytes, count);
}

static dunlin_transport counting(struct dun_cluster *cluster) {
    dunlin_transport t = cluster->callers;
    t.context = cluster;
    t.all_to_all = all_to_all;
    t.exchange = exchange;
    t.all_reduce = all_reduce;
    t.exclusive_scan = exclusive_scan;
    t.broadcast = broadcast;
    return t;
}

void dun_calls_begin(dunlin_world *world) {
    if (world->cluster) world->cluster->collectives = 0;
}

void dun_calls_end(dunlin_world *world) {
    if (world->cluster) world->cluster->traffic.collectives = world->cluster->collectives;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

bool dun_cluster_create(dunlin_world *world, const dunlin_transport *transport) {
    struct dun_cluster *cluster = dun_allocate_zeros(world->heap, 1, sizeof *cluster);
    world->cluster = cluster;
    if (!cluster) return false;
    cluster->callers = *transport;
    cluster->transport = counting(cluster);
    cluster->traffic.imbalance = 1.0;
    world->transport = &cluster->transport;
    const size_t ranks = transport->ranks;
    uint64_t *numbers = dun_allocate_zeros(world->heap, 5 * ranks, sizeof *numbers);
    if (!numbers || !dun_cut_create(world->heap, cluster)) return false;
    cluster->out_bytes = numbers;
    cluster->in_bytes = numbers + ranks;
    cluster->out_cursor = numbers + 2 * ranks;
    cluster->in_cursor = numbers + 3 * ranks;
    cluster->in_end = numbers + 4 * ranks;
    return true;
}

/* ---- asking ------------------------------------------------------------------------------------------------------------ */

dunlin_transport dunlin_transport_default(void) {
    return (dunlin_transport){.cookie = DUN_COOKIE, .ranks = 1};
}

dunlin_result dunlin_world_sum_in_step(dunlin_world *world, dunlin_sum_fn *brings, void *context, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!world->cluster) return DUNLIN_OK;
    world->cluster->brings = brings;
    world->cluster->brings_context = context;
    return DUNLIN_OK;
}

dunlin_traffic dunlin_world_traffic(const dunlin_world *world) {
    return world->cluster ? world->cluster->traffic : (dunlin_traffic){0};
}
