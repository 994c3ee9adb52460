/* SPDX-License-Identifier: MIT */
/*
 * The models from the literature: each step against plain loops in double precision, the same bits everywhere, and refused
 * mistakes.
 */
#include "harness/models/model.h"
#include "tests/lib/worlds.h"

enum { MOST = 400, STEPS = TEST_SLOW ? 2 : 5 };

/* A model in a world of its own. */
typedef struct model_simulation {
    model m;
    int dimensions;
    dunlin_boundary boundary;
    uint32_t agents;
    float size, speed, time_step;
    bool increments; /* the forces are */
} model_simulation;

static const model_simulation simulations[] = {
    {{.kind = MODEL_VICSEK, .vicsek = {1, 0.5f}}, 2, DUNLIN_BOUNDARY_PERIODIC, 400, 10, 0.03f, 1, false},
    {{.kind = MODEL_VICSEK, .vicsek = {9, 6}}, 2, DUNLIN_BOUNDARY_PERIODIC, 200, 9, 0.03f, 1, false}, /* every agent sees every
                                                                                                         other */
    {{.kind = MODEL_VICSEK, .vicsek = {2, 1}}, 2, DUNLIN_BOUNDARY_OPEN, 300, 20, 0.5f, 0.5f, false},
    {{.kind = MODEL_COUZIN, .couzin = {1, 2, 14, 90, 40, 0}}, 3, DUNLIN_BOUNDARY_OPEN, 100, 12, 3, 0.1f, false},
    {{.kind = MODEL_COUZIN, .couzin = {1, 2, 3, 60, 400, 0}}, 3, DUNLIN_BOUNDARY_PERIODIC, 400, 20, 1, 0.1f, false},
    {{.kind = MODEL_COUZIN, .couzin = {0.5f, 1, 3, 200, 1e6f, 0}}, 2, DUNLIN_BOUNDARY_OPEN, 300, 20, 1, 0.2f, false},
    {{.kind = MODEL_CIRCLES, .circles = {2, 0.05f}}, 3, DUNLIN_BOUNDARY_OPEN, 400, 7, 100, 1, false},
    {{.kind = MODEL_CIRCLES, .circles = {3, -0.2f}}, 3, DUNLIN_BOUNDARY_PERIODIC, 400, 9, 100, 0.5f, false},
    {{.kind = MODEL_MATCHING, .matching = {5, 1, 0.03f, 0.015f, 0.05f}}, 2, DUNLIN_BOUNDARY_PERIODIC, 400, 60, 1, 1, false},
    {{.kind = MODEL_MATCHING, .matching = {4, 2, 0.1f, 0.5f, 0.3f}}, 3, DUNLIN_BOUNDARY_OPEN, 400, 20, 1, 0.5f, true},
};
enum { SIMULATIONS = sizeof simulations / sizeof *simulations };

/* *m must live as long as the world. */
static dunlin_world *take_off(const model_simulation *f, world_variant variant, int threads, model *m) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    dunlin_species_def species = dunlin_species_def_default();
    def.dimensions = f->dimensions;
    def.boundary = f->boundary;
    def.time_step = f->time_step;
    def.forces_are_increments = f->increments;
    def.threads = threads;
    def.seed = 7;
    for (int a = 0; a < 3; a++) def.size[a] = f->size;
    species.max_speed = f->speed;
    species.max_force = 0; /* limits none of their values */
    dunlin_world *world = world_create(&def);
    world_add_species(world, &species);
    *m = f->m;
    ACCEPT(model_put(world, 0, 0, m, &refusal));
    dunlin_scatter_def start = dunlin_scatter_def_default(world);
    start.count = f->agents;
    start.min_speed = start.max_speed = f->m.kind == MODEL_CIRCLES ? 0 : f->speed;
    ACCEPT(dunlin_world_scatter(world, 0, &start, &refusal));
    return world;
}

/* ---- plain loops ------------------------------------------------------------------------------------------------------- */

/* The agents before a step. */
typedef struct model_agents {
    const model_simulation *f;
    uint64_t step;
    uint32_t count, id[MOST];
    double x[MOST][3], v[MOST][3];
} model_agents;

