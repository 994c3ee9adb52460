/* SPDX-License-Identifier: MIT */
/* What an agent sees, and which agents are near a place: candidates are tested one by one, since it is only one agent or place.
 */
#include "harness/page/engine/page.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __wasm32__
/* harness/page/npm/whole_flock.ts reads these. */
#include <assert.h>
static_assert(sizeof(page_near) == 12 && offsetof(page_near, slot) == 8, "the layout of a near agent");
#endif

/* ---- distances ----------------------------------------------------------------------------------------------------------- */

void page_place(const dunlin_view *view, uint32_t slot, float place[3]) {
    for (int a = 0; a < 3; a++) place[a] = view->position[a] ? view->position[a][slot] : 0;
}

float page_distance2(const dunlin_world *world, const float from[3], const dunlin_view *view, uint32_t slot, float offset[3]) {
    float place[3];
    page_place(view, slot, place);
    dunlin_world_offset(world, from, place, offset);
    return offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
}

/* Keeps the nearest, in ascending order of distance and id. */
static uint32_t keep_nearest(page_near *kept, uint32_t count, uint32_t room, page_near next) {
    uint32_t at = count < room ? count : room;
    while (at > 0 && (next.distance2 < kept[at - 1].distance2 ||
                      (next.distance2 <= kept[at - 1].distance2 && next.id < kept[at - 1].id))) {
        if (at < room) kept[at] = kept[at - 1];
        at--;
    }
    if (at < room) kept[at] = next;
    return count < room ? count + 1 : room;
}

static int by_distance(const void *one, const void *other) {
    const page_near *a = one, *b = other;
    if (a->distance2 < b->distance2 || a->distance2 > b->distance2) return a->distance2 < b->distance2 ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* The agents of a species within the radius of a place, at most `room`, the nearest first; returns how many. A small room is
 * kept in order, a room for all is sorted at the end. */
PAGE_API uint32_t page_find(page_flock *flock, int species, const float *place, float radius, uint32_t room, page_near *near) {
    if (!page_runs(flock)) return 0;
    const dunlin_view view = dunlin_world_view(flock->world, species);
    float from[3] = {0}, offset[3];
    uint32_t count = 0;
    for (int a = 0; a < dunlin_world_get_def(flock->world).dimensions; a++) from[a] = place[a];
    for (uint32_t i = 0; i < view.count; i++) {
        const page_near next = {page_distance2(flock->world, from, &view, i, offset), view.id[i], i};
        if (next.distance2 > radius * radius) continue;
        if (room < view.count)
            count = keep_nearest(near, count, room, next);
        else
            near[count++] = next;
    }
    if (room >= view.count) qsort(near, count, sizeof *near, by_distance);
    return count;
}

/* ---- what an agent sees ------------------------------------------------------------------------------------------------- */

typedef struct observer {
    float position[3], velocity[3];
    float scale[DUNLIN_RULE_COUNT]; /* of each rule's radii */
    float fold[3];                  /* the size of a periodic axis; 0: it does not repeat */
    float group;                    /* -1: it has none */
    int dimensions;
    uint32_t id;
} observer;

/* Its attribute of that role, or, if it has none, `none`. */
static float value_of(const dunlin_world *world, const dunlin_view *view, dunlin_slot slot, dunlin_role role, float none) {
    const int attribute = page_attribute_of(world, slot.species, role);
    return attribute < 0 ? none : view->attribute[attribute][slot.index];
}

static observer find_observer(const dunlin_world *world, const dunlin_view *view, dunlin_slot slot) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    observer self = {.dimensions = def.dimensions, .id = view->id[slot.index]};
    for (int a = 0; a < def.dimensions; a++) {
        self.position[a] = view->position[a][slot.index];
        self.velocity[a] = view->velocity[a][slot.index];
        self.fold[a] = dunlin_world_boundary(world, a) == DUNLIN_BOUNDARY_PERIODIC ? def.size[a] : 0;
    }
    const float scale = value_of(world, view, slot, DUNLIN_ROLE_RADIUS_SCALE, 1);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++)
        self.scale[r] = scale * value_of(world, view, slot, (dunlin_role)(DUNLIN_ROLE_SEPARATION_RADIUS_SCALE + r), 1);
    self.group = value_of(world, view, slot, DUNLIN_ROLE_GROUP, -1);
    return self;
}

static bool is_in_view(const observer *self, const float offset[3], float distance2, float view) {
    const float pi = 3.14159265F;
    float along = 0;
    float speed2 = 0;
    if (view <= 0 || view >= pi) return true;
    for (int a = 0; a < self->dimensions; a++) {
        along += self->velocity[a] * offset[a];
        speed2 += self->velocity[a] * self->velocity[a];
    }
    return speed2 <= 0 || distance2 <= 0 || along >= cosf(view) * sqrtf(speed2 * distance2);
}

