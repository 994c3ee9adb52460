/* SPDX-License-Identifier: MIT */
/* The pictures that `dunlin run --picture` draws, pixel by pixel. */
#include <cairo.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"

/* ---- sizes and colours ------------------------------------------------------------------------------------------------- */

/* Agents are colourful; the background and scenery are not. */
static bool is_colourful(uint32_t pixel) {
    const int red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
    const int most = red > green ? (red > blue ? red : blue) : (green > blue ? green : blue);
    const int least = red < green ? (red < blue ? red : blue) : (green < blue ? green : blue);
    return most - least > 40;
}

static void destroy_picture(void *picture) {
    cairo_surface_destroy(picture);
}

static cairo_surface_t *picture_of(const char *arguments) {
    char all[320];
    snprintf(all, sizeof all, "run %s --quiet --picture a.png", arguments);
    expect_success(all);
    cairo_surface_t *picture = cairo_image_surface_create_from_png("a.png");
    end_after_test(picture, destroy_picture);
    assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
    return picture;
}

static uint32_t pixel_at(cairo_surface_t *picture, int x, int y) {
    uint32_t pixel;
    memcpy(&pixel, cairo_image_surface_get_data(picture) + y * cairo_image_surface_get_stride(picture) + x * 4, sizeof pixel);
    return pixel;
}

/* A picture of this size, with agents on it. */
static void check_picture(const char *arguments, int width, int height) {
    cairo_surface_t *picture = picture_of(arguments);
    assert_int_equal(cairo_image_surface_get_width(picture), width);
    assert_int_equal(cairo_image_surface_get_height(picture), height);
    int drawn = 0;
    for (int i = 0; i < width * height; i++) drawn += is_colourful(pixel_at(picture, i % width, i / width));
    if (drawn * 1000 < width * height) fail_msg("%s: agents take only %d pixels", arguments, drawn);
}

TEST(pictures_have_the_given_size) {
    /* The longer side is given, the other follows from the world's 646 by 246 and a border of a fiftieth. */
    check_picture("noc_5_09_flock --steps 50", 1600, 649);
    check_picture("noc_5_09_flock --steps 50 --picture-size 640", 640, 260);
    check_picture("noc_5_09_flock --steps 50 --picture-size 300x300", 300, 300);
    check_picture("default --steps 2 --picture-size 320x200", 320, 200); /* too many agents for darts */
    check_picture("starlings --agents 2000 --steps 1 --picture-size 200x300", 200, 300);
}

static bool is_gold(uint32_t pixel) {
    const int red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
    return red - blue > 60 && green > 140;
}

static bool is_violet(uint32_t pixel) {
    const int red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
    return blue - green > 40 && red < 160;
}

/* The mean horizontal place, 0 .. 1 from the left, of gold and of violet pixels above the legend; 0 if there are none. */
static void find_gold_and_violet(const char *arguments, double *gold, double *violet) {
    cairo_surface_t *picture = picture_of(arguments);
    const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
    int golden = 0, violets = 0;
    *gold = *violet = 0;
    for (int i = 0; i < width * (height * 73 / 100); i++) {
        const uint32_t pixel = pixel_at(picture, i % width, i / width);
        golden += is_gold(pixel);
        violets += is_violet(pixel);
        *gold += is_gold(pixel) ? (double)(i % width) / width : 0;
        *violet += is_violet(pixel) ? (double)(i % width) / width : 0;
    }
    if (golden) *gold /= golden;
    if (violets) *violet /= violets;
}

/* In this scenario slow agents lag behind, on the left: once as darts, once as a density. */
TEST(pictures_are_coloured_by_an_attribute) {
    static const char *const simulations[] = {"variety --colour max_speed --picture-size 720",
                                              "variety --agents 3000 --colour max_speed --picture-size 160"};
    for (int i = 0; i < 2; i++) {
        double gold, violet;
        find_gold_and_violet(simulations[i], &gold, &violet);
        if (gold < 0.2 || gold > 0.5 || violet < 0.7) fail_msg("%s: gold is at %g, violet at %g", simulations[i], gold, violet);
    }
}

