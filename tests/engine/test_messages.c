/* SPDX-License-Identifier: MIT */
/*
 * Messages about enumerators use their words. Every enumerator of every definition gets every value, those out of range, too,
 * beside every value of every other one, so that each is also refused for what it conflicts with; and every role is misused.
 */
#include "tests/lib/plain.h"
#include "tests/lib/worlds.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum { MAX_WORDS = 20, MAX_CHOICES = 10 };

/* ---- a world with one of everything ------------------------------------------------------------------------------------- */

static void do_nothing(void *user, const dunlin_tile *tile) {
    (void)user, (void)tile;
}

/* Species 0 has no groups, species 1 has. A meal, a trace, a callback and an adapting behaviour use attribute 0 of species 0.
 */
static dunlin_world *full_world(void) {
    const dunlin_world_def world_def = world_def_with((world_parts){.threads = 1});
    dunlin_world *world = world_of(&world_def, 5, 10);
    dunlin_species_def other = dunlin_species_def_default();
    other.name = "others";
    other.groups = 3;
    world_add_species(world, &other);
    dunlin_behaviour_def behaviour = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    world_add_behaviour(world, &behaviour);
    behaviour = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ADAPT);
    behaviour.adapt.signal = DUNLIN_SIGNAL_SPEED;
    world_add_behaviour(world, &behaviour);
    world_add_value(world, 0, "energy", DUNLIN_ROLE_VALUE, 1);
    world_add_value(world, 1, "strength", DUNLIN_ROLE_MASS, 1);
    behaviour = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    behaviour.custom = do_nothing;
    behaviour.vital = 0;
    world_add_behaviour(world, &behaviour);
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.energy = 0;
    world_add_meal(world, &meal);
    for (int f = 0; f < 2; f++) world_add_field(world, NULL);
    dunlin_trace_def trace = dunlin_trace_def_default();
    trace.species = trace.attribute = 0;
    world_add_trace(world, &trace);
    const float x[] = {10, 20}, *const axes[3] = {x, x, NULL};
    dunlin_path_def path = dunlin_path_def_default(world);
    memcpy(path.points, axes, sizeof path.points);
    path.count = 2;
    world_add_path(world, &path);
    return world;
}

/* ---- every definition with enumerators ---------------------------------------------------------------------------------- */

static int refusals;

/* Returns whether it was refused; then the message is in `refusal`. */
static bool is_refused(dunlin_result result) {
    if (result == DUNLIN_OK) return false;
    if (plain_fault(refusal.message)) fail_msg("a message has %s: %s", plain_fault(refusal.message), refusal.message);
    refusals++;
    return true;
}

/* Adds the definition, or sets the first of its kind. */
typedef dunlin_result attempt(dunlin_world *world, const void *def, bool adds);

static dunlin_result try_world(dunlin_world *world, const void *def, bool adds) {
    dunlin_world *made = NULL;
    if (!adds) return dunlin_world_set_def(world, def, &refusal);
    const dunlin_result result = dunlin_world_create(def, &made, &refusal);
    world_destroy(made);
    return result;
}

static dunlin_result try_scatter(dunlin_world *world, const void *def, bool adds) {
    return dunlin_world_scatter(world, adds, def, &refusal);
}

static dunlin_result try_interaction(dunlin_world *world, const void *def, bool adds) {
    dunlin_interaction_def own = *(const dunlin_interaction_def *)def;
    if (!adds) return dunlin_world_set_interaction(world, 0, &own, &refusal);
    own.observed = 1;
    return dunlin_world_add_interaction(world, &own, NULL, &refusal);
}

static dunlin_result try_attribute(dunlin_world *world, const void *def, bool adds) {
    return adds ? dunlin_world_add_attribute(world, def, NULL, &refusal)
                : dunlin_world_set_attribute(world, 0, 0, def, &refusal);
}

static dunlin_result try_field(dunlin_world *world, const void *def, bool adds) {
    return adds ? dunlin_world_add_field(world, def, NULL, &refusal) : dunlin_world_set_field(world, 0, def, &refusal);
}

static dunlin_result try_source(dunlin_world *world, const void *def, bool adds) {
    return dunlin_world_fill_field(world, adds, def, &refusal);
}

