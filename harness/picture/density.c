/* SPDX-License-Identifier: MIT */
/*
 * Many agents as a density: each agent adds its tint and its weight to the four pixels around it, and the sums are blurred a
 * little. A pixel takes the colour of its mean tint; the more agents it has, the more opaque it is.
 *
 * A 3D world is cut into slabs by depth. They are painted over each other, the farthest first and palest, so that a flock hides
 * what is behind it instead of mixing with it.
 *
 * Agents are first sorted into strips of four rows, in each of which they keep their storage order: so no pixel depends on the
 * number of threads. Threads share the picture out in bands of rows. In a band one thread goes down strip by strip: it sums the
 * strip's agents, blurs the rows that are then complete, and paints those whose blur has all its rows. So it needs only the
 * last few rows, which stay in its cache.
 */
#include "harness/picture/layers.h"
#include "harness/picture/wide.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
static inline int omp_get_thread_num(void) {
    return 0;
}
#endif

enum {
    MAX_BLUR_RADIUS = 12,
    MAX_TAPS = 2 * MAX_BLUR_RADIUS + 1,
    SLABS = 8,
    BAND_ROWS = 60,
    STRIP_ROWS = 4,
    SUM_ROWS = 2 * STRIP_ROWS,
    CHUNKS = 64
};

/* Agents, and the sum of their tints. Four floats, so that one addition of vectors is enough. */
typedef float four __attribute__((vector_size(16)));
typedef union cell {
    struct {
        float weight, x, y;
    };
    four all;
} cell;

/* What one operation takes where vectors are widest; at any address. */
typedef float lanes __attribute__((vector_size(64), aligned(4)));

enum { CELL_FLOATS = sizeof(cell) / sizeof(float), LANES = sizeof(lanes) / sizeof(float), LANE_CELLS = LANES / CELL_FLOATS };

/* Below that part of a full pixel nothing shows. */
#define MIN_LEVEL 1e-4f

typedef struct blur {
    int radius;
    float taps[MAX_TAPS];
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
    int bands;         /* of BAND_ROWS rows; the last one may have fewer */
    int strips, slabs; /* the first strip is above the picture */
    int left, right;   /* columns from left to right - 1 are painted */
    int pitch;         /* cells from one row to the next in a desk */
    float shading;
    float crowd; /* weight of a full pixel */
    blur how;
    uint16_t *bins;     /* [agent] strip * slabs + slab; the last one: the picture does not show the agent */
    uint32_t *starts;   /* [strips * slabs + 1] of each bin */
    uint32_t *order;    /* agents, bin by bin */
    crowd_sums *crowds; /* [bands] */
} density;

/*
 * What a thread works with. Row `y` of the picture is number y % SUM_ROWS or y % ring of its table, and a sum is 0 until agents
 * are added. A row begins at the column -margin.
 */
typedef struct desk {
    cell *sums;                /* [SUM_ROWS][pitch] */
    cell *blurred;             /* [ring][pitch] along rows */
    cell *line;                /* [pitch] blurred in both directions */
    float *total;              /* [BAND_ROWS][width] weight, over all slabs */
    bool is_summed[SUM_ROWS];  /* rows that agents were added to */
    bool is_blurred[MAX_TAPS]; /* rows that are not empty */
} desk;

static int margin_of(const density *d) {
    return d->how.radius + 1;
}

static int ring_of(const density *d) {
    return 2 * d->how.radius + 1;
}

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

/* Compilers know no vectors for floorf() where a processor has no such instruction. */
static inline int floor_of(float x) {
    const int towards_zero = (int)x;
    return towards_zero - (x < (float)towards_zero);
}

typedef struct columns {
    int left, right; /* from left to right - 1 */
} columns;

/* From outside the picture to the last place from which something is added to the picture. */
static inline float clamp(float at, float size) {
    const float low = at > -0.5f ? at : -0.5f;
    return low < size + 0.5f ? low : size + 0.5f;
}

/*
 * An agent's strip is that of the upper row that it adds to; the first strip is above the picture. Returns the columns that
 * agents add to, at least.
 */
