/* SPDX-License-Identifier: MIT */
/* baseline-aos. Compiled with DIMENSIONS 2 and 3, so that loops over axes have constant bounds. */
#include "harness/measure/baseline.h"

#include <math.h>
#include <string.h>

typedef struct agent {
    float position[DIMENSIONS];
    float velocity[DIMENSIONS];
    uint32_t id;
} agent;

typedef struct vector {
    float at[DIMENSIONS];
} vector;

/* ---- rules ------------------------------------------------------------------------------------------------------------ */

/* What an agent observes. */
typedef struct neighbour_sums {
    vector push, velocity, offset;
    uint32_t seen;
} neighbour_sums;

static inline float length2(const float *v) {
    float sum = v[0] * v[0];
    for (int a = 1; a < DIMENSIONS; a++) sum += v[a] * v[a];
    return sum;
}

/* Adds the candidate if it is a neighbour. */
static inline void look_at(const baseline *flock, const agent *other, const float delta[DIMENSIONS], neighbour_sums *sums) {
    float d2 = length2(delta);
    if (d2 > flock->radius2) return;
    sums->seen++;
    for (int a = 0; a < DIMENSIONS; a++) {
        sums->velocity.at[a] += other->velocity[a];
        sums->offset.at[a] += delta[a];
    }
    if (d2 > flock->separation_radius2 || d2 == 0.0f) return;
    for (int a = 0; a < DIMENSIONS; a++) sums->push.at[a] -= delta[a] / d2;
}

/* Reynolds: desired velocity minus velocity, limited. */
static void steer(const agent *self, vector desired, float weight, vector *force) {
    float length = sqrtf(length2(desired.at));
    if (length == 0.0f) return;
    float scale = bench_max_speed / length;
    for (int a = 0; a < DIMENSIONS; a++) desired.at[a] = desired.at[a] * scale - self->velocity[a];
    float strength = sqrtf(length2(desired.at));
    if (strength > bench_max_force) weight *= bench_max_force / strength;
    for (int a = 0; a < DIMENSIONS; a++) force->at[a] += desired.at[a] * weight;
}

static vector react(const agent *self, const neighbour_sums *sums) {
    vector force = {{0}};
    if (sums->seen == 0) return force;
    steer(self, sums->push, bench_separation_weight, &force);
    steer(self, sums->velocity, 1.0f, &force);
    steer(self, sums->offset, bench_cohesion_weight, &force);
    return force;
}

/* ---- motion ----------------------------------------------------------------------------------------------------------- */

static float wrap(float x, float side) {
    if (x < 0.0f) x += side;
    if (x >= side) x -= side; /* also a sum that was rounded up to the side */
    return x;
}

static agent move(const agent *self, vector force, float side) {
    agent moved = *self;
    for (int a = 0; a < DIMENSIONS; a++) moved.velocity[a] += force.at[a];
    float speed = sqrtf(length2(moved.velocity)), scale = 1.0f;
    if (speed > bench_max_speed) scale = bench_max_speed / speed;
    if (speed > 0.0f && speed < bench_min_speed) scale = bench_min_speed / speed;
    for (int a = 0; a < DIMENSIONS; a++) {
        moved.velocity[a] *= scale;
        moved.position[a] = wrap(moved.position[a] + moved.velocity[a], side);
    }
    return moved;
}

/* ---- the grid --------------------------------------------------------------------------------------------------------- */

static inline int cell_coordinate(const baseline *flock, float x) {
    int cell = (int)(x * flock->cells_per_unit);
    return cell < flock->cells ? cell : flock->cells - 1;
}

static inline size_t cell_of(const baseline *flock, const agent *self) {
    size_t cell = 0;
    for (int a = DIMENSIONS - 1; a >= 0; a--) {
        cell = cell * (size_t)flock->cells + (size_t)cell_coordinate(flock, self->position[a]);
    }
    return cell;
}

/* A counting sort: afterwards the snapshot has the agents in the order of their cells. */
static void take_snapshot(baseline *flock) {
    const agent *agents = flock->agents;
    agent *snapshot = flock->snapshot;
    uint32_t *start = flock->cell_start;
    memset(start, 0, (flock->all_cells + 1) * sizeof *start);
    for (uint32_t i = 0; i < flock->count; i++) start[cell_of(flock, &agents[i])]++;
    uint32_t before = 0;
    for (size_t c = 0; c <= flock->all_cells; c++) start[c] = before += start[c];
    /* Each cell is filled from its end, so that afterwards its entry says where the cell begins. */
    for (uint32_t i = flock->count; i-- > 0;) snapshot[--start[cell_of(flock, &agents[i])]] = agents[i];
}

