/* SPDX-License-Identifier: MIT */
/* Every field of every definition: its default, its range, and the message about a value outside it. */
#include "engine/base/c_locale.h"
#include "tests/lib/worlds.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- a world that must not change by what it refuses ------------------------------------------------------------------- */

typedef struct census {
    uint64_t hash, agents;
    int species;
    size_t bytes;
} census;

static census count(const dunlin_world *world) {
    return (census){dunlin_world_state_hash(world), dunlin_world_agent_count(world), dunlin_world_species_count(world),
                    dunlin_world_bytes(world)};
}

static void assert_unchanged(const dunlin_world *world, census before) {
    const census now = count(world);
    assert_true(now.hash == before.hash && now.agents == before.agents && now.species == before.species);
    assert_int_equal(now.bytes, before.bytes);
}

static dunlin_world *moving_world(void) {
    dunlin_world *world = world_of(NULL, 5, 50);
    world_run(world, 2);
    return world;
}

/* ---- every number of a definition -------------------------------------------------------------------------------------- */

typedef struct number {
    const char *field; /* as messages name it */
    size_t offset;
    float below, above;
    const char *range; /* must stand in the message */
} number;

typedef dunlin_result attempt(void *def, dunlin_world *world, dunlin_error *error);

/* A definition that is refused when it is new is refused with the same words when it is to replace another. */
static void assert_refused_alike(dunlin_result set, const dunlin_error *set_error, dunlin_result added,
                                 const dunlin_error *error) {
    if (added == DUNLIN_OK) return;
    assert_int_equal(set, added);
    if (error) assert_string_equal(set_error->message, error->message);
}

static dunlin_result try_world(void *def, dunlin_world *world, dunlin_error *error) {
    dunlin_error other;
    dunlin_world *made = NULL;
    const dunlin_result result = dunlin_world_create(def, &made, error);
    assert_true((result == DUNLIN_OK) == !!made);
    world_destroy(made);
    assert_refused_alike(dunlin_world_set_def(world, def, &other), &other, result, error);
    return result;
}

static dunlin_result try_species(void *def, dunlin_world *world, dunlin_error *error) {
    dunlin_error other;
    const dunlin_result result = dunlin_world_add_species(world, def, NULL, error);
    assert_refused_alike(dunlin_world_set_species(world, 0, def, &other), &other, result, error);
    return result;
}

/* In a world of its own, because moving_world() already has the interaction. */
static dunlin_result try_interaction(void *def, dunlin_world *world, dunlin_error *error) {
    dunlin_error other;
    dunlin_world *fresh = world_create(NULL);
    world_add_species(fresh, NULL);
    const dunlin_result result = dunlin_world_add_interaction(fresh, def, NULL, error);
    assert_refused_alike(dunlin_world_set_interaction(world, 0, def, &other), &other, result, error);
    world_destroy(fresh);
    return result;
}

static dunlin_result try_scatter(void *def, dunlin_world *world, dunlin_error *error) {
    return dunlin_world_scatter(world, 0, def, error);
}

static void say_value(char *text, size_t size, float value) {
    DUN_C_LOCALE();
    snprintf(text, size, " is %g", (double)value);
}

static void refuse_value(const void *good, size_t size, const number *n, float value, attempt *try) {
    char text[32];
    dunlin_world *world = moving_world();
    const census before = count(world);
    void *def = malloc(size);
    assert_non_null(def);
    memcpy(def, good, size);
    memcpy((char *)def + n->offset, &value, sizeof value);
    say_value(text, sizeof text, value);
    REFUSE(try(def, world, &refusal), DUNLIN_ERROR_VALUE, n->field, text, n->range);
    assert_int_equal(try(def, world, NULL), DUNLIN_ERROR_VALUE);
    assert_unchanged(world, before);
    free(def);
    world_destroy(world);
}

