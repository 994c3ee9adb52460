/* SPDX-License-Identifier: MIT */
#include "harness/scenario/file.h"

#include <stddef.h>

/* A new field is a line in scenario_file.h, a line here, a line in the scenario_*.c that builds what it belongs to, and a row
 * in docs/scenarios.md. */

#define OPTIONAL     (CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER)
#define REQUIRED     CYAML_FLAG_POINTER
#define NAMED        (OPTIONAL | CYAML_FLAG_STRICT)
#define COUNT(array) CYAML_ARRAY_LEN(array)

static const cyaml_strval_t dimensions_names[] = {{"2", 2}, {"3", 3}};
static const cyaml_strval_t boundary_names[] = {{"periodic", DUNLIN_BOUNDARY_PERIODIC},
                                                {"teleport", DUNLIN_BOUNDARY_TELEPORT},
                                                {"reflect", DUNLIN_BOUNDARY_REFLECT},
                                                {"open", DUNLIN_BOUNDARY_OPEN}};
static const cyaml_strval_t integrator_names[] = {{"semi-implicit", DUNLIN_INTEGRATOR_SEMI_IMPLICIT},
                                                  {"explicit", DUNLIN_INTEGRATOR_EXPLICIT}};
static const cyaml_strval_t forces_names[] = {{"acceleration", false}, {"increment", true}};
static const cyaml_strval_t region_names[] = {{"box", DUNLIN_REGION_BOX}, {"ball", DUNLIN_REGION_BALL}};
static const cyaml_strval_t response_names[] = {
    {"steer", DUNLIN_RESPONSE_STEER}, {"direct", DUNLIN_RESPONSE_DIRECT}, {"unit", DUNLIN_RESPONSE_UNIT}};
static const cyaml_strval_t falloff_names[] = {
    {"inverse", DUNLIN_FALLOFF_INVERSE}, {"linear", DUNLIN_FALLOFF_LINEAR}, {"constant", DUNLIN_FALLOFF_CONSTANT}};
static const cyaml_strval_t rule_names[] = {
    {"separation", DUNLIN_RULE_SEPARATION}, {"alignment", DUNLIN_RULE_ALIGNMENT}, {"cohesion", DUNLIN_RULE_COHESION}};

static const cyaml_strval_t prediction_names[] = {{"fixed", DUNLIN_PREDICTION_FIXED},
                                                  {"by-distance", DUNLIN_PREDICTION_BY_DISTANCE}};
static const cyaml_strval_t corner_names[] = {{"all", DUNLIN_CORNER_ALL}, {"last", DUNLIN_CORNER_LAST}};

static const cyaml_schema_value_t number_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, float)};
static const cyaml_schema_value_t rule_kind_schema = {
    CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, dunlin_rule_kind, rule_names, COUNT(rule_names))};

static const cyaml_schema_field_t world_fields[] = {
    CYAML_FIELD_ENUM_PTR("dimensions", NAMED, scenario_world, dimensions, dimensions_names, COUNT(dimensions_names)),
    CYAML_FIELD_SEQUENCE("size", OPTIONAL, scenario_world, size, &number_schema, 1, 3),
    CYAML_FIELD_ENUM_PTR("boundary", NAMED, scenario_world, boundary, boundary_names, COUNT(boundary_names)),
    CYAML_FIELD_FLOAT_PTR("margin", OPTIONAL, scenario_world, margin),
    CYAML_FIELD_BOOL_PTR("keep_overshoot", OPTIONAL, scenario_world, keep_overshoot),
    CYAML_FIELD_BOOL_PTR("boundary_first", OPTIONAL, scenario_world, boundary_first),
    CYAML_FIELD_ENUM_PTR("integrator", NAMED, scenario_world, integrator, integrator_names, COUNT(integrator_names)),
    CYAML_FIELD_FLOAT_PTR("time_step", OPTIONAL, scenario_world, time_step),
    CYAML_FIELD_ENUM_PTR("forces", NAMED, scenario_world, forces_are_increments, forces_names, COUNT(forces_names)),
    CYAML_FIELD_END};

