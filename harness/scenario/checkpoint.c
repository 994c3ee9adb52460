/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of simulations: files in sections (engine/base/sections.h), behind which come the world's definitions and its
 * state.
 *
 *     the scenario's path
 *     the scenario as YAML, with the numbers that the caller has set
 *
 * What changes during a run follows from these and from the step. Definitions are saved as they are in the world, and not made
 * again from the scenario: they may come from earlier numbers, such as a place that was the middle of a world which has grown
 * since. So files that the scenario names are not needed either: what they held is in the fields.
 */
#include "engine/base/sections.h"

#include "harness/report/broadcast.h"
#include "harness/scenario/build.h"
#include "engine/base/entry.h"

#include <stdio.h>

#define MAGIC "dunrun"

enum { VERSION = 1, MAX_TEXT = 1 << 28 }; /* bytes: a million values, the most that the reader takes, are shorter */

static dunlin_result fail(dunlin_error *error, dunlin_result code, const char *problem) {
    error->code = code;
    snprintf(error->message, sizeof error->message, "the checkpoint %s", problem);
    return code;
}

/* ---- saving ----------------------------------------------------------------------------------------------------------- */

/* Numbers that schedules change are as the file has them. */
static bool write_scenario(const dunlin_simulation *simulation, char **text, size_t *length, dunlin_error *error) {
    tree file;
    bool done = dun_tree_copy(&simulation->file, &file);
    for (uint32_t i = 0; i < simulation->schedule_count && done; i++)
        file.slots[simulation->schedules[i].number] = simulation->schedules[i].original;
    if (done)
        done = dun_tree_write(&file, text, length, error);
    else
        fail(error, DUNLIN_ERROR_MEMORY, "needs more memory than there is");
    dun_tree_free(&file);
    return done;
}

static dunlin_result save_scenario(const dunlin_simulation *simulation, dunlin_write_fn *write, void *context,
                                   dunlin_error *error) {
    static const dun_opening opening = {MAGIC, VERSION};
    const char *path = simulation->file.name;
    char *text = NULL;
    size_t length = 0;
    dunlin_result result = write_scenario(simulation, &text, &length, error) ? DUNLIN_OK : error->code;
    if (result == DUNLIN_OK &&
        !(write(context, &opening, sizeof opening) && dun_section_write(write, context, 0, path, strlen(path)) &&
          dun_section_write(write, context, 1, text, length)))
        result = fail(error, DUNLIN_ERROR_FILE, "cannot be written: write() returned false");
    free(text);
    return result;
}

/* What comes before the world's state. */
static dunlin_result save_head(const dunlin_simulation *simulation, dunlin_write_fn *write, void *context,
                               dunlin_error *error) {
    const dunlin_result result = save_scenario(simulation, write, context, error);
    return result == DUNLIN_OK ? dunlin_world_save_definitions_to(simulation->world, write, context, error) : result;
}

dunlin_result dunlin_simulation_save_to(const dunlin_simulation *simulation, dunlin_write_fn *write, void *context,
                                        dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(simulation, "simulation", error)) return error->code;
    if (!write) return fail(error, DUNLIN_ERROR_VALUE, "needs a sink: write is NULL");
    DUN_USE_SIMULATION(simulation, error);
    const dunlin_result result = save_head(simulation, write, context, error);
    return result == DUNLIN_OK ? dunlin_world_save_to(simulation->world, write, context, error) : result;
}

/* A checkpoint in parts: rank 0 writes a head of `at` bytes, and the parts of the state follow. */
typedef struct sheet {
    dunlin_write_at_fn *write;
    void *context;
    uint64_t at;
} sheet;

static bool write_head(void *context, const void *bytes, size_t count) {
    sheet *to = context;
    to->at += count;
    return to->write(to->context, bytes, count, to->at - count);
}

static bool write_state(void *context, const void *bytes, size_t count, uint64_t at) {
    const sheet *to = context;
    return to->write(to->context, bytes, count, to->at + at);
}

dunlin_result dunlin_simulation_save_parts(const dunlin_simulation *simulation, dunlin_write_at_fn *write, void *context,
                                           dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(simulation, "simulation", error)) return error->code;
    if (!write) return fail(error, DUNLIN_ERROR_VALUE, "needs a sink: write is NULL");
    DUN_USE_SIMULATION(simulation, error);
    const dunlin_transport *transport = &simulation->transport;
    sheet to = {.write = write, .context = context};
    dunlin_result result = transport->rank == 0 ? save_head(simulation, write_head, &to, error) : DUNLIN_OK;
    result = dunlin_agree(transport, result, error);
    if (result != DUNLIN_OK) return result;
    if (transport->ranks > 1) transport->broadcast(transport->context, 0, &to.at, sizeof to.at);
    return dunlin_world_save_parts(simulation->world, write_state, &to, error);
}

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

