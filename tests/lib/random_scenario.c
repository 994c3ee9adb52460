/* SPDX-License-Identifier: MIT */
/*
 * A scenario is written from top to bottom, field by field. After each the text so far, with its brackets closed, is checked as
 * a scenario, and what is refused is taken back. So no rule between fields has to be known here.
 */
#include "tests/lib/random_scenario.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dunlin/scenario.h>

#include "harness/scenario/schema.h"
#include "tests/lib/random.h"

enum { ROOM = 1 << 16, SPARE = 1 << 12 /* bytes; no field is longer */, DEPTH = 16, TRIES = 5, NAMES = 3 };
enum { MOST_AGENTS = 10000, MOST_CELLS = 256 };

typedef struct maker {
    test_random random;
    bool for_ranks;
    int dimensions;
    double size[3], reach; /* world units: of the world, and about how far agents see */
    bool is_fine;          /* agents see so little that a side of the world has about as many cells as a grid has at least */
    bool is_large;         /* species may have thousands of agents */
    uint32_t species;      /* so far */
    uint32_t entry;        /* of the innermost list: its name has this number */
    double around;         /* a schedule's numbers are around this one; 0: it is none */
    char text[ROOM], whole[ROOM + DEPTH], valid[ROOM + DEPTH]; /* so far, with its brackets closed, the last that was valid */
    size_t length, field_length; /* of the text, and of the text before the field of the file that is being written */
    int depth;                   /* open brackets, … */
    char closing[DEPTH];         /* … and what closes them */
} maker;

static void demand(bool holds) {
    if (!holds) abort();
}

/* ---- chance ------------------------------------------------------------------------------------------------------------ */

static bool one_in(maker *m, uint32_t count) {
    return test_below(&m->random, count) == 0;
}

static double between(maker *m, double low, double high) {
    return low + test_share(&m->random) * (high - low);
}

static double power(maker *m, double low, double high) {
    return pow(10.0, between(m, low, high));
}

/* ---- text -------------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void put(maker *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    m->length += (size_t)vsnprintf(m->text + m->length, sizeof m->text - m->length, format, arguments);
    va_end(arguments);
    demand(m->length < sizeof m->text);
}

static void open_bracket(maker *m, const char *brackets) {
    demand(m->depth < DEPTH);
    put(m, "%c", brackets[0]);
    m->closing[m->depth++] = brackets[1];
}

static void close_bracket(maker *m) {
    put(m, "%c", m->closing[--m->depth]);
}

/* Separates what is next from what is before it, if anything is. */
static void put_comma(maker *m) {
    const char last = m->text[m->length - 1];
    if (last != '{' && last != '[') put(m, ", ");
}

/* Makes the first `length` bytes a whole text by closing `depth` brackets. */
static void close_text(maker *m, size_t length, int depth) {
    memcpy(m->whole, m->text, length);
    for (int i = depth; i > 0; i--) m->whole[length++] = m->closing[i - 1];
    m->whole[length] = '\0';
}

/* Larger worlds would take too long. */
static dunlin_scenario *open_whole(const maker *m) {
    dunlin_scenario *scenario = NULL;
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.max_agents = MOST_AGENTS;
    def.max_cells = MOST_CELLS;
    return dunlin_scenario_open_text(m->whole, strlen(m->whole), &def, &scenario, NULL) ? NULL : scenario;
}

