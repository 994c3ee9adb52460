/* SPDX-License-Identifier: MIT */
/* Numbers are found and set by their paths, and a field has the same meaning in each of its forms. */
#include "tests/lib/scenario_helpers.h"

/* ---- numbers ----------------------------------------------------------------------------------------------------------- */

static const char numbered[] = "world: {size: [50, 40]}\n"
                               "species:\n  - {name: knots, agents: 20, max_speed: 0.7}\n"
                               "interactions:\n  - {cohesion: {radius: 3, half_angle: 120}}\n"
                               "behaviours:\n  - wander: {}\n";

/* Each number is found by its own path, and one that the file leaves out has its default. */
TEST(numbers_are_listed) {
    dunlin_scenario *scenario;
    dunlin_scenario_number number;
    ACCEPT(parse(numbered, &scenario));
    const uint32_t count = dunlin_scenario_number_count(scenario);
    assert_in_range(count, 20, 60);
    for (uint32_t i = 0; i < count; i++) {
        const dunlin_scenario_number listed = dunlin_scenario_number_at(scenario, i);
        ACCEPT(dunlin_scenario_find_number(scenario, listed.path, &number, &refusal));
        assert_string_equal(number.path, listed.path);
        assert_true(number.doc[0] != '\0' && number.min < number.max);
        if (!isnan(number.value)) assert_true(number.value >= number.min && number.value <= number.max);
    }
    ACCEPT(dunlin_scenario_find_number(scenario, "species.knots.max_speed", &number, &refusal));
    assert_string_equal(number.path, "species[0].max_speed");
    assert_string_equal(number.unit, "world units per time unit");
    assert_true(number.given && number.live && !number.whole && number.value == (double)0.7f && number.standard == 1);
    assert_true(number.min == 0 && number.max == 1e9 && !number.above_min);
    ACCEPT(dunlin_scenario_find_number(scenario, "world.time_step", &number, &refusal));
    assert_true(!number.given && number.live && number.value == 1 && number.above_min);
    ACCEPT(dunlin_scenario_find_number(scenario, "world.size[1]", &number, &refusal));
    assert_true(number.value == 40 && !number.live && isnan(number.standard));
    assert_string_equal(number.default_text, "100 each");
    REFUSE(dunlin_scenario_find_number(scenario, "species[0].maxspeed", NULL, &refusal), DUNLIN_ERROR_VALUE,
           "at 'species[0]': unknown field", "did you mean 'max_speed'?");
    number = dunlin_scenario_number_at(scenario, count);
    assert_true(number.path[0] == '\0' && !number.doc && number.value == 0);
}

TEST(numbers_are_set) {
    dunlin_scenario *scenario;
    dunlin_scenario_number number;
    scenario_run f;
    ACCEPT(parse(numbered, &scenario));
    ACCEPT(dunlin_scenario_set_number(scenario, "species[0].agents", 7.4, &refusal));
    ACCEPT(dunlin_scenario_set_number(scenario, "world.time_step", 0.5, &refusal));
    REFUSE(dunlin_scenario_set_number(scenario, "species.knots.drag", 2, &refusal), DUNLIN_ERROR_VALUE, "species[0].drag",
           "it is 2", "0 .. 1");
    REFUSE(dunlin_scenario_set_number(scenario, "species.knots.drag", (double)NAN, &refusal), DUNLIN_ERROR_VALUE, "0 .. 1");
    ACCEPT(dunlin_scenario_find_number(scenario, "species[0].drag", &number, &refusal));
    assert_true(!number.given && number.value == 0);
    ACCEPT(dunlin_simulation_create(scenario, NULL, &f.simulation, &refusal));
    f.world = dunlin_simulation_world(f.simulation);
    assert_true(dunlin_world_agent_count(f.world) == 7 && dunlin_world_get_def(f.world).time_step == 0.5f);
    scenario_step(&f, 2);
    REFUSE(dunlin_simulation_set_number(f.simulation, "species[0].min_speed", 1, &refusal), DUNLIN_ERROR_VALUE,
           "min_speed is 1");
    ACCEPT(dunlin_simulation_set_number(f.simulation, "species[0].max_speed", 0.25, &refusal));
    ACCEPT(dunlin_simulation_set_number(f.simulation, "behaviours[0].wander.radius", 3, &refusal));
    assert_true(dunlin_world_get_behaviour(f.world, 0).wander.radius == 3);
    REFUSE(dunlin_simulation_set_number(f.simulation, "world.size[0]", 9, &refusal), DUNLIN_ERROR_FILE,
           "cannot change during a run");
    scenario_step(&f, 1);
    assert_true(dunlin_world_get_species(f.world, 0).max_speed == 0.25f && dunlin_world_get_species(f.world, 0).min_speed == 0);
    ACCEPT(dunlin_scenario_find_number(scenario, "species[0].max_speed", &number, &refusal));
    assert_true(number.value == (double)0.7f); /* the scenario's number has not changed */
    scenario_end(&f);
}

