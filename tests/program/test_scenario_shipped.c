/* SPDX-License-Identifier: MIT */
/* The shipped scenarios and the documented examples run, and what a file leaves unused is reported. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/scenario_helpers.h"

/* ---- warnings ---------------------------------------------------------------------------------------------------------- */

typedef struct warnings {
    char text[4][sizeof(dunlin_error){0}.message];
    int count;
} warnings;

static void keep_warning(void *user, const char *warning) {
    warnings *kept = user;
    assert_true(kept->count < 4);
    snprintf(kept->text[kept->count++], sizeof kept->text[0], "%s", warning);
}

static warnings warnings_of(const char *text, const char *shown) {
    warnings kept = {.count = 0};
    dunlin_flight_def options = dunlin_flight_def_default();
    options.warn = keep_warning;
    options.user = &kept;
    options.shown = shown;
    scenario_run f = take_off(text, &options);
    land(&f);
    return kept;
}

#define ALL_USED                                                                                                               \
    "species:\n"                                                                                                               \
    "  - {name: fish, attributes: [{name: size, value: 1}, {role: mass, value: 1}, {name: top, role: max_speed, value: 1}]}\n" \
    "  - {name: gulls, attributes: [{name: energy, value: 1}, {name: life, value: 1}]}\n"                                      \
    "meals:\n  - {eater: gulls, food: fish, radius: 1, energy: energy, worth: size}\n"                                         \
    "lives:\n  - {species: gulls, energy: life}\n"                                                                             \
    "fields:\n  - {name: calm, random: {}}\n  - {name: gusts, random: {}}\n"                                                   \
    "paths:\n  - {points: [1, 2, 3, 4]}\n"                                                                                     \
    "behaviours:\n  - {species: fish, follow_path: {}}\n  - {species: fish, flow: {field: calm}}\n"                            \
    "  - {species: fish, wind: {field: gusts}}\n"

static void unused_parts_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *text, *words[3];
    } cases[] = {
        {"fields:\n  - {name: a, random: {}}\n  - {name: b, random: {}}\nbehaviours:\n  - wind: {field: b}\n",
         {"scenario.yaml:2: fields[0]: ", "no flow or wind"}},
        {"paths:\n  - {name: a, points: [1, 2, 3, 4]}\n", {"scenario.yaml:2: paths[0]: ", "no follow_path"}},
        {"species:\n  - name: fish\n    attributes:\n      - {name: size, value: 1}\n",
         {"scenario.yaml:4: species[0].attributes[0]: ", "no meal or life"}},
        {"species:\n  - attributes:\n      - {role: mass, value: 1}\n      - {name: max_speed, value: 2}\n",
         {"scenario.yaml:4: species[0].attributes[1]: ", "only called max_speed, its role is value", "role: max_speed"}},
        {"species:\n  - attributes:\n      - {name: mass, role: max_speed, value: 2}\n",
         {"scenario.yaml:3: species[0].attributes[0]: ", "only called mass, its role is max_speed", "role: mass"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const warnings kept = warnings_of(cases[i].text, NULL);
        assert_int_equal(kept.count, 1);
        for (int w = 0; w < 3 && cases[i].words[w]; w++)
            if (!strstr(kept.text[0], cases[i].words[w])) fail_msg("'%s' is not said by: %s", cases[i].words[w], kept.text[0]);
    }
    assert_int_equal(warnings_of(ALL_USED, NULL).count, 0);
    assert_int_equal(warnings_of(cases[2].text, "size").count, 0); /* a picture's colour uses it */
    assert_int_equal(warnings_of(cases[2].text, "age").count, 1);
    assert_int_equal(warnings_of("fields:\n  - random: {}\n  - random: {}\npaths:\n  - points: [1, 2, 3, 4]\n", NULL).count, 3);
}

/* ---- what is shipped, and what is documented --------------------------------------------------------------------------- */

static int is_scenario(const struct dirent *entry) {
    return !!strstr(entry->d_name, ".yaml");
}

/* Whether the species has an interaction or a behaviour. Otherwise it may stand still. */
static bool steers(const dunlin_world *world, int species) {
    for (int i = 0; i < dunlin_world_interaction_count(world); i++)
        if (dunlin_world_get_interaction(world, i).observer == species) return true;
    for (int b = 0; b < dunlin_world_behaviour_count(world); b++)
        if (dunlin_world_get_behaviour(world, b).species == species) return true;
    return false;
}

static void fly_shipped(const char *name) {
    char file[512];
    const uint32_t agents = 600;
    dunlin_flight_def options = dunlin_flight_def_default();
    options.agents = &agents;
    warnings kept = {.count = 0};
    options.warn = keep_warning;
    options.user = &kept;
    snprintf(file, sizeof file, "%s/%s", DUNLIN_SCENARIOS_DIR, name);
    scenario_run f;
    dunlin_scenario *scenario;
    ACCEPT(dunlin_scenario_open(file, NULL, &scenario, &refusal));
    ACCEPT(dunlin_scenario_check(scenario, &refusal));
    assert_true(dunlin_scenario_description(scenario)[0] != '\0');
    dunlin_scenario_close(scenario);
    ACCEPT(open_and_build(file, NULL, &options, &f));
    dunlin_world *world = f.world;
    assert_int_equal(dunlin_world_agent_count(world), agents);
    assert_int_equal(kept.count, 0);
    const uint64_t hash = dunlin_world_state_hash(world);
    fly(&f, 3);
    assert_true(dunlin_world_state_hash(world) != hash);
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        dunlin_metrics metrics;
        ACCEPT(dunlin_world_measure(world, s, &metrics, &refusal));
        assert_true(isfinite(metrics.polarization));
        assert_true(metrics.mean_speed > 0 || metrics.agents == 0 || !steers(world, s));
        if (!dunlin_world_get_def(world).boundary_first) assert_int_equal(metrics.outside, 0);
    }
    land(&f);
}

static void every_shipped_scenario_flies(void **state) {
    (void)state;
    static const char *const promised[] = {"default.yaml", "million.yaml", "starlings.yaml"};
    struct dirent **entries;
    const int count = scandir(DUNLIN_SCENARIOS_DIR, &entries, is_scenario, alphasort);
    assert_true(count >= 7);
    int found = 0;
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < 3; p++) found += strcmp(entries[i]->d_name, promised[p]) == 0;
        fly_shipped(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(found, 3);
}

/* Every YAML block in docs/scenarios.md is a scenario, or a part that is valid alone. */
static void documented_examples_load(void **state) {
    (void)state;
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
            scenario_run f = take_off(block, NULL);
            fly(&f, 1);
            land(&f);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unused_parts_are_reported),
        cmocka_unit_test(every_shipped_scenario_flies),
        cmocka_unit_test(documented_examples_load),
    };
    return cmocka_run_group_tests(tests, NULL, remove_scenario_file);
}
