/* SPDX-License-Identifier: MIT */
#include "harness/sweep/study.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/report/output_file.h"
#include "harness/scenario/tree.h"
#include "harness/scenario/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the fields ------------------------------------------------------------------------------------------------------- */

#define TEXT(from, to)   VALUE_TEXT, .min_count = from, .max_count = to
#define TEXTS(from, to)  VALUE_LIST, .of = VALUE_TEXT, .min_count = from, .max_count = to
#define DOUBLE           VALUE_NUMBER, .stored = STORED_DOUBLE
#define RANGE(from, to)  .min = from, .max = to
#define DEFAULT(value)   .has_default = true, .standard = value
#define TABLE(id, title) static const table id##_table = {title, NULL, id##_rows, (int)(sizeof id##_rows / sizeof *id##_rows)}

static const choice spacings[] = {{"linear", false}, {"log", true}, {NULL, 0}};

static const row range_rows[] = {
    {"from", DOUBLE, RANGE(-1e30, 1e30), .required = true, .range = "above 0 with `spacing: log`", .doc = "The first value."},
    {"to", DOUBLE, RANGE(-1e30, 1e30), .required = true, .range = "above `from`",
     .doc = "The last value; with `step`, no value is above it."},
    {"count", VALUE_WHOLE, RANGE(2, STUDY_VALUES), .one_of = true, .otherwise = "either this or `step`",
     .doc = "How many values there are, with equal distances or, with `spacing: log`, with equal ratios."},
    {"step", DOUBLE, RANGE(0, 1e30), .above = true, .one_of = true, .otherwise = "either this or `count`",
     .doc = "The distance between values."},
    {"spacing", VALUE_CHOICE, .choices = spacings, DEFAULT(false), .doc = "`log` needs a `count`."},
};
TABLE(range, "range");

static const row case_rows[] = {
    {"name", TEXT(1, STUDY_LABEL - 1), .required = true, .doc = "What the case is called in files, tables and plots."},
    {"set", TEXTS(1, 400), .required = true, .range = "`PATH=VALUE`",
     .doc = "Everything that this case sets in the scenario, such as `world.size=[50, 50]`."},
};
TABLE(case, "case");

static const row parameter_rows[] = {
    {"path", TEXT(1, DUNLIN_SCENARIO_PATH_LENGTH - 1), .otherwise = "with `cases` none, otherwise required",
     .range = "any path of the scenario", .doc = "What varies, such as `species.dunlins.max_speed` or `world.boundary`."},
    {"name", TEXT(1, STUDY_LABEL - 1), .otherwise = "the last part of `path`", .doc = "The name of its column in files."},
    {"label", TEXT(1, STUDY_TITLE - 1), .otherwise = "`name`", .doc = "What tables and plots call it, with its unit."},
    {"values", TEXTS(1, STUDY_VALUES), .any_scalar = true, .one_of = true, .otherwise = "one of these three",
     .range = "1 .. 1000 numbers or words; a list in quotes", .doc = "The values, as they would stand in the scenario."},
    {"range", VALUE_ENTRY, .table = &range_table, .one_of = true, .otherwise = "one of these three",
     .doc = "Numbers with equal distances or ratios, [below](#range)."},
    {"cases", VALUE_LIST, .of = VALUE_ENTRY, .table = &case_table, .min_count = 1, .max_count = STUDY_VALUES, .one_of = true,
     .otherwise = "one of these three", .doc = "Several settings that change together, [below](#case)."},
};
TABLE(parameter, "parameter");

static const row window_rows[] = {
    {"last", DOUBLE, RANGE(0, 1), .above = true, .otherwise = "0.5",
     .doc = "The share of the run that counts, from its end: 0.5 is its second half. At least the last state counts."},
    {"from", VALUE_WHOLE, RANGE(0, 1e12), .unit = "steps", .otherwise = "given by `last`",
     .doc = "Instead of `last`: the first step with a state that counts. Step 0 is the start."},
    {"to", VALUE_WHOLE, RANGE(0, 1e12), .unit = "steps", .otherwise = "the last step", .doc = "The last step that counts."},
    {"every", VALUE_WHOLE, RANGE(1, 1e12), .unit = "steps", DEFAULT(1),
     .doc =
         "Measure only the steps that are a multiple of this, and the first and last of the window. Measuring a step can take "
         "as long as running it."},
};
TABLE(window, "window");

