/* SPDX-License-Identifier: MIT */
#include "engine/state/preamble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/behaviours/targets.h"
#include "engine/world/world.h"

typedef struct whole_key {
    const char *name;
    uint64_t low, high;
    bool needed;
} whole_key;

static const whole_key whole_keys[DUN_STATE_WHOLES] = {
    [DUN_STATE_SEED] = {"seed", 0, UINT64_MAX, true},        [DUN_STATE_STEP] = {"step", 0, DUN_MAX_STEPS, true},
    [DUN_STATE_NEXT_ID] = {"next_id", 1, UINT32_MAX, false}, [DUN_STATE_SPENT_IDS] = {"spent_ids", 1, UINT32_MAX, false},
    [DUN_STATE_AGENTS] = {"agents", 0, UINT32_MAX, true},
};

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

static void write_whole(FILE *file, dun_state_key key, uint64_t value) {
    fprintf(file, "# %s %llu\n", whole_keys[key].name, (unsigned long long)value);
}

/* The next id may be further above the maximum id in the file: agents may have died. */
static void write_ids(const dunlin_world *world, FILE *file) {
    if (world->spent_ids == 0) return;
    write_whole(file, DUN_STATE_NEXT_ID, world->next_id);
    if (world->spent_ids < world->next_id) write_whole(file, DUN_STATE_SPENT_IDS, world->spent_ids);
}

/* Writes where and when each target began to move. Its present place is rounded: restarting there would give other bits. */
static void write_targets(const dunlin_world *world, FILE *file) {
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        if (!dun_target_moves(world, behaviour)) continue;
        fprintf(file, "# target %d", b);
        for (int a = 0; a < world->def.dimensions; a++) fprintf(file, " %.9g", (double)behaviour->def.target.position[a]);
        fprintf(file, " at %.17g\n", behaviour->since);
    }
}

void dun_preamble_write(const dunlin_world *world, FILE *file) {
    fputs(DUN_STATE_FIRST_LINE "\n", file);
    write_whole(file, DUN_STATE_SEED, world->def.seed);
    write_whole(file, DUN_STATE_STEP, world->stats.step);
    if (world->uneven) fprintf(file, "# time %.17g\n", world->stats.time);
    write_ids(world, file);
    write_targets(world, file);
    write_whole(file, DUN_STATE_AGENTS, dunlin_world_agent_count(world));
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

/* The preamble that is being read. */
typedef struct context {
    dun_preamble *preamble;
    const dunlin_world *world; /* that it must fit; NULL: any */
    dun_lines *lines;
} context;

static dunlin_result fail_twice(const context *c, const char *key, const char *value) {
    return dun_lines_fail(c->lines, key, value, "the preamble has it twice");
}

static dunlin_result check_seed(const context *c, uint64_t seed) {
    if (!c->world || seed == c->world->def.seed) return DUNLIN_OK;
    const unsigned long long theirs = seed, own = c->world->def.seed;
    return dun_fail(
        c->lines->error, DUNLIN_ERROR_FILE,
        "%s:%lu: seed is %llu, but the world's is %llu: load the state into a world with seed %llu; to continue with another "
        "seed, set that one afterwards",
        c->lines->name, c->lines->number, theirs, own, theirs);
}

static dunlin_result read_whole(const context *c, dun_state_key key, const char *text) {
    const whole_key *k = &whole_keys[key];
    unsigned long long value;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "it must be a whole number from %llu to %llu", (unsigned long long)k->low,
             (unsigned long long)k->high);
    if (c->preamble->given[key]) return fail_twice(c, k->name, text);
    if (!dun_parse_whole(text, &value) || value < k->low || value > k->high)
        return dun_lines_fail(c->lines, k->name, text, allowed);
    c->preamble->given[key] = true;
    c->preamble->whole[key] = value;
    return key == DUN_STATE_SEED ? check_seed(c, value) : DUNLIN_OK;
}

static bool parse_time(const char *text, double *time) {
    return dun_parse_double(text, time) && !signbit(*time) && *time <= DUN_MAX_TIME;
}

static dunlin_result read_time(const context *c, const char *text) {
    if (c->preamble->has_time) return fail_twice(c, "time", text);
    if (!parse_time(text, &c->preamble->time))
        return dun_lines_fail(c->lines, "time", text, "it must be a number from 0 to 1e22");
    c->preamble->has_time = true;
    return DUNLIN_OK;
}

