/* SPDX-License-Identifier: MIT */
/* Attributes, growth, lives and meals act as the file says. */
#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/scenario_helpers.h"

/* ---- attributes -------------------------------------------------------------------------------------------------------- */

static const float *column_of(const scenario_run *f, int species, const char *name) {
    return dunlin_world_view(f->world, species).attribute[dunlin_world_find_attribute(f->world, species, name)];
}

TEST(attributes_are_taken_over) {
    scenario_run f = scenario_begin(case_text("attributes.yaml"), NULL);
    assert_true(dunlin_world_attribute_count(f.world, 0) == 0 && dunlin_world_attribute_count(f.world, 1) == 5);
    static const char *const names[] = {"energy", "speed", "size", "radius_scale", "behaviour_weight"};
    static const dunlin_role roles[] = {DUNLIN_ROLE_VALUE, DUNLIN_ROLE_MAX_SPEED, DUNLIN_ROLE_MASS, DUNLIN_ROLE_RADIUS_SCALE,
                                        DUNLIN_ROLE_BEHAVIOUR_WEIGHT};
    dunlin_attribute_def def[5];
    for (int i = 0; i < 5; i++) {
        def[i] = dunlin_world_get_attribute(f.world, 1, i);
        assert_string_equal(def[i].name, names[i]);
        assert_int_equal(def[i].role, roles[i]);
    }
    assert_true(def[0].distribution == DUNLIN_DISTRIBUTION_SAME && def[0].value == 10 && def[3].value == 0.5f);
    assert_true(def[1].distribution == DUNLIN_DISTRIBUTION_EVEN && def[1].min_value == 0.3f && def[1].max_value == 0.6f);
    assert_true(def[2].distribution == DUNLIN_DISTRIBUTION_NORMAL && def[2].value == 1.25f && def[2].deviation == 0.5f);
    assert_true(def[2].min_value == 0.75f && def[2].max_value == 2 && def[4].behaviour == 1 && def[4].min_value == -3 &&
                def[4].max_value == 4);
    scenario_end(&f);
}

/* Values are drawn by the seed and the id, with the given means and limits. The same flock has the same values again. */
TEST(attributes_are_drawn) {
    static const char text[] = "species:\n"
                               "  - agents: 4000\n"
                               "    attributes:\n"
                               "      - {role: max_speed, even: [0.25, 0.75]}\n"
                               "      - {role: mass, normal: {mean: 2, deviation: 0.5, min: 1, max: 3}}\n"
                               "      - {name: energy, value: 10}\n";
    const uint64_t seed = 2;
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.seed = &seed;
    scenario_run f = scenario_begin(text, NULL), again = scenario_begin(text, NULL), other = scenario_begin(text, &options);
    const float *speed = column_of(&f, 0, "max_speed"), *mass = column_of(&f, 0, "mass"), *energy = column_of(&f, 0, "energy");
    double mean_speed = 0, mean_mass = 0, square = 0;
    int least = 0, most = 0;
    for (int i = 0; i < 4000; i++) {
        assert_true(speed[i] >= 0.25f && speed[i] <= 0.75f && mass[i] >= 1 && mass[i] <= 3 && energy[i] == 10);
        mean_speed += (double)speed[i] / 4000;
        mean_mass += (double)mass[i] / 4000;
        square += ((double)mass[i] - 2) * ((double)mass[i] - 2) / 4000;
        least += mass[i] == 1;
        most += mass[i] == 3;
    }
    assert_true(fabs(mean_speed - 0.5) < 0.01 && fabs(mean_mass - 2) < 0.03 && fabs(sqrt(square) - 0.48) < 0.02);
    assert_true(least > 50 && least < 140 && most > 50 && most < 140); /* 2.3 % lie beyond two deviations on each side */
    assert_memory_equal(column_of(&again, 0, "max_speed"), speed, 4000 * sizeof *speed);
    assert_memory_not_equal(column_of(&other, 0, "max_speed"), speed, 4000 * sizeof *speed);
}

/* Each agent begins above its maximum speed. */
TEST(attributes_act) {
    scenario_run f = scenario_begin("species:\n"
                                    "  - attributes: [{role: max_speed, even: [0.25, 0.75]}]\n"
                                    "    start: [{min_speed: 5, max_speed: 5}]\n",
                                    NULL);
    scenario_step(&f, 1);
    const dunlin_view view = dunlin_world_view(f.world, 0);
    for (uint32_t i = 0; i < view.count; i++)
        assert_true(fabsf(hypotf(view.velocity[0][i], view.velocity[1][i]) - view.attribute[0][i]) < 1e-6f);
}

/* ---- growth ------------------------------------------------------------------------------------------------------------ */

