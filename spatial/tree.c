/* SPDX-License-Identifier: MIT */
/*
 * A tree for agents who are where no grid suits them: in long lines, or close together in a few places of a vast world. It
 * knows no radius and no edge of the world, only where agents are.
 *
 * The order. The box around all agents is halved across its longest side, and so are its halves, again and again: in a cube
 * that is the order of Morton's curve. Several halvings make one pass of a stable counting sort. A part with few agents is a
 * leaf; one that is still crowded after a pass is measured anew, so that no distance between two flocks takes anything from the
 * order within them, and every pass tells at least two agents apart unless all are at one point. Who is in one part keeps the
 * order in which he came: storage order follows from storage order, whatever the workers.
 *
 * The boxes. Eight consecutive agents have a box around them, eight such boxes another one, and so on. A query goes down to the
 * boxes within a radius of the box around its group, and agents of neighbouring boxes make one run. Rounding is monotone, so no
 * agent computes a shorter way to another than his box to the other's: nobody within the radius is left out.
 *
 *   box of all, order[]               by chunks of agents                        }
 *   crowded[] parts of many agents    one after another, each by all workers     } once, and again for each such part
 *   crowded parts of fewer agents     by shares of parts
 *   to[][] and the boxes              by chunks of agents
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spatial/sort.h"

enum {
    LEAF = 32,             /* agents at most: two groups of the widest kernel, whatever the machine's lanes */
    BUCKET = 8,            /* agents that a pass aims at: a leaf is then cut where it should be */
    MOST_BITS = 10,        /* of a pass, each a halving: its counts stay in L1 */
    MANY = 1 << 15,        /* agents: from there on all workers sort one part */
    SHARES = 256,          /* of the parts of fewer agents, at most, … */
    SHARE_WORTH = 1 << 13, /* … and agents a share: fewer are not worth waking a worker */
    MEASURES = 64,         /* chunks of agents whose boxes make that around all */
    FAN = 8,               /* agents, or boxes, in a box */
    LEVELS = 11,           /* of boxes: FAN to the power of LEVELS is more than 2^32 */
    CHUNK_LEVELS = 4,      /* whose boxes belong to one chunk, … */
    CHUNK = 1 << 12,       /* … which is so many agents, FAN to that power */
    MOST_RUNS = 256        /* more would be made fewer: this bounds memory, and a kernel's work a run */
};

#define WIDER 1.000002f /* a radius: of a distance computed in binary32 from three squares */
#define SLACK 0x1p-21f  /* of a periodic world's side: offsets are rounded before they are folded */

enum { WITHIN = 0, LEAF_BEGINS, CROWD_BEGINS };

typedef struct box {
    float low[3], high[3];
} box;

/* Boxes side by side, empty ones up to a multiple of FAN. */
typedef struct level {
    uint32_t count;
    float *low[3], *high[3];
} level;

typedef struct tree {
    dun_index index;
    dun_space space;
    uint32_t agents, room;
    int axes;        /* that there are boxes on */
    uint32_t *order; /* [room] agents in the order so far */
    uint32_t *spare; /* [room] */
    uint8_t *begins; /* [room] what begins at a slot */
    dun_sorter sorter;
    float *boxes; /* all levels' */
    level level[LEVELS];
    int levels;
    double widest;            /* world units: a query that looks so far covers all agents */
    const float *position[3]; /* sorted */
} tree;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static float lower(float a, float b) {
    return a < b ? a : b;
}

static float higher(float a, float b) {
    return a > b ? a : b;
}

/* ---- boxes ------------------------------------------------------------------------------------------------------------ */

