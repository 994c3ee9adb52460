/* SPDX-License-Identifier: MIT */
/*
 * One rank of many, without the others. A transport that sends nothing is enough to cut a flock in 3D among up to a thousand
 * ranks, and to find which of them see which rows. So halos are counted, of flocks of a million agents per rank.
 *
 * The yardstick is the square bundle: a square of as many rows as a rank owns, at the same place, with the rows around it.
 */
#include "engine/cluster/cluster.h"
#include "engine/world/look.h"
#include "tests/lib/worlds.h"

enum { AGENTS_PER_RANK = 1000000, NEIGHBOURS = 20, PER_ROW = 16 /* agents that stand for those of an average row */ };

/* ---- a transport to nowhere -------------------------------------------------------------------------------------------- */

static void send_numbers(void *context, const uint64_t *out, uint64_t *in, uint32_t count) {
    (void)context, (void)out, (void)in, (void)count;
}

static void send_bytes(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes) {
    (void)context, (void)out, (void)out_bytes, (void)in, (void)in_bytes;
}

static void keep_numbers(void *context, uint64_t *numbers, uint32_t count) {
    (void)context, (void)numbers, (void)count;
}

static void keep_bytes(void *context, uint32_t root, void *bytes, uint64_t count) {
    (void)context, (void)root, (void)bytes, (void)count;
}

static dunlin_transport to_nowhere(uint32_t ranks) {
    dunlin_transport t = dunlin_transport_default();
    t.ranks = ranks;
    t.all_to_all = send_numbers;
    t.exchange = send_bytes;
    t.all_reduce = t.exclusive_scan = keep_numbers;
    t.broadcast = keep_bytes;
    return t;
}

/* ---- flocks ------------------------------------------------------------------------------------------------------------ */

typedef double density(double y, double z); /* relative, at shares of the way */

static double uniform(double y, double z) {
    (void)y, (void)z;
    return 1.0;
}

static double across(double x) {
    const double away = fabs(x);
    return away > 0.5 ? 1.0 - away : away;
}

/* A fifth is everywhere, and the rest in eight clumps, up to fifty times as dense. */
static double clumped(double y, double z) {
    static const double at[8][2] = {{.1, .2}, {.3, .7}, {.55, .45}, {.8, .15}, {.75, .8}, {.4, .3}, {.15, .9}, {.9, .55}};
    double sum = 0.2;
    for (int c = 0; c < 8; c++) {
        const double dy = across(y - at[c][0]), dz = across(z - at[c][1]), width = 0.04 + 0.01 * c;
        sum += 0.1 / (6.2831853 * width * width) * exp(-(dy * dy + dz * dz) / (2.0 * width * width));
    }
    return sum;
}

/* A flock of which rank 0 has the numbers of agents per row. */
typedef struct flock {
    dunlin_world *world;
    dun_cell_shape shape;
    uint32_t rows, *agents; /* [rows] */
    double *below;          /* [2 * slabs + 1][2 * lines + 1] agents of all rows before, in a world that is repeated */
    uint32_t *keys;
} flock;

static dunlin_world *cube(const dunlin_transport *t) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 3, .threads = 1});
    dunlin_world *world = NULL;
    for (int a = 0; a < 3; a++) def.size[a] = (float)cbrt((double)AGENTS_PER_RANK * t->ranks * 4.18879 / NEIGHBOURS);
    def.index = "grid";
    ACCEPT(dunlin_world_create_part(&def, t, &world, &refusal));
    world_add_named(world, "flock");
    const dunlin_interaction_def rules = world_flocking_rules(1.0f);
    world_add_interaction(world, &rules);
    assert_true(dun_looks_list(world));
    return world;
}

static void find_keys(flock *f, density *d) {
    uint64_t all = 0, filled = 0;
    for (uint32_t row = 0; row < f->rows; row++) {
        const uint32_t line = row % f->shape.cells[1], slab = row / f->shape.cells[1];
        f->agents[row] = (uint32_t)(PER_ROW * d((line + 0.5) / f->shape.cells[1], (slab + 0.5) / f->shape.cells[2]) + 0.5);
        all += f->agents[row];
    }
    f->keys = malloc(all * sizeof *f->keys);
    assert_non_null(f->keys);
    for (uint32_t row = 0; row < f->rows; row++)
        for (uint32_t i = 0; i < f->agents[row]; i++) f->keys[filled++] = row * f->shape.cells[0];
    f->world->species[0]->count = (uint32_t)all;
    f->world->cluster->spread[0].keys = f->keys;
}

