/* SPDX-License-Identifier: MIT */
/* What a world can hold, in parts: what agents see, name, eat, bear and follow, and what callers change. test_cluster.c has
 * fields, paths and obstacles (golden_reserve.c). */
#include "tests/lib/golden_worlds.h"
#include "tests/lib/in_parts.h"
#include "tests/lib/ranks.h"

enum { STEPS = 50 };

/* ---- short ways to define --------------------------------------------------------------------------------------------- */

static dunlin_behaviour_def behaviour(const dunlin_world *world, dunlin_behaviour_kind kind, int species) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, kind);
    def.species = species;
    return def;
}

/* ---- seeing ----------------------------------------------------------------------------------------------------------- */

enum { FLOCK, HAWKS, DRIFTERS };

/* A few hawks are seen from afar, and see far; no agent sees the drifters. */
static void furnish_hawks(dunlin_world *world) {
    const dunlin_interaction_def flock = world_flocking_between(world_add_fliers(world, "flock", 1), FLOCK, 4);
    world_add_interaction(world, &flock);
    world_add_fliers(world, "hawks", 2);
    world_add_fliers(world, "drifters", 3);
    static const dunlin_behaviour_kind kinds[] = {DUNLIN_BEHAVIOUR_SEEK, DUNLIN_BEHAVIOUR_FLEE, DUNLIN_BEHAVIOUR_ARRIVE,
                                                  DUNLIN_BEHAVIOUR_PURSUE, DUNLIN_BEHAVIOUR_EVADE};
    for (int k = 0; k < 5; k++) {
        dunlin_behaviour_def see = behaviour(world, kinds[k], k % 2 ? FLOCK : HAWKS);
        see.target.kind = k < 3 ? DUNLIN_TARGET_NEAREST : DUNLIN_TARGET_CENTRE;
        see.target.species = k % 2 ? HAWKS : FLOCK;
        see.radius = k % 2 ? 45 : 12;
        see.weight = 0.5f + 0.25f * (float)k;
        world_add_behaviour(world, &see);
    }
    dunlin_behaviour_def view = behaviour(world, DUNLIN_BEHAVIOUR_SIDESTEP, HAWKS);
    view.sidestep.observed = FLOCK;
    view.radius = 10;
    world_add_behaviour(world, &view);
    world_scatter(world, FLOCK, 900);
    world_scatter(world, HAWKS, 5);
    world_scatter(world, DRIFTERS, 40);
}

/* Selections depend on distances, ids and storage order; each agent has its own parameters. */
static void furnish_selections(dunlin_world *world) {
    for (int s = 0; s < 3; s++) {
        dunlin_interaction_def rules =
            world_flocking_between(world_add_fliers(world, (const char *[]){"a", "b", "c"}[s], 1), s, 5);
        if (s == 0) rules.nearest = 7;
        if (s == 1) rules.max_neighbours = 5;
        if (s == 2) rules.rules[DUNLIN_RULE_ALIGNMENT].min_radius = 1;
        rules.ignore_coincident = s == 2;
        rules.in_turn = s == 1;
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) rules.rules[r].half_angle = r == 2 ? 0.0f : 2.0f;
        world_add_interaction(world, &rules);
        world_add_scale(world, s, s == 1 ? DUNLIN_ROLE_COHESION_RADIUS_SCALE : DUNLIN_ROLE_RADIUS_SCALE, 0.4f,
                        1 + 0.75f * (float)s);
        world_add_drawn(world, s, "speed", DUNLIN_ROLE_MAX_SPEED, 0.5f, 2);
        world_add_drawn(world, s, "mass", DUNLIN_ROLE_MASS, 0.5f, 2);
        world_add_drawn(world, s, "force", DUNLIN_ROLE_MAX_FORCE, 0.1f, 0.5f);
        world_add_drawn(world, s, "keenness", DUNLIN_ROLE_COHESION_WEIGHT, -1, 2);
        world_scatter(world, s, 350);
    }
    dunlin_interaction_def other = world_flocking_between(0, 1, 8);
    other.nearest = 3;
    world_add_interaction(world, &other);
    other = world_flocking_between(2, 0, 9);
    other.max_neighbours = 2;
    world_add_interaction(world, &other);
}

