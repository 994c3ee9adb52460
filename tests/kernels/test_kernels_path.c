/* SPDX-License-Identifier: MIT */
/*
 * Following paths: every kernel, with boxes around the segments, has the bits of the scalar kernel, which visits all segments.
 * The paths are difficult: equal distances everywhere, equal points, all points the same, far away, or one straight line
 * towards its end.
 */
#include "engine/world/world.h"
#include "tests/lib/support.h"
#include "tests/lib/worlds.h"

enum { MOST_POINTS = 3000, MOST_AGENTS = 130 };

/* ---- paths ------------------------------------------------------------------------------------------------------------- */

typedef enum figure { ANYWHERE, WALK, LATTICE, STRAIGHT, REPEATED, ONE_POINT, FAR_AWAY, FIGURES } figure;

static float coordinate(test_random *random, figure f, uint32_t i, float before) {
    switch (f) {
    case WALK:
        return before + test_uniform(random, -1, 1);
    case LATTICE:
        return (float)test_below(random, 5) * 10;
    case STRAIGHT:
        return (float)i * 0.125f;
    case REPEATED:
        return i > 0 && test_below(random, 3) ? before : test_uniform(random, 0, 100);
    case ONE_POINT:
        return 50;
    case FAR_AWAY:
        return test_uniform(random, -1e9f, 1e9f);
    default:
        return test_uniform(random, 0, 100);
    }
}

/* REPEATED repeats whole points. */
static void draw(test_random *random, figure f, float points[3][MOST_POINTS], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t state = random->state;
        for (int a = 0; a < 3; a++) {
            if (f == REPEATED && state % 2)
                points[a][i] = i ? points[a][i - 1] : 50;
            else
                points[a][i] = coordinate(random, f, i, i ? points[a][i - 1] : 50);
        }
    }
}

static dunlin_world *world_with_path(test_random *random, int dimensions, figure f, uint32_t count) {
    static float points[3][MOST_POINTS];
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    dunlin_world *world = world_create(&def);
    draw(random, f, points, count);
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = count;
    path.closed = test_below(random, 2);
    for (int a = 0; a < 3; a++) path.points[a] = points[a];
    world_add_path(world, &path);
    return world;
}

/* ---- agents: the padding after them is NaN ------------------------------------------------------------------------------ */

typedef struct followers {
    uint32_t count;
    test_array position[3], velocity[3], force[3];
} followers;

