/* SPDX-License-Identifier: MIT */
/* Groups of agents: by hand, and against a plain search through all pairs, however they are found. */
#include <float.h>

#include "tests/lib/worlds.h"

static const float rest[3] = {0};

static dunlin_survey *survey_create(void) {
    dunlin_survey *survey;
    ACCEPT(dunlin_survey_create(&survey, &refusal));
    return survey;
}

/* ---- by hand ----------------------------------------------------------------------------------------------------------- */

enum { FEW = 16 };

typedef struct few {
    dunlin_world_def def;
    uint32_t count;
    float position[FEW][3];
} few;

static few few_in(int dimensions, dunlin_boundary boundary) {
    few f = {.def = dunlin_world_def_default()};
    f.def.dimensions = dimensions;
    f.def.boundary = boundary;
    f.def.threads = 2;
    return f;
}

static void add(few *f, float x, float y, float z) {
    const float at[] = {x, y, z};
    memcpy(f->position[f->count++], at, sizeof at);
}

static dunlin_world *world_of_few(const few *f) {
    dunlin_world *world = world_without_agents(&f->def, 0.5f);
    for (uint32_t i = 0; i < f->count; i++) world_spawn(world, 0, f->position[i], rest);
    return world;
}

/* labels[]: the expected ones. sizes: the expected ones in one number, such as 321 for groups of three, two and one agent. */
static void expect_groups(const few *f, float radius, const uint32_t *labels, uint32_t sizes) {
    dunlin_world *world = world_of_few(f);
    dunlin_survey *survey = survey_create();
    dunlin_components groups;
    ACCEPT(dunlin_survey_components(survey, world, 0, radius, &groups, &refusal));
    assert_int_equal(groups.agents, f->count);
    for (uint32_t i = 0; i < f->count; i++) assert_int_equal(groups.labels[0][i], labels[i]);
    uint32_t got = 0;
    for (uint32_t i = 0; i < groups.count; i++) got = 10 * got + groups.sizes[i];
    assert_int_equal(got, sizes);
    assert_int_equal(groups.largest, groups.sizes[0]);
    assert_true(groups.mean_size == (double)f->count / groups.count);
    dunlin_survey_destroy(survey);
    world_destroy(world);
}

TEST(an_agent_at_exactly_the_radius_belongs) {
    few f = few_in(2, DUNLIN_BOUNDARY_OPEN);
    add(&f, 10, 10, 0);
    add(&f, 16, 18, 0);
    expect_groups(&f, 10, (const uint32_t[]){0, 0}, 2);
    expect_groups(&f, nextafterf(10, 0), (const uint32_t[]){0, 1}, 11);
    f.position[1][1] = nextafterf(18, 19);
    expect_groups(&f, 10, (const uint32_t[]){0, 1}, 11);
}

TEST(one_agent_none_and_all_at_one_place) {
    few f = few_in(3, DUNLIN_BOUNDARY_PERIODIC);
    dunlin_world *world = world_of_few(&f);
    dunlin_survey *survey = survey_create();
    dunlin_components groups;
    memset(&groups, 1, sizeof groups);
    ACCEPT(dunlin_survey_components(survey, world, 0, 1, &groups, &refusal));
    assert_true(isnan(groups.mean_size) && isnan(groups.typical_size));
    groups.mean_size = groups.typical_size = 0;
    assert_memory_equal(&groups, &(dunlin_components){0}, sizeof groups);
    dunlin_survey_destroy(survey);
    world_destroy(world);
    add(&f, 0, 0, 0);
    expect_groups(&f, 1, (const uint32_t[]){0}, 1);
    for (int i = 0; i < 8; i++) add(&f, 0, 0, 0);
    expect_groups(&f, 1e-9f, (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, 0}, 9);
}

/* ---- species ----------------------------------------------------------------------------------------------------------- */

