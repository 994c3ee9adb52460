/* SPDX-License-Identifier: MIT */
#include "harness/validate/validate_options.h"
#include "harness/command/commands.h"

#include <string.h>

enum { OPTION_ONLY = OPTION_HELP + 1, OPTION_THREADS, OPTION_OUTPUT, OPTION_PAGE, OPTION_QUICK, OPTION_FRESH };

static const struct poptOption options_table[] = {
    TEXT_OPTION("only", OPTION_ONLY, "only these, commas between: circles, vicsek, couzin, topological, matching", "NAMES"),
    TEXT_OPTION("threads", OPTION_THREADS, "use N threads for large flocks; 0, the default: one a processor", "N"),
    TEXT_OPTION("output", OPTION_OUTPUT,
                "leave validation.csv and plots here, and go on from what is there by the same commit; default: validation",
                "FOLDER"),
    TEXT_OPTION("page", OPTION_PAGE, "write the tables of this page anew, docs/validation.md", "FILE.md"),
    FLAG_OPTION("fresh", OPTION_FRESH, "begin anew: forget what is in the folder's validation.csv"),
    FLAG_OPTION("quick", OPTION_QUICK, "everything small, within wider bounds: seconds instead of minutes"),
    COMMAND_LINE_HELP,
    POPT_TABLEEND};

static bool find_kind(const char *text, size_t length, int *kind) {
    for (*kind = 0; *kind < TRIAL_KINDS; ++*kind) {
        const char *name = trial_kind_name((trial_kind)*kind);
        if (strlen(name) == length && strncmp(text, name, length) == 0) return true;
    }
    return false;
}

static bool read_kinds(validate_options *options) {
    const char *text = options->line.text[OPTION_ONLY];
    for (int i = 0; i < TRIAL_KINDS; i++) options->kinds[i] = !text;
    while (text) {
        int kind;
        const size_t length = strcspn(text, ",");
        if (!find_kind(text, length, &kind)) {
            return command_line_reject("only", options->line.text[OPTION_ONLY],
                                       "circles, vicsek, couzin, topological, matching, commas between");
        }
        options->kinds[kind] = true;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return true;
}

/* The page is of figures that are compared with what was published. */
static bool read_page(validate_options *options) {
    options->page = options->line.text[OPTION_PAGE];
    return !options->page || !options->quick ||
           command_line_reject("page", options->page, "none with --quick, whose figures are not for the page");
}

bool validate_options_read(validate_options *options, int argc, const char **argv, int *status) {
    *options = (validate_options){.output = "validation"};
    if (!command_line_read(&options->line, argc, argv, options_table, NULL, status)) return false;
    uint64_t threads = 0;
    options->quick = options->line.given[OPTION_QUICK];
    options->fresh = options->line.given[OPTION_FRESH];
    if (options->line.text[OPTION_OUTPUT]) options->output = options->line.text[OPTION_OUTPUT];
    const bool valid = read_kinds(options) && read_page(options) &&
                       command_line_number(&options->line, OPTION_THREADS, "threads", 0, 1024, &threads);
    options->threads = (int)threads;
    *status = valid ? EXIT_OK : EXIT_USAGE;
    return valid;
}

void validate_options_free(validate_options *options) {
    command_line_free(&options->line);
}
