/* SPDX-License-Identifier: MIT */
/*
 * Files that try to take long: what lies beyond the bounds of SECURITY.md costs at most 100 ns of processor time per byte,
 * whatever reads it. And pictures, whose reader is our own so that this holds, have the colours that libpng says.
 */
#include <hdf5.h>
#include <png.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/scenario/grid.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"

static test_random randomness = {1};

enum { MEBIBYTE = 1 << 20, LONG = 4 * MEBIBYTE };

/* Beside the 100 ns per byte: what starting takes, on a slow machine under a sanitizer. */
static const double start_seconds = 2.0;

typedef struct buffer {
    unsigned char *bytes;
    size_t length, room;
} buffer;

static void add(buffer *to, const void *bytes, size_t count) {
    if (to->length + count > to->room) {
        to->room = 2 * (to->length + count);
        to->bytes = realloc(to->bytes, to->room);
        assert_non_null(to->bytes);
    }
    if (count) memcpy(to->bytes + to->length, bytes, count);
    to->length += count;
}

static double seconds_of(const struct rusage *used) {
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

static double seconds_used(int by) {
    struct rusage used;
    assert_int_equal(getrusage(by, &used), 0);
    return seconds_of(&used);
}

static void expect_quick(const char *what, double seconds, size_t bytes) {
    const double most = start_seconds + 100e-9 * (double)bytes;
    if (seconds > most) fail_msg("%s: %.2f s for %zu bytes; allowed: %.2f", what, seconds, bytes, most);
}

/* ---- pictures that are as they should be ------------------------------------------------------------------------------- */

enum { MOST_SIDE = 11 };

typedef struct form {
    int type, depth, interlace, gamma; /* gamma: 0 none, 1 sRGB, 2 gAMA of 1/2.2, 3 gAMA of 1 */
    bool has_transparency;
} form;

static void write_some(png_struct *png, png_byte *bytes, size_t count) {
    add(png_get_io_ptr(png), bytes, count);
}

static void write_some_chunks(png_struct *png, png_info *info, const form *as) {
    png_color colours[256];
    png_byte opacity[256];
    const int count = 1 << (as->depth < 8 ? as->depth : 8);
    for (int i = 0; i < count; i++) {
        colours[i] = (png_color){(png_byte)test_below(&randomness, 256), (png_byte)test_below(&randomness, 256),
                                 (png_byte)test_below(&randomness, 256)};
        opacity[i] = (png_byte)test_below(&randomness, 256);
    }
    if (as->type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, colours, count);
    png_color_16 transparent = {.gray = (png_uint_16)test_below(&randomness, (uint32_t)count)};
    if (as->has_transparency) png_set_tRNS(png, info, opacity, count, &transparent);
    if (as->gamma == 1) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (as->gamma >= 2) png_set_gAMA_fixed(png, info, as->gamma == 2 ? 45455 : 100000);
    png_text text = {.compression = PNG_TEXT_COMPRESSION_zTXt,
                     .key = (char *)(uintptr_t) "Comment",
                     .text = (char *)(uintptr_t) "zzzzzzzzzz"};
    png_set_text(png, info, &text, 1);
}

static void write_picture(buffer *to, const form *as, uint32_t width, uint32_t height) {
    png_byte row[8 * MOST_SIDE], *rows[MOST_SIDE], all[MOST_SIDE][8 * MOST_SIDE];
    png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_info *info = png_create_info_struct(png);
    assert_non_null(info);
    if (setjmp(png_jmpbuf(png))) fail_msg("libpng cannot write the picture");
    png_set_write_fn(png, to, write_some, NULL);
    png_set_IHDR(png, info, width, height, as->depth, as->type, as->interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    write_some_chunks(png, info, as);
    for (uint32_t y = 0; y < height; y++) {
        rows[y] = all[y];
        for (size_t x = 0; x < sizeof row; x++) all[y][x] = (png_byte)test_below(&randomness, 256);
    }
    png_write_info(png, info);
    png_write_image(png, rows);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

/* As grid.c has it. */
static float brightness_of(const unsigned char rgba[4]) {
    unsigned colour[3];
    for (int i = 0; i < 3; i++) {
        const unsigned product = (unsigned)rgba[i] * rgba[3] + 128;
        colour[i] = (product + (product >> 8)) >> 8;
    }
    return (0.2126f * (float)colour[0] + 0.7152f * (float)colour[1] + 0.0722f * (float)colour[2]) / 255.0f;
}

static void compare_with_libpng(const form *as, uint32_t width, uint32_t height) {
    static unsigned char pixels[4 * MOST_SIDE * MOST_SIDE];
    buffer file = {NULL, 0, 0}, plain = {NULL, 0, 0};
    form in_order = *as;
    const test_random same = randomness;
    char problem[SCENARIO_PROBLEM_LENGTH] = "";
    scenario_grid grid = {{NULL}};
    const dunlin_field_view field = {.cells = {(int)width, (int)height, 1}};
    write_picture(&file, as, width, height);
    in_order.interlace = 0; /* of interlaced 16 bits libpng 1.6.39's simplified reader makes other colours */
    randomness = same;
    write_picture(&plain, &in_order, width, height);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, plain.bytes, plain.length));
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    if (!dun_grid_read_png("p.png", (char *)file.bytes, file.length, &field, &grid, problem)) fail_msg("%s", problem);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const float want = brightness_of(pixels + 4 * (y * width + x)), got = grid.columns[0][(height - 1 - y) * width + x];
            if (memcmp(&want, &got, sizeof want) != 0)
                fail_msg("type %d, %d bits, interlace %d, gamma %d, tRNS %d, %ux%u at %u, %u: %g, not %g", as->type, as->depth,
                         as->interlace, as->gamma, as->has_transparency, width, height, x, y, (double)got, (double)want);
        }
    dun_grid_free(&grid);
    free(plain.bytes);
    free(file.bytes);
}

