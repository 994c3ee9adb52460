/* SPDX-License-Identifier: MIT */
/* Fluctuations of a flock's density, and the correlation of its velocities: by hand, against plain loops in binary64, and the
 * same however they are computed. */
#include "tests/lib/worlds.h"

enum { MANY = 700, BINS = 23 };

static const float rest[3] = {0};
static dunlin_survey *survey; /* one for all tests */

static int make_survey(void **state) {
    (void)state;
    return dunlin_survey_create(&survey, NULL) != DUNLIN_OK;
}

static int free_survey(void **state) {
    (void)state;
    dunlin_survey_destroy(survey);
    return 0;
}

static void assert_near(double got, double want, double tolerance) {
    if (isnan(want) && isnan(got)) return;
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.15g instead of %.15g", got, want);
}

static dunlin_world_def def_of(int dimensions, dunlin_boundary boundary) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .boundary = boundary});
    def.size[1] = 70;
    def.size[2] = 130;
    def.threads = 2;
    return def;
}

/* All velocities point about one way. In an open world some agents are far outside. */
static dunlin_world *crowded_world(const dunlin_world_def *def, uint32_t agents) {
    dunlin_world *world = world_without_agents(def, 3);
    test_random random = {5};
    for (uint32_t i = 0; i < agents; i++) {
        float x[3], v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = i % 3 ? test_uniform(&random, 0, def->size[a]) : test_uniform(&random, 20, 30);
            if (def->boundary == DUNLIN_BOUNDARY_OPEN && i % 4 == 0) x[a] -= 77;
            v[a] = test_uniform(&random, -1, 1) + (a == 0 ? 4.0f : 0.1f * x[a]);
        }
        world_spawn(world, 0, x, v);
    }
    return world;
}

/* ---- density by hand --------------------------------------------------------------------------------------------------- */

static dunlin_density density_of(dunlin_world *world, double box_size) {
    dunlin_density density;
    ACCEPT(dunlin_survey_density(survey, world, 0, box_size, &density, &refusal));
    return density;
}

TEST(boxes_fill_the_world) {
    const dunlin_world_def def = def_of(3, DUNLIN_BOUNDARY_PERIODIC);
    dunlin_world *world = world_without_agents(&def, 3);
    world_spawn(world, 0, (const float[3]){99, 69, 129}, rest);
    dunlin_density d = density_of(world, 30);
    assert_true(d.boxes == 3 * 2 * 4 && d.box_size[0] == 100.0 / 3 && d.box_size[1] == 35 && d.box_size[2] == 32.5);
    assert_near(d.mean_count, 1.0 / 24, 1e-15);
    assert_near(d.mean_density, 1.0 / (100.0 * 70 * 130), 1e-18);
    assert_near(d.count_variance, 1.0 / 24, 1e-15); /* (1 - 1/24) / 23 */
    d = density_of(world, 1e9);
    assert_true(d.boxes == 1 && d.box_size[0] == 100 && d.mean_count == 1 && isnan(d.count_variance));
}

TEST(boxes_of_an_open_world_cover_the_agents) {
    const dunlin_world_def def = def_of(2, DUNLIN_BOUNDARY_OPEN);
    dunlin_world *world = world_without_agents(&def, 3);
    dunlin_density d = density_of(world, 7);
    assert_true(d.boxes == 1 && d.mean_count == 0 && d.mean_density == 0 && isnan(d.count_variance));
    world_spawn(world, 0, (const float[3]){-1000, 500}, rest);
    d = density_of(world, 7);
    assert_true(d.boxes == 1 && d.mean_count == 1 && d.box_size[1] == 7 && d.mean_density == 1.0 / 49);
    world_spawn(world, 0, (const float[3]){-979, 505}, rest); /* at the end of the third box */
    d = density_of(world, 7);
    assert_true(d.boxes == 3 && d.mean_count == 2.0 / 3);
    assert_near(d.count_variance, 1.0 / 3, 1e-15); /* 1, 0, 1 */
}

