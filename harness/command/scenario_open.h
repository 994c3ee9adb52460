/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCENARIO_OPEN_H
#define DUNLIN_HARNESS_SCENARIO_OPEN_H

#include <dunlin/cluster.h>
#include <dunlin/scenario.h>
#include "harness/command/options.h"

/*
 * Opens the scenario that a user names: a path, the name of a shipped one, or "-", standard input. Rank 0 reads it for all,
 * which all make this call. `def`, without a name, may be NULL; so may `transport`: there is one rank.
 */
dunlin_result scenario_open(const char *name, const dunlin_scenario_def *def, const dunlin_transport *transport,
                            dunlin_scenario **scenario, dunlin_error *error);

/* Claims the files that the scenario reads: harness/report/claim.h. */
dunlin_result scenario_claim_files(const dunlin_scenario *scenario, dunlin_error *error);

/* The scenario as dunlin_scenario_write() has it, in memory that the caller frees; NULL: out of memory. */
char *scenario_text(const dunlin_scenario *scenario, dunlin_error *error);

/* Values of a scenario that the command line changes: --set PATH=VALUE. */

#define ROW_SET(to)                                                                                                            \
    ROW("set", OPTION_LIST, to, "PATH=VALUE",                                                                                  \
        "change a value of the scenario, such as species.starlings.max_speed=0.7 or world.size=[200,100]; may be repeated")

/* Whether each has a path and a value; if not, reports it. */
bool settings_check(const option_list *settings);

/* Changes the scenario; it is checked as a file would be. The message of a failure names the option and the path. */
dunlin_result settings_apply(const option_list *settings, dunlin_scenario *scenario, dunlin_error *error);

#endif