static void refuse_numbers(const void *good, size_t size, const number numbers[], size_t length, attempt *try) {
    for (size_t i = 0; i < length; i++) {
        refuse_value(good, size, &numbers[i], NAN, try);
        refuse_value(good, size, &numbers[i], -INFINITY, try);
        refuse_value(good, size, &numbers[i], numbers[i].below, try);
        refuse_value(good, size, &numbers[i], numbers[i].above, try);
        if (isfinite(numbers[i].above)) refuse_value(good, size, &numbers[i], INFINITY, try);
    }
}

/* ---- worlds ------------------------------------------------------------------------------------------------------------ */

TEST(world_defaults) {
    const dunlin_world_def def = dunlin_world_def_default();
    assert_int_equal(def.dimensions, 2);
    for (int a = 0; a < 3; a++) assert_true(def.size[a] == 100.0f);
    assert_int_equal(def.boundary, DUNLIN_BOUNDARY_PERIODIC);
    assert_true(def.margin == 0.0f && !def.keep_overshoot && !def.boundary_first && !def.forces_are_increments);
    assert_int_equal(def.integrator, DUNLIN_INTEGRATOR_SEMI_IMPLICIT);
    assert_true(def.time_step == 1.0f && def.seed == 1);
    assert_int_equal(def.threads, 0);
    assert_string_equal(def.kernel, "auto");
    assert_string_equal(def.index, "auto");
}

TEST(world_numbers) {
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = 3, .boundary = DUNLIN_BOUNDARY_TELEPORT});
    static const number numbers[] = {
        {"world.size[0]", offsetof(dunlin_world_def, size[0]), 0, 2e9f, "1e-09 and at most 1e+09 world units"},
        {"world.size[1]", offsetof(dunlin_world_def, size[1]), -1, 2e9f, "1e-09 and at most 1e+09 world units"},
        {"world.size[2]", offsetof(dunlin_world_def, size[2]), 1e-12f, 2e9f, "1e-09 and at most 1e+09 world units"},
        {"world.margin", offsetof(dunlin_world_def, margin), -0.5f, 2e9f, "at least 0 and at most 1e+09 world units"},
        {"world.time_step", offsetof(dunlin_world_def, time_step), 0, 2e6f, "above 0 and at most 1e+06 time units"},
    };
    refuse_numbers(&def, sizeof def, numbers, LENGTH(numbers), try_world);
}

TEST_EACH(world_whole_numbers, i, 0, 4) {
    static const int bad_dimensions[] = {-2, 0, 1, 4}, bad_threads[] = {-1, 1025, INT32_MIN, INT32_MAX};
    dunlin_world *world;
    char value[32];
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = bad_dimensions[i];
    snprintf(value, sizeof value, "world.dimensions is %d", bad_dimensions[i]);
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, value, "2 or 3");
    def = dunlin_world_def_default();
    def.threads = bad_threads[i];
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.threads is", "1024");
}

/* Fields of one boundary do not apply to the others. */
TEST(fields_of_a_boundary) {
    dunlin_world *world;
    for (int boundary = DUNLIN_BOUNDARY_PERIODIC; boundary <= (int)DUNLIN_BOUNDARY_OPEN; boundary++) {
        const bool teleports = boundary == DUNLIN_BOUNDARY_TELEPORT, first = teleports || boundary == DUNLIN_BOUNDARY_REFLECT;
        dunlin_world_def def = world_def_with((world_parts){.boundary = (dunlin_boundary)boundary, .margin = 2});
        if (teleports)
            world_destroy(world_create(&def));
        else
            REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.margin is 2", "teleport");
        def.margin = 0;
        def.keep_overshoot = true;
        if (teleports)
            world_destroy(world_create(&def));
        else
            REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.keep_overshoot", "teleport");
        def.keep_overshoot = false;
        def.boundary_first = true;
        if (first)
            world_destroy(world_create(&def));
        else
            REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.boundary_first", "teleport",
                   "reflect");
    }
    dunlin_world_def both = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_TELEPORT, .margin = 1});
    both.keep_overshoot = true;
    REFUSE(dunlin_world_create(&both, &world, &refusal), DUNLIN_ERROR_VALUE, "world.keep_overshoot", "margin 0");
}

