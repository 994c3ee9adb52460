/* SPDX-License-Identifier: MIT */
/*
 * Queries: in random worlds their answers are those of plain loops over all agents; they have the same bits however they are
 * computed; and a run is the same with and without them.
 */
#include "tests/lib/worlds.h"

enum { WORLDS = 300, QUESTIONS = 12, MOST = 400 /* agents */, BOUNDARIES = DUNLIN_BOUNDARY_OPEN + 1, ROOM = 1 << 16 };

static test_random dice = {815};

static bool one_in(uint32_t count) {
    return test_below(&dice, count) == 0;
}

/* ---- random worlds ----------------------------------------------------------------------------------------------------- */

static dunlin_world_def random_def(void) {
    static const char *const indexes[] = {"grid", "tree", "brute", "auto"};
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + (int)test_below(&dice, 2)});
    def.boundary = (dunlin_boundary)test_below(&dice, BOUNDARIES);
    for (int a = 0; a < 3 && one_in(2); a++)
        def.axis_boundary[a] = (dunlin_boundary)test_below(&dice, DUNLIN_BOUNDARY_SAME + 1);
    for (int a = 0; a < 3; a++) def.size[a] = test_uniform(&dice, 1.0f, one_in(2) ? 2.0f : 100.0f);
    def.index = indexes[test_below(&dice, 4)];
    def.kernel = world_variant_at((int)test_below(&dice, (uint32_t)world_variant_count())).kernel;
    def.threads = 1 + (int)test_below(&dice, 3);
    return def;
}

/* Where agents are: everywhere, in a lump, on a lattice, or on an edge. */
static float random_place(const dunlin_world_def *def, int axis, int kind) {
    const float size = def->size[axis], u = test_uniform(&dice, 0.0f, 1.0f);
    if (kind == 0) return 0.999f * size * u;
    if (kind == 1) return size * (0.3f + 0.02f * u);
    if (kind == 2) return size * (float)test_below(&dice, 8) / 8.0f;
    return one_in(2) ? 0.0f : 0.999f * size;
}

static dunlin_world *random_world(const dunlin_world_def *def) {
    dunlin_world *world = world_create(def);
    const int species = 1 + (int)test_below(&dice, 3);
    for (int s = 0; s < species; s++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", s);
        world_add_named(world, name);
        const uint32_t agents = one_in(6) ? 0 : test_below(&dice, one_in(3) ? 4 : MOST);
        const bool lumps = one_in(2);
        for (uint32_t i = 0; i < agents; i++) {
            float x[3] = {0}, v[3] = {0};
            const int kind = lumps ? (int)test_below(&dice, 4) : 0;
            for (int a = 0; a < def->dimensions; a++) {
                x[a] = random_place(def, a, kind);
                v[a] = test_uniform(&dice, -1.0f, 1.0f);
            }
            world_spawn(world, s, x, v);
        }
        if (one_in(2)) world_add_flocking(world, s, s, def->size[0] * test_uniform(&dice, 0.01f, 0.4f));
    }
    if (one_in(2)) world_run(world, 1);
    return world;
}

/* Mostly near agents; also outside, and far outside. */
static void random_point(const dunlin_world_def *def, float point[3]) {
    const bool outside = one_in(4);
    for (int a = 0; a < 3; a++) {
        point[a] = random_place(def, a, (int)test_below(&dice, 4));
        if (outside) point[a] += def->size[a] * (float)((int)test_below(&dice, 5) - 2);
    }
}

static float random_length(const dunlin_world_def *def) {
    if (one_in(8)) return 0.0f;
    return def->size[0] * (one_in(4) ? test_uniform(&dice, 0.0f, 3.0f) : test_uniform(&dice, 0.0f, 0.3f));
}

static void random_direction(float direction[3]) {
    do {
        for (int a = 0; a < 3; a++) direction[a] = one_in(3) ? 0.0f : test_uniform(&dice, -2.0f, 2.0f);
    } while (direction[0] == 0.0f && direction[1] == 0.0f);
}

/* ---- plain loops ------------------------------------------------------------------------------------------------------- */

/* An agent as a plain loop finds it. */
typedef struct found_agent {
    uint32_t id;
    dunlin_slot slot;
    float distance;
    bool perhaps; /* rounding decides */
} found_agent;

typedef struct found_list {
    uint32_t count;
    found_agent agent[3 * MOST];
} found_list;

/* A point's image in the world along axes that repeat. */
static void wrap(const dunlin_world_def *def, const float point[3], float image[3]) {
    for (int a = 0; a < 3; a++) {
        const long double x = (long double)point[a], size = (long double)def->size[a];
        image[a] = point[a];
        if (a < def->dimensions && world_repeats(def, a)) image[a] = (float)(x - floorl(x / size) * size);
        if (a < def->dimensions && world_repeats(def, a) && image[a] >= def->size[a]) image[a] = 0.0f;
    }
}

/* From the nearest image of a point, which may lie outside, to an agent. Returns its squared length. */
static float offset_of(const dunlin_world *world, const float point[3], const dunlin_view *view, uint32_t i, float offset[3]) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    float from[3], at[3] = {0};
    wrap(&def, point, from);
    for (int a = 0; a < def.dimensions; a++) at[a] = view->position[a][i];
    dunlin_world_offset(world, from, at, offset);
    const float sum = offset[0] * offset[0] + offset[1] * offset[1];
    return def.dimensions == 3 ? sum + offset[2] * offset[2] : sum;
}

