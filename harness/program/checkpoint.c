/* SPDX-License-Identifier: MIT */
#include "engine/base/sections.h"
#include "engine/base/stream.h"

#include "harness/program/checkpoint.h"
#include "harness/report/claim.h"
#include "harness/report/clock.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/report/broadcast.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define MAGIC            "dunrun"
#define SIMULATION_MAGIC "dunrun"
#define USE              "the checkpoint" /* as claims say it */

enum { VERSION = 1, TOTALS = 0, MARKS, ARGUMENTS, LENGTH, MAX_TEXTS = 1 << 28 };

static_assert(sizeof(run_totals) % 8 == 0, "no padding at its end: it would be written");

static dunlin_result fail(const char *path, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s: %s", path, problem);
}

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

dunlin_result checkpoints_claim(const run_options *options, dunlin_error *error) {
    char *before;
    if (!options->checkpoint) return DUNLIN_OK;
    dunlin_result result = claim_output(USE, options->checkpoint, error);
    if (result != DUNLIN_OK) return result;
    if (asprintf(&before, "%s.1", options->checkpoint) < 0)
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    result = claim_output(USE, before, error);
    free(before);
    return result;
}

dunlin_result checkpoints_open(checkpoints *c, run_context *run, dunlin_error *error) {
    const char *path = run->options->checkpoint;
    if (!path) return DUNLIN_OK;
    dunlin_result result = outputs_check_marks(run->options, error);
    if (result == DUNLIN_OK) result = output_file_open(&c->next, path, error);
    if (result == DUNLIN_OK && (c->next.stream == stdout || c->next.replacement.is_direct))
        result =
            bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: checkpoints need a file that can be replaced", path);
    if (result == DUNLIN_OK) dun_replace_clean(&c->next.replacement);
    c->written = clock_seconds();
    return result;
}

void checkpoints_drop(checkpoints *c) {
    output_file_drop(&c->next);
}

static bool put(void *file, const void *bytes, size_t count) {
    return count == 0 || fwrite(bytes, 1, count, file) == count;
}

/* What the program needs beside the simulation. */
static bool write_run(FILE *file, const run_context *run, const char *marks, size_t mark_bytes) {
    static const dun_opening opening = {MAGIC, VERSION};
    const off_t at = ftello(file);
    const uint64_t simulation_bytes = (uint64_t)at;
    char *arguments = NULL;
    size_t bytes = 0;
    FILE *texts = open_memstream(&arguments, &bytes);
    for (int i = 0; texts && i < run->options->argument_count; i++) fprintf(texts, "%s%c", run->options->arguments[i], '\0');
    const bool done = texts && fclose(texts) == 0 && at >= 0 && put(file, &opening, sizeof opening) &&
                      dun_section_write(put, file, TOTALS, &run->totals, sizeof run->totals) &&
                      dun_section_write(put, file, MARKS, marks, mark_bytes) &&
                      dun_section_write(put, file, ARGUMENTS, arguments, bytes) &&
                      dun_section_write(put, file, LENGTH, &simulation_bytes, sizeof simulation_bytes);
    free(arguments);
    return done;
}

/*
 * The last checkpoint gets a second name, which it keeps when the new one takes its first. Where files cannot have two names it
 * is renamed; then for a moment there is no file of the first name, and resuming takes the second.
 */
static void keep_last(const output_file *next) {
    const char *path = next->replacement.target;
    char *before = NULL;
    if (asprintf(&before, "%s.1", path) < 0) return;
    unlink(before);
    if (link(path, before) != 0 && errno != ENOENT) (void)!rename(path, before);
    free(before);
}

/* A checkpoint while it is written. Rank 0 makes the file, and the others open it by its temporary name. */
typedef struct writing {
    checkpoints *c;
    run_outputs *outputs;
    char *marks;
    size_t mark_bytes;
    char path[PATH_MAX]; /* the temporary name; "" on one rank */
    int descriptor;
    int problem; /* of this rank's first write that failed: errno, or 0 */
    char *kept;  /* [KEPT] what comes next in the file, and has not been written: few long writes take less time */
    size_t kept_bytes;
    uint64_t end; /* of what this rank has written and kept */
} writing;

