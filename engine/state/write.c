/* SPDX-License-Identifier: MIT */
/* Writes state files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/c_locale.h"
#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/base/replace_file.h"
#include "engine/state/state.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/use.h"

/* The species' values by column; NULL: it has no such attribute. */
static void list_values(const dunlin_world *world, const dun_state_columns *columns, int species, const float *values[]) {
    const dunlin_view view = dun_view(world, species);
    const int dimensions = world->def.dimensions;
    for (int c = DUN_COLUMN_NUMBERS; c < columns->count; c++) {
        const int value = dun_state_value_of(world, columns, c, species);
        values[c] = value < 0                ? NULL
                    : value < dimensions     ? view.position[value]
                    : value < 2 * dimensions ? view.velocity[value - dimensions]
                                             : view.attribute[value - 2 * dimensions];
    }
}

static void write_agents(const dunlin_world *world, const dun_state_columns *columns, int species, FILE *file) {
    const float *values[DUN_MAX_STATE_COLUMNS];
    const dunlin_view view = dun_view(world, species);
    list_values(world, columns, species, values);
    for (uint32_t i = 0; i < view.count; i++) {
        fprintf(file, "%u,%s", view.id[i], world->species[species]->name);
        for (int c = DUN_COLUMN_NUMBERS; c < columns->count; c++)
            if (values[c])
                fprintf(file, ",%.9g", (double)values[c][i]);
            else
                fputc(',', file);
        fputc('\n', file);
    }
}

static void write_table(const dunlin_world *world, FILE *file) {
    const dun_state_columns columns = dun_state_columns_of(world);
    for (int c = 0; c < columns.count; c++) fprintf(file, "%s%s", c > 0 ? "," : "", columns.name[c]);
    fputc('\n', file);
    for (int s = 0; s < world->species_count && !ferror(file); s++) write_agents(world, &columns, s, file);
}

static void write_state(const dunlin_world *world, FILE *file) {
    DUN_C_LOCALE();
    dun_preamble_write(world, file);
    write_table(world, file);
}

dunlin_result dunlin_world_save(const dunlin_world *world, const char *path, dunlin_error *error) {
    DUN_READ(world, error);
    if (!path) return dun_fail(error, DUNLIN_ERROR_VALUE, "path is NULL: it must name a file");
    const dunlin_result whole = dun_check_whole(world, "saving", error);
    if (whole) return whole;
    dun_replacement file;
    if (!dun_replace_begin(&file, path))
        return dun_fail(error, DUNLIN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    write_state(world, file.stream);
    if (dun_replace_commit(&file)) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_FILE, "%s: cannot be written whole: %s", path, strerror(errno));
}

size_t dunlin_world_preamble(const dunlin_world *world, char *text, size_t size) {
    DUN_OWN_FLOATS();
    if (!dun_may_look(world, __func__)) return 0;
    char *whole = NULL;
    size_t length = 0;
    DUN_C_LOCALE();
    FILE *file = open_memstream(&whole, &length);
    if (file) dun_preamble_write(world, file);
    const bool written = file && fclose(file) == 0;
    if (!written) length = 0;
    if (size) snprintf(text, size, "%s", written ? whole : "");
    free(whole);
    return length;
}
