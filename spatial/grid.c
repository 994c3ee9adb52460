/* SPDX-License-Identifier: MIT */
/*
 * A uniform grid. Agents are counting-sorted into cells in row-major order (x fastest). Adjacent cells of a row are therefore
 * adjacent in memory, and all neighbours of a packet in one row are in three ranges in 2D, nine in 3D, a few more at a seam.
 *
 * The lattice and the table. Space is cut into a lattice of cells. Rows are at least one radius apart. Along a row a radius has
 * up to four cells: a range may hold any number of cells, and with short ones it begins and ends closer to what the packet can
 * see. If the lattice has far more cells than there are agents, or no end, it is folded: lattice column c lies in table column
 * c mod `cells`. Adjacent columns stay adjacent (around the table's seam), so the same few ranges still hold every neighbour.
 * Agents from afar may share a cell; kernels reject them by their distance. The table is O(agents) in every world.
 *
 * Rounding. Two agents within a radius must never be found more columns apart than the radius reaches. A column is found with a
 * relative error of about 2^-23 of its number, so cells are wider than the radius by SLACK per column of the lattice. In an
 * open world, where column numbers have no maximum, columns are found in binary64.
 */
#include <math.h>
#include <string.h>

#include "spatial/grid.h"
#include "spatial/sort.h"

#define WIDER            1e-6       /* relative: the error of a distance computed in binary32 from three squares */
#define SLACK            0x1p-21    /* relative: the error of a column's number */
#define MAX_COLUMNS      0x1p20     /* per axis: binary32 cannot distinguish more of them */
#define CELLS_PER_RADIUS 4          /* at most, along a row */
#define CELLS_PER_AGENT  4          /* at most, in the table, … */
#define CELLS_FOLDED     2          /* … or this if it is folded, because then most of it is empty; … */
#define CELLS_ALWAYS     64         /* … and this many more, whatever the number of agents */
#define FOLD_SHIFT       42         /* bits: two more than two columns have; with one column's 20 bits still below 64 */
#define MAX_CELLS        (1u << 31) /* cells have 32-bit numbers */

typedef struct axis {
    uint32_t cells;   /* columns of the table */
    uint32_t lattice; /* columns of the world, a multiple of `cells`; 0: no end, and `cells` is a power of two */
    uint64_t inverse; /* 2^FOLD_SHIFT / cells, rounded up */
    double width;     /* of a cell, world units */
    float min;        /* where the lattice begins, world units */
    float per_unit;   /* cells per world unit */
    double per_unit_open;
    float last; /* the lattice's last column */
    bool wraps; /* the table's last column is next to its first */
} axis;

typedef struct grid {
    dun_index index;
    dun_space space;
    axis axes[3];
    uint32_t cells;
    uint32_t agents;
    uint32_t held;         /* cells that the table has: `cells`, or, if the grid holds fewer, one more for agents elsewhere */
    const uint32_t *place; /* see dun_held; NULL: all rows are held, and a cell's number is its place */
    bool holds;            /* the next build() is of a grid that holds only some rows */
    uint32_t first_number; /* the element of the sorter's keys that is the first agent's */
    uint32_t *spare;       /* [spare_room] in a part of a flock: keys that change places with the sorter's */
    size_t spare_room;
    const float *position[3]; /* sorted */
    dun_cells next;           /* the sorter's keys are numbers of these cells; `dimensions` 0: none are set */
    dun_sorter sorter;
} grid;

/* ---- geometry: follows from the space and its number of agents ------------------------------------------------------- */

static uint64_t cell_room(uint64_t agents, uint32_t per_agent) {
    if (agents > MAX_CELLS / per_agent) return MAX_CELLS;
    const uint64_t room = agents * per_agent + CELLS_ALWAYS;
    return room < MAX_CELLS ? room : MAX_CELLS;
}

