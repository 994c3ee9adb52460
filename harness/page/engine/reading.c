/* SPDX-License-Identifier: MIT */
/* What there is to see: names, numbers, scenery, statistics, agents. */
#include "harness/page/engine/page.h"

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

static void put_strings(page_json *json, const char *name, const char *text) {
    page_json_put(json, ",\"%s\":", name);
    page_json_put_string(json, text);
}

static void put_numbers(page_json *json, const char *name, const float *numbers, int count) {
    page_json_put(json, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) page_json_put(json, ",");
        page_json_put_number(json, (double)numbers[i]);
    }
    page_json_put(json, "]");
}

/* ---- the scenario ----------------------------------------------------------------------------------------------------- */

static void put_species(page_json *json, const dunlin_world *world, int species) {
    const dunlin_species_def def = dunlin_world_get_species(world, species);
    page_json_put(json, "%s{\"name\":", species > 0 ? "," : "");
    page_json_put_string(json, def.name);
    page_json_put(json, ",\"max_speed\":%.9g,\"attributes\":[", (double)def.max_speed);
    for (int a = 0; a < dunlin_world_attribute_count(world, species); a++) {
        if (a > 0) page_json_put(json, ",");
        page_json_put_string(json, dunlin_world_get_attribute(world, species, a).name);
    }
    page_json_put(json, "]}");
}

/* The open scenario's name and the like, and the world's definition and species. */
PAGE_API const char *page_about(page_flock *flock) {
    page_json *json = &flock->json;
    const dunlin_world_def def = dunlin_world_get_def(flock->world);
    page_json_begin(json);
    page_json_put(json, "{\"steps\":%.17g", (double)dunlin_scenario_steps(flock->scenario));
    put_strings(json, "name", dunlin_scenario_name(flock->scenario));
    put_strings(json, "description", dunlin_scenario_description(flock->scenario));
    put_strings(json, "kernel", def.kernel);
    put_strings(json, "index", def.index);
    put_strings(json, "version", dunlin_version());
    page_json_put(json, ",\"dimensions\":%d,\"threads\":%d,\"boundary\":%d,\"seed\":\"%llu\"", def.dimensions, def.threads,
                  (int)def.boundary, (unsigned long long)def.seed);
    put_numbers(json, "size", def.size, def.dimensions);
    page_json_put(json, ",\"species\":[");
    for (int s = 0; s < dunlin_world_species_count(flock->world); s++) put_species(json, flock->world, s);
    page_json_put(json, "]}");
    return page_json_end(json);
}

static void put_number(page_json *json, const dunlin_scenario_number *number) {
    page_json_put(json, "{\"path\":");
    page_json_put_string(json, number->path);
    put_strings(json, "unit", number->unit);
    put_strings(json, "default_text", number->default_text);
    put_strings(json, "doc", number->doc);
    const struct {
        const char *name;
        double value;
    } values[] = {{"value", number->value}, {"standard", number->standard}, {"min", number->min}, {"max", number->max}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        page_json_put(json, ",\"%s\":", values[i].name);
        page_json_put_number(json, values[i].value);
    }
    page_json_put(json, ",\"above_min\":%d,\"below_max\":%d,\"whole\":%d,\"given\":%d,\"live\":%d}", number->above_min,
                  number->below_max, number->whole, number->given, number->live);
}

/* Every number of the open scenario. */
PAGE_API const char *page_numbers(page_flock *flock) {
    page_json *json = &flock->json;
    page_json_begin(json);
    page_json_put(json, "[");
    for (uint32_t i = 0; i < dunlin_scenario_number_count(flock->scenario); i++) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(flock->scenario, i);
        if (i > 0) page_json_put(json, ",");
        put_number(json, &number);
    }
    page_json_put(json, "]");
    return page_json_end(json);
}

/* The JSON Schema of scenario files: the choices, kinds and defaults that numbers do not have. NULL: out of memory. */
PAGE_API const char *page_schema(page_flock *flock) {
    const size_t size = dunlin_scenario_schema(NULL, 0) + 1;
    char *text = malloc(size);
    if (!text) return NULL;
    page_json_begin(&flock->json);
    if (dunlin_scenario_schema(text, size) == size - 1) page_json_put(&flock->json, "%s", text);
    free(text);
    return page_json_end(&flock->json);
}