static model_agents look(const model_simulation *f, const dunlin_world *world) {
    const dunlin_view view = dunlin_world_view(world, 0);
    model_agents c = {.f = f, .step = dunlin_world_stats(world).step, .count = view.count};
    for (uint32_t i = 0; i < view.count; i++) {
        c.id[i] = view.id[i];
        for (int a = 0; a < f->dimensions; a++) {
            c.x[i][a] = (double)view.position[a][i];
            c.v[i][a] = (double)view.velocity[a][i];
        }
    }
    return c;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add(double to[3], const double v[3], double times) {
    for (int a = 0; a < 3; a++) to[a] += times * v[a];
}

/* false: too short for a direction in binary32. */
static bool bring_to(double v[3], double length) {
    const double now = sqrt(dot(v, v));
    for (int a = 0; a < 3; a++) v[a] *= length / now;
    return now > 1e-3;
}

static double offset(const model_agents *c, uint32_t i, uint32_t j, double to[3]) {
    const double size = (double)c->f->size;
    for (int a = 0; a < 3; a++) {
        to[a] = c->x[j][a] - c->x[i][a];
        if (c->f->boundary == DUNLIN_BOUNDARY_PERIODIC) to[a] -= size * round(to[a] / size);
    }
    return sqrt(dot(to, to));
}

static bool is_on(double value, double edge) {
    return fabs(value - edge) < 1e-4;
}

static bool vicsek(const model_agents *c, uint32_t i, double want[3]) {
    const model_vicsek *m = &c->f->m.vicsek;
    double to[3], sum[3] = {0};
    bool sure = true;
    for (uint32_t j = 0; j < c->count; j++) {
        const double d = offset(c, i, j, to);
        sure = sure && !is_on(d, (double)m->radius);
        if (d <= (double)m->radius) add(sum, c->v[j], 1);
    }
    float u[4];
    dunlin_draw(7, c->id[i], c->step, 0, u);
    const double angle = (double)m->noise * ((double)u[0] - 0.5);
    sure = bring_to(sum, (double)c->f->speed) && sure;
    want[0] = cos(angle) * sum[0] - sin(angle) * sum[1];
    want[1] = sin(angle) * sum[0] + cos(angle) * sum[1];
    want[2] = 0;
    return sure;
}

/* Turns the unit vector `from` towards `to`, by at most that angle. */
static bool turn(const double from[3], const double to[3], double most, double want[3]) {
    const double between = acos(fmax(fmin(dot(from, to), 1), -1));
    double across[3] = {to[0], to[1], to[2]};
    memcpy(want, to, 3 * sizeof *want);
    if (between <= most) return true;
    add(across, from, -dot(from, to));
    const bool sure = bring_to(across, 1) && between < 3.1;
    for (int a = 0; a < 3; a++) want[a] = cos(most) * from[a] + sin(most) * across[a];
    return sure;
}

static bool couzin(const model_agents *c, uint32_t i, double want[3]) {
    const model_couzin *m = &c->f->m.couzin;
    const double pi = acos(-1), near = (double)m->repulsion, mid = near + (double)m->orientation;
    const double far = mid + (double)m->attraction, widest = pi - (double)m->blind * pi / 360;
    double heading[3] = {c->v[i][0], c->v[i][1], c->v[i][2]}, repelled[3] = {0}, oriented[3] = {0}, attracted[3] = {0};
    int nears = 0, orients = 0, attracts = 0;
    bool sure = bring_to(heading, 1);
    for (uint32_t j = 0; j < c->count; j++) {
        double to[3], their[3] = {c->v[j][0], c->v[j][1], c->v[j][2]};
        const double d = offset(c, i, j, to);
        if (j == i || d > far + 1) continue;
        bring_to(their, 1);
        const double angle = acos(fmax(fmin(dot(heading, to) / d, 1), -1));
        sure = sure && !is_on(d, near) && !is_on(d, mid) && !is_on(d, far) && !is_on(angle, widest);
        if (d <= near) {
            nears++;
            add(repelled, to, -1 / d);
        } else if (angle <= widest && d <= mid) {
            orients++;
            add(oriented, their, 1);
        } else if (angle <= widest && d <= far) {
            attracts++;
            add(attracted, to, 1 / d);
        }
    }
    double wanted[3] = {0};
    add(wanted, repelled, nears > 0 ? 1 : 0);
    add(wanted, oriented, nears > 0 ? 0 : orients > 0 && attracts > 0 ? 0.5 : 1);
    add(wanted, attracted, nears > 0 ? 0 : orients > 0 && attracts > 0 ? 0.5 : 1);
    if (nears + orients + attracts == 0) add(wanted, heading, 1);
    sure = bring_to(wanted, 1) && sure;
    sure = turn(heading, wanted, (double)m->turning * (double)c->f->time_step * pi / 180, want) && sure;
    for (int a = 0; a < 3; a++) want[a] *= (double)c->f->speed;
    return sure;
}

static bool circles(const model_agents *c, uint32_t i, double want[3]) {
    const model_circles *m = &c->f->m.circles;
    double to[3], sum[3] = {0};
    int count = 0;
    bool sure = true;
    for (uint32_t j = 0; j < c->count; j++) {
        const double s = offset(c, i, j, to), r = (double)m->radius;
        sure = sure && !is_on(s, r) && (i == j || s > 1e-2);
        if (s == 0 || s >= r) continue;
        add(sum, to, (double)m->strength * sin(s / r * 3.141 * -2) / s);
        count++;
    }
    for (int a = 0; a < 3; a++) want[a] = count > 0 ? sum[a] / count / (double)c->f->time_step : 0;
    return sure;
}

static bool matching(const model_agents *c, uint32_t i, double want[3]) {
    const model_matching *m = &c->f->m.matching;
    double to[3], sum[3] = {0};
    int count = 0;
    bool sure = true;
    for (uint32_t j = 0; j < c->count; j++) {
        const double d = offset(c, i, j, to);
        sure = sure && !is_on(d, (double)m->radius) && !is_on(d, (double)m->distance);
        if (j == i || d > (double)m->radius) continue;
        count++;
        add(sum, to, (double)m->cohere - (d < (double)m->distance ? (double)m->separate : 0));
        add(sum, c->v[j], (double)m->match);
    }
    memcpy(want, c->v[i], 3 * sizeof *want);
    add(want, sum, count > 0 ? 1.0 / count : 0);
    return bring_to(want, (double)c->f->speed) && sure;
}

static bool oracle(const model_agents *c, uint32_t i, double want[3]) {
    static bool (*const of[MODEL_KINDS])(const model_agents *, uint32_t, double[3]) = {
        [MODEL_VICSEK] = vicsek, [MODEL_COUZIN] = couzin, [MODEL_CIRCLES] = circles, [MODEL_MATCHING] = matching};
    return of[c->f->m.kind](c, i, want);
}

/* Compares to 1e-5 of the speed, or of the maximum displacement. Returns the number of compared agents. */
static uint32_t compare(const model_agents *c, dunlin_world *world) {
    const dunlin_view view = dunlin_world_view(world, 0);
    const double scale = c->f->m.kind == MODEL_CIRCLES ? 0.2 : (double)c->f->speed;
    uint32_t compared = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        double want[3];
        if (!oracle(c, i, want)) continue;
        const uint32_t slot = dunlin_world_find_agent(world, c->id[i]).index;
        for (int a = 0; a < c->f->dimensions; a++)
            if (!(fabs((double)view.velocity[a][slot] - want[a]) <= 1e-5 * scale))
                fail_msg("model %d, simulation %d, step %d: agent %u is %.9g instead of %.9g fast along %c", (int)c->f->m.kind,
                         (int)(c->f - simulations), (int)c->step, c->id[i], (double)view.velocity[a][slot], want[a], "xyz"[a]);
        compared++;
    }
    return compared;
}