TEST(world_extremes_are_allowed) {
    dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_TELEPORT});
    for (int a = 0; a < 2; a++) def.size[a] = 1e9f;
    def.margin = 1e9f;
    def.time_step = 1e6f;
    def.threads = 1024;
    def.seed = UINT64_MAX;
    world_destroy(world_create(&def));
    def.margin = 0;
    for (int a = 0; a < 2; a++) def.size[a] = 1e-9f;
    def.size[2] = NAN; /* never read in 2D */
    def.time_step = 1e-30f;
    world_destroy(world_create(&def));
}

/* Whether the message lists this word among those that are allowed. What was asked for stands before them. */
static bool lists(const char *message, const char *word) {
    char item[32];
    const char *at = strstr(message, "one of ");
    snprintf(item, sizeof item, ", %s", word);
    while (at && (at = strstr(at, item)) && at[strlen(item)] && at[strlen(item)] != ',') at++;
    return at;
}

TEST(kernels_and_indexes_have_names) {
    static const char *const unknown[] = {"warp", "", "AVX2", "auto ", "scalar,avx2", NULL};
    dunlin_world *world;
    for (size_t i = 0; i < LENGTH(unknown); i++) {
        dunlin_world_def def = dunlin_world_def_default();
        char quoted[32];
        snprintf(quoted, sizeof quoted, unknown[i] ? "'%s'" : "null", unknown[i]);
        def.kernel = unknown[i];
        REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_UNSUPPORTED, "kernel", quoted, "unknown", "auto");
        assert_null(world);
        for (int k = 0; k < dunlin_kernel_count(); k++) {
            const dunlin_kernel_info kernel = dunlin_kernel_at(k);
            dunlin_world_create(&def, &world, &refusal);
            assert_true(lists(refusal.message, kernel.name) == kernel.runs_here);
        }
        def = dunlin_world_def_default();
        def.index = unknown[i];
        REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_UNSUPPORTED, "index", quoted, "unknown",
               "auto, grid, tree, brute");
    }
}

/* If every kernel runs here there is nothing to test. */
TEST(a_kernel_that_cannot_run_here_is_refused) {
    int refused = 0;
    for (int k = 0; k < dunlin_kernel_count(); k++) {
        if (dunlin_kernel_at(k).runs_here) continue;
        dunlin_world_def def = dunlin_world_def_default();
        dunlin_world *world;
        def.kernel = dunlin_kernel_at(k).name;
        REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_UNSUPPORTED, def.kernel, "cannot run on this machine",
               "one of auto, scalar");
        refused++;
    }
    if (!refused) skip();
}

TEST(the_kernels_are_listed) {
    assert_true(dunlin_kernel_count() >= 2);
    for (int k = 0; k < dunlin_kernel_count(); k++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(k);
        assert_true(kernel.name[0] && kernel.description[0] && kernel.lanes >= 1);
        if (k) assert_true(kernel.lanes >= dunlin_kernel_at(k - 1).lanes);
    }
    assert_null(dunlin_kernel_at(-1).name);
    assert_null(dunlin_kernel_at(dunlin_kernel_count()).name);
    assert_string_equal(dunlin_kernel_at(0).name, "scalar");
    assert_true(dunlin_kernel_at(0).runs_here);
}

TEST(a_world_says_what_was_chosen) {
    dunlin_world *world = world_create(NULL);
    const dunlin_world_def chosen = dunlin_world_get_def(world);
    assert_true(chosen.threads >= 1);
    assert_string_equal(chosen.index, "auto");
    const dunlin_kernel_info kernel = dunlin_kernel_at(dunlin_kernel_find(chosen.kernel));
    assert_string_equal(chosen.kernel, dunlin_kernel_at(dunlin_kernel_find("auto")).name);
    assert_true(kernel.runs_here);
    world_destroy(world);
    world = world_create(&chosen); /* makes an equal world */
    assert_int_equal(dunlin_world_get_def(world).threads, chosen.threads);
}

/* ---- species ----------------------------------------------------------------------------------------------------------- */

