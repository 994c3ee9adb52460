/* SPDX-License-Identifier: MIT */
/*
 * baseline-simd. Lanes are agents: a group is up to LANES agents of one row of cells, and the loop is over its candidates,
 * which are in a few runs, one after the other. A candidate is compared with all lanes at once, and masks add it up. There are
 * no lists, no second passes and no tuning beyond the length of a cell; all operations are rounded once, and nothing is
 * estimated.
 *
 * CMakeLists.txt compiles this file once per width, LANES, and DIMENSIONS. The vectors are those of gcc and clang, which work
 * on every processor, except that AVX-512 keeps masks in registers of their own.
 */
#include "harness/measure/baseline.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef float wide __attribute__((vector_size(4 * LANES)));
typedef int32_t wide_int __attribute__((vector_size(4 * LANES)));

/* ---- lanes ------------------------------------------------------------------------------------------------------------ */

#if LANES == 16
#include <immintrin.h>
typedef __mmask16 mask;

INLINE mask at_most(wide a, wide b) {
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}

INLINE mask below(wide a, wide b) {
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}

INLINE wide choose(mask m, wide a, wide b) {
    return (wide)_mm512_mask_blend_ps(m, (__m512)b, (__m512)a);
}

INLINE wide add_if(mask m, wide a, wide b) {
    return (wide)_mm512_mask_add_ps((__m512)a, m, (__m512)a, (__m512)b);
}

INLINE wide_int count_if(mask m, wide_int a) {
    return (wide_int)_mm512_mask_add_epi32((__m512i)a, m, (__m512i)a, _mm512_set1_epi32(1));
}
#else
typedef wide_int mask; /* -1 or 0 */

INLINE mask at_most(wide a, wide b) {
    return a <= b;
}

INLINE mask below(wide a, wide b) {
    return a < b;
}

INLINE wide choose(mask m, wide a, wide b) {
    return (wide)((m & (wide_int)a) | (~m & (wide_int)b));
}

INLINE wide add_if(mask m, wide a, wide b) {
    return a + (wide)(m & (wide_int)b);
}

INLINE wide_int count_if(mask m, wide_int a) {
    return a - m;
}
#endif

INLINE wide all(float a) {
    return a - (wide){0};
}

static const wide_int lane_numbers = {0,  1,  2,  3,
#if LANES > 4
                                      4,  5,  6,  7,
#endif
#if LANES > 8
                                      8,  9,  10, 11, 12,
                                      13, 14, 15
#endif
};

