/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/options.h"
#include "harness/command/scenario_find.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/sweep/plan.h"

#include <dunlin/scenario.h>

#include <stdlib.h>
#include <string.h>

typedef struct finding {
    size_t number; /* in the order in which they were found */
    bool is_mistake;
    uint32_t line;
    char *message;
} finding;

typedef struct report {
    finding *findings;
    size_t count;
    int mistakes, unused; /* of all files */
    bool lost;            /* out of memory */
} report;

static void add_finding(void *user, const dunlin_scenario_finding *found) {
    report *to = user;
    finding *grown = realloc(to->findings, (to->count + 1) * sizeof *grown);
    char *message = strdup(found->message);
    to->lost = to->lost || !grown || !message;
    if (grown) to->findings = grown;
    if (to->lost) {
        free(message);
        return;
    }
    to->findings[to->count] = (finding){to->count, found->is_mistake, found->line, message};
    to->count++;
}

static void print_line(const char *name) {
    message_write(stdout, "%s: no mistakes", name);
    putchar('\n');
}

/* By line, and those of a line as they were found. */
static int compare(const void *a, const void *b) {
    const finding *first = a, *second = b;
    if (first->line != second->line) return first->line < second->line ? -1 : 1;
    return first->number < second->number ? -1 : 1;
}

/* As compilers do: "flock.yaml:3: warning: fields[0]: nothing uses it" */
static void print_finding(const char *name, const finding *found) {
    char where[32];
    snprintf(where, sizeof where, ":%u: ", found->line);
    const size_t length = strlen(name) + strlen(where);
    const bool has_line =
        strncmp(found->message, name, strlen(name)) == 0 && strncmp(found->message + strlen(name), where, strlen(where)) == 0;
    if (found->is_mistake || !has_line)
        message_write(stdout, "%s%s", found->is_mistake ? "" : "warning: ", found->message);
    else
        message_write(stdout, "%s%swarning: %s", name, where, found->message + length);
    putchar('\n');
}

static void print_all(report *of, const char *name) {
    if (of->count > 1) qsort(of->findings, of->count, sizeof *of->findings, compare);
    for (size_t i = 0; i < of->count; i++) {
        print_finding(name, &of->findings[i]);
        of->mistakes += of->findings[i].is_mistake;
        of->unused += !of->findings[i].is_mistake;
        free(of->findings[i].message);
    }
    if (of->count == 0) print_line(name);
    free(of->findings);
    of->findings = NULL;
    of->count = 0;
}

/* `scenario` is a field that only studies have. */
static bool is_study(const char *text, size_t length) {
    static const char field[] = "scenario:";
    const size_t wanted = sizeof field - 1;
    for (const char *at = text, *end = text + length; at && (size_t)(end - at) >= wanted;) {
        if (memcmp(at, field, wanted) == 0) return true;
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) at++;
    }
    return false;
}

static dunlin_result check_study(const char *name, const char *text, size_t length, dunlin_error *error) {
    sweep_plan plan;
    const dunlin_result result = sweep_plan_make_of(&plan, name, text, length, false, NULL, error);
    sweep_plan_free(&plan);
    return result;
}

/* It is read once, since it may be a pipe. */
static dunlin_result check_path(const char *path, const dunlin_scenario_def *def, dunlin_scenario **scenario,
                                dunlin_error *error) {
    char *text;
    size_t length;
    dunlin_result result = input_read_text("the scenario", path, &text, &length, error);
    if (result == DUNLIN_OK)
        result = is_study(text, length) ? check_study(def->name, text, length, error)
                                        : dunlin_scenario_open_text(text, length, def, scenario, error);
    free(text);
    return result;
}

static void check_file(const char *file, dunlin_scenario_def def, report *to) {
    dunlin_scenario *scenario = NULL;
    dunlin_error error = {DUNLIN_OK, ""};
    char *path = NULL;
    dunlin_result result = scenario_find(file, &path, &error);
    def.name = path ? input_name(path) : file;
    if (result == DUNLIN_OK) result = check_path(path, &def, &scenario, &error);
    /* A file that is no YAML, or not there at all, has one mistake. */
    if (result != DUNLIN_OK && to->count == 0) add_finding(to, &(dunlin_scenario_finding){true, 0, error.message});
    print_all(to, def.name);
    dunlin_scenario_close(scenario);
    free(path);
}

int command_check(int argc, const char **argv) {
    report all = {.findings = NULL};
    dunlin_scenario_def def = dunlin_scenario_def_default();
    option_values read;
    int status;
    def.report = add_finding;
    def.report_user = &all;
    const option_row rows[] = {
        ROW("allow-outside", OPTION_FLAG, &def.allow_outside, NULL, "let the scenarios name files outside their own folders")};
    if (options_read(&read, argc, argv, rows, sizeof rows / sizeof *rows, "FILE...", &status)) {
        for (int i = 0; i < read.arguments.count; i++) check_file(read.arguments.items[i], def, &all);
        status = all.mistakes > 0 || all.lost ? EXIT_RUNTIME : EXIT_OK;
    }
    options_free(&read);
    return status;
}
