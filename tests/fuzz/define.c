/* SPDX-License-Identifier: MIT */
/*
 * Definitions, added and changed. Most begin as definitions that work; then a few fields get other values. All choices depend
 * on the bytes and the definitions so far alone, never on agents, so that a fresh world gets the same.
 */
#include "tests/fuzz/simulation.h"

#include <math.h>
#include <stdlib.h>

/* Values that only make a program slow, without finding anything. */
enum { MOST_SPECIES = 5, MOST_BEHAVIOURS = 12, MOST_FIELDS = 4, MOST_CELLS = 2048, MOST_PATHS = 4, MOST_OBSTACLES = 64 };

void simulation_fill_vector(fuzz_bytes *bytes, float vector[3], float low, float high) {
    for (int a = 0; a < 3; a++) vector[a] = bytes_number(bytes, low, high);
}

int simulation_any_species(simulation *f) {
    return bytes_int(&f->bytes, 0, dunlin_world_species_count(f->world[0]) - 1);
}

static void edit_field(simulation *f, void *at, const fuzz_field *field) {
    fuzz_bytes *b = &f->bytes;
    if (field->kind == FUZZ_NUMBER) *(float *)at = bytes_number(b, field->low, field->high);
    if (field->kind == FUZZ_VECTOR) simulation_fill_vector(b, at, field->low, field->high);
    if (field->kind == FUZZ_INT) *(int *)at = bytes_int(b, (int)field->low, (int)field->high);
    if (field->kind == FUZZ_ENUM) *(int *)at = bytes_enum(b, (int)field->high);
    if (field->kind == FUZZ_FLAG) *(bool *)at = !*(bool *)at;
    if (field->kind == FUZZ_WORD) *(uint64_t *)at = bytes_word(b);
    if (field->kind == FUZZ_SPECIES) *(int *)at = simulation_any_species(f);
}

unsigned simulation_edit(simulation *f, void *def, const fuzz_field *fields, size_t count, unsigned choices) {
    const unsigned choice = bytes_choice(&f->bytes, choices);
    if (choice < count) edit_field(f, (char *)def + fields[choice].offset, &fields[choice]);
    return choice;
}

static const char *const good_names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static const char *any_name(simulation *f, int position) {
    static const char *const odd[] = {
        "",
        "a,b",
        "\"",
        "a\nb",
        NULL,
        "id",
        "x",
        "next_id",
        "\xc5\x82",
        "a",
        "a name that is longer than the sixty-three bytes which the header allows",
    };
    const unsigned choice = bytes_choice(&f->bytes, 128);
    return choice < sizeof odd / sizeof *odd ? odd[choice] : good_names[position % 8];
}

/* ---- the world --------------------------------------------------------------------------------------------------------- */

void simulation_edit_world(simulation *f, dunlin_world_def *def) {
    static const fuzz_field fields[] = {
        FIELD(world_def, VECTOR, size, 5, 120),
        FIELD(world_def, NUMBER, margin, 0, 10),
        FIELD(world_def, FLAG, keep_overshoot, 0, 0),
        FIELD(world_def, FLAG, boundary_first, 0, 0),
        FIELD(world_def, ENUM, integrator, 0, 2),
        FIELD(world_def, NUMBER, time_step, 0.05f, 3),
        FIELD(world_def, FLAG, forces_are_increments, 0, 0),
        FIELD(world_def, WORD, seed, 0, 0),
        FIELD(world_def, ENUM, boundary, 0, 4),
        FIELD(world_def, INT, dimensions, 2, 3),
    };
    const unsigned choice = EDIT(f, def, fields, 12);
    if (choice == 10) def->size[0] = def->size[1] = def->size[2] = bytes_number(&f->bytes, 2, 200);
    if (choice == 11) def->size[bytes_choice(&f->bytes, 3)] = bytes_number(&f->bytes, 0.5f, 10);
}

