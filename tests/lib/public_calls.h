/* SPDX-License-Identifier: MIT */
/*
 * Every function of the public headers, but those for MPI, with arguments that it accepts: for what holds for all of them. The
 * calls are made of the headers by tests/headers/list_calls.sh, so that a new function takes part at once.
 */
#ifndef DUNLIN_TESTS_PUBLIC_CALLS_H
#define DUNLIN_TESTS_PUBLIC_CALLS_H

#include <dunlin/scenario.h>

enum { CALL_PARAMETERS = 8 };

typedef struct public_call {
    const struct public_function *function;
    unsigned null;   /* a bit for each parameter that is NULL */
    const char *odd; /* the int of this name is `odd_number`; NULL: none is */
    int odd_number;
    bool without_cookie; /* no definition has one */
    int float_mode;      /* of the thread that makes the call */
    bool mode_kept;      /* afterwards: the call has left it alone */
    int set, made;       /* afterwards: pointers to new things that it has set, and those that are not NULL */
    dunlin_result result;
    double number;    /* that the function returns; 0: it returns none */
    uint64_t whole;   /* likewise */
    uint64_t outcome; /* what came of the call, as one number: results, and the states of worlds and scenarios */
    dunlin_error error;
} public_call;

typedef struct public_function {
    const char *name;
    void (*call)(public_call *c);
    bool fails; /* it returns a dunlin_result */
    int world;  /* it takes a world: 1 to read, 2 to change it, too; 0: it takes none */
    int parameters;
    const char *parameter[CALL_PARAMETERS];
    bool is_pointer[CALL_PARAMETERS];
} public_function;

extern const public_function public_functions[];
extern const int public_function_count;

/* The objects that calls are about. The world has a bit of everything, and a callback of each kind. */
typedef struct call_things {
    dunlin_world *world;
    dunlin_survey *survey;
    dunlin_displacement *displacement;
    dunlin_hold *hold;
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    const dunlin_tile *tile; /* in a callback of the world's; otherwise NULL */
} call_things;

extern call_things things;

/* What the world's callbacks do besides; NULL: nothing. `kind`: which callback it is. */
typedef enum callback_kind {
    CALLBACK_TILE,
    CALLBACK_GROUP,
    CALLBACK_RUN,
    CALLBACK_WRITE,
    CALLBACK_READ,
    CALLBACK_KINDS
} callback_kind;
extern void (*in_callback)(callback_kind kind);

/* Makes all things again, the world with this executor: "custom" is one of the test's own. */
void things_make(const char *executor, int threads);
void things_free(void);

/* Makes the call with fresh arguments. dunlin_tile_…() are called in a callback. */
void call_make(public_call *c);

/* Makes the call in a callback of things. */
void call_within(public_call *c);

/* The number of the function's parameter of this name; -1: it has none. */
int parameter_of(const public_function *function, const char *name);

bool is_called(const public_function *function, const char *name);

#endif