/* Maximum n for which `reach` columns hold a radius: radius/width·(1 + WIDER) + n·SLACK <= reach, where width = size/n. */
static uint32_t lattice_columns(float size, float radius, uint32_t reach) {
    const double max = reach / ((double)radius / (double)size * (1.0 + WIDER) + SLACK);
    return max < 1.0 ? 1 : max > MAX_COLUMNS ? (uint32_t)MAX_COLUMNS : (uint32_t)max;
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
 * Short cells save a sixth of all candidates, but more cells than agents are not worth it. If even long cells are too many, the
 * world is nearly empty. Its agents are far apart, and cells do not matter; or they are dense in a few places, where short
 * cells help, and the folded table has room for these.
 */
static uint32_t row_columns(const grid *g, uint64_t rows) {
    for (uint32_t reach = CELLS_PER_RADIUS; reach; reach /= 2) {
        const uint32_t columns = lattice_columns(g->space.size[0], g->space.radius, reach);
        if (columns * rows <= (reach == 1 ? cell_room(g->space.agents, CELLS_PER_AGENT) : g->space.agents)) return columns;
    }
    return lattice_columns(g->space.size[0], g->space.radius, CELLS_PER_RADIUS);
}

/* Halves the table's longest axis until the table has room; the lattice then has 2^h·cells columns. */
static void bounded_axes(grid *g) {
    uint32_t lattice[3] = {1, 1, 1}, folds[3] = {1, 1, 1};
    for (int a = 1; a < g->space.dimensions; a++) lattice[a] = lattice_columns(g->space.size[a], g->space.radius, 1);
    lattice[0] = row_columns(g, (uint64_t)lattice[1] * lattice[2]);
    const uint64_t all = (uint64_t)lattice[0] * lattice[1] * lattice[2], max = cell_room(g->space.agents, CELLS_PER_AGENT);
    const uint64_t room = all <= max ? max : cell_room(g->space.agents, CELLS_FOLDED);
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
        axis_set(&g->axes[a], cells * folds[a], cells, size, dun_space_folds(&g->space) >> a & 1);
        g->axes[a].min = g->space.min[a];
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
    g->cells = g->held = g->axes[0].cells * g->axes[1].cells * g->axes[2].cells;
    g->place = NULL;
}

/* ---- cells ------------------------------------------------------------------------------------------------------------ */

/* Agents outside a bounded world belong to its edge cells: clamping is monotone, so neighbours stay within reach. NaN: 0. */
static inline uint32_t column_bounded(const axis *a, float x) {
    float column = (x - a->min) * a->per_unit;
    column = column > 0.0f ? column : 0.0f;
    column = column < a->last ? column : a->last;
    return (uint32_t)(int32_t)column;
}

/* column mod `cells` without a division. It is exact because column · cells is below 2^FOLD_SHIFT. */
static inline uint32_t fold_column(const axis *a, uint32_t column) {
    return column - (uint32_t)(column * a->inverse >> FOLD_SHIFT) * a->cells;
}

static inline int64_t lattice_column_open(const axis *a, float x) {
    const double end = 0x1p62; /* beyond it, binary32 numbers are further apart than cells */
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

/* One axis at a time, with a loop for each kind of column, which the compiler can vectorize. */
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

/* ---- agents that share a cell ------------------------------------------------------------------------------------------ */

void dun_grid_places(dun_index *index, const dun_space *space, const dun_columns *columns, uint32_t count, uint64_t *table_cell,
                     uint64_t *lattice_cell) {
    grid *g = (grid *)index;
    grid_shape(g, space, columns->agents);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t agent = part_begin(columns->agents, i, count);
        table_cell[i] = lattice_cell[i] = 0;
        for (int a = 0; a < space->dimensions; a++) {
            const float x = ((const float *)columns->from[a])[agent];
            table_cell[i] = table_cell[i] * g->axes[a].cells + column_open(&g->axes[a], x);
            lattice_cell[i] = lattice_cell[i] * 0x9e3779b97f4a7c15u + (uint64_t)lattice_column_open(&g->axes[a], x);
        }
    }
}

/* ---- ranges ----------------------------------------------------------------------------------------------------------- */

/* Where agents in a stretch of columns are seen from a packet. */
typedef enum way {
    WAY_HERE,   /* not across the table's seam */
    WAY_ACROSS, /* perhaps across it */
    WAY_AHEAD,  /* all across it, behind the last column, and nowhere else within the radius */
    WAY_BACK    /* likewise, before the first */
} way;

/* Consecutive columns of an axis. */
typedef struct stretch {
    uint32_t begin, end;
    way way;
} stretch;

/*
 * The table's columns from `first` to `last`, ascending. Below 0 and behind the last column they continue around the seam.
 * Returns the number of stretches, 1 or 2.
 */
static inline int axis_stretches(const axis *a, int32_t first, int32_t last, stretch out[2]) {
    const int32_t cells = (int32_t)a->cells;
    if (first >= 0 && last < cells) {
        out[0] = (stretch){(uint32_t)first, (uint32_t)last + 1, WAY_HERE};
        return 1;
    }
    if (last - first + 1 >= cells) {
        out[0] = (stretch){0, a->cells, a->wraps ? WAY_ACROSS : WAY_HERE};
        return 1;
    }
    if (!a->wraps) {
        out[0] = (stretch){first > 0 ? (uint32_t)first : 0, last < cells ? (uint32_t)last + 1 : a->cells, WAY_HERE};
        return 1;
    }
    const bool under = first < 0;
    out[0] = (stretch){0, (uint32_t)(under ? last + 1 : last + 1 - cells), under ? WAY_HERE : WAY_AHEAD};
    out[1] = (stretch){(uint32_t)(under ? first + cells : first), a->cells, under ? WAY_BACK : WAY_HERE};
    return 2;
}

/* The lattice's column, which is not yet folded. */
static inline int64_t lattice_column(const axis *a, float x) {
    return a->lattice ? (int64_t)column_bounded(a, x) : lattice_column_open(a, x);
}

/* The packet's minimum and maximum column. Around the seam they count on from the first agent's, below 0 or behind the last. */
static void packet_span(const axis *a, const float *x, const dun_query *query, int32_t *min, int32_t *max) {
    const int32_t cells = (int32_t)a->cells;
    const int32_t origin = (int32_t)column(a, x[query->packet.first]);
    *min = *max = origin;
    for (uint32_t i = 1; i < query->packet.count; i++) {
        int32_t away = (int32_t)column(a, x[query->packet.first + i]) - origin;
        if (a->wraps && away > cells / 2) away -= cells;
        if (a->wraps && away < -(cells / 2)) away += cells;
        if (origin + away < *min) *min = origin + away;
        if (origin + away > *max) *max = origin + away;
    }
}

/* The columns from a box's minimum to its maximum corner, however often that leads around the table. */
static void box_span(const axis *a, const float *x, const dun_query *query, int32_t *min, int32_t *max) {
    const float *corner = x + query->packet.first;
    const uint64_t columns = (uint64_t)lattice_column(a, corner[1]) - (uint64_t)lattice_column(a, corner[0]);
    *min = (int32_t)column(a, corner[0]);
    *max = *min + (int32_t)(columns < a->cells ? columns : a->cells);
}

/* The index's own agents lie in the order of their cells, in one row: the first and the last agent have the extreme columns. */
static inline __attribute__((always_inline)) void own_span(const axis *a, const float *x, const dun_query *query,
                                                           int axis_number, int32_t *min, int32_t *max) {
    *min = *max = (int32_t)column(a, x[query->packet.first]);
    if (axis_number == 0) *max = (int32_t)column(a, x[query->packet.first + query->packet.count - 1]);
}

/* The columns to search on each axis. */
typedef struct column_box {
    stretch axis[3][2];
    int count[3];
} column_box;

/* All ranges of a packet fold alike. */
static inline uint32_t add_range(dun_range range, dun_range *ranges, uint32_t count) {
    if (range.begin == range.end) return count;
    if (count && ranges[count - 1].end == range.begin && ranges[count - 1].image == range.image) {
        ranges[count - 1].end = range.end;
        return count;
    }
    ranges[count] = range;
    return count + 1;
}

/* As in a range: of the axes from this one on. */
static uint8_t folded_axes(const grid *g, const column_box *b, int first) {
    uint32_t folds = 0;
    for (int a = first; a < g->space.dimensions && g->space.periodic; a++)
        for (int s = 0; s < b->count[a]; s++) folds |= (uint32_t)(b->axis[a][s].way != WAY_HERE) << a;
    return (uint8_t)(folds & dun_space_folds(&g->space));
}

/* Whether each stretch of these axes is one image. */
static bool knows_images(const grid *g, const column_box *b, int first) {
    bool known = true;
    for (int a = first; a < g->space.dimensions; a++)
        for (int s = 0; s < b->count[a]; s++)
            known = known && (b->axis[a][s].way != WAY_ACROSS || !(dun_space_folds(&g->space) >> a & 1));
    return known;
}

/* With what is known of the axes before. */
static inline uint8_t image_along(uint8_t image, way w, int a) {
    if (image && w == WAY_AHEAD) return (uint8_t)(image | DUN_IMAGE_AHEAD(a));
    if (image && w == WAY_BACK) return (uint8_t)(image | DUN_IMAGE_BACK(a));
    return image;
}

static inline uint32_t add_row(const grid *g, const column_box *b, uint32_t cell, uint8_t folds, uint8_t image,
                               dun_range *ranges, uint32_t count) {
    const uint32_t *edge = g->sorter.edge + cell;
    for (int x = 0; x < b->count[0]; x++) {
        const stretch *s = &b->axis[0][x];
        count = add_range((dun_range){edge[s->begin], edge[s->end], folds, image_along(image, s->way, 0)}, ranges, count);
    }
    return count;
}

static inline void find_columns_of_packet(const grid *g, const dun_query *query, int a, column_box *b) {
    int32_t min, max;
    if (query->own)
        own_span(&g->axes[a], query->position[a], query, a, &min, &max);
    else if (query->box)
        box_span(&g->axes[a], query->position[a], query, &min, &max);
    else
        packet_span(&g->axes[a], query->position[a], query, &min, &max);
    const int32_t reach = (int32_t)query->reach.axis[a];
    const axis *along = &g->axes[a];
    b->count[a] = axis_stretches(along, min - reach, max + reach, b->axis[a]);
    if (min >= 0 && max < (int32_t)along->cells && along->lattice == along->cells) return;
    for (int s = 0; s < b->count[a]; s++)
        if (b->axis[a][s].way != WAY_HERE) b->axis[a][s].way = WAY_ACROSS;
}

/* The place of a row's first cell in the table. */
static inline uint32_t place_of(const grid *g, uint32_t row) {
    return g->place ? g->place[row] : row * g->axes[0].cells;
}

/* The end of the agent's row. */
static uint32_t grid_packet_end(const dun_index *index, uint32_t first) {
    const grid *g = (const grid *)index;
    uint32_t row = 0;
    for (int a = g->space.dimensions - 1; a > 0; a--) row = row * g->axes[a].cells + column(&g->axes[a], g->position[a][first]);
    const uint32_t place = place_of(g, row);
    return place != DUN_NOT_HELD ? g->sorter.edge[(size_t)place + g->axes[0].cells] : g->agents;
}

/* Keeps a row for the next packets of the stretch. If there are too many rows, it only counts them. */
static void keep_row(dun_row row, dun_rows *rows) {
    if (rows->count < DUN_QUERY_ROWS) rows->row[rows->count] = row;
    rows->count++;
}

static uint32_t add_slab(const grid *g, const column_box *b, uint32_t slab, uint8_t slab_image, dun_rows *rows,
                         dun_range *ranges, uint32_t count) {
    const uint8_t folds = folded_axes(g, b, 0), row_folds = folded_axes(g, b, 1);
    const bool known = knows_images(g, b, 0);
    for (int y = 0; y < b->count[1]; y++) {
        const stretch *across = &b->axis[1][y];
        const uint8_t image = image_along(slab_image, across->way, 1);
        for (uint32_t row = across->begin; row < across->end; row++) {
            const uint32_t place = place_of(g, slab * g->axes[1].cells + row);
            if (place == DUN_NOT_HELD) continue;
            keep_row((dun_row){place, row_folds, image}, rows);
            count = add_row(g, b, place, folds, known ? image : 0, ranges, count);
        }
    }
    return count;
}

/* Slabs, rows and columns ascend, so the ranges are in the order of the whole flock. */
static uint32_t list_box(const grid *g, const column_box *b, dun_rows *rows, dun_range *ranges) {
    const uint8_t known = knows_images(g, b, 1) ? DUN_IMAGE_KNOWN : 0;
    uint32_t count = 0;
    for (int z = 0; z < b->count[2]; z++) {
        const uint8_t image = image_along(known, b->axis[2][z].way, 2);
        for (uint32_t slab = b->axis[2][z].begin; slab < b->axis[2][z].end; slab++)
            count = add_slab(g, b, slab, image, rows, ranges, count);
    }
    return count;
}

/* One stretch of columns in each kept row: the answer for nearly every packet, as add_range() would give it. */
static inline uint32_t list_kept(const grid *g, const dun_rows *rows, stretch columns, dun_range *ranges) {
    const uint32_t *begin = g->sorter.edge + columns.begin, *end = g->sorter.edge + columns.end;
    dun_range *next = ranges;
    for (uint32_t r = 0; r < rows->count; r++) {
        const uint32_t from = begin[rows->row[r].cell], to = end[rows->row[r].cell];
        if (from == to) continue;
        if (next > ranges && next[-1].end == from && next[-1].image == rows->row[r].image) {
            next[-1].end = to;
            continue;
        }
        next->begin = from;
        next->end = to;
        next->folds = rows->row[r].folds;
        next->image = rows->row[r].image;
        next++;
    }
    return (uint32_t)(next - ranges);
}

/* The same where columns across the world's edge are seen. */
static __attribute__((noinline)) uint32_t list_kept_across(const grid *g, const dun_query *query, dun_range *ranges) {
    const dun_rows *rows = &query->rows;
    column_box b = {.count = {1, 0, 0}};
    find_columns_of_packet(g, query, 0, &b);
    const uint8_t across = folded_axes(g, &b, 0);
    const bool known = knows_images(g, &b, 0);
    uint32_t count = 0;
    for (const dun_row *row = rows->row; row < rows->row + rows->count; row++)
        count = add_row(g, &b, row->cell, row->folds | across, known ? row->image : 0, ranges, count);
    return count;
}

/* Not inlined, because it would take registers from the short way. */
static __attribute__((noinline)) uint32_t list_found(const grid *g, dun_query *query, dun_range *ranges) {
    column_box b = {.axis = {[1] = {{.end = 1}}, [2] = {{.end = 1}}}, .count = {1, 1, 1}};
    for (int a = 0; a < g->space.dimensions; a++) find_columns_of_packet(g, query, a, &b);
    query->rows = (dun_rows){.begin = query->packet.first};
    const uint32_t count = list_box(g, &b, &query->rows, ranges);
    if (query->own && query->rows.count <= DUN_QUERY_ROWS) query->rows.end = grid_packet_end(&g->index, query->packet.first);
    return count;
}

/* What list_found() gives for one observer of another species that is far from the table's seams and ends. false: it is not. */
static inline bool list_alone(const grid *g, const dun_query *query, dun_range *ranges, uint32_t *count) {
    uint32_t min[3] = {0}, max[3] = {0};
    for (int a = 0; a < g->space.dimensions; a++) {
        const uint32_t here = column(&g->axes[a], query->position[a][query->packet.first]), reach = query->reach.axis[a];
        if (here < reach || here + reach >= g->axes[a].cells) return false;
        min[a] = here - reach;
        max[a] = here + reach;
    }
    dun_range *next = ranges;
    for (uint32_t slab = min[2]; slab <= max[2]; slab++) {
        const uint32_t *row = g->sorter.edge + (size_t)(slab * g->axes[1].cells + min[1]) * g->axes[0].cells;
        for (uint32_t y = min[1]; y <= max[1]; y++, row += g->axes[0].cells) {
            const uint32_t begin = row[min[0]], end = row[max[0] + 1];
            if (begin == end) continue;
            if (next > ranges && next[-1].end == begin)
                next[-1].end = end;
            else
                *next++ = (dun_range){begin, end, 0, DUN_IMAGE_KNOWN};
        }
    }
    *count = (uint32_t)(next - ranges);
    return true;
}

static uint32_t grid_list_ranges(const dun_index *index, dun_query *query, dun_range *ranges) {
    const grid *g = (const grid *)index;
    const uint32_t first = query->packet.first;
    uint32_t count;
    if (query->packet.count == 1 && !query->own && !g->place && list_alone(g, query, ranges, &count)) return count;
    if (!query->own || first < query->rows.begin || first >= query->rows.end) return list_found(g, query, ranges);
    int32_t min, max;
    own_span(&g->axes[0], query->position[0], query, 0, &min, &max);
    min -= (int32_t)query->reach.axis[0];
    max += (int32_t)query->reach.axis[0];
    if (min < 0 || max >= (int32_t)g->axes[0].cells) return list_kept_across(g, query, ranges);
    return list_kept(g, &query->rows, (stretch){(uint32_t)min, (uint32_t)max + 1, WAY_HERE}, ranges);
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

/* Two ranges per row, for the rows around the packet's own. Observers of another species may be anywhere. No range is empty. */
static uint32_t grid_max_ranges(const dun_index *index, const dun_reach *reach, bool own) {
    const grid *g = (const grid *)index;
    uint64_t ranges = 2;
    for (int a = 1; a < g->space.dimensions; a++) {
        const uint64_t rows = 2 * (uint64_t)reach->axis[a] + 1, cells = g->axes[a].cells;
        ranges *= own && rows < cells ? rows : cells;
    }
    return ranges < g->agents ? (uint32_t)ranges : g->agents;
}

/* ---- parts of a flock ------------------------------------------------------------------------------------------------- */

static dun_cells cells_of(const grid *g) {
    dun_cells cells = {.dimensions = g->space.dimensions};
    uint32_t stride = 1;
    for (int a = 0; a < cells.dimensions; a++) {
        const axis *from = &g->axes[a];
        cells.min[a] = from->min;
        cells.per_unit[a] = from->per_unit;
        cells.last[a] = from->last;
        cells.stride[a] = stride;
        stride *= from->cells;
    }
    return cells;
}

static bool is_folded(const grid *g) {
    bool any = false;
    for (int a = 0; a < g->space.dimensions; a++) any = any || g->axes[a].lattice != g->axes[a].cells;
    return any;
}

/* Whether the agents have the numbers that next_cells() asked for, and these are still right. A table that has been folded
 * since, because the flock has fewer agents, may differ in nothing that cells_of() returns: no stride shows the last axis. */
static bool has_numbers(const grid *g, const dun_columns *columns) {
    const dun_cells cells = cells_of(g);
    return columns->numbered && !is_folded(g) && memcmp(&cells, &g->next, sizeof cells) == 0;
}

void dun_grid_shape(dun_index *index, const dun_space *space, uint32_t agents) {
    grid_shape((grid *)index, space, agents);
}

void dun_grid_keys(const dun_index *index, const dun_columns *columns, uint32_t begin, uint32_t end, uint32_t *key) {
    find_keys(index, columns, begin, end, key);
}

/* What numbers agents by parts. */
typedef struct number_job {
    grid *grid;
    const dun_columns *columns;
    uint32_t *to;
    uint32_t known;  /* agents that have numbers already */
    dun_stretch own; /* places in the table */
    uint32_t before, inside;
} number_job;

enum { COUNTED_PER_TASK = 1 << 16 /* some 50 µs of work */ };

static uint32_t number_tasks(uint32_t agents) {
    return agents / COUNTED_PER_TASK + (agents % COUNTED_PER_TASK != 0);
}

static void number_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const number_job *job = context;
    const uint32_t begin = task * COUNTED_PER_TASK, end = begin + min_u32(COUNTED_PER_TASK, job->columns->agents - begin);
    find_keys(job->grid, job->columns, begin, end, job->to);
}

uint32_t dun_grid_cell_begin(const dun_index *index, uint32_t cell) {
    const grid *g = (const grid *)index;
    const uint32_t row = cell / g->axes[0].cells;
    return g->sorter.edge[place_of(g, row) + (cell - row * g->axes[0].cells)];
}

uint32_t dun_grid_place_begin(const dun_index *index, uint32_t place) {
    return ((const grid *)index)->sorter.edge[place];
}

const uint32_t *dun_grid_numbers(dun_index *index, const dun_columns *columns, uint32_t from, const dun_executor *executor) {
    grid *g = (grid *)index;
    number_job job = {.grid = g, .columns = columns, .to = g->sorter.key};
    g->first_number = from;
    if (!has_numbers(g, columns)) {
        g->first_number = 0;
        g->next = (dun_cells){0}; /* should this step fail, the next one cannot take these numbers from element `from` on */
        executor->run(executor, number_tasks(columns->agents), number_part, &job);
    }
    return g->sorter.key + g->first_number;
}

/* Numbers of cells become places in the table. Both counts are sums of whole numbers, so the order of tasks does not show. */
static void hold_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    number_job *job = context;
    const grid *g = job->grid;
    const uint32_t row_cells = g->axes[0].cells, elsewhere = g->held - 1;
    const double rows_per_cell = 1.0 / row_cells;
    const uint32_t begin = task * COUNTED_PER_TASK, end = begin + min_u32(COUNTED_PER_TASK, job->columns->agents - begin);
    const uint32_t known = job->known < begin ? begin : min_u32(job->known, end);
    const uint32_t first = job->own.begin, count = job->own.end - job->own.begin;
    const uint32_t *from = g->sorter.key + g->first_number;
    uint32_t *to = job->to, before = 0, inside = 0;
    memcpy(to + begin, from + begin, (known - begin) * sizeof *to);
    find_keys(g, job->columns, known, end, to);
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t row = dun_row_of(to[i], rows_per_cell), row_place = g->place[row];
        const uint32_t place = row_place == DUN_NOT_HELD ? elsewhere : row_place + (to[i] - row * row_cells);
        to[i] = place;
        before += place < first;
        inside += place - first < count;
    }
    __atomic_fetch_add(&job->before, before, __ATOMIC_RELAXED);
    __atomic_fetch_add(&job->inside, inside, __ATOMIC_RELAXED);
}

