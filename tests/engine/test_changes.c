/* SPDX-License-Identifier: MIT */
/* Definitions that change between steps: a changed world has the future of a world that was made with the new definition. */
#include "tests/lib/worlds.h"

static const char path[] = "changes.csv";

/* ---- worlds, and what may change of them ------------------------------------------------------------------------------- */

typedef struct setup {
    dunlin_world_def world;
    dunlin_species_def species[2];
    dunlin_interaction_def rules[2];
    dunlin_behaviour_def behaviours[4];
    bool obstructed;
} setup;

enum { FIRST, SECOND, BEHAVIOURS = 4 };

/* Random vectors on a grid from 0 to 100, which goes around only in a periodic world of that size. */
static void add_field(dunlin_world *world) {
    dunlin_field_def def = dunlin_field_def_default(world);
    dunlin_field_source random = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    for (int a = 0; a < 3; a++) {
        def.cells[a] = 5;
        def.max[a] = 100;
    }
    def.lookup = DUNLIN_LOOKUP_LINEAR;
    random.seed = 5;
    random.weight = 0.01f;
    world_add_field(world, &def);
    ACCEPT(dunlin_world_fill_field(world, 0, &random, &refusal));
}

static dunlin_world *setup_make(const setup *s) {
    dunlin_world *world = world_create(&s->world);
    for (int i = 0; i < 2; i++) world_add_species(world, &s->species[i]);
    for (int i = 0; i < 2; i++) world_add_interaction(world, &s->rules[i]);
    add_field(world);
    for (int i = 0; i < BEHAVIOURS; i++) world_add_behaviour(world, &s->behaviours[i]);
    static const dunlin_obstacle_def boxes[] = {{0, DUNLIN_OBSTACLE_BOX, {20, 20, 0}, {40, 30, 90}, 0},
                                                {0, DUNLIN_OBSTACLE_BALL, {60, 60, 50}, {0}, 7}};
    if (s->obstructed) world_obstruct(world, boxes, 2);
    return world;
}

#define SAME(field) (memcmp(&s->field, &before->field, sizeof s->field) == 0)

/* Sets what differs and nothing else. */
static void setup_set(dunlin_world *world, const setup *s, const setup *before) {
    if (!SAME(world)) ACCEPT(dunlin_world_set_def(world, &s->world, &refusal));
    for (int i = 0; i < 2; i++)
        if (!SAME(species[i])) ACCEPT(dunlin_world_set_species(world, i, &s->species[i], &refusal));
    for (int i = 0; i < 2; i++)
        if (!SAME(rules[i])) ACCEPT(dunlin_world_set_interaction(world, i, &s->rules[i], &refusal));
    for (int i = 0; i < BEHAVIOURS; i++)
        if (!SAME(behaviours[i])) ACCEPT(dunlin_world_set_behaviour(world, i, &s->behaviours[i], &refusal));
    if (!s->obstructed) world_clear(world);
}

/* It sees no agent and adds nothing, but a species that gets pairs is sorted. */
static void ignore_pairs(void *user, const dunlin_packet *packet) {
    (void)user;
    (void)packet;
}

static setup setup_of(dunlin_world_def def) {
    setup s = {.world = def, .obstructed = true};
    s.world.time_step = 0.3f;
    s.species[FIRST] = s.species[SECOND] = dunlin_species_def_default();
    s.species[FIRST].name = "prey";
    s.species[SECOND].name = "hawks";
    s.rules[FIRST] = s.rules[SECOND] = world_flocking_rules(6);
    s.rules[SECOND].observer = 1;
    dunlin_world *world = world_create(&s.world);
    s.behaviours[0] = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WANDER);
    s.behaviours[1] = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_AVOID);
    s.behaviours[2] = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    s.behaviours[2].species = 1;
    s.behaviours[3] = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WIND);
    world_destroy(world);
    return s;
}

static void populate(dunlin_world *world) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = TEST_SLOW ? 150 : 300;
    ACCEPT(dunlin_world_scatter(world, 0, &def, &refusal));
    def.count = 40;
    ACCEPT(dunlin_world_scatter(world, 1, &def, &refusal));
}

/* ---- changes ----------------------------------------------------------------------------------------------------------- */

