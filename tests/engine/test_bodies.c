/* SPDX-License-Identifier: MIT */
/* Sums over groups, targets that are groups, bodies that stand for groups, and groups that split and merge: all by plain loops
 * in double precision. */
#include "tests/lib/worlds.h"

enum { GROUPS = 7, AGENTS = 700, MANY = 9000 /* more than one worker sums up at a time */ };

static int add_attribute(dunlin_world *world, int species, const char *name, dunlin_role role, dunlin_distribution distribution,
                         float max) {
    dunlin_attribute_def def = world_attribute(species, name, role);
    def.distribution = distribution;
    def.value = 0.0f;
    def.max_value = max;
    return world_add_attribute(world, &def);
}

/* Cells in groups: species 0 of a world. */
static dunlin_world *world_of_many_cells(dunlin_world_def def, float group_radius, uint32_t agents) {
    dunlin_world *world = world_without_agents(&def, 3.0f);
    dunlin_species_def cells = dunlin_world_get_species(world, 0);
    cells.name = "cells";
    cells.groups = GROUPS;
    ACCEPT(dunlin_world_set_species(world, 0, &cells, &refusal));
    add_attribute(world, 0, "group", DUNLIN_ROLE_GROUP, DUNLIN_DISTRIBUTION_EVEN, GROUPS - 2); /* no agent is in the last one */
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = agents;
    scatter.group_radius = group_radius;
    scatter.min_speed = 0.1f;
    scatter.max_speed = 1.0f;
    ACCEPT(dunlin_world_scatter(world, 0, &scatter, &refusal));
    return world;
}

static dunlin_world *world_of_cells(dunlin_world_def def, float group_radius) {
    return world_of_many_cells(def, group_radius, AGENTS);
}

static dunlin_group_sums sums_of(dunlin_world *world, int species) {
    dunlin_group_sums sums;
    ACCEPT(dunlin_world_sum_groups(world, species, &sums, &refusal));
    return sums;
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static double fold(const dunlin_world_def *def, int axis, double d) {
    const double size = (double)def->size[axis];
    return def->boundary == DUNLIN_BOUNDARY_PERIODIC ? d - size * round(d / size) : d;
}

static uint32_t leader_of(const dunlin_view *view, const float *rank, int group) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < view->count; i++) {
        if ((int)view->attribute[0][i] != group) continue;
        const bool first = best == UINT32_MAX, same = !first && (!rank || rank[i] == rank[best]);
        if (first || (same && view->id[i] < view->id[best]) || (!same && rank[i] > rank[best])) best = i;
    }
    return best;
}

/*
 * Where offsets are counted from along an axis: at the leader, or in a periodic world in the direction of the sum of the
 * agents' points on a diamond. As binary32, because an agent half a world away is on the side of that.
 */
static double reference_of(const dunlin_world_def *def, const dunlin_view *view, int group, int axis, uint32_t leader) {
    const double size = (double)def->size[axis];
    double ahead = 0.0, aside = 0.0;
    if (def->boundary != DUNLIN_BOUNDARY_PERIODIC) return (double)view->position[axis][leader];
    for (uint32_t i = 0; i < view->count; i++) {
        if ((int)view->attribute[0][i] != group) continue;
        const double turn = (double)view->position[axis][i] / size, other = fabs(turn - 0.25);
        ahead += 1.0 - 4.0 * fmin(turn, 1.0 - turn);
        aside += 1.0 - 4.0 * fmin(other, 1.0 - other);
    }
    const double share = ahead / (fabs(ahead) + fabs(aside));
    return (double)(float)(0.25 * size * (aside < 0.0 ? 3.0 + share : 1.0 - share));
}

static void check_group(const dunlin_world_def *def, const dunlin_view *view, const dunlin_group_sums *sums, const float *rank,
                        int group) {
    const uint32_t leader = leader_of(view, rank, group);
    double offset[3] = {0}, velocity[3] = {0}, heading[3] = {0}, from[3] = {0}, square = 0.0, far2 = 0.0;
    uint32_t count = 0;
    for (int a = 0; a < def->dimensions && leader != UINT32_MAX; a++) from[a] = reference_of(def, view, group, a, leader);
    for (uint32_t i = 0; i < view->count; i++) {
        if ((int)view->attribute[0][i] != group) continue;
        double speed2 = 0.0;
        count++;
        for (int a = 0; a < def->dimensions; a++) {
            const double d = fold(def, a, (double)view->position[a][i] - from[a]);
            const double v = (double)view->velocity[a][i];
            offset[a] += d, velocity[a] += v, square += d * d, speed2 += v * v;
        }
        for (int a = 0; a < def->dimensions && speed2 > 0.0; a++) heading[a] += (double)view->velocity[a][i] / sqrt(speed2);
    }
    assert_int_equal(sums->agents[group], count);
    assert_int_equal(sums->leader[group], count ? view->id[leader] : UINT32_MAX);
    for (int a = 0; a < def->dimensions; a++) {
        if (count == 0) assert_true(isnan(sums->centre[a][group]) && isnan(sums->velocity[a][group]));
        if (count == 0) continue;
        const double mean = offset[a] / count;
        assert_true(fabs(fold(def, a, (double)sums->centre[a][group] - from[a] - mean)) < 2e-5);
        assert_true(fabs((double)sums->velocity[a][group] - velocity[a] / count) < 1e-6);
        far2 += mean * mean;
    }
    if (count == 0) assert_true(isnan(sums->spread[group]) && isnan(sums->polarization[group]));
    if (count == 0) return;
    const double length = sqrt(heading[0] * heading[0] + heading[1] * heading[1] + heading[2] * heading[2]);
    assert_true(fabs((double)sums->spread[group] - sqrt(square / count - far2)) < 1e-5);
    assert_true(fabs((double)sums->polarization[group] - length / count) < 1e-6);
}

