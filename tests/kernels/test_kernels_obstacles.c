/* SPDX-License-Identifier: MIT */
/*
 * Obstacles in kernels. Avoiding: every kernel, with boxes around the obstacles, has the bits of the scalar kernel, which
 * visits all obstacles in the opposite order. The scalar kernel agrees with an oracle in binary64 that follows the rays step
 * by step. Blocking: every kernel finds the agents that touch an obstacle, no agent ends inside one, and an agent that moves
 * straight had a free way.
 */
#include "engine/scenery/scenery.h"
#include "engine/frame/stages.h"
#include "engine/world/world.h"
#include "tests/lib/support.h"
#include "tests/lib/worlds.h"

enum { MOST_OBSTACLES = 1000, MOST_AGENTS = 70 };

/* ---- obstacles --------------------------------------------------------------------------------------------------------- */

/* FROM_AFAR: rays come from so far that binary32 cannot resolve where they pass among the obstacles. */
typedef enum figure { ANYWHERE, LATTICE, WALLS, CROWDED, FAR_AWAY, FIGURES, FROM_AFAR = FIGURES } figure;

static float coordinate(test_random *random, figure f) {
    switch (f) {
    case LATTICE:
        return (float)test_below(random, 11) * 10;
    case FAR_AWAY:
        return 1e6f + test_uniform(random, 0, 100);
    default:
        return test_uniform(random, 0, 100);
    }
}

static dunlin_obstacle_def draw(test_random *random, figure f) {
    dunlin_obstacle_def o = {.shape = f == WALLS ? DUNLIN_OBSTACLE_CAPSULE : (dunlin_obstacle_shape)test_below(random, 3)};
    o.radius = f == WALLS ? 0.0f : f == LATTICE ? (float)test_below(random, 4) : test_uniform(random, 0, f == CROWDED ? 15 : 3);
    for (int a = 0; a < 3; a++) {
        const float reach = f == CROWDED ? 30 : 8;
        o.a[a] = coordinate(random, f);
        o.b[a] = f == LATTICE ? coordinate(random, f) : o.a[a] + test_uniform(random, -reach, reach);
        if (o.shape != DUNLIN_OBSTACLE_BOX || o.a[a] <= o.b[a]) continue;
        const float low = o.b[a];
        o.b[a] = o.a[a];
        o.a[a] = low;
    }
    return o;
}

static dunlin_world *world_with(test_random *random, int dimensions, figure f, uint32_t count) {
    static dunlin_obstacle_def obstacles[MOST_OBSTACLES];
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    dunlin_world *world = world_create(&def);
    for (uint32_t i = 0; i < count; i++) obstacles[i] = draw(random, f);
    world_obstruct(world, obstacles, count);
    assert_true(dun_obstacles_prepare(world));
    return world;
}

/* The same obstacles, the last first, without boxes. */
static dun_obstacle_bins backwards(const dun_obstacle_bins *bins) {
    static uint32_t words[20][MOST_OBSTACLES];
    dun_obstacle_bins flat = *bins;
    int used = 0;
    flat.levels = 1;
    void *columns[20] = {&flat.number, &flat.solid, &flat.radius, &flat.inverse2};
    const int fixed = 4;
    for (int a = 0; a < bins->dimensions; a++) {
        columns[fixed + 4 * a] = &flat.a[a];
        columns[fixed + 4 * a + 1] = &flat.b[a];
        columns[fixed + 4 * a + 2] = &flat.boxes[0].min[a];
        columns[fixed + 4 * a + 3] = &flat.boxes[0].max[a];
    }
    for (int c = 0; c < fixed + 4 * bins->dimensions; c++, used++) {
        uint32_t *column;
        memcpy(&column, columns[c], sizeof column);
        for (uint32_t k = 0; k < bins->count; k++) words[used][k] = column[bins->count - 1 - k];
        column = words[used];
        memcpy(columns[c], &column, sizeof column);
    }
    return flat;
}

/* ---- agents: the padding after them is NaN ------------------------------------------------------------------------------ */

typedef struct padded_agents {
    uint32_t count;
    test_array position[3], velocity[3], out[3];
} padded_agents;

