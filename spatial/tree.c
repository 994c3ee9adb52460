/* SPDX-License-Identifier: MIT */
/*
 * A tree for agents whose places suit no grid: in long lines, or dense in a few places of a vast world. Its shape follows from
 * the agents' places alone, not from a radius or the world's edges.
 *
 * The order. The box around all agents is halved across its longest side, then each half likewise, and so on; in a cube this is
 * the order of Morton's curve. Several halvings make one pass of a stable counting sort. A part with few agents is a leaf. A
 * part that is still crowded after a pass gets a new box, which fits its agents: so the distance between two flocks takes no
 * precision from the order within them, and every pass separates at least two agents unless all are at one point. Agents of
 * one leaf keep their order: storage order follows from storage order, for any number of workers.
 *
 * The boxes. There is a box around every eight consecutive agents, another around every eight such boxes, and so on. A query
 * descends to the boxes within a radius of the box around its packet. Agents of adjacent boxes make one range. Rounding is
 * monotone: the computed distance between two agents is never less than that between their boxes, so no neighbour is left out.
 *
 *   box of all, order[]               by chunks of agents                       }
 *   crowded parts of many agents      one after another, each by all workers    } once, and again for each such part
 *   crowded parts of fewer agents     by shares of parts
 *   to[][] and the boxes              by chunks of agents
 */
#include <math.h>
#include <string.h>

#include "spatial/sort.h"

enum {
    LEAF = 32,             /* agents at most: two packets of the kernel with the most lanes, on every machine */
    BUCKET = 8,            /* agents per part that a pass aims at, so that leaves are cut at the right places */
    MAX_BITS = 10,         /* of a pass, one per halving: its counts stay in L1 */
    MANY = 1 << 15,        /* agents: all workers together sort a part with more */
    SHARES = 256,          /* at most, of the parts with fewer agents, … */
    SHARE_WORTH = 1 << 13, /* … and agents per share: fewer are not worth waking a worker */
    MEASURES = 64,         /* chunks of agents, whose boxes are joined to the box around all */
    FAN = 8,               /* agents or boxes in a box */
    LEVELS = 11,           /* of boxes: FAN to the power of LEVELS is more than 2^32 */
    CHUNK_LEVELS = 4,      /* that one worker makes for a chunk, … */
    CHUNK = 1 << 12,       /* … of this many agents: FAN to the power of CHUNK_LEVELS */
    MAX_RANGES = 256       /* of an answer; this bounds memory and a kernel's work per range */
};

#define TREE_WIDER 1.000002f /* times a radius: the error of a distance computed in binary32 from three squares */
#define TREE_SLACK 0x1p-21f  /* times a periodic world's side: offsets are rounded before they are folded */

enum { WITHIN = 0, LEAF_BEGINS, CROWD_BEGINS };

typedef struct box {
    float min[3], max[3];
} box;

/* Boxes as columns, padded with empty boxes to a multiple of FAN. */
typedef struct level {
    uint32_t count;
    float *min[3], *max[3];
} level;

typedef struct tree {
    dun_index index;
    dun_space space;
    uint32_t agents, room;
    const dun_columns *columns; /* while the tree is built */
    int axes;                   /* of the boxes */
    uint32_t *order;            /* [room] agents, in the order so far */
    uint32_t *spare;            /* [room] */
    uint8_t *begins;            /* [room] what begins at a slot */
    dun_sorter sorter;
    float *boxes; /* all levels' */
    level level[LEVELS];
    int levels;
    double cover_radius;      /* world units: a query with this radius covers all agents */
    const float *position[3]; /* sorted */
} tree;

/* ---- boxes ------------------------------------------------------------------------------------------------------------ */

