/* SPDX-License-Identifier: MIT */
/* Meals: which agent eats which, what the eater gains, and that the result does not depend on kernels or threads. */
#include "tests/lib/worlds.h"

enum { EATERS, FOOD, SIDE = 100 };

/* Two species at rest unless a test moves them; eaters have an energy, food has a worth. */
static dunlin_world *table_for_two(world_variant variant, int dimensions, int threads) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .threads = threads});
    def = world_def_for(def, variant);
    dunlin_world *world = world_create(&def);
    world_add_named(world, "eaters");
    world_add_named(world, "food");
    world_add_value(world, EATERS, "energy", DUNLIN_ROLE_VALUE, 10);
    world_add_value(world, FOOD, "worth", DUNLIN_ROLE_VALUE, 3);
    return world;
}

static dunlin_meal_def meal_of(float radius) {
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.radius = radius;
    meal.energy = 0;
    meal.gain = 0.5f;
    return meal;
}

static void add_meal(dunlin_world *world, dunlin_meal_def meal) {
    world_add_meal(world, &meal);
}

static uint32_t rest(dunlin_world *world, int species, float x, float y) {
    return world_spawn(world, species, (const float[]){x, y, 50}, (const float[]){0, 0, 0});
}

static float energy_of(dunlin_world *world, uint32_t id) {
    const dunlin_slot slot = dunlin_world_find_agent(world, id);
    assert_int_equal(slot.species, EATERS);
    return dunlin_world_view(world, EATERS).attribute[0][slot.index];
}

static bool lives(dunlin_world *world, uint32_t id) {
    return dunlin_world_find_agent(world, id).species >= 0;
}

/* ---- by hand ------------------------------------------------------------------------------------------------------------ */

/* Eater and food are where they were before the step: both run past each other in it. */
TEST(meals_use_the_positions_in_the_snapshot) {
    dunlin_world *world = table_for_two(world_variant_at(0), 2, 1);
    dunlin_species_def fast = dunlin_world_get_species(world, EATERS);
    fast.max_speed = 10;
    ACCEPT(dunlin_world_set_species(world, EATERS, &fast, &refusal));
    const uint32_t eater = world_spawn(world, EATERS, (const float[]){40, 50, 0}, (const float[]){10, 0, 0});
    const uint32_t food = rest(world, FOOD, 50, 50);
    add_meal(world, meal_of(2));
    world_run(world, 1);
    assert_true(lives(world, food) && energy_of(world, eater) == 10.0f);
    world_run(world, 1);
    assert_true(!lives(world, food) && energy_of(world, eater) == 10.5f);
}

/* A saved state can be loaded, whatever was eaten. */
TEST(energy_stays_within_its_range) {
    static const char path[] = "meals.csv";
    for (int sign = -1; sign <= 1; sign += 2) {
        dunlin_world *world = table_for_two(world_variant_at(0), 2, 1), *loaded = table_for_two(world_variant_at(0), 2, 1);
        const uint32_t eater = rest(world, EATERS, 50, 50);
        enum { MANY = 600 };
        float worth[MANY];
        for (int i = 0; i < MANY; i++) {
            rest(world, FOOD, 50, 51);
            worth[i] = 1e30f;
        }
        ACCEPT(dunlin_world_set_attribute_values(world, FOOD, 0, worth, &refusal));
        dunlin_meal_def meal = meal_of(2);
        meal.worth = 0;
        meal.gain = (float)sign * 1e6f;
        add_meal(world, meal);
        world_run(world, 1);
        assert_true(energy_of(world, eater) == (float)sign * 1e30f);
        ACCEPT(dunlin_world_save(world, path, &refusal));
        ACCEPT(dunlin_world_load(loaded, path, &refusal));
        assert_true(dunlin_world_state_hash(loaded) == dunlin_world_state_hash(world));
        world_destroy(world);
        world_destroy(loaded);
    }
    remove(path);
}

/* Three species: only an agent's first meal counts. A meal may add no energy. */
TEST(the_first_of_several_meals_counts) {
    dunlin_world *world = table_for_two(world_variant_at(0), 2, 1);
    const int other = world_add_named(world, "others");
    const uint32_t eater = rest(world, EATERS, 50, 50);
    rest(world, other, 50, 50);
    rest(world, FOOD, 50, 51);
    const uint32_t far = rest(world, FOOD, 50, 53);
    dunlin_meal_def nothing = dunlin_meal_def_default();
    nothing.eater = other;
    nothing.radius = 2;
    add_meal(world, nothing);
    add_meal(world, meal_of(4));
    world_run(world, 1);
    assert_true(energy_of(world, eater) == 10.5f && !lives(world, far)); /* one of the two had already been eaten */
    assert_int_equal(dunlin_world_stats(world).deaths, 2);
}

