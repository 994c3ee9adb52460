/* SPDX-License-Identifier: MIT */
#include "harness/film/encoder.h"
#include "harness/report/machine.h"
#include "harness/report/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors of the child. */
enum { CHILD_FILE = 3, CHILD_PALETTE = 4, MAX_WORDS = 64, PALETTE_SIDE = 16 };

extern char **environ;

/* ---- formats ---------------------------------------------------------------------------------------------------------- */

/* Players expect halved colours, and those of HDTV: what yuv.h makes. */
#define VIDEO                                                                                                                  \
    "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",                          \
        "-chroma_sample_location", "center"

typedef struct format {
    const char *ending;
    const char *words[28]; /* for ffmpeg */
    bool is_halved;        /* as VIDEO says: its width and height are even */
    int max_fps;
} format;

/* Settings that cost little time, since ffmpeg shares the run's cores; of MP4, neither B-frames nor arithmetic coding. */
static const format formats[] = {
    {".mp4",
     {VIDEO, "-c:v", "libx264", "-preset", "superfast", "-bf", "0", "-coder", "vlc", "-crf", "22", "-movflags", "+faststart",
      "-f", "mp4"},
     true,
     240},
    {".webm",
     {VIDEO, "-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "7", "-row-mt", "1", "-f",
      "webm"},
     true,
     240},
    {".webp",
     {"-c:v", "libwebp_anim", "-pix_fmt", "yuv420p", "-quality", "82", "-compression_level", "4", "-loop", "0", "-f", "webp"},
     false,
     100},
    /* One palette for all frames: otherwise colours would flicker, or ffmpeg would keep the whole film in memory first. */
    {".gif",
     {"-filter_complex", "[0:v][1:v]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle", "-loop", "0", "-f", "gif"},
     false,
     50},
};

static const format *format_of(const char *path) {
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(ending, formats[i].ending) == 0) return &formats[i];
    return NULL;
}

bool film_has_format(const char *path) {
    return format_of(path);
}

bool encoder_takes_yuv(const char *path) {
    return format_of(path)->is_halved;
}

const char *film_refuses(const char *path, int fps, int width, int height) {
    const format *as = format_of(path);
    if (as->is_halved && (width % 2 || height % 2)) return "its width and height must be even";
    if (fps > as->max_fps)
        return as->max_fps == 50 ? "a GIF has at most 50 frames per second" : "it has at most 100 frames per second";
    return NULL;
}

/* ---- start ------------------------------------------------------------------------------------------------------------ */

typedef struct command {
    const char *words[MAX_WORDS + 1];
    int count;
} command;

static void add_words(command *c, const char *const *words) {
    for (; *words && c->count < MAX_WORDS; words++) c->words[c->count++] = *words;
    c->words[c->count] = NULL;
}

/* `size` and `fps` outlive the command. */
static command make_command(const format *as, const char *size, const char *fps) {
    command made = {.count = 0};
    add_words(&made, (const char *const[]){"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostats", "-nostdin", "-xerror",
                                           "-y", "-f", "rawvideo", "-pixel_format", as->is_halved ? "yuv420p" : "bgr0",
                                           "-video_size", size, "-framerate", fps, "-i", "pipe:0", NULL});
    if (strcmp(as->ending, ".gif") == 0)
        add_words(&made, (const char *const[]){"-f", "rawvideo", "-pixel_format", "bgr0", "-video_size", "16x16", "-i",
                                               "pipe:4", NULL});
    add_words(&made, as->words);
    add_words(&made, (const char *const[]){"-bitexact", "file:/proc/self/fd/3", NULL});
    return made;
}

/* A pipe that holds the palette; its end to read from, or -1. */
static int offer_palette(const uint32_t *palette) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const bool is_written = write(ends[1], palette, FILM_PALETTE * sizeof *palette) == FILM_PALETTE * sizeof *palette;
    close(ends[1]);
    if (is_written) return ends[0];
    close(ends[0]);
    return -1;
}

