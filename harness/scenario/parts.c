/* SPDX-License-Identifier: MIT */
/* The parts of a file, each with the function that puts it into the world. */
#include "harness/scenario/build.h"

#include <string.h>

/* In this order, for entries refer to what comes before. */
static const struct {
    const char *name;
    dun_put_fn *put;
} parts[] = {{"world", dun_put_world},          {"species", dun_put_species},    {"interactions", dun_put_interaction},
             {"fields", dun_put_field},         {"paths", dun_add_path},         {"obstacles", dun_add_obstacle},
             {"behaviours", dun_put_behaviour}, {"species", dun_add_attributes}, {"behaviours", dun_check_adapt},
             {"lives", dun_put_life},           {"models", dun_put_model},       {"meals", dun_put_meal},
             {"fields", dun_put_trace}};

bool dun_put_parts(dunlin_simulation *simulation) {
    bool done = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && done; i++) {
        const slot *part = dun_part(simulation, parts[i].name);
        if (parts[i].put == dun_add_attributes)
            done = dun_visit_all(simulation, part, parts[i].put);
        else if (part->type == VALUE_LIST)
            done = dun_put_all(simulation, part, parts[i].put);
        else
            done = simulation->all ? dun_try(simulation, part, parts[i].put) : parts[i].put(simulation, part);
    }
    return done;
}

bool dun_put_entry(dunlin_simulation *simulation, const slot *entry) {
    size_t i = 0;
    while (strcmp(parts[i].name, entry->row->name) != 0) i++;
    return parts[i].put(simulation, entry);
}
