/* SPDX-License-Identifier: MIT */
/* Fields: what they are filled with. */
#include "engine/scenery/noise.h"
#include "tests/lib/support.h"
#include "tests/lib/worlds.h"

/* ---- sources ----------------------------------------------------------------------------------------------------------- */

/* A world of 100 in each direction with a field of so many cells on each axis. */
static dunlin_world *field_of(int dimensions, int cells, dunlin_boundary boundary) {
    const dunlin_world_def def =
        world_def_with((world_parts){.dimensions = dimensions, .boundary = boundary, .seed = 77, .threads = 2});
    dunlin_world *world = world_create(&def);
    dunlin_field_def field = dunlin_field_def_default(world);
    for (int a = 0; a < dimensions; a++) field.cells[a] = cells;
    const int number = world_add_field(world, &field);
    assert_int_equal(number, 0);
    return world;
}

static void expect_cell(dunlin_world *world, uint32_t index, double x, double y, double z) {
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    const double want[] = {x, y, z};
    for (int a = 0; a < 3 && view.vectors[a]; a++) {
        if (fabs((double)view.vectors[a][index] - want[a]) <= 1e-6) continue;
        fail_msg("cell %u, %c: %.9g instead of %.9g", index, "xyz"[a], (double)view.vectors[a][index], want[a]);
    }
}

static double length_at(dunlin_world *world, uint32_t index) {
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    double sum = 0;
    for (int a = 0; a < 3 && view.vectors[a]; a++) sum += pow((double)view.vectors[a][index], 2);
    return sqrt(sum);
}

TEST(a_new_field_is_zero) {
    dunlin_world *world = field_of(2, 3, DUNLIN_BOUNDARY_OPEN);
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    assert_true(view.cells[0] == 3 && view.cells[1] == 3 && view.cells[2] == 1 && !view.vectors[2]);
    assert_true(view.min[0] == 0 && view.max[1] == 100);
    for (uint32_t i = 0; i < 9; i++) expect_cell(world, i, 0, 0, 0);
    assert_int_equal(dunlin_world_field_count(world), 1);
    assert_null(dunlin_world_field_view(world, 1).vectors[0]);
    assert_null(dunlin_world_field_view(world, -1).vectors[0]);
}

TEST(constant) {
    dunlin_world *world = field_of(3, 2, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_CONSTANT);
    source.vector[0] = 1;
    source.vector[1] = -2;
    source.vector[2] = 30;
    source.weight = 0.5f;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    for (uint32_t i = 0; i < 8; i++) expect_cell(world, i, 0.5, -1, 15);
}

TEST(the_callers_vectors) {
    static const float x[] = {1, 2, 3, 4}, y[] = {-5, -6, -7, -8};
    dunlin_world *world = field_of(2, 2, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_VECTORS);
    source.vectors[0] = x;
    source.vectors[1] = y;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    for (uint32_t i = 0; i < 4; i++) expect_cell(world, i, (double)x[i], (double)y[i], 0);
}

/* Cells' centres at 50/3, 50, 250/3. */
TEST(a_swirl_turns_counter_clockwise) {
    const double half = sqrt(0.5);
    dunlin_world *world = field_of(2, 3, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_SWIRL);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 5, 0, 1, 0);  /* right of the centre: up */
    expect_cell(world, 7, -1, 0, 0); /* above: to the left */
    expect_cell(world, 0, half, -half, 0);
    expect_cell(world, 4, 0, 0, 0); /* the centre itself */
    source.weight = -2;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 5, 0, -2, 0);
}

TEST(a_swirl_in_space_turns_around_its_axis) {
    dunlin_world *world = field_of(3, 3, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_SWIRL);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 5 + 9 * 2, 0, 1, 0);
    source.axis[0] = 7; /* of any length */
    source.axis[2] = 0;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 1 + 3 * 2 + 9, 0, 0, 1);  /* above in y: towards z */
    expect_cell(world, 2 + 3 + 9 * 2, 0, -1, 0); /* above in z: away from y */
    expect_cell(world, 2 + 3 + 9, 0, 0, 0);      /* on the axis */
}

TEST(the_centre_attracts) {
    dunlin_world *world = field_of(2, 5, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_CENTRE);
    source.centre[0] = 10;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 14, -1, 0, 0); /* (90, 50) */
    expect_cell(world, 10, 0, 0, 0);
    expect_cell(world, 1, -sqrt(0.2), sqrt(0.8), 0); /* (30, 10): by (-20, 40) */
    world_destroy(world);
    world = field_of(2, 5, DUNLIN_BOUNDARY_PERIODIC);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 14, 1, 0, 0); /* across the edge */
    source.weight = -1;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 14, -1, 0, 0);
}