/* One species has one agent and the attribute; the other has many agents and lacks it. */
TEST(agents_without_the_attribute_are_grey) {
    write_file("scenario.yaml", "species:\n  - {name: a, agents: 1, attributes: [{name: age, value: 1}]}\n  - {name: b, "
                                "agents: 500, look: {shape: triangle, outline: true}}\n");
    cairo_surface_t *picture = picture_of("scenario.yaml --steps 1 --picture-size 300 --colour age");
    int colourful = 0, drawn = 0;
    for (int i = 0; i < 300 * 250; i++) { /* the legend lies below */
        const uint32_t pixel = pixel_at(picture, i % 300, i / 300);
        colourful += is_colourful(pixel);
        drawn += (pixel & 0xff) < 180;
    }
    if (colourful < 5 || colourful > 100 || drawn < 3000) fail_msg("%d pixels are colourful, of %d", colourful, drawn);
}

TEST(pictures_of_odd_sizes) {
    static const char *const sizes[] = {"1x1", "1x4096", "50 --agents 0"};
    static const int width[] = {1, 1, 50}, height[] = {1, 4096, 20};
    for (int i = 0; i < 3; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "noc_5_09_flock --steps 1 --picture-size %s", sizes[i]);
        cairo_surface_t *picture = picture_of(arguments);
        assert_int_equal(cairo_image_surface_get_width(picture), width[i]);
        assert_int_equal(cairo_image_surface_get_height(picture), height[i]);
    }
}

static void expect_equal_pixels(cairo_surface_t *got, cairo_surface_t *want, const char *what) {
    const int width = cairo_image_surface_get_width(want), pixels = width * cairo_image_surface_get_height(want);
    for (int i = 0; i < pixels; i++)
        if (pixel_at(got, i % width, i / width) != pixel_at(want, i % width, i / width))
            fail_msg("%s: pixel %d differs", what, i);
}

/* Darts, a density, and both at once; in 2D and in space. */
TEST(threads_change_no_pixel) {
    static const char *const simulations[] = {
        "default --picture-size 900x500", "default --agents 200000 --picture-size 641x333",
        "default --agents 30000 --picture-size 600x401", "starlings --picture-size 500x301",
        "starlings --agents 20000 --picture-size 500"};
    for (size_t i = 0; i < sizeof simulations / sizeof *simulations; i++) {
        if (TEST_SLOW && i % 2 == 1) continue;
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s --steps 3 --threads 1", simulations[i]);
        cairo_surface_t *want = picture_of(arguments);
        for (int threads = 2; threads <= 7; threads += 5) {
            if (!TEST_NIGHTLY && (threads == 7) != (i % 2 == 1)) continue;
            snprintf(arguments, sizeof arguments, "%s --steps 3 --threads %d", simulations[i], threads);
            cairo_surface_t *got = picture_of(arguments);
            expect_equal_pixels(got, want, arguments);
        }
    }
}

/* ---- legends ----------------------------------------------------------------------------------------------------------- */

typedef enum tone { TONE_GREY, TONE_RED, TONE_GOLD, TONE_GREEN, TONE_BLUE, TONE_VIOLET, TONES } tone;

static tone tone_of(uint32_t pixel) {
    const int red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
    if (!is_colourful(pixel)) return TONE_GREY;
    if (red > green + 20 && blue > green + 20) return TONE_VIOLET;
    if (blue > green && blue > red) return TONE_BLUE;
    if (red > green + 20) return TONE_RED;
    return green > red + 10 ? TONE_GREEN : TONE_GOLD;
}

/* A picture of this scenario, 400 pixels wide; to be destroyed. */
static cairo_surface_t *picture_of_text(const char *text, const char *options) {
    char arguments[256];
    write_file("scenario.yaml", text);
    snprintf(arguments, sizeof arguments, "scenario.yaml --steps 0 --picture-size 400 %s", options);
    return picture_of(arguments);
}

#define LONER(centre)                                                                                                          \
    "world: {size: [100, 100]}\nspecies:\n  - {agents: 1, start: [{region: ball, centre: [" centre "], extent: [1]}]}\n"

