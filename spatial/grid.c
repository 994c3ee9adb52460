/* SPDX-License-Identifier: MIT */
/*
 * A uniform grid. Agents are counting-sorted into cells in row-major order (x fastest), so that neighbouring cells of a row are
 * neighbours in memory, and a group in one row finds all its neighbours in three runs in 2D, nine in 3D, a few more at a seam.
 *
 * The lattice and the table. Space is cut into a lattice of cells; rows are at least one radius apart. Along a row a radius is
 * up to four cells: runs go on through any number of them, and begin and end closer to what the group can see. Where the
 * lattice has far more cells than there are agents, or no end, it is folded: lattice column c lies in table column c mod
 * `cells`. Neighbouring columns stay neighbours (around the table's seam), so the same few runs still hold every neighbour;
 * agents from afar that share a cell are turned away by their distance. The table is O(agents) whatever the world.
 *
 * Rounding. Two agents within a radius must never be found more columns apart than the radius reaches. A column is found with a
 * relative error of some 2^-23 of its number, so cells are made wider than the radius by `slack`, which grows with the number
 * of columns; an open world, whose columns have no largest number, finds them in binary64.
 */
#include <math.h>
#include <stdlib.h>

#include "spatial/grid.h"
#include "spatial/sort.h"

#define WIDER           1e-6       /* relative: of a distance computed in binary32 from three squares */
#define SLACK           0x1p-21    /* of a column's number */
#define MAX_COLUMNS     0x1p20     /* an axis: more could not be told apart in binary32 */
#define CELLS_A_RADIUS  4          /* along a row, at most */
#define CELLS_PER_AGENT 4          /* the table's size at most, … */
#define CELLS_FOLDED    2          /* … where it is folded, for then most of it is empty, … */
#define CELLS_ALWAYS    64         /* … and what even a single agent may have */
#define FOLD_SHIFT      42         /* bits; twice those of a column and two more, and with a column's 20 still below 64 */
#define MAX_CELLS       (1u << 31) /* cells have 32-bit numbers */

typedef struct axis {
    uint32_t cells;   /* of the table */
    uint32_t lattice; /* of the world, a multiple of `cells`; 0: no end, and `cells` is a power of two */
    uint64_t inverse; /* 2^FOLD_SHIFT / cells, rounded up */
    double width;     /* of a cell, world units */
    float low;        /* where the lattice begins, world units */
    float per_unit;   /* cells a world unit */
    double per_unit_open;
    float last; /* column of the lattice */
    bool wraps; /* the table's last column is next to its first */
} axis;

typedef struct grid {
    dun_index index;
    dun_space space;
    axis axes[3];
    uint32_t cells;
    uint32_t agents;
    const float *position[3]; /* sorted */
    dun_sorter sorter;
} grid;

/* ---- geometry: follows from the space and its number of agents ------------------------------------------------------- */

static uint64_t cell_room(uint64_t agents, uint32_t per_agent) {
    if (agents > MAX_CELLS / per_agent) return MAX_CELLS;
    const uint64_t room = agents * per_agent + CELLS_ALWAYS;
    return room < MAX_CELLS ? room : MAX_CELLS;
}

/* The most columns of which `reach` are wide enough: n with radius/width·(1 + WIDER) + n·SLACK <= reach, width = size/n. */
static uint32_t lattice_columns(float size, float radius, uint32_t reach) {
    const double most = reach / ((double)radius / (double)size * (1.0 + WIDER) + SLACK);
    return most < 1.0 ? 1 : most > MAX_COLUMNS ? (uint32_t)MAX_COLUMNS : (uint32_t)most;
}

static void axis_set(axis *a, uint32_t lattice, uint32_t cells, float size, bool periodic) {
    a->cells = cells;
    a->lattice = lattice;
    a->inverse = ((1ull << FOLD_SHIFT) + cells - 1) / cells;
    a->width = (double)size / lattice;
    a->per_unit = (float)(lattice / (double)size);
    a->last = (float)(lattice - 1);
    a->wraps = periodic || lattice > cells;
}

