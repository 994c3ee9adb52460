/* SPDX-License-Identifier: MIT */
/* What the pointer does to a flock: agents that come and go, obstacles, paths, and a place that attracts or repels. */
#include "harness/page/engine/page.h"

/* positions and velocities: [dimensions][count]. */
PAGE_API dunlin_result page_spawn(page_flock *flock, int species, uint32_t count, const float *positions,
                                  const float *velocities) {
    if (!page_runs(flock)) return flock->error.code;
    dunlin_batch batch = dunlin_batch_default();
    batch.count = count;
    for (int a = 0; a < dunlin_world_get_def(flock->world).dimensions; a++) {
        batch.position[a] = positions + (size_t)a * count;
        batch.velocity[a] = velocities + (size_t)a * count;
    }
    return dunlin_world_spawn(flock->world, species, &batch, NULL, &flock->error);
}

PAGE_API dunlin_result page_despawn(page_flock *flock, const uint32_t *ids, uint32_t count) {
    if (!page_runs(flock)) return flock->error.code;
    return dunlin_world_despawn(flock->world, ids, count, &flock->error);
}

PAGE_API dunlin_result page_add_obstacle(page_flock *flock, int shape, const float *a, const float *b, float radius) {
    if (!page_runs(flock)) return flock->error.code;
    dunlin_obstacle_def obstacle = dunlin_obstacle_def_default((dunlin_obstacle_shape)shape);
    for (int i = 0; i < dunlin_world_get_def(flock->world).dimensions; i++) {
        obstacle.a[i] = a[i];
        obstacle.b[i] = b[i];
    }
    obstacle.radius = radius;
    return dunlin_world_add_obstacle(flock->world, &obstacle, NULL, &flock->error);
}

/* Whether obstacles block a species. */
PAGE_API dunlin_result page_block(page_flock *flock, int species, int blocks) {
    if (!page_runs(flock)) return flock->error.code;
    dunlin_species_def def = dunlin_world_get_species(flock->world, species);
    def.obstacles_block = blocks;
    return dunlin_world_set_species(flock->world, species, &def, &flock->error);
}

/* A path through points[dimensions][count] that a species follows. */
PAGE_API dunlin_result page_add_path(page_flock *flock, int species, uint32_t count, const float *points, float radius) {
    if (!page_runs(flock)) return flock->error.code;
    dunlin_path_def path = dunlin_path_def_default(flock->world);
    dunlin_behaviour_def follow = dunlin_behaviour_def_default(flock->world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    path.count = count;
    for (int a = 0; a < dunlin_world_get_def(flock->world).dimensions; a++) path.points[a] = points + (size_t)a * count;
    dunlin_result result = dunlin_world_add_path(flock->world, &path, &follow.follow.path, &flock->error);
    if (result != DUNLIN_OK) return result;
    follow.species = species;
    follow.follow.radius = radius;
    result = dunlin_world_add_behaviour(flock->world, &follow, NULL, &flock->error);
    if (result != DUNLIN_OK) dunlin_world_remove_path(flock->world, follow.follow.path, NULL);
    return result;
}

static void let_go(page_flock *flock) {
    while (flock->pulls > 0) dunlin_world_remove_behaviour(flock->world, flock->pull[--flock->pulls], NULL);
}

/* Every species seeks the place within the radius, or flees from it if the weight is negative. Weight 0 ends it. */
PAGE_API dunlin_result page_pull(page_flock *flock, const float *place, float radius, float weight) {
    if (!page_runs(flock)) return flock->error.code;
    let_go(flock);
    if (weight <= 0 && weight >= 0) return DUNLIN_OK;
    const int dimensions = dunlin_world_get_def(flock->world).dimensions;
    dunlin_behaviour_def def = dunlin_behaviour_def_default(flock->world, DUNLIN_BEHAVIOUR_SEEK);
    for (int a = 0; a < dimensions; a++) def.target.position[a] = place[a];
    def.radius = radius;
    def.weight = weight;
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; s < dunlin_world_species_count(flock->world) && result == DUNLIN_OK; s++) {
        def.species = s;
        result = dunlin_world_add_behaviour(flock->world, &def, &flock->pull[flock->pulls], &flock->error);
        if (result == DUNLIN_OK) flock->pulls++;
    }
    if (result != DUNLIN_OK) let_go(flock);
    return result;
}
