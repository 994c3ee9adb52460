/* SPDX-License-Identifier: MIT */
/* `dunlin run --watch` in a terminal of the test's own: what it writes there, and that the terminal is always left as it was.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/report/clock.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"

#define ENTER "\033[?1049h\033[?25l"
#define LEAVE "\033[?25h\033[?1049l"

enum { SHOWN = 1 << 23, MAX_WORDS = 24 };

typedef struct terminal {
    pid_t child;
    int master;
    size_t length;
} terminal;

static char shown[SHOWN]; /* all that was written to the terminal */

/* ---- a terminal -------------------------------------------------------------------------------------------------------- */

/* `environment`: NAME=value, with spaces between; the other variables that matter are not set. */
static void become(const char *environment, const char *arguments) {
    char words[512], *argv[MAX_WORDS + 1] = {"dunlin"};
    static const char *const unset[] = {"NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS", "LINES"};
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++) unsetenv(unset[i]);
    setenv("TERM", "xterm", 1);
    signal(SIGTSTP, SIG_DFL);
    setenv("OMP_PROC_BIND", "false", 0);
    snprintf(words, sizeof words, "%s", environment);
    for (char *at = strtok(words, " "); at; at = strtok(NULL, " ")) putenv(strdup(at));
    int count = 1;
    static char line[512];
    snprintf(line, sizeof line, "%s", arguments);
    for (char *at = strtok(line, " "); at && count < MAX_WORDS; at = strtok(NULL, " ")) argv[count++] = at;
    execv(DUNLIN_PROGRAM, argv);
    _exit(127);
}

static terminal open_terminal(int columns, int rows, const char *environment, const char *arguments) {
    const struct winsize window = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    terminal made = {0};
    fflush(NULL);
    made.child = forkpty(&made.master, NULL, NULL, &window);
    assert_true(made.child >= 0);
    if (made.child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        become(environment, arguments);
    }
    return made;
}

/* Reads until these words are shown again or the program has ended; NULL: until it has. false: it has. */
static bool read_until(terminal *t, const char *words) {
    const size_t from = t->length;
    for (;;) {
        struct pollfd ready = {.fd = t->master, .events = POLLIN};
        if (poll(&ready, 1, 60000) == 0) fail_msg("nothing is shown for a minute, after: %s", shown);
        const ssize_t count = read(t->master, shown + t->length, SHOWN - 1 - t->length);
        if (count <= 0) return false; /* EIO: the other side is closed */
        t->length += (size_t)count;
        shown[t->length] = '\0';
        assert_true(t->length < SHOWN - 65536);
        if (words && strstr(shown + from, words)) return true;
    }
}

/* Returns the exit status, or 1000 + the signal. */
static int close_terminal(terminal *t) {
    int ended;
    read_until(t, NULL);
    assert_int_equal(waitpid(t->child, &ended, 0), t->child);
    close(t->master);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 1000 + WTERMSIG(ended);
}

static void watch(int columns, int rows, const char *environment, const char *arguments) {
    char all[256];
    snprintf(all, sizeof all, "run default --agents 500 --steps 3 --fps 200 --watch %s", arguments);
    terminal t = open_terminal(columns, rows, environment, all);
    const int ended = close_terminal(&t);
    if (ended != 0) fail_msg("%d x %d: exit %d: %s", columns, rows, ended, shown);
}

/* The frame that begins at `from`: its rows, and the most columns that one of them takes. Escapes take none. */
static void measure(const char *from, int *rows, int *columns, int *dots) {
    int column = 0;
    *rows = 1;
    *columns = *dots = 0;
    for (const char *at = from; *at && strncmp(at, "\033[H", 3) != 0 && strncmp(at, LEAVE, 6) != 0; at++) {
        if (*at == '\033') {
            at += strcspn(at, "mKJhlH");
        } else if (*at == '\n') {
            ++*rows;
        } else if (*at == '\r') {
            column = 0;
        } else if ((*at & 0xc0) != 0x80) {
            column++;
            *dots += (unsigned char)*at == 0xe2;
        }
        if (column > *columns) *columns = column;
    }
}