/* Whether an agent is an answer, and its distance. */
typedef bool is_hit_fn(const dunlin_world *world, const void *question, const dunlin_view *view, uint32_t i, float *distance,
                       bool *perhaps);

static void find_plainly(const dunlin_world *world, int species, is_hit_fn *is_hit, const void *question, found_list *list) {
    list->count = 0;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count && (species == s || species == DUNLIN_ALL_SPECIES); i++) {
            found_agent agent = {.id = view.id[i], .slot = {s, i}};
            if (is_hit(world, question, &view, i, &agent.distance, &agent.perhaps)) list->agent[list->count++] = agent;
        }
    }
}

static bool in_ball(const dunlin_world *world, const void *question, const dunlin_view *view, uint32_t i, float *distance,
                    bool *perhaps) {
    const dunlin_ball *ball = question;
    float offset[3];
    const float d2 = offset_of(world, ball->centre, view, i, offset);
    *distance = sqrtf(d2);
    *perhaps = false;
    return d2 <= ball->radius * ball->radius;
}

static bool in_box(const dunlin_world *world, const void *question, const dunlin_view *view, uint32_t i, float *distance,
                   bool *perhaps) {
    const dunlin_box *box = question;
    const dunlin_world_def def = dunlin_world_get_def(world);
    bool inside = true;
    float middle[3] = {0}, offset[3];
    *perhaps = false;
    for (int a = 0; a < def.dimensions; a++) {
        const double x = (double)view->position[a][i], size = (double)def.size[a];
        const double slack = box->min[a] >= 0.0f && box->max[a] < def.size[a] ? 0.0 : 1e-6 * size; /* 0: nothing is rounded */
        bool surely = false, about = false;
        for (int k = world_repeats(&def, a) ? -8 : 0; k <= (world_repeats(&def, a) ? 8 : 0); k++) {
            const double at = x + k * size, min = (double)box->min[a], max = (double)box->max[a];
            const double s = world_repeats(&def, a) ? slack : 0.0;
            surely = surely || (at >= min + s && at <= max - s);
            about = about || (at >= min - s && at <= max + s);
        }
        inside = inside && about;
        *perhaps = *perhaps || !surely;
        middle[a] = (float)(0.5 * ((double)box->min[a] + (double)box->max[a]));
    }
    *distance = sqrtf(offset_of(world, middle, view, i, offset));
    return inside;
}

static bool in_cone(const dunlin_world *world, const void *question, const dunlin_view *view, uint32_t i, float *distance,
                    bool *perhaps) {
    const dunlin_cone *cone = question;
    const dunlin_world_def def = dunlin_world_get_def(world);
    float offset[3];
    double along = 0.0, length2 = 0.0, direction2 = 0.0;
    const float d2 = offset_of(world, cone->tip, view, i, offset);
    for (int a = 0; a < def.dimensions; a++) {
        along += (double)offset[a] * (double)cone->direction[a];
        length2 += (double)offset[a] * (double)offset[a];
        direction2 += (double)cone->direction[a] * (double)cone->direction[a];
    }
    const double cosine = length2 > 0.0 ? along / sqrt(length2 * direction2) : 1.0;
    const double angle = length2 > 0.0 ? acos(fmin(1.0, fmax(-1.0, cosine))) : 0.0, half = (double)cone->half_angle;
    *distance = sqrtf(d2);
    *perhaps = length2 > 0.0 && fabs(angle - half) < 1e-3 && half < 3.14159;
    return d2 <= cone->length * cone->length && (angle <= half || *perhaps || half > 3.14159);
}

/* Where the ray first meets an image of the agent; INFINITY: nowhere. */
static double meets(const dunlin_world_def *def, const dunlin_ray *ray, const float from[3], const double at[3],
                    double radius) {
    double along = 0.0, direction2 = 0.0, across2 = 0.0, distance2 = 0.0;
    for (int a = 0; a < def->dimensions; a++) direction2 += (double)ray->direction[a] * (double)ray->direction[a];
    for (int a = 0; a < def->dimensions; a++) along += (at[a] - (double)from[a]) * (double)ray->direction[a];
    along /= sqrt(direction2);
    for (int a = 0; a < def->dimensions; a++) {
        const double offset = at[a] - (double)from[a], across = offset - along * (double)ray->direction[a] / sqrt(direction2);
        across2 += across * across;
        distance2 += offset * offset;
    }
    if (distance2 <= radius * radius) return 0.0;
    if (across2 > radius * radius || along < 0.0) return (double)INFINITY;
    const double entry = along - sqrt(radius * radius - across2);
    return entry <= (double)ray->length ? entry : (double)INFINITY;
}

