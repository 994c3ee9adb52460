/* SPDX-License-Identifier: MIT */
/*
 * Many agents as a density: each agent adds its tint and its weight to the four pixels around it, and the sums are blurred a
 * little. A pixel takes the colour of its mean tint; the more agents it has, the more opaque it is.
 *
 * A 3D world is cut into slabs by depth. They are painted over each other, the farthest first and palest, so that a flock hides
 * what is behind it instead of mixing with it.
 *
 * Threads share the picture out in bands of rows. A band is summed, blurred and painted by one thread, while its sums are in
 * that thread's cache. Agents are first sorted into strips of eight rows, in each of which they keep their storage order: so
 * no pixel depends on the number of threads. A band reads the strips that its rows, and those around it, need for the blur.
 */
#include "harness/picture/layers.h"
#include "harness/picture/wide.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { MAX_BLUR_RADIUS = 12, SLABS = 8, MIN_BAND_ROWS = 48, STRIP_ROWS = 4, CHUNKS = 64 };

/* Agents, and the sum of their tints. Four floats, so that one addition of vectors is enough. */
typedef float four __attribute__((vector_size(16)));
typedef union cell {
    struct {
        float weight, x, y;
    };
    four all;
} cell;

/* Below that part of a full pixel nothing shows. */
#define MIN_LEVEL 1e-4f

enum { CELL_FLOATS = sizeof(cell) / sizeof(float) };

typedef struct blur {
    int radius;
    float taps[2 * MAX_BLUR_RADIUS + 1];
} blur;

typedef struct crowd_sums {
    double weights, squares; /* of all pixels */
} crowd_sums;

typedef struct density {
    const picture_sights *seen;
    const picture_style *style;
    unsigned char *pixels; /* NULL: the picture is only measured */
    size_t stride;         /* bytes per row of pixels */
    int width, height;
    int bands, rows;   /* a band has that many rows, and the last one may have fewer */
    int strips, slabs; /* the first and the last strip are outside the picture */
    float shading;
    float crowd; /* weight of a full pixel */
    blur how;
    uint16_t *bins;     /* [agent] strip * slabs + slab; the last one: the picture does not show the agent */
    uint32_t *starts;   /* [strips * slabs + 1] of each bin */
    uint32_t *order;    /* agents, bin by bin */
    crowd_sums *crowds; /* [bands] */
} density;

/* What a thread works with: rows of the band, and of the blur's radius above and below it. */
typedef struct desk {
    cell *sums;      /* [rows + 2 * radius][radius + width + radius] */
    cell *blurred;   /* [rows + 2 * radius][width] along rows */
    cell *line;      /* [width] blurred in both directions */
    float *total;    /* [rows][width] weight, over all slabs */
    bool *is_used;   /* [rows + 2 * radius] */
    int left, right; /* columns from left to right - 1 are used */
} desk;

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

/* ---- bins ------------------------------------------------------------------------------------------------------------- */

/* An agent's strip is that of the upper row that it adds to; the first strip is above the picture. */
PICTURE_WIDE static void find_bins(const density *d, uint32_t from, uint32_t to) {
    const float *x = d->seen->x, *y = d->seen->y, *depth = d->seen->depth;
    const float right = (float)d->width + 0.5f, lowest = (float)(d->height + MAX_BLUR_RADIUS), above = (float)STRIP_ROWS - 0.5f;
    const float highest = 0.5f - (float)STRIP_ROWS;
    const int slabs = d->slabs, unseen = d->strips * slabs;
    uint16_t *restrict bins = d->bins;
    for (uint32_t i = from; i < to; i++) {
        const bool is_seen = (x[i] > -0.5f) & (x[i] < right) & (y[i] > highest) & (y[i] < lowest); /* no NaN is */
        const int strip = (int)((is_seen ? y[i] : 0.0f) + above) / STRIP_ROWS;
        bins[i] = (uint16_t)(is_seen ? strip * slabs : unseen);
    }
    if (slabs == 1) return;
    for (uint32_t i = from; i < to; i++)
        bins[i] = (uint16_t)(bins[i] + (bins[i] < unseen ? (int)(depth[i] * (float)(SLABS - 1)) : 0));
}