/*
 * Short cells along the rows leave out a sixth of all candidates, but more cells than agents are not worth it. Where even long
 * ones are too many the world is nearly empty: its agents stand far apart, and then it doesn't matter, or close together in a
 * few places, and then short cells are what they need, and there is room for them once the table is folded.
 */
static uint32_t row_columns(const grid *g, uint64_t rows) {
    for (uint32_t reach = CELLS_A_RADIUS; reach; reach /= 2) {
        const uint32_t columns = lattice_columns(g->space.size[0], g->space.radius, reach);
        if (columns * rows <= (reach == 1 ? cell_room(g->space.agents, CELLS_PER_AGENT) : g->space.agents)) return columns;
    }
    return lattice_columns(g->space.size[0], g->space.radius, CELLS_A_RADIUS);
}

/* Halves the axis on which the table is longest until it fits: a lattice of 2^h·cells columns or a little fewer, folded. */
static void bounded_axes(grid *g) {
    uint32_t lattice[3] = {1, 1, 1}, folds[3] = {1, 1, 1};
    for (int a = 1; a < g->space.dimensions; a++) lattice[a] = lattice_columns(g->space.size[a], g->space.radius, 1);
    lattice[0] = row_columns(g, (uint64_t)lattice[1] * lattice[2]);
    const uint64_t all = (uint64_t)lattice[0] * lattice[1] * lattice[2], most = cell_room(g->space.agents, CELLS_PER_AGENT);
    const uint64_t room = all <= most ? most : cell_room(g->space.agents, CELLS_FOLDED);
    for (;;) {
        const uint32_t cells[3] = {lattice[0] / folds[0], lattice[1] / folds[1], lattice[2] / folds[2]};
        if ((uint64_t)cells[0] * cells[1] * cells[2] <= room || cells[0] + cells[1] + cells[2] == 3) break;
        int longest = -1;
        float length = 0.0f;
        for (int a = 0; a < g->space.dimensions; a++) {
            const float folded = g->space.size[a] / (float)folds[a];
            if (cells[a] == 1 || folded <= length) continue;
            longest = a;
            length = folded;
        }
        folds[longest] *= 2;
    }
    for (int a = 0; a < 3; a++) {
        const uint32_t cells = lattice[a] / folds[a];
        const float size = a < g->space.dimensions ? g->space.size[a] : 1.0f;
        axis_set(&g->axes[a], cells * folds[a], cells, size, g->space.periodic);
        g->axes[a].low = g->space.low[a];
    }
}

static void open_axes(grid *g, uint64_t room) {
    uint32_t cells[3] = {1, 1, 1};
    for (int a = 0; (uint64_t)cells[0] * cells[1] * cells[2] * 2 <= room; a = (a + 1) % g->space.dimensions) cells[a] *= 2;
    for (int a = 0; a < 3; a++) {
        const double width = (double)g->space.radius * (1.0 + 2.0 * WIDER);
        g->axes[a] = (axis){.cells = cells[a], .width = width, .per_unit_open = 1.0 / width, .wraps = true};
    }
}

static void grid_shape(grid *g, const dun_space *space, uint32_t agents) {
    g->space = *space;
    if (!space->agents) g->space.agents = agents;
    g->agents = agents;
    if (space->open)
        open_axes(g, cell_room(g->space.agents, CELLS_PER_AGENT));
    else
        bounded_axes(g);
    g->cells = g->axes[0].cells * g->axes[1].cells * g->axes[2].cells;
}

/* ---- cells ------------------------------------------------------------------------------------------------------------ */

