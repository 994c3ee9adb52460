/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_BENCH_BENCH_COMMANDS_H
#define DUNLIN_HARNESS_BENCH_BENCH_COMMANDS_H

/* What `dunlin bench` can measure. As harness/command/commands.h says of commands. */
int bench_frame(int argc, const char **argv);
int bench_behaviours(int argc, const char **argv);
int bench_targets(int argc, const char **argv);

#endif