static followers place(test_random *random, const dun_polyline *line, uint32_t count) {
    followers f = {.count = count};
    const bool near = test_below(random, 2), resting = test_below(random, 4) == 0, exact = test_below(random, 2);
    for (int a = 0; a < 3; a++) {
        f.position[a] = test_array_new(count);
        f.velocity[a] = test_array_new(count);
        f.force[a] = test_array_new(count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t point = test_below(random, line->segments);
        for (int a = 0; a < 3; a++) {
            float x = test_uniform(random, -20, 120);
            if (near && line->point[a]) x = line->point[a][point] + test_uniform(random, -2, 2);
            f.position[a].at[i] = exact ? 5.0f * truncf(x / 5.0f) : x;
            f.velocity[a].at[i] = resting ? 0.0f : test_uniform(random, -1, 1);
            f.force[a].at[i] = 0.0f;
        }
    }
    return f;
}

static void release(followers *f) {
    for (int a = 0; a < 3; a++) {
        test_array_check(&f->position[a]);
        test_array_check(&f->force[a]);
        test_array_free(&f->position[a]);
        test_array_free(&f->velocity[a]);
        test_array_free(&f->force[a]);
    }
}

static dun_ahead any_ahead(test_random *random) {
    return (dun_ahead){test_below(random, 2) ? test_uniform(random, 0, 5) : 0,
                       test_below(random, 2) ? test_uniform(random, 0, 5) : 0};
}

static dun_behave job_of(test_random *random, int dimensions, const dun_polyline *line, const followers *f) {
    dun_behave job = {.dimensions = dimensions,
                      .max_speed = {.all = 3},
                      .max_force = {.all = test_below(random, 2) ? INFINITY : 0.5f},
                      .weight = {.all = 1.5f},
                      .path = {.line = line,
                               .off = (dun_path_off)test_below(random, 3),
                               .radius2 = test_below(random, 2) ? 0.0f : 4.0f,
                               .prediction = any_ahead(random),
                               .ahead = any_ahead(random),
                               .ahead_share = test_below(random, 2) ? test_uniform(random, 0, 1) : 0}};
    for (int a = 0; a < dimensions; a++) {
        job.position[a] = f->position[a].at;
        job.velocity[a] = f->velocity[a].at;
        job.force[a] = f->force[a].at;
    }
    return job;
}

/* The forces of all kernels on these agents. */
static bool compare(dun_behave job, followers *f) {
    static float want[3][MOST_AGENTS];
    const dun_polyline *line = job.path.line;
    dun_polyline all = *line;
    all.levels = 0;
    job.path.line = &all;
    test_kernel(0)->behave[DUN_BEHAVE_PATH](&job, f->count);
    bool moved = false;
    for (int a = 0; a < job.dimensions; a++) {
        memcpy(want[a], f->force[a].at, f->count * sizeof(float));
        for (uint32_t i = 0; i < f->count; i++) moved = moved || want[a][i] != 0.0f;
    }
    job.path.line = line;
    for (int k = 0; k < test_kernel_count(); k++) {
        for (int a = 0; a < job.dimensions; a++) {
            test_array_reset(&f->force[a]);
            memset(f->force[a].at, 0, f->count * sizeof(float));
        }
        test_kernel(k)->behave[DUN_BEHAVE_PATH](&job, f->count);
        for (int a = 0; a < job.dimensions; a++) test_same_bits(f->force[a].at, want[a], f->count, test_kernel(k)->name);
    }
    return moved;
}

/* ---- beside a point, where two segments are as near but for rounding ---------------------------------------------------- */

typedef struct chosen {
    uint32_t segment;
    bool onwards;      /* the segment's end replaces the foot, with the direction of the next segment */
    double towards[3]; /* of length 1 */
    bool tied;         /* two feet inside their segments are too alike for binary32 */
} chosen;

/* The documented force in binary64; the first of equal distances counts. For agents at rest. */
static chosen choose(const dun_behave *job, const double at[3]) {
    const dun_polyline *line = job->path.line;
    const int dimensions = job->dimensions;
    chosen best = {0};
    double nearest2 = (double)INFINITY, inside2 = (double)INFINITY, point[3] = {0}, along[3] = {0};
    for (uint32_t k = 0; k < line->segments; k++) {
        double length2 = 0, foot = 0, d2 = 0, share, candidate[3], way[3];
        for (int a = 0; a < dimensions; a++) {
            way[a] = (double)line->point[a][k + 1] - (double)line->point[a][k];
            length2 += way[a] * way[a];
            foot += (at[a] - (double)line->point[a][k]) * way[a];
        }
        foot = length2 > 0 ? foot / length2 : 0;
        share = foot > 1 || (foot < 0 && job->path.off != DUN_PATH_CLAMP) ? 1 : foot < 0 ? 0 : foot;
        for (int a = 0; a < dimensions; a++) {
            candidate[a] = (double)line->point[a][k] + share * way[a];
            d2 += (candidate[a] - at[a]) * (candidate[a] - at[a]);
        }
        if (foot > 0 && foot < 1) {
            best.tied = best.tied || fabs(d2 - inside2) < 1e-5 * d2;
            inside2 = fmin(d2, inside2);
        }
        if (d2 >= nearest2) continue;
        const uint32_t after = k + 1 < line->segments ? k + 1 : line->closed ? 0 : k;
        const bool next = job->path.off == DUN_PATH_NEXT && (foot < 0 || foot > 1);
        nearest2 = d2;
        best.segment = k;
        best.onwards = next;
        for (int a = 0; a < dimensions; a++) {
            const double onwards = (double)line->point[a][after + 1] - (double)line->point[a][after];
            point[a] = candidate[a];
            along[a] = next ? onwards : way[a];
        }
    }
    const double ahead = (double)job->path.ahead.distance + (double)job->path.ahead_share * sqrt(nearest2);
    double length = 0, away = 0;
    for (int a = 0; a < dimensions; a++) length += along[a] * along[a];
    for (int a = 0; a < dimensions; a++) {
        if (length > 0) point[a] += ahead * along[a] / sqrt(length);
        away += (point[a] - at[a]) * (point[a] - at[a]);
    }
    for (int a = 0; a < dimensions; a++) best.towards[a] = (point[a] - at[a]) / sqrt(away);
    return best;
}

/* The same segment is nearest in a neighbourhood of the agent; otherwise there is more than one right answer. */
static bool is_clear(const dun_behave *job, const double at[3], chosen *choice) {
    const double around = 1e-4;
    *choice = choose(job, at);
    bool clear = !choice->tied;
    for (int a = 0; a < job->dimensions; a++) {
        for (int side = -1; side <= 1; side += 2) {
            double moved[3] = {at[0], at[1], at[2]};
            moved[a] += side * around;
            const chosen other = choose(job, moved);
            clear = clear && other.segment == choice->segment && other.onwards == choice->onwards;
        }
    }
    return clear;
}

/* Perpendicular to one of a point's two segments, then a little along it, or back. */
static void place_beside_points(test_random *random, const dun_polyline *line, int dimensions, const followers *f) {
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t point = 1 + test_below(random, line->segments - 1), k = point - test_below(random, 2);
        const float further = test_uniform(random, -0.02f, 0.02f);
        float square[3], length2 = 0, across = 0;
        for (int a = 0; a < dimensions; a++) {
            square[a] = test_uniform(random, -50, 50);
            length2 += line->along[a][k] * line->along[a][k];
            across += square[a] * line->along[a][k];
        }
        for (int a = 0; a < dimensions; a++) {
            const float along = line->along[a][k];
            const float to_foot = further / sqrtf(length2) - across / length2;
            f->position[a].at[i] = line->point[a][point] + square[a] + to_foot * along;
            f->velocity[a].at[i] = f->force[a].at[i] = 0;
        }
    }
}

