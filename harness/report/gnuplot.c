/* SPDX-License-Identifier: MIT */
#include "harness/report/gnuplot.h"
#include "harness/report/fail.h"
#include "harness/report/output_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- scripts ---------------------------------------------------------------------------------------------------------- */

/* Gnuplot's single quotes take everything as it is, but for themselves, which are doubled. */
void gnuplot_quote(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'') fputc('\'', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputc('\'', file);
}

/* Dark on white, whatever the page: the background is part of the picture. */
static void write_head(FILE *file, const char *name, const char *title, const char *subtitle) {
    fprintf(file, "# Drawn by dunlin. To draw it again: gnuplot %s.gp\n\nset encoding utf8\n", name);
    fputs("set label 1 ", file);
    gnuplot_quote(file, title);
    fputs(" at screen 0.02, 0.95 font ',19'\nset label 2 ", file);
    gnuplot_quote(file, subtitle);
    fputs(" at screen 0.02, 0.895 font ',13' textcolor rgb '#555555'\n"
          "set tmargin at screen 0.84\n"
          "set rmargin 3\n"
          "set border 3 linecolor rgb '#444444'\n"
          "set tics nomirror\n"
          "set format '%g'\n"
          "set grid ytics linetype 1 linecolor rgb '#dddddd'\n"
          "set key top left Left reverse samplen 2 spacing 1.2\n"
          "set datafile missing 'nan'\n\n",
          file);
}

dunlin_result gnuplot_open(gnuplot_script *script, const char *folder, const char *name, const char *title,
                           const char *subtitle, dunlin_error *error) {
    *script = (gnuplot_script){.name = name, .path = output_folder_path(folder, "%s/%s.gp", PLOTS_NAME, name)};
    if (!script->path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    dunlin_result result = output_file_open(&script->output, script->path, error);
    script->file = script->output.stream;
    if (result == DUNLIN_OK)
        write_head(script->file, name, title, subtitle);
    else
        free(script->path);
    return result;
}

/* 830 pixels are what GitHub shows; the PNG has twice as many for screens that do. */
dunlin_result gnuplot_close(gnuplot_script *script, const char *plot, dunlin_error *error) {
    fprintf(script->file,
            "\nset terminal svg noenhanced size 830,520 dynamic background '#ffffff' font 'sans-serif,15' fontscale 1.15\n"
            "set output '%s.svg'\n"
            "plot %s\n"
            "set terminal pngcairo noenhanced size 1660,1040 background '#ffffff' font 'sans-serif,15' fontscale 2 \\\n"
            "    linewidth 2 pointscale 2\n"
            "set output '%s.png'\n"
            "replot\n"
            "set output\n",
            script->name, plot, script->name);
    dunlin_result result = output_file_finish(&script->output, error);
    free(script->path);
    *script = (gnuplot_script){0};
    return result;
}

/* ---- running ---------------------------------------------------------------------------------------------------------- */

/* Signals that this program ignores end a child as they would end any other program. */
static bool restore_signals(posix_spawnattr_t *attributes) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    return posix_spawnattr_setsigdefault(attributes, &signals) == 0 &&
           posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF) == 0;
}

/* In that folder, with nothing on standard output. */
static bool redirect(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder) == 0 &&
           posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
           posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0;
}

/* false: it could not be started, or failed. */
static bool run(const char *folder, const char *argument) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    char program[] = "gnuplot", *copy = strdup(argument);
    char *arguments[] = {program, copy, NULL};
    pid_t child;
    int status = 1;
    bool begun = posix_spawnattr_init(&attributes) == 0;
    bool ready = begun && copy && redirect(&actions, folder) && restore_signals(&attributes);
    bool ran = ready && posix_spawnp(&child, program, &actions, &attributes, arguments, environ) == 0;
    while (ran && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (begun) posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(copy);
    return ran && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool gnuplot_is_there(void) {
    return run(".", "--version");
}

/* Whether the file's last bytes hold what only ends such pictures: on a full disk gnuplot leaves half of one and is content. */
static bool is_whole(const char *path, const char *end) {
    char last[16];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    bool found = fseek(file, -(long)sizeof last, SEEK_END) == 0 && fread(last, 1, sizeof last, file) == sizeof last &&
                 memmem(last, sizeof last, end, strlen(end));
    fclose(file);
    return found;
}

/* Removes what is no whole picture. */
static bool is_picture(const char *folder, const char *name, const char *suffix, const char *end) {
    char *path = output_folder_path(folder, "%s/%s.%s", PLOTS_NAME, name, suffix);
    bool found = path && is_whole(path, end);
    if (path && !found) unlink(path);
    free(path);
    return found;
}

bool gnuplot_run(const char *folder, const char *name) {
    char *plots = output_folder_path(folder, PLOTS_NAME);
    char script[64];
    snprintf(script, sizeof script, "%s.gp", name);
    bool ran = plots && run(plots, script);
    bool has_svg = is_picture(folder, name, "svg", "</svg>"), has_png = is_picture(folder, name, "png", "IEND");
    free(plots);
    return ran && has_svg && has_png;
}
