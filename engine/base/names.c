/* SPDX-License-Identifier: MIT */
#include "engine/base/names.h"
#include "engine/base/check.h"

#include <stdio.h>

#define NAMES(enumeration, ...)                                                                                                \
    static const char *const enumeration##_words[] = {__VA_ARGS__};                                                            \
    const dun_names dun_names_of_##enumeration = {enumeration##_words, sizeof enumeration##_words / sizeof *enumeration##_words}

NAMES(boundary, [DUNLIN_BOUNDARY_PERIODIC] = "periodic", [DUNLIN_BOUNDARY_TELEPORT] = "teleport",
      [DUNLIN_BOUNDARY_REFLECT] = "reflect", [DUNLIN_BOUNDARY_OPEN] = "open");
NAMES(integrator, [DUNLIN_INTEGRATOR_SEMI_IMPLICIT] = "semi-implicit", [DUNLIN_INTEGRATOR_EXPLICIT] = "explicit");
NAMES(region, [DUNLIN_REGION_BOX] = "box", [DUNLIN_REGION_BALL] = "ball");
NAMES(response, [DUNLIN_RESPONSE_STEER] = "steer", [DUNLIN_RESPONSE_DIRECT] = "direct", [DUNLIN_RESPONSE_UNIT] = "unit");
NAMES(
    falloff, [DUNLIN_FALLOFF_INVERSE] = "inverse", [DUNLIN_FALLOFF_LINEAR] = "linear", [DUNLIN_FALLOFF_CONSTANT] = "constant");
NAMES(kin, [DUNLIN_KIN_ALL] = "all", [DUNLIN_KIN_SAME_GROUP] = "same_group", [DUNLIN_KIN_OTHER_GROUPS] = "other_groups");
NAMES(
    rule, [DUNLIN_RULE_SEPARATION] = "separation", [DUNLIN_RULE_ALIGNMENT] = "alignment", [DUNLIN_RULE_COHESION] = "cohesion");
NAMES(role, [DUNLIN_ROLE_VALUE] = "value", [DUNLIN_ROLE_MAX_SPEED] = "max_speed", [DUNLIN_ROLE_MAX_FORCE] = "max_force",
      [DUNLIN_ROLE_MASS] = "mass", [DUNLIN_ROLE_RADIUS_SCALE] = "radius_scale",
      [DUNLIN_ROLE_SEPARATION_WEIGHT] = "separation_weight", [DUNLIN_ROLE_ALIGNMENT_WEIGHT] = "alignment_weight",
      [DUNLIN_ROLE_COHESION_WEIGHT] = "cohesion_weight", [DUNLIN_ROLE_BEHAVIOUR_WEIGHT] = "behaviour_weight",
      [DUNLIN_ROLE_GROUP] = "group", [DUNLIN_ROLE_LEADERSHIP] = "leadership", [DUNLIN_ROLE_BODY] = "body",
      [DUNLIN_ROLE_SINCE_MEAL] = "since_meal", [DUNLIN_ROLE_SEPARATION_RADIUS_SCALE] = "separation_radius_scale",
      [DUNLIN_ROLE_ALIGNMENT_RADIUS_SCALE] = "alignment_radius_scale",
      [DUNLIN_ROLE_COHESION_RADIUS_SCALE] = "cohesion_radius_scale");
NAMES(distribution, [DUNLIN_DISTRIBUTION_SAME] = "same", [DUNLIN_DISTRIBUTION_EVEN] = "even",
      [DUNLIN_DISTRIBUTION_NORMAL] = "normal", [DUNLIN_DISTRIBUTION_IN_TURN] = "in_turn");
NAMES(lookup, [DUNLIN_LOOKUP_NEAREST] = "nearest", [DUNLIN_LOOKUP_LINEAR] = "linear");
NAMES(field, [DUNLIN_FIELD_CONSTANT] = "constant", [DUNLIN_FIELD_RANDOM] = "random", [DUNLIN_FIELD_NOISE] = "noise",
      [DUNLIN_FIELD_SWIRL] = "swirl", [DUNLIN_FIELD_CENTRE] = "centre", [DUNLIN_FIELD_GRADIENT] = "gradient",
      [DUNLIN_FIELD_VECTORS] = "vectors");
NAMES(obstacle, [DUNLIN_OBSTACLE_BALL] = "ball", [DUNLIN_OBSTACLE_BOX] = "box", [DUNLIN_OBSTACLE_CAPSULE] = "capsule");
NAMES(target, [DUNLIN_TARGET_POINT] = "point", [DUNLIN_TARGET_AGENT] = "agent", [DUNLIN_TARGET_NEAREST] = "nearest",
      [DUNLIN_TARGET_CENTRE] = "centre", [DUNLIN_TARGET_GROUP_CENTRE] = "group_centre",
      [DUNLIN_TARGET_GROUP_VELOCITY] = "group_velocity", [DUNLIN_TARGET_GROUP_LEADER] = "group_leader");
NAMES(prediction, [DUNLIN_PREDICTION_FIXED] = "fixed", [DUNLIN_PREDICTION_BY_DISTANCE] = "by-distance");
NAMES(corner, [DUNLIN_CORNER_ALL] = "all", [DUNLIN_CORNER_LAST] = "last");
NAMES(off_segment, [DUNLIN_OFF_SEGMENT_CLAMP] = "clamp", [DUNLIN_OFF_SEGMENT_END] = "end", [DUNLIN_OFF_SEGMENT_NEXT] = "next");
NAMES(signal, [DUNLIN_SIGNAL_NEIGHBOURS] = "neighbours", [DUNLIN_SIGNAL_NEAREST] = "nearest",
      [DUNLIN_SIGNAL_ALIGNMENT] = "alignment", [DUNLIN_SIGNAL_SEES] = "sees", [DUNLIN_SIGNAL_SPEED] = "speed",
      [DUNLIN_SIGNAL_ATTRIBUTE] = "attribute", [DUNLIN_SIGNAL_FIELD] = "field");
NAMES(adapt, [DUNLIN_ADAPT_LINEAR] = "linear", [DUNLIN_ADAPT_THRESHOLD] = "threshold");

_Static_assert(sizeof role_words / sizeof *role_words == DUNLIN_ROLE_COUNT, "every role has a word");
_Static_assert(sizeof field_words / sizeof *field_words == DUNLIN_FIELD_COUNT, "every kind of field has a word");

void dun_names_list(const dun_names *names, char *text, size_t size) {
    size_t length = 0;
    for (int i = 0; i < names->count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", names->words[i]);
}

dunlin_result dun_check_choice(int value, const char *field, const dun_names *names, dunlin_error *error) {
    char allowed[256];
    if (value >= 0 && value < names->count) return DUNLIN_OK;
    dun_names_list(names, allowed, sizeof allowed);
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %d: it must be one of %s", field, value, allowed);
}