/* Where the checkpoint comes from, and the simulation whose callbacks its world gets. */
typedef struct source {
    dunlin_read_fn *read;       /* in order; NULL: … */
    dunlin_read_at_fn *read_at; /* … each rank reads its part, and `at` is what comes next */
    uint64_t at;
    void *context;
    bool in_memory; /* what comes before the state is read from memory … */
    dun_memory head;
    FILE *kept; /* … where rank 0 has kept it */
    dunlin_simulation *simulation;
} source;

static bool read_next(source *from, void *bytes, size_t count) {
    if (from->read) return from->read(from->context, bytes, count);
    from->at += count;
    return from->read_at(from->context, bytes, count, from->at - count);
}

static bool read_state(void *context, void *bytes, size_t count, uint64_t at) {
    const source *from = context;
    return from->read_at(from->context, bytes, count, from->at + at);
}

static bool read_source(void *context, void *bytes, size_t count) {
    source *from = context;
    return from->in_memory ? dun_memory_read(&from->head, bytes, count) : read_next(from, bytes, count);
}

static void connect(void *context, int behaviour, dunlin_behaviour_def *def) {
    dun_connect(((const source *)context)->simulation, behaviour, def);
}

static bool read_and_keep(void *context, void *bytes, size_t count) {
    source *from = context;
    return read_next(from, bytes, count) && (count == 0 || fwrite(bytes, count, 1, from->kept) == 1);
}

/* An opening, and then so many sections. */
static dun_section_result keep_sections(source *from, uint64_t sections) {
    dun_opening opening;
    dun_section_result result = read_and_keep(from, &opening, sizeof opening) ? DUN_SECTION_OK : DUN_SECTION_CUT;
    for (uint64_t number = 0; number < sections && !result; number++) {
        char *bytes = NULL;
        size_t count;
        result = dun_section_read(read_and_keep, from, number, UINT64_MAX, &bytes, &count);
        free(bytes);
    }
    return result;
}

/* Those of the simulation and of the definitions; false: no memory. Whatever else is wrong is found when they are read again.
 */
static bool keep_head(source *from) {
    dun_section_result result = keep_sections(from, 2);
    if (!result) result = keep_sections(from, 1);
    return result != DUN_SECTION_NO_MEMORY;
}

/* Rank 0 reads the checkpoint, and sends the others what comes before the state. The caller frees *bytes. */
static dunlin_result tell_head(const dunlin_transport *transport, source *from, char **bytes, dunlin_error *error) {
    size_t count = 0;
    dunlin_result result = DUNLIN_OK;
    if (transport->ranks == 1) return DUNLIN_OK;
    if (transport->rank == 0) {
        from->kept = open_memstream(bytes, &count);
        const bool whole = from->kept && keep_head(from);
        if (!from->kept || fclose(from->kept) != 0 || !whole)
            result = fail(error, DUNLIN_ERROR_MEMORY, "needs more memory than there is");
    }
    result = broadcast_bytes(transport, result, bytes, &count, error);
    from->in_memory = true;
    from->at = count;
    from->head = (dun_memory){.from = *bytes, .left = count};
    return result;
}

static dunlin_result open_texts(source *from, char **path, char **text, size_t *length, dunlin_error *error) {
    dun_section_result done = dun_opening_read(read_source, from, MAGIC, VERSION);
    if (!done) done = dun_section_read(read_source, from, 0, MAX_TEXT, path, length);
    if (!done) done = dun_section_read(read_source, from, 1, MAX_TEXT, text, length);
    if (!done) return DUNLIN_OK;
    char problem[80];
    snprintf(problem, sizeof problem, "is %s", dun_section_problem(done));
    return fail(error, dun_section_code(done), problem);
}

static dunlin_result open_scenario(source *from, dunlin_scenario **scenario, dunlin_error *error) {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    char *path = NULL, *text = NULL;
    size_t length;
    dunlin_result result = open_texts(from, &path, &text, &length, error);
    def.name = path;
    if (result == DUNLIN_OK) result = dun_scenario_open(text, length, &def, scenario, error);
    free(path);
    free(text);
    return result;
}

/* What lives and models read: numbers as they were in the last step. */
static bool prepare_callbacks(dunlin_simulation *simulation) {
    return dun_schedules_repeat(simulation) && dun_put_lives_and_models(simulation);
}

/* Rank 0 reads all agents, or each rank a part of them. */
static bool restore_state(source *from, dunlin_simulation *simulation) {
    if (from->read_at) return dunlin_world_restore_parts(simulation->world, read_state, from, simulation->error) == DUNLIN_OK;
    dunlin_result result = dunlin_world_gather(simulation->world, simulation->error);
    if (result != DUNLIN_OK) return false;
    from->in_memory = false;
    if (simulation->transport.rank == 0)
        result = dunlin_world_restore_from(simulation->world, read_source, from, simulation->error);
    dunlin_world_share(simulation->world, NULL);
    return dunlin_agree(&simulation->transport, result, simulation->error) == DUNLIN_OK;
}