TEST(a_gradient_climbs) {
    float plane[9], values[9] = {0, 1, 0, 5, 5, 5, NAN, INFINITY, 1};
    for (int i = 0; i < 9; i++) plane[i] = (float)(3 * (i % 3) + 4 * (i / 3));
    dunlin_world *world = field_of(2, 3, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_GRADIENT);
    source.values = plane;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    for (uint32_t i = 0; i < 9; i++) expect_cell(world, i, 0.6, 0.8, 0);
    source.values = values;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 0, 1 / sqrt(26), 5 / sqrt(26), 0);
    expect_cell(world, 2, -1 / sqrt(26), 5 / sqrt(26), 0);
    for (uint32_t i = 3; i < 8; i++)
        if (i != 5) expect_cell(world, i, 0, 0, 0); /* not finite */
    expect_cell(world, 5, 0, 1, 0);                 /* between 0 and 1 */
}

TEST_EACH(around_the_world_a_gradient_climbs_across_the_edge, periodic, 0, 2) {
    static const float hill[] = {2, 3, 1, 0, 2, 3, 1, 0, 2, 3, 1, 0, 2, 3, 1, 0};
    dunlin_world *world = field_of(2, 4, periodic ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_GRADIENT);
    source.values = hill;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 4, 1, 0, 0);                 /* 3 - 0, or 3 - 2 */
    expect_cell(world, 7, periodic ? 1 : -1, 0, 0); /* 2 - 1, or 0 - 1 */
}

TEST_EACH(one_cell_has_no_gradient, periodic, 0, 2) {
    dunlin_world *world = field_of(3, 1, periodic ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_GRADIENT);
    source.values = (const float[]){5};
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 0, 0, 0, 0);
}

TEST_EACH(random_directions, dimensions, 2, 4) {
    dunlin_world *world = field_of(dimensions, 16, DUNLIN_BOUNDARY_OPEN);
    const dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    assert_true(source.seed == 77);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    const uint32_t cells = dimensions == 3 ? 4096 : 256;
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    double mean[3] = {0};
    for (uint32_t i = 0; i < cells; i++) {
        assert_true(fabs(length_at(world, i) - 1.0) < 1e-6);
        for (int a = 0; a < dimensions; a++) mean[a] += (double)view.vectors[a][i] / cells;
        assert_true(i == 0 || view.vectors[0][i] != view.vectors[0][i - 1]);
    }
    for (int a = 0; a < dimensions; a++) assert_true(fabs(mean[a]) < 4 * sqrt(0.5 / cells));
    const float first = view.vectors[0][0];
    dunlin_field_source other = source;
    other.seed = 78;
    ACCEPT(dunlin_world_fill_field(world, 0, &other, &refusal));
    assert_true(view.vectors[0][0] != first);
}