static void count_chunk(const density *d, uint32_t from, uint32_t to, uint32_t *counts) {
    memset(counts, 0, ((size_t)(d->strips * d->slabs) + 1) * sizeof *counts);
    find_bins(d, from, to);
    for (uint32_t i = from; i < to; i++) counts[d->bins[i]]++;
}

static void fill_chunk(const density *d, uint32_t from, uint32_t to, uint32_t *next) {
    for (uint32_t i = from; i < to; i++) d->order[next[d->bins[i]]++] = i;
}

static uint32_t chunk_start(const density *d, int chunk) {
    return (uint32_t)((uint64_t)d->seen->count * (uint64_t)chunk / CHUNKS);
}

/* Turns counts into where each chunk's part of each bin begins. */
static void start_bins(density *d, uint32_t *counts, int count) {
    uint32_t total = 0;
    for (int bin = 0; bin < count; bin++) {
        d->starts[bin] = total;
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            uint32_t *at = &counts[chunk * count + bin], before = total;
            total += *at;
            *at = before;
        }
    }
}

/* Sorts the agents into bins; within each they keep their order. */
static bool make_bins(density *d, picture_memory *memory, int threads) {
    const int count = d->strips * d->slabs + 1;
    d->starts = block_need(&memory->bins, (size_t)count * (CHUNKS + 1) * sizeof *d->starts);
    d->order = block_need(&memory->order, (size_t)d->seen->count * (sizeof *d->order + sizeof *d->bins));
    if (!d->starts || !d->order) return false;
    d->bins = (void *)(d->order + d->seen->count);
    uint32_t *counts = d->starts + count;
    threads = picture_threads_for(d->seen->count, threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int chunk = 0; chunk < CHUNKS; chunk++)
        count_chunk(d, chunk_start(d, chunk), chunk_start(d, chunk + 1), counts + chunk * count);
    start_bins(d, counts, count);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int chunk = 0; chunk < CHUNKS; chunk++)
        fill_chunk(d, chunk_start(d, chunk), chunk_start(d, chunk + 1), counts + chunk * count);
    return true;
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static void add(cell *at, float weight, four agent) {
    at->all += (four){weight, weight, weight, weight} * agent;
}

/* `first` is the band's first row, less the radius, in the picture. Only what is in the picture and in the band is added. */
static void splat(const density *d, desk *on, const sighting *agent, float weight, int first) {
    const picture_tint mean = picture_tint_of(d->style, agent);
    const four tint = {1.0f, mean.x, mean.y, 0.0f};
    const float left = floorf(agent->x - 0.5f), above = floorf(agent->y - 0.5f);
    const float fx = agent->x - 0.5f - left, fy = agent->y - 0.5f - above;
    const int x = (int)left, y = (int)above, row = y - first, rows = d->rows + 2 * d->how.radius;
    const bool has_upper = row >= 0 && row < rows && y >= 0 && y < d->height;
    const bool has_lower = row + 1 >= 0 && row + 1 < rows && y + 1 >= 0 && y + 1 < d->height;
    cell *upper = on->sums + (ptrdiff_t)row * (d->width + 2 * d->how.radius) + d->how.radius + x;
    cell *lower = upper + d->width + 2 * d->how.radius;
    if (has_upper) {
        on->is_used[row] = true;
        if (x >= 0) add(upper, weight * (1.0f - fx) * (1.0f - fy), tint);
        if (x + 1 < d->width) add(upper + 1, weight * fx * (1.0f - fy), tint);
    }
    if (has_lower) {
        on->is_used[row + 1] = true;
        if (x >= 0) add(lower, weight * (1.0f - fx) * fy, tint);
        if (x + 1 < d->width) add(lower + 1, weight * fx * fy, tint);
    }
    on->left = x < on->left ? x : on->left;
    on->right = x + 2 > on->right ? x + 2 : on->right;
}

PICTURE_WIDE static void sum_bins(const density *d, desk *on, uint32_t from, uint32_t to, int slab, int first) {
    for (uint32_t at = from; at < to; at++) {
        const uint32_t i = d->order[at];
        const sighting agent = picture_sights_at(d->seen, i);
        float share = d->slabs == 1 ? 1.0f : 1.0f - fabsf(agent.depth * (float)(SLABS - 1) - (float)slab);
        if (d->seen->weight) share *= d->seen->weight[i];
        if (share > 0.0f) splat(d, on, &agent, share, first);
    }
}

