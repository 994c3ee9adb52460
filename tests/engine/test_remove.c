/* SPDX-License-Identifier: MIT */
/* Removal: a world from which something was removed has the future of one that never had it, and nothing in use can go. */
#include "tests/lib/worlds.h"

typedef enum extra { NONE, SPECIES, INTERACTION, BEHAVIOUR, ATTRIBUTE, PATH, FIELD, OBSTACLE, MEAL, EXTRAS } extra;

static const float few_points[] = {10, 90, 50}, other_points[] = {20, 60, 80};

/* Pushes along x by the number of the nearest observed agents, and records that it was called. */
static void count_observed(void *user, const dunlin_packet *packet) {
    (void)user;
    for (uint32_t k = 0; k < packet->count; k++)
        for (uint32_t r = 0; r < packet->range_count; r++)
            for (uint32_t j = packet->ranges[r].begin; j < packet->ranges[r].end; j++) {
                const float dx = packet->observed_position[0][j] - packet->position[0][packet->first + k];
                const float dy = packet->observed_position[1][j] - packet->position[1][packet->first + k];
                if (dx * dx + dy * dy <= 100.0f) packet->force[0][k] += 0.01f;
            }
}

/* ---- a world in which everything refers to something, behind one thing more -------------------------------------------- */

typedef struct numbers {
    int prey, hawks, energy, worth, flock, follow, path, field, meal;
} numbers;

static int add_species(dunlin_world *world, const char *name) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = name;
    def.obstacles_block = true;
    return world_add_species(world, &def);
}

static int add_attribute(dunlin_world *world, int species, const char *name, dunlin_role role, int behaviour) {
    dunlin_attribute_def def = world_attribute(species, name, role);
    def.behaviour = behaviour;
    return world_add_attribute(world, &def);
}

static int add_meal(dunlin_world *world, dunlin_meal_def def) {
    const dunlin_meal_def made = dunlin_meal_def_default();
    def.cookie = made.cookie;
    def.gain = 0.5f;
    return world_add_meal(world, &def);
}

static int add_path(dunlin_world *world, const float *points) {
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = 3;
    def.points[0] = points;
    def.points[1] = other_points;
    return world_add_path(world, &def);
}

static int add_field(dunlin_world *world, float x) {
    const int number = world_add_field(world, NULL);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_CONSTANT);
    source.vector[0] = x;
    source.vector[1] = 0.02f;
    ACCEPT(dunlin_world_fill_field(world, number, &source, &refusal));
    return number;
}

static int add_behaviours(dunlin_world *world, const numbers *n) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    def.species = n->prey;
    def.follow.path = n->path;
    def.follow.radius = 1;
    const int follow = world_add_behaviour(world, &def);
    def.kind = DUNLIN_BEHAVIOUR_WIND;
    def.flow.field = n->field;
    world_add_behaviour(world, &def);
    def.kind = DUNLIN_BEHAVIOUR_WANDER;
    world_add_behaviour(world, &def);
    def.kind = DUNLIN_BEHAVIOUR_FLEE;
    def.target.kind = DUNLIN_TARGET_NEAREST;
    def.target.species = n->hawks;
    def.radius = 15;
    world_add_behaviour(world, &def);
    def.kind = DUNLIN_BEHAVIOUR_SIDESTEP;
    def.sidestep.observed = n->prey;
    world_add_behaviour(world, &def);
    def.kind = DUNLIN_BEHAVIOUR_PAIRS;
    def.pairs = (dunlin_pairs){.observed = n->hawks, .radius = 10, .callback = count_observed};
    world_add_behaviour(world, &def);
    def.kind = DUNLIN_BEHAVIOUR_PURSUE;
    def.species = n->hawks;
    def.target.species = n->prey;
    def.radius = 30;
    world_add_behaviour(world, &def);
    def.kind = DUNLIN_BEHAVIOUR_SEEK;
    def.target = (dunlin_target){.kind = DUNLIN_TARGET_POINT, .position = {5, 5}, .velocity = {1, 0.5f}};
    world_add_behaviour(world, &def);
    return follow;
}

