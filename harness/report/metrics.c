/* SPDX-License-Identifier: MIT */
#include "harness/report/metrics.h"

#include <string.h>

#define COUNT(member)  offsetof(metrics_row, flock.member), true, METRICS_FLOCK
#define NUMBER(member) offsetof(metrics_row, flock.member), false, METRICS_FLOCK
#define SURVEY(member) offsetof(metrics_row, member), false

static const char length[] = "world units", speed[] = "world units/time";

const metrics_column metrics_columns[] = {
    {"agents", "agents", COUNT(agents), NULL},
    {"polarization", "polarization", NUMBER(polarization), NULL},
    {"rotation", "rotation", NUMBER(rotation), NULL},
    {"mean_speed", "mean speed", NUMBER(mean_speed), speed},
    {"mean_neighbours", "mean neighbours", NUMBER(mean_neighbours), NULL},
    {"neighbour_radius", NULL, NUMBER(neighbour_radius), length}, /* a setting */
    {"mean_nearest", "mean nearest", NUMBER(mean_nearest), length},
    {"outside", "outside", COUNT(outside), "agents"},
    {"angular_momentum_x", NULL, NUMBER(angular_momentum[0]), "world units²/time"}, /* 0 in 2D */
    {"angular_momentum_y", NULL, NUMBER(angular_momentum[1]), "world units²/time"},
    {"angular_momentum_z", "angular momentum z", NUMBER(angular_momentum[2]), "world units²/time"},
    {"groups", "groups", SURVEY(groups), METRICS_GROUPS, NULL},
    {"largest_group", "largest group", SURVEY(largest_group), METRICS_GROUPS, "agents"},
    {"mean_group_size", "mean group", SURVEY(mean_group_size), METRICS_GROUPS, "agents"},
    {"typical_group_size", "typical group", SURVEY(typical_group_size), METRICS_GROUPS, "agents"},
    {"group_radius", NULL, SURVEY(group_radius), METRICS_GROUPS, length},
    {"density", "density", SURVEY(density), METRICS_DENSITY, "per area or volume"},
    {"density_deviation", "± density", SURVEY(density_deviation), METRICS_DENSITY, "per area or volume"},
    {"box_size", NULL, SURVEY(box_size), METRICS_DENSITY, length},
    {"fluctuation_exponent", "exponent", SURVEY(fluctuation_exponent), METRICS_DENSITY, NULL},
    {"velocity_fluctuation", "± velocity", SURVEY(velocity_fluctuation), METRICS_CORRELATION, speed},
    {"correlation_length", "correlation length", SURVEY(correlation_length), METRICS_CORRELATION, length},
    {"correlation_radius", NULL, SURVEY(correlation_radius), METRICS_CORRELATION, length},
    {"mean_squared_displacement", "squared displacement", SURVEY(mean_squared_displacement), METRICS_DISPLACEMENT,
     "world units²"},
    {"kin_groups", "kin groups", SURVEY(kin_groups), METRICS_KIN, NULL},
    {"kin_size", "kin size", SURVEY(kin_size), METRICS_KIN, "agents"},
    {"kin_spread", "kin spread", SURVEY(kin_spread), METRICS_KIN, length},
    {"kin_polarization", "kin polarization", SURVEY(kin_polarization), METRICS_KIN, NULL},
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