static padded_agents place(test_random *random, figure f, uint32_t count) {
    padded_agents made = {.count = count};
    const bool exact = test_below(random, 2);
    for (int a = 0; a < 3; a++) {
        made.position[a] = test_array_new(count);
        made.velocity[a] = test_array_new(count);
        made.out[a] = test_array_new(count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const bool rests = test_below(random, 8) == 0, straight = test_below(random, 3) == 0;
        const int axis = (int)test_below(random, 2);
        for (int a = 0; a < 3; a++) {
            const float x = f == FAR_AWAY ? coordinate(random, f) : test_uniform(random, -20, 120);
            made.position[a].at[i] = exact ? 5.0f * truncf(x / 5.0f) : x;
            made.velocity[a].at[i] = rests || (straight && a != axis) ? 0.0f : test_uniform(random, -3, 3);
            if (f != FROM_AFAR) continue;
            const float far = test_uniform(random, -1e7f, 1e7f);
            made.position[a].at[i] = x + far;
            made.velocity[a].at[i] = -far / 10;
        }
    }
    return made;
}

static void release(padded_agents *f) {
    for (int a = 0; a < 3; a++) {
        test_array_check(&f->position[a]);
        test_array_check(&f->out[a]);
        test_array_free(&f->position[a]);
        test_array_free(&f->velocity[a]);
        test_array_free(&f->out[a]);
    }
}

static dun_behave job_of(test_random *random, const dun_obstacle_bins *bins, const padded_agents *f) {
    dun_behave job = {
        .dimensions = bins->dimensions, .max_speed = {.all = 3}, .max_force = {.all = INFINITY}, .weight = {.all = 1}};
    job.avoid = (dun_behave_avoid){bins,
                                   {test_below(random, 2) ? test_uniform(random, 0, 20) : 0, test_uniform(random, 0, 30)},
                                   test_below(random, 2) ? 0.0f : test_uniform(random, 0, 2)};
    for (int a = 0; a < bins->dimensions; a++) {
        job.position[a] = f->position[a].at;
        job.velocity[a] = f->velocity[a].at;
        job.force[a] = f->out[a].at;
    }
    return job;
}

static void act(const dun_kernel *kernel, const dun_behave *job, padded_agents *f) {
    for (int a = 0; a < job->dimensions; a++) {
        test_array_reset(&f->out[a]);
        memset(f->out[a].at, 0, f->count * sizeof(float));
    }
    kernel->behave[DUN_BEHAVE_AVOID](job, f->count);
}

/* ---- an oracle --------------------------------------------------------------------------------------------------------- */

/* A lower bound of the distance from p to the surface of an obstacle grown by a radius; negative inside. */
static double gap_of(const dunlin_obstacle_def *o, int dimensions, double grown, const double p[3]) {
    double most = -1e300, along2 = 0, inner = 0, distance2 = 0;
    for (int a = 0; a < dimensions; a++) {
        const double low = (double)o->a[a], along = (o->shape == DUNLIN_OBSTACLE_BALL ? low : (double)o->b[a]) - low;
        most = fmax(most, fmax(low - p[a], p[a] - (low + along)) - grown);
        along2 += along * along;
        inner += (p[a] - low) * along;
    }
    if (o->shape == DUNLIN_OBSTACLE_BOX) return most;
    const double share = along2 > 0 ? fmax(0, fmin(1, inner / along2)) : 0;
    for (int a = 0; a < dimensions; a++) {
        const double low = (double)o->a[a], along = (o->shape == DUNLIN_OBSTACLE_BALL ? low : (double)o->b[a]) - low;
        distance2 += (p[a] - low - share * along) * (p[a] - low - share * along);
    }
    return sqrt(distance2) - (double)o->radius - grown;
}

typedef struct found {
    double time;   /* INFINITY: none */
    bool doubtful; /* the hit, or whether there is one, is within rounding of another answer */
    double normal[3];
} found;

/* Moves on as far as it can without meeting anything, until it has reached the end of the ray. */
static double feel(const dunlin_obstacle_def *o, int dimensions, double grown, const double p[3], const double v[3],
                   double look, double *min_gap) {
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double time = 0;
    *min_gap = 1e300;
    for (int step = 0; step < 3000 && time <= look; step++) {
        const double there[] = {p[0] + time * v[0], p[1] + time * v[1], p[2] + time * v[2]};
        const double gap = gap_of(o, dimensions, grown, there);
        *min_gap = fmin(*min_gap, gap);
        if (gap < 1e-9) return time;
        time += gap / speed;
    }
    return (double)INFINITY;
}

/* An obstacle beside the ray is no hit at all. */
static bool is_grazed(const dunlin_obstacle_def *o, int dimensions, double grown, const double p[3], const double v[3],
                      double look) {
    bool grazed = false;
    for (int a = 0; a < 2 * dimensions; a++) {
        double beside[] = {p[0], p[1], p[2]}, min_gap;
        beside[a / 2] += a % 2 ? 1e-3 : -1e-3;
        grazed = grazed || isinf(feel(o, dimensions, grown, beside, v, look, &min_gap));
    }
    return grazed;
}

static void slope_at(const dunlin_obstacle_def *o, int dimensions, double grown, const double p[3], double normal[3]) {
    const double by = 1e-6;
    for (int a = 0; a < dimensions; a++) {
        double up[] = {p[0], p[1], p[2]}, down[] = {p[0], p[1], p[2]};
        up[a] += by;
        down[a] -= by;
        normal[a] = (gap_of(o, dimensions, grown, up) - gap_of(o, dimensions, grown, down)) / (2 * by);
    }
}

static found look_for(const dunlin_world *world, const dun_behave *job, const double p[3], const double v[3]) {
    const dunlin_obstacle_view all = dunlin_world_obstacle_view(world);
    const double grown = (double)job->avoid.agent_radius, near = 1e-3, speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double look = (double)job->avoid.look_ahead.time + (double)job->avoid.look_ahead.distance / speed;
    found f = {.time = (double)INFINITY};
    for (uint32_t i = 0; i < all.count; i++) {
        double min_gap;
        const double time = feel(&all.obstacles[i], job->dimensions, grown, p, v, look + near, &min_gap);
        if (isinf(time) && min_gap < near) f.doubtful = true;
        if (fabs(time - look) < near || (!isinf(time) && fabs(time - f.time) < near)) f.doubtful = true;
        if (!(time < f.time)) continue;
        if (time < f.time - near && !isinf(f.time)) f.doubtful = false;
        f.time = time;
        const double before = fmax(0, time - 1e-4 / sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])); /* on this side of a wall */
        const double there[] = {p[0] + before * v[0], p[1] + before * v[1], p[2] + before * v[2]};
        if (fabs(gap_of(&all.obstacles[i], job->dimensions, grown, p)) < near) f.doubtful = true;
        if (is_grazed(&all.obstacles[i], job->dimensions, grown, p, v, look + 2 * near)) f.doubtful = true;
        slope_at(&all.obstacles[i], job->dimensions, grown, there, f.normal);
    }
    return f;
}

