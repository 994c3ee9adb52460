/* SPDX-License-Identifier: MIT */
#include "engine/base/c_locale.h"

#include "harness/scenario/schema.h"

#include <dunlin/scenario.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/*
 * A new field is a row here. A row with AT() fills in the engine's definition by itself; the .c file of its entry does the
 * rest. `dunlin schema --page docs/scenarios.md` then renews the tables of that page.
 */
#define AT(how, type, member)      .stored = STORED_##how, .offset = offsetof(type, member)
#define NUMBER(how, type, member)  VALUE_NUMBER, AT(how, type, member)
#define WHOLE(how, type, member)   VALUE_WHOLE, AT(how, type, member)
#define SWITCH(type, member)       VALUE_SWITCH, .choices = switches, AT(BOOL, type, member)
#define CHOICE(list, type, member) VALUE_CHOICE, .choices = list, AT(INT, type, member)
#define NUMBERS(from, to)          VALUE_LIST, .of = VALUE_NUMBER, COUNT(from, to)
#define VECTOR(how, type, member)  NUMBERS(2, 3), .shape = SHAPE_VECTOR, AT(how, type, member), RANGE(-1e9, 1e9)
#define NAME                       VALUE_TEXT, COUNT(1, DUNLIN_NAME_LENGTH - 1)
#define NAMED(what, type, member)  NAME, AT(what, type, member)
#define LIST(id, most)             VALUE_LIST, .of = VALUE_ENTRY, OF(id), COUNT(0, most)
#define OF(id)                     .table = &id##_table
#define RANGE(from, to)            .min = from, .max = to
#define ABOVE(from, to)            RANGE(from, to), .above = true
#define COUNT(from, to)            .min_count = from, .max_count = to
#define LENGTH                     RANGE(0, 1e9), .unit = lengths
#define RADIUS                     RANGE(1e-9, 1e9), .unit = lengths
#define SPEED                      RANGE(0, 1e9), .unit = velocities
#define DURATION                   RANGE(0, 1e6), .unit = times
#define FACTOR                     RANGE(-1e6, 1e6)
#define ANY                        RANGE(-1e30, 1e30)
#define FINITE                     RANGE(-3.4e38, 3.4e38), .range = "−3.4·10³⁸ .. 3.4·10³⁸"
#define HALF_ANGLE                 RANGE(0, 180), .range = "0 .. 180; 0 and 180: all around", .unit = degrees
#define DEFAULT(value)             .has_default = true, .standard = value
#define OTHERWISE(words)           .otherwise = words
#define REQUIRED                   .required = true
#define ONE_OF                     .one_of = true
#define FIXED                      .fixed = "it cannot change during a run"
#define TABLE(id, title, parent)                                                                                               \
    static const table id##_table = {title, parent, id##_rows, (int)(sizeof id##_rows / sizeof *id##_rows)}

static const char lengths[] = "world units", velocities[] = "world units per time unit", times[] = "time units",
                  forces[] = "velocity per time unit", degrees[] = "degrees", steps[] = "steps", per_step[] = "1 / step";

static const choice switches[] = {{"true", true}, {"false", false}, {NULL, 0}};

/* ---- the world -------------------------------------------------------------------------------------------------------- */

static const choice dimensions[] = {{"2", 2}, {"3", 3}, {NULL, 0}};
static const choice boundaries[] = {{"periodic", DUNLIN_BOUNDARY_PERIODIC},
                                    {"teleport", DUNLIN_BOUNDARY_TELEPORT},
                                    {"reflect", DUNLIN_BOUNDARY_REFLECT},
                                    {"open", DUNLIN_BOUNDARY_OPEN},
                                    {NULL, 0}};
static const choice integrators[] = {
    {"semi-implicit", DUNLIN_INTEGRATOR_SEMI_IMPLICIT}, {"explicit", DUNLIN_INTEGRATOR_EXPLICIT}, {NULL, 0}};
static const choice force_kinds[] = {{"acceleration", false}, {"increment", true}, {NULL, 0}};

static const choice y_axes[] = {{"up", false}, {"down", true}, {NULL, 0}};

static const row world_rows[] = {
    {"dimensions", CHOICE(dimensions, dunlin_world_def, dimensions), DEFAULT(2), .doc = "A plane (2) or space (3)."},
    {"size", NUMBERS(1, 3), .shape = SHAPE_VECTOR, AT(FLOAT, dunlin_world_def, size), RADIUS, FIXED, OTHERWISE("100 each"),
     .doc = "The length of the world along each axis. Coordinates run from 0 to this length. An `open` world uses it only to "
            "place agents."},
    {"boundary", CHOICE(boundaries, dunlin_world_def, boundary), DEFAULT(DUNLIN_BOUNDARY_PERIODIC),
     .doc = "What happens at the edge of the world."},
    {"axis_boundary", VALUE_LIST, .of = VALUE_CHOICE, .choices = boundaries, .shape = SHAPE_VECTOR, COUNT(2, 3),
     AT(INT, dunlin_world_def, axis_boundary), OTHERWISE("`boundary` on each axis"),
     .doc = "One boundary per dimension, such as `[periodic, reflect]`: periodic along x, with walls along y."},
    {"margin", NUMBER(FLOAT, dunlin_world_def, margin), LENGTH, FIXED, DEFAULT(0),
     .doc = "`teleport` only: an agent leaves the world at this distance outside the edge, and re-enters at the same distance "
            "outside the opposite edge."},
    {"keep_overshoot", SWITCH(dunlin_world_def, keep_overshoot), DEFAULT(false),
     .doc = "`teleport` only: an agent re-enters as far inside as it was outside, instead of exactly on the edge. Needs "
            "`margin: 0`."},
    {"boundary_first", SWITCH(dunlin_world_def, boundary_first), DEFAULT(false),
     .doc = "`teleport` and `reflect` only: the boundary applies at the start of the next step, before agents look at each "
            "other. States between steps may then lie outside the world."},
    {"integrator", CHOICE(integrators, dunlin_world_def, integrator), DEFAULT(DUNLIN_INTEGRATOR_SEMI_IMPLICIT),
     .doc = "Positions move with the new velocity (`semi-implicit`) or with the old one (`explicit`)."},
    {"time_step", NUMBER(FLOAT, dunlin_world_def, time_step), ABOVE(0, 1e6), DEFAULT(1), .unit = times,
     .doc = "The time that passes in a step, [below](#the-time-step)."},
    {"forces", VALUE_CHOICE, .choices = force_kinds, AT(BOOL, dunlin_world_def, forces_are_increments), DEFAULT(false),
     .doc = "A force changes the velocity by force × time step (`acceleration`), or by the force itself (`increment`)."},
    {"y_axis", VALUE_CHOICE, .choices = y_axes, DEFAULT(false),
     .doc = "In a plane: whether pictures, films and the page show larger y further `up` or, as most sketches do, further "
            "`down`. No state depends on it."},
};
TABLE(world, "world", NULL);

/* ---- species ---------------------------------------------------------------------------------------------------------- */

static const choice regions[] = {{"box", DUNLIN_REGION_BOX}, {"ball", DUNLIN_REGION_BALL}, {NULL, 0}};

static const row place_rows[] = {
    {"region", CHOICE(regions, dunlin_scatter_def, region), DEFAULT(DUNLIN_REGION_BOX),
     .doc = "`box`: centre ± extent on each axis. `ball`: a disc or ball around the centre."},
    {"centre", VECTOR(FLOAT, dunlin_scatter_def, centre), OTHERWISE("the middle of the world"), .unit = lengths,
     .doc = "One number per dimension."},
    {"extent", NUMBERS(1, 3), LENGTH, .range = "0 .. 10⁹, and within the world unless it is `open`",
     OTHERWISE("half the world's size; for a `ball` half its shortest side"),
     .doc = "For a `box`, half its size along each axis; for a `ball`, its radius, in a list of one number. Zeros put all "
            "agents at one point."},
    {"velocity", VECTOR(FLOAT, dunlin_scatter_def, velocity), OTHERWISE("0 each"), .unit = velocities,
     .doc = "One number per dimension: the velocity that all agents start with."},
    {"min_speed", NUMBER(FLOAT, dunlin_scatter_def, min_speed), SPEED, .range = "0 .. `max_speed`",
     OTHERWISE("the species' `min_speed`; 0 with a `velocity`"),
     .doc = "Each agent also gets a random velocity: in any direction, at a speed drawn evenly between `min_speed` and "
            "`max_speed`."},
    {"max_speed", NUMBER(FLOAT, dunlin_scatter_def, max_speed), SPEED,
     OTHERWISE("the species' `max_speed`; 0 with a `velocity`"), .doc = "The maximum speed of the random velocity."},
    {"group_radius", NUMBER(FLOAT, dunlin_scatter_def, group_radius), LENGTH, DEFAULT(0),
     .doc = "Above 0, in a species with groups: agents of a group start together, in a disc or ball of this radius, and move "
            "alike; the other fields are then about the groups' places and velocities."},
};
static const table place_table = {"place", NULL, place_rows, (int)(sizeof place_rows / sizeof *place_rows)};

