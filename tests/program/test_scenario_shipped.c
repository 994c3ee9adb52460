/* SPDX-License-Identifier: MIT */
/* The shipped scenarios and the documented examples run, and what a file leaves unused is reported. */
#include "engine/base/c_locale.h"
#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/scenario_helpers.h"

/* ---- warnings ---------------------------------------------------------------------------------------------------------- */

typedef struct warnings {
    char text[4][sizeof(dunlin_error){0}.message];
    int count;
} warnings;

static void keep_warning(void *user, const char *warning) {
    warnings *kept = user;
    expect_own_locale();
    assert_true(kept->count < 4);
    snprintf(kept->text[kept->count++], sizeof kept->text[0], "%s", warning);
}

static warnings warnings_of(const char *text, const char *shown) {
    warnings kept = {.count = 0};
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.warn = keep_warning;
    options.user = &kept;
    options.shown = shown;
    scenario_run f = scenario_begin(text, &options);
    scenario_end(&f);
    return kept;
}

static void expect_warning(const test_case *c) {
    const warnings kept = warnings_of(c->text, NULL);
    const bool is_used = strcmp(c->word[0], "nothing") == 0;
    char place[64];
    snprintf(place, sizeof place, "scenario.yaml:%s: ", c->word[0]);
    assert_int_equal(kept.count, !is_used);
    if (is_used) return;
    expect_words(c, (const char *const[]){place, NULL}, kept.text[0]);
    expect_words(c, c->word + 1, kept.text[0]);
}

TEST(unused_parts_are_reported) {
    static const char weighed[] = "species: [{name: fish, attributes: [{name: weight, value: 1}]}]\n",
                      three[] = "fields:\n  - random: {}\n  - random: {}\npaths:\n  - points: [1, 2, 3, 4]\n";
    for_each_case("program/cases/unused.txt", 10, expect_warning);
    assert_int_equal(warnings_of(weighed, "weight").count, 0); /* a picture's colour uses it */
    assert_int_equal(warnings_of(weighed, "age").count, 1);
    assert_int_equal(warnings_of(three, NULL).count, 3);
}

/* ---- far from the origin ----------------------------------------------------------------------------------------------- */

enum { FAR_STEPS = 16 };

/* One goose that moves along x from a place on. */
static void describe_goose(bool open, float at, float speed, char text[512]) {
    const float size = open ? 100.0f : at * 1.25f;
    DUN_C_LOCALE();
    snprintf(text, 512,
             "steps: %d\nworld: {size: [%.9g, %.9g], boundary: %s}\n"
             "species:\n  - {name: geese, min_speed: %.9g, max_speed: %.9g, agents: 1,\n"
             "     start: [{centre: [%.9g, 0], extent: [0, 0], velocity: [%.9g, 0]}]}\n",
             FAR_STEPS, (double)size, (double)size, open ? "open" : "reflect", (double)speed, (double)speed, (double)at,
             (double)speed);
}

/* Returns the way that it has come. */
static double run_goose(bool open, float at, float speed, warnings *kept) {
    char text[512];
    dunlin_simulation_def options = dunlin_simulation_def_default();
    *kept = (warnings){.count = 0};
    options.warn = keep_warning;
    options.user = kept;
    describe_goose(open, at, speed, text);
    scenario_run f = scenario_begin(text, &options);
    const float before = dunlin_world_view(f.world, 0).position[0][0];
    scenario_step(&f, FAR_STEPS);
    const float after = dunlin_world_view(f.world, 0).position[0][0];
    scenario_end(&f);
    return (double)after - (double)before;
}