/* In a process group of its own, so that Ctrl-C ends the run and ffmpeg still finishes the film. Returns errno. */
static int spawn(encoder *e, command *c, int frames, int file, int palette) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    int problem = posix_spawn_file_actions_init(&actions);
    if (problem != 0) return problem;
    problem = posix_spawnattr_init(&attributes);
    if (problem == 0) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawn_file_actions_adddup2(&actions, frames, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, fileno(e->words), STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&actions, file, CHILD_FILE);
        posix_spawn_file_actions_adddup2(&actions, palette, CHILD_PALETTE);
        const dun_place place = dun_place_leave();
        problem = posix_spawnp(&e->process, c->words[0], &actions, &attributes, (char *const *)c->words, environ);
        dun_place_return(&place);
        if (problem != 0) e->process = 0;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

/* A copy with a number that no dup2 of the child overwrites before it is used; -1: none is left. */
static int move_up(int descriptor) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
}

static int start(encoder *e, const film_def *def, int file) {
    char size[32], fps[16];
    int ends[2] = {-1, -1};
    snprintf(size, sizeof size, "%dx%d", def->width, def->height);
    snprintf(fps, sizeof fps, "%d", def->fps);
    command c = make_command(format_of(def->path), size, fps);
    const int offered = offer_palette(def->palette);
    if (offered < 0 || pipe2(ends, O_CLOEXEC) != 0) return errno;
    (void)fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); /* fewer switches between the processes */
    const int frames = move_up(ends[0]), palette = move_up(offered), target = move_up(file);
    const int problem = frames < 0 || palette < 0 || target < 0 ? errno : spawn(e, &c, frames, target, palette);
    const int done[] = {frames, palette, target, ends[0], offered};
    for (size_t i = 0; i < sizeof done / sizeof *done; i++)
        if (done[i] >= 0) close(done[i]);
    e->frames = ends[1];
    return problem;
}

dunlin_result encoder_start(encoder *e, const film_def *def, int file, dunlin_error *error) {
    *e = (encoder){.frames = -1, .words = tmpfile()};
    if (!e->words) return bench_fail(error, DUNLIN_ERROR_FILE, "no file for the messages of ffmpeg: %s", strerror(errno));
    const int problem = start(e, def, file);
    if (problem == ENOENT)
        return bench_fail(error, DUNLIN_ERROR_FILE,
                          "--film needs ffmpeg, which is not installed; on Debian: apt-get install ffmpeg");
    if (problem != 0) return bench_fail(error, DUNLIN_ERROR_FILE, "cannot start ffmpeg: %s", strerror(problem));
    return DUNLIN_OK;
}

/* ---- end -------------------------------------------------------------------------------------------------------------- */

/* What ffmpeg said, in one line. */
static void read_words(FILE *file, char *words, size_t size) {
    rewind(file);
    size_t length = fread(words, 1, size - 1, file);
    while (length > 0 && words[length - 1] == '\n') length--;
    words[length] = '\0';
    for (char *at = words; (at = strchr(at, '\n'));) *at = ' ';
}

dunlin_result encoder_finish(encoder *e, const char *path, dunlin_error *error) {
    int status = 0;
    char words[300];
    if (e->frames >= 0) close(e->frames);
    e->frames = -1;
    while (e->process > 0 && waitpid(e->process, &status, 0) < 0 && errno == EINTR) continue;
    e->process = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return DUNLIN_OK;
    read_words(e->words, words, sizeof words);
    if (WIFSIGNALED(status))
        return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.150s: ffmpeg was ended by signal %d (%s)", path,
                          WTERMSIG(status), strsignal(WTERMSIG(status)));
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.150s: ffmpeg failed: %s", path, words);
}

void encoder_drop(encoder *e) {
    if (e->process > 0) {
        kill(e->process, SIGKILL);
        while (waitpid(e->process, NULL, 0) < 0 && errno == EINTR) continue;
    }
    if (e->frames >= 0) close(e->frames);
    if (e->words) fclose(e->words);
    *e = (encoder){.frames = -1};
}
