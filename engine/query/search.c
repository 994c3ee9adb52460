/* SPDX-License-Identifier: MIT */
#include "engine/query/search.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/fold.h"
#include "engine/base/trig.h"
#include "engine/query/place.h"
#include "engine/world/edges.h"

enum { AT_ONCE = 1024 /* candidates: their slots stay in L1 */ };

/* Of agents in a range that is searched; `count` slots. */
typedef void take_fn(dun_searcher *s, const int32_t *slots, uint32_t count, void *context);

#define ALWAYS_INLINE static inline __attribute__((always_inline))

dun_searcher dun_searcher_begin(const dunlin_world *world, const dun_searched *all, int count, dun_range *ranges, dun_met *met,
                                uint32_t met_room) {
    dun_searcher s = {.world = world, .all = all, .count = count, .ranges = ranges, .met = met, .met_room = met_room};
    for (int a = 0; a < 3; a++) s.size[a] = a < world->def.dimensions ? dun_fold_size(&world->def, a) : INFINITY;
    for (int a = 0; a < 3; a++) s.job.size[a] = s.size[a];
    return s;
}

/* Turns to another species. */
static inline void turn_to(dun_searcher *s, const dun_searched *species) {
    if (s->now == species) return;
    s->now = species;
    for (int a = 0; a < s->world->def.dimensions; a++) s->job.position[a] = species->agents->position[a];
    s->radius = -1.0f;
}

static inline void set_reach(dun_searcher *s, float radius) {
    if (radius == s->radius) return;
    s->radius = radius;
    s->query.reach = s->now->index->type->reach(s->now->index, radius);
}

static uint64_t candidates_of(const dun_range *ranges, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < count; r++) sum += ranges[r].end - ranges[r].begin;
    return sum;
}

/* Hands the agents in the box, or within the job's max_r2 of it, to `take`. */
ALWAYS_INLINE void search(dun_searcher *s, const dun_box *box, uint32_t ranges, take_fn *take, void *context) {
    int32_t slots[AT_ONCE + DUN_PADDING];
    const int dimensions = s->world->def.dimensions;
    dun_candidates_fn *candidates = s->world->kernel->candidates;
    if (candidates_of(s->ranges, ranges) <= AT_ONCE) {
        const uint32_t count = candidates(&s->job, dimensions, box, s->ranges, ranges, slots);
        if (count) take(s, slots, count, context);
        return;
    }
    for (uint32_t r = 0; r < ranges; r++) {
        dun_range piece = s->ranges[r];
        for (const uint32_t end = piece.end; piece.begin < end; piece.begin = piece.end) {
            piece.end = min_u32(end, piece.begin + AT_ONCE);
            const uint32_t count = candidates(&s->job, dimensions, box, &piece, 1, slots);
            if (count) take(s, slots, count, context);
        }
    }
}

/* The same for a ball; a centre is in the world along axes that repeat. */
ALWAYS_INLINE void search_ball(dun_searcher *s, const float centre[3], float radius, float max_r2, take_fn *take,
                               void *context) {
    const dun_index *index = s->now->index;
    dun_box point;
    set_reach(s, radius);
    s->query.box = false;
    s->query.packet = (dun_packet){0, 1};
    for (int a = 0; a < s->world->def.dimensions; a++) {
        point.of[a][0] = point.of[a][1] = centre[a];
        s->query.position[a] = point.of[a];
    }
    s->job.max_r2 = max_r2;
    search(s, &point, index->type->list_ranges(index, &s->query, s->ranges), take, context);
}

/* ---- hits ------------------------------------------------------------------------------------------------------------- */

static inline float offset_to(const dun_searcher *s, const float from[3], int axis, int32_t slot) {
    return dun_fold(s->now->agents->position[axis][slot] - from[axis], s->size[axis]);
}

static inline float squared_distance(const dun_searcher *s, const float from[3], int32_t slot) {
    float sum = 0.0f;
    for (int a = 0; a < s->world->def.dimensions; a++) {
        const float offset = offset_to(s, from, a, slot);
        sum = a == 0 ? offset * offset : sum + offset * offset;
    }
    return sum;
}

static inline dunlin_slot slot_of(const dun_searcher *s, int32_t slot) {
    return (dunlin_slot){s->now->species, s->now->slot ? s->now->slot[slot] : (uint32_t)slot};
}