/* Obstacles, paths, walls and targets. */
static void put_obstacle(page_json *json, const dunlin_obstacle_def *obstacle, int dimensions) {
    page_json_put(json, "{\"shape\":%d,\"radius\":%.9g", (int)obstacle->shape, (double)obstacle->radius);
    put_numbers(json, "a", obstacle->a, dimensions);
    put_numbers(json, "b", obstacle->b, dimensions);
    page_json_put(json, "}");
}

static void put_path(page_json *json, const dunlin_path_def *path, int dimensions) {
    static const char *const names[] = {"x", "y", "z"};
    page_json_put(json, "{\"closed\":%d", path->closed);
    for (int a = 0; a < dimensions; a++) put_numbers(json, names[a], path->points[a], (int)path->count);
    page_json_put(json, "}");
}

static void put_behaviour(page_json *json, const dunlin_behaviour_def *def, int dimensions) {
    page_json_put(json, "{\"kind\":%d,\"species\":%d,\"target\":%d,\"path\":%d,\"field\":%d,\"radius\":", (int)def->kind,
                  def->species, (int)def->target.kind, def->follow.path, def->flow.field);
    page_json_put_number(json, (double)def->radius);
    page_json_put(json, ",\"width\":%.9g", (double)def->follow.radius);
    put_numbers(json, "position", def->target.position, dimensions);
    put_numbers(json, "margin", def->contain.margin, dimensions);
    put_numbers(json, "min", def->contain.min, dimensions);
    put_numbers(json, "max", def->contain.max, dimensions);
    page_json_put(json, "}");
}

PAGE_API const char *page_scenery(page_flock *flock) {
    page_json *json = &flock->json;
    const dunlin_world *world = flock->world;
    const int dimensions = dunlin_world_get_def(world).dimensions;
    const dunlin_obstacle_view obstacles = dunlin_world_obstacle_view(world);
    page_json_begin(json);
    page_json_put(json, "{\"fields\":%d,\"obstacles\":[", dunlin_world_field_count(world));
    for (uint32_t i = 0; i < obstacles.count; i++) {
        if (i > 0) page_json_put(json, ",");
        put_obstacle(json, &obstacles.obstacles[i], dimensions);
    }
    page_json_put(json, "],\"paths\":[");
    for (int i = 0; i < dunlin_world_path_count(world); i++) {
        const dunlin_path_def path = dunlin_world_get_path(world, i);
        if (i > 0) page_json_put(json, ",");
        put_path(json, &path, dimensions);
    }
    page_json_put(json, "],\"behaviours\":[");
    for (int i = 0; i < dunlin_world_behaviour_count(world); i++) {
        const dunlin_behaviour_def behaviour = dunlin_world_get_behaviour(world, i);
        if (i > 0) page_json_put(json, ",");
        put_behaviour(json, &behaviour, dimensions);
    }
    page_json_put(json, "]}");
    return page_json_end(json);
}

/* ---- the flight ------------------------------------------------------------------------------------------------------- */

/* The last step in numbers; the last two are the halves of the state's hash if asked for. */
PAGE_API const double *page_stats(page_flock *flock) {
    const dunlin_stats s = dunlin_world_stats(flock->world);
    const double numbers[] = {(double)s.step,
                              (double)s.time,
                              (double)dunlin_world_agent_count(flock->world),
                              (double)s.births,
                              (double)s.deaths,
                              (double)s.threads,
                              (double)s.cells,
                              (double)s.pairs_tested,
                              (double)s.pairs_useful,
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
    const uint64_t hash = dunlin_world_state_hash(flock->world);
    flock->numbers[0] = (double)(uint32_t)hash;
    flock->numbers[1] = (double)(uint32_t)(hash >> 32);
    return flock->numbers;
}

/* Measurements of a species; NULL after a failure. */
PAGE_API const double *page_measure(page_flock *flock, int species) {
    dunlin_metrics m;
    if (dunlin_world_measure(flock->world, species, &m, &flock->error) != DUNLIN_OK) return NULL;
    const double numbers[] = {(double)m.agents,  m.polarization,     m.rotation,     m.mean_speed,
                              m.mean_neighbours, m.neighbour_radius, m.mean_nearest, (double)m.outside};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) flock->numbers[i] = numbers[i];
    return flock->numbers;
}

PAGE_API const dunlin_view *page_view(page_flock *flock, int species) {
    flock->view = dunlin_world_view(flock->world, species);
    return &flock->view;
}

PAGE_API const dunlin_field_view *page_field(page_flock *flock, int field) {
    flock->field = dunlin_world_field_view(flock->world, field);
    return &flock->field;
}
