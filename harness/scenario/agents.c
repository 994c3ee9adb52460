/* SPDX-License-Identifier: MIT */
/* The agents of a scenario: those that are there from the start, and those that are born during a run. */
#include "harness/scenario/build.h"

#include <inttypes.h>
#include <math.h>

/* ---- from the start --------------------------------------------------------------------------------------------------- */

/*
 * Divides `total` in proportion to weights that are given one after another. Cutting the running sum, instead of rounding each
 * part, makes the parts add up to the total.
 */
typedef struct sharing {
    double total;
    double all_weights;
    double weights_so_far;
    double given;
} sharing;

static uint32_t next_share(sharing *share, double weight) {
    share->weights_so_far += weight;
    const double cut = floor(share->total * (share->weights_so_far / share->all_weights) + 0.5);
    const double part = cut - share->given;
    share->given = cut;
    return (uint32_t)part;
}

/* A ball's radius is one number; unless the file gives it, it is the largest that fits into the world. */
static bool check_extent(dunlin_simulation *simulation, const slot *start, dunlin_scatter_def *def) {
    const unsigned axes = dun_axes(simulation), wanted = def->region == DUNLIN_REGION_BALL ? 1 : axes;
    for (unsigned a = 1; a < axes && wanted == 1; a++) def->extent[0] = fminf(def->extent[0], def->extent[a]);
    if (!start || !has(start, "extent")) return true;
    const slot *extent = dun_field(start, "extent");
    if (extent->count != wanted)
        return FAIL(simulation, extent, "the list has %u numbers; allowed here: %u", extent->count, wanted);
    for (unsigned a = 0; a < wanted; a++) def->extent[a] = (float)dun_inside(extent, a)->number;
    return true;
}

bool dun_read_start(dunlin_simulation *simulation, int species, const slot *start, dunlin_scatter_def *def) {
    const dunlin_species_def kind = dunlin_world_get_species(simulation->world, species);
    const bool moves = start && has(start, "velocity");
    *def = dunlin_scatter_def_default(simulation->world);
    def->min_speed = moves ? 0.0f : kind.min_speed;
    def->max_speed = moves ? 0.0f : kind.max_speed;
    return (!start || dun_bind(simulation, start, def)) && check_extent(simulation, start, def);
}

/* `start` is NULL for the whole world; `blamed` is the entry that messages are about. */
static bool scatter(dunlin_simulation *simulation, int species, const slot *start, const slot *blamed, uint32_t count) {
    dunlin_scatter_def def;
    if (!dun_read_start(simulation, species, start, &def)) return false;
    def.count = count;
    return dun_located(simulation, blamed, "scatter",
                       dunlin_world_scatter(simulation->world, species, &def, simulation->error));
}

static double all_shares(const slot *starts) {
    double sum = 0.0;
    for (uint32_t i = 0; i < starts->count; i++) sum += number_of(dun_inside(starts, i), "share");
    return sum;
}

static bool check_shares(dunlin_simulation *simulation, const slot *starts) {
    return all_shares(starts) > 0.0 || FAIL(simulation, starts, "every share is 0; allowed: more than 0 in total");
}

static bool check_start(dunlin_simulation *simulation, const slot *start) {
    return scatter(simulation, (int)dun_position(dun_parent(dun_parent(start))), start, start, 0);
}

bool dun_check_starts(dunlin_simulation *simulation, const slot *species) {
    const slot *starts = dun_field(species, "start");
    return (starts->count == 0 || dun_try(simulation, starts, check_shares)) && dun_put_all(simulation, starts, check_start);
}

static bool place_species(dunlin_simulation *simulation, const slot *entry, uint32_t count) {
    const int species = (int)dun_position(entry);
    const slot *starts = dun_field(entry, "start");
    if (starts->count == 0) return scatter(simulation, species, NULL, entry, count);
    bool done = dunlin_world_reserve(simulation->world, species, count, simulation->error) == DUNLIN_OK;
    sharing share = {.total = count, .all_weights = all_shares(starts)};
    if (done && !check_shares(simulation, starts)) return false;
    for (uint32_t i = 0; done && i < starts->count; i++) {
        const slot *start = dun_inside(starts, i);
        done = scatter(simulation, species, start, start, next_share(&share, number_of(start, "share")));
    }
    return done;
}

static bool check_max(dunlin_simulation *simulation, double agents, const char *when) {
    if (agents <= (double)simulation->files.max_agents) return true;
    return FAIL(simulation, dun_part(simulation, "species"), "there are %.0f agents %s; the caller allows %" PRIu32, agents,
                when, simulation->files.max_agents);
}

static double agents_of(const slot *species) {
    return (double)dun_field(species, "agents")->whole;
}