static void add_obstacle(dunlin_world *world, float x, int *number) {
    dunlin_obstacle_def ball = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    ball.a[0] = ball.a[1] = x;
    ball.radius = 5;
    ACCEPT(dunlin_world_add_obstacle(world, &ball, number, &refusal));
}

static dunlin_world *make(const char *index, extra more, numbers *n) {
    const dunlin_world_def def = world_def_with((world_parts){.index = index, .threads = 2});
    dunlin_world *world = world_create(&def);
    if (more == SPECIES) add_species(world, "more");
    n->prey = add_species(world, "prey");
    n->hawks = add_species(world, "hawks");
    if (more == ATTRIBUTE) add_attribute(world, n->prey, "more", DUNLIN_ROLE_MASS, 0);
    if (more == ATTRIBUTE) add_attribute(world, n->hawks, "more", DUNLIN_ROLE_VALUE, 0);
    n->worth = add_attribute(world, n->prey, "worth", DUNLIN_ROLE_VALUE, 0);
    n->energy = add_attribute(world, n->hawks, "energy", DUNLIN_ROLE_VALUE, 0);
    if (more == INTERACTION) world_add_flocking(world, n->prey, n->hawks, 20);
    n->flock = world_add_flocking(world, n->prey, n->prey, 8);
    if (more == PATH) add_path(world, other_points);
    n->path = add_path(world, few_points);
    if (more == FIELD) add_field(world, -0.5f);
    n->field = add_field(world, 0.05f);
    if (more == BEHAVIOUR) {
        dunlin_behaviour_def force = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
        force.species = n->prey;
        force.force[1] = 0.3f;
        world_add_behaviour(world, &force);
    }
    n->follow = add_behaviours(world, n);
    add_attribute(world, n->prey, "eagerness", DUNLIN_ROLE_BEHAVIOUR_WEIGHT, n->follow);
    if (more == MEAL)
        add_meal(world, (dunlin_meal_def){.eater = n->prey, .food = n->hawks, .radius = 2, .energy = -1, .worth = -1});
    n->meal = add_meal(
        world, (dunlin_meal_def){.eater = n->hawks, .food = n->prey, .radius = 1, .energy = n->energy, .worth = n->worth});
    if (more == OBSTACLE) add_obstacle(world, 70, NULL);
    add_obstacle(world, 40, NULL);
    return world;
}

static void populate(dunlin_world *world) {
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    for (int s = dunlin_world_species_count(world) - 1; s >= 0; s--) {
        everywhere.count = s == dunlin_world_species_count(world) - 1 ? 40 : 700;
        ACCEPT(dunlin_world_scatter(world, s, &everywhere, &refusal));
    }
}

static void remove_extra(dunlin_world *world, extra more) {
    switch (more) {
    case SPECIES:
        ACCEPT(dunlin_world_remove_species(world, 0, &refusal));
        break;
    case INTERACTION:
        ACCEPT(dunlin_world_remove_interaction(world, 0, &refusal));
        break;
    case BEHAVIOUR:
        ACCEPT(dunlin_world_remove_behaviour(world, 0, &refusal));
        break;
    case ATTRIBUTE:
        for (int s = 0; s < 2; s++) ACCEPT(dunlin_world_remove_attribute(world, s, 0, &refusal));
        break;
    case PATH:
        ACCEPT(dunlin_world_remove_path(world, 0, &refusal));
        break;
    case FIELD:
        ACCEPT(dunlin_world_remove_field(world, 0, &refusal));
        break;
    case OBSTACLE:
        ACCEPT(dunlin_world_remove_obstacle(world, 0, &refusal));
        break;
    case MEAL:
        ACCEPT(dunlin_world_remove_meal(world, 0, &refusal));
        break;
    default:
        break;
    }
}

/* Copies the agents of one world, in their storage order, and its clock to another. */
static void copy_agents(dunlin_world *to, const dunlin_world *from) {
    for (int s = 0; s < dunlin_world_species_count(from); s++) {
        const dunlin_view view = dunlin_world_view(from, s);
        dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = view.count, .ids = view.id};
        memcpy(batch.position, view.position, sizeof batch.position);
        memcpy(batch.velocity, view.velocity, sizeof batch.velocity);
        memcpy(batch.attribute, view.attribute, sizeof batch.attribute);
        ACCEPT(dunlin_world_spawn(to, s, &batch, NULL, &refusal));
    }
    const dunlin_clock clock = dunlin_world_get_clock(from);
    ACCEPT(dunlin_world_set_clock(to, &clock, &refusal));
}