/* A number that another one is given instead of: by the caller, in the scenario and during a run, and by a schedule. */
TEST(one_of_two_forms_is_set) {
    static const char schedule[] = "schedules:\n  - parameter: behaviours[0].contain.margin\n"
                                   "    linear: {from: 1, to: 2, begin: 0, end: 9}\n";
    static const char margin[] = "behaviours[0].contain.margin", either[] = "either margins or margin";
    char text[1024];
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    snprintf(text, sizeof text, "species:\n  - {name: knots, agents: 3}\nbehaviours:\n  - contain: {margins: [8, 8]}\n");
    ACCEPT(parse(text, &scenario));
    REFUSE(dunlin_scenario_set_number(scenario, margin, 3, &refusal), DUNLIN_ERROR_VALUE, either);
    ACCEPT(dunlin_scenario_set_number(scenario, "behaviours[0].contain.margins[0]", 3, &refusal));
    ACCEPT(dunlin_simulation_create(scenario, NULL, &simulation, &refusal));
    REFUSE(dunlin_simulation_set_number(simulation, margin, 3, &refusal), DUNLIN_ERROR_FILE, either);
    dunlin_simulation_destroy(simulation);
    scenario_close(scenario);
    strcat(text, schedule);
    ACCEPT(parse(text, &scenario));
    REFUSE(dunlin_simulation_create(scenario, NULL, &simulation, &refusal), DUNLIN_ERROR_FILE, either);
}

/* ---- forms of the file ------------------------------------------------------------------------------------------------- */

static uint64_t hash_after(const char *text, int steps) {
    scenario_run f = scenario_begin(text, NULL);
    scenario_step(&f, steps);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    scenario_end(&f);
    return hash;
}

/* Two forms of the same field give the same flock. */
TEST(forms_mean_the_same) {
#define TWO "species: [{name: a, agents: 50}, {name: b, agents: 50}]\n"
    static const char *const same[][2] = {
        {TWO "behaviours:\n  - {species: all, wander: {}}\n",
         TWO "behaviours:\n  - {species: a, wander: {}}\n  - {species: b, wander: {}}\n"},
        {"interactions:\n  - {half_angle: 60, cohesion: {radius: 9}, alignment: {radius: 9, half_angle: 120}}\n",
         "interactions:\n  - {cohesion: {radius: 9, half_angle: 60}, alignment: {radius: 9, half_angle: 120}}\n"},
        {"paths:\n  - points: [[1, 2], [30, 4], [50, 60]]\nbehaviours:\n  - follow_path: {}\n",
         "paths:\n  - points: [1, 2, 30, 4, 50, 60]\nbehaviours:\n  - follow_path: {}\n"},
        {"obstacles:\n  - box: [[20, 20], [70, 70]]\nbehaviours:\n  - avoid: {}\n",
         "obstacles:\n  - box: [20, 20, 70, 70]\nbehaviours:\n  - avoid: {}\n"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (hash_after(same[i][0], 5) != hash_after(same[i][1], 5)) fail_msg("another flock:\n%s", same[i][0]);
    }
    assert_true(hash_after(same[1][0], 5) !=
                hash_after("interactions:\n  - {cohesion: {radius: 9}, alignment: {radius: 9}}\n", 5));
}

TEST_FIXTURE(.after_all = remove_scenario_file)
