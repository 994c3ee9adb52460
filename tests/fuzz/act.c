/* SPDX-License-Identifier: MIT */
/* What happens to the worlds after they are defined: agents come and go, time passes, states are saved and loaded. */
#include "tests/fuzz/checks.h"
#include "tests/fuzz/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Around what groups and tiles hold, up to as many agents as the simulation may have. */
static uint32_t any_count(simulation *f) {
    static const uint32_t counts[] = {0,  1,  2,  3,   4,   5,   7,   8,   9,   15,  16,  17,
                                      31, 33, 64, 100, 200, 300, 511, 512, 513, 700, 1025};
    const unsigned choice = bytes_choice(&f->bytes, 24);
    const uint32_t count = choice < sizeof counts / sizeof *counts ? counts[choice] * f->limits->scale : f->limits->agents / 2;
    const uint64_t there = dunlin_world_agent_count(f->world[0]);
    if (there >= f->limits->agents) return 0;
    return count < f->limits->agents - there ? count : f->limits->agents - (uint32_t)there;
}

/* ---- agents come and go ------------------------------------------------------------------------------------------------ */

static void scatter(simulation *f) {
    static const fuzz_field fields[] = {
        FIELD(scatter_def, ENUM, region, 0, 2),      FIELD(scatter_def, VECTOR, centre, 0, 100),
        FIELD(scatter_def, VECTOR, extent, 0, 30),   FIELD(scatter_def, NUMBER, min_speed, 0, 1),
        FIELD(scatter_def, NUMBER, max_speed, 0, 3), FIELD(scatter_def, NUMBER, group_radius, 0, 9),
        FIELD(scatter_def, VECTOR, velocity, -2, 2),
    };
    fuzz_bytes *b = &f->bytes;
    dunlin_scatter_def def = dunlin_scatter_def_default(f->world[0]);
    const int species = simulation_any_species(f);
    def.count = any_count(f);
    for (unsigned edits = bytes_choice(b, 5); edits > 0; edits--) EDIT(f, &def, fields, 7);
    AGREE(f, dunlin_world_scatter(world, species, &def, &error))
}

void simulation_populate(simulation *f) {
    if (f->limits->start == 0) return;
    dunlin_scatter_def def = dunlin_scatter_def_default(f->world[0]);
    def.count = f->limits->start;
    AGREE(f, dunlin_world_scatter(world, 0, &def, &error))
}

enum { BATCH_COLUMNS = 6 + DUNLIN_MAX_ATTRIBUTES };

typedef struct batch_arrays {
    float *column[BATCH_COLUMNS]; /* [count] each: positions, velocities, attributes */
    uint32_t *ids;
} batch_arrays;

/* Whether an attribute has whole numbers. */
static bool is_whole(const simulation *f, int species, int attribute) {
    const dunlin_role role = dunlin_world_get_attribute(f->world[0], species, attribute).role;
    return role == DUNLIN_ROLE_GROUP || role == DUNLIN_ROLE_BODY;
}

static float pattern(unsigned kind, uint32_t i, int axis, float size) {
    switch (kind) {
    case 0:
        return size * 0.5f; /* all at one point */
    case 1:
        return size * (float)((i * 37 + (uint32_t)axis * 11) % 101) / 101.0f; /* spread out */
    case 2:
        return (float)(axis ? i / 16 : i % 16) * 0.5f; /* a lattice */
    default:
        return axis ? 0.0f : size * (float)(i % 64) / 64.0f; /* along the edge */
    }
}

/* Positions, velocities and attributes that follow a pattern, but for a few. */
static void fill_columns(simulation *f, int species, uint32_t count, const batch_arrays *arrays) {
    fuzz_bytes *b = &f->bytes;
    const dunlin_world_def def = dunlin_world_get_def(f->world[0]);
    const unsigned kind = bytes_choice(b, 4), runs = bytes_choice(b, 4);
    for (int c = 0; c < BATCH_COLUMNS; c++)
        for (uint32_t i = 0; i < count; i++)
            arrays->column[c][i] = c < 3                         ? pattern(kind, i, c, def.size[c])
                                   : c < 6                       ? (float)runs * 0.3f * ((float)(i % 5) - 2)
                                   : is_whole(f, species, c - 6) ? (float)(i % 2)
                                                                 : 0.5f + (float)(i % 4) * 0.125f;
    for (unsigned spikes = bytes_choice(b, 6); spikes > 0 && count > 0; spikes--) {
        const unsigned column = bytes_choice(b, BATCH_COLUMNS);
        arrays->column[column][bytes_choice(b, 256) % count] = bytes_number(b, 0, 60);
    }
}

