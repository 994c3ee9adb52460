/* SPDX-License-Identifier: MIT */
/*
 * A flight: bytes, read as a program of calls of the public header, and worlds that all run it side by side, each with its own
 * kernel and number of threads. After every call the worlds must agree on its result and its message, after every step on the
 * state's hash; no agent may be anything but finite; and a refused call leaves the state as it was. A difference is printed
 * and ends the process by abort(), which is what a fuzzer calls a finding. FLIGHT_TRACE=1 prints every call and its answer.
 *
 * The program has a head (the world's definition), definitions up to a byte that ends them, and actions. A fresh world that
 * runs head and definitions once more is equal to what these worlds were, so a saved state can be loaded into it and must
 * go on as they do.
 *
 *     bytes.h      bytes -> choices and numbers
 *     define.c     species, interactions, fields, …: added, and changed later
 *     behave.c     behaviours
 *     change.c     things removed, agents written, the clock
 *     callbacks.c  callbacks that behaviours call
 *     act.c        spawn, despawn, step, save, load, …
 */
#ifndef DUNLIN_FUZZ_FLIGHT_H
#define DUNLIN_FUZZ_FLIGHT_H

#include <dunlin/cluster.h>

#include "tests/fuzz/bytes.h"

enum { FLIGHT_WORLDS = 8, FLIGHT_PLANS = 32, FLIGHT_BYTES = 900 };

typedef struct flight_variant {
    const char *kernel; /* one that runs here */
    int threads;
    const dunlin_transport *transport; /* the world is a part of a flock; NULL: it holds the whole flock */
    uint64_t cut_seed;                 /* of a part: its slabs are cut at random in every step; 0: by work */
    int float_mode;                    /* of the thread that makes the world's calls: see tests/lib/float_modes.h */
} flight_variant;

/* Limits at which a flight ends even if its bytes go on: a fuzzer looks for faults, not for slow programs. */
typedef struct flight_limits {
    uint32_t agents; /* of all species */
    uint32_t start;  /* agents that are there before the first action, or 0 */
    uint32_t scale;  /* this many times as many agents arrive at once */
    uint32_t steps, calls;
    uint64_t work; /* pairs tested, or as much other work */
} flight_limits;

typedef struct flight_result {
    uint64_t digest; /* of the hashes after each step */
    uint64_t steps, agent_steps;
} flight_result;

/* scalar on 1, 2 and 3 threads, and every other kernel that runs here on one of these, by `turn`; how many. */
int flight_every_variant(flight_variant variants[FLIGHT_WORLDS], unsigned turn);

/* Random bytes for a flight, which depend on seed and number alone; how many. */
size_t flight_draw_bytes(uint64_t seed, uint64_t number, uint8_t bytes[FLIGHT_BYTES]);

/* Flies `count` worlds, 1 .. FLIGHT_WORLDS. Aborts where one disagrees with the first. */
flight_result flight_fly(const uint8_t *data, size_t size, const flight_variant *variants, int count,
                         const flight_limits *limits);

/* ---- for the files above ----------------------------------------------------------------------------------------------- */

/*
 * A callback's effect on an agent depends on these, the agent and the step alone. They never change once a callback has them.
 */
typedef struct flight_plan {
    uint64_t seed;
    float force, dies, bears; /* the last two are shares of the agents */
    int child;                /* species */
    unsigned brings;          /* which attributes */
    float radius;             /* PAIRS */
} flight_plan;

typedef struct flight {
    fuzz_bytes bytes;
    const flight_limits *limits;
    const uint8_t *data, *end;
    const flight_variant *variants;
    dunlin_world *world[FLIGHT_WORLDS]; /* world[0] is the reference */
    int count;
    bool parted;       /* a world is a part: it has bounds and a grid */
    flight_plan *plan; /* [FLIGHT_PLANS] */
    int plans;
    bool redefined; /* changed since the definitions: a fresh world is no longer equal */
    uint64_t hash, work;
    uint32_t calls;
    flight_result so_far;

    /* the call that is being made: what the first world answered */
    dunlin_result result;
    dunlin_error error;
} flight;

