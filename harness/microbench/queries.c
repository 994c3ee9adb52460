/* SPDX-License-Identifier: MIT */
/* dunlin_query_bench measures questions about where agents are, on one thread, beside nanoflann if the build has found it. */
#include "harness/measure/workload.h"
#include "harness/microbench/gbench_shim.h"
#include "harness/report/machine.h"
#ifdef DUNLIN_NANOFLANN
#include "harness/microbench/nanoflann_shim.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: dunlin_query_bench [--benchmark_FLAG=VALUE ...]\n"
    "\n"
    "Measures questions about a flock of a million agents, with 20 hits in 2D and 3D, on one thread.\n"
    "\n"
    "  dunlin|nanoflann/2d|3d/SHAPE/agents    all at once, around agents in the order in which they are stored\n"
    "  dunlin|nanoflann/2d|3d/SHAPE/random    all at once, around random points\n"
    "  dunlin|nanoflann/2d|3d/SHAPE/single    around agents likewise, one call each\n"
    "  dunlin|nanoflann/2d|3d/build           the sort, which the next step takes over; the k-d tree. An item is an agent\n"
    "\n"
    "Google Benchmark's flags:\n"
    "\n";

enum { AGENTS = 1000000, NEIGHBOURS = 20, QUESTIONS = 1 << 17, ROOM = QUESTIONS * 2 * NEIGHBOURS };

typedef enum query_shape { BALL, BOX, CONE, NEAREST, RAY, BUILD, SHAPES } query_shape;
typedef enum query_way { BY_AGENTS, RANDOM, SINGLE, WAYS } query_way;

typedef struct query_row {
    bool other; /* nanoflann */
    int dimensions;
    query_shape shape;
    query_way way;
} query_row;

/* All rows of the same dimensions follow each other and share these. */
static struct {
    int dimensions;
    dunlin_world *world;
    dunlin_ball balls[QUESTIONS];
    dunlin_box boxes[QUESTIONS];
    dunlin_cone cones[QUESTIONS];
    dunlin_nearest points[QUESTIONS];
    dunlin_ray rays[QUESTIONS];
    uint32_t ids[ROOM];
    uint64_t begins[QUESTIONS + 1];
    uint64_t hits; /* of the last turn */
    dunlin_error error;
    bool failed;
#ifdef DUNLIN_NANOFLANN
    nanoflann_tree *tree;
#endif
} now;

/* ---- questions -------------------------------------------------------------------------------------------------------- */

/* About 20 agents in a ball, box or cone. */
static void set_question(int q, const float at[3], int dimensions) {
    now.balls[q].radius = bench_radius;
    now.cones[q] = (dunlin_cone){.length = 2.0f * bench_radius, .half_angle = dimensions == 2 ? 0.785f : 0.723f};
    now.points[q] = (dunlin_nearest){.radius = INFINITY, .count = NEIGHBOURS};
    now.rays[q] = (dunlin_ray){.length = 20.0f * bench_radius, .radius = 0.02f * bench_radius};
    for (int a = 0; a < dimensions; a++) {
        const float half = (dimensions == 2 ? 0.886f : 0.806f) * bench_radius;
        const float direction = (float)bench_even_share(dimensions, a, 0.3, (uint32_t)q) - 0.499f;
        now.balls[q].centre[a] = now.points[q].centre[a] = now.cones[q].tip[a] = now.rays[q].from[a] = at[a];
        now.cones[q].direction[a] = now.rays[q].direction[a] = direction;
        now.boxes[q].min[a] = at[a] - half;
        now.boxes[q].max[a] = at[a] + half;
    }
}

static void set_questions(const query_row *row) {
    const dunlin_view view = dunlin_world_view(now.world, 0);
    const dunlin_world_def def = dunlin_world_get_def(now.world);
    uint64_t random = 1;
    for (int q = 0; q < QUESTIONS; q++) {
        float at[3] = {0};
        for (int a = 0; a < row->dimensions; a++) {
            random = random * 0x5851f42d4c957f2du + 1;
            at[a] = row->way == RANDOM ? def.size[a] * (float)(random >> 40) * 0x1p-24f
                                       : view.position[a][(uint64_t)q * view.count / QUESTIONS];
        }
        set_question(q, at, row->dimensions);
    }
}

/* ---- answers ---------------------------------------------------------------------------------------------------------- */

static dunlin_result find(query_shape shape, int first, uint32_t count, dunlin_found *found) {
    switch (shape) {
    case BALL:
        return dunlin_world_find_in_balls(now.world, 0, now.balls + first, count, found, &now.error);
    case BOX:
        return dunlin_world_find_in_boxes(now.world, 0, now.boxes + first, count, found, &now.error);
    case CONE:
        return dunlin_world_find_in_cones(now.world, 0, now.cones + first, count, found, &now.error);
    case NEAREST:
        return dunlin_world_find_nearest(now.world, 0, now.points + first, count, found, &now.error);
    default:
        return dunlin_world_find_on_rays(now.world, 0, now.rays + first, count, found, &now.error);
    }
}

/* A call that could change the world ends what was sorted. */
static dunlin_result sort(dunlin_found *found) {
    dunlin_write nothing = dunlin_write_default();
    static const uint32_t none[1];
    nothing.slots = none;
    const dunlin_result result = dunlin_world_write(now.world, &nothing, &now.error);
    return result != DUNLIN_OK ? result : find(BALL, 0, 1, found);
}