static const row expect_rows[] = {
    {"at", TEXTS(1, STUDY_LABEL - 1), .any_scalar = true, .required = true, .range = "a value of each parameter",
     .doc = "Where: a value of each parameter, in their order."},
    {"published", DOUBLE, RANGE(-1e30, 1e30), .otherwise = "none",
     .doc = "The figure that was published, for tables and plots."},
    {"min", DOUBLE, RANGE(-1e30, 1e30), .otherwise = "no limit", .doc = "The smallest mean of the seeds that is allowed."},
    {"max", DOUBLE, RANGE(-1e30, 1e30), .otherwise = "no limit", .doc = "The largest one."},
};
TABLE(expect, "expect");

static const row measure_rows[] = {
    {"metric", TEXT(1, 63), .required = true, .range = "a column of a run's `--metrics`, also with `--measure`",
     .doc = "What is measured: `polarization`, `agents`, …"},
    {"species", TEXT(1, DUNLIN_NAME_LENGTH - 1), .otherwise = "the only one", .doc = "The species that is measured."},
    {"length", DOUBLE, RANGE(0, 1e9), .above = true, .unit = "world units", .otherwise = "as for a run's `--measure`",
     .doc =
         "The radius of groups, the side of boxes for density, or the maximum distance of a correlation. All measures of one "
         "kind need the same."},
    {"name", TEXT(1, STUDY_NAME - 1), .otherwise = "as in `dunlins.polarization`", .doc = "The name of its column in files."},
    {"label", TEXT(1, STUDY_TITLE - 1), .otherwise = "as in “polarization of dunlins”",
     .doc = "What tables and plots call it."},
    {"window", VALUE_ENTRY, .table = &window_table, .otherwise = "the study's",
     .doc = "The steps that count, [below](#window)."},
    {"expect", VALUE_LIST, .of = VALUE_ENTRY, .table = &expect_table, .min_count = 1, .max_count = STUDY_VALUES,
     .otherwise = "none", .doc = "What its means must be, [below](#expect)."},
};
TABLE(measure, "measure");

static const row trajectory_rows[] = {
    {"every", VALUE_WHOLE, RANGE(1, 1e12), .required = true, .unit = "steps", .doc = "A frame is written every so many steps."},
    {"fields", TEXT(1, 400), .otherwise = "all", .doc = "Their names, as a run's `--fields` takes them."},
    {"species", TEXT(1, 400), .otherwise = "all", .doc = "Their names, with commas between."},
    {"precision", VALUE_WHOLE, RANGE(1, 22), .unit = "bits", .otherwise = "all 23", .doc = "Bits of mantissa that are kept."},
    {"compression", VALUE_WHOLE, RANGE(0, 9), DEFAULT(0), .doc = "0: none; 9: slow and small."},
};
TABLE(trajectory, "trajectory");