static void set_world(simulation *f) {
    dunlin_world_def def = dunlin_world_get_def(f->world[0]);
    def.kernel = "auto";
    def.index = "auto";
    def.executor = "auto";
    def.threads = 0;
    for (unsigned edits = bytes_choice(&f->bytes, 4); edits > 0; edits--) simulation_edit_world(f, &def);
    simulation_bound(f, &def);
    AGREE(f, dunlin_world_set_def(world, &def, &error))
}

/* ---- species ----------------------------------------------------------------------------------------------------------- */

static int any_groups(simulation *f) {
    static const int counts[] = {2, 1, 3, 4, 5, 8, 16, 33, 200, 3000};
    const unsigned choice = bytes_choice(&f->bytes, 11);
    return choice < sizeof counts / sizeof *counts ? counts[choice] : bytes_int(&f->bytes, 0, 6);
}

static void edit_regroup(simulation *f, dunlin_species_def *def) {
    def->regroup.every = bytes_int(&f->bytes, 0, 5);
    def->regroup.radius = bytes_number(&f->bytes, 0.2f, 4);
    def->regroup.min_agents = bytes_int(&f->bytes, 1, 8);
    if (def->groups == 0) def->groups = any_groups(f);
}

static void edit_species(simulation *f, dunlin_species_def *def) {
    static const fuzz_field fields[] = {
        FIELD(species_def, NUMBER, min_speed, 0, 1),     FIELD(species_def, NUMBER, max_speed, 0.5f, 6),
        FIELD(species_def, NUMBER, max_force, 0, 2),     FIELD(species_def, NUMBER, drag, 0, 1),
        FIELD(species_def, FLAG, obstacles_block, 0, 0), FIELD(species_def, NUMBER, clearance, 0, 2),
        FIELD(species_def, NUMBER, friction, 0, 1),
    };
    fuzz_bytes *b = &f->bytes;
    const unsigned choice = EDIT(f, def, fields, f->parted ? 10 : 12); /* parts refuse the last two */
    if (choice == 7) def->name = any_name(f, (int)bytes_choice(b, 8));
    if (choice == 8) def->cookie += (int)bytes_rarely(b, 16);
    if (choice == 9) def->groups = any_groups(f);
    if (choice == 10) def->body_of = bytes_int(b, -1, dunlin_world_species_count(f->world[0]) - 1);
    if (choice == 11) edit_regroup(f, def);
}

/* Without these attributes steps fail, or nothing regroups. */
static void give_roles(simulation *f, int species) {
    const dunlin_species_def def = dunlin_world_get_species(f->world[0], species);
    if (def.body_of >= 0) simulation_give_role(f, species, DUNLIN_ROLE_BODY);
    if (def.regroup.every > 0) simulation_give_role(f, species, DUNLIN_ROLE_GROUP);
}

/* Bodies of another species, or -1. */
static void add_species(simulation *f, int body_of) {
    const int count = dunlin_world_species_count(f->world[0]);
    if (count >= MOST_SPECIES) return;
    dunlin_species_def def = dunlin_species_def_default();
    def.name = any_name(f, count);
    def.body_of = body_of;
    for (unsigned edits = bytes_choice(&f->bytes, 5); edits > 0; edits--) edit_species(f, &def);
    AGREE(f, dunlin_world_add_species(world, &def, NULL, &error))
    give_roles(f, count);
}

static void add_bodies(simulation *f, int species) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(f->world[0], DUNLIN_BEHAVIOUR_BODY);
    def.species = species;
    def.body = dunlin_world_species_count(f->world[0]);
    add_species(f, species);
    AGREE(f, dunlin_world_add_behaviour(world, &def, NULL, &error))
}

/* A species with groups, perhaps with leaders, and with bodies, and these with bodies of their own. */
static void add_groups(simulation *f) {
    int species = simulation_any_species(f);
    do {
        simulation_give_role(f, species, DUNLIN_ROLE_GROUP);
        if (bytes_choice(&f->bytes, 2)) simulation_give_role(f, species, DUNLIN_ROLE_LEADERSHIP);
        if (f->parted) return; /* which refuses bodies */
        add_bodies(f, species);
        species = dunlin_world_species_count(f->world[0]) - 1;
    } while (bytes_choice(&f->bytes, 3) == 2);
}

