/* SPDX-License-Identifier: MIT */
/*
 * Filling fields. Each cell's vector is a function of the source and the cell alone. It is computed in binary64 and rounded
 * once at the end (noise and its angle: in binary32), so that any number of threads gives the same bits.
 */
#include "engine/scenery/scenery.h"

#include <float.h>
#include <math.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/base/entry.h"
#include "engine/scenery/noise.h"
#include "engine/base/random.h"
#include "engine/base/trig.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

dunlin_field_source dunlin_field_source_default(const dunlin_world *world, dunlin_field_kind kind) {
    DUN_OWN_FLOATS();
    dunlin_field_source source = {.cookie = DUN_COOKIE,
                                  .kind = kind,
                                  .weight = 1.0f,
                                  .seed = world->def.seed,
                                  .axis = {0.0f, 0.0f, 1.0f},
                                  .noise = {.scale = 10.0f, .octaves = 1, .min_angle = INFINITY, .max_angle = INFINITY}};
    for (int a = 0; a < world->def.dimensions; a++) source.centre[a] = 0.5f * world->def.size[a];
    return source;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_noise(const dunlin_field_noise *noise, dunlin_error *error) {
    const bool has_range = noise->min_angle != INFINITY || noise->max_angle != INFINITY;
    const dun_number numbers[] = {
        {(double)noise->scale, {"source.noise.scale", (double)1e-9f, 1e9, false, "world units"}},
        {noise->octaves, {"source.noise.octaves", 1, DUN_MAX_OCTAVES, false, NULL}},
        {(double)noise->rate, {"source.noise.rate", 0, 1e6, false, "lattice steps per time unit"}},
        {noise->time, {"source.noise.time", -1e9, 1e9, false, "lattice steps"}},
        {has_range ? (double)noise->min_angle : 0.0, {"source.noise.min_angle", -1e3, 1e3, false, "turns"}},
        {has_range ? (double)noise->max_angle : 0.0, {"source.noise.max_angle", -1e3, 1e3, false, "turns"}},
    };
    return dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
}

static dunlin_result check_source_axis(const float axis[3], dunlin_error *error) {
    const dunlin_result result = dun_check_vector(axis, 3, "source.axis", error);
    if (result || axis[0] != 0.0f || axis[1] != 0.0f || axis[2] != 0.0f) return result;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "source.axis is 0 in every component: it must have a direction");
}

static dunlin_result check_array(const float *array, const char *name, dunlin_error *error) {
    if (array) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "source.%s is NULL: set it to an array of one number per cell", name);
}

/* Checks what this kind reads. */
static dunlin_result check_source_kind(const dunlin_field_source *source, int dimensions, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    switch (source->kind) {
    case DUNLIN_FIELD_CONSTANT:
        return dun_check_vector(source->vector, dimensions, "source.vector", error);
    case DUNLIN_FIELD_NOISE:
        return check_noise(&source->noise, error);
    case DUNLIN_FIELD_SWIRL:
    case DUNLIN_FIELD_CENTRE:
        result = dun_check_vector(source->centre, dimensions, "source.centre", error);
        return result || source->kind == DUNLIN_FIELD_CENTRE || dimensions == 2 ? result
                                                                                : check_source_axis(source->axis, error);
    case DUNLIN_FIELD_GRADIENT:
        return check_array(source->values, "values", error);
    case DUNLIN_FIELD_VECTORS:
        for (int a = 0; a < dimensions && !result; a++) result = check_array(source->vectors[a], "vectors", error);
        return result;
    default:
        return result;
    }
}

static dunlin_result check_source(const dunlin_world *world, const dunlin_field_source *source, dunlin_error *error) {
    static const dun_limits any_weight = {"source.weight", -1e6, 1e6, false, NULL};
    if (!source) return dun_fail(error, DUNLIN_ERROR_VALUE, "source is NULL: make one with dunlin_field_source_default()");
    dunlin_result result = dun_check_cookie(source->cookie, "dunlin_field_source", error);
    if (!result) result = dun_check((double)source->weight, &any_weight, error);
    if (!result) result = dun_check_choice((int)source->kind, "source.kind", &dun_names_of_field, error);
    return result ? result : check_source_kind(source, world->def.dimensions, error);
}

/* ---- one cell --------------------------------------------------------------------------------------------------------- */