static const row study_rows[] = {
    {"name", TEXT(1, 80), .otherwise = "the file's name without `.yaml`", .doc = "The title of tables and plots."},
    {"description", TEXT(0, 4000), .otherwise = "empty", .doc = "What there is to see."},
    {"scenario", TEXT(1, 1000), .required = true,
     .doc = "A scenario file, from the study's folder on, or the name of a shipped one."},
    {"set", TEXTS(1, 400), .otherwise = "none", .range = "`PATH=VALUE`",
     .doc = "What all runs change in the scenario, as a run's `--set` does."},
    {"steps", VALUE_WHOLE, RANGE(0, 1e12), .otherwise = "the scenario's", .doc = "How many steps each run takes."},
    {"parameters", VALUE_LIST, .of = VALUE_ENTRY, .table = &parameter_table, .min_count = 0, .max_count = STUDY_PARAMETERS,
     .required = true, .doc = "What varies, [below](#parameter): every combination of their values is run."},
    {"seeds", VALUE_WHOLE, RANGE(1, 10000), .one_of = true, .otherwise = "either this or `seed_list`",
     .doc = "How many runs each combination has, with the seeds 1, 2, 3, …"},
    {"seed_list", VALUE_LIST, .of = VALUE_WHOLE, .min_count = 1, .max_count = 10000, .one_of = true,
     .otherwise = "either this or `seeds`", .doc = "The seeds themselves."},
    {"measure", VALUE_LIST, .of = VALUE_ENTRY, .table = &measure_table, .min_count = 1, .max_count = STUDY_MEASURES,
     .required = true, .doc = "What is measured in each run, [below](#measure)."},
    {"window", VALUE_ENTRY, .table = &window_table, .otherwise = "the second half",
     .doc = "The steps over which measures are averaged, [below](#window)."},
    {"trajectory", VALUE_ENTRY, .table = &trajectory_table, .otherwise = "none",
     .doc = "Writes a trajectory of each run, too, into `trajectories/run-NNNNN.h5`, [below](#trajectory)."},
};
const table study_schema = {"study", NULL, study_rows, (int)(sizeof study_rows / sizeof *study_rows)};

/* ---- messages --------------------------------------------------------------------------------------------------------- */

static bool fail_memory(const study *in, dunlin_error *error) {
    return dun_fail_at(in->file->name, in->file->slots, DUNLIN_ERROR_MEMORY, error, "out of memory");
}

/* The fields of entries that are left out are not there. */
static const slot *given(const slot *entry, const char *field) {
    const slot *at = dun_field(entry, field);
    return at->line > 0 ? at : NULL;
}

static const char *text_or(const slot *entry, const char *field, const char *otherwise) {
    const slot *at = given(entry, field);
    return at ? at->text : otherwise;
}