static void set_species(simulation *f) {
    const int species = simulation_any_species(f);
    dunlin_species_def def = dunlin_world_get_species(f->world[0], species);
    for (unsigned edits = bytes_choice(&f->bytes, 4); edits > 0; edits--) edit_species(f, &def);
    AGREE(f, dunlin_world_set_species(world, species, &def, &error))
    give_roles(f, species);
}

/* ---- interactions ------------------------------------------------------------------------------------------------------ */

static void edit_rule(simulation *f, dunlin_rule *rule) {
    static const fuzz_field fields[] = {
        FIELD(rule, NUMBER, radius, 0.5f, 12),
        FIELD(rule, NUMBER, weight, -2, 2),
        FIELD(rule, ENUM, response, 0, 3),
        FIELD(rule, NUMBER, limit, 0, 3),
        FIELD(rule, ENUM, falloff, 0, 3),
        FIELD(rule, ENUM, kin, 0, 3),
        FIELD(rule, NUMBER, half_angle, 0.1f, 3.14f),
    };
    if (EDIT(f, rule, fields, 8) == 7)
        rule->min_radius = bytes_number(&f->bytes, 0, 1) * (bytes_rarely(&f->bytes, 8) ? 1 : rule->radius);
}

static void edit_interaction(simulation *f, dunlin_interaction_def *def) {
    static const fuzz_field fields[] = {
        FIELD(interaction_def, SPECIES, observer, 0, 0), FIELD(interaction_def, SPECIES, observed, 0, 0),
        FIELD(interaction_def, INT, nearest, 1, 32),     FIELD(interaction_def, INT, max_neighbours, 1, 40),
        FIELD(interaction_def, FLAG, in_turn, 0, 0),     FIELD(interaction_def, FLAG, ignore_coincident, 0, 0),
    };
    fuzz_bytes *b = &f->bytes;
    const unsigned choice = EDIT(f, def, fields, 12);
    for (int r = 0; r < DUNLIN_RULE_COUNT && choice == 6; r++)
        def->order[r] = (dunlin_rule_kind)bytes_choice(b, DUNLIN_RULE_COUNT);
    if (choice > 6) edit_rule(f, &def->rules[bytes_choice(b, DUNLIN_RULE_COUNT)]);
}

/* Mostly: without these attributes steps fail. */
static void give_kin(simulation *f, const dunlin_interaction_def *def) {
    bool kin = false;
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) kin = kin || def->rules[r].kin != DUNLIN_KIN_ALL;
    if (!kin || bytes_rarely(&f->bytes, 16)) return;
    simulation_give_role(f, def->observer, DUNLIN_ROLE_GROUP);
    simulation_give_role(f, def->observed, DUNLIN_ROLE_GROUP);
}

static void add_interaction(simulation *f) {
    dunlin_interaction_def def = dunlin_interaction_def_default();
    def.observer = simulation_any_species(f);
    def.observed = simulation_any_species(f);
    const unsigned choice = bytes_choice(&f->bytes, 256), off = choice & 7; /* rules */
    def.rules[DUNLIN_RULE_SEPARATION].falloff = (dunlin_falloff)((choice >> 3) % 3);
    def.ignore_coincident = choice >> 7 == 1;
    for (unsigned r = 0; r < DUNLIN_RULE_COUNT; r++)
        if (!(off >> r & 1)) def.rules[r].radius = bytes_number(&f->bytes, 0.5f, 8);
    const bool kin = bytes_choice(&f->bytes, 3) == 2;
    for (int r = 0; r < DUNLIN_RULE_COUNT && kin; r++) def.rules[r].kin = (dunlin_kin)bytes_enum(&f->bytes, 3);
    for (unsigned edits = bytes_choice(&f->bytes, 7); edits > 0; edits--) edit_interaction(f, &def);
    give_kin(f, &def);
    AGREE(f, dunlin_world_add_interaction(world, &def, NULL, &error))
}