/* Agents outside a bounded world count as in its edge cells: clamping is monotone, so neighbours stay neighbours. NaN: 0. */
static inline uint32_t column_bounded(const axis *a, float x) {
    float column = (x - a->low) * a->per_unit;
    column = column > 0.0f ? column : 0.0f;
    column = column < a->last ? column : a->last;
    return (uint32_t)(int32_t)column;
}

/* Modulo `cells`, without a division; exact, since the product of column and `cells` is below 2^FOLD_SHIFT. */
static inline uint32_t fold_column(const axis *a, uint32_t column) {
    return column - (uint32_t)(column * a->inverse >> FOLD_SHIFT) * a->cells;
}

static inline int64_t lattice_column_open(const axis *a, float x) {
    const double end = 0x1p62; /* out there neighbouring numbers are further apart than a cell */
    double column = (double)x * a->per_unit_open;
    column = column > -end ? column : -end;
    column = column < end ? column : end;
    int64_t whole = (int64_t)column;
    whole -= (double)whole > column;
    return whole;
}

static inline uint32_t column_open(const axis *a, float x) {
    return (uint32_t)((uint64_t)lattice_column_open(a, x) & (a->cells - 1));
}

static inline uint32_t column(const axis *a, float x) {
    if (!a->lattice) return column_open(a, x);
    const uint32_t found = column_bounded(a, x);
    return a->lattice == a->cells ? found : fold_column(a, found);
}

/* One axis at a time, each kind of column in a loop of its own: simple enough for the compiler to vectorize. */
static void find_columns(const axis *axis_in_memory, const float *restrict x, uint32_t count, uint32_t *restrict columns) {
    const axis a = *axis_in_memory;
    if (!a.lattice) {
        for (uint32_t i = 0; i < count; i++) columns[i] = column_open(&a, x[i]);
        return;
    }
    for (uint32_t i = 0; i < count; i++) columns[i] = column_bounded(&a, x[i]);
    if (a.lattice == a.cells) return;
    for (uint32_t i = 0; i < count; i++) columns[i] = fold_column(&a, columns[i]);
}

static void find_keys(const void *context, const dun_columns *columns, uint32_t begin, uint32_t end, uint32_t *key) {
    const grid *g = context;
    enum { BLOCK = 512 };
    uint32_t block_columns[BLOCK];
    for (uint32_t block = begin; block < end; block += BLOCK) {
        const uint32_t count = end - block < BLOCK ? end - block : BLOCK;
        find_columns(&g->axes[0], (const float *)columns->from[0] + block, count, key + block);
        uint32_t stride = g->axes[0].cells;
        for (int a = 1; a < g->space.dimensions; a++) {
            find_columns(&g->axes[a], (const float *)columns->from[a] + block, count, block_columns);
            for (uint32_t i = 0; i < count; i++) key[block + i] += stride * block_columns[i];
            stride *= g->axes[a].cells;
        }
    }
}

/* ---- who shares a cell ------------------------------------------------------------------------------------------------ */

void dun_grid_places(dun_index *index, const dun_space *space, const dun_columns *columns, uint32_t count, uint64_t *table_cell,
                     uint64_t *lattice_cell) {
    grid *g = (grid *)index;
    grid_shape(g, space, columns->agents);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t agent = (uint32_t)((uint64_t)columns->agents * i / count);
        table_cell[i] = lattice_cell[i] = 0;
        for (int a = 0; a < space->dimensions; a++) {
            const float x = ((const float *)columns->from[a])[agent];
            table_cell[i] = table_cell[i] * g->axes[a].cells + column_open(&g->axes[a], x);
            lattice_cell[i] = lattice_cell[i] * 0x9e3779b97f4a7c15u + (uint64_t)lattice_column_open(&g->axes[a], x);
        }
    }
}

/* ---- runs ------------------------------------------------------------------------------------------------------------- */

/* Consecutive columns of an axis; `crosses` where the way there may lead over the table's seam. */
typedef struct stretch {
    uint32_t begin, end;
    bool crosses;
} stretch;