/* Makes the call for every world, as `world`, with an `error`; flight->result is what all of them answered. */
#define AGREE(flight, call)                                                                                                    \
    for (int agree_ = 0; agree_ < (flight)->count; agree_++) {                                                                 \
        dunlin_world *const world = (flight)->world[agree_];                                                                   \
        dunlin_error error = {0};                                                                                              \
        flight_enter((flight), agree_);                                                                                        \
        const dunlin_result answer_ = (call);                                                                                  \
        flight_leave((flight), agree_);                                                                                        \
        flight_note((flight), agree_, answer_, &error, #call);                                                                 \
    }
void flight_enter(const flight *f, int position); /* sets the host's floating-point mode */
void flight_leave(const flight *f, int position); /* checks it, and sets the usual one again */
void flight_note(flight *f, int position, dunlin_result result, const dunlin_error *error, const char *call);

/* The same for calls that need the whole flock: a part's is on rank 0 meanwhile, which makes the call. */
#define AGREE_WHOLE(flight, call)                                                                                              \
    for (int agree_ = 0; agree_ < (flight)->count; agree_++) {                                                                 \
        dunlin_world *const world = (flight)->world[agree_];                                                                   \
        dunlin_error error = {0};                                                                                              \
        flight_gather((flight), agree_);                                                                                       \
        if (flight_holds_whole((flight), agree_)) {                                                                            \
            flight_enter((flight), agree_);                                                                                    \
            const dunlin_result answer_ = (call);                                                                              \
            flight_leave((flight), agree_);                                                                                    \
            flight_note((flight), agree_, answer_, &error, #call);                                                             \
        }                                                                                                                      \
        flight_share((flight), agree_);                                                                                        \
    }
void flight_gather(const flight *f, int position);
void flight_share(const flight *f, int position);

/* Whether this thread can make such calls for the world. */
bool flight_holds_whole(const flight *f, int position);

/* Exactly this many words, so that a sanitizer notices reads beyond them. The caller frees them. */
void *flight_array(uint32_t words);

/* Prints what differs, where, and aborts. */
_Noreturn void flight_fail(const flight *f, int position, const char *what);

/* Head and definitions, from the first byte on; false: the world was refused. */
bool flight_begin(flight *f);
void flight_end(flight *f);

/* Bounds, for parts, which do not fly in open worlds. */
void flight_bound(const flight *f, dunlin_world_def *def);

/* Computes the hashes again after a change, or where there must be none, and compares them. */
void flight_compare(flight *f);

bool flight_define(flight *f);   /* adds one thing; false: these were all */
void flight_redefine(flight *f); /* changes one thing */

/* The number of a species' attribute of this role, which is added, with groups, where there is none; -1: it is refused. */
int flight_give_role(flight *f, int species, dunlin_role role);

/* The number of a field, mostly of one with a trace; what there is not is added. */
int flight_give_field(flight *f);
void flight_edit_world(flight *f, dunlin_world_def *def);
void flight_add_behaviour(flight *f);
void flight_set_behaviour(flight *f);
void flight_remove(flight *f); /* removes one thing, or is refused */
void flight_write(flight *f);  /* writes agents */
void flight_set_clock(flight *f);
void flight_fill_vector(fuzz_bytes *bytes, float vector[3], float low, float high);

/* A callback's plan; NULL: there are no more. */
flight_plan *flight_make_plan(flight *f);
void flight_tile(void *user, const dunlin_tile *tile);
void flight_group(void *user, const dunlin_group_view *group);

/* The agents that are there from the start. */
void flight_populate(flight *f);

/* One action; false: the program is at its end, or beyond its limits. */
bool flight_act(flight *f);

#endif