static void set_interaction(simulation *f) {
    const int number = bytes_int(&f->bytes, 0, dunlin_world_interaction_count(f->world[0]));
    dunlin_interaction_def def = dunlin_world_get_interaction(f->world[0], number);
    for (unsigned edits = bytes_choice(&f->bytes, 5); edits > 0; edits--) edit_interaction(f, &def);
    give_kin(f, &def);
    AGREE(f, dunlin_world_set_interaction(world, number, &def, &error))
}

/* ---- paths ------------------------------------------------------------------------------------------------------------- */

/* A few points where the bytes say, and as many as `count` in a zigzag after them. */
static void fill_points(simulation *f, float *const points[3], uint32_t count) {
    const float apart = bytes_number(&f->bytes, 0, 10);
    for (uint32_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++)
            points[a][i] = i < 6 ? bytes_number(&f->bytes, 0, 100) : points[a][i - 5] + apart * (float)((i + (uint32_t)a) % 3);
}

static uint32_t any_points(simulation *f) {
    static const uint32_t counts[] = {2, 3, 4, 5, 6, 8, 12, 16, 17, 31, 40, 65, 100, 300, 1, 0};
    return counts[bytes_choice(&f->bytes, sizeof counts / sizeof *counts)];
}

static void add_path(simulation *f) {
    if (dunlin_world_path_count(f->world[0]) >= MOST_PATHS) return;
    dunlin_path_def def = dunlin_path_def_default(f->world[0]);
    def.count = any_points(f);
    def.closed = bytes_choice(&f->bytes, 2) == 1;
    float *const points[3] = {simulation_array(def.count), simulation_array(def.count), simulation_array(def.count)};
    uint32_t *agents = simulation_array(def.count);
    if (bytes_choice(&f->bytes, 4) == 3) {
        const uint32_t first = bytes_choice(&f->bytes, 256), apart = bytes_choice(&f->bytes, 4);
        for (uint32_t i = 0; i < def.count; i++) agents[i] = first + i * apart;
        def.agents = agents;
    } else {
        fill_points(f, points, def.count);
        for (int a = 0; a < 3; a++) def.points[a] = points[a];
    }
    AGREE(f, dunlin_world_add_path(world, &def, NULL, &error))
    for (int a = 0; a < 3; a++) free(points[a]);
    free(agents);
}

static void move_path(simulation *f) {
    const int number = bytes_int(&f->bytes, 0, dunlin_world_path_count(f->world[0]) - 1);
    const uint32_t count = dunlin_world_get_path(f->world[0], number).count;
    float *const points[3] = {simulation_array(count), simulation_array(count), simulation_array(count)};
    fill_points(f, points, count);
    const float *const given[3] = {points[0], points[1], bytes_rarely(&f->bytes, 32) ? NULL : points[2]};
    AGREE(f, dunlin_world_move_path(world, number, given, &error))
    for (int a = 0; a < 3; a++) free(points[a]);
}

/* ---- fields ------------------------------------------------------------------------------------------------------------ */

static void limit_cells(int cells[3]) {
    double product = 1;
    for (int a = 0; a < 3; a++) product *= cells[a];
    if (product > MOST_CELLS)
        for (int a = 0; a < 3; a++) cells[a] = cells[a] > 8 ? 8 : cells[a];
}

