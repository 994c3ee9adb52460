/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Dunlin scenarios: a world, its species, interactions and agents, described in a YAML file. The guide scenarios.md lists every
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
 * schedules, births and models need from step to step. It copies what it needs, so the scenario may be changed or closed
 * meanwhile.
 *
 * What dunlin.h says about arrays, definitions, errors, callbacks, the floating-point mode, threads, the locale and the ABI
 * holds here, too, for scenarios and simulations as for worlds. In addition:
 *
 * **Errors** also name the file and line. **Strings** that a function returns are valid until dunlin_scenario_set() or the
 * scenario is closed. **Callbacks** run in the host's locale. They must not use the simulation that they are called for:
 * dunlin_simulation_step(), dunlin_simulation_set_number() and dunlin_simulation_save_to() fail in them;
 * dunlin_simulation_destroy() does nothing, and this step or the next one fails. They must not change or close the scenario
 * either.
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

/** Reads a file that a scenario names, such as a picture. It returns the file's bytes and sets *length, or returns NULL if
 * there is no such file. `name` is the file's name as it stands in the scenario. The bytes must stay valid until the next call,
 * or until the library's function that made the call returns. Threads that check a scenario, or build or step its simulations,
 * call it. */
typedef const void *dunlin_scenario_read_fn(void *user, const char *name, size_t *length);

/** An error in a scenario, or an entry that nothing uses. */
typedef struct dunlin_scenario_finding {
    bool is_mistake;     /**< true: an error, the scenario cannot run; false: a warning. */
    uint32_t line;       /**< From 1; 0: it has none. */
    const char *message; /**< One line, which begins with the file's name and the line; valid during the call only. */
} dunlin_scenario_finding;

/** Receives a finding. `user` is dunlin_scenario_def.report_user. */
typedef void dunlin_scenario_report_fn(void *user, const dunlin_scenario_finding *finding);

/** How to open a scenario. */
typedef struct dunlin_scenario_def {
    int cookie; /**< Set by dunlin_scenario_def_default(). */
    /** The file's name in messages; NULL: its path, or "scenario" for a text. */
    const char *name;
    /** The folder of the files that the scenario names; NULL: the folder of its path or name. */
    const char *folder;
    bool allow_outside; /**< Files may lie outside the folder. */
    /** Reads the files; NULL: the library reads them from the folder. */
    dunlin_scenario_read_fn *read;
    /** The first argument of `read`. What it points to must outlive the scenario and its simulations. */
    void *user;
    /** The maximum number of agents that the scenario may place at the start, and that `growth` may add in one step; default
     * UINT32_MAX. Agents of state files and children of `lives` do not count. */
    uint32_t max_agents;
    /** The maximum number of cells in all fields together, which take 8 bytes each in 2D and 12 in 3D; default UINT64_MAX. */
    uint64_t max_cells;
    /** Receives every error and warning, in the order in which they are found; NULL: none are reported. With it, opening a
     * scenario also builds its world, as dunlin_scenario_check() does, and fails after all errors, with the first one. Errors
     * in the syntax may be returned only. */
    dunlin_scenario_report_fn *report;
    void *report_user; /**< The first argument of `report`. */
} dunlin_scenario_def;

/** The defaults. */
DUNLIN_API dunlin_scenario_def dunlin_scenario_def_default(void);

/** Reads and checks a scenario file of up to 1 MiB into *scenario; dunlin_scenario_close() frees it. `def` may be NULL: the
 * defaults. Time and memory have limits whatever the file holds: see SECURITY.md. Errors that show only when a world is built
 * are found by dunlin_scenario_check() and dunlin_simulation_create(). */
DUNLIN_API dunlin_result dunlin_scenario_open(const char *path, const dunlin_scenario_def *def, dunlin_scenario **scenario,
                                              dunlin_error *error);

/** Does the same for the text of a scenario, text[length], without a terminator; it may be NULL if `length` is 0. */
DUNLIN_API dunlin_result dunlin_scenario_open_text(const char *text, size_t length, const dunlin_scenario_def *def,
                                                   dunlin_scenario **scenario, dunlin_error *error);

/** Frees the scenario, but not its simulations. NULL is allowed. */
DUNLIN_API void dunlin_scenario_close(dunlin_scenario *scenario);

/** Builds the scenario's world without agents, and destroys it again. What depends on agents is not tested. */
DUNLIN_API dunlin_result dunlin_scenario_check(const dunlin_scenario *scenario, dunlin_error *error);

/** The path of the file, or dunlin_scenario_def.name if that was given. */
DUNLIN_API const char *dunlin_scenario_path(const dunlin_scenario *scenario);

/** The last part of the path, without its ending, such as `.yaml`. */
DUNLIN_API const char *dunlin_scenario_stem(const dunlin_scenario *scenario);