/* group: the neighbour's; -1: it has none. */
static bool is_kin(dunlin_kin kin, float own, float group) {
    const bool same = own >= group && own <= group;
    return kin == DUNLIN_KIN_ALL || same == (kin == DUNLIN_KIN_SAME_GROUP);
}

static bool is_counted(const observer *self, const dunlin_interaction_def *def, const float offset[3], float distance2,
                       float group) {
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        const dunlin_rule *rule = &def->rules[r];
        const float radius = rule->radius * self->scale[r];
        const float min_radius = rule->min_radius * self->scale[r];
        if (rule->radius > 0 && distance2 <= radius * radius && distance2 >= min_radius * min_radius &&
            is_kin(rule->kin, self->group, group) && is_in_view(self, offset, distance2, rule->half_angle))
            return true;
    }
    return false;
}

/* ---- obstacles that hide: kernels/neighbours/sight.h for one pair and one obstacle, in binary64 ---------------------------
 */

/* A straight line from a place; `dimensions` numbers count. */
typedef struct segment {
    double from[3], delta[3];
    int dimensions;
} segment;

static double inner(const segment *s, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < s->dimensions; i++) sum += a[i] * b[i];
    return sum;
}

static double share_of(double a, double b) {
    return b > 0 ? fmin(fmax(a / b, 0), 1) : 0;
}

/* The squared distance between two segments (C. Ericson, "Real-Time Collision Detection", 2005, 5.1.9). */
static double distance2_of(const segment *s, const segment *t) {
    double offset[3] = {0}, apart[3] = {0};
    for (int a = 0; a < s->dimensions; a++) offset[a] = s->from[a] - t->from[a];
    const double ss = inner(s, s->delta, s->delta), tt = inner(s, t->delta, t->delta), st = inner(s, s->delta, t->delta);
    const double so = inner(s, offset, s->delta), to = inner(s, offset, t->delta);
    const double on_t = share_of(st * share_of(st * to - so * tt, ss * tt - st * st) + to, tt);
    const double on_s = share_of(st * on_t - so, ss);
    for (int a = 0; a < s->dimensions; a++) apart[a] = offset[a] + on_s * s->delta[a] - on_t * t->delta[a];
    return inner(s, apart, apart);
}

static bool capsule_hides(const segment *sight, const dunlin_obstacle_def *capsule, const double shift[3]) {
    segment axis = {.dimensions = sight->dimensions}, ends[2] = {*sight, *sight};
    for (int a = 0; a < axis.dimensions; a++) {
        axis.from[a] = (double)capsule->a[a] + shift[a];
        axis.delta[a] = capsule->shape == DUNLIN_OBSTACLE_BALL ? 0 : (double)capsule->b[a] - (double)capsule->a[a];
        ends[1].from[a] += sight->delta[a];
        ends[0].delta[a] = ends[1].delta[a] = 0;
    }
    const double radius = (double)capsule->radius, rounding = 1e-24 * inner(sight, axis.from, axis.from);
    return distance2_of(sight, &axis) <= radius * radius + rounding && distance2_of(&ends[0], &axis) > radius * radius &&
           distance2_of(&ends[1], &axis) > radius * radius;
}

static bool box_hides(const segment *sight, const dunlin_obstacle_def *box, const double shift[3]) {
    double enters = 0, leaves = 1;
    bool holds[2] = {true, true};
    for (int a = 0; a < sight->dimensions; a++) {
        const double from = sight->from[a] - shift[a], delta = sight->delta[a];
        const double near = (double)(delta < 0 ? box->b[a] : box->a[a]), far = (double)(delta < 0 ? box->a[a] : box->b[a]);
        for (int end = 0; end < 2; end++) {
            const double at = from + end * delta;
            holds[end] = holds[end] && at >= (double)box->a[a] && at <= (double)box->b[a];
        }
        if (fabs(delta) > 0) {
            enters = fmax(enters, (near - from) / delta);
            leaves = fmin(leaves, (far - from) / delta);
        } else if (from < near || from > far) {
            return false;
        }
    }
    return enters <= leaves && !holds[0] && !holds[1];
}