TEST_EACH(the_future_is_that_of_a_world_that_never_had_it, i, 0, WORLD_INDEXES) {
    for (extra more = NONE; more < EXTRAS; more++) {
        numbers n, plain;
        dunlin_world *world = make(world_indexes[i], more, &n), *never = make(world_indexes[i], NONE, &plain);
        populate(world);
        world_run(world, 4);
        remove_extra(world, more);
        copy_agents(never, world);
        assert_true(dunlin_world_state_hash(world) == dunlin_world_state_hash(never));
        const uint64_t agents = dunlin_world_agent_count(world);
        world_run(world, 8);
        world_run(never, 8);
        assert_true(dunlin_world_agent_count(world) < agents); /* the meal is still served */
        if (dunlin_world_state_hash(world) != dunlin_world_state_hash(never)) fail_msg("%s: %d", world_indexes[i], more);
        world_destroy(world);
        world_destroy(never);
    }
}

/* ---- what goes, and what stays ------------------------------------------------------------------------------------------ */

/* Numbers that the behaviour's kind does not read count too: the kind may change. */
static void expect_equal_references(const dunlin_world *world, const dunlin_world *never) {
    for (int b = 0; b < dunlin_world_behaviour_count(never); b++) {
        const dunlin_behaviour_def got = dunlin_world_get_behaviour(world, b), want = dunlin_world_get_behaviour(never, b);
        assert_int_equal(got.species, want.species);
        assert_int_equal(got.target.species, want.target.species);
        assert_int_equal(got.sidestep.observed, want.sidestep.observed);
        assert_int_equal(got.pairs.observed, want.pairs.observed);
        assert_int_equal(got.follow.path, want.follow.path);
        assert_int_equal(got.flow.field, want.flow.field);
    }
}

TEST(numbers_above_drop_by_one) {
    numbers n, plain;
    for (extra more = SPECIES; more < EXTRAS; more++) {
        dunlin_world *world = make("grid", more, &n), *never = make("grid", NONE, &plain);
        remove_extra(world, more);
        assert_int_equal(dunlin_world_find_species(world, "hawks"), plain.hawks);
        assert_int_equal(dunlin_world_find_attribute(world, plain.prey, "worth"), plain.worth);
        assert_string_equal(dunlin_world_get_attribute(world, plain.prey, plain.worth).name, "worth");
        const dunlin_attribute_def weight = dunlin_world_get_attribute(world, plain.prey, plain.worth + 1);
        assert_true(weight.species == plain.prey && weight.behaviour == plain.follow);
        const dunlin_meal_def meal = dunlin_world_get_meal(world, plain.meal);
        assert_true(meal.eater == plain.hawks && meal.energy == plain.energy && meal.worth == plain.worth);
        assert_int_equal(dunlin_world_interaction_count(world), dunlin_world_interaction_count(never));
        assert_int_equal(dunlin_world_behaviour_count(world), dunlin_world_behaviour_count(never));
        assert_int_equal(dunlin_world_path_count(world), dunlin_world_path_count(never));
        assert_int_equal(dunlin_world_field_count(world), dunlin_world_field_count(never));
        assert_int_equal(dunlin_world_obstacle_count(world), 1);
        assert_true(dunlin_world_get_obstacle(world, 0).a[0] == 40);
        expect_equal_references(world, never);
        world_destroy(world);
        world_destroy(never);
    }
}

