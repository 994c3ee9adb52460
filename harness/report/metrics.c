/* SPDX-License-Identifier: MIT */
#include "harness/report/metrics.h"

#include <string.h>

#define COUNT(member)  offsetof(metrics_row, flock.member), true, METRICS_FLOCK
#define NUMBER(member) offsetof(metrics_row, flock.member), false, METRICS_FLOCK
#define SURVEY(member) offsetof(metrics_row, member), false

const metrics_column metrics_columns[] = {
    {"agents", "agents", COUNT(agents)},
    {"polarization", "polarization", NUMBER(polarization)},
    {"rotation", "rotation", NUMBER(rotation)},
    {"mean_speed", "mean speed", NUMBER(mean_speed)},
    {"mean_neighbours", "mean neighbours", NUMBER(mean_neighbours)},
    {"neighbour_radius", NULL, NUMBER(neighbour_radius)}, /* a setting */
    {"mean_nearest", "mean nearest", NUMBER(mean_nearest)},
    {"outside", "outside", COUNT(outside)},
    {"angular_momentum_x", NULL, NUMBER(angular_momentum[0])}, /* 0 in 2D */
    {"angular_momentum_y", NULL, NUMBER(angular_momentum[1])},
    {"angular_momentum_z", "angular momentum z", NUMBER(angular_momentum[2])},
    {"groups", "groups", SURVEY(groups), METRICS_GROUPS},
    {"largest_group", "largest group", SURVEY(largest_group), METRICS_GROUPS},
    {"mean_group_size", "mean group", SURVEY(mean_group_size), METRICS_GROUPS},
    {"typical_group_size", "typical group", SURVEY(typical_group_size), METRICS_GROUPS},
    {"group_radius", NULL, SURVEY(group_radius), METRICS_GROUPS},
    {"density", "density", SURVEY(density), METRICS_DENSITY},
    {"density_deviation", "± density", SURVEY(density_deviation), METRICS_DENSITY},
    {"box_size", NULL, SURVEY(box_size), METRICS_DENSITY},
    {"fluctuation_exponent", "exponent", SURVEY(fluctuation_exponent), METRICS_DENSITY},
    {"velocity_fluctuation", "± velocity", SURVEY(velocity_fluctuation), METRICS_CORRELATION},
    {"correlation_length", "correlation length", SURVEY(correlation_length), METRICS_CORRELATION},
    {"correlation_radius", NULL, SURVEY(correlation_radius), METRICS_CORRELATION},
    {"mean_squared_displacement", "squared displacement", SURVEY(mean_squared_displacement), METRICS_DISPLACEMENT},
    {"kin_groups", "kin groups", SURVEY(kin_groups), METRICS_KIN},
    {"kin_size", "kin size", SURVEY(kin_size), METRICS_KIN},
    {"kin_spread", "kin spread", SURVEY(kin_spread), METRICS_KIN},
    {"kin_polarization", "kin polarization", SURVEY(kin_polarization), METRICS_KIN},
    {0},
};

const metrics_column *metrics_find(const char *name) {
    for (const metrics_column *column = metrics_columns; column->name; column++)
        if (strcmp(column->name, name) == 0) return column;
    return NULL;
}

double metrics_value(const metrics_row *row, const metrics_column *column) {
    const void *at = (const char *)row + column->offset;
    return column->is_count ? (double)*(const uint64_t *)at : *(const double *)at;
}
