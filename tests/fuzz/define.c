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

static int any_species(simulation *f) {
    return bytes_int(&f->bytes, 0, dunlin_world_species_count(f->world[0]) - 1);
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
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 12)) {
    case 0:
        simulation_fill_vector(b, def->size, 5, 120);
        break;
    case 1:
        def->size[0] = def->size[1] = def->size[2] = bytes_number(b, 2, 200);
        break;
    case 2:
        def->margin = bytes_number(b, 0, 10);
        break;
    case 3:
        def->keep_overshoot = !def->keep_overshoot;
        break;
    case 4:
        def->boundary_first = !def->boundary_first;
        break;
    case 5:
        def->integrator = (dunlin_integrator)bytes_enum(b, 2);
        break;
    case 6:
        def->time_step = bytes_number(b, 0.05f, 3);
        break;
    case 7:
        def->forces_are_increments = !def->forces_are_increments;
        break;
    case 8:
        def->seed = bytes_word(b);
        break;
    case 9:
        def->boundary = (dunlin_boundary)bytes_enum(b, 4);
        break;
    case 10:
        def->dimensions = bytes_int(b, 2, 3);
        break;
    default:
        def->size[bytes_choice(b, 3)] = bytes_number(b, 0.5f, 10);
        break;
    }
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
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, f->parted ? 9 : 11)) { /* parts refuse the last two */
    case 0:
        def->min_speed = bytes_number(b, 0, 1);
        break;
    case 1:
        def->max_speed = bytes_number(b, 0.5f, 6);
        break;
    case 2:
        def->max_force = bytes_number(b, 0, 2);
        break;
    case 3:
        def->drag = bytes_number(b, 0, 1);
        break;
    case 4:
        def->obstacles_block = !def->obstacles_block;
        break;
    case 5:
        def->clearance = bytes_number(b, 0, 2);
        break;
    case 6:
        def->name = any_name(f, (int)bytes_choice(b, 8));
        break;
    case 7:
        def->cookie += (int)bytes_rarely(b, 16);
        break;
    case 8:
        def->groups = any_groups(f);
        break;
    case 9:
        def->body_of = bytes_int(b, -1, dunlin_world_species_count(f->world[0]) - 1);
        break;
    default:
        edit_regroup(f, def);
        break;
    }
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
    int species = any_species(f);
    do {
        simulation_give_role(f, species, DUNLIN_ROLE_GROUP);
        if (bytes_choice(&f->bytes, 2)) simulation_give_role(f, species, DUNLIN_ROLE_LEADERSHIP);
        if (f->parted) return; /* which refuses bodies */
        add_bodies(f, species);
        species = dunlin_world_species_count(f->world[0]) - 1;
    } while (bytes_choice(&f->bytes, 3) == 2);
}

static void set_species(simulation *f) {
    const int species = any_species(f);
    dunlin_species_def def = dunlin_world_get_species(f->world[0], species);
    for (unsigned edits = bytes_choice(&f->bytes, 4); edits > 0; edits--) edit_species(f, &def);
    AGREE(f, dunlin_world_set_species(world, species, &def, &error))
    give_roles(f, species);
}

/* ---- interactions ------------------------------------------------------------------------------------------------------ */

static void edit_rule(simulation *f, dunlin_rule *rule) {
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 8)) {
    case 0:
        rule->radius = bytes_number(b, 0.5f, 12);
        break;
    case 1:
        rule->weight = bytes_number(b, -2, 2);
        break;
    case 2:
        rule->response = (dunlin_response)bytes_enum(b, 3);
        break;
    case 3:
        rule->limit = bytes_number(b, 0, 3);
        break;
    case 4:
        rule->falloff = (dunlin_falloff)bytes_enum(b, 3);
        break;
    case 5:
        rule->min_radius = bytes_number(b, 0, 1) * (bytes_rarely(b, 8) ? 1 : rule->radius);
        break;
    case 6:
        rule->kin = (dunlin_kin)bytes_enum(b, 3);
        break;
    default:
        rule->half_angle = bytes_number(b, 0.1f, 3.14f);
        break;
    }
}

