/* SPDX-License-Identifier: MIT */
#include "harness/report/gnuplot.h"
#include "engine/base/place.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- scripts ---------------------------------------------------------------------------------------------------------- */

/* Gnuplot's single quotes take every character as it is; a quote is doubled. */
void plot_quote(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'') fputc('\'', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputc('\'', file);
}

void plot_log_axis(FILE *file, char axis, double low, double high, double most) {
    static const double steps[] = {1.0, 2.0, 5.0};
    const char *between = "";
    fprintf(file, "set logscale %c\n", axis);
    if (high / low > most) return;
    fprintf(file, "set %ctics (", axis);
    for (double power = pow(10.0, floor(log10(low))); power <= high; power *= 10.0)
        for (int i = 0; i < 3; i++) {
            if (power * steps[i] < low || power * steps[i] > high) continue;
            fprintf(file, "%s%.9g", between, power * steps[i]);
            between = ", ";
        }
    fputs(")\n", file);
}

/* Names of processors may be long, and gnuplot cuts off what does not fit. */
static double subtitle_font(const char *subtitle) {
    const double font = 13.0, fits = 84.0, letters = (double)strlen(subtitle);
    return letters > fits ? font * fits / letters : font;
}

/* Dark on white on every page: the background is part of the picture. */
static void write_head(FILE *file, const char *name, const char *title, const char *subtitle) {
    fprintf(file, "# Drawn by dunlin. To draw it again: gnuplot %s.gp\n\nreset\nset encoding utf8\n", name);
    fputs("set label 1 ", file);
    plot_quote(file, title);
    fputs(" at screen 0.02, 0.95 font ',19'\nset label 2 ", file);
    plot_quote(file, subtitle);
    fprintf(file, " at screen 0.02, 0.895 font ',%.3g' textcolor rgb '#555555'\n", subtitle_font(subtitle));
    fputs("set tmargin at screen 0.84\n"
          "set rmargin 3\n"
          "set border 3 linecolor rgb '#444444'\n"
          "set tics nomirror\n"
          "set format '%g'\n"
          "set grid ytics linetype 1 linecolor rgb '#dddddd'\n"
          "set key top left Left reverse samplen 2 spacing 1.2\n"
          "set datafile missing 'nan'\n\n",
          file);
}

const char *const plot_colours[PLOT_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"};

static dunlin_result out_of_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a plot");
}

static void clean_up(plot *p) {
    if (p->curves) fclose(p->curves);
    output_file_drop(&p->output);
    free(p->curve_text);
    free(p->path);
    *p = (plot){0};
}

dunlin_result plot_open(plot *p, const char *folder, const char *name, const char *title, const char *subtitle,
                        dunlin_error *error) {
    *p = (plot){.path = output_folder_path(folder, "%s/%s.gp", PLOTS_NAME, name)};
    snprintf(p->name, sizeof p->name, "%s", name);
    p->curves = open_memstream(&p->curve_text, &p->curve_length);
    dunlin_result result = p->path && p->curves ? output_file_open(&p->output, p->path, error) : out_of_memory(error);
    p->file = p->output.stream;
    if (result == DUNLIN_OK)
        write_head(p->file, name, title, subtitle);
    else
        clean_up(p);
    return result;
}

void plot_curve(plot *p, const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (p->curve_count++ > 0) fputs(", \\\n    ", p->curves);
    vfprintf(p->curves, format, values);
    va_end(values);
}

/* GitHub shows 830 pixels; the PNG has twice as many for screens that show them. */
dunlin_result plot_close(plot *p, dunlin_error *error) {
    bool is_whole = fclose(p->curves) == 0;
    p->curves = NULL;
    fprintf(p->file,
            "\nset terminal svg noenhanced size 830,520 dynamic background '#ffffff' font 'sans-serif,15' fontscale 1.15\n"
            "set output '%s.svg'\n"
            "plot %s\n"
            "set terminal pngcairo noenhanced size 1660,1040 background '#ffffff' font 'sans-serif,15' fontscale 2 \\\n"
            "    linewidth 2 pointscale 2\n"
            "set output '%s.png'\n"
            "replot\n"
            "set output\n",
            p->name, is_whole ? p->curve_text : "0", p->name);
    dunlin_result result = is_whole ? output_file_finish(&p->output, error) : out_of_memory(error);
    clean_up(p);
    return result;
}

