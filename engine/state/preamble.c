/* SPDX-License-Identifier: MIT */
#include "engine/state/state.h"

#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/behaviours/targets.h"
#include "engine/world/agents.h"

/* A line of the preamble. */
typedef struct key {
    const char *name;
    enum { WHOLE = 0, TIME, TARGET } kind;
    bool needed;
    size_t offset; /* of a whole number in dun_preamble, and its range */
    uint64_t min, max;
} key;

/* In the order of the file. */
static const key keys[] = {
    {"seed", WHOLE, true, offsetof(dun_preamble, seed), 0, UINT64_MAX},
    {"step", WHOLE, true, offsetof(dun_preamble, step), 0, DUN_MAX_STEPS},
    {.name = "time", .kind = TIME},
    {"next_id", WHOLE, false, offsetof(dun_preamble, next_id), 1, UINT32_MAX},
    {"spent_ids", WHOLE, false, offsetof(dun_preamble, spent_ids), 1, UINT32_MAX},
    {.name = "target", .kind = TARGET},
    {"agents", WHOLE, true, offsetof(dun_preamble, agents), 0, UINT32_MAX},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

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

static void write_whole(const dun_preamble *preamble, const key *k, FILE *file) {
    uint64_t value;
    memcpy(&value, (const char *)preamble + k->offset, sizeof value);
    if (k->needed || value > 0) fprintf(file, "# %s %llu\n", k->name, (unsigned long long)value);
}

/* The next id may be further above the maximum id in the file: agents may have died. */
void dun_preamble_write(const dunlin_world *world, FILE *file) {
    const dun_preamble preamble = {.seed = world->def.seed,
                                   .step = world->stats.step,
                                   .next_id = world->spent_ids > 0 ? world->next_id : 0,
                                   .spent_ids = world->spent_ids < world->next_id ? world->spent_ids : 0,
                                   .agents = dun_agent_count(world)};
    fputs(DUN_STATE_FIRST_LINE "\n", file);
    for (const key *k = keys; k < keys + KEYS; k++) {
        if (k->kind == WHOLE) write_whole(&preamble, k, file);
        if (k->kind == TIME && world->uneven) fprintf(file, "# time %.17g\n", world->stats.time);
        if (k->kind == TARGET) write_targets(world, file);
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

/* The preamble that is being read. */
typedef struct context {
    dun_preamble *preamble;
    const dunlin_world *world; /* that it must fit; NULL: any */
    dun_lines *lines;
    uint32_t given; /* bits: which keys */
} context;

static dunlin_result fail_twice(const context *c, const char *name, const char *value) {
    return dun_lines_fail(c->lines, name, value, "the preamble has it twice");
}

static dunlin_result check_seed(const context *c) {
    const unsigned long long theirs = c->preamble->seed, own = c->world ? c->world->def.seed : theirs;
    if (theirs == own) return DUNLIN_OK;
    return dun_fail(
        c->lines->error, DUNLIN_ERROR_FILE,
        "%s:%lu: seed is %llu, but the world's is %llu: load the state into a world with seed %llu; to continue with another "
        "seed, set that one afterwards",
        c->lines->name, c->lines->number, theirs, own, theirs);
}

static dunlin_result read_whole(const context *c, const key *k, const char *text) {
    unsigned long long value;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "it must be a whole number from %llu to %llu", (unsigned long long)k->min,
             (unsigned long long)k->max);
    if (!dun_parse_whole(text, &value) || value < k->min || value > k->max)
        return dun_lines_fail(c->lines, k->name, text, allowed);
    memcpy((char *)c->preamble + k->offset, &(uint64_t){value}, sizeof(uint64_t));
    return k->offset == offsetof(dun_preamble, seed) ? check_seed(c) : DUNLIN_OK;
}

static bool parse_time(const char *text, double *time) {
    return dun_parse_double(text, time) && !signbit(*time) && *time <= DUN_MAX_TIME;
}

static dunlin_result read_time(const context *c, const char *text) {
    if (parse_time(text, &c->preamble->time)) return DUNLIN_OK;
    return dun_lines_fail(c->lines, "time", text, "it must be a number from 0 to 1e22");
}

/* Cuts the next word off the text and moves *text behind it and its blank. "": there is none. */
static const char *next_word(char **text) {
    char *word = *text, *end = word + strcspn(word, " ");
    *text = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static dunlin_result find_targeting(const context *c, const char *text, int *behaviour) {
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
    const dunlin_result result = find_targeting(c, next_word(&text), &behaviour);
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

static dunlin_result read_key(context *c, char *line) {
    char *text = line + (strncmp(line, "# ", 2) == 0 ? 2 : 0);
    const char *name = next_word(&text);
    const key *k = keys;
    while (k < keys + KEYS && strcmp(name, k->name) != 0) k++;
    if (k == keys + KEYS)
        return dun_lines_fail(c->lines, "line", name,
                              "a preamble may have seed, step, time, next_id, spent_ids, target and agents");
    if (k->kind == TARGET) return read_target(c, text);
    if (c->given >> (k - keys) & 1) return fail_twice(c, name, text);
    c->given |= 1u << (k - keys);
    return k->kind == TIME ? read_time(c, text) : read_whole(c, k, text);
}

static dunlin_result check_whole(const context *c) {
    for (int k = 0; k < KEYS; k++)
        if (keys[k].needed && !(c->given >> k & 1))
            return dun_lines_fail(c->lines, "no line", keys[k].name, "the preamble needs it");
    if (c->preamble->spent_ids <= c->preamble->next_id) return DUNLIN_OK;
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
    context c = {.preamble = preamble, .world = world, .lines = lines};
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
    preamble->time = -1.0;
    if (world)
        preamble->targets = dun_allocate_zeros(world->heap, (size_t)world->behaviour_count + 1, sizeof *preamble->targets);
    if (world && !preamble->targets) return dun_fail_memory(lines->error, "the file's targets");
    result = next_line(&c);
    while (!result && lines->text[0] == '#') {
        result = read_key(&c, lines->text);
        if (!result) result = next_line(&c);
    }
    return result ? result : check_whole(&c);
}

void dun_preamble_apply(const dun_preamble *preamble, dunlin_world *world) {
    world->stats.step = preamble->step;
    world->uneven = preamble->time >= 0.0;
    world->stats.time = world->uneven ? preamble->time : (double)preamble->step * (double)world->def.time_step;
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_state_target *target = &preamble->targets[b];
        if (!target->given) continue;
        for (int a = 0; a < world->def.dimensions; a++) world->behaviours[b].def.target.position[a] = target->position[a];
        world->behaviours[b].since = target->since;
    }
}