/* ---- looking around --------------------------------------------------------------------------------------------------- */

/* The agents of the cells [first, end), seen from `from`: the position of `self`, or its image beyond the edge. Returns their
 * number. */
static inline uint32_t look_into_cells(const baseline *flock, size_t first, size_t end, uint32_t self,
                                       const float from[DIMENSIONS], neighbour_sums *sums) {
    const agent *snapshot = flock->snapshot;
    const uint32_t begin = flock->cell_start[first], behind = flock->cell_start[end];
    for (uint32_t j = begin; j < behind; j++) {
        if (j == self) continue;
        float delta[DIMENSIONS];
        for (int a = 0; a < DIMENSIONS; a++) delta[a] = snapshot[j].position[a] - from[a];
        look_at(flock, &snapshot[j], delta, sums);
    }
    return behind - begin;
}

/* Three cells of a row, of which `cell` is the middle one. They follow one another in the snapshot, so that they are one run,
 * unless one of them is beyond the edge. */
static inline uint32_t look_along_row(const baseline *flock, size_t row, int cell, uint32_t self, float from[DIMENSIONS],
                                      neighbour_sums *sums) {
    const bool is_first = cell == 0, is_last = cell == flock->cells - 1;
    const float here = from[0];
    const size_t middle = row + (size_t)cell;
    uint32_t tested = look_into_cells(flock, middle - !is_first, middle + 1 + !is_last, self, from, sums);
    if (is_first || is_last) {
        const size_t beyond = is_first ? row + (size_t)flock->cells - 1 : row;
        from[0] += is_first ? flock->side : -flock->side;
        tested += look_into_cells(flock, beyond, beyond + 1, self, from, sums);
        from[0] = here;
    }
    return tested;
}

static uint32_t look_around(const baseline *flock, uint32_t self, neighbour_sums *sums) {
    const agent *me = (const agent *)flock->snapshot + self;
    size_t row = (size_t)flock->cells;
    uint32_t tested = 0;
    float from[DIMENSIONS] = {me->position[0]};
    int cell[DIMENSIONS];
    for (int a = 0; a < DIMENSIONS; a++) cell[a] = cell_coordinate(flock, me->position[a]);
#if DIMENSIONS == 3
    for (int dz = -1; dz <= 1; dz++) {
        from[2] = me->position[2];
        size_t z = baseline_row(flock, cell[2], dz, &from[2]) * row;
#else
    {
        size_t z = 0;
#endif
        for (int dy = -1; dy <= 1; dy++) {
            from[1] = me->position[1];
            size_t y = (z + baseline_row(flock, cell[1], dy, &from[1])) * row;
            tested += look_along_row(flock, y, cell[0], self, from, sums);
        }
    }
    return tested;
}

/* ---- the frame -------------------------------------------------------------------------------------------------------- */

static baseline_stats step(baseline *flock) {
    const agent *snapshot = flock->snapshot;
    agent *agents = flock->agents;
    uint64_t tested = 0, useful = 0;
    take_snapshot(flock);
#pragma omp parallel for num_threads(flock->threads) reduction(+ : tested, useful)
    for (uint32_t i = 0; i < flock->count; i++) {
        neighbour_sums sums = {.seen = 0};
        tested += look_around(flock, i, &sums);
        useful += sums.seen;
        agents[i] = move(&snapshot[i], react(&snapshot[i], &sums), flock->side);
    }
    return (baseline_stats){.pairs_tested = tested, .pairs_useful = useful};
}

static void load(baseline *flock, const bench_start *start) {
    agent *agents = flock->agents;
    for (uint32_t i = 0; i < flock->count; i++) {
        agents[i].id = i;
        for (int a = 0; a < DIMENSIONS; a++) {
            agents[i].position[a] = start->position[a][i];
            agents[i].velocity[a] = start->velocity[a][i];
        }
    }
}

static void read_state(const baseline *flock, float *const position[3], float *const velocity[3]) {
    const agent *agents = flock->agents;
    for (uint32_t i = 0; i < flock->count; i++) {
        for (int a = 0; a < DIMENSIONS; a++) {
            position[a][agents[i].id] = agents[i].position[a];
            velocity[a][agents[i].id] = agents[i].velocity[a];
        }
    }
}

const baseline_code BASELINE_CODE = {.agent_bytes = sizeof(agent), .finer = 1, .load = load, .step = step, .read = read_state};