#define START_FIELDS                                                                                                           \
    CYAML_FIELD_ENUM_PTR("region", NAMED, scenario_start, region, region_names, COUNT(region_names)),                          \
        CYAML_FIELD_SEQUENCE("centre", OPTIONAL, scenario_start, centre, &number_schema, 2, 3),                                \
        CYAML_FIELD_SEQUENCE("extent", OPTIONAL, scenario_start, extent, &number_schema, 1, 3),                                \
        CYAML_FIELD_FLOAT_PTR("min_speed", OPTIONAL, scenario_start, min_speed),                                               \
        CYAML_FIELD_FLOAT_PTR("max_speed", OPTIONAL, scenario_start, max_speed),                                               \
        CYAML_FIELD_SEQUENCE("velocity", OPTIONAL, scenario_start, velocity, &number_schema, 2, 3)

static const cyaml_schema_field_t start_fields[] = {CYAML_FIELD_FLOAT_PTR("share", OPTIONAL, scenario_start, share),
                                                    START_FIELDS, CYAML_FIELD_END};

static const cyaml_schema_value_t start_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_start, start_fields)};

static const cyaml_schema_field_t growth_start_fields[] = {START_FIELDS, CYAML_FIELD_END};
static const cyaml_schema_field_t growth_fields[] = {
    CYAML_FIELD_FLOAT("per_step", CYAML_FLAG_DEFAULT, scenario_growth, per_step),
    CYAML_FIELD_UINT_PTR("most", OPTIONAL, scenario_growth, most),
    CYAML_FIELD_UINT("begin", CYAML_FLAG_OPTIONAL, scenario_growth, begin),
    CYAML_FIELD_UINT_PTR("end", OPTIONAL, scenario_growth, end),
    CYAML_FIELD_MAPPING_PTR("start", OPTIONAL, scenario_growth, start, growth_start_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t growth_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_growth, growth_fields)};

const cyaml_strval_t scenario_role_names[DUNLIN_ROLE_COUNT] = {
    [DUNLIN_ROLE_VALUE] = {"value", DUNLIN_ROLE_VALUE},
    [DUNLIN_ROLE_MAX_SPEED] = {"max_speed", DUNLIN_ROLE_MAX_SPEED},
    [DUNLIN_ROLE_MAX_FORCE] = {"max_force", DUNLIN_ROLE_MAX_FORCE},
    [DUNLIN_ROLE_MASS] = {"mass", DUNLIN_ROLE_MASS},
    [DUNLIN_ROLE_RADIUS_SCALE] = {"radius_scale", DUNLIN_ROLE_RADIUS_SCALE},
    [DUNLIN_ROLE_SEPARATION_WEIGHT] = {"separation_weight", DUNLIN_ROLE_SEPARATION_WEIGHT},
    [DUNLIN_ROLE_ALIGNMENT_WEIGHT] = {"alignment_weight", DUNLIN_ROLE_ALIGNMENT_WEIGHT},
    [DUNLIN_ROLE_COHESION_WEIGHT] = {"cohesion_weight", DUNLIN_ROLE_COHESION_WEIGHT},
    [DUNLIN_ROLE_BEHAVIOUR_WEIGHT] = {"behaviour_weight", DUNLIN_ROLE_BEHAVIOUR_WEIGHT},
};

static const cyaml_schema_field_t normal_fields[] = {
    CYAML_FIELD_FLOAT("mean", CYAML_FLAG_DEFAULT, scenario_normal, mean),
    CYAML_FIELD_FLOAT("deviation", CYAML_FLAG_DEFAULT, scenario_normal, deviation),
    CYAML_FIELD_FLOAT("low", CYAML_FLAG_DEFAULT, scenario_normal, low),
    CYAML_FIELD_FLOAT("high", CYAML_FLAG_DEFAULT, scenario_normal, high), CYAML_FIELD_END};

static const cyaml_schema_field_t attribute_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, scenario_attribute, name, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_ENUM_PTR("role", NAMED, scenario_attribute, role, scenario_role_names, DUNLIN_ROLE_COUNT),
    CYAML_FIELD_UINT_PTR("behaviour", OPTIONAL, scenario_attribute, behaviour),
    CYAML_FIELD_FLOAT_PTR("value", OPTIONAL, scenario_attribute, value),
    CYAML_FIELD_SEQUENCE("even", OPTIONAL, scenario_attribute, even, &number_schema, 2, 2),
    CYAML_FIELD_MAPPING_PTR("normal", OPTIONAL, scenario_attribute, normal, normal_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t attribute_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_attribute, attribute_fields)};

