/* SPDX-License-Identifier: MIT */
/* Measures what is asked for, with lengths that suit the species and the world where none are given. */
#include "harness/report/metrics.h"
#include "harness/report/numbers.h"

#include <math.h>
#include <string.h>

enum {
    BOXES_PER_SIDE = 16, /* of the world's longest side */
    MIN_PER_SIDE = 4,    /* boxes, for the exponent: fewer say little about fluctuations … */
    MIN_PER_BOX = 1,     /* … and so do boxes with fewer agents on average */
    MAX_SIZES = 16,      /* of boxes: each has half the side of the one before */
    EXACT_AGENTS = 4096, /* in a flock of up to so many all pairs are correlated; … */
    SAMPLES = 1000       /* … in a larger one those of so many agents */
};

/* ---- what to measure -------------------------------------------------------------------------------------------------- */

static const char *const names[METRICS_PARTS] = {NULL, "groups", "density", "correlation", "displacement", "kin"};

bool metrics_part_has_length(metrics_part part) {
    return part == METRICS_GROUPS || part == METRICS_DENSITY || part == METRICS_CORRELATION;
}

/* "groups" or "groups=2.5" */
static bool read_part(metrics_meter *meter, char *text) {
    char *length = strchr(text, '=');
    if (length) *length++ = '\0';
    for (int part = METRICS_FLOCK + 1; part < METRICS_PARTS; part++) {
        if (strcmp(text, names[part]) != 0) continue;
        meter->measures[part] = true;
        return !length ||
               (metrics_part_has_length((metrics_part)part) && number_parse_decimal(length, 1e-9, 1e9, &meter->lengths[part]));
    }
    return false;
}

bool metrics_meter_read(metrics_meter *meter, const char *text) {
    char copy[256], *rest = copy;
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    bool is_valid = true;
    while (is_valid && rest) is_valid = read_part(meter, strsep(&rest, ","));
    return is_valid;
}

bool metrics_meter_has(const metrics_meter *meter, const metrics_column *column) {
    return column->part == METRICS_FLOCK || meter->measures[column->part];
}

static bool has_surveys(const metrics_meter *meter) {
    bool any = false;
    for (int part = METRICS_FLOCK + 1; part < METRICS_PARTS; part++) any = any || meter->measures[part];
    return any;
}

bool metrics_meter_in_passing(const metrics_meter *meter) {
    return !meter->at_once && !has_surveys(meter);
}

void metrics_meter_free(metrics_meter *meter) {
    dunlin_survey_destroy(meter->survey);
    dunlin_displacement_destroy(meter->displacement);
    meter->survey = NULL;
    meter->displacement = NULL;
    meter->world = meter->asked = NULL;
}

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

typedef struct measuring {
    const metrics_meter *meter;
    dunlin_world *world;
    int species;
    metrics_row *row;
    metrics_point_fn *point; /* NULL: curves are not wanted */
    void *context;
} measuring;

/* Sizes are sorted. */
static void draw_groups(const measuring *m, const dunlin_components *groups) {
    for (uint32_t begin = groups->count, end = begin; begin > 0; end = begin) {
        while (begin > 0 && groups->sizes[begin - 1] == groups->sizes[end - 1]) begin--;
        m->point(m->context, "groups", groups->sizes[begin], (double)(end - begin) / groups->count, end - begin);
    }
}

static void draw_densities(const measuring *m, const dunlin_density *densities, int count) {
    for (int i = count - 1; i >= 0; i--)
        m->point(m->context, "density", densities[i].mean_count, sqrt(densities[i].count_variance), densities[i].boxes);
}

static void draw_correlation(const measuring *m, const dunlin_correlation *c) {
    for (int k = 0; k < c->bins; k++)
        m->point(m->context, "correlation", (k + 0.5) * c->bin_width, c->correlation[k], c->bin_pairs[k]);
}

/* By default within the radius with which the species observes itself; without one it has no groups. */
static dunlin_result measure_groups(const measuring *m, dunlin_error *error) {
    const double asked = m->meter->lengths[METRICS_GROUPS], radius = asked > 0.0 ? asked : m->row->flock.neighbour_radius;
    dunlin_components groups;
    if (!(radius > 0.0)) return DUNLIN_OK;
    dunlin_result result = dunlin_survey_components(m->meter->survey, m->world, m->species, (float)radius, &groups, error);
    if (result != DUNLIN_OK) return result;
    m->row->groups = groups.count;
    m->row->largest_group = groups.largest;
    m->row->mean_group_size = groups.mean_size;
    m->row->typical_group_size = groups.typical_size;
    m->row->group_radius = radius;
    if (m->point) draw_groups(m, &groups);
    return DUNLIN_OK;
}

