/* SPDX-License-Identifier: MIT */
#include "harness/report/terminal.h"
#include "harness/report/numbers.h"

#include <stdlib.h>
#include <sys/ioctl.h>

/* The terminal is asked every time, because its window may be resized. */
int terminal_width(FILE *file) {
    const char *columns = getenv("COLUMNS");
    uint64_t wanted;
    if (columns && number_parse(columns, 1, 10000, &wanted)) return (int)wanted;
    struct winsize window;
    bool is_known = ioctl(fileno(file), TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    return is_known ? window.ws_col : TERMINAL_UNLIMITED;
}
