/* SPDX-License-Identifier: MIT */
#include "harness/command/progress.h"
#include "harness/report/clock.h"
#include "harness/report/numbers.h"
#include "harness/report/message.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NARROWEST_BAR = 8, WIDEST_BAR = 40, LONGEST_LINE = 256 };
static const double redraw_seconds = 0.1;
/* Seconds between two lines where there is no terminal. A short run has none. */
static const double patience = 5.0, longest_silence = 30.0;

run_progress progress_begin(const char *unit, uint64_t count, bool shown) {
    const double now = clock_seconds();
    return (run_progress){
        .shown = shown && count > 0,
        .on_terminal = isatty(STDERR_FILENO) == 1,
        .unit = unit,
        .count = count,
        .next_tenth = 1,
        .started = now,
        .drawn = now, /* so that a very short run shows no bar */
    };
}

void progress_skip(run_progress *progress, uint64_t done, uint64_t agent_updates) {
    progress->done_before = done;
    progress->updates_before = agent_updates;
    if (progress->count > 0) progress->next_tenth = 10 * done / progress->count + 1;
}

/* On a terminal ten times a second, elsewhere at every tenth of the whole. */
static bool is_due(const run_progress *progress, double share, double now) {
    double silence = now - progress->drawn;
    if (!progress->shown) return false;
    if (progress->on_terminal) return silence >= redraw_seconds;
    bool is_tenth = (uint64_t)(10.0 * share + 1e-9) >= progress->next_tenth;
    return (is_tenth && silence >= patience) || silence >= longest_silence;
}

static void draw_bar(double share, const char *text) {
    char bar[WIDEST_BAR + 1];
    /* The last column stays free, because terminals wrap there. "[bar] 100%   text" */
    int room = terminal_width(stderr) - 1 - ((int)strlen(text) + 10);
    int width = room < WIDEST_BAR ? room : WIDEST_BAR;
    if (width < NARROWEST_BAR) {
        fprintf(stderr, "\r\033[K%.*s", terminal_width(stderr) - 1, text);
        return;
    }
    int filled = (int)(share * width);
    memset(bar, '=', (size_t)filled);
    memset(bar + filled, ' ', (size_t)(width - filled));
    if (filled < width) bar[filled] = '>';
    bar[width] = '\0';
    fprintf(stderr, "\r\033[K[%s] %3d%%   %s", bar, (int)(100.0 * share), text);
}

static double seconds_left(const run_progress *progress, double share, double now) {
    const double measured = now - progress->started;
    const double own = share - (double)progress->done_before / (double)progress->count;
    return own > 0.0 ? measured * (1.0 - share) / own : 0.0;
}

static void draw(run_progress *progress, double share, const char *what, double now) {
    char text[LONGEST_LINE], left[NUMBER_LENGTH];
    number_duration(seconds_left(progress, share, now), left);
    snprintf(text, sizeof text, "%s   %s left", what, left);
    if (progress->on_terminal)
        draw_bar(share, text);
    else
        fprintf(stderr, "%3d%%   %s\n", (int)(100.0 * share + 1e-9), text);
    progress->next_tenth = (uint64_t)(10.0 * share + 1e-9) + 1;
    progress->drawn = now;
}

/* "step 120 of 1 000   57.3 million agent-updates/s"; without a speed if there are no updates */
static void describe(const run_progress *progress, uint64_t done, uint64_t agent_updates, double now, char *text, size_t size) {
    char at[NUMBER_LENGTH], of[NUMBER_LENGTH], rate[NUMBER_LENGTH];
    double elapsed = now - progress->started;
    number_group(done, at);
    number_group(progress->count, of);
    number_short(elapsed > 0.0 ? (double)(agent_updates - progress->updates_before) / elapsed : 0.0, rate);
    if (agent_updates == 0)
        snprintf(text, size, "%s %s of %s", progress->unit, at, of);
    else
        snprintf(text, size, "%s %s of %s   %s agent-updates/s", progress->unit, at, of, rate);
}

void progress_update(run_progress *progress, uint64_t done, uint64_t agent_updates) {
    double now = clock_seconds(), share = (double)done / (double)progress->count;
    if (!is_due(progress, share, now)) return;
    char text[LONGEST_LINE];
    describe(progress, done, agent_updates, now, text, sizeof text);
    draw(progress, share, text, now);
}

void progress_show(run_progress *progress, double share, const char *what) {
    double now = clock_seconds();
    if (share > 0.0 && is_due(progress, share, now)) draw(progress, share < 1.0 ? share : 1.0, what, now);
}

void progress_end(run_progress *progress) {
    if (progress->shown && progress->on_terminal) fputs("\r\033[K", stderr);
}
