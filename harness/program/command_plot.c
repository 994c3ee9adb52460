/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/options.h"
#include "harness/program/metrics_plot.h"
#include "harness/report/claim.h"
#include "harness/report/gnuplot.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/scenario/words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TITLE_LENGTH = 56 }; /* beside the steps */

typedef struct plot_options {
    const char *input, *output, *columns, *title;
    option_values read;
} plot_options;

/* The last part of a path, without its ending. The caller frees it. */
static char *copy_stem(const char *path) {
    const char *name = path_name(path);
    if (input_is_stdin(path)) return strdup("metrics");
    return strndup(name, (size_t)path_length_before_ending(name));
}

static bool ends_with(const char *path, const char *ending) {
    const size_t length = strlen(path), wanted = strlen(ending);
    return length >= wanted && strcasecmp(path + length - wanted, ending) == 0;
}

static bool check_output(const char *path) {
    return !path || output_file_is_stdout(path) || ends_with(path, ".svg") || ends_with(path, ".png") ||
           ends_with(path, ".gp") ||
           option_reject("output", path,
                         "FILE.svg, FILE.png, FILE.gp for a script of gnuplot, or - for SVG on standard output");
}

static dunlin_result fail_column(const metrics_file *file, const char *name, int length, dunlin_error *error) {
    char wrong[64], allowed[WORDS_LENGTH];
    snprintf(wrong, sizeof wrong, "%.*s", length, name);
    words all = {.wanted = wrong};
    for (int i = 1; i < file->columns; i++) dun_words_add(&all, file->names[i]);
    return bench_fail(error, DUNLIN_ERROR_VALUE, "--columns is '%s'; %s, with commas between", wrong,
                      dun_words_say(&all, allowed));
}

static dunlin_result choose_columns(metrics_plot *of, const char *wanted, dunlin_error *error) {
    if (!wanted && !metrics_plot_choose(of)) return bench_fail(error, DUNLIN_ERROR_FILE, "there are no numbers to draw");
    for (const char *at = wanted; at; at = *at == ',' ? at + 1 : NULL) {
        char name[64] = "";
        const size_t length = strcspn(at, ",");
        if (length < sizeof name) memcpy(name, at, length);
        const int column = metrics_file_find(of->file, name);
        if (column < 1) return fail_column(of->file, at, (int)length, error);
        if (!metrics_plot_has(of, column))
            return bench_fail(error, DUNLIN_ERROR_VALUE, "--columns is '%s', which has no numbers in this file", name);
        of->is_wanted[column] = true;
        at += length;
    }
    return DUNLIN_OK;
}

static dunlin_result draw(const metrics_plot *of, const char *path, dunlin_error *error) {
    char *script = NULL;
    size_t length = 0;
    output_file output = {0};
    FILE *to = open_memstream(&script, &length);
    if (to) metrics_plot_write(of, to);
    dunlin_result result = to && fclose(to) == 0 ? DUNLIN_OK : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a plot");
    if (result == DUNLIN_OK) result = output_file_open(&output, path, error);
    if (result == DUNLIN_OK && ends_with(path, ".gp"))
        fwrite(script, 1, length, output.stream);
    else if (result == DUNLIN_OK)
        result = plot_print(script, length, of->is_png ? "IEND" : "</svg>", output.stream, error);
    if (result == DUNLIN_OK) result = output_file_finish(&output, error);
    output_file_drop(&output);
    free(script);
    return result;
}

static dunlin_result read_metrics(const char *path, metrics_file *file, dunlin_error *error) {
    FILE *from;
    dunlin_result result = input_open(&from, "the file of metrics", path, error);
    if (result == DUNLIN_OK) result = metrics_file_read(from, input_name(path), file, error);
    if (from) fclose(from);
    return result;
}

/* "Metrics of starlings, hawks", or of 12 species */
static void describe(const metrics_file *file, char title[TITLE_LENGTH]) {
    const char *what = file->group_at < 0 ? "Metrics" : "Groups";
    words species = {0};
    int count = 0;
    for (int s = 0; s < file->series_count; s++) {
        if (file->series[s].species_number == count) dun_words_add(&species, file->series[s].species), count++;
    }
    const bool is_named = file->species_at >= 0;
    const int length = snprintf(title, TITLE_LENGTH, "%s%s%s", what, is_named ? " of " : "", is_named ? species.list : "");
    if (length >= TITLE_LENGTH) snprintf(title, TITLE_LENGTH, "%s of %d species", what, count);
}

static dunlin_result plot_file(const plot_options *options, dunlin_error *error) {
    metrics_file file = {.columns = 0};
    char *stem = copy_stem(options->input), *path = NULL;
    if (stem && asprintf(&path, "%s.svg", stem) < 0) path = NULL;
    metrics_plot drawn = {.file = &file};
    const char *to = options->output ? options->output : path;
    dunlin_result result =
        path ? read_metrics(options->input, &file, error) : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a plot");
    if (result == DUNLIN_OK) result = claim_output("--output", to, error);
    if (result == DUNLIN_OK) result = choose_columns(&drawn, options->columns, error);
    if (result == DUNLIN_OK) {
        char title[TITLE_LENGTH];
        describe(&file, title);
        drawn.title = options->title ? options->title : title;
        drawn.is_png = ends_with(to, ".png");
        result = draw(&drawn, to, error);
    }
    metrics_file_free(&file);
    free(stem);
    free(path);
    return result;
}

int command_plot(int argc, const char **argv) {
    plot_options options = {.output = NULL};
    dunlin_error error;
    int status;
    const option_row rows[] = {
        ROW("output", OPTION_TEXT, &options.output, "FILE",
            "write this FILE.svg or FILE.png, or FILE.gp, a script of gnuplot; - is SVG on standard output; default: "
            "METRICS.svg here"),
        ROW("columns", OPTION_TEXT, &options.columns, "NAMES",
            "draw these columns of the file, with commas between; default: those that change"),
        ROW("title", OPTION_TEXT, &options.title, "TEXT", "what stands above; default: the names of the species"),
    };
    if (options_read(&options.read, argc, argv, rows, sizeof rows / sizeof *rows, "METRICS.csv", &status)) {
        options.input = options.read.argument;
        status = check_output(options.output) ? command_end(plot_file(&options, &error), &error, NULL) : EXIT_USAGE;
    }
    options_free(&options.read);
    return status;
}
