/* SPDX-License-Identifier: MIT */
/* Makes files for other programs of the frames of a trajectory. */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/options.h"
#include "harness/command/progress.h"
#include "harness/report/claim.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/report/numbers.h"
#include "harness/scenario/words.h"
#include "harness/export/export.h"
#include "harness/trajectory/reader.h"
#include "harness/trajectory/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options ---------------------------------------------------------------------------------------------------------- */

typedef struct step_range {
    uint64_t first, last, every;
} step_range;

typedef struct export_options {
    const char *path, *to, *output, *steps;
    const export_format *format;
    step_range range;
    bool quiet;
    option_values read; /* owns the strings */
} export_options;

static bool read_bound(const char *text, size_t length, uint64_t low, uint64_t *value) {
    char word[24] = "";
    if (length == 0) return true; /* the default */
    if (length >= sizeof word) return false;
    memcpy(word, text, length);
    return number_parse(word, low, UINT64_MAX, value);
}

/* "A:B:C", each of which may be missing, or "A" */
static bool read_steps(const char *text, step_range *range) {
    *range = (step_range){0, UINT64_MAX, 1};
    if (!text) return true;
    const char *second = strchr(text, ':'), *third = second ? strchr(second + 1, ':') : NULL;
    bool is_valid = second ? read_bound(text, (size_t)(second - text), 0, &range->first) : *text != '\0';
    if (!second) {
        is_valid = is_valid && read_bound(text, strlen(text), 0, &range->first);
        range->last = range->first;
    } else {
        is_valid =
            is_valid && read_bound(second + 1, third ? (size_t)(third - second - 1) : strlen(second + 1), 0, &range->last);
        is_valid = is_valid && (!third || read_bound(third + 1, strlen(third + 1), 1, &range->every));
    }
    return (is_valid && range->first <= range->last) ||
           option_reject("steps", text, "A:B:C, the steps from A to B, every C-th; A:B; or one step");
}

static bool reject_format(const char *text) {
    words all = {0};
    for (int i = 0; export_format_at(i); i++) dun_words_add(&all, export_format_at(i)->name);
    if (text) return option_reject("to", text, all.list);
    message_print("--to is missing; allowed: %s", all.list);
    return false;
}

static bool check(export_options *options) {
    options->format = options->to ? export_format_find(options->to) : NULL;
    if (!options->format) return reject_format(options->to);
    if (!read_steps(options->steps, &options->range)) return false;
    const bool is_piped = output_file_is_stdout(options->output);
    if (is_piped && options->format->is_folder)
        return option_reject("output", options->output, "a folder that is new or empty");
    return !is_piped || !options->format->is_binary || option_reject("output", options->output, "a file");
}

static bool read_options(export_options *options, int argc, const char **argv, int *status) {
    const option_row rows[] = {
        ROW_WORDS(
            "to", OPTION_TEXT, &options->to, "FORMAT", "vtkhdf xyz lammps gsd csv",
            "vtkhdf (ParaView), xyz (OVITO, ASE), lammps (OVITO, MDAnalysis, LAMMPS), gsd (OVITO, freud) or csv (tables)"),
        ROW("output", OPTION_TEXT, &options->output, "FILE",
            "write here, for vtkhdf into a folder; - is standard output; default: here, RUN_export.csv for RUN.h5"),
        ROW("steps", OPTION_TEXT, &options->steps, "A:B:C",
            "only frames of the steps from A to B, every C-th of them; each may be left out; one number: only that step"),
        ROW_QUIET(&options->quiet),
    };
    *options = (export_options){0};
    if (!options_read(&options->read, argc, argv, rows, sizeof rows / sizeof *rows, "TRAJECTORY", status)) return false;
    options->path = options->read.argument;
    const bool is_valid = check(options);
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}

/* ---- frames ----------------------------------------------------------------------------------------------------------- */

static bool is_wanted(const step_range *range, uint64_t step) {
    return step >= range->first && step <= range->last && (step - range->first) % range->every == 0;
}

static uint64_t count_frames(const trajectory_reader *from, const step_range *range) {
    uint64_t count = 0;
    for (uint64_t f = 0; f < reader_info(from)->frames; f++) count += is_wanted(range, reader_step(from, f));
    return count;
}

static dunlin_result fail_steps(const trajectory_reader *from, const export_options *options, dunlin_error *error) {
    char frames[STEPS_TEXT];
    steps_describe(from, options->range.first, options->range.last, frames);
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.100s has no frame at --steps %.60s; %s", options->path, options->steps,
                      frames);
}