static void add_field(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    if (dunlin_world_field_count(f->world[0]) >= MOST_FIELDS) return;
    dunlin_field_def def = dunlin_field_def_default(f->world[0]);
    const unsigned edits = bytes_choice(b, 8);
    for (int a = 0; a < 3; a++) def.cells[a] = a == 2 && def.cells[2] == 1 ? 1 : bytes_int(b, 1, 12);
    if (edits & 1) simulation_fill_vector(b, def.min, -10, 50);
    if (edits & 2) simulation_fill_vector(b, def.max, 50, 150);
    if (edits & 4) def.lookup = (dunlin_lookup)bytes_enum(b, 2);
    limit_cells(def.cells);
    AGREE(f, dunlin_world_add_field(world, &def, NULL, &error))
}

static void edit_source(simulation *f, dunlin_field_source *source) {
    static const fuzz_field fields[] = {
        FIELD(field_source, NUMBER, weight, -3, 3),
        FIELD(field_source, WORD, seed, 0, 0),
        FIELD(field_source, VECTOR, vector, -2, 2),
        FIELD(field_source, VECTOR, centre, 0, 100),
        FIELD(field_source, VECTOR, axis, -1, 1),
        FIELD(field_source, NUMBER, noise.scale, 1, 40),
        FIELD(field_source, INT, noise.octaves, 1, 4),
        FIELD(field_source, NUMBER, noise.min_angle, -1, 1),
        FIELD(field_source, NUMBER, noise.max_angle, -1, 2),
        FIELD(field_source, NUMBER, noise.rate, 0, 1),
    };
    const unsigned choice = EDIT(f, source, fields, 11);
    /* Both are finite, or none is. */
    if (choice == 7 && isinf(source->noise.max_angle)) source->noise.max_angle = 1.0f;
    if (choice == 8 && isinf(source->noise.min_angle)) source->noise.min_angle = 0.0f;
    if (choice == 10) source->noise.time = bytes_double(&f->bytes, -10, 10);
}

static void fill_field(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const int number = bytes_int(b, 0, dunlin_world_field_count(f->world[0]) - 1);
    dunlin_field_source source = dunlin_field_source_default(f->world[0], (dunlin_field_kind)bytes_enum(b, DUNLIN_FIELD_COUNT));
    for (unsigned edits = bytes_choice(b, 6); edits > 0; edits--) edit_source(f, &source);
    const dunlin_field_view view = dunlin_world_field_view(f->world[0], number);
    const uint32_t cells = (uint32_t)(view.cells[0] * view.cells[1] * view.cells[2]);
    float *values = simulation_array(cells);
    for (uint32_t i = 0; i < cells; i++) values[i] = (float)(i % 17) - 8;
    for (unsigned spikes = bytes_choice(b, 4); spikes > 0 && cells > 0; spikes--)
        values[bytes_choice(b, 256) % cells] = bytes_number(b, -5, 5);
    source.values = values;
    for (int a = 0; a < 3; a++) source.vectors[a] = values;
    AGREE(f, dunlin_world_fill_field(world, number, &source, &error))
    free(values);
}

/* Written by the caller. */
static void write_field(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const int number = bytes_int(b, 0, dunlin_world_field_count(f->world[0]) - 1);
    const unsigned cell = bytes_choice(b, 256), axis = bytes_choice(b, 3);
    const float number_there = bytes_number(b, -2, 2);
    for (int w = 0; w < f->count; w++) {
        const dunlin_field_view view = dunlin_world_field_view(f->world[w], number);
        const int cells = view.cells[0] * view.cells[1] * view.cells[2];
        if (cells > 0 && view.vectors[axis]) view.vectors[axis][(int)cell % cells] = number_there;
    }
}

/* ---- obstacles --------------------------------------------------------------------------------------------------------- */

static void add_obstacles(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const uint32_t count = bytes_choice(b, 5);
    if (dunlin_world_obstacle_view(f->world[0]).count + count > MOST_OBSTACLES) return;
    for (uint32_t o = 0; o < count; o++) {
        dunlin_obstacle_def def = dunlin_obstacle_def_default((dunlin_obstacle_shape)bytes_enum(b, 3));
        simulation_fill_vector(b, def.a, 0, 100);
        simulation_fill_vector(b, def.b, 0, 20);
        for (int a = 0; a < 3; a++) def.b[a] += def.a[a];
        def.radius = bytes_number(b, 0, 12);
        const dunlin_obstacle_def *given = bytes_rarely(b, 32) ? NULL : &def;
        AGREE(f, dunlin_world_add_obstacle(world, given, NULL, &error))
    }
}

