/* SPDX-License-Identifier: MIT */
/* respond/… and integrate/…: a tile's sums become forces, its forces become motion. All of it in L1, as in a frame. */
#include "harness/microbench/microbench.h"

#include <math.h>

enum { TILE = 512, COLUMNS = 5, AXES = 3 }; /* the engine's tile; sums, velocities, positions and what is written */

typedef struct motion_row {
    const dun_kernel *kernel;
    int dimensions;
    dun_respond respond; /* one of the two is asked for */
    dun_integrate integrate;
} motion_row;

static _Alignas(DUN_CACHE_LINE) float arrays[COLUMNS][AXES][TILE + DUN_PADDING];
static int32_t seen[TILE + DUN_PADDING];
static const float world = 100.0f;

/* Agents throughout the world and a little beyond its edges, some too fast, some too slow, so that every lane has work. */
static void fill(void) {
    for (int i = 0; i < TILE; i++) {
        seen[i] = i % 40;
        for (int a = 0; a < AXES; a++) {
            float angle = (float)(i * (a + 3));
            arrays[0][a][i] = 20.0f * sinf(angle);
            arrays[1][a][i] = 1.5f * cosf(angle);
            arrays[2][a][i] = world * (0.5f + 0.51f * sinf(1.7f * angle));
            arrays[3][a][i] = arrays[4][a][i] = 0.0f;
        }
    }
}

/* ---- the measurement -------------------------------------------------------------------------------------------------- */

static bool set_up(void *user, gbench_state *state) {
    motion_row *row = user;
    (void)state;
    fill();
    for (int a = 0; a < row->dimensions; a++) {
        row->respond.sum[a] = row->integrate.force[a] = arrays[0][a];
        row->respond.velocity[a] = row->integrate.velocity[a] = arrays[1][a];
        row->integrate.position[a] = arrays[2][a];
        row->respond.force[a] = row->integrate.to_position[a] = arrays[3][a];
        row->integrate.to_velocity[a] = arrays[4][a];
    }
    row->respond.seen = seen;
    return true;
}

/* Forces grow with every iteration. They stay finite, and the time of no operation depends on them. */
static void respond(void *user, int64_t iterations) {
    const motion_row *row = user;
    for (int64_t i = 0; i < iterations; i++) row->kernel->respond(&row->respond, TILE);
}

static void integrate(void *user, int64_t iterations) {
    const motion_row *row = user;
    for (int64_t i = 0; i < iterations; i++) row->kernel->integrate(&row->integrate, TILE);
}

static void report(void *user, gbench_state *state) {
    const motion_row *row = user;
    const double agents = TILE * (double)gbench_iterations(state);
    microbench_report_vectors(state, agents / row->kernel->lanes);
    gbench_items(state, agents);
}

/* ---- the tables ------------------------------------------------------------------------------------------------------- */

static void register_row(const char *family, motion_row *row, const char *variant, void (*run)(void *, int64_t)) {
    const gbench_benchmark benchmark = {.user = row, .user_bytes = sizeof *row, .setup = set_up, .run = run, .report = report};
    microbench_register(&benchmark, "%s/%s/%dd/%s", family, row->kernel->name, row->dimensions, variant);
}

static void register_responses(const dun_kernel *kernel) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        motion_row row = {.kernel = kernel, .dimensions = dimensions};
        row.respond = (dun_respond){.dimensions = dimensions, .weight = {.all = 1.0f}, .max_speed = {.all = 1.0f}};
        row.respond.steer = true;
        row.respond.limit.all = 0.1f;
        register_row("respond", &row, "steer", respond);
        row.respond.steer = false;
        row.respond.average = row.respond.minus_velocity = true;
        row.respond.limit.all = INFINITY;
        register_row("respond", &row, "direct", respond);
    }
}

static void register_motions(const dun_kernel *kernel) {
    static const char *const edges[] = {[DUN_EDGE_OPEN] = "open",
                                        [DUN_EDGE_PERIODIC] = "periodic",
                                        [DUN_EDGE_TELEPORT] = "teleport",
                                        [DUN_EDGE_OVERSHOOT] = "overshoot",
                                        [DUN_EDGE_REFLECT] = "reflect"}; /* mixed ones are no loop of their own */
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int edge = 0; edge < (int)(sizeof edges / sizeof *edges); edge++) {
            motion_row row = {.kernel = kernel, .dimensions = dimensions};
            row.integrate = (dun_integrate){.dimensions = dimensions,
                                            .edge = (dun_edge)edge,
                                            .size = {world, world, world},
                                            .time_step = 1.0f,
                                            .force_scale = 0.01f,
                                            .min_speed = 0.5f,
                                            .max_speed = {.all = 1.0f},
                                            .keep = 1.0f};
            register_row("integrate", &row, edges[edge], integrate);
        }
    }
}

void register_respond_rows(void) {
    register_for_kernels("respond", register_responses);
}

void register_integrate_rows(void) {
    register_for_kernels("integrate", register_motions);
}
