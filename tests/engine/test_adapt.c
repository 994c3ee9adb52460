/* SPDX-License-Identifier: MIT */
/* Memory: attributes that signals move, the time since a meal, and what children inherit: by plain loops in double precision.
 */
#include "tests/lib/worlds.h"

enum { FISH = 500, SHARKS = 60 };
enum { MEMORY, ENERGY };

static void add_species(dunlin_world *world, const char *name, uint32_t count) {
    const int number = world_add_named(world, name);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = count;
    scatter.min_speed = 0.2f;
    ACCEPT(dunlin_world_scatter(world, number, &scatter, &refusal));
}

/* Fish with a memory and energy, sharks, and a field. */
static dunlin_world *world_of_fish(dunlin_world_def def) {
    dunlin_world *world = world_create(&def);
    add_species(world, "fish", FISH);
    add_species(world, "sharks", SHARKS);
    world_add_drawn(world, 0, "memory", DUNLIN_ROLE_VALUE, 0.1f, 0.9f);
    world_add_drawn(world, 0, "energy", DUNLIN_ROLE_VALUE, 0.0f, 5.0f);
    dunlin_field_def field = dunlin_field_def_default(world);
    for (int a = 0; a < 3; a++) field.cells[a] = a < def.dimensions ? 10 : 1;
    world_add_field(world, &field);
    dunlin_field_source swirl = dunlin_field_source_default(world, DUNLIN_FIELD_SWIRL);
    swirl.weight = 3.0f;
    ACCEPT(dunlin_world_fill_field(world, 0, &swirl, &refusal));
    return world;
}

static dunlin_behaviour_def adaptation(const dunlin_world *world, dunlin_signal signal) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ADAPT);
    def.radius = 7.0f;
    def.adapt.attribute = MEMORY;
    def.adapt.signal = signal;
    def.adapt.observed = signal == DUNLIN_SIGNAL_NEAREST || signal == DUNLIN_SIGNAL_SEES;
    def.adapt.source = ENERGY;
    def.adapt.gain = signal <= DUNLIN_SIGNAL_NEAREST ? 0.05f : 0.25f;
    def.adapt.offset = -0.1f;
    def.adapt.threshold = 0.75f;
    def.adapt.rate = 0.2f;
    def.adapt.decay = 0.05f;
    def.adapt.rest = 0.6f;
    def.adapt.low = 0.15f;
    def.adapt.high = 0.8f;
    return def;
}

/* ---- plain loops ------------------------------------------------------------------------------------------------------ */

static double plain_signal(const dunlin_world *world, const dunlin_behaviour_def *def, uint32_t i) {
    const dunlin_view fish = dunlin_world_view(world, 0), seen = dunlin_world_view(world, def->adapt.observed);
    const int dimensions = dunlin_world_get_def(world).dimensions;
    double nearest2 = (double)def->radius * (double)def->radius, sum[3] = {0}, dot = 0.0, v2 = 0.0, u2 = 0.0;
    uint32_t count = 0;
    for (uint32_t j = 0; j < seen.count; j++) {
        double d2 = 0.0;
        if (def->adapt.observed == 0 && i == j) continue;
        for (int a = 0; a < dimensions; a++) {
            const double d = (double)seen.position[a][j] - (double)fish.position[a][i];
            d2 += (d - 100.0 * round(d / 100.0)) * (d - 100.0 * round(d / 100.0));
        }
        if (d2 > (double)def->radius * (double)def->radius) continue;
        count++;
        nearest2 = fmin(nearest2, d2);
        for (int a = 0; a < dimensions; a++) sum[a] += (double)seen.velocity[a][j];
    }
    for (int a = 0; a < dimensions; a++) {
        const double v = (double)fish.velocity[a][i];
        dot += v * sum[a], v2 += v * v, u2 += sum[a] * sum[a];
    }
    switch (def->adapt.signal) {
    case DUNLIN_SIGNAL_NEIGHBOURS:
        return count;
    case DUNLIN_SIGNAL_NEAREST:
        return sqrt(nearest2);
    case DUNLIN_SIGNAL_ALIGNMENT:
        return u2 > 0.0 ? dot / sqrt(v2 * u2) : 0.0;
    case DUNLIN_SIGNAL_SEES:
        return count > 0;
    case DUNLIN_SIGNAL_SPEED:
        return sqrt(v2);
    case DUNLIN_SIGNAL_ATTRIBUTE:
        return (double)fish.attribute[ENERGY][i];
    default:
        return 3.0; /* of a swirl, in every cell but the middle */
    }
}