static box box_empty(void) {
    return (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void box_join(box *around, const box *other) {
    for (int a = 0; a < 3; a++) {
        around->min[a] = min_float(around->min[a], other->min[a]);
        around->max[a] = max_float(around->max[a], other->max[a]);
    }
}

/* The box around the agents that `order` names. */
static box box_of(const tree *t, const uint32_t *order, uint32_t count) {
    box around = box_empty();
    for (int a = 0; a < t->space.dimensions; a++) {
        const float *x = (const float *)t->columns->from[a];
        for (uint32_t i = 0; i < count; i++) {
            around.min[a] = min_float(x[order[i]], around.min[a]);
            around.max[a] = max_float(x[order[i]], around.max[a]);
        }
    }
    return around;
}

/* ---- a pass: how a box is halved -------------------------------------------------------------------------------------- */

typedef struct tree_pass {
    const dun_columns *columns;
    int dimensions, bits;
    float min[3];
    double per_unit[3]; /* columns per world unit; in binary64 because a box may be as narrow as the smallest numbers */
    double last[3];     /* column */
    uint16_t part[3][1 << MAX_BITS]; /* what a column adds to the number of a part */
} tree_pass;

/* Decides which axis each bit halves, and counts the halvings of each axis. */
static void halve(const box *around, tree_pass *p, int axis_of[MAX_BITS], int halvings[3]) {
    double side[3] = {0};
    for (int a = 0; a < p->dimensions; a++) side[a] = (double)(around->max[a] - around->min[a]);
    for (int bit = 0; bit < p->bits; bit++) {
        int longest = 0;
        for (int a = 1; a < p->dimensions; a++)
            if (side[a] > side[longest]) longest = a;
        side[longest] *= 0.5;
        halvings[longest]++;
        axis_of[bit] = longest;
    }
}

/* Spreads the bits of a column to where its axis is halved; the first halving has the highest bit. */
static uint16_t part_of_column(const tree_pass *p, const int axis_of[MAX_BITS], int axis, int halvings, uint32_t column) {
    uint32_t part = 0;
    for (int bit = 0; bit < p->bits; bit++) part = part << 1 | (axis_of[bit] == axis ? column >> --halvings & 1u : 0u);
    return (uint16_t)part;
}

static void pass_set(tree_pass *p, const tree *t, const box *around, uint32_t agents) {
    int axis_of[MAX_BITS], halvings[3] = {0};
    p->columns = t->columns;
    p->dimensions = t->space.dimensions;
    for (p->bits = 1; p->bits < MAX_BITS && agents >> p->bits > BUCKET;) p->bits++;
    halve(around, p, axis_of, halvings);
    for (int a = 0; a < p->dimensions; a++) {
        const double side = (double)(around->max[a] - around->min[a]), columns = (double)(1u << halvings[a]);
        p->min[a] = around->min[a];
        p->per_unit[a] = side > 0.0 ? columns / side : 0.0;
        p->last[a] = columns - 1.0;
        for (uint32_t c = 0; c < 1u << halvings[a]; c++) p->part[a][c] = part_of_column(p, axis_of, a, halvings[a], c);
    }
}

static bool is_point(const box *around, int dimensions) {
    for (int a = 0; a < dimensions; a++)
        if (around->max[a] > around->min[a]) return false;
    return true;
}

static void find_parts(const tree_pass *p, const uint32_t *order, uint32_t count, uint32_t *key) {
    for (uint32_t i = 0; i < count; i++) key[i] = 0;
    for (int a = 0; a < p->dimensions; a++) {
        const float *x = (const float *)p->columns->from[a];
        const float min = p->min[a];
        const double per_unit = p->per_unit[a], last = p->last[a];
        for (uint32_t i = 0; i < count; i++) {
            const double column = (double)(x[order[i]] - min) * per_unit;
            key[i] |= p->part[a][(uint32_t)(int32_t)(column < last ? column : last)];
        }
    }
}

/* ---- parts: leaves and crowds ----------------------------------------------------------------------------------------- */

/* All agents are at one point: leaves may begin anywhere. */
static void mark_point(const tree *t, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i += LEAF) t->begins[i] = LEAF_BEGINS;
}

/* Marks what begins at the parts [first, last) of a pass, whose agents begin at slot `begin`: leaves are as large as possible.
 */
static void mark_parts(const tree *t, const uint32_t *edge, uint32_t begin, uint32_t first, uint32_t last) {
    const uint32_t agents = edge[last] - edge[first];
    if (agents == 0) return;
    if (agents <= LEAF || last - first == 1) {
        t->begins[begin + edge[first]] = agents <= LEAF ? LEAF_BEGINS : CROWD_BEGINS;
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    mark_parts(t, edge, begin, first, middle);
    mark_parts(t, edge, begin, middle, last);
}

/* Reads no mark from `limit` on, where a part begins or the last one ends: another worker may be writing there. */
static uint32_t part_end(const tree *t, uint32_t first, uint32_t limit) {
    uint32_t end = first + 1;
    while (end < limit && t->begins[end] == WITHIN) end++;
    return end;
}

/* A stable counting sort of one part by one worker. */
static void sort_part(const tree *t, uint32_t begin, uint32_t end) {
    uint32_t *order = t->order + begin, *key = t->sorter.key + begin, edge[(1 << MAX_BITS) + 1] = {0};
    const uint32_t count = end - begin;
    const box around = box_of(t, order, count);
    if (is_point(&around, t->space.dimensions)) {
        mark_point(t, begin, end);
        return;
    }
    tree_pass p;
    pass_set(&p, t, &around, count);
    find_parts(&p, order, count, key);
    const uint32_t parts = 1u << p.bits;
    for (uint32_t i = 0; i < count; i++) edge[key[i] + 1]++;
    for (uint32_t k = 0; k < parts; k++) edge[k + 1] += edge[k];
    mark_parts(t, edge, begin, 0, parts);
    for (uint32_t i = 0; i < count; i++) t->spare[begin + edge[key[i]]++] = order[i];
    memcpy(order, t->spare + begin, count * sizeof *order);
}

/* ---- parts of many agents: all workers ---------------------------------------------------------------------------------- */

typedef struct crowd {
    const tree *tree;
    uint32_t begin, count;
    bool first; /* nothing has been sorted yet */
    box box[MEASURES];
    tree_pass pass;
} crowd;

static void measure_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    crowd *c = context;
    const uint32_t begin = part_begin(c->count, chunk, MEASURES), end = part_begin(c->count, chunk + 1, MEASURES);
    uint32_t *order = c->tree->order + c->begin, *spare = c->tree->spare + c->begin;
    for (uint32_t i = begin; i < end; i++) spare[i] = c->first ? i : order[i];
    c->box[chunk] = box_of(c->tree, spare + begin, end - begin);
}

static void find_crowd_parts(const void *context, const dun_columns *order, uint32_t begin, uint32_t end, uint32_t *key) {
    find_parts(context, (const uint32_t *)order->from[0] + begin, end - begin, key + begin);
}

/* Does what sort_part() does, by all workers. */
static void sort_crowd(tree *t, crowd *c, const dun_executor *executor) {
    executor->run(executor, MEASURES, measure_chunk, c);
    box around = box_empty();
    for (int m = 0; m < MEASURES; m++) box_join(&around, &c->box[m]);
    if (is_point(&around, t->space.dimensions)) {
        memcpy(t->order + c->begin, t->spare + c->begin, c->count * sizeof *t->order);
        mark_point(t, c->begin, c->begin + c->count);
        return;
    }
    pass_set(&c->pass, t, &around, c->count);
    const dun_columns order = {.agents = c->count, .columns = 1, .from = {t->spare + c->begin}, .to = {t->order + c->begin}};
    const uint32_t parts = 1u << c->pass.bits;
    dun_sort(&t->sorter, &order, parts, find_crowd_parts, &c->pass, executor);
    mark_parts(t, t->sorter.edge, c->begin, 0, parts);
}

static void sort_crowds(tree *t, const dun_executor *executor) {
    crowd all = {.tree = t, .count = t->agents, .first = true};
    sort_crowd(t, &all, executor);
    for (uint32_t begin = 0, end; begin < t->agents; begin = end) {
        end = part_end(t, begin, t->agents);
        if (end - begin <= MANY) continue;
        crowd c = {.tree = t, .begin = begin, .count = end - begin};
        sort_crowd(t, &c, executor);
        end = begin; /* continue with its parts */
    }
}

/* ---- parts of fewer agents: shares of them ------------------------------------------------------------------------------ */

typedef struct shares {
    const tree *tree;
    uint32_t begin[SHARES + 1]; /* each is where a part begins, before any part is sorted */
} shares;

static void sort_share(void *context, uint32_t share, uint32_t worker) {
    (void)worker;
    const shares *s = context;
    const tree *t = s->tree;
    for (uint32_t begin = s->begin[share]; begin < s->begin[share + 1];) {
        const uint32_t end = part_end(t, begin, s->begin[share + 1]);
        if (t->begins[begin] == CROWD_BEGINS)
            sort_part(t, begin, end);
        else
            begin = end;
    }
}

static void sort_rest(const tree *t, const dun_executor *executor) {
    shares s = {.tree = t};
    const uint32_t count = min_u32(t->agents / SHARE_WORTH + 1, SHARES);
    for (uint32_t i = 1; i <= count; i++) {
        const uint32_t from = part_begin(t->agents, i, count);
        s.begin[i] = from <= s.begin[i - 1] ? s.begin[i - 1] : part_end(t, from - 1, t->agents);
    }
    executor->run(executor, count, sort_share, &s);
}

/* ---- agents in their places, and the boxes around them ------------------------------------------------------------------ */

static void move_in_order(const dun_columns *columns, const uint32_t *order, uint32_t begin, uint32_t end) {
    for (int c = 0; c < columns->columns; c++) {
        const dun_word *from = columns->from[c];
        dun_word *to = columns->to[c];
        for (uint32_t i = begin; i < end; i++) to[i] = from[order[i]];
    }
}

/* Fits each of the boxes [begin, end) around FAN intervals from min to max. */
static void fit_boxes(const float *min, const float *max, uint32_t count, float *box_min, float *box_max, uint32_t begin,
                      uint32_t end) {
    for (uint32_t b = begin; b < end; b++) {
        float all_min = min[b * FAN], all_max = max[b * FAN];
        for (uint32_t i = b * FAN + 1; i < min_u32(b * FAN + FAN, count); i++) {
            all_min = min_float(min[i], all_min);
            all_max = max_float(max[i], all_max);
        }
        box_min[b] = all_min;
        box_max[b] = all_max;
    }
}

static void fit_tree_level(const tree *t, int l, uint32_t begin, uint32_t end) {
    const level *above = &t->level[l], *below = l ? &t->level[l - 1] : NULL;
    for (int a = 0; a < t->space.dimensions; a++) {
        if (below)
            fit_boxes(below->min[a], below->max[a], below->count, above->min[a], above->max[a], begin, end);
        else
            fit_boxes(t->position[a], t->position[a], t->agents, above->min[a], above->max[a], begin, end);
    }
}

static void move_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const tree *t = context;
    const uint32_t begin = chunk * CHUNK;
    move_in_order(t->columns, t->order, begin, begin + min_u32(CHUNK, t->agents - begin));
    uint32_t boxes = CHUNK / FAN;
    for (int l = 0; l < CHUNK_LEVELS && l < t->levels; l++, boxes /= FAN)
        fit_tree_level(t, l, chunk * boxes, min_u32((chunk + 1) * boxes, t->level[l].count));
}

