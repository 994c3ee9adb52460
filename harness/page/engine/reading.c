/* SPDX-License-Identifier: MIT */
/* What there is to see: names, numbers, scenery, statistics, agents. */
#include "harness/page/engine/page.h"
#include "harness/report/useful.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __wasm32__
/* harness/page/src/flock.ts reads these. */
static_assert(offsetof(dunlin_view, count) == 8 && offsetof(dunlin_view, position) == 12, "the layout of a view");
static_assert(offsetof(dunlin_view, id) == 36 && offsetof(dunlin_view, attribute) == 40, "the layout of a view");
static_assert(offsetof(dunlin_field_view, vectors) == 36, "the layout of a view of a field");
#endif

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

/* Begins an answer; NULL: out of memory. */
static FILE *begin(page_flock *flock) {
    free(flock->json);
    flock->json = NULL;
    return flock->stream = open_memstream(&flock->json, &flock->length);
}

/* The answer; NULL: memory ran out. */
static const char *end(page_flock *flock) {
    const bool is_whole = !ferror(flock->stream);
    return fclose(flock->stream) == 0 && is_whole ? flock->json : NULL;
}

/* With its quotes. */
static void put_string(FILE *json, const char *text) {
    fputc('"', json);
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        fprintf(json, byte == '"' || byte == '\\' ? "\\%c" : byte < ' ' ? "\\u%04x" : "%c", byte);
    }
    fputc('"', json);
}

/* Reads back as the same bits; null if it is not finite. */
static void put_number(FILE *json, double number) {
    fprintf(json, isfinite(number) ? "%.17g" : "null", number);
}

static void put_strings(FILE *json, const char *name, const char *text) {
    fprintf(json, ",\"%s\":", name);
    put_string(json, text);
}

static void put_numbers(FILE *json, const char *name, const float *numbers, int count) {
    fprintf(json, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) fprintf(json, ",");
        put_number(json, (double)numbers[i]);
    }
    fprintf(json, "]");
}

/* ---- the scenario ----------------------------------------------------------------------------------------------------- */

/* The number of a species' attribute of that role; -1: it has none. */
static int attribute_of(const dunlin_world *world, int species, dunlin_role role) {
    for (int a = 0; a < dunlin_world_attribute_count(world, species); a++)
        if (dunlin_world_get_attribute(world, species, a).role == role) return a;
    return -1;
}

/* The corners of each shape, or the radius of a disc. */
static void put_shapes(FILE *json) {
    fprintf(json, ",\"shapes\":{");
    for (int i = 0; i < DUNLIN_SHAPE_COUNT; i++) {
        const dunlin_outline shape = dunlin_shape_outline((dunlin_shape)i);
        fprintf(json, "%s\"%s\":{\"radius\":%.9g", i > 0 ? "," : "", dunlin_shape_name((dunlin_shape)i), (double)shape.radius);
        put_numbers(json, "corners", shape.corners[0], 2 * shape.count);
        fprintf(json, "}");
    }
    fprintf(json, "}");
}

static void put_look(FILE *json, const dunlin_scenario *scenario, int species) {
    const dunlin_look look = dunlin_scenario_look(scenario, species);
    fprintf(json, ",\"look\":{\"shape\":\"%s\",\"size\":%.9g,\"scale\":%.9g,\"size_by\":%d,\"typical\":%.9g",
            dunlin_shape_name(look.shape), (double)look.size, (double)look.scale, look.size_by, (double)look.typical);
    fprintf(json, ",\"colour\":\"%s\",\"colour_by\":%d,\"outline\":%d}", dunlin_colour_name(look.colour), look.colour_by,
            look.outline);
}

static void put_species(FILE *json, const page_flock *flock, int species) {
    const dunlin_world *world = flock->world;
    const dunlin_species_def def = dunlin_world_get_species(world, species);
    fprintf(json, "%s{\"name\":", species > 0 ? "," : "");
    put_string(json, def.name);
    fprintf(json, ",\"max_speed\":%.9g,\"groups\":%d,\"group\":%d,\"body\":%d,\"attributes\":[", (double)def.max_speed,
            def.groups, attribute_of(world, species, DUNLIN_ROLE_GROUP), attribute_of(world, species, DUNLIN_ROLE_BODY));
    for (int a = 0; a < dunlin_world_attribute_count(world, species); a++) {
        if (a > 0) fprintf(json, ",");
        put_string(json, dunlin_world_get_attribute(world, species, a).name);
    }
    fprintf(json, "]");
    put_look(json, flock->scenario, species);
    fprintf(json, "}");
}