/* Names and labels stand in lines of files, tables and plots. */
static bool check_line(const study *in, const slot *at, const char *text, dunlin_error *error) {
    return !dun_has_controls(text) ||
           study_fail(in, at, error, "it is '%.60s'; allowed: no line breaks or other control characters", text);
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

static bool make_values(study *in, study_parameter *p, uint32_t count, dunlin_error *error) {
    p->count = p->capacity = count;
    p->values = calloc(count, sizeof *p->values);
    p->texts = calloc(count, sizeof *p->texts);
    return (p->values && p->texts) || fail_memory(in, error);
}

static double number_in(const char *text) {
    double number;
    return number_parse_decimal(text, -1e30, 1e30, &number) ? number : (double)NAN;
}

static bool read_list(study *in, study_parameter *p, const slot *list, dunlin_error *error) {
    if (!make_values(in, p, list->count, error)) return false;
    for (uint32_t i = 0; i < list->count; i++) {
        const slot *at = dun_inside(list, i);
        p->values[i] = (study_value){.label = at->text, .number = number_in(at->text), .at = at};
    }
    return true;
}

static bool split(const study *in, const slot *at, dunlin_scenario_setting *setting, dunlin_error *error) {
    const char *equals = strchr(at->text, '=');
    if (!equals || equals == at->text)
        return study_fail(in, at, error, "it is '%.60s'; allowed: PATH=VALUE, such as species.starlings.max_speed=0.7",
                          at->text);
    setting->value = equals + 1;
    setting->path = strndup(at->text, (size_t)(equals - at->text));
    return setting->path || fail_memory(in, error);
}

static bool read_settings(const study *in, study_settings *set, const slot *list, dunlin_error *error) {
    bool done = true;
    if (list->count == 0) return true;
    set->all = calloc(list->count, sizeof *set->all);
    if (!set->all) return fail_memory(in, error);
    for (uint32_t i = 0; i < list->count && done; i++) done = split(in, dun_inside(list, i), &set->all[set->count++], error);
    return done;
}

static bool read_cases(study *in, study_parameter *p, const slot *list, dunlin_error *error) {
    if (!make_values(in, p, list->count, error)) return false;
    for (uint32_t i = 0; i < list->count; i++) {
        const slot *at = dun_inside(list, i);
        const char *name = text_of(at, "name");
        p->values[i] = (study_value){.label = name, .number = number_in(name), .at = at};
        if (!read_settings(in, &p->values[i].set, dun_field(at, "set"), error)) return false;
    }
    return true;
}

static bool count_steps(const study *in, const slot *range, uint32_t *count, dunlin_error *error) {
    const double from = number_of(range, "from"), to = number_of(range, "to"), step = number_of(range, "step");
    const double steps = floor((to - from) / step * (1.0 + 1e-9));
    if (!(steps < STUDY_VALUES))
        return study_fail(in, dun_field(range, "step"), error, "there are more values; allowed: %d", STUDY_VALUES);
    *count = (uint32_t)steps + 1;
    return true;
}

static bool check_range(const study *in, const study_parameter *p, const slot *range, dunlin_error *error) {
    const double from = number_of(range, "from"), to = number_of(range, "to");
    if (!(from < to)) return study_fail(in, dun_field(range, "to"), error, "it is %g; allowed: more than from, %g", to, from);
    if (!p->is_log) return true;
    if (!(from > 0.0)) return study_fail(in, dun_field(range, "from"), error, "it is %g; allowed with log: > 0", from);
    return !given(range, "step") || study_fail(in, dun_field(range, "step"), error, "log spacing needs a count instead");
}

/* Zero stays zero. */
static double round_to(double number, double unit) {
    return fabs(number) < 0.5 * unit ? 0.0 : round(number / unit) * unit;
}

/* Values between the ends are short where they may be: a third is 0.33333, and what is added up is 0.3 and not
 * 0.30000000000000004. */
static void write_value(const study_parameter *p, uint32_t i, double from, double to, double step) {
    const uint32_t last = p->count - 1;
    const double spacing = step > 0.0 ? step : (to - from) / last, unit = pow(10.0, floor(log10(spacing)));
    const bool is_end = i == 0 || (i == last && step <= 0.0);
    double number = round_to(from + i * spacing, unit * (step > 0.0 ? 1e-9 : 1e-4));
    if (p->is_log) number = from * pow(to / from, (double)i / last);
    if (is_end) number = i == 0 ? from : to;
    snprintf(p->texts[i], STUDY_LABEL, "%.*g", p->is_log && !is_end ? 4 : 12, number);
}

static bool read_range(study *in, study_parameter *p, const slot *range, dunlin_error *error) {
    const double from = number_of(range, "from"), to = number_of(range, "to");
    const double step = given(range, "step") ? number_of(range, "step") : 0.0;
    uint32_t count = (uint32_t)dun_field(range, "count")->whole;
    p->is_log = dun_field(range, "spacing")->whole != 0;
    if (!check_range(in, p, range, error)) return false;
    if (step > 0.0 && !count_steps(in, range, &count, error)) return false;
    if (!make_values(in, p, count, error)) return false;
    for (uint32_t i = 0; i < count; i++) {
        write_value(p, i, from, to, step);
        p->values[i] = (study_value){.label = p->texts[i], .number = number_in(p->texts[i]), .at = range};
    }
    return true;
}

/* ---- parameters ------------------------------------------------------------------------------------------------------- */

/* Of `models[0].vicsek.noise` it is `noise`. */
static const char *last_part(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && dot[1] != '\0' ? dot + 1 : path;
}

static bool read_parameter(study *in, study_parameter *p, const slot *at, dunlin_error *error) {
    const slot *list = given(at, "values"), *range = given(at, "range"), *cases = given(at, "cases");
    p->at = at;
    p->path = text_or(at, "path", NULL);
    if (cases && p->path) return study_fail(in, dun_field(at, "path"), error, "cases have paths of their own");
    if (!cases && !p->path) return study_fail(in, at, error, "path is missing");
    if (p->path && strcmp(p->path, "seed") == 0)
        return study_fail(in, dun_field(at, "path"), error, "seeds are given by seeds or seed_list");
    if (cases && !given(at, "name")) return study_fail(in, at, error, "name is missing, which cases need");
    p->name = text_or(at, "name", p->path ? last_part(p->path) : NULL);
    p->label = text_or(at, "label", p->name);
    return list ? read_list(in, p, list, error) : range ? read_range(in, p, range, error) : read_cases(in, p, cases, error);
}

static bool check_parameter(const study *in, const study_parameter *p, dunlin_error *error) {
    if (!check_line(in, p->at, p->name, error) || !check_line(in, p->at, p->label, error)) return false;
    for (const study_parameter *other = in->parameter; other < p; other++)
        if (strcmp(p->name, other->name) == 0)
            return study_fail(in, p->at, error, "another parameter has the name '%s'; give it a name of its own", p->name);
    for (uint32_t i = 0; i < p->count; i++) {
        const study_value *value = &p->values[i];
        if (!check_line(in, value->at, value->label, error)) return false;
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(value->label, p->values[j].label) == 0)
                return study_fail(in, value->at, error, "the value '%.60s' is here twice", value->label);
    }
    return true;
}

