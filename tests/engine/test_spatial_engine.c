/* SPDX-License-Identifier: MIT */
/* The whole engine finds the same pairs with every index, in every world and with every kernel. */
#include "tests/lib/worlds.h"

enum { ROUNDS = TEST_ROUNDS(160) };

static test_random random_numbers;

static float uniform(float low, float high) {
    return test_uniform(&random_numbers, low, high);
}

static int below(int count) {
    return (int)test_below(&random_numbers, (uint32_t)count);
}

/* ---- any world --------------------------------------------------------------------------------------------------------- */

enum { MOST_SPECIES = 3 };

/* Everything but agents, kernel and index. */
typedef struct plan {
    dunlin_world_def world;
    int species, interactions;
    int scales[MOST_SPECIES]; /* each agent has another one of some radii: 0: of none, 1: of all, else of one rule */
    dunlin_interaction_def interaction[MOST_SPECIES * MOST_SPECIES];
} plan;

static dunlin_world_def some_world(void) {
    static const float sizes[] = {4, 9, 13, 31, 100, 3000};
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + below(2)});
    def.boundary = (dunlin_boundary)below(4);
    def.threads = 1 + 2 * (below(8) == 0);
    for (int a = 0; a < 3; a++) def.size[a] = sizes[below(6)] * uniform(0.8f, 1.2f);
    if (def.boundary == DUNLIN_BOUNDARY_TELEPORT) def.keep_overshoot = below(2);
    if (def.boundary == DUNLIN_BOUNDARY_TELEPORT && !def.keep_overshoot) def.margin = (float)below(3) * 5.0f;
    if (def.boundary == DUNLIN_BOUNDARY_TELEPORT || def.boundary == DUNLIN_BOUNDARY_REFLECT) def.boundary_first = below(3) == 0;
    return def;
}

static dunlin_interaction_def some_interaction(int observer, int observed) {
    static const float radii[] = {0, 0.5f, 3, 3, 4.5f, 40};
    dunlin_interaction_def def = world_interaction(observer, observed);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) def.rules[r].radius = radii[below(6)];
    def.rules[below(3)].radius = 3;
    def.ignore_coincident = below(4) == 0;
    return def;
}

static plan some_plan(void) {
    plan p = {.world = some_world(), .species = 1 + below(MOST_SPECIES)};
    for (int s = 0; s < p.species; s++) p.scales[s] = below(2) * below(2 + DUNLIN_RULE_COUNT);
    for (int observer = 0; observer < p.species; observer++)
        for (int observed = 0; observed < p.species; observed++)
            if (p.interactions == 0 || below(2)) p.interaction[p.interactions++] = some_interaction(observer, observed);
    return p;
}

static dunlin_world *world_as_planned(const plan *p, world_variant variant) {
    static const char *const names[MOST_SPECIES] = {"starlings", "hawks", "gulls"};
    const dunlin_world_def def = world_def_for(p->world, variant);
    dunlin_world *world = world_create(&def);
    for (int s = 0; s < p->species; s++) world_add_named(world, names[s]);
    for (int i = 0; i < p->interactions; i++) world_add_interaction(world, &p->interaction[i]);
    for (int s = 0; s < p->species; s++) {
        const int rule = p->scales[s] - 2;
        const dunlin_role one = (dunlin_role)(DUNLIN_ROLE_SEPARATION_RADIUS_SCALE + rule);
        if (p->scales[s] > 0) world_add_scale(world, s, rule < 0 ? DUNLIN_ROLE_RADIUS_SCALE : one, 0.2f, 3);
    }
    return world;
}

/* Everywhere, with some in one spot, which is sometimes in a corner. */
static void settle(dunlin_world *world, int species) {
    static const uint32_t counts[] = {0, 1, 7, 17, 150};
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = counts[below(5)];
    ACCEPT(dunlin_world_scatter(world, species, &scatter, &refusal));
    for (int a = 0; a < 3; a++) scatter.extent[a] = 1.0f;
    for (int a = 0; a < 3 && below(2); a++) scatter.centre[a] = scatter.extent[a];
    ACCEPT(dunlin_world_scatter(world, species, &scatter, &refusal));
}

