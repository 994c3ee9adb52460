/* SPDX-License-Identifier: MIT */
#include "harness/measure/workload.h"
#include "harness/report/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The same as in harness/scenarios/million.yaml. */
const float bench_radius = 1.0f;
const float bench_separation_radius = 0.5f;
const float bench_separation_weight = 2.0f;
const float bench_cohesion_weight = 0.25f;
const float bench_min_speed = 0.05f;
const float bench_max_speed = 0.1f;
const float bench_max_force = 0.01f;

static const double pi = 3.14159265358979323846;
static const double clump_share = 0.01;    /* of the world's area or volume */
static const double line_width = 10.0;     /* radii */
static const uint32_t flocks = 100;        /* of a scattered start */
static const double flocks_apart = 1000.0; /* the world's side, in sides of a flock */

/* ---- distributions ---------------------------------------------------------------------------------------------------- */

static const char *const distributions[] = {"uniform", "clumped", "flocked", "scattered", "line"};

const char *bench_distribution_name(bench_distribution distribution) {
    return distributions[distribution];
}

bool bench_distribution_find(const char *name, bench_distribution *distribution) {
    int i = 0;
    while (i <= BENCH_LINE && strcmp(name, distributions[i]) != 0) i++;
    if (i <= BENCH_LINE) *distribution = (bench_distribution)i;
    return i <= BENCH_LINE;
}

bool bench_distribution_is_open(bench_distribution distribution) {
    return distribution == BENCH_SCATTERED || distribution == BENCH_LINE;
}

bool bench_workload_equal(const bench_workload *a, const bench_workload *b) {
    return a->dimensions == b->dimensions && a->agents == b->agents && a->neighbours == b->neighbours &&
           a->distribution == b->distribution;
}

double bench_bytes_per_agent(int dimensions) {
    return dimensions == 2 ? 100.0 : 140.0;
}

/* ---- the world -------------------------------------------------------------------------------------------------------- */

/* The side of a square or a cube. */
static double root(const bench_workload *workload, double content) {
    return workload->dimensions == 2 ? sqrt(content) : cbrt(content);
}

/* The side of the square or cube in which each agent has a mean of `neighbours` within the radius of 1. */
static double populated_side(const bench_workload *workload) {
    double others = fmax((double)workload->agents - 1.0, 1.0);
    double seen = workload->dimensions == 2 ? pi : 4.0 / 3.0 * pi;
    return root(workload, others * seen / workload->neighbours);
}

/* The side of one of the scattered flocks. */
static double flock_side(const bench_workload *workload) {
    return populated_side(workload) * root(workload, 1.0 / (double)flocks);
}

double bench_world_side(const bench_workload *workload) {
    double side = populated_side(workload);
    switch (workload->distribution) {
    case BENCH_CLUMPED:
        return side / root(workload, clump_share);
    case BENCH_SCATTERED:
        return flocks_apart * flock_side(workload);
    case BENCH_LINE:
        return side > line_width ? side * pow(side / line_width, workload->dimensions - 1) : side;
    default:
        return side;
    }
}

/* In a torus narrower than a disc an agent would have neighbours twice. */
static dunlin_result check_side(const bench_workload *workload, dunlin_error *error) {
    if (populated_side(workload) >= 2.0 * (double)bench_radius) return DUNLIN_OK;
    double seen = workload->dimensions == 2 ? pi / 4.0 : pi / 6.0;
    return bench_fail(error, DUNLIN_ERROR_VALUE, "agents is %u: at least %.0f are needed for %g neighbours each",
                      (unsigned)workload->agents, ceil(workload->neighbours / seen) + 1.0, workload->neighbours);
}

static dunlin_result add_rules(dunlin_world *world, dunlin_error *error) {
    dunlin_species_def species = dunlin_species_def_default();
    species.min_speed = bench_min_speed;
    species.max_speed = bench_max_speed;
    species.max_force = bench_max_force;
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    rules.rules[DUNLIN_RULE_SEPARATION].radius = bench_separation_radius;
    rules.rules[DUNLIN_RULE_SEPARATION].weight = bench_separation_weight;
    rules.rules[DUNLIN_RULE_ALIGNMENT].radius = bench_radius;
    rules.rules[DUNLIN_RULE_COHESION].radius = bench_radius;
    rules.rules[DUNLIN_RULE_COHESION].weight = bench_cohesion_weight;
    dunlin_result result = dunlin_world_add_species(world, &species, NULL, error);
    return result == DUNLIN_OK ? dunlin_world_add_interaction(world, &rules, NULL, error) : result;
}

/* The bench's world without agents. Always destroy it. */
static dunlin_result make_empty(const bench_start *start, const dunlin_transport *transport, int threads, const char *kernel,
                                const char *index, dunlin_world **world, dunlin_error *error) {
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = start->workload.dimensions;
    if (bench_distribution_is_open(start->workload.distribution)) def.boundary = DUNLIN_BOUNDARY_OPEN;
    for (int a = 0; a < 3; a++) def.size[a] = start->side;
    def.threads = threads;
    def.kernel = kernel;
    def.index = index;
    *world = NULL;
    dunlin_result result = dunlin_world_create_part(&def, transport, world, error);
    return result == DUNLIN_OK ? add_rules(*world, error) : result;
}

/* After a failure there is no world. */
static dunlin_result keep_if(dunlin_result result, dunlin_world **world) {
    if (result == DUNLIN_OK) return result;
    dunlin_world_destroy(*world);
    *world = NULL;
    return result;
}

