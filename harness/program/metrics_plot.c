/* SPDX-License-Identifier: MIT */
#include "harness/program/metrics_plot.h"
#include "harness/report/gnuplot.h"
#include "harness/report/metrics.h"

#include <math.h>
#include <string.h>

/* Pixels, as GitHub shows pages; a PNG has twice as many. */
enum {
    WIDTH = 830,
    HEAD = 76,
    PANEL = 192, /* the height of one, with its name and tics */
    NAME = 32,
    TICS = 30,
    FOOT = 26, /* what the axis is called */
    LEFT = 62,
    RIGHT = 26,
    LETTER = 8 /* about, in the key */
};

enum {
    POINTS = 1200,       /* of a curve: more than a panel has pixels */
    FEWEST_POINTS = 100, /* where there are many curves */
    FEW = 40,            /* each of which is marked */
    COLOURED = 10        /* groups, each of which has a colour of its own; of more, each species has one */
};

/* A column of one species. */
typedef struct curve {
    const metrics_plot *of;
    const metrics_series *series;
    int column;
} curve;

typedef struct extent {
    double min, max; /* INFINITY and -INFINITY: there is no number */
} extent;

static double value_at(const curve *c, size_t row) {
    return metrics_file_at(c->of->file, c->series, row, c->column);
}

static extent extent_of(const curve *c, size_t begin, size_t end) {
    extent e = {(double)INFINITY, -(double)INFINITY};
    for (size_t row = begin; row < end; row++) {
        const double value = value_at(c, row);
        if (isnan(value)) continue;
        e.min = fmin(e.min, value);
        e.max = fmax(e.max, value);
    }
    return e;
}

static curve curve_of(const metrics_plot *of, int series, int column) {
    return (curve){of, &of->file->series[series], column};
}

static extent extent_of_all(const metrics_plot *of, int series, int column) {
    const curve c = curve_of(of, series, column);
    return extent_of(&c, 0, c.series->rows);
}

static bool has_numbers(const metrics_plot *of, int series, int column) {
    const extent e = extent_of_all(of, series, column);
    return e.min <= e.max;
}

/* ---- what is drawn ---------------------------------------------------------------------------------------------------- */

bool metrics_plot_has(const metrics_plot *of, int column) {
    bool found = false;
    for (int s = 0; s < of->file->series_count; s++) found = found || has_numbers(of, s, column);
    return found;
}

static int choose(metrics_plot *of, bool also_constant) {
    int chosen = 0;
    for (int column = 1; column < of->file->columns; column++) {
        if (strcmp(of->file->names[column], "leader") == 0) continue; /* an id is no quantity */
        for (int s = 0; s < of->file->series_count && !of->is_wanted[column]; s++) {
            const extent e = extent_of_all(of, s, column);
            of->is_wanted[column] = also_constant ? e.min <= e.max : e.min < e.max;
        }
        chosen += of->is_wanted[column];
    }
    return chosen;
}

bool metrics_plot_choose(metrics_plot *of) {
    return choose(of, false) > 0 || choose(of, true) > 0;
}

static int count_panels(const metrics_plot *of) {
    int count = 0;
    for (int column = 0; column < of->file->columns; column++) count += of->is_wanted[column];
    return count;
}

/* ---- units and axes --------------------------------------------------------------------------------------------------- */

/* x, y or z */
static bool is_place(const char *column) {
    return column[0] >= 'x' && column[0] <= 'z' && column[1] == '\0';
}

/* Of metrics, or of --groups. */
static const char *unit_of(const char *column) {
    const metrics_column *metric = metrics_find(column);
    if (metric) return metric->unit;
    if (is_place(column) || strcmp(column, "spread") == 0) return "world units";
    return column[0] == 'v' && is_place(column + 1) ? "world units/time" : NULL;
}

/* What lies within 0 .. 1 is shown in the whole of it. */
static bool is_share(const char *column) {
    return strcmp(column, "polarization") == 0 || strcmp(column, "rotation") == 0 || strcmp(column, "kin_polarization") == 0;
}

/* Curves of very different size, none of which reaches 0, would be flat on one axis. */
static bool needs_logarithm(const metrics_plot *of, int column) {
    if (is_place(of->file->names[column])) return false;
    double least = (double)INFINITY, most = 0.0, lowest = (double)INFINITY;
    for (int s = 0; s < of->file->series_count; s++) {
        const extent e = extent_of_all(of, s, column);
        if (e.min > e.max) continue;
        least = fmin(least, e.max);
        most = fmax(most, e.max);
        lowest = fmin(lowest, e.min);
    }
    return lowest > 0.0 && most > 15.0 * least;
}

static extent extent_of_panel(const metrics_plot *of, int column) {
    extent all = {(double)INFINITY, -(double)INFINITY};
    for (int s = 0; s < of->file->series_count; s++) {
        const extent e = extent_of_all(of, s, column);
        all = (extent){fmin(all.min, e.min), fmax(all.max, e.max)};
    }
    return all;
}