static const row start_rows[] = {
    {"share", VALUE_NUMBER, RANGE(0, 3.4e38), .range = "≥ 0, and above 0 in total", DEFAULT(1),
     .doc = "The weight of this entry: agents are divided among the entries in proportion. Counts work as well as fractions."},
};
TABLE(start, "start", &place_table);

static const row growth_rows[] = {
    {"per_step", NUMBER(DOUBLE, growth, per_step), RANGE(0, 1e6), REQUIRED, .unit = "agents per step",
     .doc = "How many agents are born before each step; 0.25 means one before every fourth step."},
    {"max_agents", WHOLE(UINT32, growth, max_agents), RANGE(0, UINT32_MAX), OTHERWISE("no limit"),
     .doc = "Births stop while the species has this many agents."},
    {"begin", WHOLE(UINT64, growth, begin), DEFAULT(0), .unit = steps,
     .doc = "The first step with births. The first step of all is step 0."},
    {"end", WHOLE(UINT64, growth, end), .range = "after `begin`", OTHERWISE("never"), .unit = steps,
     .doc = "From this step on there are no births."},
    {"start", VALUE_ENTRY, OF(place), OTHERWISE("the species' first `start`"),
     .doc = "Where and how fast agents are born: the fields of [`start`](#start) except `share`."},
};
TABLE(growth, "growth", NULL);

const choice dun_role_names[] = {{"value", DUNLIN_ROLE_VALUE},
                                 {"max_speed", DUNLIN_ROLE_MAX_SPEED},
                                 {"max_force", DUNLIN_ROLE_MAX_FORCE},
                                 {"mass", DUNLIN_ROLE_MASS},
                                 {"radius_scale", DUNLIN_ROLE_RADIUS_SCALE},
                                 {"separation_radius_scale", DUNLIN_ROLE_SEPARATION_RADIUS_SCALE},
                                 {"alignment_radius_scale", DUNLIN_ROLE_ALIGNMENT_RADIUS_SCALE},
                                 {"cohesion_radius_scale", DUNLIN_ROLE_COHESION_RADIUS_SCALE},
                                 {"separation_weight", DUNLIN_ROLE_SEPARATION_WEIGHT},
                                 {"alignment_weight", DUNLIN_ROLE_ALIGNMENT_WEIGHT},
                                 {"cohesion_weight", DUNLIN_ROLE_COHESION_WEIGHT},
                                 {"behaviour_weight", DUNLIN_ROLE_BEHAVIOUR_WEIGHT},
                                 {"group", DUNLIN_ROLE_GROUP},
                                 {"leadership", DUNLIN_ROLE_LEADERSHIP},
                                 {"body", DUNLIN_ROLE_BODY},
                                 {"since_meal", DUNLIN_ROLE_SINCE_MEAL},
                                 {NULL, 0}};

static const row normal_rows[] = {
    {"mean", NUMBER(FLOAT, dunlin_attribute_def, value), ANY, REQUIRED, .range = "the role's", .doc = "The mean."},
    {"deviation", NUMBER(FLOAT, dunlin_attribute_def, deviation), RANGE(0, 1e30), REQUIRED, .doc = "The standard deviation."},
    {"min", NUMBER(FLOAT, dunlin_attribute_def, min_value), ANY, REQUIRED, .range = "the role's",
     .doc = "The minimum: a smaller number is raised to it."},
    {"max", NUMBER(FLOAT, dunlin_attribute_def, max_value), ANY, REQUIRED, .range = "the role's, ≥ `min`",
     .doc = "The maximum: a larger number is lowered to it."},
};
TABLE(normal, "normal", NULL);

static const row attribute_rows[] = {
    {"role", CHOICE(dun_role_names, dunlin_attribute_def, role), DEFAULT(DUNLIN_ROLE_VALUE), .range = "see below",
     .doc = "What the number does."},
    {"name", NAMED(TEXT, dunlin_attribute_def, name), OTHERWISE("the role's; with `role: value` **required**"),
     .range = "1 .. 63 bytes, no comma, quote or control character, and not the name of another column of state files: `id`, "
              "`x`, `step`, …",
     .doc = "Unique in the species. State files have a column of this name, and `--colour` takes it."},
    {"behaviour", VALUE_WHOLE, RANGE(0, INT32_MAX), OTHERWISE("**required** for `behaviour_weight`"),
     .doc = "`behaviour_weight` only: the entry of `behaviours` with the weight that it multiplies, counted from 0. The "
            "behaviour must "
            "be one of this species."},
    {"max_scale", NUMBER(FLOAT, dunlin_attribute_def, max_scale), RANGE(1, 1000), DEFAULT(1),
     .doc = "`radius_scale`, also of one rule: the maximum of the numbers. The engine searches so many times as far, for every "
            "agent."},
    {"mutation", NUMBER(FLOAT, dunlin_attribute_def, mutation), RANGE(0, 1e30), DEFAULT(0),
     .doc =
         "How far a child's number is from its parent's: the standard deviation of a normal distribution, cut off at the ends "
         "of `even`, `normal` or `in_turn`, or of the role's range. For children that are born by division."},
    {"value", NUMBER(FLOAT, dunlin_attribute_def, value), ANY, ONE_OF, .range = "the role's",
     .doc = "The same number for all agents."},
    {"even", NUMBERS(2, 2), AT(FLOAT, dunlin_attribute_def, min_value), ANY, ONE_OF, .range = "the role's",
     .doc = "`[min, max]`: a number drawn evenly between these two."},
    {"normal", VALUE_ENTRY, OF(normal), AT(INSIDE, dunlin_attribute_def, cookie), ONE_OF,
     .doc = "A number drawn from a normal distribution."},
    {"in_turn", NUMBERS(2, 2), AT(FLOAT, dunlin_attribute_def, min_value), ANY, ONE_OF, .range = "the role's",
     .doc = "`[min, max]`: agents take these two and the whole numbers between them in turn, by their ids, so that each number "
            "has as many agents."},
};
TABLE(attribute, "attributes", NULL);

static const row regroup_rows[] = {
    {"every", WHOLE(INT, dunlin_regroup, every), RANGE(1, 1e9), REQUIRED, .unit = steps,
     .doc = "Groups become the flocks that are there before every so many steps. The largest part of a group that splits keeps "
            "its number, and the largest of groups that merge gives its number to all."},
    {"radius", NUMBER(FLOAT, dunlin_regroup, radius), RADIUS, DEFAULT(1),
     .doc = "Agents that are at most this far apart belong to one flock, and so do those that such agents connect."},
    {"min_agents", WHOLE(INT, dunlin_regroup, min_agents), RANGE(1, 1e9), DEFAULT(1),
     .doc = "Agents of smaller flocks stay in their groups."},
};
TABLE(regroup, "regroup", NULL);

const choice dun_shape_names[] = {{"dart", DUNLIN_SHAPE_DART},
                                  {"triangle", DUNLIN_SHAPE_TRIANGLE},
                                  {"butterfly", DUNLIN_SHAPE_BUTTERFLY},
                                  {"fish", DUNLIN_SHAPE_FISH},
                                  {"tadpole", DUNLIN_SHAPE_TADPOLE},
                                  {"circle", DUNLIN_SHAPE_CIRCLE},
                                  {"dot", DUNLIN_SHAPE_DOT},
                                  {NULL, 0}};

const choice dun_colour_names[] = {
    {"heading", DUNLIN_COLOUR_HEADING}, {"species", DUNLIN_COLOUR_SPECIES}, {"speed", DUNLIN_COLOUR_SPEED}, {NULL, 0}};

static const row look_rows[] = {
    {"shape", VALUE_CHOICE, .choices = dun_shape_names, OTHERWISE("`dot` where `max_speed` is 0, else `dart`"),
     .doc = "What an agent looks like. A `circle` is as wide as the others are long, and a `dot` half as wide."},
    {"size", VALUE_NUMBER, ABOVE(0, 1e9), .unit = lengths, FIXED,
     OTHERWISE("about the distance between agents; larger for bodies, and for a species with a thirtieth of the agents of "
               "another, or fewer"),
     .doc =
         "The length of an agent; with `size_by`, of one with the number 1. Agents stay visible: none is drawn shorter than 2 "
         "pixels."},
    {"size_by", NAME, .range = "an attribute",
     OTHERWISE("an attribute called `size`, or one with `role: mass`, if there is one"),
     .doc = "The attribute to which the length is proportional. Without `size`, the middle of the attribute's numbers gets the "
            "automatic length, and others a quarter to four times as much."},
    {"colour", NAME, .range = "`heading`, `species`, `speed` or an attribute",
     OTHERWISE(
         "`heading` for the only species that aligns with its own kind, follows a `flow` or path, or the models of Vicsek, "
         "Couzin or `matching`; else `species`"),
     .doc = "What colours mean. `--colour` overrides it."},
    {"outline", VALUE_SWITCH, .choices = switches,
     OTHERWISE("`true` for bodies, and for a species with a thirtieth of the agents of another, or fewer"),
     .doc = "A dark line around each agent."},
};
TABLE(look, "look", NULL);