static const cyaml_schema_field_t species_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, scenario_species, name, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_FLOAT_PTR("min_speed", OPTIONAL, scenario_species, min_speed),
    CYAML_FIELD_FLOAT_PTR("max_speed", OPTIONAL, scenario_species, max_speed),
    CYAML_FIELD_FLOAT_PTR("max_force", OPTIONAL, scenario_species, max_force),
    CYAML_FIELD_FLOAT_PTR("drag", OPTIONAL, scenario_species, drag),
    CYAML_FIELD_BOOL_PTR("obstacles_block", OPTIONAL, scenario_species, obstacles_block),
    CYAML_FIELD_FLOAT_PTR("body_radius", OPTIONAL, scenario_species, body_radius),
    CYAML_FIELD_UINT_PTR("agents", OPTIONAL, scenario_species, agents),
    CYAML_FIELD_SEQUENCE("start", OPTIONAL, scenario_species, start, &start_schema, 1, 1024),
    CYAML_FIELD_SEQUENCE("growth", OPTIONAL, scenario_species, growth, &growth_schema, 1, 1024),
    CYAML_FIELD_SEQUENCE("attributes", OPTIONAL, scenario_species, attributes, &attribute_schema, 1, DUNLIN_MAX_ATTRIBUTES),
    CYAML_FIELD_END};

static const cyaml_schema_value_t species_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_species, species_fields)};

/* A rule without a radius would be off, which nobody means who writes it down. */
#define RULE_FIELDS                                                                                                            \
    CYAML_FIELD_FLOAT_PTR("radius", REQUIRED, scenario_rule, radius),                                                          \
        CYAML_FIELD_FLOAT_PTR("weight", OPTIONAL, scenario_rule, weight),                                                      \
        CYAML_FIELD_ENUM_PTR("response", NAMED, scenario_rule, response, response_names, COUNT(response_names)),               \
        CYAML_FIELD_FLOAT_PTR("limit", OPTIONAL, scenario_rule, limit),                                                        \
        CYAML_FIELD_FLOAT_PTR("min_radius", OPTIONAL, scenario_rule, min_radius),                                              \
        CYAML_FIELD_FLOAT_PTR("view", OPTIONAL, scenario_rule, view)

static const cyaml_schema_field_t rule_fields[] = {RULE_FIELDS, CYAML_FIELD_END};
static const cyaml_schema_field_t separation_fields[] = {
    RULE_FIELDS, CYAML_FIELD_ENUM_PTR("falloff", NAMED, scenario_rule, falloff, falloff_names, COUNT(falloff_names)),
    CYAML_FIELD_END};

static const cyaml_schema_field_t interaction_fields[] = {
    CYAML_FIELD_STRING_PTR("observer", OPTIONAL, scenario_interaction, observer, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("observed", OPTIONAL, scenario_interaction, observed, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_BOOL_PTR("ignore_coincident", OPTIONAL, scenario_interaction, ignore_coincident),
    CYAML_FIELD_BOOL_PTR("in_turn", OPTIONAL, scenario_interaction, in_turn),
    CYAML_FIELD_UINT_PTR("nearest", OPTIONAL, scenario_interaction, nearest),
    CYAML_FIELD_UINT_PTR("max_neighbours", OPTIONAL, scenario_interaction, max_neighbours),
    CYAML_FIELD_SEQUENCE("order", OPTIONAL, scenario_interaction, order, &rule_kind_schema, DUNLIN_RULE_COUNT,
                         DUNLIN_RULE_COUNT),
    CYAML_FIELD_MAPPING_PTR("separation", OPTIONAL, scenario_interaction, separation, separation_fields),
    CYAML_FIELD_MAPPING_PTR("alignment", OPTIONAL, scenario_interaction, alignment, rule_fields),
    CYAML_FIELD_MAPPING_PTR("cohesion", OPTIONAL, scenario_interaction, cohesion, rule_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t interaction_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_interaction, interaction_fields)};

/* ---- fields and paths ------------------------------------------------------------------------------------------------- */

static const cyaml_strval_t lookup_names[] = {{"nearest", DUNLIN_LOOKUP_NEAREST}, {"linear", DUNLIN_LOOKUP_LINEAR}};
static const cyaml_schema_value_t whole_schema = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint32_t)};