TEST(ids_of_a_removed_species_are_not_given_again) {
    numbers n;
    dunlin_world *world = make("grid", SPECIES, &n);
    populate(world);
    const dunlin_view gone = dunlin_world_view(world, 0);
    const uint32_t id = gone.id[5], next = dunlin_world_get_clock(world).next_id;
    const uint64_t before = dunlin_world_agent_count(world);
    assert_int_equal(dunlin_world_find_agent(world, id).species, 0);
    ACCEPT(dunlin_world_remove_species(world, 0, &refusal));
    assert_true(dunlin_world_agent_count(world) == before - gone.count);
    assert_true(dunlin_world_generation(world) != gone.generation);
    assert_int_equal(dunlin_world_find_agent(world, id).species, -1);
    assert_int_equal(dunlin_world_get_clock(world).next_id, next);
    const float x = 1, *const at[] = {&x, &x};
    const dunlin_batch again = {
        .cookie = WORLD_COOKIE, .count = 1, .position = {at[0], at[1]}, .velocity = {at[0], at[1]}, .ids = &id};
    REFUSE(dunlin_world_spawn(world, 0, &again, NULL, &refusal), DUNLIN_ERROR_VALUE, "above all ids");
}

TEST(used_parts_cannot_be_removed) {
    numbers n;
    dunlin_world *world = make("grid", NONE, &n);
    populate(world);
    const uint64_t before = dunlin_world_state_hash(world);
    REFUSE(dunlin_world_remove_species(world, n.prey, &refusal), DUNLIN_ERROR_VALUE, "species 0", "interaction 0");
    REFUSE(dunlin_world_remove_species(world, n.hawks, &refusal), DUNLIN_ERROR_VALUE, "species 1", "behaviour 3");
    REFUSE(dunlin_world_remove_behaviour(world, n.follow, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0",
           "attribute 'eagerness' of species 0");
    REFUSE(dunlin_world_remove_attribute(world, n.prey, n.worth, &refusal), DUNLIN_ERROR_VALUE, "attribute 0", "meal 0");
    REFUSE(dunlin_world_remove_attribute(world, n.hawks, n.energy, &refusal), DUNLIN_ERROR_VALUE, "attribute 0", "meal 0");
    REFUSE(dunlin_world_remove_path(world, n.path, &refusal), DUNLIN_ERROR_VALUE, "path 0", "behaviour 0");
    REFUSE(dunlin_world_remove_field(world, n.field, &refusal), DUNLIN_ERROR_VALUE, "field 0", "behaviour 1");
    assert_true(dunlin_world_state_hash(world) == before);
    /* Everything can be removed in the reverse order of use. */
    ACCEPT(dunlin_world_remove_meal(world, 0, &refusal));
    for (int s = 0; s < 2; s++)
        while (dunlin_world_attribute_count(world, s)) ACCEPT(dunlin_world_remove_attribute(world, s, 0, &refusal));
    while (dunlin_world_behaviour_count(world)) ACCEPT(dunlin_world_remove_behaviour(world, 0, &refusal));
    ACCEPT(dunlin_world_remove_interaction(world, 0, &refusal));
    ACCEPT(dunlin_world_remove_path(world, 0, &refusal));
    ACCEPT(dunlin_world_remove_field(world, 0, &refusal));
    ACCEPT(dunlin_world_remove_obstacle(world, 0, &refusal));
    for (int s = 0; s < 2; s++) ACCEPT(dunlin_world_remove_species(world, 0, &refusal));
    world_run(world, 1);
    assert_true(dunlin_world_agent_count(world) == 0);
}

/* ---- set, where it is new ----------------------------------------------------------------------------------------------- */

TEST(fields_keep_vectors_where_they_keep_cells) {
    numbers n;
    dunlin_world *world = make("grid", NONE, &n);
    dunlin_field_def def = dunlin_world_get_field(world, n.field);
    def.min[0] = -10;
    def.lookup = DUNLIN_LOOKUP_LINEAR;
    ACCEPT(dunlin_world_set_field(world, n.field, &def, &refusal));
    dunlin_field_view view = dunlin_world_field_view(world, n.field);
    assert_true(view.min[0] == -10 && view.vectors[0][7] == 0.05f && view.cells[2] == 1);
    assert_true(dunlin_world_get_field(world, n.field).lookup == DUNLIN_LOOKUP_LINEAR);
    def.cells[1] = 5;
    ACCEPT(dunlin_world_set_field(world, n.field, &def, &refusal));
    view = dunlin_world_field_view(world, n.field);
    assert_true(view.cells[1] == 5 && view.vectors[0][7] == 0 && view.vectors[1][32 * 5 - 1] == 0);
    def.cells[0] = 0;
    REFUSE(dunlin_world_set_field(world, n.field, &def, &refusal), DUNLIN_ERROR_VALUE, "field.cells[0] is 0");
    assert_int_equal(dunlin_world_get_field(world, n.field).cells[0], 32);
    assert_int_equal(dunlin_world_get_field(world, 1).cookie, 0);
}

TEST(obstacles_stand_where_they_are_set) {
    numbers n, plain;
    dunlin_world *world = make("grid", OBSTACLE, &n), *made = make("grid", NONE, &plain);
    populate(world);
    populate(made);
    dunlin_obstacle_def moved[2] = {dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BOX), dunlin_world_get_obstacle(world, 1)};
    moved[0].a[0] = -5;
    world_add_obstacle(made, &moved[0]);
    const dunlin_obstacle_def swapped = dunlin_world_get_obstacle(made, 0);
    ACCEPT(dunlin_world_set_obstacle(made, 0, &moved[0], &refusal));
    ACCEPT(dunlin_world_set_obstacle(made, 1, &swapped, &refusal));
    world_run(world, 1);
    for (int i = 0; i < 2; i++) ACCEPT(dunlin_world_set_obstacle(world, i, &moved[i], &refusal));
    dunlin_world *never = make("grid", NONE, &plain);
    ACCEPT(dunlin_world_remove_obstacle(never, 0, &refusal));
    world_obstruct(never, moved, 2);
    copy_agents(never, world);
    world_run_alike(world, never, 5);
    assert_memory_equal(dunlin_world_obstacle_view(made).obstacles, moved, sizeof moved);
    moved[1].radius = -1;
    REFUSE(dunlin_world_set_obstacle(world, 0, &moved[1], &refusal), DUNLIN_ERROR_VALUE, "obstacle.radius");
    assert_true(dunlin_world_get_obstacle(world, 9).radius == 0);
}