static bool read_parameters(study *in, dunlin_error *error) {
    const slot *list = dun_field(in->file->slots, "parameters");
    uint64_t runs = in->seeds;
    for (uint32_t i = 0; i < list->count; i++) {
        study_parameter *p = &in->parameter[in->parameters++];
        if (!read_parameter(in, p, dun_inside(list, i), error) || !check_parameter(in, p, error)) return false;
        runs *= p->count;
        if (runs > STUDY_RUNS)
            return study_fail(in, list, error, "with the seeds there are %llu runs or more; allowed: %d",
                              (unsigned long long)runs, STUDY_RUNS);
    }
    return true;
}

/* ---- seeds ------------------------------------------------------------------------------------------------------------ */

static bool read_seeds(study *in, dunlin_error *error) {
    const slot *list = given(in->file->slots, "seed_list");
    in->seeds = list ? list->count : (uint32_t)dun_field(in->file->slots, "seeds")->whole;
    in->seed = calloc(in->seeds, sizeof *in->seed);
    if (!in->seed) return fail_memory(in, error);
    for (uint32_t i = 0; i < in->seeds; i++) {
        in->seed[i] = list ? dun_inside(list, i)->whole : i + 1;
        for (uint32_t j = 0; j < i && list; j++)
            if (in->seed[j] == in->seed[i]) return study_fail(in, dun_inside(list, i), error, "the seed is here twice");
    }
    return true;
}

/* ---- measures --------------------------------------------------------------------------------------------------------- */

static bool find_metric(const study *in, study_measure *m, dunlin_error *error) {
    const slot *at = dun_field(m->at, "metric");
    char allowed[WORDS_LENGTH];
    words all = {.wanted = at->text};
    m->column = metrics_find(at->text);
    if (m->column) return true;
    for (const metrics_column *column = metrics_columns; column->name; column++) dun_words_add(&all, column->name);
    return study_fail(in, at, error, "unknown metric '%.60s'; %s", at->text, dun_words_say(&all, allowed));
}

static bool check_window(const study *in, const slot *window, dunlin_error *error) {
    const slot *last = given(window, "last"), *from = given(window, "from"), *to = given(window, "to");
    if (last && (from || to)) return study_fail(in, last, error, "allowed: either last, or from and to");
    if (to && !from) return study_fail(in, window, error, "from is missing");
    return !to || from->whole <= to->whole || study_fail(in, to, error, "allowed: from, or a later step");
}

/* One simulation surveys with one length. */
static bool read_length(study *in, study_measure *m, dunlin_error *error) {
    const slot *length = given(m->at, "length");
    m->length = length ? length->number : 0.0;
    const bool has_one = metrics_part_has_length(m->column->part);
    if (length && !has_one) return study_fail(in, length, error, "%s has no length", m->column->name);
    for (const study_measure *other = in->measure; other < m; other++)
        if (other->column->part == m->column->part && other->length != m->length)
            return study_fail(in, length ? length : m->at, error, "%s has another length; allowed: the same",
                              other->column->name);
    return true;
}

