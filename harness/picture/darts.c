/* SPDX-License-Identifier: MIT */
/*
 * A dart per agent. Threads share the picture out in bands of rows, and each draws the part of every dart that is in its band:
 * so no pixel depends on the number of threads.
 */
#include "harness/picture/layers.h"

#include <math.h>

/* The nose points to +x, and the length is 1. Species take the shapes in turn. */
enum { SHAPES = 4, CORNERS = 4 };
static const float shapes[SHAPES][CORNERS][2] = {
    {{0.58f, 0.0f}, {-0.42f, 0.27f}, {-0.22f, 0.0f}, {-0.42f, -0.27f}}, /* dart */
    {{0.52f, 0.0f}, {-0.33f, 0.43f}, {-0.10f, 0.0f}, {-0.33f, -0.43f}}, /* broad wings */
    {{0.70f, 0.0f}, {-0.12f, 0.42f}, {-0.48f, 0.0f}, {-0.12f, -0.42f}}, /* kite */
    {{0.60f, 0.0f}, {-0.40f, 0.13f}, {-0.40f, 0.0f}, {-0.40f, -0.13f}}, /* needle */
};

enum { DEPTHS = 4096 };

static int depth_of(const sighting *agent) {
    return (int)((1.0f - agent->depth) * (float)(DEPTHS - 1));
}

/* Sightings in drawing order, the farthest first, or NULL if memory runs out. */
static sighting *sort(const picture_canvas *canvas, const picture_sights *seen) {
    sighting *sorted = block_need(&canvas->memory->order, (size_t)seen->count * sizeof *sorted);
    uint32_t next[DEPTHS + 1] = {0};
    if (!sorted) return NULL;
    for (uint32_t i = 0; i < seen->count; i++) {
        const sighting agent = picture_sights_at(seen, i);
        next[depth_of(&agent) + 1]++;
    }
    for (int i = 0; i < DEPTHS; i++) next[i + 1] += next[i];
    for (uint32_t i = 0; i < seen->count; i++) {
        const sighting agent = picture_sights_at(seen, i);
        sorted[next[depth_of(&agent)]++] = agent;
    }
    return sorted;
}

/* Moves each edge outwards by that many pixels. The corners follow a certain way around. */
static polygon widen(const polygon *shape, float by) {
    polygon made = {.corners = shape->corners};
    float x[POLYGON_CORNERS], y[POLYGON_CORNERS]; /* of the edge from each corner: the direction outwards */
    for (int i = 0; i < shape->corners; i++) {
        const int next = (i + 1) % shape->corners;
        const float dx = shape->x[next] - shape->x[i], dy = shape->y[next] - shape->y[i], length = sqrtf(dx * dx + dy * dy);
        x[i] = dy / length;
        y[i] = -dx / length;
    }
    for (int i = 0; i < shape->corners; i++) {
        const int before = (i + shape->corners - 1) % shape->corners;
        const float scale = by / (1.0f + x[before] * x[i] + y[before] * y[i]);
        made.x[i] = shape->x[i] + scale * (x[before] + x[i]);
        made.y[i] = shape->y[i] + scale * (y[before] + y[i]);
    }
    return made;
}

static polygon make_dot(const sighting *agent, float radius) {
    polygon made = {.corners = POLYGON_CORNERS};
    for (int i = 0; i < POLYGON_CORNERS; i++) {
        const float angle = 6.2831853f * (float)i / (float)POLYGON_CORNERS;
        made.x[i] = agent->x + radius * cosf(angle);
        made.y[i] = agent->y + radius * sinf(angle);
    }
    return made;
}

/* The length is a projection: an agent that moves towards or away from the viewer has a shorter dart. An agent at rest is a
 * dot. */
static polygon make_dart(const sighting *agent, int shape, float length) {
    const float along = sqrtf(agent->heading_x * agent->heading_x + agent->heading_y * agent->heading_y);
    if (along < 1e-3f) return make_dot(agent, 0.25f * length);
    const float cx = agent->heading_x / along, cy = -agent->heading_y / along, stretch = 0.45f + 0.55f * along;
    polygon made = {.corners = CORNERS};
    for (int i = 0; i < CORNERS; i++) {
        const float u = shapes[shape][i][0] * length * stretch, v = shapes[shape][i][1] * length;
        made.x[i] = agent->x + cx * u - cy * v;
        made.y[i] = agent->y + cy * u + cx * v;
    }
    return made;
}

/* A rim separates darts that overlap: it takes half of its width from the dart. It would only make small darts paler. */
static void draw_dart(const pixel_rows *rows, const sighting *agent, const picture_style *style, const picture_camera *camera) {
    float length = style->length;
    if (camera->dimensions == 3) length *= 1.2f - 0.4f * agent->depth;
    const float reach = 0.75f * length + 4.0f;
    if (!(agent->y + reach > (float)rows->first && agent->y - reach < (float)rows->last)) return;
    colour fill = colour_of(picture_shade(style->colouring, style->own, picture_tint_of(style, agent), style->lightness));
    if (camera->dimensions == 3) fill = colour_mix(palette_paper(), fill, picture_clarity(camera->shading, agent->depth));
    polygon shape = make_dart(agent, style->species % SHAPES, length);
    const float rim = fminf(0.05f * (length - 6.0f), 1.0f);
    if (rim > 0.1f) {
        const polygon outer = widen(&shape, 0.5f * rim);
        const colour edge = style->species % 2 == 0 ? palette_paper() : (colour){0.16f, 0.15f, 0.18f};
        polygon_fill(rows, &outer, edge, style->opacity);
        shape = widen(&shape, -0.5f * rim);
    }
    polygon_fill(rows, &shape, fill, style->opacity);
}

static pixel_rows rows_of(const picture_canvas *canvas, int first, int last) {
    return (pixel_rows){
        .pixels = cairo_image_surface_get_data(canvas->surface),
        .stride = (size_t)cairo_image_surface_get_stride(canvas->surface),
        .width = canvas->camera->width,
        .first = first,
        .last = last,
    };
}

void picture_draw_dart(const picture_canvas *canvas, const sighting *agent, const picture_style *style) {
    const picture_camera flat = {.dimensions = 2};
    cairo_surface_flush(canvas->surface);
    const pixel_rows rows = rows_of(canvas, 0, canvas->camera->height);
    draw_dart(&rows, agent, style, &flat);
    cairo_surface_mark_dirty(canvas->surface);
}

bool picture_draw_darts(const picture_canvas *canvas, const picture_sights *seen, const picture_style *style) {
    const sighting *sorted = sort(canvas, seen);
    if (!sorted) return seen->count == 0;
    const int threads = picture_threads_for(16 * seen->count, canvas->threads); /* a dart takes as long as many sights */
    const int height = canvas->camera->height, bands = threads == 1 ? 1 : 8 * threads;
    cairo_surface_flush(canvas->surface);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int band = 0; band < bands; band++) {
        const pixel_rows rows = rows_of(canvas, height * band / bands, height * (band + 1) / bands);
        for (uint32_t i = 0; i < seen->count; i++) draw_dart(&rows, &sorted[i], style, canvas->camera);
    }
    cairo_surface_mark_dirty(canvas->surface);
    return true;
}