/* Many texts are asked for twice, because a bracket that is closed changes no whole. */
static bool is_valid(maker *m) {
    close_text(m, m->length, m->depth);
    if (strcmp(m->whole, m->valid) == 0) return true;
    dunlin_scenario *scenario = open_whole(m);
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_simulation *simulation = NULL;
    def.kernel = "scalar";
    def.threads = 1;
    const bool valid = scenario && dunlin_simulation_create(scenario, &def, &simulation, NULL) == DUNLIN_OK;
    dunlin_simulation_destroy(simulation);
    dunlin_scenario_close(scenario);
    if (valid) strcpy(m->valid, m->whole);
    return valid;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------- */

static bool is(const char *text, const char *other) {
    return text && strcmp(text, other) == 0;
}

static double any_length(maker *m) {
    return one_in(m, 8) ? m->reach / (1.0 + test_below(&m->random, 3))
                        : m->reach * (m->is_fine ? 1.0 / between(m, 64.0, 128.0) : power(m, -2.2, 0.1));
}

static double any_place(maker *m, int axis) {
    return one_in(m, 6) ? m->size[axis] * 0.5 * test_below(&m->random, 3) : between(m, 0.0, m->size[axis]);
}

/* Numbers of agents, and other small ones. */
static double any_count(maker *m) {
    return one_in(m, 4) ? test_below(&m->random, 3) : floor(power(m, 0.0, 1.8));
}

/* Without its range. */
static double number_of(maker *m, const row *of, int axis) {
    const bool has_range = of->max > of->min, is_signed = !has_range || of->min < 0.0;
    if (m->around != 0.0 && is(of->name, "amplitude")) return m->around * power(m, -2.0, -0.5);
    if (m->around != 0.0 && !has_range && !of->unit) return m->around * power(m, -0.3, 0.5);
    if (is(of->name, "agents") && of->type == VALUE_WHOLE && m->is_large) return floor(power(m, 1.0, 3.3));
    if (is(of->unit, "steps")) return test_below(&m->random, 14);
    if (is(of->unit, "world units") && is_signed) return any_place(m, axis);
    if (is(of->unit, "world units")) return any_length(m);
    if (is(of->name, "max_scale")) return power(m, 0.0, 0.7);
    if (has_range && of->max - of->min <= 1000.0) return between(m, of->min, of->max);
    if (of->type == VALUE_WHOLE || of->of == VALUE_WHOLE) return any_count(m);
    const double sign = is_signed && one_in(m, 4) ? -1.0 : 1.0;
    const bool is_velocity = of->unit && strstr(of->unit, "per time unit") && !strstr(of->unit, "degrees");
    return is_velocity ? sign * m->reach * power(m, -3.0, 0.0) : sign * power(m, -2.0, 1.0);
}

static double any_number(maker *m, const row *of, int axis) {
    const bool has_range = of->max > of->min;
    const bool is_number_of_agents = is(of->name, "agents") || is(of->name, "per_step");
    if (has_range && !is_number_of_agents && one_in(m, 24)) return one_in(m, 2) ? of->min : fmin(of->max, 1e9);
    const double x = number_of(m, of, axis);
    return has_range ? fmin(fmax(x, of->min), of->max) : x;
}

static void put_number(maker *m, const row *of, int axis) {
    const bool whole = (of->type == VALUE_LIST ? of->of : of->type) == VALUE_WHOLE;
    put(m, whole ? "%.0f" : "%.9g", any_number(m, of, axis));
}

/* ---- lists of numbers -------------------------------------------------------------------------------------------------- */

static int numbers_in(maker *m, const row *of) {
    if (of->shape == SHAPE_VECTOR) return m->dimensions;
    if (of->shape == SHAPE_TWO_PLACES) return 2 * m->dimensions;
    if (of->shape == SHAPE_PLACES) return (2 + (int)test_below(&m->random, 4)) * m->dimensions;
    const uint32_t max = of->max_count < of->min_count + 3 ? of->max_count : of->min_count + 3;
    return (int)(of->min_count + test_below(&m->random, max - of->min_count + 1));
}

/* Two numbers without a shape are a range, and of two places the second is mostly the upper one. */
static void put_numbers(maker *m, const row *of) {
    const int count = numbers_in(m, of), half = of->shape == SHAPE_TWO_PLACES ? m->dimensions : count == 2 && !of->shape;
    double first[3] = {0};
    open_bracket(m, "[]");
    for (int i = 0; i < count; i++) {
        double x = any_number(m, of, i % m->dimensions);
        if (is(of->name, "size")) x = m->size[i];
        if (i < half) first[i] = x;
        if (half && i >= half && x < first[i - half] && !one_in(m, 6)) x = first[i - half] + fabs(x);
        put_comma(m);
        put(m, of->of == VALUE_WHOLE || is(of->name, "in_turn") ? "%.0f" : "%.9g", x);
    }
    close_bracket(m);
}

static uint32_t choices_of(const maker *m, const row *of) {
    uint32_t count = 0;
    for (const choice *at = of->choices; at->name; at++) count += !m->for_ranks || !is(at->name, "open");
    return count;
}

/* One for each axis, or each of them once. */
static void put_choices(maker *m, const row *of) {
    const bool is_vector = of->shape == SHAPE_VECTOR;
    const uint32_t choices = choices_of(m, of), count = is_vector ? (uint32_t)m->dimensions : choices;
    uint32_t order[8];
    demand(choices <= 8 && count <= 8);
    test_shuffle(&m->random, order, choices);
    open_bracket(m, "[]");
    for (uint32_t i = 0; i < count; i++) {
        put_comma(m);
        put(m, "%s", of->choices[is_vector ? test_below(&m->random, choices) : order[i]].name);
    }
    close_bracket(m);
}

/* ---- texts ------------------------------------------------------------------------------------------------------------- */

static void put_choice(maker *m, const row *of) {
    if (is(of->name, "dimensions"))
        put(m, "%d", m->dimensions);
    else
        put(m, "%s", of->choices[test_below(&m->random, choices_of(m, of))].name);
}

/* The path of a number that may change during a run. */
static void put_parameter(maker *m) {
    close_text(m, m->field_length, 1);
    dunlin_scenario *scenario = open_whole(m);
    dunlin_scenario_number number = {.value = (double)NAN};
    for (int i = 0; i < 64 && scenario && !number.live; i++)
        number = dunlin_scenario_number_at(scenario, test_below(&m->random, dunlin_scenario_number_count(scenario)));
    put(m, "\"%s\"", number.path);
    m->around = isfinite(number.value) && number.value != 0.0 ? number.value : 1.0;
    dunlin_scenario_close(scenario);
}

/* A thing's name is the first letter of its kind, and its place in the list. */
static void put_text(maker *m, const row *of, const table *in) {
    const bool is_species = of->stored == STORED_SPECIES || is(of->name, "species") || is(of->name, "observer");
    if (is(of->name, "parameter"))
        put_parameter(m);
    else if (is(of->name, "name"))
        put(m, "%c%u", in->name[0], m->entry);
    else if (is_species && one_in(m, 12))
        put(m, "all");
    else if (is_species)
        put(m, "s%u", test_below(&m->random, m->species ? m->species : 1));
    else
        put(m, "%c%u", of->name[0] == 'f' || of->name[0] == 'p' ? of->name[0] : 'a', test_below(&m->random, NAMES));
}

/* ---- entries ----------------------------------------------------------------------------------------------------------- */

static void put_value(maker *m, const row *of, const table *in);

/* Files of their own, and what one world alone can run. */
static bool is_banned(const maker *m, const row *of) {
    static const char *const alone[] = {"regroup", "body_of", "body"};
    bool banned = is(of->name, "image") || is(of->name, "csv");
    for (size_t i = 0; i < sizeof alone / sizeof *alone && m->for_ranks; i++) banned = banned || is(of->name, alone[i]);
    return banned;
}

static void put_field(maker *m, const row *of, const table *in) {
    if (in == &dun_schema) m->field_length = m->length;
    put_comma(m);
    put(m, "%s: ", of->name);
    put_value(m, of, in);
}

static void take_back(maker *m, size_t length) {
    m->text[m->length = length] = '\0';
}

/* Leaves the field out if it is refused. */
static bool try_field(maker *m, const row *of, const table *in) {
    const size_t length = m->length;
    if (length < ROOM - SPARE) put_field(m, of, in);
    if (is_valid(m)) return true;
    take_back(m, length);
    return false;
}

/* Names, what is required, and mostly what is required sometimes. */
static bool is_needed(maker *m, const row *of) {
    static const char *const always[] = {"world",  "dimensions", "size", "boundary", "species",
                                         "agents", "cells",      "cost", "mean"};
    bool needed = of->required;
    for (size_t i = 0; i < sizeof always / sizeof *always && of->type != VALUE_TEXT; i++)
        needed = needed || is(of->name, always[i]);
    const char *when = of->otherwise ? strstr(of->otherwise, "**required**") : NULL;
    const bool mostly = is(of->name, "name") || (when && strncmp(when, "**required** for", 16) != 0);
    return needed || (mostly && !one_in(m, 4));
}

/* After births all ranks find everything again, which hides what they keep. So only some flocks grow. */
static bool is_wanted(maker *m, const row *of) {
    if (is(of->name, "growth") || is(of->name, "divides_at")) return one_in(m, 12);
    if (of->type == VALUE_LIST && of->of == VALUE_ENTRY) return !one_in(m, 3);
    return one_in(m, of->type == VALUE_CHOICE ? 2 : 6);
}

/* One of the fields of which an entry has one; NULL: there are none. */
static const row *choose_one(maker *m, const table *of) {
    const row *chosen = NULL;
    uint32_t count = 0;
    for (int i = 0; i < dun_table_count(of); i++) {
        const row *at = dun_table_row(of, i);
        if (at->one_of && !is_banned(m, at) && one_in(m, ++count)) chosen = at;
    }
    return chosen;
}

/* Writes what is needed; returns it. */
static uint64_t put_needed(maker *m, const table *of) {
    uint64_t written = 0;
    for (int i = 0; i < dun_table_count(of); i++) {
        const row *at = dun_table_row(of, i);
        if (at->one_of || is_banned(m, at)) written |= UINT64_C(1) << i;
        if (written >> i & 1 || !is_needed(m, at)) continue;
        written |= UINT64_C(1) << i;
        put_field(m, at, of);
    }
    const row *chosen = choose_one(m, of);
    if (chosen) put_field(m, chosen, of);
    return written;
}

/* What is needed comes first, all at once, and then, each for itself, what may be there. An interaction also needs a rule,
 * which is not known here: one that is refused gets any other field, until it is not. */
static void put_entry(maker *m, const table *of) {
    const int count = dun_table_count(of);
    open_bracket(m, "{}");
    uint64_t written = put_needed(m, of);
    bool valid = is_valid(m);
    for (int i = 0; i < 2 * TRIES && !valid && count > 0; i++) {
        const int any = (int)test_below(&m->random, (uint32_t)count);
        if (written >> any & 1 || !try_field(m, dun_table_row(of, any), of)) continue;
        valid = true;
        written |= UINT64_C(1) << any;
    }
    for (int i = 0; i < count && valid; i++)
        if (!(written >> i & 1) && is_wanted(m, dun_table_row(of, i))) try_field(m, dun_table_row(of, i), of);
    close_bracket(m);
}

/* Entries that are refused are made again. */
static void put_entries(maker *m, const row *of) {
    const uint32_t most = is(of->name, "species") ? 1 + test_below(&m->random, 5) : 2, outside = m->entry;
    const uint32_t wanted = 1 + test_below(&m->random, most);
    uint32_t made = 0;
    open_bracket(m, "[]");
    for (uint32_t i = 0; i < TRIES && made < wanted; i++) {
        const size_t length = m->length;
        m->entry = made;
        m->around = 0.0;
        put_comma(m);
        put_entry(m, of->table);
        if (!is_valid(m)) {
            take_back(m, length);
            continue;
        }
        made++;
        if (is(of->name, "species")) m->species = made;
    }
    m->entry = outside;
    m->around = 0.0;
    close_bracket(m);
}

static void put_value(maker *m, const row *of, const table *in) {
    if (of->type == VALUE_ENTRY)
        put_entry(m, of->table);
    else if (of->type == VALUE_TEXT)
        put_text(m, of, in);
    else if (of->type == VALUE_CHOICE || of->type == VALUE_SWITCH)
        put_choice(m, of);
    else if (of->type != VALUE_LIST)
        put_number(m, of, 0);
    else if (of->of == VALUE_ENTRY)
        put_entries(m, of);
    else if (of->of == VALUE_CHOICE)
        put_choices(m, of);
    else
        put_numbers(m, of);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

/* A plain, a corridor, or anything between. Agents see across a part of a side, so many worlds have few cells. */
static void choose_world(maker *m) {
    enum { PLAIN, CORRIDOR, OTHER };
    double shortest = HUGE_VAL, longest = 0.0;
    m->dimensions = one_in(m, 3) ? 3 : 2;
    const double side = power(m, 0.0, 3.0);
    const int shape = one_in(m, 2) ? CORRIDOR : one_in(m, 2) ? PLAIN : OTHER;
    const int along = one_in(m, 2) ? m->dimensions - 1 : (int)test_below(&m->random, (uint32_t)m->dimensions);
    for (int a = 0; a < m->dimensions; a++) {
        const double times = shape == OTHER ? power(m, -2.0, 2.0) : shape == CORRIDOR && a != along ? 1e-3 : 1.0;
        m->size[a] = side * times;
        shortest = fmin(shortest, m->size[a]);
        longest = fmax(longest, m->size[a]);
    }
    m->reach = shape == OTHER && one_in(m, 3) ? shortest : longest;
    m->is_fine = one_in(m, 4) == (shape != CORRIDOR);
    m->is_large = one_in(m, 25);
}

char *random_scenario(uint64_t seed, uint64_t number, bool for_ranks) {
    maker *m = calloc(1, sizeof *m);
    demand(m);
    m->random.state = seed;
    m->random.state = test_bits(&m->random) + number;
    m->for_ranks = for_ranks;
    do {
        m->length = m->species = 0;
        choose_world(m);
        put_entry(m, &dun_schema);
    } while (!is_valid(m));
    char *text = strdup(m->text);
    demand(text);
    free(m);
    return text;
}
