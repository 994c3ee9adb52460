/* SPDX-License-Identifier: MIT */
#include "harness/microbench/patch.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_ACROSS = 5, STRETCH_2D = 256, STRETCH_3D = 128 };

static const double row_width = 1.002; /* a little more than the radius, as the grid makes them */
static const double end_width = 1.5;   /* before and after the stretch: more than a radius */
static const double surplus = 1.3;     /* the row is random, too: it has to hold the stretch in any case */
static const float speed = 0.1f;

static double agents_per_volume(int dimensions, int neighbours) {
    const double pi = 3.14159265358979323846;
    return neighbours / (dimensions == 2 ? pi : 4.0 / 3.0 * pi);
}

static bool make_crowd(patch *made, int dimensions, int neighbours, uint32_t stretch) {
    double density = agents_per_volume(dimensions, neighbours);
    double row_area = pow(row_width, dimensions - 1), across = pow(ROWS_ACROSS, dimensions - 1);
    double length = surplus * stretch / (density * row_area) + 2.0 * end_width;
    dun_space space = {.dimensions = dimensions, .radius = 1.0f, .size = {(float)length}};
    for (int a = 1; a < dimensions; a++) space.size[a] = (float)(row_width * ROWS_ACROSS);
    return crowd_make(&made->crowd, &space, (uint32_t)(density * row_area * across * length), speed, 1);
}

/* The first agent of the middle row, of those far enough from the end of the beam that nobody misses a neighbour there. */
static uint32_t find_stretch(const patch *made) {
    const int dimensions = made->crowd.space.dimensions;
    uint32_t slot = 0;
    for (; slot < made->crowd.columns.agents; slot++) {
        bool inside = (double)made->position[0][slot] >= end_width;
        for (int a = 1; a < dimensions; a++) {
            inside = inside && (int)((double)made->position[a][slot] / row_width) == ROWS_ACROSS / 2;
        }
        if (inside) break;
    }
    return slot;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static bool is_near(const patch *made, const float low[3], const float high[3], uint32_t slot) {
    float away2 = 0.0f;
    for (int a = 0; a < made->crowd.space.dimensions; a++) {
        float at = made->position[a][slot], away = at - fminf(fmaxf(at, low[a]), high[a]);
        away2 += away * away;
    }
    return away2 <= made->crowd.space.radius * made->crowd.space.radius;
}

/* Kernels leave out who is further than the radius from the box around the group (add_near() in kernels/neighbours/interact.h).
 */
static void count_candidates(patch *made, const patch_group *group) {
    float low[3], high[3];
    for (int a = 0; a < made->crowd.space.dimensions; a++) {
        const float *position = made->position[a] + group->slots.first;
        low[a] = high[a] = position[0];
        for (uint32_t i = 1; i < group->slots.count; i++) {
            low[a] = fminf(low[a], position[i]);
            high[a] = fmaxf(high[a], position[i]);
        }
    }
    for (uint32_t r = 0; r < group->run_count; r++) {
        made->candidates += group->runs[r].end - group->runs[r].begin;
        for (uint32_t slot = group->runs[r].begin; slot < group->runs[r].end; slot++)
            made->near += is_near(made, low, high, slot);
    }
}

/* As interact_tile() in engine/frame/frame.c asks for them. */
static void list_groups(patch *made, uint32_t most_runs) {
    dun_index *index = made->crowd.index;
    dun_query query = {.own = true, .reach = index->type->reach(index, made->crowd.space.radius)};
    for (int a = 0; a < made->crowd.space.dimensions; a++) query.position[a] = made->position[a];
    dun_run *runs = made->runs;
    for (uint32_t first = made->begin; first < made->end; first += query.group.count) {
        uint32_t together = smaller(made->end, index->type->group_end(index, first)) - first;
        query.group = (dun_group){first, smaller(made->lanes, together)};
        uint32_t count = index->type->list_runs(index, &query, runs);
        made->groups[made->group_count] = (patch_group){query.group, runs, count};
        count_candidates(made, &made->groups[made->group_count++]);
        runs += most_runs;
    }
}

bool patch_make(patch *made, int dimensions, int neighbours, uint32_t lanes) {
    *made = (patch){.lanes = lanes};
    const uint32_t stretch = dimensions == 2 ? STRETCH_2D : STRETCH_3D;
    if (!make_crowd(made, dimensions, neighbours, stretch)) return false;
    crowd_sort(&made->crowd);
    for (int a = 0; a < dimensions; a++) {
        made->position[a] = (const float *)made->crowd.columns.to[a];
        made->velocity[a] = (const float *)made->crowd.columns.to[a + dimensions];
    }
    made->begin = find_stretch(made);
    made->end = smaller(made->begin + stretch, made->crowd.columns.agents);

    const dun_index *index = made->crowd.index;
    const dun_reach reach = index->type->reach(index, made->crowd.space.radius);
    const uint32_t most_runs = index->type->max_runs(index, &reach, true);
    made->groups = malloc(stretch * sizeof *made->groups);
    made->runs = malloc((size_t)stretch * most_runs * sizeof *made->runs);
    if (!made->groups || !made->runs) return false;
    list_groups(made, most_runs);
    return true;
}

void patch_free(patch *made) {
    crowd_free(&made->crowd);
    free(made->groups);
    free(made->runs);
    *made = (patch){0};
}