/* The force of dunlin_avoid at this hit. false: rounding decides. */
static bool way_of(const found *f, int dimensions, const double v[3], double way[3]) {
    double inner = 0, n2 = 0, v2 = 0, side2 = 0, way2 = 0;
    for (int a = 0; a < dimensions; a++) {
        n2 += f->normal[a] * f->normal[a];
        v2 += v[a] * v[a];
    }
    if (fabs(n2 - 1) > 1e-3) return false; /* an edge, or a wall's two sides */
    for (int a = 0; a < dimensions; a++) inner += f->normal[a] * v[a] / sqrt(v2);
    for (int a = 0; a < dimensions; a++) side2 += pow(f->normal[a] - inner * v[a] / sqrt(v2), 2);
    if (side2 < 0.01 && f->time > 0) return false;
    for (int a = 0; a < dimensions; a++) {
        way[a] = v[a] / sqrt(v2) + (f->normal[a] - inner * v[a] / sqrt(v2)) / sqrt(side2);
        if (f->time == 0) way[a] = f->normal[a];
        way2 += way[a] * way[a];
    }
    for (int a = 0; a < dimensions; a++) way[a] /= sqrt(way2);
    return true;
}

typedef struct tally {
    int hits, passes, doubts;
} tally;

static void compare_with_oracle(const dunlin_world *world, const dun_behave *job, uint32_t count, tally *t) {
    for (uint32_t i = 0; i < count; i++) {
        double p[3] = {0}, v[3] = {0}, way[3];
        bool rests = true, acts = false;
        for (int a = 0; a < job->dimensions; a++) {
            p[a] = (double)job->position[a][i];
            v[a] = (double)job->velocity[a][i];
            rests = rests && v[a] == 0;
            acts = acts || job->force[a][i] != 0.0f;
        }
        if (rests) {
            assert_false(acts);
            continue;
        }
        const found f = look_for(world, job, p, v);
        if (f.doubtful || (!isinf(f.time) && !way_of(&f, job->dimensions, v, way))) {
            t->doubts++;
            continue;
        }
        t->hits += !isinf(f.time);
        t->passes += isinf(f.time);
        assert_int_equal(acts, !isinf(f.time));
        for (int a = 0; a < job->dimensions && acts; a++) {
            const double got = (double)job->force[a][i] + v[a], want = 3 * way[a];
            if (fabs(got - want) > 0.01) fail_msg("agent %u, %c: %g instead of %g", i, "xyz"[a], got, want);
        }
    }
}

/* ---- avoiding ---------------------------------------------------------------------------------------------------------- */