INLINE wide load(const float *from) {
    wide a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* The first `count` lanes. */
INLINE void store(float *to, const wide *a, uint32_t count) {
    if (count == LANES)
        memcpy(to, a, sizeof *a);
    else
        memcpy(to, a, count * sizeof *to);
}

INLINE wide square_root(wide a) {
    float root[LANES];
    memcpy(root, &a, sizeof a);
    for (int k = 0; k < LANES; k++) root[k] = sqrtf(root[k]);
    return load(root);
}

INLINE wide length2(const wide v[DIMENSIONS]) {
    wide sum = v[0] * v[0];
    for (int a = 1; a < DIMENSIONS; a++) sum += v[a] * v[a];
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

/* The agents [begin, end), seen from the group's positions or their images beyond an edge. Returns their number. */
INLINE uint32_t look_along(const baseline *flock, const columns *snapshot, uint32_t begin, uint32_t end,
                           const wide from[DIMENSIONS], neighbour_sums *sums) {
    const wide radius2 = all(flock->radius2), separation_radius2 = all(flock->separation_radius2);
    for (uint32_t j = begin; j < end; j++) {
        wide delta[DIMENSIONS];
        for (int a = 0; a < DIMENSIONS; a++) delta[a] = snapshot->position[a][j] - from[a];
        const wide d2 = length2(delta), factor = 1.0f / (d2 + FLT_MIN); /* nothing but 0/0 changes */
        const mask is_seen = at_most(d2, radius2), is_close = at_most(d2, separation_radius2);
        sums->seen = count_if(is_seen, sums->seen);
        for (int a = 0; a < DIMENSIONS; a++) {
            sums->velocity[a] = add_if(is_seen, sums->velocity[a], all(snapshot->velocity[a][j]));
            sums->offset[a] = add_if(is_seen, sums->offset[a], delta[a]);
            sums->pull[a] = add_if(is_close, sums->pull[a], delta[a] * factor);
        }
    }
    return end - begin;
}

/* The row or layer `step` further; `from` moves by the world's side if that leads across the edge. */
INLINE size_t neighbour_row(const baseline *flock, int row, int step, wide *from) {
    row += step;
    if (row < 0) {
        *from += flock->side;
        return (size_t)(flock->cells - 1);
    }
    if (row == flock->cells) {
        *from -= flock->side;
        return 0;
    }
    return (size_t)row;
}

/* Cells first .. last of a row, which may be beyond its ends. Returns the number of agents there. */
INLINE uint32_t look_into_row(const baseline *flock, const columns *snapshot, size_t row, int first, int last,
                              wide from[DIMENSIONS], neighbour_sums *sums) {
    const int cells = cells_along(flock);
    const uint32_t *start = flock->cell_start + row * (size_t)cells;
    const wide here = from[0];
    uint32_t tested =
        look_along(flock, snapshot, start[first > 0 ? first : 0], start[last < cells ? last + 1 : cells], from, sums);
    if (first < 0) {
        from[0] = here + flock->side;
        tested += look_along(flock, snapshot, start[first + cells], start[cells], from, sums);
    }
    if (last >= cells) {
        from[0] = here - flock->side;
        tested += look_along(flock, snapshot, start[0], start[last - cells + 1], from, sums);
    }
    return tested;
}

/* The agents [begin, end) of a row. Returns the number of candidates. */
INLINE uint32_t look_around(const baseline *flock, const columns *snapshot, int row, uint32_t begin, uint32_t end,
                            neighbour_sums *sums) {
    const float *x = snapshot->position[0];
    const int first = coordinate(flock, x[begin], FINER) - FINER;
    const int last = coordinate(flock, x[end - 1], FINER) + FINER;
    uint32_t tested = 0;
    wide from[3] = {load(x + begin), load(snapshot->position[1] + begin)};
    for (int dz = -LAYERS_AROUND; dz <= LAYERS_AROUND; dz++) {
        from[2] = load(snapshot->position[DIMENSIONS - 1] + begin);
        const size_t layer = neighbour_row(flock, row / flock->cells, dz, &from[2]) * (size_t)flock->cells;
        for (int dy = -1; dy <= 1; dy++) {
            from[0] = load(x + begin);
            from[1] = load(snapshot->position[1] + begin);
            const size_t other = layer + neighbour_row(flock, row % flock->cells, dy, &from[1]);
            tested += look_into_row(flock, snapshot, other, first, last, from, sums);
        }
    }
    return tested;
}

/* ---- rules and motion ------------------------------------------------------------------------------------------------- */

/* Reynolds: desired velocity minus velocity, limited. */
INLINE void steer(const wide velocity[DIMENSIONS], const wide desired[DIMENSIONS], float weight, wide force[DIMENSIONS]) {
    wide wanted[DIMENSIONS];
    const wide l2 = length2(desired), scale = bench_max_speed / square_root(l2);
    for (int a = 0; a < DIMENSIONS; a++) wanted[a] = desired[a] * scale - velocity[a];
    const wide strength = square_root(length2(wanted)), most = all(bench_max_force);
    const wide share = weight * choose(below(most, strength), most / strength, all(1.0f));
    for (int a = 0; a < DIMENSIONS; a++) force[a] = add_if(below(all(0.0f), l2), force[a], wanted[a] * share);
}

INLINE void react(const neighbour_sums *sums, const wide velocity[DIMENSIONS], wide force[DIMENSIONS]) {
    wide away[DIMENSIONS], along[DIMENSIONS];
    for (int a = 0; a < DIMENSIONS; a++) {
        force[a] = all(0.0f);
        away[a] = -sums->pull[a];
        along[a] = sums->velocity[a] - velocity[a];
    }
    steer(velocity, away, bench_separation_weight, force);
    steer(velocity, along, 1.0f, force);
    steer(velocity, sums->offset, bench_cohesion_weight, force);
}

INLINE wide wrap(wide x, float side) {
    x = add_if(below(x, all(0.0f)), x, all(side));
    return add_if(at_most(all(side), x), x, all(-side)); /* also a sum that was rounded up to the side */
}

INLINE void move(const wide force[DIMENSIONS], wide velocity[DIMENSIONS], wide position[DIMENSIONS], float side) {
    const wide slow = all(bench_min_speed), fast = all(bench_max_speed);
    for (int a = 0; a < DIMENSIONS; a++) velocity[a] += force[a];
    const wide speed = square_root(length2(velocity));
    const wide raised = choose(below(speed, slow) & below(all(0.0f), speed), slow / speed, all(1.0f));
    const wide scale = choose(below(fast, speed), fast / speed, raised);
    for (int a = 0; a < DIMENSIONS; a++) {
        velocity[a] *= scale;
        position[a] = wrap(position[a] + velocity[a], side);
    }
}

/* ---- the frame -------------------------------------------------------------------------------------------------------- */

/* What a row counts. */
typedef struct row_stats {
    uint64_t tested;
    wide_int seen; /* by lane */
} row_stats;

/* The agents [begin, end), which are a group. */
INLINE void step_group(const baseline *flock, const columns *snapshot, const columns *agents, int row, uint32_t begin,
                       uint32_t end, row_stats *stats) {
    const uint32_t count = end - begin;
    neighbour_sums sums = {.seen = {0}};
    wide position[DIMENSIONS], velocity[DIMENSIONS], force[DIMENSIONS];
    stats->tested += (uint64_t)count * look_around(flock, snapshot, row, begin, end, &sums);
    stats->seen += (sums.seen - 1) & (lane_numbers < (int)count);
    for (int a = 0; a < DIMENSIONS; a++) {
        position[a] = load(snapshot->position[a] + begin);
        velocity[a] = load(snapshot->velocity[a] + begin);
    }
    react(&sums, velocity, force);
    move(force, velocity, position, flock->side);
    for (int a = 0; a < DIMENSIONS; a++) {
        store(agents->position[a] + begin, &position[a], count);
        store(agents->velocity[a] + begin, &velocity[a], count);
    }
}

static baseline_stats step_row(const baseline *flock, const columns *snapshot, const columns *agents, int row) {
    const uint32_t *start = flock->cell_start + (size_t)row * (size_t)cells_along(flock), end = start[cells_along(flock)];
    row_stats stats = {.tested = 0};
    for (uint32_t i = start[0]; i < end; i += LANES)
        step_group(flock, snapshot, agents, row, i, end - i < LANES ? end : i + LANES, &stats);
    baseline_stats sum = {.pairs_tested = stats.tested};
    for (int k = 0; k < LANES; k++) sum.pairs_useful += (uint32_t)stats.seen[k];
    return sum;
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