/* A query tests FAN boxes at once. */
static void pad_level(const tree *t, const level *l) {
    for (int a = 0; a < t->space.dimensions; a++) {
        for (uint32_t b = l->count; b % FAN; b++) {
            l->min[a][b] = INFINITY;
            l->max[a][b] = -INFINITY;
        }
    }
}

static void find_cover_radius(tree *t) {
    double diagonal2 = 0.0, longest = 0.0;
    for (int a = 0; a < t->space.dimensions; a++) {
        const level *top = &t->level[t->levels - 1];
        float min, max;
        fit_boxes(top->min[a], top->max[a], top->count, &min, &max, 0, 1);
        diagonal2 += ((double)max - (double)min) * ((double)max - (double)min);
        longest = fmax(longest, (double)t->space.size[a]);
    }
    t->cover_radius = fmax(sqrt(diagonal2), longest);
}

static void move_all(tree *t, const dun_executor *executor) {
    executor->run(executor, (t->agents - 1) / CHUNK + 1, move_chunk, t);
    for (int l = 0; l < t->levels; l++) {
        if (l >= CHUNK_LEVELS) fit_tree_level(t, l, 0, t->level[l].count);
        pad_level(t, &t->level[l]);
    }
    find_cover_radius(t);
}

/* ---- building ----------------------------------------------------------------------------------------------------------- */