static void remove_obstacles(simulation *f) {
    const int count = dunlin_world_obstacle_count(f->world[0]);
    const int first = bytes_int(&f->bytes, 0, count), removed = bytes_int(&f->bytes, 0, count);
    /* Wild numbers are up to INT_MAX; one that fails is enough. */
    for (int i = 0; i < removed && i <= count; i++) AGREE(f, dunlin_world_remove_obstacle(world, first, &error))
}

/* ---- attributes and meals ---------------------------------------------------------------------------------------------- */

static void give_groups(simulation *f, int species) {
    dunlin_species_def def = dunlin_world_get_species(f->world[0], species);
    if (def.groups > 0) return;
    def.groups = any_groups(f);
    AGREE(f, dunlin_world_set_species(world, species, &def, &error))
}

static const char *free_name(const simulation *f, int species) {
    int name = 0;
    while (name < 7 && dunlin_world_find_attribute(f->world[0], species, good_names[name]) >= 0) name++;
    return good_names[name];
}

/* Groups and bodies have whole numbers. */
static dunlin_attribute_def attribute_of(simulation *f, int species, int role) {
    fuzz_bytes *b = &f->bytes;
    dunlin_attribute_def def = dunlin_attribute_def_default();
    if (role == DUNLIN_ROLE_GROUP) give_groups(f, species);
    def.species = species;
    def.name = free_name(f, species);
    def.role = (dunlin_role)role;
    def.distribution = (dunlin_distribution)bytes_choice(b, 4);
    def.min_value = 0.25f;
    if (role == DUNLIN_ROLE_GROUP || role == DUNLIN_ROLE_BODY) {
        def.value = def.min_value = 0;
        if (role == DUNLIN_ROLE_GROUP) def.max_value = (float)dunlin_world_get_species(f->world[0], species).groups - 1;
    }
    if (bytes_choice(b, 4) == 3) def.max_scale = def.max_value = bytes_number(b, 1, 3);
    if (def.distribution == DUNLIN_DISTRIBUTION_NORMAL) def.deviation = bytes_number(b, 0, 1);
    if (bytes_choice(b, 2)) def.mutation = bytes_number(b, 0, 1);
    if (role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT) def.behaviour = bytes_int(b, 0, dunlin_world_behaviour_count(f->world[0]));
    return def;
}

int simulation_give_role(simulation *f, int species, dunlin_role role) {
    const int count = dunlin_world_attribute_count(f->world[0], species);
    for (int a = 0; a < count; a++)
        if (dunlin_world_get_attribute(f->world[0], species, a).role == role) return a;
    const dunlin_attribute_def def = attribute_of(f, species, (int)role);
    AGREE(f, dunlin_world_add_attribute(world, &def, NULL, &error))
    simulation_compare(f); /* another call follows, which may be refused */
    return f->result == DUNLIN_OK ? count : -1;
}

static void add_attribute(simulation *f) {
    static const fuzz_field fields[] = {
        FIELD(attribute_def, NUMBER, value, 0.1f, 1),     FIELD(attribute_def, NUMBER, min_value, 0.1f, 0.5f),
        FIELD(attribute_def, ENUM, distribution, 0, 4),   FIELD(attribute_def, NUMBER, max_value, 0.5f, 1),
        FIELD(attribute_def, NUMBER, max_scale, 0.5f, 4),
    };
    const int species = simulation_any_species(f);
    dunlin_attribute_def def = attribute_of(f, species, bytes_enum(&f->bytes, DUNLIN_ROLE_COUNT));
    if (EDIT(f, &def, fields, 6) == 4) def.name = any_name(f, dunlin_world_attribute_count(f->world[0], species));
    AGREE(f, dunlin_world_add_attribute(world, &def, NULL, &error))
}