TEST(fluctuation_exponents) {
    dunlin_density d[5];
    for (int i = 0; i < 5; i++) {
        const double mean = pow(3, i);
        d[i] = (dunlin_density){.boxes = 9, .mean_count = mean, .count_variance = 7 * pow(mean, 1.6)};
    }
    assert_near(dunlin_fluctuation_exponent(d, 5), 0.8, 1e-14);
    d[1].count_variance = 0;
    d[3].count_variance = (double)NAN;
    assert_near(dunlin_fluctuation_exponent(d, 5), 0.8, 1e-14);
    assert_true(isnan(dunlin_fluctuation_exponent(d, 1)) && isnan(dunlin_fluctuation_exponent(NULL, 0)));
    d[1] = d[0];
    assert_true(isnan(dunlin_fluctuation_exponent(d, 2)));
}

/* Agents at random fluctuate by the root of their number. */
TEST(random_agents_have_normal_fluctuations) {
    dunlin_world *world = world_of(NULL, 3, 50000);
    dunlin_density d[5];
    for (int i = 0; i < 5; i++) {
        d[i] = density_of(world, 100.0 / (8 << i));
        assert_near(d[i].count_variance / d[i].mean_count, 1, 6.0 * sqrt(2.0 / (double)d[i].boxes));
    }
    assert_near(dunlin_fluctuation_exponent(d, 5), 0.5, 0.02);
}

TEST(mistakes_about_density_are_refused) {
    dunlin_world *world = world_of(NULL, 3, 10);
    dunlin_density d;
    static const double sizes[] = {0, -1, 1.1e9, (double)NAN};
    for (int i = 0; i < 4; i++)
        REFUSE(dunlin_survey_density(survey, world, 0, sizes[i], &d, &refusal), DUNLIN_ERROR_VALUE, "box_size is");
    REFUSE(dunlin_survey_density(survey, world, 0, 100.0 / 4097, &d, &refusal), DUNLIN_ERROR_VALUE, "16777216 boxes");
    REFUSE(dunlin_survey_density(survey, world, 0, 1e-9, &d, &refusal), DUNLIN_ERROR_VALUE, "16777216 boxes");
    assert_true(density_of(world, 100.0 / 4096).boxes == DUNLIN_MAX_BOXES);
}

/* ---- density against plain loops --------------------------------------------------------------------------------------- */

typedef struct plain_density {
    double boxes, mean, variance, volume;
} plain_density;

static plain_density count_plainly(const dunlin_world *world, double box_size) {
    static double counts[4096];
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, 0);
    const bool open = def.boundary == DUNLIN_BOUNDARY_OPEN;
    double begin[3] = {0}, width[3], boxes[3];
    plain_density plain = {.boxes = 1, .volume = 1};
    for (int a = 0; a < def.dimensions; a++) {
        double size = (double)def.size[a], min = (double)INFINITY, max = -(double)INFINITY;
        for (uint32_t i = 0; i < view.count; i++) {
            const double x = (double)view.position[a][i]; /* gcc 12 for aarch64 fails at fmin() and fmax() here */
            min = x < min ? x : min;
            max = x > max ? x : max;
        }
        boxes[a] = fmax(1, open ? ceil((max - min) / box_size) : round(size / box_size));
        width[a] = open ? box_size : size / boxes[a];
        begin[a] = open ? min : 0;
        plain.boxes *= boxes[a];
        plain.volume *= width[a];
    }
    memset(counts, 0, sizeof counts);
    for (uint32_t i = 0; i < view.count; i++) {
        double box = 0;
        for (int a = def.dimensions - 1; a >= 0; a--)
            box = box * boxes[a] + fmin(boxes[a] - 1, floor(((double)view.position[a][i] - begin[a]) / width[a]));
        counts[(size_t)box]++;
    }
    plain.mean = view.count / plain.boxes;
    for (int b = 0; b < (int)plain.boxes; b++) plain.variance += (counts[b] - plain.mean) * (counts[b] - plain.mean);
    plain.variance /= plain.boxes - 1;
    return plain;
}

