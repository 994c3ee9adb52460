/* SPDX-License-Identifier: MIT */
/* Models from the literature that a scenario names: behaviours that follow those of the file. */
#include "harness/scenario/builder.h"

#include <stdio.h>

static const char *const names[MODEL_KINDS] = {
    [MODEL_VICSEK] = "vicsek",
    [MODEL_COUZIN] = "couzin",
    [MODEL_CIRCLES] = "circles",
    [MODEL_MATCHING] = "matching",
};

/* The numbers of the one model that the entry names; false: it names none, or several. */
static bool take_model(const scenario_model *file, model *m) {
    const bool named[MODEL_KINDS] = {[MODEL_VICSEK] = file->vicsek,
                                     [MODEL_COUZIN] = file->couzin,
                                     [MODEL_CIRCLES] = file->circles,
                                     [MODEL_MATCHING] = file->matching};
    int count = 0;
    for (int kind = 0; kind < MODEL_KINDS; kind++) {
        if (!named[kind]) continue;
        m->kind = (model_kind)kind;
        count++;
    }
    SET(m->vicsek, file->vicsek);
    SET(m->couzin, file->couzin);
    SET(m->circles, file->circles);
    SET(m->matching, file->matching);
    return count == 1;
}

dunlin_result builder_put_model(const builder *build, unsigned position) {
    const scenario_model *file = &build->script->file->models[position];
    model *m = &build->script->models[position];
    builder_entry e = builder_entry_at(build, "models", position);
    const unsigned first = build->script->file->behaviours_count + build->script->file->lives_count;
    int species;
    if (!take_model(file, m)) return builder_entry_fail(&e, "", "it needs one of vicsek, couzin, circles, matching");
    dunlin_result result = builder_entry_species(&e, file->species, first, position, &species);
    if (result != DUNLIN_OK) return result;
    builder_enter(&e, names[m->kind]);
    result = model_put(build->world, species, (int)(first + position), m, build->error);
    return builder_entry_locate(&e, result, "model");
}
