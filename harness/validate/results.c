/* SPDX-License-Identifier: MIT */
#include "harness/validate/results.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] = "commit,size,model,trial,sample,first,second\n";

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

/* Takes the next field; *rest is what follows its comma or line end. NULL: there is none. */
static char *take(char **rest) {
    char *field = *rest, *end = field ? strpbrk(field, ",\n") : NULL;
    if (!end) return NULL;
    *rest = end + 1;
    *end = '\0';
    return field;
}

static int find(const trial_list *list, const char *kind, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(kind, trial_kind_name(list->at[i].kind)) == 0 && strcmp(name, list->at[i].name) == 0) return i;
    return -1;
}

static bool take_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0';
}

/* Ignores a line that was cut short or that belongs to something else. Marks the samples in `found`. */
static void take_line(trial_results *results, const results_stamp *stamp, char *line, bool found[TRIALS][TRIAL_SAMPLES]) {
    enum { FIELDS = 7 };
    char *field[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        field[i] = take(&line);
        if (!field[i]) return;
    }
    if (strcmp(field[0], stamp->commit) != 0 || strcmp(field[1], stamp->size) != 0) return;
    const int i = find(&results->list, field[2], field[3]);
    double number, figure[TRIAL_FIGURES];
    if (!take_number(field[4], &number) || !take_number(field[5], &figure[0]) || !take_number(field[6], &figure[1])) return;
    if (i < 0 || !(number >= 0.0 && number < results->list.at[i].samples)) return;
    const int sample = (int)number;
    results->of[i].samples[sample] = (trial_sample){{figure[0], figure[1]}};
    found[i][sample] = true;
}

static void mark(trial_results *results, bool found[TRIALS][TRIAL_SAMPLES]) {
    for (int i = 0; i < results->list.count; i++) {
        results->of[i].is_there = true;
        for (int s = 0; s < results->list.at[i].samples; s++) results->of[i].is_there &= found[i][s];
    }
}

static dunlin_result fail(const char *what, const char *path, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot %s %s: %s", what, path, problem);
}

dunlin_result results_read(trial_results *results, const char *path, const results_stamp *stamp, dunlin_error *error) {
    bool found[TRIALS][TRIAL_SAMPLES] = {{false}};
    char line[256] = "";
    FILE *file = fopen(path, "r");
    if (!file) return errno == ENOENT ? DUNLIN_OK : fail("read", path, strerror(errno), error);
    const bool has_header = fgets(line, sizeof line, file) && strcmp(line, header) == 0;
    /* A run on a full disk leaves a file that ends within the header. */
    const bool is_ours = has_header || (feof(file) && strncmp(line, header, strlen(line)) == 0);
    while (has_header && fgets(line, sizeof line, file)) take_line(results, stamp, line, found);
    const int problem = ferror(file) ? errno : 0;
    fclose(file);
    if (problem != 0) return fail("read", path, strerror(problem), error);
    if (!is_ours) return fail("read", path, "it is not a file of dunlin validate", error);
    mark(results, found);
    return DUNLIN_OK;
}

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

/* Removes a line that was cut short. If it were ended here, it would be read as whole, with a wrong last number. */
static bool begin(FILE *file) {
    if (fseek(file, 0, SEEK_END) != 0) return false;
    long end = ftell(file);
    while (end > 0 && (fseek(file, end - 1, SEEK_SET) != 0 || fgetc(file) != '\n')) end--;
    if (ftruncate(fileno(file), end) != 0 || fseek(file, 0, SEEK_END) != 0) return false;
    return end > 0 || fputs(header, file) >= 0;
}

dunlin_result results_append(const char *path, const results_stamp *stamp, const trial *t, const trial_sample *samples,
                             dunlin_error *error) {
    FILE *file = fopen(path, "a+");
    if (!file) return fail("append to", path, strerror(errno), error);
    bool is_written = begin(file);
    for (int i = 0; i < t->samples && is_written; i++) {
        const double *figure = samples[i].figure;
        const char *const texts[] = {stamp->commit, stamp->size, trial_kind_name(t->kind), t->name};
        for (int text = 0; text < 4; text++) csv_text(file, texts[text]);
        csv_count(file, (uint64_t)i);
        for (int f = 0; f < TRIAL_FIGURES; f++) csv_exact_number(file, figure[f]);
        csv_end_row(file);
        is_written = !ferror(file);
    }
    is_written = fclose(file) == 0 && is_written;
    return is_written ? DUNLIN_OK : fail("append to", path, strerror(errno), error);
}