TEST_EACH(test_sums_are_those_of_plain_loops, c, 0, 8) {
    const dunlin_world_def def =
        world_def_with((world_parts){.dimensions = c & 1 ? 3 : 2,
                                     .boundary = c & 2 ? DUNLIN_BOUNDARY_REFLECT : DUNLIN_BOUNDARY_PERIODIC,
                                     .seed = (uint64_t)c + 1,
                                     .threads = c & 4 ? 3 : 1});
    dunlin_world *world = world_of_many_cells(def, c & 4 ? 0.0f : 6.0f, c & 4 ? MANY : AGENTS);
    const bool ranked = c & 4;
    if (ranked) add_attribute(world, 0, "rank", DUNLIN_ROLE_LEADERSHIP, DUNLIN_DISTRIBUTION_EVEN, 1.0f);
    for (int i = 0; i < 3; i++, world_run(world, 10)) { /* groups cross the edge */
        const dunlin_view view = dunlin_world_view(world, 0);
        const dunlin_group_sums sums = sums_of(world, 0);
        assert_int_equal(sums.count, GROUPS);
        for (int g = 0; g < GROUPS; g++) check_group(&def, &view, &sums, ranked ? view.attribute[1] : NULL, g);
    }
}

/* However far the group is spread, another leader changes no bit of the other sums. */
TEST_EACH(test_centres_do_not_depend_on_leaders, c, 0, 8) {
    static test_random random = {31};
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = c & 1 ? 3 : 2, .seed = (uint64_t)c + 1});
    dunlin_world *world = world_of_cells(def, c & 2 ? 0.0f : c & 4 ? 30.0f : 6.0f);
    add_attribute(world, 0, "rank", DUNLIN_ROLE_LEADERSHIP, DUNLIN_DISTRIBUTION_EVEN, 1.0f);
    float centre[3][GROUPS], spread[GROUPS], ranks[AGENTS];
    uint32_t leader[GROUPS], changes = 0;
    for (int round = 0; round < 4; round++) {
        const dunlin_group_sums sums = sums_of(world, 0);
        for (uint32_t g = 0; g < GROUPS; g++) changes += round > 0 && leader[g] != sums.leader[g];
        for (int a = 0; a < def.dimensions && round > 0; a++)
            assert_memory_equal(centre[a], sums.centre[a], (GROUPS - 1) * sizeof(float));
        if (round > 0) assert_memory_equal(spread, sums.spread, (GROUPS - 1) * sizeof(float));
        for (int a = 0; a < def.dimensions; a++) memcpy(centre[a], sums.centre[a], sizeof centre[a]);
        memcpy(spread, sums.spread, sizeof spread);
        memcpy(leader, sums.leader, sizeof leader);
        for (uint32_t i = 0; i < AGENTS; i++) ranks[i] = test_uniform(&random, 0.0f, 1.0f);
        ACCEPT(dunlin_world_set_attribute_values(world, 0, 1, ranks, &refusal));
    }
    assert_in_range(changes, 10, 3 * (GROUPS - 1));
}

/* A leader moves once around the world, and eight others stay. The centre follows it by a ninth of its way, and jumps once, by
 * a ninth of the world, when the leader is half a world from the middle. */
TEST(test_a_leader_may_run_round_the_world) {
    enum { OTHERS = 8, LAP = 400 };
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of_many_cells(def, 0.0f, 0);
    const float rest[3] = {0}, zero = 0.0f;
    for (int i = 0; i <= OTHERS; i++) {
        const float x = 30.0f + 0.7f * (float)i, y = 95.0f + 0.9f * (float)i; /* some are across the edge, but for the first */
        const float at[2][1] = {{x}, {y >= 100.0f ? y - 100.0f : y}};
        const dunlin_batch one = {
            .cookie = WORLD_COOKIE, .count = 1, .position = {at[0], at[1]}, .velocity = {rest, rest}, .attribute = {&zero}};
        ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    }
    int jumps = 0;
    double last[2] = {0};
    for (int i = 0; i <= LAP; i++) {
        const float x = fmodf(30.0f + 0.25f * (float)i, 100.0f), y = fmodf(95.0f + 0.25f * (float)i, 100.0f);
        const uint32_t leader = 0;
        dunlin_write write = dunlin_write_default();
        write.count = 1;
        write.ids = &leader;
        write.position[0] = &x;
        write.position[1] = &y;
        ACCEPT(dunlin_world_write(world, &write, &refusal));
        const dunlin_group_sums sums = sums_of(world, 0);
        assert_int_equal(sums.leader[0], 0);
        for (int a = 0; a < 2; a++) {
            const double moved = fold(&def, a, (double)sums.centre[a][0] - last[a]);
            const bool jumps_here = fabs(moved - 0.25 / (OTHERS + 1)) > 2e-5;
            if (i > 0 && jumps_here) assert_true(fabs(moved - (0.25 - 100.0) / (OTHERS + 1)) < 2e-5);
            jumps += i > 0 && jumps_here;
            last[a] = (double)sums.centre[a][0];
        }
    }
    assert_int_equal(jumps, 2); /* one per axis */
}

