/* SPDX-License-Identifier: MIT */
/* What there is to see: names, numbers, scenery, statistics, arrays. */
#include "harness/page/engine/page.h"
#include "harness/picture/crowd.h"
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

FILE *page_begin(page_flock *flock) {
    free(flock->json);
    flock->json = NULL;
    return flock->stream = open_memstream(&flock->json, &flock->length);
}

const char *page_end(page_flock *flock) {
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

void page_put_numbers(FILE *json, const char *name, const float *numbers, int count) {
    fprintf(json, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) fprintf(json, ",");
        put_number(json, (double)numbers[i]);
    }
    fprintf(json, "]");
}

/* ---- the scenario ----------------------------------------------------------------------------------------------------- */

int page_attribute_of(const dunlin_world *world, int species, dunlin_role role) {
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
        page_put_numbers(json, "corners", shape.corners[0], 2 * shape.count);
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
            def.groups, page_attribute_of(world, species, DUNLIN_ROLE_GROUP),
            page_attribute_of(world, species, DUNLIN_ROLE_BODY));
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
    FILE *json = page_runs(flock) ? page_begin(flock) : NULL;
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
    page_put_numbers(json, "boundary", boundary, def.dimensions);
    page_put_numbers(json, "size", def.size, def.dimensions);
    put_shapes(json);
    fprintf(json, ",\"y_is_down\":%d,\"species\":[", dunlin_scenario_y_is_down(flock->scenario));
    for (int s = 0; s < dunlin_world_species_count(flock->world); s++) put_species(json, flock, s);
    fprintf(json, "]}");
    return page_end(flock);
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
    FILE *json = page_begin(flock);
    if (!json) return NULL;
    const uint32_t count = flock->scenario ? dunlin_scenario_number_count(flock->scenario) : 0;
    fprintf(json, "[");
    for (uint32_t i = 0; i < count; i++) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(flock->scenario, i);
        if (i > 0) fprintf(json, ",");
        describe_number(json, &number);
    }
    fprintf(json, "]");
    return page_end(flock);
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
    page_put_numbers(json, "a", obstacle->a, dimensions);
    page_put_numbers(json, "b", obstacle->b, dimensions);
    fprintf(json, "}");
}

static void put_path(FILE *json, const dunlin_path_def *path, int dimensions) {
    static const char *const names[] = {"x", "y", "z"};
    fprintf(json, "{\"closed\":%d", path->closed);
    for (int a = 0; a < dimensions; a++) page_put_numbers(json, names[a], path->points[a], (int)path->count);
    fprintf(json, "}");
}

/* Where a target is that is a point, or an agent that lives. */
static void put_target(FILE *json, dunlin_world *world, const dunlin_target *target, int dimensions) {
    const bool is_agent = target->kind == DUNLIN_TARGET_AGENT;
    const dunlin_slot slot = is_agent ? dunlin_world_find_agent(world, target->agent) : (dunlin_slot){.species = -1};
    float at[3] = {target->position[0], target->position[1], target->position[2]};
    const dunlin_view view = dunlin_world_view(world, slot.species);
    for (int a = 0; a < dimensions && slot.species >= 0; a++) at[a] = view.position[a][slot.index];
    fprintf(json, ",\"target\":%d", is_agent && slot.species < 0 ? -1 : (int)target->kind);
    page_put_numbers(json, "position", at, dimensions);
}

static void put_behaviour(FILE *json, dunlin_world *world, const dunlin_behaviour_def *def, int dimensions) {
    fprintf(json, "{\"kind\":%d,\"species\":%d,\"path\":%d,\"field\":%d,\"radius\":", (int)def->kind, def->species,
            def->follow.path, def->flow.field);
    put_number(json, (double)def->radius);
    fprintf(json, ",\"slowing\":");
    put_number(json, def->kind == DUNLIN_BEHAVIOUR_ARRIVE ? (double)def->slowing_radius : HUGE_VAL);
    fprintf(json, ",\"width\":%.9g,\"weight\":%.9g", (double)def->follow.radius, (double)def->weight);
    put_target(json, world, &def->target, dimensions);
    page_put_numbers(json, "margin", def->contain.margin, dimensions);
    page_put_numbers(json, "min", def->contain.min, dimensions);
    page_put_numbers(json, "max", def->contain.max, dimensions);
    fprintf(json, "}");
}

PAGE_API const char *page_scenery(page_flock *flock) {
    FILE *json = page_runs(flock) ? page_begin(flock) : NULL;
    if (!json) return NULL;
    dunlin_world *world = flock->world;
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
        put_behaviour(json, world, &behaviour, dimensions);
    }
    fprintf(json, "]}");
    return page_end(flock);
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

/* World units, of automatic lengths: the greatest, and for each species what its agents have room for. */
PAGE_API const double *page_rooms(page_flock *flock) {
    if (!page_runs(flock)) return NULL;
    const picture_viewpoint from = picture_viewpoint_default();
    const picture_camera camera = camera_frame(flock->world, (picture_size){.width = 1000}, &from, NULL, 1.0);
    const double closeness = crowd_closeness(flock->world, &camera);
    flock->numbers[0] = crowd_longest(&camera) / camera.scale;
    for (int s = 0; s < dunlin_world_species_count(flock->world); s++) {
        const uint32_t agents = dunlin_world_view(flock->world, s).count;
        flock->numbers[1 + s] = crowd_room(&camera, agents > 0 ? agents : 1, closeness) / camera.scale;
    }
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