/*
 * Sums up one slab of a band, 0 the nearest. An agent belongs to the two slabs whose middles it is between, so that no agent
 * jumps from one slab to the next. false: the slab is empty.
 */
static bool sum_slab(const density *d, desk *on, int band, int slab) {
    const int radius = d->how.radius, rows = d->rows + 2 * radius, first = band * d->rows - radius;
    const int top = (first - 1 + STRIP_ROWS) / STRIP_ROWS, bottom = (first + rows - 1 + STRIP_ROWS) / STRIP_ROWS;
    bool is_clear = false;
    for (int strip = top > 0 ? top : 0; strip <= bottom && strip < d->strips; strip++) {
        const uint32_t *starts = &d->starts[strip * d->slabs + slab], from = slab > 0 ? starts[-1] : starts[0];
        if (from == starts[1]) continue;
        if (!is_clear) {
            memset(on->sums, 0, (size_t)rows * (size_t)(d->width + 2 * radius) * sizeof *on->sums);
            memset(on->is_used, 0, (size_t)rows * sizeof *on->is_used);
            on->left = d->width;
            on->right = 0;
            is_clear = true;
        }
        sum_bins(d, on, from, starts[1], slab, first);
    }
    if (!is_clear) return false;
    on->left = on->left > radius ? on->left - radius : 0;
    on->right = on->right + radius < d->width ? on->right + radius : d->width;
    return true;
}

/* ---- blur ------------------------------------------------------------------------------------------------------------- */

PICTURE_WIDE static void add_scaled(cell *restrict sums, const cell *restrict from, float factor, int count) {
    float *sum = &sums->weight;
    const float *term = &from->weight;
    for (int i = 0; i < CELL_FLOATS * count; i++) sum[i] += factor * term[i];
}

static void blur_along_rows(const density *d, const desk *on) {
    const int radius = d->how.radius, count = on->right - on->left;
    for (int row = 0; row < d->rows + 2 * radius; row++) {
        if (!on->is_used[row]) continue;
        const cell *from = on->sums + (size_t)row * (size_t)(d->width + 2 * radius) + on->left;
        cell *to = on->blurred + (size_t)row * (size_t)d->width + on->left;
        memset(to, 0, (size_t)count * sizeof *to);
        for (int tap = 0; tap <= 2 * radius; tap++) add_scaled(to, from + tap, d->how.taps[tap], count);
    }
}

/* Blurs the band's row across the rows around it. false: it is empty. */
static bool blur_across_rows(const density *d, const desk *on, int row) {
    const int count = on->right - on->left;
    bool is_empty = true;
    for (int tap = 0; tap <= 2 * d->how.radius; tap++) is_empty = is_empty && !on->is_used[row + tap];
    if (is_empty) return false;
    memset(on->line + on->left, 0, (size_t)count * sizeof *on->line);
    for (int tap = 0; tap <= 2 * d->how.radius; tap++) {
        if (!on->is_used[row + tap]) continue;
        const cell *from = on->blurred + (size_t)(row + tap) * (size_t)d->width + on->left;
        add_scaled(on->line + on->left, from, d->how.taps[tap], count);
    }
    return true;
}

/* ---- paint ------------------------------------------------------------------------------------------------------------ */

static uint32_t blend(uint32_t under, colour over, float opacity) {
    const float keep = 1.0f - opacity;
    const float red = (float)(int32_t)(under >> 16 & 255) * keep + over.red * 255.0f * opacity;
    const float green = (float)(int32_t)(under >> 8 & 255) * keep + over.green * 255.0f * opacity;
    const float blue = (float)(int32_t)(under & 255) * keep + over.blue * 255.0f * opacity;
    return 0xff000000u | (uint32_t)(int32_t)(red + 0.5f) << 16 | (uint32_t)(int32_t)(green + 0.5f) << 8 |
           (uint32_t)(int32_t)(blue + 0.5f);
}

/* Some pixels of a row, in columns, as vectors want them. */
enum { RUN = 128 };

typedef struct run {
    float level[RUN];     /* weight, in full pixels */
    float x[RUN], y[RUN]; /* mean tint */
    uint32_t pixels[RUN];
} run;

