/* SPDX-License-Identifier: MIT */
#include "harness/command/scenario_open.h"
#include "harness/command/scenario_find.h"
#include "harness/report/claim.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/report/path.h"
#include "harness/report/broadcast.h"

#include <stdlib.h>
#include <string.h>

typedef struct source {
    char *path, *text; /* path: as messages have it, with its terminator */
    size_t path_bytes, length;
} source;

static dunlin_result read_source(source *from, const char *name, dunlin_error *error) {
    char *path = NULL;
    dunlin_result result = scenario_find(name, &path, error);
    if (result == DUNLIN_OK) result = input_read_text("the scenario", path, &from->text, &from->length, error);
    if (result == DUNLIN_OK && !(from->path = strdup(input_name(path))))
        result = bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a path");
    if (result == DUNLIN_OK) from->path_bytes = strlen(from->path) + 1;
    free(path);
    return result;
}

dunlin_result scenario_open(const char *name, const dunlin_scenario_def *def, const dunlin_transport *transport,
                            dunlin_scenario **scenario, dunlin_error *error) {
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_scenario_def named = def ? *def : dunlin_scenario_def_default();
    source from = {.path = NULL};
    *scenario = NULL;
    if (!transport) transport = &alone;
    dunlin_result result = transport->rank == 0 ? read_source(&from, name, error) : DUNLIN_OK;
    result = broadcast_bytes(transport, result, &from.path, &from.path_bytes, error);
    if (result == DUNLIN_OK) result = broadcast_bytes(transport, result, &from.text, &from.length, error);
    named.name = from.path;
    if (result == DUNLIN_OK) result = dunlin_scenario_open_text(from.text, from.length, &named, scenario, error);
    free(from.path);
    free(from.text);
    return result;
}

dunlin_result scenario_claim_files(const dunlin_scenario *scenario, dunlin_error *error) {
    const char *own = dunlin_scenario_path(scenario), *name;
    const int folder = (int)(path_name(own) - own);
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 0; result == DUNLIN_OK && (name = dunlin_scenario_file_at(scenario, i)); i++) {
        char *path;
        if (asprintf(&path, "%.*s%s", *name == '/' ? 0 : folder, own, name) < 0)
            return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a path");
        result = claim_input("a file of the scenario", path, error);
        free(path);
    }
    return result;
}
