/* SPDX-License-Identifier: MIT */
/* Values of a scenario that the command line changes: --set PATH=VALUE. */
#ifndef DUNLIN_HARNESS_SETTINGS_H
#define DUNLIN_HARNESS_SETTINGS_H

#include "harness/command/options.h"

#include <dunlin/scenario.h>

#define ROW_SET(to)                                                                                                            \
    ROW("set", OPTION_LIST, to, "PATH=VALUE",                                                                                  \
        "change a value of the scenario, such as species.starlings.max_speed=0.7 or world.size=[200,100]; may be repeated")

/* Whether each has a path and a value; if not, reports it. */
bool settings_check(const option_list *settings);

/* Changes the scenario; it is checked as a file would be. The message of a failure names the option and the path. */
dunlin_result settings_apply(const option_list *settings, dunlin_scenario *scenario, dunlin_error *error);

#endif