/** The name of a file that the scenario reads, as it stands there: relative to the scenario's folder, unless it begins with
 * `/`. `position` counts from 0; NULL: there are no more. */
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
    /** Schedules and dunlin_simulation_set_number() may change it, unless it belongs to a field that is read from a file. */
    bool live;
    const char *unit;         /**< Such as "world units"; "" if it has none. Static storage, as the next two. */
    const char *default_text; /**< The default in words, such as "the middle of the world"; "" if there are none. */
    const char *doc;          /**< What the number means. */
} dunlin_scenario_number;

/** The number of numbers. A list that the file leaves out has none. */
DUNLIN_API uint32_t dunlin_scenario_number_count(const dunlin_scenario *scenario);

/** The number at a position, 0 .. dunlin_scenario_number_count() - 1, which it keeps until dunlin_scenario_set(); a zeroed
 * struct for any other position. */
DUNLIN_API dunlin_scenario_number dunlin_scenario_number_at(const dunlin_scenario *scenario, uint32_t position);

/** Finds a number by its path; `number` may be NULL. A path may name an entry of a list instead of counting:
 * `species.starlings.max_speed`. An error says how far the path leads, and what is allowed there. */
DUNLIN_API dunlin_result dunlin_scenario_find_number(const dunlin_scenario *scenario, const char *path,
                                                     dunlin_scenario_number *number, dunlin_error *error);

/** Sets a number for simulations that are created from now on. `path` is as in dunlin_scenario_find_number(), and `value` in
 * the number's unit and range; for a whole number it is rounded to the nearest. A number that excludes another one that is
 * given, such as `seek.agent` and `seek.nearest`, is an error. */
DUNLIN_API dunlin_result dunlin_scenario_set_number(dunlin_scenario *scenario, const char *path, double value,
                                                    dunlin_error *error);

/* ---- any value -------------------------------------------------------------------------------------------------------- */

/** A value of the scenario, of any type, and where it belongs. */
typedef struct dunlin_scenario_setting {
    /** As in dunlin_scenario_find_number(): `world.boundary`, `interactions[0].cohesion`. The file may lack entries of the
     * path, but lists must have the named items. */
    const char *path;
    /** As in a file: `reflect`, `0.7`, `true`, `[200, 100]`, `{radius: 5, weight: 2}`. A text or name needs no quotes. */
    const char *value;
} dunlin_scenario_setting;

/** Sets values for simulations that are created from now on: settings[count], one after another; then the whole scenario is
 * checked. So settings may need each other, such as `world.dimensions` and `world.size`. A value replaces a whole entry or
 * list, so numbers may come and go, and change their positions. An error begins with the path and value, or says what is
 * missing after all settings. */
DUNLIN_API dunlin_result dunlin_scenario_set(dunlin_scenario *scenario, const dunlin_scenario_setting *settings, size_t count,
                                             dunlin_error *error);

/** Writes the scenario as a file, with what has been set, every default, and units in comments. A default that is no single
 * value is a comment. A simulation of that file has the same states; the files that it names are relative to its own folder.
 * `text`, `size` and the result are as for dunlin_scenario_schema(). */
DUNLIN_API size_t dunlin_scenario_write(const dunlin_scenario *scenario, char *text, size_t size);

/* ---- the look --------------------------------------------------------------------------------------------------------- */

/** What an agent looks like in pictures. It points along its velocity. */
typedef enum dunlin_shape {
    DUNLIN_SHAPE_DART,      /**< A triangle with a notch at its back. */
    DUNLIN_SHAPE_TRIANGLE,  /**< A vehicle. */
    DUNLIN_SHAPE_BUTTERFLY, /**< Four wings. */
    DUNLIN_SHAPE_FISH,      /**< A body and a tail fin. */
    DUNLIN_SHAPE_TADPOLE,   /**< A head and a long tail. */
    DUNLIN_SHAPE_CIRCLE,    /**< A disc as wide as the others are long. */
    DUNLIN_SHAPE_DOT        /**< A disc half as wide. */
} dunlin_shape;

#define DUNLIN_SHAPE_COUNT   7  /**< The number of shapes. */
#define DUNLIN_SHAPE_CORNERS 24 /**< The maximum number of corners of a shape. */

/** The outline of a shape of about the length 1. The heading is +x, and +y is to its left. */
typedef struct dunlin_outline {
    float radius; /**< Of a disc; 0: it is a polygon. */
    int count;    /**< Corners; 0 for a disc. */
    /** From the nose along the left side to the tail, and back along the right side. Edges do not cross. */
    float corners[DUNLIN_SHAPE_CORNERS][2];
} dunlin_outline;

/** The outline of a shape; a zeroed struct for any other number. */
DUNLIN_API dunlin_outline dunlin_shape_outline(dunlin_shape shape);