typedef struct change {
    const char *name;
    void (*make)(setup *s);
} change;

static void wider(setup *s) {
    s->rules[FIRST] = world_flocking_rules(30);
}
static void narrower(setup *s) {
    s->rules[FIRST] = world_flocking_rules(1.5f);
}
static void choosy(setup *s) {
    s->rules[FIRST].nearest = 3;
    s->rules[FIRST].rules[DUNLIN_RULE_COHESION].half_angle = 1;
}
static void other_rules(setup *s) {
    s->rules[FIRST].rules[DUNLIN_RULE_ALIGNMENT] = (dunlin_rule){.weight = 1, .limit = INFINITY};
    s->rules[FIRST].rules[DUNLIN_RULE_SEPARATION].response = DUNLIN_RESPONSE_DIRECT;
    s->rules[FIRST].order[0] = DUNLIN_RULE_COHESION;
    s->rules[FIRST].order[2] = DUNLIN_RULE_SEPARATION;
    s->rules[FIRST].in_turn = true;
}
static void other_pairs(setup *s) {
    s->rules[FIRST].observed = 1;
    s->rules[SECOND].observed = 1;
}
/* The first species observes none any more. */
static void left_alone(setup *s) {
    s->rules[FIRST].observer = s->rules[FIRST].observed = 1;
    s->rules[FIRST].rules[DUNLIN_RULE_COHESION].radius = 11;
    s->rules[SECOND].observed = 0;
}
static void fast(setup *s) {
    s->species[FIRST].max_speed = 3;
    s->species[FIRST].min_speed = 2;
    s->species[FIRST].max_force = 0.7f;
    s->species[SECOND].drag = 0.1f;
    s->species[SECOND].friction = 0.01f;
}
static void blocked(setup *s) {
    s->species[FIRST].obstacles_block = true;
    s->species[FIRST].clearance = 2;
}
static void renamed(setup *s) {
    s->species[FIRST].name = "knots";
    s->species[SECOND].name = "prey";
}
static void cleared(setup *s) {
    s->obstructed = false;
}
static void paired(setup *s) {
    s->behaviours[0].kind = DUNLIN_BEHAVIOUR_PAIRS;
    s->behaviours[0].pairs = (dunlin_pairs){.observed = 1, .radius = 40, .callback = ignore_pairs};
}
static void reseeded(setup *s) {
    s->world.seed = 99;
}
static void slower(setup *s) {
    s->world.time_step = 0.05f;
}
static void larger(setup *s) {
    for (int a = 0; a < 3; a++) s->world.size[a] = 230;
}
static void reflected(setup *s) {
    s->world.boundary = DUNLIN_BOUNDARY_REFLECT;
    s->world.boundary_first = true;
}
static void opened(setup *s) {
    s->world.boundary = DUNLIN_BOUNDARY_OPEN;
}
static void teleported(setup *s) {
    s->world.boundary = DUNLIN_BOUNDARY_TELEPORT;
    s->world.margin = 12;
}
static void integrated(setup *s) {
    s->world.integrator = DUNLIN_INTEGRATOR_EXPLICIT;
    s->world.forces_are_increments = true;
}

static const change changes[] = {
    {"wider", wider},
    {"narrower", narrower},
    {"choosy", choosy},
    {"other rules", other_rules},
    {"fast", fast},
    {"other pairs", other_pairs},
    {"left alone", left_alone},
    {"blocked", blocked},
    {"renamed", renamed},
    {"cleared", cleared},
    {"paired", paired},
    {"reseeded", reseeded},
    {"slower", slower},
    {"larger", larger},
    {"reflected", reflected},
    {"opened", opened},
    {"teleported", teleported},
    {"integrated", integrated},
};
enum { CHANGES = sizeof changes / sizeof *changes };

/* Some changes do not show in the state within these steps: a name, or observing a species without effect. */
static bool shows(const change *c) {
    return c->make != renamed && c->make != paired;
}

/* ---- as if made so ----------------------------------------------------------------------------------------------------- */

static dunlin_world_def world_kind(world_variant variant, int dimensions) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    def.dimensions = dimensions;
    def.threads = dimensions;
    return def;
}