/* Fails unless the species has want[step] agents after each step. */
static void grows_to(const char *growth, const uint32_t *want, int steps) {
    char text[512];
    snprintf(text, sizeof text, "species:\n  - {name: gulls, agents: 3}\n  - {name: food, agents: 2, growth: [%s]}\n", growth);
    scenario_run f = scenario_begin(text, NULL);
    for (int step = 0; step < steps; step++) {
        scenario_step(&f, 1);
        const uint32_t got = dunlin_world_view(f.world, 1).count;
        if (got != want[step]) fail_msg("%s: %u after step %d, not %u", growth, got, step, want[step]);
        assert_int_equal(dunlin_world_view(f.world, 0).count, 3);
    }
    scenario_end(&f);
}

TEST(growth_is_as_said) {
    grows_to("{per_step: 3}", (const uint32_t[]){5, 8, 11, 14}, 4);
    grows_to("{per_step: 3, max_agents: 10}", (const uint32_t[]){5, 8, 10, 10}, 4);
    grows_to("{per_step: 3, max_agents: 2}", (const uint32_t[]){2, 2, 2}, 3);
    grows_to("{per_step: 3, max_agents: 1}", (const uint32_t[]){2, 2, 2}, 3);
    grows_to("{per_step: 0}", (const uint32_t[]){2, 2, 2}, 3);
    grows_to("{per_step: 0.25}", (const uint32_t[]){2, 2, 2, 3, 3, 3, 3, 4}, 8);
    grows_to("{per_step: 1.5}", (const uint32_t[]){3, 5, 6, 8, 9}, 5);
    grows_to("{per_step: 2, begin: 2, end: 4}", (const uint32_t[]){2, 2, 4, 6, 6, 6}, 6);
    grows_to("{per_step: 0.5, begin: 1}", (const uint32_t[]){2, 2, 3, 3, 4, 4}, 6);
    grows_to("{per_step: 1, max_agents: 4}, {per_step: 2, max_agents: 7}", (const uint32_t[]){5, 7, 7}, 3);
}

/* Agents are born at growth's own start, or at the species' first start. Each has moved for one step. */
TEST(the_born_start_where_they_should) {
    scenario_run f = scenario_begin(case_text("births.yaml"), NULL);
    scenario_step(&f, 1);
    dunlin_view view = dunlin_world_view(f.world, 0);
    float low = 100, high = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        low = fminf(low, view.position[0][i]);
        high = fmaxf(high, view.position[0][i]);
    }
    assert_true(view.count == 40 && low < 15 && high > 85);
    view = dunlin_world_view(f.world, 1);
    assert_int_equal(view.count, 42);
    for (uint32_t i = 0; i < 42; i++) {
        const float x = view.position[0][i], y = view.position[1][i];
        assert_true(view.id[i] == 40 + i);
        assert_true(i < 40 ? hypotf(x - 20, y - 30) < 5.001f : fabsf(x - 63) < 1e-5f && fabsf(y - 66) < 1e-5f);
    }
}

/* No id is used twice, so ids can run out. */
TEST(too_many_births_are_refused) {
    scenario_run f = scenario_begin("species:\n  - {agents: 0, growth: [{per_step: 2}]}\n", NULL);
    const uint32_t last = UINT32_MAX - 2;
    const float zero = 0;
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = 1, .position = {&zero, &zero}, .velocity = {&zero, &zero}, .ids = &last};
    ACCEPT(dunlin_world_spawn(f.world, 0, &batch, NULL, &refusal));
    REFUSE(dunlin_simulation_step(f.simulation, &refusal), DUNLIN_ERROR_VALUE,
           "scenario.yaml:2: species[0].growth[0]: 2 more agents", "only 1 ids are left");
    assert_true(dunlin_world_agent_count(f.world) == 1 && dunlin_world_stats(f.world).step == 0);
}

/* ---- lives and meals --------------------------------------------------------------------------------------------------- */

/* Energies of 10, 3 and 1 each fall by 0.5 per step. A child gets a quarter of the parent's, and inherits other values. */
TEST(agents_live_on_their_energy) {
    scenario_run f =
        scenario_begin("world: {time_step: 2}\n"
                       "species:\n"
                       "  - {name: hens, agents: 3, attributes: [{name: energy, value: 3}, {role: mass, value: 2}]}\n"
                       "lives:\n"
                       "  - {energy: energy, cost: 0.25, divides_at: 8, share: 0.25}\n",
                       NULL);
    ACCEPT(dunlin_world_set_attribute_values(f.world, 0, 0, (const float[]){10, 3, 1}, &refusal));
    ACCEPT(dunlin_world_set_attribute_values(f.world, 0, 1, (const float[]){5, 2, 2}, &refusal));
    const dunlin_view before = dunlin_world_view(f.world, 0);
    const float x = before.position[0][0], vx = before.velocity[0][0];
    scenario_step(&f, 1);
    dunlin_view view = dunlin_world_view(f.world, 0);
    assert_int_equal(view.count, 4);
    assert_true(view.attribute[0][0] == 7.125f && view.attribute[0][1] == 2.5f && view.attribute[0][2] == 0.5f);
    assert_true(view.attribute[0][3] == 2.375f && view.attribute[1][3] == 5.0f); /* the child */
    assert_true(view.id[3] == 3 && view.position[0][3] == x && view.velocity[0][3] == -vx);
    scenario_step(&f, 1);
    assert_int_equal(dunlin_world_view(f.world, 0).count, 3); /* the third has starved */
    assert_true(dunlin_world_find_agent(f.world, 2).species < 0);
    scenario_end(&f);
}