static void answer(const query_row *row) {
    dunlin_found found = dunlin_found_default();
    found.room = ROOM;
    found.ids = now.ids;
    found.begins = now.begins;
    now.hits = 0;
    if (row->shape == BUILD) now.failed = now.failed || sort(&found) != DUNLIN_OK;
    if (row->shape != BUILD && row->way != SINGLE)
        now.failed = now.failed || find(row->shape, 0, QUESTIONS, &found) != DUNLIN_OK;
    now.hits = found.count;
    for (int q = 0; q < QUESTIONS && row->way == SINGLE; q++) {
        now.failed = now.failed || find(row->shape, q, 1, &found) != DUNLIN_OK;
        now.hits += found.count;
    }
}

#ifdef DUNLIN_NANOFLANN
static void build_tree(void) {
    const dunlin_view view = dunlin_world_view(now.world, 0);
    nanoflann_free(now.tree);
    now.tree = nanoflann_build(now.dimensions, view.position, view.count);
}

/* Into the same arrays; it has no calls for many questions. */
static void answer_by_other(const query_row *row) {
    now.hits = 0;
    if (row->shape == BUILD) build_tree();
    for (int q = 0; q < QUESTIONS && row->shape != BUILD; q++) {
        now.begins[q] = now.hits;
        const size_t room = ROOM - (size_t)now.hits;
        if (row->shape == NEAREST)
            now.hits += nanoflann_nearest(now.tree, now.points[q].centre, now.ids + now.hits, NEIGHBOURS);
        else
            now.hits += nanoflann_ball(now.tree, now.balls[q].centre, now.balls[q].radius, now.ids + now.hits, room);
    }
}
#else
static void build_tree(void) {}
static void answer_by_other(const query_row *row) {
    (void)row;
}
#endif

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

/* A step puts the agents into their order. */
static bool make_world(int dimensions) {
    const bench_workload workload = {.dimensions = dimensions, .agents = AGENTS, .neighbours = NEIGHBOURS};
    bench_start start;
    if (now.dimensions == dimensions) return true;
    dunlin_world_destroy(now.world);
    now.world = NULL;
    now.dimensions = 0;
    if (bench_start_make(&workload, &start, &now.error) != DUNLIN_OK) return false;
    const dunlin_result result = bench_world_make(&start, 1, "auto", "auto", &now.world, &now.error);
    bench_start_free(&start);
    if (result != DUNLIN_OK || dunlin_world_step(now.world, &now.error) != DUNLIN_OK) return false;
    now.dimensions = dimensions;
    build_tree();
    return true;
}

static bool set_up(const void *user, gbench_state *state) {
    const query_row *row = user;
    now.failed = !make_world(row->dimensions);
    if (now.failed) gbench_fail(state, now.error.message);
    if (!now.failed) set_questions(row);
    return !now.failed;
}

static void run(const void *user, int64_t iterations) {
    const query_row *row = user;
    for (int64_t i = 0; i < iterations; i++) (row->other ? answer_by_other : answer)(row);
}

static void report(const void *user, gbench_state *state) {
    const query_row *row = user;
    const double items = row->shape == BUILD ? AGENTS : QUESTIONS;
    if (now.failed) gbench_fail(state, now.error.message);
    gbench_counter(state, "items_per_second", items * (double)gbench_iterations(state), GBENCH_RATE);
    if (row->shape != BUILD) gbench_counter(state, "hits", (double)now.hits / QUESTIONS, GBENCH_PLAIN);
}

static void add_row(query_row *row, bool other, int dimensions, query_shape shape, query_way way) {
    static const char *const shapes[] = {"ball", "box", "cone", "nearest", "ray", "build"};
    static const char *const ways[] = {"/agents", "/random", "/single"};
    char name[96];
    *row = (query_row){other, dimensions, shape, way};
    snprintf(name, sizeof name, "%s/%dd/%s%s", other ? "nanoflann" : "dunlin", dimensions, shapes[shape],
             shape == BUILD ? "" : ways[way]);
    gbench_register(&(gbench_benchmark){.name = name, .user = row, .setup = set_up, .run = run, .report = report});
}

static bool is_there(bool other, query_shape shape, query_way way) {
#ifdef DUNLIN_NANOFLANN
    const bool has_other = true;
#else
    const bool has_other = false;
#endif
    if (shape == BUILD && way != BY_AGENTS) return false;
    return !other || (has_other && way != SINGLE && (shape == BALL || shape == NEAREST || shape == BUILD));
}

int main(int argc, char **argv) {
    static query_row rows[2 * 2 * SHAPES * WAYS];
    query_row *next = rows;
    const machine host = machine_describe();
    const char *const texts[][2] = {{"cpu", host.cpu},     {"os", host.os},         {"compiler", host.compiler},
                                    {"flags", host.flags}, {"commit", host.commit}, {"pinning", host.pinning}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) gbench_add_context(texts[i][0], texts[i][1]);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int s = 0; s < SHAPES; s++)
            for (int w = 0; w < WAYS; w++)
                for (int other = 0; other < 2; other++)
                    if (is_there(other, (query_shape)s, (query_way)w))
                        add_row(next++, other, dimensions, (query_shape)s, (query_way)w);
    return gbench_run(argc, argv, help);
}