PICTURE_WIDE static columns find_bins(const density *d, uint32_t from, uint32_t to) {
    const float *x = d->seen->x, *y = d->seen->y, *depth = d->seen->depth, width = (float)d->width, height = (float)d->height;
    const int slabs = d->slabs, unseen = d->strips * slabs;
    uint16_t *restrict bins = d->bins;
    int min = d->width, max = -1;
    for (uint32_t i = from; i < to; i++) {
        const float in_x = clamp(x[i], width), in_y = clamp(y[i], height);
        const int column = floor_of(in_x - 0.5f), strip = (floor_of(in_y - 0.5f) + STRIP_ROWS) / STRIP_ROWS;
        const int mask = -((in_x == x[i]) & (in_y == y[i])); /* no NaN is seen */
        bins[i] = (uint16_t)((strip * slabs & mask) | (unseen & ~mask));
        min = column < min ? column : min;
        max = column > max ? column : max;
    }
    for (uint32_t i = from; i < to && slabs > 1; i++)
        bins[i] = (uint16_t)(bins[i] + (bins[i] < unseen ? (int)(depth[i] * (float)(SLABS - 1)) : 0));
    return (columns){min, max + 2};
}

static uint32_t chunk_start(const density *d, int chunk) {
    const uint64_t start = (uint64_t)chunk * (d->seen->count / CHUNKS + 1);
    return start < d->seen->count ? (uint32_t)start : d->seen->count;
}

/* Two chunks in turn, here and below: an agent's count need not wait for that of the one before, which is often the same. */
static columns count_chunks(const density *d, int chunk, uint32_t *first) {
    const size_t count = (size_t)(d->strips * d->slabs) + 1;
    const uint32_t from = chunk_start(d, chunk), middle = chunk_start(d, chunk + 1), to = chunk_start(d, chunk + 2);
    uint32_t *second = first + count;
    memset(first, 0, 2 * count * sizeof *first);
    const columns used = find_bins(d, from, to);
    for (uint32_t i = 0; i < middle - from; i++) {
        first[d->bins[from + i]]++;
        if (i < to - middle) second[d->bins[middle + i]]++;
    }
    return used;
}