/** The name of a shape in scenarios, such as "dart"; NULL for any other number. */
DUNLIN_API const char *dunlin_shape_name(dunlin_shape shape);

/** What an agent's colour means. */
typedef enum dunlin_colour {
    DUNLIN_COLOUR_HEADING,  /**< The direction in which it moves. */
    DUNLIN_COLOUR_SPECIES,  /**< Its species. */
    DUNLIN_COLOUR_SPEED,    /**< The length of its velocity. */
    DUNLIN_COLOUR_ATTRIBUTE /**< One of its attributes. */
} dunlin_colour;

/** The name in scenarios, such as "heading"; "attribute" for an attribute's; NULL for any other number. */
DUNLIN_API const char *dunlin_colour_name(dunlin_colour colour);

/** How agents of a species are drawn: what the scenario says, and for the rest defaults that follow from the scenario alone. */
typedef struct dunlin_look {
    dunlin_shape shape; /**< The outline of an agent. */
    /** World units, > 0: the length of an agent; with `size_by`, of an agent that has the number 1. 0: automatic, about the
     * distance between agents times `scale`. */
    float size;
    float scale;   /**< Factor of an automatic length, > 0; 1 but for bodies and rare species, which it keeps visible. */
    int size_by;   /**< The number of the attribute to which the length is proportional; -1: none. */
    float typical; /**< The number of that attribute, > 0, with which an agent has the automatic length; 1 without one. */
    dunlin_colour colour; /**< What colours mean. */
    int colour_by;        /**< With DUNLIN_COLOUR_ATTRIBUTE: the attribute's number; -1: not read. */
    bool outline;         /**< A dark line surrounds each agent. */
} dunlin_look;

/** The look of a species, which counts from 0 in the order of the file; if there is no such species, `size_by` and `colour_by`
 * are -1 and the rest is 0. A name of an attribute that the species lacks counts as left out: dunlin_scenario_check() reports
 * it. */
DUNLIN_API dunlin_look dunlin_scenario_look(const dunlin_scenario *scenario, int species);

/** Whether a world in a plane is drawn with y downwards: `y_axis: down`. Positions and velocities are the same either way. */
DUNLIN_API bool dunlin_scenario_y_is_down(const dunlin_scenario *scenario);

/* ---- simulations ------------------------------------------------------------------------------------------------------ */

/** What the caller sets instead of the file, and what a file does not say, because it describes a flock and not a machine. */
typedef struct dunlin_simulation_def {
    int cookie;           /**< Set by dunlin_simulation_def_default(). */
    const uint64_t *seed; /**< The world's seed; NULL: the scenario's. */
    /** The number of agents of all species together, divided in proportion to the scenario's numbers; NULL: the scenario's. Not
     * read with `init`. */
    const uint32_t *agents;
    int threads;        /**< As dunlin_world_def.threads. */
    const char *kernel; /**< As dunlin_world_def.kernel; NULL: "auto". */
    const char *index;  /**< As dunlin_world_def.index; NULL: "auto". */
    const char *init;   /**< The path of a state file with agents that replace the scenario's; NULL: none. */
    /** With `init`, on rank 0: the numbers of the traces, 0 .. 1e18, [init_trace_count] in the order of the scenario's fields;
     * NULL: none. A trace that is missing or has other cells begins at 0, with a warning. */
    const dunlin_trace_view *init_traces;
    int init_trace_count; /**< Traces. */
    /** Keep the world's seed if that of the state file, which must be a regular file, differs. false: another seed is an error.
     */
    bool reseed;
    /** Called with one line, valid during the call only, for each entry of the file that nothing uses; NULL: not called. */
    void (*warn)(void *user, const char *warning);
    void *user; /**< The first argument of `warn`. */
    /** The name of an attribute that the caller shows, so that it counts as used; NULL: none. */
    const char *shown;
    /** The ranks that share the flock; NULL: none. What it needs must outlive the simulation. All ranks open the same scenario,
     * and create, open, step and set simulations collectively, as cluster.h says. Only rank 0 reads files that the scenario
     * names and `init`; and checkpoints, unless ranks read and write parts of them; it saves after dunlin_world_gather(). */
    const dunlin_transport *transport;
} dunlin_simulation_def;

/** The defaults. */
DUNLIN_API dunlin_simulation_def dunlin_simulation_def_default(void);

/** Sets in the scenario what `def` says instead of it: the seed and, without `init`, the number of agents of each species. Then
 * dunlin_scenario_write() writes the scenario as it runs with `def`. `def` may be NULL: nothing is set. Checkpoints always have
 * such a scenario. */
DUNLIN_API dunlin_result dunlin_scenario_resolve(dunlin_scenario *scenario, const dunlin_simulation_def *def,
                                                 dunlin_error *error);

