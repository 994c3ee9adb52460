/* SPDX-License-Identifier: MIT */
/* Models and schedules do in each step what the file says. */
#include "harness/models/model.h"
#include "tests/lib/cases.h"
#include "tests/lib/scenario_helpers.h"

/* ---- models ------------------------------------------------------------------------------------------------------------ */

/* A scenario's simulation with a model equals a world whose model and schedules are applied by hand. */
TEST(models_run_as_they_do_by_hand) {
    scenario_run f = scenario_begin("world: {size: [10, 10], integrator: explicit}\nseed: 5\n"
                                    "species:\n  - {name: calm, agents: 0}\n"
                                    "  - {name: noisy, min_speed: 0.5, max_speed: 0.5, agents: 300}\n"
                                    "models:\n  - {species: noisy, vicsek: {radius: 2, whole_noise: 90}}\n"
                                    "schedules:\n"
                                    "  - {parameter: 'models[0].vicsek.whole_noise', linear: {from: 90, to: 30, end: 4}}\n"
                                    "  - {parameter: world.time_step, constant: {value: 0.5, begin: 2}}\n"
                                    "  - {parameter: species.noisy.max_speed, constant: {value: 0.75, begin: 3}}\n",
                                    NULL);
    dunlin_world_def def = dunlin_world_get_def(f.world);
    dunlin_world *by_hand = world_create(&def);
    for (int s = 0; s < 2; s++) {
        const dunlin_species_def species = dunlin_world_get_species(f.world, s);
        world_add_species(by_hand, &species);
    }
    const dunlin_view view = dunlin_world_view(f.world, 1);
    const dunlin_batch batch = {.cookie = WORLD_COOKIE,
                                .count = view.count,
                                .position = {view.position[0], view.position[1]},
                                .velocity = {view.velocity[0], view.velocity[1]},
                                .ids = view.id};
    ACCEPT(dunlin_world_spawn(by_hand, 1, &batch, NULL, &refusal));
    model m = {.kind = MODEL_VICSEK, .vicsek = {2, 0}};
    scenario_step(&f, 5);
    for (int step = 0; step < 5; step++) {
        dunlin_species_def noisy = dunlin_world_get_species(by_hand, 1);
        def.time_step = step < 2 ? 1 : 0.5f;
        noisy.max_speed = step < 3 ? 0.5f : 0.75f;
        m.vicsek.noise = (float)((90 - 15 * step) * acos(-1.0) / 180.0);
        ACCEPT(dunlin_world_set_def(by_hand, &def, &refusal));
        ACCEPT(dunlin_world_set_species(by_hand, 1, &noisy, &refusal));
        ACCEPT(model_put(by_hand, 1, 0, &m, &refusal));
        world_run(by_hand, 1);
    }
    assert_int_equal(dunlin_world_view(by_hand, 1).count, 300);
    assert_true(dunlin_world_state_hash(by_hand) == dunlin_world_state_hash(f.world));
}

/* ---- schedules --------------------------------------------------------------------------------------------------------- */

static float max_speed_of(const scenario_run *f) {
    return dunlin_world_get_species(f->world, 0).max_speed;
}

static float cohesion_of(const scenario_run *f) {
    return dunlin_world_get_interaction(f->world, 0).rules[DUNLIN_RULE_COHESION].weight;
}

/* After step n the world still has the values that the schedules give for step n. */
TEST(schedules_set_the_values_of_each_step) {
    scenario_run f = scenario_begin(case_text("schedules.yaml"), NULL);
    static const float speeds[] = {2, 2, 2, 2.25f, 2.5f, 2.75f, 3, 3}, sines[] = {1, 1.5f, 1, 0.5f, 1, 1.5f, 1, 0.5f};
    static const float gusts[] = {2, 4, 6, 8, 10, 10, 10, 10}, paces[] = {1, 1, 0.5f, 0.5f, 0.25f, 0.25f, 0.25f, 0.25f};
    for (int step = 0; step < 8; step++) {
        if (step == 0) assert_true(max_speed_of(&f) == 2.0f); /* the world is built with the values of its first step */
        scenario_step(&f, 1);
        assert_true(max_speed_of(&f) == speeds[step] && cohesion_of(&f) == sines[step]);
        assert_int_equal(dunlin_world_get_interaction(f.world, 0).nearest, step < 3 ? 2 : 5);
        assert_true(dunlin_world_field_view(f.world, 0).vectors[1][3] == gusts[step]);
        assert_true(dunlin_world_field_view(f.world, 0).vectors[0][3] == 1);
        assert_true(dunlin_world_get_def(f.world).time_step == paces[step]);
        const float noise = (float)(1 + 3 * (double)dunlin_noise_over_time(5, 1, step / 8.0));
        assert_true(dunlin_world_get_behaviour(f.world, 0).weight == noise);
    }
    assert_true(dunlin_world_stats(f.world).time == 4);
    scenario_end(&f);
}

