/* SPDX-License-Identifier: MIT */
#include "harness/program/run_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- steps that are too short, or too long ---------------------------------------------------------------------------- */

enum {
    COARSE = 1024 /* an agent that nearly rests loses its steps anywhere: only where positions are this coarse that matters */
};

/* How many agents of a species take steps that are less than the distance between positions where they are; *place: the
 * farthest of them. */
static uint32_t count_far(const dunlin_world *world, int species, double *place) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, species);
    const double most = (double)dunlin_world_get_species(world, species).max_speed * (double)def.time_step;
    uint32_t far = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        double speed2 = 0.0;
        float x = 0.0f;
        for (int a = 0; a < def.dimensions; a++) {
            speed2 += (double)view.velocity[a][i] * (double)view.velocity[a][i];
            x = fmaxf(x, fabsf(view.position[a][i]));
        }
        const double step = sqrt(speed2) * (double)def.time_step, apart = (double)nextafterf(x, INFINITY) - (double)x;
        if (!(step > 0.0 && step < apart && most < COARSE * apart)) continue;
        *place = fmax(*place, (double)x);
        far++;
    }
    return far;
}

static void print_far(FILE *file, const dunlin_world *world, int species) {
    double place = 0.0;
    const uint32_t far = count_far(world, species, &place);
    if (far == 0) return;
    fprintf(file,
            "  far out      %" PRIu32 " of %" PRIu32
            " %s are up to %.3g world units from the origin, where a step of theirs is lost or rounded\n",
            far, dunlin_world_view(world, species).count, dunlin_world_get_species(world, species).name, place);
}

/* How many agents of a species cross the whole world in a step, along any axis. */
static uint32_t count_fast(const dunlin_world *world, int species) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, species);
    uint32_t fast = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        bool is = false;
        for (int a = 0; a < def.dimensions; a++)
            is = is || (dunlin_world_boundary(world, a) != DUNLIN_BOUNDARY_OPEN &&
                        fabs((double)view.velocity[a][i]) * (double)def.time_step > (double)def.size[a]);
        fast += is;
    }
    return fast;
}

static void print_fast(FILE *file, const dunlin_world *world, int species) {
    const uint32_t fast = count_fast(world, species);
    if (fast == 0) return;
    fprintf(file,
            "  too fast     %" PRIu32 " of %" PRIu32
            " %s move by more than the size of the world in a step, and end on its edge\n",
            fast, dunlin_world_view(world, species).count, dunlin_world_get_species(world, species).name);
}

/* ---- crowds ----------------------------------------------------------------------------------------------------------- */

enum {
    CROWDED = 1000,  /* pairs tested per agent */
    CROWD_SHARE = 10 /* a crowd is one agent in so many, or more */
};

/* The largest factor by which attributes of the species scale a rule's radius. */
static float max_scale(const dunlin_world *world, int species, int rule) {
    float scale = 1.0f;
    for (int a = 0; a < dunlin_world_attribute_count(world, species); a++) {
        const dunlin_attribute_def def = dunlin_world_get_attribute(world, species, a);
        const bool of_rule = (int)def.role == DUNLIN_ROLE_SEPARATION_RADIUS_SCALE + rule;
        if (of_rule || def.role == DUNLIN_ROLE_RADIUS_SCALE) scale *= def.max_scale;
    }
    return scale;
}

/* The largest radius at which agents of the species are neighbours. */
static float radius_of(const dunlin_world *world, int species) {
    float radius = 0.0f;
    for (int i = 0; i < dunlin_world_interaction_count(world); i++) {
        const dunlin_interaction_def def = dunlin_world_get_interaction(world, i);
        for (int r = 0; r < DUNLIN_RULE_COUNT && def.observed == species; r++)
            radius = fmaxf(radius, def.rules[r].radius * max_scale(world, def.observer, r));
    }
    return radius;
}

typedef struct cell {
    double at[3]; /* in widths of a cell */
    uint32_t agents;
} cell;

static cell cell_of(const dunlin_view *view, int dimensions, uint32_t agent, float width) {
    cell of = {.agents = 1};
    for (int a = 0; a < dimensions; a++) of.at[a] = floor((double)view->position[a][agent] / (double)width);
    return of;
}

static bool is_same(const cell *a, const cell *b) {
    return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

/*
 * Cells with more than a share of the agents are among these few, in which a new cell takes an agent from each: J. Misra and
 * D. Gries, "Finding repeated elements" (1982). So no memory is needed for all cells.
 */
static void find_candidates(const dunlin_view *view, int dimensions, float width, cell few[CROWD_SHARE]) {
    memset(few, 0, CROWD_SHARE * sizeof *few);
    for (uint32_t i = 0; i < view->count; i++) {
        const cell here = cell_of(view, dimensions, i, width);
        cell *found = NULL, *free_one = NULL;
        for (int c = 0; c < CROWD_SHARE; c++) {
            if (few[c].agents > 0 && is_same(&few[c], &here)) found = &few[c];
            if (few[c].agents == 0) free_one = &few[c];
        }
        if (found)
            found->agents++;
        else if (free_one)
            *free_one = here;
        else
            for (int c = 0; c < CROWD_SHARE; c++) few[c].agents--;
    }
}

/* The fullest cell, if it has at least the share; otherwise one without agents. */
static cell find_crowd(const dunlin_view *view, int dimensions, float width) {
    cell few[CROWD_SHARE], fullest = {.agents = 0};
    find_candidates(view, dimensions, width, few);
    for (int c = 0; c < CROWD_SHARE; c++) few[c].agents = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const cell here = cell_of(view, dimensions, i, width);
        for (int c = 0; c < CROWD_SHARE; c++)
            if (is_same(&few[c], &here)) {
                few[c].agents++;
                break; /* unused ones may name the same cell */
            }
    }
    for (int c = 0; c < CROWD_SHARE; c++)
        if (few[c].agents > view->count / CROWD_SHARE && few[c].agents > fullest.agents) fullest = few[c];
    return fullest;
}

static void print_place(FILE *file, const cell *of, int dimensions, double width, double ahead) {
    for (int a = 0; a < dimensions; a++) fprintf(file, "%s%.4g", a ? ", " : "", (of->at[a] + ahead) * width);
}

static void print_crowd(FILE *file, const dunlin_world *world, int species, double per_agent) {
    const int dimensions = dunlin_world_get_def(world).dimensions;
    const dunlin_view view = dunlin_world_view(world, species);
    const float width = radius_of(world, species);
    if (!(per_agent > CROWDED && width > 0.0f)) return;
    const cell crowd = find_crowd(&view, dimensions, width);
    if (crowd.agents == 0) return;
    fprintf(file, "  crowd        %" PRIu32 " of %" PRIu32 " %s are in one cell, from [", crowd.agents, view.count,
            dunlin_world_get_species(world, species).name);
    print_place(file, &crowd, dimensions, (double)width, 0.0);
    fputs("] to [", file);
    print_place(file, &crowd, dimensions, (double)width, 1.0);
    fprintf(file, "]: a step has tested %.0f pairs per agent\n", per_agent);
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

void run_remarks_print(FILE *file, const dunlin_world *world, const run_totals *totals) {
    const double updates = (double)totals->agent_updates;
    const double per_agent = updates > 0.0 ? (double)totals->pairs_tested / updates : 0.0;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        print_far(file, world, s);
        print_fast(file, world, s);
        print_crowd(file, world, s, per_agent);
    }
}
