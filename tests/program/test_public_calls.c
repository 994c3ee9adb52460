/* SPDX-License-Identifier: MIT */
/* What holds for every public function: NULL is an error or allowed, and the host's floating-point mode stays as it is, and
 * changes nothing. */
#include "tests/lib/float_modes.h"
#include "tests/lib/public_calls.h"
#include "tests/lib/worlds.h"

/* ---- NULL ------------------------------------------------------------------------------------------------------------- */

typedef struct argument {
    const char *function, *parameter;
} argument;

/* Where the headers allow NULL. */
static const argument allowed[] = {
    {"dunlin_world_destroy", "world"},
    {"dunlin_world_find_species", "name"},
    {"dunlin_world_find_attribute", "name"},
    {"dunlin_kernel_find", "name"},
    {"dunlin_world_fail", "message"},
    {"dunlin_world_add_species", "species"},
    {"dunlin_world_spawn", "first_id"},
    {"dunlin_world_add_interaction", "interaction"},
    {"dunlin_world_add_attribute", "attribute"},
    {"dunlin_world_add_path", "path"},
    {"dunlin_world_add_field", "field"},
    {"dunlin_world_add_trace", "trace"},
    {"dunlin_world_add_obstacle", "obstacle"},
    {"dunlin_world_add_behaviour", "behaviour"},
    {"dunlin_world_add_meal", "meal"},
    {"dunlin_tile_spawn", "attribute"},
    {"dunlin_survey_destroy", "survey"},
    {"dunlin_displacement_destroy", "displacement"},
    {"dunlin_hold_release", "hold"},
    {"dunlin_world_preamble", "text"},
    {"dunlin_world_create_from", "def"},
    {"dunlin_world_create_part_from", "def"},
    {"dunlin_world_sum_in_step", "brings"},
    {"dunlin_scenario_open", "def"},
    {"dunlin_scenario_open_text", "def"},
    {"dunlin_scenario_close", "scenario"},
    {"dunlin_scenario_find_number", "number"},
    {"dunlin_scenario_write", "text"},
    {"dunlin_scenario_resolve", "def"},
    {"dunlin_simulation_create", "def"},
    {"dunlin_simulation_destroy", "simulation"},
    {"dunlin_simulation_open_from", "def"},
    {"dunlin_simulation_open_from", "scenario"},
    {"dunlin_simulation_open_parts", "def"},
    {"dunlin_simulation_open_parts", "scenario"},
    {"dunlin_simulation_open_memory", "def"},
    {"dunlin_simulation_open_memory", "scenario"},
    {"dunlin_scenario_schema", "text"},
    {"dunlin_scenario_reference", "text"},
};

/* Functions that cannot fail, and that the headers do not allow this NULL: nothing is promised. */
static const argument forbidden[] = {
    {"dunlin_agents_hash", "species"}, {"dunlin_tile_inherit", "tile"},
    {"dunlin_tile_inherit", "values"}, {"dunlin_fluctuation_exponent", "densities"},
    {"dunlin_draw", "numbers"},        {"dunlin_scenario_reference", "page"},
    {"dunlin_world_offset", "from"},   {"dunlin_world_offset", "to"},
    {"dunlin_world_offset", "offset"},
};

static bool is_listed(const argument *list, size_t count, const char *function, const char *parameter) {
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found = found || (strcmp(list[i].function, function) == 0 && strcmp(list[i].parameter, parameter) == 0);
    return found;
}
#define IS_LISTED(list, function, parameter) is_listed(list, sizeof(list) / sizeof *(list), function, parameter)

/* "A world must never be NULL", and where nothing can fail neither must a scenario or a simulation. */
static bool is_required(const public_function *function, const char *parameter) {
    const bool is_simulation = strcmp(parameter, "scenario") == 0 || strcmp(parameter, "simulation") == 0;
    return (function->world && strcmp(parameter, "world") == 0) || (is_simulation && !function->fails);
}

/* All that is wrong, and not only the first. */
static int wrong; /* in this test */

static void complain(const public_call *c, const char *parameter, const char *what) {
    print_error("%s() with %s: %s; it returns %d: %s\n", c->function->name, parameter, what, (int)c->result, c->error.message);
    wrong++;
}

static void make(public_call *c) {
    things_make("serial", 1);
    call_make(c);
    things_free();
}

static void check_null(const public_function *function, int position) {
    const char *parameter = function->parameter[position];
    public_call c = {.function = function, .null = 1u << position};
    make(&c);
    if (!function->fails) return;
    const bool may = IS_LISTED(allowed, function->name, parameter) || strcmp(parameter, "context") == 0;
    if (c.result != (may ? DUNLIN_OK : DUNLIN_ERROR_VALUE)) complain(&c, parameter, "NULL has another result");
    if (!may && c.made > 0) complain(&c, parameter, "a pointer to what was not made");
    if (!may && (!strstr(c.error.message, parameter) || !strstr(c.error.message, "NULL")))
        complain(&c, parameter, "NULL is not named");
    c.null |= 1u << parameter_of(function, "error"); /* and nothing is reported */
    make(&c);
}