static const cyaml_schema_field_t noise_fields[] = {
    CYAML_FIELD_FLOAT_PTR("scale", OPTIONAL, scenario_noise, scale),
    CYAML_FIELD_UINT_PTR("octaves", OPTIONAL, scenario_noise, octaves),
    CYAML_FIELD_SEQUENCE("angles", OPTIONAL, scenario_noise, angles, &number_schema, 2, 2),
    CYAML_FIELD_FLOAT_PTR("rate", OPTIONAL, scenario_noise, rate),
    CYAML_FIELD_FLOAT_PTR("time", OPTIONAL, scenario_noise, time),
    CYAML_FIELD_END};
static const cyaml_schema_field_t constant_fields[] = {
    CYAML_FIELD_SEQUENCE("vector", REQUIRED, scenario_source, vector, &number_schema, 2, 3), CYAML_FIELD_END};
static const cyaml_schema_field_t random_fields[] = {CYAML_FIELD_END};
static const cyaml_schema_field_t swirl_fields[] = {
    CYAML_FIELD_SEQUENCE("centre", OPTIONAL, scenario_source, centre, &number_schema, 2, 3),
    CYAML_FIELD_SEQUENCE("axis", OPTIONAL, scenario_source, axis, &number_schema, 3, 3), CYAML_FIELD_END};
static const cyaml_schema_field_t centre_fields[] = {
    CYAML_FIELD_SEQUENCE("centre", OPTIONAL, scenario_source, centre, &number_schema, 2, 3), CYAML_FIELD_END};
static const cyaml_schema_field_t file_source_fields[] = {
    CYAML_FIELD_STRING_PTR("file", REQUIRED, scenario_source, file, 1, 4000), CYAML_FIELD_END};

#define SOURCE(kind, name, fields) CYAML_FIELD_MAPPING_PTR(name, OPTIONAL, scenario_field, source[kind], fields)

static const cyaml_schema_field_t field_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, scenario_field, name, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_SEQUENCE("cells", OPTIONAL, scenario_field, cells, &whole_schema, 2, 3),
    CYAML_FIELD_SEQUENCE("low", OPTIONAL, scenario_field, low, &number_schema, 2, 3),
    CYAML_FIELD_SEQUENCE("high", OPTIONAL, scenario_field, high, &number_schema, 2, 3),
    CYAML_FIELD_ENUM_PTR("lookup", NAMED, scenario_field, lookup, lookup_names, COUNT(lookup_names)),
    CYAML_FIELD_FLOAT_PTR("weight", OPTIONAL, scenario_field, weight),
    CYAML_FIELD_UINT_PTR("seed", OPTIONAL, scenario_field, seed),
    SOURCE(DUNLIN_FIELD_CONSTANT, "constant", constant_fields),
    SOURCE(DUNLIN_FIELD_RANDOM, "random", random_fields),
    CYAML_FIELD_MAPPING_PTR("noise", OPTIONAL, scenario_field, noise, noise_fields),
    SOURCE(DUNLIN_FIELD_SWIRL, "swirl", swirl_fields),
    SOURCE(DUNLIN_FIELD_CENTRE, "towards", centre_fields),
    SOURCE(DUNLIN_FIELD_GRADIENT, "image", file_source_fields),
    SOURCE(DUNLIN_FIELD_VECTORS, "csv", file_source_fields),
    CYAML_FIELD_END};

static const cyaml_schema_field_t path_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, scenario_polyline, name, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_SEQUENCE("points", OPTIONAL, scenario_polyline, points, &number_schema, 4, 100000),
    CYAML_FIELD_SEQUENCE("agents", OPTIONAL, scenario_polyline, agents, &whole_schema, 2, 100000),
    CYAML_FIELD_BOOL_PTR("closed", OPTIONAL, scenario_polyline, closed), CYAML_FIELD_END};

static const cyaml_schema_field_t obstacle_fields[] = {
    CYAML_FIELD_SEQUENCE("ball", OPTIONAL, scenario_obstacle, ball, &number_schema, 2, 3),
    CYAML_FIELD_SEQUENCE("box", OPTIONAL, scenario_obstacle, box, &number_schema, 4, 6),
    CYAML_FIELD_SEQUENCE("capsule", OPTIONAL, scenario_obstacle, capsule, &number_schema, 4, 6),
    CYAML_FIELD_FLOAT_PTR("radius", OPTIONAL, scenario_obstacle, radius), CYAML_FIELD_END};

