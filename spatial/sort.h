/* SPDX-License-Identifier: MIT */
/*
 * A stable, parallel counting sort of agents by cell.
 *
 * Its result is the one stable order, so it does not depend on chunks, tables, buckets or workers.
 *
 * By tables, where workers or cells are few: each has a chunk of the agents, which he counts in a table of his own, so memory
 * is workers x cells, but never more than two counts an agent. One worker, or few agents: one chunk.
 *
 *   key[i]      cell of agent i                      by chunks of agents   } one pass
 *   place[i]    how many of its cell come before it  by chunks of agents   }
 *   edge[]      first slot of each cell              by stripes of cells
 *   place[i]    where each agent goes                by parts of chunks    } one pass
 *   to[][]      the agents themselves                by parts of chunks    }
 *
 * By buckets else: agents go to buckets of consecutive cells first, then each bucket is counted on its own, by one worker, in
 * place in the table of cells. Memory for histograms is chunks x buckets.
 *
 *   key[i]      cell of agent i                      by chunks of agents   } keys and histograms
 *   order[]     agents by bucket, stable             by chunks of agents
 *   edge[]      first slot of each cell              by buckets of cells   }
 *   place[]     where each agent goes                by buckets of cells   } one pass
 *   to[][]      the agents themselves                by buckets of cells   }
 */
#ifndef DUNLIN_SPATIAL_SORT_H
#define DUNLIN_SPATIAL_SORT_H

#include "spatial/index.h"

typedef struct dun_sorter {
    uint32_t *key;       /* [agents] */
    uint32_t *order;     /* [agents], for more than one worker */
    uint32_t *place;     /* [agents] */
    uint32_t *edge;      /* [cells + 1] */
    uint32_t *histogram; /* [chunks][buckets], then offsets; and the buckets' first places, [buckets + 1]; or [stripes] */
    uint32_t *counts;    /* [chunks - 1][cells]: the tables but the first, which is edge */
    uint32_t agent_room, order_room, cell_room, chunk_room;
    size_t count_room;
} dun_sorter;

/* Fills key[begin .. end) for the agents at those positions; each key below the number of cells. */
typedef void dun_key_fn(const void *context, const dun_columns *columns, uint32_t begin, uint32_t end, uint32_t *key);

/* false: no memory, and the sorter is as it was. */
bool dun_sorter_reserve(dun_sorter *sorter, uint32_t agents, uint32_t cells, uint32_t workers);
void dun_sorter_free(dun_sorter *sorter);
size_t dun_sorter_bytes(const dun_sorter *sorter);

/* Moves the columns into the order of their cells; afterwards cell c holds the slots [edge[c], edge[c + 1]). */
void dun_sort(dun_sorter *sorter, const dun_columns *columns, uint32_t cells, dun_key_fn *keys, const void *context,
              const dun_executor *executor);

#endif