static double first_meeting(const dunlin_world *world, const dunlin_ray *ray, const dunlin_view *view, uint32_t i,
                            double radius) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    int most[3] = {0};
    double first = (double)INFINITY;
    float from[3];
    if (radius < 0.0) return first;
    wrap(&def, ray->from, from);
    for (int a = 0; a < def.dimensions; a++) most[a] = world_repeats(&def, a) ? (int)(ray->length / def.size[a]) + 2 : 0;
    for (int x = -most[0]; x <= most[0]; x++)
        for (int y = -most[1]; y <= most[1]; y++)
            for (int z = -most[2]; z <= most[2]; z++) {
                const int k[3] = {x, y, z};
                double at[3] = {0};
                for (int a = 0; a < def.dimensions; a++) at[a] = (double)view->position[a][i] + k[a] * (double)def.size[a];
                first = fmin(first, meets(&def, ray, from, at, radius));
            }
    return first;
}

/* ---- the comparison ---------------------------------------------------------------------------------------------------- */

static uint32_t ids[ROOM];
static dunlin_slot slots[ROOM];
static float distances[ROOM];
static uint64_t begins[ROOM];

static dunlin_found everything(void) {
    dunlin_found found = dunlin_found_default();
    found.room = ROOM;
    found.ids = ids;
    found.slots = slots;
    found.distances = distances;
    found.begins = begins;
    return found;
}

static int compare_ids(const void *l, const void *r) {
    const found_agent *a = l, *b = r;
    return (a->id > b->id) - (a->id < b->id);
}

static found_list hits_of(uint32_t question) {
    static found_list list;
    list.count = 0;
    for (uint64_t h = begins[question]; h < begins[question + 1]; h++)
        list.agent[list.count++] = (found_agent){.id = ids[h], .slot = slots[h], .distance = distances[h]};
    return list;
}

/* All that plain loops find, but those that rounding decides, and nothing else. */
static void expect_hits(const char *what, uint32_t question, found_list *want) {
    static found_list got;
    got = hits_of(question);
    qsort(got.agent, got.count, sizeof *got.agent, compare_ids);
    qsort(want->agent, want->count, sizeof *want->agent, compare_ids);
    uint32_t at = 0;
    for (uint32_t w = 0; w < want->count; w++) {
        const found_agent *agent = &want->agent[w];
        const bool same = at < got.count && got.agent[at].id == agent->id;
        if (!same && agent->perhaps) continue;
        if (!same) fail_msg("%s %u: agent %u is missing", what, question, agent->id);
        assert_int_equal(got.agent[at].slot.species, agent->slot.species);
        assert_int_equal(got.agent[at].slot.index, agent->slot.index);
        if (got.agent[at].distance != agent->distance)
            fail_msg("%s %u: %a and not %a", what, question, (double)got.agent[at].distance, (double)agent->distance);
        at++;
    }
    if (at < got.count) fail_msg("%s %u: agent %u is too much", what, question, got.agent[at].id);
}

static int random_species(const dunlin_world *world) {
    const int species = (int)test_below(&dice, (uint32_t)dunlin_world_species_count(world) + 1);
    return species == dunlin_world_species_count(world) ? DUNLIN_ALL_SPECIES : species;
}

static void ask_something(dunlin_world *world, bool wants_slots) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    dunlin_found found = everything();
    dunlin_ball ball = {.radius = random_length(&def)};
    random_point(&def, ball.centre);
    if (!wants_slots) found.slots = NULL;
    ACCEPT(dunlin_world_find_in_balls(world, random_species(world), &ball, 1, &found, &refusal));
}

TEST_EACH(balls_boxes_and_cones_have_the_agents_of_plain_loops, w, 0, WORLDS) {
    static found_list want;
    const dunlin_world_def def = random_def();
    dunlin_world *world = random_world(&def);
    dunlin_ball balls[QUESTIONS];
    dunlin_box boxes[QUESTIONS];
    dunlin_cone cones[QUESTIONS];
    for (int q = 0; q < QUESTIONS; q++) {
        random_point(&def, balls[q].centre);
        balls[q].radius = random_length(&def);
        random_point(&def, boxes[q].min);
        for (int a = 0; a < 3; a++) boxes[q].max[a] = boxes[q].min[a] + random_length(&def);
        random_point(&def, cones[q].tip);
        random_direction(cones[q].direction);
        cones[q].length = random_length(&def);
        cones[q].half_angle = one_in(4) ? 3.14159265f : test_uniform(&dice, 0.0f, 3.1f);
    }
    const int species = random_species(world);
    dunlin_found found = everything();
    ask_something(world, false);
    ACCEPT(dunlin_world_find_in_balls(world, species, balls, QUESTIONS, &found, &refusal));
    for (uint32_t q = 0; q < QUESTIONS; q++) {
        find_plainly(world, species, in_ball, &balls[q], &want);
        expect_hits("ball", q, &want);
    }
    ACCEPT(dunlin_world_find_in_boxes(world, species, boxes, QUESTIONS, &found, &refusal));
    for (uint32_t q = 0; q < QUESTIONS; q++) {
        find_plainly(world, species, in_box, &boxes[q], &want);
        expect_hits("box", q, &want);
    }
    ACCEPT(dunlin_world_find_in_cones(world, species, cones, QUESTIONS, &found, &refusal));
    for (uint32_t q = 0; q < QUESTIONS; q++) {
        find_plainly(world, species, in_cone, &cones[q], &want);
        expect_hits("cone", q, &want);
    }
}

static int compare_distances(const void *l, const void *r) {
    const found_agent *a = l, *b = r;
    return a->distance != b->distance ? (a->distance > b->distance) - (a->distance < b->distance) : compare_ids(l, r);
}

