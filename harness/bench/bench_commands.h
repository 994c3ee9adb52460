/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_BENCH_BENCH_COMMANDS_H
#define DUNLIN_HARNESS_BENCH_BENCH_COMMANDS_H

/* What `dunlin bench` can measure; called like the commands of harness/command/commands.h. */
int bench_frame(int argc, const char **argv);
int bench_behaviours(int argc, const char **argv);
int bench_targets(int argc, const char **argv);

#endif