dun_stretch dun_grid_hold(dun_index *index, const dun_held *held, const dun_columns *columns, uint32_t known,
                          const dun_executor *executor) {
    grid *g = (grid *)index;
    g->place = held->place;
    g->held = held->cells == g->cells ? held->cells : held->cells + 1;
    number_job job = {.grid = g, .columns = columns, .to = g->spare, .known = known, .own = held->own};
    executor->run(executor, number_tasks(columns->agents), hold_part, &job);
    g->spare = g->sorter.key;
    g->sorter.key = job.to;
    g->holds = true;
    return (dun_stretch){job.before, job.before + job.inside};
}

dun_cell_shape dun_grid_shape_of(const dun_index *index) {
    const grid *g = (const grid *)index;
    dun_cell_shape shape;
    for (int a = 0; a < 3; a++) {
        shape.width[a] = g->axes[a].width;
        shape.min[a] = g->axes[a].min;
        shape.cells[a] = g->axes[a].cells;
        shape.lattice[a] = g->axes[a].lattice;
        shape.wraps[a] = g->axes[a].wraps;
    }
    return shape;
}

/* The columns of `to` that are seen from the columns `from` of another axis, or of the same. */
static int seen_along(const axis *from, dun_stretch columns, bool same, const axis *to, float radius, dun_stretch out[2]) {
    const uint32_t reach = axis_reach(to, radius);
    int32_t first = (int32_t)columns.begin, last = (int32_t)columns.end - 1;
    if (!same) {
        /* Columns of a folded table stand for several places. */
        if (from->lattice != from->cells || to->lattice != to->cells) {
            out[0] = (dun_stretch){0, to->cells};
            return 1;
        }
        /* An agent's column may be wrong by a rounding error, in either grid. Agents outside the world are in the edge's. */
        const double min = (double)from->min, begin = min + from->width * columns.begin, end = min + from->width * columns.end;
        const double error = from->width * (from->lattice * SLACK) + to->width * (to->lattice * SLACK);
        first = columns.begin == 0 ? 0 : (int32_t)column_bounded(to, (float)(begin - error));
        last = columns.end == from->cells ? (int32_t)to->cells - 1 : (int32_t)column_bounded(to, (float)(end + error));
    }
    stretch stretches[2];
    const int count = axis_stretches(to, first - (int32_t)reach, last + (int32_t)reach, stretches);
    for (int i = 0; i < count; i++) out[i] = (dun_stretch){stretches[i].begin, stretches[i].end};
    return count;
}

