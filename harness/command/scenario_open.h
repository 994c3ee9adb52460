/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCENARIO_OPEN_H
#define DUNLIN_HARNESS_SCENARIO_OPEN_H

#include <dunlin/cluster.h>
#include <dunlin/scenario.h>

/*
 * Opens the scenario that a user names: a path, the name of a shipped one, or "-", standard input. Rank 0 reads it for all,
 * which all make this call. `def`, without a name, may be NULL; so may `transport`: there is one rank.
 */
dunlin_result scenario_open(const char *name, const dunlin_scenario_def *def, const dunlin_transport *transport,
                            dunlin_scenario **scenario, dunlin_error *error);

/* Claims the files that the scenario reads: harness/report/claim.h. */
dunlin_result scenario_claim_files(const dunlin_scenario *scenario, dunlin_error *error);

#endif