static const uint32_t counts[] = {1, 2, 7, 8, 9, 64, 65, 100, 513, MOST_OBSTACLES};
enum { COUNTS = sizeof counts / sizeof *counts };

static void avoid_once(test_random *random, figure kind, uint32_t obstacles, tally *t) {
    static float want[3][MOST_AGENTS];
    const int dimensions = 2 + (int)test_below(random, 2);
    dunlin_world *world = world_with(random, dimensions, kind, obstacles);
    const dun_obstacle_bins *bins = &world->obstacles.bins, flat = backwards(bins);
    padded_agents f = place(random, kind, 1 + test_below(random, MOST_AGENTS));
    dun_behave job = job_of(random, bins, &f);
    job.avoid.bins = &flat;
    act(test_kernel(0), &job, &f);
    if (kind < FAR_AWAY) compare_with_oracle(world, &job, f.count, t);
    for (int a = 0; a < dimensions; a++) memcpy(want[a], f.out[a].at, f.count * sizeof(float));
    job.avoid.bins = bins;
    for (int k = 0; k < test_kernel_count(); k++) {
        act(test_kernel(k), &job, &f);
        for (int a = 0; a < dimensions; a++) test_same_bits(f.out[a].at, want[a], f.count, test_kernel(k)->name);
    }
    release(&f);
    world_destroy(world);
}

TEST(every_kernel_avoids_the_nearest_obstacle_with_the_same_bits) {
    test_random random = {.state = 1};
    tally t = {0};
    for (int round = 0; round < TEST_ROUNDS(16); round++)
        for (int f = 0; f <= FROM_AFAR; f++)
            for (int c = 0; c < COUNTS; c++) avoid_once(&random, (figure)f, counts[c], &t);
    print_message("%d hits, %d passed, %d in doubt\n", t.hits, t.passes, t.doubts);
    assert_true(t.hits > 100 * TEST_ROUNDS(16) && t.passes > 100 * TEST_ROUNDS(16));
}

/* ---- blocking ---------------------------------------------------------------------------------------------------------- */

static double min_gap_of(const dunlin_world *world, double grown, const double p[3]) {
    const dunlin_obstacle_view all = dunlin_world_obstacle_view(world);
    double min_gap = (double)INFINITY;
    for (uint32_t i = 0; i < all.count; i++)
        min_gap = fmin(min_gap, gap_of(&all.obstacles[i], world->def.dimensions, grown, p));
    return min_gap;
}

static bool way_is_free(const dunlin_world *world, double grown, const double p[3], const double v[3]) {
    const dunlin_obstacle_view all = dunlin_world_obstacle_view(world);
    double min_gap;
    for (uint32_t i = 0; i < all.count; i++)
        if (!isinf(feel(&all.obstacles[i], world->def.dimensions, grown, p, v, 1, &min_gap))) return false;
    return true;
}

typedef struct outcome {
    int straight, stopped, inside;
} outcome;

static void check_step(const dunlin_world *world, const dun_slide *slide, const float *const wish[3], uint32_t i, outcome *o) {
    const int dimensions = world->def.dimensions;
    double p[3] = {0}, v[3] = {0}, q[3] = {0}, largest = 0;
    bool straight = true;
    for (int a = 0; a < dimensions; a++) {
        p[a] = (double)slide->from[a][i];
        v[a] = (double)wish[a][i] - p[a];
        q[a] = (double)slide->to_position[a][i];
        largest = fmax(largest, fabs(p[a]));
        straight = straight && slide->to_position[a][i] == wish[a][i];
    }
    if (min_gap_of(world, (double)slide->radius, p) < 1e-3 + 0.3 * 0x1p-20 * largest) {
        o->inside++;
        return;
    }
    assert_true(min_gap_of(world, (double)slide->radius, q) > 0);
    o->straight += straight;
    o->stopped += !straight;
    if (straight) assert_true(way_is_free(world, (double)slide->radius, p, v));
}

