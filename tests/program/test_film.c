/* SPDX-License-Identifier: MIT */
/* `dunlin run --film`: what ffmpeg's own tools find in the films, and what happens when ffmpeg fails; and the camera in 3D. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cairo.h>

#include "harness/film/yuv.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"

#define SIMULATION "run default --agents 400 --quiet "

static bool has_ffmpeg;

static int clean_up(void **state) {
    (void)state;
    return system("rm -rf film fake *.png out.txt err.txt scenario.yaml && mkdir film fake");
}

static int look_for_ffmpeg(void **state) {
    has_ffmpeg = system("ffmpeg -version >out.txt 2>&1 && ffprobe -version >out.txt 2>&1") == 0;
    if (!has_ffmpeg) puts("ffmpeg is not installed: films are not tested");
    return clean_up(state);
}

/* Runs a shell command and reads what it prints into `out`. */
static void shell(const char *command) {
    char line[600];
    snprintf(line, sizeof line, "(%.500s) >out.txt", command);
    if (system(line) != 0) fail_msg("%s failed", command);
    read_file("out.txt", out);
}

static void expect_no_film(void) {
    shell("ls -A film");
    assert_string_equal(out, "");
}

/* An `ffmpeg` that does this. */
static void write_fake(const char *script) {
    write_file("fake/ffmpeg", script);
    assert_int_equal(chmod("fake/ffmpeg", 0755), 0);
}

/* ---- films ------------------------------------------------------------------------------------------------------------- */

static void expect_video(const char *arguments, const char *path, const char *want) {
    char line[500];
    snprintf(line, sizeof line, SIMULATION "%s --film %s", arguments, path);
    expect_success(line);
    snprintf(
        line, sizeof line,
        "ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,pix_fmt,nb_read_frames -of csv=p=0 %s",
        path);
    shell(line);
    if (strcmp(out, want) != 0) fail_msg("%s is not %s but %s", path, want, out);
}

TEST(films_have_their_frames_and_size) {
    if (!has_ffmpeg) skip();
    expect_video("--steps 20 --size 320x200", "film/a.mp4", "h264,320,200,yuv420p,21\n");
    expect_video("--steps 20 --every 5 --size 320x200", "film/b.mp4", "h264,320,200,yuv420p,5\n");
    expect_video("--steps 0 --size 64x64", "film/c.mp4", "h264,64,64,yuv420p,1\n");
    expect_video("--steps 9 --size 161", "film/d.webm", "vp9,162,104,yuv420p,10\n"); /* made even */
    expect_video("--steps 9 --size 161x99", "film/e.GIF", "gif,161,99,bgra,10\n");
    shell("ffprobe -v error -show_entries format=duration -of csv=p=0 film/a.mp4");
    assert_string_equal(out, "0.700000\n");
    expect_success(SIMULATION "--steps 20 --film film/f.mp4 --fps 10");
    shell("ffprobe -v error -show_entries format=duration -of csv=p=0 film/f.mp4");
    assert_string_equal(out, "2.100000\n");
}