/* Walls hide neighbours, the nearest hawk, and a place; across the edges, too. */
static void furnish_walls(dunlin_world *world) {
    dunlin_interaction_def flock = world_flocking_between(world_add_fliers(world, "flock", 1), FLOCK, 6);
    flock.sight_blocked = true;
    world_add_interaction(world, &flock);
    world_add_fliers(world, "hawks", 2);
    for (int k = 0; k < 3; k++) {
        static const dunlin_target_kind kinds[] = {DUNLIN_TARGET_NEAREST, DUNLIN_TARGET_POINT, DUNLIN_TARGET_AGENT};
        dunlin_behaviour_def see = behaviour(world, DUNLIN_BEHAVIOUR_FLEE, FLOCK);
        see.target.kind = kinds[k];
        see.target.species = HAWKS;
        see.target.agent = 600;
        see.radius = 30;
        see.sight_blocked = true;
        world_add_behaviour(world, &see);
    }
    const dunlin_obstacle_def walls[] = {{.shape = DUNLIN_OBSTACLE_CAPSULE, .a = {20, 0}, .b = {30, 90}},
                                         {.shape = DUNLIN_OBSTACLE_BOX, .a = {60, 40}, .b = {64, 100}},
                                         {.shape = DUNLIN_OBSTACLE_BALL, .a = {80, 1}, .radius = 6}};
    world_obstruct(world, walls, 3);
    world_scatter(world, FLOCK, 600);
    world_scatter(world, HAWKS, 20);
}

/* ---- naming ----------------------------------------------------------------------------------------------------------- */

/* Agents that are targets, and points of paths; some die, and some are not there yet. */
static void furnish_leaders(dunlin_world *world) {
    static const uint32_t leaders[] = {0, 455, 702, 9999}, points[] = {3, 77, 400, 77, 650, 12}, later[] = {5, 905, 9};
    const dunlin_interaction_def flock = world_flocking_between(world_add_fliers(world, "flock", 1.5f), FLOCK, 4);
    world_add_interaction(world, &flock);
    world_add_fliers(world, "hawks", 2);
    for (int k = 0; k < 4; k++) {
        dunlin_behaviour_def follow = behaviour(world, k % 2 ? DUNLIN_BEHAVIOUR_PURSUE : DUNLIN_BEHAVIOUR_ARRIVE, k % 2);
        follow.target.kind = DUNLIN_TARGET_AGENT;
        follow.target.agent = leaders[k];
        world_add_behaviour(world, &follow);
    }
    for (int p = 0; p < 2; p++) {
        dunlin_path_def path = dunlin_path_def_default(world);
        dunlin_behaviour_def follow = behaviour(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH, p);
        path.count = p ? 3 : 6;
        path.agents = p ? later : points;
        path.closed = p == 0;
        follow.follow.path = world_add_path(world, &path);
        world_add_behaviour(world, &follow);
    }
    world_scatter(world, FLOCK, 700);
    world_scatter(world, HAWKS, 30);
}

static void change_leaders(dunlin_world *world, int step) {
    const uint32_t dies[] = {455, 77}, one = 3;
    if (step == 10) ACCEPT(dunlin_world_despawn(world, dies, 2, &refusal));
    if (step == 20) world_scatter(world, HAWKS, 200); /* now 905 is there */
    if (step == 30) ACCEPT(dunlin_world_despawn(world, &one, 1, &refusal));
}

/* ---- life ------------------------------------------------------------------------------------------------------------- */

enum { GRASS, GRAZERS, WOLVES };

/* They grow old, bear young of two species when they are well fed, and starve if they do not eat. */
static void live(void *user, const dunlin_tile *tile) {
    const int child = *(const int *)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const float at[3] = {tile->position[0][i], tile->position[1][i], tile->position[2] ? tile->position[2][i] : 0};
        const float still[3] = {0, 0.1f}, energy = tile->attribute[0][i];
        tile->next_attribute[0][i] = energy > 3 ? energy * 0.5f : energy - 0.05f;
        if (energy > 3) dunlin_tile_spawn(tile, i, tile->species, at, still, NULL, NULL);
        if (energy > 2.5f && tile->id[i] % 3 == 0) dunlin_tile_spawn(tile, i, child, at, still, NULL, NULL);
    }
}

static void sprout(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        float draw[4];
        dunlin_draw(7, tile->id[i], tile->step, 1, draw);
        const float at[3] = {100 * draw[0] * 0.99f, 100 * draw[1] * 0.99f, 20 * draw[3]}, still[3] = {0};
        if (draw[2] < 0.06f) dunlin_tile_spawn(tile, i, GRASS, at, still, NULL, NULL);
    }
}