static void spawn_view(dunlin_world *world, int species, const dunlin_view *view) {
    dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = view->count, .ids = view->id};
    memcpy(batch.position, view->position, sizeof batch.position);
    memcpy(batch.velocity, view->velocity, sizeof batch.velocity);
    ACCEPT(dunlin_world_spawn(world, species, &batch, NULL, &refusal));
}

/* Pairs in a step from the state that `from` is in. */
static uint64_t pairs_from(const plan *p, const dunlin_world *from, world_variant variant) {
    dunlin_world *world = world_as_planned(p, variant);
    for (int s = 0; s < p->species; s++) {
        const dunlin_view view = dunlin_world_view(from, s);
        spawn_view(world, s, &view);
    }
    world_run(world, 1);
    const uint64_t pairs = dunlin_world_stats(world).pairs_useful;
    world_destroy(world);
    return pairs;
}

/* Fresh states, and states that have run: beyond margins, onto edges, or far out. */
TEST(every_index_finds_what_brute_force_finds) {
    uint64_t total = 0;
    for (int round = 0; round < ROUNDS; round++) {
        random_numbers = (test_random){(uint64_t)round + 1};
        const plan p = some_plan();
        dunlin_world *world = world_as_planned(&p, world_variant_at(0));
        for (int s = 0; s < p.species; s++) settle(world, s);
        world_run(world, below(3) * 4);
        uint64_t want = 0;
        for (int v = 0; v < world_variant_count(); v++) {
            const world_variant variant = world_variant_at(v);
            const uint64_t pairs = pairs_from(&p, world, variant);
            if (v == 0) want = pairs;
            if (pairs != want)
                fail_msg("round %d: %s with %s finds %llu pairs, not %llu", round, variant.kernel, variant.index,
                         (unsigned long long)pairs, (unsigned long long)want);
        }
        total += want;
        world_destroy(world);
    }
    assert_true(total > 100u * ROUNDS);
}

/* ---- seen before ------------------------------------------------------------------------------------------------------- */

/* Two hawks, one on either side of the seam, make one group, and both see the prey. */
static uint64_t pairs_astride(dunlin_world_def def, int axis) {
    const float at[3] = {0.5f, 99.5f, 0.2f}, rest[3] = {0};
    dunlin_world *world = world_create(&def);
    const int hawks = world_add_fliers(world, "hawks", 1), prey = world_add_fliers(world, "prey", 1);
    for (int i = 0; i < 3; i++) {
        float position[3] = {50, 50, 50};
        position[axis] = at[i];
        world_spawn(world, i < 2 ? hawks : prey, position, rest);
    }
    dunlin_interaction_def chase = world_interaction(hawks, prey);
    chase.rules[DUNLIN_RULE_COHESION].radius = 5;
    world_add_interaction(world, &chase);
    world_run(world, 1);
    const uint64_t pairs = dunlin_world_stats(world).pairs_useful;
    world_destroy(world);
    return pairs;
}

TEST_EACH(a_group_on_both_sides_of_the_seam_sees_across_it, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    for (def.dimensions = 2; def.dimensions <= 3; def.dimensions++)
        for (int axis = 0; axis < def.dimensions; axis++) assert_int_equal(pairs_astride(def, axis), 2);
}

static void check_overshoot(dunlin_world_def def, float vx, float vy, float vz) {
    dunlin_world *world = world_create(&def);
    world_add_fliers(world, "swifts", 1000);
    for (int i = 0; i < 20; i++) {
        float position[3];
        const float velocity[3] = {vx * def.size[0], vy * def.size[1], vz * def.size[2]};
        for (int a = 0; a < 3; a++) position[a] = (float)i / 19.0f * def.size[a];
        world_spawn(world, 0, position, velocity);
    }
    for (int step = 0; step < 3; step++) {
        world_run(world, 1);
        const dunlin_view view = dunlin_world_view(world, 0);
        for (int a = 0; a < def.dimensions; a++)
            for (uint32_t i = 0; i < view.count; i++)
                assert_true(view.position[a][i] >= 0.0f && view.position[a][i] <= def.size[a]);
    }
    world_destroy(world);
}