/* By squares: different ones may have the same root. */
static bool near_point(const dunlin_world *world, const void *question, const dunlin_view *view, uint32_t i, float *distance,
                       bool *perhaps) {
    const dunlin_nearest *nearest = question;
    float offset[3];
    *distance = offset_of(world, nearest->centre, view, i, offset);
    *perhaps = false;
    return *distance <= fminf(nearest->radius * nearest->radius, 3.4e38f);
}

TEST_EACH(the_nearest_are_those_of_plain_loops, w, 0, WORLDS) {
    static found_list want;
    const dunlin_world_def def = random_def();
    dunlin_world *world = random_world(&def);
    const int species = random_species(world);
    dunlin_nearest points[QUESTIONS];
    for (int q = 0; q < QUESTIONS; q++) {
        random_point(&def, points[q].centre);
        points[q].radius = one_in(2) ? INFINITY : random_length(&def);
        points[q].count = one_in(4) ? 5 * MOST : test_below(&dice, 20);
    }
    dunlin_found found = everything();
    ACCEPT(dunlin_world_find_nearest(world, species, points, QUESTIONS, &found, &refusal));
    for (uint32_t q = 0; q < QUESTIONS; q++) {
        find_plainly(world, species, near_point, &points[q], &want);
        qsort(want.agent, want.count, sizeof *want.agent, compare_distances);
        if (want.count > points[q].count) want.count = points[q].count;
        assert_int_equal(begins[q + 1] - begins[q], want.count);
        for (uint32_t k = 0; k < want.count; k++) {
            const uint64_t h = begins[q] + k;
            if (ids[h] != want.agent[k].id) fail_msg("point %u, nearest %u: %u and not %u", q, k, ids[h], want.agent[k].id);
            assert_true(distances[h] == sqrtf(want.agent[k].distance));
            assert_int_equal(slots[h].species, want.agent[k].slot.species);
            assert_int_equal(slots[h].index, want.agent[k].slot.index);
        }
    }
}

static dunlin_ray random_ray(const dunlin_world_def *def) {
    dunlin_ray ray;
    float side = 1e9f;
    for (int a = 0; a < def->dimensions; a++) side = world_repeats(def, a) ? fminf(side, def->size[a]) : side;
    random_point(def, ray.from);
    random_direction(ray.direction);
    ray.length = fminf(random_length(def) * (one_in(2) ? 4.0f : 1.0f), 20.0f * side);
    ray.radius =
        one_in(4) ? fminf(0.25f * side, def->size[0]) : fminf(0.25f * side, def->size[0] * test_uniform(&dice, 0.0f, 0.1f));
    return ray;
}

/* The first by plain loops, or, where rounding decides, one that is as good. */
static void expect_first(const dunlin_world *world, int species, const dunlin_ray *ray, uint32_t question) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const double slack = 1e-5 * (double)(def.size[0] + def.size[1] + ray->length);
    double first = (double)INFINITY, surely = (double)INFINITY;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count && (species == s || species == DUNLIN_ALL_SPECIES); i++) {
            first = fmin(first, first_meeting(world, ray, &view, i, (double)ray->radius + slack));
            surely = fmin(surely, first_meeting(world, ray, &view, i, (double)ray->radius - slack));
        }
    }
    const uint64_t h = begins[question], hits = begins[question + 1] - h;
    assert_true(hits <= 1);
    if (hits == 0 && surely + 1e2 * slack < (double)ray->length && (double)ray->radius > slack)
        fail_msg("ray %u hits nothing, and not one at %g", question, surely);
    if (hits == 0) return;
    assert_true((double)distances[h] <= (double)ray->length);
    const dunlin_view view = dunlin_world_view(world, slots[h].species);
    assert_int_equal(view.id[slots[h].index], ids[h]);
    const double own = first_meeting(world, ray, &view, slots[h].index, (double)ray->radius + slack);
    if (isinf(own)) fail_msg("ray %u hits agent %u, which is not on it", question, ids[h]);
    if (own > (double)distances[h] + slack || (double)distances[h] > surely + slack)
        fail_msg("ray %u: %g, and not %g .. %g", question, (double)distances[h], first, surely);
}

TEST_EACH(rays_hit_the_first_agent_of_plain_loops, w, 0, WORLDS) {
    const dunlin_world_def def = random_def();
    dunlin_world *world = random_world(&def);
    const int species = random_species(world);
    dunlin_ray rays[QUESTIONS];
    for (int q = 0; q < QUESTIONS; q++) rays[q] = random_ray(&def);
    dunlin_found found = everything();
    ACCEPT(dunlin_world_find_on_rays(world, species, rays, QUESTIONS, &found, &refusal));
    for (uint32_t q = 0; q < QUESTIONS; q++) expect_first(world, species, &rays[q], q);
}

