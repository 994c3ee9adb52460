/* SPDX-License-Identifier: MIT */
/*
 * Scenarios: a world, its species, interactions and agents, written down in a YAML file. docs/scenarios.md lists every field.
 * The program, the tests and the benchmarks all start from here.
 *
 *     scenario *flock = NULL;
 *     dunlin_world *world = NULL;
 *     dunlin_error error;
 *     if (scenario_load("flock.yaml", &flock, &error) != DUNLIN_OK ||
 *         scenario_build(flock, NULL, &world, &error) != DUNLIN_OK)
 *         puts(error.message);
 *     for (int step = 0; step < 100; step++) scenario_step(flock, world, &error);
 *     scenario_free(flock);
 *
 * Errors are the engine's: a code, and one line that names file, line, field, value and what is allowed.
 */
#ifndef DUNLIN_HARNESS_SCENARIO_H
#define DUNLIN_HARNESS_SCENARIO_H

#include <dunlin/dunlin.h>

#define SCENARIO_MAX_STEPS UINT64_C(1000000000000)

typedef struct scenario scenario;

/*
 * Reads and checks a scenario file of up to 1 MiB. On failure *loaded is NULL. Values out of range are found by
 * scenario_build(). Time and memory are bounded whatever the file holds: SECURITY.md says by what.
 */
dunlin_result scenario_load(const char *path, scenario **loaded, dunlin_error *error);

/* The same from memory. `text` needs no terminator, and is not needed afterwards; `path`, a file that need not be there, is for
 * messages, and files that the text names are found from its folder. */
dunlin_result scenario_parse(const char *path, const char *text, size_t length, scenario **loaded, dunlin_error *error);

/* NULL is fine. */
void scenario_free(scenario *script);

/* What the file says; strings live as long as the scenario. */
const char *scenario_path(const scenario *script);
const char *scenario_stem(const scenario *script);        /* the file's name without folder and ending */
const char *scenario_name(const scenario *script);        /* default: the file's name without folder and ending */
const char *scenario_description(const scenario *script); /* default: "" */
uint64_t scenario_steps(const scenario *script);          /* steps to run, 0 .. SCENARIO_MAX_STEPS; default 1000 */

/* What a caller may want otherwise than the file says, and what a file does not say: it describes a flock, not a machine. */
typedef struct scenario_options {
    const uint64_t *seed;   /* NULL: the scenario's */
    const uint32_t *agents; /* of all species together, shared out in proportion to the scenario's; NULL: the scenario's */
    int threads;            /* 0 .. 1024, 0: as many as OpenMP would use */
    const char *kernel;     /* NULL: "auto" */
    const char *index;      /* NULL: "auto" */
    const char *init;       /* a state file whose agents replace the scenario's; NULL: none */
    bool reseed;            /* it may have been flown with another seed than the world's, which goes on with its own */

    /* For files of others. */
    bool allow_outside;         /* fields may come from files outside the scenario's folder; false: from it or below alone */
    const uint32_t *max_agents; /* at the start, and born in a step by growth; NULL: as many as there are ids */
    const uint64_t *max_cells;  /* of all fields together, 8 bytes each, in space 12; NULL: as many as fields may have */

    /* Called for each thing that the file has and nothing uses, with one line, "flock.yaml:7: fields[1]: …"; NULL: not wanted
     */
    void (*warn)(void *user, const char *warning);
    void *warn_user;
    const char *shown; /* an attribute that the caller shows, so that it is of use; NULL: none */
} scenario_options;

/* All as the scenario says. */
scenario_options scenario_options_default(void);

/* Makes the scenario's world, with its agents; destroy it with dunlin_world_destroy(), before the scenario is freed if it is to
 * step again. `options` may be NULL. One scenario may make several worlds, but build and step of it are for one thread at a
 * time, for schedules change its numbers. */
dunlin_result scenario_build(const scenario *script, const scenario_options *options, dunlin_world **world,
                             dunlin_error *error);

/* One time step of a world of this scenario, after its schedules have set what they set for the steps taken so far, and growth
 * has added its agents. These stay if the step then fails. */
dunlin_result scenario_step(const scenario *script, dunlin_world *world, dunlin_error *error);

#endif
