/* SPDX-License-Identifier: MIT */
/*
 * Correlation of velocity fluctuations. Velocities are rounded to whole numbers of 60 bits, and fluctuations to whole numbers
 * of 30 bits, by powers of two that follow from their maxima. Sums of those, and of products of two fluctuations, have 128
 * bits, so no order shows. The unit cancels in C(r), which divides one sum of products by another.
 */
#include <math.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/base/random.h"
#include "engine/base/wide_sum.h"
#include "engine/survey/survey.h"
#include "engine/world/use.h"

enum { VELOCITY_BITS = 60, FLUCTUATION_BITS = 30, DRAWN_PER_PACKET = 8 };

/* Of the maximum velocity: the mean is less exact than that, so smaller fluctuations are none. */
#define MIN_FLUCTUATION 0x1p-50

/* What a worker adds up over agents. */
typedef struct moments {
    dun_wide_sum sum[3], squares; /* of velocities; of fluctuations */
    uint64_t drawn;
} moments;

/* What a worker adds up over pairs. */
typedef struct bin {
    dun_wide_sum products;
    uint64_t pairs;
} bin;

typedef struct correlating {
    const dun_crowd *crowd;
    const dunlin_correlation_def *def;
    int dimensions;
    const float *velocity[3];
    const uint32_t *id;
    double mean[3];          /* world units per time unit */
    double per_unit;         /* whole numbers per velocity */
    moments *moments;        /* [workers] */
    int32_t *fluctuation[3]; /* [agents] of the crowd */
    uint32_t *drawn;         /* [agents] of the crowd: whether it was */
    bool draws_all;
    double share; /* of agents to draw */

    dun_sorted sorted; /* with its fluctuations, and which were drawn */
    bin *bins;         /* [workers][bins] */
    float per_length;  /* bins per world unit */
} correlating;

/* ---- agents ----------------------------------------------------------------------------------------------------------- */

static double fluctuation_of(const correlating *c, int axis, uint32_t agent) {
    return (double)c->velocity[axis][agent] - c->mean[axis];
}

static int64_t whole(const correlating *c, double velocity) {
    return llrint(velocity * c->per_unit);
}

static void add_velocities_of_tile(void *context, uint32_t tile, uint32_t worker) {
    const correlating *c = context;
    for (int a = 0; a < c->dimensions; a++)
        for (uint32_t i = tile * DUN_TILE; i < dun_crowd_tile_end(c->crowd, tile); i++)
            dun_wide_add(&c->moments[worker].sum[a], whole(c, (double)c->velocity[a][i]));
}

/* Which agents a sample draws follows from the agent, the step and the seed. */
static bool is_drawn(const correlating *c, uint32_t agent) {
    const dunlin_world *world = c->crowd->world;
    float numbers[4];
    if (c->draws_all) return true;
    dun_random(world->def.seed, c->id[agent], dun_stream(DUN_DRAW_SAMPLE, 0), world->stats.step, numbers);
    return (double)numbers[0] + (double)numbers[1] * 0x1p-24 < c->share;
}

static void take_fluctuations_of_tile(void *context, uint32_t tile, uint32_t worker) {
    const correlating *c = context;
    moments *m = &c->moments[worker];
    for (uint32_t i = tile * DUN_TILE; i < dun_crowd_tile_end(c->crowd, tile); i++) {
        for (int a = 0; a < c->dimensions; a++) {
            const int64_t u = whole(c, fluctuation_of(c, a, i));
            c->fluctuation[a][i] = (int32_t)u;
            dun_wide_add(&m->squares, u * u);
        }
        c->drawn[i] = is_drawn(c, i);
        m->drawn += c->drawn[i];
    }
}

/* Of one component, either way. Rounding is monotone, so it is that of an extreme velocity. */
static double max_fluctuation(const correlating *c) {
    double max = 0.0;
    for (int a = 0; a < c->dimensions; a++) {
        float ends[2];
        c->crowd->world->kernel->min_max(c->velocity[a], c->crowd->count, ends);
        for (int end = 0; end < 2; end++) max = fmax(max, fabs((double)ends[end] - c->mean[a]));
    }
    return max;
}

/* The power of two that makes whole numbers of up to `bits` bits. */
static double unit_for(double max, int bits) {
    int exponent;
    frexp(max, &exponent);
    return max > 0.0 ? ldexp(1.0, bits - exponent) : 0.0;
}

/* While the mean is 0, fluctuations are velocities. Returns their maximum. */
static double find_mean(correlating *c) {
    const double max = max_fluctuation(c);
    c->per_unit = unit_for(max, VELOCITY_BITS);
    dun_crowd_run(c->crowd, add_velocities_of_tile, c);
    for (int a = 0; a < c->dimensions && max > 0.0; a++) {
        dun_wide_sum sum = {0};
        for (uint32_t w = 0; w < c->crowd->world->executor.workers; w++) dun_wide_join(&sum, c->moments[w].sum[a]);
        c->mean[a] = dun_wide_value(sum) / c->per_unit / c->crowd->count;
    }
    return max;
}