/* No tool of Debian's reads animations in this format: its chunks are counted. */
TEST(a_webp_has_its_frames_and_size) {
    if (!has_ffmpeg) skip();
    static unsigned char bytes[1 << 20];
    expect_success(SIMULATION "--steps 9 --film film/a.webp --size 162x104");
    FILE *file = fopen("film/a.webp", "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_memory_equal(bytes, "RIFF", 4);
    assert_memory_equal(bytes + 8, "WEBPVP8X", 8);
    assert_int_equal(bytes[24] | bytes[25] << 8, 162 - 1);
    assert_int_equal(bytes[27] | bytes[28] << 8, 104 - 1);
    int frames = 0;
    for (size_t at = 12; at + 8 <= count;) {
        const size_t length = bytes[at + 4] | (size_t)bytes[at + 5] << 8 | (size_t)bytes[at + 6] << 16;
        frames += memcmp(bytes + at, "ANMF", 4) == 0;
        at += 8 + (length + 1) / 2 * 2;
    }
    assert_int_equal(frames, 10);
}

/* The mean difference of the channels of two pictures of one size. */
static double difference(const char *path, const char *other) {
    cairo_surface_t *a = cairo_image_surface_create_from_png(path), *b = cairo_image_surface_create_from_png(other);
    assert_int_equal(cairo_surface_status(a), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_surface_status(b), CAIRO_STATUS_SUCCESS);
    const int width = cairo_image_surface_get_width(a), height = cairo_image_surface_get_height(a);
    assert_int_equal(width, cairo_image_surface_get_width(b));
    assert_int_equal(height, cairo_image_surface_get_height(b));
    long sum = 0;
    for (int y = 0; y < height; y++) {
        const unsigned char *row = cairo_image_surface_get_data(a) + y * cairo_image_surface_get_stride(a);
        const unsigned char *of_other = cairo_image_surface_get_data(b) + y * cairo_image_surface_get_stride(b);
        for (int x = 0; x < 4 * width; x++) sum += x % 4 < 3 ? labs((long)row[x] - of_other[x]) : 0;
    }
    cairo_surface_destroy(a);
    cairo_surface_destroy(b);
    cairo_debug_reset_static_data();
    return (double)sum / (3.0 * width * height);
}

/* The picture of a step is the frame of that step, and no other; but for the legend, which stays in its place in a film. */
TEST(frames_look_like_pictures) {
    if (!has_ffmpeg) skip();
    static const char *const simulations[] = {"default --agents 400", "default --agents 100000", "starlings --agents 5000"};
    static const char *const films[] = {"film/a.mp4", "film/a.gif", "film/a.webm"};
    for (int i = 0; i < 3; i++) {
        char line[500];
        snprintf(line, sizeof line,
                 "run %s --quiet --no-legend --steps 6 --film %s --size 480x300 --picture last.png --picture-size 480x300",
                 simulations[i], films[i]);
        expect_success(line);
        snprintf(line, sizeof line, "run %s --quiet --no-legend --steps 0 --picture first.png --picture-size 480x300",
                 simulations[i]);
        expect_success(line);
        snprintf(line, sizeof line, "ffmpeg -v error -y -i %s -vsync 0 -start_number 0 film/%%02d.png", films[i]);
        shell(line);
        const double first = difference("first.png", "film/00.png"), last = difference("last.png", "film/06.png");
        const double limit = i == 0 ? 4.0 : 9.0, other = difference("first.png", "film/06.png"),
                     earlier = difference("last.png", "film/00.png");
        if (first > limit || last > limit || other < 1.3 * first || earlier < 1.3 * last)
            fail_msg("%s: differences %.2f and %.2f, of other frames %.2f and %.2f", films[i], first, last, other, earlier);
    }
}

/* As ITU-R BT.709 defines them: luma has 219 steps from 16, colour differences have 224 around 128. */
static void expect_channel(unsigned char got, double red, double green, double blue, int channel) {
    const double luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const double want = channel == 0   ? 16.0 + 219.0 * luma
                        : channel == 1 ? 128.0 + 224.0 * (blue - luma) / 1.8556
                                       : 128.0 + 224.0 * (red - luma) / 1.5748;
    if (fabs(got - want) > 0.51) fail_msg("channel %d of %g, %g, %g is %d, not %.2f", channel, red, green, blue, got, want);
}

TEST(frames_have_the_colours_of_bt709) {
    enum { WIDTH = 70, HEIGHT = 6, PIXELS = WIDTH * HEIGHT };
    uint32_t pixels[PIXELS], random = 1;
    unsigned char planes[PIXELS * 3 / 2];
    assert_int_equal(yuv_bytes(WIDTH, HEIGHT), sizeof planes);
    for (int i = 0; i < PIXELS; i++) pixels[i] = random = random * 1664525u + 1013904223u;
    for (int i = 0; i < 12; i++) pixels[i / 6 * WIDTH + i % 6] = (const uint32_t[]){0x0000ff, 0xffffff, 0xff0000}[i % 6 / 2];
    yuv_convert(pixels, WIDTH, HEIGHT, planes);
    for (int i = 0; i < PIXELS; i++) {
        const uint32_t p = pixels[i];
        expect_channel(planes[i], (p >> 16 & 255) / 255.0, (p >> 8 & 255) / 255.0, (p & 255) / 255.0, 0);
    }
    for (int i = 0; i < PIXELS / 4; i++) {
        double means[3] = {0.0};
        for (int k = 0; k < 12; k++) {
            const int row = i / (WIDTH / 2) * 2 + k / 3 % 2, column = i % (WIDTH / 2) * 2 + k / 6;
            means[k % 3] += (pixels[row * WIDTH + column] >> (16 - k % 3 * 8) & 255) / 1020.0;
        }
        for (int channel = 1; channel < 3; channel++)
            expect_channel(planes[PIXELS + (channel - 1) * PIXELS / 4 + i], means[0], means[1], means[2], channel);
    }
}

/* How much is drawn on the last frame of a film of one agent that moves straight on. */
static int ink_behind_a_loner(const char *options) {
    char line[500];
    int ink = 0;
    write_file("scenario.yaml", "world: {size: [100, 100]}\nspecies:\n"
                                "  - {agents: 1, min_speed: 2, max_speed: 2, start: [{region: ball, extent: [1]}]}\n");
    snprintf(line, sizeof line, "run scenario.yaml --quiet --steps 16 --film film/a.mp4 --size 400x400 %s", options);
    expect_success(line);
    shell("ffmpeg -v error -y -i film/a.mp4 -vsync 0 -start_number 0 film/%02d.png");
    cairo_surface_t *last = cairo_image_surface_create_from_png("film/16.png");
    assert_int_equal(cairo_surface_status(last), CAIRO_STATUS_SUCCESS);
    for (int y = 20; y < 380; y++) {
        const unsigned char *row = cairo_image_surface_get_data(last) + y * cairo_image_surface_get_stride(last);
        for (int x = 20; x < 380; x++) ink += row[4 * x] + row[4 * x + 1] + row[4 * x + 2] < 735;
    }
    cairo_surface_destroy(last);
    cairo_debug_reset_static_data();
    return ink;
}

TEST(trails_reach_back_as_many_frames) {
    if (!has_ffmpeg) skip();
    const int none = ink_behind_a_loner(""), four = ink_behind_a_loner("--trail 4") - none;
    const int eight = ink_behind_a_loner("--trail 8") - none, all = ink_behind_a_loner("--trail 1000") - none;
    if (none < 30 || four < 60 || eight < 3 * four / 2 || eight > 3 * four || all < 3 * eight / 2)
        fail_msg("an agent has %d pixels; trails of 4, 8 and 1000 frames have %d, %d, %d", none, four, eight, all);
}

/* Clearly blue pixels in the bottom right corner, where the legend is. */
static int blue_in_legend(const char *path) {
    cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_image_surface_get_width(picture), 400);
    int blue = 0;
    for (int y = 300; y < 400; y++) {
        const unsigned char *row = cairo_image_surface_get_data(picture) + y * cairo_image_surface_get_stride(picture);
        for (int x = 300; x < 400; x++) blue += row[4 * x] > row[4 * x + 2] + 60;
    }
    cairo_surface_destroy(picture);
    cairo_debug_reset_static_data();
    return blue;
}

