/* SPDX-License-Identifier: MIT */
/*
 * baseline-simd. Lanes are agents: a packet is up to DUNLIN_LANES agents of one row of cells, and the loop is over its
 * candidates, which are in a few runs, one after the other. A candidate is compared with all lanes at once, and masks add it
 * up. There are no lists, no second passes and no tuning beyond the length of a cell; all operations are rounded once, and
 * nothing is estimated.
 *
 * CMakeLists.txt compiles this file once per target of kernels/wide, DUNLIN_WIDE, and DIMENSIONS.
 */
#include "harness/measure/baseline.h"
#include "kernels/wide/vector.h"

#include <string.h>

WIDE_INLINE wide squared(const wide v[DIMENSIONS]) {
    wide sum = wide_mul(v[0], v[0]);
    for (int a = 1; a < DIMENSIONS; a++) sum = wide_add(sum, wide_mul(v[a], v[a]));
    return sum;
}

/* ---- agents: an array per field --------------------------------------------------------------------------------------- */

typedef struct columns {
    float *position[DIMENSIONS], *velocity[DIMENSIONS];
    uint32_t *id;
    uint32_t *cell; /* in the snapshot: of the agents before they are sorted */
} columns;

enum { FIELDS = 2 * DIMENSIONS + 2, FINER = DIMENSIONS == 2 ? 4 : 2 };

static columns columns_of(const baseline *flock, void *agents) {
    float *first = agents;
    columns of;
    for (int a = 0; a < DIMENSIONS; a++) {
        of.position[a] = first + (size_t)a * flock->room;
        of.velocity[a] = first + (size_t)(DIMENSIONS + a) * flock->room;
    }
    of.id = (uint32_t *)agents + (size_t)(2 * DIMENSIONS) * flock->room;
    of.cell = of.id + flock->room;
    return of;
}

/* ---- the grid: rows of cells that are a radius wide and a part of it long ------------------------------------------------ */

/* Two dimensions have a single layer. */
enum { LAYERS_AROUND = DIMENSIONS - 2 };

static inline int cells_along(const baseline *flock) {
    return flock->cells * FINER;
}

/* On the first axis all lengths are FINER times as many cells. */
static inline int coordinate(const baseline *flock, float x, int finer) {
    const int cell = (int)(x * (flock->cells_per_unit * (float)finer)), cells = flock->cells * finer;
    return cell < cells ? cell : cells - 1;
}

static uint32_t cell_of(const baseline *flock, const columns *agents, uint32_t i) {
    int row = 0;
    for (int a = DIMENSIONS - 1; a > 0; a--) row = row * flock->cells + coordinate(flock, agents->position[a][i], 1);
    return (uint32_t)row * (uint32_t)cells_along(flock) + (uint32_t)coordinate(flock, agents->position[0][i], FINER);
}

/* A counting sort: afterwards the snapshot has the agents in the order of their cells. */
static void take_snapshot(baseline *flock) {
    const columns from = columns_of(flock, flock->agents), to = columns_of(flock, flock->snapshot);
    const uint32_t count = flock->count;
    uint32_t *start = flock->cell_start, before = 0;
    memset(start, 0, (flock->all_cells + 1) * sizeof *start);
    for (uint32_t i = 0; i < count; i++) start[to.cell[i] = cell_of(flock, &from, i)]++;
    for (size_t c = 0; c <= flock->all_cells; c++) start[c] = before += start[c];
    /* Each cell is filled from its end, so that afterwards its entry says where the cell begins. */
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t slot = --start[to.cell[i]];
        for (int a = 0; a < DIMENSIONS; a++) {
            to.position[a][slot] = from.position[a][i];
            to.velocity[a][slot] = from.velocity[a][i];
        }
        to.id[slot] = from.id[i];
    }
}

/* ---- looking around --------------------------------------------------------------------------------------------------- */

/* What agents observe. An agent counts itself, too, which adds only its own velocity. */
typedef struct neighbour_sums {
    wide pull[DIMENSIONS], velocity[DIMENSIONS], offset[DIMENSIONS];
    wide_int seen;
} neighbour_sums;

/* The agents [begin, end), seen from the packet's positions or their images beyond an edge. Returns their number. */
WIDE_INLINE uint32_t look_along(const baseline *flock, const columns *snapshot, uint32_t begin, uint32_t end,
                                const wide from[DIMENSIONS], neighbour_sums *sums) {
    const wide radius2 = wide_set(flock->radius2), separation_radius2 = wide_set(flock->separation_radius2);
    for (uint32_t j = begin; j < end; j++) {
        wide delta[DIMENSIONS];
        for (int a = 0; a < DIMENSIONS; a++) delta[a] = wide_sub(wide_set(snapshot->position[a][j]), from[a]);
        const wide d2 = squared(delta);
        const wide factor = wide_div(wide_set(1.0f), wide_add(d2, wide_set(FLT_MIN))); /* nothing but 0/0 changes */
        const wide_mask is_seen = wide_le(d2, radius2), is_close = wide_le(d2, separation_radius2);
        sums->seen = wide_count_if(sums->seen, is_seen);
        for (int a = 0; a < DIMENSIONS; a++) {
            sums->velocity[a] = wide_add_if(sums->velocity[a], is_seen, wide_set(snapshot->velocity[a][j]));
            sums->offset[a] = wide_add_if(sums->offset[a], is_seen, delta[a]);
            sums->pull[a] = wide_add_if(sums->pull[a], is_close, wide_mul(delta[a], factor));
        }
    }
    return end - begin;
}