static const row species_rows[] = {
    {"name", NAMED(TEXT, dunlin_species_def, name), OTHERWISE("`agents`"),
     .range = "1 .. 63 bytes, no comma, quote or control character",
     .doc = "Unique in the file. Interactions and state files use it."},
    {"min_speed", NUMBER(FLOAT, dunlin_species_def, min_speed), SPEED, .range = "0 .. `max_speed`", DEFAULT(0),
     .doc = "Slower agents are sped up. An agent at rest has no direction and stays at rest."},
    {"max_speed", NUMBER(FLOAT, dunlin_species_def, max_speed), SPEED, DEFAULT(1),
     .doc = "Faster agents are slowed down, and `steer` aims at this speed. At 0 agents stay where they are."},
    {"max_force", NUMBER(FLOAT, dunlin_species_def, max_force), RANGE(0, 1e9), DEFAULT((double)0.1f), .unit = forces,
     .doc = "The limit of each `steer` response."},
    {"drag", NUMBER(FLOAT, dunlin_species_def, drag), RANGE(0, 1), DEFAULT(0), .unit = per_step,
     .doc = "The fraction of the velocity that is lost in every step, after the speed limits."},
    {"friction", NUMBER(FLOAT, dunlin_species_def, friction), RANGE(0, 1e9), DEFAULT(0), .unit = forces,
     .doc =
         "Dry friction: the speed that is lost in every time unit, whatever the speed, after `drag`. An agent stops, and never "
         "turns back."},
    {"obstacles_block", SWITCH(dunlin_species_def, obstacles_block), DEFAULT(false),
     .doc = "Agents cannot pass through obstacles; they slide along them."},
    {"clearance", NUMBER(FLOAT, dunlin_species_def, clearance), LENGTH, DEFAULT(0),
     .doc = "How close agents get to an obstacle that blocks them."},
    {"groups", WHOLE(INT, dunlin_species_def, groups), RANGE(0, DUNLIN_MAX_GROUPS), DEFAULT(0),
     .doc = "How many groups its agents may belong to. An attribute with `role: group` says to which one each agent belongs."},
    {"body_of", NAMED(SPECIES, dunlin_species_def, body_of), .range = "a species that comes before", OTHERWISE("none"),
     .doc =
         "The agents of this species are bodies: each stands for a group of that species, and is at its centre. There is one "
         "for each group that has agents, so `agents` must be 0. It needs an attribute with `role: body`. The `body` "
         "behaviour passes the force that a body feels to its group."},
    {"regroup", VALUE_ENTRY, OF(regroup), AT(INSIDE, dunlin_species_def, regroup), OTHERWISE("groups stay as they are"),
     .doc = "How groups split and merge, [below](#regroup)."},
    {"agents", VALUE_WHOLE, RANGE(0, UINT32_MAX), .range = "0 .. 4294966783, 4294967295 in total", FIXED, DEFAULT(1000),
     .doc = "The number of agents. `--agents N` divides N among the species in proportion to these numbers. With `--init`, the "
            "agents of the state file replace them."},
    {"start", LIST(start, 1024), FIXED, OTHERWISE("the whole world"),
     .doc = "A list of places where agents start, [below](#start)."},
    {"growth", LIST(growth, 1024), FIXED, OTHERWISE("none"),
     .doc = "A list of sources of agents that are born during a run, [below](#growth)."},
    {"attributes", LIST(attribute, DUNLIN_MAX_ATTRIBUTES), OTHERWISE("none"),
     .fixed = "an agent gets its numbers at birth, and they cannot change during a run",
     .doc = "A list of numbers that each agent has of its own, [below](#attributes)."},
    {"look", VALUE_ENTRY, OF(look), OTHERWISE("all automatic"), .doc = "How its agents are drawn, [below](#look)."},
};
TABLE(species, "species", NULL);

/* ---- interactions ----------------------------------------------------------------------------------------------------- */

static const choice responses[] = {
    {"steer", DUNLIN_RESPONSE_STEER}, {"direct", DUNLIN_RESPONSE_DIRECT}, {"unit", DUNLIN_RESPONSE_UNIT}, {NULL, 0}};
static const choice falloffs[] = {
    {"inverse", DUNLIN_FALLOFF_INVERSE}, {"linear", DUNLIN_FALLOFF_LINEAR}, {"constant", DUNLIN_FALLOFF_CONSTANT}, {NULL, 0}};
static const choice kinds_of_kin[] = {
    {"all", DUNLIN_KIN_ALL}, {"same_group", DUNLIN_KIN_SAME_GROUP}, {"other_groups", DUNLIN_KIN_OTHER_GROUPS}, {NULL, 0}};
static const choice rule_kinds[] = {{"separation", DUNLIN_RULE_SEPARATION},
                                    {"alignment", DUNLIN_RULE_ALIGNMENT},
                                    {"cohesion", DUNLIN_RULE_COHESION},
                                    {NULL, 0}};

/* A rule without a radius would be off, which is never meant. */
static const row rule_rows[] = {
    {"radius", NUMBER(FLOAT, dunlin_rule, radius), LENGTH, .range = "0, or 10⁻⁹ .. 10⁹", REQUIRED,
     .doc = "The maximum distance of a neighbour that the rule counts. 0 turns the rule off."},
    {"weight", NUMBER(FLOAT, dunlin_rule, weight), FACTOR, DEFAULT(1),
     .doc = "The response is multiplied by it. A negative weight reverses the rule."},
    {"response", CHOICE(responses, dunlin_rule, response), DEFAULT(DUNLIN_RESPONSE_STEER),
     .doc = "`steer`, Reynolds' response: the sum or mean at length `max_speed`, minus the velocity, limited to `max_force`. "
            "`direct`: the sum or mean itself (for alignment minus the agent's velocity). `unit`: the same at length 1."},
    {"limit", NUMBER(FLOAT, dunlin_rule, limit), RANGE(0, 3.4e38), .range = "≥ 0", OTHERWISE("none"), .unit = forces,
     .doc = "With `response: direct` only: the maximum length of the response before the weight."},
    {"min_radius", NUMBER(FLOAT, dunlin_rule, min_radius), LENGTH, .range = "0 .. `radius`", DEFAULT(0),
     .doc = "Neighbours at a smaller distance do not count."},
    {"half_angle", NUMBER(RADIANS, dunlin_rule, half_angle), HALF_ANGLE, OTHERWISE("the interaction's"),
     .doc = "Half of the field of view: the maximum angle between an agent's velocity and the direction to a neighbour that "
            "counts. An agent at rest sees all around."},
    {"kin", CHOICE(kinds_of_kin, dunlin_rule, kin), DEFAULT(DUNLIN_KIN_ALL),
     .doc = "Which neighbours count: `all`, those of the agent's own group (`same_group`), or all but those (`other_groups`). "
            "Both species need an attribute with `role: group`."},
};
TABLE(rule, "rules", NULL);

static const row separation_rows[] = {
    {"falloff", CHOICE(falloffs, dunlin_rule, falloff), DEFAULT(DUNLIN_FALLOFF_INVERSE),
     .doc = "`separation` only: how the push falls with the distance *d*: `inverse` 1/*d*, `linear` 1 − *d*/radius, `constant` "
            "1."},
};
TABLE(separation, "separation", &rule_table);

static const row interaction_rows[] = {
    {"observer", NAME, OTHERWISE("the only species; **required** where there are several"), .range = "a species",
     .doc = "The species that sees and reacts."},
    {"observed", NAMED(SPECIES, dunlin_interaction_def, observed), OTHERWISE("the observer itself"), .range = "a species",
     .doc = "The species that is seen."},
    {"ignore_coincident", SWITCH(dunlin_interaction_def, ignore_coincident), DEFAULT(false),
     .doc = "A neighbour at exactly the same place is not seen at all. Otherwise it counts for alignment and cohesion only."},
    {"in_turn", SWITCH(dunlin_interaction_def, in_turn), DEFAULT(false),
     .doc = "Each response starts from the velocity that the responses before it have changed. Otherwise all start from the "
            "same velocity."},
    {"half_angle", VALUE_NUMBER, HALF_ANGLE, DEFAULT(0),
     .doc = "Half of the field of view of every rule that does not give its own."},
    {"nearest", WHOLE(INT, dunlin_interaction_def, nearest), RANGE(0, 32), .range = "1 .. 32; 0: all", DEFAULT(0),
     .doc = "An agent sees at most this many neighbours: the nearest. Of neighbours at the same distance, those with the "
            "smallest ids come first."},
    {"max_neighbours", WHOLE(INT, dunlin_interaction_def, max_neighbours), RANGE(0, INT32_MAX), .range = "≥ 1; 0: all",
     DEFAULT(0), .doc = "An agent sees at most this many neighbours: the first in storage order."},
    {"sight_blocked", SWITCH(dunlin_interaction_def, sight_blocked), DEFAULT(false),
     .doc = "An agent does not see a neighbour behind an obstacle, [below](#obstacles)."},
    {"order", VALUE_LIST, .of = VALUE_CHOICE, .choices = rule_kinds, COUNT(DUNLIN_RULE_COUNT, DUNLIN_RULE_COUNT),
     AT(INT, dunlin_interaction_def, order), .range = "the three rules, each once",
     OTHERWISE("`[separation, alignment, cohesion]`"),
     .doc = "The order in which the responses are added. It matters with `in_turn`, and for the last bits of the sum."},
    {"separation", VALUE_ENTRY, OF(separation), AT(INSIDE, dunlin_interaction_def, rules[DUNLIN_RULE_SEPARATION]),
     OTHERWISE("off"), .doc = "A rule: away from close neighbours."},
    {"alignment", VALUE_ENTRY, OF(rule), AT(INSIDE, dunlin_interaction_def, rules[DUNLIN_RULE_ALIGNMENT]), OTHERWISE("off"),
     .doc = "A rule: match the neighbours' velocity."},
    {"cohesion", VALUE_ENTRY, OF(rule), AT(INSIDE, dunlin_interaction_def, rules[DUNLIN_RULE_COHESION]), OTHERWISE("off"),
     .doc = "A rule: towards the middle of the neighbours."},
};
TABLE(interaction, "interactions", NULL);

