/* SPDX-License-Identifier: MIT */
/*
 * The files of a command: all that it reads and all that it writes, claimed by name before any of them is written. No output
 * may replace a file that the command reads, no two outputs may share a name, and no other process may write an output
 * meanwhile.
 *
 * Files are replaced by renaming, so a lock on a file would lock the old file. The lock of NAME is therefore a
 * file of its own beside it, .NAME.lock, which says which process on which host has it. The system releases it when the process
 * ends in any way; an orderly end removes it. Where there can be none, as in a read-only folder, the command continues without.
 */
#ifndef DUNLIN_HARNESS_CLAIM_H
#define DUNLIN_HARNESS_CLAIM_H

#include "engine/base/stream.h" /* for what is written in place: calls that a signal does not break */

#include <dunlin/dunlin.h>

#include <stdbool.h>

/* Claims a file that is read. `use` is what messages call it, such as "the scenario"; it must outlive the command. Claims of
 * one use never conflict. */
dunlin_result claim_input(const char *use, const char *path, dunlin_error *error);

/* Claims a file, or a folder, to be written, and locks it; "-" is standard output, NULL no file. `use` names the option.
 * Devices and pipes are free for all. */
dunlin_result claim_output(const char *use, const char *path, dunlin_error *error);

/* Claims all of PATH-0100.ENDING, where the number is a multiple of `every`. */
dunlin_result claim_numbered(const char *use, const char *path, uint64_t every, dunlin_error *error);

/* Claims FOLDER/NAME and, if it is a folder, all that is in it. */
dunlin_result claim_inside(const char *use, const char *folder, const char *name, dunlin_error *error);

/* Claims a folder, or NULL, and what all commands that leave a report leave in it: the report and plots. */
dunlin_result claim_folder(const char *use, const char *folder, dunlin_error *error);

/* Ends all claims, and removes the locks; a signal handler may call it, too. */
void claims_release(void);

/* For a file that stays open: whether another process has locked it so. If not, it is locked until the descriptor is closed.
 * Readers are not kept out. */
bool claim_is_taken(int descriptor);

#endif