static box box_empty(void) {
    return (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void box_join(box *around, const box *other) {
    for (int a = 0; a < 3; a++) {
        around->low[a] = lower(around->low[a], other->low[a]);
        around->high[a] = higher(around->high[a], other->high[a]);
    }
}

/* Of the agents that `order` names. */
static box box_of(const dun_columns *columns, int dimensions, const uint32_t *order, uint32_t count) {
    box around = box_empty();
    for (int a = 0; a < dimensions; a++) {
        const float *x = (const float *)columns->from[a];
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            low = lower(x[order[i]], low);
            high = higher(x[order[i]], high);
        }
        around.low[a] = low;
        around.high[a] = high;
    }
    return around;
}

/* ---- a pass: how a box is halved -------------------------------------------------------------------------------------- */

typedef struct pass {
    const dun_columns *columns;
    int dimensions, bits;
    float low[3];
    double per_unit[3]; /* columns a world unit, in binary64 because a box may be as narrow as the least numbers */
    double last[3];     /* column */
    uint16_t part[3][1 << MOST_BITS]; /* what a column adds to the number of a part */
} pass;

/* Which axis is halved when. Returns the halvings of each. */
static void halve(const box *around, pass *p, int axis_of[MOST_BITS], int halvings[3]) {
    double side[3] = {0};
    for (int a = 0; a < p->dimensions; a++) side[a] = (double)(around->high[a] - around->low[a]);
    for (int bit = 0; bit < p->bits; bit++) {
        int longest = 0;
        for (int a = 1; a < p->dimensions; a++)
            if (side[a] > side[longest]) longest = a;
        side[longest] *= 0.5;
        halvings[longest]++;
        axis_of[bit] = longest;
    }
}

/* The bits of a column go where its axis was halved, the first halving's to the highest. */
static uint16_t part_of_column(const pass *p, const int axis_of[MOST_BITS], int axis, int halvings, uint32_t column) {
    uint32_t part = 0;
    for (int bit = 0; bit < p->bits; bit++) part = part << 1 | (axis_of[bit] == axis ? column >> --halvings & 1u : 0u);
    return (uint16_t)part;
}

static void pass_set(pass *p, const box *around, uint32_t agents) {
    int axis_of[MOST_BITS], halvings[3] = {0};
    for (p->bits = 1; p->bits < MOST_BITS && agents >> p->bits > BUCKET;) p->bits++;
    halve(around, p, axis_of, halvings);
    for (int a = 0; a < p->dimensions; a++) {
        const double side = (double)(around->high[a] - around->low[a]), columns = (double)(1u << halvings[a]);
        p->low[a] = around->low[a];
        p->per_unit[a] = side > 0.0 ? columns / side : 0.0;
        p->last[a] = columns - 1.0;
        for (uint32_t c = 0; c < 1u << halvings[a]; c++) p->part[a][c] = part_of_column(p, axis_of, a, halvings[a], c);
    }
}

static bool is_point(const box *around, int dimensions) {
    for (int a = 0; a < dimensions; a++)
        if (around->high[a] > around->low[a]) return false;
    return true;
}

static void find_parts(const pass *p, const uint32_t *order, uint32_t count, uint32_t *key) {
    for (uint32_t i = 0; i < count; i++) key[i] = 0;
    for (int a = 0; a < p->dimensions; a++) {
        const float *x = (const float *)p->columns->from[a];
        const float low = p->low[a];
        const double per_unit = p->per_unit[a], last = p->last[a];
        for (uint32_t i = 0; i < count; i++) {
            const double column = (double)(x[order[i]] - low) * per_unit;
            key[i] |= p->part[a][(uint32_t)(int32_t)(column < last ? column : last)];
        }
    }
}

/* ---- parts: leaves and crowds ----------------------------------------------------------------------------------------- */

/* All at one point: cut anywhere. */
static void mark_point(const tree *t, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i += LEAF) t->begins[i] = LEAF_BEGINS;
}

/* The parts [low, high) of a pass, which began at slot `begin`: halves, their halves, …, until they are leaves. */
static void mark_parts(const tree *t, const uint32_t *edge, uint32_t begin, uint32_t low, uint32_t high) {
    const uint32_t agents = edge[high] - edge[low];
    if (agents == 0) return;
    if (agents <= LEAF || high - low == 1) {
        t->begins[begin + edge[low]] = agents <= LEAF ? LEAF_BEGINS : CROWD_BEGINS;
        return;
    }
    const uint32_t middle = low + (high - low) / 2;
    mark_parts(t, edge, begin, low, middle);
    mark_parts(t, edge, begin, middle, high);
}