TEST(of_two_agents_at_one_place_a_ray_hits_the_minimum_id) {
    dunlin_world *world = world_create(NULL);
    world_add_named(world, "a");
    world_add_named(world, "b");
    static const float at[] = {50, 50, 0}, rest[] = {0, 0, 0};
    const uint32_t first = world_spawn(world, 1, at, rest);
    world_spawn(world, 0, at, rest);
    dunlin_found found = everything();
    const dunlin_ray rays[] = {{.from = {40, 50}, .direction = {1, 0}, .length = 20, .radius = 1},
                               {.from = {50, 50}, .direction = {1, 0}, .length = 0, .radius = 1},
                               {.from = {60, 50}, .direction = {1, 0}, .length = 95, .radius = 1},
                               {.from = {60, 50}, .direction = {1, 0}, .length = 30, .radius = 1}};
    ACCEPT(dunlin_world_find_on_rays(world, DUNLIN_ALL_SPECIES, rays, 4, &found, &refusal));
    assert_int_equal(found.count, 3);
    for (int q = 0; q < 3; q++) assert_int_equal(ids[q], first);
    assert_true(distances[0] == 9.0f && distances[1] == 0.0f && distances[2] == 89.0f);
}

/* What is known of all agents from one question is not used for others. */
TEST(a_ray_hits_who_has_come_since_the_last_one) {
    dunlin_world_def def = dunlin_world_def_default();
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    dunlin_world *world = world_create(&def);
    world_add_named(world, "a");
    static const float rest[] = {0, 0, 0};
    const dunlin_ray ray = {.from = {-5, 5}, .direction = {1, 0}, .length = 1000, .radius = 1};
    dunlin_found found = everything();
    for (int n = 0; n < 4; n++) {
        const uint32_t id = world_spawn(world, 0, (const float[]){500 - 100 * (float)n, 5, 0}, rest);
        ACCEPT(dunlin_world_find_on_rays(world, 0, &ray, 1, &found, &refusal));
        assert_true(found.count == 1 && ids[0] == id);
        const uint32_t far = world_spawn(world, 0, (const float[]){2000 + 100 * (float)n, 5, 0}, rest);
        const dunlin_ray beyond = {.from = {1950 + 100 * (float)n, 5}, .direction = {1, 0}, .length = 60, .radius = 1};
        ACCEPT(dunlin_world_find_on_rays(world, 0, &beyond, 1, &found, &refusal));
        assert_true(found.count == 1 && ids[0] == far);
    }
}

/* ---- however they are computed ----------------------------------------------------------------------------------------- */

enum { MANY = 3000 /* questions */, CROWD = 2500 /* agents */, LARGE = 70000 /* agents */, HITS = 1 << 19 };

typedef struct answers {
    dunlin_found found;
    uint32_t *ids;
    dunlin_slot *slots;
    float *distances;
    uint64_t begins[MANY + 1];
} answers;

static answers *answers_new(void) {
    answers *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->found = dunlin_found_default();
    a->found.room = HITS;
    a->found.ids = a->ids = calloc(HITS, sizeof *a->ids);
    a->found.slots = a->slots = calloc(HITS, sizeof *a->slots);
    a->found.distances = a->distances = calloc(HITS, sizeof *a->distances);
    a->found.begins = a->begins;
    assert_true(a->ids && a->slots && a->distances);
    return a;
}

static void answers_free(answers *a) {
    free(a->ids), free(a->slots), free(a->distances), free(a);
}

/* Of which many have more hits than there is room for in a worker's memory. */
static dunlin_ball ball_of(const dunlin_world_def *def, int q) {
    dunlin_ball ball = {.radius = q % 1000 < 100 ? 0.06f * def->size[0] : 0.004f * def->size[0]};
    for (int a = 0; a < def->dimensions; a++) {
        const float at = q % 1000 < 100 ? 0.3f : 0.0f, width = q % 1000 < 100 ? 0.02f : 1.0f;
        ball.centre[a] = def->size[a] * (at + width * test_uniform(&dice, 0, 1));
    }
    return ball;
}

static dunlin_world *crowded(const dunlin_world_def *def) {
    dunlin_world *world = world_without_agents(def, 0.05f * def->size[0]);
    test_random random = {77};
    for (uint32_t i = 0; i < CROWD; i++) {
        float x[3], v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = 0.999f * def->size[a] * (i % 2 ? test_uniform(&random, 0, 1) : test_uniform(&random, 0.28f, 0.34f));
            v[a] = test_uniform(&random, -1, 1);
        }
        world_spawn(world, 0, x, v);
    }
    return world;
}

static void ask_all(dunlin_world *world, const dunlin_ball *balls, answers *a) {
    ACCEPT(dunlin_world_find_in_balls(world, DUNLIN_ALL_SPECIES, balls, MANY, &a->found, &refusal));
}

static void expect_same(const answers *want, const answers *got, uint64_t room) {
    const size_t written = (size_t)(want->found.count < room ? want->found.count : room);
    assert_true(got->found.count == want->found.count);
    assert_memory_equal(got->begins, want->begins, sizeof want->begins);
    assert_memory_equal(got->ids, want->ids, written * sizeof *want->ids);
    assert_memory_equal(got->distances, want->distances, written * sizeof *want->distances);
    assert_memory_equal(got->slots, want->slots, written * sizeof *want->slots);
    for (uint64_t i = written; i < HITS; i++)
        if (got->ids[i] != 0 || got->distances[i] != 0.0f || got->slots[i].index != 0) fail_msg("hit %d was written", (int)i);
}

