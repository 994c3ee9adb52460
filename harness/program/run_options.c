/* SPDX-License-Identifier: MIT */
#include "harness/program/run_options.h"
#include "harness/command/commands.h"
#include "harness/command/ranks.h"
#include "harness/report/machine.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/report/output_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* "1600" or "1920x1080" */
static bool read_size(const char *option, const char *text, picture_size *size) {
    if (!text) return true;
    uint64_t width = 0, height = 0;
    const char *x = strchr(text, 'x');
    char first[8] = "";
    if (x && (size_t)(x - text) < sizeof first) memcpy(first, text, (size_t)(x - text));
    bool is_valid = !x ? number_parse(text, 1, PICTURE_MAX_SIDE, &width)
                       : number_parse(first, 1, PICTURE_MAX_SIDE, &width) && number_parse(x + 1, 1, PICTURE_MAX_SIDE, &height);
    if (!is_valid) return option_reject(option, text, "WxH or one number, each 1 .. 4096");
    *size = (picture_size){.width = (int)width, .height = (int)height};
    return true;
}

/* A file without an ending may be a device. `endings` have a blank behind each. */
static bool check_ending(const char *option, const char *path, const char *endings, const char *allowed) {
    const char *slash = path ? strrchr(path, '/') : NULL, *ending = path ? strrchr(slash ? slash : path, '.') : NULL;
    if (!ending || ending[1] == '\0') return true;
    const size_t length = strlen(ending);
    for (const char *at = endings; *at != '\0'; at += strcspn(at, " ") + 1) {
        if (strcspn(at, " ") == length && strncasecmp(at, ending, length) == 0) return true;
    }
    return option_reject(option, path, allowed);
}

/* The other option says where to. Numbered files cannot go to standard output. */
static bool check_every(const char *option, bool is_given, const char *needed, const char *path, bool numbers) {
    if (!is_given || (path && !(numbers && output_file_is_stdout(path)))) return true;
    message_print("--%s needs --%s%s", option, needed, numbers ? " with the name of a file" : "");
    return false;
}

/* The size of a world that has none is only known later; it will be even. */
static bool check_film(run_options *run) {
    const char *given = run->film_size_text   ? "size"
                        : run->film_every > 0 ? "film-every"
                        : run->has_fps        ? "fps"
                        : run->trail > 0      ? "trail"
                                              : NULL;
    if (!run->film && given && !(run->watch && strcmp(given, "fps") == 0)) {
        message_print("--%s needs --film%s", given, strcmp(given, "fps") == 0 ? " or --watch" : "");
        return false;
    }
    if (!run->film) return true;
    if (!film_has_format(run->film)) return option_reject("film", run->film, FILM_ALLOWED);
    if (!read_size("size", run->film_size_text, &run->film_size)) return false;
    const int height = run->film_size.height, width = height > 0 ? run->film_size.width : 2;
    const char *reason = film_refuses(run->film, run->film_fps, width, height);
    if (reason) message_print("cannot make %s: %s", run->film, reason);
    return !reason;
}

/* "0,2.5" */
static bool read_colour_range(run_options *run) {
    const char *text = run->colour_range, *comma = text ? strchr(text, ',') : NULL;
    char first[NUMBER_LENGTH] = "";
    double low, high;
    if (!text) return true;
    if (!run->picture_look.colour) {
        message_print("--colour-range needs --colour with an attribute");
        return false;
    }
    if (comma && (size_t)(comma - text) < sizeof first) memcpy(first, text, (size_t)(comma - text));
    const bool is_valid = comma && number_parse_decimal(first, -1e30, 1e30, &low) &&
                          number_parse_decimal(comma + 1, -1e30, 1e30, &high) && (float)low < (float)high;
    if (!is_valid) return option_reject("colour-range", text, "LOW,HIGH, two numbers of which the first is less");
    run->picture_look.has_range = true;
    run->picture_look.range = (picture_range){(float)low, (float)high};
    return true;
}

static bool check_camera(run_options *run) {
    picture_viewpoint *from = &run->picture_look.viewpoint;
    const double radians_per_degree = 0.017453292519943295;
    if (run->camera && strcmp(run->camera, "fixed") != 0 && strcmp(run->camera, "orbit") != 0)
        return option_reject("camera", run->camera, "fixed, orbit");
    from->orbits = run->camera && strcmp(run->camera, "orbit") == 0;
    if (run->has_azimuth) from->azimuth = run->azimuth * radians_per_degree;
    if (run->has_elevation) from->elevation = run->elevation * radians_per_degree;
    run->picture_look.has_camera =
        run->camera || run->has_azimuth || run->has_elevation || run->has_distance || run->has_shading;
    if (!run->picture_look.has_camera || run->picture || run->film || run->watch) return true;
    message_print("the camera needs --picture, --film or --watch");
    return false;
}