TEST(each_step_equals_plain_loops) {
    for (int f = 0; f < SIMULATIONS; f++) {
        for (int v = 0; v < world_variant_count(); v++) {
            model m;
            dunlin_world *world = take_off(&simulations[f], world_variant_at(v), 1 + v % 3, &m);
            uint32_t compared = 0;
            for (int step = 0; step < STEPS; step++) {
                const model_agents before = look(&simulations[f], world);
                world_run(world, 1);
                compared += compare(&before, world);
            }
            if (compared < STEPS * simulations[f].agents / 2) fail_msg("simulation %d: only %u could be compared", f, compared);
            world_destroy(world);
        }
    }
}

/* ---- bits -------------------------------------------------------------------------------------------------------------- */

/* ---- noise ------------------------------------------------------------------------------------------------------------- */

/* In any direction across the heading that a fish desires, and with the given deviation. */
static void check_noise(const model_simulation *f) {
    const double noise = (double)f->m.couzin.noise;
    double squares = 0, along[3] = {0};
    int count = 0;
    model m;
    dunlin_world *world = take_off(f, world_variant_at(0), 1, &m);
    for (int step = 0; step < 25; step++) {
        const model_agents before = look(f, world);
        world_run(world, 1);
        const model_agents after = look(f, world);
        for (uint32_t i = 0; i < before.count; i++) {
            double want[3];
            if (!couzin(&before, i, want)) continue;
            const double *now = after.v[dunlin_world_find_agent(world, before.id[i]).index];
            const double angle = acos(fmin(dot(want, now), 1));
            squares += angle * angle;
            for (int a = 0; a < 3; a++) along[a] += now[a] - want[a];
            count++;
        }
    }
    world_destroy(world);
    assert_true(count > 20 * MOST);
    const double deviation = sqrt(squares / count);
    if (fabs(deviation - noise) > 0.02 * noise) fail_msg("the deviation is %g", deviation);
    for (int a = 0; a < 3; a++) assert_true(fabs(along[a] / count) < 0.06 * noise);
}