/* How many of the `clear` agents turn in a wrong direction. */
static int count_wrong(const dun_behave *job, const followers *f, int *clear) {
    int wrong = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        double at[3] = {0}, miss = 0;
        for (int a = 0; a < job->dimensions; a++) at[a] = (double)f->position[a].at[i];
        chosen want;
        if (!is_clear(job, at, &want)) continue;
        for (int a = 0; a < job->dimensions; a++) miss = fmax(miss, fabs((double)f->force[a].at[i] - want.towards[a]));
        wrong += miss > 1e-4;
        (*clear)++;
    }
    return wrong;
}

TEST_EACH(rounding_does_not_turn_an_agent_at_a_point, off, 0, 3) {
    static test_random random = {.state = 4};
    int wrong = 0, clear = 0;
    for (int round = 0; round < TEST_ROUNDS(800); round++) {
        const int dimensions = 2 + (int)test_below(&random, 2);
        dunlin_world *world = world_with_path(&random, dimensions, ANYWHERE, 3 + test_below(&random, 30));
        const dun_polyline *line = &world->paths[0].line;
        followers f = place(&random, line, MOST_AGENTS);
        place_beside_points(&random, line, dimensions, &f);
        dun_behave job = job_of(&random, dimensions, line, &f);
        job.max_speed.all = job.weight.all = 1;
        job.max_force.all = INFINITY;
        job.path = (dun_behave_path){
            .line = line, .off = (dun_path_off)off, .ahead = {.distance = 10}, .ahead_share = 0.5f * (float)off};
        test_kernel(test_kernel_count() - 1)->behave[DUN_BEHAVE_PATH](&job, f.count);
        wrong += count_wrong(&job, &f, &clear);
        release(&f);
        world_destroy(world);
    }
    print_message("off %d: %d of %d turn elsewhere\n", off, wrong, clear);
    assert_true(clear > TEST_ROUNDS(800) * MOST_AGENTS / 2);
    assert_int_equal(wrong, 0);
}