static dunlin_result try_obstacle(dunlin_world *world, const void *def, bool adds) {
    const dunlin_obstacle_def any = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    if (adds) return dunlin_world_add_obstacle(world, def, NULL, &refusal);
    world_add_obstacle(world, &any);
    return dunlin_world_set_obstacle(world, 0, def, &refusal);
}

static dunlin_result try_behaviour(dunlin_world *world, const void *def, bool adds) {
    return adds ? dunlin_world_add_behaviour(world, def, NULL, &refusal) : dunlin_world_set_behaviour(world, 0, def, &refusal);
}

typedef struct choice {
    const char *field; /* as messages name it; NULL after the last */
    size_t offset;
    int count;
} choice;

typedef struct definition {
    attempt *try;
    choice choices[MAX_CHOICES];
} definition;

#define CHOICE(type, subject, field, last)                                                                                     \
    { subject "." #field, offsetof(dunlin_##type, field), (last) + 1 }

enum { WORLD, SCATTER, INTERACTION, ATTRIBUTE, FIELD, SOURCE, OBSTACLE, BEHAVIOUR, DEFINITIONS };

static const definition definitions[DEFINITIONS] = {
    [WORLD] = {try_world,
               {CHOICE(world_def, "world", boundary, DUNLIN_BOUNDARY_OPEN),
                CHOICE(world_def, "world", integrator, DUNLIN_INTEGRATOR_EXPLICIT)}},
    [SCATTER] = {try_scatter, {CHOICE(scatter_def, "scatter", region, DUNLIN_REGION_BALL)}},
    [INTERACTION] = {try_interaction,
                     {{"interaction.cohesion.response", offsetof(dunlin_interaction_def, rules[2].response), 3},
                      {"interaction.separation.falloff", offsetof(dunlin_interaction_def, rules[0].falloff), 3},
                      {"interaction.alignment.kin", offsetof(dunlin_interaction_def, rules[1].kin), 3},
                      {"interaction.order[0]", offsetof(dunlin_interaction_def, order[0]), 3},
                      {"interaction.order[1]", offsetof(dunlin_interaction_def, order[1]), 3},
                      {"interaction.order[2]", offsetof(dunlin_interaction_def, order[2]), 3}}},
    [ATTRIBUTE] = {try_attribute,
                   {CHOICE(attribute_def, "attribute", role, DUNLIN_ROLE_COUNT - 1),
                    CHOICE(attribute_def, "attribute", distribution, DUNLIN_DISTRIBUTION_IN_TURN)}},
    [FIELD] = {try_field, {CHOICE(field_def, "field", lookup, DUNLIN_LOOKUP_LINEAR)}},
    [SOURCE] = {try_source, {CHOICE(field_source, "source", kind, DUNLIN_FIELD_COUNT - 1)}},
    [OBSTACLE] = {try_obstacle, {CHOICE(obstacle_def, "obstacle", shape, DUNLIN_OBSTACLE_CAPSULE)}},
    [BEHAVIOUR] = {try_behaviour,
                   {CHOICE(behaviour_def, "behaviour", kind, DUNLIN_BEHAVIOUR_COUNT - 1),
                    CHOICE(behaviour_def, "behaviour", target.kind, DUNLIN_TARGET_GROUP_LEADER),
                    CHOICE(behaviour_def, "behaviour", pursuit.prediction, DUNLIN_PREDICTION_BY_DISTANCE),
                    CHOICE(behaviour_def, "behaviour", contain.corner, DUNLIN_CORNER_LAST),
                    CHOICE(behaviour_def, "behaviour", follow.off_segment, DUNLIN_OFF_SEGMENT_NEXT),
                    CHOICE(behaviour_def, "behaviour", adapt.signal, DUNLIN_SIGNAL_FIELD),
                    CHOICE(behaviour_def, "behaviour", adapt.response, DUNLIN_ADAPT_THRESHOLD)}},
};

typedef union any_def {
    dunlin_world_def world;
    dunlin_scatter_def scatter;
    dunlin_interaction_def interaction;
    dunlin_attribute_def attribute;
    dunlin_field_def field;
    dunlin_field_source source;
    dunlin_obstacle_def obstacle;
    dunlin_behaviour_def behaviour;
} any_def;

static any_def default_of(const dunlin_world *world, int d) {
    any_def def;
    switch (d) {
    case WORLD:
        def.world = dunlin_world_def_default();
        def.world.threads = 1;
        break;
    case SCATTER:
        def.scatter = dunlin_scatter_def_default(world);
        break;
    case INTERACTION:
        def.interaction = world_flocking_rules(5);
        break;
    case ATTRIBUTE:
        def.attribute = dunlin_attribute_def_default();
        def.attribute.name = "mine";
        break;
    case FIELD:
        def.field = dunlin_field_def_default(world);
        break;
    case SOURCE:
        def.source = dunlin_field_source_default(world, DUNLIN_FIELD_CONSTANT);
        break;
    case OBSTACLE:
        def.obstacle = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
        break;
    default:
        def.behaviour = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    }
    return def;
}

static void choose(any_def *def, const choice *c, int value) {
    memcpy((char *)def + c->offset, &value, sizeof value);
}

/* In a world that other attempts have not changed. A step checks what definitions may leave open. */
static void try_both(int d, const any_def *def) {
    for (int adds = 0; adds < 2; adds++) {
        dunlin_world *world = full_world();
        if (!is_refused(definitions[d].try(world, def, adds))) is_refused(dunlin_world_step(world, &refusal));
        world_destroy(world);
    }
}

TEST(every_combination_is_refused_in_words) {
    dunlin_world *world = full_world();
    for (int d = 0; d < DEFINITIONS; d++) {
        const choice *all = definitions[d].choices;
        refusals = 0;
        for (const choice *a = all; a->field; a++) {
            for (const choice *b = all; b->field && b <= a; b++) {
                for (int i = -1; i <= a->count; i++) {
                    for (int j = a == b ? b->count : -1; j <= b->count; j++) {
                        any_def def = default_of(world, d);
                        choose(&def, b, j);
                        choose(&def, a, i);
                        try_both(d, &def);
                    }
                }
            }
        }
        assert_true(refusals > 0);
    }
}

/* ---- the words ---------------------------------------------------------------------------------------------------------- */

typedef struct word_list {
    char text[sizeof refusal.message];
    const char *words[MAX_WORDS];
    int count;
} word_list;

static void split(word_list *list, const char *text) {
    snprintf(list->text, sizeof list->text, "%s", text);
    list->count = 0;
    for (char *word = strtok(list->text, ", "); word && list->count < MAX_WORDS; word = strtok(NULL, ", "))
        list->words[list->count++] = word;
}

/* The fields of a behaviour are read by one kind each. */
static void let_it_be_read(any_def *def, int d, const char *field) {
    if (d != BEHAVIOUR) return;
    def->behaviour.radius = 5;
    if (strstr(field, "pursuit")) def->behaviour.kind = DUNLIN_BEHAVIOUR_PURSUE;
    if (strstr(field, "contain")) def->behaviour.kind = DUNLIN_BEHAVIOUR_CONTAIN;
    if (strstr(field, "follow")) def->behaviour.kind = DUNLIN_BEHAVIOUR_FOLLOW_PATH;
    if (strstr(field, "adapt")) def->behaviour.kind = DUNLIN_BEHAVIOUR_ADAPT;
}

static void list_words(word_list *list, int d, const choice *c) {
    dunlin_world *world = full_world();
    any_def def = default_of(world, d);
    char begin[100];
    let_it_be_read(&def, d, c->field);
    const int others[] = {-1, c->count, 1000};
    for (size_t i = 0; i < LENGTH(others); i++) {
        choose(&def, c, others[i]);
        const dunlin_result result = definitions[d].try(world, &def, true);
        if (!is_refused(result) || result != DUNLIN_ERROR_VALUE) fail_msg("%s may be %d", c->field, others[i]);
    }
    const int length = snprintf(begin, sizeof begin, "%s is 1000: it must be one of ", c->field);
    if (strncmp(refusal.message, begin, (size_t)length) != 0) fail_msg("'%s' is not how it begins: %s", begin, refusal.message);
    split(list, refusal.message + length);
    world_destroy(world);
}

TEST(the_message_about_another_value_lists_all_words) {
    word_list list;
    for (int d = 0; d < DEFINITIONS; d++) {
        for (const choice *c = definitions[d].choices; c->field; c++) {
            list_words(&list, d, c);
            if (list.count != c->count) fail_msg("%s has %d values, and %d words", c->field, c->count, list.count);
            for (int i = 0; i < list.count; i++)
                if (strspn(list.words[i], "abcdefghijklmnopqrstuvwxyz_-") != strlen(list.words[i]))
                    fail_msg("%s: '%s' is no word", c->field, list.words[i]);
        }
    }
}

/* ---- roles -------------------------------------------------------------------------------------------------------------- */

static dunlin_attribute_def with_role(dunlin_role role, const char *name) {
    dunlin_attribute_def def = world_attribute(1, name, role);
    return def;
}

/* Two behaviours of species 1, numbers 3 and 4, for attributes that weigh them. */
static void add_weighed(dunlin_world *world) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    def.species = 1;
    for (int i = 0; i < 2; i++) world_add_behaviour(world, &def);
}