#define CROWDED_CORNERS                                                                                                        \
    "world: {size: [100, 100]}\nspecies:\n  - agents: 400\n    start:\n"                                                       \
    "      - {region: ball, centre: [10, 10], extent: [9]}\n      - {region: ball, centre: [90, 10], extent: [9]}\n"           \
    "      - {region: ball, centre: [10, 90], extent: [9]}\n      - {region: ball, centre: [90, 90], extent: [9]}\n"

/* In a picture of 400 pixels the wheel is 32 pixels wide. Its middle is 33 pixels from the edges of its corner. */
static void expect_wheel(const char *text, int x, int y) {
    cairo_surface_t *picture = picture_of_text(text, "--colour heading");
    assert_int_equal(tone_of(pixel_at(picture, x + 12, y)), TONE_RED);
    assert_int_equal(tone_of(pixel_at(picture, x, y - 12)), TONE_GREEN);
    assert_int_equal(tone_of(pixel_at(picture, x - 12, y)), TONE_BLUE);
    assert_int_equal(tone_of(pixel_at(picture, x, y + 12)), TONE_VIOLET);
    assert_int_equal(tone_of(pixel_at(picture, x, y)), TONE_GREY);
}

TEST(a_colour_wheel_lies_where_no_agents_are) {
    expect_wheel(LONER("50, 50"), 367, 367);
    expect_wheel(LONER("90, 10"), 33, 367);
    expect_wheel(CROWDED_CORNERS, 284, 367); /* the next place to the left */
    cairo_surface_t *picture = picture_of_text(LONER("50, 50"), "--colour species");
    for (int x = 340; x < 400; x++) assert_int_equal(tone_of(pixel_at(picture, x, 367)), TONE_GREY);
}

static void count_tones(cairo_surface_t *picture, int left, int right, int top, int bottom, int count[TONES]) {
    memset(count, 0, TONES * sizeof *count);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) count[tone_of(pixel_at(picture, x, y))]++;
}

/* ---- the look --------------------------------------------------------------------------------------------------------- */

#define ONE(axis, y, vy)                                                                                                       \
    "world: {size: [100, 100], y_axis: " axis "}\nspecies:\n  - agents: 1\n    start: [{centre: [30, " y                       \
    "], extent: [0, 0], velocity: [0.5, " vy "]}]\n"

TEST(y_axis_down_shows_the_mirrored_world) {
    cairo_surface_t *up = picture_of_text(ONE("up", "20", "0.25"), "--colour heading");
    cairo_surface_t *down = picture_of_text(ONE("down", "80", "-0.25"), "--colour heading");
    expect_equal_pixels(down, up, "y_axis: down");
    int count[TONES], below[TONES];
    cairo_surface_t *turned = picture_of_text(ONE("down", "20", "0.25"), "--colour species");
    count_tones(turned, 0, 400, 20, 200, count);
    count_tones(turned, 0, 400, 200, 380, below);
    assert_true(count[TONE_GREEN] > 5 && below[TONE_GREEN] == 0);
}

/* Green pixels of one agent in a picture of 400 pixels, in which 4 are about a world unit. */
static int area_of(const char *look) {
    char text[512];
    int count[TONES];
    snprintf(text, sizeof text, "%s    attributes: [{name: size, value: 2}]\n    look: {colour: species, outline: false, %s}\n",
             ONE("up", "50", "0.25"), look);
    count_tones(picture_of_text(text, ""), 0, 400, 0, 400, count);
    return count[TONE_GREEN];
}

TEST(shapes_and_sizes_are_as_the_look_says) {
    const int circle = area_of("shape: circle, size: 20"), dot = area_of("shape: dot, size: 20");
    assert_in_range(circle, 4200, 4800); /* pi * (10 * 3.84)^2 = 4632 */
    assert_in_range(4 * dot, circle * 85 / 100, circle * 115 / 100);
    assert_in_range(area_of("shape: circle, size: 10, size_by: size"), circle - 20, circle + 20);
    static const char *const shapes[] = {"dart", "triangle", "butterfly", "fish", "tadpole"};
    int areas[5];
    for (int i = 0; i < 5; i++) {
        char look[64];
        snprintf(look, sizeof look, "shape: %s, size: 20", shapes[i]);
        areas[i] = area_of(look);
        assert_in_range(areas[i], 500, 4500);
        for (int before = 0; before < i; before++) assert_int_not_equal(areas[i], areas[before]);
    }
}