static double side_of(const dunlin_world_def *def, bool longest) {
    double side = (double)def->size[0];
    for (int a = 1; a < def->dimensions; a++)
        side = longest ? fmax(side, (double)def->size[a]) : fmin(side, (double)def->size[a]);
    return side;
}

/* Open along every axis. */
static bool is_open(const dunlin_world *world) {
    bool open = true;
    for (int a = 0; a < dunlin_world_get_def(world).dimensions; a++)
        open = open && dunlin_world_boundary(world, a) == DUNLIN_BOUNDARY_OPEN;
    return open;
}

/* Over boxes from a quarter of the longest side down. An open world has no boxes that are always full. */
static dunlin_result measure_exponent(const measuring *m, const dunlin_world_def *def, dunlin_error *error) {
    dunlin_density densities[MAX_SIZES];
    int count = 0;
    if (is_open(m->world)) return DUNLIN_OK;
    for (double size = side_of(def, true) / MIN_PER_SIDE; count < MAX_SIZES; size /= 2.0) {
        dunlin_result result = dunlin_survey_density(m->meter->survey, m->world, m->species, size, &densities[count], error);
        if (result == DUNLIN_ERROR_VALUE || (result == DUNLIN_OK && densities[count].mean_count < MIN_PER_BOX)) break;
        if (result != DUNLIN_OK) return result;
        count++;
    }
    m->row->fluctuation_exponent = dunlin_fluctuation_exponent(densities, count);
    if (m->point) draw_densities(m, densities, count);
    return DUNLIN_OK;
}

/* A flock in an open world may come to need more boxes than there can be. */
static dunlin_result measure_density(const measuring *m, dunlin_error *error) {
    const dunlin_world_def def = dunlin_world_get_def(m->world);
    const double asked = m->meter->lengths[METRICS_DENSITY], size = asked > 0.0 ? asked : side_of(&def, true) / BOXES_PER_SIDE;
    dunlin_density density;
    dunlin_result result = dunlin_survey_density(m->meter->survey, m->world, m->species, size, &density, error);
    if (result == DUNLIN_ERROR_VALUE && is_open(m->world)) return DUNLIN_OK;
    if (result != DUNLIN_OK) return result;
    m->row->density = density.mean_density;
    m->row->density_deviation = sqrt(density.density_variance);
    m->row->box_size = size;
    return measure_exponent(m, &def, error);
}

static dunlin_result measure_correlation(const measuring *m, dunlin_error *error) {
    dunlin_correlation_def def = dunlin_correlation_def_default(m->world);
    dunlin_correlation correlation;
    def.species = m->species;
    if (m->meter->lengths[METRICS_CORRELATION] > 0.0) def.max_radius = (float)m->meter->lengths[METRICS_CORRELATION];
    if (m->row->flock.agents > EXACT_AGENTS) def.samples = SAMPLES;
    dunlin_result result = dunlin_survey_correlation(m->meter->survey, m->world, &def, &correlation, error);
    if (result != DUNLIN_OK) return result;
    m->row->velocity_fluctuation = correlation.fluctuation;
    m->row->correlation_length = correlation.length;
    m->row->correlation_radius = (double)def.max_radius;
    if (m->point) draw_correlation(m, &correlation);
    return DUNLIN_OK;
}

dunlin_result metrics_follow(metrics_meter *meter, const dunlin_world *world, dunlin_error *error) {
    if (!meter->measures[METRICS_DISPLACEMENT]) return DUNLIN_OK;
    return meter->displacement ? dunlin_displacement_follow(meter->displacement, world, error)
                               : dunlin_displacement_create(world, &meter->displacement, error);
}

static dunlin_result measure_displacement(const measuring *m, dunlin_error *error) {
    dunlin_displacements measured;
    dunlin_result result = dunlin_displacement_measure(m->meter->displacement, m->world, m->species, &measured, error);
    if (result == DUNLIN_OK) m->row->mean_squared_displacement = measured.mean_squared;
    return result;
}

