/* SPDX-License-Identifier: MIT */
/*
 * A dart, or another shape, per agent. Threads share the picture out in bands of rows, and each draws the part of every dart
 * that is in its band: so no pixel depends on the number of threads.
 */
#include "harness/picture/layers.h"

#include <math.h>

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
        const float scale = by / fmaxf(1.0f + x[before] * x[i] + y[before] * y[i], 0.25f); /* no long spikes */
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

/* The length is a projection: an agent that moves towards or away from the viewer is shorter. An agent at rest is a dot. */
static polygon make_shape(const sighting *agent, const dunlin_outline *outline, float length) {
    const float along = sqrtf(agent->heading_x * agent->heading_x + agent->heading_y * agent->heading_y);
    if (outline->radius > 0.0f) return make_dot(agent, outline->radius * length);
    if (along < 1e-3f) return make_dot(agent, 0.25f * length);
    const float cx = agent->heading_x / along, cy = -agent->heading_y / along, stretch = 0.45f + 0.55f * along;
    polygon made = {.corners = outline->count};
    for (int i = 0; i < outline->count; i++) {
        const float u = outline->corners[i][0] * length * stretch, v = outline->corners[i][1] * length;
        made.x[i] = agent->x + cx * u - cy * v;
        made.y[i] = agent->y + cy * u + cx * v;
    }
    return made;
}

static float length_of(const picture_style *style, const sighting *agent) {
    if (!style->sizes) return style->length;
    const float size = style->sizes[agent->slot] / style->look.typical;
    if (style->look.size > 0.0f) return fmaxf(style->length * style->sizes[agent->slot], 2.0f);
    return style->length * fminf(fmaxf(size, 0.25f), 4.0f);
}

/* Pixels, of the line around an agent. A pale rim separates agents that overlap; it would only make small ones paler. */
static float rim_of(const picture_style *style, float length) {
    return style->look.outline ? fminf(fmaxf(0.08f * length, 1.0f), 2.5f) : fminf(0.05f * (length - 6.0f), 1.0f);
}

/* What is drawn, and what all its agents share. */
typedef struct easel {
    const picture_style *style;
    const picture_camera *camera;
    dunlin_outline outline;
} easel;

/* A rim takes half of its width from the shape. */
static void draw_agent(const pixel_rows *rows, const sighting *agent, const easel *of) {
    const picture_style *style = of->style;
    const picture_camera *camera = of->camera;
    float length = length_of(style, agent);
    if (camera->dimensions == 3) length *= 1.2f - 0.4f * agent->depth;
    const float reach = 0.85f * length + 4.0f;
    if (!(agent->y + reach > (float)rows->first && agent->y - reach < (float)rows->last)) return;
    colour fill = colour_of(picture_shade(style->colouring, style->own, picture_tint_of(style, agent), style->lightness));
    if (camera->dimensions == 3) fill = colour_mix(palette_paper(), fill, picture_clarity(camera->shading, agent->depth));
    polygon shape = make_shape(agent, &of->outline, length);
    const float rim = rim_of(style, length);
    if (rim > 0.1f) {
        const polygon outer = widen(&shape, 0.5f * rim);
        const colour edge = style->look.outline ? (colour){0.16f, 0.15f, 0.18f} : palette_paper();
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
    draw_agent(&rows, agent, &(easel){style, &flat, dunlin_shape_outline(style->look.shape)});
    cairo_surface_mark_dirty(canvas->surface);
}

bool picture_draw_darts(const picture_canvas *canvas, const picture_sights *seen, const picture_style *style) {
    const sighting *sorted = sort(canvas, seen);
    if (!sorted) return seen->count == 0;
    const int threads = picture_threads_for(16 * seen->count, canvas->threads); /* a dart takes as long as many sights */
    const easel on = {style, canvas->camera, dunlin_shape_outline(style->look.shape)};
    const int height = canvas->camera->height, bands = threads == 1 ? 1 : 8 * threads;
    cairo_surface_flush(canvas->surface);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int band = 0; band < bands; band++) {
        const pixel_rows rows = rows_of(canvas, height * band / bands, height * (band + 1) / bands);
        for (uint32_t i = 0; i < seen->count; i++) draw_agent(&rows, &sorted[i], &on);
    }
    cairo_surface_mark_dirty(canvas->surface);
    return true;
}