TEST(noise_turns_smoothly) {
    dunlin_world *world = field_of(2, 10, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise = (dunlin_field_noise){.scale = 7, .octaves = 2, .min_angle = -0.25f, .max_angle = 0.5f, .time = 0.75};
    source.weight = 2;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    uint32_t seeds[DUN_MAX_OCTAVES];
    dun_noise_seeds(77, 0, seeds);
    const double turn = 2 * acos(-1.0);
    for (int i = 0; i < 100; i++) {
        const double point[4] = {(10 * (i % 10) + 5) / 7.0, (10 * (i / 10) + 5) / 7.0, 0.75, 0};
        const double n = (double)dun_noise_octaves(seeds, 2, 3, point), angle = turn * (-0.25 + (n + 1) / 2 * 0.75);
        const dunlin_field_view view = dunlin_world_field_view(world, 0);
        assert_true(fabs((double)view.vectors[0][i] - 2 * cos(angle)) < 4e-6);
        assert_true(fabs((double)view.vectors[1][i] - 2 * sin(angle)) < 4e-6);
    }
}

TEST(noise_in_space) {
    dunlin_world *world = field_of(3, 10, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise.scale = 5; /* all centres are lattice points of the first component's noise */
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    uint32_t seeds[3][DUN_MAX_OCTAVES];
    for (uint32_t n = 0; n < 3; n++) dun_noise_seeds(77, n, seeds[n]);
    for (int i = 0; i < 1000; i++) {
        const int at[] = {i % 10, i / 10 % 10, i / 100};
        double n[3], length = 0;
        for (int c = 0; c < 3; c++) {
            const double point[4] = {2 * at[0] + 1 + c / 3.0, 2 * at[1] + 1 + c / 3.0, 2 * at[2] + 1 + c / 3.0, 0};
            n[c] = (double)dun_noise(seeds[c][0], 4, point);
            length += n[c] * n[c];
        }
        assert_true(view.vectors[0][i] == 0.0f);
        expect_cell(world, (uint32_t)i, n[0] / sqrt(length), n[1] / sqrt(length), n[2] / sqrt(length));
    }
}

/* ---- noise prefers no direction ---------------------------------------------------------------------------------------- */

enum { MEAN_SEEDS = TEST_SLOW ? 4 : 20 };

/* The mean vector of fields of this noise, one per seed, whose cells are further apart than lattice points. Returns how many
 * vectors that is. */
static double mean_of_noise(int dimensions, const dunlin_field_noise *noise, double mean[3]) {
    const uint32_t along = dimensions == 3 ? 13 : 47, cells = dimensions == 3 ? 13 * 13 * 13 : 47 * 47;
    const double count = (double)MEAN_SEEDS * cells;
    dunlin_world *world = field_of(dimensions, (int)along, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise = *noise;
    source.noise.scale = 71.0f / (float)along;
    mean[0] = mean[1] = mean[2] = 0.0;
    for (source.seed = 1; source.seed <= MEAN_SEEDS; source.seed++) {
        ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
        const dunlin_field_view view = dunlin_world_field_view(world, 0);
        for (int a = 0; a < dimensions; a++)
            for (uint32_t i = 0; i < cells; i++) mean[a] += (double)view.vectors[a][i] / count;
    }
    world_destroy(world);
    return count;
}

TEST(noise_blows_to_no_side) {
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int octaves = 1; octaves <= DUN_MAX_OCTAVES; octaves *= 2) {
            dunlin_world *world = field_of(dimensions, 1, DUNLIN_BOUNDARY_OPEN);
            dunlin_field_noise noise = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE).noise;
            double mean[3];
            noise.octaves = octaves;
            const double count = mean_of_noise(dimensions, &noise, mean);
            for (int a = 0; a < dimensions; a++)
                if (!(fabs(mean[a]) < 5.0 * sqrt(1.0 / dimensions / count)))
                    fail_msg("%dD, %d octaves: the mean along %c is %g", dimensions, octaves, "xyz"[a], mean[a]);
            world_destroy(world);
        }
}

/* The public header says so. */
TEST(a_full_turn_has_a_mean) {
    const dunlin_field_noise turn = {.octaves = 1, .min_angle = 0.0f, .max_angle = 1.0f};
    double mean[3];
    const double count = mean_of_noise(2, &turn, mean);
    assert_true(fabs(mean[0] + 0.72) < 0.05 && fabs(mean[1]) < 5.0 * sqrt(0.5 / count));
}

/* ---- fields that vary -------------------------------------------------------------------------------------------------- */

/* The step that begins after n steps is run in the field of n time steps; what was written in between is gone. */
TEST_EACH(noise_that_varies_is_filled_anew_every_step, dimensions, 2, 4) {
    dunlin_world *world = field_of(dimensions, 9, DUNLIN_BOUNDARY_OPEN),
                 *by_hand = field_of(dimensions, 9, DUNLIN_BOUNDARY_OPEN);
    const dunlin_field_view view = dunlin_world_field_view(world, 0), want = dunlin_world_field_view(by_hand, 0);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE), still = source;
    source.noise.rate = 0.125f;
    source.noise.time = 40;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    float before = 0;
    for (int steps = 0; steps < 5; steps++) {
        view.vectors[0][0] = 99;
        world_run(world, 1);
        still.noise.time = 40 + 0.125 * steps;
        ACCEPT(dunlin_world_fill_field(by_hand, 0, &still, &refusal));
        const uint32_t cells = dimensions == 3 ? 729 : 81;
        for (int a = 0; a < dimensions; a++) test_same_bits(view.vectors[a], want.vectors[a], cells, "a field that varies");
        assert_true(view.vectors[0][31] != before);
        before = view.vectors[0][31];
    }
    const dunlin_field_source end = dunlin_field_source_default(world, DUNLIN_FIELD_CONSTANT);
    ACCEPT(dunlin_world_fill_field(world, 0, &end, &refusal));
    view.vectors[0][31] = 99; /* stays: nothing is filled any more */
    world_run(world, 1);
    expect_cell(world, 31, 99, 0, 0);
    expect_cell(world, 40, 0, 0, 0);
}