/** Builds the scenario's world with its agents into *simulation; dunlin_simulation_destroy() frees it. `def` may be NULL: the
 * defaults. */
DUNLIN_API dunlin_result dunlin_simulation_create(const dunlin_scenario *scenario, const dunlin_simulation_def *def,
                                                  dunlin_simulation **simulation, dunlin_error *error);

/** Frees the simulation and its world. NULL is allowed. */
DUNLIN_API void dunlin_simulation_destroy(dunlin_simulation *simulation);

/** The simulation's world, for reading, measuring and saving, valid until the simulation is destroyed. Step it only with
 * dunlin_simulation_step(). */
DUNLIN_API dunlin_world *dunlin_simulation_world(dunlin_simulation *simulation);

/** Takes one time step: schedules set their numbers by the steps taken so far, growth adds its agents, and the world steps.
 * After a failure changes by schedules and growth stay. */
DUNLIN_API dunlin_result dunlin_simulation_step(dunlin_simulation *simulation, dunlin_error *error);

/** Sets a live number of this simulation alone, from the next step on, as dunlin_scenario_set_number(). While a schedule sets
 * the same number, the schedule's value counts. */
DUNLIN_API dunlin_result dunlin_simulation_set_number(dunlin_simulation *simulation, const char *path, double value,
                                                      dunlin_error *error);

/* ---- checkpoints ------------------------------------------------------------------------------------------------------ */

/**
 * A checkpoint of a simulation is a file from which another program continues bit for bit, with nothing else: it has the
 * scenario with the numbers that were set, the world's definitions with the contents of fields, and its state. state.h says
 * what holds for checkpoints. `dunlin run --checkpoint` writes such files, with a section of the program's own at the end,
 * which is not read here.
 */

/** Writes a checkpoint of the simulation. */
DUNLIN_API dunlin_result dunlin_simulation_save_to(const dunlin_simulation *simulation, dunlin_write_fn *write, void *context,
                                                   dunlin_error *error);

/** Writes the same, of which each rank writes a part: see dunlin_world_save_parts(). Collective. */
DUNLIN_API dunlin_result dunlin_simulation_save_parts(const dunlin_simulation *simulation, dunlin_write_at_fn *write,
                                                      void *context, dunlin_error *error);

/** The size in bytes of a checkpoint of the simulation as it is now; 0: out of memory. */
DUNLIN_API size_t dunlin_simulation_saved_bytes(const dunlin_simulation *simulation);

/** Writes a checkpoint to bytes[count], where count >= dunlin_simulation_saved_bytes(). */
DUNLIN_API dunlin_result dunlin_simulation_save_memory(const dunlin_simulation *simulation, void *bytes, size_t count,
                                                       dunlin_error *error);

/** Opens a simulation from a checkpoint into *simulation. Of `def` only threads, kernel and transport are read; NULL: the
 * defaults. With a transport `read` is called on rank 0 only. `scenario` may be NULL; otherwise *scenario is the simulation's
 * scenario, with the numbers that were set, and dunlin_scenario_close() frees it; its lines are not those of the original file.
 */
DUNLIN_API dunlin_result dunlin_simulation_open_from(const dunlin_simulation_def *def, dunlin_read_fn *read, void *context,
                                                     dunlin_scenario **scenario, dunlin_simulation **simulation,
                                                     dunlin_error *error);

/** Does so where each rank reads a part: see dunlin_world_restore_parts(). Collective. */
DUNLIN_API dunlin_result dunlin_simulation_open_parts(const dunlin_simulation_def *def, dunlin_read_at_fn *read, void *context,
                                                      dunlin_scenario **scenario, dunlin_simulation **simulation,
                                                      dunlin_error *error);

/** Opens a simulation from a checkpoint that begins at bytes[0] and ends within bytes[count]. */
DUNLIN_API dunlin_result dunlin_simulation_open_memory(const dunlin_simulation_def *def, const void *bytes, size_t count,
                                                       dunlin_scenario **scenario, dunlin_simulation **simulation,
                                                       dunlin_error *error);

/* ---- the format ------------------------------------------------------------------------------------------------------- */

/** Writes the JSON Schema (draft 2020-12) of scenario files, for editors, as snprintf() does: at most `size` bytes with the
 * terminator; `text` may be NULL if `size` is 0. Returns the whole length without the terminator; 0: out of memory. */
DUNLIN_API size_t dunlin_scenario_schema(char *text, size_t size);

/** Writes the text `page` with its tables of fields from the schema. A table is between the lines `<!-- table NAME -->` and
 * `<!-- end -->`, as in the guide scenarios.md. `text`, `size` and the result are as for dunlin_scenario_schema(). */
DUNLIN_API size_t dunlin_scenario_reference(const char *page, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