/* Agents with even ids die by themselves. Every agent's energy or worth is what the callback sets. */
static void die_and_starve(void *user, const dunlin_tile *tile) {
    for (uint32_t i = 0; i < tile->count; i++) {
        if (tile->species == FOOD) tile->dies[i] = tile->id[i] % 2 == 0;
        tile->next_attribute[0][i] -= *(const float *)user;
    }
}

/* A species without agents has room for a few, whose eaters need room, too. */
TEST(food_may_come_after_the_first_step) {
    dunlin_world *world = table_for_two(world_variant_at(0), 2, 1);
    const uint32_t eater = rest(world, EATERS, 50, 50);
    add_meal(world, meal_of(3));
    world_run(world, 1);
    rest(world, FOOD, 50, 51);
    world_run(world, 1);
    assert_true(energy_of(world, eater) > 10.0f);
    assert_int_equal(dunlin_world_stats(world).deaths, 1);
}

/* ---- starving, against all pairs --------------------------------------------------------------------------------------- */

enum { STEPS = 3 };

static float nearest_image(float d) {
    return d > SIDE / 2 ? d - SIDE : d < -SIDE / 2 ? d + SIDE : d;
}

static bool reaches(const dunlin_view *eaters, uint32_t e, const dunlin_view *food, uint32_t f, int dimensions, float radius) {
    float d2 = 0.0f;
    for (int a = 0; a < dimensions; a++) {
        const float d = nearest_image(eaters->position[a][e] - food->position[a][f]);
        d2 = a == 0 ? d * d : d2 + d * d;
    }
    return d2 <= radius * radius;
}

/* Plants, which grazers eat, which hunters eat. All lose energy, and grazers and hunters live on it. */
enum { PLANTS, GRAZERS, HUNTERS, WEB, PLENTY = 1300, CHILDREN = 7 };

static const uint32_t web_agents[WEB] = {PLENTY /* several tiles */, 300, 100};
static const float web_costs[WEB] = {0.125f, 0.5f, 0.75f};

/* Some agents have a child that nothing sees in this step. */
static void pay(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        tile->next_attribute[0][i] -= web_costs[tile->species];
        if ((tile->id[i] + tile->step) % CHILDREN) continue;
        const float place[3] = {tile->position[0][i], tile->position[1][i], tile->position[2] ? tile->position[2][i] : 0.0f};
        const float still[3] = {0}, little = -1.0f; /* it starves in its first step unless it eats */
        assert_int_equal(dunlin_tile_spawn(tile, i, tile->species, place, still, &little, NULL), DUNLIN_OK);
    }
}

static dunlin_world *food_web(world_variant variant, int dimensions, int threads, float radius) {
    static const char *const names[WEB] = {"plants", "grazers", "hunters"};
    dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .threads = threads});
    def = world_def_for(def, variant);
    dunlin_world *world = world_create(&def);
    for (int s = 0; s < WEB; s++) {
        world_add_named(world, names[s]);
        dunlin_behaviour_def life = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
        life.species = s;
        life.custom = pay;
        life.vital = s == PLANTS ? -1 : 0;
        world_add_behaviour(world, &life);
        dunlin_attribute_def energy = world_attribute(s, "energy", DUNLIN_ROLE_VALUE);
        energy.distribution = DUNLIN_DISTRIBUTION_IN_TURN; /* sums are exact */
        energy.min_value = 0;
        energy.max_value = 2;
        world_add_attribute(world, &energy);
        world_scatter(world, s, web_agents[s]);
    }
    for (int eater = HUNTERS; eater >= GRAZERS; eater--) {
        dunlin_meal_def meal = meal_of(radius);
        meal.eater = eater;
        meal.food = eater - 1;
        meal.worth = 0;
        add_meal(world, meal);
    }
    return world;
}

typedef struct web_agent {
    uint32_t id;
    float energy;
    bool eaten;
} web_agent;

typedef struct web_species {
    uint32_t count;
    web_agent agent[PLENTY * 4];
} web_species;

static web_agent *lowest_eater(web_species *eaters, const dunlin_view *view, const dunlin_view *food, uint32_t f,
                               int dimensions, float radius) {
    web_agent *lowest = NULL;
    for (uint32_t e = 0; e < eaters->count; e++)
        if ((!lowest || eaters->agent[e].id < lowest->id) && reaches(view, e, food, f, dimensions, radius))
            lowest = &eaters->agent[e];
    return lowest;
}