TEST_EACH(densities_are_those_of_plain_loops, k, 0, 2 * 4 * 3) {
    static const int threads[] = TEST_THREADS(1, 2, 3, 7);
    static const double sizes[] = {13.7, 30, 49};
    const dunlin_world_def def = def_of(2 + k % 2, (dunlin_boundary)(k / 2 % 4));
    dunlin_density first = {0};
    for (int v = 0; v < world_variant_count(); v++) {
        dunlin_world_def variant = world_def_for(def, world_variant_at(v));
        variant.threads = threads[(k + v) % (int)(sizeof threads / sizeof *threads)];
        dunlin_world *world = crowded_world(&variant, MANY);
        const plain_density plain = count_plainly(world, sizes[k / 8]);
        const dunlin_density d = density_of(world, sizes[k / 8]);
        assert_true((double)d.boxes == plain.boxes);
        assert_near(d.mean_count, plain.mean, 1e-12 * plain.mean);
        assert_near(d.count_variance, plain.variance, 1e-12 * plain.variance);
        assert_near(d.mean_density, plain.mean / plain.volume, 1e-12 * plain.mean / plain.volume);
        assert_near(d.density_variance * plain.volume * plain.volume, plain.variance, 1e-12 * plain.variance);
        if (v == 0) first = d;
        assert_memory_equal(&d, &first, sizeof d);
        world_destroy(world);
    }
}

/* ---- correlation by hand ----------------------------------------------------------------------------------------------- */

static dunlin_correlation correlation_of(dunlin_world *world, float max_radius, int bins) {
    dunlin_correlation_def def = dunlin_correlation_def_default(world);
    def.max_radius = max_radius;
    def.bins = bins;
    dunlin_correlation correlation;
    ACCEPT(dunlin_survey_correlation(survey, world, &def, &correlation, &refusal));
    return correlation;
}

TEST(a_curve_that_begins_below_0_falls_from_1) {
    const dunlin_world_def def = def_of(3, DUNLIN_BOUNDARY_OPEN);
    dunlin_world *world = world_without_agents(&def, 3);
    world_spawn(world, 0, (const float[3]){1, 1, 1}, (const float[3]){0, 0, 2});
    world_spawn(world, 0, (const float[3]){1, 1, 2}, (const float[3]){0, 0, -2});
    const dunlin_correlation c = correlation_of(world, 4, 1);
    assert_near(c.correlation[0], -1, 1e-8);
    assert_near(c.length, 1, 1e-8); /* from (0, 1) to (2, -1) */
}

static void expect_none(dunlin_world *world, uint32_t agents, uint64_t pairs) {
    const dunlin_correlation c = correlation_of(world, 10, 3);
    assert_true(c.samples == agents && c.pairs == pairs && isnan(c.length));
    assert_true(agents ? c.fluctuation == 0 : isnan(c.fluctuation));
    for (int k = 0; k < 3; k++) assert_true(isnan(c.correlation[k]));
}

TEST(without_fluctuations_there_is_no_correlation) {
    const dunlin_world_def def = def_of(2, DUNLIN_BOUNDARY_PERIODIC);
    dunlin_world *world = world_without_agents(&def, 3);
    expect_none(world, 0, 0);
    world_spawn(world, 0, (const float[3]){50, 50}, (const float[3]){0.3f, 0.7f});
    expect_none(world, 1, 0);
    for (int i = 0; i < 4; i++) world_spawn(world, 0, (const float[3]){50, 50}, (const float[3]){0.3f, 0.7f});
    expect_none(world, 5, 10); /* all at one place */
    world_destroy(world);
    static const float velocities[][3] = {{0, 0}, {1, 1e-6f}, {-3e-7f, 7e8f}, {1e-40f, 1e-30f}};
    for (int k = 0; k < 4; k++) {
        world = world_without_agents(&def, 3);
        for (int i = 0; i < 7; i++) world_spawn(world, 0, (const float[3]){50, 50}, velocities[k]);
        expect_none(world, 7, 21);
        world_destroy(world);
    }
}