/* `from`: distances are those from there. */
static inline void add_hits(const dun_searcher *s, const float from[3], const int32_t *slots, uint32_t count, dun_hits *hits) {
    const uint64_t left = hits->room > hits->count ? hits->room - hits->count : 0;
    const uint32_t fit = left < count ? (uint32_t)left : count;
    if (hits->ids) {
        uint32_t *restrict to = hits->ids + hits->count;
        const uint32_t *restrict id = s->now->agents->id;
        for (uint32_t i = 0; i < fit; i++) to[i] = id[slots[i]];
    }
    for (uint32_t i = 0; hits->slots && i < fit; i++) hits->slots[hits->count + i] = slot_of(s, slots[i]);
    for (uint32_t i = 0; hits->distances && i < fit; i++)
        hits->distances[hits->count + i] = sqrtf(squared_distance(s, from, slots[i]));
    hits->count += count;
}

static void add_met(const dun_met *met, float distance, dun_hits *hits) {
    const uint64_t at = hits->count++;
    if (at >= hits->room) return;
    if (hits->ids) hits->ids[at] = met->id;
    if (hits->slots) hits->slots[at] = met->slot;
    if (hits->distances) hits->distances[at] = distance;
}

/* ---- balls ------------------------------------------------------------------------------------------------------------ */

typedef struct adding {
    float from[3];
    dun_hits *hits;
} adding;

static inline void take_all_slots(dun_searcher *s, const int32_t *slots, uint32_t count, void *context) {
    const adding *to = context;
    add_hits(s, to->from, slots, count, to->hits);
}

void dun_answer_ball(dun_searcher *s, const void *question, dun_hits *hits) {
    const dunlin_ball *ball = question;
    adding to = {.hits = hits};
    dun_query_place(&s->world->def, ball->centre, to.from);
    for (int i = 0; i < s->count; i++) {
        turn_to(s, &s->all[i]);
        search_ball(s, to.from, ball->radius, ball->radius * ball->radius, take_all_slots, &to);
    }
}

/* ---- boxes ------------------------------------------------------------------------------------------------------------ */

typedef struct box_search {
    adding to;
    dun_box piece;
} box_search;

/* The kernel squares distances, so that it also takes agents outside by less than 1e-22. */
static void take_inside(dun_searcher *s, const int32_t *slots, uint32_t count, void *context) {
    const box_search *b = context;
    int32_t inside[AT_ONCE];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_in = true;
        for (int a = 0; a < s->world->def.dimensions; a++) {
            const float x = s->now->agents->position[a][slots[i]];
            is_in = is_in && b->piece.of[a][0] <= x && x <= b->piece.of[a][1];
        }
        inside[kept] = slots[i];
        kept += is_in;
    }
    add_hits(s, b->to.from, inside, kept, b->to.hits);
}

/* A box across edges is one piece on each side of them. Returns the number of pieces along the axis. */
static int cut_box(const dunlin_world_def *def, int axis, float min, float max, float pieces[2][2]) {
    pieces[0][0] = min;
    pieces[0][1] = max;
    if (!dun_repeats(def, axis)) return 1;
    const double size = (double)def->size[axis], length = (double)max - (double)min;
    const float begin = dun_wrap(min, def->size[axis]);
    const double end = begin == min ? (double)max : (double)begin + length;
    pieces[0][0] = begin;
    pieces[0][1] = (float)end;
    if (end < size) return 1;
    pieces[0][1] = def->size[axis];
    pieces[1][0] = 0.0f;
    pieces[1][1] = (float)(end - size);
    if (pieces[1][1] < begin) return 2;
    pieces[0][0] = 0.0f; /* all around */
    return 1;
}

static void search_box(dun_searcher *s, box_search *b) {
    const dun_index *index = s->now->index;
    set_reach(s, 0.0f);
    s->query.box = true;
    s->query.packet = (dun_packet){0, 2};
    for (int a = 0; a < s->world->def.dimensions; a++) s->query.position[a] = b->piece.of[a];
    s->job.max_r2 = 0.0f;
    search(s, &b->piece, index->type->list_ranges(index, &s->query, s->ranges), take_inside, b);
}

void dun_answer_box(dun_searcher *s, const void *question, dun_hits *hits) {
    const dunlin_box *box = question;
    const int dimensions = s->world->def.dimensions;
    float pieces[3][2][2], middle[3];
    int counts[3] = {1, 1, 1};
    box_search b = {.to = {.hits = hits}};
    for (int a = 0; a < dimensions; a++) {
        counts[a] = cut_box(&s->world->def, a, box->min[a], box->max[a], pieces[a]);
        middle[a] = (float)(0.5 * ((double)box->min[a] + (double)box->max[a]));
    }
    dun_query_place(&s->world->def, middle, b.to.from);
    for (int i = 0; i < s->count; i++) {
        turn_to(s, &s->all[i]);
        for (int piece = 0; piece < counts[0] * counts[1] * counts[2]; piece++) {
            const int of[3] = {piece % counts[0], piece / counts[0] % counts[1], piece / counts[0] / counts[1]};
            for (int a = 0; a < dimensions; a++) memcpy(b.piece.of[a], pieces[a][of[a]], sizeof b.piece.of[a]);
            search_box(s, &b);
        }
    }
}

