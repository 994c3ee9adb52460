/* SPDX-License-Identifier: MIT */
/*
 * A simulation: bytes, read as a program of calls of the public header, and worlds that all run it side by side, each with its
 * own kernel and number of threads. After every call the worlds must agree on its result and its message, after every step on
 * the state's hash; no agent may be anything but finite; and a refused call leaves the state as it was. A difference is printed
 * and ends the process by abort(), which is what a fuzzer calls a finding. SIMULATION_TRACE=1 prints every call and its answer.
 *
 * The program has a head (the world's definition), definitions up to a byte that ends them, and actions. A fresh world that
 * runs head and definitions once more is equal to what these worlds were, so a saved state can be loaded into it and must
 * continue as they do.
 *
 *     bytes.h      bytes -> choices and numbers
 *     define.c     species, interactions, fields, …: added, and changed later
 *     behave.c     behaviours
 *     change.c     things removed, agents written, the clock
 *     callbacks.c  callbacks that behaviours call
 *     act.c        spawn, despawn, step, save, load, …
 */
#ifndef DUNLIN_FUZZ_SIMULATION_H
#define DUNLIN_FUZZ_SIMULATION_H

#include <dunlin/cluster.h>

#include "tests/fuzz/bytes.h"

enum { SIMULATION_WORLDS = 8, SIMULATION_PLANS = 32, SIMULATION_BYTES = 900 };

typedef struct simulation_variant {
    const char *kernel; /* one that runs here */
    int threads;
    const dunlin_transport *transport; /* the world is a part of a flock; NULL: it holds the whole flock */
    uint64_t cut_seed;                 /* of a part: its slabs are cut at random in every step; 0: by work */
    int float_mode;                    /* of the thread that makes the world's calls: see tests/lib/float_modes.h */
} simulation_variant;

/* Limits at which a simulation ends even if more bytes follow: a fuzzer looks for faults, not for slow programs. */
typedef struct simulation_limits {
    uint32_t agents; /* of all species */
    uint32_t start;  /* agents that are there before the first action, or 0 */
    uint32_t scale;  /* this many times as many agents arrive at once */
    uint32_t steps, calls;
    uint64_t work; /* pairs tested, or as much other work */
} simulation_limits;

typedef struct simulation_result {
    uint64_t digest; /* of the hashes after each step */
    uint64_t steps, agent_steps;
} simulation_result;

/* scalar on 1, 2 and 3 threads, and every other kernel that runs here on one of these, by `turn`; how many. */
int simulation_every_variant(simulation_variant variants[SIMULATION_WORLDS], unsigned turn);

/* Random bytes for a simulation, which depend on seed and number alone; how many. */
size_t simulation_draw_bytes(uint64_t seed, uint64_t number, uint8_t bytes[SIMULATION_BYTES]);

/* Runs `count` worlds, 1 .. SIMULATION_WORLDS. Aborts where one disagrees with the first. */
simulation_result simulation_advance(const uint8_t *data, size_t size, const simulation_variant *variants, int count,
                                     const simulation_limits *limits);

/* ---- for the files above ----------------------------------------------------------------------------------------------- */

/*
 * A callback's effect on an agent depends on these, the agent and the step alone. They never change once a callback has them.
 */
typedef struct simulation_plan {
    uint64_t seed;
    float force, dies, bears; /* the last two are shares of the agents */
    int child;                /* species */
    unsigned brings;          /* which attributes */
    float radius;             /* PAIRS */
} simulation_plan;

typedef struct simulation {
    fuzz_bytes bytes;
    const simulation_limits *limits;
    const uint8_t *data, *end;
    const simulation_variant *variants;
    dunlin_world *world[SIMULATION_WORLDS]; /* world[0] is the reference */
    int count;
    bool parted;           /* a world is a part: it has bounds and a grid */
    simulation_plan *plan; /* [SIMULATION_PLANS] */
    int plans;
    bool redefined; /* changed since the definitions: a fresh world is no longer equal */
    uint64_t hash, work;
    uint32_t calls;
    simulation_result so_far;

    /* the call that is being made: what the first world answered */
    dunlin_result result;
    dunlin_error error;
} simulation;