static bool is_form(const form *as) {
    static const int depths[7] = {1 | 2 | 4 | 8 | 16, 0, 8 | 16, 1 | 2 | 4 | 8, 8 | 16, 0, 8 | 16};
    return (depths[as->type] & as->depth) && !(as->has_transparency && as->type & PNG_COLOR_MASK_ALPHA);
}

TEST(pictures_have_the_colours_that_libpng_says) {
    int tested = 0;
    form as;
    for (as.type = 0; as.type <= 6; as.type++)
        for (as.depth = 1; as.depth <= 16; as.depth *= 2)
            for (as.interlace = 0; as.interlace <= 1; as.interlace++)
                for (as.gamma = 0; as.gamma <= 3; as.gamma++)
                    for (int transparent = 0; transparent <= 1; transparent++) {
                        as.has_transparency = transparent;
                        if (!is_form(&as)) continue;
                        for (int i = 0; i < 8; i++, tested++)
                            compare_with_libpng(&as, 1 + test_below(&randomness, MOST_SIDE),
                                                1 + test_below(&randomness, MOST_SIDE));
                    }
    assert_true(tested > 1000);
}

/* ---- pictures that take long ------------------------------------------------------------------------------------------- */

static void add_number(buffer *to, uint32_t number) {
    const unsigned char bytes[4] = {(unsigned char)(number >> 24), (unsigned char)(number >> 16), (unsigned char)(number >> 8),
                                    (unsigned char)number};
    add(to, bytes, 4);
}

static void add_chunk(buffer *to, const char *name, const void *bytes, size_t count) {
    add_number(to, (uint32_t)count);
    const size_t from = to->length;
    add(to, name, 4);
    if (count > 0) add(to, bytes, count);
    add_number(to, (uint32_t)crc32(0, to->bytes + from, (uInt)(count + 4)));
}