TEST(speeds_have_the_colours_of_values) {
    static const char text[] = "world: {size: [100, 100]}\nspecies:\n"
                               "  - {name: slow, agents: 20, start: [{velocity: [0.1, 0]}], look: {size: 6}}\n"
                               "  - {name: fast, agents: 20, start: [{velocity: [0.9, 0]}], look: {size: 6}}\n";
    int count[TONES];
    count_tones(picture_of_text(text, "--colour speed"), 0, 400, 0, 300, count); /* the legend lies below */
    if (count[TONE_GOLD] + count[TONE_RED] < 500 || count[TONE_VIOLET] < 500)    /* headings alone would all be red */
        fail_msg("%d gold or red, %d violet", count[TONE_GOLD] + count[TONE_RED], count[TONE_VIOLET]);
}

#define GOES(y, speed)        "{centre: [50, " y "], extent: [0, 0], velocity: [" speed ", 0]}"
#define ALONE(name, y, speed) "  - {name: " name ", agents: 1, look: {size: 12}, start: [" GOES(y, speed) "]}\n"

TEST(species_that_show_the_same_share_one_range) {
    static const char together[] = "world: {size: [100, 100]}\nspecies:\n  - agents: 3\n    look: {size: 12}\n"
                                   "    start: [" GOES("20", "0.1") ", " GOES("50", "0.3") ", " GOES("80", "0.9") "]\n";
    static const char apart[] = "world: {size: [100, 100]}\nspecies:\n" ALONE("slow", "20", "0.1") ALONE("faster", "50", "0.3")
        ALONE("fast", "80", "0.9");
    cairo_surface_t *want = picture_of_text(together, "--colour speed --no-legend");
    expect_equal_pixels(picture_of_text(apart, "--colour speed --no-legend"), want, "three species");
}

TEST(an_outline_is_a_dark_line) {
    for (int outline = 0; outline < 2; outline++) {
        char text[512];
        int dark = 0; /* pixels, of which a green disc has none */
        snprintf(text, sizeof text, "%s    look: {shape: circle, size: 20, outline: %s}\n", ONE("up", "50", "0.25"),
                 outline ? "true" : "false");
        cairo_surface_t *picture = picture_of_text(text, "--no-legend");
        for (int i = 0; i < 360 * 360; i++) dark += (pixel_at(picture, 20 + i % 360, 20 + i / 360) >> 8 & 0xff) < 80;
        if (outline != (dark > 200)) fail_msg("outline %d: %d dark pixels", outline, dark);
    }
}

/* Headings have all colours; three species have three, unless headings are asked for. */
TEST(three_species_have_colours_of_their_own) {
    static const char text[] = "world: {size: [100, 100]}\nspecies:\n  - {name: grass, agents: 90}\n"
                               "  - {name: hares, agents: 90}\n  - {name: foxes, agents: 90}\n";
    int count[TONES];
    cairo_surface_t *picture = picture_of_text(text, "");
    count_tones(picture, 0, 400, 0, 400, count);
    assert_true(count[TONE_GREEN] > 500 && count[TONE_BLUE] > 500 && count[TONE_RED] > 500);
    if (count[TONE_VIOLET] > 50 || count[TONE_GOLD] > 100)
        fail_msg("%d violet and %d golden pixels", count[TONE_VIOLET], count[TONE_GOLD]);
    picture = picture_of_text(text, "--colour heading");
    count_tones(picture, 0, 400, 0, 400, count);
    assert_true(count[TONE_VIOLET] > 500 && count[TONE_GOLD] > 200);
}

/* From the top: a green, a blue and a violet dart on the left of the plate, and dark names beside them. A species without
 * agents has no row. */