TEST_EACH(answers_have_one_order_whatever_threads_and_kernel, dimensions, 2, 4) {
    static const int threads[] = {1, 2, 3, 8};
    dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .threads = 1, .kernel = "scalar"});
    static dunlin_ball balls[MANY];
    for (int q = 0; q < MANY; q++) balls[q] = ball_of(&def, q);
    for (int i = 0; i < WORLD_INDEXES; i++) {
        def.index = world_indexes[i];
        def.kernel = "scalar";
        def.threads = 1;
        answers *want = answers_new();
        ask_all(crowded(&def), balls, want);
        assert_true(want->found.count > 100000 && want->found.count < HITS);
        for (int v = 0; v < world_variant_count(); v++) {
            answers *got = answers_new();
            def.kernel = world_variant_at(v).kernel;
            def.threads = threads[v % 4];
            got->found.room = v % 3 == 0 ? want->found.count / 3 : HITS;
            ask_all(crowded(&def), balls, got);
            expect_same(want, got, got->found.room);
            answers_free(got);
        }
        answers_free(want);
    }
}

static dunlin_world *large(const dunlin_world_def *def) {
    dunlin_world *world = world_without_agents(def, 0.01f * def->size[0]);
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = LARGE;
    ACCEPT(dunlin_world_scatter(world, 0, &everywhere, &refusal));
    return world;
}

static void ask_each(dunlin_world *world, const dunlin_ball *balls, answers *a) {
    dunlin_found *all = &a->found;
    for (int q = 0; q < MANY; q++) {
        dunlin_found one = dunlin_found_default();
        one.room = HITS - all->count;
        one.ids = all->ids + all->count;
        one.slots = all->slots + all->count;
        one.distances = all->distances + all->count;
        ACCEPT(dunlin_world_find_in_balls(world, 0, &balls[q], 1, &one, &refusal));
        all->begins[q] = all->count;
        all->count += one.count;
    }
    all->begins[MANY] = all->count;
}

/* Many questions all over a large flock are put into an order of their own. */
TEST_EACH(scattered_questions_have_the_answers_of_lone_ones, dimensions, 2, 4) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .threads = 1});
    static dunlin_ball balls[MANY];
    for (int q = 0; q < MANY; q++) balls[q] = ball_of(&def, q);
    answers *want = answers_new();
    ask_each(large(&def), balls, want);
    assert_true(want->found.count > 10000 && want->found.count < HITS);
    for (int v = 0; v < 4; v++) {
        answers *got = answers_new();
        def.threads = v < 2 ? 1 : 3;
        got->found.room = v % 2 ? want->found.count / 3 : HITS;
        ask_all(large(&def), balls, got);
        expect_same(want, got, got->found.room);
        answers_free(got);
    }
    answers_free(want);
}

TEST_EACH(indexes_agree_on_flocks_that_are_far_apart, dimensions, 2, 4) {
    enum { AGENTS = 2048, ASKED = 40 };
    static uint32_t near[WORLD_INDEXES + 1][ASKED * 30], hit[WORLD_INDEXES + 1][ASKED];
    dunlin_nearest points[ASKED];
    dunlin_ray rays[ASKED];
    for (int i = 0; i <= WORLD_INDEXES; i++) {
        dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .boundary = DUNLIN_BOUNDARY_OPEN});
        if (i < WORLD_INDEXES) def.index = world_indexes[i];
        dunlin_world *world = world_far_apart(def, 3, AGENTS);
        const dunlin_view view = dunlin_world_view(world, 0);
        for (uint32_t q = 0; q < ASKED && i == 0; q++) {
            const uint32_t from = q * 50, to = (q * 977 + 3) % AGENTS;
            points[q] = (dunlin_nearest){.radius = INFINITY, .count = q % 30};
            rays[q] = (dunlin_ray){.length = 1e9f, .radius = 0.5f};
            for (int a = 0; a < dimensions; a++) {
                points[q].centre[a] = view.position[a][from] + (q % 3 ? 0.0f : 1e5f);
                rays[q].from[a] = view.position[a][from] + 2.0f;
                rays[q].direction[a] = fmaxf(-1e9f, fminf(1e9f, view.position[a][to] - rays[q].from[a])) + 1e-3f;
            }
        }
        dunlin_found found = everything();
        ACCEPT(dunlin_world_find_nearest(world, 0, points, ASKED, &found, &refusal));
        memcpy(near[i], ids, (size_t)found.count * sizeof *ids);
        ACCEPT(dunlin_world_find_on_rays(world, 0, rays, ASKED, &found, &refusal));
        assert_true(found.count > ASKED / 2);
        memcpy(hit[i], ids, (size_t)found.count * sizeof *ids);
        assert_memory_equal(near[i], near[0], sizeof near[0]);
        assert_memory_equal(hit[i], hit[0], sizeof hit[0]);
    }
}

/* ---- beside a run ------------------------------------------------------------------------------------------------------ */