TEST_EACH(overshooting_by_worlds_ends_inside, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    def.boundary = DUNLIN_BOUNDARY_TELEPORT;
    def.keep_overshoot = true;
    def.size[1] = 30;
    for (def.dimensions = 2; def.dimensions <= 3; def.dimensions++) {
        check_overshoot(def, 2.5f, -2.5f, 2.5f);
        check_overshoot(def, -2.5f, 2.5f, -2.5f);
        check_overshoot(def, 2.5f, 0.3f, -1.5f);
    }
}

/* Pairs half a radius apart: some near the origin, most so far out that both agents are at one place. */
static void spawn_pairs(dunlin_world *world, uint32_t agents, float radius) {
    const float rest[3] = {0};
    for (uint32_t i = 0; i < agents; i++) {
        const float far = i < agents / 4 ? 3.0f * radius : 9e5f, pair = (float)(i / 2);
        float position[3] = {far * pair + (i % 2 ? 0.5f * radius : 0.0f), far * pair, far};
        world_spawn(world, 0, position, rest);
    }
}

/* A step and a measurement: with cells of a radius the world would have 10^24 or more. */
static void check_vast(const dunlin_world_def *def) {
    const float radius = 1e-3f;
    const uint32_t agents = 400;
    dunlin_world *world = world_without_agents(def, radius);
    spawn_pairs(world, agents, radius);
    world_run(world, 1);
    assert_true(dunlin_world_stats(world).pairs_useful == agents);
    assert_true(dunlin_world_stats(world).cells <= 4 * agents + 64);
    const dunlin_metrics metrics = world_measure(world, 0);
    assert_true(metrics.agents == agents && metrics.outside == 0);
    assert_true(metrics.mean_nearest >= 0.0 && metrics.mean_nearest < 1e9);
    world_run(world, 1);
    assert_true(dunlin_world_bytes(world) < 400000);
    world_destroy(world);
}

TEST_EACH(vast_worlds_take_little_memory, number, 0, 4 * 2 * 2) {
    dunlin_world_def def = dunlin_world_def_default();
    for (int a = 0; a < 3; a++) def.size[a] = 1e9f;
    def.boundary = (dunlin_boundary)(number % 4);
    def.dimensions = 2 + number / 4 % 2;
    def.threads = 1 + number / 8;
    check_vast(&def);
}

/* Measuring sorts into cells of another size than the frame's, of which there may be more. */
TEST_EACH(measuring_finds_room_for_its_cells, number, 0, 4 * ROUNDS) {
    dunlin_world_def def = world_def_with((world_parts){.threads = 1, .dimensions = 2 + number % 2});
    def.size[1] = 100.0f / 3.0f * (float)(1 + number / 2 % 8);
    const uint32_t agents = 10 + (uint32_t)number * 3;
    dunlin_world *world = world_without_agents(&def, 1e-3f);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = agents;
    ACCEPT(dunlin_world_reserve(world, 0, agents, &refusal));
    ACCEPT(dunlin_world_scatter(world, 0, &scatter, &refusal));
    const dunlin_metrics metrics = world_measure(world, 0);
    world_run(world, 1);
    assert_true(metrics.agents == agents && metrics.mean_nearest > 0.0);
}

static uint64_t cells_of_hunters(uint32_t room, uint32_t agents) {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[1] = 50;
    def.threads = 1;
    dunlin_world *world = world_without_agents(&def, 5);
    const int hunters = world_add_named(world, "hunters");
    world_add_flocking(world, hunters, 0, 7);
    ACCEPT(dunlin_world_reserve(world, hunters, room, &refusal));
    world_scatter(world, hunters, agents);
    world_run(world, 1);
    const uint64_t cells = dunlin_world_stats(world).cells;
    world_destroy(world);
    return cells;
}