/* The table's columns from `low` to `high`, ascending; below 0 and beyond the last they go on around the seam. Returns how many
 * stretches: 1 or 2. */
static inline int axis_stretches(const axis *a, int32_t low, int32_t high, stretch out[2]) {
    const int32_t cells = (int32_t)a->cells;
    if (low >= 0 && high < cells) {
        out[0] = (stretch){(uint32_t)low, (uint32_t)high + 1, false};
        return 1;
    }
    if (high - low + 1 >= cells) {
        out[0] = (stretch){0, a->cells, a->wraps};
        return 1;
    }
    if (!a->wraps) {
        out[0] = (stretch){low > 0 ? (uint32_t)low : 0, high < cells ? (uint32_t)high + 1 : a->cells, false};
        return 1;
    }
    const bool under = low < 0;
    out[0] = (stretch){0, (uint32_t)(under ? high + 1 : high + 1 - cells), !under};
    out[1] = (stretch){(uint32_t)(under ? low + cells : low), a->cells, under};
    return 2;
}

/* Of the lattice, not yet folded. */
static inline int64_t lattice_column(const axis *a, float x) {
    return a->lattice ? (int64_t)column_bounded(a, x) : lattice_column_open(a, x);
}

/* Lowest and highest column of the group; around the seam counted on from the first agent's, so below 0 or beyond the last. */
static void group_span(const axis *a, const float *x, const dun_query *query, int32_t *low, int32_t *high) {
    const int32_t cells = (int32_t)a->cells;
    const int32_t origin = (int32_t)column(a, x[query->group.first]);
    *low = *high = origin;
    for (uint32_t i = 1; i < query->group.count; i++) {
        int32_t away = (int32_t)column(a, x[query->group.first + i]) - origin;
        if (a->wraps && away > cells / 2) away -= cells;
        if (a->wraps && away < -(cells / 2)) away += cells;
        if (origin + away < *low) *low = origin + away;
        if (origin + away > *high) *high = origin + away;
    }
}

/* The same of a box: from its low to its high corner, on around the table as often as it may be. */
static void box_span(const axis *a, const float *x, const dun_query *query, int32_t *low, int32_t *high) {
    const float *corner = x + query->group.first;
    const uint64_t columns = (uint64_t)lattice_column(a, corner[1]) - (uint64_t)lattice_column(a, corner[0]);
    *low = (int32_t)column(a, corner[0]);
    *high = *low + (int32_t)(columns < a->cells ? columns : a->cells);
}

/* The index's own agents lie in the order of their cells, in one row: first and last tell all. */
static inline void own_span(const axis *a, const float *x, const dun_query *query, int axis_number, int32_t *low,
                            int32_t *high) {
    *low = *high = (int32_t)column(a, x[query->group.first]);
    if (axis_number == 0) *high = (int32_t)column(a, x[query->group.first + query->group.count - 1]);
}

/* The columns to search, an axis. */
typedef struct box {
    stretch axis[3][2];
    int count[3];
} box;

static inline uint32_t add_run(dun_run run, dun_run *runs, uint32_t count) {
    if (run.begin == run.end) return count;
    if (count && runs[count - 1].end == run.begin && runs[count - 1].folds == run.folds) {
        runs[count - 1].end = run.end;
        return count;
    }
    runs[count] = run;
    return count + 1;
}

static inline uint32_t add_row(const grid *g, const box *b, uint32_t cell, bool crosses, dun_run *runs, uint32_t count) {
    const uint32_t *edge = g->sorter.edge + cell;
    for (int x = 0; x < b->count[0]; x++) {
        const stretch *columns = &b->axis[0][x];
        const bool folds = g->space.periodic && (crosses || columns->crosses);
        count = add_run((dun_run){edge[columns->begin], edge[columns->end], folds}, runs, count);
    }
    return count;
}