/* ---- fields and paths ------------------------------------------------------------------------------------------------- */

static const choice lookups[] = {{"nearest", DUNLIN_LOOKUP_NEAREST}, {"linear", DUNLIN_LOOKUP_LINEAR}, {NULL, 0}};

#define CENTRE                                                                                                                 \
    "centre", VECTOR(FLOAT, dunlin_field_source, centre), OTHERWISE("the middle of the world"), .unit = lengths,               \
                                                                                                .doc = "The centre."

static const row noise_rows[] = {
    {"scale", NUMBER(FLOAT, dunlin_field_noise, scale), RADIUS, DEFAULT(10), .doc = "The size of the pattern."},
    {"octaves", WHOLE(INT, dunlin_field_noise, octaves), RANGE(1, 8), DEFAULT(1),
     .doc = "How many patterns are added, each twice as fine and half as strong as the one before."},
    {"angle_range", NUMBERS(2, 2), AT(TURNS, dunlin_field_noise, min_angle), RANGE(-360e3, 360e3), OTHERWISE("no range"),
     .unit = degrees,
     .doc = "In a plane: the directions that the minimum and the maximum of the noise stand for. The noise is mostly near 0, "
            "so directions in the middle of the range are the most frequent: with `[0, 360]` that is −x. Without a range, a "
            "direction and its opposite are equally frequent."},
    {"rate", NUMBER(FLOAT, dunlin_field_noise, rate), RANGE(0, 1e6), DEFAULT(0), .unit = "1 / time unit",
     .doc = "How fast the pattern changes with time: at 1 there is a new pattern every time unit, at 0 it does not change."},
    {"time", NUMBER(WIDENED, dunlin_field_noise, time), RANGE(-1e9, 1e9), DEFAULT(0),
     .doc = "Where on the noise's own time axis the run begins."},
};
TABLE(noise, "noise", NULL);

static const row constant_rows[] = {
    {"vector", VECTOR(FLOAT, dunlin_field_source, vector), REQUIRED, .doc = "The vector of every cell."}};
TABLE(constant, "constant", NULL);
static const table random_table = {"random", NULL, NULL, 0};
static const row swirl_rows[] = {
    {CENTRE},
    {"axis", NUMBERS(3, 3), AT(FLOAT, dunlin_field_source, axis), RANGE(-1e9, 1e9), OTHERWISE("`[0, 0, 1]`"),
     .doc = "In space only: the axis that the vectors turn around."},
};
TABLE(swirl, "swirl", NULL);
static const row towards_rows[] = {{CENTRE}};
TABLE(towards, "towards", NULL);
static const row file_rows[] = {{"file", VALUE_TEXT, COUNT(1, 4000), REQUIRED, .doc = "The file's name."}};
TABLE(file, "file", NULL);

static const row trace_rows[] = {
    {"species", NAMED(SPECIES, dunlin_trace_def, species), .range = "a species", OTHERWISE("all species"),
     .doc = "The species that leaves it."},
    {"deposit", NUMBER(FLOAT, dunlin_trace_def, deposit), RANGE(0, 1e6), DEFAULT(1), .unit = per_step,
     .doc = "What each agent adds in every step to the cell in which it is."},
    {"attribute", NAME, .range = "an attribute", OTHERWISE("none"),
     .doc = "The species' attribute that multiplies `deposit`. It counts from 0 to 1024."},
    {"diffusion", NUMBER(FLOAT, dunlin_trace_def, diffusion), RANGE(0, 1), DEFAULT(0), .unit = per_step,
     .doc = "The share of each cell that spreads to its neighbours in every step."},
    {"evaporation", NUMBER(FLOAT, dunlin_trace_def, evaporation), RANGE(0, 1), DEFAULT(0), .unit = per_step,
     .doc = "The share of each cell that vanishes in every step, with what has come in that step: 1 leaves nothing."},
};
TABLE(trace, "trace", NULL);

#define SOURCE(kind, of_table) VALUE_ENTRY, OF(of_table), ONE_OF, .tag = kind, AT(INSIDE, field_defs, source)

static const row field_rows[] = {
    {"name", NAME, OTHERWISE("none: it must be the only field"), .doc = "What behaviours call it."},
    {"cells", VALUE_LIST, .of = VALUE_WHOLE, .shape = SHAPE_VECTOR, COUNT(2, 3), AT(INT, field_defs, grid.cells),
     RANGE(1, 65536), .range = "1 .. 65536, 2²⁸ in total", FIXED, OTHERWISE("32 each"), .doc = "One number per dimension."},
    {"min", VECTOR(FLOAT, field_defs, grid.min), FIXED, OTHERWISE("0 each"), .unit = lengths,
     .doc = "The lower corner of the box that the grid covers."},
    {"max", VECTOR(FLOAT, field_defs, grid.max), FIXED, OTHERWISE("the world's size"), .unit = lengths,
     .doc = "Its upper corner. Beyond the box the outermost cells continue. A grid that covers a `periodic` world exactly "
            "wraps around."},
    {"lookup", CHOICE(lookups, field_defs, grid.lookup), DEFAULT(DUNLIN_LOOKUP_NEAREST),
     .doc = "The vector of the cell that the agent is in (`nearest`), or linear between the cells' centres (`linear`)."},
    {"weight", NUMBER(FLOAT, field_defs, source.weight), FACTOR, DEFAULT(1), .doc = "Every vector is multiplied by it."},
    {"seed", WHOLE(UINT64, field_defs, source.seed), FIXED, OTHERWISE("the scenario's"),
     .doc = "The seed of `random` and `noise`."},
    {"constant", SOURCE(DUNLIN_FIELD_CONSTANT, constant), .doc = "The same vector everywhere."},
    {"random", SOURCE(DUNLIN_FIELD_RANDOM, random), .doc = "`{}`: a random direction in each cell."},
    {"noise", VALUE_ENTRY, OF(noise), ONE_OF, .tag = DUNLIN_FIELD_NOISE, AT(INSIDE, field_defs, source.noise),
     .doc = "Perlin noise: directions that change smoothly from place to place."},
    {"swirl", SOURCE(DUNLIN_FIELD_SWIRL, swirl), .doc = "Around a centre, counter-clockwise."},
    {"towards", SOURCE(DUNLIN_FIELD_CENTRE, towards), .doc = "Towards a centre. A negative `weight` reverses it."},
    {"image", SOURCE(DUNLIN_FIELD_GRADIENT, file),
     .doc = "Up the brightness of a PNG picture that covers the grid: up to 32767 pixels on a side, 2²⁶ in total."},
    {"csv", SOURCE(DUNLIN_FIELD_VECTORS, file),
     .doc = "The rows of a CSV file with the header `vx,vy[,vz]`, one row per cell, x fastest. Numbers are decimal, without "
            "spaces. A line has up to 256 bytes."},
    {"trace", VALUE_ENTRY, OF(trace), ONE_OF, .tag = DUNLIN_FIELD_COUNT, AT(INSIDE, field_defs, trace),
     .doc = "What agents leave, such as a scent: a number in each cell. The vectors are its gradient."},
};
TABLE(field, "fields", NULL);

static const row path_rows[] = {
    {"name", NAME, OTHERWISE("none: it must be the only path"), .doc = "What behaviours call it."},
    {"points", NUMBERS(4, 100000), .shape = SHAPE_PLACES, RANGE(-1e9, 1e9), ONE_OF, .range = "−10⁹ .. 10⁹, 100 000 numbers",
     .unit = lengths,
     .doc = "The path's points, as pairs `[[x, y], [x, y]]` (in space as triples), or as one list of numbers."},
    {"agents", VALUE_LIST, .of = VALUE_WHOLE, RANGE(0, UINT32_MAX), COUNT(2, 100000), ONE_OF, .range = "2 .. 100 000 ids",
     .doc = "Ids of agents: the path goes from agent to agent, wherever they are."},
    {"closed", SWITCH(dunlin_path_def, closed), DEFAULT(false), .doc = "The path returns from the last point to the first."},
};
TABLE(path, "paths", NULL);