/* One world is changed during a run; the other is made with the new definition, and takes over the agents where they are. */
static void compare(const setup *before, const change *c) {
    setup after = *before;
    c->make(&after);
    dunlin_world *changed = setup_make(before), *same = setup_make(before);
    populate(changed);
    populate(same);
    world_run(changed, 4);
    world_run(same, 4 + 6);
    setup_set(changed, &after, before);
    ACCEPT(dunlin_world_save(changed, path, &refusal));
    dunlin_world *made = setup_make(&after);
    ACCEPT(dunlin_world_load(made, path, &refusal));
    for (int step = 0; step < 6; step++) {
        world_run(changed, 1);
        world_run(made, 1);
        if (dunlin_world_state_hash(changed) != dunlin_world_state_hash(made))
            fail_msg("%s, %s: another state %d steps later", c->name, before->world.kernel, step + 1);
    }
    if (shows(c) && dunlin_world_state_hash(changed) == dunlin_world_state_hash(same)) fail_msg("%s: nothing changed", c->name);
    assert_int_equal(dunlin_world_stats(changed).cells, dunlin_world_stats(made).cells);
    assert_int_equal(dunlin_world_stats(changed).pairs_useful, dunlin_world_stats(made).pairs_useful);
    world_destroy(changed);
    world_destroy(made);
    world_destroy(same);
}

/*
 * All combinations in an optimised native build. In a slow build each change with each kernel and index, in one of the
 * dimensions.
 */
static bool is_tried(int c, int variant, int dimensions) {
    return !TEST_SLOW || (c + variant + variant / 2 + dimensions) % 2 == 0;
}

TEST(a_changed_world_equals_one_made_anew) {
    for (int v = 0; v < world_variant_count(); v++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            const setup before = setup_of(world_kind(world_variant_at(v), dimensions));
            for (int c = 0; c < CHANGES; c++)
                if (is_tried(c, v, dimensions)) compare(&before, &changes[c]);
        }
    }
    remove(path);
}

/* A species that no other observes any more is not sorted any more. */
TEST(a_species_that_is_not_observed_keeps_its_order) {
    dunlin_world *world = world_create(NULL);
    world_add_species(world, NULL);
    dunlin_behaviour_def pairs = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    pairs.pairs.callback = ignore_pairs;
    world_add_behaviour(world, &pairs);
    world_scatter(world, 0, 200);
    world_run(world, 1);
    assert_true(dunlin_world_stats(world).cells > 0 && dunlin_world_view(world, 0).id[0] != 0);
    const dunlin_behaviour_def drag = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_DRAG);
    ACCEPT(dunlin_world_set_behaviour(world, 0, &drag, &refusal));
    const uint32_t first = dunlin_world_view(world, 0).id[0];
    world_run(world, 30);
    assert_int_equal(dunlin_world_stats(world).cells, 0);
    assert_int_equal(dunlin_world_view(world, 0).id[0], first);
}

/* ---- what is set as it is ---------------------------------------------------------------------------------------------- */

static void add_noise(dunlin_world *world) {
    dunlin_field_source noise = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    dunlin_behaviour_def wind = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WIND);
    noise.noise.rate = 0.37f;
    int field = world_add_field(world, NULL);
    ACCEPT(dunlin_world_fill_field(world, field, &noise, &refusal));
    wind.flow.field = field;
    world_add_behaviour(world, &wind);
}

static void set_all_as_it_is(dunlin_world *world) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    for (int i = 0; i < dunlin_world_species_count(world); i++) {
        const dunlin_species_def species = dunlin_world_get_species(world, i);
        ACCEPT(dunlin_world_set_species(world, i, &species, &refusal));
    }
    for (int i = 0; i < dunlin_world_interaction_count(world); i++) {
        const dunlin_interaction_def rules = dunlin_world_get_interaction(world, i);
        ACCEPT(dunlin_world_set_interaction(world, i, &rules, &refusal));
    }
    for (int i = 0; i < dunlin_world_behaviour_count(world); i++) {
        const dunlin_behaviour_def behaviour = dunlin_world_get_behaviour(world, i);
        ACCEPT(dunlin_world_set_behaviour(world, i, &behaviour, &refusal));
    }
}

