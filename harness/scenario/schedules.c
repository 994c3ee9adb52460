/* SPDX-License-Identifier: MIT */
/*
 * Numbers that change during a run. Before each step all of them are as the file has them again; then each schedule, in the
 * file's order, writes its own into the simulation's copy; then every entry with such a number is put into the world again.
 */
#include "harness/scenario/build.h"
#include "engine/base/entry.h"

#include <inttypes.h>
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

/* What comes from a file would be read again in each step. */
static bool is_from_file(const slot *entry) {
    return strcmp(entry->row->name, "fields") == 0 && !entry->is_wrong &&
           dun_table_find(dun_slot_table(dun_one_of(entry)), "file", 4) >= 0;
}

static bool find_live(dunlin_simulation *simulation, const char *path, const slot *blamed, uint32_t *number) {
    char problem[PROBLEM_LENGTH];
    if (!dun_find_number(&simulation->file, path, number, problem)) return FAIL(simulation, blamed, "%s", problem);
    const slot *at = &simulation->file.slots[*number];
    const char *fixed = dun_fixed(at), *given = dun_given_instead(at);
    if (given) return FAIL(simulation, blamed, "'%.80s': allowed: either %s or %s, not both", path, given, at->row->name);
    if (!fixed && is_from_file(entry_of(at)))
        fixed = "what comes from a file cannot change during a run; allowed: the weight of the behaviour";
    return !fixed || FAIL(simulation, blamed, "'%.80s': %s", path, fixed);
}

static bool read_schedule(dunlin_simulation *simulation, const slot *entry) {
    scheduled *s = &simulation->schedules[simulation->schedule_count];
    const slot *kind = dun_one_of(entry), *parameter = dun_field(entry, "parameter");
    *s = (scheduled){.schedule = entry, .kind = kind->row->tag, .leads = true};
    if (!find_live(simulation, parameter->text, parameter, &s->number)) return false;
    s->original = simulation->file.slots[s->number];
    s->entry = entry_of(&simulation->file.slots[s->number]);
    dun_bind(simulation, kind, &s->curve);
    if (s->kind == CURVE_LINEAR && s->curve.end <= s->curve.begin)
        return FAIL_FIELD(simulation, kind, "end", "it is not after begin; allowed: a later step");
    for (uint32_t i = 0; i < simulation->schedule_count; i++) s->leads = s->leads && simulation->schedules[i].entry != s->entry;
    simulation->schedule_count++;
    return true;
}

bool dun_schedules_read(dunlin_simulation *simulation) {
    return dun_put_all(simulation, dun_part(simulation, "schedules"), read_schedule);
}

bool dun_schedules_change(const dunlin_simulation *simulation, const slot *list) {
    for (uint32_t i = 0; i < simulation->schedule_count; i++) {
        if (dun_parent(&simulation->file.slots[simulation->schedules[i].number]) == list) return true;
    }
    return false;
}

/* ---- applying them ---------------------------------------------------------------------------------------------------- */

static bool write_number(dunlin_simulation *simulation, const scheduled *s, uint64_t step) {
    if (s->kind == CURVE_CONSTANT && step < s->curve.begin) return true;
    const double value = value_at(s, step);
    slot *at = &simulation->file.slots[s->number];
    char allowed[RANGE_LENGTH], place[PLACE_LENGTH];
    if (dun_set_number(at, value, allowed)) return true;
    dun_place(at, place);
    return dun_fail_at(simulation->file.name, s->schedule, DUNLIN_ERROR_VALUE, simulation->error,
                       "%s is %g at step %" PRIu64 "; allowed: %s", place, value, step, allowed);
}

/* The message has the place of the number's entry: it gets that of the schedule whose field it names, and the step. */
static bool blame(dunlin_simulation *simulation, const scheduled *leader, uint64_t step) {
    const dunlin_error inner = *simulation->error;
    const char *message = strstr(inner.message, ": ");
    if (inner.code == DUNLIN_ERROR_MEMORY || !message) return false;
    const scheduled *blamed = leader, *end = simulation->schedules + simulation->schedule_count;
    for (const scheduled *s = simulation->schedules; s < end && blamed == leader; s++) {
        if (s->entry == leader->entry && strstr(message, simulation->file.slots[s->number].row->name)) blamed = s;
    }
    return dun_fail_at(simulation->file.name, blamed->schedule, inner.code, simulation->error, "at step %" PRIu64 ": %.200s",
                       step, message + 2);
}

static bool write_numbers(dunlin_simulation *simulation, uint64_t step) {
    const scheduled *const first = simulation->schedules, *const end = first + simulation->schedule_count;
    bool done = true;
    for (const scheduled *s = first; s < end; s++) simulation->file.slots[s->number] = s->original;
    for (const scheduled *s = first; s < end && done; s++) done = write_number(simulation, s, step);
    return done;
}

bool dun_schedules_repeat(dunlin_simulation *simulation) {
    const uint64_t step = dunlin_world_stats(simulation->world).step;
    return write_numbers(simulation, step > 0 ? step - 1 : 0);
}

bool dun_schedules_apply(dunlin_simulation *simulation) {
    const uint64_t step = dunlin_world_stats(simulation->world).step;
    const scheduled *const first = simulation->schedules, *const end = first + simulation->schedule_count;
    bool done = write_numbers(simulation, step);
    for (const scheduled *s = first; s < end && done; s++)
        done = !s->leads || dun_put_entry(simulation, s->entry) || blame(simulation, s, step);
    return done;
}

/* ---- set by the caller ------------------------------------------------------------------------------------------------ */

/* Whether a schedule sets the number, which then is as it is now where the schedule does not set it. */
static bool keep_original(dunlin_simulation *simulation, uint32_t number) {
    bool found = false;
    for (scheduled *s = simulation->schedules; s < simulation->schedules + simulation->schedule_count; s++) {
        if (s->number != number) continue;
        s->original = simulation->file.slots[number];
        found = true;
    }
    return found;
}

static bool set_number(dunlin_simulation *simulation, const char *path, double value) {
    char allowed[RANGE_LENGTH];
    uint32_t number;
    if (!find_live(simulation, path, simulation->file.slots, &number)) return false;
    slot *at = &simulation->file.slots[number];
    const slot before = *at;
    if (!dun_set_number(at, value, allowed))
        return dun_fail_at(simulation->file.name, at, DUNLIN_ERROR_VALUE, simulation->error, "it is %g; allowed: %s", value,
                           allowed);
    if (!dun_put_entry(simulation, entry_of(at))) {
        *at = before;
        return false;
    }
    return !keep_original(simulation, number) || (dun_schedules_repeat(simulation) && dun_put_entry(simulation, entry_of(at)));
}

dunlin_result dunlin_simulation_set_number(dunlin_simulation *simulation, const char *path, double value, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(simulation, "simulation", error) || !dun_is_given(path, "path", error)) return error->code;
    DUN_USE_SIMULATION(simulation, error);
    simulation->error = error;
    return set_number(simulation, path, value) ? DUNLIN_OK : error->code;
}