TEST(mistakes_about_correlation_are_refused) {
    const dunlin_world_def world_def = def_of(2, DUNLIN_BOUNDARY_PERIODIC);
    dunlin_world *world = world_of(&world_def, 3, 10);
    dunlin_correlation c;
    dunlin_correlation_def def = dunlin_correlation_def_default(world);
    assert_true(def.max_radius == 35 && def.bins == 50 && def.samples == 0 && def.species == 0);
    static const float radii[] = {0, 1.1e9f, NAN};
    for (int i = 0; i < 3; i++) {
        def.max_radius = radii[i];
        REFUSE(dunlin_survey_correlation(survey, world, &def, &c, &refusal), DUNLIN_ERROR_VALUE, "max_radius is");
    }
    def = dunlin_correlation_def_default(world);
    def.species = 1;
    REFUSE(dunlin_survey_correlation(survey, world, &def, &c, &refusal), DUNLIN_ERROR_VALUE, "species is 1");
    def = dunlin_correlation_def_default(world);
    for (int bins = 0; bins <= 10001; bins += 10001) {
        def.bins = bins;
        REFUSE(dunlin_survey_correlation(survey, world, &def, &c, &refusal), DUNLIN_ERROR_VALUE, "bins is", "10000");
    }
}

/* ---- correlation against plain loops ----------------------------------------------------------------------------------- */

typedef struct plain_correlation {
    double curve[BINS], pairs[BINS], fluctuation, length;
} plain_correlation;

static plain_correlation correlate_plainly(const dunlin_world *world, float max_radius) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, 0);
    plain_correlation plain = {.length = (double)NAN};
    double mean[3] = {0}, squares = 0;
    for (int a = 0; a < def.dimensions; a++) {
        for (uint32_t i = 0; i < view.count; i++) mean[a] += (double)view.velocity[a][i] / view.count;
        for (uint32_t i = 0; i < view.count; i++) squares += pow((double)view.velocity[a][i] - mean[a], 2) / view.count;
    }
    for (uint32_t i = 0; i < view.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const float r = sqrtf(world_distance2(&def, &view, i, j));
            if (r > max_radius) continue;
            const int bin = (int)fminf(r * (BINS / max_radius), BINS - 1);
            for (int a = 0; a < def.dimensions; a++)
                plain.curve[bin] += ((double)view.velocity[a][i] - mean[a]) * ((double)view.velocity[a][j] - mean[a]);
            plain.pairs[bin]++;
        }
    }
    double last_r = 0, last = 1;
    for (int k = 0; k < BINS; k++) {
        const double r = (k + 0.5) * (double)max_radius / BINS;
        plain.curve[k] = plain.pairs[k] > 0 ? plain.curve[k] / plain.pairs[k] / squares : (double)NAN;
        if (isnan(plain.curve[k])) continue;
        if (isnan(plain.length) && plain.curve[k] <= 0) plain.length = last_r + (r - last_r) * last / (last - plain.curve[k]);
        last_r = r;
        last = plain.curve[k];
    }
    plain.fluctuation = sqrt(squares);
    return plain;
}

static void assert_correlation(const dunlin_correlation *got, const plain_correlation *want) {
    assert_near(got->fluctuation, want->fluctuation, 1e-8 * want->fluctuation);
    assert_near(got->length, want->length, 1e-5 * want->length);
    for (int k = 0; k < BINS; k++) {
        assert_true((double)got->bin_pairs[k] == want->pairs[k]);
        assert_near(got->correlation[k], want->curve[k], 1e-7);
    }
}

TEST_EACH(correlations_are_those_of_plain_loops, k, 0, 2 * 4 * 3) {
    static const int threads[] = TEST_THREADS(1, 2, 3, 7);
    static const float radii[] = {4, 30, 500};
    const dunlin_world_def def = def_of(2 + k % 2, (dunlin_boundary)(k / 2 % 4));
    plain_correlation plain = {.length = 0};
    double curve[BINS] = {0}, length = 0;
    for (int v = 0; v < world_variant_count(); v++) {
        dunlin_world_def variant = world_def_for(def, world_variant_at(v));
        variant.threads = threads[(k + v) % (int)(sizeof threads / sizeof *threads)];
        dunlin_world *world = crowded_world(&variant, MANY);
        if (v == 0) plain = correlate_plainly(world, radii[k / 8]);
        const dunlin_correlation c = correlation_of(world, radii[k / 8], BINS);
        assert_correlation(&c, &plain);
        if (v == 0) memcpy(curve, c.correlation, sizeof curve), length = c.length;
        assert_memory_equal(curve, c.correlation, sizeof curve);
        assert_memory_equal(&length, &c.length, sizeof length);
        world_destroy(world);
    }
}

/* ---- samples ----------------------------------------------------------------------------------------------------------- */

