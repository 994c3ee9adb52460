/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Dunlin scenarios: a world, its species, interactions and agents, described in a YAML file. docs/scenarios.md lists every
 * field.
 *
 *     dunlin_scenario *scenario = NULL;
 *     dunlin_flight *flight = NULL;
 *     dunlin_error error;
 *     dunlin_result result = dunlin_scenario_open("flock.yaml", NULL, &scenario, &error);
 *     if (result == DUNLIN_OK) result = dunlin_flight_create(scenario, NULL, &flight, &error);
 *     for (int step = 0; step < 100 && result == DUNLIN_OK; step++) result = dunlin_flight_step(flight, &error);
 *     if (result != DUNLIN_OK) puts(error.message);
 *     dunlin_flight_destroy(flight);
 *     dunlin_scenario_close(scenario);
 *
 * A *scenario* is a file that was read and checked. A *flight* is a world that was built from it, with what its schedules,
 * births and models need from step to step. A flight copies what it needs, so the scenario may be closed or changed while it
 * flies.
 *
 * Errors. Every function that can fail returns a dunlin_result and, where `error` is not NULL, fills it with one line that
 * names file, line, field, value and what is allowed. After a failure the result is NULL, or the scenario or flight is as it
 * was.
 *
 * Threads. There are no globals. Different scenarios and flights may be used from different threads at once. One flight belongs
 * to one thread at a time. Functions that take a `const dunlin_scenario *` may run at once with each other.
 *
 * Lifetime. Strings that a function returns live as long as the scenario; unit, default_text and doc of a number live for ever.
 *
 * NULL is allowed where it is said.
 */
#ifndef DUNLIN_SCENARIO_H
#define DUNLIN_SCENARIO_H

#include <dunlin/dunlin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DUNLIN_SCENARIO_MAX_STEPS UINT64_C(1000000000000)

/** A scenario file that was read and checked. */
typedef struct dunlin_scenario dunlin_scenario;

/** A world that was built from a scenario. */
typedef struct dunlin_flight dunlin_flight;

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

/**
 * Finds a file that a scenario names, such as a picture. Returns its bytes, which must stay until the next call or until the
 * function that asked returns, and sets *length; returns NULL where there is no such file. It may run on any thread that builds
 * or steps a flight of the scenario.
 */
typedef const void *dunlin_scenario_read_fn(void *user, const char *name, size_t *length);

/** How to open a scenario. */
typedef struct dunlin_scenario_def {
    int cookie;                    /**< set by dunlin_scenario_def_default() */
    const char *name;              /**< what messages call the file; NULL, the default: its path, or "scenario" */
    const char *folder;            /**< where files that it names are; NULL, the default: the folder of its path or name */
    bool allow_outside;            /**< files may lie outside the folder; default false: in it or below it only */
    dunlin_scenario_read_fn *read; /**< finds the files instead; NULL, the default: they are in the folder */
    void *user;                    /**< handed to `read` */
    uint32_t max_agents;           /**< allowed at the start, and born in one step; default UINT32_MAX */
    uint64_t max_cells;            /**< allowed in all fields together, 8 bytes each, in space 12; default UINT64_MAX */
} dunlin_scenario_def;

DUNLIN_API dunlin_scenario_def dunlin_scenario_def_default(void);

/**
 * Reads and checks a scenario file of up to 1 MiB. `def` may be NULL. Time and memory are bounded whatever the file holds, as
 * SECURITY.md says. What only a world can tell, dunlin_scenario_check() and dunlin_flight_create() find.
 */
DUNLIN_API dunlin_result dunlin_scenario_open(const char *path, const dunlin_scenario_def *def, dunlin_scenario **scenario,
                                              dunlin_error *error);

/** Does the same with a text in memory, which needs no terminator and is copied. */
DUNLIN_API dunlin_result dunlin_scenario_open_text(const char *text, size_t length, const dunlin_scenario_def *def,
                                                   dunlin_scenario **scenario, dunlin_error *error);

/** Frees the scenario; NULL is allowed. */
DUNLIN_API void dunlin_scenario_close(dunlin_scenario *scenario);

/** Finds every mistake that would keep the scenario from being built, without its agents. */
DUNLIN_API dunlin_result dunlin_scenario_check(const dunlin_scenario *scenario, dunlin_error *error);

DUNLIN_API const char *dunlin_scenario_path(const dunlin_scenario *scenario); /**< or the name for messages */
DUNLIN_API const char *dunlin_scenario_stem(const dunlin_scenario *scenario); /**< the path's last part, without `.yaml` */
DUNLIN_API const char *dunlin_scenario_name(const dunlin_scenario *scenario); /**< default: the stem */
DUNLIN_API const char *dunlin_scenario_description(const dunlin_scenario *scenario); /**< default: "" */

/** Steps to run, 0 .. DUNLIN_SCENARIO_MAX_STEPS; default 1000. */
DUNLIN_API uint64_t dunlin_scenario_steps(const dunlin_scenario *scenario);

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

#define DUNLIN_PATH_LENGTH 160 /* bytes of a number's path, the terminator included */

