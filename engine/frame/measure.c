/* SPDX-License-Identifier: MIT */
/* Measuring, in a frame and between frames. */
#include "engine/frame/measure.h"

#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/parallel.h"
#include "engine/cluster/cluster.h"
#include "engine/frame/stages.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

/* In cells far smaller than the distances between agents the search for the nearest is long; in far larger ones a dense flock
 * in a large world is crowded. So a cell is no smaller than this part of the spacing in an even spread. */
#define SPACING_SHARE 64.0f

/* ---- one species ------------------------------------------------------------------------------------------------------ */

static dun_measured measured_of(const dunlin_world *world, int species, dun_totals *totals) {
    const uint32_t agents = world->species[species]->count;
    dun_measured m = {.world = world,
                      .species = species,
                      .end = agents,
                      .held = agents,
                      .count = agents,
                      .radius = dun_species_own_radius(world, species),
                      .space = dun_species_space(world, species, agents),
                      .motion = {.dimensions = world->def.dimensions},
                      .totals = totals};
    for (int a = 0; a < 3; a++)
        m.motion.size[a] = a < world->def.dimensions && dun_repeats(&world->def, a) ? (double)world->def.size[a] : 0.0;
    return m;
}

static void set_agents(dun_measured *m, const dun_agents *agents) {
    m->agents = agents;
    for (int a = 0; a < m->motion.dimensions; a++) {
        m->motion.position[a] = agents->position[a];
        m->motion.velocity[a] = agents->velocity[a];
    }
}

static float min_radius(const dun_measured *m) {
    return dun_world_spacing(m->world, m->count) / SPACING_SHARE;
}

/* Sorts a copy of the agents into cells of their own, which may be other ones than a frame's. false: no memory. */
static bool sort(dun_measured *m) {
    const dunlin_world *world = m->world;
    const dun_species *species = world->species[m->species];
    m->space.radius = fmaxf(m->space.radius, min_radius(m));
    if (!species->index->type->reserve(species->index, &m->space, m->held, world->executor.workers)) return false;
    set_agents(m, &species->buffer[dun_species_snapshot(world, m->species, &m->space, false)]);
    return true;
}