/* All agents of a group at one place: the centre is there, to 2^-50 of the largest side, which is the unit. */
TEST_EACH(test_a_point_is_its_centre, round, 0, TEST_ROUNDS(400)) {
    static test_random random = {32};
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + round % 2});
    for (int a = 0; a < 3; a++) def.size[a] = ldexpf(test_uniform(&random, 1.0f, 2.0f), (int)test_below(&random, 40) - 20);
    dunlin_world *world = world_of_many_cells(def, 0.0f, 0);
    const float rest[3] = {0}, zero = 0.0f;
    float at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = def.size[a] * (round % 3 ? test_uniform(&random, 0.0f, 1.0f) : ldexpf(1.0f, -(int)test_below(&random, 60)));
        if (at[a] >= def.size[a]) at[a] = 0.0f;
    }
    const dunlin_batch one = {.cookie = WORLD_COOKIE,
                              .count = 1,
                              .position = {&at[0], &at[1], &at[2]},
                              .velocity = {rest, rest, rest},
                              .attribute = {&zero}};
    for (int i = 0; i < 3; i++) ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    const dunlin_group_sums sums = sums_of(world, 0);
    const double size = (double)fmaxf(def.size[0], fmaxf(def.size[1], def.dimensions == 3 ? def.size[2] : 0.0f));
    for (int a = 0; a < def.dimensions; a++)
        if (!(fabs((double)sums.centre[a][0] - (double)at[a]) <= 0x1p-50 * size))
            fail_msg("round %d, %c: %.9g instead of %.9g in a world of %g", round, "xyz"[a], (double)sums.centre[a][0],
                     (double)at[a], (double)def.size[a]);
    assert_true((double)sums.spread[0] <= 0x1p-48 * size);
}

/* ---- targets ---------------------------------------------------------------------------------------------------------- */

/* What an agent gains in a step by seeking its group: plain Reynolds. */
TEST_EACH(test_targets_are_groups, kind, DUNLIN_TARGET_GROUP_CENTRE, DUNLIN_TARGET_GROUP_LEADER + 1) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of_cells(def, 5.0f);
    ACCEPT(dunlin_world_remove_interaction(world, 0, &refusal));
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.kind = (dunlin_target_kind)kind;
    seek.radius = kind == DUNLIN_TARGET_GROUP_CENTRE ? 4.0f : INFINITY;
    seek.max_force = 1e9f;
    seek.weight = 0.5f;
    world_add_behaviour(world, &seek);
    for (int s = 0; s < 3; s++) {
        const dunlin_group_sums sums = sums_of(world, 0);
        const dunlin_view before = dunlin_world_view(world, 0);
        double wanted[2][AGENTS];
        uint32_t reached = 0;
        for (uint32_t i = 0; i < AGENTS; i++) {
            const int g = (int)before.attribute[0][i];
            const uint32_t leader = leader_of(&before, NULL, g);
            double d[2], u[2], v2 = 0.0;
            for (int a = 0; a < 2; a++) {
                const double to = (double)(kind == DUNLIN_TARGET_GROUP_CENTRE ? sums.centre[a][g] : before.position[a][leader]);
                d[a] = kind == DUNLIN_TARGET_GROUP_VELOCITY ? (double)sums.velocity[a][g]
                                                            : fold(&def, a, to - (double)before.position[a][i]);
            }
            const double length = hypot(d[0], d[1]);
            const bool sees = length > 0.0 && length <= (double)seek.radius;
            reached += sees;
            for (int a = 0; a < 2; a++) {
                const double v = (double)before.velocity[a][i];
                u[a] = sees ? v + 0.5 * (d[a] / length - v) : v;
                v2 += u[a] * u[a];
            }
            for (int a = 0; a < 2; a++) wanted[a][before.id[i]] = v2 > 1.0 ? u[a] / sqrt(v2) : u[a];
        }
        assert_in_range(reached, AGENTS / 8, kind == DUNLIN_TARGET_GROUP_CENTRE ? AGENTS - 20 : AGENTS);
        world_run(world, 1);
        const dunlin_view after = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < AGENTS; i++)
            for (int a = 0; a < 2; a++) assert_true(fabs((double)after.velocity[a][i] - wanted[a][after.id[i]]) < 2e-5);
    }
}

/* ---- bodies ----------------------------------------------------------------------------------------------------------- */