typedef struct fill_job {
    const dunlin_world *world;
    const dun_field *field;
    const dunlin_field_source *source;
    uint32_t wraps;                     /* axes along which the field repeats */
    double time;                        /* of the noise, in lattice steps */
    uint32_t seeds[3][DUN_MAX_OCTAVES]; /* of the noise: a row per component */
} fill_job;

typedef struct fill_cell {
    int at[3];
    size_t index;
} fill_cell;

static double centre_of(const dunlin_field_def *def, int a, int cell) {
    const double min = (double)def->min[a], max = (double)def->max[a];
    return min + (cell + 0.5) * ((max - min) / def->cells[a]);
}

/* Brings the vector to length `weight`. A vector without a direction becomes 0. */
static void at_length(const double v[3], float weight, float out[3]) {
    const double length2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], scale = (double)weight / sqrt(length2);
    const bool has_direction = length2 >= DBL_MIN && length2 <= DBL_MAX;
    for (int a = 0; a < 3; a++) out[a] = has_direction ? (float)(v[a] * scale) : 0.0f;
}

static void fill_constant(const fill_job *job, const fill_cell *cell, float out[3]) {
    (void)cell;
    for (int a = 0; a < job->world->def.dimensions; a++) out[a] = job->source->weight * job->source->vector[a];
}

static void fill_random(const fill_job *job, const fill_cell *cell, float out[3]) {
    float v[3] = {0};
    dun_random_in_ball(job->source->seed, (uint32_t)cell->index, DUN_DRAW_FIELD, job->world->def.dimensions, v);
    at_length((const double[]){(double)v[0], (double)v[1], (double)v[2]}, job->source->weight, out);
}

/* Angles of one noise have a mean, that of a noise of 0, so they would blow towards one side. The direction of independent
 * noises has none: n and -n are equally likely. */
static void fill_noise(const fill_job *job, const fill_cell *cell, float out[3]) {
    const dunlin_field_noise *noise = &job->source->noise;
    const int dimensions = job->world->def.dimensions;
    const bool by_angle = dimensions == 2 && isfinite(noise->min_angle);
    double point[4] = {0}, n[3] = {0};
    point[dimensions] = job->time;
    for (int component = 0; component < (by_angle ? 1 : dimensions); component++) {
        /* A noise is 0 at its lattice points, so the components must not share them. */
        for (int a = 0; a < dimensions; a++)
            point[a] = centre_of(&job->field->def, a, cell->at[a]) / (double)noise->scale + component / 3.0;
        n[component] = (double)dun_noise_octaves(job->seeds[component], noise->octaves, dimensions + 1, point);
    }
    if (!by_angle) {
        at_length(n, job->source->weight, out);
        return;
    }
    const float share = 0.5f * ((float)n[0] + 1.0f);
    dun_sincos_turns(noise->min_angle + share * (noise->max_angle - noise->min_angle), &out[1], &out[0]);
    for (int a = 0; a < 2; a++) out[a] *= job->source->weight;
}

/* The offset from the centre, or from its nearest image. */
static void offset_of(const fill_job *job, const fill_cell *cell, double r[3]) {
    for (int a = 0; a < 3; a++) {
        r[a] = 0.0;
        if (a >= job->world->def.dimensions) continue;
        const double size = (double)job->world->def.size[a];
        r[a] = centre_of(&job->field->def, a, cell->at[a]) - (double)job->source->centre[a];
        if (job->wraps >> a & 1) r[a] -= size * floor(r[a] / size + 0.5);
    }
}

static void fill_swirl(const fill_job *job, const fill_cell *cell, float out[3]) {
    double r[3], axis[3] = {0.0, 0.0, 1.0};
    offset_of(job, cell, r);
    for (int a = 0; a < 3 && job->world->def.dimensions == 3; a++) axis[a] = (double)job->source->axis[a];
    const double across[] = {axis[1] * r[2] - axis[2] * r[1], axis[2] * r[0] - axis[0] * r[2], axis[0] * r[1] - axis[1] * r[0]};
    at_length(across, job->source->weight, out);
}

static void fill_centre(const fill_job *job, const fill_cell *cell, float out[3]) {
    double r[3];
    offset_of(job, cell, r);
    at_length(r, -job->source->weight, out);
}