static void add_meal(dunlin_world *world, int eater, int food, float radius, float gain, int worth) {
    dunlin_meal_def def = dunlin_meal_def_default();
    def.eater = eater;
    def.food = food;
    def.radius = radius;
    def.energy = 0;
    def.gain = gain;
    def.worth = worth;
    world_add_meal(world, &def);
}

static void furnish_food_web(dunlin_world *world) {
    static const int children[] = {GRASS, WOLVES, GRAZERS};
    const uint32_t counts[] = {700, 250, 60};
    for (int s = 0; s < 3; s++) {
        world_add_fliers(world, (const char *[]){"grass", "grazers", "wolves"}[s], (float)s);
        world_add_drawn(world, s, "energy", DUNLIN_ROLE_VALUE, 0.5f, 2);
        dunlin_behaviour_def life = behaviour(world, DUNLIN_BEHAVIOUR_CUSTOM, s);
        life.custom = s == GRASS ? sprout : live;
        life.user = (void *)&children[s];
        life.vital = s == GRASS ? -1 : 0;
        world_add_behaviour(world, &life);
        world_scatter(world, s, counts[s]);
    }
    for (int s = 1; s < 3; s++) {
        dunlin_behaviour_def hunt = behaviour(world, DUNLIN_BEHAVIOUR_SEEK, s);
        hunt.target.kind = DUNLIN_TARGET_NEAREST;
        hunt.target.species = s - 1;
        hunt.radius = 20;
        world_add_behaviour(world, &hunt);
    }
    add_meal(world, WOLVES, GRAZERS, 2, 0.7f, 0);
    add_meal(world, GRAZERS, GRASS, 3, 0.31f, 0);
    add_meal(world, WOLVES, GRASS, 1, 0.01f, -1);
}

/* Each eater has much food at once, on several ranks and in several slabs, and no two have the same worth: the order of its
 * gains shows. */
static void furnish_feast(dunlin_world *world) {
    for (int s = 0; s < 2; s++) {
        world_add_fliers(world, s ? "eaters" : "food", 1);
        world_add_drawn(world, s, "energy", DUNLIN_ROLE_VALUE, 0.5f, 2);
    }
    add_meal(world, 1, 0, 12, 0.37f, 0);
    world_scatter(world, 0, 2000);
    world_scatter(world, 1, 60);
}

/* More food comes. */
static void serve(dunlin_world *world, int step) {
    if (step % 5 == 4) world_scatter(world, 0, 500);
}

/* ---- callbacks -------------------------------------------------------------------------------------------------------- */

/* Takes neighbours within the radius in the order of the runs. */
static void pull(void *user, const dunlin_packet *g) {
    const double reach = *(const double *)user;
    for (uint32_t k = 0; k < g->count; k++) {
        for (uint32_t r = 0; r < g->range_count; r++) {
            for (uint32_t j = g->ranges[r].begin; j < g->ranges[r].end; j++) {
                float d[2];
                for (int a = 0; a < 2; a++) {
                    d[a] = g->observed_position[a][j] - g->position[a][g->first + k];
                    if (g->ranges[r].folds && fabsf(d[a]) > 0.5f * g->size[a]) d[a] -= copysignf(g->size[a], d[a]);
                }
                if ((double)d[0] * (double)d[0] + (double)d[1] * (double)d[1] > 0.999 * reach * reach) continue;
                for (int a = 0; a < 2; a++) g->force[a][k] += 0.01f * d[a] + 0.003f * g->observed_velocity[a][j];
                g->next_attribute[0][k] += g->observed_attribute[0][j] * 0.001f;
            }
        }
    }
}

static void furnish_callbacks(dunlin_world *world) {
    static const double reach = 6;
    world_add_fliers(world, "moths", 1);
    world_add_drawn(world, 0, "light", DUNLIN_ROLE_VALUE, 0, 1);
    dunlin_behaviour_def pairs = behaviour(world, DUNLIN_BEHAVIOUR_PAIRS, 0);
    pairs.pairs.radius = (float)reach;
    pairs.pairs.callback = pull;
    pairs.user = (void *)&reach;
    world_add_behaviour(world, &pairs);
    world_scatter(world, 0, 900);
}