static void fill_ids(simulation *f, dunlin_batch *batch, uint32_t *ids) {
    fuzz_bytes *b = &f->bytes;
    if (bytes_choice(b, 4) != 3) return;
    const uint32_t first = bytes_choice(b, 8) ? bytes_choice(b, 256) * 16 : bytes_word(b);
    const uint32_t apart = 1 + bytes_choice(b, 4);
    for (uint32_t i = 0; i < batch->count; i++) ids[i] = first + i * apart;
    if (batch->count > 0 && bytes_rarely(b, 4)) ids[bytes_choice(b, 256) % batch->count] = bytes_choice(b, 256);
    batch->ids = ids;
}

static void spawn(simulation *f) {
    const int species = simulation_any_species(f);
    dunlin_batch batch = dunlin_batch_default();
    batch.count = any_count(f);
    batch_arrays arrays = {.ids = simulation_array(batch.count)};
    for (int c = 0; c < BATCH_COLUMNS; c++) arrays.column[c] = simulation_array(batch.count);
    fill_columns(f, species, batch.count, &arrays);
    fill_ids(f, &batch, arrays.ids);
    const bool brings = bytes_choice(&f->bytes, 4) == 3;
    for (int a = 0; a < 3; a++) {
        batch.position[a] = arrays.column[a];
        batch.velocity[a] = arrays.column[3 + a];
    }
    for (int n = 0; n < DUNLIN_MAX_ATTRIBUTES && brings; n++) batch.attribute[n] = arrays.column[6 + n];
    AGREE(f, dunlin_world_spawn(world, species, &batch, NULL, &error))
    for (int c = 0; c < BATCH_COLUMNS; c++) free(arrays.column[c]);
    free(arrays.ids);
}

/* One agent in so many of a species, and perhaps an id that does not exist. */
static void despawn(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const dunlin_view view = dunlin_world_view(f->world[0], simulation_any_species(f));
    const uint32_t every = 1 + bytes_choice(b, 64), first = bytes_choice(b, 64), unknown = bytes_rarely(b, 16);
    const uint32_t known = view.count > first ? (view.count - first + every - 1) / every : 0;
    uint32_t *ids = simulation_array(known + unknown);
    for (uint32_t i = 0; i < known; i++) ids[i] = view.id[first + i * every];
    if (unknown) ids[known] = bytes_choice(b, 256);
    AGREE(f, dunlin_world_despawn(world, ids, known + unknown, &error))
    free(ids);
}

static void set_attribute(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const int species = simulation_any_species(f);
    const int attribute = bytes_int(b, 0, dunlin_world_attribute_count(f->world[0], species) - 1);
    const uint32_t count = dunlin_world_view(f->world[0], species).count;
    float *values = simulation_array(count);
    const float low = bytes_number(b, 0.1f, 1);
    const uint32_t groups = 1 + bytes_choice(b, 5);
    const bool whole = is_whole(f, species, attribute);
    for (uint32_t i = 0; i < count; i++) values[i] = whole ? (float)(i % groups) : low + (float)(i % 8) * 0.01f;
    for (unsigned spikes = bytes_choice(b, 3); spikes > 0 && count > 0; spikes--)
        values[bytes_choice(b, 256) % count] = bytes_number(b, 0, 2);
    AGREE_WHOLE(f, dunlin_world_set_attribute_values(world, species, attribute, values, &error))
    free(values);
}

static void reserve(simulation *f) {
    const uint32_t counts[] = {0, 1, 16, 1000, 5000, UINT32_MAX, UINT32_MAX - 512, UINT32_MAX - 511};
    const uint32_t choice = bytes_choice(&f->bytes, 6);
    const uint32_t count = counts[f->parted && choice == 5 ? 4 : choice]; /* a part's message counts its own agents */
    const int species = simulation_any_species(f);
    AGREE(f, dunlin_world_reserve(world, species, count, &error))
}

