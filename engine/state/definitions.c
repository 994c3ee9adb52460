/* SPDX-License-Identifier: MIT */
/*
 * The same functions write definitions and read them, so the two cannot differ: from a world they pass on copies of its
 * definitions; to a world they add what they have read.
 */
#include "engine/base/sections.h"

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/behaviours/targets.h"
#include "engine/scenery/scenery.h"
#include "engine/state/definitions.h"
#include "engine/world/agree.h"
#include "engine/world/edges.h"
#include "engine/world/use.h"

/* Neighbouring fields of a definition, without padding or pointers; or a switch, which is 0 or 1 in the file. */
typedef struct part {
    size_t begin, end;
    bool is_switch;
} part;

#define FROM_TO(type, first, last)                                                                                             \
    { offsetof(type, first), offsetof(type, last) + sizeof(((type *)NULL)->last), false }
#define ONE(type, field) FROM_TO(type, field, field)
#define SWITCH(type, field)                                                                                                    \
    { offsetof(type, field), offsetof(type, field) + sizeof(bool), true }
#define PARTS(list) list, sizeof(list) / sizeof *(list)

static const part world_parts[] = {
    FROM_TO(dunlin_world_def, dimensions, boundary),
    ONE(dunlin_world_def, margin),
    SWITCH(dunlin_world_def, keep_overshoot),
    SWITCH(dunlin_world_def, boundary_first),
    FROM_TO(dunlin_world_def, integrator, time_step),
    SWITCH(dunlin_world_def, forces_are_increments),
    ONE(dunlin_world_def, seed),
};
static const part species_parts[] = {
    FROM_TO(dunlin_species_def, min_speed, friction),
    SWITCH(dunlin_species_def, obstacles_block),
    FROM_TO(dunlin_species_def, clearance, regroup),
};
static const part attribute_parts[] = {FROM_TO(dunlin_attribute_def, role, max_scale)};
static const part interaction_parts[] = {
    FROM_TO(dunlin_interaction_def, observer, order),  SWITCH(dunlin_interaction_def, in_turn),
    SWITCH(dunlin_interaction_def, ignore_coincident), FROM_TO(dunlin_interaction_def, nearest, max_neighbours),
    SWITCH(dunlin_interaction_def, sight_blocked),
};
static const part behaviour_parts[] = {
    FROM_TO(dunlin_behaviour_def, kind, max_force),
    SWITCH(dunlin_behaviour_def, negate_force),
    ONE(dunlin_behaviour_def, radius),
    SWITCH(dunlin_behaviour_def, sight_blocked),
};
/* What a kind reads besides, but for callbacks. The other fields may hold anything, such as defaults that came from the world.
 */
