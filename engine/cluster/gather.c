/* SPDX-License-Identifier: MIT */
/* The whole flock on rank 0, and back. */
#include "engine/base/check.h"
#include "engine/cluster/cluster.h"
#include "engine/scenery/scenery.h"
#include "engine/world/use.h"

static dunlin_result check_part(const dunlin_world *world, bool gathered, dunlin_error *error) {
    if (!world->cluster || world->cluster->gathered == gathered) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE,
                    gathered ? "the flock has not been gathered: call dunlin_world_gather() first"
                             : "the flock is gathered: call dunlin_world_share() first");
}

dunlin_result dun_check_spread(const dunlin_world *world, dunlin_error *error) {
    return check_part(world, false, error);
}

dunlin_result dun_gather(dunlin_world *world, dunlin_error *error) {
    dunlin_result result = dun_check_spread(world, error);
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

void dun_cluster_restart(dunlin_world *world) {
    if (!world->transport) return;
    world->cluster->all_move = true;
    for (int s = 0; s < world->species_count; s++) {
        world->species[s]->segments.count = world->species[s]->segments.last_key = 0;
        world->species[s]->whole_count = 0;
    }
    world->counted = false;
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
    world->cluster->all_move = true;
    world->counted = false;
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
