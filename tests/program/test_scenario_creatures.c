/* SPDX-License-Identifier: MIT */
/* What the scenarios with creatures and with memory are to show: a few steps of each, and its figure. */
#include "tests/lib/scenario_helpers.h"
#include "tests/lib/worlds.h"

static scenario_run open_shipped(const char *name, uint32_t agents) {
    scenario_run f;
    char path[256];
    dunlin_simulation_def def = dunlin_simulation_def_default();
    if (agents) def.agents = &agents;
    snprintf(path, sizeof path, DUNLIN_SCENARIOS_DIR "/%s.yaml", name);
    ACCEPT(open_and_build(path, NULL, &def, &f));
    return f;
}

static dunlin_group_sums sums_of(const scenario_run *f, int species) {
    dunlin_group_sums sums;
    ACCEPT(dunlin_world_sum_groups(f->world, species, &sums, &refusal));
    return sums;
}

/* The share of a species' agents within the radius of their group's centre. The first attribute is the group. */
static double share_within(const scenario_run *f, int species, double radius) {
    const dunlin_world_def def = dunlin_world_get_def(f->world);
    const dunlin_group_sums sums = sums_of(f, species);
    const dunlin_view view = dunlin_world_view(f->world, species);
    uint32_t within = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        const uint32_t g = (uint32_t)view.attribute[0][i];
        double d2 = 0.0;
        for (int a = 0; a < def.dimensions; a++) {
            const double d = (double)view.position[a][i] - (double)sums.centre[a][g], size = (double)def.size[a];
            d2 += (d - size * round(d / size)) * (d - size * round(d / size));
        }
        within += d2 <= radius * radius;
    }
    return (double)within / (double)view.count;
}

static double mean_of(const scenario_run *f, int species, int attribute) {
    const dunlin_view view = dunlin_world_view(f->world, species);
    double sum = 0.0;
    for (uint32_t i = 0; i < view.count; i++) sum += (double)view.attribute[attribute][i];
    return sum / (double)view.count;
}

static double polarization_of(const scenario_run *f, int species) {
    dunlin_metrics metrics;
    ACCEPT(dunlin_world_measure(f->world, species, &metrics, &refusal));
    return metrics.polarization;
}

/* With a hundredth of the cells. They are too few to be as round, but they run as one. */
TEST(creatures_stay_whole) {
    scenario_run f = open_shipped("creatures", 10000);
    scenario_step(&f, 1);
    assert_int_equal(dunlin_world_view(f.world, 1).count, 1000);
    const double before = polarization_of(&f, 1);
    scenario_step(&f, TEST_SLOW ? 60 : 300);
    assert_true(share_within(&f, 0, 16.0) > 0.95);
    assert_true(polarization_of(&f, 1) > before + (TEST_SLOW ? 0.02 : 0.2));
    scenario_end(&f);
}

TEST(fish_of_fish_have_three_levels) {
    scenario_run f = open_shipped("fish_of_fish", 0);
    assert_int_equal(dunlin_world_view(f.world, 2).count, 4);
    scenario_step(&f, TEST_SLOW ? 40 : 300);
    assert_int_equal(dunlin_world_view(f.world, 0).count, 6000);
    assert_int_equal(dunlin_world_view(f.world, 1).count, 60);
    assert_int_equal(dunlin_world_view(f.world, 2).count, 4);
    assert_true(share_within(&f, 0, 6.0) > 0.9);
    const dunlin_group_sums shoals = sums_of(&f, 1);
    for (uint32_t w = 0; w < shoals.count; w++)
        assert_true(shoals.agents[w] == 15 && shoals.spread[w] < (TEST_SLOW ? 100.0f : 60.0f));
    scenario_end(&f);
}

static uint32_t count_schools(const scenario_run *f) {
    const dunlin_group_sums sums = sums_of(f, 0);
    uint32_t schools = 0;
    for (uint32_t g = 0; g < sums.count; g++) schools += sums.agents[g] > 0;
    return schools;
}

TEST(schools_split_and_merge) {
    scenario_run f = open_shipped("schools_split", 0);
    uint32_t splits = 0, merges = 0, before = count_schools(&f);
    assert_int_equal(before, 4);
    for (int i = 0; i < (TEST_SLOW ? 20 : 40); i++) {
        scenario_step(&f, 20);
        const uint32_t now = count_schools(&f);
        splits += now > before, merges += now < before;
        before = now;
    }
    assert_true(splits > 1 && merges > 1);
    scenario_end(&f);
}

TEST(history_shows) {
    if (is_repeated() || TEST_SLOW) skip();
    scenario_run f = open_shipped("hysteresis", 0);
    scenario_step(&f, 600);
    assert_true(mean_of(&f, 0, 0) > 1.3 && mean_of(&f, 1, 0) < 0.1);
    scenario_step(&f, 900);
    assert_true(mean_of(&f, 0, 0) > 1.3 && mean_of(&f, 1, 0) < 0.1);
    scenario_end(&f);
}

TEST(sight_evolves) {
    if (is_repeated() || TEST_SLOW) skip();
    scenario_run f = open_shipped("evolving_foragers", 0);
    const double first = mean_of(&f, 1, 1);
    scenario_step(&f, 4000);
    assert_true(first > 0.075 && first < 0.085);
    assert_true(mean_of(&f, 1, 1) > first + 0.08 && mean_of(&f, 1, 1) < 0.25);
    assert_in_range(dunlin_world_view(f.world, 1).count, 200, 600);
    scenario_end(&f);
}
