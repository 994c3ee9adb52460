/* SPDX-License-Identifier: MIT */
#include "gnuplot.h"
#include "../bench/fail.h"
#include "output_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- scripts ---------------------------------------------------------------------------------------------------------- */

static dunlin_result fail(const char *name, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %s/%s.gp: %s", PLOTS_NAME, name, problem);
}

/* Gnuplot's single quotes take everything as it is, but for themselves, which are doubled. */
void gnuplot_quote(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text != '\0'; ++text) {
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
    char *path = output_folder_path(folder, "%s/%s.gp", PLOTS_NAME, name);
    *script = (gnuplot_script){.name = name};
    script->file = path != NULL ? fopen(path, "w") : NULL;
    free(path);
    if (script->file == NULL) return fail(name, strerror(errno), error);
    write_head(script->file, name, title, subtitle);
    return DUNLIN_OK;
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
    bool written = !ferror(script->file);
    written = fclose(script->file) == 0 && written;
    script->file = NULL;
    return written ? DUNLIN_OK : fail(script->name, strerror(errno), error);
}

/* ---- running ---------------------------------------------------------------------------------------------------------- */

/* In that folder, with nothing on standard output. false: it could not be started, or failed. */
static bool run(const char *folder, const char *argument) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    char program[] = "gnuplot", *copy = strdup(argument);
    char *arguments[] = {program, copy, NULL};
    pid_t child;
    int status = 1;
    bool ready = copy != NULL && posix_spawn_file_actions_addchdir_np(&actions, folder) == 0 &&
                 posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
                 posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0;
    bool ran = ready && posix_spawnp(&child, program, &actions, NULL, arguments, environ) == 0;
    while (ran && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    posix_spawn_file_actions_destroy(&actions);
    free(copy);
    return ran && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool gnuplot_is_there(void) {
    return run(".", "--version");
}

static bool is_picture(const char *folder, const char *name, const char *suffix) {
    char *path = output_folder_path(folder, "%s/%s.%s", PLOTS_NAME, name, suffix);
    struct stat status;
    bool found = path != NULL && stat(path, &status) == 0 && status.st_size > 0;
    free(path);
    return found;
}

bool gnuplot_run(const char *folder, const char *name) {
    char *plots = output_folder_path(folder, PLOTS_NAME);
    char script[64];
    snprintf(script, sizeof script, "%s.gp", name);
    bool drawn = plots != NULL && run(plots, script) && is_picture(folder, name, "svg") && is_picture(folder, name, "png");
    free(plots);
    return drawn;
}