/* Filled between steps, it is at once what the next step will use. */
TEST(a_fill_between_steps_is_of_now) {
    dunlin_world *world = field_of(2, 9, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise.rate = 0.3f;
    world_run(world, 3);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    float filled[81];
    memcpy(filled, view.vectors[0], sizeof filled);
    world_run(world, 1);
    test_same_bits(view.vectors[0], filled, 81, "a fill between steps");
}

TEST(filling_by_many_threads_is_filling_by_one) {
    enum { CELLS = 23 * 17 * 5 };
    static float want[3][CELLS];
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 3});
    for (int kind = DUNLIN_FIELD_RANDOM; kind <= DUNLIN_FIELD_CENTRE; kind++)
        for (def.threads = 1; def.threads <= 3; def.threads++) {
            dunlin_world *world = world_create(&def);
            dunlin_field_def grid = dunlin_field_def_default(world);
            memcpy(grid.cells, (const int[]){23, 17, 5}, sizeof grid.cells);
            world_add_field(world, &grid);
            const dunlin_field_source source = dunlin_field_source_default(world, (dunlin_field_kind)kind);
            ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
            const dunlin_field_view view = dunlin_world_field_view(world, 0);
            for (int a = 0; a < 3; a++) {
                if (def.threads == 1) memcpy(want[a], view.vectors[a], sizeof want[a]);
                test_same_bits(view.vectors[a], want[a], CELLS, "a fill");
            }
            world_destroy(world);
        }
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

TEST(mistaken_fields_are_refused) {
    dunlin_world *world = field_of(2, 2, DUNLIN_BOUNDARY_OPEN);
    const dunlin_field_def good = dunlin_field_def_default(world);
    dunlin_field_def def = good;
    def.cells[2] = -1; /* a third axis means nothing here */
    world_add_field(world, &def);
    def = good;
    def.cells[1] = 0;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.cells[1]", "at least 1");
    def.cells[1] = 65537;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.cells[1]", "65537");
    def.cells[0] = def.cells[1] = 65536;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.cells", "4294967296", "268435456");
    def = good;
    def.min[0] = NAN;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.min[0]", "nan");
    def.min[0] = 100;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.max[0]", "above 100");
    def = good;
    def.max[1] = 2e9f;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.max[1]", "2e+09");
    assert_int_equal(dunlin_world_field_count(world), 2);
}

typedef struct mistake {
    dunlin_field_kind kind;
    size_t offset; /* of a float in the source */
    float value;
    const char *field, *said;
} mistake;

#define AT(field) offsetof(dunlin_field_source, field)

TEST(mistaken_sources_are_refused) {
    static const mistake mistakes[] = {
        {DUNLIN_FIELD_RANDOM, AT(weight), 2e6f, "source.weight", "2e+06"},
        {DUNLIN_FIELD_CONSTANT, AT(vector[2]), NAN, "source.vector[2]", "nan"},
        {DUNLIN_FIELD_SWIRL, AT(centre[1]), INFINITY, "source.centre[1]", "inf"},
        {DUNLIN_FIELD_SWIRL, AT(axis[0]), -2e9f, "source.axis[0]", "-2e+09"},
        {DUNLIN_FIELD_SWIRL, AT(axis[2]), 0, "source.axis", "direction"},
        {DUNLIN_FIELD_CENTRE, AT(centre[0]), 2e9f, "source.centre[0]", "2e+09"},
        {DUNLIN_FIELD_NOISE, AT(noise.scale), 0, "source.noise.scale", "1e-09"},
        {DUNLIN_FIELD_NOISE, AT(noise.min_angle), -1001, "source.noise.min_angle", "turns"},
        {DUNLIN_FIELD_NOISE, AT(noise.max_angle), NAN, "source.noise.min_angle", "inf"},
        {DUNLIN_FIELD_NOISE, AT(noise.rate), -1, "source.noise.rate", "at least 0"},
    };
    dunlin_world *world = field_of(3, 2, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source;
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++) {
        source = dunlin_field_source_default(world, mistakes[m].kind);
        ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
        memcpy((char *)&source + mistakes[m].offset, &mistakes[m].value, sizeof(float));
        REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, mistakes[m].field, mistakes[m].said);
    }
    source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise.octaves = 9;
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.noise.octaves", "at most 8");
    source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise.time = (double)NAN;
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.noise.time", "nan");
    source = dunlin_field_source_default(world, DUNLIN_FIELD_GRADIENT);
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.values", "NULL");
    source = dunlin_field_source_default(world, DUNLIN_FIELD_VECTORS);
    source.vectors[0] = source.vectors[1] = (const float[8]){0};
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.vectors", "NULL");
}

/* What was refused changes nothing: the field continues as it was filled before. */
TEST(a_refused_fill_leaves_the_field_alone) {
    dunlin_world *world = field_of(2, 4, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise.rate = 0.25f;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    world_run(world, 1);
    const float before = dunlin_world_field_view(world, 0).vectors[0][5];
    source.noise.scale = -1;
    source.noise.rate = 0;
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.noise.scale");
    assert_true(dunlin_world_field_view(world, 0).vectors[0][5] == before);
    world_run(world, 1);
    assert_true(dunlin_world_field_view(world, 0).vectors[0][5] != before);
}