/* A scheduled target has the scheduled position in each step. Its velocity only affects agents that pursue it. */
TEST(a_scheduled_target_is_where_the_schedule_says) {
    scenario_run f =
        scenario_begin("world: {size: [100, 100]}\n"
                       "behaviours:\n  - pursue: {target: [10, 20], velocity: [5, 0]}\n"
                       "schedules:\n  - {parameter: 'behaviours[0].pursue.target[1]', linear: {from: 20, to: 40, end: 10}}\n",
                       NULL);
    scenario_step(&f, 6);
    const dunlin_behaviour_def now = dunlin_world_get_behaviour(f.world, 0);
    assert_true(now.target.position[0] == 15 && now.target.position[1] == 30); /* as set for step 5, moved by one step */
    scenario_end(&f);
}

/* The schedules of one simulation change neither another simulation nor the scenario. */
TEST(simulations_of_one_scenario_do_not_meet) {
    dunlin_scenario *scenario;
    scenario_run f, other;
    ACCEPT(parse(case_text("swarm.yaml"), &scenario));
    ACCEPT(dunlin_simulation_create(scenario, NULL, &f.simulation, &refusal));
    f.world = dunlin_simulation_world(f.simulation);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    scenario_step(&f, 30);
    ACCEPT(dunlin_simulation_create(scenario, NULL, &other.simulation, &refusal));
    other.world = dunlin_simulation_world(other.simulation);
    scenario_close(scenario);
    assert_true(dunlin_world_state_hash(other.world) == hash);
    assert_true(dunlin_world_get_species(other.world, 0).min_speed == 0);
    scenario_step(&other, 30);
    assert_true(dunlin_world_state_hash(other.world) == dunlin_world_state_hash(f.world));
    scenario_end(&other);
    scenario_end(&f);
}

TEST(values_out_of_range_are_reported_with_their_step) {
    scenario_run f =
        scenario_begin("species:\n  - {name: knots, agents: 5}\n"
                       "interactions:\n  - {cohesion: {radius: 1}}\n"
                       "schedules:\n"
                       "  - {parameter: species.knots.min_speed, constant: {value: 0}}\n"
                       "  - {parameter: species.knots.max_speed, linear: {from: 1.5, to: -2.5, end: 8}}\n"
                       "  - {parameter: 'interactions[0].nearest', linear: {from: 30, to: 38, begin: 4, end: 12}}\n",
                       NULL);
    scenario_step(&f, 4);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    REFUSE(dunlin_simulation_step(f.simulation, &refusal), DUNLIN_ERROR_VALUE, "scenario.yaml:7: schedules[1]",
           "max_speed is -0.5 at step 4", "0 .. 1e+09");
    assert_true(dunlin_world_state_hash(f.world) == hash && dunlin_world_stats(f.world).step == 4);
    assert_int_equal(dunlin_simulation_step(f.simulation, NULL), DUNLIN_ERROR_VALUE);
    scenario_end(&f);
    f = scenario_begin("interactions:\n  - {cohesion: {radius: 1}}\n"
                       "schedules:\n  - {parameter: 'interactions[0].nearest', linear: {from: 2, to: -2, end: 4}}\n",
                       NULL);
    scenario_step(&f, 3);
    REFUSE(dunlin_simulation_step(f.simulation, &refusal), DUNLIN_ERROR_VALUE, "scenario.yaml:4: schedules[0]",
           "nearest is -1 at step 3", "0 .. 32");
}

TEST_FIXTURE(.after_all = remove_scenario_file)
