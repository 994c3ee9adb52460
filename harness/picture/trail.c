/* SPDX-License-Identifier: MIT */
/*
 * A trail is made of segments, one between each two frames, and a segment of dots, so close to each other that the blur of a
 * density makes a line of them. Points are kept in the world, not in the picture, because the camera may move.
 */
#include "harness/picture/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DOTS = 16 };

void picture_trail_free(picture_trail *trail) {
    free(trail->points);
    block_free(&trail->dots);
    *trail = (picture_trail){0};
}

/* ---- points ----------------------------------------------------------------------------------------------------------- */

static float *points_of(const picture_trail *trail, uint32_t id, uint64_t frame) {
    return trail->points + ((size_t)id * (size_t)trail->frames + (size_t)(frame % (uint64_t)trail->frames)) * 3;
}

static bool make_room(picture_trail *trail, uint32_t agents) {
    if (agents <= trail->agents) return true;
    const uint32_t room = agents + agents / 4;
    const size_t each = (size_t)trail->frames * 3;
    float *points = realloc(trail->points, (size_t)room * each * sizeof *points);
    if (!points) return false;
    for (size_t i = (size_t)trail->agents * each; i < (size_t)room * each; i++) points[i] = NAN;
    trail->points = points;
    trail->agents = room;
    return true;
}

static bool note_species(picture_trail *trail, const dunlin_view *view) {
    uint32_t highest = 0;
    for (uint32_t i = 0; i < view->count; i++) highest = view->id[i] > highest ? view->id[i] : highest;
    if (view->count == 0) return true;
    if (!make_room(trail, highest + 1)) return false;
    for (uint32_t i = 0; i < view->count; i++) {
        float *point = points_of(trail, view->id[i], trail->drawn);
        for (int axis = 0; axis < 3; axis++) point[axis] = view->position[axis] ? view->position[axis][i] : 0.0f;
    }
    return true;
}

bool picture_trail_note(picture_trail *trail, const dunlin_world *world) {
    if (trail->frames == 0) return true;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        if (!note_species(trail, &view)) return false;
    }
    trail->drawn++;
    return true;
}

/* ---- segments --------------------------------------------------------------------------------------------------------- */

typedef struct place {
    float x, y, depth;
    bool is_known;
} place;

/* Of the species' agent `i`, `back` frames ago; 0: now. */
static void find_point(const picture_trail *trail, const dunlin_view *view, uint32_t i, int back, float point[3]) {
    const uint32_t id = view->id[i];
    const float *kept = back > 0 && id < trail->agents ? points_of(trail, id, trail->drawn - (uint64_t)back) : NULL;
    for (int axis = 0; axis < 3; axis++) {
        const float now = view->position[axis] ? view->position[axis][i] : 0.0f;
        point[axis] = back == 0 ? now : kept ? kept[axis] : NAN;
    }
}

/* Whether an agent has moved from one to the other, and has not appeared on the other side of the world. */
static bool is_simulation(const picture_camera *camera, const float from[3], const float to[3]) {
    for (int axis = 0; axis < camera->dimensions; axis++) {
        const double half = 0.5 * (camera->high[axis] - camera->low[axis]);
        if (!(fabs((double)to[axis] - (double)from[axis]) < half)) return false;
    }
    return true;
}

static place see_point(const picture_camera *camera, const float point[3]) {
    double x, y;
    const double at[3] = {(double)point[0], (double)point[1], (double)point[2]};
    const double depth = camera_point(camera, at, &x, &y);
    return (place){.x = (float)x, .y = (float)y, .depth = (float)depth};
}

/* Dots per segment, for all alike: as many as pixels in the longest of the last segments. */
static int count_dots(const picture_trail *trail, const picture_camera *camera, const dunlin_view *view, int threads) {
    float longest = 1.0f;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : longest)
    for (uint32_t i = 0; i < view->count; i++) {
        float from[3], to[3];
        find_point(trail, view, i, 0, from);
        find_point(trail, view, i, 1, to);
        if (!is_simulation(camera, from, to)) continue;
        const place a = see_point(camera, from), b = see_point(camera, to);
        const float length = hypotf(b.x - a.x, b.y - a.y);
        longest = length > longest ? length : longest;
    }
    return longest < (float)MAX_DOTS ? (int)ceilf(longest) : MAX_DOTS;
}

/* A dot counts for as much as the length that it stands for, and less the older it is. */
static void see_segment(const picture_sights *seen, const place *from, const place *to, size_t first, int dots, float fading) {
    const float dx = to->x - from->x, dy = to->y - from->y, length = sqrtf(dx * dx + dy * dy);
    const float per_length = length > 0.0f ? 1.0f / length : 0.0f;
    for (int dot = 0; dot < dots; dot++) {
        const float share = ((float)dot + 0.5f) / (float)dots;
        const size_t at = first + (size_t)dot;
        seen->x[at] = from->x + share * dx;
        seen->y[at] = from->y + share * dy;
        seen->heading_x[at] = -dx * per_length; /* from now back into the past */
        seen->heading_y[at] = dy * per_length;
        if (seen->depth) seen->depth[at] = from->depth + share * (to->depth - from->depth);
        seen->weight[at] = fading * length / (float)dots;
    }
}

typedef struct segments {
    int count; /* per agent */
    int dots;  /* per segment */
} segments;

static void see_agent(const picture_trail *trail, const picture_camera *camera, const dunlin_view *view, uint32_t i,
                      const picture_sights *seen, const segments *made) {
    float from[3], to[3];
    find_point(trail, view, i, 0, from);
    place near = see_point(camera, from);
    for (int back = 1; back <= made->count; back++) {
        const size_t first = ((size_t)i * (size_t)made->count + (size_t)back - 1) * (size_t)made->dots;
        find_point(trail, view, i, back, to);
        const place far = is_simulation(camera, from, to) ? see_point(camera, to) : near;
        see_segment(seen, &near, &far, first, made->dots, 1.0f - ((float)back - 0.5f) / (float)trail->frames);
        for (int dot = 0; dot < made->dots; dot++) seen->slot[first + (size_t)dot] = i;
        if (isnan(to[0])) continue;
        near = see_point(camera, to);
        memcpy(from, to, sizeof from);
    }
}

bool picture_trail_see(picture_trail *trail, const picture_camera *camera, const dunlin_view *view, int threads,
                       picture_sights *seen) {
    *seen = (picture_sights){0};
    if (trail->drawn == 0 || trail->frames == 0 || view->count == 0) return true;
    threads = picture_threads_for(view->count, threads);
    segments made = {.count = trail->drawn < (uint64_t)trail->frames ? (int)trail->drawn : trail->frames};
    made.dots = count_dots(trail, camera, view, threads);
    const uint64_t count = (uint64_t)view->count * (uint64_t)made.count * (uint64_t)made.dots;
    if (count >= UINT32_MAX || !picture_sights_make(seen, &trail->dots, camera, (uint32_t)count, true)) return false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t i = 0; i < view->count; i++) see_agent(trail, camera, view, i, seen, &made);
    return true;
}