/* A stream of the first bytes, and then of zeros, each mebibyte of which takes one kilobyte, until it is that long. */
static buffer pack(const void *first, size_t first_bytes, size_t length) {
    static unsigned char zeros[MEBIBYTE], packed[MEBIBYTE];
    buffer made = {NULL, 0, 0};
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)first,
                       .avail_in = (uInt)first_bytes,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    assert_int_equal(deflateInit(&stream, 9), Z_OK);
    assert_int_equal(deflate(&stream, Z_FULL_FLUSH), Z_OK);
    add(&made, packed, sizeof packed - stream.avail_out);
    stream.next_in = zeros, stream.avail_in = sizeof zeros, stream.next_out = packed, stream.avail_out = sizeof packed;
    assert_int_equal(deflate(&stream, Z_FULL_FLUSH), Z_OK);
    while (made.length < length) add(&made, packed, sizeof packed - stream.avail_out);
    deflateEnd(&stream);
    return made;
}

static const unsigned char two_rows[2 * 9] = {0};

static buffer begin_picture(void) {
    static const unsigned char head[13] = {0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0};
    buffer made = {NULL, 0, 0};
    add(&made, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(&made, "IHDR", head, sizeof head);
    return made;
}

static void add_pixels(buffer *to, size_t length) {
    buffer packed = pack(two_rows, sizeof two_rows, length);
    add_chunk(to, "IDAT", packed.bytes, packed.length);
    free(packed.bytes);
}

/* Chunks of that name, each a thousandth of what it unpacks to. */
static void add_packed_chunks(buffer *to, const char *name, const char *head, size_t head_bytes) {
    buffer content = {NULL, 0, 0}, packed = pack("", 0, 8192);
    add(&content, head, head_bytes);
    add(&content, packed.bytes, packed.length);
    while (to->length < LONG) add_chunk(to, name, content.bytes, content.length);
    free(content.bytes);
    free(packed.bytes);
}

static void expect_picture_quick(const char *what, buffer *made, bool is_good) {
    const dunlin_field_view field = {.cells = {2, 2, 1}};
    char problem[SCENARIO_PROBLEM_LENGTH] = "";
    scenario_grid grid = {{NULL}};
    const double before = seconds_used(RUSAGE_SELF);
    const bool done = dun_grid_read_png("p.png", (char *)made->bytes, made->length, &field, &grid, problem);
    expect_quick(what, seconds_used(RUSAGE_SELF) - before, made->length);
    if (done != is_good) fail_msg("%s: %s", what, problem);
    dun_grid_free(&grid);
    free(made->bytes);
}

TEST(what_follows_the_pixels_is_not_unpacked) {
    buffer p = begin_picture();
    add_pixels(&p, LONG);
    expect_picture_quick("zeros after the pixels", &p, true);
    p = begin_picture();
    add_pixels(&p, 1);
    buffer more = pack(two_rows, sizeof two_rows, 1000);
    while (p.length < LONG) add_chunk(&p, "IDAT", more.bytes, more.length);
    free(more.bytes);
    expect_picture_quick("more pixels in more chunks", &p, true);
    p = begin_picture();
    add_pixels(&p, 1);
    add_chunk(&p, "IEND", NULL, 0);
    p.bytes = realloc(p.bytes, LONG);
    memset(p.bytes + p.length, 0, LONG - p.length);
    p.length = LONG;
    expect_picture_quick("zeros after the end", &p, true);
}

TEST(what_is_no_pixel_is_not_unpacked) {
    static const struct {
        const char *name, *head;
        size_t bytes;
    } kinds[] = {{"zTXt", "a\0", 3}, {"iTXt", "a\0\1\0\0\0", 6}, {"iCCP", "a\0", 3}, {"iCCP", "", 0},
                 {"zZZz", "", 0},    {"sPLT", "a\0", 3}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        buffer p = begin_picture();
        add_packed_chunks(&p, kinds[i].name, kinds[i].head, kinds[i].bytes);
        add_pixels(&p, 1);
        expect_picture_quick(kinds[i].name, &p, true);
    }
    buffer p = begin_picture();
    while (p.length < LONG) add_chunk(&p, "teXt", NULL, 0);
    add_pixels(&p, 1);
    expect_picture_quick("empty chunks", &p, true);
    p = begin_picture();
    while (p.length < LONG) add_chunk(&p, "IDAT", NULL, 0);
    expect_picture_quick("empty pixels", &p, false);
    p = begin_picture();
    buffer text = {calloc(1, LONG), LONG, LONG};
    add_chunk(&p, "teXt", text.bytes, text.length);
    p.length -= 100;
    free(text.bytes);
    expect_picture_quick("half a chunk", &p, false);
}

/* ---- other files -------------------------------------------------------------------------------------------------------- */

/* The file has these bytes, and then the others again and again. */
static void write_long(const char *path, const void *first, size_t first_bytes, const void *again, size_t bytes) {
    buffer made = {NULL, 0, 0};
    add(&made, first, first_bytes);
    while (made.length < LONG) add(&made, again, bytes);
    write_bytes(path, made.bytes, made.length);
    free(made.bytes);
}

typedef struct hostile {
    const char *arguments, *path, *first, *again;
    size_t first_bytes, bytes; /* 0: up to the text's end */
} hostile;

#define STATE_HEAD "# dunlin state 1\n"

static const hostile files[] = {
    {"check long.yaml", "long.yaml", "", " ", 0, 0},
    {"check long.yaml", "long.yaml", "", "# a comment\n", 0, 0},
    {"check long.yaml", "long.yaml", "", "[", 0, 0},
    {"show long.yaml", "long.yaml", "species:\n", " - {name: a}\n", 0, 0},
    {"run long.yaml", "long.yaml", "", "\0", 0, 1},
    {"run - <long.yaml", "long.yaml", "", "a: 1\n", 0, 0},
    {"sweep long.yaml", "long.yaml", "scenario: a\n", "parameters: []\n", 0, 0},
    {"sweep study.yaml --output longs", "longs/runs.csv", "", ",", 0, 0},
    {"sweep study.yaml --output longs", "longs/runs.csv", "run,", "\n", 0, 0},
    {"sweep study.yaml --output longs", "longs/runs.csv", "", "\"", 0, 0},
    {"run tank.yaml --init long.csv", "long.csv", "", "0", 0, 0},
    {"run tank.yaml --init long.csv", "long.csv", "", "\0", 0, 1},
    {"run tank.yaml --init long.csv", "long.csv", STATE_HEAD, "# seed 1\n", 0, 0},
    {"run tank.yaml --init long.csv", "long.csv", STATE_HEAD, "# \n", 0, 0},
    {"run tank.yaml --init long.csv", "long.csv", "", "x,", 0, 0},
    {"run tank.yaml --init long.csv", "long.csv", "id,x,y,vx,vy\n", "0,1,1,0,0\n", 0, 0},
    {"run tank.yaml --init long.csv", "long.csv", "id,x,y,vx,vy\n", "\n", 0, 0},
    {"run tank.yaml --init /dev/stdin <long.csv", "long.csv", "", "0", 0, 0},
    {"run tank.yaml --init <(cat long.csv)", "long.csv", "", "0,", 0, 0},
    {"run tank.yaml --init long.h5@1", "long.h5", "\x89HDF\r\n\x1a\n", "\0", 8, 1},
    {"export long.h5 --to csv", "long.h5", "\x89HDF\r\n\x1a\n\3", "\1", 9, 0},
    {"export long.h5 --to csv", "long.h5", "", "\x89HDF\r\n\x1a\n", 0, 8},
    {"resume long.ckpt", "long.ckpt", "dunrun\0\0", "\0", 8, 1},
    {"resume long.ckpt", "long.ckpt", "dunrun\0\0", "\xff", 8, 1},
    {"resume long.ckpt", "long.ckpt", "", "dunrun\0\0", 0, 8},
    {"plot long.csv", "long.csv", "", ",", 0, 0},
    {"plot long.csv", "long.csv", "", "step,", 0, 0},
    {"plot long.csv", "long.csv", "", "species,", 0, 0},
    {"plot long.csv", "long.csv", "step,a\n", "\n", 0, 0},
    {"plot long.csv", "long.csv", "step,a\n", "\"", 0, 0},
    {"plot - <long.csv", "long.csv", "step,species,a\n0,", "x", 0, 0},
    {"bench frame --agents 10 --steps 1 --repeat 1 --kernel scalar --csv long.csv", "long.csv", "", "a\n", 0, 0},
    {"run map.yaml", "long.csv", "vx,vy\n", "0,0\n", 0, 0},
    {"run map.yaml", "long.csv", "", "0", 0, 0},
    {"run picture.yaml", "long.png", "\x89PNG\r\n\x1a\n", "\0", 8, 1},
};

static size_t bytes_of(const char *text, size_t given) {
    return given > 0 ? given : strlen(text);
}

TEST(files_beyond_the_bounds_are_refused_quickly) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const hostile *f = &files[i];
        write_long(f->path, f->first, bytes_of(f->first, f->first_bytes), f->again, bytes_of(f->again, f->bytes));
        char command[400];
        snprintf(command, sizeof command, "OMP_PROC_BIND=false bash -c \"'%s' %s\" >out.txt 2>err.txt", DUNLIN_PROGRAM,
                 f->arguments);
        const double before = seconds_used(RUSAGE_CHILDREN);
        const int ended = system(command);
        expect_quick(f->arguments, seconds_used(RUSAGE_CHILDREN) - before, LONG);
        if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 1) {
            read_file("err.txt", err);
            fail_msg("dunlin %s, file %zu: it ended with %d: %s", f->arguments, i, ended, err);
        }
        remove(f->path);
    }
}