/* Costs, then meals, then one check. Children are left out. */
static void expect_web(const dunlin_world *world, int dimensions, float radius, web_species web[WEB]) {
    dunlin_view view[WEB];
    for (int s = 0; s < WEB; s++) {
        view[s] = dunlin_world_view(world, s);
        web[s].count = view[s].count;
        for (uint32_t i = 0; i < view[s].count; i++)
            web[s].agent[i] = (web_agent){view[s].id[i], view[s].attribute[0][i] - web_costs[s], false};
    }
    for (int eater = HUNTERS; eater >= GRAZERS; eater--) {
        for (uint32_t f = 0; f < view[eater - 1].count; f++) {
            web_agent *by = lowest_eater(&web[eater], &view[eater], &view[eater - 1], f, dimensions, radius);
            if (!by) continue;
            web[eater - 1].agent[f].eaten = true;
            by->energy += 0.5f * view[eater - 1].attribute[0][f];
        }
    }
    for (int s = 0; s < WEB; s++) {
        uint32_t left = 0;
        for (uint32_t i = 0; i < web[s].count; i++)
            if (!web[s].agent[i].eaten && (s == PLANTS || web[s].agent[i].energy > 0.0f))
                web[s].agent[left++] = web[s].agent[i];
        web[s].count = left;
    }
}

/* How many agents live although they would have starved without a meal. */
static uint32_t compare_web(dunlin_world *world, const web_species web[WEB], uint32_t next_id) {
    uint32_t saved = 0;
    for (int s = 0; s < WEB; s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        uint32_t old = 0;
        for (uint32_t i = 0; i < view.count; i++) old += view.id[i] < next_id;
        assert_int_equal(old, web[s].count);
        for (uint32_t i = 0; i < web[s].count; i++) {
            const dunlin_slot slot = dunlin_world_find_agent(world, web[s].agent[i].id);
            assert_int_equal(slot.species, s);
            assert_true(view.attribute[0][slot.index] == web[s].agent[i].energy);
            saved += s != PLANTS && web[s].agent[i].energy <= 0.5f;
        }
    }
    return saved;
}

static uint64_t run_web(world_variant variant, int dimensions, int threads) {
    static web_species web[WEB];
    const float radius = dimensions == 3 ? 12 : 6;
    dunlin_world *world = food_web(variant, dimensions, threads, radius);
    uint32_t saved = 0;
    for (int step = 0; step < STEPS; step++) {
        const uint32_t next_id = dunlin_world_get_clock(world).next_id;
        expect_web(world, dimensions, radius, web);
        world_run(world, 1);
        saved += compare_web(world, web, next_id);
    }
    assert_true(saved > 0 && dunlin_world_view(world, HUNTERS).count > 0);
    return world_end(world);
}

/* The ids of children follow the storage order, which is the index's own. */
TEST_EACH(starving_in_a_web_equals_that_of_all_pairs, dimensions, 2, 4) {
    uint64_t want[WORLD_INDEXES];
    for (int v = 0; v < WORLD_INDEXES; v++) want[v] = run_web(world_variant_at(v), dimensions, 1);
    for (int v = 0; v < world_variant_count(); v++)
        for (int threads = 1; threads <= 4; threads += 3)
            assert_true(run_web(world_variant_at(v), dimensions, threads) == want[v % WORLD_INDEXES]);
}