/* Finds the cell `step` further along the axis. false: there is none, and the field does not repeat. */
static bool neighbour(const fill_job *job, const fill_cell *cell, int a, int step, size_t *index) {
    const int *cells = job->field->def.cells;
    const int64_t stride[] = {1, cells[0], (int64_t)cells[0] * cells[1]};
    int to = cell->at[a] + step;
    if (job->wraps >> a & 1) to = (to + cells[a]) % cells[a];
    const bool inside = to >= 0 && to < cells[a];
    *index = inside ? (size_t)((int64_t)cell->index + (to - cell->at[a]) * stride[a]) : cell->index;
    return inside;
}

static void fill_gradient(const fill_job *job, const fill_cell *cell, float out[3]) {
    const dunlin_field_def *def = &job->field->def;
    double slope[3] = {0};
    for (int a = 0; a < job->world->def.dimensions; a++) {
        size_t below, above;
        const int steps = neighbour(job, cell, a, -1, &below) + neighbour(job, cell, a, 1, &above);
        const double width = ((double)def->max[a] - (double)def->min[a]) / def->cells[a];
        const double rise = (double)job->source->values[above] - (double)job->source->values[below];
        slope[a] = steps > 0 ? rise / (steps * width) : 0.0;
    }
    at_length(slope, job->source->weight, out);
}

static void fill_vectors(const fill_job *job, const fill_cell *cell, float out[3]) {
    for (int a = 0; a < job->world->def.dimensions; a++) out[a] = job->source->weight * job->source->vectors[a][cell->index];
}

/* By dunlin_field_kind. */
static void (*const fills[DUNLIN_FIELD_COUNT])(const fill_job *job, const fill_cell *cell, float out[3]) = {
    [DUNLIN_FIELD_CONSTANT] = fill_constant, [DUNLIN_FIELD_RANDOM] = fill_random, [DUNLIN_FIELD_NOISE] = fill_noise,
    [DUNLIN_FIELD_SWIRL] = fill_swirl,       [DUNLIN_FIELD_CENTRE] = fill_centre, [DUNLIN_FIELD_GRADIENT] = fill_gradient,
    [DUNLIN_FIELD_VECTORS] = fill_vectors};

/* ---- all cells -------------------------------------------------------------------------------------------------------- */

static void fill_row(void *context, uint32_t row, uint32_t worker) {
    (void)worker;
    const fill_job *job = context;
    const int *cells = job->field->def.cells;
    fill_cell cell = {.at = {0, (int)row % cells[1], (int)row / cells[1]}, .index = (size_t)row * (size_t)cells[0]};
    for (; cell.at[0] < cells[0]; cell.at[0]++, cell.index++) {
        float vector[3];
        fills[job->source->kind](job, &cell, vector);
        for (int a = 0; a < job->world->def.dimensions; a++) job->field->vectors[a][cell.index] = vector[a];
    }
}

static void fill_field(const dunlin_world *world, const dun_field *field, const dunlin_field_source *source) {
    const dunlin_field_noise *noise = &source->noise;
    fill_job job = {.world = world, .field = field, .source = source, .wraps = dun_field_wraps(world, field)};
    job.time = noise->time + world->stats.time * (double)noise->rate;
    for (uint32_t n = 0; n < 3; n++) dun_noise_seeds(source->seed, n, job.seeds[n]);
    const uint32_t rows = (uint32_t)field->def.cells[1] * (uint32_t)field->def.cells[2];
    world->executor.run(&world->executor, rows, fill_row, &job);
}

dunlin_result dunlin_world_fill_field(dunlin_world *world, int number, const dunlin_field_source *source, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_FIELDS, number, NULL, error);
    if (!result) result = check_source(world, source, error);
    if (!result && world->fields[number].values)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "field %d is a trace: every step fills it", number);
    if (result) return result;
    dun_field *field = &world->fields[number];
    fill_field(world, field, source);
    field->varies = source->kind == DUNLIN_FIELD_NOISE && source->noise.rate > 0.0f;
    field->source = *source;
    return DUNLIN_OK;
}

void dun_fields_refill(const dunlin_world *world) {
    for (int i = 0; i < world->field_count; i++)
        if (world->fields[i].varies) fill_field(world, &world->fields[i], &world->fields[i].source);
}