/* ---- cones ------------------------------------------------------------------------------------------------------------ */

/* A centre in the world, and a radius, that hold all within `radius` of a point: both are rounded. */
static float hold(const dunlin_world_def *def, const double point[3], double radius, float centre[3]) {
    double largest = radius;
    float rounded[3];
    for (int a = 0; a < def->dimensions; a++) {
        rounded[a] = (float)point[a];
        largest = fmax(largest, fmax(fabs(point[a]), (double)def->size[a]));
    }
    dun_query_place(def, rounded, centre);
    return (float)(radius + largest * 0x1p-20);
}

typedef struct cone_search {
    adding to; /* from: the tip */
    double direction[3];
    double view; /* c·|c| for c, the cosine of half the angle; -2: all around */
    float max_r2;
} cone_search;

static void take_seen(dun_searcher *s, const int32_t *slots, uint32_t count, void *context) {
    const cone_search *c = context;
    const int dimensions = s->world->def.dimensions;
    int32_t seen[AT_ONCE];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        double along = 0.0, length2 = 0.0;
        for (int a = 0; a < dimensions; a++) {
            const double offset = (double)offset_to(s, c->to.from, a, slots[i]);
            along += offset * c->direction[a];
            length2 += offset * offset;
        }
        seen[kept] = slots[i];
        kept += along * fabs(along) >= c->view * length2 && squared_distance(s, c->to.from, slots[i]) <= c->max_r2;
    }
    add_hits(s, c->to.from, seen, kept, c->to.hits);
}

/* How far along the direction the middle of the smallest ball around the cone is, and its radius, in lengths. The cosine of
 * half the angle: below 45 degrees the ball goes through the tip and the rim, then around the rim, then around all. */
static double ball_around(double cosine, double *radius) {
    const double sine = sqrt(fmax(0.0, 1.0 - cosine * cosine));
    const double middle = cosine > sine ? 0.5 / cosine : fmax(cosine, 0.0);
    *radius = cosine > sine ? middle : cosine > 0.0 ? sine : 1.0;
    return middle;
}

void dun_answer_cone(dun_searcher *s, const void *question, dun_hits *hits) {
    const dunlin_cone *cone = question;
    cone_search c = {.to = {.hits = hits}, .max_r2 = cone->length * cone->length};
    double middle[3];
    float sine, cosine, centre[3];
    dun_query_direction(cone->direction, s->world->def.dimensions, c.direction);
    dun_query_place(&s->world->def, cone->tip, c.to.from);
    dun_sincos_turns((float)((double)cone->half_angle / DUN_TURN), &sine, &cosine);
    c.view = cone->half_angle < DUN_PI ? (double)cosine * fabs((double)cosine) : -2.0;
    double radius;
    const double ahead = ball_around(cone->half_angle < DUN_PI ? (double)cosine : -1.0, &radius) * (double)cone->length;
    for (int a = 0; a < s->world->def.dimensions; a++) middle[a] = (double)c.to.from[a] + ahead * c.direction[a];
    const float held = hold(&s->world->def, middle, (double)cone->length * radius, centre);
    for (int i = 0; i < s->count; i++) {
        turn_to(s, &s->all[i]);
        search_ball(s, centre, held, held * held, take_seen, &c);
    }
}

/* ---- the nearest ------------------------------------------------------------------------------------------------------ */

enum { CROWD = 16 /* times as many candidates as are wanted: the search began too far out */, CROWD_ALWAYS = 256 };

/* A heap: the farthest of those that were kept is the first. */
typedef struct near_search {
    float from[3];
    dun_met *heap;
    uint32_t wanted, kept;
    float min_d2; /* what is nearer or as near has been taken; -1: nothing has */
} near_search;

static inline bool is_met_before(const dun_met *l, const dun_met *r) {
    return l->distance < r->distance || (l->distance == r->distance && l->id < r->id);
}

/* Puts `met` into the place of the first of `count`. */
static void move_down(dun_met *heap, uint32_t count, dun_met met) {
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_met_before(&heap[child], &heap[child + 1])) child++;
        if (!is_met_before(&met, &heap[child])) break;
        heap[at] = heap[child];
    }
    heap[at] = met;
}

