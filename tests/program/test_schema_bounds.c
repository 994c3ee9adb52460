/* SPDX-License-Identifier: MIT */
/*
 * The JSON Schema that editors get allows what the program takes, and no more: every number at both ends of its range and one
 * step beyond, every list and text of the smallest and largest length. Each stands in a scenario with nothing but what the
 * schema requires around it.
 */
#include <jansson.h>

#include "harness/scenario/tree.h"
#include "tests/lib/scenario_helpers.h"

enum { MAX_DEPTH = 8, MAX_COPIES = 1025 };

/* ---- scenarios from the schema ----------------------------------------------------------------------------------------- */

static json_t *schema;

static const json_t *definition(const json_t *property) {
    const char *reference = json_string_value(json_object_get(property, "$ref"));
    return reference ? json_object_get(json_object_get(schema, "$defs"), strrchr(reference, '/') + 1) : NULL;
}

static bool is_type(const json_t *property, const char *name) {
    const char *type = json_string_value(json_object_get(property, "type"));
    return type && strcmp(type, name) == 0;
}

static bool is_number(const json_t *property) {
    return is_type(property, "number") || is_type(property, "integer");
}

/* Points may be lists in a list. */
static bool has_places(const json_t *list) {
    return json_is_array(json_object_get(json_object_get(list, "items"), "type"));
}

static size_t length_of(const json_t *property, const char *limit) {
    return (size_t)json_number_value(json_object_get(property, limit));
}

static json_t *minimal(const json_t *object, const char *name, json_t *value);

static json_t *copies(json_t *value, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append(list, value);
    json_decref(value);
    return list;
}

static json_t *text_of_length(size_t length) {
    char *text = calloc(1, length + 1);
    assert_non_null(text);
    memset(text, 'a', length);
    json_t *value = json_string(text);
    free(text);
    return value;
}

/* Something that the property allows. Lists of numbers have two at least, for a plane. */
static json_t *any_value(const json_t *property) {
    const json_t *items = json_object_get(property, "items"), *choices = json_object_get(property, "enum");
    if (definition(property)) return minimal(definition(property), NULL, NULL);
    if (choices) return json_incref(json_array_get(choices, 0));
    if (is_type(property, "boolean")) return json_true();
    if (is_number(property)) return json_integer(json_number_value(json_object_get(property, "minimum")) > 1.0 ? 2 : 1);
    if (is_type(property, "string")) return text_of_length(1);
    if (has_places(property)) return copies(copies(json_integer(1), 2), 2);
    const size_t least = length_of(property, "minItems");
    return copies(any_value(items), is_number(items) && least < 2 && length_of(property, "maxItems") > 1 ? 2 : least);
}

static bool has_any(const json_t *object, const json_t *alternatives) {
    bool found = false;
    for (size_t i = 0; i < json_array_size(alternatives); i++) {
        const json_t *names = json_object_get(json_array_get(alternatives, i), "required");
        found = found || json_object_get(object, json_string_value(json_array_get(names, 0)));
    }
    return found;
}

static void add(json_t *made, const json_t *object, const char *name) {
    if (json_object_get(made, name)) return;
    json_object_set_new(made, name, any_value(json_object_get(json_object_get(object, "properties"), name)));
}

/* Adds the first of the alternatives, unless one is there. */
static void add_one_of(json_t *made, const json_t *object, const json_t *alternatives) {
    if (!alternatives || has_any(made, alternatives)) return;
    const json_t *names = json_object_get(json_array_get(alternatives, 0), "required");
    add(made, object, json_string_value(json_array_get(names, 0)));
}

/* An object with this property, if any, and what must be beside it. */
static json_t *minimal(const json_t *object, const char *name, json_t *value) {
    json_t *made = json_object();
    const json_t *needed = json_object_get(object, "required");
    if (name) json_object_set_new(made, name, value);
    for (size_t i = 0; i < json_array_size(needed); i++) add(made, object, json_string_value(json_array_get(needed, i)));
    add_one_of(made, object, json_object_get(object, "oneOf"));
    return made;
}