static inline void find_columns_of_group(const grid *g, const dun_query *query, int a, box *b) {
    int32_t low, high;
    if (query->own)
        own_span(&g->axes[a], query->position[a], query, a, &low, &high);
    else if (query->box)
        box_span(&g->axes[a], query->position[a], query, &low, &high);
    else
        group_span(&g->axes[a], query->position[a], query, &low, &high);
    const int32_t reach = (int32_t)query->reach.axis[a];
    b->count[a] = axis_stretches(&g->axes[a], low - reach, high + reach, b->axis[a]);
    /* A group of others may itself lie on both sides of the seam: then either stretch is across it for some lane. */
    if (!query->own && b->count[a] == 2) b->axis[a][0].crosses = b->axis[a][1].crosses = true;
}

static uint32_t grid_row_end(const grid *g, uint32_t first) {
    uint32_t row = 0;
    for (int a = g->space.dimensions - 1; a > 0; a--) row = row * g->axes[a].cells + column(&g->axes[a], g->position[a][first]);
    return g->sorter.edge[(size_t)(row + 1) * g->axes[0].cells];
}

/* For the groups after this one in its stretch. Rows that are too many are only counted. */
static void keep_row(const grid *g, uint32_t cell, bool crosses, dun_rows *rows) {
    if (rows->count < DUN_QUERY_ROWS) {
        rows->cell[rows->count] = cell;
        rows->folds[rows->count] = g->space.periodic && crosses;
    }
    rows->count++;
}

static uint32_t add_slab(const grid *g, const box *b, uint32_t slab, bool crosses, dun_rows *rows, dun_run *runs,
                         uint32_t count) {
    for (int y = 0; y < b->count[1]; y++) {
        const stretch *across = &b->axis[1][y];
        for (uint32_t row = across->begin; row < across->end; row++) {
            const uint32_t cell = (slab * g->axes[1].cells + row) * g->axes[0].cells;
            keep_row(g, cell, crosses || across->crosses, rows);
            count = add_row(g, b, cell, crosses || across->crosses, runs, count);
        }
    }
    return count;
}

/* Slabs, rows and columns ascend, and so do the runs. */
static uint32_t list_box(const grid *g, const box *b, dun_rows *rows, dun_run *runs) {
    uint32_t count = 0;
    for (int z = 0; z < b->count[2]; z++) {
        const stretch *slabs = &b->axis[2][z];
        for (uint32_t slab = slabs->begin; slab < slabs->end; slab++)
            count = add_slab(g, b, slab, slabs->crosses, rows, runs, count);
    }
    return count;
}

/* One stretch of columns in each of the kept rows: nearly every group's answer. */
static inline uint32_t list_kept(const grid *g, const dun_rows *rows, stretch columns, dun_run *runs) {
    const uint32_t *begin = g->sorter.edge + columns.begin, *end = g->sorter.edge + columns.end;
    uint32_t count = 0;
    for (uint32_t r = 0; r < rows->count; r++) {
        const dun_run run = {begin[rows->cell[r]], end[rows->cell[r]], rows->folds[r]};
        count = add_run(run, runs, count);
    }
    return count;
}

/* Not inlined: it would cost the short way its registers. */
static __attribute__((noinline)) uint32_t list_found(const grid *g, dun_query *query, dun_run *runs) {
    box b = {.axis = {[1] = {{.end = 1}}, [2] = {{.end = 1}}}, .count = {1, 1, 1}};
    for (int a = 0; a < g->space.dimensions; a++) find_columns_of_group(g, query, a, &b);
    query->rows = (dun_rows){.begin = query->group.first};
    const uint32_t count = list_box(g, &b, &query->rows, runs);
    if (query->own && query->rows.count <= DUN_QUERY_ROWS) query->rows.end = grid_row_end(g, query->group.first);
    return count;
}