/* Looks no further than `limit`, where a part begins or the last ends: beyond it another worker may be marking. */
static uint32_t part_end(const tree *t, uint32_t first, uint32_t limit) {
    uint32_t end = first + 1;
    while (end < limit && t->begins[end] == WITHIN) end++;
    return end;
}

/* A stable counting sort of one part by one worker. */
static void sort_part(const tree *t, const dun_columns *columns, uint32_t begin, uint32_t end) {
    uint32_t *order = t->order + begin, *key = t->sorter.key + begin, edge[(1 << MOST_BITS) + 1] = {0};
    const uint32_t count = end - begin;
    const box around = box_of(columns, t->space.dimensions, order, count);
    if (is_point(&around, t->space.dimensions)) {
        mark_point(t, begin, end);
        return;
    }
    pass p = {.columns = columns, .dimensions = t->space.dimensions};
    pass_set(&p, &around, count);
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
    const dun_columns *columns;
    uint32_t begin, count;
    bool first; /* nothing has been sorted yet */
    box box[MEASURES];
    pass pass;
} crowd;

static void measure_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    crowd *c = context;
    const uint32_t begin = (uint32_t)((uint64_t)c->count * chunk / MEASURES);
    const uint32_t end = (uint32_t)((uint64_t)c->count * (chunk + 1) / MEASURES);
    uint32_t *order = c->tree->order + c->begin, *spare = c->tree->spare + c->begin;
    for (uint32_t i = begin; i < end; i++) spare[i] = c->first ? i : order[i];
    c->box[chunk] = box_of(c->columns, c->tree->space.dimensions, spare + begin, end - begin);
}

static void find_crowd_parts(const void *context, const dun_columns *order, uint32_t begin, uint32_t end, uint32_t *key) {
    find_parts(context, (const uint32_t *)order->from[0] + begin, end - begin, key + begin);
}

static box measure(crowd *c, const dun_executor *executor) {
    executor->run(executor, MEASURES, measure_chunk, c);
    box around = box_empty();
    for (int m = 0; m < MEASURES; m++) box_join(&around, &c->box[m]);
    return around;
}

/* What sort_part() does. */
static void sort_crowd(tree *t, crowd *c, const box *around, const dun_executor *executor) {
    if (is_point(around, t->space.dimensions)) {
        memcpy(t->order + c->begin, t->spare + c->begin, c->count * sizeof *t->order);
        mark_point(t, c->begin, c->begin + c->count);
        return;
    }
    c->pass = (pass){.columns = c->columns, .dimensions = t->space.dimensions};
    pass_set(&c->pass, around, c->count);
    const dun_columns order = {.agents = c->count, .columns = 1, .from = {t->spare + c->begin}, .to = {t->order + c->begin}};
    const uint32_t parts = 1u << c->pass.bits;
    dun_sort(&t->sorter, &order, parts, find_crowd_parts, &c->pass, executor);
    mark_parts(t, t->sorter.edge, c->begin, 0, parts);
}

static void sort_crowds(tree *t, const dun_columns *columns, const dun_executor *executor) {
    for (uint32_t begin = 0, end; begin < t->agents; begin = end) {
        end = part_end(t, begin, t->agents);
        if (end - begin <= MANY) continue;
        crowd c = {.tree = t, .columns = columns, .begin = begin, .count = end - begin};
        const box around = measure(&c, executor);
        sort_crowd(t, &c, &around, executor);
        end = begin; /* look at its parts */
    }
}

/* ---- parts of fewer agents: shares of them ------------------------------------------------------------------------------ */

typedef struct shares {
    const tree *tree;
    const dun_columns *columns;
    uint32_t begin[SHARES + 1]; /* each where a part begins, before any is sorted */
} shares;

static void sort_share(void *context, uint32_t share, uint32_t worker) {
    (void)worker;
    const shares *s = context;
    const tree *t = s->tree;
    for (uint32_t begin = s->begin[share]; begin < s->begin[share + 1];) {
        const uint32_t end = part_end(t, begin, s->begin[share + 1]);
        if (t->begins[begin] == CROWD_BEGINS)
            sort_part(t, s->columns, begin, end);
        else
            begin = end;
    }
}