/* ---- trajectories ------------------------------------------------------------------------------------------------------- */

enum { LAST = 3 }; /* frame */

/* Zeros that are long, packed `times` times over. */
static buffer pack_zeros(int times) {
    uLong length = 16 * MEBIBYTE;
    unsigned char *plain = calloc(1, length);
    for (int i = 0; i < times; i++) {
        uLongf packed = compressBound(length);
        unsigned char *to = malloc(packed);
        assert_true(plain && to && compress2(to, &packed, plain, length, 9) == Z_OK);
        free(plain);
        plain = to;
        length = packed;
    }
    return (buffer){plain, length, length};
}

static void put_bomb(hid_t set, int times, const hsize_t at[]) {
    buffer bomb = pack_zeros(times);
    assert_true(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, bomb.length, bomb.bytes) >= 0);
    free(bomb.bytes);
}

static void put_bomb_at(hid_t file, const char *path) {
    const hsize_t at[] = {LAST, 0, 0};
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    put_bomb(set, 1, at);
    H5Dclose(set);
}

/* Instead of the steps: 0, 0 ... */
static hid_t replace_steps(hid_t file, hsize_t frames, hsize_t chunk, int times) {
    const hsize_t most = H5S_UNLIMITED;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &frames, &most);
    assert_true(H5Pset_chunk(how, 1, &chunk) >= 0 && H5Ldelete(file, "/step", H5P_DEFAULT) >= 0);
    for (int i = 0; i < times; i++) H5Pset_deflate(how, 1);
    const hid_t set = H5Dcreate2(file, "/step", H5T_NATIVE_INT64, space, H5P_DEFAULT, how, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

static void put_packed_steps(hid_t file, hsize_t chunk, int times) {
    const hid_t set = replace_steps(file, LAST + 1, chunk, times);
    put_bomb(set, times, (const hsize_t[]){0});
    H5Dclose(set);
}

static void spoil_ids(hid_t file) {
    put_bomb_at(file, "/id");
}

static void spoil_positions(hid_t file) {
    put_bomb_at(file, "/coordinates");
}

static void spoil_images(hid_t file) {
    put_bomb_at(file, "/particles/agents/image/value");
}

static void pack_steps(hid_t file) {
    put_packed_steps(file, 1, 1);
}

static void pack_steps_in_a_long_chunk(hid_t file) {
    put_packed_steps(file, 8 * MEBIBYTE, 1);
}

static void pack_steps_twice(hid_t file) {
    put_packed_steps(file, 256, 2);
}

static void claim_frames(hid_t file) {
    H5Dclose(replace_steps(file, 4 * MEBIBYTE, 1, 0));
}

static void spoil_nothing(hid_t file) {
    (void)file;
}

static const struct {
    void (*spoil)(hid_t file);
    bool is_good, is_cut; /* is_cut: dunlin resume cuts it, and continues */
} spoils[] = {{spoil_nothing, true, true},      {spoil_ids, false, false},  {spoil_positions, false, false},
              {spoil_images, false, false},     {pack_steps, false, false}, {pack_steps_in_a_long_chunk, false, false},
              {pack_steps_twice, false, false}, {claim_frames, false, true}};

static const char *const readers[] = {"export t.h5 --to csv", "export /dev/stdin --to csv --output o.csv <t.h5",
                                      "run tank.yaml --steps 1 --init t.h5@3", "resume t.ckpt --steps 5"};

static void read_spoilt(size_t number, const char *reader) {
    char what[200], command[400];
    snprintf(command, sizeof command, "OMP_PROC_BIND=false '%s' %s >out.txt 2>err.txt", DUNLIN_PROGRAM, reader);
    snprintf(what, sizeof what, "spoil %zu, dunlin %s", number, reader);
    assert_int_equal(system("rm -rf t.h5 o.csv t && cp whole.h5 t.h5 && cp whole.ckpt t.ckpt"), 0);
    const hid_t file = H5Fopen("t.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    spoils[number].spoil(file);
    H5Fclose(file);
    const double before = seconds_used(RUSAGE_CHILDREN);
    const int ended = system(command);
    expect_quick(what, seconds_used(RUSAGE_CHILDREN) - before, MEBIBYTE);
    read_file("err.txt", err);
    const bool is_good = strstr(reader, "resume") ? spoils[number].is_cut : spoils[number].is_good;
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != !is_good) fail_msg("%s: it ended with %d: %s", what, ended, err);
    if (!is_good && !strstr(err, "damaged") && !strstr(err, "packed in another way")) fail_msg("%s: %s", what, err);
}

TEST(chunks_of_trajectories_are_unpacked_no_further_than_they_hold) {
    expect_success("run tank.yaml --steps 3 --compression 1 --quiet --trajectory t.h5 --checkpoint t.ckpt");
    assert_int_equal(system("mv t.h5 whole.h5 && mv t.ckpt whole.ckpt"), 0);
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++)
        for (size_t r = 0; r < sizeof readers / sizeof *readers; r++) read_spoilt(i, readers[r]);
}

static int set_up(void **state) {
    if (empty_own_folder(state) != 0 || mkdir("longs", 0777) != 0) return -1;
    write_file("tank.yaml", "species: [{name: fish, agents: 3}]\n");
    write_file("study.yaml", "scenario: tank.yaml\nsteps: 2\nseeds: 1\nparameters: [{path: species.fish.agents, values: [3]}]\n"
                             "measure: [{metric: polarization, window: {last: 1}}]\n");
    write_file("map.yaml", "species: [{name: fish, agents: 3}]\nfields: [{name: map, cells: [2, 1], csv: {file: long.csv}}]\n");
    write_file("picture.yaml",
               "species: [{name: fish, agents: 3}]\nfields: [{name: map, cells: [2, 2], image: {file: long.png}}]\n");
    return 0;
}

TEST_FIXTURE(.before_all = set_up, .after_all = empty_own_folder)