TEST(species_are_grouped_alone_or_together) {
    few f = few_in(2, DUNLIN_BOUNDARY_PERIODIC);
    add(&f, 10, 10, 0);
    add(&f, 14, 10, 0);
    dunlin_world *world = world_of_few(&f);
    for (int s = 0; s < 3; s++) world_add_named(world, (const char *[]){"none", "others", "more"}[s]);
    world_spawn(world, 2, (const float[3]){12, 10}, rest);
    world_spawn(world, 3, (const float[3]){60, 10}, rest);
    dunlin_survey *survey = survey_create();
    dunlin_components groups;
    ACCEPT(dunlin_survey_components(survey, world, 0, 2, &groups, &refusal));
    assert_true(groups.agents == 2 && groups.count == 2 && groups.labels[0][0] == 0 && groups.labels[0][1] == 1);
    assert_null(groups.labels[1]);
    ACCEPT(dunlin_survey_components(survey, world, 1, 2, &groups, &refusal));
    assert_true(groups.agents == 0 && groups.count == 0);
    ACCEPT(dunlin_survey_components(survey, world, 2, 2, &groups, &refusal));
    assert_true(groups.agents == 1 && groups.count == 1 && groups.labels[2][0] == 2);
    ACCEPT(dunlin_survey_components(survey, world, DUNLIN_ALL_SPECIES, 2, &groups, &refusal));
    assert_true(groups.agents == 4 && groups.count == 2 && groups.sizes[0] == 3 && groups.sizes[1] == 1);
    assert_true(groups.labels[0][0] == 0 && groups.labels[0][1] == 0 && groups.labels[2][0] == 0 && groups.labels[3][0] == 3);
    dunlin_survey_destroy(survey);
}

TEST(mistakes_are_refused) {
    few f = few_in(2, DUNLIN_BOUNDARY_PERIODIC);
    dunlin_world *world = world_of_few(&f);
    dunlin_survey *survey = survey_create();
    dunlin_components groups;
    static const float radii[] = {0, -1, 1.1e9f, NAN, INFINITY};
    for (int i = 0; i < 5; i++)
        REFUSE(dunlin_survey_components(survey, world, 0, radii[i], &groups, &refusal), DUNLIN_ERROR_VALUE, "radius is",
               "1e-09");
    dunlin_survey_destroy(NULL);
    dunlin_survey_destroy(survey);
}

/* ---- against all pairs ------------------------------------------------------------------------------------------------- */

enum { MANY = 900 };

/* The groups of a flock as a plain search finds them; labels by id. */
typedef struct plain_groups {
    uint32_t label[MANY], size[MANY], count;
} plain_groups;

static int by_size(const void *l, const void *r) {
    const uint32_t left = *(const uint32_t *)l, right = *(const uint32_t *)r;
    return left < right ? 1 : left > right ? -1 : 0;
}

/* From agent to agent, over all pairs. */
static plain_groups search(const dunlin_world *world, float radius) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, 0);
    static uint32_t waiting[MANY];
    static bool met[MANY];
    plain_groups groups = {.count = 0};
    memset(met, 0, sizeof met);
    for (uint32_t first = 0; first < view.count; first++) {
        if (met[first]) continue;
        uint32_t done = 0, known = 1, label = view.id[first];
        waiting[0] = first;
        met[first] = true;
        for (; done < known; done++) {
            for (uint32_t j = 0; j < view.count; j++) {
                if (met[j] || world_distance2(&def, &view, waiting[done], j) > radius * radius) continue;
                met[j] = true;
                waiting[known++] = j;
                if (view.id[j] < label) label = view.id[j];
            }
        }
        for (uint32_t k = 0; k < known; k++) groups.label[view.id[waiting[k]]] = label;
        groups.size[groups.count++] = known;
    }
    qsort(groups.size, groups.count, sizeof *groups.size, by_size);
    return groups;
}

static void assert_same(const dunlin_components *got, const plain_groups *want, const dunlin_view *view) {
    double squares = 0;
    assert_int_equal(got->count, want->count);
    assert_int_equal(got->largest, want->size[0]);
    for (uint32_t i = 0; i < want->count; i++) {
        assert_int_equal(got->sizes[i], want->size[i]);
        squares += (double)want->size[i] * want->size[i];
    }
    for (uint32_t i = 0; i < view->count; i++) assert_int_equal(got->labels[0][i], want->label[view->id[i]]);
    assert_true(got->typical_size == squares / view->count && got->mean_size == (double)view->count / want->count);
}

/* Half of them in a dense clump over the seam, the others anywhere; in an open world also far outside. */
static void spawn_many(dunlin_world *world) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    test_random random = {7};
    uint32_t ids[MANY];
    test_shuffle(&random, ids, MANY);
    for (int i = 0; i < MANY; i++) {
        float x[3];
        for (int a = 0; a < 3; a++) {
            x[a] = i % 2 ? test_uniform(&random, 0, def.size[a]) : test_uniform(&random, -8, 8);
            if (def.boundary == DUNLIN_BOUNDARY_OPEN && i % 50 == 0)
                x[a] = ldexpf(x[a], i / 50 * 3);
            else if (x[a] < 0)
                x[a] += def.size[a];
        }
        const dunlin_batch one = {.cookie = WORLD_COOKIE,
                                  .count = 1,
                                  .position = {&x[0], &x[1], &x[2]},
                                  .velocity = {rest, rest, rest},
                                  .ids = &ids[i]};
        ACCEPT(dunlin_world_spawn(world, 0, &one, NULL, &refusal));
    }
}