enum { KEPT = 1 << 20 };

static dunlin_result fail_write(const run_context *run, int problem, dunlin_error *error) {
    const char *path = run->options->checkpoint, *why = strerror(problem ? problem : EIO);
    if (run->transport.ranks == 1) return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: %s", path, why);
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s on rank %u: %s", path, run->transport.rank, why);
}

/* On rank 0. */
static dunlin_result begin_checkpoint(run_context *run, void *context, dunlin_error *error) {
    writing *w = context;
    output_file *file = &w->c->next;
    FILE *texts = open_memstream(&w->marks, &w->mark_bytes);
    if (!texts) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a checkpoint");
    dunlin_result result = outputs_mark(w->outputs, run, texts, error);
    if (fclose(texts) != 0 && result == DUNLIN_OK)
        result = bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a checkpoint");
    w->descriptor = output_file_descriptor(file);
    if (result != DUNLIN_OK || run->transport.ranks == 1) return result;
    result = output_file_show(file, error);
    memcpy(w->path, file->replacement.temporary, sizeof w->path);
    return result;
}

/* What rank 0 has made, the others find only in the same file system. */
static dunlin_result open_part(writing *w, const run_context *run, dunlin_error *error) {
    const dunlin_transport *t = &run->transport;
    w->kept = malloc(KEPT);
    dunlin_result result = w->kept ? DUNLIN_OK : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a checkpoint");
    if (t->ranks == 1) return result;
    t->broadcast(t->context, 0, w->path, sizeof w->path);
    if (t->rank > 0) w->descriptor = dun_open(w->path, O_WRONLY, 0);
    if (w->descriptor < 0)
        result = bench_fail(error, DUNLIN_ERROR_FILE,
                            "rank %u cannot write the new %.100s that rank 0 has made: %s; all ranks need one file system for "
                            "checkpoints",
                            t->rank, run->options->checkpoint, strerror(errno));
    return dunlin_agree(t, result, error);
}

static void write_out(writing *w, const void *bytes, size_t count, uint64_t at) {
    if (!w->problem && !dun_write_at(w->descriptor, bytes, count, (off_t)at)) w->problem = errno;
}

static void write_kept(writing *w) {
    write_out(w, w->kept, w->kept_bytes, w->end - w->kept_bytes);
    w->kept_bytes = 0;
}

static bool put_at(void *context, const void *bytes, size_t count, uint64_t at) {
    writing *w = context;
    if (at != w->end || count > KEPT - w->kept_bytes) write_kept(w);
    w->end = at + count;
    if (count > KEPT) {
        write_out(w, bytes, count, at);
    } else {
        memcpy(w->kept + w->kept_bytes, bytes, count);
        w->kept_bytes += count;
    }
    return w->problem == 0;
}

/* Each rank writes its part of the simulation, and all but rank 0, which has more to write, see it on the disk. */
static dunlin_result write_parts(writing *w, const run_context *run, dunlin_error *error) {
    const dunlin_transport *t = &run->transport;
    dunlin_result result = dunlin_simulation_save_parts(run->simulation, put_at, w, error);
    write_kept(w);
    if (result == DUNLIN_OK && t->rank > 0 && dun_sync(w->descriptor) != 0) w->problem = errno;
    dunlin_error own;
    const dunlin_result problem = w->problem ? fail_write(run, w->problem, &own) : DUNLIN_OK;
    const dunlin_result any = dunlin_agree(t, problem, &own);
    if (any != DUNLIN_OK) *error = own;
    return any != DUNLIN_OK ? any : result;
}