/* 1, 2 or 5 times a power of ten, of which there are up to `most` in the range. */
static double nice_step(double range, int most) {
    const double rough = range / most, power = pow(10.0, floor(log10(rough)));
    const double digit = rough / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

/* From 0 where that costs little of the height. */
static void write_y_axis(FILE *script, const metrics_plot *of, int column) {
    const extent e = extent_of_panel(of, column);
    fputs("unset logscale y\nset ytics autofreq\n", script);
    if (is_share(of->file->names[column])) {
        fputs("set yrange [0:1]\nset ytics 0.25\n", script);
    } else if (needs_logarithm(of, column)) {
        fprintf(script, "set yrange [%.9g:%.9g]\n", e.min / 1.3, e.max * 1.3);
        plot_log_axis(script, 'y', e.min / 1.3, e.max * 1.3, 300.0);
    } else if (e.min <= e.max) {
        const double span = e.max > e.min ? e.max - e.min : fmax(fabs(e.max), 1.0);
        const double low = e.min >= 0.0 && e.min < 0.6 * e.max ? 0.0 : e.min - 0.08 * span, high = e.max + 0.08 * span;
        fprintf(script, "set yrange [%.9g:%.9g]\nset ytics %.9g\n", low, high, nice_step(high - low, 5));
    }
}

static extent steps_of(const metrics_plot *of) {
    return extent_of_panel(of, 0);
}

/* Millions, where the tics would be too long. */
static double step_unit(const metrics_plot *of) {
    return steps_of(of).max >= 1e6 ? 1e6 : 1.0;
}

static void write_x_axis(FILE *script, const metrics_plot *of) {
    const double unit = step_unit(of), low = steps_of(of).min / unit, high = steps_of(of).max / unit;
    const double room = high > low ? 0.0 : 0.5, step = nice_step(high > low ? high - low : 1.0, 6);
    fprintf(script, "set xrange [%.9g:%.9g]\nset xtics %.9g\n", low - room, high + room, unit > 1.0 ? step : fmax(step, 1.0));
}

/* ---- colours ---------------------------------------------------------------------------------------------------------- */

static bool is_coloured_by_species(const metrics_plot *of) {
    return of->file->group_at >= 0 && of->file->series_count > COLOURED;
}

static int colour_number(const metrics_plot *of, int series) {
    return is_coloured_by_species(of) ? of->file->series[series].species_number : series;
}

static const char *colour_of(const metrics_plot *of, int series) {
    return plot_colours[colour_number(of, series) % PLOT_COLOURS];
}

/* ---- the script ------------------------------------------------------------------------------------------------------- */

/* All curves together have as many points as sixteen long ones, or few each. */
static size_t points_of(const metrics_plot *of) {
    const size_t share = (size_t)(16 * POINTS / of->file->series_count);
    return share > POINTS ? POINTS : share < FEWEST_POINTS ? FEWEST_POINTS : share;
}

static void write_point(FILE *script, const curve *c, size_t row, double value) {
    fprintf(script, "%.9g ", metrics_file_at(c->of->file, c->series, row, 0) / step_unit(c->of));
    fprintf(script, isnan(value) ? "nan\n" : "%.7g\n", value);
}

/* Of more rows than can be seen, the least and the greatest of each stretch. */
static void write_data(FILE *script, const metrics_plot *of, int series, int column) {
    const curve c = curve_of(of, series, column);
    const size_t rows = c.series->rows, points = points_of(of), stretches = rows > points ? points / 2 : rows;
    fprintf(script, "$column%d_%d << EOD\n", column, series);
    for (size_t i = 0; i < stretches; i++) {
        const size_t begin = rows * i / stretches, end = rows * (i + 1) / stretches;
        const extent e = extent_of(&c, begin, end);
        write_point(script, &c, begin, e.min <= e.max ? e.min : (double)NAN);
        if (end > begin + 1 && e.min <= e.max) write_point(script, &c, (begin + end) / 2, e.max);
    }
    fputs("EOD\n", script);
}

static void write_name(FILE *script, const char *column) {
    char text[160];
    const char *unit = unit_of(column);
    snprintf(text, sizeof text, "%.80s%s%s%s", column, unit ? " (" : "", unit ? unit : "", unit ? ")" : "");
    for (char *at = text; *at != '\0'; at++) *at = *at == '_' ? ' ' : *at;
    fputs("set label 3 ", script);
    plot_quote(script, text);
    fprintf(script, " at graph 0, graph 1 offset 0, character 0.9 font ',12'\n");
}

static void write_curves(FILE *script, const metrics_plot *of, int column) {
    const bool is_thin = is_coloured_by_species(of);
    fputs("plot ", script);
    for (int i = 0; i < of->file->series_count; i++) {
        if (!has_numbers(of, i, column)) continue;
        const bool is_marked = of->file->series[i].rows < FEW && !is_thin;
        fprintf(script, "$column%d_%d with %s linewidth %s dashtype %d linecolor rgb '%s' notitle, ", column, i,
                is_marked ? "linespoints pointtype 7 pointsize 0.3" : "lines", is_thin ? "0.6" : "1.4",
                1 + colour_number(of, i) / PLOT_COLOURS, colour_of(of, i));
    }
    fputs("NaN notitle\n", script);
}

static void write_panel(FILE *script, const metrics_plot *of, int column, int position, int height) {
    const int columns = count_panels(of) > 1 ? 2 : 1, width = WIDTH / columns;
    const int left = position % columns * width + LEFT, right = (position % columns + 1) * width - RIGHT;
    const int top = HEAD + position / columns * PANEL + NAME, bottom = HEAD + (position / columns + 1) * PANEL - TICS;
    const bool is_lowest = position + columns >= count_panels(of);
    for (int s = 0; s < of->file->series_count; s++) write_data(script, of, s, column);
    fprintf(script, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", (double)left / WIDTH, (double)right / WIDTH);
    fprintf(script, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n", 1.0 - (double)top / height,
            1.0 - (double)bottom / height);
    write_y_axis(script, of, column);
    write_name(script, of->file->names[column]);
    fputs(is_lowest ? step_unit(of) > 1.0 ? "set xlabel 'step (millions)' offset 0, 0.4\n" : "set xlabel 'step' offset 0, 0.4\n"
                    : "unset xlabel\n",
          script);
    write_curves(script, of, column);
    fputs("unset label\n\n", script);
}

/* "starlings"; of groups "starlings 3", or "starlings, 60 groups" */
static void name_colour(const metrics_plot *of, int series, char *name, size_t size) {
    const metrics_series *named = &of->file->series[series];
    int groups = 0;
    for (int s = 0; s < of->file->series_count; s++) groups += colour_number(of, s) == colour_number(of, series);
    if (of->file->group_at < 0)
        snprintf(name, size, "%.70s", named->species);
    else if (is_coloured_by_species(of))
        snprintf(name, size, "%.70s, %d group%s", named->species, groups, groups > 1 ? "s" : "");
    else
        snprintf(name, size, "%.70s %.20s", named->species, named->group);
}

/* Under the title, a mark and the name of each colour in it, as many as there is room for. */
static void write_key(FILE *script, const metrics_plot *of, int height) {
    int x = 20, shown = 0;
    for (int s = 0; s < of->file->series_count; s++) {
        char name[120], text[140];
        if (colour_number(of, s) != shown) continue;
        name_colour(of, s, name, sizeof name);
        if (*name == '\0') break;
        const int width = LETTER * ((int)strlen(name) + 5);
        const bool fits = x + width <= WIDTH - RIGHT || x == 20;
        snprintf(text, sizeof text, "%s%s", fits ? "● " : "…", fits ? name : "");
        fprintf(script, "set label %d ", 10 + shown++);
        plot_quote(script, text);
        fprintf(script, " at screen %.5f, %.5f font ',13' textcolor rgb '%s'\n", (double)x / WIDTH, 1.0 - 56.0 / height,
                colour_of(of, s));
        if (!fits) break;
        x += width;
    }
}

static void write_head(FILE *script, const metrics_plot *of, int height) {
    const extent steps = steps_of(of);
    const char *const terminal = of->is_png ? "pngcairo" : "svg", *const look =
                                                                      of->is_png ? "fontscale 2 linewidth 2" : "dynamic";
    const int scale = of->is_png ? 2 : 1;
    fprintf(script,
            "# Drawn by dunlin. To draw it again: gnuplot FILE.gp >FILE.%s\n\nset encoding utf8\n"
            "set terminal %s noenhanced size %d,%d background '#ffffff' font 'sans-serif,12' %s\n"
            "set label 1 ",
            of->is_png ? "png" : "svg", terminal, WIDTH * scale, height * scale, look);
    plot_quote(script, of->title);
    fprintf(script, " at screen %.5f, %.5f font ',18'\n", 20.0 / WIDTH, 1.0 - 28.0 / height);
    fprintf(script, "set label 2 'steps %.0f to %.0f' right at screen %.5f, %.5f font ',13' textcolor rgb '#555555'\n",
            steps.min, steps.max, 1.0 - (double)RIGHT / WIDTH, 1.0 - 28.0 / height);
    write_key(script, of, height);
    fputs("set border 3 linecolor rgb '#444444'\nset tics nomirror\nset format '%.8g'\n"
          "set grid ytics linetype 1 linecolor rgb '#dddddd'\n",
          script);
    write_x_axis(script, of);
    fputs("set multiplot\n\n", script);
}

void metrics_plot_write(const metrics_plot *of, FILE *script) {
    const int panels = count_panels(of), rows = panels > 1 ? (panels + 1) / 2 : 1, height = HEAD + rows * PANEL + FOOT;
    int position = 0;
    write_head(script, of, height);
    for (int column = 0; column < of->file->columns; column++) {
        if (of->is_wanted[column]) write_panel(script, of, column, position++, height);
    }
    fputs("unset multiplot\n", script);
}