/* The number of a parameter's value, or its count: it has no such value, or a quick study leaves it out. */
static uint32_t find_value(const study_parameter *p, const char *label) {
    uint32_t i = 0;
    while (i < p->count && strcmp(p->values[i].label, label) != 0) i++;
    return i;
}

static double number_or_nan(const slot *entry, const char *field) {
    return given(entry, field) ? number_of(entry, field) : (double)NAN;
}

bool study_expectation_of(const study *in, const study_measure *measure, uint32_t number, study_expectation *found) {
    const slot *at = dun_inside(measure->expect, number), *labels = dun_field(at, "at");
    *found = (study_expectation){0, number_or_nan(at, "published"), number_or_nan(at, "min"), number_or_nan(at, "max")};
    for (uint32_t i = 0; i < in->parameters; i++) {
        const uint32_t value = find_value(&in->parameter[i], dun_inside(labels, i)->text);
        if (value == in->parameter[i].count) return false;
        found->point = found->point * in->parameter[i].count + value;
    }
    return true;
}

static bool check_expectation(const study *in, const slot *at, dunlin_error *error) {
    const slot *labels = dun_field(at, "at"), *min = given(at, "min"), *max = given(at, "max");
    if (labels->count != in->parameters)
        return study_fail(in, labels, error, "it has %u values; allowed: one of each parameter, %u", (unsigned)labels->count,
                          (unsigned)in->parameters);
    for (uint32_t i = 0; i < in->parameters; i++) {
        const slot *label = dun_inside(labels, i);
        if (find_value(&in->parameter[i], label->text) == in->parameter[i].count)
            return study_fail(in, label, error, "%s has no value '%.60s'", in->parameter[i].name, label->text);
    }
    if (!min && !max) return study_fail(in, at, error, "min or max is missing");
    return !min || !max || min->number <= max->number || study_fail(in, max, error, "allowed: min, or more");
}

static bool read_expectations(const study *in, study_measure *m, dunlin_error *error) {
    m->expect = dun_field(m->at, "expect");
    m->expectations = m->expect->count;
    for (uint32_t i = 0; i < m->expectations; i++)
        if (!check_expectation(in, dun_inside(m->expect, i), error)) return false;
    return true;
}

static bool read_measure(study *in, study_measure *m, const slot *at, dunlin_error *error) {
    const slot *own = given(at, "window"), *common = given(in->file->slots, "window");
    m->at = at;
    m->window = own ? own : common;
    m->species = text_or(at, "species", NULL);
    snprintf(m->name, sizeof m->name, "%s", text_or(at, "name", ""));
    snprintf(m->label, sizeof m->label, "%s", text_or(at, "label", ""));
    if (!check_line(in, at, m->name, error) || !check_line(in, at, m->label, error)) return false;
    return find_metric(in, m, error) && read_length(in, m, error) && (!m->window || check_window(in, m->window, error)) &&
           read_expectations(in, m, error);
}

static bool read_measures(study *in, dunlin_error *error) {
    const slot *list = dun_field(in->file->slots, "measure");
    for (uint32_t i = 0; i < list->count; i++)
        if (!read_measure(in, &in->measure[in->measures++], dun_inside(list, i), error)) return false;
    return true;
}

/* "mean_speed" as "mean speed". */
static void write_words(char *to, size_t size, const char *name, const char *species) {
    snprintf(to, size, "%s of %s", name, species);
    for (char *c = to; c < to + strlen(name); c++)
        if (*c == '_') *c = ' ';
}

bool study_name_measures(study *made, const char *only, dunlin_error *error) {
    for (study_measure *m = made->measure; m < made->measure + made->measures; m++) {
        const char *species = m->species ? m->species : only;
        if (!*m->name) snprintf(m->name, sizeof m->name, "%s.%s", species, m->column->name);
        if (!*m->label) write_words(m->label, sizeof m->label, m->column->name, species);
        for (const study_measure *other = made->measure; other < m; other++)
            if (strcmp(m->name, other->name) == 0)
                return study_fail(made, m->at, error, "another measure has the name '%s'; give it a name of its own", m->name);
    }
    return true;
}