static dunlin_correlation sample(dunlin_world *world, uint32_t samples) {
    dunlin_correlation_def def = dunlin_correlation_def_default(world);
    def.max_radius = 10;
    def.bins = BINS;
    def.samples = samples;
    dunlin_correlation correlation;
    ACCEPT(dunlin_survey_correlation(survey, world, &def, &correlation, &refusal));
    return correlation;
}

/* It draws about as many as it is asked for, the same ones whatever the threads and the storage order, others in each step. */
TEST_EACH(a_sample_is_drawn_by_ids, v, 0, world_variant_count()) {
    static const int threads[] = TEST_THREADS(1, 2, 3, 7);
    static uint64_t pairs[BINS] = {0};
    static double curve[BINS] = {0};
    static uint32_t drawn = 0;
    dunlin_world_def def = world_def_for(def_of(2, DUNLIN_BOUNDARY_PERIODIC), world_variant_at(v));
    def.threads = threads[v % (int)(sizeof threads / sizeof *threads)];
    dunlin_world *world = crowded_world(&def, 3000);
    const dunlin_correlation all = sample(world, 0);
    double all_curve[BINS];
    memcpy(all_curve, all.correlation, sizeof all_curve);
    dunlin_correlation c = sample(world, 3000);
    assert_true(c.samples == 3000 && c.pairs == all.pairs);
    assert_memory_equal(c.correlation, all_curve, sizeof all_curve);
    c = sample(world, 400);
    assert_true(c.samples > 320 && c.samples < 480 && c.fluctuation == all.fluctuation);
    for (int k = 5; k < BINS; k++) assert_near(c.correlation[k], all_curve[k], 0.1);
    if (v == 0) {
        drawn = c.samples;
        memcpy(pairs, c.bin_pairs, sizeof pairs);
        memcpy(curve, c.correlation, sizeof curve);
    }
    assert_int_equal(c.samples, drawn);
    assert_memory_equal(c.bin_pairs, pairs, sizeof pairs);
    assert_memory_equal(c.correlation, curve, sizeof curve);
    world_run(world, 1);
    assert_true(sample(world, 400).samples != drawn);
}

/* Pairs of two drawn agents count once: with nearly all drawn, nearly all pairs count. */
TEST(no_pair_counts_twice) {
    const dunlin_world_def def = def_of(3, DUNLIN_BOUNDARY_PERIODIC);
    dunlin_world *world = crowded_world(&def, 2000);
    const uint64_t all = sample(world, 0).pairs;
    const dunlin_correlation c = sample(world, 1990);
    assert_true(c.samples < 2000 && c.pairs <= all && c.pairs > all / 1000 * 999);
    const dunlin_correlation half = sample(world, 1000);
    const double others = 1.0 - half.samples / 2000.0;
    assert_near((double)half.pairs / (double)all, 1.0 - others * others, 0.02);
}

TEST(species_together) {
    const dunlin_world_def world_def = def_of(2, DUNLIN_BOUNDARY_PERIODIC);
    dunlin_world *world = world_without_agents(&world_def, 3);
    world_add_named(world, "others");
    world_spawn(world, 0, (const float[3]){10, 10}, (const float[3]){1, 0});
    world_spawn(world, 1, (const float[3]){11, 10}, (const float[3]){-1, 0});
    dunlin_correlation_def def = dunlin_correlation_def_default(world);
    def.species = DUNLIN_ALL_SPECIES;
    dunlin_correlation c;
    ACCEPT(dunlin_survey_correlation(survey, world, &def, &c, &refusal));
    assert_true(c.samples == 2 && c.pairs == 1 && c.fluctuation == 1);
    def.species = 1;
    ACCEPT(dunlin_survey_correlation(survey, world, &def, &c, &refusal));
    assert_true(c.samples == 1 && c.pairs == 0 && c.fluctuation == 0);
    dunlin_density d;
    ACCEPT(dunlin_survey_density(survey, world, DUNLIN_ALL_SPECIES, 50, &d, &refusal));
    assert_true(d.boxes == 2 && d.mean_count == 1 && d.count_variance == 2);
}

TEST_FIXTURE(.before_all = make_survey, .after_all = free_survey)
