/* SPDX-License-Identifier: MIT */
#include "harness/command/options.h"
#include "harness/command/commands.h"
#include "harness/command/help.h"
#include "harness/report/claim.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/report/numerals.h"
#include "harness/scenario/words.h"

#include <popt.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP = OPTION_ROWS + 1 };

/* ---- values ----------------------------------------------------------------------------------------------------------- */

/* What is allowed may be a list, of which the text may be a misspelled word. */
bool option_reject(const char *option, const char *text, const char *allowed) {
    char list[512], meant[WORDS_LENGTH], *rest = list, *word;
    words all = {.wanted = text};
    snprintf(list, sizeof list, "%s", allowed);
    while ((word = strsep(&rest, ","))) dun_words_add(&all, word + strspn(word, " "));
    message_print("--%s is '%s'; %sallowed: %s", option, text, dun_words_meant(&all, "", meant), allowed);
    return false;
}

static bool read_whole(const option_row *row, const char *text) {
    uint64_t value;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "a whole number, %" PRIu64 " .. %" PRIu64, row->low, row->high);
    if (!number_parse(text, row->low, row->high, &value)) return option_reject(row->name, text, allowed);
    if (row->kind == OPTION_INT)
        *(int *)row->to = (int)value;
    else if (row->kind == OPTION_UINT32)
        *(uint32_t *)row->to = (uint32_t)value;
    else
        *(uint64_t *)row->to = value;
    return true;
}

static bool read_real(const option_row *row, const char *text) {
    char allowed[80], point[40];
    snprintf(allowed, sizeof allowed, "a number, %g .. %g", row->min, row->max);
    if (number_parse_decimal(text, row->min, row->max, row->to)) return true;
    if (!comma_numeral(text, point, sizeof point)) return option_reject(row->name, text, allowed);
    message_print("--%s is '%s': write %s", row->name, text, point);
    return false;
}

static bool read_dimensions(const option_row *row, const char *text) {
    bool *dimensions = row->to, is_both = strcmp(text, "both") == 0;
    dimensions[2] = is_both || strcmp(text, "2") == 0;
    dimensions[3] = is_both || strcmp(text, "3") == 0;
    return dimensions[2] || dimensions[3] || option_reject(row->name, text, "2, 3, both");
}

static bool reject_names(const option_row *row, const char *name, size_t name_length) {
    char allowed[256] = "", wrong[64];
    snprintf(wrong, sizeof wrong, "%.*s", (int)name_length, name);
    for (int i = 0; i < row->name_count; i++) {
        size_t length = strlen(allowed);
        snprintf(allowed + length, sizeof allowed - length, "%s, ", row->names[i]);
    }
    return option_reject(row->name, wrong, strcat(allowed, "with commas between"));
}

static bool read_names(const option_row *row, const char *text) {
    bool *wanted = row->to;
    memset(wanted, 0, (size_t)row->name_count * sizeof *wanted);
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        int i = 0;
        while (i < row->name_count && (strlen(row->names[i]) != length || strncmp(row->names[i], at, length) != 0)) i++;
        if (i == row->name_count) return length == 0 ? reject_names(row, text, strlen(text)) : reject_names(row, at, length);
        wanted[i] = true;
        at += length;
        if (*at == '\0') return true;
    }
}

static bool read_value(const option_row *row, const char *text) {
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->to = true;
        return true;
    case OPTION_TEXT:
        *(const char **)row->to = text;
        return true;
    case OPTION_REAL:
        return read_real(row, text);
    case OPTION_NAMES:
        return read_names(row, text);
    case OPTION_DIMENSIONS:
        return read_dimensions(row, text);
    default:
        return read_whole(row, text);
    }
}

dunlin_result options_claim_outputs(const char *json, const char *csv, dunlin_error *error) {
    const dunlin_result result = claim_output("--json", json, error);
    return result == DUNLIN_OK ? claim_output("--csv", csv, error) : result;
}

/* ---- the command line ------------------------------------------------------------------------------------------------- */

static int fail(const char *command, const char *problem, const char *word) {
    message_print("%s%s; see %s --help", problem, word, command);
    return EXIT_USAGE;
}

