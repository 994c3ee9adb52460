/* SPDX-License-Identifier: MIT */
#include "harness/program/on_first.h"

dunlin_result on_first(run_context *run, bool whole, work_fn *work, void *context, dunlin_error *error) {
    dunlin_result result = whole ? dunlin_world_gather(run->world, error) : DUNLIN_OK;
    if (result != DUNLIN_OK) return result;
    if (run->transport.rank == 0) result = work(run, context, error);
    if (whole) dunlin_world_share(run->world, NULL);
    return dunlin_agree(&run->transport, result, error);
}