TEST(attributes_keep_values_that_fit) {
    numbers n;
    dunlin_world *world = make("grid", NONE, &n);
    populate(world);
    dunlin_attribute_def def = dunlin_world_get_attribute(world, n.hawks, n.energy);
    REFUSE((def.role = DUNLIN_ROLE_MASS, dunlin_world_set_attribute(world, n.hawks, n.energy, &def, &refusal)),
           DUNLIN_ERROR_VALUE, "attribute.role", "meal 0");
    ACCEPT(dunlin_world_remove_meal(world, 0, &refusal));
    def.name = "bulk";
    def.value = 3;
    ACCEPT(dunlin_world_set_attribute(world, n.hawks, n.energy, &def, &refusal));
    assert_int_equal(dunlin_world_find_attribute(world, n.hawks, "bulk"), n.energy);
    assert_true(dunlin_world_view(world, n.hawks).attribute[n.energy][0] == 1);
    def = dunlin_world_get_attribute(world, n.hawks, n.energy);
    def.role = DUNLIN_ROLE_RADIUS_SCALE;
    def.value = 0.5f;
    ACCEPT(dunlin_world_set_attribute(world, n.hawks, n.energy, &def, &refusal));
    def.role = DUNLIN_ROLE_VALUE;
    ACCEPT(dunlin_world_set_attribute(world, n.hawks, n.energy, &def, &refusal));
    float large[40];
    for (int i = 0; i < 40; i++) large[i] = 40;
    ACCEPT(dunlin_world_set_attribute_values(world, n.hawks, n.energy, large, &refusal));
    def.role = DUNLIN_ROLE_RADIUS_SCALE;
    REFUSE(dunlin_world_set_attribute(world, n.hawks, n.energy, &def, &refusal), DUNLIN_ERROR_VALUE, "agent 0: bulk is 40");
    def.species = n.prey;
    REFUSE(dunlin_world_set_attribute(world, n.hawks, n.energy, &def, &refusal), DUNLIN_ERROR_VALUE, "must stay 1");
    def = dunlin_world_get_attribute(world, n.prey, n.worth);
    def.name = "eagerness";
    REFUSE(dunlin_world_set_attribute(world, n.prey, n.worth, &def, &refusal), DUNLIN_ERROR_VALUE, "already");
}