/* ---- callers ---------------------------------------------------------------------------------------------------------- */

static void spawn_four(dunlin_world *world, int species, uint32_t first_id) {
    static const float x[] = {99, 1, 50, 30}, y[] = {2, 98, 50, 0}, v[] = {1, 0, -1, 0.5f};
    const uint32_t ids[] = {first_id + 6, first_id, first_id + 9, first_id + 3};
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = 4, .position = {x, y}, .velocity = {v, v}, .ids = first_id ? ids : NULL};
    ACCEPT(dunlin_world_spawn(world, species, &batch, NULL, &refusal));
}

static void furnish_callers(dunlin_world *world) {
    for (int s = 0; s < 2; s++) {
        const dunlin_interaction_def flock = world_flocking_between(world_add_fliers(world, s ? "young" : "old", 1.5f), s, 5);
        world_add_interaction(world, &flock);
        world_scatter(world, s, 300);
    }
    world_add_fliers(world, "unseen", 1);
    world_scatter(world, 2, 50);
}

/* Several batches between two steps, of all species in turn; some of the agents go before they have run. */
static void change_agents(dunlin_world *world, int step) {
    const uint32_t dies[] = {20001, 5, 400, 610}, first[] = {649, 0};
    if (step == 0) ACCEPT(dunlin_world_despawn(world, first, 2, &refusal));
    if (step % 9 == 4) {
        for (int s = 0; s < 3; s++) world_scatter(world, s, 10);
        for (int s = 2; s >= 0; s--) spawn_four(world, s, 0);
    }
    if (step == 22) {
        spawn_four(world, 0, 20001);
        world_scatter(world, 0, 5);
        spawn_four(world, 2, 30000);
        ACCEPT(dunlin_world_despawn(world, dies, 4, &refusal));
        spawn_four(world, 2, 0);
    }
}

/* Definitions change between steps: radii, sizes, the clock, what there is. */
static void change_definitions(dunlin_world *world, int step) {
    dunlin_world_def def = dunlin_world_get_def(world);
    dunlin_interaction_def rules = world_flocking_rules(9);
    dunlin_clock clock = dunlin_world_get_clock(world);
    if (step == 5) ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    if (step == 10) {
        def.size[0] = 130;
        def.size[1] = 170;
        def.time_step = 0.5f;
        ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    }
    if (step == 15) world_add_drawn(world, 1, "speed", DUNLIN_ROLE_MAX_SPEED, 0.5f, 4);
    if (step == 20) ACCEPT(dunlin_world_remove_species(world, 2, &refusal));
    if (step == 24) {
        clock.step += 1000;
        clock.next_id += 7;
        ACCEPT(dunlin_world_set_clock(world, &clock, &refusal));
        world_scatter(world, 0, 20);
    }
    if (step == 30) ACCEPT(dunlin_world_remove_attribute(world, 1, 0, &refusal));
    if (step == 33) ACCEPT(dunlin_world_remove_interaction(world, 1, &refusal)); /* no agent sees the young any more */
    if (step == 36) {                                                            /* the last rank has the agent */
        world_scatter(world, world_add_fliers(world, "lone", 1), 1);
        ACCEPT(dunlin_world_remove_species(world, 2, &refusal));
    }
    if (step == 40) {
        def.boundary = DUNLIN_BOUNDARY_REFLECT;
        ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    }
}

/* Rank 0 writes agents, and takes the flock out of a checkpoint again. */
static void change_whole(dunlin_world *world, int step) {
    static uint8_t bytes[1 << 17];
    float x[300], still[300] = {0};
    (void)step;
    const size_t count = dunlin_world_saved_bytes(world);
    ASSERT_ON_RANK(count <= sizeof bytes);
    ACCEPT(dunlin_world_save_memory(world, bytes, count, &refusal));
    const uint32_t ids[] = {11, 12, 13};
    ACCEPT(dunlin_world_despawn(world, ids, 3, &refusal));
    world_scatter(world, 2, 17);
    ACCEPT(dunlin_world_restore_memory(world, bytes, count, &refusal));
    for (int i = 0; i < 300; i++) x[i] = (float)(i % 100);
    const dunlin_write write = {
        .cookie = WORLD_COOKIE, .count = 300, .species = 1, .position = {x, x}, .velocity = {still, still}};
    ACCEPT(dunlin_world_write(world, &write, &refusal));
    spawn_four(world, 1, 0);
    ACCEPT(dunlin_world_despawn(world, ids, 2, &refusal));
}