static uint64_t shorten(const study *in, uint64_t steps) {
    return (steps + in->shorter - 1) / in->shorter;
}

bool study_window_of(const study *in, const study_measure *measure, uint64_t steps, study_window *window) {
    const slot *at = measure->window, *from = at ? given(at, "from") : NULL, *to = at ? given(at, "to") : NULL;
    const double last = at && given(at, "last") ? number_of(at, "last") : 0.5;
    const uint64_t share = (uint64_t)fmax(round(last * (double)steps), 1.0);
    const uint64_t first = steps < share ? 0 : steps - share + 1;
    *window = (study_window){
        .begin = from ? shorten(in, from->whole) : first,
        .end = to ? shorten(in, to->whole) : steps,
        .every = at ? shorten(in, dun_field(at, "every")->whole) : 1,
    };
    return window->begin <= window->end && window->end <= steps;
}

static study_trajectory read_trajectory(const slot *at) {
    if (!at) return (study_trajectory){0};
    return (study_trajectory){
        .every = dun_field(at, "every")->whole,
        .fields = text_or(at, "fields", NULL),
        .species = text_or(at, "species", NULL),
        .precision = (int)dun_field(at, "precision")->whole,
        .compression = (int)dun_field(at, "compression")->whole,
    };
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static bool name_after(study *in, const char *path) {
    const char *name = path_name(path);
    in->folder = name > path ? strndup(path, (size_t)(name - path)) : strdup("./");
    in->stem = strndup(name, (size_t)path_length_before_ending(name));
    return in->folder && in->stem;
}

bool study_read(study *in, const char *path, const char *text, size_t length, dunlin_error *error) {
    static const row format = {.type = VALUE_ENTRY, .table = &study_schema};
    *in = (study){.shorter = 1};
    in->file = calloc(1, sizeof *in->file);
    if (!in->file) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the study") == DUNLIN_OK;
    if (!dun_tree_read(&format, path, text, length, in->file, error)) return false;
    if (!name_after(in, path)) return fail_memory(in, error);
    const slot *root = in->file->slots, *steps = given(root, "steps");
    in->name = text_or(root, "name", in->stem);
    in->description = text_or(root, "description", "");
    in->scenario = text_of(root, "scenario");
    in->trajectory = read_trajectory(given(root, "trajectory"));
    in->has_steps = steps != NULL;
    in->steps = steps ? steps->whole : 0;
    return check_line(in, root, in->name, error) &&
           (!given(root, "window") || check_window(in, given(root, "window"), error)) &&
           read_settings(in, &in->set, dun_field(root, "set"), error) && read_seeds(in, error) && read_parameters(in, error) &&
           read_measures(in, error);
}

static void free_settings(study_settings *set) {
    for (uint32_t i = 0; i < set->count; i++) free((char *)set->all[i].path);
    free(set->all);
}

void study_free(study *freed) {
    for (study_parameter *p = freed->parameter; p < freed->parameter + STUDY_PARAMETERS; p++) {
        for (uint32_t i = 0; i < p->capacity && p->values; i++) free_settings(&p->values[i].set);
        free(p->values);
        free(p->texts);
    }
    free_settings(&freed->set);
    free(freed->seed);
    free(freed->folder);
    free((char *)freed->stem);
    if (freed->file) dun_tree_free(freed->file);
    free(freed->file);
    *freed = (study){0};
}

static void swap(study_value *a, study_value *b) {
    const study_value before = *a;
    *a = *b;
    *b = before;
}

void study_make_quick(study *made) {
    made->shorter = 10;
    for (study_parameter *p = made->parameter; p < made->parameter + made->parameters; p++) {
        if (p->count <= 3) continue;
        swap(&p->values[1], &p->values[p->count / 2]);
        swap(&p->values[2], &p->values[p->count - 1]);
        p->count = 3;
    }
    if (made->seeds > 2) made->seeds = 2;
}
