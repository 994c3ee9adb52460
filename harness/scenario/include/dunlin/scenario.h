/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Dunlin scenarios: a world, its species, interactions and agents, described in a YAML file. docs/scenarios.md lists every
 * field.
 *
 *     dunlin_scenario *scenario = NULL;
 *     dunlin_simulation *simulation = NULL;
 *     dunlin_error error;
 *     dunlin_result result = dunlin_scenario_open("flock.yaml", NULL, &scenario, &error);
 *     if (result == DUNLIN_OK) result = dunlin_simulation_create(scenario, NULL, &simulation, &error);
 *     for (int step = 0; step < 100 && result == DUNLIN_OK; step++) result = dunlin_simulation_step(simulation, &error);
 *     if (result != DUNLIN_OK) puts(error.message);
 *     dunlin_simulation_destroy(simulation);
 *     dunlin_scenario_close(scenario);
 *
 * A *scenario* is a file that has been read and checked. A *simulation* is a world built from a scenario, with what its
 * schedules, births and models need from step to step. A simulation copies what it needs, so the scenario may be changed or
 * closed while the simulation goes on.
 *
 * **Errors.** Every function that can fail returns a dunlin_result. If `error` is not NULL, the function fills it with one line
 * that names the file, line, field, value and what is allowed, as far as the mistake has them. After a failure a new scenario
 * or simulation is NULL, and an existing one is as it was, unless the function says otherwise. After a success `error` holds
 * nothing of use.
 *
 * **Threads.** The library has no global state, so different threads may use different scenarios and simulations at the same
 * time. Only one thread may use a simulation at a time. The same holds for a scenario, except that functions that take a `const
 * dunlin_scenario *` may run at the same time as each other.
 *
 * **Locale.** Numbers in files, checkpoints and messages have a decimal point, whatever the host's locale is. Callbacks are
 * called in the host's locale.
 *
 * **Lifetime.** Strings that a function returns are valid until dunlin_scenario_set() or the scenario is closed. `unit`,
 * `default_text` and `doc` of a number have static storage.
 *
 * **NULL** is allowed only where this header says so, and for `error`. Functions that return a dunlin_result report any other
 * NULL as DUNLIN_ERROR_VALUE; those that return something else need a scenario or simulation that is not NULL.
 *
 * **Callbacks** must not use the simulation that they are called for: dunlin_simulation_step(), dunlin_simulation_set_number()
 * and dunlin_simulation_save_to() fail in them; dunlin_simulation_destroy() does nothing, and the step, or the next one, fails.
 * They must not change or close the scenario either.
 *
 * What dunlin.h says about callbacks, the floating-point mode and the ABI holds here, too.
 */
#ifndef DUNLIN_SCENARIO_H
#define DUNLIN_SCENARIO_H

#include <dunlin/cluster.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The maximum number of steps that a scenario may ask for. */
#define DUNLIN_SCENARIO_MAX_STEPS UINT64_C(1000000000000)

/** A scenario file that has been read and checked. Only the library looks inside. */
typedef struct dunlin_scenario dunlin_scenario;

/** A world built from a scenario. Only the library looks inside. */
typedef struct dunlin_simulation dunlin_simulation;

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

/**
 * Reads a file that a scenario names, such as a picture. It returns the file's bytes and sets *length, or returns NULL if there
 * is no such file. `user` is dunlin_scenario_def.user, and `name` is the file's name as it stands in the scenario. The library
 * copies the bytes; they must stay valid until the next call, or until the library's function that made the call returns. The
 * call comes from a thread that checks a scenario, or that builds or steps one of its simulations.
 */
typedef const void *dunlin_scenario_read_fn(void *user, const char *name, size_t *length);

/** What is wrong with a scenario, or what it has and nothing uses. */
typedef struct dunlin_scenario_finding {
    bool is_mistake;     /**< The scenario cannot run. Otherwise it can, but was hardly meant so. */
    uint32_t line;       /**< From 1; 0: it has none. */
    const char *message; /**< One line, which begins with the file's name and the line. It is valid during the call only. */
} dunlin_scenario_finding;

