/* SPDX-License-Identifier: MIT */
/* Writes state files. */
#include <errno.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/replace_file.h"
#include "engine/state/columns.h"
#include "engine/state/preamble.h"
#include "engine/world/world.h"
#include "engine/state/text.h"

static void write_header(const dunlin_world *world, const dun_attribute_names *names, FILE *file) {
    fputs(world->def.dimensions == 3 ? "id,species,x,y,z,vx,vy,vz" : "id,species,x,y,vx,vy", file);
    for (int n = 0; n < names->count; n++) fprintf(file, ",%s", names->name[n]);
    fputc('\n', file);
}

static void write_attributes(const dunlin_world *world, int species, uint32_t agent, const dun_attribute_names *names,
                             FILE *file) {
    const dunlin_view view = dunlin_world_view(world, species);
    for (int n = 0; n < names->count; n++) {
        const int attribute = dunlin_world_find_attribute(world, species, names->name[n]);
        if (attribute < 0)
            fputc(',', file);
        else
            fprintf(file, ",%.9g", (double)view.attribute[attribute][agent]);
    }
}

static void write_agents(const dunlin_world *world, FILE *file) {
    const int dimensions = world->def.dimensions;
    dun_attribute_names names;
    dun_attribute_names_list(world, &names);
    write_header(world, &names, file);
    for (int s = 0; s < world->species_count && !ferror(file); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count; i++) {
            fprintf(file, "%u,%s", view.id[i], world->species[s]->name);
            for (int a = 0; a < dimensions; a++) fprintf(file, ",%.9g", (double)view.position[a][i]);
            for (int a = 0; a < dimensions; a++) fprintf(file, ",%.9g", (double)view.velocity[a][i]);
            write_attributes(world, s, i, &names, file);
            fputc('\n', file);
        }
    }
}

dunlin_result dunlin_world_save(const dunlin_world *world, const char *path, dunlin_error *error) {
    if (!path) return dun_fail(error, DUNLIN_ERROR_VALUE, "path is NULL: it must name a file");
    dun_replacement file;
    locale_t c, before;
    if (!dun_replace_begin(&file, path))
        return dun_fail(error, DUNLIN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    if (!dun_c_locale_enter(&c, &before)) {
        dun_replace_abandon(&file);
        return dun_fail_memory(error, "writing a file");
    }
    dun_preamble_write(world, file.stream);
    write_agents(world, file.stream);
    dun_c_locale_leave(before, c);
    if (dun_replace_commit(&file)) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_FILE, "%s: cannot be written whole: %s", path, strerror(errno));
}