static double plain_memory(const dunlin_behaviour_def *def, double w, double signal) {
    const dunlin_adapt *a = &def->adapt;
    double r = (double)a->offset + (double)a->gain * signal;
    if (a->response == DUNLIN_ADAPT_THRESHOLD) r = (double)a->offset + (signal >= (double)a->threshold ? (double)a->gain : 0.0);
    const double to = w + (double)a->rate * (r - w) + (double)a->decay * ((double)a->rest - w);
    return fmax(fmin(to, (double)a->high), (double)a->low);
}

TEST_EACH(test_signals_move_attributes, c, 0, 4 * (DUNLIN_SIGNAL_FIELD + 1)) {
    const dunlin_world_def world_def = world_def_with((world_parts){.dimensions = c & 1 ? 3 : 2});
    dunlin_world *world = world_of_fish(world_def);
    dunlin_behaviour_def def = adaptation(world, (dunlin_signal)(c / 4));
    def.adapt.response = c & 2 ? DUNLIN_ADAPT_THRESHOLD : DUNLIN_ADAPT_LINEAR;
    if (world_def.dimensions == 3) def.radius = 20.0f;
    world_add_behaviour(world, &def);
    for (int s = 0; s < 3; s++) {
        static double expected[FISH + SHARKS];
        const dunlin_view before = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < FISH; i++)
            expected[before.id[i]] = plain_memory(&def, (double)before.attribute[MEMORY][i], plain_signal(world, &def, i));
        ACCEPT(dunlin_world_step(world, &refusal));
        const dunlin_view after = dunlin_world_view(world, 0);
        uint32_t inside = 0;
        for (uint32_t i = 0; i < FISH; i++) {
            const double w = (double)after.attribute[MEMORY][i];
            assert_true(fabs(w - expected[after.id[i]]) < 1e-6);
            inside += w > (double)def.adapt.low && w < (double)def.adapt.high;
        }
        assert_true(s > 0 || inside > FISH / 8);
    }
}

/* An attribute that limits the speed: who has been alone gets slower. */
TEST(test_memory_changes_how_agents_run) {
    dunlin_world *world = world_of_fish(dunlin_world_def_default());
    world_add_drawn(world, 0, "speed", DUNLIN_ROLE_MAX_SPEED, 1.0f, 1.0f);
    dunlin_behaviour_def def = adaptation(world, DUNLIN_SIGNAL_SEES);
    def.adapt.attribute = 2;
    def.adapt.rate = 0.5f;
    def.adapt.decay = 0.0f;
    def.adapt.gain = 0.05f;
    def.adapt.offset = 0.01f;
    def.adapt.low = 0.0f;
    world_add_behaviour(world, &def);
    world_run(world, 20);
    const dunlin_view fish = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < FISH; i++) {
        const double v = hypot((double)fish.velocity[0][i], (double)fish.velocity[1][i]);
        assert_true(v < 0.09 && fish.attribute[2][i] < 0.07f && fish.attribute[2][i] >= 0.01f);
    }
}

/* ---- meals ------------------------------------------------------------------------------------------------------------ */