/* A lone fish moves straight except for the noise; others turn at once to the heading that they desire. */
TEST(couzins_noise_has_the_given_deviation) {
    model_simulation f = {
        {.kind = MODEL_COUZIN, .couzin = {0.001f, 0, 0, 0, 1e6f, 0.05f}}, 3, DUNLIN_BOUNDARY_OPEN, MOST, 1e6f, 1, 1, false};
    check_noise(&f);
    f.m.couzin.attraction = 3;
    f.size = 20;
    check_noise(&f);
}

/* A maximum turn limits the angle, not the direction; small turns are rounded, too. */
TEST(a_lone_fish_without_noise_runs_straight_on) {
    const model fish = {.kind = MODEL_COUZIN, .couzin = {0.001f, 0, 0, 0, 0.01f, 0}};
    const model_simulation alone = {fish, 3, DUNLIN_BOUNDARY_OPEN, MOST, 1e6f, 1, 1, false};
    model m;
    dunlin_world *world = take_off(&alone, world_variant_at(0), 1, &m);
    const model_agents before = look(&alone, world);
    world_run(world, 50);
    const model_agents after = look(&alone, world);
    for (uint32_t i = 0; i < before.count; i++) {
        const double *now = after.v[dunlin_world_find_agent(world, before.id[i]).index];
        for (int a = 0; a < 3; a++) assert_true(fabs(now[a] - before.v[i][a]) < 1e-5);
    }
}