static void sort_rest(const tree *t, const dun_columns *columns, const dun_executor *executor) {
    shares s = {.tree = t, .columns = columns};
    const uint32_t count = least(t->agents / SHARE_WORTH + 1, SHARES);
    for (uint32_t i = 1; i <= count; i++) {
        const uint32_t from = (uint32_t)((uint64_t)t->agents * i / count);
        s.begin[i] = from <= s.begin[i - 1] ? s.begin[i - 1] : part_end(t, from - 1, t->agents);
    }
    executor->run(executor, count, sort_share, &s);
}

/* ---- agents in their places, and the boxes around them ------------------------------------------------------------------ */

typedef struct move {
    const tree *tree;
    const dun_columns *columns;
} move;

static void move_agents(const dun_columns *columns, const uint32_t *order, uint32_t begin, uint32_t end) {
    for (int c = 0; c < columns->columns; c++) {
        const dun_word *from = columns->from[c];
        dun_word *to = columns->to[c];
        for (uint32_t i = begin; i < end; i++) to[i] = from[order[i]];
    }
}

/* The boxes [begin, end) around FAN each of what lies from low to high. */
static void fit_boxes(const float *low, const float *high, uint32_t count, float *box_low, float *box_high, uint32_t begin,
                      uint32_t end) {
    for (uint32_t b = begin; b < end; b++) {
        float least_low = low[b * FAN], greatest_high = high[b * FAN];
        for (uint32_t i = b * FAN + 1; i < least(b * FAN + FAN, count); i++) {
            least_low = lower(low[i], least_low);
            greatest_high = higher(high[i], greatest_high);
        }
        box_low[b] = least_low;
        box_high[b] = greatest_high;
    }
}

static void fit_level(const tree *t, int l, uint32_t begin, uint32_t end) {
    const level *above = &t->level[l], *below = l ? &t->level[l - 1] : NULL;
    for (int a = 0; a < t->space.dimensions; a++) {
        if (below)
            fit_boxes(below->low[a], below->high[a], below->count, above->low[a], above->high[a], begin, end);
        else
            fit_boxes(t->position[a], t->position[a], t->agents, above->low[a], above->high[a], begin, end);
    }
}

static void move_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const move *m = context;
    const tree *t = m->tree;
    const uint32_t begin = chunk * CHUNK;
    move_agents(m->columns, t->order, begin, begin + least(CHUNK, t->agents - begin));
    uint32_t boxes = CHUNK / FAN;
    for (int l = 0; l < CHUNK_LEVELS && l < t->levels; l++, boxes /= FAN)
        fit_level(t, l, chunk * boxes, least((chunk + 1) * boxes, t->level[l].count));
}

/* A query looks at FAN boxes at once. */
static void pad_level(const tree *t, const level *l) {
    for (int a = 0; a < t->space.dimensions; a++) {
        for (uint32_t b = l->count; b % FAN; b++) {
            l->low[a][b] = INFINITY;
            l->high[a][b] = -INFINITY;
        }
    }
}

static void find_widest(tree *t) {
    double diagonal2 = 0.0, longest = 0.0;
    for (int a = 0; a < t->space.dimensions; a++) {
        const level *top = &t->level[t->levels - 1];
        float low = top->low[a][0], high = top->high[a][0];
        for (uint32_t b = 1; b < top->count; b++) low = lower(top->low[a][b], low), high = higher(top->high[a][b], high);
        diagonal2 += ((double)high - (double)low) * ((double)high - (double)low);
        longest = fmax(longest, (double)t->space.size[a]);
    }
    t->widest = fmax(sqrt(diagonal2), longest);
}

static void move_all(tree *t, const dun_columns *columns, const dun_executor *executor) {
    move m = {t, columns};
    executor->run(executor, (t->agents - 1) / CHUNK + 1, move_chunk, &m);
    for (int l = 0; l < t->levels; l++) {
        if (l >= CHUNK_LEVELS) fit_level(t, l, 0, t->level[l].count);
        pad_level(t, &t->level[l]);
    }
    find_widest(t);
}