/* ---- where a property is ----------------------------------------------------------------------------------------------- */

typedef struct step {
    const json_t *object;
    const char *name; /* of the property */
    const row *of;
} step;

typedef struct place {
    step steps[MAX_DEPTH];
    int depth;
} place;

/* The text of the scenario in which the last property has this value. */
static char *scenario_with(const place *at, json_t *value) {
    for (int i = at->depth - 1; i >= 0; i--) {
        const json_t *property = json_object_get(json_object_get(at->steps[i].object, "properties"), at->steps[i].name);
        if (i < at->depth - 1 && is_type(property, "array")) value = copies(value, 1);
        value = minimal(at->steps[i].object, at->steps[i].name, value);
    }
    char *text = json_dumps(value, JSON_COMPACT);
    json_decref(value);
    assert_non_null(text);
    return text;
}

/* In place of the text "@": what JSON does not say. */
static const char *spelling;

static char *spelled(char *text) {
    char *const at = strstr(text, "\"@\""), *made = NULL;
    if (!at) return text;
    assert_true(asprintf(&made, "%.*s%s%s", (int)(at - text), text, spelling, at + strlen("\"@\"")) > 0);
    free(text);
    return made;
}

static void expect(const place *at, json_t *value, bool accepts, const char *what) {
    char *text = spelled(scenario_with(at, value));
    dunlin_scenario *scenario;
    if ((parse(text, &scenario) == DUNLIN_OK) != accepts)
        fail_msg("%s is %s, and the schema says otherwise: %s%s", what, accepts ? "refused" : "accepted",
                 accepts ? refusal.message : "", strlen(text) < 400 ? text : "");
    if (!accepts && !strstr(refusal.message, at->steps[at->depth - 1].name))
        fail_msg("%s is refused without its name: %s", what, refusal.message);
    scenario_close(scenario);
    free(text);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------- */

typedef struct range {
    double end[2]; /* minimum and maximum */
    bool open[2];
} range;

static range range_of(const json_t *number) {
    static const char *const names[2][2] = {{"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}};
    range r = {.end = {0}};
    for (int e = 0; e < 2; e++) {
        r.open[e] = json_object_get(number, names[e][1]);
        const json_t *end = json_object_get(number, names[e][r.open[e]]);
        if (!end) fail_msg("a number has no %s", names[e][0]);
        r.end[e] = json_number_value(end);
    }
    assert_true(r.end[0] < r.end[1]);
    return r;
}

/* The neighbour of an end, inwards or outwards, as the program would store it. */
static double beside(double end, bool is_wide, bool upwards) {
    const float direction = upwards ? INFINITY : -INFINITY;
    return is_wide ? nextafter(end, (double)direction) : (double)nextafterf((float)end, direction);
}

static json_t *list_with(json_t *number, size_t count, bool places) {
    json_t *list = copies(json_integer(1), count);
    json_array_set_new(list, 0, number);
    return places ? json_pack("[o, [i, i]]", list, 1, 1) : list;
}

static size_t own_length(const json_t *property) {
    const size_t least = length_of(property, "minItems");
    return least < 2 && length_of(property, "maxItems") > 1 ? 2 : least;
}

/* The number stands alone, or is the first of the list that the property is. */
static void expect_number(const place *at, const json_t *property, json_t *number, bool accepts) {
    char what[200];
    const step *last = &at->steps[at->depth - 1];
    if (json_is_string(number))
        snprintf(what, sizeof what, "%s: %s", last->name, spelling);
    else
        snprintf(what, sizeof what, "%s: %.17g", last->name, json_number_value(number));
    if (is_number(property)) {
        expect(at, number, accepts, what);
    } else {
        const bool places = has_places(property);
        expect(at, list_with(number, places ? 2 : own_length(property), places), accepts, what);
    }
}

/* Beyond 63 bits jansson has no whole numbers; that end is tested by hand. */
static json_t *whole(double value) {
    return json_integer((json_int_t)value);
}

/* A whole number may have an exponent, if it is whole then, too. */
static void check_spellings(const place *at, const json_t *property, double value) {
    static const struct {
        const char *format;
        bool is_whole;
    } spellings[] = {{"%.0fe0", true},    {"%.0f0e-1", true}, {"%.0f.00E+0", true}, {"%.0f00E-02", true},
                     {"%.0f.5e0", false}, {"%.0f.0", false},  {"%.0f1e-1", false},  {"%.0fe", false},
                     {"%.0f.e0", false},  {"%.0fe0x", false}, {"%.0fe20", false}};
    static char text[64];
    spelling = text;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        snprintf(text, sizeof text, spellings[i].format, value);
        expect_number(at, property, json_string("@"), spellings[i].is_whole);
    }
}

static void check_number(const place *at, const json_t *property, const json_t *number) {
    const row *of = at->steps[at->depth - 1].of;
    const bool is_whole = is_type(number, "integer");
    const range r = range_of(number);
    for (int e = 0; e < 2; e++) {
        const double sign = e == 0 ? -1.0 : 1.0, end = r.end[e];
        if (is_whole && end > 0x1p53) continue;
        expect_number(at, property, is_whole ? whole(end) : json_real(end), !r.open[e]);
        const double outside = is_whole ? end + sign : beside(end, dun_is_wide(of), e == 1);
        const double inside = is_whole ? end - sign : beside(end, dun_is_wide(of), e == 0);
        expect_number(at, property, is_whole ? whole(outside) : json_real(outside), false);
        expect_number(at, property, is_whole ? whole(inside) : json_real(inside), true);
    }
    if (is_whole) check_spellings(at, property, r.end[0] + 1);
    if (of->has_default && is_number(property))
        expect_number(at, property, is_whole ? whole(of->standard) : json_real(of->standard), true);
}

/* ---- texts and lists --------------------------------------------------------------------------------------------------- */

static void check_text(const place *at, const json_t *property) {
    const size_t least = length_of(property, "minLength"), most = length_of(property, "maxLength");
    if (!is_type(property, "string")) return;
    expect(at, text_of_length(least), true, "the shortest text");
    expect(at, text_of_length(most), true, "the longest text");
    expect(at, text_of_length(most + 1), false, "a longer text");
    if (least > 0) expect(at, text_of_length(least - 1), false, "a shorter text");
}

/* A vector's length is the world's, so only lists of any length can have their longest one. */
static void check_list(const place *at, const json_t *property) {
    const size_t least = length_of(property, "minItems"), most = length_of(property, "maxItems");
    const json_t *items = json_object_get(property, "items");
    const bool is_free = at->steps[at->depth - 1].of->shape == SHAPE_ANY;
    if (has_places(property)) {
        expect(at, copies(json_integer(1), least - 1), false, "a shorter list");
        return;
    }
    if (least > 0) expect(at, copies(any_value(items), least - 1), false, "a shorter list");
    if (is_free) expect(at, copies(any_value(items), least), true, "the shortest list");
    if (!is_free || most > MAX_COPIES) return;
    expect(at, copies(any_value(items), most), true, "the longest list");
    expect(at, copies(any_value(items), most + 1), false, "a longer list");
}

/* ---- all of them ------------------------------------------------------------------------------------------------------- */

static int number_count, list_count, text_count;

static void check_object(place *at, const json_t *object, const table *of);

static void check_property(place *at, const json_t *property) {
    const json_t *items = json_object_get(property, "items"), *inner = definition(property);
    if (!inner && items) inner = definition(items);
    if (is_number(property)) check_number(at, property, property), number_count++;
    if (items && (is_number(items) || has_places(property))) check_number(at, property, items), number_count++;
    if (items) check_list(at, property), list_count++;
    if (is_type(property, "string")) check_text(at, property), text_count++;
    if (inner) check_object(at, inner, at->steps[at->depth - 1].of->table);
}

static void check_object(place *at, const json_t *object, const table *of) {
    const char *name;
    json_t *property;
    json_object_foreach(json_object_get(object, "properties"), name, property) {
        assert_true(at->depth < MAX_DEPTH);
        const int found = dun_table_find(of, name, strlen(name));
        assert_true(found >= 0);
        at->steps[at->depth++] = (step){object, name, dun_table_row(of, found)};
        check_property(at, property);
        at->depth--;
    }
}

TEST(the_schema_has_the_programs_bounds) {
    place at = {.depth = 0};
    const size_t size = dunlin_scenario_schema(NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    assert_int_equal(dunlin_scenario_schema(text, size), size - 1);
    schema = json_loads(text, JSON_DECODE_INT_AS_REAL, NULL);
    assert_non_null(schema);
    check_object(&at, schema, &dun_schema);
    assert_true(number_count >= 200 && list_count > 40 && text_count > 40);
    json_decref(schema);
    free(text);
}

/* Whole numbers of 64 bits, which neither doubles nor JSON's readers separate from their neighbours. */
TEST(seeds_have_64_bits) {
    dunlin_scenario *scenario;
    ACCEPT(parse("seed: 18446744073709551615", &scenario));
    scenario_close(scenario);
    REFUSE(parse("seed: 18446744073709551616", &scenario), DUNLIN_ERROR_FILE, "0 .. 18446744073709551615");
    REFUSE(parse("seed: -1", &scenario), DUNLIN_ERROR_FILE, "0 .. 18446744073709551615");
    ACCEPT(parse("seed: 1.8446744073709551615e19", &scenario));
    scenario_close(scenario);
    REFUSE(parse("seed: 1.8446744073709551616e19", &scenario), DUNLIN_ERROR_FILE, "'1.8446744073709551616e19'",
           "a whole number");
    REFUSE(parse("seed: 1.5e0", &scenario), DUNLIN_ERROR_FILE, "'1.5e0'", "a whole number, 0 .. 18446744073709551615");
}

static bool excludes(const row *at, const row *other) {
    const bool instead =
        (at->instead && strcmp(at->instead, other->name) == 0) || (other->instead && strcmp(other->instead, at->name) == 0);
    return instead || (at->one_of && other->one_of);
}

/* What a field sets has no second name, and no second unit. */
TEST(fields_have_one_name) {
    const table *all[DUN_MAX_TABLES];
    const int count = dun_tables_below(&dun_schema, all, 0);
    int stored = 0;
    for (int t = 0; t < count; t++)
        for (int i = 0; i < dun_table_count(all[t]); i++) {
            const row *at = dun_table_row(all[t], i);
            if (at->stored == STORED_NOT || at->stored == STORED_INSIDE) continue;
            for (int k = 0; k < i; k++) {
                const row *other = dun_table_row(all[t], k);
                if (other->stored != STORED_NOT && other->stored != STORED_INSIDE && other->offset == at->offset &&
                    !excludes(at, other))
                    fail_msg("%s: %s and %s set the same", all[t]->name, other->name, at->name);
            }
            stored++;
        }
    assert_true(stored > 150);
}

/* Numbers that act once per step, whatever the time step: their documentation says so, and their unit has to. */
TEST(what_happens_in_every_step_is_per_step) {
    static const char *const words[] = {"every step", "each step", "per step"};
    const table *all[DUN_MAX_TABLES];
    const int count = dun_tables_below(&dun_schema, all, 0);
    int per_step = 0;
    for (int t = 0; t < count; t++)
        for (int i = 0; i < all[t]->count; i++) {
            const row *at = &all[t]->rows[i];
            bool says = false;
            for (int w = 0; w < 3; w++) says = says || strstr(at->doc, words[w]);
            const bool is = at->type == VALUE_NUMBER && at->unit && strstr(at->unit, "step");
            if (says && at->type == VALUE_NUMBER && !is)
                fail_msg("%s.%s: its unit is %s: %s", all[t]->name, at->name, at->unit ? at->unit : "nothing", at->doc);
            per_step += is;
        }
    assert_true(per_step >= 14);
}
