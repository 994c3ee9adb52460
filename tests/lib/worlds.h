/* SPDX-License-Identifier: MIT */
/* What the tests of the public header share: calls that must work or must be refused, and worlds in few words. */
#ifndef DUNLIN_TESTS_WORLDS_H
#define DUNLIN_TESTS_WORLDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dunlin/dunlin.h>

/* ---- calls that must work, or must be refused -------------------------------------------------------------------------- */

/* Where the calls of a test leave their message; tests with threads of their own have errors of their own. */
extern dunlin_error refusal;

/* Where it is set, it is called when a call has failed for lack of memory, which is then made once more. */
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

/* Fails unless the call is refused with the code and a message in which all of the words stand. */
#define REFUSE(call, code, ...) refuse_at((call), (code), (const char *const[]){__VA_ARGS__, NULL}, #call, __FILE__, __LINE__)

void accept_at(dunlin_result result, const char *call, const char *file, int line);
void refuse_at(dunlin_result result, dunlin_result code, const char *const words[], const char *call, const char *file,
               int line);

/* ---- every way to compute the same ------------------------------------------------------------------------------------- */

enum { WORLD_INDEXES = 3 };
extern const char *const world_indexes[WORLD_INDEXES]; /* "grid", "tree", "brute": each stores agents in an order of its own */

typedef struct world_variant {
    const char *kernel; /* one that runs here */
    const char *index;
} world_variant;

/* Variant v has index v % WORLD_INDEXES; the first is scalar's, by the grid. */

int world_variant_count(void);
world_variant world_variant_at(int position);

/* `def`, computed this way. */
dunlin_world_def world_def_for(dunlin_world_def def, world_variant variant);

/* ---- worlds ------------------------------------------------------------------------------------------------------------ */

dunlin_world *world_create(const dunlin_world_def *def);

/* Steering by all three rules: separation at half the radius. */
dunlin_interaction_def world_flocking_rules(float radius);

/* A world with one species that flocks by these rules and has no agents yet. */
dunlin_world *world_without_agents(const dunlin_world_def *def, float radius);

/* The same with agents scattered everywhere in it. */
dunlin_world *world_of(const dunlin_world_def *def, float radius, uint32_t agents);

/* An open world of sixteen flocks, and no room for more agents: from each, the others are as far away as a grid of 2048 to 4095
 * agents cannot tell. */
enum { WORLD_FLOCKS = 16 };
dunlin_world *world_far_apart(dunlin_world_def def, float radius, uint32_t agents);

/* One agent; its id. */
uint32_t world_spawn(dunlin_world *world, int species, const float position[3], const float velocity[3]);

void world_fly(dunlin_world *world, int steps);

#endif