/* Returns the mean square, in whole units. */
static double take_fluctuations(correlating *c, dunlin_correlation *correlation) {
    dun_wide_sum squares = {0};
    uint64_t drawn = 0;
    const double max_velocity = find_mean(c), max = max_fluctuation(c);
    c->per_unit = max > MIN_FLUCTUATION * max_velocity ? unit_for(max, FLUCTUATION_BITS) : 0.0;
    dun_crowd_run(c->crowd, take_fluctuations_of_tile, c);
    for (uint32_t w = 0; w < c->crowd->world->executor.workers; w++) {
        dun_wide_join(&squares, c->moments[w].squares);
        drawn += c->moments[w].drawn;
    }
    const double mean = dun_wide_value(squares) / c->crowd->count;
    correlation->samples = (uint32_t)drawn;
    correlation->fluctuation = c->per_unit > 0.0 ? sqrt(mean) / c->per_unit : 0.0;
    return mean;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------------ */

/* A pair counts once: of two agents that were drawn, the one in the higher slot counts it. */
static inline __attribute__((always_inline)) void correlate_range(const correlating *c, int dimensions, uint32_t i,
                                                                  dun_range range, bin *bins) {
    const dun_sorted *s = &c->sorted;
    const uint32_t *drawn = s->extra[dimensions], end = c->draws_all ? min_u32(range.end, i) : range.end;
    const uint32_t last = (uint32_t)c->def->bins - 1;
    for (uint32_t j = range.begin; j < end; j++) {
        const float d2 = dun_sorted_distance2(s, dimensions, range.folds != 0, i, j);
        if (!(d2 <= s->max_r2) || j == i || (j > i && drawn[j])) continue;
        int64_t product = 0;
        for (int a = 0; a < dimensions; a++) product += (int64_t)(int32_t)s->extra[a][i] * (int32_t)s->extra[a][j];
        bin *b = &bins[min_u32((uint32_t)(sqrtf(d2) * c->per_length), last)];
        dun_wide_add(&b->products, product);
        b->pairs++;
    }
}

static void add_pairs(const correlating *c, uint32_t i, const dun_range *ranges, uint32_t count, bin *bins) {
    for (uint32_t r = 0; r < count; r++) {
        if (c->draws_all && ranges[r].begin >= i) break;
        c->dimensions == 3 ? correlate_range(c, 3, i, ranges[r], bins) : correlate_range(c, 2, i, ranges[r], bins);
    }
}

static void add_pairs_of_tile(void *context, uint32_t tile, uint32_t worker) {
    const correlating *c = context;
    const uint32_t *drawn = c->sorted.extra[c->dimensions];
    dun_range *ranges = c->sorted.ranges + (size_t)worker * c->sorted.range_room;
    bin *bins = c->bins + (size_t)worker * (size_t)c->def->bins;
    dun_walk walk = dun_sorted_walk(&c->sorted, tile, c->draws_all ? DRAWN_PER_PACKET : 1);
    while (dun_walk_on(&walk)) {
        const dun_packet packet = walk.query.packet;
        if (!drawn[packet.first]) continue;
        const uint32_t count = dun_walk_ranges(&walk, ranges);
        for (uint32_t i = packet.first; i < packet.first + packet.count; i++) add_pairs(c, i, ranges, count, bins);
    }
}

/* ---- the curve -------------------------------------------------------------------------------------------------------- */

/* Adds up the workers' bins, and divides by the mean square. */
static void take_curve(const correlating *c, double mean_square, double *curve, uint64_t *pairs) {
    const int bins = c->def->bins;
    for (int k = 0; k < bins; k++) {
        bin all = {0};
        for (uint32_t w = 0; w < c->crowd->world->executor.workers; w++) {
            const bin *one = &c->bins[(size_t)w * (size_t)bins + (size_t)k];
            dun_wide_join(&all.products, one->products);
            all.pairs += one->pairs;
        }
        pairs[k] = all.pairs;
        curve[k] =
            all.pairs && mean_square > 0.0 ? dun_wide_value(all.products) / (double)all.pairs / mean_square : (double)NAN;
    }
}

/* Bins without pairs are passed over. */
static double first_zero(const double *curve, int bins, double bin_width) {
    double r = 0.0, above = 1.0;
    for (int k = 0; k < bins; k++) {
        const double middle = (k + 0.5) * bin_width;
        if (isnan(curve[k])) continue;
        if (curve[k] <= 0.0) return r + (middle - r) * above / (above - curve[k]);
        r = middle;
        above = curve[k];
    }
    return (double)NAN;
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static bool make_drawn_room(correlating *c) {
    dunlin_survey *survey = c->crowd->survey;
    bool whole = true;
    for (int a = 0; a < c->dimensions; a++) {
        c->velocity[a] = (const float *)dun_crowd_column(c->crowd, c->dimensions + a);
        c->fluctuation[a] = dun_survey_keep(survey, DUN_KEPT_FLUCTUATIONS + a, c->crowd->count, sizeof **c->fluctuation);
        whole = whole && c->velocity[a] && c->fluctuation[a];
    }
    c->id = dun_crowd_column(c->crowd, 2 * c->dimensions);
    c->drawn = dun_survey_keep(survey, DUN_KEPT_DRAWN, c->crowd->count, sizeof *c->drawn);
    c->moments = dun_crowd_workers(c->crowd, sizeof *c->moments);
    return whole && c->id && c->drawn && c->moments;
}

static bool sort_drawn(correlating *c) {
    const dun_word *extra[DUN_EXTRA_COLUMNS];
    for (int a = 0; a < c->dimensions; a++) extra[a] = (const dun_word *)c->fluctuation[a];
    extra[c->dimensions] = c->drawn;
    return dun_crowd_sort(c->crowd, c->def->max_radius, extra, c->dimensions + 1, &c->sorted);
}

static bool correlate(correlating *c, dunlin_correlation *correlation, double *curve, uint64_t *pairs) {
    const size_t bins = (size_t)c->def->bins;
    double mean_square = 0.0;
    if (c->crowd->count) {
        if (!make_drawn_room(c)) return false;
        mean_square = take_fluctuations(c, correlation);
        if (!sort_drawn(c)) return false;
    }
    c->bins = dun_crowd_workers(c->crowd, bins * sizeof *c->bins);
    if (!c->bins) return false;
    dun_crowd_run(c->crowd, add_pairs_of_tile, c);
    take_curve(c, mean_square, curve, pairs);
    for (size_t k = 0; k < bins; k++) correlation->pairs += pairs[k];
    correlation->length = first_zero(curve, c->def->bins, correlation->bin_width);
    return true;
}

dunlin_correlation_def dunlin_correlation_def_default(const dunlin_world *world) {
    DUN_OWN_FLOATS();
    float shortest = INFINITY;
    for (int a = 0; a < world->def.dimensions; a++) shortest = min_float(shortest, world->def.size[a]);
    return (dunlin_correlation_def){.cookie = DUN_COOKIE, .max_radius = max_float(0.5f * shortest, 1e-9f), .bins = 50};
}

static dunlin_result check_correlation(const dunlin_correlation_def *def, const dunlin_correlation *correlation,
                                       dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_correlation_def_default()");
    if (!correlation) return dun_fail(error, DUNLIN_ERROR_VALUE, "correlation is NULL: it must point at a dunlin_correlation");
    const dunlin_result result = dun_check_cookie(def->cookie, "dunlin_correlation_def", error);
    const dun_number numbers[] = {
        {(double)def->max_radius, {"correlation.max_radius", (double)1e-9f, 1e9, false, "world units"}},
        {def->bins, {"correlation.bins", 1, 10000, false, NULL}}};
    return result ? result : dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
}

dunlin_result dunlin_survey_correlation(dunlin_survey *survey, dunlin_world *world, const dunlin_correlation_def *def,
                                        dunlin_correlation *correlation, dunlin_error *error) {
    if (correlation) *correlation = (dunlin_correlation){0};
    DUN_CHANGE(world, error);
    dunlin_result result = check_correlation(def, correlation, error);
    dun_crowd crowd;
    if (!result) result = dun_crowd_gather(&crowd, survey, world, def->species, error);
    if (result) return result;
    correlating c = {.crowd = &crowd,
                     .def = def,
                     .dimensions = world->def.dimensions,
                     .draws_all = def->samples == 0 || def->samples >= crowd.count,
                     .share = crowd.count ? (double)def->samples / crowd.count : 1.0,
                     .per_length = (float)def->bins / def->max_radius};
    double *curve = dun_survey_keep(survey, DUN_KEPT_CURVE, (uint64_t)def->bins, sizeof *curve);
    uint64_t *pairs = dun_survey_keep(survey, DUN_KEPT_PAIRS, (uint64_t)def->bins, sizeof *pairs);
    if (crowd.count == 0) correlation->fluctuation = (double)NAN;
    correlation->bins = def->bins;
    correlation->bin_width = (double)def->max_radius / def->bins;
    correlation->correlation = curve;
    correlation->bin_pairs = pairs;
    if (curve && pairs && correlate(&c, correlation, curve, pairs)) return DUNLIN_OK;
    *correlation = (dunlin_correlation){0};
    return dun_fail_memory(error, "a correlation");
}