/* These options are about the trajectory, and the first about films, too. */
static bool check_trajectory(const run_options *run, bool has_every, bool has_compression) {
    return check_every("every", has_every, "trajectory or --film", run->trajectory ? run->trajectory : run->film, false) &&
           check_every("fields", run->fields != NULL, "trajectory", run->trajectory, false) &&
           check_every("species", run->species != NULL, "trajectory", run->trajectory, false) &&
           check_every("precision", run->precision > 0, "trajectory", run->trajectory, false) &&
           check_every("compression", has_compression, "trajectory", run->trajectory, false);
}

/* "500" steps, "30s", "10min" or "2h" */
static bool read_checkpoint_every(run_options *run) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    const char *text = run->checkpoint_every ? run->checkpoint_every : "10min", *unit = text + strspn(text, ".0123456789");
    char number[32] = "";
    if (*unit == '\0' && number_parse(text, 1, DUNLIN_SCENARIO_MAX_STEPS, &run->checkpoint_steps)) return true;
    if ((size_t)(unit - text) < sizeof number) memcpy(number, text, (size_t)(unit - text));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) != 0 || !number_parse_decimal(number, 0, 1e9, &run->checkpoint_seconds)) continue;
        run->checkpoint_seconds *= units[i].seconds;
        return true;
    }
    return option_reject("checkpoint-every", text, "a number of steps, or a time such as 30s, 10min or 2h");
}

/* Ranks of a machine share its processors, unless the launcher has bound each to fewer. 0: as the engine chooses. */
static int default_threads(void) {
    const uint32_t sharing = ranks_here()->here;
    return sharing == 1 || getenv("OMP_NUM_THREADS") ? 0 : machine_threads_of(sharing);
}