TEST(a_legend_names_the_species) {
    cairo_surface_t *picture =
        picture_of_text("world: {size: [100, 100]}\nspecies:\n"
                        "  - {name: grass, agents: 1, start: [{region: ball, centre: [50, 50], extent: [1]}]}\n"
                        "  - {name: hares, agents: 1, start: [{region: ball, centre: [50, 50], extent: [1]}]}\n"
                        "  - {name: owls, agents: 0}\n"
                        "  - {name: foxes, agents: 1, start: [{region: ball, centre: [50, 50], extent: [1]}]}\n",
                        "");
    static const tone tones[] = {TONE_GREEN, TONE_BLUE, TONE_VIOLET};
    for (int row = 0; row < 3; row++) {
        int count[TONES], dark = 0, top = 345 + 13 * row;
        count_tones(picture, 300, 400, top, top + 12, count);
        for (tone t = TONE_RED; t < TONES; t++) assert_true(t == tones[row] ? count[t] > 8 : count[t] == 0);
        for (int i = 0; i < 100 * 12; i++) dark += (pixel_at(picture, 300 + i % 100, top + i / 100) & 0xff) < 190;
        if (dark < 20) fail_msg("a name of %d dark pixels", dark);
    }
}

static int dark_pixels(cairo_surface_t *picture, int left, int right, int top, int bottom) {
    int dark = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) dark += (pixel_at(picture, x, y) & 0xff) < 190;
    return dark;
}

/* In a picture of 400 pixels the ramp is 64 pixels wide, with a name above and a number at each end below. */
TEST(a_ramp_explains_the_colours_of_an_attribute) {
    cairo_surface_t *picture =
        picture_of_text("world: {size: [100, 100]}\nspecies:\n  - name: hares\n    agents: 2\n    attributes: [{name: energy, "
                        "in_turn: [2, 3]}]\n    start: [{region: ball, centre: [50, 50], extent: [1]}]\n",
                        "--colour energy");
    const uint32_t middle = pixel_at(picture, 351, 366);
    assert_true(is_gold(pixel_at(picture, 322, 366)) && is_violet(pixel_at(picture, 380, 366)));
    assert_true((middle >> 16 & 0xff) > 200 && (middle >> 8 & 0xff) < 120); /* red */
    assert_true(dark_pixels(picture, 319, 350, 350, 362) > 10);             /* energy */
    assert_true(dark_pixels(picture, 319, 326, 371, 384) > 2);              /* 2 */
    assert_int_equal(dark_pixels(picture, 330, 370, 371, 384), 0);
    assert_true(dark_pixels(picture, 376, 384, 371, 384) > 2); /* 3 */
}

#define RESTING_WITH(energy)                                                                                                   \
    "world: {size: [100, 100]}\nspecies:\n  - agents: 1\n    max_speed: 0\n    attributes: [{name: energy, value: " energy     \
    "}]\n    start: [{region: ball, centre: [50, 50], extent: [0]}]\n"

typedef enum energy_shade { SHADE_GOLD, SHADE_RED, SHADE_VIOLET } energy_shade;

static uint32_t pixel_of_energy(const char *energy, const char *options) {
    char text[256], all[128];
    snprintf(text, sizeof text, RESTING_WITH("%s"), energy);
    snprintf(all, sizeof all, "--colour energy %s", options);
    cairo_surface_t *picture = picture_of_text(text, all);
    const uint32_t pixel = pixel_at(picture, 200, 200);
    return pixel;
}

static energy_shade shade_of_energy(const char *energy, const char *options) {
    const uint32_t pixel = pixel_of_energy(energy, options);
    assert_true(is_colourful(pixel));
    return is_gold(pixel) ? SHADE_GOLD : is_violet(pixel) ? SHADE_VIOLET : SHADE_RED;
}

