/* SPDX-License-Identifier: MIT */
#include "harness/watch/screen.h"
#include "harness/command/interrupt.h"
#include "harness/report/message.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char enter[] = "\033[?1049h\033[?25l\033[2J", leave[] = "\033[0m\033[?25h\033[?1049l";
static bool is_entered;

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

dunlin_result screen_check(dunlin_error *error) {
    const char *term = variable("TERM");
    if (isatty(STDOUT_FILENO) != 1)
        return bench_fail(error, DUNLIN_ERROR_FILE, "--watch needs a terminal, and standard output is none");
    if (*term == '\0' || strcmp(term, "dumb") == 0)
        return bench_fail(error, DUNLIN_ERROR_FILE, "--watch needs a terminal that can move its cursor; TERM is '%.40s'", term);
    return DUNLIN_OK;
}

static bool is_unicode(void) {
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (int i = 0; i < 3 && *locale == '\0'; i++) locale = variable(names[i]);
    return strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8");
}

dots_style screen_style(void) {
    const char *colorterm = variable("COLORTERM");
    dots_style made = {.colours = DOTS_PLAIN, .is_ascii = !is_unicode()};
    if (*variable("NO_COLOR") != '\0') return made;
    if (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0) {
        made.colours = DOTS_TRUE;
    } else if (strstr(variable("TERM"), "256color")) {
        made.colours = DOTS_256;
    }
    return made;
}

screen_size screen_size_now(void) {
    struct winsize window;
    const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_row > 0;
    return is_known ? (screen_size){window.ws_col, window.ws_row} : (screen_size){80, 24};
}

/* Also in a signal handler. */
static void say(const char *words, size_t length) {
    (void)!write(STDOUT_FILENO, words, length);
}

/* Ctrl-Z: the shell gets its screen back while the program is stopped. */
static void stop(int number) {
    const int problem = errno;
    sigset_t only, before;
    say(leave, sizeof leave - 1);
    signal(number, SIG_DFL);
    raise(number);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, &before); /* stops here, until the shell says fg */
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(number, stop);
    say(enter, sizeof enter - 1);
    errno = problem;
}

void screen_enter(void) {
    fflush(stdout);
    interrupt_say_at_end(leave);
    say(enter, sizeof enter - 1);
    is_entered = true;
    if (signal(SIGTSTP, stop) == SIG_IGN) signal(SIGTSTP, SIG_IGN);
}

void screen_leave(void) {
    if (!is_entered) return;
    fflush(stdout);
    say(leave, sizeof leave - 1);
    interrupt_say_at_end(NULL);
    is_entered = false;
    signal(SIGTSTP, SIG_DFL);
}