/* The open scenario's name and the like, and the world's definition and species. */
PAGE_API const char *page_about(page_flock *flock) {
    FILE *json = page_runs(flock) ? begin(flock) : NULL;
    if (!json) return NULL;
    const dunlin_world_def def = dunlin_world_get_def(flock->world);
    fprintf(json, "{\"steps\":%.17g", (double)dunlin_scenario_steps(flock->scenario));
    put_strings(json, "name", dunlin_scenario_name(flock->scenario));
    put_strings(json, "description", dunlin_scenario_description(flock->scenario));
    put_strings(json, "kernel", def.kernel);
    put_strings(json, "index", def.index);
    put_strings(json, "version", dunlin_version());
    fprintf(json, ",\"dimensions\":%d,\"threads\":%d,\"seed\":\"%llu\"", def.dimensions, def.threads,
            (unsigned long long)def.seed);
    float boundary[3];
    for (int a = 0; a < def.dimensions; a++) boundary[a] = (float)dunlin_world_boundary(flock->world, a);
    put_numbers(json, "boundary", boundary, def.dimensions);
    put_numbers(json, "size", def.size, def.dimensions);
    put_shapes(json);
    fprintf(json, ",\"y_is_down\":%d,\"species\":[", dunlin_scenario_y_is_down(flock->scenario));
    for (int s = 0; s < dunlin_world_species_count(flock->world); s++) put_species(json, flock, s);
    fprintf(json, "]}");
    return end(flock);
}

static void describe_number(FILE *json, const dunlin_scenario_number *number) {
    fprintf(json, "{\"path\":");
    put_string(json, number->path);
    put_strings(json, "unit", number->unit);
    put_strings(json, "default_text", number->default_text);
    put_strings(json, "doc", number->doc);
    const struct {
        const char *name;
        double value;
    } values[] = {{"value", number->value}, {"standard", number->standard}, {"min", number->min}, {"max", number->max}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        fprintf(json, ",\"%s\":", values[i].name);
        put_number(json, values[i].value);
    }
    fprintf(json, ",\"above_min\":%d,\"below_max\":%d,\"whole\":%d,\"given\":%d,\"live\":%d}", number->above_min,
            number->below_max, number->whole, number->given, number->live);
}

/* Every number of the open scenario. */
PAGE_API const char *page_numbers(page_flock *flock) {
    FILE *json = begin(flock);
    if (!json) return NULL;
    const uint32_t count = flock->scenario ? dunlin_scenario_number_count(flock->scenario) : 0;
    fprintf(json, "[");
    for (uint32_t i = 0; i < count; i++) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(flock->scenario, i);
        if (i > 0) fprintf(json, ",");
        describe_number(json, &number);
    }
    fprintf(json, "]");
    return end(flock);
}

/* The JSON Schema of scenario files: the choices, kinds and defaults that numbers do not have. NULL: out of memory. */
PAGE_API const char *page_schema(page_flock *flock) {
    const size_t size = dunlin_scenario_schema(NULL, 0) + 1;
    free(flock->json);
    flock->json = malloc(size);
    return flock->json && dunlin_scenario_schema(flock->json, size) == size - 1 ? flock->json : NULL;
}

/* Obstacles, paths, walls and targets. */
static void put_obstacle(FILE *json, const dunlin_obstacle_def *obstacle, int dimensions) {
    fprintf(json, "{\"shape\":%d,\"radius\":%.9g", (int)obstacle->shape, (double)obstacle->radius);
    put_numbers(json, "a", obstacle->a, dimensions);
    put_numbers(json, "b", obstacle->b, dimensions);
    fprintf(json, "}");
}

static void put_path(FILE *json, const dunlin_path_def *path, int dimensions) {
    static const char *const names[] = {"x", "y", "z"};
    fprintf(json, "{\"closed\":%d", path->closed);
    for (int a = 0; a < dimensions; a++) put_numbers(json, names[a], path->points[a], (int)path->count);
    fprintf(json, "}");
}

static void put_behaviour(FILE *json, const dunlin_behaviour_def *def, int dimensions) {
    fprintf(json, "{\"kind\":%d,\"species\":%d,\"target\":%d,\"path\":%d,\"field\":%d,\"radius\":", (int)def->kind,
            def->species, (int)def->target.kind, def->follow.path, def->flow.field);
    put_number(json, (double)def->radius);
    fprintf(json, ",\"width\":%.9g,\"weight\":%.9g", (double)def->follow.radius, (double)def->weight);
    put_numbers(json, "position", def->target.position, dimensions);
    put_numbers(json, "margin", def->contain.margin, dimensions);
    put_numbers(json, "min", def->contain.min, dimensions);
    put_numbers(json, "max", def->contain.max, dimensions);
    fprintf(json, "}");
}