/* A role is taken once, except value; and behaviour_weight once per behaviour. */
TEST(a_role_is_taken_once) {
    word_list roles;
    list_words(&roles, ATTRIBUTE, &definitions[ATTRIBUTE].choices[0]);
    for (int role = 0; role < DUNLIN_ROLE_COUNT; role++) {
        dunlin_world *world = full_world();
        char is[60];
        add_weighed(world);
        ACCEPT(dunlin_world_remove_attribute(world, 1, 0, &refusal));
        dunlin_attribute_def first = with_role((dunlin_role)role, "first"), second = first, third = first;
        first.behaviour = second.behaviour = 3;
        third.behaviour = 4;
        second.name = "second";
        third.name = "third";
        world_add_attribute(world, &first);
        snprintf(is, sizeof is, "attribute.role is %s: ", roles.words[role]);
        if (role == DUNLIN_ROLE_VALUE) {
            world_add_attribute(world, &second);
        } else {
            REFUSE(dunlin_world_add_attribute(world, &second, NULL, &refusal), DUNLIN_ERROR_VALUE, is,
                   "'first' has it already");
            const dunlin_attribute_def other = with_role(DUNLIN_ROLE_VALUE, "second");
            world_add_attribute(world, &other);
            REFUSE(dunlin_world_set_attribute(world, 1, 1, &second, &refusal), DUNLIN_ERROR_VALUE, is,
                   "'first' has it already");
        }
        ACCEPT(dunlin_world_set_attribute(world, 1, 0, &first, &refusal)); /* itself does not count */
        if (role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT) {
            world_add_attribute(world, &third);
            third.behaviour = 3;
            REFUSE(dunlin_world_set_attribute(world, 1, 2, &third, &refusal), DUNLIN_ERROR_VALUE, is, "for the same behaviour");
        }
        world_destroy(world);
    }
}

/* An attribute that something uses by its role changes to each other role. */
TEST(every_role_is_misused) {
    word_list roles;
    int refused = 0;
    list_words(&roles, ATTRIBUTE, &definitions[ATTRIBUTE].choices[0]);
    for (int role = 0; role < DUNLIN_ROLE_COUNT; role++) {
        for (int species = 0; species < 2; species++) {
            dunlin_world *world = full_world();
            dunlin_attribute_def def = with_role((dunlin_role)role, species ? "strength" : "energy");
            def.species = species;
            def.behaviour = 0;
            const bool is_changed = !is_refused(dunlin_world_set_attribute(world, species, 0, &def, &refusal));
            refused += !is_changed;
            if (is_changed) is_refused(dunlin_world_step(world, &refusal));
            dunlin_world_remove_meal(world, 0, NULL);
            if (!is_changed && is_refused(dunlin_world_set_attribute(world, species, 0, &def, &refusal))) refused++;
            if (is_refused(dunlin_world_step(world, &refusal))) refused++;
            world_destroy(world);
        }
    }
    assert_true(refused > DUNLIN_ROLE_COUNT);
}