TEST(species_defaults) {
    const dunlin_species_def def = dunlin_species_def_default();
    assert_string_equal(def.name, "agents");
    assert_true(def.min_speed == 0.0f && def.max_speed == 1.0f && def.max_force == 0.1f && def.drag == 0.0f &&
                def.friction == 0.0f);
}

TEST(species_numbers) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = "others";
    def.max_speed = 5;
    static const number numbers[] = {
        {"species.min_speed", offsetof(dunlin_species_def, min_speed), -1, 5.5f, "at least 0 and at most 5"},
        {"species.max_speed", offsetof(dunlin_species_def, max_speed), -1, 2e9f, "at least 0 and at most 1e+09"},
        {"species.max_force", offsetof(dunlin_species_def, max_force), -1, 2e9f, "at least 0 and at most 1e+09"},
        {"species.drag", offsetof(dunlin_species_def, drag), -0.1f, 1.1f, "at least 0 and at most 1"},
        {"species.friction", offsetof(dunlin_species_def, friction), -0.1f, 2e9f, "at least 0 and at most 1e+09"},
    };
    refuse_numbers(&def, sizeof def, numbers, LENGTH(numbers), try_species);
}

TEST(species_extremes_are_allowed) {
    dunlin_world *world = world_create(NULL);
    dunlin_species_def def = dunlin_species_def_default();
    def.min_speed = def.max_speed = 1e9f;
    def.max_force = 1e9f;
    def.drag = 1;
    world_add_species(world, &def);
    def.name = "slow";
    def.min_speed = 0;
    def.max_speed = 1e-30f;
    def.max_force = 0;
    world_add_species(world, &def);
    def.name = "still";
    def.max_speed = 0;
    world_add_species(world, &def);
}

