/* SPDX-License-Identifier: MIT */
/*
 * Many agents as a density: each agent adds its tint and its weight to the four pixels around it, and the sums are blurred a
 * little. A pixel takes the colour of its mean tint; the more agents it has, the more opaque it is.
 *
 * A 3D world is cut into slabs by depth. They are painted over each other, the farthest first and palest, so that a flock hides
 * what is behind it instead of mixing with it.
 */
#include "harness/picture/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLUR_RADIUS = 12, SLABS = 8 };

typedef struct cell {
    float weight, x, y; /* agents, and the sum of their tints */
} cell;

typedef struct camera_view {
    const picture_camera *camera;
    const dunlin_view *view;
} camera_view;

typedef struct density {
    int width, height;
    cell *cells; /* [height][width] */
    float crowd; /* weight of a full pixel */
} density;

static void add(density *sum, int x, int y, float weight, picture_tint tint) {
    if (x < 0 || y < 0 || x >= sum->width || y >= sum->height) return;
    cell *at = &sum->cells[(size_t)y * (size_t)sum->width + (size_t)x];
    at->weight += weight;
    at->x += weight * tint.x;
    at->y += weight * tint.y;
}

static void splat(density *sum, const sighting *agent, float weight, picture_tint tint) {
    float left = floorf(agent->x - 0.5f), top = floorf(agent->y - 0.5f);
    if (!(fabsf(left) < 1e6f) || !(fabsf(top) < 1e6f)) return;
    float fx = agent->x - 0.5f - left, fy = agent->y - 0.5f - top;
    int x = (int)left, y = (int)top;
    add(sum, x, y, weight * (1.0f - fx) * (1.0f - fy), tint);
    add(sum, x + 1, y, weight * fx * (1.0f - fy), tint);
    add(sum, x, y + 1, weight * (1.0f - fx) * fy, tint);
    add(sum, x + 1, y + 1, weight * fx * fy, tint);
}

/* ---- blur ------------------------------------------------------------------------------------------------------------- */

typedef struct blur {
    int radius;
    float taps[2 * MAX_BLUR_RADIUS + 1];
} blur;

static blur make_blur(float sigma) {
    blur made = {.radius = (int)fminf(ceilf(2.5f * sigma), (float)MAX_BLUR_RADIUS)};
    float total = 0.0f;
    for (int i = -made.radius; i <= made.radius; i++) {
        float tap = expf(-0.5f * (float)(i * i) / (sigma * sigma));
        made.taps[i + made.radius] = tap;
        total += tap;
    }
    for (int i = 0; i <= 2 * made.radius; i++) made.taps[i] /= total;
    return made;
}

/* Blurs `count` cells, `stride` apart. `line` has room for them and for the radius on both sides, which must be zero. */
static void blur_line(const blur *how, cell *cells, size_t stride, int count, cell *line) {
    for (int i = 0; i < count; i++) line[i + MAX_BLUR_RADIUS] = cells[(size_t)i * stride];
    memset(&line[count + MAX_BLUR_RADIUS], 0, MAX_BLUR_RADIUS * sizeof *line);
    for (int i = 0; i < count; i++) {
        cell sum = {0};
        const cell *around = &line[i + MAX_BLUR_RADIUS - how->radius];
        for (int tap = 0; tap <= 2 * how->radius; tap++) {
            sum.weight += how->taps[tap] * around[tap].weight;
            sum.x += how->taps[tap] * around[tap].x;
            sum.y += how->taps[tap] * around[tap].y;
        }
        cells[(size_t)i * stride] = sum;
    }
}

static bool blur_density(density *sum, float sigma) {
    blur how = make_blur(sigma);
    int longest = sum->width > sum->height ? sum->width : sum->height;
    cell *line = calloc((size_t)longest + 2 * MAX_BLUR_RADIUS, sizeof *line);
    if (!line) return false;
    for (int y = 0; y < sum->height; y++) blur_line(&how, &sum->cells[(size_t)y * (size_t)sum->width], 1, sum->width, line);
    for (int x = 0; x < sum->width; x++) blur_line(&how, &sum->cells[x], (size_t)sum->width, sum->height, line);
    free(line);
    return true;
}

/* Mean over the agents of how many agents share an agent's pixel: in flocks, far more than the mean over the pixels. */
static float crowding(const density *sum) {
    double weights = 0.0, squares = 0.0;
    size_t count = (size_t)sum->width * (size_t)sum->height;
    for (size_t i = 0; i < count; i++) {
        double weight = (double)sum->cells[i].weight;
        weights += weight;
        squares += weight * weight;
    }
    return squares > 0.0 ? (float)(squares / weights) : 1.0f;
}