/* A species that no other observes has cells, too, and room for those of fewer agents than it has room for. */
TEST(more_agents_have_no_fewer_cells) {
    uint64_t cells = 0;
    for (uint32_t agents = 1; agents < 400; agents++) {
        const uint64_t now = cells_of_hunters(400, agents);
        if (now < cells) fail_msg("%u agents: %d cells, fewer than before", agents, (int)now);
        cells = now;
    }
}

/* ---- auto -------------------------------------------------------------------------------------------------------------- */

enum { LINE_AGENTS = 20000 };

static dunlin_world *large_world(const char *index, dunlin_boundary boundary, int threads) {
    dunlin_world_def def = world_def_with((world_parts){.index = index, .boundary = boundary, .threads = threads});
    def.size[0] = def.size[1] = LINE_AGENTS;
    return world_without_agents(&def, 1.5f);
}

/* Four agents per area of 2, in a strip of that length. */
static dunlin_world *strip_of_agents(const char *index, dunlin_boundary boundary, float length, int threads) {
    dunlin_world *world = large_world(index, boundary, threads);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = LINE_AGENTS;
    scatter.centre[1] = scatter.extent[1] = 0.25f * LINE_AGENTS / length;
    scatter.centre[0] = scatter.extent[0] = 0.5f * length;
    ACCEPT(dunlin_world_scatter(world, 0, &scatter, &refusal));
    return world;
}

static uint64_t hash_of_strip(const char *index, dunlin_boundary boundary, float length, int threads) {
    dunlin_world *world = strip_of_agents(index, boundary, length, threads);
    world_run(world, 2);
    return world_end(world);
}

/*
 * A long line, which crosses its own cells in the table again and again, one that does so once or twice, and a square. Their
 * sums show in which order the agents are stored.
 */
TEST(auto_takes_the_tree_for_a_long_line) {
    const float line = LINE_AGENTS / 2, strip = 900, square = 100;
    for (int threads = TEST_SLOW ? 3 : 1; threads <= 3; threads += 2) {
        const uint64_t tree = hash_of_strip("tree", DUNLIN_BOUNDARY_OPEN, line, 1),
                       grid = hash_of_strip("grid", DUNLIN_BOUNDARY_OPEN, line, 1);
        assert_true(tree != grid);
        assert_true(hash_of_strip("auto", DUNLIN_BOUNDARY_OPEN, line, threads) == tree);
        assert_true(hash_of_strip("auto", DUNLIN_BOUNDARY_OPEN, strip, threads) ==
                    hash_of_strip("grid", DUNLIN_BOUNDARY_OPEN, strip, 1));
        assert_true(hash_of_strip("auto", DUNLIN_BOUNDARY_OPEN, square, threads) ==
                    hash_of_strip("grid", DUNLIN_BOUNDARY_OPEN, square, 1));
        assert_true(hash_of_strip("auto", DUNLIN_BOUNDARY_REFLECT, line, threads) ==
                    hash_of_strip("grid", DUNLIN_BOUNDARY_REFLECT, line, 1));
    }
}

/* The agents of earlier steps do not matter. */
TEST(auto_chooses_by_the_state_alone) {
    dunlin_world *unbroken = strip_of_agents("auto", DUNLIN_BOUNDARY_OPEN, 100, 1);
    world_run(unbroken, 2);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(unbroken);
    scatter.count = 2 * LINE_AGENTS;
    scatter.centre[0] = scatter.extent[0] = LINE_AGENTS;
    scatter.centre[1] = scatter.extent[1] = 0.5f;
    ACCEPT(dunlin_world_scatter(unbroken, 0, &scatter, &refusal));
    ACCEPT(dunlin_world_save(unbroken, "auto.csv", &refusal));
    dunlin_world *loaded = large_world("auto", DUNLIN_BOUNDARY_OPEN, 3);
    ACCEPT(dunlin_world_load(loaded, "auto.csv", &refusal));
    for (int step = 0; step < 3; step++) {
        world_run_alike(unbroken, loaded, 1);
        assert_true(dunlin_world_stats(loaded).cells == dunlin_world_stats(unbroken).cells);
    }
    assert_int_equal(dunlin_world_stats(loaded).cells, 3 * LINE_AGENTS / 8); /* the tree's */
    remove("auto.csv");
}