static const cyaml_schema_value_t obstacle_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_obstacle, obstacle_fields)};
static const cyaml_schema_value_t field_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_field, field_fields)};
static const cyaml_schema_value_t path_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_polyline, path_fields)};

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

#define ACTION_FIELDS                                                                                                          \
    CYAML_FIELD_FLOAT_PTR("weight", OPTIONAL, scenario_action, weight),                                                        \
        CYAML_FIELD_FLOAT_PTR("max_force", OPTIONAL, scenario_action, max_force)
#define TARGET_FIELDS                                                                                                          \
    ACTION_FIELDS, CYAML_FIELD_BOOL_PTR("negate_force", OPTIONAL, scenario_action, negate_force),                              \
        CYAML_FIELD_SEQUENCE("target", OPTIONAL, scenario_action, target, &number_schema, 2, 3),                               \
        CYAML_FIELD_SEQUENCE("velocity", OPTIONAL, scenario_action, velocity, &number_schema, 2, 3),                           \
        CYAML_FIELD_UINT_PTR("agent", OPTIONAL, scenario_action, agent),                                                       \
        CYAML_FIELD_STRING_PTR("nearest", OPTIONAL, scenario_action, nearest, 1, DUNLIN_NAME_LENGTH - 1),                      \
        CYAML_FIELD_STRING_PTR("centre", OPTIONAL, scenario_action, centre, 1, DUNLIN_NAME_LENGTH - 1),                        \
        CYAML_FIELD_FLOAT_PTR("radius", OPTIONAL, scenario_action, radius)

static const cyaml_schema_field_t seek_fields[] = {TARGET_FIELDS, CYAML_FIELD_END};
static const cyaml_schema_field_t arrive_fields[] = {
    TARGET_FIELDS, CYAML_FIELD_FLOAT_PTR("slowing_radius", OPTIONAL, scenario_action, slowing_radius), CYAML_FIELD_END};
static const cyaml_schema_field_t pursue_fields[] = {
    TARGET_FIELDS,
    CYAML_FIELD_ENUM_PTR("prediction", NAMED, scenario_action, prediction, prediction_names, COUNT(prediction_names)),
    CYAML_FIELD_FLOAT_PTR("prediction_time", OPTIONAL, scenario_action, prediction_time), CYAML_FIELD_END};
static const cyaml_schema_field_t wander_fields[] = {
    ACTION_FIELDS, CYAML_FIELD_FLOAT_PTR("distance", OPTIONAL, scenario_action, distance),
    CYAML_FIELD_FLOAT_PTR("radius", OPTIONAL, scenario_action, radius),
    CYAML_FIELD_FLOAT_PTR("jitter", OPTIONAL, scenario_action, jitter), CYAML_FIELD_END};
static const cyaml_schema_field_t contain_fields[] = {
    ACTION_FIELDS,
    CYAML_FIELD_FLOAT_PTR("margin", OPTIONAL, scenario_action, margin),
    CYAML_FIELD_SEQUENCE("margins", OPTIONAL, scenario_action, margins, &number_schema, 2, 3),
    CYAML_FIELD_SEQUENCE("low", OPTIONAL, scenario_action, low, &number_schema, 2, 3),
    CYAML_FIELD_SEQUENCE("high", OPTIONAL, scenario_action, high, &number_schema, 2, 3),
    CYAML_FIELD_ENUM_PTR("corner", NAMED, scenario_action, corner, corner_names, COUNT(corner_names)),
    CYAML_FIELD_END};
static const cyaml_schema_field_t force_fields[] = {
    ACTION_FIELDS, CYAML_FIELD_SEQUENCE("vector", REQUIRED, scenario_action, vector, &number_schema, 2, 3), CYAML_FIELD_END};
static const cyaml_schema_field_t drag_fields[] = {
    ACTION_FIELDS, CYAML_FIELD_FLOAT_PTR("linear", OPTIONAL, scenario_action, linear),
    CYAML_FIELD_FLOAT_PTR("quadratic", OPTIONAL, scenario_action, quadratic), CYAML_FIELD_END};