static int add_bodies(dunlin_world *world, const char *name, int of, int groups) {
    dunlin_species_def bodies = dunlin_species_def_default();
    bodies.name = name;
    bodies.body_of = of;
    bodies.groups = groups;
    bodies.max_speed = 2.0f;
    int species = world_add_species(world, &bodies);
    add_attribute(world, species, "body", DUNLIN_ROLE_BODY, DUNLIN_DISTRIBUTION_SAME, 0.0f);
    if (groups) add_attribute(world, species, "group", DUNLIN_ROLE_GROUP, DUNLIN_DISTRIBUTION_IN_TURN, (float)groups - 1.0f);
    dunlin_behaviour_def pass = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_BODY);
    pass.species = of;
    pass.body = species;
    world_add_behaviour(world, &pass);
    return species;
}

static void push(dunlin_world *world, int species, float x, float y) {
    dunlin_behaviour_def force = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
    force.species = species;
    force.force[0] = x;
    force.force[1] = y;
    world_add_behaviour(world, &force);
}

static void check_bodies(dunlin_world *world, int species, int of) {
    const dunlin_view bodies = dunlin_world_view(world, species);
    const dunlin_group_sums sums = sums_of(world, of);
    uint32_t stood_for = 0;
    for (uint32_t g = 0; g < sums.count; g++) stood_for += sums.agents[g] > 0;
    assert_int_equal(bodies.count, stood_for);
    for (uint32_t i = 0; i < bodies.count; i++) {
        const uint32_t g = (uint32_t)bodies.attribute[0][i];
        for (int a = 0; a < dunlin_world_get_def(world).dimensions; a++) {
            assert_true(bodies.position[a][i] == sums.centre[a][g]);
            assert_true(bodies.velocity[a][i] == sums.velocity[a][g]);
        }
    }
}

TEST(test_bodies_are_where_their_groups_are) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    const int bodies = add_bodies(world, "bodies", 0, 0);
    push(world, bodies, 0.01f, 0.0f);
    for (int i = 0; i < 30; i++) {
        world_run(world, 1);
        check_bodies(world, bodies, 0);
    }
    assert_int_equal(dunlin_world_view(world, bodies).count, GROUPS - 1);
    const dunlin_view cells = dunlin_world_view(world, 0);
    uint32_t gone[AGENTS], count = 0;
    for (uint32_t i = 0; i < cells.count; i++)
        if (cells.attribute[0][i] == 2.0f) gone[count++] = cells.id[i];
    ACCEPT(dunlin_world_despawn(world, gone, count, &refusal));
    world_run(world, 1);
    check_bodies(world, bodies, 0);
    assert_int_equal(dunlin_world_view(world, bodies).count, GROUPS - 2);
    float groups[AGENTS] = {GROUPS - 1}; /* an agent enters the group that has had none */
    for (uint32_t i = 1; i < AGENTS - count; i++) groups[i] = dunlin_world_view(world, 0).attribute[0][i];
    ACCEPT(dunlin_world_set_attribute_values(world, 0, 0, groups, &refusal));
    world_run(world, 1);
    check_bodies(world, bodies, 0);
    assert_int_equal(dunlin_world_view(world, bodies).count, GROUPS - 1);
}

TEST(test_the_oldest_body_of_a_group_stays) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    const int bodies = add_bodies(world, "bodies", 0, 0);
    world_run(world, 1);
    uint32_t oldest[GROUPS] = {0};
    const dunlin_view first = dunlin_world_view(world, bodies);
    for (uint32_t i = 0; i < first.count; i++) oldest[(int)first.attribute[0][i]] = first.id[i];
    const float place[] = {1, 50, 99}, still[] = {0, 0, 0}, stands_for[] = {0, 3, 5};
    dunlin_batch more = dunlin_batch_default();
    more.count = 3;
    for (int a = 0; a < 2; a++) more.position[a] = place, more.velocity[a] = still;
    more.attribute[0] = stands_for;
    ACCEPT(dunlin_world_spawn(world, bodies, &more, NULL, &refusal));
    world_run(world, 1);
    const dunlin_view then = dunlin_world_view(world, bodies);
    assert_int_equal(then.count, GROUPS - 1);
    for (uint32_t i = 0; i < then.count; i++) assert_int_equal(then.id[i], oldest[(int)then.attribute[0][i]]);
}

/* The step before has put other bodies in their places. */
TEST(test_bodies_are_checked_between_steps) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    add_bodies(world, "bodies", 0, 0);
    world_run(world, 2);
    dunlin_species_def others = dunlin_species_def_default();
    others.name = "others";
    others.body_of = 0;
    world_add_species(world, &others);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "species 2", "body_of", "no attribute");
}

/* A kind that reads a target refuses one of no kind. Nothing else asks for the sums over its groups. */
TEST_EACH(test_every_kind_with_a_target_takes_groups, kind, 0, DUNLIN_BEHAVIOUR_COUNT) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    ACCEPT(dunlin_world_remove_interaction(world, 0, &refusal));
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, (dunlin_behaviour_kind)kind);
    def.target.kind = (dunlin_target_kind)99;
    const bool taken = dunlin_world_add_behaviour(world, &def, NULL, &refusal) == DUNLIN_OK;
    if (taken || !strstr(refusal.message, "behaviour.target.kind")) return;
    def.target.kind = DUNLIN_TARGET_GROUP_LEADER;
    world_add_behaviour(world, &def);
    const dunlin_metrics before = world_measure(world, 0);
    world_run(world, 3);
    assert_true(world_measure(world, 0).mean_speed != before.mean_speed);
    dunlin_species_def cells = dunlin_world_get_species(world, 0);
    cells.groups = 0;
    REFUSE(dunlin_world_set_species(world, 0, &cells, &refusal), DUNLIN_ERROR_VALUE, "species.groups is 0");
}