static const row obstacle_rows[] = {
    {"ball", VECTOR(FLOAT, dunlin_obstacle_def, a), ONE_OF, .tag = DUNLIN_OBSTACLE_BALL, .unit = lengths,
     .doc = "`[x, y]`: a disc, or in space a ball, around this centre. It needs a `radius`."},
    {"box", NUMBERS(4, 6), .shape = SHAPE_TWO_PLACES, RANGE(-1e9, 1e9), ONE_OF, .tag = DUNLIN_OBSTACLE_BOX, .unit = lengths,
     .doc = "`[[x, y], [x, y]]`: everything between two opposite corners, the minimum one first. It has no `radius`."},
    {"capsule", NUMBERS(4, 6), .shape = SHAPE_TWO_PLACES, RANGE(-1e9, 1e9), ONE_OF, .tag = DUNLIN_OBSTACLE_CAPSULE,
     .unit = lengths, .doc = "`[[x, y], [x, y]]`: everything within the `radius` of a line. With radius 0 it is a thin wall."},
    {"radius", NUMBER(FLOAT, dunlin_obstacle_def, radius), LENGTH, OTHERWISE("0; of a ball **required**"),
     .doc = "The radius of a ball or capsule."},
};
TABLE(obstacle, "obstacles", NULL);

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

static const choice predictions[] = {
    {"fixed", DUNLIN_PREDICTION_FIXED}, {"by-distance", DUNLIN_PREDICTION_BY_DISTANCE}, {NULL, 0}};
static const choice corners[] = {{"all", DUNLIN_CORNER_ALL}, {"last", DUNLIN_CORNER_LAST}, {NULL, 0}};
static const choice off_segments[] = {
    {"clamp", DUNLIN_OFF_SEGMENT_CLAMP}, {"end", DUNLIN_OFF_SEGMENT_END}, {"next", DUNLIN_OFF_SEGMENT_NEXT}, {NULL, 0}};

static const row action_rows[] = {
    {"weight", NUMBER(FLOAT, dunlin_behaviour_def, weight), FACTOR, DEFAULT(1), .doc = "The force is multiplied by it."},
    {"max_force", NUMBER(FLOAT, dunlin_behaviour_def, max_force), RANGE(-3.4e38, 1e9), .range = "≤ 10⁹",
     OTHERWISE("the species'"), .unit = forces,
     .doc = "The maximum length of the force before the weight. A negative number stands for the species' `max_force`. "
            "`force`, `drag`, `wind`, `body` and `attract` have no limit unless one is given."},
};
TABLE(action, "behaviours-common", NULL);

#define GROUP(what)                                                                                                            \
    NAMED(SPECIES, dunlin_behaviour_def, target.species), ONE_OF, .tag = DUNLIN_TARGET_GROUP_##what,                           \
                                                                  .range = "a species with groups"

static const row target_rows[] = {
    {"target", VECTOR(FLOAT, dunlin_behaviour_def, target.position), ONE_OF, .unit = lengths,
     .doc = "A place, one number per dimension."},
    {"agent", WHOLE(UINT32, dunlin_behaviour_def, target.agent), RANGE(0, UINT32_MAX), ONE_OF, .tag = DUNLIN_TARGET_AGENT,
     .doc = "The id of an agent of any species. While there is no such agent, the behaviour does nothing. The first species "
            "has the first ids, from 0; the second species has the next ones."},
    {"nearest", NAMED(SPECIES, dunlin_behaviour_def, target.species), ONE_OF, .tag = DUNLIN_TARGET_NEAREST,
     .range = "a species",
     .doc = "Each agent's target is the nearest other agent of this species within the `radius`. Of several at the same "
            "distance, it is the one with the smallest id."},
    {"centre", NAMED(SPECIES, dunlin_behaviour_def, target.species), ONE_OF, .tag = DUNLIN_TARGET_CENTRE, .range = "a species",
     .doc = "Each agent's target is the mean position and velocity of all agents of this species within the `radius`."},
    {"group_centre", GROUP(CENTRE), .doc = "Each agent's target is the centre of its group in this species."},
    {"group_velocity", GROUP(VELOCITY),
     .doc =
         "Each agent's target is ahead of it, where the mean velocity of that group leads: to seek it is to move as the group "
         "moves."},
    {"group_leader", GROUP(LEADER), .doc = "Each agent's target is the leader of that group."},
    {"velocity", VECTOR(FLOAT, dunlin_behaviour_def, target.velocity), OTHERWISE("0 each"), .unit = velocities,
     .fixed = "it cannot change during a run; allowed: a schedule for target, which says where it is",
     .doc = "With `target` only: the velocity of the place. It moves in a straight line, and in a `periodic` world it wraps "
            "around."},
    {"radius", NUMBER(FLOAT, dunlin_behaviour_def, radius), RANGE(0, 3.4e38),
     .range = "≥ 0; with `nearest` and `centre` 10⁻⁹ .. 10⁹", OTHERWISE("no limit; **required** with `nearest` and `centre`"),
     .unit = lengths,
     .doc = "The maximum distance to the target at which an agent responds. With `nearest` and `centre`, it is how far an "
            "agent looks."},
    {"sight_blocked", SWITCH(dunlin_behaviour_def, sight_blocked), DEFAULT(false),
     .doc = "An agent does not see a target behind an obstacle, and `nearest` is the nearest that it sees. Not for groups."},
    {"negate_force", SWITCH(dunlin_behaviour_def, negate_force), DEFAULT(false),
     .doc = "Reverses the finished force, so `flee` and `evade` move towards the target. Some sketches evade with a reversed "
            "`pursue`."},
};
TABLE(target, "behaviours-target", &action_table);

static const row arrive_rows[] = {{"slowing_radius", NUMBER(FLOAT, dunlin_behaviour_def, slowing_radius), ABOVE(0, 1e9),
                                   DEFAULT(10), .unit = lengths,
                                   .doc = "Within this distance the agent slows down in proportion to the distance."}};
TABLE(arrive, "arrive", &target_table);

static const row pursue_rows[] = {
    {"prediction", CHOICE(predictions, dunlin_behaviour_def, pursuit.prediction), DEFAULT(DUNLIN_PREDICTION_FIXED),
     .doc = "How far ahead the target is predicted. `fixed`: by `prediction_time`. `by-distance`: by the time that the agent "
            "needs to the target's present place, at most `prediction_time`."},
    {"prediction_time", NUMBER(FLOAT, dunlin_behaviour_def, pursuit.time), DURATION, DEFAULT(10),
     .doc = "The time, or the maximum time, of the prediction."},
    {"prediction_distance", NUMBER(FLOAT, dunlin_behaviour_def, pursuit.distance), LENGTH, DEFAULT(0),
     .doc = "How far beyond that place, in the direction in which the target moves, the agent aims."},
};
TABLE(pursue, "pursue", &target_table);

static const row attract_rows[] = {
    {"strength", NUMBER(FLOAT, dunlin_behaviour_def, attract.strength), RANGE(-1e9, 1e9), DEFAULT(20),
     .unit = "velocity per time unit × world units^`power`",
     .doc = "The force is `strength` / distance^`power`, towards the target; below 0 away from it."},
    {"power", WHOLE(INT, dunlin_behaviour_def, attract.power), RANGE(0, 3), DEFAULT(2),
     .doc = "How fast the force falls with the distance: 2 is gravity, at 0 the force is the same everywhere."},
    {"min_distance", NUMBER(FLOAT, dunlin_behaviour_def, attract.min_distance), RADIUS, DEFAULT(5),
     .doc = "A smaller distance counts as this one, so that the force stays finite."},
    {"max_distance", NUMBER(FLOAT, dunlin_behaviour_def, attract.max_distance), RADIUS, .range = "`min_distance` .. 10⁹",
     DEFAULT(25), .doc = "A larger distance counts as this one, so that the force is felt far away."},
};
TABLE(attract, "attract", &target_table);

static const row wander_rows[] = {
    {"distance", NUMBER(FLOAT, dunlin_behaviour_def, wander.distance), LENGTH, DEFAULT(80),
     .doc = "The distance from the agent to the centre of the circle."},
    {"radius", NUMBER(FLOAT, dunlin_behaviour_def, wander.radius), RADIUS, DEFAULT(25),
     .doc = "The radius of the circle. Only its ratio to the `distance` matters."},
    {"angle_change", NUMBER(RADIANS, dunlin_behaviour_def, wander.angle_change), RANGE(0, 180), DEFAULT((double)17.2f),
     .unit = "degrees per step",
     .doc =
         "How much the point's angle on the circle changes at random: as if by a number between plus and minus this in every "
         "step. At 180 the angle is a new one in every step."},
};
TABLE(wander, "wander", &action_table);