/* ---- time passes ------------------------------------------------------------------------------------------------------- */

/* The results that do not depend on how they were computed. */
static void check_stats(const simulation *f) {
    const dunlin_stats want = dunlin_world_stats(f->world[0]);
    for (int w = 1; w < f->count; w++) {
        const dunlin_stats got = dunlin_world_stats(f->world[w]);
        if (got.step != want.step || got.time != want.time || got.agents != want.agents || got.births != want.births ||
            got.deaths != want.deaths || got.cells != want.cells || got.pairs_useful != want.pairs_useful)
            simulation_fail(f, w, "other statistics");
    }
}

/* Sums over many groups, and flocks of agents within any radius of each other. */
static uint64_t work_of_groups(const simulation *f) {
    uint64_t work = 0;
    for (int s = 0; s < dunlin_world_species_count(f->world[0]); s++) {
        const dunlin_species_def def = dunlin_world_get_species(f->world[0], s);
        const uint64_t agents = dunlin_world_view(f->world[0], s).count;
        work += (uint64_t)def.groups;
        if (def.regroup.every > 0) work += agents * agents / 16 / (uint64_t)def.regroup.every;
    }
    return work;
}

static void count_work(simulation *f) {
    const dunlin_stats stats = dunlin_world_stats(f->world[0]);
    const uint64_t each = 20 + 10 * (uint64_t)dunlin_world_behaviour_count(f->world[0]);
    f->work += stats.pairs_tested + stats.agents * each + work_of_groups(f);
    f->so_far.steps++;
    f->so_far.agent_steps += stats.agents;
    f->so_far.digest = (f->so_far.digest ^ f->hash) * UINT64_C(0x9e3779b97f4a7c15);
}

static void step(simulation *f) {
    AGREE(f, dunlin_world_step(world, &error))
    simulation_compare(f);
    if (f->result != DUNLIN_OK) return; /* no ids are left for newborn agents */
    check_agents(f->world[0]);          /* the others have the same bits */
    check_stats(f);
    count_work(f);
}

static void step_on(simulation *f) {
    const uint32_t steps = 1 + bytes_choice(&f->bytes, 6);
    for (uint32_t s = 0; s < steps && f->so_far.steps < f->limits->steps && f->work < f->limits->work; s++) step(f);
}

/* ---- looking ----------------------------------------------------------------------------------------------------------- */

static void check_metrics(const simulation *f, const dunlin_metrics *m) {
    const bool shares = m->polarization >= 0 && m->polarization <= 1 + 1e-6 && m->rotation >= 0 && m->rotation <= 1 + 1e-6;
    const bool finite = shares && isfinite(m->mean_speed) && isfinite(m->mean_neighbours);
    const bool none = isnan(m->polarization) && isnan(m->rotation) && isnan(m->mean_speed) && isnan(m->mean_neighbours);
    if (m->agents ? !finite : !none) simulation_fail(f, 0, "metrics out of their range");
}

static void measure(simulation *f) {
    const int species = simulation_any_species(f);
    dunlin_metrics metrics[SIMULATION_WORLDS] = {0};
    AGREE_WHOLE(f, dunlin_world_measure(world, species, &metrics[agree_], &error))
    for (int w = 1; w < f->count; w++)
        if (simulation_holds_whole(f, w) && memcmp(&metrics[0], &metrics[w], sizeof metrics[0]) != 0)
            simulation_fail(f, w, "other metrics");
    if (f->result == DUNLIN_OK) check_metrics(f, &metrics[0]);
}

static bool same_floats(const float *l, const float *r, uint32_t count) {
    return count == 0 || memcmp(l, r, count * sizeof *l) == 0;
}

static bool same_sums(const simulation *f, const dunlin_group_sums *l, const dunlin_group_sums *r) {
    const uint32_t n = l->count;
    bool same = r->count == n;
    for (int a = 0; a < dunlin_world_get_def(f->world[0]).dimensions && same; a++)
        same = same_floats(l->centre[a], r->centre[a], n) && same_floats(l->velocity[a], r->velocity[a], n);
    return same && same_floats(l->spread, r->spread, n) && same_floats(l->polarization, r->polarization, n) &&
           (n == 0 || (memcmp(l->agents, r->agents, n * sizeof *l->agents) == 0 &&
                       memcmp(l->leader, r->leader, n * sizeof *l->leader) == 0));
}