/* Two fish, one behind the other, in any direction: the one ahead turns back to the other if there is no blind cone. */
TEST(without_a_blind_cone_all_are_seen) {
    for (int i = 0; i < 200; i++) {
        const double angle = 0.031 * i;
        const float x = (float)cos(angle), y = (float)sin(angle);
        const float place[2][2] = {{50, 50 - 2 * x}, {50, 50 - 2 * y}}, speed[2][2] = {{x, x}, {y, y}};
        const model_simulation pair = {
            {.kind = MODEL_COUZIN, .couzin = {0.5f, 0, 9, 0, 36, 0}}, 2, DUNLIN_BOUNDARY_OPEN, 0, 100, 1, 1, false};
        const dunlin_batch batch = {
            .cookie = WORLD_COOKIE, .count = 2, .position = {place[0], place[1]}, .velocity = {speed[0], speed[1]}};
        model m;
        dunlin_world *world = take_off(&pair, world_variant_at(0), 1, &m);
        ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
        world_run(world, 1);
        const dunlin_view view = dunlin_world_view(world, 0);
        const uint32_t slot = dunlin_world_find_agent(world, 0).index;
        const float ahead = view.velocity[0][slot] * x + view.velocity[1][slot] * y;
        if (fabs((double)ahead - cos(36 * acos(-1) / 180)) > 1e-4) fail_msg("at %g: %g", angle, (double)ahead);
        world_destroy(world);
    }
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

TEST(mistakes_are_refused) {
    static const struct {
        int dimensions;
        model m;
        const char *field, *allowed;
    } mistakes[] = {
        {3, {.kind = MODEL_VICSEK, .vicsek = {1, 1}}, "model.vicsek", "2 dimensions"},
        {2, {.kind = MODEL_VICSEK, .vicsek = {1, -0.1f}}, "model.noise is -0.1", "0 .. 2 pi"},
        {2, {.kind = MODEL_VICSEK, .vicsek = {1, 6.3f}}, "model.noise is 6.3", "0 .. 2 pi"},
        {2, {.kind = MODEL_VICSEK, .vicsek = {1, NAN}}, "model.noise is nan", "0 .. 2 pi"},
        {2, {.kind = MODEL_VICSEK, .vicsek = {0, 1}}, "radius is 0", "1e-09"},
        {2, {.kind = MODEL_VICSEK, .vicsek = {2e9f, 1}}, "radius is 2e+09", "1e+09"},
        {3, {.kind = MODEL_COUZIN, .couzin = {0, 1, 1, 0, 1, 0}}, "model.repulsion is 0", "above 0"},
        {3, {.kind = MODEL_COUZIN, .couzin = {1, -1, 1, 0, 1, 0}}, "model.orientation is -1", "0"},
        {3, {.kind = MODEL_COUZIN, .couzin = {1, 1, NAN, 0, 1, 0}}, "model.attraction is nan", "0"},
        {3, {.kind = MODEL_COUZIN, .couzin = {1, 1, 1e10f, 0, 1, 0}}, "radius is 1e+10", "1e+09"},
        {3, {.kind = MODEL_COUZIN, .couzin = {1, 1, 1, 361, 1, 0}}, "model.blind is 361", "0 .. 360"},
        {3, {.kind = MODEL_COUZIN, .couzin = {1, 1, 1, 0, -1, 0}}, "model.turning is -1", "0 .. 1e6"},
        {3, {.kind = MODEL_COUZIN, .couzin = {1, 1, 1, 0, 1, 11}}, "model.noise is 11", "0 .. 10"},
        {2, {.kind = MODEL_CIRCLES, .circles = {1, 1}}, "model.circles", "3 dimensions"},
        {3, {.kind = MODEL_CIRCLES, .circles = {1, NAN}}, "model.strength is nan", "1e6"},
        {3, {.kind = MODEL_CIRCLES, .circles = {-1, 1}}, "radius is -1", "1e-09"},
        {2, {.kind = MODEL_MATCHING, .matching = {1, 2e9f, 0, 0, 0}}, "model.distance is 2e+09", "0 .. 1e9"},
        {2, {.kind = MODEL_MATCHING, .matching = {1, -1, 0, 0, 0}}, "model.distance is -1", "0 .. 1e9"},
        {2, {.kind = MODEL_MATCHING, .matching = {1, 1, NAN, 0, 0}}, "model.cohere is nan", "1e6"},
        {2, {.kind = MODEL_MATCHING, .matching = {1, 1, 0, -2e6f, 0}}, "model.separate is -2e+06", "1e6"},
        {2, {.kind = MODEL_MATCHING, .matching = {1, 1, 0, 0, INFINITY}}, "model.match is inf", "1e6"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        dunlin_world_def def = dunlin_world_def_default();
        def.dimensions = mistakes[i].dimensions;
        dunlin_world *world = world_without_agents(&def, 1);
        model m = mistakes[i].m;
        REFUSE(model_put(world, 0, 0, &m, &refusal), DUNLIN_ERROR_VALUE, mistakes[i].field, mistakes[i].allowed);
        assert_true(model_put(world, 0, 0, &m, NULL) == DUNLIN_ERROR_VALUE);
        assert_int_equal(dunlin_world_behaviour_count(world), 0);
        world_destroy(world);
    }
}

/* A model that is put again has its new parameters, and follows the definitions of the world and the species. */
TEST(a_model_can_be_put_again) {
    model m;
    dunlin_world *world = take_off(&simulations[0], world_variant_at(0), 1, &m);
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.max_speed = 0.5f;
    ACCEPT(dunlin_world_set_species(world, 0, &species, &refusal));
    m = (model){.kind = MODEL_MATCHING, .matching = {2, 1, 0.1f, 0.1f, 0.1f}};
    ACCEPT(model_put(world, 0, 0, &m, &refusal));
    assert_int_equal(dunlin_world_behaviour_count(world), 1);
    model_simulation now = simulations[0];
    now.m = m;
    now.speed = 0.5f;
    const model_agents before = look(&now, world);
    world_run(world, 1);
    assert_true(compare(&before, world) > now.agents / 2);
}