/* Its time is not steps times the time step. */
static void furnish_whole_reserve(dunlin_world *world) {
    furnish_reserve(world);
    ACCEPT(dunlin_world_set_clock(world, &(dunlin_clock){.step = 100, .time = 33.3, .next_id = 5}, &refusal));
    golden_populate(&golden_worlds[GOLDEN_WORLDS - 1], world);
}

/* ---- edges ------------------------------------------------------------------------------------------------------------- */

static void define_channel(dunlin_world_def *def) {
    def->axis_boundary[0] = DUNLIN_BOUNDARY_PERIODIC;
    def->axis_boundary[1] = DUNLIN_BOUNDARY_REFLECT;
}

static void define_shaft(dunlin_world_def *def) {
    def->dimensions = 3;
    def->size[2] = 30;
    def->axis_boundary[0] = DUNLIN_BOUNDARY_REFLECT;
    def->axis_boundary[1] = DUNLIN_BOUNDARY_TELEPORT;
    def->axis_boundary[2] = DUNLIN_BOUNDARY_PERIODIC;
    def->margin = 1.5f;
}

static void define_sky(dunlin_world_def *def) {
    define_shaft(def);
    def->axis_boundary[0] = DUNLIN_BOUNDARY_OPEN;
}

/* ---- tests ------------------------------------------------------------------------------------------------------------ */

TEST(whatever_agents_do_has_the_same_bits) {
    static const parts_simulation simulations[] = {
        {"hawks", NULL, furnish_hawks, NULL, NULL, STEPS, NULL},
        {"selections", NULL, furnish_selections, NULL, NULL, STEPS, NULL},
        {"selections in a shaft", define_shaft, furnish_selections, NULL, NULL, STEPS, NULL},
        {"walls", NULL, furnish_walls, NULL, NULL, STEPS, NULL},
        {"leaders", NULL, furnish_leaders, change_leaders, NULL, STEPS, NULL},
        {"food web", NULL, furnish_food_web, NULL, NULL, STEPS, NULL},
        {"callbacks", NULL, furnish_callbacks, NULL, NULL, STEPS, NULL},
    };
    parts_run_some(simulations, sizeof simulations / sizeof *simulations);
}

TEST(axes_with_boundaries_of_their_own_have_the_same_bits) {
    static const parts_simulation simulations[] = {
        {"channel", define_channel, furnish_food_web, NULL, NULL, STEPS, NULL},
        {"shaft", define_shaft, furnish_hawks, NULL, NULL, STEPS, NULL},
        {"feast in a shaft", define_shaft, furnish_feast, serve, NULL, STEPS, NULL},
        {"food web in a shaft", define_shaft, furnish_food_web, NULL, NULL, STEPS, NULL},
        {"sky", define_sky, furnish_whole_reserve, NULL, NULL, STEPS, furnish_reserve},
    };
    parts_run_some(simulations, sizeof simulations / sizeof *simulations);
}

TEST(whatever_callers_change_has_the_same_bits) {
    static const parts_simulation simulations[] = {
        {"agents", NULL, furnish_callers, change_agents, NULL, STEPS, NULL},
        {"definitions", NULL, furnish_callers, change_definitions, NULL, STEPS, NULL},
        {"the whole flock", NULL, furnish_callers, NULL, change_whole, STEPS, NULL},
    };
    parts_run_some(simulations, sizeof simulations / sizeof *simulations);
}

TEST(another_number_of_ranks_goes_on) {
    static const parts_simulation simulations[] = {
        {"food web", NULL, furnish_food_web, NULL, NULL, STEPS, NULL},
        {"reserve", define_reserve, furnish_whole_reserve, NULL, NULL, STEPS, furnish_reserve},
    };
    static const parts_crew crews[] = {
        {3, 1, "auto", 1}, {5, 2, "scalar", 0}, {1, 2, "auto", 0}, {2, 1, "auto", 5}, {3, 1, "auto", 1}};
    for (size_t i = 0; i < sizeof simulations / sizeof *simulations; i++) {
        parts_record *record = parts_record_new(&simulations[i]);
        for (int c = 0; c < 4; c++) parts_change_crews(record, &crews[c], &crews[c + 1]);
        parts_record_free(record);
    }
}