/* An attribute may be vital before it is there, and stays so under another number. */
TEST(vital_attributes_are_checked) {
    dunlin_world *world = table_for_two(world_variant_at(0), 2, 1);
    dunlin_attribute_def mass = world_attribute(0, "mass", DUNLIN_ROLE_MASS);
    world_add_attribute(world, &mass);
    dunlin_behaviour_def life = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    assert_int_equal(life.vital, -1);
    life.custom = die_and_starve;
    life.user = &(float){1.0f};
    life.vital = -2;
    REFUSE(dunlin_world_add_behaviour(world, &life, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.vital is -2", "-1 (none)");
    life.vital = DUNLIN_MAX_ATTRIBUTES;
    REFUSE(dunlin_world_add_behaviour(world, &life, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.vital is 8", "to 7");
    life.vital = 1;
    REFUSE(dunlin_world_add_behaviour(world, &life, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.vital is 1, 'mass'",
           "value");
    life.vital = 2;
    world_add_behaviour(world, &life);
    const uint32_t eater = rest(world, EATERS, 50, 50);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0", "behaviour.vital is 2", "2 attributes");
    mass.name = "hope";
    mass.role = DUNLIN_ROLE_VALUE;
    mass.value = -1;
    world_add_attribute(world, &mass);
    REFUSE(dunlin_world_remove_attribute(world, EATERS, 2, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0 uses it");
    ACCEPT(dunlin_world_remove_attribute(world, EATERS, 1, &refusal));
    assert_int_equal(dunlin_world_get_behaviour(world, 0).vital, 1);
    world_run(world, 1);
    assert_true(!lives(world, eater) && dunlin_world_stats(world).deaths == 1);
}

/* ---- changes and mistakes ------------------------------------------------------------------------------------------------ */

TEST(meals_can_change_between_steps) {
    dunlin_world *world = table_for_two(world_variant_at(0), 2, 1);
    const uint32_t eater = rest(world, EATERS, 50, 50);
    for (int i = 0; i < 3; i++) rest(world, FOOD, 50, 50 + 2 * (float)i);
    add_meal(world, meal_of(1));
    world_run(world, 1);
    assert_true(energy_of(world, eater) == 10.5f);
    dunlin_meal_def wider = dunlin_world_get_meal(world, 0);
    wider.radius = 2;
    wider.gain = -4;
    ACCEPT(dunlin_world_set_meal(world, 0, &wider, &refusal));
    world_run(world, 1);
    assert_true(energy_of(world, eater) == 6.5f);
    wider.radius = -1;
    REFUSE(dunlin_world_set_meal(world, 0, &wider, &refusal), DUNLIN_ERROR_VALUE, "meal.radius is -1");
    assert_true(dunlin_world_get_meal(world, 0).radius == 2.0f && dunlin_world_meal_count(world) == 1);
    assert_int_equal(dunlin_world_get_meal(world, 1).cookie, 0);
}

TEST(meals_are_checked) {
    dunlin_world *world = table_for_two(world_variant_at(0), 2, 1);
    dunlin_attribute_def speed = world_attribute(0, "speed", DUNLIN_ROLE_MAX_SPEED);
    world_add_attribute(world, &speed);
#define WRONG(word, ...)                                                                                                       \
    do {                                                                                                                       \
        dunlin_meal_def def = dunlin_meal_def_default();                                                                       \
        __VA_ARGS__;                                                                                                           \
        REFUSE(dunlin_world_add_meal(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, word);                                  \
    } while (0)
    WRONG("meal.eater is 2", def.eater = 2);
    WRONG("meal.food is -1", def.food = -1);
    WRONG("another species", def.food = 0);
    WRONG("meal.radius is 0", def.radius = 0);
    WRONG("meal.radius is nan", def.radius = NAN);
    WRONG("meal.gain is inf", def.gain = INFINITY);
    WRONG("meal.energy is 2", def.energy = 2);
    WRONG("meal.energy is 1, 'speed'", def.energy = 1);
    WRONG("meal.worth is 1", def.worth = 1);
    WRONG("meal.worth is -2", def.worth = -2);
#undef WRONG
    assert_int_equal(dunlin_world_meal_count(world), 0);
}

/* ---- children bring what they are given ---------------------------------------------------------------------------------- */

/* Each agent has one child with half its energy. An invalid number is refused, and no child is born. */
static void halve(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const float place[3] = {tile->position[0][i], tile->position[1][i], 0}, still[3] = {0}, bad = NAN;
        const float half = 0.5f * tile->attribute[0][i];
        dunlin_error error;
        assert_int_equal(dunlin_tile_spawn(tile, i, EATERS, place, still, &bad, &error), DUNLIN_ERROR_VALUE);
        assert_non_null(strstr(error.message, "energy"));
        assert_int_equal(dunlin_tile_spawn(tile, i, EATERS, place, still, &half, &error), DUNLIN_OK);
        assert_int_equal(dunlin_tile_spawn(tile, i, FOOD, place, still, NULL, &error), DUNLIN_OK);
        tile->next_attribute[0][i] = half;
    }
}

TEST(children_bring_attributes) {
    dunlin_world *world = table_for_two(world_variant_at(0), 2, 1);
    for (int i = 0; i < 3; i++) rest(world, EATERS, 10 * (float)(i + 1), 50);
    ACCEPT(dunlin_world_set_attribute_values(world, EATERS, 0, (const float[]){8, 16, 32}, &refusal));
    world_call_back(world, 0, halve, NULL);
    world_run(world, 1);
    static const float want[] = {4, 8, 16, 4, 8, 16}, worth[] = {3, 3, 3};
    assert_int_equal(dunlin_world_view(world, EATERS).count, 6);
    assert_memory_equal(dunlin_world_view(world, EATERS).attribute[0], want, sizeof want);
    assert_memory_equal(dunlin_world_view(world, FOOD).attribute[0], worth, sizeof worth);
}