/* A goose that stops runs where there was a warning; where there was none it comes as far as it should, but for rounding. */
TEST(lost_steps_are_told_before) {
    test_random random = {26};
    int warned = 0;
    for (int i = 0; i < 300; i++) {
        warnings kept;
        const float at = ldexpf(test_uniform(&random, 1, 2), (int)test_below(&random, 24) + 3);
        const float speed = ldexpf(test_uniform(&random, 1, 2), (int)test_below(&random, 16) - 12);
        const double wanted = FAR_STEPS * (double)speed;
        const double way = run_goose(i % 2 || wanted > 0.2 * (double)at, at, speed, &kept);
        if (kept.count == 0 && !(fabs(way - wanted) <= 0.5 * wanted + 1e-6 * (double)at))
            fail_msg("from %g at %g: %g instead of %g, and no warning", (double)at, (double)speed, way, wanted);
        if (kept.count > 0) {
            assert_non_null(strstr(kept.text[0], "species[0].start[0]: agents may be "));
            assert_true(speed < 2 * (nextafterf(at, INFINITY) - at)); /* not without reason */
        }
        warned += kept.count > 0;
    }
    assert_true(warned > 50 && warned < 250);
    assert_int_equal(
        warnings_of("world: {boundary: open}\nspecies: [{max_speed: 0, start: [{centre: [3e7, 0]}]}]\n", NULL).count, 0);
    assert_int_equal(
        warnings_of("world: {boundary: open}\nspecies: [{growth: [{per_step: 1, start: {centre: [3e7, 0]}}]}]\n", NULL).count,
        1);
    assert_int_equal(warnings_of("steps: 1000000000\nworld: {boundary: open}\n", NULL).count, 1); /* it takes them so far */
    assert_int_equal(
        warnings_of("world: {size: [1e9, 1e9]}\nspecies: [{attributes: [{role: max_speed, value: 0.1}]}]\n", NULL).count, 1);
}

/* ---- what is shipped, and what is documented --------------------------------------------------------------------------- */

/* Whether the species has an interaction or a behaviour. Otherwise it may stand still. */
static bool steers(const dunlin_world *world, int species) {
    for (int i = 0; i < dunlin_world_interaction_count(world); i++)
        if (dunlin_world_get_interaction(world, i).observer == species) return true;
    for (int b = 0; b < dunlin_world_behaviour_count(world); b++)
        if (dunlin_world_get_behaviour(world, b).species == species) return true;
    return false;
}