/* ---- building ----------------------------------------------------------------------------------------------------------- */

static uint32_t boxes_around(uint32_t count) {
    return count / FAN + (count % FAN != 0);
}

/* Up to the level of which all boxes are looked at. */
static void count_boxes(tree *t) {
    uint32_t count = t->agents;
    for (t->levels = 0; count && (t->levels == 0 || count > FAN); t->levels++) {
        count = boxes_around(count);
        t->level[t->levels].count = count;
    }
}

static void sort_agents(tree *t, const dun_columns *columns, const dun_executor *executor) {
    crowd all = {.tree = t, .columns = columns, .count = t->agents, .first = true};
    memset(t->begins, WITHIN, t->agents);
    if (t->agents > MANY) {
        const box around = measure(&all, executor);
        sort_crowd(t, &all, &around, executor);
        sort_crowds(t, columns, executor);
    } else {
        for (uint32_t i = 0; i < t->agents; i++) t->order[i] = i;
        t->begins[0] = t->agents > LEAF ? CROWD_BEGINS : LEAF_BEGINS;
    }
    sort_rest(t, columns, executor);
}

static void tree_build(dun_index *index, const dun_space *space, const dun_columns *columns, const dun_executor *executor) {
    tree *t = (tree *)index;
    t->space = *space;
    t->agents = columns->agents;
    for (int a = 0; a < space->dimensions; a++) t->position[a] = (const float *)columns->to[a];
    count_boxes(t);
    t->widest = 0.0;
    if (t->agents == 0) return;
    sort_agents(t, columns, executor);
    move_all(t, columns, executor);
}

/* ---- runs --------------------------------------------------------------------------------------------------------------- */

/*
 * What a query looks for: boxes that meet its own, which is that around the group and a radius more on every side. In a
 * periodic world it may reach over an edge, and then goes on at the other one; where it does not, nothing is as high or as low.
 */
typedef struct look {
    int dimensions;
    bool folds;
    float low[3], high[3], again_low[3], again_high[3];
} look;

/*
 * Rounding is monotone: of two agents who compute that one is at most a radius below the other, he is not below what `low` is
 * rounded to. Offsets across an edge are rounded before they are folded, hence the slack.
 */
static look look_of(const tree *t, const dun_query *query) {
    look l = {.dimensions = t->space.dimensions};
    for (int a = 0; a < l.dimensions; a++) {
        const float *x = query->position[a] + query->group.first, size = t->space.size[a];
        const float reach = query->reach.radius * WIDER + (t->space.periodic ? size * SLACK : 0.0f);
        float low = x[0], high = x[0];
        for (uint32_t i = 1; i < query->group.count; i++) {
            low = lower(x[i], low);
            high = higher(x[i], high);
        }
        l.low[a] = low - reach;
        l.high[a] = high + reach;
        const bool under = t->space.periodic && l.low[a] < 0.0f, over = t->space.periodic && l.high[a] > size;
        l.again_low[a] = under ? l.low[a] + size - size * SLACK : INFINITY;
        l.again_high[a] = over ? l.high[a] - size + size * SLACK : -INFINITY;
        l.folds = l.folds || under || over;
    }
    return l;
}

/* Boxes as bits. */
typedef struct meeting {
    uint32_t met;
    uint32_t again; /* of these, those that the query meets over an edge: offsets to who is in the others need not be folded */
} meeting;

/* Which of FAN boxes the query meets. No branch depends on a box, so that compilers make of it a few wide instructions. */
static meeting boxes_met(const level *boxes, uint32_t first, const look *l) {
    int32_t met[FAN] = {1, 2, 4, 8, 16, 32, 64, 128}, bits = 0;
    for (int a = 0; a < l->dimensions; a++) {
        const float *low = boxes->low[a] + first, *high = boxes->high[a] + first;
        const float look_low = l->low[a], look_high = l->high[a];
        for (int b = 0; b < FAN; b++) met[b] &= -(int32_t)((low[b] <= look_high) & (high[b] >= look_low));
    }
    for (int b = 0; b < FAN; b++) bits |= met[b];
    return (meeting){(uint32_t)bits, 0};
}