dunlin_result bench_start_spawn(const bench_start *start, dunlin_world *world, dunlin_error *error) {
    dunlin_batch batch = dunlin_batch_default();
    batch.count = start->workload.agents;
    for (int a = 0; a < start->workload.dimensions; a++) {
        batch.position[a] = start->position[a];
        batch.velocity[a] = start->velocity[a];
    }
    return dunlin_world_spawn(world, 0, &batch, NULL, error);
}

dunlin_result bench_world_make(const bench_start *start, int threads, const char *kernel, const char *index,
                               dunlin_world **world, dunlin_error *error) {
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_result result = make_empty(start, &alone, threads, kernel, index, world, error);
    if (result == DUNLIN_OK) result = bench_start_spawn(start, *world, error);
    return keep_if(result, world);
}

/* ---- the start -------------------------------------------------------------------------------------------------------- */

double bench_even_share(int dimensions, int axis, double first, uint32_t i) {
    static const double steps[2][3] = {{0.7548776662466927, 0.5698402909980532, 0.0},
                                       {0.8191725133961645, 0.6710436067037893, 0.5497004779019703}};
    return fmod(first + i * steps[dimensions - 2][axis], 1.0);
}

static void place_flock(const bench_workload *workload, double side, uint32_t flock, dunlin_scatter_def *def) {
    double half = 0.5 * flock_side(workload), room = side - 2.0 * half;
    for (int a = 0; a < workload->dimensions; a++) {
        def->centre[a] = (float)(half + room * bench_even_share(workload->dimensions, a, 0.0, flock));
        def->extent[a] = (float)half;
    }
}

static dunlin_result scatter_flocks(dunlin_world *world, const bench_workload *workload, dunlin_scatter_def def,
                                    dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (uint32_t flock = 0; flock < flocks && result == DUNLIN_OK; flock++) {
        place_flock(workload, bench_world_side(workload), flock, &def);
        def.count = workload->agents / flocks + (flock < workload->agents % flocks);
        result = dunlin_world_scatter(world, 0, &def, error);
    }
    return result;
}

static dunlin_result scatter(dunlin_world *world, const bench_workload *workload, dunlin_error *error) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = workload->agents;
    def.min_speed = bench_min_speed;
    def.max_speed = bench_max_speed;
    if (workload->distribution == BENCH_CLUMPED) {
        for (int a = 0; a < 3; a++) def.extent[a] = (float)(0.5 * populated_side(workload));
    }
    if (workload->distribution == BENCH_LINE) {
        for (int a = 1; a < 3; a++) def.extent[a] = (float)(0.5 * fmin(line_width, populated_side(workload)));
    }
    if (workload->distribution == BENCH_SCATTERED) return scatter_flocks(world, workload, def, error);
    return dunlin_world_scatter(world, 0, &def, error);
}

dunlin_result bench_world_make_part(const bench_workload *workload, const dunlin_transport *transport, int threads,
                                    const char *kernel, const char *index, dunlin_world **world, dunlin_error *error) {
    const bench_start start = {.workload = *workload, .side = (float)bench_world_side(workload)};
    *world = NULL;
    dunlin_result result = check_side(workload, error);
    if (result == DUNLIN_OK) result = make_empty(&start, transport, threads, kernel, index, world, error);
    if (result == DUNLIN_OK) result = scatter(*world, workload, error);
    return keep_if(result, world);
}

static dunlin_result simulate(dunlin_world *world, int steps, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int step = 0; step < steps && result == DUNLIN_OK; step++) result = dunlin_world_step(world, error);
    return result;
}

/* Rounding may place an agent on the far edge, which on a torus is the near one: [0, side), as after a step. */
static void copy_positions(float *to, const float *from, uint32_t count, float side) {
    for (uint32_t i = 0; i < count; i++) to[i] = from[i] < side ? from[i] : 0.0f;
}

static dunlin_result copy_agents(const dunlin_world *world, bench_start *start, dunlin_error *error) {
    dunlin_view view = dunlin_world_view(world, 0);
    size_t bytes = view.count * sizeof(float);
    for (int a = 0; a < start->workload.dimensions; a++) {
        start->position[a] = malloc(bytes);
        start->velocity[a] = malloc(bytes);
        if (!start->position[a] || !start->velocity[a]) {
            return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for the agents of a start");
        }
        copy_positions(start->position[a], view.position[a], view.count, start->side);
        memcpy(start->velocity[a], view.velocity[a], bytes);
    }
    return DUNLIN_OK;
}

dunlin_result bench_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error) {
    *start = (bench_start){.workload = *workload, .side = (float)bench_world_side(workload)};
    dunlin_result result = check_side(workload, error);
    if (result != DUNLIN_OK) return result;
    /* Not the index `auto`: the start must not depend on its choice. Kernels and threads give the same bits. */
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_world *world;
    result = make_empty(start, &alone, 0, "auto", "grid", &world, error);
    if (result == DUNLIN_OK) result = scatter(world, workload, error);
    if (result == DUNLIN_OK && workload->distribution == BENCH_FLOCKED) result = simulate(world, BENCH_FLOCKING_STEPS, error);
    if (result == DUNLIN_OK) result = copy_agents(world, start, error);
    dunlin_world_destroy(world);
    if (result != DUNLIN_OK) bench_start_free(start);
    return result;
}

void bench_start_free(bench_start *start) {
    for (int a = 0; a < 3; a++) {
        free(start->position[a]);
        free(start->velocity[a]);
    }
    *start = (bench_start){0};
}
