/* SPDX-License-Identifier: MIT */
/*
 * Traces: what agents leave in the cells of fields. Before the tiles, a field's vectors become the gradient of its numbers.
 * Once nothing can fail any more, the snapshot's agents leave their deposits, and the numbers spread and fade: the new ones are
 * the trace that the next step reads.
 *
 * Concurrency: deposits are integers that workers add atomically, so their order does not show. Agents come in the order of
 * their index's cells, so that neighbours often share a cell of the trace; their deposits are added up first. After that each
 * task writes one row of cells.
 */
#include "engine/frame/stages.h"
#include "engine/scenery/scenery.h"
#include "engine/world/agree.h"

#define DEPOSIT_UNIT 0x1p-20 /* an attribute of 1024 and 2^32 agents make 2^62 of them */
#define MAX_FACTOR   1024.0f
#define MIN_VALUE    1e-30 /* far above denormal numbers, which would stay for ever and are slow */
#define MAX_VALUE    1e18

enum { DEPOSITS_PER_TASK = 2048, ROW_STRETCH = 512 };

/* ---- cells beside others ---------------------------------------------------------------------------------------------- */

typedef struct trace_job {
    const dunlin_world *world;
    dun_field *field;
    uint32_t wraps; /* axes */
    double unit, keep, spread;
} trace_job;

/* A row of cells, and those beside it along y and z; at an edge that nothing continues, the row itself. */
typedef struct trace_rows {
    size_t begin;
    const float *here, *below[2], *above[2];
} trace_rows;

static int beside(int at, int cells, int step, bool wraps) {
    const int to = at + step;
    if (to >= 0 && to < cells) return to;
    return wraps ? (to + cells) % cells : at;
}

static trace_rows rows_at(const trace_job *job, uint32_t row) {
    const int *cells = job->field->def.cells, y = (int)row % cells[1], z = (int)row / cells[1];
    const float *values = job->field->values;
    trace_rows rows = {.begin = (size_t)row * (size_t)cells[0]};
    rows.here = values + rows.begin;
    for (int i = 0; i < 2; i++) {
        const int step = i == 0 ? -1 : 1;
        const float **to = i == 0 ? rows.below : rows.above;
        to[0] =
            values + (size_t)cells[0] * ((size_t)z * (size_t)cells[1] + (size_t)beside(y, cells[1], step, job->wraps >> 1 & 1));
        to[1] =
            values + (size_t)cells[0] * ((size_t)beside(z, cells[2], step, job->wraps >> 2 & 1) * (size_t)cells[1] + (size_t)y);
    }
    return rows;
}

static void run_rows(const trace_job *job, dun_task_fn *task) {
    const int *cells = job->field->def.cells;
    job->world->executor.run(&job->world->executor, (uint32_t)cells[1] * (uint32_t)cells[2], task, (void *)job);
}

/* ---- the gradient ----------------------------------------------------------------------------------------------------- */

/* The slope between cells that are `steps` apart: 1 at an edge, otherwise 2. */
static inline float slope(float below, float above, double per_step, int steps) {
    return (float)(((double)above - (double)below) * (steps == 1 ? per_step : 0.5 * per_step));
}

static double cells_per_unit(const dun_field *field, int a) {
    return field->def.cells[a] / ((double)field->def.max[a] - (double)field->def.min[a]);
}

static void read_trace_row(void *context, uint32_t row, uint32_t worker) {
    (void)worker;
    const trace_job *job = context;
    const dun_field *field = job->field;
    const trace_rows rows = rows_at(job, row);
    const int n = field->def.cells[0];
    float *to = field->vectors[0] + rows.begin;
    double per_step = cells_per_unit(field, 0);
    for (int i = 1; i < n - 1; i++) to[i] = slope(rows.here[i - 1], rows.here[i + 1], per_step, 2);
    for (int i = 0; i<n; i += n> 1 ? n - 1 : 1) {
        const int below = beside(i, n, -1, job->wraps & 1), above = beside(i, n, 1, job->wraps & 1);
        to[i] = slope(rows.here[below], rows.here[above], per_step, below == i || above == i ? 1 : 2);
    }
    for (int a = 1; a < job->world->def.dimensions; a++) {
        const float *below = rows.below[a - 1], *above = rows.above[a - 1];
        const int steps = below == rows.here || above == rows.here ? 1 : 2;
        to = field->vectors[a] + rows.begin;
        per_step = cells_per_unit(field, a);
        for (int i = 0; i < n; i++) to[i] = slope(below[i], above[i], per_step, steps);
    }
}

static trace_job trace_job_of(const dunlin_world *world, const dunlin_trace_def *def) {
    dun_field *field = &world->fields[def->field];
    const double rest = 1.0 - (double)def->evaporation;
    return (trace_job){.world = world,
                       .field = field,
                       .wraps = dun_field_wraps(world, field),
                       .unit = (double)def->deposit * DEPOSIT_UNIT,
                       .keep = rest * (1.0 - (double)def->diffusion),
                       .spread = rest * (double)def->diffusion / (2 * world->def.dimensions)};
}

void dun_traces_read(const dunlin_world *world) {
    for (int t = 0; t < world->trace_count; t++) {
        const trace_job job = trace_job_of(world, &world->traces[t]);
        run_rows(&job, read_trace_row);
    }
}

/* ---- deposits --------------------------------------------------------------------------------------------------------- */

typedef struct deposit_job {
    const dun_agents *agents;
    const float *factor; /* NULL: 1 */
    uint32_t begin, end; /* slots */
    bool alone;          /* one worker does it */
    int dimensions;
    dun_behave_flow grid;
    uint64_t *deposits;
} deposit_job;