TEST(species_names) {
    char longest[65] = "";
    memset(longest, 'n', 64);
    static const char *const bad[] = {"", "a,b", "a\"b", "a\nb", "tab\t", "\x1b[0m", "del\x7f", "csi\xc2\x9b", "agents"};
    dunlin_world *world = moving_world();
    const census before = count(world);
    dunlin_species_def def = dunlin_species_def_default();
    for (size_t i = 0; i < LENGTH(bad) - 1; i++) {
        def.name = bad[i];
        const dunlin_result result = dunlin_world_add_species(world, &def, NULL, &refusal);
        assert_int_equal(result, DUNLIN_ERROR_VALUE);
        assert_non_null(strstr(refusal.message, "species.name is"));
        assert_non_null(strstr(refusal.message, "1 to 63 bytes"));
    }
    def.name = NULL;
    REFUSE(dunlin_world_add_species(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "species.name", "1 to 63 bytes");
    def.name = longest;
    REFUSE(dunlin_world_add_species(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "species.name", "nnnn", "1 to 63 bytes");
    def.name = "agents";
    REFUSE(dunlin_world_add_species(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "species.name is 'agents'", "already");
    assert_unchanged(world, before);
    longest[63] = '\0';
    def.name = longest;
    world_add_species(world, &def);
    def.name = "Große Schnepfen";
    world_add_species(world, &def);
    assert_int_equal(dunlin_world_find_species(world, "Große Schnepfen"), 2);
}

TEST(species_are_copied_and_numbered) {
    dunlin_world *world = world_create(NULL);
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) {
        char name[32];
        dunlin_species_def def = dunlin_species_def_default();
        snprintf(name, sizeof name, "species %d", s);
        def.name = name;
        def.max_speed = (float)(s + 1);
        int added = world_add_species(world, &def);
        assert_int_equal(added, s);
    }
    int added = -1;
    const dunlin_species_def more = dunlin_species_def_default();
    REFUSE(dunlin_world_add_species(world, &more, &added, &refusal), DUNLIN_ERROR_VALUE, "64 species already");
    assert_int_equal(added, -1);
    assert_int_equal(dunlin_world_species_count(world), DUNLIN_MAX_SPECIES);
    assert_string_equal(dunlin_world_get_species(world, 7).name, "species 7");
    assert_true(dunlin_world_get_species(world, 7).max_speed == 8.0f);
    assert_int_equal(dunlin_world_find_species(world, "species 63"), 63);
    assert_int_equal(dunlin_world_find_species(world, "absent"), -1);
    assert_int_equal(dunlin_world_find_species(world, NULL), -1);
    assert_null(dunlin_world_get_species(world, -1).name);
    assert_null(dunlin_world_get_species(world, 64).name);
}

/* ---- interactions ------------------------------------------------------------------------------------------------------ */

TEST(interaction_defaults) {
    const dunlin_interaction_def def = dunlin_interaction_def_default();
    assert_true(def.observer == 0 && def.observed == 0 && !def.in_turn && !def.ignore_coincident);
    assert_true(def.nearest == 0 && def.max_neighbours == 0);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        const dunlin_rule *rule = &def.rules[r];
        assert_true(rule->radius == 0.0f && rule->weight == 1.0f && rule->limit == INFINITY);
        assert_true(rule->response == DUNLIN_RESPONSE_STEER && rule->falloff == DUNLIN_FALLOFF_INVERSE);
        assert_true(rule->min_radius == 0.0f && rule->half_angle == 0.0f);
        assert_int_equal(def.order[r], r);
    }
}

/* An interaction that moving_world() does not have yet. */
static dunlin_interaction_def free_interaction(dunlin_world *world) {
    dunlin_species_def species = dunlin_species_def_default();
    dunlin_interaction_def def = world_flocking_rules(5);
    species.name = "others";
    def.observed = world_add_species(world, &species);
    return def;
}

#define RULE(rule, field) offsetof(dunlin_interaction_def, rules[rule].field)

TEST_EACH(interaction_numbers, r, 0, DUNLIN_RULE_COUNT) {
    const dunlin_interaction_def def = world_flocking_rules(5);
    static const char *const names[] = {"separation", "alignment", "cohesion"};
    const size_t offset = (size_t)r * sizeof(dunlin_rule);
    char field[5][64];
    static const char *const parts[] = {"radius", "weight", "limit", "min_radius", "half_angle"};
    for (int i = 0; i < 5; i++) snprintf(field[i], sizeof field[i], "interaction.%s.%s", names[r], parts[i]);
    const number numbers[] = {
        {field[0], RULE(0, radius) + offset, -1, 2e9f, "at most 1e+09 world units"},
        {field[0], RULE(0, radius) + offset, 1e-12f, 1e30f, "0: off"},
        {field[1], RULE(0, weight) + offset, -2e6f, 2e6f, "at least -1e+06 and at most 1e+06"},
        {field[3], RULE(0, min_radius) + offset, -1, 5.5f, "world units (its radius)"},
        {field[4], RULE(0, half_angle) + offset, -0.5f, 3.1416f, "at most 3.14159 radians (or 0: all around)"},
    };
    refuse_numbers(&def, sizeof def, numbers, LENGTH(numbers), try_interaction);
    const number limit = {field[2], RULE(0, limit) + offset, -1, 0, "at least 0"};
    refuse_value(&def, sizeof def, &limit, -1, try_interaction);
    refuse_value(&def, sizeof def, &limit, NAN, try_interaction);
    refuse_value(&def, sizeof def, &limit, -INFINITY, try_interaction);
}

TEST(interaction_counts) {
    static const int bad[] = {-1, 33, INT32_MIN, INT32_MAX};
    dunlin_world *world = moving_world();
    dunlin_interaction_def def = free_interaction(world);
    for (size_t i = 0; i < LENGTH(bad); i++) {
        def.nearest = bad[i];
        REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "interaction.nearest is",
               "at least 0 and at most 32");
    }
    def.nearest = 0;
    def.max_neighbours = -1;
    REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "interaction.max_neighbours is -1",
           "at least 0");
    def.max_neighbours = 0;
    def.rules[DUNLIN_RULE_COHESION].radius = 0;
    def.rules[DUNLIN_RULE_COHESION].min_radius = 1; /* of a rule that is off */
    REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE,
           "interaction.cohesion.min_radius is 1", "at most 0");
}