static const part kind_parts[DUNLIN_BEHAVIOUR_COUNT] = {
    [DUNLIN_BEHAVIOUR_SEEK] = ONE(dunlin_behaviour_def, target),
    [DUNLIN_BEHAVIOUR_FLEE] = ONE(dunlin_behaviour_def, target),
    [DUNLIN_BEHAVIOUR_ARRIVE] = FROM_TO(dunlin_behaviour_def, target, slowing_radius),
    [DUNLIN_BEHAVIOUR_PURSUE] = FROM_TO(dunlin_behaviour_def, target, pursuit),
    [DUNLIN_BEHAVIOUR_EVADE] = FROM_TO(dunlin_behaviour_def, target, pursuit),
    [DUNLIN_BEHAVIOUR_WANDER] = ONE(dunlin_behaviour_def, wander),
    [DUNLIN_BEHAVIOUR_CONTAIN] = ONE(dunlin_behaviour_def, contain),
    [DUNLIN_BEHAVIOUR_FOLLOW_PATH] = ONE(dunlin_behaviour_def, follow),
    [DUNLIN_BEHAVIOUR_AVOID] = ONE(dunlin_behaviour_def, avoid),
    [DUNLIN_BEHAVIOUR_SIDESTEP] = ONE(dunlin_behaviour_def, sidestep),
    [DUNLIN_BEHAVIOUR_FLOW] = ONE(dunlin_behaviour_def, flow),
    [DUNLIN_BEHAVIOUR_WIND] = ONE(dunlin_behaviour_def, flow),
    [DUNLIN_BEHAVIOUR_FORCE] = ONE(dunlin_behaviour_def, force),
    [DUNLIN_BEHAVIOUR_DRAG] = FROM_TO(dunlin_behaviour_def, linear_drag, quadratic_drag),
    [DUNLIN_BEHAVIOUR_ADAPT] = ONE(dunlin_behaviour_def, adapt),
    [DUNLIN_BEHAVIOUR_BODY] = ONE(dunlin_behaviour_def, body),
    [DUNLIN_BEHAVIOUR_ATTRACT] = FROM_TO(dunlin_behaviour_def, target, attract),
    [DUNLIN_BEHAVIOUR_PAIRS] = FROM_TO(dunlin_behaviour_def, pairs.observed, pairs.radius),
};
static const part meal_parts[] = {FROM_TO(dunlin_meal_def, eater, worth)};
static const part trace_parts[] = {FROM_TO(dunlin_trace_def, field, evaporation)};
static const part obstacle_parts[] = {FROM_TO(dunlin_obstacle_def, shape, radius)};
static const part field_parts[] = {FROM_TO(dunlin_field_def, cells, lookup)};
/* Only noise varies. */
static const part source_parts[] = {
    ONE(dunlin_field_source, weight),
    ONE(dunlin_field_source, seed),
    FROM_TO(dunlin_field_source, noise.scale, noise.rate),
    ONE(dunlin_field_source, noise.time),
};

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

static bool fail(dun_definitions *d, dunlin_result result, const char *problem) {
    d->result = dun_fail(d->error, result, "%s", problem);
    return false;
}

static bool fail_malformed(dun_definitions *d) {
    return fail(d, DUNLIN_ERROR_FILE, "the definitions are damaged");
}

static bool pass_bytes(dun_definitions *d, void *bytes, size_t count) {
    if (d->from) return d->write(d->context, bytes, count);
    if (count > (size_t)(d->end - d->at)) return fail_malformed(d);
    memcpy(bytes, d->at, count);
    d->at += count;
    return true;
}

static bool pass_switch(dun_definitions *d, bool *is_on) {
    uint32_t value = *is_on;
    if (!pass_bytes(d, &value, sizeof value)) return false;
    *is_on = value == 1;
    return value <= 1 || fail_malformed(d);
}

static bool pass_parts(dun_definitions *d, void *def, const part *parts, size_t count) {
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        char *at = (char *)def + parts[i].begin;
        done = parts[i].is_switch ? pass_switch(d, (bool *)(void *)at) : pass_bytes(d, at, parts[i].end - parts[i].begin);
    }
    return done;
}

static bool pass_name(dun_definitions *d, const char *own, char name[DUNLIN_NAME_LENGTH]) {
    memset(name, 0, DUNLIN_NAME_LENGTH);
    if (d->from) memcpy(name, own, strlen(own));
    return pass_bytes(d, name, DUNLIN_NAME_LENGTH) && (memchr(name, '\0', DUNLIN_NAME_LENGTH) || fail_malformed(d));
}

/* Numbers of 4 bytes: those of the world's own array `own`, or where they lie in memory. NULL: there are not so many. */
static const void *pass_words(dun_definitions *d, const void *own, size_t count) {
    const char *words = d->at;
    if (d->from) return d->write(d->context, own, count * sizeof(dun_word)) ? own : NULL;
    if (count > (size_t)(d->end - d->at) / sizeof(dun_word)) {
        fail_malformed(d);
        return NULL;
    }
    d->at += count * sizeof(dun_word);
    return words;
}

/* ---- lists ------------------------------------------------------------------------------------------------------------ */

/* Passes on one entry, which is from->KIND number `number`, or the next that is added. */
typedef bool pass_entry(dun_definitions *d, int number);