/* Cuts the next word off the text and moves *text behind it and its blank. "": there is none. */
static const char *next_word(char **text) {
    char *word = *text, *end = word + strcspn(word, " ");
    *text = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static dunlin_result find_target(const context *c, const char *text, int *behaviour) {
    unsigned long long number;
    const bool whole = dun_parse_whole(text, &number);
    if (!whole || number >= (unsigned long long)c->world->behaviour_count ||
        !dun_target_moves(c->world, &c->world->behaviours[number]))
        return dun_lines_fail(
            c->lines, "target", text,
            "the world has no such behaviour with a moving target; to load the file anyway, remove this line");
    *behaviour = (int)number;
    return c->preamble->targets[number].given ? fail_twice(c, "target", text) : DUNLIN_OK;
}

/* Reads "2 12.5 30 at 37". The place may be far outside the world, because it has moved. */
static dunlin_result read_target(const context *c, char *text) {
    if (!c->world) return DUNLIN_OK;
    dun_state_target target = {.given = true};
    int behaviour = 0;
    const dunlin_result result = find_target(c, next_word(&text), &behaviour);
    if (result) return result;
    const char *word = "";
    bool valid = true;
    for (int a = 0; a < c->world->def.dimensions && valid; a++) {
        word = next_word(&text);
        valid = dun_parse_float(word, &target.position[a]) && fabsf(target.position[a]) <= DUN_MAX_TARGET;
    }
    if (valid) valid = strcmp(word = next_word(&text), "at") == 0;
    if (valid) valid = parse_time(word = next_word(&text), &target.since) && !*text;
    if (!valid)
        return dun_lines_fail(c->lines, "target", word,
                              c->world->def.dimensions == 3 ? "it must be `# target BEHAVIOUR X Y Z at TIME`, each a number"
                                                            : "it must be `# target BEHAVIOUR X Y at TIME`, each a number");
    c->preamble->targets[behaviour] = target;
    return DUNLIN_OK;
}

static dunlin_result read_key(const context *c, char *line) {
    char *text = line + (strncmp(line, "# ", 2) == 0 ? 2 : 0);
    const char *key = next_word(&text);
    for (int k = 0; k < DUN_STATE_WHOLES; k++)
        if (strcmp(key, whole_keys[k].name) == 0) return read_whole(c, (dun_state_key)k, text);
    if (strcmp(key, "time") == 0) return read_time(c, text);
    if (strcmp(key, "target") == 0) return read_target(c, text);
    return dun_lines_fail(c->lines, "line", key, "a preamble may have seed, step, time, next_id, spent_ids, target and agents");
}

static dunlin_result check_whole(const context *c) {
    const dun_preamble *p = c->preamble;
    for (int k = 0; k < DUN_STATE_WHOLES; k++)
        if (whole_keys[k].needed && !p->given[k])
            return dun_lines_fail(c->lines, "no line", whole_keys[k].name, "the preamble needs it");
    if (p->whole[DUN_STATE_SPENT_IDS] <= p->whole[DUN_STATE_NEXT_ID]) return DUNLIN_OK;
    return dun_lines_fail(c->lines, "no line", "next_id", "spent_ids needs it, and must not be above it");
}

/* Reads on to the next line: one of the preamble, or the header. */
static dunlin_result next_line(const context *c) {
    bool found;
    const dunlin_result result = dun_lines_next(c->lines, &found);
    if (result) return result;
    if (!found)
        return dun_fail(c->lines->error, DUNLIN_ERROR_FILE, "%s: ends in the preamble: a header must follow", c->lines->name);
    return c->lines->ended ? DUNLIN_OK : dun_lines_fail_cut(c->lines);
}

dunlin_result dun_preamble_read(dun_preamble *preamble, const dunlin_world *world, dun_lines *lines) {
    const context c = {preamble, world, lines};
    bool found;
    dunlin_result result = dun_lines_next(lines, &found);
    if (result) return result;
    if (!found) return dun_fail(lines->error, DUNLIN_ERROR_FILE, "%s: is empty: it must begin with a header", lines->name);
    if (lines->text[0] != '#') return DUNLIN_OK;
    if (strcmp(lines->text, DUN_STATE_FIRST_LINE) != 0)
        return dun_lines_fail(lines, "line", lines->text,
                              "a state must begin with `" DUN_STATE_FIRST_LINE
                              "`, and a table without a preamble with its header");
    preamble->there = true;
    if (world) preamble->targets = calloc((size_t)world->behaviour_count + 1, sizeof *preamble->targets);
    if (world && !preamble->targets) return dun_fail_memory(lines->error, "the file's targets");
    result = next_line(&c);
    while (!result && lines->text[0] == '#') {
        result = read_key(&c, lines->text);
        if (!result) result = next_line(&c);
    }
    return result ? result : check_whole(&c);
}

/* ---- applying --------------------------------------------------------------------------------------------------------- */

void dun_preamble_apply(const dun_preamble *preamble, dunlin_world *world) {
    world->stats.step = preamble->whole[DUN_STATE_STEP];
    world->stats.time = preamble->has_time ? preamble->time : (double)world->stats.step * (double)world->def.time_step;
    world->uneven = preamble->has_time;
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_state_target *target = &preamble->targets[b];
        if (!target->given) continue;
        for (int a = 0; a < world->def.dimensions; a++) world->behaviours[b].def.target.position[a] = target->position[a];
        world->behaviours[b].since = target->since;
    }
}