/* Values beyond a range that is asked for look like its ends. */
TEST(a_range_of_colours_can_be_chosen) {
    assert_int_equal(shade_of_energy("4", ""), SHADE_RED);
    assert_int_equal(shade_of_energy("4", "--colour-range 0,8"), SHADE_RED);
    assert_int_equal(shade_of_energy("4", "--colour-range 4,8"), SHADE_GOLD);
    assert_int_equal(shade_of_energy("4", "--colour-range 5,6.5e1"), SHADE_GOLD);
    assert_int_equal(shade_of_energy("4", "--colour-range=-4,4"), SHADE_VIOLET);
    assert_int_equal(shade_of_energy("4", "--colour-range -4,-.5"), SHADE_VIOLET);
    assert_int_equal(shade_of_energy("-4", "--colour-range -4,4"), SHADE_GOLD);
    assert_int_equal(pixel_of_energy("4", "--colour-range 5,6.5e1"), pixel_of_energy("4", "--colour-range 4,8"));
    assert_int_equal(pixel_of_energy("4", "--colour-range -4,-.5"), pixel_of_energy("4", "--colour-range -4,4"));
}

/* The ends of a range that is asked for; else below the middle of the ramp the number that all agents have. */
TEST(a_ramp_has_numbers_when_all_agents_are_equal) {
    for (int is_chosen = 0; is_chosen < 2; is_chosen++) {
        cairo_surface_t *picture =
            picture_of_text(RESTING_WITH("4"), is_chosen ? "--colour energy --colour-range 1,8" : "--colour energy");
        assert_true(is_gold(pixel_at(picture, 322, 366)) && is_violet(pixel_at(picture, 380, 366)));
        assert_true((dark_pixels(picture, 319, 326, 371, 384) > 2) == is_chosen);
        assert_true((dark_pixels(picture, 376, 384, 371, 384) > 2) == is_chosen);
        assert_true((dark_pixels(picture, 345, 357, 371, 384) > 2) == !is_chosen);
    }
}

/* ---- groups ------------------------------------------------------------------------------------------------------------ */

#define RESTING_AT(place, group)                                                                                               \
    "agents: 1, max_speed: 0, groups: 40, attributes: [{role: group, value: " group                                            \
    "}], start: [{region: ball, centre: [" place "], extent: [0]}]}\n"
#define RESTING_IN_THE_MIDDLE(group) "world: {size: [100, 100]}\nspecies:\n  - {name: hares, " RESTING_AT("50, 50", group)

static uint32_t middle_of(const char *text) {
    cairo_surface_t *picture = picture_of_text(text, "--colour group");
    const uint32_t pixel = pixel_at(picture, 200, 200);
    return pixel;
}

TEST(groups_keep_their_colours_whatever_others_there_are) {
    const uint32_t alone = middle_of(RESTING_IN_THE_MIDDLE("3"));
    const uint32_t beside = middle_of(RESTING_IN_THE_MIDDLE("3") "  - {name: foxes, " RESTING_AT("20, 20", "39"));
    assert_true(is_colourful(alone));
    assert_int_equal(beside, alone);
    assert_int_not_equal(tone_of(middle_of(RESTING_IN_THE_MIDDLE("4"))), tone_of(alone));
}

/* Bodies are drawn above the agent, and lack the attribute by that name. */
TEST(bodies_have_the_colour_of_their_group) {
    write_file("scenario.yaml", RESTING_IN_THE_MIDDLE("3") "  - {name: warrens, body_of: hares, agents: 0, max_speed: 0, "
                                                           "attributes: [{role: body, value: 0}]}\n");
    cairo_surface_t *picture = picture_of("scenario.yaml --steps 1 --picture-size 400 --colour group");
    assert_int_equal(tone_of(pixel_at(picture, 200, 200)), tone_of(middle_of(RESTING_IN_THE_MIDDLE("3"))));
}

/* ---- sizes of agents --------------------------------------------------------------------------------------------------- */

static int count_tone(cairo_surface_t *picture, tone which, int left, int right, int top, int bottom) {
    int count[TONES];
    count_tones(picture, left, right, top, bottom, count);
    return count[which];
}

#define CROWD                                                                                                                  \
    "world: {size: [100, 100]}\nspecies:\n"                                                                                    \
    "  - {name: hares, agents: 400, max_speed: 0, start: [{region: ball, centre: [50, 50], extent: [0]}]}\n"