TEST(interaction_orders) {
    dunlin_world *world = moving_world();
    const dunlin_interaction_def good = free_interaction(world);
    const census before = count(world);
    static const int orders[][3] = {{0, 0, 0}, {0, 1, 1}, {0, 1, 3}, {-1, 1, 2}, {2, 1, 2}};
    for (size_t i = 0; i < LENGTH(orders); i++) {
        dunlin_interaction_def def = good;
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) def.order[r] = (dunlin_rule_kind)orders[i][r];
        REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "interaction.order",
               "separation, alignment, cohesion");
    }
    assert_unchanged(world, before);
}

TEST(interaction_pairs) {
    dunlin_world *world = moving_world();
    const dunlin_interaction_def good = free_interaction(world);
    const census before = count(world);
    static const int bad[] = {-1, 2, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        dunlin_interaction_def def = good;
        def.observer = bad[i];
        REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "interaction.observer is",
               "has 2 species");
        def = good;
        def.observed = bad[i];
        REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "interaction.observed is",
               "has 2 species");
    }
    dunlin_interaction_def twice = good;
    twice.observed = 0;
    REFUSE(dunlin_world_add_interaction(world, &twice, NULL, &refusal), DUNLIN_ERROR_VALUE,
           "interaction of species 0 with species 0", "already");
    assert_unchanged(world, before);
    world_add_interaction(world, &good);
}

TEST(an_interaction_needs_a_rule) {
    dunlin_world *world = moving_world();
    dunlin_interaction_def def = free_interaction(world);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) def.rules[r].radius = 0;
    REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "no rule", "above 0");
    def.rules[DUNLIN_RULE_COHESION].radius = 1e-9f;
    def.rules[DUNLIN_RULE_COHESION].weight = -1e6f;
    def.rules[DUNLIN_RULE_COHESION].limit = 0;
    def.rules[DUNLIN_RULE_ALIGNMENT].radius = 1e9f;
    world_add_interaction(world, &def);
    world_run(world, 2);
}

/* ---- scattering -------------------------------------------------------------------------------------------------------- */

TEST(scatter_numbers) {
    dunlin_world *world = moving_world();
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    world_destroy(world);
    assert_true(def.count == 0 && def.region == DUNLIN_REGION_BOX && def.min_speed == 0.0f && def.max_speed == 1.0f);
    for (int a = 0; a < 2; a++) assert_true(def.centre[a] == 50.0f && def.extent[a] == 50.0f);
    def.count = 3;
    def.max_speed = 5;
    static const number numbers[] = {
        {"scatter.min_speed", offsetof(dunlin_scatter_def, min_speed), -1, 5.5f, "at least 0 and at most 5"},
        {"scatter.max_speed", offsetof(dunlin_scatter_def, max_speed), -1, 2e9f, "at least 0 and at most 1e+09"},
        {"scatter.centre[0]", offsetof(dunlin_scatter_def, centre[0]), -2e9f, 2e9f, "1e+09"},
        {"scatter.extent[1]", offsetof(dunlin_scatter_def, extent[1]), -1, 2e9f, "at least 0 and at most 1e+09"},
    };
    refuse_numbers(&def, sizeof def, numbers, LENGTH(numbers), try_scatter);
}

TEST(scatter_stays_in_the_world) {
    dunlin_world *world = moving_world();
    const census before = count(world);
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = 3;
    def.centre[1] = 51;
    REFUSE(dunlin_world_scatter(world, 0, &def, &refusal), DUNLIN_ERROR_VALUE, "from 1 to 101 in y", "from 0 to 100");
    assert_unchanged(world, before);
}

TEST(the_version_is_the_headers) {
    char want[32];
    snprintf(want, sizeof want, "%d.%d.%d", DUNLIN_VERSION_MAJOR, DUNLIN_VERSION_MINOR, DUNLIN_VERSION_PATCH);
    assert_string_equal(dunlin_version(), want);
}