/* Attributes may come after the behaviours, but not after the step. */
TEST(test_group_behaviours_need_attributes) {
    dunlin_world *world = world_create(NULL);
    dunlin_species_def species = dunlin_species_def_default();
    species.groups = 3;
    for (int s = 0; s < 2; s++) {
        species.name = s ? "fish" : "cells";
        world_add_species(world, &species);
    }
    world_scatter(world, 0, 5);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.kind = DUNLIN_TARGET_GROUP_CENTRE;
    seek.target.species = 1;
    world_add_behaviour(world, &seek);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE,
           "behaviour 0: species 1, 'fish', has no attribute of role group");
    add_attribute(world, 1, "group", DUNLIN_ROLE_GROUP, DUNLIN_DISTRIBUTION_SAME, 0.0f);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE,
           "behaviour 0: species 0, 'cells', has no attribute of role group");
    add_attribute(world, 0, "group", DUNLIN_ROLE_GROUP, DUNLIN_DISTRIBUTION_SAME, 2.0f);
    world_run(world, 1);
    seek.target.kind = DUNLIN_TARGET_POINT;
    ACCEPT(dunlin_world_set_behaviour(world, 0, &seek, &refusal));
    ACCEPT(dunlin_world_remove_attribute(world, 1, 0, &refusal));
    world_run(world, 1);
    seek.target.kind = DUNLIN_TARGET_GROUP_LEADER; /* again, without another change */
    ACCEPT(dunlin_world_set_behaviour(world, 0, &seek, &refusal));
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0: species 1", "no attribute");
}

/* Hunters of the first cells, of a group without cells, and of one that cells do not have. They aim at their own groups first,
 * whose sums nothing else asks for. */
TEST(test_hunters_aim_at_groups_that_are_there) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    add_bodies(world, "bodies", 0, 0);
    dunlin_species_def species = dunlin_species_def_default();
    species.name = "hunters";
    species.groups = GROUPS + 1;
    const int hunters = world_add_species(world, &species);
    add_attribute(world, hunters, "group", DUNLIN_ROLE_GROUP, DUNLIN_DISTRIBUTION_SAME, 0.0f);
    const float place[] = {3, 4, 5}, groups[] = {0, GROUPS - 1, GROUPS}, along[] = {0.5f, 0.5f, 0.5f}, across[] = {0, 0, 0};
    dunlin_batch batch = dunlin_batch_default();
    batch.count = 3;
    batch.position[0] = batch.position[1] = place;
    batch.velocity[0] = along;
    batch.velocity[1] = across;
    batch.attribute[0] = groups;
    ACCEPT(dunlin_world_spawn(world, hunters, &batch, NULL, &refusal));
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.species = hunters;
    seek.weight = 0.0f;
    world_add_behaviour(world, &seek);
    world_run(world, 2);
    seek.target.kind = DUNLIN_TARGET_GROUP_CENTRE;
    seek.target.species = hunters; /* each is alone in its group, so it is there already */
    seek.weight = 1.0f;
    ACCEPT(dunlin_world_set_behaviour(world, 0, &seek, &refusal));
    world_run(world, 1);
    dunlin_view view = dunlin_world_view(world, hunters);
    for (uint32_t i = 0; i < 3; i++) assert_true(view.velocity[0][i] == 0.5f && view.velocity[1][i] == 0.0f);
    seek.target.species = 0;
    ACCEPT(dunlin_world_set_behaviour(world, 0, &seek, &refusal));
    world_run(world, 1);
    view = dunlin_world_view(world, hunters);
    for (uint32_t i = 0; i < 3; i++) assert_true((view.velocity[1][i] != 0.0f) == (view.attribute[0][i] == 0.0f));
}

/* They are the same bodies that a step would make, on both levels. */
TEST(test_bodies_are_there_before_the_first_step) {
    const dunlin_world_def def = dunlin_world_def_default();
    uint64_t hashes[2];
    for (int early = 0; early < 2; early++) {
        dunlin_world *world = world_of_cells(def, 5.0f);
        ACCEPT(dunlin_world_make_bodies(world, &refusal)); /* of which there are none */
        const int bodies = add_bodies(world, "bodies", 0, 2), whales = add_bodies(world, "whales", bodies, 0);
        push(world, whales, 0.01f, 0.0f);
        for (int times = 0; times < 2 * early; times++) {
            ACCEPT(dunlin_world_make_bodies(world, &refusal));
            assert_int_equal(dunlin_world_view(world, bodies).count, GROUPS - 1);
            assert_int_equal(dunlin_world_view(world, whales).count, 2);
            check_bodies(world, bodies, 0);
            check_bodies(world, whales, bodies);
        }
        assert_int_equal(dunlin_world_view(world, whales).count, 2 * early);
        world_run(world, 3);
        hashes[early] = dunlin_world_state_hash(world);
        world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    dunlin_world *world = world_of_cells(def, 5.0f);
    const int bodies = add_bodies(world, "bodies", 0, 0);
    dunlin_behaviour_def adapt = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ADAPT);
    adapt.adapt.signal = DUNLIN_SIGNAL_SPEED;
    adapt.adapt.attribute = 1;
    world_add_behaviour(world, &adapt);
    REFUSE(dunlin_world_make_bodies(world, &refusal), DUNLIN_ERROR_VALUE, "behaviour.adapt.attribute is 1");
    assert_int_equal(dunlin_world_view(world, bodies).count, 0);
}

