/* SPDX-License-Identifier: MIT */
#include "harness/microbench/patch.h"

#include <dunlin/dunlin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_ACROSS = 5, STRETCH_2D = 256, STRETCH_3D = 128 };

static const double row_width = 1.002; /* a little more than the radius, as the grid makes its rows */
static const double end_width = 1.5;   /* before and after the stretch: more than a radius */
static const double surplus = 1.3;     /* rows are random, too, and one must hold the stretch in any case */
static const float speed = 0.1f;

/* ---- a step of the beam ----------------------------------------------------------------------------------------------- */

static uint32_t min_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Arrays have room for kernels to read past their end. */
static bool copy_agents(patch *made, const dunlin_packet *view) {
    size_t stride = ((size_t)made->agents + 2 * DUN_PADDING) / DUN_PADDING * DUN_PADDING;
    made->block = aligned_alloc(DUN_CACHE_LINE, 6 * stride * sizeof *made->block);
    if (!made->block) return false;
    memset(made->block, 0, 6 * stride * sizeof *made->block);
    for (int a = 0; a < made->dimensions; a++) {
        float *position = made->block + (size_t)a * stride, *velocity = made->block + (size_t)(3 + a) * stride;
        memcpy(position, view->position[a], made->agents * sizeof *position);
        memcpy(velocity, view->velocity[a], made->agents * sizeof *velocity);
        made->position[a] = position;
        made->velocity[a] = velocity;
    }
    return true;
}

/* Keeps a packet of the step. Where memory runs out, packets are missing, and patch_make() fails. */
static void keep_packet(void *user, const dunlin_packet *view) {
    patch *made = user;
    if (!made->block && !copy_agents(made, view)) return;
    dun_range *ranges = realloc(made->ranges, (made->range_count + view->range_count) * sizeof *ranges);
    if (!ranges) return;
    made->ranges = ranges;
    made->packets[made->packet_count++] = (patch_packet){{view->first, view->count}, made->range_count, view->range_count};
    for (uint32_t r = 0; r < view->range_count; r++)
        ranges[made->range_count++] = (dun_range){view->ranges[r].begin, view->ranges[r].end, (uint8_t)view->ranges[r].folds};
}

static dunlin_result fill(patch *made, dunlin_world *world) {
    dunlin_species_def species = dunlin_species_def_default();
    dunlin_result result = dunlin_world_add_species(world, &species, NULL, NULL);
    if (result != DUNLIN_OK) return result;
    dunlin_scatter_def start = dunlin_scatter_def_default(world);
    start.count = made->agents;
    start.max_speed = speed;
    dunlin_behaviour_def keep = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    keep.pairs = (dunlin_pairs){0, 1.0f, keep_packet};
    keep.user = made;
    result = dunlin_world_scatter(world, 0, &start, NULL);
    return result == DUNLIN_OK ? dunlin_world_add_behaviour(world, &keep, NULL, NULL) : result;
}

static bool step_beam(patch *made, const char *kernel) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    def.dimensions = made->dimensions;
    def.boundary = DUNLIN_BOUNDARY_REFLECT;
    def.threads = 1;
    def.kernel = kernel;
    def.index = "grid";
    memcpy(def.size, made->size, sizeof def.size);
    dunlin_result result = dunlin_world_create(&def, &world, NULL);
    if (result == DUNLIN_OK) result = fill(made, world);
    if (result == DUNLIN_OK) result = dunlin_world_step(world, NULL);
    dunlin_world_destroy(world);
    return result == DUNLIN_OK && made->block;
}

/* ---- the stretch ------------------------------------------------------------------------------------------------------ */

/* The first agent of the middle row that is far enough from the end of the beam to miss no neighbour there. */
static uint32_t find_stretch(const patch *made) {
    uint32_t slot = 0;
    for (; slot < made->agents; slot++) {
        bool is_inside = (double)made->position[0][slot] >= end_width;
        for (int a = 1; a < made->dimensions; a++)
            is_inside = is_inside && (int)((double)made->position[a][slot] / row_width) == ROWS_ACROSS / 2;
        if (is_inside) break;
    }
    return slot;
}

/* Asks the kernel which candidates a packet lists: those that are within the radius of the box around it. */
static void count_candidates(patch *made, const dun_kernel *kernel, const patch_packet *packet, int32_t *slots) {
    dun_interact interact = {.max_r2 = 1.0f};
    dun_box box;
    for (int a = 0; a < made->dimensions; a++) {
        interact.position[a] = made->position[a];
        interact.size[a] = made->size[a];
        kernel->min_max(made->position[a] + packet->slots.first, packet->slots.count, box.of[a]);
    }
    for (const dun_range *range = made->ranges + packet->first_range;
         range < made->ranges + packet->first_range + packet->range_count; range++) {
        made->candidates += range->end - range->begin;
        made->near += kernel->candidates(&interact, made->dimensions, &box, *range, slots);
    }
}

/* Keeps only the stretch's packets, cut where they go beyond it: its agents are the same for every kernel. */
static bool cut_packets(patch *made, const dun_kernel *kernel) {
    uint32_t kept = 0;
    int32_t *slots = malloc((made->agents + DUN_PADDING) * sizeof *slots);
    if (!slots) return false;
    for (uint32_t i = 0; i < made->packet_count; i++) {
        patch_packet packet = made->packets[i];
        uint32_t end = min_of(packet.slots.first + packet.slots.count, made->end);
        if (packet.slots.first < made->begin) packet.slots.first = min_of(made->begin, end);
        if (packet.slots.first >= end) continue;
        packet.slots.count = end - packet.slots.first;
        count_candidates(made, kernel, &packet, slots);
        made->packets[kept++] = packet;
    }
    made->packet_count = kept;
    free(slots);
    return kept > 0;
}

bool patch_make(patch *made, int dimensions, int neighbours, const dun_kernel *kernel) {
    const double pi = 3.14159265358979323846;
    const uint32_t stretch = dimensions == 2 ? STRETCH_2D : STRETCH_3D;
    double density = neighbours / (dimensions == 2 ? pi : 4.0 / 3.0 * pi), row_area = pow(row_width, dimensions - 1);
    double length = surplus * stretch / (density * row_area) + 2.0 * end_width;
    double across = row_width * ROWS_ACROSS;
    *made = (patch){.dimensions = dimensions,
                    .size = {(float)length, (float)across, (float)across},
                    .agents = (uint32_t)(density * length * pow(across, dimensions - 1))};
    made->packets = malloc(made->agents * sizeof *made->packets);
    if (!made->packets || !step_beam(made, kernel->name)) return false;
    made->begin = find_stretch(made);
    made->end = min_of(made->begin + stretch, made->agents);
    return cut_packets(made, kernel);
}

void patch_free(patch *made) {
    free(made->block);
    free(made->packets);
    free(made->ranges);
    *made = (patch){0};
}