/* Agents that are not listed move straight. Every kernel lists all agents that do not. Boxes change nothing. */
static void block_once(test_random *random, figure kind, uint32_t obstacles, outcome *o) {
    static float wish[3][MOST_AGENTS + DUN_PADDING], again[3][MOST_AGENTS], speed[3][MOST_AGENTS];
    const int dimensions = 2 + (int)test_below(random, 2);
    dunlin_world *world = world_with(random, dimensions, kind, obstacles);
    const dun_obstacle_bins flat = backwards(&world->obstacles.bins);
    padded_agents f = place(random, kind, 1 + test_below(random, MOST_AGENTS));
    const float radius = test_below(random, 2) ? 0.0f : test_uniform(random, 0, 2),
                far = powf(10, (float)test_below(random, 7) - 1);
    dun_slide slide = {.bins = &world->obstacles.bins, .radius = radius};
    dun_touch touch = {.bins = slide.bins, .radius = radius};
    for (int a = 0; a < dimensions; a++) {
        slide.from[a] = touch.from[a] = f.position[a].at;
        slide.to_position[a] = f.out[a].at;
        slide.to_velocity[a] = f.velocity[a].at;
        touch.to[a] = wish[a];
        for (uint32_t i = 0; i < f.count; i++) wish[a][i] = f.out[a].at[i] = f.position[a].at[i] + far * f.velocity[a].at[i];
        memcpy(speed[a], f.velocity[a].at, f.count * sizeof(float));
    }
    for (uint32_t i = 0; i < f.count; i++) dun_slide_agent(&slide, i);
    for (int k = 0; k < test_kernel_count(); k++) {
        int32_t touched[MOST_AGENTS + DUN_PADDING];
        const uint32_t touches = test_kernel(k)->touch(&touch, f.count, touched);
        bool listed[MOST_AGENTS] = {false};
        for (uint32_t t = 0; t < touches; t++) {
            assert_true(touched[t] >= 0 && (uint32_t)touched[t] < f.count && (t == 0 || touched[t - 1] < touched[t]));
            listed[touched[t]] = true;
        }
        for (uint32_t i = 0; i < f.count; i++)
            for (int a = 0; a < dimensions; a++)
                assert_true(listed[i] || (slide.to_position[a][i] == wish[a][i] && slide.to_velocity[a][i] == speed[a][i]));
    }
    for (uint32_t i = 0; i < f.count; i++) check_step(world, &slide, (const float *const[]){wish[0], wish[1], wish[2]}, i, o);
    for (int a = 0; a < dimensions; a++) {
        memcpy(again[a], f.out[a].at, f.count * sizeof(float));
        memcpy(f.out[a].at, wish[a], f.count * sizeof(float));
    }
    slide.bins = &flat;
    for (uint32_t i = 0; i < f.count; i++) dun_slide_agent(&slide, i);
    for (int a = 0; a < dimensions; a++) test_same_bits(f.out[a].at, again[a], f.count, "without boxes");
    release(&f);
    world_destroy(world);
}

TEST(no_agent_ends_inside_or_goes_through) {
    test_random random = {.state = 2};
    outcome o = {0};
    for (int round = 0; round < TEST_ROUNDS(24); round++)
        for (int f = 0; f < FIGURES; f++)
            for (int c = 0; c < COUNTS; c++) block_once(&random, (figure)f, counts[c], &o);
    print_message("%d went straight, %d were stopped, %d began inside\n", o.straight, o.stopped, o.inside);
    assert_true(o.straight > 100 * TEST_ROUNDS(24) && o.stopped > 100 * TEST_ROUNDS(24));
}

/* ---- bins -------------------------------------------------------------------------------------------------------------- */

TEST_EACH(boxes_hold_what_is_in_them, f, 0, FIGURES) {
    static test_random random = {.state = 3};
    dunlin_world *world = world_with(&random, 3, (figure)f, MOST_OBSTACLES);
    const dun_obstacle_bins *bins = &world->obstacles.bins;
    bool seen[MOST_OBSTACLES] = {false};
    assert_int_equal(bins->levels, 4); /* 1000, 125, 16, 2 */
    for (uint32_t k = 0; k < bins->count; k++) {
        const dunlin_obstacle_def *o = &dunlin_world_obstacle_view(world).obstacles[bins->number[k]];
        assert_false(seen[bins->number[k]]);
        seen[bins->number[k]] = true;
        for (int a = 0; a < 3; a++) {
            const float more = o->shape == DUNLIN_OBSTACLE_BOX ? 0 : o->radius,
                        b = o->shape == DUNLIN_OBSTACLE_BALL ? o->a[a] : o->b[a];
            assert_true(bins->boxes[0].min[a][k] <= fminf(o->a[a], b) - more);
            assert_true(bins->boxes[0].max[a][k] >= fmaxf(o->a[a], b) + more);
        }
    }
    for (int level = 1; level < bins->levels; level++)
        for (uint32_t b = 0; b < bins->boxes[level - 1].count; b++)
            for (int a = 0; a < 3; a++)
                assert_true(bins->boxes[level].min[a][b / 8] <= bins->boxes[level - 1].min[a][b] &&
                            bins->boxes[level].max[a][b / 8] >= bins->boxes[level - 1].max[a][b]);
}