TEST(test_every_pointer_may_be_null_or_is_an_error) {
    wrong = 0;
    for (int i = 0; i < public_function_count; i++) {
        const public_function *function = &public_functions[i];
        for (int p = 0; p < function->parameters; p++) {
            const char *parameter = function->parameter[p];
            const bool may = IS_LISTED(allowed, function->name, parameter);
            if (!function->is_pointer[p] || (is_required(function, parameter) && !may)) continue;
            if (strcmp(parameter, "error") == 0 || (function->fails && strcmp(parameter, "connect") == 0)) continue;
            if (!function->fails && !may && IS_LISTED(forbidden, function->name, parameter)) continue;
            if (!function->fails && !may) {
                complain(&(public_call){.function = function}, parameter,
                         "say in the header, and here, whether it may be NULL");
                continue;
            }
            check_null(function, p);
        }
    }
    assert_int_equal(wrong, 0);
}

/* So it was the NULL that was refused above. Whatever is in use cannot be removed. */
TEST(test_every_function_accepts_these_arguments) {
    wrong = 0;
    for (int i = 0; i < public_function_count; i++) {
        public_call c = {.function = &public_functions[i]};
        make(&c);
        if (c.result && !(is_called(c.function, "_remove_") && strstr(c.error.message, "cannot be removed")))
            complain(&c, "good arguments", "refused");
        const int error = parameter_of(c.function, "error");
        if (error >= 0) c.null = 1u << error;
        make(&c);
    }
    assert_int_equal(wrong, 0);
}

/* ---- numbers and definitions ------------------------------------------------------------------------------------------ */

/* A number that nothing has is an error that names it, and pointers to what was not made are set to NULL. */
static void check_number(const public_function *function, const char *name) {
    static const int numbers[] = {-1, -2, 1000, INT32_MIN, INT32_MAX};
    public_call good = {.function = function};
    make(&good);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        public_call c = {.function = function, .odd = name, .odd_number = numbers[i]};
        char is[100];
        snprintf(is, sizeof is, "%s is %d", name, numbers[i]);
        make(&c);
        if (!function->fails || (numbers[i] == DUNLIN_ALL_SPECIES && c.result == DUNLIN_OK)) continue;
        if (c.result != DUNLIN_ERROR_VALUE || !strstr(c.error.message, is)) complain(&c, is, "it is not refused by its name");
        if (c.set != good.set || c.made > 0) complain(&c, is, "a pointer to what was not made");
    }
}

TEST(test_every_number_that_nothing_has_is_an_error) {
    static const char *const names[] = {"species", "attribute", "behaviour", "field", "interaction",
                                        "meal",    "obstacle",  "path",      "trace"};
    wrong = 0;
    int checked = 0;
    for (int i = 0; i < public_function_count; i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            const int p = parameter_of(&public_functions[i], names[n]);
            if (p < 0 || public_functions[i].is_pointer[p]) continue;
            check_number(&public_functions[i], names[n]);
            checked++;
        }
    assert_int_equal(wrong, 0);
    assert_true(checked > 30);
}

/* Definitions that no default function made: their cookie is wrong. */
TEST(test_every_definition_needs_its_cookie) {
    wrong = 0;
    int checked = 0;
    for (int i = 0; i < public_function_count; i++) {
        static const char *const names[] = {"def", "batch", "source", "write"};
        const public_function *function = &public_functions[i];
        for (int n = 0; n < 4 && function->fails; n++) {
            const int p = parameter_of(function, names[n]);
            if (p < 0 || !function->is_pointer[p]) continue;
            if (n > 0 && parameter_of(function, "context") >= 0) continue; /* a function, to write with */
            public_call c = {.function = function, .without_cookie = true};
            make(&c);
            if (c.result != DUNLIN_ERROR_VALUE || !strstr(c.error.message, "default function"))
                complain(&c, names[n], "without a cookie it is accepted");
            checked++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(checked > 20);
}

/* ---- the host's floating-point mode ------------------------------------------------------------------------------------ */

TEST(test_every_function_leaves_the_float_mode_alone_and_does_the_same_in_it) {
    wrong = 0;
    for (int i = 0; i < public_function_count; i++) {
        public_call usual = {.function = &public_functions[i]};
        make(&usual);
        for (int mode = 1; mode < FLOAT_MODES; mode++) {
            public_call c = {.function = &public_functions[i], .float_mode = mode};
            make(&c);
            if (!c.mode_kept) complain(&c, float_mode_name(mode), "it has changed the host's mode");
            if (c.outcome != usual.outcome)
                complain(&c, float_mode_name(mode), "it does something else than in the usual mode");
        }
    }
    assert_int_equal(wrong, 0);
}
