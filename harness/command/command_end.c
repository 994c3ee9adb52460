/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/message.h"

int command_end(dunlin_result result, const dunlin_error *error, const char *stopped) {
    if (result != DUNLIN_OK) {
        message_print("%s", error->message);
        return EXIT_RUNTIME;
    }
    if (interrupt_signal() == 0) return EXIT_OK;
    if (stopped) message_print("%s", stopped);
    return EXIT_SIGNAL + interrupt_signal();
}