/* ---- what it shows ----------------------------------------------------------------------------------------------------- */

static const char *find_frame(int number) {
    const char *at = shown;
    for (int i = 0; i <= number && at; i++) {
        at = strstr(at, "\033[H");
        if (at) at += 3;
    }
    return at;
}

TEST(frames_fill_any_window) {
    static const int sizes[][2] = {{80, 24}, {1, 1}, {1, 2}, {2, 30}, {37, 11}, {200, 3}, {200, 60}, {5000, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int rows, columns, dots;
        watch(sizes[i][0], sizes[i][1], "LANG=C.UTF-8", "");
        assert_non_null(find_frame(3));
        assert_null(find_frame(4));
        measure(find_frame(1), &rows, &columns, &dots);
        const int want = sizes[i][0] < 2048 ? sizes[i][0] : 2048;
        if (rows != sizes[i][1] || columns != want) fail_msg("%d x %d, but want %d x %d", columns, rows, want, sizes[i][1]);
        if (sizes[i][0] >= 37 && dots < 8) fail_msg("%d x %d: only %d dots", columns, rows, dots);
    }
}

TEST(the_report_comes_after_the_screen_is_back) {
    watch(80, 24, "LANG=C.UTF-8", "");
    const char *enter = strstr(shown, ENTER), *leave = strstr(shown, LEAVE), *report = strstr(shown, "state hash:");
    assert_true(enter && leave && report && enter < leave && leave < report);
    assert_null(strstr(leave + 1, LEAVE));
    assert_non_null(strstr(shown, "step 2 of 3   500 agents"));
    assert_null(strstr(shown, "left")); /* no progress bar */
}

static void expect_colours(const char *environment, bool true_colour, bool of_256, bool unicode) {
    watch(60, 20, environment, "");
    if (!strstr(shown, "\033[38;2;") == true_colour) fail_msg("%s: true colour", environment);
    if (!strstr(shown, "\033[38;5;") == of_256) fail_msg("%s: 256 colours", environment);
    if (!strstr(shown, "\xe2") == unicode) fail_msg("%s: Unicode", environment);
}

TEST(colours_and_dots_are_those_of_the_terminal) {
    expect_colours("LANG=C.UTF-8 COLORTERM=truecolor", true, false, true);
    expect_colours("LC_ALL=C.UTF-8 COLORTERM=24bit TERM=xterm-256color", true, false, true);
    expect_colours("LANG=C.UTF-8 TERM=xterm-256color", false, true, true);
    expect_colours("LANG=C.UTF-8", false, false, true);
    expect_colours("LANG=C.UTF-8 COLORTERM=truecolor NO_COLOR=1", false, false, true);
    expect_colours("LANG=C.UTF-8 COLORTERM=truecolor NO_COLOR=", true, false, true);
    expect_colours("LANG=C TERM=xterm-256color", false, true, false);
    expect_colours("LC_ALL=C LANG=C.UTF-8", false, false, false);
}

TEST(frames_follow_the_window) {
    int rows, columns, dots;
    terminal t = open_terminal(80, 24, "LANG=C.UTF-8", "run default --agents 500 --steps 100000 --watch");
    assert_true(read_until(&t, "step 3 of"));
    const struct winsize window = {.ws_col = 50, .ws_row = 9};
    assert_int_equal(ioctl(t.master, TIOCSWINSZ, &window), 0);
    assert_true(read_until(&t, "\033[2J"));
    assert_true(read_until(&t, "\033[H"));
    assert_true(read_until(&t, "\033[H"));
    const char *end = shown + t.length, *frame = shown, *last = shown;
    while ((frame = strstr(frame, "\033[H")) && frame < end) last = frame++;
    const char *before = last - 1;
    while (strncmp(before, "\033[H", 3) != 0) before--;
    measure(before + 3, &rows, &columns, &dots);
    assert_int_equal(kill(t.child, SIGINT), 0);
    assert_int_equal(close_terminal(&t), 128 + SIGINT);
    assert_int_equal(rows, 9);
    assert_int_equal(columns, 50);
}

/* ---- how it ends ------------------------------------------------------------------------------------------------------- */

#define LONG "run default --agents 500 --steps 100000 --watch"

static void expect_left(const char *how) {
    const char *last = NULL;
    for (const char *at = shown; (at = strstr(at, "\033[?1049")); at++) last = at;
    if (!last || last[7] != 'l') fail_msg("%s: the screen is not left", how);
    if (!strstr(last - 6, "\033[?25h")) fail_msg("%s: the cursor is not back", how);
}

TEST(every_signal_leaves_the_screen) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (int i = 0; i < 4; i++) {
        terminal t = open_terminal(40, 10, "LANG=C.UTF-8", LONG);
        assert_true(read_until(&t, "step 2 of"));
        assert_int_equal(kill(t.child, signals[i]), 0);
        assert_int_equal(close_terminal(&t), signals[i] == SIGQUIT ? 1000 + SIGQUIT : 128 + signals[i]);
        expect_left(strsignal(signals[i]));
    }
}