static void sum_groups(simulation *f) {
    const int species = simulation_any_species(f);
    dunlin_group_sums sums[SIMULATION_WORLDS] = {0};
    AGREE_WHOLE(f, dunlin_world_sum_groups(world, species, &sums[agree_], &error))
    for (int w = 1; w < f->count; w++)
        if (simulation_holds_whole(f, w) && !same_sums(f, &sums[0], &sums[w])) simulation_fail(f, w, "other sums over groups");
    if (f->result == DUNLIN_OK) AGREE_WHOLE(f, dunlin_world_make_bodies(world, &error))
}

/* Each result is valid until the survey is used again. */
static bool same_groups(const dunlin_world *world, const dunlin_components *l, const dunlin_components *r, int species) {
    const bool all = species == DUNLIN_ALL_SPECIES;
    uint32_t agents = 0;
    for (int s = all ? 0 : species; s < (all ? dunlin_world_species_count(world) : species + 1); s++) {
        const uint32_t count = dunlin_world_view(world, s).count;
        if (count > 0 && memcmp(l->labels[s], r->labels[s], count * sizeof *l->labels[s]) != 0) return false;
        agents += count;
    }
    return l->agents == agents && r->agents == agents && l->count == r->count && l->largest == r->largest &&
           memcmp(l->sizes, r->sizes, l->count * sizeof *l->sizes) == 0;
}

static bool same_correlations(const dunlin_correlation *l, const dunlin_correlation *r) {
    const size_t bytes = (size_t)l->bins * sizeof *l->correlation;
    return l->pairs == r->pairs && l->samples == r->samples && l->bins == r->bins &&
           memcmp(&l->length, &r->length, sizeof l->length) == 0 &&
           (bytes == 0 || memcmp(l->correlation, r->correlation, bytes) == 0);
}

/* All pairs within a radius that reaches all agents are much work. */
/* The nearest of a few points and the first on a ray are the same agents with every index. */
static void query(simulation *f, int species, float radius) {
    enum { POINTS = 4, NEAREST = 5 };
    dunlin_nearest points[POINTS];
    dunlin_ray ray = {.direction = {1, radius, -0.3f}, .length = 9.0f * radius, .radius = 0.1f * radius};
    uint32_t ids[SIMULATION_WORLDS][POINTS * NEAREST + 1] = {{0}};
    dunlin_found found[SIMULATION_WORLDS];
    for (int p = 0; p < POINTS; p++) {
        points[p] = (dunlin_nearest){.radius = p == 0 ? radius : INFINITY, .count = NEAREST};
        for (int a = 0; a < 3; a++) points[p].centre[a] = ray.from[a] = radius * (float)(p * (a + 2) - 3);
    }
    for (int w = 0; w < SIMULATION_WORLDS; w++) {
        found[w] = dunlin_found_default();
        found[w].room = POINTS * NEAREST;
        found[w].ids = ids[w];
    }
    AGREE_WHOLE(f, dunlin_world_find_nearest(world, species, points, POINTS, &found[agree_], &error))
    for (int w = 0; w < f->count; w++) found[w].room = 1;
    for (int w = 0; w < f->count; w++) found[w].ids = ids[w] + POINTS * NEAREST;
    AGREE_WHOLE(f, dunlin_world_find_on_rays(world, species, &ray, 1, &found[agree_], &error))
    for (int w = 1; w < f->count && simulation_holds_whole(f, w); w++)
        if (memcmp(ids[0], ids[w], sizeof ids[0]) != 0) simulation_fail(f, w, "other agents found");
}

