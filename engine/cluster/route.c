/* SPDX-License-Identifier: MIT */
/* Routes: which ranks see which rows of cells. */
#include <string.h>

#include "engine/cluster/cluster.h"
#include "engine/world/memory.h"

/* What observers of this rank's own look at, and also the food that its eaters may eat: dun_gains_reserve() counts it. */
static int count_looks(const dunlin_world *world) {
    return world->look_count + world->meal_count;
}

static dun_look look_at(const dunlin_world *world, int number) {
    if (number < world->look_count) return world->looks[number];
    const dunlin_meal_def *meal = &world->meals[number - world->look_count];
    return (dun_look){.observer = meal->eater, .observed = meal->food, .radius = meal->radius};
}

/* Lists the ranks of rows in two passes: the first counts, and the second fills. */
typedef struct router {
    const dunlin_world *world;
    int species;
    dun_spread *spread;
    bool fills;
} router;

static void see_row(const router *r, uint32_t row, uint32_t rank) {
    dun_spread *spread = r->spread;
    const uint32_t stamp = 2 * rank + 1 + r->fills;
    if (spread->row_stamp[row] == stamp) return;
    spread->row_stamp[row] = stamp;
    if (r->fills) spread->row_rank[spread->row_first[row]] = rank;
    spread->row_first[r->fills ? row : row + 1]++;
}

static void see_rows(const router *r, const dun_seen *seen, uint32_t rank) {
    for (int z = 0; z < seen->slabs; z++)
        for (uint32_t slab = seen->slab[z].begin; slab < seen->slab[z].end; slab++)
            for (int y = 0; y < seen->lines; y++)
                for (uint32_t line = seen->line[y].begin; line < seen->line[y].end; line++)
                    see_row(r, slab * seen->rows + line, rank);
}

/* A rank gets all rows that it owns a part of, and those that its observers may see. */
static void see_all(const router *r, uint32_t rank) {
    const dunlin_world *world = r->world;
    const dun_index *observed = world->species[r->species]->index;
    const dun_stretch own = r->spread->cells[rank];
    const uint32_t row = dun_grid_row_cells(observed);
    for (uint32_t at = own.begin / row; own.begin < own.end && at <= (own.end - 1) / row; at++) see_row(r, at, rank);
    for (int i = 0; i < count_looks(world); i++) {
        const dun_look look = look_at(world, i);
        const dun_stretch cells = world->cluster->spread[look.observer].cells[rank];
        if (look.observed != r->species || cells.begin == cells.end) continue;
        const dun_seen seen = dun_grid_seen(world->species[look.observer]->index, cells, observed, look.radius);
        see_rows(r, &seen, rank);
    }
}

static void see_by_all_others(router *r, bool fills) {
    const dunlin_transport *t = r->world->transport;
    r->fills = fills;
    for (uint32_t rank = 0; rank < t->ranks; rank++)
        if (rank != t->rank) see_all(r, rank);
}

/* The longest stretch of whole rows of this rank that no other rank sees. */
static dun_stretch find_alone(const dun_spread *spread, dun_stretch own, uint32_t row) {
    dun_stretch longest = {0, 0};
    uint32_t begin = own.begin / row + (own.begin % row != 0);
    const uint32_t end = own.end / row;
    for (uint32_t at = begin; at < end; at++) {
        if (spread->row_first[at] != spread->row_first[at + 1]) begin = at + 1;
        if (at + 1 - begin > longest.end - longest.begin && begin <= at) longest = (dun_stretch){begin, at + 1};
    }
    return (dun_stretch){longest.begin * row, longest.end * row};
}

bool dun_route(const dunlin_world *world, int species) {
    dun_spread *spread = &world->cluster->spread[species];
    const dun_index *index = world->species[species]->index;
    const uint32_t row = dun_grid_row_cells(index), rows = (uint32_t)(index->type->cells(index) / row);
    router r = {.world = world, .species = species, .spread = spread};
    if (!dun_array_reserve(world->heap, &spread->row_first, &spread->row_room, (uint64_t)rows + 1, sizeof *spread->row_first) ||
        !dun_array_reserve(world->heap, &spread->row_stamp, &spread->row_stamp_room, rows, sizeof *spread->row_stamp))
        return false;
    memset(spread->row_stamp, 0, rows * sizeof *spread->row_stamp);
    memset(spread->row_first, 0, ((size_t)rows + 1) * sizeof *spread->row_first);
    see_by_all_others(&r, false);
    for (uint32_t at = 0; at < rows; at++) spread->row_first[at + 1] += spread->row_first[at];
    if (!dun_array_reserve(world->heap, &spread->row_rank, &spread->row_rank_room, spread->row_first[rows],
                           sizeof *spread->row_rank))
        return false;
    see_by_all_others(&r, true);
    memmove(spread->row_first + 1, spread->row_first, rows * sizeof *spread->row_first);
    spread->row_first[0] = 0;
    spread->alone = find_alone(spread, spread->cells[world->transport->rank], row);
    return true;
}

/* ---- this rank's own rows ------------------------------------------------------------------------------------------------ */

/* Up to two ascending stretches, and room for one more. */
typedef struct stretches {
    dun_stretch of[3];
    int count;
} stretches;

static void join(stretches *s, int first) {
    if (s->of[first + 1].end > s->of[first].end) s->of[first].end = s->of[first + 1].end;
    s->count--;
    for (int i = first + 1; i < s->count; i++) s->of[i] = s->of[i + 1];
}

/* Where there are too many, those with the least between them become one. */
static void add_stretch(stretches *s, dun_stretch more) {
    int at = s->count++;
    for (; at > 0 && s->of[at - 1].begin > more.begin; at--) s->of[at] = s->of[at - 1];
    s->of[at] = more;
    for (int i = 0; i + 1 < s->count;)
        if (s->of[i].end >= s->of[i + 1].begin)
            join(s, i);
        else
            i++;
    if (s->count == 3) join(s, s->of[1].begin - s->of[0].end <= s->of[2].begin - s->of[1].end ? 0 : 1);
}

static void add_seen(stretches *s, const dun_seen *seen) {
    for (int z = 0; z < seen->slabs; z++)
        for (int y = 0; y < seen->lines; y++)
            add_stretch(s, (dun_stretch){seen->slab[z].begin * seen->rows + seen->line[y].begin,
                                         (seen->slab[z].end - 1) * seen->rows + seen->line[y].end});
}

void dun_route_own(const dunlin_world *world, int species, dun_stretch cells[2]) {
    const struct dun_cluster *cluster = world->cluster;
    const uint32_t rank = cluster->transport.rank;
    const dun_index *index = world->species[species]->index;
    const uint32_t row = dun_grid_row_cells(index);
    const dun_stretch own = cluster->spread[species].cells[rank];
    stretches s = {0};
    if (own.begin < own.end) add_stretch(&s, (dun_stretch){own.begin / row, (own.end - 1) / row + 1});
    for (int i = 0; i < count_looks(world); i++) {
        const dun_look look = look_at(world, i);
        const dun_stretch observers = cluster->spread[look.observer].cells[rank];
        if (look.observed != species || observers.begin == observers.end) continue;
        const dun_seen seen = dun_grid_seen(world->species[look.observer]->index, observers, index, look.radius);
        add_seen(&s, &seen);
    }
    for (int i = 0; i < 2; i++)
        cells[i] = i < s.count ? (dun_stretch){s.of[i].begin * row, s.of[i].end * row} : (dun_stretch){0, 0};
}