/* Both worlds change alike. */
static void change(dunlin_world *world, uint32_t which, test_random *random) {
    static const float rest[3];
    const dunlin_view view = dunlin_world_view(world, 0);
    float x[3];
    for (int a = 0; a < 3; a++) x[a] = dunlin_world_get_def(world).size[a] * test_uniform(random, 0.1f, 0.9f);
    const uint32_t slot = test_below(random, view.count ? view.count : 1);
    const dunlin_write write = {.cookie = WORLD_COOKIE,
                                .count = 1,
                                .slots = &slot,
                                .position = {&x[0], &x[1], &x[2]},
                                .velocity = {&x[1], &x[0], &x[2]}};
    if (which == 0) world_spawn(world, 0, x, rest);
    if (which == 1 && view.count) ACCEPT(dunlin_world_write(world, &write, &refusal));
    if (which == 2 && view.count) ACCEPT(dunlin_world_despawn(world, &view.id[slot], 1, &refusal));
    if (which == 3) (void)world_measure(world, 0);
    if (which == 4 && dunlin_world_interaction_count(world) > 0) {
        dunlin_interaction_def rules = dunlin_world_get_interaction(world, 0);
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) rules.rules[r].radius *= 0.9f;
        ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    }
    if (which == 5) ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    if (which == 6) ACCEPT(dunlin_world_replace_arrays(world, &refusal));
    if (which == 7) (void)dunlin_world_find_agent(world, 3);
}

static void expect_alike(dunlin_world *one, dunlin_world *other) {
    assert_true(dunlin_world_state_hash(one) == dunlin_world_state_hash(other));
    for (int s = 0; s < dunlin_world_species_count(one); s++) {
        const dunlin_view a = dunlin_world_view(one, s), b = dunlin_world_view(other, s);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.id, b.id, a.count * sizeof *a.id);
    }
}

/* Groups that split and merge, and bodies that stand for them. */
static void add_groups(dunlin_world *world) {
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.groups = 20;
    species.regroup = (dunlin_regroup){.every = 1, .radius = 0.02f * dunlin_world_get_def(world).size[0], .min_agents = 2};
    ACCEPT(dunlin_world_set_species(world, 0, &species, &refusal));
    world_add_value(world, 0, "group", DUNLIN_ROLE_GROUP, 1);
    dunlin_species_def bodies = dunlin_species_def_default();
    bodies.name = "bodies";
    bodies.body_of = 0;
    const int body = world_add_species(world, &bodies);
    world_add_value(world, body, "of", DUNLIN_ROLE_BODY, 0);
    world_add_flocking(world, body, body, 5);
}

TEST_EACH(a_run_is_the_same_with_and_without_questions, w, 0, WORLDS / 3) {
    dunlin_world_def def = random_def();
    if (w % 7 == 0) {
        def.boundary = DUNLIN_BOUNDARY_REFLECT;
        for (int a = 0; a < 3; a++) def.axis_boundary[a] = DUNLIN_BOUNDARY_SAME;
        def.boundary_first = true;
    }
    const test_random before = dice;
    dunlin_world *plain = random_world(&def);
    dice = before;
    dunlin_world *asked = random_world(&def);
    if (w % 5 == 0) add_groups(plain), add_groups(asked);
    expect_alike(plain, asked);
    for (int step = 0; step < 12; step++) {
        const uint32_t which = test_below(&dice, 16);
        for (uint32_t i = test_below(&dice, 3); i > 0; i--) ask_something(asked, one_in(2));
        const uint64_t generation = dunlin_world_generation(asked);
        ask_something(asked, one_in(3));
        assert_true(dunlin_world_generation(asked) == generation);
        expect_alike(plain, asked);
        test_random same[2] = {dice, dice};
        change(plain, which, &same[0]);
        change(asked, which, &same[1]);
        for (uint32_t i = test_below(&dice, 2); i > 0; i--) ask_something(asked, one_in(2));
        world_run(plain, 1);
        world_run(asked, 1);
        expect_alike(plain, asked);
    }
}

/* The state's own numbers, which no step may read once it takes the sorted ones over. */
static void spoil(dunlin_world *world) {
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) ((float *)(uintptr_t)view.position[0])[i] = NAN;
}

TEST_EACH(questions_and_the_next_step_take_over_what_was_sorted, i, 0, 2) {
    const dunlin_world_def def = world_def_with((world_parts){.index = world_indexes[i], .threads = 2});
    dunlin_world *plain = world_of(&def, 8, 900), *asked = world_of(&def, 8, 900);
    dunlin_world *worlds[] = {plain, asked};
    const dunlin_ball ball = {{30, 40, 0}, 25};
    world_run(plain, 3), world_run(asked, 3);
    uint64_t counts[3];
    dunlin_found found = everything();
    found.slots = NULL;
    for (int w = 0; w < 2; w++) {
        ACCEPT(dunlin_world_find_in_balls(worlds[w], 0, &ball, 1, &found, &refusal));
        counts[w] = found.count;
    }
    spoil(asked);
    ACCEPT(dunlin_world_find_in_balls(asked, 0, &ball, 1, &found, &refusal));
    counts[2] = found.count;
    assert_true(counts[0] > 20 && counts[0] == counts[1] && counts[2] == counts[0]);
    REFUSE(dunlin_world_find_in_balls(asked, 9, &ball, 1, &found, &refusal), DUNLIN_ERROR_VALUE, "species is 9");
    world_run_alike(plain, asked, 1);
    world_run_alike(plain, asked, 3);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

static dunlin_world *small_world(void) {
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = 3});
    return world_of(&def, 5, 50);
}