/** Is told of a finding. `user` is dunlin_scenario_def.report_user. */
typedef void dunlin_scenario_report_fn(void *user, const dunlin_scenario_finding *finding);

/** How to open a scenario. */
typedef struct dunlin_scenario_def {
    int cookie; /**< Set by dunlin_scenario_def_default(). */
    /** The file's name in messages; copied. NULL, the default: its path, or "scenario" for a text. */
    const char *name;
    /** The folder that holds the files that the scenario names; copied. NULL, the default: the folder of its path or name. */
    const char *folder;
    bool allow_outside; /**< Files may lie outside the folder. Default false: only in it or below it. */
    /** Reads the files instead of the library; NULL, the default: the library reads them from the folder. */
    dunlin_scenario_read_fn *read;
    /** The first argument of `read`; default NULL. What it points to must outlive the scenario and its simulations. */
    void *user;
    /** The maximum number of agents that the scenario may place at the start, and that `growth` may add in one step; default
     * UINT32_MAX. Agents of state files and children of `lives` do not count. */
    uint32_t max_agents;
    /** The maximum number of cells in all fields together, which take 8 bytes each in 2D and 12 in 3D; default UINT64_MAX. */
    uint64_t max_cells;
    /**
     * Is told of all mistakes and all that is unused, in the order in which they are found; NULL, the default: nobody is. With
     * it opening a scenario also builds its world, as dunlin_scenario_check() does, and fails after all mistakes, with the
     * first one as its error. It need not be told of mistakes that keep the text from being read at all, which are the error
     * alone.
     */
    dunlin_scenario_report_fn *report;
    void *report_user; /**< The first argument of `report`; default NULL. */
} dunlin_scenario_def;

/** The defaults. */
DUNLIN_API dunlin_scenario_def dunlin_scenario_def_default(void);

/**
 * Reads and checks a scenario file of up to 1 MiB into *scenario; dunlin_scenario_close() frees it. `def` may be NULL: the
 * defaults. Time and memory have limits whatever the file holds: see SECURITY.md. Mistakes that show only when a world is built
 * are found by dunlin_scenario_check() and dunlin_simulation_create().
 */
DUNLIN_API dunlin_result dunlin_scenario_open(const char *path, const dunlin_scenario_def *def, dunlin_scenario **scenario,
                                              dunlin_error *error);

/** Does the same for the text of a scenario in memory, text[length]. It needs no terminator and is copied; it may be NULL if
 * `length` is 0. */
DUNLIN_API dunlin_result dunlin_scenario_open_text(const char *text, size_t length, const dunlin_scenario_def *def,
                                                   dunlin_scenario **scenario, dunlin_error *error);

/** Frees the scenario and its strings. Its simulations go on. NULL is allowed. */
DUNLIN_API void dunlin_scenario_close(dunlin_scenario *scenario);

/** Builds the scenario's world without agents, and destroys it again: whatever keeps it from being built is an error. What
 * depends on the agents, such as the memory for them, is not tested. */
DUNLIN_API dunlin_result dunlin_scenario_check(const dunlin_scenario *scenario, dunlin_error *error);

/** The path of the file, or dunlin_scenario_def.name if that was given. */
DUNLIN_API const char *dunlin_scenario_path(const dunlin_scenario *scenario);

/** The last part of the path, without its ending, such as `.yaml`. */
DUNLIN_API const char *dunlin_scenario_stem(const dunlin_scenario *scenario);

/** The name of a file that the scenario reads, such as a picture of a field, as it stands there: from the scenario's folder on,
 * unless it begins with `/`. `position` counts from 0; NULL: there are no more. */
DUNLIN_API const char *dunlin_scenario_file_at(const dunlin_scenario *scenario, uint32_t position);

/** The name that the file gives; default: the stem. */
DUNLIN_API const char *dunlin_scenario_name(const dunlin_scenario *scenario);

/** The description that the file gives; default: "". */
DUNLIN_API const char *dunlin_scenario_description(const dunlin_scenario *scenario);