/* The table of NetLogo's order: costs, then meals, then one check. Wolf 2 eats in time, 3 does not; wolf 4 eats and is eaten; 7
 * has nothing left; 8 eats across the edge. */
static const char hungry[] = "id,species,x,y,vx,vy,worth,e\n"
                             "0,prey,5,5,0,0,1,\n1,prey,5.2,5,0,0,1,\n2,wolf,5.5,5,0,0,,0.4\n3,wolf,5.6,5,0,0,,0.4\n"
                             "4,wolf,15,5,0,0,,0.4\n5,prey,15,5.5,0,0,1,\n6,top,15,5.2,0,0,,0\n7,wolf,10,15,0,0,,0.5\n"
                             "8,wolf,19.9,10,0,0,,3\n9,prey,0.1,10,0,0,1,\n";

static void expect_energy(dunlin_world *world, uint32_t id, float energy) {
    const dunlin_slot slot = dunlin_world_find_agent(world, id);
    assert_true(slot.species >= 0);
    assert_float_equal(dunlin_world_view(world, slot.species).attribute[0][slot.index], energy, 1e-6);
}

static void reopen(scenario_run *f) {
    const size_t count = dunlin_simulation_saved_bytes(f->simulation);
    void *bytes = malloc(count);
    assert_non_null(bytes);
    ACCEPT(dunlin_simulation_save_memory(f->simulation, bytes, count, &refusal));
    scenario_end(f);
    ACCEPT(dunlin_simulation_open_memory(NULL, bytes, count, NULL, &f->simulation, &refusal));
    f->world = dunlin_simulation_world(f->simulation);
    free(bytes);
}

/* Also where the simulation comes from a checkpoint. */
TEST(a_meal_comes_before_hunger) {
    write_file("hungry.csv", hungry);
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.init = "hungry.csv";
    for (int again = 0; again < 2; again++) {
        scenario_run f = scenario_begin(case_text("starving.yaml"), &options);
        if (again) reopen(&f);
        scenario_step(&f, 1);
        assert_int_equal(dunlin_world_agent_count(f.world), 3);
        expect_energy(f.world, 2, 1.9f);
        expect_energy(f.world, 6, 10);
        expect_energy(f.world, 8, 3.5f);
        scenario_end(&f);
    }
    remove("hungry.csv");
}

TEST(meals_are_taken_over) {
    scenario_run f = scenario_begin(case_text("dish.yaml"), NULL);
    dunlin_meal_def meal = dunlin_world_get_meal(f.world, 0);
    assert_true(meal.eater == 1 && meal.food == 0 && meal.radius == 0.75f && meal.energy == 0 && meal.worth == 0);
    assert_true(meal.gain == 0.5f);
    scenario_step(&f, 21);
    assert_true(dunlin_world_get_meal(f.world, 0).gain == 0.625f); /* by schedule, in step 20 */
}

/* No species dies out or explodes. A slow build runs fewer steps. */
TEST(the_ecosystem_goes_on) {
    if (is_repeated()) skip();
    scenario_run f;
    ACCEPT(open_and_build(DUNLIN_SCENARIOS_DIR "/ecosystem.yaml", NULL, NULL, &f));
    const dunlin_world *world = f.world;
    const int steps = TEST_SLOW ? 300 : 10000;
    uint64_t births = 0, deaths = 0;
    for (int step = 0; step < steps; step++) {
        scenario_step(&f, 1);
        births += dunlin_world_stats(world).births;
        deaths += dunlin_world_stats(world).deaths;
        for (int s = 0; s < 3; s++) assert_in_range(dunlin_world_view(world, s).count, 10, 6000);
    }
    print_message("after %d steps: %u grass, %u rabbits, %u foxes; %llu born, %llu died\n", steps,
                  dunlin_world_view(world, 0).count, dunlin_world_view(world, 1).count, dunlin_world_view(world, 2).count,
                  (unsigned long long)births, (unsigned long long)deaths);
    assert_true(births > (uint64_t)steps && deaths > (uint64_t)steps);
    scenario_end(&f);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