dunlin_result dun_measure_alone(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error) {
    dun_totals *totals = dun_allocate_zeros(world->heap, world->executor.workers, sizeof *totals);
    dun_measured m = measured_of(world, species, totals);
    const bool whole = totals && (m.count == 0 || sort(&m));
    if (whole && m.count) {
        dun_measure_centre(&m, world->executor.run);
        dun_measure_tiles(&m);
    }
    if (whole) *metrics = dun_measure_metrics(&m);
    dun_free(totals);
    return whole ? DUNLIN_OK : dun_fail_memory(error, "a measurement");
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

bool dun_measure_reserve(dunlin_world *world) {
    if (!world->measuring) world->measuring = dun_allocate_zeros(world->heap, 1, sizeof *world->measuring);
    struct dun_measuring *all = world->measuring;
    const uint64_t totals = (uint64_t)world->species_count * world->executor.workers;
    return all && dun_asking_reserve(world) &&
           dun_array_fit(world->heap, &all->totals, &all->totals_room, totals, sizeof *all->totals);
}

/* ---- a flock in parts, as a whole ------------------------------------------------------------------------------------- */

void dun_measure_finish(dunlin_world *world, bool asked) {
    struct dun_measuring *all = world->measuring;
    all->species_count = world->species_count;
    all->asked = asked;
    all->done = true;
}

dunlin_result dun_measure_gathered(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    struct dun_measuring *all = world->measuring;
    result = dun_agree(world, result, error);
    if (!result) result = dun_gather(world, error);
    if (result) return result;
    const dunlin_transport *t = &world->cluster->transport;
    for (int s = 0; s < world->species_count && t->rank == 0 && !result; s++)
        result = dun_measure_alone(world, s, &all->metrics[s], error);
    dun_ungather(world, NULL);
    t->broadcast(t->context, 0, all->metrics, (uint64_t)world->species_count * sizeof *all->metrics);
    result = dun_agree(world, result, error);
    if (result) return result;
    dun_measure_finish(world, false);
    return DUNLIN_OK;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

/* Whether the frame's cells, in the snapshot of all agents, are good for measuring. In a part no others can be had. */
static bool suits(const dun_measured *m) {
    const dun_species *species = m->world->species[m->species];
    if (m->world->transport) return true;
    return species->indexed && m->count > 0 && species->own_begin == 0 && species->own_end >= species->count &&
           m->space.radius >= min_radius(m);
}

/* The interaction that sees all neighbours within the radius; NULL: there is none. */
static const dun_interaction *interaction_for(const dun_measured *m) {
    const dunlin_world *world = m->world;
    if (dun_attribute_of_role(world->species[m->species], DUNLIN_ROLE_RADIUS_SCALE) >= 0) return NULL;
    for (int i = 0; i < world->interaction_count; i++) {
        const dun_interaction *interaction = &world->interactions[i];
        const dun_look *look = &interaction->look;
        if (look->observer == m->species && look->observed == m->species && look->radius == m->radius &&
            interaction->sums_over == DUN_SUMS_NEIGHBOURS && !interaction->kin && !interaction->def.sight_blocked)
            return interaction;
    }
    return NULL;
}

/* A boundary that comes first has no part in the state that is measured. */
static dunlin_result begin_measuring(dun_frame *f) {
    dunlin_world *world = f->world;
    struct dun_measuring *all = world->measuring;
    dunlin_result result = DUNLIN_OK;
    if (!dun_measure_reserve(world)) return dun_fail_memory(f->error, "a measurement"); /* there may be another species */
    f->measured = all->species;
    memset(all->totals, 0, all->totals_room * sizeof *all->totals);
    for (int s = 0; s < world->species_count && !result; s++) {
        dun_measured *m = &all->species[s];
        *m = measured_of(world, s, all->totals + (uint32_t)s * world->executor.workers);
        m->in_frame = !world->def.boundary_first && suits(m);
        if (!m->in_frame) result = dun_measure_alone(world, s, &all->metrics[s], f->error);
        m->interaction = m->in_frame ? interaction_for(m) : NULL;
        if (m->interaction) m->shape = m->interaction->shape;
        m->shape.nearest = true;
    }
    return result;
}

/* dun_measure_gathered() is collective, so a rank that has failed calls it, too. */
void dun_measure_begin(dun_frame *f) {
    const dunlin_world *world = f->world;
    if (!world->measuring || !world->measuring->asked) return;
    if (world->transport && world->def.boundary_first)
        f->status = dun_measure_gathered(f->world, f->status, f->error);
    else if (!f->status)
        f->status = begin_measuring(f);
}

/* In a part: its own agents, of all that it holds. */
static void begin_part(dun_frame *f, dun_measured *m) {
    const dun_species *species = f->world->species[m->species];
    m->begin = f->own_begin[m->species];
    m->end = f->own_end[m->species];
    m->held = species->count;
    m->count = species->whole_count;
    m->asks = f->world->transport->ranks > 1;
    if (!species->indexed && m->held && !sort(m)) {
        f->status = dun_fail_memory(f->error, "a measurement");
        m->begin = m->end = m->held = 0;
    }
    dun_asking_begin(m);
}

static void take_answers(dun_frame *f) {
    const dunlin_result result = f->world->transport ? dun_asking_answer(f->world, f->error) : DUNLIN_OK;
    if (!f->status) f->status = result;
}

/* In a part, species without cells in the frame are measured at once, while the room of their next state is free. */
void dun_measure_centres(dun_frame *f) {
    bool at_once = false;
    for (int s = 0; s < f->world->species_count && f->measured; s++) {
        dun_measured *m = &f->measured[s];
        if (!m->in_frame) continue;
        set_agents(m, f->snapshot[s]);
        if (f->world->transport) begin_part(f, m);
        if (m->count) dun_measure_centre(m, f->alone ? dun_parallel_run_here : f->world->executor.run);
        m->by_tiles = f->world->species[s]->indexed;
        if (m->by_tiles) continue;
        dun_measure_tiles(m);
        at_once = true;
    }
    if (at_once) take_answers(f);
}

void dun_observe_tile(const dun_frame *f, const dun_tile *tile) {
    const dun_measured *m = f->measured ? &f->measured[tile->species] : NULL;
    if (!m || !m->by_tiles) return;
    dun_measure_tile(m, tile->begin, tile->end, m->interaction, tile->scratch);
    dun_lap(tile->scratch, &tile->scratch->ns_measure);
}

/* Without a snapshot all ranks have failed. */
void dun_measure_sum(dun_frame *f) {
    if (!f->measured || !f->at.sorted) return;
    take_answers(f);
    for (int s = 0; s < f->world->species_count; s++)
        if (f->measured[s].in_frame) f->world->measuring->metrics[s] = dun_measure_metrics(&f->measured[s]);
}

void dun_measure_end(const dun_frame *f) {
    if (f->measured) dun_measure_finish(f->world, false);
}