static void rise(dun_met *heap, uint32_t at, dun_met met) {
    for (uint32_t above; at > 0 && is_met_before(&heap[above = (at - 1) / 2], &met); at = above) heap[at] = heap[above];
    heap[at] = met;
}

static void take_near(dun_searcher *s, const int32_t *slots, uint32_t count, void *context) {
    near_search *n = context;
    for (uint32_t i = 0; i < count; i++) {
        const dun_met met = {squared_distance(s, n->from, slots[i]), s->now->agents->id[slots[i]], slot_of(s, slots[i])};
        if (met.distance <= n->min_d2) continue;
        if (n->kept < n->wanted)
            rise(n->heap, n->kept++, met);
        else if (is_met_before(&met, &n->heap[0]))
            move_down(n->heap, n->kept, met);
    }
}

static uint64_t candidates_within(dun_searcher *s, const float centre[3], float radius) {
    const dun_index *index = s->now->index;
    set_reach(s, radius);
    s->query.box = false;
    s->query.packet = (dun_packet){0, 1};
    for (int a = 0; a < s->world->def.dimensions; a++) s->query.position[a] = &centre[a];
    return candidates_of(s->ranges, index->type->list_ranges(index, &s->query, s->ranges));
}

/* Where to begin: at a radius within which there are not far more agents than are wanted. Answers do not depend on it. */
static float first_radius(dun_searcher *s, const near_search *n, float max) {
    const uint64_t crowd = (uint64_t)n->wanted * CROWD + CROWD_ALWAYS;
    float radius = s->guess > 0.0f ? s->guess : s->now->cell_radius;
    if (n->kept == n->wanted) return fminf(sqrtf(n->heap[0].distance) * 1.0001f, max);
    radius = fminf(radius, max);
    uint64_t count = candidates_within(s, n->from, radius);
    for (int same = 0; count > crowd && same < 2;) {
        const uint64_t fewer = candidates_within(s, n->from, 0.5f * radius);
        same = fewer == count ? same + 1 : 0; /* cells are no smaller */
        count = fewer;
        radius *= 0.5f;
    }
    return radius;
}

/* How much farther to look if some are missing. */
static float growth(const near_search *n) {
    return fminf(2.0f, fmaxf(1.2f, sqrtf(((float)n->wanted + 1.0f) / ((float)n->kept + 0.5f))));
}

static void search_near(dun_searcher *s, near_search *n, float max) {
    const float max_d2 = fminf(max * max, FLT_MAX);
    float radius = first_radius(s, n, max);
    n->min_d2 = -1.0f;
    for (bool certain = false; !certain; radius = fminf(growth(n) * radius, max)) {
        set_reach(s, radius);
        const bool is_last = radius >= max || s->query.reach.everywhere;
        const float r2 = is_last ? max_d2 : radius * radius;
        search_ball(s, n->from, radius, r2, take_near, n);
        certain = is_last || (n->kept == n->wanted && n->heap[0].distance <= r2);
        n->min_d2 = r2;
        if (certain && n->kept == n->wanted) s->guess = 1.1f * sqrtf(n->heap[0].distance);
    }
}

void dun_answer_nearest(dun_searcher *s, const void *question, dun_hits *hits) {
    const dunlin_nearest *nearest = question;
    near_search n = {.heap = s->met, .wanted = min_u32(nearest->count, s->met_room)};
    dun_query_place(&s->world->def, nearest->centre, n.from);
    for (int i = 0; i < s->count && n.wanted > 0; i++) {
        turn_to(s, &s->all[i]);
        search_near(s, &n, nearest->radius);
    }
    for (uint32_t left = n.kept; left > 1;) { /* the heap becomes a list, nearest first */
        const dun_met last = n.heap[--left];
        const dun_met farthest = n.heap[0];
        move_down(n.heap, left, last);
        n.heap[left] = farthest;
    }
    for (uint32_t k = 0; k < n.kept; k++) add_met(&n.heap[k], sqrtf(n.heap[k].distance), hits);
}

/* ---- rays ------------------------------------------------------------------------------------------------------------- */

enum { MANY_ON_STRETCH = 64 /* candidates of a stretch: the next is shorter */ };

#define SHORTEST 1e-6 /* of the ray: a stretch */

typedef struct ray_search {
    float from[3]; /* in the world */
    double radius, direction[3];
    double middle[3];    /* of the stretch, counted from the ray's beginning … */
    double middle_at[3]; /* … and in the world */
    double length;
    double distance; /* to the first so far; INFINITY: there is none */
    dun_met met;
    uint32_t candidates; /* of the stretch */
} ray_search;

