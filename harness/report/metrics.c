/* SPDX-License-Identifier: MIT */
#include "harness/report/metrics.h"

#include <string.h>

#define COUNT(member)  offsetof(dunlin_metrics, member), true
#define NUMBER(member) offsetof(dunlin_metrics, member), false

const metrics_column metrics_columns[] = {
    {"agents", "agents", COUNT(agents)},
    {"polarization", "polarization", NUMBER(polarization)},
    {"rotation", "rotation", NUMBER(rotation)},
    {"mean_speed", "mean speed", NUMBER(mean_speed)},
    {"mean_neighbours", "mean neighbours", NUMBER(mean_neighbours)},
    {"neighbour_radius", NULL, NUMBER(neighbour_radius)}, /* a setting */
    {"mean_nearest", "mean nearest", NUMBER(mean_nearest)},
    {"outside", "outside", COUNT(outside)},
    {0},
};

const metrics_column *metrics_find(const char *name) {
    for (const metrics_column *column = metrics_columns; column->name; column++)
        if (strcmp(column->name, name) == 0) return column;
    return NULL;
}

double metrics_value(const dunlin_metrics *metrics, const metrics_column *column) {
    const void *at = (const char *)metrics + column->offset;
    return column->is_count ? (double)*(const uint64_t *)at : *(const double *)at;
}
