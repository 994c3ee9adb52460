/* SPDX-License-Identifier: MIT */
#include "harness/command/ranks.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"

#include <stdio.h>
#include <stdlib.h>

/* The variables of MPICH and its relatives, Open MPI, PMIx and Slurm, and the greatest number that a lone process finds there:
 * most are a number of processes, and one is the number of this process. */
static const struct {
    const char *name;
    uint64_t alone;
} variables[] = {{"PMI_SIZE", 1}, {"OMPI_COMM_WORLD_SIZE", 1}, {"SLURM_STEP_NUM_TASKS", 1}, {"PMIX_RANK", 0}};

/* The first one that says that there are others, and what it says. */
static const char *name;
static char value[24];

void launcher_note(void) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables && !name; i++) {
        const char *text = getenv(variables[i].name);
        uint64_t number;
        if (!text || !number_parse(text, variables[i].alone + 1, UINT32_MAX, &number)) continue;
        name = variables[i].name;
        snprintf(value, sizeof value, "%s", text);
    }
}

bool launcher_check(const command_ranks *ranks) {
    if (!name || ranks->ranks > 1) return true;
    if (!*ranks->mpi) {
        message_print("warning: %s is %s: a launcher has started several copies of dunlin, each of which runs alone; "
                      "dunlin-mpi runs one flock on all of them",
                      name, value);
        return true;
    }
    message_print(
        "%s is %s, but %s finds one rank: start dunlin-mpi with the mpirun of that MPI, or unset %s to run on one rank", name,
        value, ranks->mpi, name);
    return false;
}