/* A stretch of agents. */
typedef struct deposit_stretch {
    uint32_t begin, count; /* slots */
    uint32_t cell[ROW_STRETCH];
    float factor[ROW_STRETCH]; /* 0 outside the grid */
} deposit_stretch;

/* In binary32, as kernels look fields up. Compilers make vectors of these loops. */
static void find_cells(const deposit_job *job, deposit_stretch *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        s->cell[i] = 0;
        s->factor[i] = job->factor ? max_float(0.0f, min_float(job->factor[s->begin + i], MAX_FACTOR)) : 1.0f;
    }
    for (int a = 0; a < job->dimensions; a++) {
        const float *restrict position = job->agents->position[a] + s->begin;
        const float min = job->grid.min[a], per_unit = job->grid.per_unit[a], cells = job->grid.cells[a];
        const uint32_t stride = (uint32_t)job->grid.stride[a];
        for (uint32_t i = 0; i < s->count; i++) {
            const float place = (position[i] - min) * per_unit;
            s->factor[i] = place >= 0.0f && place <= cells ? s->factor[i] : 0.0f;
            s->cell[i] += stride * (uint32_t)(int32_t)max_float(0.0f, min_float(place, cells - 1.0f));
        }
    }
}

static uint64_t deposit_of(float factor) {
    return (uint64_t)((double)factor * (1.0 / DEPOSIT_UNIT) + 0.5);
}

static void deposit_stretch_of(const deposit_job *job, deposit_stretch *s) {
    find_cells(job, s);
    if (job->alone) {
        for (uint32_t i = 0; i < s->count; i++) job->deposits[s->cell[i]] += deposit_of(s->factor[i]);
        return;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        sum += deposit_of(s->factor[i]);
        if (i + 1 < s->count && s->cell[i + 1] == s->cell[i]) continue;
        if (sum) __atomic_fetch_add(&job->deposits[s->cell[i]], sum, __ATOMIC_RELAXED);
        sum = 0;
    }
}

static void deposit_some(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const deposit_job *job = context;
    const uint32_t begin = job->begin + task * DEPOSITS_PER_TASK;
    const uint32_t end = begin + min_u32(job->end - begin, DEPOSITS_PER_TASK);
    deposit_stretch s;
    for (s.begin = begin; s.begin < end; s.begin += s.count) {
        s.count = min_u32(end - s.begin, ROW_STRETCH);
        deposit_stretch_of(job, &s);
    }
}

static void deposit(const dun_frame *f, int species, const dunlin_trace_def *def) {
    const dunlin_world *world = f->world;
    const dun_field *field = &world->fields[def->field];
    const dun_agents *agents = f->snapshot[species];
    deposit_job job = {.agents = agents,
                       .factor = def->attribute < 0 ? NULL : agents->attribute[def->attribute],
                       .begin = f->own_begin[species],
                       .end = f->own_end[species],
                       .alone = world->executor.workers == 1,
                       .dimensions = world->def.dimensions,
                       .grid = dun_field_flow(world, field),
                       .deposits = field->deposits};
    const uint32_t count = job.end - job.begin, tasks = count / DEPOSITS_PER_TASK + (count % DEPOSITS_PER_TASK != 0);
    world->executor.run(&world->executor, tasks, deposit_some, &job);
}

/* ---- spreading -------------------------------------------------------------------------------------------------------- */

static inline float in_range(double value) {
    return value >= MIN_VALUE ? (float)(value < MAX_VALUE ? value : MAX_VALUE) : 0.0f;
}

static void take_row(void *context, uint32_t row, uint32_t worker) {
    (void)worker;
    const trace_job *job = context;
    const size_t cells = (size_t)job->field->def.cells[0], begin = row * cells;
    float *values = job->field->values + begin;
    uint64_t *deposits = job->field->deposits + begin;
    for (size_t i = 0; i < cells; i++) {
        values[i] = in_range((double)values[i] + (double)deposits[i] * job->unit);
        deposits[i] = 0;
    }
}

static inline float spread_cell(const trace_job *job, const trace_rows *rows, int i, int left, int right, bool deep) {
    double sum = (double)rows->here[left] + (double)rows->here[right] + (double)rows->below[0][i] + (double)rows->above[0][i];
    if (deep) sum += (double)rows->below[1][i] + (double)rows->above[1][i];
    return in_range(job->keep * (double)rows->here[i] + job->spread * sum);
}

static void spread_row(void *context, uint32_t row, uint32_t worker) {
    (void)worker;
    const trace_job *job = context;
    const trace_rows rows = rows_at(job, row);
    const bool deep = job->world->def.dimensions == 3;
    const int n = job->field->def.cells[0];
    float *to = job->field->spare + rows.begin;
    for (int i = 1; i < n - 1; i++) to[i] = spread_cell(job, &rows, i, i - 1, i + 1, deep);
    for (int i = 0; i<n; i += n> 1 ? n - 1 : 1)
        to[i] = spread_cell(job, &rows, i, beside(i, n, -1, job->wraps & 1), beside(i, n, 1, job->wraps & 1), deep);
}

void dun_traces_leave(const dun_frame *f) {
    if (f->status) return;
    for (int t = 0; t < f->world->trace_count; t++) {
        const dunlin_trace_def *def = &f->world->traces[t];
        const trace_job job = trace_job_of(f->world, def);
        for (int s = 0; s < f->world->species_count; s++)
            if (def->species == s || def->species == DUNLIN_ALL_SPECIES) deposit(f, s, def);
        dun_all_reduce(f->world, job.field->deposits, dun_field_cells(job.field));
        run_rows(&job, take_row);
        run_rows(&job, spread_row);
        dun_field_take_spare(job.field);
    }
}