TEST(setting_the_present_values_changes_no_bit) {
    setup s = setup_of(dunlin_world_def_default());
    s.world.time_step = 0.1f;
    s.behaviours[2].target.position[0] = 1.0f / 3;
    s.behaviours[2].target.velocity[0] = 0.123f;
    s.behaviours[2].target.velocity[1] = -7.7f;
    dunlin_world *untouched = setup_make(&s), *set = setup_make(&s);
    add_noise(untouched);
    add_noise(set);
    populate(untouched);
    populate(set);
    for (int step = 0; step < 40; step++) {
        set_all_as_it_is(set);
        world_run_alike(untouched, set, 1);
    }
    assert_true(dunlin_world_stats(set).time == dunlin_world_stats(untouched).time);
    assert_string_equal(dunlin_world_get_species(set, 0).name, "prey");
}

/* ---- what is refused --------------------------------------------------------------------------------------------------- */

TEST(a_refused_change_changes_nothing) {
    const setup s = setup_of(dunlin_world_def_default());
    dunlin_world *world = setup_make(&s), *untouched = setup_make(&s);
    populate(world);
    populate(untouched);
    world_run(world, 3);
    world_run(untouched, 3);
    dunlin_species_def species = s.species[FIRST];
    species.max_speed = 5;
    species.drag = 2;
    REFUSE(dunlin_world_set_species(world, 0, &species, &refusal), DUNLIN_ERROR_VALUE, "species.drag is 2");
    species = s.species[FIRST];
    species.name = "hawks";
    REFUSE(dunlin_world_set_species(world, 0, &species, &refusal), DUNLIN_ERROR_VALUE, "'hawks'", "already");
    dunlin_interaction_def rules = world_flocking_rules(30);
    rules.rules[DUNLIN_RULE_COHESION].weight = NAN;
    REFUSE(dunlin_world_set_interaction(world, 0, &rules, &refusal), DUNLIN_ERROR_VALUE, "cohesion.weight is nan");
    rules = world_flocking_rules(30);
    rules.observer = 1; /* that is the value of the second */
    REFUSE(dunlin_world_set_interaction(world, 0, &rules, &refusal), DUNLIN_ERROR_VALUE, "species 1 with species 0", "already");
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = 7;
    def.margin = 3;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.margin is 3", "teleport");
    assert_true(dunlin_world_get_interaction(world, 2).cookie == 0 && dunlin_world_get_interaction(world, -1).cookie == 0);
    world_run_alike(world, untouched, 5);
    assert_true(dunlin_world_get_def(world).time_step == s.world.time_step);
}

TEST(some_fields_cannot_change) {
    const dunlin_world_def made = world_def_with((world_parts){.threads = 3, .kernel = "scalar", .index = "brute"});
    dunlin_world *world = world_create(&made);
    dunlin_world_def def = dunlin_world_get_def(world);
    def.dimensions = 3;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.dimensions is 3", "stay 2");
    def = made;
    def.threads = 2;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.threads is 2", "stay 3");
    def = made;
    def.kernel = "avx2";
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.kernel is 'avx2'", "stay 'scalar'");
    def.kernel = NULL;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.kernel", "stay 'scalar'");
    def = made;
    def.index = "grid";
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.index is 'grid'", "stay 'brute'");
    def = dunlin_world_def_default(); /* leaves them unchanged */
    def.size[0] = 33;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def = dunlin_world_get_def(world);
    assert_true(def.size[0] == 33 && def.threads == 3);
    assert_string_equal(def.kernel, "scalar");
    assert_string_equal(def.index, "brute");
}

TEST(agents_stay_in_the_world) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_without_agents(&def, 5);
    for (uint32_t i = 0; i < 8; i++) world_spawn(world, 0, (const float[]){10, (float)i, 0}, (const float[3]){0});
    def.size[1] = 6.5f;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "agent of id 7: position y is 7", "from 0 to 6.5");
    assert_true(dunlin_world_get_def(world).size[1] == 100);
    def.size[1] = 7; /* on the edge is inside */
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def.boundary = DUNLIN_BOUNDARY_TELEPORT;
    def.size[1] = 5;
    def.margin = 2;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    def.margin = 0;
    def.size[1] = 1;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def.boundary = DUNLIN_BOUNDARY_REFLECT;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "agent of id 2: position y is 2", "from 0 to 1");
}