/** A number of the scenario, as the file gives it or leaves it out. */
typedef struct dunlin_number {
    char path[DUNLIN_PATH_LENGTH]; /**< such as `species[0].max_speed` or `world.size[1]` */
    double value;                  /**< from the file, or the default; NAN where there is neither */
    double standard;               /**< the default; NAN where it is not one number: see default_text */
    double low, high;              /**< the range; -INFINITY and INFINITY where there is no limit */
    bool above_low, below_high;    /**< the range does not include low, or high */
    bool whole;                    /**< the number has no fraction; beyond 2^53 `value` is the nearest double */
    bool given;                    /**< the file gives it, or dunlin_scenario_set_number() did */
    bool live;                     /**< it may change in flight: by a schedule, or by dunlin_flight_set_number() */
    const char *unit;              /**< such as "world units"; "" where it has none */
    const char *default_text;      /**< the default in words, such as "the middle of the world"; "" where there is a number */
    const char *doc;               /**< what it is, in a sentence or two */
} dunlin_number;

/** How many numbers there are, in all entries that the file has. A list that the file leaves out has none. */
DUNLIN_API uint32_t dunlin_scenario_number_count(const dunlin_scenario *scenario);

/** The number at 0 <= position < dunlin_scenario_number_count(), the same as long as the scenario is open. */
DUNLIN_API dunlin_number dunlin_scenario_number_at(const dunlin_scenario *scenario, uint32_t position);

/**
 * Finds a number by its path. Entries of a list may be called by their name: `species.starlings.max_speed`. The message says
 * how far a path leads, and what is allowed there. `number` may be NULL.
 */
DUNLIN_API dunlin_result dunlin_scenario_find_number(const dunlin_scenario *scenario, const char *path, dunlin_number *number,
                                                     dunlin_error *error);

/** Sets a number for flights that are created from now on. Whole numbers are rounded. */
DUNLIN_API dunlin_result dunlin_scenario_set_number(dunlin_scenario *scenario, const char *path, double value,
                                                    dunlin_error *error);

/* ---- flying ----------------------------------------------------------------------------------------------------------- */

/** What a caller wants otherwise than the file says, and what a file does not say: it describes a flock, not a machine. */
typedef struct dunlin_flight_def {
    int cookie;             /**< set by dunlin_flight_def_default() */
    const uint64_t *seed;   /**< NULL, the default: the scenario's */
    const uint32_t *agents; /**< of all species, divided in proportion to the scenario's; NULL, the default: the scenario's */
    int threads;            /**< 0 .. 1024; 0, the default: as many as OpenMP would use */
    const char *kernel;     /**< NULL, the default: "auto" */
    const char *index;      /**< NULL, the default: "auto" */
    const char *init;       /**< a state file whose agents replace the scenario's; NULL, the default: none */
    bool reseed;            /**< the state file may have another seed than the world, which keeps its own; default false */
    void (*warn)(void *user, const char *warning); /**< called with one line for each entry of the file that nothing uses;
                                                      NULL, the default: nothing is called */
    void *user;                                    /**< handed to `warn` */
    const char *shown; /**< an attribute that the caller shows, so that it counts as used; NULL, the default: none */
} dunlin_flight_def;

DUNLIN_API dunlin_flight_def dunlin_flight_def_default(void);

/** Builds the scenario's world, with its agents. `def` may be NULL. */
DUNLIN_API dunlin_result dunlin_flight_create(const dunlin_scenario *scenario, const dunlin_flight_def *def,
                                              dunlin_flight **flight, dunlin_error *error);

/** Destroys the flight and its world; NULL is allowed. */
DUNLIN_API void dunlin_flight_destroy(dunlin_flight *flight);

/** The flight's world, to look at, to measure and to save. It lives as long as the flight, which alone may step it. */
DUNLIN_API dunlin_world *dunlin_flight_world(dunlin_flight *flight);

/**
 * Takes one time step: the schedules set their numbers for the steps taken so far, growth adds its agents, and the world steps.
 * What schedules and growth have done stays if the step then fails.
 */
DUNLIN_API dunlin_result dunlin_flight_step(dunlin_flight *flight, dunlin_error *error);

/** Sets a number of this flight alone, from the next step on. A schedule of the same number has the last word. */
DUNLIN_API dunlin_result dunlin_flight_set_number(dunlin_flight *flight, const char *path, double value, dunlin_error *error);

/* ---- the format ------------------------------------------------------------------------------------------------------- */

/**
 * Writes the JSON Schema (draft 2020-12) of scenario files, for editors, as snprintf() does: at most `size` bytes, the
 * terminator included; `text` may be NULL where size is 0. Returns the bytes that all of it has, without the terminator; 0: out
 * of memory.
 */
DUNLIN_API size_t dunlin_scenario_schema(char *text, size_t size);

/**
 * Writes `page` with its tables of fields renewed, likewise. A table stands between the lines `<!-- table NAME -->` and
 * `<!-- end -->`.
 */
DUNLIN_API size_t dunlin_scenario_reference(const char *page, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