/* The scenario as dunlin_scenario_write() writes it; the caller frees it. */
static char *written(const dunlin_scenario *scenario) {
    const size_t length = dunlin_scenario_write(scenario, NULL, 0);
    char *text = malloc(length + 1);
    assert_true(length > 0 && text);
    assert_int_equal(dunlin_scenario_write(scenario, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    return text;
}

/* Opens the text as if it were the file's, and runs it. */
static dunlin_scenario *open_written(const char *text, const char *file, uint64_t *hash) {
    const uint32_t agents = 300;
    dunlin_scenario *scenario;
    dunlin_scenario_def open = dunlin_scenario_def_default();
    dunlin_simulation_def def = dunlin_simulation_def_default();
    scenario_run f;
    open.name = file;
    def.agents = &agents;
    ACCEPT(dunlin_scenario_open_text(text, strlen(text), &open, &scenario, &refusal));
    ACCEPT(dunlin_simulation_create(scenario, &def, &f.simulation, &refusal));
    f.world = dunlin_simulation_world(f.simulation);
    scenario_step(&f, 12);
    *hash = dunlin_world_state_hash(f.world);
    scenario_end(&f);
    return scenario;
}

/* With every default written out it is the same scenario; then nothing is left to be written out. */
static void writes_itself(const char *text, const char *file) {
    uint64_t hash, hash_written, hash_again;
    dunlin_scenario *original = open_written(text, file, &hash);
    char *defaults = written(original);
    dunlin_scenario *second = open_written(defaults, file, &hash_written);
    char *again = written(second);
    dunlin_scenario *third = open_written(again, file, &hash_again);
    char *last = written(third);
    assert_null(strstr(again, "default"));
    assert_string_equal(again, last);
    if (hash != hash_written || hash != hash_again) fail_msg("%s runs in another way when it is written:\n%s", file, defaults);
    scenario_close(original);
    scenario_close(second);
    scenario_close(third);
    free(defaults);
    free(again);
    free(last);
}

static void write_shipped(const char *file) {
    char *text = calloc(1, 1 << 20);
    FILE *from = fopen(file, "r");
    assert_true(from && text);
    assert_in_range(fread(text, 1, (1 << 20) - 1, from), 1, (1 << 20) - 1);
    fclose(from);
    writes_itself(text, file);
    free(text);
}

static void expect_writes_itself(const test_case *c) {
    writes_itself(c->text, "text.yaml");
}

TEST(scenarios_are_written) {
    for_each_case("program/cases/texts.txt", 11, expect_writes_itself);
    dunlin_scenario *scenario;
    ACCEPT(parse("species: [{name: 'no', drag: 0.25, start: [{}]}]\nfields: [{random: {}}]\n", &scenario));
    char *text = written(scenario);
    static const char *const lines[] = {"\nseed: 1                                 # default\n",
                                        "  - name: \"no\"\n",
                                        "    drag: 0.25                          # 1 / step\n",
                                        "\n      - region: box                     # default\n",
                                        "\n# behaviours: none\n",
                                        "\n  # size: 100 each\n",
                                        "\n    random: {}\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!strstr(text, lines[i])) fail_msg("'%s' is not in:\n%s", lines[i], text);
    }
    free(text);
}

static void run_shipped(const char *file, int number) {
    (void)number;
    const uint32_t agents = 600;
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.agents = &agents;
    warnings kept = {.count = 0};
    options.warn = keep_warning;
    options.user = &kept;
    scenario_run f;
    dunlin_scenario *scenario;
    ACCEPT(dunlin_scenario_open(file, NULL, &scenario, &refusal));
    ACCEPT(dunlin_scenario_check(scenario, &refusal));
    assert_true(dunlin_scenario_description(scenario)[0] != '\0');
    scenario_close(scenario);
    write_shipped(file);
    ACCEPT(open_and_build(file, NULL, &options, &f));
    dunlin_world *world = f.world;
    uint32_t bodies = 0;
    for (int s = 0; s < dunlin_world_species_count(world); s++)
        if (dunlin_world_get_species(world, s).body_of >= 0) bodies += dunlin_world_view(world, s).count;
    assert_int_equal(dunlin_world_agent_count(world), agents + bodies);
    assert_int_equal(kept.count, 0);
    const uint64_t hash = dunlin_world_state_hash(world);
    scenario_step(&f, 3);
    assert_true(dunlin_world_state_hash(world) != hash);
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_metrics metrics = world_measure(world, s);
        assert_true(isfinite(metrics.polarization) || metrics.agents == 0);
        assert_true(metrics.mean_speed > 0 || metrics.agents == 0 || !steers(world, s));
        if (!dunlin_world_get_def(world).boundary_first) assert_int_equal(metrics.outside, 0);
    }
    scenario_end(&f);
}

TEST(every_shipped_scenario_runs) {
    for_each_file(DUNLIN_SCENARIOS_DIR, ".yaml", 31, run_shipped);
}

/* Every YAML block in docs/scenarios.md is a scenario, or a part that is valid alone. */
TEST(documented_examples_load) {
    char line[512];
    FILE *docs = fopen(DUNLIN_TESTS_DIR "/../docs/scenarios.md", "r");
    char block[8192];
    bool inside = false;
    size_t length = 0;
    int blocks = 0;
    assert_non_null(docs);
    while (fgets(line, sizeof line, docs)) {
        const bool fence = strncmp(line, "```", 3) == 0;
        if (inside && fence) {
            scenario_run f = scenario_begin(block, NULL);
            scenario_step(&f, 1);
            scenario_end(&f);
            inside = false;
            blocks++;
        } else if (inside) {
            length += (size_t)snprintf(block + length, sizeof block - length, "%s", line);
            assert_true(length < sizeof block);
        } else if (fence && strncmp(line, "```yaml", 7) == 0) {
            inside = true;
            block[length = 0] = '\0';
        }
    }
    fclose(docs);
    assert_true(blocks >= 1);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