TEST(test_time_since_a_meal) {
    const dunlin_world_def def = world_def_with((world_parts){.time_step = 0.5f});
    dunlin_world *world = world_of_fish(def);
    world_add_drawn(world, 1, "fasting", DUNLIN_ROLE_SINCE_MEAL, 0.0f, 0.0f);
    world_add_drawn(world, 1, "stomach", DUNLIN_ROLE_VALUE, 0.0f, 0.0f);
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.eater = 1;
    meal.food = 0;
    meal.energy = 1;
    world_add_meal(world, &meal);
    float fasting[FISH + SHARKS] = {0}, stomach[FISH + SHARKS] = {0};
    uint32_t meals = 0;
    for (int s = 0; s < 40; s++) {
        ACCEPT(dunlin_world_step(world, &refusal));
        const dunlin_view sharks = dunlin_world_view(world, 1);
        for (uint32_t i = 0; i < sharks.count; i++) {
            const uint32_t id = sharks.id[i];
            const bool ate = sharks.attribute[1][i] > stomach[id];
            fasting[id] = ate ? 0.0f : fasting[id] + 0.5f;
            stomach[id] = sharks.attribute[1][i];
            meals += ate;
            assert_true(sharks.attribute[0][i] == fasting[id]);
        }
    }
    assert_in_range(meals, 20, FISH);
}

/* Also of an attribute that is added, or gets this role, between two steps. */
TEST(test_time_is_counted_from_the_next_step_on) {
    dunlin_world *world = world_of_fish(dunlin_world_def_default());
    world_run(world, 2);
    world_add_drawn(world, 0, "fasting", DUNLIN_ROLE_SINCE_MEAL, 0.0f, 0.0f);
    world_run(world, 1);
    assert_true(dunlin_world_view(world, 0).attribute[2][0] == 1.0f);
    dunlin_attribute_def memory = dunlin_world_get_attribute(world, 0, MEMORY),
                         fasting = dunlin_world_get_attribute(world, 0, 2);
    fasting.role = DUNLIN_ROLE_VALUE;
    ACCEPT(dunlin_world_set_attribute(world, 0, 2, &fasting, &refusal));
    const float before = dunlin_world_view(world, 0).attribute[MEMORY][0];
    const uint32_t id = dunlin_world_view(world, 0).id[0];
    memory.role = DUNLIN_ROLE_SINCE_MEAL;
    ACCEPT(dunlin_world_set_attribute(world, 0, MEMORY, &memory, &refusal));
    world_run(world, 1);
    const uint32_t slot = dunlin_world_find_agent(world, id).index;
    assert_true(dunlin_world_view(world, 0).attribute[MEMORY][slot] == before + 1.0f);
    assert_true(dunlin_world_view(world, 0).attribute[2][slot] == 1.0f);
}

/* ---- traces ----------------------------------------------------------------------------------------------------------- */

/* The world has 10 cells of 10 on each axis, and repeats. */
static double plain_number(const dunlin_trace_view *trace, const dunlin_view *fish, uint32_t i, int dimensions, bool linear) {
    int cell[3] = {0};
    double share[3] = {0}, sum = 0.0;
    for (int a = 0; a < dimensions; a++) {
        const double at = (double)fish->position[a][i] / 10.0 - (linear ? 0.5 : 0.0);
        cell[a] = (int)floor(at);
        share[a] = linear ? at - floor(at) : 0.0;
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0;
        int index = 0;
        for (int a = 2; a >= 0; a--) {
            const int up = corner >> a & 1;
            weight *= up ? share[a] : 1.0 - share[a];
            index = 10 * index + (a < dimensions ? (cell[a] + up + 10) % 10 : 0);
        }
        sum += weight * (double)trace->values[index];
    }
    return sum;
}

static dunlin_world *world_with_scent(int dimensions, dunlin_lookup lookup) {
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    dunlin_world *world = world_of_fish(def);
    dunlin_field_def field = dunlin_world_get_field(world, 0);
    field.lookup = lookup;
    ACCEPT(dunlin_world_set_field(world, 0, &field, &refusal));
    dunlin_trace_def scent = dunlin_trace_def_default();
    scent.deposit = 0.2f;
    scent.diffusion = 0.1f;
    scent.evaporation = 0.1f;
    world_add_trace(world, &scent);
    dunlin_behaviour_def adapt = adaptation(world, DUNLIN_SIGNAL_FIELD);
    world_add_behaviour(world, &adapt);
    return world;
}