dun_seen dun_grid_seen(const dun_index *observer_index, dun_block block, const dun_index *observed_index, float radius) {
    const grid *observer = (const grid *)observer_index, *observed = (const grid *)observed_index;
    const axis *const from = observer->axes, *const to = observed->axes;
    const bool same = observer == observed;
    const dun_stretch lines = {block.cells.begin / from[0].cells, (block.cells.end - 1) / from[0].cells + 1};
    dun_seen seen = {.slab = {{0, 1}}, .slabs = 1};
    seen.lines = seen_along(&from[1], lines, same, &to[1], radius, seen.line);
    if (observed->space.dimensions == 3) seen.slabs = seen_along(&from[2], block.slab, same, &to[2], radius, seen.slab);
    return seen;
}

/* ---- the rest --------------------------------------------------------------------------------------------------------- */

static dun_index *grid_create(dun_heap *heap) {
    return dun_index_new(&dun_grid_index, heap, sizeof(grid));
}

static void grid_destroy(dun_index *index) {
    if (index) dun_sorter_free(&((grid *)index)->sorter);
    if (index) dun_free(((grid *)index)->spare);
    dun_free(index);
}

static bool grid_reserve(dun_index *index, const dun_space *space, uint32_t agents, uint32_t workers) {
    grid *g = (grid *)index, shaped = *g;
    grid_shape(&shaped, space, agents);
    if (!dun_sorter_reserve(&g->sorter, index->heap, agents, shaped.cells, workers)) return false;
    if (space->agents && !dun_array_fit(index->heap, &g->spare, &g->spare_room, g->sorter.key_room, sizeof *g->spare))
        return false;
    shaped.sorter = g->sorter;
    shaped.spare = g->spare;
    shaped.spare_room = g->spare_room;
    *g = shaped;
    return true;
}

static uint32_t *grid_next_cells(dun_index *index, dun_cells *cells) {
    grid *g = (grid *)index;
    if (is_folded(g)) return NULL;
    *cells = g->next = cells_of(g);
    return g->sorter.key;
}

static void grid_build(dun_index *index, const dun_space *space, const dun_columns *columns, const dun_executor *executor) {
    grid *g = (grid *)index;
    const bool holds = g->holds; /* then it has a shape, and all agents have cells */
    if (!holds) grid_shape(g, space, columns->agents);
    const bool numbered = holds || has_numbers(g, columns);
    g->next = (dun_cells){0};
    g->holds = false;
    g->agents = columns->agents;
    dun_sort(&g->sorter, columns, g->held, numbered ? NULL : find_keys, g, executor);
    for (int a = 0; a < space->dimensions; a++) g->position[a] = (const float *)columns->to[a];
}

static uint64_t grid_cells(const dun_index *index) {
    return ((const grid *)index)->cells;
}

const dun_index_type dun_grid_index = DUN_INDEX_TYPE(grid, true, grid_next_cells);