static const row contain_rows[] = {
    {"margin", VALUE_NUMBER, RANGE(-3.4e38, 1e9), .range = "≤ 10⁹; negative: no walls", DEFAULT(0), .unit = lengths,
     .doc = "How close to a wall an agent turns away."},
    {"margins", NUMBERS(2, 3), .instead = "margin", .shape = SHAPE_VECTOR, AT(FLOAT, dunlin_behaviour_def, contain.margin),
     RANGE(-3.4e38, 1e9), .range = "≤ 10⁹", OTHERWISE("`margin` each"), .unit = lengths,
     .doc = "Instead of `margin`: one number per dimension. An axis with a negative number has no walls."},
    {"min", VECTOR(FLOAT, dunlin_behaviour_def, contain.min), OTHERWISE("0 each"), .unit = lengths,
     .doc = "Where the lower walls stand."},
    {"max", VECTOR(FLOAT, dunlin_behaviour_def, contain.max), OTHERWISE("the world's size"), .unit = lengths,
     .doc = "Where the upper walls stand."},
    {"corner", CHOICE(corners, dunlin_behaviour_def, contain.corner), DEFAULT(DUNLIN_CORNER_ALL),
     .doc = "Which walls count where several are close: `all` of them, or only the wall across the `last` axis."},
};
TABLE(contain, "contain", &action_table);

static const row follow_rows[] = {
    {"path", NAMED(PATH, dunlin_behaviour_def, follow.path), .range = "a path", OTHERWISE("the only one"),
     .doc = "The name of the path."},
    {"radius", NUMBER(FLOAT, dunlin_behaviour_def, follow.radius), LENGTH, DEFAULT(10),
     .doc = "Half of the path's width: an agent within it is not steered."},
    {"prediction_distance", NUMBER(FLOAT, dunlin_behaviour_def, follow.prediction.distance), LENGTH, DEFAULT(25),
     .doc = "How far ahead the agent looks along its heading."},
    {"prediction_time", NUMBER(FLOAT, dunlin_behaviour_def, follow.prediction.time), DURATION, DEFAULT(0),
     .doc = "How far it looks besides: as far as it moves in this time, so faster agents look further."},
    {"ahead_distance", NUMBER(FLOAT, dunlin_behaviour_def, follow.ahead.distance), LENGTH, DEFAULT(10),
     .doc = "How far beyond the nearest point of the path the agent aims."},
    {"ahead_time", NUMBER(FLOAT, dunlin_behaviour_def, follow.ahead.time), DURATION, DEFAULT(0),
     .doc = "How far it aims besides: as far as it moves in this time."},
    {"ahead_share", NUMBER(FLOAT, dunlin_behaviour_def, follow.ahead_share), RANGE(0, 1e6), DEFAULT(0),
     .doc = "And this share of the distance between the predicted place and the path, so agents return to it at an angle. "
            "Where a path ends, agents beyond its end turn back only if this is below 1."},
    {"off_segment", CHOICE(off_segments, dunlin_behaviour_def, follow.off_segment), DEFAULT(DUNLIN_OFF_SEGMENT_CLAMP),
     .doc = "The point of a segment that counts when the foot of the perpendicular lies outside the segment: the nearer end "
            "(`clamp`); its `end`, as in The Nature of Code 5.6; or its end with the direction of the `next` segment, as in "
            "exercise 5.13."},
};
TABLE(follow, "follow_path", &action_table);

static const row avoid_rows[] = {
    {"look_ahead", NUMBER(FLOAT, dunlin_behaviour_def, avoid.look_ahead), DURATION, DEFAULT(10),
     .doc = "How far ahead the agent looks, at its velocity."},
    {"look_distance", NUMBER(FLOAT, dunlin_behaviour_def, avoid.look_distance), LENGTH, DEFAULT(0),
     .doc = "How far it looks besides, at any speed."},
    {"agent_radius", NUMBER(FLOAT, dunlin_behaviour_def, avoid.agent_radius), LENGTH, DEFAULT(0),
     .doc = "Obstacles count as larger by this length."},
};
TABLE(avoid, "avoid", &action_table);

static const row sidestep_rows[] = {
    {"observed", NAMED(SPECIES, dunlin_behaviour_def, sidestep.observed), .range = "a species", OTHERWISE("the species itself"),
     .doc = "The name of the species that blocks the view."},
    {"radius", NUMBER(FLOAT, dunlin_behaviour_def, radius), RADIUS, DEFAULT(10), .doc = "How far the view extends."},
    {"half_angle", NUMBER(RADIANS, dunlin_behaviour_def, sidestep.half_angle), ABOVE(0, 180), DEFAULT(45), .unit = degrees,
     .doc = "Half of the angle that should be free of others."},
    {"sight_blocked", SWITCH(dunlin_behaviour_def, sight_blocked), DEFAULT(false),
     .doc = "Agents behind an obstacle are not in view."},
};
TABLE(sidestep, "sidestep", &action_table);

static const row flow_rows[] = {
    {"field", NAMED(FIELD, dunlin_behaviour_def, flow.field), .range = "a field", OTHERWISE("the only one"),
     .doc = "The name of the field."},
    {"look_ahead", NUMBER(FLOAT, dunlin_behaviour_def, flow.look_ahead), DURATION, DEFAULT(0),
     .doc = "The vector is the one at the place where the agent will be after this time."},
    {"look_distance", NUMBER(FLOAT, dunlin_behaviour_def, flow.look_distance), LENGTH, DEFAULT(0),
     .doc = "How much further ahead that place is, at any speed."},
};
TABLE(flow, "flow", &action_table);

static const row force_rows[] = {{"vector", VECTOR(FLOAT, dunlin_behaviour_def, force), REQUIRED, .unit = forces,
                                  .doc = "The force, one number per dimension."}};
TABLE(force, "force", &action_table);

static const row drag_rows[] = {
    {"linear", NUMBER(FLOAT, dunlin_behaviour_def, linear_drag), RANGE(0, 1e6), DEFAULT(0), .unit = "1 / time unit",
     .doc = "The force is −(`linear` + `quadratic`·speed) × velocity."},
    {"quadratic", NUMBER(FLOAT, dunlin_behaviour_def, quadratic_drag), RANGE(0, 1e6), DEFAULT(0), .unit = "1 / world unit",
     .doc = "The part that grows with the speed."},
};
TABLE(drag, "drag", &action_table);

static const choice signals[] = {{"neighbours", DUNLIN_SIGNAL_NEIGHBOURS}, {"nearest", DUNLIN_SIGNAL_NEAREST},
                                 {"alignment", DUNLIN_SIGNAL_ALIGNMENT},   {"sees", DUNLIN_SIGNAL_SEES},
                                 {"speed", DUNLIN_SIGNAL_SPEED},           {"attribute", DUNLIN_SIGNAL_ATTRIBUTE},
                                 {"field", DUNLIN_SIGNAL_FIELD},           {NULL, 0}};
static const choice adapt_responses[] = {{"linear", DUNLIN_ADAPT_LINEAR}, {"threshold", DUNLIN_ADAPT_THRESHOLD}, {NULL, 0}};

#define ADAPT(how, field) NUMBER(FLOAT, dunlin_behaviour_def, adapt.field), how
static const row adapt_rows[] = {
    {"attribute", NAME, REQUIRED, .range = "an attribute of the species",
     .doc = "The attribute *w* that moves. Its role may be any but `group` and `body`."},
    {"signal", CHOICE(signals, dunlin_behaviour_def, adapt.signal), REQUIRED,
     .doc =
         "What the agent attends to, *s*. `neighbours`: how many agents of `observed` are within the `radius`. `nearest`: the "
         "distance to the nearest of them, or the `radius`. `alignment`: the cosine of the angle between the agent's "
         "velocity and the sum of theirs. `sees`: 1 if there is any, else 0. `speed`: the agent's own. `attribute`: another "
         "of its numbers, the `source`. `field`: the length of a field's vector at its place, or a trace's number there."},
    {"observed", NAMED(SPECIES, dunlin_behaviour_def, adapt.observed), .range = "a species", OTHERWISE("the species itself"),
     .doc = "For `neighbours`, `nearest`, `alignment` and `sees`: the species that the agent observes."},
    {"radius", NUMBER(FLOAT, dunlin_behaviour_def, radius), RADIUS, DEFAULT(10), .doc = "How far the agent looks."},
    {"sight_blocked", SWITCH(dunlin_behaviour_def, sight_blocked), DEFAULT(false),
     .doc = "The agent does not see agents behind an obstacle."},
    {"source", NAME, .range = "an attribute of the species", OTHERWISE("**required** for `signal: attribute`"),
     .doc = "Its attribute that is the signal."},
    {"field", NAME, .range = "a field", OTHERWISE("the only one"),
     .doc = "The field with the vectors, or numbers, that are the signal."},
    {"response", CHOICE(adapt_responses, dunlin_behaviour_def, adapt.response), DEFAULT(DUNLIN_ADAPT_LINEAR),
     .doc = "`linear`: *r* = `offset` + `gain`·*s*. `threshold`: *r* = `offset` + `gain` from the `threshold` on, below it "
            "`offset`."},
    {"gain", ADAPT(FACTOR, gain), DEFAULT(1), .doc = "How strongly the signal counts."},
    {"offset", ADAPT(ANY, offset), DEFAULT(0), .doc = "The response to no signal."},
    {"threshold", ADAPT(ANY, threshold), DEFAULT(0), .doc = "`response: threshold` only: the smallest signal that counts."},
    {"rate", ADAPT(RANGE(0, 1), rate), DEFAULT((double)0.01f), .unit = per_step,
     .doc = "How fast the attribute moves: in each step *w* ← *w* + `rate`·(*r* − *w*) + `decay`·(`rest` − *w*), between `low` "
            "and "
            "`high`."},
    {"decay", ADAPT(RANGE(0, 1), decay), DEFAULT(0), .unit = per_step, .range = "0 .. 1 − `rate`",
     .doc = "How fast it returns to `rest`."},
    {"rest", ADAPT(ANY, rest), DEFAULT(0), .doc = "Where it returns to."},
    {"low", ADAPT(ANY, low), DEFAULT(0), .range = "the role's", .doc = "It never falls below this."},
    {"high", ADAPT(ANY, high), DEFAULT(1), .range = "the role's, ≥ `low`", .doc = "It never rises above this."},
};
TABLE(adapt, "adapt", NULL);

