/* SPDX-License-Identifier: MIT */
/* Traces as definitions. Their numbers lie in their fields; engine/frame/traces.c changes them. */
#include <string.h>

#include "engine/base/check.h"
#include "engine/scenery/scenery.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

dunlin_trace_def dunlin_trace_def_default(void) {
    return (dunlin_trace_def){.cookie = DUN_COOKIE, .attribute = -1, .deposit = 1.0f};
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_trace_attribute(const dunlin_world *world, const dunlin_trace_def *def, dunlin_error *error) {
    if (def->attribute == -1) return DUNLIN_OK;
    if (def->species == DUNLIN_ALL_SPECIES)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "trace.attribute is %d: with all species it must be -1", def->attribute);
    return dun_list_check(world->species[def->species], DUN_LIST_ATTRIBUTES, def->attribute, "trace.attribute", error);
}

/* `own`: the field of the trace that is replaced; -1: none is. */
static dunlin_result check_trace(const dunlin_world *world, const dunlin_trace_def *def, int own, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_trace_def_default()");
    const dun_number numbers[] = {{(double)def->deposit, {"trace.deposit", 0, 1e6, false, NULL}},
                                  {(double)def->diffusion, {"trace.diffusion", 0, 1, false, NULL}},
                                  {(double)def->evaporation, {"trace.evaporation", 0, 1, false, NULL}}};
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_trace_def", error);
    if (!result) result = dun_list_check(world, DUN_LIST_FIELDS, def->field, "trace.field", error);
    if (!result && def->field != own && world->fields[def->field].values)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "trace.field is %d: that field is a trace already", def->field);
    if (!result && def->species != DUNLIN_ALL_SPECIES)
        result = dun_list_check(world, DUN_LIST_SPECIES, def->species, "trace.species", error);
    if (!result) result = dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
    return result ? result : check_trace_attribute(world, def, error);
}

/* ---- adding, setting, removing, asking -------------------------------------------------------------------------------- */

static dunlin_result begin_trace(dunlin_world *world, int field, dunlin_error *error) {
    if (!dun_field_begin_trace(world->heap, &world->fields[field])) return dun_fail_memory(error, "a trace");
    world->fields[field].varies = false;
    return DUNLIN_OK;
}

dunlin_result dunlin_world_add_trace(dunlin_world *world, const dunlin_trace_def *def, int *trace, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = check_trace(world, def, -1, error);
    if (result) return result;
    int number;
    result = dun_list_add(world, DUN_LIST_TRACES, def, &number, error);
    if (result) return result;
    result = begin_trace(world, def->field, error);
    if (result) world->trace_count--;
    if (!result && trace) *trace = number;
    return result;
}

int dunlin_world_trace_count(const dunlin_world *world) {
    return world->trace_count;
}

dunlin_trace_def dunlin_world_get_trace(const dunlin_world *world, int trace) {
    return dun_list_check(world, DUN_LIST_TRACES, trace, NULL, NULL) ? (dunlin_trace_def){0} : world->traces[trace];
}

/* The vectors of the last step are not in checkpoints, so nothing that comes later may depend on them. */
static void let_go(dun_field *field) {
    dun_field_end_trace(field);
    for (int a = 0; a < 3; a++)
        if (field->vectors[a]) memset(field->vectors[a], 0, dun_field_cells(field) * sizeof(float));
}

dunlin_result dunlin_world_set_trace(dunlin_world *world, int trace, const dunlin_trace_def *def, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_TRACES, trace, NULL, error);
    if (result) return result;
    const int before = world->traces[trace].field;
    result = check_trace(world, def, before, error);
    if (!result && def->field != before) {
        result = begin_trace(world, def->field, error);
        if (!result) let_go(&world->fields[before]);
    }
    if (!result) world->traces[trace] = *def;
    return result;
}

dunlin_result dunlin_world_remove_trace(dunlin_world *world, int trace, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dun_removal r = {.from = DUN_LIST_TRACES, .number = trace};
    const dunlin_result result = dun_removal_check(world, &r, error);
    if (result) return result;
    let_go(&world->fields[world->traces[trace].field]);
    dun_removal_finish(world, &r);
    return DUNLIN_OK;
}

dunlin_trace_view dunlin_world_trace_view(dunlin_world *world, int trace) {
    dunlin_trace_view view = {.values = NULL};
    if (dun_list_check(world, DUN_LIST_TRACES, trace, NULL, NULL)) return view;
    const dun_field *field = &world->fields[world->traces[trace].field];
    for (int a = 0; a < 3; a++) {
        view.cells[a] = field->def.cells[a];
        view.min[a] = field->def.min[a];
        view.max[a] = field->def.max[a];
    }
    view.values = field->values;
    return view;
}