static dunlin_result add_frames(exporter *e, trajectory_reader *from, const export_options *options, dunlin_error *error) {
    const uint64_t wanted = count_frames(from, &options->range);
    run_progress progress = progress_begin("frame", wanted, !options->quiet);
    dunlin_result result = DUNLIN_OK;
    uint64_t done = 0;
    for (uint64_t f = 0; done < wanted && result == DUNLIN_OK && interrupt_signal() == 0; f++) {
        const trajectory_frame *frame;
        if (!is_wanted(&options->range, reader_step(from, f))) continue;
        result = reader_read(from, f, &frame, error);
        if (result == DUNLIN_OK) result = export_add(options->format, e, frame, error);
        progress_update(&progress, ++done, 0);
    }
    progress_end(&progress);
    return result;
}

/* ---- where it goes ---------------------------------------------------------------------------------------------------- */

/* "run_export.xyz" for "data/run.h5": run.csv may be the metrics of the same run. */
static char *default_output(const char *path, const char *ending) {
    const char *name = input_is_stdin(path) ? "simulation" : path_name(path);
    char *made;
    return asprintf(&made, "%.*s_export%s", path_length_before_ending(name), name, ending) < 0 ? NULL : made;
}

/* Everything is made, or nothing is left; an interrupted export is nothing. */
static dunlin_result write_all(exporter *e, trajectory_reader *from, const export_options *options, dunlin_error *error) {
    const export_format *format = options->format;
    dunlin_result result = format->begin ? format->begin(e, error) : DUNLIN_OK;
    if (result == DUNLIN_OK) result = add_frames(e, from, options, error);
    if (result == DUNLIN_OK && interrupt_signal() == 0 && format->end) result = format->end(e, error);
    return result;
}

static dunlin_result write_to(exporter *e, trajectory_reader *from, const export_options *options, const char *path,
                              dunlin_error *error) {
    const bool is_folder = options->format->is_folder;
    output_folder folder = {0};
    dunlin_result result = is_folder ? output_folder_open(&folder, path, error) : output_file_open(&e->file, path, error);
    e->folder = folder.temporary;
    if (result == DUNLIN_OK) result = write_all(e, from, options, error);
    if (result == DUNLIN_OK && interrupt_signal() == 0)
        result = is_folder ? output_folder_finish(&folder, error) : output_file_finish(&e->file, error);
    output_folder_drop(&folder);
    output_file_drop(&e->file);
    return result;
}

static dunlin_result export_frames(trajectory_reader *from, const export_options *options, dunlin_error *error) {
    const export_format *format = options->format;
    char *path = options->output ? strdup(options->output) : default_output(options->path, format->ending);
    exporter e = {.info = reader_info(from), .state = calloc(1, format->bytes + 1)};
    dunlin_result result = DUNLIN_OK;
    if (!path || !e.state)
        result = bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for an export");
    else if (count_frames(from, &options->range) == 0)
        result = fail_steps(from, options, error);
    else
        result = claim_output("--output", path, error);
    if (result == DUNLIN_OK) result = write_to(&e, from, options, path, error);
    if (e.state && format->drop) format->drop(&e);
    free(e.state);
    free(path);
    return result;
}

/* A trajectory in a pipe is copied; one in a file may grow while it is read. */
static dunlin_result open_trajectory(const char *path, trajectory_reader **from, dunlin_error *error) {
    FILE *stream;
    struct stat status;
    *from = NULL;
    dunlin_result result = input_open(&stream, "the trajectory", path, error);
    if (result != DUNLIN_OK) return result;
    const bool is_file = !input_is_stdin(path) && fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
    if (!is_file) result = input_make_seekable(&stream, path, error);
    if (result == DUNLIN_OK)
        result = is_file ? reader_open(path, from, error) : reader_open_copy(input_name(path), stream, from, error);
    if (stream) fclose(stream);
    return result;
}

int command_export(int argc, const char **argv) {
    export_options options;
    int status;
    if (read_options(&options, argc, argv, &status)) {
        trajectory_reader *from;
        dunlin_error error;
        dunlin_result result = open_trajectory(options.path, &from, &error);
        if (result == DUNLIN_OK) {
            interrupt_watch("frame");
            result = export_frames(from, &options, &error);
        }
        reader_close(from);
        status = command_end(result, &error, "export stopped; nothing was written");
    }
    options_free(&options.read);
    return status;
}