/* Cells first .. last of a row, which may be beyond its ends. Returns the number of agents there. */
WIDE_INLINE uint32_t look_into_row(const baseline *flock, const columns *snapshot, size_t row, int first, int last,
                                   wide from[DIMENSIONS], neighbour_sums *sums) {
    const int cells = cells_along(flock);
    const uint32_t *start = flock->cell_start + row * (size_t)cells;
    const wide here = from[0], side = wide_set(flock->side);
    uint32_t tested =
        look_along(flock, snapshot, start[first > 0 ? first : 0], start[last < cells ? last + 1 : cells], from, sums);
    if (first < 0) {
        from[0] = wide_add(here, side);
        tested += look_along(flock, snapshot, start[first + cells], start[cells], from, sums);
    }
    if (last >= cells) {
        from[0] = wide_sub(here, side);
        tested += look_along(flock, snapshot, start[0], start[last - cells + 1], from, sums);
    }
    return tested;
}

/* The agents [begin, end) of a row. Returns the number of candidates. */
WIDE_INLINE uint32_t look_around(const baseline *flock, const columns *snapshot, int row, uint32_t begin, uint32_t end,
                                 neighbour_sums *sums) {
    const float *x = snapshot->position[0], *y = snapshot->position[1], *z = snapshot->position[DIMENSIONS - 1];
    const int first = coordinate(flock, x[begin], FINER) - FINER;
    const int last = coordinate(flock, x[end - 1], FINER) + FINER;
    uint32_t tested = 0;
    for (int dz = -LAYERS_AROUND; dz <= LAYERS_AROUND; dz++) {
        float up = 0.0f;
        const size_t layer = baseline_row(flock, row / flock->cells, dz, &up) * (size_t)flock->cells;
        for (int dy = -1; dy <= 1; dy++) {
            float across = 0.0f;
            const size_t other = layer + baseline_row(flock, row % flock->cells, dy, &across);
            wide from[3] = {wide_load(x + begin), wide_add(wide_load(y + begin), wide_set(across)),
                            wide_add(wide_load(z + begin), wide_set(up))};
            tested += look_into_row(flock, snapshot, other, first, last, from, sums);
        }
    }
    return tested;
}

/* ---- rules and motion ------------------------------------------------------------------------------------------------- */

/* Reynolds: desired velocity minus velocity, limited. */
WIDE_INLINE void steer(const wide velocity[DIMENSIONS], const wide desired[DIMENSIONS], float weight, wide force[DIMENSIONS]) {
    wide wanted[DIMENSIONS];
    const wide l2 = squared(desired), scale = wide_div(wide_set(bench_max_speed), wide_sqrt(l2));
    for (int a = 0; a < DIMENSIONS; a++) wanted[a] = wide_sub(wide_mul(desired[a], scale), velocity[a]);
    const wide strength = wide_sqrt(squared(wanted)), most = wide_set(bench_max_force);
    const wide limit = wide_blend(wide_lt(most, strength), wide_div(most, strength), wide_set(1.0f));
    const wide share = wide_mul(wide_set(weight), limit);
    const wide_mask has_one = wide_lt(wide_zero(), l2);
    for (int a = 0; a < DIMENSIONS; a++) force[a] = wide_add(force[a], wide_keep(has_one, wide_mul(wanted[a], share)));
}

WIDE_INLINE void react(const neighbour_sums *sums, const wide velocity[DIMENSIONS], wide force[DIMENSIONS]) {
    wide away[DIMENSIONS], along[DIMENSIONS];
    for (int a = 0; a < DIMENSIONS; a++) {
        force[a] = wide_zero();
        away[a] = wide_sub(wide_zero(), sums->pull[a]);
        along[a] = wide_sub(sums->velocity[a], velocity[a]);
    }
    steer(velocity, away, bench_separation_weight, force);
    steer(velocity, along, 1.0f, force);
    steer(velocity, sums->offset, bench_cohesion_weight, force);
}

WIDE_INLINE wide wrap(wide x, float side) {
    x = wide_add_if(x, wide_lt(x, wide_zero()), wide_set(side));
    return wide_add_if(x, wide_le(wide_set(side), x), wide_set(-side)); /* also a sum that was rounded up to the side */
}

