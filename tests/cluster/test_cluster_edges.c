/* SPDX-License-Identifier: MIT */
/* Parts where slabs are hard to cut, to see across or to keep up with: small flocks, thin worlds, fast agents, all boundaries.
 */
#include "tests/lib/in_parts.h"

enum { STEPS = TEST_EFFORT(10, 20, 50) };

/* ---- short ways to define --------------------------------------------------------------------------------------------- */

static void set_size(dunlin_world_def *def, float x, float y, float z) {
    def->dimensions = z > 0 ? 3 : 2;
    def->size[0] = x;
    def->size[1] = y;
    def->size[2] = z > 0 ? z : 1;
}

static int add_species(dunlin_world *world, const char *name, float max_speed) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = name;
    def.max_speed = max_speed;
    def.min_speed = 0.25f * max_speed;
    return world_add_species(world, &def);
}

static void add_flock(dunlin_world *world, float radius, float max_speed) {
    const int species = add_species(world, "flock", max_speed);
    world_add_flocking(world, species, species, radius);
}

static void scatter_at(dunlin_world *world, int species, uint32_t count, const float centre[3], const float extent[3]) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = count;
    memcpy(def.centre, centre, sizeof def.centre);
    memcpy(def.extent, extent, sizeof def.extent);
    ACCEPT(dunlin_world_scatter(world, species, &def, &refusal));
}

/* ---- places ----------------------------------------------------------------------------------------------------------- */

static void define_edges(dunlin_world_def *def) {
    set_size(def, 64, 48, 0);
}

/* On a lattice whose points are the edges of cells and slabs, one binary32 number beside them, and on the seam. */
static void furnish_edges(dunlin_world *world) {
    enum { SIDE = 32 };
    static const float size[2] = {64, 48};
    float place[2][SIDE * SIDE], velocity[2][SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const float at[2] = {(float)(i % SIDE) * 2, (float)(i / SIDE) * 1.5f};
        for (int a = 0; a < 2; a++) {
            const float beside = nextafterf(at[a], i % 3 == 0 ? size[a] : 0.0f);
            place[a][i] = i % 3 == 1 ? at[a] : i % 31 == 0 ? nextafterf(size[a], 0) : beside;
            velocity[a][i] = i % 5 == 0 ? 2.0f : (float)((int)(i % 7) - 3) * 0.5f;
        }
    }
    add_flock(world, 4, 3);
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = SIDE * SIDE, .position = {place[0], place[1]}, .velocity = {velocity[0], velocity[1]}};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
}

static void furnish_point(dunlin_world *world) {
    add_flock(world, 6, 2);
    scatter_at(world, 0, 300, (float[]){50, 50, 50}, (float[]){0, 0, 0});
}

static void furnish_row(dunlin_world *world) {
    add_flock(world, 3, 0.5f);
    scatter_at(world, 0, 900, (float[]){50, 51, 0}, (float[]){50, 0.5f, 0});
}

static void furnish_slab(dunlin_world *world) {
    add_flock(world, 3, 1);
    scatter_at(world, 0, 900, (float[]){50, 6, 0}, (float[]){50, 6, 0});
}

/* Fewer rows than ranks, and fewer than a radius sees. */

static void define_strip(dunlin_world_def *def) {
    set_size(def, 300, 3, 0);
}

static void define_sheet(dunlin_world_def *def) {
    set_size(def, 30, 40, 4);
    def->boundary = DUNLIN_BOUNDARY_REFLECT;
}

static void define_box(dunlin_world_def *def) {
    set_size(def, 6, 7, 8);
}

static void furnish_wide(dunlin_world *world) {
    add_flock(world, 5, 1);
    world_scatter(world, 0, 700);
}

/* ---- few agents ------------------------------------------------------------------------------------------------------- */

static void furnish_nobody(dunlin_world *world) {
    add_flock(world, 5, 1);
}

static void furnish_one(dunlin_world *world) {
    furnish_nobody(world);
    world_scatter(world, 0, 1);
}

static void furnish_three(dunlin_world *world) {
    furnish_nobody(world);
    world_scatter(world, 0, 3);
}

/* They come in one by one, and all die. */
static void change_few(dunlin_world *world, int step) {
    const uint32_t ids[] = {1, 0, 2};
    if (step >= 5 && step < 8) world_scatter(world, 0, 1);
    if (step == 20) ACCEPT(dunlin_world_despawn(world, ids, 3, &refusal));
    if (step == 30) world_scatter(world, 0, 40);
}

/* ---- speed ------------------------------------------------------------------------------------------------------------ */