static void edit_meal(simulation *f, dunlin_meal_def *def) {
    static const fuzz_field fields[] = {
        FIELD(meal_def, SPECIES, eater, 0, 0), FIELD(meal_def, SPECIES, food, 0, 0), FIELD(meal_def, NUMBER, radius, 0.2f, 5),
        FIELD(meal_def, INT, energy, -1, 2),   FIELD(meal_def, NUMBER, gain, -2, 2), FIELD(meal_def, INT, worth, -1, 2),
    };
    EDIT(f, def, fields, 6);
}

static void add_meal(simulation *f) {
    dunlin_meal_def def = dunlin_meal_def_default();
    for (unsigned edits = bytes_choice(&f->bytes, 6); edits > 0; edits--) edit_meal(f, &def);
    AGREE(f, dunlin_world_add_meal(world, &def, NULL, &error))
}

static void set_meal(simulation *f) {
    const int number = bytes_int(&f->bytes, 0, dunlin_world_meal_count(f->world[0]));
    dunlin_meal_def def = dunlin_world_get_meal(f->world[0], number);
    for (unsigned edits = bytes_choice(&f->bytes, 4); edits > 0; edits--) edit_meal(f, &def);
    AGREE(f, dunlin_world_set_meal(world, number, &def, &error))
}

/* ---- traces ------------------------------------------------------------------------------------------------------------ */

static void edit_trace(simulation *f, dunlin_trace_def *def) {
    static const fuzz_field fields[] = {
        FIELD(trace_def, INT, attribute, -1, 2),
        FIELD(trace_def, NUMBER, deposit, 0, 9),
        FIELD(trace_def, NUMBER, diffusion, 0, 1),
        FIELD(trace_def, NUMBER, evaporation, 0, 1),
    };
    const unsigned choice = EDIT(f, def, fields, 6);
    if (choice == 4) def->field = bytes_int(&f->bytes, 0, dunlin_world_field_count(f->world[0]));
    if (choice == 5) def->species = bytes_choice(&f->bytes, 3) ? simulation_any_species(f) : DUNLIN_ALL_SPECIES;
}

static void add_trace(simulation *f) {
    if (dunlin_world_field_count(f->world[0]) == 0) add_field(f);
    dunlin_trace_def def = dunlin_trace_def_default();
    for (unsigned edits = bytes_choice(&f->bytes, 6); edits > 0; edits--) edit_trace(f, &def);
    AGREE(f, dunlin_world_add_trace(world, &def, NULL, &error))
}

static void set_trace(simulation *f) {
    const int number = bytes_int(&f->bytes, 0, dunlin_world_trace_count(f->world[0]));
    dunlin_trace_def def = dunlin_world_get_trace(f->world[0], number);
    for (unsigned edits = bytes_choice(&f->bytes, 4); edits > 0; edits--) edit_trace(f, &def);
    AGREE(f, dunlin_world_set_trace(world, number, &def, &error))
}

int simulation_give_field(simulation *f) {
    const bool trace = bytes_choice(&f->bytes, 3) > 0;
    if (dunlin_world_field_count(f->world[0]) == 0) add_field(f);
    if (trace && dunlin_world_trace_count(f->world[0]) == 0) add_trace(f);
    const int fields = dunlin_world_field_count(f->world[0]), traces = dunlin_world_trace_count(f->world[0]);
    return trace && traces > 0 ? dunlin_world_get_trace(f->world[0], traces - 1).field : bytes_int(&f->bytes, 0, fields - 1);
}

/* ---- get, change, set ---------------------------------------------------------------------------------------------------- */