/* Makes the call for every world, as `world`, with an `error`; simulation->result is what all of them answered. */
#define AGREE(simulation, call)                                                                                                \
    for (int agree_ = 0; agree_ < (simulation)->count; agree_++) {                                                             \
        dunlin_world *const world = (simulation)->world[agree_];                                                               \
        dunlin_error error = {0};                                                                                              \
        simulation_enter((simulation), agree_);                                                                                \
        const dunlin_result answer_ = (call);                                                                                  \
        simulation_leave((simulation), agree_);                                                                                \
        simulation_note((simulation), agree_, answer_, &error, #call);                                                         \
    }
void simulation_enter(const simulation *f, int position); /* sets the host's floating-point mode */
void simulation_leave(const simulation *f, int position); /* checks it, and sets the usual one again */
void simulation_note(simulation *f, int position, dunlin_result result, const dunlin_error *error, const char *call);

/* The same for calls that need the whole flock: a part's is on rank 0 meanwhile, which makes the call. */
#define AGREE_WHOLE(simulation, call)                                                                                          \
    for (int agree_ = 0; agree_ < (simulation)->count; agree_++) {                                                             \
        dunlin_world *const world = (simulation)->world[agree_];                                                               \
        dunlin_error error = {0};                                                                                              \
        simulation_gather((simulation), agree_);                                                                               \
        if (simulation_holds_whole((simulation), agree_)) {                                                                    \
            simulation_enter((simulation), agree_);                                                                            \
            const dunlin_result answer_ = (call);                                                                              \
            simulation_leave((simulation), agree_);                                                                            \
            simulation_note((simulation), agree_, answer_, &error, #call);                                                     \
        }                                                                                                                      \
        simulation_share((simulation), agree_);                                                                                \
    }
void simulation_gather(const simulation *f, int position);
void simulation_share(const simulation *f, int position);

/* Whether this thread can make such calls for the world. */
bool simulation_holds_whole(const simulation *f, int position);

/* Exactly this many words, so that a sanitizer notices reads beyond them. The caller frees them. */
void *simulation_array(uint32_t words);

/* Prints what differs, where, and aborts. */
_Noreturn void simulation_fail(const simulation *f, int position, const char *what);

/* Head and definitions, from the first byte on; false: the world was refused. */
bool simulation_begin(simulation *f);
void simulation_end(simulation *f);

/* Bounds, for parts, which do not run in open worlds. */
void simulation_bound(const simulation *f, dunlin_world_def *def);

/* Computes the hashes again after a change, or where there must be none, and compares them. */
void simulation_compare(simulation *f);

bool simulation_define(simulation *f);   /* adds one thing; false: these were all */
void simulation_redefine(simulation *f); /* changes one thing */

/* The number of a species' attribute of this role, which is added, with groups, where there is none; -1: it is refused. */
int simulation_give_role(simulation *f, int species, dunlin_role role);

/* The number of a field, mostly of one with a trace; what there is not is added. */
int simulation_give_field(simulation *f);
void simulation_edit_world(simulation *f, dunlin_world_def *def);
void simulation_add_behaviour(simulation *f);
void simulation_set_behaviour(simulation *f);
void simulation_remove(simulation *f); /* removes one thing, or is refused */
void simulation_write(simulation *f);  /* writes agents */
void simulation_set_clock(simulation *f);
void simulation_fill_vector(fuzz_bytes *bytes, float vector[3], float low, float high);

/* A field of a definition, and which values it mostly gets: FIELD(species_def, NUMBER, drag, 0, 1). */
typedef struct fuzz_field {
    size_t offset;
    enum { FUZZ_NUMBER, FUZZ_VECTOR, FUZZ_INT, FUZZ_ENUM, FUZZ_FLAG, FUZZ_WORD, FUZZ_SPECIES } kind;
    float low, high; /* an ENUM has `high` values */
} fuzz_field;

#define FIELD(type, kind, field, low, high)                                                                                    \
    { offsetof(dunlin_##type, field), FUZZ_##kind, low, high }

/* Makes one of so many choices and returns it: the first are another value of each of the fields, the others the caller's. */
#define EDIT(simulation, def, fields, choices)                                                                                 \
    simulation_edit(simulation, def, fields, sizeof(fields) / sizeof *(fields), choices)
unsigned simulation_edit(simulation *f, void *def, const fuzz_field *fields, size_t count, unsigned choices);
int simulation_any_species(simulation *f);

/* A callback's plan; NULL: there are no more. */
simulation_plan *simulation_make_plan(simulation *f);
void simulation_tile(void *user, const dunlin_tile *tile);
void simulation_group(void *user, const dunlin_packet *group);

/* The agents that are there from the start. */
void simulation_populate(simulation *f);

/* One action; false: the program is at its end, or beyond its limits. */
bool simulation_act(simulation *f);

#endif