static const cyaml_strval_t off_segment_names[] = {
    {"clamp", DUNLIN_OFF_SEGMENT_CLAMP}, {"end", DUNLIN_OFF_SEGMENT_END}, {"next", DUNLIN_OFF_SEGMENT_NEXT}};
static const cyaml_schema_field_t follow_fields[] = {
    ACTION_FIELDS,
    CYAML_FIELD_STRING_PTR("path", OPTIONAL, scenario_action, path, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_FLOAT_PTR("radius", OPTIONAL, scenario_action, radius),
    CYAML_FIELD_FLOAT_PTR("prediction_distance", OPTIONAL, scenario_action, prediction_distance),
    CYAML_FIELD_FLOAT_PTR("prediction_time", OPTIONAL, scenario_action, prediction_time),
    CYAML_FIELD_FLOAT_PTR("ahead_distance", OPTIONAL, scenario_action, ahead_distance),
    CYAML_FIELD_FLOAT_PTR("ahead_time", OPTIONAL, scenario_action, ahead_time),
    CYAML_FIELD_ENUM_PTR("off_segment", NAMED, scenario_action, off_segment, off_segment_names, COUNT(off_segment_names)),
    CYAML_FIELD_END};
static const cyaml_schema_field_t flow_fields[] = {
    ACTION_FIELDS, CYAML_FIELD_STRING_PTR("field", OPTIONAL, scenario_action, field, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_FLOAT_PTR("look_ahead", OPTIONAL, scenario_action, look_ahead), CYAML_FIELD_END};

static const cyaml_schema_field_t avoid_fields[] = {
    ACTION_FIELDS, CYAML_FIELD_FLOAT_PTR("look_ahead", OPTIONAL, scenario_action, look_ahead),
    CYAML_FIELD_FLOAT_PTR("agent_radius", OPTIONAL, scenario_action, agent_radius), CYAML_FIELD_END};

static const cyaml_schema_field_t view_fields[] = {
    ACTION_FIELDS, CYAML_FIELD_STRING_PTR("observed", OPTIONAL, scenario_action, observed, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_FLOAT_PTR("radius", REQUIRED, scenario_action, radius),
    CYAML_FIELD_FLOAT_PTR("angle", OPTIONAL, scenario_action, angle), CYAML_FIELD_END};

#define ACTION(kind, name, fields) CYAML_FIELD_MAPPING_PTR(name, OPTIONAL, scenario_behaviour, action[kind], fields)

static const cyaml_schema_field_t behaviour_fields[] = {
    CYAML_FIELD_STRING_PTR("species", OPTIONAL, scenario_behaviour, species, 1, DUNLIN_NAME_LENGTH - 1),
    ACTION(DUNLIN_BEHAVIOUR_SEEK, "seek", seek_fields),
    ACTION(DUNLIN_BEHAVIOUR_FLEE, "flee", seek_fields),
    ACTION(DUNLIN_BEHAVIOUR_ARRIVE, "arrive", arrive_fields),
    ACTION(DUNLIN_BEHAVIOUR_PURSUE, "pursue", pursue_fields),
    ACTION(DUNLIN_BEHAVIOUR_EVADE, "evade", pursue_fields),
    ACTION(DUNLIN_BEHAVIOUR_WANDER, "wander", wander_fields),
    ACTION(DUNLIN_BEHAVIOUR_CONTAIN, "contain", contain_fields),
    ACTION(DUNLIN_BEHAVIOUR_FOLLOW_PATH, "follow_path", follow_fields),
    ACTION(DUNLIN_BEHAVIOUR_AVOID, "avoid", avoid_fields),
    ACTION(DUNLIN_BEHAVIOUR_VIEW, "view", view_fields),
    ACTION(DUNLIN_BEHAVIOUR_FLOW, "flow", flow_fields),
    ACTION(DUNLIN_BEHAVIOUR_WIND, "wind", flow_fields),
    ACTION(DUNLIN_BEHAVIOUR_FORCE, "force", force_fields),
    ACTION(DUNLIN_BEHAVIOUR_DRAG, "drag", drag_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t behaviour_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_behaviour, behaviour_fields)};

/* ---- lives ------------------------------------------------------------------------------------------------------------ */

static const cyaml_schema_field_t meal_fields[] = {
    CYAML_FIELD_STRING_PTR("eater", REQUIRED, scenario_meal, eater, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("food", REQUIRED, scenario_meal, food, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_FLOAT("radius", CYAML_FLAG_DEFAULT, scenario_meal, radius),
    CYAML_FIELD_STRING_PTR("energy", OPTIONAL, scenario_meal, energy, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_FLOAT_PTR("gain", OPTIONAL, scenario_meal, gain),
    CYAML_FIELD_STRING_PTR("worth", OPTIONAL, scenario_meal, worth, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_END};

static const cyaml_schema_value_t meal_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_meal, meal_fields)};

static const cyaml_schema_field_t life_fields[] = {
    CYAML_FIELD_STRING_PTR("species", OPTIONAL, scenario_life, species, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("energy", REQUIRED, scenario_life, energy, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_FLOAT_PTR("cost", OPTIONAL, scenario_life, cost),
    CYAML_FIELD_FLOAT_PTR("divides_at", OPTIONAL, scenario_life, divides_at),
    CYAML_FIELD_FLOAT_PTR("share", OPTIONAL, scenario_life, share),
    CYAML_FIELD_END};

static const cyaml_schema_value_t life_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_life, life_fields)};

/* ---- models ----------------------------------------------------------------------------------------------------------- */

#define NUMBER(model, field) CYAML_FIELD_FLOAT(#field, CYAML_FLAG_DEFAULT, model, field)

static const cyaml_schema_field_t vicsek_fields[] = {NUMBER(model_vicsek, radius), NUMBER(model_vicsek, noise),
                                                     CYAML_FIELD_END};
static const cyaml_schema_field_t couzin_fields[] = {NUMBER(model_couzin, repulsion),
                                                     NUMBER(model_couzin, orientation),
                                                     NUMBER(model_couzin, attraction),
                                                     NUMBER(model_couzin, blind),
                                                     NUMBER(model_couzin, turning),
                                                     NUMBER(model_couzin, noise),
                                                     CYAML_FIELD_END};
static const cyaml_schema_field_t circles_fields[] = {NUMBER(model_circles, radius), NUMBER(model_circles, strength),
                                                      CYAML_FIELD_END};
static const cyaml_schema_field_t matching_fields[] = {NUMBER(model_matching, radius), NUMBER(model_matching, distance),
                                                       NUMBER(model_matching, cohere), NUMBER(model_matching, separate),
                                                       NUMBER(model_matching, match),  CYAML_FIELD_END};

static const cyaml_schema_field_t model_fields[] = {
    CYAML_FIELD_STRING_PTR("species", OPTIONAL, scenario_model, species, 1, DUNLIN_NAME_LENGTH - 1),
    CYAML_FIELD_MAPPING_PTR("vicsek", OPTIONAL, scenario_model, vicsek, vicsek_fields),
    CYAML_FIELD_MAPPING_PTR("couzin", OPTIONAL, scenario_model, couzin, couzin_fields),
    CYAML_FIELD_MAPPING_PTR("circles", OPTIONAL, scenario_model, circles, circles_fields),
    CYAML_FIELD_MAPPING_PTR("matching", OPTIONAL, scenario_model, matching, matching_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t model_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_model, model_fields)};

/* ---- schedules -------------------------------------------------------------------------------------------------------- */

static const cyaml_schema_field_t constant_schedule_fields[] = {
    CYAML_FIELD_FLOAT("value", CYAML_FLAG_DEFAULT, scenario_constant, value),
    CYAML_FIELD_UINT("begin", CYAML_FLAG_OPTIONAL, scenario_constant, begin), CYAML_FIELD_END};
static const cyaml_schema_field_t linear_fields[] = {CYAML_FIELD_FLOAT("from", CYAML_FLAG_DEFAULT, scenario_linear, from),
                                                     CYAML_FIELD_FLOAT("to", CYAML_FLAG_DEFAULT, scenario_linear, to),
                                                     CYAML_FIELD_UINT("begin", CYAML_FLAG_OPTIONAL, scenario_linear, begin),
                                                     CYAML_FIELD_UINT("end", CYAML_FLAG_DEFAULT, scenario_linear, end),
                                                     CYAML_FIELD_END};
static const cyaml_schema_field_t sine_fields[] = {CYAML_FIELD_FLOAT("mean", CYAML_FLAG_OPTIONAL, scenario_sine, mean),
                                                   CYAML_FIELD_FLOAT("amplitude", CYAML_FLAG_DEFAULT, scenario_sine, amplitude),
                                                   CYAML_FIELD_FLOAT("period", CYAML_FLAG_DEFAULT, scenario_sine, period),
                                                   CYAML_FIELD_FLOAT("phase", CYAML_FLAG_OPTIONAL, scenario_sine, phase),
                                                   CYAML_FIELD_END};
static const cyaml_schema_field_t gust_fields[] = {CYAML_FIELD_FLOAT("mean", CYAML_FLAG_OPTIONAL, scenario_gust, mean),
                                                   CYAML_FIELD_FLOAT("amplitude", CYAML_FLAG_DEFAULT, scenario_gust, amplitude),
                                                   CYAML_FIELD_FLOAT("scale", CYAML_FLAG_DEFAULT, scenario_gust, scale),
                                                   CYAML_FIELD_UINT_PTR("octaves", OPTIONAL, scenario_gust, octaves),
                                                   CYAML_FIELD_UINT_PTR("seed", OPTIONAL, scenario_gust, seed),
                                                   CYAML_FIELD_END};

static const cyaml_schema_field_t schedule_fields[] = {
    CYAML_FIELD_STRING_PTR("parameter", REQUIRED, scenario_schedule, parameter, 1, PLACE_LENGTH - 1),
    CYAML_FIELD_MAPPING_PTR("constant", OPTIONAL, scenario_schedule, constant, constant_schedule_fields),
    CYAML_FIELD_MAPPING_PTR("linear", OPTIONAL, scenario_schedule, linear, linear_fields),
    CYAML_FIELD_MAPPING_PTR("sine", OPTIONAL, scenario_schedule, sine, sine_fields),
    CYAML_FIELD_MAPPING_PTR("noise", OPTIONAL, scenario_schedule, noise, gust_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t schedule_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, scenario_schedule, schedule_fields)};

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static const cyaml_schema_field_t file_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, scenario_file, name, 1, 200),
    CYAML_FIELD_STRING_PTR("description", OPTIONAL, scenario_file, description, 0, 4000),
    CYAML_FIELD_UINT_PTR("steps", OPTIONAL, scenario_file, steps),
    CYAML_FIELD_UINT_PTR("seed", OPTIONAL, scenario_file, seed),
    CYAML_FIELD_MAPPING_PTR("world", OPTIONAL, scenario_file, world, world_fields),
    CYAML_FIELD_SEQUENCE("species", OPTIONAL, scenario_file, species, &species_schema, 1, DUNLIN_MAX_SPECIES),
    CYAML_FIELD_SEQUENCE("interactions", OPTIONAL, scenario_file, interactions, &interaction_schema, 1,
                         DUNLIN_MAX_SPECIES *DUNLIN_MAX_SPECIES),
    CYAML_FIELD_SEQUENCE("fields", OPTIONAL, scenario_file, fields, &field_schema, 1, 1000),
    CYAML_FIELD_SEQUENCE("paths", OPTIONAL, scenario_file, paths, &path_schema, 1, 1000),
    CYAML_FIELD_SEQUENCE("obstacles", OPTIONAL, scenario_file, obstacles, &obstacle_schema, 1, 100000),
    CYAML_FIELD_SEQUENCE("behaviours", OPTIONAL, scenario_file, behaviours, &behaviour_schema, 1, 1000),
    CYAML_FIELD_SEQUENCE("meals", OPTIONAL, scenario_file, meals, &meal_schema, 1, 1000),
    CYAML_FIELD_SEQUENCE("lives", OPTIONAL, scenario_file, lives, &life_schema, 1, DUNLIN_MAX_SPECIES),
    CYAML_FIELD_SEQUENCE("models", OPTIONAL, scenario_file, models, &model_schema, 1, DUNLIN_MAX_SPECIES),
    CYAML_FIELD_SEQUENCE("schedules", OPTIONAL, scenario_file, schedules, &schedule_schema, 1, 1000),
    CYAML_FIELD_END};

const cyaml_schema_value_t scenario_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, scenario_file, file_fields)};