/* When the only fox has starved, a picture does not name foxes, but the film still does: its legend should not change. */
TEST(a_legend_keeps_the_species_of_earlier_frames) {
    if (!has_ffmpeg) skip();
    write_file("scenario.yaml", "world: {size: [100, 100]}\nspecies:\n"
                                "  - {name: hares, agents: 1, start: [{region: ball, extent: [1]}]}\n"
                                "  - {name: foxes, agents: 1, start: [{region: ball, extent: [1]}], "
                                "attributes: [{name: energy, value: 1}]}\n"
                                "lives:\n  - {species: foxes, energy: energy, cost: 0.6}\n");
    expect_success("run scenario.yaml --quiet --steps 4 --colour species --film film/a.mp4 --size 400x400 --picture last.png "
                   "--picture-size 400x400");
    shell("ffmpeg -v error -y -i film/a.mp4 -vsync 0 -start_number 0 film/%02d.png");
    const int first = blue_in_legend("film/00.png"), last = blue_in_legend("film/04.png");
    assert_int_equal(blue_in_legend("last.png"), 0);
    if (first < 20 || last < 20) fail_msg("the fox of the legend has %d blue pixels, and at the end %d", first, last);
}

/* ---- failures ---------------------------------------------------------------------------------------------------------- */

#define LONG "run default --agents 1000 --steps 1000000000 "

TEST(without_ffmpeg_the_package_is_named) {
    run_in("PATH=/nowhere", LONG "--film film/a.mp4");
    assert_int_equal(status, 1);
    assert_string_equal(err, "dunlin: --film needs ffmpeg, which is not installed; on Debian: apt-get install ffmpeg\n");
    expect_no_film();
}

static void expect_broken(const char *environment, const char *word, const char *other) {
    write_file("film/a.mp4", "old\n");
    run_in(environment, LONG "--quiet --film film/a.mp4");
    if (status != 1 || !strstr(err, word) || !strstr(err, other) || !strstr(err, "film/a.mp4"))
        fail_msg("%s: exit %d: %s", environment, status, err);
    shell("cat film/*; ls -A film");
    assert_string_equal(out, "old\na.mp4\n");
}