static void fill_chunks(const density *d, int chunk, uint32_t *first) {
    const uint32_t from = chunk_start(d, chunk), middle = chunk_start(d, chunk + 1), to = chunk_start(d, chunk + 2);
    uint32_t *second = first + (size_t)(d->strips * d->slabs) + 1;
    for (uint32_t i = 0; i < middle - from; i++) {
        d->order[first[d->bins[from + i]]++] = from + i;
        if (i < to - middle) d->order[second[d->bins[middle + i]]++] = middle + i;
    }
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
    int left = d->width, right = 0;
    threads = picture_threads_for(d->seen->count, threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(min : left) reduction(max : right)
    for (int chunk = 0; chunk < CHUNKS; chunk += 2) {
        const columns used = count_chunks(d, chunk, counts + chunk * count);
        left = used.left < left ? used.left : left;
        right = used.right > right ? used.right : right;
    }
    d->left = left > d->how.radius ? left - d->how.radius : 0;
    d->right = right + d->how.radius < d->width ? right + d->how.radius : d->width;
    if (d->right < d->left) d->right = d->left;
    start_bins(d, counts, count);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int chunk = 0; chunk < CHUNKS; chunk += 2) fill_chunks(d, chunk, counts + chunk * count);
    return true;
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

/* Some agents of a strip, so that their places and weights are computed in vectors. */
enum { BATCH = 64 };

typedef struct batch {
    float x[BATCH], y[BATCH], weight[BATCH];
    four tint[BATCH];
    int32_t upper[BATCH], lower[BATCH]; /* the left one of two cells in each of two rows */
    float upper_left[BATCH], upper_right[BATCH], lower_left[BATCH], lower_right[BATCH]; /* weights */
} batch;

static inline void load_batch(const density *d, uint32_t from, int count, int slab, batch *to) {
    for (int k = 0; k < count; k++) {
        const uint32_t i = d->order[from + (uint32_t)k];
        const sighting agent = picture_sights_at(d->seen, i);
        const picture_tint mean = picture_tint_of(d->style, &agent);
        const float share = d->slabs == 1 ? 1.0f : 1.0f - fabsf(agent.depth * (float)(SLABS - 1) - (float)slab);
        to->x[k] = agent.x - 0.5f;
        to->y[k] = agent.y - 0.5f;
        to->weight[k] = d->seen->weight ? share * d->seen->weight[i] : share;
        to->tint[k] = (four){1.0f, mean.x, mean.y, 0.0f};
    }
}

static inline void place_batch(int pitch, int margin, batch *b) {
    for (int k = 0; k < BATCH; k++) {
        const int x = floor_of(b->x[k]), y = floor_of(b->y[k]);
        const float fx = b->x[k] - (float)x, fy = b->y[k] - (float)y, weight = b->weight[k];
        b->upper[k] = (y & (SUM_ROWS - 1)) * pitch + margin + x;
        b->lower[k] = ((y + 1) & (SUM_ROWS - 1)) * pitch + margin + x;
        b->upper_left[k] = weight * (1.0f - fx) * (1.0f - fy);
        b->upper_right[k] = weight * fx * (1.0f - fy);
        b->lower_left[k] = weight * (1.0f - fx) * fy;
        b->lower_right[k] = weight * fx * fy;
    }
}

static inline void add(cell *at, float weight, four agent) {
    at->all += (four){weight, weight, weight, weight} * agent;
}

static inline void add_batch(const batch *b, int count, cell *sums) {
    for (int k = 0; k < count; k++) {
        cell *upper = sums + b->upper[k], *lower = sums + b->lower[k];
        add(upper, b->upper_left[k], b->tint[k]);
        add(upper + 1, b->upper_right[k], b->tint[k]);
        add(lower, b->lower_left[k], b->tint[k]);
        add(lower + 1, b->lower_right[k], b->tint[k]);
    }
}

PICTURE_WIDE static void sum_bins(const density *d, const desk *on, uint32_t from, uint32_t to, int slab) {
    batch some = {0};
    for (uint32_t at = from; at < to; at += BATCH) {
        const int count = to - at < BATCH ? (int)(to - at) : BATCH;
        load_batch(d, at, count, slab, &some);
        place_batch(d->pitch, margin_of(d), &some);
        add_batch(&some, count, on->sums);
    }
}

static cell *sum_row(const density *d, const desk *on, int row) {
    return on->sums + (size_t)(row & (SUM_ROWS - 1)) * (size_t)d->pitch + margin_of(d);
}

/*
 * Adds the agents of one slab, 0 the nearest, of the strip that begins with that row, to its rows and the one below. An agent
 * belongs to the two slabs whose middles it is between, so that no agent jumps from one slab to the next.
 */
static void sum_strip(const density *d, desk *on, int first, int slab) {
    const int strip = first / STRIP_ROWS + 1;
    if (strip < 0 || strip >= d->strips) return;
    const uint32_t *starts = &d->starts[strip * d->slabs + slab], from = slab > 0 ? starts[-1] : starts[0];
    if (from == starts[1]) return;
    for (int row = first; row <= first + STRIP_ROWS; row++) on->is_summed[row & (SUM_ROWS - 1)] = true;
    sum_bins(d, on, from, starts[1], slab);
}

/* ---- blur ------------------------------------------------------------------------------------------------------------- */

/* `to` has room for LANE_CELLS - 1 more. */
PICTURE_WIDE static void blur_cells(cell *to, const cell *const from[], const float taps[], int tap_count, int count) {
    for (int i = 0; i < count; i += LANE_CELLS) {
        lanes sum = {0.0f};
        for (int tap = 0; tap < tap_count; tap++) sum += *(const lanes *)(const void *)(from[tap] + i) * taps[tap];
        *(lanes *)(void *)(to + i) = sum;
    }
}

static cell *blurred_row(const density *d, const desk *on, int row) {
    return on->blurred + (size_t)(row % ring_of(d)) * (size_t)d->pitch + margin_of(d);
}

/* Blurs a row of sums along itself, and clears it for another one. Sums outside the picture count for nothing. */
static void blur_along_row(const density *d, desk *on, int row) {
    const cell *from[MAX_TAPS];
    cell *sums = sum_row(d, on, row);
    bool *is_summed = &on->is_summed[row & (SUM_ROWS - 1)];
    const bool is_inside = row >= 0 && row < d->height;
    if (is_inside) on->is_blurred[row % ring_of(d)] = *is_summed;
    if (!*is_summed) return;
    *is_summed = false;
    if (is_inside) {
        sums[-1] = sums[d->width] = (cell){.all = {0.0f}};
        for (int tap = 0; tap < ring_of(d); tap++) from[tap] = sums + d->left + tap - d->how.radius;
        blur_cells(blurred_row(d, on, row) + d->left, from, d->how.taps, ring_of(d), d->right - d->left);
    }
    memset(sums + d->left - margin_of(d), 0, (size_t)(d->right - d->left + 2 * margin_of(d)) * sizeof *sums);
}

/* Blurs a row across the rows around it. false: it is empty. */
static bool blur_across_rows(const density *d, const desk *on, int row) {
    const cell *from[MAX_TAPS];
    float taps[MAX_TAPS];
    int count = 0;
    for (int tap = 0; tap < ring_of(d); tap++) {
        const int at = row + tap - d->how.radius;
        if (at < 0 || at >= d->height || !on->is_blurred[at % ring_of(d)]) continue;
        from[count] = blurred_row(d, on, at) + d->left;
        taps[count++] = d->how.taps[tap];
    }
    if (count > 0) blur_cells(on->line + margin_of(d) + d->left, from, taps, count, d->right - d->left);
    return count > 0;
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
    int shown = 0;
    for (int i = 0; i < count; i++) {
        const float weight = cells[i].weight, weighed = weight > 0.0f ? weight : 1.0f;
        to->level[i] = weight / crowd;
        to->x[i] = cells[i].x / weighed;
        to->y[i] = cells[i].y / weighed;
        shown |= to->level[i] >= MIN_LEVEL;
    }
    return shown;
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
    case PICTURE_BY_GROUP: /* hues, as headings have */
        paint_as(PICTURE_BY_HEADING, style, clarity, at);
        break;
    case PICTURE_GREY:
        paint_as(PICTURE_GREY, style, clarity, at);
        break;
    }
}