/* Of the species' own groups; spread and polarization are means over agents. */
static dunlin_result measure_kin(const measuring *m, dunlin_error *error) {
    dunlin_group_sums sums;
    double groups = 0.0, agents = 0.0, spread = 0.0, polarization = 0.0;
    if (dunlin_world_get_species(m->world, m->species).groups == 0) return DUNLIN_OK;
    dunlin_result result = dunlin_world_sum_groups(m->world, m->species, &sums, error);
    if (result != DUNLIN_OK) return result;
    for (uint32_t g = 0; g < sums.count; g++) {
        const double members = (double)sums.agents[g];
        if (sums.agents[g] == 0) continue;
        groups++;
        agents += members;
        spread += members * (double)sums.spread[g];
        polarization += members * (double)sums.polarization[g];
    }
    m->row->kin_groups = groups;
    if (groups == 0.0) return DUNLIN_OK;
    m->row->kin_size = agents / groups;
    m->row->kin_spread = spread / agents;
    m->row->kin_polarization = polarization / agents;
    return DUNLIN_OK;
}

static dunlin_result make_survey(metrics_meter *meter, dunlin_error *error) {
    return has_surveys(meter) && !meter->survey ? dunlin_survey_create(&meter->survey, error) : DUNLIN_OK;
}

static void clear_surveys(metrics_row *row) {
    for (const metrics_column *column = metrics_columns; column->name; column++)
        if (column->part != METRICS_FLOCK) *(double *)(void *)((char *)row + column->offset) = (double)NAN;
}

static dunlin_result measure(metrics_meter *meter, const measuring *m, dunlin_error *error) {
    static dunlin_result (*const measures[METRICS_PARTS])(const measuring *, dunlin_error *) = {
        NULL, measure_groups, measure_density, measure_correlation, measure_displacement, measure_kin};
    clear_surveys(m->row);
    dunlin_result result = dunlin_world_measure(m->world, m->species, &m->row->flock, error);
    if (result == DUNLIN_OK) result = make_survey(meter, error);
    if (result == DUNLIN_OK && !meter->displacement) result = metrics_follow(meter, m->world, error); /* this is the start */
    for (int part = METRICS_FLOCK + 1; part < METRICS_PARTS && result == DUNLIN_OK; part++)
        if (meter->measures[part]) result = measures[part](m, error);
    if (m->row->flock.agents == 0) clear_surveys(m->row); /* they have found mistakes in lengths */
    return result;
}

dunlin_result metrics_measure(metrics_meter *meter, dunlin_world *world, int species, metrics_row *row, dunlin_error *error) {
    const uint64_t generation = dunlin_world_generation(world);
    if (meter->world != world || meter->generation != generation) memset(meter->is_known, 0, sizeof meter->is_known);
    meter->world = world;
    meter->generation = generation;
    const measuring m = {.meter = meter, .world = world, .species = species, .row = &meter->known[species]};
    if (!meter->is_known[species]) {
        dunlin_result result = measure(meter, &m, error);
        if (result != DUNLIN_OK) return result;
        meter->is_known[species] = true;
    }
    *row = meter->known[species];
    return DUNLIN_OK;
}

/* Fetches what was asked for last, of all species: soon another state will be asked for. */
static dunlin_result fetch_all(metrics_meter *meter, dunlin_world *world, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; s < dunlin_world_species_count(world) && result == DUNLIN_OK; s++) {
        clear_surveys(&meter->fetched[s]);
        result = dunlin_world_measured(world, s, &meter->fetched[s].flock, error);
    }
    meter->is_fetched = result == DUNLIN_OK;
    meter->fetched_step = meter->asked_step;
    return result;
}

dunlin_result metrics_ask(metrics_meter *meter, dunlin_world *world, dunlin_error *error) {
    const uint64_t step = dunlin_world_stats(world).step;
    if (!metrics_meter_in_passing(meter)) return DUNLIN_OK;
    if (meter->asked == world && meter->asked_step == step) return DUNLIN_OK;
    if (meter->asked != world) meter->is_fetched = false;
    meter->asked = world;
    meter->asked_step = step;
    return dunlin_world_measure_in_step(world, error);
}

dunlin_result metrics_fetch(metrics_meter *meter, dunlin_world *world, uint64_t step, int species, metrics_row *row,
                            dunlin_error *error) {
    if (!metrics_meter_in_passing(meter)) return metrics_measure(meter, world, species, row, error);
    const bool is_there = meter->is_fetched && meter->fetched_step == step;
    const dunlin_result result = is_there ? DUNLIN_OK : fetch_all(meter, world, error);
    if (result == DUNLIN_OK) *row = meter->fetched[species];
    return result;
}

dunlin_result metrics_draw(metrics_meter *meter, dunlin_world *world, int species, metrics_point_fn *point, void *context,
                           dunlin_error *error) {
    metrics_row row;
    const measuring m = {.meter = meter, .world = world, .species = species, .row = &row, .point = point, .context = context};
    return measure(meter, &m, error);
}