/* The first species is at one point, the second at four. Alone, the first is smaller, for its agents are closer together. */
TEST(species_of_as_many_agents_are_as_large) {
    cairo_surface_t *picture = picture_of_text(
        CROWD "  - agents: 400\n    max_speed: 0\n    start:\n"
              "      - {region: ball, centre: [20, 20], extent: [0]}\n      - {region: ball, centre: [80, 20], extent: [0]}\n"
              "      - {region: ball, centre: [20, 80], extent: [0]}\n      - {region: ball, centre: [80, 80], extent: [0]}\n",
        "--picture-size 2000 --colour species");
    const int flocks = count_tone(picture, TONE_GREEN, 900, 1100, 900, 1100);
    const int scattered = count_tone(picture, TONE_BLUE, 300, 500, 300, 500);
    if (flocks < 30 || abs(flocks - scattered) > flocks / 4) fail_msg("dots of %d and %d pixels", flocks, scattered);
    picture = picture_of_text(CROWD, "--picture-size 2000 --colour species");
    const int alone = count_tone(picture, TONE_GREEN, 900, 1100, 900, 1100);
    if (alone < 10 || alone > 3 * flocks / 4) fail_msg("a dot of %d pixels, and of %d beside others", alone, flocks);
}

/* A warren covers its hare, and is not lost in it. */
TEST(bodies_are_larger_than_what_they_consist_of) {
    cairo_surface_t *picture = picture_of_text(RESTING_IN_THE_MIDDLE("3"), "--colour species --picture-size 800");
    const int agent = count_tone(picture, TONE_GREEN, 300, 500, 300, 500);
    picture = picture_of_text(RESTING_IN_THE_MIDDLE("3") "  - {name: warrens, body_of: hares, agents: 0, max_speed: 0, "
                                                         "attributes: [{role: body, value: 0}]}\n",
                              "--colour species --picture-size 800 --steps 1");
    const int body = count_tone(picture, TONE_BLUE, 300, 500, 300, 500);
    assert_int_equal(count_tone(picture, TONE_GREEN, 300, 500, 300, 500), 0);
    if (agent < 20 || body < 2 * agent) fail_msg("a body of %d pixels, an agent of %d", body, agent);
}

/* ---- scenery ----------------------------------------------------------------------------------------------------------- */

/* Pixels of a picture of a cube with one agent that are neither background nor colourful. */
static int ink_in_space(const char *scenery) {
    char text[512];
    int ink = 0;
    snprintf(text, sizeof text, "world: {dimensions: 3, size: [100, 100, 100]}\nspecies: [{agents: 1}]\n%s", scenery);
    cairo_surface_t *picture = picture_of_text(text, "");
    const int width = cairo_image_surface_get_width(picture), pixels = width * cairo_image_surface_get_height(picture);
    for (int i = 0; i < pixels; i++) {
        const uint32_t pixel = pixel_at(picture, i % width, i / width);
        ink += !is_colourful(pixel) && (pixel & 0xff) < 225;
    }
    return ink;
}

TEST(scenery_is_drawn_in_space) {
    const int nothing = ink_in_space("");
    static const struct {
        const char *text;
        int ink; /* at least this many */
    } scenery[] = {{"obstacles: [{ball: [50, 50, 50], radius: 25}]", 10000},
                   {"obstacles: [{box: [40, 40, 10, 60, 60, 90]}]", 8000},
                   {"obstacles: [{capsule: [20, 50, 50, 80, 50, 50], radius: 8}]", 5000},
                   {"fields: [{name: f, cells: [5, 5, 5], swirl: {}}]\nbehaviours: [{wind: {field: f}}]", 1500},
                   {"behaviours: [{contain: {margin: 10}}]", 1500},
                   {"behaviours: [{contain: {margins: [10, -1, -1]}}]", 800},
                   {"behaviours: [{seek: {target: [50, 50, 50]}}]", 30},
                   {"behaviours: [{seek: {target: [50, 50, 50], radius: 30}}]", 400},
                   {"behaviours: [{arrive: {target: [50, 50, 50], radius: 30, slowing_radius: 15}}]", 600}};
    for (size_t i = 0; i < sizeof scenery / sizeof *scenery; i++) {
        const int ink = ink_in_space(scenery[i].text) - nothing;
        if (ink < scenery[i].ink) fail_msg("%s: only %d pixels", scenery[i].text, ink);
    }
}