/* No body is born, and no group made again, before all is checked. */
TEST(test_refused_steps_change_nothing) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    world_run(world, 1);
    dunlin_species_def cells = dunlin_world_get_species(world, 0);
    cells.regroup = (dunlin_regroup){.every = 1, .radius = 30.0f, .min_agents = 1};
    ACCEPT(dunlin_world_set_species(world, 0, &cells, &refusal));
    const int bodies = add_bodies(world, "bodies", 0, 0);
    dunlin_behaviour_def adapt = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ADAPT);
    adapt.adapt.signal = DUNLIN_SIGNAL_SPEED;
    REFUSE(dunlin_world_add_behaviour(world, &adapt, NULL, &refusal), DUNLIN_ERROR_VALUE, "role group cannot adapt");
    adapt.adapt.attribute = 1;
    world_add_behaviour(world, &adapt);
    const uint64_t hash = dunlin_world_state_hash(world);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "behaviour.adapt.attribute is 1");
    assert_int_equal(dunlin_world_view(world, bodies).count, 0);
    assert_true(dunlin_world_state_hash(world) == hash);
}

/* Kills the agents of group 2 in step 3. */
static void kill_a_group(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++)
        if (tile->step == 3 && tile->attribute[0][i] == 2.0f) tile->dies[i] = 1;
}

TEST(test_bodies_die_after_their_groups) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    const int bodies = add_bodies(world, "bodies", 0, 0);
    world_call_back(world, 0, kill_a_group, NULL);
    world_run(world, 4);
    assert_int_equal(dunlin_world_view(world, bodies).count, GROUPS - 1);
    world_run(world, 1);
    check_bodies(world, bodies, 0);
    assert_int_equal(dunlin_world_view(world, bodies).count, GROUPS - 2);
}

/* What the highest bodies feel moves the agents of the lowest level, and each body adds its own. */
TEST(test_forces_go_down_the_levels) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    ACCEPT(dunlin_world_remove_interaction(world, 0, &refusal));
    dunlin_species_def cells = dunlin_world_get_species(world, 0);
    cells.max_speed = 10.0f;
    ACCEPT(dunlin_world_set_species(world, 0, &cells, &refusal));
    const int bodies = add_bodies(world, "bodies", 0, 2), giants = add_bodies(world, "giants", bodies, 0);
    push(world, bodies, 0.25f, 0.0f);
    push(world, giants, 0.0f, 0.5f);
    world_run(world, 1); /* bodies are born */
    assert_int_equal(dunlin_world_view(world, giants).count, 2);
    float before[2][AGENTS];
    const dunlin_view then = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < AGENTS; i++)
        for (int a = 0; a < 2; a++) before[a][then.id[i]] = then.velocity[a][i];
    world_run(world, 1);
    const dunlin_view now = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < AGENTS; i++) {
        assert_true(now.velocity[0][i] == before[0][now.id[i]] + 0.25f);
        assert_true(now.velocity[1][i] == before[1][now.id[i]] + 0.5f);
    }
    check_bodies(world, bodies, 0);
    check_bodies(world, giants, bodies);
}

/* A behaviour names the bodies whose force it passes on, though others stand for the same groups. */
TEST(test_groups_have_bodies_of_two_kinds) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 5.0f);
    ACCEPT(dunlin_world_remove_interaction(world, 0, &refusal));
    dunlin_species_def cells = dunlin_world_get_species(world, 0);
    cells.max_speed = 10.0f;
    ACCEPT(dunlin_world_set_species(world, 0, &cells, &refusal));
    const int left = add_bodies(world, "left", 0, 0), right = add_bodies(world, "right", 0, 0);
    push(world, left, -0.25f, 0.0f);
    push(world, right, 0.5f, 0.125f);
    float before[2][AGENTS];
    const float pushed[][2] = {{0.25f, 0.125f}, {0.5f, 0.125f}};
    for (int kinds = 2; kinds > 0; kinds--) {
        const dunlin_view then = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < AGENTS; i++)
            for (int a = 0; a < 2; a++) before[a][then.id[i]] = then.velocity[a][i];
        world_run(world, 1);
        const dunlin_view now = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < AGENTS; i++)
            for (int a = 0; a < 2; a++)
                assert_float_equal(now.velocity[a][i], before[a][now.id[i]] + pushed[2 - kinds][a], 1e-6);
        check_bodies(world, left, 0);
        check_bodies(world, right, 0);
        if (kinds == 2) ACCEPT(dunlin_world_remove_behaviour(world, 0, &refusal)); /* only those on the right push now */
    }
}