/* The first one waits for a step that takes long, and the second one does not. */
TEST(a_second_signal_leaves_it_too) {
    terminal t = open_terminal(40, 10, "LANG=C.UTF-8", LONG " --fps 1");
    assert_true(read_until(&t, "step 1 of"));
    kill(t.child, SIGSTOP);
    kill(t.child, SIGINT);
    kill(t.child, SIGCONT);
    usleep(300000);
    kill(t.child, SIGINT);
    const int ended = close_terminal(&t);
    assert_true(ended == 1000 + SIGINT || ended == 128 + SIGINT); /* the step may have ended in between */
    expect_left("two signals");
}

TEST(a_stopped_run_gives_the_screen_back) {
    terminal t = open_terminal(40, 10, "LANG=C.UTF-8", LONG);
    assert_true(read_until(&t, "step 2 of"));
    kill(t.child, SIGTSTP);
    assert_true(read_until(&t, LEAVE));
    int state_now;
    for (int i = 0; i < 100 && waitpid(t.child, &state_now, WUNTRACED | WNOHANG) == 0; i++) usleep(10000);
    kill(t.child, SIGCONT); /* in a session of its own the kernel may not have stopped it */
    while (!strstr(strstr(shown, LEAVE), ENTER)) assert_true(read_until(&t, ""));
    assert_true(read_until(&t, "step"));
    kill(t.child, SIGTERM);
    assert_int_equal(close_terminal(&t), 128 + SIGTERM);
    expect_left("Ctrl-Z");
}

TEST(an_error_leaves_the_screen) {
    terminal t = open_terminal(40, 10, "LANG=C.UTF-8", "run default --agents 500 --watch --metrics /dev/full --fps 200");
    assert_int_equal(close_terminal(&t), 1);
    assert_non_null(strstr(shown, "/dev/full"));
    if (strstr(shown, ENTER)) expect_left("a full disk");
}

TEST(without_a_terminal_it_refuses) {
    EXPECT_FAILURE(1, LONG, "--watch needs a terminal");
    static const char *const terms[] = {"TERM=dumb", "TERM="};
    for (int i = 0; i < 2; i++) {
        terminal t = open_terminal(80, 24, terms[i], LONG);
        assert_int_equal(close_terminal(&t), 1);
        assert_non_null(strstr(shown, "move its cursor"));
        assert_null(strstr(shown, "\033"));
    }
    terminal t = open_terminal(80, 24, "LANG=C.UTF-8", LONG " --metrics -");
    assert_int_equal(close_terminal(&t), 1);
    assert_non_null(strstr(shown, "another output"));
    assert_null(strstr(shown, "\033"));
}

/* Once per frame, and no faster. */
TEST(steps_are_as_slow_as_told) {
    const double begin = clock_seconds();
    watch(40, 10, "LANG=C.UTF-8", "--steps 10 --fps 20");
    const double seconds = clock_seconds() - begin;
    if (seconds < 0.49) fail_msg("eleven frames took only %.3f s", seconds);
}