/* Agents attend to the numbers, and not to their gradient, as they were before the step. */
TEST_EACH(test_a_trace_is_a_signal, c, 0, 4) {
    const int dimensions = c & 1 ? 3 : 2;
    dunlin_world *world = world_with_scent(dimensions, c & 2 ? DUNLIN_LOOKUP_LINEAR : DUNLIN_LOOKUP_NEAREST);
    const dunlin_behaviour_def def = dunlin_world_get_behaviour(world, 0);
    static double expected[FISH];
    double least = 1.0, most = 0.0;
    for (int step = 0; step < 4; step++) {
        const dunlin_view before = dunlin_world_view(world, 0);
        const dunlin_trace_view trace = dunlin_world_trace_view(world, 0);
        for (uint32_t i = 0; i < FISH; i++) {
            const double number = plain_number(&trace, &before, i, dimensions, c & 2);
            expected[before.id[i]] = plain_memory(&def, (double)before.attribute[MEMORY][i], number);
            least = fmin(least, number), most = fmax(most, number);
        }
        world_run(world, 1);
        const dunlin_view after = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < FISH; i++)
            if (fabs((double)after.attribute[MEMORY][i] - expected[after.id[i]]) > 1e-5)
                fail_msg("case %d: %g, not %g", c, (double)after.attribute[MEMORY][i], expected[after.id[i]]);
    }
    assert_true(least == 0.0 && most > 0.5);
}

/* ---- children --------------------------------------------------------------------------------------------------------- */

/* In step 0 each fish has two children. */
static void bear(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count && tile->step == 0; i++) {
        for (uint32_t child = 0; child < 2; child++) {
            const float position[3] = {tile->position[0][i], tile->position[1][i], 0.0f}, velocity[3] = {0.0f};
            float values[DUNLIN_MAX_ATTRIBUTES];
            dunlin_tile_inherit(tile, i, child, values);
            values[ENERGY] = tile->attribute[MEMORY][i]; /* to know the parent by */
            dunlin_tile_spawn(tile, i, tile->species, position, velocity, values, NULL);
        }
    }
}

static dunlin_world *world_of_families(int threads, float mutation) {
    const dunlin_world_def def = world_def_with((world_parts){.threads = threads});
    dunlin_world *world = world_of_fish(def);
    dunlin_attribute_def memory = dunlin_world_get_attribute(world, 0, MEMORY);
    memory.mutation = mutation;
    ACCEPT(dunlin_world_set_attribute(world, 0, MEMORY, &memory, &refusal));
    world_add_drawn(world, 0, "fasting", DUNLIN_ROLE_SINCE_MEAL, 3.0f, 4.0f);
    world_call_back(world, 0, bear, NULL);
    world_run(world, 1);
    assert_int_equal(dunlin_world_view(world, 0).count, 3 * FISH);
    return world;
}

TEST(test_children_inherit) {
    dunlin_world *same = world_of_families(1, 0.0f), *other = world_of_families(1, 0.05f),
                 *threads = world_of_families(3, 0.05f);
    const dunlin_view plain = dunlin_world_view(same, 0), mutated = dunlin_world_view(other, 0);
    double sum = 0.0, square = 0.0;
    uint32_t cut = 0, twins = 0;
    for (uint32_t i = FISH; i < 3 * FISH; i++) {
        assert_true(plain.attribute[MEMORY][i] == plain.attribute[ENERGY][i]);
        assert_true(plain.attribute[2][i] == 0.0f); /* time begins at birth */
        const double d = (double)mutated.attribute[MEMORY][i] - (double)mutated.attribute[ENERGY][i];
        assert_true(mutated.attribute[MEMORY][i] >= 0.1f && mutated.attribute[MEMORY][i] <= 0.9f);
        cut += mutated.attribute[MEMORY][i] == 0.1f || mutated.attribute[MEMORY][i] == 0.9f;
        twins += i % 2 && mutated.attribute[MEMORY][i] == mutated.attribute[MEMORY][i - 1];
        sum += d, square += d * d;
    }
    assert_true(fabs(sum / (2 * FISH)) < 0.006 && fabs(sqrt(square / (2 * FISH)) - 0.05) < 0.005);
    assert_true(cut > 5 && twins <= cut);
    assert_true(dunlin_world_state_hash(other) == dunlin_world_state_hash(threads));
}