static bool pass_list(dun_definitions *d, uint32_t count, pass_entry *entry) {
    bool done = pass_bytes(d, &count, sizeof count);
    for (uint32_t i = 0; i < count && done; i++) done = entry(d, (int)i);
    return done;
}

/* Whether the world has taken what was read. */
static bool is_taken(dun_definitions *d, dunlin_result result) {
    if (result == DUNLIN_OK || result == DUNLIN_ERROR_MEMORY) {
        d->result = result;
        return result == DUNLIN_OK;
    }
    const dunlin_error inner = *d->error;
    d->result = dun_fail(d->error, DUNLIN_ERROR_FILE, "the definitions are damaged: %.240s", inner.message);
    return false;
}

#define ADD(d, kind, def) ((d)->from || is_taken(d, dunlin_world_add_##kind((d)->to, def, NULL, (d)->error)))

/* Species may be bodies of one that comes later. */
static bool pass_species(dun_definitions *d, int number) {
    char name[DUNLIN_NAME_LENGTH];
    dunlin_species_def def = d->from ? d->from->species[number]->def : dunlin_species_def_default();
    if (!pass_name(d, def.name, name) || !pass_parts(d, &def, PARTS(species_parts))) return false;
    if (d->from) return true;
    const int body_of = def.body_of;
    def.name = name;
    def.body_of = -1;
    if (!is_taken(d, dunlin_world_add_species(d->to, &def, NULL, d->error))) return false;
    d->body_of[number] = body_of;
    return true;
}

static bool set_bodies(dun_definitions *d) {
    bool done = true;
    for (int s = 0; !d->from && s < d->to->species_count && done; s++) {
        dunlin_species_def def = d->to->species[s]->def;
        def.body_of = d->body_of[s];
        done = def.body_of == -1 || is_taken(d, dunlin_world_set_species(d->to, s, &def, d->error));
    }
    return done;
}

static bool pass_attribute(dun_definitions *d, int number) {
    char name[DUNLIN_NAME_LENGTH];
    dunlin_attribute_def def = d->from ? d->from->species[d->species]->attribute[number].def : dunlin_attribute_def_default();
    if (!pass_name(d, def.name, name) || !pass_parts(d, &def, PARTS(attribute_parts))) return false;
    def.name = name;
    def.species = d->species;
    return ADD(d, attribute, &def);
}

static bool pass_attributes(dun_definitions *d, int species) {
    d->species = species;
    return pass_list(d, d->from ? (uint32_t)d->from->species[species]->attribute_count : 0, pass_attribute);
}

static bool pass_interaction(dun_definitions *d, int number) {
    dunlin_interaction_def def = d->from ? d->from->interactions[number].def : dunlin_interaction_def_default();
    return pass_parts(d, &def, PARTS(interaction_parts)) && ADD(d, interaction, &def);
}

/* The place of a moving target is part of the state. */
static dunlin_behaviour_def copy_behaviour(const dunlin_world *from, int number) {
    const dun_behaviour *behaviour = &from->behaviours[number];
    dunlin_behaviour_def def = behaviour->def;
    if (dun_target_moves(from, behaviour)) memset(def.target.position, 0, sizeof def.target.position);
    return def;
}

static bool connect(dun_definitions *d, int number, dunlin_behaviour_def *def) {
    const bool calls_back = def->kind == DUNLIN_BEHAVIOUR_CUSTOM || def->kind == DUNLIN_BEHAVIOUR_PAIRS;
    if (d->from || !calls_back) return true;
    dunlin_behaviour_def connected = *def;
    connected.vital = -1;
    if (d->connect) d->connect(d->context, number, &connected);
    def->custom = connected.custom;
    def->vital = connected.vital;
    def->pairs.callback = connected.pairs.callback;
    def->user = connected.user;
    if (def->kind == DUNLIN_BEHAVIOUR_CUSTOM ? def->custom != NULL : def->pairs.callback != NULL) return true;
    d->result = dun_fail(d->error, DUNLIN_ERROR_VALUE,
                         "behaviour %d is a callback, which no file can hold: connect must set it", number);
    return false;
}