static double *corner(const flock *f, uint32_t line, uint32_t slab) {
    return f->below + (size_t)slab * (2 * f->shape.cells[1] + 1) + line;
}

static void add_up(flock *f) {
    const uint32_t lines = 2 * f->shape.cells[1], slabs = 2 * f->shape.cells[2];
    f->below = calloc((size_t)(slabs + 1) * (lines + 1), sizeof *f->below);
    assert_non_null(f->below);
    for (uint32_t slab = 0; slab < slabs; slab++)
        for (uint32_t line = 0; line < lines; line++)
            *corner(f, line + 1, slab + 1) =
                f->agents[slab % f->shape.cells[2] * f->shape.cells[1] + line % f->shape.cells[1]] +
                *corner(f, line, slab + 1) + *corner(f, line + 1, slab) - *corner(f, line, slab);
}

static flock flock_new(const dunlin_transport *t, density *d) {
    flock f = {.world = cube(t)};
    dun_species *species = f.world->species[0];
    species->indexed = true;
    species->whole_count = (uint64_t)AGENTS_PER_RANK * t->ranks;
    const dun_space space = dun_species_space(f.world, 0, 0);
    dun_grid_shape(species->index, &space, 0);
    f.shape = dun_grid_shape_of(species->index);
    f.rows = f.shape.cells[1] * f.shape.cells[2];
    f.agents = malloc(f.rows * sizeof *f.agents);
    assert_non_null(f.agents);
    find_keys(&f, d);
    add_up(&f);
    dun_cut_again(f.world);
    assert_true(dun_routes_find(f.world));
    return f;
}

static void flock_free(flock *f) {
    f->world->species[0]->count = 0; /* it holds none */
    world_destroy(f->world);
    free(f->keys);
    free(f->agents);
    free(f->below);
}

/* ---- counting ---------------------------------------------------------------------------------------------------------- */

/* What rank 0 sees is in its own table, and what others see in the routes. */
static void count_seen(const flock *f, uint64_t *seen) {
    const dun_spread *spread = &f->world->cluster->spread[0];
    for (uint32_t row = 0; row < f->rows; row++) {
        if (spread->row_place[row] != DUN_NOT_HELD) seen[0] += f->agents[row];
        for (uint32_t i = spread->row_first[row]; i < spread->row_first[row + 1]; i++)
            seen[spread->row_rank[i]] += f->agents[row];
    }
}

typedef struct halo {
    double mean, max; /* of ranks, over the square bundle's */
    double share;     /* of all agents */
    double imbalance; /* the fullest rank's agents over the mean */
} halo;

static uint64_t own_of(const flock *f, uint32_t rank, uint32_t *rows) {
    const dun_block *block = &f->world->cluster->spread[0].block[rank];
    const uint32_t begin = block->cells.begin / f->shape.cells[0], end = block->cells.end / f->shape.cells[0];
    uint64_t own = 0;
    for (uint32_t slab = block->slab.begin; slab < block->slab.end; slab++)
        for (uint32_t line = begin; line < end; line++) own += f->agents[slab * f->shape.cells[1] + line];
    *rows = (block->slab.end - block->slab.begin) * (end - begin);
    return own;
}

/* Agents before a place, if they are spread evenly in each row. */
static double below(const flock *f, double line, double slab) {
    const uint32_t y = (uint32_t)line, z = (uint32_t)slab;
    const double dy = line - y, dz = slab - z;
    return (1 - dz) * ((1 - dy) * *corner(f, y, z) + dy * *corner(f, y + 1, z)) +
           dz * ((1 - dy) * *corner(f, y, z + 1) + dy * *corner(f, y + 1, z + 1));
}

static double in_square(const flock *f, double line, double slab, double half) {
    return below(f, line + half, slab + half) - below(f, line - half, slab + half) - below(f, line + half, slab - half) +
           below(f, line - half, slab - half);
}

/* The middle of some lines or slabs, in the middle of a world that is repeated. */
static double middle_of(double begin, double end, uint32_t all) {
    const double middle = 0.5 * (begin + end);
    return middle < 0.5 * all ? middle + all : middle;
}