static uint32_t grid_list_runs(const dun_index *index, dun_query *query, dun_run *runs) {
    const grid *g = (const grid *)index;
    const uint32_t first = query->group.first;
    if (!query->own || first < query->rows.begin || first >= query->rows.end) return list_found(g, query, runs);
    int32_t low, high;
    own_span(&g->axes[0], query->position[0], query, 0, &low, &high);
    low -= (int32_t)query->reach.axis[0];
    high += (int32_t)query->reach.axis[0];
    if (low < 0 || high >= (int32_t)g->axes[0].cells) return list_found(g, query, runs);
    return list_kept(g, &query->rows, (stretch){(uint32_t)low, (uint32_t)high + 1, false}, runs);
}

static uint32_t axis_reach(const axis *a, float radius) {
    const double columns = (double)radius / a->width * (1.0 + WIDER) + a->lattice * SLACK;
    return columns < a->cells ? (uint32_t)ceil(columns) : a->cells;
}

static dun_reach grid_reach(const dun_index *index, float radius) {
    const grid *g = (const grid *)index;
    dun_reach reach = {.everywhere = true};
    for (int a = 0; a < g->space.dimensions; a++) {
        reach.axis[a] = axis_reach(&g->axes[a], radius);
        if (reach.axis[a] < g->axes[a].cells) reach.everywhere = false;
    }
    return reach;
}

/* Two runs a row, for rows around the group's own; observers of another species may lie anywhere. No run is empty. */
static uint32_t grid_max_runs(const dun_index *index, const dun_reach *reach, bool own) {
    const grid *g = (const grid *)index;
    uint64_t runs = 2;
    for (int a = 1; a < g->space.dimensions; a++) {
        const uint64_t rows = 2 * (uint64_t)reach->axis[a] + 1, cells = g->axes[a].cells;
        runs *= own && rows < cells ? rows : cells;
    }
    return runs < g->agents ? (uint32_t)runs : g->agents;
}

static uint32_t grid_group_end(const dun_index *index, uint32_t first) {
    return grid_row_end((const grid *)index, first);
}

/* ---- the rest --------------------------------------------------------------------------------------------------------- */

static dun_index *grid_create(void) {
    grid *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->index.type = &dun_grid_index;
    return &g->index;
}

static void grid_destroy(dun_index *index) {
    if (index) dun_sorter_free(&((grid *)index)->sorter);
    free(index);
}

static bool grid_reserve(dun_index *index, const dun_space *space, uint32_t agents, uint32_t workers) {
    grid *g = (grid *)index;
    grid shaped = *g;
    grid_shape(&shaped, space, agents);
    if (!dun_sorter_reserve(&g->sorter, agents, shaped.cells, workers)) return false;
    g->space = shaped.space;
    g->cells = shaped.cells;
    g->agents = shaped.agents;
    for (int a = 0; a < 3; a++) g->axes[a] = shaped.axes[a];
    return true;
}

static void grid_build(dun_index *index, const dun_space *space, const dun_columns *columns, const dun_executor *executor) {
    grid *g = (grid *)index;
    grid_shape(g, space, columns->agents);
    dun_sort(&g->sorter, columns, g->cells, find_keys, g, executor);
    for (int a = 0; a < space->dimensions; a++) g->position[a] = (const float *)columns->to[a];
}

static uint64_t grid_cells(const dun_index *index) {
    return ((const grid *)index)->cells;
}

static size_t grid_bytes(const dun_index *index) {
    return sizeof(grid) + dun_sorter_bytes(&((const grid *)index)->sorter);
}

const dun_index_type dun_grid_index = {
    .name = "grid",
    .sorts = true,
    .create = grid_create,
    .destroy = grid_destroy,
    .reserve = grid_reserve,
    .build = grid_build,
    .reach = grid_reach,
    .group_end = grid_group_end,
    .max_runs = grid_max_runs,
    .list_runs = grid_list_runs,
    .cells = grid_cells,
    .bytes = grid_bytes,
};