/* On rank 0: what the program needs. Then the file is put in its place. */
static dunlin_result end_checkpoint(run_context *run, void *context, dunlin_error *error) {
    writing *w = context;
    FILE *file = w->c->next.stream;
    errno = 0;
    dunlin_result result = DUNLIN_OK;
    const bool is_there = fseeko(file, (off_t)w->end, SEEK_SET) == 0;
    if (is_there && run->meter.displacement) result = dunlin_displacement_save_to(run->meter.displacement, put, file, error);
    if (result != DUNLIN_OK) return ferror(file) ? fail_write(run, errno, error) : result;
    if (!is_there || !write_run(file, run, w->marks, w->mark_bytes) || fflush(file) != 0 || dun_sync(w->descriptor) != 0)
        return fail_write(run, errno, error);
    keep_last(&w->c->next);
    result = output_file_finish(&w->c->next, error);
    return result == DUNLIN_OK ? output_file_open(&w->c->next, run->options->checkpoint, error) : result;
}

static dunlin_result write_checkpoint(checkpoints *c, run_context *run, run_outputs *outputs, dunlin_error *error) {
    writing w = {.c = c, .outputs = outputs, .descriptor = -1};
    dunlin_result result = on_first(run, false, begin_checkpoint, &w, error);
    if (result == DUNLIN_OK) result = open_part(&w, run, error);
    if (result == DUNLIN_OK) result = write_parts(&w, run, error);
    if (result == DUNLIN_OK) result = on_first(run, false, end_checkpoint, &w, error);
    if (run->transport.rank > 0 && w.descriptor >= 0) close(w.descriptor);
    free(w.marks);
    free(w.kept);
    c->has_failed = result != DUNLIN_OK;
    c->written = clock_seconds();
    c->at_steps = run->totals.steps;
    return result;
}

bool checkpoints_are_late(const checkpoints *c, const run_context *run) {
    return run->options->checkpoint_steps == 0 && c->next.stream &&
           clock_seconds() - c->written >= run->options->checkpoint_seconds;
}

/* The first is written before the first step: it shows whether the disk has room, and from it every run continues. */
bool checkpoints_are_due(const run_context *run) {
    const run_options *options = run->options;
    if (!options->checkpoint) return false;
    if (run->totals.steps == 0) return true;
    return options->checkpoint_steps > 0 ? run->totals.steps % options->checkpoint_steps == 0 : run->is_time;
}

dunlin_result checkpoints_record(checkpoints *c, run_context *run, run_outputs *outputs, dunlin_error *error) {
    return checkpoints_are_due(run) ? write_checkpoint(c, run, outputs, error) : DUNLIN_OK;
}

/* Rank 0 has the outputs. */
dunlin_result checkpoints_finish(checkpoints *c, run_context *run, run_outputs *outputs, dunlin_error *error) {
    const dunlin_transport *t = &run->transport;
    uint64_t is_wanted = run->options->checkpoint && run->totals.steps > c->at_steps && !c->has_failed;
    is_wanted = is_wanted && outputs_can_be_marked(outputs);
    if (t->ranks > 1) t->broadcast(t->context, 0, &is_wanted, sizeof is_wanted);
    return is_wanted ? write_checkpoint(c, run, outputs, error) : DUNLIN_OK;
}

/* ---- the run ---------------------------------------------------------------------------------------------------------- */

dunlin_result on_first(run_context *run, bool whole, work_fn *work, void *context, dunlin_error *error) {
    dunlin_result result = whole ? dunlin_world_gather(run->world, error) : DUNLIN_OK;
    if (result != DUNLIN_OK) return result;
    if (run->transport.rank == 0) result = work(run, context, error);
    if (whole) dunlin_world_share(run->world, NULL);
    return dunlin_agree(&run->transport, result, error);
}