/* Callbacks are known only by being there. */
static bool pass_behaviour(dun_definitions *d, int number) {
    dunlin_behaviour_def def =
        d->from ? copy_behaviour(d->from, number) : dunlin_behaviour_def_default(d->to, DUNLIN_BEHAVIOUR_SEEK);
    if (!pass_parts(d, &def, PARTS(behaviour_parts))) return false;
    if ((unsigned)def.kind >= DUNLIN_BEHAVIOUR_COUNT) return fail_malformed(d);
    return pass_parts(d, &def, &kind_parts[def.kind], 1) && connect(d, number, &def) && ADD(d, behaviour, &def);
}

static bool pass_meal(dun_definitions *d, int number) {
    dunlin_meal_def def = d->from ? d->from->meals[number] : dunlin_meal_def_default();
    return pass_parts(d, &def, PARTS(meal_parts)) && ADD(d, meal, &def);
}

static bool pass_trace(dun_definitions *d, int number) {
    dunlin_trace_def def = d->from ? d->from->traces[number] : dunlin_trace_def_default();
    return pass_parts(d, &def, PARTS(trace_parts)) && ADD(d, trace, &def);
}

/* ---- scenery ---------------------------------------------------------------------------------------------------------- */

static bool pass_source(dun_definitions *d, int number) {
    dunlin_field_source source =
        d->from ? d->from->fields[number].source : dunlin_field_source_default(d->to, DUNLIN_FIELD_NOISE);
    return pass_parts(d, &source, PARTS(source_parts)) &&
           (d->from || is_taken(d, dunlin_world_fill_field(d->to, number, &source, d->error)));
}

static bool pass_vectors(dun_definitions *d, int number) {
    const dun_field *field = d->from ? &d->from->fields[number] : &d->to->fields[number];
    const size_t cells = dun_field_cells(field);
    for (int a = 0; a < 3 && field->vectors[a]; a++) {
        const void *vectors = pass_words(d, field->vectors[a], cells);
        if (!vectors) return false;
        if (!d->from) memcpy(field->vectors[a], vectors, cells * sizeof(float));
    }
    return true;
}

/* Of a field that varies only the source, and of a trace neither: every step fills it again. */
static bool pass_field(dun_definitions *d, int number) {
    dunlin_field_def def = d->from ? d->from->fields[number].def : dunlin_field_def_default(d->to);
    bool varies = d->from && d->from->fields[number].varies, traced = d->from && d->from->fields[number].values;
    if (!pass_parts(d, &def, PARTS(field_parts)) || !pass_switch(d, &varies) || !pass_switch(d, &traced)) return false;
    if (!ADD(d, field, &def)) return false;
    return varies ? pass_source(d, number) : traced || pass_vectors(d, number);
}

static bool pass_path(dun_definitions *d, int number) {
    const dunlin_world *world = d->from ? d->from : d->to;
    dunlin_path_def def = d->from ? dunlin_world_get_path(d->from, number) : dunlin_path_def_default(d->to);
    bool by_agents = def.agents != NULL, done = pass_bytes(d, &def.count, sizeof def.count) && pass_switch(d, &def.closed);
    done = done && pass_switch(d, &by_agents);
    if (done && by_agents) {
        def.agents = pass_words(d, def.agents, def.count);
        done = def.agents != NULL;
    }
    for (int a = 0; a < world->def.dimensions && done && !by_agents; a++) {
        def.points[a] = pass_words(d, def.points[a], def.count);
        done = def.points[a] != NULL;
    }
    return done && ADD(d, path, &def);
}