WIDE_INLINE void move(const wide force[DIMENSIONS], wide velocity[DIMENSIONS], wide position[DIMENSIONS], float side) {
    const wide slow = wide_set(bench_min_speed), fast = wide_set(bench_max_speed), one = wide_set(1.0f);
    for (int a = 0; a < DIMENSIONS; a++) velocity[a] = wide_add(velocity[a], force[a]);
    const wide speed = wide_sqrt(squared(velocity));
    const wide_mask is_slow = wide_and(wide_lt(speed, slow), wide_lt(wide_zero(), speed));
    const wide raised = wide_blend(is_slow, wide_div(slow, speed), one);
    const wide scale = wide_blend(wide_lt(fast, speed), wide_div(fast, speed), raised);
    for (int a = 0; a < DIMENSIONS; a++) {
        velocity[a] = wide_mul(velocity[a], scale);
        position[a] = wrap(wide_add(position[a], velocity[a]), side);
    }
}

/* ---- the frame -------------------------------------------------------------------------------------------------------- */

/* The first `count` lanes. */
WIDE_INLINE void store(float *to, wide a, uint32_t count) {
    float lanes[DUNLIN_LANES];
    wide_store(lanes, a);
    memcpy(to, lanes, count * sizeof *to);
}

/* The agents [begin, end), which are a packet. */
WIDE_INLINE void step_packet(const baseline *flock, const columns *snapshot, const columns *agents, int row, uint32_t begin,
                             uint32_t end, baseline_stats *stats) {
    const uint32_t count = end - begin;
    neighbour_sums sums = {.seen = wide_int_set(0)};
    wide position[DIMENSIONS], velocity[DIMENSIONS], force[DIMENSIONS];
    int32_t seen[DUNLIN_LANES];
    for (int a = 0; a < DIMENSIONS; a++) {
        sums.pull[a] = sums.velocity[a] = sums.offset[a] = wide_zero();
        position[a] = wide_load(snapshot->position[a] + begin);
        velocity[a] = wide_load(snapshot->velocity[a] + begin);
    }
    stats->pairs_tested += (uint64_t)count * look_around(flock, snapshot, row, begin, end, &sums);
    wide_int_store(seen, sums.seen);
    for (uint32_t k = 0; k < count; k++) stats->pairs_useful += (uint32_t)seen[k] - 1;
    react(&sums, velocity, force);
    move(force, velocity, position, flock->side);
    for (int a = 0; a < DIMENSIONS; a++) {
        store(agents->position[a] + begin, position[a], count);
        store(agents->velocity[a] + begin, velocity[a], count);
    }
}

static baseline_stats step_row(const baseline *flock, const columns *snapshot, const columns *agents, int row) {
    const uint32_t *start = flock->cell_start + (size_t)row * (size_t)cells_along(flock), end = start[cells_along(flock)];
    baseline_stats stats = {0};
    for (uint32_t i = start[0]; i < end; i += DUNLIN_LANES)
        step_packet(flock, snapshot, agents, row, i, min_u32(end, i + DUNLIN_LANES), &stats);
    return stats;
}

static baseline_stats step(baseline *flock) {
    const columns agents = columns_of(flock, flock->agents), snapshot = columns_of(flock, flock->snapshot);
    const int rows = (int)(flock->all_cells / (size_t)cells_along(flock));
    uint64_t tested = 0, useful = 0;
    take_snapshot(flock);
#pragma omp parallel for num_threads(flock->threads) schedule(dynamic) reduction(+ : tested, useful)
    for (int row = 0; row < rows; row++) {
        const baseline_stats stats = step_row(flock, &snapshot, &agents, row);
        tested += stats.pairs_tested;
        useful += stats.pairs_useful;
    }
    memcpy(agents.id, snapshot.id, flock->count * sizeof *agents.id);
    return (baseline_stats){.pairs_tested = tested, .pairs_useful = useful};
}

static void load_start(baseline *flock, const bench_start *start) {
    const columns agents = columns_of(flock, flock->agents);
    for (int a = 0; a < DIMENSIONS; a++) {
        memcpy(agents.position[a], start->position[a], flock->count * sizeof(float));
        memcpy(agents.velocity[a], start->velocity[a], flock->count * sizeof(float));
    }
    for (uint32_t i = 0; i < flock->count; i++) agents.id[i] = i;
}

static void read_state(const baseline *flock, float *const position[3], float *const velocity[3]) {
    const columns agents = columns_of(flock, flock->agents);
    for (uint32_t i = 0; i < flock->count; i++) {
        for (int a = 0; a < DIMENSIONS; a++) {
            position[a][agents.id[i]] = agents.position[a][i];
            velocity[a][agents.id[i]] = agents.velocity[a][i];
        }
    }
}

const baseline_code BASELINE_CODE = {
    .agent_bytes = FIELDS * sizeof(float), .finer = FINER, .load = load_start, .step = step, .read = read_state};