static void survey(simulation *f) {
    const int species = simulation_any_species(f);
    const float radius = bytes_number(&f->bytes, 1, 5);
    const double size = bytes_double(&f->bytes, 1, 5);
    dunlin_survey *surveys[SIMULATION_WORLDS] = {0};
    dunlin_components groups[SIMULATION_WORLDS] = {0};
    dunlin_density densities[SIMULATION_WORLDS] = {0};
    dunlin_correlation correlations[SIMULATION_WORLDS] = {0};
    dunlin_correlation_def def = dunlin_correlation_def_default(f->world[0]);
    def.species = species;
    def.bins = bytes_int(&f->bytes, 0, 30);
    def.samples = (uint32_t)bytes_int(&f->bytes, 0, 300);
    f->work += dunlin_world_agent_count(f->world[0]) * dunlin_world_agent_count(f->world[0]);
    for (int w = 0; w < f->count; w++)
        if (dunlin_survey_create(&surveys[w], NULL) != DUNLIN_OK) simulation_fail(f, w, "no survey");
    AGREE_WHOLE(f, dunlin_survey_components(surveys[agree_], world, species, radius, &groups[agree_], &error))
    for (int w = 1; w < f->count && simulation_holds_whole(f, w); w++)
        if (groups[0].agents && !same_groups(f->world[0], &groups[0], &groups[w], species))
            simulation_fail(f, w, "other groups");
    AGREE_WHOLE(f, dunlin_survey_density(surveys[agree_], world, species, size, &densities[agree_], &error))
    AGREE_WHOLE(f, dunlin_survey_correlation(surveys[agree_], world, &def, &correlations[agree_], &error))
    for (int w = 1; w < f->count && simulation_holds_whole(f, w); w++) {
        if (memcmp(&densities[0], &densities[w], sizeof densities[0]) != 0) simulation_fail(f, w, "another density");
        if (!same_correlations(&correlations[0], &correlations[w])) simulation_fail(f, w, "another correlation");
    }
    for (int w = 0; w < f->count; w++) dunlin_survey_destroy(surveys[w]);
    query(f, species, radius);
}

static void find(simulation *f) {
    const uint32_t id = bytes_choice(&f->bytes, 8) ? bytes_choice(&f->bytes, 256) : bytes_word(&f->bytes);
    const dunlin_slot want = dunlin_world_find_agent(f->world[0], id);
    for (int w = 1; w < f->count; w++) {
        const dunlin_slot got = dunlin_world_find_agent(f->world[w], id);
        if (f->variants[w].transport && got.species < 0) continue; /* another rank may have it */
        if (got.species != want.species) simulation_fail(f, w, "another species");
        if (got.index != want.index && want.species >= 0 && !f->variants[w].transport) simulation_fail(f, w, "another slot");
    }
    if (want.species >= 0 && dunlin_world_view(f->world[0], want.species).id[want.index] != id)
        simulation_fail(f, 0, "a wrong slot");
}

/* Questions about things that do not exist, and random numbers for callers. */
static void ask(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const dunlin_world *world = f->world[0];
    const int position = bytes_int(b, 0, 8);
    const double number = bytes_double(b, -10, 10) * bytes_double(b, -10, 10);
    (void)dunlin_world_get_species(world, position);
    (void)dunlin_world_get_interaction(world, position);
    (void)dunlin_world_get_behaviour(world, position);
    (void)dunlin_world_get_meal(world, position);
    (void)dunlin_world_get_trace(world, position);
    (void)dunlin_world_trace_view(f->world[0], position);
    (void)dunlin_world_get_attribute(world, position, bytes_int(b, 0, 8));
    (void)dunlin_world_get_path(world, position);
    (void)dunlin_world_field_view(f->world[0], position);
    (void)dunlin_world_view(world, position);
    (void)dunlin_kernel_at(position);
    (void)dunlin_world_find_species(world, NULL);
    (void)dunlin_world_find_attribute(world, position, "a");
    (void)dunlin_world_bytes(world);
    const uint64_t seed = bytes_word(b);
    const float sine = dunlin_sine_of_turns(number), noise = dunlin_noise_over_time(seed, position, number);
    if (!(fabsf(sine) <= 1) || !(fabsf(noise) <= 1)) simulation_fail(f, 0, "a sine or a noise beyond 1");
    for (int w = 1; w < f->count; w++) {
        simulation_enter(f, w);
        const float sine_here = dunlin_sine_of_turns(number), noise_here = dunlin_noise_over_time(seed, position, number);
        simulation_leave(f, w);
        if (memcmp(&sine, &sine_here, sizeof sine) != 0 || memcmp(&noise, &noise_here, sizeof noise) != 0)
            simulation_fail(f, w, "another sine or noise");
    }
}

/* ---- save and load ----------------------------------------------------------------------------------------------------- */