static void set_path(simulation *f) {
    const int number = bytes_int(&f->bytes, 0, dunlin_world_path_count(f->world[0]));
    dunlin_path_def def = dunlin_world_get_path(f->world[0], number);
    const uint32_t agents[] = {0, 2, 1, 2};
    if (bytes_choice(&f->bytes, 2)) def.closed = !def.closed;
    if (bytes_choice(&f->bytes, 2)) def.count = 2;
    if (bytes_choice(&f->bytes, 3) == 0) {
        def.agents = agents;
        def.count = 4;
    }
    /* The first world's own arrays are moved with its path, so it comes last. */
    for (int w = f->count - 1; w >= 0; w--) {
        dunlin_error error = {0};
        const dunlin_result result = dunlin_world_set_path(f->world[w], number, &def, &error);
        if (w == f->count - 1) f->result = result;
        if (result != f->result) simulation_fail(f, w, "another answer to dunlin_world_set_path()");
    }
}

static void set_field(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const int number = bytes_int(b, 0, dunlin_world_field_count(f->world[0]));
    dunlin_field_def def = dunlin_world_get_field(f->world[0], number);
    const int axis = (int)bytes_choice(b, 3);
    if (bytes_choice(b, 2)) def.min[axis] = bytes_number(b, -5, 5);
    if (bytes_choice(b, 2)) def.cells[axis] = bytes_int(b, 1, 8);
    if (bytes_choice(b, 2)) def.lookup = (dunlin_lookup)bytes_enum(b, 2);
    AGREE(f, dunlin_world_set_field(world, number, &def, &error))
}

static void set_obstacle(simulation *f) {
    const int number = bytes_int(&f->bytes, 0, dunlin_world_obstacle_count(f->world[0]));
    dunlin_obstacle_def moved = dunlin_world_get_obstacle(f->world[0], number);
    moved.a[0] = bytes_number(&f->bytes, 0, 20);
    AGREE(f, dunlin_world_set_obstacle(world, number, &moved, &error))
}

static void set_attribute(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const int species = simulation_any_species(f), number = bytes_int(b, 0, dunlin_world_attribute_count(f->world[0], species));
    dunlin_attribute_def def = dunlin_world_get_attribute(f->world[0], species, number);
    def.role = (dunlin_role)bytes_enum(b, DUNLIN_ROLE_COUNT);
    def.distribution = (dunlin_distribution)bytes_enum(b, 4);
    def.mutation = bytes_number(b, 0, 1);
    AGREE(f, dunlin_world_set_attribute(world, species, number, &def, &error))
}

/* ---- one of them ------------------------------------------------------------------------------------------------------- */

static void add_plain_species(simulation *f) {
    add_species(f, -1);
}

bool simulation_define(simulation *f) {
    static void (*const all[])(simulation *) = {add_plain_species, add_interaction, add_interaction, add_interaction,
                                                add_path,          add_field,       fill_field,      add_obstacles,
                                                add_attribute,     add_meal,        add_trace,       add_groups};
    if (dunlin_world_species_count(f->world[0]) == 0) add_species(f, -1);
    const unsigned choice = bytes_choice(&f->bytes, 17);
    if (choice > 0 && choice <= sizeof all / sizeof *all)
        all[choice - 1](f);
    else if (choice > 0 && dunlin_world_behaviour_count(f->world[0]) < MOST_BEHAVIOURS)
        simulation_add_behaviour(f);
    return choice > 0;
}

void simulation_redefine(simulation *f) {
    static void (*const all[])(simulation *) = {set_world,
                                                set_species,
                                                set_interaction,
                                                move_path,
                                                set_path,
                                                fill_field,
                                                write_field,
                                                set_field,
                                                add_obstacles,
                                                remove_obstacles,
                                                set_obstacle,
                                                set_meal,
                                                set_attribute,
                                                simulation_set_behaviour,
                                                simulation_set_behaviour,
                                                simulation_remove,
                                                simulation_remove,
                                                set_trace};
    f->redefined = true;
    const unsigned choice = bytes_choice(&f->bytes, 21);
    if (choice < sizeof all / sizeof *all)
        all[choice](f);
    else
        simulation_define(f);
}