/* The world comes with its definitions, so the entries of the file are not put into it. What only this file does asks for no
 * memory, so that all ranks succeed or none. */
static bool restore(source *from, dunlin_simulation *simulation) {
    dunlin_world_def how = dunlin_world_def_default();
    how.threads = simulation->def.threads;
    if (simulation->def.kernel) how.kernel = simulation->def.kernel;
    from->simulation = simulation;
    return dun_schedules_read(simulation) &&
           dunlin_world_create_part_from(&how, &simulation->transport, read_source, connect, from, &simulation->world,
                                         simulation->error) == DUNLIN_OK &&
           restore_state(from, simulation) && prepare_callbacks(simulation);
}

static dunlin_result open_simulation(source *from, const dunlin_simulation_def *def, const dunlin_scenario *scenario,
                                     dunlin_simulation **simulation, dunlin_error *error) {
    dunlin_simulation *made = dun_simulation_allocate(scenario, def, error);
    if (made && restore(from, made))
        *simulation = made;
    else
        dunlin_simulation_destroy(made);
    return *simulation ? DUNLIN_OK : error->code;
}

static dunlin_result open_source(const dunlin_simulation_def *def, source *from, dunlin_scenario **scenario,
                                 dunlin_simulation **simulation, dunlin_error *error) {
    dunlin_error unwanted;
    dunlin_scenario *opened = NULL;
    if (!error) error = &unwanted;
    if (scenario) *scenario = NULL;
    if (!dun_is_given(simulation, "simulation", error)) return error->code;
    *simulation = NULL;
    if (!from->read && !from->read_at) return fail(error, DUNLIN_ERROR_VALUE, "needs a source: read is NULL");
    const dunlin_transport transport = dun_transport_of(def);
    char *head = NULL;
    dunlin_result result = tell_head(&transport, from, &head, error);
    if (result == DUNLIN_OK) result = dunlin_agree(&transport, open_scenario(from, &opened, error), error);
    if (result == DUNLIN_OK) result = open_simulation(from, def, opened, simulation, error);
    free(head);
    if (result == DUNLIN_OK && scenario)
        *scenario = opened;
    else
        dunlin_scenario_close(opened);
    return result;
}

dunlin_result dunlin_simulation_open_from(const dunlin_simulation_def *def, dunlin_read_fn *read, void *context,
                                          dunlin_scenario **scenario, dunlin_simulation **simulation, dunlin_error *error) {
    DUN_OWN_FLOATS();
    return open_source(def, &(source){.read = read, .context = context}, scenario, simulation, error);
}

dunlin_result dunlin_simulation_open_parts(const dunlin_simulation_def *def, dunlin_read_at_fn *read, void *context,
                                           dunlin_scenario **scenario, dunlin_simulation **simulation, dunlin_error *error) {
    DUN_OWN_FLOATS();
    return open_source(def, &(source){.read_at = read, .context = context}, scenario, simulation, error);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static bool count_bytes(void *context, const void *bytes, size_t count) {
    (void)bytes;
    *(size_t *)context += count;
    return true;
}

size_t dunlin_simulation_saved_bytes(const dunlin_simulation *simulation) {
    DUN_OWN_FLOATS();
    dunlin_error error;
    size_t bytes = 0;
    const bool done = save_scenario(simulation, count_bytes, &bytes, &error) == DUNLIN_OK &&
                      dunlin_world_save_definitions_to(simulation->world, count_bytes, &bytes, &error) == DUNLIN_OK;
    return done ? bytes + dunlin_world_saved_bytes(simulation->world) : 0;
}

dunlin_result dunlin_simulation_save_memory(const dunlin_simulation *simulation, void *bytes, size_t count,
                                            dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(bytes, "bytes", error)) return error->code;
    const dunlin_result result =
        dunlin_simulation_save_to(simulation, dun_memory_write, &(dun_memory){.to = bytes, .left = count}, error);
    if (result != DUNLIN_ERROR_FILE) return result;
    return fail(error, result, "cannot be written whole: it has more than `count` bytes");
}

dunlin_result dunlin_simulation_open_memory(const dunlin_simulation_def *def, const void *bytes, size_t count,
                                            dunlin_scenario **scenario, dunlin_simulation **simulation, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(bytes, "bytes", error)) return error->code;
    return dunlin_simulation_open_from(def, dun_memory_read, &(dun_memory){.from = bytes, .left = count}, scenario, simulation,
                                       error);
}