static void furnish_fast(dunlin_world *world) {
    add_flock(world, 6, 130);
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = 800;
    def.max_speed = 130;
    ACCEPT(dunlin_world_scatter(world, 0, &def, &refusal));
}

/* ---- boundaries ------------------------------------------------------------------------------------------------------- */

static void define_teleport(dunlin_world_def *def) {
    def->boundary = DUNLIN_BOUNDARY_TELEPORT;
    def->margin = 7;
    def->boundary_first = true;
}

static void define_overshoot(dunlin_world_def *def) {
    def->boundary = DUNLIN_BOUNDARY_TELEPORT;
    def->keep_overshoot = true;
    def->integrator = DUNLIN_INTEGRATOR_EXPLICIT;
}

static void define_walls(dunlin_world_def *def) {
    set_size(def, 40, 30, 50);
    def->boundary = DUNLIN_BOUNDARY_REFLECT;
    def->boundary_first = true;
}

static void define_reflect(dunlin_world_def *def) {
    def->boundary = DUNLIN_BOUNDARY_REFLECT;
}

static void furnish_flock(dunlin_world *world) {
    add_flock(world, 6, 4);
    world_scatter(world, 0, 1000);
}

/* ---- tests ------------------------------------------------------------------------------------------------------------ */

TEST(hard_places_have_the_same_bits) {
    static const parts_simulation simulations[] = {
        {"on edges", define_edges, furnish_edges, NULL, NULL, STEPS, NULL},
        {"at one point", NULL, furnish_point, NULL, NULL, STEPS, NULL},
        {"in one row", NULL, furnish_row, NULL, NULL, STEPS, NULL},
        {"in one slab", NULL, furnish_slab, NULL, NULL, STEPS, NULL},
        {"in a strip", define_strip, furnish_wide, NULL, NULL, STEPS, NULL},
        {"in a sheet", define_sheet, furnish_wide, NULL, NULL, STEPS, NULL},
        {"in a box", define_box, furnish_wide, NULL, NULL, STEPS, NULL},
    };
    parts_run_some(simulations, sizeof simulations / sizeof *simulations);
}

TEST(few_agents_have_the_same_bits) {
    static const parts_simulation simulations[] = {
        {"no agent", NULL, furnish_nobody, NULL, NULL, STEPS, NULL},
        {"one agent", NULL, furnish_one, NULL, NULL, STEPS, NULL},
        {"three agents", NULL, furnish_three, NULL, NULL, STEPS, NULL},
        {"agents come and go", NULL, furnish_nobody, change_few, NULL, STEPS, NULL},
    };
    parts_run_some(simulations, sizeof simulations / sizeof *simulations);
}

TEST(fast_agents_have_the_same_bits_at_every_boundary) {
    static const parts_simulation simulations[] = {
        {"fast on a torus", NULL, furnish_fast, NULL, NULL, STEPS, NULL},
        {"fast between walls", define_reflect, furnish_fast, NULL, NULL, STEPS, NULL},
        {"fast through edges", define_overshoot, furnish_fast, NULL, NULL, STEPS, NULL},
        {"through a margin, edges first", define_teleport, furnish_flock, NULL, NULL, STEPS, NULL},
        {"between walls, edges first", define_walls, furnish_flock, NULL, NULL, STEPS, NULL},
    };
    parts_run_some(simulations, sizeof simulations / sizeof *simulations);
}

/* ---- many agents, with several tasks for the messages of a rank ---------------------------------------------------------- */

static void define_ribbon(dunlin_world_def *def) {
    set_size(def, 6000, 20, 0);
}

/* Few rows, so that other ranks see most agents, and others that no agent sees. */
static void furnish_ribbon(dunlin_world *world) {
    add_flock(world, 4, 2);
    const int drifters = add_species(world, "drifters", 1);
    world_add_drawn(world, 0, "mass", DUNLIN_ROLE_MASS, 0.5f, 2);
    for (int batch = 0; batch < 2; batch++) {
        world_scatter(world, 0, 15000);
        world_scatter(world, drifters, 9000);
    }
}

static void add_more(dunlin_world *world, int step) {
    if (step == 3) world_scatter(world, 0, 5000);
}

TEST(all_threads_write_and_merge_messages) {
    const parts_simulation ribbon = {
        .name = "ribbon", .define = define_ribbon, .furnish = furnish_ribbon, .change = add_more, .steps = 6};
    const parts_crew crews[] = {{2, 3, "scalar", 0}, {3, 2, "scalar", 0}, {5, 4, "scalar", 9}};
    parts_record *record = parts_record_new(&ribbon);
    for (size_t c = 0; c < sizeof crews / sizeof *crews; c++) parts_run(record, &crews[c]);
    parts_record_free(record);
}