/* ---- running ---------------------------------------------------------------------------------------------------------- */

enum { EXIT_NOT_FOUND = 127 }; /* as shells say it */

/*
 * Runs gnuplot in a folder, on a script of that path there. Returns its exit status, or -1. Signals that this program ignores
 * must end it, as they end any program.
 */
static int run(const char *folder, const char *script, int input, int output) {
    int status = -1;
    const dun_place place = dun_place_leave();
    const pid_t child = folder && script ? fork() : -1;
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        if (chdir(folder) != 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0) _exit(EXIT_FAILURE);
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(EXIT_NOT_FOUND);
    }
    dun_place_return(&place);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* On plots/NAME.gp, in its folder; it prints nothing. */
static int run_in(const char *folder, const char *name) {
    char *plots = output_folder_path(folder, PLOTS_NAME), *script = output_folder_path(".", "%s.gp", name);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), status = run(plots, script, nothing, nothing);
    if (nothing >= 0) close(nothing);
    free(plots);
    free(script);
    return status;
}

/* Whether the picture ends as such files do; half of one is removed. On a full disk gnuplot leaves that and reports no failure.
 */
static bool is_whole(const char *folder, const char *name, const char *suffix, const char *end) {
    char last[16], *path = output_folder_path(folder, "%s/%s.%s", PLOTS_NAME, name, suffix);
    FILE *file = path ? fopen(path, "rb") : NULL;
    bool found = file && fseek(file, -(long)sizeof last, SEEK_END) == 0 && fread(last, 1, sizeof last, file) == sizeof last &&
                 memmem(last, sizeof last, end, strlen(end));
    if (file) fclose(file);
    if (path && !found) unlink(path);
    free(path);
    return found;
}

bool plot_draw(const char *folder, const char *name) {
    static bool is_missing; /* which is said once */
    if (is_missing) return false;
    const int status = run_in(folder, name);
    is_missing = status == EXIT_NOT_FOUND;
    if (is_missing) {
        message_print("no plots, because gnuplot is not installed; on Debian: apt-get install gnuplot-nox, then: cd %s/%s && "
                      "gnuplot *.gp",
                      folder, PLOTS_NAME);
        return false;
    }
    const bool has_svg = is_whole(folder, name, "svg", "</svg>"), has_png = is_whole(folder, name, "png", "IEND");
    if (status == 0 && has_svg && has_png) return true;
    message_print("gnuplot could not draw %s/%s/%s.gp", folder, PLOTS_NAME, name);
    return false;
}

/* ---- printing --------------------------------------------------------------------------------------------------------- */

/* Whether all of it was there. */
static bool copy_picture(FILE *picture, const char *end, FILE *to) {
    char bytes[1 << 16];
    bool is_whole = false;
    rewind(picture);
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, picture)) > 0;) {
        const size_t last = length < 16 ? length : 16;
        is_whole = memmem(bytes + length - last, last, end, strlen(end));
        fwrite(bytes, 1, length, to);
    }
    return is_whole;
}

dunlin_result plot_print(const char *script, size_t length, const char *end, FILE *to, dunlin_error *error) {
    FILE *from = tmpfile(), *picture = tmpfile();
    const bool is_ready = from && picture && fwrite(script, 1, length, from) == length && fflush(from) == 0;
    if (is_ready) rewind(from);
    const int status = is_ready ? run(".", "/dev/stdin", fileno(from), fileno(picture)) : -1;
    const bool is_whole = status == 0 && copy_picture(picture, end, to);
    if (from) fclose(from);
    if (picture) fclose(picture);
    if (is_whole) return DUNLIN_OK;
    if (!is_ready) return bench_fail(error, DUNLIN_ERROR_FILE, "no temporary file for a plot: %s", strerror(errno));
    if (status != EXIT_NOT_FOUND) return bench_fail(error, DUNLIN_ERROR_FILE, "gnuplot could not draw the plot");
    return bench_fail(error, DUNLIN_ERROR_FILE,
                      "no plot, because gnuplot is not installed; on Debian: apt-get install gnuplot-nox");
}