/* ---- time -------------------------------------------------------------------------------------------------------------- */

static float target_x(const dunlin_world *world) {
    return dunlin_world_get_behaviour(world, 0).target.position[0];
}

static void add_target(dunlin_world *world, float x, float velocity) {
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.position[0] = x;
    seek.target.velocity[0] = velocity;
    world_add_behaviour(world, &seek);
}

static void set_time_step(dunlin_world *world, float time_step) {
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = time_step;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
}

TEST(targets_do_not_jump) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of(&def, 5, 10);
    add_target(world, 90, 2);
    world_run(world, 10);
    assert_true(target_x(world) == 10);
    set_time_step(world, 0.25f);
    assert_true(target_x(world) == 10);
    world_run(world, 10);
    assert_true(target_x(world) == 15 && dunlin_world_stats(world).time == 12.5);
    def = dunlin_world_get_def(world);
    def.size[0] = def.size[1] = 300;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    assert_true(target_x(world) == 15);
    world_run(world, 180); /* to 105, which was 5 in a world of 100 */
    assert_true(target_x(world) == 105);
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    def.size[0] = 110;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    assert_true(target_x(world) == 105);
    world_run(world, 2);
    assert_true(target_x(world) == 106);
}

/* The same time, passed in steps of another length. */
TEST(noise_does_not_jump) {
    dunlin_world *one = world_of(NULL, 5, 10), *other = world_of(NULL, 5, 10);
    add_noise(one);
    add_noise(other);
    world_run(one, 7);
    world_run(other, 5);
    set_time_step(other, 0.25f);
    world_run(other, 8);
    const float *const x = dunlin_world_field_view(one, 0).vectors[0], *const y = dunlin_world_field_view(other, 0).vectors[0];
    world_run(one, 1);
    set_time_step(other, 1);
    world_run(other, 1);
    for (int cell = 0; cell < 32 * 32; cell++) assert_true(x[cell] == y[cell]);
}

/* Of time steps that binary64 cannot add up exactly. */
TEST(uneven_time_is_part_of_the_state) {
    dunlin_world *saved = world_of(NULL, 5, 50), *loaded = world_without_agents(NULL, 5);
    add_target(saved, 10, 0.7f);
    add_target(loaded, 10, 0.7f);
    world_run(saved, 3);
    for (int i = 1; i < 20; i++) {
        set_time_step(saved, 0.1f / (float)i);
        world_run(saved, i);
    }
    ACCEPT(dunlin_world_save(saved, path, &refusal));
    ACCEPT(dunlin_world_load(loaded, path, &refusal));
    set_time_step(loaded, dunlin_world_get_def(saved).time_step);
    assert_true(dunlin_world_stats(loaded).time == dunlin_world_stats(saved).time);
    for (int step = 0; step < 20; step++) {
        assert_true(target_x(saved) == target_x(loaded));
        world_run_alike(saved, loaded, 1);
    }
    remove(path);
}

/* ---- obstacles --------------------------------------------------------------------------------------------------------- */

TEST(replacing_obstacles_by_as_many_is_noticed) {
    static const dunlin_obstacle_def old = {.shape = DUNLIN_OBSTACLE_BALL, .a = {50, 50}, .radius = 20};
    static const dunlin_obstacle_def new = {.shape = DUNLIN_OBSTACLE_BOX, .a = {0, 0}, .b = {100, 40}};
    setup s = setup_of(dunlin_world_def_default());
    s.obstructed = false;
    blocked(&s);
    dunlin_world *changed = setup_make(&s), *made = setup_make(&s);
    world_obstruct(changed, &old, 1);
    world_run(changed, 1);
    ACCEPT(dunlin_world_remove_obstacle(changed, 0, &refusal));
    assert_true(dunlin_world_obstacle_view(changed).count == 0 && dunlin_world_obstacle_view(changed).obstacles);
    world_run(changed, 1);
    world_obstruct(changed, &new, 1);
    world_obstruct(made, &new, 1);
    world_run(made, 2);
    populate(changed);
    populate(made);
    world_run_alike(changed, made, 3);
}