/* The same of a query that reaches over an edge. */
static meeting boxes_met_again(const level *boxes, uint32_t first, const look *l) {
    int32_t met[FAN] = {1, 2, 4, 8, 16, 32, 64, 128}, again[FAN] = {0}, met_bits = 0, again_bits = 0;
    for (int a = 0; a < l->dimensions; a++) {
        const float *low = boxes->low[a] + first, *high = boxes->high[a] + first;
        const float look_low = l->low[a], look_high = l->high[a], again_low = l->again_low[a], again_high = l->again_high[a];
        for (int b = 0; b < FAN; b++) {
            const int32_t beyond = -(int32_t)((high[b] >= again_low) | (low[b] <= again_high));
            met[b] &= beyond | -(int32_t)((low[b] <= look_high) & (high[b] >= look_low));
            again[b] |= beyond;
        }
    }
    for (int b = 0; b < FAN; b++) {
        met_bits |= met[b];
        again_bits |= met[b] & again[b];
    }
    return (meeting){(uint32_t)met_bits, (uint32_t)again_bits};
}

/* Makes half as many runs of too many: the least gaps are bridged. */
static uint32_t bridge_gaps(dun_run *runs, uint32_t count) {
    for (uint32_t gap = FAN; count > MOST_RUNS / 2; gap *= 2) {
        uint32_t kept = 1;
        for (uint32_t r = 1; r < count; r++) {
            if (runs[r].begin - runs[kept - 1].end > gap) {
                runs[kept++] = runs[r];
                continue;
            }
            runs[kept - 1].end = runs[r].end;
            runs[kept - 1].folds = runs[kept - 1].folds || runs[r].folds;
        }
        count = kept;
    }
    return count;
}

/* Agents who lie behind those of the runs so far. */
static inline uint32_t add_run(dun_run run, dun_run *runs, uint32_t count) {
    if (count && runs[count - 1].end == run.begin && runs[count - 1].folds == run.folds) {
        runs[count - 1].end = run.end;
        return count;
    }
    if (count == MOST_RUNS) count = bridge_gaps(runs, count);
    runs[count] = run;
    return count + 1;
}

/* The agents of boxes of the lowest level: stretches of boxes that are met in the same way. */
static inline uint32_t add_boxes(const tree *t, uint32_t first, meeting m, dun_run *runs, uint32_t count) {
    while (m.met) {
        const uint32_t skipped = (uint32_t)__builtin_ctz(m.met);
        const bool folds = m.again >> skipped & 1;
        const uint32_t alike = m.met & (folds ? m.again : ~m.again), together = (uint32_t)__builtin_ctz(~(alike >> skipped));
        const uint32_t begin = (first + skipped) * FAN, end = begin + together * FAN;
        count = add_run((dun_run){begin, least(end, t->agents), folds}, runs, count);
        m.met &= ~0u << (skipped + together);
    }
    return count;
}

/* Down and on, never back: boxes ascend, and so do the runs. */
static uint32_t find_runs(const tree *t, const look *l, dun_run *runs) {
    uint32_t met[LEVELS], first[LEVELS], count = 0;
    int at = t->levels - 1;
    first[at] = 0;
    for (;;) {
        const meeting m = (l->folds ? boxes_met_again : boxes_met)(&t->level[at], first[at], l);
        met[at] = m.met;
        if (at == 0) count = add_boxes(t, first[0], m, runs, count);
        if (at == 0) met[0] = 0;
        while (met[at] == 0)
            if (++at == t->levels) return count;
        const uint32_t down = first[at] + (uint32_t)__builtin_ctz(met[at]);
        met[at] &= met[at] - 1;
        first[--at] = down * FAN;
    }
}

static uint32_t tree_list_runs(const dun_index *index, dun_query *query, dun_run *runs) {
    const tree *t = (const tree *)index;
    if (t->agents == 0) return 0;
    if (query->reach.everywhere) {
        runs[0] = (dun_run){.begin = 0, .end = t->agents, .folds = t->space.periodic};
        return 1;
    }
    const look l = look_of(t, query);
    return find_runs(t, &l, runs);
}