/* ---- refusals --------------------------------------------------------------------------------------------------------- */

TEST(test_definitions_are_checked) {
    dunlin_world *world = world_of_fish(dunlin_world_def_default());
    dunlin_behaviour_def def = adaptation(world, DUNLIN_SIGNAL_NEIGHBOURS);
#define WRONG(word, ...)                                                                                                       \
    do {                                                                                                                       \
        def = adaptation(world, DUNLIN_SIGNAL_NEIGHBOURS);                                                                     \
        __VA_ARGS__;                                                                                                           \
        REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, word);                             \
    } while (0)
    WRONG("behaviour.adapt.rate is 1.5", def.adapt.rate = 1.5f);
    WRONG("behaviour.adapt.decay is -1", def.adapt.decay = -1.0f);
    WRONG("behaviour.adapt.gain is nan", def.adapt.gain = NAN);
    WRONG("behaviour.adapt.high is 0.1", def.adapt.high = 0.1f);
    WRONG("behaviour.adapt.attribute is 8", def.adapt.attribute = 8);
    WRONG("behaviour.adapt.observed is 2", def.adapt.observed = 2);
    WRONG("behaviour.radius is inf", def.radius = INFINITY);
    WRONG("behaviour.adapt.field is 1", (def.adapt.signal = DUNLIN_SIGNAL_FIELD, def.adapt.field = 1));
#undef WRONG
    def = adaptation(world, DUNLIN_SIGNAL_ATTRIBUTE);
    def.adapt.source = 5;
    const int number = world_add_behaviour(world, &def);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0", "behaviour.adapt.source is 5");
    def.adapt.source = ENERGY;
    def.adapt.attribute = 3;
    ACCEPT(dunlin_world_set_behaviour(world, number, &def, &refusal));
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0", "behaviour.adapt.attribute is 3");
    def.adapt.attribute = MEMORY;
    def.adapt.high = 1.5f;
    ACCEPT(dunlin_world_set_behaviour(world, number, &def, &refusal));
    dunlin_attribute_def memory = dunlin_world_get_attribute(world, 0, MEMORY);
    memory.role = DUNLIN_ROLE_RADIUS_SCALE;
    ACCEPT(dunlin_world_set_attribute(world, 0, MEMORY, &memory, &refusal));
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "behaviour.adapt.high", "memory is 1.5", "at most 1");
    REFUSE(dunlin_world_set_behaviour(world, number, &def, &refusal), DUNLIN_ERROR_VALUE,
           "behaviour.adapt.high: memory is 1.5");
    REFUSE(dunlin_world_remove_attribute(world, 0, ENERGY, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0 uses it");
    def = adaptation(world, DUNLIN_SIGNAL_FIELD);
    ACCEPT(dunlin_world_set_behaviour(world, number, &def, &refusal));
    REFUSE(dunlin_world_remove_field(world, 0, &refusal), DUNLIN_ERROR_VALUE, "behaviour 0 uses it");
    ACCEPT(dunlin_world_step(world, &refusal));
    dunlin_attribute_def weight = world_attribute(0, "zeal", DUNLIN_ROLE_BEHAVIOUR_WEIGHT);
    weight.behaviour = number;
    REFUSE(dunlin_world_add_attribute(world, &weight, NULL, &refusal), DUNLIN_ERROR_VALUE, "no weight");
    weight = world_attribute(0, "mutable", DUNLIN_ROLE_VALUE);
    weight.mutation = -1.0f;
    REFUSE(dunlin_world_add_attribute(world, &weight, NULL, &refusal), DUNLIN_ERROR_VALUE, "attribute.mutation is -1");
}