/** The number of steps that the file asks for, 0 .. DUNLIN_SCENARIO_MAX_STEPS; default 1000. The caller counts them. */
DUNLIN_API uint64_t dunlin_scenario_steps(const dunlin_scenario *scenario);

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

#define DUNLIN_SCENARIO_PATH_LENGTH 160 /**< Bytes of a number's path, including the terminator. */

/** A number of the scenario, whether or not the file gives it. */
typedef struct dunlin_scenario_number {
    char path[DUNLIN_SCENARIO_PATH_LENGTH]; /**< Such as `species[0].max_speed` or `world.size[1]`. */
    double value;                           /**< The value in the file, or the default; NaN if there is neither. In `unit`. */
    double standard;                        /**< The default; NaN if it is not a single number: see default_text. */
    double min;                             /**< The minimum. */
    double max;                             /**< The maximum. */
    bool above_min;                         /**< The number must be above `min`, not equal to it. */
    bool below_max;                         /**< The number must be below `max`, not equal to it. */
    bool whole;                             /**< The number is an integer; beyond 2^53 `value` is the nearest double. */
    bool given;                             /**< The file gives it, or the caller has set it. */
    /** Schedules and dunlin_simulation_set_number() may change it in simulation, unless it belongs to a field that is read from
     * a file. */
    bool live;
    const char *unit;         /**< Such as "world units"; "" if it has none. */
    const char *default_text; /**< The default in words, such as "the middle of the world"; "" if there are no words for it. */
    const char *doc;          /**< What the number means, in a sentence or two. */
} dunlin_scenario_number;

/** How many numbers the scenario has, in all entries that the file has. A list that the file leaves out has none. */
DUNLIN_API uint32_t dunlin_scenario_number_count(const dunlin_scenario *scenario);

/** The number at a position, 0 .. dunlin_scenario_number_count() - 1, which it keeps until dunlin_scenario_set(). For any
 * other position all fields are 0 or NULL, so the path is "". */
DUNLIN_API dunlin_scenario_number dunlin_scenario_number_at(const dunlin_scenario *scenario, uint32_t position);

/**
 * Finds a number by its path, and fills *number; `number` may be NULL. A path may name an entry of a list instead of counting:
 * `species.starlings.max_speed`. The message of a failure says how far the path leads, and what is allowed there.
 */
DUNLIN_API dunlin_result dunlin_scenario_find_number(const dunlin_scenario *scenario, const char *path,
                                                     dunlin_scenario_number *number, dunlin_error *error);

/** Sets a number for simulations that are created from now on. `path` is as in dunlin_scenario_find_number(), and `value` is in
 * the number's unit and range; a value for a whole number is rounded to the nearest. A number that cannot stand in a file
 * beside another one that is given, such as `seek.agent` beside `seek.nearest`, is an error. */
DUNLIN_API dunlin_result dunlin_scenario_set_number(dunlin_scenario *scenario, const char *path, double value,
                                                    dunlin_error *error);

/* ---- any value -------------------------------------------------------------------------------------------------------- */

/** A value of the scenario, of any type, and where it belongs. */
typedef struct dunlin_scenario_setting {
    /** As in dunlin_scenario_find_number(): `world.boundary`, `species.starlings.max_speed`, `interactions[0].cohesion`. The
     * entries on the way may be left out in the file, but lists must have the items that the path names. */
    const char *path;
    /** As the file would have it: `reflect`, `0.7`, `true`, `[200, 100]`, `{radius: 5, weight: 2}`. A text or name needs no
     * quotes, and is taken as it is. */
    const char *value;
} dunlin_scenario_setting;

/**
 * Sets values for simulations that are created from now on: settings[count], one after another. Then the whole scenario is
 * checked as a file would be, so that settings may need each other, such as `world.dimensions` and `world.size`. A failure
 * changes nothing, and its message begins with the path and value, or says what is missing after all settings. A value that is
 * an entry or a list replaces all of it; so numbers may come and go, and change their positions. A success invalidates strings
 * that functions have returned for this scenario.
 */