/* Whether an obstacle hides what is at the offset. In a periodic world obstacles repeat. */
static bool is_hidden(const dunlin_world *world, const observer *self, const float offset[3]) {
    const dunlin_obstacle_view view = dunlin_world_obstacle_view(world);
    segment sight = {.dimensions = self->dimensions};
    for (int a = 0; a < self->dimensions; a++) {
        sight.from[a] = (double)self->position[a];
        sight.delta[a] = (double)offset[a];
    }
    for (uint32_t i = 0; i < view.count * 27; i++) {
        const dunlin_obstacle_def *obstacle = &view.obstacles[i / 27];
        const int image[3] = {(int)(i % 3) - 1, (int)(i / 3 % 3) - 1, (int)(i / 9 % 3) - 1};
        double shift[3];
        bool repeats = true;
        for (int a = 0; a < 3; a++) {
            shift[a] = image[a] * (double)self->fold[a];
            repeats = repeats && (image[a] == 0 || self->fold[a] > 0);
        }
        if (repeats && (obstacle->shape == DUNLIN_OBSTACLE_BOX ? box_hides : capsule_hides)(&sight, obstacle, shift))
            return true;
    }
    return false;
}

/* ---- one agent --------------------------------------------------------------------------------------------------------- */

/* The slots of the neighbours that an interaction shows to the agent. max_neighbours is left out: which are the first is known
 * only once the next step has sorted the agents. */
static void put_neighbours(FILE *json, const dunlin_world *world, const observer *self, const dunlin_view *view,
                           const dunlin_interaction_def *def, const float *group) {
    page_near kept[32];
    uint32_t nearest = 0;
    const char *comma = "";
    for (uint32_t j = 0; j < view->count; j++) {
        float offset[3];
        const float distance2 = page_distance2(world, self->position, view, j, offset);
        if (view->id[j] == self->id || (def->ignore_coincident && distance2 <= 0) ||
            !is_counted(self, def, offset, distance2, group ? group[j] : -1) ||
            (def->sight_blocked && is_hidden(world, self, offset)))
            continue;
        if (def->nearest > 0) {
            nearest = keep_nearest(kept, nearest, (uint32_t)def->nearest, (page_near){distance2, view->id[j], j});
        } else {
            fprintf(json, "%s%u", comma, j);
            comma = ",";
        }
    }
    for (uint32_t i = 0; i < nearest; i++) fprintf(json, "%s%u", i > 0 ? "," : "", kept[i].slot);
}

static void put_sight(FILE *json, const dunlin_world *world, const observer *self, const dunlin_view *view,
                      const dunlin_interaction_def *def, const float *group) {
    fprintf(json, "{\"observed\":%d,\"nearest\":%d,\"max_neighbours\":%d,\"rules\":[", def->observed, def->nearest,
            def->max_neighbours);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++)
        fprintf(json, "%s{\"radius\":%.9g,\"min_radius\":%.9g,\"view\":%.9g}", r > 0 ? "," : "",
                (double)(def->rules[r].radius * self->scale[r]), (double)(def->rules[r].min_radius * self->scale[r]),
                (double)def->rules[r].half_angle);
    fprintf(json, "],\"neighbours\":[");
    put_neighbours(json, world, self, view, def, group);
    fprintf(json, "]}");
}

/* An agent, and for each interaction by which it observes: the rules as they are for this agent, and its neighbours' slots.
 * "null": there is no such agent. O(agents). */
PAGE_API const char *page_agent(page_flock *flock, uint32_t id) {
    FILE *json = page_begin(flock);
    if (!json) return NULL;
    const dunlin_slot slot = page_runs(flock) ? dunlin_world_find_agent(flock->world, id) : (dunlin_slot){.species = -1};
    if (slot.species < 0) {
        fprintf(json, "null");
        return page_end(flock);
    }
    const dunlin_view own = dunlin_world_view(flock->world, slot.species);
    const observer self = find_observer(flock->world, &own, slot);
    const char *comma = "";
    fprintf(json, "{\"species\":%d,\"slot\":%u", slot.species, slot.index);
    page_put_numbers(json, "position", self.position, self.dimensions);
    page_put_numbers(json, "velocity", self.velocity, self.dimensions);
    fprintf(json, ",\"sights\":[");
    for (int i = 0; i < dunlin_world_interaction_count(flock->world); i++) {
        const dunlin_interaction_def def = dunlin_world_get_interaction(flock->world, i);
        if (def.observer != slot.species) continue;
        const dunlin_view view = dunlin_world_view(flock->world, def.observed);
        fprintf(json, "%s", comma);
        const int group = page_attribute_of(flock->world, def.observed, DUNLIN_ROLE_GROUP);
        put_sight(json, flock->world, &self, &view, &def, group >= 0 ? view.attribute[group] : NULL);
        comma = ",";
    }
    fprintf(json, "]}");
    return page_end(flock);
}
