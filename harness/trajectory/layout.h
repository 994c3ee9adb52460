/* SPDX-License-Identifier: MIT */
/*
 * The layout of trajectory files: HDF5 that is H5MD 1.1 and an AMBER NetCDF-4 trajectory, whose variables are links at the root
 * to H5MD's datasets. Docs: docs/files.md.
 *
 * docs/files.md lists the datasets. T is the number of frames, M the number of rows. Types: int64 steps and rows, float64
 * times, sizes and edges of the box, uint64 hashes and counts of metrics, int8 species, int32 ids (the bits of the uint32),
 * slots and images, uint8 preambles, float64 metrics; all other numbers are float32.
 *
 *     /                        attributes Conventions = "AMBER", ConventionVersion, program, programVersion, title
 *     /frame /atom /spatial /cell_spatial /cell_angular /flock /text
 *                              dimension scales without values: frames, rows per frame, 3, 3, 3, species, bytes of preambles
 *     /particles/agents/NAME   an attribute of agents, for species that have it; the HDF5 attribute `name` has its whole name,
 *                              which NAME may not be (trajectory_link())
 *     /observables/trace_N     attributes field, min, max
 *     /cell_lengths            in 2D the third is the larger of the others: readers without 2D look for neighbours across it
 *     /cell_angles             is 90
 *     /parameters              the run's facts: see TRAJECTORY_... below
 *         frames/state_hash    dunlin_world_state_hash(), of all agents, whatever was selected
 *         frames/preamble      [T][P] dunlin_world_preamble(), filled up with 0
 *
 * Each H5MD element is a group with the datasets value, step and time; step and time are links to /step and /time. So the
 * positions are /particles/agents/position/value. The metrics and the facts of frames have the same links.
 *
 * Rows. A frame's rows come first, in ascending order of ids; the rest of its M rows is fill: TRAJECTORY_FILL in floats, -1 in
 * whole numbers, TRAJECTORY_NO_IMAGE in images. M is the largest number of rows so far. A float of a species that lacks the
 * attribute is fill, too.
 *
 * Chunks are [1][A] rows, or [1][A][1]: each component has its own. All big datasets have the filters shuffle and deflate, and
 * each chunk says which of them it went through: raw chunks through none. Chunks that hold one value, or the same ids, species
 * or images as the frame before, are always deflated, since that costs nothing; other ids, species and images only if their
 * bytes come in long runs.
 *
 * Growing. The file is open for SWMR from its first frame on, so it has format v110 and gets no new objects or attributes. A
 * frame's data is flushed before /step grows: the frames of a file are those of /step, also after kill -9, and other datasets
 * may be one longer. A reader of at most /step's extent never meets an unfinished frame.
 *
 * Continuing. A frame holds all that its next step reads if the file's precision is 0, `is_complete` is 1, it has as many
 * traces as `traces` says, and the world has the scenario's definitions: the preamble, and the rows in the order of species and
 * slots, are a state file (dunlin_world_save()), which only lacks the traces.
 *
 * Appending. trajectory_reopen() opens a file that was finished or cut off at any time, keeps the frames up to a step, and
 * grows it from there.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_LAYOUT_H
#define DUNLIN_HARNESS_TRAJECTORY_LAYOUT_H

/* NetCDF's fill value of floats, 0x7cf00000. */
#define TRAJECTORY_FILL 9.9692099683868690e+36f

enum {
    TRAJECTORY_NO_IMAGE = -2147483647, /* NetCDF's fill value of int32: -1 is a crossing */
    TRAJECTORY_MAX_CHUNK_ROWS = 65536,
    TRAJECTORY_MIN_CHUNK_ROWS = 1024 /* a flock may grow */
};

/* Datasets */
#define TRAJECTORY_STEP       "/step"
#define TRAJECTORY_TIME       "/time"
#define TRAJECTORY_AGENTS     "/particles/agents"
#define TRAJECTORY_BOX        "/cell_lengths"
#define TRAJECTORY_EDGES      TRAJECTORY_AGENTS "/box/edges/value"
#define TRAJECTORY_POSITION   TRAJECTORY_AGENTS "/position/value"
#define TRAJECTORY_VELOCITY   TRAJECTORY_AGENTS "/velocity/value"
#define TRAJECTORY_ID         TRAJECTORY_AGENTS "/id/value"
#define TRAJECTORY_SPECIES    TRAJECTORY_AGENTS "/species/value"
#define TRAJECTORY_SLOT       TRAJECTORY_AGENTS "/slot/value"
#define TRAJECTORY_IMAGE      TRAJECTORY_AGENTS "/image/value"
#define TRAJECTORY_GROUPS     "/observables/groups_" /* and the number of the species, _, and what it is */
#define TRAJECTORY_TRACE      "/observables/trace_"  /* and the number of the trace */
#define TRAJECTORY_PARAMETERS "/parameters"
#define TRAJECTORY_SCENARIO   TRAJECTORY_PARAMETERS "/scenario"
#define TRAJECTORY_ROWS       TRAJECTORY_PARAMETERS "/frames/rows/value"
#define TRAJECTORY_STATE_HASH TRAJECTORY_PARAMETERS "/frames/state_hash/value"
#define TRAJECTORY_PREAMBLE   TRAJECTORY_PARAMETERS "/frames/preamble/value"

/*
 * Attributes of /parameters. Texts are fixed-length strings, `species` and `attributes` arrays of them; numbers are int32 but
 * for the seed, which is uint64.
 *
 *     format = 1, dimensions = 2 or 3, seed, species, attributes (the names of all species' attributes), is_complete = 1 if all
 *     fields of all species are here, traces (how many the world had), precision (bits of mantissa; 0: all),
 * every, compression, kernel, index, threads, scenario, scenario_path, commit, version, cpu, os, compiler, flags, date
 */
#define TRAJECTORY_IS_COMPLETE "is_complete"
#define TRAJECTORY_TRACES      "traces"
#define TRAJECTORY_FORMAT      1

/* The link of an attribute: its name, or attribute_NUMBER where HDF5 or NetCDF would not take the name, or something else has
 * it. `number`: in /parameters' attribute `attributes`. `link` has room for DUNLIN_NAME_LENGTH bytes. */
void trajectory_link(const char *name, int number, char *link);

/* How many frames the file beside the trajectory may lack, one for each that it has so many times: see sidecar.h. */
enum { SIDECAR_PART = 16 };

#endif