DUNLIN_API dunlin_result dunlin_scenario_set(dunlin_scenario *scenario, const dunlin_scenario_setting *settings, size_t count,
                                             dunlin_error *error);

/**
 * Writes the scenario as a file, with what has been set, every default written out, and units in comments. A default that is no
 * single value stands there as a comment. A simulation of that file has the same states, but files that it names are searched
 * in the folder where it lies. `text`, `size` and the result are as for dunlin_scenario_schema().
 */
DUNLIN_API size_t dunlin_scenario_write(const dunlin_scenario *scenario, char *text, size_t size);

/* ---- running ----------------------------------------------------------------------------------------------------------- */

/** What the caller sets instead of the file, and what a file does not say, because it describes a flock and not a machine. All
 * pointers are read during dunlin_simulation_create() only. */
typedef struct dunlin_simulation_def {
    int cookie;           /**< Set by dunlin_simulation_def_default(). */
    const uint64_t *seed; /**< The world's seed; NULL, the default: the scenario's. */
    /** The number of agents of all species together, divided in proportion to the scenario's numbers; NULL, the default: the
     * scenario's. Not read with `init`. */
    const uint32_t *agents;
    int threads;        /**< As dunlin_world_def.threads; default 0. */
    const char *kernel; /**< As dunlin_world_def.kernel; NULL, the default: "auto". */
    const char *index;  /**< As dunlin_world_def.index; NULL, the default: "auto". */
    const char *init;   /**< The path of a state file whose agents replace the scenario's; NULL, the default: none. */
    /** With `init`: the numbers of the traces, [init_trace_count] in the order of the scenario's fields, which a state file
     * does not have. A trace begins at 0, with a warning, if it has other cells here or is missing. Not with ranks above 0,
     * which get them from rank 0. NULL, the default: there are none. Numbers must be 0 .. 1e18. */
    const dunlin_trace_view *init_traces;
    int init_trace_count; /**< Default 0. */
    /** The seed in the state file may differ from the world's, which the world keeps; the state must then be a regular file.
     * Default false: another seed is an error. */
    bool reseed;
    /** Called with one line for each entry of the file that nothing uses; the line is valid during the call only. NULL, the
     * default: nothing is called. */
    void (*warn)(void *user, const char *warning);
    void *user; /**< The first argument of `warn`; default NULL. */
    /** The name of an attribute that the caller shows, so that it counts as used; NULL, the default: none. */
    const char *shown;
    /**
     * The ranks that run together: each of them has a part of the flock. NULL, the default: the simulation has all of it. It is
     * copied, and what it needs must outlive the simulation. All ranks open the same scenario and make the same calls: those
     * that create, open, step, set and save a simulation are collective, as cluster.h says. Only rank 0 reads files that the
     * scenario names, `init` and checkpoints. A simulation is saved on rank 0, after dunlin_world_gather().
     */
    const dunlin_transport *transport;
} dunlin_simulation_def;

/** The defaults. */
DUNLIN_API dunlin_simulation_def dunlin_simulation_def_default(void);

/**
 * Sets in the scenario what `def` says instead of it: the seed and, unless there is an `init`, how many agents each species
 * has. Then dunlin_scenario_write() writes the scenario as it runs with `def`, but for the agents of an `init`. `def` may be
 * NULL: nothing is set. A failure changes nothing. Checkpoints of a simulation have such a scenario by themselves.
 */
DUNLIN_API dunlin_result dunlin_scenario_resolve(dunlin_scenario *scenario, const dunlin_simulation_def *def,
                                                 dunlin_error *error);

/** Builds the scenario's world with its agents into *simulation; dunlin_simulation_destroy() frees it. `def` may be NULL: the
 * defaults. */
DUNLIN_API dunlin_result dunlin_simulation_create(const dunlin_scenario *scenario, const dunlin_simulation_def *def,
                                                  dunlin_simulation **simulation, dunlin_error *error);

/** Frees the simulation and its world. NULL is allowed. */
DUNLIN_API void dunlin_simulation_destroy(dunlin_simulation *simulation);