static void paint_row(const density *d, const desk *on, float clarity, int row) {
    unsigned char *pixels = d->pixels + (size_t)row * d->stride;
    run at = {0};
    for (int x = d->left; x < d->right; x += RUN) {
        const int count = d->right - x < RUN ? d->right - x : RUN;
        if (!load_run(on->line + margin_of(d) + x, count, d->crowd, &at)) continue;
        memcpy(at.pixels, pixels + 4 * x, (size_t)count * sizeof *at.pixels);
        paint_run(d->style, clarity, &at);
        memcpy(pixels + 4 * x, at.pixels, (size_t)count * sizeof *at.pixels);
    }
}

/* ---- bands ------------------------------------------------------------------------------------------------------------ */

/* `top` is the band's first row. */
static void finish_row(const density *d, const desk *on, float clarity, int row, int top) {
    const int count = d->right - d->left;
    const cell *line = on->line + margin_of(d) + d->left;
    float *total = on->total + (row - top) * count;
    if (!blur_across_rows(d, on, row)) return;
    for (int i = 0; i < count; i++) total[i] += line[i].weight;
    if (d->pixels) paint_row(d, on, clarity, row);
}

static void draw_slab(const density *d, desk *on, int band, int slab) {
    const int radius = d->how.radius, top = band * BAND_ROWS, after = top + BAND_ROWS;
    const int bottom = after < d->height ? after : d->height;
    const float clarity = d->slabs > 1 ? picture_clarity(d->shading, (float)slab / (float)(SLABS - 1)) : 1.0f;
    int first = (top - radius - 1) & ~(STRIP_ROWS - 1); /* its strip adds to the highest row of the blur */
    for (; first < bottom + radius; first += STRIP_ROWS) {
        sum_strip(d, on, first, slab);
        for (int row = first; row < first + STRIP_ROWS; row++) {
            blur_along_row(d, on, row);
            if (row - radius >= top && row - radius < bottom) finish_row(d, on, clarity, row - radius, top);
        }
    }
    blur_along_row(d, on, first); /* the last strip has added to it: it is cleared */
}

/* In lanes, so that the sums need not wait for each other. */
PICTURE_WIDE static crowd_sums sum_crowd(const float *weight, size_t count) {
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
    const size_t cells = (size_t)BAND_ROWS * (size_t)(d->right - d->left), all = (cells + LANES - 1) / LANES * LANES;
    memset(on->total, 0, all * sizeof *on->total);
    for (int slab = d->slabs - 1; slab >= 0; slab--) draw_slab(d, on, band, slab);
    d->crowds[band] = sum_crowd(on->total, all);
}

static size_t round_up(size_t bytes) {
    return (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

/* Lays a desk out in that memory, or only measures if that is NULL. Returns its bytes. */
static size_t lay_out(const density *d, char *memory, desk *on) {
    const size_t row = (size_t)d->pitch * sizeof(cell);
    const size_t sizes[] = {SUM_ROWS * row, (size_t)ring_of(d) * row, row, BAND_ROWS * (size_t)d->width * sizeof(float)};
    enum { PARTS = sizeof sizes / sizeof *sizes };
    char *parts[PARTS];
    size_t bytes = 0;
    for (int i = 0; i < PARTS; i++) {
        parts[i] = memory ? memory + bytes : NULL;
        bytes += round_up(sizes[i]);
    }
    *on = (desk){.sums = (void *)parts[0], .blurred = (void *)parts[1], .line = (void *)parts[2], .total = (void *)parts[3]};
    if (memory) memset(on->sums, 0, sizes[0]);
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
    d.bands = (d.height + BAND_ROWS - 1) / BAND_ROWS;
    d.strips = d.height / STRIP_ROWS + 2;
    d.slabs = camera->dimensions == 3 ? SLABS : 1;
    d.pitch = d.width + 2 * margin_of(&d) + LANE_CELLS - 1;
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