static void edit_interaction(simulation *f, dunlin_interaction_def *def) {
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 12)) {
    case 0:
        def->observer = any_species(f);
        break;
    case 1:
        def->observed = any_species(f);
        break;
    case 2:
        def->nearest = bytes_int(b, 1, 32);
        break;
    case 3:
        def->max_neighbours = bytes_int(b, 1, 40);
        break;
    case 4:
        def->in_turn = !def->in_turn;
        break;
    case 5:
        def->ignore_coincident = !def->ignore_coincident;
        break;
    case 6:
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) def->order[r] = (dunlin_rule_kind)bytes_choice(b, DUNLIN_RULE_COUNT);
        break;
    default:
        edit_rule(f, &def->rules[bytes_choice(b, DUNLIN_RULE_COUNT)]);
        break;
    }
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
    def.observer = any_species(f);
    def.observed = any_species(f);
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
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 11)) {
    case 0:
        source->weight = bytes_number(b, -3, 3);
        break;
    case 1:
        source->seed = bytes_word(b);
        break;
    case 2:
        simulation_fill_vector(b, source->vector, -2, 2);
        break;
    case 3:
        simulation_fill_vector(b, source->centre, 0, 100);
        break;
    case 4:
        simulation_fill_vector(b, source->axis, -1, 1);
        break;
    case 5:
        source->noise.scale = bytes_number(b, 1, 40);
        break;
    case 6:
        source->noise.octaves = bytes_int(b, 1, 4);
        break;
    case 7:
        source->noise.min_angle = bytes_number(b, -1, 1);
        if (isinf(source->noise.max_angle)) source->noise.max_angle = 1.0f; /* both are finite, or none is */
        break;
    case 8:
        source->noise.max_angle = bytes_number(b, -1, 2);
        if (isinf(source->noise.min_angle)) source->noise.min_angle = 0.0f;
        break;
    case 9:
        source->noise.rate = bytes_number(b, 0, 1);
        break;
    default:
        source->noise.time = (double)bytes_number(b, -10, 10);
        break;
    }
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
    fuzz_bytes *b = &f->bytes;
    const int species = any_species(f);
    dunlin_attribute_def def = attribute_of(f, species, bytes_enum(b, DUNLIN_ROLE_COUNT));
    switch (bytes_choice(b, 6)) {
    case 0:
        def.name = any_name(f, dunlin_world_attribute_count(f->world[0], species));
        break;
    case 1:
        def.value = bytes_number(b, 0.1f, 1);
        break;
    case 2:
        def.min_value = bytes_number(b, 0.1f, 0.5f);
        break;
    case 3:
        def.distribution = (dunlin_distribution)bytes_enum(b, 4);
        break;
    case 4:
        def.max_value = bytes_number(b, 0.5f, 1);
        break;
    default:
        break;
    }
    AGREE(f, dunlin_world_add_attribute(world, &def, NULL, &error))
}

static void edit_meal(simulation *f, dunlin_meal_def *def) {
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 6)) {
    case 0:
        def->eater = any_species(f);
        break;
    case 1:
        def->food = any_species(f);
        break;
    case 2:
        def->radius = bytes_number(b, 0.2f, 5);
        break;
    case 3:
        def->energy = bytes_int(b, -1, 2);
        break;
    case 4:
        def->gain = bytes_number(b, -2, 2);
        break;
    default:
        def->worth = bytes_int(b, -1, 2);
        break;
    }
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
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 6)) {
    case 0:
        def->field = bytes_int(b, 0, dunlin_world_field_count(f->world[0]));
        break;
    case 1:
        def->species = bytes_choice(b, 3) ? any_species(f) : DUNLIN_ALL_SPECIES;
        break;
    case 2:
        def->attribute = bytes_int(b, -1, 2);
        break;
    case 3:
        def->deposit = bytes_number(b, 0, 9);
        break;
    case 4:
        def->diffusion = bytes_number(b, 0, 1);
        break;
    default:
        def->evaporation = bytes_number(b, 0, 1);
        break;
    }
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
    const int species = any_species(f), number = bytes_int(b, 0, dunlin_world_attribute_count(f->world[0], species));
    dunlin_attribute_def def = dunlin_world_get_attribute(f->world[0], species, number);
    def.role = (dunlin_role)bytes_enum(b, DUNLIN_ROLE_COUNT);
    def.distribution = (dunlin_distribution)bytes_enum(b, 4);
    def.mutation = bytes_number(b, 0, 1);
    AGREE(f, dunlin_world_set_attribute(world, species, number, &def, &error))
}

/* ---- one of them ------------------------------------------------------------------------------------------------------- */

bool simulation_define(simulation *f) {
    if (dunlin_world_species_count(f->world[0]) == 0) add_species(f, -1);
    switch (bytes_choice(&f->bytes, 17)) {
    case 0:
        return false;
    case 1:
        add_species(f, -1);
        break;
    case 2:
    case 3:
    case 4:
        add_interaction(f);
        break;
    case 5:
        add_path(f);
        break;
    case 6:
        add_field(f);
        break;
    case 7:
        fill_field(f);
        break;
    case 8:
        add_obstacles(f);
        break;
    case 9:
        add_attribute(f);
        break;
    case 10:
        add_meal(f);
        break;
    case 11:
        add_trace(f);
        break;
    case 12:
        add_groups(f);
        break;
    default:
        if (dunlin_world_behaviour_count(f->world[0]) < MOST_BEHAVIOURS) simulation_add_behaviour(f);
    }
    return true;
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