/* ---- splitting and merging, in plain loops ---------------------------------------------------------------------------- */

enum { SWARM = 60, SWARM_GROUPS = 7 };

/* The minimum id that a chain of distances connects with each agent. */
static void plain_labels(float at[2][SWARM], float radius, uint32_t label[SWARM]) {
    for (uint32_t i = 0; i < SWARM; i++) label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < SWARM; i++)
            for (uint32_t k = 0; k < SWARM; k++) {
                const float dx = at[0][i] - at[0][k], dy = at[1][i] - at[1][k];
                if (dx * dx + dy * dy > radius * radius || label[k] >= label[i]) continue;
                label[i] = label[k];
                changed = true;
            }
    }
}

static uint32_t count_labels(const uint32_t label[SWARM], uint32_t wanted) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SWARM; i++) count += label[i] == wanted;
    return count;
}

/* The group that most of the flock's agents are in. */
static int plain_preference(const uint32_t label[SWARM], const float group[SWARM], uint32_t flock) {
    uint32_t counts[SWARM_GROUPS] = {0};
    int best = 0;
    for (uint32_t i = 0; i < SWARM; i++)
        if (label[i] == flock) counts[(int)group[i]]++;
    for (int g = 1; g < SWARM_GROUPS; g++)
        if (counts[g] > counts[best]) best = g;
    return best;
}

/* The flock that chooses next: of those that have not chosen the largest, of equal ones that with the minimum id. */
static uint32_t next_flock(const uint32_t label[SWARM], const bool chosen[SWARM], uint32_t min_agents) {
    uint32_t best = SWARM, most = min_agents - 1;
    for (uint32_t f = 0; f < SWARM; f++) {
        const uint32_t agents = count_labels(label, f);
        if (chosen[f] || agents <= most) continue;
        best = f;
        most = agents;
    }
    return best;
}

static void plain_regroup(float at[2][SWARM], float radius, uint32_t min_agents, float group[SWARM]) {
    uint32_t label[SWARM], flock;
    bool chosen[SWARM] = {false}, taken[SWARM_GROUPS] = {false}, in_use[SWARM_GROUPS] = {false}, late[SWARM] = {false};
    int of[SWARM];
    plain_labels(at, radius, label);
    for (uint32_t i = 0; i < SWARM; i++)
        if (count_labels(label, label[i]) < min_agents) in_use[(int)group[i]] = true;
    while ((flock = next_flock(label, chosen, min_agents)) < SWARM) {
        chosen[flock] = true;
        of[flock] = plain_preference(label, group, flock);
        late[flock] = taken[of[flock]];
        taken[of[flock]] = in_use[of[flock]] = true;
    }
    memset(chosen, 0, sizeof chosen);
    while ((flock = next_flock(label, chosen, min_agents)) < SWARM) {
        chosen[flock] = true;
        for (int g = 0; g < SWARM_GROUPS && late[flock]; g++) {
            if (in_use[g]) continue;
            of[flock] = g;
            in_use[g] = true;
            late[flock] = false;
        }
    }
    for (uint32_t i = 0; i < SWARM; i++)
        if (chosen[label[i]]) group[i] = (float)of[label[i]];
}

TEST_EACH(test_groups_become_the_flocks_of_plain_loops, round, 0, TEST_ROUNDS(60)) {
    static test_random random = {.state = 23};
    dunlin_world *world = world_create(NULL);
    dunlin_species_def species = dunlin_species_def_default();
    species.groups = SWARM_GROUPS;
    species.regroup = (dunlin_regroup){.every = 1, .radius = test_uniform(&random, 0.5f, 5.0f)};
    species.regroup.min_agents = 1 + (int)test_below(&random, 5);
    world_add_species(world, &species);
    add_attribute(world, 0, "group", DUNLIN_ROLE_GROUP, DUNLIN_DISTRIBUTION_SAME, 0.0f);
    float at[2][SWARM], zeros[SWARM] = {0.0f}, groups[SWARM];
    for (int i = 0; i < SWARM; i++) {
        for (int a = 0; a < 2; a++) at[a][i] = test_uniform(&random, 30.0f, 60.0f);
        groups[i] = (float)test_below(&random, SWARM_GROUPS - 2);
    }
    dunlin_batch batch = dunlin_batch_default();
    batch.count = SWARM;
    for (int a = 0; a < 2; a++) batch.position[a] = at[a], batch.velocity[a] = zeros;
    batch.attribute[0] = groups;
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    world_run(world, 2);
    plain_regroup(at, species.regroup.radius, (uint32_t)species.regroup.min_agents, groups);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < SWARM; i++) assert_true(view.attribute[0][i] == groups[view.id[i]]);
}

/* ---- continuing ------------------------------------------------------------------------------------------------------- */