PAGE_API const char *page_scenery(page_flock *flock) {
    FILE *json = page_runs(flock) ? begin(flock) : NULL;
    if (!json) return NULL;
    const dunlin_world *world = flock->world;
    const int dimensions = dunlin_world_get_def(world).dimensions;
    const dunlin_obstacle_view obstacles = dunlin_world_obstacle_view(world);
    fprintf(json, "{\"fields\":%d,\"traces\":[", dunlin_world_field_count(world));
    for (int i = 0; i < dunlin_world_trace_count(world); i++)
        fprintf(json, "%s%d", i > 0 ? "," : "", dunlin_world_get_trace(world, i).field);
    fprintf(json, "],\"obstacles\":[");
    for (uint32_t i = 0; i < obstacles.count; i++) {
        if (i > 0) fprintf(json, ",");
        put_obstacle(json, &obstacles.obstacles[i], dimensions);
    }
    fprintf(json, "],\"paths\":[");
    for (int i = 0; i < dunlin_world_path_count(world); i++) {
        const dunlin_path_def path = dunlin_world_get_path(world, i);
        if (i > 0) fprintf(json, ",");
        put_path(json, &path, dimensions);
    }
    fprintf(json, "],\"behaviours\":[");
    for (int i = 0; i < dunlin_world_behaviour_count(world); i++) {
        const dunlin_behaviour_def behaviour = dunlin_world_get_behaviour(world, i);
        if (i > 0) fprintf(json, ",");
        put_behaviour(json, &behaviour, dimensions);
    }
    fprintf(json, "]}");
    return end(flock);
}

/* ---- the simulation -------------------------------------------------------------------------------------------------------
 */

/* The last step in numbers; NaN: it was not counted. */
PAGE_API const double *page_stats(page_flock *flock) {
    if (!page_runs(flock)) return NULL;
    const dunlin_stats s = dunlin_world_stats(flock->world);
    const double numbers[] = {(double)s.step,
                              (double)s.time,
                              (double)dunlin_world_agent_count(flock->world),
                              (double)s.births,
                              (double)s.deaths,
                              (double)s.threads,
                              (double)s.cells,
                              (double)s.pairs_tested,
                              useful_counted(flock->world) ? (double)s.pairs_useful : (double)NAN,
                              s.ms_snapshot,
                              s.ms_interact,
                              s.ms_steer,
                              s.ms_integrate,
                              s.ms_frame,
                              (double)dunlin_world_generation(flock->world),
                              (double)dunlin_world_bytes(flock->world)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) flock->numbers[i] = numbers[i];
    return flock->numbers;
}

/* The state's hash: its low and its high 32 bits. */
PAGE_API const double *page_hash(page_flock *flock) {
    if (!page_runs(flock)) return NULL;
    const uint64_t hash = dunlin_world_state_hash(flock->world);
    flock->numbers[0] = (double)(uint32_t)hash;
    flock->numbers[1] = (double)(uint32_t)(hash >> 32);
    return flock->numbers;
}

/* Measurements of a species; NULL after a failure. */
PAGE_API const double *page_measure(page_flock *flock, int species) {
    dunlin_metrics m;
    if (!page_runs(flock)) return NULL;
    if (dunlin_world_measure(flock->world, species, &m, &flock->error) != DUNLIN_OK) return NULL;
    const double numbers[] = {(double)m.agents,  m.polarization,     m.rotation,     m.mean_speed,
                              m.mean_neighbours, m.neighbour_radius, m.mean_nearest, (double)m.outside};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) flock->numbers[i] = numbers[i];
    return flock->numbers;
}

PAGE_API const dunlin_view *page_view(page_flock *flock, int species) {
    flock->view = page_runs(flock) ? dunlin_world_view(flock->world, species) : (dunlin_view){0};
    return &flock->view;
}

PAGE_API const dunlin_field_view *page_field(page_flock *flock, int field) {
    flock->field = page_runs(flock) ? dunlin_world_field_view(flock->world, field) : (dunlin_field_view){0};
    return &flock->field;
}

/* The numbers of a trace, one for each cell of its field; NULL: nothing runs. */
PAGE_API const float *page_trace(page_flock *flock, int trace) {
    return page_runs(flock) ? dunlin_world_trace_view(flock->world, trace).values : NULL;
}

/* ---- one agent -------------------------------------------------------------------------------------------------------- */

/* The agents that an agent sees: candidates are tested one by one, since it is only one agent. */
typedef struct observer {
    float position[3], velocity[3];
    float scale[DUNLIN_RULE_COUNT]; /* of each rule's radii */
    float fold[3];                  /* the size of a periodic axis; 0: it does not repeat */
    float group;                    /* -1: it has none */
    int dimensions;
    uint32_t id;
} observer;

/* A neighbour that an interaction with `nearest` counts. */
typedef struct seen {
    float distance2;
    uint32_t id, slot;
} seen;