/* Agents around a square of as many rows as the rank's block. */
static double around_square(const flock *f, uint32_t rank) {
    const dun_block *b = &f->world->cluster->spread[0].block[rank];
    const double row = f->shape.cells[0], begin = b->cells.begin / row, end = b->cells.end / row;
    const double half = 0.5 * sqrt((end - begin) * (b->slab.end - b->slab.begin));
    const double line = middle_of(begin, end, f->shape.cells[1]);
    const double slab = middle_of(b->slab.begin, b->slab.end, f->shape.cells[2]);
    return in_square(f, line, slab, half + 1) - in_square(f, line, slab, half);
}

static halo count_halo(const flock *f, uint32_t ranks) {
    uint64_t *seen = calloc(ranks, sizeof *seen), all = 0, most = 0, halos = 0;
    halo h = {0};
    assert_non_null(seen);
    count_seen(f, seen);
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t rows;
        const uint64_t own = own_of(f, r, &rows);
        assert_true(rows > 0 && seen[r] >= own);
        const double ratio = (double)(seen[r] - own) / around_square(f, r);
        h.mean += ratio / ranks;
        h.max = fmax(h.max, ratio);
        all += own;
        most = own > most ? own : most;
        halos += seen[r] - own;
    }
    assert_int_equal(all, f->world->species[0]->count); /* each row has one owner */
    h.share = (double)halos / (double)all;
    h.imbalance = (double)most * ranks / (double)all;
    free(seen);
    return h;
}

/* Bands are cut by slabs only, so a rank where a clump's band is empty has a flat block: hence a maximum beside the mean. */
static void check_halo(const char *name, density *d, uint32_t ranks, double max) {
    const dunlin_transport t = to_nowhere(ranks);
    flock f = flock_new(&t, d);
    const halo h = count_halo(&f, ranks);
    print_message(
        "%s, %u ranks, %u slabs of %u rows: a halo is %.1f %% of a rank's own agents, of the square bundle's it is %.2f "
        "(mean) and %.2f (maximum); the fullest rank has %.3f of the mean\n",
        name, ranks, f.shape.cells[2], f.shape.cells[1], 100.0 * h.share, h.mean, h.max, h.imbalance);
    assert_true(h.mean <= 1.2);
    assert_true(h.max <= max);
    flock_free(&f);
}

TEST_EACH(halos_in_3D_are_those_of_square_bundles, which, 0, 4) {
    static const uint32_t ranks[] = {8, 64, 216, 1000};
    check_halo("uniform", uniform, ranks[which], 1.5);
    check_halo("clumped", clumped, ranks[which], 2.5);
}

/* ---- routes ------------------------------------------------------------------------------------------------------------ */

/* Whether routes are found again: only then a mark goes. */
static bool are_found_again(const flock *f) {
    uint32_t *mark = &f->world->cluster->spread[0].row_place[0];
    const uint32_t kept = *mark;
    *mark = kept - 1;
    assert_true(dun_routes_find(f->world));
    const bool again = *mark != kept - 1;
    *mark = again ? *mark : kept;
    return again;
}

static void reshape(const flock *f, uint64_t agents) {
    dun_species *species = f->world->species[0];
    species->whole_count = agents;
    const dun_space space = dun_species_space(f->world, 0, 0);
    dun_grid_shape(species->index, &space, 0);
}

/* They follow from cuts, looks and cells, and from nothing else. */
TEST(routes_are_kept) {
    const dunlin_transport t = to_nowhere(8);
    flock f = flock_new(&t, uniform);
    assert_false(are_found_again(&f));
    f.world->looks[0].radius *= 2; /* the cells do not follow at once */
    assert_true(are_found_again(&f));
    assert_false(are_found_again(&f));
    dun_cut_at_random(f.world, 5);
    dun_cut_again(f.world);
    assert_true(are_found_again(&f));
    assert_false(are_found_again(&f));
    f.world->looks[0].radius /= 2;
    assert_true(are_found_again(&f));
    reshape(&f, f.world->species[0]->whole_count + 1); /* the same cells */
    assert_false(are_found_again(&f));
    reshape(&f, f.world->species[0]->whole_count / 8); /* longer ones */
    assert_true(are_found_again(&f));
    ACCEPT(dunlin_world_remove_interaction(f.world, 0, &refusal));
    assert_true(dun_looks_list(f.world));
    assert_true(are_found_again(&f));
    flock_free(&f);
}