static const row body_rows[] = {{"bodies", NAMED(SPECIES, dunlin_behaviour_def, body), REQUIRED,
                                 .range = "a species with `body_of` this one", .doc = "The species of the bodies."}};
TABLE(body, "body", &action_table);

#define KIND(kind, of_table)                                                                                                   \
    VALUE_ENTRY, OF(of_table), ONE_OF, .tag = DUNLIN_BEHAVIOUR_##kind, AT(INSIDE, dunlin_behaviour_def, cookie)

static const row behaviour_rows[] = {
    {"species", NAME, .range = "a species, or `all`", OTHERWISE("the only species; **required** where there are several"),
     .doc = "The species that behaves in this way. `all` gives the behaviour to every species."},
    {"seek", KIND(SEEK, target), .doc = "Steer towards a target."},
    {"flee", KIND(FLEE, target), .doc = "Steer away from a target."},
    {"arrive", KIND(ARRIVE, arrive), .doc = "Steer towards a target, slow down, and stop there."},
    {"pursue", KIND(PURSUE, pursue), .doc = "Steer to where the target will be."},
    {"evade", KIND(EVADE, pursue), .doc = "Steer away from where the target will be."},
    {"wander", KIND(WANDER, wander), .doc = "Turn smoothly and at random."},
    {"contain", KIND(CONTAIN, contain), .doc = "Turn away from walls."},
    {"follow_path", KIND(FOLLOW_PATH, follow), .doc = "Stay on a path and move along it."},
    {"avoid", KIND(AVOID, avoid), .doc = "Steer aside from the obstacle that would be hit first."},
    {"sidestep", KIND(SIDESTEP, sidestep), .doc = "Move sideways from agents that block the view ahead."},
    {"flow", KIND(FLOW, flow), .doc = "Steer at `max_speed` in the direction of a field."},
    {"wind", KIND(WIND, flow), .doc = "The field's vector is the force."},
    {"force", KIND(FORCE, force), .doc = "A constant force."},
    {"drag", KIND(DRAG, drag), .doc = "Air resistance."},
    {"body", KIND(BODY, body), .doc = "The force is that which the body of the agent's group feels."},
    {"attract", KIND(ATTRACT, attract), .doc = "A target pulls as gravity does, or repels."},
    {"adapt", KIND(ADAPT, adapt), .doc = "No force: what the agent meets moves one of its attributes."},
};
TABLE(behaviour, "behaviours", NULL);

/* ---- meals, lives and models ------------------------------------------------------------------------------------------ */

static const row meal_rows[] = {
    {"eater", NAMED(SPECIES, dunlin_meal_def, eater), REQUIRED, .range = "a species", .doc = "The species that eats."},
    {"food", NAMED(SPECIES, dunlin_meal_def, food), REQUIRED, .range = "another species", .doc = "The species that is eaten."},
    {"radius", NUMBER(FLOAT, dunlin_meal_def, radius), RADIUS, DEFAULT(1), .doc = "The eater's reach."},
    {"energy", NAME, .range = "an attribute", OTHERWISE("none"),
     .doc = "The eater's attribute, of role `value`, to which each eaten agent adds."},
    {"gain", NUMBER(FLOAT, dunlin_meal_def, gain), FACTOR, DEFAULT(1), .doc = "The amount that is added."},
    {"worth", NAME, .range = "an attribute", OTHERWISE("none"),
     .doc = "The food's attribute, of role `value`, by which `gain` is multiplied."},
};
TABLE(meal, "meals", NULL);

static const row life_rows[] = {
    {"species", NAME, .range = "a species", OTHERWISE("the only species; **required** where there are several"),
     .doc = "The species that lives so."},
    {"energy", NAME, REQUIRED, .range = "an attribute", .doc = "Its attribute, of role `value`, that is its energy."},
    {"cost", NUMBER(FLOAT, metabolism, cost), FACTOR, DEFAULT(0), .unit = "1 / time unit",
     .doc = "The energy that an agent loses per time unit; it gains energy where this is negative."},
    {"divides_at", NUMBER(FLOAT, metabolism, divides_at), ABOVE(0, 1e30), .range = "> 0", OTHERWISE("it does not divide"),
     .doc = "The energy from which an agent divides."},
    {"share", NUMBER(FLOAT, metabolism, share), ABOVE(0, 1), .below = true, DEFAULT(0.5),
     .doc = "The fraction of the energy that the child gets."},
};
TABLE(life, "lives", NULL);

static const row vicsek_rows[] = {
    {"radius", NUMBER(FLOAT, model, vicsek.radius), RADIUS, REQUIRED, .doc = "How far particles see each other."},
    {"whole_noise", NUMBER(RADIANS, model, vicsek.noise), RANGE(0, 360), REQUIRED, .unit = "degrees per step",
     .doc = "In every step the heading is turned by an angle drawn evenly from half of this to either side."},
};
TABLE(vicsek, "vicsek", NULL);

static const row couzin_rows[] = {
    {"repulsion", NUMBER(FLOAT, model, couzin.repulsion), ABOVE(0, 1e9), REQUIRED, .unit = lengths,
     .doc = "The radius of the zone of repulsion."},
    {"orientation", NUMBER(FLOAT, model, couzin.orientation), LENGTH, REQUIRED,
     .doc = "The thickness of the zone of orientation, outside the one before."},
    {"attraction", NUMBER(FLOAT, model, couzin.attraction), LENGTH, REQUIRED,
     .doc = "The thickness of the zone of attraction, outside the one before."},
    {"whole_blind", NUMBER(FLOAT, model, couzin.blind), RANGE(0, 360), REQUIRED, .unit = degrees,
     .doc = "The whole angle of the blind cone behind."},
    {"turning", NUMBER(FLOAT, model, couzin.turning), RANGE(0, 1e6), REQUIRED, .unit = "degrees per time unit",
     .doc = "The maximum turning rate."},
    {"noise_deviation", NUMBER(RADIANS, model, couzin.noise), RANGE(0, 570), REQUIRED, .unit = "degrees per step",
     .doc = "The standard deviation of the random turn that the chosen direction gets in every step."},
};
TABLE(couzin, "couzin", NULL);

static const row circles_rows[] = {
    {"radius", NUMBER(FLOAT, model, circles.radius), RADIUS, REQUIRED, .doc = "How far agents see each other. In space only."},
    {"strength", NUMBER(FLOAT, model, circles.strength), FACTOR, REQUIRED, .unit = "world units per step",
     .doc = "How far an agent is moved in every step."},
};
TABLE(circles, "circles", NULL);

static const row matching_rows[] = {
    {"radius", NUMBER(FLOAT, model, matching.radius), RADIUS, REQUIRED, .doc = "How far agents see each other."},
    {"distance", NUMBER(FLOAT, model, matching.distance), LENGTH, REQUIRED,
     .doc = "Agents at a smaller distance repel each other."},
    {"cohere", NUMBER(FLOAT, model, matching.cohere), FACTOR, REQUIRED, .unit = "velocity per world unit and step",
     .doc = "The factor of cohesion."},
    {"separate", NUMBER(FLOAT, model, matching.separate), FACTOR, REQUIRED, .unit = "velocity per world unit and step",
     .doc = "The factor of separation."},
    {"match", NUMBER(FLOAT, model, matching.match), FACTOR, REQUIRED, .unit = per_step, .doc = "The factor of alignment."},
};
TABLE(matching, "matching", NULL);

#define LITERATURE(which, of_table) VALUE_ENTRY, OF(of_table), ONE_OF, .tag = which, AT(INSIDE, model, kind)