static void compare(const dunlin_world_def *def, dunlin_survey *survey, float radius, plain_groups *want) {
    dunlin_world *world = world_without_agents(def, 3);
    spawn_many(world);
    for (int step = 0; step < 3; step += 2) { /* after two steps the state depends on the index */
        if (step) world_run(world, step);
        const uint64_t hash = dunlin_world_state_hash(world), generation = dunlin_world_generation(world);
        plain_groups moved;
        if (step) moved = search(world, radius);
        if (!step && want->count == 0) *want = search(world, radius);
        const dunlin_view view = dunlin_world_view(world, 0);
        dunlin_components groups;
        ACCEPT(dunlin_survey_components(survey, world, 0, radius, &groups, &refusal));
        assert_same(&groups, step ? &moved : want, &view);
        assert_true(hash == dunlin_world_state_hash(world) && generation == dunlin_world_generation(world));
    }
    world_destroy(world);
}

TEST(groups_are_those_of_all_pairs) {
    static const float radii[] = {0.01f, 0.8f, 3, 20, 70};
    static const int threads[] = TEST_THREADS(1, 2, 3, 7);
    dunlin_survey *survey = survey_create(); /* one for all worlds */
    for (int k = 0; k < 2 * 4 * 5; k++) {
        const dunlin_world_def def =
            world_def_with((world_parts){.dimensions = 2 + k % 2, .boundary = (dunlin_boundary)(k / 2 % 4)});
        plain_groups want = {.count = 0};
        for (int v = 0; v < world_variant_count(); v++) {
            if (!TEST_NIGHTLY && v > 0 && (v + k / 8) % 2) continue; /* each with some radii */
            dunlin_world_def variant = world_def_for(def, world_variant_at(v));
            variant.threads = threads[(v + k) % (int)(sizeof threads / sizeof *threads)];
            compare(&variant, survey, radii[k / 8], &want);
        }
    }
    dunlin_survey_destroy(survey);
}

/* ---- many threads at one forest ---------------------------------------------------------------------------------------- */

/* Lines, each a group that every tile and every thread has a part of, cross all rows of the grid. */
TEST(long_groups_are_whole) {
    enum { LINES = 7 };
    static const int threads[] = TEST_THREADS(1, 2, 3, 7, 16);
    const uint32_t count = (uint32_t)TEST_AGENTS(40000) / LINES * LINES;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        dunlin_world_def def = world_def_with((world_parts){.threads = threads[t], .boundary = DUNLIN_BOUNDARY_REFLECT});
        for (int a = 0; a < 2; a++) def.size[a] = (float)count;
        dunlin_world *world = world_without_agents(&def, 3);
        float *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y), *zero = calloc(count, sizeof *zero);
        uint32_t *order = malloc(count * sizeof *order);
        assert_true(x && y && zero && order);
        test_random random = {3};
        test_shuffle(&random, order, count);
        for (uint32_t i = 0; i < count; i++) {
            x[order[i]] = (float)(i % LINES) * 100.0f + (float)(i / LINES) * 0.5f;
            y[order[i]] = (float)(i / LINES);
        }
        const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = count, .position = {x, y}, .velocity = {zero, zero}};
        ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
        dunlin_survey *survey = survey_create();
        dunlin_components groups;
        for (int round = 0; round < TEST_EFFORT(3, 10, 20); round++) {
            ACCEPT(dunlin_survey_components(survey, world, 0, 1.2f, &groups, &refusal));
            assert_true(groups.count == LINES && groups.largest == count / LINES && groups.sizes[LINES - 1] == count / LINES);
            for (uint32_t i = LINES; i < count; i++)
                assert_int_equal(groups.labels[0][order[i]], groups.labels[0][order[i % LINES]]);
        }
        ACCEPT(dunlin_survey_components(survey, world, 0, 1.1f, &groups, &refusal));
        assert_true(groups.count == count && groups.typical_size == 1);
        dunlin_survey_destroy(survey);
        world_destroy(world);
        free(x), free(y), free(zero), free(order);
    }
}
