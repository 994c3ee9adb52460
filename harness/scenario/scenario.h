/* SPDX-License-Identifier: MIT */
/* What is behind the handles of <dunlin/scenario.h>. */
#ifndef DUNLIN_HARNESS_SCENARIO_SCENARIO_H
#define DUNLIN_HARNESS_SCENARIO_SCENARIO_H

#include "harness/scenario/tree.h"

#include <dunlin/scenario.h>

struct dunlin_scenario {
    char *stem; /* the path's last part, without its ending */
    char *folder;
    dunlin_scenario_def def; /* its name and folder are the caller's */
    tree file;
    uint32_t *numbers; /* their slots */
    uint32_t number_count;
};

/* A number of the file that follows from the steps taken, or that the caller has set. */
typedef struct scheduled {
    const slot *schedule; /* in the file */
    uint32_t number;      /* the slot that changes */
    slot original;        /* as the file has it */
    curve curve;
    int kind;          /* CURVE_CONSTANT, … */
    const slot *entry; /* the entry of a list, or the world, that is put into the world again */
    bool leads;        /* the first schedule of its entry */
} scheduled;

struct dunlin_simulation {
    tree file; /* a copy, whose numbers change with the steps */
    dunlin_world *world;
    dunlin_simulation_def def;  /* while it is built */
    dunlin_transport transport; /* of one rank alone, if the caller has given none */
    dunlin_scenario_def files;
    char *folder;
    metabolism *metabolisms; /* one per entry of `lives` */
    model *models;           /* one per entry of `models` */
    int *first_behaviour;    /* of each entry of `behaviours`, the number of its first behaviour in the world; and one after */
    scheduled *schedules;
    uint32_t schedule_count;
    double max_births;    /* of all growth in a step */
    dunlin_error *error;  /* of the present call */
    findings *all;        /* where all mistakes go; NULL: the first one ends it */
    const char *user;     /* the public function that uses it now, and may call the caller's; NULL: none */
    _Atomic bool misused; /* a callback has tried to destroy it */
};

/* Whether an argument of the caller's is there; if not, `error` names it. */
bool dun_is_given(const void *argument, const char *name, dunlin_error *error);

/* Whether no function uses the simulation, which `user` does from now on: until dun_simulation_leave(). If not, `error` says
 * so. */
bool dun_simulation_enter(const dunlin_simulation *simulation, const char *user, dunlin_error *error);
void dun_simulation_leave(dunlin_simulation *const *simulation);

/* The rest of a function that uses a simulation. It is left even if an exception leaves a callback. */
#define DUN_USE_SIMULATION(simulation, error)                                                                                  \
    if (!dun_simulation_enter(simulation, __func__, error)) return (error)->code;                                              \
    __attribute__((cleanup(dun_simulation_leave), unused)) dunlin_simulation *const used_ =                                    \
        (dunlin_simulation *)(uintptr_t)(simulation)

/* Builds the world without agents as far as it can be built, and reports what keeps it from more, and what is unused. */
void dun_check_all(const dunlin_scenario *scenario, findings *all);

/* ---- simulation.c ---------------------------------------------------------------------------------------------------------
 */

/* The caller's transport, or one of one rank alone. `def` may be NULL. */
dunlin_transport dun_transport_of(const dunlin_simulation_def *def);

/* A simulation that has no world yet. `def` may be NULL: the defaults. NULL: `error` says why. */
dunlin_simulation *dun_simulation_allocate(const dunlin_scenario *scenario, const dunlin_simulation_def *def,
                                           dunlin_error *error);

/* Opens a scenario as dunlin_scenario_open_text() does, without a limit of its length. */
dunlin_result dun_scenario_open(const char *text, size_t length, const dunlin_scenario_def *def, dunlin_scenario **scenario,
                                dunlin_error *error);

/* Finds the numbers that the schedules change. */
bool dun_schedules_read(dunlin_simulation *simulation);

/* Sets the numbers as they were in the last step. */
bool dun_schedules_repeat(dunlin_simulation *simulation);

/* Sets the numbers for the steps that the world has taken, and puts what has changed into the world. */
bool dun_schedules_apply(dunlin_simulation *simulation);

/* Whether a schedule changes a number in this list of numbers. */
bool dun_schedules_change(const dunlin_simulation *simulation, const slot *list);

#endif