/* ---- tests ------------------------------------------------------------------------------------------------------------- */

static const uint32_t counts[] = {2, 3, 5, 16, 17, 18, 40, 64, 65, 66, 129, 513, 1000, MOST_POINTS};
enum { COUNTS = sizeof counts / sizeof *counts };

TEST(boxes_change_no_bit) {
    test_random random = {.state = 1};
    int moved = 0, rounds = 0;
    for (int round = 0; round < TEST_ROUNDS(12); round++) {
        for (int f = 0; f < FIGURES; f++) {
            for (int c = 0; c < COUNTS; c++) {
                const int dimensions = 2 + (int)test_below(&random, 2);
                dunlin_world *world = world_with_path(&random, dimensions, (figure)f, counts[c]);
                const dun_polyline *line = &world->paths[0].line;
                assert_int_equal(line->levels > 0, line->segments > 16);
                followers followed = place(&random, line, 1 + test_below(&random, MOST_AGENTS));
                moved += compare(job_of(&random, dimensions, line, &followed), &followed);
                rounds++;
                release(&followed);
                world_destroy(world);
            }
        }
    }
    print_message("forces on some agent in %d of %d cases\n", moved, rounds);
    assert_true(2 * moved > rounds);
}

/* Every segment is in its box, and every box in the box above it. */
TEST_EACH(boxes_contain_their_segments, f, 0, FIGURES) {
    static test_random random = {.state = 2};
    dunlin_world *world = world_with_path(&random, 3, (figure)f, MOST_POINTS);
    const dun_polyline *line = &world->paths[0].line;
    assert_int_equal(line->levels, 3); /* 375, 47, 6 boxes */
    assert_true(line->boxes[2].count <= DUN_BOX_FAN);
    for (int a = 0; a < 3; a++) {
        for (uint32_t k = 0; k < line->segments; k++) {
            const float x = line->point[a][k], reached = x + line->along[a][k], to = line->point[a][k + 1];
            const float low = line->boxes[0].min[a][k / 8], high = line->boxes[0].max[a][k / 8];
            assert_true(low <= x && low <= to && low <= reached && high >= x && high >= to && high >= reached);
        }
        for (int level = 1; level < line->levels; level++) {
            for (uint32_t b = 0; b < line->boxes[level - 1].count; b++) {
                assert_true(line->boxes[level].min[a][b / 8] <= line->boxes[level - 1].min[a][b]);
                assert_true(line->boxes[level].max[a][b / 8] >= line->boxes[level - 1].max[a][b]);
            }
        }
    }
}

/* The longest path that is allowed, with every agent at one of its points. */
TEST(the_longest_path) {
    enum { LONGEST = 1000000 };
    static float x[LONGEST], y[LONGEST];
    for (uint32_t i = 0; i < LONGEST; i++) {
        x[i] = (float)(i % 1000);
        y[i] = (float)(i / 1000) + (i % 2000 == 1000 ? 0.25f : 0.0f);
    }
    dunlin_world *world = world_create(NULL);
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = LONGEST;
    path.closed = true;
    path.points[0] = x;
    path.points[1] = y;
    world_add_path(world, &path);
    const dun_polyline *line = &world->paths[0].line;
    assert_int_equal(line->levels, DUN_PATH_LEVELS);
    test_random random = {.state = 3};
    followers f = place(&random, line, 20);
    const dun_behave job = job_of(&random, 2, line, &f);
    assert_true(compare(job, &f));
    release(&f);
}