/* The run ends at once, says why, and leaves the old film. */
TEST(failures_of_ffmpeg_end_the_run) {
    write_fake("#!/bin/sh\necho no such codec >&2\nexit 3\n");
    expect_broken("PATH=$PWD/fake:$PATH", "ffmpeg failed", "no such codec");
    write_fake("#!/bin/sh\nhead -c 2000000 >/dev/null\nkill -9 $$\n");
    expect_broken("PATH=$PWD/fake:$PATH", "ffmpeg was ended", "Killed");
    write_fake("#!/bin/sh\nhead -c 2000000 >/dev/null\nexit 0\n");
    expect_broken("PATH=$PWD/fake:$PATH", "ffmpeg ended before the film", "");
    if (!has_ffmpeg) skip();
    expect_broken("ulimit -f 200;", "ffmpeg failed", "File too large");
}

/* OpenMP binds the first thread to one processor. ffmpeg and the threads that write the film and the trajectory run on any. */
TEST(makers_of_films_run_on_any_processor) {
    const char *mask = "masks.txt";
    write_fake("#!/bin/sh\nhead -c 9000000 >/dev/null\n"
               "grep -h Cpus_allowed_list /proc/self/status /proc/$PPID/task/*/status >masks.txt\nexit 1\n");
    shell("grep Cpus_allowed_list /proc/self/status >any.txt");
    run_in("OMP_PROC_BIND=true PATH=$PWD/fake:$PATH",
           "run default --agents 1000 --steps 100 --threads 1 --quiet --size 320x200 --film film/a.mp4 --trajectory film/a.h5");
    shell("head -n 1 masks.txt | cmp any.txt -");
    assert_true(is_there(mask));
    shell("grep -c -x -F -f any.txt masks.txt");
    if (atoi(out) < 3) fail_msg("only %d of ffmpeg and two threads", atoi(out));
}

/* Ctrl-C goes to the whole process group, and the film is still whole. */
TEST(an_interrupted_film_is_finished) {
    if (!has_ffmpeg) skip();
    const char *const arguments[] = {"dunlin",  "run",    "default",    "--agents", "400",     "--steps", "1000000",
                                     "--quiet", "--film", "film/a.mp4", "--size",   "320x200", NULL};
    const pid_t child = start(arguments);
    wait_until_watched(child);
    usleep(300000);
    end_by(SIGINT, child);
    shell("ls -A film; ffprobe -v error -count_frames -show_entries stream=codec_name,width -of csv=p=0 film/a.mp4");
    assert_string_equal(out, "a.mp4\nh264,320\n");
}

/* ---- the camera -------------------------------------------------------------------------------------------------------- */

#define STILL                                                                                                                  \
    "world: {dimensions: 3, size: [100, 100, 60]}\nspecies:\n"                                                                 \
    "  - {agents: 300, min_speed: 0, max_speed: 0, start: [{region: box, centre: [20, 20, 30], extent: [19, 19, 29]}]}\n"

/* One round during the run. */
TEST(an_orbit_ends_where_it_began) {
    write_file("scenario.yaml", STILL);
    expect_success(
        "run scenario.yaml --quiet --steps 4 --picture p.png --picture-size 300x200 --picture-every 1 --camera orbit");
    assert_true(difference("p-0.png", "p-4.png") < 0.01);
    for (int i = 1; i < 4; i++) {
        char path[32];
        snprintf(path, sizeof path, "p-%d.png", i);
        assert_true(difference("p-0.png", path) > 2.0);
    }
}

static double picture_difference(const char *options) {
    char line[256];
    write_file("scenario.yaml", STILL);
    expect_success("run scenario.yaml --quiet --steps 0 --picture a.png --picture-size 300x200");
    snprintf(line, sizeof line, "run scenario.yaml --quiet --steps 0 --picture b.png --picture-size 300x200 %s", options);
    expect_success(line);
    return difference("a.png", "b.png");
}

TEST(the_camera_stands_where_it_is_told) {
    assert_true(picture_difference("--camera fixed") == 0.0);
    assert_true(picture_difference("--camera-azimuth 29.79 --camera-elevation 20.63 --depth-shading 0.64") < 0.1);
    assert_true(picture_difference("--camera-azimuth -330.21 --camera-elevation 20.63 --depth-shading 0.64") < 0.1);
    assert_true(picture_difference("--camera-azimuth 120") > 2.0);
    assert_true(picture_difference("--camera-elevation 80") > 2.0);
    assert_true(picture_difference("--camera-distance 1.2") > 2.0);
    assert_true(picture_difference("--depth-shading 0") > 0.2);
    assert_true(picture_difference("--depth-shading 1") > 0.2);
}

TEST_FIXTURE(.before_all = look_for_ffmpeg, .before_each = clean_up, .after_each = clean_up)