/* false: nothing is to be painted. */
PICTURE_WIDE static bool load_run(const cell *restrict cells, int count, float crowd, run *restrict to) {
    float most = 0.0f;
    for (int i = 0; i < count; i++) {
        const float weight = cells[i].weight, weighed = weight > 0.0f ? weight : 1.0f;
        to->level[i] = weight / crowd;
        to->x[i] = cells[i].x / weighed;
        to->y[i] = cells[i].y / weighed;
        most = to->level[i] > most ? to->level[i] : most;
    }
    return most >= MIN_LEVEL;
}

/*
 * Opacity rises with density and never quite saturates. Lightness keeps falling where opacity hardly changes, so that a crowd
 * of ten times the mean density looks different from one of five times. Inlined once per colouring, which the loop then need
 * not ask for.
 */
static inline __attribute__((always_inline)) void paint_as(picture_colouring colouring, const picture_style *style,
                                                           float clarity, run *restrict at) {
    const float opaque = style->opacity, light = style->lightness + 0.10f, log2_e = 1.44269504f;
    const oklab own = style->own;
    for (int i = 0; i < RUN; i++) {
        const float level = at->level[i], root = sqrtf(level), steep = root * 1.6f;
        const float power = -1.6f * log2_e * root * (steep < 1.0f ? steep : 1.0f);
        const float opacity = opaque * (1.0f - palette_exp2(power > -100.0f ? power : -100.0f));
        const picture_tint tint = {at->x[i], at->y[i]};
        const oklab shade = picture_shade(colouring, own, tint, light - 0.24f * level / (level + 1.0f));
        const uint32_t painted = blend(at->pixels[i], colour_mix(palette_paper(), colour_of(shade), clarity), opacity);
        at->pixels[i] = level < MIN_LEVEL ? at->pixels[i] : painted;
    }
}

PICTURE_WIDE static void paint_run(const picture_style *style, float clarity, run *at) {
    switch (style->colouring) {
    case PICTURE_BY_HEADING:
        paint_as(PICTURE_BY_HEADING, style, clarity, at);
        break;
    case PICTURE_BY_SPECIES:
        paint_as(PICTURE_BY_SPECIES, style, clarity, at);
        break;
    case PICTURE_BY_VALUE:
        paint_as(PICTURE_BY_VALUE, style, clarity, at);
        break;
    case PICTURE_GREY:
        paint_as(PICTURE_GREY, style, clarity, at);
        break;
    }
}

static void paint_row(const density *d, const desk *on, float clarity, int row) {
    unsigned char *pixels = d->pixels + (size_t)row * d->stride;
    run at = {0};
    for (int x = on->left; x < on->right; x += RUN) {
        const int count = on->right - x < RUN ? on->right - x : RUN;
        if (!load_run(on->line + x, count, d->crowd, &at)) continue;
        memcpy(at.pixels, pixels + 4 * x, (size_t)count * sizeof *at.pixels);
        paint_run(d->style, clarity, &at);
        memcpy(pixels + 4 * x, at.pixels, (size_t)count * sizeof *at.pixels);
    }
}

/* ---- bands ------------------------------------------------------------------------------------------------------------ */

static void draw_slab(const density *d, desk *on, int band, int slab) {
    const int top = band * d->rows, rows = d->height - top < d->rows ? d->height - top : d->rows;
    const float clarity = d->slabs > 1 ? picture_clarity(d->shading, (float)slab / (float)(SLABS - 1)) : 1.0f;
    if (!sum_slab(d, on, band, slab)) return;
    blur_along_rows(d, on);
    for (int row = 0; row < rows; row++) {
        if (!blur_across_rows(d, on, row)) continue;
        float *total = on->total + (size_t)row * (size_t)d->width;
        for (int x = on->left; x < on->right; x++) total[x] += on->line[x].weight;
        if (d->pixels) paint_row(d, on, clarity, top + row);
    }
}

/* In lanes, so that the sums need not wait for each other. */
PICTURE_WIDE static crowd_sums sum_crowd(const float *weight, size_t count) {
    enum { LANES = 8 };
    double weights[LANES] = {0}, squares[LANES] = {0};
    for (size_t i = 0; i < count / LANES * LANES; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            const double at = (double)weight[i + (size_t)lane];
            weights[lane] += at;
            squares[lane] += at * at;
        }
    }
    crowd_sums sums = {0};
    for (int lane = 0; lane < LANES; lane++) {
        sums.weights += weights[lane];
        sums.squares += squares[lane];
    }
    return sums;
}