dunlin_result run_set_steps(run_context *run, dunlin_error *error) {
    const run_options *options = run->options;
    const dunlin_result result =
        options->has_steps ? dunlin_scenario_set_number(run->scenario, "steps", (double)options->steps, error) : DUNLIN_OK;
    run->steps = dunlin_scenario_steps(run->scenario);
    return result;
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

static bool take(void *file, void *bytes, size_t count) {
    return fread(bytes, 1, count, file) == count;
}

/* A file that is cut short ends in something else than its last section. */
#define DAMAGED_BEHIND "cut short, or its last sections are damaged"

static dunlin_result fail_section(const checkpoint_source *source, dun_section_result why, dunlin_error *error) {
    const bool is_sure = why == DUN_SECTION_NO_MEMORY || why == DUN_SECTION_OTHER_VERSION;
    return bench_fail(error, dun_section_code(why), "%.200s: the checkpoint is %s", source->path,
                      is_sure ? dun_section_problem(why) : DAMAGED_BEHIND);
}

/* Reads a section of a fixed length. */
static dun_section_result read_fixed(FILE *file, uint64_t number, void *to, size_t wanted) {
    char *bytes;
    size_t count;
    dun_section_result result = dun_section_read(take, file, number, MAX_TEXTS, &bytes, &count);
    if (result == DUN_SECTION_OK && count != wanted) result = DUN_SECTION_OTHER_VERSION;
    if (result == DUN_SECTION_OK) memcpy(to, bytes, wanted);
    free(bytes);
    return result;
}

static dun_section_result read_parts(checkpoint_source *source) {
    FILE *file = source->file;
    uint64_t *at = &source->simulation_bytes;
    run_marks *marks = &source->marks;
    const off_t length = (off_t)(sizeof(dun_section) + sizeof *at);
    dun_section_result result = DUN_SECTION_CUT;
    if (fseeko(file, -length, SEEK_END) == 0) result = read_fixed(file, LENGTH, at, sizeof *at);
    if (!result && fseeko(file, (off_t)*at, SEEK_SET) != 0) result = DUN_SECTION_DAMAGED;
    if (!result) result = dun_opening_read(take, file, MAGIC, VERSION);
    if (!result) result = read_fixed(file, TOTALS, &source->totals, sizeof source->totals);
    if (!result) result = dun_section_read(take, file, MARKS, MAX_TEXTS, &marks->texts, &marks->bytes);
    if (!result) result = dun_section_read(take, file, ARGUMENTS, MAX_TEXTS, &source->arguments, &source->argument_bytes);
    return result;
}

/* What is no checkpoint at all is found first, before its end is taken for damaged. */
static dunlin_result read_run(checkpoint_source *source, dunlin_error *error) {
    dun_opening opening;
    errno = 0;
    if (!take(source->file, &opening, sizeof opening) || memcmp(opening.magic, SIMULATION_MAGIC, sizeof opening.magic) != 0)
        return fail(source->path, errno ? strerror(errno) : "the file is no checkpoint: it does not begin as one", error);
    const dun_section_result result = read_parts(source);
    return result ? fail_section(source, result, error) : DUNLIN_OK;
}

/* Where agents were at the start follows the simulation, if their displacement is measured. */
static dunlin_result restore_rest(run_context *run, void *context, dunlin_error *error) {
    const checkpoint_source *source = context;
    dunlin_result result = DUNLIN_OK;
    if (run->meter.measures[METRICS_DISPLACEMENT])
        result = dunlin_displacement_restore_from(run->world, &run->meter.displacement, take, source->file, error);
    return result == DUNLIN_OK && ftello(source->file) != (off_t)source->simulation_bytes
               ? bench_fail(error, DUNLIN_ERROR_FILE, "the checkpoint is " DAMAGED_BEHIND)
               : result;
}

/* The one before it, if the file is missing: its writer was killed where files cannot have two names. */
static dunlin_result open_last(checkpoint_source *source, bool speaks, dunlin_error *error) {
    char *before = NULL;
    const char *path = source->path;
    const bool is_missing = !input_is_stdin(path) && access(path, F_OK) != 0 && errno == ENOENT;
    if (is_missing && asprintf(&before, "%s.1", path) < 0) before = NULL;
    const bool is_there = before && access(before, F_OK) == 0;
    if (is_there && speaks) message_print("%s is missing; continuing from %s", path, before);
    const dunlin_result result = input_open(&source->file, USE, is_there ? before : path, error);
    free(before);
    return result == DUNLIN_OK ? input_make_seekable(&source->file, path, error) : result;
}

static dunlin_result open_run(checkpoint_source *source, bool speaks, dunlin_error *error) {
    const dunlin_result result = open_last(source, speaks, error);
    return result == DUNLIN_OK ? read_run(source, error) : result;
}

/*
 * Every rank reads its part if all find the file that rank 0 has found: the same totals, in which the time is, at the same
 * place. A rank may see other files than rank 0, or none. Then rank 0 reads for all.
 */
static void open_on_all(checkpoint_source *source, const dunlin_transport *transport) {
    uint64_t place = source->simulation_bytes, found = 1;
    checkpoint_source own = {.path = source->path};
    dunlin_error unwanted;
    transport->broadcast(transport->context, 0, &source->totals, sizeof source->totals);
    transport->broadcast(transport->context, 0, &place, sizeof place);
    if (transport->rank > 0) {
        found = !input_is_stdin(source->path) && open_run(&own, false, &unwanted) == DUNLIN_OK &&
                own.simulation_bytes == place && memcmp(&own.totals, &source->totals, sizeof own.totals) == 0;
        source->file = own.file;
        own.file = NULL;
    }
    checkpoint_close(&own);
    transport->all_reduce(transport->context, &found, 1);
    source->in_parts = found == transport->ranks;
}

dunlin_result checkpoint_open(checkpoint_source *source, const char *path, const dunlin_transport *transport,
                              dunlin_error *error) {
    run_marks *marks = &source->marks;
    *source = (checkpoint_source){.path = path};
    dunlin_result result = transport->rank == 0 ? open_run(source, true, error) : DUNLIN_OK;
    result = broadcast_bytes(transport, result, &marks->texts, &marks->bytes, error);
    if (result == DUNLIN_OK) result = broadcast_bytes(transport, result, &source->arguments, &source->argument_bytes, error);
    if (result == DUNLIN_OK && transport->ranks > 1) open_on_all(source, transport);
    return result;
}

static bool take_at(void *context, void *bytes, size_t count, uint64_t at) {
    checkpoint_source *source = context;
    if (at + count > source->end) source->end = at + count;
    return dun_read_at(fileno(source->file), bytes, count, (off_t)at) == (ssize_t)count;
}

static dunlin_result open_simulation(checkpoint_source *source, run_context *run, dunlin_error *error) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.threads = run->options->build.threads;
    def.kernel = run->options->build.kernel;
    def.transport = &run->transport;
    dunlin_result result;
    if (source->in_parts) {
        result = dunlin_simulation_open_parts(&def, take_at, source, &run->scenario, &run->simulation, error);
        fseeko(source->file, (off_t)source->end, SEEK_SET);
    } else {
        if (source->file) rewind(source->file);
        result = dunlin_simulation_open_from(&def, take, source->file, &run->scenario, &run->simulation, error);
    }
    if (result == DUNLIN_OK) run->world = dunlin_simulation_world(run->simulation);
    if (result == DUNLIN_OK) result = on_first(run, run->meter.measures[METRICS_DISPLACEMENT], restore_rest, source, error);
    if (result != DUNLIN_ERROR_FILE) return result;
    const dunlin_error inner = *error;
    return fail(source->path, inner.message, error);
}

dunlin_result checkpoint_restore(checkpoint_source *source, run_context *run, dunlin_error *error) {
    dunlin_result result = open_simulation(source, run, error);
    if (result != DUNLIN_OK) return result;
    run->totals = source->totals;
    run->marks = source->marks;
    return run_set_steps(run, error);
}

void checkpoint_close(checkpoint_source *source) {
    if (source->file) fclose(source->file);
    free(source->marks.texts);
    free(source->arguments);
}