/* All of it at once. */
static dunlin_world *world_of_creatures(dunlin_world_def def) {
    dunlin_world *world = world_of_cells(def, 4.0f);
    const int bodies = add_bodies(world, "bodies", 0, 2), giants = add_bodies(world, "giants", bodies, 0);
    world_add_flocking(world, bodies, bodies, 12.0f);
    push(world, giants, 0.02f, 0.01f);
    dunlin_behaviour_def arrive = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ARRIVE);
    arrive.target.kind = DUNLIN_TARGET_GROUP_CENTRE;
    world_add_behaviour(world, &arrive);
    dunlin_behaviour_def follow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PURSUE);
    follow.target.kind = DUNLIN_TARGET_GROUP_LEADER;
    follow.weight = 0.2f;
    world_add_behaviour(world, &follow);
    dunlin_species_def cells = dunlin_world_get_species(world, 0);
    cells.regroup = (dunlin_regroup){.every = 7, .radius = 1.0f, .min_agents = 5};
    ACCEPT(dunlin_world_set_species(world, 0, &cells, &refusal));
    return world;
}

/* What callers write is seen by the next step, as if it had always been so. */
TEST(test_writing_moves_groups) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of_creatures(def), *restored = world_of_creatures(def);
    world_run(world, 10);
    float x[AGENTS], y[AGENTS];
    for (int i = 0; i < AGENTS; i++) {
        x[i] = (float)(i % 97);
        y[i] = (float)(i % 89);
    }
    dunlin_write write = dunlin_write_default();
    write.count = AGENTS;
    write.position[0] = x;
    write.position[1] = y;
    ACCEPT(dunlin_world_write(world, &write, &refusal));
    const size_t count = dunlin_world_saved_bytes(world);
    void *bytes = malloc(count);
    ACCEPT(dunlin_world_save_memory(world, bytes, count, &refusal));
    ACCEPT(dunlin_world_restore_memory(restored, bytes, count, &refusal));
    free(bytes);
    world_run_alike(world, restored, 1);
}

/* ---- refusals --------------------------------------------------------------------------------------------------------- */

TEST(test_definitions_are_checked) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 0.0f);
    dunlin_species_def species = dunlin_species_def_default();
    species.body_of = 1;
    REFUSE(dunlin_world_add_species(world, &species, NULL, &refusal), DUNLIN_ERROR_VALUE, "species.body_of is 1");
    species.body_of = 0;
    species.regroup.every = 10;
    REFUSE(dunlin_world_add_species(world, &species, NULL, &refusal), DUNLIN_ERROR_VALUE, "species.regroup.every is 10",
           "no groups");
    species.regroup.every = 0;
    const int bodies = world_add_species(world, &species);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "species 1", "body_of", "no attribute");
    dunlin_species_def cells = dunlin_world_get_species(world, 0);
    cells.body_of = 1;
    REFUSE(dunlin_world_set_species(world, 0, &cells, &refusal), DUNLIN_ERROR_VALUE, "species.body_of is 1", "its own bodies");
    cells.body_of = 0;
    REFUSE(dunlin_world_set_species(world, 0, &cells, &refusal), DUNLIN_ERROR_VALUE, "species.body_of is 0", "its own bodies");
    REFUSE(dunlin_world_remove_species(world, 0, &refusal), DUNLIN_ERROR_VALUE, "cannot be removed");
    dunlin_behaviour_def body = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_BODY);
    body.species = bodies;
    REFUSE(dunlin_world_add_behaviour(world, &body, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.body is 0", "body_of");
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.kind = DUNLIN_TARGET_GROUP_LEADER;
    seek.target.species = bodies;
    REFUSE(dunlin_world_add_behaviour(world, &seek, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.target.species is 1",
           "no groups");
    seek.target.species = 0;
    seek.species = bodies;
    world_add_behaviour(world, &seek);
    species = dunlin_world_get_species(world, bodies);
    species.body_of = -1;
    REFUSE(dunlin_world_set_species(world, bodies, &species, &refusal), DUNLIN_ERROR_VALUE, "species.body_of is -1",
           "behaviour 0 has a group as its target");
    dunlin_group_sums sums;
    REFUSE(dunlin_world_sum_groups(world, bodies, &sums, &refusal), DUNLIN_ERROR_VALUE, "no groups");
}

/* What behaviours need stays as long as they do. */
TEST(test_species_keep_what_behaviours_need) {
    dunlin_world *world = world_of_cells(dunlin_world_def_default(), 0.0f);
    const int bodies = add_bodies(world, "bodies", 0, 3);
    dunlin_species_def species = dunlin_world_get_species(world, bodies);
    species.body_of = -1;
    REFUSE(dunlin_world_set_species(world, bodies, &species, &refusal), DUNLIN_ERROR_VALUE, "species.body_of is -1",
           "behaviour 0 uses the force");
    ACCEPT(dunlin_world_remove_behaviour(world, 0, &refusal));
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.kind = DUNLIN_TARGET_GROUP_CENTRE;
    seek.target.species = bodies;
    world_add_behaviour(world, &seek);
    species.groups = 0;
    ACCEPT(dunlin_world_remove_attribute(world, bodies, 1, &refusal)); /* that of their groups */
    REFUSE(dunlin_world_set_species(world, bodies, &species, &refusal), DUNLIN_ERROR_VALUE, "species.groups is 0",
           "behaviour 0 has a group as its target");
    ACCEPT(dunlin_world_remove_behaviour(world, 0, &refusal));
    ACCEPT(dunlin_world_set_species(world, bodies, &species, &refusal));
    world_run(world, 1);
}