static void draw_band(const density *d, desk *on, int band) {
    const size_t cells = (size_t)d->rows * (size_t)d->width; /* a multiple of 32 */
    memset(on->total, 0, cells * sizeof *on->total);
    for (int slab = d->slabs - 1; slab >= 0; slab--) draw_slab(d, on, band, slab);
    d->crowds[band] = sum_crowd(on->total, cells);
}

static size_t round_up(size_t bytes) {
    return (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

/* Lays a desk out in that memory, or only measures if that is NULL. Returns its bytes. */
static size_t lay_out(const density *d, char *memory, desk *on) {
    const size_t width = (size_t)d->width, radius = (size_t)d->how.radius, rows = (size_t)d->rows, all = rows + 2 * radius;
    const size_t sizes[] = {all * (width + 2 * radius) * sizeof(cell), all * width * sizeof(cell), width * sizeof(cell),
                            rows * width * sizeof(float), all * sizeof(bool)};
    enum { PARTS = sizeof sizes / sizeof *sizes };
    char *parts[PARTS];
    size_t bytes = 0;
    for (int i = 0; i < PARTS; i++) {
        parts[i] = memory ? memory + bytes : NULL;
        bytes += round_up(sizes[i]);
    }
    *on = (desk){(void *)parts[0], (void *)parts[1], (void *)parts[2], (void *)parts[3], (void *)parts[4], 0, 0};
    return bytes;
}

static bool draw_bands(density *d, picture_memory *memory, int threads) {
    desk measured;
    const size_t bytes = lay_out(d, NULL, &measured), crowds = round_up((size_t)d->bands * sizeof *d->crowds);
    char *at = block_need(&memory->desks, crowds + bytes * (size_t)threads);
    if (!at) return false;
    d->crowds = (void *)at;
#pragma omp parallel num_threads(threads)
    {
        desk on;
        lay_out(d, at + crowds + bytes * (size_t)omp_get_thread_num(), &on);
#pragma omp for schedule(dynamic)
        for (int band = 0; band < d->bands; band++) draw_band(d, &on, band);
    }
    return true;
}

/* ---- the layer -------------------------------------------------------------------------------------------------------- */

/* Mean over the agents of how many agents share an agent's pixel: in flocks, far more than the mean over the pixels. */
static float crowding(const density *d) {
    crowd_sums all = {0};
    for (int band = 0; band < d->bands; band++) {
        all.weights += d->crowds[band].weights;
        all.squares += d->crowds[band].squares;
    }
    return all.squares > 0.0 ? (float)(all.squares / all.weights) : 1.0f;
}

bool picture_draw_density(const picture_canvas *canvas, const picture_sights *seen, const picture_style *style,
                          picture_crowd *crowd) {
    const picture_camera *camera = canvas->camera;
    /* A dart of that length would cover about the same area. */
    density d = {.seen = seen, .style = style, .how = make_blur(fminf(fmaxf(0.4f * style->length, 0.5f), 4.0f))};
    d.width = camera->width;
    d.height = camera->height;
    d.rows = d.how.radius > MIN_BAND_ROWS / 6 ? 2 * MIN_BAND_ROWS : MIN_BAND_ROWS;
    d.bands = (d.height + d.rows - 1) / d.rows;
    d.strips = (d.height + MAX_BLUR_RADIUS) / STRIP_ROWS + 2;
    d.slabs = camera->dimensions == 3 ? SLABS : 1;
    d.shading = camera->shading;
    d.stride = (size_t)cairo_image_surface_get_stride(canvas->surface);
    if (!make_bins(&d, canvas->memory, canvas->threads)) return false;
    if (!crowd->is_known) {
        if (!draw_bands(&d, canvas->memory, canvas->threads)) return false;
        crowd->mean = fmaxf(crowding(&d), crowd->least);
        crowd->is_known = true;
    }
    d.crowd = camera->dimensions == 3 ? 0.3f * crowd->mean : crowd->mean; /* a line of sight passes two or three slabs */
    cairo_surface_flush(canvas->surface);
    d.pixels = cairo_image_surface_get_data(canvas->surface);
    const bool is_drawn = draw_bands(&d, canvas->memory, canvas->threads);
    cairo_surface_mark_dirty(canvas->surface);
    if (is_drawn) crowd->measured = fmaxf(crowding(&d), crowd->least);
    return is_drawn;
}