static bool pass_obstacle(dun_definitions *d, int number) {
    dunlin_obstacle_def def = d->from ? d->from->obstacles.given[number] : dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    return pass_parts(d, &def, PARTS(obstacle_parts)) && ADD(d, obstacle, &def);
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

bool dun_definitions_pass_world(dun_definitions *d, dunlin_world_def *def, char index[DUNLIN_NAME_LENGTH]) {
    def->boundary = (dunlin_boundary)dun_boundary_code(def);
    if (!pass_parts(d, def, PARTS(world_parts))) return false;
    return (dun_boundary_decode(def, (uint32_t)def->boundary) || fail_malformed(d)) && pass_name(d, def->index, index);
}

static uint32_t species_count(const dun_definitions *d) {
    return (uint32_t)(d->from ? d->from : d->to)->species_count;
}

/* Whether all ranks have read what comes before. One that has no memory for it must not leave the others waiting. */
static bool all_pass(dun_definitions *d, bool done) {
    if (d->from) return done;
    d->result = dun_agree(d->to, done ? DUNLIN_OK : d->result, d->error);
    return !d->result;
}

/* In this order, for entries refer to what comes before. To set bodies and to add attributes are collective calls. */
bool dun_definitions_pass_parts(dun_definitions *d) {
    const dunlin_world *from = d->from;
    bool done = all_pass(d, pass_list(d, from ? (uint32_t)from->species_count : 0, pass_species)) && set_bodies(d) &&
                pass_list(d, from ? (uint32_t)from->field_count : 0, pass_field) &&
                pass_list(d, from ? (uint32_t)from->path_count : 0, pass_path) &&
                pass_list(d, from ? from->obstacles.count : 0, pass_obstacle) &&
                pass_list(d, from ? (uint32_t)from->interaction_count : 0, pass_interaction) &&
                pass_list(d, from ? (uint32_t)from->behaviour_count : 0, pass_behaviour);
    done = all_pass(d, done);
    for (uint32_t s = 0; done && s < species_count(d); s++) done = pass_attributes(d, (int)s);
    done = done && pass_list(d, from ? (uint32_t)from->meal_count : 0, pass_meal) &&
           pass_list(d, from ? (uint32_t)from->trace_count : 0, pass_trace);
    return all_pass(d, done && (from || d->at == d->end || fail_malformed(d)));
}

static bool write_all(const dunlin_world *world, dunlin_write_fn *write, void *context) {
    dun_definitions d = {.from = world, .write = write, .context = context};
    dunlin_world_def def = world->def;
    char index[DUNLIN_NAME_LENGTH];
    return dun_definitions_pass_world(&d, &def, index) && dun_definitions_pass_parts(&d);
}

/* ---- the fingerprint -------------------------------------------------------------------------------------------------- */

typedef struct print {
    XXH3_state_t sum;
    uint64_t bytes;
} print;

static bool add_to_print(void *context, const void *bytes, size_t count) {
    print *p = context;
    XXH3_64bits_update(&p->sum, bytes, count);
    p->bytes += count;
    return true;
}

static uint64_t fingerprint(const dunlin_world *world, uint64_t *bytes) {
    print p = {.bytes = 0};
    XXH3_64bits_reset(&p.sum);
    write_all(world, add_to_print, &p);
    *bytes = p.bytes;
    return XXH3_64bits_digest(&p.sum);
}

uint64_t dunlin_world_fingerprint(const dunlin_world *world) {
    DUN_OWN_FLOATS();
    uint64_t bytes;
    return fingerprint(world, &bytes);
}

dunlin_result dunlin_world_save_definitions_to(const dunlin_world *world, dunlin_write_fn *write, void *context,
                                               dunlin_error *error) {
    DUN_READ(world, error);
    static const dun_opening opening = {DUN_DEFINITIONS_MAGIC, DUN_DEFINITIONS_VERSION};
    uint64_t bytes;
    if (!write) return dun_fail(error, DUNLIN_ERROR_VALUE, "write is NULL: it must be a function");
    const uint64_t checksum = fingerprint(world, &bytes);
    const bool written = write(context, &opening, sizeof opening) &&
                         dun_section_write_header(write, context, 0, bytes, checksum) && write_all(world, write, context);
    dunlin_result result = DUNLIN_OK;
    if (!written) result = dun_fail(error, DUNLIN_ERROR_FILE, "the definitions cannot be written: write() returned false");
    return dun_use_result(world, result, error);
}