/* --name, of which --name=value is a use */
static int fail_unknown(const char *command, const char *option, const option_row *rows, int count) {
    char name[64], meant[WORDS_LENGTH];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(option, "="), option);
    words all = {.wanted = name + strspn(name, "-")};
    for (int i = 0; i < count; i++)
        if (rows[i].name) dun_words_add(&all, rows[i].name);
    message_print("unknown option '%s'; %ssee %s --help", name, dun_words_meant(&all, "--", meant), command);
    return EXIT_USAGE;
}

static bool takes_several(const char *argument) {
    const char *dots = argument ? strstr(argument, "...") : NULL;
    return dots && dots[3] == '\0';
}

bool option_list_add(option_list *list, char *text) {
    char **items = text ? realloc(list->items, (size_t)(list->count + 1) * sizeof *items) : NULL;
    if (!items) free(text);
    if (!items) return false;
    list->items = items;
    list->items[list->count++] = text;
    return true;
}

/* The arguments that are no options: one where the command takes one, or several, otherwise none. */
static int read_argument(option_values *read, poptContext context, const char *command, const char *argument) {
    const char **rest = poptGetArgs(context);
    int count = 0, wanted = argument ? 1 : 0;
    while (rest && rest[count]) count++;
    if (count < wanted) return fail(command, argument, " is missing");
    if (count > wanted && !takes_several(argument)) return fail(command, "one argument too many: ", rest[wanted]);
    if (argument) read->argument = strdup(rest[0]);
    for (int i = 0; i < count && takes_several(argument); i++) option_list_add(&read->arguments, strdup(rest[i]));
    return EXIT_OK;
}

static int read_all(option_values *read, poptContext context, const option_row *rows, int count, const char *command,
                    const char *argument) {
    bool given[OPTION_ROWS] = {false};
    int option;
    while ((option = poptGetNextOpt(context)) > 0 && option != HELP) {
        const int i = option - 1;
        char *text = poptGetOptArg(context);
        given[i] = true;
        if (rows[i].kind == OPTION_LIST) {
            option_list_add(&read->list[i], text);
            continue;
        }
        free(read->text[i]);
        read->text[i] = text;
    }
    if (option == HELP) return -1;
    if (option == POPT_ERROR_BADOPT) return fail_unknown(command, poptBadOption(context, POPT_BADOPTION_NOALIAS), rows, count);
    if (option < -1) {
        char problem[80];
        snprintf(problem, sizeof problem, "%s: ", poptStrerror(option));
        return fail(command, problem, poptBadOption(context, POPT_BADOPTION_NOALIAS));
    }
    int status = read_argument(read, context, command, argument);
    for (int i = 0; i < OPTION_ROWS && status == EXIT_OK; i++) {
        if (!given[i]) continue;
        if (rows[i].given) *rows[i].given = true;
        if (rows[i].kind == OPTION_LIST)
            *(option_list *)rows[i].to = read->list[i];
        else if (!read_value(&rows[i], read->text[i]))
            status = EXIT_USAGE;
    }
    return status;
}

bool options_read(option_values *read, int argc, const char **argv, const option_row *rows, int count, const char *argument,
                  int *status) {
    struct poptOption table[OPTION_ROWS + 2] = {{NULL, '\0', 0, NULL, 0, NULL, NULL}};
    *read = (option_values){0};
    int named = 0;
    for (int i = 0; i < count; i++) {
        const unsigned type = rows[i].kind == OPTION_FLAG ? POPT_ARG_NONE : POPT_ARG_STRING;
        if (rows[i].kind == OPTION_GROUP) continue;
        table[named++] = (struct poptOption){rows[i].name, '\0', type, NULL, i + 1, NULL, NULL};
    }
    table[named] = (struct poptOption){"help", 'h', POPT_ARG_NONE, NULL, HELP, NULL, NULL};
    poptContext context = poptGetContext(argv[0], argc, argv, table, 0);
    *status = read_all(read, context, rows, count, argv[0], argument);
    bool wants_help = *status < 0, proceeds = *status == EXIT_OK;
    if (wants_help) {
        help_print(argv[0], argument, NULL, NULL, 0, rows, count);
        *status = EXIT_OK;
    }
    poptFreeContext(context);
    return proceeds;
}

void option_list_free(option_list *list) {
    for (int i = 0; i < list->count; i++) free(list->items[i]);
    free(list->items);
}

void options_free(option_values *read) {
    for (int i = 0; i < OPTION_ROWS; i++) {
        option_list_free(&read->list[i]);
        free(read->text[i]);
    }
    option_list_free(&read->arguments);
    free(read->argument);
}
