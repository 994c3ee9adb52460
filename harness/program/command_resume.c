/* SPDX-License-Identifier: MIT */
/*
 * Continues a run from its checkpoint. A checkpoint has the arguments of its run, and those that may differ are added after
 * them: of an option that is given twice, the last value counts. So no option needs code of its own here.
 */
#include "harness/command/commands.h"
#include "harness/command/ranks.h"
#include "harness/program/checkpoint.h"
#include "harness/report/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS = 10 };

/* What the command line says; it is checked as part of the run's arguments. */
typedef struct resume_options {
    option_values read;
    const char *texts[OPTIONS];
    bool flags[OPTIONS];
    option_list added; /* as "--NAME=VALUE" */
} resume_options;

static bool add_given(resume_options *resume, const option_row rows[OPTIONS]) {
    bool done = true;
    for (int i = 0; i < OPTIONS && done; i++) {
        char *text = NULL;
        if (resume->texts[i] && asprintf(&text, "--%s=%s", rows[i].name, resume->texts[i]) < 0) text = NULL;
        if (resume->flags[i] && asprintf(&text, "--%s", rows[i].name) < 0) text = NULL;
        if (resume->texts[i] || resume->flags[i]) done = option_list_add(&resume->added, text);
    }
    return done;
}

static bool read_options(resume_options *resume, int argc, const char **argv, int *status) {
    *resume = (resume_options){.added = {.count = 0}};
    const char **texts = resume->texts;
    bool *flags = resume->flags;
    const option_row rows[OPTIONS] = {
        ROW("steps", OPTION_TEXT, &texts[0], "N", "end after N steps, counted from the beginning of the run"),
        ROW("threads", OPTION_TEXT, &texts[1], "N", "use N threads"),
        ROW("kernel", OPTION_TEXT, &texts[2], "NAME", "use this kernel (dunlin kernels lists them)"),
        ROW("final", OPTION_TEXT, &texts[3], "STATE.csv", "write the agents after the last step; - is standard output"),
        ROW("picture", OPTION_TEXT, &texts[4], "FILE.png", "draw the agents after the last step; - is standard output"),
        ROW("checkpoint", OPTION_TEXT, &texts[5], "FILE", "write the next checkpoints to this file"),
        ROW("checkpoint-every", OPTION_TEXT, &texts[6], "N", "write one every N steps, or after a time such as 10min"),
        ROW("hash", OPTION_FLAG, &flags[7], NULL, "print the hash of the last state"),
        ROW("watch", OPTION_FLAG, &flags[8], NULL, "draw the run in the terminal"),
        ROW_QUIET(&flags[9]),
    };
    if (!options_read(&resume->read, argc, argv, rows, OPTIONS, "FILE", status)) return false;
    if (add_given(resume, rows)) return true;
    message_print("no memory for the options");
    *status = EXIT_RUNTIME;
    return false;
}

/* "dunlin resume", the arguments of the run, and the given ones. */
static const char **join_arguments(const resume_options *resume, const checkpoint_source *from, const char *title, int *count) {
    const char *const end = from->arguments + from->argument_bytes;
    const char **all = calloc(from->argument_bytes + (size_t)resume->added.count + 2, sizeof *all);
    int made = 0;
    if (!all) return NULL;
    all[made++] = title;
    for (const char *text = from->arguments; text < end; text += strlen(text) + 1) all[made++] = text;
    for (int i = 0; i < resume->added.count; i++) all[made++] = resume->added.items[i];
    *count = made;
    return all;
}

static int run_on(const resume_options *resume, const char *title) {
    checkpoint_source from;
    run_options options = {.scenario = NULL};
    dunlin_error error;
    int count = 0, status = EXIT_RUNTIME;
    const command_ranks *all = ranks_here();
    const dunlin_transport transport = all->lowest(all->context, all->ranks);
    dunlin_result result = checkpoint_open(&from, resume->read.argument, &transport, &error);
    const char **arguments = result == DUNLIN_OK ? join_arguments(resume, &from, title, &count) : NULL;
    if (result == DUNLIN_OK && !arguments) result = bench_fail(&error, DUNLIN_ERROR_MEMORY, "no memory for the options");
    result = dunlin_agree(&transport, result, &error);
    if (result != DUNLIN_OK)
        message_print("%s", error.message);
    else if (run_options_read(&options, count, arguments, &status))
        status = run_advance(&options, &from);
    run_options_free(&options);
    free(arguments);
    checkpoint_close(&from);
    return status;
}

int command_resume(int argc, const char **argv) {
    resume_options resume;
    int status;
    if (read_options(&resume, argc, argv, &status)) status = run_on(&resume, argv[0]);
    option_list_free(&resume.added);
    options_free(&resume.read);
    return status;
}
