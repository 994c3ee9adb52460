/* SPDX-License-Identifier: MIT */
/*
 * Numbers that change in flight. Before each step all of them are as the file has them again; then each schedule, in the file's
 * order, writes its own into the flight's copy; then every entry with such a number is put into the world anew.
 */
#include "harness/scenario/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- curves ----------------------------------------------------------------------------------------------------------- */

static double linear_at(const curve *c, uint64_t step) {
    if (step <= c->begin) return c->from;
    if (step >= c->end) return c->to;
    const double share = (double)(step - c->begin) / (double)(c->end - c->begin);
    return c->from + (c->to - c->from) * share;
}

static double value_at(const scheduled *s, uint64_t step) {
    const curve *c = &s->curve;
    switch (s->kind) {
    case CURVE_CONSTANT:
        return c->value;
    case CURVE_LINEAR:
        return linear_at(c, step);
    case CURVE_SINE:
        return c->mean + c->amplitude * (double)dunlin_sine_of_turns((double)step / c->period + c->phase);
    default:
        return c->mean + c->amplitude * (double)dunlin_noise_over_time(c->seed, c->octaves, (double)step / c->scale);
    }
}

/* ---- reading them ----------------------------------------------------------------------------------------------------- */

/* The entry of one of the file's lists, or the world. */
static uint32_t entry_of(const tree *file, uint32_t at) {
    uint32_t inner = at;
    for (; file->slots[at].parent != 0; at = file->slots[at].parent) inner = at;
    return file->slots[at].type == VALUE_LIST ? inner : at;
}

/* What comes from a file would be read anew in each step. */
static bool is_from_file(const dunlin_flight *flight, uint32_t entry) {
    const slot *field = &flight->file.slots[entry];
    return strcmp(field->row->name, "fields") == 0 &&
           dun_tree_one(&flight->file, field)->row->table == dun_tree_at(&flight->file, field, "csv")->row->table;
}

static dunlin_result find_live(dunlin_flight *flight, const char *path, const slot *blamed, found *number) {
    char problem[280];
    if (!dun_tree_find(&flight->file, path, number, problem, sizeof problem)) return FAIL(flight, blamed, "%s", problem);
    if (number->fixed) return FAIL(flight, blamed, "'%.80s': %s", path, number->fixed);
    if (!is_from_file(flight, entry_of(&flight->file, number->slot))) return DUNLIN_OK;
    return FAIL(flight, blamed, "'%.80s': what comes from a file cannot change in flight; allowed: the weight of the behaviour",
                path);
}

static dunlin_result read_schedule(dunlin_flight *flight, const slot *entry) {
    scheduled *s = &flight->schedules[flight->schedule_count];
    const slot *kind = dun_tree_one(&flight->file, entry), *parameter = dun_tree_at(&flight->file, entry, "parameter");
    found number;
    dunlin_result result = find_live(flight, text_of(flight, entry, "parameter"), parameter, &number);
    if (result != DUNLIN_OK) return result;
    *s = (scheduled){.schedule = entry, .number = number.slot, .kind = kind->row->tag, .leads = true};
    s->entry = entry_of(&flight->file, s->number);
    s->original = flight->file.slots[s->number];
    dun_tree_bind(&flight->file, kind, &s->curve);
    if (s->kind == CURVE_LINEAR && s->curve.end <= s->curve.begin)
        return FAIL_FIELD(flight, kind, "end", "it is not after begin; allowed: a later step");
    for (uint32_t i = 0; i < flight->schedule_count; i++) s->leads = s->leads && flight->schedules[i].entry != s->entry;
    flight->schedule_count++;
    return DUNLIN_OK;
}

dunlin_result dun_schedules_read(dunlin_flight *flight) {
    return dun_put_all(flight, "schedules", read_schedule);
}

bool dun_schedules_change(const dunlin_flight *flight, const slot *list) {
    for (uint32_t i = 0; i < flight->schedule_count; i++) {
        if (&flight->file.slots[flight->file.slots[flight->schedules[i].number].parent] == list) return true;
    }
    return false;
}

/* ---- applying them ---------------------------------------------------------------------------------------------------- */

static dunlin_result write_number(dunlin_flight *flight, const scheduled *s, uint64_t step) {
    if (s->kind == CURVE_CONSTANT && step < s->curve.begin) return DUNLIN_OK;
    const double value = value_at(s, step);
    slot *at = &flight->file.slots[s->number];
    char allowed[100], place[PLACE_LENGTH];
    if (dun_slot_set(at, value, allowed, sizeof allowed)) return DUNLIN_OK;
    dun_tree_place(&flight->file, at, place);
    return dun_tree_fail(&flight->file, s->schedule, DUNLIN_ERROR_VALUE, flight->error,
                         "%s is %g at step %" PRIu64 "; allowed: %s", place, value, step, allowed);
}

/* The message has the place of the number's entry: it gets that of the schedule whose field it names, and the step. */
static dunlin_result blame(dunlin_flight *flight, const scheduled *leader, uint64_t step) {
    const dunlin_error inner = *flight->error;
    const char *message = strstr(inner.message, ": ");
    if (inner.code == DUNLIN_ERROR_MEMORY || !message) return inner.code;
    const scheduled *blamed = leader;
    for (uint32_t i = 0; i < flight->schedule_count; i++) {
        const scheduled *s = &flight->schedules[i];
        if (s->entry != leader->entry || !strstr(message, flight->file.slots[s->number].row->name)) continue;
        blamed = s;
        break;
    }
    return dun_tree_fail(&flight->file, blamed->schedule, inner.code, flight->error, "at step %" PRIu64 ": %.200s", step,
                         message + 2);
}

dunlin_result dun_schedules_apply(dunlin_flight *flight) {
    const uint64_t step = dunlin_world_stats(flight->world).step;
    const uint32_t count = flight->schedule_count;
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 0; i < count; i++) flight->file.slots[flight->schedules[i].number] = flight->schedules[i].original;
    for (uint32_t i = 0; i < count && result == DUNLIN_OK; i++) result = write_number(flight, &flight->schedules[i], step);
    for (uint32_t i = 0; i < count && result == DUNLIN_OK; i++) {
        const scheduled *s = &flight->schedules[i];
        if (!s->leads) continue;
        result = dun_put_entry(flight, &flight->file.slots[s->entry]);
        if (result != DUNLIN_OK) result = blame(flight, s, step);
    }
    return result;
}

/* ---- set by the caller ------------------------------------------------------------------------------------------------ */

static void keep_original(dunlin_flight *flight, uint32_t number) {
    for (uint32_t i = 0; i < flight->schedule_count; i++) {
        if (flight->schedules[i].number == number) flight->schedules[i].original = flight->file.slots[number];
    }
}

dunlin_result dunlin_flight_set_number(dunlin_flight *flight, const char *path, double value, dunlin_error *error) {
    dunlin_error unwanted;
    char allowed[100];
    found number;
    flight->error = error ? error : &unwanted;
    dunlin_result result = find_live(flight, path, flight->file.slots, &number);
    if (result != DUNLIN_OK) return result;
    slot *at = &flight->file.slots[number.slot];
    const slot before = *at;
    if (!dun_slot_set(at, value, allowed, sizeof allowed))
        return dun_tree_fail(&flight->file, at, DUNLIN_ERROR_VALUE, flight->error, "it is %g; allowed: %s", value, allowed);
    result = dun_put_entry(flight, &flight->file.slots[entry_of(&flight->file, number.slot)]);
    if (result == DUNLIN_OK)
        keep_original(flight, number.slot);
    else
        *at = before;
    return result;
}