static dun_reach tree_reach(const dun_index *index, float radius) {
    return (dun_reach){.radius = radius, .everywhere = (double)radius >= ((const tree *)index)->widest};
}

static uint32_t tree_group_end(const dun_index *index, uint32_t first) {
    const tree *t = (const tree *)index;
    return part_end(t, first, t->agents);
}

static uint32_t tree_max_runs(const dun_index *index, const dun_reach *reach, bool own) {
    (void)index, (void)reach, (void)own;
    return MOST_RUNS;
}

/* ---- the rest ----------------------------------------------------------------------------------------------------------- */

static dun_index *tree_create(void) {
    tree *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->index.type = &dun_tree_index;
    return &t->index;
}

static void tree_destroy(dun_index *index) {
    tree *t = (tree *)index;
    if (!t) return;
    dun_sorter_free(&t->sorter);
    free(t->order);
    free(t->spare);
    free(t->begins);
    free(t->boxes);
    free(t);
}

/* How many numbers all levels' boxes are, FAN a row even where there is nobody. */
static size_t box_words(uint32_t agents, int axes) {
    size_t words = 0;
    for (uint32_t count = agents, l = 0; l < LEVELS; l++) {
        count = boxes_around(count);
        words += (size_t)boxes_around(count) * FAN * 2 * (size_t)axes;
    }
    return words;
}

static void lay_out_boxes(tree *t, uint32_t agents) {
    float *at = t->boxes;
    for (uint32_t count = agents, l = 0; l < LEVELS; l++) {
        count = boxes_around(count);
        for (int a = 0; a < t->axes; a++) {
            t->level[l].low[a] = at;
            t->level[l].high[a] = at + (size_t)boxes_around(count) * FAN;
            at += (size_t)boxes_around(count) * FAN * 2;
        }
    }
}

static void *grown(void *array, size_t bytes, bool *whole) {
    void *longer = realloc(array, bytes);
    *whole = *whole && longer;
    return longer ? longer : array;
}

/* The boxes last: when they have moved, all there is to do is to find them again. */
static bool grow_arrays(tree *t, uint32_t agents, int axes) {
    bool whole = true;
    t->order = grown(t->order, agents * sizeof *t->order, &whole);
    t->spare = grown(t->spare, agents * sizeof *t->spare, &whole);
    t->begins = grown(t->begins, agents, &whole);
    if (whole) t->boxes = grown(t->boxes, box_words(agents, axes) * sizeof *t->boxes, &whole);
    if (!whole) return false;
    t->room = agents;
    t->axes = axes;
    lay_out_boxes(t, agents);
    return true;
}

static bool tree_reserve(dun_index *index, const dun_space *space, uint32_t agents, uint32_t workers) {
    tree *t = (tree *)index;
    if (!dun_sorter_reserve(&t->sorter, agents, 1u << MOST_BITS, workers)) return false;
    if (agents > t->room && !grow_arrays(t, agents, space->dimensions)) return false;
    t->agents = agents;
    count_boxes(t);
    return true;
}

static uint64_t tree_cells(const dun_index *index) {
    const tree *t = (const tree *)index;
    return t->levels ? t->level[0].count : 0;
}

static size_t tree_bytes(const dun_index *index) {
    const tree *t = (const tree *)index;
    return sizeof *t + dun_sorter_bytes(&t->sorter) + t->room * (2 * sizeof *t->order + sizeof *t->begins) +
           box_words(t->room, t->axes) * sizeof *t->boxes;
}

const dun_index_type dun_tree_index = {
    .name = "tree",
    .sorts = true,
    .create = tree_create,
    .destroy = tree_destroy,
    .reserve = tree_reserve,
    .build = tree_build,
    .reach = tree_reach,
    .group_end = tree_group_end,
    .max_runs = tree_max_runs,
    .list_runs = tree_list_runs,
    .cells = tree_cells,
    .bytes = tree_bytes,
};