static double all_agents(const tree *file) {
    const slot *all = dun_field(file->slots, "species");
    double sum = 0.0;
    for (uint32_t i = 0; i < all->count; i++) sum += agents_of(dun_inside(all, i));
    return sum;
}

bool dun_divide_agents(tree *file, uint32_t total, dunlin_error *error) {
    const slot *all = dun_field(file->slots, "species");
    sharing share = {.total = total, .all_weights = all_agents(file)};
    if (share.all_weights <= 0.0 && total > 0)
        return dun_fail_at(file->name, all, DUNLIN_ERROR_FILE, error,
                           "no species has agents here, so %" PRIu32 " agents cannot be divided among them", total);
    for (uint32_t i = 0; i < all->count && share.all_weights > 0.0; i++) {
        const slot *agents = dun_field(dun_inside(all, i), "agents");
        dun_set_whole(file, agents, next_share(&share, (double)agents->whole));
    }
    return true;
}

bool dun_place_agents(dunlin_simulation *simulation) {
    const slot *all = dun_part(simulation, "species");
    if (simulation->def.agents && !dun_divide_agents(&simulation->file, *simulation->def.agents, simulation->error))
        return false;
    const double total = all_agents(&simulation->file);
    bool done = check_max(simulation, total, "at the start");
    for (uint32_t i = 0; i < all->count && total > 0.0 && done; i++)
        done = place_species(simulation, dun_inside(all, i), (uint32_t)dun_field(dun_inside(all, i), "agents")->whole);
    return done;
}

/* ---- growth ----------------------------------------------------------------------------------------------------------- */

static growth growth_of(dunlin_simulation *simulation, const slot *entry) {
    growth def = {.max_agents = UINT32_MAX, .end = UINT64_MAX};
    dun_bind(simulation, entry, &def);
    return def;
}

static const slot *species_of(const slot *entry) {
    return dun_parent(dun_parent(entry));
}

/* Where the file does not say, agents are born where the first of their species start. */
static bool give_birth(dunlin_simulation *simulation, const slot *entry, uint32_t count) {
    const slot *own = dun_field(entry, "start"), *starts = dun_field(species_of(entry), "start");
    const slot *start = own->line > 0 ? own : starts->count > 0 ? dun_inside(starts, 0) : NULL;
    return scatter(simulation, (int)dun_position(species_of(entry)), start, own->line > 0 ? own : entry, count);
}

/* From the step alone, so that a state that is read back continues as it would have. */
static uint32_t count_due(const growth *def, uint64_t step, uint32_t there) {
    if (step < def->begin || step >= def->end || there >= def->max_agents) return 0;
    const double steps = (double)(step - def->begin);
    const double due = floor(def->per_step * (steps + 1.0)) - floor(def->per_step * steps);
    return (uint32_t)fmin(due, (double)(def->max_agents - there));
}

/* On all ranks. */
static uint32_t count_agents(const dunlin_simulation *simulation, int species) {
    const dunlin_transport *t = &simulation->transport;
    uint64_t count = dunlin_world_view(simulation->world, species).count;
    if (t->ranks > 1) t->all_reduce(t->context, &count, 1);
    return (uint32_t)count;
}

static bool grow(dunlin_simulation *simulation, const slot *entry) {
    const growth def = growth_of(simulation, entry);
    const uint32_t there = count_agents(simulation, (int)dun_position(species_of(entry)));
    const uint32_t count = count_due(&def, dunlin_world_stats(simulation->world).step, there);
    return count == 0 || give_birth(simulation, entry, count);
}

/* Calls it for all growth of all species. */
static bool for_growth(dunlin_simulation *simulation, dun_put_fn *put) {
    const slot *all = dun_part(simulation, "species");
    bool done = true;
    for (uint32_t i = 0; i < all->count && done; i++)
        done = dun_put_all(simulation, dun_field(dun_inside(all, i), "growth"), put);
    return done;
}

bool dun_grow(dunlin_simulation *simulation) {
    return for_growth(simulation, grow);
}

bool dun_grows(dunlin_simulation *simulation) {
    const slot *all = dun_part(simulation, "species");
    bool any = false;
    for (uint32_t i = 0; i < all->count; i++) any = any || dun_field(dun_inside(all, i), "growth")->count > 0;
    return any;
}

static bool check_growth(dunlin_simulation *simulation, const slot *entry) {
    const growth def = growth_of(simulation, entry);
    simulation->max_births += ceil(def.per_step);
    if (def.end <= def.begin) return FAIL_FIELD(simulation, entry, "end", "it is not after begin; allowed: a later step");
    return give_birth(simulation, entry, 0);
}

bool dun_check_growth(dunlin_simulation *simulation) {
    return for_growth(simulation, check_growth) && check_max(simulation, simulation->max_births, "born in a step");
}