static uint32_t boxes_around(uint32_t count) {
    return count / FAN + (count % FAN != 0);
}

/* The last level has at most FAN boxes, all of which a query tests. */
static void count_boxes(tree *t) {
    uint32_t count = t->agents;
    for (t->levels = 0; count && (t->levels == 0 || count > FAN); t->levels++) {
        count = boxes_around(count);
        t->level[t->levels].count = count;
    }
}

static void sort_agents(tree *t, const dun_executor *executor) {
    memset(t->begins, WITHIN, t->agents);
    if (t->agents > MANY) {
        sort_crowds(t, executor);
    } else {
        for (uint32_t i = 0; i < t->agents; i++) t->order[i] = i;
        t->begins[0] = t->agents > LEAF ? CROWD_BEGINS : LEAF_BEGINS;
    }
    sort_rest(t, executor);
}

static void tree_build(dun_index *index, const dun_space *space, const dun_columns *columns, const dun_executor *executor) {
    tree *t = (tree *)index;
    t->space = *space;
    t->agents = columns->agents;
    t->columns = columns;
    for (int a = 0; a < space->dimensions; a++) t->position[a] = (const float *)columns->to[a];
    count_boxes(t);
    t->cover_radius = 0.0;
    if (t->agents == 0) return;
    sort_agents(t, executor);
    move_all(t, executor);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------------- */

/*
 * The box that a query searches: the box around its packet and a radius more on every side. In a periodic world it may reach
 * across an edge; the rest of it is then at the opposite edge. Without such a rest, far_min and far_max meet no box.
 */
typedef struct tree_search {
    int dimensions;
    uint8_t folds; /* as in a range */
    float min[3], max[3], far_min[3], far_max[3];
} tree_search;

/*
 * Rounding is monotone: an agent whose computed distance below the packet is at most the radius is not below the rounded `min`.
 * Offsets across an edge are rounded before they are folded, hence the slack.
 */
static tree_search search_of(const tree *t, const dun_query *query) {
    tree_search s = {.dimensions = t->space.dimensions};
    for (int a = 0; a < s.dimensions; a++) {
        const float *x = query->position[a] + query->packet.first, size = t->space.size[a];
        const bool repeats = dun_space_folds(&t->space) >> a & 1;
        const float reach = query->reach.radius * TREE_WIDER + (repeats ? size * TREE_SLACK : 0.0f);
        float min = x[0], max = x[0];
        for (uint32_t i = 1; i < query->packet.count; i++) {
            min = min_float(x[i], min);
            max = max_float(x[i], max);
        }
        s.min[a] = min - reach;
        s.max[a] = max + reach;
        const bool under = repeats && s.min[a] < 0.0f, over = repeats && s.max[a] > size;
        s.far_min[a] = under ? s.min[a] + size - size * TREE_SLACK : INFINITY;
        s.far_max[a] = over ? s.max[a] - size + size * TREE_SLACK : -INFINITY;
        if (under || over) s.folds = dun_space_folds(&t->space);
    }
    return s;
}

/* Which of FAN boxes a search meets, a bit each; `far`: it may reach across an edge. No branch depends on a box, so that
 * compilers make a few wide instructions of it. */
static inline __attribute__((always_inline)) uint32_t find_hits(const level *boxes, uint32_t first, const tree_search *s,
                                                                bool far) {
    int32_t met[FAN] = {1, 2, 4, 8, 16, 32, 64, 128}, bits = 0;
    for (int a = 0; a < s->dimensions; a++) {
        const float *box_min = boxes->min[a] + first, *box_max = boxes->max[a] + first;
        const float min = s->min[a], max = s->max[a], far_min = s->far_min[a], far_max = s->far_max[a];
        for (int b = 0; b < FAN; b++) {
            const int32_t near = (box_min[b] <= max) & (box_max[b] >= min);
            met[b] &= -(far ? (box_max[b] >= far_min) | (box_min[b] <= far_max) | near : near);
        }
    }
    for (int b = 0; b < FAN; b++) bits |= met[b];
    return (uint32_t)bits;
}

/* Joins ranges across the smallest gaps until at most half of MAX_RANGES are left. */
static uint32_t bridge_gaps(dun_range *ranges, uint32_t count) {
    for (uint32_t gap = FAN; count > MAX_RANGES / 2; gap *= 2) {
        uint32_t kept = 1;
        for (uint32_t r = 1; r < count; r++) {
            if (ranges[r].begin - ranges[kept - 1].end > gap) ranges[kept++] = ranges[r];
            ranges[kept - 1].end = ranges[r].end;
        }
        count = kept;
    }
    return count;
}

/* Adds agents behind those of the ranges so far. */
static inline uint32_t append_range(dun_range range, dun_range *ranges, uint32_t count) {
    if (count && ranges[count - 1].end == range.begin) {
        ranges[count - 1].end = range.end;
        return count;
    }
    if (count == MAX_RANGES) count = bridge_gaps(ranges, count);
    ranges[count] = range;
    return count + 1;
}

/* Adds the agents of boxes of the first level. Adjacent boxes make one range. */
static inline uint32_t add_boxes(const tree *t, uint32_t first, uint32_t met, uint8_t folds, dun_range *ranges,
                                 uint32_t count) {
    while (met) {
        const uint32_t skipped = (uint32_t)__builtin_ctz(met), together = (uint32_t)__builtin_ctz(~(met >> skipped));
        const uint32_t begin = (first + skipped) * FAN, end = begin + together * FAN;
        count = append_range((dun_range){.begin = begin, .end = min_u32(end, t->agents), .folds = folds}, ranges, count);
        met &= ~0u << (skipped + together);
    }
    return count;
}

/* Goes down and on, never back: boxes ascend, so the ranges ascend, too. */
static uint32_t find_ranges(const tree *t, const tree_search *s, dun_range *ranges) {
    uint32_t met[LEVELS], first[LEVELS], count = 0;
    int at = t->levels - 1;
    first[at] = 0;
    for (;;) {
        met[at] = s->folds ? find_hits(&t->level[at], first[at], s, true) : find_hits(&t->level[at], first[at], s, false);
        if (at == 0) count = add_boxes(t, first[0], met[0], s->folds, ranges, count);
        if (at == 0) met[0] = 0;
        while (met[at] == 0)
            if (++at == t->levels) return count;
        const uint32_t down = first[at] + (uint32_t)__builtin_ctz(met[at]);
        met[at] &= met[at] - 1;
        first[--at] = down * FAN;
    }
}

static uint32_t tree_list_ranges(const dun_index *index, dun_query *query, dun_range *ranges) {
    const tree *t = (const tree *)index;
    if (t->agents == 0) return 0;
    if (query->reach.everywhere) {
        ranges[0] = (dun_range){.begin = 0, .end = t->agents, .folds = dun_space_folds(&t->space)};
        return 1;
    }
    const tree_search s = search_of(t, query);
    return find_ranges(t, &s, ranges);
}

static dun_reach tree_reach(const dun_index *index, float radius) {
    return (dun_reach){.radius = radius, .everywhere = (double)radius >= ((const tree *)index)->cover_radius};
}

static uint32_t tree_packet_end(const dun_index *index, uint32_t first) {
    const tree *t = (const tree *)index;
    return part_end(t, first, t->agents);
}

static uint32_t tree_max_ranges(const dun_index *index, const dun_reach *reach, bool own) {
    (void)index, (void)reach, (void)own;
    return MAX_RANGES;
}

/* ---- the rest ----------------------------------------------------------------------------------------------------------- */

static dun_index *tree_create(dun_heap *heap) {
    return dun_index_new(&dun_tree_index, heap, sizeof(tree));
}

static void tree_destroy(dun_index *index) {
    tree *t = (tree *)index;
    if (!t) return;
    dun_sorter_free(&t->sorter);
    dun_free(t->order);
    dun_free(t->spare);
    dun_free(t->begins);
    dun_free(t->boxes);
    dun_free(t);
}

/* Lays the boxes of all levels out, padding included, and returns how many numbers they are. boxes NULL: only counts. */
static size_t lay_out_boxes(level levels[LEVELS], float *boxes, uint32_t agents, int axes) {
    size_t words = 0;
    for (uint32_t count = agents, l = 0; l < LEVELS; l++) {
        count = boxes_around(count);
        const size_t padded = (size_t)boxes_around(count) * FAN;
        for (int a = 0; a < axes; a++, words += 2 * padded) {
            if (!boxes) continue;
            levels[l].min[a] = boxes + words;
            levels[l].max[a] = boxes + words + padded;
        }
    }
    return words;
}

/* Boxes last: if they have grown, nothing can fail any more. */
static bool grow_arrays(tree *t, uint32_t agents, int axes) {
    dun_heap *heap = t->index.heap;
    const size_t boxes = lay_out_boxes(NULL, NULL, agents, axes);
    if (!dun_array_grow(heap, &t->order, agents, sizeof *t->order) ||
        !dun_array_grow(heap, &t->spare, agents, sizeof *t->spare) ||
        !dun_array_grow(heap, &t->begins, agents, sizeof *t->begins) ||
        !dun_array_grow(heap, &t->boxes, boxes, sizeof *t->boxes))
        return false;
    t->room = agents;
    t->axes = axes;
    lay_out_boxes(t->level, t->boxes, agents, axes);
    return true;
}

static bool tree_reserve(dun_index *index, const dun_space *space, uint32_t agents, uint32_t workers) {
    tree *t = (tree *)index;
    if (!dun_sorter_reserve(&t->sorter, index->heap, agents, 1u << MAX_BITS, workers)) return false;
    if (agents > t->room && !grow_arrays(t, agents, space->dimensions)) return false;
    t->agents = agents;
    count_boxes(t);
    return true;
}

static uint64_t tree_cells(const dun_index *index) {
    const tree *t = (const tree *)index;
    return t->levels ? t->level[0].count : 0;
}

const dun_index_type dun_tree_index = DUN_INDEX_TYPE(tree, true, NULL);
