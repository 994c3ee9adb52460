/* SPDX-License-Identifier: MIT */
/* What the tests of the public header share: calls that must work or must be refused, and short ways to make worlds. */
#ifndef DUNLIN_TESTS_WORLDS_H
#define DUNLIN_TESTS_WORLDS_H

#include <dunlin/dunlin.h>

#include "tests/lib/test.h"

/* ---- calls that must work, or must be refused -------------------------------------------------------------------------- */

/* The error that the calls of this thread of a test fill in. */
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define TEST_THREAD_LOCAL /* there is one thread, and its linker knows no other */
#else
#define TEST_THREAD_LOCAL _Thread_local
#endif
extern TEST_THREAD_LOCAL dunlin_error refusal;

/* If set, it is called when a call has failed for lack of memory; the call is then repeated once. */
extern void (*give_memory_back)(void);

/* Fails with the engine's message unless the call works: ACCEPT(dunlin_world_step(world, &refusal)); */
#define ACCEPT(call)                                                                                                           \
    do {                                                                                                                       \
        dunlin_result accepted_ = (call);                                                                                      \
        if (accepted_ == DUNLIN_ERROR_MEMORY && give_memory_back) {                                                            \
            give_memory_back();                                                                                                \
            accepted_ = (call);                                                                                                \
        }                                                                                                                      \
        accept_at(accepted_, #call, __FILE__, __LINE__);                                                                       \
    } while (0)

/* Fails unless the call is refused with the code and a message that contains all of the words. */
#define REFUSE(call, code, ...) refuse_at((call), (code), (const char *const[]){__VA_ARGS__, NULL}, #call, __FILE__, __LINE__)

void accept_at(dunlin_result result, const char *call, const char *file, int line);
void refuse_at(dunlin_result result, dunlin_result code, const char *const words[], const char *call, const char *file,
               int line);

/* ---- every way to compute the same ------------------------------------------------------------------------------------- */

enum { WORLD_INDEXES = 3 };
extern const char *const world_indexes[WORLD_INDEXES]; /* "grid", "tree", "brute": each stores agents in a different order */

typedef struct world_variant {
    const char *kernel; /* one that runs here */
    const char *index;
} world_variant;

/* Variant v has index v % WORLD_INDEXES. The first are the scalar kernel with each index, the others every kernel with one
 * index, in nightly builds with each. */
int world_variant_count(void);
world_variant world_variant_at(int position);

/* `def` with the variant's kernel and index. */
dunlin_world_def world_def_for(dunlin_world_def def, world_variant variant);

/* What of a world's definition differs from the default; 0 or NULL: nothing does. A periodic boundary is the default. */
typedef struct world_parts {
    int dimensions, threads;
    dunlin_boundary boundary;
    uint64_t seed;
    float time_step, margin;
    const char *index, *kernel;
} world_parts;

dunlin_world_def world_def_with(world_parts parts);

/* ---- definitions by hand ----------------------------------------------------------------------------------------------- */

#define WORLD_COOKIE (dunlin_batch_default().cookie) /* all definitions have the same */

/* ---- worlds ------------------------------------------------------------------------------------------------------------ */

/* The world lives until the test ends, or until world_destroy(), which also destroys any other world. NULL: the defaults. */
dunlin_world *world_create(const dunlin_world_def *def);
void world_destroy(dunlin_world *world);
uint64_t world_end(dunlin_world *world); /* destroys it and returns the hash of its state */

/* Each adds what it says and returns its number, or fails the test. NULL: the defaults. */
int world_add_species(dunlin_world *world, const dunlin_species_def *def);
int world_add_interaction(dunlin_world *world, const dunlin_interaction_def *def);
int world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def);
int world_add_attribute(dunlin_world *world, const dunlin_attribute_def *def);
int world_add_field(dunlin_world *world, const dunlin_field_def *def);
int world_add_path(dunlin_world *world, const dunlin_path_def *def);
int world_add_obstacle(dunlin_world *world, const dunlin_obstacle_def *def);
int world_add_meal(dunlin_world *world, const dunlin_meal_def *def);
int world_add_trace(dunlin_world *world, const dunlin_trace_def *def);

/* The same, with the defaults of all that is not an argument. */
int world_add_named(dunlin_world *world, const char *species);
int world_add_fliers(dunlin_world *world, const char *species, float max_speed);
int world_add_default(dunlin_world *world, dunlin_behaviour_kind kind);

/* Adds a callback of a species' tiles. Returns the behaviour's number. */
int world_call_back(dunlin_world *world, int species, dunlin_tile_fn *custom, void *user);

dunlin_metrics world_measure(dunlin_world *world, int species);

dunlin_attribute_def world_attribute(int species, const char *name, dunlin_role role);
int world_add_value(dunlin_world *world, int species, const char *name, dunlin_role role, float value);
int world_add_drawn(dunlin_world *world, int species, const char *name, dunlin_role role, float min, float max); /* evenly */

int world_add_scale(dunlin_world *world, int species, dunlin_role role, float min, float max); /* likewise; max >= 1 */

dunlin_interaction_def world_interaction(int observer, int observed);

/* Adds agents everywhere in the world. */
void world_scatter(dunlin_world *world, int species, uint32_t count);

/* All three rules steer; separation has half the radius. */
dunlin_interaction_def world_flocking_rules(float radius);
dunlin_interaction_def world_flocking_between(int observer, int observed, float radius);
int world_add_flocking(dunlin_world *world, int observer, int observed, float radius);

/* A world with one species that flocks by these rules and has no agents yet. */
dunlin_world *world_without_agents(const dunlin_world_def *def, float radius);

/* The same with agents scattered everywhere in it. */
dunlin_world *world_of(const dunlin_world_def *def, float radius, uint32_t agents);

/* An open world with sixteen flocks and no room for more agents. The flocks are further apart than a grid of 2048 to 4095
 * agents differ in. */
enum { WORLD_FLOCKS = 16 };
dunlin_world *world_far_apart(dunlin_world_def def, float radius, uint32_t agents);

/* Adds one agent and returns its id. */
uint32_t world_spawn(dunlin_world *world, int species, const float position[3], const float velocity[3]);

/* Adds obstacles, whose cookies it sets. */
void world_obstruct(dunlin_world *world, const dunlin_obstacle_def *obstacles, uint32_t count);

/* Removes all obstacles. */
void world_clear(dunlin_world *world);

void world_run(dunlin_world *world, int steps);

/* Fails unless both worlds have the same state after so many steps. */
void world_run_alike(dunlin_world *a, dunlin_world *b, int steps);

/* Makes a world that is ready to run. `context` is the test's. */
typedef dunlin_world *world_make_fn(dunlin_world_def def, const void *context);

/* Fails unless the world has one state after these steps, whatever the kernel and the number of threads. Each index has its
 * own. */
void world_expect_one_state(dunlin_world_def def, world_make_fn *make, const void *context, int steps);

/* Whether an axis is periodic. */
bool world_repeats(const dunlin_world_def *def, int axis);

/* The squared distance between two agents, in binary32 as in kernels, so that it decides with the same bits. */
float world_distance2(const dunlin_world_def *def, const dunlin_view *view, uint32_t i, uint32_t j);

#endif