static const row model_rows[] = {
    {"species", NAME, .range = "a species", OTHERWISE("the only species; **required** where there are several"),
     .doc = "The species that follows the model."},
    {"vicsek", LITERATURE(MODEL_VICSEK, vicsek), .doc = "Vicsek et al. 1995. In the plane."},
    {"couzin", LITERATURE(MODEL_COUZIN, couzin), .doc = "Couzin et al. 2002."},
    {"circles", LITERATURE(MODEL_CIRCLES, circles), .doc = "Chisholm et al. 2016. In space."},
    {"matching", LITERATURE(MODEL_MATCHING, matching), .doc = "The flock that agent-based frameworks are compared with."},
};
TABLE(model, "models", NULL);

/* ---- schedules -------------------------------------------------------------------------------------------------------- */

#define CURVE(kind, of_table) VALUE_ENTRY, OF(of_table), ONE_OF, .tag = CURVE_##kind, AT(INSIDE, curve, value)
#define MEAN                  "mean", NUMBER(DOUBLE, curve, mean), FINITE, DEFAULT(0), .doc = "The middle."
#define AMPLITUDE             "amplitude", NUMBER(DOUBLE, curve, amplitude), FINITE, REQUIRED, .doc = "How far it goes to either side."

static const row hold_rows[] = {
    {"value", NUMBER(DOUBLE, curve, value), FINITE, REQUIRED, .doc = "The number from step `begin` on."},
    {"begin", WHOLE(UINT64, curve, begin), DEFAULT(0), .unit = steps, .doc = "Before it, what the file says holds."},
};
TABLE(hold, "constant-schedule", NULL);

static const row linear_rows[] = {
    {"from", NUMBER(DOUBLE, curve, from), FINITE, REQUIRED, .doc = "The number up to step `begin`."},
    {"to", NUMBER(DOUBLE, curve, to), FINITE, REQUIRED, .doc = "The number from step `end` on."},
    {"begin", WHOLE(UINT64, curve, begin), DEFAULT(0), .unit = steps, .doc = "Where the straight line begins."},
    {"end", WHOLE(UINT64, curve, end), REQUIRED, .range = "after `begin`", .unit = steps,
     .doc = "Where the straight line ends."},
};
TABLE(linear, "linear", NULL);

static const row sine_rows[] = {
    {MEAN},
    {AMPLITUDE},
    {"period", NUMBER(DOUBLE, curve, period), ABOVE(0, 3.4e38), .range = "> 0", REQUIRED, .unit = steps,
     .doc = "The length of a cycle."},
    {"phase_angle", NUMBER(DOUBLE_TURNS, curve, phase), FINITE, DEFAULT(0), .unit = degrees,
     .doc = "Where in its cycle the sine is at step 0."},
};
TABLE(sine, "sine", NULL);

static const row gust_rows[] = {
    {MEAN},
    {AMPLITUDE},
    {"scale", NUMBER(DOUBLE, curve, scale), ABOVE(0, 3.4e38), .range = "> 0", REQUIRED, .unit = steps,
     .doc = "How slowly the noise changes."},
    {"octaves", WHOLE(INT, curve, octaves), RANGE(1, 8), DEFAULT(1), .doc = "As for a field's noise."},
    {"seed", WHOLE(UINT64, curve, seed), DEFAULT(1), .doc = "The seed of the noise."},
};
TABLE(gust, "noise-schedule", NULL);

static const row schedule_rows[] = {
    {"parameter", VALUE_TEXT, COUNT(1, 159), REQUIRED, .range = "see below", .doc = "The path of the number."},
    {"constant", CURVE(CONSTANT, hold), .doc = "`value` from step `begin` on; before it, what the file says."},
    {"linear", CURVE(LINEAR, linear), .doc = "`from` up to step `begin`, `to` from step `end` on, a straight line between."},
    {"sine", CURVE(SINE, sine), .doc = "`mean` + `amplitude`·sin(2π·*n*/`period` + `phase_angle`)."},
    {"noise", CURVE(NOISE, gust),
     .doc = "`mean` + `amplitude`·noise(*n*/`scale`), a smooth noise within −1 .. 1, mostly within ±0.6."},
};
TABLE(schedule, "schedules", NULL);

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static const row scenario_rows[] = {
    {"name", VALUE_TEXT, COUNT(1, 200), OTHERWISE("the file's name without `.yaml`"), .doc = "The name of the run."},
    {"description", VALUE_TEXT, COUNT(0, 4000), OTHERWISE("empty"), .doc = "What the scenario shows, for readers."},
    {"steps", VALUE_WHOLE, RANGE(0, 1e12), FIXED, DEFAULT(1000), .doc = "How many steps a run takes; `--steps` overrides it."},
    {"seed", VALUE_WHOLE, FIXED, DEFAULT(1), .doc = "The seed of every random number; `--seed` overrides it."},
    {"world", VALUE_ENTRY, OF(world), OTHERWISE("all defaults"), .doc = "The space in which agents move, [below](#world)."},
    {"species", VALUE_LIST, .of = VALUE_ENTRY, OF(species), COUNT(1, DUNLIN_MAX_SPECIES),
     OTHERWISE("one species with all defaults"), .doc = "The kinds of agents, [below](#species)."},
    {"interactions", LIST(interaction, DUNLIN_MAX_SPECIES *DUNLIN_MAX_SPECIES), OTHERWISE("none"),
     .doc = "Which species observes which, [below](#interactions). One entry per pair of species."},
    {"fields", LIST(field, 1000), OTHERWISE("none"), .doc = "Grids of vectors for `flow` and `wind`, [below](#fields)."},
    {"paths", LIST(path, 1000), FIXED, OTHERWISE("none"), .doc = "Polylines for `follow_path`, [below](#paths)."},
    {"obstacles", LIST(obstacle, 100000), FIXED, OTHERWISE("none"), .doc = "What agents avoid or hit, [below](#obstacles)."},
    {"behaviours", LIST(behaviour, 1000), OTHERWISE("none"), .doc = "What agents do by themselves, [below](#behaviours)."},
    {"meals", LIST(meal, 1000), OTHERWISE("none"), .doc = "Which species eats which, [below](#lives-and-meals)."},
    {"lives", LIST(life, DUNLIN_MAX_SPECIES), OTHERWISE("none"), .doc = "What a species lives on, [below](#lives-and-meals)."},
    {"models", LIST(model, DUNLIN_MAX_SPECIES), OTHERWISE("none"),
     .doc = "Models from the literature that a species follows, [below](#models)."},
    {"schedules", LIST(schedule, 1000), FIXED, OTHERWISE("none"),
     .doc = "Numbers of this file that change with the steps, [below](#schedules)."},
};
const table dun_schema = {"scenario", NULL, scenario_rows, (int)(sizeof scenario_rows / sizeof *scenario_rows)};

/* ---- looking things up ------------------------------------------------------------------------------------------------ */

int dun_tables_below(const table *of, const table *all[DUN_MAX_TABLES], int count) {
    for (int i = 0; i < count; i++) {
        if (all[i] == of) return count;
    }
    all[count++] = of;
    if (of->base) count = dun_tables_below(of->base, all, count);
    for (int i = 0; i < of->count; i++) {
        if (of->rows[i].table) count = dun_tables_below(of->rows[i].table, all, count);
    }
    return count;
}

int dun_table_count(const table *of) {
    return of ? dun_table_count(of->base) + of->count : 0;
}

const row *dun_table_row(const table *of, int index) {
    const int before = dun_table_count(of->base);
    return index < before ? dun_table_row(of->base, index) : &of->rows[index - before];
}

int dun_table_find(const table *of, const char *name, size_t length) {
    for (int i = 0; i < dun_table_count(of); i++) {
        const char *at = dun_table_row(of, i)->name;
        if (strlen(at) == length && memcmp(at, name, length) == 0) return i;
    }
    return -1;
}

const choice *dun_choice_find(const choice *choices, const char *name) {
    for (; choices->name; choices++) {
        if (strcmp(choices->name, name) == 0) return choices;
    }
    return NULL;
}

const char *dun_choice_name(const choice *choices, int value) {
    while (choices->name && choices->value != value) choices++;
    return choices->name;
}

void dun_row_range(const row *of, char *text, size_t size) {
    const bool whole = (of->type == VALUE_LIST ? of->of : of->type) == VALUE_WHOLE;
    const char *unit = of->unit ? of->unit : "", *blank = of->unit ? " " : "";
    DUN_C_LOCALE();
    if (strncmp(unit, "1 / ", 4) == 0) unit += 4, blank = " per ";
    if (of->max <= of->min)
        snprintf(text, size, "a whole number, 0 .. 18446744073709551615");
    else if (of->above || of->below)
        snprintf(text, size, "%s %g, %s %g%s%s", of->above ? ">" : ">=", of->min, of->below ? "<" : "<=", of->max, blank, unit);
    else
        snprintf(text, size, whole ? "a whole number, %.0f .. %.0f%s%s" : "%g .. %g%s%s", of->min, of->max, blank, unit);
}