static bool same_file(const char *a, const char *b) {
    FILE *files[] = {fopen(a, "rb"), fopen(b, "rb")};
    int byte = 0;
    bool same = files[0] && files[1];
    while (same && byte != EOF) same = (byte = getc(files[0])) == getc(files[1]);
    for (int i = 0; i < 2; i++)
        if (files[i]) fclose(files[i]);
    return same;
}

/* The files of the first and the last world must be equal byte by byte: storage order is part of the state. */
static void save(const simulation *f) {
    const int worlds[] = {0, f->count - 1};
    for (int i = 0; i < 2; i++) {
        dunlin_error error = {0};
        simulation_gather(f, worlds[i]);
        simulation_enter(f, worlds[i]);
        const dunlin_result result = simulation_holds_whole(f, worlds[i])
                                         ? dunlin_world_save(f->world[worlds[i]], check_scratch_file(i), &error)
                                         : DUNLIN_OK;
        simulation_leave(f, worlds[i]);
        if (result != DUNLIN_OK) simulation_fail(f, worlds[i], error.message);
        simulation_share(f, worlds[i]);
    }
    if (simulation_holds_whole(f, f->count - 1) && !same_file(check_scratch_file(0), check_scratch_file(1)))
        simulation_fail(f, f->count - 1, "another state file");
}

/*
 * A fresh world with the same definitions loads the state. If the definitions have not changed since, it replaces the last
 * world.
 */
static void restart(simulation *f) {
    const int last = f->count - 1;
    simulation fresh = {
        .data = f->data, .end = f->end, .variants = f->variants + last, .count = 1, .plan = f->plan, .limits = f->limits};
    dunlin_error error = {0};
    if (!simulation_begin(&fresh)) simulation_fail(f, last, "a world that was made is refused the second time");
    simulation_gather(&fresh, 0);
    const dunlin_result result =
        simulation_holds_whole(&fresh, 0) ? dunlin_world_load(fresh.world[0], check_scratch_file(0), &error) : DUNLIN_OK;
    simulation_share(&fresh, 0);
    /* Species may have other names now, and a file has no traces. */
    if (f->redefined || dunlin_world_trace_count(f->world[last]) > 0) {
        simulation_end(&fresh);
        return;
    }
    if (result != DUNLIN_OK) simulation_fail(f, last, error.message);
    if (dunlin_world_state_hash(fresh.world[0]) != f->hash) simulation_fail(f, last, "another state once it is loaded");
    dunlin_world_destroy(f->world[last]);
    f->world[last] = fresh.world[0];
}

static void save_and_load(simulation *f) {
    save(f);
    if (bytes_choice(&f->bytes, 4) == 0) { /* into a world that has agents: every id is taken */
        AGREE_WHOLE(f, dunlin_world_load(world, check_scratch_file(0), &error))
    } else {
        restart(f);
    }
    for (int i = 0; i < 2; i++) remove(check_scratch_file(i));
}

/* Targets and noise follow the clock, which a world that is made again would not have. */
static void write_clock(simulation *f) {
    simulation_set_clock(f);
    f->redefined = true;
}

/* ---- one of them ------------------------------------------------------------------------------------------------------- */

bool simulation_act(simulation *f) {
    static void (*const rare[])(simulation *) = {despawn,       set_attribute,    reserve,     measure, find,      ask,
                                                 save_and_load, simulation_write, write_clock, survey,  sum_groups};
    if (f->bytes.at == f->bytes.end || f->calls >= f->limits->calls || f->so_far.steps >= f->limits->steps) return false;
    if (f->work >= f->limits->work || dunlin_world_agent_count(f->world[0]) > 2 * (uint64_t)f->limits->agents) return false;
    const unsigned choice = bytes_choice(&f->bytes, 28);
    f->result = DUNLIN_OK;
    if (choice < 8)
        step_on(f);
    else if (choice < 10)
        scatter(f);
    else if (choice < 12)
        spawn(f);
    else if (choice < 12 + sizeof rare / sizeof *rare)
        rare[choice - 12](f);
    else
        simulation_redefine(f);

    /* A refused call has changed nothing. */
    const uint64_t before = f->hash;
    simulation_compare(f);
    if (f->result != DUNLIN_OK && f->hash != before) simulation_fail(f, 0, "a refused call has changed the state");
    return true;
}