static uint32_t blend(uint32_t under, colour over, float opacity) {
    float keep = 1.0f - opacity;
    float red = (float)(under >> 16 & 255) * keep + over.red * 255.0f * opacity;
    float green = (float)(under >> 8 & 255) * keep + over.green * 255.0f * opacity;
    float blue = (float)(under & 255) * keep + over.blue * 255.0f * opacity;
    return 0xff000000u | (uint32_t)(red + 0.5f) << 16 | (uint32_t)(green + 0.5f) << 8 | (uint32_t)(blue + 0.5f);
}

/*
 * Opacity rises with density and never quite saturates. Lightness keeps falling where opacity hardly changes, so that a crowd
 * of ten times the mean density looks different from one of five times.
 */
static uint32_t shade(const cell *at, float crowd, const picture_style *style, float clarity, uint32_t under) {
    float level = at->weight / crowd;
    if (level < 1e-4f) return under;
    float opacity = style->opacity * (1.0f - expf(-1.6f * sqrtf(level) * fminf(1.0f, sqrtf(level) * 1.6f)));
    float lightness = style->lightness + 0.10f - 0.24f * level / (level + 1.0f);
    colour over = picture_colour(style, (picture_tint){at->x / at->weight, at->y / at->weight}, lightness);
    return blend(under, colour_mix(palette_paper(), over, clarity), opacity);
}

static void paint(cairo_surface_t *surface, const density *sum, const picture_style *style, float clarity) {
    cairo_surface_flush(surface);
    unsigned char *bytes = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (int y = 0; y < sum->height; y++) {
        for (int x = 0; x < sum->width; x++) {
            unsigned char *pixel = bytes + (size_t)y * stride + (size_t)x * 4;
            uint32_t value;
            memcpy(&value, pixel, sizeof value);
            value = shade(&sum->cells[(size_t)y * (size_t)sum->width + (size_t)x], sum->crowd, style, clarity, value);
            memcpy(pixel, &value, sizeof value);
        }
    }
    cairo_surface_mark_dirty(surface);
}

/* ---- slabs ------------------------------------------------------------------------------------------------------------ */

/*
 * Sums up one slab of depth, 0 the nearest; a negative number means all. An agent belongs to the two slabs whose middles it is
 * between, so that no agent jumps from one slab to the next.
 */
static bool sum_slab(density *sum, const camera_view *seen, const picture_style *style, int slab, float sigma) {
    memset(sum->cells, 0, (size_t)sum->width * (size_t)sum->height * sizeof *sum->cells);
    for (uint32_t i = 0; i < seen->view->count; i++) {
        sighting agent = camera_see(seen->camera, seen->view, i);
        float share = slab < 0 ? 1.0f : 1.0f - fabsf(agent.depth * (float)(SLABS - 1) - (float)slab);
        if (share > 0.0f) splat(sum, &agent, share, picture_tint_of(style, &agent));
    }
    return blur_density(sum, sigma);
}

static bool draw_slabs(cairo_surface_t *surface, density *sum, const camera_view *seen, const picture_style *style,
                       float sigma) {
    sum->crowd *= 0.3f; /* a line of sight through a flock passes two or three slabs */
    for (int slab = SLABS - 1; slab >= 0; slab--) {
        if (!sum_slab(sum, seen, style, slab, sigma)) return false;
        paint(surface, sum, style, palette_clarity((float)slab / (float)(SLABS - 1)));
    }
    return true;
}

bool picture_draw_density(cairo_surface_t *surface, const picture_camera *camera, const dunlin_view *view,
                          const picture_style *style) {
    if (view->count == 0) return true;
    density sum = {.width = camera->width, .height = camera->height};
    sum.cells = malloc((size_t)sum.width * (size_t)sum.height * sizeof *sum.cells);
    if (!sum.cells) return false;
    const camera_view seen = {.camera = camera, .view = view};
    /* A dart of that length would cover about the same area. */
    float sigma = fminf(fmaxf(0.4f * style->length, 0.5f), 4.0f);
    bool done = sum_slab(&sum, &seen, style, -1, sigma);
    if (done) {
        sum.crowd = crowding(&sum);
        if (camera->dimensions == 3) {
            done = draw_slabs(surface, &sum, &seen, style, sigma);
        } else {
            paint(surface, &sum, style, 1.0f);
        }
    }
    free(sum.cells);
    return done;
}