static bool check(run_options *run) {
    dunlin_simulation_def *build = &run->build;
    if (build->threads == 0) build->threads = default_threads();
    if (build->init && run->has_agents) {
        message_print("--agents and --init cannot go together: the state says how many agents there are");
        return false;
    }
    if (build->reseed && !build->init) {
        message_print("--reseed needs --init: it is about the seed of a state");
        return false;
    }
    if (run->has_agents) build->agents = &run->agents;
    if (run->has_seed) build->seed = &run->seed;
    build->shown = run->picture_look.colour;
    if (run->measure && !metrics_meter_read(&run->meter, run->measure))
        return option_reject("measure", run->measure, METRICS_MEASURE_ALLOWED);
    if (run->curves && !run->measure) {
        message_print("--curves needs --measure: it says which curves");
        return false;
    }
    return settings_check(&run->set) && read_checkpoint_every(run) &&
           check_ending("picture", run->picture, ".png ", "a FILE.png, or - for standard output") &&
           check_ending("trajectory", run->trajectory, ".h5 .h5md .hdf5 .nc ",
                        "a FILE.h5, of which dunlin export makes other formats") &&
           read_size("picture-size", run->picture_size, &run->picture_look.size) && read_colour_range(run) &&
           check_camera(run) && check_film(run);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

/* Where the options go, so that they can be a table. run_options_read() returns a copy. */
static struct {
    run_options run;
    bool has_groups_every, has_metrics_every, has_every, has_compression;
} given;

static const option_row rows[] = {
    ROW_GROUP("Simulation"),
    ROW_GIVEN("agents", OPTION_UINT32, &given.run.agents, &given.run.has_agents, 0, UINT32_MAX,
              "run N agents in total, divided among the species as in the scenario"),
    ROW_GIVEN("steps", OPTION_UINT64, &given.run.steps, &given.run.has_steps, 0, DUNLIN_SCENARIO_MAX_STEPS,
              "take N steps; default: as in the scenario"),
    ROW_SET(&given.run.set),
    ROW_GIVEN("seed", OPTION_UINT64, &given.run.seed, &given.run.has_seed, 0, UINT64_MAX,
              "start random numbers from this seed; default: as in the scenario"),
    ROW("init", OPTION_TEXT, &given.run.build.init, "STATE",
        "start from the agents of a state file, or of a frame, RUN.h5@STEP, not the scenario's"),
    ROW("reseed", OPTION_FLAG, &given.run.build.reseed, NULL, "allow a state that was run with another seed"),
    ROW("allow-outside", OPTION_FLAG, &given.run.open.allow_outside, NULL,
        "let the scenario name files outside its own folder"),
    ROW_GROUP("Machine"),
    ROW_THREADS(&given.run.build.threads),
    ROW_KERNEL(&given.run.build.kernel, "use this kernel (dunlin kernels lists them); default: auto"),
    ROW_INDEX(&given.run.build.index),
    ROW_GROUP("States"),
    ROW("final", OPTION_TEXT, &given.run.final, "STATE.csv", "write the agents after the last step; - is standard output"),
    ROW_NUMBER("state-every", OPTION_UINT64, &given.run.state_every, 1, DUNLIN_SCENARIO_MAX_STEPS,
               "also write the agents every N steps, into STATE-0100.csv after step 100"),
    ROW_GROUP("Metrics"),
    ROW("metrics", OPTION_TEXT, &given.run.metrics, "FILE.csv", "write the metrics of every step; - is standard output"),
    ROW_GIVEN("metrics-every", OPTION_UINT64, &given.run.metrics_every, &given.has_metrics_every, 1, DUNLIN_SCENARIO_MAX_STEPS,
              "write only the metrics of every N-th step"),
    ROW("groups", OPTION_TEXT, &given.run.groups, "FILE.csv",
        "write each group's agents, leader, centre, mean velocity, spread and polarization; - is standard output"),
    ROW_GIVEN("groups-every", OPTION_UINT64, &given.run.groups_every, &given.has_groups_every, 1, DUNLIN_SCENARIO_MAX_STEPS,
              "write only the groups of every N-th step"),
    ROW("measure", OPTION_TEXT, &given.run.measure, "WHAT",
        "add metrics that take longer: some of groups, density, correlation, displacement and kin, as in "
        "groups=2.5,density; a "
        "length is the radius of groups, the side of boxes, or the maximum distance"),
    ROW("curves", OPTION_TEXT, &given.run.curves, "FILE.csv",
        "write the curves behind --measure after the last step; - is standard output"),
    ROW_GROUP("Trajectory"),
    ROW("trajectory", OPTION_TEXT, &given.run.trajectory, "FILE.h5",
        "write the agents of every step, as HDF5 by H5MD and AMBER, and FILE.xmf for ParaView"),
    ROW_GIVEN("every", OPTION_UINT64, &given.run.every, &given.has_every, 1, DUNLIN_SCENARIO_MAX_STEPS,
              "record only every N-th step, in the trajectory and the film"),
    ROW("fields", OPTION_TEXT, &given.run.fields, "LIST",
        "write only these into the trajectory, beside ids and positions: some of velocity, species, slot, image, groups, "
        "traces and names of "
        "attributes, with commas between; default: all"),
    ROW("species", OPTION_TEXT, &given.run.species, "LIST",
        "write only these species into the trajectory, with commas between"),
    ROW_NUMBER("precision", OPTION_INT, &given.run.precision, 1, 22,
               "round the trajectory's numbers to N bits of mantissa, so that they compress better; default: all 23 bits"),
    ROW_GIVEN("compression", OPTION_INT, &given.run.compression, &given.has_compression, 0, 9,
              "compress the trajectory at this level; default: 0, not at all; with --precision: 1"),
    ROW_GROUP("Pictures"),
    ROW("picture", OPTION_TEXT, &given.run.picture, "FILE.png", "draw the agents after the last step; - is standard output"),
    ROW_NUMBER("picture-every", OPTION_UINT64, &given.run.picture_every, 1, DUNLIN_SCENARIO_MAX_STEPS,
               "also draw the agents every N steps, into FILE-0100.png after step 100"),
    ROW("picture-size", OPTION_TEXT, &given.run.picture_size, "WxH",
        "width and height in pixels, up to 4096x4096, or only the longer side; default: 1600"),
    ROW_WORDS("colour", OPTION_TEXT, &given.run.picture_look.colour, "WHAT", "heading species speed",
              "colour agents by heading, species, speed or an attribute; default: as the scenario says"),
    ROW("colour-range", OPTION_TEXT, &given.run.colour_range, "LOW,HIGH",
        "give these values of the attribute the first and the last colour, in all pictures and frames; default: "
        "its minimum and its maximum"),
    ROW("no-legend", OPTION_FLAG, &given.run.picture_look.has_no_legend, NULL, "leave out the legend of pictures and films"),
    ROW_GROUP("Films"),
    ROW("film", OPTION_TEXT, &given.run.film, "FILE",
        "make a film of the run with ffmpeg, as .mp4, .webm, .webp or .gif, by the ending"),
    ROW_NUMBER("film-every", OPTION_UINT64, &given.run.film_every, 1, DUNLIN_SCENARIO_MAX_STEPS,
               "show only every N-th step in the film; default: as --every"),
    ROW_GIVEN("fps", OPTION_INT, &given.run.film_fps, &given.run.has_fps, 1, FILM_MAX_FPS,
              "show N frames per second; default: 30"),
    ROW("size", OPTION_TEXT, &given.run.film_size_text, "WxH",
        "the film's width and height in pixels, up to 4096x4096, or only the longer side; default: 1280"),
    ROW_NUMBER("trail", OPTION_INT, &given.run.trail, 1, 1000,
               "draw behind each agent its way through the last N frames, fading"),
    ROW("watch", OPTION_FLAG, &given.run.watch, NULL, "show the run in the terminal, up to --fps steps per second"),
    ROW_GROUP("Camera of pictures and films in 3D"),
    ROW_WORDS("camera", OPTION_TEXT, &given.run.camera, "HOW", "fixed orbit",
              "fixed, or orbit: once around the world during the run; default: fixed"),
    ROW_REAL("camera-azimuth", &given.run.azimuth, &given.run.has_azimuth, -360.0, 360.0, "DEGREES",
             "look from this side: 0 looks along +y, 90 along -x; default: 29.8"),
    ROW_REAL("camera-elevation", &given.run.elevation, &given.run.has_elevation, -90.0, 90.0, "DEGREES",
             "look down from this height above the middle of the world; default: 20.6"),
    ROW_REAL("camera-distance", &given.run.picture_look.viewpoint.distance, &given.run.has_distance, 0.6, 1000.0, "DIAGONALS",
             "look from this far from the middle, in diagonals of the world; default: 2.2, where the whole world is seen"),
    ROW_REAL("depth-shading", &given.run.picture_look.viewpoint.shading, &given.run.has_shading, 0.0, 1.0, "SHARE",
             "let the farthest agents lose this share of their colour; default: 0.64"),
    ROW_GROUP("Checkpoints"),
    ROW("checkpoint", OPTION_TEXT, &given.run.checkpoint, "FILE",
        "write checkpoints, from which dunlin resume continues; the last two are kept, as FILE and FILE.1"),
    ROW("checkpoint-every", OPTION_TEXT, &given.run.checkpoint_every, "N",
        "write one every N steps, or after a time such as 30s, 10min or 2h; default: 10min"),
    ROW_GROUP("Report"),
    ROW("hash", OPTION_FLAG, &given.run.hash, NULL,
        "print the hash of the last state, on standard error where another output uses standard output"),
    ROW_QUIET(&given.run.quiet),
};

static run_options defaults(void) {
    return (run_options){.open = dunlin_scenario_def_default(),
                         .build = dunlin_simulation_def_default(),
                         .metrics_every = 1,
                         .groups_every = 1,
                         .film_fps = 30,
                         .film_size = {.width = 1280},
                         .every = 1,
                         .watch_every = 1,
                         .picture_look = {.size = {.width = 1600}, .viewpoint = picture_viewpoint_default()}};
}

bool run_options_read(run_options *run, int argc, const char **argv, int *status) {
    given.run = defaults();
    const bool is_read = options_read(&given.run.read, argc, argv, rows, sizeof rows / sizeof *rows, "SCENARIO", status);
    *run = given.run;
    if (!is_read) return false;
    run->scenario = run->read.argument;
    run->arguments = argv + 1;
    run->argument_count = argc - 1;
    bool is_valid = check_every("state-every", run->state_every > 0, "final", run->final, true) &&
                    check_every("metrics-every", given.has_metrics_every, "metrics", run->metrics, false) &&
                    check_every("groups-every", given.has_groups_every, "groups", run->groups, false) &&
                    check_every("picture-every", run->picture_every > 0, "picture", run->picture, true) &&
                    check_trajectory(run, given.has_every, given.has_compression) &&
                    check_every("checkpoint-every", run->checkpoint_every, "checkpoint", run->checkpoint, false) && check(run);
    if (run->precision > 0 && !given.has_compression) run->compression = 1;
    if (run->film_every == 0) run->film_every = run->every;
    if (run->watch) run->terminal = "the terminal";
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}

void run_options_free(run_options *run) {
    options_free(&run->read);
}