TEST(questions_that_make_no_sense_are_refused) {
    dunlin_world *world = small_world();
    dunlin_found found = everything(), unmade = found;
    unmade.cookie = 0;
    const dunlin_ball ball = {.radius = 1};
    dunlin_ball balls[] = {ball, ball};
    REFUSE(dunlin_world_find_in_balls(world, 0, &ball, 1, NULL, &refusal), DUNLIN_ERROR_VALUE, "found is NULL");
    REFUSE(dunlin_world_find_in_balls(world, 0, &ball, 1, &unmade, &refusal), DUNLIN_ERROR_VALUE, "dunlin_found", "default");
    REFUSE(dunlin_world_find_in_balls(world, 0, NULL, 2, &found, &refusal), DUNLIN_ERROR_VALUE, "balls is NULL", "2");
    REFUSE(dunlin_world_find_in_balls(world, 1, &ball, 1, &found, &refusal), DUNLIN_ERROR_VALUE, "species is 1");
    REFUSE(dunlin_world_find_in_balls(world, -2, &ball, 1, &found, &refusal), DUNLIN_ERROR_VALUE, "species is -2");
    balls[1].centre[2] = NAN;
    REFUSE(dunlin_world_find_in_balls(world, 0, balls, 2, &found, &refusal), DUNLIN_ERROR_VALUE, "balls[1].centre[2] is nan");
    balls[1] = ball;
    balls[1].radius = -1;
    REFUSE(dunlin_world_find_in_balls(world, 0, balls, 2, &found, &refusal), DUNLIN_ERROR_VALUE, "balls[1].radius is -1");
    balls[1].radius = NAN;
    REFUSE(dunlin_world_find_in_balls(world, 0, balls, 2, &found, &refusal), DUNLIN_ERROR_VALUE, "balls[1].radius is nan");
    balls[1].radius = INFINITY;
    REFUSE(dunlin_world_find_in_balls(world, 0, balls, 2, &found, &refusal), DUNLIN_ERROR_VALUE, "balls[1].radius is inf");
    assert_int_equal(found.count, 0);
    ACCEPT(dunlin_world_find_in_balls(world, 0, balls, 1, &found, &refusal));
    ACCEPT(dunlin_world_find_in_balls(world, 0, NULL, 0, &found, &refusal));
    assert_true(found.count == 0 && begins[0] == 0);
}

TEST(other_shapes_that_make_no_sense_are_refused) {
    dunlin_world *world = small_world();
    dunlin_found found = everything();
    const dunlin_box boxes[] = {{{0, 5, 0}, {1, 4, 1}}, {{0, 0, NAN}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, NAN}}};
    REFUSE(dunlin_world_find_in_boxes(world, 0, &boxes[0], 1, &found, &refusal), DUNLIN_ERROR_VALUE, "max[1] is 4", "5");
    REFUSE(dunlin_world_find_in_boxes(world, 0, &boxes[1], 1, &found, &refusal), DUNLIN_ERROR_VALUE, "min[2] is nan");
    REFUSE(dunlin_world_find_in_boxes(world, 0, &boxes[2], 1, &found, &refusal), DUNLIN_ERROR_VALUE, "max[2] is nan");
    const dunlin_cone cone = {.direction = {0, 0, 1}, .length = 1, .half_angle = 1};
    dunlin_cone cones[] = {cone, cone, cone, cone, cone, cone};
    cones[0].direction[2] = 0;
    cones[1].direction[1] = NAN;
    cones[2].half_angle = 3.2f;
    cones[3].half_angle = NAN;
    cones[4].length = -1;
    cones[5].tip[0] = INFINITY;
    static const char *const words[] = {"direction is 0",    "direction[1] is nan", "half_angle is 3.2",
                                        "half_angle is nan", "length is -1",        "tip[0] is inf"};
    for (int i = 0; i < 6; i++)
        REFUSE(dunlin_world_find_in_cones(world, 0, &cones[i], 1, &found, &refusal), DUNLIN_ERROR_VALUE, words[i]);
    const dunlin_nearest points[] = {{{NAN, 0, 0}, 1, 1}, {{0, 0, 0}, NAN, 1}, {{0, 0, 0}, -1, 1}};
    static const char *const wrong[] = {"centre[0] is nan", "radius is nan", "radius is -1"};
    for (int i = 0; i < 3; i++)
        REFUSE(dunlin_world_find_nearest(world, 0, &points[i], 1, &found, &refusal), DUNLIN_ERROR_VALUE, wrong[i]);
    const dunlin_ray ray = {.direction = {1, 0, 0}, .length = 1, .radius = 1};
    dunlin_ray rays[] = {ray, ray, ray, ray};
    rays[0].length = 100001;
    rays[1].radius = 26;
    rays[2].direction[0] = 2e9f;
    rays[3].from[1] = NAN;
    static const char *const refused[] = {"length is 100001", "radius is 26", "direction[0] is 2e+09", "from[1] is nan"};
    for (int i = 0; i < 4; i++)
        REFUSE(dunlin_world_find_on_rays(world, 0, &rays[i], 1, &found, &refusal), DUNLIN_ERROR_VALUE, refused[i]);
}

TEST(hits_without_arrays_are_counted) {
    dunlin_world *world = small_world();
    dunlin_found found = dunlin_found_default();
    const dunlin_ball all = {{50, 50, 50}, 1e9f};
    ACCEPT(dunlin_world_find_in_balls(world, 0, &all, 1, &found, &refusal));
    assert_int_equal(found.count, 50);
}
