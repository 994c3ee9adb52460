/* SPDX-License-Identifier: MIT */
#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *command, const char *problem, const char *word) {
    message_print("%s%s; see %s --help", problem, word, command);
    return EXIT_USAGE;
}

static void keep(command_line *line, int option, char *text) {
    line->given[option] = true;
    free(line->text[option]);
    line->text[option] = text;
}

/* The arguments that are no options: one where the command takes one, otherwise none. */
static int read_argument(command_line *line, poptContext context, const char *command, const char *argument) {
    const char **rest = poptGetArgs(context);
    int count = 0;
    while (rest && rest[count]) count++;
    if (argument && count == 0) return fail(command, argument, " is missing");
    int wanted = argument ? 1 : 0;
    if (count > wanted) return fail(command, "one argument too many: ", rest[wanted]);
    if (argument) line->argument = strdup(rest[0]);
    return EXIT_OK;
}

static bool read_all(command_line *line, poptContext context, const char *command, const char *argument, int *status) {
    int option;
    while ((option = poptGetNextOpt(context)) > 0) keep(line, option, poptGetOptArg(context));
    if (option < -1) {
        char problem[80];
        snprintf(problem, sizeof problem, "%s: ", poptStrerror(option));
        *status = fail(command, problem, poptBadOption(context, POPT_BADOPTION_NOALIAS));
        return false;
    }
    if (line->given[OPTION_HELP]) {
        poptPrintHelp(context, stdout, 0);
        *status = EXIT_OK;
        return false;
    }
    *status = read_argument(line, context, command, argument);
    return *status == EXIT_OK;
}

bool command_line_read(command_line *line, int argc, const char **argv, const struct poptOption *options, const char *argument,
                       int *status) {
    *line = (command_line){0};
    poptContext context = poptGetContext(argv[0], argc, argv, options, 0);
    if (argument) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s [OPTION...]", argument);
        poptSetOtherOptionHelp(context, usage);
    }
    bool proceed = read_all(line, context, argv[0], argument, status);
    poptFreeContext(context);
    return proceed;
}

void command_line_free(command_line *line) {
    for (int i = 0; i < COMMAND_LINE_OPTIONS; i++) free(line->text[i]);
    free(line->argument);
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

bool command_line_reject(const char *option, const char *text, const char *allowed) {
    message_print("--%s is '%s'; allowed: %s", option, text, allowed);
    return false;
}

bool command_line_number(const command_line *line, int option, const char *name, uint64_t low, uint64_t high, uint64_t *value) {
    const char *text = line->text[option];
    if (!text || number_parse(text, low, high, value)) return true;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "a whole number, %" PRIu64 " .. %" PRIu64, low, high);
    return command_line_reject(name, text, allowed);
}

bool command_line_decimal(const command_line *line, int option, const char *name, double low, double high, double *value) {
    const char *text = line->text[option];
    if (!text || number_parse_decimal(text, low, high, value)) return true;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "a number, %g .. %g", low, high);
    return command_line_reject(name, text, allowed);
}