/** The simulation's world, for reading, measuring and saving. It is valid until the simulation is destroyed. Step it only with
 * dunlin_simulation_step(). */
DUNLIN_API dunlin_world *dunlin_simulation_world(dunlin_simulation *simulation);

/**
 * Takes one time step: schedules set their numbers by the steps taken so far, growth adds its agents, and the world steps. If
 * this fails, the world has not stepped, but changes by schedules and growth before the failure stay.
 */
DUNLIN_API dunlin_result dunlin_simulation_step(dunlin_simulation *simulation, dunlin_error *error);

/** Sets a number of this simulation alone, from the next step on. The number must be live. `path` and `value` are as in
 * dunlin_scenario_set_number(). While a schedule sets the same number, the schedule's value counts. */
DUNLIN_API dunlin_result dunlin_simulation_set_number(dunlin_simulation *simulation, const char *path, double value,
                                                      dunlin_error *error);

/* ---- checkpoints ------------------------------------------------------------------------------------------------------ */

/**
 * A checkpoint of a simulation is a file from which another program goes on bit for bit, and needs nothing else: it has the
 * scenario with the numbers that were set, the world's definitions, and its state. Files that the scenario names are not
 * needed, since fields have what they held. Of the rest, what dunlin.h says about checkpoints holds here, too. `dunlin run
 * --checkpoint` writes such files; after the simulation they have a part of the program's own, which is not read here.
 */

/** Writes a checkpoint of the simulation, piece by piece from the first byte to the last. DUNLIN_ERROR_FILE: `write` has
 * refused.
 */
DUNLIN_API dunlin_result dunlin_simulation_save_to(const dunlin_simulation *simulation, dunlin_write_fn *write, void *context,
                                                   dunlin_error *error);

/** The size in bytes of a checkpoint of the simulation as it is now; 0: out of memory. */
DUNLIN_API size_t dunlin_simulation_saved_bytes(const dunlin_simulation *simulation);

/** Writes a checkpoint to bytes[count]; dunlin_simulation_saved_bytes() says how many are needed. */
DUNLIN_API dunlin_result dunlin_simulation_save_memory(const dunlin_simulation *simulation, void *bytes, size_t count,
                                                       dunlin_error *error);

/**
 * Opens a simulation from a checkpoint, which `read` gives piece by piece, into *simulation. Of `def` only threads, kernel and
 * transport are read; NULL: the defaults. With a transport `read` is called on rank 0 alone. `scenario` may be NULL; otherwise
 * *scenario is the simulation's scenario, with the numbers that were set, and dunlin_scenario_close() frees it. Its lines are
 * not those of the file that it was read from.
 */
DUNLIN_API dunlin_result dunlin_simulation_open_from(const dunlin_simulation_def *def, dunlin_read_fn *read, void *context,
                                                     dunlin_scenario **scenario, dunlin_simulation **simulation,
                                                     dunlin_error *error);

/** Opens a simulation from a checkpoint that begins at bytes[0] and ends within bytes[count]. */
DUNLIN_API dunlin_result dunlin_simulation_open_memory(const dunlin_simulation_def *def, const void *bytes, size_t count,
                                                       dunlin_scenario **scenario, dunlin_simulation **simulation,
                                                       dunlin_error *error);

/* ---- the format ------------------------------------------------------------------------------------------------------- */

/**
 * Writes the JSON Schema (draft 2020-12) of scenario files, for editors, as snprintf() does: at most `size` bytes including the
 * terminator. `text` may be NULL if `size` is 0. Returns the length of the whole schema in bytes, without the terminator; 0:
 * out of memory. Thread-safe.
 */
DUNLIN_API size_t dunlin_scenario_schema(char *text, size_t size);

/**
 * Writes the text `page` with its tables of fields made anew from the schema. A table stands between the lines
 * `<!-- table NAME -->` and `<!-- end -->`; docs/scenarios.md is such a page. `text`, `size` and the result are as for
 * dunlin_scenario_schema(). Thread-safe.
 */
DUNLIN_API size_t dunlin_scenario_reference(const char *page, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