/* A schedule may have turned it off: then it attracts and turns no agent. */
TEST(behaviours_of_weight_0_are_not_drawn) {
    static const char *const scenery[] = {
        "behaviours: [{contain: {margin: 10, weight: 0}}]",
        "behaviours: [{arrive: {target: [50, 50, 50], radius: 30, weight: 0}}]",
        "paths: [{points: [10, 10, 10, 90, 90, 90]}]\nbehaviours: [{follow_path: {weight: 0}}]"};
    const int nothing = ink_in_space("");
    for (size_t i = 0; i < sizeof scenery / sizeof *scenery; i++) assert_int_equal(ink_in_space(scenery[i]), nothing);
    assert_int_equal(ink_in_space("behaviours: [{arrive: {target: [50, 50, 50], radius: 30}}]\nschedules: "
                                  "[{parameter: 'behaviours[0].arrive.weight', linear: {from: 0, to: 1, begin: 1, end: 2}}]"),
                     nothing);
}

/* A wind of a tenth of the strength has arrows of a tenth of the length. */
TEST(fields_share_one_scale) {
    cairo_surface_t *picture =
        picture_of_text("world: {size: [100, 100]}\n"
                        "species:\n  - {agents: 1, start: [{region: ball, centre: [10, 90], extent: [1]}]}\n"
                        "fields:\n  - {name: east, cells: [1, 1], constant: {vector: [1, 0]}}\n"
                        "  - {name: north, cells: [1, 1], constant: {vector: [0, 1]}}\n"
                        "behaviours: [{wind: {field: east, weight: 1}}, {wind: {field: north, weight: 0.1}}]\n",
                        "");
    int across = 0, up = 0;
    for (int i = 20; i < 380; i++) {
        across += (pixel_at(picture, i, 199) & 0xff) < 235 || (pixel_at(picture, i, 200) & 0xff) < 235;
        up += (pixel_at(picture, 199, i) & 0xff) < 235 || (pixel_at(picture, 200, i) & 0xff) < 235;
    }
    if (across < 280 || across > 330 || up < 20 || up > 40) fail_msg("arrows of %d and %d pixels", across, up);
}

/* ---- traces ------------------------------------------------------------------------------------------------------------ */

/* Pixels that are darker than paper and as grey as ink. */
static int count_grey(cairo_surface_t *picture) {
    const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
    int grey = 0;
    for (int i = 0; i < width * height; i++) {
        const uint32_t pixel = pixel_at(picture, i % width, i / width);
        grey += !is_colourful(pixel) && (pixel >> 8 & 0xff) < 190;
    }
    return grey;
}

/* Agents move away from the middle. */
static int grey_of(const char *world, const char *trace) {
    char text[640];
    snprintf(text, sizeof text,
             "world: %s\nspecies:\n  - {min_speed: 1, agents: 40, start: [{region: ball, extent: [8]}]}\n"
             "fields:\n  - trace: {%s}\nbehaviours:\n  - wind: {weight: 0}\n",
             world, trace);
    write_file("scenario.yaml", text);
    cairo_surface_t *picture = picture_of("scenario.yaml --steps 30 --picture-size 300x300");
    const int grey = count_grey(picture);
    return grey;
}

/* Behind the agents lies what they have left: nothing, if they leave nothing. */
TEST(traces_lie_below_the_agents) {
    static const char *const worlds[] = {"{size: [100, 100]}", "{dimensions: 3, size: [100, 100, 100]}"};
    for (int i = 0; i < 2; i++) {
        const int with = grey_of(worlds[i], ""), without = grey_of(worlds[i], "deposit: 0");
        if (with < without + 1500) fail_msg("%d grey pixels with a trace, %d without", with, without);
    }
}

static int forget_fonts(void **unused) {
    (void)unused;
    cairo_debug_reset_static_data();
    return 0;
}

TEST_FIXTURE(.before_all = empty_own_folder, .after_all = empty_own_folder, .after_each = forget_fonts)
