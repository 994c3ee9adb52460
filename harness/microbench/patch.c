/* SPDX-License-Identifier: MIT */
#include "harness/microbench/patch.h"
#include "harness/measure/workload.h"

#include <stdlib.h>
#include <string.h>

enum { AGENTS = 4096 };

/* Arrays have room for kernels to read past their end. */
static bool copy_agents(patch *made, const dunlin_packet *view) {
    const size_t stride = made->agents + DUN_PADDING, bytes = 6 * stride * sizeof *made->block;
    made->block = aligned_alloc(DUN_CACHE_LINE, bytes);
    made->packets = malloc(made->agents * sizeof *made->packets);
    if (!made->block || !made->packets) return false;
    memset(made->block, 0, bytes);
    for (int a = 0; a < made->dimensions; a++) {
        float *position = made->block + (size_t)a * stride, *velocity = made->block + (size_t)(3 + a) * stride;
        made->size[a] = view->size[a];
        made->position[a] = memcpy(position, view->position[a], made->agents * sizeof *position);
        made->velocity[a] = memcpy(velocity, view->velocity[a], made->agents * sizeof *velocity);
    }
    return true;
}

/* Asks the kernel which candidates a packet lists: those that are within the radius of the box around it. */
static void count_candidates(patch *made, const patch_packet *packet) {
    dun_interact interact = {.max_r2 = bench_radius * bench_radius};
    int32_t slots[AGENTS + DUN_PADDING];
    dun_box box;
    for (int a = 0; a < made->dimensions; a++) {
        interact.position[a] = made->position[a];
        interact.size[a] = made->size[a];
        made->kernel->min_max(made->position[a] + packet->slots.first, packet->slots.count, box.of[a]);
    }
    for (uint32_t r = 0; r < packet->range_count; r++) {
        const dun_range range = made->ranges[packet->first_range + r];
        made->candidates += range.end - range.begin;
        made->near += made->kernel->candidates(&interact, made->dimensions, &box, &range, 1, slots);
    }
}

/* Keeps a packet of the step. Where memory runs out, packets are missing, and patch_make() fails. */
static void keep_packet(void *user, const dunlin_packet *view) {
    patch *made = user;
    if (!made->block && !copy_agents(made, view)) return;
    dun_range *ranges = realloc(made->ranges, (made->range_count + view->range_count) * sizeof *ranges);
    if (!ranges) return;
    made->ranges = ranges;
    patch_packet *packet = &made->packets[made->packet_count++];
    *packet = (patch_packet){{view->first, view->count}, made->range_count, view->range_count};
    for (uint32_t r = 0; r < view->range_count; r++)
        ranges[made->range_count++] =
            (dun_range){.begin = view->ranges[r].begin, .end = view->ranges[r].end, .folds = (uint8_t)view->ranges[r].folds};
    count_candidates(made, packet);
}

bool patch_make(patch *made, int dimensions, int neighbours, const dun_kernel *kernel) {
    const bench_workload workload = {.dimensions = dimensions, .agents = AGENTS, .neighbours = neighbours};
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_world *world;
    *made = (patch){.kernel = kernel, .dimensions = dimensions, .agents = AGENTS};
    if (bench_world_make_part(&workload, &alone, 1, kernel->name, "grid", &world, NULL) != DUNLIN_OK) return false;
    dunlin_behaviour_def keep = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    keep.pairs = (dunlin_pairs){0, bench_radius, keep_packet};
    keep.user = made;
    dunlin_result result = dunlin_world_add_behaviour(world, &keep, NULL, NULL);
    if (result == DUNLIN_OK) result = dunlin_world_step(world, NULL);
    dunlin_world_destroy(world);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < made->packet_count; i++) kept += made->packets[i].slots.count;
    return result == DUNLIN_OK && kept == AGENTS;
}

void patch_free(patch *made) {
    free(made->block);
    free(made->packets);
    free(made->ranges);
    *made = (patch){0};
}
