/* SPDX-License-Identifier: MIT */
/*
 * A stable, parallel counting sort of agents by cell.
 *
 * There is only one stable order, so the result does not depend on chunks, tables, buckets or workers.
 *
 * By tables, for few workers or few cells. Each worker counts a chunk of the agents in a table of its own, so memory is
 * workers x cells, but never more than two counts per agent. One worker, or few agents, make one chunk.
 *
 *   key[i]      cell of agent i                      by chunks of agents   } one pass
 *   rank[i]     how many of its cell come before it  by chunks of agents   }
 *   edge[]      first slot of each cell              by stripes of cells
 *   to[][]      the agents themselves                by parts of chunks
 *
 * By buckets, for many workers and cells. Agents first go to buckets of consecutive cells. Then one worker counts each bucket
 * in its part of the table of cells. Histograms take chunks x buckets.
 *
 *   key[i]      cell of agent i                      by chunks of agents   } keys and histograms
 *   order[]     agents by bucket, stable             by chunks of agents
 *   rank[]      how many of its cell come before it  by buckets of cells   }
 *   edge[]      first slot of each cell              by buckets of cells   } one pass
 *   to[][]      the agents themselves                by buckets of cells   }
 */
#ifndef DUNLIN_SPATIAL_SORT_H
#define DUNLIN_SPATIAL_SORT_H

#include "spatial/index.h"
#include "spatial/parts.h"

typedef struct dun_sorter {
    uint32_t *key;       /* [agents + DUN_CELL_PADDING] */
    uint32_t *order;     /* [agents], if there is more than one worker */
    uint32_t *rank;      /* [agents] */
    uint32_t *edge;      /* [cells + 1] */
    uint32_t *histogram; /* [chunks][buckets] counts, later offsets, then [buckets + 1] first places; or [stripes] */
    uint32_t *counts;    /* [chunks - 1][cells]: all tables but the first, which is `edge` */
    size_t key_room, order_room, rank_room, edge_room, histogram_room, count_room;
} dun_sorter;

/* Fills key[begin .. end) with the cells of these agents; each is below the number of cells. */
typedef void dun_key_fn(const void *context, const dun_columns *columns, uint32_t begin, uint32_t end, uint32_t *key);

/* false: no memory; the sorter can be used as before. */
bool dun_sorter_reserve(dun_sorter *sorter, dun_heap *heap, uint32_t agents, uint32_t cells, uint32_t workers);
void dun_sorter_free(dun_sorter *sorter);

/* Moves the agents into the order of their cells. `keys` is NULL if sorter->key is filled in already. Afterwards cell c holds
 * the slots [edge[c], edge[c + 1]). */
void dun_sort(dun_sorter *sorter, const dun_columns *columns, uint32_t cells, dun_key_fn *keys, const void *context,
              const dun_executor *executor);

#endif
