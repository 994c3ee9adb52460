/* SPDX-License-Identifier: MIT */
/*
 * Numbers that change in flight. Before each step all of them are as the file has them again; then each schedule, in the file's
 * order, writes its own into the flight's copy; then every entry with such a number is put into the world anew.
 */
#include "harness/scenario/build.h"
#include "engine/base/entry.h"

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
static const slot *entry_of(const slot *number) {
    const slot *inner = number, *at = number;
    for (; dun_parent(at)->parent > 0; at = dun_parent(at)) inner = at;
    return at->type == VALUE_LIST ? inner : at;
}

/* What comes from a file would be read anew in each step. */
static bool is_from_file(const slot *entry) {
    return strcmp(entry->row->name, "fields") == 0 && !entry->is_wrong &&
           dun_table_find(dun_slot_table(dun_one_of(entry)), "file", 4) >= 0;
}

/* The name of a field that is given, or that a schedule sets, and that excludes this one; NULL: there is none. */
static const char *excluded_by(const dunlin_flight *flight, const slot *at) {
    const char *given = dun_given_instead(at);
    for (uint32_t i = 0; i < flight->schedule_count && !given; i++) {
        const slot *other = &flight->file.slots[flight->schedules[i].number];
        if (dun_excludes(at, other)) given = other->row->name;
    }
    return given;
}

static bool find_live(dunlin_flight *flight, const char *path, const slot *blamed, uint32_t *number) {
    char problem[PROBLEM_LENGTH];
    if (!dun_find_number(&flight->file, path, number, problem)) return FAIL(flight, blamed, "%s", problem);
    const slot *at = &flight->file.slots[*number];
    const char *fixed = dun_fixed(at), *given = excluded_by(flight, at);
    if (given) return FAIL(flight, blamed, "'%.80s': allowed: either %s or %s, not both", path, given, at->row->name);
    if (!fixed && is_from_file(entry_of(at)))
        fixed = "what comes from a file cannot change in flight; allowed: the weight of the behaviour";
    return !fixed || FAIL(flight, blamed, "'%.80s': %s", path, fixed);
}

static bool read_schedule(dunlin_flight *flight, const slot *entry) {
    scheduled *s = &flight->schedules[flight->schedule_count];
    const slot *kind = dun_one_of(entry), *parameter = dun_field(entry, "parameter");
    *s = (scheduled){.schedule = entry, .kind = kind->row->tag, .leads = true};
    if (!find_live(flight, parameter->text, parameter, &s->number)) return false;
    s->original = flight->file.slots[s->number];
    s->entry = entry_of(&flight->file.slots[s->number]);
    dun_bind(flight, kind, &s->curve);
    if (s->kind == CURVE_LINEAR && s->curve.end <= s->curve.begin)
        return FAIL_FIELD(flight, kind, "end", "it is not after begin; allowed: a later step");
    for (uint32_t i = 0; i < flight->schedule_count; i++) s->leads = s->leads && flight->schedules[i].entry != s->entry;
    flight->schedule_count++;
    return true;
}

bool dun_schedules_read(dunlin_flight *flight) {
    return dun_put_all(flight, dun_part(flight, "schedules"), read_schedule);
}

bool dun_schedules_change(const dunlin_flight *flight, const slot *list) {
    for (uint32_t i = 0; i < flight->schedule_count; i++) {
        if (dun_parent(&flight->file.slots[flight->schedules[i].number]) == list) return true;
    }
    return false;
}

/* ---- applying them ---------------------------------------------------------------------------------------------------- */

static bool write_number(dunlin_flight *flight, const scheduled *s, uint64_t step) {
    if (s->kind == CURVE_CONSTANT && step < s->curve.begin) return true;
    const double value = value_at(s, step);
    slot *at = &flight->file.slots[s->number];
    char allowed[RANGE_LENGTH], place[PLACE_LENGTH];
    if (dun_set_number(at, value, allowed)) return true;
    dun_place(at, place);
    return dun_fail_at(flight->file.name, s->schedule, DUNLIN_ERROR_VALUE, flight->error,
                       "%s is %g at step %" PRIu64 "; allowed: %s", place, value, step, allowed);
}

/* The message has the place of the number's entry: it gets that of the schedule whose field it names, and the step. */
static bool blame(dunlin_flight *flight, const scheduled *leader, uint64_t step) {
    const dunlin_error inner = *flight->error;
    const char *message = strstr(inner.message, ": ");
    if (inner.code == DUNLIN_ERROR_MEMORY || !message) return false;
    const scheduled *blamed = leader, *end = flight->schedules + flight->schedule_count;
    for (const scheduled *s = flight->schedules; s < end && blamed == leader; s++) {
        if (s->entry == leader->entry && strstr(message, flight->file.slots[s->number].row->name)) blamed = s;
    }
    return dun_fail_at(flight->file.name, blamed->schedule, inner.code, flight->error, "at step %" PRIu64 ": %.200s", step,
                       message + 2);
}

static bool write_numbers(dunlin_flight *flight, uint64_t step) {
    const scheduled *const first = flight->schedules, *const end = first + flight->schedule_count;
    bool done = true;
    for (const scheduled *s = first; s < end; s++) flight->file.slots[s->number] = s->original;
    for (const scheduled *s = first; s < end && done; s++) done = write_number(flight, s, step);
    return done;
}

bool dun_schedules_repeat(dunlin_flight *flight) {
    const uint64_t step = dunlin_world_stats(flight->world).step;
    return write_numbers(flight, step > 0 ? step - 1 : 0);
}

bool dun_schedules_apply(dunlin_flight *flight) {
    const uint64_t step = dunlin_world_stats(flight->world).step;
    const scheduled *const first = flight->schedules, *const end = first + flight->schedule_count;
    bool done = write_numbers(flight, step);
    for (const scheduled *s = first; s < end && done; s++)
        done = !s->leads || dun_put_entry(flight, s->entry) || blame(flight, s, step);
    return done;
}

/* ---- set by the caller ------------------------------------------------------------------------------------------------ */

/* Whether a schedule sets the number, which then is as it is now where the schedule does not set it. */
static bool keep_original(dunlin_flight *flight, uint32_t number) {
    bool found = false;
    for (scheduled *s = flight->schedules; s < flight->schedules + flight->schedule_count; s++) {
        if (s->number != number) continue;
        s->original = flight->file.slots[number];
        found = true;
    }
    return found;
}

static bool set_number(dunlin_flight *flight, const char *path, double value) {
    char allowed[RANGE_LENGTH];
    uint32_t number;
    if (!find_live(flight, path, flight->file.slots, &number)) return false;
    slot *at = &flight->file.slots[number];
    const slot before = *at;
    if (!dun_set_number(at, value, allowed))
        return dun_fail_at(flight->file.name, at, DUNLIN_ERROR_VALUE, flight->error, "it is %g; allowed: %s", value, allowed);
    if (!dun_put_entry(flight, entry_of(at))) {
        *at = before;
        return false;
    }
    return !keep_original(flight, number) || (dun_schedules_repeat(flight) && dun_put_entry(flight, entry_of(at)));
}

dunlin_result dunlin_flight_set_number(dunlin_flight *flight, const char *path, double value, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(flight, "flight", error) || !dun_is_given(path, "path", error)) return error->code;
    DUN_USE_FLIGHT(flight, error);
    flight->error = error;
    return set_number(flight, path, value) ? DUNLIN_OK : error->code;
}
