/* SPDX-License-Identifier: MIT */
#include "harness/validate/validate_options.h"
#include "harness/command/commands.h"

bool validate_options_read(validate_options *validate, int argc, const char **argv, int *status) {
    *validate = (validate_options){.output = "validation"};
    const char *names[TRIAL_KINDS];
    for (int i = 0; i < TRIAL_KINDS; i++) {
        names[i] = trial_kind_name((trial_kind)i);
        validate->kinds[i] = true;
    }
    const option_row rows[] = {
        ROW_NAMES("only", validate->kinds, names, TRIAL_KINDS,
                  "only these, with commas between: circles, vicsek, couzin, topological, matching"),
        ROW_THREADS(&validate->threads),
        ROW_OUTPUT(&validate->output,
                   "leave validation.csv and plots here, and continue what the same commit left there; default: validation"),
        ROW("page", OPTION_TEXT, &validate->page, "FILE.md", "rewrite the tables of this page, docs/validation.md"),
        ROW("fresh", OPTION_FLAG, &validate->fresh, NULL, "begin anew: forget the folder's validation.csv"),
        ROW_QUICK(&validate->quick, "everything small and with wider ranges: seconds instead of minutes"),
        ROW_QUIET(&validate->quiet),
    };
    if (!options_read(&validate->read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, status)) return false;
    /* The page has figures that are compared with what was published. */
    bool is_valid = !validate->page || !validate->quick ||
                    option_reject("page", validate->page, "none with --quick, whose figures are not for the page");
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}