/* Where the ray enters the ball around an agent; INFINITY: nowhere. */
static double entry(const ray_search *r, const double from[3], int dimensions) {
    const double radius2 = r->radius * r->radius;
    double along = 0.0, across2 = 0.0, distance2 = 0.0;
    for (int a = 0; a < dimensions; a++) along += from[a] * r->direction[a];
    for (int a = 0; a < dimensions; a++) {
        const double across = from[a] - along * r->direction[a];
        across2 += across * across;
        distance2 += from[a] * from[a];
    }
    if (distance2 <= radius2) return 0.0;
    if (across2 > radius2 || along < 0.0) return (double)INFINITY;
    return fmax(0.0, along - sqrt(radius2 - across2));
}

static void take_on_ray(dun_searcher *s, const int32_t *slots, uint32_t count, void *context) {
    ray_search *r = context;
    const int dimensions = s->world->def.dimensions;
    r->candidates += count;
    for (uint32_t i = 0; i < count; i++) {
        double from[3];
        for (int a = 0; a < dimensions; a++) {
            const double x = (double)s->now->agents->position[a][slots[i]], size = (double)s->size[a];
            from[a] = isinf(size) ? x - (double)r->from[a] : r->middle[a] + dun_fold_double(x - r->middle_at[a], size);
        }
        const double distance = entry(r, from, dimensions);
        const uint32_t id = s->now->agents->id[slots[i]];
        if (distance > r->length || distance > r->distance || (distance == r->distance && id >= r->met.id)) continue;
        r->distance = distance;
        r->met = (dun_met){.id = id, .slot = slot_of(s, slots[i])};
    }
}

/* The part of the ray along which there may be agents. Where the world does not repeat, these are in a box. false: none is. */
static bool clip(const dun_searcher *s, const ray_search *r, double *begin, double *end) {
    const double most = r->length;
    *begin = 0.0;
    *end = most;
    for (int a = 0; a < s->world->def.dimensions; a++) {
        if (!isinf(s->size[a])) continue;
        const double from = (double)r->from[a], u = r->direction[a];
        const double slack = (fabs(from) + most) * 0x1p-40 + r->radius * 1.001;
        double near = (double)s->now->around->of[a][0] - slack - from, far = (double)s->now->around->of[a][1] + slack - from;
        if (u == 0.0 && (near > 0.0 || far < 0.0)) return false;
        if (u == 0.0) continue;
        *begin = fmax(*begin, fmin(near / u, far / u));
        *end = fmin(*end, fmax(near / u, far / u));
    }
    return *begin <= *end;
}

static void search_stretch(dun_searcher *s, ray_search *r, double begin, double length) {
    double middle[3] = {0.0};
    float centre[3];
    for (int a = 0; a < s->world->def.dimensions; a++) {
        r->middle[a] = (begin + 0.5 * length) * r->direction[a];
        middle[a] = (double)r->from[a] + r->middle[a];
        r->middle_at[a] = isinf(s->size[a]) ? middle[a] : dun_wrap_double(middle[a], (double)s->size[a]);
    }
    const float radius = hold(&s->world->def, middle, 0.5 * length + r->radius, centre);
    r->candidates = 0;
    search_ball(s, centre, radius, radius * radius, take_on_ray, r);
}

/* Goes along the ray in stretches as long as cells, or longer ones where there are no agents. */
static void search_ray(dun_searcher *s, ray_search *r) {
    double begin, end, longest = (double)INFINITY;
    if (!clip(s, r, &begin, &end)) return;
    for (int a = 0; a < s->world->def.dimensions; a++) longest = fmin(longest, 0.25 * (double)s->size[a]);
    const double cell = (double)s->now->cell_radius + 0.5 * r->radius;
    const double shortest = fmin(longest, fmax(cell, end * SHORTEST));
    double length = shortest;
    do {
        const double now = fmin(length, end - begin);
        search_stretch(s, r, begin, now);
        begin += now;
        if (r->candidates == 0) length = fmin(longest, 2.0 * length);
        if (r->candidates > MANY_ON_STRETCH) length = fmax(shortest, 0.5 * length);
    } while (begin < end && r->distance > begin);
}

void dun_answer_ray(dun_searcher *s, const void *question, dun_hits *hits) {
    const dunlin_ray *ray = question;
    ray_search r = {.radius = (double)ray->radius, .length = (double)ray->length, .distance = (double)INFINITY};
    dun_query_place(&s->world->def, ray->from, r.from);
    dun_query_direction(ray->direction, s->world->def.dimensions, r.direction);
    for (int i = 0; i < s->count; i++) {
        turn_to(s, &s->all[i]);
        search_ray(s, &r);
    }
    if (!isinf(r.distance)) add_met(&r.met, (float)r.distance, hits);
}
