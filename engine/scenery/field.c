/* SPDX-License-Identifier: MIT */
/* Fields: grids of vectors. field_fill.c fills them. */
#include "engine/scenery/scenery.h"

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/base/entry.h"
#include "engine/world/edges.h"
#include "engine/world/list.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

enum { MAX_FIELD_CELLS = 1 << 28, MAX_CELLS_ON_AXIS = 65536 };

dunlin_field_def dunlin_field_def_default(const dunlin_world *world) {
    DUN_OWN_FLOATS();
    dunlin_field_def def = {.cookie = DUN_COOKIE, .cells = {32, 32, world->def.dimensions == 3 ? 32 : 1}};
    for (int a = 0; a < world->def.dimensions; a++) def.max[a] = world->def.size[a];
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_field_axis(const dunlin_field_def *def, int a, dunlin_error *error) {
    static const dun_limits any_cells = {"field.cells", 1, MAX_CELLS_ON_AXIS, false, NULL};
    static const dun_limits any_min = {"field.min", -1e9, 1e9, false, "world units"};
    const dun_limits above_min = {"field.max", (double)def->min[a], 1e9, true, "(field.min)"};
    dunlin_result result = dun_check_axis(def->cells[a], a, &any_cells, error);
    if (!result) result = dun_check_axis((double)def->min[a], a, &any_min, error);
    return result ? result : dun_check_axis((double)def->max[a], a, &above_min, error);
}

static dunlin_result check_field(const dunlin_world *world, const dunlin_field_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_field_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_field_def", error);
    int64_t count = 1;
    for (int a = 0; a < world->def.dimensions && !result; a++) {
        result = check_field_axis(def, a, error);
        count *= result ? 1 : def->cells[a];
    }
    if (!result && count > MAX_FIELD_CELLS)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "field.cells are %lld together: a field may have at most %d",
                          (long long)count, MAX_FIELD_CELLS);
    return result ? result : dun_check_choice((int)def->lookup, "field.lookup", &dun_names_of_lookup, error);
}

/* ---- adding ----------------------------------------------------------------------------------------------------------- */

void dun_field_end_trace(dun_field *field) {
    dun_free(field->values);
    dun_free(field->spare);
    dun_free(field->deposits);
    field->values = field->spare = NULL;
    field->deposits = NULL;
}

bool dun_field_begin_trace(dun_heap *heap, dun_field *field) {
    const size_t cells = dun_field_cells(field);
    field->values = dun_array(heap, cells);
    field->spare = dun_array(heap, cells);
    field->deposits = dun_array(heap, 2 * cells);
    const bool whole = field->values && field->spare && field->deposits;
    if (!whole) dun_field_end_trace(field);
    return whole;
}

void dun_field_free(void *item) {
    dun_field *field = item;
    for (int a = 0; a < 3; a++) dun_free(field->vectors[a]);
    dun_field_end_trace(field);
}

static bool make_field(const dunlin_world *world, const dunlin_field_def *def, bool traced, dun_field *made) {
    *made = (dun_field){.def = *def};
    if (world->def.dimensions == 2) made->def.cells[2] = 1;
    bool whole = !traced || dun_field_begin_trace(world->heap, made);
    for (int a = 0; a < world->def.dimensions; a++) {
        made->vectors[a] = dun_array(world->heap, dun_field_cells(made));
        whole = whole && made->vectors[a];
    }
    if (!whole) dun_field_free(made);
    return whole;
}

dunlin_result dunlin_world_add_field(dunlin_world *world, const dunlin_field_def *def, int *field, dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = check_field(world, def, error);
    if (result) return result;
    dun_field made;
    if (!make_field(world, def, false, &made)) return dun_fail_memory(error, "a field");
    const dunlin_result added = dun_list_add(world, DUN_LIST_FIELDS, &made, field, error);
    if (added) dun_field_free(&made);
    return added;
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

int dunlin_world_field_count(const dunlin_world *world) {
    return world->field_count;
}

dunlin_field_def dunlin_world_get_field(const dunlin_world *world, int number) {
    return dun_list_check(world, DUN_LIST_FIELDS, number, NULL, NULL) ? (dunlin_field_def){0} : world->fields[number].def;
}

static bool same_cells(const dunlin_world *world, const dunlin_field_def *l, const dunlin_field_def *r) {
    bool same = true;
    for (int a = 0; a < world->def.dimensions; a++) same = same && l->cells[a] == r->cells[a];
    return same;
}

dunlin_result dunlin_world_set_field(dunlin_world *world, int number, const dunlin_field_def *def, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_FIELDS, number, NULL, error);
    if (!result) result = check_field(world, def, error);
    if (result) return result;
    dun_field *field = &world->fields[number], made;
    if (!same_cells(world, &field->def, def)) {
        if (!make_field(world, def, field->values, &made)) return dun_fail_memory(error, "a field");
        made.varies = field->varies;
        made.source = field->source;
        dun_field_free(field);
        *field = made;
    }
    field->def = *def;
    if (world->def.dimensions == 2) field->def.cells[2] = 1;
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_field(dunlin_world *world, int field, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return dun_list_remove(world, DUN_LIST_FIELDS, field, dun_field_free, error);
}

dunlin_field_view dunlin_world_field_view(dunlin_world *world, int number) {
    if (dun_list_check(world, DUN_LIST_FIELDS, number, NULL, NULL)) return (dunlin_field_view){0};
    const dun_field *field = &world->fields[number];
    dunlin_field_view view;
    for (int a = 0; a < 3; a++) {
        view.cells[a] = field->def.cells[a];
        view.min[a] = field->def.min[a];
        view.max[a] = field->def.max[a];
        view.vectors[a] = field->vectors[a];
    }
    return view;
}

size_t dun_field_cells(const dun_field *field) {
    return (size_t)field->def.cells[0] * (size_t)field->def.cells[1] * (size_t)field->def.cells[2];
}

uint32_t dun_field_wraps(const dunlin_world *world, const dun_field *field) {
    const uint32_t axes = dun_axes_with(&world->def, DUNLIN_BOUNDARY_PERIODIC);
    bool covers = true;
    for (int a = 0; a < world->def.dimensions; a++)
        if (axes >> a & 1) covers = covers && field->def.min[a] == 0.0f && field->def.max[a] == world->def.size[a];
    return covers ? axes : 0;
}

dun_behave_flow dun_field_flow(const dunlin_world *world, const dun_field *field) {
    const dunlin_field_def *def = &field->def;
    dun_behave_flow flow = {.linear = def->lookup == DUNLIN_LOOKUP_LINEAR, .wraps = dun_field_wraps(world, field)};
    int32_t stride = 1;
    for (int a = 0; a < world->def.dimensions; a++) {
        flow.vectors[a] = field->vectors[a];
        flow.cells[a] = (float)def->cells[a];
        flow.stride[a] = stride;
        flow.min[a] = def->min[a];
        flow.per_unit[a] = flow.cells[a] / (def->max[a] - def->min[a]);
        flow.per_cell[a] = 1.0f / flow.cells[a];
        stride *= def->cells[a];
    }
    return flow;
}