/* Its attribute of that role, or, if it has none, `none`. */
static float value_of(const dunlin_world *world, const dunlin_view *view, dunlin_slot slot, dunlin_role role, float none) {
    const int attribute = attribute_of(world, slot.species, role);
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

/* The vector to the nearest image of an agent; returns its length squared. */
static float offset_to(const observer *self, const dunlin_view *view, uint32_t slot, float offset[3]) {
    float distance2 = 0;
    for (int a = 0; a < self->dimensions; a++) {
        float d = view->position[a][slot] - self->position[a];
        if (d > self->fold[a] / 2) d -= self->fold[a];
        if (d < -self->fold[a] / 2) d += self->fold[a];
        offset[a] = d;
        distance2 += d * d;
    }
    return distance2;
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

/* Keeps the nearest, in ascending order of distance and id. */
static int keep_nearest(seen *kept, int count, int room, seen next) {
    int at = count < room ? count : room;
    while (at > 0 && (next.distance2 < kept[at - 1].distance2 ||
                      (next.distance2 <= kept[at - 1].distance2 && next.id < kept[at - 1].id))) {
        if (at < room) kept[at] = kept[at - 1];
        at--;
    }
    if (at < room) kept[at] = next;
    return count < room ? count + 1 : room;
}

/* The slots of the neighbours that an interaction shows to the agent. max_neighbours is left out: which are the first is known
 * only once the next step has sorted the agents. */
static void put_neighbours(FILE *json, const observer *self, const dunlin_view *view, const dunlin_interaction_def *def,
                           const float *group) {
    seen kept[32];
    int nearest = 0;
    const char *comma = "";
    for (uint32_t j = 0; j < view->count; j++) {
        float offset[3];
        const float distance2 = offset_to(self, view, j, offset);
        if (view->id[j] == self->id || (def->ignore_coincident && distance2 <= 0) ||
            !is_counted(self, def, offset, distance2, group ? group[j] : -1))
            continue;
        if (def->nearest > 0) {
            nearest = keep_nearest(kept, nearest, def->nearest, (seen){distance2, view->id[j], j});
        } else {
            fprintf(json, "%s%u", comma, j);
            comma = ",";
        }
    }
    for (int i = 0; i < nearest; i++) fprintf(json, "%s%u", i > 0 ? "," : "", kept[i].slot);
}

static void put_sight(FILE *json, const observer *self, const dunlin_view *view, const dunlin_interaction_def *def,
                      const float *group) {
    fprintf(json, "{\"observed\":%d,\"nearest\":%d,\"max_neighbours\":%d,\"rules\":[", def->observed, def->nearest,
            def->max_neighbours);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++)
        fprintf(json, "%s{\"radius\":%.9g,\"min_radius\":%.9g,\"view\":%.9g}", r > 0 ? "," : "",
                (double)(def->rules[r].radius * self->scale[r]), (double)(def->rules[r].min_radius * self->scale[r]),
                (double)def->rules[r].half_angle);
    fprintf(json, "],\"neighbours\":[");
    put_neighbours(json, self, view, def, group);
    fprintf(json, "]}");
}

/* An agent, and for each interaction by which it observes: the rules as they are for this agent, and its neighbours' slots.
 * "null": there is no such agent. O(agents). */
PAGE_API const char *page_agent(page_flock *flock, uint32_t id) {
    FILE *json = begin(flock);
    if (!json) return NULL;
    const dunlin_slot slot = page_runs(flock) ? dunlin_world_find_agent(flock->world, id) : (dunlin_slot){.species = -1};
    if (slot.species < 0) {
        fprintf(json, "null");
        return end(flock);
    }
    const dunlin_view own = dunlin_world_view(flock->world, slot.species);
    const observer self = find_observer(flock->world, &own, slot);
    const char *comma = "";
    fprintf(json, "{\"species\":%d,\"slot\":%u", slot.species, slot.index);
    put_numbers(json, "position", self.position, self.dimensions);
    put_numbers(json, "velocity", self.velocity, self.dimensions);
    fprintf(json, ",\"sights\":[");
    for (int i = 0; i < dunlin_world_interaction_count(flock->world); i++) {
        const dunlin_interaction_def def = dunlin_world_get_interaction(flock->world, i);
        if (def.observer != slot.species) continue;
        const dunlin_view view = dunlin_world_view(flock->world, def.observed);
        fprintf(json, "%s", comma);
        const int group = attribute_of(flock->world, def.observed, DUNLIN_ROLE_GROUP);
        put_sight(json, &self, &view, &def, group >= 0 ? view.attribute[group] : NULL);
        comma = ",";
    }
    fprintf(json, "]}");
    return end(flock);
}
